/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markup.c - writes text into an HTML or XML page. */
#include "text/markup.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"
#include "text/utf8.h"

/* May a page have this character of n bytes? Not if XML 1.0 forbids it, or only discourages it, as it does DEL and
 * U+0080 to U+009F; nor if it is a carriage return, which a reader of XML takes for the end of a line. */
static bool allowed(const unsigned char *c, int n)
{
    if (n == 1)
        return *c >= 32 ? *c != 127 : *c == '\t' || *c == '\n';
    if (n == 2 && *c == 0xc2)
        return c[1] >= 0xa0;
    return !(n == 3 && c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe);
}

/* Writes one character without escaping it; returns its length in bytes. */
static int put_character(FILE *out, const unsigned char *c)
{
    int n = utf8_length(c);
    if (n == 0)
        fprintf(out, *c < 0xa0 ? "&#xfffd;" : "&#x%x;", *c);
    else if (!allowed(c, n))
        fputs("&#xfffd;", out);
    else
        fwrite(c, 1, (size_t)n, out);
    return n ? n : 1;
}

/* Writes one character, escaped where that is needed; returns its length in bytes. */
static int put_escaped(FILE *out, const char *c)
{
    switch (*c) {
    case '<': fputs("&lt;", out); return 1;
    case '>': fputs("&gt;", out); return 1;
    case '&': fputs("&amp;", out); return 1;
    case '"': fputs("&quot;", out); return 1;
    case '\'': fputs("&#39;", out); return 1;
    default: return put_character(out, (const unsigned char *)c);
    }
}

void markup_text(FILE *out, const char *text)
{
    while (text && *text)
        text += put_escaped(out, text);
}

void markup_prose(FILE *out, const char *text)
{
    bool code = false;
    while (text && *text) {
        if (*text != '`' || !(code || strchr(text + 1, '`'))) {
            text += put_escaped(out, text);
            continue;
        }
        code = !code;
        fputs(code ? "<code>" : "</code>", out);
        text++;
    }
}

/* --- formulas */

/* Returns the length in bytes of a superscript or subscript: a group in parentheses or braces without another group
 * inside, a number or word with its sign, or a star; 0: there is none. */
static int script_length(const char *s)
{
    if (*s == '(' || *s == '{') {
        int n = (int)strcspn(s + 1, "(){}");
        return s[n + 1] == (*s == '(' ? ')' : '}') && n > 0 ? n + 2 : 0;
    }
    int n = *s == '-' || *s == '+', digits = n;
    while (isalnum((unsigned char)s[n]) ||
           (n > digits && s[n] == '.' && isdigit((unsigned char)s[n + 1])))
        n++;
    bool power = n > digits + 1 && s[n - 1] == 'e' && isdigit((unsigned char)s[n - 2]);     /* as 3.3e-16 */
    if (power && (s[n] == '-' || s[n] == '+'))
        n += 1 + (int)strspn(s + n + 1, "0123456789");
    return n > digits ? n : *s == '*' ? 1 : 0;
}

/* s points to an _, behind which script_length has found n bytes. Are they a subscript? They are only if a single
 * letter, a variable, stands before the _: batch_steps is a name. */
static bool lowers(const char *text, const char *s, int n)
{
    bool alone = s > text && isalpha((unsigned char)s[-1]) &&
                 (s - text < 2 || !(isalnum((unsigned char)s[-2]) || s[-2] == '_'));
    return alone && (n <= 2 || s[1] == '(' || s[1] == '{') && s[1] != '-';
}

/* Is this - a minus sign, and not the hyphen of a word? */
static bool is_minus(const char *text, const char *s)
{
    char before = s > text ? s[-1] : ' ', behind = s[1];
    if (before == ' ' && behind == ' ')
        return true;
    if (before == 'e' && s - text > 1 && isdigit((unsigned char)s[-2]))      /* in an exponent, as in 1e-05 */
        return isdigit((unsigned char)behind);
    return (isdigit((unsigned char)behind) || behind == '.') && !isalnum((unsigned char)before) &&
           before != '-';
}

static int put_symbol(FILE *out, const char *text, const char *s)
{
    static const struct { const char *plain, *sign; } symbol[] = {
        { "<=", "\u2264" }, { ">=", "\u2265" }, { "+-", "\u00b1" } };
    for (size_t k = 0; k < sizeof symbol / sizeof *symbol; k++)
        if (strncmp(s, symbol[k].plain, 2) == 0) {
            fputs(symbol[k].sign, out);
            return 2;
        }
    if (*s == '-' && is_minus(text, s)) {
        fputs("\u2212", out);
        return 1;
    }
    return put_escaped(out, s);
}

/* Writes a superscript or subscript. A group loses its parentheses, since the element holds it together. */
static void put_script(FILE *out, const char *tag, const char *s, int n)
{
    bool group = *s == '(' || *s == '{';
    const char *at = s + group, *end = s + n - group;
    fprintf(out, "<%s>", tag);
    while (at < end)
        at += *at == '-' ? (fputs("\u2212", out), 1) : put_escaped(out, at);
    fprintf(out, "</%s>", tag);
}

void markup_math(FILE *out, const char *text)
{
    for (const char *s = text; s && *s;) {
        int n = *s == '^' || *s == '_' ? script_length(s + 1) : 0;
        if (n == 0 || s == text || (*s == '_' && !lowers(text, s, n))) {
            s += put_symbol(out, text, s);
            continue;
        }
        put_script(out, *s == '^' ? "sup" : "sub", s + 1, n);
        s += n + 1;
    }
}

/* --- formats */

/* Calls `put` for the text, or for as much of it as the precision of the conversion allows. */
static void put_string(FILE *out, markup_put *put, const char *conversion, const char *text)
{
    const char *dot = strchr(conversion, '.');
    char *cut = dot && text ? strndup(text, (size_t)atoi(dot + 1)) : NULL;
    put(out, cut ? cut : text);
    free(cut);
}

void markup_format(FILE *out, markup_put *text, markup_put *other, const char *format, va_list list)
{
    for (const char *s = format; *s;) {
        size_t plain = strcspn(s, "%"), n;
        char one[16];                            /* a conversion, "%.3g" */
        fwrite(s, 1, plain, out);
        s += plain;
        if (!*s)
            return;
        n = 2 + strspn(s + 1, "-.0123456789l");
        BUG_IF(n >= sizeof one);
        snprintf(one, sizeof one, "%.*s", (int)n, s);
        s += n;
        switch (one[n - 1]) {
        case '%': putc('%', out); break;
        case 's': put_string(out, one[1] == '-' ? other : text, one, va_arg(list, const char *)); break;
        case 'd':
            if (one[n - 2] == 'l')
                fprintf(out, one, va_arg(list, long));
            else
                fprintf(out, one, va_arg(list, int));
            break;
        default:
            BUG_IF(!strchr("efg", one[n - 1]));
            fprintf(out, one, va_arg(list, double));
        }
    }
}

void markup_print(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    markup_format(out, markup_text, markup_math, format, list);
    va_end(list);
}

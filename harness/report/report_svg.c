/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_svg.c - a drawing of gnuplot as a part of a page. */
#include "report/report_svg.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/markup.h"
#include "status.h"

/* One attribute of a tag, pointing into the drawing. */
struct attribute { const char *name, *value; int name_size, size; };

/* The next attribute from *s on; false: the tag ends, or the text is no attribute. */
static bool attribute_next(const char **s, const char *end, struct attribute *a)
{
    const char *c = *s;
    while (c < end && (isspace((unsigned char)*c) || *c == '/'))
        c++;
    a->name = c;
    while (c < end && *c != '=' && !isspace((unsigned char)*c))
        c++;
    a->name_size = (int)(c - a->name);
    while (c < end && isspace((unsigned char)*c))
        c++;
    if (c >= end || *c++ != '=')
        return false;
    while (c < end && isspace((unsigned char)*c))
        c++;
    if (c >= end || (*c != '"' && *c != '\''))
        return false;
    a->value = c + 1;
    const char *close = memchr(a->value, *c, (size_t)(end - a->value));
    if (!close)
        return false;
    a->size = (int)(close - a->value);
    *s = close + 1;
    return true;
}

static bool is_named(const struct attribute *a, const char *name)
{
    return a->name_size == (int)strlen(name) && strncmp(a->name, name, strlen(name)) == 0;
}

/* --- values */

static void put_color(FILE *out, const struct attribute *a)
{
    char text[32];
    unsigned r, g, b;
    snprintf(text, sizeof text, "%.*s", a->size, a->value);
    if (sscanf(text, "rgb(%u ,%u ,%u )", &r, &g, &b) == 3)
        fprintf(out, "#%02x%02x%02x", r & 255, g & 255, b & 255);
    else if (strcmp(text, "black") == 0)
        fputs("#000000", out);
    else
        for (const char *c = text; *c; c++)
            putc(*text == '#' ? tolower((unsigned char)*c) : *c, out);
}

/* Each run of blanks and ends of lines between words becomes one blank. */
static void put_value(FILE *out, const struct attribute *a)
{
    bool any = false, blank = false;
    for (const char *c = a->value; c < a->value + a->size; c++) {
        if (isspace((unsigned char)*c)) {
            blank = any;
            continue;
        }
        if (blank)
            putc(' ', out);
        putc(*c == '"' ? '\'' : *c, out);
        any = true;
        blank = false;
    }
}

static void put_attribute(FILE *out, const struct attribute *a, const char *prefix)
{
    bool id = is_named(a, "id"), link = is_named(a, "xlink:href");
    if (is_named(a, "font-family") || (link && a->size == 0))
        return;
    fprintf(out, " %.*s=\"", a->name_size, a->name);
    if (is_named(a, "fill") || is_named(a, "stroke") || is_named(a, "color"))
        put_color(out, a);
    else if (id || link)
        fprintf(out, "%s%s%.*s", link ? "#" : "", prefix, a->size - link, a->value + link);
    else
        put_value(out, a);
    putc('"', out);
}

/* --- tags */

static bool is_tag(const char *s, const char *name)
{
    size_t n = strlen(name);
    return strncmp(s, name, n) == 0 && !isalnum((unsigned char)s[n]);
}

static void put_tag(FILE *out, const char *s, const char *end, const char *prefix)
{
    struct attribute a;
    const char *name = s + 1;
    int n = (*name == '/') + (int)strcspn(name + (*name == '/'), " \t\r\n/>");
    fprintf(out, "<%.*s", n, name);
    for (s = name + n; attribute_next(&s, end, &a);)
        put_attribute(out, &a, prefix);
    fputs(end[-1] == '/' ? "/>" : ">", out);
}

static void put_opening(FILE *out, const char *s, const char *end, const char *label)
{
    struct attribute a;
    markup_print(out, "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" "
                 "xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" aria-label=\"%s\"", label);
    for (s += 4; attribute_next(&s, end, &a);)
        if (is_named(&a, "viewBox"))
            put_attribute(out, &a, "");
    putc('>', out);
}

/* The end of an element at s that is not copied, or s itself. Titles hold gnuplot's names of series; filters serve
 * boxed labels, which no figure has. */
static const char *skip(const char *s)
{
    static const char *const left_out[] = { "title", "desc", "filter" };
    char close[16];
    if (is_tag(s, "<g")) {
        const char *end = strchr(s, '>');
        const char *next = end ? end + 1 + strspn(end + 1, " \t\r\n") : s;
        return end && is_tag(next, "</g") ? strchr(next, '>') + 1 : s;
    }
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
        snprintf(close, sizeof close, "</%s>", left_out[k]);
        const char *end = is_tag(s + 1, left_out[k]) ? strstr(s, close) : NULL;
        if (end)
            return end + strlen(close);
    }
    return s;
}

/* Copies from the tag at s to the end of the drawing; false: the text ends before it. */
static bool put_drawing(FILE *out, const char *s, const char *label, const char *prefix)
{
    bool opened = false;
    while (*s) {
        const char *behind = *s == '<' ? skip(s) : s, *end = strchr(s, *s == '<' ? '>' : '<');
        if (behind > s) {
            s = behind;
            continue;
        }
        if (!end)
            return false;
        if (*s != '<') { /* text; blank text between tags is layout only */
            if (s + strspn(s, " \t\r\n") < end)
                markup_copy(out, s, (size_t)(end - s));
            s = end;
            continue;
        }
        if (is_tag(s, "<svg") && !opened)
            put_opening(out, s, end, label);
        else
            put_tag(out, s, end, prefix);
        opened = true;
        if (is_tag(s, "</svg"))
            return true;
        s = end + 1;
    }
    return false;
}

static char *read_all(const char *path)
{
    char *text = NULL, part[4096];
    size_t size, n;
    FILE *in = fopen(path, "r");
    FILE *whole = in ? open_memstream(&text, &size) : NULL;
    if (!in)
        return NULL;
    BUG_IF(!whole);
    while ((n = fread(part, 1, sizeof part, in)) > 0)
        fwrite(part, 1, n, whole);
    fclose(in);
    fclose(whole);
    return text;
}

bool report_svg(FILE *out, const char *path, const char *label, const char *prefix)
{
    char *text = read_all(path), *drawing = NULL;
    const char *start = text ? strstr(text, "<svg") : NULL;
    size_t size;
    FILE *aside = open_memstream(&drawing, &size);
    BUG_IF(!aside);
    bool whole = start && put_drawing(aside, start, label, prefix);
    fclose(aside);
    if (whole)
        fwrite(drawing, 1, size, out);
    free(drawing);
    free(text);
    return whole;
}

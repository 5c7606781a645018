/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - writes tables as text, CSV or JSON, and other JSON objects. */
#include "record/listing.h"

#include <math.h>
#include <string.h>

#include "base/params.h"
#include "text/utf8.h"

/* --- single texts and numbers */

void line_text(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(out, *c < 32 || *c == 127 || *c == '\\' ? "\\x%02x" : "%c", *c);
}

void listing_csv_text(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL;

    if (quote)
        putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    if (quote)
        putc('"', out);
}

static void put_string(FILE *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    putc('"', out);
    while (*c) {
        int n = utf8_length(c);

        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c++);
        else if (*c < 32 || n == 0)
            fprintf(out, "\\u%04x", *c++);
        else
            for (; n > 0; n--)
                putc(*c++, out);
    }
    putc('"', out);
}

/* Prints a number that is not NaN. digits: how many significant digits it gets; 0: the fewest that give the same
 * double back. An infinite number is printed as inf or -inf, with `quote` before and behind it. */
static void put_number(FILE *out, double x, int digits, const char *quote)
{
    char text[32];

    if (isinf(x))
        fprintf(out, "%s%sinf%s", quote, x < 0 ? "-" : "", quote);
    else if (digits)
        fprintf(out, "%.*g", digits, x);
    else
        fputs(number_text(x, text), out);
}

/* --- members and elements of JSON */

static void begin_member(struct json *j, const char *name)
{
    if (j->comma)
        fputs(j->spaced ? ", " : ",", j->out);
    if (name) {
        put_string(j->out, name);
        fputs(j->spaced ? ": " : ":", j->out);
    }
    j->comma = true;
}

void json_open(struct json *j, const char *name, char bracket)
{
    begin_member(j, name);
    putc(bracket, j->out);
    j->comma = false;
}

void json_close(struct json *j, char bracket)
{
    putc(bracket, j->out);
    j->comma = true;
}

void json_text(struct json *j, const char *name, const char *text)
{
    begin_member(j, name);
    if (text)
        put_string(j->out, text);
    else
        fputs("null", j->out);
}

void json_real(struct json *j, const char *name, double x)
{
    if (isnan(x)) {
        json_text(j, name, j->nan);
        return;
    }
    begin_member(j, name);
    put_number(j->out, x, j->digits, "\"");
}

void json_digits(struct json *j, const char *name, const char *digits)
{
    begin_member(j, name);
    fputs(digits, j->out);
}

void json_count(struct json *j, const char *name, long n)
{
    begin_member(j, name);
    fprintf(j->out, "%ld", n);
}

void json_flag(struct json *j, const char *name, bool yes)
{
    begin_member(j, name);
    fputs(yes ? "true" : "false", j->out);
}

/* --- the rows of a table */

static const struct listing_layout row_a_line = { "[\n ", ",\n ", "\n]\n", "[]\n", true };

static const struct listing_layout *layout_of(const struct listing *l)
{
    return l->layout ? l->layout : &row_a_line;
}

void listing_heading(struct listing *l)
{
    if (l->format == RECORD_CSV)
        for (int k = 0; k < l->columns; k++) {
            listing_csv_text(l->out, l->name[k]);
            putc(k + 1 < l->columns ? ',' : '\n', l->out);
        }
    l->headed = true;
}

static void begin_row(struct listing *l)
{
    if (!l->headed)
        listing_heading(l);
    if (l->format != RECORD_JSON)
        return;
    fputs(l->rows ? layout_of(l)->next : layout_of(l)->first, l->out);
    l->row = (struct json){ l->out, layout_of(l)->spaced, l->digits, NULL, false };
    json_open(&l->row, NULL, '{');
}

static void begin_field(struct listing *l)
{
    if (l->at == 0)
        begin_row(l);
}

static void end_field(struct listing *l)
{
    bool last = ++l->at == l->columns;

    if (l->format != RECORD_JSON)
        putc(last ? '\n' : l->format == RECORD_CSV ? ',' : ' ', l->out);
    else if (last)
        json_close(&l->row, '}');
    if (last) {
        l->at = 0;
        l->rows++;
    }
}

/* Prints a text as a cell of a table for people: a control character, which would break the row, as '?'. */
static void put_cell(FILE *out, const char *text, int width)
{
    int n = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++, n++)
        putc(*c < ' ' || *c == 127 ? '?' : *c, out);
    fprintf(out, "%*s", n < width ? width - n : 0, "");
}

void listing_text(struct listing *l, const char *text)
{
    begin_field(l);
    if (l->format == RECORD_JSON)
        json_text(&l->row, l->name[l->at], text);
    else if (l->format == RECORD_CSV)
        listing_csv_text(l->out, text);
    else
        put_cell(l->out, text, l->at + 1 < l->columns ? l->width[l->at] : 0);
    end_field(l);
}

void listing_real(struct listing *l, double x)
{
    begin_field(l);
    if (l->format == RECORD_JSON)
        json_real(&l->row, l->name[l->at], x);
    else if (isnan(x))
        fputs(l->nan ? l->nan : "", l->out);
    else
        put_number(l->out, x, l->digits, "");
    end_field(l);
}

void listing_count(struct listing *l, long n)
{
    begin_field(l);
    if (l->format == RECORD_JSON)
        json_count(&l->row, l->name[l->at], n);
    else
        fprintf(l->out, "%ld", n);
    end_field(l);
}

void listing_flag(struct listing *l, bool yes)
{
    begin_field(l);
    if (l->format == RECORD_JSON)
        json_flag(&l->row, l->name[l->at], yes);
    else
        fputs(yes ? "yes" : "no", l->out);
    end_field(l);
}

void listing_none(struct listing *l)
{
    begin_field(l);
    end_field(l);
}

void listing_row(struct listing *l, const char *const *text)
{
    for (int k = 0; k < l->columns; k++)
        listing_text(l, text[k]);
}

void listing_end(const struct listing *l)
{
    if (l->format == RECORD_JSON)
        fputs(l->rows ? layout_of(l)->end : layout_of(l)->empty, l->out);
}

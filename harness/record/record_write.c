/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_write.c - a record as text, CSV or JSON. */
#include "record/record.h"

#include <math.h>
#include <string.h>

#include "text/utf8.h"

static void write_real(FILE *out, double v, const char *quote)
{
    if (isfinite(v))
        fprintf(out, "%.17g", v);
    else
        fprintf(out, "%s%s%s", quote, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf", quote);
}

void record_write_line_text(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(out, *c < 32 || *c == 127 || *c == '\\' ? "\\x%02x" : "%c", *c);
}

void record_write_json_text(FILE *out, const char *text)
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

void record_write_csv_text(FILE *out, const char *text)
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

/* One line: the identity, then row (-1: none), name and value (name NULL: a record without any). */
static void write_csv_line(FILE *out, const struct record *r, long row, const char *name, double v)
{
    record_write_csv_text(out, r->cell);
    fprintf(out, ",%s,%s,", r->fingerprint, record_outcome_name(r->outcome));
    record_write_csv_text(out, r->message);
    fprintf(out, row < 0 ? ",," : ",%ld,", row);
    record_write_csv_text(out, name ? name : "");
    putc(',', out);
    if (name)
        write_real(out, v, "");
    putc('\n', out);
}

static void write_csv(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    if (r->values == 0)
        write_csv_line(out, r, -1, NULL, 0);
    for (size_t k = 0; k < r->values; k++)
        write_csv_line(out, r, -1, r->value[k].name, r->value[k].value);
    for (size_t k = 0; k < t->rows * t->columns; k++)
        write_csv_line(out, r, k / t->columns, t->column[k % t->columns], t->value[k]);
    if (!canonical) {
        write_csv_line(out, r, -1, "seconds", r->seconds);
        write_csv_line(out, r, -1, "peak_bytes", r->peak_bytes);
    }
}

static void write_text_value(FILE *out, const char *name, double v)
{
    fputs("  ", out);
    record_write_line_text(out, name);
    fputs(" = ", out);
    write_real(out, v, "");
    putc('\n', out);
}

static void write_text(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    record_write_line_text(out, r->cell);
    fprintf(out, "\n  fingerprint %s\n  outcome %s\n", r->fingerprint,
            record_outcome_name(r->outcome));
    if (*r->message) {
        fputs("  message ", out);
        record_write_line_text(out, r->message);
        putc('\n', out);
    }
    for (size_t k = 0; k < r->values; k++)
        write_text_value(out, r->value[k].name, r->value[k].value);
    if (!canonical) {
        write_text_value(out, "seconds", r->seconds);
        write_text_value(out, "peak_bytes", r->peak_bytes);
    }
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k ? " " : "  trace: ", out);
        record_write_line_text(out, t->column[k]);
    }
    for (size_t k = 0; k < t->rows * t->columns; k++) {
        fputs(k % t->columns ? " " : "\n    ", out);
        write_real(out, t->value[k], "");
    }
    if (t->columns)
        putc('\n', out);
}

static void write_json(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    fputs("{\"cell\":", out);
    record_write_json_text(out, r->cell);
    fprintf(out, ",\"fingerprint\":\"%s\",\"outcome\":\"%s\",\"message\":", r->fingerprint,
            record_outcome_name(r->outcome));
    record_write_json_text(out, r->message);
    fputs(",\"values\":{", out);
    for (size_t k = 0; k < r->values; k++) {
        fputs(k ? "," : "", out);
        record_write_json_text(out, r->value[k].name);
        putc(':', out);
        write_real(out, r->value[k].value, "\"");
    }
    fputs("},\"trace\":{\"columns\":[", out);
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k ? "," : "", out);
        record_write_json_text(out, t->column[k]);
    }
    fputs("],\"rows\":[", out);
    for (size_t k = 0; k < t->rows * t->columns; k++) {
        fputs(k % t->columns ? "," : k ? "],[" : "[", out);
        write_real(out, t->value[k], "\"");
    }
    fputs(t->rows ? "]]}" : "]}", out);
    if (!canonical) {
        fputs(",\"seconds\":", out);
        write_real(out, r->seconds, "\"");
        fputs(",\"peak_bytes\":", out);
        write_real(out, r->peak_bytes, "\"");
    }
    putc('}', out);
}

void record_write(FILE *out, const struct record *r, enum record_format format, bool canonical)
{
    if (format == RECORD_CSV)
        write_csv(out, r, canonical);
    else if (format == RECORD_JSON)
        write_json(out, r, canonical);
    else
        write_text(out, r, canonical);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_write.c - writes a record as text, CSV or JSON. */
#include "record/record.h"

#include <math.h>

#include "record/listing.h"

enum { EXACT = 17 };                 /* so many significant digits give every double back */

/* --- a record as CSV */

static struct listing csv_of(FILE *out)
{
    return (struct listing){ .out = out, .format = RECORD_CSV, .columns = 7, .digits = EXACT, .nan = "nan",
        .name = { "cell", "fingerprint", "outcome", "message", "row", "name", "value" } };
}

void record_write_heading(FILE *out, enum record_format format)
{
    struct listing l = csv_of(out);
    if (format == RECORD_CSV)
        listing_heading(&l);
}

/* Writes one line of CSV for a value, or for an entry of the trace in this row. row -1: it is a value; name NULL:
 * the record has no values, and the line no name. */
static void write_csv_line(struct listing *l, const struct record *r, long row, const char *name, double v)
{
    listing_text(l, r->cell);
    listing_text(l, r->fingerprint);
    listing_text(l, record_outcome_name(r->outcome));
    listing_text(l, r->message);
    if (row < 0)
        listing_none(l);
    else
        listing_count(l, row);
    listing_text(l, name ? name : "");
    if (name)
        listing_real(l, v);
    else
        listing_none(l);
}

static void write_csv(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;
    struct listing l = csv_of(out);

    l.headed = true;                 /* the heading has been written by record_write_heading, once for all
                                        records */
    if (r->values == 0)
        write_csv_line(&l, r, -1, NULL, 0);
    for (size_t k = 0; k < r->values; k++)
        write_csv_line(&l, r, -1, r->name[k], r->value[k]);
    for (size_t k = 0; k < t->rows * t->columns; k++)
        write_csv_line(&l, r, (long)(k / t->columns), t->column[k % t->columns], t->value[k]);
    if (!canonical) {
        write_csv_line(&l, r, -1, "seconds", r->seconds);
        write_csv_line(&l, r, -1, "peak_bytes", r->peak_bytes);
    }
}

/* --- a record as text */

static void write_real(FILE *out, double v)
{
    if (isfinite(v))
        fprintf(out, "%.17g", v);
    else
        fputs(isnan(v) ? "nan" : v > 0 ? "inf" : "-inf", out);
}

static void write_text_value(FILE *out, const char *name, double v)
{
    fputs("  ", out);
    line_text(out, name);
    fputs(" = ", out);
    write_real(out, v);
    putc('\n', out);
}

static void write_text(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;

    line_text(out, r->cell);
    fprintf(out, "\n  fingerprint %s\n  outcome %s\n", r->fingerprint,
            record_outcome_name(r->outcome));
    if (*r->message) {
        fputs("  message ", out);
        line_text(out, r->message);
        putc('\n', out);
    }
    for (size_t k = 0; k < r->values; k++)
        write_text_value(out, r->name[k], r->value[k]);
    if (!canonical) {
        write_text_value(out, "seconds", r->seconds);
        write_text_value(out, "peak_bytes", r->peak_bytes);
    }
    for (size_t k = 0; k < t->columns; k++) {
        fputs(k ? " " : "  trace: ", out);
        line_text(out, t->column[k]);
    }
    for (size_t k = 0; k < t->rows * t->columns; k++) {
        fputs(k % t->columns ? " " : "\n    ", out);
        write_real(out, t->value[k]);
    }
    if (t->columns)
        putc('\n', out);
}

/* --- a record as JSON, and records in any format */

static void write_json(FILE *out, const struct record *r, bool canonical)
{
    const struct record_trace *t = &r->trace;
    struct json j = { .out = out, .digits = EXACT, .nan = "nan" };

    json_open(&j, NULL, '{');
    json_text(&j, "cell", r->cell);
    json_text(&j, "fingerprint", r->fingerprint);
    json_text(&j, "outcome", record_outcome_name(r->outcome));
    json_text(&j, "message", r->message);
    json_open(&j, "values", '{');
    for (size_t k = 0; k < r->values; k++)
        json_real(&j, r->name[k], r->value[k]);
    json_close(&j, '}');
    json_open(&j, "trace", '{');
    json_open(&j, "columns", '[');
    for (size_t k = 0; k < t->columns; k++)
        json_text(&j, NULL, t->column[k]);
    json_close(&j, ']');
    json_open(&j, "rows", '[');
    for (size_t row = 0; row < t->rows; row++) {
        json_open(&j, NULL, '[');
        for (size_t k = 0; k < t->columns; k++)
            json_real(&j, NULL, t->value[row * t->columns + k]);
        json_close(&j, ']');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    if (!canonical) {
        json_real(&j, "seconds", r->seconds);
        json_real(&j, "peak_bytes", r->peak_bytes);
    }
    json_close(&j, '}');
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

void record_write_all(FILE *out, struct record *const *record, int n, enum record_format format, bool canonical)
{
    record_write_heading(out, format);
    for (int k = 0; k < n; k++) {
        if (format == RECORD_JSON)
            fputs(k ? ",\n" : "[", out);
        record_write(out, record[k], format, canonical);
    }
    if (format == RECORD_JSON)
        fputs("]\n", out);
}

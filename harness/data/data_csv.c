/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_csv.c - a target and features, separated by , ; or tab, whichever the first line has most
 * of. */
#include <string.h>

#include "data/data_format.h"

struct csv {
    char separator;
    long fields, first;              /* in every line, as in the line `first` */
};

static const char *skip_spaces(const char *c) { return c + strspn(c, " "); }

/* The separator behind the field at c, or the end; within quotes there is none. */
static const char *field_end(const char *c, char separator)
{
    for (bool inside = false; *c && (inside || *c != separator); c++)
        inside ^= *c == '"';
    return c;
}

static long fields_of(const char *line, char separator)
{
    long fields = 1;
    for (const char *c = field_end(line, separator); *c; c = field_end(c + 1, separator))
        fields++;
    return fields;
}

/* The number of the field at c, in quotes or not, and where the field ends; NULL: it is none. */
static inline const char *field_number(const char *c, char separator, double *value)
{
    while (*c == ' ')
        c++;
    bool quote = *c == '"';
    c = format_number(c + quote, quote ? '"' : separator, value);
    if (c && quote)
        c = *c == '"' ? c + 1 : NULL;
    if (c && *c == ' ')
        c = skip_spaces(c);
    return c && (*c == separator || *c == 0) ? c : NULL;
}

static enum status field_bad(struct reader *r, const struct csv *f, const char *c, long k)
{
    const char *s = skip_spaces(c), *end = field_end(c, f->separator);
    if (s >= end)
        return reader_bad(r, "field %ld is empty: expected %s, a finite decimal number", k,
                          k == 1 ? "a target" : "a feature");
    return reader_bad(r, "field %ld '%s': expected %s, a finite decimal number", k,
                      quoted(s, (size_t)(end - s)).text, k == 1 ? "a target" : "a feature");
}

/* Is there a number in the line? If not, it names the columns. */
static bool has_number(const char *line, char separator)
{
    double v;
    for (const char *c = line;; c++) {
        if (field_number(c, separator, &v))
            return true;
        c = field_end(c, separator);
        if (*c == 0)
            return false;
    }
}

static enum status shape(struct reader *r, const char *line, struct csv *f)
{
    for (const char *s = ",;\t"; *s; s++)
        if (fields_of(line, *s) > f->fields)
            *f = (struct csv){ *s, fields_of(line, *s), r->line };
    if (f->fields < 2)
        return reader_bad(r, "a single field: expected a target and features, separated by , ; "
                          "or tab");
    if (f->fields - 1 > COLUMNS_MAX)
        return reader_bad(r, "%ld fields: expected at most %d features", f->fields, COLUMNS_MAX);
    return OK;
}

static enum status record(struct reader *r, struct builder *b, const struct csv *f,
                          const char *line)
{
    double target, v;
    long count = 0, k = 1;
    int *index;
    double *value;
    const char *c = field_number(line, f->separator, &target), *next;
    if (!c)
        return field_bad(r, f, line, 1);
    TRY(builder_record(b, (size_t)f->fields, &index, &value));
    for (; *c && k < f->fields; c = next, k++) {
        next = field_number(c + 1, f->separator, &v);
        if (!next)
            return field_bad(r, f, c + 1, k + 1);
        index[count] = (int)(k - 1);
        value[count] = v;
        count += v != 0;
    }
    if (*c || k < f->fields)
        return reader_bad(r, "%ld fields: expected %ld, as in line %ld",
                          fields_of(line, f->separator), f->fields, f->first);
    return builder_close(b, target, count, f->fields - 1);
}

static enum status parse(struct reader *r, struct builder *b)
{
    struct csv f = { 0 };
    char *line;
    size_t n;
    for (;;) {
        TRY(reader_line(r, &line, &n));
        if (!line)
            break;
        const char *c = skip_spaces(line);
        if (*c == 0 || *c == '#')
            continue;
        bool first = f.fields == 0;
        if (first)
            TRY(shape(r, line, &f));
        if (!first || has_number(line, f.separator))
            TRY(record(r, b, &f, line));
    }
    return b->t->n ? OK : reader_bad(r, "end of file without a record: expected lines "
                                     "target,feature,...");
}

const struct format format_csv = { "csv", parse };

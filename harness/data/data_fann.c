/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_fann.c - the training files of the FANN library: `records inputs outputs`, then for each
 * record a line of inputs and a line of outputs. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "data/data_format.h"

/* *line <- the next line that is not blank, NULL after the last. */
static enum status next_line(struct reader *r, const char **line)
{
    char *text;
    size_t n;
    do {
        TRY(reader_line(r, &text, &n));
        *line = text ? text + strspn(text, " \t") : NULL;
    } while (*line && **line == 0);
    return OK;
}

/* *value <- the next number at *c, which moves behind it; *c <- NULL at the end of the line. */
static enum status next_number(struct reader *r, const char **c, const char *what, double *value)
{
    const char *s = *c;
    while (is_blank(*s))
        s++;
    *c = NULL;
    if (*s == 0)
        return OK;
    *c = format_number(s, 0, value);
    return *c ? OK : reader_bad(r, "'%s': expected %s, a finite decimal number",
                                quoted(s, strcspn(s, " \t")).text, what);
}

static enum status count_bad(struct reader *r, long count, long expected, const char *what)
{
    return reader_bad(r, "%s%ld %s: expected %ld", count > expected ? "more than " : "",
                      count > expected ? expected : count, what, expected);
}

struct shape { long records, inputs, outputs; };

static enum status header(struct reader *r, struct shape *f)
{
    const char *c;
    double v[3] = { 0 }, most[3] = { INT_MAX, COLUMNS_MAX, COLUMNS_MAX }, more;
    TRY(next_line(r, &c));
    bool good = c != NULL;
    for (int k = 0; k < 3 && c; k++) {
        TRY(next_number(r, &c, "records inputs outputs", &v[k]));
        good &= c && v[k] >= 1 && v[k] <= most[k] && v[k] == (double)(long)v[k];
    }
    if (c)
        TRY(next_number(r, &c, "the end of the line", &more));
    if (!good || c)
        return reader_bad(r, "expected a first line of three whole numbers from 1: records inputs "
                          "outputs");
    *f = (struct shape){ (long)v[0], (long)v[1], (long)v[2] };
    return OK;
}

static enum status inputs(struct reader *r, struct builder *b, const struct shape *f, const char *c,
                          long *count)
{
    long k = 0;
    int *index;
    double *value, v;
    TRY(builder_record(b, (size_t)f->inputs, &index, &value));
    for (*count = 0;; k++) {
        TRY(next_number(r, &c, "an input", &v));
        if (!c || k == f->inputs)
            break;
        index[*count] = (int)k;
        value[*count] = v;
        *count += v != 0;
    }
    return c || k < f->inputs ? count_bad(r, k + (c != NULL), f->inputs, "inputs") : OK;
}

/* One output is the label. Of several the largest is the class, if it alone differs from the
 * others: else they are not the code of a class. */
static enum status outputs(struct reader *r, const struct shape *f, const char *c, double *label)
{
    double v, least = INFINITY, most = -INFINITY;
    long k = 0, class = 0, at_least = 0, at_most = 0;
    for (;; k++) {
        TRY(next_number(r, &c, "an output", &v));
        if (!c || k == f->outputs)
            break;
        if (v > most)
            class = k;
        at_most = v > most ? 1 : at_most + (v == most);
        at_least = v < least ? 1 : at_least + (v == least);
        most = fmax(most, v);
        least = fmin(least, v);
    }
    if (c || k < f->outputs)
        return count_bad(r, k + (c != NULL), f->outputs, "outputs");
    if (k > 1 && (at_most != 1 || at_least != k - 1))
        return reader_bad(r, "%ld outputs that are no class: expected one above the others, which "
                          "are equal", k);
    *label = k == 1 ? most : (double)class;
    return OK;
}

static enum status parse(struct reader *r, struct builder *b)
{
    struct shape f = { 0 };
    const char *c;
    long count;
    double label = 0;
    TRY(header(r, &f));
    for (long i = 0; i < f.records; i++) {
        TRY(next_line(r, &c));
        if (c) {
            TRY(inputs(r, b, &f, c, &count));
            TRY(next_line(r, &c));
        }
        if (!c)
            return reader_bad(r, "end of file after %ld of %ld records", i, f.records);
        TRY(outputs(r, &f, c, &label));
        TRY(builder_close(b, label, count, f.inputs));
    }
    TRY(next_line(r, &c));
    return c ? reader_bad(r, "expected the end of the file after %ld records", f.records) : OK;
}

const struct format format_fann = { "fann", parse };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_libsvm.c - `label index:value ...`, indices from 1, increasing; # begins a comment. */
#include <string.h>

#include "data/data_format.h"
#include "data/data_number.h"

static enum status number_bad(struct reader *r, const char *token, const char *what)
{
    return reader_bad(r, "'%s': expected %s, a finite decimal number",
                      quoted(token, strcspn(token, " \t")).text, what);
}

/* Why `token` does not begin with an index above `last` and a colon. */
static enum status index_bad(struct reader *r, const char *token, long last)
{
    size_t n = strcspn(token, " \t");
    const char *colon = memchr(token, ':', n), *c = token + (n > 1 && *token == '-');
    struct quoted q = quoted(token, n);
    if (!colon)
        return reader_bad(r, "'%s': expected index:value", q.text);
    if (strncmp(token, "qid:", 4) == 0)
        return reader_bad(r, "'%s': qid is not supported, expected index:value", q.text);
    double value = 0;
    if (colon == token || c + strspn(c, "0123456789") != colon)
        return reader_bad(r, "'%s': expected a whole number before ':'", q.text);
    decimal(token, &value);
    if (value < 1 || value > COLUMNS_MAX)
        return reader_bad(r, "'%s': expected an index from 1 to %d, where a vector takes 1 GiB",
                          q.text, COLUMNS_MAX);
    return reader_bad(r, "'%s': expected an index above %ld, the one before", q.text, last);
}

static enum status record(struct reader *r, struct builder *b, char *line, size_t n)
{
    char *comment = memchr(line, '#', n);
    double label, v;
    long last = 0, count = 0;
    int *index;
    double *value;
    if (comment)
        *comment = 0;
    const char *c = line + strspn(line, " \t");
    if (*c == 0)
        return OK;
    const char *next = format_number(c, 0, &label);
    if (!next)
        return number_bad(r, c, "a label");
    TRY(builder_record(b, n / 4 + 1, &index, &value));       /* an entry takes 4 bytes: " 1:1" */
    for (c = next;; c = next) {
        while (is_blank(*c))
            c++;
        if (*c == 0)
            break;
        const char *digit = c;
        long column = 0;
        for (; is_digit(*digit); digit++)
            column = column <= COLUMNS_MAX ? column * 10 + (*digit - '0') : column;
        if (*digit != ':' || column <= last || column > COLUMNS_MAX)
            return index_bad(r, c, last);
        next = format_number(digit + 1, 0, &v);
        if (!next)
            return number_bad(r, c, "a value after ':'");
        index[count] = (int)(column - 1);
        value[count] = v;
        count += v != 0;
        last = column;
    }
    return builder_close(b, label, count, last);
}

static enum status parse(struct reader *r, struct builder *b)
{
    char *line;
    size_t n;
    for (;;) {
        TRY(reader_line(r, &line, &n));
        if (!line)
            break;
        TRY(record(r, b, line, n));
    }
    if (b->t->n == 0 || b->t->d == 0)
        return reader_bad(r, "end of file without a %s: expected lines label index:value ...",
                          b->t->n ? "feature" : "record");
    return OK;
}

const struct format format_libsvm = { "libsvm", parse };

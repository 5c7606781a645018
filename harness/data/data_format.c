/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_format.c - which format a text has. Three whole numbers between spaces are neither CSV,
 * whose separators are others, nor LIBSVM, where all but the label have a colon. */
#include "data/data_format.h"

#include <math.h>
#include <string.h>

#include "data/data_number.h"

const char *format_number(const char *s, char end, double *value)
{
    const char *c = decimal(s, value);
    return c && (*c == 0 || is_blank(*c) || *c == end) && isfinite(*value) ? c : NULL;
}

/* The first line that says something; its end is LF, NUL or # */
static const char *telling_line(const char *c)
{
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (*c != '#')
            return c;
        c += strcspn(c, "\n");
    }
}

static bool is_whole(const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!is_digit(s[k]))
            return false;
    return n > 0;
}

static bool is_fann(const char *c)
{
    int words = 0;
    for (; *c && *c != '\n' && *c != '\r'; words++) {
        size_t n = strcspn(c, " \r\n");
        if (!is_whole(c, n))
            return false;
        c += n + strspn(c + n, " ");
    }
    return words == 3;
}

/* Is the second word a whole number with a colon behind it? */
static bool is_libsvm(const char *c)
{
    c += strcspn(c, " \t\r\n#");
    c += strspn(c, " \t");
    size_t n = strcspn(c, ": \t\r\n");
    return c[n] == ':' && is_whole(c, n);
}

const struct format *format_of(const char *name, const struct reader *r)
{
    static const struct format *const all[] = { &format_libsvm, &format_csv, &format_fann };
    for (size_t k = 0; name && k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k]->name, name) == 0)
            return all[k];
    if (name && strcmp(name, "any"))
        return NULL;
    const char *c = telling_line(r->buffer + r->begin);
    if (is_fann(c))
        return &format_fann;
    bool separated = strchr(",;\t", c[strcspn(c, ",;\t\n#")]) && c[0];
    return separated && !is_libsvm(c) ? &format_csv : &format_libsvm;
}

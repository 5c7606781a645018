/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_files.h - for tests of data files: files written to a temporary folder and loaded. */
#ifndef ASSAY_TESTS_DATA_FILES_H
#define ASSAY_TESTS_DATA_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "data.h"

static char folder[] = "/tmp/assay-data-XXXXXX";
static int files;

static inline int setup(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static inline int teardown(void **state)
{
    char path[64];
    for (int k = 0; k < files; k++) {
        snprintf(path, sizeof path, "%s/f%d", folder, k);
        remove(path);
    }
    return rmdir(folder);
}

/* Writes a file with the given bytes and returns its path. Every call makes a new name, since tables are cached by
 * path. */
struct path { char text[64]; };
static inline struct path written(const char *bytes, size_t n, bool gzip)
{
    struct path p;
    snprintf(p.text, sizeof p.text, "%s/f%d", folder, files++);
    gzFile f = gzopen(p.text, gzip ? "wb" : "wbT");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(f), Z_OK);
    return p;
}

static inline const struct table *load_as(struct data_request q)
{
    const struct table *t;
    struct why why = { "" };
    if (data_load(&q, &t, &why) != OK)
        fail_msg("%s", why.text);
    return t;
}

static inline const struct table *load(const char *text, bool gzip)
{
    struct path p = written(text, strlen(text), gzip);
    return load_as((struct data_request){ .data = p.text });
}

/* Returns the table as a full matrix; free it by test_free(). */
static inline double *matrix(const struct table *t)
{
    double *a = test_calloc((size_t)(t->n * t->d), sizeof *a);
    for (long i = 0; i < t->n; i++) {
        struct entries row = table_row(t, i);
        for (long k = 0; k < row.count; k++)
            a[i * t->d + row.index[k]] = row.value[k];
    }
    return a;
}

#define TEXT(literal) literal, sizeof literal - 1
/* A text that must be refused, with the line that the message must name (0: the whole file) and the reason. */
struct refusal { const char *text; size_t n; int line; const char *reason; };

/* Each text must be refused, plain and as gzip, with exactly "path:line: reason". */
static inline void expect_all_refused(const struct refusal *bad, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (int gzip = 0; gzip < 2; gzip++) {
            struct path p = written(bad[k].text, bad[k].n, gzip);
            char expected[400];
            struct why why = { "" };
            const struct table *t;
            snprintf(expected, sizeof expected, "%s:%d: %s", p.text, bad[k].line, bad[k].reason);
            assert_int_equal(data_table(p.text, &t, &why), BAD_INPUT);
            assert_string_equal(why.text, expected);
        }
}

static inline void expect_refused(struct data_request q, const char *reason)
{
    const struct table *t;
    struct why why = { "" };
    assert_int_equal(data_load(&q, &t, &why), BAD_INPUT);
    if (!strstr(why.text, reason))
        fail_msg("'%s' does not contain '%s'", why.text, reason);
    assert_null(strchr(why.text, '\n'));
}

#endif

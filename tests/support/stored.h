/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored.h - for tests of the store: makes a folder for each test, and records to put there. */
#ifndef ASSAY_TESTS_STORED_H
#define ASSAY_TESTS_STORED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/store.h"

/* The folder of the present test; file(name) is a path in it, valid until the next call. */
static char folder[64];

static inline const char *file(const char *name)
{
    static char path[200];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "%s", "/tmp/test_store.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int drop_folder(void **state)
{
    char command[200];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static inline struct store *opened(const char *path, enum store_mode mode)
{
    struct store *s = NULL;
    struct why why = { "" };

    if (store_open(path, mode, 0, &s, &why) != OK)
        fail_msg("%s", why.text);
    return s;
}

/* Returns a record of cell k, with values that depend on k and `salt` only. */
static inline struct record *sample(long k, double salt)
{
    static const char *const columns[] = { "cost", "excess" };
    char cell[64];
    struct record *r;

    snprintf(cell, sizeof cell, "cell %06ld", k);
    r = record_new(cell, "00ff");
    record_put(r, "count.k", (double)k);
    record_put(r, "measure.excess", salt / 3);
    record_put(r, "zero", -0.0);
    record_put(r, "tiny", 5e-324);
    record_put(r, "nan", NAN);
    record_put(r, "inf", INFINITY);
    record_put(r, "minus", -INFINITY);
    record_put(r, "max", 1.7976931348623157e308);
    record_put(r, "whole", 9007199254740992.0);
    record_trace_columns(r, 2, columns);
    record_trace_row(r, (double[]){ 1, NAN });
    record_trace_row(r, (double[]){ -0.0, -INFINITY });
    record_trace_row(r, (double[]){ 1e-310, salt });
    r->seconds = 0.25;
    r->peak_bytes = 1e6;
    return r;
}

static inline void put(struct store *s, long run, long k, double salt)
{
    struct record *r = sample(k, salt);

    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
}

static inline long begun(struct store *s)
{
    const struct store_info info[] = { { "commit", "abc" }, { "cpu", "any \"cpu\"" } };
    long run = 0;

    assert_int_equal(store_begin_run(s, info, 2, &run, NULL), OK);
    return run;
}

/* What a walk over records has found: cell and fingerprint of each, as text, and how many they are. */
struct seen { char text[2000]; long count; };

static inline bool note_record(void *ctx, const struct record *r)
{
    struct seen *seen = ctx;

    seen->count++;
    strcat(strcat(strcat(strcat(seen->text, r->cell), "/"), r->fingerprint), ";");
    return strcmp(r->cell, "stop") != 0;
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, make_folder, drop_folder)

#endif

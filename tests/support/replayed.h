/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replayed.h - cells of private methods and their replays, for the tests of replay and audit. */
#ifndef ASSAY_TESTS_REPLAYED_H
#define ASSAY_TESTS_REPLAYED_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "judge/private.h"
#include "cell/registry.h"
#include "run/replay.h"
#include "run/run.h"

static struct runner *rn;

/* Makes the runner that all tests of a program use. cmocka calls this before the first test, and end after the
 * last. */
static inline int begin(void **state)
{
    rn = runner_new(0);
    return 0;
}

static inline int end(void **state)
{
    runner_free(rn);
    return 0;
}

/* Returns the cell of a text. algo, unless NULL, runs in place of the algorithm that the cell names. */
__attribute__((format(printf, 2, 3)))
static inline struct cell *cell_of(const struct algo *algo, const char *format, ...)
{
    char text[500];
    struct cell *c;
    struct why why;
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s: %s", text, why.text);
    if (algo)
        c->algo = algo;
    return c;
}

/* Runs a cell, whose outcome must be OK, and returns its record. */
static inline struct record *record_of(const struct cell *c)
{
    struct record *r = run_cell(rn, c, NULL);
    if (r->outcome != OUTCOME_OK)
        fail_msg("%s: %s", c->text, r->message);
    return r;
}

static inline double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* Returns the replay of a cell on neighbour k. */
static inline struct replay replayed(struct cell *c, long k)
{
    struct replay r;
    struct why why = { "" };
    if (replay_run(rn, c, k, 64, 0, &r, &why) != OK)
        fail_msg("%s: %s", c->text, why.text);
    return r;
}

static inline double worst(const struct replay *r)
{
    double ratio = 0;
    for (int k = 0; k < r->tape.sites; k++)
        ratio = fmax(ratio, r->tape.site[k].ratio);
    return ratio;
}

static inline void expect_ratio(const char *what, const struct replay *r, double truth)
{
    if (r->tape.leak)
        fail_msg("%s: %s: %s", what, leak_words(r->tape.leak), r->tape.what);
    if (!(fabs(worst(r) - truth) <= 1e-9 * truth))
        fail_msg("%s: ratio %.12g, expected %.12g", what, worst(r), truth);
}

/* g[d] <- the mean of a ticket's gradients at x, each clipped to norm 1. */
static inline bool gradient(struct oracle *o, const struct ticket *t, const double *x, double *g)
{
    return oracle_batch(o, &(struct batch){ .ticket = t, .points = 1, .x = &x, .clip = CLIP_NORM,
                                            .C = 1, .g = g });
}

/* Runs the replicates 1 .. n of a cell, of which replicate k is replayed on neighbour k, and returns what the
 * replays show together. The audit is made in replicate 1. */
static inline struct privacy_seen seen_of(const char *problem, const char *algo, const char *goal,
                                          int n, int audit)
{
    struct privacy_seen p = privacy_none();
    for (int k = 1; k <= n; k++) {
        struct cell *c = cell_of(NULL,
                                 "problem %s | algo %s | goal %s | run replay=%d audit=%d | rep %d",
                                 problem, algo, goal, k, k == 1 ? audit : 0, k);
        struct record *r = record_of(c);
        privacy_add(&p, r, k);
        record_free(r);
        cell_free(c);
    }
    return p;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zone.h - makes one point of synthetic replicates, for the tests of moments and laws. */
#ifndef ASSAY_TESTS_ZONE_H
#define ASSAY_TESTS_ZONE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge/fit.h"
#include "judge/verdict.h"

enum { R = 64, STRATA = 3 };

/* One point of an axis; all numbers are 0 unless a test sets them. */
struct zone_sample {
    struct series s;
    struct series_point point;
    double y[R], formula[R], margin[R], below[R];
    double weight[R][STRATA], mean[R][STRATA], variance[R][STRATA];
    struct draws draws[R];           /* the strata of a replicate, where `block` has set them */
};

static struct zone_sample m;
static struct fit fit;

static inline void make(int reps)
{
    memset(&m, 0, sizeof m);
    m.s = (struct series){ .points = 1, .point = &m.point };
    m.point = (struct series_point){ .axis = 1,
                                     .reps = reps,
                                     .y = m.y,
                                     .formula = m.formula,
                                     .margin = m.margin,
                                     .below = m.below };
}

/* Adds replicate r: y is the sum of w_k mean_k over the strata, where mean_k is the mean of `each` draws. */
static inline void block(int r, int strata, double each)
{
    m.point.draws = m.draws;
    m.draws[r] = (struct draws){ strata, each, m.weight[r], m.mean[r], m.variance[r] };
    m.y[r] = 0;
    for (int k = 0; k < strata; k++)
        m.y[r] += m.weight[r][k] != 0 ? m.weight[r][k] * m.mean[r][k] : 0;
}

static inline const struct fit_zone *fitted(const struct claim *c)
{
    static struct arena *work;
    struct rng r = rng_stream(1);
    work = work ? work : arena_new(0);
    arena_reset(work);
    assert_int_equal(fit_claim(c, &m.s, &r, work, &fit, NULL), OK);
    return &fit.point[0].zone;
}

static inline enum word word_of(const struct claim *c)
{
    fitted(c);
    struct verdict v = verdict_alone(c, &fit);
    assert_true(v.reason[0]);
    assert_true((v.word == INCONCLUSIVE) == (v.next[0] != 0));
    return v.word;
}

static inline struct claim claim_of(enum check check, enum sense sense)
{
    return (struct claim){ .check = check, .sense = sense, .axis = "n", .measure = "moment.x" };
}

static inline void near(double value, double truth, double tolerance)
{
    if (!(fabs(value - truth) <= tolerance))
        fail_msg("%.17g, expected %.17g +- %g", value, truth, tolerance);
}

#endif

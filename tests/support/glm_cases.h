/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm_cases.h - instances and helpers that the tests of linear models with random design share. */
#ifndef ASSAY_TESTS_GLM_CASES_H
#define ASSAY_TESTS_GLM_CASES_H

#include "support/instances.h"

enum { D_MAX = 16 };

static inline int setup(void **state)
{
    *state = arena_new(0);
    return 0;
}

static inline int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static inline double excess(const struct instance *in, const double *x)
{
    double error = NAN, value = in->p->measures[0].at(in->self, x, &error);
    assert_true(error == 0);
    return value;
}

static inline void near(double value, double truth, double relative)
{
    if (!(fabs(value - truth) <= relative * fabs(truth)))
        fail_msg("%.17g, expected %.17g", value, truth);
}

/* x[d] <- x* + size u, where u is a random direction; returns |x - x*| after rounding. */
static inline double beside(const struct instance *in, uint64_t seed, double size, double *x)
{
    struct rng r = rng_stream(seed);
    double u[D_MAX], star[D_MAX];
    rng_sphere(&r, in->d, u);
    in->p->minimiser(in->self, star);
    vec_lincomb(in->d, 1, star, size, u, x);
    return vec_dist(in->d, x, star);
}

#endif

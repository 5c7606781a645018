/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h - synthetic series for the tests of the fit and the verdict. */
#ifndef ASSAY_TEST_SAMPLE_H
#define ASSAY_TEST_SAMPLE_H

#include <math.h>
#include <stddef.h>

#include "judge/fit.h"

enum { POINTS = 8, POINTS_MAX = 19, REPS = 32 };

/* A series with room for POINTS_MAX * REPS numbers of each kind. */
struct sample {
    struct series s;
    struct series_point point[POINTS_MAX];
    double y[POINTS_MAX][REPS], formula[POINTS_MAX][REPS], lower[POINTS_MAX][REPS],
           rival[POINTS_MAX][REPS];
};

/* Makes a series whose numbers are all 1, on the axis 16, 32, ... */
static inline void sample_make(struct sample *m, int points, int reps)
{
    m->s = (struct series){ .points = points, .point = m->point };
    for (int i = 0; i < points; i++) {
        m->point[i] = (struct series_point){ .axis = ldexp(1, i + 4), .reps = reps, .y = m->y[i],
                                             .formula = m->formula[i], .rival = m->rival[i] };
        for (int j = 0; j < reps; j++)
            m->y[i][j] = m->formula[i][j] = m->rival[i][j] = 1;
    }
}

/* Fits the sample into *fit. Returns false where it is refused. */
static inline bool sample_fit(const struct claim *c, const struct sample *m, struct fit *fit)
{
    struct arena *work = arena_new(0);
    struct rng r = rng_stream(1);
    enum status s = fit_claim(c, &m->s, &r, work, fit, NULL);
    arena_free(work);
    return s == OK;
}

/* Returns a log-normal number of mean 1; sd is that of its logarithm. */
static inline double sample_lognormal(struct rng *r, double sd)
{
    return exp(sd * rng_normal(r) - sd * sd / 2);
}

/* Returns the claim y ~ axis^exponent, with the exponent within +- half_width. */
static inline struct claim sample_rate(double exponent, double half_width)
{
    return (struct claim){ .check = CHECK_RATE, .axis = "n", .measure = "excess",
                           .law = { .exponent = { exponent } },
                           .band = { exponent - half_width, exponent + half_width } };
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_law.h - symmetric noise w of a label with one scale s >= 0; s = 0: no noise. */
#ifndef ASSAY_PARTS_NOISE_LAW_H
#define ASSAY_PARTS_NOISE_LAW_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "rng.h"

struct noise_law {
    const char *name;
    /* w[m] <- the noise at the position of `base` in the substreams first, first+1, ... */
    void (*draw)(const struct rng *base, uint64_t first, long m, double s, double *w);
    double (*centred)(double u);     /* P(|w| < u), s = 1, u >= 0 */
    double (*away)(double u);        /* E|u - w| - E|w|, s = 1, u >= 0 */
    double (*density)(double u);     /* of w at u >= 0, s = 1; largest at 0, never rising */
    double variance;                 /* s = 1 */
    double reach;                    /* beyond it nothing, or less than rounding */
    double edge;                     /* where the law is not analytic, beside 0; 0: nowhere */
    bool bounded;
};

static inline void noise_uniform_draw(const struct rng *base, uint64_t first, long m, double s,
                                      double *w)
{
    rng_uniforms_rows(base, first, m, 1, w);
    for (long k = 0; k < m; k++)
        w[k] = s * (2 * w[k] - 1);
}
static inline double noise_uniform_centred(double u) { return fmin(u, 1); }
static inline double noise_uniform_away(double u) { return u < 1 ? u * u / 2 : u - 0.5; }
static inline double noise_uniform_density(double u) { return u < 1 ? 0.5 : 0; }

static inline void noise_gaussian_draw(const struct rng *base, uint64_t first, long m, double s,
                                       double *w)
{
    rng_normals_rows(base, first, m, 1, 1, w);
    for (long k = 0; k < m; k++)
        w[k] *= s;
}
static inline double noise_gaussian_centred(double u) { return erf(u * M_SQRT1_2); }
static inline double noise_gaussian_away(double u)
{
    return u * erf(u * M_SQRT1_2) + sqrt(2 / M_PI) * expm1(-u * u / 2);
}
static inline double noise_gaussian_density(double u) { return exp(-u * u / 2) / sqrt(2 * M_PI); }

static inline void noise_laplace_draw(const struct rng *base, uint64_t first, long m, double s,
                                      double *w)
{
    rng_laplaces_rows(base, first, m, 1, s, w);
}
static inline double noise_laplace_centred(double u) { return -expm1(-u); }
/* u + e^-u - 1, by its series where that cancels */
static inline double noise_laplace_away(double u)
{
    enum { TERMS = 16 };
    if (u > 0.5)
        return u + expm1(-u);
    double sum = 0, term = 1;
    for (int k = 1; k <= TERMS; k++) {
        term *= -u / k;
        sum += k > 1 ? term : 0;
    }
    return sum;
}
static inline double noise_laplace_density(double u) { return exp(-u) / 2; }

static const struct noise_law noise_laws[] = {
    { "uniform", noise_uniform_draw, noise_uniform_centred, noise_uniform_away,
      noise_uniform_density, 1.0 / 3, 1, 1, true },
    { "gaussian", noise_gaussian_draw, noise_gaussian_centred, noise_gaussian_away,
      noise_gaussian_density, 1, 10, 0, false },
    { "laplace", noise_laplace_draw, noise_laplace_centred, noise_laplace_away,
      noise_laplace_density, 2, 45, 0, false },
};

/* The law of that name, or NULL. */
static inline const struct noise_law *noise_law_find(const char *name)
{
    for (size_t k = 0; k < sizeof noise_laws / sizeof *noise_laws; k++)
        if (strcmp(noise_laws[k].name, name) == 0)
            return &noise_laws[k];
    return NULL;
}

/* P(w < u) - P(w > u), odd in u. */
static inline double noise_centred(const struct noise_law *w, double s, double u)
{
    if (s == 0)
        return (u > 0) - (u < 0);
    return copysign(w->centred(fabs(u) / s), u);
}

/* E|u - w| - E|w|, without cancellation near 0. */
static inline double noise_away(const struct noise_law *w, double s, double u)
{
    return s == 0 ? fabs(u) : s * w->away(fabs(u) / s);
}

/* The density at u; s > 0. */
static inline double noise_density(const struct noise_law *w, double s, double u)
{
    return w->density(fabs(u) / s) / s;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_noise.h - samples f(x; xi_i) = F(x) - <xi_i, x> with the noise of coordinate_noise.h. A family defines the
 * following three things, the last two as functions or macros, and includes this file once after them:
 *
 *     struct self, with a member struct coordinate_noise noise
 *     double NOISELESS_VALUE(const void *self, const double *x)             F(x)
 *     void NOISELESS_GRAD(const struct self *o, const double *x, double a, double *g)      g += a grad F(x)
 *
 * The functions below then serve the family as slots. */
#ifndef ASSAY_PARTS_LINEAR_NOISE_H
#define ASSAY_PARTS_LINEAR_NOISE_H

#include "coordinate_noise.h"
#include "samples.h"

static inline double noisy_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return NOISELESS_VALUE(self, x) - coordinate_noise_dot(&o->noise, i, x);
}

static inline void noisy_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    NOISELESS_GRAD(o, x, a, g);
    coordinate_noise_add(&o->noise, i, -a, g);
}

static inline void noisy_batch_grad(const void *self, const struct samples *s, const double *w, const double *x,
                                    double a, double *g)
{
    const struct self *o = self;
    NOISELESS_GRAD(o, x, a * samples_weight(s, w), g);
    coordinate_noise_batch(&o->noise, s, w, -a, g);
}

static inline void noisy_batch_law(const void *self, const struct rng *draw, double b, int points,
                                   const double *const *x, const double *a, double *g)
{
    const struct self *o = self;
    double sum = 0;
    for (int p = 0; p < points; p++) {
        NOISELESS_GRAD(o, x[p], a[p], g);
        sum += a[p];
    }
    coordinate_noise_law(&o->noise, draw, b, -sum, g);
}

/* g[d] += a * grad F(x), the part that all samples have in common (see struct shared_model). */
static inline void noisy_common(const void *self, const double *x, double a, double *g)
{
    const struct self *o = self;
    NOISELESS_GRAD(o, x, a, g);
}

static inline void noisy_entries(const void *self, long m, const long *i, long *j, double *v)
{
    const struct self *o = self;
    coordinate_noise_entries(&o->noise, m, i, -1, j, v);
}

/* g[d] <- grad F(x). */
static inline void noiseless_grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->noise.d, g);
    NOISELESS_GRAD(o, x, 1, g);
}

static const struct shared_model noisy_shared = { noisy_common, noisy_entries };

/* Slots of a family with these samples. */
#define NOISY_SLOTS                                                                              \
    .canaries = 2, .sample_value = noisy_value, .sample_grad = noisy_grad, .batch_grad = noisy_batch_grad

#endif

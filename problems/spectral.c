/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral.c - a quadratic with log-spaced eigenvalues (parts/spectral.h) and noise +-s e_J, with J and the sign
 * uniform. A sample costs O(1) beyond the part that all samples share, and the mean of b samples has an exact
 * law. */
#include "parts/coordinate_noise.h"
#include "parts/spectral.h"

struct self {
    struct spectral_quadratic q;
    struct coordinate_noise noise;
};

#define NOISELESS_VALUE spectral_value
#define NOISELESS_GRAD(o, x, a, g) spectral_add_grad(&(o)->q, x, a, g)
#include "parts/linear_noise.h"

static const struct param params[] = { SPECTRAL_PARAMS(1e8) };

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct spectral *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 1);

    spectral_build(p, data, a, &o->q);
    o->noise = coordinate_noise_build(p->d, p->s, &key, a);
    spectral_facts(p, &o->q, a, facts);
    *self = o;
    return OK;
}

static double smoothed(const void *self, double rho, const double *x, double *g)
{
    const struct self *o = self;
    double trace = 0;
    for (long j = 0; j < o->q.d; j++)
        trace += o->q.lam[j];
    if (g) {
        vec_zero(o->q.d, g);
        spectral_add_grad(&o->q, x, 1, g);
    }
    return spectral_value_at(&o->q, x) + rho * rho * trace / 2;
}

static const struct measuring_model measuring = { .smoothed = smoothed };

const struct problem problem_spectral = {
    .name = "spectral",
    .doc = "quadratic with log-spaced spectrum and one-coordinate noise on a ball",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct spectral),
    NOISY_SLOTS,
    .make = make,
    .batch_law = noisy_batch_law,
    .shared = &noisy_shared,
    SPECTRAL_SLOTS,
    .measuring = &measuring,
};

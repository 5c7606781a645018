/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral.c - log-spaced quadratic (parts/spectral.h), noise s (+/-) e_J: a sample costs O(1)
 * beyond the part that all samples share, and the mean of b samples has an exact law. */
#include "parts/coordinate_noise.h"
#include "parts/samples.h"
#include "parts/spectral.h"

struct self {
    struct spectral_quadratic q;
    struct coordinate_noise noise;
};

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

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return spectral_value_at(&o->q, x) - coordinate_noise_dot(&o->noise, i, x);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    spectral_add_grad(&o->q, x, a, g);
    coordinate_noise_add(&o->noise, i, -a, g);
}

static void batch_grad(const void *self, const struct samples *s, const double *w,
                       const double *x, double a, double *g)
{
    const struct self *o = self;
    spectral_add_grad(&o->q, x, a * samples_weight(s, w), g);
    coordinate_noise_batch(&o->noise, s, w, -a, g);
}

static void batch_law(const void *self, const struct rng *draw, double b, int points,
                      const double *const *x, const double *a, double *g)
{
    const struct self *o = self;
    double sum = 0;
    for (int p = 0; p < points; p++) {
        spectral_add_grad(&o->q, x[p], a[p], g);
        sum += a[p];
    }
    coordinate_noise_law(&o->noise, draw, b, -sum, g);
}

static void common(const void *self, const double *x, double a, double *g)
{
    spectral_add_grad(self, x, a, g);
}

static void entries(const void *self, long m, const long *i, long *j, double *v)
{
    const struct self *o = self;
    coordinate_noise_entries(&o->noise, m, i, -1, j, v);
}

static const struct shared_model shared = { common, entries };

static const struct measuring_model measuring = { .smoothed = smoothed };

const struct problem problem_spectral = {
    .name = "spectral",
    .doc = "quadratic with log-spaced spectrum and one-coordinate noise on a ball",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct spectral),
    .canaries = 2,
    .make = make,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    .batch_law = batch_law,
    .shared = &shared,
    .value = spectral_value,
    .grad = spectral_grad,
    .sets = spectral_sets,
    .linear_min = spectral_linear_min,
    .measures = spectral_measures,
    .minimiser = spectral_minimiser,
    .measuring = &measuring,
};

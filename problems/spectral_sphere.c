/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral_sphere.c - a quadratic with log-spaced eigenvalues (parts/spectral.h) and noise uniform on the
 * sphere of radius s. It is a family apart from spectral.c because the mean of b samples has no exact law. */
#include "parts/samples.h"
#include "parts/spectral.h"

enum { D_MAX = 4096 };               /* the noise of a sample stands on the stack */

struct self {
    struct spectral_quadratic q;
    double s;
    struct rng key;
};

static const struct param params[] = { SPECTRAL_PARAMS(D_MAX) };

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct spectral *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);

    if (p->d > D_MAX)
        return why_set(why, BAD_INPUT, "spectral_sphere.d = %ld: expected at most %d", p->d,
                       D_MAX);
    spectral_build(p, data, a, &o->q);
    o->s = p->s;
    o->key = rng_sub(data, 1);
    spectral_facts(p, &o->q, a, facts);
    *self = o;
    return OK;
}

/* direction[d] <- xi_i/s; samples -1 and -2, the canary pair, are e_1 and -e_1. */
static void noise_direction(const struct self *o, long i, double *direction)
{
    if (i >= 0) {
        struct rng r = rng_at(&o->key, (uint64_t)i);
        rng_sphere(&r, o->q.d, direction);
    } else {
        vec_zero(o->q.d, direction);
        direction[0] = i == -1 ? 1 : -1;
    }
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    double direction[D_MAX];
    noise_direction(o, i, direction);
    return spectral_value_at(&o->q, x) - o->s * vec_dot(o->q.d, direction, x);
}

static void add_noise(const struct self *o, long i, double a, double *g)
{
    double direction[D_MAX];
    noise_direction(o, i, direction);
    vec_axpy(o->q.d, a * o->s, direction, g);
}

/* g[d] += a times the noise gradients of the samples first, ..., first+count-1, first >= 0, with the weights w.
 * Many directions are drawn at a time. */
static void add_run(const struct self *o, const struct samples *s, const double *w, double a,
                    double *g)
{
    double direction[D_MAX], even = a * o->s / (double)s->count;
    long d = o->q.d, rows = D_MAX / d;
    for (long k = 0; k < s->count; k += rows) {
        long m = s->count - k < rows ? s->count - k : rows;
        rng_sphere_rows(&o->key, (uint64_t)(s->first + k), m, d, direction);
        for (long j = 0; j < m; j++)
            vec_axpy(d, w ? a * w[k + j] * o->s : even, direction + j * d, g);
    }
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    spectral_add_grad(&o->q, x, a, g);
    add_noise(o, i, -a, g);
}

static void batch_grad(const void *self, const struct samples *s, const double *w,
                       const double *x, double a, double *g)
{
    const struct self *o = self;
    spectral_add_grad(&o->q, x, a * samples_weight(s, w), g);
    if (!s->index && s->first >= 0) {
        add_run(o, s, w, -a, g);
        return;
    }
    for (long k = 0; k < s->count; k++)
        add_noise(o, sample_index(s, k), w ? -a * w[k] : -a / (double)s->count, g);
}

const struct problem problem_spectral_sphere = {
    .name = "spectral_sphere",
    .doc = "quadratic with log-spaced spectrum and noise uniform on a sphere, on a ball",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct spectral),
    .canaries = 2,
    .make = make,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    SPECTRAL_SLOTS,
};

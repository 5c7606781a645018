/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral_stored.c - n records of the quadratic with log-spaced eigenvalues (parts/spectral.h), with
 * one-coordinate noise. The records are recomputed instead of stored:
 *
 *     F(x) = (x-c)'H(x-c)/2 - <b, x>,   b = (xi_1 + ... + xi_n)/n,   over |x| <= r
 *
 * where H and c are those of parts/spectral.h and xi_i is the noise of record i. H^-1 magnifies b where eigenvalues
 * are small, so that usually |c + H^-1 b| > r. Then x* = (H + nu I)^-1 (Hc + b) lies on the sphere |x| = r, nu > 0
 * the multiplier of the constraint. All facts but F* hold for any records. */
#include "parts/coordinate_noise.h"
#include "parts/spectral.h"

struct spectral_stored {
    struct spectral s;
    long n;
};

static const struct param params[] = {
    SPECTRAL_RANGES(1e8, 1e100, "r, of the feasible ball"),
    PARAM(spectral_stored, n, 200, 1, 1e9, "records", "records of the data set"),
    PARAM_END
};

struct self {
    struct spectral_quadratic q;     /* q.c belongs to the population, q.x_star and q.nu to the records */
    struct coordinate_noise noise;
    double *b;                       /* [d] the mean noise of the records */
};

#define NOISELESS_VALUE spectral_value
#define NOISELESS_GRAD(o, x, a, g) spectral_add_grad(&(o)->q, x, a, g)
#include "parts/linear_noise.h"

/* Returns |(H + nu I)^-1 (Hc + b)|. */
static double norm_at(const struct self *o, double nu)
{
    double sum = 0;
    for (long j = 0; j < o->q.d; j++) {
        double x = (o->q.lam[j] * o->q.c[j] + o->b[j]) / (o->q.lam[j] + nu);
        sum += x * x;
    }
    return sqrt(sum);
}

/* Returns the least nu >= 0 with |x*| <= r, by bisection until no double lies between the ends. */
static double multiplier(const struct self *o)
{
    double low = 0, high = 0;
    if (norm_at(o, 0) <= o->q.radius)
        return 0;
    for (long j = 0; j < o->q.d; j++)
        high = hypot(high, o->q.lam[j] * o->q.c[j] + o->b[j]);
    high /= o->q.radius;             /* |x*| <= |Hc + b|/nu */
    for (;;) {
        double mid = low + (high - low) / 2;
        if (mid <= low || mid >= high)
            return high;
        if (norm_at(o, mid) > o->q.radius)
            low = mid;
        else
            high = mid;
    }
}

static void state_facts(const struct spectral_stored *p, const struct self *o, struct facts *f)
{
    double slope = p->s.M * p->s.radius * (1 + p->s.rr);
    ball_facts(f, p->s.d, (double)p->n, p->s.radius);
    f->L = f->G = slope + p->s.s;
    f->sigma = p->s.s;
    f->M = f->M_F = p->s.M;
    f->mu = o->q.lam[o->q.d - 1];
    f->weak = 0;
    f->dist = p->s.radius;
    f->Phi = f->L * p->s.radius;
    f->f_star = spectral_value_at(&o->q, o->q.x_star) - vec_dot(o->q.d, o->b, o->q.x_star);
    f->origin[FACT_f_star] = ORIGIN_DATA;
    f->M_j = o->q.lam;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct spectral_stored *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 1);
    const struct samples all = { .count = p->n };

    spectral_build(&p->s, data, a, &o->q);
    o->noise = coordinate_noise_build(p->s.d, p->s.s, &key, a);
    o->b = arena_vec(a, p->s.d);
    vec_zero(p->s.d, o->b);
    coordinate_noise_batch(&o->noise, &all, NULL, 1, o->b);
    o->q.nu = multiplier(o);
    for (long j = 0; j < o->q.d; j++)
        o->q.x_star[j] = (o->q.lam[j] * o->q.c[j] + o->b[j]) / (o->q.lam[j] + o->q.nu);
    state_facts(p, o, facts);
    *self = o;
    return OK;
}

/* --- the objective */

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return spectral_value(self, x) - vec_dot(o->q.d, o->b, x);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    spectral_grad(self, x, g);
    vec_axpy(o->q.d, -1, o->b, g);
}

static double slope(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->q.d; j++) {
        double g = o->q.lam[j] * (x[j] - o->q.c[j]) - o->b[j];
        sum += g * g;
    }
    *error = 0;
    return sqrt(sum);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, F the mean over the records, closed form", EXACT, spectral_excess,
      NULL },
    { "distance", "x", "|x - x*|", EXACT, spectral_distance, NULL },
    { "gradient", "f/x", "|grad F(x)|", EXACT, slope, NULL },
    { 0 }
};

const struct problem problem_spectral_stored = {
    .name = "spectral_stored",
    .doc = "quadratic with log-spaced spectrum and one-coordinate noise on a ball; n records",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct spectral_stored),
    NOISY_SLOTS,
    .make = make,
    .shared = &noisy_shared,
    .value = value,
    .grad = grad,
    .sets = spectral_sets,
    .linear_min = spectral_linear_min,
    .measures = measures,
    .minimiser = spectral_minimiser,
};

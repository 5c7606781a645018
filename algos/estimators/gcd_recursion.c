/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcd_recursion.c - sequences that satisfy the recursion of Mangold, Bellet, Salmon & Tommasi 2023, Lemma B.4, with
 * a random start and random c_t. With probability 1/2 a sequence is the worst case, with equality in every step:
 *
 *     0 <= xi_{t+1} <= xi_t - xi_t^2/c_t + beta,   c_t <= c_0,   beta <= c_0,   xi_0 >= 2 s,
 *     s = sqrt(beta c_0)
 *
 *     B.4.1  xi decreases up to some t*, and after it xi_t <= 2 s
 *     B.4.2  xi_t <= c_0/t + 2 s for t >= 1
 *
 * c_0 = 1, without loss of generality, as c_0 only scales xi. */
#include "estimator.h"

struct gcd_recursion {
    long T;
    double beta, most;
};

static const struct param params[] = {
    PARAM(gcd_recursion, T, 100, 1, 1e9, "steps", "length"),
    PARAM(gcd_recursion, beta, 0.01, 0, 1, "c_0", "what a step may add"),
    PARAM(gcd_recursion, most, 1, 0, 1e100, "c_0", "largest c_t; 1: as assumed"), PARAM_END
};

enum { FALLS, BELOW, ROWS };

/* Returns xi_{t+1}. c_t is drawn large enough for a value >= 0. In the worst case the value is the largest one that
 * the recursion allows, else it may be smaller. */
static double next(const struct gcd_recursion *p, struct rng *rng, bool worst, double xi)
{
    double least = xi * xi / (xi + p->beta), c = p->most;
    if (!worst)
        c = fmax(least, p->most * rng_uniform(rng));
    double most = fmax(0, xi - xi * xi / c + p->beta);
    return worst || rng_sign(rng) > 0 ? most : most * rng_uniform(rng);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *a, struct rng *rng,
                        int stratum, double *v)
{
    const struct gcd_recursion *p = vp;
    long d = oracle_dim(o);
    double s = sqrt(p->beta), xi = 2 * s + fmax(0, 1 - 2 * s) * rng_uniform(rng);
    bool worst = rng_sign(rng) > 0, falls = true, falling = true, below = true;

    arena_seal(a);
    for (long t = 1; t <= p->T; t++) {
        double x = next(p, rng, worst, xi);
        falling = falling && x <= xi;
        falls = falls && (falling || x <= 2 * s * (1 + 1e-12));
        below = below && x <= (1 / (double)t + 2 * s) * (1 + 1e-12);
        xi = x;
    }
    vec_zero(ROWS * d, v);
    v[FALLS * d] = falls;
    v[BELOW * d] = below;
    return OK;
}

static double falls(const struct functional_env *e, const double *v) { return v[FALLS * e->d]; }
static double below(const struct functional_env *e, const double *v) { return v[BELOW * e->d]; }

static const struct functional functionals[] = {
    { "falls", "1", "1 where it falls, then stays below 2 s", falls },
    { "below", "1", "1 where xi_t <= c_0/t + 2 s throughout", below }, { 0 }
};

const struct estimator estimator_gcd_recursion = {
    .name = "gcd-recursion",
    .doc = "the recursion behind the convex rate of DP-GCD",
    .cite = "Mangold, Bellet, Salmon & Tommasi 2023, Lemma B.4",
    .params = params,
    .params_size = sizeof(struct gcd_recursion),
    .vectors = ROWS,
    .functionals = functionals,
    .draw = draw,
};

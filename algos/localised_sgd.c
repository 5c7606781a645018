/* SPDX-License-Identifier: GPL-3.0-or-later */
/* localised_sgd.c - localisation with noisy mini-batch SGD as solver (Asi, Feldman, Koren, Talwar, ICML 2021,
 * Section 4 in the Euclidean norm)
 *
 *     phases as in parts/local_blocks.h, budget=full, decay=2, with c = x_{i-1}, the answer of phase i - 1;
 *     B_i = min{ n_i, max{ sqrt(n_i), sqrt(p ln(1/delta))/eps } },   T_i = ceil(n_i^2/B_i^2),
 *     x_{t+1} = P( x_t - 2/(lambda_i (t+1)) (g_t + lambda_i (x_t - c)) ),   x_1 = c,
 *     x_i = sum_{t<=T_i} t x_{t+1} 2/(T_i (T_i+1))
 *
 * g_t is the noisy gradient of a round. With the sampling rate q = B_i/n_i, q^2 T_i = 1, so that with
 * calibration=paper the noise of one gradient has the sd C sqrt(8 ln(1/delta))/(B_i eps). Since B_i >= sqrt(p
 * ln(1/delta))/eps, the second moment of a gradient is of order L^2, and the gap F_i - min F_i at x_i is of order
 * L^2/(lambda_i T_i) = eta_i L^2 B_i^2/n_i (Lacoste-Julien, Schmidt, Bach 2012). The cited average is over the
 * points x_t at which gradients are taken; here it is over the points x_{t+1}, which costs a constant factor, but
 * lets a phase of one round move. The loss f(.,d) of a record d is convex and L-Lipschitz, and need not be smooth.
 * The excess is of order L R (1/sqrt(n) + sqrt(p ln(1/delta))/(n eps)) after min{ n^(3/2), n^2 eps/sqrt(p) }
 * gradients. */
#include "local_blocks.h"

static const struct param params[] = { LOCAL_BLOCKS_PARAMS("full", 2, 1), PARAM_END };

/* Returns the plan of phase i in p dimensions. */
static struct block_plan plan_of(const struct local_blocks *s, double p, int i)
{
    struct block_plan a = local_blocks_phase(s, i);
    if (a.n < 1)
        return a;
    a.B = fmin(a.n, ceil(fmax(sqrt(a.n), local_blocks_root(&a, p))));
    a.T = ceil(a.n * a.n / (a.B * a.B));
    return a;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    return local_blocks_tune(f, goal, vp, "localised-sgd", why);
}

/* Returns the expected number of gradients of a run. */
static double expects(const struct facts *f, const void *vp)
{
    double sum = 0;
    struct block_plan a = plan_of(vp, f->d, 1);
    for (int i = 2; a.n >= 1; a = plan_of(vp, f->d, i++))
        sum += a.T * a.B;
    return sum;
}

struct scratch { double *g, *mean, *centre; };

/* Runs a phase: x[d] is c on entry and x_i on return. Returns false if the budget is spent. */
static bool phase(struct oracle *o, const struct block_plan *a, struct noisy_mean *source,
                  const struct scratch *w, double *x)
{
    long d = oracle_dim(o);
    vec_copy(d, x, w->centre);
    for (double t = 1; t <= a->T; t++) {
        if (!noisy_mean(source, x, w->g))
            return false;
        vec_axpy(d, -2 / (a->lambda * (t + 1)), w->g, x);
        oracle_project(o, 0, x);
        vec_axpby(d, 2 / (t + 1), x, (t - 1) / (t + 1), w->mean);
        oracle_depth(o, 3);
        oracle_mark(o, w->mean);
    }
    vec_copy(d, w->mean, x);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct local_blocks *s = vp;
    long d = oracle_dim(o);
    const struct scratch v = { arena_vec(w, d), arena_vec(w, d), arena_vec(w, d) };
    struct noisy_mean source = { .o = o, .site = "localised-sgd.gradient", .centre = v.centre };

    arena_seal(w);
    vec_zero(d, v.mean);
    for (int i = 1;; i++) {
        struct block_plan a = plan_of(s, (double)d, i);
        if (a.n < 1)
            break;
        if (oracle_counting(o)) {
            if (!local_blocks_count(o, &a, 3))
                break;
            continue;
        }
        local_blocks_noise(s, &a);
        if (!local_blocks_open(o, s, &a, &source) || !phase(o, &a, &source, &v, x))
            break;
    }
    return OK;
}

const struct algo algo_localised_sgd = {
    .name = "localised-sgd",
    .doc = "localisation with noisy mini-batch SGD on Poisson samples of each phase's records",
    .cite = "Asi, Feldman, Koren, Talwar, Private Stochastic Convex Optimization: Optimal Rates in "
            "l1 Geometry, ICML 2021",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct local_blocks),
    .tune = tune,
    .expects = expects,
    .run = run,
    .nominal_counts = true,
};

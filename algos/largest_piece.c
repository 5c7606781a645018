/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest_piece.c - the projected subgradient method for a maximum of N pieces, f = max_i f_i (Shor;
 * Nesterov 2018, Theorem 3.2.2; the rival of Asi, Carmon, Jambulapati, Jin, Sidford 2021, Section 4)
 *
 *     i = the first index with the largest f_i(x_t),  g a subgradient of f_i at x_t
 *     x_{t+1} = P( x_t - (D/(G sqrt T)) g ),   answer (1/T) sum_{t=0..T-1} x_t
 *
 * f_i is convex and G-Lipschitz, D >= |x_0 - x*|, eps is the accuracy. At the answer f - f* <= G D/sqrt T, which is
 * at most eps for T = ceil((G D/eps)^2) iterations, each of N values and one subgradient. */
#include "algo.h"

struct own {
    long T;
    double eps, step;
};

static const struct param params[] = {
    PARAM(own, T, 0, 0, 0x1p52, "steps", "0: ceil((G D/eps)^2)"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, step, NAN, 1e-300, INFINITY, "x^2/f", "default D/(G sqrt T)"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "largest-piece";
    struct own *p = vp;
    double D = isnan(f->dist) ? f->diameter : f->dist, G = isnan(f->G) ? f->L : f->G;

    param_choose(&p->eps, goal->acc);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(G > 0 && G < INFINITY && D > 0 && D < INFINITY))
        return why_set(why, REFUSED, "%s relies on G-Lipschitz pieces and on |x_0 - x*| <= D: G = %g, "
                       "D = %g", who, G, D);
    double T = fmax(1, ceil(G * D / p->eps * (G * D / p->eps)));
    if (p->T == 0 && !(T <= 0x1p52))
        return why_set(why, REFUSED, "%s: T = (G D/eps)^2 = %g: expected at most 2^52", who, T);
    param_choose_count(&p->T, (long)fmin(T, 0x1p52));
    param_choose(&p->step, D / (G * sqrt((double)p->T)));
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients. The values of five pieces take about as long as a
 * gradient. */
static double expects(const struct facts *f, const void *vp)
{
    return (double)((const struct own *)vp)->T * (1 + (isfinite(f->N) ? f->N : 0) / 5);
}

/* Returns the index of the first of the largest numbers in v[N]. */
static long largest(long N, const double *v)
{
    long best = 0;
    for (long i = 1; i < N; i++)
        if (v[i] > v[best])
            best = i;
    return best;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o), N = oracle_pieces(o);
    double *at = arena_vec(w, d), *g = arena_vec(w, d), *v = arena_vec(w, N);

    arena_seal(w);
    vec_copy(d, x, at);
    for (double t = 1; t <= (double)p->T; t++) {
        if (!oracle_piece_values(o, at, v) || !oracle_piece_grad(o, largest(N, v), at, g))
            break;
        vec_step(d, &(struct vec_step){ 1, 1, -p->step, 0, 1 - 1 / t, 1 / t }, g, NULL, at, x);
        oracle_project(o, 0, at);
        oracle_depth(o, 2);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_largest_piece = {
    .name = "largest-piece",
    .doc = "projected subgradients of the largest piece, averaged",
    .cite = "Nesterov, Lectures on convex optimization (2018), Theorem 3.2.2",
    .calls = CALL_PIECES,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(G) | FACT_BIT(L) | FACT_BIT(dist) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};

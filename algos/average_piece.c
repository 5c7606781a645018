/* SPDX-License-Identifier: GPL-3.0-or-later */
/* average_piece.c - projected stochastic subgradient descent on the average (1/N) sum_i f_i of N pieces. The cost
 * of minimising max_i f_i is compared with that of this method (Bubeck 2015, Theorem 6.1; Asi, Carmon, Jambulapati,
 * Jin, Sidford 2021, Section 4.2):
 *
 *     i uniform,  g a subgradient of f_i at x_t,  x_{t+1} = P( x_t - (R/(G sqrt T)) g ),
 *     answer (1/T) sum_{t=0..T-1} x_t
 *
 * f_i is convex and G-Lipschitz, and the feasible set, on which P projects, is within R of x_0. After
 * T = ceil((G R/eps)^2) subgradients of single pieces, whatever N is, the average at the answer exceeds the minimum
 * of the average by at most the accuracy eps in expectation. */
#include "algo.h"

struct own {
    long T;
    double eps, step;
};

static const struct param params[] = {
    PARAM(own, T, 0, 0, 0x1p52, "steps", "0: ceil((G R/eps)^2)"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, step, NAN, 1e-300, INFINITY, "x^2/f", "default R/(G sqrt T)"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "average-piece";
    struct own *p = vp;
    double G = isnan(f->G) ? f->L : f->G, R = f->radius;

    param_choose(&p->eps, goal->acc);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(G > 0 && G < INFINITY && R > 0 && R < INFINITY))
        return why_set(why, REFUSED, "%s relies on G-Lipschitz pieces over a ball: G = %g, radius = %g",
                       who, G, R);
    double T = fmax(1, ceil(G * R / p->eps * (G * R / p->eps)));
    if (p->T == 0 && !(T <= 0x1p52))
        return why_set(why, REFUSED, "%s: T = (G R/eps)^2 = %g: expected at most 2^52", who, T);
    param_choose_count(&p->T, (long)fmin(T, 0x1p52));
    param_choose(&p->step, R / (G * sqrt((double)p->T)));
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    return (double)((const struct own *)vp)->T;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    uint64_t N = (uint64_t)oracle_pieces(o);
    double *at = arena_vec(w, d), *g = arena_vec(w, d);

    arena_seal(w);
    vec_copy(d, x, at);
    for (double t = 1; t <= (double)p->T; t++) {
        if (!oracle_piece_grad(o, (long)rng_below(rng, N), at, g))
            break;
        vec_step(d, &(struct vec_step){ 1, 1, -p->step, 0, 1 - 1 / t, 1 / t }, g, NULL, at, x);
        oracle_project(o, 0, at);
        oracle_depth(o, 2);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_average_piece = {
    .name = "average-piece",
    .doc = "projected subgradients of random pieces: for their average, not for their maximum",
    .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.1",
    .calls = CALL_PIECES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(G) | FACT_BIT(L) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};

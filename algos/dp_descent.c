/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_descent.c - private gradient descent for stationary points of smooth nonconvex losses (Wang, Ye & Xu 2017;
 * Zhou, Chen, Hong, Wu & Banerjee 2020). It makes R steps of length 1/H, each with a mean of b gradients:
 *
 *     x <- x - (1/H) ( (1/b) sum_i clip( grad f(x; z_i), L ) + N(0, sigma^2 I) )
 *
 *     batch    full:   all M records in every round,  s = 2L/M,  sigma = s sqrt(R)/rho
 *              fresh:  b = floor(M/R) new ones each,   s = 2L/b,  sigma = s/rho
 *     gradient first:  gradients of f, H the smoothness of f
 *              values: gradients of the smoothed loss, from one pair of values a sample (parts/two_point.h),
 *                      s = 2 d L/b, H = d^(1/2) L/delta, delta half of goal.radius; f need only be Lipschitz
 *
 * s is the sensitivity of the mean gradient, rho the privacy level of the run, which is rho-GDP, and M the number
 * of records. Phi bounds F(x_1) - inf F. F_delta(x) is the mean of F over the ball of radius delta around x
 * (parts/two_point.h); this delta is no privacy parameter.
 *
 * A run is (alpha, alpha rho^2/2)-RDP for one record replaced. The answer is one of the R iterates, drawn
 * uniformly, since choosing the best one would use the data again. With v the mean squared error of the gradient of
 * a round,
 *
 *     mean of E|grad F(x_r)|^2 <= 2 H Phi/R + v,     v <= d sigma^2 [full], L^2/b + d sigma^2 [fresh].
 *
 * For `values` F is replaced by F_delta, Phi by Phi + 2 L delta, and L^2 by 16 sqrt(2 pi) d L^2, also in full
 * batches, as directions are drawn; in practice by d L^2, the value on linear losses. The bound is least for R = M
 * rho (H Phi/(2d))^(1/2)/L [full]. For [fresh] R is the smaller of (2 H Phi M)^(1/2)/L and (H Phi M^2 rho^2/(4 d
 * L^2))^(1/3), for which the bound is least with the term L^2/b of v alone and with the term d sigma^2 alone. */
#include <string.h>

#include "gdp.h"
#include "two_point.h"

struct own {
    const char *batch, *gradient;
    double rho, L, H, Phi, smoothing, step, sigma, c;
    long R, B;
};

static const struct param params[] = {
    PARAM_WORD(own, batch, "fresh", "fresh|full", "new samples in every round, or all of them"),
    PARAM_WORD(own, gradient, "first", "first|values", "of losses, or of smoothed ones from values"),
    PARAM(own, rho, NAN, 1e-300, INFINITY, "1", "privacy level; default from the goal"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant of every loss; default the fact"),
    PARAM(own, H, NAN, 1e-300, 1e300, "f/x^2", "smoothness; default the fact M, values: sqrt d L/delta"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else L^2/H"),
    PARAM(own, smoothing, NAN, 1e-300, 1e300, "x", "values: delta; default half of goal.radius, else "
          "0.05"),
    PARAM(own, step, NAN, 0, 1e300, "x^2/f", "default 1/H"),
    PARAM(own, sigma, NAN, 0, 1e300, "f/x", "sd of a round's noise; default calibrated, 0: none"),
    PARAM(own, c, NAN, 1e-300, 1e300, "1", "values: E|g|^2 <= c d L^2"),
    PARAM(own, R, 0, 0, 0x1p40, "rounds", "0: as above"),
    PARAM(own, B, 0, 0, 0x1p40, "samples", "of a round; 0: as above; full: all"),
    PARAM_END
};

static bool full(const struct own *p) { return strcmp(p->batch, "full") == 0; }
static bool values(const struct own *p) { return strcmp(p->gradient, "values") == 0; }

/* Returns, as FACT_BITs, the facts that tune reads. Phi is used only to choose R; a private run does not read a Phi
 * that depends on the data. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct own *p = vp;
    bool private = isfinite(p->rho) || !isnan(goal->rho) || !isnan(goal->eps);
    unsigned long read = FACT_BIT(d) | FACT_BIT(n);
    read |= isnan(p->L) ? FACT_BIT(L) : 0;
    read |= isnan(p->H) && !values(p) ? FACT_BIT(M) : 0;
    if (isnan(p->Phi) && !(private && f->origin[FACT_Phi] == ORIGIN_DATA))
        read |= FACT_BIT(Phi);
    return read;
}

static enum status constants(const struct facts *f, const struct goal *goal, struct own *p,
                             struct why *why)
{
    param_choose(&p->smoothing, goal->radius > 0 ? goal->radius / 2 : 0.05);
    param_choose(&p->c, !values(p) ? 1 : goal->constants == CONSTANTS_THEORY ? 16 * sqrt(2 * M_PI) : 1);
    param_choose(&p->L, f->L);
    param_choose(&p->H, values(p) ? sqrt(f->d) * p->L / p->smoothing : f->M);
    if (!(p->L < INFINITY && p->H > 0 && p->H < INFINITY))
        return why_set(why, REFUSED, "dp-descent needs L = %g and H = %g, the smoothness: give algo.L "
                       "and algo.H, or gradient values", p->L, p->H);
    param_choose(&p->Phi, isfinite(f->Phi) && f->Phi > 0 ? f->Phi : p->L * p->L / p->H);
    param_choose(&p->step, 1 / p->H);
    return OK;
}

/* Returns a bound on E|g|^2, where g is the gradient from one sample. */
static double square(const struct facts *f, const struct own *p)
{
    return p->L * p->L * (values(p) ? p->c * f->d : 1);
}
static double gap(const struct own *p)
{
    return p->Phi + (values(p) ? 2 * p->L * p->smoothing : 0);
}

/* Returns the number R of rounds of the head, at most the number M of records for full batches. */
static double rounds(const struct facts *f, const struct own *p, double M)
{
    double H = p->H, s = 2 * p->L * (values(p) ? f->d : 1), start = gap(p);
    double noise = f->d * s * s / (M * M * p->rho * p->rho);     /* d sigma^2 is noise R (full) or noise R^2
                                                                    (fresh) */
    double sample = square(f, p) / M;
    if (full(p))
        return fmin(sqrt(2 * H * start / noise), M);
    return fmin(sqrt(2 * H * start / sample), cbrt(H * start / noise));
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    double M = one_pass_samples(f, goal, 1);
    TRY(gdp_choose(goal, "exact", &p->rho, "dp-descent", why));
    TRY(constants(f, goal, p, why));
    if (!(M >= 1 && M < 0x1p52))
        return why_set(why, REFUSED, "dp-descent needs goal n or budget");
    bool again = full(p) && !values(p);  /* a round takes all M gradients */
    if (again && isnan(goal->n) && !(f->n < INFINITY))
        return why_set(why, REFUSED, "dp-descent: batch full asks the same samples in every round: it needs goal "
                       "n");
    double most = again && !isnan(goal->budget) ? fmax(1, floor(goal->budget / M)) : INFINITY;
    if (goal->T >= 1)
        param_choose_count(&p->R, (long)fmin(goal->T, most));
    param_choose_count(&p->R, (long)fmax(1, fmin(fmin(floor(rounds(f, p, M)), M), most)));
    if (full(p) && p->B && (double)p->B != M)
        return why_set(why, REFUSED, "dp-descent: B = %ld: expected all %g of batch full", p->B, M);
    param_choose_count(&p->B, (long)(full(p) ? M : floor(M / (double)p->R)));
    if (!(p->B >= 1 && (full(p) ? 1 : (double)p->R) * (double)p->B <= M))
        return why_set(why, REFUSED, "dp-descent: R = %ld rounds of %ld samples: expected at most %g "
                       "samples", p->R, p->B, M);
    double s = 2 * p->L * (values(p) ? f->d : 1) / (double)p->B;
    param_choose(&p->sigma, s * sqrt(full(p) ? (double)p->R : 1) / p->rho);
    return OK;
}

/* g[d] <- the mean gradient over z at x, plus noise. Returns false if the budget is spent. */
static bool ask(struct oracle *o, const struct own *p, const struct ticket *z, const double *x,
                double *g)
{
    long d = oracle_dim(o);
    struct two_point f = { .delta = p->smoothing, .L = p->L, .directions = 1 };
    if (!(values(p) ? two_point_grad(o, &f, z, x, g) : oracle_clipped(o, z, x, p->L, g)))
        return false;
    if (!values(p))
        oracle_estimate(o, x, g);
    double s = values(p) ? two_point_grad_sensitivity((double)d, p->L, (double)z->count)
                         : 2 * p->L / (double)z->count;
    noise_gaussian(o, &(struct release){ .site = "dp-descent.gradient", .norm = NORM_2, .ticket = z,
                                         .sensitivity = s }, p->sigma, d, g);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *at = arena_vec(a, d), *g = arena_vec(a, d);
    struct ticket z;

    arena_seal(a);
    vec_copy(d, x, at);
    for (long r = 0; r < p->R; r++) {
        if ((r == 0 || !full(p)) && !oracle_take(o, p->B, &z))
            return OK;
        if (!ask(o, p, &z, at, g))
            return OK;
        oracle_visit(o, at);
        oracle_close(o);
        if (rng_uniform(rng) * (double)(r + 1) < 1)
            vec_copy(d, at, x);
        vec_axpy(d, -p->step, g, at);
        oracle_depth(o, 1);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_dp_descent = {
    .name = "dp-descent",
    .doc = "private gradient descent for stationary points of smooth losses, one pass or many",
    .cite = "Wang, Ye, Xu, Differentially Private Empirical Risk Minimization Revisited (NeurIPS 2017); "
            "Zhou, Chen, Hong, Wu, Banerjee (2020)",
    .calls = CALL_SAMPLES | CALL_SAMPLE_VALUES | CALL_NOISE,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(Phi),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .run = run,
};

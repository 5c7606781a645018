/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_optimum.c - an unbiased estimate of the minimiser of a strongly convex finite sum (Asi, Carmon,
 * Jambulapati, Jin, Sidford 2021, Algorithm 7 and Theorem 7). F is mu-strongly convex on a ball of radius R around
 * x_0, R <= 2G/mu:
 *
 *     x_j = EpochSGD with budget 2^j on gradients of single records, j <= J_0
 *     x_j = ellipsoid method, or bisection where d = 1, with ceil(2^(j/2)) cuts, j > J_0
 *     xhat = x_0 + 2^J (x_J - x_(J-1)),  P(J = j) = 2^-j, j = 1, 2, ... without end
 *
 *     E xhat = x*,   E|xhat - x*|^2 <= 12 (c J_0 + 8)(G/mu)^2,   O(J_0) gradients in the mean
 *
 * c = 32 is the constant of EpochSGD (parts/mlmc.h), n the number of records. The paper prints the opposite sign
 * and omits levels 0 and 1. Its theorem has J_0 = ceil(4 log2(14(n d^2 + d^4))). The mean is x* for any J_0; the
 * smallest J_0 >= 2 log2 n for which the error of the ellipsoid method is below 2^-j gives the bounds as well.
 *
 * There is a stratum for each J = 1, ..., J_0 + 6, and a last one that draws J from the rest of the law. */
#include <string.h>
#include "about_target.h"
#include "cutting.h"
#include "mlmc.h"

enum { BEYOND = 6 };

struct own {
    double mu, radius;
    long J_0;
    const char *sign, *tail;
};

static const struct method_mechanism mechanisms[] = {
    { "tail", "levels above J_0, which no budget ends, take the last of the bias away", MECHANISM_HELPS,
      { { "algo.tail", .text = "none" } } },
    { 0 }
};

static const struct param params[] = {
    PARAM(own, mu, NAN, 1e-100, 1e100, "f/x^2", "strong convexity of F; default the fact"),
    PARAM(own, radius, NAN, 1e-100, 1e100, "x", "R; default the fact"),
    PARAM(own, J_0, 0, 0, 57, "levels", "of EpochSGD; 0: the smallest that serves"),
    PARAM_WORD(own, tail, "cuts", "cuts|none",
               "levels above J_0: by cuts, or none, which leaves the bias of x_(J_0)"),
    PARAM_WORD(own, sign, "corrected", "corrected|printed", "x_J - x_(J-1), or as printed"),
    PARAM_END
};

/* Returns the least J with 2^(j/2)/(2 d^2) >= 2 j ln 2 for all j > J. In one dimension, where each cut halves the
 * interval, 5 is enough. */
static long least_J_0(double d)
{
    long J = 57;
    if (d == 1)
        return 5;
    while (J > 1 && exp2((double)J / 2) / (2 * d * d) >= 2 * (double)J * log(2))
        J--;
    return J;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    double d2 = f->d * f->d;
    double theory = ceil(4 * log2(14 * (f->n * d2 + d2 * d2)));
    double own = fmax((double)least_J_0(f->d), ceil(2 * log2(f->n)));
    bool literal = goal->constants == CONSTANTS_THEORY;

    param_choose(&p->mu, f->mu);
    param_choose(&p->radius, f->radius);
    if (p->J_0 == 0 && (literal ? theory : own) > 30)
        return why_set(why, REFUSED, "exact-optimum: J_0 = %g, and by strata every level is run: 2^%g "
                       "gradients; give algo.J_0", literal ? theory : own, literal ? theory : own);
    param_choose_count(&p->J_0, (long)(literal ? theory : own));
    if (!(p->radius < INFINITY))
        return why_set(why, REFUSED, "exact-optimum needs a bounded feasible set, not radius = %g",
                       p->radius);
    return OK;
}

static int strata(const void *vp, double *weight)
{
    int K = (int)((const struct own *)vp)->J_0 + BEYOND;
    for (int j = 1; j <= K; j++)
        weight[j - 1] = ldexp(1, -j);
    weight[K] = ldexp(1, -K);
    return K + 1;
}

/* Returns the number of gradients that one draw from each level costs in total: budgets of 2^J for J <= J_0, then
 * 2^(J/2) cuts of n gradients each. */
static double expects(const struct facts *f, const void *vp)
{
    double J_0 = (double)((const struct own *)vp)->J_0;
    return exp2(J_0 + 1) + f->n * exp2((J_0 + BEYOND) / 2) / (1 - sqrt(0.5));
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    return problem->minimiser && problem->minimiser(self, out);
}

/* *F, g[d] <- value and gradient at x of the mean over all records; for d = 1, where bisection needs no value, *F
 * is NaN. ctx is a struct oracle. */
static bool whole(void *ctx, const double *x, double *F, double *g)
{
    *F = NAN;
    return (oracle_dim(ctx) == 1 || oracle_value(ctx, x, F)) && oracle_grad(ctx, x, g);
}

/* m->term <- 2^J (x_J - x_(J-1)), J > J_0. Returns false if the budget is spent. */
static bool beyond(const struct own *p, struct mlmc *m, struct cutting *c, int J)
{
    long d = oracle_dim(m->run.o);
    double rough = ceil(exp2((J - 1) / 2.0)), fine = ceil(exp2(J / 2.0)), weight = ldexp(1, J);

    cutting_begin(c);
    if (J == p->J_0 + 1) {
        if (!epoch_sgd_run(&m->run, epoch_sgd_epochs(ldexp(1, J - 1))))
            return false;
        vec_copy(d, m->run.x, m->coarse);
        rough = 0;
    } else {
        if (!cutting_run(c, rough))
            return false;
        vec_copy(d, c->best, m->coarse);
    }
    if (!cutting_run(c, fine - rough))
        return false;
    vec_lincomb(d, weight, c->best, -weight, m->coarse, m->term);
    return true;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    int K = (int)p->J_0 + BEYOND, J = stratum < K ? stratum + 1 : K + rng_geometric(rng);
    struct mlmc m = { .run = { .o = o, .grad = epoch_sgd_sample, .ctx = o, .mu = p->mu,
                               .bare = true }, .jmax = (int)p->J_0 };
    struct cutting c = { .d = oracle_dim(o), .at = whole, .ctx = o, .R = p->radius };

    mlmc_reserve(&m, w);
    cutting_reserve(&c, w);
    arena_seal(w);
    vec_zero(c.d, v);
    if (J <= p->J_0 ? mlmc_correction(&m, J) : strcmp(p->tail, "none") && beyond(p, &m, &c, J))
        vec_axpy(c.d, strcmp(p->sign, "printed") ? 1 : -1, m.term, v);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_exact_optimum = {
    .name = "exact-optimum",
    .doc = "unbiased estimate of a finite sum's minimiser: EpochSGD, then ellipsoids",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 7 and Theorem 7",
    .calls = CALL_SAMPLES | CALL_VALUE | CALL_GRAD,
    .assumes = ASSUMES_STRONGLY_CONVEX | ASSUMES_BOUNDED,
    .reads = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(mu) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 1,
    .functionals = functionals,
    .tune = tune,
    .strata = strata,
    .target = target,
    .expects = expects,
    .draw = draw,
    .mechanisms = mechanisms,
};

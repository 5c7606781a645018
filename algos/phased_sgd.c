/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phased_sgd.c - phased SGD: iterative localisation by one pass of SGD a phase (Feldman, Koren, Talwar, STOC 2020,
 * Algorithm 2, Theorem 4.4)
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh samples, eta_i = eta/4^i, w_0 = P(x_{i-1}),
 *         w_{k+1} = P( w_k - eta_i grad f(w_k, d_k) ),   k < n_i, one sample a step,
 *         x_i = (1/n_i) sum_{k=1..n_i} w_k + N(0, (sigma eta_i)^2 I)
 *     eta = (R/L) min{ 4/sqrt(n), 2 mu/sqrt(p) },   answer the last x_i, projected
 *
 * It takes about n gradients in as many rounds. Assumptions: the loss f(.,d) of a record d is convex, L-Lipschitz
 * and M-smooth; R is the diameter, p the dimension. For eta_i <= 2/M the steps are non-expansive, so that a record
 * moves w and its mean by at most L eta_i (zero-out adjacency) and sigma = L/mu is mu-GDP. Without convexity, or
 * for longer steps, the method is not private and is refused. The paper's sigma = 4 L sqrt(ln(1/delta))/eps also
 * covers records replaced. The excess is of order L R (1/sqrt(n) + sqrt(p)/(mu n)). Without a goal of privacy no
 * noise is added. */
#include "convex.h"
#include "localise.h"

struct phased {
    const char *calibration;
    long n;
    double mu, eta, c, sigma, L;
};

static const struct param params[] = {
    PARAM_WORD(phased, calibration, "exact", "exact|classical|paper",
               "mu from the exact curve, the classical bound, or the paper's noise"),
    PARAM(phased, n, 0, 0, 0x1p52, "samples", "samples of all phases; 0: what the goal allows"),
    PARAM(phased, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(phased, eta, NAN, 0, INFINITY, "x^2/f", "step before phase 1; default the theorem's"),
    PARAM(phased, c, 1, 0, INFINITY, "1", "multiplies the theorem's eta"),
    PARAM(phased, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise over eta_i; 0: none"),
    PARAM(phased, L, NAN, 0, INFINITY, "f/x", "bound on one gradient; default fact L"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "phased-sgd";
    struct phased *s = vp;
    double n = fmin(one_pass_samples(f, goal, 1), isnan(goal->T) ? INFINITY : goal->T);

    if (!s->n && !(n >= 2 && n < 0x1p52))
        return why_set(why, REFUSED, "%s needs goal n, T or budget of at least 2 samples", who);
    param_choose_count(&s->n, (long)n);
    TRY(convex_lipschitz(f, who, why));
    TRY(localise_mu(goal, s->calibration, &s->mu, who, why));
    param_choose(&s->L, f->L);
    param_choose(&s->eta, s->c * localise_eta(f, (double)s->n, s->mu));
    if (!(s->eta < INFINITY))
        return why_set(why, REFUSED, "%s's eta needs the diameter and L > 0; or algo.eta", who);
    TRY(non_expansive(f, s->eta / 4, who, why));
    param_choose(&s->sigma, isinf(s->mu) ? 0 : s->L / s->mu);
    return OK;
}

/* [d] each: a gradient; v = w - c; c + v before it is projected; the iterate w. */
struct pass { double *g, *v, *free, *w; };

/* Makes one pass over the samples of the phase with iterates w = c + v; u[d] <- the mean of all v. Only after a
 * projection that moved w is v computed as w - c, which loses digits. Returns false if the budget is spent. */
static bool solve(struct oracle *o, const struct phase *p, const void *ctx, const double *c,
                  double *u)
{
    const struct pass *s = ctx;
    const double *const at = s->w;
    long d = oracle_dim(o);

    vec_copy(d, c, s->w);
    vec_zero(d, s->v);
    for (long k = 0; k < p->n; k++) {
        struct ticket one = ticket_part(&p->samples, k, 1);
        if (!oracle_batch(o, &(struct batch){ .ticket = &one, .points = 1, .x = &at, .g = s->g }))
            return false;
        vec_axpy(d, -p->eta, s->g, s->v);
        vec_lincomb(d, 1, c, 1, s->v, s->free);
        vec_copy(d, s->free, s->w);
        oracle_project(o, 0, s->w);
        if (memcmp(s->w, s->free, (size_t)d * sizeof *s->w))
            vec_sub(d, s->w, c, s->v);
        if (k == 0)
            vec_copy(d, s->v, u);
        vec_axpby(d, 1 / (k + 1.0), s->v, k / (k + 1.0), u);
        oracle_depth(o, 3);
    }
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct phased *s = vp;
    long d = oracle_dim(o);
    double *u = arena_vec(w, d);
    const struct pass pass = { arena_vec(w, d), arena_vec(w, d), arena_vec(w, d), arena_vec(w, d) };
    const struct localise l = { .site = "phased-sgd.phase", .n = s->n, .eta = s->eta, .C = s->L,
                                .sigma = s->sigma };

    arena_seal(w);
    localise(o, &l, solve, &pass, u, x);
    return OK;
}

const struct algo algo_phased_sgd = {
    .name = "phased-sgd",
    .doc = "phased SGD: iterative localisation, noise on the average of each phase",
    .cite = "Feldman, Koren, Talwar, Private Stochastic Convex Optimization, STOC 2020, Alg. 2",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(weak) |
                FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct phased),
    .tune = tune,
    .run = run,
};

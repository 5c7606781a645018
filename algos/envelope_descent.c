/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_descent.c - gradient steps on the Moreau envelope of a function that need not be convex, with
 * bias-reduced gradients (parts/weak_envelope.h). Asi, Carmon, Jambulapati, Jin, Sidford 2021 remark that their
 * estimator applies here, and state no theorem (Section 1.5). This is the method of Davis, Drusvyatskiy 2019 with
 * gradients by that estimator; the bound below is ours:
 *
 *     x_{t+1} = x_t - eta ghat_t,  lam > rho,
 *     |E ghat_t - grad f_lam(x_t)| <= delta,  E|ghat_t - grad f_lam(x_t)|^2 <= sigma^2
 *
 * f + (rho/2)|x|^2 is convex over R^d, E|g|^2 <= G^2, f(x_0) - inf f <= Phi. Then the envelope f_lam is
 * Lambda-smooth with Lambda = max{lam, rho lam/(lam - rho)}, and for eta <= 1/(4 Lambda)
 *     (1/K) sum_{t<K} E|grad f_lam(x_t)|^2 <= 2 Phi/(eta K) + 2 delta^2 + 2 Lambda eta sigma^2,
 * which is 6 sigma sqrt(Lambda Phi/K) for eta = sqrt(Phi/(Lambda K))/sigma, K >= 16 Lambda Phi/sigma^2, and
 * delta^2 = sigma sqrt(Lambda Phi/K). If sigma^2/32 is smaller, delta^2 is that, so that T_max >= 32 and the
 * estimator has levels. The constant c of OptEst (parts/mlmc.h) is 32 in theory and 1 in practice. The points x_0
 * ... x_{K-1} are passed to oracle_visit, so that the mean on the left side can be measured; x_K is the answer. */
#include "weak_envelope.h"

struct own {
    long K;
    double eta, lam, rho, sigma, delta, c, G;
};

static const struct param params[] = {
    PARAM(own, K, 0, 0, 0x1p40, "steps", "0: goal T or budget over an epoch of 15"),
    PARAM(own, eta, NAN, 1e-100, 1e100, "x^2/f", "step; default as above"),
    PARAM(own, lam, NAN, 1e-100, 1e100, "f/x^2", "of the envelope; default 2 rho, 1 if 0"),
    PARAM(own, rho, NAN, 0, 1e100, "f/x^2", "weak convexity; default the fact"),
    PARAM(own, sigma, NAN, 1e-100, 1e100, "f/x", "error of a gradient; default 2G"),
    PARAM(own, delta, NAN, 1e-100, 1e100, "f/x", "bias of a gradient; default as above"),
    PARAM(own, c, NAN, 1e-6, 1e6, "1", "constant of the estimator; default 32 in theory, else 1"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients; default the fact"),
    PARAM_END
};

static struct weak_size size_of(const struct own *p)
{
    return weak_envelope_size(p->G, p->rho, p->lam, p->c, p->delta, p->sigma);
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "envelope-descent";
    struct own *p = vp;

    param_choose(&p->c, goal->constants == CONSTANTS_THEORY ? 32 : 1);
    param_choose(&p->G, f->G);
    param_choose(&p->rho, f->weak);
    param_choose(&p->lam, p->rho > 0 ? 2 * p->rho : 1);
    if (!(p->G > 0 && p->G < INFINITY && p->lam > p->rho))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 and on weak convexity rho < lam: "
                       "G = %g, rho = %g, lam = %g", who, p->G, p->rho, p->lam);
    double room = fmin(goal->T, goal->budget);   /* fmin ignores a NaN, which stands for a goal that is not given */
    if (p->K == 0 && !(room >= 240))
        return why_set(why, REFUSED, "%s needs a horizon: give algo.K, or goal T or budget for 16 "
                       "epochs of 15 gradients at least, not %g", who, room);
    param_choose_count(&p->K, (long)fmin(0x1p40, floor(room / 15)));
    param_choose(&p->sigma, 2 * p->G);
    double Lambda = fmax(p->lam, p->rho * p->lam / (p->lam - p->rho));
    double root = sqrt(f->Phi / (Lambda * (double)p->K));
    if (!(root > 0 && root < INFINITY) && (isnan(p->eta) || isnan(p->delta)))
        return why_set(why, REFUSED, "%s steps by sqrt(Phi/K): Phi = %g, K = %ld; give algo.eta "
                       "and algo.delta", who, f->Phi, p->K);
    param_choose(&p->eta, fmin(1 / (4 * Lambda), root / p->sigma));
    param_choose(&p->delta, fmin(p->sigma / sqrt(32), sqrt(p->sigma * Lambda * root)));
    struct weak_size s = size_of(p);
    if (!(s.T_max <= 0x1p52 && s.N <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_max = %g, N = %g: expected at most 2^52 each", who,
                       s.T_max, s.N);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    struct weak_size s = size_of(p);
    struct mlmc m = { .jmax = mlmc_levels(s.T_max) };
    return (double)p->K * s.N * mlmc_expected_gradients(&m);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct weak_size size = size_of(p);
    struct weak_envelope s = { .m = { .run = { .o = o, .mu = size.mu, .rho = p->rho },
                                      .jmax = mlmc_levels(size.T_max) },
                               .lam = p->lam, .radius = 2 * p->G / p->lam };

    weak_envelope_reserve(&s, w);
    arena_seal(w);
    for (long t = 0; t < p->K; t++) {
        oracle_visit(o, x);
        if (!oracle_charge(o, COUNT_draws, size.N) || !weak_envelope_grad(&s, x, size.N, rng, g))
            break;
        vec_axpy(d, -p->eta, g, x);
        oracle_depth(o, 1);
        oracle_mark(o, x);
    }
    oracle_close(o);
    return OK;
}

const struct algo algo_envelope_descent = {
    .name = "envelope-descent",
    .doc = "descent on the Moreau envelope with bias-reduced gradients; f need not be convex",
    .cite = "Davis, Drusvyatskiy, Stochastic model-based minimization of weakly convex functions "
            "(SIAM J. Optim. 29, 2019), with gradients of Asi et al. (NeurIPS 2021), Section 1.5",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(G) | FACT_BIT(weak) | FACT_BIT(Phi),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};

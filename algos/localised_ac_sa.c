/* SPDX-License-Identifier: GPL-3.0-or-later */
/* localised_ac_sa.c - localised multi-stage AC-SA on noisy gradients (Gao, Lowy, Zhou, Wright, Private
 * Heterogeneous Federated Learning Without a Trusted Server Revisited, 2024, for one silo)
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh samples D_i,   lambda_i = lambda 2^((i-1)q),
 *         F_i(x) = (1/n_i) sum_{D_i} f(x,d) + (lambda_i/2)|x - x_{i-1}|^2,
 *         x_i <- S_i stages of N_i rounds of AC-SA on F_i from x_{i-1} (parts/ac_sa.h with its
 *         lambda = 0), in all R_i = S_i N_i rounds; gradients are clipped at C and have noise N(0, sigma_i^2 I)
 *     lambda = c_lambda (L/(diam n)) max{ sqrt(n), sqrt(p)/mu },
 *     N_i = ceil( c_N sqrt((M+lambda_i)/lambda_i) ),   answer the last x_i
 *
 * V bounds the gap F_i - min F_i; it is L^2/(2 lambda_i) at first. A stage halves V if N_i >= c_V v_i^2/(lambda_i
 * V), where v_i^2 bounds the squared error of a gradient: p sigma_i^2 (full), or L^2/K + p sigma_i^2 (poisson). The
 * theorem has c_N = 4 sqrt(2) and c_V = 256/3; practical constants are c_N = 1 and c_V = 8. S_i, at least 1, is the
 * number of stages that halve V, down to V = L^2/(lambda_i n_i), the size of the sampling error.
 *
 * The method is private for any f (zero-out adjacency). A record is in one D_i:
 *     full:    sigma_i = sigma sqrt(R_i)/n_i; with sigma = C/mu each phase, and so the answer, is mu-GDP;
 *     paper:   sigma_i = 16 C sqrt(R_i ln(2.5 R_i/delta) ln(2/delta))/(n_i eps), which is larger;
 *     poisson: for stored records. Each round samples all n at rate K/n, K ~ c_K n/sqrt(R), at most n/5;
 *              n_i = n, sigma_i = sigma sqrt(R)/n, sigma by noise_poisson_sd for R >= sum R_i rounds.
 * The loss f(.,d) of a record d is convex, L-Lipschitz and M-smooth, C = L, diam is the diameter, p the dimension.
 * Up to logarithms the excess is of order L diam (1/sqrt(n) + sqrt(p)/(mu n)) after ~n^(1/4) rounds, with ~n^(5/4)
 * gradients in full batches and ~n^(9/8) in Poisson samples. The paper also projects on |x - x_{i-1}| <= 2
 * L/lambda_i, which contains the minimiser of F_i and is left out here. Without a goal of privacy nothing is
 * clipped and no noise is added. */
#include <limits.h>

#include "ac_sa.h"
#include "gdp.h"
#include "localise.h"
#include "noisy_mean.h"

struct stages {
    const char *calibration, *sampling;
    long n, K;
    double q, c_lambda, c_N, c_V, c_K, mu, L, M, lambda, C, sigma, delta, R;
};

static const struct param params[] = {
    PARAM_WORD(stages, calibration, "exact", "exact|classical|paper",
               "mu from the exact curve, the classical bound, or the paper's noise"),
    PARAM_WORD(stages, sampling, "full", "full|poisson", "of a phase's samples, or of all records"),
    PARAM(stages, n, 0, 0, 0x1p52, "samples", "samples of all phases; 0: what the goal allows"),
    PARAM(stages, K, 0, 0, 0x1p52, "samples", "mean size of a Poisson sample; 0: as above"),
    PARAM(stages, q, 3, 0, 16, "1", "lambda_i grows by 2^q a phase"),
    PARAM(stages, c_lambda, 1, 0, INFINITY, "1", "multiplies lambda"),
    PARAM(stages, c_N, NAN, 1e-6, 1e6, "1", "rounds of a stage over sqrt((M+lambda_i)/lambda_i)"),
    PARAM(stages, c_V, NAN, 0, INFINITY, "1", "how far above its error a stage may halve the gap"),
    PARAM(stages, c_K, 1, 1e-6, 1e6, "1", "multiplies the size of Poisson samples"),
    PARAM(stages, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(stages, L, NAN, 0, INFINITY, "f/x", "Lipschitz constant; default fact L"),
    PARAM(stages, M, NAN, 0, INFINITY, "f/x^2", "smoothness; default fact M"),
    PARAM(stages, lambda, NAN, 1e-300, INFINITY, "f/x^2", "of phase 1; default as above"),
    PARAM(stages, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(stages, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise over sqrt(R_i)/n_i; 0: none"),
    PARAM(stages, delta, NAN, 0, 1, "1", "of the paper's ln(2.5 R_i/delta); else no such factor"),
    PARAM(stages, R, NAN, 1, 0x1p52, "steps", "rounds that Poisson samples' noise is for"),
    PARAM_END
};

static bool poisson(const struct stages *s) { return strcmp(s->sampling, "poisson") == 0; }

/* --- sizes of the phases of the head */

/* n_i, N_i, S_i, lambda_i, the first V, sigma_i and v_i of the head, for one phase. */
struct plan { long n, N, S; double lambda, V, sd, v; };

static void plan_noise(const struct stages *s, double p, struct plan *a)
{
    double R = poisson(s) ? s->R : (double)a->S * (double)a->N;
    double more = isnan(s->delta) ? 1 : log(2.5 * R / s->delta);
    a->sd = s->sigma * sqrt(R * more) / (double)a->n;
    a->v = sqrt(p * a->sd * a->sd + (poisson(s) ? s->L * s->L / (double)s->K : 0));
}

/* Returns the plan of phase i in p dimensions, with S = 0 after the last phase. */
static struct plan plan_of(const struct stages *s, double p, int i)
{
    long n = localise_phase(s->n, 1, i).n;
    struct plan a = { .n = poisson(s) ? s->n : n, .lambda = s->lambda * pow(2, (i - 1) * s->q) };
    if (n < 1)
        return a;
    a.N = (long)ceil(s->c_N * sqrt((s->M + a.lambda) / a.lambda));
    a.V = s->L * s->L / (2 * a.lambda);
    double V = a.V, least = s->L * s->L / (a.lambda * (double)a.n);
    for (a.S = 1; V / 2 > least; V /= 2, a.S++) {
        struct plan next = a;
        next.S++;
        plan_noise(s, p, &next);
        if (!((double)a.N >= s->c_V * next.v * next.v / (a.lambda * V / 2)))
            break;
    }
    plan_noise(s, p, &a);
    return a;
}

/* Returns the number of rounds of all phases; *gradients <- the number of gradients in full batches. */
static double plan_rounds(const struct stages *s, double p, double *gradients)
{
    double R = 0;
    struct plan a = plan_of(s, p, 1);
    *gradients = 0;
    for (int i = 1; a.S; a = plan_of(s, p, ++i)) {
        R += (double)a.S * (double)a.N;
        *gradients += (double)a.S * (double)a.N * (double)a.n;
    }
    return R;
}

/* --- the choice of K, noise and lambda for `tune` */

/* Returns *s with the sample size K and the noise for R rounds, unless parameters set them. sd is the noise in
 * units of the sensitivity. */
static struct stages sampled(const struct stages *s, double R, double sd)
{
    struct stages t = *s;
    double n = (double)s->n;
    t.R = R;
    param_choose_count(&t.K, (long)fmax(1, fmin(ceil(s->c_K * n / sqrt(R)), floor(n / 5))));
    param_choose(&t.sigma, sd * s->C * n / ((double)t.K * sqrt(R)));
    return t;
}

static double noise_for(const struct stages *s, const struct goal *goal, double R)
{
    struct stages t = sampled(s, R, 0);
    bool needed = isnan(s->sigma);
    return needed ? noise_poisson_sd((double)t.K / (double)t.n, R, goal->eps, goal->delta) : 0;
}

/* Chooses R, K and sigma for Poisson samples. Noise for R rounds changes how many rounds the phases need; the
 * search finds an R slightly above that number, and at most the number without noise. noise_poisson_sd is slow and
 * hardly changes with R where K ~ n/sqrt(R), so that it is called at most twice. */
static enum status amplified(const struct facts *f, const struct goal *goal, struct stages *s,
                             struct why *why)
{
    struct stages quiet = sampled(s, 1, 0);
    bool calibrated = isnan(s->sigma);
    double gradients, low = 1;
    quiet.sigma = 0;
    quiet.K = LONG_MAX;
    double most = isnan(s->R) ? plan_rounds(&quiet, f->d, &gradients) : s->R, high = most;
    struct stages sure = sampled(s, most, noise_for(s, goal, most));
    double sd = sure.sigma * (double)sure.K * sqrt(most) / (s->C * (double)s->n);
    while (isnan(s->R) && high > 1.05 * low) {
        double mid = sqrt(low * high);
        struct stages t = sampled(s, mid, sd);
        bool fits = plan_rounds(&t, f->d, &gradients) <= mid;
        low = fits ? low : mid;
        high = fits ? mid : high;
    }
    struct stages t = sampled(s, 1.1 * high, high < most ? noise_for(s, goal, 1.1 * high) : sd);
    *s = high < most && plan_rounds(&t, f->d, &gradients) <= t.R ? t : sure;
    if (!(s->sigma < INFINITY))
        return why_set(why, REFUSED, "localised-ac-sa: no noise is known to make %.3g samples of "
                       "K = %ld of %ld records private: another algo.K, or sampling=full", s->R,
                       s->K, s->n);
    double R = plan_rounds(s, f->d, &gradients);
    if (calibrated && s->sigma > 0 && R > s->R)
        return why_set(why, REFUSED, "localised-ac-sa: algo.R = %g: expected at least the %g rounds of all phases",
                       s->R, R);
    return OK;
}

static enum status calibrate(const struct facts *f, const struct goal *goal, struct stages *s,
                             struct why *why)
{
    bool paper = strcmp(s->calibration, "paper") == 0, noisy = isnan(s->sigma) && isfinite(s->mu);
    bool known = goal->eps > 0 && goal->eps < INFINITY && goal->delta > 0 && goal->delta < 1;
    if (noisy && (paper || poisson(s)) && !known)
        return why_set(why, REFUSED, "localised-ac-sa: the noise of the paper and of Poisson "
                       "samples needs goal eps and delta, or algo.sigma");
    if (noisy && paper) {
        param_choose(&s->delta, goal->delta);
        param_choose(&s->sigma, 16 * s->C * sqrt(log(2 / goal->delta)) / goal->eps);
    }
    if (isinf(s->mu) || !poisson(s))
        param_choose(&s->sigma, isinf(s->mu) ? 0 : s->C / s->mu);
    return poisson(s) ? amplified(f, goal, s, why) : OK;
}

static enum status affordable(const struct facts *f, const struct goal *goal,
                              const struct stages *s, struct why *why)
{
    double gradients, R = plan_rounds(s, f->d, &gradients);
    if (poisson(s))
        gradients = R * (double)s->K;
    if (goal->constants == CONSTANTS_THEORY && (R > goal->T || gradients > goal->budget))
        return why_set(why, REFUSED, "localised-ac-sa: the literal constants need %.3g rounds and "
                       "%.3g gradients at n = %ld: use --constants practical", R, gradients, s->n);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "localised-ac-sa";
    struct stages *s = vp;
    bool theory = goal->constants == CONSTANTS_THEORY;
    double n = fmin(goal->n, isnan(f->n) ? INFINITY : f->n);

    if (!s->n && !(n >= 2 && n < 0x1p52))
        return why_set(why, REFUSED, "%s uses samples more than once: it needs goal n >= 2", who);
    param_choose_count(&s->n, (long)n);
    if (poisson(s) && !(f->n == (double)s->n))
        return why_set(why, REFUSED, "%s: Poisson samples are of stored records, all of them", who);
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    param_choose(&s->c_N, theory ? 4 * sqrt(2) : 1);
    param_choose(&s->c_V, theory ? 256.0 / 3 : 8);
    param_choose(&s->L, f->L);
    param_choose(&s->M, f->M);
    n = (double)s->n;
    param_choose(&s->lambda, s->c_lambda * s->L / (f->diameter * n) *
                 fmax(sqrt(n), isinf(s->mu) ? 0 : sqrt(f->d) / s->mu));
    if (!(s->lambda > 0 && s->lambda < INFINITY && s->L < INFINITY && s->M < INFINITY))
        return why_set(why, REFUSED, "%s needs L, M and the diameter, not L = %g, M = %g, "
                       "lambda = %g", who, s->L, s->M, s->lambda);
    bool clips = isfinite(s->mu) || s->sigma > 0;
    param_choose(&s->C, clips ? s->L : INFINITY);
    if (isinf(s->C) && clips)
        return why_set(why, REFUSED, "%s: noise without a finite algo.C", who);
    TRY(calibrate(f, goal, s, why));
    return affordable(f, goal, s, why);
}

/* --- the method */

/* Runs a phase: s->ag holds x_{i-1} on entry and x_i on return. Returns false if the budget is spent. */
static bool phase(const struct stages *p, struct plan a, struct noisy_mean *source, struct ac_sa *s,
                  double *centre)
{
    if (!poisson(p) && !oracle_take(s->o, a.n, &source->samples))
        return false;
    vec_copy(oracle_dim(s->o), s->ag, centre);
    source->lambda = a.lambda;
    source->sigma = a.sd;
    for (long k = 0; k < a.S; k++, a.V /= 2)
        if (!ac_sa_stage(s, a.N, ac_sa_stage_gamma(p->M + a.lambda, a.lambda, a.v, a.V,
                                                   (double)a.N)))
            return false;
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct stages *p = vp;
    long d = oracle_dim(o);
    double *centre = arena_vec(w, d);
    struct noisy_mean source = { .o = o, .site = "localised-ac-sa.gradient", .C = p->C,
                                 .n = (double)p->n, .centre = centre };
    struct ac_sa s = { .o = o, .grad = noisy_mean, .ctx = &source, .mark = true };

    ac_sa_reserve(&s, w);
    arena_seal(w);
    vec_copy(d, x, s.ag);
    source.rate = poisson(p) ? (double)p->K / (double)p->n : 0;
    struct plan a = plan_of(p, (double)d, 1);
    for (int i = 1; a.S && phase(p, a, &source, &s, centre);)
        a = plan_of(p, (double)d, ++i);
    vec_copy(d, s.ag, x);
    return OK;
}

const struct algo algo_localised_ac_sa = {
    .name = "localised-ac-sa",
    .doc = "localised multi-stage AC-SA on noisy gradients, full batches or Poisson samples",
    .cite = "Gao, Lowy, Zhou, Wright, Private Heterogeneous Federated Learning Revisited, 2024",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct stages),
    .tune = tune,
    .run = run,
};

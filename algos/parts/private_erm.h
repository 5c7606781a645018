/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_erm.h - private minimisation of an empirical mean by ball acceleration (Carmon, Jambulapati, Jin,
 * Lee, Liu, Sidford, Tian 2023, Theorem 3 and Corollary 3)
 *
 *     F(x) = (1/n) sum_i f(x; s_i) + (mu/2)|x - x'|^2, within R of a start, to the accuracy eps_opt
 *     ball_accel.h with Algorithm 7 (T_1, M answers) as line search, Algorithm 5 (T_2) as ball oracle and
 *     Algorithm 6 (T_3) as proximal oracle of resque_oracles.h, until A >= c_A R^2/(eps_opt/2)
 *
 * A is that of proximal_agd.h. f(.; s) is L-Lipschitz on R^d and convex, and x' is a given centre (mu = 0: none).
 * All sizes follow from kappa = L R/eps_opt, as below. The oracles around xbar with penalty lam minimise the mean
 * of f, smoothed, plus (mu + lam)/2 |x - x''|^2, x'' = (mu x' + lam xbar)/(mu + lam).
 *
 * The privacy (eps, delta) of a run is called the promise. A call of Algorithm 5 whose cost would exceed the
 * promise is not made, and the method ends at the present point. The promise therefore holds for any level J that
 * Algorithm 6 draws and for any number of line searches. */
#ifndef ASSAY_PARTS_PRIVATE_ERM_H
#define ASSAY_PARTS_PRIVATE_ERM_H

#include "ball_accel.h"
#include "convex.h"
#include "resque_account.h"
#include "resque_oracles.h"

/* --- sizes of a private ball acceleration and what they cost (Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian
 * 2023, Theorem 3, equations (30) to (34))
 *
 *     kappa = L R/eps_opt,  rho = eps_opt/(2 L sqrt(d)),  r = rho/c_rho,  K = (R/r)^(2/3)
 *     lam_min = c_lam (eps_opt/2) K^2/R^2
 *     T_j = c_T^(1/2) kappa sqrt(d)/(sqrt(K) beta) + c_T kappa^2/K,  j = 1, 2, 3
 *
 * rho is the standard deviation of the smoothing, r the radius of the balls, zeta = 1/(kappa K log kappa) the
 * probability with which a line search may fail, and beta sets the noise: a phase of Algorithm 4 with step length
 * eta_i adds noise of standard deviation L eta_i/beta. The paper prints both terms of T_j with the factor c_T =
 * sqrt(C) and divided by powers of log kappa (one of T_1 also by log(n/delta)), lam_min with log^2 kappa, and rho
 * twice as large; with constants = theory the program does the same.
 *
 * In practice c_T is 16 for every n, d and eps, which is what a ball oracle needs. By Proposition 8 a call of
 * Algorithm 5 with T gradients ends at a mean squared distance of order (L/lam)^2 (1/T + d/(beta T)^2) from the
 * minimiser, and L/(lam_min r) = 2 kappa/sqrt(K). At lam = lam_min the terms with 1/T and with d are then (r/2)^2
 * each; together they are lam r^2/4 in value. With c_T = 1 each would be (2r)^2, and the answer could be anywhere
 * in the ball. The accuracy r/17 that ball_accel.h asks of a line search is not reached with this T.
 *
 * With jmax >= 1 no call of Algorithm 5 takes more than n/C_priv gradients. Its last stage begins with a phase of
 * at most n/(4 C_priv) draws, and only phases of fewer than n/40 draws are amplified by sampling: C_priv must be
 * above 10, and is 12 in practice. With C_priv below 10 a call of the highest level would cost beta^2 in place of
 * (beta T/n)^2, nearly all of the promise.
 *
 * The promise is accounted for as a slope (resque_account.h). The cost of a call is known before the call, from
 * public numbers. Plans assume `probes` line searches a round. */

struct private_erm {
    const char *drift, *calibration, *gradient;
    long n, dimension, M, jmax, loops, halvings;
    double L, R, kappa, beta, eps, delta, c_rho, c_lam, c_A, c_T, c_n, C, C_cvx, C_priv, c_drift, probes;
    double theory,                   /* 1: the formulas have the logarithms of the theorem */
           counted;                  /* 1: count mode, nothing is evaluated */
};

#define PRIVATE_ERM_PARAMS                                                                         \
    PARAM_WORD(private_erm, drift, "proven", "proven|paper|measured",                              \
               "what one record may move: parts/resque_erm.h; measured is no proof"),              \
    PARAM_WORD(private_erm, calibration, "ledger", "ledger|paper",                                 \
               "kappa: the largest that the promise affords, or by the theorem's formula"),        \
    PARAM_WORD(private_erm, gradient, "levels", "levels|search",                                   \
               "of the envelope: by Algorithms 5 and 6, or what the line search found"),           \
    PARAM(private_erm, n, 0, 0, 0x1p52, "samples", "0: what the goal allows"),                     \
    PARAM(private_erm, dimension, 0, 0, 0x1p40, "coordinates", "in the formulas; 0: the fact"),            \
    PARAM(private_erm, M, 0, 0, 10000, "answers",                                                  \
          "of a line search; 0: theory 20 log(1/zeta), else 3"),                                   \
    PARAM(private_erm, jmax, 0, 0, 40, "levels",                                                   \
          "0: theory floor(log2(n/(C_priv T_3))), else that and at most 2"),                       \
    PARAM(private_erm, loops, 0, 0, 40, "draws", "of Algorithm 6; 0: theory jmax, else 1"),        \
    PARAM(private_erm, halvings, 0, 0, 1000, "calls",                                              \
          "of a bisection; 0: theory 2 log2(R kappa/r) + 10, else 12"),                            \
    PARAM(private_erm, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant; default the fact"),      \
    PARAM(private_erm, R, NAN, 1e-300, 1e300, "x", "radius; default the fact"),                    \
    PARAM(private_erm, kappa, NAN, 1, 1e300, "1", "L R/eps_opt; default by calibration"),          \
    PARAM(private_erm, beta, NAN, 1e-300, INFINITY, "1",                                           \
          "noise of a phase is L eta_i/beta; default eps/(C log(n/delta) sqrt(log(1/delta))), "  \
          "calibration = ledger: this over a power of sqrt(2)"),    \
    PARAM(private_erm, eps, NAN, 1e-300, 1e300, "1", "promise; default the goal's"),               \
    PARAM(private_erm, delta, NAN, 1e-300, 0.999999, "1", "promise; default the goal's"),          \
    PARAM(private_erm, c_rho, NAN, 1, 1e12, "1",                                                   \
          "rho/r; theory 3456 log^2(log2(n)/delta), drift = paper: what its lemma asks; else 64"), \
    PARAM(private_erm, c_lam, NAN, 1e-6, 1e6, "1", "lam_min; theory log^2 kappa, else 1"),         \
    PARAM(private_erm, c_A, NAN, 1e-6, 1e6, "1", "of the last A; theory 3, else 1"),               \
    PARAM(private_erm, c_T, NAN, 1e-6, 1e12, "1",                                              \
          "T_1, T_2, T_3; theory sqrt(C), else 16, its root on the noise term"),                   \
    PARAM(private_erm, c_n, 1, 1e-6, 1e6, "1", "kappa is at most sqrt(n)/c_n"),                    \
    PARAM(private_erm, C, NAN, 1e-6, 1e300, "1",                                                   \
          "of the theorem's formulas; theory 768 C_priv/log^2 n, else 1"),                         \
    PARAM(private_erm, C_cvx, NAN, 1e-6, 1e6, "1", "radii of Algorithm 5; theory 16, else 1"),     \
    PARAM(private_erm, C_priv, NAN, 1, 1e300, "1", "T <= n/C_priv; theory 112320, else 12"),        \
    PARAM(private_erm, c_drift, 4, 1e-6, 1e6, "1", "drift = measured, and mode B"),                \
    PARAM(private_erm, probes, 3, 1, 100, "calls", "line searches of a round, in plans"),          \
    PARAM(private_erm, counted, 0, 0, 1, "1", "1: count mode; set by --count"),                    \
    PARAM(private_erm, theory, 0, 0, 1, "1", "1: the logarithms of the theorem; set by constants")

/* The plan of one ball acceleration: radius R, accuracy eps (eps_opt of the head), regulariser mu, and the sizes
 * that follow from them. */
struct private_plan {
    double n, R, kappa, beta, eps, mu, rho, r, K, lam_min, T[3], rounds, calls, phases;
    double cap;                      /* the Renyi cost of the plan is finite at orders below cap, which private_fits
                                        computes */
    int jmax;
    long M, loops;
};

enum { SEARCH, OPTIMISE, PROX };

static inline double private_log(double x) { return fmax(1, log(x)); }

static inline double private_T(const struct private_erm *p, const struct private_plan *q, int j)
{
    double lk = p->theory ? private_log(q->kappa) : 1, ln = p->theory ? log(q->n / p->delta) : 1;
    double noise = j == SEARCH ? lk * lk : j == OPTIMISE ? sqrt(lk) : 1;
    double draws = j == SEARCH ? lk * lk * lk * ln : j == OPTIMISE ? lk : 1;
    double first = q->kappa * sqrt((double)p->dimension) / (sqrt(q->K) * q->beta * noise);
    double noisy = (p->theory ? p->c_T : sqrt(p->c_T)) * first;
    return fmax(4, ceil(noisy + p->c_T * q->kappa * q->kappa / (q->K * draws)));
}

/* Sets q->calls and q->phases, the expected numbers of calls of Algorithm 5 and of their releases. */
static inline void private_plan_calls(const struct private_erm *p, struct private_plan *q)
{
    bool levels = strcmp(p->gradient, "levels") == 0;
    double loops = (double)q->loops, search = p->probes * (double)q->M;
    q->calls = search + (levels ? 1 + loops * (1 + 2 * (1 - ldexp(1, -q->jmax))) : 0);
    q->phases = search * resque_sc_releases(q->T[SEARCH]);
    if (levels) {
        q->phases += resque_sc_releases(q->T[OPTIMISE]) + loops * resque_sc_releases(q->T[PROX]);
        for (int j = 1; j <= q->jmax; j++)
            q->phases += loops * ldexp(1, -j) * (resque_sc_releases(ldexp(q->T[PROX], j)) +
                                                 resque_sc_releases(ldexp(q->T[PROX], j - 1)));
    }
    q->calls *= q->rounds;
    q->phases *= q->rounds;
}

static inline struct private_plan private_plan_of(const struct private_erm *p, double n, double R,
                                                  double kappa, double beta, double mu)
{
    struct private_plan q = { .n = n, .R = R, .kappa = kappa, .beta = beta,
                              .eps = p->L * R / kappa, .mu = mu, .cap = INFINITY };
    double log_k = private_log(kappa), c_lam = p->theory ? log_k * log_k : 1;
    q.rho = (p->theory ? 1 : 0.5) * q.eps / (p->L * sqrt((double)p->dimension));
    q.r = q.rho / p->c_rho;
    q.K = pow(R / q.r, 2.0 / 3);
    c_lam = isnan(p->c_lam) ? c_lam : p->c_lam;
    q.lam_min = fmin(c_lam * q.eps / 2 * q.K * q.K / (R * R), 2 * p->L / q.r);
    for (int j = SEARCH; j <= PROX; j++)
        q.T[j] = private_T(p, &q, j);
    q.jmax = resque_levels(n, p->C_priv, q.T[PROX]);
    if (p->jmax || !p->theory)
        q.jmax = (int)fmin(q.jmax, p->jmax ? (double)p->jmax : 2);
    q.loops = p->loops ? p->loops : p->theory && q.jmax > 1 ? q.jmax : 1;
    double zeta = 1 / (kappa * q.K * log_k);
    q.M = p->M ? p->M : p->theory ? (long)ceil(20 * log(1 / zeta)) : 3;
    q.rounds = fmax(1, ceil(2 * sqrt(q.lam_min * p->c_A * R * R / (q.eps / 2))));
    private_plan_calls(p, &q);
    return q;
}

/* Returns the mean number of gradients of the plan, with `probes` line searches a round. */
static inline double private_plan_gradients(const struct private_erm *p,
                                            const struct private_plan *q, double probes)
{
    double each = probes * (double)q->M * resque_sc_gradients(q->T[SEARCH]);
    if (strcmp(p->gradient, "levels") == 0) {
        double T = q->T[PROX], prox = resque_sc_gradients(T);
        for (int j = 1; j <= q->jmax; j++)
            prox += ldexp(resque_sc_gradients(ldexp(T, j)) + resque_sc_gradients(ldexp(T, j - 1)), -j);
        each += resque_sc_gradients(q->T[OPTIMISE]) + (double)q->loops * prox;
    }
    return q->rounds * each;
}

static inline struct resque_price private_price(const struct private_erm *p,
                                                const struct private_plan *q, double excess)
{
    return (struct resque_price){ .n = q->n, .d = (double)p->dimension, .L = p->L, .r = q->r, .rho = q->rho,
                                  .drift = resque_drift_of(p->drift), .c_drift = p->c_drift,
                                  .excess = excess };
}

/* --- what a plan may spend of the promise */

/* What a plan may spend of the promise (eps, delta): the fraction `share` of the slope, at Renyi orders below
 * `cap`. cap is the least cap of all plans that spend the promise; 0 stands for the cap of the plan itself. */
struct promise { double eps, delta, share, cap; };

/* The numbers of phases and calls of a run are random. A plan is priced for this multiple of their means, and
 * a run may use no more phases than that. A larger factor leaves less of the promise for each call, so that
 * beta falls and answers get noisier; a smaller one stops more runs before their end. */
static const double private_slack = 1.5;

/* Returns the part of delta, as a fraction, for the event that records are drawn too often. Half of delta is for
 * the conversion of Renyi divergences to (eps, delta). The other half is at least (1 + e^eps) times this part; if
 * the drift is that of the paper, twice as much, since its lemma fails with the same probability. */
static inline double promise_part(const struct private_erm *p, const struct promise *s)
{
    double part = 0.1, most = resque_drift_of(p->drift) == DRIFT_PAPER ? 0.25 : 0.5;
    while ((1 + exp(s->eps)) * part > most)
        part /= 100;
    return part;
}

/* Returns the part of delta that one phase may use. It is the f of resque_account.h, and also the delta_0 of
 * resque_erm.h. */
static inline double promise_excess(const struct private_erm *p, const struct promise *s,
                                    const struct private_plan *q)
{
    return promise_part(p, s) * s->delta * s->share / (private_slack * q->phases);
}

/* Returns the failure probability of a call of Algorithm 4 in the readings of the paper (resque_account.h): (1 +
 * e^eps) times the sum over all calls is share delta/2, where every call of Algorithm 5 is taken to be as long as
 * the longest. */
static inline double promise_failure(const struct promise *s, const struct private_plan *q)
{
    double T = fmax(fmax(q->T[SEARCH], q->T[OPTIMISE]), ldexp(q->T[PROX], q->jmax));
    double calls = private_slack * fmax(1, q->calls) * resque_sc_stages(T);
    return s->delta * s->share / (2 * (1 + exp(s->eps)) * calls);
}

/* Returns the Renyi order up to which a plan is priced: s->cap if it is set, else `own`, which is the cap of the
 * plan itself. */
static inline double promise_cap(const struct promise *s, double own)
{
    return s->cap > 0 ? s->cap : own;
}

static inline double promise_slope(const struct promise *s, double cap)
{
    return s->share * renyi_slope(s->eps, cap, s->delta / 2);
}

/* Raises rho/r to the ratio that Lemma 5 asks for in this plan; returns whether it was below. A plan with a larger
 * ratio has more phases, so that Lemma 5 asks for more, but only by the logarithm of their number. */
static inline bool private_raise_ratio(struct private_erm *p, const struct promise *s,
                                       const struct private_plan *q)
{
    double needed = resque_drift_ratio(1, promise_excess(p, s, q));
    bool less = p->c_rho < needed * (1 + 1e-9);
    p->c_rho = less ? needed * (1 + 1e-6) : p->c_rho;
    return less;
}

/* Returns the price of the plan, as the slope and cap of resque_account.h: private_slack times the expected
 * cost. */
static inline struct renyi_line private_plan_price(const struct private_erm *p,
                                                   const struct private_plan *q, double excess)
{
    struct resque_price a = private_price(p, q, excess);
    struct renyi_line sum = { 0, INFINITY };
    double times = private_slack * q->rounds, T = q->T[PROX];
    renyi_add(&sum, times * p->probes * (double)q->M, resque_price_strongly(&a, q->beta, q->T[SEARCH]));
    if (strcmp(p->gradient, "levels") != 0)
        return sum;
    renyi_add(&sum, times, resque_price_strongly(&a, q->beta, q->T[OPTIMISE]));
    times *= (double)q->loops;
    renyi_add(&sum, times, resque_price_strongly(&a, q->beta, T));
    for (int j = 1; j <= q->jmax; j++)
        for (int fine = j; fine >= j - 1; fine--)
            renyi_add(&sum, ldexp(times, -j),
                      resque_price_strongly(&a, q->beta * exp2(-0.5 * fine), ldexp(T, fine)));
    return sum;
}

/* Returns whether the price of the plan *q is within the promise s. Sets q->cap. */
static inline bool private_fits(const struct private_erm *p, struct private_plan *q,
                                const struct promise *s)
{
    if (q->jmax < 1 && strcmp(p->gradient, "levels") == 0)
        return false;
    struct renyi_line all = private_plan_price(p, q, promise_excess(p, s, q));
    double cap = promise_cap(s, all.cap);
    q->cap = all.cap;
    return all.cap >= cap && all.slope <= promise_slope(s, cap);
}

/* Returns whether the price of the first call of the plan, a line search, is within the promise s. */
static inline bool private_begins(const struct private_erm *p, const struct private_plan *q,
                                  const struct promise *s)
{
    double excess = promise_excess(p, s, q), T = q->T[SEARCH];
    struct resque_price a = private_price(p, q, excess);
    struct renyi_line one = { 0, INFINITY };
    if (isfinite(q->beta))
        one = resque_price_strongly(&a, q->beta, T);
    return one.slope <= promise_slope(s, promise_cap(s, private_plan_price(p, q, excess).cap));
}

/* Returns the plan with the largest beta of p->beta, p->beta/sqrt(2), ... whose price is within the promise s, or a
 * plan with kappa = 0 if there is none. If beta is too large, phases are not amplified by sampling; if too small, n
 * does not allow T. */
static inline struct private_plan private_affordable(const struct private_erm *p, double n, double R,
                                                     double kappa, double mu,
                                                     const struct promise *s)
{
    enum { HALVINGS = 24 };
    for (int k = 0; k < HALVINGS; k++) {
        struct private_plan q = private_plan_of(p, n, R, kappa, p->beta * exp2(-0.5 * k), mu);
        if (private_fits(p, &q, s))
            return q;
    }
    return (struct private_plan){ .kappa = 0 };
}

/* Returns the plan with the largest kappa in [1, most] whose price is within the promise s, or a plan with kappa =
 * 0 if there is none. If no privacy is promised, kappa = most. */
static inline struct private_plan private_best(const struct private_erm *p, double n, double R,
                                               double mu, double most, const struct promise *s)
{
    double low = 1, high = most;
    struct private_plan best = { .kappa = 0 };
    if (!(most >= 1))
        return best;
    if (isnan(s->eps))
        return private_plan_of(p, n, R, most, p->beta, mu);
    best = private_affordable(p, n, R, high, mu, s);
    if (best.kappa > 0)
        return best;
    best = private_affordable(p, n, R, low, mu, s);
    while (best.kappa > 0 && high > 1.0001 * low) {
        double mid = sqrt(low * high);
        struct private_plan q = private_affordable(p, n, R, mid, mu, s);
        best = q.kappa > 0 ? q : best;
        *(q.kappa > 0 ? &low : &high) = mid;
    }
    return best;
}

/* --- the choice of parameters for `tune` */

/* Returns kappa of Theorem 3: sqrt(n), or less where the noise asks for it. In practice the formula has no
 * logarithms. */
static inline double private_kappa_printed(const struct private_erm *p, double n)
{
    double d = (double)p->dimension, ln = log(n / p->delta), logs = p->theory ? pow(ln, 1.5) * log(n) : 1;
    double noise = isnan(p->eps) ? 0 : sqrt(d * log(1 / p->delta)) * logs / (n * p->eps);
    return 1 / (p->C * (1 / sqrt(n) + noise));
}

static inline enum status private_check(const struct goal *goal, const struct private_erm *p,
                                        const char *who, struct why *why)
{
    if (!(p->n >= 16))
        return why_set(why, REFUSED, "%s draws from n samples again and again: it needs goal n of at "
                       "least 16, not %ld", who, p->n);
    if (!isnan(p->eps) && !(p->eps > 0 && p->delta > 0 && p->delta < 1))
        return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps > 0 and 0 < delta "
                       "< 1", who, p->eps, p->delta);
    if (p->theory && !(p->eps < 1 && p->delta < 1.0 / 6))
        return why_set(why, REFUSED, "%s: its theorem is for eps < 1 and delta < 1/6, not eps = %g, "
                       "delta = %g", who, p->eps, p->delta);
    if (!(p->L > 0 && p->L < INFINITY && p->R > 0 && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on L and the radius of the set: L = %g, R = %g", who,
                       p->L, p->R);
    return OK;
}

/* Chooses all parameters but kappa. */
static inline enum status private_choose(const struct facts *f, const struct goal *goal,
                                         struct private_erm *p, const char *who, struct why *why)
{
    bool theory = goal->constants == CONSTANTS_THEORY;
    double n = fmin(isnan(goal->n) ? INFINITY : goal->n, isnan(f->n) ? INFINITY : f->n);

    TRY(convex_lipschitz(f, who, why));
    if (!p->n && n < 0x1p52)
        p->n = (long)n;
    param_choose_count(&p->dimension, (long)f->d);
    param_choose(&p->L, f->L);
    param_choose(&p->R, f->radius);
    param_choose(&p->eps, isinf(goal->eps) ? NAN : goal->eps);
    param_choose(&p->delta, goal->delta);
    p->theory = theory;
    p->counted = goal->count;
    TRY(private_check(goal, p, who, why));
    n = (double)p->n;
    param_choose(&p->C_priv, theory ? 112320 : 12);
    param_choose(&p->C, theory ? 768 * p->C_priv / (log(n) * log(n)) : 1);
    param_choose(&p->C_cvx, theory ? 16 : 1);
    param_choose(&p->c_A, theory ? 3 : 1);
    param_choose(&p->c_T, theory ? sqrt(p->C) : 16);
    double log_rho = log(fmax(2, log2(n)) / p->delta);
    param_choose(&p->c_rho, theory ? 3456 * log_rho * log_rho : 64);
    param_choose(&p->beta, isnan(p->eps) ? INFINITY
                                         : p->eps / (p->C * log(n / p->delta) *
                                                     sqrt(log(1 / p->delta))));
    return OK;
}

static inline enum status private_erm_tune(const struct facts *f, const struct goal *goal,
                                           struct private_erm *p, const char *who, struct why *why)
{
    bool ratio = isnan(p->c_rho) && strcmp(p->drift, "paper") == 0;
    TRY(private_choose(f, goal, p, who, why));
    double n = (double)p->n, most = sqrt(n) / p->c_n;
    const struct promise s = { .eps = p->eps, .delta = p->delta, .share = 1 };
    bool ledger = strcmp(p->calibration, "ledger") == 0 && !p->theory && !isnan(p->eps);
    struct private_plan q = { .kappa = 0 };
    if (isnan(p->kappa) && !isnan(goal->acc))
        p->kappa = p->L * p->R / goal->acc;
    if (ledger)
        q = isnan(p->kappa) ? private_best(p, n, p->R, 0, most, &s)
                            : private_affordable(p, n, p->R, p->kappa, 0, &s);
    p->beta = q.kappa > 0 ? q.beta : p->beta;
    if (isnan(p->kappa))
        p->kappa = ledger ? q.kappa
                   : p->theory ? private_kappa_printed(p, n) : fmin(most, private_kappa_printed(p, n));
    q = private_plan_of(p, n, p->R, fmax(1, p->kappa), p->beta, 0);
    while (ratio && p->theory && private_raise_ratio(p, &s, &q))
        q = private_plan_of(p, n, p->R, fmax(1, p->kappa), p->beta, 0);
    if (!(p->kappa >= 1))
        return why_set(why, REFUSED, "%s: n = %ld samples promise nothing better than L R, which any "
                       "point has (kappa = %.3g): more samples, a larger eps, or --constants "
                       "practical; kappa = 1 would take %.3g gradients", who, p->n, p->kappa,
                       private_plan_gradients(p, &q, p->probes));
    double cost = private_plan_gradients(p, &q, p->probes), most_cost = goal->budget;
    if (!goal->count)
        most_cost = fmin(isnan(most_cost) ? INFINITY : most_cost, 0x1p36);
    if (cost > most_cost)
        return why_set(why, REFUSED, "%s: about %.3g gradients: expected at most %.3g%s", who, cost,
                       most_cost, p->theory ? "; with the constants of theory" : "");
    if (!goal->count && !isnan(p->eps) && !private_begins(p, &q, &s))
        return why_set(why, REFUSED, "%s: eps = %g and delta = %g do not afford the first call on n = %ld "
                       "samples (kappa = %.3g, beta = %.3g): more samples, a larger eps, or less accuracy",
                       who, p->eps, p->delta, p->n, p->kappa, p->beta);
    return OK;
}

struct private_run {
    const struct private_erm *p;
    struct private_plan q;
    struct oracle *o;
    struct resque_erm erm;
    struct resque_oracles from;
    struct ball_accel ball;
    struct resque_price price;
    double slope,                    /* the part of the promise that is spent so far, as a slope */
           /* Limits of the plan in use: the slope and the number of phases that it may not exceed, and the Renyi
            * orders, below cap, at which every call must have a price. */
           slope_most, cap, phases_most,
           calls;                    /* calls of Algorithm 5 so far */
    bool stopped,                    /* the plan in use ended because the promise was spent */
         cut;                        /* some plan of the run ended because the promise was spent */
    struct renyi_line mode[MODES];   /* the cost so far on the samples in use, in each reading of the paper */
    double delta,                    /* delta of the promise for the samples in use */
           delta_c;                  /* failure probability of a call of Algorithm 4 */
    double eps_mode[MODES],          /* for each reading, the largest eps of the samples settled so far */
           spent;                    /* the largest fraction of the promise that was spent so far */
    const double *about;             /* [d] x'; NULL: no regulariser */
    double *c, *v;                   /* [d] offsets from the present y: c of the centre x'', v of an answer */
};

/* Returns whether the call A(beta, T) of Algorithm 5 may be made. If so, adds its cost to what is spent, and counts
 * T gradients, the most that the call may use, as issued. ctx is a struct private_run. */
static inline bool private_allow(void *ctx, double beta, double T)
{
    struct private_run *s = ctx;
    struct renyi_line cost = { 0, INFINITY };
    if (oracle_counting(s->o)) {
        s->calls++;
        return oracle_charge(s->o, COUNT_issued, T);
    }
    double phases = resque_sc_releases(T);
    if (isfinite(beta) && isfinite(s->slope_most))
        cost = resque_price_strongly(&s->price, beta, T);
    if (s->slope + cost.slope > s->slope_most || cost.cap < s->cap ||
        (double)s->erm.phases + phases > s->phases_most) {
        s->stopped = true;
        return false;
    }
    s->slope += cost.slope;
    s->calls++;
    for (int k = 0; k < MODES; k++)
        if (isfinite(s->delta_c) && isfinite(beta))
            renyi_add(&s->mode[k], 1,
                      resque_mode_strongly(k, s->p->c_drift, s->delta_c, beta, T, s->q.n));
    return oracle_charge(s->o, COUNT_issued, T);
}

/* Sets up s->erm for the oracles around y with penalty lam (see the head). */
static inline void private_at(struct private_run *s, double lam, const double *y)
{
    long d = oracle_dim(s->o);
    s->erm.xbar = y;
    s->erm.lam = lam + s->q.mu;
    s->erm.c = s->about ? s->c : NULL;
    if (s->about)
        vec_lincomb(d, s->q.mu / s->erm.lam, s->about, -s->q.mu / s->erm.lam, y, s->c);
}

static inline bool private_from(struct private_run *s, bool whole, const double *y, double *x)
{
    if (whole)
        vec_lincomb(oracle_dim(s->o), 1, y, 1, s->v, x);
    return whole;
}

static inline bool private_search(void *ctx, double lam, const double *y, double *x)
{
    struct private_run *s = ctx;
    private_at(s, lam, y);
    return private_from(s, resque_search(&s->from, s->q.T[SEARCH], s->v), y, x);
}

static inline bool private_optimise(void *ctx, double lam, const double *y, double *x)
{
    struct private_run *s = ctx;
    private_at(s, lam, y);
    return private_from(s, private_allow(s, s->q.beta, s->q.T[OPTIMISE]) &&
                               resque_erm_strongly(&s->erm, s->q.beta, s->q.T[OPTIMISE], s->v),
                        y, x);
}

static inline bool private_prox(void *ctx, double lam, const double *y, double *x)
{
    struct private_run *s = ctx;
    private_at(s, lam, y);
    return private_from(s, resque_prox(&s->from, s->q.T[PROX], 0, s->v), y, x);
}

/* Reserves memory; call it before arena_seal. *p must live as long as *s. M is the largest number of answers that a
 * line search takes. */
static inline void private_reserve(struct private_run *s, const struct private_erm *p,
                                   const char *site, struct oracle *o, struct rng *rng, long M,
                                   struct arena *w)
{
    long d = oracle_dim(o);
    *s = (struct private_run){ .p = p, .o = o, .slope_most = INFINITY, .cap = 1,
                               .phases_most = INFINITY, .delta_c = INFINITY };
    s->erm = (struct resque_erm){ .o = o, .site = site, .L = p->L, .C_cvx = p->C_cvx,
                                  .drift = resque_drift_of(p->drift), .c_drift = p->c_drift,
                                  .base = rng_sub(rng, rng_u64(rng)) };
    s->from = (struct resque_oracles){ .erm = &s->erm, .rng = rng, .M = M };
    s->ball = (struct ball_accel){ .search = private_search, .optimise = private_optimise,
                                   .prox = private_prox };
    for (int k = 0; k < MODES; k++)
        s->mode[k].cap = INFINITY;
    resque_erm_reserve(&s->erm, w);
    resque_oracles_reserve(&s->from, w);
    ball_accel_reserve(&s->ball, o, w);
    s->c = arena_vec(w, d);
    s->v = arena_vec(w, d);
}

/* Sets the limits up to which the plan s->q may spend the promise *a. */
static inline void private_allowance(struct private_run *s, const struct promise *a)
{
    const struct private_erm *p = s->p;
    s->stopped = false;
    if (isnan(a->eps))
        return;
    double excess = promise_excess(p, a, &s->q);
    s->price = private_price(p, &s->q, excess);
    s->erm.delta_0 = excess;
    s->delta = a->delta;
    s->delta_c = promise_failure(a, &s->q);
    s->phases_most = (double)s->erm.phases + private_slack * s->q.phases;
    s->cap = promise_cap(a, private_plan_price(p, &s->q, excess).cap);
    s->slope_most = s->slope + promise_slope(a, s->cap);
}

/* x[d] <- the answer of a ball acceleration with the sizes of the plan q on the samples `data`, from x. about: x',
 * or NULL without a regulariser. Returns false if a round was broken off; x is then the point that was reached. */
static inline bool private_accelerate(struct private_run *s, const struct private_plan *q,
                                      const struct ticket *data, const double *about, double *x)
{
    long d = oracle_dim(s->o);
    double reach = about ? q->mu * (vec_dist(d, x, about) + q->R) : 0;
    s->about = about;
    s->erm.data = *data;
    s->erm.r = q->r;
    s->erm.rho = q->rho;
    s->from.beta = q->beta;
    s->from.jmax = q->jmax;
    s->from.loops = q->loops;
    s->from.M = q->M;
    s->from.allow = private_allow;
    s->from.ctx = s;
    s->ball.ctx = s;
    s->ball.R = q->R;
    s->ball.r = q->r;
    s->ball.L = s->p->L + reach;
    s->ball.lam_min = q->lam_min;
    s->ball.most = s->p->halvings ? (int)s->p->halvings
                                  : s->p->theory ? (int)ceil(2 * log2(q->R * q->kappa / q->r)) + 10 : 12;
    s->ball.reuse = strcmp(s->p->gradient, "levels") != 0;
    s->ball.s.A = 0;
    ball_accel_begin(&s->ball, x);
    double last = s->p->c_A * q->R * q->R / (q->eps / 2), from = s->ball.rounds;
    bool whole = true;
    while (s->ball.s.A < last && s->ball.rounds - from < 50 * q->K + 100 && whole)
        whole = ball_accel_round(&s->ball);
    vec_copy(d, s->ball.s.x, x);
    s->cut |= s->stopped;
    if (isfinite(s->slope_most))
        s->spent = fmax(s->spent, s->slope / s->slope_most);
    return whole;
}

/* Ends the account of the samples in use: no more calls are made on them. */
static inline void private_settle(struct private_run *s)
{
    bool priced = isfinite(s->delta_c) && !oracle_counting(s->o);
    for (int k = 0; k < MODES; k++) {
        if (priced)
            s->eps_mode[k] = fmax(s->eps_mode[k], renyi_eps(s->mode[k], s->delta / 2));
        s->mode[k] = (struct renyi_line){ 0, INFINITY };
    }
    s->slope = 0;
}

/* --- notes of a run */

enum {
    PRIVATE_KAPPA, PRIVATE_ROUNDS, PRIVATE_PROBES, PRIVATE_BINDING, PRIVATE_CALLS, PRIVATE_PHASES,
    PRIVATE_LOG_W, PRIVATE_STOPPED, PRIVATE_SPENT, PRIVATE_A, PRIVATE_B, PRIVATE_C
};

#define PRIVATE_ERM_NOTES                                                                          \
    [PRIVATE_KAPPA] = { "kappa", "1", "L R/eps_opt", REDUCE_MAX },                                \
    [PRIVATE_ROUNDS] = { "rounds", "rounds", "of ball acceleration", REDUCE_LAST },                \
    [PRIVATE_PROBES] = { "probes", "line searches", "in all", REDUCE_LAST },                       \
    [PRIVATE_BINDING] = { "binding", "1", "share of rounds with lam > lam_min", REDUCE_LAST },     \
    [PRIVATE_CALLS] = { "calls", "calls", "of Algorithm 5", REDUCE_LAST },                         \
    [PRIVATE_PHASES] = { "phases", "releases", "of Algorithm 4", REDUCE_LAST },                    \
    [PRIVATE_LOG_W] = { "log_w", "1", "the largest log weight", REDUCE_LAST },                     \
    [PRIVATE_STOPPED] = { "stopped", "1", "1: the promise was spent before the end of a plan", REDUCE_LAST }, \
    [PRIVATE_SPENT] = { "spent", "1", "share of what it may spend, the largest", REDUCE_LAST },  \
    [PRIVATE_A] = { "eps_A", "1", "epsilon by the paper's constants; infinite: they do not apply; "\
                    "private only where rho/r is as large as Lemma 5 asks", REDUCE_LAST },         \
    [PRIVATE_B] = { "eps_B", "1", "by the measured drift: not a proof", REDUCE_LAST },             \
    [PRIVATE_C] = { "eps_C", "1", "by the formula with constant 1: not a proof", REDUCE_LAST },    \
    { 0 }

/* The mechanism `noise` is switched off by removing the promise; the accuracy is then what the samples allow. */
#define PRIVATE_ERM_MECHANISMS                                                                     \
    { "noise", "is added to every phase, for privacy", MECHANISM_COSTS, { { "goal.eps", INFINITY } } }, { 0 }

static inline void private_notes(const struct private_run *s)
{
    struct oracle *o = s->o;
    double rounds = s->ball.rounds;
    oracle_note(o, PRIVATE_KAPPA, s->q.kappa);
    oracle_note(o, PRIVATE_ROUNDS, rounds);
    oracle_note(o, PRIVATE_PROBES, s->ball.probes);
    oracle_note(o, PRIVATE_BINDING, rounds > 0 ? s->ball.binding / rounds : 0);
    oracle_note(o, PRIVATE_CALLS, s->calls);
    oracle_note(o, PRIVATE_PHASES, (double)s->erm.phases);
    oracle_note(o, PRIVATE_LOG_W, s->erm.log_w_max);
    oracle_note(o, PRIVATE_STOPPED, s->cut);
    if (!isfinite(s->delta_c) || oracle_counting(o))
        return;
    oracle_note(o, PRIVATE_SPENT, s->spent);
    for (int k = 0; k < MODES; k++)
        oracle_note(o, PRIVATE_A + k, s->eps_mode[k]);
}

#endif

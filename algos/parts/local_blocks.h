/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_blocks.h - iterative localisation with noisy gradients: every phase uses fresh records, and all that it
 * computes from them is released:
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh records D_i, eta_i = eta/2^(decay i),
 *         F_i(x) = mean over D_i of f(x; s) + (lambda_i/2)|x - x_{i-1}|^2,    lambda_i = 2/(eta_i n_i),
 *         x_i: an approximate minimiser of F_i from T_i rounds; a round asks for the mean of clip( grad f, C )
 *             over a Poisson sample of D_i with the rate B_i/n_i, + N(0, sd_i^2 I)
 *     eta = (R/L) min{ 4/sqrt(n), 2 mu/sqrt(p) } c,   answer the last x_i
 *
 * R is the diameter, p the dimension, c a parameter, and mu that of mu-GDP (localise.h). A method chooses the
 * rounds T_i and the mean batch size B_i. A record is in one D_i, so that each phase may spend all of (eps, delta):
 * eps_i = eps, delta_i = delta. With budget=halved, phase i spends eps_i = eps/2^i and delta_i = delta/2^i, as in
 * Kulkarni, Lee, Liu 2021. Adjacency is zero-out; f need not be convex. The noise is calibrated in one of two ways:
 *
 *     paper   sd_i = C sqrt(8 T_i ln(1/delta_i))/(n_i eps_i), mu = eps/(4 sqrt(ln(1/delta)))
 *     rdp     the least noise that Renyi divergences of integer orders allow for T_i rounds, with amplification
 *             by the rate B_i/n_i or without it, whichever needs less; mu by gdp_mu_rdp
 *
 * Without a goal of privacy no noise is added. */
#ifndef ASSAY_PARTS_LOCAL_BLOCKS_H
#define ASSAY_PARTS_LOCAL_BLOCKS_H

#include "localise.h"
#include "noisy_mean.h"

/* The parameters that methods with local blocks share; the first member of their own struct of parameters. */
struct local_blocks {
    const char *calibration, *budget;
    long n, decay;
    double eps, delta, mu, c, eta, L, C, c_sigma;
};

#define LOCAL_BLOCKS_PARAMS(budget_, decay_, c_)                                                   \
    PARAM_WORD(local_blocks, calibration, "rdp", "rdp|paper", "where the noise comes from"),      \
    PARAM_WORD(local_blocks, budget, budget_, "full|halved", "of (eps, delta), for phase i"),      \
    PARAM(local_blocks, n, 0, 0, 0x1p52, "records", "of all phases; 0: what the goal allows"),    \
    PARAM(local_blocks, decay, decay_, 1, 16, "1", "eta_i falls by 2^-decay a phase"),            \
    PARAM(local_blocks, eps, NAN, 0, INFINITY, "1", "default from the goal; infinite: no noise"), \
    PARAM(local_blocks, delta, NAN, 0, 1, "1", "default from the goal"),                          \
    PARAM(local_blocks, mu, NAN, 1e-300, INFINITY, "1", "in eta; default from the goal"),         \
    PARAM(local_blocks, c, c_, 0, INFINITY, "1", "multiplies the theorem's eta"),                 \
    PARAM(local_blocks, eta, NAN, 1e-300, INFINITY, "x^2/f", "before phase 1; default as above"), \
    PARAM(local_blocks, L, NAN, 0, INFINITY, "f/x", "Lipschitz constant; default fact L"),        \
    PARAM(local_blocks, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),  \
    PARAM(local_blocks, c_sigma, 1, 0, INFINITY, "1", "multiplies the noise")

/* One phase. The method chooses T and B: whole numbers, held as doubles since counts may exceed a long. */
struct block_plan {
    struct phase at;
    double n, lambda, eps, delta;
    double T, B, sd;
};

/* Returns phase i without T, B and sd; n = 0 after the last phase. */
static inline struct block_plan local_blocks_phase(const struct local_blocks *s, int i)
{
    struct block_plan a = { .at = { .i = i, .n = localise_phase(s->n, 1, i).n,
                                    .eta = ldexp(s->eta, -(int)s->decay * i) } };
    int halvings = strcmp(s->budget, "halved") == 0 ? i : 0;
    a.n = (double)a.at.n;
    a.lambda = 2 / (a.at.eta * a.n);
    a.eps = ldexp(s->eps, -halvings);
    a.delta = ldexp(s->delta, -halvings);
    return a;
}

/* Returns sqrt(p ln(1/delta_i))/eps_i: the privacy term of the excess of phase i, times n_i, in units of L R. */
static inline double local_blocks_root(const struct block_plan *a, double p)
{
    return isinf(a->eps) ? 0 : sqrt(p * log(1 / a->delta)) / a->eps;
}

/* Sets a->sd, the standard deviation of the noise in a phase whose T and B are set. */
static inline void local_blocks_noise(const struct local_blocks *s, struct block_plan *a)
{
    double plain, q = a->B / a->n;
    a->sd = 0;
    if (isinf(a->eps))
        return;
    if (strcmp(s->calibration, "paper") == 0) {
        a->sd = s->c_sigma * s->C * sqrt(8 * a->T * log(1 / a->delta)) / (a->n * a->eps);
        return;
    }
    plain = sqrt(a->T) / gdp_mu_rdp(a->eps, a->delta);
    if (q < 1)
        plain = fmin(plain, noise_poisson_rdp_sd(q, a->T, a->eps, a->delta));
    a->sd = s->c_sigma * s->C * plain / a->B;
}

/* Sets the parameters that depend on facts and goal. */
static inline enum status local_blocks_tune(const struct facts *f, const struct goal *goal,
                                            struct local_blocks *s, const char *who,
                                            struct why *why)
{
    double n = fmin(goal->n, isnan(f->n) ? INFINITY : f->n);
    if (!s->n && !(n >= 2 && n < 0x1p52))
        return why_set(why, REFUSED, "%s uses records more than once: it needs goal n >= 2", who);
    param_choose_count(&s->n, (long)n);
    if (!(goal->eps < INFINITY) && !isnan(goal->rho))
        return why_set(why, REFUSED, "%s: its noise needs goal eps and delta, not rho", who);
    if (goal->eps < INFINITY && !(goal->eps > 0 && goal->delta > 0 && goal->delta < 1))
        return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps > 0 and "
                       "0 < delta < 1", who, goal->eps, goal->delta);
    param_choose(&s->eps, isnan(goal->eps) ? INFINITY : goal->eps);
    param_choose(&s->delta, goal->delta);
    if (s->eps < INFINITY && !(s->delta > 0 && s->delta < 1))
        return why_set(why, REFUSED, "%s: algo.eps = %g needs 0 < algo.delta < 1, not %g", who,
                       s->eps, s->delta);
    if (!goal->count && !(f->n < INFINITY))
        return why_set(why, REFUSED, "%s: random samples are of stored records, and this problem is "
                       "a stream", who);
    TRY(localise_mu(goal, s->calibration, &s->mu, who, why));
    param_choose(&s->L, f->L);
    param_choose(&s->C, s->L);
    param_choose(&s->eta, s->c * localise_eta(f, (double)s->n, s->mu));
    if (!(s->eta > 0 && s->eta < INFINITY && s->L < INFINITY && s->C < INFINITY))
        return why_set(why, REFUSED, "%s needs L and the diameter, not L = %g, C = %g, eta = %g",
                       who, s->L, s->C, s->eta);
    return OK;
}

/* In count mode: charges the rounds of a phase at their expected size. The counts max_visits and nonzeros are left
 * as they are. Returns false if the budget is spent. */
static inline bool local_blocks_count(struct oracle *o, const struct block_plan *a, double depth)
{
    if (!oracle_charge(o, COUNT_sample_grads, a->T * a->B))
        return false;
    oracle_charge(o, COUNT_taken, a->n);
    oracle_charge(o, COUNT_batch_steps, a->T);
    oracle_charge(o, COUNT_noise_gauss, a->T);
    oracle_charge(o, COUNT_project_0, isfinite(oracle_radius(o)) ? a->T : 0);
    oracle_depth(o, depth * a->T);
    return true;
}

/* Takes the records of the phase and sets up *source, the source of gradients. Returns false if no records are left
 * for the phase. */
static inline bool local_blocks_open(struct oracle *o, const struct local_blocks *s,
                                     struct block_plan *a, struct noisy_mean *source)
{
    if (!oracle_take(o, a->at.n, &a->at.samples))
        return false;
    a->at.samples.aggregated = false;
    source->block = &a->at.samples;
    source->rate = a->B / a->n;
    source->n = a->n;
    source->C = s->C;
    source->sigma = a->sd;
    source->lambda = a->lambda;
    return true;
}

#endif

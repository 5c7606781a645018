/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accelerated_dp_srgd.c - Accelerated-DP-SRGD (Choquette-Choo, Ganesh, Thakurta 2024, Algorithm 1) with clipped
 * differences, in the form that releases noisy prefix sums G_t and nothing else:
 *
 *     Delta_t = (1/B) sum_{d in B_t} clip( eta_t grad f(x_t,d) - eta_{t-1} grad f(x_{t-1},d), C )
 *     G_t     = sum_{i<=t} Delta_i + N_t,          N_t = -beta b_t: binary tree, sd sigma a node
 *     z_{t+1} = P( z_t - G_t/(2 kappa beta) ),     y_{t+1} = P( x_t - G_t/(eta_t beta) )
 *     x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1},   eta_t = t + 1, tau = tau_{t+1} = 2/(t+3)
 *
 * d is a record of the batch B_t of B records, and b_t the paper's noise. Answer y_T; T rounds, 2n - B gradients,
 * n = B T. kappa = 1/2 is line 7 as printed; the proof of Theorem 5.1 holds for kappa = 1 and 2. With H = floor(lg
 * T) + 1 and sigma = (C/B) sqrt(H)/mu the releases are mu-GDP (Lemma 5.6) for any f; only the bound on the excess
 * needs convexity and the constants L and M. Two other noises can replace the tree: that of the square-root
 * factorisation, with its cover as H (prefix_cover in noise.h; Section 2.2), and independent noise on each Delta_t,
 * with H = 1 and variance (t+1) sigma^2 in G_t.
 *
 * Utility: f(.,d) convex, L-Lipschitz, M-smooth; R is the diameter, c_M = M R/L. log and lg are logarithms to base
 * 2.
 *     A (Theorem 5.8, x* interior):  c_DP = 4 sqrt(2) log(n)^1.5 sqrt(ln(2n/delta)) ln(2.5/delta),
 *         T = c_DP n^(1/4), beta = c_DP^2 (L/R) max{1, sqrt(p)/(eps sqrt(n))}, C = c_DP L
 *     B (Theorem 5.12):  B = sqrt(n), beta = (16 c_M + 8) L n^1.5/(R B^2), C = (8 c_M + 4) L
 * Practical constants, each the same at all points of a window:
 *     A: T ~ c_T n^(1/4), beta = max{kap_M M, b};  B: T ~ c_T sqrt(n), beta = max{kap_M M T, b};
 *     b = kap_2 (L/R) T^2 max{1/sqrt(n), kap_p sqrt(p)/(mu n)},  C = kap_c L, kap_c = 1 + c_M
 * and T is the nearest 2^k - 1, for which the tree has one level less than for 2^k. If M = 0, L/R is used for M.
 * Without a goal of privacy nothing is clipped and no noise is added.
 *
 * With clip = off the noise is that for C, but nothing is clipped, as Algorithm 1 is printed. The sensitivity then
 * rests on Lemma 5.5 or Corollary 5.10, which are about the losses, and is not enforced by the method; the ledger
 * books it as one that may fail. */
#include "coupling.h"
#include "gdp.h"
#include "noisy_sum.h"

struct srgd {
    const char *variant, *calibration, *noise, *clip;
    long T, B;
    double c_T, kap_M, kap_2, kap_p, kap_c, kappa, mu, beta, C, sigma;
};

static const struct param params[] = {
    PARAM_WORD(srgd, variant, "A", "A|B", "A: T ~ n^(1/4), minimiser inside; B: T ~ sqrt(n)"),
    PARAM_WORD(srgd, calibration, "exact", "exact|classical|paper",
               "mu from the exact curve or the classical bound; paper: the printed sigma"),
    PARAM_WORD(srgd, noise, "tree", NOISY_SUM_WORDS,
               "of the prefix sums; root: square-root factorisation, d T numbers and d T^2 time"),
    PARAM_WORD(srgd, clip, "on", "on|off", "off: as printed, no difference is clipped; proves no privacy"),
    PARAM(srgd, T, 0, 0, 0x1p40, "steps", "rounds; 0: the variant's choice"),
    PARAM(srgd, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(srgd, c_T, 2, 1e-6, 1e6, "1", "practical T over n^(1/4) or sqrt(n)"),
    PARAM(srgd, kap_M, 2, 0, INFINITY, "1", "practical beta over M (A) or M T (B), at least"),
    PARAM(srgd, kap_2, 0, 0, INFINITY, "1", "weight of the balance rule in the practical beta"),
    PARAM(srgd, kap_p, 1, 0, INFINITY, "1", "weight of the noise against the samples in that rule"),
    PARAM(srgd, kap_c, NAN, 0, INFINITY, "1", "C over L; default practical 1 + c_M"),
    PARAM(srgd, kappa, 0.5, 1e-6, 1e6, "1", "z-step eta_t/(2 kappa beta)"),
    PARAM(srgd, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(srgd, beta, NAN, 1e-300, INFINITY, "f/x^2", "inverse step; default the variant's"),
    PARAM(srgd, C, NAN, 0, INFINITY, "f/x", "clipping norm of one difference; default kap_c L"),
    PARAM(srgd, sigma, NAN, 0, INFINITY, "f/x", "sd of one node or draw; 0: no noise"),
    PARAM_END
};

enum { MOVE, NOISE };
static const struct note notes[] = {
    { "move", "x", "largest eta_t |x_t - x_{t-1}|", REDUCE_MAX },
    { "noise", "f/x", "largest |N_t|, that is beta |b_t|", REDUCE_MAX },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "tree", "the noise of prefix sums is correlated, so that T rounds cost a logarithm in place of T^(1/2)",
      MECHANISM_HELPS, { { "algo.noise", .text = "independent" } } },
    { "acceleration", "gradient and mirror steps are coupled, so that the optimisation error falls as 1/T^2",
      MECHANISM_HELPS, .without = "dp-srgd" },
    { "recursion", "differences of gradients are summed up, so that the estimate errs by (B t)^(-1/2)",
      MECHANISM_HELPS, .without = "accelerated-dp-sgd" },
    { "noise", "Gaussian noise is added to every prefix sum, and steps are chosen for it", MECHANISM_COSTS,
      { { "algo.mu", INFINITY } } },
    { 0 }
};

/* --- the constants in the formulas of the head */

struct theorem {
    bool a,                          /* variant A, else B */
         theory;                     /* true: the constants are those of the theorem */
    double n, p, L, M, R, c_M, eps, delta, c_DP, c_T;
};

static struct theorem theorem_of(const struct facts *f, const struct goal *goal,
                                     const struct srgd *s, double n)
{
    double M = f->M == 0 ? f->L / f->diameter : f->M, lg = log2(n);
    return (struct theorem){
        .a = strcmp(s->variant, "A") == 0, .theory = goal->constants == CONSTANTS_THEORY, .n = n,
        .p = f->d, .L = f->L, .M = M, .R = f->diameter, .c_M = M * f->diameter / f->L,
        .eps = goal->eps, .delta = goal->delta, .c_T = s->c_T,
        .c_DP = 4 * sqrt(2) * lg * sqrt(lg) * sqrt(log(2 * n / goal->delta)) *
                log(2.5 / goal->delta) };
}

/* Returns the number of rounds for n samples. With literal constants the batch size B is rounded down first; then
 * T = floor(n/B), which leaves fewer than B samples unused. */
static double rounds(double n, const void *ctx)
{
    const struct theorem *c = ctx;
    double wish = (c->theory ? c->c_DP : c->c_T) * sqrt(sqrt(n)), T = 1;
    if (!c->a)
        wish = (c->theory ? 1 : c->c_T) * sqrt(n);
    if (c->theory)
        return floor(n / floor(n / wish));
    while (fabs(2 * T + 1 - wish) < fabs(T - wish))
        T = 2 * T + 1;
    return T;
}

static double beta_of(const struct theorem *c, const struct srgd *s)
{
    double T = (double)s->T, B = (double)s->B, statistical = 1 / sqrt(c->n);
    double private = sqrt(c->p) / ((c->theory ? c->eps : s->mu) * c->n);
    if (c->theory && c->a)
        return c->c_DP * c->c_DP * (c->L / c->R) * fmax(1, private / statistical);
    if (c->theory)
        return (16 * c->c_M + 8) * c->L * c->n * sqrt(c->n) / (c->R * B * B);
    double least = s->kap_M * c->M * (c->a ? 1 : T);
    if (s->kap_2 == 0)                   /* the formula for b needs L and R */
        return least;
    return fmax(least, s->kap_2 * (c->L / c->R) * T * T * fmax(statistical, s->kap_p * private));
}

/* Returns (sigma B mu/C)^2: H of the head, or the multiple of lg T that Corollaries 5.7 (A) and 5.11 (B) print in
 * its place. */
static double levels(const struct theorem *c, const struct srgd *s)
{
    if (strcmp(s->calibration, "paper"))
        return noisy_sum_cover(s->noise, s->T);
    return log2((double)s->T) * (c->a ? 0.5 : 4);
}

/* --- the choice of rounds, beta and noise for `tune` */

static enum status theory_holds(const struct theorem *c, const struct srgd *s, struct why *why)
{
    if (!c->theory)
        return OK;
    if (c->a && !(c->eps > 0 && c->delta > 0))
        return why_set(why, REFUSED, "the literal constants of variant A need goal eps and delta");
    double T = c->c_DP * sqrt(sqrt(c->n));
    if (c->a && !s->T && !s->B && T > c->n)
        return why_set(why, REFUSED, "the literal variant A needs T = %.3g rounds of B = %.3g "
                       "samples at n = %.3g, so at least %.3g gradients: use --constants practical",
                       T, c->n / T, c->n, 2 * T);
    if (!c->a && (double)s->B > sqrt(c->n))
        return why_set(why, REFUSED, "the literal variant B holds for B <= sqrt(n) = %.6g, "
                       "not for B = %ld", sqrt(c->n), s->B);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "accelerated-dp-srgd";
    struct srgd *s = vp;
    double n = one_pass_samples(f, goal, 2);
    struct theorem c = theorem_of(f, goal, s, n);

    TRY(theory_holds(&c, s, why));
    TRY(one_pass_shape(goal, n, rounds, &c, &s->T, &s->B, who, why));
    if (isinf(n))
        c = theorem_of(f, goal, s, (double)s->T * (double)s->B);
    TRY(theory_holds(&c, s, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));

    param_choose(&s->beta, beta_of(&c, s));
    if (!(s->beta > 0 && s->beta < INFINITY))
        return why_set(why, REFUSED, "%s: beta = %g from M = %g, L = %g, diameter = %g: "
                       "give algo.beta", who, s->beta, c.M, c.L, c.R);
    bool noisy = isnan(s->sigma) ? isfinite(s->mu) : s->sigma > 0;
    if (!noisy && isinf(s->mu) && isnan(s->kap_c))
        param_choose(&s->C, INFINITY);
    param_choose(&s->kap_c, !c.theory ? 1 + c.c_M : c.a ? c.c_DP : 8 * c.c_M + 4);
    param_choose(&s->C, s->kap_c * c.L);
    if (isnan(s->C) || (isinf(s->C) && noisy))
        return why_set(why, REFUSED, "%s: clipping at C = %g from L = %g, c_M = %g: give algo.C",
                       who, s->C, c.L, c.c_M);
    if (isnan(s->sigma) && strcmp(s->noise, "tree") && strcmp(s->calibration, "paper") == 0)
        return why_set(why, REFUSED, "%s: the printed sigma is that of the tree", who);
    if (isnan(s->sigma) && isfinite(s->mu) && levels(&c, s) == 0)
        return why_set(why, REFUSED, "%s: the printed sigma is 0 at T = 1", who);
    param_choose(&s->sigma, isinf(s->mu) ? 0 : s->C / (double)s->B * sqrt(levels(&c, s)) / s->mu);
    return OK;
}

/* --- the method */

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *y)
{
    const struct srgd *s = vp;
    long d = oracle_dim(o);
    double *x = arena_vec(w, d), *before = arena_vec(w, d), *z = arena_vec(w, d);
    double *Delta = arena_vec(w, d), *nabla = arena_vec(w, d);
    struct noisy_sum G = noisy_sum_new(o, w, s->noise, s->T, d);
    const struct coupling c = { .x = x, .y = y, .z = z, .kappa = s->kappa, .beta = s->beta };
    struct ticket batch;
    bool clips = strcmp(s->clip, "on") == 0;
    const struct release r = { .site = "accelerated-dp-srgd.prefix", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch,
                               .failure = clips ? 0 : 1 };

    arena_seal(w);
    vec_copy(d, y, x);
    vec_copy(d, y, z);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        double eta = (double)t + 1;
        const double *const points[] = { x, before }, a[] = { eta, -(eta - 1) };
        if (!oracle_batch(o, &(struct batch){ .ticket = &batch, .points = t ? 2 : 1, .x = points,
                                              .a = a, .clip = clips ? CLIP_NORM : CLIP_NONE, .C = s->C,
                                              .g = Delta }))
            break;
        if (t)
            oracle_note(o, MOVE, eta * vec_dist(d, x, before));
        noisy_sum_add(o, &G, &r, s->sigma, d, Delta);
        vec_lincomb(d, 1 / eta, G.sum, 0, G.sum, nabla);
        oracle_estimate(o, x, nabla);
        oracle_note(o, NOISE, vec_dist(d, G.noisy, G.sum));
        vec_copy(d, x, before);
        coupling_step(o, &c, t, eta, G.noisy);
        oracle_depth(o, 3);
        oracle_mark(o, y);
    }
    return OK;
}

const struct algo algo_accelerated_dp_srgd = {
    .name = "accelerated-dp-srgd",
    .doc = "accelerated DP-SRGD: one epoch of large batches, tree noise on prefix sums",
    .cite = "Choquette-Choo, Ganesh, Thakurta, Optimal Rates for O(1)-Smooth DP-SCO, Algorithm 1",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct srgd),
    .notes = notes,
    .tune = tune,
    .run = run,
    .variants = (const char *const[]){ "noise=root", "noise=independent", NULL },
    .mechanisms = mechanisms,
};

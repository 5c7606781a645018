/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multi_epoch_dp_sgd.c - DP-SGD that visits records more than once
 *
 *     g_t = mean over B_t of clip( grad f(x_t,d), C ) + N(0, sigma^2 I) + lambda (x_t - x_1),
 *     x_{t+1} = P( prox_{h_t psi}( x_t - h_t g_t ) ),   t = 1 ... T
 *
 * d is a record of the batch B_t, x_1 the start, and h_t = h where nothing else is said. lambda is 0, or the weight
 * of a regulariser without data. psi is the simple part of the objective, if there is one; it is never clipped. The
 * parameter `variant` says how B_t is drawn from the n records; privacy is that of zero-out adjacency, for any f:
 *   passes   E passes over n/B fixed disjoint batches: T = E n/B, sigma = C sqrt(E)/(B mu).
 *   bst14    T = n^2, B_t has each record with probability 1/n; h_t = h/sqrt(t), answer x_{T+1}, h = R/v.
 *            The paper has sigma = (L/(n eps)) sqrt(32 T ln(n/delta) ln(1/delta)). The excess empirical risk is
 *            L R sqrt(p ln(1/delta))/(n eps) (Bassily, Smith, Thakurta, FOCS 2014, Theorem 2.4).
 *   bftt19   T = min{n/8, eps^2 n^2/(32 p ln(2/delta))}, B = max{n sqrt(eps/(4T)), 1} draws with
 *            replacement, sigma = (L/(n eps)) sqrt(8 T ln(1/delta)), eps <= 1, h = R/(L sqrt(T)),
 *            averaged answer. Excess L R max{1/sqrt(n), sqrt(p ln(1/delta))/(n eps)} if M <= (L/R)
 *            min{sqrt(n), eps n/sqrt(p ln(1/delta))} (Bassily, Feldman, Talwar, Thakurta, NeurIPS
 *            2019, Theorem 3.2).
 *            smoothing=envelope: f(.,d) is replaced by its Moreau envelope min_v f(v,d) +
 *            (M/2)|v - x|^2 with M equal to that bound, for f that are not smooth; a proximal point is
 *            charged as prox_grads = n^3 gradients, its cost in general (their Section 4).
 *   bfgt20   T = n^2, one draw with replacement, sigma as of bftt19, h = R/(L n max{ sqrt(n),
 *            sqrt(p ln(1/delta))/eps }), averaged answer. Excess L R max{1/sqrt(n),
 *            sqrt(p ln(1/delta))/(n eps)} without smoothness (Bassily, Feldman, Guzman, Talwar, NeurIPS
 *            2020, Section 5).
 *   poisson  T = E n/B, B_t has each record with probability B/n, B = 1 by default, answer x_{T+1} (Abadi
 *            et al., CCS 2016), as multi-epoch experiments run it.
 * The parameter `calibration` sets sigma. paper: as above, and for `poisson` as rdp. rdp: from Renyi divergences of
 * integer orders for random samples, from zCDP for `passes`. exact: from the composed privacy loss. With rdp and
 * exact, bftt19 and bfgt20 take Poisson samples of rate B/n, since there is no sharp accountant for sampling with
 * replacement. With sensitivity=2C sigma is doubled, as for records replaced instead of zeroed. `passes` has
 * h = min{1/(2M), R/(sqrt(T) v)} and an averaged answer, as dp-sgd; `poisson` has this h too. R is the diameter, p
 * the dimension, v^2 = L^2/B + p sigma^2. A T above what the goal allows is lowered; with literal constants the run
 * is refused instead. */
#include "gdp.h"

struct multi {
    const char *variant, *calibration, *answer, *sensitivity, *smoothing;
    long T, B, E;
    double passes, n, mu, C, sigma, step, c, lambda, M, prox_grads;
    double rounds;                   /* T of random samples, which may exceed a long */
};

static const struct param params[] = {
    PARAM_WORD(multi, variant, "passes", "passes|bst14|bftt19|bfgt20|poisson",
               "how batches are drawn"),
    PARAM_WORD(multi, calibration, "exact", "exact|classical|paper|rdp", "where sigma comes from"),
    PARAM_WORD(multi, answer, "variant", "variant|average|last", "which iterate is the answer"),
    PARAM_WORD(multi, sensitivity, "C", "C|2C", "what one record changes, as sigma has it"),
    PARAM_WORD(multi, smoothing, "none", "none|envelope", "gradients of f, or of its envelope"),
    PARAM(multi, T, 0, 0, 0x1p52, "steps", "rounds; 0: the variant's, of passes E sqrt(n)"),
    PARAM(multi, B, 0, 0, 0x1p52, "samples", "batch size, of samples the mean; 0: the variant's"),
    PARAM(multi, E, 4, 1, 0x1p40, "passes", "passes over the records, of passes"),
    PARAM(multi, passes, NAN, 0, 0x1p40, "passes", "B T/n of poisson; default E"),
    PARAM(multi, n, NAN, 1, 0x1p52, "records", "default fact n, of passes what the goal buys"),
    PARAM(multi, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target of passes; default from goal"),
    PARAM(multi, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(multi, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise; 0: none"),
    PARAM(multi, step, NAN, 0, INFINITY, "x^2/f", "h; default the variant's"),
    PARAM(multi, c, 1, 0, INFINITY, "1", "multiplies the variant's h"),
    PARAM(multi, lambda, 0, 0, INFINITY, "f/x^2", "weight of (lambda/2)|x - x_1|^2"),
    PARAM(multi, M, NAN, 1e-300, INFINITY, "f/x^2", "of the envelope; default as above"),
    PARAM(multi, prox_grads, NAN, 1, INFINITY, "gradients", "charged for a proximal point; n^3"),
    PARAM_END
};

static const char who[] = "multi-epoch-dp-sgd";

static bool is(const char *word, const char *wanted) { return strcmp(word, wanted) == 0; }
static bool sampled(const struct multi *s) { return !is(s->variant, "passes"); }
static bool steady(const struct multi *s) { return is(s->variant, "poisson"); }
static bool enveloped(const struct multi *s) { return is(s->smoothing, "envelope"); }
static bool replaces(const struct multi *s)
{
    return (is(s->variant, "bftt19") || is(s->variant, "bfgt20")) && is(s->calibration, "paper");
}

/* --- the choice of n, T, B, sigma and h for `tune` */

static double rounds(double n, const void *ctx) { return fmax(1, rint(sqrt(n))); }

/* Chooses n, B and T for E passes, each as one_pass_shape chooses them. */
static enum status shape_passes(const struct facts *f, const struct goal *goal, struct multi *s,
                                struct why *why)
{
    struct goal pass = *goal;
    double E = (double)s->E, n = isnan(s->n) ? one_pass_samples(f, goal, E) : s->n;
    long T = s->T / s->E;
    pass.T = s->T ? NAN : floor(goal->T / E);
    if (s->T && s->T % s->E)
        return why_set(why, REFUSED, "%s: T = %ld rounds are not E = %ld passes", who, s->T, s->E);
    if (!s->T && goal->T < E)
        return why_set(why, REFUSED, "%s: E = %ld passes do not fit goal T = %g", who, s->E,
                       goal->T);
    TRY(one_pass_shape(&pass, n, rounds, NULL, &T, &s->B, who, why));
    s->T = T * s->E;
    param_choose(&s->n, (double)(T * s->B));
    return OK;
}

/* Chooses T and B for random samples by the theorem; with practical constants they are lowered to what the goal
 * allows. */
static enum status shape_samples(const struct facts *f, const struct goal *goal, struct multi *s,
                                 struct why *why)
{
    param_choose(&s->n, f->n);
    double n = s->n, eps = goal->eps, T = n * n, B = 1;
    if (enveloped(s))
        param_choose(&s->prox_grads, n * n * n);
    if (!(n < INFINITY))
        return why_set(why, REFUSED, "%s: variant %s draws from stored records: n = %g", who,
                       s->variant, n);
    if (!goal->count && !replaces(s) && n != f->n)
        return why_set(why, REFUSED, "%s: algo.n = %g: Poisson samples are of all stored records: expected "
                       "their number, %g", who, n, f->n);
    if (steady(s))
        T = rint((isnan(s->passes) ? (double)s->E : s->passes) * n / fmax(1, (double)s->B));
    if (steady(s) && !s->T && !(T >= 1))
        return why_set(why, REFUSED, "%s: passes = %g over %g records are no step", who, s->passes,
                       n);
    if (is(s->variant, "bftt19")) {
        if (!(eps > 0 && goal->delta > 0))
            return why_set(why, REFUSED, "%s: variant bftt19 needs goal eps and delta", who);
        if (eps > 1 && goal->constants == CONSTANTS_THEORY)
            return why_set(why, REFUSED, "%s: variant bftt19 is proven for eps <= 1", who);
        T = fmax(1, floor(fmin(n / 8, eps * eps * n * n / (32 * f->d * log(2 / goal->delta)))));
        B = fmin(n, fmax(1, ceil(n * sqrt(eps / (4 * T)))));
    }
    double cost = enveloped(s) ? s->prox_grads : 1;
    double samples = fmin(isnan(goal->n) ? INFINITY : goal->n,
                          isnan(goal->budget) ? INFINITY : goal->budget / cost);
    double most = fmin(isnan(goal->T) ? INFINITY : goal->T, samples);
    T = s->T ? (double)s->T : T;
    B = s->B ? (double)s->B : isnan(goal->B) ? B : goal->B;
    if (goal->constants == CONSTANTS_THEORY && (T > most || T * B > samples))
        return why_set(why, REFUSED, "%s: variant %s needs T = %g rounds of %g samples, %g "
                       "gradients: use --constants practical", who, s->variant, T, B,
                       T * B * cost);
    s->rounds = fmax(1, fmin(T, most));
    if (!(goal->count || s->rounds < 0x1p52))
        return why_set(why, REFUSED, "%s: variant %s takes T = %g rounds of n = %g records: fewer "
                       "by algo.T, or counts alone (--count)", who, s->variant, T, n);
    s->T = (long)fmin(s->rounds, 0x1p52);
    s->B = (long)fmax(1, fmin(B, floor(samples / s->rounds)));
    if (!(goal->count || s->rounds * (double)s->B * cost < 0x1p53))
        return why_set(why, REFUSED, "%s: more than 2^53 gradients would be charged: give "
                       "algo.prox_grads, or count alone (--count)", who);
    if (s->B > n)
        return why_set(why, REFUSED, "%s: B = %ld of n = %g records", who, s->B, n);
    return OK;
}

/* *out <- sigma/C. */
static enum status relative_noise(const struct goal *goal, struct multi *s, double *out,
                                  struct why *why)
{
    double T = s->rounds, B = (double)s->B, n = s->n, eps = goal->eps, delta = goal->delta;
    *out = 0;
    if (!sampled(s)) {
        TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
        *out = isinf(s->mu) ? 0 : sqrt((double)s->E) / (B * s->mu);
        return OK;
    }
    if (!(eps < INFINITY) && isnan(goal->rho))
        return OK;
    if (!(eps > 0 && eps < INFINITY && delta > 0 && delta < 1))
        return why_set(why, REFUSED, "%s: variant %s needs goal eps > 0 and 0 < delta < 1", who,
                       s->variant);
    if (is(s->calibration, "rdp") || (steady(s) && is(s->calibration, "paper")))
        *out = noise_poisson_rdp_sd(B / n, T, eps, delta) / B;
    else if (!is(s->calibration, "paper"))
        *out = noise_poisson_sd(B / n, T, eps, delta) / B;
    else if (is(s->variant, "bst14"))
        *out = sqrt(32 * T * log(n / delta) * log(1 / delta)) / (n * eps);
    else
        *out = sqrt(8 * T * log(1 / delta)) / (n * eps);
    return OK;
}

/* Returns h for random samples, except for `poisson`. root = sqrt(p ln(1/delta))/eps. */
static double sampled_step(const struct facts *f, const struct multi *s, double root)
{
    double L = fmin(s->C, isnan(f->L) ? INFINITY : f->L), R = f->diameter;
    if (is(s->variant, "bst14"))
        return R / batch_error(f, s->B, s->C, s->sigma);
    if (is(s->variant, "bfgt20"))
        return R / (L * s->n * fmax(sqrt(s->n), root));
    return R / (L * sqrt(s->rounds));
}

static enum status envelope_choose(const struct facts *f, struct multi *s, double root,
                                   struct why *why)
{
    if (!is(s->variant, "bftt19"))
        return why_set(why, REFUSED, "%s: smoothing=envelope is of variant bftt19, not %s", who,
                       s->variant);
    param_choose(&s->M, f->L / f->diameter * fmin(sqrt(s->n), root > 0 ? s->n / root : INFINITY));
    if (!(s->M > 0 && s->M < INFINITY))
        return why_set(why, REFUSED, "%s: M of the envelope needs L and the diameter; or algo.M",
                       who);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct multi *s = vp;
    double noise = 0;
    double root = goal->eps > 0 && goal->eps < INFINITY ? sqrt(f->d * log(1 / goal->delta)) / goal->eps : 0;
    TRY(sampled(s) ? shape_samples(f, goal, s, why) : shape_passes(f, goal, s, why));
    if (isnan(s->sigma))
        TRY(relative_noise(goal, s, &noise, why));
    noise *= is(s->sensitivity, "2C") ? 2 : 1;
    bool noisy = noise > 0 || s->sigma > 0;
    param_choose(&s->C, noisy ? f->L : INFINITY);
    if (isnan(s->C) || (isinf(s->C) && noisy))
        return why_set(why, REFUSED, "%s: clipping at C = L = %g: give algo.C", who, s->C);
    param_choose(&s->sigma, noisy ? noise * s->C : 0);
    double T = sampled(s) ? s->rounds : (double)s->T;
    if (!(s->sigma < INFINITY))
        return why_set(why, REFUSED, "%s: no noise is known to make %g rounds of B = %ld of n = %g records "
                       "private: another algo.B, or calibration=exact", who, T, s->B, s->n);
    double h = fmin(1 / (2 * f->M), f->diameter / (sqrt(T) * batch_error(f, s->B, s->C, s->sigma)));
    if (sampled(s) && !steady(s))
        h = sampled_step(f, s, root);
    param_choose(&s->step, s->c * h);
    if (enveloped(s))
        TRY(envelope_choose(f, s, root, why));
    if (!(s->step < INFINITY))
        return why_set(why, REFUSED, "%s's step needs the diameter and L, or M; or algo.step", who);
    return OK;
}

/* --- the method */

/* *now <- the batch of round t. For `passes` it is a part of *all, which is taken in round 0. Returns false if the
 * budget is spent. */
static bool batch_of(struct oracle *o, const struct multi *s, long t, struct ticket *all,
                     struct ticket *now)
{
    long each = s->T / s->E;
    if (replaces(s))
        return oracle_draw(o, s->B, now);
    if (sampled(s))
        return oracle_poisson(o, (double)s->B / s->n, now);
    if (t == 0 && !oracle_take(o, each * s->B, all))
        return false;
    all->aggregated = false;             /* the parts of *all are asked in every pass */
    *now = ticket_part(all, t % each * s->B, s->B);
    return true;
}

/* In count mode: charges all rounds of random samples at their expected size, without running them. The counts
 * max_visits and nonzeros are left as they are. */
static void count_rounds(struct oracle *o, const struct multi *s, bool composite)
{
    double T = s->rounds, B = (double)s->B;
    if (!oracle_charge(o, COUNT_sample_grads, T * B * (enveloped(s) ? s->prox_grads : 1)))
        return;
    oracle_charge(o, COUNT_batch_steps, T);
    oracle_charge(o, COUNT_taken, T * B);
    oracle_charge(o, COUNT_noise_gauss, T);
    oracle_charge(o, COUNT_prox, composite ? T : 0);
    oracle_charge(o, COUNT_project_0, isfinite(oracle_radius(o)) ? T : 0);
    oracle_depth(o, 3 * T);
}

/* g[d] <- the mean over B_t of the clipped gradients, without noise. Returns false if the budget is spent. */
static bool mean_gradient(struct oracle *o, const struct multi *s, const struct ticket *batch,
                          const double *x, double *g)
{
    double each = (double)s->B * (s->prox_grads - 1);
    if (!enveloped(s))
        return oracle_clipped(o, batch, x, s->C, g);
    return oracle_charge(o, COUNT_sample_grads, each) &&
           oracle_batch(o, &(struct batch){ .ticket = batch, .points = 1, .x = &x,
                                            .clip = CLIP_NORM, .C = s->C, .envelope = s->M,
                                            .g = g });
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct multi *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *mean = arena_vec(w, d), *start = arena_vec(w, d);
    bool falls = is(s->variant, "bst14"), composite = oracle_composite(o);
    bool average = is(s->answer, "variant") ? !falls && !steady(s) : is(s->answer, "average");
    struct ticket all, batch;
    const struct release r = { .site = "multi-epoch-dp-sgd.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    vec_copy(d, x, mean);
    vec_copy(d, x, start);
    bool counted = sampled(s) && oracle_counting(o);
    if (counted)
        count_rounds(o, s, composite);
    for (long t = 0; !counted && t < s->T && batch_of(o, s, t, &all, &batch); t++) {
        double t1 = (double)t + 1;
        if (!mean_gradient(o, s, &batch, x, g))
            break;
        noise_gaussian(o, &r, s->sigma, d, g);
        double h = falls ? s->step / sqrt(t1) : s->step, shrink = 1 - h * s->lambda;
        if (s->lambda > 0)
            vec_lincomb(d, shrink, x, 1 - shrink, start, x);
        vec_axpy(d, -h, g, x);
        if (composite)
            oracle_prox(o, h, x, x);
        oracle_project(o, 0, x);
        vec_axpby(d, 1 / t1, x, 1 - 1 / t1, mean);
        oracle_depth(o, 3);
        oracle_mark(o, average ? mean : x);
    }
    if (average)
        vec_copy(d, mean, x);
    return OK;
}

/* Returns the expected number of gradients of a run on random samples; NaN for `passes`. */
static double expects(const struct facts *f, const void *vp)
{
    const struct multi *s = vp;
    return sampled(s) ? s->rounds * (double)s->B : NAN;
}

const struct algo algo_multi_epoch_dp_sgd = {
    .name = "multi-epoch-dp-sgd",
    .doc = "DP-SGD over several epochs: fixed batches, Poisson samples, or draws with replacement",
    .cite = "Bassily, Smith, Thakurta, FOCS 2014; Bassily, Feldman, Talwar, Thakurta, NeurIPS 2019",
    .calls = CALL_SAMPLES | CALL_PROX | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct multi),
    .tune = tune,
    .expects = expects,
    .run = run,
};

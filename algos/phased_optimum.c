/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phased_optimum.c - private stochastic convex optimisation by optimum estimation (Asi, Carmon, Jambulapati,
 * Jin, Sidford 2021, Algorithm 6 and Theorem 6, which is conditional)
 *
 *     k = ceil(log2 n),  nbar = floor(n/k),  B = b (ln(1/beta) + C_2 ln^2 n),  b = 20,
 *     eta = (R/G) min{ 1/sqrt(n), alpha/(B ln(n) sqrt(d ln(1/beta))) }
 *     phases i = 1 ... k: nbar fresh samples, eta_i = eta/16^i, mu_i = 1/(eta_i nbar),
 *         F_i(x) = (1/nbar) sum f(x,s_j) + mu_i |x - P(x_{i-1})|^2,  delta_i = G/(mu_i sqrt(nbar)),
 *         xt_i = mean of nbar estimates O(F_i),    x_i = xt_i + N(0, (sigma eta_i)^2 I),
 *         sigma = 8 G B (sqrt(C_1 ln n) + 2) sqrt(ln(2/beta))/alpha
 *     answer x_k, projected
 *
 * Assumptions: f(.,s) is convex and G-Lipschitz, R is the radius of the feasible set. The method shall be (alpha,
 * beta)-private for one record replaced. Three things differ from the print, where sigma lacks G, phase i has the
 * samples of phase k, and x_{i-1} is not projected (P moves it no farther from any point of the set).
 *
 * The theorem assumes an estimator O (Definition 3) with
 *
 *     |E O - x*| <= delta_i,  |O - x*|^2 <= C_1 (G/mu_i)^2 ln(G/(mu_i delta_i)) always,
 *     C_2 ln(G/(mu_i delta_i)) gradients of uniform samples in the mean.
 *
 * Such an O stays within (sqrt(C_1 ln n) + 1) G/mu_i of x_{i-1}. If at most B of the nbar estimates (copies) use a
 * record, that record moves xt_i by at most C eta_i, C = 2 B (sqrt(C_1 ln n) + 2) G. No such O is known. The
 * parameter `estimator` offers:
 *
 *     mlmc     draws of parts/mlmc.h up to T_max = 16 nbar, whose bias is delta_i. They are unbounded, so
 *              that C is booked to fail with probability 1: a run is never private
 *     plain    runs of EpochSGD with the budget T_max a copy; their mean is that of `mlmc`, at full cost; also
 *              without a bound
 *     clipped  draws cut to sqrt(C_1 ln n) G/mu_i around x_0 = P(x_{i-1}). Levels and indices do not
 *              depend on the data: a run in which more than B copies use a record is refused, and the
 *              bound holds with certainty. Private, but biased: no bound on the excess
 *     exact    all that Definition 3 asks except the number of gradients: argmin F_i to 1e-6 G eta_i,
 *              plus an independent vector of length sqrt(C_1 ln sqrt(nbar)) G/mu_i for each of the nbar
 *              copies. Private. It needs M, and is refused if the noise of late phases is below the
 *              rounding of P
 *
 * Lemma 13 holds for alpha <= ln(1/beta), Lemma 14 for beta <= 1/n; elsewhere the noise of the paper is refused.
 * sigma = C/mu, from the exact privacy curve, needs neither condition. sigma = 0 is allowed, without privacy. */
#include <string.h>
#include "certified_erm.h"
#include "convex.h"
#include "localise.h"
#include "mlmc.h"

struct own {
    const char *calibration, *estimator;
    long n, k;
    double B, b, C_1, C_2, T_max, mu, eta, c, sigma, G, M, R;
};

static const struct param params[] = {
    PARAM_WORD(own, calibration, "exact", "exact|classical|paper|printed",
               "exact curve, classical bound, or sigma of Algorithm 6; printed: without G"),
    PARAM_WORD(own, estimator, "clipped", "clipped|exact|mlmc|plain", "O"),
    PARAM(own, n, 0, 0, 0x1p52, "samples", "samples of all phases; 0: what the goal allows"),
    PARAM(own, k, 0, 0, 1000, "phases", "0: ceil(log2 n)"),
    PARAM(own, B, NAN, 1e-300, 1e300, "copies", "that may use one record; default by b"),
    PARAM(own, b, NAN, 1e-300, 1e300, "1", "factor of B; default 20 in theory, else 1"),
    PARAM(own, C_1, 1, 1e-300, 1e300, "1", "of Definition 3: size"),
    PARAM(own, C_2, 1, 1e-300, 1e300, "1", "of Definition 3: gradients"),
    PARAM(own, T_max, NAN, 1, 0x1p52, "gradients", "of a draw; default 16 nbar"),
    PARAM(own, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(own, eta, NAN, 1e-300, 1e300, "x^2/f", "before phase 1; default the theorem's"),
    PARAM(own, c, 1, 1e-300, 1e300, "1", "multiplies the theorem's eta"),
    PARAM(own, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise over eta_i; 0: none"),
    PARAM(own, G, NAN, 1e-300, 1e300, "f/x", "bound on one gradient; default fact L"),
    PARAM(own, M, NAN, 0, INFINITY, "f/x^2", "smoothness, of exact; default fact M"),
    PARAM(own, R, NAN, 1e-300, 1e300, "x", "radius of the set; default the fact"),
    PARAM_END
};

enum { NOTE_COPIES, NOTE_REUSE, NOTE_FAR, NOTE_CLIPPED, NOTE_QUERIES };
static const struct note notes[] = {
    { "copies", "copies", "largest number of copies that use one record", REDUCE_MAX },
    { "reuse", "copies", "mean number of copies that use a record", REDUCE_MEAN },
    { "far", "1", "largest |O - x_0| over (sqrt(C_1 ln n) + 1) G/mu_i, of phases that doubles "
      "resolve", REDUCE_MAX },
    { "clipped", "1", "part of the copies that is cut", REDUCE_MEAN },
    { "queries", "gradients", "what Definition 3 would ask, of exact", REDUCE_SUM },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "noise", "Gaussian noise after every phase, and the shorter eta that B copies ask for", MECHANISM_COSTS,
      { { "algo.sigma", 0 }, { "algo.B", 1e-3 } } },
    { "noise alone", "Gaussian noise after every phase, with eta as it is", MECHANISM_COSTS,
      { { "algo.sigma", 0 } } },
    { 0 }
};

static const char who[] = "phased-optimum";
static const double NEAR = 1e-6;         /* estimator exact: bound on |xh_i - argmin F_i|, in units of G eta_i */
static const double ROUNDED = 0x1p-44;   /* how much rounding may add to |xh_i - argmin F_i|, in units of R */
static const double SEEN = 0x1p-40;      /* the least noise that is above this rounding, in units of R */

static bool is(const char *word, const char *wanted) { return strcmp(word, wanted) == 0; }

/* Returns sqrt(C_1 ln n), the distance from x_0 at which the estimator `clipped` cuts, in units of G/mu_i. */
static double size(const struct own *s) { return sqrt(s->C_1 * log((double)s->n)); }

static double sensitivity(const struct own *s)
{
    double C = 2 * s->B * (size(s) + 2) * s->G;
    return is(s->estimator, "exact") ? fmax(C, (1 + 2 * NEAR) * s->G) : C;
}

/* --- the choice of phases, noise and step length for `tune` */

/* Returns, as FACT_BITs, the facts that tune reads. M is needed by the estimator `exact` only. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    unsigned long always = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(weak) |
                           FACT_BIT(radius);
    return always | (is(((const struct own *)vp)->estimator, "exact") ? FACT_BIT(M) : 0);
}

static enum status shape(const struct facts *f, const struct goal *goal, struct own *s,
                         struct why *why)
{
    /* About the mean number of gradients of a copy, which is log2(T_max) - 4.66. T_max follows from n, which is not
     * yet known, so that the budget stands for it. */
    double each = log2(goal->budget) - 4.66;
    double n = one_pass_samples(f, goal, fmax(1, each));

    if (!s->n && !(n >= 2 && n < 0x1p52))
        return why_set(why, REFUSED, "%s needs goal n or budget of at least 2 samples", who);
    param_choose_count(&s->n, (long)n);
    param_choose_count(&s->k, (long)fmax(1, ceil(log2((double)s->n))));
    long nbar = s->n / s->k;
    if (nbar < 16)
        return why_set(why, REFUSED, "%s: n = %ld samples in k = %ld phases: expected at least 16 "
                       "in each, the points of an epoch", who, s->n, s->k);
    param_choose(&s->T_max, ceil(16 * (double)nbar));
    double rounds = (double)s->k * epoch_sgd_gradients(epoch_sgd_epochs(s->T_max));
    if (!is(s->estimator, "exact") && goal->T < rounds)
        return why_set(why, REFUSED, "%s: goal T = %g: the longest draws of %ld phases take %g "
                       "batch steps", who, goal->T, s->k, rounds);
    return OK;
}

/* Refuses a goal that does not satisfy the conditions of Lemmas 13 and 14. */
static enum status conditions(const struct goal *goal, double n, struct why *why)
{
    double alpha = goal->eps, beta = goal->delta;
    if (!(alpha > 0 && beta > 0 && beta < 1))
        return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps > 0 and "
                       "0 < delta < 1", who, alpha, beta);
    if (!(alpha <= log(1 / beta)))
        return why_set(why, REFUSED, "%s: noise as in the paper is proven for eps <= ln(1/delta) "
                       "= %g, not eps = %g", who, log(1 / beta), alpha);
    if (!(beta * n <= 1))
        return why_set(why, REFUSED, "%s: noise as in the paper is proven for delta <= 1/n = %g, "
                       "not delta = %g", who, 1 / n, beta);
    return OK;
}

static enum status noise(const struct goal *goal, struct own *s, struct why *why)
{
    bool printed = is(s->calibration, "printed");
    if ((printed || is(s->calibration, "paper")) && isnan(s->mu) && goal->eps < INFINITY) {
        TRY(conditions(goal, (double)s->n, why));
        s->mu = goal->eps / (4 * sqrt(log(2 / goal->delta)));
    }
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    double sigma = isinf(s->mu) ? 0 : sensitivity(s) / s->mu;
    param_choose(&s->sigma, printed ? sigma / s->G : sigma);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *s = vp;

    TRY(convex_lipschitz(f, who, why));
    TRY(shape(f, goal, s, why));
    double n = (double)s->n, ln = log(n), beta = goal->delta > 0 ? goal->delta : 1 / (n * n);
    param_choose(&s->b, goal->constants == CONSTANTS_THEORY ? 20 : 1);
    param_choose(&s->B, s->b * (log(1 / beta) + s->C_2 * ln * ln));
    param_choose(&s->G, f->L);
    param_choose(&s->M, f->M);
    TRY(noise(goal, s, why));
    param_choose(&s->R, f->radius);
    double strength = goal->eps < INFINITY ? goal->eps / sqrt(log(1 / beta)) : 4 * s->mu;
    param_choose(&s->eta, s->c * s->R / s->G *
                              fmin(1 / sqrt(n), strength / (s->B * ln * sqrt(f->d))));
    if (!(s->eta > 0 && s->eta < INFINITY))
        return why_set(why, REFUSED, "%s's eta needs the radius and L > 0, not %g and %g; or "
                       "algo.eta", who, s->R, s->G);
    double eta_k = ldexp(s->eta, -4 * (int)s->k), last = s->sigma * eta_k;
    if (!(2 / (eta_k * (double)(s->n / s->k)) < INFINITY))
        return why_set(why, REFUSED, "%s: algo.k = %ld: expected fewer phases: eta_k = eta/16^k = %g is too small "
                       "for doubles", who, s->k, eta_k);
    double apart = (1 + 2 * NEAR) * s->G * eta_k + 2 * ROUNDED * s->R;
    bool seen = last >= SEEN * s->R && sensitivity(s) * eta_k >= apart;
    if (is(s->estimator, "exact") && last > 0 && !seen)
        return why_set(why, REFUSED, "%s: the noise of phase k = %ld has sd %.2g, too little beside "
                       "the rounding of R = %g: give algo.k", who, s->k, last, s->R);
    if (is(s->estimator, "exact") && !(s->M < INFINITY))
        return why_set(why, REFUSED, "%s solves F_i for smooth losses only: estimator = exact needs "
                       "M, not M = %g", who, s->M);
    return OK;
}

/* --- estimates of argmin F_i */

struct copies {
    const struct own *s;
    struct mlmc m;
    struct certified_erm F;
    struct rng *rng;
    struct ticket samples;           /* the nbar samples of the phase */
    double unit;                     /* G/mu_i */
    const double *start;             /* [d] x_0 = P(x_{i-1}) */
    double *shift;                   /* [d] argmin F_i - x_0, for the estimator `exact` only */
    long copy,                       /* number of the present copy */
         *last,                      /* [nbar] the last copy that used each record */
         *touched;                   /* [nbar] how many copies used each record */
    double far, clipped;             /* of the phase: the note `far`; the number of copies that were cut */
};

/* h[d] <- the gradient at x of a uniform sample of the phase. ctx is a struct copies. Returns false if the budget
 * is spent. */
static bool sample(void *ctx, const double *x, double *h)
{
    struct copies *c = ctx;
    long i = (long)rng_below(c->rng, (uint64_t)c->samples.count);
    struct ticket one = ticket_part(&c->samples, i, 1);

    if (c->last[i] != c->copy)
        c->touched[i]++;
    c->last[i] = c->copy;
    return oracle_batch(c->m.run.o, &(struct batch){ .ticket = &one, .points = 1, .x = &x,
                                                     .g = h });
}

/* m.term <- O - x_0 for one copy. Returns false if the budget is spent. */
static bool estimate(struct copies *c)
{
    struct mlmc *m = &c->m;
    long d = oracle_dim(m->run.o);

    if (is(c->s->estimator, "exact")) {
        double r = c->unit * sqrt(c->s->C_1 * log((double)c->samples.count) / 2);
        rng_sphere(c->rng, d, m->term);
        vec_axpby(d, 1, c->shift, r, m->term);
        return true;
    }
    if (is(c->s->estimator, "plain")) {
        oracle_branch(m->run.o);
        if (!epoch_sgd_run(&m->run, mlmc_epochs(m, m->jmax)))
            return false;
        vec_sub(d, m->run.x, c->start, m->term);
        return true;
    }
    int J = rng_geometric(c->rng);
    if (!mlmc_still(m, J))
        oracle_branch(m->run.o);
    return mlmc_correction(m, J);
}

/* m.total <- the sum of O - x_0 over the copies. Returns false if the budget is spent. */
static bool sum_of_copies(struct copies *c)
{
    struct mlmc *m = &c->m;
    struct oracle *o = m->run.o;
    long d = oracle_dim(o);
    bool whole = true, clips = is(c->s->estimator, "clipped");
    double most = size(c->s) * c->unit;
    /* An estimate multiplies x_J - x_(J-1), and so the rounding of x, by 2^J. The note `far` is kept only if G/mu_i
     * is well above that. */
    bool resolved = c->unit > ldexp(c->s->R, m->jmax - 40);

    vec_zero(d, m->total);
    vec_zero(d, m->carry);
    c->far = c->clipped = 0;
    oracle_fork(o);
    for (long t = 1; t <= c->samples.count && whole; t++) {
        c->copy = t;
        whole = estimate(c);
        if (!whole)
            continue;
        double norm = clips ? vec_clip_norm(d, most, m->term) : vec_norm(d, m->term);
        if (resolved)
            c->far = fmax(c->far, norm / (most + c->unit));
        c->clipped += clips && norm > most;
        mlmc_add(m);
    }
    oracle_join(o);
    return whole;
}

/* Writes the notes on how often the samples were used. Returns false, and refuses the run, if more than B copies
 * used a record and the bound C rests on it, as nothing may then be released. */
static bool reuse(const struct copies *c)
{
    struct oracle *o = c->m.run.o;
    double most = 0, sum = 0, nbar = (double)c->samples.count;
    for (long i = 0; i < c->samples.count; i++) {
        most = fmax(most, (double)c->touched[i]);
        sum += (double)c->touched[i];
    }
    oracle_note(o, NOTE_COPIES, most);
    oracle_note(o, NOTE_REUSE, sum / nbar);
    oracle_note(o, NOTE_FAR, c->far);
    oracle_note(o, NOTE_CLIPPED, c->clipped / nbar);
    if (is(c->s->estimator, "exact"))
        oracle_note(o, NOTE_QUERIES, nbar * c->s->C_2 * log(nbar) / 2);
    if (!is(c->s->estimator, "clipped") || most <= c->s->B)
        return true;
    oracle_refuse(o, "phased-optimum: more copies than B use one record, so nothing may be "
                  "released: another seed, or a larger algo.B");
    return false;
}

/* shift[d] <- argmin F_i - x_0. Returns false if the budget is spent. */
static bool minimise(struct copies *c, double eta)
{
    double mu = c->s->G / c->unit, error = NEAR * c->s->G * eta + ROUNDED * c->s->R;

    certified_erm_begin(&c->F, &c->samples, c->s->G, c->s->M, 2 * mu, error);
    c->F.c = c->start;
    vec_zero(oracle_dim(c->F.o), c->shift);
    return certified_erm_agm(&c->F, c->shift) && certified_erm_certify(&c->F, c->shift);
}

/* Solves a phase: u[d] <- xt_i - x_0. ctx points to a struct copies *. Returns false if the budget is spent. */
static bool solve(struct oracle *o, const struct phase *p, const void *ctx, const double *x_0,
                  double *u)
{
    struct copies *c = *(struct copies *const *)ctx;
    long d = oracle_dim(o);

    c->samples = p->samples;
    c->start = x_0;
    c->unit = c->s->G * p->eta * (double)p->n;
    c->m.run.mu = 2 / (p->eta * (double)p->n);
    c->m.run.z = x_0;
    memset(c->last, 0, (size_t)p->n * sizeof *c->last);
    memset(c->touched, 0, (size_t)p->n * sizeof *c->touched);
    if (is(c->s->estimator, "exact") && !minimise(c, p->eta))
        return false;
    if (!oracle_charge(o, COUNT_draws, (double)p->n) || !sum_of_copies(c) || !reuse(c))
        return false;
    vec_lincomb(d, 1 / (double)p->n, c->m.total, 0, c->m.total, u);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *s = vp;
    long d = oracle_dim(o), nbar = s->n / s->k;
    double *u = arena_vec(w, d);
    bool bounded = is(s->estimator, "clipped") || is(s->estimator, "exact");
    struct copies c = { .s = s, .F.o = o, .rng = rng, .shift = arena_vec(w, d),
                        .last = ARENA_ARRAY(w, nbar, long), .touched = ARENA_ARRAY(w, nbar, long) };
    struct copies *const ctx = &c;
    const struct localise l = { .site = "phased-optimum.phase", .n = s->n, .k = s->k,
                                .eta = s->eta, .C = sensitivity(s), .sigma = s->sigma,
                                .failure = !bounded };

    c.m = (struct mlmc){ .run = { .o = o, .grad = sample, .ctx = &c },
                         .jmax = mlmc_levels(s->T_max) };
    mlmc_reserve(&c.m, w);
    certified_erm_reserve(&c.F, w);
    arena_seal(w);
    localise(o, &l, solve, &ctx, u, x);
    return OK;
}

const struct algo algo_phased_optimum = {
    .name = "phased-optimum",
    .doc = "localisation by averaged optimum estimates; private where they are bounded, not as MLMC",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 6 and Theorem 6",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(weak) |
                FACT_BIT(radius),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};

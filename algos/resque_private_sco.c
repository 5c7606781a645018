/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_private_sco.c - private stochastic convex optimisation by localisation (Carmon, Jambulapati,
 * Jin, Lee, Liu, Sidford, Tian 2023, Corollary 3, Proposition 11 and Theorem 4; Kulkarni, Lee, Liu
 * 2021; Feldman, Koren, Talwar 2020)
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh samples, eta_i = eta/4^i, lambda_i = 2/(eta_i n_i)
 *         x_i = private minimiser of F_i(x) = (1/n_i) sum f(x; s) + (lambda_i/2)|x - x_(i-1)|^2
 *     eta = (R/L) min{ 1/sqrt(n), kappa_n/n },  kappa_n what the promise affords on n samples:
 *         n eps/sqrt(d) up to logarithms;  answer: the last x_i, projected
 *
 * F_i by Corollary 3: k = ceil(log2 log2 n_i) ball accelerations (parts/private_erm.h) from z_0 = x_(i-1),
 *     R_0 = min{ 2R, L/lambda_i },  stage j within R_j of z_j to L R_j/kappa_j,  R_(j+1) = (2 L
 *     R_j/(kappa_j lambda_i))^(1/2),  with 2^(j-k) of the slope of the promise,  kappa_j^2 <= 2^(j-k) n_i
 * A stage that cannot promise better than L R_j is left out, a phase all of whose stages are is the end. The
 * stages of a phase spend one promise: at orders that all of them have a price at.
 *
 * A sample is in one phase, so that each may spend the whole promise: budget = full. As printed, phase i
 * has eps/2^i and delta/2^i: halved; and Kulkarni, Lee, Liu have eta_i = eta/2^(5i): decay = 5. */
#include "private_erm.h"

struct own {
    struct private_erm erm;
    const char *budget;
    double eta, decay;
};

static const char who[] = "resque-private-sco";

static const struct param params[] = {
    PRIVATE_ERM_PARAMS,
    PARAM_WORD(own, budget, "full", "full|halved", "of phase i: the promise, or 2^-i of it"),
    PARAM(own, eta, NAN, 1e-300, 1e300, "x^2/f", "default as above"),
    PARAM(own, decay, 2, 1, 16, "1", "eta_i = eta 2^(-decay i); print: 5"),
    PARAM_END
};

enum { STAGES_MAX = 8 };
struct sco_phase {
    long n;
    double lambda;
    struct promise promise;          /* the phase's; share: of the stages, below */
    int k;                           /* stages */
    struct private_plan stage[STAGES_MAX];       /* kappa 0: left out */
    double share[STAGES_MAX];
};

static struct promise promise_of(const struct sco_phase *a, int j)
{
    struct promise s = a->promise;
    s.share = a->share[j];
    return s;
}

/* The least order at which a stage has no price; 0: all are left out. */
static double stages_of(const struct own *s, struct sco_phase *a)
{
    const struct private_erm *p = &s->erm;
    double n = (double)a->n, R = fmin(2 * p->R, p->L / a->lambda), cap = INFINITY;
    bool any = false;
    for (int j = 0; j < a->k; j++) {
        a->share[j] = ldexp(1, j - a->k);
        const struct promise one = promise_of(a, j);
        a->stage[j] = private_best(p, n, R, a->lambda, sqrt(n * a->share[j]) / p->c_n, &one);
        if (!(a->stage[j].kappa > 1)) {
            a->stage[j].kappa = 0;
            continue;
        }
        R = fmin(R, sqrt(2 * p->L * R / (a->stage[j].kappa * a->lambda)));
        cap = fmin(cap, a->stage[j].cap);
        any = true;
    }
    return any ? cap : 0;
}

/* Phase i = 1, 2, ...; n = 0 behind the last. Planned twice: each stage by itself, then at the orders that are
 * left of all. */
static struct sco_phase phase_of(const struct own *s, int i)
{
    const struct private_erm *p = &s->erm;
    double share = strcmp(s->budget, "halved") == 0 ? ldexp(1, -i) : 1;
    struct sco_phase a = { .n = i < 63 ? p->n >> i : 0,
                           .promise = { .eps = p->eps * share, .delta = p->delta * share } };
    double n = (double)a.n;
    if (a.n < 16)
        return (struct sco_phase){ .n = 0 };
    a.lambda = 2 / (s->eta * exp2(-s->decay * i) * n);
    a.k = (int)ceil(log2(log2(n)));
    a.promise.cap = stages_of(s, &a);
    if (!(a.promise.cap > 0 && (isnan(p->eps) || stages_of(s, &a) > 0)))
        a.n = 0;
    return a;
}

/* Is rho/r what Lemma 5 asks for all stages? Raised where it is not. */
static bool ratio_holds(struct own *s)
{
    bool raised = false;
    struct sco_phase a = phase_of(s, 1);
    for (int i = 1; a.n; a = phase_of(s, ++i))
        for (int j = 0; j < a.k; j++) {
            const struct promise one = promise_of(&a, j);
            if (a.stage[j].kappa > 0)
                raised |= private_raise_ratio(&s->erm, &one, &a.stage[j]);
        }
    return !raised;
}

/* Gradients of all plans in the mean, with two line searches a round. */
static double cost_of(const struct own *s)
{
    double cost = 0;
    struct sco_phase a = phase_of(s, 1);
    for (int i = 1; a.n; a = phase_of(s, ++i))
        for (int j = 0; j < a.k; j++)
            cost += a.stage[j].kappa > 0 ? private_plan_gradients(&s->erm, &a.stage[j], 2) : 0;
    return cost;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *s = vp;
    struct private_erm *p = &s->erm;

    bool ratio = isnan(p->c_rho) && strcmp(p->drift, "paper") == 0;
    TRY(private_choose(f, goal, p, who, why));
    const struct promise all = { .eps = p->eps, .delta = p->delta, .share = 1 };
    double n = (double)p->n, most = private_best(p, n, p->R, 0, n, &all).kappa;
    param_choose(&s->eta, p->R / p->L * fmin(1 / sqrt(n), most / n));
    while (ratio && p->theory && s->eta > 0 && !ratio_holds(s))
        continue;
    if (!(s->eta > 0 && phase_of(s, 1).n > 0))
        return why_set(why, REFUSED, "%s: of n = %ld samples no phase promises better than where it "
                       "starts (kappa_n = %.3g): more samples, a larger eps, or --constants practical",
                       who, p->n, most);
    double cost = cost_of(s), limit = isnan(goal->budget) ? INFINITY : goal->budget;
    if (!goal->count)
        limit = fmin(limit, 0x1p36);
    if (cost > limit)
        return why_set(why, REFUSED, "%s: about %.3g gradients: expected at most %.3g", who, cost, limit);
    p->kappa = most;
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    return cost_of(vp);
}

static const struct note notes[] = { PRIVATE_ERM_NOTES };

/* x[d] <- x_i, about: x_(i-1). false: the budget is spent. */
static bool solve(struct private_run *r, const struct sco_phase *a, const struct ticket *samples,
                  const double *about, double *x)
{
    bool whole = true;
    for (int j = 0; j < a->k && whole; j++) {
        if (!(a->stage[j].kappa > 0))
            continue;
        r->q = a->stage[j];
        const struct promise one = promise_of(a, j);
        private_allowance(r, &one);
        whole = private_accelerate(r, &a->stage[j], samples, about, x) || r->stopped;
        oracle_project(r->o, 0, x);
        private_notes(r);
    }
    private_settle(r);
    return whole;
}

/* The most answers of a line search. */
static long answers(const struct own *s)
{
    long most = 1;
    struct sco_phase a = phase_of(s, 1);
    for (int i = 1; a.n; a = phase_of(s, ++i))
        for (int j = 0; j < a.k; j++)
            most = a.stage[j].M > most ? a.stage[j].M : most;
    return most;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *s = vp;
    long d = oracle_dim(o);
    struct private_run *r = arena_bytes(w, sizeof *r);
    double *about = arena_vec(w, d);
    struct ticket samples;

    private_reserve(r, &s->erm, "resque-private-sco.mean", o, rng, answers(s), w);
    arena_seal(w);
    oracle_project(o, 0, x);
    struct sco_phase a = phase_of(s, 1);
    for (int i = 1; a.n && oracle_take(o, a.n, &samples); a = phase_of(s, ++i)) {
        samples.aggregated = false;
        vec_copy(d, x, about);
        if (!solve(r, &a, &samples, about, x))
            return OK;
        oracle_mark(o, x);
    }
    private_notes(r);
    return OK;
}

const struct algo algo_resque_private_sco = {
    .name = "resque-private-sco",
    .doc = "private stochastic convex optimisation: localised ball acceleration on reweighted gradients",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Theorem 4",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .assumes = ASSUMES_CONVEX | ASSUMES_LIPSCHITZ | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(weak) | FACT_BIT(radius),
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
    .nominal_counts = true,
};

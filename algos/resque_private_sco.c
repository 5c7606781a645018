/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_private_sco.c - private stochastic convex optimisation by localisation (Carmon, Jambulapati, Jin,
 * Lee, Liu, Sidford, Tian 2023, Corollary 3, Proposition 11 and Theorem 4; Kulkarni, Lee, Liu 2021; Feldman,
 * Koren, Talwar 2020)
 *
 *     phases i = 1, 2, ...: n_i = floor(n/2^i) fresh samples, eta_i = eta/4^i, lambda_i = 2/(eta_i n_i)
 *         x_i = private minimiser of F_i(x) = (1/n_i) sum f(x; s) + (lambda_i/2)|x - x_(i-1)|^2
 *     eta = (R/L) min{ 1/sqrt(n), kappa_n/n },  kappa_n the largest kappa within the promise (eps, delta) on n
 *         samples: n eps/sqrt(d) up to logarithms;  answer: the last x_i, projected
 *
 * R is the radius of the feasible set, and kappa = L R over the accuracy of a minimisation (parts/private_erm.h).
 * F_i is minimised as in Corollary 3 (parts/private_stages.h). The method ends with the first phase whose
 * stages are all left out.
 *
 * A sample is in one phase, so that each phase may spend all of (eps, delta), which budget = full does. With
 * budget = halved phase i spends eps/2^i and delta/2^i, as printed. With decay = 5, eta_i = eta/2^(5i), as in
 * Kulkarni, Lee, Liu. */
#include "private_stages.h"

struct own {
    struct private_erm erm;
    const char *budget;
    double eta, decay;
    double gradients, releases;      /* expected numbers over all phases; tune sets them, and `answers` */
    long answers;                    /* the most answers that a line search of any phase takes */
};

static const char who[] = "resque-private-sco";

static const struct param params[] = {
    PRIVATE_ERM_PARAMS,
    PARAM_WORD(own, budget, "full", "full|halved", "of phase i: the promise, or 2^-i of it"),
    PARAM(own, eta, NAN, 1e-300, 1e300, "x^2/f", "default as above"),
    PARAM(own, decay, 2, 1, 16, "1", "eta_i = eta 2^(-decay i); print: 5"),
    PARAM_END
};

/* Returns the stages of phase i = 1, 2, ...; n = 0 after the last phase. */
static struct private_stages phase_of(const struct own *s, int i)
{
    const struct private_erm *p = &s->erm;
    double share = strcmp(s->budget, "halved") == 0 ? ldexp(1, -i) : 1;
    long n = i < 63 ? p->n >> i : 0;
    if (n < 16)
        return (struct private_stages){ .n = 0 };
    return stages_of(p, n, 2 / (s->eta * exp2(-s->decay * i) * (double)n),
                     (struct promise){ .eps = p->eps * share, .delta = p->delta * share });
}

/* Raises the ratio rho/r of parts/private_erm.h to what Lemma 5 asks in all stages; returns whether it was that
 * large already. */
static bool ratio_holds(struct own *s)
{
    bool raised = false;
    struct private_stages a = phase_of(s, 1);
    for (int i = 1; a.n; a = phase_of(s, ++i))
        for (int j = 0; j < a.k; j++) {
            const struct promise one = stages_promise(&a, j);
            if (a.stage[j].kappa > 0)
                raised |= private_raise_ratio(&s->erm, &one, &a.stage[j]);
        }
    return !raised;
}

/* Plans all phases, adds up their gradients and releases, and finds the largest number of answers in a phase. */
static void add_up(struct own *s)
{
    struct private_stages a = phase_of(s, 1);
    s->gradients = s->releases = 0;
    s->answers = 1;
    for (int i = 1; a.n; a = phase_of(s, ++i)) {
        s->gradients += stages_gradients(&s->erm, &a);
        s->releases += stages_releases(&a);
        s->answers = stages_answers(&a) > s->answers ? stages_answers(&a) : s->answers;
    }
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
    double limit = isnan(goal->budget) ? INFINITY : goal->budget;
    add_up(s);
    if (!goal->count)
        limit = fmin(limit, 0x1p36);
    if (s->gradients > limit)
        return why_set(why, REFUSED, "%s: about %.3g gradients: expected at most %.3g", who, s->gradients, limit);
    p->kappa = most;
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients: gradients plus releases, since a release takes about as
 * long as a gradient. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *s = vp;
    return s->gradients + s->releases;
}

static const struct note notes[] = { PRIVATE_ERM_NOTES };
static const struct method_mechanism mechanisms[] = { PRIVATE_ERM_MECHANISMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *s = vp;
    long d = oracle_dim(o);
    struct private_run *r = arena_bytes(w, sizeof *r);
    double *about = arena_vec(w, d);
    struct ticket samples;

    private_reserve(r, &s->erm, "resque-private-sco.mean", o, rng, s->answers, w);
    arena_seal(w);
    oracle_project(o, 0, x);
    struct private_stages a = phase_of(s, 1);
    for (int i = 1; a.n && oracle_take(o, a.n, &samples); a = phase_of(s, ++i)) {
        samples.aggregated = false;
        vec_copy(d, x, about);
        if (!stages_run(r, &a, &samples, about, private_notes, x))
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
    .mechanisms = mechanisms,
};

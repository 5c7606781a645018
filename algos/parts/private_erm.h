/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_erm.h - private minimisation of an empirical mean by ball acceleration (Carmon, Jambulapati,
 * Jin, Lee, Liu, Sidford, Tian 2023, Theorem 3 and Corollary 3)
 *
 *     F(x) = (1/n) sum_i f(x; s_i) + (mu/2)|x - x'|^2, within R of a start
 *     ball_accel.h with Algorithm 7 (T_1, M answers) as line search, Algorithm 5 (T_2) as ball oracle and
 *     Algorithm 6 (T_3) as proximal oracle of resque_oracles.h, until A >= c_A R^2/(eps_opt/2)
 * f(.; s) L-Lipschitz on R^d and convex; sizes are private_plan.h's. A subproblem of lam has the quadratic
 * (mu + lam)/2 |x - x''|^2, x'' = (mu x' + lam xbar)/(mu + lam).
 *
 * A call that does not fit the promise any more is not made, and the method ends where it is: the promise
 * holds whatever J and the line searches do. */
#ifndef ASSAY_PARTS_PRIVATE_ERM_H
#define ASSAY_PARTS_PRIVATE_ERM_H

#include "ball_accel.h"
#include "private_plan.h"

struct private_run {
    const struct private_erm *p;
    struct private_plan q;
    struct oracle *o;
    struct resque_erm erm;
    struct resque_oracles from;
    struct ball_accel ball;
    struct resque_price price;
    double slope, slope_most, cap, phases_most, calls;    /* spent; what the promise leaves */
    bool stopped, cut;               /* the promise ended the plan; one of all plans */
    struct renyi_line mode[MODES];   /* the paper's readings, of these samples */
    double delta, delta_c;           /* of the samples' promise; of a call of Algorithm 4 */
    double eps_mode[MODES], spent;   /* the largest so far */
    const double *about;             /* [d] x', or NULL */
    double *c, *v;                   /* [d] offsets */
};

/* May a call of T be made? What it may use at the most, T gradients, is counted as issued. */
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

/* The subproblem at y. */
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

/* Before the seal. p must stay; M: the most answers of a line search. */
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

/* What the plan s->q may spend. */
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

/* x[d] <- the answer of one plan on `data`, from x; about NULL: no regulariser. */
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

/* No more calls on these samples. */
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

/* --- notes */

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

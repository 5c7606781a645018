/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parallel_sco.h - few rounds for nonsmooth stochastic problems: ball acceleration on F_rho, the objective
 * convolved with a Gaussian, with ball oracles that use ReSQue (Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian
 * 2023, Theorems 1 and 2; ball_accel.h, from_ball.h, resque_ball.h). F is convex on R^d, E|g|^2 <= L^2 everywhere,
 * x* within R of x_0, kappa = L R/eps:
 *
 *     rho = r = eps/(2 L sqrt d), for which F <= F_rho <= F + eps/2; ball acceleration minimises F_rho to eps/2
 *     E F - F* <= eps after O(d^(1/3) kappa^(2/3)) rounds and O(d^(1/3) kappa^(2/3) + kappa^2) queries, up to
 *     logarithms. The computational depth is the number of queries if ball oracles use EpochSGD; if they use AC-SA
 *     it is O(d^(1/3) kappa^(2/3) + d^(1/4) kappa), for O(d^(1/4) kappa) more queries
 *
 * In theory the constants are those of the proofs, and 17 (C of parallel_choose) where a proof does not state one.
 * The theory allows a line search to fail with probability zeta = 1/(K kappa log kappa), K that of ball_accel.h. In
 * practice the constants other than jmax and rounds are numbers that do not depend on d and kappa.
 *
 * A method defines PARALLEL_NAME, the ball oracle PARALLEL_SOLVER and, if it has a further mechanism,
 * PARALLEL_MECHANISM. Then it includes this header, which defines parameters, notes, tune, expects and run;
 * PARALLEL_SLOTS sets the slots of a struct algo to them. */
#ifndef ASSAY_PARTS_PARALLEL_SCO_H
#define ASSAY_PARTS_PARALLEL_SCO_H

#include <string.h>
#include "ball_accel.h"
#include "from_ball.h"
#include "resque_ball.h"

struct parallel_sco {
    const char *gradient, *draw, *penalty;
    double eps, L, R, blur;
    double c, c_lam, c_A, c_search, c_optimise, c_prox;
    long d, M, jmax, halvings, rounds;
};

#define PARALLEL_SCO_PARAMS                                                                      \
    PARAM_WORD(parallel_sco, gradient, "levels", "levels|search",                                \
               "of the envelope: by levels, or what the line search found (no theorem)"),        \
    PARAM_WORD(parallel_sco, draw, "used", "used|twice",                                         \
               "EpochSGD: queries that are used, or 2T as printed"),                             \
    PARAM_WORD(parallel_sco, penalty, "searched", "searched|least",                              \
               "of a round: by a line search, or lam_min whatever the balls do"),                \
    PARAM(parallel_sco, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),             \
    PARAM(parallel_sco, L, NAN, 1e-100, 1e100, "f/x", "E|g|^2 <= L^2; default the fact G"),      \
    PARAM(parallel_sco, R, NAN, 1e-100, 1e100, "x", "|x_0 - x*| <= R; default the fact dist"),   \
    PARAM(parallel_sco, blur, 0.5, 1e-6, 0.999999, "eps", "what smoothing may cost"),            \
    PARAM(parallel_sco, c, NAN, 1e-6, 1e6, "1",                                                  \
          "queries of a ball oracle; theory 48, else 12; pooled 1"),                             \
    PARAM(parallel_sco, c_lam, NAN, 1e-6, 1e6, "1", "lam_min; theory log^2 kappa, else 1"),      \
    PARAM(parallel_sco, c_A, NAN, 1e-6, 1e6, "1", "of the last A; theory 3, else 1"),            \
    PARAM(parallel_sco, c_search, NAN, 1, 1e9, "1",                                              \
          "lam r^2/phi of line searches; theory 15606, else 4"),                                 \
    PARAM(parallel_sco, c_optimise, NAN, 1, 1e9, "1", "of x'; theory 17 log^3 kappa, else 4"),   \
    PARAM(parallel_sco, c_prox, NAN, 1, 1e9, "1", "of z; theory 17 log^2(R kappa/r), else 4"),   \
    PARAM(parallel_sco, d, 0, 0, 0x1p40, "coordinates", "of the blur; 0: the fact"),             \
    PARAM(parallel_sco, M, 0, 0, 10000, "answers",                                               \
          "of a line search; 0: theory 20 log(1/zeta), else 1"),                                 \
    PARAM(parallel_sco, jmax, 0, 0, 40, "levels", "0: ceil(log2 K), in theory 17 more"),         \
    PARAM(parallel_sco, halvings, 0, 0, 1000, "calls",                                           \
          "of a bisection; 0: theory 2 log2(R kappa/r) + 10, else 12"),                          \
    PARAM(parallel_sco, rounds, 0, 0, 0x1p40, "rounds",                                          \
          "at most; 0: theory 17 K log kappa, else 50 K + 100"),                                 \
    PARAM_END

static inline double parallel_radius(const struct parallel_sco *p)
{
    return p->blur * p->eps / (p->L * sqrt((double)p->d));
}
/* Returns the accuracy of ball acceleration: eps less what the convolution costs. */
static inline double parallel_eps(const struct parallel_sco *p) { return (1 - p->blur) * p->eps; }
/* Returns L R over the accuracy of ball acceleration, which stands for kappa in the constants. */
static inline double parallel_kappa(const struct parallel_sco *p)
{
    return p->L * p->R / parallel_eps(p);
}
/* Returns K = (R/r)^(2/3) of Proposition 1: about the number of rounds that a run takes. */
static inline double parallel_K(const struct parallel_sco *p)
{
    return pow(p->R / parallel_radius(p), 2.0 / 3);
}
static inline double parallel_lam_min(const struct parallel_sco *p)
{
    double ratio = parallel_K(p) / p->R, most = 2 * p->L / parallel_radius(p);
    return fmin(p->c_lam * parallel_eps(p) * ratio * ratio, most);
}
static inline double parallel_last_A(const struct parallel_sco *p)
{
    return p->c_A * p->R * p->R / parallel_eps(p);
}

/* Returns the number of queries that the solver RESQUE_POOLED asks in a round, for gradients in a whole ball. */
static inline double parallel_pool(const struct parallel_sco *p)
{
    double kappa = p->L * p->R / p->eps, d = (double)p->d;
    return ceil(p->c * d * kappa * kappa * fmax(1, log(d * kappa)));
}

/* Returns whether the point that the line search found also gives the gradient of the envelope. For RESQUE_POOLED
 * it always does, since this point has little bias. */
static inline bool parallel_searched(const struct parallel_sco *p, enum resque_solver solver)
{
    return solver == RESQUE_POOLED || strcmp(p->gradient, "search") == 0;
}

static inline void parallel_choose(struct parallel_sco *p, bool theory)
{
    enum { C = 17 };
    double K = parallel_K(p), log_kappa = fmax(1, log(parallel_kappa(p)));
    double log_all = fmax(1, log(p->R / parallel_radius(p) * parallel_kappa(p)));
    double zeta = 1 / (K * parallel_kappa(p) * log_kappa);

    param_choose(&p->c, theory ? 48 : 12);
    param_choose(&p->c_lam, theory ? log_kappa * log_kappa : 1);
    param_choose(&p->c_A, theory ? 3 : 1);
    param_choose(&p->c_search, theory ? 15606 : 4);
    param_choose(&p->c_optimise, theory ? C * log_kappa * log_kappa * log_kappa : 4);
    param_choose(&p->c_prox, theory ? C * log_all * log_all : 4);
    param_choose_count(&p->M, theory ? (long)ceil(20 * log(1 / zeta)) : 1);
    param_choose_count(&p->jmax, (long)fmax(1, ceil(log2(K) + (theory ? C : 0))));
    param_choose_count(&p->halvings, theory ? (long)ceil(2 * log_all / M_LN2) + 10 : 12);
    param_choose_count(&p->rounds,
                       (long)fmin(0x1p40, theory ? ceil(C * K * log_kappa) : ceil(50 * K) + 100));
}

static inline struct resque_ball parallel_ball(const struct parallel_sco *p,
                                               enum resque_solver solver, struct oracle *o)
{
    return (struct resque_ball){ .pool = { .o = o, .rho = parallel_radius(p) },
                                 .solver = solver,
                                 .L = p->L,
                                 .r = parallel_radius(p),
                                 .c = p->c,
                                 .twice = strcmp(p->draw, "twice") == 0,
                                 .N = parallel_pool(p) };
}

/* Returns the number of queries that one call of the ball oracle takes at lam = lam_min, for the accuracy phi = lam
 * r^2/c; c is this argument, not the parameter. */
static inline double parallel_call(const struct parallel_sco *p, enum resque_solver solver,
                                   double c)
{
    struct resque_ball b = parallel_ball(p, solver, NULL);
    double lam = parallel_lam_min(p);
    return resque_ball_queries(&b, lam, lam * b.r * b.r / c);
}

/* Returns about how many queries a run takes, if all rounds are at lam_min and have two line searches each. */
static inline double parallel_predicted(const struct parallel_sco *p, enum resque_solver solver)
{
    double rounds = ceil(2 * sqrt(parallel_lam_min(p) * parallel_last_A(p)));
    double each = 2 * (double)p->M * parallel_call(p, solver, p->c_search);
    if (!parallel_searched(p, solver)) {
        each += parallel_call(p, solver, p->c_optimise) + parallel_call(p, solver, p->c_prox);
        for (long j = 1; j <= p->jmax; j++)
            each += ldexp(parallel_call(p, solver, ldexp(p->c_prox, (int)j)) +
                          parallel_call(p, solver, ldexp(p->c_prox, (int)j - 1)), -(int)j);
    }
    return rounds * each;
}

static inline enum status parallel_tune(const struct facts *f, const struct goal *goal,
                                        struct parallel_sco *p, enum resque_solver solver,
                                        const char *who, struct why *why)
{
    bool theory = goal->constants == CONSTANTS_THEORY;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->L, f->G);
    param_choose(&p->R, f->dist);
    param_choose_count(&p->d, (long)f->d);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY && p->R > 0 && p->R < INFINITY))
        return why_set(why, REFUSED,
                       "%s relies on E|g|^2 <= L^2 everywhere and |x_0 - x*| <= R: G = %g, "
                       "dist = %g",
                       who, p->L, p->R);
    if (!(p->eps <= p->L * p->R))
        return why_set(why, REFUSED,
                       "%s: eps = %g: expected at most L R = %g, which x_0 has already", who,
                       p->eps, p->L * p->R);
    if (solver == RESQUE_POOLED)
        param_choose(&p->c, 1);
    parallel_choose(p, theory);
    double least = parallel_searched(p, solver) ? p->c_search : fmin(p->c_search, p->c_prox);
    if (solver == RESQUE_EPOCH_SGD && parallel_call(p, solver, least) < 15)
        return why_set(why, REFUSED,
                       "%s: c = %g and accuracies 1/%g and 1/%g leave no epoch to a ball oracle, "
                       "which would never move",
                       who, p->c, p->c_search, p->c_prox);
    double cost = parallel_predicted(p, solver), most = theory ? 0x1p33 : 0x1p40;
    most = goal->n < most ? goal->n : most;
    most = goal->budget < most ? goal->budget : most;
    if (!(cost <= most))
        return why_set(why, REFUSED, "%s: about %.3g queries: expected at most %.3g%s", who, cost,
                       most, theory ? "; with the constants of theory" : "");
    return OK;
}

enum {
    PARALLEL_ROUNDS,
    PARALLEL_PROBES,
    PARALLEL_BINDING,
    PARALLEL_CALLS,
    PARALLEL_LOG_W,
    PARALLEL_ESS,
    PARALLEL_LEVEL
};

#define PARALLEL_SCO_NOTES                                                                       \
    [PARALLEL_ROUNDS] = { "rounds", "rounds", "of ball acceleration", REDUCE_LAST },             \
    [PARALLEL_PROBES] = { "probes", "line searches", "in all", REDUCE_LAST },                    \
    [PARALLEL_BINDING] = { "binding", "1", "share of rounds with lam > lam_min", REDUCE_LAST },  \
    [PARALLEL_CALLS] = { "calls", "calls", "of ball oracles", REDUCE_LAST },                     \
    [PARALLEL_LOG_W] = { "log_w", "1", "the largest log weight", REDUCE_LAST },                  \
    [PARALLEL_ESS] = { "ess", "1", "effective over actual number of queries", REDUCE_LAST },     \
    [PARALLEL_LEVEL] = { "level", "1", "J of the proximal estimator", REDUCE_MAX }, { 0 }

static inline bool parallel_solve(void *ctx, double lam, double phi, const double *y, double *x)
{
    return resque_ball(ctx, lam, phi, y, x);
}

static inline void parallel_notes(struct oracle *o, const struct ball_accel *b,
                                  const struct from_ball *from, const struct resque_ball *ball)
{
    oracle_note(o, PARALLEL_ROUNDS, b->rounds);
    oracle_note(o, PARALLEL_PROBES, b->probes);
    oracle_note(o, PARALLEL_BINDING, b->binding / b->rounds);
    oracle_note(o, PARALLEL_CALLS, ball->calls);
    oracle_note(o, PARALLEL_LOG_W, ball->pool.log_w_max);
    oracle_note(o, PARALLEL_ESS, resque_ess(&ball->pool));
    if (from->J > 0)
        oracle_note(o, PARALLEL_LEVEL, from->J);
}

static inline enum status parallel_run(struct oracle *o, const struct parallel_sco *p,
                                       enum resque_solver solver, struct arena *w, struct rng *rng,
                                       double *x)
{
    struct resque_ball ball = parallel_ball(p, solver, o);
    struct from_ball from = { .o = o,
                              .rng = rng,
                              .solve = parallel_solve,
                              .ctx = &ball,
                              .r = ball.r,
                              .M = p->M,
                              .c_search = p->c_search,
                              .c_optimise = p->c_optimise,
                              .c_prox = p->c_prox,
                              .jmax = (int)p->jmax };
    struct ball_accel b = { .search = from_ball_search, .optimise = from_ball_optimise,
                            .prox = from_ball_prox, .ctx = &from, .R = p->R, .r = ball.r, .L = p->L,
                            .lam_min = parallel_lam_min(p), .most = (int)p->halvings,
                            .reuse = parallel_searched(p, solver),
                            .least = strcmp(p->penalty, "least") == 0 };

    ball.pool.base = rng_sub(rng, rng_u64(rng));
    resque_ball_reserve(&ball, w);
    from_ball_reserve(&from, w);
    ball_accel_reserve(&b, o, w);
    arena_seal(w);
    ball_accel_begin(&b, x);
    while (b.s.A < parallel_last_A(p) && b.rounds < (double)p->rounds && ball_accel_round(&b)) {
        oracle_mark(o, b.s.x);
        parallel_notes(o, &b, &from, &ball);
    }
    vec_copy(oracle_dim(o), b.s.x, x);
    return OK;
}

/* --- the slots of the struct algo of a method */

static const struct param params[] = { PARALLEL_SCO_PARAMS };
static const struct note notes[] = { PARALLEL_SCO_NOTES };

#define PARALLEL_REUSE \
    { "reuse", "reweights the queries about a centre for all points of its ball; without it they model all of it", \
      MECHANISM_HELPS, .without = "ball-accel-pooled" }
#ifndef PARALLEL_MECHANISM
#define PARALLEL_MECHANISM { 0 }
#endif
static const struct method_mechanism mechanisms[] = { BALL_ACCEL_MECHANISMS, PARALLEL_MECHANISM, { 0 } };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    return parallel_tune(f, goal, vp, PARALLEL_SOLVER, PARALLEL_NAME, why);
}

static double expects(const struct facts *f, const void *vp)
{
    return parallel_predicted(vp, PARALLEL_SOLVER);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    return parallel_run(o, vp, PARALLEL_SOLVER, w, rng, x);
}

#define PARALLEL_SLOTS                                                                           \
    .name = PARALLEL_NAME, .calls = CALL_SAMPLES, .assumes = ASSUMES_CONVEX | ASSUMES_UNBOUNDED,  \
    .reads = FACT_BIT(d), .may_read = FACT_BIT(G) | FACT_BIT(dist), .params = params,             \
    .params_size = sizeof(struct parallel_sco), .notes = notes, .tune = tune,                     \
    .expects = expects, .run = run, .nominal_counts = true, .mechanisms = mechanisms

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_ball.h - ball optimisation oracles for the smoothed objective, one round each (Carmon,
 * Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Definition 4, Algorithms 1 and 2): x within r of
 * xbar with
 *
 *     E F_rho(x) + (lam/2)|x - xbar|^2 <= min over the ball + phi
 *
 * F is convex, E|g|^2 <= L^2 everywhere, and rho >= r. It follows that E|x - x*|^2 <= 2 phi/lam.
 *
 * EpochSGD (epoch_sgd.h) has the budget T = ceil(c L^2/(lam phi)), where c = 48 is 16 times the factor 3 of
 * resque.h. A step uses one query. T < 16 has room for no epoch; the answer is then xbar, whose error is below 3
 * L^2/lam. The paper draws 2T queries and uses the first of them; here only those that are used are drawn, unless
 * `twice` is set.
 *
 * AC-SA (ac_sa.h) has the smoothness L/rho + lam and phases k = 1 ... ceil(log2(lam r^2/phi)), at least one, each
 * of T = ceil(4 sqrt(L/(rho lam) + 1)) steps with N_k = ceil(c 2^k L^2/(lam^2 r^2 T)) queries. The printed
 * algorithm differs in three points from the analysis that it cites, which ac_sa.h follows: it uses the same N_k
 * queries in all steps of a phase, though it draws T N_k; the coefficients of md do not sum to 1; and alpha
 * multiplies the gradient of F alone.
 *
 * The solver Pooled has the phases and steps of AC-SA, but every step uses the mean over all N queries of one pool,
 * which approximates the gradient in the whole ball. Let eps be the accuracy of ball acceleration and |x_0 - x*| <=
 * R. With N of order d (L R/eps)^2, times a logarithm, the error of this mean is at most eps/R in the ball. The
 * numbers of rounds and queries are those of Bubeck, Jiang, Lee, Li, Sidford 2019, but without their steps of high
 * order. */
#ifndef ASSAY_PARTS_RESQUE_BALL_H
#define ASSAY_PARTS_RESQUE_BALL_H

#include "ac_sa.h"
#include "epoch_sgd.h"
#include "resque.h"

enum resque_solver { RESQUE_EPOCH_SGD, RESQUE_AC_SA, RESQUE_POOLED };

struct resque_ball {
    struct resque pool;
    enum resque_solver solver;
    double L, r, c;
    bool twice;                      /* EpochSGD draws 2T queries, as the paper does */
    double N;                        /* RESQUE_POOLED: number of queries in the pool, all of which one call of the
                                        ball oracle draws */
    struct epoch_sgd epochs;
    struct ac_sa ac;
    double lam;                      /* the penalty lam of the present call of the ball oracle */
    long used,                       /* number of queries of the present call that are used up */
         batch;                      /* number of queries in a step of AC-SA or Pooled */
    double calls;                    /* calls of the ball oracle so far */
};

static inline double resque_epoch_budget(const struct resque_ball *b, double lam, double phi)
{
    return ceil(b->c * b->L * b->L / (lam * phi));
}

static inline double resque_ac_phases(const struct resque_ball *b, double lam, double phi)
{
    return fmax(1, ceil(log2(lam * b->r * b->r / phi)));
}

static inline double resque_ac_steps(const struct resque_ball *b, double lam)
{
    return ceil(4 * sqrt(b->L / (b->pool.rho * lam) + 1));
}

static inline double resque_ac_batch(const struct resque_ball *b, double lam, double k)
{
    double ratio = b->L / (lam * b->r);
    return ceil(b->c * exp2(k) * ratio * ratio / resque_ac_steps(b, lam));
}

/* Returns the number of queries that one call of the ball oracle draws. */
static inline double resque_ball_queries(const struct resque_ball *b, double lam, double phi)
{
    double T = resque_epoch_budget(b, lam, phi), sum = 0;
    if (b->solver == RESQUE_EPOCH_SGD)
        return b->twice ? 2 * T : epoch_sgd_gradients(epoch_sgd_epochs(T));
    if (b->solver == RESQUE_POOLED)
        return b->N;
    for (double k = resque_ac_phases(b, lam, phi); k >= 1; k--)
        sum += resque_ac_batch(b, lam, k);
    return resque_ac_steps(b, lam) * sum;
}

static inline bool resque_ball_one(void *ctx, const double *x, double *h)
{
    struct resque_ball *b = ctx;
    resque_grad(&b->pool, x, b->used++, 1, h);
    return true;
}

/* g[d] <- the gradient at x of F_rho + (lam/2)|x - xbar|^2, from the next `batch` queries. ctx is a struct
 * resque_ball. */
static inline bool resque_ball_batch(void *ctx, const double *x, double *g)
{
    struct resque_ball *b = ctx;
    long d = oracle_dim(b->pool.o);
    resque_grad(&b->pool, x, b->used, b->batch, g);
    b->used += b->solver == RESQUE_POOLED ? 0 : b->batch;
    vec_axpy(d, b->lam, x, g);
    vec_axpy(d, -b->lam, b->pool.xbar, g);
    return true;
}

static inline void resque_ball_project(void *ctx, double *x)
{
    struct resque_ball *b = ctx;
    vec_project_ball(oracle_dim(b->pool.o), b->pool.xbar, b->r, x);
}

/* Takes the memory of *b from w. Call it before arena_seal. */
static inline void resque_ball_reserve(struct resque_ball *b, struct arena *w)
{
    struct oracle *o = b->pool.o;
    resque_reserve(&b->pool, w);
    if (b->solver == RESQUE_EPOCH_SGD) {
        b->epochs = (struct epoch_sgd){ .o = o,
                                        .grad = resque_ball_one,
                                        .project = resque_ball_project,
                                        .ctx = b,
                                        .z = b->pool.xbar };
        epoch_sgd_reserve(&b->epochs, w);
    } else {
        b->ac = (struct ac_sa){ .o = o, .grad = resque_ball_batch, .project = resque_ball_project,
                                .ctx = b };
        ac_sa_reserve(&b->ac, w);
    }
}

static inline void resque_ball_ac_sa(struct resque_ball *b, double phi)
{
    double T = resque_ac_steps(b, b->lam), phases = resque_ac_phases(b, b->lam, phi);
    vec_copy(oracle_dim(b->pool.o), b->pool.xbar, b->ac.ag);
    b->ac.lambda = b->lam;
    for (double k = 1; k <= phases; k++) {
        b->batch = (long)(b->solver == RESQUE_POOLED ? b->N : resque_ac_batch(b, b->lam, k));
        ac_sa_stage(&b->ac, (long)T, b->L / b->pool.rho + b->lam);
    }
}

/* In count mode: charges the queries and the depth of one call of the ball oracle, without making steps. Returns
 * false if the budget is spent. */
static inline bool resque_ball_count(struct resque_ball *b, double phi)
{
    struct oracle *o = b->pool.o;
    int e = epoch_sgd_epochs(resque_epoch_budget(b, b->lam, phi));
    if (b->solver == RESQUE_EPOCH_SGD) {
        oracle_depth(o, 16 * (ldexp(1, e) - 1));
        return oracle_charge(o, COUNT_consumed, epoch_sgd_gradients(e));
    }
    oracle_depth(o, 3 * resque_ac_steps(b, b->lam) * resque_ac_phases(b, b->lam, phi));
    return oracle_charge(o, COUNT_consumed, resque_ball_queries(b, b->lam, phi));
}

/* One call of the ball oracle: x[d] <- the point that it finds within r of xbar[d]. Returns false, and leaves x
 * untouched, if the budget is spent. */
static inline bool resque_ball(struct resque_ball *b, double lam, double phi, const double *xbar,
                               double *x)
{
    long d = oracle_dim(b->pool.o), m = (long)resque_ball_queries(b, lam, phi);

    b->calls++;
    if (m == 0) {
        vec_copy(d, xbar, x);
        return true;
    }
    if (!resque_ask(&b->pool, xbar, m))
        return false;
    b->lam = lam;
    b->used = 0;
    if (oracle_counting(b->pool.o)) {
        vec_copy(d, xbar, x);
        return resque_ball_count(b, phi);
    }
    if (b->solver != RESQUE_EPOCH_SGD) {
        resque_ball_ac_sa(b, phi);
        vec_copy(d, b->ac.ag, x);
    } else {
        b->epochs.mu = lam;
        epoch_sgd_run(&b->epochs, epoch_sgd_epochs(resque_epoch_budget(b, lam, phi)));
        vec_copy(d, b->epochs.x, x);
    }
    return true;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mlmc.h - the bias-reduced estimator of x* = argmin f + psi over X (Asi, Carmon, Jambulapati, Jin,
 * Sidford 2021, equation (1) and Algorithms 1 and 2), by levels of EpochSGD:
 *
 *     x_j = EpochSGD with budget 2^j,  j_max = floor(log2 T_max),  P(J = j) = 2^-j, j = 1, 2, ...
 *     xhat = x_0 + 2^J (x_J - x_(J-1))  if J <= j_max, else x_0;      E xhat = E x_(j_max)
 *
 * By Proposition 1, with c = 32 the constant of EpochSGD, and G and mu as in epoch_sgd.h:
 *     |E xhat - x*| <= sqrt(2c) G/(mu sqrt(T_max)),
 *     E|xhat - E xhat|^2 <= 16 c (G/mu)^2 log2 T_max,        O(log T_max) gradients in the mean
 * OptEst is the mean of N draws (Theorem 1). Its bias is at most delta, its squared error E|. - x*|^2 at most
 * sigma^2, with
 *     T_max = ceil(4 c G^2/(mu^2 min{delta^2, sigma^2/2})),
 *     N = max{1, ceil(32 c G^2 log2(T_max)/(mu^2 sigma^2))}
 * (the paper prints neither the 1 nor the base of the logarithm). MorGradEst (Corollary 2): for psi =
 * (lam/2)|x - y|^2, lam (y - xhat) estimates the gradient of the Moreau envelope at y. If delta and sigma are in
 * units of this gradient, T_max and N do not depend on lam.
 *
 * x_0, x_(J-1) and x_J of a draw are points of one run: x_(J-1) is the point after the epochs that a budget of
 * 2^(J-1) has room for. Remark 1 takes the point before the last epoch instead; but budgets 16 and 32 both have
 * room for one epoch, so that the difference of this epoch would be counted twice.
 *
 * A draw may be far outside of X, since a projection would bias it. */
#ifndef ASSAY_PARTS_MLMC_H
#define ASSAY_PARTS_MLMC_H

#include "epoch_sgd.h"

enum mlmc_rough { ROUGH_SAME_RUN, ROUGH_PRINTED, ROUGH_OWN_RUN };
enum { MLMC_LEVELS = 52 };

struct mlmc {
    struct epoch_sgd run;
    int jmax;                        /* the largest level, at most MLMC_LEVELS */
    bool regular;                    /* true: level j has max(0, j - 4) epochs, so that levels above 3 all differ */
    /* Which point is x_(J-1): of the run that makes x_J, as in the head (ROUGH_SAME_RUN) or as in Remark 1
     * (ROUGH_PRINTED), or the end of a run with other samples (ROUGH_OWN_RUN). */
    enum mlmc_rough rough;
    double a;                        /* P(J = j) = (2^a - 1) 2^(-a j); 0 stands for a = 1, as in the paper */
    double *coarse, *term,           /* [d] x_(J-1); (x_J - x_(J-1))/P(J) of the last draw */
           *total, *carry;           /* [d] the sum of the terms of opt_est, and the carry of Kahan summation */
};

/* Takes the memory of *m from w. Call it before arena_seal. */
static inline void mlmc_reserve(struct mlmc *m, struct arena *w)
{
    long d = oracle_dim(m->run.o);
    epoch_sgd_reserve(&m->run, w);
    m->coarse = arena_vec(w, d);
    m->term = arena_vec(w, d);
    m->total = arena_vec(w, d);
    m->carry = arena_vec(w, d);
}

/* Returns the largest level, floor(log2 T_max), for T_max >= 1. */
static inline int mlmc_levels(double T_max)
{
    int e;
    frexp(T_max, &e);
    return e - 1;
}

static inline double mlmc_probability(const struct mlmc *m, int j)
{
    return m->a > 0 ? (exp2(m->a) - 1) * exp2(-m->a * j) : ldexp(1, -j);
}

static inline int mlmc_epochs(const struct mlmc *m, int j)
{
    return m->regular ? (j > 4 ? j - 4 : 0) : epoch_sgd_epochs(ldexp(1, j));
}

/* Returns the number of epochs of x_(J-1) in a draw of level J. */
static inline int mlmc_rough_epochs(const struct mlmc *m, int J)
{
    int fine = mlmc_epochs(m, J);
    return m->rough != ROUGH_PRINTED ? mlmc_epochs(m, J - 1) : fine > 0 ? fine - 1 : 0;
}

/* Returns whether xhat = x_0, without any gradient: if J > jmax, or if x_J and x_(J-1) are the same point of a
 * run. */
static inline bool mlmc_still(const struct mlmc *m, int J)
{
    return J > m->jmax || mlmc_epochs(m, J) == 0 ||
           (m->rough != ROUGH_OWN_RUN && mlmc_epochs(m, J) == mlmc_rough_epochs(m, J));
}

/* Returns the number of gradients of a draw of level J. */
static inline double mlmc_gradients(const struct mlmc *m, int J)
{
    double own = m->rough == ROUGH_OWN_RUN ? epoch_sgd_gradients(mlmc_rough_epochs(m, J)) : 0;
    return mlmc_still(m, J) ? 0 : epoch_sgd_gradients(mlmc_epochs(m, J)) + own;
}

/* Returns the expected number of gradients of a draw, over all levels. */
static inline double mlmc_expected_gradients(const struct mlmc *m)
{
    double sum = 0;
    for (int j = 1; j <= m->jmax; j++)
        sum += mlmc_probability(m, j) * mlmc_gradients(m, j);
    return sum;
}

/* m->term <- (x_J - x_(J-1))/P(J). Returns false if the budget is spent. */
static inline bool mlmc_correction(struct mlmc *m, int J)
{
    long d = oracle_dim(m->run.o);
    int fine = mlmc_epochs(m, J), rough = mlmc_rough_epochs(m, J), k = 0;
    double p = mlmc_probability(m, J);

    if (mlmc_still(m, J)) {
        vec_zero(d, m->term);
        return true;
    }
    if (!epoch_sgd_run(&m->run, rough))
        return false;
    vec_copy(d, m->run.x, m->coarse);
    if (m->rough == ROUGH_OWN_RUN)
        epoch_sgd_begin(&m->run);
    else
        k = rough;
    while (++k <= fine)
        if (!epoch_sgd_epoch(&m->run, k))
            return false;
    vec_lincomb(d, 1 / p, m->run.x, -1 / p, m->coarse, m->term);
    return true;
}

/* v[d] <- a draw of level J. Returns false, and leaves v untouched, if the budget is spent. */
static inline bool mlmc_draw(struct mlmc *m, int J, double *v)
{
    if (!mlmc_correction(m, J))
        return false;
    epoch_sgd_begin(&m->run);
    vec_copy(oracle_dim(m->run.o), m->run.x, v);
    vec_axpy(oracle_dim(m->run.o), 1, m->term, v);
    return true;
}

/* Returns T_max for the bias delta and the squared error sigma2 = sigma^2 of an estimate of a gradient. For those
 * of an estimate of a point, pass mu delta and (mu sigma)^2. opt_est_N returns N, in the same units. */
static inline double opt_est_T_max(double c, double G, double delta, double sigma2)
{
    return fmax(1, ceil(4 * c * G * G / fmin(delta * delta, sigma2 / 2)));
}

static inline double opt_est_N(double c, double G, double sigma2, double T_max)
{
    return fmax(1, ceil(32 * c * G * G * log2(T_max) / sigma2));
}

/* m->total += m->term, by Kahan summation, since the terms have heavy tails. */
static inline void mlmc_add(struct mlmc *m)
{
    const double *restrict term = m->term;
    double *restrict total = m->total, *restrict carry = m->carry;
    for (long j = 0, d = oracle_dim(m->run.o); j < d; j++) {
        double y = term[j] - carry[j], sum = total[j] + y;
        carry[j] = (sum - total[j]) - y;
        total[j] = sum;
    }
}

/* v[d] <- the mean of N draws, made in parallel; m->a must be 0 or 1. Returns false, and leaves v untouched, if the
 * budget is spent. */
static inline bool opt_est(struct mlmc *m, double N, struct rng *rng, double *v)
{
    struct oracle *o = m->run.o;
    long d = oracle_dim(o);
    bool whole = true;

    vec_zero(d, m->total);
    vec_zero(d, m->carry);
    oracle_fork(o);
    for (double i = 0; i < N && whole; i++) {
        int J = rng_geometric(rng);
        if (mlmc_still(m, J))
            continue;
        oracle_branch(o);
        whole = mlmc_correction(m, J);
        if (whole)
            mlmc_add(m);
    }
    oracle_join(o);
    if (!whole)
        return false;
    epoch_sgd_begin(&m->run);
    vec_lincomb(d, 1, m->run.x, 1 / N, m->total, v);
    return true;
}

/* v[d] <- an estimate of the gradient of the Moreau envelope at y, from N draws. The caller sets m->run.mu = lam.
 * Returns false if the budget is spent. */
static inline bool mor_grad_est(struct mlmc *m, const double *y, double N, struct rng *rng,
                                double *v)
{
    m->run.z = y;
    if (!opt_est(m, N, rng, v))
        return false;
    vec_lincomb(oracle_dim(m->run.o), m->run.mu, y, -m->run.mu, v, v);
    return true;
}

#endif

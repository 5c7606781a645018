/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_erm.h - private minimisation of a smoothed empirical mean in a small ball (Carmon, Jambulapati, Jin, Lee,
 * Liu, Sidford, Tian 2023, Algorithms 3, 4 and 5)
 *
 *     F(x) = (1/n) sum_i E f(x + rho z; s_i) + (lam/2)|x - x''|^2,  |x - xbar| <= r,  z ~ N(0, I)
 *
 * x'' is the centre of the regulariser and n the number of samples. T is a number of gradients, r' bounds the
 * distance of the start x_0 from x*, and beta sets the noise. Algorithms 3 (which has lam = 0, r' = r, x_0 = xbar)
 * and 4, with T^ = 2^floor(log2 T):
 *
 *     eta = (r'/L) min{ 1/sqrt(T), beta/sqrt(d) };  phases i = 1 ... log2 T^:
 *         T_i = 2^-i T^,  eta_i = 4^-i eta,  sigma_i = L eta_i/beta,  y_0 = x_(i-1)
 *         y_j = argmin within r of xbar of eta_i (<w g, y> + (lam/2)|y - x''|^2) + |y - y_(j-1)|^2/2, where g
 *             is a subgradient of a uniform sample at xbar + rho z, w = exp( <u, z> - |u|^2/2 ) and
 *             u = (y_(j-1) - xbar)/rho
 *         x_i = mean of y_1, ..., y_(T_i), + N(0, sigma_i^2 I), projected on the ball
 *     E F(x) - F* <= 16 L r' ( sqrt(d)/(beta T) + 1/sqrt(T) )  if E|x_0 - x*|^2 <= r'^2
 *     (Proposition 6, Corollary 2), with T^ - 1 gradients. The paper does not project after adding noise, but
 *     states that x_i is in the ball.
 *
 * Algorithm 5, k = ceil(log2 log2 T), i = 0 ... k-1, each Algorithm 4 from the last answer with r' = r_i:
 *
 *     beta_i = 2^((k-i)/2) beta,  T_i = floor(2^(i-k) T), 2 at the least,
 *     E_i = (2 C^2 L^2/lam) ( sqrt(d)/(beta_i T_i) + 1/sqrt(T_i) )^2,  C = C_cvx, 16 in theory
 *     D_i = 4 E_i ( D_0/(4 E_0) )^(2^-i),  r_i = min{ 2r, sqrt(2 D_i/lam) }
 *     E F(x) - F* <= 32 C^2 (L^2/lam) ( d/(beta T)^2 + 1/T )  (Proposition 8), at most T gradients
 *
 * D_0 = max{ 2 L^2/lam, (L + lam|x'' - xbar|)^2/(2 lam) } bounds the gap of the start xbar. The paper (Lemma 9)
 * starts at x'' projected on the ball, whose gap is at most L^2/(2 lam) for any x''. But if the gradient of the
 * regulariser nearly cancels that of the loss, x'' is outside of the ball, on the side opposite to the minimiser. A
 * call of Algorithm 5 that does not make up for the whole distance from there would move back by the same amount in
 * every round, and Corollary 3 would fail.
 *
 * What one record can change. A phase releases a mean; the choice of samples and the z do not depend on the data. A
 * record that is drawn b times in a phase moves the mean by at most b c eta_i L:
 *
 *     paper    c^2 = 1500, for each phase with probability 1 - delta_0, if rho/r >= 3456 log^2(1/delta_0)
 *              (1728 where lam = 0; Lemma 5). For a smaller ratio nothing is proven, and the bound is booked
 *              to fail
 *     proven   holds if |z| <= Z. With s = r/rho and W = exp(s Z), weights are at most W, and |w - w'| <=
 *              W (Z + s)|y - y'|/rho, so that c = 2 W exp( (T_i - 1) eta_i L W (Z + s)/rho ), where
 *              eta_i is that of r' = 2r for all r'. A run that draws a |z| > Z = sqrt(d) + 8.3, which has
 *              probability 10^-15 a draw and does not depend on the data, is refused. Neither convexity
 *              nor a large rho/r is needed
 *     measured c^2 is a number that was measured; nothing is proven, and the bound is booked to fail
 *
 * Gradients are clipped to L where the bound relies on it, which changes nothing for L-Lipschitz losses. Iterates
 * are kept as differences from xbar. */
#ifndef ASSAY_PARTS_RESQUE_ERM_H
#define ASSAY_PARTS_RESQUE_ERM_H

#include <string.h>

#include "algo.h"

enum resque_drift { DRIFT_PROVEN, DRIFT_PAPER, DRIFT_MEASURED };

struct resque_erm {
    struct oracle *o;
    const char *site;                /* name of the releases */
    struct ticket data;              /* the n samples */
    double L, r, rho, C_cvx;
    enum resque_drift drift;
    double c_drift,                  /* c^2 of the head, used if the drift is `measured` */
           delta_0;                  /* delta_0 of the head, used if the drift is `paper` */
    struct rng base;                 /* phase k has the key rng_sub(base, k) */
    uint64_t phases;                 /* number of phases so far */
    double gradients, log_w_max;     /* number of gradients, and the largest log w, so far */
    double Z;                        /* the bound Z on |z| of the head; resque_erm_reserve sets it */
    /* The caller of Algorithms 3 to 5 sets the weight lam of the quadratic, the offset c of its centre x'' from
     * xbar (NULL: 0), and xbar. */
    double lam;
    const double *c;
    const double *xbar;              /* [d], memory of the owner */
    double *y, *sum,                 /* [d] y_j less xbar; the sum of these over a phase so far */
           *g, *at,                  /* [d] a gradient w g; the point xbar + rho z where it is taken */
           *z;                       /* [RESQUE_ERM_ROWS][d] the z of as many steps, drawn together */
};
enum { RESQUE_ERM_ROWS = 32 };

/* Returns the value that a word of a parameter `drift` stands for. */
static inline enum resque_drift resque_drift_of(const char *word)
{
    return strcmp(word, "paper") == 0      ? DRIFT_PAPER
           : strcmp(word, "measured") == 0 ? DRIFT_MEASURED : DRIFT_PROVEN;
}

static inline double resque_erm_Z(double d) { return sqrt(d) + 8.3; }

/* Takes the memory of *e from w. Call it before arena_seal. */
static inline void resque_erm_reserve(struct resque_erm *e, struct arena *w)
{
    long d = oracle_dim(e->o);
    e->Z = resque_erm_Z((double)d);
    e->y = arena_vec(w, d);
    e->sum = arena_vec(w, d);
    e->g = arena_vec(w, d);
    e->at = arena_vec(w, d);
    e->z = arena_vec(w, RESQUE_ERM_ROWS * d);
    e->log_w_max = -INFINITY;
}

/* --- sizes of Algorithms 3 to 5 */

/* Returns the number of phases of Algorithms 3 and 4: floor(log2 T), T >= 1. */
static inline int resque_erm_phases(double T)
{
    int e;
    frexp(T, &e);
    return e - 1;
}

static inline double resque_erm_eta(double L, double d, double r_start, double beta, double T)
{
    return r_start / L * fmin(1 / sqrt(T), beta / sqrt(d));
}

/* Returns the number of stages of Algorithm 5, at least 1. */
static inline int resque_sc_stages(double T)
{
    int k = T > 2 ? (int)ceil(log2(log2(T))) : 1;
    return k > 1 ? k : 1;
}
static inline double resque_sc_steps(double T, int k, int i)
{
    return fmax(2, floor(ldexp(T, i - k)));
}
static inline double resque_sc_beta(double beta, int k, int i)
{
    return beta * exp2(0.5 * (k - i));
}

/* Returns the number of phases of stage i of k: floor(log2 T_i), at least 1. */
static inline int resque_sc_phases(double T, int k, int i)
{
    int phases = resque_erm_phases(T) + i - k;
    return phases > 1 ? phases : 1;
}

/* The numbers of gradients and of releases of a call of Algorithm 5. */
struct resque_size { double gradients, releases; };
static inline struct resque_size resque_sc_size(double T)
{
    struct resque_size size = { 0, 0 };
    int k = resque_sc_stages(T);
    for (int i = 0; i < k; i++) {
        int phases = resque_sc_phases(T, k, i);
        size.gradients += ldexp(1, phases) - 1;
        size.releases += phases;
    }
    return size;
}
static inline double resque_sc_gradients(double T) { return resque_sc_size(T).gradients; }
static inline double resque_sc_releases(double T) { return resque_sc_size(T).releases; }

static inline double resque_sc_error(double C_cvx, double L, double lam, double d, double beta,
                                     double T)
{
    double root = sqrt(d) / (beta * T) + 1 / sqrt(T);
    return 2 * C_cvx * C_cvx * L * L / lam * root * root;
}

/* Returns D_0 of Algorithm 5, a bound on the gap of the start xbar, for a quadratic whose centre is at distance
 * `far` from xbar. */
static inline double resque_sc_start(double L, double lam, double far)
{
    double slope = L + lam * far;
    return fmax(2 * L * L, slope * slope / 2) / lam;
}
/* Returns D_i of the head, the bound on the gap after stage i, from the errors E_0 and E_i of stages. */
static inline double resque_sc_gap(double D_0, double E_0, double E_i, int i)
{
    return 4 * E_i * pow(D_0 / (4 * E_0), ldexp(1, -i));
}

/* --- what one record can change */

/* Returns the c for which a record that is drawn once among T steps of size at most eta moves the mean of the
 * iterates by at most c eta L. */
static inline double resque_drift_c(enum resque_drift drift, double c_drift, double L, double d,
                                    double r, double rho, double eta, double T)
{
    double s = r / rho, z_max = resque_erm_Z(d), W = exp(s * z_max);
    double c = drift == DRIFT_PAPER      ? sqrt(1500)
               : drift == DRIFT_MEASURED ? sqrt(c_drift)
                                         : 2 * W * exp((T - 1) * eta * L * W * (z_max + s) / rho);
    return c * (1 + 1e-12);
}

/* Returns the ratio rho/r that Lemma 5 needs to fail with probability at most delta_0. */
static inline double resque_drift_ratio(double lam, double delta_0)
{
    double log_0 = log(1 / delta_0);
    return (lam > 0 ? 3456 : 1728) * log_0 * log_0;
}

/* Returns the probability that the bound on the drift of resque_drift_c fails in a phase. */
static inline double resque_drift_failure(const struct resque_erm *e)
{
    double needed = resque_drift_ratio(e->lam, e->delta_0);
    if (e->drift == DRIFT_PROVEN)
        return 0;
    return e->drift == DRIFT_PAPER && e->rho / e->r >= needed ? e->delta_0 : 1;
}

/* --- Algorithm 4 */

/* e->y <- the next iterate, by one step along a gradient of sample j of the draw, at xbar + rho z. Returns false if
 * the budget is spent. */
static inline bool resque_erm_step(struct resque_erm *e, const struct ticket *draw, long j,
                                   double eta, const double *z)
{
    long d = oracle_dim(e->o);
    struct ticket one = ticket_part(draw, j, 1);
    double v2 = vec_dot(d, e->y, e->y) / (e->rho * e->rho);
    double log_w = vec_dot(d, e->y, z) / e->rho - v2 / 2, w = exp(log_w);
    const double *at = e->at;

    e->log_w_max = fmax(e->log_w_max, log_w);
    vec_lincomb(d, 1, e->xbar, e->rho, z, e->at);
    if (!oracle_batch(e->o, &(struct batch){ .ticket = &one, .points = 1, .x = &at, .w = &w,
                                             .clip = CLIP_NORM, .C = e->L, .g = e->g }))
        return false;
    vec_axpy(d, -eta, e->g, e->y);
    if (e->lam > 0) {
        if (e->c)
            vec_axpy(d, eta * e->lam, e->c, e->y);
        vec_scale(d, 1 / (1 + eta * e->lam), e->y);
    }
    vec_project_ball(d, NULL, e->r, e->y);
    return true;
}

/* Runs the steps of a phase: e->sum <- y_1 + ... + y_T. Returns false if the budget is spent or the run is
 * refused. */
static inline bool resque_erm_pass(struct resque_erm *e, const struct ticket *draw, double eta)
{
    long d = oracle_dim(e->o);
    const struct rng key = rng_sub(&e->base, e->phases);

    vec_zero(d, e->sum);
    for (long j = 0; j < draw->count; j++) {
        double *z = e->z + j % RESQUE_ERM_ROWS * d;
        long left = draw->count - j, rows = left < RESQUE_ERM_ROWS ? left : RESQUE_ERM_ROWS;
        if (j % RESQUE_ERM_ROWS == 0)
            rng_normals_rows(&key, (uint64_t)j, rows, d, 1, e->z);
        if (e->drift == DRIFT_PROVEN && vec_dot(d, z, z) > e->Z * e->Z) {
            oracle_refuse(e->o, "a Gaussian is longer than the proof of privacy allows, which happens "
                          "once in 10^15: another seed");
            return false;
        }
        if (!resque_erm_step(e, draw, j, eta, z))
            return false;
        vec_axpy(d, 1, e->y, e->sum);
    }
    oracle_depth(e->o, (double)draw->count);
    return true;
}

/* Runs one phase of T steps of size eta from v[d], an offset from xbar; v <- the released mean, projected. c bounds
 * the change by one record, as in the head. Returns false if the budget is spent or the run is refused. */
static inline bool resque_erm_phase(struct resque_erm *e, double beta, double eta, double T,
                                    double c, double *v)
{
    long d = oracle_dim(e->o);
    struct ticket draw;

    if (!oracle_draw_from(e->o, &e->data, (long)T, &draw))
        return false;
    vec_copy(d, v, e->y);
    if (!resque_erm_pass(e, &draw, eta))
        return false;
    e->phases++;
    e->gradients += T;
    vec_lincomb(d, 1 / T, e->sum, 0, e->sum, v);
    const struct release out = { .site = e->site, .norm = NORM_2, .sensitivity = c * eta * e->L,
                                 .ticket = &draw, .failure = resque_drift_failure(e) };
    noise_gaussian(e->o, &out, isinf(beta) ? 0 : e->L * eta / beta, d, v);
    vec_project_ball(d, NULL, e->r, v);
    return true;
}

/* In count mode: charges gradients and releases without making steps. Returns false if the budget is spent. */
static inline bool resque_erm_count(struct resque_erm *e, struct resque_size size)
{
    e->gradients += size.gradients;
    e->phases += (uint64_t)size.releases;
    oracle_depth(e->o, size.gradients);
    return oracle_charge(e->o, COUNT_sample_grads, size.gradients) &&
           oracle_charge(e->o, COUNT_batch_steps, size.gradients) &&
           oracle_charge(e->o, COUNT_nonzeros, size.gradients * (double)oracle_dim(e->o)) &&
           oracle_charge(e->o, COUNT_noise_gauss, size.releases);
}

/* Runs Algorithm 4 from v[d], an offset from xbar; v <- the answer. r_start is r' of the head. With lam = 0,
 * r_start = r and v = 0 it is Algorithm 3. Returns false if the budget is spent or the run is refused. */
static inline bool resque_erm_convex(struct resque_erm *e, double beta, double T, double r_start,
                                     double *v)
{
    int k = resque_erm_phases(T);
    double d = (double)oracle_dim(e->o), eta = resque_erm_eta(e->L, d, r_start, beta, T);
    double most = resque_erm_eta(e->L, d, 2 * e->r, beta, T);
    if (oracle_counting(e->o))
        return resque_erm_count(e, (struct resque_size){ ldexp(1, k) - 1, k });
    for (int i = 1; i <= k; i++) {
        double T_i = ldexp(1, k - i);
        double c = resque_drift_c(e->drift, e->c_drift, e->L, d, e->r, e->rho, ldexp(most, -2 * i), T_i);
        if (!resque_erm_phase(e, beta, ldexp(eta, -2 * i), T_i, c, v))
            return false;
    }
    return true;
}

/* --- Algorithm 5 */

/* Runs Algorithm 5, lam > 0: v[d] <- the offset of the answer from xbar. Returns false if the budget is spent or
 * the run is refused. */
static inline bool resque_erm_strongly(struct resque_erm *e, double beta, double T, double *v)
{
    long d = oracle_dim(e->o);
    int k = resque_sc_stages(T);
    double E_0 = NAN, D_0 = resque_sc_start(e->L, e->lam, e->c ? vec_norm(d, e->c) : 0);

    vec_zero(d, v);
    if (oracle_counting(e->o))
        return resque_erm_count(e, resque_sc_size(T));
    for (int i = 0; i < k; i++) {
        double beta_i = resque_sc_beta(beta, k, i), T_i = resque_sc_steps(T, k, i);
        double E_i = resque_sc_error(e->C_cvx, e->L, e->lam, (double)d, beta_i, T_i);
        E_0 = i ? E_0 : E_i;
        double D_i = resque_sc_gap(D_0, E_0, E_i, i);
        if (!resque_erm_convex(e, beta_i, T_i, fmin(2 * e->r, sqrt(2 * D_i / e->lam)), v))
            return false;
    }
    return true;
}

#endif

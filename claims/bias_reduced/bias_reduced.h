/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bias_reduced.h - the lists of claims about the paper of theorems.c, one for each theme, and what several of them
 * use: the exact moments of EpochSGD and of bias-reduced draws (algos/parts/mlmc.h) on linear losses, expected
 * costs of the methods, and instances. */
#ifndef ASSAY_CLAIMS_BIAS_REDUCED_H
#define ASSAY_CLAIMS_BIAS_REDUCED_H

#include <math.h>
#include "claim.h"

#define CITE "Asi, Carmon, Jambulapati, Jin, Sidford 2021, "

/* The lists of claims, in the order in which the report shows them. Each list ends with { 0 }. */
extern const struct claim bias_reduced_epoch[], bias_reduced_draws[], bias_reduced_unbiased[],
                          bias_reduced_envelope[], bias_reduced_composite[], bias_reduced_maximum[],
                          bias_reduced_rivals[], bias_reduced_privacy[], bias_reduced_budgets[],
                          bias_reduced_depth[], bias_reduced_replicates[], bias_reduced_sets[];
extern const struct item bias_reduced_items[];
extern const struct attempt bias_reduced_attempts[];

/* Returns floor(log2 v), v >= 1. */
static inline int bias_log2(double v)
{
    int e;
    frexp(v, &e);
    return e - 1;
}

/* Returns the number of epochs of EpochSGD with a budget of 2^j gradients. */
static inline int bias_epochs(int j) { return j < 4 ? 0 : j == 4 ? 1 : j - 4; }

/* The moments of the answer x of EpochSGD from x_0 = 0 after k epochs on the loss <g, x> + (mu/2)|x|^2, where g
 * also stands for the norm of g, and s^2 is the variance of the gradients' noise. mean: |E x - x*|; variance: E|x -
 * E x|^2; move2: the mean square of the distance that x moved in the last epoch. */
struct bias_linear { int k; double mu, g, s, mean, variance, move2; };

/* Returns the moments before the first epoch, for the modulus mu that is a parameter of the method. The slope is g
 * = Phi/radius, since the linear loss without the quadratic falls by Phi from 0 to the border of the ball; s is the
 * fact sigma. */
static inline struct bias_linear bias_linear(const struct env *e)
{
    double g = e->facts->Phi / e->facts->radius, mu = env_param(e, "mu");
    return (struct bias_linear){ .mu = mu, .g = g, .s = e->facts->sigma, .mean = g / mu };
}

/* Advances the moments by an epoch of T_k = 2^(k+3) points with step length eta_k = 4/(mu T_k). With q = 1/(1 + mu
 * eta_k) the distance m = |E x - x*| becomes ((1 - q^T_k)/4)(m + eta_k g). */
static inline void bias_linear_epoch(struct bias_linear *l)
{
    double T = ldexp(8, ++l->k), eta = 4 / (l->mu * T), q = 1 / (1 + l->mu * eta);
    double keep = (1 - pow(q, T)) / 4, before = l->mean, fresh = 0;
    for (double i = 1; i < T; i++)
        fresh += (1 - pow(q, i)) * (1 - pow(q, i));
    fresh *= l->s * l->s / (l->mu * l->mu * T * T);
    l->mean = keep * (l->mean + eta * l->g);
    l->move2 = (l->mean - before) * (l->mean - before) + (1 - keep) * (1 - keep) * l->variance +
               fresh;
    l->variance = keep * keep * l->variance + fresh;
}

/* The bias |E xhat - x*| of a draw xhat on the loss of struct bias_linear, and error2 = E|xhat - x*|^2 = |x_0 -
 * x*|^2 + 2<x_0 - x*, E x_jmax - x_0> + sum_(j <= jmax) 2^j E|x_j - x_(j-1)|^2. A draw is x_0 + 2^J (x_J -
 * x_(J-1)), with x_j the answer of EpochSGD with budget 2^j, P(J = j) = 2^-j and no second term above jmax. */
struct bias_draw { double bias, error2; };

/* Returns the bias and the squared error of a draw for the modulus mu and levels up to jmax. The slope and the
 * noise of the loss are from the facts of the instance. */
static inline struct bias_draw bias_draw(const struct env *e, double mu, int jmax)
{
    struct bias_linear l = bias_linear(e);
    l.mu = mu;
    l.mean = l.g / mu;
    double start = l.mean, error2 = start * start;
    for (int j = 4; j <= jmax; j++)
        if (bias_epochs(j) > bias_epochs(j - 1)) {
            bias_linear_epoch(&l);
            error2 += ldexp(l.move2, j);
        }
    return (struct bias_draw){ l.mean, error2 + 2 * start * (l.mean - start) };
}

/* Returns the mean squared error of the mean of N draws. */
static inline double bias_error2_of_mean(struct bias_draw one, double N)
{
    return one.bias * one.bias + (one.error2 - one.bias * one.bias) / N;
}

/* Returns the number of gradients of a draw of level j: that of the epochs for budget 2^j, each with one gradient
 * less than it has points; 0 if x_j = x_(j-1). */
static inline double bias_level_gradients(int j)
{
    int e = bias_epochs(j);
    return e == bias_epochs(j - 1) ? 0 : 16 * (ldexp(1, e) - 1) - e;
}

/* Returns the expected number of gradients of a draw with levels up to jmax: 15/16 + sum_(6 <= j <= jmax) (1 -
 * 2^(4-j) - (j-4) 2^-j). */
static inline double bias_draw_gradients(int jmax)
{
    double sum = 0;
    for (int j = 1; j <= jmax; j++)
        sum += ldexp(bias_level_gradients(j), -j);
    return sum;
}

/* --- for the claims about draws (draws.c, replicates.c and others) */

static inline int jmax(const struct env *e) { return bias_log2(env_param(e, "T_max")); }

static inline double one_tenth(const struct env *e) { return 0.1; }

static inline double square_of_sigma(const struct env *e)
{
    return env_param(e, "sigma") * env_param(e, "sigma");
}

static inline double whole(const struct env *e) { return 1; }

#define LINE { "problem.d", 4 }, { "problem.hardness", 0.6 }, { "problem.s", 0.8 },          \
             { "problem.radius", 1000 }

/* --- for the claims about the unbiased estimator of Algorithm 7 (unbiased.c and others) */

/* Returns a bound on the expected number of gradients of Algorithm 7. Its levels up to J_0 are those of EpochSGD
 * and take J_0 - 4.66 gradients in the mean. The levels above J_0 take at most n sum_(j > J_0) 2^(-j/2) more, which
 * is below 2.42, since J_0 is at least 2 log2 n. Rounding the numbers of gradients up adds n 2^-j at level j. */
static inline double few_gradients(const struct env *e) { return env_param(e, "J_0") + 3; }

/* --- for the claims about the maximum of functions (maximum.c, theorems.c) */

/* Returns log2(T_max) times the expected number of gradients of a draw, where T_max = 4 c (24 G R/eps)^2 is the
 * largest budget of EpochSGD in max-agd; G = R = 1 and c = 1/4. */
static inline double max_log_squared(double eps)
{
    double T_max = ceil(576 / (eps * eps));
    return log2(T_max) * bias_draw_gradients(bias_log2(T_max));
}

/* --- for the claims about Algorithm 3, which takes few projections (envelope.c and others); G, R and D are 1 */

static inline double accuracy(const struct env *e) { return e->axis; }

static inline double target(const struct env *e) { return e->goal->acc; }

/* Returns the proof's bound on the excess of Algorithm 3 with exact gradients of the envelope; eps is the axis. It
 * is eps/4 for the gap between f and the envelope plus 6 lam D^2/T^2 = 12 eps/49, which T accelerated rounds leave.
 * The proof allows another eps/2 for the errors of draws. */
static inline double exact_part(const struct env *e) { return (1.0 / 4 + 12.0 / 49) * e->axis; }

static inline double rounds_of_thm3(const struct env *e)
{
    return ceil(7 * e->facts->G * e->facts->dist / e->axis);
}

/* Returns the expected number of gradients of Algorithm 3 with c = 1 for an accuracy of eps: round k averages N_k
 * draws that have the accuracies delta_k = eps/(8R) and sigma_k^2 = 4 G^2/(k+1). */
static inline double gradients_of_thm3(const struct env *e)
{
    double G2 = e->facts->G * e->facts->G, delta = e->axis / (8 * e->facts->radius), sum = 0;
    for (double k = 1; k <= rounds_of_thm3(e); k++) {
        double sigma2 = 4 * G2 / (k + 1);
        double T_max = fmax(1, ceil(4 * G2 / fmin(delta * delta, sigma2 / 2)));
        double N = fmax(1, ceil(32 * G2 * log2(T_max) / sigma2));
        sum += N * bias_draw_gradients(bias_log2(T_max));
    }
    return sum;
}

/* REACHES_EPS: nine runs of ten must reach an excess of eps. COUNTED and RIVAL_METHOD give the reason why a claim
 * does not test one mechanism of the method by switching it off. */
#define REACHES_EPS .reaches = { "excess", .of = target, .probability = 0.9 }
#define COUNTED .tests = "none", \
                .tests_none = "a count in closed form; rates of what is spent until eps test the mechanisms"
#define RIVAL_METHOD .tests = "none", .tests_none = "a method of the paper's comparison, tested as a whole"

#define ENVELOPE .algo = "envelope-agd", .problem = "half_ball", .axis = "acc"

/* A budget that is never used up. The method ends by itself, but a run must have a budget. */
#define ENOUGH { "goal.budget", 1e12 }

#define PRACTICAL { "algo.c", 1 }, ENOUGH

/* --- for the claims about Algorithm 5, which takes few gradients of the smooth part (composite.c and others) */

static inline double rounds_of_thm5(const struct env *e)
{
    double R = e->facts->radius;
    return ceil(2 * sqrt(e->facts->M_smooth * R * R / e->goal->acc));
}

/* Returns the expected number of gradients of the part that is not smooth, for Algorithm 5 with c = b = 1 and N
 * rounds; L is the smoothness of the smooth part. Round k computes a point vbar by one run of EpochSGD with budget
 * T_k = ceil(G^2 k^2 N/(L R)^2), and a point v as the mean of N_k = ceil(32 log2(T_max) G^2 k^2 N/(L R)^2) draws
 * with T_max = ceil(256 G^2 k^2 N^2/(L R)^2). */
static inline double gradients_of_thm5(const struct env *e)
{
    double N = rounds_of_thm5(e), G = e->facts->G, sum = 0;
    for (double k = 1; k <= N; k++) {
        double ratio = G * k / (e->facts->M_smooth * e->facts->radius), scale = ratio * ratio * N;
        double T = ceil(scale), T_max = fmax(1, ceil(256 * scale * N));
        int epochs = bias_log2(T / 16 + 1);
        sum += 16 * (ldexp(1, epochs) - 1) - epochs;
        sum += fmax(1, ceil(32 * log2(T_max) * scale)) * bias_draw_gradients(bias_log2(T_max));
    }
    return sum;
}

#define COMPOSITE .algo = "composite-agd", .problem = "composite_l1", .kind = KIND_THEOREM,     \
                  .cite = CITE "Theorem 5"
#define COMPOSITE_RUN { "algo.c", 1 }, { "algo.b", 1 }, { "goal.budget", 1e12 },                \
                      { "problem.decades", 1 }
#define SIXTEEN { "problem.M", 16 }
#define ONE_ROUND .control = { .with = { { "algo.N", 1 } },                                     \
                               .why = "one round: the flat directions have not moved" }

/* --- for the claims about rivals, the methods with which the paper compares (rivals.c and others) */

/* Slopes a and b of the family half_ball, for claims about the cost of an excess of eps. There the excess of
 * Algorithm 3 and of its rivals after k rounds falls as 6 lam D^2/k^2, once k^2 is above 12 lam D/a. If eps < a D/2
 * they therefore reach eps after a fixed fraction of all rounds. */
#define STEEP { "problem.a", 0.9 }, { "problem.b", 0.3 }

#define HALF_BALL .problem = "half_ball", .axis = "acc"

static inline double one_fifth(const struct env *e) { return 0.2; }

static inline double steps_of_subgradients(double eps, const struct facts *f)
{
    double ratio = f->G * f->dist / eps;
    return ceil(ratio * ratio);
}

#define LAN "Lan 2016"
#define ON_COMPOSITE .problem = "composite_l1", .axis = "acc"
#define SOFT { "problem.M", 4 }

/* With a large smoothness M there are many rounds, so that rounding their number up does not change an exponent. */
#define STIFF { "problem.M", 400 }

/* --- for the claims about least budgets (budgets.c and others) */

/* Curvatures from L to L/10^5 in equal ratios. After k accelerated rounds the coordinates with curvature below
 * L/k^2 are not yet minimised, so that the gap falls as L/k^2 throughout: the slowest rate that the theorem
 * allows. */
#define FALLING .problem = "composite_l1"

#define FALLING_WITH { "problem.d", 16 }, { "problem.decades", 5 }, PRACTICAL

/* --- for the claims about the depth of parallel draws (replicates.c) */

/* Returns the expected depth of B parallel draws with levels up to `top`, the number of gradients of the longest.
 * The highest of their levels J is at most j with probability (1 - P(J > j))^B. A level at which EpochSGD is not
 * run has depth 0. */
static inline double longest_draw(double B, int top)
{
    double sum = 0, before = 0, above = 0;
    for (int j = 1; j <= top; j++)
        above += bias_level_gradients(j) > 0 ? ldexp(1, -j) : 0;
    before = pow(1 - above, B);
    for (int j = 1; j <= top; j++) {
        if (bias_level_gradients(j) == 0)
            continue;
        above -= ldexp(1, -j);
        sum += bias_level_gradients(j) * (pow(1 - above, B) - before);
        before = pow(1 - above, B);
    }
    return sum;
}

/* Returns the expected depth of Algorithm 3 with c = 1: the sum over the rounds of the number of gradients of the
 * longest draw. */
static inline double depth_of_thm3(const struct env *e)
{
    double G2 = e->facts->G * e->facts->G, delta = e->axis / (8 * e->facts->radius), sum = 0;
    for (double k = 1; k <= rounds_of_thm3(e); k++) {
        double sigma2 = 4 * G2 / (k + 1);
        double T_max = fmax(1, ceil(4 * G2 / fmin(delta * delta, sigma2 / 2)));
        sum += longest_draw(fmax(1, ceil(32 * G2 * log2(T_max) / sigma2)), bias_log2(T_max));
    }
    return sum;
}

#endif

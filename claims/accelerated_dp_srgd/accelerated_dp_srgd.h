/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accelerated_dp_srgd.h - the claims about the paper of theorems.c, one list for each theme, and the formulas and
 * settings that several claims share. */
#ifndef ASSAY_CLAIMS_ACCELERATED_DP_SRGD_H
#define ASSAY_CLAIMS_ACCELERATED_DP_SRGD_H

#include <math.h>
#include "claim.h"
#include "gdp_curve.h"

#define CITE "Choquette-Choo, Ganesh, Thakurta 2024, "

/* The lists of claims, in the order in which the report shows them. Each list ends with { 0 }. */
extern const struct claim accelerated_dp_srgd_rates[], accelerated_dp_srgd_privacy[],
                          accelerated_dp_srgd_private[], accelerated_dp_srgd_balanced[],
                          accelerated_dp_srgd_sensitivity[], accelerated_dp_srgd_rounds[],
                          accelerated_dp_srgd_methods[];
extern const struct item accelerated_dp_srgd_items[];
extern const struct attempt accelerated_dp_srgd_attempts[];
extern const struct plot accelerated_dp_srgd_figures[];
extern const struct exhibit accelerated_dp_srgd_tables[];

/* Returns T - 1, the number of rounds where the axis has T = 2^k: a binary tree over 2^k - 1 rounds has one level
 * less than a tree over 2^k. */
static inline double one_less(double T, const struct facts *f) { return T - 1; }

/* Texts of .tests_none: why a claim does not test one mechanism of the method by switching it off. */
#define PRICE_OF_B                                                                                            \
    "without privacy SGD comes as far in as many rounds: what variant B has beyond it serves its privacy, "     \
    "which the private rows are about"
#define PLAIN_SGD "SGD has nothing that could be switched off"

/* The delta of claims with noise: at most 1/n for n up to 10^9, as Theorem 5.8 asks. */
#define PRIVATE_DELTA 1e-9

/* Returns the predicted excess, c_s/sqrt(n) + c_p log2(rounds) sqrt(p)/(mu n): a statistical and a privacy term. p
 * is the dimension, rounds is T + 1, and mu is the parameter of Gaussian privacy, NaN without privacy. The variants
 * have T + 1 = 2 n^(1/4) (A) and 2 n^(1/2) (B). The coefficients of two_terms_A and two_terms_B contain the factor
 * L R and were measured on the family spectral in runs with n = 2^17 to 2^20 (private.c). */
static inline double two_terms(double c_s, double c_p, double rounds, double n, double p, double mu)
{
    return c_s / sqrt(n) + (isnan(mu) ? 0 : c_p * log2(rounds) * sqrt(p) / (mu * n));
}
static inline double two_terms_A(double n, double p, double mu)
{
    return two_terms(0.036, 0.096, 2 * sqrt(sqrt(n)), n, p, mu);
}
static inline double two_terms_B(double n, double p, double mu)
{
    return two_terms(0.034, 0.06, 2 * sqrt(n), n, p, mu);
}
static inline double goal_mu(const struct env *e)
{
    return isnan(e->goal->eps) ? NAN : gdp_mu(e->goal->eps, e->goal->delta);
}
static inline double order_of_optimum(const struct env *e)
{
    return two_terms_A(e->goal->n, e->facts->d, goal_mu(e));
}
static inline double twice_the_order(const struct env *e) { return 2 * order_of_optimum(e); }
/* For claims about the cost of a small excess: every run must reach twice the predicted excess,
 * order_of_optimum. */
#define TO_THE_ORDER { .measure = "excess", .of = twice_the_order, .probability = 1 }
/* AT_THE_TREES_LEVEL asks nine runs of ten to reach 1.4 times the predicted excess. Variant A does so with tree
 * noise, but not with independent noise: the mean excess, computed from the second moments of the method's
 * recursion, is at most the predicted one with tree noise. With independent noise it is 1.6 to 2.4 times as large,
 * whatever the inverse step length beta is, where T >= 63 and most of the excess is the privacy term. */
static inline double near_the_order(const struct env *e) { return 1.4 * order_of_optimum(e); }
#define AT_THE_TREES_LEVEL { .measure = "excess", .of = near_the_order, .probability = 0.9 }
/* AT_THE_LEVEL_OF_B asks three runs of four to reach 1.5 times the predicted excess of variant B, with and without
 * privacy. Not all runs can, since with few coordinates the excess of a run differs from its mean by a third. The
 * mean excess, computed from the second moments of the method's recursion, is 0.9 to 1 times the predicted one. In
 * half as many rounds it is 1.8 to 2 times the predicted one, or 1.4 to 1.8 times with the beta for that number of
 * rounds. */
static inline double near_the_order_B(const struct env *e)
{
    return 1.5 * two_terms_B(e->goal->n, e->facts->d, goal_mu(e));
}
#define AT_THE_LEVEL_OF_B { .measure = "excess", .of = near_the_order_B, .probability = 0.75 }

/* Rule 1 of docs/verdicts.md: a method must end below 0.9 of the excess at the start. Claims about numbers that do
 * not depend on the excess, such as counts and noise, ask this of nine runs of ten. */
static inline double below_start(const struct env *e) { return 0.9 * e->facts->Phi; }
#define BELOW_START { .measure = "excess", .of = below_start, .probability = 0.9 }

/* The excess until which the cost of a method without privacy is counted, 0.2/sqrt(n): five times the least excess
 * that variant A reaches. */
#define TO_THE_FLOOR { "goal.acc", 0.2, -0.5 }, { "run.aggregate", 1 }

#endif

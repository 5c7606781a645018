/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - the statistics of a sample: locations, limits, tests, least squares. All functions are pure. Samples
 * hold finite values or +infinity (a diverged run), never NaN. Where a sample is too small for a limit, the limit
 * is infinite, so that a comparison with it decides nothing. */
#ifndef ASSAY_STATS_H
#define ASSAY_STATS_H

#include "rng.h"

struct interval { double lo, hi; };

/* An estimate with its standard error and degrees of freedom. se 0: the value is exact; se infinite: the error is
 * unknown. */
struct location { double value, se, df; };

/* Returns the arithmetic mean; +infinity if one value is infinite; NaN for n == 0. */
double stats_mean(long n, const double *x);
/* Returns the standard deviation with n - 1; NaN for n < 2 or an infinite value. */
double stats_sd(long n, const double *x);
/* Returns the largest value; NaN for n == 0. */
double stats_worst(long n, const double *x);
/* Returns the quantile q in [0,1], linear between order statistics (R type 7); work[n]; NaN for n == 0. */
double stats_quantile(long n, const double *x, double q, double *work);

/* Returns the one-sided Student limit beyond which the true mean lies with probability alpha: side -1 lower, +1
 * upper. An infinite value makes the mean, hence both limits, +infinity. */
double stats_student_limit(long n, const double *x, double alpha, int side);
/* Returns the two-sided Student interval of the mean at a level such as 0.95. */
struct interval stats_student(long n, const double *x, double level);

/* Returns Student's limit corrected for skewness: Student's law is taken to be that of g(t) = t + a t^2/3 +
 * a^2 t^3/27 + a/6, a = skewness/sqrt(n), and not that of t, the error of the mean over its standard error (Hall,
 * JRSS B 54, 1992). Fewer than 8 values show no skewness, and get Student's limit. On log-normal data this limit is
 * as good as the bootstrap-t, without its cost. */
double stats_skewed_limit(long n, const double *x, double alpha, int side);

/* Returns a distribution-free one-sided limit of quantile q from order statistics, level at least 1 - alpha (David
 * & Nagaraja, Order Statistics, 7.1); infinite if the sample is too small; work[n]. */
double stats_quantile_limit(long n, const double *x, double q, double alpha, int side,
                            double *work);

/* Returns the bootstrap standard error of the logarithm of quantile q; all x > 0; work[2 n + resamples]. */
double stats_log_quantile_se(long n, const double *x, double q, long resamples, struct rng *r,
                             double *work);

/* Returns the exact interval of a probability, k successes in n trials (Clopper & Pearson 1934). */
struct interval stats_clopper_pearson(long k, long n, double level);
/* Returns the logarithm of the mean, with its jackknife standard error and n - 1 degrees of freedom; all x > 0 and
 * finite. On a skewed sample of 8 the standard error of the delta method is too small by half. The jackknife's is
 * not, because it leaves out the dominating value once. It is infinite where the sum is too large for a double. */
struct location stats_log_mean(long n, const double *x);
/* Returns log(mean y / mean z) with its jackknife standard error; z NULL: all z are 1. Each jackknife value leaves
 * out a pair, so that variation which y and z have in common cancels. */
struct location stats_log_ratio(long n, const double *y, const double *z);

/* The logarithms of a sample. log_sd: the standard deviation of the logarithms. lean: their skewness in units of
 * its standard error under normality (0 for n < 4 or equal values). If the logarithms lean to the left by more than
 * STATS_LEANS, or a value is not positive, log_sd is instead that of the log-normal law with the coefficient of
 * variation of the sample, because the small values of such a sample say nothing about its upper tail. */
struct spread { double log_sd, lean; };
struct spread stats_spread(long n, const double *x, double *work);       /* work[n] */
/* For normal data the lean is below -3 in about one sample of 500 to 700 if n >= 16, one of 2000 if n = 10, and
 * almost none if n <= 8 (simulated). */
#define STATS_LEANS 3

/* Returns the upper limit of log(E y / E z), which is below the truth with probability alpha, from n pairs of
 * positive values; z NULL: all z are 1. It is the largest of three limits: Student's with the jackknife error; the
 * limit for log-normal pairs, unless log y leans to the left (stats_ratio.c); and the bootstrap-t limit on the log
 * scale, where n >= 8 and the lean of log y is above 1. Student's limit alone misses the mean of skewed data two to
 * ten times too often, because a sample without large values has a small mean and a small error. Data whose
 * logarithms are symmetric or lean to the left do not get the bootstrap's limit, which is wide. Returns +infinity
 * for n < 2; work[2 n + resamples]; resamples 0: no bootstrap. */
double stats_log_ratio_limit(long n, const double *y, const double *z, double alpha,
                             long resamples, struct rng *r, double *work);
/* Returns the bootstrap-t limit of stats_log_ratio_limit (Efron and Tibshirani 1993, 12.5); the two values of a
 * pair are drawn together; work[2 n + resamples]. */
double stats_bootstrap_t_limit(long n, const double *y, const double *z, double alpha,
                               long resamples, struct rng *r, double *work);

/* Returns sum_i k_i z_i for independent locations, with degrees of freedom after Welch and Satterthwaite. */
struct location stats_contrast(int n, const double *k, const struct location *z);
/* Returns the two-sided Student interval of a location. */
struct interval stats_interval(const struct location *z, double level);

/* The least-squares slope of y on x is sum_i k_i y_i; n >= 2 different x. */
void stats_slope_weights(int n, const double *x, double *k);
/* The coefficient of x^2 in the least-squares parabola is sum_i k_i y_i; n >= 3 different x. */
void stats_curvature_weights(int n, const double *x, double *k);

enum { STATS_TERMS_MAX = 4, STATS_ROWS_MAX = 64 };
/* c[terms] >= 0 <- the minimiser of |A c - b|^2, A[rows * terms] by rows; returns the minimum. It is exact: all
 * supports are tried (linearly dependent ones are skipped). */
double stats_nnls(int rows, int terms, const double *A, const double *b, double *c);

#endif

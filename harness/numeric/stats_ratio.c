/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_ratio.c - the mean of positive skewed data, or the ratio of two such means over the same replicates:
 * location, spread, upper limits. */
#include "numeric/stats.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>

/* Returns the logarithm of the mean of y[n] without y[i], less the logarithm of the mean of all. log1p makes it
 * exactly 0 if all values are equal. If the mean without y[i] is less than half of the mean of all, the difference of
 * the mean and y[i] may be rounding alone, and the other values are summed instead. This is so for one i at most. */
static double left_out(long n, const double *y, double mean, long i)
{
    double change = (mean - y[i]) / (mean * (n - 1)), others = 0;
    if (!(change < -0.5))
        return log1p(change);
    for (long j = 0; j < n; j++)
        others += j == i ? 0 : y[j];
    return log(others) - log(mean * (n - 1));   /* the quotient of the two may be too small for a double */
}

struct location stats_log_ratio(long n, const double *y, const double *z)
{
    double mean = stats_mean(n, y), rival = z ? stats_mean(n, z) : 1, sum = 0, squares = 0;
    if (n < 2)
        return (struct location){ log(mean / rival), INFINITY, 1 };
    for (long i = 0; i < n; i++) {
        double l = left_out(n, y, mean, i) - (z ? left_out(n, z, rival, i) : 0);
        sum += l;
        squares += l * l;
    }
    double variance = fmax(0, squares - sum * sum / n) * (n - 1) / n;
    /* Where a sum was too large for a double, nothing is known: the error is infinite, and not 0. */
    return (struct location){ log(mean / rival), isfinite(squares) ? sqrt(variance) : INFINITY, n - 1 };
}

struct location stats_log_mean(long n, const double *x)
{
    return stats_log_ratio(n, x, NULL);
}

/* --- the spread of the logarithms, and their lean */

/* Skewness of x[n] over its standard error for normal data; 0 for n < 4 or equal x. */
static double lean_of(long n, const double *x)
{
    double mean = stats_mean(n, x), sd = stats_sd(n, x), cubes = 0;
    if (n < 4 || !(sd > 1e-12 * fmax(1, fabs(mean))))
        return 0;
    for (long i = 0; i < n; i++)
        cubes += (x[i] - mean) * (x[i] - mean) * (x[i] - mean);
    return cubes / (n * sd * sd * sd) / sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3.0)));
}

struct spread stats_spread(long n, const double *x, double *work)
{
    struct spread s = { 0, 0 };
    bool positive = true;
    for (long i = 0; i < n; i++) {
        positive = positive && x[i] > 0;
        work[i] = positive ? log(x[i]) : 0;
    }
    if (n < 2)
        return s;
    if (positive) {
        s.log_sd = stats_sd(n, work);
        s.lean = lean_of(n, work);
    }
    if (!positive || s.lean < -STATS_LEANS)
        s.log_sd = sqrt(log1p(pow(stats_sd(n, x) / stats_mean(n, x), 2)));
    return s;
}

/* --- upper limits of log(E y / E z) */

/* Relative errors below this are rounding of the sums of a resample. */
static const double tiny = 1e-7;

/* Returns the upper limit of log(E y / E z) for log y and log z that are jointly normal; a, b: these logarithms.
 * With D = log y - log z and S = log y + log z,
 *     log(E y / E z) = E D + beta Var S / 2,    beta = Cov(D, S) / Var S.
 * E D has Student's error, beta the error of a regression, Var S the error of a chi-square. The distances of the
 * three estimates to their limits are combined as by Zou and Donner (Statistics in Medicine 27, 2008, who treat one
 * log-normal mean: z = 1, beta = 1). */
static double lognormal_limit(long n, const double *a, const double *b, double alpha)
{
    double D = 0, S = 0, DD = 0, SS = 0, DS = 0, f = (double)(n - 1);
    for (long i = 0; i < n; i++) {
        D += (a[i] - b[i]) / n;
        S += (a[i] + b[i]) / n;
    }
    for (long i = 0; i < n; i++) {
        double d = a[i] - b[i] - D, s = a[i] + b[i] - S;
        DD += d * d / f;
        SS += s * s / f;
        DS += d * s / f;
    }
    double beta = SS > 0 ? DS / SS : 0, rest = fmax(0, DD - beta * DS) * f / (f - 1);
    double chi = beta > 0 ? gsl_cdf_chisq_Pinv(alpha, f) : gsl_cdf_chisq_Qinv(alpha, f);
    double of_mean = gsl_cdf_tdist_Qinv(alpha, f) * sqrt(DD / n);
    double of_beta = gsl_cdf_tdist_Qinv(alpha, f - 1) * sqrt(rest * SS / f) / 2;
    double of_variance = beta * SS / 2 * (f / chi - 1);
    return D + beta * SS / 2 + hypot(hypot(of_mean, of_beta), of_variance);
}

double stats_bootstrap_t_limit(long n, const double *y, const double *z, double alpha,
                               long resamples, struct rng *r, double *work)
{
    double *t = work, *u = work + resamples, *v = u + n;
    double mean = stats_mean(n, y), rival = z ? stats_mean(n, z) : 1, squares = 0;
    for (long i = 0; i < n; i++) {
        u[i] = y[i] / mean;
        v[i] = z ? z[i] / rival : 1;
        squares += (u[i] - v[i]) * (u[i] - v[i]);
    }
    double se = sqrt(squares / (n * (n - 1.0)));
    if (!(se > tiny))
        return log(mean / rival);
    for (long k = 0; k < resamples; k++) {
        double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
        for (long i = 0; i < n; i++) {
            uint64_t j = (uint64_t)rng_u32(r) * (uint64_t)n >> 32;   /* uniform up to a relative n/2^32 */
            a += u[j];
            b += v[j];
            aa += u[j] * u[j];
            bb += v[j] * v[j];
            ab += u[j] * v[j];
        }
        double spread = fmax(0, aa / (a * a) - 2 * ab / (a * b) + bb / (b * b));
        double difference = log(a / b), own = sqrt(spread * n / (n - 1.0));
        /* A resample that repeats one value has error 0: t is infinite, or 0 where the difference is 0 too. */
        t[k] = own > tiny ? difference / own : fabs(difference) <= tiny ? 0
                                             : copysign(INFINITY, difference);
    }
    gsl_sort(t, 1, (size_t)resamples);
    return log(mean / rival) - t[(long)floor(alpha * resamples)] * se;
}

double stats_log_ratio_limit(long n, const double *y, const double *z, double alpha,
                             long resamples, struct rng *r, double *work)
{
    if (n < 2)
        return INFINITY;
    struct location location = stats_log_ratio(n, y, z);
    double limit = stats_interval(&location, 1 - 2 * alpha).hi, *b = work + n;
    double lean = stats_spread(n, y, work).lean;
    for (long i = 0; i < n; i++)
        b[i] = z ? log(z[i]) : 0;
    if (n > 2 && lean >= -STATS_LEANS)
        limit = fmax(limit, lognormal_limit(n, work, b, alpha));
    if (n >= 8 && lean > 1 && resamples > 0)
        limit = fmax(limit, stats_bootstrap_t_limit(n, y, z, alpha, resamples, r, work));
    return limit;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stats.c - statistics, compared with published values, closed forms, enumeration and optimality
 * conditions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "numeric/stats.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Data of Student (1908): hours of extra sleep under two drugs, ten patients. */
static const double drug_1[10] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double drug_2[10] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

static void test_locations(void **state)
{
    const double x[] = { 4, 1, 3, 2 }, diverged[] = { 1, INFINITY, 2 };
    const double mostly[] = { INFINITY, 1, INFINITY, INFINITY };
    double work[4];
    NEAR(stats_mean(4, x), 2.5, 0);
    NEAR(stats_sd(4, x), sqrt(5.0 / 3), 1e-15);
    NEAR(stats_worst(4, x), 4, 0);
    NEAR(stats_quantile(4, x, 0.5, work), 2.5, 0);
    NEAR(stats_quantile(4, x, 0.25, work), 1.75, 0);
    NEAR(stats_quantile(4, x, 1, work), 4, 0);
    assert_true(stats_mean(3, diverged) == INFINITY);
    assert_true(isnan(stats_sd(3, diverged)));
    assert_true(stats_worst(3, diverged) == INFINITY);
    assert_true(stats_quantile(3, diverged, 0.5, work) == 2);
    assert_true(stats_quantile(3, diverged, 0.75, work) == INFINITY);
    assert_true(stats_quantile(4, mostly, 0.25, work) == INFINITY);
    assert_true(stats_quantile(4, mostly, 0.5, work) == INFINITY);
    assert_true(stats_student_limit(3, diverged, 0.005, -1) == INFINITY);
    assert_true(isnan(stats_mean(0, x)));
    assert_true(isnan(stats_sd(1, x)));
}

/* Published intervals for the sleep data: paired -2.4598858 .. -0.7001142; Welch -3.3654832 .. 0.2054832 with
 * 17.776 degrees of freedom. */
static void test_student(void **state)
{
    double difference[10];
    for (int i = 0; i < 10; i++)
        difference[i] = drug_1[i] - drug_2[i];
    struct interval t = stats_student(10, difference, 0.95);
    NEAR(t.lo, -2.4598858, 1e-7);
    NEAR(t.hi, -0.7001142, 1e-7);

    struct location z[2] = {
        { stats_mean(10, drug_1), stats_sd(10, drug_1) / sqrt(10), 9 },
        { stats_mean(10, drug_2), stats_sd(10, drug_2) / sqrt(10), 9 },
    };
    const double k[2] = { 1, -1 };
    struct location welch = stats_contrast(2, k, z);
    struct interval w = stats_interval(&welch, 0.95);
    NEAR(welch.df, 17.776, 5e-4);
    NEAR(w.lo, -3.3654832, 1e-7);
    NEAR(w.hi, 0.2054832, 1e-7);
}

static void test_small_samples(void **state)
{
    const double one[1] = { 3 }, equal[3] = { -2, -2, -2 };
    struct interval t = stats_student(1, one, 0.95);
    assert_true(t.lo == -INFINITY && t.hi == INFINITY);
    t = stats_student(3, equal, 0.95);
    assert_true(t.lo == -2 && t.hi == -2);
    struct location z = stats_log_mean(1, one);
    t = stats_interval(&z, 0.95);
    assert_true(t.lo == -INFINITY && t.hi == INFINITY);
    const double same[4] = { 0.1, 0.1, 0.1, 0.1 };
    assert_true(stats_log_mean(4, same).se == 0);
    const struct location mixed[2] = { { 1, INFINITY, 1 }, { 2, 0, INFINITY } };
    const double skip[2] = { 0, 1 };
    z = stats_contrast(2, skip, mixed);
    assert_true(z.value == 2 && z.se == 0);
    const struct location unit = { 5, 1, INFINITY }, exact = { 5, 0, NAN };
    t = stats_interval(&unit, 0.95);     /* the normal quantile, by tables */
    NEAR(t.lo, 5 - 1.959964, 1e-6);
    NEAR(t.hi, 5 + 1.959964, 1e-6);
    t = stats_interval(&exact, 0.95);    /* without an error no degrees of freedom are asked for */
    assert_true(t.lo == 5 && t.hi == 5);
}

/* The jackknife error equals its definition: the standard deviation of the leave-one-out values, times
 * (n-1)/sqrt(n). */
static void test_jackknife(void **state)
{
    const double x[5] = { 0.2, 1.7, 0.4, 9.1, 0.9 };
    double left[5];
    for (int i = 0; i < 5; i++) {
        double sum = 0;
        for (int j = 0; j < 5; j++)
            sum += j == i ? 0 : x[j];
        left[i] = log(sum / 4);
    }
    struct location z = stats_log_mean(5, x);
    NEAR(z.value, log(12.3 / 5), 1e-15);
    NEAR(z.se, stats_sd(5, left) * 4 / sqrt(5), 1e-14);
}

/* Returns the jackknife error of log(mean y / mean z) by its definition, in long double; each left-out sum adds up
 * the others. */
static double jackknife_error(int n, const double *y, const double *z)
{
    long double left[8], mean = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        long double a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            a += j == i ? 0 : y[j];
            b += j == i ? 0 : z[j];
        }
        left[i] = logl(a) - logl(b);
        mean += left[i] / n;
    }
    for (int i = 0; i < n; i++)
        squares += (left[i] - mean) * (left[i] - mean);
    return (double)sqrtl(squares * (n - 1) / n);
}

/* A value that dominates the others makes the error large, never 0, which would mean that the mean is exact; also
 * where all others together are below the rounding of the mean, and where it stands in the rival's data. */
static void test_a_value_that_dominates(void **state)
{
    const double most[] = { 1e14, 1e16, 1e20 };
    const double other[8] = { 0.02, 0.03, 0.05, 0.01, 0.03, 0.02, 0.04, 0.03 };
    for (int k = 0; k < 3; k++) {
        const double x[8] = { most[k], 0.03, 0.02, 0.04, 0.03, 0.05, 0.01, 0.03 };
        NEAR(stats_log_mean(8, x).se, log(most[k] / 0.21) * 7 / 8, 1e-12);
        assert_true(stats_log_ratio(8, other, x).se > 25 && stats_log_ratio(8, x, other).se > 25);
    }
}

/* If one replicate dominates both samples, only the others tell the error of the ratio. Where it dominates beyond
 * rounding, the ratio without it is that of the others, A; the ratios without another are that of the two large
 * values, B; and the error is |log A - log B| (n - 1)/n. */
static void test_a_replicate_that_dominates_both(void **state)
{
    const double most[] = { 0.03, 0.2, 0.3, 1, 1e3, 1e8, 1e14, 1e16, 1e18, 1e20, 1e300 };
    double y[8] = { 1e20, 0.03, 0.02, 0.04, 0.03, 0.05, 0.01, 0.03 };
    double z[8] = { 2e20, 0.3, 0.2, 0.4, 0.3, 0.5, 0.1, 0.3 };
    NEAR(stats_log_ratio(8, y, z).value, -log(2), 1e-15);
    NEAR(stats_log_ratio(8, y, z).se, log(5) * 7 / 8, 1e-12);
    z[0] = 1e18;
    NEAR(stats_log_ratio(8, y, z).se, log(1000) * 7 / 8, 1e-12);
    for (size_t k = 0; k < sizeof most / sizeof *most; k++)
        for (size_t l = 0; l < sizeof most / sizeof *most; l++) {
            y[0] = most[k];
            z[0] = most[l];
            double error = jackknife_error(8, y, z);
            NEAR(stats_log_ratio(8, y, z).se, error, 1e-12 * (1 + error));
        }
    const double tiny[3] = { 1e200, 1e-200, 1e-200 }, huge[3] = { 1e308, 1e308, 1e308 };
    NEAR(stats_log_mean(3, tiny).se, (2 * log(1e200) - log(2)) * 2 / 3, 1e-10);
    assert_true(stats_log_mean(3, huge).se == INFINITY);
}

/* 4 events in 20 trials give the limits 5.73% and 43.66% (tables of Clopper and Pearson). No event in n trials
 * gives the upper limit 1 - 0.025^(1/n). */
static void test_proportions(void **state)
{
    struct interval p = stats_clopper_pearson(4, 20, 0.95);
    NEAR(p.lo, 0.0573, 5e-5);
    NEAR(p.hi, 0.4366, 5e-5);
    p = stats_clopper_pearson(0, 12, 0.95);
    NEAR(p.lo, 0, 0);
    NEAR(p.hi, 1 - pow(0.025, 1.0 / 12), 1e-12);
    p = stats_clopper_pearson(12, 12, 0.95);
    NEAR(p.lo, pow(0.025, 1.0 / 12), 1e-12);
    NEAR(p.hi, 1, 0);
}

/* For more than some thousand trials the limits of a proportion agree with two approximations. The number of rare
 * events has a Poisson law, whose limits are chi-square quantiles, up to an error of order n^-1. The number of
 * events of probability near 1/2 is normal, with the continuity correction, up to n^-1/2 of the width. */
static void test_proportions_of_many(void **state)
{
    for (long n = 1000000; n <= 1000000000; n *= 10) {
        for (long k = 1; k <= 10; k += 3) {
            struct interval p = stats_clopper_pearson(k, n, 0.95);
            double lo = gsl_cdf_chisq_Pinv(0.025, 2.0 * k) / 2 / n,
                   hi = gsl_cdf_chisq_Qinv(0.025, 2.0 * k + 2) / 2 / n;
            NEAR(p.lo / lo, 1, 20.0 / n);
            NEAR(p.hi / hi, 1, 20.0 / n);
        }
        struct interval p = stats_clopper_pearson(n / 2, n, 0.99);
        double half = gsl_cdf_ugaussian_Qinv(0.005) * 0.5 / sqrt(n) + 0.5 / n;
        NEAR(p.lo, 0.5 - half, 3 * half / sqrt(n));
        NEAR(p.hi, 0.5 + half, 3 * half / sqrt(n));
    }
}

static double transformed(double t, double a)
{
    return t + a * t * t / 3 + a * a * t * t * t / 27 + a / 6;
}

/* Student's limits corrected for skewness satisfy their definition: at the limit the transformed statistic equals
 * Student's quantile. Samples of fewer than 8 values, and symmetric samples, have Student's limits; a single value
 * has none. */
static void test_skewed_limits(void **state)
{
    const double x[] = { 0, 0, 1, 0, 2, 9, 1, 0, 3, 0 }, even[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    double mean = stats_mean(10, x), sd = stats_sd(10, x), skewness = 0;
    for (int i = 0; i < 10; i++)
        skewness += pow((x[i] - mean) / sd, 3) / 10;
    for (int side = -1; side <= 1; side += 2) {
        double limit = stats_skewed_limit(10, x, 0.025, side), t = (mean - limit) / (sd / sqrt(10));
        NEAR(transformed(t, skewness / sqrt(10)), -side * gsl_cdf_tdist_Qinv(0.025, 9), 1e-12);
        assert_true(limit > stats_student_limit(10, x, 0.025, side)); /* the data have a tail to the right */
        NEAR(stats_skewed_limit(9, even, 0.025, side), stats_student_limit(9, even, 0.025, side),
             1e-12);
        NEAR(stats_skewed_limit(7, x, 0.025, side), stats_student_limit(7, x, 0.025, side), 0);
        assert_true(stats_skewed_limit(1, x, 0.025, side) == side * INFINITY);
    }
    const double same[8] = { 3, 3, 3, 3, 3, 3, 3, 3 };
    NEAR(stats_skewed_limit(8, same, 0.025, 1), 3, 0);
}

/* Limits of the median: all 2^8 patterns of which values are below it are equally likely. The lower limit is the
 * largest order statistic, the k-th, such that fewer than k values are below the median in at most a share alpha of
 * the patterns. The upper limit is its mirror image. */
static void test_quantile_limits(void **state)
{
    const double x[8] = { 5, 3, 8, 1, 7, 2, 6, 4 };
    double work[8];
    const double alphas[] = { 0.2, 0.05, 0.005, 0.001 };
    for (int a = 0; a < 4; a++) {
        int best = 0;
        for (int k = 1; k <= 8; k++) {
            int beyond = 0;
            for (unsigned below = 0; below < 256; below++)
                beyond += __builtin_popcount(below) < k;
            best = beyond / 256.0 <= alphas[a] ? k : best;
        }
        double lower = stats_quantile_limit(8, x, 0.5, alphas[a], -1, work);
        double upper = stats_quantile_limit(8, x, 0.5, alphas[a], +1, work);
        assert_true(lower == (best ? best : -INFINITY));
        assert_true(upper == (best ? 9 - best : INFINITY));
    }
    /* None of 8 values is above the 0.9 quantile with probability 0.43, so that there is no upper limit. A lower
     * limit exists. */
    assert_true(stats_quantile_limit(8, x, 0.9, 0.05, +1, work) == INFINITY);
    assert_true(stats_quantile_limit(8, x, 0.9, 0.05, -1, work) >= 1);
}

/* The first data set of Anscombe (1973) has slope 0.500091. Polynomials are then fitted exactly on an uneven
 * grid. */
static void test_least_squares(void **state)
{
    const double x[11] = { 10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5 };
    const double y[11] = { 8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68 };
    double k[11], slope = 0;
    stats_slope_weights(11, x, k);
    for (int i = 0; i < 11; i++)
        slope += k[i] * y[i];
    NEAR(slope, 0.5000909, 5e-8);

    const double u[6] = { 0, 1, 1.5, 4, 7, 7.25 };
    double line = 0, square = 0, cube_fit = 0;
    stats_curvature_weights(6, u, k);
    for (int i = 0; i < 6; i++) {
        line += k[i] * (2 - 3 * u[i]);
        square += k[i] * (2 - 3 * u[i] + 0.7 * u[i] * u[i]);
    }
    NEAR(line, 0, 1e-13);
    NEAR(square, 0.7, 1e-13);
    /* On -2..2 the function x^3 is odd, so that its best parabola has no square term; that of x^4 has the
     * coefficient 31/7 (by hand). */
    const double v[5] = { -2, -1, 0, 1, 2 };
    double fourth = 0;
    stats_curvature_weights(5, v, k);
    for (int i = 0; i < 5; i++) {
        cube_fit += k[i] * pow(v[i], 3);
        fourth += k[i] * pow(v[i], 4);
    }
    NEAR(cube_fit, 0, 1e-13);
    NEAR(fourth, 31.0 / 7, 1e-13);
}

/* The solution satisfies the Karush-Kuhn-Tucker conditions: the gradient is 0 on the support, and not negative
 * elsewhere. Both cases occur. */
static void test_nnls(void **state)
{
    struct rng r = rng_stream(11);
    int zeros = 0;
    for (int trial = 0; trial < 200; trial++) {
        enum { ROWS = 7, TERMS = 3 };
        double A[ROWS * TERMS], b[ROWS], c[TERMS], residual[ROWS], squares = 0;
        rng_normals(&r, ROWS * TERMS, 1, A);
        rng_normals(&r, ROWS, 1, b);
        double least = stats_nnls(ROWS, TERMS, A, b, c);
        for (int i = 0; i < ROWS; i++) {
            residual[i] = -b[i];
            for (int j = 0; j < TERMS; j++)
                residual[i] += A[i * TERMS + j] * c[j];
            squares += residual[i] * residual[i];
        }
        NEAR(least, squares, 1e-12);
        for (int j = 0; j < TERMS; j++) {
            double gradient = 0;
            for (int i = 0; i < ROWS; i++)
                gradient += A[i * TERMS + j] * residual[i];
            assert_true(c[j] >= 0 && gradient >= -1e-10);
            assert_true(c[j] == 0 || fabs(gradient) < 1e-10);
            zeros += c[j] == 0;
        }
    }
    assert_in_range(zeros, 50, 550);
    const double twice[4] = { 1, 1, 2, 2 }, target[2] = { 3, 6 };
    double c[2];
    NEAR(stats_nnls(2, 2, twice, target, c), 0, 1e-20);   /* two columns are equal, and one of them is enough */
    NEAR(c[0] + c[1], 3, 1e-12);
    /* One column is a multiple of the first unit vector: c = 6/2, and the rest of b remains. */
    const double column[4] = { 2, 0, 0, 0 }, b[4] = { 6, 1, 2, 2 };
    NEAR(stats_nnls(4, 1, column, b, c), 9, 1e-12);
    NEAR(c[0], 3, 1e-12);
}

/* The bootstrap-t limit of the log of a mean must fail in 5% of the cases, like Student's limit, here on normal
 * data around 10. For 2,000 limits five standard errors are 0.024 (false alarm 6e-7); 0.01 is added, since 12
 * values have few different resamples. The rival z is skewed, and y = x z/10 has the same factor, so that the ratio
 * of the means is a mean of normal data with the weights z, to which about 12/e = 4.4 values contribute. */
static void test_bootstrap(void **state)
{
    struct rng data = rng_stream(5), draws = rng_stream(6);
    double x[12], work[2 * 12 + 400];
    int below = 0, below_ratio = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double y[12], z[12];
        for (int k = 0; k < 12; k++) {
            x[k] = 10 + rng_normal(&data);
            z[k] = exp(rng_normal(&data));
            y[k] = x[k] * z[k] / 10;
        }
        below += stats_bootstrap_t_limit(12, x, NULL, 0.05, 400, &draws, work) < log(10);
        below_ratio += stats_bootstrap_t_limit(12, y, z, 0.05, 400, &draws, work) < 0;
    }
    NEAR(below / 2000.0, 0.05, 0.034);
    NEAR(below_ratio / 2000.0, 0.05, 0.034);

    struct rng a = rng_stream(7), b = rng_stream(7);
    double first = stats_bootstrap_t_limit(12, x, NULL, 0.05, 400, &a, work);
    assert_true(first == stats_bootstrap_t_limit(12, x, NULL, 0.05, 400, &b, work));
    assert_true(first > log(stats_mean(12, x)) && first < log(12));
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The limit follows from its definition: for every resample t is the logarithm of its ratio of means over the error
 * of that ratio, which is the standard deviation of y/mean y - z/mean z over sqrt(n). */
static void test_bootstrap_by_definition(void **state)
{
    enum { N = 6, RESAMPLES = 60 };
    const double y[N] = { 0.3, 2.1, 0.7, 5.2, 1.4, 1.1 }, z[N] = { 1.2, 0.4, 0.9, 2.5, 1.9, 0.6 };
    double work[2 * N + RESAMPLES], t[RESAMPLES];
    for (int rival = 0; rival < 2; rival++) {
        struct rng r = rng_stream(43), same = rng_stream(43);
        double mean = stats_mean(N, y), other = rival ? stats_mean(N, z) : 1, whole[N];
        for (int k = 0; k < RESAMPLES; k++) {
            double u[N], v[N], e[N];
            for (int i = 0; i < N; i++) {
                int j = (int)((uint64_t)rng_u32(&same) * N >> 32);
                u[i] = y[j] / mean;
                v[i] = rival ? z[j] / other : 1;
            }
            for (int i = 0; i < N; i++)
                e[i] = u[i] / stats_mean(N, u) - v[i] / stats_mean(N, v);
            t[k] = log(stats_mean(N, u) / stats_mean(N, v)) / (stats_sd(N, e) / sqrt(N));
        }
        qsort(t, RESAMPLES, sizeof *t, ascending);
        for (int i = 0; i < N; i++)
            whole[i] = y[i] / mean - (rival ? z[i] / other : 1);
        double limit = stats_bootstrap_t_limit(N, y, rival ? z : NULL, 0.1, RESAMPLES, &r, work);
        NEAR(limit, log(mean / other) - t[RESAMPLES / 10] * stats_sd(N, whole) / sqrt(N), 1e-10);
    }
}

/* A common factor of y and z changes neither their ratio nor its error. If they have no common factor, the squares
 * of their errors add up. */
static void test_ratio(void **state)
{
    struct rng r = rng_stream(17);
    double y[200], z[200], f[200], one[200], work[400];
    for (int i = 0; i < 200; i++) {
        y[i] = 3 * exp(0.1 * rng_normal(&r));
        z[i] = exp(0.1 * rng_normal(&r));
        f[i] = exp(rng_normal(&r));
        one[i] = 3;
    }
    struct location q = stats_log_ratio(200, y, z), p = stats_log_ratio(200, z, y);
    struct location a = stats_log_mean(200, y), b = stats_log_mean(200, z);
    NEAR(q.value, a.value - b.value, 1e-14);
    NEAR(p.value, -q.value, 1e-14);
    NEAR(p.se, q.se, 1e-15);
    NEAR(q.se, hypot(a.se, b.se), 0.2 * q.se);   /* the correlation of the two is 0 within 0.07 */
    for (int i = 0; i < 200; i++) {
        z[i] = f[i] * y[i] / 3;
        y[i] = f[i] * y[i];
    }
    q = stats_log_ratio(200, y, z);
    NEAR(q.value, log(3), 1e-13);
    assert_true(q.se < 1e-13);
    NEAR(stats_log_ratio_limit(200, y, z, 0.01, 0, NULL, work), log(3), 1e-12);
    NEAR(stats_log_ratio_limit(200, one, NULL, 0.01, 0, NULL, work), log(3), 1e-12);
    assert_true(stats_log_ratio_limit(1, one, NULL, 0.01, 0, NULL, work) == INFINITY);
}

/* Computes the limit of Zou, Huo and Taleban for one log-normal mean by hand, for the logarithms -1, 0, ..., 0, 1
 * (n = 9): mean 0, variance 1/4. The 5% quantiles by tables are t(8) 1.859548 and chi-square(8) 2.732637. The
 * skewness is 0; the limit by the jackknife is smaller here. */
static void test_lognormal_limit(void **state)
{
    double x[9], work[18];
    for (int i = 0; i < 9; i++)
        x[i] = exp(i == 0 ? -1 : i == 8 ? 1 : 0);
    double expected = 0.125 + hypot(1.859548 * 0.5 / 3, 0.125 * (8 / 2.732637 - 1));
    NEAR(stats_log_ratio_limit(9, x, NULL, 0.05, 0, NULL, work), expected, 1e-6);
    struct spread s = stats_spread(9, x, work);
    NEAR(s.log_sd, 0.5, 1e-15);
    NEAR(s.lean, 0, 1e-12);
    /* The rival's logarithm is 0.7 + a/2 where that of x is a. The difference D = a/2 - 0.7 and the sum S = 3a/2 +
     * 0.7 of the two logarithms are linear functions of each other, so that the slope beta = 1/3 has no error; E
     * D = -0.7 and Var S = 9/16. */
    double z[9];
    for (int i = 0; i < 9; i++)
        z[i] = exp(0.7) * sqrt(x[i]);
    expected = -0.7 + 9.0 / 96 + hypot(1.859548 * 0.25 / 3, 9.0 / 96 * (8 / 2.732637 - 1));
    NEAR(stats_log_ratio_limit(9, x, z, 0.05, 0, NULL, work), expected, 1e-6);
}

/* Upper limits of means of 16 skewed values are below the true mean in about 4.5% of the cases, where 5% are
 * allowed, while Student's limits are below it in 10% to 20%. For 4,000 limits five standard errors are 0.017; 0.01
 * is added as the method is approximate. This holds for one mean, and for the ratio to a rival with little noise.
 * If the rival is the noisy one, the limits fail at most as often. */
static void test_skewed_means(void **state)
{
    struct rng r = rng_stream(23), draws = rng_stream(24);
    double y[16], z[16], work[32 + 500];
    int alone = 0, student = 0, calm = 0, wild = 0;
    for (int trial = 0; trial < 4000; trial++) {
        for (int i = 0; i < 16; i++) {
            y[i] = exp(1.1 * rng_normal(&r) - 0.605);
            z[i] = exp(0.3 * rng_normal(&r) - 0.045);
        }
        alone += stats_log_ratio_limit(16, y, NULL, 0.05, 500, &draws, work) < 0;
        calm += stats_log_ratio_limit(16, y, z, 0.05, 500, &draws, work) < 0;
        wild += stats_log_ratio_limit(16, z, y, 0.05, 500, &draws, work) < 0;
        student += stats_student_limit(16, y, 0.05, +1) < 1;
    }
    assert_true(student > 0.1 * 4000);
    NEAR(alone / 4000.0, 0.045, 0.027);
    NEAR(calm / 4000.0, 0.045, 0.027);
    assert_true(wild < 0.077 * 4000);
}

/* Logarithms of exponential data are skewed to the left: the limit must not take the data for log-normal, which
 * would make it more than twice the mean. Logarithms of Pareto data are skewed to the right. For values that are
 * not positive the log-sd follows from the coefficient of variation: 1 gives sqrt(log 2). */
static void test_spread(void **state)
{
    struct rng r = rng_stream(29);
    double x[64], y[64], work[128];
    for (int i = 0; i < 64; i++) {
        x[i] = -log(rng_uniform(&r));
        y[i] = pow(rng_uniform(&r), -0.3);
    }
    struct location z = stats_log_mean(64, x);
    assert_true(stats_spread(64, x, work).lean < -STATS_LEANS);
    NEAR(stats_log_ratio_limit(64, x, NULL, 0.01, 0, NULL, work), stats_interval(&z, 0.98).hi, 1e-12);
    assert_true(stats_spread(64, y, work).lean > STATS_LEANS);
    const double signs[3] = { 0, 1, 2 };
    NEAR(stats_spread(3, signs, work).log_sd, sqrt(log(2)), 1e-15);
    assert_true(stats_spread(1, signs, work).log_sd == 0);
}

/* For the median of n = 101 values exp(U), U uniform, log median has se 1/(2 sqrt n) = 0.0498. Bootstrap estimates
 * have a standard deviation of 0.0105, their mean over 200 samples one of 0.0007; it differs from this se by at
 * most a tenth. */
static void test_quantile_error(void **state)
{
    enum { SAMPLES = 200 };
    struct rng r = rng_stream(9);
    double x[101], work[2 * 101 + 1000], se[SAMPLES];
    for (int k = 0; k < SAMPLES; k++) {
        for (int i = 0; i < 101; i++)
            x[i] = exp(rng_uniform(&r));
        se[k] = stats_log_quantile_se(101, x, 0.5, 1000, &r, work);
    }
    NEAR(stats_mean(SAMPLES, se), 0.0498, 0.00498);
    assert_true(stats_log_quantile_se(1, x, 0.5, 10, &r, work) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_small_samples),
        cmocka_unit_test(test_jackknife),
        cmocka_unit_test(test_a_value_that_dominates),
        cmocka_unit_test(test_a_replicate_that_dominates_both),
        cmocka_unit_test(test_proportions),
        cmocka_unit_test(test_proportions_of_many),
        cmocka_unit_test(test_skewed_limits),
        cmocka_unit_test(test_quantile_limits),
        cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_nnls),
        cmocka_unit_test(test_bootstrap),
        cmocka_unit_test(test_bootstrap_by_definition),
        cmocka_unit_test(test_quantile_error),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_lognormal_limit),
        cmocka_unit_test(test_skewed_means),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}

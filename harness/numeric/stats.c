/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - the statistics of a sample: locations, limits, tests, least squares. */
#include "numeric/stats.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sort_double.h>

#include "status.h"

double stats_mean(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i];
    double mean = sum / n;
    if (!isfinite(mean))
        return mean;
    /* A second pass removes the rounding of the first. */
    double rest = 0;
    for (long i = 0; i < n; i++)
        rest += x[i] - mean;
    return mean + rest / n;
}

double stats_sd(long n, const double *x)
{
    if (n < 2)
        return NAN;
    double mean = stats_mean(n, x), sum = 0;
    for (long i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (n - 1));
}

double stats_worst(long n, const double *x)
{
    double worst = NAN;
    for (long i = 0; i < n; i++)
        worst = fmax(worst, x[i]);
    return worst;
}

static void sorted(long n, const double *x, double *work)
{
    for (long i = 0; i < n; i++)
        work[i] = x[i];
    gsl_sort(work, 1, (size_t)n);
}

double stats_quantile(long n, const double *x, double q, double *work)
{
    if (n == 0)
        return NAN;
    sorted(n, x, work);
    double at = q * (n - 1);
    long below = (long)floor(at);
    double part = at - below;
    /* A neighbour may be infinite: 0 times infinity, and the difference of two infinities, would be NaN. */
    return part == 0 || work[below] == work[below + 1] ? work[below]
                                                       : work[below] + part * (work[below + 1] - work[below]);
}

double stats_student_limit(long n, const double *x, double alpha, int side)
{
    double mean = stats_mean(n, x);
    if (mean == INFINITY)
        return mean;
    if (n < 2)
        return side * INFINITY;
    double se = stats_sd(n, x) / sqrt((double)n);
    return mean + side * gsl_cdf_tdist_Qinv(alpha, n - 1) * se;
}

struct interval stats_student(long n, const double *x, double level)
{
    double alpha = (1 - level) / 2;
    return (struct interval){ stats_student_limit(n, x, alpha, -1),
                              stats_student_limit(n, x, alpha, +1) };
}

double stats_skewed_limit(long n, const double *x, double alpha, int side)
{
    enum { SHOWS_SKEWNESS = 8 };
    double mean = stats_mean(n, x), sd = stats_sd(n, x), cubes = 0;
    for (long i = 0; i < n; i++)
        cubes += pow((x[i] - mean) / sd, 3);
    double a = cubes / n / sqrt((double)n);
    if (n < SHOWS_SKEWNESS || !isfinite(a) || fabs(a) < 1e-6)
        return stats_student_limit(n, x, alpha, side);
    double z = -side * gsl_cdf_tdist_Qinv(alpha, n - 1);
    return mean - 3 / a * (cbrt(1 + a * (z - a / 6)) - 1) * sd / sqrt((double)n);
}

double stats_quantile_limit(long n, const double *x, double q, double alpha, int side,
                            double *work)
{
    sorted(n, x, work);
    /* The lower limit is x_(k) with the largest k >= 1 for which P(x_(k) > quantile) = P(Bin(n, q) < k) is at most
     * alpha; the upper limit is the mirror image. */
    double p = side < 0 ? q : 1 - q;
    long k = 0;
    while (k < n && gsl_cdf_binomial_P((unsigned)k, p, (unsigned)n) <= alpha)
        k++;
    if (k == 0)
        return side * INFINITY;
    return side < 0 ? work[k - 1] : work[n - k];
}

double stats_log_quantile_se(long n, const double *x, double q, long resamples, struct rng *r,
                             double *work)
{
    if (n < 2)
        return INFINITY;
    double *z = work, *sample = work + resamples, *order = sample + n;
    for (long b = 0; b < resamples; b++) {
        for (long i = 0; i < n; i++)
            sample[i] = x[rng_below(r, (uint64_t)n)];
        z[b] = log(stats_quantile(n, sample, q, order));
    }
    double se = stats_sd(resamples, z);
    return isnan(se) ? INFINITY : se;
}

/* Returns the quantile of a beta law by bisection. The inverse of GSL fails beyond some thousand trials, and GSL's
 * probabilities are NaN far from the mean, where they should be 0 or 1. */
static double beta_quantile(double q, double a, double b, bool upper)
{
    double lo = 0, hi = 1;
    for (;;) {
        double middle = (lo + hi) / 2;
        if (!(middle > lo && middle < hi))
            return middle;
        double p = upper ? gsl_cdf_beta_Q(middle, a, b) : gsl_cdf_beta_P(middle, a, b);
        bool low = isnan(p) ? middle < a / (a + b) : upper ? p > q : p < q;
        lo = low ? middle : lo;
        hi = low ? hi : middle;
    }
}

struct interval stats_clopper_pearson(long k, long n, double level)
{
    double alpha = (1 - level) / 2;
    return (struct interval){
        k == 0 ? 0 : beta_quantile(alpha, (double)k, (double)(n - k + 1), false),
        k == n ? 1 : beta_quantile(alpha, (double)(k + 1), (double)(n - k), true),
    };
}

struct location stats_contrast(int n, const double *k, const struct location *z)
{
    double value = 0, variance = 0, spread = 0;
    for (int i = 0; i < n; i++) {
        if (k[i] == 0)
            continue;
        double v = k[i] * k[i] * z[i].se * z[i].se;
        value += k[i] * z[i].value;
        variance += v;
        spread += v * v / z[i].df;
    }
    double df = variance > 0 && isfinite(variance) ? variance * variance / spread : INFINITY;
    return (struct location){ value, sqrt(variance), df };
}

struct interval stats_interval(const struct location *z, double level)
{
    if (z->se == 0)
        return (struct interval){ z->value, z->value };
    if (!isfinite(z->se) || isnan(z->value))
        return (struct interval){ -INFINITY, INFINITY };
    double alpha = (1 - level) / 2;
    double t = isfinite(z->df) ? gsl_cdf_tdist_Qinv(alpha, z->df) : gsl_cdf_ugaussian_Qinv(alpha);
    return (struct interval){ z->value - t * z->se, z->value + t * z->se };
}

/* k <- k / sum_i k_i target_i. target: the values of a power of x, to whose lower powers k is orthogonal. Then
 * sum_i k_i y_i is the coefficient of this power in the least-squares polynomial. */
static void normalise(int n, const double *target, double *k)
{
    double product = 0;
    for (int i = 0; i < n; i++)
        product += k[i] * target[i];
    for (int i = 0; i < n; i++)
        k[i] /= product;
}

void stats_slope_weights(int n, const double *x, double *k)
{
    double mean = stats_mean(n, x);
    for (int i = 0; i < n; i++)
        k[i] = x[i] - mean;
    normalise(n, x, k);
}

void stats_curvature_weights(int n, const double *x, double *k)
{
    BUG_IF(n < 3 || n > STATS_ROWS_MAX);
    double u[STATS_ROWS_MAX], square[STATS_ROWS_MAX], slope[STATS_ROWS_MAX];
    double mean = stats_mean(n, x), s = 0;
    for (int i = 0; i < n; i++) {
        u[i] = x[i] - mean;
        square[i] = u[i] * u[i];
    }
    stats_slope_weights(n, u, slope);
    for (int i = 0; i < n; i++)
        s += slope[i] * square[i];
    /* k <- u^2 less its mean and less its least-squares multiple of u: what no line explains. */
    double level = stats_mean(n, square);
    for (int i = 0; i < n; i++)
        k[i] = square[i] - level - s * u[i];
    normalise(n, square, k);
}

/* c[terms] <- the least-squares solution of A c = b on the columns of `support`, 0 for the others. Returns false if
 * these columns are linearly dependent. */
static bool least_squares(int rows, int terms, const double *A, const double *b, unsigned support,
                          double *c)
{
    double scaled[STATS_ROWS_MAX * STATS_TERMS_MAX], scale[STATS_TERMS_MAX];
    double tau[STATS_TERMS_MAX], x[STATS_TERMS_MAX], residual[STATS_ROWS_MAX];
    int columns = 0, column[STATS_TERMS_MAX];
    for (int j = 0; j < terms; j++)
        if (support >> j & 1)
            column[columns++] = j;
    if (columns > rows)
        return false;
    for (int j = 0; j < columns; j++) {
        double norm = 0;
        for (int i = 0; i < rows; i++)
            norm = hypot(norm, A[i * terms + column[j]]);
        scale[j] = norm;
        for (int i = 0; i < rows; i++)
            scaled[i * columns + j] = norm > 0 ? A[i * terms + column[j]] / norm : 0;
    }
    gsl_matrix_view m = gsl_matrix_view_array(scaled, (size_t)rows, (size_t)columns);
    gsl_vector_view t = gsl_vector_view_array(tau, (size_t)columns);
    gsl_vector_const_view right = gsl_vector_const_view_array(b, (size_t)rows);
    gsl_vector_view solution = gsl_vector_view_array(x, (size_t)columns);
    gsl_vector_view rest = gsl_vector_view_array(residual, (size_t)rows);
    if (gsl_linalg_QR_decomp(&m.matrix, &t.vector))
        return false;
    for (int j = 0; j < columns; j++)
        if (!(fabs(scaled[j * columns + j]) > 1e-10))   /* the columns are scaled to norm 1 */
            return false;
    if (gsl_linalg_QR_lssolve(&m.matrix, &t.vector, &right.vector, &solution.vector, &rest.vector))
        return false;
    for (int j = 0; j < terms; j++)
        c[j] = 0;
    for (int j = 0; j < columns; j++)
        c[column[j]] = x[j] / scale[j];
    return true;
}

double stats_nnls(int rows, int terms, const double *A, const double *b, double *c)
{
    BUG_IF(rows > STATS_ROWS_MAX || terms > STATS_TERMS_MAX);
    double best = INFINITY, trial[STATS_TERMS_MAX] = { 0 };
    for (unsigned support = 0; support < 1u << terms; support++) {
        bool solved = support == 0 || least_squares(rows, terms, A, b, support, trial);
        for (int j = 0; j < terms; j++)
            solved = solved && trial[j] >= 0;
        if (!solved)
            continue;
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            double e = -b[i];
            for (int j = 0; j < terms; j++)
                e += A[i * terms + j] * trial[j];
            sum += e * e;
        }
        if (sum < best) {
            best = sum;
            for (int j = 0; j < terms; j++)
                c[j] = trial[j];
        }
    }
    return best;
}

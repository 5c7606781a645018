/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vec.c - the functions of vec.h by the kernels of linear_dense.h; short vectors are handled by plain loops. */
#include "vec.h"

#include <math.h>
#include <string.h>

#include <cblas.h>

#include "linear.h"
#include "vec_rows.h"
#include "numeric/linear_dense.h"

/* Vectors shorter than this are summed by a plain loop: the call of a kernel costs more than the work. */
enum { FEW = 6 };
/* A matrix of at most so many rows and columns, 8 KiB, is multiplied in one block. */
enum { SMALL_PRODUCT = 32 };

void vec_zero(long d, double *x)
{
    memset(x, 0, (size_t)d * sizeof *x);
}

void vec_fill(long d, double a, double *x)
{
    for (long j = 0; j < d; j++)
        x[j] = a;
}

void vec_copy(long d, const double *x, double *y)
{
    memcpy(y, x, (size_t)d * sizeof *x);
}

void vec_scale(long d, double a, double *x)
{
    for (long j = 0; j < d; j++)
        x[j] *= a;
}

/* Vectors of up to five entries are taken number by number without a loop. A loop would be vectorised, and its
 * vector loads would wait for entries that were just stored one at a time. */
void vec_axpy(long d, double a, const double *restrict x, double *restrict y)
{
    switch (d) {
    case 5: y[4] += a * x[4]; __attribute__((fallthrough));
    case 4: y[3] += a * x[3]; __attribute__((fallthrough));
    case 3: y[2] += a * x[2]; __attribute__((fallthrough));
    case 2: y[1] += a * x[1]; __attribute__((fallthrough));
    case 1: y[0] += a * x[0]; __attribute__((fallthrough));
    case 0: return;
    default: linear_exact()->axpy(d, a, x, y);
    }
}

void vec_lincomb(long d, double a, const double *x, double b, const double *y, double *z)
{
    switch (d) {
    case 5: z[4] = a * x[4] + b * y[4]; __attribute__((fallthrough));
    case 4: z[3] = a * x[3] + b * y[3]; __attribute__((fallthrough));
    case 3: z[2] = a * x[2] + b * y[2]; __attribute__((fallthrough));
    case 2: z[1] = a * x[1] + b * y[1]; __attribute__((fallthrough));
    case 1: z[0] = a * x[0] + b * y[0]; __attribute__((fallthrough));
    case 0: return;
    default: linear_exact()->lincomb(d, a, x, b, y, z);
    }
}

void vec_step(long d, const struct vec_step *f, const double *g, const double *z, double *x, double *m)
{
    if (d >= FEW) {
        linear_exact()->step(d, f, g, z, x, m);
        return;
    }
    for (long j = 0; j < d; j++) {
        double to = f->keep * (f->a * x[j] + f->b * g[j]);
        if (m)
            m[j] = f->old * m[j] + f->new * x[j];
        x[j] = z ? to + f->c * z[j] : to;
    }
}

void vec_axpby(long d, double a, const double *restrict x, double b, double *restrict y)
{
    vec_lincomb(d, a, x, b, y, y);
}

void vec_sub(long d, const double *x, const double *y, double *z)
{
    vec_lincomb(d, 1, x, -1, y, z);
}

double vec_dot(long d, const double *x, const double *y)
{
    double sum = 0;
    if (d >= FEW)
        return linear_kernels()->dot(d, x, y);
    for (long j = 0; j < d; j++)
        sum += x[j] * y[j];
    return sum;
}

/* Returns |x|, given |x|^2 as computed. Where the square may have overflowed or underflowed, BLAS computes the norm
 * with scaling. */
static double root_of(double square, long d, const double *x)
{
    static const double SMALL = 1e-280, LARGE = 1e300;
    return square > SMALL && square < LARGE ? sqrt(square) : cblas_dnrm2((int)d, x, 1);
}

double vec_norm(long d, const double *x) { return root_of(vec_dot(d, x, x), d, x); }

double vec_norm1(long d, const double *x)
{
    double sum = 0;
    for (long j = 0; j < d; j++)
        sum += fabs(x[j]);
    return sum;
}

/* Returns the largest |x_j|. A NaN entry makes the result NaN, as in every other norm; fmax would ignore it. */
double vec_norm_inf(long d, const double *x)
{
    double max = 0;
    for (long j = 0; j < d; j++)
        if (!(fabs(x[j]) <= max)) {
            if (isnan(x[j]))
                return NAN;
            max = fabs(x[j]);
        }
    return max;
}

long vec_peak(long d, const double *x, double *square)
{
    return linear_kernels()->peak(d, x, square);
}

double vec_dist(long d, const double *x, const double *y)
{
    double sum = 0;
    if (d >= FEW)
        return sqrt(linear_kernels()->square_distance(d, x, y));
    for (long j = 0; j < d; j++)
        sum += (x[j] - y[j]) * (x[j] - y[j]);
    return sqrt(sum);
}

bool vec_finite(long d, const double *x)
{
    for (long j = 0; j < d; j++)
        if (!isfinite(x[j]))
            return false;
    return true;
}

bool vec_project_ball(long d, const double *c, double radius, double *x)
{
    double square = c ? INFINITY : vec_dot(d, x, x);
    if (square < radius * radius * (1 - 0x1p-48))        /* x is inside, whatever the rounding of the root */
        return false;
    double norm = c ? vec_dist(d, x, c) : root_of(square, d, x);
    if (!(norm > radius))
        return false;
    double a = radius / norm;
    for (long j = 0; j < d; j++)
        x[j] = c ? c[j] + a * (x[j] - c[j]) : a * x[j];
    return true;
}

double vec_clip_norm(long d, double bound, double *x)
{
    double norm = vec_norm(d, x);
    if (norm > bound)
        vec_scale(d, bound / norm, x);
    return norm;
}

void vec_clip_coords(long d, const double *bound, double *x)
{
    for (long j = 0; j < d; j++)
        x[j] = x[j] > bound[j] ? bound[j] : x[j] < -bound[j] ? -bound[j] : x[j];
}

/* row[m] <- pointers to the first m rows of A. */
static void rows_from(long m, long d, const double *A, const double **row)
{
    for (long i = 0; i < m; i++)
        row[i] = A + i * d;
}

/* Multiplies by blocks of rows. Where A exceeds the last-level cache, the next block is prefetched meanwhile. */
void vec_gemv(long m, long d, double a, const double *A, const double *x, double b, double *y)
{
    const double *row[LINEAR_ROWS], *next[LINEAR_ROWS];
    double s[LINEAR_ROWS];
    if (m <= SMALL_PRODUCT && d <= SMALL_PRODUCT && a == 1 && b == 0) {      /* one block, nothing to prefetch */
        rows_from(m, d, A, row);
        linear_kernels()->dots(m, d, row, 0, next, x, y);
        return;
    }
    long block = linear_block(d);
    bool far = m > block && linear_far((double)m, (double)d);
    for (long from = 0; from < m; from += block) {
        long now = m - from < block ? m - from : block, left = m - from - now;
        rows_from(now, d, A + from * d, row);
        long fetch = !far ? 0 : left < block ? left : block;
        rows_from(fetch, d, A + (from + now) * d, next);
        linear_kernels()->dots(now, d, row, fetch, next, x, s);
        for (long i = 0; i < now; i++)           /* as in BLAS, y is not read where b = 0 */
            y[from + i] = b == 0 ? a * s[i] : a * s[i] + b * y[from + i];
    }
}

void vec_gemv_t(long m, long d, double a, const double *A, const double *x, double b, double *y)
{
    const double *row[LINEAR_ROWS];
    double c[LINEAR_ROWS];
    if (b == 0)
        vec_zero(d, y);
    else if (b != 1)
        vec_scale(d, b, y);
    for (long from = 0; from < m; from += LINEAR_ROWS) {
        long now = m - from < LINEAR_ROWS ? m - from : LINEAR_ROWS;
        rows_from(now, d, A + from * d, row);
        for (long i = 0; i < now; i++)
            c[i] = a * x[from + i];
        linear_kernels()->adds(now, d, row, c, y);
    }
}

void vec_add_rows(long m, long d, const double *A, const double *c, double *y)
{
    linear_exact()->axpys(m, d, A, c, y);
}

void vec_combine_rows(long k, long m, long d, const double *A, const double *X, double *Y)
{
    linear_kernels()->products(k, m, d, A, X, Y);
}

void vec_blas_begin(void)
{
    double one = 1;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, 1, 1, 0, &one, 1, &one, 1, 1, &one, 1);
}

const char *vec_blas_core(void)
{
    return openblas_get_corename();
}

const char *vec_blas_build(void)
{
    return openblas_get_config();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_sphere.h - rows divided by their norms; squares are summed in the same order at every width. */
#ifndef ASSAY_LANES_SPHERE_H
#define ASSAY_LANES_SPHERE_H

#include "numeric/lanes.h"
#include "numeric/lanes_simd.h"

/* The sum of x_j^2 is made of sixteen partial sums at every width, which are then added in pairs. */
enum { SUMS = 16, SUM_VECTORS = SUMS / LANES };

INLINE vd meet(vd *sum)
{
    for (int half = SUM_VECTORS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            sum[k] += sum[k + half];
    return sum[0];
}

/* The sum of x_j^2 as a vector, whose lanes the caller adds. */
INLINE vd squares(long d, const double *x)
{
    vd sum[SUM_VECTORS];
    for (int k = 0; k < SUM_VECTORS; k++) /* an initialiser would make the compiler store the array to memory */
        sum[k] = all(0);
    for (; d >= SUMS; x += SUMS, d -= SUMS)
        for (int k = 0; k < SUM_VECTORS; k++)
            sum[k] += load(x + k * LANES) * load(x + k * LANES);
    for (int k = 0; k < SUM_VECTORS; k++, x += LANES, d -= LANES)
        if (d > 0) {
            vd v = d >= LANES ? load(x) : load_part(x, d);
            sum[k] += v * v;
        }
    return meet(sum);
}

/* x <- factor x. The loop begins at the end of x, which was written last and is still in the first-level cache. */
INLINE void scale_by(long d, double factor, double *x)
{
    long j = d / LANES * LANES;
#if LANES == 8
    if (j < d)
        store_part(x + j, load_part(x + j, d - j) * factor, d - j);
#else
    for (long k = j; k < d; k++)
        x[k] *= factor;
#endif
    for (j -= LANES; j >= 0; j -= LANES)
        store(x + j, load(x + j) * factor);
}

#if LANES >= 4
/* The sum of squares of a short row without a loop; the partial sums stand in the same lanes as those of
 * `squares`. */
INLINE vd row_square(long d, const double *row)
{
    if (d > SUMS || (LANES == 4 && d > LANES))
        return squares(d, row);
    vd low = d >= LANES ? load(row) : load_part(row, d), sum = low * low;
    if (d > LANES) {
        vd high = d == SUMS ? load(row + LANES) : load_part(row + LANES, d - LANES);
        sum += high * high;
    }
    return sum;
}
#endif

/* square[k] <- |row k|^2, k < m; d > 0. square has room for whole vectors. */
INLINE void row_squares(long m, long d, const double *x, double *square)
{
#if LANES >= 4
    for (long k = 0; k < m; k += LANES) {
        vd v[LANES];
        for (int i = 0; i < LANES; i++)
            v[i] = k + i < m ? row_square(d, x + (k + i) * d) : all(0);
        store(square + k, lane_sums(v));
    }
#else
    for (long k = 0; k < m; k++)
        square[k] = lane_sum(squares(d, x + k * d));
#endif
}

/* How many rows have their norms computed together. */
enum { ROWS = 32 };

/* Divides m <= ROWS rows by their norms. The norms and their inverses are independent, so none waits for another.
 * Returns how many rows have norm 0. */
INLINE long unit_few(long m, long d, double *x)
{
    double factor[ROWS];
    long zeros = 0;
    row_squares(m, d, x, factor);
    for (long k = 0; k < m; k++)
        zeros += factor[k] == 0;
    for (long k = m; k % LANES; k++)
        factor[k] = 1;
    for (long k = 0; k < m; k += LANES) {
        vd square = load(factor + k);
        store(factor + k, pick(less(all(0), square), 1 / root(square), all(1)));
    }
    for (long k = 0; k < m; k++)
        scale_by(d, factor[k], x + k * d);
    return zeros;
}

/* The kernel unit_rows of struct lanes. Rows of the usual lengths 4, 8 and 16 have separate code, which does not
 * loop over a row. */
static long unit_rows(long m, long d, double *x)
{
    long zeros = 0;
#if LANES == 8
    if (d <= LANES / 2)
        return lanes_avx2.unit_rows(m, d, x);
#endif
    if (m == 1) {                    /* a single row: the same bits, without storing a vector of factors and loading
                                        it */
        double square = lane_sum(squares(d, x));
        scale_by(d, square > 0 ? 1 / sqrt(square) : 1, x);
        return square == 0;
    }
    for (; m > 0; m -= ROWS, x += ROWS * d) {
        long rows = m < ROWS ? m : ROWS;
        zeros += d == 4    ? unit_few(rows, 4, x)
                 : d == 8  ? unit_few(rows, 8, x)
                 : d == 16 ? unit_few(rows, 16, x)
                           : unit_few(rows, d, x);
    }
    return zeros;
}

#endif

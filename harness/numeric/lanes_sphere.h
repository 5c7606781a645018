/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_sphere.h - rows over their norms: sums of squares in one order at every width, and factors. */
#ifndef ASSAY_LANES_SPHERE_H
#define ASSAY_LANES_SPHERE_H

#include "numeric/lanes.h"
#include "numeric/lanes_simd.h"

/* The sum of x_j^2: sixteen partial sums at every width, which then meet in pairs. */
enum { SUMS = 16, SUM_VECTORS = SUMS / LANES };

INLINE vd meet(vd *sum)
{
    for (int half = SUM_VECTORS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            sum[k] += sum[k + half];
    return sum[0];
}

/* Its lanes are left to be added. */
INLINE vd squares(long d, const double *x)
{
    vd sum[SUM_VECTORS];
    for (int k = 0; k < SUM_VECTORS; k++) /* an initialiser would fill memory */
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

/* From the end, which was made last and is in the nearest cache. */
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
/* The squares of a row in the lanes that `squares` leaves them in. */
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

/* square[k] <- |row k|^2, k < m; d > 0. Room for a whole vector of them. */
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

enum { ROWS = 32 };

/* m <= ROWS rows, whose norms and inverses do not wait for one another. */
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

/* Short rows of usual lengths have code of their own, without a loop in them. */
static long unit_rows(long m, long d, double *x)
{
    long zeros = 0;
#if LANES == 8
    if (d <= LANES / 2)
        return lanes_avx2.unit_rows(m, d, x);
#endif
    if (m == 1) {                    /* the same, without waiting for a vector of stored factors */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_points.c - one round that asks for every sample's gradient at several points. It is compared with one
 * product of BLAS with all points, the mean of its columns and a product with that mean, without a loss. Rows
 * are scored at all points while the first cache holds them, in groups of 4: 40 ns a point of 500 entries on a
 * Zen 3, of which multiply-adds take 20, since every group has a call for its scores and one for its slopes.
 * Without groups a round takes 13 to 30% longer (2 points of 64 and of 500 entries, 8 of 500). Flops: one
 * score a point, and the sum. */
#include "bench/bench_asking.h"

#define SEVERAL(n_, d_, points_) { .n = n_, .d = d_, .scheme = SAMPLING_ALL, .points = points_ }
static struct asking several[] = {
    SEVERAL(4000, 8, 2), SEVERAL(4000, 64, 2), SEVERAL(1000, 500, 2), SEVERAL(1000, 500, 8), SEVERAL(20000, 1000, 2)
};
enum { SEVERAL_TABLES = sizeof several / sizeof *several };

/* A product with all points at once, the mean of its columns, and a product with that. */
static void blas_points(void *p, long iterations)
{
    struct asking *a = p;
    int n = (int)a->n, d = (int)a->d, P = a->points;
    for (long k = 0; k < iterations; k++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, P, d, 1, a->A, (int)a->stride, a->x, d, 0, a->s, P);
        for (long i = 0; i < n; i++) {
            double sum = 0;
            for (int c = 0; c < P; c++)
                sum += a->s[i * P + c];
            a->s[i] = sum / P;
        }
        product(a, CblasTrans, a->s, a->g);
    }
}

/* Checks that <g, x> = |A x|^2 at the mean x of the points. */
static int blas_points_right(void *p)
{
    struct asking *a = p;
    blas_points(a, 1);
    double square = vec_dot(a->n, a->s, a->s), of_g = 0;
    for (int c = 0; c < a->points; c++)
        of_g += vec_dot(a->d, a->g, a->x + c * a->d) / a->points;
    return !(fabs(of_g - square) <= 1e-11 * square);
}

static void begin(void)
{
    for (int k = 0; k < SEVERAL_TABLES; k++)
        open_blas(&several[k]);
}

static void end(void)
{
    for (int k = 0; k < SEVERAL_TABLES; k++)
        arena_free(several[k].memory);
}

#define POINTS_OF(WORDS, N, D, C, P)                                                              \
    { "sigmoid, points", WORDS, P, gradient, gradient_right, WORK_AT(N, D, C), .peer = "dgemm, dgemv" }, \
    { "dgemm, dgemv", WORDS, P, blas_points, blas_points_right, WORK_AT(N, D, C) }

static const struct gbench_case cases[] = {
    POINTS_OF("2 of 4000 x 8", 4000, 8, 2, &several[0]),
    POINTS_OF("2 of 4000 x 64", 4000, 64, 2, &several[1]),
    POINTS_OF("2 of 1000 x 500", 1000, 500, 2, &several[2]),
    POINTS_OF("8 of 1000 x 500", 1000, 500, 8, &several[3]),
    POINTS_OF("2 of 20000 x 1000", 20000, 1000, 2, &several[4]),
    { 0 }
};

const struct gbench_group bench_points = { "points", cases, begin, end };

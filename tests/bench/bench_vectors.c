/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_vectors.c - the vectors and matrices of vec.h, in cache and out of it. */
#include <math.h>
#include <stdlib.h>

#include "nights/gbench.h"
#include "vec.h"

struct vectors { long d; double *x, *y, sum; };
struct matrix { long m, d; double *A, *x, *y; };

static double *array(long n)
{
    double *x = aligned_alloc(64, ((size_t)n * sizeof *x + 63) / 64 * 64);
    if (!x)
        abort();
    return x;
}

static void axpy(void *p, long iterations)
{
    struct vectors *v = p;
    for (long k = 0; k < iterations; k++)
        vec_axpy(v->d, 1, v->x, v->y);
}

/* Small whole numbers: every sum is exact. */
static void fill(struct vectors *v)
{
    for (long j = 0; j < v->d; j++) {
        v->x[j] = (double)(j % 8);
        v->y[j] = (double)(j % 5);
    }
}

static int axpy_right(void *p)
{
    struct vectors *v = p;
    fill(v);
    axpy(v, 1);
    for (long j = 0; j < v->d; j++)
        if (v->y[j] != (double)(j % 8 + j % 5))
            return 1;
    return 0;
}

static void dot(void *p, long iterations)
{
    struct vectors *v = p;
    for (long k = 0; k < iterations; k++)
        v->sum = vec_dot(v->d, v->x, v->y);
}

static int dot_right(void *p)
{
    struct vectors *v = p;
    double sum = 0;
    fill(v);
    dot(v, 1);
    for (long j = 0; j < v->d; j++)
        sum += v->x[j] * v->y[j];
    return v->sum != sum;
}

static void gemv(void *p, long iterations)
{
    struct matrix *a = p;
    for (long k = 0; k < iterations; k++)
        vec_gemv(a->m, a->d, 1, a->A, a->x, 0, a->y);
}

static int gemv_right(void *p)
{
    struct matrix *a = p;
    for (long i = 0; i < a->m * a->d; i++)
        a->A[i] = (double)(i % 7);
    for (long j = 0; j < a->d; j++)
        a->x[j] = (double)(j % 3);
    gemv(a, 1);
    for (long i = 0; i < a->m; i++) {
        double sum = 0;
        for (long j = 0; j < a->d; j++)
            sum += (double)((i * a->d + j) % 7 * (j % 3));
        if (a->y[i] != sum)
            return 1;
    }
    return 0;
}

static struct vectors small = { 1000 }, large = { 10000000 };
static struct matrix in_cache = { 64, 256 }, beyond = { 20000, 1000 };

static void open_vectors(struct vectors *v)
{
    v->x = array(v->d);
    v->y = array(v->d);
}

static void open_matrix(struct matrix *a)
{
    a->A = array(a->m * a->d);
    a->x = array(a->d);
    a->y = array(a->m);
}

static void begin(void)
{
    open_vectors(&small);
    open_vectors(&large);
    open_matrix(&in_cache);
    open_matrix(&beyond);
}

#define VECTORS(KERNEL, D, V, BYTES, WRITTEN)                                                     \
    { #KERNEL, "d = " #D, &V, KERNEL, KERNEL##_right, .bytes = BYTES * 1.0 * D,                   \
      .written = WRITTEN * 1.0 * D, .flops = 2.0 * D, .working_set = 16.0 * D }
#define MATRIX(M, D, A)                                                                           \
    { "gemv", #M " x " #D, &A, gemv, gemv_right, .bytes = 8.0 * M * D, .flops = 2.0 * M * D,      \
      .items = M, .working_set = 8.0 * M * D }

static const struct gbench_case cases[] = {
    VECTORS(axpy, 1000, small, 24, 8), VECTORS(axpy, 10000000, large, 24, 8),
    VECTORS(dot, 1000, small, 16, 0), VECTORS(dot, 10000000, large, 16, 0),
    MATRIX(64, 256, in_cache),      MATRIX(20000, 1000, beyond),
    { 0 }
};

const struct gbench_group bench_vectors = { "vectors", cases, begin };

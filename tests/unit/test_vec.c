/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_vec.c - vector functions, compared with plain loops in long double, at lengths from 0 to 67 and beyond,
 * and with NaN, infinities, huge and tiny entries. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/levels.h"
#include "rng.h"
#include "vec.h"
#include "vec_rows.h"

enum { LONGEST = 67 };

/* |value - truth| must be within 40 ulps of the sum of the absolute terms. */
static void near(double value, long double truth, long double size)
{
    if (!(fabsl(value - truth) <= 40 * DBL_EPSILON * size + DBL_MIN))
        fail_msg("%.17g, not %.17Lg", value, truth);
}

struct pair { double x[LONGEST], y[LONGEST], z[LONGEST]; };

static struct pair draw(long d)
{
    struct pair p;
    struct rng r = rng_stream((uint64_t)d);
    rng_normals(&r, LONGEST, 1, p.x);
    rng_normals(&r, LONGEST, 3, p.y);
    rng_normals(&r, LONGEST, 1, p.z);
    return p;
}

/* Rows that are added together give the same bits as rows added one after another. */
static void expect_rows_added(int level, void *ctx)
{
    enum { MOST = 19 };
    static double A[MOST * LONGEST];
    double c[MOST], one[LONGEST], all[LONGEST];
    struct rng r = rng_stream(77);
    rng_normals(&r, MOST * LONGEST, 1, A);
    rng_normals(&r, MOST, 1, c);
    for (long d = 0; d <= LONGEST; d++)
        for (long m = 0; m <= MOST; m++) {
            rng_normals(&r, LONGEST, 1, one);
            memcpy(all, one, sizeof all);
            for (long k = 0; k < m; k++)
                vec_axpy(d, c[k], A + k * d, one);
            vec_add_rows(m, d, A, c, all);
            assert_memory_equal(all, one, sizeof all);
        }
}

static void test_add_rows(void **state) { each_level(expect_rows_added, NULL); }

/* Combinations that are computed together have the bits of one product for each. */
static void expect_combinations(int level, void *ctx)
{
    enum { MOST = 19, ROWS = 70 };
    static double A[ROWS * LONGEST], X[MOST * ROWS], Y[MOST * LONGEST], want[LONGEST];
    struct rng r = rng_stream(79);
    rng_normals(&r, ROWS * LONGEST, 1, A);
    rng_normals(&r, MOST * ROWS, 1, X);
    for (long d = 1; d <= LONGEST; d += d < 20 ? 1 : 7)
        for (long m = 0; m <= ROWS; m += 10)
            for (long k = 0; k <= MOST; k++) {
                rng_normals(&r, MOST * LONGEST, 1, Y);
                double beyond = k < MOST ? Y[k * d] : 0;
                vec_combine_rows(k, m, d, A, X, Y);
                for (long i = 0; i < k; i++) {
                    vec_gemv_t(m, d, 1, A, X + i * m, 0, want);
                    assert_memory_equal(Y + i * d, want, (size_t)d * sizeof *want);
                }
                assert_true(k == MOST || Y[k * d] == beyond);
            }
}

static void test_combinations(void **state) { each_level(expect_combinations, NULL); }

/* A step has the bits of the operations that it stands for, done one by one, with and without z and the mean. */
static void test_step(void **state)
{
    for (long d = 0; d <= LONGEST; d++)
        for (int with = 0; with < 4; with++) {
            const struct vec_step f = { 0.7, 0.9, -0.3, 0.4, 0.55, 0.45 };
            const bool pulled = with & 1, mean = with & 2;
            struct pair p = draw(d), q = p;
            double m[LONGEST], n[LONGEST];
            memcpy(m, p.y, sizeof m);
            memcpy(n, p.y, sizeof n);
            vec_step(d, &f, p.z, pulled ? p.y : NULL, q.x, mean ? m : NULL);
            if (mean)
                vec_lincomb(d, f.old, n, f.new, p.x, n);
            vec_lincomb(d, f.a, p.x, f.b, p.z, p.x);
            vec_scale(d, f.keep, p.x);
            if (pulled)
                vec_axpy(d, f.c, p.y, p.x);
            assert_memory_equal(q.x, p.x, sizeof p.x);
            assert_memory_equal(m, n, sizeof m);
        }
}

static void test_updates(void **state)
{
    for (long d = 0; d <= LONGEST; d++) {
        struct pair p = draw(d), q = p;
        vec_copy(d, p.x, q.z);
        vec_scale(d, -2, q.z);
        vec_axpy(d, 0.5, p.x, q.y);
        for (long j = 0; j < LONGEST; j++) {
            assert_true(q.z[j] == (j < d ? -2 * p.x[j] : p.z[j]));
            near(q.y[j], j < d ? p.y[j] + 0.5L * p.x[j] : (long double)p.y[j], 10);
        }
        vec_axpby(d, 3, p.x, -1, q.y);
        vec_lincomb(d, 3, p.x, -1, p.y, q.z);
        vec_sub(d, q.x, p.y, q.x);           /* in place */
        for (long j = 0; j < d; j++) {
            near(q.y[j], 3 * (long double)p.x[j] - (p.y[j] + 0.5L * p.x[j]), 30);
            near(q.z[j], 3 * (long double)p.x[j] - p.y[j], 30);
            assert_true(q.x[j] == p.x[j] - p.y[j]);
        }
        vec_zero(d, q.x);
        vec_fill(d, 7, q.y);
        for (long j = 0; j < LONGEST; j++) {
            assert_true(q.x[j] == (j < d ? 0 : p.x[j]));
            assert_true(j >= d || q.y[j] == 7);
        }
    }
}

static void test_sums(void **state)
{
    for (long d = 0; d <= LONGEST; d++) {
        struct pair p = draw(d);
        long double dot = 0, abs_dot = 0, square = 0, one = 0, gap = 0;
        double largest = 0;
        for (long j = 0; j < d; j++) {
            dot += (long double)p.x[j] * p.y[j];
            abs_dot += fabsl((long double)p.x[j] * p.y[j]);
            square += (long double)p.x[j] * p.x[j];
            one += fabsl(p.x[j]);
            gap += ((long double)p.x[j] - p.y[j]) * ((long double)p.x[j] - p.y[j]);
            largest = fmax(largest, fabs(p.x[j]));
        }
        near(vec_dot(d, p.x, p.y), dot, abs_dot);
        near(vec_norm(d, p.x), sqrtl(square), sqrtl(square));
        near(vec_norm1(d, p.x), one, one);
        near(vec_dist(d, p.x, p.y), sqrtl(gap), sqrtl(gap));
        assert_true(vec_norm_inf(d, p.x) == largest);
    }
}

/* A NaN or infinity anywhere makes every norm NaN or infinite, and infinity does not become NaN. */
static void test_bad_entries(void **state)
{
    for (long d = 1; d <= LONGEST; d++)
        for (long j = 0; j < d; j++) {
            struct pair p = draw(d);
            assert_true(vec_finite(d, p.x));
            p.x[j] = NAN;
            assert_false(vec_finite(d, p.x));
            assert_true(vec_finite(j, p.x));
            assert_true(isnan(vec_norm(d, p.x)) && isnan(vec_norm1(d, p.x)));
            assert_true(isnan(vec_norm_inf(d, p.x)) && isnan(vec_dot(d, p.x, p.y)));
            assert_true(isnan(vec_dist(d, p.x, p.y)));
            p.x[j] = -INFINITY;
            assert_false(vec_finite(d, p.x));
            assert_true(isinf(vec_norm(d, p.x)) && isinf(vec_norm1(d, p.x)));
            assert_true(isinf(vec_norm_inf(d, p.x)) && isinf(vec_dist(d, p.x, p.y)));
        }
    double zero[3] = { 0, 0, 0 }, nan[3] = { 1, NAN, 2 };
    vec_axpy(3, 0, nan, zero);               /* 0 * NaN is NaN, so that no entry may be skipped */
    assert_true(isnan(zero[1]) && zero[0] == 0);
}

static void test_scale_of_norm(void **state)
{
    const double huge[2] = { 3e200, -4e200 }, tiny[2] = { 3e-200, -4e-200 };
    near(vec_norm(2, huge) / 1e200, 5, 5);
    near(vec_norm(2, tiny) * 1e200, 5, 5);
    assert_true(vec_norm(0, huge) == 0);
}

static void test_project_ball(void **state)
{
    for (long d = 1; d <= LONGEST; d++) {
        struct pair p = draw(d);
        double norm = vec_norm(d, p.x), x[LONGEST], at[LONGEST];
        vec_copy(d, p.x, x);
        assert_false(vec_project_ball(d, NULL, norm * 1.01, x));
        assert_memory_equal(x, p.x, (size_t)d * sizeof *x);
        assert_true(vec_project_ball(d, NULL, norm * 0.999, x));
        near(vec_norm(d, x), 0.999L * norm, norm);
        vec_copy(d, p.x, x);
        assert_true(vec_project_ball(d, NULL, norm / 2, x));
        for (long j = 0; j < d; j++)
            near(x[j], p.x[j] / 2, norm);
        vec_copy(d, p.x, at);
        assert_true(vec_project_ball(d, p.y, 0.01, at));
        near(vec_dist(d, at, p.y), 0.01, 10);
        for (int k = 0; k < 20; k++) {       /* P is the nearest point if (x - Px)'(z - Px) <= 0 for every z in the
                                                ball */
            double z[LONGEST], left[LONGEST], right[LONGEST];
            struct rng r = rng_stream(1000 + (uint64_t)k);
            rng_ball(&r, d, z);
            vec_axpby(d, 1, p.y, 0.01, z);
            vec_sub(d, p.x, at, left);
            vec_sub(d, z, at, right);
            assert_true(vec_dot(d, left, right) <= 1e-12);
        }
    }
    double far[2] = { 3e200, 4e200 }, zero[2] = { 1, 1 };
    assert_true(vec_project_ball(2, NULL, 1, far));
    near(far[0], 0.6, 1);
    assert_true(vec_project_ball(2, NULL, 0, zero) && zero[0] == 0 && zero[1] == 0);
    double free_[2] = { 1e300, 0 };
    assert_false(vec_project_ball(2, NULL, INFINITY, free_));
}

/* Projecting or clipping a point that has diverged gives no finite number, so that the divergence stays visible. */
static void test_bad_projections(void **state)
{
    double x[3] = { 1, NAN, 5 }, y[3] = { 1, INFINITY, 5 }, bound[3] = { 2, 2, 2 };
    vec_project_ball(3, NULL, 1, x);
    vec_project_ball(3, NULL, 1, y);
    assert_true(!vec_finite(3, x) && !vec_finite(3, y));
    x[1] = NAN;
    assert_true(isnan(vec_clip_norm(3, 1, x)) && !vec_finite(3, x));
    double z[3] = { -7, NAN, 1 };
    vec_clip_coords(3, bound, z);
    assert_true(z[0] == -2 && isnan(z[1]) && z[2] == 1);
}

static void test_clip(void **state)
{
    for (long d = 0; d <= LONGEST; d++) {
        struct pair p = draw(d);
        double x[LONGEST], norm = vec_norm(d, p.x);
        vec_copy(d, p.x, x);
        assert_true(vec_clip_norm(d, norm + 1, x) == norm);
        assert_memory_equal(x, p.x, (size_t)d * sizeof *x);
        assert_true(vec_clip_norm(d, 0.25, x) == norm);
        if (norm > 0.25)
            near(vec_norm(d, x), 0.25, 1);
        for (long j = 0; j < d && norm > 0.25; j++)
            near(x[j], 0.25L * p.x[j] / norm, 1);
        for (long j = 0; j < d; j++)
            p.z[j] = fabs(p.z[j]);
        vec_copy(d, p.y, x);
        vec_clip_coords(d, p.z, x);
        for (long j = 0; j < d; j++)
            assert_true(x[j] == fmax(-p.z[j], fmin(p.z[j], p.y[j])));
    }
}

static void test_gemv(void **state)
{
    enum { MOST = 70 };              /* more than a block of rows */
    double A[MOST * MOST], x[MOST], y[MOST], u[MOST], v[MOST];
    for (long m = 0; m <= MOST; m += m < 9 ? 1 : 61)
        for (long d = 0; d <= MOST; d += d < 9 ? 1 : 61) {
            struct rng r = rng_stream((uint64_t)(10 * m + d));
            rng_normals(&r, MOST * MOST, 1, A);
            rng_normals(&r, MOST, 1, x);
            rng_normals(&r, MOST, 1, y);
            memcpy(u, x, sizeof u);
            memcpy(v, y, sizeof v);
            vec_gemv(m, d, 2, A, x, -1, v);
            vec_gemv_t(m, d, 2, A, y, -1, u);
            for (long i = 0; i < m; i++) {
                long double sum = -y[i];
                for (long j = 0; j < d; j++)
                    sum += 2.0L * A[i * d + j] * x[j];
                near(v[i], sum, 60 + 4 * (double)d);
            }
            for (long j = 0; j < d; j++) {
                long double sum = -x[j];
                for (long i = 0; i < m; i++)
                    sum += 2.0L * A[i * d + j] * y[i];
                near(u[j], sum, 60 + 4 * (double)m);
            }
        }
    v[0] = NAN;                              /* with b = 0, y is written and not read */
    vec_gemv(1, 2, 1, (double[]){ 1, 2 }, (double[]){ 3, 4 }, 0, v);
    assert_true(v[0] == 11);
    vec_gemv(1, 2, 1, (double[]){ 1, NAN }, (double[]){ 3, 4 }, 0, v);
    assert_true(isnan(v[0]));
}

static void test_core_has_a_name(void **state)
{
    assert_non_null(vec_blas_core());
    assert_true(*vec_blas_core() != 0);
}

/* The first of two equal largest entries is found, at lengths around the kernels' blocks of 64, and also beside a
 * NaN. */
static void test_peak(void **state)
{
    double x[300] = { 0 }, square, want;
    long size = sizeof x / sizeof *x;
    assert_true(vec_peak(0, x, &square) == 0 && square == 0);
    for (long d = 1; d <= size; d += d < 8 ? 1 : 7)
        for (long at = 0; at < d; at += 1 + d / 9) {
            want = 0;
            for (long j = 0; j < d; j++)
                x[j] = -1 - (double)(j * 37 % 101);
            x[at] = x[d - 1] = 0.5;
            for (long j = 0; j < d; j++)
                want += x[j] * x[j];
            assert_true(vec_peak(d, x, &square) == at && square == want);
            if (at > 0) {
                x[at - 1] = NAN;
                assert_true(vec_peak(d, x, &square) == at && isnan(square));
            }
        }
    for (long j = 0; j < size; j++)
        x[j] = NAN;
    assert_true(vec_peak(size, x, &square) == 0);
    x[70] = -INFINITY;
    assert_true(vec_peak(size, x, &square) == 70);
    x[135] = x[201] = -1e300;
    assert_true(vec_peak(size, x, &square) == 135);
}

/* Runs the tests above at one SIMD level; it is called for every level that this machine has. */
static void everything(int level, void *unused)
{
    test_step(NULL);
    test_updates(NULL);
    test_sums(NULL);
    test_bad_entries(NULL);
    test_scale_of_norm(NULL);
    test_project_ball(NULL);
    test_bad_projections(NULL);
    test_clip(NULL);
    test_gemv(NULL);
    test_peak(NULL);
}

static void test_levels(void **state)
{
    assert_true(each_level(everything, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step), cmocka_unit_test(test_updates),
        cmocka_unit_test(test_add_rows), cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_bad_entries), cmocka_unit_test(test_scale_of_norm),
        cmocka_unit_test(test_project_ball), cmocka_unit_test(test_bad_projections),
        cmocka_unit_test(test_clip), cmocka_unit_test(test_gemv),
        cmocka_unit_test(test_peak), cmocka_unit_test(test_core_has_a_name),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests_name("vec", tests, NULL, NULL);
}

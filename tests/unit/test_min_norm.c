/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_min_norm.c - the shortest element of a convex hull, compared with closed forms, and with projected gradient
 * steps on the weights as an independent solver. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "problems/parts/min_norm.h"
#include "rng.h"

enum { MOST = 400 };

static void load(struct min_norm *o, long m, long d, const double *p)
{
    assert_true(min_norm_init(o, d, m));
    for (long i = 0; i < m; i++) {
        vec_copy(d, p + i * d, min_norm_next(o));
        min_norm_add(o);
    }
}

/* The parts of the answer must agree: g is the stated combination of the points, and has the stated norm and
 * gap. */
static void consistent(const struct min_norm *o)
{
    double g[MOST] = { 0 }, sum = 0, least = INFINITY;
    for (long k = 0; k < o->size; k++) {
        assert_true(o->weight[k] >= 0);
        sum += o->weight[k];
        vec_axpy(o->d, o->weight[k], o->p + o->corral[k] * o->d, g);
    }
    for (long i = 0; i < o->m; i++)
        least = fmin(least, vec_dot(o->d, o->p + i * o->d, o->g));
    double scale = o->longest * o->longest;
    assert_true(fabs(sum - 1) <= 1e-9 && vec_dist(o->d, g, o->g) <= 1e-9 * o->longest);
    assert_true(fabs(o->norm - vec_norm(o->d, o->g)) <= 1e-14 * o->longest);
    assert_true(fabs(fmax(0, o->norm * o->norm - least) - o->gap) <= 1e-14 * scale);
}

/* Checks that the shortest element of the hull of p[m*d] is g[d]: their distance must be within `tolerance` times
 * the length of the longest point. */
static void expect(long m, long d, const double *p, const double *g, double tolerance)
{
    struct min_norm o;
    load(&o, m, d, p);
    min_norm_solve(&o);
    consistent(&o);
    if (!(vec_dist(d, o.g, g) <= tolerance * o.longest))
        fail_msg("m = %ld, d = %ld: off by %g of %g", m, d, vec_dist(d, o.g, g), o.longest);
    if (!(o.gap <= 1e-12 * o.longest * o.norm || o.norm <= 1e-12 * o.longest))
        fail_msg("m = %ld, d = %ld: gap %g, norm %g", m, d, o.gap, o.norm);
    min_norm_free(&o);
}

static void test_two_points(void **state)
{
    struct rng r = rng_stream(51);
    for (int k = 0; k < 300; k++) {
        long d = 1 + k % 9;
        double p[18], g[9], v[9];
        rng_normals(&r, 2 * d, exp(3 * rng_normal(&r)), p);
        if (k % 3 == 0)                          /* the answer is then mostly the first point, an end of the
                                                    segment */
            vec_axpy(d, 5, p, p + d);
        vec_sub(d, p + d, p, v);
        double t = fmax(0, fmin(1, -vec_dot(d, p, v) / vec_dot(d, v, v)));
        vec_lincomb(d, 1, p, t, v, g);
        expect(2, d, p, g, 1e-13);
    }
}

/* The points are a_j e_j with a_j > 0: the answer is the point of the hyperplane sum x_j/a_j = 1 nearest to the
 * origin. */
static void test_simplex(void **state)
{
    static const long dims[] = { 1, 2, 5, 40, 150 };
    struct rng r = rng_stream(52);
    for (int k = 0; k < 5; k++) {
        long d = dims[k];
        double *p = calloc((size_t)(d * d), sizeof *p), g[150], sum = 0;
        for (long j = 0; j < d; j++) {
            p[j * d + j] = exp(rng_normal(&r));
            sum += 1 / (p[j * d + j] * p[j * d + j]);
        }
        for (long j = 0; j < d; j++)
            g[j] = 1 / (p[j * d + j] * sum);
        expect(d, d, p, g, 1e-12);
        free(p);
    }
}

/* The points are on the sphere |p - c| = rho < |c|. One of them is c(1 - rho/|c|), the point of the ball nearest to
 * 0. */
static void test_sphere(void **state)
{
    struct rng r = rng_stream(53);
    for (int k = 0; k < 60; k++) {
        enum { M = 120 };
        long d = 1 + k % 12;
        double p[M * 12], c[12], g[12], rho = 0.05 + 0.9 * rng_uniform(&r);
        rng_sphere(&r, d, c);
        for (long i = 0; i < M; i++) {
            rng_sphere(&r, d, p + i * d);
            vec_lincomb(d, 1, c, rho, p + i * d, p + i * d);
        }
        vec_lincomb(d, 1 - rho, c, 0, c, g);
        vec_copy(d, g, p + (long)rng_below(&r, M) * d);
        expect(M, d, p, g, 1e-7);                /* |g - g*|^2 is at most the gap, which is of the size of
                                                    rounding */
    }
}

/* The points are +-e_j, all moved by one vector that is shorter than the distance from 0 to the nearest face, so
 * that 0 stays inside of their hull. */
static void test_origin_inside(void **state)
{
    struct rng r = rng_stream(54);
    for (int k = 0; k < 100; k++) {
        long d = 1 + k % 20;
        double p[40 * 20] = { 0 }, zero[20] = { 0 }, c[20];
        rng_ball(&r, d, c);
        for (long j = 0; j < 2 * d; j++) {
            p[j * d + j / 2] = j % 2 ? 1 : -1;
            vec_axpy(d, 0.99 / sqrt((double)d), c, p + j * d);
        }
        expect(2 * d, d, p, zero, 1e-12);
    }
}

/* The answer is right for a single point, for equal points, for points of a line, and if the origin is among the
 * points. */
static void test_degenerate(void **state)
{
    const double one[] = { 3, -4 }, line[] = { 4, 2, 3, 2, -1, 2, -5, 2, 0, 2, 3, 2 };
    const double foot[] = { 0, 2 }, zero[] = { 0, 0 }, with_zero[] = { 1, 1, 0, 0, 2, -1 };
    const double same[] = { 3, -4, 3, -4, 3, -4, 3, -4 }, scalars[] = { 7, 2, 5, 2 }, two = 2;
    expect(1, 2, one, one, 0);
    expect(4, 2, same, one, 0);
    expect(6, 2, line, foot, 1e-14);
    expect(3, 2, with_zero, zero, 0);
    expect(4, 1, scalars, &two, 0);
    expect(1, 2, zero, zero, 0);
}

/* --- an independent solver: accelerated projected gradient on |sum_i lambda_i p_i|^2/2 */

static int downwards(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void project_simplex(long m, double *v)
{
    double s[MOST], sum = 0, shift = 0;
    vec_copy(m, v, s);
    qsort(s, (size_t)m, sizeof *s, downwards);
    for (long i = 0; i < m; i++) {
        sum += s[i];
        if (s[i] - (sum - 1) / (double)(i + 1) > 0)
            shift = (sum - 1) / (double)(i + 1);
    }
    for (long i = 0; i < m; i++)
        v[i] = fmax(0, v[i] - shift);
}

/* Returns |g| of the independent answer; *below <- min_i <p_i, g>/|g|, a lower bound on the length of every element
 * of the hull. */
static double projected_gradient(long m, long d, const double *p, double *below)
{
    double x[MOST], y[MOST], before[MOST], g[MOST], slope[MOST], M = 0, t = 1, least = INFINITY;
    for (long i = 0; i < m; i++)
        M += vec_dot(d, p + i * d, p + i * d);
    vec_fill(m, 1 / (double)m, x);
    vec_copy(m, x, y);
    for (int k = 0; k < 4000; k++) {
        vec_gemv_t(m, d, 1, p, y, 0, g);
        vec_gemv(m, d, 1, p, g, 0, slope);
        vec_copy(m, x, before);
        vec_lincomb(m, 1, y, -1 / M, slope, x);
        project_simplex(m, x);
        vec_sub(m, x, before, slope);
        double next = (1 + sqrt(1 + 4 * t * t)) / 2;
        bool restart = k % 400 == 399;
        vec_lincomb(m, 1, x, restart ? 0 : (t - 1) / next, slope, y);
        t = restart ? 1 : next;
    }
    vec_gemv_t(m, d, 1, p, x, 0, g);
    vec_gemv(m, d, 1, p, g, 0, slope);
    for (long i = 0; i < m; i++)
        least = fmin(least, slope[i]);
    *below = fmax(0, least / vec_norm(d, g));
    return vec_norm(d, g);
}

static void test_against_projected_gradient(void **state)
{
    struct rng r = rng_stream(55);
    int sharp = 0;
    for (int k = 0; k < 60; k++) {
        long d = 1 + k % 10, m = 2 + (long)rng_below(&r, 40);
        double p[50 * 10], shift = 2 * rng_uniform(&r);
        struct min_norm o;
        rng_normals(&r, m * d, 1, p);
        for (long i = 0; i < m; i++)
            p[i * d] += shift * sqrt((double)d);
        load(&o, m, d, p);
        min_norm_solve(&o);
        consistent(&o);
        double below, other = projected_gradient(m, d, p, &below);
        sharp += other - below < 1e-7;
        if (!(o.norm <= other + 1e-12 && o.norm >= below - 1e-12))
            fail_msg("m = %ld, d = %ld: %.12g, projected gradient %.12g to %.12g", m, d, o.norm,
                     below, other);
        assert_true(o.gap <= 1e-9 * o.longest * o.longest);
        min_norm_free(&o);
    }
    assert_true(sharp > 30);                     /* in more than half of the 60 problems the two bounds by the
                                                    independent solver differ by less than 1e-7 */
}

/* If points are added one by one, the answer is that of all points at once, and |g| never grows. */
static void test_added_points(void **state)
{
    struct rng r = rng_stream(56);
    for (int k = 0; k < 30; k++) {
        enum { M = 60 };
        long d = 2 + k % 15;
        double p[M * 17], last = INFINITY;
        struct min_norm one, all;
        rng_normals(&r, M * d, 1, p);
        for (long i = 0; i < M; i++)
            p[i * d] += 3;
        load(&all, M, d, p);
        min_norm_solve(&all);
        assert_true(min_norm_init(&one, d, M));
        for (long i = 0; i < M; i++) {
            vec_copy(d, p + i * d, min_norm_next(&one));
            min_norm_add(&one);
            min_norm_solve(&one);
            consistent(&one);
            assert_true(one.norm <= last * (1 + 1e-14));
            last = one.norm;
        }
        assert_true(fabs(one.norm - all.norm) <= 1e-12 * all.longest);
        min_norm_free(&one);
        min_norm_free(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_points), cmocka_unit_test(test_simplex),
        cmocka_unit_test(test_sphere), cmocka_unit_test(test_origin_inside),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_against_projected_gradient),
        cmocka_unit_test(test_added_points),
    };
    return cmocka_run_group_tests_name("min_norm", tests, NULL, NULL);
}

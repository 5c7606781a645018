/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_logistic.c - samples, batches, cursor and constants of logistic regression against brute
 * force in long double. */
#include "logistic_tables.h"

static void assert_near(const double *g, const long double *truth, long d, double scale)
{
    for (long j = 0; j < d; j++)
        if (!(fabsl(g[j] - truth[j]) <= 1e-12L * scale))
            fail_msg("entry %ld: %.17g, expected %.17Lg", j, g[j], truth[j]);
}

static void test_samples_and_objective(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int ridge = 0; ridge < 2; ridge++) {
            struct built b = build(file[kind], 0.03 * ridge, 10);
            struct rng r = rng_stream(2);
            double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
            long double *sum = ARENA_ARRAY(b.a, b.d, long double), f = 0;
            rng_normals(&r, b.d, 0.5, x);
            for (long i = 0; i < b.n; i++) {
                long double *one = ARENA_ARRAY(b.a, b.d, long double), v = brute(&b, i, x, one);
                vec_zero(b.d, g);
                P->sample_grad(b.self, i, x, 2, g);
                for (long j = 0; j < b.d; j++) {
                    sum[j] += one[j] / b.n;
                    one[j] *= 2;
                }
                assert_near(g, one, b.d, 10);
                assert_true(fabsl(P->sample_value(b.self, i, x) - v) <= 1e-13L * (1 + v));
                assert_int_equal(P->sample_nonzeros(b.self, i), table_row(b.t, i).count);
                f += v / b.n;
            }
            P->grad(b.self, x, g);
            assert_near(g, sum, b.d, 10);
            assert_true(fabsl(P->value(b.self, x) - f) <= 1e-13L * (1 + f));
            arena_free(b.a);
        }
}

/* Central differences: h = 1e-4, third derivatives below |a|^3/10 < 200, so 1e-5 is safe. */
static void test_differences(void **state)
{
    struct built b = build(file[SPARSE], 0.1, INFINITY);
    struct rng r = rng_stream(3);
    double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), h = 1e-4;
    rng_normals(&r, b.d, 0.3, x);
    for (long i = 0; i < 20; i++) {
        vec_zero(b.d, g);
        P->sample_grad(b.self, i, x, 1, g);
        for (long j = 0; j < b.d; j++) {
            double keep = x[j], up;
            x[j] = keep + h;
            up = P->sample_value(b.self, i, x);
            x[j] = keep - h;
            assert_true(fabs((up - P->sample_value(b.self, i, x)) / (2 * h) - g[j]) < 1e-5);
            x[j] = keep;
        }
    }
    arena_free(b.a);
}

static void test_batches(void **state)
{
    for (int kind = 0; kind < 2; kind++)
        for (int form = 0; form < 8; form++) {
            struct built b = build(file[kind], form & 1 ? 0.03 : 0, 10);
            struct rng r = rng_stream(4);
            double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *w = arena_vec(b.a, b.n);
            long *index = ARENA_ARRAY(b.a, b.n, long), count = 277;
            long double *truth = ARENA_ARRAY(b.a, b.d, long double);
            struct samples s = { 17, count, form & 2 ? index : NULL };
            rng_normals(&r, b.d, 0.5, x);
            rng_normals(&r, b.n, 1, w);
            for (long k = 0; k < b.n; k++)
                index[k] = (long)rng_below(&r, (uint64_t)b.n);
            vec_fill(b.d, 1, g);
            P->batch_grad(b.self, &s, form & 4 ? w : NULL, x, -3, g);
            for (long k = 0; k < count; k++) {
                long double *one = ARENA_ARRAY(b.a, b.d, long double);
                brute(&b, form & 2 ? index[17 + k] : 17 + k, x, one);
                for (long j = 0; j < b.d; j++)
                    truth[j] -= 3 * one[j] * (form & 4 ? (long double)w[k] : 1.0L / count);
            }
            for (long j = 0; j < b.d; j++)
                truth[j] += 1;
            assert_near(g, truth, b.d, 100);
            arena_free(b.a);
        }
}

static void test_values_along(void **state)
{
    enum { POINTS = 3, M = 4 };
    for (int kind = 0; kind < 2; kind++)
        for (int ridge = 0; ridge < 2; ridge++) {
            struct built b = build(file[kind], 0.05 * ridge, 10);
            struct rng r = rng_stream(5);
            double *x[POINTS], radius[POINTS] = { 0.3, -0.3, 0 }, v[POINTS * M];
            double *u = arena_vec(b.a, M * b.d), *at = arena_vec(b.a, b.d);
            for (int p = 0; p < POINTS; p++)
                rng_normals(&r, b.d, 0.5, x[p] = arena_vec(b.a, b.d));
            for (int j = 0; j < M; j++)
                rng_sphere(&r, b.d, u + j * b.d);
            for (long i = 0; i < 10; i++) {
                P->values_along(b.self, i, POINTS, (const double *const *)x, radius, M, u, v);
                for (int p = 0; p < POINTS; p++)
                    for (int j = 0; j < M; j++) {
                        vec_lincomb(b.d, 1, x[p], radius[p], u + j * b.d, at);
                        assert_true(fabsl(v[p * M + j] - brute(&b, i, at, NULL)) < 1e-13L);
                    }
            }
            arena_free(b.a);
        }
}

static long double clamped(long double v, double C)
{
    return v > C ? C : v < -C ? -C : v;
}

/* After 200 coordinate steps, every record's partial derivatives are clipped and averaged by brute
 * force. Thresholds that bind often, seldom and never; records without an entry are clipped too. */
static void test_cursor(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int clip = 0; clip < 2; clip++) {
            struct built b = build(file[kind], 0.2, 50);
            struct rng r = rng_stream(6);
            double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *C = arena_vec(b.a, b.d);
            void *cache = arena_bytes(b.a, P->cursor_bytes(b.self));
            long double *truth = ARENA_ARRAY(b.a, b.d, long double), f = 0;
            rng_normals(&r, b.d, 0.5, x);
            P->cursor_set(b.self, cache, x);
            for (int k = 0; k < 200; k++) {
                long j = (long)rng_below(&r, (uint64_t)b.d);
                double step = 0.1 * rng_normal(&r);
                x[j] += step;
                assert_int_equal(P->cursor_add(b.self, cache, j, step),
                                 P->column_nonzeros(b.self, j));
            }
            for (long j = 0; j < b.d; j++)
                C[j] = pow(10, -(double)(j % 4)) * 2;
            for (long i = 0; i < b.n; i++) {
                long double *one = ARENA_ARRAY(b.a, b.d, long double);
                f += brute(&b, i, x, one) / b.n;
                for (long j = 0; j < b.d; j++)
                    truth[j] += clamped(one[j], clip ? C[j] : INFINITY) / b.n;
            }
            P->cursor_grad(b.self, cache, clip ? C : NULL, g);
            assert_near(g, truth, b.d, 10);
            for (long j = 0; j < b.d; j++)
                g[j] = P->cursor_coord(b.self, cache, j, clip ? C : NULL);
            assert_near(g, truth, b.d, 10);
            assert_true(fabsl(P->cursor_value(b.self, cache) - f) < 1e-12L);
            arena_free(b.a);
        }
}

/* |grad F(x) - grad F(y)| <= M_F |x - y| and the like on random pairs, near and far; a step along
 * the top direction must come close, or the bound is idle. */
static void test_constants(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        struct built b = build(file[kind], 0.02, 3);
        struct rng r = rng_stream(7);
        double *x = arena_vec(b.a, b.d), *y = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d),
               *h = arena_vec(b.a, b.d);
        const double slack = 1 + 1e-6;
        for (int k = 0; k < 2000; k++) {
            long i = (long)rng_below(&r, (uint64_t)b.n), j = k % b.d;
            rng_ball(&r, b.d, x);
            vec_scale(b.d, 3, x);
            vec_copy(b.d, x, y);
            rng_sphere(&r, b.d, h);
            vec_axpy(b.d, pow(10, -(double)(k % 4)), h, y);
            double dist = vec_dist(b.d, x, y);
            P->grad(b.self, x, g);
            P->grad(b.self, y, h);
            double inner = vec_dot(b.d, g, x) - vec_dot(b.d, g, y) - vec_dot(b.d, h, x) +
                           vec_dot(b.d, h, y);
            assert_true(vec_dist(b.d, g, h) <= b.f.M_F * dist * slack);
            assert_true(inner >= b.f.mu * dist * dist / slack - 1e-12);
            vec_zero(b.d, g);
            vec_zero(b.d, h);
            P->sample_grad(b.self, i, x, 1, g);
            P->sample_grad(b.self, i, y, 1, h);
            assert_true(vec_dist(b.d, g, h) <= b.f.M * dist * slack);
            assert_true(vec_norm(b.d, g) <= b.f.L * slack);
            for (long m = 0; m < b.d; m++)
                assert_true(fabs(g[m]) <= b.f.L_j[m] * slack);
            vec_copy(b.d, x, y);
            y[j] += 0.1;
            P->grad(b.self, x, g);
            P->grad(b.self, y, h);
            assert_true(fabs(h[j] - g[j]) <= 0.1 * b.f.M_j[j] * slack);
        }
        assert_true(b.f.M_F <= b.f.M && b.f.G <= b.f.L * slack);
        arena_free(b.a);
    }
}

/* At 0 the Hessian of F is A'A/(4n) + l2 exactly, so M_F must be its largest eigenvalue: power
 * iteration on differences of gradients finds it from below. */
static void test_smoothness_is_tight(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct built b = build(file[kind], 0.02, INFINITY);
        struct rng r = rng_stream(8);
        double *v = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *h = arena_vec(b.a, b.d);
        double top = 0;
        rng_sphere(&r, b.d, v);
        for (int k = 0; k < 400; k++) {
            vec_scale(b.d, 1e-4, v);
            P->grad(b.self, v, g);
            vec_scale(b.d, -1, v);
            P->grad(b.self, v, h);
            vec_lincomb(b.d, 1 / 2e-4, g, -1 / 2e-4, h, v);
            top = vec_norm(b.d, v);
            vec_scale(b.d, 1 / top, v);
        }
        assert_true(b.f.M_F >= top * (1 - 1e-6) && b.f.M_F <= top * (1 + 1e-4));
        arena_free(b.a);
    }
}

/* M and L are reached by the longest record: M by its curvature at 0 along itself, L (l2 = 0) by
 * its gradient far on its wrong side. */
static void test_longest_record(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct built b = build(file[kind], 0, 1);
        double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), M = 0, L = 0, G = 0, h = 1e-4;
        for (long i = 0; i < b.n; i++) {
            double y = b.t->label[i] > 0 ? 1 : -1, norm = 0;
            vec_zero(b.d, x);
            struct entries a = table_row(b.t, i);
            for (long k = 0; k < a.count; k++)
                x[a.index[k]] = a.value[k];
            norm = vec_norm(b.d, x);
            if (norm == 0)
                continue;
            vec_scale(b.d, h / norm, x);
            vec_zero(b.d, g);
            P->sample_grad(b.self, i, x, 1 / (2 * h), g);
            vec_scale(b.d, -1, x);
            P->sample_grad(b.self, i, x, -1 / (2 * h), g);
            M = fmax(M, vec_norm(b.d, g));
            vec_scale(b.d, y * 1e9, x);
            vec_zero(b.d, g);
            P->sample_grad(b.self, i, x, 1, g);
            L = fmax(L, vec_norm(b.d, g));
            G += vec_dot(b.d, g, g) / (double)b.n;
        }
        assert_true(fabs(b.f.M - M) <= 1e-5 * M);
        assert_true(fabs(b.f.L - L) <= 1e-12 * L && fabs(b.f.G - sqrt(G)) <= 1e-12 * L);
        arena_free(b.a);
    }
}

/* Margins of 1e4 and more: log(1 + e^z) = z, slope 1 or 0, nothing overflows. */
static void test_extremes(void **state)
{
    struct built b = build(file[DENSE], 0, INFINITY);
    double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
    vec_fill(b.d, 1e6, x);
    for (long i = 0; i < b.n; i++) {
        long double truth = 0, y = b.t->label[i] > 0 ? 1 : -1;
        struct entries a = table_row(b.t, i);
        for (long k = 0; k < a.count; k++)
            truth += -y * a.value[k] * 1e6L;
        double v = P->sample_value(b.self, i, x);
        vec_zero(b.d, g);
        P->sample_grad(b.self, i, x, 1, g);
        if (fabsl(truth) > 1e3)
            assert_true(fabsl(v - fmaxl(truth, 0)) <= 1e-6L && vec_finite(b.d, g));
    }
    vec_fill(b.d, 1e300, x);
    assert_true(isfinite(P->value(b.self, x)));
    x[0] = NAN;
    assert_true(isnan(P->value(b.self, x)));
    arena_free(b.a);
}

static void expect_refusal(const char *name, const char *text, const char *reason)
{
    char path[64];
    struct built b;
    struct why why = { "" };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    enum status s = try_build(&b, path, 0.1, INFINITY, &why);
    remove(path);
    arena_free(b.a);
    assert_int_equal(s, BAD_INPUT);
    if (!strstr(why.text, reason) || !strstr(why.text, path))
        fail_msg("'%s' does not contain '%s: %s'", why.text, path, reason);
}

static void test_labels(void **state)
{
    expect_refusal("one", "1 1:1\n1 2:1\n",
                   "every label is 1: expected two different labels");
    expect_refusal("three", "0 1:1\n1 2:1\n2.5 1:1\n3 1:1\n",
                   "labels 0, 1, 2.5: expected only two different labels");
    expect_refusal("huge", "0 1:1e200\n1 1:1\n", "expected entries with finite squares");
    expect_refusal("text", "0 1:1\nb 1:1\n", "'b': expected a label");
}

static void test_origins(void **state)
{
    struct built b = build(file[DENSE], 0.1, 2);
    static const int public[] = { FACT_n, FACT_d, FACT_mu, FACT_weak, FACT_radius, FACT_diameter };
    static const int data[] = { FACT_L, FACT_G, FACT_M, FACT_M_F, FACT_dist, FACT_Phi, FACT_f_star,
                                FACT_nonzeros, FACT_L_j, FACT_M_j, FACT_sigma, FACT_R_M1 };
    for (size_t k = 0; k < sizeof public / sizeof *public; k++)
        assert_int_equal(b.f.origin[public[k]], ORIGIN_PUBLIC);
    for (size_t k = 0; k < sizeof data / sizeof *data; k++)
        assert_int_equal(b.f.origin[data[k]], ORIGIN_DATA);
    assert_true(b.f.n == 300 && b.f.d == 9 && b.f.nonzeros == (double)b.t->nonzeros);
    arena_free(b.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_and_objective), cmocka_unit_test(test_differences),
        cmocka_unit_test(test_batches), cmocka_unit_test(test_values_along),
        cmocka_unit_test(test_cursor), cmocka_unit_test(test_constants),
        cmocka_unit_test(test_smoothness_is_tight), cmocka_unit_test(test_longest_record),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_labels),
        cmocka_unit_test(test_origins),
    };
    return cmocka_run_group_tests_name("logistic", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference.c - reference optima of functions whose optimum has a closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reference.h"
#include "cell/reference_model.h"
#include "rng.h"
#include "vec.h"

enum { D = 60 };

/* The function f = (1/2) sum_j h_j (x_j - c_j)^2, plus sum_j log cosh(x_j - c_j) if `curved`. Its minimum at c is
 * 0. */
struct bowl {
    double h[D], c[D];
    bool curved;
};

static double bowl(const void *ctx, const double *x, double *g)
{
    const struct bowl *b = ctx;
    double f = 0;
    for (int j = 0; j < D; j++) {
        double u = x[j] - b->c[j], a = fabs(u);
        f += b->h[j] / 2 * u * u;
        g[j] = b->h[j] * u;
        if (b->curved) {
            f += a + log1p(exp(-2 * a)) - M_LN2;
            g[j] += tanh(u);
        }
    }
    return f;
}

static struct bowl bowl_of(double decades, bool curved)
{
    struct bowl b = { .curved = curved };
    struct rng r = rng_stream(5);
    rng_normals(&r, D, 3, b.c);
    for (int j = 0; j < D; j++)
        b.h[j] = pow(10, -decades * j / (D - 1));
    return b;
}

/* The optimum is known, so that the certificate itself is tested: the value, whose minimum is 0, is at most the
 * gap, and the gap at most the target; |x - c| <= sqrt(2 gap / mu), up to the rounding of one value. */
static void test_known_minimum(void **state)
{
    static const double decades[] = { 0, 2, 4, 6 }, targets[] = { 1e-6, 1e-14, 1e-22 };
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            for (int curved = 0; curved < 2; curved++) {
                struct bowl b = bowl_of(decades[k], curved);
                struct reference r;
                struct why why = { "" };
                double x[D] = { 0 }, g[D], mu = b.h[D - 1];
                enum status s = reference_minimise(D, bowl, &b, mu, targets[i], x, &r, &why);
                if (s != OK)
                    fail_msg("%g decades, target %g: %s", decades[k], targets[i], why.text);
                assert_true(r.gap <= targets[i]);
                assert_true(r.value <= r.gap * (1 + 1e-9) + 1e-15);
                assert_true(vec_dist(D, x, b.c) <= sqrt(2 * r.gap / mu) * (1 + 1e-9) + 1e-13);
                assert_true(bowl(&b, x, g) == r.value && vec_norm(D, g) == r.gradient_norm);
                assert_true(r.gap == r.gradient_norm * r.gradient_norm / (2 * mu));
                assert_true(r.evaluations >= 2);
            }
}

/* Returns values that are wrong by up to 1e-7, with right gradients. A comparison of values fails at |x - c| near
 * 3e-4, long before the target, which must be reached by gradients alone. */
static double noisy(const void *ctx, const double *x, double *g)
{
    double f = bowl(ctx, x, g), phase = 0;
    for (int j = 0; j < D; j++)
        phase += 1e9 * x[j];
    return f + 1e-7 * sin(phase);
}

static void test_noisy_values(void **state)
{
    for (int curved = 0; curved < 2; curved++) {
        struct bowl b = bowl_of(3, curved);
        struct reference r;
        struct why why = { "" };
        double x[D] = { 0 }, mu = b.h[D - 1];
        if (reference_minimise(D, noisy, &b, mu, 1e-20, x, &r, &why) != OK)
            fail_msg("%s", why.text);
        assert_true(r.gap <= 1e-20 && vec_dist(D, x, b.c) <= sqrt(2e-20 / mu) * (1 + 1e-6));
    }
}

/* Without strong convexity (half of the coordinates have no influence) the other coordinates of the minimiser are
 * found, and the gap is unknown. */
static void test_flat(void **state)
{
    struct bowl b = bowl_of(2, false);
    struct reference r;
    double x[D] = { 0 };
    for (int j = 0; j < D; j += 2)
        b.h[j] = 0;
    assert_int_equal(reference_minimise(D, bowl, &b, 0, 1e-9, x, &r, NULL), OK);
    assert_true(isinf(r.gap));
    assert_true(r.gradient_norm <= 1e-10 * fmax(1, vec_norm(D, x)));
    for (int j = 1; j < D; j += 2)
        assert_true(fabs(x[j] - b.c[j]) < 1e-7);
}

/* Returns f = sum_j x_j^4/4, whose Hessian is singular at the minimum 0. |g| <= 1e-10 implies |x_j| <= 5e-4. */
static double quartic(const void *ctx, const double *x, double *g)
{
    double f = 0;
    for (int j = 0; j < D; j++) {
        g[j] = x[j] * x[j] * x[j];
        f += g[j] * x[j] / 4;
    }
    return f;
}

static void test_singular(void **state)
{
    struct reference r;
    double x[D];
    vec_fill(D, 1, x);
    assert_int_equal(reference_minimise(D, quartic, NULL, 0, 0, x, &r, NULL), OK);
    assert_true(r.gradient_norm <= 1e-10 && r.value < 1e-12 && vec_norm_inf(D, x) <= 5e-4);
}

/* A bowl whose gradient is reported with an error of 1e-5 to 3e-5 in every entry. *smallest <- the smallest norm of
 * a reported gradient. */
struct rough {
    struct bowl bowl;
    double *smallest;
};

static double rough(const void *ctx, const double *x, double *g)
{
    const struct rough *r = ctx;
    double f = bowl(&r->bowl, x, g);
    for (int j = 0; j < D; j++)
        g[j] += 1e-5 * (2 + sin(1e9 * x[j]));
    *r->smallest = fmin(*r->smallest, vec_norm(D, g));
    return f;
}

/* Where the target is out of reach, the gap that is reached is reported, and x is the best point that was ever
 * evaluated. */
static void test_out_of_reach(void **state)
{
    double smallest = INFINITY, x[D] = { 0 }, g[D];
    struct rough b = { bowl_of(1, false), &smallest };
    struct reference r;
    struct why why = { "" };
    assert_int_equal(reference_minimise(D, rough, &b, 0.1, 1e-20, x, &r, &why), REFUSED);
    assert_non_null(strstr(why.text, "expected at most 1e-20"));
    assert_true(r.gradient_norm == smallest && r.gap == smallest * smallest / (2 * 0.1));
    rough(&b, x, g);
    assert_true(vec_norm(D, g) == smallest);
}

static double nowhere(const void *ctx, const double *x, double *g)
{
    vec_fill(D, NAN, g);
    return NAN;
}

/* Returns f within the distance 60 of its minimiser c, and NaN elsewhere. The search begins within this distance,
 * and must find c. */
static double fenced(const void *ctx, const double *x, double *g)
{
    double f = bowl(ctx, x, g);
    return vec_dist(D, x, ((const struct bowl *)ctx)->c) > 60 ? NAN : f;
}

static void test_not_finite(void **state)
{
    struct bowl b = bowl_of(1, true);
    struct reference r;
    struct why why = { "" };
    double x[D] = { 0 };
    assert_int_equal(reference_minimise(D, nowhere, NULL, 1, 1, x, &r, &why), REFUSED);
    assert_non_null(strstr(why.text, "expected a finite value and gradient at the start"));
    assert_true(vec_norm(D, b.c) < 60);
    assert_int_equal(reference_minimise(D, fenced, &b, 0.1, 1e-16, x, &r, &why), OK);
    assert_true(vec_dist(D, x, b.c) < 1e-6);
}

/* Returns (x - 1)^2. One of the searches begins at the minimum of this function. */
static double square(const void *ctx, const double *x, double *g)
{
    g[0] = 2 * (x[0] - 1);
    return (x[0] - 1) * (x[0] - 1);
}

static void test_small(void **state)
{
    static const double starts[] = { 1, 0, -1e6, 1e-300 };
    for (int k = 0; k < 4; k++) {
        double x[1] = { starts[k] };
        struct reference r;
        assert_int_equal(reference_minimise(1, square, NULL, 2, 1e-24, x, &r, NULL), OK);
        assert_true(fabs(x[0] - 1) <= 1e-12 && r.value <= 1e-24);
    }
}

/* With the term l1 |x|_1 added to the bowl, the minimiser is x_j = soft(h_j c_j, l1)/h_j, with exact zeros. */
static void test_l1(void **state)
{
    static const double l1[] = { 1e-6, 0.01, 1, 1e3 };
    for (int k = 0; k < 4; k++)
        for (int mu = 0; mu < 2; mu++) {
            struct bowl b = bowl_of(3, false);
            struct reference r;
            double x[D] = { 0 }, F = 0;
            reference_minimise_l1(D, bowl, &b, mu * b.h[D - 1], l1[k], 1e-22, x, &r, NULL);
            for (int j = 0; j < D; j++) {
                double far = fmax(0, fabs(b.h[j] * b.c[j]) - l1[k]);
                double truth = copysign(far / b.h[j], b.c[j]);
                assert_true(fabs(x[j] - truth) <= 1e-9 * (1 + fabs(truth)));
                assert_true((far == 0) == (x[j] == 0));
                F += b.h[j] / 2 * (truth - b.c[j]) * (truth - b.c[j]) + l1[k] * fabs(truth);
            }
            assert_true(fabs(r.value - F) <= 1e-13 * (1 + F) && r.gradient_norm <= 1e-10);
        }
}

/* Random quadratic models, of full rank or not, plus the term l1 |z|_1 are minimised from random starts.
 * First-order conditions hold at the answer z. */
static void test_model(void **state)
{
    enum { M = 12 };
    for (int k = 0; k < 300; k++) {
        struct rng r = rng_stream(700 + (uint64_t)k);
        double A[M * M], H[M * M], g[M], x[M], z[M], l1 = 0.3 * (k % 4);
        int rows = k % 2 && l1 > 0 ? M / 2 : 2 * M;          /* half rank, so that there are many minimisers */
        vec_zero(M * M, H);
        for (int i = 0; i < rows; i++) {
            rng_normals(&r, M, 1, A);
            for (int j = 0; j < M; j++)
                vec_axpy(M, A[j] / rows, A, H + j * M);
        }
        rng_normals(&r, M, 1, A);
        vec_gemv(M, M, 1, H, A, 0, g);                       /* g is in the range of H, so that the model is bounded
                                                                below */
        rng_normals(&r, M, 1, x);
        x[k % M] = 0;
        assert_true(model_minimise(M, H, g, x, l1, z));
        vec_sub(M, z, x, A);
        vec_gemv(M, M, 1, H, A, 1, g);
        for (int j = 0; j < M; j++)
            assert_true(z[j] == 0 ? fabs(g[j]) <= l1 + 1e-9
                                  : fabs(g[j] + copysign(l1, z[j])) <= 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_minimum), cmocka_unit_test(test_noisy_values),
        cmocka_unit_test(test_flat), cmocka_unit_test(test_singular),
        cmocka_unit_test(test_out_of_reach), cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_small), cmocka_unit_test(test_l1), cmocka_unit_test(test_model),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_law_fit.c - fits of laws with several coefficients: exact data give their law back, rough data the least
 * squares of an independent fit. The weight of a point in a fitted number is the derivative of this number with
 * respect to log y at the point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "judge/law.h"

enum { N = 8 };

static double axis[N], z[N];
static struct law_fit f;

static void near(double value, double truth, double tolerance)
{
    if (!(fabs(value - truth) <= tolerance))
        fail_msg("%.17g, expected %.17g +- %g", value, truth, tolerance);
}

/* Returns (x^c - 1)/c, which is log x at c = 0. */
static double grown(double c, double x) { return c == 0 ? log(x) : (pow(x, c) - 1) / c; }

/* axis <- 16, 32, ...; z <- log y for y = (a + b (x^c - 1)/c)^root, each y first multiplied by 1 + rough or 1 -
 * rough. Below, the root of y is a + b (x^c - 1)/c. */
static void box_data(double root, double a, double b, double c, double rough)
{
    static const int sign[N] = { 1, -1, -1, 1, 1, -1, 1, -1 };
    for (int i = 0; i < N; i++) {
        axis[i] = ldexp(1, 4 + i);
        z[i] = root * log(a + b * grown(c, axis[i])) + log1p(rough * sign[i]);
    }
}

static void exact_box_cox_data_give_their_law(void **state)
{
    static const double powers[] = { 0, 0.5, 1.3, -0.4, 3.02 };
    for (int k = 0; k < 5; k++)
        for (int root = 1; root <= 2; root++) {
            const struct law law = { .form = LAW_BOX_COX, .exponent = { root } };
            /* a + b (x^c - 1)/c grows by a fifth or more over the points */
            const double c = powers[k], a = c < 0 ? 0.5 : 3, b = 0.7;
            box_data(root, a, b, c, 0);
            law_fit(&law, N, axis, z, &f);
            assert_int_equal(f.trouble, LAW_FITTED);
            for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++)
                near(f.value[part], c, 1e-6);
            near(f.value[LAW_BEND], 0, 1e-6);
            near(f.coefficient[0], a, 1e-4);
            near(f.coefficient[1], b, 1e-5);
            for (int i = 0; i < N; i++) {
                near(f.fitted[i], exp(z[i]), 1e-6 * exp(z[i]));
                assert_true(f.carries[i]);
            }
            double low = a + b * grown(c, axis[0]), high = a + b * grown(c, axis[N - 1]);
            near(f.share[0], (high - low) / high, 1e-6);
        }
}

/* Exact data whose root falls, from a positive a with a negative b, or grows over a window of less than an octave,
 * where the squares of log x about their mean have a sum below 1. In each the root changes by a quarter or more. */
static void falling_and_narrow_box_cox_data(void **state)
{
    static const struct { double a, b, c; bool narrow; } cases[] = {
        { 1, -1, -1, false }, { 3, -1, -0.4, false },
        { 0.5, 1, 1, true },  { 0.5, 1, 2, true },    { 5, -1, 1, true } };
    const struct law law = { .form = LAW_BOX_COX, .exponent = { 1 } };
    for (int k = 0; k < 5; k++) {
        double x0 = cases[k].narrow ? 2 : 16, step = cases[k].narrow ? 0.1 : 1, value[N];
        for (int i = 0; i < N; i++) {
            axis[i] = x0 * exp2(step * i);
            value[i] = cases[k].a + cases[k].b * grown(cases[k].c, axis[i]);
            z[i] = log(value[i]);
        }
        double high = fmax(value[0], value[N - 1]), low = fmin(value[0], value[N - 1]);
        assert_true(low > 0 && high - low > 0.25 * high);
        law_fit(&law, N, axis, z, &f);
        assert_int_equal(f.trouble, LAW_FITTED);
        near(f.value[LAW_EXPONENT], cases[k].c, 1e-5);
        near(f.coefficient[0], cases[k].a, 1e-3);
        near(f.coefficient[1], cases[k].b, 1e-3);
        near(f.share[0], (high - low) / high, 1e-6);
    }
}

/* Seven values fall as 8 - 1.3 times log2 of the axis, and the last, far out, is a million: its relative error is
 * nearly 1, whatever value the fit has there. The fit follows the seven, and has the value -18 there. The share is
 * the change of the fitted root over its end that is larger in absolute value. */
static void a_fit_that_ends_below_zero(void **state)
{
    const struct law law = { .form = LAW_BOX_COX, .exponent = { 1 } };
    for (int i = 0; i < N; i++) {
        axis[i] = exp2(i < N - 1 ? i : 20);
        z[i] = log(i < N - 1 ? 8 - 1.3 * i : 1e6);
    }
    law_fit(&law, N, axis, z, &f);
    assert_int_equal(f.trouble, LAW_FITTED);
    near(f.value[LAW_EXPONENT], 0, 1e-3);
    near(f.share[0], 26.0 / 18, 1e-2);
}

/* Returns the least sum of squared relative errors of a + b (x^c - 1)/c over all a and b, from the normal
 * equations. */
static double relative_squares(double root, double c)
{
    long double s00 = 0, s01 = 0, s11 = 0, t0 = 0, t1 = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        long double v = expl(z[i] / root), p = 1 / v, q = grown(c, axis[i]) / v;
        s00 += p * p, s01 += p * q, s11 += q * q, t0 += p, t1 += q;
    }
    long double det = s00 * s11 - s01 * s01, a = (t0 * s11 - t1 * s01) / det, b = (t1 * s00 - t0 * s01) / det;
    for (int i = 0; i < N; i++) {
        long double e = (a + b * grown(c, axis[i])) / expl(z[i] / root) - 1;
        sum += e * e;
    }
    return (double)sum;
}

/* The fitted power c has a smaller sum of squares than powers beside it. The fit also states the sums of squares
 * at the powers 1/4 and 1/2, in units of the least one. */
static void rough_box_cox_data_have_least_squares(void **state)
{
    for (int root = 1; root <= 2; root++) {
        const struct law law = { .form = LAW_BOX_COX, .exponent = { root } };
        box_data(root, 3, 0.7, 0.2, 0.01);
        law_fit(&law, N, axis, z, &f);
        assert_int_equal(f.trouble, LAW_FITTED);
        double c = f.value[LAW_EXPONENT], least = relative_squares(root, c);
        assert_true(least < relative_squares(root, c - 1e-4) && least < relative_squares(root, c + 1e-4));
        near(f.rival[0], relative_squares(root, 0.25) / least, 1e-6 * f.rival[0]);
        near(f.rival[1], relative_squares(root, 0.5) / least, 1e-6 * f.rival[1]);
    }
}

/* Compares the weights of every point in the first `parts` fitted numbers with the change of these numbers when log
 * y changes there by +-1e-3. */
static void check_weights(const struct law *law, int parts, double tolerance)
{
    law_fit(law, N, axis, z, &f);
    assert_int_equal(f.trouble, LAW_FITTED);
    for (int i = 0; i < N; i++) {
        const double kept = z[i], h = 1e-3;
        struct law_fit below, above;
        z[i] = kept - h;
        law_fit(law, N, axis, z, &below);
        z[i] = kept + h;
        law_fit(law, N, axis, z, &above);
        z[i] = kept;
        for (int part = 0; part < parts; part++)
            near(f.weight[part][i], (above.value[part] - below.value[part]) / (2 * h), tolerance);
    }
}

/* The fit of y = 500/x + 3 finds both terms with their coefficients. That of 5/x + 1e-4 leaves out the constant,
 * which is less than a fifth of y. */
static void sums_keep_the_terms_that_count(void **state)
{
    const struct law law = { .form = LAW_SUM, .terms = 2, .named = 1, .exponent = { 0, -1 } };
    for (int i = 0; i < N; i++) {
        axis[i] = ldexp(1, 4 + i);
        z[i] = log(500 / axis[i] + 3);
    }
    check_weights(&law, 1, 1e-3);
    near(f.value[LAW_EXPONENT], -1, 2e-5);
    for (int i = 0; i < N; i++)
        near(f.fitted[i], exp(z[i]), 1e-5 * exp(z[i]));
    near(f.share[0], 3 / (500 / axis[N - 1] + 3), 1e-4);
    for (int i = 0; i < N; i++)
        z[i] = log(5 / axis[i] + 1e-4);
    law_fit(&law, N, axis, z, &f);
    assert_int_equal(f.trouble, LAW_FITTED);
    near(f.coefficient[0], 0, 0);
    near(f.share[0], 0, 0);
    near(f.share[1], 1, 1e-12);
}

static void weights_are_derivatives(void **state)
{
    const struct law power = { .form = LAW_POWER, .exponent = { -0.5 } };
    const struct law box = { .form = LAW_BOX_COX, .exponent = { 2 } };
    box_data(1, 3, 0.7, 0.4, 0.01);
    check_weights(&power, LAW_PARTS, 1e-9);
    near(f.share[0], 1, 0);
    check_weights(&box, LAW_PARTS, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_box_cox_data_give_their_law),
        cmocka_unit_test(falling_and_narrow_box_cox_data),
        cmocka_unit_test(a_fit_that_ends_below_zero),
        cmocka_unit_test(rough_box_cox_data_have_least_squares),
        cmocka_unit_test(sums_keep_the_terms_that_count),
        cmocka_unit_test(weights_are_derivatives),
    };
    return cmocka_run_group_tests_name("law_fit", tests, NULL, NULL);
}

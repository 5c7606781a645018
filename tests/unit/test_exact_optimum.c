/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exact_optimum.c - cuts by ellipsoids and by bisection, and an unbiased estimator of the minimiser of a
 * finite sum. z-tests at 6 standard errors (contract.h).
 *
 * Serves: bias-reduced */
#include "support/draw.h"

#include "algos/parts/cutting.h"

/* The function F = (x - c)'A(x - c)/2 with A = diag(1, 2, ...) and its minimiser c inside the ball. calls: how
 * often bowl_at was called. */
struct bowl { long d; double c[5], calls; };

static bool bowl_at(void *ctx, const double *x, double *F, double *g)
{
    struct bowl *q = ctx;
    *F = 0;
    for (long j = 0; j < q->d; j++) {
        g[j] = (double)(j + 1) * (x[j] - q->c[j]);
        *F += g[j] * (x[j] - q->c[j]) / 2;
    }
    q->calls++;
    return true;
}

/* Returns det H by elimination. This also proves H positive definite, as every pivot must be positive. */
static double determinant(long d, const double *H)
{
    double A[25], det = 1;
    for (long k = 0; k < d * d; k++)
        A[k] = H[k];
    for (long k = 0; k < d; k++) {
        assert_true(A[k * d + k] > 0);
        det *= A[k * d + k];
        for (long i = k + 1; i < d; i++)
            for (long j = d - 1; j >= k; j--)
                A[i * d + j] -= A[i * d + k] / A[k * d + k] * A[k * d + j];
    }
    return det;
}

/* With every cut det H falls by the factor (d^2/(d^2-1))^d (d-1)/(d+1), H stays symmetric and positive definite,
 * and the minimiser stays in the box around the ellipsoid. */
static void s7_12_ellipsoids(void **state)
{
    struct arena *a = arena_new(0);
    for (long d = 2; d <= 5; d++) {
        struct bowl q = { d, { 0.3, -0.5, 0.2, 0.1, -0.4 }, 0 };
        struct cutting s = { .d = d, .at = bowl_at, .ctx = &q, .R = 1 };
        double n = (double)d, factor = pow(n * n / (n * n - 1), n) * (n - 1) / (n + 1);
        cutting_reserve(&s, a);
        cutting_begin(&s);
        double before = determinant(d, s.H);
        for (int t = 0; t < 60; t++) {
            assert_true(cutting_run(&s, 1));
            double det = determinant(d, s.H), y[5], z[5];
            expect_near("volume", det / before, factor, 1e-9);
            before = det;
            for (long k = 0; k < d * d; k++)
                expect_near("symmetric", s.H[k], s.H[k % d * d + k / d], 1e-15);
            /* The minimiser q.c has z' H^-1 z <= 1, z = q.c - s.c, only if z_j^2 <= H_jj for every j, by the
             * inequality of Cauchy and Schwarz. */
            vec_sub(d, q.c, s.c, z);
            for (long j = 0; j < d; j++) {
                double u[5] = { 0 };
                u[j] = 1;
                vec_gemv(d, d, 1, s.H, u, 0, y);
                assert_true(z[j] * z[j] <= y[j] * (1 + 1e-9));
            }
        }
    }
    arena_free(a);
}

/* Checks that |x - x*|^2 <= (8 G^2/mu^2) exp(-T/(2 d^2)), where mu = 1 and G is the largest slope on the ball. */
static void s5_15_the_ellipsoids_bound(void **state)
{
    struct arena *a = arena_new(0);
    for (long d = 2; d <= 4; d++)
        for (double T = 8; T <= 512; T *= 2) {
            struct bowl q = { d, { 0.3, -0.5, 0.2, 0.1 }, 0 };
            struct cutting s = { .d = d, .at = bowl_at, .ctx = &q, .R = 1 };
            double n = (double)d, G = n * (1 + vec_norm(d, q.c));
            cutting_reserve(&s, a);
            cutting_begin(&s);
            assert_true(cutting_run(&s, T));
            assert_true(q.calls <= T && q.calls > 0);
            double e = vec_dist(d, s.best, q.c);
            if (!(e * e <= 8 * G * G * exp(-T / (2 * n * n)) + 1e-14))
                fail_msg("d = %ld, T = %g: %g", d, T, e);
        }
    arena_free(a);
}

/* Every cut halves the interval around x*, also where the ball has another centre. */
static void s7_12_bisection(void **state)
{
    struct arena *a = arena_new(0);
    struct bowl q = { 1, { 0.3 }, 0 };
    double x_0 = 0.5;
    struct cutting s = { .d = 1, .at = bowl_at, .ctx = &q, .R = 2, .x_0 = &x_0 };
    cutting_reserve(&s, a);
    cutting_begin(&s);
    assert_true(s.best[0] == 0.5);
    for (int t = 1; t <= 50; t++) {
        assert_true(cutting_run(&s, 1));
        assert_true(s.lo <= 0.3 && 0.3 <= s.hi);
        expect_near("interval", s.hi - s.lo, 4 * ldexp(1, -t), 1e-15);
        assert_true(fabs(s.best[0] - 0.3) <= 2 * ldexp(1, -t) + 1e-15);
    }
    assert_true(cutting_run(&s, 1e9));           /* the bisection ends when its ends are neighbouring doubles */
    expect_near("minimiser", s.best[0], 0.3, 1e-15);
    assert_true(q.calls < 100);
    arena_free(a);
}

/* The family medians states its minimiser x*. It is compared with random points, near and far. */
static void v22_the_minimiser_is_one(void **state)
{
    struct arena *a = arena_new(0);
    for (double d = 1; d <= 4; d++)
        for (double n = 2; n <= 512; n *= 4) {
            struct instance in = INSTANCE(a, "medians", { "d", d }, { "n", n });
            double x[4], y[4], least;
            assert_true(in.p->minimiser(in.self, x));
            least = in.p->value(in.self, x);
            struct rng r = rng_stream(3);
            for (int k = 0; k < 200; k++) {
                double size = pow(10, -6 * rng_uniform(&r)), shift;
                rng_sphere(&r, (long)d, y);
                vec_scale((long)d, size, y);
                vec_axpy((long)d, 1, x, y);
                shift = vec_dist((long)d, x, y);
                /* The minimiser satisfies F(y) - F(x*) >= (mu/2)|y - x*|^2, by strong convexity. */
                assert_true(in.p->value(in.self, y) - least >= shift * shift / 2 - 1e-14);
            }
        }
    arena_free(a);
}

/* The mean of the estimator exact-optimum over its strata is x*; with the printed sign it would be 2 x_0 - x*. The
 * functional `share` of these points is 1 and -1, as x_0 = 0. */
static void expect_unbiased(double d, double n, const char *sign, double truth, int each)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "medians", { "d", d }, { "n", n });
    struct draw_of *q = DRAWN("exact-optimum", &in, 5, { "sign", 0, sign });
    double error2, share = drawn_mean(q, "share", each, &error2);
    expect_near("share", share, truth, Z * sqrt(error2) + 1e-7);
    if (!(sqrt(error2) < 0.06))
        fail_msg("d = %g: a standard error of %g shows nothing", d, sqrt(error2));
    drawn_free(q);
    arena_free(a);
}
static void s7_19_unbiased_by_bisection(void **state) { expect_unbiased(1, 8, "corrected", 1, 1500); }
static void s7_19_unbiased_by_ellipsoids(void **state) { expect_unbiased(2, 8, "corrected", 1, 60); }
static void o16_the_printed_sign(void **state) { expect_unbiased(1, 8, "printed", -1, 1500); }

/* Draws of exact-optimum at the levels J = 1, 2 and 3 cost nothing and answer the centre, since a budget of 2^J <
 * 16 gradients has room for no epoch. The parameter J_0 has the values that its definition gives. */
static void o15_levels(void **state)
{
    struct arena *a = arena_new(0);
    static const struct { double d, n; int J_0; } table[] = { { 1, 4, 5 }, { 1, 64, 12 }, { 2, 8, 14 } };
    for (int k = 0; k < 3; k++) {
        struct instance in = INSTANCE(a, "medians", { "d", table[k].d }, { "n", table[k].n });
        struct draw_of *q = DRAWN("exact-optimum", &in, 6, { "mu", 1 });
        double J_0 = drawn_param(q, "J_0"), gradients, total = 0;
        assert_true(J_0 == table[k].J_0);
        for (int s = 0; s < q->strata; s++)
            total += q->weight[s];
        assert_true(total == 1 && q->strata == (int)J_0 + 7);
        for (int s = 0; s < 3; s++) {
            const double *v = drawn_next(q, s, &gradients);
            assert_true(gradients == 0 && vec_norm(in.d, v) == 0);
        }
        /* A draw of level J = J_0 + 2 takes ceil(2^(J/2)) cuts of n gradients each, and fewer only if the search
         * ended before. */
        drawn_next(q, (int)J_0 + 1, &gradients);
        assert_true(gradients > 0 && gradients <= table[k].n * ceil(exp2((J_0 + 2) / 2)));
        drawn_free(q);
    }
    arena_free(a);
}

/* On linear losses the point X_m of blanchet-glynn is the mean of m gradients, divided by -mu. If X' and X'' are
 * those of the two halves of the samples, their mean is then X of the whole. So every draw is X_1 = x* - noise/mu,
 * with noise of length 0.8. */
static void s5_12_halves_of_a_linear_loss(void **state)
{
    struct arena *a = arena_new(0);
    for (double d = 1; d <= 2; d++) {
        struct instance in = INSTANCE(a, "linear", { "d", d }, { "hardness", 0.6 }, { "s", 0.8 },
                                      { "radius", 100 });
        struct draw_of *q = DRAWN("blanchet-glynn", &in, 8, { "mu", 1 });
        for (int s = 0; s < 6; s++) {
            drawn_next(q, s, NULL);
            double off = drawn_functional(q, "error");
            expect_near("noise", off, 0.8, d == 1 ? 1e-12 * exp2(1.25 * s) : 1e-4);
        }
        drawn_free(q);
    }
    arena_free(a);
}

/* For an absolute value about a random centre the mean of blanchet-glynn over all levels is x*. */
static void s5_12_unbiased(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "blurred_l1", { "d", 1 });
    struct draw_of *q = DRAWN("blanchet-glynn", &in, 9, { "mu", 1 });
    double error2, along = drawn_mean(q, "along", 25, &error2);
    expect_near("along", along, 0, Z * sqrt(error2));
    assert_true(sqrt(error2) < 0.1);
    drawn_free(q);
    arena_free(a);
}

static void theory_is_refused_with_its_cost(void **state)
{
    struct facts f = facts_unknown();
    struct goal goal = goal_unknown();
    struct why why = { "" };
    const struct estimator *e = registry_estimator("exact-optimum");
    _Alignas(16) unsigned char params[256];
    params_default(e->params, params);
    f.d = 2, f.n = 100, f.mu = 1, f.radius = 1;
    goal.constants = CONSTANTS_THEORY;
    assert_int_equal(e->tune(&f, &goal, params, &why), REFUSED);
    assert_non_null(strstr(why.text, "J_0 = 51"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_12_ellipsoids), cmocka_unit_test(s5_15_the_ellipsoids_bound),
        cmocka_unit_test(s7_12_bisection), cmocka_unit_test(v22_the_minimiser_is_one),
        cmocka_unit_test(s7_19_unbiased_by_bisection), cmocka_unit_test(s7_19_unbiased_by_ellipsoids),
        cmocka_unit_test(o16_the_printed_sign), cmocka_unit_test(o15_levels),
        cmocka_unit_test(s5_12_halves_of_a_linear_loss), cmocka_unit_test(s5_12_unbiased),
        cmocka_unit_test(theory_is_refused_with_its_cost),
    };
    return cmocka_run_group_tests_name("exact optimum", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spectral.c - the families spectral and spectral_sphere, quadratics F = (1/2) sum_j lam_j (x_j - c_j)^2 +
 * constant with log-spaced lam_j, compared with closed forms, and the laws of their noise.
 *
 * Levels: chi-square and Kolmogorov-Smirnov tests at 1e-9, z-tests at 6 standard errors (2e-9), some forty in
 * total. */
#include "support/instances.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

static int setup(void **state)
{
    *state = arena_new(0);
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static double excess(const struct instance *in, const double *x)
{
    double error = NAN;
    double value = in->p->measures[0].at(in->self, x, &error);
    assert_true(error == 0);
    return value;
}

static void near(double value, double truth, double relative)
{
    if (!(fabs(value - truth) <= relative * fabs(truth)))
        fail_msg("%.17g, expected %.17g", value, truth);
}

/* Checks that lam_j = M 10^(-D j/(d-1)) with D = 7 decades, that all |c_j| are equal, and that F(0) - F* is the sum
 * of a geometric series. */
static void test_spectrum_and_centre(void **state)
{
    struct instance in = INSTANCE(*state, "spectral", { "d", 15 }, { "M", 2 }, { "radius", 3 });
    double c[15], q = pow(10, -0.5), each = 0.5 * 3 / sqrt(15);
    assert_true(in.p->minimiser(in.self, c));
    for (int j = 0; j < 15; j++) {
        near(in.f.M_j[j], 2 * pow(q, j), 1e-13);
        near(fabs(c[j]), each, 1e-14);
    }
    near(in.f.mu, 2e-7, 1e-13);
    near(in.f.dist, 1.5, 1e-14);
    near(in.f.Phi, each * each * (1 - pow(q, 15)) / (1 - q), 1e-13);
    assert_true(in.f.f_star == 0);
    near(in.f.L, 2 * 3 * 1.5 + 1, 1e-15);
    assert_true(in.f.sigma == 1 && in.f.M == 2 && in.f.M_F == 2 && in.f.weak == 0);
    assert_true(in.f.diameter == 6 && isinf(in.f.n));
}

/* The signs of c are fair: the sum over 200 seeds of d = 20, which is of 4000 signs, has standard deviation
 * sqrt(4000). */
static void test_signs_are_fair(void **state)
{
    struct instance in = INSTANCE(*state, "spectral", { "d", 20 });
    double c[20], sum = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct facts f;
        void *self;
        assert_int_equal(instance_make(&in, seed, *state, &self, &f, NULL), OK);
        in.p->minimiser(self, c);
        for (int j = 0; j < 20; j++)
            sum += c[j] > 0 ? 1 : -1;
    }
    assert_true(fabs(sum) < 6 * sqrt(4000));
}

/* If c is outside of the ball, |x*| = r, and lam_j (c_j - x*_j) / x*_j is the same multiplier nu > 0 in every
 * coordinate, which is the Karush-Kuhn-Tucker condition. c is taken from the instance without a ball, which has the
 * same data seed. */
static void test_minimiser_outside(void **state)
{
    static const double rr[] = { 1.0001, 1.02, 1.2, 1.5, 5 };
    for (int k = 0; k < 5; k++) {
        double x[9], c[9];
        struct instance in = INSTANCE(*state, "spectral", { "d", 9 }, { "rr", rr[k] });
        struct instance free = INSTANCE(*state, "spectral", { "d", 9 }, { "rr", rr[k] },
                                        { "radius", INFINITY });
        in.p->minimiser(in.self, x);
        free.p->minimiser(free.self, c);
        near(vec_norm(9, x), 1, 1e-15);
        near(vec_norm(9, c), rr[k], 1e-14);
        double nu = in.f.M_j[8] * (c[8] - x[8]) / x[8];
        assert_true(nu > 0);
        for (int j = 0; j < 8; j++)                  /* c_j - x_j is nu c_j/(lam_j + nu), up to rounding */
            near(in.f.M_j[j] * (c[j] - x[j]) / x[j], nu, 1e-14 + 1e-15 * in.f.M_j[j] / nu);
        near(excess(&in, c), -in.f.f_star, 1e-12);   /* F(c) = 0, where c is outside of the ball */
        assert_true(in.f.dist == 1 && free.f.dist == rr[k] && isinf(free.f.L) && isinf(free.f.G));
    }
}

/* Projected gradient descent, at condition number 10, finds the same minimiser. */
static void test_minimiser_by_descent(void **state)
{
    struct instance in = INSTANCE(*state, "spectral_sphere", { "d", 6 }, { "rr", 1.3 },
                                  { "decades", 1 }, { "radius", 2 });
    double x[6] = { 0 }, star[6], g[6];
    for (int t = 0; t < 2000; t++) {
        in.p->grad(in.self, x, g);
        vec_axpy(6, -1, g, x);
        in.p->sets[0].project(in.self, x);
    }
    in.p->minimiser(in.self, star);
    assert_true(vec_dist(6, x, star) < 1e-14);
    near(in.p->value(in.self, x), in.f.f_star, 1e-13);
}

/* With decades = 0 the Hessian is the identity, and x* is c scaled to the length r. A tangential step of 2^-30 in
 * two coordinates costs exactly 2^-60, which a difference of the doubles F(x) and F* would lose. */
static void test_excess_keeps_its_digits(void **state)
{
    static const double rr[] = { 0.5, 1.5 };
    for (int k = 0; k < 2; k++) {
        double x[4];
        struct instance in = INSTANCE(*state, "spectral", { "d", 4 }, { "rr", rr[k] },
                                      { "decades", 0 });
        in.p->minimiser(in.self, x);
        near(in.f.f_star, k ? 0.125 : 0, 1e-14);
        x[0] += copysign(0x1p-30, x[0]);
        x[1] -= copysign(0x1p-30, x[1]);
        near(excess(&in, x), 0x1p-60, 1e-6);
    }
}

/* In one dimension the constants are attained at the far end of the interval. */
static void test_constants_are_attained(void **state)
{
    struct instance in = INSTANCE(*state, "spectral", { "d", 1 }, { "M", 3 }, { "s", 0.25 },
                                  { "radius", 2 }, { "rr", 1.5 });
    double x[1], a = 0, b = 0;
    in.p->minimiser(in.self, x);
    near(in.f.Phi, 1.5 * (9 - 1), 1e-14);            /* c = 3, x* = 2: (3/2)(9 - 1) */
    near(in.f.f_star, 1.5, 1e-14);
    x[0] = -x[0];
    in.p->sample_grad(in.self, -1, x, 1, &a);
    in.p->sample_grad(in.self, -2, x, 1, &b);
    near(fmax(fabs(a), fabs(b)), in.f.L, 1e-15);
    near(sqrt((a * a + b * b) / 2), in.f.G, 1e-15);
    near(fabs(a - b) / 2, in.f.sigma, 1e-14);
}

/* Checks that Pearson's sum is below its 1 - 1e-9 quantile; cells with expectation 0 must be empty. */
static void chi_square(int cells, const double *seen, const double *probability, double n)
{
    double sum = 0;
    int used = 0;
    for (int k = 0; k < cells; k++) {
        double expected = n * probability[k];
        if (expected == 0) {
            assert_true(seen[k] == 0);
            continue;
        }
        sum += (seen[k] - expected) * (seen[k] - expected) / expected;
        used++;
    }
    double limit = gsl_cdf_chisq_Qinv(1e-9, used - 1);
    if (!(sum < limit))
        fail_msg("chi-square %g with %d cells, limit %g", sum, used, limit);
}

/* The noise of a sample is one coordinate of size s, and all 2d signed coordinates are equally likely; samples -1
 * and -2 have s e_1 and -s e_1. At x = c the gradient of a sample is minus its noise. */
static void test_coordinate_noise(void **state)
{
    enum { D = 7, N = 200000 };
    struct instance in = INSTANCE(*state, "spectral", { "d", D }, { "s", 0.5 });
    double c[D], g[D], seen[2 * D] = { 0 }, even[2 * D];
    in.p->minimiser(in.self, c);
    for (long i = -2; i < N; i++) {
        int at = -1;
        instance_sample_grad(&in, i, c, g);
        for (int j = 0; j < D; j++)
            if (g[j] != 0) {
                assert_true(at == -1 && fabs(g[j]) == 0.5);
                at = 2 * j + (g[j] > 0);
            }
        assert_true(at >= 0);
        if (i < 0)
            assert_int_equal(at, i == -1 ? 0 : 1);
        else
            seen[at]++;
    }
    for (int k = 0; k < 2 * D; k++)
        even[k] = 1.0 / (2 * D);
    chi_square(2 * D, seen, even, N);
}

/* Neighbouring samples share a block of the generator, but not their noise: the signed coordinates of samples
 * i and i + lag are independent. */
static void test_samples_are_independent(void **state)
{
    enum { N = 100000, CELLS = 16 };
    struct instance in = INSTANCE(*state, "spectral", { "d", 2 });
    double c[2], g[2], even[CELLS];
    int *cell = arena_bytes(*state, (N + 8) * sizeof *cell);
    in.p->minimiser(in.self, c);
    for (long i = 0; i < N + 8; i++) {
        instance_sample_grad(&in, i, c, g);
        cell[i] = g[0] != 0 ? g[0] > 0 : 2 + (g[1] > 0);
    }
    for (int k = 0; k < CELLS; k++)
        even[k] = 1.0 / CELLS;
    for (int lag = 1; lag <= 8; lag++) {
        double seen[CELLS] = { 0 };
        for (long i = 0; i < N; i++)
            seen[4 * cell[i] + cell[i + lag]]++;
        chi_square(CELLS, seen, even, N);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Checks n values by Kolmogorov-Smirnov against the uniform law on [lo, hi]: P(sqrt(n) D > 3.3) is below 2 exp(-2
 * 3.3^2) = 7e-10. Sorts v. */
static void uniform_law(long n, double *v, double lo, double hi)
{
    double most = 0;
    qsort(v, (size_t)n, sizeof *v, by_value);
    for (long i = 0; i < n; i++) {
        double F = (v[i] - lo) / (hi - lo);
        double below = F - (double)i / (double)n, above = (double)(i + 1) / (double)n - F;
        most = fmax(most, fmax(below, above));
    }
    if (!(most * sqrt((double)n) < 3.3))
        fail_msg("Kolmogorov-Smirnov %g", most * sqrt((double)n));
}

/* A coordinate of a uniform point of the sphere in three dimensions is uniform (Archimedes). */
static void test_sphere_noise(void **state)
{
    enum { N = 40000 };
    struct instance in = INSTANCE(*state, "spectral_sphere", { "d", 3 }, { "s", 2 });
    double c[3], g[3], *v[3];
    in.p->minimiser(in.self, c);
    for (int j = 0; j < 3; j++)
        v[j] = arena_vec(*state, N);
    for (long i = 0; i < N; i++) {
        instance_sample_grad(&in, i, c, g);
        near(vec_norm(3, g), 2, 1e-14);
        for (int j = 0; j < 3; j++)
            v[j][i] = g[j];
    }
    for (int j = 0; j < 3; j++)
        uniform_law(N, v[j], -2, 2);
}

/* probability <- the law of the net counts m_1 and m_2 of b draws of 4 equally likely signed coordinates in two
 * dimensions, by enumeration of all 4^b sequences: cell (m_1 + b)(2b+1) + (m_2 + b). */
static void enumerate(int b, double *probability)
{
    long sequences = 1L << (2 * b);
    for (long k = 0; k < sequences; k++) {
        int m[2] = { 0, 0 };
        for (int t = 0; t < b; t++)
            m[k >> (2 * t) & 1] += k >> (2 * t + 1) & 1 ? 1 : -1;
        probability[(m[0] + b) * (2 * b + 1) + m[1] + b] += 1 / (double)sequences;
    }
}

/* Compares real batches of size b, and draws of the family's law of a batch, each with the law that `enumerate`
 * finds. */
static void batch_of(struct arena *a, int b)
{
    enum { N = 100000, CELLS = 11 * 11 };
    struct instance in = INSTANCE(a, "spectral", { "d", 2 }, { "s", 3 });
    double c[2], probability[CELLS] = { 0 };
    struct rng draws = rng_stream(4);
    in.p->minimiser(in.self, c);
    enumerate(b, probability);
    for (int real = 0; real < 2; real++) {
        double seen[CELLS] = { 0 };
        for (long i = 0; i < N; i++) {
            double g[2] = { 0, 0 };
            struct samples s = { .first = i * b, .count = b };
            struct rng draw = rng_at(&draws, (uint64_t)i);
            if (real)
                in.p->batch_grad(in.self, &s, NULL, c, b / 3.0, g);
            else
                instance_law(&in, &draw, b, c, b / 3.0, g);
            seen[(lrint(g[0]) + b) * (2 * b + 1) + lrint(g[1]) + b]++;
            assert_true(fabs(g[0] - rint(g[0])) + fabs(g[1] - rint(g[1])) < 1e-12);
        }
        chi_square((2 * b + 1) * (2 * b + 1), seen, probability, N);
    }
}

static void test_batch_law_by_enumeration(void **state)
{
    batch_of(*state, 2);
    batch_of(*state, 5);
}

/* Batches of large size b, which include one beyond the range of a single call of the binomial generator, have a
 * mean noise of 0 with covariance (s^2/(d b)) I. The noise is then nearly normal, and a variance from N draws has
 * the relative standard error sqrt(2/N). */
static void test_batch_law_of_many(void **state)
{
    enum { D = 3, N = 4000 };
    static const double sizes[] = { 1e4, 1e9, 5e9, 0x1p33 };
    struct instance in = INSTANCE(*state, "spectral", { "d", D }, { "s", 2 });
    double c[D];
    struct rng draws = rng_stream(5);
    in.p->minimiser(in.self, c);
    for (int k = 0; k < 4; k++) {
        double unit = 2 / sqrt(D * sizes[k]), sum[D] = { 0 }, square[D] = { 0 }, cross = 0;
        for (long i = 0; i < N; i++) {
            double g[D] = { 0 };
            struct rng draw = rng_at(&draws, (uint64_t)i);
            instance_law(&in, &draw, sizes[k], c, 1, g);
            for (int j = 0; j < D; j++) {
                sum[j] += g[j] / unit;
                square[j] += g[j] / unit * g[j] / unit;
            }
            cross += g[0] / unit * g[D - 1] / unit;
        }
        for (int j = 0; j < D; j++) {
            assert_true(fabs(sum[j]) < 6 * sqrt(N));
            assert_true(fabs(square[j] / N - 1) < 6 * sqrt(2.0 / N));
        }
        assert_true(fabs(cross) < 6 * sqrt(N));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spectrum_and_centre), cmocka_unit_test(test_signs_are_fair),
        cmocka_unit_test(test_minimiser_outside), cmocka_unit_test(test_minimiser_by_descent),
        cmocka_unit_test(test_excess_keeps_its_digits),
        cmocka_unit_test(test_constants_are_attained), cmocka_unit_test(test_coordinate_noise),
        cmocka_unit_test(test_samples_are_independent), cmocka_unit_test(test_sphere_noise),
        cmocka_unit_test(test_batch_law_by_enumeration), cmocka_unit_test(test_batch_law_of_many),
    };
    return cmocka_run_group_tests_name("spectral", tests, setup, teardown);
}

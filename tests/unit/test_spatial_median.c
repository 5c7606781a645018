/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spatial_median.c - the objective of `spatial_median`, L times the mean distance of x from the points of a
 * sphere of radius w about c. Near c and far from it, it is compared with a formula in elliptic integrals in two
 * dimensions, with one in powers of |x - c| in three, and with the mean of samples. */
#include "support/method.h"

static const double radii[] = { 1e-7, 1e-3, 0.2, 0.6999, 0.7, 0.7001, 1.3, 40 };
enum { RADII = sizeof radii / sizeof *radii };

/* x[d] <- a point at distance r from c, in a random direction. */
static void place(const struct instance *in, double r, double *x)
{
    double c[8];
    assert_true(in->p->minimiser(in->self, c));
    struct rng way = rng_stream(4);
    rng_sphere(&way, in->d, x);
    for (long j = 0; j < in->d; j++)
        x[j] = c[j] + r * x[j];
}

static struct instance cloud(double d)
{
    return INSTANCE(memory, "spatial_median", { "d", d }, { "L", 3 }, { "w", 0.7 },
                    { "radius", 100 });
}

static double excess_of(const struct instance *in, const double *x)
{
    double error;
    return in->p->measures[0].at(in->self, x, &error);
}

/* For d = 3 the mean distance of a point at r from c is w + r^2/(3w) for r <= w, and r + w^2/(3r) for larger r. */
static void test_in_space(void **state)
{
    const double w = 0.7, L = 3;
    struct instance in = cloud(3);
    for (int k = 0; k < RADII; k++) {
        double x[3], g[3], c[3], r = radii[k];
        place(&in, r, x);
        in.p->minimiser(in.self, c);
        r = vec_dist(3, x, c);
        double truth = L * (r <= w ? r * r / (3 * w) : r + w * w / (3 * r) - w);
        double slope = L * (r <= w ? 2 * r / (3 * w) : 1 - w * w / (3 * r * r));
        expect_near("excess", excess_of(&in, x), truth, 1e-12 * truth);
        expect_near("value", in.p->value(in.self, x), truth + L * w, 1e-12 * (truth + L * w));
        in.p->grad(in.self, x, g);
        vec_axpy(3, -slope / r, x, g);
        vec_axpy(3, slope / r, c, g);
        expect_near("gradient", vec_norm(3, g), 0, 1e-11 * slope);
    }
}

/* Returns the complete elliptic integral E(k) by the arithmetic-geometric mean; k2 = k^2, k1^2 = 1 - k^2. The E of
 * the GSL has an error of 1e-12 near k = 1. */
static double elliptic(double k2, double k1)
{
    double a = 1, b = k1, sum = k2 / 2;
    for (double p = 0.5; fabs(a - b) > 1e-17 * a && p < 1e4;) {
        double mean = (a + b) / 2, half = (a - b) / 2;
        b = sqrt(a * b);
        a = mean;
        p *= 2;
        sum += p * half * half;
    }
    return 1.5707963267948966 / a * (1 - sum);
}

/* For d = 2 the mean distance of a point at r from c is (2/pi)(r + w) E(k), k^2 = 4 r w/(r + w)^2. */
static void test_in_the_plane(void **state)
{
    const double w = 0.7, L = 3, pi = 3.141592653589793;
    struct instance in = cloud(2);
    for (int k = 0; k < RADII; k++) {
        double x[2], c[2];
        place(&in, radii[k], x);
        in.p->minimiser(in.self, c);
        double r = vec_dist(2, x, c), E = elliptic(4 * r * w / ((r + w) * (r + w)),
                                                   fmax(fabs(r - w) / (r + w), 1e-20));
        double truth = L * 2 / pi * (r + w) * E;
        expect_near("value", in.p->value(in.self, x), truth, 1e-12 * truth);
    }
}

/* Compares the means of sampled values and gradients with F and its gradient, for d = 7. Every gradient has norm L,
 * also those of the canaries. */
static void test_samples(void **state)
{
    struct instance in = cloud(7);
    struct sample_moments value = { 0 }, along = { 0 };
    double x[7], g[7], e[7];
    place(&in, 0.9, x);
    in.p->grad(in.self, x, e);
    for (long i = -2; i < 20000; i++) {
        instance_sample_grad(&in, i, x, g);
        expect_near("norm", vec_norm(7, g), 3, 1e-12);
        if (i >= 0) {
            moments_of(&value, in.p->sample_value(in.self, i, x));
            moments_of(&along, vec_dot(7, g, e));
        }
    }
    expect_mean("value", &value, in.p->value(in.self, x));
    expect_mean("gradient", &along, vec_dot(7, e, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_in_space),
                                        cmocka_unit_test(test_in_the_plane),
                                        cmocka_unit_test(test_samples) };
    return cmocka_run_group_tests_name("spatial median", tests, setup, teardown);
}

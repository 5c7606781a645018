/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sharp.c - the families norm, noisy_l1 and huber_pair, compared with closed forms and enumeration of the
 * signs. */
#include "support/instances.h"

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
    double error = NAN, value = in->p->measures[0].at(in->self, x, &error);
    assert_true(error == 0);
    return value;
}

static void near(double value, double truth, double relative)
{
    if (!(fabs(value - truth) <= relative * fabs(truth)))
        fail_msg("%.17g, expected %.17g", value, truth);
}

static void refused(struct arena *a, const char *family, const struct with *with,
                    const char *names)
{
    struct instance in;
    struct why why = { "" };
    assert_int_equal(instance_with(a, registry_problem(family), with, &in, &why), BAD_INPUT);
    if (!strstr(why.text, names))
        fail_msg("'%s' does not name %s", why.text, names);
}

/* --- norm */

static void test_norm(void **state)
{
    struct instance in = INSTANCE(*state, "norm", { "d", 4 }, { "L", 3 }, { "dist", 2 });
    double c[4], u[4] = { 0.5, -0.5, 0.5, -0.5 }, x[4], v[4], g[4];
    in.p->minimiser(in.self, c);
    near(vec_norm(4, c), 2, 1e-15);
    assert_true(in.f.L == 3 && in.f.sigma == 0 && in.f.f_star == 0 && isnan(in.f.M));
    near(in.f.Phi, 6, 1e-15);
    for (double t = 1e-3; t < 100; t *= 7) {
        vec_lincomb(4, 1, c, t, u, x);
        near(excess(&in, x), 3 * t, 1e-12);
        in.p->grad(in.self, x, g);
        for (int j = 0; j < 4; j++)
            near(g[j], 3 * u[j], 1e-12);
        /* The proximal step soft-thresholds the distance from c. */
        in.p->composite->prox(in.self, 0.5, x, v);
        vec_lincomb(4, 1, c, fmax(0, t - 1.5), u, x);
        assert_true(vec_dist(4, v, x) <= 1e-13 * (1 + t));
    }
    in.p->grad(in.self, c, g);
    assert_true(vec_norm(4, g) == 0 && excess(&in, c) == 0);
    refused(*state, "norm", (struct with[]){ { "radius", 0.5 }, { 0 } }, "norm.radius");
}

/* --- noisy_l1 */

/* Every gradient of noisy_l1 has norm L. Each sign is + with probability (1+p)/2, and two signs are independent:
 * counts of 40000 are within 6 standard deviations, for 40 coordinates and pairs of adjacent ones. A false alarm
 * has probability 2e-7. */
static void test_noisy_l1_signs(void **state)
{
    enum { COUNT = 40000, WIDTH = 40 };
    struct instance in = INSTANCE(*state, "noisy_l1", { "d", WIDTH }, { "p", 0.3 }, { "L", 2 });
    double x[WIDTH], c[WIDTH], g[WIDTH], plus[WIDTH] = { 0 }, both[WIDTH] = { 0 };
    in.p->minimiser(in.self, c);
    near(vec_norm(WIDTH, c), 1, 1e-14);
    for (int j = 0; j < WIDTH; j++)
        x[j] = c[j] + 1;
    for (long i = 0; i < COUNT; i++) {
        instance_sample_grad(&in, i, x, g);
        near(vec_norm(WIDTH, g), 2, 1e-14);
        for (int j = 0; j < WIDTH; j++) {
            plus[j] += g[j] > 0;
            both[j] += g[j] > 0 && g[(j + 1) % WIDTH] > 0;
        }
    }
    for (int j = 0; j < WIDTH; j++) {
        double p = 0.65, q = p * p;
        assert_true(fabs(plus[j] - COUNT * p) < 6 * sqrt(COUNT * p * (1 - p)));
        assert_true(fabs(both[j] - COUNT * q) < 6 * sqrt(COUNT * q * (1 - q)));
    }
    near(in.f.sigma, 2 * sqrt(1 - 0.09), 1e-14);
    near(in.f.Phi, 0.6, 1e-14);
}

static void test_noisy_l1_objective(void **state)
{
    struct instance in = INSTANCE(*state, "noisy_l1", { "d", 9 }, { "p", 0.3 }, { "dist", 2 });
    struct rng r = rng_stream(1);
    double x[9], c[9], v[9];
    in.p->minimiser(in.self, c);
    for (int i = 0; i < 50; i++) {
        double sum = 0, t = exp(2 * rng_normal(&r));
        rng_normals(&r, 9, 2, x);
        in.p->composite->prox(in.self, t, x, v);
        for (int j = 0; j < 9; j++) {
            double e = fabs(x[j] - c[j]), moved = fabs(v[j] - x[j]);
            sum += e / 10;                           /* p L/sqrt d = 1/10 */
            assert_true(fabs(moved - fmin(e, t / 10)) <= 1e-14);
        }
        near(excess(&in, x), sum, 1e-13);
    }
    refused(*state, "noisy_l1", (struct with[]){ { "radius", 0.5 }, { 0 } }, "noisy_l1.radius");
}

/* --- huber_pair */

static long double huber(long double k, long double u)
{
    return fabsl(u) <= k ? u * u / 2 : k * (fabsl(u) - k / 2);
}

/* F - F* is computed in long double from the definition: the mean over all signs, coordinate by coordinate. */
static void test_huber_pair(void **state)
{
    static const double k = 0.7, s[] = { 0, 0.4, 0.7 };
    for (int t = 0; t < 3; t++) {
        struct instance in = INSTANCE(*state, "huber_pair", { "d", 3 }, { "k", k }, { "s", s[t] },
                                      { "M", 2 }, { "decades", 2 }, { "radius", INFINITY });
        struct rng r = rng_stream(2);
        double x[3], c[3];
        in.p->minimiser(in.self, c);
        near(vec_norm(3, c), 0.5, 1e-15);
        for (int i = 0; i < 200; i++) {
            long double sum = 0;
            double scale = pow(10, 5 * rng_uniform(&r) - 4);
            for (int j = 0; j < 3; j++) {
                x[j] = c[j] + scale * rng_normal(&r);
                long double e = (long double)x[j] - c[j];
                sum += 2 * powl(10, -j) *
                       ((huber(k, e - s[t]) + huber(k, e + s[t])) / 2 - huber(k, s[t]));
            }
            near(excess(&in, x), (double)sum, 1e-10);
        }
        near(in.f.L, k * 2 * sqrt(1.0101), 1e-14);
        assert_true(in.f.M == 2 && in.f.mu == 0);
    }
    refused(*state, "huber_pair", (struct with[]){ { "s", 2 }, { 0 } }, "huber_pair.s");
}

/* The objective is the mean over all sign patterns of the sample, and each pattern occurs among the samples. */
static void test_huber_pair_samples(void **state)
{
    struct instance in = INSTANCE(*state, "huber_pair", { "d", 3 }, { "k", 0.5 }, { "s", 0.3 },
                                  { "decades", 1 });
    double x[3] = { 0.6, -0.5, 0.1 }, c[3], w[3] = { 1, sqrt(0.1), 0.1 }, mean = 0;
    int seen = 0;
    in.p->minimiser(in.self, c);
    for (int bits = 0; bits < 8; bits++) {
        double sum = 0;
        for (int j = 0; j < 3; j++)
            sum += w[j] * (double)huber(0.5, x[j] - c[j] - (bits >> j & 1 ? 0.3 : -0.3));
        mean += sum / 8;
        for (long i = -2; i < 300; i++)              /* a given pattern is missing with probability (7/8)^300 */
            if (fabs(in.p->sample_value(in.self, i, x) - sum) < 1e-13) {
                seen++;
                break;
            }
    }
    assert_int_equal(seen, 8);
    near(in.p->value(in.self, x), mean, 1e-14);
}

/* At k = 3 both samples s and -s of a coordinate stay on their parabolas, |e| + s <= k, and mu is the least
 * curvature 0.1. At k = 1.5 only one of the two is sure to stay, and mu is half of it; at k = 0.9 neither is, and
 * mu is 0. */
static void test_huber_pair_curvature(void **state)
{
    static const struct { double k, mu; } at[] = { { 3, 0.1 }, { 1.5, 0.05 }, { 0.9, 0 } };
    for (int t = 0; t < 3; t++) {                    /* e = x_j - c_j is at most 1.25 in size on the unit ball
                                                        in d = 4, where |c_j| = 1/4 */
        struct instance in = INSTANCE(*state, "huber_pair", { "d", 4 }, { "k", at[t].k },
                                      { "s", t < 2 ? 0.9 : 0.3 }, { "decades", 1 });
        assert_true(fabs(in.f.mu - at[t].mu) <= 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_norm), cmocka_unit_test(test_noisy_l1_signs),
        cmocka_unit_test(test_noisy_l1_objective), cmocka_unit_test(test_huber_pair),
        cmocka_unit_test(test_huber_pair_samples), cmocka_unit_test(test_huber_pair_curvature),
    };
    return cmocka_run_group_tests_name("sharp", tests, setup, teardown);
}

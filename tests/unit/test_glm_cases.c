/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_glm_cases.c - linear models with random design, over their losses: samples, compared with the population;
 * optimality, derivatives, digits near the minimiser, constants, refusals. */
#include "support/glm_cases.h"

/* Checks that the mean of f(x; s) - f(x*; s) over n samples is within 6 standard errors of the excess at x: a false
 * alarm has probability 2e-9. */
static void by_samples(struct instance in, double size, int n)
{
    double x[D_MAX], star[D_MAX], mean = 0, m2 = 0;
    in.p->minimiser(in.self, star);
    beside(&in, 10, size, x);
    in.p->sets[0].project(in.self, x);
    for (int i = 0; i < n; i++) {
        double v = in.p->sample_value(in.self, i, x) - in.p->sample_value(in.self, i, star);
        double before = v - mean;
        mean += before / (i + 1);
        m2 += before * (v - mean);
    }
    double e = excess(&in, x), slack = 6 * sqrt(m2 / n / n);
    EXPECT(&in, fabs(mean - e) <= slack && slack < e, "%g +- %g, excess %g", mean, slack / 6, e);
}

static void test_samples_have_that_excess(void **state)
{
    by_samples(INSTANCE(*state, "glm_sphere", { "d", 4 }, { "loss", 0, "hinge" }, { "radius", 20 },
                         { "flip", 0.2 }), 4, 100000);
    by_samples(INSTANCE(*state, "glm_sphere", { "d", 3 }, { "loss", 0, "hinge" }, { "radius", 2 },
                         { "flip", 0.02 }), 2, 100000);
    by_samples(INSTANCE(*state, "glm_sphere", { "d", 4 }, { "loss", 0, "huber" }, { "h", 0.2 },
                         { "noise", 0, "laplace" }), 1, 100000);
    by_samples(INSTANCE(*state, "glm_sphere", { "d", 5 }, { "rr", 1.5 }), 1, 100000);
    by_samples(INSTANCE(*state, "glm", { "d", 4 }, { "loss", 0, "huber" }, { "decades", 1 },
                         { "noise", 0, "uniform" }, { "h", 0.3 }), 0.7, 100000);
    by_samples(INSTANCE(*state, "glm", { "d", 4 }, { "decades", 1 }, { "a0", 3 }), 1, 100000);
}

/* --- tests over all cases */

static const struct { const char *family; struct with with[WITH_MAX + 1]; } cases[] = {
    { "glm", { { "d", 5 }, { "decades", 3 }, { "a0", 2 } } },
    { "glm", { { "d", 4 }, { "rr", 2 } } },
    { "glm", { { "d", 3 }, { "loss", 0, "absolute" }, { "noise", 0, "uniform" } } },
    { "glm", { { "d", 3 }, { "loss", 0, "absolute" }, { "rr", 1.2 } } },
    { "glm", { { "d", 3 }, { "loss", 0, "huber" }, { "noise", 0, "laplace" }, { "h", 0.3 } } },
    { "glm", { { "d", 3 }, { "loss", 0, "hinge" }, { "radius", 9 }, { "decades", 1 } } },
    { "glm", { { "d", 3 }, { "loss", 0, "hinge" }, { "radius", 0.7 } } },
    { "glm_sphere", { { "d", 5 }, { "rr", 1.5 } } },
    { "glm_sphere", { { "d", 4 }, { "s", 0.1 }, { "a0", 3 } } },
    { "glm_sphere", { { "d", 5 }, { "loss", 0, "huber" }, { "h", 0.1 }, { "s", 0.2 } } },
    { "glm_sphere", { { "d", 6 }, { "loss", 0, "logistic" }, { "a0", 9 } } },
    { "glm_sphere", { { "d", 6 }, { "loss", 0, "hinge" }, { "radius", 20 }, { "flip", 0.05 } } },
    { "glm_sphere", { { "d", 5 }, { "loss", 0, "squares" }, { "rr", 2 } } },
};
enum { CASES = sizeof cases / sizeof *cases };

static struct instance case_of(void **state, int k)
{
    return instance_of(*state, cases[k].family, cases[k].with);
}

/* At the minimiser grad F(x*) = -nu x*, where nu > 0 if x* is on the boundary of the ball, and nu = 0 else. */
static void test_minimiser(void **state)
{
    for (int k = 0; k < CASES; k++) {
        struct instance in = case_of(state, k);
        double star[D_MAX], g[D_MAX];
        in.p->minimiser(in.self, star);
        in.p->grad(in.self, star, g);
        double norm = vec_norm(in.d, star), nu = -vec_dot(in.d, g, star) / (norm * norm);
        bool inside = norm < in.f.radius * (1 - 1e-12);
        EXPECT(&in, inside ? fabs(nu) < 1e-12 : nu > 0, "nu = %g, |x*| = %g", nu, norm);
        vec_axpy(in.d, nu, star, g);
        EXPECT(&in, vec_norm(in.d, g) <= 1e-12, "|grad + nu x*| = %g", vec_norm(in.d, g));
        EXPECT(&in, excess(&in, star) == 0, "excess %g", excess(&in, star));
    }
}

/* The labels follow the model: the mean of the sample gradients at x*, taken along x*, is within 6 standard errors
 * of the population's, in 13 cases. */
static void test_samples_at_the_minimiser(void **state)
{
    enum { COUNT = 40000 };
    for (int k = 0; k < CASES; k++) {
        struct instance in = case_of(state, k);
        double star[D_MAX], g[D_MAX], mean = 0, m2 = 0;
        in.p->minimiser(in.self, star);
        vec_zero(in.d, g);
        for (int i = 0; i < COUNT; i++) {
            instance_sample_grad(&in, i, star, g);
            double v = vec_dot(in.d, g, star), before = v - mean;
            mean += before / (i + 1);
            m2 += before * (v - mean);
        }
        in.p->grad(in.self, star, g);
        double truth = vec_dot(in.d, g, star), slack = 6 * sqrt(m2) / COUNT;
        EXPECT(&in, fabs(mean - truth) <= slack, "%g, expected %g +- %g", mean, truth, slack / 6);
    }
}

static void test_differences(void **state)
{
    for (int k = 0; k < CASES; k++) {
        struct instance in = case_of(state, k);
        struct rng r = rng_stream(11);
        double x[D_MAX], g[D_MAX], h = 1e-4;
        for (int i = 0; i < 2; i++) {
            instance_point(&in, &r, x);
            in.p->grad(in.self, x, g);
            for (long j = 0; j < in.d; j++) {
                double v[4], at = x[j];
                for (int m = 0; m < 4; m++) {        /* fourth-order differences, with an error of order h^4 */
                    x[j] = at + (m < 2 ? m - 2 : m - 1) * h;
                    v[m] = excess(&in, x);
                }
                x[j] = at;
                double slope = (v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * h);
                EXPECT(&in, fabs(slope - g[j]) <= 1e-9 * (1 + fabs(g[j])), "g_%ld = %.12g, %.12g",
                       j, g[j], slope);
            }
        }
    }
}

/* Near a minimiser inside the ball, 2 (F - F*) = <grad F(x), x - x*> up to third order: even an excess of 1e-14
 * must have five digits. */
static void test_small_excess(void **state)
{
    for (int k = 0; k < CASES; k++) {
        struct instance in = case_of(state, k);
        double x[D_MAX], star[D_MAX], g[D_MAX], e[D_MAX];
        in.p->minimiser(in.self, star);
        if (vec_norm(in.d, star) >= in.f.radius * (1 - 1e-12))
            continue;
        for (double size = 1e-4; size > 1e-8; size /= 10) {
            beside(&in, 12, size, x);
            in.p->grad(in.self, x, g);
            vec_sub(in.d, x, star, e);
            double twice = vec_dot(in.d, g, e), ratio = 2 * excess(&in, x) / twice;
            EXPECT(&in, fabs(ratio - 1) <= 20 * size + 1e-13 / size,
                   "size %g: ratio %.12g, %g", size, ratio, twice);
            EXPECT(&in, twice > 0 && twice <= 1.01 * in.f.M_F * size * size, "size %g: %g", size,
                   twice);
            EXPECT(&in, twice >= 0.99 * in.f.mu * size * size, "mu = %g: %g", in.f.mu, twice);
        }
    }
}

/* For feature vectors on the unit sphere no sample gradient exceeds L, the longest exceeds L/2, and the two
 * canaries attain L. Other cases state neither L nor M. */
static void test_sphere_constants(void **state)
{
    for (int k = 0; k < CASES; k++) {
        struct instance in = case_of(state, k);
        struct rng r = rng_stream(13);
        double x[D_MAX], g[D_MAX], h[D_MAX], most = 0;
        if (in.p->canaries == 0) {
            assert_true(isnan(in.f.L) && isnan(in.f.M));
            continue;
        }
        instance_point(&in, &r, x);
        instance_sample_grad(&in, -1, x, g);
        instance_sample_grad(&in, -2, x, h);
        near(vec_dist(in.d, g, h), 2 * in.f.L, 1e-15);
        near(in.p->sample_value(in.self, -2, x), in.f.L * x[0], 1e-15);
        for (long i = 0; i < 20000; i++) {
            if (i % 100 == 0)
                instance_point(&in, &r, x);
            instance_sample_grad(&in, i, x, g);
            most = fmax(most, vec_norm(in.d, g));
        }
        EXPECT(&in, most <= in.f.L * (1 + 1e-12), "|g| = %g, L = %g", most, in.f.L);
        EXPECT(&in, most > in.f.L / 2, "|g| = %g, L = %g", most, in.f.L);
    }
}

/* Without flips the hinge has no minimiser over R^d; in a ball x* is on the sphere, a multiple of w. */
static void test_hinge_without_flips(void **state)
{
    static const char *const families[] = { "glm", "glm_sphere" };
    for (int k = 0; k < 2; k++) {
        struct instance in = INSTANCE(*state, families[k], { "d", 4 }, { "loss", 0, "hinge" }, { "flip", 0 },
                                      { "radius", 2 });
        double star[D_MAX], x[D_MAX];
        in.p->minimiser(in.self, star);
        near(vec_norm(in.d, star), 2, 1e-14);
        assert_true(in.f.f_star > 0 && in.f.f_star < 1 && in.f.Phi > 0 && isfinite(in.f.Phi));
        for (int i = 0; i < 20; i++) {
            beside(&in, 14 + (uint64_t)i, 1, x);
            in.p->sets[0].project(in.self, x);
            EXPECT(&in, excess(&in, x) > 0, "excess %g", excess(&in, x));
        }
    }
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

static void test_refusals(void **state)
{
    refused(*state, "glm", (struct with[]){ { "loss", 0, "hinge" }, { "flip", 0 },
                                            { "radius", INFINITY }, { 0 } }, "glm.flip");
    refused(*state, "glm", (struct with[]){ { "rr", 2 }, { "decades", 1 }, { 0 } }, "glm.decades");
    refused(*state, "glm", (struct with[]){ { "loss", 0, "hinge" }, { "flip", 0 }, { "decades", 1 }, { 0 } },
            "glm.decades");
    refused(*state, "glm_sphere", (struct with[]){ { "loss", 0, "squares" },
                                                   { "noise", 0, "gaussian" }, { 0 } }, "noise");
    refused(*state, "glm_sphere", (struct with[]){ { "loss", 0, "squares" },
                                                   { "radius", INFINITY }, { 0 } }, "radius");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_have_that_excess), cmocka_unit_test(test_minimiser),
        cmocka_unit_test(test_samples_at_the_minimiser), cmocka_unit_test(test_differences),
        cmocka_unit_test(test_small_excess), cmocka_unit_test(test_sphere_constants),
        cmocka_unit_test(test_hinge_without_flips), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("glm_cases", tests, setup, teardown);
}

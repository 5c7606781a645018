/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_smoothed.c - closed forms of F_rho(x) = E F(x + rho z) over the registry, compared with means of F, with
 * differences, and with bounds. z-tests at 6 standard errors (contract.h).
 *
 * Serves: resque */
#include "contract/contract.h"

enum { TRIES = 30, DRAWS = 2000 };

static double some_rho(struct rng *r) { return exp(rng_normal(r) - 1); }

/* The value of F_rho is the mean of F(x + rho z) over draws of z. */
static bool check_value(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *z = arena_vec(a, in->d), rho = some_rho(r);
    struct sample_moments m = { 0 };
    if (!in->p->measuring || !in->p->measuring->smoothed)
        return false;
    instance_point(in, r, x);
    for (int k = 0; k < DRAWS; k++) {
        rng_normals(r, in->d, rho, z);
        vec_axpy(in->d, 1, x, z);
        moments_of(&m, in->p->value(in->self, z));
    }
    double y = in->p->measuring->smoothed(in->self, rho, x, NULL),
           slack = Z * sqrt(moments_variance(&m) / DRAWS);
    EXPECT(in, fabs(m.mean - y) <= slack + 1e-12 * fabs(y), "rho %g: %g, mean %g +- %g", rho, y,
           m.mean, slack);
    return true;
}

/* The gradient of F_rho is compared with central differences. F_rho is M-smooth with M = L/rho if F is L-Lipschitz,
 * and with the M of F for quadratics; M times the step h bounds the error of the differences. */
static bool check_gradient(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *g = arena_vec(a, in->d), up, down, h = 1e-5;
    if (!in->p->measuring || !in->p->measuring->smoothed)
        return false;
    for (int k = 0; k < TRIES; k++) {
        double rho = some_rho(r);
        long j = (long)rng_below(r, (uint64_t)in->d);
        instance_point(in, r, x);
        double y = in->p->measuring->smoothed(in->self, rho, x, g), at = x[j];
        double M = isnan(in->f.M_F) ? in->f.L / rho : in->f.M_F;
        x[j] = at + h;
        up = in->p->measuring->smoothed(in->self, rho, x, NULL);
        x[j] = at - h;
        down = in->p->measuring->smoothed(in->self, rho, x, NULL);
        EXPECT(in, fabs((up - down) / (2 * h) - g[j]) <= M * h + 1e-9 * (1 + fabs(y)),
               "rho %g: %g, "
               "differences %g",
               rho, g[j], (up - down) / (2 * h));
    }
    return true;
}

/* For convex F, F <= F_rho; if F is L-Lipschitz, F_rho <= F + L rho sqrt d. */
static bool check_bias(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d);
    if (!in->p->measuring || !in->p->measuring->smoothed)
        return false;
    for (int k = 0; k < TRIES; k++) {
        double rho = some_rho(r);
        instance_point(in, r, x);
        double gap = in->p->measuring->smoothed(in->self, rho, x, NULL) - in->p->value(in->self, x);
        double noise = 1e-12 * (1 + fabs(in->p->value(in->self, x)));
        EXPECT(in, in->f.weak != 0 || gap >= -noise, "F_rho is below F by %g", -gap);
        EXPECT(in, !isinf(in->f.radius) || !(in->f.L * rho * sqrt((double)in->d) < gap - noise),
               "above F by %g", gap);
    }
    return true;
}

/* |grad F_rho(x) - grad F_rho(y)| <= (L/rho)|x - y| with the L of the objective. The L of the samples, which the
 * test uses, is at least as large. */
static bool check_smoothness(const struct instance *in, struct arena *a, struct rng *r)
{
    double *x = arena_vec(a, in->d), *y = arena_vec(a, in->d);
    double *g = arena_vec(a, in->d), *h = arena_vec(a, in->d);
    if (!in->p->measuring || !in->p->measuring->smoothed || !isinf(in->f.radius) || !(in->f.L < INFINITY))
        return false;
    for (int k = 0; k < TRIES; k++) {
        double rho = some_rho(r), step = exp(-6 * rng_uniform(r)) * rho;
        instance_point(in, r, x);
        rng_sphere(r, in->d, y);
        vec_axpby(in->d, 1, x, step, y);
        in->p->measuring->smoothed(in->self, rho, x, g);
        in->p->measuring->smoothed(in->self, rho, y, h);
        EXPECT(in, vec_dist(in->d, g, h) <= in->f.L / rho * step * (1 + 1e-9), "rho %g", rho);
    }
    return true;
}

/* Compares F_rho with known numbers: E|u + z| and its derivative at u = 0, 1/2, 1, 2, and E|z|_1 = d sqrt(2/pi).
 * For the 1-norm, F_rho - F at the centre is sqrt(2/pi) times its bound. */
static void s2_4_anchors(void **state)
{
    static const double u[] = { 0, 0.5, 1, 2 };
    static const double value[] = { 0.7978846, 0.8955931, 1.1666309, 2.0169814 };
    static const double slope[] = { 0, 0.3829249, 0.6826895, 0.9544997 };
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "noisy_l1", { "d", 1 }, { "p", 1 });
    double c, x, g;
    in.p->minimiser(in.self, &c);
    for (int k = 0; k < 4; k++)
        for (double rho = 1; rho < 100; rho *= 7) {
            x = c + rho * u[k];
            expect_near("value", in.p->measuring->smoothed(in.self, rho, &x, &g), rho * value[k], rho * 6e-8);
            expect_near("slope", g, slope[k], 6e-8);
            expect_near("without g", in.p->measuring->smoothed(in.self, rho, &x, NULL), rho * value[k],
                        rho * 6e-8);
        }
    struct instance wide = INSTANCE(a, "noisy_l1", { "d", 100 }, { "p", 1 }, { "L", 3 });
    double *at = arena_vec(a, 100);
    wide.p->minimiser(wide.self, at);
    expect_near("bias", wide.p->measuring->smoothed(wide.self, 0.2, at, NULL), 3 * 0.2 * 10 * sqrt(2 / M_PI),
                1e-12);
    arena_free(a);
}

/* Known values for the smoothed norm are E|z| in d dimensions, and E|u + z| on the line. In three dimensions, for
 * |v| = u, E|v + z| is (u + 1/u) erf(u/2^(1/2)) + (2/pi)^(1/2) exp(-u^2/2), with derivative (1 - 1/u^2)
 * erf(u/2^(1/2)) + (2/pi)^(1/2) exp(-u^2/2)/u. */
static void s2_4_a_norm(void **state)
{
    static const double d[] = { 1, 2, 10, 100 };
    static const double mean[] = { 0.7978846, 1.2533141, 3.0843278, 9.9750316 };
    struct arena *a = arena_new(0);
    double x[100], g[100], c[3];
    for (int k = 0; k < 4; k++) {
        struct instance in = INSTANCE(a, "norm", { "d", d[k] }, { "L", 3 });
        in.p->minimiser(in.self, x);
        expect_near("at c", in.p->measuring->smoothed(in.self, 0.1, x, g), 0.3 * mean[k], 0.3 * 6e-8);
        expect_near("its slope", vec_norm((long)d[k], g), 0, 1e-12);
    }
    struct instance line = INSTANCE(a, "norm", { "d", 1 }), in = INSTANCE(a, "norm", { "d", 3 });
    line.p->minimiser(line.self, x);
    x[0] += 1;
    expect_near("line", line.p->measuring->smoothed(line.self, 1, x, g), 1.1666309, 6e-8);
    expect_near("slope", g[0], 0.6826895, 6e-8);
    in.p->minimiser(in.self, c);
    for (double u = 1e-3; u < 1e7; u *= 7) {     /* u is on either side of the point from where the series is
                                                    replaced by its limit */
        double bell = sqrt(2 / M_PI) * exp(-u * u / 2), inner = erf(u / M_SQRT2);
        double slope = u < 0.01 ? 2 * u / 3 * (1 - u * u / 10) * sqrt(2 / M_PI)
                                : (1 - 1 / u / u) * inner + bell / u;
        vec_copy(3, c, x);
        x[1] += u * 0.01;
        u = (x[1] - c[1]) / 0.01;
        expect_near("space", in.p->measuring->smoothed(in.self, 0.01, x, g), 0.01 * ((u + 1 / u) * inner + bell),
                    0.01 * (1 + u) * 1e-9);
        expect_near("slope", g[1], slope, 1e-6 * fmin(1, u));
    }
    arena_free(a);
}

static void st8_values(void **state) { instances_check(state, true, check_value); }
static void s2_4_gradients(void **state) { instances_check(state, true, check_gradient); }
static void c5_smoothing_bias(void **state) { instances_check(state, true, check_bias); }
static void c6_smoothness(void **state) { instances_check(state, true, check_smoothness); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(st8_values), cmocka_unit_test(s2_4_gradients),
        cmocka_unit_test(c5_smoothing_bias), cmocka_unit_test(c6_smoothness),
        cmocka_unit_test(s2_4_anchors), cmocka_unit_test(s2_4_a_norm),
    };
    return cmocka_run_group_tests_name("smoothed functions", tests, instances_setup,
                                       instances_teardown);
}

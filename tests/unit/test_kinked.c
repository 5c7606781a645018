/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_kinked.c - piecewise linear losses of records: values are compared with their definitions, smoothings with
 * integrals and Monte Carlo; and the lower bound of Goldstein's norm.
 *
 * Serves: private-zeroth-order
 *
 * s5_1_gradient_by_monte_carlo makes 12 z-tests at 6 standard errors (2e-9), so that a false alarm has probability
 * 2.4e-8. */
#include "problems/parts/certificates.h"
#include "problems/parts/kinks.h"
#include "support/hard.h"
#include "support/same_sets.h"

static const char *const losses[] = { "capped", "absolute", "phase", "ramp" };
static const char *const penalties[] = { "none", "capped", "scad" };

static double defined(int loss, double z, double y, double c)
{
    switch (loss) {
    case 0:  return fmin(fabs(z - y), c);
    case 1:  return fabs(z - y);
    case 2:  return fabs(fabs(z) - fabs(y));
    default: return fmin(1, fmax(0, 1 - y * z));
    }
}

/* Returns the slope of SCAD (Fan & Li 2001) at z: for z > 0 it is lam up to lam, then (a lam - z)^+/(a - 1). */
static double scad_slope(double lam, double a, double z)
{
    double q = fabs(z), slope = q <= lam ? lam : fmax(0, a * lam - q) / (a - 1);
    return copysign(slope, z);
}

static void s5_1_definitions(void **state)
{
    struct rng r = rng_stream(501);
    for (int k = 0; k < 4000; k++) {
        double z = 3 * rng_normal(&r), c = 0.7, y = k % 4 == 3 ? rng_sign(&r) : rng_normal(&r);
        struct kinks f = kinks_loss(losses[k % 4], y, c);
        within("value", kinks_value(&f, z), defined(k % 4, z, y, c), 1e-14);
        double h = 1e-6, rise = defined(k % 4, z + h, y, c) - defined(k % 4, z - h, y, c);
        bool kinked = false;
        for (int m = 0; m < f.n; m++)
            kinked |= fabs(z - f.at[m]) < 2 * h;
        assert_true(kinked || fabs(kinks_slope(&f, z) - rise / (2 * h)) < 1e-8);
    }
    struct kinks scad = kinks_penalty("scad", 0.4, 3.7), cap = kinks_penalty("capped", 0.4, 1.5);
    double sum = 0, step = 1e-4;
    for (double z = 0; z < 3; z += step) {           /* the value of SCAD is the integral of its slope */
        within("scad", kinks_slope(&scad, z + step / 2), scad_slope(0.4, 3.7, z + step / 2), 1e-13);
        within("scad", kinks_slope(&scad, -z - step / 2), scad_slope(0.4, 3.7, -z - step / 2), 1e-13);
        sum += step * scad_slope(0.4, 3.7, z + step / 2);
        within("scad", kinks_penalty_value(&scad, z + step), sum, 1e-7);
        within("capped", kinks_penalty_value(&cap, -z), 0.4 * fmin(z, 1.5), 1e-14);
    }
    assert_true(kinks_slope(&scad, 1e200) == 0 && kinks_slope(&scad, -1e200) == 0);
}

/* The slope of a loss or a penalty, smoothed over a ball, is compared with a fine sum over the density of one
 * coordinate of the ball. */
static void s5_1_smoothed_kinks(void **state)
{
    static const double dims[] = { 1, 2, 3, 9, 40 };
    struct rng r = rng_stream(502);
    for (int k = 0; k < 140; k++) {
        enum { STEPS = 40000 };
        double d = dims[k % 5], z = 2 * rng_normal(&r), s = exp(rng_normal(&r)), sum = 0, all = 0;
        struct kinks f = k % 7 < 4 ? kinks_loss(losses[k % 7], k % 7 == 3 ? 1 : 0.6, 0.8)
                                   : kinks_penalty(penalties[k % 7 - 4], 0.5, 2.5);
        for (int i = 0; i < STEPS; i++) {
            double v = 2 * (i + 0.5) / STEPS - 1, w = pow(1 - v * v, (d - 1) / 2);
            sum += w * kinks_slope(&f, z + s * v);
            all += w;
        }
        double density = smoothed_norm_of(d, 1).k / 2;
        within("slope", kinks_smoothed(&f, d, density, z, s), sum / all, 2e-4);
    }
}

static void s5_2_range(void **state)
{
    enum { GRID = 3000 };
    struct rng r = rng_stream(503);
    for (int k = 0; k < 350; k++) {
        double mid = 2 * rng_normal(&r), half = exp(rng_normal(&r)), low, high;
        double least = INFINITY, most = -INFINITY;
        struct kinks f = k % 7 < 4 ? kinks_loss(losses[k % 7], k % 7 == 3 ? -1 : 0.6, 0.8)
                                   : kinks_penalty(penalties[k % 7 - 4], 0.5, 2.5);
        for (int i = 1; i < GRID; i++) {
            double slope = kinks_slope(&f, mid + half * (2.0 * i / GRID - 1));
            least = fmin(least, slope);
            most = fmax(most, slope);
        }
        kinks_range(&f, mid - half, mid + half, &low, &high);
        assert_true(low <= least + 1e-15 && high >= most - 1e-15);
        assert_true(low >= least - 4 * half / GRID && high <= most + 4 * half / GRID);
    }
}

static struct instance kinked(struct arena *a, int loss, int penalty)
{
    return INSTANCE(a, "kinked", { "loss", 0, losses[loss] }, { "penalty", 0, penalties[penalty] },
                    { "scaling", 0, "unit" }, { "lam", 0.1 }, { "start", 0.5 },
                    { "goldstein", 0.5 });
}

/* E grad F(x + delta v), for v uniform in the unit ball and F the mean over the records of a file, is compared
 * with the mean over draws of v. */
static void s5_1_gradient_by_monte_carlo(void **state)
{
    enum { N = 4000, MOST = 64 };
    struct rng r = rng_stream(504);
    for (int k = 0; k < 12; k++) {
        struct instance in = kinked(*state, k % 4, k / 4);
        const struct certificates *c = in.self;
        double x[MOST], y[MOST], u[MOST], g[MOST], G[MOST], sum = 0, square = 0;
        assert_true(in.d <= MOST);
        rng_normals(&r, in.d, 0.5, x);
        rng_sphere(&r, in.d, u);
        c->smoothed(in.self, 0.5, x, G);
        for (int i = 0; i < N; i++) {
            rng_ball(&r, in.d, y);
            vec_lincomb(in.d, 1, x, 0.5, y, y);
            in.p->grad(in.self, y, g);
            double along = vec_dot(in.d, g, u);
            sum += along / N;
            square += along * along / N;
        }
        within(in.name, vec_dot(in.d, G, u), sum,
               6 * sqrt(fmax(0, square - sum * sum) / (N - 1)) + 1e-12);
    }
}

/* The public L is that of records of norm 1, plus lam sqrt(d) with a penalty; no gradient is longer. The certified
 * lower bound on Goldstein's norm is at most the length of the means of one to three gradients in the ball.
 * Measures of a set of points are the same if they are computed together or one by one. The measure `sampled` is at
 * least the lower bound at the centre of the set, and at most L. */
static void s5_2_certified(void **state)
{
    enum { MOST = 64, T = 30 };
    struct rng r = rng_stream(505);
    for (int k = 0; k < 24; k++) {
        struct instance in = kinked(*state, k % 4, k / 4 % 3);
        const struct certificates *c = in.self;
        double x[MOST], y[MOST], g[MOST], w[T * MOST], error;
        assert_true(in.f.origin[FACT_L] == ORIGIN_PUBLIC && in.f.origin[FACT_Phi] == ORIGIN_DATA);
        near(in.f.L, 1 + (k / 4 % 3 ? 0.1 * sqrt((double)in.d) : 0), 1e-11);
        rng_normals(&r, in.d, 0.5, x);
        double above = goldstein_norm(&c->q, x, &error), below = above - error;
        for (int t = 0; t < 100; t++) {
            double mean[MOST] = { 0 };
            for (int j = 0; j < 1 + t % 3; j++) {
                rng_ball(&r, in.d, y);
                vec_lincomb(in.d, 1, x, 0.5, y, y);
                in.p->grad(in.self, y, g);
                assert_true(vec_norm(in.d, g) <= in.f.L * (1 + 1e-9));
                vec_axpy(in.d, 1.0 / (1 + t % 3), g, mean);
            }
            assert_true(vec_norm(in.d, mean) >= below * (1 - 1e-12));
        }
        for (int t = 0; t < T; t++) {
            rng_ball(&r, in.d, y);
            vec_lincomb(in.d, 1, x, 0.1, y, w + t * in.d);
        }
        expect_same_sets(in.p, in.self, T, w);
        for (const struct measure *m = in.p->measures; m->name; m++)
            if (strcmp(m->name, "sampled") == 0) {
                double norm = m->of_set(in.self, T, w, &error), wbar[MOST];
                certificates_centre(in.d, T, w, wbar);
                double centre = goldstein_norm(&c->q, wbar, &error);
                assert_true(norm >= centre - error - 1e-12 && norm <= in.f.L * (1 + 1e-9));
            }
    }
}

/* With target = none the labels are used as they are: replacing a record changes the loss of this record only, and
 * n, d and L are public. With another target all losses would change, and n, d and L count as data. */
static void s6_6_one_record_one_loss(void **state)
{
    static const char *const targets[] = { "none", "centre", "zscore" };
    for (int k = 0; k < 12; k++) {
        struct instance in = INSTANCE(*state, "kinked", { "loss", 0, losses[k % 4] },
                                      { "target", 0, targets[k / 4] }, { "scaling", 0, "unit" });
        bool own = k / 4 == 0 || k % 4 == 3;         /* the loss ramp has classes, and `target` changes nothing */
        static const int facts[] = { FACT_n, FACT_d, FACT_L };
        for (int i = 0; i < 3; i++)
            assert_int_equal(in.f.origin[facts[i]], own ? ORIGIN_PUBLIC : ORIGIN_DATA);
    }
    struct instance plain = INSTANCE(*state, "kinked", { "scaling", 0, "unit" });
    struct instance none = INSTANCE(*state, "kinked", { "scaling", 0, "unit" },
                                    { "target", 0, "none" });
    struct instance columns = INSTANCE(*state, "kinked", { "scaling", 0, "zscore" });
    double x[64] = { 0.3, -0.2 };
    assert_true(plain.d <= 64 && plain.p->value(plain.self, x) == none.p->value(none.self, x));
    assert_int_equal(columns.f.origin[FACT_n], ORIGIN_DATA);
}

/* heart_scale has the labels -1 and +1. A threshold between them gives the classes of the file; with a threshold
 * below both every record is of class +1, with one at the larger label every record is of class -1; f(x) of one
 * class is f(-x) of the other. Each label is compared with a number that is no part of the data, so that the
 * constants are public. */
static void s5_1_classes_by_threshold(void **state)
{
    struct instance of[4], plain = INSTANCE(*state, "kinked", { "loss", 0, "ramp" }, { "scaling", 0, "unit" });
    static const double threshold[4] = { 0, -2, 1, 0.9 };
    struct rng r = rng_stream(506);
    for (int k = 0; k < 4; k++)
        of[k] = INSTANCE(*state, "kinked", { "loss", 0, "ramp" }, { "scaling", 0, "unit" },
                         { "threshold", threshold[k] });
    for (int t = 0; t < 20; t++) {
        double x[64], back[64];
        assert_true(plain.d <= 64);
        rng_normals(&r, plain.d, 0.7, x);
        vec_lincomb(plain.d, -1, x, 0, x, back);
        assert_true(of[0].p->value(of[0].self, x) == plain.p->value(plain.self, x));
        assert_true(of[3].p->value(of[3].self, x) == plain.p->value(plain.self, x));
        within("one class", of[1].p->value(of[1].self, x), of[2].p->value(of[2].self, back), 1e-13);
        assert_true(of[1].p->value(of[1].self, x) != plain.p->value(plain.self, x));
    }
    assert_int_equal(of[0].f.origin[FACT_n], ORIGIN_PUBLIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_1_classes_by_threshold), cmocka_unit_test(s5_1_definitions),
        cmocka_unit_test(s5_1_smoothed_kinks),
        cmocka_unit_test(s5_2_range), cmocka_unit_test(s5_1_gradient_by_monte_carlo),
        cmocka_unit_test(s5_2_certified), cmocka_unit_test(s6_6_one_record_one_loss),
    };
    return cmocka_run_group_tests_name("kinked", tests, hard_setup, hard_teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sloped.c - the family with exact Goldstein norms: smoothings are compared with Monte Carlo, incomplete beta
 * functions and adaptive integrals; norms with grids of gradients; and the chain of certificates.
 *
 * Serves: private-zeroth-order
 *
 * z-tests at 6 standard errors (2e-9): 160 of these, so that a false alarm has probability 4e-7. */
#include <gsl/gsl_integration.h>

#include "problems/parts/certificates.h"
#include "problems/parts/radial.h"
#include "problems/parts/smoothed_norm.h"
#include "support/hard.h"
#include "support/same_sets.h"

enum { MOST = 64 };
static const char *const shapes[] = { "slope", "cone", "bowl", "valley" };

/* --- the slope of a smoothed norm */

static double coordinate_density(double t, void *vp)
{
    return pow(1 - t * t, (*(double *)vp - 1) / 2);
}

/* The distribution function P_d of one coordinate of a uniform point of the ball (smoothed_sign is 2 P_d - 1) is
 * compared with the integral of its density, (c/2) (1 - t^2)^((d-1)/2), where c makes the whole integral 1. */
static void s6_1_one_coordinate(void **state)
{
    static const int dims[] = { 1, 2, 3, 4, 7, 10, 100, 1000 };
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(2000);
    for (int k = 0; k < 8; k++) {
        double d = dims[k], c = exp(lgamma(d / 2 + 1) - lgamma((d + 1) / 2)) * 2 / sqrt(M_PI);
        gsl_function f = { coordinate_density, &d };
        assert_true(c <= sqrt(d) * (1 + 1e-12));
        for (double s = 0.01; s < 1; s += 0.03) {
            double half, error;
            gsl_integration_qags(&f, 0, s, 1e-14, 1e-12, 2000, w, &half, &error);
            within("2 P_d - 1", smoothed_sign(d, -s), -c * half, 1e-11);
        }
        near(smoothed_sign(d, 1e-6), c * 1e-6, 1e-9);
        assert_true(smoothed_sign(d, 1.5) == 1 && smoothed_sign(d, 0) == 0);
        if (d <= 2)
            near(smoothed_norm_of(d, 1).k, c, 1e-12);
    }
    gsl_integration_workspace_free(w);
    near(smoothed_norm_of(2, 1).k, 1.2732, 1e-4);
    near(smoothed_norm_of(3, 1).k, 1.5, 1e-14);
    near(smoothed_norm_of(10, 1).k, 2.5869, 1e-4);
    near(smoothed_norm_of(100, 1).k, 7.9988, 1e-4);
}

struct sphere { double d, q; int part; };

static double sphere_integrand(double theta, void *vp)
{
    const struct sphere *s = vp;
    double u = cos(theta), w = pow(sin(theta), s->d - 2);
    return s->part ? w : w * u * sqrt(fmax(0, 1 + s->q * s->q + 2 * s->q * u));
}

/* Returns d E |q e_1 + u| u_1 over the unit vectors u, by an adaptive rule. */
static double slope_by_quadrature(double d, double q)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(2000);
    double v[2], error;
    for (int part = 0; part < 2; part++) {
        struct sphere s = { d, q, part };
        gsl_function f = { sphere_integrand, &s };
        gsl_integration_qags(&f, 0, M_PI, 1e-14, 1e-10, 2000, w, &v[part], &error);
    }
    gsl_integration_workspace_free(w);
    return d * v[0] / v[1];
}

static void s6_1_whole_norm(void **state)
{
    static const int dims[] = { 2, 3, 4, 5, 8, 33, 200 };
    static const double qs[] = { 1e-3, 0.2, 0.7, 0.999, 1.001, 1.5, 4, 100 };
    for (int k = 0; k < 56; k++) {
        double d = dims[k % 7], q = qs[k / 7];
        struct smoothed_norm n = smoothed_norm_of(d, d);
        struct quadrature rule;
        assert_int_equal(quadrature_build(&rule, NULL), OK);
        double truth = slope_by_quadrature(d, q);
        near(smoothed_norm_slope(&n, q), truth, d == 2 ? 1e-7 : 1e-8);
        near(radial_smoothed(&rule, 0, d, 2 * q, 2), truth, 1e-7);
    }
    struct smoothed_norm n = smoothed_norm_of(6, 6);
    near(smoothed_norm_slope(&n, 1e-4) / 1e-4, 1, 1e-6);     /* near 0 the slope is ~ x/delta */
}

/* For large d almost all of the ball of radius 0.05 about x is at the distance sqrt(|x|^2 + 0.05^2) from 0. Where
 * this distance is below 1 the slope of the smoothed bowl is |x|, where it is above 1 that of the norm. */
static void s6_1_bowl_of_many_dimensions(void **state)
{
    static const double dims[] = { 3000, 1e4, 1e6 }, qs[] = { 0.97, 1.01, 2 };
    struct quadrature rule;
    assert_int_equal(quadrature_build(&rule, NULL), OK);
    for (int k = 0; k < 9; k++) {
        double d = dims[k % 3], q = qs[k / 3];
        struct smoothed_norm n = smoothed_norm_of(d, d);
        near(radial_smoothed(&rule, 1, d, q, 0.05), q < 1 ? q : smoothed_norm_slope(&n, q / 0.05), 1e-13 * d);
    }
}

/* Series that are summed together have the bits that each has alone. Some of the series end at the greatest number
 * of terms, and some have the argument NaN. */
static void test_slopes_together(void **state)
{
    enum { N = 67 };
    static const int dims[] = { 2, 3, 4, 5, 8, 33, 200 };
    static const double hard[] = { 0, 1, 0.99999, 1.00001, 1e-200, 1e200, INFINITY, NAN };
    struct rng r = rng_stream(405);
    for (int k = 0; k < 56; k++) {
        double d = dims[k % 7], m = d - (k / 28 && d > 2), q[N], slope[N];
        struct smoothed_norm o = smoothed_norm_of(d, m);
        int n = k < 14 ? k : N, easy = k % 2;
        for (int i = 0; i < n; i++)
            q[i] = easy || i % 9 ? exp(rng_normal(&r) / (1 + i % 5)) : hard[i / 9];
        smoothed_norm_slopes(&o, n, q, slope);
        for (int i = 0; i < n; i++) {
            double alone = smoothed_norm_slope(&o, q[i]);
            assert_true(isnan(q[i]) ? isnan(slope[i]) : memcmp(&slope[i], &alone, sizeof alone) == 0);
        }
    }
}

/* The mean of the smoothed gradients over a set of points, computed by blocks, has the bits of a computation point
 * by point. If a point is farther than delta from the mean of the points, both computations stop at it. */
static void test_sets_by_blocks(void **state)
{
    enum { D = 9 };
    static const int counts[] = { 1, 2, 63, 64, 65, 150 };
    struct rng r = rng_stream(406);
    for (int k = 0; k < 96; k++) {
        int m = counts[k % 6], d = (int[]){ 2, 5, 9, 6 }[k / 24];
        double w[150 * D], wbar[D], g[D], G[D] = { 0 }, mean[D], delta = 0.1;
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shapes[k / 6 % 4] }, { "d", d },
                                      { "turned", k % 2 }, { "goldstein", 2 * delta });
        bool whole = k % 5 != 0, near = true;
        rng_balls(&r, m, d, w);
        for (int t = 0; t < m; t++)
            for (int j = 0; j < d; j++)
                w[t * d + j] = 0.1 + (whole ? 0.3 : 0.8) * delta * w[t * d + j] + (j == 0 && t == 100 && !whole);
        certificates_centre(d, m, w, wbar);
        for (int t = 0; t < m && near; t++) {
            near = vec_dist(d, w + t * d, wbar) <= delta;
            if (!near)
                break;
            ((const struct certificates *)in.self)->smoothed(in.self, delta, w + t * d, g);
            vec_axpy(d, 1 / (double)m, g, G);
        }
        double scratch[2 * D];
        assert_true(certificates_smoothed(in.self, m, w, scratch, scratch + d, mean) == near);
        assert_memory_equal(mean, G, (size_t)d * sizeof *G);
    }
}

/* The smoothed gradients of all shapes are compared, along a random direction, with the mean of gradients at random
 * points of the ball of radius delta. */
static void s6_1_by_monte_carlo(void **state)
{
    enum { N = 40000 };
    static const int dims[] = { 1, 2, 3, 9 };
    struct rng r = rng_stream(401);
    for (int k = 0; k < 96; k++) {
        int d = dims[k % 4];
        const char *shape = shapes[k / 4 % 4];
        if (d == 1 && k / 4 % 4 == 3)
            continue;
        double delta = 0.3, x[MOST], y[MOST], u[MOST], g[MOST], G[MOST], sum = 0, square = 0;
        double error, far = (double[]){ 0.1, 0.35, 0.9, 1.1, 1.4, 3 }[k / 16];
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shape }, { "d", d },
                                      { "turned", 1 }, { "L", 2 }, { "goldstein", 2 * delta });
        rng_sphere(&r, d, x);
        vec_scale(d, far, x);
        const struct certificates *c = in.self;
        c->smoothed(in.self, delta, x, G);
        double size = vec_norm(d, G);
        for (const struct measure *m = in.p->measures; m->name; m++)
            if (strcmp(m->name, "smoothed") == 0)
                within("of one point", m->of_set(in.self, 1, x, &error), size, 1e-15);
        rng_sphere(&r, d, u);
        for (int i = 0; i < N; i++) {
            rng_ball(&r, d, y);
            vec_lincomb(d, 1, x, delta, y, y);
            in.p->grad(in.self, y, g);
            double along = vec_dot(d, g, u);
            sum += along / N;
            square += along * along / N;
        }
        double sd = sqrt(fmax(0, square - sum * sum) / (N - 1));
        within(in.name, vec_dot(d, G, u), sum, 6 * sd + 1e-10);
    }
}

/* --- Goldstein's norm and the certificates */

/* The norm that goldstein.h finds by search is that of an element of the hull of the gradients in the ball. It must
 * not be below the exact norm, nor more than 0.01 above the exact norm of a ball that is 0.1% smaller. */
static void s5_1_exact_norms(void **state)
{
    struct rng r = rng_stream(402);
    int positive = 0;
    for (int k = 0; k < 160; k++) {
        int d = 1 + k % 5, s = k / 5 % 4;
        if (d == 1 && s == 3)
            continue;
        double delta = 0.05 * exp(rng_normal(&r)), x[MOST], y[MOST], u[MOST], g[MOST], error;
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shapes[s] }, { "d", d },
                                      { "turned", 1 }, { "goldstein", delta });
        const struct certificates *c = in.self;
        rng_sphere(&r, d, x);
        vec_scale(d, 0.6 * exp(rng_normal(&r) / 2), x);
        double truth = c->exact(in.self, x, delta);
        if (isnan(truth))
            continue;
        double hull = goldstein_norm(&c->q, x, &error);
        if (!(hull >= truth * (1 - 1e-9) - 1e-12 &&
              hull <= c->exact(in.self, x, 0.999 * delta) + 0.01))
            fail_msg("%s: %g, hull %g", in.name, truth, hull);
        positive += truth > 0;
        if (!(truth > 0))
            continue;
        /* No convex combination of gradients of the ball is shorter. */
        for (int t = 0; t < 200; t++) {
            double mean[MOST] = { 0 };
            for (int j = 0; j < 1 + t % 4; j++) {
                rng_ball(&r, d, u);
                vec_lincomb(d, 1, x, delta, u, y);
                in.p->grad(in.self, y, g);
                vec_axpy(d, 1.0 / (1 + t % 4), g, mean);
            }
            assert_true(vec_norm(d, mean) >= truth * (1 - 1e-9));
        }
    }
    assert_true(positive > 60);
}

/* Checks the exact Goldstein norms in the ball of radius r about x, by the table in sloped.c: the drift e0 = L/2
 * for the slope, (L/2) sqrt(1 - r^2/|x|^2) for the cone, (L/2)(|x| - r)/R for the bowl, and for the valley the
 * hypotenuse of a slope's norm, 0.4 L, and the cone's. */
static void s5_1_table(void **state)
{
    double x[4] = { 0, 0.3, 0, 0.4 }, r = 0.2;
    const double truth[] = { 0.5, 0.5 * sqrt(1 - 0.16), 0.5 * (0.5 - 0.2),
                             hypot(0.4, 0.5 * sqrt(1 - 0.16)) };
    for (int s = 0; s < 4; s++) {
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shapes[s] }, { "d", 4 });
        const struct certificates *c = in.self;
        near(c->exact(in.self, x, r), truth[s], 1e-14);
        assert_true(s == 0 || s == 3 || c->exact(in.self, x, 0.5) == 0);
    }
    struct instance in = INSTANCE(*state, "sloped", { "shape", 0, "slope" }, { "d", 4 });
    double y[4] = { 0.85 };
    assert_true(((const struct certificates *)in.self)->exact(in.self, y, r) == 0);
    near(in.f.Phi, 0.5, 1e-15);
}

/* The certificates of a set of points satisfy stationarity <= hull <= sampled on straight walks of 40 points and of
 * length delta. On a walk of length 8 delta `sampled` is NaN, and `hull` is still known. */
static void s5_2_chain(void **state)
{
    enum { T = 40, D = 3 };
    struct rng r = rng_stream(403);
    for (int k = 0; k < 60; k++) {
        double delta = 0.1, w[T * D], u[D], error, v[3];
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shapes[k % 4] }, { "d", D },
                                      { "hull", 1 }, { "goldstein", 2 * delta });
        static const char *const names[] = { "stationarity", "hull", "sampled" };
        double length = k < 50 ? delta : 8 * delta;
        rng_sphere(&r, D, w);
        vec_scale(D, 0.7 * rng_uniform(&r), w);
        rng_sphere(&r, D, u);
        for (int t = 1; t < T; t++)
            vec_lincomb(D, 1, w + (t - 1) * D, length / T, u, w + t * D);
        expect_same_sets(in.p, in.self, T, w);
        for (int i = 0; i < 3; i++)
            for (const struct measure *m = in.p->measures; m->name; m++)
                if (strcmp(m->name, names[i]) == 0)
                    v[i] = m->of_set(in.self, T, w, &error);
        if (k >= 50) {
            assert_true(isnan(v[2]) && !isnan(v[1]));
            continue;
        }
        assert_true(v[1] <= v[2] * (1 + 1e-12) + 1e-12);
        assert_true(isnan(v[0]) || v[0] <= v[1] * (1 + 1e-9) + 1e-12);
    }
}

/* Two points at distance 2a are at distance a from their mean. The certificate `smoothed` of the two is a number
 * for a up to delta = 0.1, and NaN beyond. */
static void s5_2_smoothed_within_delta(void **state)
{
    static const double shares[] = { 0, 0.5, 0.99, 1.01, 5 };
    for (int k = 0; k < 20; k++) {
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shapes[k / 5] }, { "d", 2 },
                                      { "goldstein", 0.2 });
        double a = 0.1 * shares[k % 5], w[4] = { 0.3 - a, 0.1, 0.3 + a, 0.1 };
        double norm = certificates_set(in.self, CERTIFICATE_SMOOTHED, 2, w);
        assert_int_equal(isnan(norm), k % 5 >= 3);
    }
}

/* Values along directions equal the values at the points. */
static void test_values_along(void **state)
{
    enum { M = 70 };
    struct rng r = rng_stream(404);
    for (int k = 0; k < 24; k++) {
        int d = 2 + k % 3;
        struct instance in = INSTANCE(*state, "sloped", { "shape", 0, shapes[k % 4] }, { "d", d },
                                      { "turned", 1 });
        double x[2 * MOST], u[M * 4], v[2 * M], y[4];
        const double *at[] = { x, x + MOST }, step[] = { 0.2, -0.7 };
        rng_normals(&r, 2 * MOST, 0.5, x);
        for (int j = 0; j < M; j++)
            rng_sphere(&r, d, u + j * d);
        in.p->values_along(in.self, k, 2, at, step, M, u, v);
        for (int i = 0; i < 2 * M; i++) {
            vec_lincomb(d, 1, at[i / M], step[i / M], u + i % M * d, y);
            within("value", v[i], in.p->sample_value(in.self, k, y), 1e-13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s6_1_one_coordinate), cmocka_unit_test(s6_1_whole_norm),
        cmocka_unit_test(s6_1_bowl_of_many_dimensions),
        cmocka_unit_test(s6_1_by_monte_carlo), cmocka_unit_test(s5_1_exact_norms),
        cmocka_unit_test(s5_1_table), cmocka_unit_test(s5_2_chain),
        cmocka_unit_test(s5_2_smoothed_within_delta),
        cmocka_unit_test(test_values_along), cmocka_unit_test(test_slopes_together),
        cmocka_unit_test(test_sets_by_blocks),
    };
    return cmocka_run_group_tests_name("sloped", tests, hard_setup, hard_teardown);
}

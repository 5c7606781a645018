/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spectral_polytope.c - quadratics over the random polytope P: its projection and vertices are checked by
 * their variational inequalities, the measured gap, which bounds the excess, by a minimum found by descent. */
#include "support/instances.h"

static void linear_min(const struct instance *in, const double *g, double *x)
{
    in->p->linear_min(in->self, g, x);
}

/* Returns the largest <g, y> over y in P, from the vertex that attains it. */
static double support(const struct instance *in, const double *g)
{
    double minus[8], x[8];
    vec_lincomb(in->d, -1, g, 0, g, minus);
    linear_min(in, minus, x);
    return vec_dot(in->d, g, x);
}

/* y is the projection of x if y is in P and <x - y, z - y> <= 0 for all z in P; the largest such product is
 * attained at a vertex. y is in P if it is no farther than P along any of many directions. */
static void test_projection(void **state)
{
    struct arena *a = arena_new(0);
    int moved = 0;
    for (int d = 1; d <= 7; d++) {
        struct instance in = INSTANCE(a, "spectral_polytope", { "d", d }, { "radius", 2 });
        struct rng r = rng_stream(9);
        for (int t = 0; t < 200; t++) {
            double x[8], y[8], off[8], g[8];
            rng_normals(&r, d, 1, x);
            vec_copy(d, x, y);
            in.p->sets[0].project(in.self, y);
            vec_sub(d, x, y, off);
            EXPECT(&in, support(&in, off) - vec_dot(d, off, y) < 1e-13, "%g",
                   support(&in, off) - vec_dot(d, off, y));
            for (int k = 0; k < 50; k++) {
                rng_sphere(&r, d, g);
                EXPECT(&in, vec_dot(d, g, y) <= support(&in, g) + 1e-14, "outside");
            }
            EXPECT(&in, vec_norm(d, y) <= in.f.radius * (1 + 1e-15), "%.17g", vec_norm(d, y));
            moved += vec_norm(d, off) > 0;
        }
    }
    assert_true(moved > 500 && moved < 1400);
    arena_free(a);
}

/* Vertices minimise linear functions: no projected point has a smaller value. The stated radius is the length of
 * every vertex. */
static void test_vertices(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "spectral_polytope", { "d", 6 }), other;
    struct rng r = rng_stream(10);
    double first[8], second[8];
    for (int t = 0; t < 300; t++) {
        double g[8], x[8], y[8];
        rng_sphere(&r, 6, g);
        linear_min(&in, g, x);
        EXPECT(&in, fabs(vec_norm(6, x) - in.f.radius) < 1e-14, "%g", vec_norm(6, x));
        rng_normals(&r, 6, 3, y);
        in.p->sets[0].project(in.self, y);
        EXPECT(&in, vec_dot(6, g, x) <= vec_dot(6, g, y) + 1e-14, "lower");
    }
    /* The radius is between 1/2 and 3/2 of the one that was asked for, 1. Another seed gives another polytope. */
    assert_true(in.f.radius > 0.5 && in.f.radius < 1.5);
    other = in;
    assert_int_equal(instance_make(&in, 2, a, &other.self, &other.f, NULL), OK);
    double g[8] = { 1, 2, 3, 4, 5, 6 };
    linear_min(&in, g, first);
    linear_min(&other, g, second);
    assert_true(vec_dist(6, first, second) > 0.01);
    arena_free(a);
}

/* With steps of length 1/M each iteration of projected descent multiplies the distance from the minimiser by at
 * most 1 - 10^-1. At the limit the gap is 0; at every other point it is at least the value less that at the
 * limit. */
static void test_gap(void **state)
{
    struct arena *a = arena_new(0);
    static const double rr[] = { 0.1, 1.5, 20 };
    for (int k = 0; k < 3; k++) {
        struct instance in = INSTANCE(a, "spectral_polytope", { "d", 7 }, { "decades", 1 },
                                      { "rr", rr[k] });
        struct rng r = rng_stream(11);
        double x[8] = { 0 }, g[8], y[8], error;
        for (int t = 0; t < 800; t++) {
            in.p->grad(in.self, x, g);
            vec_axpy(7, -1, g, x);
            in.p->sets[0].project(in.self, x);
        }
        double F = in.p->value(in.self, x), least = in.p->measures[0].at(in.self, x, &error);
        EXPECT(&in, fabs(least) < 1e-12 * (1 + rr[k]), "gap %g at the minimum", least);
        for (int t = 0; t < 100; t++) {
            rng_normals(&r, 7, 1, y);
            in.p->sets[0].project(in.self, y);
            double gap = in.p->measures[0].at(in.self, y, &error);
            EXPECT(&in, in.p->value(in.self, y) - F >= -1e-12 * (1 + F) &&
                        in.p->value(in.self, y) - F <= gap + 1e-12 && error == gap, "gap %g", gap);
        }
        EXPECT(&in, in.p->value(in.self, (double[8]){ 0 }) - F <= in.f.Phi, "Phi = %g", in.f.Phi);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection), cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_max_affine.c - the family max_affine, a maximum of N affine functions over a ball or a part of it that a
 * half-space cuts off: projections and linear minimisers are checked by their optimality conditions; then the
 * minimiser, which is known by construction, and the noise of samples.
 *
 * Serves: bias-reduced */
#include "contract/contract.h"

enum { DIM = 6, TRIES = 200 };
static const double R = 2, CUT = 0.6;

static struct instance cut(struct arena *a, double s)
{
    return INSTANCE(a, "max_affine", { "d", DIM }, { "N", 40 }, { "L", 0.9 }, { "cut", CUT }, { "s", s },
                    { "radius", R });
}

/* nu[d] <- the unit normal of the half-space: the direction from the projection of a point that is inside the ball
 * to this point. */
static void normal_of(const struct instance *in, double *nu)
{
    struct rng r = rng_stream(41);
    double y[DIM], p[DIM], moved = 0;
    while (moved < 0.1) {
        rng_sphere(&r, DIM, y);
        vec_copy(DIM, y, p);
        in->p->sets[0].project(in->self, p);
        vec_sub(DIM, y, p, nu);
        moved = vec_norm(DIM, nu);
    }
    vec_scale(DIM, 1 / moved, nu);
}

/* p is the point of the feasible set nearest to y if and only if y - p = alpha nu + beta p with alpha, beta >= 0,
 * where alpha = 0 if p is inside the half-space and beta = 0 if it is inside the ball. */
static void nearest_points(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = cut(a, 0.3);
    struct rng r = rng_stream(42);
    double nu[DIM], y[DIM], p[DIM], rest[DIM];
    int by_both = 0;
    normal_of(&in, nu);
    for (int try = 0; try < TRIES; try++) {
        rng_normals(&r, DIM, pow(10, try % 3 - 1), y);
        vec_copy(DIM, y, p);
        in.p->sets[0].project(in.self, p);
        double side = vec_dot(DIM, nu, p), length = vec_norm(DIM, p);
        EXPECT(&in, side <= 1e-14 && length <= R + 1e-14, "%g, |p| = %g", side, length);
        vec_sub(DIM, y, p, rest);
        double alpha = vec_dot(DIM, nu, rest), beta = length > R - 1e-12 ? vec_dot(DIM, p, rest) / (R * R) : 0;
        alpha = side > -1e-12 ? alpha : 0;
        EXPECT(&in, alpha >= -1e-13 && beta >= -1e-13, "alpha %g, beta %g", alpha, beta);
        by_both += alpha > 1e-9 && beta > 1e-9;
        vec_axpy(DIM, -alpha, nu, rest);
        vec_axpy(DIM, -beta, p, rest);
        EXPECT(&in, vec_norm(DIM, rest) < 1e-12 * (1 + vec_norm(DIM, y)), "rest %g", vec_norm(DIM, rest));
    }
    assert_true(by_both > 10);
    arena_free(a);
}

/* x minimises <g, x> over the feasible set if and only if x is the point of this set nearest to x - g. The measure
 * `average` is affine: its slope is computed from its values at 0 and at the unit vectors. At the point of the set
 * where this affine function is least it is 0. */
static void least_linear_functions(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = cut(a, 0);
    struct rng r = rng_stream(43);
    double g[DIM], x[DIM], p[DIM], slope[DIM], error;
    for (int try = 0; try < TRIES; try++) {
        rng_normals(&r, DIM, 1, g);
        in.p->linear_min(in.self, g, x);
        vec_sub(DIM, x, g, p);
        in.p->sets[0].project(in.self, p);
        EXPECT(&in, vec_dist(DIM, x, p) < 1e-13, "%g from the nearest", vec_dist(DIM, x, p));
    }
    vec_zero(DIM, x);
    double at_0 = in.p->measures[1].at(in.self, x, &error);
    for (int j = 0; j < DIM; j++) {
        vec_zero(DIM, x);
        x[j] = 1;
        slope[j] = in.p->measures[1].at(in.self, x, &error) - at_0;
    }
    in.p->linear_min(in.self, slope, x);
    expect_near("least average", in.p->measures[1].at(in.self, x, &error), 0, 1e-13);
    arena_free(a);
}

/* On the feasible set F(x) >= 0 = F(x*). With a half-space, F contains the term -cut <nu, x>; without one the
 * feasible set is the whole ball. */
static void what_is_planted(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = cut(a, 0.3), ball = INSTANCE(a, "max_affine", { "d", DIM }, { "N", 40 });
    struct instance whole = INSTANCE(a, "max_affine", { "d", DIM }, { "N", 40 }, { "L", 0.9 }, { "radius", R });
    struct rng r = rng_stream(44);
    double star[DIM], nu[DIM], x[DIM], p[DIM];
    normal_of(&in, nu);
    in.p->minimiser(in.self, star);
    expect_near("|x*|", vec_norm(DIM, star), R / 2, 1e-14);
    expect_near("<nu, x*>", vec_dot(DIM, nu, star), 0, 1e-14);
    expect_near("F(x*)", in.p->value(in.self, star), 0, 1e-14);
    for (int try = 0; try < TRIES; try++) {
        rng_normals(&r, DIM, 1, x);
        in.p->sets[0].project(in.self, x);
        EXPECT(&in, in.p->value(in.self, x) >= -1e-14, "F %g", in.p->value(in.self, x));
    }
    for (int try = 0; try < TRIES; try++) {              /* a point anywhere, inside of the set or outside */
        rng_normals(&r, DIM, 1, x);
        expect_near("F less that without cut", in.p->value(in.self, x) - whole.p->value(whole.self, x),
                    -CUT * vec_dot(DIM, nu, x), 1e-13);
    }
    rng_sphere(&r, DIM, x);
    vec_scale(DIM, 0.99, x);
    vec_copy(DIM, x, p);
    ball.p->sets[0].project(ball.self, p);
    expect_near("a point of the ball", vec_dist(DIM, x, p), 0, 0);
    arena_free(a);
}

/* The means of samples are F and its gradient within 6 standard errors, which a right program exceeds with
 * probability 2e-9 for each comparison. An instance with a half-space needs d >= 2 and is refused in one
 * dimension. */
static void samples_and_refusal(void **state)
{
    enum { DRAWS = 40000 };
    struct arena *a = arena_new(0);
    struct instance in = cut(a, 0.5), bad;
    struct rng r = rng_stream(45);
    double x[DIM], mean[DIM] = { 0 }, grad[DIM], value = 0;
    struct why why = { "" };
    rng_normals(&r, DIM, 1, x);
    for (long i = 0; i < DRAWS; i++) {
        in.p->sample_grad(in.self, i, x, 1.0 / DRAWS, mean);
        value += in.p->sample_value(in.self, i, x) / DRAWS;
    }
    in.p->grad(in.self, x, grad);
    double sd = 0.5 / sqrt(DIM) / sqrt(DRAWS);           /* the standard error of an entry of the mean gradient;
                                                            that of the mean value is sd |x| */
    for (int j = 0; j < DIM; j++)
        expect_near("gradient", mean[j], grad[j], 6 * sd);
    expect_near("value", value, in.p->value(in.self, x), 6 * sd * vec_norm(DIM, x));
    static const struct with with[] = { { "d", 1 }, { "cut", 0.1 }, { 0 } };
    assert_int_equal(instance_with(a, registry_problem("max_affine"), with, &bad, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "max_affine.cut"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points), cmocka_unit_test(least_linear_functions),
        cmocka_unit_test(what_is_planted), cmocka_unit_test(samples_and_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

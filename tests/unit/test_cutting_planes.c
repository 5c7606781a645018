/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cutting_planes.c - largest ellipsoids in bodies where they are known, centres of gravity of balls and half
 * balls, the number of cuts and the promised accuracy; and the maximum whose coordinates are chained.
 *
 * Serves: resque */
#include <gsl/gsl_sf_gamma.h>

#include "support/method.h"

#include "algos/parts/gravity.h"
#include "algos/parts/inscribed.h"

struct body {
    struct halfspaces P;
    struct inscribed e;
};

/* Returns a body with room for 40 constraints in d dimensions. */
static struct body *body_new(long d)
{
    struct body *q = ARENA_ARRAY(memory, 1, struct body);
    q->P = (struct halfspaces){ .d = d, .room = 40 };
    q->e.P = &q->P;
    halfspaces_reserve(&q->P, memory);
    inscribed_reserve(&q->e, memory);
    return q;
}

/* Adds the constraint <g, x> <= b. */
static void behind(struct body *q, const double *g, double b)
{
    double c[8];
    vec_lincomb(q->P.d, b / vec_dot(q->P.d, g, g), g, 0, g, c);
    halfspaces_cut(&q->P, g, c);
}

static void axis(struct body *q, long j, double sign, double b)
{
    double g[8] = { 0 };
    g[j] = sign;
    behind(q, g, b);
}

/* Returns det E for the ellipsoid { c + E u : |u| <= 1 }. By inscribed.h, E E' = (L L')^-1, and the member M holds
 * the triangular L. */
static double volume(const struct body *q)
{
    double det = 1;
    for (long j = 0; j < q->P.d; j++)
        det /= q->e.M[j * q->P.d + j];
    return det;
}

/* Checks that all constraints of the body touch the ellipsoid. */
static void expect_touching(const struct body *q, double tolerance)
{
    for (long i = 0; i < q->P.m; i++)
        expect_near("slack", q->P.slack[i], q->P.width[i], tolerance);
}

/* The largest ellipsoid in a box with widths l_j and a corner at (7, ..., 7) has a known centre and known half
 * axes. They are found from a point inside that is not the centre. */
static void b4_ellipsoid_of_a_box(void **state)
{
    static const double wide[] = { 1, 3, 1e-3, 50, 2 };
    for (long d = 1; d <= 5; d++) {
        struct body *q = body_new(d);
        double centre[5], product = 1;
        for (long j = 0; j < d; j++) {
            axis(q, j, 1, 7 + wide[j]);
            axis(q, j, -1, -7);
            q->e.c[j] = 7 + wide[j] * (0.1 + 0.15 * (double)j);
            centre[j] = 7 + wide[j] / 2;
            product *= wide[j] / 2;
        }
        assert_true(inscribed_find(&q->e));
        for (long j = 0; j < d; j++) {
            expect_near("centre", q->e.c[j], centre[j], 1e-6 * wide[j]);
            expect_near("axis", q->P.width[2 * j], wide[j] / 2, 1e-6 * wide[j]);
        }
        expect_near("volume", volume(q) / product, 1, 1e-5);
    }
}

/* The largest ellipsoid in the simplex x >= 0, <w, x> <= 1 touches all faces. Its centre is the centroid, which has
 * the coordinates 1/((d+1) w_j). Its share of the volume of the simplex is that of the inscribed ball in a regular
 * simplex with edges 1, which has inradius r = 1/sqrt(2 d(d+1)) and volume V = sqrt(d+1)/(d! 2^(d/2)). det E is the
 * ellipsoid's volume over that of the unit ball. */
static void b4_ellipsoid_of_a_simplex(void **state)
{
    for (long d = 2; d <= 6; d++) {
        struct body *q = body_new(d);
        double w[6], n = (double)d, factorial = gsl_sf_fact((unsigned)d), box = 1;
        for (long j = 0; j < d; j++) {
            w[j] = 1 + (double)j;
            axis(q, j, -1, 0);
            q->e.c[j] = 1e-3;
            box /= w[j];
        }
        behind(q, w, 1);
        assert_true(inscribed_find(&q->e));
        for (long j = 0; j < d; j++)
            expect_near("centroid", q->e.c[j], 1 / ((n + 1) * w[j]), 1e-6);
        expect_touching(q, 1e-6);
        double share = pow(2 * n * (n + 1), -n / 2) * factorial * pow(2, n / 2) / sqrt(n + 1);
        expect_near("volume", volume(q), share * box / factorial, 1e-5 * share * box / factorial);
    }
}

/* A square is cut through its centre along a diagonal. The rest is a triangle with centroid (-1/3, -1/3), inside of
 * which the next search starts. The volume of the ellipsoid falls from 1 to 2/sqrt(27) of the unit ball, which is
 * pi/sqrt(27) of the triangle's area. A constraint whose slack is more than twice what the ellipsoid extends
 * towards it is dropped: those at 20 and 1.5 go, and the sides of the triangle remain. */
static void b4_cuts_of_a_square(void **state)
{
    struct body *q = body_new(2);
    double g[] = { 1, 1 };
    vec_zero(2, q->e.c);
    for (long j = 0; j < 2; j++) {
        axis(q, j, 1, 1);
        axis(q, j, -1, 1);
    }
    assert_true(inscribed_find(&q->e));
    expect_near("volume", volume(q), 1, 1e-6);
    halfspaces_cut(&q->P, g, q->e.c);
    inscribed_enter(&q->e, g);
    halfspaces_slack(&q->P, q->e.c);
    for (long i = 0; i < 5; i++)
        assert_true(q->P.slack[i] > 0.1);
    assert_true(inscribed_find(&q->e));
    expect_near("x", q->e.c[0], -1.0 / 3, 1e-6);
    expect_near("y", q->e.c[1], -1.0 / 3, 1e-6);
    expect_near("volume", volume(q), 2 / sqrt(27), 1e-5);
    axis(q, 0, 1, 20);
    axis(q, 1, 1, 1.5);
    assert_true(inscribed_find(&q->e));
    halfspaces_prune(&q->P, 2);
    assert_true(q->P.m >= 3 && q->P.m <= 5);
    for (long i = 0; i < q->P.m; i++)
        assert_true(q->P.b[i] < 1.1);
    assert_true(inscribed_find(&q->e));
    expect_near("volume", volume(q), 2 / sqrt(27), 1e-5);
}

/* Where there is no room for another constraint, the constraint whose slack is largest relative to its width is
 * dropped. */
static void b4_the_farthest_row_goes(void **state)
{
    struct body *q = body_new(1);
    for (int k = 1; k <= 39; k++)
        axis(q, 0, k % 2 ? 1 : -1, k == 20 ? 1e3 : k);
    double zero = 0;
    halfspaces_slack(&q->P, &zero);
    vec_fill(39, 1, q->P.width);
    halfspaces_prune(&q->P, INFINITY);
    assert_int_equal(q->P.m, 39);
    axis(q, 0, 1, 2.5);
    halfspaces_slack(&q->P, &zero);
    vec_fill(40, 1, q->P.width);
    halfspaces_prune(&q->P, INFINITY);
    assert_int_equal(q->P.m, 39);
    for (long i = 0; i < 39; i++)
        assert_true(q->P.b[i] != 1e3);
}

/* The centre of gravity is tested on the half ball x_1 <= 0, where E x_1 = -R Gamma(d/2+1)/(sqrt(pi)
 * Gamma((d+3)/2)), E x_1^2 = R^2/(d+2), and the other coordinates have mean 0. The points that survive the cut
 * are uniform there, and the walk keeps them uniform. The means of 400 runs are unbiased and are compared by
 * z-tests. */
static void b4_gravity_of_a_half_ball(void **state)
{
    for (long d = 1; d <= 6; d += d == 1 ? 1 : 4) {
        struct halfspaces P = { .d = d, .room = 40 };
        struct rng rng = rng_stream(77);
        double start[6] = { 0.5, -2, 0, 1, 1, 1 }, g[6] = { 3 }, n = (double)d;
        struct gravity s = { .P = &P, .rng = &rng, .N = 20, .steps = 6, .R = 2, .start = start };
        struct sample_moments first = { 0 }, square = { 0 }, other = { 0 };
        halfspaces_reserve(&P, memory);
        gravity_reserve(&s, memory);
        for (int run = 0; run < 400; run++) {
            P.m = 0;
            gravity_begin(&s);
            halfspaces_cut(&P, g, start);
            gravity_walk(&s);
            double sum = 0;
            for (long k = 0; k < s.N; k++) {
                double e = s.x[k * d] - start[0];
                assert_true(e <= 1e-12 && vec_dist(d, s.x + k * d, start) <= 2 * (1 + 1e-12));
                sum += e * e / (double)s.N;
            }
            moments_of(&first, s.c[0] - start[0]);
            moments_of(&square, sum);
            moments_of(&other, s.c[d - 1] - start[d - 1]);
        }
        double low = -2 * gsl_sf_gamma(n / 2 + 1) / (sqrt(M_PI) * gsl_sf_gamma((n + 3) / 2));
        expect_mean("first", &first, low);
        expect_mean("square", &square, 4 / (n + 2));
        if (d > 1)
            expect_mean("other", &other, 0);
    }
}

/* Tests the walk alone: it starts from points at (+-0.4, +-0.4) in the part of a ball between four planes. After
 * many steps the points are uniform in the unit square that these planes cut out: E x^2 is 1/12, while it is 0.16
 * at the start. */
static void b4_gravity_walks_anywhere(void **state)
{
    struct halfspaces P = { .d = 2, .room = 40 };
    struct rng rng = rng_stream(78);
    double start[2] = { 0 };
    struct gravity s = { .P = &P, .rng = &rng, .N = 12, .steps = 40, .R = 9, .start = start };
    struct sample_moments mean = { 0 }, square = { 0 }, product = { 0 };
    halfspaces_reserve(&P, memory);
    gravity_reserve(&s, memory);
    for (int run = 0; run < 300; run++) {
        double xx = 0, xy = 0;
        P.m = 0;
        for (long k = 0; k < 2 * s.N; k++)
            s.x[k] = (k & 1 ? k & 2 : k & 4) ? 0.4 : -0.4;
        for (int k = 0; k < 4; k++) {
            double g[2] = { 0 }, c[2] = { 0 };
            g[k / 2] = k % 2 ? 1 : -1;
            c[k / 2] = g[k / 2] / 2;
            halfspaces_cut(&P, g, c);
        }
        gravity_walk(&s);
        assert_int_equal(P.m, 4);
        for (long k = 0; k < s.N; k++) {
            const double *x = s.x + 2 * k;
            assert_true(fmax(fabs(x[0]), fabs(x[1])) <= 0.5 + 1e-12);
            xx += x[0] * x[0] / (double)s.N;
            xy += x[0] * x[1] / (double)s.N;
        }
        moments_of(&mean, s.c[0]);
        moments_of(&square, xx);
        moments_of(&product, xy);
    }
    expect_mean("x", &mean, 0);
    expect_mean("x^2", &square, 1.0 / 12);
    expect_mean("x y", &product, 0);
}

/* The numbers of cuts for d = 4 and L R/acc = 100 are these, computed by hand and to be rounded up: 4 ln 200/ln 1.5
 * = 52.3 for centres of gravity, 4 ln 300/-ln 0.843 = 133.6 for inscribed ellipsoids and 40 ln 200 = 211.9 for the
 * ellipsoid method, which takes log2 200 = 7.6 for d = 1. Each cut is a round of one subgradient, and the excess of
 * the answer is at most acc. */
static void b4_cuts_and_promise(void **state)
{
    static const char *const centre[] = { "gravity", "inscribed", "ellipsoid" };
    static const double cuts[] = { 53, 134, 212 };
    static const char *const family[] = { "norm", "noisy_l1", "coercive_max" };
    struct goal goal = goal_unknown();
    goal.acc = 0.03;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            struct instance in = INSTANCE(memory, family[j], { "d", 4 }, { "L", 3 });
            struct method *m = METHOD("cutting-planes", &in, &goal, { "centre", 0, centre[k] });
            const double *x = method_run(m, 1, nobody);
            assert_true(in.p->value(in.self, x) - in.f.f_star <= 0.03);
            expect_count(&m->o, COUNT_batch_steps, cuts[k]);
            expect_count(&m->o, COUNT_full_grads, cuts[k]);
            expect_count(&m->o, COUNT_depth, cuts[k]);
            method_free(m);
        }
    struct instance in = INSTANCE(memory, "norm", { "d", 1 }, { "L", 3 });
    struct method *m = METHOD("cutting-planes", &in, &goal, { "centre", 0, "ellipsoid" });
    assert_true(in.p->value(in.self, method_run(m, 1, nobody)) <= 0.03);
    expect_count(&m->o, COUNT_full_grads, 8);
    method_free(m);
}

/* If the Lipschitz constant L and the scale R of an instance change, and the accuracy changes as L R, the answer is
 * scaled by R. */
static void b4_units(void **state)
{
    static const char *const centre[] = { "gravity", "inscribed", "ellipsoid" };
    for (int k = 0; k < 3; k++) {
        struct instance one = INSTANCE(memory, "coercive_max", { "d", 3 });
        struct instance two = INSTANCE(memory, "coercive_max", { "d", 3 }, { "L", 8 }, { "R", 4 });
        struct goal goal = goal_unknown();
        double x[3];
        goal.acc = 0.01;
        struct method *m = METHOD("cutting-planes", &one, &goal, { "centre", 0, centre[k] });
        vec_lincomb(3, 4, method_run(m, 1, nobody), 0, m->x, x);
        method_free(m);
        goal.acc = 0.32;
        m = METHOD("cutting-planes", &two, &goal, { "centre", 0, centre[k] });
        expect_vectors("answer", 3, method_run(m, 1, nobody), x, 1e-6);
        method_free(m);
    }
}

static void b4_refusals(void **state)
{
    struct instance in = INSTANCE(memory, "norm", { "d", 2 });
    struct goal goal = goal_unknown();
    expect_refusal("cutting-planes", &in, &goal, (struct with[]){ { 0 } }, "give goal acc");
    goal.acc = 0.1;
    expect_refusal("cutting-planes", &in, &goal, (struct with[]){ { "rows", 5 }, { 0 } },
                   "at least 2 d + 2");
    in.f.L = NAN;
    expect_refusal("cutting-planes", &in, &goal, (struct with[]){ { 0 } }, "L = nan");
}

/* --- the chained maximum */

/* Checks the stated optimum of the chain, F = max(max_i (L x_i - i gap), L(|x| - R) + F*), whose last term is the
 * cone: |x*| = R; the piece of every nonzero coordinate of x* has the value F*, and the other pieces are at most
 * F*; 0 is a combination of the gradients of these pieces and of the cone, with weights -x*_i and R. */
static void h1a_optimum_of_the_chain(void **state)
{
    static const double gap[] = { 0, 1e-9, 0.1, 1, 7 };
    for (int k = 0; k < 5; k++) {
        struct instance in = INSTANCE(memory, "coercive_max", { "d", 8 }, { "m", 6 }, { "L", 3 },
                                      { "R", 2 }, { "gap", gap[k] });
        double x[8], v[7], g[8] = { 0 }, error, worst = 0;
        in.p->minimiser(in.self, x);
        expect_near("|x*|", vec_norm(8, x), 2, 1e-14);
        in.p->pieces->values(in.self, x, v);
        for (int i = 0; i < 6; i++) {
            if (x[i] < 0)
                expect_near("piece", v[i], in.f.f_star, 1e-13);
            assert_true(x[i] <= 0 && v[i] <= in.f.f_star + 1e-13);
            in.p->pieces->grad(in.self, i, x, -x[i], g);
            worst += x[i] < 0;
        }
        expect_near("cone", v[6], in.f.f_star, 1e-13);
        in.p->pieces->grad(in.self, 6, x, 2, g);
        assert_true(vec_norm(8, g) < 1e-13);
        assert_true(worst == (gap[k] < 0.5 ? 6 : gap[k] < 2 ? 5 : 1));
        double zero[8] = { 0 };
        expect_near("Phi", in.f.Phi, in.p->measures[0].at(in.self, zero, &error), 1e-14);
        expect_near("F*", in.p->value(in.self, x), in.f.f_star, 1e-13);
    }
}

/* If several pieces x_i - i gap (L is 1) are equally large, the first of them gives the subgradient. */
static void h1a_pieces(void **state)
{
    struct instance in = INSTANCE(memory, "coercive_max", { "d", 4 }, { "gap", 0.25 }, { "R", 9 });
    static const struct { double x[4], value; int piece; } cases[] = {
        { { 0 }, 0, 0 }, { { -0.5, 0, 0, 0 }, -0.25, 1 }, { { -1, 0.5, 0.75, 0 }, 0.25, 1 },
        { { -1, -1, -1, 3 }, 2.25, 3 },
    };
    for (int k = 0; k < 4; k++) {
        double g[4], truth[4] = { 0 };
        truth[cases[k].piece] = 1;
        in.p->grad(in.self, cases[k].x, g);
        expect_vectors("gradient", 4, g, truth, 0);
        expect_near("value", in.p->value(in.self, cases[k].x), cases[k].value, 1e-15);
    }
}

/* The proximal point x minimises F + (lam/2)|. - y|^2: no random point around x has a smaller value. */
static void h1a_proximal_point(void **state)
{
    struct instance in = INSTANCE(memory, "coercive_max", { "d", 5 }, { "m", 4 }, { "gap", 0.3 },
                                  { "L", 2 }, { "R", 50 });
    struct rng r = rng_stream(4);
    for (int k = 0; k < 200; k++) {
        double y[5], x[5], z[5], lam = exp(rng_normal(&r)), least;
        rng_normals(&r, 5, 1, y);
        assert_true(in.p->measuring->proximal_point(in.self, lam, y, x));
        least = in.p->value(in.self, x) + lam / 2 * pow(vec_dist(5, x, y), 2);
        for (int j = 0; j < 200; j++) {
            rng_normals(&r, 5, pow(10, -4 * rng_uniform(&r)), z);
            vec_axpy(5, 1, x, z);
            assert_true(in.p->value(in.self, z) + lam / 2 * pow(vec_dist(5, z, y), 2) >=
                        least - 1e-13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b4_ellipsoid_of_a_box),
        cmocka_unit_test(b4_ellipsoid_of_a_simplex),
        cmocka_unit_test(b4_cuts_of_a_square),
        cmocka_unit_test(b4_the_farthest_row_goes),
        cmocka_unit_test(b4_gravity_of_a_half_ball),
        cmocka_unit_test(b4_gravity_walks_anywhere),
        cmocka_unit_test(b4_cuts_and_promise),
        cmocka_unit_test(b4_units),
        cmocka_unit_test(b4_refusals),
        cmocka_unit_test(h1a_optimum_of_the_chain),
        cmocka_unit_test(h1a_pieces),
        cmocka_unit_test(h1a_proximal_point),
    };
    return cmocka_run_group_tests_name("cutting_planes", tests, setup, teardown);
}

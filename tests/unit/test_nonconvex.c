/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nonconvex.c - the families sigmoid and capped, compared with their definitions: Monte Carlo, integrals by
 * another rule, closed forms. Stationarity is in test_goldstein.c.
 *
 * z-tests at 6 standard errors (2e-9): 40 of these, so that a false alarm has probability 8e-8. */
#include <gsl/gsl_integration.h>
#include <stdlib.h>

#include "support/hard.h"

enum { MOST = 64 };

static double measure_of(const struct instance *in, const char *name, const double *x,
                         double *error)
{
    for (const struct measure *m = in->p->measures; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->at(in->self, x, error);
    fail_msg("no measure %s", name);
    return NAN;
}

static double exact(const struct instance *in, const char *name, const double *x)
{
    double error = NAN, value = measure_of(in, name, x, &error);
    assert_true(error == 0);
    return value;
}

/* --- the population's value is the mean of its samples */

static void test_value_by_monte_carlo(void **state)
{
    enum { N = 40000 };
    static const char *const families[] = { "sigmoid", "capped" };
    static const int dims[] = { 1, 2, 3, 12 };
    struct rng r = rng_stream(61);
    for (int k = 0; k < 40; k++) {
        int d = dims[k % 4];
        struct instance in = k / 4 % 2
            ? INSTANCE(*state, families[1], { "d", d }, { "L", 2 }, { "cap", 0.7 },
                       { "noise", k < 20 ? 0.4 : 0 }, { "outliers", 0.2 }, { "spread", 3 })
            : INSTANCE(*state, families[0], { "d", d }, { "length", 3 }, { "flip", 0.2 });
        double x[MOST], sum = 0, square = 0;
        rng_normals(&r, d, exp(rng_normal(&r)), x);
        for (long i = 0; i < N; i++) {
            double f = in.p->sample_value(in.self, i, x);
            sum += f / N;
            square += f * f / N;
        }
        double variance = fmax(0, square - sum * sum) / (N - 1);
        within(in.name, in.p->value(in.self, x), sum, 6 * sqrt(variance) + 1e-10);
    }
}

/* --- sigmoid: records have the length R, margin eta and a label that is flipped with probability q; F is an
 * integral over an entry t of a unit vector, computed here by an adaptive rule over t itself */

/* Arguments of sigmoid_expectation. */
struct sigmoid_case { double d, along, across; int part; };

static double sigmoid_integrand(double t, void *vp)
{
    const struct sigmoid_case *c = vp;
    double z = c->along + c->across * t, s = 1 / (1 + exp(z));
    double density = pow(1 - t * t, (c->d - 4) / 2);
    double v[] = { 1, s, s * (1 - s), t * s * (1 - s) };
    return density * v[c->part];
}

static double integral(double (*f)(double, void *), void *ctx, double lo, double hi)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(2000);
    gsl_function g = { f, ctx };
    double sum = NAN, error;
    gsl_integration_qags(&g, lo, hi, 0, 1e-11, 2000, w, &sum, &error);
    gsl_integration_workspace_free(w);
    return sum;
}

/* Returns the mean over t of s, s' or t s', whichever `part` names, at z = along + across t, where s(z) = 1/(1 +
 * e^z). t is a coordinate of a uniform unit vector; in 2 dimensions t is +-1. */
static double sigmoid_expectation(double d, double along, double across, int part)
{
    struct sigmoid_case c = { d, along, across, part };
    double turn = fmax(-0.999, fmin(0.999, -along / across)), v[2];
    if (d == 2) {
        c.d = 4;
        return (sigmoid_integrand(1, &c) + sigmoid_integrand(-1, &c)) / 2;
    }
    for (int k = 0; k < 2; k++) {
        c.part = k ? part : 0;
        v[k] = integral(sigmoid_integrand, &c, -1, turn) + integral(sigmoid_integrand, &c, turn, 1);
    }
    return v[1] / v[0];
}

static void test_sigmoid_by_quadrature(void **state)
{
    static const int dims[] = { 2, 3, 4, 5, 9, 40 };
    static const double sizes[] = { 1e-3, 1, 30, 1e3 };
    struct rng r = rng_stream(62);
    for (int k = 0; k < 24; k++) {
        int d = dims[k % 6];
        const double R = 2, eta = 0.3, q = 0.15, rest = sqrt(1 - eta * eta);
        struct instance in = INSTANCE(*state, "sigmoid", { "d", d }, { "length", R },
                                      { "margin", eta }, { "flip", q });
        struct instance bounded = INSTANCE(*state, "sigmoid", { "d", d }, { "length", R },
                                           { "margin", eta }, { "flip", q }, { "radius", 1 });
        double e[MOST], x[MOST], u[MOST], g[MOST], beta, alpha;
        assert_true(bounded.p->minimiser(bounded.self, e));
        assert_false(in.p->minimiser(in.self, x));
        rng_normals(&r, d, sizes[k / 6] / sqrt(d), x);
        alpha = vec_dot(d, x, e);
        vec_lincomb(d, 1, x, -alpha, e, u);
        beta = vec_norm(d, u);
        double along = R * eta * alpha, across = R * rest * beta, s[3];
        for (int part = 0; part < 3; part++)
            s[part] = sigmoid_expectation(d, along, across, part + 1);
        within("F", in.p->value(in.self, x), q + (1 - 2 * q) * s[0], 1e-10);
        near(exact(&in, "excess", x), (1 - 2 * q) * s[0], 1e-9);
        in.p->grad(in.self, x, g);
        within("along", vec_dot(d, g, e), -(1 - 2 * q) * R * eta * s[1], 1e-10);
        within("across", vec_dot(d, g, u) / beta, -(1 - 2 * q) * R * rest * s[2], 1e-10);
        vec_axpy(d, -vec_dot(d, g, e), e, g);
        vec_axpy(d, -vec_dot(d, g, u) / (beta * beta), u, g);
        within("beside", vec_norm(d, g), 0, 1e-14);
    }
}

/* On the axis of the classes the score of a record does not depend on the random unit vector. The excess then has a
 * closed form, which is accurate even where it is e^-200, and so has the minimum over a ball. */
static void test_sigmoid_on_the_axis(void **state)
{
    const double R = 2, eta = 0.5, q = 0.1, radius = 3;
    struct instance in = INSTANCE(*state, "sigmoid", { "d", 6 }, { "length", R },
                                  { "margin", eta });
    struct instance ball = INSTANCE(*state, "sigmoid", { "d", 6 }, { "length", R },
                                    { "margin", eta }, { "radius", radius });
    double star[6], x[6];
    assert_true(ball.p->minimiser(ball.self, star));
    within("F*", ball.f.f_star, q + (1 - 2 * q) / (1 + exp(R * eta * radius)), 1e-15);
    assert_true(in.f.f_star == q && in.f.Phi == 0.5 - q && isnan(in.f.dist));
    for (double t = -200; t <= 200; t += 12.5) {
        vec_lincomb(6, t / radius, star, 0, star, x);
        near(exact(&in, "excess", x), (1 - 2 * q) / (1 + exp(R * eta * t)), 1e-12);
    }
    for (double t = 1; t > 1e-15; t /= 10) {         /* the excess at (1 - t) x* is (1 - 2 q)(1/(1 + e^z) -
                                                        1/(1 + e^w)), here as a product, without cancelling */
        vec_lincomb(6, 1 - t, star, 0, star, x);
        double w = R * eta * radius, z = w - t * w;
        near(exact(&ball, "excess", x),
             (1 - 2 * q) * sinh(t * w / 2) / (2 * cosh(z / 2) * cosh(w / 2)), 1e-15 / t + 1e-12);
    }
}

/* Two extreme margins: with margin 0 the records say nothing about their class, and in one dimension the margin is
 * 1. */
static void test_sigmoid_margins(void **state)
{
    struct instance flat = INSTANCE(*state, "sigmoid", { "d", 5 }, { "margin", 0 });
    struct instance line = INSTANCE(*state, "sigmoid", { "d", 1 }, { "margin", 0.3 });
    double x[5] = { 1, -2, 3, 0, 5 }, g[5], s = 1 / (1 + exp(2));
    flat.p->grad(flat.self, x, g);
    within("F", flat.p->value(flat.self, x), 0.5, 1e-15);
    within("grad", vec_norm(5, g), 0, 1e-15);
    assert_true(flat.f.Phi == 0);
    x[0] = 2;
    double a = line.p->value(line.self, x);
    x[0] = -2;
    double b = line.p->value(line.self, x);
    within("1 dimension", fmin(a, b), 0.1 + 0.8 * s, 1e-15);
    within("1 dimension", a + b, 1, 1e-15);
}

/* --- capped: F is a double integral over the noise w of a label and an entry t of a unit vector, computed here by
 * an adaptive rule */

/* d: dimension; c: cap of the loss; s: w is uniform on [-s, s]; r: distance from the minimiser; z = r t. */
struct capped_case { double d, c, s, z, r; };

static double capped_noise(double w, void *vp)
{
    const struct capped_case *c = vp;
    return fmin(fabs(c->z - w), c->c) / (2 * c->s);
}

static int upwards(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double pieces(double (*f)(double, void *), void *ctx, int n, double *ends)
{
    double sum = 0;
    qsort(ends, (size_t)n, sizeof *ends, upwards);
    for (int k = 0; k + 1 < n; k++)
        if (ends[k] < ends[k + 1])
            sum += integral(f, ctx, ends[k], ends[k + 1]);
    return sum;
}

static double inside(double v, double bound)
{
    return fmax(-bound, fmin(bound, v));
}

/* Returns E min(|z - w|, c) at z = r t, where w is uniform on [-s, s], times the density of t. */
static double capped_level(double t, void *vp)
{
    struct capped_case c = *(struct capped_case *)vp;
    c.z = c.r * t;
    double s = c.s, ends[] = { -s, inside(c.z - c.c, s), inside(c.z, s), inside(c.z + c.c, s), s };
    double density = c.d > 1 ? pow(1 - t * t, (c.d - 3) / 2) : 1;
    return density * (s > 0 ? pieces(capped_noise, &c, 5, ends) : fmin(fabs(c.z), c.c));
}

static double sphere_density(double t, void *vp)
{
    const struct capped_case *c = vp;
    return pow(1 - t * t, (c->d - 3) / 2);
}

static double capped_expectation(double d, double c, double s, double r)
{
    struct capped_case q = { d, c, s, 0, r };
    double at = 1 / r, ends[] = { 0, fmin(1, s * at), fmin(1, (c + s) * at),
                                  fmin(1, fabs(c - s) * at), 1 };
    return d == 1 ? capped_level(1, &q)
                  : pieces(capped_level, &q, 5, ends) / integral(sphere_density, &q, 0, 1);
}

static void test_capped_by_quadrature(void **state)
{
    static const int dims[] = { 1, 2, 3, 4, 10 };
    static const double radii[] = { 0.01, 0.9, 2, 15 };
    static const double noises[] = { 0, 0.1, 0.9, 2.5, 1e-12, 1e-17 };   /* the cap is 0.8 */
    struct rng r = rng_stream(63);
    for (int k = 0; k < 120; k++) {
        int d = dims[k % 5];
        double radius = radii[k / 5 % 4], noise = noises[k / 20], p = 0.3, star[MOST], x[MOST];
        struct instance in = INSTANCE(*state, "capped", { "d", d }, { "L", 3 }, { "cap", 0.8 },
                                      { "noise", noise }, { "outliers", p }, { "spread", 4 });
        assert_true(in.p->minimiser(in.self, star));
        near(vec_norm(d, star), 1, 1e-14);
        rng_sphere(&r, d, x);
        vec_lincomb(d, radius, x, 1, star, x);
        double F = 3 * ((1 - p) * capped_expectation(d, 0.8, noise, radius) +
                        p * capped_expectation(d, 0.8, 4, radius));
        within(in.name, in.p->value(in.self, x), F, 1e-10);
    }
}

/* In three dimensions t is uniform. At distance r from the minimiser, for the cap c and without noise, the excess
 * is L psi(r) with psi(r) = r/2 up to c, then c - c^2/(2r). With noise s < c the excess is L r^2/(2 s d) as long
 * as r <= c - s and r <= s, accurate to all digits. */
static void test_capped_closed_forms(void **state)
{
    struct instance cone = INSTANCE(*state, "capped", { "d", 3 }, { "noise", 0 }, { "outliers", 0 },
                                    { "cap", 0.5 }, { "L", 2 });
    struct instance bowl = INSTANCE(*state, "capped", { "d", 5 }, { "noise", 0.3 },
                                    { "outliers", 0 }, { "L", 2 });
    struct rng r = rng_stream(64);
    double star[5], u[5], x[5], g[5];
    cone.p->minimiser(cone.self, star);
    assert_true(cone.f.f_star == 0 && isnan(cone.f.M_F) && isnan(cone.f.weak) && isnan(cone.f.M));
    for (double radius = 1e-3; radius < 1e4; radius *= 1.7) {
        double slope = radius < 0.5 ? 1 : 0.25 / (radius * radius);
        rng_sphere(&r, 3, u);
        vec_lincomb(3, radius, u, 1, star, x);
        near(exact(&cone, "excess", x), radius < 0.5 ? radius : 1 - 0.25 / radius, 1e-11);
        near(exact(&cone, "gradient", x), slope, 1e-9);
        cone.p->grad(cone.self, x, g);
        within("radial", vec_dot(3, g, u), slope, 1e-9);
    }
    bowl.p->minimiser(bowl.self, star);
    vec_zero(5, u);
    for (double radius = 0.25; radius > 1e-14; radius /= 7) {
        vec_copy(5, star, x);
        x[2] += radius;
        double moved = x[2] - star[2];
        near(exact(&bowl, "excess", x), 2 * moved * moved / (2 * 0.3 * 5), 1e-12);
        near(exact(&bowl, "gradient", x), 2 * moved / (0.3 * 5), 1e-12);
        near(exact(&bowl, "distance", x), moved, 1e-15);
    }
    near(bowl.f.M_F, 2 / (0.3 * 5), 1e-15);
    near(bowl.f.weak, 1 / (0.3 * 5), 1e-15);
    assert_true(exact(&bowl, "gradient", star) == 0 && exact(&cone, "gradient", star) >= 0);
}

/* In one dimension the excess at distance r from the minimiser is L (r - s/2) for s <= r <= c - s, whatever the
 * sizes of the noise s and the cap c. */
static void test_capped_far_apart(void **state)
{
    static const struct { double cap, noise; } cases[] = { { 1e8, 0.1 }, { 0.8, 1e-12 }, { 0.8, 1e-17 },
                                                           { 1e100, 0.1 }, { 1, 1e-100 } };
    for (int k = 0; k < 5; k++) {
        struct instance in = INSTANCE(*state, "capped", { "d", 1 }, { "cap", cases[k].cap },
                                      { "noise", cases[k].noise }, { "outliers", 0 }, { "L", 2 });
        for (double r = 0.125; r < 0.7; r *= 2) {
            double x, star;
            in.p->minimiser(in.self, &star);
            x = star + r;
            near(exact(&in, "excess", &x), 2 * (x - star - cases[k].noise / 2), 1e-14);
            near(exact(&in, "gradient", &x), 2, 1e-14);
        }
    }
}

/* --- records: the first n samples of the stream with the same data; the measure gap, which bounds F - inf F */

static void test_stored(void **state)
{
    static const char *const names[][2] = { { "sigmoid", "sigmoid_stored" },
                                            { "capped", "capped_stored" } };
    static const int sizes[] = { 1, 7, 256, 300 };
    struct rng r = rng_stream(65);
    for (int k = 0; k < 8; k++) {
        int n = sizes[k / 2], d = 4;
        struct instance stream = INSTANCE(*state, names[k % 2][0], { "d", d });
        struct instance in = INSTANCE(*state, names[k % 2][1], { "d", d }, { "n", n });
        assert_true(in.f.n == n && isinf(stream.f.n) && isnan(in.f.f_star));
        for (int f = 0; f < FACT_COUNT; f++)
            assert_int_equal(in.f.origin[f], ORIGIN_PUBLIC);
        double lowest = INFINITY, least = INFINITY, most = -INFINITY;
        for (int t = 0; t < 200; t++) {
            double x[4], F = 0, g[4] = { 0 }, G[4], error;
            rng_normals(&r, d, t % 2 ? 1 : 30, x);
            for (long i = 0; i < n; i++) {
                F += stream.p->sample_value(stream.self, i, x) / n;
                stream.p->sample_grad(stream.self, i, x, 1.0 / n, g);
            }
            in.p->grad(in.self, x, G);
            near(in.p->value(in.self, x), F, 1e-12);
            near(exact(&in, "objective", x), F, 1e-12);
            within("grad", vec_dist(d, g, G), 0, 1e-13);
            near(exact(&in, "excess_population", x), exact(&stream, "excess", x), 1e-15);
            double gap = measure_of(&in, "gap", x, &error);
            lowest = fmin(lowest, F);
            most = fmax(most, F - gap);
            least = fmin(least, F - gap + error);
            assert_true(error >= 0 && error <= gap + 1e-15);
        }
        assert_true(most <= lowest + 1e-12);         /* inf F is in [F - gap, F - gap + error] */
        assert_true(least >= most - 1e-14);
    }
}

/* For one record inf F is known: it is 0 for capped_stored without noise, and 1/(1 + e^(R r)) for sigmoid_stored
 * with records of length R over a ball of radius r. */
static void test_gap_of_one_record(void **state)
{
    struct instance line = INSTANCE(*state, "capped_stored", { "d", 3 }, { "n", 1 },
                                    { "outliers", 0 }, { "noise", 0 });
    struct instance ball = INSTANCE(*state, "sigmoid_stored", { "d", 3 }, { "n", 1 },
                                    { "length", 2 }, { "radius", 1.5 });
    double x[3] = { 0 }, a[3] = { 0 }, error;
    double gap = measure_of(&line, "gap", x, &error);
    assert_true(gap == line.p->value(line.self, x) && error <= 1e-15);
    ball.p->sample_grad(ball.self, 0, x, 1, a);
    vec_lincomb(3, -1.5 / vec_norm(3, a), a, 0, a, x);
    gap = measure_of(&ball, "gap", x, &error);
    within("gap", gap, 0, 1e-15);
    double zero[3] = { 0 };
    gap = measure_of(&ball, "gap", zero, &error);
    within("gap", gap, 0.5 - 1 / (1 + exp(3)), 1e-15);
    assert_true(ball.f.Phi == gap);
}

/* If records contradict each other, inf F > 0. A grid on a line finds this infimum to 5e-4, half of its step, as F
 * is 1-Lipschitz. */
static void test_gap_of_contradictions(void **state)
{
    enum { GRID = 30000 };
    struct instance in = INSTANCE(*state, "capped_stored", { "d", 1 }, { "n", 9 },
                                  { "noise", 0.5 });
    double least = INFINITY, error, x;
    for (int k = 0; k <= GRID; k++) {
        x = 30.0 * k / GRID - 15;                    /* farther from 0 than this, the loss of every record is
                                                        flat */
        least = fmin(least, in.p->value(in.self, &x));
    }
    assert_true(least > 0.01);
    for (x = -3; x < 3; x += 0.01) {
        double gap = measure_of(&in, "gap", &x, &error), truth = in.p->value(in.self, &x) - least;
        assert_true(gap >= truth && gap - error <= truth + 5e-4);
    }
}

static void test_bad_parameters(void **state)
{
    const struct with far[] = { { "dist", 2 }, { "radius", 1.5 }, { 0 } };
    refused(*state, "capped", far, "capped.dist");
    refused(*state, "capped_stored", far, "capped.dist");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_by_monte_carlo), cmocka_unit_test(test_sigmoid_by_quadrature),
        cmocka_unit_test(test_sigmoid_on_the_axis), cmocka_unit_test(test_sigmoid_margins),
        cmocka_unit_test(test_capped_by_quadrature), cmocka_unit_test(test_capped_closed_forms),
        cmocka_unit_test(test_capped_far_apart),
        cmocka_unit_test(test_stored), cmocka_unit_test(test_gap_of_one_record),
        cmocka_unit_test(test_gap_of_contradictions), cmocka_unit_test(test_bad_parameters),
    };
    return cmocka_run_group_tests_name("nonconvex", tests, hard_setup, hard_teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_glm.c - linear models with random design: population excess, gradient and optimum, compared with closed
 * forms, adaptive quadrature of other integrals, and samples. A sample has a feature vector a, the score <a, x>
 * and a label drawn by the weights w of the model; s is the size of the noise of labels. */
#include "support/glm_cases.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>

static const double sizes[] = { 1e-7, 1e-4, 0.03, 0.7, 3, 40 };
enum { SIZES = sizeof sizes / sizeof *sizes };

/* --- gaussian design, labels with noise: the residual is normal of variance E<a, x - w>^2 + s^2 */

static void test_squares(void **state)
{
    struct instance in = INSTANCE(*state, "glm", { "d", 5 }, { "loss", 0, "squares" },
                                  { "radius", INFINITY }, { "a0", 2 }, { "decades", 2 });
    double x[D_MAX], star[D_MAX];
    in.p->minimiser(in.self, star);
    for (int k = 0; k < SIZES; k++) {
        double sum = 0;
        beside(&in, 1, sizes[k], x);
        for (long j = 0; j < 5; j++)
            sum += 4 * pow(10, -(double)j / 2) * (x[j] - star[j]) * (x[j] - star[j]);
        near(excess(&in, x), sum / 2, 1e-12);
    }
    near(in.f.f_star, 0.125, 1e-13);                 /* F* = s^2/2, s = 0.5 */
    near(in.f.M_F, 4, 1e-15);
    near(in.f.mu, 0.04, 1e-14);
    near(vec_norm(5, star), 0.5, 1e-15);
}

static void test_absolute(void **state)
{
    static const double s[] = { 1e-3, 0.5, 20 };
    for (int i = 0; i < 3; i++) {
        struct instance in = INSTANCE(*state, "glm", { "d", 3 }, { "loss", 0, "absolute" },
                                      { "s", s[i] }, { "radius", INFINITY }, { "a0", 2 });
        double x[D_MAX], g[D_MAX], star[D_MAX];
        in.p->minimiser(in.self, star);
        near(in.f.f_star, s[i] * sqrt(2 / M_PI), 1e-13);
        near(in.f.M_F, 4 * sqrt(2 / M_PI) / s[i], 1e-13);
        for (int k = 0; k < SIZES; k++) {
            beside(&in, 2, sizes[k], x);
            double rho = 2 * vec_dist(3, x, star), all = hypot(rho, s[i]);
            near(excess(&in, x), sqrt(2 / M_PI) * rho * rho / (all + s[i]), 1e-12);
            in.p->grad(in.self, x, g);
            near(vec_norm(3, g), sqrt(2 / M_PI) * 2 * rho / all, 1e-12);
        }
    }
}

/* The minimiser is on the sphere, at distance 0.2 from the model's weights. */
static void test_optimum_outside(void **state)
{
    struct instance lad = INSTANCE(*state, "glm", { "d", 3 }, { "loss", 0, "absolute" },
                                   { "rr", 1.2 });
    struct instance squares = INSTANCE(*state, "glm_sphere", { "d", 5 }, { "rr", 1.2 },
                                       { "loss", 0, "squares" });
    near(lad.f.f_star, sqrt(2 / M_PI) * hypot(0.2, 0.5), 1e-13);
    near(lad.f.Phi, sqrt(2 / M_PI) * (hypot(1.2, 0.5) - hypot(0.2, 0.5)), 1e-12);
    near(squares.f.f_star, (0.04 / 5 + 0.25 / 3) / 2, 1e-13);
    near(squares.f.Phi, 1.4 / 10, 1e-13);            /* Phi = (1.2^2 - 0.2^2)/(2 d) */
    /* G^2 is the maximum over the ball of E|a|^2 (<a,e> + noise)^2, e = x - x*. It is attained at -x*, where |e| =
     * 2.2; the noise has variance s^2/3. */
    near(squares.f.G, sqrt(2.2 * 2.2 / 5 + 0.25 / 3), 1e-14);
    near(squares.f.L, 2.2 + 0.5, 1e-14);
}

/* Without noise the risk of least absolute deviations is a cone |x - x*| up to a factor, which is smooth nowhere
 * near x*. */
static void test_absolute_exact_labels(void **state)
{
    struct instance in = INSTANCE(*state, "glm", { "d", 4 }, { "loss", 0, "absolute" },
                                  { "s", 0 }, { "radius", INFINITY });
    double x[D_MAX];
    assert_true(in.f.f_star == 0 && isnan(in.f.M_F) && in.f.mu == 0);
    for (int k = 0; k < SIZES; k++) {
        double size = beside(&in, 3, sizes[k], x);
        near(excess(&in, x), sqrt(2 / M_PI) * size, 1e-12);
    }
}

/* Returns E of the huber loss, with threshold h, of a residual with the law N(0, v). */
static double huber_of_normal(double h, double v)
{
    double z = h / sqrt(v), phi = exp(-z * z / 2) / sqrt(2 * M_PI), inside = erf(z * M_SQRT1_2);
    return v / 2 * (inside - 2 * z * phi) + 2 * h * sqrt(v) * phi - h * h / 2 * (1 - inside);
}

static void test_huber(void **state)
{
    static const double s[] = { 0, 0.01, 0.5, 20 };
    for (int i = 0; i < 4; i++) {
        struct instance in = INSTANCE(*state, "glm", { "d", 3 }, { "loss", 0, "huber" },
                                      { "s", s[i] }, { "h", 0.8 }, { "radius", INFINITY });
        double x[D_MAX], least = s[i] > 0 ? huber_of_normal(0.8, s[i] * s[i]) : 0;
        assert_true(fabs(in.f.f_star - least) <= 1e-13 * least);
        for (int k = 2; k < SIZES; k++) {            /* for smaller sizes the closed form loses its digits by
                                                        cancellation */
            beside(&in, 4, sizes[k], x);
            double all = huber_of_normal(0.8, sizes[k] * sizes[k] + s[i] * s[i]);
            near(excess(&in, x), all - least, 1e-12 * (1 + all / (all - least)));
        }
        for (int k = 0; k < 2; k++) {                /* near the minimiser the excess is (v - s^2) dE/dv, where v is
                                                        the variance of the residual */
            double P = s[i] > 0 ? erf(0.8 / s[i] * M_SQRT1_2) : 1;
            beside(&in, 4, sizes[k], x);
            near(excess(&in, x), P / 2 * sizes[k] * sizes[k], 1e-3 * sizes[k] + 1e-8);
        }
    }
}

/* --- least absolute deviations: the excess is the mean of H(u) = E|u - noise| - E|noise| over u = <a, x - x*>, by
 * adaptive quadrature */

/* The law of u = rho t. d: t is an entry of a random unit vector in d dimensions; infinite: t is normal. c: the
 * noise is uniform on [-c, c]; negative: Laplace noise of scale -c. */
struct score { double d, rho, c; };

/* Returns H(u) for u >= 0. */
static double absolute_of(double u, double c)
{
    if (c < 0)
        return u + c * (1 - exp(u / c));
    return u <= c ? u * u / (2 * c) : u - c / 2;     /* uniform on [-c, c] */
}

static double weighted(double t, void *self)
{
    const struct score *q = self;
    double weight = isinf(q->d) ? exp(-t * t / 2) : pow(1 - t * t, (q->d - 3) / 2);
    return weight * absolute_of(q->rho * t, q->c);
}

static double expected_excess(const struct score *q)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
    gsl_function f = { weighted, (void *)q };
    double end = isinf(q->d) ? 12 : 1, middle = fmin(end, fabs(q->c) / q->rho), a, b = 0, error;
    double mass = isinf(q->d) ? sqrt(M_PI / 2)
                : sqrt(M_PI) / 2 * exp(gsl_sf_lngamma((q->d - 1) / 2) - gsl_sf_lngamma(q->d / 2));
    assert_int_equal(gsl_integration_qags(&f, 0, middle, 0, 1e-13, 1000, w, &a, &error), 0);
    if (middle < end)
        assert_int_equal(gsl_integration_qags(&f, middle, end, 0, 1e-12, 1000, w, &b, &error), 0);
    gsl_integration_workspace_free(w);
    return (a + b) / mass;
}

/* Least absolute deviations with uniform noise on [-s, s], and feature vectors on the unit sphere: the excess is
 * compared with quadrature, and for small sizes with its closed form. */
static void test_lad_on_the_sphere(void **state)
{
    static const double dims[] = { 3, 4, 7, 16 };
    for (int i = 0; i < 4; i++) {
        struct instance in = INSTANCE(*state, "glm_sphere", { "d", dims[i] }, { "s", 0.3 },
                                      { "radius", 100 }, { "rr", 0.01 });
        double x[D_MAX];
        near(in.f.f_star, 0.15, 1e-14);
        assert_true(in.f.L == 1);
        for (int k = 0; k < SIZES; k++) {
            double size = beside(&in, 5, sizes[k], x);
            struct score q = { dims[i], size, 0.3 };
            near(excess(&in, x), expected_excess(&q), 1e-11);
            /* If size <= s = 0.3, the score size t stays in [-s, s], where the mean of the loss over the noise is
             * the parabola s/2 + (size t)^2/(2 s); E t^2 = 1/d. */
            if (size <= 0.3)
                near(excess(&in, x), size * size / (0.6 * dims[i]), 1e-12);
        }
    }
}

/* The score t of a feature vector on the unit sphere is uniform on [-1, 1] in 3 dimensions, has the arcsine law in
 * 2, and is +-1 in 1. By symmetry only |t| matters. */
static void test_lad_small_dimensions(void **state)
{
    for (double d = 1; d <= 3; d++) {
        struct instance in = INSTANCE(*state, "glm_sphere", { "d", d }, { "s", 0.5 },
                                      { "radius", 10 }, { "rr", 0.1 }, { "a0", 2 });
        for (double rho = 0.25; rho < 8; rho *= 2) {
            double x[D_MAX], c = 0.5, truth = absolute_of(rho, c);
            double k = fmin(1, c / rho), p = asin(k), rest = sqrt(1 - k * k);
            if (d == 3)
                truth = rho > c ? (c * c / 6 + (rho * rho - c * c) / 2 - c / 2 * (rho - c)) / rho
                                : rho * rho / (6 * c);
            if (d == 2)                              /* t is the sine of a uniform angle */
                truth = (rho * rho / (2 * c) * (p - k * rest) / 2 + rho * rest -
                         c / 2 * (M_PI_2 - p)) / M_PI_2;
            beside(&in, 6, rho / 2, x);
            near(excess(&in, x), truth, 1e-11);
        }
    }
}

static void test_laplace_noise(void **state)
{
    struct instance in = INSTANCE(*state, "glm", { "d", 6 }, { "loss", 0, "absolute" },
                                  { "noise", 0, "laplace" }, { "s", 0.3 }, { "radius", INFINITY });
    double x[D_MAX];
    near(in.f.f_star, 0.3, 1e-13);                   /* F* = E|noise| */
    for (int k = 2; k < SIZES; k++) {                /* for smaller sizes 1 - exp loses its digits by
                                                        cancellation */
        struct score q = { INFINITY, sizes[k], -0.3 };
        beside(&in, 7, sizes[k], x);
        near(excess(&in, x), expected_excess(&q), 1e-11);
    }
}

/* --- logistic: a double integral over the plane of x and w */

static double softplus(double z) { return fmax(z, 0) + log1p(exp(-fabs(z))); }
static double sigmoid(double z) { return 1 / (1 + exp(-z)); }

/* Returns E[s(u) - s(v) - s'(v)(u - v)], s softplus, u = <a,x>, v = <a,w>, in polar coordinates: the projection of
 * a/a0 on the plane has density ~ (1 - q^2)^((d-4)/2), or is normal. */
static double bregman(double d, double a0, long n, const double *x, const double *w)
{
    enum { RADII = 200, ANGLES = 256 };
    gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc(RADII);
    double along = vec_dot(n, x, w) / vec_norm(n, w), length = vec_norm(n, w), sum = 0, mass = 0;
    double across = sqrt(fmax(0, vec_dot(n, x, x) - along * along)), end = isinf(d) ? 10 : 1;
    for (size_t k = 0; k < RADII; k++) {
        double q, weight;
        gsl_integration_glfixed_point(0, end, k, &q, &weight, t);
        weight *= q * (isinf(d) ? exp(-q * q / 2) : pow(1 - q * q, (d - 4) / 2));
        mass += weight * ANGLES;
        for (int j = 0; j < ANGLES; j++) {
            double p = 2 * M_PI * j / ANGLES, v = a0 * q * cos(p) * length;
            double u = a0 * q * (cos(p) * along + sin(p) * across);
            sum += weight * (softplus(u) - softplus(v) - sigmoid(v) * (u - v));
        }
    }
    gsl_integration_glfixed_table_free(t);
    return sum / mass;
}

static void logistic_against_plane(struct instance in, double d, double a0, double inside)
{
    double x[D_MAX], star[D_MAX], w[D_MAX];
    in.p->minimiser(in.self, star);
    vec_lincomb(in.d, inside, star, 0, star, w);    /* if inside = 1, w is x*; else x* is w projected on the ball */
    double least = bregman(d, a0, in.d, star, w);
    for (int k = 0; k < SIZES - 2; k++) {
        beside(&in, 8, sizes[k], x);
        if (inside > 1)                              /* where the ball binds, the point is projected on it */
            in.p->sets[0].project(in.self, x);
        double truth = bregman(d, a0, in.d, x, w) - least, e = vec_dist(in.d, x, star);
        /* The terms of the integrand cancel: an error of 1e-16 in each of them is allowed. */
        if (fabs(excess(&in, x) - truth) > 1e-10 * truth + 4e-16 * (1 + e))
            fail_msg("%.17g, expected %.17g", excess(&in, x), truth);
    }
}

static void test_logistic(void **state)
{
    logistic_against_plane(INSTANCE(*state, "glm", { "d", 5 }, { "radius", 2 }, { "a0", 1.5 }),
                           INFINITY, 1.5, 1);
    logistic_against_plane(INSTANCE(*state, "glm", { "d", 5 }, { "radius", 2 }, { "rr", 1.3 }),
                           INFINITY, 1, 1.3);
    for (double d = 4; d <= 16; d *= 2) {
        logistic_against_plane(INSTANCE(*state, "glm_sphere", { "d", d }, { "a0", 4 },
                                         { "loss", 0, "logistic" }), d, 4, 1);
        logistic_against_plane(INSTANCE(*state, "glm_sphere", { "d", d }, { "a0", 2 },
                                         { "rr", 1.5 }, { "loss", 0, "logistic" }), d, 2, 1.5);
    }
}

/* --- hinge: given v = <a,w> with |w| = 1, the score <a,x> is normal */

/* Returns the mean of max(0, 1 - Z) for a normal Z of mean m and standard deviation s. */
static double hinge_of_normal(double m, double s)
{
    double z = (1 - m) / s;
    return s * exp(-z * z / 2) / sqrt(2 * M_PI) + (1 - m) * (1 + erf(z * M_SQRT1_2)) / 2;
}

/* along, across: the parts of x along w and orthogonal to it; flip: the probability that a label is flipped. */
struct halfline { double along, across, flip; };

/* Returns the integrand for v > 0, where y = 1 except for flips; v < 0 is its mirror image. */
static double hinge_at(double v, void *self)
{
    const struct halfline *q = self;
    return 2 * exp(-v * v / 2) / sqrt(2 * M_PI) *
           ((1 - q->flip) * hinge_of_normal(q->along * v, q->across) +
            q->flip * hinge_of_normal(-q->along * v, q->across));
}

static void test_hinge(void **state)
{
    struct instance in = INSTANCE(*state, "glm", { "d", 4 }, { "loss", 0, "hinge" },
                                  { "flip", 0.15 }, { "radius", INFINITY });
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(1000);
    double x[D_MAX], star[D_MAX], error;
    in.p->minimiser(in.self, star);
    double length = vec_norm(4, star);
    near(length, 1 / sqrt(2 * log(0.85 / 0.7)), 1e-14);
    for (int k = 1; k < SIZES; k++) {
        beside(&in, 9, sizes[k], x);
        double along = vec_dot(4, x, star) / length;
        struct halfline q = { along, sqrt(vec_dot(4, x, x) - along * along), 0.15 };
        gsl_function f = { hinge_at, &q };
        double knee = 1 / fabs(along), near_it = fmin(knee, 8 * q.across * knee), F = 0;
        double part, at[] = { 0, knee - near_it, knee, knee + near_it, fmax(14, knee + near_it) };
        for (int m = 0; m < 4; m++) {                /* the four pieces have different scales */
            assert_int_equal(gsl_integration_qags(&f, at[m], at[m + 1], 1e-15, 1e-12, 1000, work,
                                                  &part, &error), 0);
            F += part;
        }
        near(in.f.f_star + excess(&in, x), F, 1e-12);
    }
    gsl_integration_workspace_free(work);
}

/* M_F is the largest second derivative of the mean hinge loss. It is attained on the axis of w, at the distance
 * `at` from 0, at which the formula of the family for M_F takes its maximum. */
static void test_hinge_curvature(void **state)
{
    for (int k = 0; k < 2; k++) {
        struct instance in = INSTANCE(*state, k ? "glm_sphere" : "glm", { "d", 7 },
                                      { "loss", 0, "hinge" }, { "radius", 4 }, { "flip", 0.1 });
        double x[D_MAX], w[D_MAX], g[D_MAX], turn = 0, h = 1e-5, at = sqrt((k ? 7 : 1) / 3.0);
        in.p->minimiser(in.self, w);
        double length = vec_norm(7, w);
        for (int side = -1; side <= 1; side += 2) {
            vec_lincomb(7, (at + side * h) / length, w, 0, w, x);
            in.p->grad(in.self, x, g);
            turn += side * vec_dot(7, g, w) / length / (2 * h);
        }
        near(turn, in.f.M_F, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squares), cmocka_unit_test(test_absolute),
        cmocka_unit_test(test_optimum_outside), cmocka_unit_test(test_absolute_exact_labels),
        cmocka_unit_test(test_huber), cmocka_unit_test(test_lad_on_the_sphere),
        cmocka_unit_test(test_lad_small_dimensions), cmocka_unit_test(test_laplace_noise),
        cmocka_unit_test(test_logistic), cmocka_unit_test(test_hinge),
        cmocka_unit_test(test_hinge_curvature),
    };
    return cmocka_run_group_tests_name("glm", tests, setup, teardown);
}

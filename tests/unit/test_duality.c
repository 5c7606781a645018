/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_duality.c - losses with their conjugates and proximal points, and the certified reference of stored linear
 * models, compared with enumeration, closed forms and least squares. */
#include <float.h>

#include "support/instances.h"

#include <gsl/gsl_multifit.h>

#include "problems/parts/losses.h"

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

/* --- losses: slopes, values of arrays, conjugates, proximal points */

static double label_of(const struct loss *l, struct rng *r)
{
    return l->signs ? rng_sign(r) : rng_normal(r);
}

/* The slope of a loss must be a subgradient where the loss is convex, and the derivative where it is smooth. It
 * must be within the stated bounds. */
static void test_slopes(void **state)
{
    struct rng r = rng_stream(1);
    for (int k = 0; k < LOSSES; k++)
        for (int i = 0; i < 2000; i++) {
            const struct loss *l = &losses[k];
            double h = exp(rng_normal(&r)), y = label_of(l, &r), e = 1e-6;
            double z = 3 * rng_normal(&r), u = 3 * rng_normal(&r), s = l->slope(h, z, y);
            double step = (l->value(h, z + e, y) - l->value(h, z - e, y)) / (2 * e);
            double turn = l->slope(h, u, y) - s;
            if (fabs(step - s) > 1e-8 && l->smooth(h) < INFINITY)
                fail_msg("%s: slope %.12g, %.12g", l->name, s, step);
            if (l->weak(h) == 0)
                assert_true(l->value(h, u, y) >= l->value(h, z, y) + s * (u - z) - 1e-12);
            assert_true(fabs(s) <= l->lipschitz(h));
            assert_true(fabs(turn) <= l->smooth(h) * fabs(u - z) + 1e-12);
            assert_true(turn * (u - z) >= -l->weak(h) * (u - z) * (u - z) - 1e-12 ||
                        isinf(l->weak(h)));
        }
}

/* Values and slopes at NaN must be NaN, so that an iterate that has diverged does not look like one that has
 * converged. */
static void test_no_number(void **state)
{
    for (int k = 0; k < LOSSES; k++)
        assert_true(isnan(losses[k].value(1, NAN, 1)) && isnan(losses[k].slope(1, NAN, 1)));
}

/* Arrays of scores must give the values of single scores. The two computations differ by four elementary functions,
 * each within 2 ulp; subnormal numbers count as 0. */
static void test_arrays(void **state)
{
    enum { M = 203 };
    static const double ends[] = { 0, -0.0, 1, -1, 36, -36, 800, -800, INFINITY, -INFINITY, NAN };
    struct rng r = rng_stream(7);
    for (int k = 0; k < LOSSES; k++) {
        const struct loss *l = &losses[k];
        double z[M], y[M], v[M], s[M], h = 0.7;
        for (int i = 0; i < M; i++) {
            y[i] = label_of(l, &r);
            z[i] = i < 11 ? ends[i] : i < 22 ? -ends[i - 11] : 5 * rng_normal(&r);
        }
        vec_copy(M, z, v);
        vec_copy(M, z, s);
        l->values(h, M, y, v);
        l->slopes(h, M, y, s);
        for (int i = 0; i < M; i++) {
            double value = l->value(h, z[i], y[i]), slope = l->slope(h, z[i], y[i]);
            bool same_value = v[i] == value || (isnan(v[i]) && isnan(value));
            bool same_slope = s[i] == slope || (isnan(s[i]) && isnan(slope));
            if (!same_value && !(fabs(v[i] - value) <= 8 * DBL_EPSILON * fabs(value) + DBL_MIN))
                fail_msg("%s(%g): %.17g, alone %.17g", l->name, z[i], v[i], value);
            if (!same_slope && !(fabs(s[i] - slope) <= 8 * DBL_EPSILON * fabs(slope) + DBL_MIN))
                fail_msg("%s'(%g): %.17g, alone %.17g", l->name, z[i], s[i], slope);
        }
    }
}

/* Young's inequality l(z) + l*(alpha) >= alpha z holds everywhere, with equality where alpha is the slope at z.
 * This defines the conjugate l* in the interior of its domain; outside the range of the slopes it is infinite. */
static void test_conjugates(void **state)
{
    struct rng r = rng_stream(2);
    for (int k = 0; k < LOSSES; k++) {
        const struct loss *l = &losses[k];
        assert_true((l->conjugate == NULL) == (l->weak(1) > 0));
        for (int i = 0; l->conjugate && i < 2000; i++) {
            double h = exp(rng_normal(&r)), y = label_of(l, &r), z = 3 * rng_normal(&r);
            double s = l->slope(h, z, y), alpha = s + 0.1 * rng_normal(&r);
            double equal = l->value(h, z, y) + l->conjugate(h, s, y) - s * z;
            if (fabs(equal) > 1e-13 * (1 + fabs(z * s)))
                fail_msg("%s: l + l* - alpha z = %g", l->name, equal);
            assert_true(l->value(h, z, y) + l->conjugate(h, alpha, y) >= alpha * z - 1e-13);
            double beyond = l->lipschitz(h) + 0.01;
            assert_true(isinf(beyond) || isinf(l->conjugate(h, beyond, y)));
        }
        if (l->conjugate && l->signs)                /* all slopes are multiples of -y, so that the conjugate is
                                                        infinite for alpha of the sign of y */
            assert_true(isinf(l->conjugate(1, 0.01, 1)) && isinf(l->conjugate(1, -0.01, -1)));
    }
}

/* The proximal point z of c, which minimises the loss plus (z - c)^2/(2t), satisfies its condition: (c - z)/t is a
 * subgradient of the loss at z, and so lies between the slopes on either side. */
static void test_proximal_points(void **state)
{
    struct rng r = rng_stream(3);
    for (int k = 0; k < LOSSES; k++) {
        const struct loss *l = &losses[k];
        assert_true((l->prox == NULL) == (l->weak(1) > 0));
        for (int i = 0; l->prox && i < 2000; i++) {
            double h = exp(rng_normal(&r)), t = exp(2 * rng_normal(&r)), y = label_of(l, &r);
            double c = 4 * rng_normal(&r), z = l->prox(h, t, c, y), s = (c - z) / t, e = 1e-9;
            double slack = 4 * e + 1e-14 * (1 + fabs(c)) / t;
            if (!(s >= l->slope(h, z - e, y) - slack && s <= l->slope(h, z + e, y) + slack))
                fail_msg("%s: c %g, t %g, z %g", l->name, c, t, z);
        }
    }
}

/* --- the certified optimum of stored records */

enum { N_MAX = 64, D = 2 };

/* Reads gradient and value of each record at 0. Let record i have the feature vector a_i and the label y_i. For the
 * loss `absolute` a[i] <- sign(y_i) a_i and y[i] <- |y_i|; for `hinge`, with labels +-1, a[i] <- y_i a_i and y[i]
 * <- 1. */
static void records(const struct instance *in, double a[][D], double *y)
{
    double zero[D] = { 0 }, g[D];
    for (long i = 0; i < (long)in->f.n; i++) {
        instance_sample_grad(in, i, zero, g);
        for (int j = 0; j < D; j++)
            a[i][j] = -g[j];
        y[i] = in->p->sample_value(in->self, i, zero);       /* the loss at score 0 */
    }
}

/* F(x) - least must lie between e - error and e, where e is the measured excess at x, and the error must be at most
 * 1e-9 (1 + |F(x)|). */
static void brackets(const struct instance *in, const double *x, double least)
{
    double error, e = in->p->measures[0].at(in->self, x, &error), F = in->p->value(in->self, x);
    EXPECT(in, F - least <= e + 1e-14 && F - least >= e - error - 1e-14,
           "F - F* = %.15g, measured %.15g, error %g", F - least, e, error);
    EXPECT(in, error <= 1e-9 * (1 + fabs(F)), "error %g", error);
}

/* Returns the least value of a piecewise linear F over the crossings of two kinks that lie inside the ball. If F
 * has its minimum over the plane inside the ball, it attains it at one of them. */
static double least_vertex(const struct instance *in, double a[][D], const double *y)
{
    double least = INFINITY;
    for (long i = 0; i < (long)in->f.n; i++)
        for (long j = 0; j < i; j++) {
            double det = a[i][0] * a[j][1] - a[i][1] * a[j][0];
            double x[D] = { (y[i] * a[j][1] - y[j] * a[i][1]) / det,
                            (a[i][0] * y[j] - a[j][0] * y[i]) / det };
            if (vec_norm(D, x) < in->f.radius)
                least = fmin(least, in->p->value(in->self, x));
        }
    return least;
}

static void test_vertices(void **state)
{
    static const char *const names[] = { "absolute", "hinge" };
    for (int k = 0; k < 2; k++)
        for (double n = 7; n <= N_MAX; n += 19) {
            struct instance in = INSTANCE(*state, "glm_stored", { "d", D }, { "n", n },
                                          { "loss", 0, names[k] }, { "radius", 30 },
                                          { "rr", 0.02 }, { "flip", 0.3 });
            struct rng r = rng_stream(4);
            double a[N_MAX][D], y[N_MAX], x[D];
            records(&in, a, y);
            double least = least_vertex(&in, a, y);
            for (int i = 0; i < 20; i++) {
                instance_point(&in, &r, x);
                brackets(&in, x, least);
            }
        }
}

/* For |x| <= 1 no hinge reaches its kink, so that F = 1 - <mean of y_i a_i, x>. */
static void test_hinge_before_its_kinks(void **state)
{
    for (double radius = 0.25; radius <= 1; radius *= 2) {
        struct instance in = INSTANCE(*state, "glm_stored", { "d", D }, { "n", 50 },
                                      { "loss", 0, "hinge" }, { "radius", radius });
        double a[N_MAX][D], y[N_MAX], mean[D] = { 0 }, x[D] = { 0 };
        records(&in, a, y);
        for (int i = 0; i < 50; i++)
            for (int j = 0; j < D; j++)
                mean[j] += a[i][j] / 50;
        brackets(&in, x, 1 - radius * vec_norm(D, mean));
        in.p->linear_min(in.self, (double[]){ -mean[0], -mean[1] }, x);
        brackets(&in, x, 1 - radius * vec_norm(D, mean));
    }
}

static void test_least_squares(void **state)
{
    struct instance in = INSTANCE(*state, "glm_stored", { "d", D }, { "n", 40 },
                                  { "loss", 0, "squares" }, { "radius", 3 }, { "rr", 0.2 });
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(40, D);
    gsl_matrix *A = gsl_matrix_alloc(40, D), *cov = gsl_matrix_alloc(D, D);
    gsl_vector *b = gsl_vector_alloc(40), *x = gsl_vector_alloc(D);
    double a[N_MAX][D], y[N_MAX], residual, zero[D] = { 0 };
    records(&in, a, y);                              /* for squares `records` gives y_i a_i and y_i^2/2 */
    for (size_t i = 0; i < 40; i++) {
        double label = sqrt(2 * y[i]);
        gsl_vector_set(b, i, label);
        for (size_t j = 0; j < D; j++)
            gsl_matrix_set(A, i, j, a[i][j] / label);
    }
    assert_int_equal(gsl_multifit_linear(A, b, x, cov, &residual, work), 0);
    assert_true(hypot(x->data[0], x->data[1]) < 3);
    brackets(&in, zero, residual / 80);
    brackets(&in, x->data, residual / 80);
    gsl_multifit_linear_free(work);
    gsl_matrix_free(A);
    gsl_matrix_free(cov);
    gsl_vector_free(b);
    gsl_vector_free(x);
}

/* The certificate must also hold for sizes that are too large for enumeration. */
static void test_large(void **state)
{
    static const char *const names[] = { "absolute", "hinge", "logistic", "huber" };
    for (int k = 0; k < 4; k++)
        for (double radius = 0.5; radius < 5; radius *= 9) {
            struct instance in = INSTANCE(*state, "glm_stored", { "d", 32 }, { "n", 1000 },
                                          { "loss", 0, names[k] }, { "radius", radius },
                                          { "rr", 0.5 / radius }, { "h", 0.1 });
            double zero[32] = { 0 }, error, e = in.p->measures[0].at(in.self, zero, &error);
            EXPECT(&in, error <= 1e-9 && e > 100 * error, "excess %g, error %g", e, error);
        }
}

/* The gap computed from the slopes at x bounds the excess of x without a reference optimum. The bound is tight
 * where the loss is smooth. */
static void test_gap(void **state)
{
    struct instance in = INSTANCE(*state, "glm_stored", { "d", 4 }, { "loss", 0, "huber" },
                                  { "h", 0.2 }, { "radius", 0.4 }, { "rr", 2 });
    struct rng r = rng_stream(5);
    double x[4], g[4], error, e, gap;
    for (int i = 0; i < 100; i++) {
        instance_point(&in, &r, x);
        e = in.p->measures[0].at(in.self, x, &error);
        gap = in.p->measures[1].at(in.self, x, &(double){ 0 });
        EXPECT(&in, gap >= e - error, "gap %g, excess %g", gap, e);
    }
    for (int i = 0; i < 20000; i++) {                /* steps of projected descent */
        in.p->grad(in.self, x, g);
        vec_axpy(4, -1 / in.f.M_F, g, x);
        in.p->sets[0].project(in.self, x);
    }
    e = in.p->measures[0].at(in.self, x, &error);
    gap = in.p->measures[1].at(in.self, x, &(double){ 0 });
    /* At the optimum <g,x> = -r |g|, so that the gap is nothing but rounding. */
    EXPECT(&in, gap >= e - error - DBL_EPSILON && gap < 1e-9 && e - error < 1e-12, "gap %g, excess %g", gap, e);
}

/* The records are the first n samples of the stream. The third measure of the stored family is the ruler of the
 * stream, which measures the population. Without a ball the stored family is refused. */
static void test_population(void **state)
{
    struct instance stored = INSTANCE(*state, "glm_stored", { "d", 6 }, { "n", 30 }, { "a0", 2 });
    struct instance stream = INSTANCE(*state, "glm_sphere", { "d", 6 }, { "a0", 2 });
    struct rng r = rng_stream(6);
    double x[6], g[6], h[6], error;
    for (long i = -2; i < 30; i++) {
        instance_point(&stored, &r, x);
        instance_sample_grad(&stored, i, x, g);
        instance_sample_grad(&stream, i, x, h);
        assert_memory_equal(g, h, sizeof g);
        assert_true(stored.p->measures[2].at(stored.self, x, &error) ==
                    stream.p->measures[0].at(stream.self, x, &error));
    }
    struct instance in;
    struct why why = { "" };
    assert_int_equal(instance_with(*state, stored.p,
                                   (struct with[]){ { "radius", INFINITY }, { 0 } }, &in, &why),
                     BAD_INPUT);
    assert_non_null(strstr(why.text, "glm_stored.radius"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slopes), cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_conjugates),
        cmocka_unit_test(test_proximal_points), cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_hinge_before_its_kinks), cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_large), cmocka_unit_test(test_gap),
        cmocka_unit_test(test_population),
    };
    return cmocka_run_group_tests_name("duality", tests, setup, teardown);
}

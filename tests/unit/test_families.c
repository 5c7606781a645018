/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_families.c - the families linear, chain and huber, compared with closed forms and other algorithms. */
#include "support/instances.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

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

static double excess(const struct instance *in, const double *x)
{
    double error = NAN;
    double value = in->p->measures[0].at(in->self, x, &error);
    assert_true(error == 0);
    return value;
}

static void near(double value, double truth, double relative)
{
    if (!(fabs(value - truth) <= relative * fabs(truth)))
        fail_msg("%.17g, expected %.17g", value, truth);
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

/* --- the family linear */

static void test_linear(void **state)
{
    struct instance in = INSTANCE(*state, "linear", { "d", 6 }, { "hardness", 0.25 }, { "s", 2 },
                                  { "radius", 3 });
    double x[6], g[6];
    in.p->minimiser(in.self, x);
    in.p->grad(in.self, x, g);
    near(vec_norm(6, g), 0.25, 1e-15);
    near(vec_norm(6, x), 3, 1e-15);
    near(vec_dot(6, g, x), -0.75, 1e-15);            /* F* = -r h, r the radius and h the hardness */
    near(in.f.f_star, -0.75, 1e-15);
    near(in.f.Phi, 0.75, 1e-15);
    near(in.f.L, 2.25, 1e-15);
    near(in.f.G, sqrt(0.0625 + 4), 1e-15);
    assert_true(in.f.M == 0 && in.f.M_F == 0 && in.f.mu == 0 && in.f.dist == 3);
    vec_scale(6, 1 - 0x1p-40, x);                    /* at (1 - t) x* the excess is t r h, here with t = 2^-40 and r
                                                        h = 0.75 */
    near(excess(&in, x), 0x1p-40 * 0.75, 1e-3);
    vec_scale(6, -1, x);
    near(excess(&in, x), 1.5, 1e-11);
}

/* A sample gradient of the family linear is mu, the gradient of F, plus one coordinate of size s. The mean of n
 * sample gradients differs from mu by s/sqrt(n) in root mean square; here n = 100. The squared difference has a
 * standard deviation below its mean, so that 6 standard errors over 200 batches are 6/sqrt(200) of the mean. */
static void test_linear_samples(void **state)
{
    struct instance in = INSTANCE(*state, "linear", { "d", 5 }, { "s", 2 });
    double x[5] = { 0 }, mu[5], g[5], miss = 0;
    in.p->grad(in.self, x, mu);
    for (long i = -2; i < 1000; i++) {
        int moved = 0;
        instance_sample_grad(&in, i, x, g);
        vec_sub(5, g, mu, g);
        for (int j = 0; j < 5; j++)
            moved += fabs(g[j]) > 1e-12;
        assert_int_equal(moved, 1);
        near(vec_norm(5, g), 2, 1e-15);
    }
    for (long k = 0; k < 200; k++) {
        struct samples s = { .first = 100 * k, .count = 100 };
        vec_zero(5, g);
        in.p->batch_grad(in.self, &s, NULL, x, 1, g);
        vec_sub(5, g, mu, g);
        miss += vec_dot(5, g, g) / 200;
    }
    near(miss, 4 / 100.0, 6 / sqrt(200));
}

/* --- the family chain */

/* Returns M A/4 as a dense matrix, where A has 2 on the diagonal and -1 beside it in the first k coordinates. */
static gsl_matrix *hessian(long d, long k, double M)
{
    gsl_matrix *A = gsl_matrix_calloc((size_t)d, (size_t)d);
    for (size_t i = 0; i < (size_t)k; i++) {
        gsl_matrix_set(A, i, i, M / 2);
        if (i + 1 < (size_t)k) {
            gsl_matrix_set(A, i, i + 1, -M / 4);
            gsl_matrix_set(A, i + 1, i, -M / 4);
        }
    }
    return A;
}

/* The gradient is affine with the matrix of `hessian`, and at 0 points along -e_1; the minimiser solves the system,
 * and has the requested norm. */
static void test_chain_minimiser(void **state)
{
    static const long k[] = { 1, 2, 3, 8, 11 };
    for (int t = 0; t < 5; t++) {
        long d = k[t] + t % 3;
        struct instance in = INSTANCE(*state, "chain", { "d", (double)d }, { "k", (double)k[t] },
                                      { "M", 3 }, { "dist", 0.7 });
        double x[16] = { 0 }, b[16], star[16], g[16];
        gsl_matrix *A = hessian(d, k[t], 3);
        in.p->grad(in.self, x, b);
        assert_true(b[0] < 0 && vec_norm(d, b) == -b[0]);
        vec_scale(d, -1, b);
        for (long j = k[t]; j < d; j++)              /* x_j = 0 for coordinates that the chain does not contain */
            gsl_matrix_set(A, (size_t)j, (size_t)j, 1);
        gsl_vector_view rhs = gsl_vector_view_array(b, (size_t)d);
        gsl_vector_view out = gsl_vector_view_array(x, (size_t)d);
        assert_int_equal(gsl_linalg_cholesky_decomp1(A), 0);
        assert_int_equal(gsl_linalg_cholesky_solve(A, &rhs.vector, &out.vector), 0);
        in.p->minimiser(in.self, star);
        assert_true(vec_dist(d, x, star) < 1e-14);
        near(vec_norm(d, star), 0.7, 1e-14);
        near(in.p->value(in.self, x), in.f.f_star, 1e-13);
        near(in.f.f_star, -vec_dot(d, b, x) / 2, 1e-13);
        in.p->grad(in.self, x, g);
        assert_true(vec_norm(d, g) < 1e-14);
        gsl_matrix_free(A);
    }
}

/* The stated mu, and the bound M on the curvature, are compared with the eigenvalues of the Hessian. */
static void test_chain_curvature(void **state)
{
    for (long d = 1; d <= 12; d++) {
        struct instance in = INSTANCE(*state, "chain", { "d", (double)d }, { "M", 5 });
        struct instance part = INSTANCE(*state, "chain", { "d", (double)(d + 1) },
                                        { "k", (double)d });
        gsl_matrix *A = hessian(d, d, 5);
        gsl_vector *values = gsl_vector_alloc((size_t)d);
        gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc((size_t)d);
        assert_int_equal(gsl_eigen_symm(A, values, w), 0);
        near(in.f.mu, gsl_vector_min(values), 1e-12);
        assert_true(gsl_vector_max(values) <= in.f.M && in.f.M == 5 && in.f.M_F == 5);
        assert_true(part.f.mu == 0);
        gsl_eigen_symm_free(w);
        gsl_vector_free(values);
        gsl_matrix_free(A);
    }
}

/* A step t e_1 from x* makes the excess M t^2/4, as A_11 = 2. The difference F(x) - F* in doubles would lose these
 * digits. */
static void test_chain_excess_keeps_its_digits(void **state)
{
    struct instance in = INSTANCE(*state, "chain", { "d", 7 });
    double x[7];
    in.p->minimiser(in.self, x);
    near(excess(&in, x), 0, 0);
    x[0] += 0x1p-30;
    near(excess(&in, x), 0x1p-62, 1e-6);
}

/* On a chain of 2T+1 coordinates, T gradient steps from 0 stay in the first T coordinates. The minimum over these
 * has the excess M a^2/(16 (T+1)), where x*_j = a (1 - j/(d+1)). This excess is above 3 M R^2/(32 (T+1)^2), R the
 * norm of x*. Conjugate gradients reach this minimum. */
static void test_chain_lower_bound(void **state)
{
    for (long T = 1; T <= 12; T++) {
        long d = 2 * T + 1;
        struct instance in = INSTANCE(*state, "chain", { "d", (double)d }, { "M", 2 });
        double x[32] = { 0 }, r[32], p[32], q[32], zero[32] = { 0 }, g0[32], star[32];
        in.p->minimiser(in.self, star);
        double a = star[d - 1] * (double)(d + 1), best = 2 * a * a / (16.0 * (double)(T + 1));
        double bound = 3 * 2 / (32.0 * (double)((T + 1) * (T + 1)));
        assert_true(best >= bound * (1 - 1e-12));

        in.p->grad(in.self, zero, g0);
        vec_lincomb(d, -1, g0, 0, g0, r);
        vec_copy(d, r, p);
        for (long t = 0; t < T; t++) {
            in.p->grad(in.self, p, q);
            vec_sub(d, q, g0, q);                    /* now q = H p, H the Hessian */
            double rr = vec_dot(d, r, r), alpha = rr / vec_dot(d, p, q);
            vec_axpy(d, alpha, p, x);
            vec_axpy(d, -alpha, q, r);
            vec_axpby(d, 1, r, vec_dot(d, r, r) / rr, p);
            for (long j = t + 1; j < d; j++)
                assert_true(x[j] == 0);
        }
        near(excess(&in, x), best, 1e-10);
        vec_zero(d, x);
        for (long t = 0; t < T; t++) {
            in.p->grad(in.self, x, r);
            vec_axpy(d, -0.5, r, x);
        }
        assert_true(excess(&in, x) >= best * (1 - 1e-12));
    }
}

static void test_chain_refuses(void **state)
{
    refused(*state, "chain", (struct with[]){ { "d", 5 }, { "k", 6 }, { 0 } }, "chain.k = 6");
    refused(*state, "chain", (struct with[]){ { "radius", 0.5 }, { 0 } }, "chain.radius = 0.5");
    refused(*state, "spectral_sphere", (struct with[]){ { "d", 5000 }, { 0 } }, "5000");
    refused(*state, "linear", (struct with[]){ { "radius", INFINITY }, { 0 } }, "radius");
}

/* --- the family huber */

static double after_descent(const struct instance *in, long N, double step)
{
    double x[2] = { 0 }, g[2];
    in->p->start(in->self, x);
    for (long t = 0; t < N; t++) {
        in->p->grad(in->self, x, g);
        vec_axpy(2, -step, g, x);
    }
    return excess(in, x);
}

/* N steps of gradient descent of length h/M, h <= 1, from a point at the distance R of the minimiser end with the
 * excess M R^2/(4Nh+2) exactly, if the parameter tau of the family is R/(2Nh+1). For any other tau the excess is at
 * most this, the worst case over all M-smooth convex functions. */
static void test_huber_worst_case(void **state)
{
    static const double h[] = { 0.1, 0.5, 1 };
    static const long N[] = { 1, 2, 7, 100 };
    const double M = 4, R = 3;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            double worst = M * R * R / (4 * (double)N[k] * h[i] + 2);
            double tau = R / (2 * (double)N[k] * h[i] + 1);
            struct instance in = INSTANCE(*state, "huber", { "M", M }, { "dist", R },
                                          { "tau", tau });
            near(after_descent(&in, N[k], h[i] / M), worst, 1e-12);
            for (double factor = 0.25; factor < 5; factor *= 1.5) {
                in = INSTANCE(*state, "huber", { "M", M }, { "dist", R }, { "tau", factor * tau });
                assert_true(after_descent(&in, N[k], h[i] / M) <= worst * (1 + 1e-12));
            }
        }
}

static void test_huber_facts(void **state)
{
    struct instance in = INSTANCE(*state, "huber", { "d", 3 }, { "M", 2 }, { "dist", 5 },
                                  { "tau", 0.5 });
    double x[3], g[3];
    in.p->start(in.self, x);
    assert_true(x[0] == 5 && x[1] == 0 && x[2] == 0);
    in.p->grad(in.self, x, g);
    near(vec_norm(3, g), in.f.L, 1e-15);
    assert_true(in.f.L == 1 && in.f.G == 1 && in.f.sigma == 0 && in.f.dist == 5);
    near(in.f.Phi, 2 * 0.5 * 5 - 2 * 0.25 / 2, 1e-15);       /* Phi = M tau R - M tau^2/2 */
    assert_true(in.f.f_star == 0 && isinf(in.f.radius));
    in = INSTANCE(*state, "huber", { "dist", 1.5 });         /* the default of tau is R/3 */
    near(in.f.L, 0.5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear), cmocka_unit_test(test_linear_samples),
        cmocka_unit_test(test_chain_minimiser), cmocka_unit_test(test_chain_curvature),
        cmocka_unit_test(test_chain_excess_keeps_its_digits),
        cmocka_unit_test(test_chain_lower_bound), cmocka_unit_test(test_chain_refuses),
        cmocka_unit_test(test_huber_worst_case), cmocka_unit_test(test_huber_facts),
    };
    return cmocka_run_group_tests_name("families", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_erm_optimum.c - reference optima of empirical risks, compared with Newton's method and first order
 * conditions. */
#include "support/erm_tables.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

/* x <- the minimiser by another algorithm: Newton's method with shorter steps where the gradient is large, and
 * linear algebra of the GSL. Returns the minimum. */
static double newton(const struct built *b, double l2, double *x)
{
    size_t d = (size_t)b->d;
    gsl_matrix *H = gsl_matrix_alloc(d, d);
    gsl_vector *g = gsl_vector_alloc(d);
    vec_zero(b->d, x);
    double f = 0;
    for (int k = 0; k < 100; k++) {
        gsl_matrix_set_identity(H);
        gsl_matrix_scale(H, l2);
        f = 0;
        for (size_t j = 0; j < d; j++) {
            gsl_vector_set(g, j, l2 * x[j]);
            f += l2 / 2 * x[j] * x[j];
        }
        for (long i = 0; i < b->n; i++) {
            double y = b->t->label[i] > 0 ? 1 : -1, s = 0, n = (double)b->n;
            struct entries a = table_row(b->t, i);
            for (long m = 0; m < a.count; m++)
                s += a.value[m] * x[a.index[m]];
            double q = 1 / (1 + exp(y * s));
            f += log1p(exp(-y * s)) / n;
            for (long m = 0; m < a.count; m++) {
                size_t j = (size_t)a.index[m];
                *gsl_vector_ptr(g, j) -= y * q * a.value[m] / n;
                for (long p = 0; p < a.count; p++)
                    *gsl_matrix_ptr(H, j, (size_t)a.index[p]) +=
                        q * (1 - q) * a.value[m] * a.value[p] / n;
            }
        }
        double norm = gsl_blas_dnrm2(g);
        assert_int_equal(gsl_linalg_cholesky_decomp1(H), 0);
        assert_int_equal(gsl_linalg_cholesky_svx(H, g), 0);
        for (size_t j = 0; j < d; j++)
            x[j] -= fmin(1, 3 / (1 + 10 * norm)) * gsl_vector_get(g, j);
        if (norm < 1e-13)
            break;
    }
    gsl_matrix_free(H);
    gsl_vector_free(g);
    return f;
}

static void check_against_newton(const char *data, double l2)
{
    struct built b = build(data, l2, INFINITY);
    double *x = arena_vec(b.a, b.d), *z = arena_vec(b.a, b.d), error;
    double f = newton(&b, l2, x);
    assert_true(fabs(b.f.f_star - f) <= 1e-9);
    assert_true(P->minimiser(b.self, z) && vec_dist(b.d, x, z) <= 1e-6);
    assert_true(fabs(b.f.dist - vec_norm(b.d, x)) <= 1e-6);
    assert_true(fabs(b.f.Phi - (M_LN2 - f)) <= 1e-9);
    double excess = measured(&b, "excess", x, &error);
    assert_true(error >= 0 && error <= 1e-13);
    assert_true(excess >= 0 && excess <= 1e-12);
    double distance = measured(&b, "distance", x, &error);
    assert_true(distance <= 1e-6 && error < 1e-5);
    vec_zero(b.d, z);
    assert_true(fabs(measured(&b, "excess", z, &error) - (M_LN2 - f)) <= 1e-9);
    assert_true(fabs(measured(&b, "objective", z, &error) - M_LN2) <= 1e-14 && error == 0);
    assert_true(measured(&b, "accuracy", z, &error) == 0);
    arena_free(b.a);
}

static void test_reference_against_newton(void **state)
{
    static const double l2[] = { 1, 0.01, 1e-4 };
    for (int k = 0; k < 3; k++) {
        for (int kind = 0; kind < KINDS; kind++)
            check_against_newton(file[kind], l2[k]);
        if (access("/usr/share/doc/liblinear-tools/examples/heart_scale", R_OK) == 0)
            check_against_newton("heart_scale", l2[k]);
    }
}

/* In a ball that excludes the minimiser over R^d, the optimum x is on the sphere, grad F(x) + nu x = 0 with nu >=
 * 0, and no feasible point that is tried is better. In a larger ball the constraint does not matter. */
static void test_ball(void **state)
{
    static const double part[] = { 1e-3, 0.5, 0.999999, 1.5 };
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < 4; k++)
            for (int ridge = kind == SEPARABLE; ridge < 2; ridge++) {
                struct built free_ = build(file[kind], 0.01 * ridge, INFINITY);
                double R = part[k] * free_.f.dist, error;
                struct built b = build(file[kind], 0.01 * ridge, R);
                struct rng r = rng_stream(9);
                double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *y = arena_vec(b.a, b.d);
                P->minimiser(b.self, x);
                P->grad(b.self, x, g);
                double excess = measured(&b, "excess", x, &error);
                assert_true(excess >= 0 && excess <= error * (1 + 1e-9));
                if (part[k] > 1) {
                    assert_true(fabs(b.f.f_star - free_.f.f_star) <= 1e-12);
                } else {
                    assert_true(error <= 1e-13);
                    assert_true(fabs(vec_norm(b.d, x) - R) <= 1e-12 * R);
                    double nu = -vec_dot(b.d, g, x) / (R * R);
                    assert_true(nu >= 0);
                    vec_axpy(b.d, nu, x, g);
                    assert_true(vec_norm(b.d, g) <= 1.5e-9 * sqrt(b.p.l2 + nu));
                    assert_true(P->minimiser(b.self, x));
                }
                for (int i = 0; i < 200; i++) {
                    rng_normals(&r, b.d, R * pow(10, -(double)(i % 6)), y);
                    vec_axpy(b.d, 1, x, y);
                    P->sets[0].project(b.self, y);
                    assert_true(vec_norm(b.d, y) <= R * (1 + 1e-15));
                    assert_true(P->value(b.self, y) >= b.f.f_star - error - 1e-15);
                }
                assert_true(b.f.dist <= R && b.f.diameter == 2 * R && b.f.radius == R);
                arena_free(b.a);
                arena_free(free_.a);
            }
}

/* Without a ridge, overlapping classes have a minimiser but no certificate; separable classes have infimum 0 and no
 * minimiser. */
static void test_no_ridge(void **state)
{
    double error, *x;
    struct built b = build(file[DENSE], 0, INFINITY);
    x = arena_vec(b.a, b.d);
    double f = newton(&b, 0, x);
    assert_true(fabs(b.f.f_star - f) <= 1e-9 && b.f.mu == 0);
    assert_true(fabs(measured(&b, "excess", x, &error)) <= 1e-9 && isinf(error));
    assert_true(isfinite(b.f.L) && fabs(b.f.dist - vec_norm(b.d, x)) < 1e-5);
    arena_free(b.a);

    b = build(file[SEPARABLE], 0, INFINITY);
    x = arena_vec(b.a, b.d);
    vec_zero(b.d, x);
    assert_true(b.f.f_star == 0 && isnan(b.f.dist) && !P->minimiser(b.self, x));
    vec_zero(b.d, x);
    assert_true(fabs(measured(&b, "excess", x, &error) - M_LN2) <= 1e-14 && error < 1e-7);
    arena_free(b.a);
}

/* Every record is constant, at a level from 1 to 1e5, but for a smooth hill or valley. So the columns are nearly
 * equal, the condition number is near 1e12, and first-order steps do not converge. In extended precision F(x) is
 * the stated minimum to a millionth of it, and |grad F(x)|^2/(2 l2), which bounds F(x) - F*, is below a millionth
 * of F*. */
static void test_badly_conditioned(void **state)
{
    enum { N = 300, COLUMNS = 60 };
    static const char *const losses[] = { "logistic", "squares" };
    static double a[N][COLUMNS], y[N];
    char path[80];
    struct rng r = rng_stream(77);
    snprintf(path, sizeof path, "%s/valley", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < N; i++) {
        double level = pow(10, 5 * rng_uniform(&r)), height = 0.05 * level * rng_uniform(&r);
        double centre = COLUMNS * rng_uniform(&r), width = 1 + COLUMNS / 4.0 * rng_uniform(&r);
        bool hill = rng_uniform(&r) < 0.5;
        y[i] = (rng_uniform(&r) < 0.8) == hill ? 1 : -1;
        fprintf(f, "%g", y[i]);
        for (int j = 0; j < COLUMNS; j++) {
            double u = (j - centre) / width;
            a[i][j] = level + (hill ? height : -height) * exp(-u * u);
            fprintf(f, " %d:%.17g", j + 1, a[i][j]);
        }
        fputc('\n', f);
    }
    fclose(f);
    for (int k = 0; k < 2; k++) {
        struct built b = build_with(&(struct setting){ .data = path, .loss = losses[k], .l2 = 0.02 });
        double x[COLUMNS], error;
        long double g[COLUMNS], F = 0, square = 0;
        assert_true(P->minimiser(b.self, x));
        for (int j = 0; j < COLUMNS; j++) {
            g[j] = 0.02L * x[j];
            F += 0.01L * x[j] * x[j];
        }
        for (int i = 0; i < N; i++) {
            long double z = 0, slope;
            for (int j = 0; j < COLUMNS; j++)
                z += (long double)a[i][j] * x[j];
            slope = k ? z - y[i] : -y[i] / (1 + expl(y[i] * z));
            F += (k ? (z - y[i]) * (z - y[i]) / 2 : log1pl(expl(-y[i] * z))) / N;
            for (int j = 0; j < COLUMNS; j++)
                g[j] += slope * a[i][j] / N;
        }
        for (int j = 0; j < COLUMNS; j++)
            square += g[j] * g[j];
        assert_true(fabsl(F - b.f.f_star) <= 1e-6L * F);
        if (!(square / 0.04L <= 1e-6L * F))
            fail_msg("%s: a gap of up to %Lg, expected 1e-6 of F = %Lg", losses[k], square / 0.04L, F);
        double excess = measured(&b, "excess", x, &error);
        if (!(error <= 1e-6 * b.f.f_star && excess >= 0 && excess <= error * (1 + 1e-9)))
            fail_msg("%s: excess %g, error %g of F = %g", losses[k], excess, error, b.f.f_star);
        arena_free(b.a);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_against_newton), cmocka_unit_test(test_ball),
        cmocka_unit_test(test_no_ridge), cmocka_unit_test(test_badly_conditioned),
    };
    return cmocka_run_group_tests_name("erm_optimum", tests, setup, teardown);
}

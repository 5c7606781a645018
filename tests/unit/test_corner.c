/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_corner.c - the simplex and the spectraplex: nearest points are checked by their certificates, and so are the
 * minimisers planted at corners.
 *
 * Serves: bias-reduced */
#include "support/instances.h"

#include <gsl/gsl_eigen.h>

enum { TRIES = 200, D_MAX = 64, M_MAX = 8 };

/* A <- the symmetric matrix of x, which lists the upper triangle row by row; entries off the diagonal have a factor
 * sqrt(2). */
static void matrix_of(long m, const double *x, gsl_matrix *A)
{
    for (size_t i = 0; i < (size_t)m; i++)
        for (size_t j = i; j < (size_t)m; j++, x++) {
            double entry = i == j ? *x : *x / sqrt(2);
            gsl_matrix_set(A, i, j, entry);
            gsl_matrix_set(A, j, i, entry);
        }
}

/* *least, *most <- the extreme eigenvalues of the matrix of x, *trace <- the sum of all. */
static void spectrum(long m, const double *x, double *least, double *most, double *trace)
{
    gsl_matrix *A = gsl_matrix_alloc((size_t)m, (size_t)m);
    gsl_vector *values = gsl_vector_alloc((size_t)m);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc((size_t)m);
    matrix_of(m, x, A);
    *trace = 0;
    for (size_t i = 0; i < (size_t)m; i++)
        *trace += gsl_matrix_get(A, i, i);
    gsl_eigen_symm(A, values, work);
    gsl_vector_minmax(values, least, most);
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(A);
}

/* start[d] <- t w w', where w is the eigenvector of x* = t(v v' - w w') for the eigenvalue -t; the other
 * eigenvalues are 0 and t. The origin of x is this start. */
static void start_of(const struct instance *in, long m, double t, double *start)
{
    gsl_matrix *A = gsl_matrix_alloc((size_t)m, (size_t)m), *V = gsl_matrix_alloc((size_t)m, (size_t)m);
    gsl_vector *values = gsl_vector_alloc((size_t)m);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc((size_t)m);
    double least, most, trace, star[D_MAX];
    in->p->minimiser(in->self, star);
    spectrum(m, star, &least, &most, &trace);
    EXPECT(in, fabs(most - t) < 1e-14 && fabs(least + t) < 1e-14 && fabs(trace) < 1e-14,
           "%g %g %g", most, least, trace);
    matrix_of(m, star, A);
    gsl_eigen_symmv(A, values, V, work);
    size_t w = gsl_vector_min_index(values);
    for (size_t i = 0, at = 0; i < (size_t)m; i++)
        for (size_t j = i; j < (size_t)m; j++, at++)
            start[at] = (i == j ? 1 : sqrt(2)) * t * gsl_matrix_get(V, i, w) * gsl_matrix_get(V, j, w);
    gsl_eigen_symmv_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(V);
    gsl_matrix_free(A);
}

/* p is the point of the simplex nearest to y if and only if p is in the simplex and <y - p, c - p> <= 0 for each
 * corner c. The origin of the family is the corner t e_d. */
static void test_simplex(void **state)
{
    struct arena *a = arena_new(0);
    static const double ds[] = { 2, 3, 7, 60 };
    for (int k = 0; k < 4; k++) {
        double D = 1.5, t = D / sqrt(2), y[D_MAX], p[D_MAX];
        struct instance in = INSTANCE(a, "corner", { "d", ds[k] }, { "dist", D });
        struct rng r = rng_stream(31);
        for (int try = 0; try < TRIES; try++) {
            rng_normals(&r, in.d, pow(10, try % 5 - 2), y);
            vec_copy(in.d, y, p);
            in.p->sets[0].project(in.self, p);
            double sum = 0, least = INFINITY, inner = 0, residual[D_MAX], most = -INFINITY;
            for (long j = 0; j < in.d; j++) {
                double here = p[j] + (j == in.d - 1 ? t : 0);
                residual[j] = y[j] - p[j];
                sum += here;
                least = fmin(least, here);
                inner += residual[j] * here;
                most = fmax(most, residual[j]);
            }
            EXPECT(&in, fabs(sum - t) < 1e-13 && least >= -1e-16, "sum %g, least %g", sum, least);
            EXPECT(&in, t * most - inner <= 1e-13 * (1 + vec_norm(in.d, y)), "%g", t * most - inner);
        }
    }
    arena_free(a);
}

/* The point nearest to a point far out along e_1 is the corner of e_1, t(e_1 - e_d). */
static void test_far_points(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "corner", { "d", 5 }, { "dist", sqrt(2) });
    for (double far = 10; far < 1e300; far *= 1e9) {
        double x[5] = { far }, star[5];
        in.p->minimiser(in.self, star);
        in.p->sets[0].project(in.self, x);
        EXPECT(&in, vec_dist(5, x, star) <= 1e-15, "far = %g: x_1 = %g", far, x[0]);
    }
    arena_free(a);
}

/* The largest <R, Z> over the spectraplex is t lambda_max(R). With R = Y - P, P is therefore nearest to Y if and
 * only if P is in the spectraplex and <R, P> is this value. */
static void test_spectraplex(void **state)
{
    struct arena *a = arena_new(0);
    for (long m = 2; m <= M_MAX; m += 3) {
        double D = 1.5, t = D / sqrt(2), y[D_MAX], p[D_MAX], R[D_MAX], start[D_MAX];
        struct instance in = INSTANCE(a, "corner", { "body", 0, "spectraplex" },
                                      { "d", (double)(m * (m + 1) / 2) }, { "dist", D });
        struct rng r = rng_stream(32);
        start_of(&in, m, t, start);
        for (int try = 0; try < TRIES; try++) {
            double least, most, trace, largest;
            rng_normals(&r, in.d, pow(10, try % 5 - 2), y);
            vec_copy(in.d, y, p);
            in.p->sets[0].project(in.self, p);
            vec_sub(in.d, y, p, R);
            spectrum(m, R, &least, &largest, &trace);
            vec_axpy(in.d, 1, start, p);
            double short_of = t * largest - vec_dot(in.d, R, p);
            EXPECT(&in, short_of <= 1e-12 * (1 + vec_norm(in.d, y)), "%g", short_of);
            spectrum(m, p, &least, &most, &trace);
            EXPECT(&in, least >= -1e-13 && fabs(trace - t) < 1e-13, "%g %g", least, trace);
        }
    }
    arena_free(a);
}

/* On the set F >= F* + a|x - x*|, where a is a parameter of the family and F* = 0. The start 0 and x* are corners
 * of the set, at distance D = 2 from each other. The slope b of the family has an effect: outside of the set F
 * falls below F*. */
static void test_planted(void **state)
{
    struct arena *a = arena_new(0);
    static const struct { const char *body; double d; } cases[] = {
        { "simplex", 12 }, { "spectraplex", 21 }, { "simplex", 3 }, { "spectraplex", 6 },
    };
    for (int k = 0; k < 4; k++) {
        struct instance in = INSTANCE(a, "corner", { "body", 0, cases[k].body },
                                      { "d", cases[k].d }, { "dist", 2 }, { "a", 0.25 });
        struct rng r = rng_stream(33);
        double star[D_MAX], x[D_MAX], far = 0, lowest = INFINITY;
        in.p->minimiser(in.self, star);
        EXPECT(&in, fabs(vec_norm(in.d, star) - 2) < 1e-14, "|x*| = %g", vec_norm(in.d, star));
        vec_copy(in.d, star, x);
        in.p->sets[0].project(in.self, x);
        EXPECT(&in, vec_dist(in.d, x, star) < 1e-14, "x* moved");
        vec_zero(in.d, x);
        in.p->sets[0].project(in.self, x);
        EXPECT(&in, vec_norm(in.d, x) < 1e-14, "0 moved");
        for (int try = 0; try < TRIES; try++) {
            rng_normals(&r, in.d, 2, x);
            lowest = fmin(lowest, in.p->value(in.self, x));
            in.p->sets[0].project(in.self, x);
            far = fmax(far, vec_norm(in.d, x));
            EXPECT(&in, in.p->value(in.self, x) >= 0.25 * vec_dist(in.d, x, star) - 1e-14, "F %g",
                   in.p->value(in.self, x));
        }
        EXPECT(&in, far <= 2 + 1e-14, "a point at %g", far);
        EXPECT(&in, lowest < 0, "nowhere below F*: %g", lowest);
    }
    arena_free(a);
}

static void test_refused(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in;
    struct why why = { "" };
    static const double bad[] = { 2, 4, 9, 1e6 };
    for (int k = 0; k < 4; k++) {
        struct with with[] = { { "body", 0, "spectraplex" }, { "d", bad[k] }, { 0 } };
        assert_int_equal(instance_with(a, registry_problem("corner"), with, &in, &why), BAD_INPUT);
        assert_non_null(strstr(why.text, "m(m+1)/2"));
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simplex), cmocka_unit_test(test_spectraplex),
        cmocka_unit_test(test_planted), cmocka_unit_test(test_refused), cmocka_unit_test(test_far_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

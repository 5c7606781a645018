/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_erm_certified.c - certified optima of empirical risks, compared with slow solvers of another kind: plain
 * proximal gradient steps, dual coordinate ascent, and all vertices of a small linear program; and the certificate,
 * compared with a search. */
#include "support/erm_tables.h"

#include <gsl/gsl_linalg.h>

#include "problems/parts/simple.h"

/* Returns F by brute force. */
static double objective(const struct built *b, const double *x)
{
    long double sum = 0;
    for (long i = 0; i < b->n; i++)
        sum += brute(b, i, x, NULL) / b->n;
    return (double)(sum + brute_rest(b, x));
}

static double excess_of(const struct built *b, double truth)
{
    double *x = arena_vec(b->a, b->d), error;
    assert_true(b->f.f_star >= truth - 1e-12 && b->f.f_star <= truth + 1e-9);
    P->minimiser(b->self, x);
    double excess = measured(b, "excess", x, &error);
    assert_true(excess >= 0 && excess <= error && error <= 1e-9);
    return error;
}

/* --- smooth losses: x <- P(soft(x - g/M, l1/M)), with the soft threshold and the projection P on the ball, until x
 * no longer changes */

static double slow_descent(const struct built *b, double *x)
{
    long double *g = ARENA_ARRAY(b->a, b->d, long double);
    double M = b->f.M, moved = 1, *next = arena_vec(b->a, b->d);
    vec_zero(b->d, x);
    for (long step = 0; step < 200000 && moved > 1e-15; step++) {
        memset(g, 0, (size_t)b->d * sizeof *g);
        for (long i = 0; i < b->n; i++)
            brute(b, i, x, g);
        for (long j = 0; j < b->d; j++) {
            double v = x[j] - (double)g[j] / (double)b->n / M;
            next[j] = v > b->p.l1 / M ? v - b->p.l1 / M : v < -b->p.l1 / M ? v + b->p.l1 / M : 0;
        }
        double norm = vec_norm(b->d, next);
        if (norm > b->f.radius)
            vec_scale(b->d, b->f.radius / norm, next);
        moved = vec_dist(b->d, x, next);
        vec_copy(b->d, next, x);
    }
    return objective(b, x);
}

static void test_smooth(void **state)
{
    static const char *const smooth[] = { "logistic", "squares", "huber" };
    static const struct setting forms[] = {
        { .l2 = 0.1 }, { .l2 = 0.3, .l1 = 0.05 }, { .l1 = 0.1 }, { .l1 = 10 },
        { .radius = 0.2 }, { .l1 = 0.02, .radius = 0.1 }, { .l2 = 0.1, .l1 = 0.02, .radius = 0.15 },
    };
    for (size_t loss = 0; loss < 3; loss++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            struct setting s = forms[k];
            s.data = file[TINY];
            s.loss = smooth[loss];
            s.intercept = loss == 1;
            struct built b = build_with(&s);
            double *x = arena_vec(b.a, b.d), *z = arena_vec(b.a, b.d);
            excess_of(&b, slow_descent(&b, x));
            P->minimiser(b.self, z);
            assert_true(vec_dist(b.d, x, z) <= 1e-6);
            assert_true(vec_norm(b.d, z) <= b.f.radius * (1 + 1e-12));
            for (long j = 0; j < b.d; j++)           /* both minimisers have the same support */
                assert_int_equal(z[j] == 0, fabs(x[j]) < 1e-9);
            arena_free(b.a);
        }
}

/* On wider tables the first-order conditions hold: g_j + l1 sign x_j = 0 on the support, and |g_j| <= l1 outside of
 * it, up to rounding. */
static void test_first_order(void **state)
{
    static const char *const smooth[] = { "logistic", "squares", "huber" };
    for (int kind = 0; kind < 2; kind++)
        for (int loss = 0; loss < 3; loss++)
            for (int ridge = 0; ridge < 2; ridge++) {
                struct built b = BUILD(.data = file[kind], .loss = smooth[loss], .l1 = 0.05,
                                       .l2 = 0.01 * ridge, .h = 0.5, .intercept = 1);
                double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), error;
                long support = 0;
                P->minimiser(b.self, x);
                P->composite->smooth_grad(b.self, x, g);
                for (long j = 0; j < b.d; j++) {
                    support += x[j] != 0;
                    assert_true(x[j] == 0 ? fabs(g[j]) <= 0.05 + 1e-8
                                          : fabs(g[j] + copysign(0.05, x[j])) <= 1e-8);
                }
                assert_true(support > 0 && (kind != SPARSE || support < b.d));
                assert_true(measured(&b, "excess", x, &error) >= 0 && error <= 1e-11);
                arena_free(b.a);
            }
}

/* --- losses with a kink and a ridge: dual ascent on one alpha_i at a time, x = -A'alpha/(n l2) */

static double slow_ascent(const struct built *b, double *x)
{
    double *alpha = arena_vec(b->a, b->n), n = (double)b->n, moved = 1;
    bool hinge = strcmp(b->p.loss, "hinge") == 0;
    vec_zero(b->d, x);
    vec_zero(b->n, alpha);
    for (long epoch = 0; epoch < 200000 && moved > 1e-15; epoch++) {
        moved = 0;
        for (long i = 0; i < b->n; i++) {
            struct entries a = table_row(b->t, i);
            double s = 0, square = 0, y = b->t->label[i];
            y = hinge ? (y > 0 ? 1 : -1) : y;
            for (long k = 0; k < a.count; k++) {
                s += a.value[k] * x[a.index[k]];
                square += a.value[k] * a.value[k];
            }
            double to = alpha[i] + (s - y) * n * b->p.l2 / square;
            double lo = hinge ? (y > 0 ? -1 : 0) : -1, hi = hinge ? (y > 0 ? 0 : 1) : 1;
            to = square > 0 ? fmax(lo, fmin(hi, to)) : 0;
            for (long k = 0; k < a.count; k++)
                x[a.index[k]] -= (to - alpha[i]) * a.value[k] / (n * b->p.l2);
            moved = fmax(moved, fabs(to - alpha[i]));
            alpha[i] = to;
        }
    }
    return objective(b, x);
}

static void test_kinks(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int loss = 0; loss < 2; loss++) {
            struct built b = BUILD(.data = file[kind], .loss = loss ? "absolute" : "hinge",
                                   .l2 = 0.05);
            double *x = arena_vec(b.a, b.d), *z = arena_vec(b.a, b.d), error;
            double gap = excess_of(&b, slow_ascent(&b, x));
            assert_true(P->minimiser(b.self, z));
            assert_true(vec_dist(b.d, x, z) <= 2 * sqrt(2 * gap / 0.05) + 1e-7);
            assert_true(measured(&b, "distance", x, &error) <= error + 1e-7);
            arena_free(b.a);
        }
}

/* --- piecewise linear F: some vertex of the kinks is a minimiser */

/* c, r <- the k-th kink, as the equation <c,x> = r. The kinks of the records come first, then those of the
 * coordinates if there is an l1. */
static void kink(const struct built *b, long k, double *c, double *r)
{
    vec_zero(b->d, c);
    *r = 0;
    if (k >= b->n) {
        c[k - b->n] = 1;
        return;
    }
    struct entries a = table_row(b->t, k);
    for (long m = 0; m < a.count; m++)
        c[a.index[m]] = a.value[m];
    *r = b->t->label[k];
    if (strcmp(b->p.loss, "hinge") == 0)
        *r = *r > 0 ? 1 : -1;
}

/* Returns the least value over all vertices in 3 dimensions, found by Cramer's rule. */
static double best_vertex(const struct built *b)
{
    double best = INFINITY;
    long kinks = b->n + (b->p.l1 > 0 ? b->d : 0);
    assert_int_equal(b->d, 3);
    for (long i = 0; i < kinks; i++)
        for (long j = 0; j < i; j++)
            for (long k = 0; k < j; k++) {
                double c[3][3], r[3], x[3], u[3][3];
                kink(b, i, c[0], &r[0]);
                kink(b, j, c[1], &r[1]);
                kink(b, k, c[2], &r[2]);
                for (int m = 0; m < 3; m++) {            /* the rows of the adjugate are cross products */
                    const double *p = c[(m + 1) % 3], *q = c[(m + 2) % 3];
                    for (int e = 0; e < 3; e++)
                        u[m][e] = p[(e + 1) % 3] * q[(e + 2) % 3] - p[(e + 2) % 3] * q[(e + 1) % 3];
                }
                double det = vec_dot(3, c[0], u[0]);
                if (fabs(det) < 1e-9)
                    continue;
                for (int e = 0; e < 3; e++)
                    x[e] = (r[0] * u[0][e] + r[1] * u[1][e] + r[2] * u[2][e]) / det;
                best = fmin(best, objective(b, x));
            }
    return best;
}

static void test_vertices(void **state)
{
    for (int loss = 0; loss < 2; loss++) {
        const char *name = loss ? "absolute" : "hinge";
        struct built b = BUILD(.data = file[TINY], .loss = name, .l1 = 0.1);
        double error, *x = arena_vec(b.a, b.d);
        excess_of(&b, best_vertex(&b));
        arena_free(b.a);
        /* A ball that contains the minimiser changes the certificate, and not the optimum. */
        b = BUILD(.data = file[TINY], .loss = name, .radius = 100);
        excess_of(&b, best_vertex(&b));
        arena_free(b.a);
        /* Without a ridge and a ball the optimum is found but not certified. */
        b = BUILD(.data = file[TINY], .loss = name);
        x = arena_vec(b.a, b.d);
        assert_true(fabs(b.f.f_star - best_vertex(&b)) <= 1e-9);
        assert_false(P->minimiser(b.self, x));
        assert_true(fabs(measured(&b, "excess", x, &error)) <= 1e-9 && isinf(error));
        arena_free(b.a);
    }
}

/* --- the certificate, compared with the GSL, with brute force and with a search */

/* Least squares of full rank need no regulariser: the least curvature certifies the optimum. The GSL solves
 * them. */
static void test_least_squares(void **state)
{
    struct built b = BUILD(.data = file[DENSE], .loss = "squares", .intercept = 1);
    size_t n = (size_t)b.n, d = (size_t)b.d;
    gsl_matrix *A = gsl_matrix_calloc(n, d);
    gsl_vector *tau = gsl_vector_alloc(d), *y = gsl_vector_alloc(n), *x = gsl_vector_alloc(d),
               *rest = gsl_vector_alloc(n);
    for (size_t i = 0; i < n; i++) {
        struct entries a = table_row(b.t, (long)i);
        for (long k = 0; k < a.count; k++)
            gsl_matrix_set(A, i, (size_t)a.index[k], a.value[k]);
        gsl_matrix_set(A, i, d - 1, 1);
        gsl_vector_set(y, i, b.t->label[i]);
    }
    gsl_linalg_QR_decomp(A, tau);
    gsl_linalg_QR_lssolve(A, tau, y, x, rest);
    double *z = arena_vec(b.a, b.d), square = 0, error;
    for (size_t i = 0; i < n; i++)
        square += gsl_vector_get(rest, i) * gsl_vector_get(rest, i);
    assert_true(fabs(b.f.f_star - square / 2 / (double)n) <= 1e-11);
    assert_true(P->minimiser(b.self, z));
    for (size_t j = 0; j < d; j++)
        assert_true(fabs(z[j] - gsl_vector_get(x, j)) <= 1e-9);
    assert_true(measured(&b, "excess", z, &error) >= 0 && error <= 1e-12);
    gsl_matrix_free(A);
    gsl_vector_free(tau);
    gsl_vector_free(y);
    gsl_vector_free(x);
    gsl_vector_free(rest);
    arena_free(b.a);
}

/* At any point the gap that is computed from the slopes is at least the excess. */
static void test_own_gap(void **state)
{
    static const char *const convex[] = { "logistic", "squares", "huber", "hinge", "absolute" };
    static const struct setting forms[] = {
        { .l2 = 0.1 }, { .l1 = 0.05 }, { .l2 = 0.1, .l1 = 0.05 }, { .radius = 0.5 },
        { .l2 = 0.01, .l1 = 0.05, .radius = 0.5 }, { .l2 = 0 },
    };
    for (int loss = 0; loss < 5; loss++)
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            struct setting s = forms[k];
            s.data = file[DENSE];
            s.loss = convex[loss];
            struct built b = build_with(&s);
            struct rng r = rng_stream(11);
            double *x = arena_vec(b.a, b.d), *best = arena_vec(b.a, b.d), error;
            P->minimiser(b.self, best);
            for (int i = 0; i < 100; i++) {
                rng_normals(&r, b.d, pow(10, -(double)(i % 8)), x);
                vec_axpy(b.d, 1, best, x);
                P->sets[0].project(b.self, x);
                double gap = measured(&b, "gap", x, &error), F = P->value(b.self, x);
                assert_true(error == 0 && gap >= F - b.f.f_star - 1e-13 * (1 + F));
                assert_true(measured(&b, "excess", x, &error) >= 0);
            }
            bool bounded = s.l2 > 0 || s.l1 > 0 || s.radius > 0;
            if (bounded && loss < 3)
                assert_true(measured(&b, "gap", best, &error) <= 1e-10);
            arena_free(b.a);
        }
}

/* Builds an instance on a file with the given records. Tables stay in memory by the names of their files, so that
 * each call needs another `name`. */
static struct built build_on(const char *name, const char *records, struct setting s)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(records, f);
    fclose(f);
    s.data = path;
    struct built b = build_with(&s);
    remove(path);
    return b;
}

/* With curvature and l1 the gap bounds the excess also where the loss alone is nearly flat: logistic far on the
 * right side of all records, and (x - 2)^2/2 + |x| at x = 1.9, 0.405 above its minimum at 1. */
static void test_own_gap_where_the_loss_is_flat(void **state)
{
    struct built logistic = build_on("right", "1 1:1\n-1 1:-1\n", (struct setting){ .l2 = 0.01, .l1 = 0.001 });
    struct built squares = build_on("two", "2 1:1\n", (struct setting){ .loss = "squares", .l1 = 1 });
    double error, x = 1.9;
    assert_true(fabs(squares.f.f_star - 1.5) <= 1e-12 && measured(&squares, "gap", &x, &error) >= 0.405 - 1e-12);
    for (x = 4; x < 1000; x *= 2)
        assert_true(measured(&logistic, "gap", &x, &error) >= P->value(logistic.self, &x) - logistic.f.f_star);
    arena_free(logistic.a);
    arena_free(squares.a);
}

/* The certificate, max phi(y) - phi(x) with phi(y) = <mu x - g, y> - (mu/2)|y|^2 - l1 |y|_1, is compared with a
 * search over the disc |y| <= R, the square |y|_1 <= B, or, for the whole plane, a disc of radius 10. With mu > 0
 * a finite B gives a bound only, which is at least the maximum. */
static void test_certificate_of_the_simple_part(void **state)
{
    static const struct simple_set sets[] = {
        { 0.5, 0, INFINITY, INFINITY }, { 0.5, 0.3, INFINITY, INFINITY }, { 0, 0.3, INFINITY, 1.7 },
        { 0, 0.3, 0.8, INFINITY }, { 0.5, 0.3, 0.8, INFINITY }, { 0, 0, 0.8, INFINITY },
        { 0.5, 0.3, INFINITY, 1.7 }, { 0.5, 0.3, 0.8, 1.7 },
    };
    struct rng r = rng_stream(12);
    for (int k = 0; k < 160; k++) {
        struct simple_set s = sets[k % 8];
        bool sharp = s.mu == 0 || isinf(s.B);
        double x[2], g[2], most = -INFINITY, here = 0, R = fmin(s.R, fmin(s.B, 10));
        rng_normals(&r, 2, 1, g);
        rng_ball(&r, 2, x);
        vec_scale(2, 0.7, x);
        for (int a = 0; a <= 400; a++)
            for (int b = 0; b < 400; b++) {
                double t = R * a / 400, y[2] = { t * cos(b * M_PI / 200), t * sin(b * M_PI / 200) };
                double phi = 0;
                if (isfinite(s.B))           /* the search is over the l1 ball, in its polar coordinates */
                    vec_scale(2, t / fmax(1e-300, vec_norm1(2, y)), y);
                for (int j = 0; j < 2; j++)
                    phi += (s.mu * x[j] - g[j]) * y[j] - s.mu / 2 * y[j] * y[j] - s.l1 * fabs(y[j]);
                most = fmax(most, phi);
            }
        for (int j = 0; j < 2; j++)
            here += (s.mu * x[j] - g[j]) * x[j] - s.mu / 2 * x[j] * x[j] - s.l1 * fabs(x[j]);
        double gap = simple_gap(&s, 2, x, g);
        assert_true(gap >= most - here - 1e-12 && (!sharp || gap <= most - here + 1e-2));
    }
}

/* Near a kink the loss is of the size of its rounding error, and its slope is 1: the error of the excess covers
 * what rounding does to F. The point `apart` separates the records, so that F* = 0. */
static void test_rounding_at_a_kink(void **state)
{
    struct built b = BUILD(.data = file[SEPARABLE], .loss = "hinge", .radius = 100);
    struct rng r = rng_stream(13);
    static const double apart[] = { 1, 1, -1, -3 };
    double *x = arena_vec(b.a, b.d), error;
    assert_true(b.d == 4 && b.f.f_star >= 0 && b.f.f_star <= 1e-14);
    int moved = 0;
    for (int turn = 0; turn < 200; turn++) {
        double margin = INFINITY;
        rng_normals(&r, b.d, 1e-3, x);
        vec_axpy(b.d, 1, apart, x);
        for (long i = 0; i < b.n; i++) {
            struct entries a = table_row(b.t, i);
            double s = 0;
            for (long k = 0; k < a.count; k++)
                s += a.value[k] * x[a.index[k]];
            margin = fmin(margin, b.t->label[i] > 0 ? s : -s);
        }
        vec_scale(b.d, (1 - 4e-16) / margin, x);
        double truth = objective(&b, x), excess = measured(&b, "excess", x, &error);
        moved += excess != truth;
        assert_true(excess - error <= truth && truth <= excess && error <= 1e-14);
    }
    assert_true(moved > 0);
    arena_free(b.a);
}

/* Records that contradict each other are not separable. Subgradients whose sum is exactly 0 certify F* > 0,
 * although there is neither a regulariser nor a ball. */
static void test_contradictions(void **state)
{
    static const struct { const char *loss, *records; double least; } cases[] = {
        { "absolute", "0 1:1\n10 1:1\n", 5 }, { "hinge", "1 1:1\n-1 1:1\n", 1 },
        { "logistic", "1 1:1\n-1 1:1\n", M_LN2 },
    };
    for (int k = 0; k < 3; k++) {
        struct built b = build_on(cases[k].loss, cases[k].records, (struct setting){ .loss = cases[k].loss });
        assert_true(fabs(b.f.f_star - cases[k].least) <= 1e-9 && isfinite(b.f.dist));
        arena_free(b.a);
    }
}

/* --- losses that are not convex: the excess is unknown */

static void test_unknown(void **state)
{
    static const char *const losses[] = { "sigmoid", "capped" };
    for (int k = 0; k < 2; k++) {
        struct built b = BUILD(.data = file[DENSE], .loss = losses[k], .l2 = 0.01);
        double *x = arena_vec(b.a, b.d), error;
        assert_false(P->minimiser(b.self, x));
        vec_zero(b.d, x);
        assert_true(isnan(b.f.f_star) && isnan(b.f.dist) && b.f.Phi == P->value(b.self, x));
        assert_true(isnan(measured(&b, "excess", x, &error)) && isnan(error));
        assert_true(isnan(measured(&b, "gap", x, &error)));
        assert_true(isnan(measured(&b, "distance", x, &error)));
        assert_true(measured(&b, "objective", x, &error) == b.f.Phi);
        /* At score 0 the loss `sigmoid` is 1/2 for every record, so that F(0) is public; the loss `capped` depends
         * on the targets. */
        assert_int_equal(b.f.origin[FACT_Phi], k == 0 ? ORIGIN_PUBLIC : ORIGIN_DATA);
        assert_true(k == 1 || fabs(b.f.Phi - 0.5) <= 1e-14);
        arena_free(b.a);
    }
}

/* The measure `gradient` of a smooth loss is |grad F|, compared with differences of F. It is not defined with
 * kinks, l1 or a ball. */
static void test_gradient(void **state)
{
    static const char *const losses[] = { "sigmoid", "logistic" };
    const double h = 1e-5;
    for (int k = 0; k < 2; k++) {
        struct built b = BUILD(.data = file[DENSE], .loss = losses[k], .l2 = 0.01);
        double *x = arena_vec(b.a, b.d), error, square = 0;
        for (long j = 0; j < b.d; j++)
            x[j] = 0.1 * (double)(j % 3) - 0.1;
        for (long j = 0; j < b.d; j++) {
            double at = x[j], up, down;
            x[j] = at + h;
            up = P->value(b.self, x);
            x[j] = at - h;
            down = P->value(b.self, x);
            x[j] = at;
            square += pow((up - down) / (2 * h), 2);
        }
        assert_true(fabs(measured(&b, "gradient", x, &error) - sqrt(square)) <= 1e-8);
        assert_true(sqrt(square) > 0.01);
        arena_free(b.a);
    }
    struct setting none[] = { { .data = file[DENSE], .loss = "hinge", .optimum = "none" },
                              { .data = file[DENSE], .loss = "logistic", .l1 = 0.01 },
                              { .data = file[DENSE], .loss = "logistic", .radius = 2 } };
    for (int k = 0; k < 3; k++) {
        struct built b = build_with(&none[k]);
        double *x = arena_vec(b.a, b.d), error;
        vec_zero(b.d, x);
        assert_true(isnan(measured(&b, "gradient", x, &error)));
        arena_free(b.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth), cmocka_unit_test(test_first_order),
        cmocka_unit_test(test_kinks), cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_least_squares), cmocka_unit_test(test_own_gap),
        cmocka_unit_test(test_own_gap_where_the_loss_is_flat),
        cmocka_unit_test(test_certificate_of_the_simple_part), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_rounding_at_a_kink), cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_gradient),
    };
    return cmocka_run_group_tests_name("erm_certified", tests, setup, teardown);
}

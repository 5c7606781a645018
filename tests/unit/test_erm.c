/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_erm.c - samples, batches, the cursor (which updates partial derivatives as one coordinate changes at a
 * time), prox and constants of empirical risks, compared with brute force in long double: every loss, dense and
 * sparse, with the regulariser in the samples or in the simple part. */
#include "support/erm_tables.h"

static const char *const losses[] = { "logistic", "squares", "huber", "hinge", "sigmoid", "absolute", "capped" };
enum { LOSSES = sizeof losses / sizeof *losses };

/* These regularisers are tried with every loss on every table; the optimum is not computed. */
static const struct setting forms[] = {
    { .l2 = 0 }, { .l2 = 0.2 }, { .l1 = 0.3, .prox = "none", .intercept = 1 },
    { .l2 = 0.1, .l1 = 0.05 }, { .l2 = 0.1, .l1 = 0.05, .prox = "all", .intercept = 1 },
};
enum { FORMS = sizeof forms / sizeof *forms };

static struct built form(int kind, int loss, int form)
{
    struct setting s = forms[form];
    s.data = file[kind];
    s.loss = losses[loss];
    s.h = 2.5;
    s.radius = 10;
    s.optimum = "none";
    return build_with(&s);
}

#define FOR_ALL(kind, loss, k) \
    for (int kind = 0; kind < KINDS; kind++) \
        for (int loss = 0; loss < LOSSES; loss++) \
            for (int k = 0; k < FORMS; k++)

static void assert_near(const double *g, const long double *truth, long d, double scale)
{
    for (long j = 0; j < d; j++)
        if (!(fabsl(g[j] - truth[j]) <= 1e-12L * scale))
            fail_msg("entry %ld: %.17g, expected %.17Lg", j, g[j], truth[j]);
}

static void test_samples_and_objective(void **state)
{
    FOR_ALL(kind, loss, k) {
        struct built b = form(kind, loss, k);
        struct rng r = rng_stream(2);
        double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
        long double *sum = ARENA_ARRAY(b.a, b.d, long double), f = 0;
        long double *one = ARENA_ARRAY(b.a, b.d, long double);
        rng_normals(&r, b.d, 0.5, x);
        for (long i = 0; i < b.n; i++) {
            memset(one, 0, (size_t)b.d * sizeof *one);
            long double v = brute(&b, i, x, one);
            vec_zero(b.d, g);
            P->sample_grad(b.self, i, x, 2, g);
            for (long j = 0; j < b.d; j++) {
                sum[j] += one[j] / b.n;
                one[j] *= 2;
            }
            assert_near(g, one, b.d, 30);
            assert_true(fabsl(P->sample_value(b.self, i, x) - v) <= 1e-13L * (1 + v));
            assert_int_equal(P->sample_nonzeros(b.self, i),
                             table_row(b.t, i).count + (b.p.intercept != 0));
            f += v / b.n;
        }
        P->composite->smooth_grad(b.self, x, g);
        assert_near(g, sum, b.d, 30);
        assert_true(fabsl(P->composite->smooth_value(b.self, x) - f) <= 1e-13L * (1 + f));
        f += brute_rest(&b, x);
        for (long j = 0; j < b.d; j++)
            sum[j] += (b.p.l2 - own(&b, false)) * x[j] +
                      (b.p.l1 - own(&b, true)) * (x[j] > 0 ? 1 : -1);
        P->grad(b.self, x, g);
        assert_near(g, sum, b.d, 30);
        assert_true(fabsl(P->value(b.self, x) - f) <= 1e-13L * (1 + f));
        arena_free(b.a);
    }
}

/* Compares gradients with central differences of F and of samples, of step h = 1e-5. The score of a record changes
 * by at most 1.5e-4 in such a step, as entries are at most 15. As a function of the score, a loss has second
 * derivatives of at most 1 and third ones of at most 0.2. If a kink lies within the step, the difference is off by
 * the jump at the kink: deviations beyond 1e-6 must be as rare as such kinks. */
static void test_differences(void **state)
{
    const double h = 1e-5;
    int kinks = 0, checked = 0;
    FOR_ALL(kind, loss, k) {
        struct built b = form(kind, loss, k);
        struct rng r = rng_stream(3);
        double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
        rng_normals(&r, b.d, 0.3, x);
        for (long i = -1; i < 5; i++) {
            vec_zero(b.d, g);
            if (i < 0)
                P->grad(b.self, x, g);
            else
                P->sample_grad(b.self, i, x, 1, g);
            for (long j = 0; j < b.d; j++) {
                double keep = x[j], up, down;
                x[j] = keep + h;
                up = i < 0 ? P->value(b.self, x) : P->sample_value(b.self, i, x);
                x[j] = keep - h;
                down = i < 0 ? P->value(b.self, x) : P->sample_value(b.self, i, x);
                x[j] = keep;
                kinks += !(fabs((up - down) / (2 * h) - g[j]) < 1e-6 * (1 + fabs(g[j])));
                checked++;
            }
        }
        arena_free(b.a);
    }
    assert_true(kinks <= checked / 1000);
}

/* g += a sum_k w_k grad f(x; s_k) over the samples, computed from the rows that the family hands out. If w is NULL,
 * every w_k is 1/count. */
static void by_rows(const struct built *b, const struct samples *s, const double *w,
                    const double *x, double a, double *g)
{
    struct linear_rows A;
    double c[LINEAR_ROWS], weights = 0;
    for (long from = 0; from < s->count; from += LINEAR_ROWS) {
        long m = s->count - from < LINEAR_ROWS ? s->count - from : LINEAR_ROWS;
        P->linear->rows(b->self, &(struct samples){ s->first + from, m, s->index }, NULL, &A);
        linear_scores(&A, x, c);
        P->linear->slopes(b->self, m, A.y, c, c);
        for (long k = 0; k < m; k++) {
            double w_k = w ? w[from + k] : 1 / (double)s->count;
            c[k] *= a * w_k;
            weights += w_k;
        }
        linear_add(&A, c, g);
    }
    P->linear->rest_grad(b->self, x, a * weights, g);
}

static void test_batches(void **state)
{
    for (int kind = 0; kind < 2; kind++)
        for (int form_ = 0; form_ < 8 * FORMS; form_++) {
            struct built b = form(kind, form_ % LOSSES, form_ / 8);
            int how = form_ % 8;
            struct rng r = rng_stream(4);
            double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *w = arena_vec(b.a, b.n);
            long *index = ARENA_ARRAY(b.a, b.n, long), count = 277;
            long double *truth = ARENA_ARRAY(b.a, b.d, long double);
            long double *one = ARENA_ARRAY(b.a, b.d, long double);
            struct samples s = { 17, count, how & 2 ? index : NULL };
            rng_normals(&r, b.d, 0.5, x);
            rng_normals(&r, b.n, 1, w);
            for (long k = 0; k < b.n; k++)
                index[k] = (long)rng_below(&r, (uint64_t)b.n);
            vec_fill(b.d, 1, g);
            by_rows(&b, &s, how & 4 ? w : NULL, x, -3, g);
            for (long k = 0; k < count; k++) {
                memset(one, 0, (size_t)b.d * sizeof *one);
                brute(&b, how & 2 ? index[17 + k] : 17 + k, x, one);
                for (long j = 0; j < b.d; j++)
                    truth[j] -= 3 * one[j] * (how & 4 ? (long double)w[k] : 1.0L / count);
            }
            for (long j = 0; j < b.d; j++)
                truth[j] += 1;
            assert_near(g, truth, b.d, 1000);
            arena_free(b.a);
        }
}

static void test_values_along(void **state)
{
    enum { POINTS = 3, M = 4 };
    for (int kind = 0; kind < 2; kind++)
        for (int which = 0; which < LOSSES * FORMS; which++) {
            struct built b = form(kind, which % LOSSES, which / LOSSES);
            struct rng r = rng_stream(5);
            double *x[POINTS], radius[POINTS] = { 0.3, -0.3, 0 }, v[POINTS * M];
            double *u = arena_vec(b.a, M * b.d), *at = arena_vec(b.a, b.d);
            for (int p = 0; p < POINTS; p++)
                rng_normals(&r, b.d, 0.5, x[p] = arena_vec(b.a, b.d));
            for (int j = 0; j < M; j++)
                rng_sphere(&r, b.d, u + j * b.d);
            for (long i = 0; i < 10; i++) {
                P->values_along(b.self, i, POINTS, (const double *const *)x, radius, M, u, v);
                for (int p = 0; p < POINTS; p++)
                    for (int j = 0; j < M; j++) {
                        vec_lincomb(b.d, 1, x[p], radius[p], u + j * b.d, at);
                        long double truth = brute(&b, i, at, NULL);
                        assert_true(fabsl(v[p * M + j] - truth) < 1e-13L * (1 + truth));
                    }
            }
            arena_free(b.a);
        }
}

static long double clamped(long double v, double C)
{
    return v > C ? C : v < -C ? -C : v;
}

/* After 200 coordinate steps the partial derivatives of every record are clipped and averaged by brute force. The
 * thresholds bind often, seldom or never. Records without an entry are clipped too; the simple part is never
 * clipped. */
static void test_cursor(void **state)
{
    FOR_ALL(kind, loss, which)
        for (int clip = 0; clip < 2; clip++) {
            struct built b = form(kind, loss, which);
            struct rng r = rng_stream(6);
            double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *C = arena_vec(b.a, b.d);
            void *cache = arena_bytes(b.a, P->cursor->bytes(b.self));
            long double *truth = ARENA_ARRAY(b.a, b.d, long double), f;
            long double *one = ARENA_ARRAY(b.a, b.d, long double);
            rng_normals(&r, b.d, 0.5, x);
            P->cursor->set(b.self, cache, x);
            for (int k = 0; k < 200; k++) {
                long j = (long)rng_below(&r, (uint64_t)b.d);
                double step = 0.1 * rng_normal(&r);
                x[j] += step;
                assert_int_equal(P->cursor->add(b.self, cache, j, step),
                                 P->cursor->nonzeros(b.self, j));
            }
            for (long j = 0; j < b.d; j++)
                C[j] = pow(10, -(double)(j % 4)) * 2;
            f = brute_rest(&b, x);
            for (long i = 0; i < b.n; i++) {
                memset(one, 0, (size_t)b.d * sizeof *one);
                f += brute(&b, i, x, one) / b.n;
                for (long j = 0; j < b.d; j++)
                    truth[j] += clamped(one[j], clip ? C[j] : INFINITY) / b.n;
            }
            P->cursor->grad(b.self, cache, clip ? C : NULL, g);
            assert_near(g, truth, b.d, 30);
            for (long j = 0; j < b.d; j++)
                g[j] = P->cursor->coord(b.self, cache, j, clip ? C : NULL);
            assert_near(g, truth, b.d, 30);
            assert_true(fabsl(P->cursor->value(b.self, cache) - f) < 1e-12L * (1 + f));
            arena_free(b.a);
        }
}

/* Compares prox_t(v), the minimiser of the simple part of F plus |x - v|^2/(2t), coordinate by coordinate with a
 * search on a grid. Without a simple part the prox changes nothing. */
static void test_prox(void **state)
{
    for (int which = 0; which < FORMS; which++) {
        struct built b = form(SPARSE, 0, which);
        double l2 = (double)(b.p.l2 - own(&b, false)), l1 = (double)(b.p.l1 - own(&b, true));
        double *v = arena_vec(b.a, b.d), *x = arena_vec(b.a, b.d);
        assert_int_equal(problem_has_rest(P, b.self), l2 > 0 || l1 > 0);
        for (long j = 0; j < b.d; j++)
            v[j] = 0.01 * (double)(j - b.d / 2);
        P->composite->prox(b.self, 2, v, x);
        for (long j = 0; j < b.d; j++) {
            double best = INFINITY, at = NAN;
            for (int k = -4000; k <= 4000; k++) {
                double u = 1e-4 * k, f = l2 / 2 * u * u + l1 * fabs(u);
                f += (u - v[j]) * (u - v[j]) / 4;
                at = f < best ? u : at;
                best = fmin(best, f);
            }
            assert_true(fabs(x[j] - at) <= 1e-4 && P->composite->prox_coord(b.self, 2, j, v[j]) == x[j]);
            assert_true(l2 > 0 || l1 > 0 || x[j] == v[j]);
        }
        arena_free(b.a);
    }
}

/* Checks that |grad F(x) - grad F(y)| <= M_F |x - y|, and similar bounds for the other constants, on random pairs
 * of points, near and far. That M_F is not too large is seen by test_smoothness_is_tight. */
static void test_constants(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        struct built b = build(file[kind], 0.02, 3);
        struct rng r = rng_stream(7);
        double *x = arena_vec(b.a, b.d), *y = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d),
               *h = arena_vec(b.a, b.d);
        const double slack = 1 + 1e-6;
        for (int k = 0; k < 2000; k++) {
            long i = (long)rng_below(&r, (uint64_t)b.n), j = k % b.d;
            rng_ball(&r, b.d, x);
            vec_scale(b.d, 3, x);
            vec_copy(b.d, x, y);
            rng_sphere(&r, b.d, h);
            vec_axpy(b.d, pow(10, -(double)(k % 4)), h, y);
            double dist = vec_dist(b.d, x, y);
            P->grad(b.self, x, g);
            P->grad(b.self, y, h);
            double inner = vec_dot(b.d, g, x) - vec_dot(b.d, g, y) - vec_dot(b.d, h, x) +
                           vec_dot(b.d, h, y);
            assert_true(vec_dist(b.d, g, h) <= b.f.M_F * dist * slack);
            assert_true(inner >= b.f.mu * dist * dist / slack - 1e-12);
            vec_zero(b.d, g);
            vec_zero(b.d, h);
            P->sample_grad(b.self, i, x, 1, g);
            P->sample_grad(b.self, i, y, 1, h);
            assert_true(vec_dist(b.d, g, h) <= b.f.M * dist * slack);
            assert_true(vec_norm(b.d, g) <= b.f.L * slack);
            for (long m = 0; m < b.d; m++)
                assert_true(fabs(g[m]) <= b.f.L_j[m] * slack);
            vec_copy(b.d, x, y);
            y[j] += 0.1;
            P->grad(b.self, x, g);
            P->grad(b.self, y, h);
            assert_true(fabs(h[j] - g[j]) <= 0.1 * b.f.M_j[j] * slack);
        }
        assert_true(b.f.M_F <= b.f.M && b.f.G <= b.f.L * slack);
        arena_free(b.a);
    }
}

/* At 0 the Hessian of F is A'A/(4n) + l2 exactly, A the matrix of the records, so M_F must be its largest
 * eigenvalue: power iteration on differences of gradients finds it from below. */
static void test_smoothness_is_tight(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct built b = build(file[kind], 0.02, INFINITY);
        struct rng r = rng_stream(8);
        double *v = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *h = arena_vec(b.a, b.d);
        double top = 0;
        rng_sphere(&r, b.d, v);
        for (int k = 0; k < 400; k++) {
            vec_scale(b.d, 1e-4, v);
            P->grad(b.self, v, g);
            vec_scale(b.d, -1, v);
            P->grad(b.self, v, h);
            vec_lincomb(b.d, 1 / 2e-4, g, -1 / 2e-4, h, v);
            top = vec_norm(b.d, v);
            vec_scale(b.d, 1 / top, v);
        }
        assert_true(b.f.M_F >= top * (1 - 1e-6) && b.f.M_F <= top * (1 + 1e-4));
        arena_free(b.a);
    }
}

/* The longest record attains the constants M and L: M by its curvature at 0 along the record, L (for l2 = 0) by its
 * gradient at a point far on the wrong side of the record. G is the root mean square of these gradients over all
 * records. */
static void test_longest_record(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct built b = build(file[kind], 0, 1);
        double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), M = 0, L = 0, G = 0, h = 1e-4;
        for (long i = 0; i < b.n; i++) {
            double y = b.t->label[i] > 0 ? 1 : -1, norm = 0;
            vec_zero(b.d, x);
            struct entries a = table_row(b.t, i);
            for (long k = 0; k < a.count; k++)
                x[a.index[k]] = a.value[k];
            norm = vec_norm(b.d, x);
            if (norm == 0)
                continue;
            vec_scale(b.d, h / norm, x);
            vec_zero(b.d, g);
            P->sample_grad(b.self, i, x, 1 / (2 * h), g);
            vec_scale(b.d, -1, x);
            P->sample_grad(b.self, i, x, -1 / (2 * h), g);
            M = fmax(M, vec_norm(b.d, g));
            vec_scale(b.d, y * 1e9, x);
            vec_zero(b.d, g);
            P->sample_grad(b.self, i, x, 1, g);
            L = fmax(L, vec_norm(b.d, g));
            G += vec_dot(b.d, g, g) / (double)b.n;
        }
        assert_true(fabs(b.f.M - M) <= 1e-5 * M);
        assert_true(fabs(b.f.L - L) <= 1e-12 * L && fabs(b.f.G - sqrt(G)) <= 1e-12 * L);
        arena_free(b.a);
    }
}

/* At margins z above 1e3 in absolute value log(1 + e^z) is z or 0, and nothing overflows. */
static void test_extremes(void **state)
{
    struct built b = build(file[DENSE], 0, INFINITY);
    double *x = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
    vec_fill(b.d, 1e6, x);
    for (long i = 0; i < b.n; i++) {
        long double truth = 0, y = b.t->label[i] > 0 ? 1 : -1;
        struct entries a = table_row(b.t, i);
        for (long k = 0; k < a.count; k++)
            truth += -y * a.value[k] * 1e6L;
        double v = P->sample_value(b.self, i, x);
        vec_zero(b.d, g);
        P->sample_grad(b.self, i, x, 1, g);
        if (fabsl(truth) > 1e3)
            assert_true(fabsl(v - fmaxl(truth, 0)) <= 1e-6L && vec_finite(b.d, g));
    }
    vec_fill(b.d, 1e300, x);
    assert_true(isfinite(P->value(b.self, x)));
    x[0] = NAN;
    assert_true(isnan(P->value(b.self, x)));
    arena_free(b.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_and_objective), cmocka_unit_test(test_differences),
        cmocka_unit_test(test_batches), cmocka_unit_test(test_values_along),
        cmocka_unit_test(test_cursor), cmocka_unit_test(test_prox),
        cmocka_unit_test(test_constants), cmocka_unit_test(test_smoothness_is_tight),
        cmocka_unit_test(test_longest_record), cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests_name("erm", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_clipping.c - thresholds of clipping, compared with their identities and with sums over records in
 * long double, and the gradient that is kept up to date from step to step, after many steps. Seeds are fixed: there
 * are no false alarms.
 *
 * Serves: dp-gcd */
#include "support/erm_tables.h"

#include "algos/parts/coordinate_clip.h"
#include "rng.h"

static void near(const char *what, double value, double truth, double tolerance)
{
    if (!(fabs(value - truth) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g +- %g", what, value, truth, tolerance);
}

static void near_all(const char *what, long d, const double *v, const double *truth,
                     double tolerance)
{
    for (long j = 0; j < d; j++)
        near(what, v[j], truth[j], tolerance);
}

/* Checks the thresholds: sum C_j^2 = C^2, and C_j/sqrt(M_j) is the same for all j; for equal M_j, C_j =
 * C/sqrt(p). */
static void s2_5_thresholds(void **state)
{
    enum { p = 7 };
    struct rng r = rng_stream(34);
    double M[p], same[p], C_j[p], sum = 0, C = 3.5;
    for (int j = 0; j < p; j++)
        M[j] = exp(2 * rng_normal(&r)), same[j] = 0.25;
    clip_thresholds(p, C, clip_trace(p, M, NULL), M, C_j);
    for (int j = 0; j < p; j++) {
        sum += C_j[j] * C_j[j];
        near("C_j/sqrt(M_j)", C_j[j] / sqrt(M[j]), C_j[0] / sqrt(M[0]), 1e-14);
    }
    near("sum C_j^2", sum, C * C, 1e-12);
    clip_thresholds(p, C, clip_trace(p, same, NULL), same, C_j);
    for (int j = 0; j < p; j++)
        near("C_j", C_j[j], C / sqrt(p), 1e-14);
}

/* If the columns are standardised, M_j is 1 for squares and 1/4 for the logistic loss. */
static void s7_1_standardised(void **state)
{
    static const char *const loss[] = { "squares", "logistic" };
    for (int k = 0; k < 2; k++) {
        struct built b = BUILD(.data = file[DENSE], .loss = loss[k], .scaling = "zscore",
                               .prox = "all", .optimum = "none");
        for (long j = 0; j < b.d; j++)
            near("M_j", b.f.M_j[j], k ? 0.25 : 1, 1e-12);
        arena_free(b.a);
    }
}

/* The clipped gradient has |g_j| <= C_j at every threshold. A large threshold leaves the gradient unchanged. With
 * smaller thresholds the gradient is the mean of the records' clipped derivatives. */
static void s7_1_clipping(void **state)
{
    struct built b = BUILD(.data = file[DENSE], .loss = "logistic", .prox = "all",
                           .optimum = "none");
    struct rng r = rng_stream(35);
    void *cache = arena_bytes(b.a, P->cursor->bytes(b.self));
    double *w = arena_vec(b.a, b.d), *C_j = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d);
    double *whole = arena_vec(b.a, b.d), *mean = arena_vec(b.a, b.d);
    rng_normals(&r, b.d, 0.3, w);
    P->cursor->set(b.self, cache, w);
    P->cursor->grad(b.self, cache, NULL, whole);
    for (double C = 1e-3; C < 1e9; C *= 10) {
        clip_thresholds(b.d, C, clip_trace(b.d, b.f.M_j, NULL), b.f.M_j, C_j);
        P->cursor->grad(b.self, cache, C_j, g);
        vec_zero(b.d, mean);
        for (long i = 0; i < b.n; i++) {
            long double own_[64] = { 0 };
            brute(&b, i, w, own_);
            for (long j = 0; j < b.d; j++)
                mean[j] += fmax(-C_j[j], fmin(C_j[j], (double)own_[j])) / (double)b.n;
        }
        near_all("clipped", b.d, g, mean, 1e-12);
        for (long j = 0; j < b.d; j++)
            assert_true(fabs(g[j]) <= C_j[j] * (1 + 1e-12));
        if (C > 1e6)
            near_all("not clipped", b.d, g, whole, 1e-14);
    }
    arena_free(b.a);
}

/* Each of 10^4 coordinate steps updates the margins <a_i, w> of the records. The gradient computed from these
 * margins is that at the last w, computed anew by brute force. */
static void s7_1_margins(void **state)
{
    for (int kind = DENSE; kind <= SPARSE; kind++) {
        struct built b = BUILD(.data = file[kind], .loss = "squares", .prox = "all",
                               .optimum = "none");
        struct rng r = rng_stream(36);
        void *cache = arena_bytes(b.a, P->cursor->bytes(b.self));
        double *w = arena_vec(b.a, b.d), *g = arena_vec(b.a, b.d), *truth = arena_vec(b.a, b.d);
        vec_zero(b.d, w);
        P->cursor->set(b.self, cache, w);
        for (int k = 0; k < 10000; k++) {
            long j = (long)rng_below(&r, (uint64_t)b.d);
            double step = rng_normal(&r);
            P->cursor->add(b.self, cache, j, step);
            w[j] += step;
        }
        P->cursor->grad(b.self, cache, NULL, g);
        for (long j = 0; j < b.d; j++)
            truth[j] = 0;
        for (long i = 0; i < b.n; i++) {
            long double own_[64] = { 0 };
            brute(&b, i, w, own_);
            for (long j = 0; j < b.d; j++)
                truth[j] += (double)own_[j] / (double)b.n;
        }
        double size = 0;
        for (long j = 0; j < b.d; j++)
            size = fmax(size, fabs(truth[j]));
        near_all("gradient", b.d, g, truth, 1e-10 * size);
        arena_free(b.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_5_thresholds), cmocka_unit_test(s7_1_standardised),
        cmocka_unit_test(s7_1_clipping), cmocka_unit_test(s7_1_margins),
    };
    return cmocka_run_group_tests_name("clipping of dp-gcd", tests, setup, teardown);
}

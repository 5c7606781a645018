/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_two_point.c - GRAD and DIFF, the estimates of a gradient and of a difference of gradients from values at
 * pairs of points, compared with closed forms: means, caps, antisymmetry, sensitivity.
 *
 * Serves: private-zeroth-order
 *
 * z-tests at 6 standard errors (2e-9 each), fewer than 100 in total: false alarm below 2e-7. */
#include "algos/parts/two_point.h"
#include "problems/parts/certificates.h"
#include "support/hard.h"
#include "support/method.h"

static const struct algo asks = { .name = "two-point", .calls = CALL_SAMPLE_VALUES };
static const char *const shapes[] = { "slope", "cone", "bowl", "valley" };

static struct two_point plain(double delta, double L, long m)
{
    return (struct two_point){ .delta = delta, .L = L, .directions = m };
}

/* GRAD and DIFF are unbiased: E GRAD = grad F_delta(x) and E DIFF = grad F_delta(x) - grad F_delta(y), with one
 * direction and with d directions, and for DIFF from two values and from four. */
static void s6_2_unbiased(void **state)
{
    enum { D = 4, DRAWS = 6000 };
    for (int k = 0; k < 8; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[k % 4] }, { "d", D },
                                      { "turned", 1 }, { "R", 0.4 });
        const struct certificates *c = in.self;
        struct two_point f = plain(0.3, in.f.L, k < 4 ? 1 : D);
        double x[D] = { 0.2, -0.1, 0.1, 0.05 }, y[D] = { 0.15, -0.1, 0.12, 0 }, G[D], H[D], g[D];
        struct sample_moments grad[D] = { { 0 } }, diff[D] = { { 0 } }, four[D] = { { 0 } };
        struct oracle o;
        contract_open(&o, &in, &asks, 31 + (uint64_t)k, memory);
        c->smoothed(in.self, f.delta, x, G);
        c->smoothed(in.self, f.delta, y, H);
        for (int i = 0; i < DRAWS; i++) {
            struct ticket z;
            assert_true(oracle_take(&o, 2, &z) && two_point_grad(&o, &f, &z, x, g));
            for (int j = 0; j < D; j++)
                moments_of(&grad[j], g[j]);
            f.symmetric = false;
            assert_true(two_point_diff(&o, &f, &z, x, y, g));
            for (int j = 0; j < D; j++)
                moments_of(&diff[j], g[j]);
            f.symmetric = true;
            assert_true(two_point_diff(&o, &f, &z, x, y, g));
            for (int j = 0; j < D; j++)
                moments_of(&four[j], g[j]);
        }
        for (int j = 0; j < D; j++) {
            expect_mean("GRAD", &grad[j], G[j]);
            expect_mean("DIFF", &diff[j], G[j] - H[j]);
            if (four[j].n && fabs(four[j].mean - (G[j] - H[j])) > 1e-12)
                expect_mean("DIFF of four values", &four[j], G[j] - H[j]);
        }
        oracle_release(&o);
    }
}

/* Checks bounds on the second moment. For one sample and one direction that of GRAD is at most d^2 L^2/(d-1). With
 * d directions it is at most (d/(d-1) + 1 - 1/d) L^2 for GRAD and (2 d - 1) L^2 |x - y|^2/delta^2 for DIFF. This
 * holds at kinks and far from them, and at least half of each bound is reached on some instance. */
static void v1_second_moments_are_sharp(void **state)
{
    enum { D = 5, DRAWS = 4000 };
    const double delta = 0.3, d = D;
    double most[3] = { 0 };
    for (int k = 0; k < 12; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[k % 4] }, { "d", D }, { "R", 0.5 },
                                      { "drift", 0 }, { "turned", k % 2 });
        double x[D] = { k < 4 ? 0 : 0.1 }, y[D] = { x[0] - (k < 8 ? 0.05 : 0.2) }, g[D], L = in.f.L;
        double apart = (x[0] - y[0]) / delta;
        const double bound[3] = { d * d / (d - 1) * L * L, (d / (d - 1) + 1 - 1 / d) * L * L,
                                  (2 * d - 1) * L * L * apart * apart };
        struct two_point one = plain(delta, INFINITY, 1), all = plain(delta, INFINITY, D);
        struct sample_moments square[3] = { { 0 } };
        struct oracle o;
        contract_open(&o, &in, &asks, 131 + (uint64_t)k, memory);
        for (int i = 0; i < DRAWS; i++) {
            struct ticket z;
            assert_true(oracle_take(&o, 1, &z) && two_point_grad(&o, &one, &z, x, g));
            moments_of(&square[0], vec_dot(D, g, g));
            assert_true(two_point_grad(&o, &all, &z, x, g));
            moments_of(&square[1], vec_dot(D, g, g));
            assert_true(two_point_diff(&o, &all, &z, x, y, g));
            moments_of(&square[2], vec_dot(D, g, g));
        }
        for (int j = 0; j < 3; j++) {
            double error = 6 * sqrt(moments_variance(&square[j]) / DRAWS);
            EXPECT(&in, square[j].mean - error <= bound[j], "%d: %g +- %g of %g", j, square[j].mean, error,
                   bound[j]);
            most[j] = fmax(most[j], (square[j].mean + error) / bound[j]);
        }
        oracle_release(&o);
    }
    for (int j = 0; j < 3; j++)
        assert_true(most[j] > 0.5);
}

/* Checks the largest norms: |GRAD| <= d L and |DIFF| <= d L |x - y|/delta. Along one direction, for linear f, the
 * norm of DIFF is exactly (d/delta)|<g,x - y>|, which attains the bound if x - y is along g. DIFF(x, x) = 0;
 * DIFF(y, x) = -DIFF(x, y). */
static void s6_2_caps(void **state)
{
    enum { D = 6 };
    struct rng r = rng_stream(32);
    for (int k = 0; k < 40; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[k % 4] }, { "d", D });
        double x[D], y[D], g[D], h[D], delta = 0.2, L = in.f.L;
        struct two_point one = plain(delta, L, 1), all = plain(delta, L, D), free = one;
        struct oracle o, p;
        struct ticket z;
        free.L = INFINITY;
        rng_normals(&r, D, 0.1, x);
        rng_normals(&r, D, 0.1, y);
        contract_open(&o, &in, &asks, 40 + (uint64_t)k, memory);
        contract_open(&p, &in, &asks, 40 + (uint64_t)k, memory);
        assert_true(oracle_take(&o, 1, &z));
        double most = D * L * (1 + 1e-12), apart = vec_dist(D, x, y) / delta;
        assert_true(two_point_grad(&o, &free, &z, x, g) && vec_norm(D, g) <= most);
        assert_true(two_point_grad(&o, &all, &z, x, g) && vec_norm(D, g) <= most);
        assert_true(two_point_diff(&o, &free, &z, x, y, g) && vec_norm(D, g) <= most * apart);
        if (k % 4 == 0)
            near(vec_norm(D, g), D / delta * fabs(x[0] - y[0]), 1e-11);
        assert_true(two_point_diff(&o, &all, &z, x, x, g) && vec_norm(D, g) == 0);
        struct ticket q;
        assert_true(oracle_take(&p, 1, &q) && two_point_grad(&p, &all, &q, x, g));
        assert_true(two_point_grad(&p, &all, &q, x, g) && two_point_grad(&p, &all, &q, x, g));
        assert_true(two_point_diff(&p, &all, &q, x, x, g));
        assert_true(two_point_diff(&o, &all, &z, x, y, g) && two_point_diff(&p, &all, &q, y, x, h));
        for (int j = 0; j < D; j++)
            assert_true(g[j] == -h[j]);
        /* A cap far below every slope clamps each of the D differences of a call. A call without a cap clamps
         * none. */
        double seen = p.clip_seen, clamped = p.clipped;
        all.L = 1e-9 * L;
        assert_true(two_point_grad(&p, &all, &q, x, g) && p.clip_seen == seen + D && p.clipped == clamped + D);
        assert_true(two_point_grad(&p, &free, &q, x, g) && p.clip_seen == seen + D + 1 && p.clipped == clamped + D);
        oracle_release(&o);
        oracle_release(&p);
    }
}

/* If a sample is replaced by its opposite, with the same directions, the answer changes by at most the sensitivity.
 * This bound is attained at d = 1. It holds also for a family that is not L-Lipschitz for the given L. */
static void v6_sensitivity(void **state)
{
    static const int dims[] = { 1, 2, 5, 16 };
    for (int k = 0; k < 64; k++) {
        enum { B = 3, MOST = 16 };
        int d = dims[k % 4];
        double L = k < 32 ? 1 : 0.25, delta = 0.1, x[MOST] = { 0.3 }, y[MOST] = { 0.25 };
        double g[2][2][MOST], moved = vec_dist(d, x, y);
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, "slope" }, { "d", d },
                                      { "R", 50 });
        struct two_point f = plain(delta, L, k % 3 ? d : 1);
        for (int side = 0; side < 2; side++) {
            struct oracle o;
            struct ticket z;
            contract_open(&o, &in, &asks, 80 + (uint64_t)k, memory);
            o.neighbour = (struct neighbour){ NEIGHBOUR_REPLACE, 1, -1 - side };
            assert_true(oracle_take(&o, B, &z) && two_point_grad(&o, &f, &z, x, g[side][0]));
            assert_true(two_point_diff(&o, &f, &z, x, y, g[side][1]));
            oracle_release(&o);
        }
        double first = vec_dist(d, g[0][0], g[1][0]), rest = vec_dist(d, g[0][1], g[1][1]);
        double s_1 = two_point_grad_sensitivity(d, L, B);
        double s = two_point_diff_sensitivity(d, L, B, delta, moved);
        assert_true(s_1 == 2 * d * L / B);
        near(s, 2 * d * L * moved / (B * delta), 1e-14);
        assert_true(first > 0 && first <= s_1 * (1 + 1e-12) && rest <= s * (1 + 1e-12));
        if (d == 1) {
            near(first, s_1, 1e-11);
            near(rest, s, 1e-11);
        }
    }
}

static double everywhere;            /* the value of every loss */

static double constant(const void *self, long i, const double *x) { return everywhere; }
static double steep(const void *self, long i, const double *x) { return 1e3 * x[0]; }
static double jump(const void *self, long i, const double *x) { return x[0] > 0.3 ? INFINITY : 0; }

static struct problem with_values(const struct instance *in,
                                  double (*value)(const void *self, long i, const double *x))
{
    struct problem p = *in->p;
    p.values_along = NULL;
    p.sample_value = value;
    return p;
}

/* If losses overflow, the difference of two infinite values is NaN. GRAD and DIFF are within the clamp all the
 * same. */
static void v6_infinite_values(void **state)
{
    enum { D = 3 };
    static const double values[] = { INFINITY, -INFINITY, NAN, 0 };
    for (int k = 0; k < 8; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "d", D });
        struct problem p = with_values(&in, k / 2 == 3 ? jump : constant);
        struct two_point f = plain(0.1, 2, D);
        double x[D] = { 0.3 }, y[D] = { 0.25 }, g[D], h[D];
        struct oracle o;
        struct ticket z;
        everywhere = values[k / 2];
        f.symmetric = k % 2;
        in.p = &p;
        contract_open(&o, &in, &asks, 90 + (uint64_t)k, memory);
        assert_true(oracle_take(&o, 4, &z) && two_point_grad(&o, &f, &z, x, g));
        assert_true(two_point_diff(&o, &f, &z, x, y, h));
        assert_true(vec_norm(D, g) <= D * f.L * (1 + 1e-12) && (vec_norm(D, g) == 0) == (k / 2 < 3));
        assert_true(vec_norm(D, h) <= D * f.L * 0.5 * (1 + 1e-12));
        assert_true(k / 2 == 3 || vec_norm(D, h) == 0);
        oracle_release(&o);
    }
}

/* Far from the origin x and y are rounded to a distance of 2.5 delta. Where the noise is booked for a distance of
 * half a delta, DIFF is within the bound for this smaller distance. */
static void v6_far_points(void **state)
{
    enum { D = 3 };
    struct instance in = INSTANCE(memory, "sloped", { "d", D });
    struct problem p = with_values(&in, steep);
    in.p = &p;
    for (int k = 0; k < 3; k++) {
        struct two_point f = plain(0.1, 2, 1);
        double x[D] = { 0x1p50 }, y[D] = { 0x1p50 + 0.25 }, g[D];
        struct oracle o;
        struct ticket z;
        f.moved = (double[]){ 0.5, 3, 0 }[k];
        contract_open(&o, &in, &asks, 100, memory);
        assert_true(oracle_take(&o, 1, &z) && two_point_diff(&o, &f, &z, x, y, g));
        near(vec_norm(D, g), D * 2 * (k == 0 ? 0.5 : 2.5), 1e-12);
        oracle_release(&o);
    }
}

/* A call of GRAD or DIFF with b samples and m directions is one batch step and asks for 2 b m values; DIFF by
 * four values asks for 4 b m. */
static void s3_4_values_of_a_call(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", 5 });
    double x[5] = { 0.1 }, y[5] = { 0.2 }, g[5];
    struct two_point f = plain(0.1, 1, 3);
    struct oracle o;
    struct ticket z;
    contract_open(&o, &in, &asks, 7, memory);
    assert_true(oracle_take(&o, 4, &z) && two_point_grad(&o, &f, &z, x, g));
    expect_count(&o, COUNT_sample_values, 2 * 4 * 3);
    assert_true(two_point_diff(&o, &f, &z, x, y, g));
    expect_count(&o, COUNT_sample_values, 4 * 4 * 3);
    f.symmetric = true;
    assert_true(two_point_diff(&o, &f, &z, x, y, g));
    expect_count(&o, COUNT_sample_values, 8 * 4 * 3);
    expect_count(&o, COUNT_directions, 3 * 4 * 3);           /* 3 calls of 4 samples with 3 directions, whatever
                                                                the number of points */
    expect_count(&o, COUNT_batch_steps, 3);
    oracle_release(&o);
}

/* A method that is rho-GDP has the epsilon e(gamma) = rho^2/2 + rho sqrt(2 ln 1/gamma) at delta = gamma, the
 * minimum over orders a of a rho^2/2 + ln(1/gamma)/(a - 1). The printed 2 rho sqrt(ln 1/gamma) is smaller than this
 * unless gamma is small. */
static void s1_4_conversion(void **state)
{
    static const double rhos[] = { 0.1, 1, 2, 5 }, logs[] = { 0.1, 1.2, 5, 30 };
    for (int k = 0; k < 16; k++) {
        double rho = rhos[k % 4], log_gamma = logs[k / 4], least = INFINITY;
        for (double a = 1e-5; a < 1e5; a *= 1.0005)
            least = fmin(least, (1 + a) * rho * rho / 2 + log_gamma / a);
        double e = rho * rho / 2 + rho * sqrt(2 * log_gamma), printed = 2 * rho * sqrt(log_gamma);
        near(e, least, 1e-6);
        assert_true((e <= printed) == (log_gamma >= 0.7287 * rho * rho));
    }
    near(2 + 2 * sqrt(2.4), 5.10, 1e-3);
    near(4 * sqrt(1.2), 4.38, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s6_2_unbiased), cmocka_unit_test(v1_second_moments_are_sharp),
        cmocka_unit_test(s6_2_caps),
        cmocka_unit_test(v6_sensitivity), cmocka_unit_test(v6_infinite_values),
        cmocka_unit_test(v6_far_points), cmocka_unit_test(s3_4_values_of_a_call),
        cmocka_unit_test(s1_4_conversion),
    };
    return cmocka_run_group_tests_name("two-point", tests, setup, teardown);
}

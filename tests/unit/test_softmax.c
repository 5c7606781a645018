/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_softmax.c - the softmax of the pieces of a maximum and its gradient by rejection, compared with sums over
 * all pieces. z-tests at 6 standard errors (contract.h).
 *
 * Serves: bias-reduced */
#include "support/draw.h"

#include "algos/parts/softmax.h"

/* Returns t ln sum exp(v_i/t) in long double, without factoring out the largest term. */
static double plain_softmax(long N, double t, const double *v)
{
    long double sum = 0;
    for (long i = 0; i < N; i++)
        sum += expl((long double)v[i] / t);
    return (double)(t * logl(sum));
}

/* The weights of the pieces with values v_i sum to 1 and are proportional to exp(v_i/t). A shift of all v_i by 10^4
 * t changes no weight. The softmax exceeds the maximum by at most t ln N. */
static void s7_10_weights(void **state)
{
    enum { N = 37 };
    struct rng r = rng_stream(1);
    double v[N], p[N], q[N];
    for (int trial = 0; trial < 50; trial++) {
        double t = exp(rng_normal(&r)), sum = 0, most = -INFINITY;
        for (int i = 0; i < N; i++) {
            v[i] = 2 * rng_normal(&r);
            most = fmax(most, v[i]);
        }
        double smooth = softmax_weights(N, t, v, p);
        expect_near("f_smax", smooth, plain_softmax(N, t, v), 1e-12 * (1 + fabs(smooth)));
        assert_true(smooth >= most && smooth <= most + t * log(N) * (1 + 1e-15));
        for (int i = 0; i < N; i++) {
            sum += p[i];
            expect_near("ratio", p[i], exp((v[i] - smooth) / t), 1e-12);
            v[i] += 1e4 * t;
        }
        expect_near("sum", sum, 1, 1e-14);
        expect_near("shifted", softmax_weights(N, t, v, q), smooth + 1e4 * t, 1e-11 * t * 1e4);
        expect_vectors("shifted", N, q, p, 1e-11);
    }
}

/* The table of Walker's method holds the weights: the cells of the table add up to the probability of each
 * index. */
static void the_table_holds_the_weights(void **state)
{
    struct arena *a = arena_new(0);
    for (double N = 2; N <= 200; N *= 3) {
        struct instance in = INSTANCE(a, "max_affine", { "d", 3 }, { "N", N });
        struct oracle o;
        double c[3] = { 0.3, -0.2, 0.1 };
        contract_open(&o, &in, NULL, 1, a);
        struct softmax s = { .o = &o, .temperature = 0.05 };
        double *p = arena_vec(a, (long)N), *sum = arena_vec(a, (long)N);
        softmax_reserve(&s, a);
        assert_true(softmax_centre(&s, c));
        softmax_weights((long)N, 0.05, s.value, p);
        vec_zero((long)N, sum);
        for (long i = 0; i < (long)N; i++) {
            assert_true(s.keep[i] >= 0 && s.keep[i] <= 1 + 1e-12);
            sum[i] += s.keep[i] / N;
            sum[s.other[i]] += (1 - s.keep[i]) / N;
        }
        expect_vectors("table", (long)N, sum, p, 1e-14);
        expect_count(&o, COUNT_passes, 1);
        expect_count(&o, COUNT_piece_values, N);
        oracle_release(&o);
    }
    arena_free(a);
}

/* Most trials are accepted or rejected without computing an exponential. All decisions must agree with the
 * exponential, also near the threshold. */
static void acceptance_is_that_of_the_exponential(void **state)
{
    struct rng r = rng_stream(8);
    for (int k = 0; k < 1000000; k++) {
        double rise = 2.2 * rng_uniform(&r) - 1.2, u = rng_uniform(&r), q = exp(rise - 1);
        if (k % 2)
            u = fmin(1 - 0x1p-53, q * (1 + 0.1 * (u - 0.5)));
        if (softmax_accepts(rise, u) != (u < q))
            fail_msg("rise %.17g, u %.17g", rise, u);
    }
}

/* The chosen index, the number of trials and the gradient of 40000 draws follow the exact law. A draw costs one
 * value for each trial and one gradient (item 7.15 of docs/papers/bias-reduced.md). */
static void s7_18_mean_trials_and_indices(void **state)
{
    enum { N = 6, DIM = 3, DRAWS = 40000 };
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "max_affine", { "d", DIM }, { "N", N }, { "slack", 0.05 });
    struct rng r = rng_stream(5);
    struct oracle o;
    double c[DIM], x[DIM], v[N], p[N], g[DIM], mean[DIM] = { 0 }, t = 0.2, hits[N] = { 0 };
    struct sample_moments trials = { 0 }, part[DIM] = { { 0 } };
    contract_open(&o, &in, NULL, 1, a);
    struct softmax s = { .o = &o, .words.base = r, .temperature = t };
    softmax_reserve(&s, a);
    for (int j = 0; j < DIM; j++) {
        c[j] = 0.1 * j;
        x[j] = c[j] + 0.19 * (j == 1 ? -1 : 0.1);
    }
    assert_true(softmax_centre(&s, c));
    double at_c = softmax_weights(N, t, s.value, p);
    in.p->pieces->values(in.self, x, v);
    double at_x = softmax_weights(N, t, v, p);
    for (int i = 0; i < N; i++)
        in.p->pieces->grad(in.self, i, x, p[i], mean);
    double before = o.counts.of[COUNT_piece_values];
    for (int k = 0; k < DRAWS; k++) {
        assert_true(softmax_grad(&s, x, g));
        assert_true(vec_norm(DIM, g) <= 1 + 1e-12);
        moments_of(&trials, s.trials);
        for (int j = 0; j < DIM; j++)
            moments_of(&part[j], g[j]);
        for (int i = 0; i < N; i++) {
            double row[DIM] = { 0 };
            in.p->pieces->grad(in.self, i, x, 1, row);
            hits[i] += vec_dist(DIM, row, g) == 0;
        }
    }
    expect_mean("trials", &trials, exp(1 + (at_c - at_x) / t));
    for (int j = 0; j < DIM; j++)
        expect_mean("gradient", &part[j], mean[j]);
    for (int i = 0; i < N; i++)
        expect_near("index", hits[i] / DRAWS, p[i], Z * sqrt(p[i] * (1 - p[i]) / DRAWS));
    expect_count(&o, COUNT_piece_grads, DRAWS);
    assert_true(o.counts.of[COUNT_piece_values] - before == rint(trials.mean * DRAWS));
    oracle_release(&o);
    arena_free(a);
}

/* At the centre of the ball a draw of the softmax gradient takes e trials in the mean. On the boundary it takes
 * between e and e^2, if all pieces fall. */
static void v16_trials_over_the_ball(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "coercive_max", { "d", 4 }, { "R", 10 });
    for (double share = 0; share <= 1; share += 0.5) {
        struct draw_of *q = DRAWN("softmax-gradient", &in, 3, { "share", share }, { "temperature", 0.2 });
        struct sample_moments trials = { 0 }, along = { 0 };
        for (int k = 0; k < 20000; k++) {
            drawn_next(q, 0, NULL);
            moments_of(&trials, drawn_functional(q, "trials"));
            moments_of(&along, drawn_functional(q, "along"));
        }
        /* Here all four coordinates fall by half the temperature times `share`, and the cone is 75 temperatures
         * below them. */
        expect_mean("trials", &trials, exp(1 + share / 2));
        expect_mean("unbiased", &along, 0);
        expect_vectors("target", 4, q->target, (double[]){ 0.25, 0.25, 0.25, 0.25 }, 1e-12);
        drawn_free(q);
    }
    arena_free(a);
}

/* Outside the ball a piece may rise by more than the temperature: the run is then refused, since the gradient would
 * be wrong. */
static void o20_outside_the_ball(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "coercive_max", { "d", 4 }, { "R", 10 });
    struct rng r = rng_stream(5);
    struct oracle o;
    double c[4] = { 0 }, x[4] = { 1, 1, 1, 1 }, g[4];
    contract_open(&o, &in, NULL, 1, a);
    struct softmax s = { .o = &o, .words.base = r, .temperature = 0.2 };
    softmax_reserve(&s, a);
    assert_true(softmax_centre(&s, c));
    assert_false(softmax_grad(&s, x, g));
    assert_non_null(strstr(o.refused, "Lipschitz"));
    oracle_release(&o);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_10_weights), cmocka_unit_test(the_table_holds_the_weights),
        cmocka_unit_test(s7_18_mean_trials_and_indices), cmocka_unit_test(v16_trials_over_the_ball),
        cmocka_unit_test(o20_outside_the_ball),
        cmocka_unit_test(acceptance_is_that_of_the_exponential),
    };
    return cmocka_run_group_tests_name("softmax", tests, NULL, NULL);
}

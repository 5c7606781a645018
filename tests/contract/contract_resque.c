/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract_resque.c - ReSQue through oracle_round: all queries at the points xbar + xi_i are asked in one batch
 * step, and the weights are computed afterwards, for any number of points. */
#include "contract/contract.h"

/* The points xbar + xi_i, xi_i ~ N(0, rho^2 I), which are drawn again from substream i whenever they are needed.
 * xbar is the centre of the ball, and rho the radius of smoothing: F_rho(x) = E F(x + xi). */
struct swarm {
    long d;
    double rho;
    const double *xbar;
    struct rng key;
};

static void cloud_xi(const struct swarm *c, long i, double *xi)
{
    struct rng r = rng_at(&c->key, (uint64_t)i);
    rng_normals(&r, c->d, c->rho, xi);
}

static void cloud_point(const void *ctx, long i, double *x)
{
    const struct swarm *c = ctx;
    cloud_xi(c, i, x);
    vec_axpy(c->d, 1, c->xbar, x);
}

/* Returns the weight gamma_rho(v - xi)/gamma_rho(xi) = exp((<v,xi> - |v|^2/2)/rho^2) of point i in the estimate at
 * xbar + v, where gamma_rho is the density of N(0, rho^2 I); xi[d] is scratch. */
static double cloud_weight(const struct swarm *c, long i, const double *v, double *xi)
{
    cloud_xi(c, i, xi);
    return exp((vec_dot(c->d, v, xi) - vec_dot(c->d, v, v) / 2) / (c->rho * c->rho));
}

static const struct algo caller = { .name = "resque", .calls = CALL_SAMPLES };

enum { D = 6, M = 100000 };

struct bench {
    struct arena *a;
    struct instance in;
    struct oracle o;
    struct swarm cloud;
    struct round round;
    double xbar[D];
};

static void bench_open(struct bench *b, double decades)
{
    *b = (struct bench){ .a = arena_new(0), .xbar = { 0.3, -0.2, 0.1, 0, 0.5, -0.1 } };
    b->in = INSTANCE(b->a, "spectral", { "d", D }, { "s", 0.8 }, { "decades", decades },
                     { "radius", INFINITY });
    contract_open(&b->o, &b->in, &caller, 31, b->a);
    b->cloud = (struct swarm){ D, 0.7, b->xbar, rng_stream(32) };
}

static void bench_close(struct bench *b)
{
    oracle_release(&b->o);
    arena_free(b->a);
}

/* --- the estimator */

/* Asserts, for p = 1 and 2, E w^p = exp((p^2 - p)|v|^2/(2 rho^2)) of the weight w at the offset v of the ball's
 * centre xbar, and that the mean of w times the sampled gradient G is grad F(xbar + v), since smoothing leaves the
 * gradient of the quadratic F as it is. The points that are asked do not depend on v. length: |v|/rho; axis: the
 * first of the two coordinates in which v is not 0. p = 2 is tested up to |v| = rho/2 only, since for larger |v| a
 * sample mean of w^2 is far from normal. */
static void moments_at(struct bench *b, double length, int axis)
{
    double v[D] = { 0 }, x[D], truth[D], xi[D], work[D], error_w, s = length * length;
    struct sample_moments w1 = { 0 }, w2 = { 0 }, g[D] = { { 0 } };

    v[axis] = 0.6 * length * b->cloud.rho;
    v[(axis + 1) % D] = -0.8 * length * b->cloud.rho;
    for (long i = 0; i < M; i++) {
        double w = cloud_weight(&b->cloud, i, v, xi), row[D] = { 0 };
        round_add(&b->o, &b->round, i, 1, &w, work, row);
        moments_of(&w1, w);
        moments_of(&w2, w * w);
        for (int j = 0; j < D; j++)
            moments_of(&g[j], row[j]);
    }
    error_w = sqrt(expm1(s) / M);
    expect_near("E w", w1.mean, 1, Z * error_w + 1e-15);
    if (length <= 0.5)
        expect_near("E w^2", w2.mean, exp(s), Z * sqrt((exp(6 * s) - exp(2 * s)) / M) + 1e-15);
    vec_lincomb(D, 1, b->xbar, 1, v, x);
    b->in.p->grad(b->in.self, x, truth);
    for (int j = 0; j < D; j++)
        expect_mean("E w G", &g[j], truth[j]);
}

static void w1_w3_st1_st4_weights_are_unbiased(void **state)
{
    struct bench b;
    bench_open(&b, 1);
    assert_true(oracle_round(&b.o, M, cloud_point, &b.cloud, &b.round));
    expect_count(&b.o, COUNT_batch_steps, 1);
    expect_count(&b.o, COUNT_sample_grads, M);
    expect_count(&b.o, COUNT_consumed, 0);
    struct counts before = b.o.counts;
    moments_at(&b, 0, 0);
    moments_at(&b, 0.5, 1);
    moments_at(&b, 1, 3);
    before.of[COUNT_consumed] = M;           /* the rows are read three times, but paid for once */
    assert_memory_equal(&b.o.counts, &before, sizeof before);
    bench_close(&b);
}

/* Rows must have the same bits in any order and in any parts, and must be free of charge when they are read
 * again. */
static void rows_in_any_order_have_equal_bits(void **state)
{
    enum { ROWS = 257 };
    struct bench b, again;
    double v[D] = { 0.1, 0.2, 0, -0.1, 0.3, 0 }, w[ROWS], work[D], row[ROWS][D] = { { 0 } };
    double whole[D] = { 0 }, parts[D] = { 0 }, one[D], cost;

    bench_open(&b, 2);
    bench_open(&again, 2);
    assert_true(oracle_round(&b.o, ROWS, cloud_point, &b.cloud, &b.round));
    assert_true(oracle_round(&again.o, ROWS, cloud_point, &again.cloud, &again.round));
    for (long i = 0; i < ROWS; i++) {
        w[i] = cloud_weight(&b.cloud, i, v, work);
        round_add(&b.o, &b.round, i, 1, &w[i], work, row[i]);
    }
    cost = b.o.counts.of[COUNT_sample_grads];
    for (long i = ROWS - 1; i >= 0; i--) {
        vec_zero(D, one);
        round_add(&again.o, &again.round, i, 1, &w[i], work, one);
        assert_memory_equal(one, row[i], sizeof one);
    }
    round_add(&b.o, &b.round, 0, ROWS, w, work, whole);
    round_add(&b.o, &b.round, 0, 100, w, work, parts);
    round_add(&b.o, &b.round, 100, ROWS - 100, w + 100, work, parts);
    assert_memory_equal(whole, parts, sizeof whole);
    vec_zero(D, one);
    for (int i = 0; i < ROWS; i++)
        vec_axpy(D, 1, row[i], one);
    expect_vectors("sum of rows", D, whole, one, 1e-11);
    expect_count(&b.o, COUNT_sample_grads, cost);
    expect_count(&b.o, COUNT_consumed, ROWS);
    expect_count(&again.o, COUNT_issued, ROWS);
    bench_close(&again);
    bench_close(&b);
}

/* --- Algorithm 1: EpochSGD on F_rho + (lambda/2)|x - xbar|^2 over |x - xbar| <= r, rho = r */

struct ball { long d; double r, lambda; const double *xbar; };

/* x[d] <- argmin <g, x'> + (lambda/2)|x' - xbar|^2 + |x' - x|^2/(2 eta) over the ball. */
static void prox_step(const struct ball *b, const double *g, double eta, double *x)
{
    for (long j = 0; j < b->d; j++)
        x[j] = (x[j] + eta * b->lambda * b->xbar[j] - eta * g[j]) / (1 + eta * b->lambda);
    vec_project_ball(b->d, b->xbar, b->r, x);
}

/* x[d] <- the answer for T samples; 2T queries are issued. Returns false if the budget is spent. */
static bool epoch_sgd(struct oracle *o, const struct ball *b, const struct swarm *c, long T,
                      double *x)
{
    double g[D], w[D], mean[D], work[D], eta = 1 / (4 * b->lambda);
    struct round q;
    if (!oracle_round(o, 2 * T, cloud_point, c, &q))
        return false;
    vec_copy(b->d, b->xbar, x);
    for (long T_k = 16, done = 0; done + T_k <= T; done += T_k, T_k *= 2, eta /= 2) {
        vec_zero(b->d, g);
        prox_step(b, g, eta, x);
        vec_copy(b->d, x, w);
        vec_copy(b->d, x, mean);
        for (long t = 1; t < T_k; t++) {
            double v[D], weight;
            vec_sub(b->d, w, b->xbar, v);
            weight = cloud_weight(c, done + t - 1, v, work);
            vec_zero(b->d, g);
            round_add(o, &q, done + t - 1, 1, &weight, work, g);
            prox_step(b, g, eta, w);
            vec_axpy(b->d, 1, w, mean);
        }
        vec_lincomb(b->d, 1 / (double)T_k, mean, 0, mean, x);
        oracle_depth(o, (double)T_k);
    }
    return true;
}

/* x[d] <- what epoch_sgd computes, but with all 2T answers asked of the problem one by one and stored. */
static void reference(const struct bench *b, const struct ball *ball, long T, double *x)
{
    double *G = arena_vec(b->a, 2 * T * D), at[D], eta = 1 / (4 * ball->lambda);
    long used = 0;
    vec_zero(2 * T * D, G);
    for (long i = 0; i < 2 * T; i++) {
        cloud_point(&b->cloud, i, at);
        b->in.p->sample_grad(b->in.self, i, at, 1, G + i * D);
    }
    vec_copy(D, b->xbar, x);
    for (long T_k = 16; used + T_k <= T; T_k *= 2, eta /= 2) {
        double w[D], mean[D] = { 0 }, xi[D], none[D] = { 0 };
        vec_copy(D, x, w);
        for (long t = 0; t < T_k; t++) {
            const double *g = t ? G + (used + t - 1) * D : none;
            double log_w = 0, a = 1 + eta * ball->lambda, norm = 0;
            cloud_xi(&b->cloud, used + t - (t > 0), xi);
            for (int j = 0; j < D; j++) {              /* terms of log gamma(v - xi) - log gamma(xi) */
                double v = w[j] - b->xbar[j];
                log_w += (xi[j] * xi[j] - (v - xi[j]) * (v - xi[j])) / (2 * ball->r * ball->r);
            }
            for (int j = 0; j < D; j++) {
                w[j] = (w[j] - b->xbar[j] - eta * exp(log_w) * g[j]) / a;
                norm += w[j] * w[j];
            }
            for (int j = 0; j < D; j++) {
                w[j] = b->xbar[j] + w[j] * fmin(1, ball->r / sqrt(norm));
                mean[j] += w[j] / (double)T_k;
            }
        }
        vec_copy(D, mean, x);
        used += T_k;
    }
}

/* 2T queries must be issued and sum(T_k - 1) of them used, in one batch step, where T_k is the length of epoch k.
 * Below T = 16 none is used, and the answer is the centre. */
static void u9_epoch_sgd_counts_and_reference(void **state)
{
    enum { T = 130 };                        /* epochs of 16, 32 and 64 points, 112 in total */
    struct bench b;
    double x[D], truth[D];

    bench_open(&b, 1);
    struct ball ball = { D, b.cloud.rho, 0.9, b.xbar };
    assert_true(epoch_sgd(&b.o, &ball, &b.cloud, T, x));
    expect_count(&b.o, COUNT_issued, 2 * T);
    expect_count(&b.o, COUNT_consumed, 15 + 31 + 63);
    expect_count(&b.o, COUNT_sample_grads, 2 * T);
    expect_count(&b.o, COUNT_batch_steps, 1);
    expect_count(&b.o, COUNT_depth, 112);
    expect_count(&b.o, COUNT_max_visits, 1);
    reference(&b, &ball, T, truth);
    expect_vectors("answer", D, x, truth, 1e-12);
    assert_true(vec_dist(D, x, b.xbar) > 0.01);

    assert_true(epoch_sgd(&b.o, &ball, &b.cloud, 15, x));
    assert_memory_equal(x, b.xbar, sizeof x);
    expect_count(&b.o, COUNT_issued, 2 * T + 30);
    expect_count(&b.o, COUNT_consumed, 15 + 31 + 63);
    bench_close(&b);
}

/* For linear losses F_rho = F, E|g|^2 = G^2, and xbar - grad F/lambda is the minimiser if it is in the ball. The
 * mean excess over replicates must be at most 48 G^2/(lambda T). */
static void epoch_sgd_meets_its_guarantee(void **state)
{
    enum { T = 16 * 255, REPS = 60 };        /* at the centre the excess is 8 times the bound */
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "linear", { "d", D }, { "hardness", 0.5 }, { "s", 1 });
    struct sample_moments excess = { 0 };
    double xbar[D] = { 0.2, 0, -0.1, 0, 0, 0.1 }, F[D], best[D], x[D];
    struct ball ball = { D, 0.9, 1, xbar };
    struct oracle o;

    contract_open(&o, &in, &caller, 33, a);
    in.p->grad(in.self, xbar, F);
    vec_lincomb(D, 1, xbar, -1 / ball.lambda, F, best);
    for (int k = 0; k < REPS; k++) {
        struct swarm c = { D, ball.r, xbar, rng_stream(100 + (uint64_t)k) };
        assert_true(epoch_sgd(&o, &ball, &c, T, x));
        moments_of(&excess, ball.lambda / 2 * pow(vec_dist(D, x, best), 2));
    }
    double slack = Z * sqrt(moments_variance(&excess) / REPS);
    assert_true(excess.mean - slack <= 48 * in.f.G * in.f.G / (ball.lambda * T));
    expect_count(&o, COUNT_batch_steps, REPS);
    oracle_release(&o);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w1_w3_st1_st4_weights_are_unbiased),
        cmocka_unit_test(rows_in_any_order_have_equal_bits),
        cmocka_unit_test(u9_epoch_sgd_counts_and_reference),
        cmocka_unit_test(epoch_sgd_meets_its_guarantee),
    };
    return cmocka_run_group_tests_name("contract: ReSQue", tests, NULL, NULL);
}

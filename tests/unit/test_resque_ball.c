/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_ball.c - ball oracles on the smoothed objective: their counts and mean errors, compared with optima
 * that are computed here coordinate by coordinate; and aggregation and levels, which are made of ball oracles. A
 * ball oracle minimises F_rho + (lam/2)|. - xbar|^2 within r of the centre xbar to the accuracy phi, where F_rho is
 * the objective smoothed by N(0, rho^2 I).
 *
 * Serves: resque */
#include <gsl/gsl_cdf.h>

#include "support/method.h"

#include "algos/parts/from_ball.h"
#include "algos/parts/resque_ball.h"

enum { D = 8 };

struct scene {
    struct instance in;
    struct oracle o;
    struct resque_ball b;
    double xbar[D], c[D];
};

/* Returns a scene on |x - c|_1/sqrt d, whose sample gradients have random signs and the norm G = 1. The centre of
 * the ball is within rho/2 of the kink c_j in each coordinate j. */
static struct scene *scene_new(enum resque_solver solver, double rho, double c, uint64_t seed)
{
    struct scene *q = calloc(1, sizeof *q);
    struct rng r = rng_stream(21);
    q->in = INSTANCE(memory, "noisy_l1", { "d", D }, { "p", 0.5 });
    q->in.p->minimiser(q->in.self, q->c);
    for (int j = 0; j < D; j++)
        q->xbar[j] = q->c[j] + rho * (rng_uniform(&r) - 0.5);
    contract_open(&q->o, &q->in, NULL, 1, memory);
    q->b = (struct resque_ball){ .pool = { .o = &q->o, .rho = rho, .base = rng_stream(seed) },
                                 .solver = solver, .L = 1, .r = rho, .c = c };
    resque_ball_reserve(&q->b, memory);
    return q;
}

static void scene_free(struct scene *q)
{
    oracle_release(&q->o);
    free(q);
}

/* Returns F_rho + (lam/2)|. - xbar|^2 at x. */
static double smoothed(const struct scene *q, double lam, const double *x)
{
    double e = vec_dist(D, x, q->xbar);
    return q->in.p->measuring->smoothed(q->in.self, q->b.pool.rho, x, NULL) + lam / 2 * e * e;
}

/* Returns coordinate j of the minimiser of F_rho + (nu/2)|. - xbar|^2: the root x_j of (p/sqrt d)(2 Phi((x_j -
 * c_j)/rho) - 1) + nu (x_j - xbar_j) = 0, by bisection. Phi is the normal distribution function, p = 1/2 the mean
 * sign of a sample. */
static double coordinate(const struct scene *q, double nu, int j)
{
    double rho = q->b.pool.rho, low = q->xbar[j] - 1 / nu, high = q->xbar[j] + 1 / nu;
    for (int k = 0; k < 200; k++) {
        double x = (low + high) / 2;
        double slope = 0.5 / sqrt(D) * (2 * gsl_cdf_ugaussian_P((x - q->c[j]) / rho) - 1);
        if (slope + nu * (x - q->xbar[j]) > 0)
            high = x;
        else
            low = x;
    }
    return (low + high) / 2;
}

/* x <- the minimiser of F_rho + (lam/2)|. - xbar|^2 within r of xbar. If the minimiser over R^d is outside of this
 * ball, it is the minimiser for the larger penalty for which it is on the sphere. */
static void optimum(const struct scene *q, double lam, double *x)
{
    double low = lam, high = lam + 100 / q->b.r, nu = lam;
    for (int k = 0; k < 100; k++) {
        for (int j = 0; j < D; j++)
            x[j] = coordinate(q, nu, j);
        if (k == 0 && vec_dist(D, x, q->xbar) <= q->b.r)
            return;
        if (vec_dist(D, x, q->xbar) > q->b.r)
            low = nu;
        else
            high = nu;
        nu = (low + high) / 2;
    }
}

/* The ball oracle has the constant of its theorem, c = 48, and is asked for the accuracy phi, a quarter of the
 * error of the centre. Its answers are in the ball; their mean error is at most phi, at six standard errors. */
static void meets_its_guarantee(enum resque_solver solver)
{
    enum { RUNS = 40 };
    static const double lams[] = { 1, 10 };
    for (int l = 0; l < 2; l++) {
        struct scene *q = scene_new(solver, 0.1, 48, 31);
        double lam = lams[l], best[D], x[D];
        struct sample_moments m = { 0 };
        optimum(q, lam, best);
        double least = smoothed(q, lam, best), phi = (smoothed(q, lam, q->xbar) - least) / 4;
        for (int k = 0; k < RUNS; k++) {
            assert_true(resque_ball(&q->b, lam, phi, q->xbar, x));
            assert_true(vec_dist(D, x, q->xbar) <= q->b.r * (1 + 1e-12));
            moments_of(&m, smoothed(q, lam, x) - least);
        }
        double slack = Z * sqrt(moments_variance(&m) / RUNS);
        if (!(m.mean + slack <= phi && m.mean > 0))
            fail_msg("lam %g: error %g +- %g, phi %g", lam, m.mean, slack, phi);
        expect_count(&q->o, COUNT_batch_steps, RUNS);
        scene_free(q);
    }
}

static void c10_e2_s3_3_epoch_sgd(void **state) { meets_its_guarantee(RESQUE_EPOCH_SGD); }
static void c11_e2_s3_4_ac_sa(void **state) { meets_its_guarantee(RESQUE_AC_SA); }

/* The error of either solver falls with phi: if phi is 16 times smaller, the mean error is between 8 and 32 times
 * smaller. */
static void st9_error_falls(void **state)
{
    enum { RUNS = 60 };
    for (int s = 0; s < 2; s++) {
        double mean[2], best[D], x[D];
        for (int k = 0; k < 2; k++) {
            struct scene *q = scene_new(s ? RESQUE_AC_SA : RESQUE_EPOCH_SGD, 0.1, 48, 33);
            double lam = 4, phi = lam * 0.01 / (k ? 64 : 4), sum = 0;
            optimum(q, lam, best);
            for (int i = 0; i < RUNS; i++) {
                assert_true(resque_ball(&q->b, lam, phi, q->xbar, x));
                sum += smoothed(q, lam, x) - smoothed(q, lam, best);
            }
            mean[k] = sum / RUNS;
            scene_free(q);
        }
        if (!(mean[0] >= 8 * mean[1] && mean[0] <= 32 * mean[1]))
            fail_msg("solver %d: %g, with sixteen times the budget %g", s, mean[0], mean[1]);
    }
}

/* With a budget of T, EpochSGD uses sum_k (T_k - 1) queries, where T_k are the lengths of its epochs, and as many
 * are issued. For T < 16 the answer is the centre, and nothing is asked. */
static void u9_counts_of_epoch_sgd(void **state)
{
    struct scene *q = scene_new(RESQUE_EPOCH_SGD, 0.1, 48, 1);
    double x[D];
    assert_true(resque_ball(&q->b, 1, 48.0 / 130, q->xbar, x));      /* T = 130: epochs of 16, 32 and 64 points */
    expect_count(&q->o, COUNT_consumed, 109);
    expect_count(&q->o, COUNT_issued, 109);
    expect_count(&q->o, COUNT_batch_steps, 1);
    expect_count(&q->o, COUNT_depth, 112);
    assert_true(vec_dist(D, x, q->xbar) > 0);
    assert_true(resque_ball(&q->b, 1, 48.0 / 15, q->xbar, x));
    assert_memory_equal(x, q->xbar, sizeof x);
    expect_count(&q->o, COUNT_issued, 109);
    expect_count(&q->o, COUNT_batch_steps, 1);
    scene_free(q);
}

static void s8_6_drawn_as_printed(void **state)
{
    struct scene *q = scene_new(RESQUE_EPOCH_SGD, 0.1, 48, 1),
                 *p = scene_new(RESQUE_EPOCH_SGD, 0.1, 48, 1);
    double x[D], y[D];
    q->b.twice = true;
    assert_true(resque_ball(&q->b, 1, 48.0 / 130, q->xbar, x));
    assert_true(resque_ball(&p->b, 1, 48.0 / 130, p->xbar, y));
    expect_count(&q->o, COUNT_issued, 260);
    expect_count(&q->o, COUNT_consumed, 109);
    assert_memory_equal(x, y, sizeof x);             /* the additional queries are never used */
    scene_free(p);
    scene_free(q);
}

/* If EpochSGD is asked for an accuracy phi > 3 L^2/lam, its budget is T < 16 and it answers the centre. This is
 * good enough: the error of the centre is at most L^2/(2 lam). */
static void s8_7_the_centre_is_good_enough(void **state)
{
    struct scene *q = scene_new(RESQUE_EPOCH_SGD, 0.1, 48, 1);
    for (double lam = 0.5; lam < 1000; lam *= 3) {
        double best[D], gap;
        optimum(q, lam, best);
        gap = smoothed(q, lam, q->xbar) - smoothed(q, lam, best);
        assert_true(gap >= 0 && gap <= 1 / (2 * lam));
        assert_true(epoch_sgd_epochs(resque_epoch_budget(&q->b, lam, 3.3 / lam)) == 0);
    }
    scene_free(q);
}

/* AC-SA makes phases k = 1, 2, ... of T iterations, each of N_k queries. It asks T sum_k N_k queries, and uses each
 * of them once: every iteration has queries of its own. */
static void s8_10_fresh_queries_for_each_step(void **state)
{
    struct scene *q = scene_new(RESQUE_AC_SA, 0.1, 48, 1);
    double x[D], lam = 2, T = ceil(4 * sqrt(1 / (0.1 * 2) + 1)), sum = 0;
    for (int k = 1; k <= 3; k++)
        sum += ceil(48 * exp2(k) / (4 * 0.01 * T));
    assert_true(resque_ball(&q->b, lam, 0.02 / 7, q->xbar, x));      /* three phases, as log2 7 = 2.8 */
    expect_count(&q->o, COUNT_issued, T * sum);
    expect_count(&q->o, COUNT_consumed, T * sum);
    expect_count(&q->o, COUNT_batch_steps, 1);
    expect_count(&q->o, COUNT_depth, 3 * 3 * T);
    expect_near("formula", resque_ball_queries(&q->b, lam, 0.02 / 7), T * sum, 0);
    scene_free(q);
}

static void s8_12_at_least_one_phase(void **state)
{
    struct scene *q = scene_new(RESQUE_AC_SA, 0.1, 48, 1);
    assert_true(resque_ac_phases(&q->b, 2, 0.02) == 1 && resque_ac_phases(&q->b, 2, 5) == 1);
    assert_true(resque_ac_phases(&q->b, 2, 0.0099) == 2);
    scene_free(q);
}

/* --- what is made of ball oracles: aggregation and levels */

/* If 51 of 100 points are at the distance 1/3 of y, the chosen point is within 1 of y. The other points are where
 * they do most harm: all in one place, nearer or farther, or half on either side. */
static void u8_s3_0_aggregate(void **state)
{
    enum { K = 100 };
    static double points[K * D], near[K];
    struct rng r = rng_stream(51);
    for (int kind = 0; kind < 4; kind++)
        for (int k = 0; k < 20; k++) {
            double y[D], far = kind == 1 ? 0.4 : kind == 2 ? 0.9 : 10;
            rng_normals(&r, D, 1, y);
            for (int i = 0; i < K; i++) {
                double *x = points + (i * 37 + k) % K * D;
                rng_sphere(&r, D, x);
                vec_scale(D, i < 51 ? 1.0 / 3 : 0, x);
                vec_axpy(D, 1, y, x);
                x[0] += i < 51 ? 0 : kind == 3 && i % 2 ? -far : far;
            }
            long best = aggregate(K, D, points, near);
            assert_true(vec_dist(D, points + best * D, y) <= 1);
        }
    points[0] = NAN;                                 /* a point with NaN is never chosen */
    assert_true(aggregate(K, D, points, near) != 0);
    assert_true(aggregate(1, D, points + D, near) == 0);
}

/* A ball oracle that answers 1 - phi in every coordinate, plus noise of sd 0.1 sqrt(phi). phi is 2^-j at level j,
 * so that the expected result z of the levels is 1 - 2^-jmax, the mean answer at level jmax. asked: the sum of
 * 1/phi over the calls. */
static double asked;
static bool synthetic(void *ctx, double lam, double phi, const double *y, double *x)
{
    asked += 1 / phi;
    vec_fill(D, 1 - phi + 0.1 * sqrt(phi) * rng_normal(ctx), x);
    return true;
}

/* Checks the law of the level J that is drawn, P(J = j) = 2^-j, by chi-square; the mean cost of a draw, 1 + 1.5
 * jmax times that of the answer x_0 (from_ball.h), and, for the result z of a draw, E z = E x_jmax, by z-tests at 6
 * standard errors. */
static void st10_st11_e13_levels(void **state)
{
    enum { DRAWS = 200000, JMAX = 5 };
    struct scene *q = scene_new(RESQUE_AC_SA, 0.1, 48, 1);
    struct rng r = rng_stream(61), noise = rng_stream(62);
    struct from_ball b = { .o = &q->o, .rng = &r, .solve = synthetic, .ctx = &noise, .r = 1, .M = 1,
                           .c_search = 4, .c_optimise = 4, .c_prox = 1, .jmax = JMAX };
    struct sample_moments z = { 0 }, cost = { 0 };
    double at[JMAX + 2] = { 0 }, x[D], chi2 = 0, rest = 1;
    from_ball_reserve(&b, memory);
    for (int k = 0; k < DRAWS; k++) {
        asked = 0;
        assert_true(from_ball_prox(&b, 1, q->xbar, x));
        moments_of(&z, x[0]);
        moments_of(&cost, asked);
        at[b.J <= JMAX ? b.J - 1 : JMAX]++;
    }
    expect_mean("E z", &z, 1 - exp2(-JMAX));
    expect_mean("cost", &cost, 1 + 1.5 * JMAX);
    for (int j = 0; j <= JMAX; j++) {
        double p = j < JMAX ? exp2(-j - 1) : rest;
        rest -= p;
        chi2 += (at[j] - DRAWS * p) * (at[j] - DRAWS * p) / (DRAWS * p);
    }
    assert_true(gsl_cdf_chisq_Q(chi2, JMAX) > 1e-7);
    scene_free(q);
}

/* A ball oracle that notes the accuracy that it is asked for, and asks a round of 3 queries. */
static bool ask_round(void *ctx, double lam, double phi, const double *y, double *x)
{
    struct scene *q = ctx;
    asked = phi;
    vec_copy(D, y, x);
    return resque_ask(&q->b.pool, y, 3);
}

static void s3_2_oracles_from_ball_oracles(void **state)
{
    struct scene *q = scene_new(RESQUE_AC_SA, 0.1, 48, 1);
    struct rng r = rng_stream(71);
    struct from_ball b = { .o = &q->o, .rng = &r, .solve = ask_round, .ctx = q, .r = 0.1, .M = 7,
                           .c_search = 15606, .c_optimise = 5, .c_prox = 9, .jmax = 60 };
    double x[D];
    from_ball_reserve(&b, memory);
    assert_true(from_ball_search(&b, 2, q->xbar, x));
    expect_near("search", asked, 0.02 / 15606, 1e-18);
    expect_count(&q->o, COUNT_issued, 21);
    expect_count(&q->o, COUNT_batch_steps, 1);
    assert_true(from_ball_optimise(&b, 2, q->xbar, x));
    expect_near("optimise", asked, 0.02 / 5, 1e-18);
    assert_true(from_ball_prox(&b, 2, q->xbar, x));
    expect_near("prox", asked, 0.02 / 9 * exp2(1 - b.J), 1e-18);
    expect_count(&q->o, COUNT_issued, 21 + 3 + 9);
    expect_count(&q->o, COUNT_batch_steps, 3);
    assert_memory_equal(x, q->xbar, sizeof x);       /* all answers are equal, so that the correction is 0 */
    scene_free(q);
}

#define T(name) cmocka_unit_test(name)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(c10_e2_s3_3_epoch_sgd), T(c11_e2_s3_4_ac_sa), T(st9_error_falls), T(u9_counts_of_epoch_sgd),
        T(s8_6_drawn_as_printed), T(s8_7_the_centre_is_good_enough),
        T(s8_10_fresh_queries_for_each_step), T(s8_12_at_least_one_phase),
        T(u8_s3_0_aggregate), T(st10_st11_e13_levels), T(s3_2_oracles_from_ball_oracles),
    };
    return cmocka_run_group_tests_name("ball oracles by ReSQue", tests, setup, teardown);
}

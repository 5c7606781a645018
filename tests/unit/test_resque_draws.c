/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_draws.c - ReSQue estimates, compared with closed forms written here, with z-tests as in contract.h;
 * and pools (sets of queries at Gaussian points of standard deviation rho around a centre xbar) that are drawn
 * again.
 *
 * Serves: resque */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "support/aborts.h"
#include "support/resque.h"

enum { MANY = 100000 };

/* Checks that the mean of a functional of the estimator resque over 10^5 draws in 8 dimensions is `truth`. The
 * point is at |x - xbar| = u rho; p is the power that the functional `power` takes; variance: that of one draw. */
static void expect_drawn(const char *functional, double u, double p, double truth, double variance)
{
    struct arena *a = arena_new(0);
    struct instance in = line_of(a, 8);
    struct draw_of *q = DRAWN("resque", &in, 3, { "u", u }, { "power", p });
    struct sample_moments m = { 0 };
    for (int k = 0; k < MANY; k++) {
        drawn_next(q, 0, NULL);
        moments_of(&m, drawn_functional(q, functional));
    }
    expect_near(functional, m.mean, truth, Z * sqrt(variance / MANY));
    drawn_free(q);
    arena_free(a);
}

static double power_mean(double u, double p) { return exp((p * p - p) * u * u / 2); }

static void st1_weights(void **state)
{
    for (double u = 0.25; u <= 1; u *= 2)
        expect_drawn("weight", u, 2, 1, expm1(u * u));
}

/* At distance rho/p from the centre a weight w has E w^p = 1.2840, 1.3956 and 1.4550 for p = 2, 3, 4. */
static void st2_powers(void **state)
{
    for (double p = 2; p <= 4; p++) {
        double truth = power_mean(1 / p, p);
        expect_near("anchor", truth, p == 2 ? 1.2840 : p == 3 ? 1.3956 : 1.4550, 5e-5);
        expect_drawn("power", 1 / p, p, truth, power_mean(1 / p, 2 * p) - truth * truth);
    }
}

static void st3_log_weights(void **state)
{
    for (double u = 0.25; u <= 1; u *= 2) {
        double s = u * u, m = -s / 2;
        expect_drawn("log", u, 2, m, s);
        expect_drawn("log2", u, 2, s + m * m, 2 * s * s + 4 * s * m * m);
    }
}

/* Checks by draws the mean of (w - w')^2, w and w' the weights of two points at the offsets u and u + pair from the
 * centre, where pair is orthogonal to u (ST7). */
static void st7_difference(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = line_of(a, 8);
    struct draw_of *q = DRAWN("resque", &in, 4, { "u", 0.4 }, { "pair", 0.3 });
    struct sample_moments m = { 0 };
    for (int k = 0; k < MANY; k++) {
        drawn_next(q, 0, NULL);
        moments_of(&m, drawn_functional(q, "difference"));
    }
    expect_mean("E (w - w')^2", &m, exp(0.25) - 2 * exp(0.16) + exp(0.16));
    drawn_free(q);
    arena_free(a);
}

/* The mean of the estimate is the gradient at x, for a quadratic and for a linear function, at any offset of x from
 * the centre. */
static void st4_h7_quadratic_and_linear(void **state)
{
    enum { DRAWS = 60000, D = 8 };
    struct arena *a = arena_new(0);
    struct instance list[] = {
        INSTANCE(a, "spectral", { "d", D }, { "decades", 1 }, { "s", 0.5 }, { "radius", INFINITY }),
        INSTANCE(a, "linear", { "d", D }, { "hardness", 0.6 }, { "s", 0.5 }) };
    for (int k = 0; k < 2; k++) {
        struct draw_of *q = DRAWN("resque", &list[k], 5, { "u", 0.7 }, { "away", 2 },
                                  { "rho", 0.5 });
        double x[D], truth[D];
        for (int j = 0; j < D; j++)
            x[j] = (2 + (j % 2 ? -0.35 : 0.35)) / sqrt(D);
        list[k].p->grad(list[k].self, x, truth);
        expect_vectors("target", D, q->target, truth, 1e-13);
        struct sample_moments m[D] = { { 0 } };
        for (int i = 0; i < DRAWS; i++) {
            const double *v = drawn_next(q, 0, NULL);
            for (int j = 0; j < D; j++)
                moments_of(&m[j], v[j]);
        }
        for (int j = 0; j < D; j++)
            expect_mean("E w g", &m[j], truth[j]);
        drawn_free(q);
    }
    arena_free(a);
}

/* The mean of the estimate for |x - c| on the line with rho = 1, at half a rho from the kink c, is 2 Phi(1/2) - 1 =
 * 0.3829249, Phi the normal distribution function. For |x - c|_1/sqrt d in d = 5 dimensions, with signs of mean p =
 * 1/2, its coordinate j is (p/sqrt d)(2 Phi(x_j - c_j) - 1). */
static void st5_absolute_values(void **state)
{
    enum { DRAWS = 60000, D = 5 };
    struct arena *a = arena_new(0);
    for (int d = 1; d <= D; d += 4) {
        struct instance in = INSTANCE(a, "noisy_l1", { "d", (double)d }, { "p", d > 1 ? 0.5 : 1 });
        struct draw_of *q = DRAWN("resque", &in, 6, { "u", 0.5 });
        double c[D], truth[D], root = sqrt(d);
        in.p->minimiser(in.self, c);
        for (int j = 0; j < d; j++) {
            double x = (j % 2 ? -0.5 : 0.5) / root;
            truth[j] = (d > 1 ? 0.5 : 1) / root * (2 * gsl_cdf_ugaussian_P(x - c[j]) - 1);
        }
        expect_vectors("target", d, q->target, truth, 1e-14);
        struct sample_moments m[D] = { { 0 } };
        for (int i = 0; i < DRAWS; i++) {
            const double *v = drawn_next(q, 0, NULL);
            for (int j = 0; j < d; j++)
                moments_of(&m[j], v[j]);
        }
        for (int j = 0; j < d; j++)
            expect_mean("E w g", &m[j], truth[j]);
        drawn_free(q);
    }
    arena_free(a);
}

/* Returns P(coordinate i is the largest of x + rho z) = E prod_{j != i} Phi((x_i - x_j)/rho + z), z ~ N(0, 1). */
static double largest_first(int d, int i, const double *x, double rho)
{
    double sum = 0, h = 0.01;
    for (double z = -12; z < 12; z += h) {
        double product = gsl_ran_ugaussian_pdf(z);
        for (int j = 0; j < d; j++)
            product *= j == i ? 1 : gsl_cdf_ugaussian_P((x[i] - x[j]) / rho + z);
        sum += h * product;
    }
    return sum;
}

/* Returns a maximum of coordinates. The cone |x| - R, by which the family is bounded below, is smaller than the
 * maximum up to a distance of 80 rho and more. */
static struct instance largest_of(struct arena *a, double d)
{
    return INSTANCE(a, "coercive_max", { "d", d }, { "R", 100 });
}

static void st5_maximum(void **state)
{
    enum { D = 6, M = 60000 };
    struct scene *q = scene_new(largest_of, D, 1);
    double xbar[D] = { 0.5, 0.2, 0, -0.3, 0.4, 0.1 }, x[D];
    struct sample_moments m[D] = { { 0 } };
    for (int j = 0; j < D; j++)
        x[j] = xbar[j] + (j % 2 ? -0.3 : 0.3);
    assert_true(resque_ask(&q->s, xbar, M));
    for (long i = 0; i < M; i++) {
        double g[D];
        resque_grad(&q->s, x, i, 1, g);
        for (int j = 0; j < D; j++)
            moments_of(&m[j], g[j]);
    }
    for (int j = 0; j < D; j++)
        expect_mean("E w g", &m[j], largest_first(D, j, x, 1));
    scene_free(q);
}

/* If |g| = L for every query, E|w g|^2 = exp(u^2) L^2 at distance u rho from the centre. This is at most 3 L^2 up
 * to u = 1; item W3 is about larger u. */
static void st6_second_moment(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "noisy_l1", { "d", 9 }, { "L", 2 }, { "p", 0.3 });
    struct draw_of *q = DRAWN("resque", &in, 8, { "u", 0.5 });
    struct sample_moments m = { 0 };
    for (int k = 0; k < MANY; k++) {
        drawn_next(q, 0, NULL);
        moments_of(&m, drawn_functional(q, "norm2"));
    }
    expect_near("E|w g|^2", m.mean, 4 * exp(0.25), Z * 4 * sqrt((exp(1.5) - exp(0.5)) / MANY));
    assert_true(exp(1) < 3);
    drawn_free(q);
    arena_free(a);
}

/* --- pools of queries */

/* The estimate from a pool is the mean of those from its parts, asked for afterwards and in another order. It is
 * also the sum of the gradients of a plain round with the weights of the pool. The queries of a pool are paid once,
 * in one batch step. Their points are drawn again at each use and not stored. */
static void s2_2_pools_are_drawn_again(void **state)
{
    enum { D = 300, M = 100 };
    struct scene *q = scene_new(line_of, D, 1e-3);
    struct resque *s = &q->s;
    double xbar[D], x[D], whole[D], parts[D], sum[D] = { 0 }, w[M], z[D], work[D], hand[D] = { 0 };
    struct rng r = rng_stream(9);

    rng_normals(&r, D, 1, xbar);
    rng_ball(&r, D, x);
    vec_axpby(D, 1, xbar, 1e-3, x);
    assert_true(resque_ask(s, xbar, M));
    resque_grad(s, x, 0, M, whole);
    for (long from = 75; from >= 0; from -= 25) {
        resque_grad(s, x, from, 25, parts);
        vec_axpy(D, 0.25, parts, sum);
    }
    expect_vectors("by parts", D, sum, whole, 1e-15);
    for (long i = 0; i < M; i++) {
        resque_rows(s, i, 1, z);
        w[i] = exp(vec_dot(D, s->u, z) - s->half) / M;
    }
    round_add(&q->o, &s->round, 0, M, w, work, hand);
    expect_vectors("by a plain round", D, hand, whole, 1e-15);
    expect_count(&q->o, COUNT_sample_grads, M);
    expect_count(&q->o, COUNT_consumed, M);
    expect_count(&q->o, COUNT_batch_steps, 1);
    expect_count(&q->o, COUNT_max_visits, 1);
    assert_true(cloud_work(D) < 32 * D && cloud_work(1) == CLOUD_ROWS);
    assert_true(s->weights == 2 * M && resque_ess(s) > 0 && resque_ess(s) <= 1);

    assert_true(resque_ask(s, xbar, M));             /* draws another pool */
    resque_grad(s, x, 0, M, parts);
    assert_true(memcmp(parts, whole, sizeof whole) != 0);
    scene_free(q);
}

/* Moves the centre while a pool is in use. The answers would be gradients at points that were not paid for, so that
 * this is a bug and aborts. */
static void move_the_centre(void *at)
{
    struct scene *q = at;
    double xbar[2] = { 0 }, g[2];
    resque_ask(&q->s, xbar, 4);
    resque_grad(&q->s, xbar, 0, 1, g);
    q->s.xbar[1] = 0.5;
    resque_grad(&q->s, xbar, 1, 1, g);
}

static void a_moving_centre_is_a_bug(void **state)
{
    struct scene *q = scene_new(line_of, 2, 1);
    assert_true(aborts(move_the_centre, q, NULL, 0));
    scene_free(q);
}

/* A pool that exceeds the budget is refused before its round, and nothing is charged. */
static void a_pool_beyond_the_budget(void **state)
{
    struct scene *q = scene_new(line_of, 2, 1);
    double xbar[2] = { 0 };
    q->o.budget.of[COUNT_sample_grads] = 10;
    assert_true(resque_ask(&q->s, xbar, 10));
    assert_false(resque_ask(&q->s, xbar, 1));
    expect_count(&q->o, COUNT_batch_steps, 1);
    expect_count(&q->o, COUNT_issued, 10);
    scene_free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(st1_weights),
        cmocka_unit_test(st2_powers),
        cmocka_unit_test(st3_log_weights),
        cmocka_unit_test(st7_difference),
        cmocka_unit_test(st4_h7_quadratic_and_linear),
        cmocka_unit_test(st5_absolute_values),
        cmocka_unit_test(st5_maximum),
        cmocka_unit_test(st6_second_moment),
        cmocka_unit_test(s2_2_pools_are_drawn_again),
        cmocka_unit_test(a_moving_centre_is_a_bug),
        cmocka_unit_test(a_pool_beyond_the_budget),
    };
    return cmocka_run_group_tests_name("ReSQue: draws", tests, NULL, NULL);
}

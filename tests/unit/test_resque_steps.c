/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_steps.c - single steps of the ball oracles: the function that they minimise, and the coefficients
 * that the paper prints differently; and the estimator on any family.
 *
 * Serves: resque */
#include "support/method.h"

#include "algos/parts/ac_sa.h"
#include "algos/parts/epoch_sgd.h"
#include "algos/parts/resque.h"

enum { D = 8 };

/* A scene for steps from points within 0.1 of xbar. */
struct scene {
    struct instance in;
    struct oracle o;
    struct epoch_sgd s;
    double xbar[D];
};

static void within(void *ctx, double *x)
{
    vec_project_ball(D, ((struct scene *)ctx)->xbar, 0.1, x);
}

static struct scene *scene_new(void)
{
    struct scene *q = calloc(1, sizeof *q);
    struct rng r = rng_stream(21);
    q->in = INSTANCE(memory, "norm", { "d", D });
    rng_normals(&r, D, 1, q->xbar);
    contract_open(&q->o, &q->in, NULL, 1, memory);
    q->s = (struct epoch_sgd){ .o = &q->o, .project = within, .ctx = q, .z = q->xbar };
    epoch_sgd_reserve(&q->s, memory);
    return q;
}

static void scene_free(struct scene *q)
{
    oracle_release(&q->o);
    free(q);
}

/* The answer of a step is in the ball, and no point of the ball, near or far, is better. */
static void u2_proximal_step_minimises(void **state)
{
    struct scene *q = scene_new();
    struct rng r = rng_stream(41);
    struct epoch_sgd *s = &q->s;
    double h[D], from[D], y[D];
    int border = 0;
    for (int k = 0; k < 200; k++) {
        double eta = exp(rng_normal(&r) - 2), lam = exp(rng_normal(&r)), least = INFINITY;
        s->mu = lam;
        rng_ball(&r, D, from);
        vec_axpby(D, 1, q->xbar, 0.1, from);
        rng_normals(&r, D, k % 2 ? 0.02 : 1, h);
        vec_copy(D, from, s->w);
        epoch_sgd_step(s, h, eta);
        border += vec_dist(D, s->w, q->xbar) > 0.1 * (1 - 1e-12);
        for (int i = 0; i <= 50; i++) {
            double a, b, near = i ? pow(10, -4 * rng_uniform(&r)) : 0;
            rng_ball(&r, D, y);
            vec_axpby(D, 1, q->xbar, 0.1, y);
            vec_axpby(D, 1 - near, s->w, near, y);
            a = vec_dist(D, y, q->xbar);
            b = vec_dist(D, y, from);
            double value = eta * vec_dot(D, h, y) + eta * lam / 2 * a * a + b * b / 2;
            least = i ? least : value;
            assert_true(value >= least - 1e-14);
        }
    }
    assert_true(border > 20 && border < 180);
    scene_free(q);
}

struct watch { double md[D]; };

static bool watch_md(void *ctx, const double *x, double *g)
{
    vec_copy(D, x, ((struct watch *)ctx)->md);
    vec_zero(D, g);
    return true;
}

static void anywhere(void *ctx, double *x) { }

/* AC-SA asks for the gradient at md = c_1 ag + c_2 x, where x is its iterate and ag its aggregate. The coefficients
 * c_1 and c_2 have the sum 1. At t = 1 they give md = x; at lam = 0 they are Nesterov's weights. */
static void u3_coefficients(void **state)
{
    struct scene *q = scene_new();
    struct watch seen;
    struct ac_sa s = { .o = &q->o, .grad = watch_md, .project = anywhere, .ctx = &seen };
    ac_sa_reserve(&s, memory);
    for (double lam = 0; lam < 1000; lam = 10 * lam + 0.1)
        for (double t = 1; t < 40; t++) {
            double alpha = 2 / (t + 1);
            s.lambda = lam;
            vec_fill(D, 7, s.ag);
            vec_fill(D, 7, s.x);
            ac_sa_round(&s, t, 10 + lam);
            expect_near("sum", seen.md[0], 7, 1e-13);
            vec_fill(D, 0, s.ag);
            vec_fill(D, 1, s.x);
            ac_sa_round(&s, t, 10 + lam);
            if (t == 1 || lam == 0)
                expect_near("weight of x", seen.md[0], lam == 0 ? alpha : 1, 1e-13);
        }
    scene_free(q);
}

/* The paper prints alpha (1 - alpha) (lam + gamma), over a common denominator, as the coefficient of x in md. This
 * is 0 at t = 1, where the coefficient of ag is 0 too, so that md = 0. */
static void s8_9_the_printed_coefficient(void **state)
{
    for (double t = 1; t < 40; t++) {
        double alpha = 2 / (t + 1), lam = 1, gamma = 4 * 11 / (t * (t + 1)),
               den = gamma + (1 - alpha * alpha) * lam;
        double first = (1 - alpha) * (lam + gamma) / den;
        double printed = alpha * (1 - alpha) * (lam + gamma) / den;
        double ours = alpha * ((1 - alpha) * lam + gamma) / den;
        expect_near("ours", first + ours, 1, 1e-14);
        expect_near("printed", first + printed, 1 - alpha * alpha * gamma / den, 1e-14);
        assert_true(t > 1 || (first == 0 && printed == 0));
    }
}

/* The context of a stage whose gradient of F + (lam/2)|. - xbar|^2 is the given vector g. */
struct stage { struct scene *q; double g[D]; };
static bool given(void *ctx, const double *x, double *g)
{
    vec_copy(D, ((struct stage *)ctx)->g, g);
    return true;
}

static void within_stage(void *ctx, double *x) { within(((struct stage *)ctx)->q, x); }

/* The iterate x_t of AC-SA minimises alpha <G, x> + ((gamma + lam (1 - alpha))/2)|x - x_(t-1)|^2 + (lam alpha/2)|x
 * - md|^2 over the ball, alpha = 2/(t + 1) and gamma = 4 M/(t (t + 1)). G is the gradient at md with that of the
 * regulariser. The paper prints alpha before the gradient of F alone. */
static void s8_11_ac_sa_step_minimises(void **state)
{
    struct stage c = { .q = scene_new() };
    struct rng r = rng_stream(42);
    struct ac_sa s = { .o = &c.q->o, .grad = given, .project = within_stage, .ctx = &c };
    double before[D], y[D];
    ac_sa_reserve(&s, memory);
    for (int k = 0; k < 200; k++) {
        double t = 1 + k % 9, lam = exp(rng_normal(&r)), M = 10 + lam, least = NAN;
        double alpha = 2 / (t + 1), gamma = 4 * M / (t * (t + 1));
        s.lambda = lam;
        rng_normals(&r, D, k % 2 ? 1 : 10, c.g);
        rng_ball(&r, D, s.x);
        vec_axpby(D, 1, c.q->xbar, 0.1, s.x);
        rng_ball(&r, D, s.ag);
        vec_axpby(D, 1, c.q->xbar, 0.1, s.ag);
        vec_copy(D, s.x, before);
        ac_sa_round(&s, t, M);
        for (int i = 0; i <= 50; i++) {
            double near = i ? pow(10, -4 * rng_uniform(&r)) : 0;
            rng_ball(&r, D, y);
            vec_axpby(D, 1, c.q->xbar, 0.1, y);
            vec_axpby(D, 1 - near, s.x, near, y);
            double a = vec_dist(D, y, before), b = vec_dist(D, y, s.md);
            double value = alpha * vec_dot(D, c.g, y) + (gamma + lam * (1 - alpha)) / 2 * a * a +
                           lam * alpha / 2 * b * b;
            least = i ? least : value;
            assert_true(value >= least - 1e-12);
        }
    }
    scene_free(c.q);
}

/* --- the estimator on any family */

/* m[3] <- the moments of g_1, of <g, (1, ..., 1)> and of |g|^2 over `count` estimates of grad F_rho(x) from queries
 * about xbar. */
static void estimates(const struct instance *in, double rho, const double *xbar, const double *x,
                      uint64_t seed, long count, struct sample_moments m[3])
{
    struct arena *a = arena_new(0);
    struct oracle o;
    double g[D];
    contract_open(&o, in, NULL, seed, a);
    struct resque s = { .o = &o, .rho = rho, .base = rng_stream(seed) };
    resque_reserve(&s, a);
    assert_true(resque_ask(&s, xbar, count));
    for (long i = 0; i < count; i++) {
        double sum = 0;
        resque_grad(&s, x, i, 1, g);
        for (int j = 0; j < D; j++)
            sum += g[j];
        moments_of(&m[0], g[0]);
        moments_of(&m[1], sum);
        moments_of(&m[2], vec_dot(D, g, g));
    }
    oracle_release(&o);
    arena_free(a);
}

/* Reweighted queries about xbar, and queries about x itself, give estimates with the same mean: for absolute
 * deviations on the sphere, for the norm, and for two nonconvex families, to which only Lemma 1 of the paper
 * applies. If G bounds the gradients and w is the weight of a query, E|w g|^2 <= 3 G^2. */
static void c1_e1_h2_h5_h10_s8_35_unbiased_on_any_family(void **state)
{
    enum { COUNT = 40000 };
    struct instance list[] = {
        INSTANCE(memory, "glm_sphere", { "d", D }), INSTANCE(memory, "norm", { "d", D }, { "s", 0.5 }),
        INSTANCE(memory, "capped", { "d", D }), INSTANCE(memory, "sigmoid", { "d", D }) };
    for (int k = 0; k < 4; k++) {
        struct sample_moments near[3] = { { 0 } }, direct[3] = { { 0 } };
        double xbar[D], x[D], rho = 0.5;
        for (int j = 0; j < D; j++) {
            xbar[j] = 0.2 - 0.05 * j;
            x[j] = xbar[j] + 0.8 * rho * (j % 3 ? 1 : -1) / sqrt(D);
        }
        estimates(&list[k], rho, xbar, x, 5, COUNT, near);
        estimates(&list[k], rho, x, x, 6, COUNT, direct);
        for (int i = 0; i < 2; i++) {
            double error = sqrt((moments_variance(&near[i]) + moments_variance(&direct[i])) / COUNT);
            expect_near(list[k].name, near[i].mean, direct[i].mean, Z * error);
        }
        assert_true(near[2].mean - Z * sqrt(moments_variance(&near[2]) / COUNT) <=
                    3 * list[k].f.G * list[k].f.G || isnan(list[k].f.G));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u2_proximal_step_minimises),
        cmocka_unit_test(u3_coefficients),
        cmocka_unit_test(s8_9_the_printed_coefficient),
        cmocka_unit_test(s8_11_ac_sa_step_minimises),
        cmocka_unit_test(c1_e1_h2_h5_h10_s8_35_unbiased_on_any_family),
    };
    return cmocka_run_group_tests_name("ReSQue: steps", tests, setup, teardown);
}

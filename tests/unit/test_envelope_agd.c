/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_envelope_agd.c - accelerated descent on the envelope: its potential with exact gradients, the
 * printed step that fails, and the stochastic method at its promised accuracy.
 * Serves: bias-reduced */
#include "support/method.h"

#include "algos/parts/envelope_agd.h"

/* Returns a half ball with the slopes a = 0.3 and b = sqrt(1 - a^2), so that gradients have norm G = 1, and with
 * radius 1. */
static struct instance half_ball(double s)
{
    return INSTANCE(memory, "half_ball", { "a", 0.3 }, { "b", sqrt(0.91) }, { "s", s });
}

/* The context of exact_grad, which gives the gradient lam (y - P) of the envelope. P is the proximal point of the
 * half ball over a ball of radius 1 + G/lam, which does not bind: the kink moves x_1 by 0.3/lam towards 1, at most
 * to 1, and x_2 moves by b/lam. */
struct exact { double lam; };

static void exact_prox(double lam, const double *y, double *P)
{
    double e = y[0] - 1, step = 0.3 / lam;
    P[0] = fabs(e) <= step ? 1 : y[0] - copysign(step, e);
    P[1] = y[1] + sqrt(0.91) / lam;
}

static double envelope(double lam, const double *y)
{
    double P[2];
    exact_prox(lam, y, P);
    double move = vec_dist(2, P, y);
    return 0.3 * fabs(P[0] - 1) - sqrt(0.91) * P[1] + lam / 2 * move * move;
}

static bool exact_grad(void *ctx, double k, const double *y, double *g)
{
    double lam = ((struct exact *)ctx)->lam, P[2];
    exact_prox(lam, y, P);
    g[0] = lam * (y[0] - P[0]);
    g[1] = lam * (y[1] - P[1]);
    return true;
}

/* Makes T = 7/eps rounds, rounded up, with exact gradients from 0 and lam = 2/eps; eps is the accuracy. *rise <-
 * the largest increase of the potential in a round, with x* as its reference point; *projections <- the number of
 * projections. Returns f(x_T). */
static double exact_run(enum envelope_projections mode, double eps, double *rise, double *projections)
{
    struct instance in = half_ball(0);
    struct oracle o;
    struct exact e = { 2 / eps };
    double T = ceil(7 / eps), u[2] = { 1, 0 }, before = 6 * e.lam;
    contract_open(&o, &in, NULL, 1, memory);
    struct envelope_agd s = { .o = &o, .grad = exact_grad, .ctx = &e, .mode = mode, .lam = e.lam,
                              .R = 1 + 1 / e.lam };
    envelope_agd_reserve(&s, memory);
    vec_zero(2, s.x);
    envelope_agd_begin(&s);
    *rise = 0;
    for (double k = 1; k <= T; k++) {
        assert_true(envelope_agd_round(&s, k));
        double move = vec_dist(2, s.v, u);
        double P = k * (k + 1) * (envelope(e.lam, s.x) - envelope(e.lam, u)) + 6 * e.lam * move * move;
        *rise = fmax(*rise, P - before);
        before = P;
    }
    *projections = o.counts.of[COUNT_project_0];
    double gap = envelope(e.lam, s.x) - envelope(e.lam, u);
    if (mode != PROJECT_PRINTED && !(gap <= 6 * e.lam / (T * (T + 1)) + 1e-12))
        fail_msg("gap of the envelope %g", gap);
    double f = in.p->value(in.self, s.x);
    oracle_release(&o);
    return f;
}

/* With either repair of the printed step the potential never rises, and f ends below the accuracy eps. The
 * projections are T for one of the repairs and 2T for the other. */
static void s7_8_the_potential_does_not_rise(void **state)
{
    for (int mode = PROJECT_ONCE; mode <= PROJECT_TWICE; mode++)
        for (double eps = 0.4; eps > 0.01; eps /= 2) {
            double rise, projections, f = exact_run((enum envelope_projections)mode, eps, &rise, &projections);
            assert_true(rise <= 1e-10 && f <= eps && f >= -1e-15);
            expect_near("projections", projections, (mode == PROJECT_ONCE ? 1 : 2) * ceil(7 / eps), 0);
        }
}

/* In the printed form v leaves the half ball: the excess stays at 0.175 for every eps, and the potential rises. */
static void o7_the_printed_step_fails(void **state)
{
    for (double eps = 0.1; eps > 0.01; eps /= 2) {
        double rise, projections, f = exact_run(PROJECT_PRINTED, eps, &rise, &projections);
        expect_near("excess", f, 0.175, 0.01);
        assert_true(rise > 1);
    }
}

/* In 10 runs of each variant the mean excess is at most acc = 0.4, with T and 2T projections. T is rounded up, and
 * runs begin at x_0, as items O-6 and O-26 of docs/papers/bias-reduced.md require. */
static void v12_the_method_keeps_its_promise(void **state)
{
    static const char *const words[] = { "once", "twice" };
    struct instance in = half_ball(0.3);
    struct goal goal = goal_unknown();
    goal.acc = 0.4;
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("envelope-agd", &in, &goal, { "projections", 0, words[k] });
        struct sample_moments gap = { 0 };
        double G = in.f.G, T = ceil(7 * G / 0.4);
        expect_near("T", method_param(m, "T"), T, 0);
        expect_near("lam", method_param(m, "lam"), 2 * G * G / 0.4, 1e-12);
        for (uint64_t run = 0; run < 10; run++) {
            moments_of(&gap, in.p->value(in.self, method_run(m, run, nobody)));
            expect_count(&m->o, COUNT_project_0, (k + 1) * T);
        }
        if (!(gap.mean <= 0.4 && gap.mean > 0))
            fail_msg("%s: excess %g", words[k], gap.mean);
        method_free(m);
    }
}

static void refusals(void **state)
{
    struct instance in = half_ball(0.3);
    struct goal goal = goal_unknown();
    const struct with nothing[] = { { 0 } }, tiny[] = { { "eps", 1e-9 }, { 0 } };
    expect_refusal("envelope-agd", &in, &goal, nothing, "needs an accuracy");
    expect_refusal("envelope-agd", &in, &goal, tiny, "at most 2^52");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_8_the_potential_does_not_rise),
        cmocka_unit_test(o7_the_printed_step_fails),
        cmocka_unit_test(v12_the_method_keeps_its_promise),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("descent on the envelope", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_composite_agd.c - composite accelerated descent: its bound with exact subproblems, the counts that follow
 * from the parameters, units, and the stochastic method at its promised accuracy. L is the smoothness of the smooth
 * part, R the distance of the start from the minimiser, N the number of rounds.
 *
 * Serves: bias-reduced */
#include "support/method.h"

#include "run/run_internal.h"
#include "algos/parts/composite_agd.h"

static struct instance composite(double M, double decades, double dist, double radius)
{
    return INSTANCE(memory, "composite_l1", { "d", 8 }, { "M", M }, { "decades", decades },
                    { "dist", dist }, { "radius", radius });
}

/* The context of exact_solve, which solves argmin f + (beta/2)|w - z|^2, f the l1 part of the objective, by soft
 * thresholds at 0.5/(sqrt 8 beta), as the ball does not bind. It also checks the identity of the weights, beta_k
 * gamma_k/Gamma_k = 2 L. */
struct exact { double L, radius; };

static bool exact_solve(void *ctx, double k, double beta, const double *z, double *vbar, double *v)
{
    const struct exact *e = ctx;
    double at = 0.5 / (sqrt(8) * beta), gamma = 2 / (k + 1), Gamma = 2 / (k * (k + 1));
    for (long j = 0; j < 8; j++)
        vbar[j] = v[j] = z[j] > at ? z[j] - at : z[j] < -at ? z[j] + at : 0;
    expect_near("beta gamma/Gamma", beta * gamma / Gamma, 2 * e->L, 1e-12 * e->L);
    assert_true(vec_norm(8, v) < e->radius);
    return true;
}

/* Returns the largest gap_N N(N+1)/(2 L R^2) over N <= rounds, where gap_N is the excess after N rounds and R = 1;
 * x[8] <- the last point. */
static double exact_run(double L, double decades, long rounds, bool printed, double *x)
{
    struct instance in = composite(L, decades, 1, 10);
    struct exact e = { L, 10 };
    struct oracle o;
    double worst = 0, f_star = in.f.f_star;
    contract_open(&o, &in, NULL, 1, memory);
    struct composite_agd s = { .o = &o, .solve = exact_solve, .ctx = &e, .L = L,
                               .printed_centre = printed };
    composite_agd_reserve(&s, memory);
    vec_zero(8, s.x);
    composite_agd_begin(&s);
    for (long k = 1; k <= rounds; k++) {
        double N = (double)k;
        assert_true(composite_agd_round(&s, N));
        worst = fmax(worst, (in.p->value(in.self, s.x) - f_star) * N * (N + 1) / (2 * L));
    }
    expect_count(&o, COUNT_smooth_grads, (double)rounds);
    vec_copy(8, s.x, x);
    oracle_release(&o);
    return worst;
}

/* The gap is at most 2 L R^2/(N(N+1)) for every N, and reaches a fiftieth of this bound. */
static void s7_9_exact_subproblems(void **state)
{
    double x[8];
    for (double L = 1; L <= 256; L *= 16)
        for (double decades = 0; decades <= 4; decades += 2) {
            double worst = exact_run(L, decades, 100, false, x);
            if (!(worst <= 1 && worst > 0.02))
                fail_msg("L = %g, %g decades: gap/bound %g", L, decades, worst);
        }
}

/* As long as all points are inside the set, the run is the same whether a subproblem has the centre that the paper
 * prints or the corrected one, which is projected. */
static void o12_centres_agree_inside(void **state)
{
    double x[8], y[8];
    exact_run(16, 2, 30, false, x);
    exact_run(16, 2, 30, true, y);
    assert_memory_equal(x, y, sizeof x);
}

/* Returns the expected number of gradients of a run, for the constants c of OptEst and b of EpochSGD. Round k has
 * N_k draws. The mean of a draw is the sum over its levels j = 4 ... jmax of probability times gradients; for large
 * T_max it is floor(log2 T_max) - 4.656. *variance <- a bound on the variance, the sum over rounds of N_k
 * 2^(jmax+1). */
static double gradients(double L, double G, double N, double c, double b, double *variance)
{
    double sum = 0;
    *variance = 0;
    for (double k = 1; k <= N; k++) {
        double scale = G * G * k * k / (L * L), T = ceil(b * scale * N);
        double T_max = fmax(1, ceil(256 * c * scale * N * N));
        double N_k = fmax(1, ceil(32 * c * log2(T_max) * scale * N)), mean = 0;
        int jmax = (int)floor(log2(T_max)), e = (int)floor(log2(T / 16 + 1));
        for (int j = 4; j <= jmax; j++)
            mean += j == 4 ? 15.0 / 16 : j == 5 ? 0 : 1 - ldexp(1, 4 - j) - (j - 4) * ldexp(1, -j);
        sum += 16 * (ldexp(1, e) - 1) - e + N_k * mean;
        *variance += N_k * ldexp(1, jmax + 1);
    }
    return sum;
}

/* Each of 12 runs takes N gradients of the smooth part. The mean number of sample gradients is the predicted one,
 * and the mean excess is at most the accuracy 0.2. The cases have the centre of a subproblem projected or as
 * printed, and a small or a large L. */
static void v20_the_method_keeps_its_promise(void **state)
{
    static const struct { double L; const char *centre; } cases[] = {
        { 1, "projected" }, { 1, "printed" }, { 64, "projected" } };
    struct goal goal = goal_unknown();
    goal.acc = 0.2;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double L = cases[k].L, N = ceil(2 * sqrt(L / 0.2)), variance;
        struct instance in = composite(L, 1, 1, 1);
        struct method *m = METHOD("composite-agd", &in, &goal, { "centre", 0, cases[k].centre });
        struct sample_moments gap = { 0 }, cost = { 0 };
        expect_near("N", method_param(m, "N"), N, 0);
        for (uint64_t run = 0; run < 12; run++) {
            moments_of(&gap, in.p->value(in.self, method_run(m, run, nobody)) - in.f.f_star);
            moments_of(&cost, m->o.counts.of[COUNT_sample_grads]);
            expect_count(&m->o, COUNT_smooth_grads, N);
        }
        if (!(gap.mean <= 0.2 && gap.mean > 0))
            fail_msg("L = %g, %s: excess %g", L, cases[k].centre, gap.mean);
        double mean = gradients(L, in.f.G, N, 1, 1, &variance);
        expect_near("gradients", cost.mean, mean, Z * sqrt(variance / 12));
        method_free(m);
    }
}

/* If x is measured in another unit, x/64, the run must scale with it. It does if the accuracy of round k is eps_k =
 * L R^2/(2kN), and does not with the printed L R/(2kN). */
static void o11_budgets_have_no_unit(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.4;
    struct instance in = INSTANCE(memory, "composite_l1", { "d", 4 }, { "M", 2 });
    struct instance small = INSTANCE(memory, "composite_l1", { "d", 4 }, { "M", 2 * 0x1p12 },
                                     { "slope", 32 }, { "s", 32 }, { "dist", 0x1p-6 },
                                     { "radius", 0x1p-6 });
    struct method *m = METHOD("composite-agd", &in, &goal, { "N", 0 });
    struct method *n = METHOD("composite-agd", &small, &goal, { "N", 0 });
    const double *x = method_run(m, 5, nobody), *y = method_run(n, 5, nobody);
    expect_same_counts(&n->o, &m->o);
    for (long j = 0; j < 4; j++)
        expect_near("x/64", 64 * y[j], x[j], 1e-12);
    method_free(m);
    method_free(n);
}

static void refusals(void **state)
{
    struct instance in = composite(1, 0, 1, 1), smooth = INSTANCE(memory, "linear", { "d", 2 });
    struct goal goal = goal_unknown();
    const struct with nothing[] = { { 0 } }, tiny[] = { { "eps", 1e-14 }, { 0 } };
    const struct with eps[] = { { "eps", 0.1 }, { 0 } };
    expect_refusal("composite-agd", &in, &goal, nothing, "needs an accuracy");
    expect_refusal("composite-agd", &in, &goal, tiny, "at most 2^52");
    expect_refusal("composite-agd", &smooth, &goal, eps, "a smooth part apart");
    goal.T = 3;
    expect_refusal("composite-agd", &in, &goal, eps, "expected at least 112");
}

/* A method that would treat the samples of f as samples of the whole objective is refused. */
static void others_are_refused(void **state)
{
    struct instance in = composite(1, 0, 1, 1);
    struct cell c = { .problem = in.p, .algo = registry_algo("sgd") };
    struct why why = { "" };
    assert_int_equal(run_check_fit(&c, in.self, &in.f, &why), REFUSED);
    assert_non_null(strstr(why.text, "never asks for the smooth part"));
    c.algo = registry_algo("composite-agd");
    assert_int_equal(run_check_fit(&c, in.self, &in.f, &why), OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_9_exact_subproblems),
        cmocka_unit_test(o12_centres_agree_inside),
        cmocka_unit_test(v20_the_method_keeps_its_promise),
        cmocka_unit_test(o11_budgets_have_no_unit),
        cmocka_unit_test(refusals),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests_name("composite accelerated descent", tests, setup, teardown);
}

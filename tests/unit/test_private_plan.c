/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_plan.c - plans of private ERM and SCO: sizes, failure probabilities, orders, amplification,
 * refusals. d is the dimension, kappa = L R/(accuracy), rho the standard deviation of the smoothing, r the radius
 * of a ball, and beta sets the noise of the releases. T is the number of gradients of a call of the optimiser, T_i
 * that of its phase i.
 *
 * Serves: resque */
#include "support/method.h"

#include "algos/parts/private_erm.h"

enum { D = 4 };

static const char *const methods[] = { "resque-private-erm", "resque-private-sco" };

/* --- sizes */

/* The sizes of a plan for L = 3 and R = 7 are those of equations (30) to (34) of the paper: with the logarithms of
 * the theorem and C = 1 in theory, without logarithms in practice. */
static void s3_11_s8_21_s8_22_sizes(void **state)
{
    struct private_erm p = { .drift = "proven", .calibration = "paper", .gradient = "levels", .n = 1000000,
                             .dimension = 100, .L = 3, .R = 7, .beta = 0.01, .eps = 0.5, .delta = 1e-6,
                             .c_rho = 10, .c_lam = NAN, .c_A = 1, .c_T = 2, .C_priv = 12, .C_cvx = 1,
                             .probes = 3, .theory = 1 };
    double kappa = 50, n = 1e6, lk = log(kappa), ln = log(1e6 / 1e-6);
    for (int theory = 0; theory < 2; theory++) {
        p.theory = theory;
        struct private_plan q = private_plan_of(&p, n, 7, kappa, 0.01, 0);
        double rho = (theory ? 1 : 0.5) * 21 / kappa / (3 * 10), K = pow(7 / (rho / 10), 2.0 / 3);
        double one = kappa * 10 / (sqrt(K) * 0.01), two = kappa * kappa / K;
        if (!theory)
            one /= sqrt(2);
        expect_near("rho", q.rho, rho, 1e-12);
        expect_near("K", q.K, K, 1e-9);
        double half = theory ? one / (lk * lk) + two / (lk * lk * lk * ln) : one + two;
        expect_near("T1", q.T[SEARCH], ceil(2 * half), 0);
        expect_near("T2", q.T[OPTIMISE], ceil(2 * (theory ? one / sqrt(lk) + two / lk : one + two)), 0);
        expect_near("T3", q.T[PROX], ceil(2 * (one + two)), 0);
        expect_near("M", (double)q.M, theory ? ceil(20 * log(kappa * K * lk)) : 3, 0);
        double lam = (theory ? lk * lk : 1) * 21 / kappa / 2 * K * K / 49;
        expect_near("lam_min", q.lam_min, fmin(lam, 2 * 3 / (rho / 10)), 1e-9 * lam);
    }
}

/* With calibration = paper the method chooses the beta and kappa of the theorem at C = 1, computed by hand. */
static void s3_11_c27_the_formulas(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    struct goal goal = goal_private(1e6, 0.5, 1e-6);
    goal.count = true;                                   /* only counted: by the price of the ledger eps = 0.5 does
                                                            not afford a single call */
    struct method *m = METHOD("resque-private-erm", &in, &goal, { "calibration", 0, "paper" });
    expect_near("beta", method_param(m, "beta"), 0.5 / (log(1e12) * sqrt(log(1e6))), 1e-15);
    expect_near("kappa", method_param(m, "kappa"), 1 / (1e-3 + sqrt(D * log(1e6)) / 5e5), 1e-9);
    method_free(m);
}

/* --- the promise */

/* The failure probabilities of a plan, times 1 + e^eps, are at most half of its share of delta. Each of 1.5 times
 * the expected number of phases adds the probability that it draws one record too often and, if drift = paper, as
 * much again for the failure of Lemma 5. In the paper's own account the probability is added for every call of
 * Algorithm 4, and the sum is equal to this half. */
static void c20_s3_14_failures_of_a_plan(void **state)
{
    static const double eps[] = { 0.5, 1, 4 };
    static const char *const drift[] = { "proven", "paper" };
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            struct private_erm p = { .drift = drift[k], .gradient = "levels", .dimension = 4, .L = 1,
                                     .c_rho = 64, .c_lam = NAN, .c_A = 1, .c_T = 1, .C_priv = 12, .probes = 3 };
            struct private_plan q = private_plan_of(&p, 1e6, 1, 10, 0.01, 0);
            struct promise s = { .eps = eps[i], .delta = 1e-5, .share = 0.25 };
            double all = 1.5 * q.phases * promise_excess(&p, &s, &q) * (1 + k) * (1 + exp(eps[i]));
            assert_true(all <= 0.25 * 1e-5 / 2 && all > 0);
            double most = fmax(q.T[OPTIMISE], ldexp(q.T[PROX], q.jmax));
            double all_4 = 1.5 * q.calls * ceil(log2(log2(most)));
            expect_near("readings", all_4 * promise_failure(&s, &q) * (1 + exp(eps[i])), 0.25 * 1e-5 / 2, 1e-15);
        }
}

/* In the paper's own account the Renyi cost of a phase of stochastic optimisation is converted to epsilon at half
 * of the delta of this phase, here 2.5e-4/2. That is less than half of the run's delta, 1e-3, where the budget is
 * halved from phase to phase. */
static void s8_27_delta_of_a_phase(void **state)
{
    struct oracle o = { 0 };
    struct private_erm p = { .delta = 1e-3 };
    struct private_run s = { .p = &p, .o = &o, .delta = 2.5e-4, .delta_c = 1e-9 };
    const struct renyi_line spends = { 0.01, INFINITY };
    s.mode[MODE_A] = spends;
    private_settle(&s);
    expect_near("eps_A", s.eps_mode[MODE_A], renyi_eps(spends, 1.25e-4), 1e-15);
    assert_true(s.mode[MODE_A].slope == 0);
}

/* The constants of theory need the rho/r that Lemma 5 asks for at the plan's delta_0, which depends on rho/r in
 * turn. The plan has a rho/r that satisfies the lemma, and a ball larger by a thousandth would not. */
static void c19_s3_7_theory_holds_lemma_5(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", 2 });
    struct goal goal = goal_private(1e17, 0.5, 1e-6);
    goal.count = true;
    goal.constants = CONSTANTS_THEORY;
    struct method *m = METHOD("resque-private-erm", &in, &goal, { "drift", 0, "paper" }, { "n", 4e15 }, { "C", 1 });
    const struct private_erm *p = (const struct private_erm *)m->params;
    struct private_plan q = private_plan_of(p, 4e15, 1, p->kappa, p->beta, 0);
    struct promise s = { .eps = 0.5, .delta = 1e-6, .share = 1 };
    struct resque_erm e = { .drift = DRIFT_PAPER, .lam = 1, .r = q.r, .rho = q.rho,
                            .delta_0 = promise_excess(p, &s, &q) };
    assert_true(resque_drift_failure(&e) == e.delta_0 && e.delta_0 < 1e-9);
    e.r *= 1.001;
    assert_true(resque_drift_failure(&e) == 1);
    method_free(m);
}

/* A stage costs its slope times the Renyi order, up to an order that is its cap. A plan is made for half of the
 * promise, and once more as a part of a composition in which other stages have half of the first plan's cap. The
 * second plan must keep to this cap: twice its price, at orders up to the lower cap, is at most the whole eps at
 * delta/2. */
static void s3_14_orders_of_a_composition(void **state)
{
    struct private_erm p = { .drift = "proven", .gradient = "levels", .dimension = 4, .L = 1, .c_rho = 64,
                             .c_lam = NAN, .c_A = 1, .c_T = 1, .C_priv = 12, .probes = 3, .M = 1, .beta = 0.5 };
    struct promise own = { .eps = 4, .delta = 1e-3, .share = 0.5 };
    struct private_plan a = private_best(&p, 1e5, 1, 0, 100, &own);
    struct promise less = own;
    assert_true(a.kappa > 1 && isfinite(a.cap));
    less.cap = a.cap / 2;
    struct private_plan b = private_best(&p, 1e5, 1, 0, 100, &less);
    assert_true(b.kappa > 1 && b.kappa <= a.kappa * (1 + 1e-9) && b.cap >= less.cap);
    struct renyi_line all = private_plan_price(&p, &b, promise_excess(&p, &less, &b));
    all.cap = less.cap;
    all.slope *= 2;                                      /* the plan is for half of the promise */
    assert_true(renyi_eps(all, 1e-3 / 2) <= 4 * (1 + 1e-9));
}

/* A call takes at most T = n/C_priv gradients. With the default C_priv no phase of such a call has n/40 draws or
 * more, so that all phases are amplified by sampling; with C_priv = 10 and 4 some have. By Proposition 7 an
 * amplified phase costs 13 (T_i/n)^2 times a phase on all records; a phase that is not amplified costs as much as
 * one on all records. */
static void c20_s6_2_s3_14_amplified(void **state)
{
    static const double C[] = { 12, 10, 4 };
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    struct goal goal = goal_private(1e6, 0.9, 1e-4);
    struct method *m = METHOD("resque-private-erm", &in, &goal, { "c_n", 8 });
    expect_near("C_priv", method_param(m, "C_priv"), C[0], 0);
    for (int k = 0; k < 3; k++) {
        double T = 0x1p20, n = C[k] * T, tau = 0, plain = 0;
        struct resque_price a = { .n = n, .d = 1, .L = 1, .r = 1e-9, .rho = 1, .excess = 0.5 };
        for (int i = 0; i < 5; i++)                      /* ceil(log2 20) = 5 stages of T/32 to T/2 gradients */
            for (double T_i = ldexp(T, i - 6), beta_i = 1e-3 * exp2((5 - i) / 2.0); T_i >= 1; T_i /= 2) {
                double whole = 2 * beta_i * beta_i, s = T_i / n;     /* a record moves the mean by 2 L eta each time
                                                                        that it is drawn; the noise is L
                                                                        eta/beta_i */
                plain += s < 1.0 / 40 ? 0 : whole;
                tau += s < 1.0 / 40 ? 13 * s * s * whole : 0;
            }
        assert_true((plain > 0) == (k > 0));
        expect_near("price", resque_price_strongly(&a, 1e-3, T).slope / (tau + plain), 1, 1e-4);
    }
    method_free(m);
}

/* --- refusals */

static void s6_2_s8_26_refusals(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    struct instance bent = INSTANCE(memory, "sigmoid", { "d", D });
    struct goal few = goal_private(100, 0.5, 1e-6), goal = goal_private(1e6, 0.5, 1e-6);
    struct goal loose = goal_private(1e6, 2, 1e-6), literal = goal, wrong = goal_private(1e6, 0.5, 2);
    struct goal sharp = goal_private(40, 1, 1e-5);
    static const struct with plain[] = { { 0 } };
    static const struct with formula[] = { { "calibration", 0, "paper" }, { "c_T", 100 }, { 0 } };
    literal.constants = loose.constants = CONSTANTS_THEORY;
    sharp.acc = 0.1;
    expect_refusal("resque-private-erm", &in, &few, plain, "nothing better than L R");
    expect_refusal("resque-private-erm", &in, &sharp, plain, "do not afford the first call");
    expect_refusal("resque-private-erm", &in, &goal, formula, "do not afford the first call");
    expect_refusal("resque-private-sco", &in, &few, plain, "no phase promises better");
    expect_refusal("resque-private-erm", &in, &none, plain, "goal n of at least 16");
    expect_refusal("resque-private-erm", &in, &wrong, plain, "0 < delta");
    for (int a = 0; a < 2; a++) {
        expect_refusal(methods[a], &in, &loose, plain, "eps < 1");
        expect_refusal(methods[a], &bent, &goal, plain, "weak must be 0");
        expect_refusal(methods[a], &in, &literal, plain, "--constants practical");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s3_11_s8_21_s8_22_sizes),
        cmocka_unit_test(s3_11_c27_the_formulas),
        cmocka_unit_test(c20_s3_14_failures_of_a_plan),
        cmocka_unit_test(s8_27_delta_of_a_phase),
        cmocka_unit_test(c19_s3_7_theory_holds_lemma_5),
        cmocka_unit_test(s3_14_orders_of_a_composition),
        cmocka_unit_test(c20_s6_2_s3_14_amplified),
        cmocka_unit_test(s6_2_s8_26_refusals),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

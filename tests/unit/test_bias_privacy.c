/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bias_privacy.c - the privacy of Algorithm 6, phased-optimum: Lemma 13 is compared with the exact curve; the
 * change by one record, refusals, and variants that are never called private; and baselines for losses with kinks.
 *
 * Serves: bias-reduced */
#include "support/method.h"

#include "privacy/account_ledger.h"

enum { D = 3, N = 300, K = 9 };          /* K = ceil(log2 300) */
static const char *const estimators[] = { "clipped", "exact", "mlmc", "plain" };

/* Returns the least epsilon at delta that the ledger proves. */
static double spent(struct method *m, double delta)
{
    struct priced by[ACCOUNTANTS];
    m->o.ledger.adjacency = m->algo->adjacency;  /* as the runner sets it */
    account_ledger(&m->o.ledger, INFINITY, delta, by);
    return account_ledger_least(by);
}

/* Returns delta of Balle and Wang's curve, by the error function. */
static double curve(double eps, double mu)
{
    double a = eps / mu - mu / 2;
    return erfc(a / sqrt(2)) / 2 - exp(eps) * erfc((a + mu) / sqrt(2)) / 2;
}

/* The noise of Lemma 13, sigma = 2 Delta sqrt(ln(2/beta))/alpha for sensitivity Delta, is (alpha, beta)-private for
 * alpha <= ln(1/beta), and not for all alpha. The noise of Algorithm 6 is 4 times this sigma. 2 sqrt(2) times would
 * be enough for (alpha, beta^2/2). */
static void o14_lemma13(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", D });
    for (double beta = 1e-12; beta < 0.5; beta *= 4) {
        double L = log(2 / beta);
        for (double alpha = 0.01; alpha <= log(1 / beta); alpha *= 1.3)
            assert_true(curve(alpha, alpha / (2 * sqrt(L))) <= beta);
        assert_true(curve(8 * L, 4 * sqrt(L)) > beta);
    }
    for (double alpha = 0.1; alpha <= 11; alpha *= 1.5) {
        struct goal goal = goal_private(N, alpha, 1e-5);
        struct method *m = METHOD("phased-optimum", &in, &goal, { "calibration", 0, "paper" },
                                  { "estimator", 0, "exact" });
        method_run(m, 1, nobody);
        const struct ledger_entry *e = &m->o.ledger.entry[0];
        assert_true(curve(alpha, e->sensitivity / e->scale) <= 1e-10 / 2);
        assert_true(spent(m, 1e-5) <= alpha);
        method_free(m);
    }
}

/* The estimators `clipped` and `exact` have a bounded sensitivity: with exact calibration they spend exactly eps.
 * The sensitivity of `mlmc` and `plain` has no bound, and with sigma = 0 there is no noise. In both cases epsilon
 * is infinite. */
static void o36_never_called_private(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", D });
    struct goal goal = goal_private(N, 1, 1e-5);
    for (int k = 0; k < 4; k++) {
        struct method *m = METHOD("phased-optimum", &in, &goal, { "estimator", 0, estimators[k] },
                                  { "T_max", 128 });
        struct method *bare = METHOD("phased-optimum", &in, &goal, { "T_max", 128 },
                                     { "estimator", 0, estimators[k] }, { "sigma", 0 });
        method_run(m, 1, nobody);
        method_run(bare, 1, nobody);
        if (k < 2)
            expect_near("epsilon", spent(m, 1e-5), 1, 1e-6);
        else
            assert_true(isinf(spent(m, 1e-5)));
        assert_true(isinf(spent(bare, 1e-5)));
        method_free(m);
        method_free(bare);
    }
}

/* A phase estimates its minimiser by the mean of nbar independent copies of the estimator. With one record replaced
 * and the same draws, clipped copies move the mean of the first phase by at most 2 r c/nbar, where r is the
 * clipping radius and c copies use the record. The answer may move by 1.3 times this; unclipped copies move it by
 * more. Records after the first 4 * 64 change nothing. */
static void o36_one_record(void **state)
{
    static const struct { const char *family; struct with with[4]; } cases[] = {
        { "linear", { { "d", D }, { "hardness", 0.3 }, { "radius", 1e6 } } },
        { "norm", { { "d", D }, { "s", 1 }, { "radius", 1e6 } } },
        { "spatial_median", { { "d", D }, { "radius", 1e6 } } },
    };
    const double C_1 = 1e-6, eta = 16;
    for (int f = 0; f < 3; f++) {
        struct instance in = instance_of(memory, cases[f].family, cases[f].with);
        double most[2] = { 0 };
        for (int uncut = 0; uncut < 2; uncut++) {
            struct method *m = METHOD("phased-optimum", &in, &none, { "n", 259 }, { "k", 4 },
                                      { "eta", eta }, { "C_1", C_1 },
                                      { "estimator", 0, uncut ? "mlmc" : "clipped" });
            double base[D], r = sqrt(C_1 * log(259)) * in.f.L * eta / 16 * 64;
            vec_copy(D, method_run(m, 5, nobody), base);
            double copies = m->o.note[0].max;
            for (long i = 0; i < 259; i += 3) {
                struct neighbour other = { NEIGHBOUR_REPLACE, i, 1000 + i };
                double moved = vec_dist(D, method_run(m, 5, other), base) * 64 /
                               (2 * r * copies);
                if (i >= 256 && moved > 0)
                    fail_msg("%s: record %ld is not in a phase", in.name, i);
                if (i < 64)
                    most[uncut] = fmax(most[uncut], moved);
            }
            method_free(m);
        }
        if (!(most[0] > 0 && most[0] <= 1.3 && most[1] > 1.3))
            fail_msg("%s: %g of the bound, uncut %g", in.name, most[0], most[1]);
    }
}

/* The printed sigma lacks the factor G, and so has the wrong unit: with G = 8.5 the printed noise breaks the
 * promise, with G = 1/4 it is larger than needed. */
static void o13_sigma_has_G(void **state)
{
    struct goal goal = goal_private(N, 1, 1e-5);
    static const double s[] = { 8, 0.15 };
    for (int k = 0; k < 2; k++) {
        struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", k ? 0.1 : 0.5 },
                                      { "s", s[k] });
        double G = k ? 0.25 : 8.5;
        struct method *m = METHOD("phased-optimum", &in, &goal, { "estimator", 0, "exact" },
                                  { "calibration", 0, "paper" });
        struct method *p = METHOD("phased-optimum", &in, &goal, { "estimator", 0, "exact" },
                                  { "calibration", 0, "printed" });
        double sigma = method_param(m, "sigma");
        expect_near("printed", method_param(p, "sigma"), sigma / G, 1e-12 * sigma / G);
        method_run(m, 1, nobody);
        method_run(p, 1, nobody);
        assert_true(spent(m, 1e-5) <= 1);
        assert_true(k ? spent(p, 1e-5) < spent(m, 1e-5) : spent(p, 1e-5) > 1);
        method_free(m);
        method_free(p);
    }
}

/* Where a record is in more than B copies, the run is refused with a sentence, without a release or an answer.
 * MLMC, which is never private, continues. */
static void o36_used_too_often(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "radius", 1e6 });
    struct method *m = METHOD("phased-optimum", &in, &none, { "n", N }, { "B", 2 }, { "sigma", 9 },
                              { "R", 1 });
    struct method *u = METHOD("phased-optimum", &in, &none, { "n", N }, { "B", 2 }, { "sigma", 9 },
                              { "R", 1 }, { "estimator", 0, "mlmc" });
    method_drawn(m, 1);
    assert_true(m->o.refused && strstr(m->o.refused, "more copies than B use one record"));
    assert_true(m->o.ledger.entries == 0 && vec_norm(D, m->x) == 0);
    method_drawn(u, 1);
    assert_null(u->o.refused);
    assert_int_equal(u->o.ledger.entries, K);
    method_free(m);
    method_free(u);
}

/* --- refusals, and the methods with which phased-optimum is compared */

static void o36_conditions(void **state)
{
    const struct with paper[] = { { "calibration", 0, "paper" }, { 0 } }, plain[] = { { 0 } };
    const struct with exact[] = { { "estimator", 0, "exact" }, { 0 } };
    const struct with one[] = { { "n", 1 }, { 0 } }, deep[] = { { "n", 16000 }, { "k", 1000 }, { 0 } };
    /* `fine` asks for 9 phases of 455 records. The noise of phase 9, whose eta is the smallest, is then below the
     * rounding of the projection, and the run is refused. */
    const struct with fine[] = { { "estimator", 0, "exact" }, { "k", 9 }, { 0 } };
    struct goal tiny = goal_private(4096, 0.01, 1e-6);
    struct goal bold = goal_private(N, 12, 1e-5), loose = goal_private(N, 1, 0.01);
    struct goal few = goal_private(100, 1, 1e-5), hasty = goal_private(N, 1, 1e-5), many = hasty;
    struct instance in = INSTANCE(memory, "linear", { "d", D });
    struct instance kink = INSTANCE(memory, "norm", { "d", D }, { "radius", 1 });
    struct instance open = INSTANCE(memory, "norm", { "d", D });
    struct instance wavy = INSTANCE(memory, "sigmoid", { "d", D });
    expect_refusal("phased-optimum", &in, &bold, paper, "eps <= ln(1/delta) = 11.5");
    expect_refusal("phased-optimum", &in, &loose, paper, "delta <= 1/n = 0.00333");
    method_free(METHOD("phased-optimum", &in, &bold, { 0 }));
    method_free(METHOD("phased-optimum", &in, &loose, { 0 }));
    expect_refusal("phased-optimum", &in, &few, plain, "expected at least 16 in each");
    expect_refusal("phased-optimum", &in, &few, one, "n = 1 samples in k = 1 phases");
    expect_refusal("phased-optimum", &in, &tiny, fine, "noise of phase k = 9 has sd");
    expect_refusal("phased-optimum", &in, &tiny, deep, "algo.k = 1000: expected fewer phases");
    hasty.T = 100;
    expect_refusal("phased-optimum", &in, &hasty, plain, "the longest draws of 9 phases take 4");
    expect_refusal("phased-optimum", &kink, &loose, exact, "needs M, not M = nan");
    expect_refusal("phased-optimum", &open, &loose, plain, "needs the radius");
    expect_refusal("phased-optimum", &wavy, &loose, plain, "private only for convex losses");
    expect_refusal("phased-optimum", &in, &none, plain, "goal n or budget");
    many.n = 4096;
    expect_refusal("phased-optimum", &in, &many, exact, "noise of phase k = 12 has sd");
    method_free(METHOD("phased-optimum", &in, &many, { 0 }));
}

/* The family spatial_median has no M: phased-sgd, phased-erm and snowball-sgd are not private there and are
 * refused. dp-sgd over one pass, which clips and needs no M, runs. On coins_stored the variant bst14 of
 * multi-epoch-dp-sgd chooses n^2 rounds and the noise of the printed formula. */
static void s5_14_kinks(void **state)
{
    const struct with plain[] = { { 0 } };
    struct goal goal = goal_private(64, 1, 1e-6);
    struct instance median = INSTANCE(memory, "spatial_median", { "d", D });
    struct instance coins = INSTANCE(memory, "coins_stored", { "d", D }, { "n", 64 });
    expect_refusal("phased-sgd", &median, &goal, plain, "private only for smooth losses");
    expect_refusal("phased-erm", &median, &goal, plain, "needs M");
    expect_refusal("snowball-sgd", &median, &goal, plain, "private only for smooth losses");
    struct method *m = METHOD("dp-sgd", &median, &goal, { "step", 0.1 });
    method_run(m, 1, nobody);
    expect_near("dp-sgd", spent(m, 1e-6), 1, 1e-6);
    method_free(m);
    goal.n = NAN;
    m = METHOD("multi-epoch-dp-sgd", &coins, &goal, { "variant", 0, "bst14" },
               { "calibration", 0, "paper" });
    double T = 64 * 64, sigma = method_param(m, "sigma");
    expect_near("T", method_param(m, "T"), T, 0);
    expect_near("sigma", sigma, sqrt(32 * T * log(64e6) * log(1e6)) / 64, 1e-12 * sigma);
    method_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(o14_lemma13), cmocka_unit_test(o13_sigma_has_G),
        cmocka_unit_test(o36_never_called_private), cmocka_unit_test(o36_used_too_often),
        cmocka_unit_test(o36_one_record), cmocka_unit_test(o36_conditions),
        cmocka_unit_test(s5_14_kinks),
    };
    return cmocka_run_group_tests_name("privacy of Algorithm 6", tests, setup, teardown);
}

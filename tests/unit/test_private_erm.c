/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_erm.c - private ERM and SCO: the promise, compared with the accountants of the ledger; replay,
 * counts, accuracy. Plans are in test_private_plan.c. d is the dimension, kappa = L R/(accuracy), rho the standard
 * deviation of the smoothing, r the radius of a ball, and beta sets the noise: a phase with step length eta_i adds
 * noise of standard deviation L eta_i/beta.
 *
 * Slow
 * Serves: resque */
#include "support/method.h"
#include "support/replayed.h"

#include "privacy/account_ledger.h"

#include "algos/parts/private_erm.h"

enum { D = 4 };
#define SMALL { "c_T", 1 }, { "M", 1 }

static const char *const methods[] = { "resque-private-erm", "resque-private-sco" };

static double spent(struct method *m, double delta)
{
    struct priced out[ACCOUNTANTS];
    m->o.ledger.adjacency = m->algo->adjacency;
    account_ledger(&m->o.ledger, INFINITY, delta, out);
    return account_ledger_least(out);
}

/* --- the promised epsilon and what the ledger costs; replay */

/* After a run the epsilon of its ledger is positive and at most the promised one, on stored records and on a
 * stream. */
static void u7_s1_3_promises_are_kept(void **state)
{
    static const double eps[] = { 0.9, 4 };
    struct instance in[] = { INSTANCE(memory, "coins", { "d", D }, { "bias", 0.5 }),
                             INSTANCE(memory, "coins_stored", { "d", D }, { "bias", 0.5 }, { "n", 20000 }) };
    for (int s = 0; s < 2; s++)
        for (int a = 0; a < 2; a++)
            for (int k = 0; k < 2; k++) {
                struct goal goal = goal_private(20000, eps[k], 1e-4);
                struct method *m = METHOD(methods[a], &in[s], &goal, SMALL, { "c_n", 8 });
                method_drawn(m, 3);
                assert_null(m->o.refused);
                assert_true(m->algo->adjacency == ADJACENCY_REPLACE_ONE);
                double cost = spent(m, 1e-4);
                if (!(cost <= eps[k] && cost > 0))
                    fail_msg("%s: asked %g, spent %g", methods[a], eps[k], cost);
                method_free(m);
            }
}

/* A kappa twice as large as chosen makes a run cost more than was planned. It then ends early, at the point that it
 * has, and the promise is kept. */
static void s8_21_the_end_of_a_promise(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D }, { "bias", 0.5 });
    struct goal goal = goal_private(20000, 2, 1e-4);
    struct method *m = METHOD("resque-private-erm", &in, &goal, SMALL);
    double kappa = method_param(m, "kappa"), beta = method_param(m, "beta");
    method_drawn(m, 3);
    double whole = m->o.counts.of[COUNT_sample_grads];
    assert_true(m->o.note[PRIVATE_STOPPED].last == 0);
    method_free(m);
    m = METHOD("resque-private-erm", &in, &goal, SMALL, { "kappa", 2 * kappa }, { "beta", beta });
    method_drawn(m, 3);
    double stopped = m->o.note[PRIVATE_STOPPED].last, made = m->o.counts.of[COUNT_sample_grads];
    if (!(stopped == 1 && made > whole / 20 && spent(m, 1e-4) <= 2))
        fail_msg("stopped %g after %g gradients, of %g, spent %g", stopped, made, whole, spent(m, 1e-4));
    method_free(m);
}

/* A run whose bound of what one record moves is an estimate (drift = measured) never counts as private. Neither
 * does a run whose bound is that of Lemma 5 (drift = paper) if rho/r is too small for the lemma. Their epsilon is
 * infinite. */
static void s8_15_no_proof_no_privacy(void **state)
{
    static const char *const drift[] = { "paper", "measured" };
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    struct goal goal = goal_private(20000, 4, 1e-4);
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("resque-private-erm", &in, &goal, { "c_T", 1 }, { "kappa", 2 },
                                  { "beta", 1e-3 }, { "drift", 0, drift[k] });
        method_drawn(m, 1);
        assert_true(m->o.ledger.entries > 0 && isinf(spent(m, 1e-4)));
        method_free(m);
    }
}

/* With the bound of Lemma 5 (drift = paper), and the rho/r that the lemma needs, the epsilon of the ledger is at
 * most the promised one; the lemma's failure probability is booked. */
static void c19_s6_2_private_by_lemma_5(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", 1 });
    struct goal goal = goal_private(1e8, 4, 1e-4);
    struct method *m = METHOD("resque-private-erm", &in, &goal, { "c_T", 1 }, { "kappa", 1.5 },
                              { "beta", 1e-4 }, { "drift", 0, "paper" }, { "c_rho", 4e6 },
                              { "M", 1 }, { "gradient", 0, "search" }, { "c_A", 1e-3 });
    method_drawn(m, 1);
    assert_true(m->o.ledger.entries > 1 && m->o.ledger.entry[0].failure > 0);
    assert_true(m->o.ledger.entry[0].failure < 1e-6);
    assert_true(spent(m, 1e-4) <= 4);
    method_free(m);
}

/* A run and its replay on a neighbour with the same releases differ in nothing else, and no released value changes,
 * before its noise, by more than the declared sensitivity. */
static void u14_s1_3_replay(void **state)
{
    static const char *const problem[] = { "coins d=4 bias=0.5", "coins_stored d=4 n=3000" };
    assert_int_equal(begin(NULL), 0);
    for (int s = 0; s < 2; s++)
        for (int a = 0; a < 2; a++)
            for (long k = 1; k <= 3; k++) {
                struct cell *c = cell_of(NULL, "problem %s | algo %s c_T=1 M=1 c_n=4 | goal n=3000 eps=4 "
                                         "delta=1e-3 | rep %ld", problem[s], methods[a], k);
                struct replay r = replayed(c, k);
                if (r.tape.leak || !(worst(&r) <= 1 && worst(&r) > 0))
                    fail_msg("%s: %s %s, ratio %g", c->text, leak_words(r.tape.leak), r.tape.what,
                             worst(&r));
                tape_free(&r.tape);
                cell_free(c);
            }
    end(NULL);
}

/* --- the phases of private SCO */

/* Phases use disjoint blocks of n/2, n/4, ... samples, whose draws are priced separately. In the printed form phase
 * i has half the budget of the one before, and a step shorter by 2^5; a run then spends at most half of eps = 4. */
static void c30_s3_13_s8_27_blocks(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    struct goal goal = goal_private(20000, 4, 1e-3);
    struct method *m = METHOD("resque-private-sco", &in, &goal, SMALL, { "c_n", 8 });
    method_drawn(m, 1);
    long from = 0, of = 10000, blocks = 1;
    for (long k = 0; k < m->o.ledger.entries; k++) {
        const struct ledger_entry *e = &m->o.ledger.entry[k];
        if (e->from != from) {
            from += of;
            of /= 2;
            blocks++;
        }
        assert_true(e->scheme == SAMPLING_REPLACE && e->from == from && e->of == of);
    }
    expect_count(&m->o, COUNT_taken, (double)(from + of));
    assert_true(blocks >= 2);
    double all = spent(m, 1e-3);
    for (long k = 0; k < m->o.ledger.entries; k++)       /* the same releases, priced as if every block held all
                                                            records */
        m->o.ledger.entry[k].from = 0;
    if (!(all <= 4 && spent(m, 1e-3) > 1.1 * all))
        fail_msg("spent %g, by the same records %g", all, spent(m, 1e-3));
    method_free(m);
    m = METHOD("resque-private-sco", &in, &goal, SMALL, { "budget", 0, "halved" }, { "decay", 5 },
               { "c_n", 8 });
    method_drawn(m, 1);
    assert_true(spent(m, 1e-3) <= 2);
    method_free(m);
}

/* --- counts of runs and of count mode */

/* If the answer of every ball oracle is inside of its ball, a run is as short as possible, and asks for exactly
 * what count mode counts. */
static void u10_s6_5_count_mode(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    for (int a = 0; a < 2; a++) {
        struct goal goal = goal_unknown();
        struct with with[] = { { "c_rho", 3000 }, { "c_T", 64 }, { "c_n", 20 }, { 0 } };
        goal.n = 2000;
        struct method *m = method_tuned(methods[a], &in, &goal, with, NULL);
        method_drawn(m, 5);
        const struct counts *real = &m->o.counts;
        double grads = real->of[COUNT_sample_grads], noise = real->of[COUNT_noise_gauss];
        double steps = real->of[COUNT_batch_steps], binding = m->o.note[PRIVATE_BINDING].last;
        assert_true(binding == 0);
        oracle_release(&m->o);
        arena_reset(m->work);
        struct rng rng = rng_stream(5);
        contract_open(&m->o, &in, m->algo, 5, m->work);
        m->o.counting = true;
        vec_zero(D, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        expect_count(&m->o, COUNT_sample_grads, grads);
        expect_count(&m->o, COUNT_noise_gauss, noise);
        expect_count(&m->o, COUNT_batch_steps, steps);
        method_free(m);
    }
}

/* At n = 10^12 a run would take years. The gradients that count mode counts are within 5% of those of the plan. */
static void s6_5_c28_count_of_many(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", 2 });
    struct goal goal = goal_private(1e12, 0.5, 1e-6);
    goal.count = true;
    struct method *m = METHOD("resque-private-erm", &in, &goal, { "calibration", 0, "paper" },
                              { "c_rho", 2 }, { "drift", 0, "measured" });
    struct private_plan q = private_plan_of((const struct private_erm *)m->params, 1e12, 1,
                                            method_param(m, "kappa"), method_param(m, "beta"), 0);
    struct rng rng = rng_stream(5);
    contract_open(&m->o, &in, m->algo, 5, m->work);
    m->o.counting = true;
    vec_zero(2, m->x);
    assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
    double truth = private_plan_gradients((const struct private_erm *)m->params, &q, 1);
    expect_near("gradients", m->o.counts.of[COUNT_sample_grads] / truth, 1, 0.05);
    method_free(m);
}

/* --- accuracy, and units of L and R */

/* With practical constants no accuracy is promised. The test requires what any useful private method achieves: the
 * mean excess of 8 runs plus 4 of its standard errors is below half of the start's excess, and the answers are in
 * the ball of radius R. */
static void c27_s6_4_s8_29_accuracy(void **state)
{
    struct instance in = INSTANCE(memory, "coins_stored", { "d", D }, { "bias", 0.5 }, { "n", 30000 });
    struct goal goal = goal_private(30000, 0.99, 1e-3);
    struct method *m = METHOD("resque-private-erm", &in, &goal, { "c_n", 1 });
    struct sample_moments excess = { 0 };
    static const double origin[D];
    double error, start = in.p->measures[0].at(in.self, origin, &error);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        method_drawn(m, seed);
        assert_true(vec_norm(D, m->x) <= 1 + 1e-12);
        moments_of(&excess, in.p->measures[0].at(in.self, m->x, &error));
    }
    double slack = 4 * sqrt(moments_variance(&excess) / excess.n);
    expect_near("start", start, 0.5, 0.02);              /* the excess at the start is L R times the mean of |b_j|,
                                                            where b_j, the bias of coin j in the records, is near
                                                            +-0.5; L = R = 1 */
    if (!(excess.mean + slack < start / 2))
        fail_msg("excess %g +- %g, from %g", excess.mean, slack, start);
    method_free(m);
}

/* Tests Corollary 3 without privacy at lambda = 2, L = 1.1, |x*| = 1/2. Stage j promises (lambda/2)|x - x*|^2 <= L
 * R_j/kappa_j with kappa_j^2 = 2^(j-k) n, R_0 = L/lambda, R_(j+1)^2 = 2 L R_j/(kappa_j lambda), for k stages; the
 * last stage is checked. The noise is a tenth of the slope, and changes the result of a stage by less than
 * 10^-3. */
static void c29_s3_12_regularised(void **state)
{
    assert_int_equal(begin(NULL), 0);
    for (int n = 256; n <= 4096; n *= 4) {
        double R = 0.55, kappa = 0, square = 0;
        int k = (int)ceil(log2(log2(n)));
        for (int j = 0; j < k; j++) {
            R = j ? sqrt(2 * 1.1 * R / (kappa * 2)) : R;
            kappa = sqrt(ldexp(n, j - k));
        }
        struct cell *c = cell_of(NULL, "problem linear d=4 hardness=1 s=0.1 radius=100 | algo resque-regularised "
                                       "n=%d lambda=2 | goal n=%d | run draws=1", n, n);
        struct record *r = run_cell(rn, c, NULL);
        assert_true(record_get(r, "stratum.0.mean.error2", &square));
        if (!(square <= 1.1 * R / kappa))
            fail_msg("n = %d: excess %g, promised %g", n, square, 1.1 * R / kappa);
        record_free(r);
        cell_free(c);
    }
    end(NULL);
}

/* If L is multiplied by 4 and R by 8, the answer is multiplied by 8 and the counts are unchanged. */
static void s1_2_units(void **state)
{
    struct instance in[] = { INSTANCE(memory, "coins", { "d", D }, { "bias", 0.5 }),
                             INSTANCE(memory, "coins", { "d", D }, { "bias", 0.5 }, { "L", 4 }, { "radius", 8 }) };
    for (int a = 0; a < 2; a++) {
        double x[D], grads = 0;
        struct goal goal = goal_private(20000, 4, 1e-3);
        for (int s = 0; s < 2; s++) {
            struct method *m = METHOD(methods[a], &in[s], &goal, SMALL, { "c_n", 16 });
            method_drawn(m, 3);
            if (s == 0) {
                memcpy(x, m->x, sizeof x);
                grads = m->o.counts.of[COUNT_sample_grads];
            } else {
                vec_scale(D, 8, x);
                expect_vectors("answer", D, m->x, x, 1e-9);
                expect_count(&m->o, COUNT_sample_grads, grads);
            }
            method_free(m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u7_s1_3_promises_are_kept),
        cmocka_unit_test(s8_21_the_end_of_a_promise),
        cmocka_unit_test(s8_15_no_proof_no_privacy),
        cmocka_unit_test(c19_s6_2_private_by_lemma_5),
        cmocka_unit_test(u14_s1_3_replay),
        cmocka_unit_test(c30_s3_13_s8_27_blocks),
        cmocka_unit_test(u10_s6_5_count_mode),
        cmocka_unit_test(s6_5_c28_count_of_many),
        cmocka_unit_test(c27_s6_4_s8_29_accuracy),
        cmocka_unit_test(c29_s3_12_regularised),
        cmocka_unit_test(s1_2_units),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

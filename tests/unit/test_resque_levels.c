/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_levels.c - draws of the estimators of the private part of the paper resque: the change by one record,
 * compared with closed forms; levels and aggregation; draws with replacement; Lemma 6 by counting vectors; what the
 * parts of the method cost in privacy. T is a number of gradients, and beta sets the noise: a release after steps
 * of length eta has noise of standard deviation L eta/beta.
 *
 * Serves: resque */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "support/method.h"
#include "support/draw.h"

#include "algos/parts/resque_account.h"

enum { D = 3 };

/* --- the change by one record */

static double drawn(struct draw_of *q, const char *name)
{
    for (const struct functional *f = q->e->functionals; f->name; f++)
        if (strcmp(f->name, name) == 0) {
            struct functional_env env = { q->in->d, q->target, q->direction };
            return f->of(&env, q->v);
        }
    fail_msg("no functional %s", name);
    return NAN;
}

static void next(struct draw_of *q, int stratum)
{
    struct rng r = rng_at(&q->rng, q->draws++);
    arena_reset(q->work);
    assert_int_equal(q->e->draw(&q->o, q->params, q->work, &r, stratum, q->v), OK);
}

/* Checks the drift, |ybar - ybar'|^2/(b eta L)^2: how far the mean ybar of T iterates moves if b samples have the
 * gradient -g in place of g (eta: the step length). g is constant, and rho is so large that all weights are 1. If
 * the first sample alone is changed, all iterates and their mean move by 2 eta L. If all T samples are, iterate j
 * moves by 2 j eta L, whose mean over j is (T+1) eta L. */
static void c19_drift_of_constant_gradients(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", 3 }, { "hardness", 1 }, { "s", 0 });
    struct draw_of *q = DRAWN("resque-drift", &in, 1, { "T", 64 }, { "c_rho", 1e9 }, { "b", 1 },
                              { "eta", 1e-4 });
    next(q, 0);
    expect_near("last", drawn(q, "last"), 4, 1e-5);
    expect_near("drift", drawn(q, "drift"), 4, 1e-5);
    drawn_free(q);
    q = DRAWN("resque-drift", &in, 1, { "T", 64 }, { "c_rho", 1e9 }, { "b", 64 }, { "eta", 1e-4 });
    next(q, 0);
    expect_near("all", drawn(q, "drift"), pow(65.0 / 64, 2), 1e-5);
    expect_near("c", q->v[3 * in.d], 2, 1e-6);
    drawn_free(q);
}

/* The drift of constant gradients is right in one dimension, too, where a row of an estimate has room for only
 * one number. */
static void s1_2_drift_in_one_dimension(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", 1 }, { "hardness", 1 }, { "s", 0 });
    struct draw_of *q = DRAWN("resque-drift", &in, 1, { "T", 64 }, { "c_rho", 1e9 }, { "eta", 1e-4 });
    next(q, 0);
    expect_near("drift", drawn(q, "drift"), 4, 1e-5);
    expect_near("moved", drawn(q, "moved"), 4, 1e-5);
    expect_near("share", drawn(q, "share"), 1, 1e-5);
    drawn_free(q);
}

/* The drift of every draw is within the proven bound, and within the bound with the constant of Lemma 5. Where
 * weights are near 1, one sample with the gradient -g moves all iterates by nearly 2 eta L. */
static void c19_s6_4_proven_bound(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", 4 }, { "bias", 0.2 });
    static const double ratio[] = { 64, 250, 1000 }, copies[] = { 1, 7, 100 };
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            struct draw_of *q = DRAWN("resque-drift", &in, 7, { "T", 100 }, { "c_rho", ratio[a] },
                                      { "b", copies[b] });
            double largest = 0;
            for (int k = 0; k < 200; k++) {
                next(q, 0);
                assert_true(drawn(q, "share") <= 1 && drawn(q, "drift") <= 1500);
                largest = fmax(largest, drawn(q, "share"));
            }
            assert_true(largest > (b ? 0.1 : a == 2 ? 0.9 : 0.5));
            drawn_free(q);
        }
}

/* --- levels and searches: answers and costs */

/* Without noise and with equal losses the answer x_j of a run depends on its budget alone, 2^j T gradients. The
 * weighted sum over the strata, sum_j 2^-j (x_0 + 2^j (x_j - x_(j-1))) + 2^-jmax x_0, is then x_jmax, the answer of
 * the deepest level. */
static void s3_9_c24_levels_add_up(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "s", 0 }, { "hardness", 0.5 });
    const double T = 16;
    struct with sets[] = { { "step", 0, "prox" }, { "data", 1024 }, { "gradients", T }, { "c_rho", 1e12 },
                           { "lam", 2 }, { 0 } };
    struct draw_of *q = drawn_tuned("resque-erm", &in, 1, sets, NULL), *top;
    double sum[D] = { 0 };
    assert_int_equal(q->strata, 5);                      /* log2(256/16) = 4 levels, where 256 is a quarter of the
                                                            data, and a stratum for the rest */
    for (int k = 0; k < q->strata; k++) {
        next(q, k);
        vec_axpy(D, q->weight[k], q->v, sum);
    }
    sets[0].word = "top";
    top = drawn_tuned("resque-erm", &in, 1, sets, NULL);
    next(top, 0);
    expect_vectors("levels", D, sum, top->v, 1e-9);
    assert_true(vec_norm(D, top->v) > 0.1);
    drawn_free(q);
    drawn_free(top);
}

/* A draw of Algorithm 6 in any stratum has one run with a budget of T gradients, and in stratum J < 5 two more
 * runs, with 2^(J-1) T and with 2^J T. Of a budget of T a run with k stages uses T (1 - 2^-k) - k gradients. */
static void c25_cost_of_levels(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    const double T = 256;
    struct draw_of *q = DRAWN("resque-erm", &in, 1, { "step", 0, "prox" }, { "data", 16384 }, { "gradients", T });
    assert_int_equal(q->strata, 5);
    for (int J = 1; J <= 5; J++) {
        double before = q->o.counts.of[COUNT_sample_grads];
        next(q, J - 1);
        double spent = q->o.counts.of[COUNT_sample_grads] - before;
        double truth = 256 - 32 - 3;                     /* stages of 32, 64 and 128 gradients, less one each */
        if (J <= 4)
            for (int j = J - 1; j <= J; j++) {
                int k = 8 + j > 8 ? 4 : 3;               /* ceil(log2(8 + j)) stages */
                truth += ldexp(T, j) - ldexp(T, j - k) - k;
            }
        expect_near("gradients", spent, truth, 0);
        assert_true(spent <= (J <= 4 ? ldexp(T, J + 1) + T : T));
    }
    drawn_free(q);
}

/* Algorithm 7 makes ceil(20 log(1/zeta)) calls of Algorithm 5, as it is printed, not the 18 log(1/zeta) of the
 * paper's text; zeta is the probability with which it may fail. */
static void s3_10_c26_s8_20_calls_of_a_search(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    static const double zeta[] = { 0.1, 0.01 }, calls[] = { 47, 93 };
    for (int k = 0; k < 2; k++) {
        struct draw_of *q = DRAWN("resque-erm", &in, 1, { "step", 0, "search" }, { "data", 1e4 },
                                  { "gradients", 64 }, { "zeta", zeta[k] });
        next(q, 0);
        expect_count(&q->o, COUNT_sample_grads, calls[k] * (64 - 8 - 3));
        drawn_free(q);
    }
}

/* --- draws with replacement */

/* The number of copies of the first of 60 samples among 30 draws with replacement from a part of a stream is
 * binomial: 20000 tickets, 4 classes, chi-square at 1e-6. The indices are those of the part. */
static void st11_s6_4_copies_of_a_record(void **state)
{
    enum { SMALL = 60, DRAWS = 30, TICKETS = 20000 };
    struct instance in = INSTANCE(memory, "coins", { "d", 1 });
    struct oracle o;
    struct ticket skipped, data, t;
    double seen[4] = { 0 }, chi = 0;
    contract_open(&o, &in, NULL, 23, memory);
    assert_true(oracle_take(&o, 17, &skipped) && oracle_take(&o, SMALL, &data));
    data.aggregated = false;
    for (int k = 0; k < TICKETS; k++) {
        int copies = 0;
        assert_true(oracle_draw_from(&o, &data, DRAWS, &t));
        for (long j = 0; j < DRAWS; j++) {
            long record = oracle_record(&o, &t, j);
            assert_true(record >= 17 && record < 17 + SMALL);
            copies += record == 17;
        }
        seen[copies < 3 ? copies : 3]++;
    }
    for (int m = 0; m < 4; m++) {
        double p = m < 3 ? gsl_ran_binomial_pdf((unsigned)m, 1.0 / SMALL, DRAWS)
                         : gsl_cdf_binomial_Q(2, 1.0 / SMALL, DRAWS);
        chi += pow(seen[m] - TICKETS * p, 2) / (TICKETS * p);
    }
    assert_true(gsl_cdf_chisq_Q(chi, 3) > 1e-6);
    assert_true(o.position == 17 + SMALL);
    expect_near("P(1)", gsl_ran_binomial_pdf(1, 1.0 / 60000, 1000), 0.01639, 5e-6);
    oracle_release(&o);
}

/* Checks Lemma 6 for n = 4, m = 3, b = 2 by counting. Vectors without the value 1 are drawn, and at a random subset
 * of a places the value becomes 1, where a has the weight C(m, a)(n - 1)^(m - a). The result is uniform on the
 * vectors with 1 or 2 ones. There are 36 such vectors, the sum of the weights, and for a = 1 as for a = 2 there are
 * 3 subsets, which are equally likely. */
static void u11_s8_25_coupling(void **state)
{
    double chance[64] = { 0 }, weight[] = { 0, 3 * 9, 3 * 3 }, vectors = 0;
    for (int from = 0; from < 27; from++)
        for (int subset = 1; subset < 8; subset++) {
            int a = (subset & 1) + (subset >> 1 & 1) + (subset >> 2 & 1), to = 0, rest = from, apart = 0;
            for (int place = 0, scale = 1; place < 3; place++, scale *= 4, rest /= 3) {
                bool one = subset >> place & 1;
                to += scale * (one ? 0 : 1 + rest % 3);
                apart += one;
            }
            if (a <= 2)
                chance[to] += weight[a] / 36 / 3 / 27;
            assert_true(a > 2 || apart <= 2);
        }
    for (int v = 0; v < 64; v++) {
        int ones = (v % 4 == 0) + (v / 4 % 4 == 0) + (v / 16 == 0);
        bool in = ones == 1 || ones == 2;
        vectors += in;
        expect_near("chance", chance[v], in ? 1.0 / 36 : 0, 1e-15);
    }
    assert_true(vectors == 36);
}

/* --- what the parts of the method cost in privacy */

/* Tests the conversion of a Renyi divergence that is linear in the order a, D_a = slope a. Its epsilon must be
 * that of the accountant, and the slope computed back from this epsilon must be the given one. With a cap below
 * the best order, epsilon is that at the cap. */
static void s3_14_lines(void **state)
{
    static const struct { double s, delta, eps; } known[] = {
        { 1, 1e-5, 5.29853 }, { 2, 1e-5, 2.52426 }, { 5, 1e-5, 0.97971 }, { 10, 1e-5, 0.48485 },
        { 5, 1e-6, 1.07130 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct renyi_line l = { 1 / (2 * known[k].s * known[k].s), INFINITY };
        double eps = renyi_eps(l, known[k].delta);
        expect_near("eps", eps, known[k].eps, 1e-5);
        expect_near("slope", renyi_slope(eps, INFINITY, known[k].delta), l.slope, 1e-9);
        l.cap = 3;
        expect_near("capped", renyi_eps(l, known[k].delta), 3 * l.slope + log(1 / known[k].delta) / 2,
                    1e-12);
    }
    assert_true(renyi_eps((struct renyi_line){ 0, INFINITY }, 1e-6) == 0);
    assert_true(isinf(renyi_eps((struct renyi_line){ 1e-9, 1 }, 1e-6)));
}

/* resque_copies returns how many copies of one of n records among T draws the accounting allows for: never less
 * than the quantile of the binomial law at the failure probability f. The slope and the cap of Lemma 7 are checked
 * for T draws with noise for beta: 6000 beta^2 log^2(2/delta) = tau', 13 (1.2 T/n)^2 tau' = 112320 (beta
 * log(2/delta) T/n)^2. */
static void c20_s3_14_readings(void **state)
{
    for (double T = 1; T <= 4096; T *= 8)
        for (double n = 8; n < 1e7; n *= 30)
            for (double f = 1e-3; f > 1e-15; f /= 1000) {
                unsigned m = (unsigned)resque_copies(T, n, f);
                assert_true(m >= 1 && (m >= T || gsl_cdf_binomial_Q(m, 1 / n, (unsigned)T) <= f));
            }
    double beta = 1e-4, T = 1000, n = 1e5, L = log(2 / 1e-6);
    struct renyi_line a = resque_mode_convex(MODE_A, 4, 1e-6, beta, T, n);
    expect_near("A", a.slope, 112320 * pow(beta * L * T / n, 2), 1e-12);
    expect_near("cap", a.cap, 3 / (6000 * beta * beta * L * L), 1e-6);
    assert_true(isinf(resque_mode_convex(MODE_A, 4, 1e-6, 6e-4, T, n).slope));   /* tau' > 1/3 */
    assert_true(isfinite(resque_mode_convex(MODE_A, 4, 1e-6, 5e-4, T, n).slope));
    assert_true(isfinite(resque_mode_convex(MODE_B, 4, 1e-6, 0.14, T, n).slope));
    assert_true(isinf(resque_mode_convex(MODE_B, 4, 1e-6, 0.15, T, n).slope));
    assert_true(isinf(resque_mode_convex(MODE_A, 4, 1e-6, beta, n / 40, n).slope));      /* T/n is too large for
                                                                                            amplification */
    struct renyi_line c = resque_mode_convex(MODE_C, 4, 1e-6, beta, T, n);
    expect_near("C", c.slope, pow(beta * log(1e6) * T / n, 2), 1e-18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c19_drift_of_constant_gradients),
        cmocka_unit_test(s1_2_drift_in_one_dimension),
        cmocka_unit_test(c19_s6_4_proven_bound),
        cmocka_unit_test(s3_9_c24_levels_add_up),
        cmocka_unit_test(c25_cost_of_levels),
        cmocka_unit_test(s3_10_c26_s8_20_calls_of_a_search),
        cmocka_unit_test(st11_s6_4_copies_of_a_record),
        cmocka_unit_test(u11_s8_25_coupling),
        cmocka_unit_test(s3_14_lines),
        cmocka_unit_test(c20_s3_14_readings),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

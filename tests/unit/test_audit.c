/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_audit.c - lower bounds on epsilon from an audit, which has two sides: runs with a record, and runs without
 * it. Known values, closed forms, and false alarms and power on known laws and on private methods that keep their
 * promise or do not. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "support/replayed.h"

#include "privacy/account.h"
#include "run/audit.h"
#include "support/known.h"
#include "numeric/stats.h"

static void expect(const char *what, double got, double truth, double tolerance)
{
    if (!(fabs(got - truth) <= tolerance))
        fail_msg("%s: %.12g, expected %.12g", what, got, truth);
}

/* --- limits of epsilon and mu from counts of runs */

static void test_known_bounds(void **state)
{
    struct known row[KNOWN_ROWS];
    int n = known_answers("audit_clopper_pearson.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        struct interval with = stats_clopper_pearson((long)r[1], (long)r[0], 1 - r[3]);
        struct interval without = stats_clopper_pearson((long)r[2], (long)r[0], 1 - r[3]);
        expect("rate with", with.lo, r[5], 1e-9);
        expect("rate without", without.hi, r[6], 1e-9);
        expect("eps", audit_eps((long)r[0], (long)r[1], (long)r[2], r[4], 1 - r[3]), r[8], 1e-7);
    }
}

/* If the test says "with" for n of the n runs with the record, and for none of the others, the limits of the two
 * rates are (alpha/2)^(1/n) and 1 - (alpha/2)^(1/n), with alpha = 5%. If the run with the record is told in n of n
 * pairs of runs, the one-sided limit of this share is alpha^(1/n). */
static void test_extreme_bounds(void **state)
{
    for (long n = 10; n <= 10000; n *= 10) {
        double P = pow(0.025, 1 / (double)n);
        expect("eps", audit_eps(n, n, 0, 0, 0.95), log(P / (1 - P)), 1e-9);
        expect("eps at delta", audit_eps(n, n, 0, 0.1, 0.95), log((P - 0.1) / (1 - P)), 1e-9);
        expect("mu", audit_mu(n, n, 0.95),
               sqrt(2) * gsl_cdf_ugaussian_Pinv(pow(0.05, 1 / (double)n)), 1e-8);
        assert_true(audit_eps(n, n / 2, n / 2, 0, 0.95) == 0 && audit_mu(n, n / 2, 0.95) == 0);
        assert_true(audit_eps(n, 0, n, 0, 0.95) == 0 && audit_mu(n, 0, 0.95) == 0);
        assert_true(audit_eps(n, n, n, 0, 0.95) == 0);
    }
}

/* --- From runs to a bound. Releases are N(mu u, I) with the record and N(0, I) without it, in d dimensions, u the
 * last unit vector. Their privacy loss is computed as if mu were `told` (0: there is no loss). The answer is pure
 * noise. */

static struct audit_runs runs_of(long n, long d, double mu, double told, struct rng *r)
{
    struct audit_runs a = { .n = n, .d = 3 };
    audit_room(&a, d);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < n; k++) {
            double *x = a.side[side] + k * audit_row(&a);
            rng_normals(r, d + 3, 1, x);
            x[d - 1] += side == 0 ? mu : 0;
            if (told > 0)
                x[d + 3] = told * x[d - 1] - told * told / 2;
        }
    return a;
}

/* Whatever privacy loss an audit uses, its bound may exceed the exact epsilon of the law with probability at most
 * 5%. 200 audits: the mean number that exceed it is at most 10 for each bound, and 31 or more has probability below
 * 1e-6 (binomial). At the strict level none may exceed it. */
static void test_false_alarms(void **state)
{
    enum { AUDITS = 200 };
    const double mu = 1, delta = 1e-3, truth = account_gaussian_eps(mu, delta);
    const double told[] = { 0, 1, 0.5, 4 };
    struct rng r = rng_stream(71);
    int beyond_eps = 0, beyond_mu = 0;
    assert_true(gsl_cdf_binomial_Q(30, 0.05, AUDITS) < 1e-6);
    for (int k = 0; k < AUDITS; k++) {
        struct audit_runs a = runs_of(400, 3, mu, told[k % 4], &r);
        struct audit got = audit_judge(&a, delta);
        beyond_eps += got.eps > truth;
        beyond_mu += got.mu > mu;
        assert_true(got.eps_strict <= truth && got.mu_strict <= mu);
        assert_true(got.eps_strict <= got.eps && got.mu_strict <= got.mu);
        audit_free(&a);
    }
    if (beyond_eps > 30 || beyond_mu > 30)
        fail_msg("%d and %d of %d bounds beyond the truth", beyond_eps, beyond_mu, AUDITS);
}

/* Of 4000 runs with the record and 4000 without it, half choose a direction and half judge. In a pair of judging
 * runs the one with the record is told from the other with probability Phi(mu/sqrt 2) = 0.760 at mu = 1. The
 * standard error of this share is 0.0095, which is 0.0434 in mu (divided by the density 0.311 and multiplied by
 * sqrt 2). The audit's limit is therefore below mu by 1.645 x 0.0434 = 0.071. The test allows six standard errors
 * more, and 0.1 for a direction that is chosen from data. The privacy loss needs no direction, and gives the same
 * bound if it is computed for half of the mu. */
static void test_power(void **state)
{
    struct rng r = rng_stream(72);
    for (int loss = 0; loss < 3; loss++) {
        struct audit_runs a = runs_of(4000, 3, 1, loss / 2.0, &r);
        struct audit got = audit_judge(&a, 1e-5);
        assert_string_equal(got.statistic, loss ? "loss" : "release");
        struct audit answer = audit_judge_answer(&a, 1e-5);      /* the answer is pure noise: its bounds are 0 at
                                                                    the strict level */
        assert_true(strcmp(answer.statistic, "answer") == 0 && answer.eps_strict == 0 &&
                    answer.mu_strict == 0);
        assert_int_equal(got.held, 2000);
        if (!(got.mu > (loss ? 0.66 : 0.56) && got.mu < 1.2))
            fail_msg("mu >= %g", got.mu);
        assert_true(got.eps > 0.5);
        audit_free(&a);
    }
}

/* A privacy loss without information is dropped in favour of a statistic that has some. */
static void test_worthless_loss(void **state)
{
    struct rng r = rng_stream(75);
    struct audit_runs a = runs_of(4000, 3, 2, 0, &r);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a.n; k++)
            a.side[side][k * audit_row(&a) + a.release + a.d] = rng_normal(&r);
    struct audit got = audit_judge(&a, 1e-5);
    assert_string_equal(got.statistic, "release");
    assert_true(got.mu > 1);
    audit_free(&a);
}

/* Checks the bounds that n runs on each side would give at the expected counts. For randomised response the counts
 * are known: 731 and 268 of 1000 at eps = 1, delta = 0. For normal noise mu has a closed form, and the bound on
 * epsilon is that of the best threshold. */
static void test_ceiling(void **state)
{
    double mu = 1 / account_gaussian_sigma(1, 1e-5);
    struct audit_ceiling most = audit_ceiling(1000, 1, 0, 0);
    expect("response", most.eps, audit_eps(1000, 731, 268, 0, 0.95), 1e-12);
    assert_true(most.mu == 0 && most.eps > 0.8 && most.eps < 1);
    most = audit_ceiling(1000, 1, mu, 1e-5);
    long won = (long)(1000 * gsl_cdf_ugaussian_P(mu / sqrt(2)));
    double p = stats_clopper_pearson(won, 1000, 0.9).lo;
    expect("mu", most.mu, sqrt(2) * gsl_cdf_ugaussian_Pinv(p), 1e-12);
    for (double z = -3; z < 3; z += 0.5)
        assert_true(most.eps >= audit_eps(1000, (long)(1000 * gsl_cdf_ugaussian_Q(z - mu)),
                                          (long)(1000 * gsl_cdf_ugaussian_Q(z)), 1e-5, 0.95));
    assert_true(audit_ceiling(100000000, 1, mu, 1e-5).mu > 0.99 * mu);
}

/* If the two sides have equal laws, an audit shows an epsilon above 0 with probability at most 5%, since it chooses
 * two bounds, each at the one-sided level 2.5%. More than 20 of 100 audits do so with probability below 1e-6. At
 * the strict level no bound may be above 0. Two runs on each side show nothing, however unlike their laws are. */
static void test_nothing(void **state)
{
    struct rng r = rng_stream(73);
    int shown = 0;
    for (int k = 0; k < 100; k++) {
        struct audit_runs a = runs_of(200, 2, 0, k % 2, &r);
        struct audit got = audit_judge(&a, 0);
        shown += got.eps > 0;
        assert_true(got.eps_strict == 0 && got.mu_strict == 0);
        audit_free(&a);
    }
    assert_true(gsl_cdf_binomial_Q(20, 0.05, 100) < 1e-6);
    assert_true(shown <= 20);
    struct audit_runs few = runs_of(2, 2, 100, 1, &r);
    struct audit got = audit_judge(&few, 0);
    assert_true(got.eps == 0 && got.mu == 0);
    audit_free(&few);
}

/* Sets the release of runs first, first + step, ... of a side to NaN, as for runs that released nothing. */
static void drop(struct audit_runs *a, int side, long first, long step)
{
    for (long k = first; k < a->n; k += step)
        for (long j = 0; j < a->release; j++)
            a->side[side][k * audit_row(a) + j] = NAN;
}

/* A run that released nothing counts as below every threshold, and does not affect the other runs. Of the 1000 odd
 * runs with the record, which judge, 200 released nothing and lose their pairs. Of the other 800 pairs a share of
 * Phi(3/sqrt 2) = 0.98305 is won. The whole share is then 0.78644, which is mu = 1.1229, and its one-sided 95%
 * limit with 1000 pairs is 1.02. The number of pairs won has the standard deviation 3.65, which is 0.0178 in mu;
 * the test allows six of these. Even runs only choose the direction, which few missing ones hardly change: two
 * pairs, 0.01 in mu, may be won by one direction and lost by the other. */
static void test_missing_release(void **state)
{
    const double limit = audit_mu(1000, lround(800 * gsl_cdf_ugaussian_P(3 / M_SQRT2)), 0.95);
    expect("limit", limit, 1.02, 0.005);
    double mu[4];
    for (int even = 0; even < 4; even++) {           /* bit k: some even runs of side k released nothing */
        struct rng r = rng_stream(74);
        struct audit_runs a = runs_of(2000, 2, 3, 0, &r);
        drop(&a, 0, 1, 10);
        for (int side = 0; side < 2; side++)
            if (even & 1 << side)
                drop(&a, side, 4 + 2 * side, 20);
        struct audit got = audit_judge(&a, 1e-5);
        assert_string_equal(got.statistic, "release");
        expect("mu", mu[even] = got.mu, limit, 6 * 0.0178);
        expect("mu without even runs", mu[even], mu[0], 0.01);
        assert_true(got.yes[0] <= 800);
        audit_free(&a);
    }
}

/* --- audits of methods, their blocks and parts, and the audit by one run */

static struct audit audited(const char *algo, double eps, int runs, double *delta)
{
    struct cell *c = cell_of(NULL,
                             "problem linear d=8 | algo %s | goal n=8 eps=%g delta=1e-5 | run "
                             "| rep 0",
                             algo, eps);
    struct audit_runs a;
    struct why why = { "" };
    assert_int_equal(audit_collect(rn, c, 0, runs, &a, &why), OK);
    struct audit got = audit_judge(&a, *delta = 1e-5);
    audit_free(&a);
    cell_free(c);
    return got;
}

/* A method that keeps its promise stays below it at the strict level (false alarm 1e-6). With half of the noise, or
 * noise for half of the true sensitivity, mu is 1.67, since the canary has the norm 0.9 C; 0.925 is promised. With
 * 2000 judging runs on each side, the normal quantile of a rate near 0.2 has the standard error 0.032. The strict
 * limits are 2 x 4.9 x 0.032 = 0.31 below mu, and six standard deviations are another 0.27. */
static void test_methods(void **state)
{
    const double mu = 0.92493090;        /* mu of eps = 4 at delta = 1e-5, by bisection of the curve */
    double delta;
    struct audit honest = audited("dp-sgd T=1", 4, 2000, &delta);
    assert_true(honest.mu_strict <= mu && honest.eps_strict <= 4);
    /* An honest method has mu = 0.9 x 0.925 = 0.83 here. The 95% limits from 1000 runs on each side are 0.16 below
     * this, and six standard deviations are another 0.34. */
    assert_true(honest.mu > 0.3);
    struct audit half = audited("planted-leak-noise T=1", 4, 4000, &delta);
    if (!(half.mu_strict > mu))
        fail_msg("half the noise: mu >= %g", half.mu_strict);
    half = audited("planted-leak-sensitivity T=1", 4, 4000, &delta);
    assert_true(half.mu_strict > mu);
}

/* Releases the mean of all gradients without noise. */
static enum status run_open(struct oracle *o, const void *p, struct arena *w, struct rng *rng, double *x)
{
    double *g = arena_vec(w, 2);
    struct ticket all;
    arena_seal(w);
    if (oracle_all(o, &all) && gradient(o, &all, x, g))
        noise_gaussian(o, &(struct release){ .site = "open", .norm = NORM_2, .sensitivity = 1 }, 0, 2, g);
    return OK;
}

/* Of two records the first in stream order, which is another one from run to run, is replaced by the second: the
 * two sides differ in every run. */
static void test_replaced(void **state)
{
    enum { RUNS = 32 };
    static const struct algo open = { .name = "open", .doc = "a gradient", .cite = "none", .run = run_open,
                                      .calls = CALL_SAMPLES | CALL_NOISE, .adjacency = ADJACENCY_REPLACE_ONE };
    struct cell *c = cell_of(&open, "problem medians d=2 n=2 | algo planted-sgd-twice | goal n=2 | run | rep 0");
    struct audit_runs a;
    struct why why;
    assert_int_equal(audit_collect(rn, c, 0, RUNS, &a, &why), OK);
    assert_int_equal(a.release, 2);
    for (long k = 0; k < RUNS; k++) {
        const double *with = a.side[0] + k * audit_row(&a), *without = a.side[1] + k * audit_row(&a);
        assert_true(hypot(with[0] - without[0], with[1] - without[1]) > 1e-3);
    }
    audit_free(&a);
    cell_free(c);
}

/* A block of runs that begins at a run of even number is bit for bit that part of the runs of one call of
 * audit_collect. */
static void test_blocks(void **state)
{
    struct cell *c = cell_of(NULL,
                             "problem linear d=4 | algo accelerated-dp-srgd | goal n=32 eps=4 "
                             "delta=1e-5 | run | rep 0");
    struct audit_runs all, part;
    struct why why;
    assert_int_equal(audit_collect(rn, c, 0, 20, &all, &why), OK);
    assert_int_equal(audit_collect(rn, c, 8, 12, &part, &why), OK);
    long row = audit_row(&all);
    assert_true(part.release == all.release && all.release == 4 && all.d == 4);
    for (int side = 0; side < 2; side++)
        assert_memory_equal(all.side[side] + 8 * row, part.side[side],
                            12 * (size_t)row * sizeof(double));
    audit_free(&all);
    audit_free(&part);
    cell_free(c);
}

/* Parts of an audit, each made by another replicate, together have the runs of the whole audit of replicate 0, bit
 * for bit. Runs that release nothing have NaN in the parts and in the whole. */
static void test_parts(void **state)
{
    enum { RUNS = 22 };
    static const char about[] = "problem linear d=4 | algo accelerated-dp-srgd | goal n=32 eps=4 delta=1e-5 | run";
    struct cell *c = cell_of(NULL, "%s | rep 0", about);
    struct audit_runs all, joined;
    struct why why;
    assert_int_equal(audit_collect(rn, c, 0, RUNS, &all, &why), OK);
    for (int parts = 1; parts <= 13; parts += 3) {
        struct record *r[13];
        for (int k = 0; k < parts; k++) {
            struct cell *one = cell_of(NULL, "%s audit=%d part=%d parts=%d | rep %d", about, RUNS, k + 1, parts, k);
            r[k] = record_of(one);
            assert_true(isnan(value_of(r[k], "audit.eps")));
            cell_free(one);
        }
        assert_true(audit_take_traces((const struct record *const *)r, parts, &joined));
        assert_true(joined.n == RUNS && joined.release == all.release && joined.d == all.d);
        for (int side = 0; side < 2; side++)
            assert_memory_equal(joined.side[side], all.side[side],
                                RUNS * (size_t)audit_row(&all) * sizeof(double));
        audit_free(&joined);
        for (int k = 0; k < parts; k++)
            record_free(r[k]);
    }
    audit_free(&all);
    cell_free(c);
}

/* The parts of an audit follow one another and together hold all its runs. A part begins at a run of even number;
 * the last parts may be empty. */
static void test_part_bounds(void **state)
{
    for (long runs = 1; runs <= 40; runs++)
        for (long parts = 1; parts <= 45; parts++) {
            long at = 0, first, n;
            for (long k = 1; k <= parts; k++, at += n) {
                audit_part(runs, k, parts, &first, &n);
                assert_true(n == 0 || (first == at && first % 2 == 0));
            }
            assert_int_equal(at, runs);
        }
}

/* Checks the audit by one run. Without noise every included record pulls the answer in its direction: on coins in
 * 2000 dimensions the gradients of 100 records are nearly orthogonal, and at least 19 of 20 guesses are right. With
 * the noise of eps = 1 the bound exceeds 1 with probability below 5%; the seed fixes the outcome. */
static void test_one_run(void **state)
{
    struct why why;
    struct audit_one open, private;
    struct cell *c = cell_of(
        NULL, "problem coins_stored d=2000 n=100 | algo dp-sgd C=1 sigma=0 step=0.01 "
              "T=1 B=100 | goal n=100 | run | rep 0");
    assert_int_equal(audit_one_run(rn, c, 100, 1e-5, &open, &why), OK);
    cell_free(c);
    c = cell_of(NULL,
                "problem coins_stored d=2000 n=100 | algo dp-sgd C=1 step=0.01 T=1 B=100 | goal "
                "n=100 eps=1 delta=1e-5 | run | rep 0");
    assert_int_equal(audit_one_run(rn, c, 100, 1e-5, &private, &why), OK);
    cell_free(c);
    assert_true(open.guesses == 20 && open.m == 100 && open.right >= 19);
    expect("bound", open.eps, account_audit_eps(100, 20, open.right, 1e-5, 1 - AUDIT_LEVEL), 1e-9);
    assert_true(open.eps > 1.2 && private.eps <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_bounds),  cmocka_unit_test(test_extreme_bounds),
        cmocka_unit_test(test_false_alarms),  cmocka_unit_test(test_power),
        cmocka_unit_test(test_worthless_loss), cmocka_unit_test(test_ceiling),
        cmocka_unit_test(test_nothing),       cmocka_unit_test(test_missing_release),
        cmocka_unit_test(test_methods),       cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_parts),         cmocka_unit_test(test_part_bounds),
        cmocka_unit_test(test_one_run),       cmocka_unit_test(test_replaced),
    };
    return cmocka_run_group_tests_name("audit", tests, begin, end);
}

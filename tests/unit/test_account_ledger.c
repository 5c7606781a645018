/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_ledger.c - prices of ledgers, compared with enumeration over the records, closed forms, published
 * figures and the accountants of single mechanisms. A price is the epsilon that an accountant computes at delta =
 * DELTA. Records drawn at random are in test_account_draws.c. Random ledgers have a fixed seed. */
#include "support/ledger_cost.h"

#include "rng.h"
#include "run/run.h"

/* Four Gaussian mechanisms of mu = 1/2 are together one of mu = 1. Its exact price at delta = 1e-5 is the figure of
 * Balle and Wang, and its price by zCDP is the closed form of Bun and Steinke. */
static void closed_forms(void **state)
{
    struct ledger_entry e[4];
    for (int k = 0; k < 4; k++)
        e[k] = to_all(MECHANISM_GAUSSIAN, 1, 2); /* mu = 1/2 each, 1 together */
    expect("exact", cost(4, e, "exact"), 4.377178096, 1e-9);
    expect("zcdp", cost(4, e, "zcdp"), 0.5 + 2 * sqrt(0.5 * log(1e5)), 1e-10);
    expect("basic", cost(4, e, "basic"), 4 * account_gaussian_eps(0.5, DELTA / 4), 1e-10);
    assert_true(isnan(cost(4, e, "optimal")) && isnan(cost(4, e, "advanced")));
    struct ledger l = { 0 };
    struct priced out[ACCOUNTANTS];
    ledger_book(&l, &e[0]);
    account_ledger(&l, 100, DELTA, out);
    double least = account_gaussian_eps(0.5, DELTA);
    for (int k = 0; k < ACCOUNTANTS; k++) { /* no price is below that of the exact curve, no lower bound above it */
        if (!isnan(out[k].lower))
            assert_true(out[k].lower <= least && out[k].lower > 0.999 * least);
        assert_true(isnan(out[k].eps) || out[k].eps >= least * (1 - 1e-9));
    }
    expect("least", account_ledger_least(out), least, 1e-9);
    ledger_free(&l);
}

/* Entries of a ledger, a dozen long ones or four short ones, each concern some of 20 records, or all of them: the
 * price is that of the record with the largest mu^2, found by enumeration. */
static void worst_record(void **state)
{
    struct rng r = rng_stream(7);
    for (int trial = 0; trial < 60; trial++) {
        struct ledger l = { 0 };
        double paid[20] = { 0 }, most = 0;
        for (int k = 0; k < (trial < 30 ? 12 : 4); k++) {
            long first = (long)rng_below(&r, 20),
                 count = 1 + (long)rng_below(&r, 20 - (uint64_t)first);
            count = trial >= 30 && count > 4 ? 4 : count;
            double s = rng_uniform(&r);
            struct ledger_entry e = entry(MECHANISM_GAUSSIAN, s, 1.5, first, count);
            if (k % 5 == 4) {
                e.scheme = SAMPLING_ALL;
                first = 0, count = 20;
            }
            ledger_book(&l, &e);
            for (long i = first; i < first + count; i++)
                paid[i] += s * s / (1.5 * 1.5);
        }
        for (int i = 0; i < 20; i++)
            most = fmax(most, paid[i]);
        expect("exact", priced(&l, 20, DELTA, "exact"), account_gaussian_eps(sqrt(most), DELTA),
               1e-9);
        expect("zcdp", priced(&l, 20, DELTA, "zcdp"),
               most / 2 + 2 * sqrt(most / 2 * log(1 / DELTA)), 1e-10);
        ledger_free(&l);
    }
}

/* Equal batches that follow each other become one entry of the ledger with a number of repeats. Each record is in
 * one batch only, so that the price is that of one batch. */
static void batches_in_parallel(void **state)
{
    struct ledger l = { 0 };
    for (int k = 0; k < 50; k++) {
        struct ledger_entry e = entry(MECHANISM_GAUSSIAN, 1, 1, 2 * k, 2);
        ledger_book(&l, &e);
    }
    assert_true(l.entries == 1 && l.entry[0].repeats == 50);
    expect("parallel", priced(&l, 100, DELTA, "exact"), 4.377178096, 1e-9);
    ledger_free(&l);
}

/* A maximum with Gumbel noise is the exponential mechanism: it costs a quarter of the zCDP of other noisy
 * maxima. */
static void noisy_maxima(void **state)
{
    for (int k = 0; k < 3; k++) {
        struct ledger_entry e = to_all(k == 0   ? MECHANISM_NOISY_MAX
                                       : k == 1 ? MECHANISM_EXPONENTIAL_MAX : MECHANISM_GUMBEL_MAX,
                                       1, 20);
        e.dimension = 1L << 40;
        struct ledger l = { 0 };
        struct priced out[ACCOUNTANTS];
        ledger_book(&l, &e);
        ledger_book(&l, &e);
        account_ledger(&l, 100, DELTA, out);
        double rho = k == 2 ? 2 * 0.01 / 8 : 2 * 0.01 / 2;
        struct rdp c = { .failure = 0 };
        (k == 2 ? rdp_add_exponential : rdp_add_pure)(&c, 2, 0.1);
        expect("basic", by(out, "basic"), 0.2, 1e-12);
        expect("optimal", by(out, "optimal"), account_pure_optimal(0.1, 0, 2, DELTA), 1e-9);
        expect("zcdp", by(out, "zcdp"), rho + 2 * sqrt(rho * log(1 / DELTA)), 1e-10);
        expect("rdp", by(out, "rdp-cks"), rdp_eps(RDP_CKS, &c, DELTA, NULL), 1e-9);
        assert_true(isnan(by(out, "exact")));
        ledger_free(&l);
    }
}

/* Laplace noise of scale b on a value of sensitivity s costs the epsilon s/b, and a noisy maximum costs 2 s/b. */
static void pure_mechanisms(void **state)
{
    const struct ledger_entry e[] = { to_all(MECHANISM_LAPLACE, 1, 10),
                                      to_all(MECHANISM_NOISY_MAX, 1, 20),
                                      to_all(MECHANISM_LAPLACE, 1, 10) };
    expect("basic", cost(3, e, "basic"), 0.3, 1e-12);
    expect("optimal", cost(3, e, "optimal"), account_pure_optimal(0.1, 0, 3, DELTA), 1e-9);
    expect("advanced", cost(3, e, "advanced"), sqrt(2 * log(1e5) * 0.03) + 0.3 * expm1(0.1), 1e-10);
    expect("zcdp", cost(3, e, "zcdp"), 0.015 + 2 * sqrt(0.015 * log(1e5)), 1e-10);
    assert_true(isnan(cost(3, e, "exact")) && isnan(cost(3, e, "pld")));
    const struct ledger_entry mixed[] = { e[0], to_all(MECHANISM_GAUSSIAN, 1, 1) };
    assert_true(isnan(cost(2, mixed, "exact")) && isnan(cost(2, mixed, "optimal")));
    expect("mixed", cost(2, mixed, "basic"), 0.1 + account_gaussian_eps(1, DELTA / 2), 1e-9);
    expect("mixed zcdp", cost(2, mixed, "zcdp"), 0.505 + 2 * sqrt(0.505 * log(1e5)), 1e-10);
}

/* Composes pure mechanisms with unequal epsilon. One of 0.9 and two of 0.1 cost 1.1, their sum: composed optimally
 * at 1e-5 as if all three had 0.9, they would cost more. Ten of 0.1 and ten of 0.1 (1 - 2^-10) cost what twenty of
 * 0.1 cost, composed optimally: this is less than their sum. */
static void different_pure_mechanisms(void **state)
{
    const struct ledger_entry far[] = { to_all(MECHANISM_LAPLACE, 9, 10),
                                        to_all(MECHANISM_LAPLACE, 1, 10),
                                        to_all(MECHANISM_LAPLACE, 1, 10) };
    struct ledger_entry near[20];
    for (int k = 0; k < 20; k++)
        near[k] = to_all(MECHANISM_LAPLACE, k % 2 ? 1 : 1 - 0x1p-10, 10);
    assert_true(account_pure_optimal(0.9, 0, 3, DELTA) > 1.1 + 1e-3);
    expect("far", cost(3, far, "optimal"), 1.1, 1e-12);
    double dearer = account_pure_optimal(0.1, 0, 20, DELTA);
    assert_true(dearer < 10 * (0.1 + 0.1 * (1 - 0x1p-10)) - 1e-3);
    expect("near", cost(20, near, "optimal"), dearer, 1e-9);
}

/* A sensitivity that is booked in another norm than that of the mechanism's noise is multiplied by the factor
 * between the norms. In four dimensions |v|_2 <= |v|_1 <= 2 |v|_2, |v|_2 <= 2 |v|_inf, |v|_1 <= 4 |v|_inf. A noisy
 * maximum, whose own norm is the inf-norm, costs twice the sensitivity over the scale in any dimension. */
static void norms(void **state)
{
    static const struct {
        enum mechanism m;
        enum norm norm;
        double factor;
    } cases[] = {
        { MECHANISM_GAUSSIAN, NORM_1, 1 },    { MECHANISM_GAUSSIAN, NORM_INF, 2 },
        { MECHANISM_LAPLACE, NORM_2, 2 },     { MECHANISM_LAPLACE, NORM_INF, 4 },
        { MECHANISM_NOISY_MAX, NORM_INF, 2 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ledger_entry e = to_all(cases[k].m, 0.1, 1);
        e.norm = cases[k].norm;
        e.dimension = 4;
        double factor = 0.1 * cases[k].factor;
        double truth = cases[k].m == MECHANISM_GAUSSIAN ? account_gaussian_eps(factor, DELTA)
                                                        : factor;
        expect("norm", cost(1, &e, "basic"), truth, 1e-9);
    }
}

static void without_noise(void **state)
{
    static const char *const all[] = { "exact", "pld", "zcdp-cks", "rdp-cks", "zcdp", "rdp",
                                       "basic" };
    struct ledger_entry e = to_all(MECHANISM_GAUSSIAN, 1, 0);
    struct ledger_entry clipped = to_all(MECHANISM_GAUSSIAN, INFINITY, 1);
    struct ledger_entry nothing = to_all(MECHANISM_GAUSSIAN, 0, 0);
    struct ledger_entry hidden = to_all(MECHANISM_GAUSSIAN, 1, 1);
    hidden.hidden = true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        assert_true(cost(1, &e, all[k]) == INFINITY && cost(1, &clipped, all[k]) == INFINITY);
        /* by Mironov's conversion a divergence of 0 at order 1024 costs log(1e5) / 1023 = 0.0113 */
        assert_true(cost(1, &nothing, all[k]) < 0.012 && cost(0, NULL, all[k]) < 0.012);
    }
    expect("nothing", cost(1, &nothing, "exact"), 0, 0);
    expect("hidden", cost(1, &hidden, "exact"), 4.377178096, 1e-9);
}

static void failures(void **state)
{
    struct ledger_entry e = to_all(MECHANISM_GAUSSIAN, 1, 2), both[2];
    e.failure = 1e-7;
    expect("failing", cost(1, &e, "exact"), scanned(0.5, 1e-7, DELTA), 2e-3);
    both[0] = both[1] = e;
    both[1].sensitivity = 0;
    expect("failing twice", cost(2, both, "exact"), scanned(0.5, 2e-7, DELTA), 2e-3);
    e.failure = DELTA;
    assert_true(cost(1, &e, "exact") == INFINITY && cost(1, &e, "rdp") == INFINITY);
    /* With failures of probability f a price is the smallest eps with delta'(eps) + (1 + e^eps) f <= delta, where
     * delta'(eps) is the delta of the mechanism that does not fail. In the first case (1 + e^eps) f is just below
     * half of delta at the epsilon that the other half gives. In the second case the sum exceeds delta at every
     * epsilon. */
    double half = account_gaussian_eps(0.5, DELTA / 2), whole = account_gaussian_eps(0.5, DELTA);
    e.failure = 0.999 * DELTA / 2 / (1 + exp(half));
    assert_true(cost(1, &e, "exact") <= half);
    e.failure = 1.001 * DELTA / (1 + exp(whole));
    assert_true(cost(1, &e, "exact") == INFINITY);
}

static double lower(int n, const struct ledger_entry *e, double records)
{
    struct priced out[ACCOUNTANTS];
    struct ledger l = { 0 };
    for (int k = 0; k < n; k++)
        ledger_book(&l, &e[k]);
    account_ledger(&l, records, DELTA, out);
    ledger_free(&l);
    return out[1].lower;
}

/* An accountant whose price is only an upper bound gives no lower bound. */
static void lower_bounds(void **state)
{
    const struct ledger_entry plain = entry(MECHANISM_GAUSSIAN, 1, 4, 0, 1);
    struct ledger_entry drawn = plain, hidden = plain, part[3] = { plain, plain, plain }, half[2];
    assert_true(lower(1, &plain, 1000) > 0.999 * cost(1, &plain, "exact"));
    drawn.scheme = SAMPLING_REPLACE;     /* one draw: how often it takes a record has an exact law, but the price
                                            uses a bound of the amplification */
    assert_true(isnan(lower(1, &drawn, 1000)));
    hidden.hidden = true;
    assert_true(isnan(lower(1, &hidden, 1000)));
    part[0].scheme = part[2].scheme = SAMPLING_SHUFFLED;     /* two positions of one shuffled order, and between
                                                                them a release to other records: a record is in one
                                                                of the two at most, and nobody knows in which */
    part[1].first = part[2].first = 1;
    part[2].scale = 5;
    assert_true(isnan(lower(1, part, 1000)) && isnan(lower(3, part, 1000)));
    half[0] = to_all(MECHANISM_GAUSSIAN, 1, 1);
    half[0].n = 1000;                /* two halves of all records, priced as if every record were in both */
    half[0].count = 500;
    half[1] = half[0];
    half[1].first = 500;
    assert_true(isnan(lower(2, half, 1000)));
    half[0].count = 1000;
    assert_true(lower(1, half, 1000) > 0.999 * cost(1, half, "exact"));
}

/* Two blocks of records take part in different releases, in either order of the blocks. One pays for four releases
 * of mu = 1/2, the other for one of mu = 0.7: the four cost more, mu = 1 together. Then one release of each block
 * may fail, with unlike probabilities: at DELTA no epsilon holds for the block that fails with probability
 * DELTA. */
static void unlike_blocks(void **state)
{
    for (int order = 0; order < 2; order++) {
        long four = order ? 10 : 0, one = order ? 0 : 10;
        struct ledger_entry e[5], failing[2];
        for (int k = 0; k < 4; k++)
            e[k] = entry(MECHANISM_GAUSSIAN, 1, 2, four, 10);
        e[4] = entry(MECHANISM_GAUSSIAN, 0.7, 1, one, 10);
        expect("four", cost(5, e, "exact"), account_gaussian_eps(1, DELTA), 1e-9);
        failing[0] = entry(MECHANISM_GAUSSIAN, 1, 2, four, 10);
        failing[1] = entry(MECHANISM_GAUSSIAN, 1, 2, one, 10);
        failing[0].failure = 1e-8;
        failing[1].failure = 1e-7;
        expect("failing", cost(2, failing, "exact"), scanned(0.5, 1e-7, DELTA), 2e-3);
        failing[0].failure = DELTA;
        assert_true(cost(2, failing, "exact") == INFINITY);
    }
}

/* The epsilon of a run's ledger equals the promised one, up to the rounding of the calibration. */
static void a_run_spends_what_it_promised(void **state)
{
    static const char *const cells[] = {
        "problem spectral d=10 s=0.5 rr=0.5 | algo dp-sgd | goal n=1000 eps=1 delta=1e-5",
        "problem spectral d=10 s=0.5 rr=0.5 | algo accelerated-dp-srgd | goal n=1000 eps=1 "
        "delta=1e-5",
        "problem spectral d=10 s=0.5 rr=0.5 | algo accelerated-dp-srgd noise=root | "
        "goal n=1000 eps=1 delta=1e-5",
    };
    struct runner *rn = runner_new(0);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        struct cell *c;
        struct why why = { "" };
        if (cell_parse(cells[k], &c, &why) != OK)
            fail_msg("%s", why.text);
        struct record *r = run_cell(rn, c, NULL);
        if (r->outcome != OUTCOME_OK)
            fail_msg("%s", r->message);
        double eps = priced(runner_ledger(rn), INFINITY, 1e-5, "exact");
        expect(cells[k], eps, 1, 1e-9);
        record_free(r);
        cell_free(c);
    }
    runner_free(rn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),        cmocka_unit_test(worst_record),
        cmocka_unit_test(batches_in_parallel), cmocka_unit_test(pure_mechanisms),
        cmocka_unit_test(different_pure_mechanisms),
        cmocka_unit_test(norms),               cmocka_unit_test(without_noise),
        cmocka_unit_test(failures),            cmocka_unit_test(a_run_spends_what_it_promised),
        cmocka_unit_test(noisy_maxima),        cmocka_unit_test(lower_bounds),
        cmocka_unit_test(unlike_blocks),
    };
    return cmocka_run_group_tests_name("account-ledger", tests, NULL, NULL);
}

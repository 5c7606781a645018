/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_draws.c - prices of ledgers whose records are drawn at random; a price is the epsilon that an
 * accountant computes at delta = DELTA. Subsets and Poisson samples are compared with the accountants of a single
 * mechanism. Draws with replacement, from all records or a part of them, are compared with the tail of the binomial
 * law, term by term. Nothing is random. */
#include "support/ledger_cost.h"

#include "privacy/account_pld.h"

/* For random subsets of 5 of 100 records the price must be the bound of rdp_add_subset: where records are replaced,
 * at the change by one record; where they are zeroed, at twice this change, since another record takes the place of
 * the zeroed one. If two releases share a subset, there is no amplification. */
static void subsets(void **state)
{
    static const enum adjacency adjacency[] = { ADJACENCY_REPLACE_ONE, ADJACENCY_ZERO_OUT,
                                                ADJACENCY_REPLACE_ONE };
    for (int kind = 0; kind < 3; kind++) {
        struct ledger l = { .adjacency = adjacency[kind] };
        struct rdp c = { .failure = 0 };
        for (int k = 0; k < 50; k++) {
            struct ledger_entry e = to_all(MECHANISM_GAUSSIAN, 0.1, 0.1 * 4);
            e.scheme = SAMPLING_SUBSET;
            e.batch = 5;
            e.draw = (uint64_t)(kind == 2 ? k / 2 : k);
            ledger_book(&l, &e);
        }
        double rdp = priced(&l, 100, DELTA, "rdp-cks"), plain = priced(&l, 100, DELTA, "exact");
        expect("exact", plain, account_gaussian_eps(sqrt(50) / 4, DELTA), 1e-9);
        rdp_add_subset(&c, 50, 0.05, kind == 1 ? 0.5 : 0.25);
        if (kind < 2)
            expect("subset", rdp, rdp_eps(RDP_CKS, &c, DELTA, NULL), 1e-9);
        assert_true(kind < 2 ? rdp < 0.7 * plain : rdp > 0.99 * plain);
        ledger_free(&l);
    }
}

/* For Poisson samples of records that are added, removed or zeroed, the price is that of the sampled Gaussian.
 * There is no amplification for replaced records, if two releases share a sample, or if the sample is all of the
 * data. */
static void samples(void **state)
{
    static const enum adjacency adjacency[] = { ADJACENCY_ADD_REMOVE, ADJACENCY_REPLACE_ONE,
                        ADJACENCY_ZERO_OUT, ADJACENCY_ADD_REMOVE, ADJACENCY_ADD_REMOVE };
    enum { STEPS = 50 };
    const double q = 0.05, sd = 1.5;
    for (int kind = 0; kind < 5; kind++) {
        struct ledger l = { .adjacency = adjacency[kind] };
        for (int k = 0; k < STEPS; k++) {
            struct ledger_entry e = to_all(MECHANISM_GAUSSIAN, 0.1, 0.1 * sd);
            e.scheme = kind == 4 ? SAMPLING_SUBSET : SAMPLING_POISSON;
            e.q = kind == 4 ? 0 : q;
            e.draw = (uint64_t)(kind == 3 ? k / 2 : k);
            ledger_book(&l, &e);
        }
        struct priced out[ACCOUNTANTS];
        double plain = account_gaussian_eps(sqrt(STEPS) / sd, DELTA);
        account_ledger(&l, 100, DELTA, out);
        if (kind == 0 || kind == 2) {
            struct rdp c = { .failure = 0 };
            rdp_add_sampled_gaussian(&c, STEPS, q, sd);
            expect("rdp", by(out, "rdp-cks"), rdp_eps(RDP_CKS, &c, DELTA, NULL), 1e-9);
            struct pld_eps pld = pld_sampled_gaussian(q, sd, STEPS, DELTA);
            expect("pld", by(out, "pld"), pld.upper, 1e-9);
            assert_true(pld.upper < 0.2 * plain && out[1].lower <= pld.upper && out[1].lower > 0);
        } else {
            assert_true(by(out, "rdp-cks") > 0.99 * plain && isnan(out[1].lower));
            assert_true(account_ledger_least(out) > 0.99 * plain);
        }
        expect("exact", by(out, "exact"), plain, 1e-9);
        ledger_free(&l);
    }
}

/* Returns P(a binomial of b draws at 1/n exceeds m), by its terms. */
static double tail(double b, double n, double m)
{
    double sum = 0;
    for (double k = m + 1; k <= b; k++)
        sum += exp(lgamma(b + 1) - lgamma(k + 1) - lgamma(b - k + 1) - k * log(n) +
                   (b - k) * log1p(-1 / n));
    return sum;
}

static void with_replacement(void **state)
{
    struct ledger_entry e = entry(MECHANISM_GAUSSIAN, 0.1, 1, 0, 50);
    e.scheme = SAMPLING_REPLACE;
    const struct ledger_entry two[] = { e, e };
    double best = INFINITY;
    for (double f = DELTA / 10; f > DELTA / 2e9; f /= 100) {
        double m = 1;
        while (tail(50, 100, m) > f / 2) /* half of the failure probability f for either of the two draws */
            m++;
        assert_true(m > 2 && m < 20);
        best = fmin(best, scanned(0.1 * m * sqrt(2), f, DELTA));
    }
    assert_true(isfinite(best));
    expect("draws", cost(2, two, "exact"), best, 2e-3);
    /* With a small share of the records and much noise sampling amplifies, and the accountant of Renyi divergences
     * shows it. */
    struct ledger l = { 0 };
    struct ledger_entry few = entry(MECHANISM_GAUSSIAN, 0.1, 1, 0, 10);
    few.scheme = SAMPLING_REPLACE;
    for (int k = 0; k < 100; k++, few.draw++)
        ledger_book(&l, &few);
    assert_true(priced(&l, 1e5, DELTA, "rdp-cks") < 0.5 * priced(&l, 1e5, DELTA, "exact"));
    ledger_free(&l);
    /* Prefix sums are not amplified, as all later releases share the noise of a draw. A stream as long as this one
     * is priced by its cover. */
    l = (struct ledger){ .adjacency = ADJACENCY_REPLACE_ONE };
    few = entry(MECHANISM_TREE, 1, 2e4, 0, 10);
    few.scheme = SAMPLING_REPLACE;
    few.stream = 1;
    few.length = 1000;
    few.cover = tree_height(1000);
    for (few.step = 1; few.step <= few.length; few.step++, few.draw++)
        ledger_book(&l, &few);
    double plain = priced(&l, 1e4, DELTA, "exact");
    assert_true(isfinite(plain) && priced(&l, 1e4, DELTA, "rdp-cks") > 0.99 * plain);
    ledger_free(&l);
    /* 2^33 draws from 2^32 records take a record twice in the mean. At a failure probability below DELTA more than
     * 5 copies must be paid for. A count of draws that overflowed at 2^32 would be 0 and cost nothing. */
    struct ledger_entry longer = entry(MECHANISM_GAUSSIAN, 0.01, 1, 0, 0x1p33);
    longer.scheme = SAMPLING_REPLACE;
    l = (struct ledger){ 0 };
    ledger_book(&l, &longer);
    assert_true(priced(&l, 0x1p32, DELTA, "exact") > account_gaussian_eps(0.01 * 5, DELTA));
    ledger_free(&l);
}

/* Returns the price of 100 draws of 10 out of n records each, where a ledger has 200 draws. mu: the sensitivity in
 * units of the noise; apart: by how many sensitivities a draw with a record differs from one that has another
 * record in its place. A failure probability, which all 200 draws share, is spent on records that occur more than m
 * times in a draw; the best of delta/10, delta/1000, ... is taken. With tau = (apart mu m)^2/2 the Renyi divergence
 * of a draw is 13 (10/n)^2 a tau at the order a; the best order of the grid below 3/tau is taken. */
static double amplified(double n, double mu, double apart)
{
    double best = INFINITY;
    for (double f = DELTA / 10; f > DELTA / 2e9; f /= 100) {
        double m = 1;
        while (tail(10, n, m) > f / 200)
            m++;
        double tau = pow(apart * mu * m, 2) / 2, slope = 100 * 13 * pow(10 / n, 2) * tau;
        for (int i = 0; i < RDP_ORDERS && rdp_order[i] < 3 / tau; i++) {
            /* left: what remains of delta for the conversion to epsilon, once the failures of the 100 draws, which
             * are half of f, are taken off */
            double a = rdp_order[i], left = DELTA, eps = INFINITY;
            for (int k = 0; k < 50; k++) {
                eps = a * slope + (log(1 / left) + (a - 1) * log1p(-1 / a) - log(a)) / (a - 1);
                eps = fmax(0, eps);
                left = DELTA - (1 + exp(eps)) * f / 2;
                if (!(left > 0))
                    break;
            }
            best = left > 0 && eps < best ? eps : best;
        }
    }
    return best;
}

/* Draws from a part of the stream concern the records of this part only, and amplify by the size of the part. The
 * bound compares draws with the record and draws that have another record in its place. They differ by the
 * sensitivity where records are replaced, and by twice the sensitivity where they are zeroed. Two releases of one
 * draw are not amplified, nor is any draw if the method skipped records before it. */
static void draws_from_a_part(void **state)
{
    struct ledger l = { 0 };
    struct ledger_entry e = entry(MECHANISM_GAUSSIAN, 0.1, 1, 0, 10);
    e.scheme = SAMPLING_REPLACE;
    e.of = 100000;
    for (int k = 0; k < 200; k++) {
        e.draw = (uint64_t)k;
        e.from = k < 100 ? 0 : e.of;
        ledger_book(&l, &e);
    }
    l.adjacency = ADJACENCY_REPLACE_ONE;
    double cost = priced(&l, INFINITY, DELTA, "rdp-cks");
    expect("of the part alone", cost, amplified(1e5, 0.1, 1), 1e-4);
    l.adjacency = ADJACENCY_ZERO_OUT;
    expect("zeroed", priced(&l, INFINITY, DELTA, "rdp-cks"), amplified(1e5, 0.1, 2), 1e-4);
    l.adjacency = ADJACENCY_REPLACE_ONE;
    l.entry[1].draw = 0;
    assert_true(priced(&l, INFINITY, DELTA, "rdp-cks") > 2 * cost);
    l.entry[1].draw = 1;
    l.before[SAMPLING_REPLACE] = 201;
    assert_true(priced(&l, INFINITY, DELTA, "rdp-cks") > 2 * cost);
    ledger_free(&l);
}

/* Two blocks of records have different noise in units of the sensitivity, by a factor of 1000: the records of the
 * block with less noise pay what this block costs alone, in either order of the blocks. */
static void draws_from_unlike_parts(void **state)
{
    for (int order = 0; order < 2; order++) {
        struct ledger l = { 0 };
        l.adjacency = ADJACENCY_REPLACE_ONE;
        for (int k = 0; k < 200; k++) {
            bool second = k >= 100;
            struct ledger_entry e = entry(MECHANISM_GAUSSIAN, second == order ? 0.1 : 1e-4, 1, 0, 10);
            e.scheme = SAMPLING_REPLACE;
            e.of = 100000;
            e.draw = (uint64_t)k;
            e.from = second ? e.of : 0;
            ledger_book(&l, &e);
        }
        expect("of the louder part", priced(&l, INFINITY, DELTA, "rdp-cks"), amplified(1e5, 0.1, 1), 1e-4);
        ledger_free(&l);
    }
}

/* Two draws of 50 records, from parts of the stream of 100 and of 10^6 records, in either order: a record of the
 * smaller part occurs more often in a draw, and pays for that draw alone. */
static void draws_from_parts_of_unlike_sizes(void **state)
{
    double best = INFINITY;
    for (double f = DELTA / 10; f > DELTA / 2e9; f /= 100) {
        double m = 1;
        while (tail(50, 100, m) > f / 2) /* both draws share the failure probability f */
            m++;
        best = fmin(best, scanned(0.1 * m, f / 2, DELTA));
    }
    for (int order = 0; order < 2; order++) {
        struct ledger_entry e[2];
        for (int k = 0; k < 2; k++) {
            e[k] = entry(MECHANISM_GAUSSIAN, 0.1, 1, 0, 50);
            e[k].scheme = SAMPLING_REPLACE;
            e[k].draw = (uint64_t)k;
            e[k].from = k == order ? 0 : 1000000;
            e[k].of = k == order ? 100 : 1000000;
        }
        expect("of the smaller part", cost(2, e, "exact"), best, 2e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subsets),           cmocka_unit_test(samples),
        cmocka_unit_test(with_replacement),  cmocka_unit_test(draws_from_a_part),
        cmocka_unit_test(draws_from_unlike_parts), cmocka_unit_test(draws_from_parts_of_unlike_sizes),
    };
    return cmocka_run_group_tests_name("account-draws", tests, NULL, NULL);
}

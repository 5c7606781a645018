/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_booked.c - the ledger's entries for random samples, for epochs, and for streams of prefix sums in which
 * records take part more than once; the part of a budget that samples take; forged tickets. No outcome depends on
 * chance. */
#include "support/aborts.h"
#include "support/tiny.h"

static void test_ledger(void **state)
{
    struct bench *b = bench_new(true);
    b->facts.n = 40;
    struct oracle *o = bench_open(b, NULL, 71);
    struct ticket t;
    struct release r = { .site = "x", .sensitivity = 1, .ticket = &t };
    double v[D] = { 0 };

    assert_true(oracle_poisson(o, 0.25, &t));
    noise_gaussian(o, &r, 1, D, v);
    noise_laplace(o, &r, 1, D, v);                       /* two mechanisms use one sample */
    assert_true(oracle_subset(o, 8, &t));
    noise_gaussian(o, &r, 1, D, v);
    const struct ledger_entry *e = o->ledger.entry;
    assert_true(e->scheme == SAMPLING_POISSON && e->q == 0.25 && e->n == 40 && e->batch == 10);
    assert_true(e->first == 0 && e->count == 40 && e->draw == e[1].draw && e[1].q == 0.25);
    assert_true(e[2].scheme == SAMPLING_SUBSET && e[2].batch == 8 && e[2].n == 40 && e[2].q == 0);
    assert_true(e[2].draw == t.serial && e[2].draw != e->draw);

    /* Two epochs in two orders give an entry each, and the second order gives a further entry when it is used
     * again. */
    struct ticket epoch[2];
    assert_true(oracle_shuffle(o, &epoch[0]) && oracle_shuffle(o, &epoch[1]));
    for (int k = 0; k < 15; k++) {
        t = ticket_part(&epoch[k < 5 ? 0 : 1], k % 5 * 8, 8);
        noise_gaussian(o, &r, 1, D, v);
    }
    assert_int_equal(o->ledger.entries, 6);
    for (int k = 0; k < 3; k++) {
        e = &o->ledger.entry[3 + k];
        assert_true(e->scheme == SAMPLING_SHUFFLED && e->first == 0 && e->count == 40);
        assert_true(e->repeats == 5 && e->batch == 8 && e->n == 40);
        assert_true(e->draw == epoch[k > 0].serial);
    }
    t = ticket_part(&epoch[0], 0, 8); /* positions that follow each other, but in two different orders */
    noise_gaussian(o, &r, 1, D, v);
    t = ticket_part(&epoch[1], 8, 8);
    noise_gaussian(o, &r, 1, D, v);
    assert_int_equal(o->ledger.entries, 8);
    bench_free(b);
}

/* Books three epochs in one stream of prefix sums, and then a restart of the noise. The entries of the ledger say
 * which noise and which steps a release has, and their draws say whether a record kept its position from epoch to
 * epoch. */
static void test_ledger_of_a_stream(void **state)
{
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        struct bench *b = bench_new(true);
        b->facts.n = 20;
        struct oracle *o = bench_open(b, NULL, 72);
        struct prefix *p = noise_prefix(o, b->arena, PREFIX_TREE, 15, D);
        struct prefix *other = noise_prefix(o, b->arena, PREFIX_ROOT, 9, D);
        struct ticket epoch, t;
        struct release r = { .site = "x", .sensitivity = 1, .ticket = &t };
        double v[D] = { 0 };
        for (int k = 0; k < 20; k++) {
            if (k % 5 == 0 && (shuffled || k == 0))
                assert_true(oracle_shuffle(o, &epoch));
            if (k == 15)
                prefix_restart(p);
            t = ticket_part(&epoch, k % 5 * 4, 4);
            prefix_release(p, &r, 1, v);
        }
        prefix_release(other, &r, 1, v);
        assert_int_equal(o->ledger.entries, 5);
        for (int k = 0; k < 4; k++) {
            const struct ledger_entry *e = &o->ledger.entry[k];
            assert_true(e->step == (k < 3 ? 1 + 5 * k : 1) && e->repeats == 5 && e->length == 15);
            assert_true((e->stream == o->ledger.entry[0].stream) == (k < 3) && e->stream > 0);
            assert_true((e->draw == o->ledger.entry[0].draw) == (k == 0 || !shuffled));
        }
        const struct ledger_entry *last = &o->ledger.entry[4];
        assert_true(last->length == 9 && last->stream != o->ledger.entry[0].stream &&
                    last->stream != o->ledger.entry[3].stream);
        bench_free(b);
    }
}

/* A budget of 64 gradients allows batches at two points on four Poisson samples of expected size 8, whatever their
 * true sizes are. A budget of 40 records allows five such samples. Counts have the true sizes. It makes no
 * difference whether the record of the neighbour is in the samples by chance, always or never. */
static void test_budget_of_samples(void **state)
{
    for (int coin = COIN_DRAWN; coin <= COIN_OUT; coin++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct bench *b = bench_new(true);
            b->facts.n = 40;
            struct oracle *o = bench_open(b, NULL, seed);
            struct ticket t;
            double g[D], sum = 0;
            const double *const x[2] = { X0, X0 };
            o->neighbour = (struct neighbour){ NEIGHBOUR_NULL, 7, 0 };
            o->neighbour.coin = coin;
            o->budget.of[COUNT_sample_grads] = 64;
            assert_true(oracle_poisson(o, 0, &t) && t.count == 0);
            assert_true(oracle_poisson(o, 1, &t) && t.count == 40);
            o->budget.of[COUNT_taken] = o->counts.of[COUNT_taken] + 40;
            for (int k = 0; k < 4; k++) {
                assert_true(oracle_poisson(o, 0.2, &t));
                assert_true(oracle_left(o) == 32 - 8 * k);
                assert_true(oracle_batch(o, &(struct batch){ .ticket = &t, .points = 2, .x = x,
                                                             .g = g }));
                sum += 2 * (double)t.count;
                assert_true(o->counts.of[COUNT_sample_grads] == sum);
            }
            assert_true(oracle_poisson(o, 0.2, &t));
            assert_false(oracle_batch(o, &(struct batch){ .ticket = &t, .points = 2, .x = x,
                                                          .g = g }));
            bench_free(b);
        }
}

/* --- forged tickets, which say something else than what was drawn */

static void release_on(struct oracle *o, struct ticket t)
{
    double v[D] = { 0 };
    noise_gaussian(o, &(struct release){ .site = "x", .sensitivity = 1, .ticket = &t }, 1, D, v);
}

static struct ticket drawn(struct oracle *o, double q)
{
    struct ticket t;
    assert_true(q > 0 ? oracle_poisson(o, q, &t) : oracle_subset(o, 3, &t));
    return t;
}

static void cheaper(void *o) { struct ticket t = drawn(o, 1); t.q /= 10; release_on(o, t); }
static void smaller(void *o) { struct ticket t = drawn(o, 0); t.count--; release_on(o, t); }
static void of_none(void *o) { struct ticket t = drawn(o, 1); t.serial++; release_on(o, t); }
static void once_only(void *o)
{
    struct ticket t = drawn(o, 0);
    oracle_take(o, 5, &(struct ticket){ 0 });
    t.scheme = SAMPLING_FRESH;
    release_on(o, t);
}
static void of_another(void *o)
{
    struct ticket t = drawn(o, 0.1);
    t.serial = drawn(o, 1).serial;
    release_on(o, t);
}
static void honest(void *o)
{
    struct ticket t[] = { drawn(o, 0.5), drawn(o, 0) };
    release_on(o, t[0]);
    release_on(o, t[1]);
}

static void test_forged(void **state)
{
    static void (*const act[])(void *) = { cheaper, smaller, of_none, once_only, of_another };
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 73);
    for (size_t k = 0; k < sizeof act / sizeof *act; k++)
        assert_true(aborts(act[k], o, NULL, 0));
    assert_false(aborts(honest, o, NULL, 0));
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_ledger_of_a_stream),
        cmocka_unit_test(test_budget_of_samples),
        cmocka_unit_test(test_forged),
    };
    return cmocka_run_group_tests_name("booked", tests, NULL, NULL);
}

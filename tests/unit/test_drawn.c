/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_drawn.c - oracles on Poisson samples, subsets and shuffled epochs of stored records: answers by hand,
 * charges, neighbours, broken contracts (their entries in the ledger are in test_booked.c). Seeds are fixed. */
#include "support/aborts.h"
#include "support/tiny.h"

static const double *const AT[1] = { X0 };

static bool mean_at_X0(struct oracle *o, const struct ticket *t, double *g)
{
    return oracle_batch(o, &(struct batch){ .ticket = t, .points = 1, .x = AT, .g = g });
}

/* --- answers: sums over the records of the ticket; the mean of a Poisson sample divides by q n */

static void test_answers(void **state)
{
    for (int k = 0; k < 12; k++) {
        struct bench *b = bench_new(true);
        b->problem.batch_grad = k % 2 ? tiny_batch_grad : NULL;
        struct oracle *o = bench_open(b, NULL, 65);
        struct ticket t;
        double g[D], truth[D] = { 0 }, f, mean = 0;
        const double w[N] = { 1, -2, 0.5, 3, 0.25 };
        bool weighted = k / 2 % 2;
        assert_true(k < 4 ? oracle_poisson(o, 0.7, &t)
                    : k < 8 ? oracle_subset(o, 3, &t) : oracle_shuffle(o, &t));
        double even = 1 / (k < 4 ? 0.7 * N : (double)t.count);
        for (long i = 0; i < t.count; i++) {
            tiny_sample_grad(&b->data, oracle_record(o, &t, i), X0, weighted ? w[i] : even, truth);
            mean += (weighted ? w[i] : even) *
                    tiny_sample_value(&b->data, oracle_record(o, &t, i), X0);
        }
        struct batch q = { .ticket = &t, .points = 1, .x = AT, .w = weighted ? w : NULL, .g = g };
        assert_true(oracle_batch(o, &q));
        near(D, g, truth);
        q.clip = CLIP_NORM, q.C = 1e9;
        assert_true(oracle_batch(o, &q));
        near(D, g, truth);
        assert_true(oracle_values(o, &t, q.w, X0, &f));
        near(1, &f, &mean);
        assert_true(t.count > 0 && o->counts.of[COUNT_sample_grads] == 2 * (double)t.count);
        assert_true(o->counts.of[COUNT_taken] == (double)t.count);
        assert_true(o->counts.of[COUNT_batch_steps] == 3 && o->counts.of[COUNT_max_visits] == 3);
        bench_free(b);
    }
}

/* An empty sample answers zero, and costs a round. */
static void test_empty(void **state)
{
    for (int k = 0; k < 2; k++) {
        struct bench *b = bench_new(true);
        b->problem.batch_grad = k ? tiny_batch_grad : NULL;
        struct oracle *o = bench_open(b, NULL, 66);
        struct ticket t;
        double g[D] = { 7, 7, 7 }, f = 7;
        const double zero[D] = { 0 }, one = 1;
        assert_true(oracle_poisson(o, 0, &t) && t.count == 0);
        assert_true(mean_at_X0(o, &t, g));
        assert_memory_equal(g, zero, sizeof g);
        g[0] = 7;
        assert_true(oracle_probe(o, &(struct probe){ .ticket = &t, .points = 1, .x = AT, .a = &one,
                                                     .r = &one, .directions = 2, .clamp = 1,
                                                     .g = g }));
        assert_memory_equal(g, zero, sizeof g);
        assert_true(oracle_values(o, &t, NULL, X0, &f) && f == 0);
        assert_true(o->counts.of[COUNT_batch_steps] == 3 && o->counts.of[COUNT_taken] == 0);
        assert_true(o->counts.of[COUNT_sample_grads] == 0);
        assert_true(o->counts.of[COUNT_sample_values] == 0);
        bench_free(b);
    }
}

/* --- what draws cost, and what is refused */

/* In count mode samples have the sizes that they have in a real run, whether noise is drawn between them or not. */
static void test_count_mode(void **state)
{
    struct bench *b[2] = { bench_new(true), bench_new(true) };
    for (int k = 0; k < 2; k++) {
        struct oracle *o = bench_open(b[k], NULL, 67);
        struct prefix *p = noise_prefix(o, b[k]->arena, PREFIX_ROOT, 30, D);
        const struct release r = { .site = "x", .sensitivity = 1 };
        double g[D];
        o->counting = k;
        for (int step = 0; step < 30; step++) {
            struct ticket t;
            assert_true(oracle_poisson(o, 0.5, &t));
            assert_true(mean_at_X0(o, &t, g));
            if (step % 4 == 3)
                prefix_release(p, &r, 1, g);
            else
                (step % 2 ? noise_gaussian : noise_laplace)(o, &r, step % 4 == 2, D, g);
        }
    }
    assert_memory_equal(&b[0]->o.counts, &b[1]->o.counts, sizeof b[0]->o.counts);
    bench_free(b[0]);
    bench_free(b[1]);
}

static void test_budget(void **state)
{
    for (int k = 0; k < 3; k++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, 68);
        struct ticket t = { .count = 77 };
        o->budget.of[COUNT_taken] = 4;
        assert_false(k == 0 ? oracle_poisson(o, 1, &t)
                     : k == 1 ? oracle_subset(o, 5, &t) : oracle_shuffle(o, &t));
        assert_true(t.count == 77 && o->spent && o->counts.of[COUNT_taken] == 0);
        bench_free(b);
    }
}

/* Nothing is drawn at random from a stream, nor from stored records each of which may be used only once. */
static void test_refused(void **state)
{
    for (int k = 0; k < 6; k++) {
        struct bench *b = bench_new(k < 3);
        struct oracle *o = bench_open(b, NULL, 69);
        struct ticket t = { .count = 77 };
        o->once = true;
        assert_false(k % 3 == 0 ? oracle_poisson(o, 0.5, &t)
                     : k % 3 == 1 ? oracle_subset(o, 2, &t) : oracle_shuffle(o, &t));
        assert_true(o->refused && t.count == 77 && o->counts.of[COUNT_taken] == 0);
        bench_free(b);
    }
}

/* A draw from a block of taken records is refused only if the records are stored and each may be used only once. */
static void test_draws_of_taken(void **state)
{
    for (int stored = 0; stored < 2; stored++)
        for (int once = 0; once < 2; once++) {
            struct bench *b = bench_new(stored);
            struct oracle *o = bench_open(b, NULL, 71);
            struct ticket block, t = { .count = 77 };
            o->once = once;
            assert_true(oracle_take(o, 2, &block));
            bool refused = stored && once;
            assert_true(oracle_draw_from(o, &block, 5, &t) == !refused && !o->refused == !refused);
            assert_true(t.count == (refused ? 77 : 5) && o->counts.of[COUNT_taken] == 2);
            bench_free(b);
        }
}

/* --- what is drawn and answered if a record is changed */

/* Every kind of neighbour draws the same records; removing a record removes no other. */
static void test_neighbours(void **state)
{
    enum { n = 50 };
    long together = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct ticket t[4][3];
        struct bench *b[4];
        for (int kind = 0; kind < 4; kind++) {
            b[kind] = bench_new(true);
            b[kind]->facts.n = n;
            struct oracle *o = bench_open(b[kind], NULL, seed);
            o->neighbour = (struct neighbour){ (enum neighbour_kind)kind, 7, -1 };
            assert_true(oracle_poisson(o, 0.4, &t[kind][0]) && oracle_subset(o, 20, &t[kind][1]) &&
                        oracle_shuffle(o, &t[kind][2]));
        }
        for (int kind = 1; kind < 4; kind++)
            for (int scheme = 0; scheme < 3; scheme++) {
                struct ticket *was = &t[0][scheme], *is = &t[kind][scheme];
                long met = 0;
                for (long k = 0; k < was->count; k++) {
                    long i = oracle_record(&b[0]->o, was, k);
                    bool gone = kind == NEIGHBOUR_REMOVE && scheme == 0 && i == 7;
                    together += gone;
                    assert_true(gone || oracle_record(&b[kind]->o, is, met++) == i);
                }
                assert_int_equal(met, is->count);
            }
        for (int kind = 0; kind < 4; kind++)
            bench_free(b[kind]);
    }
    assert_true(together > 0 && together < 20);
}

/* If a record is removed, its gradient is missing from the answer of a batch; the sum is divided by the same q
 * n. */
static void test_removed(void **state)
{
    struct bench *b[2] = { bench_new(true), bench_new(true) };
    double g[2][D], one[D] = { 0 };
    for (int k = 0; k < 2; k++) {
        struct oracle *o = bench_open(b[k], NULL, 70);
        struct ticket t;
        o->neighbour = (struct neighbour){ k ? NEIGHBOUR_REMOVE : NEIGHBOUR_SAME, 2, 0 };
        assert_true(oracle_poisson(o, 1, &t) && t.count == N - k);
        assert_true(mean_at_X0(o, &t, g[k]));
    }
    tiny_sample_grad(&b[0]->data, 2, X0, 1.0 / N, one);
    vec_axpy(D, 1, one, g[1]);
    near(D, g[1], g[0]);
    bench_free(b[0]);
    bench_free(b[1]);
}

/* --- broken contracts */

static void ask(struct oracle *o, struct ticket t)
{
    double g[D];
    mean_at_X0(o, &t, g);
}
static struct ticket poisson(struct oracle *o)
{
    struct ticket t;
    oracle_poisson(o, 1, &t);
    return t;
}
static struct ticket subset(struct oracle *o)
{
    struct ticket t;
    oracle_subset(o, 3, &t);
    return t;
}
static void rate_above(void *o) { oracle_poisson(o, 1.1, &(struct ticket){ 0 }); }
static void rate_nan(void *o) { oracle_poisson(o, NAN, &(struct ticket){ 0 }); }
static void too_many(void *o) { oracle_subset(o, N + 1, &(struct ticket){ 0 }); }
static void none(void *o) { oracle_subset(o, 0, &(struct ticket){ 0 }); }
static void part_of_poisson(void *o) { struct ticket t = poisson(o); ticket_part(&t, 0, 1); }
static void part_of_subset(void *o) { struct ticket t = subset(o); ticket_part(&t, 0, 1); }
static void fewer(void *o) { struct ticket t = poisson(o); t.count--; ask(o, t); }
static void later(void *o) { struct ticket t = subset(o); t.first++; ask(o, t); }
static void other_rate(void *o) { struct ticket t = poisson(o); t.q = 0.5; ask(o, t); }
static void not_drawn(void *o) { struct ticket t = poisson(o); t.serial++; ask(o, t); }
static void beyond(void *o)
{
    struct ticket t;
    oracle_shuffle(o, &t);
    t.first = 1;
    ask(o, t);
}
static void fine(void *o)
{
    ask(o, poisson(o));
    ask(o, subset(o));
}

static void test_broken_contracts(void **state)
{
    static void (*const act[])(void *) = { rate_above, rate_nan, too_many, none, part_of_poisson,
                                           part_of_subset, fewer, later, other_rate, not_drawn,
                                           beyond };
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 73);
    for (size_t k = 0; k < sizeof act / sizeof *act; k++)
        assert_true(aborts(act[k], o, NULL, 0));
    assert_false(aborts(fine, o, NULL, 0));
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_count_mode), cmocka_unit_test(test_budget),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_draws_of_taken),
        cmocka_unit_test(test_removed), cmocka_unit_test(test_broken_contracts),
    };
    return cmocka_run_group_tests_name("drawn", tests, NULL, NULL);
}

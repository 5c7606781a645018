/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_single_samples.c - gradients of single samples, which take a shorter way through the oracle, are those of
 * batches of one; random words that are made ahead are the same in whatever order they are asked for. */
#include "contract/contract.h"

enum { COUNT = 700, BUDGET = 600 };

static struct instance streams(struct arena *a, int k)
{
    switch (k) {
    case 0: return INSTANCE(a, "half_ball", { "d", 3 });
    case 1: return INSTANCE(a, "linear", { "d", 5 });
    case 2: return INSTANCE(a, "norm", { "d", 8 }, { "s", 0.5 });
    case 3: return INSTANCE(a, "composite_l1", { "d", 9 });
    case 4: return INSTANCE(a, "spectral", { "d", 7 });
    case 5: return INSTANCE(a, "glm", { "d", 6 });
    default: return INSTANCE(a, "coins", { "d", 4 });
    }
}

static void expect_equal_counts(const struct oracle *a, const struct oracle *b)
{
    for (int k = 0; k < COUNT_KINDS; k++)
        if (a->counts.of[k] != b->counts.of[k])
            fail_msg("%s: %g and %g", count_name(k), a->counts.of[k], b->counts.of[k]);
    assert_true(a->position == b->position && a->serial == b->serial && a->spent == b->spent);
}

/* Takes 4 samples in some rounds, and asks for them two rounds later, or never. */
static void ask_later(struct oracle *o, int round, struct ticket *later, const double *x, double *g)
{
    if (round % 50 == 10)
        assert_true(oracle_take(o, 4, later));
    if (round % 50 == 12 && round % 100 < 50)
        assert_true(oracle_batch(o, &(struct batch){ .ticket = later, .points = 1, .x = &x, .g = g }));
}

/* A sample that is asked for alone has the gradient, to the bit, and the counts of a batch of one. This holds
 * between other batches, too, and where the budget ends. No sample is asked for twice, so that the most visits of
 * one are 1. */
static void a_sample_alone_is_a_batch_of_one(void **state)
{
    for (int k = 0; k < 7; k++) {
        struct arena *a = arena_new(0);
        struct instance in = streams(a, k);
        struct rng r = rng_stream(7);
        struct oracle alone, batch;
        struct ticket later[2];
        double *x = arena_vec(a, in.d), *g = arena_vec(a, in.d), *h = arena_vec(a, in.d);
        contract_open(&alone, &in, NULL, 3, a);
        contract_open(&batch, &in, NULL, 3, a);
        alone.budget.of[COUNT_sample_grads] = batch.budget.of[COUNT_sample_grads] = BUDGET;
        for (int i = 0; i < COUNT; i++) {
            long b = i % 50 == 30 ? 3 : 1;
            const double *at = x;
            struct ticket t;
            rng_normals(&r, in.d, 0.3, x);
            if (i < 500) {
                ask_later(&alone, i, &later[0], x, g);
                ask_later(&batch, i, &later[1], x, g);
            }
            bool one = oracle_sgrad(&alone, b, x, g);
            bool two = batch.counts.of[COUNT_sample_grads] + (double)b <= BUDGET &&
                       oracle_take(&batch, b, &t) &&
                       oracle_batch(&batch, &(struct batch){ .ticket = &t, .points = 1, .x = &at,
                                                             .g = h });
            assert_true(one == two);
            if (!one)
                break;
            assert_memory_equal(g, h, (size_t)in.d * sizeof *g);
        }
        assert_true(alone.spent && alone.counts.of[COUNT_sample_grads] == BUDGET);
        batch.spent = true;                      /* as in `alone`, whose last question was refused */
        expect_equal_counts(&alone, &batch);
        assert_true(alone.counts.of[COUNT_max_visits] == 1);
        oracle_release(&alone);
        oracle_release(&batch);
        arena_free(a);
    }
}

/* The noise of a sample is made of a random word (coordinate_noise.h). Samples asked for in order have words that
 * are made far ahead; for samples asked for at random those of four neighbours are made at a time. */
static void words_do_not_depend_on_the_order(void **state)
{
    enum { D = 5 };
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "half_ball", { "d", D });
    struct rng r = rng_stream(11);
    double x[D] = { 0.5 }, (*g)[D] = arena_bytes(a, COUNT * sizeof *g), again[D];
    for (long i = 0; i < COUNT; i++) {
        vec_zero(D, g[i]);
        in.p->sample_grad(in.self, i, x, 1, g[i]);
    }
    for (int k = 0; k < 5 * COUNT; k++) {
        long i = (long)rng_below(&r, COUNT);
        for (long next = i; next < i + k % 3 && next < COUNT; next++) {
            vec_zero(D, again);
            in.p->sample_grad(in.self, next, x, 1, again);
            assert_memory_equal(again, g[next], sizeof again);
        }
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_alone_is_a_batch_of_one),
        cmocka_unit_test(words_do_not_depend_on_the_order),
    };
    return cmocka_run_group_tests_name("single samples", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_budget.c - every question is charged before it is answered, the budget is never exceeded, branches count in
 * parallel, and count mode has the counts of a real run. */
#include "support/aborts.h"
#include "support/tiny.h"

/* --- every call of the oracle with its cost; g[D] is the output of the call */

enum { CALLS = 15 };
static struct ticket ticket;
static void stand(const void *ctx, long i, double *x) { vec_copy(D, X0, x); }

static bool call(struct oracle *o, struct point *p, int k, const double *x, double *g)
{
    static const double a[2] = { 1, -1 }, r[2] = { 0.1, 0 };
    struct round q;
    struct ticket t = ticket;
    const double *xs[2] = { x, X1 };
    switch (k) {
    case 0: return oracle_batch(o, &(struct batch){ .ticket = &t, .points = 2, .x = xs, .g = g });
    case 1: return oracle_sgrad(o, 2, x, g);
    case 2:
        return oracle_probe(o, &(struct probe){ .ticket = &t,
                                                .points = 2,
                                                .x = xs,
                                                .a = a,
                                                .r = r,
                                                .directions = 3,
                                                .clamp = INFINITY,
                                                .g = g });
    case 3: return oracle_values(o, &t, NULL, x, g);
    case 4: return oracle_round(o, 6, stand, NULL, &q);
    case 5: return oracle_value(o, x, g);
    case 6: return oracle_grad(o, x, g);
    case 7: return point_coord(p, 1, NULL, g);
    case 8: return point_grad(p, NULL, g);
    case 9: return oracle_piece_values(o, x, g);
    case 10: return oracle_piece_value(o, 2, x, g);
    case 11: return oracle_piece_grad(o, 1, x, g);
    case 12: return oracle_smooth_grad(o, x, g);
    case 13: return oracle_linear_min(o, x, g);
    case 14: return oracle_charge(o, COUNT_prox, 2);
    }
    return false;
}

#define COST(kind, amount) { COUNT_##kind, amount }
static const struct charge costs[CALLS][5] = {
    { COST(sample_grads, 8), COST(batch_steps, 1), COST(nonzeros, -1) },
    { COST(sample_grads, 2), COST(batch_steps, 1), COST(taken, 2), COST(nonzeros, -1) },
    { COST(sample_values, 24), COST(directions, 12), COST(batch_steps, 1) },
    { COST(sample_values, 4), COST(batch_steps, 1) },
    { COST(sample_grads, 6), COST(batch_steps, 1), COST(issued, 6), COST(taken, 6),
      COST(nonzeros, -1) },
    { COST(full_values, 1), COST(sample_values, N), COST(passes, 1), COST(batch_steps, 1),
      COST(nonzeros, 11) },
    { COST(full_grads, 1), COST(sample_grads, N), COST(passes, 1), COST(batch_steps, 1),
      COST(nonzeros, 11) },
    { COST(coords, N), COST(batch_steps, 1), COST(nonzeros, 3) },
    { COST(coords, N *D), COST(passes, 1), COST(batch_steps, 1), COST(nonzeros, 11) },
    { COST(piece_values, D), COST(passes, 1), COST(batch_steps, 1) },
    { COST(piece_values, 1), COST(batch_steps, 1) },
    { COST(piece_grads, 1), COST(batch_steps, 1) },
    { COST(smooth_grads, 1), COST(sample_grads, N), COST(passes, 1), COST(batch_steps, 1),
      COST(nonzeros, 11) },
    { COST(linear_mins, 1) },
    { COST(prox, 2) },
};

static struct point *opened(struct bench *b, uint64_t seed)
{
    struct oracle *o = bench_open(b, NULL, seed);
    struct point *p = oracle_point(o, b->arena);
    point_set(p, X0);
    assert_true(oracle_take(o, 4, &ticket));
    memset(&o->counts, 0, sizeof o->counts);
    return p;
}

/* Each call adds the counts of the table to those of the oracle; -1 in the table means "some". Not checked are
 * max_visits, and the number of entries (nonzeros) that values of samples touch. */
static void test_costs(void **state)
{
    for (int k = 0; k < CALLS; k++) {
        struct bench *b = bench_new(true);
        struct point *p = opened(b, 1);
        double g[D], expected[COUNT_KINDS] = { 0 };
        assert_true(call(&b->o, p, k, X0, g));
        for (int c = 0; c < 5 && costs[k][c].amount; c++)
            expected[costs[k][c].kind] += costs[k][c].amount;
        for (int c = 0; c < COUNT_KINDS; c++)
            if (c != COUNT_max_visits && !(c == COUNT_nonzeros && (k == 2 || k == 3)) &&
                (expected[c] >= 0 ? b->o.counts.of[c] != expected[c] : !(b->o.counts.of[c] > 0)))
                fail_msg("call %d: %s is %g, not %g", k, count_name(c), b->o.counts.of[c],
                         expected[c]);
        bench_free(b);
    }
}

/* With a budget one below the cost of a call, for any count that the call is charged, the call is refused: nothing
 * is charged or written, and no later call is answered. */
static void test_refused_leaves_all_untouched(void **state)
{
    for (int k = 0; k < CALLS; k++)
        for (int c = 0; c < 5 && costs[k][c].amount; c++) {
            if (costs[k][c].kind == COUNT_nonzeros)      /* this count has no budget */
                continue;
            struct bench *b = bench_new(true);
            struct point *p = opened(b, 1);
            struct oracle *o = &b->o;
            double g[D] = { 7, 7, 7 };
            struct counts none = { { 0 } };
            o->budget.of[costs[k][c].kind] = costs[k][c].amount - 1;
            assert_false(call(o, p, k, X0, g));
            if (memcmp(&none, &o->counts, sizeof none))
                fail_msg("call %d was charged although refused (%s)", k,
                         count_name(costs[k][c].kind));
            assert_true(o->spent && g[0] == 7 && g[1] == 7 && g[2] == 7);
            o->budget.of[costs[k][c].kind] = INFINITY;
            struct ticket t = ticket;
            for (int later = 0; later < CALLS; later++)
                assert_false(call(o, p, later, X0, g));
            assert_false(oracle_take(o, 1, &t) || oracle_draw(o, 1, &t) || oracle_all(o, &t));
            assert_memory_equal(&t, &ticket, sizeof t);
            assert_true(g[0] == 7 && g[1] == 7 && g[2] == 7);
            bench_free(b);
        }
}

/* Random calls, but those of the cursor, under random budgets: no count ever exceeds its budget. */
static void test_never_exceeded(void **state)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct bench *b = bench_new(seed % 2);
        struct rng r = rng_stream(seed);
        double g[D];
        struct point *p = opened(b, seed);
        enum count kinds[3] = { COUNT_taken, COUNT_batch_steps, COUNT_sample_grads };
        for (int k = 0; k < 3; k++)
            if (rng_below(&r, 2))
                b->o.budget.of[kinds[k]] = (double)rng_below(&r, 200);
        for (int k = 0; k < 400; k++) {
            int which = (int)rng_below(&r, CALLS);
            if (which != 7 && which != 8)
                call(&b->o, p, which, X0, g);
            for (int c = 0; c < COUNT_KINDS; c++)
                assert_true(b->o.counts.of[c] <= b->o.budget.of[c]);
        }
        bench_free(b);
    }
}

static void test_diverged_run_pays(void **state)
{
    const double bad[D] = { NAN, INFINITY, 0 };
    struct bench *b = bench_new(true), *c = bench_new(true);
    struct point *p = opened(b, 1), *q = opened(c, 1);
    double g[D];
    for (int k = 0; k < CALLS; k++)
        assert_true(call(&b->o, p, k, bad, g) && call(&c->o, q, k, X0, g));
    assert_memory_equal(&b->o.counts, &c->o.counts, sizeof b->o.counts);
    bench_free(b);
    bench_free(c);
}

/* Count mode gives the same counts as a run, and writes nothing but zeros. */
static void test_count_mode(void **state)
{
    for (int stored = 0; stored < 2; stored++) {
        struct bench *b = bench_new(stored), *c = bench_new(stored);
        b->problem.batch_grad = c->problem.batch_grad = tiny_batch_grad;
        struct point *p = opened(b, 5), *q = opened(c, 5);
        c->o.counting = true;
        for (int k = 0; k < 3 * CALLS; k++) {
            double g[D], zero[D] = { 7, 7, 7 }, x[D] = { 5, -5, 0 };
            if (!stored && (k % CALLS == 7 || k % CALLS == 8))
                continue; /* calls 7 and 8, those of the cursor, need stored records */
            assert_true(call(&b->o, p, k % CALLS, X0, g) && call(&c->o, q, k % CALLS, X0, zero));
            for (int j = 0; j < D; j++)
                assert_true(zero[j] == 0 || zero[j] == 7);
            for (int side = 0; side < 2; side++) {
                struct oracle *o = side ? &c->o : &b->o;
                oracle_project(o, k % 2, x);
                oracle_prox(o, 0.1, X0, x);
                oracle_prox_coord(o, 0.1, 1, 0.5);
                point_add(side ? q : p, k % D, 0.1);
                oracle_depth(o, 3);
            }
            assert_memory_equal(&b->o.counts, &c->o.counts, sizeof b->o.counts);
        }
        assert_true(oracle_counting(&c->o) && !oracle_counting(&b->o));
        bench_free(b);
        bench_free(c);
    }
}

/* --- feasible sets, and the simple part of a composite objective */

static void test_sets(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    double x[D] = { 5, -5, 1 }, y[D];
    oracle_project(o, 0, x);
    near(D, x, (const double[D]){ 2, -2, 1 });
    oracle_project(o, 1, x);
    near(D, x, (const double[D]){ 0, -2, 1 });
    assert_true(o->counts.of[COUNT_project_0] == 1 && o->counts.of[COUNT_project_1] == 1);
    oracle_prox(o, 1.5, x, y);
    near(D, y, (const double[D]){ 0, -0.5, 0 });
    assert_true(oracle_prox_coord(o, 1, 1, 3) == 2);
    assert_true(o->counts.of[COUNT_prox] == 1 && o->counts.of[COUNT_prox_coords] == 1);
    assert_true(oracle_radius(o) == 2 && oracle_dim(o) == D && oracle_pieces(o) == D);
    b->facts.radius = INFINITY;                          /* in R^d a projection is free and not counted */
    x[0] = 50;
    oracle_project(o, 0, x);
    assert_true(x[0] == 50 && o->counts.of[COUNT_project_0] == 1);
    b->facts.radius = NAN;
    assert_true(oracle_radius(o) == INFINITY);
    bench_free(b);
}

/* --- branches, and broken contracts */

/* Asks questions along a random tree of branches. path <- the number of batch steps and the depth of the longest
 * paths, computed by recursion; total <- the number of questions in all branches. */
static void spend(struct oracle *o, struct rng *r, int depth, double path[2], double total[1])
{
    double g[D];
    for (int k = (int)rng_below(r, 3); k > 0; k--) {
        assert_true(oracle_smooth_grad(o, X0, g));
        oracle_depth(o, 0.5);
        path[0]++, path[1] += 0.5, total[0]++;
    }
    if (depth == 0)
        return;
    double most[2] = { 0, 0 };
    oracle_fork(o);
    for (int branch = (int)rng_below(r, 4); branch > 0; branch--) {
        double inside[2] = { 0, 0 };
        oracle_branch(o);
        spend(o, r, depth - 1, inside, total);
        most[0] = fmax(most[0], inside[0]);
        most[1] = fmax(most[1], inside[1]);
    }
    oracle_join(o);
    path[0] += most[0], path[1] += most[1];
}

static void test_branches(void **state)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, 1);
        struct rng r = rng_stream(seed);
        double path[2] = { 0 }, total = 0;
        spend(o, &r, (int)(seed % 5), path, &total);
        assert_true(o->counts.of[COUNT_batch_steps] == path[0]);
        assert_true(o->counts.of[COUNT_depth] == path[1]);
        assert_true(o->counts.of[COUNT_smooth_grads] == total && o->forks == 0);
        bench_free(b);
    }
}

/* A budget of rounds limits the longest branch, not the sum of the branches. */
static void test_budget_of_branches(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    double g[D];
    o->budget.of[COUNT_batch_steps] = 3;
    oracle_fork(o);
    for (int branch = 0; branch < 5; branch++) {
        oracle_branch(o);
        for (int k = 0; k < 3; k++)
            assert_true(oracle_smooth_grad(o, X0, g));
    }
    oracle_join(o);
    assert_false(oracle_smooth_grad(o, X0, g));
    bench_free(b);
}

static void forks(struct oracle *o, int n)
{
    for (int k = 0; k < n; k++)
        oracle_fork(o);
}
static void fork_16(void *o) { forks(o, 16); }
static void fork_17(void *o) { forks(o, 17); }
static void join_none(void *o) { oracle_join(o); }
static void branch_none(void *o) { oracle_branch(o); }
static void undeclared_grad(void *o) { double g[D]; oracle_grad(o, X0, g); }
static void undeclared_take(void *o) { struct ticket t; oracle_take(o, 1, &t); }
static void note_32(void *o) { oracle_note(o, NOTES_MAX, 1); }
static void no_such_set(void *o) { double x[D] = { 0 }; oracle_project(o, 2, x); }

static void test_broken_contracts(void **state)
{
    static const struct algo reader = { .name = "reader", .calls = CALL_VALUE };
    struct bench *b = bench_new(true), *c = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1), *p = bench_open(c, &reader, 1);
    assert_false(aborts(fork_16, o, NULL, 0));
    assert_true(aborts(fork_17, o, NULL, 0));
    assert_true(aborts(join_none, o, NULL, 0));
    assert_true(aborts(branch_none, o, NULL, 0));
    assert_true(aborts(no_such_set, o, NULL, 0));
    assert_true(aborts(undeclared_grad, p, NULL, 0));
    assert_true(aborts(undeclared_take, p, NULL, 0));
    assert_true(aborts(note_32, o, NULL, 0));
    bench_free(b);
    bench_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs), cmocka_unit_test(test_refused_leaves_all_untouched),
        cmocka_unit_test(test_never_exceeded), cmocka_unit_test(test_diverged_run_pays),
        cmocka_unit_test(test_count_mode), cmocka_unit_test(test_sets),
        cmocka_unit_test(test_branches), cmocka_unit_test(test_budget_of_branches),
        cmocka_unit_test(test_broken_contracts),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_algos.c - promises that every algorithm keeps, and two planted ones: each algorithm runs on each family that
 * fits it, in 1, 2 and 7 dimensions, under budgets of samples, of rounds and of gradients. If the environment has
 * METHOD=NAME, only the algorithm NAME is tested. The tables of algorithms are in test_algo_tables.c.
 * Slow */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/measure_known.h"
#include "base/params.h"
#include "cell/registry.h"

/* A goal with a budget: the count that it limits, and the most that a run may show of it. */
struct goal_case { const char *name, *text, *count; double most; };
static const struct goal_case goals[] = {
    { "n", "n=40 eps=1 delta=1e-5 acc=0.1", "count.taken", 40 },
    { "T", "T=17 eps=1 delta=1e-5 acc=0.1", "count.batch_steps", 17 },
    { "budget", "budget=900 eps=1 delta=1e-5 acc=0.1", "count.sample_grads", 900 },
};
enum { GOALS = sizeof goals / sizeof *goals };
/* A goal for methods that cannot keep their promise with few samples; one family is enough for it. */
static const struct goal_case many = { "n", "n=20000 eps=8 delta=1e-3", "count.taken", 20000 };

/* Returns the list of the algorithms that are tested. A NULL ends it. */
static const struct algo *const *tested(void)
{
    static const struct algo *one[2];
    const char *name = getenv("METHOD");
    if (!name)
        return registry_algos();
    one[0] = registry_algo(name);
    if (!one[0])
        fail_msg("METHOD=%s: expected the name of an algorithm", name);
    return one;
}

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* Returns the cell that runs algorithm a on family p in d dimensions. Returns NULL if the family has no dimension
 * this small. A family without a parameter d is run once: NULL unless d is 7. */
static struct cell *cell_of(const struct problem *p, const struct algo *a, long d,
                            const struct goal_case *g, const char *run)
{
    char text[300], size[32] = "";
    struct cell *c;
    struct why why;
    const struct param *dimension = params_find(p->params, "d");
    if (dimension && (double)d < dimension->lo)
        return NULL;
    if (dimension)
        snprintf(size, sizeof size, "d=%ld", d);
    else if (d != 7)
        return NULL;
    snprintf(text, sizeof text, "problem %s %s | algo %s | goal %s | run %s | rep 1", p->name, size,
             a->name, g->text, run);
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s: %s", text, why.text);
    return c;
}

static struct record *ran(struct runner *rn, struct cell *c, double **x)
{
    return c ? run_cell(rn, c, x) : NULL;
}

static void drop(struct cell *c, struct record *r, double *x)
{
    free(x);
    record_free(r);
    cell_free(c);
}

static void expect_finite(struct runner *rn, const struct cell *c, const struct record *r,
                          const double *x, long d)
{
    char name[64];
    for (long j = 0; j < d; j++)
        if (!isfinite(x[j]))
            fail_msg("%s: answer %ld is %g", c->text, j, x[j]);
    for (const struct measure *m = c->problem->measures; m && m->name; m++) {
        snprintf(name, sizeof name, "measure.%s", m->name);
        if (m->at && !isfinite(value_of(r, name)) && measure_known(rn, c, m))
            fail_msg("%s: %s is %g", c->text, name, value_of(r, name));
    }
}

/* Checks that the counts of a run are those in count mode, for an algorithm that does not declare random_counts. */
static void expect_same_counts(const struct cell *c, const struct record *r, const struct record *s)
{
    for (int k = 0; k < COUNT_KINDS; k++) {
        char name[64];
        snprintf(name, sizeof name, "count.%s", count_name(k));
        if (value_of(r, name) != value_of(s, name))
            fail_msg("%s: %s is %g, in count mode %g", c->text, name, value_of(r, name),
                     value_of(s, name));
    }
}

/* Runs one algorithm on one family; returns whether it ran, as a refusal is no failure. */
static bool check_pair(struct runner *rn, const struct problem *p, const struct algo *a, long d,
                       const struct goal_case *g)
{
    struct cell *c = cell_of(p, a, d, g, "seed=1"),
                *counting = cell_of(p, a, d, g, "seed=1 count=1");
    double *x = NULL, *y = NULL;
    struct record *r = ran(rn, c, &x);
    if (!r)
        return false;
    counting->seed = c->seed; /* the same draws, since the number of visits of a record depends on them */
    bool ok = r->outcome == OUTCOME_OK;
    if (!ok) {                                       /* a refusal gives its reason in a sentence */
        assert_int_equal(r->outcome, OUTCOME_REFUSED);
        assert_true(strlen(r->message) > 10 && strchr(r->message, ' '));
        assert_null(x);
    } else {
        struct record *again = ran(rn, c, &y), *counted = ran(rn, counting, NULL);
        double dim = value_of(r, "fact.d");
        double most = g->most;           /* random samples are charged their expected size: the limit is 6 standard
                                            deviations above */
        if (a->nominal_counts)
            most += strcmp(g->count, "count.sample_grads") == 0 ? 6 * sqrt(most) : 0;
        if (!(value_of(r, g->count) <= most))
            fail_msg("%s: %s = %g > %g", c->text, g->count, value_of(r, g->count), g->most);
        if (!(value_of(r, "count.batch_steps") + value_of(r, "count.linear_mins") > 0))
            fail_msg("%s: asks nothing", c->text);
        if (strncmp(a->name, "planted", 7))
            expect_finite(rn, c, r, x, (long)dim);
        assert_true(record_equal(r, again));
        assert_memory_equal(x, y, (size_t)dim * sizeof *x);
        if (a->random_counts) {
            assert_int_equal(counted->outcome, OUTCOME_REFUSED);
            assert_non_null(strstr(counted->message, "its counts are random"));
        } else {
            assert_int_equal(counted->outcome, OUTCOME_OK);
            if (!a->nominal_counts)
                expect_same_counts(c, r, counted);
        }
        record_free(again);
        record_free(counted);
    }
    drop(c, r, x);
    drop(counting, NULL, y);
    return ok;
}

static void over_registry(const struct algo *const *algos)
{
    static const long dims[] = { 1, 2, 7 };
    struct runner *rn = runner_new(0);
    for (; *algos; algos++) {
        int served = 0;
        for (const struct problem *const *p = registry_problems(); *p; p++)
            for (int k = 0; k < 3; k++)
                for (int g = 0; g < GOALS; g++)
                    served += check_pair(rn, *p, *algos, dims[k], &goals[g]);
        for (const struct problem *const *p = registry_problems(); *p && !served; p++)
            served += check_pair(rn, *p, *algos, 2, &many);
        if (!served)
            fail_msg("%s runs on no family", (*algos)->name);
    }
    runner_free(rn);
}

static void test_algorithms(void **state) { over_registry(tested()); }

/* Two planted methods that neither crash, hang nor diverge keep their budget, too. */
static void test_planted(void **state)
{
    const struct algo *const list[] = { registry_algo("planted-gd-idle"),
                                        registry_algo("planted-sgd-twice"), NULL };
    assert_true(list[0] && list[1]);
    over_registry(list);
}

/* --- copies of algorithms whose `run` is wrapped, to see what the runner hides */

static const struct algo *inner;
static bool sealed;
static uint32_t drawn_before, drawn_after;

static enum status spy(struct oracle *o, const void *params, struct arena *w, struct rng *rng,
                       double *x)
{
    struct rng at = *rng;
    drawn_before = rng_u32(&at);
    enum status s = inner->run(o, params, w, rng, x);
    at = *rng;
    drawn_after = rng_u32(&at);
    sealed = arena_sealed(w);
    return s;
}

/* Returns whether the answer of a run may depend on what it has seen: a private run answers its start until its
 * first release. */
static bool released(const struct algo *a, const struct record *r)
{
    return a->adjacency == ADJACENCY_NONE ||
           value_of(r, "count.noise_gauss") + value_of(r, "count.noise_laplace") +
           value_of(r, "count.noise_tree") + value_of(r, "count.noise_max") > 0;
}

/* Are fewer than 20 algorithms tested? This is so where METHOD selects one, and in the small tree in which test_plugin
 * runs this file. The tests then do not require a least number of pairs of an algorithm and a problem. */
static bool few_methods(void)
{
    int n = 0;
    while (tested()[n])
        n++;
    return n < 20;
}

/* The arena must be sealed when run returns. A reservation after the seal aborts by BUG_IF, so that this proves
 * that the loop of the method allocates nothing. Where a method uses nothing random, its answer must not depend on
 * the seed. Where it does, another seed must give another answer on families with stored records. */
static void test_sealed_and_seeded(void **state)
{
    struct runner *rn = runner_new(0);
    int fixed = 0, random = 0;                       /* pairs of a method and a family, by what is compared */
    for (const struct algo *const *a = tested(); *a; a++)
        for (const struct problem *const *p = registry_problems(); *p; p++) {
            struct cell *c = cell_of(*p, *a, 7, &goals[1], "trace=2");
            struct cell *e = cell_of(*p, *a, 7, &goals[1], "trace=2");
            struct algo copy = **a;
            double *x = NULL, *y = NULL;
            inner = *a;
            copy.run = spy;
            e->seed++;                               /* another seed: another run on the same data */
            sealed = false;
            c->algo = &copy;
            struct record *r = ran(rn, c, &x), *s = ran(rn, e, &y);
            if (r->outcome == OUTCOME_OK) {
                assert_true(sealed);
                size_t bytes = (size_t)value_of(r, "fact.d") * sizeof *x;
                bool sampled = value_of(r, "count.taken") > 0 && value_of(r, "fact.sigma") > 0;
                bool draws = released(*a, r) && (drawn_before != drawn_after || sampled ||
                                                 (*a)->adjacency != ADJACENCY_NONE);
                if (!draws && memcmp(x, y, bytes))
                    fail_msg("%s: draws nothing, yet the answer depends on the seed", c->text);
                if (draws && isfinite(value_of(r, "fact.n")) && !memcmp(x, y, bytes))
                    fail_msg("%s: another seed, the same answer", c->text);
                fixed += !draws;
                random += draws && isfinite(value_of(r, "fact.n"));
            }
            c->algo = *a;
            drop(c, r, x);
            drop(e, s, y);
        }
    print_message("%d pairs that draw nothing, %d that draw on stored records\n", fixed, random);
    assert_true(few_methods() || (fixed >= 50 && random >= 60));
    runner_free(rn);
}

/* Another replicate draws other data: a run that takes samples must then have another answer. At least 200 pairs of
 * a method and a family are compared. */
static void test_replicates_differ(void **state)
{
    struct runner *rn = runner_new(0);
    int compared = 0;
    for (const struct algo *const *a = tested(); *a; a++)
        for (const struct problem *const *p = registry_problems(); *p; p++) {
            struct cell *c = cell_of(*p, *a, 7, &goals[1], ""), *e;
            struct why why;
            char text[400];
            double *x = NULL, *y = NULL;
            snprintf(text, sizeof text, "%.*s2", (int)strlen(c->text) - 1, c->text);
            assert_int_equal(cell_parse(text, &e, &why), OK);
            struct record *r = ran(rn, c, &x), *s = ran(rn, e, &y);
            if (r->outcome == OUTCOME_OK && value_of(r, "count.taken") > 0 &&
                value_of(r, "fact.sigma") > 0 && released(*a, r)) {
                assert_true(memcmp(x, y, (size_t)value_of(r, "fact.d") * sizeof *x) != 0);
                compared++;
            }
            drop(c, r, x);
            drop(e, s, y);
        }
    print_message("%d pairs\n", compared);
    assert_true(few_methods() || compared >= 200);
    runner_free(rn);
}

/* --- the facts that an algorithm may know */

struct tuned { enum status status; _Alignas(16) unsigned char params[1024]; struct why why; };

static void tune(const struct algo *a, const struct facts *f, const struct goal *g, struct tuned *t)
{
    memset(t, 0, sizeof *t);
    assert_true(a->params_size <= sizeof t->params);
    params_default(a->params, t->params);
    t->status = a->tune ? a->tune(f, g, t->params, &t->why) : OK;
}

/* `tune` must choose the same parameters whether or not it is given facts that it has not declared, whatever their
 * values are: here 1, 2, 3, ... */
static void test_told_facts(void **state)
{
    static double some[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    for (const struct algo *const *a = tested(); *a; a++)
        for (int g = 0; g < GOALS; g++) {
            struct facts all = facts_unknown(), told;
            struct goal goal = goal_unknown();
            struct tuned t, u;
#define X(name, unit, doc) all.name = 1 + FACT_##name;
            FACTS_LIST(X)
#undef X
            all.L_j = all.M_j = some;
            all.d = 8;
            *goal_member(&goal, goals[g].name) = goals[g].most;
            goal.eps = 1, goal.delta = 1e-5, goal.acc = 0.1;
            told = facts_told(&all, (*a)->reads | (*a)->may_read);
            tune(*a, &all, &goal, &t);
            tune(*a, &told, &goal, &u);
            assert_int_equal(t.status, u.status);
            if (t.status == OK && memcmp(t.params, u.params, (*a)->params_size))
                fail_msg("%s reads a fact it has not declared", (*a)->name);
            assert_true(isnan(told.f_star));
        }
}

/* A run is refused where the family does not state a constant that the method needs; the sentence names the
 * constant. */
static void test_missing_fact(void **state)
{
    struct runner *rn = runner_new(0);
    const struct problem *p = registry_problem("spectral");
    for (const struct algo *const *a = tested(); *a; a++)
        for (int k = 0; k < FACT_COUNT; k++) {
            if (!((*a)->reads >> k & 1))
                continue;
            struct cell *c = cell_of(p, *a, 7, &goals[1], "");
            const void *self;
            const struct facts *f;
            struct why why;
            assert_int_equal(runner_instance(rn, c, &self, &f, &why), OK);
            double kept = fact_value(f, k), unknown = NAN;
            if (isnan(kept)) {                       /* the family does not state this constant anyway */
                cell_free(c);
                continue;
            }
            double *member = NULL;
#define X(name, unit, doc) if (k == FACT_##name) member = (double *)(size_t)&f->name;
            FACTS_LIST(X)
#undef X
            *member = unknown;
            struct record *r = ran(rn, c, NULL);
            assert_int_equal(r->outcome, OUTCOME_REFUSED);
            assert_true(strstr(r->message, fact_name(k)) || strstr(r->message, "relies on"));
            *member = kept;
            drop(c, r, NULL);
        }
    runner_free(rn);
}

/* A run is refused where the family lacks an oracle that the algorithm asks for; the sentence names both. */
static void test_missing_call(void **state)
{
    struct runner *rn = runner_new(0);
    for (const struct algo *const *a = tested(); *a; a++) {
        struct problem bare = *registry_problem("spectral");
        struct cell *c = cell_of(&bare, *a, 7, &goals[1], "");
        if ((*a)->calls & ~(unsigned)CALL_NOISE) {
            bare.value = NULL, bare.grad = NULL, bare.sample_grad = NULL, bare.sample_value = NULL;
            bare.linear_min = NULL;
            c->problem = &bare;
            struct record *r = ran(rn, c, NULL);
            assert_int_equal(r->outcome, OUTCOME_REFUSED);
            if (!strstr(r->message, (*a)->name) || !strstr(r->message, "spectral") ||
                !strstr(r->message, "CALL_"))
                fail_msg("%s", r->message);
            record_free(r);
        }
        cell_free(c);
    }
    runner_free(rn);
}

/* A run is refused if its goal gives neither a budget nor a number of rounds or samples. */
static void test_no_budget(void **state)
{
    struct runner *rn = runner_new(0);
    const struct goal_case none = { "", "", "", 0 };
    for (const struct algo *const *a = tested(); *a; a++) {
        struct cell *c = cell_of(registry_problem("spectral"), *a, 7, &none, "");
        struct record *r = ran(rn, c, NULL);
        assert_int_equal(r->outcome, OUTCOME_REFUSED);
        drop(c, r, NULL);
    }
    runner_free(rn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms), cmocka_unit_test(test_planted),
        cmocka_unit_test(test_sealed_and_seeded), cmocka_unit_test(test_replicates_differ),
        cmocka_unit_test(test_told_facts), cmocka_unit_test(test_missing_fact),
        cmocka_unit_test(test_missing_call), cmocka_unit_test(test_no_budget),
    };
    return cmocka_run_group_tests_name("algos", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plan_facts.c - settings that are functions of facts. The facts are those of the cell's own instance, which
 * is made once however often cells of it are planned. The sizes n and d are settings, so that the right facts are
 * known beforehand. The settings of replicates are tested too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan_cells.h"

enum { INSTANCES = 300, ROUNDS = 3 };    /* more instances than the table of facts holds before it grows */

static const struct problem *real;
static int makes;

static enum status counted_make(const void *params, const struct rng *rng, struct arena *a, void **self,
                                struct facts *facts, struct why *why)
{
    makes++;
    return real->make(params, rng, a, self, facts, why);
}

static struct cell *sized(int k, struct problem *counted)
{
    char text[160];
    struct cell *c = NULL;
    struct why why = { "" };
    snprintf(text, sizeof text, "problem private_mean d=%d n=%d | algo dp-cd | goal eps=1 T=10 | rep 0", 2 + k % 7,
             20 + k);
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s", why.text);
    real = c->problem;
    *counted = *real;
    counted->make = counted_make;
    c->problem = counted;
    return c;
}

static void each_instance_is_made_once(void **state)
{
    struct plan p = { 0 };
    struct planning g = { .plan = &p, .runner = runner_new(0) };
    struct why why = { "" };
    makes = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < INSTANCES; k++) {
            struct problem counted;
            struct facts f;
            struct cell *c = sized(k, &counted);
            if (plan_facts_of(&g, c, &f, &why) != OK)
                fail_msg("%s", why.text);
            assert_true(f.n == 20 + k && f.d == 2 + k % 7);
            assert_true(!f.L_j && !f.M_j);       /* the vectors are freed with their instance */
            cell_free(c);
        }
    assert_int_equal(makes, INSTANCES);
    runner_free(g.runner);
    plan_free(&p);
}

/* Returns the value of a setting that depends on the sizes of the instance and on the axis. */
static double of_size(double n, const struct facts *f) { return 1000 * f->n + f->d + n; }

static void settings_see_their_own_instance(void **state)
{
    struct claim c = { .id = "made.up", .check = CHECK_FIGURE, .kind = KIND_EVIDENCE, .algo = "dp-cd",
                       .problem = "private_mean", .axis = "n", .measure = "excess",
                       .with = { { "problem.d", 3 }, { "goal.eps", 1 }, { "goal.T", .of = of_size } } };
    struct selection s = { .profile = PROFILE_QUICK, .seed = NAN };
    struct plan p = { 0 };
    struct layers none = { { NULL } };
    struct planning g = { &p, runner_new(0), &s, &c, NULL };
    struct why why = { "" };
    for (int round = 0; round < 2; round++)
        for (int n = 20; n < 26; n++)
            for (long rep = 0; rep < 2; rep++) {
                struct cell *cell;
                if (plan_cell_at(&g, &none, c.algo, n, NAN, rep, &cell, &why) != OK)
                    fail_msg("%s", why.text);
                assert_true(cell->goal.T == 1001 * n + 3);
                cell_free(cell);
            }
    runner_free(g.runner);
    plan_free(&p);
}

/* --- replicates of one point */

/* Returns another value at every call, like a setting that differs from instance to instance. */
static double each_its_own(double n, const struct facts *f)
{
    static int asked;
    return 100 + asked++;
}

/* Plans four replicates of the claim. If `own_rounds`, the goal T must differ from each replicate to the next;
 * otherwise each must be the cell that is planned for it alone. */
static void expect_replicates(const struct claim *c, bool own_rounds)
{
    struct selection s = { .profile = PROFILE_QUICK, .seed = NAN };
    struct plan p = { 0 };
    struct planning g = { &p, runner_new(0), &s, c, NULL };
    const struct lineup l = { .role = ROLE_MAIN, .algo = c->algo };
    struct why why = { "" };
    int at = -1;
    for (long rep = 0; rep < 4; rep++) {
        struct cell *alone = NULL;
        if (plan_add_replicate(&g, &l, 20, NAN, rep, &at, &why) != OK ||
            plan_cell_at(&g, &l.layers, c->algo, 20, NAN, rep, &alone, &why) != OK)
            fail_msg("%s", why.text);
        assert_int_equal(at, rep);
        assert_int_equal(p.cell[at]->rep, rep);
        if (own_rounds) {
            assert_true(rep == 0 || p.cell[at]->goal.T != p.cell[at - 1]->goal.T);
        } else {
            assert_string_equal(p.cell[at]->text, alone->text);
            assert_true(p.cell[at]->seed == alone->seed && p.cell[at]->data_seed == alone->data_seed);
        }
        cell_free(alone);
    }
    runner_free(g.runner);
    plan_free(&p);
}

/* Each replicate has the settings that it would have alone: a claim of privacy gives every replicate another
 * neighbour, and settings that depend on the instance differ. */
static void replicates_have_their_own_settings(void **state)
{
    struct claim c = { .id = "made.up", .check = CHECK_FIGURE, .kind = KIND_EVIDENCE, .algo = "dp-cd",
                       .problem = "private_mean", .axis = "n", .measure = "excess",
                       .with = { { "problem.d", 3 }, { "goal.eps", 1 }, { "goal.T", 7 } } };
    expect_replicates(&c, false);
    c.check = CHECK_PRIVATE;
    expect_replicates(&c, false);
    c.check = CHECK_FIGURE;
    c.with[2] = (struct setting){ "goal.T", .of = each_its_own };
    expect_replicates(&c, true);
}

/* A fresh attempt draws data that the attempt before it has not drawn, at the same points of the axis. The
 * replicates in the texts of its cells are numbered from 200000 on. */
static void a_fresh_attempt_has_data_of_its_own(void **state)
{
    struct claim c = { .id = "made.up", .check = CHECK_FIGURE, .kind = KIND_EVIDENCE, .algo = "dp-cd", .attempt = 2,
                       .problem = "private_mean", .axis = "n", .measure = "excess",
                       .with = { { "problem.d", 3 }, { "goal.eps", 1 }, { "goal.T", 7 } } };
    struct selection s = { .profile = PROFILE_QUICK, .seed = NAN };
    struct plan p = { 0 };
    struct planning g = { &p, runner_new(0), &s, &c, NULL };
    const struct lineup l = { .role = ROLE_MAIN, .algo = c.algo };
    struct why why = { "" };
    int at[2] = { -1, -1 };
    for (long rep = 0; rep < 3; rep++)
        for (int fresh = 0; fresh < 2; fresh++) {
            c.fresh = fresh;
            if (plan_add_replicate(&g, &l, 20, NAN, rep, &at[fresh], &why) != OK)
                fail_msg("%s", why.text);
            const struct cell *cell = p.cell[at[fresh]];
            assert_int_equal(cell->rep, rep + (fresh ? 200000 : 0));
            assert_true(!fresh || strstr(cell->text, "| rep 20000"));
            assert_true(!fresh || cell->data_seed != p.cell[at[0]]->data_seed);
        }
    runner_free(g.runner);
    plan_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_instance_is_made_once),
        cmocka_unit_test(settings_see_their_own_instance),
        cmocka_unit_test(replicates_have_their_own_settings),
        cmocka_unit_test(a_fresh_attempt_has_data_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

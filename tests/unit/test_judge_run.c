/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_judge_run.c - the number of one run by which a claim is judged: for a rate the measure over the claim's
 * formula, which is a known factor of it; for other checks the measure, and the formula beside it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge/judge.h"
#include "judge/rules.h"
#include "run/run.h"

static double half_the_axis(const struct env *e) { return e->axis / 2; }

/* Returns the numbers of a run of gradient descent for 12 rounds, which are 12 batch steps. */
static struct evaluated judged(enum check check, formula_fn formula, double axis)
{
    const struct claim claim = { .check = check, .measure = "batch_steps", .formula = formula,
                                 .lower = half_the_axis };
    const struct task task = { .claim = &claim, .axis = axis };
    struct runner *runner = runner_new(0);
    struct cell *cell;
    struct evaluated e;
    struct why why = { "" };
    if (cell_parse("problem spectral d=2 | algo gd | goal T=12 | rep 1", &cell, &why) != OK)
        fail_msg("%s", why.text);
    struct record *record = run_cell(runner, cell, NULL);
    assert_true(judge_run(&task, cell, record, &e));
    record_free(record);
    cell_free(cell);
    runner_free(runner);
    return e;
}

static void a_rate_is_divided_by_its_factor(void **state)
{
    assert_true(judged(CHECK_RATE, half_the_axis, 8).y == 3);
    assert_true(judged(CHECK_RATE, half_the_axis, 48).y == 0.5);
    assert_true(judged(CHECK_RATE, half_the_axis, 48).lower == 1);
    assert_true(judged(CHECK_RATE, NULL, 8).y == 12 && judged(CHECK_RATE, NULL, 8).lower == 4);
}

static void other_checks_keep_what_was_measured(void **state)
{
    static const enum check checks[] = { CHECK_COUNT, CHECK_BOUND, CHECK_MOMENT };
    for (int k = 0; k < 3; k++) {
        struct evaluated e = judged(checks[k], half_the_axis, 8);
        assert_true(e.y == 12 && e.formula == 4 && e.lower == 4);
    }
}

static double after_steps(const struct env *e) { return 1 + e->counts->of[COUNT_batch_steps]; }
static double projections(const struct env *e) { return e->counts->of[COUNT_project_0]; }

static double zero_at_the_end(const struct env *e) { return e->counts->of[COUNT_batch_steps] < 12; }

/* Judges the excess of a projected method at its worst mark, where the trace has counts of projections between the
 * columns that every trace has and the ruler. The excess falls and either formula grows, so that the first mark is
 * the worst. */
static void a_mark_is_read_by_its_columns(void **state)
{
    static const formula_fn formulas[] = { after_steps, projections };
    struct runner *runner = runner_new(0);
    struct cell *cell;
    struct why why = { "" };
    if (cell_parse("problem spectral d=2 s=0 radius=0.5 rr=1.5 | algo sgd step=0.01 B=1 | goal n=12 | "
                   "run trace=2 | rep 1", &cell, &why) != OK)
        fail_msg("%s", why.text);
    struct record *record = run_cell(runner, cell, NULL);
    const struct record_trace *t = &record->trace;
    assert_true(t->rows == 12 && t->columns > 4);
    assert_string_equal(t->column[t->columns - 1], "ruler");
    for (int k = 0; k < 2; k++) {
        const struct claim claim = { .check = CHECK_BOUND, .measure = "excess", .every_mark = true,
                                     .formula = formulas[k] };
        struct evaluated e;
        assert_true(judge_run(&(struct task){ .claim = &claim, .axis = 1 }, cell, record, &e));
        assert_true(e.y == t->value[t->columns - 1] && e.formula == (k ? 1 : 2));
    }
    /* The last mark has y = 0 and the formula 0. It keeps a bound, and is equal to a count, so that another mark is
     * the worst: the one before, with y = 2 and the formula 1. */
    double *end = record->trace.value + t->rows * t->columns;
    end[-1] = 0;
    end[-1 - (long)t->columns] = 2;
    for (int k = 0; k < 2; k++) {
        const struct claim claim = { .check = k ? CHECK_COUNT : CHECK_BOUND, .measure = "excess",
                                     .every_mark = true, .formula = zero_at_the_end };
        struct evaluated e;
        assert_true(judge_run(&(struct task){ .claim = &claim, .axis = 1 }, cell, record, &e));
        assert_true(e.y == 2 && e.formula == 1);
    }
    /* Nor is it the worst mark of a run that keeps the bound with room to spare. */
    for (size_t k = 1; k < t->rows; k++)
        record->trace.value[k * t->columns - 1] = k == 3 ? 0.02 : 0.01;
    const struct claim bound = { .check = CHECK_BOUND, .measure = "excess", .every_mark = true,
                                 .formula = zero_at_the_end };
    struct evaluated e;
    assert_true(judge_run(&(struct task){ .claim = &bound, .axis = 1 }, cell, record, &e));
    assert_true(e.y == 0.02 && e.formula == 1);
    record_free(record);
    cell_free(cell);
    runner_free(runner);
}

/* --- a claim that gets more runs */

static int asked;
static double twelve(const struct env *e)
{
    asked++;
    return 12;
}

/* Judges two replicates of gradient descent for 12 rounds, then a third replicate of 13 rounds. The claim is judged
 * again, and asks its formula for all runs, only after a run or a planned replicate has been added. */
static void a_claim_is_judged_again_only_with_more_runs(void **state)
{
    const struct claim claim = { .id = "a/b", .check = CHECK_COUNT, .measure = "batch_steps", .formula = twelve };
    struct task task[3];
    struct planned_claim planned = { .claim = &claim, .task = task, .tasks = 2, .points = 1, .reps = 3 };
    struct cell *cell[3];
    struct record *record[3];
    struct plan plan = { .cell = cell, .cells = 3, .claim = &planned, .claims = 1 };
    struct runner *runner = runner_new(0);
    struct why why;
    for (int k = 0; k < 3; k++) {
        const char *text = k < 2 ? "problem spectral d=2 | algo gd | goal T=12 | rep 1"
                                 : "problem spectral d=2 | algo gd | goal T=13 | rep 1";
        assert_int_equal(cell_parse(text, &cell[k], &why), OK);
        record[k] = run_cell(runner, cell[k], NULL);
        task[k] = (struct task){ .claim = &claim, .axis = 1, .rep = 2 - k, .grid = -1, .cell = k };
    }
    struct judgement *list = judge_none(&plan);
    assert_true(judge_one(&plan, record, 0, list)->fit.point[0].most == 0 && asked == 2);
    judge_plan(&plan, record, list);
    assert_true(asked == 2 && list->cells == 2);
    planned.tasks = 3;
    assert_true(judge_one(&plan, record, 0, list)->fit.point[0].most == 1. / 12 && asked == 5);
    judge_plan(&plan, record, list);
    assert_true(asked == 5 && list->cells == 3);
    planned.reps = 6;
    judge_plan(&plan, record, list);
    assert_true(asked == 8);
    free(list);
    for (int k = 0; k < 3; k++) {
        record_free(record[k]);
        cell_free(cell[k]);
    }
    runner_free(runner);
}

/* --- runs that are missing */

enum { SCENE_POINTS = 2, SCENE_REPS = 3, SCENE = 2 * SCENE_POINTS * SCENE_REPS };

/* A planned claim with its own runs and those of a control. Run k has the role k % 2; each run of the claim is
 * gradient descent for 12 rounds, and each run of its control for 2. */
struct scene {
    struct task task[SCENE];
    struct cell *cell[SCENE];
    struct record *record[SCENE];
    struct planned_claim planned;
    struct plan plan;
};

static struct scene *scene_make(const struct claim *claim)
{
    struct scene *s = calloc(1, sizeof *s);
    struct runner *runner = runner_new(0);
    struct why why = { "" };
    for (int k = 0; k < SCENE; k++) {
        const char *text = k % 2 ? "problem spectral d=2 | algo gd | goal T=2 | rep 1"
                                 : "problem spectral d=2 | algo gd | goal T=12 | rep 1";
        if (cell_parse(text, &s->cell[k], &why) != OK)
            fail_msg("%s", why.text);
        s->record[k] = run_cell(runner, s->cell[k], NULL);
        int point = k / 2 % SCENE_POINTS;
        s->task[k] = (struct task){ .claim = claim, .role = k % 2 ? ROLE_CONTROL : ROLE_MAIN, .point = point,
                                    .axis = point + 1, .rep = k / 2 / SCENE_POINTS, .grid = -1, .cell = k };
    }
    runner_free(runner);
    s->planned = (struct planned_claim){ .claim = claim, .task = s->task, .tasks = SCENE, .points = SCENE_POINTS,
                                         .reps = SCENE_REPS };
    s->plan = (struct plan){ .cell = s->cell, .cells = SCENE, .claim = &s->planned, .claims = 1 };
    return s;
}

static void scene_free(struct scene *s)
{
    for (int k = 0; k < SCENE; k++) {
        record_free(s->record[k]);
        cell_free(s->cell[k]);
    }
    free(s);
}

/* The mechanism carries 10 of the 12 steps. A control of which runs are missing is not caught. Even numbers are the
 * runs of the first point, odd ones those of the second. */
static void a_mechanism_needs_every_run_without_it(void **state)
{
    static const struct { bool missing[SCENE / 2]; enum word word; } cases[] = {
        { { false }, CONTRADICTED },
        { { true }, INCONCLUSIVE },
        { { [1] = true }, INCONCLUSIVE },
        { { [3] = true }, INCONCLUSIVE },
        { { [0] = true, [2] = true }, INCONCLUSIVE },
        { { [0] = true, [2] = true, [4] = true }, INCONCLUSIVE },
        { { [1] = true, [3] = true, [5] = true }, INCONCLUSIVE },
        { { true, true, true, true, true, true }, NOT_RUN },
    };
    const struct claim claim = { .id = "a/b", .axis = "T", .check = CHECK_BOUND, .measure = "batch_steps" };
    struct scene *s = scene_make(&claim);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct record *record[SCENE];
        for (int i = 0; i < SCENE; i++)
            record[i] = i % 2 && cases[k].missing[i / 2] ? NULL : s->record[i];
        struct verdict v = rules_carried(&(struct source){ &s->plan, record, &s->planned }, ROLE_CONTROL);
        if (v.word != cases[k].word)
            fail_msg("case %zu: %s, %s", k, verdict_word(v.word), v.reason);
    }
    scene_free(s);
}

/* Of one replicate of random data there is no limit, so that the mechanism is not shown to carry anything. */
static void a_mechanism_needs_two_replicates(void **state)
{
    struct claim claim = { .id = "a/b", .axis = "T", .check = CHECK_BOUND, .measure = "batch_steps" };
    struct scene *s = scene_make(&claim);
    s->planned.reps = 1;
    for (int exact = 0; exact < 2; exact++) {
        claim.deterministic = exact;
        struct verdict v = rules_carried(&(struct source){ &s->plan, s->record, &s->planned }, ROLE_CONTROL);
        assert_int_equal(v.word, exact ? CONTRADICTED : INCONCLUSIVE);
    }
    scene_free(s);
}

static double least_bound;
static double just_above(const struct env *e) { return least_bound; }

/* A bound that no control exceeds holds, as the control after 12 rounds here. Where the control was not run, or did
 * not end well, this is not known. */
static void a_bound_holds_only_if_its_control_was_measured(void **state)
{
    const struct claim claim = { .id = "a/b", .axis = "T", .check = CHECK_BOUND, .measure = "excess",
                                 .formula = just_above, .deterministic = true };
    struct scene *s = scene_make(&claim);
    struct record *own = s->record[0], *weak = s->record[1], *record[SCENE];
    assert_true(record_get(own, "measure.excess", &least_bound));
    least_bound *= 1.5;
    for (int control = 1; control <= 2; control++)
        for (int how = 0; how < 4; how++) {
            for (int k = 0; k < SCENE; k++) {
                record[k] = own;
                s->task[k].role = k % 2 == 0 ? ROLE_MAIN : control == 2 && k < 4 ? ROLE_CONTROL2 : ROLE_CONTROL;
            }
            weak->outcome = how == 2 ? OUTCOME_REFUSED : OUTCOME_CRASHED;
            if (how)
                record[1] = how == 1 ? NULL : weak;
            struct judgement *list = judge_none(&s->plan);
            const struct judgement *j = judge_one(&s->plan, record, 0, list);
            if (j->alone.word != SUPPORTED || j->verdict.word != (how ? INCONCLUSIVE : HOLDS))
                fail_msg("control %d, case %d: %s, %s", control, how, verdict_word(j->verdict.word),
                         j->verdict.reason);
            free(list);
        }
    scene_free(s);
}

/* A role whose search is not complete at a point has searched there, but has no measured run. */
static void a_bound_holds_only_if_its_control_was_searched(void **state)
{
    const struct claim claim = { .id = "a/b", .axis = "T", .check = CHECK_BOUND, .measure = "excess",
                                 .formula = just_above, .deterministic = true };
    const char *says = "its search is not complete at T = 2: nothing was measured there";
    struct scene *s = scene_make(&claim);
    struct record *record[SCENE];
    assert_true(record_get(s->record[0], "measure.excess", &least_bound));
    least_bound *= 1.5;
    for (int k = 0; k < SCENE; k++)
        record[k] = s->record[0];
    for (int own = 0; own < 2; own++) {
        enum role role = own ? ROLE_MAIN : ROLE_CONTROL;
        for (int k = 0; k < SCENE; k++)
            s->task[k].grid = s->task[k].role == role && s->task[k].point == 1 ? 0 : -1;
        struct judgement *list = judge_none(&s->plan);
        const struct judgement *j = judge_one(&s->plan, record, 0, list);
        assert_string_equal(verdict_word(j->verdict.word), "INCONCLUSIVE");
        assert_string_equal((own ? &j->alone : &j->control)->reason, says);
        assert_non_null(strstr(j->verdict.reason, says));
        free(list);
    }
    scene_free(s);
}

/* The runs without the mechanism are better than staying at the start, but for one of three, which is worse or has
 * diverged. By median and quantile they are still a method; by their mean and by the worst of them they are not. */
static void without_its_mechanism_a_method_is_judged_by_the_same_statistic(void **state)
{
    struct claim claim = { .id = "a/b", .axis = "T", .algo = "planted-lever", .tests = "power", .quantile = 0.4,
                           .control = { .with = { { "algo.power", 0.1 } } }, .acts = { .least = -1 },
                           .check = CHECK_BOUND, .measure = "excess", .formula = just_above,
                           .deterministic = true };
    const struct fit fit = { .points = 1, .point = { { .ratio = { .lo = 0.7 } } } };
    const struct verdict supported = { .word = SUPPORTED };
    struct scene *s = scene_make(&claim);
    assert_true(record_get(s->record[0], "measure.excess", &least_bound));
    for (int worse = 0; worse < 2; worse++)
        for (enum statistic of = STAT_MEAN; of <= STAT_WORST; of++) {
            claim.statistic = of;
            for (int k = 1; k < SCENE; k += 2)
                record_put(s->record[k], "measure.excess",
                           k / 2 / SCENE_POINTS ? least_bound : worse ? 1e9 : INFINITY);
            struct verdict v = rules_apply(&(struct source){ &s->plan, s->record, &s->planned }, &fit, &supported,
                                           false);
            enum word word = of == STAT_MEDIAN || of == STAT_QUANTILE ? SUPPORTED : INCONCLUSIVE;
            if (v.word != word || (word == INCONCLUSIVE && !strstr(v.reason, "rule 2: without its mechanism")))
                fail_msg("statistic %d: %s, %s", of, verdict_word(v.word), v.reason);
        }
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_is_divided_by_its_factor),
        cmocka_unit_test(other_checks_keep_what_was_measured),
        cmocka_unit_test(a_mark_is_read_by_its_columns),
        cmocka_unit_test(a_claim_is_judged_again_only_with_more_runs),
        cmocka_unit_test(a_mechanism_needs_every_run_without_it),
        cmocka_unit_test(a_mechanism_needs_two_replicates),
        cmocka_unit_test(a_bound_holds_only_if_its_control_was_measured),
        cmocka_unit_test(a_bound_holds_only_if_its_control_was_searched),
        cmocka_unit_test(without_its_mechanism_a_method_is_judged_by_the_same_statistic),
    };
    return cmocka_run_group_tests_name("the number of a run", tests, NULL, NULL);
}

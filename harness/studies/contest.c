/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest.c - two stages of cells: every choice of every grid on the seeds that tune, then the winners on
 * fresh ones. The second follows from the records of the first alone, so that a run resumes. */
#include "studies/contest_run.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/interrupt.h"
#include "plan/measure.h"
#include "judge/plan_records.h"
#include "cell/registry.h"

/* A stage: its plan, and the cells of (row, method, choice, replicate). Choices may share cells. */
struct stage {
    const struct contest *what;
    struct selection s;
    double seed;
    struct runner *runner;
    struct plan plan;
    int *cell, reps;
};

enum { CHOICES_MAX = 128 };

double contest_grid_value(const struct contest_method *m, int which, int k)
{
    double last = fmax(m->grid[which].points - 1, 1);
    double v = m->grid[which].from * pow(m->grid[which].to / m->grid[which].from, k / last);
    return plan_whole(m->grid[which].name, "", m->algo) ? rint(v) : v;
}

static int grid_points(const struct contest_method *m, int which)
{
    return m->grid[which].name ? m->grid[which].points : 1;
}

static int choices_of(const struct contest_method *m)
{
    int n = grid_points(m, 0) * grid_points(m, 1);
    BUG_IF(n < 1 || n > CHOICES_MAX);
    return n;
}

/* value[] of the c-th choice; NaN where there is no grid. */
static void choice_values(const struct contest_method *m, int c, double value[GRID_SETTINGS])
{
    int at[GRID_SETTINGS] = { c / grid_points(m, 1), c % grid_points(m, 1) };
    for (int k = 0; k < GRID_SETTINGS; k++)
        value[k] = m->grid[k].name ? contest_grid_value(m, k, at[k]) : NAN;
}

static void stage_begin(struct stage *g, const struct study_request *q, const struct contest_table *t,
                        int reps)
{
    *g = (struct stage){ .what = t->what, .s = *q->run.select, .runner = runner_new(0), .reps = reps,
                         .seed = isnan(q->run.select->seed) ? 1 : q->run.select->seed };
    g->s.seed = NAN;                     /* it would win over that of fresh runs */
    g->cell = calloc((size_t)(t->rows * CONTEST_METHODS * CHOICES_MAX * reps) + 1, sizeof *g->cell);
    BUG_IF(!g->cell);
}

static void stage_end(struct stage *g)
{
    plan_free(&g->plan);
    runner_free(g->runner);
    free(g->cell);
}

static int *cells_of(struct stage *g, int row, int method, int choice)
{
    return &g->cell[((row * CONTEST_METHODS + method) * CHOICES_MAX + choice) * g->reps];
}

static void append(struct setting *to, const struct setting *from)
{
    int n = 0;
    while (n < SETTINGS_MAX && to[n].name)
        n++;
    for (int k = 0; k < SETTINGS_MAX && from[k].name; k++) {
        BUG_IF(n == SETTINGS_MAX);
        to[n++] = from[k];
    }
}

/* The cells of one choice. */
static enum status add_choice(struct stage *g, const struct contest_row *r, int row, int method,
                              int choice, bool fresh, struct why *why)
{
    const struct contest_method *m = &g->what->method[method];
    struct claim c = { .id = r->on->name, .check = CHECK_FIGURE, .kind = KIND_EVIDENCE,
                       .algo = m->algo, .problem = r->on->problem, .axis = g->what->axis,
                       .measure = contest_measure(g->what, r->on) };
    struct variant with = { 0 }, chosen = { 0 };
    struct layers layers = { { &with, &chosen } };
    struct planning p = { &g->plan, g->runner, &g->s, &c, NULL };
    double value[GRID_SETTINGS];
    int n = 0;
    append(c.with, r->on->with);
    append(c.with, g->what->as.with);
    append(with.with, m->with);
    choice_values(m, choice, value);
    for (int k = 0; k < GRID_SETTINGS; k++)
        if (m->grid[k].name)
            chosen.with[n++] = (struct setting){ m->grid[k].name, value[k] };
    double seed = g->seed + (fresh ? 1 : 0);
    if (seed != 1)
        chosen.with[n++] = (struct setting){ "run.seed", seed };
    for (long rep = 0; rep < g->reps; rep++) {
        struct cell *cell;
        struct why reason = { "" };
        enum status s = plan_cell_at(&p, &layers, m->algo, r->size, NAN, rep, &cell, &reason);
        if (s != OK)
            return why_set(why, s, "%s, %s: %.300s", r->on->name, m->label, reason.text);
        cells_of(g, row, method, choice)[rep] = plan_add_cell(&g->plan, cell);
    }
    return OK;
}

static enum status stage_run(const struct study_request *q, struct stage *g, struct execution *x, int *code,
                             struct why *why)
{
    enum status s = run_plan(&q->run, &g->plan, x, NULL, why);
    if (s == OK && x->interrupted)
        *code = interrupt_code();
    if (s == OK)
        fprintf(stderr, "%d cells: %d run, %d reused from the store%s\n", x->cells, x->ran, x->reused,
                x->interrupted ? "; interrupted, the next run resumes" : "");
    return s;
}

/* --- the first stage */

/* Mean of a choice over its seeds; NaN where one was refused or failed. */
static double mean_of(struct stage *g, const struct execution *x, const char *measure, const int *cell,
                      struct contest_entry *e)
{
    double sum = 0, y;
    for (int k = 0; k < g->reps; k++) {
        const struct record *r = x->record[cell[k]];
        if (!r)
            return NAN;
        if (r->outcome != OUTCOME_OK) {
            e->failed += r->outcome != OUTCOME_REFUSED;
            e->refused += r->outcome == OUTCOME_REFUSED && k == 0;
            return NAN;
        }
        if (!measure_get(measure, r, &y))
            return NAN;
        sum += y / g->reps;
    }
    return sum;
}

static bool at_edge(const struct contest_method *m, int which, int k)
{
    return grid_points(m, which) > 1 && (k == 0 || k == grid_points(m, which) - 1);
}

static int winner_of(struct stage *g, const struct execution *x, const char *measure, int row, int method,
                     struct contest_entry *e)
{
    const struct contest_method *m = &g->what->method[method];
    double least = INFINITY;
    int best = -1;
    *e = (struct contest_entry){ .tried = choices_of(m), .value = { NAN, NAN },
                                 .log_mean = { NAN, NAN, NAN } };
    for (int c = 0; c < e->tried; c++) {
        double y = mean_of(g, x, measure, cells_of(g, row, method, c), e);
        if (y < least) {
            least = y;
            best = c;
        }
    }
    e->found = best >= 0;
    if (!e->found)
        return -1;
    choice_values(m, best, e->value);
    e->edge[0] = at_edge(m, 0, best / grid_points(m, 1));
    e->edge[1] = at_edge(m, 1, best % grid_points(m, 1));
    return best;
}

static enum status tune(const struct study_request *q, struct contest_table *t, int *winner, int *code,
                        struct why *why)
{
    struct stage g;
    struct execution x = { 0 };
    enum status s = OK;
    stage_begin(&g, q, t, t->what->as.runs);
    for (int r = 0; r < t->rows; r++)
        for (int m = 0; m < t->methods; m++)
            for (int c = 0; c < choices_of(&t->what->method[m]) && s == OK; c++)
                s = add_choice(&g, &t->row[r], r, m, c, false, why);
    if (s == OK)
        s = stage_run(q, &g, &x, code, why);
    for (int r = 0; r < t->rows && s == OK && !*code; r++)
        for (int m = 0; m < t->methods; m++) {
            const char *measure = contest_measure(t->what, t->row[r].on);
            winner[r * t->methods + m] = winner_of(&g, &x, measure, r, m, &t->row[r].entry[m]);
            t->failed += t->row[r].entry[m].failed;
        }
    free_records(&g.plan, x.record);
    stage_end(&g);
    return s;
}

/* --- the second */

static void collect(struct stage *g, const struct execution *x, const char *measure, const int *cell,
                    struct contest_entry *e)
{
    for (int k = 0; k < g->reps; k++) {
        const struct record *r = x->record[cell[k]];
        double y = NAN;
        if (r && r->outcome == OUTCOME_OK && measure_get(measure, r, &y))
            y = isnan(y) ? INFINITY : y;
        else
            e->failed++;
        e->y[e->runs++] = y;
    }
}

static enum status decide(const struct study_request *q, struct contest_table *t, const int *winner,
                          int *code, struct why *why)
{
    struct stage g;
    struct execution x = { 0 };
    enum status s = OK;
    long fresh = q->run.select->reps > 0 ? q->run.select->reps : t->what->as.fresh;
    stage_begin(&g, q, t, (int)fmin(fresh, CONTEST_RUNS));
    for (int r = 0; r < t->rows; r++)
        for (int m = 0; m < t->methods && s == OK; m++)
            if (winner[r * t->methods + m] >= 0)
                s = add_choice(&g, &t->row[r], r, m, winner[r * t->methods + m], true, why);
    if (s == OK)
        s = stage_run(q, &g, &x, code, why);
    for (int r = 0; r < t->rows && s == OK && !*code; r++)
        for (int m = 0; m < t->methods; m++) {
            const char *measure = contest_measure(t->what, t->row[r].on);
            int before = t->row[r].entry[m].failed;
            if (winner[r * t->methods + m] >= 0)
                collect(&g, &x, measure, cells_of(&g, r, m, winner[r * t->methods + m]),
                        &t->row[r].entry[m]);
            t->failed += t->row[r].entry[m].failed - before;
        }
    free_records(&g.plan, x.record);
    stage_end(&g);
    return s;
}

/* --- both */

static enum status build(const struct study_request *q, const struct contest *what, struct contest_table *t,
                         struct why *why)
{
    const struct selection *s = q->run.select;
    int n = 0;
    *t = (struct contest_table){ .what = what };
    for (const struct contest_instance *i = what->instances; i->name; i++)
        n++;
    while (t->methods < CONTEST_METHODS && what->method[t->methods].label)
        t->choices += choices_of(&what->method[t->methods++]);
    for (int k = 0; k < s->ranges; k++)
        if (s->range[k].values > 1 || strcmp(s->range[k].name, what->axis) == 0)
            return why_set(why, BAD_INPUT, "--%s: this search has values of its own, and takes one of any "
                           "other axis", s->range[k].name);
    t->altered = s->overrides.count || s->ranges;
    t->row = calloc((size_t)(n * what->points) + 1, sizeof *t->row);
    BUG_IF(!t->row || what->points > CONTEST_POINTS);
    for (const struct contest_instance *i = what->instances; i->name; i++)
        for (int k = 0; k < what->points && (!s->problem || !fnmatch(s->problem, i->name, 0)); k++) {
            double part = what->points > 1 ? k / (what->points - 1.0) : 0;
            t->row[t->rows++] = (struct contest_row){
                .on = i, .size = rint(what->from * pow(what->to / what->from, part)) };
        }
    if (t->rows)
        return OK;
    why_set(why, BAD_INPUT, "--problem %s: expected one of", s->problem);
    for (const struct contest_instance *i = what->instances; i->name; i++) {
        size_t used = strlen(why->text);
        snprintf(why->text + used, sizeof why->text - used, " %s", i->name);
    }
    return BAD_INPUT;
}

enum status contest_run(const struct study_request *q, const struct contest *what,
                        struct contest_table *t, int *code, struct why *why)
{
    enum status s = q->run.select->algorithm
        ? why_set(why, BAD_INPUT, "--algorithm %s: this search compares all its methods",
                  q->run.select->algorithm)
        : build(q, what, t, why);
    if (s != OK)
        return s;
    int *winner = calloc((size_t)(t->rows * t->methods) + 1, sizeof *winner);
    BUG_IF(!winner);
    fprintf(stderr, "%d instances and sizes; stage 1: %d choices of %d methods on each, %d seeds; stage 2: "
            "the best of each method on fresh seeds\n", t->rows, t->choices, t->methods,
            what->as.runs);
    s = tune(q, t, winner, code, why);
    if (s == OK && !*code)
        s = decide(q, t, winner, code, why);
    free(winner);
    if (s == OK && !*code)
        contest_compare(t);
    return s;
}

void contest_free(struct contest_table *t)
{
    free(t->row);
    *t = (struct contest_table){ 0 };
}

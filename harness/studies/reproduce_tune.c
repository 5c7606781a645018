/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce_tune.c - the grids of a paper, stage by stage. What a stage runs follows from the
 * records of the stage before alone, so that any of them may be cut off and resumed. */
#include "studies/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tuning *tuning_of(const struct reproduction *r, const char *algo)
{
    for (const struct tuning *t = r->tunings; t && t->algo; t++)
        if (strcmp(t->algo, algo) == 0)
            return t;
    return NULL;
}

static double grid_value(const struct tuning *t, int which, int k)
{
    double last = fmax(t->grid[which].points - 1, 1);
    return t->grid[which].from * pow(t->grid[which].to / t->grid[which].from, k / last);
}

/* Passes that round to no step are left out: the answer would be the start. */
static enum status facts_of(struct trials *t, const struct trial *trial, const struct facts **f,
                            struct why *why)
{
    const void *self;
    BUG_IF(!trial->runs);
    return runner_instance(t->runner, t->plan.cell[trial->cell[0]], &self, f, why);
}

/* --- the first stage: one run of every choice */

static enum status add_grid(struct trials *t, const struct trial *like, const struct tuning *grid,
                            const struct facts *f, struct why *why)
{
    struct trial trial = *like;
    trial.kind = TRIAL_GRID;
    for (const double *passes = grid->passes; *passes > 0; passes++) {
        if (grid->rounds(*passes, f) < 1)
            continue;
        for (int a = 0; a < grid->grid[0].points; a++)
            for (int b = 0; b < grid->grid[1].points; b++) {
                trial.choice = (struct choice){ grid, *passes, { grid_value(grid, 0, a),
                                                                 grid_value(grid, 1, b) } };
                TRY(trials_add(t, &trial, 1, false, false, why));
            }
    }
    return OK;
}

/* Seconds of the runs of all trials, from what a pass of the published run took. */
static double seconds_of(const struct trials *t, int from, const struct trial *published)
{
    static const double CELL = 3e-4;             /* of starting and storing one */
    double pass = published->outcome.seconds / published->choice.passes, all = 0;
    for (int k = from; k < t->count; k++)
        all += CELL + (isfinite(pass) ? pass : 0) * t->at[k].choice.passes;
    return all;
}

/* --- the second: all runs of the best */

/* Ties keep their place in the grid. */
static int by_mean(const void *a, const void *b)
{
    const struct trial *const *s = a, *const *t = b;
    if ((*s)->outcome.mean != (*t)->outcome.mean)
        return (*s)->outcome.mean < (*t)->outcome.mean ? -1 : 1;
    return *s < *t ? -1 : *s > *t;
}

/* Those of one method on one panel, best first; *n <- how many ran. free() it. */
static const struct trial **ranked(const struct trials *t, const struct trial *of, int *n)
{
    const struct trial **list = calloc((size_t)t->count + 1, sizeof *list);
    BUG_IF(!list);
    *n = 0;
    for (const struct trial *k = t->at; k < t->at + t->count; k++)
        if (k->method == of->method && k->panel == of->panel && k->outcome.runs)
            list[(*n)++] = k;
    qsort(list, (size_t)*n, sizeof *list, by_mean);
    return list;
}

static enum status add_kept(struct trials *kept, const struct trials *grid, const struct trial *of,
                            struct why *why)
{
    int n, most;
    const struct trial **list = ranked(grid, of, &n);
    enum status s = OK;
    most = (int)ceil(kept->what->keep * n);
    for (int k = 0; k < most && s == OK; k++)
        s = trials_add(kept, list[k], kept->what->runs, false, false, why);
    free(list);
    return s;
}

/* --- the third: fresh seeds for the winner */

static enum status add_winner(struct trials *best, const struct trials *kept,
                              const struct trial *of, struct why *why)
{
    int n;
    const struct trial **list = ranked(kept, of, &n);
    enum status s = OK;
    if (n) {
        struct trial winner = *list[0];
        winner.kind = TRIAL_TUNED;
        s = trials_add(best, &winner, best->what->runs, false, false, why);
        winner.kind = TRIAL_FRESH;
        if (s == OK)
            s = trials_add(best, &winner, best->what->fresh, true, true, why);
    }
    free(list);
    return s;
}

/* --- all of it */

typedef enum status (*stage_fn)(struct trials *to, const struct trials *from,
                                const struct trial *of, struct why *why);

static enum status each_tuned(const struct trials *published, struct trials *to,
                              const struct trials *from, stage_fn add, struct why *why)
{
    for (const struct trial *k = published->at; k < published->at + published->count; k++)
        if (k->kind == TRIAL_PUBLISHED && k->runs && tuning_of(to->what, k->method->algo))
            TRY(add(to, from, k, why));
    return OK;
}

static enum status plan_grids(struct trials *published, struct trials *grid, struct why *why)
{
    double all = 0;
    for (const struct trial *k = published->at; k < published->at + published->count; k++) {
        const struct tuning *tuning = tuning_of(grid->what, k->method->algo);
        const struct facts *f;
        int from = grid->count;
        if (k->kind != TRIAL_PUBLISHED || !k->runs || !tuning)
            continue;
        TRY(facts_of(published, k, &f, why));
        TRY(add_grid(grid, k, tuning, f, why));
        double more = grid->what->keep * (grid->what->runs - 1);
        double seconds = seconds_of(grid, from, k) * (1 + more);
        fprintf(stderr, "%s, %s: %d choices, about %.0f s on one core\n", k->panel->name,
                k->method->label, grid->count - from, seconds);
        all += seconds;
    }
    fprintf(stderr, "tuning: %d choices; stage 1: a run of each; stage 2: %d runs of the best %g%% "
            "by the first; stage 3: %d fresh seeds for the best mean; about %.0f s on one core, less "
            "what the store holds\n", grid->count, grid->what->runs, 100 * grid->what->keep,
            grid->what->fresh, all);
    return OK;
}

enum status tune_panels(const struct study_request *q, const struct reproduction *r,
                        const struct trials *published, struct trials *best, int *code,
                        struct why *why)
{
    struct trials grid, kept, first = *published;
    trials_begin(&grid, r, q->run.select);
    trials_begin(&kept, r, q->run.select);
    enum status s = plan_grids(&first, &grid, why);
    if (s == OK)
        s = trials_run(q, &grid, code, why);
    if (s == OK && !*code)
        s = each_tuned(published, &kept, &grid, add_kept, why);
    if (s == OK && !*code)
        s = trials_run(q, &kept, code, why);
    if (s == OK && !*code)
        s = each_tuned(published, best, &kept, add_winner, why);
    if (s == OK && !*code)
        s = trials_run(q, best, code, why);
    trials_end(&grid);
    trials_end(&kept);
    return s;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge_run.c - the numbers of one run that a claim is judged by. */
#include "judge/judge_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/measure.h"
#include "run/run.h"

/* Rounding of a closed-form measure, relative to the scale of the problem. */
static const double ROUNDING = 1e-13;
/* An estimated measure is within this many standard errors of the truth. */
static const double ERRORS = 6;

/* What the measure says of its own error, an estimated one counted so many times, and rounding. */
static double error_with(const struct claim *c, const struct cell *cell, const struct record *r, double times)
{
    char name[RECORD_NAME];
    double error = 0, scale = 0;
    if (measure_is_count(c->measure))
        return 0;
    snprintf(name, sizeof name, "error.%s", c->measure);
    record_get(r, name, &error);
    record_get(r, "fact.Phi", &scale);
    for (const struct measure *m = cell->problem->measures; m && m->name; m++)
        if (m->certainty == ESTIMATED && strcmp(m->name, c->measure) == 0)
            error *= times;
    return error + ROUNDING * scale;
}

double judge_error(const struct claim *c, const struct cell *cell, const struct record *r)
{
    return error_with(c, cell, r, ERRORS);
}

double judge_slack(const struct claim *c, const struct cell *cell, const struct record *r)
{
    return error_with(c, cell, r, 0);
}

/* --- formulas of one run */

/* The environment of a record; params is scratch of the algorithm's size. */
struct context {
    struct facts facts;
    struct goal goal;
    struct counts counts;
    struct env env;
};

static void context_of(const struct task *t, const struct cell *cell, const struct record *r,
                       void *params, struct context *x)
{
    run_env(cell, r, &x->facts, &x->goal, params, &x->counts);
    x->env = (struct env){ t->axis, &x->facts, &x->goal, cell_params(cell), params, &x->counts };
}

/* How far a mark is from what is promised; a mark that is no number is the farthest. */
static double misfit(const struct claim *c, double y, double formula)
{
    double off = c->check == CHECK_COUNT ? fabs(y - formula) / fabs(formula) : y / formula;
    return isfinite(y) && !isnan(off) ? off : INFINITY;
}

/* column[COUNT_KINDS] <- where a trace has each count, -1: nowhere. */
static void marked_counts(const struct record_trace *t, long *column)
{
    for (int k = 0; k < COUNT_KINDS; k++) {
        column[k] = -1;
        for (size_t c = 0; c < t->columns; c++)
            if (strcmp(t->column[c], count_name(k)) == 0)
                column[k] = (long)c;
    }
}

/* every_mark: the marked step with the worst misfit. The ruler is a trace's last column. */
static struct evaluated worst_mark(const struct claim *c, const struct record *r, struct context *x,
                                   struct evaluated e)
{
    double worst = -INFINITY;
    long column[COUNT_KINDS];
    marked_counts(&r->trace, column);
    for (size_t k = 0; k < r->trace.rows; k++) {
        const double *row = r->trace.value + k * r->trace.columns;
        for (int i = 0; i < COUNT_KINDS; i++)    /* a mark keeps few; a formula in others is no number */
            x->counts.of[i] = column[i] < 0 ? NAN : row[column[i]];
        double ruler = row[r->trace.columns - 1];
        double formula = c->formula(&x->env), off = misfit(c, ruler, formula);
        if (off > worst) {
            worst = off;
            e = (struct evaluated){ ruler, formula, c->lower ? c->lower(&x->env) : -INFINITY, NAN,
                                    NAN };
        }
    }
    return e;
}

/* Is y > threshold? What is not finite is above an upper threshold, never above a lower one, and no
 * answer where the probability is to be met. */
static double event(const struct claim *c, double y, double threshold)
{
    if (isfinite(y))
        return y > threshold;
    return c->sense == SENSE_AT_MOST ? 1 : c->sense == SENSE_AT_LEAST ? 0 : INFINITY;
}

/* Moment, law: event, place in the distribution, margin. */
static void compare_law(const struct claim *c, const struct env *env, struct evaluated *e)
{
    if (c->threshold) {
        double threshold = c->threshold(env);
        e->y = event(c, e->y, threshold);
        if (isnan(threshold))
            e->formula = NAN;
    }
    if (c->cdf && isfinite(e->y)) {
        e->formula = c->cdf(env, e->y);
        e->below = c->cdf(env, nextafter(e->y, -INFINITY));
    } else if (c->cdf) {
        e->formula = e->below = 1;
    }
    e->margin = c->cdf      ? c->tolerance
                : c->margin ? c->margin(env)
                            : c->tolerance * fabs(e->formula);
}

/* To know what a formula speaks of takes longer than all the rest. */
static bool has_formula(const struct claim *c)
{
    return c->formula || c->lower || c->check == CHECK_MOMENT || c->check == CHECK_LAW;
}

bool judge_run(const struct task *t, const struct cell *cell, const struct record *r,
               struct evaluated *out)
{
    const struct claim *c = t->claim;
    struct evaluated e = { NAN, NAN, -INFINITY, NAN, NAN };
    struct context x;
    if (!measure_get(c->measure, r, &e.y) || (c->every_mark && r->trace.rows == 0))
        return false;
    if (!has_formula(c)) {
        *out = e;
        return true;
    }
    void *params = malloc(cell_params_size(cell) + 1);
    BUG_IF(!params);
    context_of(t, cell, r, params, &x);
    if (c->formula)
        e.formula = c->formula(&x.env);
    if (c->lower)
        e.lower = c->lower(&x.env);
    if (c->every_mark && c->formula)
        e = worst_mark(c, r, &x, e);
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        compare_law(c, &x.env, &e);
    if (c->check == CHECK_RATE && c->formula)
        e.y /= e.formula;
    free(params);
    *out = e;
    return true;
}

struct draws judge_draws(const struct claim *c, const struct cell *cell, const struct record *r,
                         struct arena *a)
{
    enum { ROOM = 64 }; /* strata of an estimator */
    double *weight = arena_vec(a, 3 * ROOM), *mean = weight + ROOM, *variance = mean + ROOM;
    int strata = measure_strata(c->measure, r, ROOM, weight, mean, variance);
    return (struct draws){ strata, (double)cell->run.draws, weight, mean, variance };
}

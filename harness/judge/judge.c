/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - records in, verdicts out: the numbers of each run, the series of each role, the verdict of each claim. */
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/measure.h"
#include "cell/registry.h"
#include "judge/theorems.h"
#include "run/run.h"

/* --- the numbers of one run */

/* Rounding of a closed-form measure, relative to the scale of the problem: some hundred units of 1e-16. */
static const double ROUNDING = 1e-13;
/* An estimated measure is taken to be within this many standard errors of the truth, which fails with probability
 * 2e-9. */
static const double ERRORS = 6;

/* The error that the record states of the measure, and rounding. The standard error of an estimate counts `times`. */
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

/* How far y may be from the truth, rounding included. */
static double error_of(const struct claim *c, const struct cell *cell, const struct record *r)
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

/* How far a mark is from the promise; NaN is the farthest. */
static double misfit(const struct claim *c, double y, double formula)
{
    double off = c->check == CHECK_COUNT ? fabs(y - formula) / fabs(formula) : y / formula;
    return isfinite(y) && !isnan(off) ? off : INFINITY;
}

/* column[COUNT_KINDS] <- the column of each count in a trace; -1: it has none. */
static void marked_counts(const struct record_trace *t, long *column)
{
    for (int k = 0; k < COUNT_KINDS; k++) {
        column[k] = -1;
        for (size_t c = 0; c < t->columns; c++)
            if (strcmp(t->column[c], count_name(k)) == 0)
                column[k] = (long)c;
    }
}

/* every_mark: y and the formula at the mark with the worst misfit. The ruler is the last column of a trace. */
static struct evaluated worst_mark(const struct claim *c, const struct record *r, struct context *x,
                                   struct evaluated e)
{
    double worst = -INFINITY;
    long column[COUNT_KINDS];
    marked_counts(&r->trace, column);
    for (size_t k = 0; k < r->trace.rows; k++) {
        const double *row = r->trace.value + k * r->trace.columns;
        for (int i = 0; i < COUNT_KINDS; i++)    /* NaN: a mark does not keep this count */
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

/* Is y > threshold? A y that is not finite counts against the claim: as an event where the probability is bounded
 * above, as none where it is bounded below, and as an infinite datum where it is to be equal. */
static double event(const struct claim *c, double y, double threshold)
{
    if (isfinite(y))
        return y > threshold;
    return c->sense == SENSE_AT_MOST ? 1 : c->sense == SENSE_AT_LEAST ? 0 : INFINITY;
}

/* Moment, law: replaces y by the event or finds its place in the distribution, and finds the margin. */
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

/* Does judging the run need a formula? Only then the facts and parameters are read, which takes most of the time. */
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

/* The block of draws that y is the mean of, memory from a; no strata: y is a single number. */
static struct draws draws_of(const struct claim *c, const struct cell *cell, const struct record *r, struct arena *a)
{
    enum { ROOM = 64 };              /* strata of an estimator at most */
    double *weight = arena_vec(a, 3 * ROOM), *mean = weight + ROOM, *variance = mean + ROOM;
    int strata = measure_strata(c->measure, r, ROOM, weight, mean, variance);
    return (struct draws){ strata, (double)cell->run.draws, weight, mean, variance };
}

/* --- the series of one role: the numbers of all its runs */

struct columns {
    double *y, *formula, *lower, *error, *rival, *margin, *below;
    int *replicate;
    struct draws *draws;
};

static struct columns columns_new(struct arena *a, long reps)
{
    return (struct columns){
        arena_vec(a, reps), arena_vec(a, reps),        arena_vec(a, reps),
        arena_vec(a, reps), arena_vec(a, reps),        arena_vec(a, reps),
        arena_vec(a, reps), ARENA_ARRAY(a, reps, int), ARENA_ARRAY(a, reps, struct draws)
    };
}

struct source {
    const struct plan *plan;
    struct record *const *record;
    const struct planned_claim *claim;
};

/* The task of a replicate; NULL: there is none. The search starts at *at and leaves *at behind the task, where the
 * task of the next replicate mostly is. */
static const struct task *task_of(const struct source *s, enum role role, int also, int point, long rep, int *at)
{
    int n = s->claim->tasks, k = *at;
    for (int looked = 0; looked < n; looked++, k++) {
        k = k < n ? k : 0;
        const struct task *t = &s->claim->task[k];
        if (t->rep == rep && t->grid < 0 && t->point == point && t->role == role && t->also == also) {
            *at = k + 1;
            return t;
        }
    }
    return NULL;
}

static const struct record *measured(const struct source *s, const struct task *t)
{
    const struct record *r = t ? s->record[t->cell] : NULL;
    return r && r->outcome == OUTCOME_OK ? r : NULL;
}

/* The rival's number of the same replicate; false: it is missing. */
static bool rival_of(const struct source *s, const struct task *t, enum role role, int *at, double *y)
{
    const struct record *r = measured(s, task_of(s, role, 0, t->point, t->rep, at));
    return r && measure_get(t->claim->measure, r, y);
}

static struct series_point point_of(const struct source *s, enum role role, enum role rival, int also,
                                    int point, struct arena *a)
{
    const struct claim *c = s->claim->claim;
    struct columns col = columns_new(a, s->claim->reps);
    struct series_point p = { .replicate = col.replicate, .y = col.y, .error = col.error };
    bool needs_rival = rival != role, moments = measure_functional(c->measure);
    int at = 0, at_rival = 0;

    for (long rep = 0; rep < s->claim->reps; rep++) {
        const struct task *t = task_of(s, role, also, point, rep, &at);
        if (!t)
            continue;
        const struct record *r = measured(s, t);
        double other = NAN;
        p.axis = t->axis;
        struct evaluated e;
        if (!r || !judge_run(t, s->plan->cell[t->cell], r, &e) ||
            (needs_rival && !rival_of(s, t, rival, &at_rival, &other))) {
            p.missing++;
            continue;
        }
        int k = p.reps++;
        col.replicate[k] = (int)rep;
        col.y[k] = e.y;
        col.formula[k] = e.formula;
        col.lower[k] = e.lower;
        col.error[k] = error_of(c, s->plan->cell[t->cell], r) /
                       (c->check == CHECK_RATE && c->formula ? e.formula : 1);
        col.rival[k] = other;
        col.margin[k] = e.margin;
        col.below[k] = e.below;
        if (moments)
            col.draws[k] = draws_of(c, s->plan->cell[t->cell], r, a);
        moments = moments && col.draws[k].strata;
    }
    p.margin = col.margin;
    p.below = col.below;
    p.draws = moments ? col.draws : NULL;
    p.formula = c->formula || c->cdf ? col.formula : NULL;
    p.lower = c->lower && role == ROLE_MAIN ? col.lower : NULL;
    p.rival = needs_rival ? col.rival : NULL;
    return p;
}

/* The same where the value chosen by the search is what is measured, once per group of its runs. */
static struct series_point searched_point(const struct source *s, enum role role, enum role rival,
                                          int also, int point, struct arena *a)
{
    struct columns col = columns_new(a, s->claim->reps);
    struct series_point p = { .replicate = col.replicate, .y = col.y,
                              .rival = rival != role ? col.rival : NULL };
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].point == point)
            p.axis = s->claim->task[k].axis;
    for (long rep = 0; rep < s->claim->reps; rep++) {
        double value = plan_searched(s->claim, s->record, role, also, point, rep);
        double other = rival == role ? 0
                     : plan_searched(s->claim, s->record, rival, also, point, rep);
        if (isnan(value) || isnan(other)) {
            p.missing++;
            continue;
        }
        col.replicate[p.reps] = (int)rep;
        col.rival[p.reps] = other;
        col.y[p.reps++] = value;
    }
    return p;
}

static struct series series_of(const struct source *s, enum role role, enum role rival, int also,
                               struct arena *a)
{
    struct series_point *p = ARENA_ARRAY(a, s->claim->points, struct series_point);
    for (int k = 0; k < s->claim->points; k++)
        p[k] = plan_measures_search(s->claim->claim) ? searched_point(s, role, rival, also, k, a)
                                                     : point_of(s, role, rival, also, k, a);
    const char *m = s->claim->claim->measure;
    return (struct series){ .points = s->claim->points, .point = p, .queries = measure_is_count(m),
                            .nonnegative = measure_nonnegative(m) };
}

/* fit->privacy <- what the records of a role say of privacy, at each point. */
static enum status gather_privacy(const struct source *s, enum role role, struct fit *fit,
                                  struct why *why)
{
    if (s->claim->points > FIT_PRIVATE_MAX)
        return why_set(why, BAD_INPUT, "%d points: check private takes at most %d",
                       s->claim->points, FIT_PRIVATE_MAX);
    for (int k = 0; k < s->claim->points; k++)
        fit->privacy[k] = privacy_none();
    for (int k = 0; k < s->claim->tasks; k++) {
        const struct task *t = &s->claim->task[k];
        const struct record *r = t->role == role ? measured(s, t) : NULL;
        if (r)
            privacy_add(&fit->privacy[t->point], r, (double)s->plan->cell[t->cell]->run.replay);
    }
    return OK;
}

/* --- one claim */

/* How the fit of a role is judged: verdict_alone or verdict_control. */
typedef struct verdict (*verdict_fn)(const struct claim *c, const struct fit *fit);

static void fit_role(const struct source *s, enum role role, enum role rival, verdict_fn judge, struct fit *fit,
                     struct verdict *v)
{
    struct arena *a = arena_new(0);
    struct why why = { "" };
    struct rng r = rng_stream(hash_text(s->claim->claim->id, 0));
    struct series series = series_of(s, role, rival, 0, a);
    enum status fitted = fit_claim(s->claim->claim, &series, &r, a, fit, &why);
    if (fitted == OK && s->claim->claim->check == CHECK_PRIVATE)
        fitted = gather_privacy(s, role, fit, &why);
    if (fitted == OK) {
        *v = judge(s->claim->claim, fit);
    } else {
        memset(v, 0, sizeof *v);
        v->word = INCONCLUSIVE;
        snprintf(v->reason, sizeof v->reason, "%.230s", why.text);
    }
    arena_free(a);
}

/* Adds the points of another algorithm to the figure: the same statistic, without a check. */
static void add_curve(struct judgement *j, const struct source *s, enum role role, int also,
                      const char *name)
{
    struct arena *a = arena_new(0);
    struct claim plain = *s->claim->claim;
    struct fit *fit = ARENA_ARRAY(a, 1, struct fit);
    struct rng r = rng_stream(hash_text(name, 0));
    plain.check = CHECK_FIGURE;
    plain.every_mark = false;
    struct series series = series_of(s, role, role, also, a);
    plain.deterministic = series.points && series.point[0].reps <= 1;
    if (j->curves < CURVES_MAX && fit_claim(&plain, &series, &r, a, fit, NULL) == OK) {
        struct curve *curve = &j->curve[j->curves++];
        curve->name = name;
        for (int k = 0; k < fit->points; k++)
            if (fit->point[k].reps) {
                curve->point[curve->points].axis = fit->point[k].axis;
                curve->point[curve->points++].y = fit->point[k].y;
            }
    }
    arena_free(a);
}

/* Adds the ratio to the rival, whose exponent the claim is about. */
static void add_ratio(struct judgement *j)
{
    struct curve *curve = &j->curve[j->curves++];
    *curve = (struct curve){ .name = "ratio to the rival", .points = j->fit.points };
    for (int k = 0; k < j->fit.points; k++) {
        curve->point[k].axis = j->fit.point[k].axis;
        curve->point[k].y = j->fit.point[k].ratio;
    }
}

static void tally(struct judgement *j, const struct source *s)
{
    for (int k = 0; k < s->claim->tasks; k++) {
        const struct record *r = s->record[s->claim->task[k].cell];
        double aggregated = 0;
        j->cells++;
        if (!r) {
            j->absent++;
            continue;
        }
        j->seconds += r->seconds;
        j->aggregated |= record_get(r, "flag.aggregated", &aggregated) && aggregated > 0;
        if (r->outcome == OUTCOME_OK)
            continue;
        if (r->outcome == OUTCOME_REFUSED)
            j->refused++;
        else
            j->failed++;
        if (!j->first_failure[0])
            snprintf(j->first_failure, sizeof j->first_failure, "%.180s: %s: %.90s", r->cell,
                     record_outcome_name(r->outcome), r->message);
    }
}

static const char *refusal(const struct source *s)
{
    for (int k = 0; k < s->claim->tasks; k++) {
        const struct record *r = s->record[s->claim->task[k].cell];
        if (r && r->outcome == OUTCOME_REFUSED)
            return r->message;
    }
    return "";
}

static bool has_role(const struct source *s, enum role role)
{
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].role == role)
            return true;
    return false;
}

/* Judges the controls. Returns one that was missed, or if none was, one of them; NULL: the claim has none. */
static const struct verdict *judge_controls(const struct source *s, bool rival, struct judgement *j)
{
    struct fit unused = { 0 };
    j->has_control = has_role(s, ROLE_CONTROL);
    j->has_control2 = has_role(s, ROLE_CONTROL2);
    if (j->has_control)
        fit_role(s, ROLE_CONTROL, rival ? ROLE_CONTROL_RIVAL : ROLE_CONTROL, verdict_control, &j->control_fit,
                 &j->control);
    if (j->has_control2)
        fit_role(s, ROLE_CONTROL2, rival ? ROLE_CONTROL2_RIVAL : ROLE_CONTROL2, verdict_control, &unused,
                 &j->control2);
    bool first = j->has_control && verdict_caught(&j->control),
         second = !j->has_control2 || verdict_caught(&j->control2);
    j->caught = first && second;
    return !j->has_control ? NULL : first && j->has_control2 ? &j->control2 : &j->control;
}

/* Were measured runs planned? Not after a search that was cut off, or whose runs failed. */
static bool searched(const struct source *s)
{
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].grid < 0)
            return true;
    return plan_measures_search(s->claim->claim);
}

/* Adds to the reason of a contradiction whose law the measured exponent agrees with. */
static void name_rival(struct judgement *j)
{
    const struct estimate e = j->fit.rate.part[LAW_EXPONENT];
    double lo = fmin(e.lo, e.value - VERDICT_CLEAR), hi = fmax(e.hi, e.value + VERDICT_CLEAR);
    const struct fit *fit = &j->fit;
    const struct window w = { fit->point[0].axis, fit->point[fit->points - 1].axis, fit->points, fit->reps };
    const struct row_law *rival = j->fit.rate.trouble ? NULL
                                : row_rival_within(j->paper, j->claim, &w, lo, hi);
    size_t n = strlen(j->alone.reason);
    if (rival)
        snprintf(j->alone.reason + n, sizeof j->alone.reason - n, "; it agrees with %.60s%s%.60s", rival->text,
                 rival->whose ? ", " : "", rival->whose ? rival->whose : "");
}

static struct judgement judge_claim(const struct source *s)
{
    const struct claim *c = s->claim->claim;
    bool rival = claim_has_rival(c);
    struct judgement j = { .claim = c, .paper = s->claim->paper,
                           .exploratory = s->claim->exploratory,
                           .no_data = *s->claim->missing && !s->claim->dropped,
                           .dropped = s->claim->dropped };
    if (!s->claim->tasks) {
        j.verdict.word = j.alone.word = NOT_RUN;
        snprintf(j.verdict.reason, sizeof j.verdict.reason, "%s",
                 j.no_data || j.dropped ? s->claim->missing : "the profile leaves this claim out");
        return j;
    }
    tally(&j, s);
    if (j.absent == j.cells) {
        j.verdict.word = j.alone.word = NOT_RUN;
        snprintf(j.verdict.reason, sizeof j.verdict.reason, "no run of this build is in the store");
        snprintf(j.verdict.next, sizeof j.verdict.next, "assay verify --claim '%s'", c->id);
        return j;
    }
    fit_role(s, ROLE_MAIN, rival ? ROLE_RIVAL : ROLE_MAIN, verdict_alone, &j.fit, &j.alone);
    if (j.alone.word == CONTRADICTED && c->check == CHECK_RATE)
        name_rival(&j);
    const struct verdict *weakest = judge_controls(s, rival, &j);
    if (j.absent && j.alone.word == INCONCLUSIVE)
        snprintf(j.alone.reason, sizeof j.alone.reason, "%d of %d runs are not in the store", j.absent,
                 j.cells);
    if (!j.absent && !searched(s))
        snprintf(j.alone.reason, sizeof j.alone.reason, "its search is not complete: nothing was "
                 "measured");
    if (j.refused && j.alone.word == INCONCLUSIVE)
        snprintf(j.alone.reason, sizeof j.alone.reason, "%d of %d cells were refused: %.150s",
                 j.refused, j.cells, refusal(s));
    j.verdict = verdict_with_control(&j.alone, weakest);
    if (rival)
        add_curve(&j, s, ROLE_RIVAL, 0, c->than.algo ? c->than.algo : c->algo);
    if (rival && c->check == CHECK_RATE)
        add_ratio(&j);
    for (int k = 0; k < 6 && c->also[k]; k++)
        add_curve(&j, s, ROLE_ALSO, k, c->also[k]);
    return j;
}

struct judgement *judge_none(const struct plan *p)
{
    struct judgement *list = calloc((size_t)(p->claims + p->lines) + 1, sizeof *list);
    BUG_IF(!list);
    return list;
}

const struct judgement *judge_one(const struct plan *p, struct record *const *record, int k,
                                  struct judgement *list)
{
    const struct planned_claim *c = &p->claim[k];
    struct judgement *j = &list[k];
    if (!j->claim || j->of.tasks != c->tasks || j->of.reps != c->reps) {
        *j = judge_claim(&(struct source){ p, record, c });
        j->of = (struct extent){ c->tasks, c->reps };
    }
    return j;
}

void judge_plan(const struct plan *p, struct record *const *record, struct judgement *list)
{
    for (int k = 0; k < p->claims + p->lines; k++)
        judge_one(p, record, k, list);
}

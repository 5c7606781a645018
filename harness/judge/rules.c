/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.c - the rules that make a claim one that could have failed. Their numbers are those of docs/verdicts.md. */
#include "judge/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "judge/theorems.h"
#include "plan/mechanism.h"

/* Rule 1: a method must leave at most IDLE_PART of an idle method's y; IDLE_ALPHA is the level of the limit on this
 * part. */
static const double IDLE_PART = 0.9, IDLE_ALPHA = 0.01;
/* Rule 1: the y of an idle method depends on the axis if its slope is larger than this. */
static const double IDLE_SLOPE = 0.1;
/* Rule 2: a mechanism that costs must make up at least the part CARRIED of y. MECHANISM_ALPHA: the level of the
 * limits of rules 2 and 3. */
static const double CARRIED = 0.5, MECHANISM_ALPHA = 0.05;
/* Rule 5: the largest slack of a bound, as a factor. */
static const double NEAR = 4;

static const struct verdict PASSED = { .word = SUPPORTED };

/* --- which claims the rules are about */

static bool is_count_mode(const struct claim *c)
{
    for (int k = 0; k < SETTINGS_MAX && c->with[k].name; k++)
        if (strcmp(c->with[k].name, "run.count") == 0 && c->with[k].value > 0)
            return true;
    return false;
}

static bool is_of_privacy(const char *measure)
{
    return strncmp(measure, "privacy.", 8) == 0 || strncmp(measure, "replay.", 7) == 0;
}

/* Is the claim about a number of the method itself, where no target has to be reached, or about runs of count
 * mode? */
static bool is_identity(const struct claim *c)
{
    if (c->check == CHECK_PRIVATE || c->check == CHECK_FIGURE || is_of_privacy(c->measure) ||
        strcmp(c->measure, "search") == 0)
        return false;
    return is_count_mode(c) || (!measure_of_answer(c->measure) && !c->reaches.measure);
}

/* Does the claim give an upper bound on a property of the answer? */
static bool bounds_answer(const struct claim *c)
{
    return c->check == CHECK_BOUND || ((c->check == CHECK_MOMENT || c->check == CHECK_LAW) &&
                                       c->sense == SENSE_AT_MOST && !c->cdf);
}

/* --- rule 1: a method that never moves (an idle one) must not pass */

static double mean_of(const struct series_point *p, const double *x)
{
    return stats_mean(p->reps, x);
}

/* Returns the slope of the logarithm of an idle method's mean over the logarithm of the axis; NaN where a mean is
 * not positive. */
static double idle_slope(const struct series *idle)
{
    double x[FIT_POINTS_MAX], k[FIT_POINTS_MAX], slope = 0;
    if (idle->points < 2 || idle->points > FIT_POINTS_MAX)
        return NAN;
    for (int i = 0; i < idle->points; i++)
        x[i] = log(idle->point[i].axis);
    stats_slope_weights(idle->points, x, k);
    for (int i = 0; i < idle->points; i++)
        slope += k[i] * log(mean_of(&idle->point[i], idle->point[i].y));
    return isfinite(slope) ? slope : NAN;
}

/* Returns the quantile that the claim is about; 0.5 for a median. */
static double quantile_of(const struct claim *c)
{
    return c->statistic == STAT_MEDIAN ? 0.5 : c->quantile;
}

/* Returns the upper limit, at one point, of the claim's statistic of y over that of an idle method. own: the idle
 * method has its own hardest instance, and its mean is used; otherwise the runs of the two methods are paired. */
static double left_of_start(const struct claim *c, const struct series_point *y,
                            const struct series_point *idle, bool own, struct arena *a)
{
    long n = own ? y->reps : y->reps < idle->reps ? y->reps : idle->reps;
    double *ratio = arena_vec(a, n + 1), *z = arena_vec(a, n + 1), *work = arena_vec(a, 2 * n + 2);
    double mean = mean_of(idle, idle->y);
    bool positive = true;
    for (long r = 0; r < n; r++) {
        z[r] = own ? mean : idle->y[r];
        ratio[r] = y->y[r] / z[r];
        positive = positive && y->y[r] > 0 && z[r] > 0 && isfinite(y->y[r]) && isfinite(z[r]);
    }
    if (c->deterministic || n < 2)
        return n ? stats_mean(n, y->y) / stats_mean(n, z) : INFINITY;
    if (c->statistic == STAT_WORST)
        return stats_worst(n, y->y) / stats_worst(n, z);
    if (c->statistic != STAT_MEAN)
        return stats_quantile_limit(n, ratio, quantile_of(c), IDLE_ALPHA, +1, work);
    if (positive)
        return exp(stats_log_ratio_limit(n, y->y, z, IDLE_ALPHA, 0, NULL, work));
    return mean > 0 ? stats_skewed_limit(n, y->y, IDLE_ALPHA, +1) / mean : INFINITY;
}

static const char *const place_words[] = { "staying at the start", "staying at the centre" };

/* Would the check pass an idle method? For a rate the fitted exponent decides, since an idle method has little
 * noise. */
static bool idle_passes(const struct claim *c, const struct series *idle, struct arena *a,
                        struct fit *fit)
{
    struct why why;
    struct rng r = rng_stream(0);
    if (fit_claim(c, idle, &r, a, fit, &why) != OK || fit->flaw)
        return false;
    if (c->check != CHECK_RATE)
        return verdict_alone(c, fit).word == SUPPORTED;
    double e = fit->rate.part[LAW_EXPONENT].value;
    bool promises_nothing = c->band[0] <= 0 && c->band[1] >= 0 && !claim_has_rival(c);
    return !promises_nothing && !fit->rate.trouble && e >= c->band[0] && e <= c->band[1];
}

/* Returns the name of a parameter of the problem that the claim changes along with its axis; NULL: there is none,
 * or the claim searches for its instance. */
static const char *followed_setting(const struct claim *c)
{
    for (int k = 0; !c->search.kind && k < SETTINGS_MAX && c->with[k].name; k++) {
        const struct setting *s = &c->with[k];
        const char *name = strncmp(s->name, "problem.", 8) == 0 ? s->name + 8 : NULL;
        if (name && !s->text && (s->of || s->power != 0) &&
            !(c->axis && strcmp(name, c->axis) == 0))
            return s->name;
    }
    return NULL;
}

/* Checks a claim about an error of the answer: an idle method must not pass the check, and for a rate, a bound or
 * an order its y must exceed that of the method at every point. For a rate, moreover, its y must not follow a
 * parameter of the problem that the claim changes with the axis, and its hardest instance must be the same at every
 * point. */
static struct verdict idle_error(const struct source *s, enum idle where, struct arena *a)
{
    const struct claim *c = s->claim->claim;
    double *hardest = arena_vec(a, s->claim->points);
    struct series idle = source_idle(s, where, hardest, a);
    struct series own = source_series(s, ROLE_MAIN, ROLE_MAIN, 0, a);
    struct fit *fit = ARENA_ARRAY(a, 1, struct fit);
    double slope = idle_slope(&idle);
    const char *place = place_words[where], *follows = followed_setting(c);
    bool rate = c->check == CHECK_RATE;
    for (int k = 0; k < idle.points; k++)
        if (!idle.point[k].reps)
            return PASSED; /* the centre of the feasible set is the start, or a record has no such number */
    if (idle_passes(c, &idle, a, fit))
        return rate ? verdict_say(INCONCLUSIVE, "rule 1, hollow: %s %s as %s^%.3g too", place,
                                  slope < 0 ? "falls" : "grows", c->axis,
                                  fit->rate.part[LAW_EXPONENT].value)
                    : verdict_say(INCONCLUSIVE, "rule 1, hollow: %s passes the check too", place);
    if (rate && follows && fabs(slope) > IDLE_SLOPE)
        return verdict_say(
            INCONCLUSIVE,
            "rule 1, hollow: %s follows %s without a search, and %s moves as %s^%.3g with it",
            follows, c->axis, place, c->axis, slope);
    for (int k = 1; rate && k < idle.points; k++)
        if (fabs(log(hardest[k] / hardest[0])) >
            0.01 * fabs(log(own.point[k].axis / own.point[0].axis)))
            return verdict_say(
                INCONCLUSIVE,
                "rule 1, hollow: the hardest %s for %s is %.3g at %s = %g and %.3g at %g: expected "
                "a grid that reaches one value for all",
                c->search.name, place, hardest[0], c->axis, own.point[0].axis, hardest[k],
                own.point[k].axis);
    if (c->check != CHECK_RATE && c->check != CHECK_BOUND && c->check != CHECK_ORDER)
        return PASSED;
    for (int k = 0; k < idle.points && k < own.points; k++) {
        double part = left_of_start(c, &own.point[k], &idle.point[k], !isnan(hardest[k]), a);
        if (!(part <= IDLE_PART))
            return verdict_say(INCONCLUSIVE,
                               "rule 1, hollow: at %s = %g the method leaves up to %.3g of what %s "
                               "has, expected at "
                               "most %.3g",
                               c->axis ? c->axis : "point", own.point[k].axis, part, place,
                               IDLE_PART);
    }
    return PASSED;
}

/* Checks a claim about the cost at which a target is reached: an idle method must not be within the target. */
static struct verdict idle_hit(const struct source *s, enum idle where)
{
    const struct claim *c = s->claim->claim;
    for (const struct task *t = s->claim->task, *end = t + s->claim->tasks; t < end; t++) {
        const struct record *r = t->role == ROLE_MAIN && t->grid < 0 ? source_measured(s, t) : NULL;
        double y;
        if (r &&
            measure_idle(c->measure, s->plan->cell[t->cell]->problem->measures, where, r, &y) &&
            y == 0)
            return verdict_say(INCONCLUSIVE,
                               "rule 1, hollow: at %s = %g %s is within the target at no cost",
                               c->axis, t->axis, place_words[where]);
    }
    return PASSED;
}

/* Returns the part of the runs of a role at a point that have reached what the claim names; idle: the part of these
 * runs in which an idle method would have reached it. NaN: there is no run. */
static double part_reached(const struct source *s, enum role role, bool idle, enum idle where,
                           int point)
{
    const struct reach *reach = &s->claim->claim->reaches;
    double n = 0, reached = 0;
    for (const struct task *t = s->claim->task, *end = t + s->claim->tasks; t < end; t++) {
        if (t->role != role || t->grid >= 0 || t->point != point)
            continue;
        const struct cell *cell = s->plan->cell[t->cell];
        const struct record *r = source_measured(s, t);
        double y = NAN;
        if (!r)
            continue;
        bool known = idle ? measure_idle(reach->measure, cell->problem->measures, where, r, &y)
                          : measure_get(reach->measure, r, &y);
        n++;
        reached += known && y <= series_target(t, cell, r);
    }
    return n > 0 ? reached / n : NAN;
}

/* Checks a cost that is not counted up to a target: the runs must have reached what the claim names, and an idle
 * method must not have reached it. */
static struct verdict reached_cost(const struct source *s)
{
    const struct claim *c = s->claim->claim;
    for (int k = 0; k < s->claim->points; k++) {
        double part = part_reached(s, ROLE_MAIN, false, IDLE_START, k);
        if (!(part >= c->reaches.probability))
            return verdict_say(
                INCONCLUSIVE, "rule 1: at %s = %g %.3g of the runs reach their %s, expected %.3g",
                c->axis, source_axis(s, k), part, c->reaches.measure, c->reaches.probability);
        for (enum idle where = 0; where < IDLE_PLACES; where++)
            if (part_reached(s, ROLE_MAIN, true, where, k) >= c->reaches.probability)
                return verdict_say(INCONCLUSIVE,
                                   "rule 1, hollow: at %s = %g %s has reached the %s at no cost",
                                   c->axis, source_axis(s, k), place_words[where], c->reaches.measure);
    }
    return PASSED;
}

/* Checks a lower bound: the optimum, where y is 0, must violate the bound at one point at least. */
static struct verdict optimum_passes(const struct source *s, const struct fit *fit)
{
    const struct claim *c = s->claim->claim;
    for (int k = 0; k < fit->points; k++)
        if (fit->point[k].zone.formula > fit->point[k].zone.margin)
            return PASSED;
    return verdict_say(INCONCLUSIVE,
                       "rule 1, hollow: the optimum, where %s is 0, passes the check too",
                       c->measure);
}

static struct verdict rule_idle(const struct source *s, const struct fit *fit)
{
    const struct claim *c = s->claim->claim;
    bool zone = c->check == CHECK_MOMENT || c->check == CHECK_LAW;
    struct verdict v = PASSED;
    if (c->reaches.measure)
        v = reached_cost(s);
    if (!measure_of_answer(c->measure) || v.word != SUPPORTED)
        return v;
    if (zone && c->sense == SENSE_AT_LEAST)
        return measure_nonnegative(c->measure) ? optimum_passes(s, fit) : PASSED;
    struct arena *a = arena_new(0);
    for (enum idle where = 0; where < IDLE_PLACES && v.word == SUPPORTED; where++)
        v = measure_of_marks(c->measure) ? idle_hit(s, where) : idle_error(s, where, a);
    arena_free(a);
    return v;
}

/* --- rule 2: the result must depend on the mechanism that the claim is about */

/* Returns the claim's statistic of y at a point, where a y that is not finite counts as infinite. */
static double statistic_of(const struct claim *c, const struct series_point *p, struct arena *a)
{
    double *y = arena_vec(a, p->reps + 1), *work = arena_vec(a, p->reps + 1);
    for (int r = 0; r < p->reps; r++)
        y[r] = isfinite(p->y[r]) ? p->y[r] : INFINITY;
    return c->statistic == STAT_MEAN    ? stats_mean(p->reps, y)
           : c->statistic == STAT_WORST ? stats_worst(p->reps, y)
                                        : stats_quantile(p->reps, y, quantile_of(c), work);
}

/* Is the run without the mechanism better than an idle method at half of the points or more? Only then it is a
 * method, whose failure says something about the mechanism. Returns PASSED, or INCONCLUSIVE with the reason. */
static struct verdict still_a_method(const struct source *s, enum role without, const char *name)
{
    const struct claim *c = s->claim->claim;
    struct arena *a = arena_new(0);
    double *hardest = arena_vec(a, s->claim->points);
    struct series off = source_series(s, without, without, 0, a),
                  idle = source_idle(s, IDLE_START, hardest, a);
    int better = 0, points = 0;
    for (int k = 0; k < off.points && k < idle.points; k++) {
        if (!off.point[k].reps)
            continue;
        points++;
        better += c->reaches.measure
                      ? part_reached(s, without, false, IDLE_START, k) >= c->reaches.probability
                  : measure_of_marks(c->measure)
                      ? isfinite(statistic_of(c, &off.point[k], a))
                      : statistic_of(c, &off.point[k], a) < statistic_of(c, &idle.point[k], a);
    }
    arena_free(a);
    if (2 * better >= points)
        return PASSED;
    return verdict_say(INCONCLUSIVE,
                       "rule 2: without its mechanism, %s, the method is better than staying at "
                       "the start at %d of %d "
                       "points, expected half",
                       name, better, points);
}

struct verdict rules_carried(const struct source *s, enum role without)
{
    const struct claim *c = s->claim->claim;
    struct arena *a = arena_new(0);
    struct series y = source_series(s, ROLE_MAIN, without, 0, a);
    struct verdict v = { .word = NOT_RUN };
    double least = INFINITY;
    const struct series_point *missing = NULL;   /* a point at which a run of a pair is missing */
    for (int k = 0; k < y.points; k++) {
        const struct series_point *p = &y.point[k];
        missing = p->missing ? p : missing;
        if (!p->reps)
            continue;
        double *x = arena_vec(a, p->reps + 1), *with = arena_vec(a, p->reps + 1);
        for (int r = 0; r < p->reps; r++) {
            with[r] = p->y[r] * (c->check == CHECK_RATE && p->formula ? p->formula[r] : 1);
            x[r] = (1 - CARRIED) * with[r] - p->rival[r];
        }
        double lo = c->deterministic ? stats_mean(p->reps, x)
                                     : stats_student_limit(p->reps, x, MECHANISM_ALPHA, -1);
        double part = 1 - stats_mean(p->reps, p->rival) / stats_mean(p->reps, with);
        least = fmin(least, part);
        v.word = CONTRADICTED;
        if (!(lo >= 0)) {
            v = verdict_say(INCONCLUSIVE,
                            "at %s = %g the mechanism carries %.3g of %s, expected %.3g at least",
                            c->axis, p->axis, part, c->measure, CARRIED);
            break;
        }
    }
    if (v.word == CONTRADICTED && missing)
        v = verdict_say(INCONCLUSIVE, "at %s = %g runs with or without the mechanism are missing", c->axis,
                        missing->axis);
    else if (v.word == CONTRADICTED)
        v = verdict_say(CONTRADICTED, "the mechanism carries %.3g of %s at least", least,
                        c->measure);
    arena_free(a);
    return v;
}

static struct verdict rule_mechanism(const struct source *s)
{
    const struct claim *c = s->claim->claim;
    const struct method_mechanism *m = claim_mechanism(c);
    int which = claim_control_without(c);
    enum role without = which == 2 ? ROLE_CONTROL2 : ROLE_CONTROL;
    if (!m && (c->tests || !claim_row(c->id)))
        return PASSED; /* the claim names "none", with a reason; or it decides no row of a theorem */
    if (!m)
        return verdict_say(INCONCLUSIVE, "rule 2: it names no mechanism of %s that it is about",
                           c->algo);
    if (!which)
        return verdict_say(INCONCLUSIVE, "rule 2: no control is the run without its mechanism, %s",
                           m->name);
    if (m->effect == MECHANISM_HELPS)
        return still_a_method(s, without, m->name);
    struct verdict v = rules_carried(s, without);
    return v.word == INCONCLUSIVE
               ? verdict_say(INCONCLUSIVE, "rule 2, %s: %.180s", m->name, v.reason)
               : PASSED;
}

/* --- rule 3: the mechanism must act in the runs */

static struct verdict rule_acts(const struct source *s)
{
    const struct claim *c = s->claim->claim;
    const struct method_mechanism *m = claim_mechanism(c);
    char note[RECORD_NAME];
    double least = c->acts.least ? c->acts.least : ACTS_LEAST;
    snprintf(note, sizeof note, "note.%.40s", m && m->note ? m->note : "");
    const char *measure = c->acts.note ? c->acts.note : m && m->note ? note : NULL;
    if (!measure || least < 0)
        return PASSED;
    struct arena *a = arena_new(0);
    struct verdict v = PASSED;
    for (int k = 0; k < s->claim->points && v.word == SUPPORTED; k++) {
        double *x = arena_vec(a, s->claim->reps + 1), axis = NAN;
        long n = 0;
        for (const struct task *t = s->claim->task, *end = t + s->claim->tasks; t < end; t++) {
            const struct record *r = t->role == ROLE_MAIN && t->grid < 0 && t->point == k
                                         ? source_measured(s, t)
                                         : NULL;
            if (r && n < s->claim->reps) {
                x[n] = 0; /* the run did not record the note: the mechanism never acted */
                measure_get(measure, r, &x[n++]);
                axis = t->axis;
            }
        }
        double lo = n > 1 && !c->deterministic ? stats_student_limit(n, x, MECHANISM_ALPHA, -1)
                                               : stats_mean(n, x);
        if (n && !(lo >= least))
            v = verdict_say(
                INCONCLUSIVE,
                "rule 3: at %s = %g its mechanism acts in %.3g of the iterations (at least %.3g), "
                "expected %.3g",
                c->axis, axis, stats_mean(n, x), fmax(lo, 0), least);
    }
    arena_free(a);
    return v;
}

/* --- rule 5: a bound must be near what is measured */

/* Returns the bound over the lower limit of y, at the point where this ratio is smallest; below 1 where a limit
 * exceeds the bound. */
static double slack(const struct claim *c, const struct fit *fit)
{
    double least = INFINITY;
    for (int k = 0; k < fit->points; k++) {
        const struct fit_point *p = &fit->point[k];
        double y = p->zone.formula + p->zone.off.lo;
        double s = c->check == CHECK_BOUND ? 1 / p->ratio.lo : p->zone.formula / y;
        bool none = c->check == CHECK_BOUND ? !(p->ratio.lo > 0) : !(y > 0);
        if (!none)
            least = fmin(least, s);
    }
    return least;
}

bool rules_near(const struct claim *c, const struct fit *fit)
{
    return slack(c, fit) <= NEAR;
}

static struct verdict rule_near(const struct claim *c, const struct fit *fit, bool missed)
{
    double s = slack(c, fit);
    if (s <= NEAR && !missed)
        return PASSED;
    if (s <= NEAR)
        return verdict_say(HOLDS, "rule 5: it holds, slack %.3g, but no control exceeds the bound",
                           s);
    return isinf(s) ? verdict_say(HOLDS,
                                  "rule 5: it holds, and what is measured is not told from 0: no "
                                  "slack is near %.3g",
                                  NEAR)
                    : verdict_say(HOLDS,
                                  "rule 5: it holds, slack %.3g: expected a bound within %.3g "
                                  "times what is measured",
                                  s, NEAR);
}

/* --- all rules applied to a verdict */

struct verdict rules_apply(const struct source *s, const struct fit *fit, const struct verdict *v,
                           bool missed)
{
    const struct claim *c = s->claim->claim;
    bool supported = v->word == SUPPORTED || (missed && bounds_answer(c));
    struct verdict next = PASSED;
    if (c->check == CHECK_PRIVATE || c->check == CHECK_FIGURE)
        return *v;
    if (v->word == CONTRADICTED)
        next = rule_acts(s);
    if (!supported)
        return next.word == SUPPORTED ? *v : next;
    if (is_identity(c))
        return missed ? *v
                      : verdict_say(IDENTITY,
                                    "rule 6: %.200s; it is a number of the method itself, and "
                                    "nothing was to be reached",
                                    v->reason);
    next = rule_idle(s, fit);
    if (next.word == SUPPORTED)
        next = rule_mechanism(s);
    if (next.word == SUPPORTED)
        next = rule_acts(s);
    if (next.word == SUPPORTED && bounds_answer(c))
        next = rule_near(c, fit, missed);
    return next.word == SUPPORTED ? *v : next;
}

enum status rules_check(const struct paper *p, struct why *why)
{
    const struct claim *c;
    struct why what = { "" };
    for (struct claim_walk all = claims_of(p); (c = next_claim(&all)); ) {
        const struct theorem_row *r = mechanism_check(c, &what) == OK ? NULL : claim_row(c->id);
        if (*what.text)
            return why_set(why, BAD_INPUT, "claim %s%s%s: %s", c->id, r ? ", row " : "",
                           r ? row_name(r).at : "", what.text);
    }
    return OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - records in, verdicts out: the fit and the verdict of each role of a claim, and what they come to. */
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/rules.h"
#include "plan/measure.h"
#include "plan/mechanism.h"
#include "cell/registry.h"
#include "judge/theorems.h"
#include "run/run_private.h"

/* Returns a copy of the record r[0] with the bounds that all parts of the audit show together. r[n]: the records of
 * the runs at one point. NULL: no run holds a part of an audit. */
static struct record *audited(const struct record *const *r, int n, double delta)
{
    struct audit_runs runs;
    if (!audit_take_traces(r, n, &runs))
        return NULL;
    struct audit a = audit_judge(&runs, delta);
    struct record *whole = record_copy(r[0]);
    BUG_IF(!whole);
    private_put_audit(whole, runs.n, &a);
    audit_free(&runs);
    return whole;
}

static struct privacy_seen privacy_at(const struct source *s, enum role role, int point)
{
    struct privacy_seen p = privacy_none();
    const struct record **r = calloc((size_t)s->claim->reps, sizeof *r);
    double delta = NAN;
    int n = 0;
    BUG_IF(!r);
    for (int k = 0; k < s->claim->tasks; k++) {
        const struct task *t = &s->claim->task[k];
        if (t->role == role && t->point == point && n < s->claim->reps && (r[n] = source_measured(s, t)))
            privacy_add(&p, r[n++], (double)s->plan->cell[t->cell]->run.replay);
    }
    struct record *whole = n && record_get(r[0], "privacy.delta", &delta) ? audited(r, n, delta) : NULL;
    if (whole)
        privacy_add_audit(&p, whole);
    record_free(whole);
    free(r);
    return p;
}

/* fit->privacy <- what the records of a role say of privacy, at each point. */
static enum status gather_privacy(const struct source *s, enum role role, struct fit *fit, struct why *why)
{
    if (s->claim->points > FIT_PRIVATE_MAX)
        return why_set(why, BAD_INPUT, "%d points: check private takes at most %d", s->claim->points,
                       FIT_PRIVATE_MAX);
    for (int k = 0; k < s->claim->points; k++)
        fit->privacy[k] = privacy_at(s, role, k);
    return OK;
}

/* --- the judgement of one claim */

/* Returns the first point of a series at which no run is planned, as after a search that is not complete there; -1:
 * there is none. */
static int unplanned(const struct series *s)
{
    for (int k = 0; k < s->points; k++)
        if (!(s->point[k].reps + s->point[k].missing))
            return k;
    return -1;
}

/* How the fit of a role is judged: by verdict_alone or by verdict_control. */
typedef struct verdict (*verdict_fn)(const struct claim *c, const struct fit *fit);

/* Fits and judges the runs of a role. Where they cannot be fitted, fit->flaw is FLAW_HOLE: they decide nothing. */
static void fit_role(const struct source *s, enum role role, enum role rival, verdict_fn judge, struct fit *fit,
                     struct verdict *v)
{
    struct arena *a = arena_new(0);
    struct why why = { "" };
    struct rng r = rng_stream(hash_text(s->claim->claim->id, 0));
    struct series series = source_series(s, role, rival, 0, a);
    enum status fitted = fit_claim(s->claim->claim, &series, &r, a, fit, &why);
    if (fitted == OK && s->claim->claim->check == CHECK_PRIVATE)
        fitted = gather_privacy(s, role, fit, &why);
    if (fitted == OK) {
        *v = judge(s->claim->claim, fit);
    } else {
        int point = unplanned(&series);
        fit->flaw = FLAW_HOLE;
        *v = point < 0 ? verdict_say(INCONCLUSIVE, "%.230s", why.text)
                       : verdict_say(INCONCLUSIVE,
                                     "its search is not complete at %s = %g: nothing was measured there",
                                     s->claim->claim->axis, source_axis(s, point));
    }
    arena_free(a);
}

/* Adds the points of another algorithm to the figure, with the claim's statistic and without a check. */
static void add_curve(struct judgement *j, const struct source *s, enum role role, int also,
                      const char *name)
{
    struct arena *a = arena_new(0);
    struct claim plain = *s->claim->claim;
    struct fit *fit = ARENA_ARRAY(a, 1, struct fit);
    struct rng r = rng_stream(hash_text(name, 0));
    plain.check = CHECK_FIGURE;
    plain.every_mark = false;
    struct series series = source_series(s, role, role, also, a);
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

/* Adds the curve of the ratio to the rival; the claim is about the exponent of this ratio. */
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

/* Judges the controls. Returns a control that was missed or, if none was missed, one of the controls; NULL: the
 * claim has none. *flawed <- the runs of a control do not decide, as some are missing or have no usable formula. */
static const struct verdict *judge_controls(const struct source *s, bool rival, struct judgement *j, bool *flawed)
{
    struct fit second_fit = { 0 };
    const struct method_mechanism *m = claim_mechanism(s->claim->claim);
    bool costs = m && m->effect == MECHANISM_COSTS;
    int without = claim_control_without(s->claim->claim);
    j->has_control = has_role(s, ROLE_CONTROL);
    j->has_control2 = has_role(s, ROLE_CONTROL2);
    if (j->has_control)
        fit_role(s, ROLE_CONTROL, rival ? ROLE_CONTROL_RIVAL : ROLE_CONTROL, verdict_control, &j->control_fit,
                 &j->control);
    if (j->has_control2)
        fit_role(s, ROLE_CONTROL2, rival ? ROLE_CONTROL2_RIVAL : ROLE_CONTROL2, verdict_control, &second_fit,
                 &j->control2);
    if (costs && without == 1 && j->has_control)
        j->control = rules_carried(s, ROLE_CONTROL);
    if (costs && without == 2 && j->has_control2)
        j->control2 = rules_carried(s, ROLE_CONTROL2);
    bool first = j->has_control && verdict_caught(&j->control),
         second = !j->has_control2 || verdict_caught(&j->control2);
    j->caught = first && second;
    *flawed = j->control_fit.flaw || second_fit.flaw;
    return !j->has_control ? NULL : first && j->has_control2 ? &j->control2 : &j->control;
}

/* Were measured runs planned? They were not after a search that was cut off, or whose runs failed. */
static bool searched(const struct source *s)
{
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].grid < 0)
            return true;
    return plan_measures_search(s->claim->claim);
}

/* Adds to the reason of a contradiction the rival whose law the measured exponent agrees with. */
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
    bool flawed;
    const struct verdict *weakest = judge_controls(s, rival, &j, &flawed);
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
    j.verdict = rules_apply(s, &j.fit, &j.verdict, j.alone.word == SUPPORTED && !j.caught && !flawed);
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

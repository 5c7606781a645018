/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - the numbers of a planned claim: what each run measured and promised, and the series of each role. */
#ifndef ASSAY_SERIES_H
#define ASSAY_SERIES_H

#include "judge/fit.h"
#include "plan/measure.h"
#include "plan/plan.h"
#include "record/record.h"

/* The numbers of one run. y is what is measured. The others are what is promised there: NaN where the claim has no
 * such formula, lower then -infinity. If the claim promises a distribution function F, formula is F(y), and below
 * is F just below y. margin: half the width of the zone that moment and law allow. For a rate y and lower are over
 * the formula. */
struct evaluated { double y, formula, lower, margin, below; };
/* Reads the numbers of a run. Returns false where the record does not have what the claim measures. */
bool judge_run(const struct task *t, const struct cell *cell, const struct record *r, struct evaluated *out);
/* Returns what claim->reaches requires of a run: the number `value`, or the value of its formula. */
double series_target(const struct task *t, const struct cell *cell, const struct record *r);
/* Returns how far y may be from the y of the same run on another processor: the gap with which the optimum is
 * known, plus rounding. The sampling error of an estimate is no part of it, as the two processors draw the same
 * numbers. */
double judge_slack(const struct claim *c, const struct cell *cell, const struct record *r);

/* A planned claim with the records of its plan; record[i]: that of plan->cell[i], or NULL. */
struct source {
    const struct plan *plan;
    struct record *const *record;
    const struct planned_claim *claim;
};

/* Returns the value of the axis at a point; NaN: no run is planned there. */
double source_axis(const struct source *s, int point);
/* Returns the record of a task that ended well, else NULL. */
const struct record *source_measured(const struct source *s, const struct task *t);
/* Returns what the runs of a role (of the claim itself, of its rival, of a control) measured at every point. rival:
 * the role with which it is compared, run by run; the role itself: none. also: which of claim->also, for ROLE_ALSO.
 * Memory comes from the arena a. */
struct series source_series(const struct source *s, enum role role, enum role rival, int also, struct arena *a);
/* Returns what a method that never moves would have measured at every point, with the formulas and rivals of the
 * same runs. hardest[points] <- where the claim searches for the largest y: the value of the search that is the
 * hardest for such a method, whose runs are then taken; NaN: the claim has no such search. */
struct series source_idle(const struct source *s, enum idle where, double *hardest, struct arena *a);

#endif

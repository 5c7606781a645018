/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - the numbers of a planned claim: what each run measured and promised, and the series of each role. */
#ifndef ASSAY_SERIES_H
#define ASSAY_SERIES_H

#include "judge/fit.h"
#include "plan/measure.h"
#include "plan/plan.h"
#include "record/record.h"

/* The numbers of one run: what is measured, and what is promised there, NaN where the claim has no such formula;
 * lower: -infinity. With a distribution formula is F(y) and below F just below y. */
struct evaluated { double y, formula, lower, margin, below; };
/* false: the record does not have what the claim measures. */
bool judge_run(const struct task *t, const struct cell *cell, const struct record *r, struct evaluated *out);
/* What claim->reaches promises of a run: the value, or the formula's. */
double series_target(const struct task *t, const struct cell *cell, const struct record *r);
/* How far y may be from the y of the same run on another processor: the gap with which the optimum is known, and
 * rounding. The sampling error of an estimate is no part of it, as both processors draw the same numbers. */
double judge_slack(const struct claim *c, const struct cell *cell, const struct record *r);

/* A planned claim with the records of its plan; record[i]: of plan->cell[i], or NULL. */
struct source {
    const struct plan *plan;
    struct record *const *record;
    const struct planned_claim *claim;
};

/* The record of a task that ended well, else NULL. */
const struct record *source_measured(const struct source *s, const struct task *t);
/* What a role measured at every point; rival: the role that it is compared with, run by run; the role itself: none.
 * also: which of claim->also, for ROLE_ALSO. Memory from a. */
struct series source_series(const struct source *s, enum role role, enum role rival, int also, struct arena *a);
/* What a method that never moves would have measured at every point, with the formulas and rivals of the same runs.
 * hardest[points] <- the value of the claim's search for the largest y that is the hardest for such a method, whose
 * runs are then taken; NaN: the claim has no such search. */
struct series source_idle(const struct source *s, enum idle where, double *hardest, struct arena *a);

#endif

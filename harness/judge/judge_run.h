/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge_run.h - the numbers of one run that a claim is judged by. Pure. */
#ifndef ASSAY_JUDGE_RUN_H
#define ASSAY_JUDGE_RUN_H

#include "judge/fit.h"
#include "plan/plan.h"
#include "record/record.h"

/* What is measured and what is promised there, NaN where the claim has no such formula; lower:
 * -infinity. With a distribution formula is F(y) and below F just below y. */
struct evaluated {
    double y, formula, lower, margin, below;
};

/* false: the record does not hold what the claim measures. */
bool judge_run(const struct task *t, const struct cell *cell, const struct record *r,
               struct evaluated *out);
/* How far y may be from the truth, rounding included. */
double judge_error(const struct claim *c, const struct cell *cell, const struct record *r);
/* How far y may be from what another processor measures of the same runs: the gap with which the optimum
 * is known, and rounding. The sampling error of an estimate is no part, both would draw the same. */
double judge_slack(const struct claim *c, const struct cell *cell, const struct record *r);
/* The block of draws that y is the mean of, memory from a; no strata: y is a single number. */
struct draws judge_draws(const struct claim *c, const struct cell *cell, const struct record *r,
                         struct arena *a);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_budget.h - what planned cells are expected to cost, and whole claims left out of a plan that would take too
 * long. A step of its own after the plan, for callers that order, bound or show work: making prices makes
 * instances. */
#ifndef ASSAY_PLAN_BUDGET_H
#define ASSAY_PLAN_BUDGET_H

#include "plan/plan.h"

/* cell[k]->expected <- what its method says that it will spend, where it says anything. cell[] is sorted by problem
 * instance, so that each is made once. */
void plan_price(struct cell **cell, size_t n);

/* Leaves claims and lines out until the rest costs at most `seconds` on one core: first lines of plots, then claims
 * each of whose items is served by another claim of the paper that stays, then any; of these each time the one that
 * saves most. A cell that several share costs once. Their `missing` is `why`, their cells are gone from the plan.
 * cost[k]: seconds of plan->cell[k]. For a plan whose stages have not grown yet. */
void plan_budget(struct plan *p, const double *cost, double seconds, const char *why);

#endif

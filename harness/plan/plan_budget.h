/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_budget.h - what planned cells are expected to cost, and which claims are left out of a plan that would take
 * too long. This is a separate step after the plan, for callers that order, bound or show work: pricing a cell
 * makes its instance. */
#ifndef ASSAY_PLAN_BUDGET_H
#define ASSAY_PLAN_BUDGET_H

#include "plan/plan.h"

/* cell[k]->expected <- what the method says that it will spend, where it says anything. cell[] is sorted by problem
 * instance, so that each instance is made once. */
void plan_price(struct cell **cell, size_t n);

/* Leaves claims and lines out until the rest costs at most `seconds` on one core: first lines of plots; then claims
 * whose items are all served by other claims of the paper that stay; then any claim; each time the one that saves
 * most. A cell that several claims share costs once. `missing` of what is left out is `why`, and its cells are
 * removed from the plan. cost[k]: seconds of plan->cell[k]. For a plan whose further stages have not been planned
 * yet. */
void plan_budget(struct plan *p, const double *cost, double seconds, const char *why);

#endif

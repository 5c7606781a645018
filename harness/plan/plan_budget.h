/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_budget.h - what planned cells are expected to cost, and which claims are left out of a plan that would take
 * too long. Estimating the cost of a cell makes its problem instance, which takes time, so it is not a part of
 * plan_make but a step for callers that need it. */
#ifndef ASSAY_PLAN_BUDGET_H
#define ASSAY_PLAN_BUDGET_H

#include "plan/plan.h"

/* cell[k]->expected <- what the method says that its run will spend, where it says anything. cell[n] is sorted by
 * problem instance, so that each instance is made once. */
void plan_price(struct cell **cell, size_t n);

/* Leaves claims, and lines of plots, out of the plan until the rest costs at most `seconds` on one core: lines of
 * plots first; then claims whose items are all served by other claims of the paper that stay; then any claim. Of
 * one of these groups the one that saves most seconds is left out next. A cell that several claims share costs
 * once. A claim that is left out gets `why` as its `missing`, and its cells are removed from the plan. cost[k]:
 * expected seconds of p->cell[k]. To be called after plan_make, before plan_next and plan_double. */
void plan_budget(struct plan *p, const double *cost, double seconds, const char *why);

#endif

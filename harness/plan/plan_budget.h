/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_budget.h - whole claims left out of a plan that would take too long. */
#ifndef ASSAY_PLAN_BUDGET_H
#define ASSAY_PLAN_BUDGET_H

#include "plan/plan.h"

/* Leaves out lines of plots, then claims each of whose items another claim of the paper serves that
 * stays, then any, each time the one whose leaving saves most, until the rest costs at most `seconds`
 * on one core. A cell that several share costs once. Their `missing` says why; their cells are gone.
 * cost[k]: seconds of plan->cell[k]. A plan whose stages have not grown yet. */
void plan_budget(struct plan *p, const double *cost, double seconds, const char *why);

#endif

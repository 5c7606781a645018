/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reached.h - which values methods had reached at which cost, from the traces of their runs: paths, ECDFs
 * of runtimes, performance profiles. Pure. */
#ifndef ASSAY_REACHED_H
#define ASSAY_REACHED_H

#include "report/plotted.h"

/* Computes the curves of a plot that is not PLOT_POINTS from the planned claims from..to-1: p->line[m] <- the
 * points of method m, where line[k - from] is the method of claim k. All curves have the same horizontal
 * coordinates. A method whose run failed on an instance, or whose record has no trace, never reaches any target
 * there. Runs without a record are not counted. */
void reached_fill(struct plotted *p, const struct plan *plan, struct record *const *record, int from, int to,
                  const int *line);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reached.h - which values methods had reached at which cost, from the traces of their runs: paths, empirical
 * distribution functions of runtimes, performance profiles. */
#ifndef ASSAY_REACHED_H
#define ASSAY_REACHED_H

#include "report/plotted.h"

/* Computes the curves of a plot whose kind is not PLOT_POINTS. plan->claim[from..to-1] are the claims of its
 * declared lines, one for each; the runs of claim k belong to method m = line[k - from]. p->line[m] <- the points
 * of method m. All curves have their points at the same costs or ratios, but those of a PLOT_PATH may end earlier.
 * A method whose run failed on an instance, or whose record has no trace, never reaches any target there. Runs
 * without a record are not counted. */
void reached_fill(struct plotted *p, const struct plan *plan, struct record *const *record, int from, int to,
                  const int *line);

#endif

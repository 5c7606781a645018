/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reached.h - what methods had come to at what cost, from the marks of their runs: paths, ECDFs of
 * runtimes, performance profiles. Pure. */
#ifndef ASSAY_REACHED_H
#define ASSAY_REACHED_H

#include "report/plotted.h"

/* The curves of a plot that is not PLOT_POINTS: p->line[m] <- points, those of planned claims from..to-1,
 * lines[k - from] = m saying which method claim k belongs to. All curves have the same places to the right.
 * An instance that a method's record does not know, or where it failed, it never reaches; what has no
 * record takes no part. */
void reached_fill(struct plotted *p, const struct plan *plan, struct record *const *record, int from, int to,
                  const int *line);

#endif

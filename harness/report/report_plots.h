/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_plots.h - plots and tables in words and cells: shared by the formats. Pure. */
#ifndef ASSAY_REPORT_PLOTS_H
#define ASSAY_REPORT_PLOTS_H

#include "report/plotted.h"
#include "report/report.h"
#include "report/report_words.h"

/* Is what is drawn upwards a part of a whole, from 0 to 1? */
bool report_plot_shares(const struct plot *p);
/* Names of what is drawn to the right and upwards, with units. */
struct phrase report_plot_x(const struct plot *p);
struct phrase report_plot_y(const struct plotted *p);
/* "theory slope -2", "theory dashed", or "" of line k. */
struct phrase report_theory(const struct plotted *p, int k);
/* What is seen of line k: "4.7e-04 at T = 7, least 1.2e-05 at 127; slope -1.98 for T from 7 to
 * 63, theory -2", or why there is nothing. */
struct phrase report_line(const struct plotted *p, int k);
/* How to repeat it. */
struct phrase report_plot_command(const struct plotted *p, enum profile profile);

enum { PLOT_COLUMNS = 6 };
/* Columns of the table of a plot's points: line, axis, x, y, interval, theory. */
void report_plot_heading(const struct plotted *p, struct phrase cell[PLOT_COLUMNS]);
void report_plot_row(const struct plotted *p, int line, int point,
                     struct phrase cell[PLOT_COLUMNS]);

/* The k-th table that has a judged claim in it, k = 0, 1, ...; NULL: there are no more. */
const struct exhibit *report_table_at(const struct report_input *in, int k);
/* The judgement that stands in a cell; -1: none. */
int report_table_claim(const struct report_input *in, const struct exhibit_row *r, int column);

#endif

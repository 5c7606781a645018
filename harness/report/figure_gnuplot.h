/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_gnuplot.h - what the figures of claims and of plots write for gnuplot. The caller asks
 * ferror. */
#ifndef ASSAY_FIGURE_GNUPLOT_H
#define ASSAY_FIGURE_GNUPLOT_H

#include <stdio.h>
#include "report/figure_sheet.h"
#include "status.h"

enum status gnuplot_trouble(const char *path, struct why *why);
/* Opens folder/name.ending; path[4096] for the messages. NULL: gnuplot_trouble. */
FILE *gnuplot_open(const char *folder, const char *name, const char *ending, char *path);
enum status gnuplot_close(FILE *out, const char *path, struct why *why);

/* folder/name.tsv: the rows of a sheet. */
enum status gnuplot_table(const struct sheet *s, const char *folder, const char *name,
                          struct why *why);

void gnuplot_variable(FILE *out, const char *name, const char *text);
/* Broken at blanks into at most three lines; what is beyond the last is cut. */
void gnuplot_title(FILE *out, const char *text);
void gnuplot_ticks(FILE *out, char axis, const double *range);
/* A template of plots/. */
const char *gnuplot_template(const char *name);

/* One variable of the legend; the box grows with its text. */
struct gnuplot_legend { FILE *out; int lines; size_t longest; };
void gnuplot_entry(struct gnuplot_legend *l, const char *name, bool shown, const char *text);
/* In a free corner, else below. */
void gnuplot_place(const struct gnuplot_legend *l, const struct sheet *s,
                   const struct frame *frame);
void gnuplot_below(const struct gnuplot_legend *l);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_points.h - the numbers of a claim point by point, the rule applied to them and the
 * control's part, for every writer of a report. Pure. */
#ifndef ASSAY_REPORT_POINTS_H
#define ASSAY_REPORT_POINTS_H

#include "report/report_words.h"

enum { POINT_COLUMNS = 8 };

/* cell[c] <- the names of the columns; returns their number. */
int report_points_heading(const struct judgement *j, char cell[POINT_COLUMNS][64]);
/* The same columns of one point: axis, runs, statistic, interval, then what the check compares with
 * and the control. "-" where there is nothing. */
void report_points_row(const struct judgement *j, int point, char cell[POINT_COLUMNS][64]);

/* The rule by which a claim is decided, some sentences. */
const char *report_rule(const struct claim *c);
struct phrase report_control_sentence(const struct judgement *j);
/* What the figure of a claim shows and what follows from it, for who cannot see it. */
struct phrase report_picture(const struct judgement *j);

#endif

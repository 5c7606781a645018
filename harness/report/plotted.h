/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plotted.h - plots with what was measured: the points of each line and the curve that theory predicts. */
#ifndef ASSAY_PLOTTED_H
#define ASSAY_PLOTTED_H

#include "judge/judge.h"

struct plotted_point {
    double axis, x;          /* x: the horizontal coordinate */
    struct estimate y;       /* the statistic of the measure, with 95% limits */
    double theory;           /* what theory predicts; NaN: it says nothing at this point */
    int reps, missing;
};

struct plotted_line {
    const struct plot_line *line;
    const struct judgement *runs;
    int points;              /* number of points; points without a run are left out */
    struct plotted_point point[FIT_POINTS_MAX];
    double slope;            /* slope of log y against log x on the range line->over; NaN: none */
    int cells, failed, refused;          /* of all runs of the line: their number, how many failed, and how many
                                            were refused */
};

struct plotted {
    const struct plot *plot;
    const struct paper *paper;
    bool planned;            /* false: the profile leaves the plot out, or its data are missing */
    int lines;
    struct plotted_line line[LINES_MAX];     /* PLOT_POINTS: as declared; else declared lines with one
                                                label are one curve, and `line` is the first of them */
    int pairs;               /* PLOT_REACHED, PLOT_PROFILE: number of (instance, target) pairs */
};

/* Returns the plots of a plan with what was measured; *n <- how many they are; free() the array. record[p->cells]:
 * the records; judgement[claims + lines]: from judge_plan. */
struct plotted *plotted_all(const struct plan *p, struct record *const *record,
                            const struct judgement *judgement, int *n);

#endif

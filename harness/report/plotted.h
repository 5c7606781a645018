/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plotted.h - plots as measured: the points of each line and the curve that theory predicts. Pure. */
#ifndef ASSAY_PLOTTED_H
#define ASSAY_PLOTTED_H

#include "judge/judge.h"

struct plotted_point {
    double axis, x;          /* x: the horizontal coordinate */
    struct estimate y;       /* the statistic, with limits at 95% */
    double theory;           /* NaN: theory says nothing at this point */
    int reps, missing;
};

struct plotted_line {
    const struct plot_line *line;
    const struct judgement *runs;
    int points;              /* the number of points that have runs */
    struct plotted_point point[FIT_POINTS_MAX];
    double slope;            /* slope of log y against log x on the range line->over; NaN: none */
    int cells, failed, refused;          /* counted over all its runs */
};

struct plotted {
    const struct plot *plot;
    const struct paper *paper;
    bool planned;            /* false: the profile leaves it out, or its data are missing */
    int lines;
    struct plotted_line line[LINES_MAX];     /* PLOT_POINTS: as declared; else declared lines with one
                                                label are one curve, and `line` is the first of them */
    int pairs;               /* PLOT_REACHED, PLOT_PROFILE: number of (instance, target) pairs */
};

/* Returns the plots of a plan as measured; *n <- how many they are; free() the array. judgement[claims + lines]
 * comes from judge_plan. */
struct plotted *plotted_all(const struct plan *p, struct record *const *record,
                            const struct judgement *judgement, int *n);

#endif

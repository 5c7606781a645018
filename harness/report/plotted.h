/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plotted.h - plots as measured: the points of each line and what theory draws beside them. Pure. */
#ifndef ASSAY_PLOTTED_H
#define ASSAY_PLOTTED_H

#include "judge/judge.h"

struct plotted_point {
    double axis, x;          /* x: what is drawn to the right */
    struct estimate y;       /* statistic, 95% */
    double theory;           /* NaN: none here */
    int reps, missing;
};

struct plotted_line {
    const struct plot_line *line;
    const struct judgement *runs;
    int points;              /* those with runs */
    struct plotted_point point[FIT_POINTS_MAX];
    double slope;            /* of log y against log x where line->over says; NaN: none */
    int cells, failed, refused;          /* of all its runs */
};

struct plotted {
    const struct plot *plot;
    const struct paper *paper;
    bool planned;            /* false: the profile leaves it out, or its data are not here */
    int lines;
    struct plotted_line line[LINES_MAX];     /* PLOT_POINTS: as declared; else by label, the first of which
                                                is `line` */
    int pairs;               /* PLOT_REACHED, PLOT_PROFILE: of an instance and a target */
};

/* The plots of a plan, judgement[claims + lines] being of judge_plan. *n <- how many; free() it. */
struct plotted *plotted_all(const struct plan *p, struct record *const *record,
                            const struct judgement *judgement, int *n);

#endif

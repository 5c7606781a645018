/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_internal.h - the rows of a figure and the frame around them: functions of figure.c that a unit test calls
 * too. */
#ifndef ASSAY_FIGURE_INTERNAL_H
#define ASSAY_FIGURE_INTERNAL_H

#include <stdbool.h>
#include "judge/judge.h"
#include "report/plotted.h"

/* The kinds of series in a figure, as X(kind, word in the table). CURVE: in the figure of a claim, its rival, then
 * its other methods; in that of a plot, its lines. THEORY: the theoretical curve of a line of a plot. BEFORE: what
 * an earlier night measured. */
#define SERIES_LIST(X)                                                                        \
    X(MEASURED, "measured") X(CONTROL, "control") X(CURVE, "curve") X(FORMULA, "formula")     \
    X(FIT, "fit") X(PROMISED, "promised") X(BAND, "band") X(CONTROL_FIT, "control_fit")    \
    X(THEORY, "theory") X(BEFORE, "before")

enum series_kind {
#define X(id, word) SHEET_##id,
    SERIES_LIST(X)
#undef X
    SHEET_KINDS
};

struct sheet_row {
    enum series_kind kind;
    int curve;                   /* SHEET_CURVE, SHEET_THEORY: the index of the curve or line */
    const char *name;            /* the algorithm or the label of the line; "": none */
    double axis;
    struct estimate y;           /* the drawn value and its interval. lo and hi are NaN for a point of a line, value
                                    is NaN for a band */
};

/* SHEET_GRID: the number of points of a fitted line; it is odd, so that the centre of the window is one of them.
 * SHEET_ROWS: the most rows: at each point five, and two for each line of a plot; and four fitted lines. */
enum { SHEET_GRID = 25, SHEET_ROWS = FIT_POINTS_MAX * (5 + 2 * LINES_MAX) + 4 * SHEET_GRID };

struct sheet {
    int rows;
    struct sheet_row row[SHEET_ROWS];
    int count[SHEET_KINDS];
};
void sheet_fill(struct sheet *s, const struct judgement *j);

/* The ranges of the two axes, x and y, of a figure; both axes are logarithmic. */
struct frame { double x[2], y[2]; };
/* *f <- a frame that holds all measured values, curves and formulas that have a logarithm; those of the control
 * only if there are no others, or if they are within four decades of the others. Intervals extend the frame by at
 * most one decade either way, and are cut off beyond. Returns false if nothing can be drawn. */
bool sheet_frame(const struct sheet *s, struct frame *f);
/* Returns a corner ("top right", ...) of the frame in which a box covers nothing that is drawn; width, height:
 * those of the box, in units of the frame's. NULL: there is none. */
const char *sheet_free_corner(const struct sheet *s, const struct frame *f, double width, double height);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_internal.h - the rows of a figure and the frame around them, as the unit test sees them. Pure. */
#ifndef ASSAY_FIGURE_INTERNAL_H
#define ASSAY_FIGURE_INTERNAL_H

#include <stdbool.h>
#include "judge/judge.h"
#include "report/plotted.h"

/* The kinds of series in a figure, as X(kind, word in the table). A claim's figure has as CURVE its rival, then
 * other methods; a plot has its lines. THEORY is the theoretical curve of a line of a plot. BEFORE is what the
 * night before measured. */
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
    int curve;                   /* SHEET_CURVE, SHEET_THEORY: its index */
    const char *name;            /* algorithm or label, or "" */
    double axis;
    struct estimate y;           /* lines: value only, else NaN; band: lo and hi only */
};

/* SHEET_GRID is the number of points of a fitted line; it is odd, so that the centre of the window is one of
 * them. */
enum { SHEET_GRID = 25, SHEET_ROWS = FIT_POINTS_MAX * (5 + 2 * LINES_MAX) + 4 * SHEET_GRID };

struct sheet {
    int rows;
    struct sheet_row row[SHEET_ROWS];
    int count[SHEET_KINDS];
};
void sheet_fill(struct sheet *s, const struct judgement *j);

/* The part of the plane that is drawn; both axes are logarithmic. */
struct frame { double x[2], y[2]; };
/* *f <- a frame that holds all values that have a logarithm. An interval may extend it by one decade either way,
 * the control by four; parts that lie farther off are not drawn. Returns false if nothing can be drawn. */
bool sheet_frame(const struct sheet *s, struct frame *f);
/* Returns a corner ("top right", ...) in which a box of this width and height, in parts of the frame, covers
 * nothing. NULL: there is none. */
const char *sheet_free_corner(const struct sheet *s, const struct frame *f, double width, double height);

#endif

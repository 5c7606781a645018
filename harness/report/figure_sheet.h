/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_sheet.h - what a figure shows, as rows of numbers, and the frame around them. Pure. */
#ifndef ASSAY_FIGURE_SHEET_H
#define ASSAY_FIGURE_SHEET_H

#include <stdbool.h>
#include "judge/judge.h"
#include "report/plotted.h"

/* SHEET_CURVE: rival first, then the others; of a plot its lines, SHEET_THEORY theirs. X(series,
 * word in the table) */
#define SERIES_LIST(X)                                                                        \
    X(MEASURED, "measured") X(CONTROL, "control") X(CURVE, "curve") X(FORMULA, "formula")     \
    X(FIT, "fit") X(PROMISED, "promised") X(BAND, "band") X(CONTROL_FIT, "control_fit")    \
    X(THEORY, "theory")

enum series_kind {
#define X(id, word) SHEET_##id,
    SERIES_LIST(X)
#undef X
    SHEET_KINDS
};
const char *sheet_word(enum series_kind k);

struct sheet_row {
    enum series_kind kind;
    int curve;                   /* SHEET_CURVE, SHEET_THEORY: which */
    const char *name;            /* algorithm or label, or "" */
    double axis;
    struct estimate y;           /* lines: value only, else NaN; band: lo and hi only */
};

enum { SHEET_GRID = 25,          /* odd: the centre of the window is a point of every line */
       SHEET_ROWS = FIT_POINTS_MAX * (4 + 2 * LINES_MAX) + 4 * SHEET_GRID };

struct sheet {
    int rows;
    struct sheet_row row[SHEET_ROWS];
    int count[SHEET_KINDS];
};
void sheet_fill(struct sheet *s, const struct judgement *j);
void sheet_fill_plot(struct sheet *s, const struct plotted *p);

/* The part of the plane that is drawn, both axes logarithmic. */
struct frame { double x[2], y[2]; };
/* Around all values on a log scale; an interval may extend it by one decade either way, the control
 * by four and what is farther off is not drawn. false: nothing can be drawn. */
bool sheet_frame(const struct sheet *s, struct frame *f);
/* Does a value of this kind lie in the frame? */
bool sheet_shows(const struct sheet *s, const struct frame *f, enum series_kind kind);
/* A corner ("top right", ...) where a box of this size, in parts of the frame, covers nothing;
 * NULL: none. */
const char *sheet_free_corner(const struct sheet *s, const struct frame *f, double width,
                              double height);
/* Values that are zero, negative or infinite; values outside the frame (of the control only). */
void sheet_left_out(const struct sheet *s, const struct frame *f, int *no_logarithm, int *outside);

#endif

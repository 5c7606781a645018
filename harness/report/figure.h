/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - one figure per claim or plot: a table of the drawn values, a gnuplot script from a
 * template of plots/, and the drawing itself. All values are computed here; gnuplot only draws them. */
#ifndef ASSAY_FIGURE_H
#define ASSAY_FIGURE_H

#include <stdbool.h>
#include <stdio.h>
#include "judge/judge.h"
#include "report/plotted.h"
#include "status.h"

enum { FIGURE_NAME = 120, FIGURE_NOTE = 240, FIGURE_WIDTH = 560 };

struct figure {
    char name[FIGURE_NAME];      /* of its files, without the ending */
    bool data, script, drawn;    /* name.tsv, name.gp, name.svg exist */
    int height; /* of name.svg, where its width is FIGURE_WIDTH */
    bool printed; /* name.pdf and name.tex exist */
    char note[FIGURE_NOTE];      /* which values are not drawn, or why there is no figure; else "" */
};

/* A file name for a claim: / becomes __, and every character but letters, digits and .-+= becomes _. */
void figure_name(const char *id, char name[FIGURE_NAME]);

/* Writes name.tsv into a folder, and name.gp if any value can be drawn. Rows of the table:
 * series, name, axis, value, lo, hi; tab-separated, doubles as %.17g, below one line of names. The measured points
 * of `before` (or NULL), the judgement of an earlier night, are drawn under those of j. IO_ERROR names the file. */
enum status figure_write(const struct judgement *j, const struct judgement *before, const char *folder,
                         struct figure *f, struct why *why);

/* The same for a plot. Its table has the series curve1, theory1, curve2, ...; the column `axis` holds the
 * horizontal coordinate. */
enum status figure_write_plot(const struct plotted *p, const char *folder, struct figure *f,
                              struct why *why);

/* name.tex for a LaTeX document: a figure with the caption, which includes name.pdf. IO_ERROR. */
enum status figure_write_latex(const struct figure *f, const char *caption, const char *folder,
                               struct why *why);

/* Draws the scripts of a folder with one gnuplot process, which is started again after a figure that fails; fills
 * `drawn` and completes the notes. Without gnuplot no figure is drawn, and the notes say so. Drawings of the folder
 * `before` (or NULL), on the same disk, are taken over where script and data are the same. gnuplot_svg.js beside
 * them is gnuplot's script for all. pdf: name.pdf too. */
void figure_draw(const char *folder, const char *before, bool pdf, struct figure *f, int n);

#endif

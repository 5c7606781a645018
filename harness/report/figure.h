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
    char name[FIGURE_NAME];      /* the name of its files, without the ending */
    bool data, script, drawn;    /* name.tsv, name.gp, name.svg exist */
    int height; /* height of name.svg, where its width is FIGURE_WIDTH */
    bool printed; /* name.pdf and name.tex exist */
    char note[FIGURE_NOTE];      /* which values are not drawn, or why there is no figure; else "" */
};

/* name <- a file name for the claim or plot of this id: / becomes __, and every character but letters, digits and
 * .-+= becomes _. */
void figure_name(const char *id, char name[FIGURE_NAME]);

/* Writes name.tsv into a folder, and name.gp if any value can be drawn. Rows of the table:
 * series, name, axis, value, lo, hi; tab-separated, doubles as %.17g, below one line of names. The measured points
 * of `before` (or NULL), the judgement of an earlier night, are drawn under those of j. IO_ERROR names the file. */
enum status figure_write(const struct judgement *j, const struct judgement *before, const char *folder,
                         struct figure *f, struct why *why);

/* Writes name.tsv and, if any value can be drawn, name.gp of a plot. Its table has the series curve1, theory1,
 * curve2, ...; the column `axis` holds the horizontal coordinate. IO_ERROR names the file. */
enum status figure_write_plot(const struct plotted *p, const char *folder, struct figure *f,
                              struct why *why);

/* Writes name.tex for a LaTeX document: a figure environment with the caption, which includes name.pdf. IO_ERROR
 * names the file. */
enum status figure_write_latex(const struct figure *f, const char *caption, const char *folder,
                               struct why *why);

/* Draws the scripts of a folder with one gnuplot process, which is started again after a figure that fails; fills
 * `drawn` and completes the notes. pdf: draws name.pdf, too. Without gnuplot no figure is drawn, and the notes say
 * so. A drawing of the folder `before` (or NULL), on the same disk, is taken over where its script and data are the
 * same. gnuplot_svg.js beside the drawings is gnuplot's script for all of them. */
void figure_draw(const char *folder, const char *before, bool pdf, struct figure *f, int n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - the figure of a claim or of a plot, in files of one name: a table of the drawn values (.tsv), a
 * gnuplot script made from a template of plots/ (.gp), and the drawing (.svg). All values are computed here;
 * gnuplot only draws them. */
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
    bool data, script, drawn;    /* data, script, drawn: the files name.tsv, name.gp, name.svg exist */
    int height; /* height of name.svg in pixels, if it is FIGURE_WIDTH wide */
    bool printed; /* name.pdf and name.tex exist */
    char note[FIGURE_NOTE];      /* which values are not drawn, or why there is no figure; else "" */
};

/* name <- the file name of the figure for the claim or plot with this id: / becomes __, and every character but
 * letters, digits and .-+= becomes _. */
void figure_name(const char *id, char name[FIGURE_NAME]);

/* Writes name.tsv of a claim into a folder, and name.gp if any value can be drawn. Columns of the table: series,
 * name, axis, value, lo, hi; tab-separated, doubles as %.17g, below one line of names. before: the judgement of an
 * earlier night, whose measured points are drawn under those of j; NULL: none. IO_ERROR: *why names the file. */
enum status figure_write(const struct judgement *j, const struct judgement *before, const char *folder,
                         struct figure *f, struct why *why);

/* Writes name.tsv and, if any value can be drawn, name.gp of a plot. Its table has the series curve1, theory1,
 * curve2, ...; the column `axis` has the horizontal coordinate. IO_ERROR: *why names the file. */
enum status figure_write_plot(const struct plotted *p, const char *folder, struct figure *f,
                              struct why *why);

/* Writes name.tex for a LaTeX document: a figure environment with the caption, which includes name.pdf. IO_ERROR:
 * *why names the file. */
enum status figure_write_latex(const struct figure *f, const char *caption, const char *folder,
                               struct why *why);

/* Draws those of the figures f[n] that have a script, whose files are in the folder, with one gnuplot process,
 * which is started again after a figure that fails. Sets `drawn`, and `note` where a figure was not drawn, also if
 * there is no gnuplot. pdf: draws name.pdf too. before: the folder of an earlier report on the same disk, whose
 * drawings are linked where script and data are the same; NULL: none. gnuplot's JavaScript for all drawings is
 * written beside them, as gnuplot_svg.js. */
void figure_draw(const char *folder, const char *before, bool pdf, struct figure *f, int n);

#endif

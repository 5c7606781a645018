/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - one figure per claim or plot: a table of what is drawn, a gnuplot script from a
 * template of plots/, and the drawing itself. Everything is computed here; gnuplot only draws. */
#ifndef ASSAY_FIGURE_H
#define ASSAY_FIGURE_H

#include <stdbool.h>
#include <stdio.h>
#include "judge/judge.h"
#include "report/plotted.h"
#include "status.h"

enum { FIGURE_NAME = 120, FIGURE_NOTE = 240 };

struct figure {
    char name[FIGURE_NAME];      /* of its files, without ending */
    bool data, script, drawn;    /* name.tsv, name.gp, name.svg exist */
    char note[FIGURE_NOTE];      /* what is not drawn, or why nothing is; else "" */
};

/* A file name for a claim: / becomes __, what is no letter, digit or one of .-+= becomes _. */
void figure_name(const char *id, char name[FIGURE_NAME]);

/* Writes name.tsv, and name.gp if there is something to draw, into a folder. Rows of the table:
 * series, name, axis, value, lo, hi; tab-separated, doubles as %.17g, below one line of names.
 * IO_ERROR names the file. */
enum status figure_write(const struct judgement *j, const char *folder, struct figure *f,
                         struct why *why);

/* The same of a plot: its table has the series curve1, theory1, curve2, ..., its axis what is
 * drawn to the right. */
enum status figure_write_plot(const struct plotted *p, const char *folder, struct figure *f,
                              struct why *why);

/* Draws the scripts of a folder with one gnuplot process, started again behind a figure that fails;
 * fills `drawn` and completes the notes. Needs no gnuplot to return. */
void figure_draw(const char *folder, struct figure *f, int n);

#endif

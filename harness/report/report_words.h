/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.h - what judgements say, in words and numbers. Tables, pages and figures share it, so that all of
 * them print the same. Pure. */
#ifndef ASSAY_REPORT_WORDS_H
#define ASSAY_REPORT_WORDS_H

#include <stdbool.h>
#include "judge/judge.h"

/* A short text by value. The text of a returned phrase lives to the end of the expression that called for it. */
struct phrase { char at[400]; };

/* Returns what printf would print. */
__attribute__((format(printf, 1, 2)))
struct phrase report_say(const char *format, ...);
/* Returns the number as %.3g, an integer below 1e7 in full, "infinite", or "none" for NaN. */
struct phrase report_number(double x);
/* Returns "1.02 (0.98 to 1.06)"; an interval of zero width is left out. */
struct phrase report_estimate(const struct estimate *e);
/* Returns "0.98 to 1.06", "at least 0.98", "exact" for zero width, or "none". */
struct phrase report_interval(const struct estimate *e);

/* --- tables that every format prints */

enum { ROW_CELLS = 18 };
struct report_row {
    int cells, judgement;            /* the judgement that the row is about; -1: none */
    unsigned poor;                   /* bit c: cell c is worse than it must be */
    struct phrase cell[ROW_CELLS];
};
struct text_table {
    const char *label, *caption;     /* label: for readers who cannot see the table */
    const char *sentence;            /* what a section says before it; NULL: nothing */
    unsigned words;                  /* bit c: column c has words, not numbers */
    bool formulas;                   /* cells may be formulas (markup_math) */
    /* Fills an empty *row with row k = 0, 1, ... of the table, or with the names of the columns if k = -1. Returns
     * false if there is no such row. */
    bool (*row)(const void *of, int k, struct report_row *row);
};
/* *row <- row k of the table that t makes of `of`; k = -1: the names of the columns. Returns false where there is
 * no such row. */
bool report_row(const struct text_table *t, const void *of, int k, struct report_row *row);
/* Adds a cell to a row. */
void report_cell(struct report_row *row, const char *text);
/* Adds the names of columns to a row; the list ends with NULL. Returns true. */
bool report_heading(struct report_row *row, const char *const *name);

/* --- one judgement */

/* The number that decides a claim: the exponent; the worst ratio to the bound; the largest relative deviation from
 * the formula, with both extremes as limits; the largest ratio to the rival; the difference from the formula at the
 * point where its limits leave the zone by most. */
struct decisive {
    const char *what;            /* "exponent", "ratio to bound", ...; "" for checks without such a number */
    struct estimate value;       /* NaN: there is none */
    double axis;                 /* the axis value of the point that decides; NaN: no single point does */
    long wins, losses;           /* order: over all points */
};
struct decisive report_decisive(const struct claim *c, const struct fit *fit);

/* Return what was measured and what was promised, in a few words that can be compared: "n^-0.51 (-0.53 to -0.49)"
 * and "n^-0.5 +- 0.1". "-": nothing was measured. */
struct phrase report_measured(const struct claim *c, const struct fit *fit);
struct phrase report_promised(const struct claim *c);
/* Returns what a claim of this kind is about: "what the paper states", ... */
const char *report_kind(enum kind k);
/* Returns CAUGHT, MISSED, "not run", or "none" where no control is declared. */
const char *report_control(const struct judgement *j);
/* Returns what is wrong with a control, or what a rival is. */
struct phrase report_variant(const struct claim *c, const struct variant *v);
/* Returns the measured statistic at a point, with its interval. The interval ends at 0 where its limit is below and
 * the measure cannot be, as a squared error or an excess. */
struct estimate report_mean(const struct claim *c, const struct fit_point *p);
/* Returns the value of the formula at a point, recovered from the fit; NaN: it is not known. */
double report_formula(const struct claim *c, const struct fit_point *p);

/* Return the names of the axis and of the measure: "n (samples)", "mean excess (in units of F)"; where a rate
 * divides its measure by a formula, "mean excess / formula (in units of F)". */
struct phrase report_axis(const struct claim *c);
struct phrase report_measure(const struct claim *c);

/* Returns the description of the measure in the method's or the problem's own list: "largest norm of a draw". NULL:
 * the list has none. */
const char *report_measure_doc(const struct claim *c);

/* Returns the command that reproduces a verdict in this profile or, where the profile leaves the claim out, in the
 * first one that has it. For a claim of the command line it is the command that the claim cites. */
struct phrase report_command(const struct claim *c, enum profile profile);

/* Returns the name of the two-sided interval of the claim's level: "95% interval". */
struct phrase report_interval_name(const struct claim *c);

/* The points of a judgement: axis, runs, statistic, interval, then what the check compares with, and the control;
 * "-" where there is no number. */
extern const struct text_table report_points;

/* Returns the rule by which a claim is decided, in some sentences. */
const char *report_rule(const struct claim *c);
struct phrase report_control_sentence(const struct judgement *j);
/* Returns what the figure of a claim shows and what follows from it, for readers who cannot see it. */
struct phrase report_picture(const struct judgement *j);

/* --- many judgements */

/* Counts of judgements: claims by word, claims without data or without time, controls that ran and those that were
 * caught. */
struct report_tally { int n, word[WORDS], no_data, dropped, controls, caught, exploratory; };
struct report_tally report_tally(const struct judgement *j, int n);
/* Returns "3 claims: 1 supported, ...; controls: 1 of 2 caught". */
struct phrase report_summary(const struct judgement *j, int n);

/* Returns the index of the next judgement of the same paper after k, or n: a paper's judgements are printed
 * together. */
int report_next_of_paper(const struct judgement *j, int n, int k);
/* Is judgement k the first one of its paper? */
bool report_opens_paper(const struct judgement *j, int k);
const char *report_paper_key(const struct judgement *j);
/* Returns the claim's id without the key of its paper, for places under a heading that has the key. */
const char *report_short_id(const struct judgement *j);
/* Returns the claim's citation without that of its paper. */
const char *report_short_cite(const struct judgement *j);

#endif

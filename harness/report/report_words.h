/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.h - judgements in words and numbers. Tables, pages and figures all take them from here, so that they
 * print the same. */
#ifndef ASSAY_REPORT_WORDS_H
#define ASSAY_REPORT_WORDS_H

#include <stdbool.h>
#include "judge/judge.h"

/* A short text by value. The text of a phrase that a function returns lives to the end of the expression with the
 * call. */
struct phrase { char at[400]; };

/* Returns the text that printf would print. */
__attribute__((format(printf, 1, 2)))
struct phrase report_say(const char *format, ...);
/* Returns a number as text: an integer below 1e7 in full, "infinite", "-infinite", "none" for NaN, any other as
 * %.3g. */
struct phrase report_number(double x);
/* Returns a value with its interval, "1.02 (0.98 to 1.06)"; without the interval if that has no width or is not
 * known. */
struct phrase report_estimate(const struct estimate *e);
/* Returns the interval: "0.98 to 1.06", "at least 0.98", "at most 1.06", "exact" for zero width, or "none". */
struct phrase report_interval(const struct estimate *e);

/* --- tables that every format of the report prints */

enum { ROW_CELLS = 18 };
struct report_row {
    int cells, judgement;            /* judgement: the index of the judgement that the row is about; -1: none */
    unsigned poor;                   /* bit c: cell c is worse than it should be, and is printed in italics */
    struct phrase cell[ROW_CELLS];
};
struct text_table {
    const char *label, *caption;     /* label: for readers who cannot see the table */
    const char *sentence;            /* printed before the table where it is a section of its own; NULL: nothing */
    unsigned words;                  /* bit c: column c has words, not numbers */
    bool formulas;                   /* cells may be formulas (markup_math) */
    /* *row, empty on entry, <- row k = 0, 1, ... of the table that is made of `of`, or the names of the columns if
     * k = -1. Returns false if there is no such row. */
    bool (*row)(const void *of, int k, struct report_row *row);
};
/* Empties *row and calls t->row. */
bool report_row(const struct text_table *t, const void *of, int k, struct report_row *row);
/* Adds a cell to a row. */
void report_cell(struct report_row *row, const char *text);
/* Adds a cell to a row for each of these texts, such as the names of columns; the list ends with NULL. Returns
 * true. */
bool report_heading(struct report_row *row, const char *const *name);

/* --- one judgement */

/* The number that decides a claim, by its check. rate: the exponent; bound: the worst ratio to the bound; count:
 * the largest relative deviation from the formula, with both extremes as limits; order: the largest ratio to the
 * rival; moment, law: the difference from the formula at the point where its limits are farthest beyond the margin;
 * private: the largest ratio of the epsilon accounted to the one promised. */
struct decisive {
    const char *what;            /* "exponent", "ratio to bound", ...; "" for checks without such a number */
    struct estimate value;       /* NaN: there is none */
    double axis;                 /* the axis value of the point that decides; NaN: no single point does */
    long wins, losses;           /* of check order, counted over all points */
};
struct decisive report_decisive(const struct claim *c, const struct fit *fit);

/* Return what was measured and what was promised, in a few words that can be compared: "n^-0.51 (-0.53 to -0.49)"
 * and "n^-0.5 +- 0.1". "-": nothing was measured. */
struct phrase report_measured(const struct claim *c, const struct fit *fit);
struct phrase report_promised(const struct claim *c);
/* Returns words for what a claim of this kind is about: "what the paper states", ... */
const char *report_kind(enum kind k);
/* Returns what came of the control: CAUGHT, MISSED, "not run", or "none" where no control is declared. */
const char *report_control(const struct judgement *j);
/* Returns words for a variant of a claim: what is wrong with the control, or what the rival is. */
struct phrase report_variant(const struct claim *c, const struct variant *v);
/* Returns the measured statistic at a point, with its interval. The interval ends at 0 where its lower limit is
 * negative and the measure cannot be, as a squared error or an excess. */
struct estimate report_mean(const struct claim *c, const struct fit_point *p);
/* Returns the value of the promised formula at a point, computed from the fit; NaN: it is not known. */
double report_formula(const struct claim *c, const struct fit_point *p);

/* Return the names of the axis and of the measure: "n (samples)", "mean excess (in units of F)"; where a rate
 * divides its measure by a formula, "mean excess / formula (in units of F)". */
struct phrase report_axis(const struct claim *c);
struct phrase report_measure(const struct claim *c);

/* Returns the description of the claim's measure that its method or problem declares: "largest norm of a draw".
 * NULL: there is none. */
const char *report_measure_doc(const struct claim *c);

/* Returns the name of the two-sided interval at the claim's level: "95% interval". */
struct phrase report_interval_name(const struct claim *c);

/* The table of the points of a judgement: axis, runs, statistic, interval, what the check compares with, the
 * control; "-" where there is no number. */
extern const struct text_table report_points;

/* Returns the rule by which a claim is decided, in a few sentences. */
const char *report_rule(const struct claim *c);
struct phrase report_control_sentence(const struct judgement *j);
/* Returns a description of a claim's figure and what follows from it, for readers who cannot see it. */
struct phrase report_picture(const struct judgement *j);

/* --- many judgements */

/* Numbers of judgements. word: by the word of the verdict; no_data, dropped: not run because data are missing, or
 * for lack of time; controls, caught: numbers of the controls that ran, and of those that were caught. */
struct report_tally { int n, word[WORDS], no_data, dropped, controls, caught, exploratory; };
struct report_tally report_tally(const struct judgement *j, int n);
/* Returns "3 claims: 1 supported, ...; controls: 1 of 2 caught". */
struct phrase report_summary(const struct judgement *j, int n);

/* Returns the index of the next judgement after k of the same paper, or n. The judgements of a paper are printed
 * together, even if others come between. */
int report_next_of_paper(const struct judgement *j, int n, int k);
/* Is judgement k the first of its paper in j? */
bool report_opens_paper(const struct judgement *j, int k);
const char *report_paper_key(const struct judgement *j);
/* Returns the claim's id without the key of its paper, for places under a heading that has the key. */
const char *report_short_id(const struct judgement *j);
/* Returns the claim's citation without that of its paper. */
const char *report_short_cite(const struct judgement *j);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.h - what judgements say, in words and numbers. Tables, pages and figures share it, so that all of
 * them print the same. Pure. */
#ifndef ASSAY_REPORT_WORDS_H
#define ASSAY_REPORT_WORDS_H

#include <stdbool.h>
#include "judge/judge.h"

/* A short text by value. The text of a returned phrase lives to the end of the expression that called for it. */
struct phrase { char at[400]; };

/* As by printf. */
__attribute__((format(printf, 1, 2)))
struct phrase report_say(const char *format, ...);
/* %.3g, integers below 1e7 in full, "infinite", "none" for NaN. */
struct phrase report_number(double x);
/* "1.02 (0.98 to 1.06)"; an interval of zero width is left out. */
struct phrase report_estimate(const struct estimate *e);
/* "0.98 to 1.06", "at least 0.98", "exact" for zero width, "none". */
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
    /* Row k = 0, 1, ... into an empty *row; k = -1: the names of the columns. false: there are no more rows. */
    bool (*row)(const void *of, int k, struct report_row *row);
};
/* Row k of the table that t makes of `of`. */
bool report_row(const struct text_table *t, const void *of, int k, struct report_row *row);
/* Adds a cell. */
void report_cell(struct report_row *row, const char *text);
/* Adds the names of columns, which end with NULL. */
bool report_heading(struct report_row *row, const char *const *name);

/* --- one judgement */

/* The number that decides a claim: the exponent; the worst ratio to the bound; the largest relative deviation from
 * the formula, with both extremes as limits; the largest ratio to the rival; the difference from the formula at the
 * point where its limits leave the zone by most. */
struct decisive {
    const char *what;            /* "exponent", "ratio to bound", ...; "" for checks without such a number */
    struct estimate value;       /* NaN: there is none */
    double axis;                 /* where, if at a point; else NaN */
    long wins, losses;           /* order: over all points */
};
struct decisive report_decisive(const struct claim *c, const struct fit *fit);

/* What was measured and what was promised, in a few words that can be compared: "n^-0.51 (-0.53 to -0.49)" and
 * "n^-0.5 +- 0.1"; "-": nothing was measured. */
struct phrase report_measured(const struct claim *c, const struct fit *fit);
struct phrase report_promised(const struct claim *c);
/* What a claim of this kind is about: "what the paper states", ... */
const char *report_kind(enum kind k);
/* CAUGHT | MISSED | not run | none. */
const char *report_control(const struct judgement *j);
/* What is wrong with a control, or what a rival is. */
struct phrase report_variant(const struct claim *c, const struct variant *v);
/* The measured statistic at a point, with its interval, which ends at 0 where its limit is below and the measure
 * cannot be, as a squared error or an excess. */
struct estimate report_mean(const struct claim *c, const struct fit_point *p);
/* The value of the formula at a point, recovered from the fit; NaN: unknown. */
double report_formula(const struct claim *c, const struct fit_point *p);

/* Names of the axis and of the measure: "n (samples)", "mean excess (in units of F)"; where a rate divides its
 * measure by a formula, "mean excess / formula (in units of F)". */
struct phrase report_axis(const struct claim *c);
struct phrase report_measure(const struct claim *c);

/* What the measure is, from the method's or the problem's own list: "largest norm of a draw"; NULL: nobody says. */
const char *report_measure_doc(const struct claim *c);

/* The command that reproduces a verdict: in this profile, or where it leaves the claim out in the first profile
 * that has it; for a claim of the command line the command that it cites. */
struct phrase report_command(const struct claim *c, enum profile profile);

/* "95% interval": two-sided, of the claim's level. */
struct phrase report_interval_name(const struct claim *c);

/* The points of a judgement: axis, runs, statistic, interval, then what the check compares with, and the control;
 * "-" where there is no number. */
extern const struct text_table report_points;

/* The rule by which a claim is decided, in some sentences. */
const char *report_rule(const struct claim *c);
struct phrase report_control_sentence(const struct judgement *j);
/* What the figure of a claim shows and what follows from it, for readers who cannot see it. */
struct phrase report_picture(const struct judgement *j);

/* --- many judgements */

/* Claims by word, controls that ran and those that were caught. */
struct report_tally { int n, word[WORDS], no_data, dropped, controls, caught, exploratory; };
struct report_tally report_tally(const struct judgement *j, int n);
/* "3 claims: 1 supported, ...; controls: 1 of 2 caught" */
struct phrase report_summary(const struct judgement *j, int n);

/* A paper's judgements are printed together: the index of the next one of the same paper after k, or n. */
int report_next_of_paper(const struct judgement *j, int n, int k);
/* Is judgement k the first one of its paper? */
bool report_opens_paper(const struct judgement *j, int k);
const char *report_paper_key(const struct judgement *j);
/* The claim's id without the key of its paper, for places under a heading that has the key. */
const char *report_short_id(const struct judgement *j);
/* Likewise the claim's citation without the paper's. */
const char *report_short_cite(const struct judgement *j);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.h - what a judgement says, in words and numbers: shared by the tables, the pages and
 * the figures, so that all of them say the same. Pure. */
#ifndef ASSAY_REPORT_WORDS_H
#define ASSAY_REPORT_WORDS_H

#include <stdbool.h>
#include "judge/judge.h"

/* A short text by value: lives to the end of the expression that asked for it. */
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

/* The number that decides a claim: the exponent; the worst ratio to the bound; the largest
 * relative deviation from the formula, with both extremes as limits; the largest ratio to the
 * rival; y - formula where its limits stick out of the zone most. */
struct decisive {
    const char *what;            /* "exponent", "ratio to bound", ...; "" for other checks */
    struct estimate value;       /* NaN: there is none */
    double axis;                 /* where, if at a point; else NaN */
    long wins, losses;           /* order: over all points */
};
struct decisive report_decisive(const struct claim *c, const struct fit *fit);

/* Both in a few words that compare: "n^-0.51 (-0.53 to -0.49)", "n^-0.5 +- 0.1"; "-": nothing. */
struct phrase report_measured(const struct claim *c, const struct fit *fit);
struct phrase report_promised(const struct claim *c);
/* CAUGHT | MISSED | not run | none. */
const char *report_control(const struct judgement *j);
/* The rival of an order claim: its algorithm, or in words what sets it apart. */
struct phrase report_rival(const struct claim *c);
/* What is wrong with the control, or who the rival is. */
struct phrase report_variant(const struct claim *c, const struct variant *v);
/* The formula at a point as far as a fit keeps it; NaN: unknown. */
double report_formula(const struct claim *c, const struct fit_point *p);

/* "n (samples)", "mean excess (in units of F)"; of a rate whose y is divided by a formula "mean excess /
 * formula (in units of F)". */
struct phrase report_axis(const struct claim *c);
struct phrase report_measure(const struct claim *c);

/* The command that reproduces a verdict; where the profile leaves the claim out, of the first one
 * that does not. */
struct phrase report_command(const struct claim *c, enum profile profile);

/* Claims by word, controls run and caught. */
struct report_tally { int n, word[SUSPECT + 1], no_data, dropped, controls, caught, exploratory; };
struct report_tally report_tally(const struct judgement *j, int n);
/* "3 claims: 1 supported, ...; controls: 1 of 2 caught" */
struct phrase report_summary(const struct judgement *j, int n);

/* Judgements of one paper stand together: the next one of the same paper after k, or n. */
int report_next_of_paper(const struct judgement *j, int n, int k);
/* The first judgement of its paper? */
bool report_opens_paper(const struct judgement *j, int k);
const char *report_paper_key(const struct judgement *j);
/* The claim's id without its paper's key, for where that stands above. */
const char *report_short_id(const struct judgement *j);
/* Likewise its citation without its paper's. */
const char *report_short_cite(const struct judgement *j);

#endif

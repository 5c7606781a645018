/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_theorems.h - the table of theorems that reports and `verify` show. */
#ifndef ASSAY_REPORT_THEOREMS_H
#define ASSAY_REPORT_THEOREMS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"
#include "report/report_words.h"

/* Does any of the judgements j[n] decide a row of a theorem? */
bool report_theorems_any(const struct judgement *j, int n);
/* report_theorems and report_theorems_markdown print the theorems of which the judgements j[n] decide a row.
 * report_theorems prints them as text, and nothing where there is no such theorem. */
void report_theorems(FILE *out, const struct judgement *j, int n);
/* report_theorems_markdown prints a table in Markdown, also with the theorems of the same papers that have no
 * claim. all: names every row that is not supported; else rows without a verdict are only counted. */
void report_theorems_markdown(FILE *out, const struct judgement *j, int n, bool all);
/* Does a judgement of the input decide a row of this theorem? Also true if no row of it has a claim and the input
 * has a claim of its paper. */
bool report_theorem_shown(const struct report_input *in, const struct theorem *t);
/* Returns the index of the judgement of this claim; -1: there is none. */
int report_claim_index(const struct report_input *in, const char *id);
/* Returns the word for a row whose claim is not among the judgements: "NOT_RUN"; for a row without a claim, the
 * word for its `state`: "none", "evidence" or "data". */
const char *report_row_state(const struct theorem_row *r);
/* Returns the word of report_row_state in plain words: "no claim" for "none", "no data here" for "data". */
const char *report_row_words(const struct theorem_row *r);
/* The table of the attempts that the claims of a report_input have replaced, and their number. */
extern const struct text_table report_attempts;
int report_attempts_count(const struct report_input *in);
/* Prints the statement of the theorem of this id, and its rows with promise, rivals, claim and verdict. */
void report_explain_theorem(FILE *out, const char *id, const struct judgement *j, int n);

#endif

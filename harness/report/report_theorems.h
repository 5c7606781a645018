/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_theorems.h - the table of theorems that reports and `verify` show. */
#ifndef ASSAY_REPORT_THEOREMS_H
#define ASSAY_REPORT_THEOREMS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"
#include "report/report_words.h"

/* Was a row of any theorem asked for? */
bool report_theorems_any(const struct judgement *j, int n);
/* report_theorems and report_theorems_markdown print the theorems of which the judgements j[n] decide a row.
 * report_theorems prints nothing where there is no such theorem. */
void report_theorems(FILE *out, const struct judgement *j, int n);
/* Prints the theorems as Markdown. all: every row that is not supported is named; else rows without a verdict are
 * only counted. */
void report_theorems_markdown(FILE *out, const struct judgement *j, int n, bool all);
/* Was a row of this theorem asked for, or has no row a claim and was its paper asked for? */
bool report_theorem_shown(const struct report_input *in, const struct theorem *t);
/* Returns the index of the judgement of this claim; -1: there is none. */
int report_claim_index(const struct report_input *in, const char *id);
/* Returns the word for a row whose claim was not asked for: "none", "evidence", "data", "NOT_RUN". */
const char *report_row_state(const struct theorem_row *r);
/* Returns the words of report_row_state as a reader says them: "no claim" for "none", "no data here" for "data". */
const char *report_row_words(const struct theorem_row *r);
/* The attempts that claims of a report_input replaced. */
extern const struct text_table report_attempts;
int report_attempts_count(const struct report_input *in);
/* Prints the statement of the theorem of this id, and its rows with promise, rivals, claim and verdict. */
void report_explain_theorem(FILE *out, const char *id, const struct judgement *j, int n);

#endif

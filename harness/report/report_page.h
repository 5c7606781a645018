/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_page.h - what every page of a report says beside its claims: what a verdict means, where
 * the numbers come from, what failed, what the runs spent. Pure. */
#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

#include "report/report.h"
#include "report/report_words.h"

/* Paragraphs on what a verdict means; ends with NULL. */
extern const char *const report_meaning[];
extern const char *const report_title;

/* Does this line of provenance belong on the page? Not what the page says elsewhere; canonical:
 * only what is the same for any number of workers and any resume. */
bool report_tells(const struct report_input *in, const struct store_info *info);

/* "80, of which 1 ...; 2.5 seconds of computing." */
struct phrase report_runs(const struct judgement *j, bool canonical);
/* "27.4 seconds of computing", in all runs. */
struct phrase report_computing(const struct report_input *in);

/* What went wrong with a run. cell and heading live in the input or in *f. */
struct failure {
    const char *cell, *heading, *message;
    char text[sizeof ((struct judgement *)0)->first_failure];
};
/* The next failure from *k on, which moves behind it; false: no more. All of them where the
 * records are known, else the first of each claim. */
bool report_failure(const struct report_input *in, int *k, struct failure *f);
/* Failures that are known to exist but are not among those. */
int report_failures_untold(const struct report_input *in);
/* The command that repeats one run, with the plug-ins that are loaded: free() it. */
char *report_rerun(const char *cell);

/* What the measured runs of a claim spent, kinds of count that were used at all: mean of a run at
 * both ends of the axis. */
struct spent { int kind; double end[2]; };
/* spent[COUNT_KINDS]; returns how many kinds. ends[2] <- the values of the axis. */
int report_spent(const struct report_input *in, int claim, struct spent *spent, double *ends);

/* The first measured run of a claim that has a record, or NULL. */
const struct record *report_first_run(const struct report_input *in, int claim);

#endif

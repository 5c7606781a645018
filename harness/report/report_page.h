/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_page.h - the sections of a report as sentences and cells of tables, which all formats print. */
#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

#include "report/plotted.h"
#include "report/report.h"
#include "report/report_words.h"

#define REPORT_TITLE "Theorems against measurements"
/* Paragraphs on what a verdict means; ends with NULL. */
extern const char *const report_meaning[];

/* Does this item of provenance belong into the section on provenance? The command line does not, since the page
 * prints it elsewhere. In a canonical report only those items do that are the same for any number of workers and
 * after an interruption. */
bool report_tells(const struct report_input *in, const struct store_info *info);

/* --- the last known verdict of a claim that was not run now */

/* Returns the last verdict of claim k; NULL: the claim was run now, or no verdict is known. */
const struct standing *report_last(const struct report_input *in, int k);
/* Returns which run the last known verdict `last` is from: "not run now; before, in profile nightly, run of
 * 2026-05-04". */
struct phrase report_last_words(const struct report_input *in, const struct standing *last);
/* Returns the word of claim k: that of its verdict now or, where it was not run, of its last known verdict. */
enum word report_word(const struct report_input *in, int k);

/* --- sections that are one table */

/* The indices of report_sections, whose tables are made of a report_input. PRIVACY has a line for each private
 * method: what it claims, what the accountants, the audit and the replay say. COVERAGE and TRUST show the table of
 * calibrate.h that is compiled in: the coverage of intervals, and the false alarms and the power of verdicts. PEERS
 * shows other programs that did the same work. */
enum section { SECTION_PRIVACY, SECTION_COVERAGE, SECTION_TRUST, SECTION_PEERS };
extern const struct text_table report_sections[];
/* Has the section on other programs anything to print? If their times could not be read, it prints why. */
static inline bool report_peers_any(const struct report_input *in)
{
    return (in->peers && in->peers->n > 0) || in->peers_trouble;
}
/* Returns some sentences on how far the verdicts themselves can be trusted; code is between backticks. */
const char *report_trust_sentence(void);

/* --- runs and failures */

/* Returns how many runs a claim has, and how many of them failed: "80, of which 1 ...; 2.5 seconds of computing."
 * canonical: without the time. */
struct phrase report_runs(const struct judgement *j, bool canonical);
/* Returns the time of all runs: "27.4 seconds of computing". */
struct phrase report_computing(const struct report_input *in);

/* A run that failed or was refused. heading: its outcome or, for an input without records, the id of its claim.
 * cell, heading and message point into the input or into text. */
struct failure {
    const char *cell, *heading, *message;
    char text[sizeof ((struct judgement *)0)->first_failure];
};
/* *f <- the next failed run. *k, which must be 0 at the first call, keeps the place of the next call. Returns false
 * where there are no more. If the input has the records every failed run is found, else the first one of each
 * claim. */
bool report_failure(const struct report_input *in, int *k, struct failure *f);
/* Returns the number of failed runs that report_failure does not find. */
int report_failures_untold(const struct report_input *in);

/* --- how to reproduce. Both texts name the plug-ins and the methods of --method that are loaded; free() them. */

/* Returns the command that repeats one run. */
char *report_rerun(const char *cell);
/* Returns the command that reproduces a verdict in the profile of the input or, where the profile leaves the claim
 * out, in the first profile that has it; for an exploratory verdict with what the user has changed. For a typed
 * claim, and for one on results of other programs, it is the command line that the claim cites. */
char *report_command(const struct report_input *in, const struct judgement *j);

/* --- figures and tables of the papers */

/* Is the vertical axis of the plot a share of a whole, from 0 to 1? */
static inline bool report_plot_shares(const struct plot *p)
{
    return p->kind == PLOT_REACHED || p->kind == PLOT_PROFILE;
}
/* Return the names of the horizontal and of the vertical axis of a plot, with units. */
struct phrase report_plot_x(const struct plot *p);
struct phrase report_plot_y(const struct plotted *p);
/* Returns what line k of a plot shows: "4.7e-04 at T = 7, least 1.2e-05 at 127; slope -1.98 for T from 7 to 63,
 * theory -2", or why it shows nothing. */
struct phrase report_line(const struct plotted *p, int k);

/* The points of all lines of a plot: line, axis, x, y, interval, theory. */
extern const struct text_table report_plot_points;

/* Returns the k-th table with a claim that was judged, k = 0, 1, ...; NULL: there are no more. */
const struct exhibit *report_table_at(const struct report_input *in, int k);
/* Returns the index of the judgement in a cell of a table, by its row and column; -1: there is none. */
int report_table_claim(const struct report_input *in, const struct exhibit_row *r, int column);

#endif

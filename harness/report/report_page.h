/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_page.h - the sections of a report as sentences and cells of tables, shared by all formats. Pure. */
#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

#include "judge/calibrate.h"
#include "report/plotted.h"
#include "report/report.h"
#include "report/report_words.h"

extern const char *const report_title;
/* Paragraphs on what a verdict means; ends with NULL. */
extern const char *const report_meaning[];

/* Does this line of provenance belong into the section on provenance? Lines that the page prints elsewhere do not.
 * Of a canonical report only those do that are the same for any number of workers and any resume. */
bool report_tells(const struct report_input *in, const struct store_info *info);

/* A section that is one table: its title, its introduction, the names of its columns. */
enum { SECTION_COLUMNS = 7 };
struct report_section { const char *title, *sentence, *heading[SECTION_COLUMNS]; };

/* --- runs and failures */

/* "80, of which 1 ...; 2.5 seconds of computing." */
struct phrase report_runs(const struct judgement *j, bool canonical);
/* "27.4 seconds of computing", in all runs. */
struct phrase report_computing(const struct report_input *in);

/* A run that failed. cell and heading point into the input or into text. */
struct failure {
    const char *cell, *heading, *message;
    char text[sizeof ((struct judgement *)0)->first_failure];
};
/* The next failure from *k on; *k moves behind it. false: there are no more. Where the input has the records,
 * every failed run is found, else the first one of each claim. */
bool report_failure(const struct report_input *in, int *k, struct failure *f);
/* The number of failed runs that report_failure does not find. */
int report_failures_untold(const struct report_input *in);
/* The command that repeats one run, with the plug-ins that are loaded; free() it. */
char *report_rerun(const char *cell);

/* --- private methods: claimed, accounted, audited, replayed */

enum { PRIVACY_COLUMNS = 7 };
extern const struct report_section report_privacy;

/* A measured point of a claim of privacy. */
struct privacy_row {
    int judgement;                   /* its index */
    struct phrase cell[PRIVACY_COLUMNS];
};
/* The k-th row, k = 0, 1, ...; false: there are no more. */
bool report_privacy_row(const struct report_input *in, int k, struct privacy_row *row);

/* --- figures and tables of the papers */

/* Is the vertical axis a share of a whole, from 0 to 1? */
bool report_plot_shares(const struct plot *p);
/* Names of the horizontal and of the vertical axis, with units. */
struct phrase report_plot_x(const struct plot *p);
struct phrase report_plot_y(const struct plotted *p);
/* What line k shows: "4.7e-04 at T = 7, least 1.2e-05 at 127; slope -1.98 for T from 7 to 63, theory -2", or why
 * it shows nothing. */
struct phrase report_line(const struct plotted *p, int k);
/* The command that repeats a plot. */
struct phrase report_plot_command(const struct plotted *p, enum profile profile);

enum { PLOT_COLUMNS = 6 };
/* Columns of the table of a plot's points: line, axis, x, y, interval, theory. */
void report_plot_heading(const struct plotted *p, struct phrase cell[PLOT_COLUMNS]);
void report_plot_row(const struct plotted *p, int line, int point, struct phrase cell[PLOT_COLUMNS]);

/* The k-th table with a claim that was judged, k = 0, 1, ...; NULL: there are no more. */
const struct exhibit *report_table_at(const struct report_input *in, int k);
/* The index of the judgement that stands in a cell; -1: none. */
int report_table_claim(const struct report_input *in, const struct exhibit_row *r, int column);

/* --- other programs that did the same work */

enum { PEER_COLUMNS = 6 };
extern const struct report_section report_peers;

/* Does the section have anything to print, be it that its file is damaged? */
bool report_peers_any(const struct report_input *in);
/* The cells of a row: the work, the time of this program, the time of the other one, their ratio, which answers
 * were compared, when and where it was measured. */
void report_peers_row(const struct peer *p, struct phrase cell[PEER_COLUMNS]);

/* --- how far the harness itself can be trusted, from the table that is compiled in (calibrate.h) */

/* Code stands between backticks. */
const char *report_trust_sentence(void);

/* The coverage of one interval on data of one distribution, by number of replicates. */
enum { COVERAGE_CELLS = 16 };
struct coverage_line {
    const char *law, *noise;
    int cells;
    const struct calibration *cell[COVERAGE_CELLS];
    struct phrase covered[COVERAGE_CELLS];   /* "93.4": percent */
    bool poor[COVERAGE_CELLS];               /* the coverage is lower than an interval of 95% must have */
};
/* The line after the row `last` of the table, the first line for NULL; false: there is none. */
bool report_coverage(const struct calibration *last, struct coverage_line *line);

/* The checks whose verdicts on synthetic data were counted. Ends with NULL. */
extern const char *const report_trust_checks[];
/* The share of verdicts under a heading of report_trust_heading; "-": not measured. */
enum { TRUST_COLUMNS = 4 };
extern const char *const report_trust_heading[TRUST_COLUMNS];
struct phrase report_trust_share(const char *check, int column);

#endif

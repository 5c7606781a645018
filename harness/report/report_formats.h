/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_formats.h - the formats of the report. All of them read the same input and the same figures. The caller
 * checks ferror. */
#ifndef ASSAY_REPORT_FORMATS_H
#define ASSAY_REPORT_FORMATS_H

#include "report/figure.h"
#include "report/report.h"

/* Markdown in full. figure[in->judgements + in->plots], drawn in the folder figures/ beside the page. figure NULL:
 * one page, for a comment on a pull request or the summary of a job: what has changed, what contradicts a claim,
 * each paper in a line. It is always below 60,000 characters, since a comment on GitHub holds 65,536: long lists
 * are cut, and the number of lines left out is printed. */
void report_markdown(FILE *out, const struct report_input *in, const struct figure *figure);

/* JUnit XML for machines that count tests: a suite for each paper, a case for each claim. CONTRADICTED and SUSPECT
 * are failures, INCONCLUSIVE and NOT_RUN are skipped, each with its reason; a contradicted claim of kind evidence
 * is skipped too. The control stands in system-out. */
void report_junit(FILE *out, const struct report_input *in);

/* Parts of pages that studies use too. The start of a page, to the end of its <head>; alone: its style sheet is
 * inside, else it refers to report.css and report.js. */
void report_html_head(FILE *out, const char *title, bool alone);
/* A figure of the folder figures/, and links to its files; label is the text for readers who cannot see it. */
void report_html_figure(FILE *out, const struct figure *f, const char *label);
/* A table of numbers in a box that scrolls sideways where the table is too wide: up to the first cell of the
 * heading, which the caller ends by "</tr></thead>\n<tbody>\n", and from the last row to the end of the box. */
void report_html_table(FILE *out, const char *label, const char *caption);
void report_html_table_end(FILE *out);

#endif

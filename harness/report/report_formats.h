/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_formats.h - prints the report as Markdown and as JUnit XML, and parts of HTML pages. Callers check
 * ferror. */
#ifndef ASSAY_REPORT_FORMATS_H
#define ASSAY_REPORT_FORMATS_H

#include "report/figure.h"
#include "report/report.h"

/* Prints the report as Markdown in full. figure[in->judgements + in->plots]: the figures, which are in the folder
 * figures/ beside the page. With figure NULL it prints one page, for a comment on a pull request or the summary of
 * a job: the theorems, what has changed, what contradicts a claim, each paper in a line. That page is always below
 * 60,000 characters, since a comment on GitHub holds 65,536: long lists are cut, and the number of lines left out
 * is printed. */
void report_markdown(FILE *out, const struct report_input *in, const struct figure *figure);

/* Prints JUnit XML, for programs that count tests: a suite for each paper, a case for each claim. CONTRADICTED and
 * SUSPECT are failures. INCONCLUSIVE and NOT_RUN are skipped, each with its reason, and so is a contradicted claim
 * of kind evidence. The result of the control is printed in the element system-out. */
void report_junit(FILE *out, const struct report_input *in);

/* Parts of pages that studies use too. report_html_head prints the start of a page, to the end of its <head>.
 * alone: the style sheet is printed into the page; else the page refers to report.css and report.js. */
void report_html_head(FILE *out, const char *title, bool alone);
/* Prints a figure of the folder figures/, and links to its files. label is the text for readers who cannot see
 * it. */
void report_html_figure(FILE *out, const struct figure *f, const char *label);
/* Print a table of numbers in a box that scrolls sideways where the table is too wide. report_html_table prints up
 * to the first cell of the heading, which the caller ends by "</tr></thead>\n<tbody>\n"; report_html_table_end
 * prints from the last row to the end of the box. */
void report_html_table(FILE *out, const char *label, const char *caption);
void report_html_table_end(FILE *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html.h - the report as one page that needs nothing else: style, script and figures are
 * inside. It is well-formed XML too. */
#ifndef ASSAY_REPORT_HTML_H
#define ASSAY_REPORT_HTML_H

#include "report/figure.h"
#include "report/report.h"

/* figure[in->judgements + in->plots], drawn in `folder`, are read from there; from the page they
 * will be in the folder figures/. The caller asks ferror. */
void report_html(FILE *out, const struct report_input *in, const struct figure *figure,
                 const char *folder);

/* --- its parts */

/* The tables of verdicts by paper. */
void report_html_verdicts(FILE *out, const struct report_input *in, const struct figure *figure);
/* Figures and tables of the papers: nothing where none are declared. */
void report_html_exhibits(FILE *out, const struct report_input *in, const struct figure *figure,
                          const char *folder);
/* A drawing of the folder with its files; label: what it shows, number: its own. */
void report_html_figure(FILE *out, const struct figure *f, const char *folder, const char *label,
                        int number);
/* Private methods: nothing where none was measured. */
void report_html_privacy(FILE *out, const struct report_input *in, const struct figure *figure);
/* The section of claim k. */
void report_html_claim(FILE *out, const struct report_input *in, int k, const struct figure *f,
                       const char *folder);
/* How far the harness itself can be trusted. */
void report_html_trust(FILE *out);

/* What is new since the baseline and since earlier nights, and the verdicts of all nights; each nothing
 * where nothing is known of it. */
void report_html_changes(FILE *out, const struct report_input *in, const struct figure *figure);
/* Claims about what papers print, each with its proof. */
bool report_html_has_errata(const struct report_input *in);
void report_html_errata(FILE *out, const struct report_input *in, const struct figure *figure);
void report_html_time_steps(FILE *out, const struct report_input *in);
void report_html_times(FILE *out, const struct report_input *in);
/* Other programs that did the same work: nothing where none did. */
void report_html_peers(FILE *out, const struct report_input *in);
void report_html_nights(FILE *out, const struct report_input *in, const struct figure *figure);

/* A verdict as a sign and a colour, its word for those who cannot see them, with a date. */
void report_html_mark(FILE *out, enum word w, const char *date);
/* A verdict as a word with a sign and a colour of its own. */
void report_html_word(FILE *out, const struct judgement *j);
void report_html_control(FILE *out, const struct judgement *j);
/* Data attributes that the page's filters read. */
void report_html_keys(FILE *out, const struct judgement *j);
/* A box that scrolls sideways where its table is too wide, and its end. */
void report_html_box(FILE *out, const char *label);
void report_html_box_end(FILE *out);

#endif

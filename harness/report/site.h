/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.h - the report as pages of HTML: index.html, a page a paper, a page a theorem, the nights, and how to read
 * them. They refer to each other, to report.css, report.js and the folder figures/ by plain links, so that they
 * open from a file. */
#ifndef ASSAY_SITE_H
#define ASSAY_SITE_H

#include "report/report_formats.h"
#include "report/report_page.h"
#include "report/report_words.h"

struct site {
    const struct report_input *in;
    const struct figure *figure; /* [in->judgements + in->plots] the figures of claims, then of plots */
    const struct theorem *
        *theorem; /* [in->judgements] the theorem on whose page the claim is; NULL: it is on that of its paper */
    const char *beside; /* the folder into which the pages will be moved */
};

/* --- addresses of pages and claims */

/* Return the names of the pages: "theorem-resque__thm1.html", "paper-resque.html". */
struct phrase site_theorem(const struct theorem *t);
struct phrase site_paper(const char *key);
/* Has the id the form PAPER/NAME with this paper? */
bool site_is_of(const char *id, const char *paper);
/* Returns the address of judgement k, a page and an anchor:
 * "theorem-resque__thm1.html#resque__parallel.thm1.later.kappa". */
struct phrase site_claim(const struct site *s, int k);
/* Prints the claim's id as a link to its address, or as it is where the report does not have the claim. */
void site_put_claim(FILE *out, const struct site *s, const char *id);

/* --- parts of pages */

/* The argument `here` of site_open for a page with a broad table. */
#define PAGE_BROAD "broad"
/* site_open prints the page from <head> to the beginning of its header; here: the file name of the page if the
 * navigation has it, PAGE_BROAD, or another text. The caller may then print into the header; site_main ends it and
 * begins <main>; site_close ends the page. */
void site_open(FILE *out, const struct site *s, const char *title, const char *here);
void site_main(FILE *out);
void site_close(FILE *out);
/* Prints the form with which a reader filters claims. It is hidden until the script of the page shows it. */
void site_put_filters(FILE *out);

/* Print a verdict with sign, word and colour. site_put_verdict prints that of judgement k, or its last known
 * verdict if the claim was not run now. */
void site_put_word(FILE *out, enum word w);
void site_put_verdict(FILE *out, const struct site *s, int k);
void site_put_control(FILE *out, const struct judgement *j);
const char *site_class(enum word w);
const char *site_sign(enum word w);
/* Prints the HTML attributes of judgement k by which the script of the page filters. */
void site_put_keys(FILE *out, const struct site *s, int k);
void site_put_box(FILE *out, const char *label);
void site_put_command(FILE *out, const char *command);
/* Prints the table that t makes of `of`; paper NULL: all rows; else only those whose judgement is of this paper.
 * opening prints what comes before the table; NULL: nothing. Prints nothing and returns false where there are no
 * rows. */
bool site_put_table(FILE *out, const struct site *s, const struct text_table *t, const void *of,
                    const char *paper, void (*opening)(FILE *out));
/* Prints the start of a section with a heading of level 2. */
void site_put_section(FILE *out, const char *id, const char *title);
/* Prints the text `shown` for a term of the glossary (CONVENTIONS.md), whose explanation appears under the
 * pointer. */
void site_put_term(FILE *out, const char *term, const char *shown);

/* --- pages and their sections */

void site_put_index(FILE *out, const struct site *s);
void site_put_paper(FILE *out, const struct site *s, const struct paper *p,
                    const char *key); /* p NULL: the program has no paper of this key */
void site_put_theorem(FILE *out, const struct site *s, const struct theorem *t);
void site_put_nights(FILE *out, const struct site *s);
void site_put_about(FILE *out, const struct site *s);

/* Prints the table of theorems of the paper with this key; NULL: of all papers. */
void site_put_grid(FILE *out, const struct site *s, const char *paper);
/* Prints two graphs of the claim of judgement k over the nights that ran it, if they are two or more: the level of
 * its measured numbers, if this or the verdict has changed, and its processor time. */
void site_put_graphs(FILE *out, const struct site *s, int k);
/* Prints the claim of judgement k: statement, verdict, figure, numbers, rule, control, runs, attempts, and how to
 * repeat it. */
void site_put_article(FILE *out, const struct site *s, int k);
/* site_put_changes prints what has changed since the baseline and the night before. site_put_steps prints the
 * nights on which something changed that must be accepted or mended, each with its changes, the newest first and at
 * most `most` of them; then the times that changed. */
void site_put_changes(FILE *out, const struct site *s);
void site_put_steps(FILE *out, const struct site *s, int most);

/* Writes all pages into a folder, from which the caller will move them to the folder `beside`. IO_ERROR: a page
 * cannot be written. */
enum status site_write(const struct report_input *in, const struct figure *figure,
                       const char *folder, const char *beside, struct why *why);

#endif

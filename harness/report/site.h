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
    const struct figure *figure; /* [in->judgements + in->plots] */
    const struct theorem *
        *theorem; /* [in->judgements] on whose page the claim stands; NULL: its paper's */
    const char *beside; /* the folder in which the pages will stand */
};

/* --- places */

/* Return the names of the pages: "theorem-resque__thm1.html", "paper-resque.html". */
struct phrase site_theorem(const struct theorem *t);
struct phrase site_paper(const char *key);
/* Is this the id of something of the paper, PAPER/NAME? */
bool site_is_of(const char *id, const char *paper);
/* Returns the place of judgement k: "theorem-resque__thm1.html#resque__parallel.thm1.later.kappa". */
struct phrase site_claim(const struct site *s, int k);
/* Prints the claim's id as a link to its place, or as it is where the report has no such claim. */
void site_put_claim(FILE *out, const struct site *s, const char *id);

/* --- parts of pages */

/* What site_open takes as `here` for a page with a broad table. */
#define PAGE_BROAD "broad"
/* Prints from <head> to the header; here: the file of the page, where the navigation names it, or PAGE_BROAD. The
 * caller may print into the header until site_main, which starts <main>; site_close ends the page. */
void site_open(FILE *out, const struct site *s, const char *title, const char *here);
void site_main(FILE *out);
void site_close(FILE *out);
/* Prints the form of the filters, which the script shows; without a script it stays hidden. */
void site_put_filters(FILE *out);

/* Print a verdict with sign, word and colour; that of judgement k may be the last verdict known. */
void site_put_word(FILE *out, enum word w);
void site_put_verdict(FILE *out, const struct site *s, int k);
void site_put_control(FILE *out, const struct judgement *j);
const char *site_class(enum word w);
const char *site_sign(enum word w);
/* Prints the attributes of judgement k by which the script filters. */
void site_put_keys(FILE *out, const struct site *s, int k);
void site_put_box(FILE *out, const char *label);
void site_put_command(FILE *out, const char *command);
/* Prints the table that t makes of `of`; where paper is not NULL, only the rows whose judgement is of the paper.
 * opening, or NULL, prints what comes before. Prints nothing and returns false where there are no rows. */
bool site_put_table(FILE *out, const struct site *s, const struct text_table *t, const void *of,
                    const char *paper, void (*opening)(FILE *out));
/* Prints the start of a section with a heading of level 2. */
void site_put_section(FILE *out, const char *id, const char *title);
/* Prints a term of the glossary (CONVENTIONS.md) as it is `shown`, with its explanation under the pointer. */
void site_put_term(FILE *out, const char *term, const char *shown);

/* --- pages and their sections */

void site_put_index(FILE *out, const struct site *s);
void site_put_paper(FILE *out, const struct site *s, const struct paper *p,
                    const char *key); /* p: NULL where the program does not know the paper */
void site_put_theorem(FILE *out, const struct site *s, const struct theorem *t);
void site_put_nights(FILE *out, const struct site *s);
void site_put_about(FILE *out, const struct site *s);

/* Prints the table of theorems, of the paper with this key or, NULL, of all. */
void site_put_grid(FILE *out, const struct site *s, const char *paper);
/* Prints graphs of level and time of judgement k over the nights, where there are two or more; a level that is the
 * same in all of them has no graph. */
void site_put_graphs(FILE *out, const struct site *s, int k);
/* Prints one claim: statement, verdict, figure, numbers, rule, control, runs, attempts, and how to do it again. */
void site_put_article(FILE *out, const struct site *s, int k);
/* site_put_changes prints what has changed since the baseline and the night before. site_put_steps prints the
 * nights with their changes, newest first and at most `most` of them, and the times that changed. */
void site_put_changes(FILE *out, const struct site *s);
void site_put_steps(FILE *out, const struct site *s, int most);

/* Writes all pages into a folder, from where they will be moved to the folder `beside`. IO_ERROR. */
enum status site_write(const struct report_input *in, const struct figure *figure,
                       const char *folder, const char *beside, struct why *why);

#endif

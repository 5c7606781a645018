/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - functions that contests (contest_run.h) and reproductions (reproduce.h) share: stages of cells that are
 * planned and run together, rows of results, the beginning and end of a page. */
#ifndef ASSAY_STUDY_H
#define ASSAY_STUDY_H

#include "judge/plan_records.h"
#include "plan/plan_cells.h"
#include "record/listing.h"
#include "report/figure.h"
#include "text/folder.h"

/* What the command line asks of a study (a contest, a reproduction, a sweep): how the cells run, what is printed,
 * and where the page is written. */
struct study_request {
    struct run_request run;
    const char *output;                  /* folder of the page */
    const char *command;                 /* the command line as typed, for the page */
    enum record_format format;           /* format of the printed results */
};

/* --- stages. The cells of a stage depend only on the records of the stage before, so that a run that was
 * interrupted in any stage can be continued. */

struct stage {
    struct selection s;              /* the user's selection, without its seed */
    double seed;                     /* the master seed */
    struct runner *runner;
    struct plan plan;
};
void stage_begin(struct stage *g, const struct selection *s);
void stage_end(struct stage *g);

/* A run of a study. Where settings have the same name, the user's wins over that of `chosen`, that of `chosen` over
 * that of of_method, and that of of_method over those of of_problem and of_study. */
struct study_run {
    const char *name;                /* name of the instance, for messages */
    const char *problem, *algo, *measure;
    const char *axis;                /* NULL: none */
    double at;                       /* value of the axis; also the argument of settings that are functions (member
                                        `of` of struct setting) */
    const struct setting *of_problem, *of_study, *of_method;
    struct variant chosen;
    bool fresh;                      /* the run has a seed that runs with fresh = false do not have */
};
/* Adds the cell of a replicate to the plan of the stage; *at <- the index of the cell. BAD_INPUT: no cell accepts
 * the settings. */
enum status stage_add(struct stage *g, const struct study_run *run, long rep, int *at, struct why *why);
/* Runs all cells of the stage. x->record <- their records, which the caller frees by free_records, also after a
 * failure. *code <- the exit code if the run was interrupted, else it is left as it was. */
enum status stage_run(const struct study_request *q, struct stage *g, struct execution *x, int *code,
                      struct why *why);

/* Returns the k-th value, k = 0, ..., points - 1, of a geometric grid. */
double study_grid(double from, double to, int points, int k);

/* --- rows of results, the same in CSV and JSON */

/* A field of a row: a text or, where text is NULL, a number; NaN: the field is empty. */
struct study_field { const char *name, *text; double value; };
/* Begins a listing whose columns have the names of f[n], and prints its heading. */
struct listing study_listing(enum record_format format, const struct listing_layout *layout,
                             const struct study_field *f, int n);
void study_row(struct listing *l, const struct study_field *f);

/* --- a page of its own beside the report */

/* A figure of a study, in the form that harness/report draws: a plot with its measured lines. label: the memory of
 * the lines' labels; runs: an empty judgement, to which the lines point, since a study has none. */
struct drawing {
    char id[FIGURE_NAME], title[200], label[LINES_MAX][96];
    struct plot plot;
    struct plotted plotted;
    struct judgement runs;
};
/* Adds a line without points to the drawing and returns it. Its label is "LABEL" or "LABEL, WORDS". NULL: the
 * drawing has no room for another line. */
struct plotted_line *study_line(struct drawing *d, const char *label, const char *algo, const char *words);
/* Draws n figures into the folder; make(ctx, k, d) fills in the k-th drawing. f[n] <- the figures. */
enum status study_draw(const char *folder, struct figure *f, int n,
                       void (*make)(const void *ctx, int k, struct drawing *d), const void *ctx, struct why *why);

/* Removes the drawings of the paper `key` from output/figures. For a paper that is made of a command line: drawings
 * of an earlier command line do not belong to the new page. */
void study_drop_drawings(const char *output, const char *key);

/* The name of a page without its ending: reproduce-KEY, followed by what the user has selected, and by "altered"
 * where settings were changed, so that such a page does not replace that of the whole study. */
struct page_name { char at[FIGURE_NAME]; };
struct page_name study_page_name(const struct paper *paper, const struct selection *s, bool altered);

/* Prints n cells of an HTML table with the numbers x[n]; NaN is printed as a dash. */
void study_numbers(FILE *out, int n, const double *x);
/* Print the beginning of a page, up to its heading, and its end, from the section "Reproduce" on. */
void study_page_begin(FILE *out, const char *title);
void study_page_end(FILE *out, const char *command);
/* Writes q->output/NAME.html with what put(out, ctx) prints, whole or not at all. IO_ERROR: it cannot be
 * written. */
enum status study_page_write(const struct study_request *q, const char *name, file_put *put, const void *ctx,
                             struct why *why);

#endif

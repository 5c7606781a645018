/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - the engine of a paper's experiments, which contests (contest_run.h) and reproductions (reproduce.h)
 * share: stages of cells that are planned and run together, rows of results, the frame of a page. */
#ifndef ASSAY_STUDY_H
#define ASSAY_STUDY_H

#include "judge/plan_records.h"
#include "plan/plan_cells.h"
#include "record/listing.h"
#include "report/figure.h"
#include "text/folder.h"

/* How the cells run, and where the page goes. */
struct study_request {
    struct run_request run;
    const char *output;                  /* folder of the page */
    const char *command;                 /* the line as typed, for the page */
    enum record_format format;           /* of what is printed */
};

/* --- stages. What a stage runs follows from the records of the stage before alone, so that any stage may be cut
 * off and resumed. */

struct stage {
    struct selection s;              /* the user's, but for the seed */
    double seed;                     /* the master seed */
    struct runner *runner;
    struct plan plan;
};
void stage_begin(struct stage *g, const struct selection *s);
void stage_end(struct stage *g);

/* A run of a study. Settings of the method win over those of the problem and of the study, chosen ones win over all
 * but the user's. */
struct study_run {
    const char *name;                /* of the instance, for messages */
    const char *problem, *algo, *measure;
    const char *axis;                /* NULL: none */
    double at;                       /* value of the axis, and what settings with `of` are given */
    const struct setting *of_problem, *of_study, *of_method;
    struct variant chosen;
    bool fresh;                      /* with seeds that no run of another stage has */
};
/* *at <- where the cell of this replicate stands in the stage's plan. BAD_INPUT: settings that no cell accepts. */
enum status stage_add(struct stage *g, const struct study_run *run, long rep, int *at, struct why *why);
/* Runs all cells of the stage. x->record: of the cells, to be freed by free_records, also after a failure. *code:
 * of an interruption, else as it was. */
enum status stage_run(const struct study_request *q, struct stage *g, struct execution *x, int *code,
                      struct why *why);

/* The k-th value of a geometric grid of so many points. */
double study_grid(double from, double to, int points, int k);

/* --- rows of results, the same in CSV and JSON */

/* text NULL: a number, NaN where there is none. */
struct study_field { const char *name, *text; double value; };
/* A listing whose columns have the names of f[n], and its heading. */
struct listing study_listing(enum record_format format, const struct listing_layout *layout,
                             const struct study_field *f, int n);
void study_row(struct listing *l, const struct study_field *f);

/* --- a page of its own beside the report */

/* A drawing of one panel. Nothing of a study is judged: `runs` is empty. */
struct drawing {
    char id[FIGURE_NAME], title[200], label[LINES_MAX][96];
    struct plot plot;
    struct plotted plotted;
    struct judgement runs;
};
/* A line to be filled, called METHOD or METHOD, WORDS; NULL: there are no more. */
struct plotted_line *study_line(struct drawing *d, const char *label, const char *algo, const char *words);
/* Draws all, the k-th made by `make`, into the folder. f[n] <- the figures. */
enum status study_draw(const char *folder, struct figure *f, int n,
                       void (*make)(const void *ctx, int k, struct drawing *d), const void *ctx, struct why *why);

/* Removes the drawings of a paper that is made of a command line from output/figures: those of an earlier line
 * would stand beside what the page shows. */
void study_drop_drawings(const char *output, const char *key);

/* The name of a page, without its ending: reproduce-KEY, and what was selected behind it, so that the page of a
 * part leaves the page of the whole alone. */
struct page_name { char at[FIGURE_NAME]; };
struct page_name study_page_name(const struct paper *paper, const struct selection *s, bool altered);

/* Cells of a table: x[n], a dash for NaN. */
void study_numbers(FILE *out, int n, const double *x);
/* From the first line to the heading, and from "Reproduce" to the last line. */
void study_page_begin(FILE *out, const char *title);
void study_page_end(FILE *out, const char *command);
/* output/NAME.html, written by `put` whole or not at all. IO_ERROR. */
enum status study_page_write(const struct study_request *q, const char *name, file_put *put, const void *ctx,
                             struct why *why);

#endif

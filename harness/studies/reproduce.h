/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce.h - repeats the experiments of a paper. A panel is one problem on which a paper compares methods. A
 * trial is a number of replicates of one method on one panel with one choice of parameters. Trials are planned as
 * cells and run; methods are tuned in stages; the results are shown as text and as a page. */
#ifndef ASSAY_REPRODUCE_H
#define ASSAY_REPRODUCE_H

#include "studies/study.h"

enum trial_kind { TRIAL_PUBLISHED, TRIAL_ABLATION, TRIAL_GRID, TRIAL_TUNED, TRIAL_FRESH };

enum { TRIAL_RUNS = 64, TRIAL_POINTS = 48 };

/* The parameters of a trial: the number of passes, and the values of two settings, which tuning->grid names. */
struct choice {
    const struct tuning *tuning;     /* NULL: the parameters are those that the paper published */
    double passes, value[GRID_SETTINGS];
};

/* A mark, over the runs of a trial. steps: the batch steps that each run had made; mean, least, most: the mean,
 * smallest and largest error that the runs would have if they stopped here. */
struct outcome_point { double steps, mean, least, most; };

/* The results of a trial. The error of an answer is (F - F*)/F*, +infinity for a run that diverged. */
struct outcome_of {
    int runs, failed;                /* numbers of runs. runs: of those that are OK; failed: of those that crashed,
                                        timed out or were refused */
    double mean, least, most;        /* the mean, smallest and largest error of the runs */
    double hits, errors, support;    /* hits: mean number of an answer's non-zeros in the support of the optimum;
                                        errors: mean number outside of it; support: number of non-zeros of the
                                        optimum */
    double start;                    /* the error of the start, F(0)/F* - 1 */
    double seconds;                  /* processor seconds of the quickest run */
    double steps;                    /* batch steps of the longest run */
    char message[200];               /* the message of the first failure, or "" */
    int points;                      /* number of marks in `point` */
    struct outcome_point point[TRIAL_POINTS];
};

struct trial {
    enum trial_kind kind;
    const struct panel *panel;
    const struct contender *method;
    struct choice choice;
    int runs, cell[TRIAL_RUNS];      /* runs: number of replicates, 0 if the data are not on this machine; cell:
                                        [runs] the indices of their cells in the plan */
    char missing[DATA_MISSING];      /* which data are missing, and where to get them; "": none */
    bool altered;                    /* the user has changed settings, so that published numbers do not apply */
    struct outcome_of outcome;
};

/* Trials that are planned and run together, as one stage. */
struct trials {
    const struct reproduction *what;
    struct stage stage;
    struct trial *at;
    int count, room;
};

void trials_begin(struct trials *t, const struct reproduction *what, const struct selection *s);
void trials_end(struct trials *t);
/* Plans every selected method of every selected panel with its published parameters, and the ablations. BAD_INPUT:
 * no method or panel is selected. */
enum status trials_published(struct trials *t, struct why *why);
/* Sets the outcome of a trial; record[]: the records of all cells of the plan, NULL for one that did not run. */
void trials_collect(struct trial *t, struct record *const *record);
/* Runs the cells of all trials and sets their outcomes. *code <- the exit code if the run was interrupted, else it
 * is left as it was. */
enum status trials_run(const struct study_request *q, struct trials *t, int *code, struct why *why);
/* Tunes all methods on the selected panels by their grids, in three stages: one run of every choice; all replicates
 * of the best choices; the winner on fresh seeds. Before that it prints the expected time, computed from the time
 * of a pass in the trials `published`. Adds for each method its winner to *best, and a trial of it on fresh seeds.
 * *code <- as of trials_run. */
enum status trials_tune(const struct study_request *q, const struct reproduction *r,
                        const struct trials *published, struct trials *best, int *code,
                        struct why *why);

/* Prints the published and the tuned trials on stdout, in the format q->format. */
void reproduce_print(const struct study_request *q, const struct trials *published,
                     const struct trials *tuned);
/* Returns the name of the page of this reproduction. */
struct page_name reproduce_name(const struct paper *paper, const struct trials *published);
/* Writes output/NAME.html and the figures of this page. IO_ERROR: a file cannot be written. */
enum status reproduce_page(const struct study_request *q, const struct paper *paper,
                           const struct trials *published, const struct trials *tuned,
                           struct why *why);

#endif

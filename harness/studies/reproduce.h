/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce.h - runs the experiments of a paper again. A trial is some runs of one method on one panel with one
 * choice of parameters. Trials are planned as cells, run, tuned by stages, and shown as text and as a page. */
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

/* A mark. part: the share of the run that was done; mean, least, most: the mean, least and largest error of the
 * runs if they stopped here. */
struct outcome_point { double part, mean, least, most; };

/* The results of a trial. The error of an answer is (F - F*)/F*, +infinity for a run that diverged. */
struct outcome_of {
    int runs, failed;                /* runs: that ended; failed: that crashed, ran out of time or were refused */
    double mean, least, most;        /* the mean, least and largest error of the runs */
    double hits, errors, support;    /* hits: mean number of an answer's non-zeros in the support of the optimum;
                                        errors: mean number outside of it; support: number of non-zeros of the
                                        optimum */
    double start;                    /* the error of the start, F(0)/F* - 1 */
    double seconds;                  /* time of the quickest run */
    char message[200];               /* the message of the first failure, or "" */
    int points;                      /* number of marks */
    struct outcome_point point[TRIAL_POINTS];
};

struct trial {
    enum trial_kind kind;
    const struct panel *panel;
    const struct contender *method;
    struct choice choice;
    int runs, cell[TRIAL_RUNS];      /* cell: [runs] indices in the plan. runs is 0 if the data are missing here */
    char missing[DATA_MISSING];      /* which data are missing, and where to get them; "": none */
    bool altered;                    /* the user has changed settings, so that published numbers do not apply */
    struct outcome_of outcome;
};

/* Trials that are planned and run together. */
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
/* Runs the cells of all trials and fills their outcomes. *code <- the exit code of an interruption; without one it
 * is left as it was. */
enum status trials_run(const struct study_request *q, struct trials *t, int *code, struct why *why);
/* Tunes all methods on the selected panels by their grids, in three stages: one run of every choice; all runs of
 * the best choices; the winner on fresh seeds. Before it runs them it prints the expected cost, by the time of a
 * pass in the runs of `published`. Adds each winner to *best, followed by its trial on fresh seeds. *code <- the
 * exit code of an interruption; without one it is left as it was. */
enum status trials_tune(const struct study_request *q, const struct reproduction *r,
                        const struct trials *published, struct trials *best, int *code,
                        struct why *why);

/* Prints the trials on stdout, in the format of q->format. */
void reproduce_print(const struct study_request *q, const struct trials *published,
                     const struct trials *tuned);
/* Returns the name of the page of this reproduction. */
struct page_name reproduce_name(const struct paper *paper, const struct trials *published);
/* Writes output/NAME.html and the figures of this page. IO_ERROR. */
enum status reproduce_page(const struct study_request *q, const struct paper *paper,
                           const struct trials *published, const struct trials *tuned,
                           struct why *why);

#endif

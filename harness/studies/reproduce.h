/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce.h - a paper's experiments again: trials, each some runs of one method on one panel with one choice of
 * parameters, become cells of a plan; what their records say; tuning by stages; text and page. */
#ifndef ASSAY_REPRODUCE_H
#define ASSAY_REPRODUCE_H

#include "studies/study.h"

enum trial_kind { TRIAL_PUBLISHED, TRIAL_ABLATION, TRIAL_GRID, TRIAL_TUNED, TRIAL_FRESH };

enum { TRIAL_RUNS = 64, TRIAL_POINTS = 48 };

/* The parameters: passes, and two settings of a grid, whose names the tuning has. */
struct choice {
    const struct tuning *tuning;     /* NULL: as published */
    double passes, value[GRID_SETTINGS];
};

/* At a mark: the part of the run that was done, and the errors of the answers that it would have given. */
struct outcome_point { double part, mean, least, most; };

/* The results of a trial. Of the answers: (F - F*)/F*, +infinity for a run that diverged, and their non-zeros in
 * and out of the optimum's support. */
struct outcome_of {
    int runs, failed;                /* that ended; that crashed, ran out of time or were refused */
    double mean, least, most;
    double hits, errors, support;    /* means; non-zeros of the optimum */
    double start;                    /* F(0)/F* - 1 */
    double seconds;                  /* of the quickest run */
    char message[200];               /* of the first failure, or "" */
    int points;                      /* along the runs, at their marks */
    struct outcome_point point[TRIAL_POINTS];
};

struct trial {
    enum trial_kind kind;
    const struct panel *panel;
    const struct contender *method;
    struct choice choice;
    int runs, cell[TRIAL_RUNS];      /* cells in the plan; runs 0: the data are not on this machine */
    char missing[DATA_MISSING];      /* then: what is missing, and where to get it; else "" */
    bool altered;                    /* by the user's settings: published numbers belong to other settings */
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
/* Plans every selected method of every selected panel as published, and the ablations. BAD_INPUT: none is
 * selected. */
enum status trials_published(struct trials *t, struct why *why);
/* Runs the cells of all trials and fills their outcomes. *code: of an interruption, else as it was. */
enum status trials_run(const struct study_request *q, struct trials *t, int *code, struct why *why);
/* The grids of all methods on the selected panels, in three stages: one run of every choice; all runs of the best
 * of them; fresh seeds for the winner. Their expected cost is printed first, from the time that a pass of the runs
 * of `published` took. Winners are added to *best, with their fresh trials behind them. *code as above. */
enum status trials_tune(const struct study_request *q, const struct reproduction *r,
                        const struct trials *published, struct trials *best, int *code,
                        struct why *why);

/* On stdout, in the format asked for. */
void reproduce_print(const struct study_request *q, const struct trials *published,
                     const struct trials *tuned);
/* The name of the page. */
struct page_name reproduce_name(const struct paper *paper, const struct trials *published);
/* output/NAME.html with its figures. IO_ERROR. */
enum status reproduce_page(const struct study_request *q, const struct paper *paper,
                           const struct trials *published, const struct trials *tuned,
                           struct why *why);

#endif

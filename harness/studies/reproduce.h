/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce.h - a paper's experiments again: trials, each some runs of one method on one panel with
 * one choice of parameters, become cells of a plan; what their records say; tuning by stages; text
 * and page. */
#ifndef ASSAY_REPRODUCE_H
#define ASSAY_REPRODUCE_H

#include "plan/plan_cells.h"
#include "studies/study.h"

enum trial_kind { TRIAL_PUBLISHED, TRIAL_ABLATION, TRIAL_GRID, TRIAL_TUNED, TRIAL_FRESH };
const char *trial_word(enum trial_kind k);

enum { TRIAL_RUNS = 64, TRIAL_POINTS = 48 };

/* Where the parameters stand: passes and two settings of a grid, whose names the tuning has. */
struct choice {
    const struct tuning *tuning;     /* NULL: as published */
    double passes, value[GRID_SETTINGS];
};

/* At a mark: the part of the run that was done, and the error of what it would have answered. */
struct outcome_point { double part, mean, least, most; };

/* What the runs of a trial came to. Of the answers: (F - F*)/F*, and their non-zeros in and out of
 * the optimum's support; a run that diverged has +infinity. */
struct outcome_of {
    int runs, failed;                /* with a record that counts; crashed, out of time, refused */
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
    int runs, cell[TRIAL_RUNS];      /* in the plan; runs 0: the data are not here */
    char missing[DATA_MISSING];      /* then: what is missing, and where to get it */
    bool altered;                    /* by the user's settings: what was published is of others */
    struct outcome_of outcome;
};

/* What trials are planned with. */
struct trials {
    const struct reproduction *what;
    struct selection s;              /* the user's, but for the seed */
    double seed;                     /* the master seed */
    struct runner *runner;
    struct plan plan;
    struct trial *at;
    int count, room;
};

void trials_begin(struct trials *t, const struct reproduction *what, const struct selection *s);
void trials_end(struct trials *t);
/* Plans `runs` replicates of a trial of which kind, panel, method and choice are set. fresh: with
 * seeds of their own; watched: with marks. BAD_INPUT: settings that no cell accepts. */
enum status trials_add(struct trials *t, const struct trial *trial, int runs, bool fresh,
                       bool watched, struct why *why);
/* Every selected method of every selected panel as published; ablations too. BAD_INPUT: none. */
enum status trials_published(struct trials *t, struct why *why);
/* Outcomes of all trials from the records of their cells, NULL where one was not run. */
void trials_collect(struct trials *t, struct record *const *record);
/* Does what the paper printed of this method stand beside these runs? */
bool trial_is_published(const struct trial *t);
/* What is said of altered trials. */
extern const char trials_altered[];
bool panel_selected(const struct selection *s, const struct panel *p, const struct contender *c);

/* The grids of all methods on the selected panels, in three stages, each resumable: one run of
 * every choice; all runs of the best of them; fresh seeds for the winner. published: what has been
 * run with the published parameters, which tells what a pass costs: printed first. Winners are added to
 * *best, with their fresh trials behind them. code: of an interruption, else 0. */
enum status tune_panels(const struct study_request *q, const struct reproduction *r,
                        const struct trials *published, struct trials *best, int *code,
                        struct why *why);
/* Runs the cells of all trials and collects; *code as above. */
enum status trials_run(const struct study_request *q, struct trials *t, int *code, struct why *why);

/* The settings of a choice, "3 passes, C = 20.2, step = 0.0215". */
struct choice_words { char at[160]; };
struct choice_words choice_text(const struct trial *t);
/* On stdout, in the format asked for. */
void reproduce_print(const struct study_request *q, const struct trials *published,
                     const struct trials *tuned);
/* The name of a page without its ending: reproduce-KEY, and what was selected behind it, so that a
 * part leaves the page of the whole alone. */
struct page_name { char at[120]; };
struct page_name reproduce_name(const struct paper *paper, const struct trials *published);
/* output/NAME.html with its figures. IO_ERROR. */
enum status reproduce_page(const struct study_request *q, const struct paper *paper,
                           const struct trials *published, const struct trials *tuned,
                           struct why *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - from claims and a profile to the cells that decide them. No cell runs here; a problem instance is made
 * only where a setting of a claim is a function of the instance's facts. */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "cell/cell.h"
#include "claim.h"
#include "data/data_sets.h"
#include "record/record.h"
#include "run/run.h"

/* Values of one axis given on the command line: a list, or the ends of a range. */
enum { RANGE_VALUES = 64, RANGES_MAX = 14 };
struct range {
    char name[16];
    bool ends;                   /* value[0] and value[1] are the ends of a range; false: value[] is a list */
    int points;                  /* number of points from end to end; 0: that of the claim */
    int values;
    double value[RANGE_VALUES];
};

/* The key of the paper whose claims are made of a command line (cli/typed.h); as their citation they have the
 * command. */
#define PAPER_TYPED "typed"
/* The key of the paper whose claims are made of results of other programs (studies/reported.h). The ids of its
 * claims and figures begin with this key, so that every output shows it. */
#define PAPER_REPORTED "reported"

/* What the user asked for. A member that is NULL, 0 or NaN does not restrict the selection. */
struct selection {
    enum profile profile;
    const char *paper, *claim, *algorithm, *problem, *check;   /* globs separated by commas; `claim` may also match
                                                                  ids of tables and plots */
    const char *theorem;         /* globs separated by commas: only claims that decide a row of one of these
                                    theorems */
    bool planted;                /* include planted papers */
    struct bag overrides;        /* problem.X, algo.X, goal.X, run.X for every cell */
    struct range range[RANGES_MAX];
    int ranges;
    long reps;                   /* number of replicates, in place of the declared one */
    double seed;                 /* the master seed of all cells */
};

enum role { ROLE_MAIN, ROLE_RIVAL, ROLE_CONTROL, ROLE_CONTROL_RIVAL, ROLE_CONTROL2,
            ROLE_CONTROL2_RIVAL, ROLE_ALSO };

/* A task: one run that a claim needs (a role, a point of the axis, a replicate), and the cell that makes this
 * run. */
struct task {
    const struct claim *claim;
    enum role role;
    int also;                    /* ROLE_ALSO: the index in claim->also */
    int point;                   /* the index of the point, from 0 */
    double axis;                 /* the value of the axis at this point */
    long rep;
    int grid;                    /* a run of the search stage: the index of its value in the grid; -1: a measured
                                    run */
    double searched;             /* the value of the setting that the claim's search chooses; NaN: the claim has no
                                    search */
    int cell;                    /* the index of the cell in plan->cell */
};

struct planned_claim {
    const struct claim *claim;
    const struct paper *paper;
    const struct plot *plot;     /* the plot for whose line `claim` was made; NULL: it is a claim of a paper */
    int line;                    /* the index of the line in plot->line */
    struct task *task;           /* [tasks], never NULL: the runs of the search stage, then the measured runs, then
                                    those of later rounds; each of these by role, point, value of the grid and
                                    replicate */
    int tasks, task_room;        /* tasks == 0: the profile leaves the claim out, or it has no points (`missing`) */
    double from, to;             /* the ends of the window, values of the axis */
    const struct range *listed;  /* the list of axis values that the user gave; NULL: the points are geometric,
                                    `from` to `to` */
    int points;
    long reps;
    bool searching;              /* the search stage was planned, the measured runs were not yet */
    int round;                   /* number of the round of replicates, from 0 */
    bool exploratory;            /* the user has overridden a declared axis, a setting, the replicates or the master
                                    seed */
    char missing[DATA_MISSING];  /* why the claim has no points: its data are not on this machine, a program that it
                                    needs does not start, or there is no time for it; "": it has points */
    bool dropped;                /* the claim has no points because there is no time for it (plan_budget.h) */
};

struct plan {
    struct cell **cell;
    int cells, cell_room;
    int *slot;                   /* [slots] hash table by the texts of cells: the index of a cell + 1; 0: free */
    size_t slots;
    struct plan_facts *facts;    /* facts of the instances that were made because a setting is a function of them;
                                    NULL: none */
    struct planned_claim *claim; /* [claims + lines] */
    int claims, lines;           /* claims: number of claims; lines: number of lines of plots, which come behind the
                                    claims */
};

/* Makes the plan of a selection. BAD_INPUT: nothing is selected, no cell accepts a setting, no selected claim has
 * the axis of a range of several values, or data that the user named are not here. */
enum status plan_make(const struct selection *s, struct plan *p, struct why *why);
/* Plans the next stage: adds the cells that follow from the records of the stage before (record[k]: that of
 * plan->cell[k], or NULL where there is none). *grew <- whether there are new tasks. Existing cells keep their
 * index. */
enum status plan_next(const struct selection *s, struct plan *p, struct record *const *record,
                      bool *grew, struct why *why);
/* Plans the next round of p->claim[k]: twice the replicates. */
enum status plan_double(const struct selection *s, struct plan *p, int k,
                        struct record *const *record, struct why *why);
void plan_free(struct plan *p);
/* Appends a claim, without tasks, to a plan and returns it; the pointer is valid until the next call. */
struct planned_claim *plan_add_claim(struct plan *p, const struct planned_claim *claim);
void plan_add_task(struct planned_claim *c, const struct task *t);

/* Returns the value that the search of a claim chose for a role at a point of the axis; NaN: a record is missing,
 * is that of a failed run, or lacks the measure. group: 0, the only one; where plan_measures_search returns true, a
 * replicate, since each replicate is a group of search runs with a choice of its own. */
double plan_searched(const struct planned_claim *c, struct record *const *record, enum role role,
                     int also, int point, long group);
/* Is the value that the claim's search chooses what the claim measures? */
bool plan_measures_search(const struct claim *c);

/* Puts a value of an axis (n, d, T, eps, ...) into the bag, as the setting of the problem, the goal or the method
 * that has the name of the axis. */
void plan_put_axis(struct bag *bag, const char *axis, const char *problem, const char *algo,
                   double value);
/* Returns the values of an axis that the user gave. NULL: none were given, or axis is NULL. */
const struct range *plan_range(const struct selection *s, const char *axis);
/* Does one of the globs, which commas separate, match the text? */
bool plan_glob(const char *globs, const char *text);
/* Does the selection name this id of this paper? */
bool plan_names(const struct paper *paper, const char *id, const struct selection *s);
/* Does the selection take a claim of this paper, or a line of a plot that was made into a claim? */
bool claim_matches(const struct claim *c, const struct paper *paper, const struct selection *s);
bool plot_matches(const struct plot *p, const struct paper *paper, const struct selection *s);
/* Do the patterns name this theorem, or the whole of which it is a part? For example, "PAPER/thm4.4" names
 * PAPER/thm4.4-convex and PAPER/thm4.4-strong. */
bool theorem_named(const char *globs, const char *id);
bool theorem_matches(const struct theorem *t, const struct paper *paper, const struct selection *s);
bool table_matches(const struct exhibit *t, const struct paper *paper, const struct selection *s);
const char *profile_name(enum profile p);
const char *check_name(enum check c);
const char *kind_name(enum kind k);
/* Returns a word for what the task of a claim is for: main, rival, control, ..., search, or line (of a plot). */
const char *task_name(const struct planned_claim *c, const struct task *t);

#endif

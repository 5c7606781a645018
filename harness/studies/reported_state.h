/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_state.h - the plan of reported runs while it is made, and the functions that sweeps and claims share.
 * Only the files reported_* include this header. */
#ifndef ASSAY_REPORTED_STATE_H
#define ASSAY_REPORTED_STATE_H

#include "cell/registry.h"
#include "plan/promise.h"
#include "studies/reported.h"

/* The largest number of settings of methods that formulas may name. */
enum { REPORTED_PARAMS = 48 };

/* The memory of everything that a plan of reported runs points to: the results r, the request q, and a problem, a
 * method, plots, claims and a paper that stand for them. */
struct reported_made {
    struct arena *arena;
    const struct reported *r;
    const struct reported_request *q;
    const char *measure;
    struct measure measures[2];
    struct problem problem;
    struct algo algo;
    struct param param[REPORTED_PARAMS + 1];
    int params;
    struct plot *plot;
    int plots;
    struct claim claim[2];
    struct promise promise;
    struct promise_names names;
    struct theorem_row row[2];
    struct theorem theorem[2];
    struct paper paper;
    bool registered; /* the registry points to this struct, so that it must live as long as the program */
};

/* A choice of runs: those of one method on one problem whose setting k has the value with[k], for each k with
 * fixed[k]. */
struct reported_wanted {
    const char *problem, *method; /* NULL: any */
    bool fixed[REPORTED_SETTINGS];
    struct reported_value with[REPORTED_SETTINGS];
};

/* The values of an axis in rising order. thinned: the results have more values than these. */
struct reported_points {
    int n;
    double value[FIT_POINTS_MAX];
    bool thinned;
};

/* Returns a formatted text that lives as long as the plan. */
__attribute__((format(printf, 2, 3))) const char *reported_words(struct reported_made *m, const char *format, ...);
/* Returns a form of the name that can be a part of a claim's id and of the name of a file. */
const char *reported_slug(struct reported_made *m, const char *name);
/* Returns the name of a setting without its scope: "n" for "goal.n". */
const char *reported_bare(const char *setting);
/* Has the name of the setting this scope (problem, algo, goal, run) before its dot? */
bool reported_is_of(const char *setting, const char *scope);
/* Is the name in a list with commas between the names? A name may itself contain commas. */
bool reported_is_listed(const char *list, const char *name);
/* Returns the index of the setting with this name; -1: there is none. A name without a scope means the setting of
 * the goal, else of the problem, of the method, of the run, in this order. */
int reported_find_setting(const struct reported *r, const char *name);

/* *p <- a plan with the cells and records of all runs, and without claims. The records get the seconds of their
 * runs as measure.seconds. */
void reported_begin_plan(const struct reported *r, const struct reported_request *q, struct reported_plan *p);
/* Adds a text to p->note, which says what was left out, unless it is there already. */
void reported_note(struct reported_plan *p, const char *note);
/* Checks the methods and problems that q names. BAD_INPUT: the results have no method or problem of such a name. */
enum status reported_known_names(const struct reported *r, const struct reported_request *q, struct why *why);

/* --- the choice of runs */

bool reported_same_value(const struct reported_value *a, const struct reported_value *b);
/* Is the run within the ranges of q? */
bool reported_in_ranges(const struct reported *r, const struct reported_request *q, const struct reported_run *run);
/* Is the run one of *w, and within the ranges of m->q? If axis, the index of a setting, is not -1, any positive
 * finite number will do there, whatever *w fixes. */
bool reported_matches(const struct reported_made *m, const struct reported_wanted *w, int axis,
                      const struct reported_run *run);
/* Fixes a setting of *w at a text or, where text is NULL, at a number. BAD_INPUT: no column has this name. */
enum status reported_fix(const struct reported *r, struct reported_wanted *w, const char *option, const char *name,
                         const char *text, double number, struct why *why);
/* Fixes in *w all settings that the option --set gives. */
enum status reported_fix_settings(const struct reported_made *m, struct reported_wanted *w, struct why *why);
/* Do the runs of *w have several values of the setting with this index? */
bool reported_varies(const struct reported_made *m, const struct reported_wanted *w, int setting);
/* Returns the values of an axis, the index of a setting, among the runs of *w. If there are too many, only those
 * nearest to a geometric grid. */
struct reported_points reported_points(const struct reported_made *m, const struct reported_wanted *w, int axis);

/* --- planned claims */

/* Adds to the claim a task of this role for each run of *w whose value of the axis is one of the points. */
void reported_add_role(const struct reported_made *m, struct planned_claim *c, enum role role,
                       const struct reported_wanted *w, int axis, const struct reported_points *points);
/* Renumbers the replicates of the claim's tasks from 0 on without gaps, in the same way for all roles, and sorts
 * the tasks. Returns the number of replicates. */
long reported_renumber(struct planned_claim *c);
/* To be called when all tasks of the claim have been added: renumbers the replicates, and sets the points and the
 * ends of the axis. */
void reported_finish_planned(struct planned_claim *c, const struct reported_points *points);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_state.h - what sweeps and claims on reported runs share: the plan while it is made. For the files
 * reported_* alone. */
#ifndef ASSAY_REPORTED_STATE_H
#define ASSAY_REPORTED_STATE_H

#include "cell/registry.h"
#include "plan/promise.h"
#include "studies/reported.h"

/* Settings of methods that formulas may name. */
enum { REPORTED_PARAMS = 48 };

/* What a plan points to. */
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
    bool registered; /* the registry points to it: it lives as long as the program */
};

/* Runs of one method on one problem: fixed settings have the value of `with`. */
struct reported_wanted {
    const char *problem, *method; /* NULL: any */
    bool fixed[REPORTED_SETTINGS];
    struct reported_value with[REPORTED_SETTINGS];
};

/* Values of an axis, rising. thinned: there are more in the results. */
struct reported_points {
    int n;
    double value[FIT_POINTS_MAX];
    bool thinned;
};

/* A text that lives as long as the plan. */
__attribute__((format(printf, 2, 3))) const char *reported_words(struct reported_made *m, const char *format, ...);
/* A name as a part of an id, which becomes the name of a file. */
const char *reported_slug(struct reported_made *m, const char *name);
/* "n" of "goal.n". */
const char *reported_bare(const char *setting);
/* Is the setting one of problem, algo or goal? */
bool reported_is_of(const char *setting, const char *scope);
/* Is the name one of a list by commas? Names may hold commas themselves. */
bool reported_is_listed(const char *list, const char *name);
/* The setting of a name with or without its scope; -1: there is none. */
int reported_find_setting(const struct reported *r, const char *name);

/* *p <- the cells and records of all runs, and no claim yet. */
void reported_begin_plan(const struct reported *r, const struct reported_request *q, struct reported_plan *p);
/* Adds a line to what was left out, once. */
void reported_note(struct reported_plan *p, const char *note);
/* BAD_INPUT: --algorithm or --problem names none of the results. */
enum status reported_known_names(const struct reported *r, const struct reported_request *q, struct why *why);

/* --- which runs */

bool reported_same_value(const struct reported_value *a, const struct reported_value *b);
/* Is the run in the ranges that were asked for? */
bool reported_in_ranges(const struct reported *r, const struct reported_request *q, const struct reported_run *run);
/* Is it wanted? On the axis, which is not fixed, it needs a positive number; axis -1: none. */
bool reported_matches(const struct reported_made *m, const struct reported_wanted *w, int axis,
                      const struct reported_run *run);
/* Fixes a setting; text NULL: a number. BAD_INPUT: no column has this name. */
enum status reported_fix(const struct reported *r, struct reported_wanted *w, const char *option, const char *name,
                         const char *text, double number, struct why *why);
/* Fixes those of --set. */
enum status reported_fix_settings(const struct reported_made *m, struct reported_wanted *w, struct why *why);
/* Does a setting have several values among these runs? */
bool reported_varies(const struct reported_made *m, const struct reported_wanted *w, int setting);
/* The values of an axis among these runs; of too many those nearest to a geometric grid. */
struct reported_points reported_points(const struct reported_made *m, const struct reported_wanted *w, int axis);

/* --- planned claims */

/* Valid until the next call. */
struct planned_claim *reported_add_planned(struct reported_plan *p, const struct planned_claim *c);
void reported_add_task(struct planned_claim *c, enum role role, int point, double axis, long rep, int cell);
/* Adds a task for each of these runs at the points. */
void reported_add_role(const struct reported_made *m, struct planned_claim *c, enum role role,
                       const struct reported_wanted *w, int axis, const struct reported_points *points);
/* Numbers the replicates from 0 on without gaps, the same number in all roles, and sorts the tasks; returns how
 * many replicates. */
long reported_renumber(struct planned_claim *c);
/* After the last task: points, replicates, and the ends of the axis. */
void reported_finish_planned(struct planned_claim *c, const struct reported_points *points);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - from claims and a profile to the cells that decide them. Nothing runs here; the facts
 * of an instance are looked at only where a claim's setting is a function of them. */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "cell.h"
#include "claim.h"
#include "run.h"

/* Values of one axis given on the command line: a list, or the ends of a range. */
enum { RANGE_VALUES = 64, RANGES_MAX = 12 };
struct range {
    char name[16];
    bool ends;                   /* value[0]..value[1]: the claim's own number of points */
    int values;
    double value[RANGE_VALUES];
};

/* What the user asked for. NULL, 0 or NaN: not restricted. */
struct selection {
    enum profile profile;
    const char *paper, *claim, *algorithm, *problem, *check;   /* claim: a glob, several by commas */
    bool planted;                /* planted papers too */
    struct bag overrides;        /* problem.X, algo.X, goal.X, run.X for every cell */
    struct range range[RANGES_MAX];
    int ranges;
    long reps;
    double seed;
};

enum role { ROLE_MAIN, ROLE_RIVAL, ROLE_CONTROL, ROLE_CONTROL_RIVAL, ROLE_ALSO };

/* One measured place of a claim: which cell stands there. */
struct task {
    const struct claim *claim;
    enum role role;
    int also;                    /* ROLE_ALSO: which of claim->also */
    int point;
    double axis;
    long rep;
    int cell;
};

struct planned_claim {
    const struct claim *claim;
    int first_task, tasks;       /* tasks == 0: the profile leaves it out */
    int points;
    long reps;
    bool exploratory;            /* a declared axis, setting or number was overridden */
};

struct plan {
    struct cell **cell;
    int cells, cell_room;
    struct task *task;
    int tasks, task_room;
    struct planned_claim *claim;
    int claims;
    double cost;                 /* seconds on one core, estimated */
};

/* BAD_INPUT: nothing selected, or a setting no cell accepts. */
enum status plan_make(const struct selection *s, struct plan *p, struct why *why);
void plan_free(struct plan *p);

/* Puts a value of an axis (n, d, T, eps, ...) where the problem or the goal has it. */
void plan_put_axis(struct bag *bag, const char *axis, const char *problem, double value);
bool claim_matches(const struct claim *c, const struct selection *s);
const char *profile_name(enum profile p);
const char *check_name(enum check c);
const char *kind_name(enum kind k);

#endif

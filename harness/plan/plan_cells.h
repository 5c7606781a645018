/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_cells.h - from a claim, a variant and one value of the axis to a cell of a plan. */
#ifndef ASSAY_PLAN_CELLS_H
#define ASSAY_PLAN_CELLS_H

#include "plan/plan.h"

/* What a cell is planned for. */
struct planning {
    struct plan *plan;
    struct runner *runner;           /* makes instances, for their facts */
    const struct selection *s;
    const struct claim *claim;
    struct planned_claim *planned;   /* NULL, for plan_cell_at and plan_add_replicate: there is one point */
};

/* Up to two variants, each with a method, a problem or settings in place of those of the claim; the second wins
 * over the first. NULL: none. */
struct layers { const struct variant *variant[2]; };

/* One role of a claim, and the method whose runs have it. */
struct lineup {
    enum role role;
    int also;
    const char *algo;
    struct layers layers;
};

/* Does this setting or axis of a problem or a method count things, so that its values are rounded to whole
 * numbers? */
bool plan_whole(const char *name, const char *problem, const char *algo);
/* *cell <- the cell of a claim at one value of the axis. searched: the value of the setting that the claim's search
 * chooses; NaN: it has no search. BAD_INPUT: settings that no cell accepts, or a cell whose record would not have
 * what the claim measures. */
enum status plan_cell_at(struct planning *g, const struct layers *l, const char *algo, double axis,
                         double searched, long rep, struct cell **cell, struct why *why);
/* Adds a cell, which then belongs to the plan, and returns its index in p->cell. If the plan has an equal cell, c
 * is freed and the index is that of the equal one. */
int plan_add_cell(struct plan *p, struct cell *c);
/* Adds the cell of replicate `rep` of a role at one value of the axis. *at <- its index in plan->cell. On entry *at
 * is the index of the cell of another replicate, or -1: that cell is copied, where the two differ in nothing but
 * the number of the replicate. */
enum status plan_add_replicate(struct planning *g, const struct lineup *l, double axis, double searched,
                               long rep, int *at, struct why *why);

/* missing[DATA_MISSING] <- why the data set of the cell is not on this machine; "": it is, or the cell reads none.
 * A file that exists and is damaged is reported by the run. BAD_INPUT: the user named data that are not here, or
 * the folder of data sets is damaged. */
enum status plan_missing_data(const struct cell *c, const struct bag *overrides, char *missing,
                              struct why *why);
/* Loads the methods of the n roles l[n] that are programs of the paper. If a program does not start, the claim gets
 * no points, and its `missing` says why. */
void plan_load_programs(struct planning *g, const struct lineup *l, int n);
/* If one of the n roles reads a data set that is not on this machine, the claim gets no points, and its `missing`
 * says why. axis: a value of the claim's axis. */
enum status plan_check_data(struct planning *g, const struct lineup *l, int n, double axis, struct why *why);

/* *facts <- the facts of the cell's instance. The vectors L_j and M_j are NULL, since settings are functions of
 * numbers only. */
enum status plan_facts_of(struct planning *g, const struct cell *c, struct facts *facts, struct why *why);
void plan_forget_facts(struct plan *p);

#endif

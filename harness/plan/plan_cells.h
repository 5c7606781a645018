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
    struct planned_claim *planned;
};

/* What a run replaces in the claim; the second layer wins over the first. */
struct layers { const struct variant *variant[2]; };

/* One role of a claim and the method that plays it. */
struct lineup {
    enum role role;
    int also;
    const char *algo;
    struct layers layers;
};

/* Is this setting or axis a number of things, to be rounded? */
bool plan_whole(const char *name, const char *problem, const char *algo);
/* searched: the value of the claim's search setting, or NaN. BAD_INPUT: settings that no cell accepts, or whose
 * record would not have what the claim measures. */
enum status plan_cell_at(struct planning *g, const struct layers *l, const char *algo, double axis,
                         double searched, long rep, struct cell **cell, struct why *why);
/* Takes the cell over; returns where it stands in the plan, which has each cell once. */
int plan_add_cell(struct plan *p, struct cell *c);
/* The cell of one more replicate of a place. *at <- where it stands; before: that of another replicate, or -1. */
enum status plan_add_replicate(struct planning *g, const struct lineup *l, double axis, double searched,
                               long rep, int *at, struct why *why);

/* missing[DATA_MISSING] <- why the data set of the cell is not on this machine; "": it is, or the cell reads none.
 * A file that is there and damaged is left for the run to report. BAD_INPUT: the user named data that are not here,
 * or the folder of sets is damaged. */
enum status plan_missing_data(const struct cell *c, const struct bag *overrides, char *missing,
                              struct why *why);
/* A claim of which one of the n roles reads a missing set gets no points, and its `missing` says why. axis: a value
 * of the claim's axis. */
enum status plan_check_data(struct planning *g, const struct lineup *l, int n, double axis, struct why *why);

/* *facts <- those of the cell's instance, but for the vectors: settings are functions of numbers. */
enum status plan_facts_of(struct planning *g, const struct cell *c, struct facts *facts, struct why *why);
void plan_forget_facts(struct plan *p);

#endif

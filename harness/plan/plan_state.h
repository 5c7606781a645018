/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_state.h - what plan*.c share. */
#ifndef ASSAY_PLAN_STATE_H
#define ASSAY_PLAN_STATE_H

#include "plan/plan.h"

struct planning {
    struct plan *plan;
    struct runner *runner;           /* for facts of instances */
    const struct selection *s;
    const struct claim *claim;
    struct planned_claim *planned;
};

/* What a run replaces in the claim, layer on layer. */
struct layers { const struct variant *variant[2]; };

/* One role of a claim and who plays it. */
struct lineup {
    enum role role;
    int also;
    const char *algo;
    struct layers layers;
};
enum { LINEUP_MAX = 12, CONTROLS = 2 };
/* Returns how many; the layers point into the claim and at controlled_problem. */
int plan_lineup(const struct claim *c, struct variant controlled_problem[CONTROLS],
                struct lineup l[LINEUP_MAX]);

/* Does a claim of a paper, or what stands for one, match? */
bool plan_matches(const struct paper *paper, const struct claim *c, const struct selection *s);
/* The selected lines of a paper's plots, made into claims that nothing judges. */
enum status plan_add_plots(struct plan *p, struct runner *r, const struct paper *paper,
                           const struct selection *s, struct why *why);
/* One more claim or line, with its cells. */
enum status plan_add_claim(struct plan *p, struct runner *r, const struct selection *s,
                           const struct planned_claim *claim, struct why *why);
double plan_axis_value(const struct planning *g, int point);
/* Is this setting or axis a number of things, to be rounded? */
bool plan_whole(const char *name, const char *problem, const char *algo);
enum status plan_cell_at(struct planning *g, const struct layers *l, const char *algo, double axis,
                         double searched, long rep, struct cell **cell, struct why *why);
/* The same before any instance is looked at: settings that are functions of facts are left out, the
 * problem's are all there. */
enum status plan_bare_cell(struct planning *g, const struct layers *l, const char *algo, double axis,
                           double searched, long rep, struct cell **cell, struct why *why);
/* missing[DATA_MISSING] <- why the cell's set is not on this machine; "": it is, or none is read. A
 * file that is there and damaged is a matter of the run. BAD_INPUT: the user named data that are
 * not here, or the folder of sets is not what it should be. */
enum status plan_missing_data(const struct cell *c, const struct bag *overrides, char *missing,
                              struct why *why);
/* A claim of which a role [n] reads a missing set gets no points, and says so. */
enum status plan_check_data(struct planning *g, const struct lineup *l, int n, struct why *why);
/* *facts <- of the cell's instance, without the vectors: settings are functions of numbers. */
enum status plan_facts_of(struct planning *g, const struct cell *c, struct facts *facts, struct why *why);
void plan_forget_facts(struct plan *p);
int plan_add_cell(struct plan *p, struct cell *c);
/* The cell of one more replicate of a place. *at <- where it stands; before: another's of this place, or -1. */
enum status plan_add_replicate(struct planning *g, const struct lineup *l, double axis, double searched,
                               long rep, int *at, struct why *why);
void plan_add_task(struct planned_claim *c, const struct task *t);
/* The measured runs of a role at one point, replicates from `from` on. */
enum status plan_add_point(struct planning *g, const struct lineup *r, int point, double searched,
                           long from, struct why *why);
/* The grid of a role at one point, groups of replicates from `from` on. */
enum status plan_add_search(struct planning *g, const struct lineup *r, int point, long from,
                            struct why *why);
/* Adds the measured runs of all roles at all points, replicates from `from` on, each at the value its
 * search chose; where the chosen value is what is measured, the searches of replicates after the first
 * round. */
enum status plan_add_all(struct planning *g, struct record *const *record, long from,
                         struct why *why);

#endif

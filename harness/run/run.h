/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - the only stage that evaluates a problem: it makes one record from one cell. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "cell/cell.h"
#include "record/record.h"

/* Memory and built problem instances, which are kept from cell to cell within one process. */
struct runner;
struct runner *runner_new(size_t memory_limit);
void runner_free(struct runner *r);

/* *self, *facts <- the problem instance of a cell, made now or kept from an earlier call; it is valid until the
 * runner makes another instance. */
enum status runner_instance(struct runner *r, const struct cell *c, const void **self,
                            const struct facts **facts, struct why *why);

/* Returns the number of instances that the runner has made. */
long runner_made(const struct runner *r);

/* Runs the cell; a refusal makes a record too. answer may be NULL: *answer <- d doubles, which the
 * caller frees. */
struct record *run_cell(struct runner *r, const struct cell *c, double **answer);

/* Can the cell be run? It can if the problem offers the questions and states the constants that the method needs,
 * the method can be tuned, and something ends the run. If not, REFUSED with the sentence that run_cell would
 * record. */
enum status run_fits(struct runner *r, const struct cell *c, struct why *why);

/* Returns the expected number of sample gradients that the run asks for; where the method asks for none, its number
 * of batch steps, each counted as the number of gradients that take as long as it. Returns 0 in count mode
 * (run.count), and where `tune` refuses. NaN: the number is not known, or the method does not fit the problem. */
double run_expected(struct runner *r, const struct cell *c);

/* One more run of a cell's algorithm, without a record: on a neighbouring data set, with a tape, or with other
 * random draws. */
struct pass {
    struct neighbour neighbour;
    bool by_position;        /* neighbour.i is a place in stream order, not a record; the record at this place is
                                changed, and never replaced by itself */
    struct tape *tape;       /* NULL: calls are not recorded */
    uint64_t seed;           /* in place of the cell's seed, for samples, noise and the algorithm; the data are
                                those of the cell */
    double *x;               /* [d] <- the answer */
    void *params;            /* the parameters of the algorithm; NULL: they are tuned and kept here for further
                                passes of the same cell; the caller frees them */
    struct counts counts;    /* <- the counts of the pass */
};
/* Makes a pass of a cell that has an algorithm. If it does not return OK, x and counts have no meaning. */
enum status run_pass(struct runner *r, const struct cell *c, struct pass *p, struct why *why);

/* Returns, one bit each, which of the facts f have this origin, are stated, and are given to the cell's private
 * algorithm. Facts that the cell declares public count as public, not as data. Returns 0 for methods that are not
 * private. */
unsigned long run_told(const struct cell *c, const struct facts *f, enum origin origin);

/* Returns the ledger of the last run_cell; valid until the next one. */
const struct ledger *runner_ledger(const struct runner *r);

/* Returns the memory in bytes that a run may take; 0: no limit. */
size_t runner_limit(const struct runner *r);

/* From this call on `see` is called at every mark while cells run. Its argument is the part in [0,1] of the budget,
 * or of the number of rounds, that is done. NULL: `see` is not called any more. */
void runner_watch(struct runner *r, void (*see)(void *ctx, double part), void *ctx);

/* The names of the counts that a measured mark has in addition to the ruler; the array ends with NULL. */
extern const char *const run_marked[];

/* *facts, *goal, params, *counts <- those of the run of cell c with record r, for the formulas of claims. params:
 * memory of cell_params_size(c) bytes. What the record lacks is NaN or, of parameters, as in the cell. */
void run_env(const struct cell *c, const struct record *r, struct facts *facts, struct goal *goal,
             void *params, struct counts *counts);

#endif

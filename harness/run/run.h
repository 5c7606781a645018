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

/* The instance of a cell, built or reused; it stays valid until the runner builds other ones. */
enum status runner_instance(struct runner *r, const struct cell *c, const void **self,
                            const struct facts **facts, struct why *why);

/* The number of instances that the runner has built. */
long runner_made(const struct runner *r);

/* Runs the cell; a refusal makes a record too. answer may be NULL: *answer <- d doubles, which the
 * caller frees. */
struct record *run_cell(struct runner *r, const struct cell *c, double **answer);

/* Can the cell run: does the problem offer the questions and state the constants that the method
 * needs, can the method be tuned, does anything end the run? If not, REFUSED with the sentence of
 * run_cell. */
enum status run_fits(struct runner *r, const struct cell *c, struct why *why);

/* The expected number of sample gradients that the method asks for, or of rounds where it asks for
 * none; 0 where it refuses. NaN: it cannot say. */
double run_expected(struct runner *r, const struct cell *c);

/* One more run of a cell's algorithm, without a record: on a neighbouring data set, with a tape, with
 * random draws of its own. */
struct pass {
    struct neighbour neighbour;
    bool by_position;        /* neighbour.i is a place in stream order; it is replaced by the record
                              * there */
    struct tape *tape;       /* NULL: calls are not recorded */
    uint64_t seed;           /* seed of oracle, noise and algorithm; the data stay those of the cell */
    double *x;               /* [d] <- the answer */
    void *params;            /* NULL: tuned now and kept here for further passes of the same cell; the
                              * caller frees them */
    struct counts counts;    /* <- */
};
/* Makes a pass of a cell that has an algorithm. After a refusal x and counts have no meaning. */
enum status run_pass(struct runner *r, const struct cell *c, struct pass *p, struct why *why);

/* The facts of this origin that the cell's private algorithm is given, one bit each; those that the
 * cell declares public count as public, not as data. 0 for methods that are not private. */
unsigned long run_told(const struct cell *c, const struct facts *f, enum origin origin);

/* What the last run booked; valid until the next run. */
const struct ledger *runner_ledger(const struct runner *r);

/* The memory in bytes that a run may take; 0: no limit. */
size_t runner_limit(const struct runner *r);

/* From now on `see` is called at marks while cells run, with the part in [0,1] that is done of what
 * the budget or a number of rounds bounds. NULL: no longer. */
void runner_watch(struct runner *r, void (*see)(void *ctx, double part), void *ctx);

/* The counts that a mark of a run has beside the ruler; the last is NULL. */
extern const char *const run_marked[];

/* Restores from a record what formulas may use: facts, goal, parameters (into params, of the
 * algorithm's size) and counts. */
void run_env(const struct cell *c, const struct record *r, struct facts *facts, struct goal *goal,
             void *params, struct counts *counts);

#endif

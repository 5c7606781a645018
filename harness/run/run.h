/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - the only stage that evaluates a problem: one cell in, one record out. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "cell/cell.h"
#include "record/record.h"

/* Memory and built problem instances that live from cell to cell of one process. */
struct runner;
struct runner *runner_new(size_t memory_limit);
void runner_free(struct runner *r);

/* The instance of a cell, built or reused; it stays valid until the runner builds others. */
enum status runner_instance(struct runner *r, const struct cell *c, const void **self,
                            const struct facts **facts, struct why *why);

/* How many it has built. */
long runner_made(const struct runner *r);

/* Runs the cell. A refusal is a record too. answer (or NULL): d doubles, malloc'ed, for the caller.
 * */
struct record *run_cell(struct runner *r, const struct cell *c, double **answer);

/* Could the cell run: does the problem offer what is asked and state what is needed, can the
 * method be tuned, does anything end it? REFUSED with the sentence that run_cell would say. */
enum status run_fits(struct runner *r, const struct cell *c, struct why *why);

/* What the method expects to ask in the mean: sample gradients, or rounds where it asks for none,
 * 0 where it refuses. NaN: it cannot say. */
double run_expected(struct runner *r, const struct cell *c);

/* One more run of a cell's algorithm, beside its record: on a neighbouring data set, listened
 * to, with draws of its own. */
struct pass {
    struct neighbour neighbour;
    bool by_position;        /* neighbour.i is a place in stream order; becomes the record there */
    struct tape *tape;       /* NULL: nobody listens */
    uint64_t seed;           /* of oracle, noise and algorithm; the data stay the cell's */
    double *x;               /* [d] <- the answer */
    void *params;            /* NULL: tuned now, and left here for further passes of the same cell;
                                the caller frees them */
    struct counts counts;    /* <- */
};
/* Of an algorithm's cell. A refusal leaves x and counts without meaning. */
enum status run_pass(struct runner *r, const struct cell *c, struct pass *p, struct why *why);

/* Which facts the cell's private algorithm is told that have this origin, a bit each; what the cell
 * declares public counts so, not as data. 0 for methods that are not private. */
unsigned long run_told(const struct cell *c, const struct facts *f, enum origin origin);

/* What the last run booked; valid until the next. */
const struct ledger *runner_ledger(const struct runner *r);

/* Bytes a run may take; 0: no limit. */
size_t runner_limit(const struct runner *r);

/* From here on `see` is called while cells run, at their marks, with the part done so far in [0,1]
 * of what a budget or a number of rounds bounds. NULL: no more. */
void runner_watch(struct runner *r, void (*see)(void *ctx, double part), void *ctx);

/* The counts that a mark of a run keeps beside the ruler; NULL after the last. */
extern const char *const run_marked[];

/* Rebuilds what formulas may use from a record: facts, goal, parameters (into params, of the
 * algorithm's size) and counts. */
void run_env(const struct cell *c, const struct record *r, struct facts *facts, struct goal *goal,
             void *params, struct counts *counts);

#endif

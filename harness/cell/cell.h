/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.h - the unit of work: one run of an algorithm, or one block of draws of an estimator, on one problem
 * instance. Its canonical text identifies it:
 *
 *     problem spectral d=40 | algo sgd step=0.5 | goal n=1e6 T=1000 | run trace=1 | rep 3
 *
 * The text names only the values that were set explicitly. Defaults are part of the sources, and so of the
 * fingerprint. The seed is a hash of the sections problem, algo, goal and rep and of the master seed. The seed of
 * the data is a hash without the section algo, so that algorithms are compared on the same data; for a problem that
 * is `fixed` it is a hash of section problem and of the master seed alone. */
#ifndef ASSAY_CELL_H
#define ASSAY_CELL_H

#include <stdint.h>
#include "algo.h"
#include "estimator.h"
#include "oracle/oracle_state.h"
#include "problem.h"
#include "base/bag.h"

/* Section `run` of a cell. */
struct run_settings {
    long trace;              /* enum trace_mode: which marks of the run the record keeps */
    long aggregate;          /* answer fresh batches by drawing from the law of their mean */
    long once;               /* stored records are a stream: each is taken at most once */
    long count;              /* count mode: charge queries, evaluate nothing */
    double seed;             /* master seed: goes into the seeds of every cell, so that another one gives other
                                draws */
    long replay;             /* the run is repeated on neighbouring data set number `replay`, from 1; 0: no
                                replay */
    long audit;              /* number of runs on each of two neighbouring data sets; 0: no audit */
    long part, parts;        /* the cell makes this part, of 1 .. parts, of the audit of replicate 0, and keeps its
                                runs as a trace; parts 0: it makes a whole audit and judges it in the record */
    const char *public;      /* facts declared public, such as "L,M"; empty: none */
    long draws;              /* estimator: draws of each stratum */
    double timeout;          /* seconds after which the cell is stopped, if they are fewer than those of --timeout;
                                INFINITY: those of --timeout */
};

struct cell {
    char *text;
    uint64_t seed, data_seed;
    const struct problem *problem;
    const struct algo *algo;             /* NULL: the cell has an estimator */
    const struct estimator *estimator;
    void *problem_params, *algo_params;  /* the defaults, replaced by the values that were set; not yet tuned */
    unsigned long algo_set;              /* bit k: parameter k of the algorithm's table was set */
    struct goal goal;
    struct run_settings run;
    unsigned long public;                /* bit k: fact k is named in run.public */
    long rep;
    double expected;                     /* what `expects` of algo.h returns: the number of sample gradients of the
                                            run, or work as long as that of so many gradients; of an estimator for
                                            all draws; NaN: `expects` was not called */
    char fingerprint[33];
    struct cell_stem *stem;              /* shared by replicates: owns parameters and settings */
};

/* Builds a cell; BAD_INPUT names an unknown problem, algorithm or setting (with the nearest name)
 * or a value out of range. */
enum status cell_make(const char *problem, const char *algo, const struct bag *settings, long rep,
                      struct cell **cell, struct why *why);
/* Returns another replicate of a cell. cell_make with the same settings makes the same cell in more time. */
struct cell *cell_replicate(const struct cell *c, long rep);
/* Makes the cell of a canonical text. BAD_INPUT: the text has another form, or as of cell_make. */
enum status cell_parse(const char *text, struct cell **cell, struct why *why);
void cell_free(struct cell *c);
/* Returns a rough estimate of the seconds that a cell takes, from its settings and `expected`. */
double cell_cost(const struct cell *c);
/* Returns the settings of which the cell was made. */
const struct bag *cell_settings(const struct cell *c);
/* Returns the parameter table of the cell's algorithm or estimator. */
const struct param *cell_params(const struct cell *c);
size_t cell_params_size(const struct cell *c);
/* Returns the member of a goal with this name, or NULL. */
double *goal_member(struct goal *g, const char *name);
/* Is this an axis of whole numbers: n, d, T, B, N or budget? */
bool axis_counts(const char *name);
/* Returns a hash of the text: FNV-1a, begun with a seed and ended by the finaliser of MurmurHash3. */
uint64_t hash_text(const char *text, uint64_t seed);

#endif

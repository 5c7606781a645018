/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.h - the unit of work: one run of one algorithm (or block of estimator draws) on one problem
 * instance. Its canonical text is its identity:
 *
 *     problem spectral d=40 | algo sgd step=0.5 | goal n=1e6 T=1000 | run trace=1 | rep 3
 *
 * Only what was set explicitly is named; defaults belong to the sources and so to the fingerprint.
 * The seed is hashed from sections problem, algo, goal and rep and the master seed, the seed of the
 * data from problem, goal and rep: algorithms are compared on the same data. */
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
    long trace;              /* enum trace_mode */
    long aggregate;          /* answer fresh batches by their exact law */
    long once;               /* stored records are a stream: each is taken at most once */
    long count;              /* count mode */
    double seed;             /* master seed */
    long replay;             /* neighbour the run is repeated on, from 1; 0: none */
    long audit;              /* runs on each of two neighbouring data sets; 0: none */
    const char *public;      /* facts declared public, "L,M"; empty: none */
    long draws;              /* estimator: draws of each stratum */
    double timeout;          /* seconds, where less than what all cells get */
};

struct cell {
    char *text;
    uint64_t seed, data_seed;
    const struct problem *problem;
    const struct algo *algo;             /* or */
    const struct estimator *estimator;
    void *problem_params, *algo_params;  /* explicit values over defaults; not yet tuned */
    unsigned long algo_set;              /* which of the algorithm's parameters are explicit */
    struct goal goal;
    struct run_settings run;
    unsigned long public; /* bits of the facts of run.public */
    long rep;
    double expected;                     /* sample gradients or rounds, as the method expects (of an
                                            estimator: of all draws); NaN: nobody has asked it */
    char fingerprint[33];
    struct cell_stem *stem;              /* shared by replicates: owns the parameters and their words */
};

/* Builds a cell; BAD_INPUT names an unknown problem, algorithm or setting (with the nearest name)
 * or a value out of range. */
enum status cell_make(const char *problem, const char *algo, const struct bag *settings, long rep,
                      struct cell **cell, struct why *why);
/* Another replicate of a cell, with the same settings: what cell_make would give for less. */
struct cell *cell_replicate(const struct cell *c, long rep);
/* Back from canonical text. */
enum status cell_parse(const char *text, struct cell **cell, struct why *why);
void cell_free(struct cell *c);
/* Seconds this cell may take, a rough estimate from what it is asked to do. */
double cell_cost(const struct cell *c);
/* What it was made of. */
const struct bag *cell_settings(const struct cell *c);
/* The table of an algorithm or estimator, whichever the cell has. */
const struct param *cell_params(const struct cell *c);
size_t cell_params_size(const struct cell *c);
/* Goal member by name, or NULL. */
double *goal_member(struct goal *g, const char *name);
/* An axis of whole numbers: n, d, T, B, N, budget. */
bool axis_counts(const char *name);
/* FNV-1a, finalised. */
uint64_t hash_text(const char *text, uint64_t seed);

#endif

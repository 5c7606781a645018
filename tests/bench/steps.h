/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.h - what a method asks of its oracle, heard call by call in one run and then asked again of the oracle
 * alone: the same samples, points of the same number, noise of the same length, and nothing of what the method
 * does between its questions. For bench_steps.c.
 *
 * In the program of the benchmarks the objects of algos/ are linked so that what they call by the names of
 * heard_list comes through steps_heard.c, which passes it on at the price of a test, and writes it down while
 * somebody listens. */
#ifndef ASSAY_TESTS_STEPS_H
#define ASSAY_TESTS_STEPS_H

#include "oracle/oracle_state.h"
#include "run/run.h"

/* X(question): what is written of each, in n, d, amount of struct asked. */
#define ASKED_LIST(X) \
    X(TICKET)         /* ticket: as it was handed out; block: out of which */ \
    X(BATCH)          /* n points; amount C */ \
    X(SGRAD)          /* n samples */ \
    X(WALK)           /* n samples; a step's projection is asked too */ \
    X(PROBE)          /* n points, d directions */ \
    X(VALUES) \
    X(ROUND)          /* n samples, in ticket */ \
    X(ROWS)           /* n rows of ticket from row d on */ \
    X(GRAD) X(VALUE) X(SMOOTH_GRAD) \
    X(POINT_SET) X(POINT_ADD) X(POINT_COORD) X(POINT_GRAD)        /* n: the coordinate */ \
    X(PIECE_VALUES) X(PIECE_VALUE) X(PIECE_GRAD)                  /* n: the piece */ \
    X(PROX)           /* amount: its parameter */ \
    X(PROX_COORD) X(REST_COORD)                                   /* n: the coordinate */ \
    X(PROJECT)        /* n: the set */ \
    X(LINEAR_MIN) \
    X(GAUSS) X(LAPLACE) X(TREE)           /* n numbers; amount: their scale */ \
    X(CHOICE)         /* n candidates; d: whether their noise is of Laplace */ \
    X(STEP)           /* hidden: a batch of ticket, noise of scale amount, a projection */ \
    X(NORMALS) X(BALLS) X(SPHERES) X(WORDS)                       /* n rows of d numbers, drawn by itself */

enum question {
#define X(name) ASKED_##name,
    ASKED_LIST(X)
#undef X
};

struct asked {
    enum question what;
    long n, d, times;                /* times: in a row, coordinate after coordinate */
    double amount;
    uint64_t serial;                 /* the oracle's, before: the same samples are drawn again */
    struct ticket ticket, block;
    enum clip clip;
    bool weighted, scaled, clipped;
    double envelope, radius;
};

enum { POINTS_HEARD = 8 };

struct script {
    struct asked *at;
    long count, room;
    long numbers, samples;           /* the most that one question takes: draws; weights */
    bool cursor;                     /* it has asked for one */
    double *C_j;                     /* [d] the last bounds of coordinates, or NULL */
    /* The last points asked, together and alone, since what an answer takes may depend on where it is asked,
     * on how far apart two points are above all; with their factors and radii. */
    double *x[POINTS_HEARD], *alone, a[POINTS_HEARD], r[POINTS_HEARD];
};

/* What is asked from here on is written to s; NULL: no more. */
void steps_listen(struct script *s);
void script_free(struct script *s);

/* All that was written asked again, on a fresh oracle of the same instance and seed.
 * x[d]: the point, where the script has none. counts <- what it counted, noise too. */
void script_play(const struct script *s, const struct cell *c, const void *self, const struct facts *f,
                 struct arena *a, const double *x, struct counts *counts);

/* A method with an instance that it is for: what is said of problem, algorithm and goal in a cell, with %1$g for
 * the length; short and long; steps of either run, what the theory says; 0: they are random, or not so simple.
 * why: what a step takes beyond what it asks, measured; NULL: less than half of that. */
struct steps_case {
    const char *algo, *problem, *with, *goal;
    double length[2], steps[2];
    const char *why;
};
extern const struct steps_case steps_cases[];    /* ends with { 0 } */

#endif

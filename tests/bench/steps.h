/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.h - records the questions that a method asks its oracle in a run, call by call, and asks them again
 * without the method: the same samples, as many points, noise of the same length. For bench_steps.c.
 *
 * In the program of the benchmarks the objects of algos/ are linked so that a call of NAME goes to __wrap_NAME of
 * steps_heard.c, where this file has such a function. It passes the call on, which costs one comparison, and
 * records it while a script is set. */
#ifndef ASSAY_TESTS_STEPS_H
#define ASSAY_TESTS_STEPS_H

#include "oracle/oracle_state.h"
#include "run/run.h"

/* X(NAME): a kind of question, ASKED_NAME. The comment says what the members n, d and amount of struct asked mean
 * for it; a member that it does not mention is not used. */
#define ASKED_LIST(X) \
    X(TICKET)         /* ticket: as it was handed out; block: from which it was drawn */ \
    X(BATCH)          /* n points; amount: the clipping norm C */ \
    X(SGRAD)          /* n samples */ \
    X(WALK)           /* one step of a walk, n samples; replayed as their mean gradient and a projection */ \
    X(PROBE)          /* n points, d directions; amount: the clamp */ \
    X(VALUES) \
    X(ROUND)          /* n samples, in ticket */ \
    X(ROWS)           /* n rows of ticket from row d on */ \
    X(GRAD) X(VALUE) X(SMOOTH_GRAD) \
    X(POINT_SET) X(POINT_ADD) X(POINT_COORD) X(POINT_GRAD)        /* n: the coordinate; amount: what is added */ \
    X(PIECE_VALUES) X(PIECE_VALUE) X(PIECE_GRAD)                  /* n: the piece */ \
    X(PROX)           /* amount: the weight t of the prox */ \
    X(PROX_COORD) X(REST_COORD)                                   /* n: the coordinate; amount: t of the prox */ \
    X(PROJECT)        /* n: the set */ \
    X(LINEAR_MIN) \
    X(GAUSS) X(LAPLACE) X(TREE)           /* n numbers; amount: their scale */ \
    X(CHOICE)         /* n candidates; d: whether their noise is of Laplace */ \
    X(STEP)           /* iteration_step: a batch of ticket at one point, noise of scale amount, a projection */ \
    X(NORMALS) X(BALLS) X(SPHERES) X(WORDS)                       /* n rows of d numbers, drawn by the method
                                                                   * itself */

enum question {
#define X(name) ASKED_##name,
    ASKED_LIST(X)
#undef X
};

struct asked {
    enum question what;
    long n, d, times;                /* times: number of such calls in a row, coordinate after coordinate */
    double amount;
    uint64_t serial;                 /* the oracle's number of the next draw before the call, so that the same
                                        samples are drawn again; 0: nothing is drawn */
    struct ticket ticket, block;     /* the samples asked for; what the ticket was drawn from */
    enum clip clip;                  /* how sample gradients are clipped */
    bool weighted, scaled, clipped;  /* whether samples had weights, points factors, coordinates bounds */
    double envelope, radius;         /* the members envelope and blur of struct batch; 0: none */
};

enum { POINTS_HEARD = 8 };

/* The recorded questions of one run. */
struct script {
    struct asked *at;                /* [room], of which count are in use */
    long count, room;
    long numbers, samples;           /* the most random numbers of one question; the most samples of one ticket */
    bool cursor;                     /* a cursor (struct point) has been opened */
    double *C_j;                     /* [d] the bounds of coordinates of the last question that had them, or NULL */
    /* x, a, r: the points of the last question that had several points or radii, with their factors and radii.
     * alone: the point of the last question that had one. The time of an answer may depend on where it is asked,
     * above all on how far apart two points are. */
    double *x[POINTS_HEARD], *alone, a[POINTS_HEARD], r[POINTS_HEARD];
};

/* Records all questions to s from here on; NULL: stops. */
void steps_listen(struct script *s);
void script_free(struct script *s);

/* Asks all recorded questions again, on a fresh oracle of the same instance and seed. x[d]: the point, where
 * the script has none. plain: a step of length 0 from the point by each gradient follows it, so that the next
 * question waits for the answer, as in a run; else nothing reads the answers. counts <- the counts of these
 * questions, noise included. */
void script_play(const struct script *s, const struct cell *c, const void *self, const struct facts *f,
                 struct arena *a, const double *x, bool plain, struct counts *counts);

/* A method with an instance that suits it: problem, algorithm and goal of a cell, with %1$g for the length; the
 * short and the long length; the steps of either run by theory, or 0 if they are random or have no simple formula.
 * why: what a step does beyond its questions, measured; NULL where this takes less than half of the time of the
 * questions. */
struct steps_case {
    const char *algo, *problem, *with, *goal;
    double length[2], steps[2];
    const char *why;
};
extern const struct steps_case steps_cases[];    /* ends with { 0 } */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algo.h - one file, one method, one exported symbol `const struct algo algo_<file>`. */
#ifndef ASSAY_ALGO_H
#define ASSAY_ALGO_H

#include "arena.h"
#include "facts.h"
#include "noise.h"
#include "oracle.h"
#include "param.h"
#include "rng.h"
#include "status.h"
#include "vec.h"

/* Questions an algorithm asks. Asking another one is a bug. A run is REFUSED if the problem does not offer
 * one of them, or if it has blocks (oracle_multiplicity) and the algorithm lacks CALL_BLOCKS. */
enum calls {
    CALL_VALUE = 1 << 0,  CALL_GRAD = 1 << 1,   CALL_SAMPLES = 1 << 2, CALL_SAMPLE_VALUES = 1 << 3,
    CALL_POINT = 1 << 4,  CALL_PIECES = 1 << 5, CALL_SMOOTH = 1 << 6,  CALL_PROX = 1 << 7,
    CALL_LINEAR_MIN = 1 << 8, CALL_NOISE = 1 << 9, CALL_BLOCKS = 1 << 10
};

/* Properties a method's guarantee relies on; a problem whose facts deny one: REFUSED. */
enum assumes {
    ASSUMES_CONVEX = 1 << 0,         /* weak == 0 */
    ASSUMES_SMOOTH = 1 << 1,         /* M_F finite */
    ASSUMES_LIPSCHITZ = 1 << 2,      /* L finite */
    ASSUMES_STRONGLY_CONVEX = 1 << 3,/* mu > 0 */
    ASSUMES_BOUNDED = 1 << 4,        /* radius finite */
    ASSUMES_UNBOUNDED = 1 << 5       /* radius infinite: the method does not project */
};

enum reducer { REDUCE_LAST, REDUCE_MAX, REDUCE_MIN, REDUCE_MEAN, REDUCE_SUM };

/* A named diagnostic: oracle_note(o, k, value) is entry k of the algorithm's table. */
struct note {
    const char *name, *unit, *doc;
    enum reducer reducer;
};

/* What makes a method more than the one without it, and the settings that switch it off. A claim names the
 * mechanism that it is about (claim.h); the run without it must then fail the claim's check. */
enum mechanism_effect {
    MECHANISM_HELPS,                 /* the answer is better with it: a tree, acceleration, a ball, a bisection */
    MECHANISM_COSTS                  /* the answer is worse with it, which is its price: noise, clipping */
};
enum { SWITCHES_MAX = 3 };
struct method_mechanism {
    const char *name;                /* one word, unique in the method; NULL ends the list */
    const char *doc;                 /* what it does */
    enum mechanism_effect effect;
    struct { const char *name; double value; const char *text; } off[SWITCHES_MAX];     /* "algo.c", "goal.eps":
                                        the setting's value, or its text */
    const char *without;             /* the method that is this one without it, where no setting is; else NULL */
    const char *note;                /* the note that says in which part of the iterations it acts, between 0 and 1;
                                        NULL: in all */
};

struct algo {
    const char *name, *doc, *cite;
    unsigned calls, assumes;
    unsigned long reads;             /* facts that `tune` needs: FACT_BIT(M) | ...; missing: REFUSED */
    unsigned long may_read;          /* facts that `tune` sees if known, NaN otherwise */
    /* Those facts of reads and may_read that `tune` needs under these parameters, as they are before
     * `tune`; it sees the others as unknown. Only the origins of f may be used here: a private method
     * may do without a fact that depends on the data. NULL: all. */
    unsigned long (*looks)(const struct facts *f, const struct goal *goal, const void *params);
    enum adjacency adjacency;        /* ADJACENCY_NONE: not a private method */
    const struct param *params;
    size_t params_size;
    const struct note *notes;        /* ends with { 0 }; may be NULL */
    /* The theorem's choice: fills the parameters that the user has not set (param_choose). REFUSED with the
     * predicted cost where the literal constants are infeasible. */
    enum status (*tune)(const struct facts *f, const struct goal *goal, void *params,
                        struct why *why);
    /* For a method that ends by itself, with the parameters and facts of `tune`: the mean number of sample
     * gradients of a run; where it asks for none, its rounds, each counted as the gradients that take its
     * time. For plans only. NULL: about what n, T or budget allow. */
    double (*expects)(const struct facts *f, const void *params);
    bool one_coordinate;             /* a step asks for one coordinate, whatever d: for plans only */
    /* x[d]: the start on entry, the answer on return. A run ended by its budget is answered by its
     * last oracle_mark instead, if it made one: mark what you would answer. */
    enum status (*run)(struct oracle *o, const void *params, struct arena *w, struct rng *rng,
                       double *x);
    /* Settings of a private method under which it is another mechanism, "noise=root", each with a claim
     * of privacy in addition to that of the defaults. They are tuned whenever claims are collected, so
     * `tune` must take milliseconds: none that calls noise_poisson_sd. Ends with NULL; NULL: none. */
    const char *const *variants;
    /* The method's questions depend on the answers (rejection, line searches, bisection), so that count
     * mode, whose answers are 0, would count something else: it is REFUSED. */
    bool random_counts;
    /* The questions depend on the answers, but answers 0 lead along the shortest course, on which every
     * search accepts its first point: count mode counts that course, and real runs may ask more. Or count
     * mode counts random samples by their expected sizes. */
    bool nominal_counts;
    const struct method_mechanism *mechanisms;      /* ends with { 0 }; NULL: none declared */
};

#endif

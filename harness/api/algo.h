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

/* The questions that an algorithm asks: CALL_VALUE oracle_value; CALL_GRAD oracle_grad; CALL_SAMPLES gradients of
 * samples, by batches, walks, rounds or clouds; CALL_SAMPLE_VALUES oracle_values and oracle_probe; CALL_POINT the
 * coordinate cursor; CALL_PIECES pieces; CALL_SMOOTH oracle_smooth_grad; CALL_PROX the prox and oracle_rest_coord;
 * CALL_LINEAR_MIN oracle_linear_min; CALL_NOISE noise.h; CALL_BLOCKS oracle_multiplicity. To ask one that is not
 * declared here is a bug. A run is REFUSED if the problem does not offer one of them, or if the problem has blocks
 * (oracle_multiplicity) and the algorithm lacks CALL_BLOCKS. */
enum calls {
    CALL_VALUE = 1 << 0,  CALL_GRAD = 1 << 1,   CALL_SAMPLES = 1 << 2, CALL_SAMPLE_VALUES = 1 << 3,
    CALL_POINT = 1 << 4,  CALL_PIECES = 1 << 5, CALL_SMOOTH = 1 << 6,  CALL_PROX = 1 << 7,
    CALL_LINEAR_MIN = 1 << 8, CALL_NOISE = 1 << 9, CALL_BLOCKS = 1 << 10
};

/* Properties that a method's guarantee relies on. A run is REFUSED if the problem's facts deny one of them. */
enum assumes {
    ASSUMES_CONVEX = 1 << 0,         /* weak == 0 */
    ASSUMES_SMOOTH = 1 << 1,         /* M_F finite */
    ASSUMES_LIPSCHITZ = 1 << 2,      /* L finite */
    ASSUMES_STRONGLY_CONVEX = 1 << 3,/* mu > 0 */
    ASSUMES_BOUNDED = 1 << 4,        /* radius finite */
    ASSUMES_UNBOUNDED = 1 << 5       /* radius infinite: a method that does not project needs all of R^d */
};

enum reducer { REDUCE_LAST, REDUCE_MAX, REDUCE_MIN, REDUCE_MEAN, REDUCE_SUM };

/* A named diagnostic of a run: oracle_note(o, k, value) records a value of entry k of the algorithm's table
 * `notes`, and the reducer makes one number of all its values. */
struct note {
    const char *name, *unit, *doc;
    enum reducer reducer;
};

/* A mechanism is what makes a method more than the method without it; it lists the settings that switch it off. A
 * claim names the mechanism that it is about (claim.h). With the mechanism switched off, the claim's check must
 * fail. */
enum mechanism_effect {
    MECHANISM_HELPS,                 /* the answer is better with the mechanism, for example with acceleration */
    MECHANISM_COSTS                  /* the answer is worse with the mechanism, for example with noise or
                                        clipping */
};
enum { SWITCHES_MAX = 3 };
struct method_mechanism {
    const char *name;                /* one word, unique in the method; NULL ends the list */
    const char *doc;                 /* what it does */
    enum mechanism_effect effect;
    struct { const char *name; double value; const char *text; } off[SWITCHES_MAX];     /* a setting, "algo.c" or
                                                                                           "goal.eps", and the
                                                                                           number or the text that
                                                                                           switches the mechanism
                                                                                           off */
    const char *without;             /* the method that lacks only this mechanism, where no setting switches it off;
                                        else NULL */
    const char *note;                /* the note whose value, from 0 to 1, is the part of the iterations in which
                                        the mechanism acts; NULL: it acts in all */
};

struct algo {
    const char *name, *doc, *cite;
    unsigned calls, assumes;
    unsigned long reads;             /* the facts that `tune` needs: FACT_BIT(M) | ...; the run is REFUSED where one
                                        is missing */
    unsigned long may_read;          /* facts that `tune` sees if known, NaN otherwise */
    /* Returns, as bits, those facts of reads and may_read that `tune` needs under these parameters, which are given
     * as they are before `tune`. `tune` sees all other facts as unknown. Of f the function may use only the
     * origins: a private method may do without a fact that is computed from the data. NULL: `tune` needs all. */
    unsigned long (*looks)(const struct facts *f, const struct goal *goal, const void *params);
    enum adjacency adjacency;        /* ADJACENCY_NONE: not a private method */
    const struct param *params;
    size_t params_size;
    const struct note *notes;        /* ends with { 0 }; may be NULL */
    /* Fills the parameters that the user has not set (param_choose) by the formulas of the theorem. Returns REFUSED
     * with the predicted cost in *why where the literal constants are infeasible. */
    enum status (*tune)(const struct facts *f, const struct goal *goal, void *params,
                        struct why *why);
    /* For a method that ends by itself: the mean number of sample gradients of a run, from the parameters and facts
     * of `tune`. A method that asks for no sample gradients returns its number of batch steps instead, times the
     * number of gradients that take as long as one of them. Only plans use it. NULL: a run takes about what n, T or
     * the budget allow. */
    double (*expects)(const struct facts *f, const void *params);
    bool one_coordinate;             /* an iteration asks for one partial derivative, whatever d is; only plans use
                                        this */
    /* x[d]: the start on entry, the answer on return. w is the memory of the run, which `run` seals before its loop
     * (arena.h); rng is a random stream of the method's own, not for noise of privacy (noise.h). A run ended by its
     * budget is answered by its last oracle_mark instead, if it made one: mark what you would answer. */
    enum status (*run)(struct oracle *o, const void *params, struct arena *w, struct rng *rng,
                       double *x);
    /* Settings of a private method that make it another mechanism of privacy, such as "noise=root". Each gets a
     * claim of privacy, as the defaults have one. They are tuned whenever claims are collected, so `tune` must take
     * milliseconds and must not call noise_poisson_sd. The list ends with NULL; NULL: no settings. */
    const char *const *variants;
    /* The method's questions depend on the answers (rejection, line searches, bisection). Count mode, whose answers
     * are 0, would therefore count other questions, and is REFUSED. */
    bool random_counts;
    /* The questions depend on the answers, but answers 0 lead along the shortest course, on which every
     * search accepts its first point: count mode counts that course, and real runs may ask more. Or count
     * mode counts random samples by their expected sizes. */
    bool nominal_counts;
    const struct method_mechanism *mechanisms;      /* ends with { 0 }; NULL: none declared */
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_ahead.h - random numbers of coming questions, drawn together. The random stream of a question
 * follows from its serial number. In a run of small, regular questions the coming serial numbers are known,
 * and one call that draws the numbers of many questions takes little longer than a call for one question. The
 * numbers are the same bits either way. */
#ifndef ASSAY_ORACLE_AHEAD_H
#define ASSAY_ORACLE_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "rng.h"

/* AHEAD_NUMBERS, AHEAD_STREAMS: how many numbers, and for how many questions, are drawn together at most.
 * AHEAD_SMALL: a question with more vectors or more numbers than this is not drawn ahead. */
enum { AHEAD_NUMBERS = 512, AHEAD_STREAMS = 32, AHEAD_SMALL = 64 };

/* One question: `rows` vectors of d numbers. Vector k comes from substream `first` + k of the random stream that
 * has the number `serial`. */
struct ahead_ask {
    uint64_t serial, first;
    long rows, d;
    double sd;                       /* standard deviation of normals; 0: vectors on the unit sphere */
};

struct ahead {
    struct ahead_ask last;
    uint64_t stride, step;           /* stride: the difference of `serial` between the last two questions; step: the
                                        difference of `first` between them */
    long together, ready, given;     /* numbers of questions. together: in the next draw; ready: drawn; given:
                                        handed out */
    double *numbers;                 /* [AHEAD_NUMBERS]; NULL: nothing is drawn ahead */
};

/* Returns the numbers of this question, from the stream rng_sub(base, serial) or, where label is not 0, from
 * rng_sub(rng_sub(base, serial), label); base and label must always be the same. Returns NULL where the question is
 * large, or differs from the last two in more than a constant step; the caller then draws the numbers itself. */
const double *ahead_numbers(struct ahead *a, const struct rng *base, uint64_t label, const struct ahead_ask *q);

#endif

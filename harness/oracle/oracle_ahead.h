/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_ahead.h - numbers of the next questions, drawn together. A stream is addressed by the number of
 * its question, so that what a run of small regular questions will draw is known before they are asked,
 * and few numbers take nearly as long to draw as many. Nobody can see in the bits who drew them when. */
#ifndef ASSAY_ORACLE_AHEAD_H
#define ASSAY_ORACLE_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "rng.h"

enum { AHEAD_NUMBERS = 512, AHEAD_STREAMS = 32, AHEAD_SMALL = 64 };

/* One question: `rows` rows of d numbers from substream `first` on of the stream of this number. */
struct ahead_ask {
    uint64_t serial, first;
    long rows, d;
    double sd;                       /* of normals; 0: vectors on the sphere */
};

struct ahead {
    struct ahead_ask last;
    uint64_t stride, step;           /* between the last two questions: of `serial`, of `first` */
    long together, ready, given;     /* streams: of the next draw, drawn, asked for */
    double *numbers;                 /* [AHEAD_NUMBERS]; NULL: nothing is drawn ahead */
};

/* The numbers of this question, of streams rng_sub(base, serial), or of rng_sub(that, label) where label is
 * not 0; base and label are the same for ever. NULL: the question is large, or did not follow from the
 * last two, and the caller draws by itself. */
const double *ahead_numbers(struct ahead *a, const struct rng *base, uint64_t label, const struct ahead_ask *q);

#endif

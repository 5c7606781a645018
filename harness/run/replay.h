/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - replay: one run is repeated on a neighbouring data set, with every booked release forced to the value
 * of the first run. What differs then has not passed a release (tape.h). Replay uses no knowledge of the
 * algorithm. */
#ifndef ASSAY_REPLAY_H
#define ASSAY_REPLAY_H

#include "run/run.h"
#include "oracle/tape.h"

/* Which record is changed; the neighbours 1, 2, 3, ... of a cell take the choices in turn. */
enum neighbour_choice {
    CHOICE_RANDOM,           /* any record that was taken; replaced by another one */
    CHOICE_CANARY,           /* the family's pair of canaries; where it has none, as CHOICE_LARGEST */
    CHOICE_LARGEST           /* a record with one of the largest gradients, in turn; replaced by a canary or, where
                              * there is none, by its own negative, for a method that assumes convexity by another
                              * record */
};

struct replay {
    enum neighbour_choice choice;
    struct neighbour first, second;  /* the data sets of the first run, and of the run that is compared with it */
    struct tape tape;                /* sites and first leak; free it with tape_free */
};

/* Replays neighbour k >= 1 in the adjacency that the algorithm declares; n: the number of samples that the run
 * takes, among which the record is chosen; limit: the most bytes of a tape, 0: no limit. The same cell and k give
 * the same bits. */
enum status replay_run(struct runner *rn, const struct cell *c, long k, double n, size_t limit,
                       struct replay *r, struct why *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - replay: one run is repeated on a neighbouring data set, with every booked release forced to the value
 * of the first run. If something else differs, data have reached it without a release (tape.h). Replay uses no
 * knowledge of the algorithm. */
#ifndef ASSAY_REPLAY_H
#define ASSAY_REPLAY_H

#include "run/run.h"
#include "oracle/tape.h"

/* How the record that the neighbouring data set changes is chosen; neighbour k = 1, 2, 3, ... of a cell takes these
 * choices in turn. What replaces the record is said for methods whose adjacency is the replacement of a record;
 * otherwise it is zeroed or removed. */
enum neighbour_choice {
    CHOICE_RANDOM,           /* any record that was taken; replaced by another one */
    CHOICE_CANARY,           /* a random record in whose place one canary of the family's pair stands, replaced by
                                the other canary; where the family has no pair, as CHOICE_LARGEST */
    CHOICE_LARGEST           /* one of the records with the largest shares in a sum, another one each time; replaced
                                by a canary or, where the family has none, by its own negative or, for a method that
                                assumes convexity, by another record */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - one run repeated on a neighbouring data set with every booked release forced: what
 * differs then has not passed a release (tape.h). No algorithm is known here. */
#ifndef ASSAY_REPLAY_H
#define ASSAY_REPLAY_H

#include "run/run.h"
#include "oracle/tape.h"

/* Who is changed: neighbours 1, 2, 3, ... of a cell go round. */
enum neighbour_choice {
    CHOICE_RANDOM,           /* any record taken; replaced by another one */
    CHOICE_CANARY,           /* the family's pair; where it has none, one of the largest */
    CHOICE_LARGEST           /* a record with one of the largest gradients asked, by turns; replaced
                                by a canary, or where there is none by its own negative */
};

struct replay {
    enum neighbour_choice choice;
    struct neighbour first, second;  /* the two data sets */
    struct tape tape;                /* sites, first leak: tape_free */
};

/* Neighbour k >= 1 in the algorithm's own adjacency; n: samples the run takes, for choosing among
 * them. The same cell and k give the same bits. */
enum status replay_run(struct runner *rn, const struct cell *c, long k, double n, size_t limit,
                       struct replay *r, struct why *why);

#endif

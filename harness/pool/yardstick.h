/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yardstick.h - how fast this machine is while a run lasts: a fixed piece of work, timed again and again
 * beside it. Times of runs are told in its units, so that another machine, another clock or a busy
 * neighbour is no change of the program.
 *
 * The work is of its own, integer hashing, a polynomial and a pass over memory that no cache next to a core
 * holds: nothing that is shared with what is measured, since a slower kernel must not slow its ruler. */
#ifndef ASSAY_YARDSTICK_H
#define ASSAY_YARDSTICK_H

enum { YARDSTICK_ROOM = 4096 };      /* a sample a second: more than an hour; later ones replace old ones */

struct yardstick {
    double sample[YARDSTICK_ROOM];   /* seconds of processor time */
    long samples;
    double next;                     /* when to look again, by the monotonic clock */
};

/* Times it a few times at once. */
void yardstick_begin(struct yardstick *y);
/* Times it once, if the last time is a second ago. */
void yardstick_tick(struct yardstick *y);
/* The median of what was timed, in seconds; NaN: nothing was. */
double yardstick_seconds(const struct yardstick *y);

/* Processor time of this process. */
double yardstick_clock(void);

#endif

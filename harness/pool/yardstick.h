/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yardstick.h - measures how fast this machine is during a run: a fixed piece of work, the yardstick, is timed
 * every second beside the cells. Times of runs are divided by the time of the yardstick, so that another machine,
 * another clock rate or another busy process does not look like a change of the program.
 *
 * The work is integer hashing, a polynomial and a pass over memory larger than the cache next to a core. It shares
 * no code with the cells, since a kernel that becomes slower must not make the yardstick slower. */
#ifndef ASSAY_YARDSTICK_H
#define ASSAY_YARDSTICK_H

/* The number of samples, times of the yardstick, that are kept: with one sample a second, those of more than an
 * hour. A later sample replaces the oldest. */
enum { YARDSTICK_ROOM = 4096 };

struct yardstick {
    double sample[YARDSTICK_ROOM];   /* processor time of one run of the work, in seconds */
    long samples;
    double next;                     /* when the next sample is due, by clock_monotonic */
};

/* Forgets all samples and takes the first ones, several at once. */
void yardstick_begin(struct yardstick *y);
/* Takes a sample if the last one is at least a second old. */
void yardstick_tick(struct yardstick *y);
/* Returns the median of the samples that are kept, in seconds; NaN: there are none. */
double yardstick_seconds(const struct yardstick *y);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - one line on a terminal's stderr: bar, cells, failures, time left. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool on;
    double begun, total, done;           /* begun: clock_monotonic at the beginning. total, done: estimated work; of
                                            a single run `total` is 1, `done` the part that is done */
    int cells, finished, failed, workers;        /* cells: how many there are; 0: a single run */
    double last;                         /* clock_monotonic when the bar was last drawn */
};

/* Is the file a terminal that can redraw a line? For bars and colours. */
bool progress_wanted(int file);
void progress_begin(struct progress *p, bool on, int cells, double total, int workers);
/* Begins the bar of a single run. It is not drawn in the first second. */
void progress_begin_one(struct progress *p, bool on);
/* Sets the part of the run that is done, in [0,1], and draws the bar. */
void progress_part(struct progress *p, double part);
/* Counts a finished cell. `cost` is its estimated work. */
void progress_step(struct progress *p, double cost, bool failed);
void progress_draw(struct progress *p);
void progress_end(struct progress *p);

#endif

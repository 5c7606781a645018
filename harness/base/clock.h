/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - the date, the seconds that have passed, and processor time. No other file of the program reads a clock
 * (tests/unit/test_rooms.c), so that a test can shift the date and the seconds everywhere at once. */
#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

#include <sys/types.h>
#include <time.h>

/* Returns the time since 1970 UTC. It jumps when the clock of the machine is set. */
struct timespec clock_date(void);
/* text <- the date, as 2026-11-26T17:10:00Z. */
void clock_date_text(char text[24]);
/* Returns the seconds of a clock that never goes back. Only differences have a meaning. */
double clock_monotonic(void);
/* Returns the seconds of a clock that never goes back and advances by at most one second from call to call. Code
 * that waits calls it several times a second, so the time in which the whole process stood still, after Ctrl-Z for
 * instance, is not counted. */
double clock_steady(void);
/* Returns the processor time of this process, in seconds. */
double clock_processor(void);
/* Returns the processor time of a process, in seconds; 0 where it has ended. */
double clock_processor_of(pid_t pid);

/* For tests: from now on clock_date is later than the machine's date by `date` seconds, and clock_monotonic later
 * than the machine's clock by `monotonic` seconds. clock_shift(0, 0) takes both shifts back. */
void clock_shift(double date, double monotonic);

#endif

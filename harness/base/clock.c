/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c - the clocks of the program. */
#include "base/clock.h"

#include <math.h>
#include <stdio.h>

/* Set by tests alone: seconds that are added to the date and to the monotonic clock. */
static double date_shift, monotonic_shift;
/* The state of clock_steady: the monotonic clock at its last call, and what that call returned. */
static double last_seen, steady;

static struct timespec read_clock(clockid_t clock)
{
    struct timespec t = { 0 };
    clock_gettime(clock, &t);
    return t;
}

static double seconds(struct timespec t) { return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec; }

void clock_shift(double date, double monotonic)
{
    date_shift = date;
    monotonic_shift = monotonic;
}

struct timespec clock_date(void)
{
    struct timespec t = read_clock(CLOCK_REALTIME);
    t.tv_sec += (time_t)date_shift;
    return t;
}

void clock_date_text(char text[24])
{
    struct timespec t = clock_date();
    struct tm utc;
    if (!gmtime_r(&t.tv_sec, &utc) || !strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &utc))
        snprintf(text, 24, "1970-01-01T00:00:00Z");
}

double clock_monotonic(void) { return seconds(read_clock(CLOCK_MONOTONIC)) + monotonic_shift; }

double clock_steady(void)
{
    double now = clock_monotonic();
    steady += fmax(fmin(now - last_seen, 1), 0);
    last_seen = now;
    return steady;
}

double clock_processor(void) { return seconds(read_clock(CLOCK_PROCESS_CPUTIME_ID)); }

double clock_processor_of(pid_t pid)
{
    clockid_t clock;
    return pid > 0 && clock_getcpuclockid(pid, &clock) == 0 ? seconds(read_clock(clock)) : 0;
}

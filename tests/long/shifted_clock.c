/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shifted_clock.c - a library to be preloaded: the date is later by the seconds that the file $SHIFT_FILE contains
 * at the moment; where SHIFT_MONOTONIC is set, CLOCK_MONOTONIC is later by the same. Clocks of processor time
 * stay as they are; libfaketime shifts these too. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void)
{
    const char *name = getenv("SHIFT_FILE");
    FILE *f = name ? fopen(name, "r") : NULL;
    long seconds = 0;
    if (f && fscanf(f, "%ld", &seconds) != 1)
        seconds = 0;
    if (f)
        fclose(f);
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, t);
    if (!failed && (clock == CLOCK_REALTIME || (clock == CLOCK_MONOTONIC && getenv("SHIFT_MONOTONIC"))))
        t->tv_sec += shift();
    return failed;
}

time_t time(time_t *to)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (to)
        *to = t.tv_sec;
    return t.tv_sec;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
    return 0;
}

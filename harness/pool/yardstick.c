/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yardstick.c - a fixed piece of work of about half a millisecond. */
#include "pool/yardstick.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* BEGIN: the number of times that the work is timed at the start, enough for a median that one disturbed time does
 * not change. HASHES, DEGREE, POINTS and WORDS make each of the three parts of the work take a fraction of a
 * millisecond: with less the resolution of the clock would show, more would take time from the cells. WORDS is 2
 * MiB, more than the caches next to a core hold. Another value of these four changes the unit, so that stored times
 * could not be compared with older ones. */
enum { BEGIN = 7, HASHES = 200000, DEGREE = 16, POINTS = 20000, WORDS = 1 << 18 };
/* Seconds from one timing of the work to the next: a timing, of about half a millisecond, takes 0.05% of this
 * pause. With a longer pause short changes of the clock rate are missed. */
static const double PAUSE = 1;

/* Computes a chain of multiplications and shifts. Each needs the result of the one before, so that the latency of
 * the integer unit decides the time. */
static uint64_t hashes(uint64_t x)
{
    for (int k = 0; k < HASHES; k++) {
        x ^= x >> 29;
        x *= UINT64_C(0xbf58476d1ce4e5b9);
    }
    return x;
}

/* Evaluates a polynomial at many points. The throughput of additions and multiplications decides the time. */
static double polynomials(double x)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        double p = 1, at = x + i * 1e-9;
        for (int k = 0; k < DEGREE; k++)
            p = p * at + 0.5;
        sum += p;
    }
    return sum;
}

/* Returns the sum of word[WORDS]. The throughput of reading 2 MiB of memory decides the time. */
static uint64_t reading(const uint64_t *word)
{
    uint64_t sum = 0;
    for (int k = 0; k < WORDS; k++)
        sum += word[k];
    return sum;
}

static double once(void)
{
    static uint64_t word[WORDS];         /* it is filled below, since pages that were never written all share one
                                            page of memory */
    static volatile double sink;         /* keeps the compiler from dropping the work */
    if (!word[0])
        memset(word, 1, sizeof word);
    double begin = clock_processor();
    sink = (double)(hashes((uint64_t)word[1]) >> 40) + polynomials(0.3 + sink * 1e-30) + (double)reading(word);
    return clock_processor() - begin;
}

static void keep(struct yardstick *y)
{
    y->sample[y->samples++ % YARDSTICK_ROOM] = once();
    y->next = clock_monotonic() + PAUSE;
}

void yardstick_begin(struct yardstick *y)
{
    y->samples = 0;
    once();                              /* this time is not kept: the call allocates the pages and wakes the
                                            processor */
    for (int k = 0; k < BEGIN; k++)
        keep(y);
}

void yardstick_tick(struct yardstick *y)
{
    if (clock_monotonic() >= y->next)
        keep(y);
}

double yardstick_seconds(const struct yardstick *y)
{
    long n = y->samples < YARDSTICK_ROOM ? y->samples : YARDSTICK_ROOM;
    if (n == 0)
        return NAN;
    double *sorted = malloc((size_t)n * sizeof *sorted);
    if (!sorted)
        return NAN;
    memcpy(sorted, y->sample, (size_t)n * sizeof *sorted);
    gsl_sort(sorted, 1, (size_t)n);
    double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history_times.h - what claims took, night by night: steps and drifts. Pure, and advisory.
 *
 * A night's number of a claim is the logarithm of its processor time in units of that night's yardstick.
 * Of these the night's median over all claims is taken off, so that what all claims have in common is
 * told once, as a series of its own. Only nights since the claim has its present counts take part: other
 * counts are other work, and are told of as such. */
#ifndef ASSAY_HISTORY_TIMES_H
#define ASSAY_HISTORY_TIMES_H

#include "nights/history.h"
#include "nights/trend.h"

struct time_series {
    const char *claim;               /* NULL: what all have in common */
    int nights;
    double factor[NIGHTS];           /* each night's time over the first one's, likewise normalised */
    const struct night *of[NIGHTS];
    struct trend trend;              /* of log factor; kind NONE: nothing to be told */
    bool accepted;                   /* a step that the baseline has taken */
};

struct time_history {
    struct time_series *series;      /* [n] the common one first; free() it */
    int n;
};

/* alarm: probability that nights which differ by chance alone have a trend in any series. baseline, or
 * NULL: tells which steps have been accepted. Claims shorter than half a second have no series. Benchmarks (bench_times.h) are read the same way. */
struct time_history history_times(const struct history *h, const struct standings *baseline,
                                  const char *profile, double alarm);
#define HISTORY_ALARM 0.01

/* One trend in words: "step: time +31% since 2026-05-04 (p = 3e-09)"; "": none. */
void history_times_words(const struct time_series *s, char *text, size_t room);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - the nights of a store: the standings of each run, and steps and drifts of their times. */
#ifndef ASSAY_HISTORY_H
#define ASSAY_HISTORY_H

#include "nights/baseline.h"
#include "nights/trend.h"
#include "store/store.h"

struct night {
    long run;
    char started[24], commit[64];
    struct standings standings;      /* the standings of that night, of one profile */
};

enum { NIGHTS = 60 };                /* the newest nights that are shown, two months of them; more nights take
                                        longer to read */

struct history { struct night *night; int nights; };     /* oldest first */

/* Reads the newest `most` runs of the store that have standings of the profile. Lines of another version that
 * cannot be read are left out. */
enum status history_read(struct store *s, const char *profile, int most, struct history *h,
                         struct why *why);
/* *last <- the newest standing of each claim that is not NOT_RUN, of whatever profile; its `reason` is "run of
 * DATE", its commit that of the run. standings_free(last). */
enum status history_last(struct store *s, struct standings *last, struct why *why);
void history_free(struct history *h);
/* Adds the standings of a run. IO_ERROR, DAMAGED. */
enum status history_write(struct store *s, long run, const struct standings *list, struct why *why);

/* --- times, night by night: steps and drifts. Pure, and advisory.
 *
 * The number of a claim in a night is the logarithm of its processor time in units of that night's yardstick. The
 * median of these numbers over all claims is a series of its own, so that what all claims have in common is
 * reported once. The series of a claim has only the nights with the present counts of the claim: other counts are
 * other work, and are reported as a change of counts. The median over the claims that have all of these nights is
 * subtracted from it if they are five or more; what slows most of five such claims is then taken for common. The
 * claims with most nights, at most four, have nothing subtracted, and may report what all have in common too. */

struct time_series {
    const char *claim;               /* NULL: the part that all claims have in common */
    int nights;
    double factor[NIGHTS];           /* the time in each night over that in the first night, in units of the
                                        yardstick; of a claim, without the part in common where that is subtracted */
    const struct night *of[NIGHTS];
    struct trend trend;              /* the trend of log factor; kind NONE: neither step nor drift */
    bool accepted;                   /* the trend is a step, and the baseline has a time nearer to
                                        those after it than to those before */
};

struct time_history {
    struct time_series *series;      /* [n] first the part that all claims have in common, then each claim; free()
                                        it */
    int n;
};

/* Computes series and trends. alarm: the probability that nights which differ by chance alone have a trend in any
 * series. baseline (or NULL) shows which steps have been accepted. Claims shorter than half a second have no
 * series. Benchmarks (bench_times.h) are treated the same way. */
struct time_history history_times(const struct history *h, const struct standings *baseline,
                                  const char *profile, double alarm);
/* The alarm that reports use: one false trend in 100 nights. */
#define HISTORY_ALARM 0.01

/* text <- one trend in words: "step: time +31% since 2026-05-04 (p = 3e-09)"; "": there is none. */
void history_times_words(const struct time_series *s, char *text, size_t room);

/* --- one claim, night by night */

/* level: the mean of the measured numbers, geometric where the standing's scale is that of logarithms; lo, hi: 2
 * standard errors over the groups of replicates to either side, NaN where there is no more than one group or where
 * the groups are points of the axis. NaN: the night has no number. seconds: the processor time of all runs. */
struct night_point {
    const struct night *night;
    enum word word;
    double level, lo, hi, seconds;
    bool logarithmic;
};
/* point[NIGHTS] <- the newest nights, oldest first, that ran the claim; returns how many they are. */
int history_points(const struct history *h, const char *claim, struct night_point *point);
/* Has the verdict or the level of the claim changed between any two of the nights? */
bool history_changed(const struct night_point *point, int n);

/* --- nights as text */

/* Draws level and time of a claim by night, as lines of blocks; prints nothing with fewer than two nights. */
void history_draw(FILE *out, const struct history *h, const char *claim);

/* Prints every night with the changes since the night before that had to be accepted, then times with a step or a
 * drift. */
void history_print(FILE *out, const struct history *h, const struct standings *baseline,
                   const char *profile);

/* Prints steps and drifts of benchmarks. */
void history_print_kernels(FILE *out, const struct history *h);

#endif

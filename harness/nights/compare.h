/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - what has changed between two lists of standings. Pure.
 *
 * Both lists come from runs of the same cells with the same seeds, so that an unchanged program gives the same
 * numbers but for rounding, which differs between processors. Counts must be equal, and levels must be equal within
 * their errors and a relative 1e-9. Where levels changed by more, the groups of replicates are pairs (the same
 * instances, the same draws): Student's t on their differences says by how much, and whether chance explains it.
 * The test raises a false alarm with probability 0.1% divided by the number of claims and rivals compared
 * (Bonferroni). So a comparison of lists that differ by chance alone raises an alarm with probability at most 0.1%,
 * however the claims depend on each other, if differences of groups are normal, and less if their tails are heavier
 * (a test checks both cases).
 * Without randomness any change beyond the errors is an alarm. */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "nights/baseline.h"
#include "record/record.h"

enum change_kind {
    CHANGE_NONE,
    CHANGE_NEW,              /* the claim is not in the base */
    CHANGE_ABSENT,           /* the claim is in the base, but was not run, or not wholly */
    CHANGE_GONE,             /* the claim is in the base, but this program has no such claim */
    CHANGE_BETTER,           /* the verdict is SUPPORTED now and was another one before */
    CHANGE_MOVED,            /* the measured numbers moved, by no more than chance explains */
    CHANGE_MEASURE,          /* the measured numbers moved by more than chance explains, or the number of runs that
                                diverge changed */
    CHANGE_COUNTS,           /* the counts differ, or the number of runs */
    CHANGE_VERDICT           /* the verdict is another one than before and not SUPPORTED, or a control is no longer
                                caught */
};
/* change_name returns the word of a kind of change. change_gates: must such a change be accepted or mended? */
const char *change_name(enum change_kind k);
bool change_gates(enum change_kind k);

struct change {
    const struct standing *base, *now;   /* base NULL: CHANGE_NEW; now NULL: CHANGE_ABSENT, CHANGE_GONE */
    enum change_kind kind;               /* the gravest kind that applies */
    bool verdict, control, counts, measure;
    bool rival_counts, rival_measure;    /* rival_counts: `count` is of the rival's runs, since the counts of the
                                            claim's own runs did not change. rival_measure: `effect` is of the
                                            rival's runs, since the numbers of the claim's own runs changed by no
                                            more than chance */
    int count;                           /* the count that changed most, relatively; -1: none */
    bool factor;                         /* effect is a factor minus 1; false: it is in units of y */
    double effect, lo, hi;               /* the change of the mean level, or that at the worst point, with a 95%
                                            interval; NaN: the levels cannot be compared */
    double p;                            /* two-sided p of the effect; 0: there is no randomness, or the levels
                                            cannot be compared */
    double time;                         /* ratio of the times, now over base; 0: too short to be compared.
                                            Advisory */
};

/* A claim that takes this many times the time of the base is named as slower, which decides nothing. With a smaller
 * factor noise would be named. */
#define COMPARE_SLOW 1.2

struct comparison {
    struct change *change;               /* [n] by claim; free() it */
    int n, compared, kinds[CHANGE_VERDICT + 1];
    int times;                           /* number of claims whose times are compared: in both lists they are at
                                            least half a second. Advisory */
    double slower;                       /* the median of their time ratios now/base */
    const struct change *slowest;        /* the claim with the largest ratio; NULL: there is none */
    double slowest_ratio;
    int slow;                            /* number of claims slower by COMPARE_SLOW */
    bool normalised;                     /* all of these times are in units of the yardstick */
};

/* Returns the number of changes that must be accepted or mended. */
int comparison_gates(const struct comparison *c);

/* Compares the claims of one profile. `known` (or NULL), given ctx, says whether the program has a claim of that
 * name. */
struct comparison compare(const struct standings *base, const struct standings *now, const char *profile,
                          bool (*known)(const void *ctx, const char *claim), const void *ctx);

/* --- printed */

/* Prints a comparison. Text: what changed, gravest first, then totals and times. CSV and JSON: every claim
 * compared. */
void compare_print(FILE *out, const struct comparison *c, enum record_format format);
/* Returns the claims that are slower by COMPARE_SLOW, slowest first and one at a call: the one after `last`, the
 * first for NULL. Returns NULL after the last one. */
const struct change *compare_slow(const struct comparison *c, const struct change *last);
enum { SLOW_SHOWN = 5 };

/* text <- one change in words, without the claim: "SUPPORTED -> INCONCLUSIVE", "sample_grads 100 -> 110 (+10%)",
 * "+12.3% (10.1% to 14.6%), p = 1e-09". */
void compare_words(const struct change *c, char *text, size_t room);

/* Prints how many claims have no line in the base; nothing where all have. */
void compare_uncovered(FILE *out, const struct comparison *c, const char *profile);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - what has changed between two lists of standings. Pure.
 *
 * Both sides ran the same cells with the same seeds, so that an unchanged program gives the same
 * numbers but for rounding, which differs between processors: counts must be equal, and the levels must
 * be equal within their errors and a relative 1e-9. Where levels moved by more, the groups of
 * replicates are pairs (the same instances, the same draws): Student's t on their differences tells by
 * how much and whether chance explains it. Its level is 0.1% divided by the number of claims and rivals
 * compared (Bonferroni), so that a comparison of sides that differ by chance alone raises an alarm with
 * probability at most 0.1%, however the claims depend on each other, if differences of groups are normal,
 * and less if their tails are heavier (both are tested). Without randomness any move beyond the errors is
 * an alarm. */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "nights/baseline.h"
#include "record/record.h"

enum change_kind {
    CHANGE_NONE,
    CHANGE_NEW,              /* not in the base */
    CHANGE_ABSENT,           /* in the base, but not run, or not wholly */
    CHANGE_GONE,             /* in the base, but no claim of this program */
    CHANGE_BETTER,           /* verdict: SUPPORTED now */
    CHANGE_MOVED,            /* the measured numbers moved, by no more than chance explains */
    CHANGE_MEASURE,          /* they moved by more, or other runs diverge */
    CHANGE_COUNTS,           /* other counts, another number of runs */
    CHANGE_VERDICT           /* another verdict than SUPPORTED, or a control no longer caught */
};
/* Its word, and whether it must be accepted or mended. */
const char *change_name(enum change_kind k);
bool change_gates(enum change_kind k);

struct change {
    const struct standing *base, *now;   /* NULL: CHANGE_NEW, CHANGE_ABSENT */
    enum change_kind kind;               /* the gravest one that holds */
    bool verdict, control, counts, measure;
    bool rival_counts, rival_measure;    /* count, effect: of the rival's runs, as the own are as before */
    int count;                           /* the count that changed most, relatively; -1: none */
    bool factor;                         /* effect is a factor minus 1, else in units of y */
    double effect, lo, hi;               /* of the mean level, or of the worst point; 95% */
    double p;                            /* two-sided; 0: no randomness */
    double time;                         /* now/base; 0: too short to be compared. Advisory */
};

/* A claim that takes this many times the base is named as slower, which decides nothing. Less would name noise. */
#define COMPARE_SLOW 1.2

struct comparison {
    struct change *change;               /* [n] by claim; free() it */
    int n, compared, kinds[CHANGE_VERDICT + 1];
    int times;                           /* claims that took TIME_LEAST on both sides; advisory: */
    double slower;                       /* the median of their ratios now/base, */
    const struct change *slowest;        /* and the largest; NULL */
    double slowest_ratio;
    int slow;                            /* number of claims slower by COMPARE_SLOW */
    bool normalised;                     /* all of these times are in units of the yardstick */
};

/* The number of changes to be accepted or mended. */
int comparison_gates(const struct comparison *c);

/* Claims of one profile. `known` (or NULL), given ctx, says whether the program has a claim of that
 * name. */
struct comparison compare(const struct standings *base, const struct standings *now, const char *profile,
                          bool (*known)(const void *ctx, const char *claim), const void *ctx);

/* --- printed */

/* Text: what changed, gravest first, then totals and times. CSV and JSON: every claim compared. */
void compare_print(FILE *out, const struct comparison *c, enum record_format format);
/* The claims that are slower by COMPARE_SLOW, slowest first: the one after `last`, the first for NULL; NULL: no
 * more. */
const struct change *compare_slow(const struct comparison *c, const struct change *last);
enum { SLOW_SHOWN = 5 };

/* One change in words, without the claim: "SUPPORTED -> INCONCLUSIVE", "sample_grads 100 -> 110 (+10%)",
 * "+12.3% (10.1% to 14.6%), p = 1e-09". */
void compare_words(const struct change *c, char *text, size_t room);

/* Prints how many claims have no line in the base; nothing where all have. */
void compare_uncovered(FILE *out, const struct comparison *c, const char *profile);

#endif

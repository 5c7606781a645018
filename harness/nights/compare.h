/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - what has changed between two lists of standings. Pure.
 *
 * Both sides ran the same cells with the same seeds, so that an unchanged program gives the same
 * numbers but for rounding, which another processor does otherwise: counts must be equal, and so must
 * the levels, within their errors and a relative 1e-9. Where levels moved by more, the groups of
 * replicates are pairs (the same instances, the same draws): Student's t on their differences says by
 * how much and whether chance explains it. Its level is 0.1% divided by the number of claims and rivals
 * compared (Bonferroni), so that a comparison in which nothing but chance is at work raises an alarm with
 * probability 0.1%, however the claims hang together, if differences of groups are normal, and less if
 * their tails are heavier (both are tested). Without randomness any move beyond the errors is one. */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "nights/baseline.h"

enum change_kind {
    CHANGE_NONE,
    CHANGE_NEW,              /* not in the base */
    CHANGE_ABSENT,           /* in the base, but not run, or not wholly */
    CHANGE_GONE,             /* in the base, but no claim of this program */
    CHANGE_BETTER,           /* verdict: SUPPORTED now */
    CHANGE_MOVED,            /* the measured numbers, by no more than chance explains */
    CHANGE_MEASURE,          /* by more; or other runs diverge */
    CHANGE_COUNTS,           /* other counts, another number of runs */
    CHANGE_VERDICT           /* another verdict than SUPPORTED, or a control no longer caught */
};
/* The word for it, and whether it needs accepting. */
const char *change_name(enum change_kind k);
bool change_gates(enum change_kind k);

struct change {
    const struct standing *base, *now;   /* NULL: CHANGE_NEW, CHANGE_ABSENT */
    enum change_kind kind;               /* the gravest; the others may hold, too */
    bool verdict, control, counts, measure;
    bool rival_counts, rival_measure;    /* the next four are of the rival's runs: its own are as before */
    int count;                           /* the count that changed most, relatively; -1: none */
    bool factor;                         /* effect is a factor minus 1, else in units of y */
    double effect, lo, hi;               /* of the mean level, or of the worst point; 95% */
    double p;                            /* two-sided; 0: no randomness */
    double time;                         /* now/base; 0: too short to be told. Advisory */
};
/* The runs that changed, of either side of the comparison. */
const struct standing_side *change_side(const struct standing *s, bool rival);
/* Do both sides know their yardstick? Then times are ratios of what each took in its units. */
bool change_normalised(const struct change *c);

#define COMPARE_SLOW 1.2                 /* times of the base: named, though it decides nothing */

struct comparison {
    struct change *change;               /* [n] by claim; free() it */
    int n, compared, kinds[CHANGE_VERDICT + 1];
    int times;                           /* claims that took TIME_LEAST on both sides; advisory: */
    double slower;                       /* the median of their ratios now/base, */
    const struct change *slowest;        /* and the largest; NULL */
    double slowest_ratio;
    int slow;                            /* so many are slower by COMPARE_SLOW */
    bool normalised;                     /* all of these are */
};

/* How many changes are to be accepted or mended. */
int comparison_gates(const struct comparison *c);

/* Claims of one profile. `known` (or NULL), given ctx, says whether the program has a claim of that
 * name. */
struct comparison compare(const struct standings *base, const struct standings *now, const char *profile,
                          bool (*known)(const void *ctx, const char *claim), const void *ctx);

#endif

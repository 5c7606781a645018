/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - from the measured points of one claim to estimates with intervals. Pure.
 *
 * Data. NaN, an infinity of either sign and a target not reached are the datum +infinity; crashed
 * and timed-out replicates are absent and counted. Random data are also split into two disjoint
 * sets, the even and the odd replicates: to contradict, both must say so.
 *
 * Levels: estimates carry two-sided 95% intervals; upper limits that support a claim are one-sided
 * 95% over all points together; limits that contradict are one-sided 0.5% in each set, bound and
 * order corrected over the points. These are the levels of a claim that has all of them: rounds of
 * replicates and attempts at a row share them (fit_share). Claims declared deterministic have
 * intervals of zero width. How often such intervals of skewed data hold the truth is measured
 * (calibrate.h), and support needs a measured coverage (skew.h); where no tail is heavier than
 * log-normal they keep their level within a percent.
 *
 * Bounds and orders of means. Upper limits are stats_log_ratio_limit's, of y/formula and of mean
 * y / mean rival, paired over replicates; lower limits of a bound are Student's, those of an order
 * the upper ones of rival/y. Where a value is not positive, differences to the rival get Student's
 * limits. Where y or the rival diverged somewhere, or the statistic is not the mean, the median of
 * y/rival takes the place of the ratio of means, with limits of the sign test.
 *
 * What a certificate leaves open (series_point.error) counts against SUPPORTED and against
 * CONTRADICTED: bounds and orders are supported with y + error and contradicted with y - error, a pair
 * closer than the error is a tie, and a mean below RATE_CLEAR times its error has no slope. A reference
 * that is not certified has an infinite error, so that no excess over it is judged.
 *
 * Moment and law: the limits of y - formula are held against the zone of half-width margin around
 * 0; those that support are two-sided 95% over all points (one-sided where the zone is open on one
 * side). The sampling error of blocks of draws is Student's on the sum over strata and replicates,
 * degrees of freedom after Welch and Satterthwaite; of other numbers Student's between replicates,
 * corrected for skewness (stats_skewed_limit). An infinite datum is outside the zone.
 *
 * Rates. log(statistic) is fitted by law.h; intervals are Student's with Welch-Satterthwaite
 * degrees of freedom on jackknife errors of the log means (medians and quantiles: bootstrap
 * errors; `worst` of random data has no upper limit, so its intervals are infinite). With a rival
 * the same is done to log(statistic of y / statistic of rival): for means the jackknife leaves out
 * a replicate of both at once, so that noise which both share cancels.
 *
 * Curvature is significant if the interval of the bend (law.h) excludes 0 and the bend exceeds the
 * width of the band, 0.1 for one-sided bands: with a sampling error near zero every finite-size
 * correction would exclude 0, and a bend that fits in the band moves no verdict. The bend of a
 * Box-Cox law is no curvature: it tells a logarithm from a power (claim.h). */
#ifndef ASSAY_FIT_H
#define ASSAY_FIT_H

#include <math.h>

#include "arena.h"
#include "claim.h"
#include "judge/law.h"
#include "judge/private.h"
#include "rng.h"
#include "numeric/stats.h"
#include "status.h"

/* A block of draws: y = sum_k weight_k mean_k. */
struct draws {
    int strata;
    double each;             /* draws of each stratum */
    const double *weight, *mean, *variance;  /* [strata] */
};

/* The replicates measured at one value of the axis, in increasing order of replicate. */
struct series_point {
    double axis;
    int reps, missing;       /* measured; crashed, timed out or out of memory */
    const int *replicate;    /* [reps] index; NULL: 0 .. reps-1 */
    const double *y;         /* [reps]; with every_mark: at the mark of the worst y/formula */
    const double *formula;   /* [reps] count, bound: the formula at the same place; moment, law: of
                                the replicate; with cdf: F(y) */
    const double *below;     /* [reps] with cdf: F just below y */
    const double *margin;    /* [reps] moment, law: half-width of the zone */
    const struct draws *draws;   /* [reps] moment, law: what y is the mean of; NULL: one number */
    const double *lower;     /* [reps] the claim's proven lower bound; NULL: none */
    const double *error;     /* [reps] the truth is within error of y, rounding included; NULL: 0 */
    const double *rival;     /* [reps] the rival's y of the same replicate; NULL: no rival */
};

struct series {
    int points;
    const struct series_point *point;    /* axis > 0, strictly monotone */
    bool queries;            /* y counts queries: fewer than the formula is SUSPECT */
    bool nonnegative;        /* y < 0 is impossible (excess, distance, gap) */
};

struct estimate { double value, lo, hi; };

enum flaw {
    FLAW_NONE,
    FLAW_EMPTY,              /* nothing measured */
    FLAW_MISSING,            /* a replicate crashed or timed out */
    FLAW_HOLE,               /* nothing measured at a point */
    FLAW_FORMULA,            /* the formula is not a usable number */
    FLAW_SPREAD,             /* declared deterministic, but replicates differ */
    FLAW_EVENT               /* law: y is no share of events */
};

/* Moment, law: y against its formula. With cdf, y is the distance of the distributions, the
 * formula 0. */
struct fit_zone {
    double formula, margin;  /* means over the replicates */
    struct estimate off;     /* y - formula, with the limits that support */
    struct estimate set[2];  /* the same with the limits that contradict, of the two sets */
    double outside;          /* by which the limits of off stick out, over margin or formula */
    double events, trials;   /* law: a probability */
};

struct fit_point {
    double axis;
    int reps, missing, infinite;
    struct estimate y;       /* the statistic; 95% */
    struct estimate ratio;   /* bound: of y/formula; order: mean y / mean rival, or the median of
                                y/rival if by_sign; limits one-sided 95% over all points.
                                rate with a rival: of the statistics, 95%; infinite where y
                                is, 0 where the rival is or is not positive */
    double above[2];         /* bound, order: lower limits of the ratio in the two sets */
    double error;            /* mean of what certificates leave open of y; 0: nothing */
    struct spread spread;    /* of y/formula or y in mean, the wider of y and rival for a rate */
    bool by_sign;            /* order: a run or its rival diverged */
    double least, most;      /* count: extreme relative deviations (y - formula)/|formula| */
    int wins, losses, ties;  /* order: y below, above, equal to the rival's */
    struct fit_zone zone;    /* moment, law */
};

/* Why no slope is fitted: the law cannot be, or log(statistic) diverges or vanishes somewhere. */
enum rate_trouble { RATE_FITTED, RATE_LAW, RATE_INFINITE, RATE_NOT_POSITIVE, RATE_UNCERTAIN };

struct fit_rate {
    enum rate_trouble trouble;
    double trouble_axis;     /* first such point */
    bool refuted;            /* RATE_INFINITE: exactly where the law promises the smaller y */
    struct law_fit law;      /* all replicates */
    struct estimate part[LAW_PARTS];         /* all replicates, 95% */
    struct estimate strict[2][LAW_BEND];     /* [set][part] the exponent and those of the halves, 0.5% on each
                                                side */
    struct estimate local;                   /* the exponent; the least and the largest one of three consecutive
                                                points, of the halves for a sum and a Box-Cox law */
    bool curved;
    double scatter;          /* root mean square of log(y/fitted) */
};

/* A mean of at least RATE_CLEAR times its error has a logarithm that is known within 10%; a smaller factor would
 * let certificates bend slopes. */
#define RATE_CLEAR 10

/* One-sided levels over all points: of the limits that support, and of those that contradict in each of the two
 * sets. Both sets must contradict, so that a false contradiction has a probability far below 0.005. */
#define FIT_SUPPORT_ALPHA 0.05
#define FIT_CONTRADICT_ALPHA 0.005
/* The rounds of replicates of a claim, at most FIT_ROUNDS_MAX. */
enum { FIT_ROUNDS_MAX = 3 };
static inline int fit_rounds(const struct claim *c) { return c->rounds > 1 ? c->rounds : 1; }
/* The part of a level that one round of this claim spends. A claim has 2^-k of every level where it is the k-th
 * attempt at its row, so that all attempts together have less than the level; all of it where it decides no row and
 * replaced nothing (claim_attempt). Its rounds share that evenly. */
double fit_share(const struct claim *c);

enum { FIT_POINTS_MAX = LAW_POINTS_MAX, FIT_PRIVATE_MAX = 8 };

struct fit {
    enum flaw flaw;
    double flaw_axis;        /* where, if at a point */
    int points, reps, missing;       /* reps: smallest number at a point */
    bool deterministic, queries;
    int negative, beaten;    /* first point with y < -error; below the lower bound; -1: none */
    int worst;               /* bound: point with the largest ratio; moment, law: point whose limits leave the
                                zone farthest; -1: none */
    struct fit_point point[FIT_POINTS_MAX];
    struct fit_rate rate;    /* rate only */
    struct privacy_seen privacy[FIT_PRIVATE_MAX];    /* private only: of each point */
};

/* A deterministic or pathwise bound is violated beyond this relative excess only: rounding grows
 * with the steps of a run, 1e6 steps of 2e-16 stay below it. */
#define FIT_ROUNDING 1e-9

/* Half-width of a zone, a mean of exact numbers being summed with rounding. */
static inline double fit_zone_margin(const struct fit_zone *z)
{
    return z->margin + FIT_ROUNDING * fabs(z->formula);
}

/* Fills *fit from the series of a claim (or of its control: same claim, the control's series).
 * r: the claim's own stream, used for bootstrap only. work: scratch. BAD_INPUT for more than
 * FIT_POINTS_MAX points or an axis that is not positive and monotone. `private` gets the points'
 * statistics only; judge.c gathers fit->privacy from the records. */
enum status fit_claim(const struct claim *c, const struct series *s, const struct rng *r,
                      struct arena *work, struct fit *fit, struct why *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - from the measured points of one claim to estimates with intervals. Pure.
 *
 * Data. NaN, an infinity of either sign and a target not reached count as y = +infinity; crashed and timed-out
 * replicates are absent and counted. Random data are also split into two disjoint sets, the even and the odd
 * replicates: a claim is contradicted only if each of the two sets contradicts it.
 *
 * Levels. Estimates have two-sided 95% intervals. Upper limits that support a claim are one-sided 95% over all
 * points together. Limits that contradict are one-sided 0.5% in each set, corrected over the points except for
 * rates. These are the levels of a claim with one round, in its only design: rounds of replicates and attempts at a
 * row share them (fit_share). Claims declared deterministic have intervals of zero width. How often such intervals
 * of skewed data hold the truth is measured (calibrate.h), and support needs a measured coverage (skew.h); where no
 * tail is heavier than log-normal the intervals keep their level within a percent.
 *
 * Bounds and orders of means. Upper limits are those of stats_log_ratio_limit, of y/formula and of mean y / mean
 * rival, paired over replicates. Lower limits of a bound are Student's, those of an order are one over the upper
 * ones of rival/y. Where a value is not positive, upper limits of a bound, and both limits of the difference to a
 * rival, are Student's. Where y or the rival diverged somewhere, or the statistic is not the mean, the median of
 * y/rival takes the place of the ratio of means, with limits of the sign test.
 *
 * Certificates. What a certificate leaves open (series_point.error) counts against SUPPORTED and against
 * CONTRADICTED: bounds and orders are supported with y + error and contradicted with y - error, a pair closer than
 * the error is a tie, and there is no slope where the mean of y or of its rival is below RATE_CLEAR times the
 * error. A reference that is not certified has an infinite error, so that no excess over it is judged. Counts,
 * moments and laws, which have a tolerance or a margin, take y as it is where its error is finite.
 *
 * Moment and law. The limits of y - formula are compared with the zone of half-width margin around 0. Limits that
 * support are two-sided 95% over all points (one-sided where the zone is open on one side). The sampling error of
 * blocks of draws is Student's on the sum over strata and replicates, with degrees of freedom after Welch and
 * Satterthwaite; that of other numbers is Student's between replicates, corrected for skewness
 * (stats_skewed_limit). An infinite y is outside of the zone; about a zone that is open above it decides nothing.
 *
 * Rates. log(statistic) is fitted by law.h. Intervals are Student's with Welch-Satterthwaite degrees of freedom on
 * jackknife errors of the log means (medians and quantiles: bootstrap errors; `worst` of random data has no upper
 * limit, so its intervals are infinite). With a rival log(statistic of y / statistic of rival) is fitted instead:
 * for means the jackknife leaves out a replicate of both at once, so that noise which y and rival share cancels.
 *
 * Curvature is significant if the interval of the bend (law.h) excludes 0 and the bend exceeds the width of the
 * band, 0.1 for one-sided bands. With a sampling error near zero every finite-size correction would exclude 0, and
 * a bend that fits in the band changes no verdict. The bend of a Box-Cox law is no curvature: it distinguishes a
 * logarithm from a power (claim.h). */
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
    double each;             /* number of draws of each stratum */
    const double *weight, *mean, *variance;  /* [strata] of each stratum: its weight, and the mean and the variance
                                                of its draws */
};

/* The replicates measured at one value of the axis, in increasing order of replicate. */
struct series_point {
    double axis;
    int reps, missing;       /* reps: measured; missing: planned, but the run or its rival's crashed, timed out, was
                                refused, or is not in the store */
    const int *replicate;    /* [reps] index; NULL: 0 .. reps-1 */
    const double *y;         /* [reps]; with every_mark: at the mark that fits its formula worst */
    const double *formula;   /* [reps] count, bound: the formula, evaluated where y was measured; rate: what y and
                                lower were divided by, NULL: nothing; moment, law: the formula of the replicate;
                                with cdf: F(y), F the law that is promised */
    const double *below;     /* [reps] with cdf: F just below y */
    const double *margin;    /* [reps] moment, law: half the width of the zone that the mean must be in */
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
    FLAW_MISSING,            /* a replicate is missing (struct series_point) */
    FLAW_HOLE,               /* nothing measured at a point */
    FLAW_FORMULA,            /* the formula is not a usable number */
    FLAW_SPREAD,             /* declared deterministic, but replicates differ */
    FLAW_EVENT               /* law: y is no share of events */
};

/* The zone of moment and law: y against its formula. With cdf, y is the distance of the distributions and the
 * formula is 0. */
struct fit_zone {
    double formula, margin;  /* means over the replicates */
    struct estimate off;     /* y - formula, with the limits that support */
    struct estimate set[2];  /* y - formula of each of the two sets, with the limits that contradict */
    double outside;          /* by how much the limits of off stick out of the zone, relative to the larger of
                                margin and |formula| */
    double events, trials;   /* law, of a probability: the number of events, and of trials */
};

struct fit_point {
    double axis;
    int reps, missing, infinite;
    struct estimate y;       /* the statistic, with a 95% interval */
    struct estimate ratio;   /* bound: y/formula; order: mean y / mean rival, or the median of y/rival if by_sign;
                                each with limits that are one-sided 95% over all points. rate with a rival: the
                                ratio of the statistics with a 95% interval; infinite where y is infinite, 0 where
                                the rival is infinite or not positive */
    double above[2];         /* bound, order: lower limits of the ratio in the two sets */
    double error;            /* mean over the replicates of how far the truth may be from y (series_point.error) */
    struct spread spread;    /* bound: of y/formula; order, unless by_sign: of y; rate: of y or of the rival,
                                whichever is wider */
    bool by_sign;            /* order: a run or its rival diverged, or the statistic is not the mean */
    double least, most;      /* count: extreme relative deviations (y - formula)/|formula| */
    int wins, losses, ties;  /* order: replicates with y below, above and equal to that of the rival */
    struct fit_zone zone;    /* moment, law */
};

/* Why no slope is fitted. RATE_LAW: law_fit cannot fit the law. RATE_INFINITE, RATE_NOT_POSITIVE: the statistic is
 * infinite, or not positive, at a point. RATE_UNCERTAIN: it is below RATE_CLEAR times its error at a point. */
enum rate_trouble { RATE_FITTED, RATE_LAW, RATE_INFINITE, RATE_NOT_POSITIVE, RATE_UNCERTAIN };

struct fit_rate {
    enum rate_trouble trouble;
    double trouble_axis;     /* axis value of the first point with this trouble */
    bool refuted;            /* RATE_INFINITE: y is infinite where the law promises smaller values than at
                                any point with a finite y, which contradicts the law */
    struct law_fit law;      /* the fit to all replicates */
    struct estimate part[LAW_PARTS];         /* [enum law_part] the values of this fit, with limits at 95% */
    struct estimate strict[2][LAW_BEND];     /* [set][part] the exponents of the whole window and of its halves,
                                                with limits of 0.5% on each side */
    struct estimate local;                   /* value: the exponent; lo, hi: the least and the largest exponent of
                                                three consecutive points, or of the halves for a sum and a Box-Cox
                                                law */
    bool curved;
    double scatter;          /* root mean square of log(y/fitted) */
};

/* A mean of at least RATE_CLEAR times its error has a logarithm that is known within 10%; with a smaller factor the
 * errors of certificates would bend slopes. */
#define RATE_CLEAR 10

/* One-sided levels over all points: FIT_SUPPORT_ALPHA of the limits that support, FIT_CONTRADICT_ALPHA of those
 * that contradict in each of the two sets. Each of the two sets must contradict, so that a false contradiction has
 * a probability far below 0.005. */
#define FIT_SUPPORT_ALPHA 0.05
#define FIT_CONTRADICT_ALPHA 0.005
/* In place of FIT_SUPPORT_ALPHA, the level of all comparisons that claims declare to be judged together. */
#define FIT_TOGETHER_ALPHA 0.01
/* Rounds of replicates: the most that a claim may have, and how many this claim has. */
enum { FIT_ROUNDS_MAX = 3 };
static inline int fit_rounds(const struct claim *c) { return c->rounds > 1 ? c->rounds : 1; }
/* Returns the part of a level that one round of this claim spends. A claim that is the k-th attempt at its row has
 * 2^-k of every level, so that all attempts together have less than the level. A claim that decides no row and
 * replaced nothing has the whole level (claim_attempt). The rounds of a claim share its part evenly. */
double fit_share(const struct claim *c);
/* Returns the level of the limits that support, over all points: fit_share of FIT_SUPPORT_ALPHA, or of
 * FIT_TOGETHER_ALPHA/m for one of m comparisons. The limits that contradict are not changed for such comparisons:
 * 22 of them, at 0.5% in each of two sets, err in 0.06% of cases. */
double fit_support_alpha(const struct claim *c);

/* Is y an excess over an optimum that is not certified, so that its error is infinite? Of a y that is infinite
 * itself (the run diverged) no certificate is needed: false. */
static inline bool fit_uncertified(const struct fit_point *p) { return p->error == INFINITY && !p->infinite; }

enum { FIT_POINTS_MAX = LAW_POINTS_MAX, FIT_PRIVATE_MAX = 8 };

struct fit {
    enum flaw flaw;
    double flaw_axis;        /* the axis value of the flaw, if it is at a point */
    int points, reps, missing;       /* reps: smallest number at a point */
    bool deterministic, queries;
    int negative, beaten;    /* negative: the first point with y < -error; beaten: the first one below the lower
                                bound; -1: none */
    int worst;               /* bound: the point with the largest ratio; moment, law: the point whose limits leave
                                the zone farthest; -1: none */
    struct fit_point point[FIT_POINTS_MAX];
    struct fit_rate rate;    /* CHECK_RATE only */
    struct privacy_seen privacy[FIT_PRIVATE_MAX];    /* CHECK_PRIVATE only: [points] */
};

/* A bound that every run must satisfy is violated only if y exceeds it by more than this, relatively: rounding
 * grows with the steps of a run, and 1e6 steps of 2e-16 stay below it. */
#define FIT_ROUNDING 1e-9

/* Returns the half-width of a zone. A zone of width 0 gets room for the rounding of a mean of exact numbers. */
static inline double fit_zone_margin(const struct fit_zone *z)
{
    return z->margin + FIT_ROUNDING * fabs(z->formula);
}

/* Fills *fit from the series of a claim, or from the series of a control together with the claim that it controls.
 * r: the claim's random stream, used for bootstrap only. work: scratch. BAD_INPUT for more than FIT_POINTS_MAX
 * points or an axis that is not positive and monotone. Of the check private only the statistics of the points are
 * filled; judge.c gathers fit->privacy from the records. */
enum status fit_claim(const struct claim *c, const struct series *s, const struct rng *r,
                      struct arena *work, struct fit *fit, struct why *why);

#endif

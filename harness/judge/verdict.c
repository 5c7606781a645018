/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.c - from a claim and its fit to one word and the reason. */
#include "judge/verdict.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "judge/skew.h"

const char *verdict_word(enum word w)
{
    static const char *const name[] = {
#define X(word, meaning) #word,
        WORDS_LIST(X)
#undef X
    };
    return name[w];
}

const char *verdict_meaning(enum word w)
{
    static const char *const text[] = {
#define X(word, meaning) meaning,
        WORDS_LIST(X)
#undef X
    };
    return text[w];
}

/* More replicates than this are not proposed: nobody would wait for such a run. */
enum { REPS_WORTH_NAMING = 100000 };

struct verdict verdict_say(enum word word, const char *format, ...)
{
    struct verdict v = { .word = word };
    va_list list;
    va_start(list, format);
    vsnprintf(v.reason, sizeof v.reason, format, list);
    va_end(list);
    return v;
}

__attribute__((format(printf, 2, 3)))
static struct verdict next(struct verdict v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(v.next, sizeof v.next, format, list);
    va_end(list);
    return v;
}

/* Proposes the even number of replicates at which an interval of `width` would fit into `room`, as widths shrink
 * like 1/sqrt(reps). A single replicate has no width; then 8 replicates are proposed. For deterministic data, and
 * where nobody would wait for so many, a longer window is proposed instead. */
static struct verdict next_reps(struct verdict v, const struct fit *fit, double width, double room)
{
    double reps = isfinite(width) ? ceil(fit->reps * pow(width / room, 2) / 2 - 1e-9) * 2 : 8;
    if (fit->deterministic)
        return next(v, "no replicates to add: extend the window");
    reps = fmax(reps, 2 * (fit->reps / 2 + 1));
    if (!(reps <= REPS_WORTH_NAMING))
        return next(v, "too close to the edge for replicates: extend the window");
    return next(v, "raise --reps to %.0f", reps);
}

#define CERTIFY "an optimum that is certified closer, or a window that ends before it is reached"

/* Proposes what would separate a ratio from 1: a closer certificate of y, or more replicates, for the limit that
 * supports or for those of the two sets, which contradict. */
static struct verdict next_limits(struct verdict v, const struct fit *fit,
                                  const struct fit_point *p)
{
    if (p->error >= fabs(p->y.value) / RATE_CLEAR && p->error > 0)
        return next(v, CERTIFY);
    double value = p->ratio.value;
    if (value > 1)
        return next_reps(v, fit, value - fmin(p->above[0], p->above[1]), value - 1);
    return next_reps(v, fit, p->ratio.hi - value, 1 - value);
}

/* --- the verdict of the check count */

static struct verdict judge_count(const struct claim *c, const struct fit *fit)
{
    /* A formula is rounded a few times even where its value is an integer. */
    const double tolerance = c->tolerance + 4 * DBL_EPSILON;
    double least = 0, most = 0, least_axis = 0, most_axis = 0;
    const struct fit_point *unknown = NULL;
    for (int i = 0; i < fit->points; i++) {
        const struct fit_point *p = &fit->point[i];
        if (fit_uncertified(p)) {
            unknown = p;
            continue;
        }
        if (p->least < least) {
            least = p->least;
            least_axis = p->axis;
        }
        if (p->most > most) {
            most = p->most;
            most_axis = p->axis;
        }
    }
    if (least < -tolerance)
        return verdict_say(fit->queries ? SUSPECT : CONTRADICTED,
                           "%s = %g: %.3g%% less than the formula", c->axis, least_axis,
                           -100 * least);
    if (most > tolerance)
        return verdict_say(CONTRADICTED, "%s = %g: %.3g%% more than the formula", c->axis,
                           most_axis, 100 * most);
    if (unknown)
        return next(verdict_say(INCONCLUSIVE, "no optimum is certified at %s = %g", c->axis, unknown->axis),
                    CERTIFY);
    if (least == 0 && most == 0)
        return verdict_say(SUPPORTED, "equal to the formula in every run");
    return verdict_say(SUPPORTED, "within %.2g of the formula, tolerance %.2g", fmax(most, -least),
                       tolerance);
}

/* --- the verdict of the check bound */

static struct verdict judge_bound(const struct claim *c, const struct fit *fit)
{
    const double one = 1 + FIT_ROUNDING;
    double highest = -INFINITY;
    int at = fit->worst;
    for (int i = 0; i < fit->points; i++) {
        const struct fit_point *p = &fit->point[i];
        if (p->above[0] > one && p->above[1] > one) {
            if (p->infinite)
                return verdict_say(CONTRADICTED,
                                   "%s = %g: %d of %d runs diverged or missed their target",
                                   c->axis, p->axis, p->infinite, p->reps);
            return verdict_say(CONTRADICTED, "%s = %g: %.4g times the bound, at least %.4g",
                               c->axis, p->axis, p->ratio.value, fmin(p->above[0], p->above[1]));
        }
        double hi = isnan(p->ratio.hi) ? INFINITY : p->ratio.hi;
        if (hi > highest) {
            highest = hi;
            at = i;
        }
    }
    const struct fit_point *p = &fit->point[at];
    if (highest <= one)
        return verdict_say(SUPPORTED, "at most %.4g of the bound (%s = %g), upper limit %.4g",
                           fit->point[fit->worst].ratio.value, c->axis, fit->point[fit->worst].axis,
                           highest);
    struct verdict v = verdict_say(INCONCLUSIVE, "%s = %g: %.4g of the bound, limits %.4g to %.4g",
                                   c->axis, p->axis, p->ratio.value, p->ratio.lo, p->ratio.hi);
    return next_limits(v, fit, p);
}

/* --- the verdict of the check order */

/* Proposes, for the sign test, the number of replicates at which the level is reached if all signs agree; for a
 * contradiction each of the two sets must have so many. */
static struct verdict next_signs(struct verdict v, const struct claim *c, const struct fit *fit,
                                 const struct fit_point *p)
{
    bool against = p->losses > p->wins;
    double alpha = (against ? FIT_CONTRADICT_ALPHA * fit_share(c) : fit_support_alpha(c)) / fit->points;
    double needed = (against ? 2 : 1) * ceil(log(alpha) / log(0.5));
    if (p->reps >= needed)
        return next(v, "the signs differ: raise --reps to %d", 2 * p->reps);
    return next(v, "raise --reps to %.0f: signs of fewer runs cannot carry the level", needed);
}

static struct verdict judge_order(const struct claim *c, const struct fit *fit)
{
    int undecided = -1, wins = 0, losses = 0;
    for (int i = 0; i < fit->points; i++) {
        const struct fit_point *p = &fit->point[i];
        wins += p->wins;
        losses += p->losses;
        if (fmin(p->above[0], p->above[1]) > 1 + FIT_ROUNDING)
            return verdict_say(CONTRADICTED,
                               "%s = %g: larger than the rival, ratio %.4g, %d of %d runs", c->axis,
                               p->axis, p->ratio.value, p->losses, p->reps);
        if (undecided < 0 && !(p->ratio.hi < 1 - FIT_ROUNDING))
            undecided = i;
    }
    if (undecided < 0)
        return verdict_say(SUPPORTED, "smaller than the rival at every point, %d wins, %d losses",
                           wins, losses);
    const struct fit_point *p = &fit->point[undecided];
    struct verdict v = verdict_say(INCONCLUSIVE, "%s = %g: %.4g times the rival (%.4g to %.4g)%s",
                                   c->axis, p->axis, p->ratio.value, p->ratio.lo, p->ratio.hi,
                                   p->by_sign ? ", the median by signs" : "");
    return p->by_sign ? next_signs(v, c, fit, p) : next_limits(v, fit, p);
}

/* --- the verdict of the check rate */

static const char *exponent_name(const struct claim *c)
{
    return claim_has_rival(c) ? "difference of exponents"
           : c->law.form == LAW_BOX_COX ? "c" : "exponent";
}

static struct verdict rate_trouble(const struct claim *c, const struct fit *fit)
{
    const struct fit_rate *rate = &fit->rate;
    switch (rate->trouble) {
    case RATE_INFINITE:
        if (rate->refuted)
            return verdict_say(CONTRADICTED,
                               "diverges from %s = %g on, where the law promises the smaller "
                               "values",
                               c->axis, rate->trouble_axis);
        return next(verdict_say(INCONCLUSIVE, "infinite at %s = %g", c->axis, rate->trouble_axis),
                    "look at the diverged runs");
    case RATE_NOT_POSITIVE:
        return next(verdict_say(INCONCLUSIVE, "not positive at %s = %g: no slope on a log scale",
                                c->axis, rate->trouble_axis),
                    "an instance that is not solved exactly");
    case RATE_UNCERTAIN:
        return next(verdict_say(INCONCLUSIVE,
                                "not %d times its error at %s = %g: no slope on a log scale",
                                RATE_CLEAR, c->axis, rate->trouble_axis),
                    CERTIFY);
    default:
        break;
    }
    if (rate->law.trouble == LAW_TERM_ABSENT)
        return next(
            verdict_say(INCONCLUSIVE, "the named term carries less than 20%% of y everywhere"),
            "a window or an instance in which it carries more");
    if (rate->law.trouble == LAW_AXIS)
        return next(verdict_say(INCONCLUSIVE, "a log law needs %s > 1", c->axis),
                    "start the window later");
    return next(verdict_say(INCONCLUSIVE, "fewer than three points carry the law"), "more points");
}

/* Is the axis one along which theorems speak of small values: accuracies, privacies, curvatures? The windows of
 * these axes are declared upwards all the same. */
static bool speaks_of_small(const char *axis)
{
    static const char *const small[] = { "acc", "eps", "rho", "delta", "alpha", "sigma", "mu", "lam", "smoothing" };
    for (size_t k = 0; k < sizeof small / sizeof *small; k++)
        if (strcmp(axis, small[k]) == 0)
            return true;
    return false;
}

/* Does the window begin at the limit that the theorem speaks of? It does if it goes up along an axis whose theorems
 * speak of small values. */
static bool begins_at_limit(const struct claim *c, const struct fit *fit)
{
    return speaks_of_small(c->axis) && fit->point[0].axis <= fit->point[fit->points - 1].axis;
}

/* Returns the half of the window that lies toward the limit. */
static enum law_part later_half(const struct claim *c, const struct fit *fit)
{
    return begins_at_limit(c, fit) ? LAW_FIRST_HALF : LAW_SECOND_HALF;
}

/* Returns the side of the band on which a slope is worse than promised (verdict.h). */
static int worse_side(const struct claim *c, const struct fit *fit)
{
    bool falls = fit->point[fit->points - 1].axis < fit->point[0].axis || begins_at_limit(c, fit);
    return !isfinite(c->band[1]) ? -1 : !isfinite(c->band[0]) ? +1 : falls ? -1 : +1;
}

/* Returns how far a value lies beyond the edge of the band on a side; negative: it is not beyond. */
static double value_beyond(const struct claim *c, double value, int side)
{
    return side > 0 ? value - c->band[1] : c->band[0] - value;
}

static double beyond(const struct claim *c, struct estimate e, int side)
{
    return value_beyond(c, side > 0 ? e.lo : e.hi, side);
}

/* Are the limits of this part of the window beyond the band in both sets of replicates? */
static bool strictly_beyond(const struct claim *c, const struct fit_rate *rate, enum law_part part, int side)
{
    return beyond(c, rate->strict[0][part], side) > 0 && beyond(c, rate->strict[1][part], side) > 0;
}

/* Returns the side on which the whole window and each of the halves lie beyond the band in both sets; 0: there is
 * none. */
static int outside(const struct claim *c, const struct fit_rate *rate)
{
    for (int side = -1; side <= 1; side += 2)
        if (strictly_beyond(c, rate, LAW_EXPONENT, side) && strictly_beyond(c, rate, LAW_FIRST_HALF, side) &&
            strictly_beyond(c, rate, LAW_SECOND_HALF, side))
            return side;
    return 0;
}

/* Is the half of the window toward the limit nearer to the band than the other half, by more than their intervals
 * explain? */
static bool approaches(const struct claim *c, const struct fit *fit, int side)
{
    enum law_part late = later_half(c, fit);
    struct estimate later = fit->rate.part[late],
                    earlier = fit->rate.part[LAW_FIRST_HALF + LAW_SECOND_HALF - late];
    double noise = hypot(later.hi - later.lo, earlier.hi - earlier.lo) / 2;
    return side * (earlier.value - later.value) > fmax(VERDICT_CLEAR, noise);
}

/* Judges an exponent beyond the band: it contradicts on the worse side, unless the half toward the limit approaches
 * the band. */
static struct verdict rate_outside(const struct claim *c, const struct fit *fit, int side)
{
    const struct estimate *part = fit->rate.part, e = part[LAW_EXPONENT];
    bool nearer = approaches(c, fit, side);
    if (side != worse_side(c, fit))
        return next(
            verdict_say(INCONCLUSIVE,
                        "does not saturate: %s %.4g (%.4g to %.4g), better than the band %g to %g",
                        exponent_name(c), e.value, e.lo, e.hi, c->band[0], c->band[1]),
            "a harder instance");
    struct verdict v = verdict_say(
        nearer ? INCONCLUSIVE : CONTRADICTED,
        "%s %.4g (%.4g to %.4g), halves %.4g and %.4g: outside the band %g to %g%s",
        exponent_name(c), e.value, e.lo, e.hi, part[LAW_FIRST_HALF].value,
        part[LAW_SECOND_HALF].value, c->band[0], c->band[1],
        nearer ? ", but on its way there" : "");
    return nearer ? next(v, "a later window") : v;
}

static struct verdict rate_undecided(const struct claim *c, const struct fit *fit)
{
    struct estimate e = fit->rate.part[LAW_EXPONENT];
    int better = -worse_side(c, fit);
    if (beyond(c, e, better) > 0)
        return rate_outside(c, fit, better);
    struct verdict v = verdict_say(INCONCLUSIVE, "%s %.4g (%.4g to %.4g) against the band %g to %g",
                                   exponent_name(c), e.value, e.lo, e.hi, c->band[0], c->band[1]);
    double room = fmin(e.value - c->band[0], c->band[1] - e.value);
    if (room >= 0)
        return next_reps(v, fit, (e.hi - e.lo) / 2, room);
    /* The slope lies outside of the band, but does not contradict. The half whose slope is nearest to the band
     * decides how far outside it is. */
    int side = -better;
    double width = 0;
    if (value_beyond(c, e.value, better) > 0)
        return next(v, "a harder instance");
    room = INFINITY;
    for (int half = LAW_FIRST_HALF; half <= LAW_SECOND_HALF; half++) {
        room = fmin(room, value_beyond(c, fit->rate.part[half].value, side));
        for (int set = 0; set < 2; set++) {
            struct estimate s = fit->rate.strict[set][half];
            width = fmax(width, (s.hi - s.lo) / 2);
        }
    }
    if (room <= 0)
        return next(v, "one half of the window lies in the band: extend the window");
    return next_reps(v, fit, width, room);
}

/* WORSE: the sum of squares at each power of law_box_rivals must be this many times that at the best c; a larger
 * factor would need wider windows. SAME: values of c that differ by less count as equal, since on exact data c is
 * known to 1e-9. */
static const double WORSE = 10, SAME = 1e-6;

/* Does the interval of c contain 0, the logarithm? */
static bool logarithm_fits(struct estimate c)
{
    return c.lo <= SAME && c.hi >= -SAME;
}

/* Judges the further conditions of a Box-Cox law (claim.h): SUPPORTED, or what is missing. */
static struct verdict judge_logarithm(const struct fit_rate *rate)
{
    struct estimate c = rate->part[LAW_EXPONENT], change = rate->part[LAW_BEND];
    double late = rate->part[LAW_SECOND_HALF].lo;
    if (late > c.value + SAME)
        return next(
            verdict_say(INCONCLUSIVE,
                        "c is %.3g over the window and at least %.3g in its second half: it grows",
                        c.value, late),
            "a later window");
    /* Where a limit is NaN the comparison is false, and more data are asked for. */
    if (!logarithm_fits(c) && !(change.hi < -SAME))
        return next(
            verdict_say(
                INCONCLUSIVE,
                "c is %.3g (%.3g to %.3g) over the window and changes by %.3g (%.3g to %.3g) in "
                "its second half: as of a power, not falling",
                c.value, c.lo, c.hi, change.value, change.lo, change.hi),
            "a wider window, or more replicates");
    for (int k = 0; k < LAW_BOX_RIVALS; k++)
        if (rate->law.rival[k] < WORSE)
            return next(verdict_say(INCONCLUSIVE,
                                    "the power %g fits only %.3g times worse, expected %g",
                                    law_box_rivals[k], rate->law.rival[k], WORSE),
                        "a wider window, or more replicates");
    return (struct verdict){ .word = SUPPORTED };
}

/* Where a claim is supported, the interval of the bend must hold no bend larger than this many widths of the band.
 * With fewer, noise would leave straight laws open; with more, laws would pass that leave the band on both sides
 * (calibrate.h). */
static const double BENDS = 3;

static struct verdict judge_rate(const struct claim *c, const struct fit *fit)
{
    const struct fit_rate *rate = &fit->rate;
    struct estimate e = rate->part[LAW_EXPONENT], bend = rate->part[LAW_BEND];
    double bend_room = BENDS * (c->band[1] - c->band[0]);
    if (rate->trouble)
        return rate_trouble(c, fit);
    if (outside(c, rate))
        return rate_outside(c, fit, outside(c, rate));
    if (rate->curved)
        return next(verdict_say(INCONCLUSIVE,
                                "curved: the local slope changes by %.3g (%.3g to %.3g) in "
                                "the window",
                                bend.value, bend.lo, bend.hi),
                    "a later window, or the law with its other term");
    if (!(e.lo >= c->band[0] && e.hi <= c->band[1]))
        return rate_undecided(c, fit);
    if (c->law.form == LAW_BOX_COX && judge_logarithm(rate).word != SUPPORTED)
        return judge_logarithm(rate);
    if (c->law.form != LAW_BOX_COX && !(fmax(-bend.lo, bend.hi) <= bend_room))
        return next_reps(
            verdict_say(INCONCLUSIVE,
                        "noise may hide a bend: the local slope changes by %.3g (%.3g to %.3g), "
                        "allowed %.3g",
                        bend.value, bend.lo, bend.hi, bend_room),
            fit, (bend.hi - bend.lo) / 2, bend_room - fabs(bend.value));
    return verdict_say(SUPPORTED, "%s %.4g (%.4g to %.4g) in the band %g to %g", exponent_name(c),
                       e.value, e.lo, e.hi, c->band[0], c->band[1]);
}

/* --- moment, law: limits of y - formula are compared with the zone around 0 */

/* Returns a verdict with the number that was measured at a point, and the one that was promised there. */
static struct verdict say_zone(enum word word, const struct claim *c, const struct fit_point *p)
{
    const struct fit_zone *z = &p->zone;
    static const char *const relation[] = { "", "at most ", "at least " };
    char promise[64];
    snprintf(promise, sizeof promise, z->margin > 0 && !c->cdf ? "%s%.4g +- %.3g" : "%s%.4g",
             relation[c->cdf ? SENSE_AT_MOST : c->sense], c->cdf ? z->margin : z->formula,
             z->margin);
    if (c->check == CHECK_MOMENT)
        return verdict_say(word, "%s = %g: %.4g off the formula (%.3g to %.3g), promised %s",
                           c->axis, p->axis, z->off.value, z->off.lo, z->off.hi, promise);
    if (c->cdf)
        return verdict_say(
            word, "%s = %g: distance %.3g of the distributions (%.3g to %.3g), promised %s",
            c->axis, p->axis, z->off.value, z->off.lo, z->off.hi, promise);
    return verdict_say(word, "%s = %g: %.0f of %.0f, probability %.3g to %.3g, promised %s",
                       c->axis, p->axis, z->events, z->trials, z->formula + z->off.lo,
                       z->formula + z->off.hi, promise);
}

static bool zone_refuted(const struct claim *c, const struct fit_zone *z)
{
    double m = fit_zone_margin(z);
    bool above = c->sense != SENSE_AT_LEAST && z->set[0].lo > m && z->set[1].lo > m;
    bool below = c->sense != SENSE_AT_MOST && z->set[0].hi < -m && z->set[1].hi < -m;
    return above || below;
}

static struct verdict judge_zone(const struct claim *c, const struct fit *fit)
{
    for (int i = 0; i < fit->points; i++) {
        const struct fit_point *p = &fit->point[i];
        if (!zone_refuted(c, &p->zone))
            continue;
        if (p->infinite)
            return verdict_say(CONTRADICTED,
                               "%s = %g: %d of %d runs diverged or missed their target", c->axis,
                               p->axis, p->infinite, p->reps);
        return say_zone(CONTRADICTED, c, p);
    }
    const struct fit_point *p = &fit->point[fit->worst];
    const struct fit_zone *z = &p->zone;
    if (z->outside <= 0)
        return say_zone(SUPPORTED, c, p);
    struct verdict v = say_zone(INCONCLUSIVE, c, p);
    if (p->infinite)
        return next(v, "look at the infinite values: they say nothing of a lower limit");
    if (fit_uncertified(p))
        return next(v, CERTIFY);
    if (c->sense == SENSE_EQUAL && z->margin == 0)
        return next(v, "declare a margin: random numbers never show equality");
    bool high = z->off.hi - fit_zone_margin(z) > -fit_zone_margin(z) - z->off.lo;
    if (c->sense != SENSE_EQUAL)
        high = c->sense == SENSE_AT_MOST;
    double width = high ? z->off.hi - z->off.value : z->off.value - z->off.lo;
    return next_reps(v, fit, width, fabs(z->margin - (high ? 1 : -1) * z->off.value));
}

/* --- private: accounting, replay, audit, point by point */

/* The part of a priced epsilon that rounding may add. */
static const double PRICE_ROUNDING = 1e-9;

static bool is_more(double eps, double promise)
{
    return eps > promise * (1 + PRICE_ROUNDING);
}

/* "audits show eps >= 0.3", or why they show nothing. */
struct audit_words { char at[80]; };
static struct audit_words audit_words(const struct privacy_seen *p)
{
    struct audit_words w = { "not audited" };
    if (p->audits > 0 && privacy_without_power(p))
        snprintf(w.at, sizeof w.at, "audits have no power at this size");
    else if (p->audits > 0 && fmax(p->audit, p->one) > 0)
        snprintf(w.at, sizeof w.at, "audits show eps >= %.3g", fmax(p->audit, p->one));
    else if (p->audits > 0)
        snprintf(w.at, sizeof w.at, "audits, which could show %.2g%% of the promise, show nothing",
                 100 * privacy_ceiling(p));
    return w;
}

/* Returns CONTRADICTED with what refutes the promise; SUPPORTED: nothing does. */
static struct verdict privacy_refuted(const struct privacy_seen *p)
{
    const struct private_site *often = privacy_fails(p);
    if (p->leaks)
        return verdict_say(CONTRADICTED,
                           "replay: %s, at call %.0f on neighbour %.0f; %d of %d neighbours leak",
                           leak_words(p->leak), p->call, p->neighbour, p->leaks, p->replays);
    if (often)
        return verdict_say(CONTRADICTED,
                           "replay: %.40s exceeds its sensitivity %.0f times of %.0f, declared "
                           "probability %.3g",
                           often->name, often->exceeded, often->touched, often->failure);
    if (is_more(p->lower, p->promise))
        return verdict_say(CONTRADICTED,
                           "accounting: the ledger costs eps = %.4g at least, promised %.4g at "
                           "delta = %.3g",
                           p->lower, p->promise, p->delta);
    if (is_more(privacy_shown(p), p->promise))
        return verdict_say(CONTRADICTED,
                           "audit: eps is %.4g at least, promised %.4g at delta = %.3g",
                           privacy_shown(p), p->promise, p->delta);
    return verdict_say(SUPPORTED,
                       "eps = %.6g of %.6g spent at delta = %.3g; %d neighbours replayed, worst "
                       "ratio %.6g; %s",
                       p->spent, p->promise, p->delta, p->replays, privacy_ratio(p), audit_words(p).at);
}

/* Returns the verdict of one point: CONTRADICTED, or SUPPORTED unless nothing was promised, the method was told
 * constants computed from the data, no replayed release met the changed record, or no accountant proves the
 * promise. */
static struct verdict privacy_at(const struct privacy_seen *p)
{
    struct verdict v = privacy_refuted(p);
    if (p->records == 0)
        return verdict_say(NOT_RUN, "nothing was measured");
    if (v.word == CONTRADICTED)
        return v;
    if (isnan(p->promise))
        return next(verdict_say(INCONCLUSIVE, "the goal promises no epsilon"),
                    "set goal.eps and goal.delta, or goal.rho");
    if (p->told)
        return next(
            verdict_say(INCONCLUSIVE,
                        "the method was told constants computed from the data: the run is not "
                        "private"),
            "declare them public with run.public, or bounds that are");
    if (!p->replays || !privacy_met(p))
        return next(verdict_say(INCONCLUSIVE, "no replayed release met the changed record"),
                    "more neighbours: raise --reps");
    if (!(p->spent <= p->promise * (1 + PRICE_ROUNDING)))
        return next(
            verdict_say(
                INCONCLUSIVE,
                "accounting: the best proof gives eps = %.6g, promised %.6g at delta = %.3g",
                p->spent, p->promise, p->delta),
            "more noise, or an accountant that proves it");
    return v;
}

struct verdict verdict_private(const struct fit *fit)
{
    struct verdict worst = verdict_say(NOT_RUN, "nothing was measured");
    for (int k = 0; k < fit->points; k++) {
        struct verdict v = privacy_at(&fit->privacy[k]);
        if (k == 0 || v.word == CONTRADICTED || (v.word != SUPPORTED && worst.word == SUPPORTED))
            worst = v;
        if (worst.word == CONTRADICTED)
            break;
    }
    return worst;
}

/* --- the verdict of a claim, of a control, and of both together */

static struct verdict flawed(const struct claim *c, const struct fit *fit)
{
    switch (fit->flaw) {
    case FLAW_EMPTY: return verdict_say(NOT_RUN, "nothing was measured");
    case FLAW_MISSING:
        return next(verdict_say(INCONCLUSIVE, "%d runs crashed or timed out, the first at %s = %g",
                                fit->missing, c->axis, fit->flaw_axis),
                    "run the failed cells again, with --retry");
    case FLAW_HOLE:
        return next(
            verdict_say(INCONCLUSIVE, "nothing was measured at %s = %g", c->axis, fit->flaw_axis),
            "run the missing point");
    case FLAW_SPREAD:
        return next(verdict_say(INCONCLUSIVE,
                                "declared deterministic, but replicates differ at %s = %g", c->axis,
                                fit->flaw_axis),
                    "declare replicates, or find the randomness");
    case FLAW_EVENT:
        return next(verdict_say(INCONCLUSIVE, "%s at %s = %g is neither 0 nor 1", c->measure,
                                c->axis, fit->flaw_axis),
                    "an indicator, or a threshold");
    default:
        return next(verdict_say(INCONCLUSIVE, "the formula has no usable value at %s = %g", c->axis,
                                fit->flaw_axis),
                    c->check == CHECK_RATE ? "a window in which it is above 0, and the facts it needs"
                                           : "state the facts it needs");
    }
}

static struct verdict judge(const struct claim *c, const struct fit *fit)
{
    switch (c->check) {
    case CHECK_COUNT: return judge_count(c, fit);
    case CHECK_BOUND: return judge_bound(c, fit);
    case CHECK_RATE: return judge_rate(c, fit);
    case CHECK_ORDER: return judge_order(c, fit);
    case CHECK_MOMENT:
    case CHECK_LAW: return judge_zone(c, fit);
    case CHECK_PRIVATE: return verdict_private(fit);
    case CHECK_FIGURE: break;
    }
    return verdict_say(NOT_RUN, "nothing was measured");
}

struct verdict verdict_alone(const struct claim *c, const struct fit *fit)
{
    if (fit->flaw)
        return flawed(c, fit);
    if (fit->negative >= 0)
        return verdict_say(SUSPECT, "%s is negative beyond its error at %s = %g", c->measure,
                           c->axis, fit->point[fit->negative].axis);
    if (fit->beaten >= 0)
        return verdict_say(SUSPECT, "below the proven lower bound at %s = %g", c->axis,
                           fit->point[fit->beaten].axis);
    struct verdict v = judge(c, fit);
    skew_gate(c, fit, &v);
    return v;
}

/* With fewer replicates in a set than this, the exponent of one half of the window is too rough an estimate to
 * count without its interval. */
enum { FEW_IN_A_SET = 8 };

/* Is the slope of a control beyond the band on this side (verdict.h)? */
static bool caught_beyond(const struct claim *c, const struct fit *fit, int side)
{
    const struct fit_rate *rate = &fit->rate;
    enum law_part late = later_half(c, fit);
    if (c->deterministic)
        return beyond(c, rate->local, side) > VERDICT_CLEAR;
    return strictly_beyond(c, rate, LAW_EXPONENT, side) && value_beyond(c, rate->part[late].value, side) > 0 &&
           (fit->reps / 2 >= FEW_IN_A_SET || beyond(c, rate->part[late], side) > 0);
}

struct verdict verdict_control(const struct claim *c, const struct fit *fit)
{
    struct estimate e = fit->rate.part[LAW_EXPONENT];
    if (c->check != CHECK_RATE || fit->flaw || fit->negative >= 0 || fit->beaten >= 0 || fit->rate.trouble)
        return verdict_alone(c, fit);
    bool caught = caught_beyond(c, fit, -1) || caught_beyond(c, fit, +1);
    return verdict_say(caught ? CONTRADICTED : INCONCLUSIVE,
                       "%s %.4g (%.4g to %.4g), later half %.4g: %s the band %g to %g",
                       exponent_name(c), e.value, e.lo, e.hi,
                       fit->rate.part[later_half(c, fit)].value, caught ? "outside" : "against",
                       c->band[0], c->band[1]);
}

bool verdict_caught(const struct verdict *control)
{
    return control->word == CONTRADICTED || control->word == SUSPECT;
}

struct verdict verdict_with_control(const struct verdict *alone, const struct verdict *control)
{
    if (alone->word != SUPPORTED || (control && verdict_caught(control)))
        return *alone;
    if (!control || control->word == NOT_RUN)
        return next(verdict_say(INCONCLUSIVE, "control not run"), "run the claim with its control");
    return next(verdict_say(INCONCLUSIVE, "control missed: %.200s", control->reason),
                "a control that the check can catch, or more replicates");
}

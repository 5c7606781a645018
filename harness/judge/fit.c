/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - from the measured points of one claim to estimates with intervals. One file serves all checks, since they
 * share how the replicates of a point are read: what is gathered from them, the two sets, the levels. */
#include "judge/fit.h"

#include <math.h>
#include <stdlib.h>

#include "judge/theorems.h"

/* FIT_RESAMPLES: resamples of a bootstrap. With 1000 a 5% tail has a standard error of 0.7%; fewer would widen the
 * error, more would take time in proportion. FIT_ALL stands in the place of a set for all replicates. */
enum { FIT_RESAMPLES = 1000, FIT_ALL = -1 };

/* Relative differences up to this are rounding. An excess so small is zero, and values so close are a tie. */
static const double same = 1e-12;

/* A datum y with the distribution function F of its law: at = F(y), below = F just below y. */
struct place { double y, at, below; };

/* One claim being fitted. */
struct fit_task {
    const struct claim *c;
    const struct series *s;
    const struct rng *r;
    double *x, *z, *work;    /* scratch memory: x[n], z[n], work[2 n + FIT_RESAMPLES], where n is the largest number
                                of replicates at a point */
    struct place *place;     /* [n] scratch memory of the test of a distribution */
    struct fit *fit;
    double share, support;   /* fit_share and fit_support_alpha of the claim, which a search finds */
};

/* Returns a number of replicate r at a point; +infinity where its y is not finite. */
typedef double (*value_fn)(const struct series_point *p, int r);

double fit_share(const struct claim *c)
{
    return ldexp(1.0 / fit_rounds(c), -claim_attempt(c));
}

static double support_alpha(const struct claim *c, double share)
{
    return (c->comparisons ? FIT_TOGETHER_ALPHA / c->comparisons : FIT_SUPPORT_ALPHA) * share;
}

double fit_support_alpha(const struct claim *c) { return support_alpha(c, fit_share(c)); }

/* Returns the confidence of two-sided intervals, such as 0.95. */
static double level_of(const struct fit_task *t)
{
    return 1 - t->support;
}

/* Does replicate r belong to a set (FIT_ALL, 0 even, 1 odd)? */
static bool in_set(const struct series_point *p, int r, int set)
{
    int index = p->replicate ? p->replicate[r] : r;
    return set == FIT_ALL || (index & 1) == set;
}

/* Is the claim about every run, so that a single run can refute it? If not, the sampling error counts. */
static bool pathwise(const struct claim *c)
{
    return c->deterministic || c->every_mark || c->statistic == STAT_WORST;
}

/* --- the numbers of one replicate */

static double datum(double y)
{
    return isfinite(y) ? y : INFINITY;
}

static double value_y(const struct series_point *p, int r)
{
    return datum(p->y[r]);
}

static double value_rival(const struct series_point *p, int r)
{
    return datum(p->rival[r]);
}

/* Returns how far the truth may be from y, by the certificate: it lies between value_least and value_most. */
static double error_of(const struct series_point *p, int r)
{
    return !p->error ? 0 : isnan(p->error[r]) ? INFINITY : p->error[r];
}

static double value_most(const struct series_point *p, int r)
{
    return datum(p->y[r]) + error_of(p, r);
}

static double value_least(const struct series_point *p, int r)
{
    double y = datum(p->y[r]);
    return y == INFINITY ? y : y - error_of(p, r);
}

/* Returns y/B for a bound B; for B = 0 a number that is at most 1 exactly where y <= B. */
static double quotient(double y, double B)
{
    return B > 0 ? y / B : y > 0 ? INFINITY : y == 0 ? 1 : 0;
}

static double value_ratio(const struct series_point *p, int r)
{
    return quotient(datum(p->y[r]), p->formula[r]);
}

static double value_least_ratio(const struct series_point *p, int r)
{
    return quotient(value_least(p, r), p->formula[r]);
}

/* Returns y/B, where B is the formula and y the largest value that its error allows. Where B is zero, y = 0
 * satisfies the bound: the error of y, which is rounding, is then not added. */
static double value_most_ratio(const struct series_point *p, int r)
{
    bool finite = p->formula[r] > 0 || error_of(p, r) == INFINITY;
    return quotient(finite ? value_most(p, r) : datum(p->y[r]), p->formula[r]);
}

/* Returns y over the proven lower bound: below 1 the bound is beaten. A lower bound that is not positive cannot be
 * beaten. */
static double value_over_lower(const struct series_point *p, int r)
{
    return p->lower[r] > 0 ? value_most(p, r) / p->lower[r] : INFINITY;
}

/* x[reps] <- the values of the replicates of a set (FIT_ALL, 0 even, 1 odd); returns how many there are. */
static int gather(const struct series_point *p, int set, value_fn value, double *x)
{
    int n = 0;
    for (int r = 0; r < p->reps; r++)
        if (in_set(p, r, set))
            x[n++] = value(p, r);
    return n;
}

/* Returns the quantile that the claim is about; 0.5 for a median. */
static double quantile_of(const struct claim *c)
{
    return c->statistic == STAT_MEDIAN ? 0.5 : c->quantile;
}

/* Returns the claim's statistic of x[n]; NaN for n == 0. */
static double statistic_of(const struct fit_task *t, int n, const double *x)
{
    switch (t->c->statistic) {
    case STAT_MEAN:
        return stats_mean(n, x);
    case STAT_WORST:
        return stats_worst(n, x);
    default:
        return stats_quantile(n, x, quantile_of(t->c), t->work);
    }
}

/* Returns a one-sided limit, of level alpha, of the mean or quantile that the claim is about, from x[n]; side +1:
 * upper, -1: lower. */
static double limit(const struct fit_task *t, int n, const double *x, double alpha, int side)
{
    if (t->c->statistic == STAT_MEAN)
        return stats_student_limit(n, x, alpha, side);
    return stats_quantile_limit(n, x, quantile_of(t->c), alpha, side, t->work);
}

/* Are all of x[n > 0] positive and finite? */
static bool all_positive(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!(x[i] > 0 && isfinite(x[i])))
            return false;
    return n > 0;
}

static struct estimate point_statistic(const struct fit_task *t, int n, const double *x)
{
    double value = statistic_of(t, n, x), alpha = (1 - level_of(t)) / 2;
    if (t->c->deterministic)
        return (struct estimate){ value, value, value };
    if (t->c->statistic == STAT_WORST)
        return (struct estimate){ value, value, INFINITY };
    if (t->c->statistic == STAT_MEAN && all_positive(n, x)) {
        struct location z = stats_log_mean(n, x);
        double hi = stats_log_ratio_limit(n, x, NULL, alpha, 0, NULL, t->work);
        return (struct estimate){ value, exp(stats_interval(&z, level_of(t)).lo), exp(hi) };
    }
    return (struct estimate){ value, limit(t, n, x, alpha, -1), limit(t, n, x, alpha, +1) };
}

/* --- the zone around a formula, of moment and law */

/* Returns by how much the limits that support a claim stick out of the zone, relative to its margin or to the
 * formula, whichever is larger. */
static double outside(const struct claim *c, const struct fit_zone *z)
{
    double m = fit_zone_margin(z), above = z->off.hi - m, below = -m - z->off.lo;
    double scale = fmax(z->margin, fabs(z->formula));
    double out = c->sense == SENSE_AT_MOST    ? above
                 : c->sense == SENSE_AT_LEAST ? below
                                              : fmax(above, below);
    return isnan(out) ? INFINITY : out / (scale > 0 ? scale : 1);
}

/* Widens the limits of a point where no optimum is certified, so that they decide nothing. Sets zone.outside.
 * fit->worst <- this point, if its limits leave the zone farther than those of the points before. */
static void zone_end(struct fit_task *t, int point)
{
    struct fit *fit = t->fit;
    struct fit_zone *z = &fit->point[point].zone;
    struct estimate *limits[] = { &z->off, &z->set[0], &z->set[1] };
    for (int k = 0; k < 3 && fit_uncertified(&fit->point[point]); k++) {
        limits[k]->lo = -INFINITY;
        limits[k]->hi = INFINITY;
    }
    z->outside = outside(t->c, z);
    if (fit->worst < 0 || z->outside > fit->point[fit->worst].zone.outside)
        fit->worst = point;
}

/* Returns the one-sided level of the limits of a zone at one point. */
enum zone_limit { ZONE_SUPPORTS, ZONE_CONTRADICTS };
static double zone_alpha(const struct fit_task *t, enum zone_limit which)
{
    if (which == ZONE_CONTRADICTS)
        return FIT_CONTRADICT_ALPHA * t->share / t->s->points;
    return t->support / t->s->points / (t->c->sense == SENSE_EQUAL && !t->c->cdf ? 2 : 1);
}

/* Treats an infinite y: it is outside every zone, except one that is open above, about which it says nothing. */
static void zone_infinite(const struct claim *c, struct fit_zone *z)
{
    double lo = c->sense == SENSE_AT_LEAST ? -INFINITY : INFINITY;
    z->off = z->set[0] = z->set[1] = (struct estimate){ INFINITY, lo, INFINITY };
}

static bool in_unit(double p) { return p >= 0 && p <= 1; }

/* Are formulas finite, margins at least 0, and probabilities in [0,1]? */
static bool zone_usable(const struct claim *c, const struct series_point *p)
{
    for (int r = 0; r < p->reps; r++) {
        double f = p->formula ? p->formula[r] : NAN;
        if (!isfinite(f) || !(p->margin[r] >= 0 && isfinite(p->margin[r])) ||
            (c->check == CHECK_LAW && !in_unit(f)) ||
            (c->cdf && !(in_unit(p->below[r]) && p->below[r] <= f)))
            return false;
    }
    return true;
}

/* --- moment: the mean of y - formula */

static double value_off(const struct series_point *p, int r)
{
    return value_y(p, r) - p->formula[r];
}

/* Returns the mean of y - formula, with limits from the spread between replicates. */
static struct estimate between(const struct fit_task *t, const struct series_point *p, int set,
                               double alpha)
{
    int n = gather(p, t->c->deterministic ? FIT_ALL : set, value_off, t->x);
    double mean = stats_mean(n, t->x);
    if (t->c->deterministic)
        return (struct estimate){ mean, mean, mean };
    return (struct estimate){ mean, n ? stats_skewed_limit(n, t->x, alpha, -1) : -INFINITY,
                              n ? stats_skewed_limit(n, t->x, alpha, +1) : INFINITY };
}

/* Returns sum + k z. Its degrees of freedom are those of all terms, also if `sum` is itself such a sum. */
static struct location plus(struct location sum, double k, struct location z)
{
    return stats_contrast(2, (double[]){ 1, k }, (struct location[]){ sum, z });
}

/* Returns the mean of y - formula, with an error from the draws within each replicate: every stratum of every block
 * has a variance. */
static struct location within(const struct series_point *p, int set)
{
    struct location sum = { 0, 0, INFINITY };
    int n = 0;
    for (int r = 0; r < p->reps; r++)
        n += in_set(p, r, set);
    for (int r = 0; r < p->reps; r++) {
        const struct draws *d = &p->draws[r];
        if (!in_set(p, r, set))
            continue;
        sum.value -= p->formula[r] / n;
        for (int k = 0; k < d->strata; k++) {
            struct location z = { d->mean[k], sqrt(d->variance[k] / d->each), d->each - 1 };
            sum = plus(sum, d->weight[k] / n, z);
        }
    }
    return n ? sum : (struct location){ NAN, INFINITY, 1 };
}

/* Are the replicates blocks of draws with variances? A block of one draw has none. */
static bool in_blocks(const struct series_point *p)
{
    for (int r = 0; p->draws && r < p->reps; r++)
        if (!(p->draws[r].each >= 2))
            return false;
    return p->draws;
}

static struct estimate limits(const struct location *z, double alpha)
{
    struct interval i = stats_interval(z, 1 - 2 * alpha);
    return (struct estimate){ z->value, i.lo, i.hi };
}

static struct estimate deviation(const struct fit_task *t, const struct series_point *p, int set,
                                 double alpha)
{
    if (!in_blocks(p) || t->c->deterministic)
        return between(t, p, set, alpha);
    struct location z = within(p, set);
    return limits(&z, alpha);
}

/* Returns `value`, the mean y of a point, with a 95% interval from the errors of the strata. */
static struct estimate mean_of_blocks(const struct fit_task *t, const struct series_point *p,
                                      double value)
{
    struct location z = within(p, FIT_ALL);
    z.value = value;
    return limits(&z, (1 - level_of(t)) / 2);
}

static void fit_moment(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    struct fit_zone *z = &q->zone;
    z->formula = stats_mean(p->reps, p->formula);
    z->margin = stats_mean(p->reps, p->margin);
    if (q->infinite) {
        zone_infinite(t->c, z);
    } else {
        z->off = deviation(t, p, FIT_ALL, zone_alpha(t, ZONE_SUPPORTS));
        for (int set = 0; set < 2; set++)
            z->set[set] = deviation(t, p, set, zone_alpha(t, ZONE_CONTRADICTS));
        if (in_blocks(p) && !t->c->deterministic)
            q->y = mean_of_blocks(t, p, q->y.value);
    }
    zone_end(t, point);
}

/* --- Law: a probability with the exact limits of Clopper and Pearson (1934), or a distribution by its largest
 * distance D = sup |F_n - F| from F_n, the empirical distribution function of n values:
 *
 *     P(sup |F_n - F| > e) <= 2 exp(-2 n e^2)   for every n and every law
 *
 * (Dvoretzky, Kiefer, Wolfowitz; the constant is Massart's, 1990). For continuous laws these limits are within a
 * few percent of those of Kolmogorov's exact distribution. Unlike Kolmogorov's and chi-square limits they bound the
 * distance itself, for discrete laws too. */

/* What the check law counts of a probability: events and trials. Where the formula differs between replicates, the
 * number of events is less spread than a binomial one of the mean probability (Hoeffding 1956), so that the limits
 * hold. */

struct tally {
    double events, trials;
};

static struct tally count_events(const struct series_point *p, int set)
{
    struct tally sum = { 0, 0 };
    for (int r = 0; r < p->reps; r++) {
        double trials = p->draws ? p->draws[r].each : 1;
        if (!in_set(p, r, set))
            continue;
        sum.events += rint(p->y[r] * trials);
        sum.trials += trials;
    }
    return sum;
}

static bool is_event(const struct series_point *p, int r)
{
    double trials = p->draws ? p->draws[r].each : 1, events = p->y[r] * trials;
    if (!isfinite(p->y[r]))
        return true; /* zone_infinite of the fit treats an infinite y */
    return (!p->draws || p->draws[r].strata == 1) && events > -0.5 && events < trials + 0.5 &&
           fabs(events - rint(events)) <= 1e-6 * fmax(1, sqrt(trials));
}

/* Is every y of a law without a cdf the share of events among the trials of its replicate? An infinite y passes,
 * because the fit treats it (zone_infinite). Always true for a law with a cdf and for other checks. */
static bool all_events(const struct claim *c, const struct series_point *p)
{
    for (int r = 0; c->check == CHECK_LAW && !c->cdf && r < p->reps; r++)
        if (!is_event(p, r))
            return false;
    return true;
}

static struct estimate probability(const struct tally *n, double level)
{
    if (!(n->trials > 0))
        return (struct estimate){ NAN, -INFINITY, INFINITY };
    struct interval i = stats_clopper_pearson((long)n->events, (long)n->trials, level);
    return (struct estimate){ n->events / n->trials, i.lo, i.hi };
}

static struct estimate less(struct estimate e, double formula)
{
    return (struct estimate){ e.value - formula, e.lo - formula, e.hi - formula };
}

static void fit_probability(const struct fit_task *t, const struct series_point *p,
                            struct fit_point *q)
{
    struct fit_zone *z = &q->zone;
    struct tally all = count_events(p, FIT_ALL);
    q->y = probability(&all, level_of(t));
    z->events = all.events;
    z->trials = all.trials;
    z->off = less(probability(&all, 1 - 2 * zone_alpha(t, ZONE_SUPPORTS)), z->formula);
    for (int set = 0; set < 2; set++) {
        struct tally half = count_events(p, set);
        double level = 1 - 2 * zone_alpha(t, ZONE_CONTRADICTS);
        z->set[set] = less(probability(&half, level), z->formula);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct place *s = a, *t = b;
    if (s->at != t->at)
        return s->at < t->at ? -1 : 1;
    return (s->y > t->y) - (s->y < t->y);
}

/* Returns sup |F_n - F| over a set of replicates; NaN if the set is empty. Sorting by F(y) is right for one law of
 * any kind. It is right for continuous laws that differ between replicates, too, as F(y) is then uniform. */
static double distance(const struct fit_task *t, const struct series_point *p, int set, int *n)
{
    struct place *s = t->place;
    *n = 0;
    for (int r = 0; r < p->reps; r++)
        if (in_set(p, r, set))
            s[(*n)++] = (struct place){ p->y[r], p->formula[r], p->below[r] };
    qsort(s, (size_t)*n, sizeof *s, by_place);
    double D = *n ? 0 : NAN;
    for (int first = 0, last; first < *n; first = last) {
        for (last = first + 1; last < *n && by_place(&s[first], &s[last]) == 0;)
            last++;
        D = fmax(D, (double)last / *n - s[first].at);
        D = fmax(D, s[first].below - (double)first / *n);
    }
    return D;
}

/* Returns the distance that sup |F_n - F| exceeds with probability alpha at most, if F is the true law. */
static double radius(int n, double alpha) { return n ? sqrt(log(2 / alpha) / (2 * n)) : INFINITY; }

static struct estimate around(double D, int n, double alpha)
{
    return (struct estimate){ D, fmax(0, D - radius(n, alpha)), fmin(1, D + radius(n, alpha)) };
}

static void fit_distribution(const struct fit_task *t, const struct series_point *p,
                             struct fit_point *q)
{
    int n;
    double D = distance(t, p, FIT_ALL, &n);
    q->y = around(D, n, 1 - level_of(t));
    q->zone.formula = 0;
    q->zone.off = around(D, n, zone_alpha(t, ZONE_SUPPORTS));
    for (int set = 0; set < 2; set++) {
        D = distance(t, p, set, &n);
        q->zone.set[set] = around(D, n, zone_alpha(t, ZONE_CONTRADICTS));
    }
}

static void fit_law(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    q->zone.formula = stats_mean(p->reps, p->formula);
    q->zone.margin = stats_mean(p->reps, p->margin);
    if (q->infinite) {
        zone_infinite(t->c, &q->zone);
    } else if (t->c->cdf) {
        fit_distribution(t, p, q);
    } else {
        fit_probability(t, p, q);
    }
    zone_end(t, point);
}

/* --- Order: is y smaller than the rival's? Judged by the ratio of means, paired over replicates. Where a run or
 * its rival diverged, or the claim is about another statistic than the mean, it is judged by the median ratio, with
 * limits of the sign test. */

/* Returns y/rival, exactly 1 for a tie: the two then differ by no more than rounding or the error of y. */
static double value_over_rival(const struct series_point *p, int r)
{
    double y = value_y(p, r), rival = value_rival(p, r);
    if (!isfinite(rival))
        return y == rival ? 1 : 0;
    if (isfinite(y) && fabs(y - rival) <= fmax(same * fabs(rival), error_of(p, r)))
        return 1;
    return rival > 0 ? y / rival : y < rival ? 0 : INFINITY;
}

static struct estimate extremes(int n, const double *ratio)
{
    struct estimate e = { ratio[0], ratio[0], ratio[0] };
    for (int r = 1; r < n; r++) {
        e.lo = fmin(e.lo, ratio[r]);
        e.hi = fmax(e.hi, ratio[r]);
    }
    return e;
}

/* Returns the ratio of the means of x and z with one-sided limits. Where not all values are positive these are the
 * limits of 1 + d / mean rival, where d is the mean difference. */
static struct estimate ratio_of_means(struct fit_task *t, int n, double alpha, long resamples,
                                      struct rng *r)
{
    double y = stats_mean(n, t->x), rival = stats_mean(n, t->z);
    if (all_positive(n, t->x) && all_positive(n, t->z)) {
        double hi = stats_log_ratio_limit(n, t->x, t->z, alpha, resamples, r, t->work);
        double lo = stats_log_ratio_limit(n, t->z, t->x, alpha, 0, NULL, t->work);
        return (struct estimate){ y / rival, exp(-lo), exp(hi) };
    }
    if (!(rival > 0))
        return (struct estimate){ NAN, -INFINITY, INFINITY };
    for (int i = 0; i < n; i++)
        t->x[i] -= t->z[i];
    return (struct estimate){ y / rival, 1 + stats_student_limit(n, t->x, alpha, -1) / rival,
                              1 + stats_student_limit(n, t->x, alpha, +1) / rival };
}

/* Returns the ratio to the rival with limits, over a set of replicates, where `value` reads y. */
static struct estimate ratio_of(struct fit_task *t, int point, int set, value_fn value,
                                double alpha, bool by_sign)
{
    const struct series_point *p = &t->s->point[point];
    if (by_sign) {
        int n = gather(p, set, value_over_rival, t->x);
        return (struct estimate){ stats_quantile(n, t->x, 0.5, t->work),
                                  stats_quantile_limit(n, t->x, 0.5, alpha, -1, t->work),
                                  stats_quantile_limit(n, t->x, 0.5, alpha, +1, t->work) };
    }
    struct rng r = rng_at(t->r, (uint64_t)(3 * point + set + 1));
    gather(p, set, value_rival, t->z);
    int n = gather(p, set, value, t->x);
    return ratio_of_means(t, n, alpha, set == FIT_ALL ? FIT_RESAMPLES : 0, &r);
}

static void fit_order(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    BUG_IF(!p->rival);
    int n = gather(p, FIT_ALL, value_y, t->x);
    q->by_sign = t->c->statistic != STAT_MEAN;
    for (int r = 0; r < n; r++)
        q->by_sign = q->by_sign || !isfinite(t->x[r]) || !isfinite(p->rival[r]);
    if (!q->by_sign)
        q->spread = stats_spread(n, t->x, t->work);
    n = gather(p, FIT_ALL, value_over_rival, t->x);
    for (int r = 0; r < n; r++) {
        q->wins += t->x[r] < 1;
        q->losses += t->x[r] > 1;
        q->ties += t->x[r] == 1;
    }
    if (t->c->deterministic) {
        q->ratio = extremes(n, t->x);
        q->above[0] = q->above[1] = q->ratio.lo;
        return;
    }
    double support = t->support / t->s->points;
    double strict = FIT_CONTRADICT_ALPHA * t->share / t->s->points;
    q->ratio = ratio_of(t, point, FIT_ALL, value_y, support, q->by_sign);
    if (q->error > 0)
        q->ratio.hi = fmax(q->ratio.hi, ratio_of(t, point, FIT_ALL, value_most, support,
                                                 q->by_sign).hi);
    for (int set = 0; set < 2; set++)
        q->above[set] = q->error == INFINITY && !q->by_sign
                            ? -INFINITY
                            : ratio_of(t, point, set, value_least, strict, q->by_sign).lo;
}

/* --- rate: slopes of log(statistic) with intervals, of all replicates and of each of the two sets */

/* Returns the confidence of the two-sided interval whose ends are the one-sided limits by which one set of
 * replicates contradicts. */
static double strict_level(const struct fit_task *t)
{
    return 1 - 2 * FIT_CONTRADICT_ALPHA * t->share;
}

/* The largest bend (law.h) that is no curvature where the band is one-sided. A two-sided band admits its width. */
static const double one_sided_bend = 0.1;

/* Returns log(statistic), of y or of the rival, over a set of replicates at a point. */
static struct location log_value(const struct fit_task *t, int point, int set, value_fn value)
{
    int n = gather(&t->s->point[point], t->c->deterministic ? FIT_ALL : set, value, t->x);
    struct location z = { log(statistic_of(t, n, t->x)), INFINITY, INFINITY };
    if (n == 0)
        return (struct location){ NAN, INFINITY, INFINITY };
    if (t->c->deterministic)
        return (struct location){ z.value, 0, INFINITY };
    if (t->c->statistic == STAT_MEAN)
        return all_positive(n, t->x) ? stats_log_mean(n, t->x) : z;
    if (t->c->statistic == STAT_WORST || !all_positive(n, t->x))
        return z;
    struct rng r = rng_at(t->r, (uint64_t)(3 * point + set + 1));
    z.se = stats_log_quantile_se(n, t->x, quantile_of(t->c), FIT_RESAMPLES, &r, t->work);
    z.df = n - 1;
    return z;
}

/* Returns what the law is fitted to: log(statistic), less that of the rival where there is one. Means are paired
 * over replicates. Quantiles are taken as independent, which makes the interval too wide where they are not. */
static struct location log_statistic(const struct fit_task *t, int point, int set)
{
    const struct series_point *p = &t->s->point[point];
    if (!claim_has_rival(t->c))
        return log_value(t, point, set, value_y);
    if (t->c->statistic == STAT_MEAN && !t->c->deterministic) {
        int n = gather(p, set, value_y, t->x);
        gather(p, set, value_rival, t->z);
        if (all_positive(n, t->x) && all_positive(n, t->z))
            return stats_log_ratio(n, t->x, t->z);
    }
    const double difference[2] = { 1, -1 };
    const struct location z[2] = { log_value(t, point, set, value_y),
                                   log_value(t, point, set, value_rival) };
    return stats_contrast(2, difference, z);
}

/* Returns the number at a point whose logarithm is fitted: the statistic of y, or its ratio to that of the
 * rival. */
static double value_at(const struct fit_task *t, int point)
{
    const struct fit_point *q = &t->fit->point[point];
    return claim_has_rival(t->c) ? q->ratio.value : q->y.value;
}

/* Returns value[part] with the interval that follows from the errors of the fitted logarithms z. */
static struct estimate contrast(const struct fit_task *t, enum law_part part, const double *value,
                                const struct location *z, double confidence)
{
    struct location sum = stats_contrast(t->s->points, t->fit->rate.law.weight[part], z);
    sum.value = value[part];
    struct interval i = stats_interval(&sum, confidence);
    return (struct estimate){ value[part], i.lo, i.hi };
}

/* Do points with an infinite y contradict a rate? They do under three conditions: the band bounds y from above, the
 * law promises less there than at every point with a finite y, and, as for every contradiction, each of the two
 * sets of replicates has an infinite y. */
static bool infinity_refutes(const struct fit_task *t, int *first)
{
    int end = law_small_end(&t->c->law);
    double finite = NAN, infinite = NAN;     /* in the direction in which the law decreases: the farthest point with
                                                a finite y and the nearest with an infinite one */
    bool both = false;
    for (int i = t->s->points - 1; i >= 0; i--) {
        double along = end * t->s->point[i].axis;
        if (value_at(t, i) < INFINITY) {
            finite = fmax(finite, along);
            continue;
        }
        infinite = fmin(infinite, along);
        both = both || (log_statistic(t, i, 0).value == INFINITY &&
                        log_statistic(t, i, 1).value == INFINITY);
        *first = i;
    }
    bool bounded = end > 0 ? isfinite(t->c->band[1]) : end < 0 && isfinite(t->c->band[0]);
    return bounded && both && infinite > finite;
}

/* Computes the slopes of each set with the weights of the fit to all replicates: for lines that is the fit to the
 * set alone, for sums and Box-Cox laws a linearisation of it. */
static void fit_sets(struct fit_task *t, const struct location *z)
{
    struct fit_rate *rate = &t->fit->rate;
    struct location zs[FIT_POINTS_MAX];
    for (int set = 0; set < 2; set++) {
        double value[LAW_PARTS];
        for (int part = 0; part < LAW_PARTS; part++)
            value[part] = rate->law.value[part];
        for (int i = 0; i < t->s->points; i++) {
            zs[i] = log_statistic(t, i, set);
            for (int part = 0; part < LAW_PARTS; part++)
                if (rate->law.weight[part][i] != 0)
                    value[part] += rate->law.weight[part][i] * (zs[i].value - z[i].value);
        }
        for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++)
            rate->strict[set][part] = contrast(t, (enum law_part)part, value, zs, strict_level(t));
    }
}

/* Returns the least and the largest exponent of three consecutive points, or of the halves where three points give
 * no law. */
static struct estimate local_exponents(const struct fit_task *t, const double *axis, const double *y)
{
    const struct law *law = &t->c->law;
    const double *value = t->fit->rate.law.value, first = value[LAW_FIRST_HALF], second = value[LAW_SECOND_HALF];
    struct estimate e = { value[LAW_EXPONENT], fmin(first, second), fmax(first, second) };
    struct law_fit three;
    if (law->form == LAW_SUM || law->form == LAW_BOX_COX)
        return e;
    e.lo = INFINITY, e.hi = -INFINITY;
    for (int i = 0; i + 3 <= t->s->points; i++) {
        law_fit(law, 3, axis + i, y + i, &three);
        e.lo = fmin(e.lo, three.value[LAW_EXPONENT]);
        e.hi = fmax(e.hi, three.value[LAW_EXPONENT]);
    }
    return e;
}

/* Is the statistic of y or of its rival below RATE_CLEAR times the error? The error of y, which is mostly that of
 * the optimum, serves for the rival too. The claim's formula divides y and its error, but not the rival. */
static bool is_unclear(const struct fit_task *t, int point)
{
    const struct fit_point *q = &t->fit->point[point];
    const struct series_point *p = &t->s->point[point];
    double least = RATE_CLEAR * q->error;
    double rival = claim_has_rival(t->c) ? q->y.value / q->ratio.value : INFINITY;
    return q->y.value < least || rival < least * (p->formula ? stats_mean(p->reps, p->formula) : 1);
}

static void fit_rate(struct fit_task *t)
{
    struct fit_rate *rate = &t->fit->rate;
    struct location z[FIT_POINTS_MAX];
    double axis[FIT_POINTS_MAX], y[FIT_POINTS_MAX], squares = 0;
    int n = t->s->points, infinite = -1, zero = -1, unclear = -1;
    for (int i = n - 1; i >= 0; i--) {
        double value = value_at(t, i);
        infinite = value == INFINITY ? i : infinite;
        zero = value <= 0 ? i : zero;
        unclear = is_unclear(t, i) ? i : unclear;
    }
    if (infinite >= 0 || zero >= 0) {
        rate->trouble = infinite >= 0 ? RATE_INFINITE : RATE_NOT_POSITIVE;
        rate->refuted = infinite >= 0 && infinity_refutes(t, &infinite);
        rate->trouble_axis = t->s->point[infinite >= 0 ? infinite : zero].axis;
        return;
    }
    if (unclear >= 0) {
        rate->trouble = RATE_UNCERTAIN;
        rate->trouble_axis = t->s->point[unclear].axis;
        return;
    }
    for (int i = 0; i < n; i++) {
        axis[i] = t->s->point[i].axis;
        z[i] = log_statistic(t, i, FIT_ALL);
        y[i] = z[i].value;
    }
    law_fit(&t->c->law, n, axis, y, &rate->law);
    if (rate->law.trouble) {
        rate->trouble = RATE_LAW;
        return;
    }
    for (int part = 0; part < LAW_PARTS; part++)
        rate->part[part] = contrast(t, (enum law_part)part, rate->law.value, z, level_of(t));
    rate->local = local_exponents(t, axis, y);
    for (int i = 0; i < n && claim_has_rival(t->c); i++) {
        struct interval ratio = stats_interval(&z[i], level_of(t));
        struct estimate *e = &t->fit->point[i].ratio;
        e->lo = z[i].se > 0 ? exp(ratio.lo) : e->value;
        e->hi = z[i].se > 0 ? exp(ratio.hi) : e->value;
    }
    fit_sets(t, z);
    struct estimate bend = rate->part[LAW_BEND];
    double width = t->c->band[1] - t->c->band[0];
    rate->curved = t->c->law.form != LAW_BOX_COX && (bend.lo > 0 || bend.hi < 0) &&
                   fabs(bend.value) > (isfinite(width) ? width : one_sided_bend);
    for (int i = 0; i < n; i++)
        squares += pow(y[i] - log(rate->law.fitted[i]), 2);
    rate->scatter = sqrt(squares / n);
}

/* Fills in the spread of y or of the rival, whichever is wider, and the ratio of their statistics, which is
 * infinite where y is infinite, and 0 where the rival is infinite or not positive. */
static void describe_rate(struct fit_task *t, const struct series_point *p, struct fit_point *q)
{
    int n = gather(p, FIT_ALL, value_y, t->x);
    q->spread = stats_spread(n, t->x, t->work);
    if (!claim_has_rival(t->c))
        return;
    BUG_IF(!p->rival);
    n = gather(p, FIT_ALL, value_rival, t->x);
    struct spread of_rival = stats_spread(n, t->x, t->work);
    double rival = statistic_of(t, n, t->x);
    if (of_rival.log_sd > q->spread.log_sd)
        q->spread = of_rival;
    q->ratio.value = q->y.value == INFINITY ? INFINITY : rival > 0 ? q->y.value / rival : 0;
    q->ratio.lo = q->ratio.hi = q->ratio.value;
}

/* --- count: the largest relative deviations from the formula */

static void fit_count(struct fit_task *t, const struct series_point *p, struct fit_point *q)
{
    q->least = INFINITY;
    q->most = -INFINITY;
    for (int r = 0; r < p->reps; r++) {
        double y = datum(p->y[r]), f = p->formula[r];
        double deviation = y == f ? 0 : (y - f) / fabs(f);
        q->least = fmin(q->least, deviation);
        q->most = fmax(q->most, deviation);
    }
}

/* --- bound: the ratio y/formula with its limits */

/* Returns the upper limit, at this level, of the claim's statistic of the ratios x[n] = y/B at a point. */
static double upper_limit(const struct fit_task *t, int n, const double *x, double alpha, int point)
{
    if (t->c->statistic != STAT_MEAN || !all_positive(n, x))
        return limit(t, n, x, alpha, +1);
    struct rng r = rng_at(t->r, (uint64_t)point);
    return exp(stats_log_ratio_limit(n, x, NULL, alpha, FIT_RESAMPLES, &r, t->work));
}

static void fit_bound(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    int n = gather(p, FIT_ALL, value_ratio, t->x);
    double alpha = t->support / t->s->points;
    if (pathwise(t->c)) {
        double worst = stats_worst(n, t->x);
        gather(p, FIT_ALL, value_most_ratio, t->x);
        double most = stats_worst(n, t->x);
        bool clear = most <= worst * (1 + FIT_ROUNDING);
        q->ratio = (struct estimate){ worst, worst, clear ? worst : most };
        gather(p, FIT_ALL, value_least_ratio, t->x);
        q->above[0] = q->above[1] = stats_worst(n, t->x);
    } else {
        q->ratio.value = statistic_of(t, n, t->x);
        q->ratio.lo = limit(t, n, t->x, alpha, -1);
        q->spread = stats_spread(n, t->x, t->work);
        gather(p, FIT_ALL, value_most_ratio, t->x);
        q->ratio.hi = upper_limit(t, n, t->x, alpha, point);
        for (int set = 0; set < 2; set++) {
            int m = gather(p, set, value_least_ratio, t->x);
            double strict = FIT_CONTRADICT_ALPHA * t->share / t->s->points;
            q->above[set] = m ? limit(t, m, t->x, strict, -1) : -INFINITY;
        }
        /* A single infinity contradicts a mean, in whichever of the two sets it is. */
        if (t->c->statistic == STAT_MEAN && q->infinite)
            q->above[0] = q->above[1] = INFINITY;
    }
    if (t->fit->worst < 0 || q->ratio.value > t->fit->point[t->fit->worst].ratio.value)
        t->fit->worst = point;
}

/* --- what all checks share: flaws, impossible numbers, the fit of a point and of a claim */

/* A count needs a finite formula, and a bound one that is not negative. A rate has divided by its formula, where it
 * has one, which must be positive. */
static bool formula_usable(const struct claim *c, const struct series_point *p)
{
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        return zone_usable(c, p);
    if (c->check == CHECK_RATE ? !p->formula : c->check != CHECK_COUNT && c->check != CHECK_BOUND)
        return true;
    for (int r = 0; r < p->reps; r++)
        if (!p->formula || !isfinite(p->formula[r]) || (c->check == CHECK_BOUND && p->formula[r] < 0) ||
            (c->check == CHECK_RATE && p->formula[r] <= 0))
            return false;
    return true;
}

static enum flaw flaw_at(const struct claim *c, const struct series_point *p)
{
    if (p->missing)
        return FLAW_MISSING;
    if (p->reps == 0)
        return FLAW_HOLE;
    if (!formula_usable(c, p))
        return FLAW_FORMULA;
    for (int r = 1; c->deterministic && r < p->reps; r++)
        if (datum(p->y[r]) != datum(p->y[0]))
            return FLAW_SPREAD;
    if (!all_events(c, p))
        return FLAW_EVENT;
    return FLAW_NONE;
}

/* fit->flaw <- the gravest flaw of any point, which is the one that enum flaw has first; fit->flaw_axis <- the axis
 * value of the first point that has it. */
static void find_flaw(const struct fit_task *t)
{
    struct fit *fit = t->fit;
    long measured = 0;
    for (int i = 0; i < t->s->points; i++) {
        const struct series_point *p = &t->s->point[i];
        enum flaw flaw = flaw_at(t->c, p);
        measured += p->reps + p->missing;
        fit->missing += p->missing;
        if (flaw && (!fit->flaw || flaw < fit->flaw)) {
            fit->flaw = flaw;
            fit->flaw_axis = p->axis;
        }
    }
    if (measured == 0)
        fit->flaw = FLAW_EMPTY;
}

static bool is_negative(const struct fit_task *t, const struct series_point *p, double scale)
{
    bool found = false;
    for (int r = 0; r < p->reps && t->s->nonnegative; r++)
        found = found || datum(p->y[r]) < -(error_of(p, r) + same * scale);
    return found;
}

/* Is the proven lower bound beaten? Where every run counts, one run decides; otherwise the statistic of each of the
 * two sets must be below it. */
static bool is_beaten(const struct fit_task *t, const struct series_point *p)
{
    double highest = -INFINITY;
    if (!p->lower)
        return false;
    if (pathwise(t->c)) {
        int n = gather(p, FIT_ALL, value_over_lower, t->x);
        for (int r = 0; r < n; r++)
            if (t->x[r] < 1 - FIT_ROUNDING)
                return true;
        return false;
    }
    for (int set = 0; set < 2; set++) {
        int n = gather(p, set, value_over_lower, t->x);
        double alpha = FIT_CONTRADICT_ALPHA * t->share / t->s->points;
        highest = fmax(highest, n ? limit(t, n, t->x, alpha, +1) : INFINITY);
    }
    return highest < 1 - FIT_ROUNDING;
}

static void fit_point(struct fit_task *t, int i, double scale)
{
    const struct series_point *p = &t->s->point[i];
    struct fit_point *q = &t->fit->point[i];
    int n = gather(p, FIT_ALL, value_y, t->x);
    q->axis = p->axis;
    q->reps = p->reps;
    q->missing = p->missing;
    for (int r = 0; r < n; r++)
        q->infinite += t->x[r] == INFINITY;
    if (n == 0) {
        q->y = (struct estimate){ NAN, -INFINITY, INFINITY };
        return;
    }
    q->y = point_statistic(t, n, t->x);
    for (int r = 0; r < n; r++)
        q->error += error_of(p, r) / n;
    if (t->fit->negative < 0 && is_negative(t, p, scale))
        t->fit->negative = i;
    if (t->fit->beaten < 0 && is_beaten(t, p))
        t->fit->beaten = i;
    if (!formula_usable(t->c, p))
        return;
    if (t->c->check == CHECK_COUNT)
        fit_count(t, p, q);
    else if (t->c->check == CHECK_BOUND)
        fit_bound(t, i, q);
    else if (t->c->check == CHECK_RATE)
        describe_rate(t, p, q);
    else if (t->c->check == CHECK_ORDER)
        fit_order(t, i, q);
    else if (t->c->check == CHECK_MOMENT)
        fit_moment(t, i, q);
    else if (t->c->check == CHECK_LAW && all_events(t->c, p))
        fit_law(t, i, q);
    else if (t->c->check == CHECK_FIGURE)
        q->zone.formula = p->formula ? stats_mean(p->reps, p->formula) : NAN;
}

static enum status check_axis(const struct series *s, struct why *why)
{
    if (s->points > FIT_POINTS_MAX)
        return why_set(why, BAD_INPUT, "%d points on an axis: at most %d are fitted", s->points,
                       FIT_POINTS_MAX);
    for (int i = 0; i < s->points; i++) {
        double a = s->point[i].axis;
        if (!(a > 0) || !isfinite(a))
            return why_set(why, BAD_INPUT, "axis value %g: expected a positive number", a);
        if (i > 0 && !((a - s->point[i - 1].axis) * (s->point[1].axis - s->point[0].axis) > 0))
            return why_set(why, BAD_INPUT, "axis value %g after %g: expected a monotone grid", a,
                           s->point[i - 1].axis);
    }
    return OK;
}

enum status fit_claim(const struct claim *c, const struct series *s, const struct rng *r,
                      struct arena *work, struct fit *fit, struct why *why)
{
    TRY(check_axis(s, why));
    *fit = (struct fit){ .points = s->points, .deterministic = c->deterministic,
                         .queries = s->queries, .negative = -1, .beaten = -1, .worst = -1 };
    struct fit_task t = { .c = c, .s = s, .r = r, .fit = fit, .share = fit_share(c) };
    t.support = support_alpha(c, t.share);
    int most = 0;
    double scale = 0;
    fit->reps = s->points ? s->point[0].reps : 0;
    for (int i = 0; i < s->points; i++) {
        const struct series_point *p = &s->point[i];
        most = p->reps > most ? p->reps : most;
        fit->reps = p->reps < fit->reps ? p->reps : fit->reps;
        for (int k = 0; k < p->reps; k++)
            scale = isfinite(p->y[k]) ? fmax(scale, fabs(p->y[k])) : scale;
    }
    t.x = arena_vec(work, most);
    t.z = arena_vec(work, most);
    t.work = arena_vec(work, 2L * most + FIT_RESAMPLES);
    t.place = ARENA_ARRAY(work, most, struct place);
    find_flaw(&t);
    for (int i = 0; i < s->points; i++)
        fit_point(&t, i, scale);
    if (c->check == CHECK_RATE && !fit->flaw)
        fit_rate(&t);
    return OK;
}

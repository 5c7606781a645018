/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_moment.c - a mean against its closed form, and what it shares with laws: the zone around a
 * formula and the limits that are held against it. */
#include "judge/fit_task.h"

#include <math.h>

#include "numeric/stats.h"

/* --- the zone */

static double outside(const struct claim *c, const struct fit_zone *z)
{
    double m = fit_zone_margin(z), above = z->off.hi - m, below = -m - z->off.lo;
    double scale = fmax(z->margin, fabs(z->formula));
    double out = c->sense == SENSE_AT_MOST    ? above
                 : c->sense == SENSE_AT_LEAST ? below
                                              : fmax(above, below);
    return isnan(out) ? INFINITY : out / (scale > 0 ? scale : 1);
}

void fit_zone_end(struct fit_task *t, int point)
{
    struct fit *fit = t->fit;
    struct fit_zone *z = &fit->point[point].zone;
    z->outside = outside(t->c, z);
    if (fit->worst < 0 || z->outside > fit->point[fit->worst].zone.outside)
        fit->worst = point;
}

double fit_zone_alpha(const struct fit_task *t, enum zone_limit which)
{
    int shares = t->s->points * fit_rounds(t->c);
    if (which == ZONE_CONTRADICTS)
        return FIT_CONTRADICT_ALPHA / shares;
    return FIT_SUPPORT_ALPHA / shares / (t->c->sense == SENSE_EQUAL && !t->c->cdf ? 2 : 1);
}

void fit_zone_infinite(const struct claim *c, struct fit_zone *z)
{
    double lo = c->sense == SENSE_AT_LEAST ? -INFINITY : INFINITY;
    z->off = z->set[0] = z->set[1] = (struct estimate){ INFINITY, lo, INFINITY };
}

static bool in_unit(double p) { return p >= 0 && p <= 1; }

bool fit_zone_usable(const struct claim *c, const struct series_point *p)
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

/* --- the mean of y - formula */

static double value_off(const struct series_point *p, int r)
{
    return fit_value_y(p, r) - p->formula[r];
}

/* From the spread between replicates. */
static struct estimate between(const struct fit_task *t, const struct series_point *p, int set,
                               double alpha)
{
    int n = fit_gather(p, t->c->deterministic ? FIT_ALL : set, value_off, t->x);
    double mean = stats_mean(n, t->x);
    if (t->c->deterministic)
        return (struct estimate){ mean, mean, mean };
    return (struct estimate){ mean, n ? stats_skewed_limit(n, t->x, alpha, -1) : -INFINITY,
                              n ? stats_skewed_limit(n, t->x, alpha, +1) : INFINITY };
}

/* sum + k z; the degrees of freedom of a sum of sums are those of all terms. */
static struct location plus(struct location sum, double k, struct location z)
{
    return stats_contrast(2, (double[]){ 1, k }, (struct location[]){ sum, z });
}

/* From the draws within each replicate: every stratum of every block has a variance of its own. */
static struct location within(const struct series_point *p, int set)
{
    struct location sum = { 0, 0, INFINITY };
    int n = 0;
    for (int r = 0; r < p->reps; r++)
        n += fit_in_set(p, r, set);
    for (int r = 0; r < p->reps; r++) {
        const struct draws *d = &p->draws[r];
        if (!fit_in_set(p, r, set))
            continue;
        sum.value -= p->formula[r] / n;
        for (int k = 0; k < d->strata; k++) {
            struct location z = { d->mean[k], sqrt(d->variance[k] / d->each), d->each - 1 };
            sum = plus(sum, d->weight[k] / n, z);
        }
    }
    return n ? sum : (struct location){ NAN, INFINITY, 1 };
}

/* A block of one draw shows no variance. */
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

/* y itself with a 95% interval that knows the strata. */
static struct estimate mean_of_blocks(const struct fit_task *t, const struct series_point *p,
                                      double value)
{
    struct location z = within(p, FIT_ALL);
    z.value = value;
    return limits(&z, (1 - fit_level(t)) / 2);
}

void fit_moment(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    struct fit_zone *z = &q->zone;
    z->formula = stats_mean(p->reps, p->formula);
    z->margin = stats_mean(p->reps, p->margin);
    if (q->infinite) {
        fit_zone_infinite(t->c, z);
    } else {
        z->off = deviation(t, p, FIT_ALL, fit_zone_alpha(t, ZONE_SUPPORTS));
        for (int set = 0; set < 2; set++)
            z->set[set] = deviation(t, p, set, fit_zone_alpha(t, ZONE_CONTRADICTS));
        if (in_blocks(p) && !t->c->deterministic)
            q->y = mean_of_blocks(t, p, q->y.value);
    }
    fit_zone_end(t, point);
}

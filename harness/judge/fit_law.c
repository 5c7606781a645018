/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_law.c - a probability with the exact limits of Clopper and Pearson (1934), a distribution
 * by its largest distance D from the empirical one:
 *
 *     P(sup |F_n - F| > e) <= 2 exp(-2 n e^2)   for every n and every law
 *
 * (Dvoretzky, Kiefer, Wolfowitz; the constant is Massart's, 1990). For continuous laws the
 * limits are within a few percent of those of Kolmogorov's exact distribution, and unlike these
 * and chi-square they bound the distance itself, for discrete laws too. */
#include "judge/fit_task.h"

#include <math.h>
#include <stdlib.h>

#include "numeric/stats.h"

/* --- a probability. Where replicates have formulas of their own the number of events is less
 * spread than a binomial one of the mean probability (Hoeffding 1956): the limits hold. */

struct tally {
    double events, trials;
};

static struct tally count_events(const struct series_point *p, int set)
{
    struct tally sum = { 0, 0 };
    for (int r = 0; r < p->reps; r++) {
        double trials = p->draws ? p->draws[r].each : 1;
        if (!fit_in_set(p, r, set))
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
        return true; /* a datum, that contradicts */
    return (!p->draws || p->draws[r].strata == 1) && events > -0.5 && events < trials + 0.5 &&
           fabs(events - rint(events)) <= 1e-6 * fmax(1, sqrt(trials));
}

bool fit_all_events(const struct claim *c, const struct series_point *p)
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
    q->y = probability(&all, fit_level(t));
    z->events = all.events;
    z->trials = all.trials;
    z->off = less(probability(&all, 1 - 2 * fit_zone_alpha(t, ZONE_SUPPORTS)), z->formula);
    for (int set = 0; set < 2; set++) {
        struct tally half = count_events(p, set);
        double level = 1 - 2 * fit_zone_alpha(t, ZONE_CONTRADICTS);
        z->set[set] = less(probability(&half, level), z->formula);
    }
}

/* --- a distribution */

static int by_place(const void *a, const void *b)
{
    const struct fit_place *s = a, *t = b;
    if (s->at != t->at)
        return s->at < t->at ? -1 : 1;
    return (s->y > t->y) - (s->y < t->y);
}

/* sup |F_n - F| over a set of replicates; NaN if it is empty. Sorting by F(y) serves one law,
 * whatever its kind, and continuous laws that differ: F(y) is then uniform. */
static double distance(const struct fit_task *t, const struct series_point *p, int set, int *n)
{
    struct fit_place *s = t->place;
    *n = 0;
    for (int r = 0; r < p->reps; r++)
        if (fit_in_set(p, r, set))
            s[(*n)++] = (struct fit_place){ p->y[r], p->formula[r], p->below[r] };
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

/* What sup |F_n - F| of a true F exceeds with probability alpha at the most. */
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
    q->y = around(D, n, 1 - fit_level(t));
    q->zone.formula = 0;
    q->zone.off = around(D, n, fit_zone_alpha(t, ZONE_SUPPORTS));
    for (int set = 0; set < 2; set++) {
        D = distance(t, p, set, &n);
        q->zone.set[set] = around(D, n, fit_zone_alpha(t, ZONE_CONTRADICTS));
    }
}

void fit_law(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    q->zone.formula = stats_mean(p->reps, p->formula);
    q->zone.margin = stats_mean(p->reps, p->margin);
    if (q->infinite) {
        fit_zone_infinite(t->c, &q->zone);
    } else if (t->c->cdf) {
        fit_distribution(t, p, q);
    } else {
        fit_probability(t, p, q);
    }
    fit_zone_end(t, point);
}

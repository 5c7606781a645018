/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_order.c - is y smaller than the rival's? The ratio of means, paired over replicates; the
 * median ratio, hence signs, where one diverged. */
#include "judge/fit_task.h"

#include <math.h>

static const double same = 1e-12;        /* relative: a tie */

/* y/rival, exactly 1 for a tie: what is known of the two does not tell them apart. */
static double value_ratio(const struct series_point *p, int r)
{
    double y = fit_value_y(p, r), rival = fit_value_rival(p, r);
    if (!isfinite(rival))
        return y == rival ? 1 : 0;
    if (isfinite(y) && fabs(y - rival) <= fmax(same * fabs(rival), fit_error(p, r)))
        return 1;
    return rival > 0 ? y / rival : y < rival ? 0 : INFINITY;
}

static struct estimate deterministic(int n, const double *ratio)
{
    struct estimate e = { ratio[0], ratio[0], ratio[0] };
    for (int r = 1; r < n; r++) {
        e.lo = fmin(e.lo, ratio[r]);
        e.hi = fmax(e.hi, ratio[r]);
    }
    return e;
}

/* x, z: the means' ratio with one-sided limits. The limits of a difference d are those of
 * 1 + d / mean rival. */
static struct estimate ratio_of_means(struct fit_task *t, int n, double alpha, long resamples,
                                      struct rng *r)
{
    double y = stats_mean(n, t->x), rival = stats_mean(n, t->z);
    if (fit_positive(n, t->x) && fit_positive(n, t->z)) {
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

/* Limits of a set of replicates, y read by value. */
static struct estimate ratio_of(struct fit_task *t, int point, int set, fit_value_fn value,
                                double alpha, bool by_sign)
{
    const struct series_point *p = &t->s->point[point];
    if (by_sign) {
        int n = fit_gather(p, set, value_ratio, t->x);
        return (struct estimate){ stats_quantile(n, t->x, 0.5, t->work),
                                  stats_quantile_limit(n, t->x, 0.5, alpha, -1, t->work),
                                  stats_quantile_limit(n, t->x, 0.5, alpha, +1, t->work) };
    }
    struct rng r = rng_at(t->r, (uint64_t)(3 * point + set + 1));
    fit_gather(p, set, fit_value_rival, t->z);
    int n = fit_gather(p, set, value, t->x);
    return ratio_of_means(t, n, alpha, set == FIT_ALL ? FIT_RESAMPLES : 0, &r);
}

void fit_order(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    BUG_IF(!p->rival);
    double points = t->s->points * fit_rounds(t->c);
    int n = fit_gather(p, FIT_ALL, fit_value_y, t->x);
    q->by_sign = t->c->statistic != STAT_MEAN;
    for (int r = 0; r < n; r++)
        q->by_sign = q->by_sign || !isfinite(t->x[r]) || !isfinite(p->rival[r]);
    if (!q->by_sign)
        q->spread = stats_spread(n, t->x, t->work);
    n = fit_gather(p, FIT_ALL, value_ratio, t->x);
    for (int r = 0; r < n; r++) {
        q->wins += t->x[r] < 1;
        q->losses += t->x[r] > 1;
        q->ties += t->x[r] == 1;
    }
    if (t->c->deterministic) {
        q->ratio = deterministic(n, t->x);
        q->above[0] = q->above[1] = q->ratio.lo;
        return;
    }
    double support = FIT_SUPPORT_ALPHA / points, strict = FIT_CONTRADICT_ALPHA / points;
    q->ratio = ratio_of(t, point, FIT_ALL, fit_value_y, support, q->by_sign);
    if (q->error > 0)
        q->ratio.hi = fmax(q->ratio.hi, ratio_of(t, point, FIT_ALL, fit_value_most, support,
                                                 q->by_sign).hi);
    for (int set = 0; set < 2; set++)
        q->above[set] = q->error == INFINITY && !q->by_sign
                            ? -INFINITY
                            : ratio_of(t, point, set, fit_value_least, strict, q->by_sign).lo;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_rate.c - slopes of log(statistic) with intervals, of all replicates and of two sets. */
#include "judge/fit_task.h"

#include <math.h>

static double strict_level(const struct fit_task *t)
{
    return 1 - 2 * FIT_CONTRADICT_ALPHA / fit_rounds(t->c);
}
static const double one_sided_bend = 0.1;

/* log(statistic) of a set of replicates at a point, of y or of the rival. */
static struct location log_value(const struct fit_task *t, int point, int set, fit_value_fn value)
{
    int n = fit_gather(&t->s->point[point], t->c->deterministic ? FIT_ALL : set, value, t->x);
    struct location z = { log(fit_statistic(t, n, t->x)), INFINITY, INFINITY };
    if (n == 0)
        return (struct location){ NAN, INFINITY, INFINITY };
    if (t->c->deterministic)
        return (struct location){ z.value, 0, INFINITY };
    if (t->c->statistic == STAT_MEAN)
        return fit_positive(n, t->x) ? stats_log_mean(n, t->x) : z;
    if (t->c->statistic == STAT_WORST || !fit_positive(n, t->x))
        return z;
    struct rng r = rng_at(t->r, (uint64_t)(3 * point + set + 1));
    z.se = stats_log_quantile_se(n, t->x, fit_quantile(t->c), FIT_RESAMPLES, &r, t->work);
    z.df = n - 1;
    return z;
}

/* What the law is fitted to: log(statistic), less the rival's. Means are paired; quantiles as if
 * independent, which is wide where they are not. */
static struct location log_statistic(const struct fit_task *t, int point, int set)
{
    const struct series_point *p = &t->s->point[point];
    if (!claim_has_rival(t->c))
        return log_value(t, point, set, fit_value_y);
    if (t->c->statistic == STAT_MEAN && !t->c->deterministic) {
        int n = fit_gather(p, set, fit_value_y, t->x);
        fit_gather(p, set, fit_value_rival, t->z);
        if (fit_positive(n, t->x) && fit_positive(n, t->z))
            return stats_log_ratio(n, t->x, t->z);
    }
    const double difference[2] = { 1, -1 };
    const struct location z[2] = { log_value(t, point, set, fit_value_y),
                                   log_value(t, point, set, fit_value_rival) };
    return stats_contrast(2, difference, z);
}

/* The number whose logarithm is fitted. */
static double value_at(const struct fit_task *t, int point)
{
    const struct fit_point *q = &t->fit->point[point];
    return claim_has_rival(t->c) ? q->ratio.value : q->y.value;
}

/* value[part] with the interval that the errors of z give it. */
static struct estimate contrast(const struct fit_task *t, enum law_part part, const double *value,
                                const struct location *z, double confidence)
{
    struct location sum = stats_contrast(t->s->points, t->fit->rate.law.weight[part], z);
    sum.value = value[part];
    struct interval i = stats_interval(&sum, confidence);
    return (struct estimate){ value[part], i.lo, i.hi };
}

/* An infinite point refutes an upper rate if the law promises less there than at every finite
 * point, and, as every contradiction must, both sets of replicates say so somewhere. */
static bool infinity_refutes(const struct fit_task *t, int *first)
{
    int end = law_small_end(&t->c->law);
    double finite = NAN, infinite = NAN;     /* farthest finite, nearest infinite, along end */
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

/* The slopes of every set are read with the weights of the whole: for lines that is a fit of the
 * set alone, for sums its linearisation. */
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
        rate->set[set] = contrast(t, LAW_EXPONENT, value, zs, fit_level(t));
        for (int half = 0; half < 2; half++)
            rate->strict[set][half] = contrast(t, (enum law_part)(LAW_FIRST_HALF + half), value, zs,
                                               strict_level(t));
    }
}

void fit_rate(struct fit_task *t)
{
    struct fit_rate *rate = &t->fit->rate;
    struct location z[FIT_POINTS_MAX];
    double axis[FIT_POINTS_MAX], y[FIT_POINTS_MAX], squares = 0;
    int n = t->s->points, infinite = -1, zero = -1, unclear = -1;
    for (int i = n - 1; i >= 0; i--) {
        double value = value_at(t, i);
        infinite = value == INFINITY ? i : infinite;
        zero = value <= 0 ? i : zero;
        unclear = t->fit->point[i].y.value < RATE_CLEAR * t->fit->point[i].error ? i : unclear;
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
        rate->part[part] = contrast(t, (enum law_part)part, rate->law.value, z, fit_level(t));
    for (int i = 0; i < n && claim_has_rival(t->c); i++) {
        struct interval ratio = stats_interval(&z[i], fit_level(t));
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

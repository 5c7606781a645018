/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - from the measured points of one claim to estimates with intervals. */
#include "judge/fit_task.h"

#include <math.h>

static const double same = 1e-12;        /* relative: rounding of an exact zero excess */

/* One value of a theorem about every run decides; otherwise the sampling error has a say. */
static bool pathwise(const struct claim *c)
{
    return c->deterministic || c->every_mark || c->statistic == STAT_WORST;
}

/* --- what is looked at, per replicate */
static double datum(double y)
{
    return isfinite(y) ? y : INFINITY;
}

double fit_value_y(const struct series_point *p, int r)
{
    return datum(p->y[r]);
}

double fit_value_rival(const struct series_point *p, int r)
{
    return datum(p->rival[r]);
}

double fit_error(const struct series_point *p, int r)
{
    return !p->error ? 0 : isnan(p->error[r]) ? INFINITY : p->error[r];
}

double fit_value_most(const struct series_point *p, int r)
{
    return datum(p->y[r]) + fit_error(p, r);
}

double fit_value_least(const struct series_point *p, int r)
{
    double y = datum(p->y[r]);
    return y == INFINITY ? y : y - fit_error(p, r);
}

/* y/B for y <= B with B >= 0. */
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
    return quotient(fit_value_least(p, r), p->formula[r]);
}

/* A bound of zero holds for a zero: rounding is not held against it. */
static double value_most_ratio(const struct series_point *p, int r)
{
    bool finite = p->formula[r] > 0 || fit_error(p, r) == INFINITY;
    return quotient(finite ? fit_value_most(p, r) : datum(p->y[r]), p->formula[r]);
}

/* Below 1: the lower bound is beaten. A bound that is not positive cannot be. */
static double value_over_lower(const struct series_point *p, int r)
{
    return p->lower[r] > 0 ? fit_value_most(p, r) / p->lower[r] : INFINITY;
}

/* x <- the values of the replicates of a set (FIT_ALL, 0 even, 1 odd). */
int fit_gather(const struct series_point *p, int set, fit_value_fn value, double *x)
{
    int n = 0;
    for (int r = 0; r < p->reps; r++)
        if (fit_in_set(p, r, set))
            x[n++] = value(p, r);
    return n;
}

double fit_quantile(const struct claim *c)
{
    return c->statistic == STAT_MEDIAN ? 0.5 : c->quantile;
}

double fit_statistic(const struct fit_task *t, int n, const double *x)
{
    switch (t->c->statistic) {
    case STAT_MEAN:
        return stats_mean(n, x);
    case STAT_WORST:
        return stats_worst(n, x);
    default:
        return stats_quantile(n, x, fit_quantile(t->c), t->work);
    }
}

/* One-sided limit of the mean or quantile. */
static double limit(const struct fit_task *t, int n, const double *x, double alpha, int side)
{
    if (t->c->statistic == STAT_MEAN)
        return stats_student_limit(n, x, alpha, side);
    return stats_quantile_limit(n, x, fit_quantile(t->c), alpha, side, t->work);
}

bool fit_positive(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!(x[i] > 0 && isfinite(x[i])))
            return false;
    return n > 0;
}

static struct estimate point_statistic(const struct fit_task *t, int n, const double *x)
{
    double value = fit_statistic(t, n, x), alpha = (1 - fit_level(t)) / 2;
    if (t->c->deterministic)
        return (struct estimate){ value, value, value };
    if (t->c->statistic == STAT_WORST)
        return (struct estimate){ value, value, INFINITY };
    if (t->c->statistic == STAT_MEAN && fit_positive(n, x)) {
        struct location z = stats_log_mean(n, x);
        double hi = stats_log_ratio_limit(n, x, NULL, alpha, 0, NULL, t->work);
        return (struct estimate){ value, exp(stats_interval(&z, fit_level(t)).lo), exp(hi) };
    }
    return (struct estimate){ value, limit(t, n, x, alpha, -1), limit(t, n, x, alpha, +1) };
}

/* --- count */
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

/* --- bound */

/* Upper limit that supports. */
static double upper_limit(const struct fit_task *t, int n, const double *x, double alpha, int point)
{
    if (t->c->statistic != STAT_MEAN || !fit_positive(n, x))
        return limit(t, n, x, alpha, +1);
    struct rng r = rng_at(t->r, (uint64_t)point);
    return exp(stats_log_ratio_limit(n, x, NULL, alpha, FIT_RESAMPLES, &r, t->work));
}

static void fit_bound(struct fit_task *t, int point, struct fit_point *q)
{
    const struct series_point *p = &t->s->point[point];
    int n = fit_gather(p, FIT_ALL, value_ratio, t->x);
    double alpha = FIT_SUPPORT_ALPHA / t->s->points / fit_rounds(t->c);
    if (pathwise(t->c)) {
        double worst = stats_worst(n, t->x);
        fit_gather(p, FIT_ALL, value_most_ratio, t->x);
        double most = stats_worst(n, t->x);
        bool clear = most <= worst * (1 + FIT_ROUNDING);
        q->ratio = (struct estimate){ worst, worst, clear ? worst : most };
        fit_gather(p, FIT_ALL, value_least_ratio, t->x);
        q->above[0] = q->above[1] = stats_worst(n, t->x);
    } else {
        q->ratio.value = fit_statistic(t, n, t->x);
        q->ratio.lo = limit(t, n, t->x, alpha, -1);
        q->spread = stats_spread(n, t->x, t->work);
        fit_gather(p, FIT_ALL, value_most_ratio, t->x);
        q->ratio.hi = upper_limit(t, n, t->x, alpha, point);
        for (int set = 0; set < 2; set++) {
            int m = fit_gather(p, set, value_least_ratio, t->x);
            double strict = FIT_CONTRADICT_ALPHA / t->s->points / fit_rounds(t->c);
            q->above[set] = m ? limit(t, m, t->x, strict, -1) : -INFINITY;
        }
        /* A single infinity contradicts a mean, in whichever set it fell. */
        if (t->c->statistic == STAT_MEAN && q->infinite)
            q->above[0] = q->above[1] = INFINITY;
    }
    if (t->fit->worst < 0 || q->ratio.value > t->fit->point[t->fit->worst].ratio.value)
        t->fit->worst = point;
}

/* --- rate */

/* The wider of y's spread and the rival's; the ratio of their statistics, infinite where y is, 0
 * where the rival is or where it is not positive. */
static void describe_rate(struct fit_task *t, const struct series_point *p, struct fit_point *q)
{
    int n = fit_gather(p, FIT_ALL, fit_value_y, t->x);
    q->spread = stats_spread(n, t->x, t->work);
    if (!claim_has_rival(t->c))
        return;
    BUG_IF(!p->rival);
    n = fit_gather(p, FIT_ALL, fit_value_rival, t->x);
    struct spread of_rival = stats_spread(n, t->x, t->work);
    double rival = fit_statistic(t, n, t->x);
    if (of_rival.log_sd > q->spread.log_sd)
        q->spread = of_rival;
    q->ratio.value = q->y.value == INFINITY ? INFINITY : rival > 0 ? q->y.value / rival : 0;
    q->ratio.lo = q->ratio.hi = q->ratio.value;
}

/* --- all checks */
static bool formula_usable(const struct claim *c, const struct series_point *p)
{
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        return fit_zone_usable(c, p);
    if (c->check != CHECK_COUNT && c->check != CHECK_BOUND)
        return true;
    for (int r = 0; r < p->reps; r++)
        if (!p->formula || !isfinite(p->formula[r]) ||
            (c->check == CHECK_BOUND && p->formula[r] < 0))
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
    if (!fit_all_events(c, p))
        return FLAW_EVENT;
    return FLAW_NONE;
}

/* The first flaw, worst kind first. */
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
        found = found || datum(p->y[r]) < -(fit_error(p, r) + same * scale);
    return found;
}

/* The proven lower bound is beaten: in every run where one decides, else in the statistic, for
 * both sets of replicates. */
static bool is_beaten(const struct fit_task *t, const struct series_point *p)
{
    double highest = -INFINITY;
    if (!p->lower)
        return false;
    if (pathwise(t->c)) {
        int n = fit_gather(p, FIT_ALL, value_over_lower, t->x);
        for (int r = 0; r < n; r++)
            if (t->x[r] < 1 - FIT_ROUNDING)
                return true;
        return false;
    }
    for (int set = 0; set < 2; set++) {
        int n = fit_gather(p, set, value_over_lower, t->x);
        double alpha = FIT_CONTRADICT_ALPHA / t->s->points / fit_rounds(t->c);
        highest = fmax(highest, n ? limit(t, n, t->x, alpha, +1) : INFINITY);
    }
    return highest < 1 - FIT_ROUNDING;
}

static void fit_point(struct fit_task *t, int i, double scale)
{
    const struct series_point *p = &t->s->point[i];
    struct fit_point *q = &t->fit->point[i];
    int n = fit_gather(p, FIT_ALL, fit_value_y, t->x);
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
        q->error += fit_error(p, r) / n;
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
    else if (t->c->check == CHECK_LAW && fit_all_events(t->c, p))
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
    struct fit_task t = { .c = c, .s = s, .r = r, .fit = fit };
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
    t.place = ARENA_ARRAY(work, most, struct fit_place);
    find_flaw(&t);
    for (int i = 0; i < s->points; i++)
        fit_point(&t, i, scale);
    if (c->check == CHECK_RATE && !fit->flaw)
        fit_rate(&t);
    return OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - reads a measure, one number, from a record, by the name that claims use. */
#include "plan/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle.h"

bool measure_is_count(const char *measure)
{
    for (int k = 0; k < COUNT_KINDS; k++)
        if (strcmp(count_name(k), measure) == 0)
            return true;
    return false;
}

bool measure_nonnegative(const char *measure)
{
    static const char *const names[] = { "excess", "distance", "gap", "stationarity", "moment.error",
                                         "moment.error2", "moment.error4" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], measure) == 0)
            return true;
    return false;
}

static const char HIT[] = "hit.";

bool measure_of_marks(const char *measure)
{
    return strncmp(measure, HIT, strlen(HIT)) == 0;
}

long measure_column(const struct record_trace *t, const char *name)
{
    for (size_t k = 0; k < t->columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return (long)k;
    return -1;
}

static bool first_hit(const char *cost_name, const struct record *r, double *y)
{
    const struct record_trace *t = &r->trace;
    long cost = measure_column(t, cost_name), ruler = measure_column(t, "ruler");
    double target;
    if (cost < 0 || ruler < 0 || !record_get(r, "goal.acc", &target))
        return false;
    *y = INFINITY;
    for (size_t k = 0; k < t->rows && isinf(*y); k++)
        if (t->value[k * t->columns + (size_t)ruler] <= target)
            *y = t->value[k * t->columns + (size_t)cost];
    return true;
}

/* --- measures of an estimator's draws, of any record, and of idle methods */

static const char MOMENT[] = "moment.", COST[] = "cost";

const char *measure_functional(const char *measure)
{
    return strncmp(measure, MOMENT, strlen(MOMENT)) == 0 ? measure + strlen(MOMENT) : NULL;
}

static bool of_stratum(const struct record *r, int k, const char *what, const char *functional,
                       double *y)
{
    char name[RECORD_NAME];
    snprintf(name, sizeof name, "stratum.%d.%s%s%s", k, what, functional ? "." : "",
             functional ? functional : "");
    return record_get(r, name, y);
}

int measure_strata(const char *measure, const struct record *r, int room, double *weight,
                   double *mean, double *variance)
{
    const char *functional = measure_functional(measure);
    int k = 0;
    while (functional && k < room && of_stratum(r, k, "weight", NULL, &weight[k]) &&
           of_stratum(r, k, "mean", functional, &mean[k]) &&
           of_stratum(r, k, "variance", functional, &variance[k]))
        k++;
    return k;
}

/* *y <- sum_k weight_k mean_k. The sum is over the strata of an estimator's record. A stratum of weight 0 is left
 * out, because its mean may be NaN. */
static bool over_strata(const char *functional, const struct record *r, double *y)
{
    bool cost = strcmp(functional, COST) == 0;
    double sum = 0, weight, mean;
    int k = 0;
    for (; of_stratum(r, k, "weight", NULL, &weight); k++) {
        if (!of_stratum(r, k, cost ? COST : "mean", cost ? NULL : functional, &mean))
            return false;
        sum += weight != 0 ? weight * mean : 0;
    }
    *y = sum;
    return k > 0;
}

bool measure_get(const char *measure, const struct record *r, double *y)
{
    if (measure_functional(measure))
        return over_strata(measure_functional(measure), r, y);
    if (measure_of_marks(measure))
        return first_hit(measure + strlen(HIT), r, y);
    char name[RECORD_NAME];
    const char *scope = strchr(measure, '.') ? "" : measure_is_count(measure) ? "count." : "measure.";
    snprintf(name, sizeof name, "%s%s", scope, measure);
    return record_get(r, name, y);
}

/* *y <- the cost at which an idle method brings the ruler to at most goal.acc: 0 if the ruler is at most goal.acc
 * at the point where the method stays, else infinite. scope: "idle", the start, or "centre". */
static bool idle_hit(const struct measure *ruler, const char *scope, const struct record *r, double *y)
{
    char name[RECORD_NAME];
    double at, target;
    snprintf(name, sizeof name, "%s.%s", scope, ruler ? ruler->name : "");
    if (!record_get(r, name, &at) || !record_get(r, "goal.acc", &target))
        return false;
    *y = at <= target ? 0 : INFINITY;
    return true;
}

bool measure_idle(const char *measure, const struct measure *ruler, enum idle where, const struct record *r,
                  double *y)
{
    static const char *const scopes[] = { "idle", "centre" };
    const char *scope = scopes[where], *dot = strrchr(measure, '.');
    char name[RECORD_NAME];
    if (measure_of_marks(measure))
        return idle_hit(ruler, scope, r, y);
    /* An idle method visits one set of points, so that its measures set.NAME.mean, set.NAME.min and set.NAME.max
     * are one number, stored as SCOPE.set.NAME. */
    int length = strncmp(measure, "set.", 4) == 0 ? (int)(dot - measure) : (int)strlen(measure);
    snprintf(name, sizeof name, "%s.%.*s", scope, length, measure);
    return record_get(r, name, y);
}

bool measure_of_answer(const char *measure)
{
    const char *functional = measure_functional(measure);
    if (functional)
        return strcmp(functional, COST) != 0;
    if (strncmp(measure, "set.", 4) == 0 || measure_of_marks(measure))
        return true;
    return !strchr(measure, '.') && !measure_is_count(measure) && strcmp(measure, "search") != 0;
}

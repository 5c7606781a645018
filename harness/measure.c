/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"

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
    static const char *const names[] = { "excess", "distance", "gap", "stationarity" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], measure) == 0)
            return true;
    return false;
}

bool measure_get(const char *measure, const struct record *r, double *y)
{
    char name[RECORD_NAME];
    const char *scope = strchr(measure, '.') ? "" : measure_is_count(measure) ? "count." : "measure.";
    snprintf(name, sizeof name, "%s%s", scope, measure);
    return record_get(r, name, y);
}

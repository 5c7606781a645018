/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_data.c - which cells read data that are not on this machine: known before anything opens
 * them, so that what needs them is left out and the rest goes on. */
#include "plan/plan_state.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/params.h"

/* What the cell's problem reads; NULL: no data. */
static const char *data_of(const struct cell *c)
{
    const struct param *p = params_find(c->problem->params, "data");
    if (!p || p->type != PARAM_TEXT)
        return NULL;
    return *(const char *const *)((const char *)c->problem_params + p->offset);
}

/* A slip of the user's is not a machine without the data. */
static enum status check_named(const char *data, struct why *why)
{
    char path[PATH_MAX];
    if (strchr(data, '/'))
        return why_set(why, BAD_INPUT, "problem.data=%.200s: %s: expected a data file", data,
                       strerror(errno));
    return data_set_file(data, path, why);
}

enum status plan_missing_data(const struct cell *c, const struct bag *overrides, char *missing,
                              struct why *why)
{
    const char *data = data_of(c);
    *missing = '\0';
    if (!data || access(data, F_OK) == 0)
        return OK;
    if (bag_find(overrides, "problem.data"))
        return check_named(data, why);
    return data_set_missing(data, missing, why);
}

enum status plan_check_data(struct planning *g, const struct lineup *l, int n, struct why *why)
{
    struct planned_claim *p = g->planned;
    for (int k = 0; k < n && p->points; k++) {
        struct cell *c;
        TRY(plan_bare_cell(g, &l[k].layers, l[k].algo, plan_axis_value(g, 0), NAN, 0, &c, why));
        enum status s = plan_missing_data(c, &g->s->overrides, p->missing, why);
        cell_free(c);
        TRY(s);
        if (*p->missing) {
            p->points = 0;
            p->searching = false;
        }
    }
    return OK;
}

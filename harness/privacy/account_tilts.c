/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_tilts.c - the smallest bound over a grid of tilts. */
#include "privacy/account_tilts.h"

#include "privacy/account_rdp.h"

void tilts_begin(struct tilts *t, double q, double sd, double steps, bool with_record)
{
    double a = 1.0 / 1024;
    *t = (struct tilts){ .q = q, .sd = sd, .steps = steps, .with_record = with_record };
    for (int k = 0; k < TILTS; k++, a *= 1.3) {
        t->tilt[k] = a;
        t->log_moment[k] = NAN;
    }
}

static double log_moment(struct tilts *t, int k)
{
    double a = t->tilt[k], *found = &t->log_moment[k];
    if (isnan(*found))
        *found = t->steps * rdp_log_moment(t->q, t->sd, t->with_record ? 1 + a : -a);
    return *found;
}

/* Returns the minimum of a function of the tilt that falls and then rises. Of the values at two neighbouring tilts
 * the smaller one shows on which side the minimum is, so that a dozen log moments suffice. Values at large tilts
 * may be infinite. */
static double least(struct tilts *t, double (*of)(struct tilts *, int, double), double ctx)
{
    int low = 0, high = TILTS - 1;
    while (low < high) {
        int k = (low + high) / 2;
        if (of(t, k, ctx) <= of(t, k + 1, ctx))
            high = k;
        else
            low = k + 1;
    }
    return fmin(INFINITY, of(t, low, ctx));      /* NaN: there is no bound */
}

/* Returns the bound on epsilon from tilt k. It falls and then rises with the tilt, since it is a convex function of
 * the tilt divided by the tilt. */
static double eps_at(struct tilts *t, int k, double delta)
{
    double a = t->tilt[k];
    return (log_moment(t, k) - log(delta) - log1p(a)) / a + log(a) - log1p(a);
}

double tilts_eps(struct tilts *t, double delta) { return fmax(least(t, eps_at, delta), 0); }

/* Returns the bound on delta(eps) from tilt k; its logarithm is a convex function of the tilt. */
static double delta_at(struct tilts *t, int k, double eps) { return leverage(eps, t->tilt[k], log_moment(t, k)); }

double tilts_delta(struct tilts *t, double eps) { return least(t, delta_at, eps); }

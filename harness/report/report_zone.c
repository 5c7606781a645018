/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_zone.c - moments and laws in a few words. */
#include "report/report_zone.h"

#include <math.h>
#include <stdio.h>

/* "+0.3% (-0.1% to 0.7%)" of the formula, or the difference itself where that is zero. */
static struct phrase off_of(const struct fit_zone *z)
{
    double f = fabs(z->formula), unit = f > 0 ? 100 / f : 1;
    struct estimate e = { unit * z->off.value, unit * z->off.lo, unit * z->off.hi };
    const char *percent = f > 0 ? "%" : "";
    struct phrase value = report_say("formula %s%s%s", e.value >= 0 ? "+" : "", report_number(e.value).at,
                              percent);
    if (!isfinite(e.lo) || !isfinite(e.hi) || e.lo == e.hi)
        return value;
    return report_say("%s (%s%s to %s%s)", value.at, report_number(e.lo).at, percent,
               report_number(e.hi).at, percent);
}

struct phrase report_zone_measured(const struct claim *c, const struct fit_point *p)
{
    const struct fit_zone *z = &p->zone;
    if (c->check == CHECK_MOMENT || p->infinite)
        return off_of(z);
    if (c->cdf)
        return report_say("distance %s", report_estimate(&z->off).at);
    return report_say("%.0f of %.0f, p = %s to %s", z->events, z->trials,
               report_number(z->formula + z->off.lo).at, report_number(z->formula + z->off.hi).at);
}

struct phrase report_zone_promised(const struct claim *c)
{
    static const char *const relation[] = { "", "<= ", ">= " };
    const char *what = c->check == CHECK_LAW ? "probability" : "formula";
    if (c->cdf)
        return report_say("distance <= %s", report_number(c->tolerance).at);
    if (c->margin)
        return report_say("%s%s +- margin", relation[c->sense], what);
    if (c->tolerance > 0)
        return report_say("%s%s +- %s%%", relation[c->sense], what, report_number(100 * c->tolerance).at);
    return report_say("%s%s", relation[c->sense], what);
}

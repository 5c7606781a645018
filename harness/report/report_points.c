/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_points.c - the numbers of a claim point by point. */
#include "report/report_points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 64 };

static void set(char *cell, const char *text)
{
    snprintf(cell, TEXT, "%.*s", TEXT - 1, text);
}

int report_points_heading(const struct judgement *j, char cell[POINT_COLUMNS][64])
{
    const struct claim *c = j->claim;
    int n = 0;
    set(cell[n++], c->axis ? c->axis : "point");
    set(cell[n++], "runs");
    set(cell[n++], report_measure(c).at);
    set(cell[n++], "95% interval");
    switch (c->check) {
    case CHECK_RATE:
        if (claim_has_rival(c))
            set(cell[n++], "ratio to the rival");
        set(cell[n++], "fitted law");
        break;
    case CHECK_BOUND:
        set(cell[n++], "bound");
        set(cell[n++], "ratio (one-sided limits)");
        break;
    case CHECK_COUNT:
        set(cell[n++], "formula");
        break;
    case CHECK_ORDER:
        set(cell[n++], "ratio to the rival");
        set(cell[n++], "wins, losses, ties");
        break;
    case CHECK_LAW:
        set(cell[n++], c->cdf ? "largest allowed" : "promised");
        set(cell[n++], c->cdf ? "limits that decide" : "events");
        break;
    case CHECK_MOMENT:
        set(cell[n++], "formula");
        set(cell[n++], "difference (limits that decide)");
        break;
    default:
        break;
    }
    if (j->has_control)
        set(cell[n++], "control");
    return n;
}

static struct phrase runs_of(const struct fit_point *p)
{
    struct phrase t;
    int n = snprintf(t.at, sizeof t.at, "%d", p->reps);
    if (p->missing)
        n += snprintf(t.at + n, sizeof t.at - (size_t)n, ", %d failed", p->missing);
    if (p->infinite)
        snprintf(t.at + n, sizeof t.at - (size_t)n, ", %d infinite", p->infinite);
    return t;
}

static void set_formula(char *cell, const struct claim *c, const struct fit_point *p)
{
    double f = report_formula(c, p);
    set(cell, isnan(f) ? "-" : report_number(f).at);
}

/* "0.25 +- 0.01" */
static void set_zone(char *cell, const struct claim *c, const struct fit_point *p)
{
    if (!p->reps)
        set(cell, "-");
    else if (c->cdf || p->zone.margin == 0)
        set_formula(cell, c, p);
    else
        snprintf(cell, TEXT, "%.30s +- %.20s", report_number(p->zone.formula).at,
                 report_number(p->zone.margin).at);
}

static int set_compared(const struct judgement *j, int point, char cell[POINT_COLUMNS][64], int n)
{
    const struct fit_point *p = &j->fit.point[point];
    bool fitted = !j->fit.flaw && !j->fit.rate.trouble;
    switch (j->claim->check) {
    case CHECK_RATE:
        if (claim_has_rival(j->claim))
            set(cell[n++], p->reps ? report_estimate(&p->ratio).at : "-");
        set(cell[n++], fitted ? report_number(j->fit.rate.law.fitted[point]).at : "-");
        return n;
    case CHECK_BOUND:
        set_formula(cell[n++], j->claim, p);
        set(cell[n++], p->reps ? report_estimate(&p->ratio).at : "-");
        return n;
    case CHECK_COUNT:
        set_formula(cell[n++], j->claim, p);
        return n;
    case CHECK_ORDER:
        set(cell[n++], p->reps ? report_estimate(&p->ratio).at : "-");
        snprintf(cell[n++], TEXT, "%d, %d, %d", p->wins, p->losses, p->ties);
        return n;
    case CHECK_MOMENT:
        set_zone(cell[n++], j->claim, p);
        set(cell[n++], p->reps ? report_estimate(&p->zone.off).at : "-");
        return n;
    case CHECK_LAW:
        set_zone(cell[n++], j->claim, p);
        if (j->claim->cdf)
            set(cell[n++], p->reps ? report_interval(&p->zone.off).at : "-");
        else
            snprintf(cell[n++], TEXT, "%.0f of %.0f", p->zone.events, p->zone.trials);
        return n;
    default:
        return n;
    }
}

/* A run without sampling error is exact up to what its certificate leaves open. */
static void set_interval(char *cell, const struct fit_point *p)
{
    if (p->reps && p->y.lo == p->y.hi && p->error > 0.01 * fabs(p->y.value))
        snprintf(cell, TEXT, "known to %.2g", p->error);
    else
        set(cell, p->reps ? report_interval(&p->y).at : "-");
}

void report_points_row(const struct judgement *j, int point, char cell[POINT_COLUMNS][64])
{
    const struct fit_point *p = &j->fit.point[point];
    int n = 0;
    set(cell[n++], report_number(p->axis).at);
    set(cell[n++], runs_of(p).at);
    set(cell[n++], p->reps ? report_number(p->y.value).at : "-");
    set_interval(cell[n++], p);
    n = set_compared(j, point, cell, n);
    if (!j->has_control)
        return;
    bool there = point < j->control_fit.points && j->control_fit.point[point].reps;
    set(cell[n], there ? report_estimate(&j->control_fit.point[point].y).at : "-");
}

const char *report_rule(const struct claim *c)
{
    if (c->check == CHECK_RATE && c->law.form == LAW_BOX_COX)
        return "c is free in y = a + b (x^c - 1)/c, or in the root of y where the square is promised; "
               "c = 0 is the logarithm. Contradicted if c of both halves of the window lies above "
               "the band; supported if its interval lies in the band, c does not grow in the "
               "second half and, unless 0 is in its interval, falls there significantly (bend), "
               "and c = 1/4 and 1/2 fit ten times worse. A power of the axis keeps its c and does "
               "not pass, unless it is too near 0 for the replicates to tell.";
    switch (c->check) {
    case CHECK_COUNT:
        return "every run must spend what the formula says; fewer queries than that are suspect.";
    case CHECK_BOUND:
        return "the measured value must stay below the theorem's bound at every point; upper "
               "limits below it support, lower limits above it in both halves of the runs contradict.";
    case CHECK_RATE:
        return "contradicted if the slopes of both halves of the window lie outside the band on "
               "the same side; otherwise undecided if the points bend; supported if the interval of "
               "the exponent lies in the band. With a rival, all of this is said of the ratio to it.";
    case CHECK_ORDER:
        return "on the same data, the mean must be smaller than the rival's at every point (the median "
               "ratio, where a run diverged); larger at a point, in both halves of the runs, contradicts.";
    case CHECK_MOMENT:
        return "at every point the interval of the mean must lie within the margin around the "
               "formula; "
               "limits outside it on the same side, in both halves of the runs, contradict.";
    case CHECK_LAW:
        return "at every point the exact limits of the probability, or of the distance between "
               "measured and "
               "promised distribution, must lie within what is allowed; limits outside it, in both "
               "halves "
               "of the runs, contradict.";
    case CHECK_PRIVATE:
        return "an accountant must price the ledger at no more than the promise, no replay on a "
               "neighbouring data set may change a value before its noise by more than was "
               "declared, "
               "nor anything else, and no audit may show more than the promise; any of the three "
               "contradicts, a price only if the noise costs more for certain.";
    case CHECK_FIGURE:
        break;
    }
    return "";
}

static const char *caught_word(const struct verdict *control)
{
    return verdict_caught(control) ? "CAUGHT" : "MISSED";
}

struct phrase report_control_sentence(const struct judgement *j)
{
    struct phrase p, wrong = report_variant(j->claim, &j->claim->control),
                     also = report_variant(j->claim, &j->claim->control2);
    const char *state = report_control(j);
    if (strcmp(state, "none") == 0)
        snprintf(p.at, sizeof p.at, "none is declared.");
    else if (strcmp(state, "not run") == 0)
        snprintf(p.at, sizeof p.at, "%.150s; not run.", wrong.at);
    else if (!j->has_control2)
        snprintf(p.at, sizeof p.at, "%.150s: %s, %s.", wrong.at, state, j->control.reason);
    else
        snprintf(p.at, sizeof p.at, "%.60s: %s, %.120s. %.60s: %s, %.120s.", wrong.at,
                 caught_word(&j->control), j->control.reason, also.at, caught_word(&j->control2),
                 j->control2.reason);
    return p;
}

struct phrase report_picture(const struct judgement *j)
{
    const struct fit *fit = &j->fit;
    struct phrase p, y = report_measure(j->claim), x = report_axis(j->claim);
    size_t room = sizeof p.at;
    int n = snprintf(p.at, room, "%.80s against %.40s, logarithmic axes", y.at, x.at);
    if (fit->points)
        n += snprintf(p.at + n, room - (size_t)n, ", %d point%s from %s to %s", fit->points,
                      fit->points == 1 ? "" : "s", report_number(fit->point[0].axis).at,
                      report_number(fit->point[fit->points - 1].axis).at);
    n += snprintf(p.at + n, room - (size_t)n, ". Measured %.60s, promised %.60s: %s.",
                  report_measured(j->claim, fit).at, report_promised(j->claim).at,
                  verdict_word(j->verdict.word));
    if (j->has_control)
        snprintf(p.at + n, room - (size_t)n, " Control %s.", report_control(j));
    return p;
}

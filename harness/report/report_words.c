/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.c - what a judgement says, in words and numbers. */
#include "report/report_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cell/plugins.h"
#include "cell/registry.h"
#include "report/report_privacy.h"
#include "report/report_zone.h"

struct phrase report_say(const char *format, ...)
{
    struct phrase p;
    va_list list;
    va_start(list, format);
    vsnprintf(p.at, sizeof p.at, format, list);
    va_end(list);
    return p;
}

/* --- numbers */

struct phrase report_number(double x)
{
    if (isnan(x))
        return report_say("none");
    if (isinf(x))
        return report_say(x > 0 ? "infinite" : "-infinite");
    if (x == rint(x) && fabs(x) < 1e7)
        return report_say("%.0f", x == 0 ? 0.0 : x);
    return report_say("%.3g", x);
}

struct phrase report_interval(const struct estimate *e)
{
    bool below = !isfinite(e->lo), above = !isfinite(e->hi);
    if (isnan(e->value) || (below && above))
        return report_say("none");
    if (e->lo == e->hi)
        return report_say("exact");
    if (above)
        return report_say("at least %s", report_number(e->lo).at);
    if (below)
        return report_say("at most %s", report_number(e->hi).at);
    return report_say("%s to %s", report_number(e->lo).at, report_number(e->hi).at);
}

struct phrase report_estimate(const struct estimate *e)
{
    struct phrase interval = report_interval(e);
    if (strcmp(interval.at, "none") == 0 || e->lo == e->hi)
        return report_number(e->value);
    return report_say("%s (%s)", report_number(e->value).at, interval.at);
}

/* --- the number that decides */

static const struct fit_point *worst_of(const struct claim *c, const struct fit *fit)
{
    const struct fit_point *worst = NULL;
    double largest = -INFINITY;
    if (c->check == CHECK_BOUND || c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        return fit->worst >= 0 ? &fit->point[fit->worst] : NULL;
    for (int k = 0; k < fit->points; k++) {
        const struct fit_point *p = &fit->point[k];
        double size = c->check == CHECK_ORDER ? p->ratio.value : fmax(p->most, -p->least);
        if (p->reps && size >= largest) {
            largest = size;
            worst = p;
        }
    }
    return worst;
}

static const char *decisive_name(const struct claim *c)
{
    switch (c->check) {
    case CHECK_RATE:
        return claim_has_rival(c) ? "difference of exponents"
               : c->law.form == LAW_BOX_COX ? "Box-Cox c" : "exponent";
    case CHECK_BOUND: return "ratio to bound";
    case CHECK_COUNT: return "deviation from formula";
    case CHECK_ORDER: return "ratio to rival";
    case CHECK_MOMENT: return "difference from formula";
    case CHECK_LAW: return "difference from law";
    case CHECK_PRIVATE: return "epsilon over promise";
    case CHECK_FIGURE: break;
    }
    return "";
}

struct decisive report_decisive(const struct claim *c, const struct fit *fit)
{
    struct decisive d = { decisive_name(c), { NAN, NAN, NAN }, NAN, 0, 0 };
    if (fit->points == 0 || fit->flaw == FLAW_EMPTY || fit->flaw == FLAW_FORMULA || !d.what[0])
        return d;
    if (c->check == CHECK_RATE) {
        if (!fit->flaw && !fit->rate.trouble)
            d.value = fit->rate.part[LAW_EXPONENT];
        return d;
    }
    if (c->check == CHECK_PRIVATE) {
        double share = report_privacy_share(fit);
        d.value = (struct estimate){ share, share, share };
        return d;
    }
    const struct fit_point *p = worst_of(c, fit);
    if (!p)
        return d;
    d.axis = p->axis;
    d.value = p->ratio;
    if (c->check == CHECK_COUNT)
        d.value = (struct estimate){ p->most > -p->least ? p->most : p->least, p->least, p->most };
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        d.value = p->zone.off;
    for (int k = 0; k < fit->points; k++) {
        d.wins += fit->point[k].wins;
        d.losses += fit->point[k].losses;
    }
    return d;
}

/* "n^-0.5", "log(n)^-1"; a number may be an interval. The power of Box and Cox is beside a constant:
 * "c = 0.03". */
static struct phrase power_of(const struct claim *c, const char *exponent)
{
    const char *axis = c->axis ? c->axis : "x";
    if (c->law.form == LAW_BOX_COX)
        return report_say("c = %.300s", exponent);
    return report_say(c->law.form == LAW_LOG ? "log(%.40s)^%.300s" : "%.40s^%.300s", axis, exponent);
}

struct phrase report_measured(const struct claim *c, const struct fit *fit)
{
    struct decisive d = report_decisive(c, fit);
    struct phrase interval = report_interval(&d.value);
    bool bare = strcmp(interval.at, "exact") == 0 || strcmp(interval.at, "none") == 0;
    if (isnan(d.value.value))
        return report_say("-");
    switch (c->check) {
    case CHECK_RATE:
        return report_say("%.390s%s", power_of(c, report_estimate(&d.value).at).at,
                   claim_has_rival(c) ? " x rival" : "");
    case CHECK_BOUND:
        return bare ? report_say("%s x bound", report_number(d.value.value).at)
                    : report_say("%s x bound (%s)", report_number(d.value.value).at, interval.at);
    case CHECK_COUNT:
        if (d.value.lo == 0 && d.value.hi == 0)
            return report_say("formula");
        return report_say("formula %s%s%%", d.value.value > 0 ? "+" : "",
                   report_number(100 * d.value.value).at);
    case CHECK_MOMENT:
    case CHECK_LAW: return report_zone_measured(c, worst_of(c, fit));
    case CHECK_PRIVATE: return report_privacy_measured(fit);
    default:
        return report_say("%s x rival, %ld:%ld wins", report_number(d.value.value).at, d.wins, d.losses);
    }
}

/* --- what was promised */

static double named_exponent(const struct claim *c)
{
    return c->law.exponent[c->law.form == LAW_SUM ? c->law.named : 0];
}

static struct phrase promised_rate(const struct claim *c)
{
    if (c->law.form == LAW_BOX_COX) {
        struct phrase most = report_number(c->band[1]);
        double root = c->law.exponent[0];
        return root == 1 ? report_say("log(%.40s), c <= %.99s", c->axis, most.at)
                         : report_say("log(%.40s)^%g, c <= %.99s", c->axis, root, most.at);
    }
    bool below = isfinite(c->band[0]), above = isfinite(c->band[1]);
    double e = named_exponent(c), half = (c->band[1] - c->band[0]) / 2;
    struct phrase exponent = report_number(e);
    if (!below || !above)
        exponent = report_say("%s (%s %s)", report_number(e).at, above ? "at most" : "at least",
                       report_number(c->band[above]).at);
    else if (fabs(c->band[0] + half - e) < 1e-9)
        exponent = report_say("%s +- %s", report_number(e).at, report_number(half).at);
    else
        exponent = report_say("%s (%s to %s)", report_number(e).at, report_number(c->band[0]).at,
                       report_number(c->band[1]).at);
    return power_of(c, exponent.at);
}

struct phrase report_rival(const struct claim *c)
{
    if (c->than.algo && c->algo && strcmp(c->than.algo, c->algo))
        return report_say("%s", c->than.algo);
    return report_variant(c, &c->than);
}

struct phrase report_promised(const struct claim *c)
{
    switch (c->check) {
    case CHECK_RATE:
        return promised_rate(c);
    case CHECK_BOUND:
        return report_say("<= bound");
    case CHECK_COUNT:
        return c->tolerance > 0 ? report_say("formula +- %s%%", report_number(100 * c->tolerance).at)
                                : report_say("formula");
    case CHECK_ORDER:
        return report_say("below %s", report_rival(c).at);
    case CHECK_MOMENT:
    case CHECK_LAW: return report_zone_promised(c);
    case CHECK_PRIVATE: return report_say("<= eps");
    default:
        return report_say("%s", check_name(c->check));
    }
}

const char *report_control(const struct judgement *j)
{
    const struct variant *v = &j->claim->control;
    if (!v->algo && !v->problem && !v->with[0].name)
        return "none";
    if (!j->has_control || j->control.word == NOT_RUN ||
        (j->has_control2 && j->control2.word == NOT_RUN))
        return "not run";
    return j->caught ? "CAUGHT" : "MISSED";
}

struct phrase report_variant(const struct claim *c, const struct variant *v)
{
    if (v->why && v->why[0])
        return report_say("%s", v->why);
    return report_say("%s", v->algo ? v->algo : c->algo);
}

double report_formula(const struct claim *c, const struct fit_point *p)
{
    double f = NAN;
    if (c->check == CHECK_BOUND && p->ratio.value > 0)
        f = p->y.value / p->ratio.value;
    else if (c->check == CHECK_COUNT && p->reps)
        f = p->y.value / (1 + (p->least + p->most) / 2);
    else if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        f = p->reps ? c->cdf ? p->zone.margin : p->zone.formula : NAN;
    return isfinite(f) ? f : NAN;
}

/* --- names with units */

static const char *unit_words(const char *unit)
{
    if (strcmp(unit, "f") == 0)
        return "in units of F";
    if (strcmp(unit, "x") == 0)
        return "in units of x";
    return strcmp(unit, "1") == 0 ? "" : unit;
}

static struct phrase with_unit(const char *what, const char *unit)
{
    unit = unit ? unit_words(unit) : "";
    return unit[0] ? report_say("%s (%s)", what, unit) : report_say("%s", what);
}

static const char *axis_unit(const struct claim *c)
{
    static const struct { const char *name, *unit; } goals[] = {
#define X(name, unit, doc) { #name, unit },
        GOAL_LIST(X)
#undef X
    };
    const struct problem *p = c->problem ? registry_problem(c->problem) : NULL;
    for (const struct param *q = p ? p->params : NULL; q && q->name; q++)
        if (strcmp(q->name, c->axis) == 0)
            return q->unit;
    for (size_t k = 0; k < sizeof goals / sizeof *goals; k++)
        if (strcmp(goals[k].name, c->axis) == 0)
            return goals[k].unit;
    const struct algo *a = c->algo ? registry_algo(c->algo) : NULL;
    const struct estimator *e = c->algo ? registry_estimator(c->algo) : NULL;
    for (const struct param *q = a ? a->params : e ? e->params : NULL; q && q->name; q++)
        if (strcmp(q->name, c->axis) == 0)
            return q->unit;
    return NULL;
}

struct phrase report_axis(const struct claim *c)
{
    return c->axis ? with_unit(c->axis, axis_unit(c)) : report_say("point");
}

/* Is the measure set.NAME.mean, or of .min or .max? */
static bool is_set(const char *measure, const char *name)
{
    size_t n = strlen(name);
    return strncmp(measure, "set.", 4) == 0 && strncmp(measure + 4, name, n) == 0 &&
           measure[4 + n] == '.';
}

static const char *measure_unit(const struct claim *c)
{
    const struct problem *p = c->problem ? registry_problem(c->problem) : NULL;
    const struct algo *a = c->algo ? registry_algo(c->algo) : NULL;
    for (const struct measure *m = p ? p->measures : NULL; m && m->name; m++)
        if (strcmp(m->name, c->measure) == 0 || is_set(c->measure, m->name))
            return m->unit;
    const struct estimator *e = c->algo ? registry_estimator(c->algo) : NULL;
    for (const struct functional *f = e ? e->functionals : NULL; f && f->name; f++)
        if (strncmp(c->measure, "moment.", 7) == 0 && strcmp(f->name, c->measure + 7) == 0)
            return f->unit;
    if (strcmp(c->measure, "moment.cost") == 0)
        return "sample gradients a draw";
    if (strncmp(c->measure, "note.", 5) == 0)
        for (const struct note *m = a ? a->notes : NULL; m && m->name; m++)
            if (strcmp(m->name, c->measure + 5) == 0)
                return m->unit;
    return NULL;
}

/* set.NAME.mean, .min, .max: of a measure of sets over those that a run closed. */
static struct phrase of_sets(const char *measure)
{
    const char *name = measure + 4, *end = strrchr(name, '.');
    int length = end ? (int)(end - name) : (int)strlen(name);
    const char *how = !end ? "" : strcmp(end, ".max") == 0 ? ", largest of a run"
                    : strcmp(end, ".min") == 0 ? ", least of a run" : ", mean of a run";
    return report_say("%.*s%s", length, name, how);
}

struct phrase report_measure(const struct claim *c)
{
    const char *name = strchr(c->measure, '.') ? strchr(c->measure, '.') + 1 : c->measure;
    bool sets = strncmp(c->measure, "set.", 4) == 0;
    struct phrase p = sets ? of_sets(c->measure)
                           : report_say("%s%s", name, strcmp(name, "largest") ? "" : " norm before clipping");
    for (char *s = p.at; *s; s++)
        if (*s == '_')
            *s = ' ';
    if (c->check == CHECK_LAW)
        return c->cdf ? report_say("distance from the law of %.300s", p.at)
                      : report_say("probability of %.300s%s", p.at,
                            c->threshold ? " above its threshold" : "");
    if (!c->deterministic && c->statistic == STAT_QUANTILE)
        p = report_say("%s quantile of %.300s", report_number(c->quantile).at, p.at);
    else if (!c->deterministic)
        p = report_say("%s %.300s", c->statistic == STAT_MEDIAN ? "median" : c->statistic == STAT_WORST
                             ? "largest" : "mean", p.at);
    if (c->check == CHECK_RATE && c->formula)
        p = report_say("%.300s / formula", p.at);
    return with_unit(p.at, measure_unit(c));
}

/* --- how to reproduce */

struct phrase report_command(const struct claim *c, enum profile profile)
{
    for (int p = 0; c->window[profile].points == 0 && p < PROFILES; p++)
        if (c->window[p].points)
            profile = (enum profile)p;
    struct phrase p = report_say("assay verify --claim '%s' --profile %s", c->id, profile_name(profile));
    for (size_t k = 0; k < plugins_count(); k++)
        p = report_say("%.200s --plugin '%.180s'", p.at, plugins_at(k)->path);
    return p;
}

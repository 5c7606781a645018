/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_words.c - puts judgements into words and numbers: the number that decides, what was promised, the points,
 * the rule, the control, and sums over many judgements. All of it is one idea, so the file has more than 700
 * lines. */
#include "report/report_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cell/registry.h"
#include "judge/private.h"
#include "plan/measure.h"

struct phrase report_say(const char *format, ...)
{
    struct phrase p;
    va_list list;
    va_start(list, format);
    vsnprintf(p.at, sizeof p.at, format, list);
    va_end(list);
    return p;
}

/* --- numbers and intervals as text */

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

/* Do the limits of the interval differ by rounding only? */
static bool is_exact(const struct estimate *e)
{
    return e->lo == e->hi || fabs(e->hi - e->lo) <= 1e-12 * fabs(e->value);
}

struct phrase report_interval(const struct estimate *e)
{
    bool below = !isfinite(e->lo), above = !isfinite(e->hi);
    if (isnan(e->value) || (below && above))
        return report_say("none");
    if (is_exact(e))
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
    if (strcmp(interval.at, "none") == 0 || is_exact(e))
        return report_number(e->value);
    return report_say("%s (%s)", report_number(e->value).at, interval.at);
}


/* --- claims of the checks moment and law */

/* Returns "formula +0.3% (-0.1% to 0.7%)": the difference of the measured number from the formula, in percent of
 * the formula, or in its own unit where the formula is zero. */
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

static struct phrase zone_measured(const struct claim *c, const struct fit_point *p)
{
    const struct fit_zone *z = &p->zone;
    if (c->check == CHECK_MOMENT || p->infinite)
        return off_of(z);
    if (c->cdf)
        return report_say("distance %s", report_estimate(&z->off).at);
    return report_say("%.0f of %.0f, p = %s to %s", z->events, z->trials,
               report_number(z->formula + z->off.lo).at, report_number(z->formula + z->off.hi).at);
}

static struct phrase zone_promised(const struct claim *c)
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

/* --- claims of check private */

static double privacy_share(const struct fit *fit)
{
    double most = NAN;
    for (int k = 0; k < fit->points; k++)
        most = fmax(most, fit->privacy[k].spent / fit->privacy[k].promise);
    return most;
}

static struct phrase privacy_measured(const struct fit *fit)
{
    double ratio = 0;
    int leaks = 0;
    for (int k = 0; k < fit->points; k++) {
        ratio = fmax(ratio, privacy_ratio(&fit->privacy[k]));
        leaks += fit->privacy[k].leaks;
    }
    struct phrase share = report_number(privacy_share(fit));
    if (leaks)
        return report_say("%.40s x eps, %d leaks", share.at, leaks);
    return report_say("%.40s x eps, ratio %.40s", share.at, report_number(ratio).at);
}

/* --- the number that decides, and what was measured */

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
        double share = privacy_share(fit);
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

/* Returns the law of a claim with this exponent, a text that may have an interval: "n^-0.5", "log(n)^-1". The law
 * of Box and Cox has a parameter c and no exponent: "c = 0.03". */
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
    case CHECK_LAW: return zone_measured(c, worst_of(c, fit));
    case CHECK_PRIVATE: return privacy_measured(fit);
    default:
        return report_say("%s x rival, %ld:%ld wins", report_number(d.value.value).at, d.wins, d.losses);
    }
}

/* --- what was promised; kinds, controls, variants, formulas */

static double named_exponent(const struct claim *c)
{
    return c->law.exponent[c->law.form == LAW_SUM ? c->law.named : 0];
}

static struct phrase promised_rate(const struct claim *c)
{
    if (c->law.form == LAW_BOX_COX) {
        struct phrase least = report_number(c->band[0]), most = report_number(c->band[1]);
        struct phrase zone = isfinite(c->band[0]) ? report_say("%.40s <= c <= %.40s", least.at, most.at)
                                                  : report_say("c <= %.40s", most.at);
        double root = c->law.exponent[0];
        return root == 1 ? report_say("log(%.40s), %.99s", c->axis, zone.at)
                         : report_say("log(%.40s)^%g, %.99s", c->axis, root, zone.at);
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

static struct phrase rival_name(const struct claim *c)
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
        return report_say("below %s", rival_name(c).at);
    case CHECK_MOMENT:
    case CHECK_LAW: return zone_promised(c);
    case CHECK_PRIVATE: return report_say("<= eps");
    default:
        return report_say("%s", check_name(c->check));
    }
}

const char *report_kind(enum kind k)
{
    switch (k) {
    case KIND_THEOREM: return "what the paper states";
    case KIND_ERRATUM: return "an erratum: what is printed is wrong, and this holds instead";
    case KIND_CONDITIONAL: return "what the paper states under a condition";
    case KIND_EXTENSION: return "what goes beyond the paper";
    case KIND_LEMMA: return "a step of a proof";
    case KIND_TABLE: return "an entry of a table";
    case KIND_BASELINE: return "a method that others compare with";
    case KIND_IDENTITY: return "a formula of the run's own parameters, which tests the counters";
    case KIND_EVIDENCE: return "evidence: no theorem depends on it";
    }
    return "";
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

/* Does the measure begin with "set.NAME.", where NAME is `name`? */
static bool is_set(const char *measure, const char *name)
{
    size_t n = strlen(name);
    return strncmp(measure, "set.", 4) == 0 && strncmp(measure + 4, name, n) == 0 &&
           measure[4 + n] == '.';
}

/* Unit and description of a claim's measure, from the lists of its problem and method; NULL: they do not have
 * it. */
struct described { const char *unit, *doc; };

static struct described describe(const struct claim *c)
{
    const struct problem *p = c->problem ? registry_problem(c->problem) : NULL;
    const struct algo *a = c->algo ? registry_algo(c->algo) : NULL;
    const struct estimator *e = c->algo ? registry_estimator(c->algo) : NULL;
    for (const struct measure *m = p ? p->measures : NULL; m && m->name; m++)
        if (strcmp(m->name, c->measure) == 0 || is_set(c->measure, m->name))
            return (struct described){ m->unit, m->doc };
    for (const struct functional *f = e ? e->functionals : NULL; f && f->name; f++)
        if (strncmp(c->measure, "moment.", 7) == 0 && strcmp(f->name, c->measure + 7) == 0)
            return (struct described){ f->unit, f->doc };
    if (strcmp(c->measure, "moment.cost") == 0)
        return (struct described){ "sample gradients a draw", NULL };
    const struct note *notes = a ? a->notes : e ? e->notes : NULL;
    for (const struct note *m = strncmp(c->measure, "note.", 5) == 0 ? notes : NULL; m && m->name; m++)
        if (strcmp(m->name, c->measure + 5) == 0)
            return (struct described){ m->unit, m->doc };
    return (struct described){ NULL, NULL };
}

const char *report_measure_doc(const struct claim *c)
{
    return c->measure ? describe(c).doc : NULL;
}

/* Returns words for a measure set.NAME.mean, .min or .max: the mean, smallest or largest value of NAME over the
 * point sets that a run has closed (oracle_close). */
static struct phrase of_sets(const char *measure)
{
    const char *name = measure + 4, *end = strrchr(name, '.');
    int length = end ? (int)(end - name) : (int)strlen(name);
    const char *how = !end ? "" : strcmp(end, ".max") == 0 ? ", largest of a run"
                    : strcmp(end, ".min") == 0 ? ", least of a run" : ", mean of a run";
    return report_say("%.*s%s", length, name, how);
}

/* Is a negative value of the claim's measure impossible? It is for a probability, a count, an error, and for what
 * is a square by its unit or its name. */
static bool is_nonnegative(const struct claim *c)
{
    static const char *const names[] = { "share", "square", "variance", "norm", "trials", "cost" };
    const char *unit = describe(c).unit, *dot = strrchr(c->measure, '.'), *name = dot ? dot + 1 : c->measure;
    size_t n = strlen(name);
    if (c->check == CHECK_LAW || measure_nonnegative(c->measure) || measure_is_count(c->measure) ||
        (unit && strstr(unit, "^2")) || (n > 1 && (name[n - 1] == '2' || name[n - 1] == '4')))
        return true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

struct estimate report_mean(const struct claim *c, const struct fit_point *p)
{
    struct estimate e = p->y;
    if (c->measure && is_nonnegative(c) && e.lo < 0 && e.value >= 0)
        e.lo = 0;
    return e;
}

/* Returns the name of a measure for the axis of a figure: its description where the name alone says nothing and the
 * description is short, else the name. */
static const char *telling_name(const struct claim *c, const char *name)
{
    static const char *const bare[] = { "largest", "last",  "mean",   "at",    "sum",
                                       "share",   "reuse", "square", "error2" };
    const char *doc = describe(c).doc;
    for (size_t k = 0; doc && strlen(doc) <= 48 && k < sizeof bare / sizeof *bare; k++)
        if (strcmp(name, bare[k]) == 0)
            return doc;
    return name;
}

struct phrase report_measure(const struct claim *c)
{
    const char *name = strchr(c->measure, '.') ? strchr(c->measure, '.') + 1 : c->measure;
    bool sets = strncmp(c->measure, "set.", 4) == 0;
    struct phrase p = sets ? of_sets(c->measure) : report_say("%s", telling_name(c, name));
    for (char *s = p.at; *s; s++)
        if (*s == '_')
            *s = ' ';
    if (c->check == CHECK_PRIVATE)
        return report_say("eps accounted");
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
    return with_unit(p.at, describe(c).unit);
}

/* --- rows and cells of tables */

void report_cell(struct report_row *row, const char *text)
{
    row->cell[row->cells++] = report_say("%s", text);
}

bool report_heading(struct report_row *row, const char *const *name)
{
    while (*name)
        report_cell(row, *name++);
    return true;
}

bool report_row(const struct text_table *t, const void *of, int k, struct report_row *row)
{
    *row = (struct report_row){ .judgement = -1 };
    return t->row(of, k, row);
}

/* --- the table of points; rule, control and figure in sentences */

/* A row of the table of points to which cells are added: that of a point or, if heading, the names of the
 * columns. */
struct columns { bool heading; struct report_row *row; };

static void column(struct columns *r, const char *name, const char *text)
{
    report_cell(r->row, r->heading ? name : text);
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

static struct phrase estimate_of(const struct fit_point *p, const struct estimate *e)
{
    return p->reps ? report_estimate(e) : report_say("-");
}

static struct phrase formula_of(const struct claim *c, const struct fit_point *p)
{
    double f = report_formula(c, p);
    return isnan(f) ? report_say("-") : report_number(f);
}

/* Returns the text for the value of the claim's formula at a point, with the margin around it, such as "0.25 +-
 * 0.01". */
static struct phrase zone_of(const struct claim *c, const struct fit_point *p)
{
    if (!p->reps)
        return report_say("-");
    if (c->cdf || p->zone.margin == 0)
        return formula_of(c, p);
    return report_say("%.30s +- %.20s", report_number(p->zone.formula).at, report_number(p->zone.margin).at);
}

/* Returns the text for the interval of a point. Where the limits are equal, the value has no sampling error and is
 * exact up to p->error, the bound of its certificate, which is printed if it is above 1% of the value. */
static struct phrase interval_of(const struct claim *c, const struct fit_point *p)
{
    struct estimate y = report_mean(c, p);
    if (p->reps && p->y.lo == p->y.hi && p->error > 0.01 * fabs(p->y.value))
        return report_say("known to %.2g", p->error);
    return p->reps ? report_interval(&y) : report_say("-");
}

/* Adds the columns that depend on the check: what the measured number of the point is compared with. */
static void put_compared(struct columns *r, const struct judgement *j, const struct fit_point *p, int point)
{
    const struct claim *c = j->claim;
    bool fitted = point >= 0 && !j->fit.flaw && !j->fit.rate.trouble;
    switch (c->check) {
    case CHECK_RATE:
        if (claim_has_rival(c))
            column(r, "ratio to the rival", estimate_of(p, &p->ratio).at);
        column(r, "fitted law", fitted ? report_number(j->fit.rate.law.fitted[point]).at : "-");
        return;
    case CHECK_BOUND:
        column(r, "bound", formula_of(c, p).at);
        column(r, "ratio (one-sided limits)", estimate_of(p, &p->ratio).at);
        return;
    case CHECK_COUNT:
        column(r, "formula", formula_of(c, p).at);
        return;
    case CHECK_ORDER:
        column(r, "ratio to the rival", estimate_of(p, &p->ratio).at);
        column(r, "wins, losses, ties", report_say("%d, %d, %d", p->wins, p->losses, p->ties).at);
        return;
    case CHECK_MOMENT:
        column(r, "formula", zone_of(c, p).at);
        column(r, "difference (limits that decide)", estimate_of(p, &p->zone.off).at);
        return;
    case CHECK_LAW:
        column(r, c->cdf ? "largest allowed" : "promised", zone_of(c, p).at);
        if (c->cdf)
            column(r, "limits that decide", p->reps ? report_interval(&p->zone.off).at : "-");
        else
            column(r, "events", report_say("%.0f of %.0f", p->zone.events, p->zone.trials).at);
        return;
    default:
        return;
    }
}

struct phrase report_interval_name(const struct claim *c)
{
    return report_say("%.4g%% interval", 100 * (1 - fit_support_alpha(c)));
}

static bool points_row(const void *of, int k, struct report_row *row)
{
    const struct judgement *j = of;
    const struct fit_point none = { 0 }, *p = k < 0 ? &none : &j->fit.point[k];
    struct columns r = { k < 0, row };
    if (k >= j->fit.points)
        return false;
    column(&r, j->claim->axis ? j->claim->axis : "point", report_number(p->axis).at);
    column(&r, "runs", runs_of(p).at);
    column(&r, report_measure(j->claim).at, p->reps ? report_number(p->y.value).at : "-");
    column(&r, report_interval_name(j->claim).at, interval_of(j->claim, p).at);
    put_compared(&r, j, p, k);
    if (j->has_control) {
        const struct fit_point *q = k >= 0 && k < j->control_fit.points ? &j->control_fit.point[k] : &none;
        struct estimate y = report_mean(j->claim, q);
        column(&r, "control", estimate_of(q, &y).at);
    }
    return true;
}

const struct text_table report_points = {
    "Numbers, point by point", "Point by point", .formulas = true, .row = points_row };

const char *report_rule(const struct claim *c)
{
    if (c->check == CHECK_RATE && c->law.form == LAW_BOX_COX)
        return "c is free in y = a + b (x^c - 1)/c, or in the root of y where the square is promised; "
               "c = 0 is the logarithm. Contradicted if c of the window and of both its halves lies above "
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
        return "contradicted if the slopes of the window and of both its halves lie outside the band on "
               "the worse side, and come no nearer to it; otherwise undecided if the points bend; supported "
               "if the interval of the exponent lies in the band. With a rival, all of this is said of the "
               "ratio to it.";
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
        snprintf(p.at, sizeof p.at, "%.150s: %.6s, %.238s.", wrong.at, state, j->control.reason);
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

/* --- counts over many judgements, and the judgements of one paper */

struct report_tally report_tally(const struct judgement *j, int n)
{
    struct report_tally t = { .n = n };
    for (int k = 0; k < n; k++) {
        t.word[j[k].verdict.word]++;
        bool ran = j[k].has_control && j[k].control.word != NOT_RUN,
             ran2 = j[k].has_control2 && j[k].control2.word != NOT_RUN;
        t.controls += ran + ran2;
        t.caught += j[k].has_control2 ? (ran && verdict_caught(&j[k].control)) +
                                        (ran2 && verdict_caught(&j[k].control2))
                                      : j[k].has_control && j[k].caught;
        t.exploratory += j[k].exploratory;
        t.no_data += j[k].no_data;
        t.dropped += j[k].dropped;
    }
    return t;
}

struct phrase report_summary(const struct judgement *j, int n)
{
    struct report_tally t = report_tally(j, n);
    char no_data[80] = "";
    struct phrase p;
    if (t.no_data && t.dropped)
        snprintf(no_data, sizeof no_data, " (%d for want of data, %d of time)", t.no_data, t.dropped);
    else if (t.no_data || t.dropped)
        snprintf(no_data, sizeof no_data, " (%d for want of %s)", t.no_data + t.dropped,
                 t.no_data ? "data" : "time");
    snprintf(p.at, sizeof p.at, "%d claim%s: %d supported, %d contradicted, %d inconclusive, "
             "%d suspect, %d not run%s; controls: %d of %d caught", t.n, t.n == 1 ? "" : "s",
             t.word[SUPPORTED], t.word[CONTRADICTED], t.word[INCONCLUSIVE], t.word[SUSPECT],
             t.word[NOT_RUN], no_data, t.caught, t.controls);
    if (t.word[HOLDS] || t.word[IDENTITY])
        snprintf(p.at + strlen(p.at), sizeof p.at - strlen(p.at), "; decide nothing: %d hold by far, %d identities",
                 t.word[HOLDS], t.word[IDENTITY]);
    return p;
}

const char *report_paper_key(const struct judgement *j)
{
    return j->paper ? j->paper->key : "no paper";
}

/* Returns the part of the text behind `head` and the separator `between`; the whole text if it does not begin with
 * both. */
static const char *behind(const char *text, const char *head, const char *between)
{
    size_t n = head ? strlen(head) : 0, m = strlen(between);
    bool starts = n && text && strncmp(text, head, n) == 0 && strncmp(text + n, between, m) == 0;
    return starts ? text + n + m : text;
}

const char *report_short_id(const struct judgement *j)
{
    return behind(j->claim->id, report_paper_key(j), "/");
}

const char *report_short_cite(const struct judgement *j)
{
    return behind(j->claim->cite, j->paper ? j->paper->cite : NULL, ", ");
}

int report_next_of_paper(const struct judgement *j, int n, int k)
{
    int next = k + 1;
    while (next < n && j[next].paper != j[k].paper)
        next++;
    return next;
}

bool report_opens_paper(const struct judgement *j, int k)
{
    for (int i = 0; i < k; i++)
        if (j[i].paper == j[k].paper)
            return false;
    return true;
}

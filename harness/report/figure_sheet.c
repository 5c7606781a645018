/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_sheet.c - what a figure shows, as rows of numbers, and the frame around them. */
#include "report/figure_sheet.h"

#include <math.h>
#include <string.h>

#include "report/report_words.h"
#include "status.h"

const char *sheet_word(enum series_kind k)
{
    static const char *const word[] = {
#define X(id, text) text,
        SERIES_LIST(X)
#undef X
    };
    return word[k];
}

static void add(struct sheet *s, struct sheet_row row)
{
    BUG_IF(s->rows == SHEET_ROWS);
    s->row[s->rows++] = row;
    s->count[row.kind]++;
}

/* --- points */

/* No event among many is no zero: a probability is then drawn at its upper limit. */
static struct estimate drawn(const struct fit_point *p)
{
    struct estimate e = p->y;
    if (p->zone.trials > 0 && p->zone.events == 0)
        e.value = e.hi;
    return e;
}

static void add_points(struct sheet *s, enum series_kind kind, const char *name,
                       const struct fit *fit)
{
    for (int k = 0; k < fit->points; k++)
        if (fit->point[k].reps)
            add(s, (struct sheet_row){ kind, 0, name, fit->point[k].axis, drawn(&fit->point[k]) });
}

static void add_formula(struct sheet *s, const struct judgement *j)
{
    for (int k = 0; k < j->fit.points; k++) {
        double f = report_formula(j->claim, &j->fit.point[k]);
        if (!isnan(f))
            add(s,
                (struct sheet_row){ SHEET_FORMULA, 0, "", j->fit.point[k].axis, { f, NAN, NAN } });
    }
}

static bool has_formula(enum check c)
{
    return c == CHECK_COUNT || c == CHECK_BOUND || c == CHECK_MOMENT || c == CHECK_LAW;
}

/* The margin around the formula, where there is one. */
static void add_margin(struct sheet *s, const struct judgement *j)
{
    for (int k = 0; k < j->fit.points; k++) {
        const struct fit_zone *z = &j->fit.point[k].zone;
        struct estimate e = { NAN, z->formula - z->margin, z->formula + z->margin };
        if (j->fit.point[k].reps && z->margin > 0 && !j->claim->cdf && isfinite(z->formula))
            add(s, (struct sheet_row){ SHEET_BAND, 0, "", j->fit.point[k].axis, e });
    }
}

/* --- lines of a rate */

/* The fitted law with another exponent in the named term; a law of one term for power and log. */
static double law_at(const struct law *law, const struct law_fit *f, double scale, double exponent,
                     double axis)
{
    if (law->form == LAW_BOX_COX) {
        double u = log(axis), grown = fabs(exponent) < 1e-9 ? u : expm1(exponent * u) / exponent;
        return pow(fmax(0, f->coefficient[0] + f->coefficient[1] * grown), law->exponent[0]);
    }
    if (law->form != LAW_SUM)
        return scale * f->coefficient[0] * pow(law->form == LAW_LOG ? log(axis) : axis, exponent);
    double y = 0;
    for (int k = 0; k < law->terms; k++)
        y += k == law->named ? scale * f->coefficient[k] * pow(axis, exponent)
                             : f->coefficient[k] * pow(axis, law->exponent[k]);
    return y;
}

/* The factor that makes the named term with this exponent meet the fit at the window's centre. */
static double pivot(const struct law *law, const struct law_fit *f, double exponent, double centre)
{
    return pow(law->form == LAW_LOG ? log(centre) : centre, f->value[LAW_EXPONENT] - exponent);
}

/* A side of the band that is open reaches beyond any frame. */
static double edge(const struct claim *c, const struct law_fit *f, int side, double centre,
                   double axis)
{
    bool at_centre = fabs(log(axis / centre)) < 1e-9;
    double e = at_centre ? f->value[LAW_EXPONENT] : c->band[side];
    if (isfinite(e))
        return law_at(&c->law, f, pivot(&c->law, f, e, centre), e, axis);
    return (axis > centre) == (side == 1) ? INFINITY : 0;
}

static void add_rate(struct sheet *s, const struct judgement *j)
{
    const struct claim *c = j->claim;
    const struct fit *fit = &j->fit;
    if (fit->flaw || fit->rate.trouble || fit->points < 2)
        return;
    const struct law_fit *f = &fit->rate.law;
    double a = fit->point[0].axis, b = fit->point[fit->points - 1].axis, centre = sqrt(a * b);
    double claimed = c->law.exponent[c->law.form == LAW_SUM ? c->law.named : 0];
    int lines = c->law.form == LAW_BOX_COX ? 1 : 3;      /* other powers have other a and b */
    for (int k = 0; k < lines * SHEET_GRID; k++) {
        double x = a * pow(b / a, (double)(k % SHEET_GRID) / (SHEET_GRID - 1));
        double fitted = law_at(&c->law, f, 1, f->value[LAW_EXPONENT], x);
        double law = law_at(&c->law, f, pivot(&c->law, f, claimed, centre), claimed, x);
        struct sheet_row row = { SHEET_FIT, 0, "", x, { fitted, NAN, NAN } };
        if (k / SHEET_GRID == 1)
            row = (struct sheet_row){ SHEET_PROMISED, 0, "", x, { law, NAN, NAN } };
        if (k / SHEET_GRID == 2) {
            double lo = edge(c, f, 0, centre, x), hi = edge(c, f, 1, centre, x);
            row = (struct sheet_row){ SHEET_BAND, 0, "", x, { NAN, fmin(lo, hi), fmax(lo, hi) } };
        }
        add(s, row);
    }
}

static void add_control_fit(struct sheet *s, const struct judgement *j)
{
    const struct fit *fit = &j->control_fit;
    /* With a rival the lines are those of the ratio, which is not drawn for the control. */
    if (!j->has_control || claim_has_rival(j->claim) || fit->flaw || fit->rate.trouble || fit->points < 2)
        return;
    for (int k = 0; k < SHEET_GRID; k++) {
        double a = fit->point[0].axis, b = fit->point[fit->points - 1].axis;
        double x = a * pow(b / a, (double)k / (SHEET_GRID - 1));
        double y = law_at(&j->claim->law, &fit->rate.law, 1, fit->rate.law.value[LAW_EXPONENT], x);
        add(s, (struct sheet_row){ SHEET_CONTROL_FIT, 0, "", x, { y, NAN, NAN } });
    }
}

void sheet_fill(struct sheet *s, const struct judgement *j)
{
    const struct claim *c = j->claim;
    *s = (struct sheet){ 0 };
    add_points(s, SHEET_MEASURED, c->algo ? c->algo : "", &j->fit);
    if (has_formula(c->check))
        add_formula(s, j);
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        add_margin(s, j);
    for (int k = 0; k < j->curves; k++)
        for (int i = 0; i < j->curve[k].points; i++)
            add(s, (struct sheet_row){ SHEET_CURVE, k, j->curve[k].name, j->curve[k].point[i].axis,
                                       j->curve[k].point[i].y });
    if (j->has_control)
        add_points(s, SHEET_CONTROL, c->control.algo ? c->control.algo : c->algo ? c->algo : "",
                   &j->control_fit);
    if (c->check == CHECK_RATE) {
        add_rate(s, j);
        add_control_fit(s, j);
    }
}

void sheet_fill_plot(struct sheet *s, const struct plotted *p)
{
    *s = (struct sheet){ 0 };
    for (int k = 0; k < p->lines; k++)
        for (int i = 0; i < p->line[k].points; i++) {
            const struct plotted_point *at = &p->line[k].point[i];
            add(s, (struct sheet_row){ SHEET_CURVE, k, p->line[k].line->label, at->x, at->y });
        }
    for (int k = 0; k < p->lines; k++)
        for (int i = 0; i < p->line[k].points; i++) {
            const struct plotted_point *at = &p->line[k].point[i];
            if (isfinite(at->theory))
                add(s, (struct sheet_row){ SHEET_THEORY, k, p->line[k].line->label, at->x,
                                           { at->theory, NAN, NAN } });
        }
}

/* --- frame */

static bool drawable(double y)
{
    return isfinite(y) && y > 0;
}

static void include(double *range, double y)
{
    if (!drawable(y))
        return;
    range[0] = fmin(range[0], y);
    range[1] = fmax(range[1], y);
}

static bool is_point(const struct sheet_row *r)
{
    return r->kind == SHEET_MEASURED || r->kind == SHEET_CURVE || r->kind == SHEET_CONTROL;
}

static void include_bars(const struct sheet *s, double *range)
{
    const double decade = 10, lowest = range[0] / decade, highest = range[1] * decade;
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        if (!is_point(r) || r->kind == SHEET_CONTROL || !drawable(r->y.value))
            continue;
        include(range, fmax(r->y.lo, lowest));
        include(range, fmin(r->y.hi, highest));
    }
}

static void pad(double *range, double part)
{
    double factor = fmax(pow(range[1] / range[0], part), 1.05);
    range[0] /= factor;
    range[1] *= factor;
}

bool sheet_frame(const struct sheet *s, struct frame *f)
{
    const double reach = 1e4;
    double control[2] = { INFINITY, 0 };
    *f = (struct frame){ { INFINITY, 0 }, { INFINITY, 0 } };
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        if (!drawable(r->y.value))
            continue;
        include(f->x, r->axis);
        if (r->kind == SHEET_CONTROL)
            include(control, r->y.value);
        else if (is_point(r) || r->kind == SHEET_FORMULA)
            include(f->y, r->y.value);
    }
    if (!(f->y[0] <= f->y[1])) {
        f->y[0] = control[0];
        f->y[1] = control[1];
    }
    if (!(f->y[0] <= f->y[1]))
        return false;
    include_bars(s, f->y);
    double lowest = f->y[0] / reach, highest = f->y[1] * reach;
    for (int k = 0; k < s->rows; k++) {
        double y = s->row[k].y.value;
        if (s->row[k].kind == SHEET_CONTROL && y >= lowest && y <= highest)
            include(f->y, y);
    }
    pad(f->x, 0.04);
    pad(f->y, 0.06);
    return true;
}

static bool in_frame(const struct frame *f, double y)
{
    return y >= f->y[0] && y <= f->y[1];
}

bool sheet_shows(const struct sheet *s, const struct frame *f, enum series_kind kind)
{
    for (int k = 0; k < s->rows; k++)
        if (s->row[k].kind == kind && (kind == SHEET_BAND || in_frame(f, s->row[k].y.value)))
            return true;
    return false;
}

/* --- a corner for the legend */

static double place(const double *range, double v)
{
    return log(v / range[0]) / log(range[1] / range[0]);
}

/* Does the straight line between two places, in parts of the frame, meet the box? */
static bool meets(const double *a, const double *b, const double *box)
{
    enum { STEPS = 16 };
    for (int k = 0; k <= STEPS; k++) {
        double u = a[0] + (b[0] - a[0]) * k / STEPS, v = a[1] + (b[1] - a[1]) * k / STEPS;
        if (u >= box[0] && u <= box[1] && v >= box[2] && v <= box[3])
            return true;
    }
    return false;
}

/* The vertical extent of a row: its interval, to the frame's edge where that is open. */
static void extent(const struct sheet_row *r, const struct frame *f, double *low, double *high)
{
    bool below = !drawable(r->y.lo), above = !drawable(r->y.hi), band = r->kind == SHEET_BAND;
    *low = *high = band ? 0 : place(f->y, r->y.value);
    if (!is_point(r) && !band)
        return;
    if (below && above && !band)
        return;
    *low = below ? 0 : fmax(place(f->y, r->y.lo), 0);
    *high = above ? 1 : fmin(place(f->y, r->y.hi), 1);
}

/* u0 u1 v0 v1 in parts of the frame. */
static bool is_free(const struct sheet *s, const struct frame *f, const double *box)
{
    double before[2] = { 0, 0 };
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k], *last = k ? r - 1 : r;
        bool joined =
            k && last->kind == r->kind && last->curve == r->curve && r->kind != SHEET_BAND;
        if (!drawable(r->y.value) && r->kind != SHEET_BAND)
            continue;
        double u = place(f->x, r->axis), low[2] = { u, 0 }, high[2] = { u, 0 };
        double here[2] = { u, place(f->y, r->y.value) };
        extent(r, f, &low[1], &high[1]);
        if (meets(low, high, box) || (joined && meets(before, here, box)))
            return false;
        memcpy(before, here, sizeof here);
    }
    return true;
}

const char *sheet_free_corner(const struct sheet *s, const struct frame *f, double width,
                              double height)
{
    static const char *const name[] = { "top right", "bottom left", "top left", "bottom right" };
    for (int k = 0; k < 4; k++) {
        bool right = k == 0 || k == 3, top = k == 0 || k == 2;
        double box[4] = { right ? 1 - width : 0, right ? 1 : width, top ? 1 - height : 0,
                          top ? 1 : height };
        if (is_free(s, f, box))
            return name[k];
    }
    return NULL;
}

/* --- what the note tells */

void sheet_left_out(const struct sheet *s, const struct frame *f, int *no_logarithm, int *outside)
{
    *no_logarithm = *outside = 0;
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        if (!is_point(r) && r->kind != SHEET_FORMULA)
            continue;
        if (!drawable(r->y.value))
            ++*no_logarithm;
        else if (!in_frame(f, r->y.value))
            ++*outside;
    }
}

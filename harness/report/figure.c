/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.c - writes the files of a figure, for a claim or a plot: finds the rows that are drawn and the frame
 * around them, and writes the table and the script that gnuplot reads. More than 700 lines because rows, frame and
 * script are one computation. */
#include "report/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "judge/private.h"
#include "report/figure_internal.h"
#include "report/report_page.h"
#include "status.h"
#include "text/folder.h"
#include "text/templates.h"
#include "text/utf8.h"

static const char *sheet_word(enum series_kind k)
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

/* --- rows for measured points, formulas and margins */

/* Returns what is drawn at a point: the measured statistic with its interval. If no event was seen, the measured
 * probability is 0 and has no logarithm; its upper limit is then drawn in its place. */
static struct estimate drawn(const struct claim *c, const struct fit_point *p)
{
    struct estimate e = report_mean(c, p);
    if (p->zone.trials > 0 && p->zone.events == 0)
        e.value = e.hi;
    return e;
}

static void add_fit_points(struct sheet *s, enum series_kind kind, const char *name, const struct claim *c,
                           const struct fit *fit)
{
    for (int k = 0; k < fit->points; k++)
        if (fit->point[k].reps)
            add(s, (struct sheet_row){ kind, 0, name, fit->point[k].axis, drawn(c, &fit->point[k]) });
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

/* Adds, at each point with a margin, the interval from formula - margin to formula + margin. */
static void add_margin(struct sheet *s, const struct judgement *j)
{
    for (int k = 0; k < j->fit.points; k++) {
        const struct fit_zone *z = &j->fit.point[k].zone;
        struct estimate e = { NAN, z->formula - z->margin, z->formula + z->margin };
        if (j->fit.point[k].reps && z->margin > 0 && !j->claim->cdf && isfinite(z->formula))
            add(s, (struct sheet_row){ SHEET_BAND, 0, "", j->fit.point[k].axis, e });
    }
}

/* --- lines of a claim of check rate: the fitted law, the promised one, the band */

/* Returns the fitted law at an axis value, with the exponent of its named term replaced by `exponent` and that term
 * multiplied by `scale`. Power laws and laws of the logarithm have only one term. Of LAW_BOX_COX `exponent` is the
 * parameter c, and `scale` is not used. */
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

/* Returns the factor for law_at by which the named term with another exponent, `exponent`, equals the fitted term
 * at the centre of the window. */
static double pivot(const struct law *law, const struct law_fit *f, double exponent, double centre)
{
    return pow(law->form == LAW_LOG ? log(centre) : centre, f->value[LAW_EXPONENT] - exponent);
}

/* Returns one side (0, 1) of the drawn band at an axis value: the law with the exponent band[side], through the fit
 * at the centre of the window. An infinite band[side] gives 0 or infinity, which is outside of any frame. */
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
    int lines = c->law.form == LAW_BOX_COX ? 1 : 3;      /* with LAW_BOX_COX only the fitted line: the coefficients
                                                            of the promised power were not fitted */
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
    /* With a rival the fitted law is that of the ratio to the rival, and this ratio is not drawn for the
     * control. */
    if (!j->has_control || claim_has_rival(j->claim) || fit->flaw || fit->rate.trouble || fit->points < 2)
        return;
    for (int k = 0; k < SHEET_GRID; k++) {
        double a = fit->point[0].axis, b = fit->point[fit->points - 1].axis;
        double x = a * pow(b / a, (double)k / (SHEET_GRID - 1));
        double y = law_at(&j->claim->law, &fit->rate.law, 1, fit->rate.law.value[LAW_EXPONENT], x);
        add(s, (struct sheet_row){ SHEET_CONTROL_FIT, 0, "", x, { y, NAN, NAN } });
    }
}

/* Adds rows for a claim of check private: the smallest epsilon that an accountant proves, the promised one, and the
 * lower bound of audits where it is above 0. For the control, the epsilon of its ledger times the factor by which a
 * record changes a value more than is declared, if that is above 1. */
static void add_private(struct sheet *s, const struct judgement *j)
{
    const char *algo = j->claim->algo ? j->claim->algo : "";
    const struct privacy_seen *seen = j->fit.privacy;
    const struct fit_point *at = j->fit.point;
    int n = j->fit.points;
    /* All rows of one series follow each other, since gnuplot breaks a line where rows of another series come
     * between. */
    for (int k = 0; k < n; k++)
        add(s, (struct sheet_row){ SHEET_MEASURED, 0, algo, at[k].axis,
                                   { seen[k].spent, seen[k].spent, seen[k].spent } });
    for (int k = 0; k < n; k++)
        add(s, (struct sheet_row){ SHEET_FORMULA, 0, "", at[k].axis, { seen[k].promise, NAN, NAN } });
    for (int k = 0; k < n; k++) {
        double shown = privacy_most(&seen[k]);
        if (seen[k].audits > 0 && shown > 0)
            add(s, (struct sheet_row){ SHEET_CURVE, 0, algo, at[k].axis, { shown, shown, shown } });
    }
    for (int k = 0; j->has_control && k < j->control_fit.points; k++) {
        const struct privacy_seen *p = &j->control_fit.privacy[k];
        double eps = p->spent * fmax(1, privacy_ratio(p));
        add(s, (struct sheet_row){
                   SHEET_CONTROL, 0, algo, j->control_fit.point[k].axis, { eps, eps, eps } });
    }
}

void sheet_fill(struct sheet *s, const struct judgement *j)
{
    const struct claim *c = j->claim;
    *s = (struct sheet){ 0 };
    if (c->check == CHECK_PRIVATE) {
        add_private(s, j);
        return;
    }
    add_fit_points(s, SHEET_MEASURED, c->algo ? c->algo : "", c, &j->fit);
    if (has_formula(c->check))
        add_formula(s, j);
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        add_margin(s, j);
    for (int k = 0; k < j->curves; k++)
        for (int i = 0; i < j->curve[k].points; i++)
            add(s, (struct sheet_row){ SHEET_CURVE, k, j->curve[k].name, j->curve[k].point[i].axis,
                                       j->curve[k].point[i].y });
    if (j->has_control)
        add_fit_points(s, SHEET_CONTROL, c->control.algo ? c->control.algo : c->algo ? c->algo : "", c,
                       &j->control_fit);
    if (c->check == CHECK_RATE) {
        add_rate(s, j);
        add_control_fit(s, j);
    }
}

static void sheet_fill_plot(struct sheet *s, const struct plotted *p)
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

/* --- the frame around the rows */

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
    return r->kind == SHEET_MEASURED || r->kind == SHEET_CURVE || r->kind == SHEET_CONTROL ||
           r->kind == SHEET_BEFORE;
}

/* Extends the range by the intervals of points, on each side by a decade at most. An interval without a positive
 * finite limit is not drawn. */
static void include_bars(const struct sheet *s, double *range)
{
    const double decade = 10, lowest = range[0] / decade, highest = range[1] * decade;
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        if (!is_point(r) || r->kind == SHEET_CONTROL || !drawable(r->y.value) ||
            (!drawable(r->y.lo) && !drawable(r->y.hi)))
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

static bool sheet_shows(const struct sheet *s, const struct frame *f, enum series_kind kind)
{
    for (int k = 0; k < s->rows; k++)
        if (s->row[k].kind == kind && (kind == SHEET_BAND || in_frame(f, s->row[k].y.value)))
            return true;
    return false;
}

/* --- a corner for the legend */

static double place_on(const double *range, double v)
{
    return log(v / range[0]) / log(range[1] / range[0]);
}

/* Does the straight line from point a[2] to b[2] meet the box[4], the rectangle from box[0] to box[1] across and
 * from box[2] to box[3] upwards? Coordinates go from 0 to 1 over the frame. */
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

/* *low, *high <- the vertical extent of a row with its interval, from 0 to 1 over the frame. An interval that lacks
 * a positive finite limit on one side reaches the edge of the frame there; a point that lacks both limits is its
 * value alone. */
static void extent(const struct sheet_row *r, const struct frame *f, double *low, double *high)
{
    bool below = !drawable(r->y.lo), above = !drawable(r->y.hi), band = r->kind == SHEET_BAND;
    *low = *high = band ? 0 : place_on(f->y, r->y.value);
    if (!is_point(r) && !band)
        return;
    if (below && above && !band)
        return;
    *low = below ? 0 : fmax(place_on(f->y, r->y.lo), 0);
    *high = above ? 1 : fmin(place_on(f->y, r->y.hi), 1);
}

/* Does the box, as in `meets`, cover no point, interval, line or band? */
static bool is_free(const struct sheet *s, const struct frame *f, const double *box)
{
    double before[2] = { 0, 0 };
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k], *last = k ? r - 1 : r;
        bool joined =
            k && last->kind == r->kind && last->curve == r->curve && r->kind != SHEET_BAND;
        if (!drawable(r->y.value) && r->kind != SHEET_BAND)
            continue;
        double u = place_on(f->x, r->axis), low[2] = { u, 0 }, high[2] = { u, 0 };
        double here[2] = { u, place_on(f->y, r->y.value) };
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

/* --- numbers of values that are not drawn, for the note under the figure */

static void sheet_left_out(const struct sheet *s, const struct frame *f, int *no_logarithm, int *outside)
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

/* --- files for gnuplot */

/* TICKS_MAX: the most ticks of an axis, with or without labels. HEIGHT: the height in pixels of a picture whose
 * legend is inside the frame. ENTRY: what each line of a legend below the frame adds, so that the frame has the
 * same size. */
enum { TICKS_MAX = 40, HEIGHT = 380, ENTRY = 23 };

/* Writes the file FOLDER/NAME.ENDING; put(out, ctx) prints its lines. */
static enum status write_file(const char *folder, const char *name, const char *ending, file_put *put,
                              const void *ctx, struct why *why)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    return file_write(path, put, ctx, why);
}

/* --- the table of drawn values */

/* Prints a name as a field of the table, in which a tab ends a field and gnuplot takes a quote at its beginning for
 * that of a quoted text: tabs, other control characters and quotes become blanks. */
static void put_field(FILE *out, const char *name)
{
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        putc(*c < 32 || *c == 127 || *c == '"' ? ' ' : *c, out);
}

static void put_sheet(FILE *out, const void *ctx)
{
    const struct sheet *s = ctx;
    fputs("series\tname\taxis\tvalue\tlo\thi\n", out);
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        fputs(sheet_word(r->kind), out);
        if (r->kind == SHEET_CURVE || r->kind == SHEET_THEORY)
            fprintf(out, "%d", r->curve + 1);
        putc('\t', out);
        put_field(out, r->name);
        fprintf(out, "\t%.17g\t%.17g\t%.17g\t%.17g\n", r->axis, r->y.value, r->y.lo, r->y.hi);
    }
}

/* --- script: assignments for the variables of the template. Texts are in single quotes, since in double quotes
 * gnuplot runs commands between backticks. */

/* Prints the first n bytes of a text as a string of gnuplot, in valid UTF-8: a byte that is not UTF-8 becomes the
 * character of Latin-1, a control character a blank. */
static void put_quoted(FILE *out, const char *text, size_t n)
{
    const unsigned char *c = (const unsigned char *)text, *end = c + n;
    putc('\'', out);
    while (c < end && *c) {
        int length = utf8_length(c);
        bool absent = length == 3 && c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;  /* U+FFFE and U+FFFF, which
                                                                                            XML does not allow */
        if (*c < 32 || *c == 127 || absent || (length == 0 && *c < 0xa0))
            putc(' ', out);
        else if (length == 0)
            fprintf(out, "%c%c", 0xc0 | *c >> 6, 0x80 | (*c & 0x3f));
        else if (*c == '\'')
            fputs("''", out);
        else
            fwrite(c, 1, (size_t)length, out);
        c += length ? length : 1;
    }
    putc('\'', out);
}

__attribute__((format(printf, 3, 4)))
static void gnuplot_variable(FILE *out, const char *name, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(out, "%s = ", name);
    put_quoted(out, text, strlen(text));
    putc('\n', out);
}

/* --- ticks of an axis; those that gnuplot chooses itself are too few on less than two decades */

struct ticks { FILE *out; double lo, hi; int n; bool powers; };

/* Prints a tick at mantissa times 10^exponent. named: it has a label; else it is a minor tick without one. */
static void put_tick(struct ticks *t, double mantissa, int exponent, bool named)
{
    double at = mantissa * pow(10, exponent);
    if (t->n == TICKS_MAX || at < t->lo || at > t->hi)
        return;
    fputs(t->n++ ? ", " : "", t->out);
    if (!named)
        fprintf(t->out, "'' %.17g 1", at);
    else if (!t->powers)
        fprintf(t->out, "'%g' %.17g", at, at);
    else if (mantissa == 1)
        fprintf(t->out, "'10^{%d}' %.17g", exponent, at);
    else
        fprintf(t->out, "'%g·10^{%d}' %.17g", mantissa, exponent, at);
}

/* Prints a tick at each power of ten. Up to eight powers all have labels; with more, every second, third, ... has
 * one. Of more than TICKS_MAX powers only those with a label have ticks. */
static void put_decades(struct ticks *t)
{
    int first = (int)ceil(log10(t->lo)), last = (int)floor(log10(t->hi));
    int every = 1 + (last - first) / 8;
    for (int e = first; e <= last; e += last - first < TICKS_MAX ? 1 : every)
        put_tick(t, 1, e, (e - first) % every == 0);
}

static void put_halves(struct ticks *t)
{
    for (int e = (int)floor(log10(t->lo)); e <= (int)floor(log10(t->hi)); e++) {
        put_tick(t, 1, e, true);
        put_tick(t, 2, e, true);
        put_tick(t, 5, e, true);
    }
}

/* Prints ticks at round steps, as on a linear axis; for an axis of less than 0.8 decades. */
static void put_steps(struct ticks *t)
{
    if (!(t->hi > t->lo))
        return;                          /* an axis of a single value has no steps */
    int e = (int)floor(log10((t->hi - t->lo) / 3));
    double width = (t->hi - t->lo) * pow(10, -e), step = width > 12 ? 5 : width > 6 ? 2 : 1;
    int top = (int)floor(log10(t->hi));
    for (double k = ceil(t->lo * pow(10, -e) / step); k * step <= t->hi * pow(10, -e); k++)
        put_tick(t, k * step * pow(10, e - top), top, true);
}

static void gnuplot_ticks(FILE *out, char axis, const double *range)
{
    double decades = log10(range[1] / range[0]);
    struct ticks t = { .out = out, .lo = range[0], .hi = range[1],
                       .powers = range[0] < 9e-5 || range[1] >= 1e6 };
    fprintf(out, "set %crange [%.17g:%.17g]\nset %ctics (", axis, range[0], range[1], axis);
    if (decades >= 3.2)
        put_decades(&t);
    else if (decades >= 0.8)
        put_halves(&t);
    else
        put_steps(&t);
    fputs(")\n", out);
}

/* What a script is made of: the rows and the frame around them, and the judgement of a claim or the lines of a
 * plot; the other of these two is NULL. */
struct script {
    const struct sheet *sheet;
    const struct frame *frame;
    struct figure *figure; /* its member height is set while the script is written */
    const struct judgement *judgement;
    const struct plotted *plotted;
};

/* --- the legend: its entries, its place, and the height of the figure */

/* The part of a legend that has been written. lines: number of entries; longest: characters of the longest one;
 * from both the size of its box is computed. */
struct gnuplot_legend {
    FILE *out;
    struct figure *figure;
    int lines;
    size_t longest;
};

__attribute__((format(printf, 4, 5)))
static void gnuplot_entry(struct gnuplot_legend *l, const char *name, bool shown, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    size_t n = (size_t)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    gnuplot_variable(l->out, name, "%s", text);
    l->lines += shown;
    l->longest = shown && n > l->longest ? n : l->longest;
}

/* Writes that the legend is in this corner of the frame, NULL: below the frame; sets the height of the figure. */
static void gnuplot_at(const struct gnuplot_legend *l, const char *corner)
{
    l->figure->height = HEIGHT + (corner ? 0 : ENTRY * l->lines);
    gnuplot_variable(l->out, "LEGEND", "%s", corner ? corner : "below");
    fprintf(l->out, "ENTRIES = %d\nHEIGHT = %d\n", l->lines, l->figure->height);
}

/* Puts the legend into a free corner of the frame, or below the frame if there is none. gnuplot's boxes take 9.2
 * pixels a character, 23 a line and 75 for the sample of the line; the frame is about 440 by 300 pixels. */
static void gnuplot_place(const struct gnuplot_legend *l, const struct sheet *s,
                          const struct frame *frame)
{
    gnuplot_at(l, sheet_free_corner(s, frame, (9.2 * (double)l->longest + 75) / 440,
                                    (23.0 * l->lines + 25) / 300));
}

/* --- the figure of a claim: its name and its legend */

void figure_name(const char *id, char name[FIGURE_NAME])
{
    int n = 0;
    for (; *id && n < FIGURE_NAME - 3; id++) {
        unsigned char c = (unsigned char)*id;
        bool plain = isalnum(c) || c == '-' || c == '+' || c == '=' || (c == '.' && n > 0);
        if (c == '/')
            name[n++] = '_';
        name[n++] = plain ? *id : '_';
    }
    name[n] = 0;
}

static void put_claim_legend(FILE *out, const struct script *q)
{
    const struct sheet *s = q->sheet;
    const struct frame *frame = q->frame;
    const struct judgement *j = q->judgement;
    const struct claim *c = j->claim;
    struct gnuplot_legend l = { .out = out, .figure = q->figure };
    bool fitted = s->count[SHEET_FIT] > 0;
    struct phrase fit = fitted ? report_measured(c, &j->fit) : (struct phrase){ "" };
    struct phrase promised = report_promised(c), wrong = report_variant(c, &c->control);
    char name[32];
    bool private = c->check == CHECK_PRIVATE;
    int curves = private ? s->count[SHEET_CURVE] > 0 : j->curves;
    gnuplot_entry(&l, "MEASURED", true, "%s%s%s%s",
                  private   ? "accounted"
                  : c->algo ? c->algo
                            : "measured",
                  c->deterministic || private ? "" : ", ",
                  c->deterministic || private ? "" : report_interval_name(c).at,
                  c->deterministic || c->check != CHECK_LAW || c->cdf ? ""
                                                                      : " (0 events: its end)");
    gnuplot_entry(&l, "BEFORE", s->count[SHEET_BEFORE] > 0, "the night before");
    gnuplot_entry(&l, "FIT", fitted, "fit: %s", fit.at);
    gnuplot_entry(&l, "PROMISED", fitted, "promised: %s", promised.at);
    gnuplot_entry(&l, "BAND", s->count[SHEET_BAND] > 0, "%s", fitted ? "the band around it" : "its margin");
    gnuplot_entry(&l, "FORMULA", s->count[SHEET_FORMULA] > 0, "%s",
                  private ? "promised"
                  : c->check == CHECK_BOUND
                      ? c->kind == KIND_EVIDENCE ? "the bound" : "the theorem's bound"
                  : c->check != CHECK_LAW ? "the formula"
                  : c->cdf                ? "the largest distance allowed"
                                          : "the promised probability");
    gnuplot_entry(&l, "CONTROL", sheet_shows(s, frame, SHEET_CONTROL), "control: %.70s", wrong.at);
    fprintf(out, "curves = %d\narray CURVE[%d]\n", curves, curves > 0 ? curves : 1);
    for (int k = 0; k < curves; k++) {
        snprintf(name, sizeof name, "CURVE[%d]", k + 1);
        gnuplot_entry(&l, name, true, "%s", private ? "audited, at least" : j->curve[k].name);
    }
    gnuplot_place(&l, s, frame);
}

/* --- the script and the files of a claim's figure */

static const char *template_name(enum check c)
{
    switch (c) {
    case CHECK_RATE:  return "rate";
    case CHECK_PRIVATE:
    case CHECK_BOUND: return "bound";
    case CHECK_COUNT: return "count";
    case CHECK_MOMENT:
    case CHECK_LAW: return "moment";
    default:          return "order";
    }
}

static void put_opening(FILE *out, const struct figure *f, const char *x, const char *y)
{
    fprintf(out, "# To redo the figure, in this folder: gnuplot %s.gp\n", f->name);
    gnuplot_variable(out, "NAME", "%s", f->name);
    gnuplot_variable(out, "DATA", "%s.tsv", f->name);
    gnuplot_variable(out, "XLABEL", "%s", x);
    gnuplot_variable(out, "YLABEL", "%s", y);
    gnuplot_variable(out, "NOTE", "%s", f->note);
}

static void put_claim_script(FILE *out, const void *ctx)
{
    const struct script *q = ctx;
    const struct judgement *j = q->judgement;
    bool ratio = j->claim->check == CHECK_RATE && claim_has_rival(j->claim);
    bool private = j->claim->check == CHECK_PRIVATE;
    struct phrase y = private ? report_say("eps: promised, accounted, audited")
                              : report_say("%.300s%s", report_measure(j->claim).at,
                                           ratio ? ", and its ratio to the rival" : "");
    put_opening(out, q->figure, report_axis(j->claim).at, y.at);
    for (int k = 0; k < SHEET_KINDS; k++)
        if (k != SHEET_CURVE)
            fprintf(out, "has_%s = %d\n", sheet_word((enum series_kind)k),
                    sheet_shows(q->sheet, q->frame, (enum series_kind)k));
    fprintf(out, "YMIN = %.17g\nYMAX = %.17g\n", q->frame->y[0], q->frame->y[1]);
    fprintf(out, "alone = %d\n", q->sheet->count[SHEET_FORMULA] == 1);
    put_claim_legend(out, q);
    gnuplot_ticks(out, 'x', q->frame->x);
    gnuplot_ticks(out, 'y', q->frame->y);
    fputs(template_text(templates, "style"), out);
    fputs(template_text(templates, template_name(j->claim->check)), out);
}

/* Writes the table of a figure and finds the frame around its values. *drawn <- whether any value can be drawn; if
 * not, f->note says why: `nothing` if the table has no rows. */
static enum status write_table(const struct sheet *s, const char *nothing, const char *folder, struct figure *f,
                               struct frame *frame, bool *drawn, struct why *why)
{
    *drawn = false;
    snprintf(f->note, sizeof f->note, "%s", s->rows ? "" : nothing);
    if (s->rows == 0)
        return OK;
    TRY(write_file(folder, f->name, "tsv", put_sheet, s, why));
    f->data = true;
    *drawn = sheet_frame(s, frame);
    if (!*drawn)
        snprintf(f->note, sizeof f->note,
                 "No figure: all values are zero, negative or infinite, none fits a log scale");
    return OK;
}

static void note_left_out(const struct sheet *s, const struct frame *frame, char *note)
{
    int no_logarithm, outside;
    sheet_left_out(s, frame, &no_logarithm, &outside);
    if (no_logarithm)
        snprintf(note, FIGURE_NOTE, "%d value%s zero, negative or infinite: not drawn%s",
                 no_logarithm, no_logarithm == 1 ? " is" : "s are", outside ? "; " : "");
    size_t n = strlen(note);
    if (outside)
        snprintf(note + n, FIGURE_NOTE - n, "%d value%s outside the frame (control)", outside,
                 outside == 1 ? " is" : "s are");
}

enum status figure_write(const struct judgement *j, const struct judgement *before, const char *folder,
                         struct figure *f, struct why *why)
{
    struct sheet sheet;
    struct frame frame;
    *f = (struct figure){ 0 };
    figure_name(j->claim->id, f->name);
    sheet_fill(&sheet, j);
    if (before && j->claim->check != CHECK_PRIVATE)
        add_fit_points(&sheet, SHEET_BEFORE, "", j->claim, &before->fit);
    TRY(write_table(&sheet, j->cells ? "Nothing was measured" : "", folder, f, &frame, &f->script, why));
    if (!f->script)
        return OK;
    note_left_out(&sheet, &frame, f->note);
    return write_file(folder, f->name, "gp", put_claim_script,
                      &(struct script){ .sheet = &sheet, .frame = &frame, .figure = f, .judgement = j }, why);
}

/* --- the figure of a plot */

static struct phrase theory_words(const struct plotted *p, int k)
{
    const struct plot_line *l = p->line[k].line;
    if (l->theory)
        return report_say("theory dashed");
    if (!(l->over[1] > 0))
        return report_say("%s", "");
    return report_say("theory dashed, slope %s", report_number(l->exponent).at);
}

static void put_plot_legend(FILE *out, const struct script *q)
{
    const struct plotted *p = q->plotted;
    struct gnuplot_legend l = { .out = out, .figure = q->figure };
    char name[32];
    fprintf(out, "array CURVE[%d]\n", p->lines);
    for (int k = 0; k < p->lines; k++) {
        struct phrase theory = theory_words(p, k);
        snprintf(name, sizeof name, "CURVE[%d]", k + 1);
        gnuplot_entry(&l, name, p->line[k].points > 0, "%.80s%s%.60s", p->line[k].line->label,
                      theory.at[0] ? ", " : "", theory.at);
    }
    if (report_plot_shares(p->plot))
        gnuplot_at(&l, NULL);
    else
        gnuplot_place(&l, q->sheet, q->frame);
}

/* Writes which lines, counted from 1, have points, and which have a theoretical curve: gnuplot draws only these. */
static void put_shown(FILE *out, const struct plotted *p)
{
    int shown = 0, theories = 0;
    fprintf(out, "array SHOWN[%d]\narray THEORY[%d]\n", LINES_MAX, LINES_MAX);
    for (int k = 0; k < p->lines; k++) {
        bool theory = false;
        for (int i = 0; i < p->line[k].points; i++)
            theory |= isfinite(p->line[k].point[i].theory);
        if (p->line[k].points)
            fprintf(out, "SHOWN[%d] = %d\n", ++shown, k + 1);
        if (theory)
            fprintf(out, "THEORY[%d] = %d\n", ++theories, k + 1);
    }
    if (!theories)
        fputs("THEORY[1] = 0\n", out);      /* the template reads THEORY[1] even if no theoretical curve is drawn */
    fprintf(out, "curves = %d\ntheories = %d\n", shown, theories);
}

static void put_plot_script(FILE *out, const void *ctx)
{
    const struct script *q = ctx;
    const struct plotted *p = q->plotted;
    put_opening(out, q->figure, report_plot_x(p->plot).at, report_plot_y(p).at);
    fprintf(out, "YMIN = %.17g\nYMAX = %.17g\n", q->frame->y[0], q->frame->y[1]);
    put_plot_legend(out, q);
    put_shown(out, p);
    gnuplot_ticks(out, 'x', q->frame->x);
    if (!report_plot_shares(p->plot))
        gnuplot_ticks(out, 'y', q->frame->y);
    fputs(template_text(templates, "style"), out);
    fputs(template_text(templates, "plot"), out);
    fputs(template_text(templates, report_plot_shares(p->plot) ? "plot_shares" : "plot_lines"), out);
}

enum status figure_write_plot(const struct plotted *p, const char *folder, struct figure *f,
                              struct why *why)
{
    struct sheet sheet;
    struct frame frame;
    int no_logarithm, outside;
    *f = (struct figure){ 0 };
    figure_name(p->plot->id, f->name);
    sheet_fill_plot(&sheet, p);
    TRY(write_table(&sheet, p->planned ? "Nothing was measured" : "Not in this profile", folder, f, &frame,
                    &f->script, why));
    if (!f->script)
        return OK;
    sheet_left_out(&sheet, &frame, &no_logarithm, &outside);
    if (no_logarithm && !report_plot_shares(p->plot))
        snprintf(f->note, sizeof f->note, "%d value%s zero, negative or infinite: not drawn",
                 no_logarithm, no_logarithm == 1 ? " is" : "s are");
    return write_file(folder, f->name, "gp", put_plot_script,
                      &(struct script){ .sheet = &sheet, .frame = &frame, .figure = f, .plotted = p }, why);
}

/* --- the figure for a LaTeX document */

struct latex {
    const struct figure *figure;
    const char *caption;
};

/* Returns the name of the LaTeX command that prints this character, also in captions. NULL: the character needs no
 * command. */
static const char *latex_name(char c)
{
    static const struct { char c; const char *name; } names[] = {
        { '\\', "textbackslash" }, { '^', "textasciicircum" }, { '~', "textasciitilde" },
        { '<', "textless" }, { '>', "textgreater" }, { '|', "textbar" } };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].c == c)
            return names[k].name;
    return NULL;
}

/* Prints a text so that LaTeX shows each of its characters and reads none as a command. */
static void put_latex(FILE *out, const char *text)
{
    for (; text && *text; text++)
        if (strchr("{}_#%&$", *text))
            fprintf(out, "\\%c", *text);
        else if (latex_name(*text))
            fprintf(out, "\\%s{}", latex_name(*text));
        else
            putc((unsigned char)*text < 32 ? ' ' : *text, out);
}

static void put_latex_figure(FILE *out, const void *ctx)
{
    const struct latex *l = ctx;
    fprintf(out, "\\begin{figure}\n\\centering\n\\includegraphics{%s.pdf}\n\\caption{",
            l->figure->name);
    put_latex(out, l->caption);
    fprintf(out, "}\n\\label{fig:%s}\n\\end{figure}\n", l->figure->name);
}

enum status figure_write_latex(const struct figure *f, const char *caption, const char *folder,
                               struct why *why)
{
    return write_file(folder, f->name, "tex", put_latex_figure, &(struct latex){ f, caption }, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_gnuplot.c - tables and scripts for gnuplot, piece by piece. */
#include "report/figure_gnuplot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "text/templates.h"

enum { TITLE_LINE = 88, TITLE_LINES = 3, TICKS_MAX = 40 };

enum status gnuplot_trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

FILE *gnuplot_open(const char *folder, const char *name, const char *ending, char *path)
{
    errno = 0;
    snprintf(path, 4096, "%s/%s.%s", folder, name, ending);
    return fopen(path, "w");
}

enum status gnuplot_close(FILE *out, const char *path, struct why *why)
{
    bool bad = ferror(out);
    if (fclose(out) || bad)
        return gnuplot_trouble(path, why);
    return OK;
}

/* --- table */

enum status gnuplot_table(const struct sheet *s, const char *folder, const char *name,
                          struct why *why)
{
    char path[4096];
    FILE *out = gnuplot_open(folder, name, "tsv", path);
    if (!out)
        return gnuplot_trouble(path, why);
    fputs("series\tname\taxis\tvalue\tlo\thi\n", out);
    for (int k = 0; k < s->rows; k++) {
        const struct sheet_row *r = &s->row[k];
        fputs(sheet_word(r->kind), out);
        if (r->kind == SHEET_CURVE || r->kind == SHEET_THEORY)
            fprintf(out, "%d", r->curve + 1);
        fprintf(out, "\t%s\t%.17g\t%.17g\t%.17g\t%.17g\n", r->name, r->axis, r->y.value, r->y.lo,
                r->y.hi);
    }
    return gnuplot_close(out, path, why);
}

/* --- script: values for the template. Single quotes only: in double ones gnuplot would run what
 * stands between backticks. */

static void put_text(FILE *out, const char *text, size_t n)
{
    putc('\'', out);
    for (; n > 0 && *text; text++, n--) {
        if (*text == '\'')
            putc('\'', out);
        putc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
    putc('\'', out);
}

void gnuplot_variable(FILE *out, const char *name, const char *text)
{
    fprintf(out, "%s = ", name);
    put_text(out, text, strlen(text));
    putc('\n', out);
}

void gnuplot_title(FILE *out, const char *text)
{
    fputs("TITLE = ", out);
    for (int line = 0; line < TITLE_LINES && *text; line++) {
        size_t n = strlen(text);
        if (n > TITLE_LINE) {
            n = TITLE_LINE;
            while (n > TITLE_LINE / 2 && text[n] != ' ')
                n--;
            if (text[n] != ' ')
                for (n = TITLE_LINE; (text[n] & 0xc0) == 0x80; n--)
                    ;
        }
        fputs(line ? ".\"\\n\"." : "", out);
        put_text(out, text, n);
        text += n;
        text += strspn(text, " ");
    }
    putc('\n', out);
}

/* --- ticks, because gnuplot's own leave an axis of less than two decades nearly bare */

struct ticks { FILE *out; double lo, hi; int n; bool powers; };

/* mantissa 10^exponent; named or a small one. */
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

/* Every decade named, or every second, third, ... of many. */
static void put_decades(struct ticks *t)
{
    int first = (int)ceil(log10(t->lo)), last = (int)floor(log10(t->hi));
    int every = 1 + (last - first) / 8;
    for (int e = first; e <= last; e += 1 + every / TICKS_MAX)
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

/* Round steps, as on a linear axis: the range is too short to show its logarithm. */
static void put_steps(struct ticks *t)
{
    int e = (int)floor(log10((t->hi - t->lo) / 3));
    double width = (t->hi - t->lo) * pow(10, -e), step = width > 12 ? 5 : width > 6 ? 2 : 1;
    int top = (int)floor(log10(t->hi));
    for (double k = ceil(t->lo * pow(10, -e) / step); k * step <= t->hi * pow(10, -e); k++)
        put_tick(t, k * step * pow(10, e - top), top, true);
}

void gnuplot_ticks(FILE *out, char axis, const double *range)
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

/* --- legend */

void gnuplot_entry(struct gnuplot_legend *l, const char *name, bool shown, const char *text)
{
    size_t n = strlen(text);
    gnuplot_variable(l->out, name, text);
    l->lines += shown;
    l->longest = shown && n > l->longest ? n : l->longest;
}

/* gnuplot reckons with 9.2 pixels a character, 23 a line and 75 for the sample; the frame is
 * about 665 by 365. */
void gnuplot_place(const struct gnuplot_legend *l, const struct sheet *s,
                   const struct frame *frame)
{
    const char *corner = sheet_free_corner(s, frame, (9.2 * (double)l->longest + 75) / 665,
                                           (23.0 * l->lines + 25) / 365);
    gnuplot_variable(l->out, "LEGEND", corner ? corner : "below");
    fprintf(l->out, "ENTRIES = %d\n", l->lines);
}

void gnuplot_below(const struct gnuplot_legend *l)
{
    gnuplot_variable(l->out, "LEGEND", "below");
    fprintf(l->out, "ENTRIES = %d\n", l->lines);
}

const char *gnuplot_template(const char *name)
{
    for (const struct template *t = templates; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    BUG_IF(true);
}

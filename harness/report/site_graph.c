/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_graph.c - graphs of a claim over the nights: the level of its measured numbers with the verdicts, and the
 * processor time of its runs. */
#include "report/site.h"

#include <math.h>
#include <stdio.h>

#include "nights/history.h"
#include "text/markup.h"

/* In pixels: WIDTH and HEIGHT of a drawing, LEFT: room for the numbers at its left, BELOW: for the dates below it,
 * EDGE: for the marks of points at the edge, so that they are not cut off. */
enum { WIDTH = 340, HEIGHT = 96, LEFT = 64, BELOW = 18, EDGE = 6 };

/* A graph of the numbers y[n] with intervals lo[n], hi[n] (NULL: none). The vertical axis goes from `least` to
 * `most`; it is logarithmic if `logarithmic` is set and all numbers are positive. */
struct graph {
    const struct night_point *point;
    int n;
    const double *y, *lo, *hi;
    bool logarithmic;
    double least, most;
};

static double on_axis(const struct graph *g, double y) { return g->logarithmic ? log(y) : y; }

static void take(struct graph *g, double y)
{
    if (!isfinite(y) || !isfinite(on_axis(g, y)))
        return;
    g->least = fmin(g->least, y);
    g->most = fmax(g->most, y);
}

/* Sets the range of the vertical axis. Returns false where no number can be drawn. */
static bool range(struct graph *g)
{
    g->least = INFINITY;
    g->most = -INFINITY;
    for (int k = 0; k < g->n; k++) {
        take(g, g->y[k]);
        take(g, g->lo ? g->lo[k] : NAN);
        take(g, g->hi ? g->hi[k] : NAN);
    }
    return g->least <= g->most;
}

static double x_of(const struct graph *g, int k)
{
    double room = WIDTH - LEFT - 2 * EDGE;
    return LEFT + EDGE + (g->n > 1 ? room * k / (g->n - 1) : room / 2);
}

static double y_of(const struct graph *g, double y)
{
    double low = on_axis(g, g->least), high = on_axis(g, g->most), room = HEIGHT - BELOW - 2 * EDGE;
    double part = high > low ? (on_axis(g, y) - low) / (high - low) : 0.5;
    return EDGE + room * (1 - fmin(1, fmax(0, part)));
}

static void put_axes(FILE *out, const struct graph *g)
{
    fprintf(out, "<path class=\"rule\" d=\"M%d %d V%d H%d\"/>\n", LEFT, 0, HEIGHT - BELOW, WIDTH);
    if (g->most > g->least)
        markup_print(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 5, EDGE + 5,
                     report_number(g->most).at);
    markup_print(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LEFT - 5,
                 g->most > g->least ? HEIGHT - BELOW - 2 : (HEIGHT - BELOW) / 2 + 4,
                 report_number(g->least).at);
    fprintf(out, "<text x=\"%d\" y=\"%d\">%.10s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.10s</text>\n",
            LEFT, HEIGHT - 3, g->point[0].night->started, WIDTH, HEIGHT - 3,
            g->point[g->n - 1].night->started);
}

static void put_points(FILE *out, const struct graph *g)
{
    for (int k = 0; k < g->n; k++) {
        if (!isfinite(g->y[k]) || !isfinite(on_axis(g, g->y[k])))
            continue;
        if (isfinite(g->lo[k]) && isfinite(g->hi[k]))
            fprintf(out, "<path class=\"rule\" d=\"M%.1f %.1f V%.1f\"/>", x_of(g, k), y_of(g, g->lo[k]),
                    y_of(g, g->hi[k]));
        fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"><title>%.10s: ",
                site_class(g->point[k].word), x_of(g, k), y_of(g, g->y[k]), g->point[k].night->started);
        markup_print(out, "%s, %s</title></circle>\n", report_number(g->y[k]).at,
                     verdict_word(g->point[k].word));
    }
}

static void put_graph(FILE *out, struct graph *g, const char *name)
{
    if (!range(g))
        return;
    markup_print(out,
                 "<figure><svg class=\"nights\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s of %d nights, "
                 "first %s",
                 WIDTH, HEIGHT, name, g->n, report_number(g->y[0]).at);
    markup_print(out, ", last %s\">\n<polyline points=\"", report_number(g->y[g->n - 1]).at);
    for (int k = 0; k < g->n; k++)
        if (isfinite(g->y[k]) && isfinite(on_axis(g, g->y[k])))
            fprintf(out, "%.1f,%.1f ", x_of(g, k), y_of(g, g->y[k]));
    fputs("\"/>\n", out);
    put_axes(out, g);
    if (g->lo)
        put_points(out, g);
    markup_print(out, "</svg><figcaption>%s</figcaption></figure>\n", name);
}

void site_put_graphs(FILE *out, const struct site *s, int k)
{
    struct night_point point[NIGHTS];
    double level[NIGHTS], lo[NIGHTS], hi[NIGHTS], seconds[NIGHTS];
    const struct claim *c = s->in->judgement[k].claim;
    int n = s->in->history ? history_points(s->in->history, c->id, point) : 0;
    bool logarithmic = true;
    if (n < 2)
        return;
    for (int i = 0; i < n; i++) {
        level[i] = point[i].level;
        lo[i] = point[i].lo;
        hi[i] = point[i].hi;
        seconds[i] = point[i].seconds;
        logarithmic &= point[i].logarithmic && level[i] > 0;
    }
    bool changed = history_changed(point, n);
    fprintf(out, "<details%s>\n<summary>%d nights</summary>\n%s<div class=\"graphs\">\n",
            changed ? " open=\"open\"" : "", n,
            changed ? "" : "<p class=\"note\">The verdict and the level are the same in all of them.</p>\n");
    if (changed)
        put_graph(out, &(struct graph){ point, n, level, lo, hi, logarithmic, 0, 0 },
                  report_say("%.300s, %s over all points and runs", report_measure(c).at,
                             logarithmic ? "geometric mean" : "mean").at);
    put_graph(out, &(struct graph){ point, n, seconds, NULL, NULL, false, 0, 0 }, "seconds of computing");
    fputs("</div>\n</details>\n", out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_cells.c - the privacy loss of one Poisson-sampled Gaussian step on a grid, from above and
 * from below. x ~ N(0, sd^2) without the record, ratio(x) = 1 - q + q e^((2x - 1)/(2 sd^2)), loss =
 * log ratio. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "account_pld.h"
#include "status.h"

enum { CELLS_MAX = 1 << 21 };

static double ratio(const struct pld_cells *c, double x)
{
    return 1 - c->q + c->q * exp((2 * x - 1) / (2 * c->sd * c->sd));
}

static double loss_at(const struct pld_cells *c, double x)
{
    double whole = (2 * x - 1) / (2 * c->sd * c->sd);
    return c->q == 1 ? whole : log1p(c->q * expm1(whole));
}

/* q e^((2x - 1)/(2 sd^2)) where the loss is l: what the ratio exceeds 1 - q by. */
static double rise_at(const struct pld_cells *c, double l)
{
    return c->q == 1 ? exp(l) : expm1(l) + c->q;
}

/* Where it is; the lower end of all x if it never is so small. */
static double place_of(const struct pld_cells *c, double rise, double least)
{
    return rise > 0 ? fmax(least, 0.5 + c->sd * c->sd * (log(rise) - log(c->q))) : least;
}

static double place(const struct pld_cells *c, double l, double least)
{
    return place_of(c, rise_at(c, l), least);
}

/* Density without the record. */
static double density(const struct pld_cells *c, double x)
{
    return exp(-x * x / (2 * c->sd * c->sd)) / (c->sd * 2.5066282746310005);
}

/* How fast logarithms of density and ratio change around x, at most. */
static double rate(const struct pld_cells *c, double x)
{
    return (fabs(x) + 2) / (c->sd * c->sd) + 1 / c->sd;
}

/* A ratio of densities, the place where it is, and what a series around it takes: within `reach`
 * of it no exponential need be asked for, and what is left of its argument does not cancel. */
struct mark { double ratio, at, rise, density, reach; };

static struct mark mark_of(const struct pld_cells *c, double l, double least)
{
    double rise = rise_at(c, l), at = place_of(c, rise, least);
    struct mark m = { 1 - c->q + rise, at, rise, 0, 0 };
    if (rise > 0 && at > least) {
        m.density = density(c, at);
        m.reach = 0.04 / rate(c, at);
    }
    return m;
}

/* e^z - 1 to rounding, for |z| <= 0.05. */
static double short_expm1(double z)
{
    double s = 1 + z / 8;
    s = 1 + z * (1.0 / 7) * s;
    s = 1 + z * (1.0 / 6) * s;
    s = 1 + z * (1.0 / 5) * s;
    s = 1 + z * (1.0 / 4) * s;
    s = 1 + z * (1.0 / 3) * s;
    return z * (1 + z * (1.0 / 2) * s);
}

/* excess = integral of density (ratio - level), mass = that of the density, added up over [x, y].
 * Gauss-Legendre with three nodes on pieces so short that it is exact to rounding. The difference
 * is taken inside: nothing cancels where ratio - level has one sign. */
struct piece { double excess, mass; };
static const double node[] = { -0.7745966692414834, 0, 0.7745966692414834 };
static const double node_weight[] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };

/* One piece within reach of the level's place. */
static void integrate_near(const struct pld_cells *c, double x, double y, const struct mark *m,
                           struct piece *sum)
{
    const double s2 = c->sd * c->sd, width = y - x, from = x - m->at;
    double excess = 0, mass = 0;
    for (int k = 0; k < 3; k++) {
        double d = from + width * (1 + node[k]) / 2;
        double f = node_weight[k] * (1 + short_expm1(-(m->at + d / 2) * d / s2));
        excess += f * short_expm1(d / s2);
        mass += f;
    }
    sum->excess += excess * m->density * width * m->rise;
    sum->mass += mass * m->density * width;
}

static void integrate(const struct pld_cells *c, double x, double y, const struct mark *m,
                      struct piece *sum)
{
    if (fabs(x - m->at) <= m->reach && fabs(y - m->at) <= m->reach && y - x <= m->reach) {
        integrate_near(c, x, y, m, sum);
        return;
    }
    while (x < y) {
        double width = fmin(y - x, 0.04 / rate(c, x)), end = x + width;
        if (end <= x || y - end < 0.01 * width) {
            end = y;
            width = y - x;
        }
        for (int k = 0; k < 3; k++) {
            double u = x + width * (1 + node[k]) / 2;
            double f = density(c, u) * node_weight[k] * width;
            sum->excess += f * (ratio(c, u) - m->ratio);
            sum->mass += f;
        }
        x = end;
    }
}

/* What the excess grows by where a cell ends, by unit of x. */
static double slope_at(const struct pld_cells *c, const struct mark *m, double y)
{
    const double d = y - m->at, s2 = c->sd * c->sd;
    if (fabs(d) <= m->reach)
        return m->density * (1 + short_expm1(-(m->at + d / 2) * d / s2)) * m->rise *
               short_expm1(d / s2);
    return density(c, y) * (ratio(c, y) - m->ratio);
}

static double mass_with(const struct pld_cells *c, double x)
{
    return (1 - c->q) * gsl_cdf_ugaussian_Q(x / c->sd) +
           c->q * gsl_cdf_ugaussian_Q((x - 1) / c->sd);
}

/* Cell [a, b] = [i h, (i+1) h]: both hypotheses' masses are kept by excess over e^a/(1 - e^-h) at b
 * and the rest at a. */
static void fill_above(struct pld_cells *c, double least)
{
    const double up = -expm1(-c->h), span = expm1(c->h);
    struct mark m = mark_of(c, (double)c->first * c->h, least);
    for (long k = 0; k + 1 < c->n; k++) {
        struct mark next = mark_of(c, (double)(c->first + k + 1) * c->h, least);
        struct piece p = { 0, 0 };
        integrate(c, m.at, next.at, &m, &p);
        c->above[k + 1] += fmax(0, p.excess) / up;
        c->above[k] += fmax(0, m.ratio * span * p.mass - p.excess) / span;
        m = next;
    }
    c->beyond = mass_with(c, m.at);
    c->beyond_without = gsl_cdf_ugaussian_Q(m.at / c->sd);
    if (c->q == 1)                       /* losses below the grid, lifted to its first point */
        c->above[0] += gsl_cdf_ugaussian_P((place(c, (double)c->first * c->h, least) - 1) / c->sd);
}

/* The end y of the cell from x whose mass ratio is `level`: the root of its excess, approached by
 * Newton right of the point where the density's ratio is `level`, and passed by 1e-7 of the cell,
 * so that the ratio errs upwards. false: the rest of the line does not reach it. */
static bool merge(const struct pld_cells *c, double x, const struct mark *m, double guess,
                  double last, double *end, struct piece *sum)
{
    double low = m->at, high = INFINITY, y = fmax(guess, m->at + 1e-3 * (m->at - x));
    struct piece p = { 0, 0 };
    integrate(c, x, y, m, &p);
    for (int k = 0; k < 60; k++) {
        double slope = slope_at(c, m, y), next = y - p.excess / slope;
        if (p.excess < 0)
            low = y;
        else
            high = y;
        if (p.excess >= 0 && (high - low <= 1e-6 * (y - x) || p.excess <= 2e-7 * slope * (y - x))) {
            *end = y;
            *sum = p;
            return true;
        }
        next += 1e-7 * (y - x);
        if (!(next > low && next < high))
            next = isinf(high) ? y + (y - x) : (low + high) / 2;
        if (next > last)
            return false;
        struct piece change = { 0, 0 };
        integrate(c, fmin(y, next), fmax(y, next), m, &change);
        p.excess += next > y ? change.excess : -change.excess;
        p.mass += next > y ? change.mass : -change.mass;
        y = next;
    }
    return false;
}

/* Where a cell from x of loss l ends that is to have the ratio of the mark: of short ones to the
 * second order, and what the end has to pass it by. */
static double guess_end(const struct pld_cells *c, double x, double l, double target,
                        const struct mark *m, double least)
{
    double before = m->at - x;
    if (before > m->reach)
        return place(c, 2 * target - l, least);
    double bend = (0.5 - m->at) / (c->sd * c->sd);
    return m->at + before * (1 + 2e-7 - bend * before * 2 / 3);
}

/* Where the loss is that of the mark and `more`. */
static double place_after(const struct pld_cells *c, const struct mark *m, double target,
                          double more, double least)
{
    if (m->reach == 0)
        return place(c, target + more, least);
    return m->at + c->sd * c->sd * log1p(m->ratio / m->rise * expm1(more));
}

/* The loss at x, target at the mark. */
static double loss_near(const struct pld_cells *c, const struct mark *m, double target, double x)
{
    if (!(fabs(x - m->at) <= m->reach))
        return loss_at(c, x);
    return target + log1p(m->rise / m->ratio * short_expm1((x - m->at) / (c->sd * c->sd)));
}

/* Cells alternate between wide and narrow if the first is off the middle of the grid; where little
 * mass is at stake each early end is moved a quarter towards the middle, which raises the ratio of
 * its cell. Where a merge fails the cell ends at the next grid point and counts as its lowest
 * loss. */
static void fill_below(struct pld_cells *c, double least, double last)
{
    const long top = c->first + c->n - 1;
    double x = place(c, (double)c->first * c->h, least), l = loss_at(c, x);
    for (long i = c->first; x < last && l < (double)top * c->h;) {
        long under = (long)floor(l / c->h), next = (long)floor(l / c->h + 1.05);
        i = i + 1 > next ? i + 1 : next;
        i = i < top ? i : top;
        double target = (double)i * c->h, y;
        const struct mark m = mark_of(c, target, least);
        struct piece p = { 0, 0 };
        if (merge(c, x, &m, guess_end(c, x, l, target, &m, least), last, &y, &p)) {
            double middle = y + (place_after(c, &m, target, c->h / 2, least) - y) / 4;
            if (p.excess + m.ratio * p.mass < 2e-3 && middle > y) {
                integrate(c, y, middle, &m, &p);
                y = middle;
            }
            c->below[i - c->first] += p.excess + m.ratio * p.mass;
        } else {
            y = place(c, target + c->h, least);
            integrate(c, x, y, &m, &p);
            if (under >= c->first)
                c->below[under - c->first] += p.excess + m.ratio * p.mass;
        }
        x = y;
        l = loss_near(c, &m, target, x);
    }
    long under = (long)floor(l / c->h);
    under = under < top ? under : top;
    if (under >= c->first)
        c->below[under - c->first] += mass_with(c, x);
}

bool pld_cells_fill(struct pld_cells *c, double tail)
{
    double z = gsl_cdf_ugaussian_Qinv(fmax(tail, 1e-300));
    double least = c->q == 1 ? 1 - z * c->sd : -39 * c->sd, last = 1 + z * c->sd;
    double from = floor(c->q == 1 ? loss_at(c, least) / c->h : log1p(-c->q) / c->h);
    double to = ceil(loss_at(c, last) / c->h);
    if (!(to - from < CELLS_MAX && to * c->h < 600))
        return false;
    c->first = (long)from;
    c->n = (long)(to - from) + 1;
    c->above = calloc((size_t)c->n, sizeof *c->above);
    c->below = calloc((size_t)c->n, sizeof *c->below);
    BUG_IF(!c->above || !c->below);
    if (c->q == 1)
        least = -INFINITY;
    fill_above(c, least);
    fill_below(c, least, last);
    return true;
}

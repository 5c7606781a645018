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

/* Where the loss is l; the lower end of all x if it never is so small. */
static double place(const struct pld_cells *c, double l, double least)
{
    double r = c->q == 1 ? exp(l) : expm1(l) + c->q;
    return r > 0 ? fmax(least, 0.5 + c->sd * c->sd * (log(r) - log(c->q))) : least;
}

/* excess = integral of density (ratio - level), mass = that of the density, added up over [x, y].
 * Gauss- Legendre with three nodes on pieces so short that it is exact to rounding. The difference
 * is taken inside: nothing cancels where ratio - level has one sign. */
struct piece { double excess, mass; };

static void integrate(const struct pld_cells *c, double x, double y, double level,
                      struct piece *sum)
{
    const double s2 = c->sd * c->sd, root = 0.7745966692414834;
    const double weight[] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
    while (x < y) {
        double rate = (fabs(x) + 2) / s2 + 1 / c->sd, width = fmin(y - x, 0.04 / rate);
        double end = x + width;
        if (end <= x || y - end < 0.01 * width) {
            end = y;
            width = y - x;
        }
        for (int k = 0; k < 3; k++) {
            double u = x + width * (1 + (k - 1) * root) / 2;
            double f = exp(-u * u / (2 * s2)) / (c->sd * 2.5066282746310005) * weight[k] * width;
            sum->excess += f * (ratio(c, u) - level);
            sum->mass += f;
        }
        x = end;
    }
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
    double x = place(c, (double)c->first * c->h, least), up = -expm1(-c->h), span = expm1(c->h);
    for (long k = 0; k + 1 < c->n; k++) {
        double a = (double)(c->first + k) * c->h, y = place(c, a + c->h, least), level = exp(a);
        struct piece p = { 0, 0 };
        integrate(c, x, y, level, &p);
        c->above[k + 1] += fmax(0, p.excess) / up;
        c->above[k] += fmax(0, level * span * p.mass - p.excess) / span;
        x = y;
    }
    c->beyond = mass_with(c, x);
    c->beyond_without = gsl_cdf_ugaussian_Q(x / c->sd);
    if (c->q == 1)                       /* losses below the grid, lifted to its first point */
        c->above[0] += gsl_cdf_ugaussian_P((place(c, (double)c->first * c->h, least) - 1) / c->sd);
}

/* The end y of the cell from x whose mass ratio is `level`: the root of its excess, approached by
 * Newton right of the point where the density's ratio is `level`, and passed by 1e-7 of the cell,
 * so that the ratio errs upwards. false: the rest of the line does not reach it. */
static bool merge(const struct pld_cells *c, double x, double level, double turn, double guess,
                  double last, double *end, struct piece *sum)
{
    double low = turn, high = INFINITY, y = fmax(guess, turn + 1e-3 * (turn - x));
    struct piece p = { 0, 0 };
    integrate(c, x, y, level, &p);
    for (int k = 0; k < 60; k++) {
        double f = exp(-y * y / (2 * c->sd * c->sd)) / (c->sd * 2.5066282746310005);
        double slope = f * (ratio(c, y) - level), next = y - p.excess / slope;
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
        integrate(c, fmin(y, next), fmax(y, next), level, &change);
        p.excess += next > y ? change.excess : -change.excess;
        p.mass += next > y ? change.mass : -change.mass;
        y = next;
    }
    return false;
}

/* Cells alternate between wide and narrow if the first is off the middle of the grid; where little
 * mass is at stake each early end is moved a quarter towards the middle, which raises the ratio of
 * its cell. Where a merge fails the cell ends at the next grid point and counts as its lowest
 * loss. */
static void fill_below(struct pld_cells *c, double least, double last)
{
    const long top = c->first + c->n - 1;
    double x = place(c, (double)c->first * c->h, least), l = loss_at(c, x);
    for (long i = c->first; x < last && l < (double)top * c->h; l = loss_at(c, x)) {
        long under = (long)floor(l / c->h), next = (long)floor(l / c->h + 1.05);
        i = i + 1 > next ? i + 1 : next;
        i = i < top ? i : top;
        double target = (double)i * c->h, level = exp(target), y;
        double turn = place(c, target, least), guess = place(c, 2 * target - l, least);
        struct piece p = { 0, 0 };
        if (merge(c, x, level, turn, guess, last, &y, &p)) {
            double middle = y + (place(c, target + c->h / 2, least) - y) / 4;
            if (p.excess + level * p.mass < 2e-3 && middle > y) {
                integrate(c, y, middle, level, &p);
                y = middle;
            }
            c->below[i - c->first] += p.excess + level * p.mass;
        } else {
            y = place(c, target + c->h, least);
            integrate(c, x, y, level, &p);
            if (under >= c->first)
                c->below[under - c->first] += p.excess + level * p.mass;
        }
        x = y;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_cells.c - the privacy loss of one Poisson-sampled Gaussian release on a grid, bounded from above and from
 * below. The released number x has the law N(0, sd^2) without the record, and N(1, sd^2) if the record was sampled,
 * which has the probability q. ratio(x) = 1 - q + q e^((2x - 1)/(2 sd^2)) is the density of x with the record over
 * that without it, and the privacy loss is l = log ratio. A cell is an interval of x whose mass is put on grid
 * points of the loss, multiples of h. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "privacy/account_pld.h"
#include "status.h"

/* The most steps that the grid may have: 16 MiB for each array of masses. */
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

/* Returns the amount q e^((2x - 1)/(2 sd^2)) by which the ratio exceeds 1 - q at the x with loss l. */
static double rise_at(const struct pld_cells *c, double l)
{
    return c->q == 1 ? exp(l) : expm1(l) + c->q;
}

/* Returns the x at which q e^((2x - 1)/(2 sd^2)) = rise, or `least` where this x is smaller or does not exist. */
static double place_of(const struct pld_cells *c, double rise, double least)
{
    double x = rise > 0 ? 0.5 + c->sd * c->sd * (log(rise) - c->log_q) : least;
    return x > least ? x : least;
}

static double place(const struct pld_cells *c, double l, double least)
{
    return place_of(c, rise_at(c, l), least);
}

/* Returns the density of x without the record. */
static double density(const struct pld_cells *c, double x)
{
    return exp(-x * x / (2 * c->sd * c->sd)) / (c->sd * 2.5066282746310005);
}

/* Returns an upper bound on the derivatives of log density and log ratio near x. Over a distance 1/rate density and
 * ratio change by a constant factor at most. */
static double rate(const struct pld_cells *c, double x)
{
    return (fabs(x) + 2) / (c->sd * c->sd) + 1 / c->sd;
}

/* In this file a mark is a point x = `at` where the ratio has a given value, with two Taylor series in the distance
 * d from it. `mass` is the integral of the density from the mark to the distance d, in units of the density at the
 * mark. `excess` is the integral of density (ratio - the mark's ratio), in units of the density at the mark times
 * `rise`, the result of rise_at there. Up to |d| = `reach` the series are exact to rounding: no exponential needs
 * to be computed, and no difference cancels. */
enum { TERMS = 7 };                              /* number of coefficients of a series */
struct reached { double d, excess, mass; };      /* the values of both series at distance d from the mark */
struct mark { double ratio, at, rise, density, reach, mass[TERMS], excess[TERMS]; struct reached last; };

/* Fills in the series of a mark. The density at distance d, over that at the mark, is e^(b d - d^2/(2 sd^2)) with b
 * = -m->at/sd^2; the coefficients c_k of its series obey (k+1) c_(k+1) = b c_k - c_(k-1)/sd^2. The excess
 * integrates the difference of two such series, one with b + 1/sd^2 in place of b. */
static void expand(const struct pld_cells *c, struct mark *m)
{
    static const double part[TERMS + 2] = { 0,       1,       1.0 / 2, 1.0 / 3, 1.0 / 4,
                                            1.0 / 5, 1.0 / 6, 1.0 / 7, 1.0 / 8 };
    const double w = 1 / (c->sd * c->sd), b = -m->at * w;
    double low = 0, at = 1, low_more = 0, more = 0;      /* low, at: c_(k-1) and c_k of the density's series;
                                                            low_more, more: those of the difference of the two
                                                            series */
    for (int k = 0; k < TERMS; k++) {
        double next = (b * at - w * low) * part[k + 1];
        double next_more = ((b + w) * more + w * (at - low_more)) * part[k + 1];
        m->mass[k] = at * part[k + 1];
        m->excess[k] = next_more * part[k + 2];
        low = at;
        at = next;
        low_more = more;
        more = next_more;
    }
}

static struct mark mark_of(const struct pld_cells *c, double l, double least)
{
    struct mark m;
    m.last = (struct reached){ 0, 0, 0 };
    m.rise = rise_at(c, l);
    m.at = place_of(c, m.rise, least);
    m.ratio = 1 - c->q + m.rise;
    m.reach = 0;
    if (m.rise > 0 && m.at > least) {
        m.density = density(c, m.at);
        m.reach = 0.02 / rate(c, m.at);
        expand(c, &m);
    }
    return m;
}

static double series(const double *term, double d)
{
    double sum = term[TERMS - 1];
    for (int k = TERMS - 2; k >= 0; k--)
        sum = sum * d + term[k];
    return sum;
}

static struct reached reach(const struct mark *m, double d)
{
    return (struct reached){ d, d * d * series(m->excess, d), d * series(m->mass, d) };
}

/* Integrals over an interval [x, y]. excess: of density (ratio - level), where `level` is the ratio of a mark;
 * mass: of the density. */
struct piece { double excess, mass; };

/* Adds the integrals of struct piece over [x, y] to *sum, by Gauss-Legendre with three nodes on intervals so short
 * that it is exact to rounding. ratio - level is formed inside the integral: nothing cancels where it has one
 * sign. */
static void integrate_far(const struct pld_cells *c, double x, double y, double level,
                          struct piece *sum)
{
    static const double node[] = { -0.7745966692414834, 0, 0.7745966692414834 };
    static const double weight[] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
    while (x < y) {
        double width = fmin(y - x, 0.04 / rate(c, x)), end = x + width;
        if (end <= x || y - end < 0.01 * width) {
            end = y;
            width = y - x;
        }
        for (int k = 0; k < 3; k++) {
            double u = x + width * (1 + node[k]) / 2, f = density(c, u) * weight[k] * width;
            sum->excess += f * (ratio(c, u) - level);
            sum->mass += f;
        }
        x = end;
    }
}

/* Adds the integrals of struct piece over [x, y] to *sum, by the series of the mark where x and y are within their
 * reach, else by integrate_far. The values at one end are kept in m->last, because the next interval often begins
 * where this one ended. */
static void integrate(const struct pld_cells *c, double x, double y, struct mark *m, struct piece *sum)
{
    const double from = x - m->at, to = y - m->at;
    if (!(fabs(from) <= m->reach && fabs(to) <= m->reach)) {
        integrate_far(c, x, y, m->ratio, sum);
        return;
    }
    const struct reached begin = from == m->last.d ? m->last : reach(m, from);
    const struct reached end = to == m->last.d ? m->last : reach(m, to);
    sum->excess += m->density * m->rise * (end.excess - begin.excess);
    sum->mass += m->density * (end.mass - begin.mass);
    m->last = to == m->last.d ? begin : end;
}

static double mass_with(const struct pld_cells *c, double x)
{
    return (1 - c->q) * gsl_cdf_ugaussian_Q(x / c->sd) +
           c->q * gsl_cdf_ugaussian_Q((x - 1) / c->sd);
}

/* Returns the derivative, in y, of the excess (struct piece) of a cell that ends at y. */
static double slope_at(const struct pld_cells *c, const struct mark *m, double y)
{
    const double d = y - m->at, w = 1 / (c->sd * c->sd);
    if (fabs(d) <= m->reach)             /* the slope only steers the search: two terms are enough */
        return m->density * m->rise * d * w * (1 + d * w * (0.5 - m->at));
    return density(c, y) * (ratio(c, y) - m->ratio);
}

/* Splits the cell of losses from i h (the mark a) to (i+1) h (the mark b) between these two grid points, so that
 * its mass with the record and its mass without it are kept. Adds to mass[1], the upper point, the cell's excess
 * over the ratio e^(i h), divided by up = 1 - e^-h, and to mass[0], the lower point, the rest of the mass with the
 * record. span: e^h - 1. */
static void split(const struct pld_cells *c, struct mark *a, const struct mark *b, double up,
                  double span, double *mass)
{
    struct piece p = { 0, 0 };
    integrate(c, a->at, b->at, a, &p);
    double rest = a->ratio * span * p.mass - p.excess;
    mass[1] += (p.excess > 0 ? p.excess : 0) / up;
    mass[0] += (rest > 0 ? rest : 0) / span;
}

/* *end <- the end y of the cell that begins at x and whose masses with and without the record have the ratio of the
 * mark m; *sum <- the cell's integrals. This y is the root of the cell's excess, found by Newton's method right of
 * the mark from `guess`, and then exceeded by 1e-7 of the cell, so that the ratio is rounded upwards. Returns false
 * where the cell would not end before `last`. */
static bool merge(const struct pld_cells *c, double x, struct mark *m, double guess,
                  double last, double *end, struct piece *sum)
{
    double low = m->at, high = INFINITY, least = m->at + 1e-3 * (m->at - x), y = guess > least ? guess : least;
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
        bool on = next > y;
        integrate(c, on ? y : next, on ? next : y, m, &change);
        p.excess += on ? change.excess : -change.excess;
        p.mass += on ? change.mass : -change.mass;
        y = next;
    }
    return false;
}

/* Returns a first guess for the end of the cell that begins at x, where the loss is l, and whose masses with and
 * without the record are to have the ratio of the mark, e^target. For short cells the guess is right to the second
 * order; it includes the 1e-7 of the cell by which `merge` exceeds the root. */
static double guess_end(const struct pld_cells *c, double x, double l, double target,
                        const struct mark *m, double least)
{
    double before = m->at - x;
    if (before > m->reach)
        return place(c, 2 * target - l, least);
    double bend = (0.5 - m->at) / (c->sd * c->sd);
    return m->at + before * (1 + 2e-7 - bend * before * 2 / 3);
}

/* Returns the x where the loss is target + h/2; `target` is the loss at the mark. */
static double place_after(const struct pld_cells *c, const struct mark *m, double target, double least)
{
    if (m->reach == 0)
        return place(c, target + c->h / 2, least);
    return m->at + c->sd * c->sd * log1p(m->ratio / m->rise * c->half);
}

/* Returns the loss at x; `target` is the loss at the mark. */
static double loss_near(const struct pld_cells *c, const struct mark *m, double target, double x)
{
    if (!(fabs(x - m->at) <= m->reach))
        return loss_at(c, x);
    return target + log1p(m->rise / m->ratio * expm1((x - m->at) / (c->sd * c->sd)));
}

/* The part of the real line that is not yet divided into cells for c->below, the masses of the bound from below: it
 * begins at x, where the loss is l. The next cell is to have the loss next * h as a whole. least: no x below it is
 * used; last: no cell ends beyond it. */
struct rest { double x, l, least, last; long next; };

/* Sets r->next, the grid point of the next cell. Returns false where nothing of the line is left, or only losses
 * beyond the grid. */
static bool choose_next(const struct pld_cells *c, struct rest *r)
{
    const long top = c->first + c->n - 1, next = (long)floor(r->l / c->h + 1.05);
    r->next = r->next + 1 > next ? r->next + 1 : next;
    r->next = r->next < top ? r->next : top;
    return r->x < r->last && r->l < (double)top * c->h;
}

/* Cuts off the next cell for c->below and puts its mass on a grid point. Cells would alternate between wide and
 * narrow if the first one did not end in the middle between two grid points. So, where little mass is at stake, an
 * end before this middle is moved a quarter of the way towards it, which raises the ratio of the cell. Where
 * `merge` fails the cell ends at the grid point after r->next, and its mass counts at a grid point below its lowest
 * loss. */
static void merge_next(struct pld_cells *c, struct rest *r, struct mark *m)
{
    const double target = (double)r->next * c->h, x = r->x;
    struct piece p = { 0, 0 };
    double y;
    if (merge(c, x, m, guess_end(c, x, r->l, target, m, r->least), r->last, &y, &p)) {
        double middle = y + (place_after(c, m, target, r->least) - y) / 4;
        if (p.excess + m->ratio * p.mass < 2e-3 && middle > y) {
            integrate(c, y, middle, m, &p);
            y = middle;
        }
        c->below[r->next - c->first] += p.excess + m->ratio * p.mass;
    } else {
        long under = (long)floor(r->l / c->h);
        y = place(c, target + c->h, r->least);
        integrate(c, x, y, m, &p);
        if (under >= c->first)
            c->below[under - c->first] += p.excess + m->ratio * p.mass;
    }
    r->x = y;
    r->l = loss_near(c, m, target, y);
}

/* Fills c->above and c->below in one pass over the grid: each grid point is the end of a cell of c->above, and may
 * be the loss of a whole cell of c->below. least, last: as in struct rest. */
static void fill(struct pld_cells *c, double least, double last)
{
    const double up = -expm1(-c->h), span = expm1(c->h), lowest = (double)c->first * c->h;
    const long top = c->first + c->n - 1;
    struct mark m = mark_of(c, lowest, least);
    struct rest r = { m.at, loss_at(c, m.at), least, last, c->first };
    bool more = choose_next(c, &r);
    if (c->q == 1)                       /* the mass of losses below the grid is put on the grid's first point,
                                            which is larger */
        c->above[0] += gsl_cdf_ugaussian_P((m.at - 1) / c->sd);
    for (long i = c->first; i < top; i++) {
        struct mark next = mark_of(c, (double)(i + 1) * c->h, least);
        split(c, &m, &next, up, span, c->above + (i - c->first));
        m = next;
        if (more && r.next == i + 1) {
            merge_next(c, &r, &m);
            more = choose_next(c, &r);
        }
    }
    c->beyond = mass_with(c, m.at);
    c->beyond_without = gsl_cdf_ugaussian_Q(m.at / c->sd);
    long under = (long)floor(r.l / c->h);
    under = under < top ? under : top;
    if (under >= c->first)
        c->below[under - c->first] += mass_with(c, r.x);
}

bool pld_cells_fill(struct pld_cells *c, double tail)
{
    double z = gsl_cdf_ugaussian_Qinv(fmax(tail, 1e-300));
    c->log_q = log(c->q);
    c->half = expm1(c->h / 2);
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
    fill(c, least, last);
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_pld.c - composition of a discrete privacy loss by FFT: delta(eps) = M^T sum over losses l > eps of w_T(l)
 * e^(-a l) (1 - e^(eps - l)). T is the number of releases. w_T is the T-fold convolution of the tilted masses of
 * one release: the mass at each loss l times e^(a l)/M, where M makes their sum 1. The tilt a moves the losses that
 * decide delta(eps) to the middle of the mass, where the transform has a small relative error. */
#include "privacy/account_pld.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "privacy/account_fft.h"
#include "privacy/account_rdp.h"
#include "privacy/account_tilts.h"
#include "status.h"

/* POINTS_MIN, POINTS_MAX: the least and the largest length of a transform. POINTS_COARSE, POINTS_FINE: how many
 * grid points the window has at most in the first and in the last attempt; more points give closer bounds and take
 * more time. */
enum { POINTS_MIN = 1 << 12, POINTS_COARSE = 1 << 14, POINTS_FINE = 1 << 18, POINTS_MAX = 1 << 19 };

/* The arguments of pld_sampled_gaussian. */
struct setting { double q, sd, steps, delta; };

/* Whose privacy loss: that of outcomes drawn from the data with the record, against the data without it, or the
 * converse. */
enum side { WITH_RECORD, WITHOUT_RECORD };

/* --- where the losses lie, by a rough quadrature of one release without its tail; the bounds on epsilon hold
 * whatever its errors are */

enum { NODES_MAX = 1 << 14 };
/* Nodes of the quadrature. loss: log of the density with the record over that without it; mass: the node's
 * probability without the record. */
struct nodes { int n; double loss[NODES_MAX], mass[NODES_MAX]; };

static void fill_nodes(const struct setting *s, double tail, struct nodes *v)
{
    double from = -10 * s->sd, to = 1 - s->sd * gsl_cdf_ugaussian_Pinv(fmax(tail, 1e-300));
    double steps = ceil((to - from) / fmin(s->sd, s->sd * s->sd) * 8);
    v->n = (int)fmin(steps, NODES_MAX - 1) + 1;
    double step = (to - from) / (v->n - 1);
    for (int k = 0; k < v->n; k++) {
        double x = from + k * step;
        double whole = (2 * x - 1) / (2 * s->sd * s->sd);
        v->loss[k] = s->q == 1 ? whole : log1p(s->q * expm1(whole));
        v->mass[k] = step / (s->sd * 2.5066282746310005) * exp(-x * x / (2 * s->sd * s->sd));
    }
}

/* Returns log E e^(a loss) of one release, for the loss of this side. */
static double log_moment(const struct nodes *v, enum side side, double a)
{
    double order = side == WITH_RECORD ? 1 + a : -a, sum = 0;
    for (int k = 0; k < v->n; k++)
        sum += v->mass[k] * exp(order * v->loss[k]);
    return log(sum);
}

/* Returns the tilt, at most `most`, that the composition uses: the smallest one at which the rounding errors of the
 * transform, about 1e-14 a release, are far below delta. If there is no such tilt, returns the saddle point of eps,
 * at which the tilted composition has its mean at eps. A larger tilt than needed makes rare large losses frequent,
 * which widens the window and coarsens the grid. */
static double best_tilt(const struct setting *s, const struct nodes *v, enum side side, double eps,
                        double most)
{
    double best = 1.0 / 1024, least = INFINITY, room = fmax(2, fmin(1000, 3e7 / s->steps));
    for (double a = best; a <= most; a *= 1.15) {
        double worth = leverage(eps, a, s->steps * log_moment(v, side, a));
        if (worth < least) {
            least = worth;
            best = a;
        }
        if (worth <= room * s->delta)
            break;
    }
    return best;
}

/* The interval [from, to] of losses, which holds all but e^-depth of the tilted composition by Chernoff's
 * inequality. up and down are the exponents t of e^(t loss) in Chernoff's inequality for the upper and the lower
 * end; sd is the standard deviation of the loss of one release under the tilted law. depth: the mass beyond each
 * end is at most e^-24 = 4e-11 of the tilted mass; a larger depth widens the interval and coarsens its grid. */
struct window { double tilt, sd, from, to, up, down; };
static const double depth = 24;

static struct window find_window(const struct setting *s, const struct nodes *v, enum side side,
                                 double tilt)
{
    struct window w = { tilt, 0, -INFINITY, INFINITY, 0, 0 };
    double middle = log_moment(v, side, tilt), step = 0.01 * fmin(1, tilt);
    double curve = log_moment(v, side, tilt + step) - 2 * middle + log_moment(v, side, tilt - step);
    w.sd = sqrt(fmax(curve, 1e-14)) / step;
    double natural = sqrt(2 * depth / s->steps) / w.sd;
    for (double t = natural / 128; t < 2 * natural; t *= 1.5) {
        double to = (s->steps * (log_moment(v, side, tilt + t) - middle) + depth) / t;
        double from = -(s->steps * (log_moment(v, side, tilt - t) - middle) + depth) / t;
        if (to < w.to) {
            w.to = to;
            w.up = t;
        }
        if (from > w.from) {
            w.from = from;
            w.down = t;
        }
    }
    return w;
}

/* --- one discrete loss: mass[i] at the loss (first + i) h or, if `swapped`, e^(-(first + i) h) mass[i] at the loss
 * -(first + i) h */

struct discrete { const struct pld_cells *c; const double *mass; bool swapped; };

/* Exponentials along a grid: rung[k] = e^(k step), k < n; further points use the same n numbers times a common
 * factor. No rung exceeds e^16, so that no intermediate number overflows where the result does not. */
enum { RUNGS_MAX = 128 };
struct ladder { double step; int n; double rung[RUNGS_MAX]; };

static struct ladder make_ladder(double step)
{
    struct ladder r = { step, (int)fmin(RUNGS_MAX, 1 + floor(16 / fabs(step))), { 1 } };
    for (int k = 1; k < r.n; k++)
        r.rung[k] = exp(k * step);
    return r;
}

/* Each entry i of d->mass has a factor: e^(tilt loss), times e^(-(first + i) h) if d is swapped. Returns by how
 * much the logarithm of the factor grows from one entry to the next. */
static double growth(const struct discrete *d, double tilt)
{
    return (d->swapped ? -(tilt + 1) : tilt) * d->c->h;
}

/* out[k] <- mass number i + k times its factor (see `growth`), divided by a common factor, which is returned; for
 * the next r->n masses or fewer. *m <- how many they are. r: the ladder of step growth(d, tilt). */
static double weights(const struct discrete *d, const struct ladder *r, long i, long *m, double *out)
{
    *m = d->c->n - i < r->n ? d->c->n - i : r->n;
    for (long k = 0; k < *m; k++)
        out[k] = d->mass[i + k] > 0 ? d->mass[i + k] * r->rung[k] : 0;
    return exp(r->step * (double)(d->c->first + i));
}

/* Returns the logarithm of the sum of one release's masses, each times e^(tilt loss). */
static double log_weight(const struct discrete *d, double tilt)
{
    const struct ladder r = make_ladder(growth(d, tilt));
    double sum = 0, some[RUNGS_MAX];
    for (long i = 0, m; i < d->c->n; i += m) {
        double part = 0, factor = weights(d, &r, i, &m, some);
        for (long k = 0; k < m; k++)
            part += some[k];
        sum += part > 0 ? part * factor : 0;
    }
    return log(sum);
}

/* Returns a bound on the mass outside of the window in the exact convolution of the tilted masses; middle: the
 * logarithm of the sum of one release's tilted masses. *over <- the bound on the part above the window. */
static double outside(const struct discrete *d, const struct window *w, double steps, double middle,
                      double *over)
{
    *over = exp(fmin(0, steps * (log_weight(d, w->tilt + w->up) - middle) - w->up * w->to));
    return *over +
           exp(fmin(0, steps * (log_weight(d, w->tilt - w->down) - middle) + w->down * w->from));
}

/* --- composition of two discrete losses at once, one as real and one as imaginary part */

struct composed {
    long n, start;
    double *z, error;
}; /* z: [2n] complex numbers at the losses start h, (start + 1) h, ..., the first at place start mod n; error: a
      bound on the error of either part of z, in 1-norm */

/* How the function `power` raises a complex number (re, im) to the power `steps`. It returns |(re, im)|^(steps -
 * 1), for the error bound. Results far below rounding are set to 0. With many steps nearly all results are so
 * small; they are found by the square of |(re, im)|, without a logarithm. */
struct raised { double steps, dead, slope; };   /* numbers with |(re, im)|^2 < dead give 0; their |(re, im)|^(steps
                                                   - 1) is at most `slope` */

static double power(const struct raised *p, double *re, double *im)
{
    if (*re * *re + *im * *im < p->dead) {
        *re = *im = 0;
        return p->slope;
    }
    double size = log(hypot(*re, *im)), turn = atan2(*im, *re) * p->steps, r = exp(p->steps * size);
    *re = r * cos(turn);
    *im = r * sin(turn);
    return p->steps == 1 ? 1 : exp((p->steps - 1) * size);
}

/* z[2n] is the transform of two real sequences, one as real and one as imaginary part. Separates their spectra,
 * raises both to the power `steps`, and combines them again. For the error bound of `compose`: *slopes grows by the
 * sum over frequencies of |z|^(2 (steps - 1)), *sizes by that of the absolute values of the results; of the two
 * spectra the larger value counts. */
static void raise_spectra(double *z, long n, double steps, double *slopes, double *sizes)
{
    const struct raised p = { steps, exp(-180 / steps), exp(-90 * (steps - 1) / steps) };
    for (long k = 0; k <= n / 2; k++) {
        long m = (n - k) & (n - 1);
        double a = z[2 * k], b = z[2 * k + 1], c = z[2 * m], d = z[2 * m + 1];
        double u[2] = { (a + c) / 2, (b - d) / 2 }, v[2] = { (b + d) / 2, (c - a) / 2 };
        double most = power(&p, &u[0], &u[1]);
        most = fmax(most, power(&p, &v[0], &v[1]));
        *slopes += 2 * most * most;
        double square = fmax(u[0] * u[0] + u[1] * u[1], v[0] * v[0] + v[1] * v[1]);
        *sizes += square > 0 ? 2 * sqrt(square) : 0;
        z[2 * k] = u[0] - v[1];
        z[2 * k + 1] = u[1] + v[0];
        z[2 * m] = u[0] + v[1];
        z[2 * m + 1] = v[0] - u[1];
    }
}

/* Adds the tilted masses of one discrete privacy loss, divided by their sum e^log_mass, to the real part (part 0)
 * or to the imaginary part (part 1) of all->z. The mass at the value k h goes to entry k modulo n; if the loss is
 * swapped, to entry -k modulo n. */
static void place_weights(struct composed *all, const struct discrete *d, int part, double log_mass,
                          double tilt)
{
    const struct ladder r = make_ladder(growth(d, tilt));
    double some[RUNGS_MAX], mass = exp(log_mass);
    for (long i = 0, m; i < d->c->n; i += m) {
        double factor = weights(d, &r, i, &m, some) / mass;
        for (long k = 0; k < m; k++) {
            long at = (d->swapped ? -1 : 1) * (d->c->first + i + k) & (all->n - 1);
            all->z[2 * at + part] += some[k] > 0 ? some[k] * factor : 0;
        }
    }
}

/* all->z <- the T-fold convolutions of the tilted masses of both losses d[2], T = steps; all->error <- a bound on
 * the error in 1-norm. `round` bounds the error of a transform of masses with sum 1 at every frequency; the power T
 * multiplies it by T |z|^(T-1); the 1-norm of the inverse transform is at most the 2-norm of the spectrum. */
static void compose(struct composed *all, const struct discrete *d, const double *log_mass,
                    double tilt, double steps, struct arena *a)
{
    const double round = 1e-15 * log2((double)all->n);
    double slopes = 0, sizes = 0;
    for (int part = 0; part < 2; part++)
        place_weights(all, &d[part], part, log_mass[part], tilt);
    struct account_fft *f = account_fft_new(all->n, a);
    account_fft_run(f, false, &all->z);
    raise_spectra(all->z, all->n, steps, &slopes, &sizes);
    account_fft_run(f, true, &all->z);
    all->error = steps * (round + 1e-15) * sqrt(slopes) + round * sizes;
}

/* --- epsilon of the composition */

/* mass[n] <- the masses of the composition without the tilt, from the highest loss down. log_total: the logarithm
 * of the sum of the tilted masses of the composition, by which they were divided. */
static void untilt(const struct composed *all, int part, double h, double tilt, double log_total,
                   double *mass)
{
    const struct ladder r = make_ladder(tilt * h);
    for (long from = 0; from < all->n; from += r.n) {
        long top = all->start + all->n - 1 - from, m = all->n - from < r.n ? all->n - from : r.n;
        double factor = exp(log_total - tilt * (double)top * h);
        for (long k = 0; k < m; k++) {
            double v = all->z[2 * ((top - k) & (all->n - 1)) + part];
            mass[from + k] = v > 0 ? v * r.rung[k] * factor : 0;
        }
    }
}

/* Returns the upper (part 0) or the lower (part 1) bound on the epsilon of one side. The upper one is epsilon at a
 * delta from which all errors and the mass of infinite losses are subtracted, the lower one epsilon at a delta to
 * which all errors are added. */
static double bound(const struct composed *all, const struct discrete *d, const struct window *w,
                    const struct setting *s, double log_mass, int part, double *mass)
{
    const double h = d->c->h, top = (double)(all->start + all->n - 1) * h, total = s->steps * log_mass;
    const double rel = (4e-13 + 4e-18 / h) * s->steps, sign = part == 0 ? 1 : -1;
    double over, lost = outside(d, w, s->steps, log_mass, &over),
                 error = all->error + (part == 0 ? over : lost);
    double infinite = part == 0 && !d->swapped ? s->steps * d->c->beyond : 0;
    double target = s->delta * (1 - sign * rel) - infinite;
    untilt(all, part, h, w->tilt, total, mass);
    double eps = account_loss_eps(all->n, top, h, mass, target);
    double err = 2 * error * leverage(eps, w->tilt, total);
    if (part == 0) /* the error bound falls with eps, and eps rises where the error is subtracted from delta */
        return account_loss_eps(all->n, top, h, mass, target - err) * (1 + 1e-12);
    double low = account_loss_eps(all->n, top, h, mass, target + err) * (1 - 1e-12);
    return error * leverage(low, w->tilt, total) <= err ? low - 1e-12 * s->steps * h : 0;
}

/* eps[0], eps[1] <- an upper and a lower bound of the epsilon of one side (the lower is 0 for WITHOUT_RECORD, where
 * none is computed). Memory comes from the arena a. */
static void one_side(const struct setting *s, const struct pld_cells *c, enum side side,
                     const struct window *w, struct arena *a, double eps[2])
{
    const bool swapped = side == WITHOUT_RECORD;
    const struct discrete d[2] = { { c, c->above, swapped },
                                   { c, swapped ? c->above : c->below, swapped } };
    double log_mass[2] = { log_weight(&d[0], w->tilt), log_weight(&d[1], w->tilt) };
    struct composed all = { POINTS_MIN, (long)floor(w->from / c->h), NULL, 0 };
    while (all.n < POINTS_MAX && (double)all.n * c->h < w->to - w->from + c->h)
        all.n *= 2;
    arena_reset(a);
    all.z = ARENA_ARRAY(a, 2 * all.n, double);
    double *mass = arena_vec(a, all.n);
    compose(&all, d, log_mass, w->tilt, s->steps, a);
    eps[0] = bound(&all, &d[0], w, s, log_mass[0], 0, mass);
    eps[1] = swapped ? 0 : bound(&all, &d[1], w, s, log_mass[1], 1, mass);
}

/* What all attempts (grids) of one call of pld_sampled_gaussian share. tail: the probability of outcomes beyond the
 * grid of one release; back: Renyi divergences for a record removed; nodes: the rough quadrature of one release;
 * memory: the arena of the composition. */
struct ground { struct setting s; double tail; struct tilts back; struct nodes nodes; struct arena *memory; };

/* *eps <- bounds on epsilon from the tilts that are best if epsilon is eps->upper, on a grid of at most `points`
 * losses in the window. Where Renyi divergences show that a record removed costs less than one added, that side is
 * not composed; at q = 1 the two sides are mirror images. Returns false where the grid would be too large. */
static bool attempt(struct ground *g, double points, struct pld_eps *eps)
{
    const struct setting *s = &g->s;
    const double scale = s->q == 1 ? 1 / s->sd : s->q * sqrt(expm1(1 / (s->sd * s->sd)));
    double tilt = best_tilt(s, &g->nodes, WITH_RECORD, eps->upper, 300);
    struct window w = find_window(s, &g->nodes, WITH_RECORD, tilt);
    struct pld_cells c = { .q = s->q, .sd = s->sd };
    double with[2], without[2] = { 0, 0 };
    c.h = fmax(fmin(w.sd / 400, scale / 64), (w.to - w.from) / (points - 2));
    if (!(c.h > 0 && isfinite(c.h)) || !pld_cells_fill(&c, g->tail))
        return false;
    one_side(s, &c, WITH_RECORD, &w, g->memory, with);
    if (s->q < 1 && !(tilts_delta(&g->back, with[0]) < s->delta * (1 - 1e-9))) {
        tilt = best_tilt(s, &g->nodes, WITHOUT_RECORD, eps->upper, tilt);
        w = find_window(s, &g->nodes, WITHOUT_RECORD, tilt);
        one_side(s, &c, WITHOUT_RECORD, &w, g->memory, without);
    }
    free(c.above);
    free(c.below);
    *eps = (struct pld_eps){ fmax(0, with[1]), fmax(with[0], without[0]) };
    return true;
}

/* The attempts on coarse grids find the tilt for the finest one. When the bounds of a coarse grid are within 5e-4
 * of each other, the finest grid is next. With fewer than 100 steps any grid may happen to fit the losses best, and
 * all are tried. */
struct pld_eps pld_sampled_gaussian(double q, double sd, double steps, double delta)
{
    struct pld_eps best = { 0, INFINITY }, eps;
    struct tilts forth;
    if (q == 0 || (q <= 1 && isinf(sd) && sd > 0))
        return (struct pld_eps){ 0, 0 };
    if (!(q > 0 && q <= 1 && sd > 0 && isfinite(sd) && steps >= 1 && steps <= 1e12 &&
          delta >= 1e-290 && delta < 1))
        return best;
    struct ground *g = malloc(sizeof *g);
    BUG_IF(!g);
    g->s = (struct setting){ q, sd, steps, delta };
    g->memory = arena_new(0);
    g->tail = delta / steps * 1e-9;
    tilts_begin(&forth, q, sd, steps, true);
    tilts_begin(&g->back, q, sd, steps, false);
    fill_nodes(&g->s, g->tail, &g->nodes);
    best.upper = fmax(tilts_eps(&forth, delta), tilts_eps(&g->back, delta)) * (1 + ACCOUNT_SLACK);
    eps = best;
    for (double points = POINTS_COARSE; points <= POINTS_FINE; points *= 4) {
        if (!attempt(g, points, &eps))
            break;
        best = (struct pld_eps){ fmax(best.lower, eps.lower), fmin(best.upper, eps.upper) };
        eps.upper = best.upper;
        if (points < POINTS_FINE && steps >= 100 && best.upper - best.lower < 5e-4 * best.upper)
            points = POINTS_FINE / 4;
    }
    arena_free(g->memory);
    free(g);
    return best;
}

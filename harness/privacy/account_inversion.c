/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_inversion.c - the epsilon of the Poisson-sampled Gaussian without a grid of losses. For any c > 0
 *
 *     delta(eps) = 1/pi int_0^oo Re[ e^(T K(z) - z eps) / (z (z + 1)) ] dt,   z = c + i t,
 *
 * where T is the number of releases, e^K(z) = E e^(z l), and l is the privacy loss of one release. The integral is
 * taken along the line Re z = c through the saddle point, where nothing cancels. The trapezoidal rule with steps
 * eta of t adds copies of the curve delta(eps) that are shifted by multiples of 2 pi/eta in eps and weighted by
 * e^(-c shift); Chernoff's inequality bounds them. The place where the integral is cut off is judged from the size
 * of the terms, and is not proven. */
#include <math.h>
#include <stdlib.h>

#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "status.h"

/* Limits of the work for one side (struct line): the number of terms of the trapezoidal rule, and this number times
 * the nodes of the quadrature that computes K. Larger limits let a few releases of little noise have an answer, and
 * take more time. */
enum { TERMS_MAX = 1 << 17 };
static const double WORK_MAX = 2e7;

/* One side of a composition: the loss of outcomes drawn from the data set with the record, or from the one without
 * it. */
struct line {
    double q, sd, steps, delta;
    bool with;                       /* true: with the record */
    double c, eps;                   /* c: the real part of z on the line of integration; eps: an upper bound of the
                                        answer */
    double eta, reach;               /* eta: the step length of the trapezoidal rule; reach: the largest t */
    long terms;
    double *re, *im;                 /* [terms] real and imaginary part of e^(T K(z) - T K(c))/(z (z+1)) at z = c +
                                        i j eta, j < terms */
};

static double log_moment(const struct line *l, double a)
{
    return l->steps * rdp_log_moment(l->q, l->sd, l->with ? 1 + a : -a);
}

/* Returns the bound on epsilon of Canonne, Kamath and Steinke (account_zcdp_cks) for the tilt a, the order minus
 * 1. */
static double bound_at(const struct line *l, double a)
{
    return (log_moment(l, a) - log(l->delta) - log1p(a)) / a + log(a) - log1p(a);
}

/* Sets l->c to the tilt at which `bound_at` is smallest, and l->eps to that bound. The tilt is near the saddle
 * point; the formula holds for any other c > 0 too. */
static void find_line(struct line *l)
{
    double best = 0, least = INFINITY, width = 0.4;
    for (double u = log(1e-3); u < log(1000); u += width)
        if (bound_at(l, exp(u)) < least) {
            least = bound_at(l, exp(u));
            best = u;
        }
    for (width /= 2; width > 0.02; width /= 2) {
        double below = bound_at(l, exp(best - width)), above = bound_at(l, exp(best + width));
        best += below < fmin(least, above) ? -width : above < least ? width : 0;
        least = fmin(least, fmin(below, above));
    }
    l->c = exp(best);
    l->eps = fmax(least, 0);
}

/* Returns a guess for the t beyond which the integrand is negligible, computed as if the loss, weighted by e^(c
 * loss), were normal; at least 64 steps eta. */
static double likely_reach(const struct line *l)
{
    double h = 0.01 * l->c, curve = log_moment(l, l->c + h) - 2 * log_moment(l, l->c) +
                                    log_moment(l, l->c - h);
    return fmax(64 * l->eta, fmin(1e6, h * sqrt(120 / fmax(curve, 1e-12))));
}

/* Returns a step eta of the trapezoidal rule so small that the shifted copies of the curve delta(eps) are below
 * 1e-15 of delta. Copies from smaller eps are bounded by delta <= 1, copies from larger eps by Chernoff's
 * inequality with a tilt a > c. The first tilts are close together, since for a small q the log moment may rise
 * steeply shortly above c. Returns 0 where no step is found. */
static double find_step(const struct line *l)
{
    double window = log(1e16 / l->delta) / l->c + l->eps;
    for (int k = 0; k < 12; k++, window *= 1.5)
        for (double a = 1.05 * l->c; a < 1000; a *= a < 1.25 * l->c ? 1.05 : 1.25)
            if (l->c * window + log_moment(l, a) - a * window < log(1e-16 * l->delta))
                return 6.283185307179586 / window;
    return 0;
}

/* Computes re and im of l up to t = l->reach. Returns false where the last terms are not negligible, or where the
 * terms would be too many; in the latter case l->terms is not changed. */
static bool fill_terms(struct line *l)
{
    const double order = l->with ? 1 + l->c : -l->c, sign = l->with ? 1 : -1, s2 = l->sd * l->sd;
    const double h = fmin(l->sd / 16, s2 / fmax(3, l->reach));
    const double from = fmin(0, order) - 13 * l->sd, to = fmax(1, order) + 13 * l->sd;
    const long nodes = (long)ceil((to - from) / h), terms = (long)ceil(l->reach / l->eta) + 1;
    double most = -INFINITY, sum = 0;
    if (!((double)nodes * (double)terms < WORK_MAX && terms < TERMS_MAX))
        return false;
    double *loss = malloc((size_t)nodes * sizeof *loss);
    double *mass = malloc((size_t)nodes * sizeof *mass);
    BUG_IF(!loss || !mass);
    for (long k = 0; k < nodes; k++) {
        double x = from + (double)k * h, whole = (2 * x - 1) / (2 * s2);
        loss[k] = l->q == 1 ? whole
                            : whole > 700 ? whole + log(l->q) : log1p(l->q * expm1(whole));
        mass[k] = order * loss[k] - x * x / (2 * s2);
        most = fmax(most, mass[k]);
    }
    long kept = 0;
    for (long k = 0; k < nodes; k++)
        if (mass[k] > most - 48) {           /* e^-48 is far below rounding */
            loss[kept] = loss[k];
            sum += mass[kept++] = exp(mass[k] - most);
        }
    l->terms = terms;
    l->re = malloc((size_t)terms * sizeof *l->re);
    l->im = malloc((size_t)terms * sizeof *l->im);
    BUG_IF(!l->re || !l->im);
    for (long j = 0; j < terms; j++) {
        double t = (double)j * l->eta, re = 0, im = 0;
        for (long k = 0; k < kept; k++) {
            re += mass[k] * cos(t * loss[k]);
            im += mass[k] * sin(t * loss[k]);
        }
        double size = l->steps * log(hypot(re, im) / sum), turn = sign * l->steps * atan2(im, re);
        double below = l->c * (l->c + 1) - t * t, across = t * (2 * l->c + 1);
        bool rounding = hypot(re, im) < 1e-14 * sum;     /* both sums are rounding errors of numbers that are no
                                                            larger */
        size = rounding ? 0 : exp(size) / hypot(below, across);
        turn -= atan2(across, below);
        l->re[j] = size * cos(turn);
        l->im[j] = size * sin(turn);
    }
    free(loss);
    free(mass);
    double end = 0;
    for (long j = terms - terms / 8 - 1; j < terms; j++)
        end = fmax(end, hypot(l->re[j], l->im[j]));
    return end < 1e-17 * l->re[0];
}

static double delta_at(const struct line *l, double total, double eps)
{
    double sum = l->re[0] / 2;
    for (long j = 1; j < l->terms; j++) {
        double turn = -(double)j * l->eta * eps;
        sum += l->re[j] * cos(turn) - l->im[j] * sin(turn);
    }
    return sum * l->eta / 3.141592653589793 * exp(total - l->c * eps);
}

/* Returns the epsilon at which delta(eps) of this side is l->delta. Towards smaller eps the rounding errors grow as
 * e^(-c eps), faster than delta(eps): the search stays where they are below l->delta, and gives NaN if the epsilon
 * is not there. */
static double solve(const struct line *l)
{
    double total = log_moment(l, l->c), high = l->eps;
    double low = fmax(0, (total - log(l->delta * 1e13)) / l->c);
    if (delta_at(l, total, low) <= l->delta)
        return low == 0 ? 0 : NAN;
    while (high - low > 1e-13 * high) {
        double mid = low + (high - low) / 2;
        if (delta_at(l, total, mid) <= l->delta)
            high = mid;
        else
            low = mid;
    }
    return high;
}

/* Returns the epsilon of one side (struct line), or `enough` where a bound shows that it is at most `enough`; NaN
 * where it would take too many terms. */
static double side(const struct line *case_of, bool with, double enough)
{
    struct line l = *case_of;
    bool done = false;
    l.with = with;
    find_line(&l);
    if (l.eps <= enough)
        return enough;
    if (!(l.c > 0 && isfinite(l.eps)) || (l.eta = find_step(&l)) == 0)
        return NAN;
    for (l.reach = likely_reach(&l); !done; l.reach *= 2) {
        long before = l.terms;
        free(l.re);
        free(l.im);
        l.re = l.im = NULL;
        done = fill_terms(&l);
        if (!done && l.terms == before)
            return NAN;              /* too much work */
    }
    double eps = solve(&l);
    free(l.re);
    free(l.im);
    return eps;
}

double account_sampled_gaussian_eps(double q, double sd, double steps, double delta)
{
    if (q == 0 || (q <= 1 && isinf(sd) && sd > 0))
        return 0;
    if (!(q > 0 && q <= 1 && sd > 0 && isfinite(sd) && steps >= 1 && steps <= 1e12 &&
          delta >= 1e-290 && delta < 1))
        return NAN;
    const struct line l = { .q = q, .sd = sd, .steps = steps, .delta = delta };
    double with = side(&l, true, 0), both = isnan(with) ? NAN : side(&l, false, with);
    return isnan(both) ? NAN : fmax(with, both) * (1 + ACCOUNT_SLACK);
}

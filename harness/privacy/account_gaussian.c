/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_gaussian.c - the exact epsilon of Gaussian noise, zCDP, and the search for the noise scale with a given
 * epsilon. */
#include "privacy/account.h"

#include <float.h>
#include <math.h>

#include "gdp_curve.h"

static bool is_delta(double delta) { return delta > 0 && delta < 1; }

/* Returns an upper bound on the relative rounding error of gdp_delta(eps, mu), which computes e^(-a^2/2), a =
 * eps/mu + mu/2, from a rounded exponent. */
static double curve_error(double eps, double mu)
{
    double a = eps / mu + mu / 2;
    return 1e-14 * (4 + a * a);
}

double account_gaussian_delta(double mu, double eps)
{
    if (!(mu >= 0 && eps >= 0))
        return 1;
    if (mu == 0 || isinf(mu) || isinf(eps))
        return mu > 0 && !(isinf(eps) && isfinite(mu));
    double delta = gdp_delta(eps, mu) * (1 + fmin(1e-10, curve_error(eps, mu)));
    return fmin(1, fmax(delta, DBL_TRUE_MIN));
}

/* Is delta(eps; mu) of Gaussian noise at most delta, whatever the rounding errors? Below 1e-290 logarithms of delta
 * are compared. */
static bool covers(double mu, double eps, double delta)
{
    if (delta > 1e-290)
        return account_gaussian_delta(mu, eps) <= delta;
    return gdp_log_delta(eps, mu) + curve_error(eps, mu) <= log(delta);
}

double account_gaussian_eps(double mu, double delta)
{
    if (delta >= 1 || mu == 0)
        return 0;
    if (!(mu > 0 && delta > 0) || isinf(mu))
        return INFINITY;
    double low = 0, high = (mu * mu / 2 + mu * sqrt(-2 * log(delta))) * (1 + ACCOUNT_SLACK / 2);
    if (isinf(high))
        return high;
    if (covers(mu, 0, delta))
        return 0;
    while (high - low > 1e-13 * high) {
        double mid = low + (high - low) / 2;
        if (covers(mu, mid, delta))
            high = mid;
        else
            low = mid;
    }
    return high;
}

double account_gaussian_sigma(double eps, double delta)
{
    if (!(eps >= 0 && delta > 0))
        return INFINITY;
    if (delta >= 1 || isinf(eps))
        return 0;
    return (1 + 1e-11) / gdp_mu(eps, delta);
}

/* --- zCDP: epsilon from rho, and rho from epsilon */

double account_zcdp_bun_steinke(double rho, double delta)
{
    if (!(rho >= 0 && is_delta(delta)))
        return delta >= 1 ? 0 : INFINITY;
    return (rho + 2 * sqrt(rho * -log(delta))) * (1 + ACCOUNT_SLACK / 4);
}

/* Minimises the bound on epsilon over the order a. Its derivative in t = a - 1 vanishes where rho t^2 =
 * log(1/delta) - log(1 + t). The left side rises and the right side falls, so that halving finds the root. It need
 * not be exact, because every t gives a valid bound. */
double account_zcdp_cks(double rho, double delta, double *order)
{
    double L = -log(delta), low = 0, high = sqrt(L / rho);
    if (order)
        *order = INFINITY;
    if (delta >= 1 || rho == 0)
        return 0;
    if (!(rho > 0 && delta > 0) || isinf(rho))
        return INFINITY;
    while (high - low > 1e-14 * high) {
        double t = low + (high - low) / 2;
        if (rho * t * t < L - log1p(t))
            low = t;
        else
            high = t;
    }
    double t = high, gain = log(t) - log1p(t), cost = (L - log1p(t)) / t;
    double terms = rho * (1 + t) + (L + log1p(t)) / t - gain;
    if (order)
        *order = 1 + t;
    return fmax(0, rho * (1 + t) + cost + gain + ACCOUNT_SLACK / 4 * terms);
}

double account_zcdp_rho(double eps, double delta)
{
    if (!(eps >= 0 && is_delta(delta)))
        return 0;
    double L = -log(delta), root = eps / (sqrt(L + eps) + sqrt(L));
    return root * root * (1 - ACCOUNT_SLACK);
}

/* --- inversion of an accountant: the noise scale with a given epsilon */

/* Searches by Chandrupatla's method (1997) on log x: inverse quadratic interpolation where it is safe, else
 * halving. Each guess keeps a distance from the ends of the bracket, so that both ends move. */
double account_calibrate(double (*eps_at)(double x, const void *ctx), const void *ctx, double eps)
{
    double low = 1, high = 1, above, below;
    int unknown = 0;
    if (!(eps >= 0))
        return INFINITY;
    while (!((below = eps_at(high, ctx) - eps) <= 0)) {
        if (isnan(below) && ++unknown > 6)
            return NAN;
        if (isinf(high *= 2))
            return INFINITY;
    }
    low = high;
    while ((above = eps_at(low, ctx) - eps) <= 0)
        if ((low /= 2) == 0)
            return 0;
    /* a, b, c are logarithms of x. a: the newest end of the bracket; b: its other end; c: the end that was dropped
     * last */
    double a = log(high), fa = below, b = log(low), fb = above, c = b, fc = fb, share = 0.5;
    for (int turn = 0; turn < 200 && exp(fabs(b - a)) - 1 > 1e-11; turn++) {
        double at = a + share * (b - a), f = eps_at(exp(at), ctx) - eps;
        if (isnan(f) && ++unknown > 6)
            return NAN;
        bool same = (f <= 0) == (fa <= 0);
        c = same ? a : b;
        fc = same ? fa : fb;
        if (!same) {
            b = a;
            fb = fa;
        }
        a = at;
        fa = f;
        double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb), least = 2e-12 / fabs(b - a);
        share = 0.5;
        if (isfinite(fa) && isfinite(fb) && isfinite(fc) && phi * phi < xi &&
            (1 - phi) * (1 - phi) < 1 - xi)
            share = fa / (fb - fa) * fc / (fb - fc) +
                    (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
        share = fmax(fmin(least, 0.5), fmin(1 - fmin(least, 0.5), share));
    }
    if (isnan(fa) || isnan(fb))
        return NAN;
    double x = exp(fa <= 0 ? a : b) * (1 + 1e-15);
    for (double more = 1e-14; more < 1e-9 && eps_at(x, ctx) > eps; more *= 2)
        x *= 1 + more;                   /* rounding makes an accountant uneven: the returned x itself must satisfy
                                            eps_at(x) <= eps */
    return x;
}

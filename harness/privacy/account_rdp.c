/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_rdp.c - Renyi divergences of single mechanisms, their sums on a grid of orders, and the conversion to
 * epsilon. */
#include "privacy/account_rdp.h"

#include <float.h>
#include <math.h>

static double up(double x) { return x * (1 + ACCOUNT_SLACK / 4); }

double rdp_gaussian(double mu, double a)
{
    return mu >= 0 ? up(a * mu * mu / 2) : INFINITY;
}

/* Returns e^x - 1 - x >= 0 without cancellation. */
static double exp_rest(double x)
{
    if (fabs(x) > 0.5)
        return expm1(x) - x;
    double term = x * x / 2, sum = 0;
    for (int k = 3; fabs(term) > 1e-18 * sum; k++) {
        sum += term;
        term *= x / k;
    }
    return sum;
}

/* The formula of Proposition 6 (Mironov 2017) is log(1 + rest)/(a - 1), where the rest is a sum of two exponentials
 * less 1. The terms of orders 0 and 1 of their series cancel, so that the rest is computed without them. */
double rdp_laplace(double eps0, double a)
{
    if (!(eps0 >= 0) || isinf(eps0))
        return INFINITY;
    if ((a - 1) * eps0 > 30)             /* the second exponential is below rounding */
        return up(eps0 + (log(a / (2 * a - 1)) + (a - 1) / a * exp(-60)) / (a - 1));
    double rest = a * exp_rest((a - 1) * eps0) + (a - 1) * exp_rest(-a * eps0);
    return up(log1p(rest / (2 * a - 1)) / (a - 1));
}

double rdp_pure(double eps0, double a)
{
    return eps0 >= 0 ? up(fmin(eps0, a * eps0 * eps0 / 2)) : INFINITY;
}

double rdp_exponential(double eps0, double a)
{
    return eps0 >= 0 ? up(fmin(eps0, a * eps0 * eps0 / 8)) : INFINITY;
}

double rdp_replacement(double s, double tau, double a)
{
    if (!(s >= 0 && s < 1.0 / 40 && tau >= 0 && tau <= 1.0 / 3 && a * tau < 3))
        return INFINITY;
    return up(13 * s * s * a * tau);
}

/* --- Poisson sampling: the moment E (1 + x)^a is computed from E ((1 + x)^a - 1 - a x), where x = q (r - 1), r is
 * the likelihood ratio of N(1, sd^2) to N(0, sd^2), and E x = 0 under the latter */

/* The sum of e^term over the terms that log_add adds one by one. largest: the largest term; sum: the sum divided by
 * e^largest, so that its logarithm is largest + log(sum). */
struct log_sum { double largest, sum; };

static void log_add(struct log_sum *s, double term)
{
    if (term <= s->largest) {
        s->sum += exp(term - s->largest);
    } else {
        s->sum = s->sum * exp(s->largest - term) + 1;
        s->largest = term;
    }
}

/* Returns log |(1 + x)^a - 1 - a x| at w = log r, r the likelihood ratio. (1 + x)^a - 1 - a x has one sign for all
 * x, because the power is convex or concave. */
static double log_beyond_linear(double q, double a, double w)
{
    double x = q * expm1(w);
    if (fabs(a * x) < 0.1 && fabs(x) < 0.1) {
        double term = a * (a - 1) / 2 * x * x, sum = 0;
        for (int k = 3; fabs(term) > 1e-18 * fabs(sum); k++) {
            sum += term;
            term *= (a - k + 1) / k * x;
        }
        return log(fabs(sum));
    }
    bool huge = w > 700;                 /* e^w overflows, and x is q e^w to all digits */
    double t = a * (huge ? log(q) + w : log1p(x));
    double line = huge ? log(fabs(a) * q) + w : log1p(fabs(a * x));
    if (t > 40) /* the power e^t is far larger than the line 1 + a x */
        return t + log1p(-exp(line - t));
    return huge ? line : log(fabs(expm1(t) - a * x));
}

/* The most points of the trapezoidal rule. A larger number lets the integral, and not the bound by convexity
 * (log_mixture), serve for smaller sd, and takes more time. */
enum { NODES_MAX = 1 << 19 };

/* Returns log(1 - q + q E r^a), a bound on log E (1 - q + q r)^a by convexity of the power; whole: log E r^a. It is
 * an upper bound for a < 0 and a > 1, where the power is convex, and a lower bound for 0 < a < 1. In both cases the
 * divergence that follows from it is too large, if anything. */
static double log_mixture(double q, double whole)
{
    return whole > 40 ? whole + log(q) + (1 - q) / q * exp(-whole) : log1p(q * expm1(whole));
}

/* Integrates over the released number z by the trapezoidal rule. The integrand is analytic up to |Im z| = pi sd^2
 * (where 1 + x = 1 - q + q r may vanish), so that the rule with step length h is exact to rounding. All terms have
 * one sign and nothing cancels, unlike in the alternating series that is usual for fractional orders. */
double rdp_log_moment(double q, double sd, double a)
{
    double h = fmin(sd / 16, sd * sd / 3), width = 13 * sd, largest = 0;
    double from = fmin(0, a) - width, to = fmax(1, a) + width;
    struct log_sum s = { -INFINITY, 0 };
    if (q == 0 || a == 0 || a == 1 || isinf(sd))
        return 0;
    if (q == 1)
        return a * (a - 1) / (2 * sd * sd);
    if ((to - from) / h > NODES_MAX)
        return log_mixture(q, a * (a - 1) / (2 * sd * sd));
    for (double z = from; z <= to; z += h) {
        double power = log_beyond_linear(q, a, (2 * z - 1) / (2 * sd * sd));
        double term = power - z * z / (2 * sd * sd);
        if (term > s.largest - 45) {
            log_add(&s, term);
            largest = fmax(largest, fabs(power));
        }
    }
    double rise = log(s.sum * h / (sd * 2.5066282746310005)) + s.largest;
    rise += 2e-15 * (16 + largest);      /* a bound on the error, since exponents are rounded before exp */
    if (a > 0 && a < 1)
        return log1p(-exp(rise));
    return rise > 40 ? rise + exp(-rise) : log1p(exp(rise));
}

/* Returns the logarithm of 1 + sum_k C(a,k) (1-q)^(a-k) q^k (e^(k(k-1)/(2 sd^2)) - 1). The binomial weights, which
 * sum to 1, are taken out of the sum by the -1, so that small divergences keep their digits. The sum of positive
 * terms is formed in long double, where none is out of range: a power q^k that underflows is below 10^-2000. */
_Static_assert(LDBL_MAX_EXP >= 16384, "moments are summed in a long double of 15 bits of exponent");
static double integer_moment(double q, double sd, int a)
{
    long double scale = 2 * (long double)sd * sd, odds = (long double)q / (1 - (long double)q);
    long double weight = expl(a * log1pl(-(long double)q)) * a * odds, sum = 0;
    for (int k = 2; k <= a; k++) {
        weight *= odds * (a - k + 1) / k;
        sum += weight * expm1l(k * (k - 1.0L) / scale);
    }
    return (double)log1pl(sum);
}

/* Returns what integer_moment returns; where its terms may be out of range, they are summed by their logarithms. */
static double integer_log_moment(double q, double sd, int a)
{
    long double log_q = logl(q), log_p = log1pl(-(long double)q), scale = 2 * (long double)sd * sd;
    long double all = lgammal(a + 1), largest = -INFINITY, sum = 0;
    if (a * (a - 1.0L) < 5000 * scale && -a * log_p < 5000)
        return integer_moment(q, sd, a);
    for (int k = 2; k <= a; k++) {
        long double x = k * (k - 1.0L) / scale, rest = x > 40 ? x : logl(expm1l(x));
        long double term = all - lgammal(k + 1) - lgammal(a - k + 1) + k * log_q + (a - k) * log_p;
        term += rest;
        if (term > largest) {
            sum = sum * expl(largest - term) + 1;
            largest = term;
        } else {
            sum += expl(term - largest);
        }
    }
    long double rise = largest + logl(sum);
    return (double)(rise > 60 ? rise + expl(-rise) : log1pl(expl(rise)));
}

double rdp_sampled_gaussian(double q, double sd, double a)
{
    bool whole = a == rint(a) && a <= 1024;
    if (!(q >= 0 && q <= 1 && sd > 0 && a > 1) || (!whole && a > 11))
        return q == 0 ? 0 : INFINITY;
    if (q == 0 || q == 1 || isinf(sd))
        return q > 0 ? rdp_gaussian(1 / sd, a) : 0;
    double moment = whole && a < 1e9 ? integer_log_moment(q, sd, (int)a) : rdp_log_moment(q, sd, a);
    return moment >= 0 ? up(moment / (a - 1)) : INFINITY;
}

/* --- Subsets. The log moment is convex in the order: between two integers it is at most the linear
 * interpolation. */

static double subset_log_moment(double s, double mu, int a)
{
    long double all = lgammal(a + 1), log_s = logl(s), m2 = (long double)mu * mu;
    struct log_sum sum = { -INFINITY, 0 };
    for (int j = 2; j <= a; j++) {
        long double choose = all - lgammal(j + 1) - lgammal(a - j + 1);
        long double base = logl(2) + j * (j - 1.0L) / 2 * m2;
        if (j == 2 && m2 < 1)
            base = fminl(base, logl(4 * expm1l(m2)));
        log_add(&sum, (double)(choose + j * log_s + base));
    }
    double rise = sum.largest + log(sum.sum);
    return rise > 40 ? rise + exp(-rise) : log1p(exp(rise));
}

double rdp_subset(double s, double mu, double a)
{
    bool order = a > 1 && (a <= 11 || (a == rint(a) && a <= 1024));
    if (!(s >= 0 && s <= 1 && mu >= 0 && order) || isinf(mu))
        return s == 0 || mu == 0 ? 0 : INFINITY;
    if (s == 0 || mu == 0)
        return 0;
    int whole = (int)a;
    double part = a - whole, low = whole > 1 ? subset_log_moment(s, mu, whole) : 0;
    double high = part > 0 ? subset_log_moment(s, mu, whole + 1) : 0;
    return up(((1 - part) * low + part * high) / (a - 1));
}

/* --- the grid of orders: composition */

#define TENTHS(n) \
    n + 0.0, n + 0.1, n + 0.2, n + 0.3, n + 0.4, n + 0.5, n + 0.6, n + 0.7, n + 0.8, n + 0.9
#define ONES(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9

const double rdp_order[RDP_ORDERS] = {
    1.001,     1.01,      1.02,      1.05,      1.1,       1.2,        1.3,       1.4,
    1.5,       1.6,       1.7,       1.8,       1.9,       TENTHS(2),  TENTHS(3), TENTHS(4),
    TENTHS(5), TENTHS(6), TENTHS(7), TENTHS(8), TENTHS(9), TENTHS(10), ONES(11),  ONES(21),
    ONES(31),  ONES(41),  ONES(51),  61,        62,        63,         64,        80,
    96,        128,       256,       512,       1024,
};

/* Adds the divergence of `times` uses of a mechanism at order number k. With times = 0 nothing is added, also where
 * the divergence is infinite. */
static void add_at(struct rdp *c, int k, double times, double divergence)
{
    if (times > 0)
        c->divergence[k] += times * divergence * (1 + 1e-15);
    else if (!(times == 0))
        c->divergence[k] = INFINITY;
}

/* Defines a function that adds the divergence of one mechanism at every order a. */
#define DEFINE_ADD(name, members, at_order)                                  \
    void rdp_add_##name(struct rdp *c, double times, members)                \
    {                                                                        \
        for (int k = 0; k < RDP_ORDERS; k++) {                               \
            const double a = rdp_order[k];                                   \
            add_at(c, k, times, at_order);                                   \
        }                                                                    \
    }
#define TWO(x, y) double x, double y
DEFINE_ADD(gaussian, double mu, rdp_gaussian(mu, a))
DEFINE_ADD(sampled_gaussian, TWO(q, sd), rdp_sampled_gaussian(q, sd, a))
DEFINE_ADD(laplace, double eps0, rdp_laplace(eps0, a))
DEFINE_ADD(pure, double eps0, rdp_pure(eps0, a))
DEFINE_ADD(exponential, double eps0, rdp_exponential(eps0, a))
DEFINE_ADD(replacement, TWO(s, tau), rdp_replacement(s, tau, a))
DEFINE_ADD(subset, TWO(s, mu), fmin(rdp_subset(s, mu, a), rdp_gaussian(mu, a)))

void rdp_add(struct rdp *c, double times, const struct rdp *b)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add_at(c, k, times, b->divergence[k]);
    c->failure += times > 0 ? times * b->failure : 0;
}

/* --- from a divergence at one order to epsilon, and the best order */

double rdp_convert(enum rdp_conversion how, double divergence, double a, double delta)
{
    if (!(divergence >= 0 && a > 1 && delta > 0))
        return INFINITY;
    double cost = -log(delta) / (a - 1), gain = 0;
    if (how == RDP_CKS)
        gain = log(a) / (a - 1) - log1p(-1 / a);
    double eps = divergence + cost - gain;
    return fmax(0, eps + ACCOUNT_SLACK / 4 * (fabs(cost) + gain));
}

/* Returns the smallest eps(delta') with delta' + (1 + e^eps(delta')) f <= delta, where eps(delta') converts the
 * divergence at order a. The left side is convex in delta': e^eps is a constant times delta'^(-1/(a-1)), but at
 * least 1. Its minimum is at the smaller of the stationary point and the point where e^eps reaches 1. Right of the
 * minimum the largest delta' that satisfies the inequality is searched for, since eps(delta') falls. */
static double convert_failing(enum rdp_conversion how, double divergence, double a, double delta,
                              double f)
{
    if (f == 0)
        return rdp_convert(how, divergence, a, delta);
    if (!(f > 0 && isfinite(divergence)))
        return INFINITY;
    double gain = how == RDP_CKS ? log(a) / (a - 1) - log1p(-1 / a) : 0, log_c = divergence - gain;
    double cut = (a - 1) * log_c, still = (a - 1) / a * (log(f / (a - 1)) + log_c);
    double low = exp(fmin(fmin(still, cut), log(delta))), high = delta;
    if (!(low + (1 + exp(rdp_convert(how, divergence, a, low))) * f <= delta))
        return INFINITY;
    while (high - low > 1e-13 * high) {
        double mid = low + (high - low) / 2;
        if (mid + (1 + exp(rdp_convert(how, divergence, a, mid))) * f <= delta)
            low = mid;
        else
            high = mid;
    }
    return rdp_convert(how, divergence, a, low);
}

static double smallest(enum rdp_conversion how, const struct rdp *c, double delta, double *order,
                       bool integers)
{
    double best = INFINITY;
    if (order)
        *order = NAN;
    for (int k = 0; k < RDP_ORDERS; k++) {
        if (integers && rdp_order[k] != rint(rdp_order[k]))
            continue;
        double eps = convert_failing(how, c->divergence[k], rdp_order[k], delta, c->failure);
        if (eps < best) {
            best = eps;
            if (order)
                *order = rdp_order[k];
        }
    }
    return best;
}

double rdp_eps(enum rdp_conversion how, const struct rdp *c, double delta, double *order)
{
    return smallest(how, c, delta, order, false);
}

double rdp_eps_integer(enum rdp_conversion how, const struct rdp *c, double delta, double *order)
{
    return smallest(how, c, delta, order, true);
}

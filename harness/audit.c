/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.c - from what an attacker saw to bounds on epsilon. Pure. */
#include "audit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

/* --- bounds */

/* Limits of the rates with and without the record that favour neither. */
struct rates { double with, without; };

static struct rates exact_rates(long n, long with, long without, double level)
{
    return (struct rates){ stats_clopper_pearson(with, n, level).lo,
                           stats_clopper_pearson(without, n, level).hi };
}

static double loss_of(double p, double q, double delta)
{
    return p > delta && q > 0 ? log((p - delta) / q) : 0;
}

static double eps_of(struct rates r, double delta)
{
    double event = loss_of(r.with, r.without, delta);
    return fmax(0, fmax(event, loss_of(1 - r.without, 1 - r.with, delta)));
}

static double mu_of(struct rates r)
{
    if (r.with <= 0 || r.without >= 1)
        return 0;
    return fmax(0, gsl_cdf_ugaussian_Pinv(r.with) - gsl_cdf_ugaussian_Pinv(r.without));
}

double audit_eps(long n, long yes_with, long yes_without, double delta, double level)
{
    return eps_of(exact_rates(n, yes_with, yes_without, level), delta);
}

double audit_mu(long n, long yes_with, long yes_without, double level)
{
    return mu_of(exact_rates(n, yes_with, yes_without, level));
}

/* Wilson's limits (1927): close to the exact ones and cheap, for choosing only. */
static double wilson(long k, long n, int side)
{
    double z = 1.96, m = (double)n, p = (double)k / m;
    return (p + z * z / (2 * m) + side * z * sqrt(p * (1 - p) / m + z * z / (4 * m * m))) /
           (1 + z * z / m);
}

void audit_free(struct audit_runs *a)
{
    free(a->side[0]);
    free(a->side[1]);
    memset(a, 0, sizeof *a);
}

/* --- a statistic: columns from .. from+d projected on the difference of their means */

struct projection {
    const char *name;
    long from, d;
    double *w;                   /* [d] */
    double threshold[2];         /* for epsilon, for mu */
};

static const double *row(const struct audit_runs *a, int side, long k)
{
    return a->side[side] + k * (a->release + a->d);
}

/* NaN (nothing was seen) is never beyond a threshold. */
static double value(const struct projection *p, const struct audit_runs *a, int side, long k)
{
    return vec_dot(p->d, p->w, row(a, side, k) + p->from);
}

/* Over the even runs. */
static void point(struct projection *p, const struct audit_runs *a)
{
    vec_zero(p->d, p->w);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a->n; k += 2)
            vec_axpy(p->d, side ? -1 : 1, row(a, side, k) + p->from, p->w);
}

static long beyond(const struct projection *p, const struct audit_runs *a, int side, int parity,
                   double threshold)
{
    long n = 0;
    for (long k = parity; k < a->n; k += 2)
        n += value(p, a, side, k) > threshold;
    return n;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Thresholds with the largest bounds on the even runs; returns that on epsilon, mu's breaking ties:
 * few runs show a mu before they show an epsilon. */
static double choose(struct projection *p, const struct audit_runs *a, double delta)
{
    enum { TRIES = 128 };
    long half = (a->n + 1) / 2, n = 0;
    double *t = malloc(2 * (size_t)half * sizeof *t), eps = -1, mu = -1;
    BUG_IF(!t);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a->n; k += 2) {
            double v = value(p, a, side, k);
            if (!isnan(v))
                t[n++] = v;
        }
    qsort(t, (size_t)n, sizeof *t, rising);
    p->threshold[0] = p->threshold[1] = INFINITY;
    for (long k = 0; k < TRIES && n; k++) {
        double at = t[k * n / TRIES];
        long with = beyond(p, a, 0, 0, at), without = beyond(p, a, 1, 0, at);
        struct rates about = { wilson(with, half, -1), wilson(without, half, +1) };
        double e = eps_of(about, delta), m = mu_of(about);
        if (e > eps)
            p->threshold[0] = at;
        if (m > mu)
            p->threshold[1] = at;
        eps = fmax(eps, e);
        mu = fmax(mu, m);
    }
    free(t);
    return eps + 1e-3 * mu;
}

struct audit audit_judge(const struct audit_runs *a, double delta)
{
    struct projection list[] = { { .name = "release", .from = 0, .d = a->release },
                                 { .name = "answer", .from = a->release, .d = a->d } };
    struct audit out = { .statistic = "none", .held = a->n / 2 };
    double most = -1;
    if (a->n < 4)
        return out;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct projection *p = &list[k];
        p->w = malloc((size_t)p->d * sizeof *p->w + 1);
        BUG_IF(!p->w);
        point(p, a);
        double good = p->d ? choose(p, a, delta) : -1;
        if (good > most) {
            long e[2] = { beyond(p, a, 0, 1, p->threshold[0]),
                          beyond(p, a, 1, 1, p->threshold[0]) };
            long m[2] = { beyond(p, a, 0, 1, p->threshold[1]),
                          beyond(p, a, 1, 1, p->threshold[1]) };
            most = good;
            out.statistic = p->name;
            memcpy(out.yes, e, sizeof e);
            out.eps = audit_eps(out.held, e[0], e[1], delta, AUDIT_LEVEL);
            out.eps_strict = audit_eps(out.held, e[0], e[1], delta, AUDIT_STRICT);
            out.mu = audit_mu(out.held, m[0], m[1], AUDIT_LEVEL);
            out.mu_strict = audit_mu(out.held, m[0], m[1], AUDIT_STRICT);
        }
        free(p->w);
    }
    return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.c - from what an attacker saw to bounds on epsilon. Pure. */
#include "run/audit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/stats.h"

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

double audit_eps(long n, long yes_with, long yes_without, double delta, double level)
{
    return eps_of(exact_rates(n, yes_with, yes_without, level), delta);
}

static double mu_of(double p)
{
    return p > 0.5 ? M_SQRT2 * gsl_cdf_ugaussian_Pinv(p) : 0;
}

double audit_mu(long n, long won, double level)
{
    return mu_of(stats_clopper_pearson(won, n, 2 * level - 1).lo);
}

static long expected(long n, double p) { return (long)floor((double)n * p); }

struct audit_ceiling audit_ceiling(long n, double eps, double mu, double delta)
{
    double p = delta + (1 - delta) / (1 + exp(-eps));
    struct audit_ceiling most = { 0, 0 };
    if (mu == 0) {
        most.eps = audit_eps(n, expected(n, p), expected(n, 1 - p), delta, AUDIT_LEVEL);
        return most;
    }
    for (double z = -4; z <= 4; z += 0.05) {
        long with = expected(n, gsl_cdf_ugaussian_Q(z - mu));
        long without = expected(n, gsl_cdf_ugaussian_Q(z));
        most.eps = fmax(most.eps, audit_eps(n, with, without, delta, AUDIT_LEVEL));
    }
    most.mu = audit_mu(n, expected(n, gsl_cdf_ugaussian_P(mu / M_SQRT2)), AUDIT_LEVEL);
    return most;
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

/* --- a statistic: columns from .. from+d projected on the difference of their means; the loss is
 * its own */

struct projection {
    const char *name;
    long from, d;
    double *w;                   /* [d] */
    double threshold;
};

static const double *row(const struct audit_runs *a, int side, long k)
{
    return a->side[side] + k * audit_row(a);
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

/* Pairs that the side with the record wins. Even runs share their draws with their twin, so that
 * each meets the twin of the next. */
static long won(const struct projection *p, const struct audit_runs *a, int parity)
{
    long n = 0, half = (a->n + 1 - parity) / 2;
    for (long k = 0; k < half; k++) {
        long other = parity ? k : (k + 1) % half;
        n += value(p, a, 0, 2 * k + parity) > value(p, a, 1, 2 * other + parity);
    }
    return n;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The threshold with the largest bound on the even runs; returns that bound, and a little for what
 * the pairs show: few runs show a mu before they show an epsilon. */
static double choose(struct projection *p, const struct audit_runs *a, double delta)
{
    enum { TRIES = 128 };
    long half = (a->n + 1) / 2, n = 0;
    double *t = malloc(2 * (size_t)half * sizeof *t), eps = -1;
    BUG_IF(!t);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a->n; k += 2) {
            double v = value(p, a, side, k);
            if (!isnan(v))
                t[n++] = v;
        }
    qsort(t, (size_t)n, sizeof *t, rising);
    p->threshold = INFINITY;
    for (long k = 0; k < TRIES && n; k++) {
        double at = t[k * n / TRIES];
        long with = beyond(p, a, 0, 0, at), without = beyond(p, a, 1, 0, at);
        double e = eps_of((struct rates){ wilson(with, half, -1), wilson(without, half, +1) },
                          delta);
        if (e > eps)
            p->threshold = at;
        eps = fmax(eps, e);
    }
    free(t);
    return n ? eps + 1e-3 * mu_of(wilson(won(p, a, 0), half, -1)) : -1;
}

/* What the odd runs show. */
static void judge(const struct projection *p, const struct audit_runs *a, double delta,
                  struct audit *out)
{
    out->statistic = p->name;
    for (int side = 0; side < 2; side++)
        out->yes[side] = beyond(p, a, side, 1, p->threshold);
    out->won = won(p, a, 1);
    out->eps = audit_eps(out->held, out->yes[0], out->yes[1], delta, AUDIT_LEVEL);
    out->eps_strict = audit_eps(out->held, out->yes[0], out->yes[1], delta, AUDIT_STRICT);
    out->mu = audit_mu(out->held, out->won, AUDIT_LEVEL);
    out->mu_strict = audit_mu(out->held, out->won, AUDIT_STRICT);
}

enum { BY_LOSS, BY_RELEASE, BY_ANSWER, STATISTICS };

/* Statistic k, unless *out shows `least` times as much on the choosing half; *most <- what it
 * shows there. */
static void try_statistic(const struct audit_runs *a, double delta, int k, double least,
                          double *most, struct audit *out)
{
    struct projection p[] = { { .name = "loss", .from = a->release + a->d, .d = 1 },
                              { .name = "release", .from = 0, .d = a->release },
                              { .name = "answer", .from = a->release, .d = a->d } };
    p[k].w = malloc((size_t)p[k].d * sizeof *p[k].w + 1);
    BUG_IF(!p[k].w);
    if (k == BY_LOSS)
        p[k].w[0] = 1;
    else
        point(&p[k], a);
    double good = p[k].d ? choose(&p[k], a, delta) : -1;
    if (good > *most * least) {
        *most = good;
        judge(&p[k], a, delta, out);
    }
    free(p[k].w);
}

struct audit audit_judge(const struct audit_runs *a, double delta)
{
    const double clearly = 1.5;
    struct audit out = { .statistic = "none", .held = a->n / 2 };
    double most = -1;
    for (int k = 0; k < STATISTICS && a->n >= 4; k++)
        try_statistic(a, delta, k, strcmp(out.statistic, "loss") == 0 ? clearly : 1, &most, &out);
    return out;
}

struct audit audit_judge_answer(const struct audit_runs *a, double delta)
{
    struct audit out = { .statistic = "none", .held = a->n / 2 };
    double most = -1;
    if (a->n >= 4)
        try_statistic(a, delta, BY_ANSWER, 1, &most, &out);
    return out;
}

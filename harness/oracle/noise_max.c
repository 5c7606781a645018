/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_max.c - report noisy max. The maximum of m independent noisy scores of law F is drawn by
 * inversion: F(y)^m = U, that is -log F(y) = t = -log(U)/m. Both tails keep their relative
 * accuracy: the lower from t itself, the upper from 1 - F = -expm1(-t). */
#include "oracle/noise_state.h"

#include <math.h>

static const double COUNT_MAX = 0x1p53;

/* --- y with -log F(y) = t */

/* F = 1 - e^(-(y-s)/b)/2 above s, e^((y-s)/b)/2 below */
static double laplace_at(double s, double b, double t)
{
    return t < M_LN2 ? s - b * log(-2 * expm1(-t)) : s + b * (M_LN2 - t);
}

/* |s + Lap(b)|, with u = |s|/b: F = e^-u sinh(y/b) up to |s|, 1 - F = e^(-y/b) cosh(u) beyond. The
 * arguments of both would overflow for large u, their logarithms do not. */
static double abs_laplace_at(double s, double b, double t)
{
    double u = fabs(s) / b;
    if (exp(-t) > -expm1(-2 * u) / 2)
        return b * (u + log1p(exp(-2 * u)) - M_LN2 - log(-expm1(-t)));
    return b * (u - t > 300 ? M_LN2 + u - t : asinh(exp(u - t)));
}

double noise_max_at(enum max_rule rule, double s, double b, double t)
{
    if (b == 0)
        return rule == MAX_ABS_LAPLACE ? fabs(s) : s;
    switch (rule) {
    case MAX_ABS_LAPLACE: return abs_laplace_at(s, b, t);
    case MAX_LAPLACE:     return laplace_at(s, b, t);
    case MAX_GUMBEL:      return s - b * log(t);             /* F = exp(-e^(-(y-s)/b)) */
    case MAX_EXPONENTIAL: return s - b * log(-expm1(-t));    /* F = 1 - e^(-(y-s)/b) */
    }
    BUG_IF(true);
}

/* --- the mechanism */

static double count_of(const struct candidates *c, long j)
{
    return c->count ? c->count[j] : 1;
}

static double scale_of(const struct candidates *c, long j)
{
    return c->b[j] / (c->weight ? c->weight[j] : 1);
}

struct reach { double least, most, candidates; };

/* The smallest and largest scale of blocks that are not empty. */
static struct reach reach_of(const struct candidates *c)
{
    struct reach r = { INFINITY, 0, 0 };
    for (long j = 0; j < c->m; j++) {
        double n = count_of(c, j), scale = scale_of(c, j);
        BUG_IF(!(n >= 0 && n <= COUNT_MAX && n == floor(n)) || !(scale >= 0));
        if (n == 0)
            continue;
        r.least = scale < r.least ? scale : r.least;
        r.most = scale > r.most ? scale : r.most;
        r.candidates += n;
    }
    BUG_IF(r.candidates == 0);
    return r;
}

static long first_of(const struct candidates *c)
{
    long j = 0;
    while (count_of(c, j) == 0)
        j++;
    return j;
}

/* -log U of a uniform U, relatively accurate at both ends: a bit chooses the half of (0,1), the
 * distance to its end is a multiple of 2^-65. */
static double exponential(struct rng *r)
{
    uint64_t u = rng_u64(r);
    double end = ((double)(u >> 1) + 0.5) * 0x1p-64;
    return u & 1 ? -log(end) : -log1p(-end);
}

/* --- drawing: in parts that stay in the first cache */

enum { PART = 512 };

/* y[n] <- the largest noisy score of blocks first, first + 1, ... Noise of block j is draw j of its
 * stream, so that it does not depend on which blocks have run out: a block of one is the score
 * itself with its noise, the same law as by inversion and the faster way. */
static void noisy_laplace(struct rng *unit, const struct rng *many, enum max_rule rule,
                          const struct candidates *c, long first, long n, double *y)
{
    rng_laplaces(unit, n, 1, y);
    for (long k = 0; k < n; k++)
        y[k] = c->score[first + k] + c->b[first + k] * y[k];
    for (long k = 0; k < n && c->count; k++) {
        long j = first + k;
        struct rng r;
        if (c->count[j] <= 1)
            continue;
        r = rng_at(many, (uint64_t)j);
        y[k] = noise_max_at(rule, c->score[j], c->b[j], exponential(&r) / c->count[j]);
    }
    for (long k = 0; k < n && rule == MAX_ABS_LAPLACE && !c->key; k++)
        y[k] = fabs(y[k]);
}

static void noisy_inverted(struct rng *s, enum max_rule rule, const struct candidates *c,
                           long first, long n, double *y)
{
    for (long k = 0; k < n; k++)
        y[k] = noise_max_at(rule, c->score[first + k], c->b[first + k],
                            exponential(s) / count_of(c, first + k));
}

/* What is compared. */
static void compared(const struct candidates *c, long first, long n, double *y)
{
    for (long k = 0; k < n && c->key; k++)
        y[k] = c->key(c->ctx, first + k, y[k]);
    for (long k = 0; k < n && c->weight && !c->key; k++)
        y[k] /= c->weight[first + k];
}

static struct winner draw(struct rng *s, enum max_rule rule, const struct candidates *c)
{
    struct winner won = { first_of(c), 0 };
    struct rng many = rng_sub(s, 1), which = rng_sub(s, 2);
    double best = -INFINITY, y[PART];
    for (long first = 0; first < c->m; first += PART) {
        long n = c->m - first < PART ? c->m - first : PART;
        if (rule == MAX_ABS_LAPLACE || rule == MAX_LAPLACE)
            noisy_laplace(s, &many, rule, c, first, n, y);
        else
            noisy_inverted(s, rule, c, first, n, y);
        compared(c, first, n, y);
        for (long k = 0; k < n; k++)
            if (y[k] > best && count_of(c, first + k) > 0) {
                best = y[k];
                won.block = first + k;
            }
    }
    won.index = (long)rng_below(&which, (uint64_t)count_of(c, won.block));
    return won;
}

struct winner noise_choose(struct oracle *o, const struct release *r, enum max_rule rule,
                           const struct candidates *c)
{
    static const enum mechanism booked[] = {
        [MAX_ABS_LAPLACE] = MECHANISM_NOISY_MAX, [MAX_LAPLACE] = MECHANISM_NOISY_MAX,
        [MAX_GUMBEL] = MECHANISM_GUMBEL_MAX, [MAX_EXPONENTIAL] = MECHANISM_EXPONENTIAL_MAX };
    struct reach reach = reach_of(c);
    noise_check(o, r, reach.least);
    BUG_IF(c->key && rule != MAX_ABS_LAPLACE);
    BUG_IF(rule == MAX_GUMBEL && reach.most > reach.least * (1 + 1e-12));
    struct ledger_entry e = noise_entry(o, r, booked[rule], reach.least, (long)reach.candidates);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_max]++;
    if (rule == MAX_ABS_LAPLACE || rule == MAX_LAPLACE)
        o->counts.of[COUNT_noise_laplace] += reach.candidates;
    struct rng s = noise_next(o);
    if (o->counting)
        return (struct winner){ first_of(c), 0 };
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = c->m, .v = c->score,
                                         .argument = { c->weight, c->b, c->count },
                                         .rule = rule, .keyed = c->key != NULL });
    struct winner won = draw(&s, rule, c);
    double released[] = { (double)won.block, (double)won.index };
    noise_released(o, 2, released);
    return (struct winner){ (long)released[0], (long)released[1] };
}

long noise_max(struct oracle *o, const struct release *r, long m, const double *score,
               const double *b, const double *weight)
{
    const struct candidates c = { .m = m, .score = score, .b = b, .weight = weight };
    return noise_choose(o, r, MAX_ABS_LAPLACE, &c).block;
}

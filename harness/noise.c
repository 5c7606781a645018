/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - independent noise and its entry in the ledger, in one call. */
#include "noise_state.h"

#include <math.h>

struct ledger_entry noise_entry(const struct oracle *o, const struct release *r,
                                enum mechanism mechanism, double scale, long d)
{
    struct ledger_entry e = {
        .site = r->site, .mechanism = mechanism, .norm = r->norm, .sensitivity = r->sensitivity,
        .scale = scale, .scheme = SAMPLING_ALL, .count = o->stored ? (long)o->facts->n : 0,
        .repeats = 1, .failure = r->failure, .hidden = r->hidden, .dimension = d,
    };
    if (r->ticket) {
        e.scheme = r->ticket->scheme;
        e.first = r->ticket->first;
        e.count = r->ticket->count;
    }
    e.batch = (double)e.count;
    return e;
}

struct rng noise_next(struct oracle *o)
{
    return rng_sub(&o->noise, o->serial++);
}

void noise_check(const struct oracle *o, const struct release *r, double scale)
{
    oracle_expect(o, CALL_NOISE);
    BUG_IF(!r->site || !(r->sensitivity >= 0) || !(scale >= 0));
}

static void add_normals(struct oracle *o, double sd, long d, double *v)
{
    struct rng r = noise_next(o);
    for (long j = 0; j < d; j += 2) {
        double pair[2];
        rng_normals(&r, 2, sd, pair);
        v[j] += pair[0];
        if (j + 1 < d)
            v[j + 1] += pair[1];
    }
}

void noise_gaussian(struct oracle *o, const struct release *r, double sd, long d, double *v)
{
    noise_check(o, r, sd);
    struct ledger_entry e = noise_entry(o, r, MECHANISM_GAUSSIAN, sd, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_gauss]++;
    if (o->counting)
        return;
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    if (sd > 0)
        add_normals(o, sd, d, v);
    noise_released(o, d, v);
}

void noise_laplace(struct oracle *o, const struct release *r, double b, long d, double *v)
{
    noise_check(o, r, b);
    struct ledger_entry e = noise_entry(o, r, MECHANISM_LAPLACE, b, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_laplace] += (double)d;
    if (o->counting)
        return;
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    struct rng s = noise_next(o);
    for (long j = 0; j < d; j++)
        v[j] += rng_laplace(&s, b);
    noise_released(o, d, v);
}

long noise_max(struct oracle *o, const struct release *r, long m, const double *score,
               const double *b, const double *weight)
{
    double smallest = INFINITY, best = -1;
    long winner = 0;
    for (long j = 0; j < m; j++)
        smallest = fmin(smallest, b[j] / (weight ? weight[j] : 1));
    noise_check(o, r, smallest);
    struct ledger_entry e = noise_entry(o, r, MECHANISM_NOISY_MAX, smallest, m);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_max]++;
    o->counts.of[COUNT_noise_laplace] += (double)m;
    if (o->counting)
        return 0;
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = m, .v = score,
                                         .weight = weight, .scale = b });
    struct rng s = noise_next(o);
    for (long j = 0; j < m; j++) {
        double noisy = fabs(score[j] + rng_laplace(&s, b[j])) / (weight ? weight[j] : 1);
        if (noisy > best) {
            best = noisy;
            winner = j;
        }
    }
    double index = (double)winner;
    noise_released(o, 1, &index);
    return (long)index;
}

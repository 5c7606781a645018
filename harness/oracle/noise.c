/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - independent noise and its entry in the ledger, in one call. */
#include "oracle/noise_state.h"

#include <math.h>

struct ledger_entry noise_entry(const struct oracle *o, const struct release *r,
                                enum mechanism mechanism, double scale, long d)
{
    struct ledger_entry e = {
        .site = r->site, .mechanism = mechanism, .norm = r->norm, .sensitivity = r->sensitivity,
        .scale = scale, .scheme = SAMPLING_ALL, .count = o->stored ? (long)o->facts->n : 0,
        .n = o->facts->n, .repeats = 1, .failure = r->failure, .hidden = r->hidden, .dimension = d,
        .first = 0, .draw = 0, .batch = 0, .q = 0, .from = 0, .of = 0, .step = 0, .stream = 0, .length = 0,
        .cover = 0,                  /* all of them, since to clear what is left out takes longer */
    };
    if (r->ticket) {
        e.scheme = r->ticket->scheme;
        e.draw = r->ticket->serial;
        e.from = r->ticket->from;
        e.of = r->ticket->of;
    }
    if (e.scheme == SAMPLING_POISSON) {          /* how many came is nobody's business */
        e.q = r->ticket->q;
        e.n = e.of ? (double)e.of : e.n;
    } else if (r->ticket) {
        e.first = r->ticket->first;
        e.count = r->ticket->count;
    }
    e.batch = e.scheme == SAMPLING_POISSON ? e.q * e.n : (double)e.count;
    return e;
}

struct rng noise_next(struct oracle *o)
{
    return rng_sub(&o->noise, o->serial++);
}

const double *noise_ahead(struct oracle *o, uint64_t serial, double sd, long d)
{
    return sd > 0 ? ahead_numbers(&o->noises, &o->noise, 0, &(struct ahead_ask){ serial, 0, 1, d, sd }) : NULL;
}

void noise_check(const struct oracle *o, const struct release *r, double scale)
{
    oracle_expect(o, CALL_NOISE);
    BUG_IF(!r->site || !(r->sensitivity >= 0) || !(scale >= 0));
    if (r->ticket)
        oracle_check(o, r->ticket);
}

typedef void vector_function(struct rng *r, long d, double scale, double *out);

/* In parts of even length, which are those of one vector. */
static void add_vector(vector_function *draw, struct rng *r, double scale, long d, double *v)
{
    enum { PART = 512 };
    double part[PART];
    for (; d > 0; d -= PART, v += PART) {
        long now = d < PART ? d : PART;
        draw(r, now, scale, part);
        vec_axpy(now, 1, part, v);
    }
}

void noise_normals(struct rng *r, double sd, long d, double *v)
{
    if (sd > 0)
        add_vector(rng_normals, r, sd, d, v);
}

void noise_gaussian(struct oracle *o, const struct release *r, double sd, long d, double *v)
{
    noise_check(o, r, sd);
    struct ledger_entry e = noise_entry(o, r, MECHANISM_GAUSSIAN, sd, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_gauss]++;
    uint64_t serial = o->serial++;
    if (o->counting)
        return;
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    const double *z = noise_ahead(o, serial, sd, d);
    if (z) {
        vec_axpy(d, 1, z, v);
    } else {
        struct rng s = rng_sub(&o->noise, serial);
        noise_normals(&s, sd, d, v);
    }
    noise_released(o, d, v);
}

void noise_laplace(struct oracle *o, const struct release *r, double b, long d, double *v)
{
    noise_check(o, r, b);
    struct ledger_entry e = noise_entry(o, r, MECHANISM_LAPLACE, b, d);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_laplace] += (double)d;
    struct rng s = noise_next(o);
    if (o->counting)
        return;
    noise_heard(o, &(struct tape_value){ .release = r, .entry = &e, .d = d, .v = v });
    add_vector(rng_laplaces, &s, b, d, v);
    noise_released(o, d, v);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_iteration.c - hidden noisy gradient steps, booked and checked for what makes them amplify
 * each other: x -> P(x - step g(x)) does not expand where every loss is convex and M-smooth and
 * step <= 2/M. */
#include <math.h>
#include <string.h>

#include "oracle/noise_state.h"

struct iteration {
    struct oracle *o;
    long stream, step;       /* number of the run of steps; steps made, 0: x is public */
    const char *site;        /* of its last step */
    double *x;               /* [d] as left */
};

struct iteration *noise_iteration(struct oracle *o, struct arena *w)
{
    struct iteration *c = ARENA_ARRAY(w, 1, struct iteration);
    *c = (struct iteration){ .o = o, .x = arena_vec(w, o->d) };
    return c;
}

/* The facts are those of the whole objective and of every sample; that samples contract is held
 * against the data by replay. */
static bool contracts(struct oracle *o, double step)
{
    const struct facts *f = o->facts;
    if (f->weak != 0)
        o->refused = "hidden noisy steps are priced by contraction: the objective must be convex";
    else if (!(step >= 0 && step * f->M <= 2 * (1 + 1e-12)))
        o->refused = "hidden noisy steps are priced by contraction: M known, steps of at most 2/M";
    return !o->refused;
}

static struct ledger_entry entry_of(const struct iteration *c, const struct release *r,
                                    enum mechanism mechanism, double scale)
{
    struct ledger_entry e = noise_entry(c->o, r, mechanism, scale, c->o->d);
    e.stream = c->stream;
    e.step = c->step;
    return e;
}

bool iteration_step(struct iteration *c, const struct release *r, double step, double sd, double *x,
                    double *g)
{
    struct oracle *o = c->o;
    const double *const at = x;
    const struct batch q = { .ticket = r->ticket, .points = 1, .x = &at, .g = g };
    noise_check(o, r, sd);
    BUG_IF(r->norm != NORM_2 || !r->ticket || !(step >= 0));
    BUG_IF(c->step && !o->counting && memcmp(x, c->x, (size_t)o->d * sizeof *x));
    if ((sd > 0 && !contracts(o, step)) || !oracle_batch(o, &q))
        return false;
    if (c->step++ == 0)
        c->stream = ++o->streams;
    struct release hidden = *r;
    hidden.hidden = true;
    hidden.sensitivity *= step;
    const struct ledger_entry e = entry_of(c, &hidden, MECHANISM_STEP, step * sd);
    ledger_book(&o->ledger, &e);
    o->counts.of[COUNT_noise_gauss]++;
    struct rng s = noise_next(o);
    c->site = r->site;
    if (!o->counting) {
        vec_axpy(o->d, -step, g, x);
        noise_heard(o, &(struct tape_value){ .release = &hidden, .entry = &e, .d = o->d, .v = x });
        noise_normals(&s, step * sd, o->d, x);
    }
    oracle_project(o, 0, x);
    if (!o->counting) {
        noise_released(o, o->d, x);
        vec_copy(o->d, x, c->x);
    }
    return true;
}

void iteration_release(struct iteration *c, double *x)
{
    struct oracle *o = c->o;
    if (c->step == 0)
        return;
    BUG_IF(!o->counting && memcmp(x, c->x, (size_t)o->d * sizeof *x));
    const struct release r = { .site = c->site, .norm = NORM_2 };
    const struct ledger_entry e = entry_of(c, &r, MECHANISM_LAST, 0);
    ledger_book(&o->ledger, &e);
    c->step = 0;
    if (o->counting)
        return;
    noise_heard(o, &(struct tape_value){ .release = &r, .entry = &e, .d = o->d, .v = x });
    noise_released(o, o->d, x);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_runs.c - the runs an audit looks at: the same data, other draws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/audit.h"
#include "oracle/loss.h"

/* Even runs, from which the statistic is chosen, share their draws with their twin on the other
 * side: the difference of the means is then the record's alone. Odd runs are independent. */
static uint64_t seed_of(const struct cell *c, int side, long k)
{
    struct rng base = rng_stream(c->seed), all = rng_sub(&base, 6);
    struct rng one = rng_at(&all, 2 * (uint64_t)k + (uint64_t)(side && k % 2));
    return rng_u64(&one);
}

/* Runs of one cell, and the record that differs. */
struct watched {
    struct runner *rn;
    const struct cell *c;
    struct pass p;
    long i;
    bool by_position;
};

/* The record in two states. */
static struct neighbour state(const struct watched *v, int side)
{
    const struct cell *c = v->c;
    static const enum neighbour_kind changed[] = {
        [ADJACENCY_ZERO_OUT] = NEIGHBOUR_NULL, [ADJACENCY_REPLACE_ONE] = NEIGHBOUR_REPLACE,
        [ADJACENCY_ADD_REMOVE] = NEIGHBOUR_REMOVE,
    };
    bool pair = c->problem->canaries == 2;
    if (side == 0)
        return (struct neighbour){ pair ? NEIGHBOUR_REPLACE : NEIGHBOUR_SAME,
                                   .i = v->i, .with = -1 };
    return (struct neighbour){ changed[c->algo->adjacency], .i = v->i,
                               .with = pair ? -2 : v->i == 0 };
}

void audit_room(struct audit_runs *a, long release)
{
    a->release = release;
    for (int side = 0; side < 2; side++) {
        size_t room = (size_t)(a->n * audit_row(a));
        a->side[side] = malloc(room * sizeof(double) + 1);
        BUG_IF(!a->side[side]);
        for (size_t k = 0; k < room; k++)
            a->side[side][k] = NAN;
    }
}

/* A run; *watch <- what was released. */
static enum status one_run(struct watched *v, int side, long k, struct tape *watch,
                           struct why *why)
{
    *watch = (struct tape){ .mode = TAPE_WATCH, .limit = runner_limit(v->rn) };
    v->p.neighbour = state(v, side);
    v->p.by_position = v->by_position;
    v->p.tape = watch;
    v->p.seed = seed_of(v->c, side, k);
    return run_pass(v->rn, v->c, &v->p, why);
}

/* The first record of stream order, which most later releases can meet, unless another has clearly
 * more of a sum in one run, the same for every block: a method may weigh records by their places. */
static enum status choose(struct watched *v, struct why *why)
{
    const double clearly = 2;
    struct tape look = { .mode = TAPE_RECORD, .limit = runner_limit(v->rn) };
    v->p.tape = &look;
    v->p.seed = v->c->seed;
    enum status s = run_pass(v->rn, v->c, &v->p, why);
    const struct tape_share *most = &look.largest[0];
    bool other = most->place > 0 && most->share > clearly * look.first;
    v->by_position = true;
    v->i = other ? most->place : 0;
    tape_free(&look);
    return s;
}

/* What stands behind the releases if the data were those of a side, or lacked the record in every
 * Poisson sample: the same run with its releases forced; *events <- those it reached, at most. */
static enum status hear(struct watched *v, int side, bool poisson, double *heard, long *events,
                        struct why *why)
{
    struct pass *p = &v->p;
    p->neighbour = state(v, side == LOSS_LACKING ? 0 : side);
    p->by_position = v->by_position;
    p->neighbour.coin = side == LOSS_LACKING ? COIN_OUT : poisson ? COIN_IN : COIN_DRAWN;
    tape_force(p->tape, heard);
    enum status s = run_pass(v->rn, v->c, p, why);
    *events = p->tape->at < *events ? p->tape->at : *events;
    return s;
}

/* The privacy loss of the run on a tape, of side `own`; NaN: it cannot be written. The record's own
 * coins are not used, whatever they were: the attacker does not know them. */
static enum status loss_run(struct watched *v, int own, double *loss, struct why *why)
{
    struct tape *t = v->p.tape;
    bool poisson;
    *loss = NAN;
    if (!loss_written(t, &poisson))
        return OK;
    int cases = poisson ? LOSS_CASES : 2;
    long events = t->events;
    double *room = malloc(LOSS_CASES * t->used * sizeof *room + 1);
    const double *heard[LOSS_CASES] = { NULL };
    BUG_IF(!room);
    enum status s = OK;
    for (int h = 0; h < cases && s == OK; h++) {
        double *at = room + (size_t)h * t->used;
        heard[h] = h == own && !poisson ? t->pool : at;
        if (heard[h] == at)
            s = hear(v, h, poisson, at, &events, why);
    }
    if (s == OK)
        *loss = loss_of(t, events, heard);
    free(room);
    return s;
}

/* Numbers of the first release that meets the record: of the first run in which one does. Any
 * block of runs finds the same. */
static enum status release_size(struct watched *v, long *d, struct why *why)
{
    enum { TRIES = 32 };
    *d = 0;
    for (long k = 0; k < TRIES && *d == 0; k++) {
        struct tape watch;
        enum status s = one_run(v, 0, k, &watch, why);
        *d = watch.seen_d;
        tape_free(&watch);
        TRY(s);
    }
    return OK;
}

/* Run k of a side, as it is seen, to[audit_row]. */
static enum status see(struct watched *v, int side, long k, const struct audit_runs *a, double *to,
                       struct why *why)
{
    struct tape watch;
    enum status s = one_run(v, side, k, &watch, why);
    if (s == OK && watch.seen && watch.seen_d == a->release)
        vec_copy(a->release, watch.seen, to);
    if (s == OK) {
        vec_copy(a->d, v->p.x, to + a->release);
        s = loss_run(v, side, to + a->release + a->d, why);
    }
    tape_free(&watch);
    return s;
}

enum status audit_collect(struct runner *rn, const struct cell *c, long first, long n,
                          struct audit_runs *a, struct why *why)
{
    const void *self;
    const struct facts *facts;
    *a = (struct audit_runs){ .n = n };
    TRY(runner_instance(rn, c, &self, &facts, why));
    a->d = (long)facts->d;
    double *x = malloc((size_t)a->d * sizeof *x + 1);
    BUG_IF(!x);
    struct watched v = { .rn = rn, .c = c, .p = { .x = x } };
    long release = 0;
    enum status s = choose(&v, why);
    if (s == OK)
        s = release_size(&v, &release, why);
    if (s == OK)
        audit_room(a, release);
    for (long k = 0; k < 2 * n && s == OK; k++)
        s = see(&v, (int)(k % 2), first + k / 2, a, a->side[k % 2] + k / 2 * audit_row(a), why);
    free(v.p.params);
    free(x);
    return s;
}

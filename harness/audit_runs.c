/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_runs.c - the runs an audit looks at: the same data, other draws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "audit.h"
#include "tape.h"

/* Even runs, from which the statistic is chosen, share their draws with their twin on the other
 * side: the difference of the means is then the record's alone. Odd runs are independent. */
static uint64_t seed_of(const struct cell *c, int side, long k)
{
    struct rng base = rng_stream(c->seed), all = rng_sub(&base, 6);
    struct rng one = rng_at(&all, 2 * (uint64_t)k + (uint64_t)(side && k % 2));
    return rng_u64(&one);
}

/* The first record of stream order, in two states. */
static struct neighbour state(const struct cell *c, int side)
{
    static const enum neighbour_kind changed[] = {
        [ADJACENCY_ZERO_OUT] = NEIGHBOUR_NULL, [ADJACENCY_REPLACE_ONE] = NEIGHBOUR_REPLACE,
        [ADJACENCY_ADD_REMOVE] = NEIGHBOUR_REMOVE,
    };
    bool pair = c->problem->canaries == 2;
    if (side == 0)
        return (struct neighbour){ pair ? NEIGHBOUR_REPLACE : NEIGHBOUR_SAME, 0, -1, NULL };
    return (struct neighbour){ changed[c->algo->adjacency], 0, pair ? -2 : 1, NULL };
}

void audit_room(struct audit_runs *a, long release)
{
    a->release = release;
    for (int side = 0; side < 2; side++) {
        size_t room = (size_t)(a->n * (a->release + a->d));
        a->side[side] = malloc(room * sizeof(double) + 1);
        BUG_IF(!a->side[side]);
        for (size_t k = 0; k < room; k++)
            a->side[side][k] = NAN;
    }
}

/* A run; *watch <- what was released of the record. */
static enum status one_run(struct runner *rn, const struct cell *c, int side, long k,
                           struct pass *p, struct tape *watch, struct why *why)
{
    *watch = (struct tape){ .mode = TAPE_WATCH };
    p->neighbour = state(c, side);
    p->by_position = true;
    p->tape = watch;
    p->seed = seed_of(c, side, k);
    return run_pass(rn, c, p, why);
}

/* Numbers of the first release that meets the record: of the first run in which one does. Any
 * block of runs finds the same. */
static enum status release_size(struct runner *rn, const struct cell *c, struct pass *p, long *d,
                                struct why *why)
{
    enum { TRIES = 32 };
    *d = 0;
    for (long k = 0; k < TRIES && *d == 0; k++) {
        struct tape watch;
        enum status s = one_run(rn, c, 0, k, p, &watch, why);
        *d = watch.seen_d;
        tape_free(&watch);
        TRY(s);
    }
    return OK;
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
    struct pass p = { .x = x };
    long release;
    enum status s = release_size(rn, c, &p, &release, why);
    if (s == OK)
        audit_room(a, release);
    for (long k = 0; k < 2 * n && s == OK; k++) {
        struct tape watch;
        double *to = a->side[k % 2] + k / 2 * (release + a->d);
        s = one_run(rn, c, (int)(k % 2), first + k / 2, &p, &watch, why);
        if (s == OK && watch.seen && watch.seen_d == release)
            vec_copy(release, watch.seen, to);
        if (s == OK)
            vec_copy(a->d, x, to + release);
        tape_free(&watch);
    }
    free(p.params);
    free(x);
    return s;
}

/* --- one run, many canaries */

struct guess { double score; bool in; };

static int falling(const void *a, const void *b)
{
    double x = ((const struct guess *)a)->score, y = ((const struct guess *)b)->score;
    return (x < y) - (x > y);
}

/* Those with the largest scores are called in, those with the smallest out. */
static void count_right(struct guess *g, struct audit_one *out)
{
    long each = out->guesses / 2;
    qsort(g, (size_t)out->m, sizeof *g, falling);
    for (long k = 0; k < each; k++)
        out->right += g[k].in + !g[out->m - 1 - k].in;
}

/* A descent method goes against the gradients it has seen. */
static void score(const struct cell *c, const void *self, long d, long m, const double *x,
                  struct guess *g)
{
    double *x0 = calloc((size_t)d, sizeof *x0), *grad = calloc((size_t)d, sizeof *grad);
    BUG_IF(!x0 || !grad);
    if (c->problem->start)
        c->problem->start(self, x0);
    for (long i = 0; i < m; i++) {
        vec_zero(d, grad);
        c->problem->sample_grad(self, i, x0, 1, grad);
        g[i].score = vec_dot(d, grad, x0) - vec_dot(d, grad, x);
    }
    free(x0);
    free(grad);
}

enum status audit_one_run(struct runner *rn, const struct cell *c, long m, double delta,
                          struct audit_one *out, struct why *why)
{
    const void *self;
    const struct facts *facts;
    *out = (struct audit_one){ 0 };
    TRY(runner_instance(rn, c, &self, &facts, why));
    m = isfinite(facts->n) && m > (long)facts->n ? (long)facts->n : m;
    if (m < 10 || !c->problem->sample_grad || c->algo->adjacency != ADJACENCY_ZERO_OUT)
        return OK;
    *out = (struct audit_one){ .m = m, .guesses = m / 5 / 2 * 2 };
    long d = (long)facts->d;
    double *x = malloc((size_t)d * sizeof *x + 1);
    unsigned char *absent = malloc((size_t)m);
    struct guess *g = malloc((size_t)m * sizeof *g);
    BUG_IF(!x || !absent || !g);
    struct rng base = rng_stream(c->seed), coins = rng_sub(&base, 7);
    for (long i = 0; i < m; i++) {
        absent[i] = rng_below(&coins, 2) == 0;
        g[i].in = !absent[i];
    }
    struct pass p = { .neighbour = { NEIGHBOUR_ABSENT, m, 0, absent }, .x = x,
                      .seed = seed_of(c, 0, -1) };
    enum status s = run_pass(rn, c, &p, why);
    if (s == OK) {
        score(c, self, d, m, x, g);
        count_right(g, out);
        out->eps = account_audit_eps((double)m, out->guesses, out->right, delta, 1 - AUDIT_LEVEL);
    }
    free(p.params);
    free(g);
    free(absent);
    free(x);
    return s;
}

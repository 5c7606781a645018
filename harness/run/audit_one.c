/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_one.c - one run, many canaries: each was there or not, and the attacker guesses. */
#include <math.h>
#include <stdlib.h>

#include "privacy/account.h"
#include "run/audit.h"
#include "oracle/loss.h"
#include "oracle/tape_state.h"

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

/* --- white box */

enum { CASES_MOST = 10000000 };      /* sample gradients, and numbers kept */

/* white[used] <- what the run with only record `only` there (-1: none) noises at each release,
 * less `less`, whitened. false: the run cannot be led past all releases, or noise is not normal. */
static bool noised(struct runner *rn, const struct cell *c, struct pass *p, long only,
                   const double *less, double *heard, double *white)
{
    struct tape *t = p->tape;
    long m = p->neighbour.i;
    unsigned char *absent = malloc((size_t)m);
    struct pass forced = *p;
    struct why why;
    BUG_IF(!absent);
    for (long i = 0; i < m; i++)
        absent[i] = i != only;
    forced.neighbour.absent = absent;
    tape_force(t, heard);
    bool all = run_pass(rn, c, &forced, &why) == OK && t->at == t->events;
    free(absent);
    for (long k = 0; k < t->events && all; k++) {
        const struct tape_event *e = &t->event[k];
        vec_axpy(e->noise.d, -1, less + e->noise.at, heard + e->noise.at);
    }
    all = all && loss_whiten(t, t->events, heard, white);
    for (long k = 0; k < t->events && all; k++)
        all = vec_finite(t->event[k].noise.d, white + t->event[k].noise.at);
    return all;
}

/* What was released, where the values before noise stand in the pool. */
static void releases(const struct tape *t, double *r)
{
    for (long k = 0; k < t->events; k++)
        vec_copy(t->event[k].noise.d, tape_released(t, &t->event[k]), r + t->event[k].noise.at);
}

static void add(const struct tape *t, double a, const double *v, double *w)
{
    for (long k = 0; k < t->events; k++)
        vec_axpy(t->event[k].noise.d, a, v + t->event[k].noise.at, w + t->event[k].noise.at);
}

static double inner(const struct tape *t, const double *v, const double *w)
{
    double sum = 0;
    for (long k = 0; k < t->events; k++)
        sum += vec_dot(t->event[k].noise.d, v + t->event[k].noise.at, w + t->event[k].noise.at);
    return sum;
}

/* Record i changes the whitened releases by u_i. The others are there by half in the mean, so that
 * log p(with i)/p(without i) = <u_i, released - mean>. false: no white box, g untouched. */
static bool score_releases(struct runner *rn, const struct cell *c, struct pass *p, long m,
                           struct guess *g)
{
    struct tape *t = p->tape;
    bool poisson, all = loss_written(t, &poisson) && !poisson && t->events;
    double gradients = p->counts.of[COUNT_sample_grads], numbers = (double)t->used;
    if (!all || (double)m * gradients > CASES_MOST || (double)m * numbers > CASES_MOST)
        return false;
    size_t used = t->used;
    double *u = malloc(((size_t)m + 4) * used * sizeof *u), *rest = u + (size_t)m * used;
    double *none = rest + used, *heard = none + used, *r = heard + used;
    BUG_IF(!u);
    for (size_t k = 0; k < used; k++)
        none[k] = 0;
    releases(t, r);
    all = noised(rn, c, p, -1, r, heard, rest);      /* rest: -(released - none there) */
    for (long k = 0; k < t->events && all; k++) {
        const struct tape_event *e = &t->event[k];
        vec_lincomb(e->noise.d, 1, heard + e->noise.at, 1, r + e->noise.at, none + e->noise.at);
    }
    for (long i = 0; i < m && all; i++) {
        double *of = u + (size_t)i * used;
        if ((all = noised(rn, c, p, i, none, heard, of)))
            add(t, 0.5, of, rest);
    }
    for (long i = 0; i < m && all; i++)
        g[i].score = -inner(t, u + (size_t)i * used, rest);
    free(u);
    return all;
}

/* --- black box */

/* A descent method goes against the gradients it has seen. */
static void score_answer(const struct cell *c, const void *self, long d, long m, const double *x,
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

/* --- the run */

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
    double *x = malloc(2 * (size_t)d * sizeof *x + 1), *forced = x + d;
    unsigned char *absent = malloc((size_t)m);
    struct guess *g = malloc((size_t)m * sizeof *g);
    BUG_IF(!x || !absent || !g);
    struct rng base = rng_stream(c->seed), coins = rng_sub(&base, 7);
    for (long i = 0; i < m; i++) {
        absent[i] = rng_below(&coins, 2) == 0;
        g[i].in = !absent[i];
    }
    struct tape t = { .mode = TAPE_WATCH, .limit = runner_limit(rn) };
    struct pass p = { .neighbour = { NEIGHBOUR_ABSENT, m, 0, absent }, .x = x, .tape = &t,
                      .seed = rng_u64(&coins) };
    enum status s = run_pass(rn, c, &p, why);
    if (s == OK) {
        score_answer(c, self, d, m, x, g);
        p.x = forced;
        out->white = score_releases(rn, c, &p, m, g);
        count_right(g, out);
        out->eps = account_audit_eps((double)m, out->guesses, out->right, delta, 1 - AUDIT_LEVEL);
    }
    tape_free(&t);
    free(p.params);
    free(g);
    free(absent);
    free(x);
    return s;
}

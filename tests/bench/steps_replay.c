/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps_replay.c - recorded questions, asked again. They go through the oracle, whose number of the next draw
 * is set so that it draws the same samples; noise is drawn and added without being booked. */
#include "bench/steps.h"

#include <math.h>

#include "oracle/noise_state.h"

struct player {
    const struct script *script;
    struct oracle *o;
    double *x[POINTS_HEARD],         /* [d] each: the points of questions at several points */
           *alone;                   /* [d] the point of the other questions */
    double *g, *z, *w, *at;          /* g[d]: the answer; z: drawn numbers; w: weights; at[d]: what noise is
                                      * added to, and what is projected */
    struct point *point;
    struct rng draws;
    double sum;
};

static const double *weights(const struct player *p, const struct asked *q)
{
    return q->weighted ? p->w : NULL;
}

static const double *bounds(const struct player *p, const struct asked *q)
{
    return q->clipped ? p->script->C_j : NULL;
}

/* Draws the ticket of a question again. It is the same ticket, as the oracle is in the same state. */
static void take(struct oracle *o, const struct asked *q)
{
    const struct ticket *t = &q->ticket;
    struct ticket got;
    switch (t->scheme) {
    case SAMPLING_FRESH: oracle_take(o, t->count, &got); break;
    case SAMPLING_REPLACE:
        t->of ? oracle_draw_from(o, &q->block, t->count, &got) : oracle_draw(o, t->count, &got);
        break;
    case SAMPLING_ALL: oracle_all(o, &got); break;
    case SAMPLING_POISSON:
        t->of ? oracle_poisson_of(o, &q->block, t->q, &got) : oracle_poisson(o, t->q, &got);
        break;
    case SAMPLING_SUBSET: oracle_subset(o, t->count, &got); break;
    case SAMPLING_SHUFFLED: oracle_shuffle(o, &got); break;
    }
    BUG_IF(got.serial != t->serial || got.count != t->count || got.first != t->first);
}

static void batch(struct player *p, const struct asked *q, int points)
{
    const double *const *x = (const double *const *)(points > 1 ? p->x : &p->alone);
    oracle_batch(p->o, &(struct batch){ .ticket = &q->ticket, .points = points, .x = x,
        .a = q->scaled ? p->script->a : NULL, .w = weights(p, q), .clip = q->clip, .C = q->amount,
        .C_j = p->script->C_j, .g = p->g, .blur = q->radius, .draws = &p->draws, .envelope = q->envelope });
}

/* Draws the noise of a question again, adds it to p->at, and counts it. */
static void noise(struct player *p, const struct asked *q, enum count kind)
{
    struct rng r = noise_next(p->o);
    p->o->counts.of[kind] += kind == COUNT_noise_laplace ? (double)q->n : 1;
    if (kind == COUNT_noise_laplace) {
        rng_laplaces(&r, q->n, q->amount, p->z);
        vec_axpy(q->n, 1, p->z, p->at);
    } else {
        noise_normals(&r, q->amount, q->n, p->at);
    }
}

/* Draws Laplace variables or exponential ones (minus the logarithms of uniforms), and finds the largest. */
static void choose(struct player *p, const struct asked *q)
{
    struct rng r = noise_next(p->o);
    double most = -INFINITY;
    p->o->counts.of[COUNT_noise_max]++;
    p->o->counts.of[COUNT_noise_laplace] += q->d ? (double)q->n : 0;
    if (q->d)
        rng_laplaces(&r, q->n, 1, p->z);
    else
        rng_uniforms(&r, q->n, p->z);
    for (long k = 0; k < q->n; k++) {
        double v = q->d ? p->z[k] : -log(p->z[k]);
        most = v > most ? v : most;
    }
    p->sum += most;
}

static void hidden_step(struct player *p, const struct asked *q)
{
    batch(p, q, 1);
    p->o->counts.of[COUNT_noise_gauss]++;
    struct rng r = noise_next(p->o);
    noise_normals(&r, q->amount, p->o->d, p->at);
    oracle_project(p->o, 0, p->at);
}

static void open_round(struct player *p, const struct asked *q)
{
    struct oracle *o = p->o;
    struct ticket t;
    const struct charge bill[] = {
        { COUNT_sample_grads, (double)q->n }, { COUNT_issued, (double)q->n }, { COUNT_batch_steps, 1 } };
    oracle_draw(o, q->n, &t);
    oracle_pay(o, 3, bill);
    oracle_visited(o, &t);
    o->counts.of[COUNT_nonzeros] += oracle_nonzeros(o, &t);
}

static void rows(struct player *p, const struct asked *q)
{
    for (long k = 0; k < q->n; k++)
        oracle_one_gradient(p->o, oracle_record(p->o, &q->ticket, q->d + k), p->alone, 1, p->g);
}

static void coordinates(struct player *p, const struct asked *q)
{
    double slopes[2];
    for (long j = q->n; j < q->n + q->times; j++)
        p->sum += q->what == ASKED_PROX_COORD ? oracle_prox_coord(p->o, q->amount, j, p->alone[j])
                                               : oracle_rest_coord(p->o, j, p->alone[j], slopes);
}

static void draw(struct player *p, const struct asked *q)
{
    switch (q->what) {
    case ASKED_NORMALS: rng_normals_rows(&p->draws, 0, q->n, q->d, 1, p->z); break;
    case ASKED_BALLS:   rng_balls(&p->draws, q->n, q->d, p->z); break;
    case ASKED_SPHERES: rng_sphere_rows(&p->draws, 0, q->n, q->d, p->z); break;
    default:            rng_words_rows(&p->draws, 0, q->n, q->d, (uint64_t *)(void *)p->z); break;
    }
}

static void ask_cursor(struct player *p, const struct asked *q)
{
    double partial = 0;
    switch (q->what) {
    case ASKED_POINT_SET: point_set(p->point, p->alone); break;
    case ASKED_POINT_ADD: point_add(p->point, q->n, q->amount); break;
    case ASKED_POINT_COORD: point_coord(p->point, q->n, bounds(p, q), &partial); break;
    default: point_grad(p->point, bounds(p, q), p->g); break;
    }
    p->sum += partial;
}

/* Makes a step of length 0 from the point of the next question by the answer p->g: it reads both and writes the
 * point, with the same value. */
static void step_plainly(struct player *p, const struct asked *q)
{
    switch (q->what) {
    case ASKED_BATCH: case ASKED_SGRAD: case ASKED_WALK: case ASKED_PROBE: case ASKED_GRAD: case ASKED_SMOOTH_GRAD:
    case ASKED_POINT_GRAD: case ASKED_PIECE_GRAD: case ASKED_STEP:
        vec_axpy(p->o->d, 0, p->g, p->alone);
        break;
    default:
        break;
    }
}

static void ask(struct player *p, const struct asked *q)
{
    struct oracle *o = p->o;
    double f = 0;
    o->serial = q->serial ? q->serial : o->serial;
    switch (q->what) {
    case ASKED_TICKET: take(o, q); break;
    case ASKED_BATCH: batch(p, q, (int)q->n); break;
    case ASKED_SGRAD: oracle_sgrad(o, q->n, p->alone, p->g); break;
    case ASKED_WALK:
        oracle_sgrad(o, q->n, p->alone, p->g);
        oracle_project(o, 0, p->at);
        break;
    case ASKED_PROBE:
        oracle_probe(o, &(struct probe){ .ticket = &q->ticket, .points = (int)q->n,
            .x = (const double *const *)p->x, .a = p->script->a, .r = p->script->r,
            .directions = (int)q->d, .w = weights(p, q), .clamp = q->amount, .g = p->g });
        break;
    case ASKED_VALUES: oracle_values(o, &q->ticket, weights(p, q), p->alone, &f); break;
    case ASKED_ROUND: open_round(p, q); break;
    case ASKED_ROWS: rows(p, q); break;
    case ASKED_GRAD: oracle_grad(o, p->alone, p->g); break;
    case ASKED_VALUE: oracle_value(o, p->alone, &f); break;
    case ASKED_SMOOTH_GRAD: oracle_smooth_grad(o, p->alone, p->g); break;
    case ASKED_POINT_SET: case ASKED_POINT_ADD: case ASKED_POINT_COORD: case ASKED_POINT_GRAD:
        ask_cursor(p, q);
        break;
    case ASKED_PIECE_VALUES: oracle_piece_values(o, p->alone, p->z); break;
    case ASKED_PIECE_VALUE: oracle_piece_value(o, q->n, p->alone, &f); break;
    case ASKED_PIECE_GRAD: oracle_piece_grad(o, q->n, p->alone, p->g); break;
    case ASKED_PROX: oracle_prox(o, q->amount, p->alone, p->at); break;
    case ASKED_PROX_COORD: case ASKED_REST_COORD: coordinates(p, q); break;
    case ASKED_PROJECT: oracle_project(o, (int)q->n, p->at); break;
    case ASKED_LINEAR_MIN: oracle_linear_min(o, p->g, p->at); break;
    case ASKED_GAUSS: noise(p, q, COUNT_noise_gauss); break;
    case ASKED_LAPLACE: noise(p, q, COUNT_noise_laplace); break;
    case ASKED_TREE: noise(p, q, COUNT_noise_tree); break;
    case ASKED_CHOICE: choose(p, q); break;
    case ASKED_STEP: hidden_step(p, q); break;
    case ASKED_NORMALS: case ASKED_BALLS: case ASKED_SPHERES: case ASKED_WORDS: draw(p, q); break;
    }
    p->sum += f;
}

/* Returns a copy of x[d] in the arena, or NULL where x is. */
static double *copied(struct arena *a, long d, const double *x)
{
    double *copy = x ? arena_vec(a, d) : NULL;
    if (x)
        vec_copy(d, x, copy);
    return copy;
}

/* Points are copied to the arena, where those of a run are: the time of a question depends on where its vectors
 * lie in cache lines and pages. */
static void prepare(struct player *p, struct arena *a, const double *x)
{
    const struct script *s = p->script;
    long d = p->o->d, numbers = s->numbers > d ? s->numbers : d;
    if (p->o->facts->N > (double)numbers)
        numbers = (long)p->o->facts->N;
    for (int k = 0; k < POINTS_HEARD; k++)
        p->x[k] = copied(a, d, s->x[k]);
    p->alone = copied(a, d, s->alone ? s->alone : x);
    p->g = arena_vec(a, d);
    p->z = arena_vec(a, numbers);
    p->w = arena_vec(a, s->samples + 1);
    p->at = arena_vec(a, numbers);
    vec_zero(d, p->g);
    vec_zero(numbers, p->at);
    vec_fill(s->samples + 1, 1, p->w);
    p->point = s->cursor ? oracle_point(p->o, a) : NULL;
    p->draws = rng_stream(11);
}

void script_play(const struct script *s, const struct cell *c, const void *self, const struct facts *f,
                 struct arena *a, const double *x, bool plain, struct counts *counts)
{
    struct rng data = rng_stream(c->data_seed);
    struct oracle o;
    arena_reset(a);
    oracle_open(&o, c->problem, self, f, c->algo->calls, &data, c->seed, a);
    struct player p = { .script = s, .o = &o };
    prepare(&p, a, x);
    for (long k = 0; k < s->count; k++) {
        ask(&p, &s->at[k]);
        if (plain)
            step_plainly(&p, &s->at[k]);
    }
    *counts = o.counts;
    oracle_release(&o);
}

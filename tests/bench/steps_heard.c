/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps_heard.c - the recorder between methods and oracle. Each __wrap_NAME replaces NAME in the objects of
 * algos/ only (Makefile); __real_NAME is not needed, as nothing else is linked in this way. */
#include "bench/steps.h"

#include <stdlib.h>
#include <string.h>

static struct script *listener;

void steps_listen(struct script *s) { listener = s; }

void script_free(struct script *s)
{
    free(s->at);
    free(s->C_j);
    free(s->alone);
    for (int k = 0; k < POINTS_HEARD; k++)
        free(s->x[k]);
    *s = (struct script) { 0 };
}

/* --- recording */

static struct asked *write_new(const struct oracle *o, enum question what)
{
    struct script *s = listener;
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->at = realloc(s->at, (size_t)s->room * sizeof *s->at);
        BUG_IF(!s->at);
    }
    struct asked *a = &s->at[s->count++];
    memset(a, 0, sizeof *a);
    a->what = what;
    a->times = 1;
    a->serial = o ? o->serial : 0;
    return a;
}

static struct asked *write_of(const struct oracle *o, enum question what, long n)
{
    struct asked *a = write_new(o, what);
    a->n = n;
    return a;
}

/* Coordinates that are asked one after the other are recorded as one question, whose `times` is their number. */
static void write_coordinate(const struct oracle *o, enum question what, long j, double amount)
{
    struct script *s = listener;
    struct asked *last = s->count ? &s->at[s->count - 1] : NULL;
    if (last && last->what == what && last->n + last->times == j)
        last->times++;
    else
        write_of(o, what, j)->amount = amount;
}

static void write_draw(enum question what, long rows, long d)
{
    struct asked *a = write_of(NULL, what, rows);
    a->d = d;
    listener->numbers = rows * d > listener->numbers ? rows * d : listener->numbers;
}

static void write_ticket(const struct oracle *o, uint64_t serial, const struct ticket *t,
                         const struct ticket *block)
{
    struct asked *a = write_new(o, ASKED_TICKET);
    a->serial = serial;
    a->ticket = *t;
    if (block)
        a->block = *block;
}

static struct asked *last(void) { return &listener->at[listener->count - 1]; }

static void keep(const struct oracle *o, double **to, const double *from)
{
    size_t bytes = (size_t)o->d * sizeof *from;
    if (!*to)
        *to = malloc(bytes);
    BUG_IF(!*to);
    memcpy(*to, from, bytes);
}

static struct asked *write_at(const struct oracle *o, enum question what, long n, const double *x)
{
    keep(o, &listener->alone, x);
    return write_of(o, what, n);
}

static void write_points(const struct oracle *o, int points, const double *const *x, const double *a,
                         const double *r)
{
    struct script *s = listener;
    if (points == 1 && !r) {
        keep(o, &s->alone, x[0]);
        return;
    }
    BUG_IF(points > POINTS_HEARD);
    for (int k = 0; k < points; k++) {
        keep(o, &s->x[k], x[k]);
        s->a[k] = a ? a[k] : 1;
        s->r[k] = r ? r[k] : 0;
    }
}

static void write_weights(struct asked *a, const struct ticket *t, const double *w)
{
    a->ticket = *t;
    a->weighted = w;
    listener->samples = t->count > listener->samples ? t->count : listener->samples;
}

static void write_bounds(const struct oracle *o, const double *C_j)
{
    keep(o, &listener->C_j, C_j);
}

static void write_batch(const struct oracle *o, const struct batch *q)
{
    struct asked *a = write_of(o, ASKED_BATCH, q->points);
    write_weights(a, q->ticket, q->w);
    write_points(o, q->points, q->x, q->a, NULL);
    a->amount = q->C;
    a->clip = q->clip;
    a->scaled = q->a;
    a->radius = q->blur;
    a->envelope = q->envelope;
    if (q->clip == CLIP_COORDS)
        write_bounds(o, q->C_j);
}

static void write_probe(const struct oracle *o, const struct probe *q)
{
    struct asked *a = write_of(o, ASKED_PROBE, q->points);
    write_weights(a, q->ticket, q->w);
    a->d = q->directions;
    a->amount = q->clamp;
    write_points(o, q->points, q->x, q->a, q->r);
}

static void write_rows(const struct oracle *o, const struct round *q, long first, long count)
{
    struct asked *a = write_of(o, ASKED_ROWS, count);
    a->d = first;
    a->ticket = q->ticket;
}

static void write_bounded(const struct oracle *o, enum question what, long j, const double *clip_j)
{
    struct asked *a = write_of(o, what, j);
    a->clipped = clip_j;
    if (clip_j)
        write_bounds(o, clip_j);
}

static void write_noise(const struct oracle *o, enum question what, long d, double scale)
{
    write_of(o, what, d)->amount = scale;
    listener->numbers = d > listener->numbers ? d : listener->numbers;
}

/* --- the functions that replace those of the oracle */

/* write: executed before the question, while the oracle is in the state in which the question finds it. */
#define HEARD(type, name, parameters, arguments, write)                                             \
    type __wrap_##name parameters;                                                                  \
    type __wrap_##name parameters                                                                   \
    {                                                                                               \
        if (listener)                                                                               \
            write;                                                                                  \
        return name arguments;                                                                      \
    }

/* Questions that the budget may refuse are recorded first, while ticket and round are unchanged, and removed
 * after a refusal. */
#define HEARD_ASKED(name, parameters, arguments, write)                                             \
    bool __wrap_##name parameters;                                                                  \
    bool __wrap_##name parameters                                                                   \
    {                                                                                               \
        if (!listener)                                                                              \
            return name arguments;                                                                  \
        write;                                                                                      \
        bool answered = name arguments;                                                             \
        listener->count -= !answered;                                                               \
        return answered;                                                                            \
    }

/* Tickets are recorded after the call, when they are known. */
#define HEARD_TICKET(name, parameters, arguments, block)                                            \
    bool __wrap_##name parameters;                                                                  \
    bool __wrap_##name parameters                                                                   \
    {                                                                                               \
        uint64_t serial = o->serial;                                                                \
        if (!name arguments)                                                                        \
            return false;                                                                           \
        if (listener)                                                                               \
            write_ticket(o, serial, t, block);                                                      \
        return true;                                                                                \
    }

HEARD_TICKET(oracle_take, (struct oracle *o, long b, struct ticket *t), (o, b, t), NULL)
HEARD_TICKET(oracle_draw, (struct oracle *o, long b, struct ticket *t), (o, b, t), NULL)
HEARD_TICKET(oracle_draw_from, (struct oracle *o, const struct ticket *block, long b, struct ticket *t),
             (o, block, b, t), block)
HEARD_TICKET(oracle_all, (struct oracle *o, struct ticket *t), (o, t), NULL)
HEARD_TICKET(oracle_poisson, (struct oracle *o, double q, struct ticket *t), (o, q, t), NULL)
HEARD_TICKET(oracle_poisson_of, (struct oracle *o, const struct ticket *block, double q, struct ticket *t),
             (o, block, q, t), block)
HEARD_TICKET(oracle_subset, (struct oracle *o, long b, struct ticket *t), (o, b, t), NULL)
HEARD_TICKET(oracle_shuffle, (struct oracle *o, struct ticket *t), (o, t), NULL)

/* A round is recorded with the ticket that it takes. */
#define HEARD_ROUND(name, parameters, arguments)                                                    \
    bool __wrap_##name parameters;                                                                  \
    bool __wrap_##name parameters                                                                   \
    {                                                                                               \
        uint64_t serial = o->serial;                                                                \
        if (!name arguments)                                                                        \
            return false;                                                                           \
        if (listener) {                                                                             \
            struct asked *a = write_of(o, ASKED_ROUND, m);                                          \
            a->serial = serial;                                                                     \
            a->ticket = q->ticket;                                                                  \
        }                                                                                           \
        return true;                                                                                \
    }

HEARD_ROUND(oracle_round, (struct oracle *o, long m, point_fn point, const void *ctx, struct round *q),
            (o, m, point, ctx, q))
HEARD_ROUND(oracle_cloud, (struct oracle *o, long m, const struct cloud *c, struct round *q), (o, m, c, q))

HEARD(void, round_add, (struct oracle *o, struct round *q, long first, long count, const double *w,
      double *work, double *g), (o, q, first, count, w, work, g), write_rows(o, q, first, count))
HEARD(void, cloud_add, (struct oracle *o, struct round *q, long first, long count, const double *u,
      weigh_fn weigh, void *ctx, double *work, double *g), (o, q, first, count, u, weigh, ctx, work, g),
      write_rows(o, q, first, count))

HEARD_ASKED(oracle_batch, (struct oracle *o, const struct batch *q), (o, q), write_batch(o, q))
HEARD_ASKED(oracle_sgrad, (struct oracle *o, long b, const double *x, double *g), (o, b, x, g),
      write_at(o, ASKED_SGRAD, b, x))
HEARD_ASKED(oracle_probe, (struct oracle *o, const struct probe *q), (o, q), write_probe(o, q))
HEARD_ASKED(oracle_values, (struct oracle *o, const struct ticket *t, const double *w, const double *x,
      double *f), (o, t, w, x, f), (write_at(o, ASKED_VALUES, 0, x), write_weights(last(), t, w)))
HEARD_ASKED(oracle_value, (struct oracle *o, const double *x, double *f), (o, x, f),
      write_at(o, ASKED_VALUE, 0, x))
HEARD_ASKED(oracle_grad, (struct oracle *o, const double *x, double *g), (o, x, g),
      write_at(o, ASKED_GRAD, 0, x))
HEARD_ASKED(oracle_smooth_grad, (struct oracle *o, const double *x, double *g), (o, x, g),
      write_at(o, ASKED_SMOOTH_GRAD, 0, x))
HEARD_ASKED(oracle_piece_values, (struct oracle *o, const double *x, double *v), (o, x, v),
      write_at(o, ASKED_PIECE_VALUES, 0, x))
HEARD_ASKED(oracle_piece_value, (struct oracle *o, long i, const double *x, double *f), (o, i, x, f),
      write_at(o, ASKED_PIECE_VALUE, i, x))
HEARD_ASKED(oracle_piece_grad, (struct oracle *o, long i, const double *x, double *g), (o, i, x, g),
      write_at(o, ASKED_PIECE_GRAD, i, x))
HEARD(void, oracle_prox, (struct oracle *o, double t, const double *v, double *x), (o, t, v, x),
      write_at(o, ASKED_PROX, 0, v)->amount = t)
HEARD(double, oracle_prox_coord, (struct oracle *o, double t, long j, double v), (o, t, j, v),
      write_coordinate(o, ASKED_PROX_COORD, j, t))
HEARD(double, oracle_rest_coord, (const struct oracle *o, long j, double x, double slopes[2]),
      (o, j, x, slopes), write_coordinate(o, ASKED_REST_COORD, j, 0))
HEARD(void, oracle_project, (struct oracle *o, int set, double *x), (o, set, x),
      write_of(o, ASKED_PROJECT, set))
HEARD_ASKED(oracle_linear_min, (struct oracle *o, const double *g, double *x), (o, g, x),
      write_new(o, ASKED_LINEAR_MIN))

/* --- cursors, walks, iterations and prefixes. Their functions are not given an oracle: `asking` is the one on
 * which the last of them was opened */

static const struct oracle *asking;
static long walked;

struct point *__wrap_oracle_point(struct oracle *o, struct arena *w);
struct point *__wrap_oracle_point(struct oracle *o, struct arena *w)
{
    if (listener)
        listener->cursor = true;
    asking = o;
    return oracle_point(o, w);
}

struct walk *__wrap_oracle_walk(struct oracle *o, long b, bool average, struct arena *w);
struct walk *__wrap_oracle_walk(struct oracle *o, long b, bool average, struct arena *w)
{
    asking = o;
    walked = b;
    return oracle_walk(o, b, average, w);
}

struct iteration *__wrap_noise_iteration(struct oracle *o, struct arena *w);
struct iteration *__wrap_noise_iteration(struct oracle *o, struct arena *w)
{
    asking = o;
    return noise_iteration(o, w);
}

struct prefix *__wrap_noise_prefix(struct oracle *o, struct arena *w, enum prefix_kind kind, long T, long d);
static long prefix_numbers;
struct prefix *__wrap_noise_prefix(struct oracle *o, struct arena *w, enum prefix_kind kind, long T, long d)
{
    asking = o;
    prefix_numbers = d;
    return noise_prefix(o, w, kind, T, d);
}

static void write_step(const struct release *r, double scale)
{
    struct asked *a = write_new(asking, ASKED_STEP);
    write_weights(a, r->ticket, NULL);
    a->amount = scale;
}

HEARD(void, point_set, (struct point *p, const double *x), (p, x), write_new(asking, ASKED_POINT_SET))
HEARD(void, point_add, (struct point *p, long j, double step), (p, j, step),
      write_of(asking, ASKED_POINT_ADD, j)->amount = step)
HEARD_ASKED(point_coord, (struct point *p, long j, const double *clip_j, double *partial),
      (p, j, clip_j, partial), write_bounded(asking, ASKED_POINT_COORD, j, clip_j))
HEARD_ASKED(point_grad, (struct point *p, const double *clip_j, double *g), (p, clip_j, g),
      write_bounded(asking, ASKED_POINT_GRAD, 0, clip_j))
HEARD_ASKED(walk_step, (struct walk *p, double eta), (p, eta), write_of(asking, ASKED_WALK, walked))
HEARD(void, prefix_release, (struct prefix *p, const struct release *r, double sd, double *v), (p, r, sd, v),
      write_noise(asking, ASKED_TREE, prefix_numbers, sd))
HEARD_ASKED(iteration_step, (struct iteration *c, const struct release *r, double step, double sd, double *x,
      double *g), (c, r, step, sd, x, g), write_step(r, step * sd))

/* --- noise, and numbers that methods draw themselves */

HEARD(void, noise_gaussian, (struct oracle *o, const struct release *r, double sd, long d, double *v),
      (o, r, sd, d, v), write_noise(o, ASKED_GAUSS, d, sd))
HEARD(void, noise_laplace, (struct oracle *o, const struct release *r, double b, long d, double *v),
      (o, r, b, d, v), write_noise(o, ASKED_LAPLACE, d, b))
HEARD(struct winner, noise_choose, (struct oracle *o, const struct release *r, enum max_rule rule,
      const struct candidates *c), (o, r, rule, c),
      (write_noise(o, ASKED_CHOICE, c->m, 1),
       last()->d = rule == MAX_ABS_LAPLACE || rule == MAX_LAPLACE))
HEARD(long, noise_max, (struct oracle *o, const struct release *r, long m, const double *score,
      const double *b, const double *weight), (o, r, m, score, b, weight),
      (write_noise(o, ASKED_CHOICE, m, 1), last()->d = 1))
HEARD(void, rng_normals, (struct rng *r, long d, double sd, double *out), (r, d, sd, out),
      write_draw(ASKED_NORMALS, 1, d))
HEARD(void, rng_normals_rows, (const struct rng *base, uint64_t first, long m, long d, double sd,
      double *out), (base, first, m, d, sd, out), write_draw(ASKED_NORMALS, m, d))
HEARD(void, rng_ball, (struct rng *r, long d, double *out), (r, d, out), write_draw(ASKED_BALLS, 1, d))
HEARD(void, rng_balls, (struct rng *r, long m, long d, double *out), (r, m, d, out),
      write_draw(ASKED_BALLS, m, d))
HEARD(void, rng_sphere, (struct rng *r, long d, double *out), (r, d, out), write_draw(ASKED_SPHERES, 1, d))
HEARD(void, rng_words_rows, (const struct rng *base, uint64_t first, long m, long d, uint64_t *out),
      (base, first, m, d, out), write_draw(ASKED_WORDS, m, d))

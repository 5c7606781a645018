/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiny.h - five records in three dimensions, f(x; i) = (a_i'x - b_i)^2 / 2, and an oracle over them. The problem is
 * so small that every answer of an oracle can be recomputed by hand. */
#ifndef ASSAY_TESTS_TINY_H
#define ASSAY_TESTS_TINY_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_state.h"

enum { D = 3, N = 5 };

struct tiny {
    long d;
    struct { double a[D], b; } row[N + 2];   /* the last two are the canaries -1 and -2 */
};

static const struct tiny tiny_data = { D, {
    { { 1, 0, -2 }, 0.5 }, { { 0.5, 2, 0 }, -1 }, { { -1, 1, 3 }, 2 }, { { 0, 0, 1.5 }, 0 },
    { { 2, -0.5, 0.25 }, 1 }, { { 4, -3, 2 }, -2 }, { { -4, 3, 1 }, 3 } } };

static inline long tiny_row(long i) { return i < 0 ? N - 1 - i : i % N; }

static inline double tiny_residual(const struct tiny *t, long i, const double *x)
{
    double sum = -t->row[tiny_row(i)].b;
    for (long j = 0; j < t->d; j++)
        sum += t->row[tiny_row(i)].a[j] * x[j];
    return sum;
}

static inline double tiny_sample_value(const void *self, long i, const double *x)
{
    double r = tiny_residual(self, i, x);
    return r * r / 2;
}

static inline void tiny_sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct tiny *t = self;
    for (long j = 0; j < t->d; j++)
        g[j] += a * tiny_residual(t, i, x) * t->row[tiny_row(i)].a[j];
}

static inline void tiny_batch_grad(const void *self, const struct samples *s, const double *w,
                                   const double *x, double a, double *g)
{
    for (long k = 0; k < s->count; k++)
        tiny_sample_grad(self, sample_index(s, k), x, a * (w ? w[k] : 1 / (double)s->count), g);
}

static inline void tiny_values_along(const void *self, long i, int points, const double *const *x,
                                     const double *r, int m, const double *u, double *v)
{
    const struct tiny *t = self;
    for (int j = 0; j < m; j++) {
        double along = tiny_residual(t, i, u + j * t->d) + t->row[tiny_row(i)].b;
        for (int p = 0; p < points; p++) {
            double c = tiny_residual(t, i, x[p]) + r[p] * along;
            v[p * m + j] = c * c / 2;
        }
    }
}

static inline long tiny_nonzeros(const void *self, long i)
{
    const struct tiny *t = self;
    long count = 0;
    for (long j = 0; j < t->d; j++)
        count += t->row[tiny_row(i)].a[j] != 0;
    return count;
}

static inline double tiny_value(const void *self, const double *x)
{
    double sum = 0;
    for (long i = 0; i < N; i++)
        sum += tiny_sample_value(self, i, x);
    return sum / N;
}

static inline void tiny_grad(const void *self, const double *x, double *g)
{
    vec_zero(((const struct tiny *)self)->d, g);
    for (long i = 0; i < N; i++)
        tiny_sample_grad(self, i, x, 1.0 / N, g);
}

/* Stands for the exact law of the mean of b sample gradients: the answer is the full gradient plus, in the first
 * coordinate, a normal number of variance 1/b. */
static inline void tiny_law(const void *self, const struct rng *draw, double b, int points,
                            const double *const *x, const double *a, double *g)
{
    double mean[D];
    struct rng r = *draw;
    double noise = rng_normal(&r) / sqrt(b);
    for (int p = 0; p < points; p++) {
        tiny_grad(self, x[p], mean);
        vec_axpy(((const struct tiny *)self)->d, a[p], mean, g);
        g[0] += a[p] * noise;
    }
}

/* --- a cursor that caches residuals */
static inline size_t tiny_cursor_bytes(const void *self) { return N * sizeof(double); }

static inline void tiny_cursor_set(const void *self, void *cache, const double *x)
{
    for (long i = 0; i < N; i++)
        ((double *)cache)[i] = tiny_residual(self, i, x);
}

static inline long tiny_column_nonzeros(const void *self, long j)
{
    const struct tiny *t = self;
    long count = 0;
    for (long i = 0; i < N; i++)
        count += t->row[i].a[j] != 0;
    return count;
}

static inline long tiny_cursor_add(const void *self, void *cache, long j, double step)
{
    const struct tiny *t = self;
    for (long i = 0; i < N; i++)
        ((double *)cache)[i] += t->row[i].a[j] * step;
    return tiny_column_nonzeros(self, j);
}

static inline double tiny_cursor_coord(const void *self, const void *cache, long j, const double *C)
{
    const struct tiny *t = self;
    double sum = 0;
    for (long i = 0; i < N; i++) {
        double v = ((const double *)cache)[i] * t->row[i].a[j];
        sum += C ? fmax(-C[j], fmin(C[j], v)) : v;
    }
    return sum / N;
}

static inline void tiny_cursor_grad(const void *self, const void *cache, const double *C, double *g)
{
    for (long j = 0; j < D; j++)
        g[j] = tiny_cursor_coord(self, cache, j, C);
}

/* --- pieces |x_j|, smooth part |x|^2/2, prox of |x|_1, box and halfspace */
static inline double tiny_piece(const void *self, long i, const double *x) { return fabs(x[i]); }
static inline void tiny_piece_values(const void *self, const double *x, double *v)
{
    for (long i = 0; i < D; i++)
        v[i] = fabs(x[i]);
}
static inline void tiny_piece_grad(const void *self, long i, const double *x, double a, double *g)
{
    g[i] += a * (x[i] > 0 ? 1 : -1);
}
static inline void tiny_smooth_grad(const void *self, const double *x, double *g)
{
    vec_copy(D, x, g);
}
static inline double tiny_prox_coord(const void *self, double t, long j, double v)
{
    return copysign(fmax(fabs(v) - t, 0), v);
}
static inline void tiny_prox(const void *self, double t, const double *v, double *x)
{
    for (long j = 0; j < D; j++)
        x[j] = tiny_prox_coord(self, t, j, v[j]);
}
static inline void tiny_box(const void *self, double *x)
{
    vec_clip_coords(D, (const double[D]){ 2, 2, 2 }, x);
}
static inline void tiny_half(const void *self, double *x) { x[0] = fmin(x[0], 0); }
static inline void tiny_linear_min(const void *self, const double *g, double *x)
{
    for (long j = 0; j < D; j++)
        x[j] = g[j] > 0 ? -2 : 2;
}

static inline double tiny_first(const void *self, const double *x, double *error) { return x[0]; }
static inline double tiny_spread(const void *self, long m, const double *x, double *error)
{
    double low = x[0], high = x[0];
    for (long k = 1; k < m; k++) {
        low = fmin(low, x[k * D]);
        high = fmax(high, x[k * D]);
    }
    return high - low;
}

static const struct set tiny_sets[] = { { "box", "", tiny_box }, { "half", "", tiny_half }, { 0 } };
static const struct measure tiny_measures[] = {
    { "first", "x", "x_1", EXACT, tiny_first, NULL },
    { "spread", "x", "range of x_1", EXACT, NULL, tiny_spread },
    { 0 }
};

static const struct cursor_model tiny_cursor = {
    .bytes = tiny_cursor_bytes, .set = tiny_cursor_set, .add = tiny_cursor_add,
    .coord = tiny_cursor_coord, .grad = tiny_cursor_grad, .nonzeros = tiny_column_nonzeros,
};

static const struct pieces_model tiny_pieces = {
    .values = tiny_piece_values, .value = tiny_piece, .grad = tiny_piece_grad,
};

static const struct composite_model tiny_composite = {
    .smooth_grad = tiny_smooth_grad, .prox = tiny_prox, .prox_coord = tiny_prox_coord,
};

static const struct problem tiny_problem = {
    .name = "tiny", .sample_value = tiny_sample_value, .sample_grad = tiny_sample_grad,
    .sample_nonzeros = tiny_nonzeros, .value = tiny_value, .grad = tiny_grad,
    .cursor = &tiny_cursor,
    .pieces = &tiny_pieces,
    .composite = &tiny_composite,
    .sets = tiny_sets, .linear_min = tiny_linear_min,
    .measures = tiny_measures,
};

/* --- an oracle over the records; the members `problem` and `data` may be changed before bench_open */

struct bench {
    struct arena *arena;
    struct problem problem;
    struct tiny data;
    struct facts facts;
    struct oracle o;
};

static inline struct bench *bench_new(bool stored)
{
    struct bench *b = calloc(1, sizeof *b);
    b->arena = arena_new(0);
    b->problem = tiny_problem;
    b->data = tiny_data;
    b->facts = facts_unknown();
    b->facts.d = D;
    b->facts.N = D;
    b->facts.n = stored ? N : INFINITY;
    b->facts.radius = 2;
    for (long i = 0; i < N; i++)
        b->facts.nonzeros = (i ? b->facts.nonzeros : 0) + (double)tiny_nonzeros(&b->data, i);
    return b;
}

static inline struct oracle *bench_open(struct bench *b, const struct algo *algo, uint64_t seed)
{
    struct rng data = rng_stream(77);
    b->data.d = (long)b->facts.d;
    oracle_open(&b->o, &b->problem, &b->data, &b->facts, algo ? algo->calls : ~0u, &data, seed,
                b->arena);
    return &b->o;
}

static inline void bench_free(struct bench *b)
{
    oracle_release(&b->o);
    arena_free(b->arena);
    free(b);
}

/* --- two points, a comparison of vectors up to rounding, and a ticket of each scheme of sampling */

static const double X0[D] = { 0.3, -1, 2 }, X1[D] = { -2, 0.25, 1 };
static const double *const XS[2] = { X0, X1 };

static inline void near(long d, const double *v, const double *truth)
{
    for (long j = 0; j < d; j++)
        if (!(fabs(v[j] - truth[j]) <= 1e-12 * (1 + fabs(truth[j]))))
            fail_msg("entry %ld: %.17g, not %.17g", j, v[j], truth[j]);
}

static inline void draw_ticket(struct oracle *o, enum sampling scheme, struct ticket *t)
{
    assert_true(scheme == SAMPLING_FRESH ? oracle_take(o, 4, t)
                : scheme == SAMPLING_REPLACE ? oracle_draw(o, 7, t) : oracle_all(o, t));
    assert_int_equal(t->scheme, scheme);
}

#endif

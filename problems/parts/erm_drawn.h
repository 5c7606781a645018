/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_drawn.h - records of a linear model that nobody collected:
 *
 *     X normal, columns then centred and scaled to variance 1;   s = X w + noise z,  z normal;
 *     targets y = s, classes y = sign(s);
 *     w log-normal (all positive, few of them large), or with few non-zeros, uniform on (0, size).
 *
 * They follow from the seed alone, draw by draw: another penalty, noise or place of the regulariser
 * meets the same X, w and z. */
#ifndef ASSAY_PARTS_ERM_DRAWN_H
#define ASSAY_PARTS_ERM_DRAWN_H

#include "erm_support.h"

struct drawn {
    long n, d, seed;
    double spread;                   /* w_j = exp(spread normal); 0: sparse */
    long nonzeros;                   /* sparse: the first of a random order ... */
    double size;                     /* ... uniform on (0, size) */
};

enum { DRAWN_X = 1, DRAWN_W, DRAWN_Z, DRAWN_ORDER };

static inline struct rng drawn_stream(const struct drawn *w, uint64_t label)
{
    struct rng base = rng_stream((uint64_t)w->seed);
    return rng_sub(&base, label);
}

static inline void drawn_standardise(long n, long d, double *X)
{
    for (long j = 0; j < d; j++) {
        double mean = 0, square = 0;
        for (long i = 0; i < n; i++)
            mean += X[i * d + j] / (double)n;
        for (long i = 0; i < n; i++) {
            X[i * d + j] -= mean;
            square += X[i * d + j] * X[i * d + j] / (double)n;
        }
        for (long i = 0; i < n; i++)
            X[i * d + j] /= sqrt(square);
    }
}

static inline void drawn_truth(const struct drawn *s, double *w)
{
    struct rng r = drawn_stream(s, DRAWN_W), order = drawn_stream(s, DRAWN_ORDER);
    if (s->spread > 0) {
        rng_normals(&r, s->d, s->spread, w);
        vmath_exp(s->d, w, w);
        return;
    }
    vec_zero(s->d, w);
    for (long left = s->nonzeros; left > 0;) {
        long j = (long)rng_below(&order, (uint64_t)s->d);
        if (w[j] == 0) {
            w[j] = s->size * rng_uniform(&r);
            left--;
        }
    }
}

/* The table by rows and by columns, in the arena. */
static inline void drawn_rows(const struct drawn *s, struct arena *a, struct erm *o)
{
    long n = s->n, d = s->d, longer = n > d ? n : d;
    struct table *t = ARENA_ARRAY(a, 1, struct table);
    struct columns *c = ARENA_ARRAY(a, 1, struct columns);
    struct rng r = drawn_stream(s, DRAWN_X);
    int *counting = ARENA_ARRAY(a, longer, int);
    for (long k = 0; k < longer; k++)
        counting[k] = (int)k;
    *t = (struct table){ .path = "drawn", .n = n, .d = d, .nonzeros = n * d, .index = counting,
                         .dense = arena_vec(a, n * d) };
    *c = (struct columns){ .n = n, .d = d, .record = counting, .dense = arena_vec(a, n * d) };
    rng_normals(&r, n * d, 1, t->dense);
    drawn_standardise(n, d, t->dense);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < d; j++)
            c->dense[j * n + i] = t->dense[i * d + j];
    o->A = rows_of(t, false);
    o->columns = c;
    o->n = n;
    o->d = d;
}

/* o->y <- the labels under a noise. signal[n] = X w, z[n]. */
static inline void drawn_labels(struct erm *o, const double *signal, const double *z, double noise)
{
    for (long i = 0; i < o->n; i++) {
        double s = signal[i] + noise * z[i];
        o->y[i] = !o->loss->signs ? s : s > 0 ? 1 : -1;
    }
}

/* F(0)/F* - 1 under the labels of a noise. */
static inline enum status drawn_signal(struct erm *o, const double *signal, const double *z,
                                       double noise, struct arena *a, double *relative,
                                       struct why *why)
{
    double *origin = arena_vec(a, o->d);
    struct ball_problem p = erm_ball(o);
    struct ball_reference best;
    drawn_labels(o, signal, z, noise);
    vec_zero(o->d, origin);
    double first = erm_value(o, origin);
    TRY(ball_reference(&p, ERM_SMOOTH_TARGET * first, a, &best, why));
    *relative = first / best.value - 1;
    return OK;
}

/* *noise <- such that F(0)/F* - 1 = relative: more noise, less of it. Labels that are signs change
 * one by one, so that what is met is the nearest of finitely many values. */
static inline enum status drawn_calibrate(struct erm *o, const double *signal, const double *z,
                                          double relative, struct arena *a, double *noise,
                                          struct why *why)
{
    enum { SOLVES = 30 };
    static const double NEAR = 1e-4;
    double low = 1e-3 * vec_norm(o->n, signal) / sqrt((double)o->n), high = 1e6 * low;
    double best = INFINITY;
    for (int k = 0; k < SOLVES && best > NEAR * relative; k++) {
        double at = sqrt(low * high), got;
        TRY(drawn_signal(o, signal, z, at, a, &got, why));
        if (fabs(got - relative) < best) {
            best = fabs(got - relative);
            *noise = at;
        }
        *(got > relative ? &low : &high) = at;
    }
    if (best > 0.05 * relative)
        return why_set(why, BAD_INPUT, "relative = %.6g: no noise found under which F(0)/F* - 1 is "
                       "that; the nearest was off by %.3g", relative, best);
    return OK;
}

#endif

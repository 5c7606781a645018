/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_maps.h - elementary functions of arrays.
 *
 * A function of one SIMD vector is a chain of some sixty operations, most of which wait for the one before. Other
 * vectors could fill the waiting time, but the processor's window holds the operations of only two or three of
 * them. So a chunk of vectors goes through the function in stages: a stage is short, and the window holds it for
 * many vectors. */
#ifndef ASSAY_LANES_MAPS_H
#define ASSAY_LANES_MAPS_H

#include "numeric/lanes.h"
#include "numeric/lanes_math.h"

/* CHUNK_MOST: vectors in a chunk; their intermediate results, three vectors each, stay in the first-level cache.
 * SIDE: up to so many vectors are computed side by side in registers without stages, since for so few the stores
 * between stages cost more than they save. */
enum { CHUNK_MOST = 32, SIDE = 2 };

/* A function f(x) = of(x, quotient(x, e^exponent(x))); where `of` is NULL, the quotient's value is f(x). With
 * `turned` the maps below compute -y f(-y x). */
typedef vd exponent_function(vd x);
typedef struct quotient quotient_function(vd x, struct exponential e);
typedef vd of_function(vd x, struct quotient q);
struct map {
    exponent_function *exponent;
    quotient_function *quotient;
    of_function *of;
};
static of_function *const exp_of = NULL;

INLINE vd argument(bool turned, const double *x, const double *y)
{
    return turned ? load_halves(x) * -load(y) : load(x);
}

INLINE vd result(bool turned, vd f, const double *y) { return turned ? f * -load(y) : f; }

/* What the stages exp_reduced and exp_tail have computed for each vector of a chunk. */
struct stages {
    vd r[CHUNK_MOST], shifted[CHUNK_MOST], tail[CHUNK_MOST];
};

/* The last stage before `of`: s->r, s->tail <- the values of the quotients and their second numbers. Where `of` is
 * NULL: out <- the results. near: see times_power. */
INLINE void quotient_stage(bool near, struct map f, bool turned, long n, struct stages *s, const double *x,
                           const double *y, double *out)
{
    for (long k = 0; k < n; k++, x += LANES, y += LANES, out += LANES) {
        struct exponential e = exp_ends(near, s->tail[k], s->shifted[k]);
        struct quotient q = f.quotient(argument(turned, x, y), e);
        if (f.of) {
            s->r[k] = q.value;
            s->tail[k] = q.other;
        } else
            store(out, result(turned, q.value, y));
    }
}

/* out <- f of n vectors; with `turned`, out <- -y f(-y x). y is not used otherwise. */
INLINE void map_chunk(struct map f, bool turned, long n, const double *x, const double *y, double *out)
{
    struct stages s;
    vd most = all(0);
    for (long k = 0; k < n; k++) {
        vd at = f.exponent(argument(turned, x + k * LANES, y + k * LANES));
        s.r[k] = exp_reduced(at, &s.shifted[k]);
        most = greater(magnitude(at), most); /* with the arguments in this order a NaN is ignored */
    }
    for (long k = 0; k < n; k++)
        s.tail[k] = exp_tail(s.r[k]);
    if (any(less(all(NEAR), most)))
        quotient_stage(false, f, turned, n, &s, x, y, out);
    else
        quotient_stage(true, f, turned, n, &s, x, y, out);
    for (long k = 0; f.of && k < n; k++, x += LANES, y += LANES, out += LANES)
        store(out, result(turned, f.of(argument(turned, x, y), (struct quotient){ s.r[k], s.tail[k] }), y));
}

/* Maps chunks of whole vectors, as long as more than SIDE vectors are left. Returns how many numbers are done. */
INLINE long map_chunks(struct map f, bool turned, long d, const double *x, const double *y, double *out)
{
    long j = 0, n;
    for (; (n = (d - j) / LANES) > SIDE; j += n * LANES) {
        n = n < CHUNK_MOST ? n : CHUNK_MOST;
        map_chunk(f, turned, n, x + j, y + j, out + j);
    }
    return j;
}

/* f(x) of one vector, without stages. */
INLINE vd straight(struct map f, vd x)
{
    struct quotient q = f.quotient(x, exponential(f.exponent(x)));
    return f.of ? f.of(x, q) : q.value;
}

/* out <- f of n <= SIDE vectors side by side. */
INLINE void map_side(struct map f, bool turned, int n, const double *x, const double *y, double *out)
{
    vd v[SIDE];
    for (int k = 0; k < n; k++)
        v[k] = straight(f, argument(turned, x + k * LANES, y + k * LANES));
    for (int k = 0; k < n; k++)
        store(out + k * LANES, result(turned, v[k], y + k * LANES));
}

/* out <- f of at most SIDE whole vectors and of a part of one, whose other lanes are set to 0. */
INLINE void map_rest(struct map f, bool turned, long d, const double *x, const double *y, double *out)
{
    long j = d / LANES * LANES;
    if (j == SIDE * LANES)
        map_side(f, turned, SIDE, x, y, out);
    else if (j)
        map_side(f, turned, 1, x, y, out);
    if (j == d)
        return;
    vd at = load_part(x + j, d - j);
    if (turned) {
        vd turn = -load_part(y + j, d - j);
        store_part(out + j, straight(f, at * turn) * turn, d - j);
    } else
        store_part(out + j, straight(f, at), d - j);
}

/* Up to four numbers leave half of the lanes of AVX-512 empty. AVX2 is then faster. */
#if LANES == 8
#define NARROW(name, x, y)          \
    if (d <= LANES / 2) {           \
        lanes_avx2.name(d, x, y);   \
        return;                     \
    }
#else
#define NARROW(name, x, y)
#endif

#define FUNCTION(name) ((struct map){ name##_exponent, name##_quotient, name##_of })

/* Defines the kernel y <- f(x). A separate function handles the chunks, so that a call for a short array reserves
 * no stack for the stages. */
#define MAP(name)                                                                         \
    static __attribute__((noinline)) long chunks_##name(long d, const double *x, double *y) \
    {                                                                                     \
        return map_chunks(FUNCTION(name), false, d, x, x, y);                             \
    }                                                                                     \
    static void map_##name(long d, const double *x, double *y)                            \
    {                                                                                     \
        NARROW(name, x, y)                                                                \
        long j = d / LANES > SIDE ? chunks_##name(d, x, y) : 0;                           \
        map_rest(FUNCTION(name), false, d - j, x + j, x + j, y + j);                      \
    }

/* Defines the kernel x <- -y f(-y x). */
#define TURNED(name)                                                                      \
    static __attribute__((noinline)) long chunks_turned_##name(long d, const double *y, double *x) \
    {                                                                                     \
        return map_chunks(FUNCTION(name), true, d, x, y, x);                              \
    }                                                                                     \
    static void turned_##name(long d, const double *y, double *x)                         \
    {                                                                                     \
        NARROW(turned_##name, y, x)                                                       \
        long j = d / LANES > SIDE ? chunks_turned_##name(d, y, x) : 0;                    \
        map_rest(FUNCTION(name), true, d - j, x + j, y + j, x + j);                       \
    }

MAP(exp)
MAP(log1pexp)
MAP(logistic)
MAP(logistic_slope)
TURNED(logistic)
TURNED(logistic_slope)

static void map_log(long d, const double *x, double *y)
{
    NARROW(log, x, y)
    for (; d >= SIDE * LANES; d -= SIDE * LANES, x += SIDE * LANES, y += SIDE * LANES) {
        vd first = log_lanes(load(x)), second = log_lanes(load(x + LANES));
        store(y, first);
        store(y + LANES, second);
    }
    for (; d >= LANES; d -= LANES, x += LANES, y += LANES)
        store(y, log_lanes(load(x)));
    if (d > 0)
        store_part(y, log_lanes(load_part(x, d)), d);
}

#endif

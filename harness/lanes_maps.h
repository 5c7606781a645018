/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_maps.h - functions of whole vectors. Most of the sixty operations of one wait for the one before, and
 * a processor has room for those of two or three vectors; so a chunk of vectors goes through them in stages,
 * short enough that there is room for many. */
#ifndef ASSAY_LANES_MAPS_H
#define ASSAY_LANES_MAPS_H

#include "lanes.h"
#include "lanes_math.h"

/* Vectors of a chunk; and those that go side by side in registers, since for so few what is stored between stages
 * costs more than it saves. */
enum { CHUNK_MOST = 32, SIDE = 2 };

/* f(x) = of(x, e^exponent(x)). Turned by y: -y f(-y x). */
typedef vd exponent_function(vd x);
typedef vd of_function(vd x, struct exponential e);

INLINE vd argument(bool turned, const double *x, const double *y)
{
    return turned ? load_halves(x) * -load(y) : load(x);
}

INLINE vd result(bool turned, vd f, const double *y) { return turned ? f * -load(y) : f; }

struct stages {
    vd r[CHUNK_MOST], shifted[CHUNK_MOST], tail[CHUNK_MOST];
};

INLINE void last_stage(bool near, of_function of, bool turned, long n, const struct stages *s, const double *x,
                       const double *y, double *out)
{
    for (long k = 0; k < n; k++, x += LANES, y += LANES, out += LANES) {
        struct exponential e = exp_ends(near, s->tail[k], s->shifted[k]);
        store(out, result(turned, of(argument(turned, x, y), e), y));
    }
}

/* n vectors. Without turning y is of no account. */
INLINE void map_chunk(exponent_function exponent, of_function of, bool turned, long n, const double *x,
                      const double *y, double *out)
{
    struct stages s;
    vd most = all(0);
    for (long k = 0; k < n; k++) {
        vd at = exponent(argument(turned, x + k * LANES, y + k * LANES));
        s.r[k] = exp_reduced(at, &s.shifted[k]);
        most = greater(magnitude(at), most); /* in this order a NaN is passed over */
    }
    for (long k = 0; k < n; k++)
        s.tail[k] = exp_tail(s.r[k]);
    if (any(less(all(NEAR), most)))
        last_stage(false, of, turned, n, &s, x, y, out);
    else
        last_stage(true, of, turned, n, &s, x, y, out);
}

/* As many of d numbers as fill more than SIDE vectors; returns how many. */
INLINE long map_chunks(exponent_function exponent, of_function of, bool turned, long d, const double *x,
                       const double *y, double *out)
{
    long j = 0, n;
    for (; (n = (d - j) / LANES) > SIDE; j += n * LANES) {
        n = n < CHUNK_MOST ? n : CHUNK_MOST;
        map_chunk(exponent, of, turned, n, x + j, y + j, out + j);
    }
    return j;
}

INLINE vd straight(exponent_function exponent, of_function of, vd x)
{
    return of(x, exponential(exponent(x)));
}

INLINE void map_side(exponent_function exponent, of_function of, bool turned, int n, const double *x,
                     const double *y, double *out)
{
    vd f[SIDE];
    for (int k = 0; k < n; k++)
        f[k] = straight(exponent, of, argument(turned, x + k * LANES, y + k * LANES));
    for (int k = 0; k < n; k++)
        store(out + k * LANES, result(turned, f[k], y + k * LANES));
}

/* The rest: of the last vector, lanes without a number take 0. */
INLINE void map_rest(exponent_function exponent, of_function of, bool turned, long d, const double *x,
                     const double *y, double *out)
{
    long j = d / LANES * LANES;
    if (j == SIDE * LANES)
        map_side(exponent, of, turned, SIDE, x, y, out);
    else if (j)
        map_side(exponent, of, turned, 1, x, y, out);
    if (j == d)
        return;
    vd at = load_part(x + j, d - j);
    if (turned) {
        vd turn = -load_part(y + j, d - j);
        store_part(out + j, straight(exponent, of, at * turn) * turn, d - j);
    } else
        store_part(out + j, straight(exponent, of, at), d - j);
}

/* Few numbers leave most lanes empty, and narrow vectors are the quicker ones. */
#if LANES == 8
#define NARROW(name, x, y)          \
    if (d <= LANES / 2) {           \
        lanes_avx2.name(d, x, y);   \
        return;                     \
    }
#else
#define NARROW(name, x, y)
#endif

/* y <- f(x). Chunks in a function of their own, so that a short vector needs no room for stages. */
#define MAP(name)                                                                         \
    static __attribute__((noinline)) long chunks_##name(long d, const double *x, double *y) \
    {                                                                                     \
        return map_chunks(name##_exponent, name##_of, false, d, x, x, y);                 \
    }                                                                                     \
    static void map_##name(long d, const double *x, double *y)                            \
    {                                                                                     \
        NARROW(name, x, y)                                                                \
        long j = d / LANES > SIDE ? chunks_##name(d, x, y) : 0;                           \
        map_rest(name##_exponent, name##_of, false, d - j, x + j, x + j, y + j);          \
    }

/* x <- -y f(-y x) */
#define TURNED(name)                                                                      \
    static __attribute__((noinline)) long chunks_turned_##name(long d, const double *y, double *x) \
    {                                                                                     \
        return map_chunks(name##_exponent, name##_of, true, d, x, y, x);                  \
    }                                                                                     \
    static void turned_##name(long d, const double *y, double *x)                         \
    {                                                                                     \
        NARROW(turned_##name, y, x)                                                       \
        long j = d / LANES > SIDE ? chunks_turned_##name(d, y, x) : 0;                    \
        map_rest(name##_exponent, name##_of, true, d - j, x + j, y + j, x + j);           \
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_sum.h - a running sum of which every prefix is released, with noise N_t. A word says how the N_t are
 * correlated:
 *     tree, root    as PREFIX_TREE and PREFIX_ROOT of noise.h;
 *     independent   each summand gets independent noise, and N_t is the sum of t draws. */
#ifndef ASSAY_PARTS_NOISY_SUM_H
#define ASSAY_PARTS_NOISY_SUM_H

#include <string.h>

#include "algo.h"

#define NOISY_SUM_WORDS "tree|root|independent"

struct noisy_sum {
    struct prefix *stream;           /* NULL for independent noise */
    double *sum,                     /* [d] the sum without noise */
           *noisy;                   /* [d] the last prefix that was released */
};

static inline bool noisy_sum_independent(const char *word)
{
    return strcmp(word, "independent") == 0;
}

static inline enum prefix_kind noisy_sum_kind(const char *word)
{
    return strcmp(word, "root") == 0 ? PREFIX_ROOT : PREFIX_TREE;
}

/* Returns the cover of T prefixes: with noise of standard deviation sd they are (sensitivity
 * sqrt(cover)/sd)-GDP for a record in one summand. */
static inline double noisy_sum_cover(const char *word, long T)
{
    return noisy_sum_independent(word) ? 1 : prefix_cover(noisy_sum_kind(word), T);
}

/* Returns the mean over the T prefixes of the variance of a coordinate of N_t, where the noise of a node or draw
 * has standard deviation 1. For the tree, N_t has as many nodes as t has set bits; bit b of t = 0, ..., T is set
 * 2^b times in each of the (T+1) >> (b+1) whole periods, and some times in the last, incomplete one. */
static inline double noisy_sum_variance(const char *word, long T)
{
    double sum = 0, c = 1;
    if (noisy_sum_independent(word))
        return (1 + (double)T) / 2;
    if (noisy_sum_kind(word) == PREFIX_TREE) {
        for (int b = 0; b < 62 && T >> b; b++) {
            long whole = (T + 1) >> (b + 1), rest = T + 1 - (whole << (b + 1)), half = 1L << b;
            sum += (double)(whole << b) + (double)(rest > half ? rest - half : 0);
        }
        return sum / (double)T;
    }
    for (long k = 0; k < T; k++) {
        sum += c * c * (double)(T - k);
        c *= (2 * (double)k + 1) / (2 * (double)k + 2);
    }
    return sum / (double)T;
}

/* Returns an empty sum for at most T summands. Call this before arena_seal. */
static inline struct noisy_sum noisy_sum_new(struct oracle *o, struct arena *w, const char *word,
                                             long T, long d)
{
    struct noisy_sum s = { .sum = arena_vec(w, d), .noisy = arena_vec(w, d) };
    if (!noisy_sum_independent(word))
        s.stream = noise_prefix(o, w, noisy_sum_kind(word), T, d);
    vec_zero(d, s.sum);
    vec_zero(d, s.noisy);
    return s;
}

/* Restarts from 0 with fresh noise. The ledger books the sums after the restart as another mechanism. */
static inline void noisy_sum_restart(struct noisy_sum *s, long d)
{
    if (s->stream)
        prefix_restart(s->stream);
    vec_zero(d, s->sum);
    vec_zero(d, s->noisy);
}

/* s->sum += v; s->noisy <- the new prefix with noise. v[d] may change. */
static inline void noisy_sum_add(struct oracle *o, struct noisy_sum *s, const struct release *r,
                                 double sd, long d, double *v)
{
    vec_axpy(d, 1, v, s->sum);
    if (s->stream) {
        vec_copy(d, s->sum, s->noisy);
        prefix_release(s->stream, r, sd, s->noisy);
    } else {
        noise_gaussian(o, r, sd, d, v);
        vec_axpy(d, 1, v, s->noisy);
    }
}

#endif

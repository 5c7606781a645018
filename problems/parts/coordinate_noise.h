/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coordinate_noise.h - the noise xi_i of sample i is +s e_J or -s e_J, with a uniform coordinate J and a uniform
 * sign. So |xi| = s, the mean is 0, the covariance is (s^2/d) I, and drawing costs O(1). A sample loss contains
 * -<xi_i, x>. */
#ifndef ASSAY_PARTS_COORDINATE_NOISE_H
#define ASSAY_PARTS_COORDINATE_NOISE_H

#include <math.h>
#include "problem.h"
#include "signed_counts.h"

/* A cache of the random words of the samples from number 4*first to 4*(first + count) - 1: those drawn last and, if
 * samples are asked for in order, the next ones. */
enum { COORDINATE_FOURS = 64 };
struct coordinate_words {
    long first, count;               /* in units of four samples */
    uint64_t pair[2 * COORDINATE_FOURS];
};

struct coordinate_noise {
    long d;
    double s;
    struct rng key, spare;
    uint32_t short_interval;         /* 2^32 mod 2d */
    struct coordinate_words *near;
};

/* Returns noise of norm s in R^d, d <= 2^30. The samples are substreams of *key; memory comes from a. */
static inline struct coordinate_noise coordinate_noise_build(long d, double s,
                                                             const struct rng *key,
                                                             struct arena *a)
{
    struct coordinate_words *near = ARENA_ARRAY(a, 1, struct coordinate_words);
    near->first = near->count = 0;
    return (struct coordinate_noise){ .d = d, .s = s, .key = rng_sub(key, 0),
                                      .spare = rng_sub(key, 1), .near = near,
                                      .short_interval = (uint32_t)((UINT64_C(1) << 32) %
                                                                   (2 * (uint64_t)d)) };
}

/* Draws the words of the samples 4*four to 4*four + 3 into the cache. If these follow the cached ones, also words
 * of the next samples are drawn. */
static inline void coordinate_words_from(const struct coordinate_noise *n, long four)
{
    struct coordinate_words *near = n->near;
    bool follows = near->count > 0 && four == near->first + near->count;
    struct rng r = rng_at(&n->key, (uint64_t)four);
    near->first = four;
    near->count = follows ? COORDINATE_FOURS : 1;
    if (follows)
        rng_words_rows(&n->key, (uint64_t)four, COORDINATE_FOURS, 2, near->pair);
    for (int k = 0; !follows && k < 2; k++)
        near->pair[k] = rng_u64(&r);
}

/* Returns the word of sample i >= 0. Four samples share a substream, since opening a substream is the main cost. */
static inline uint32_t coordinate_noise_word(const struct coordinate_noise *n, long i)
{
    const struct coordinate_words *near = n->near;
    long four = i >> 2;
    if (four < near->first || four >= near->first + near->count)
        coordinate_words_from(n, four);
    uint64_t pair = near->pair[2 * (four - near->first) + (i >> 1 & 1)];
    return (uint32_t)(i & 1 ? pair : pair >> 32);
}

/* *J <- the coordinate of sample i, from the random word of this sample. Returns entry number J of xi_i, which is s
 * or -s. The law is exactly uniform: a word in the short interval (Lemire 2019) is replaced by another draw of
 * sample i. */
static inline double coordinate_noise_of_word(const struct coordinate_noise *n, long i,
                                              uint32_t word, long *J)
{
    uint64_t cells = 2 * (uint64_t)n->d, product = word * cells, cell = product >> 32;
    if ((uint32_t)product < n->short_interval) {
        struct rng r = rng_at(&n->spare, (uint64_t)i);
        cell = rng_below(&r, cells);
    }
    *J = (long)(cell >> 1);
    return cell & 1 ? -n->s : n->s;
}

/* *J <- the coordinate of sample i. Returns entry number J of xi_i. For the canary pair, samples -1 and -2, xi is s
 * e_1 and -s e_1. */
static inline double coordinate_noise_at(const struct coordinate_noise *n, long i, long *J)
{
    if (i < 0) {
        *J = 0;
        return i == -1 ? n->s : -n->s;
    }
    return coordinate_noise_of_word(n, i, coordinate_noise_word(n, i), J);
}

/* Returns <xi_i, x>. */
static inline double coordinate_noise_dot(const struct coordinate_noise *n, long i,
                                          const double *x)
{
    long J;
    double xi = coordinate_noise_at(n, i, &J);
    return xi * x[J];
}

/* g[d] += a xi_i */
static inline void coordinate_noise_add(const struct coordinate_noise *n, long i, double a,
                                        double *g)
{
    long J;
    double xi = coordinate_noise_at(n, i, &J);
    g[J] += a * xi;
}

/* j[m], v[m] <- coordinates and entries of a xi_i for i = index[0], ..., index[m-1], all >= 0. */
static inline void coordinate_noise_entries(const struct coordinate_noise *n, long m,
                                            const long *index, double a, long *j, double *v)
{
    for (long k = 0; k < m; k++)
        v[k] = a * coordinate_noise_of_word(n, index[k], coordinate_noise_word(n, index[k]), &j[k]);
}

/* g[d] += a sum_k w_k xi_k over the samples first, ..., first+count-1, first >= 0 (w NULL: all 1/count). Many words
 * are drawn at a time. */
static inline void coordinate_noise_run(const struct coordinate_noise *n, const struct samples *s,
                                        const double *w, double a, double *g)
{
    uint64_t words[2 * COORDINATE_FOURS];
    double mean = a / (double)s->count;
    for (long k = 0; k < s->count;) {
        long i = s->first + k, four = i >> 2, fours = ((s->first + s->count - 1) >> 2) - four + 1;
        fours = fours < COORDINATE_FOURS ? fours : COORDINATE_FOURS;
        rng_words_rows(&n->key, (uint64_t)four, fours, 2, words);
        for (; k < s->count && i < (four + fours) * 4; k++, i++) {
            long at = i - four * 4, J;
            uint32_t word = (uint32_t)(at & 1 ? words[at / 2] : words[at / 2] >> 32);
            double xi = coordinate_noise_of_word(n, i, word, &J);
            g[J] += (w ? a * w[k] : mean) * xi;
        }
    }
}

/* g[d] += a sum_k w_k xi_k over the samples of s. If w is NULL, all weights are 1/count. */
static inline void coordinate_noise_batch(const struct coordinate_noise *n,
                                          const struct samples *s, const double *w, double a,
                                          double *g)
{
    if (n->s == 0 || s->count < 1)
        return;
    if (!s->index && s->first >= 0 && s->count > 4) {
        coordinate_noise_run(n, s, w, a, g);
        return;
    }
    for (long k = 0; k < s->count; k++)
        coordinate_noise_add(n, sample_index(s, k), w ? a * w[k] : a / (double)s->count, g);
}

/* g[d] += a times the mean of b fresh xi, with the exact law. b >= 1 is a whole number of any size; it is split
 * into parts that fit the binomial generator. */
static inline void coordinate_noise_law(const struct coordinate_noise *n, const struct rng *draw,
                                        double b, double a, double *g)
{
    const double part = 0x1p30;
    struct coins coins = { .stream = *draw };

    if (n->s == 0)
        return;
    for (double left = b; left >= 1; left -= part)
        signed_counts(&coins, n->d, (long)fmin(left, part), a * n->s / b, g);
}

/* States L, G and sigma of samples with this noise, where |grad F| <= slope. */
static inline void coordinate_noise_facts(struct facts *f, double slope, double s)
{
    f->L = slope + s;
    f->G = hypot(slope, s);
    f->sigma = s;
}

#endif

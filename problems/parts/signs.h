/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signs.h - sample i of a stream is a point of {-1, +1}^d with independent coordinates,
 * P(+1) = (1 + bias)/2. Samples -1 and -2, the canary pair, have all coordinates +1 and all coordinates -1. */
#ifndef ASSAY_PARTS_SIGNS_H
#define ASSAY_PARTS_SIGNS_H

#include <gsl/gsl_randist.h>
#include "arena.h"
#include "lanes.h"
#include "rng_gsl.h"
#include "samples.h"
#include "vec.h"

struct signs {
    long d;
    double bias;
    struct rng *key;                 /* [words] the stream from which each word's signs are drawn */
};

static inline struct signs signs_build(long d, double bias, const struct rng *base, struct arena *a)
{
    long words = (d + LANES - 1) / LANES;
    struct signs s = { d, bias, ARENA_ARRAY(a, words, struct rng) };
    for (long w = 0; w < words; w++)
        s.key[w] = rng_sub(base, (uint64_t)w);
    return s;
}

/* Returns a word for sample i: bit k is 1 if coordinate 32 word + k has the sign +1. */
static inline uint32_t signs_word(const struct signs *s, long i, long word)
{
    if (i < 0)
        return i == -1 ? UINT32_MAX : 0;
    struct rng r = rng_at(&s->key[word], (uint64_t)i);
    return lanes_biased(&r, s->bias);
}

/* plus[LANES] <- for each coordinate of a word, the sum of the weights w of the samples of the batch whose sign is
 * +1, or their number if w is NULL. */
static inline void signs_tally(const struct signs *s, const struct samples *batch, const double *w,
                               long word, double *plus)
{
    uint32_t bits[LANES_RUN];
    vec_zero(LANES, plus);
    for (long k = 0, run; k < batch->count; k += run) {
        long i = sample_index(batch, k);
        run = samples_batch_run(batch, k, LANES_RUN);
        if (i < 0)
            bits[0] = signs_word(s, i, word);
        else
            lanes_biased_run(&s->key[word], (uint64_t)i, run, s->bias, UINT32_MAX, bits);
        lanes_tally(bits, run, w ? w + k : NULL, plus);
    }
}

/* Returns the sign of coordinate j; `bits` is the word that holds it. */
static inline double signs_of(uint32_t bits, long j)
{
    return 2 * (int)(bits >> j % LANES & 1) - 1;
}

/* sign[m] <- the first m signs of a word. Signs are written four at a time, so that sign[] must have room for
 * LANES. */
static inline void signs_spread(uint32_t bits, long m, double *sign)
{
#define FOUR(b) { 2 * ((b) & 1) - 1, ((b) & 2) - 1, ((b) >> 1 & 2) - 1, ((b) >> 2 & 2) - 1 }
    static const double four[16][4] = {
        FOUR(0), FOUR(1), FOUR(2),  FOUR(3),  FOUR(4),  FOUR(5),  FOUR(6),  FOUR(7),
        FOUR(8), FOUR(9), FOUR(10), FOUR(11), FOUR(12), FOUR(13), FOUR(14), FOUR(15)
    };
#undef FOUR
    for (long k = 0; k < m; k += 4, bits >>= 4)
        for (int i = 0; i < 4; i++)
            sign[k + i] = four[bits & 15][i];
}

/* Returns the fraction of +1 among b fresh signs, with the exact law. b >= 1 is a whole number of any size; it is
 * split into parts that fit the binomial generator. */
static inline double signs_share(const struct signs *s, gsl_rng *r, double b)
{
    const double part = 0x1p30;
    double plus = 0;
    for (double left = b; left >= 1; left -= part)
        plus += gsl_ran_binomial(r, (1 + s->bias) / 2, (unsigned)fmin(left, part));
    return plus / b;
}

#endif

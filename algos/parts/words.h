/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - random words for inner loops of short steps, made a row at a time: what a number drawn
 * alone costs is its cipher. Row k is the beginning of substream k of the stream begun with, which
 * is nobody else's. */
#ifndef ASSAY_PARTS_WORDS_H
#define ASSAY_PARTS_WORDS_H

#include "rng.h"

enum { WORDS_ROW = 256 };

struct words {
    struct rng base;
    uint64_t row;                    /* the next */
    int left;
    uint64_t word[WORDS_ROW];
};

static inline uint64_t words_next(struct words *w)
{
    if (w->left == 0) {
        rng_words_rows(&w->base, w->row++, 1, WORDS_ROW, w->word);
        w->left = WORDS_ROW;
    }
    return w->word[WORDS_ROW - w->left--];
}

/* Uniform on (0,1), as rng_uniform. */
static inline double words_uniform(struct words *w)
{
    return ((double)(words_next(w) >> 12) + 0.5) * 0x1p-52;
}

/* Uniform on {0, ..., n-1}, exactly, n >= 1 (Lemire 2019). */
static inline uint64_t words_below(struct words *w, uint64_t n)
{
    __extension__ unsigned __int128 m = (unsigned __int128)words_next(w) * n;
    if ((uint64_t)m < n)
        for (uint64_t least = -n % n; (uint64_t)m < least;)
            m = (unsigned __int128)words_next(w) * n;
    return (uint64_t)(m >> 64);
}

#endif

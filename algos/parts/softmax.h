/* SPDX-License-Identifier: GPL-3.0-or-later */
/* softmax.h - the softmax of N pieces, f_smax(x) = eps' ln sum_i exp(f_i(x)/eps'), which is at most eps' ln N
 * above their maximum, and its gradient by rejection (Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 9
 * and Lemma 8). eps' is the temperature. Around a centre c, with p_i proportional to exp(f_i(c)/eps'):
 *
 *     repeat: draw i from p, q = exp((f_i(x) - f_i(c))/eps' - 1), until accepted with probability q;
 *     answer a subgradient of f_i at x
 *
 * If f_i is G-Lipschitz and |x - c| <= eps'/G, then e^-2 <= q <= 1, the answer is unbiased for grad f_smax(x)
 * and at most G long, and the mean number of values asked is exp(1 + (f_smax(c) - f_smax(x))/eps') <= e^2. */
#ifndef ASSAY_PARTS_SOFTMAX_H
#define ASSAY_PARTS_SOFTMAX_H

#include "algo.h"
#include "rng.h"

/* --- random words for short inner loops. They are drawn a row at a time, since one word alone costs as much as a
 * whole block of the generator. Row k is the beginning of substream k of `base`, a stream that nothing else
 * uses. */

enum { WORDS_ROW = 256 };

struct words {
    struct rng base;
    uint64_t row;                    /* number of the next row */
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

/* Returns a number uniform on (0,1), as rng_uniform does. */
static inline double words_uniform(struct words *w)
{
    return ((double)(words_next(w) >> 12) + 0.5) * 0x1p-52;
}

/* Returns a number exactly uniform on {0, ..., n-1}, n >= 1 (Lemire 2019). */
static inline uint64_t words_below(struct words *w, uint64_t n)
{
    __extension__ unsigned __int128 m = (unsigned __int128)words_next(w) * n;
    if ((uint64_t)m < n)
        for (uint64_t least = -n % n; (uint64_t)m < least;)
            m = (unsigned __int128)words_next(w) * n;
    return (uint64_t)(m >> 64);
}

struct softmax {
    struct oracle *o;
    struct words words;
    long N;
    double temperature;              /* eps' */
    double *value;                   /* [N] f_i(c) */
    double *keep;                    /* [N] Walker's table: a uniform index i stays i with probability keep_i ... */
    long *other,                     /* [N] ... and otherwise becomes other_i */
         *heap;                      /* [N] scratch */
    double trials;                   /* piece values that the last gradient asked for */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void softmax_reserve(struct softmax *s, struct arena *w)
{
    long N = oracle_pieces(s->o);
    s->N = N;
    s->value = arena_vec(w, N);
    s->keep = arena_vec(w, N);
    s->other = ARENA_ARRAY(w, N, long);
    s->heap = ARENA_ARRAY(w, N, long);
}

/* p[N] <- weights exp(v_i/temperature) divided by their sum. Adding a constant to all v changes nothing; v may
 * be p. Returns temperature ln sum_i exp(v_i/temperature). */
static inline double softmax_weights(long N, double temperature, const double *v, double *p)
{
    double most = -INFINITY, sum = 0;
    for (long i = 0; i < N; i++)
        most = fmax(most, v[i]);
    for (long i = 0; i < N; i++)
        sum += p[i] = exp((v[i] - most) / temperature);
    for (long i = 0; i < N; i++)
        p[i] /= sum;
    return most + temperature * log(sum);
}

/* Turns the weights in s->keep into Walker's table (1977, built as in Vose 1991), which has N cells of probability
 * 1/N, each divided between at most two indices. */
static inline void softmax_table(struct softmax *s)
{
    long N = s->N, small = 0, large = N;
    for (long i = 0; i < N; i++) {
        s->keep[i] *= (double)N;
        s->other[i] = i;
        s->heap[s->keep[i] < 1 ? small++ : --large] = i;
    }
    while (small > 0 && large < N) {
        long i = s->heap[--small], k = s->heap[large];
        s->other[i] = k;
        s->keep[k] -= 1 - s->keep[i];
        if (s->keep[k] < 1) {
            s->heap[small++] = k;
            large++;
        }
    }
    while (small > 0)                            /* the cells that rounding leaves unfilled */
        s->keep[s->heap[--small]] = 1;
}

/* Makes c the centre of the following gradients, in one pass over the pieces. Returns false if the budget is
 * spent. */
static inline bool softmax_centre(struct softmax *s, const double *c)
{
    if (!oracle_piece_values(s->o, c, s->value))
        return false;
    softmax_weights(s->N, s->temperature, s->value, s->keep);
    softmax_table(s);
    return true;
}

static inline long softmax_index(struct softmax *s)
{
    long i = (long)words_below(&s->words, (uint64_t)s->N), either[] = { s->other[i], i };
    return either[words_uniform(&s->words) < s->keep[i]];    /* without an if, whose outcome a processor cannot
                                                                predict */
}

/* Returns whether u < exp(rise - 1). For |rise| <= 1 the Taylor sum of degree 4 differs from exp(rise) by at most
 * e/120, so that it decides nearly all cases without an exponential. */
static inline bool softmax_accepts(double rise, double u)
{
    static const double NEAR = 0.0228;
    double square = rise * rise, sum = 1 + rise + square * (0.5 + rise / 6 + square / 24);
    double off = u * 0x1.5bf0a8b145769p+1 - sum;             /* e u - exp(rise), nearly */
    if (off > NEAR && fabs(rise) <= 1)
        return false;
    return (off < -NEAR && fabs(rise) <= 1) || u < exp(rise - 1);
}

/* g[d] <- a random vector with mean grad f_smax(x). ctx is a struct softmax. Returns false if the budget is spent,
 * or if a piece rises faster than the theorem allows; the run is then refused. */
static inline bool softmax_grad(void *ctx, const double *x, double *g)
{
    struct softmax *s = ctx;
    double f, rise;
    long i;
    s->trials = 0;
    do {
        i = softmax_index(s);
        if (!oracle_piece_value(s->o, i, x, &f))
            return false;
        rise = (f - s->value[i]) / s->temperature;
        if (!(rise <= 1 + 1e-9)) {
            oracle_refuse(s->o, "softmax by rejection: a piece rose by more than the temperature "
                                "between the centre and here; the ball or the Lipschitz constant "
                                "is wrong");
            return false;
        }
        s->trials++;
    } while (!softmax_accepts(rise, words_uniform(&s->words)));
    return oracle_piece_grad(s->o, i, x, g);
}

#endif

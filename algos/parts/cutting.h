/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cutting.h - the ellipsoid method for F convex on the ball of radius R around x_0, and bisection in
 * one dimension (Asi, Carmon, Jambulapati, Jin, Sidford 2021, Lemma 2; Nemirovski, Yudin 1983). From
 * c = x_0, H = R^2 I, with w a subgradient at c, or c - x_0 where c is outside the ball:
 *
 *     b = H w/sqrt(w'H w),  c <- c - b/(d+1),  H <- d^2/(d^2-1) (H - (2/(d+1)) b b')
 *
 * The answer is the centre with the least value. If F is mu-strongly convex and G-Lipschitz, after T cuts
 *     |x - x*|^2 <= (8 G^2/mu^2) exp(-T/(2 d^2)).
 * For d = 1 every cut halves an interval, and the answer is the middle of the interval. */
#ifndef ASSAY_PARTS_CUTTING_H
#define ASSAY_PARTS_CUTTING_H

#include "algo.h"

struct cutting {
    long d;
    /* *F <- F(x), g[d] <- a subgradient at x; for d = 1 *F is not used. Returns false if the budget is spent. */
    bool (*at)(void *ctx, const double *x, double *F, double *g);
    void *ctx;
    double R;
    const double *x_0;               /* [d]; NULL: the origin */
    double *best;                    /* [d] the answer so far */
    double *c, *w, *b,               /* [d] c, w and b of the head */
           *H;                       /* [d][d] H of the head */
    double F;                        /* F(best) */
    double lo, hi;                   /* the interval, for d = 1 */
    bool ended;                      /* best is the minimiser, up to rounding */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void cutting_reserve(struct cutting *s, struct arena *w)
{
    s->best = arena_vec(w, s->d);
    s->c = arena_vec(w, s->d);
    s->w = arena_vec(w, s->d);
    s->b = arena_vec(w, s->d);
    s->H = arena_vec(w, s->d * s->d);
}

static inline void cutting_begin(struct cutting *s)
{
    if (s->x_0)
        vec_copy(s->d, s->x_0, s->c);
    else
        vec_zero(s->d, s->c);
    vec_copy(s->d, s->c, s->best);
    vec_zero(s->d * s->d, s->H);
    for (long j = 0; j < s->d; j++)
        s->H[j * s->d + j] = s->R * s->R;
    s->F = INFINITY;
    s->lo = s->c[0] - s->R;
    s->hi = s->c[0] + s->R;
    s->ended = false;
}

static inline bool cutting_halve(struct cutting *s)
{
    double F;
    if (!s->at(s->ctx, s->best, &F, s->w))
        return false;
    s->ended = s->w[0] == 0;
    if (s->w[0] > 0)
        s->hi = s->best[0];
    else if (s->w[0] < 0)
        s->lo = s->best[0];
    double middle = s->lo + (s->hi - s->lo) / 2;
    s->ended = s->ended || middle == s->best[0];
    if (!s->ended)
        s->best[0] = middle;
    return true;
}

/* Replaces the ellipsoid by the smallest one around its half with <w, x - c> <= 0. */
static inline void cutting_shrink(struct cutting *s)
{
    long d = s->d;
    double n = (double)d, wHw;
    vec_gemv(d, d, 1, s->H, s->w, 0, s->b);
    wHw = vec_dot(d, s->w, s->b);
    s->ended = !(wHw > 0);
    if (s->ended)
        return;
    vec_scale(d, 1 / sqrt(wHw), s->b);
    vec_axpy(d, -1 / (n + 1), s->b, s->c);
    for (long i = 0; i < d; i++)
        for (long j = 0; j < d; j++)
            s->H[i * d + j] = n * n / (n * n - 1) *
                              (s->H[i * d + j] - 2 / (n + 1) * (s->b[i] * s->b[j]));
}

static inline bool cutting_cut(struct cutting *s)
{
    double F;
    vec_copy(s->d, s->c, s->w);
    if (s->x_0)
        vec_axpy(s->d, -1, s->x_0, s->w);
    if (vec_norm(s->d, s->w) <= s->R) {
        if (!s->at(s->ctx, s->c, &F, s->w))
            return false;
        s->ended = vec_norm(s->d, s->w) == 0;
        if (F < s->F || s->ended) {
            s->F = F;
            vec_copy(s->d, s->c, s->best);
        }
    }
    if (!s->ended)
        cutting_shrink(s);
    return true;
}

/* Makes `cuts` further cuts, or fewer if s->ended becomes true. Returns false if the budget is spent. */
static inline bool cutting_run(struct cutting *s, double cuts)
{
    for (double t = 0; t < cuts && !s->ended; t++)
        if (!(s->d == 1 ? cutting_halve(s) : cutting_cut(s)))
            return false;
    return true;
}

#endif

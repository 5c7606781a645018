/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_ball.h - reference optimum of a smooth F over the centred ball |x| <= R, R infinite for
 * R^d. With F mu-strongly convex, e = grad F(x) + nu x, and nu = 0 or, where |x| = R, any nu >= 0:
 *
 *     F(x) - F* <= |e|^2 / (2(mu + nu)),      |x - x*| <= |e| / (mu + nu/2)
 *
 * since nu <x, x - y> >= (nu/2)|x - y|^2 for y in the ball. A minimiser on the sphere is that of
 * F + (nu/2)|x|^2 with nu such that |x| = R: a few solves, each better conditioned than F itself,
 * in place of many projected steps. */
#ifndef ASSAY_PARTS_REFERENCE_BALL_H
#define ASSAY_PARTS_REFERENCE_BALL_H

#include <math.h>
#include <stdbool.h>
#include "arena.h"
#include "reference.h"
#include "vec.h"

struct ball_reference {
    double *x;                       /* [d] the best point found */
    double value;                    /* F(x) */
    double gap, near;                /* F(x) - F* <= gap, |x - x*| <= near; infinite: unknown */
};

struct ball_search {
    long d;
    smooth_fn F;
    const void *ctx;
    double mu, R, target, nu;
    double *at, *g;                  /* [d] scratch */
    struct ball_reference *best;
};

/* F(x) + (nu/2)|x|^2; g <- its gradient. */
static inline double ball_shifted(const void *self, const double *x, double *g)
{
    const struct ball_search *b = self;
    double f = b->F(b->ctx, x, g);
    vec_axpy(b->d, b->nu, x, g);
    return f + b->nu / 2 * vec_dot(b->d, x, x);
}

/* Takes x if its certificate is better than the best so far. */
static inline void ball_certify(struct ball_search *b, const double *x, bool on_sphere)
{
    static const double ROUNDING = 1e-14;
    struct ball_reference *best = b->best;
    double f = b->F(b->ctx, x, b->g), along = vec_dot(b->d, b->g, x);
    double nu = on_sphere ? fmax(0, -along / (b->R * b->R)) : 0, gap = INFINITY;
    /* Linear minimisation over the ball bounds the gap without strong convexity; the two terms
     * cancel, and what they lose to rounding is part of the bound. */
    if (isfinite(b->R)) {
        double reach = b->R * vec_norm(b->d, b->g);
        gap = fmax(0, along + reach) + ROUNDING * reach;
    }
    vec_axpy(b->d, nu, x, b->g);
    double e = vec_norm(b->d, b->g), mu = b->mu + nu;
    if (mu > 0)
        gap = fmin(gap, e * e / (2 * mu));
    if (isnan(best->value) || gap < best->gap) {
        vec_copy(b->d, x, best->x);
        best->value = f;
        best->gap = gap;
        best->near = mu > 0 ? e / (b->mu + nu / 2) : INFINITY;
    }
}

/* x <- argmin F + (nu/2)|x|^2, from x. */
static inline enum status ball_solve(struct ball_search *b, double *x, struct why *why)
{
    struct reference r;
    enum status s = reference_minimise(b->d, ball_shifted, b, b->mu + b->nu, b->target, x, &r, why);
    return s == REFUSED && isfinite(r.gradient_norm) ? OK : s;
}

/* nu such that |x(nu)| <= R, from |x(nu)| <= |grad F(0)|/(mu + nu). */
static inline double ball_largest(struct ball_search *b)
{
    vec_zero(b->d, b->at);
    b->F(b->ctx, b->at, b->g);
    return fmax(vec_norm(b->d, b->g) / b->R - b->mu, 1e-12 * b->mu);
}

/* The root of R/|x(nu)| - 1, x(nu) = argmin F + (nu/2)|x|^2, by regula falsi with halved weights
 * (Illinois). On entry x[d] = x(nu) is outside. */
static inline enum status ball_sphere(struct ball_search *b, double *x, struct why *why)
{
    enum { SOLVES = 60 };
    double lo = b->nu, f_lo = b->R / vec_norm(b->d, x) - 1, hi = INFINITY, f_hi = INFINITY;
    int side = 0;
    b->nu = ball_largest(b);
    for (int k = 0; k < SOLVES && !(b->best->gap <= b->target); k++) {
        TRY(ball_solve(b, x, why));
        double norm = vec_norm(b->d, x), f = b->R / norm - 1;
        vec_lincomb(b->d, b->R / norm, x, 0, x, b->at);
        ball_certify(b, b->at, true);
        if (f < 0) {
            lo = b->nu;
            f_lo = f;
            f_hi *= side < 0 ? 0.5 : 1;
            side = -1;
        } else {
            hi = b->nu;
            f_hi = f;
            f_lo *= side > 0 ? 0.5 : 1;
            side = 1;
        }
        /* Rounding alone can leave the upper end outside: step on until it is inside. */
        b->nu = isfinite(hi) ? (lo * f_hi - hi * f_lo) / (f_hi - f_lo) : 2 * lo;
    }
    return OK;
}

/* *best <- reference of F over the ball, from x_0 = 0, worked on until gap <= target; a larger gap
 * is reported, not refused, since every measure carries it. mu = 0 inside the ball: the gap is that
 * of linear minimisation, infinite for R^d. */
static inline enum status ball_reference(long d, smooth_fn F, const void *ctx, double mu, double R,
                                         double target, struct arena *a,
                                         struct ball_reference *best, struct why *why)
{
    struct ball_search b = { d, F, ctx, mu, R, target, 0, arena_vec(a, d), arena_vec(a, d), best };
    double *x = arena_vec(a, d);
    *best = (struct ball_reference){ arena_vec(a, d), NAN, INFINITY, INFINITY };
    vec_zero(d, x);
    /* Without strong convexity F alone is slow to minimise, and often only to learn that its
     * minimiser is outside: a small nu shows the same. */
    if (mu == 0 && isfinite(R)) {
        b.nu = 1e-4 * ball_largest(&b);
        TRY(ball_solve(&b, x, why));
    }
    if (!(vec_norm(d, x) > R)) {
        b.nu = 0;
        TRY(ball_solve(&b, x, why));
    }
    if (vec_norm(d, x) > R)
        return ball_sphere(&b, x, why);
    ball_certify(&b, x, false);
    return OK;
}

#endif

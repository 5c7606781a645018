/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_ball.h - reference optimum of F = f + l1 |x|_1, f smooth, over the centred ball
 * |x| <= R, R infinite for R^d. F(x) - F* is bounded by the gap of parts/simple.h. Let f be mu-strongly convex,
 * nu = 0 or, where |x| = R, any nu >= 0, and e the shortest of the vectors g + nu x, g a subgradient of F at x.
 * Then
 *
 *     |x - x*| <= |e| / (mu + nu/2)
 *
 * since nu <x, x - y> >= (nu/2)|x - y|^2 for y in the ball. A minimiser on the sphere is that of F + (nu/2)|x|^2,
 * with the nu for which |x| = R. Finding nu takes a few minimisations, each better conditioned than that of F, in
 * place of many projected steps. */
#ifndef ASSAY_PARTS_REFERENCE_BALL_H
#define ASSAY_PARTS_REFERENCE_BALL_H

#include <math.h>
#include <stdbool.h>
#include <gsl/gsl_linalg.h>
#include "arena.h"
#include "reference.h"
#include "simple.h"
#include "vec.h"

struct ball_reference {
    double *x;                       /* [d] the best point found */
    double value;                    /* F(x) */
    double gap, near;                /* F(x) - F* <= gap and |x - x*| <= near; infinite where not known */
};

struct ball_problem {
    long d;
    smooth_fn f;                     /* f >= 0, which bounds |x*|_1 by F(x)/l1 */
    const void *ctx;
    double mu, l1, R;
    /* H[d*d], which is 0 on entry, <- the lower triangle of the Hessian of f at x. NULL if it is not known, or too
     * much work. */
    void (*hessian)(const void *ctx, const double *x, gsl_matrix *H);
};

struct ball_search {
    const struct ball_problem *p;
    double target, nu;               /* target: the gap at which the search stops; nu as in the head */
    double *at, *g;                  /* [d] scratch */
    struct ball_reference *best;
};

/* Returns f(x) + (nu/2)|x|^2; g[d] <- the gradient. */
static inline double ball_shifted(const void *self, const double *x, double *g)
{
    const struct ball_search *b = self;
    double f = b->p->f(b->p->ctx, x, g);
    vec_axpy(b->p->d, b->nu, x, g);
    return f + b->nu / 2 * vec_dot(b->p->d, x, x);
}

/* Returns min |g + nu x + l1 v| over the subgradients v of |x|_1. */
static inline double ball_residual(const struct ball_problem *p, const double *x, const double *g,
                                   double nu)
{
    double sum = 0;
    for (long j = 0; j < p->d; j++) {
        double e = g[j] + nu * x[j];
        e = x[j] != 0 ? e + p->l1 * simple_sign(x[j]) : e - simple_clamp(e, p->l1);
        sum += e * e;
    }
    return sqrt(sum);
}

/* Sets the value, gap and `near` of *r for r->x, which is feasible. g[d] is scratch. F(x)/l1 serves as the bound B
 * of |x*|_1 (struct simple_set). */
static inline void ball_certificate(const struct ball_problem *p, struct ball_reference *r,
                                    double *g)
{
    const double *x = r->x;
    r->value = p->f(p->ctx, x, g) + (p->l1 > 0 ? p->l1 * vec_norm1(p->d, x) : 0);
    struct simple_set set = { p->mu, p->l1, p->R, p->l1 > 0 ? r->value / p->l1 : INFINITY };
    double norm = vec_norm(p->d, x), nu = 0;
    if (norm >= p->R * (1 - 1e-14))
        nu = fmax(0, -(vec_dot(p->d, g, x) + p->l1 * vec_norm1(p->d, x)) / (norm * norm));
    r->gap = simple_gap(&set, p->d, x, g);
    r->near = p->mu + nu > 0 ? ball_residual(p, x, g, nu) / (p->mu + nu / 2) : INFINITY;
}

/* Copies x to *b->best if its gap is smaller. */
static inline void ball_certify(struct ball_search *b, const double *x)
{
    struct ball_reference now = { .x = (double *)x }, *best = b->best;
    ball_certificate(b->p, &now, b->g);
    if (isnan(best->value) || now.gap < best->gap) {
        now.x = best->x;
        vec_copy(b->p->d, x, best->x);
        *best = now;
    }
}

/* Makes one step of Newton's method on F + (nu/2)|x|^2, l1 = 0, from x, where the value is *f and the gradient g;
 * work[2d]. The step is halved until the value falls by a tenth of the step times the slope or, where this is
 * within the rounding of the value, until the norm of the gradient falls. Returns false, and leaves x, if neither
 * happens. */
static inline bool ball_newton_step(struct ball_search *b, double *x, double *f, double *g, gsl_matrix *H,
                                    gsl_permutation *p, double *work)
{
    enum { HALVINGS = 30 };
    static const double ROUNDING = 1e-12;
    long d = b->p->d;
    double *step = work, *trial = work + d, before = vec_norm(d, g);
    gsl_vector_view v = gsl_vector_view_array(step, (size_t)d), diagonal = gsl_matrix_diagonal(H);
    gsl_matrix_set_zero(H);
    b->p->hessian(b->p->ctx, x, H);
    gsl_vector_add_constant(&diagonal.vector, b->nu);
    vec_copy(d, g, step);
    if (gsl_linalg_mcholesky_decomp(H, p, NULL) || gsl_linalg_mcholesky_svx(H, p, &v.vector))
        return false;
    double slope = vec_dot(d, g, step);
    for (int i = 0; i < HALVINGS; i++) {
        double t = ldexp(1, -i);
        vec_lincomb(d, 1, x, -t, step, trial);
        double now = ball_shifted(b, trial, g);
        if (slope > ROUNDING * *f ? now <= *f - t / 10 * slope : vec_norm(d, g) < (1 - t / 10) * before) {
            vec_copy(d, trial, x);
            *f = now;
            return true;
        }
    }
    return false;
}

/* Minimises F + (nu/2)|x|^2 by Newton's method from x, for an F so badly conditioned that the method of reference.h
 * stops above the target. */
static inline void ball_newton(struct ball_search *b, double *x)
{
    enum { STEPS = 200 };
    size_t d = (size_t)b->p->d;
    gsl_matrix *H = gsl_matrix_alloc(d, d), *work = gsl_matrix_alloc(3, d);
    gsl_permutation *p = gsl_permutation_alloc(d);
    if (H && work && p) {
        double *g = work->data, enough = sqrt(2 * (b->p->mu + b->nu) * b->target);
        double f = ball_shifted(b, x, g);
        for (int k = 0; k < STEPS && vec_norm(b->p->d, g) > enough; k++)
            if (!ball_newton_step(b, x, &f, g, H, p, g + d))
                break;
    }
    gsl_permutation_free(p);
    gsl_matrix_free(work);
    gsl_matrix_free(H);
}

/* x[d] <- the minimiser of F + (nu/2)|x|^2; the search starts from x. */
static inline enum status ball_solve(struct ball_search *b, double *x, struct why *why)
{
    struct reference r;
    enum status s = reference_minimise_l1(b->p->d, ball_shifted, b, b->p->mu + b->nu, b->p->l1,
                                          b->target, x, &r, why);
    if (s != REFUSED || !isfinite(r.gradient_norm))
        return s;
    if (b->p->hessian && b->p->l1 == 0)
        ball_newton(b, x);
    return OK;
}

/* Returns a nu with |x(nu)| <= R, x(nu) = argmin F + (nu/2)|x|^2. It uses |x(nu)| <= |e|/(mu + nu), e the shortest
 * subgradient of F at 0. */
static inline double ball_largest(struct ball_search *b)
{
    vec_zero(b->p->d, b->at);
    b->p->f(b->p->ctx, b->at, b->g);
    return fmax(ball_residual(b->p, b->at, b->g, 0) / b->p->R - b->p->mu, 1e-12 * b->p->mu);
}

/* Finds the nu with |x(nu)| = R, x(nu) = argmin F + (nu/2)|x|^2, as the root of R/|x(nu)| - 1, by the Illinois
 * variant of regula falsi. On entry x[d] = x(b->nu) is outside of the ball. Every x(nu), scaled to the sphere, goes
 * to ball_certify. */
static inline enum status ball_sphere(struct ball_search *b, double *x, struct why *why)
{
    enum { SOLVES = 60 };
    double lo = b->nu, f_lo = b->p->R / vec_norm(b->p->d, x) - 1, hi = INFINITY, f_hi = INFINITY;
    int side = 0;
    b->nu = ball_largest(b);
    for (int k = 0; k < SOLVES && !(b->best->gap <= b->target); k++) {
        TRY(ball_solve(b, x, why));
        double norm = vec_norm(b->p->d, x), f = b->p->R / norm - 1;
        vec_lincomb(b->p->d, b->p->R / norm, x, 0, x, b->at);
        ball_certify(b, b->at);
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
        /* Rounding may put the x(nu) of the first nu outside of the ball. Then nu is doubled until x(nu) is
         * inside. */
        b->nu = isfinite(hi) ? (lo * f_hi - hi * f_lo) / (f_hi - f_lo) : 2 * lo;
    }
    return OK;
}

/* *best <- the reference optimum of F over the ball, searched from x_0 = 0 until gap <= target. A larger gap is no
 * error, since every measure includes it; where mu = l1 = 0 and R is infinite, the gap is infinite. Memory comes
 * from a. */
static inline enum status ball_reference(const struct ball_problem *p, double target,
                                         struct arena *a, struct ball_reference *best,
                                         struct why *why)
{
    struct ball_search b = { p, target, 0, arena_vec(a, p->d), arena_vec(a, p->d), best };
    double *x = arena_vec(a, p->d);
    *best = (struct ball_reference){ arena_vec(a, p->d), NAN, INFINITY, INFINITY };
    vec_zero(p->d, x);
    /* Without strong convexity F is slow to minimise, and often the minimiser is outside of the ball. A small nu
     * finds this out faster. */
    if (p->mu == 0 && isfinite(p->R)) {
        b.nu = 1e-4 * ball_largest(&b);
        TRY(ball_solve(&b, x, why));
    }
    if (!(vec_norm(p->d, x) > p->R)) {
        b.nu = 0;
        TRY(ball_solve(&b, x, why));
    }
    if (vec_norm(p->d, x) > p->R)
        return ball_sphere(&b, x, why);
    ball_certify(&b, x);
    return OK;
}

#endif

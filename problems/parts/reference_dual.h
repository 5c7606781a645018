/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_dual.h - reference optimum, certified by a dual point, of a linear model with a convex
 * loss, which may have kinks:
 *
 *     P(x) = (1/n) sum_i l(<a_i,x>, y_i) + (l2/2)|x|^2 + l1 |x|_1   over |x| <= R, or R^d
 *     D(alpha) = -(1/n) sum_i l*(alpha_i, y_i) + min <v,x> + (l2/2)|x|^2 + l1 |x|_1 over |x| <= R
 *     v = (1/n) sum_i alpha_i a_i,   P(x) >= D(alpha) for every feasible x and every alpha
 *
 * The search is the method of multipliers on z = A x (Rockafellar 1976), with multipliers alpha for the scores and
 * beta for the ball. Each round minimises a differentiable function of x, in which l(s, y) is replaced by min_z
 * l(z, y) + (z - s - t alpha)^2/(2t), t the step length for alpha. The derivatives of this function in the scores
 * are the next multipliers. They are in the domain of l*, so that every round ends with a feasible pair x, alpha.
 * For piecewise linear losses the last rounds are exact. */
#ifndef ASSAY_PARTS_REFERENCE_DUAL_H
#define ASSAY_PARTS_REFERENCE_DUAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include "arena.h"
#include "losses.h"
#include "reference.h"
#include "simple.h"
#include "vec.h"

/* A matrix A of n rows a_i and d columns, of which only two products are needed. */
struct matrix_view {
    const void *owner;
    long n, d;
    void (*times)(const void *owner, const double *x, double *s);      /* s[n] <- A x */
    void (*combine)(const void *owner, const double *c, double *g);    /* g[d] += A'c */
};

struct dual_problem {
    struct matrix_view A;
    const double *y;                 /* [n] labels or targets */
    const struct loss *loss;         /* with a conjugate; dual_reference also needs its prox */
    double h;                        /* shape parameter of the loss */
    double l2, radius;               /* l2 >= 0; radius > 0, may be infinite */
    double l1;                       /* >= 0 */
};

struct dual_reference {
    double *x;                       /* [d] the best feasible point found */
    double *alpha;                   /* [n] the best dual point found */
    double value, bound;             /* P(x), D(alpha) */
    double gap, near;                /* P(x) - P* <= gap and |x - x*| <= near; infinite where not known */
};

/* Returns P(x); s[n] = A x. */
static inline double dual_primal(const struct dual_problem *p, const double *s, const double *x)
{
    double sum = 0;
    for (long i = 0; i < p->A.n; i++)
        sum += p->loss->value(p->h, s[i], p->y[i]);
    return sum / (double)p->A.n + (p->l2 > 0 ? p->l2 / 2 * vec_dot(p->A.d, x, x) : 0) +
           (p->l1 > 0 ? p->l1 * vec_norm1(p->A.d, x) : 0);
}

/* Returns min <v,x> + (l2/2)|x|^2 + l1 |x|_1 over the ball or, where larger, a bound over the points with
 * l1 |x|_1 <= first = P(0); x* is one of them, since losses are >= 0. v[d] is changed. */
static inline double dual_least(const struct dual_problem *p, double first, double *v)
{
    double R = p->radius, most, norm, least;
    for (long j = 0; p->l1 > 0 && j < p->A.d; j++)
        v[j] -= simple_clamp(v[j], p->l1);
    norm = vec_norm(p->A.d, v);
    most = vec_norm_inf(p->A.d, v);
    if (norm == 0)
        return 0;
    if (norm <= p->l2 * R)
        least = -norm * norm / (2 * p->l2);
    else
        least = p->l2 > 0 ? -R * norm + p->l2 / 2 * R * R : -R * norm;
    return p->l1 > 0 ? fmax(least, -most * (first / p->l1)) : least;
}

/* Returns D(alpha), -infinity if some l*(alpha_i) is infinite; c[n] and v[d] are scratch. Over R^d with l2 = l1 = 0
 * it is finite only for v = 0. */
static inline double dual_bound(const struct dual_problem *p, const double *alpha, double *c,
                                double *v)
{
    double sum = 0, first = 0, n = (double)p->A.n;
    for (long i = 0; i < p->A.n; i++) {
        sum += p->loss->conjugate(p->h, alpha[i], p->y[i]);
        first += p->l1 > 0 ? p->loss->value(p->h, 0, p->y[i]) / n : 0;
        c[i] = alpha[i] / n;
    }
    vec_zero(p->A.d, v);
    p->A.combine(p->A.owner, c, v);
    return dual_least(p, first, v) - sum / n;
}

/* Computes the other members of *best from best->x and best->alpha; s[n] and v[d] are scratch. */
static inline void dual_judge(const struct dual_problem *p, struct dual_reference *best, double *s,
                              double *v)
{
    static const double ROUNDING = 1e-15;
    p->A.times(p->A.owner, best->x, s);
    best->value = dual_primal(p, s, best->x);
    best->bound = dual_bound(p, best->alpha, s, v);
    best->gap = fmax(0, best->value - best->bound) + ROUNDING * fabs(best->value);
    best->near = p->l2 > 0 ? sqrt(2 * best->gap / p->l2) : INFINITY;
}

/* --- the search */

struct dual_search {
    const struct dual_problem *p;
    double t, rho;                   /* the step lengths for the multipliers alpha and beta */
    double *alpha, *beta;            /* [n], [d] multipliers of the scores and of the ball */
    double *s, *v;                   /* [n], [d] scratch */
    double *next, *push;             /* [n], [d] the next alpha and beta, from the last evaluation */
};

/* Returns the function that a round minimises, at x; g[d] <- the gradient. q->next and q->push <- the next
 * multipliers. */
static inline double dual_round(const void *self, const double *x, double *g)
{
    const struct dual_search *q = self;
    const struct dual_problem *p = q->p;
    double n = (double)p->A.n, sum = 0, f = p->l2 / 2 * vec_dot(p->A.d, x, x);
    double most = p->loss->lipschitz(p->h);
    p->A.times(p->A.owner, x, q->s);
    for (long i = 0; i < p->A.n; i++) {
        double c = q->s[i] + q->t * q->alpha[i], z = p->loss->prox(p->h, q->t, c, p->y[i]);
        sum += p->loss->value(p->h, z, p->y[i]) + (c - z) * (c - z) / (2 * q->t);
        q->next[i] = fmax(-most, fmin(most, (c - z) / q->t));   /* rounding must not leave the domain of l* */
        q->s[i] = q->next[i] / n;
    }
    vec_lincomb(p->A.d, p->l2, x, 0, x, g);
    p->A.combine(p->A.owner, q->s, g);
    if (isfinite(p->radius)) {
        vec_lincomb(p->A.d, 1, x, 1 / q->rho, q->beta, q->v);
        vec_copy(p->A.d, q->v, q->push);
        vec_project_ball(p->A.d, NULL, p->radius, q->push);
        vec_axpby(p->A.d, q->rho, q->v, -q->rho, q->push);
        f += vec_dot(p->A.d, q->push, q->push) / (2 * q->rho);
        vec_axpy(p->A.d, 1, q->push, g);
    }
    return f + sum / n;
}

/* Copies the point x, and the multipliers of the last evaluation, to *best where they improve the value or the
 * bound. */
static inline void dual_certify(struct dual_search *q, const double *x, double *at,
                                struct dual_reference *best)
{
    const struct dual_problem *p = q->p;
    vec_copy(p->A.d, x, at);
    if (isfinite(p->radius))
        vec_project_ball(p->A.d, NULL, p->radius, at);
    p->A.times(p->A.owner, at, q->s);
    double value = dual_primal(p, q->s, at), bound = dual_bound(p, q->next, q->s, q->v);
    if (value < best->value)
        vec_copy(p->A.d, at, best->x);
    if (bound > best->bound)
        vec_copy(p->A.n, q->next, best->alpha);
    dual_judge(p, best, q->s, q->v);
}

/* Returns |A'e|^2/n for a fixed vector e of signs: about the mean of |a_i|^2, which is used as a scale only. */
static inline double dual_square(const struct dual_problem *p, double *e, double *v)
{
    for (long i = 0; i < p->A.n; i++)
        e[i] = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) >> 63 ? 1 : -1;
    vec_zero(p->A.d, v);
    p->A.combine(p->A.owner, e, v);
    double square = vec_dot(p->A.d, v, v) / (double)p->A.n;
    return square > 0 ? square : 1;
}

/* *best <- the reference optimum of P over the ball, searched from x = 0 until gap <= target. A larger gap is no
 * error, since every measure includes it; over R^d with l2 = l1 = 0 the gap stays infinite. Memory comes from a. */
static inline enum status dual_reference(const struct dual_problem *p, double target,
                                         struct arena *a, struct dual_reference *best,
                                         struct why *why)
{
    enum { ROUNDS = 60 };
    static const double SHRINK = 0.4, SHARP = 1e-3;
    long n = p->A.n, d = p->A.d;
    struct dual_search q = { .p = p, .alpha = arena_vec(a, n), .beta = arena_vec(a, d),
                             .s = arena_vec(a, n), .v = arena_vec(a, d),
                             .next = arena_vec(a, n), .push = arena_vec(a, d) };
    double *x = arena_vec(a, d), *at = arena_vec(a, d);
    *best = (struct dual_reference){ arena_vec(a, d), arena_vec(a, n), INFINITY, -INFINITY,
                                     INFINITY, INFINITY };
    vec_zero(d, x);
    vec_zero(d, best->x);
    vec_zero(n, best->alpha);
    vec_zero(n, q.alpha);
    vec_zero(d, q.beta);
    vec_zero(n, q.s);
    /* t has the units of a score over a slope: the mean loss at 0 over the square of its slopes. */
    double first = dual_primal(p, q.s, x), slope = p->loss->lipschitz(p->h);
    double reach = fmin(p->radius, p->l2 > 0 ? sqrt(2 * first / p->l2) : INFINITY);
    q.t = first > 0 && isfinite(slope) ? first / (slope * slope) : 1;
    double sharp = SHARP * q.t, enough = 0.1 * target / (isfinite(reach) ? reach : 1);
    double square = dual_square(p, q.s, q.v);
    for (int k = 0; k < ROUNDS && !(best->gap <= target); k++) {
        struct reference r;
        q.rho = square / q.t;
        /* With mu = 1 the solver stops when |g|^2/2 is below the target. A round in which it does not still ends
         * with a feasible pair. */
        enum status s = reference_minimise_l1(d, dual_round, &q, 1, p->l1,
                                              enough * enough / 2, x, &r, why);
        if (s != OK && !(s == REFUSED && isfinite(r.gradient_norm)))
            return s;
        dual_round(&q, x, at);
        dual_certify(&q, x, at, best);
        vec_copy(n, q.next, q.alpha);
        vec_copy(d, q.push, q.beta);
        /* With a smaller t fewer rounds are needed, but each is harder. So t falls from round to round; only after
         * a round that was not solved, a t of at most `sharp` is raised. */
        q.t *= r.gradient_norm <= enough || q.t > sharp ? SHRINK : 1 / SHRINK;
    }
    return OK;
}

#endif

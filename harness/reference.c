/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c - L-BFGS (liblbfgs), then Newton steps by conjugate gradients.
 *
 * L-BFGS compares values, which near the optimum no longer differ; its gradient then stands near
 * the square root of the rounding. Newton's method looks at gradients alone and takes them the rest
 * of the way, with Hessian products as differences of gradients. */
#include "reference.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <lbfgs.h>

#include "vec.h"

enum { ROUNDS = 5, ITERATIONS = 5000, NEWTON_STEPS = 40, CG_STEPS = 400, HALVINGS = 12 };

struct search {
    long d;
    smooth_fn f;
    const void *ctx;
    double mu, target;
    double *best;                    /* [d] the point of smallest gradient seen */
    double value, norm;              /* there */
    long evaluations;
};

/* Every evaluation passes here, so that no good point is lost, whoever came across it. */
static double evaluate(struct search *s, const double *x, double *g)
{
    double value = s->f(s->ctx, x, g), norm = vec_norm(s->d, g);
    s->evaluations++;
    if (isfinite(value) && norm < s->norm) {
        vec_copy(s->d, x, s->best);
        s->value = value;
        s->norm = norm;
    }
    return value;
}

static double gap(const struct search *s)
{
    return s->mu > 0 ? s->norm * s->norm / (2 * s->mu) : INFINITY;
}

static bool done(const struct search *s)
{
    return s->mu > 0 ? gap(s) <= s->target
                     : s->norm <= 1e-10 * fmax(1, vec_norm(s->d, s->best));
}

static lbfgsfloatval_t lbfgs_f(void *self, const lbfgsfloatval_t *x, lbfgsfloatval_t *g,
                               const int d, const lbfgsfloatval_t step)
{
    return evaluate(self, x, g);
}

static int lbfgs_stop(void *self, const lbfgsfloatval_t *x, const lbfgsfloatval_t *g,
                      const lbfgsfloatval_t f, const lbfgsfloatval_t xnorm,
                      const lbfgsfloatval_t gnorm, const lbfgsfloatval_t step, int d, int k, int ls)
{
    return done(self);
}

/* Restarted from the best point as long as that helps: a line search that fails near the optimum
 * is often only short of a fresh memory. Its status says nothing that the gradient does not. */
static enum status descend(struct search *s)
{
    lbfgs_parameter_t p;
    lbfgs_parameter_init(&p);
    p.m = 20;
    p.epsilon = 0;
    p.max_iterations = ITERATIONS;
    p.max_linesearch = 60;
    p.xtol = 1e-16;
    lbfgsfloatval_t *x = lbfgs_malloc((int)s->d);
    int reply = x ? 0 : LBFGSERR_OUTOFMEMORY;
    for (int k = 0; k < ROUNDS && reply != LBFGSERR_OUTOFMEMORY && !done(s); k++) {
        double before = s->norm;
        vec_copy(s->d, s->best, x);
        reply = lbfgs((int)s->d, x, NULL, lbfgs_f, lbfgs_stop, s, &p);
        if (!(s->norm < before / 2))
            break;
    }
    if (x)
        lbfgs_free(x);
    return reply == LBFGSERR_OUTOFMEMORY ? NO_MEMORY : OK;
}

/* Hp[d] <- (grad f(x + h p) - grad f(x - h p)) / 2h, with h near the cube root of the rounding,
 * where the two errors of a central difference meet. work[2d]. */
static void hessian_times(struct search *s, const double *x, const double *p, double *work,
                          double *Hp)
{
    double h = 6e-6 * fmax(1, vec_norm(s->d, x)) / vec_norm(s->d, p);
    double *at = work, *g = work + s->d;
    vec_lincomb(s->d, 1, x, h, p, at);
    evaluate(s, at, Hp);
    vec_lincomb(s->d, 1, x, -h, p, at);
    evaluate(s, at, g);
    vec_axpby(s->d, -1 / (2 * h), g, 1 / (2 * h), Hp);
}

/* step[d] <- about -H^-1 g, by conjugate gradients to 1% of |g|. work[5d]. */
static void newton_direction(struct search *s, const double *x, const double *g, double *work,
                             double *step)
{
    long d = s->d;
    double *r = work, *p = work + d, *Hp = work + 2 * d;
    double enough = 1e-4 * vec_dot(d, g, g), rr;
    vec_zero(d, step);
    vec_lincomb(d, -1, g, 0, g, r);
    vec_copy(d, r, p);
    rr = vec_dot(d, r, r);
    for (int k = 0; k < CG_STEPS && rr > enough; k++) {
        hessian_times(s, x, p, work + 3 * d, Hp);
        double curvature = vec_dot(d, p, Hp), old = rr;
        if (!(curvature > 1e-14 * vec_dot(d, p, p)))     /* flat, or differences are only noise */
            break;
        vec_axpy(d, rr / curvature, p, step);
        vec_axpy(d, -rr / curvature, Hp, r);
        rr = vec_dot(d, r, r);
        vec_axpby(d, 1, r, rr / old, p);
    }
}

static enum status polish(struct search *s)
{
    long d = s->d;
    double *memory = malloc((size_t)d * 9 * sizeof *memory);
    if (!memory)
        return NO_MEMORY;
    double *x = memory, *g = x + d, *step = g + d, *trial = step + d, *work = trial + d;
    for (int k = 0; k < NEWTON_STEPS && !done(s); k++) {
        double before = s->norm;
        vec_copy(d, s->best, x);
        evaluate(s, x, g);
        newton_direction(s, x, g, work, step);
        for (int i = 0; i < HALVINGS && !(s->norm < 0.9 * before); i++) {
            vec_lincomb(d, 1, x, ldexp(1, -i), step, trial);
            evaluate(s, trial, work);
        }
        if (!(s->norm < 0.9 * before))
            break;
    }
    free(memory);
    return OK;
}

enum status reference_minimise(long d, smooth_fn f, const void *ctx, double mu, double target,
                               double *x, struct reference *r, struct why *why)
{
    BUG_IF(d < 1 || d > INT_MAX || !(mu >= 0));
    struct search s = { .d = d, .f = f, .ctx = ctx, .mu = mu, .target = target, .norm = INFINITY };
    double *memory = malloc((size_t)d * 2 * sizeof *memory);
    enum status status = memory ? OK : NO_MEMORY;
    if (status == OK) {
        s.best = memory;
        evaluate(&s, x, memory + d);
        if (isfinite(s.norm))
            status = descend(&s);
        if (isfinite(s.norm) && status == OK && !done(&s))
            status = polish(&s);
        if (isfinite(s.norm))
            vec_copy(d, s.best, x);
    }
    free(memory);
    if (status == NO_MEMORY)
        return why_set(why, NO_MEMORY, "reference optimum: not enough memory for d = %ld", d);
    *r = (struct reference){ s.value, s.norm, gap(&s), s.evaluations };
    if (!isfinite(s.norm))
        return why_set(why, REFUSED, "reference optimum: expected a finite value and gradient at "
                       "the start");
    if (mu > 0 && !done(&s))
        return why_set(why, REFUSED, "reference optimum: gap %.3g after %ld evaluations, expected "
                       "at most %.3g", gap(&s), s.evaluations, target);
    return OK;
}

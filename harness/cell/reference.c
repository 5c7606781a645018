/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c - minimises by L-BFGS or OWL-QN (liblbfgs), then by Newton steps with conjugate gradients.
 *
 * L-BFGS compares values. Near the optimum these are equal up to rounding, so that L-BFGS stops with a gradient
 * near the square root of the rounding error. Newton's method uses gradients alone and lowers the gradient further;
 * its Hessian products are differences of gradients. With l1 |x|_1 a Newton step stays in one orthant, on the
 * coordinates that are not zero or that the slope of f moves away from zero.
 *
 * The residual at a point is the subgradient of least norm there: without l1 the gradient. First-order steps are
 * the iterations of L-BFGS or OWL-QN. H is the Hessian of f. */
#include "reference.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <lbfgs.h>

#include "cell/reference_model.h"
#include "vec.h"

/* Limits that end a search which does not converge; a larger limit only makes it end later. ROUNDS: how often
 * L-BFGS and Newton's method each have their turn, and how often L-BFGS is started in a turn. ITERATIONS:
 * iterations of L-BFGS after each start. NEWTON_STEPS: Newton steps in a turn. CG_STEPS: steps of conjugate
 * gradients for one Newton step; HALVINGS: how many lengths of a Newton step are tried, each half of the one
 * before. DENSE_MAX is another kind of limit: up to so many coordinates a Newton step with l1 computes H, by two
 * gradients a column and DENSE_MAX^2 numbers of memory; above it conjugate gradients are used. Another value of any
 * of these numbers can change optima in their last digits. */
enum { ROUNDS = 5, ITERATIONS = 5000, NEWTON_STEPS = 60, CG_STEPS = 400, HALVINGS = 12,
       DENSE_MAX = 512 };

/* With l1 first-order steps are slow near the optimum. Newton's method takes over when the residual is below this
 * share of the residual at the start. Where Newton's method stops early, first-order steps lower the residual by
 * this factor again. A larger share starts Newton's method farther from the optimum; a smaller one leaves more of
 * the work to the slow first-order steps. */
static const double HANDED_OVER = 1e-3;

struct search {
    long d;
    smooth_fn f;
    const void *ctx;
    double mu, l1, target, enough;   /* mu: strong convexity of f, or 0; l1: the weight of |x|_1; target: where
                                        mu > 0, the bound |residual|^2 / (2 mu) of the distance of the value from
                                        the minimum, at which the search ends; enough: the norm of the residual at
                                        which first-order steps end */
    double *best;                    /* [d] the evaluated point of smallest residual */
    double value, norm;              /* value of the objective and norm of the residual at `best` */
    double *signs;                   /* [d] the orthant of a Newton step; 0: the coordinate stays at 0 */
    long *moving, movers;            /* [movers] the coordinates that a Newton step changes: with l1 those whose
                                        sign is not 0, else all */
    long evaluations;
};

/* x, g: a coordinate of the point, and of the gradient of f there. Returns this coordinate of the residual: of all
 * subgradients of f + l1 |x|_1 the one of least magnitude. */
static double residual(double l1, double x, double g)
{
    return x > 0 ? g + l1 : x < 0 ? g - l1 : g > l1 ? g - l1 : g < -l1 ? g + l1 : g - g;
}

static double residual_norm(const struct search *s, const double *x, const double *g)
{
    double sum = 0;
    if (s->l1 == 0)
        return vec_norm(s->d, g);
    for (long j = 0; j < s->d; j++) {
        double e = residual(s->l1, x[j], g[j]);
        sum += e * e;
    }
    return sqrt(sum);
}

/* Returns f(x); g[d] <- its gradient. All evaluations go through this function, which keeps the best point. */
static double evaluate(struct search *s, const double *x, double *g)
{
    double f = s->f(s->ctx, x, g), norm = residual_norm(s, x, g);
    s->evaluations++;
    if (isfinite(f) && norm < s->norm) {
        vec_copy(s->d, x, s->best);
        s->value = s->l1 > 0 ? f + s->l1 * vec_norm1(s->d, x) : f;
        s->norm = norm;
    }
    return f;
}

static double gap(const struct search *s)
{
    return s->mu > 0 ? s->norm * s->norm / (2 * s->mu) : INFINITY;
}

static bool done(const struct search *s)
{
    if (s->mu > 0)
        return gap(s) <= s->target;
    return s->l1 > 0 ? s->norm <= 1e-14 * s->l1
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
    const struct search *s = self;
    return done(s) || s->norm <= s->enough;
}

/* Runs L-BFGS, and restarts it from the best point as long as that halves the residual, since a line search that
 * fails near the optimum often succeeds after the old curvature pairs are dropped. Of the status of the library
 * only lack of memory matters: the residual shows the rest. */
static enum status descend(struct search *s)
{
    lbfgs_parameter_t p;
    lbfgs_parameter_init(&p);
    p.m = 20;
    p.epsilon = 0;
    p.max_iterations = ITERATIONS;
    p.max_linesearch = 60;
    p.xtol = 1e-16;
    if (s->l1 > 0) {
        p.orthantwise_c = s->l1;
        p.linesearch = LBFGS_LINESEARCH_BACKTRACKING;
    }
    lbfgsfloatval_t *x = lbfgs_malloc((int)s->d);
    int reply = x ? 0 : LBFGSERR_OUTOFMEMORY;
    for (int k = 0; k < ROUNDS && reply != LBFGSERR_OUTOFMEMORY && !done(s) && s->norm > s->enough;
         k++) {
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

/* Hp[d] <- (grad f(x + h p) - grad f(x - h p)) / 2h, with h near the cube root of the rounding error, where the
 * rounding error and the truncation error of a central difference are equal. work[2d]. */
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

/* With l1: sets v_j to 0 for every coordinate j that the Newton step leaves at 0. */
static void mask(const struct search *s, double *v)
{
    for (long j = 0; s->l1 > 0 && j < s->d; j++)
        v[j] = s->signs[j] == 0 ? 0 : v[j];
}

/* step[d] <- an approximation of -H^-1 e, by conjugate gradients until |H step + e| is 1% of |e|. H is the Hessian
 * and e the residual at x; work[5d] is scratch. */
static void direction_cg(struct search *s, const double *x, const double *e, double *work,
                         double *step)
{
    long d = s->d;
    double *r = work, *p = work + d, *Hp = work + 2 * d;
    double enough = 1e-4 * vec_dot(d, e, e), rr;
    vec_lincomb(d, -1, e, 0, e, r);
    vec_copy(d, r, p);
    rr = vec_dot(d, r, r);
    for (int k = 0; k < CG_STEPS && rr > enough; k++) {
        hessian_times(s, x, p, work + 3 * d, Hp);
        mask(s, Hp);
        double curvature = vec_dot(d, p, Hp), old = rr;
        if (!(curvature > 1e-14 * vec_dot(d, p, p)))     /* no curvature, or only rounding errors */
            break;
        vec_axpy(d, rr / curvature, p, step);
        vec_axpy(d, -rr / curvature, Hp, r);
        rr = vec_dot(d, r, r);
        vec_axpby(d, 1, r, rr / old, p);
    }
}

/* step[d] <- z - x, where z minimises the quadratic model of f at x plus l1 |z|_1 over the coordinates of
 * s->moving. H is computed column by column, so that the step depends neither on the scales of the coordinates nor
 * on how many signs change. Returns false without memory, or where H is not finite. */
static bool direction_model(struct search *s, const double *x, const double *g, double *work,
                            double *step)
{
    long m = s->movers, d = s->d;
    double *unit = work, *column = work + d, *H = malloc((size_t)(m * (m + 3)) * sizeof *H);
    double *at = H + m * m, *slope = at + m, *to = slope + m;
    bool found = H != NULL;
    vec_zero(d, unit);
    for (long j = 0; found && j < m; j++) {
        unit[s->moving[j]] = 1;
        hessian_times(s, x, unit, work + 2 * d, column);
        unit[s->moving[j]] = 0;
        for (long i = 0; i < m; i++)
            H[i * m + j] = column[s->moving[i]];
        at[j] = x[s->moving[j]];
        slope[j] = g[s->moving[j]];
        found = vec_finite(d, column);
    }
    for (long j = 0; found && j < m; j++)
        for (long i = 0; i < j; i++)
            H[j * m + i] = H[i * m + j] = (H[i * m + j] + H[j * m + i]) / 2;
    found = found && model_minimise(m, H, slope, at, s->l1, to);
    for (long j = 0; found && j < m; j++)
        step[s->moving[j]] = to[j] - at[j];
    free(H);
    return found;
}

/* e[d] <- the residual at x, where f has the gradient g. s->moving <- the coordinates that may move. With l1
 * s->signs <- the signs of x; a coordinate at 0 has the sign that it gets when it moves against its residual. */
static void orthant(struct search *s, const double *x, const double *g, double *e)
{
    s->movers = 0;
    for (long j = 0; j < s->d; j++) {
        e[j] = s->l1 > 0 ? residual(s->l1, x[j], g[j]) : g[j];
        if (s->l1 > 0)
            s->signs[j] = x[j] > 0 ? 1 : x[j] < 0 ? -1 : e[j] < 0 ? 1 : e[j] > 0 ? -1 : 0;
        if (s->l1 == 0 || s->signs[j] != 0)
            s->moving[s->movers++] = j;
    }
}

/* trial[d] <- x + a step. With `cut` a coordinate that would leave the orthant becomes 0. A full step (a = 1) to a
 * coordinate of the minimiser that is 0 gives an exact 0. */
static void advance(const struct search *s, bool cut, const double *x, double a,
                    const double *step, double *trial)
{
    for (long j = 0; j < s->d; j++) {
        double to = x[j] + a * step[j];
        trial[j] = a == 1 && step[j] == -x[j] ? 0 : cut && !(to * s->signs[j] > 0) ? 0 : to;
    }
}

/* Tries one Newton step from x[d]. Returns true if it was taken, because the residual fell below 0.9 of its norm
 * or, with l1, because the value fell by more than its rounding error: while the set of nonzero coordinates changes
 * the residual may grow. memory[10d]. */
static bool newton_step(struct search *s, double *x, double *memory)
{
    long d = s->d;
    double *g = memory, *e = g + d, *step = e + d, *trial = step + d, *work = trial + d;
    double f = evaluate(s, x, g) + s->l1 * vec_norm1(d, x), before = residual_norm(s, x, g);
    orthant(s, x, g, e);
    vec_zero(d, step);
    bool dense = s->l1 > 0 && s->movers <= DENSE_MAX && direction_model(s, x, g, work, step);
    if (!dense)
        direction_cg(s, x, e, work, step);
    for (int i = 0; i < HALVINGS; i++) {
        advance(s, !dense && s->l1 > 0, x, ldexp(1, -i), step, trial);
        double now = evaluate(s, trial, work) + s->l1 * vec_norm1(d, trial);
        if (residual_norm(s, trial, work) < 0.9 * before ||
            (s->l1 > 0 && now < f - 1e-13 * fabs(f))) {
            vec_copy(d, trial, x);
            return true;
        }
    }
    return false;
}

static enum status polish(struct search *s)
{
    long d = s->d;
    double *memory = malloc((size_t)d * 11 * sizeof *memory), *x = memory;
    s->signs = malloc((size_t)d * sizeof *s->signs);
    s->moving = malloc((size_t)d * sizeof *s->moving);
    bool room = memory && s->signs && s->moving;
    if (room)
        vec_copy(d, s->best, x);
    for (int k = 0; room && k < NEWTON_STEPS && !done(s) && newton_step(s, x, memory + d); k++)
        ;
    free(memory);
    free(s->signs);
    free(s->moving);
    return room ? OK : NO_MEMORY;
}

/* Runs L-BFGS and Newton's method in turns, as long as a turn halves the residual. */
static enum status search_on(struct search *s)
{
    enum status status = OK;
    s->enough = s->norm;
    for (int k = 0; k < ROUNDS && status == OK && !done(s); k++) {
        double before = s->norm;
        s->enough = s->l1 > 0 && k < ROUNDS - 1 ? fmin(s->norm, s->enough) * HANDED_OVER : 0;
        status = descend(s);
        if (status == OK && !done(s))
            status = polish(s);
        if (!(s->norm < before / 2))
            break;
    }
    return status;
}

enum status reference_minimise_l1(long d, smooth_fn f, const void *ctx, double mu, double l1,
                                  double target, double *x, struct reference *r, struct why *why)
{
    BUG_IF(d < 1 || d > INT_MAX || !(mu >= 0) || !(l1 >= 0));
    struct search s = { .d = d, .f = f, .ctx = ctx, .mu = mu, .l1 = l1, .target = target,
                        .norm = INFINITY };
    double *memory = malloc((size_t)d * 2 * sizeof *memory);
    enum status status = memory ? OK : NO_MEMORY;
    if (status == OK) {
        s.best = memory;
        evaluate(&s, x, memory + d);
        if (isfinite(s.norm))
            status = search_on(&s);
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

enum status reference_minimise(long d, smooth_fn f, const void *ctx, double mu, double target,
                               double *x, struct reference *r, struct why *why)
{
    return reference_minimise_l1(d, f, ctx, mu, 0, target, x, r, why);
}

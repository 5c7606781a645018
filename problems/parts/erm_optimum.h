/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_optimum.h - the certified optimum of an empirical risk, kept on disk. The certificate of a smooth loss is
 * the gradient, that of a loss with a kink a dual point; losses that are not convex have no certified optimum.
 * The second part of the file finds the l1 for which the optimum has a given number of nonzero coordinates. */
#ifndef ASSAY_PARTS_ERM_OPTIMUM_H
#define ASSAY_PARTS_ERM_OPTIMUM_H

#include "erm.h"
#include "reference_ball.h"
#include "reference_dual.h"

/* The gaps at which the solvers stop, in units of F(0). The target of smooth losses is lower, since their gap is
 * the square of a gradient. An optimal value below ERM_SEPARATED, in units of F, is taken to be near the infimum 0
 * of F. */
static const double ERM_SMOOTH_TARGET = 1e-18, ERM_KINK_TARGET = 1e-12, ERM_SEPARATED = 1e-6;

/* Returns F(x) - l1 |x|_1; g[d] <- the gradient. */
static double erm_smooth_part(const void *ctx, const double *x, double *g)
{
    const struct erm *o = ctx;
    return erm_both(o, o->l2, 0, x, true, g);
}

/* H, which is 0 on entry, <- the lower triangle of the Hessian of F(x) - l1 |x|_1. The second derivatives of the
 * loss are differences of its slopes, with relative errors near 1e-9; a Newton step has then an error of this size,
 * whatever the condition of H. */
static void erm_hessian(const void *ctx, const double *x, gsl_matrix *H)
{
    static const double NEAR = 1e-5;
    const struct erm *o = ctx;
    gsl_vector *w = gsl_vector_alloc((size_t)o->n), diagonal = gsl_matrix_diagonal(H).vector;
    BUG_IF(!w);
    for (long i = 0; i < o->n; i++) {
        double z = rows_dot(&o->A, i, x);
        w->data[i] = fmax(0, (erm_slope(o, i, z + NEAR) - erm_slope(o, i, z - NEAR)) / (2 * NEAR));
    }
    rows_gram_sparse(&o->A, w->data, H);
    gsl_vector_add_constant(&diagonal, o->l2);
    gsl_vector_free(w);
}

/* Returns the problem of o for the solver of reference_ball.h. The Hessian is used if computing and factorising it
 * takes at most HESSIAN_MAX multiplications, about a second. */
static inline struct ball_problem erm_ball(const struct erm *o)
{
    static const double HESSIAN_MAX = 1e9;
    double work = fmax((double)o->n, (double)o->d) * (double)o->d * (double)o->d;
    return (struct ball_problem){ o->d, erm_smooth_part, o, o->strong, o->l1, o->radius,
                                  work <= HESSIAN_MAX ? erm_hessian : NULL };
}

static void erm_times(const void *ctx, const double *x, double *s)
{
    const struct erm *o = ctx;
    rows_times(&o->A, 0, o->n, x, s);
}

static void erm_combine(const void *ctx, const double *c, double *g)
{
    const struct erm *o = ctx;
    rows_combine(&o->A, 0, o->n, c, g);
}

static inline struct dual_problem erm_dual(const struct erm *o)
{
    return (struct dual_problem){ { o, o->n, o->d, erm_times, erm_combine }, o->y, o->loss, o->h,
                                  o->l2, o->radius, o->l1 };
}

/* Returns whether the certificate of a stored optimum holds: claimed[2] are the stored F(x) and gap, which must be
 * reproduced to the last bit. */
static inline bool erm_confirmed(const double *claimed, double value, double gap)
{
    return claimed[0] == value && claimed[1] == gap;
}

static inline enum status erm_optimum_smooth(struct erm *o, struct reference_key *key,
                                             double target, struct arena *a, struct why *why)
{
    struct ball_problem p = erm_ball(o);
    struct ball_reference best;
    double *values = arena_vec(a, key->count = o->d + 2), *g = arena_vec(a, o->d);
    best.x = values;
    if (reference_recall(key, values) && vec_norm(o->d, values) <= o->radius * (1 + 1e-15)) {
        ball_certificate(&p, &best, g);
        if (erm_confirmed(values + o->d, best.value, best.gap)) {
            o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
            return OK;
        }
    }
    TRY(ball_reference(&p, target, a, &best, why));
    ball_certificate(&p, &best, g);
    vec_copy(o->d, best.x, values);
    values[o->d] = best.value;
    values[o->d + 1] = best.gap;
    reference_keep(key, values);
    o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
    return OK;
}

static inline enum status erm_optimum_kinked(struct erm *o, struct reference_key *key,
                                             double target, struct arena *a, struct why *why)
{
    struct dual_problem p = erm_dual(o);
    struct dual_reference best = { .x = NULL };
    long length = o->d + o->n;
    double *values = arena_vec(a, key->count = length + 2);
    double *s = arena_vec(a, o->n), *v = arena_vec(a, o->d);
    if (reference_recall(key, values) && vec_norm(o->d, values) <= o->radius * (1 + 1e-15)) {
        best.x = values;
        best.alpha = values + o->d;
        dual_judge(&p, &best, s, v);
        if (erm_confirmed(values + length, best.value, best.gap)) {
            o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
            return OK;
        }
    }
    TRY(dual_reference(&p, target, a, &best, why));
    vec_copy(o->d, best.x, values);
    vec_copy(o->n, best.alpha, values + o->d);
    values[length] = best.value;
    values[length + 1] = best.gap;
    reference_keep(key, values);
    o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
    return OK;
}

/* o->best <- the optimum. o->best.x stays NULL for losses that are not convex. */
static inline enum status erm_optimum(struct erm *o, struct reference_key *key, struct arena *a,
                                      struct why *why)
{
    double *origin = arena_vec(a, o->d), first;
    o->best = (struct erm_optimum){ NULL, NAN, NAN, NAN };
    if (!o->loss->conjugate)
        return OK;
    vec_zero(o->d, origin);
    first = erm_value(o, origin);
    first = first > 0 ? first : 1;
    if (isfinite(o->loss->smooth(o->h)))
        TRY(erm_optimum_smooth(o, key, ERM_SMOOTH_TARGET * first, a, why));
    else
        TRY(erm_optimum_kinked(o, key, ERM_KINK_TARGET * first, a, why));
    /* Without regulariser and ball, only F* >= 0 is certain. The gap is then at most F(best), which is of use if it
     * is small. */
    if (o->best.value < ERM_SEPARATED)
        o->best.gap = fmin(o->best.gap, o->best.value);
    else if (!(o->best.gap < o->best.value))
        o->best.gap = o->best.near = INFINITY;
    return OK;
}

/* --- the l1 for which the optimum has a given number of nonzero coordinates. For l1 >= max_j |partial_j f(0)|,
 * where f is F without the l1 term, it has none. From there l1 is halved until the optimum has too many, then
 * bisected on a log scale; each step computes the optimum. */

static inline long erm_nonzeros(long d, const double *x)
{
    long count = 0;
    for (long j = 0; j < d; j++)
        count += x[j] != 0;
    return count;
}

/* *count <- the number of nonzero coordinates of the optimum for o->l1. Scratch memory comes from a. */
static inline enum status erm_count_at(struct erm *o, double target, struct arena *a, long *count,
                                       struct why *why)
{
    struct ball_problem p = erm_ball(o);
    struct ball_reference best;
    TRY(ball_reference(&p, target, a, &best, why));
    *count = erm_nonzeros(o->d, best.x);
    return OK;
}

static inline enum status erm_search_l1(struct erm *o, long support, double target,
                                        struct arena *a, struct why *why)
{
    enum { SOLVES = 60 };
    double *x = arena_vec(a, o->d), *g = arena_vec(a, o->d), low = 0, high;
    long count = 0;
    vec_zero(o->d, x);
    erm_smooth_part(o, x, g);
    high = vec_norm_inf(o->d, g);
    for (int k = 0; k < SOLVES; k++) {
        o->l1 = low > 0 ? sqrt(low * high) : high / 2;
        TRY(erm_count_at(o, target, a, &count, why));
        if (count == support)
            return OK;
        *(count > support ? &low : &high) = o->l1;
    }
    return why_set(why, BAD_INPUT, "support = %ld: no penalty l1 found under which the optimum has "
                   "so many non-zeros; close to l1 = %.6g it has %ld", support, o->l1, count);
}

/* o->l1 <- the l1 that is stored under *key, unless `anew`; else the result of a search. */
static inline enum status erm_support_l1(struct erm *o, struct reference_key *key, long support,
                                         bool anew, struct arena *a, struct why *why)
{
    double *origin = arena_vec(a, o->d);
    key->count = 1;
    if (!anew && reference_recall(key, &o->l1) && o->l1 > 0)
        return OK;
    vec_zero(o->d, origin);
    o->l1 = 0;
    double target = ERM_SMOOTH_TARGET * erm_value(o, origin);
    TRY(erm_search_l1(o, support, target, a, why));
    reference_keep(key, &o->l1);
    return OK;
}

/* o->l1 <- an l1 for which the optimum has *support nonzero coordinates; nothing if *support is 0. Call it before
 * any constant that may depend on l1. The nonzero coordinates for a stored l1 are counted again. `l1` and `support`
 * point into the parameters that *key names. *l1 <- o->l1 and *support <- 0, so that the key of the optimum does
 * not depend on which of the two parameters was given. */
static inline enum status erm_make_penalty(struct erm *o, struct reference_key *key, double *l1,
                                           long *support, struct arena *a, struct why *why)
{
    long wanted = *support;
    if (!wanted)
        return OK;
    if (*l1 > 0 || !isfinite(o->loss->smooth(o->h)) || !o->loss->conjugate)
        return why_set(why, BAD_INPUT, "%s.support = %ld: expected l1 = 0, in whose place it "
                       "stands, and a smooth convex loss", key->family, wanted);
    for (int try = 0; try < 2; try++) {
        *l1 = 0;
        *support = wanted;
        TRY(erm_support_l1(o, key, wanted, try > 0, a, why));
        *l1 = o->l1;
        *support = 0;
        TRY(erm_optimum(o, key, a, why));
        if (erm_nonzeros(o->d, o->best.x) == wanted)
            break;
    }
    return OK;
}

#endif

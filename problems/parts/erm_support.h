/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_support.h - the penalty under which the optimum has a given number of non-zero coordinates.
 * At l1 >= max_j |partial_j f(0)| it has none; from there l1 is halved until there are too many,
 * then bisected on a log scale, each time by the optimum itself. */
#ifndef ASSAY_PARTS_ERM_SUPPORT_H
#define ASSAY_PARTS_ERM_SUPPORT_H

#include "erm_optimum.h"

static inline long erm_nonzeros(long d, const double *x)
{
    long count = 0;
    for (long j = 0; j < d; j++)
        count += x[j] != 0;
    return count;
}

/* *count <- the non-zeros of the optimum under o->l1; scratch from a. */
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

/* o->l1 <- what is kept under the key, or the search's. */
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

/* o->l1 <- a penalty under which the optimum has *support non-zeros, before any constant that may
 * depend on it. What was kept is counted again. l1 and support are members of the key's parameters,
 * which afterwards name the penalty alone: one penalty has one optimum, however it is asked for. */
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

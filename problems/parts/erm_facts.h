/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_facts.h - the constants of an empirical risk. L, G, sigma, M, M_F and their coordinate constants are those of
 * the sample losses f(x; s_i), which contain the regulariser own_l2, own_l1 (erm.h). mu, mu_M1, mu_M2, weak and
 * what is said of the optimum are of F, including the regulariser that is the simple part of a proximal step. */
#ifndef ASSAY_PARTS_ERM_FACTS_H
#define ASSAY_PARTS_ERM_FACTS_H

#include "ball.h"
#include "erm.h"

/* Returns sup |dl/dz| of record i over the feasible set, where |<a_i,x>| <= |a_i| radius. */
static inline double erm_slope_bound(const struct erm *o, long i)
{
    double most = o->loss->lipschitz(o->h);
    if (o->loss->signs)
        return most;
    /* Of the losses without classes only squares has no Lipschitz constant; its slope is z - y. */
    double far = sqrt(rows_square(&o->A, i)) * o->radius + fabs(o->y[i]);
    return isinf(most) ? far : most;
}

/* o->norm[n] <- |a_i|; M_j[d], L_j[d] and further facts <- sums and maxima over the entries of A. A fact that is
 * not finite is stated as NaN, for example M of a loss with kinks or L of squares on R^d. */
static inline void erm_constants(struct erm *o, double *M_j, double *L_j, struct facts *f)
{
    double n = (double)o->n, longest = 0, steepest = 0, sum = 0, lengths = 0;
    double M_sum = 0, M_max = 0, curve = o->loss->smooth(o->h), one = o->own_l1, all;
    if (o->own_l2 > 0)
        one += o->own_l2 * o->radius;            /* |x_j| <= |x| <= radius */
    all = o->own_l1 * sqrt((double)o->d) + (one - o->own_l1);
    vec_zero(o->d, M_j);
    vec_zero(o->d, L_j);
    for (long i = 0; i < o->n; i++) {
        struct entries a = table_row(o->A.t, i);
        double square = rows_square(&o->A, i), c = erm_slope_bound(o, i);
        o->norm[i] = sqrt(square);
        longest = fmax(longest, square);
        lengths += square / n;
        if (square > 0) {
            steepest = fmax(steepest, c * sqrt(square));
            sum += c * c * square / n;
        }
        for (long k = 0; k < a.count; k++) {
            double v = fabs(a.value[k]);
            M_j[a.index[k]] += v * v / n;
            if (v > 0)
                L_j[a.index[k]] = fmax(L_j[a.index[k]], c * v);
        }
        if (o->A.ones) {
            M_j[o->d - 1] += 1 / n;
            L_j[o->d - 1] = fmax(L_j[o->d - 1], c);
        }
    }
    for (long j = 0; j < o->d; j++) {
        M_j[j] = curve * M_j[j] + o->own_l2;
        L_j[j] += one;
        M_sum += M_j[j];
        M_max = fmax(M_max, M_j[j]);
    }
    o->length = sqrt(lengths);
    o->steepest = steepest;
    bool smooth = isfinite(curve) && o->own_l1 == 0;
    f->M = smooth ? curve * longest + o->own_l2 : NAN;
    f->L = isfinite(steepest + all) ? steepest + all : NAN;
    f->G = isfinite(sum) && isfinite(all) ? sqrt(sum) + all : NAN;
    f->sigma = isfinite(sum) ? sqrt(sum) : NAN;  /* a regulariser in all samples adds no variance */
    f->mu_M1 = smooth && M_sum > 0 ? o->l2 / M_sum : NAN;    /* |x|_{M,1}^2 <= sum_j M_j |x|^2 */
    f->mu_M2 = smooth && M_max > 0 ? o->l2 / M_max : NAN;
    f->M_j = smooth ? M_j : NULL;
    f->L_j = isfinite(f->L) ? L_j : NULL;
    /* In a dense table zeros are stored, and count as touched. */
    f->nonzeros = (o->A.t->dense ? n * (double)o->A.t->d : (double)o->A.t->nonzeros) +
                  (o->A.ones ? n : 0);
    ball_facts(f, o->d, n, o->radius);
}

/* States the facts that the eigenvalues of A'A/n give: M_F, `weak` (how far F is from convex) and mu. o->strong <-
 * the strong convexity of F. */
static inline void erm_curvature(struct erm *o, struct arena *a, struct facts *f)
{
    double curve = o->loss->smooth(o->h), weak = o->loss->weak(o->h), smallest = 0;
    bool wanted = isfinite(curve) || (weak > 0 && isfinite(weak));
    double largest = wanted ? rows_eigenvalue(&o->A, a, &smallest) : NAN;
    o->strong = o->l2 + (o->loss->value == loss_squares ? smallest : 0);
    f->M_F = isfinite(f->M) ? fmin(f->M, curve * largest + o->own_l2) : NAN;
    f->weak = weak == 0 ? 0 : isinf(weak) ? NAN : fmax(0, weak * largest - o->l2);
    f->mu = weak == 0 ? o->l2 : f->weak == 0 ? o->l2 - weak * largest : NAN;
}

/* States the facts about the start x_0 = 0: Phi, f_star, dist and R_M1. Without strong convexity dist is the radius
 * or, over R^d, the norm of the reference optimum. Separable records without regulariser over R^d have no x*; then
 * f_star = 0, the infimum of the losses, and the gap of the reference, which is finite only if its value is small,
 * is this value. A smaller gap proves F* > 0. */
static inline void erm_start_facts(const struct erm *o, const double *origin, struct facts *f)
{
    const struct erm_optimum *b = &o->best;
    double first = erm_value(o, origin);
    f->Phi = first;
    if (!b->x)
        return;
    double norm = vec_norm(o->d, b->x);
    bool none = o->l2 == 0 && o->l1 == 0 && isinf(o->radius) && isfinite(b->gap) &&
                b->gap >= b->value && !isfinite(b->near);
    f->f_star = none ? 0 : b->value;
    f->Phi = fmin(first, first - b->value + (isfinite(b->gap) ? b->gap : 0));
    f->dist = isfinite(b->near) ? fmin(norm + b->near, o->radius)
            : isfinite(o->radius) ? o->radius : none ? NAN : norm;
    if (f->mu_M1 > 0)
        f->R_M1 = sqrt(2 * f->Phi / f->mu_M1);
}

#endif

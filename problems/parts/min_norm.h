/* SPDX-License-Identifier: GPL-3.0-or-later */
/* min_norm.h - the shortest element of the convex hull of points p_1, ..., p_m of R^d, by the algorithm of Wolfe
 * (1976), Finding the nearest point in a polytope, Math. Program. 11. The algorithm keeps a set of affinely
 * independent points, the corral. A step adds the point with the least <p_i, g>, and drops the points whose weights
 * in the shortest element of the affine hull of the corral are not positive.
 *
 * For any g of the hull, the distance to the shortest element g* is bounded by a gap over all points:
 *
 *     gap = |g|^2 - min_i <p_i, g>,      |g - g*|^2 <= gap,      |g| - gap/|g| <= |g*| <= |g|.
 *
 * After points were added, the problem can be solved again, starting with the present corral. */
#ifndef ASSAY_PARTS_MIN_NORM_H
#define ASSAY_PARTS_MIN_NORM_H

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdbool.h>
#include "vec.h"

struct min_norm {
    long d, room,
         m;                          /* number of points so far, at most room */
    double *p;                       /* [room*d] the points, p_1 first */
    double *g;                       /* [d] the answer */
    double norm, gap;                /* |g|, and the gap of g */
    long size;                       /* points in the corral, at most K + 1, K = min(d, room) */
    long *corral;                    /* [K+2] indices of these points */
    double *weight;                  /* [K+2] g = sum_k weight_k p_corral(k); >= 0, sum 1 */
    double longest;                  /* max |p_i| */
    double *affine, *along;          /* [K+2], [room] scratch */
    double *edges, *tau, *b, *s, *r; /* [d*(K+1)], [K+1], [d], [K+1], [d] scratch of least squares */
    gsl_vector *memory;
    gsl_vector_long *indices;
};

/* The search ends when the gap is below this share of |g| max_i |p_i|: |g| then exceeds the least norm by at
 * most 1e-13 max_i |p_i|. The rounding of <p_i, g> is up to d 1.1e-16 |p_i| |g|, so that a much smaller share
 * would only be reached by chance; a larger one would lose digits of the norm. */
static const double MIN_NORM_TOLERANCE = 1e-13;

static inline void min_norm_free(struct min_norm *o)
{
    gsl_vector_free(o->memory);
    gsl_vector_long_free(o->indices);
}

/* Makes a hull without points, for at most `room` of them; d, room >= 1. Returns false if there is no memory;
 * nothing is to be freed then. */
static inline bool min_norm_init(struct min_norm *o, long d, long room)
{
    size_t D = (size_t)d, R = (size_t)room, K = (size_t)(d < room ? d : room);
    *o = (struct min_norm){ .d = d, .room = room, .norm = NAN, .gap = NAN };
    o->memory = gsl_vector_alloc(R * D + 3 * D + R + 2 * (K + 2) + D * (K + 1) + 2 * (K + 1));
    o->indices = gsl_vector_long_alloc(K + 2);
    if (!o->memory || !o->indices) {
        min_norm_free(o);
        return false;
    }
    o->corral = o->indices->data;
    o->p = o->memory->data;
    o->g = o->p + R * D;
    o->b = o->g + D;
    o->r = o->b + D;
    o->along = o->r + D;
    o->weight = o->along + R;
    o->affine = o->weight + K + 2;
    o->edges = o->affine + K + 2;
    o->tau = o->edges + D * (K + 1);
    o->s = o->tau + K + 1;
    return true;
}

/* Returns where to write the d numbers of the next point; call min_norm_add afterwards. */
static inline double *min_norm_next(struct min_norm *o)
{
    return o->p + o->m * o->d;
}

static inline void min_norm_add(struct min_norm *o)
{
    o->longest = fmax(o->longest, vec_norm(o->d, min_norm_next(o)));
    o->m++;
}

/* affine[size] <- the weights, of sum 1, of the shortest element of the affine hull of the corral. They solve a
 * least-squares problem in the edges from the first point of the corral. */
static inline void min_norm_affine(struct min_norm *o)
{
    const double *first = o->p + o->corral[0] * o->d;
    size_t d = (size_t)o->d, k = (size_t)o->size - 1;
    o->affine[0] = 1;
    if (k == 0)
        return;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < k; j++)
            o->edges[i * k + j] = o->p[(size_t)o->corral[j + 1] * d + i] - first[i];
        o->b[i] = -first[i];
    }
    gsl_matrix_view A = gsl_matrix_view_array(o->edges, d, k);
    gsl_vector_view tau = gsl_vector_view_array(o->tau, k < d ? k : d);
    gsl_vector_view b = gsl_vector_view_array(o->b, d), s = gsl_vector_view_array(o->s, k);
    gsl_vector_view r = gsl_vector_view_array(o->r, d);
    gsl_linalg_QR_decomp(&A.matrix, &tau.vector);
    gsl_linalg_QR_lssolve(&A.matrix, &tau.vector, &b.vector, &s.vector, &r.vector);
    for (size_t j = 0; j < k; j++) {
        o->affine[j + 1] = o->s[j];
        o->affine[0] -= o->s[j];
    }
}

/* Moves the weights towards affine[] until one would become negative, and drops the points of weight 0. Returns
 * true if the weights reached affine[]. */
static inline bool min_norm_move(struct min_norm *o)
{
    double step = 1;
    long stop = -1, kept = 0;
    for (long k = 0; k < o->size; k++)
        if (!(o->affine[k] > 0) && o->weight[k] <= step * (o->weight[k] - o->affine[k])) {
            step = o->weight[k] > 0 ? o->weight[k] / (o->weight[k] - o->affine[k]) : 0;
            stop = k;
        }
    for (long k = 0; k < o->size; k++) {
        double w = (1 - step) * o->weight[k] + step * o->affine[k];
        if (k == stop || !(w > 0))
            continue;
        o->corral[kept] = o->corral[k];
        o->weight[kept++] = w;
    }
    o->size = kept;
    return stop < 0;
}

static inline void min_norm_combine(struct min_norm *o)
{
    double sum = 0;
    for (long k = 0; k < o->size; k++)
        sum += o->weight[k];
    vec_zero(o->d, o->g);
    for (long k = 0; k < o->size; k++)
        vec_axpy(o->d, o->weight[k] / sum, o->p + o->corral[k] * o->d, o->g);
    o->norm = vec_norm(o->d, o->g);
}

/* Returns the index of the point with the least <p_i, g>; sets the gap. */
static inline long min_norm_behind(struct min_norm *o)
{
    long least = 0;
    vec_gemv(o->m, o->d, 1, o->p, o->g, 0, o->along);
    for (long i = 1; i < o->m; i++)
        if (o->along[i] < o->along[least])
            least = i;
    o->gap = fmax(0, o->norm * o->norm - o->along[least]);
    return least;
}

static inline void min_norm_start(struct min_norm *o)
{
    long shortest = 0;
    for (long i = 1; i < o->m; i++)
        if (vec_norm(o->d, o->p + i * o->d) < vec_norm(o->d, o->p + shortest * o->d))
            shortest = i;
    o->size = 1;
    o->corral[0] = shortest;
    o->weight[0] = 1;
    min_norm_combine(o);
}

/* Sets g, norm and gap for the m >= 1 points so far. The loop ends for any points, since |g| falls strictly until
 * the gap is below the tolerance or rounding stops it; the gap bounds the error in both cases. */
static inline void min_norm_solve(struct min_norm *o)
{
    if (o->size == 0)
        min_norm_start(o);
    for (;;) {
        long behind = min_norm_behind(o);
        double before = o->norm;
        if (!(o->gap > MIN_NORM_TOLERANCE * o->longest * o->norm) ||
            !(o->norm > MIN_NORM_TOLERANCE * o->longest) || o->size > o->d)
            return;
        for (long k = 0; k < o->size; k++)
            if (o->corral[k] == behind)
                return;
        o->corral[o->size] = behind;
        o->weight[o->size++] = 0;
        do                           /* `affine` is not finite if rounding makes the edges dependent */
            min_norm_affine(o);
        while (vec_finite(o->size, o->affine) && !min_norm_move(o));
        min_norm_combine(o);
        if (!(o->norm < before)) {
            min_norm_behind(o);
            return;
        }
    }
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadratic.h - a small objective of p coordinates, for tests of coordinate descent:
 *
 *     F(w) = w'Hw/2 - b'w + sum_j psi(w_j),   psi(x) = (l2/2) x^2 + l1 |x|
 *
 * The smoothness constants M_j along the coordinates are known. F counts as L_j = 1 Lipschitz along each. */
#ifndef ASSAY_TESTS_QUADRATIC_H
#define ASSAY_TESTS_QUADRATIC_H

#include <gsl/gsl_linalg.h>

#include "support/method.h"

enum { P_MAX = 16 };
struct quadratic {
    long p;
    double H[P_MAX][P_MAX], b[P_MAX], M[P_MAX], L[P_MAX], l1, l2;
};

static inline double quadratic_slope(const struct quadratic *q, const double *w, long j)
{
    double g = -q->b[j];
    for (long k = 0; k < q->p; k++)
        g += q->H[j][k] * w[k];
    return g;
}

static inline double quadratic_smooth(const void *self, const double *w)
{
    const struct quadratic *q = self;
    double f = 0;
    for (long j = 0; j < q->p; j++)
        f += w[j] * (quadratic_slope(q, w, j) - q->b[j]) / 2;
    return f;
}

static inline void quadratic_smooth_grad(const void *self, const double *w, double *g)
{
    const struct quadratic *q = self;
    for (long j = 0; j < q->p; j++)
        g[j] = quadratic_slope(q, w, j);
}

static inline double quadratic_psi(const struct quadratic *q, double x)
{
    return q->l2 / 2 * x * x + q->l1 * fabs(x);
}

static inline double quadratic_value(const void *self, const double *w)
{
    const struct quadratic *q = self;
    double f = quadratic_smooth(self, w);
    for (long j = 0; j < q->p; j++)
        f += quadratic_psi(q, w[j]);
    return f;
}

static inline double quadratic_rest(const void *self, long j, double x, double slopes[2])
{
    const struct quadratic *q = self;
    slopes[0] = q->l2 * x + (x > 0 ? q->l1 : -q->l1);
    slopes[1] = q->l2 * x + (x < 0 ? -q->l1 : q->l1);
    return quadratic_psi(q, x);
}

/* Returns the minimiser of (v - x)^2/2 + t psi(x), which is negative, 0 or positive. */
static inline double quadratic_prox_coord(const void *self, double t, long j, double v)
{
    const struct quadratic *q = self;
    double best = 0, least = v * v / 2;
    for (int side = -1; side <= 1; side += 2) {
        double x = (v - side * t * q->l1) / (1 + t * q->l2);
        double f = (v - x) * (v - x) / 2 + t * quadratic_psi(q, x);
        if (x * side > 0 && f < least)
            least = f, best = x;
    }
    return best;
}

static inline void quadratic_prox(const void *self, double t, const double *v, double *x)
{
    const struct quadratic *q = self;
    for (long j = 0; j < q->p; j++)
        x[j] = quadratic_prox_coord(self, t, j, v[j]);
}

static inline bool quadratic_has_rest(const void *self)
{
    const struct quadratic *q = self;
    return q->l1 > 0 || q->l2 > 0;
}

static inline size_t quadratic_bytes(const void *self)
{
    return (size_t)((const struct quadratic *)self)->p * sizeof(double);
}
static inline void quadratic_set(const void *self, void *cache, const double *w)
{
    vec_copy(((const struct quadratic *)self)->p, w, cache);
}
static inline long quadratic_add(const void *self, void *cache, long j, double step)
{
    ((double *)cache)[j] += step;
    return 1;
}
static inline double quadratic_coord(const void *self, const void *cache, long j,
                                     const double *clip_j)
{
    double g = quadratic_slope(self, cache, j);
    return clip_j ? fmax(-clip_j[j], fmin(clip_j[j], g)) : g;
}
static inline void quadratic_cursor_grad(const void *self, const void *cache, const double *clip_j,
                                  double *g)
{
    for (long j = 0; j < ((const struct quadratic *)self)->p; j++)
        g[j] = quadratic_coord(self, cache, j, clip_j);
}
static inline double quadratic_cursor_value(const void *self, const void *cache)
{
    return quadratic_value(self, cache);
}
static inline long quadratic_column(const void *self, long j) { return 1; }

/* Adds the gradient of a record; every record is F without the psi(w_j). */
static inline void quadratic_sample_grad(const void *self, long i, const double *w, double a,
                                         double *g)
{
    const struct quadratic *q = self;
    for (long j = 0; j < q->p; j++)
        g[j] += a * quadratic_slope(q, w, j);
}
static inline double quadratic_sample_value(const void *self, long i, const double *w)
{
    return quadratic_smooth(self, w);
}

static const struct composite_model quadratic_composite = {
    .smooth_value = quadratic_smooth, .smooth_grad = quadratic_smooth_grad, .prox = quadratic_prox,
    .prox_coord = quadratic_prox_coord, .rest_coord = quadratic_rest,
    .has_rest = quadratic_has_rest,
};

static const struct cursor_model quadratic_cursor = {
    .bytes = quadratic_bytes, .set = quadratic_set, .add = quadratic_add, .coord = quadratic_coord,
    .grad = quadratic_cursor_grad, .value = quadratic_cursor_value, .nonzeros = quadratic_column,
};

static const struct problem quadratic_family = {
    .name = "quadratic", .doc = "", .cite = "", .canaries = 0,
    .sample_value = quadratic_sample_value, .sample_grad = quadratic_sample_grad,
    .value = quadratic_value, .composite = &quadratic_composite,
    .cursor = &quadratic_cursor,
};

enum { RECORDS = 50 };

static inline struct instance quadratic_instance(const struct quadratic *q)
{
    struct instance in = { .p = &quadratic_family, .self = (void *)(size_t)q, .d = q->p,
                           .f = facts_unknown(), .name = "quadratic" };
    in.f.d = in.f.p = (double)q->p;
    in.f.n = RECORDS;
    in.f.radius = in.f.diameter = INFINITY;
    in.f.weak = 0;
    in.f.M_j = q->M;
    in.f.L_j = q->L;
    return in;
}

/* Returns a random quadratic with l1 = l2 = 0: H = A'A/p + c I, M_j = H_jj. The entries of A are normal, in column
 * j with standard deviation 1 + j mod 4; those of b have standard deviation 2. */
static inline struct quadratic quadratic_random(uint64_t seed, long p, double c)
{
    struct quadratic q = { .p = p };
    struct rng r = rng_stream(0x9d + seed);
    double A[P_MAX][P_MAX];
    for (long i = 0; i < p; i++)
        for (long j = 0; j < p; j++)
            A[i][j] = rng_normal(&r) * (1 + (double)(j % 4));
    for (long i = 0; i < p; i++) {
        for (long j = 0; j < p; j++)
            for (long k = 0; k < p; k++)
                q.H[i][j] += A[k][i] * A[k][j] / (double)p;
        q.H[i][i] += c;
        q.b[i] = 2 * rng_normal(&r);
        q.M[i] = q.H[i][i];
        q.L[i] = 1;
    }
    return q;
}

/* w[p] <- the minimiser of the smooth part, by Cholesky; returns the minimum. */
static inline double quadratic_minimum(const struct quadratic *q, double *w)
{
    gsl_matrix *H = gsl_matrix_alloc((size_t)q->p, (size_t)q->p);
    gsl_vector *x = gsl_vector_alloc((size_t)q->p);
    for (long i = 0; i < q->p; i++) {
        gsl_vector_set(x, (size_t)i, q->b[i]);
        for (long j = 0; j < q->p; j++)
            gsl_matrix_set(H, (size_t)i, (size_t)j, q->H[i][j]);
    }
    assert_int_equal(gsl_linalg_cholesky_decomp1(H), 0);
    assert_int_equal(gsl_linalg_cholesky_svx(H, x), 0);
    for (long i = 0; i < q->p; i++)
        w[i] = gsl_vector_get(x, (size_t)i);
    gsl_matrix_free(H);
    gsl_vector_free(x);
    return quadratic_smooth(q, w);
}

/* Returns mu_{M,1}, the strong convexity of the smooth part in the norm sum_j sqrt(M_j) |w_j|. 1/mu_{M,1} = max
 * over signs s of s'(M^-1/2 H M^-1/2)^-1 s = max_s u'H^-1 u, u_j = s_j sqrt(M_j), by one linear solve for every
 * choice of signs. */
static inline double quadratic_mu_M1(const struct quadratic *q)
{
    double most = 0;
    for (long s = 0; s < 1L << (q->p - 1); s++) {
        struct quadratic dual = *q;
        double x[P_MAX], form = 0;
        for (long j = 0; j < q->p; j++)
            dual.b[j] = (s >> j & 1 ? -1 : 1) * sqrt(q->M[j]);
        quadratic_minimum(&dual, x);
        for (long j = 0; j < q->p; j++)
            form += dual.b[j] * x[j];
        most = fmax(most, form);
    }
    return 1 / most;
}

#endif

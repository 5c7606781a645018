/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inscribed.h - the largest ellipsoid { c + E u : |u| <= 1 } inside halfspaces <a_i, x> <= b_i, found by the
 * primal-dual method of Zhang and Gao (SIAM J. Optim. 14 (2003)). A has the rows a_i, and ' transposes. With
 * multipliers y_i > 0 and slacks z_i > 0, Y, Z and H the diagonal matrices of y, z and h, Q = A E^2 A' and
 * h_i = sqrt(Q_ii) it solves the following equations for mu -> 0:
 *
 *     E^2 = (A' Y A)^-1,   A'(y h) = 0,   h_i + z_i = b_i - <a_i, c>,   y_i z_i = mu -> 0
 *
 * The body lies in the ellipsoid enlarged by the factor d about c (John 1948), so that a row with b_i - <a_i, c> >
 * d h_i does not bind. After a cut through c the largest ellipsoid of what remains has at most 0.843 times the
 * volume of the one before, for any body (Tarasov, Khachiyan, Erlikh 1988). */
#ifndef ASSAY_PARTS_INSCRIBED_H
#define ASSAY_PARTS_INSCRIBED_H

#include <math.h>
#include <stdbool.h>
#include "halfspaces.h"
#include "vec.h"

/* --- small dense systems with contiguous rows: Cholesky, and elimination with pivots */

/* The lower triangle of A[n][n] <- L, A = L L'. Returns false if A is not positive definite; the entries of A are
 * then undefined. */
static inline bool matrix_factor(long n, double *A)
{
    for (long i = 0; i < n; i++) {
        double *row = A + i * n;
        for (long j = 0; j <= i; j++) {
            double rest = row[j] - vec_dot(j, row, A + j * n);
            if (i == j && !(rest > 0 && rest < INFINITY))
                return false;
            row[j] = i == j ? sqrt(rest) : rest / A[j * n + j];
        }
    }
    return true;
}

/* v[n] <- L^-1 v. */
static inline void matrix_forward(long n, const double *L, double *v)
{
    for (long i = 0; i < n; i++)
        v[i] = (v[i] - vec_dot(i, L + i * n, v)) / L[i * n + i];
}

/* v[n] <- (L')^-1 v. */
static inline void matrix_backward(long n, const double *L, double *v)
{
    for (long i = n - 1; i >= 0; i--) {
        v[i] /= L[i * n + i];
        vec_axpy(i, -v[i], L + i * n, v);
    }
}

/* v[n] <- A^-1 v. A[n][n] is overwritten. Returns false if A is singular. */
static inline bool matrix_eliminate(long n, double *A, double *v)
{
    for (long k = 0; k < n; k++) {
        long pivot = k;
        for (long i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k]))
                pivot = i;
        if (!(fabs(A[pivot * n + k]) > 0))
            return false;
        for (long j = k; j < n && pivot != k; j++) {
            double a = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = a;
        }
        double b = v[k];
        v[k] = v[pivot];
        v[pivot] = b;
        for (long i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            vec_axpy(n - k, -factor, A + k * n + k, A + i * n + k);
            v[i] -= factor * v[k];
        }
    }
    for (long i = n - 1; i >= 0; i--)
        v[i] = (v[i] - vec_dot(n - 1 - i, A + i * n + i + 1, v + i + 1)) / A[i * n + i];
    return true;
}

/* The search ends when the residual is below INSCRIBED_TOLERANCE, or after INSCRIBED_STEPS Newton steps. */
enum { INSCRIBED_STEPS = 100 };
#define INSCRIBED_TOLERANCE 1e-7

struct inscribed {
    struct halfspaces *P;
    double *c;                       /* [d] an interior point, then the centre */
    double *W,                       /* [m][d] A, scaled so that each row has slack 1 at the start */
           *V;                       /* [m][d] rows L^-1 w_i */
    double *M;                       /* [d][d] its lower triangle is L, L L' = W' Y W */
    double *Q, *G;                   /* [m][m] Q of the head, G of inscribed_system */
    double *T, *N;                   /* [d][m] T of inscribed_system; [d][d] T' W */
    double *y, *z, *h,               /* [m] as in the head */
           *gap;                     /* [m] 1 - W (c - start) */
    double *r2, *r3, *dy, *t;        /* [m] residuals r2, r3; change of y in a step, over y; scratch */
    double *r1, *dx, *move;          /* [d] residual r1; change of c in a step; c less the start */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void inscribed_reserve(struct inscribed *s, struct arena *w)
{
    long m = s->P->room, d = s->P->d;
    double **const of_m[] = { &s->y, &s->z, &s->h, &s->gap, &s->r2, &s->r3, &s->dy, &s->t };
    double **const of_d[] = { &s->c, &s->r1, &s->dx, &s->move };
    for (int k = 0; k < 8; k++)
        *of_m[k] = arena_vec(w, m);
    for (int k = 0; k < 4; k++)
        *of_d[k] = arena_vec(w, d);
    s->W = arena_vec(w, m * d);
    s->V = arena_vec(w, m * d);
    s->T = arena_vec(w, m * d);
    s->M = arena_vec(w, d * d);
    s->N = arena_vec(w, d * d);
    s->Q = arena_vec(w, m * m);
    s->G = arena_vec(w, m * m);
}

/* Computes the members M (its lower triangle is L afterwards), V, Q and h from y. Returns false if W' Y W is not
 * numerically positive definite, as where y is too small for doubles. */
static inline bool inscribed_shape(struct inscribed *s)
{
    long m = s->P->m, d = s->P->d;
    vec_zero(d * d, s->M);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < d; j++)
            vec_axpy(j + 1, s->y[i] * s->W[i * d + j], s->W + i * d, s->M + j * d);
    if (!matrix_factor(d, s->M))
        return false;
    vec_copy(m * d, s->W, s->V);
    for (long i = 0; i < m; i++) {
        matrix_forward(d, s->M, s->V + i * d);
        vec_gemv(i + 1, d, 1, s->V, s->V + i * d, 0, s->Q + i * m);
        s->h[i] = sqrt(s->Q[i * m + i]);
        for (long k = 0; k < i; k++)
            s->Q[k * m + i] = s->Q[i * m + k];
    }
    return true;
}

/* Scales y so that the first ellipsoid touches a row; z <- the remaining slack of each row, at least 0.1. */
static inline void inscribed_begin(struct inscribed *s)
{
    long m = s->P->m;
    double t = INFINITY;
    for (long i = 0; i < m; i++)
        t = fmin(t, s->gap[i] / s->h[i]);
    vec_scale(m, 1 / (t * t), s->y);
    vec_scale(m, t, s->h);
    vec_scale(m * m, t * t, s->Q);
    for (long i = 0; i < m; i++)
        s->z[i] = fmax(0.1, s->gap[i] - s->h[i]);
}

/* Computes the residuals of the equations of the head for a new mu: r1 of the second, r2 of the third, r3 of the
 * fourth. Returns the largest of the absolute values of their entries and the mean of the y_i z_i. */
static inline double inscribed_residuals(struct inscribed *s)
{
    long m = s->P->m, d = s->P->d;
    double gap = vec_dot(m, s->y, s->z) / (double)m, mu = fmax(fmin(0.5, gap) * gap, 1e-9), worst;
    for (long i = 0; i < m; i++) {
        s->t[i] = s->y[i] * s->h[i];
        s->r2[i] = s->gap[i] - s->h[i] - s->z[i];
        s->r3[i] = mu - s->y[i] * s->z[i];
    }
    vec_gemv_t(m, d, -1, s->W, s->t, 0, s->r1);
    worst = fmax(vec_norm_inf(d, s->r1), vec_norm_inf(m, s->r2));
    return fmax(fmax(worst, vec_norm_inf(m, s->r3)), gap);
}

/* v[m] <- G^-1 v, where s->G holds the factor of G. */
static inline void inscribed_solve(const struct inscribed *s, double *v)
{
    matrix_forward(s->P->m, s->G, v);
    matrix_backward(s->P->m, s->G, v);
}

/* Forms the linear system of a Newton step. G is the matrix with entries y_i y_k Q_ik^2, to whose diagonal 2 y_i
 * h_i z_i is added: s->T <- (2 Y H) G^-1 (H + Z) Y W - Y W, by columns; s->G <- the factor of G. Returns false if G
 * has none. */
static inline bool inscribed_system(struct inscribed *s)
{
    long m = s->P->m, d = s->P->d;
    for (long i = 0; i < m; i++) {
        for (long k = 0; k <= i; k++)
            s->G[i * m + k] = s->y[i] * s->y[k] * s->Q[i * m + k] * s->Q[i * m + k];
        s->G[i * m + i] += fmax(1e-12, 2 * s->y[i] * s->h[i] * s->z[i]);
    }
    if (!matrix_factor(m, s->G))
        return false;
    for (long j = 0; j < d; j++) {
        double *col = s->T + j * m;
        for (long i = 0; i < m; i++)
            col[i] = (s->h[i] + s->z[i]) * s->y[i] * s->W[i * d + j];
        inscribed_solve(s, col);
        for (long i = 0; i < m; i++)
            col[i] = 2 * s->y[i] * s->h[i] * col[i] - s->y[i] * s->W[i * d + j];
    }
    return true;
}

/* Solves the Newton step for dx, dy/y and t = W dx: (T' W) dx = r1 + T'(r2 - r3/y), G dy/y = 2 y h (W dx - r2 +
 * r3/y). Returns false if the system is singular. */
static inline bool inscribed_direction(struct inscribed *s)
{
    long m = s->P->m, d = s->P->d;
    for (long i = 0; i < m; i++)
        s->r2[i] -= s->r3[i] / s->y[i];
    for (long j = 0; j < d; j++) {
        vec_gemv_t(m, d, 1, s->W, s->T + j * m, 0, s->N + j * d);
        s->dx[j] = s->r1[j] + vec_dot(m, s->T + j * m, s->r2);
    }
    if (!matrix_eliminate(d, s->N, s->dx))
        return false;
    vec_gemv(m, d, 1, s->W, s->dx, 0, s->t);
    for (long i = 0; i < m; i++)
        s->dy[i] = 2 * s->y[i] * s->h[i] * (s->t[i] - s->r2[i]);
    inscribed_solve(s, s->dy);
    return true;
}

/* Moves along the direction by a part of the largest step for which gap, y and z stay positive. The part approaches
 * 1 as the residual falls. */
static inline void inscribed_step(struct inscribed *s, double residual)
{
    long m = s->P->m;
    double most = 0.5;
    for (long i = 0; i < m; i++) {
        s->r3[i] = s->r3[i] / s->y[i] - s->z[i] * s->dy[i];
        most = fmax(fmax(most, s->t[i] / s->gap[i]), fmax(-s->dy[i], -s->r3[i] / s->z[i]));
    }
    double step = fmax(0.75, 1 - residual) * fmin(1, 1 / most);
    vec_axpy(s->P->d, step, s->dx, s->move);
    for (long i = 0; i < m; i++) {
        s->gap[i] -= step * s->t[i];
        s->y[i] *= 1 + step * s->dy[i];
        s->z[i] += step * s->r3[i];
    }
}

/* c <- the centre of the largest ellipsoid, from an interior point c; P->slack and P->width <- slack and width of
 * each row of P at this centre. Returns false if the body is too thin for doubles; c is an interior point even
 * then. */
static inline bool inscribed_find(struct inscribed *s)
{
    long m = s->P->m, d = s->P->d;
    double residual = INFINITY;

    halfspaces_slack(s->P, s->c);
    for (long i = 0; i < m; i++) {
        if (!(s->P->slack[i] > 0))
            return false;
        vec_copy(d, s->P->A + i * d, s->W + i * d);
        vec_scale(d, 1 / s->P->slack[i], s->W + i * d);
    }
    vec_fill(m, 1, s->gap);
    vec_fill(m, 1, s->y);
    vec_zero(d, s->move);
    for (int k = 0; k < INSCRIBED_STEPS && inscribed_shape(s); k++) {
        if (k == 0)
            inscribed_begin(s);
        residual = inscribed_residuals(s);
        if (residual < INSCRIBED_TOLERANCE || !inscribed_system(s) || !inscribed_direction(s))
            break;
        inscribed_step(s, residual);
    }
    vec_axpy(d, 1, s->move, s->c);
    for (long i = 0; i < m; i++) {
        s->P->width[i] = s->h[i] * s->P->slack[i];
        s->P->slack[i] *= s->gap[i];
    }
    return residual < 1e-3;
}

/* Prepares the next search after a cut of P through c with normal g[d]: c <- the point half way from c to the point
 * of the ellipsoid that is farthest along -g. */
static inline void inscribed_enter(struct inscribed *s, const double *g)
{
    long d = s->P->d;
    vec_copy(d, g, s->dx);
    matrix_forward(d, s->M, s->dx);
    double far = vec_norm(d, s->dx);
    matrix_backward(d, s->M, s->dx);
    vec_axpy(d, -1 / (2 * far), s->dx, s->c);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gravity.h - the centre of gravity of the part of a ball that lies in given halfspaces, estimated by the mean of N
 * points. The points walk by hit-and-run (Bertsimas, Vempala, J. ACM 51 (2004)): a step chooses a direction with
 * the covariance of the N points, and moves to a uniform point of the chord. After a cut, points outside of the new
 * body become copies of points inside, and all points walk. A cut through the true centre leaves at most 1 - 1/e of
 * the volume (Gruenbaum 1960); a cut through the mean of enough random points leaves at most 2/3 in expectation. */
#ifndef ASSAY_PARTS_GRAVITY_H
#define ASSAY_PARTS_GRAVITY_H

#include "halfspaces.h"
#include "vec_rows.h"

/* Number of directions that are computed in one pass over the rows of the member e of struct gravity. */
enum { GRAVITY_GROUP = 8 };

struct gravity {
    struct halfspaces *P;
    struct rng *rng;
    long N, steps;                   /* N: number of points; steps: steps that each point makes after a cut */
    double R;                        /* radius of the ball around `start` */
    const double *start;             /* [d] the centre of the ball */
    double *c;                       /* [d], the mean */
    double *x,                       /* [N][d] the points */
           *e;                       /* [N][d] the points less their mean, before the walk */
    double *s;                       /* [N][room] A x for each point x, A the rows of P */
    double *u,                       /* [GRAVITY_GROUP][N] coefficients of directions in the rows of e */
           *w,                       /* [GRAVITY_GROUP][d] the directions */
           *step;                    /* [room] A w for one of them */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void gravity_reserve(struct gravity *s, struct arena *w)
{
    long d = s->P->d;
    s->c = arena_vec(w, d);
    s->x = arena_vec(w, s->N * d);
    s->e = arena_vec(w, s->N * d);
    s->s = arena_vec(w, s->N * s->P->room);
    s->u = arena_vec(w, GRAVITY_GROUP * s->N);
    s->w = arena_vec(w, GRAVITY_GROUP * d);
    s->step = arena_vec(w, s->P->room);
}

static inline void gravity_mean(struct gravity *s)
{
    vec_fill(s->N, 1 / (double)s->N, s->u);
    vec_gemv_t(s->N, s->P->d, 1, s->x, s->u, 0, s->c);
}

/* Begins with the whole ball as body. */
static inline void gravity_begin(struct gravity *s)
{
    long d = s->P->d;
    for (long k = 0; k < s->N; k++) {
        rng_ball(s->rng, d, s->x + k * d);
        vec_scale(d, s->R, s->x + k * d);
        vec_axpy(d, 1, s->start, s->x + k * d);
    }
    gravity_mean(s);
}

/* Replaces the points that the last row of P cuts off by copies of the other points. There are others, since the
 * mean lies on the cut. */
static inline void gravity_survive(struct gravity *s)
{
    long d = s->P->d, last = s->P->m - 1, alive = 0;
    const double *a = s->P->A + last * d;
    for (long k = 0; k < s->N; k++)
        if (vec_dot(d, a, s->x + k * d) <= s->P->b[last])
            vec_copy(d, s->x + k * d, s->x + alive++ * d);
    for (long k = alive; k < s->N && alive > 0; k++)
        vec_copy(d, s->x + (long)rng_below(s->rng, (uint64_t)alive) * d, s->x + k * d);
}

/* Returns the chord through point k along w[d] as *lo and *hi; s->step <- A w. */
static inline void gravity_chord(struct gravity *s, long k, const double *w, double *lo, double *hi)
{
    const struct halfspaces *P = s->P;
    const double *x = s->x + k * P->d, *at = s->s + k * P->room;
    double ww, wx, xx = 0;

    vec_gemv(P->m, P->d, 1, P->A, w, 0, s->step);
    ww = vec_dot(P->d, w, w);
    wx = vec_dot(P->d, w, x) - vec_dot(P->d, w, s->start);
    for (long j = 0; j < P->d; j++)
        xx += (x[j] - s->start[j]) * (x[j] - s->start[j]);
    double root = sqrt(fmax(0, wx * wx - ww * (xx - s->R * s->R)));
    double low = (-wx - root) / ww, high = (-wx + root) / ww;
    for (long i = 0; i < P->m; i++) {
        double t = (P->b[i] - at[i]) / s->step[i];
        high = s->step[i] > 0 && t < high ? t : high;
        low = s->step[i] < 0 && t > low ? t : low;
    }
    *lo = low;
    *hi = high;
}

/* Moves the points k, ..., k + n - 1, n <= GRAVITY_GROUP, each to a uniform point of a chord whose direction has
 * the covariance of the points. */
static inline void gravity_step(struct gravity *s, long k, long n)
{
    const struct halfspaces *P = s->P;
    double share[GRAVITY_GROUP], lo, hi;

    for (long i = 0; i < n; i++) {
        rng_normals(s->rng, s->N, 1, s->u + i * s->N);
        share[i] = rng_uniform(s->rng);
    }
    vec_combine_rows(n, s->N, P->d, s->e, s->u, s->w);
    for (long i = 0; i < n; i++) {
        const double *w = s->w + i * P->d;
        gravity_chord(s, k + i, w, &lo, &hi);
        /* The chord is empty if the point is on the boundary up to rounding, or all points coincide. */
        if (!(hi > lo))
            continue;
        double by = lo + (hi - lo) * share[i];
        vec_axpy(P->d, by, w, s->x + (k + i) * P->d);
        vec_axpy(P->m, by, s->step, s->s + (k + i) * P->room);
    }
}

/* P->slack <- the slack of each row of P at the mean of the points; P->width <- two standard deviations of the
 * points along each row. */
static inline void gravity_widths(struct gravity *s)
{
    struct halfspaces *P = s->P;
    halfspaces_slack(P, s->c);
    vec_zero(P->m, P->width);
    for (long k = 0; k < s->N; k++)
        for (long i = 0; i < P->m; i++) {
            double e = P->b[i] - s->s[k * P->room + i] - P->slack[i];
            P->width[i] += e * e;
        }
    for (long i = 0; i < P->m; i++)
        P->width[i] = 2 * sqrt(P->width[i] / (double)s->N);
}

static inline void gravity_centred(struct gravity *s)
{
    gravity_mean(s);
    for (long k = 0; k < s->N; k++)
        vec_sub(s->P->d, s->x + k * s->P->d, s->c, s->e + k * s->P->d);
}

/* Call it after a cut of P through c. Moves the points to a sample of the remaining body; c <- the mean of the
 * points. A convex body extends at most sqrt(d(d+2)) standard deviations from its centre (Milman, Pajor 1989); rows
 * that are farther from the mean than twice this bound, computed with the standard deviation of the points, are
 * dropped. */
static inline void gravity_walk(struct gravity *s)
{
    struct halfspaces *P = s->P;
    double n = (double)P->d;

    gravity_survive(s);
    gravity_centred(s);
    for (long k = 0; k < s->N; k++)
        vec_gemv(P->m, P->d, 1, P->A, s->x + k * P->d, 0, s->s + k * P->room);
    for (long t = 0; t < s->steps; t++)
        for (long k = 0; k < s->N; k += GRAVITY_GROUP)
            gravity_step(s, k, s->N - k < GRAVITY_GROUP ? s->N - k : GRAVITY_GROUP);
    gravity_mean(s);
    gravity_widths(s);
    halfspaces_prune(P, sqrt(n * (n + 2)));
}

#endif

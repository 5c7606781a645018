/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_point.h - gradients of the smoothed loss f_delta(x) = E f(x + delta v), v uniform in the unit ball, from
 * values at two points (Zhang, Tran & Cutkosky 2024, Algorithms 1 and 2), for b samples z_i and m directions for
 * each sample. u is uniform on the unit sphere, drawn anew for every sample and direction:
 *
 *     GRAD(x)    = (1/b) sum_i (d/m) sum_{j<=m} (f(x + delta u; z_i) - f(x - delta u; z_i))/(2 delta) u
 *     DIFF(x, y) = (1/b) sum_i (d/m) sum_{j<=m} (f(x + delta u; z_i) - f(y + delta u; z_i))/delta u
 *
 * With F the mean of f over the law of z, E GRAD = grad F_delta(x) and E DIFF = grad F_delta(x) - grad F_delta(y)
 * (Lemmas 3.1, 3.2); the paper has m = d. Replacing one sample moves GRAD by at most 2 d L/b and DIFF by at most
 * 2 d L |x - y|/(b delta), for every m. This rests on |f(x) - f(y)| <= L |x - y|, which a clamp on differences of
 * values enforces for any data, infinite values included. Far from the origin, rounding may put x and y farther
 * apart than the method intends; DIFF is therefore clamped for the distance moved * delta for which the noise is
 * booked. */
#ifndef ASSAY_PARTS_TWO_POINT_H
#define ASSAY_PARTS_TWO_POINT_H

#include "algo.h"

struct two_point {
    double delta,                    /* smoothing radius */
           L;                        /* the Lipschitz constant to which differences of values are clamped; infinite:
                                        no clamp */
    long directions;                 /* m */
    bool symmetric;                  /* DIFF from four values, which has no variance over u where f is linear */
    double moved;                    /* bound on |x - y|/delta that the noise of DIFF is computed for; 0: none */
};

static inline bool two_point_probe(struct oracle *o, const struct two_point *p, struct probe *q)
{
    long d = oracle_dim(o);
    q->directions = (int)p->directions;
    if (!oracle_probe(o, q))
        return false;
    if (p->directions != d)
        vec_scale(d, (double)d / (double)p->directions, q->g);
    return true;
}

/* g[d] <- GRAD, from 2 b m values in one round. Returns false if the budget is spent. */
static inline bool two_point_grad(struct oracle *o, const struct two_point *p,
                                  const struct ticket *z, const double *x, double *g)
{
    double c = 1 / (2 * p->delta);
    return two_point_probe(o, p, &(struct probe){
        .ticket = z, .points = 2, .x = (const double *[]){ x, x }, .a = (double[]){ c, -c },
        .r = (double[]){ p->delta, -p->delta }, .clamp = p->L, .g = g });
}

/* g[d] <- DIFF, from 2 b m values in one round; if p->symmetric, the mean of DIFF for u and of DIFF for -u,
 * from 4 b m values. Returns false if the budget is spent. */
static inline bool two_point_diff(struct oracle *o, const struct two_point *p,
                                  const struct ticket *z, const double *x, const double *y,
                                  double *g)
{
    double r = p->delta, c = 1 / (p->symmetric ? 2 * r : r);
    double apart = vec_dist(oracle_dim(o), x, y) / r;
    double most = p->L * (p->moved > 0 ? fmin(apart, p->moved) : apart);
    return two_point_probe(o, p, &(struct probe){
        .ticket = z, .points = p->symmetric ? 4 : 2, .x = (const double *[]){ x, y, x, y },
        .a = (double[]){ c, -c, -c, c }, .r = (double[]){ r, r, -r, -r }, .clamp = most, .g = g });
}

/* Returns, for estimates of cost, the number of gradients that take as long as `rounds` rounds of differences along
 * `directions` directions in total. A gradient is taken to cost 100 ns + 5 ns a coordinate. In measurements a
 * direction took 10 ns + 2 ns a coordinate, and a round whose point is collected for a certificate (oracle_visit)
 * 700 ns. */
static inline double two_point_work(double d, double directions, double rounds)
{
    return (directions * (10 + 2 * d) + rounds * 700) / (100 + 5 * d);
}

static inline double two_point_grad_sensitivity(double d, double L, double b)
{
    return 2 * d * L / b;
}

/* Returns the sensitivity of DIFF at two points at distance `moved`. */
static inline double two_point_diff_sensitivity(double d, double L, double b, double delta,
                                                double moved)
{
    return 2 * d * L / b * (moved / delta);
}

#endif

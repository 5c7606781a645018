/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_balls.h - projection on the intersection of a ball of radius R around 0 and a ball of radius r around y.
 * The projection on one ball is the answer if it lies in the other; else the answer is on the sphere in which
 * the two surfaces meet. */
#ifndef ASSAY_PARTS_TWO_BALLS_H
#define ASSAY_PARTS_TWO_BALLS_H

#include <math.h>
#include "vec.h"

/* x[d] <- the projection of x on the intersection. keep[d] is scratch. R may be infinite. */
static inline void two_balls_project(long d, double R, double r, const double *y, double *keep,
                                     double *x)
{
    vec_copy(d, x, keep);
    vec_project_ball(d, y, r, x);
    if (vec_norm(d, x) <= R)
        return;
    vec_copy(d, keep, x);
    vec_project_ball(d, NULL, R, x);
    double far = vec_norm(d, y);
    if (vec_dist(d, x, y) <= r || far == 0)
        return;
    /* The answer is t u + h w with u = y/|y|, and w the direction of the part of x orthogonal to u. */
    double t = (far * far + R * R - r * r) / (2 * far), along = vec_dot(d, x, y) / far;
    vec_axpy(d, -along / far, y, x);
    double across = vec_norm(d, x), h = sqrt(fmax(0, R * R - t * t));
    vec_axpby(d, t / far, y, across > 0 ? h / across : 0, x);
}

#endif

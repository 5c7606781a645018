/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_balls.h - projection on what a ball of radius R around 0 and one of radius r around a
 * point y of it have in common: by one of them alone where that lands in the other, else on the
 * sphere in which theirs meet. */
#ifndef ASSAY_PARTS_TWO_BALLS_H
#define ASSAY_PARTS_TWO_BALLS_H

#include <math.h>
#include "vec.h"

/* keep[d] is scratch. R may be infinite. */
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
    /* x = t u + h w, u = y/|y|, w the direction of x across it. */
    double t = (far * far + R * R - r * r) / (2 * far), along = vec_dot(d, x, y) / far;
    vec_axpy(d, -along / far, y, x);
    double across = vec_norm(d, x), h = sqrt(fmax(0, R * R - t * t));
    vec_axpby(d, t / far, y, across > 0 ? h / across : 0, x);
}

#endif

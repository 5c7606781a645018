/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planted.h - a known minimiser in the centred ball. A struct planted is the first member of an instance, so that
 * the functions of this file can be slots of the family. */
#ifndef ASSAY_PARTS_PLANTED_H
#define ASSAY_PARTS_PLANTED_H

#include <stdbool.h>
#include <stddef.h>

#include "ball.h"
#include "problem.h"
#include "vec.h"

struct planted {
    long d;
    double radius;                   /* radius of the feasible ball; infinite: R^d */
    double *x_star;                  /* [d] */
};

static inline void planted_project(const void *self, double *x)
{
    const struct planted *o = self;
    vec_project_ball(o->d, NULL, o->radius, x);
}

/* The slot linear_min, for a ball of finite radius. */
static inline void planted_linear_min(const void *self, const double *g, double *x)
{
    const struct planted *o = self;
    ball_linear_min(o->d, o->radius, g, x);
}

static inline bool planted_minimiser(const void *self, double *x)
{
    const struct planted *o = self;
    vec_copy(o->d, o->x_star, x);
    return true;
}

/* The measure `distance`: returns |x - x*|, which is exact. */
static inline double planted_distance(const void *self, const double *x, double *error)
{
    const struct planted *o = self;
    *error = 0;
    return vec_dist(o->d, x, o->x_star);
}

/* The smooth part of a composite objective whose other part is F: returns 0. */
static inline double planted_nothing(const void *self, const double *x) { return 0; }

static inline void planted_no_grad(const void *self, const double *x, double *g)
{
    vec_zero(((const struct planted *)self)->d, g);
}

static const struct set planted_sets[] = {
    { "ball", "|x| <= radius; infinite: R^d", planted_project }, { 0 }
};

/* Slots of a family over the ball. `make`, `value` and `measures` are functions and tables that the family
 * defines. */
#define PLANTED_SLOTS                                                                            \
    .make = make, .value = value, .sets = planted_sets, .linear_min = planted_linear_min,        \
    .measures = measures, .minimiser = planted_minimiser

#endif

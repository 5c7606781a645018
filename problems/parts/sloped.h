/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sloped.h - the two parts of a function of sloped.c: A phi(|P x|) and B s c(<v,x>). */
#ifndef ASSAY_PARTS_SLOPED_H
#define ASSAY_PARTS_SLOPED_H

#include <math.h>

#include "certificates.h"
#include "radial.h"
#include "smoothed_norm.h"

enum shape { SLOPE, CONE, BOWL, VALLEY };

struct self {
    struct certificates c;
    enum shape shape;
    long d;
    double A, B, e0, R, L, inner;    /* inner: of Huber's function, 0: the norm */
    double *v, *x0;
    bool turned;                     /* v is not e_1 */
    struct rng sign;
    struct quadrature rule;
    struct smoothed_norm across;     /* of |P x| */
};

/* z = <v,x>; returns |P x|. */
static inline double split(const struct self *o, const double *x, double *z)
{
    double square = 0;
    *z = o->turned ? vec_dot(o->d, o->v, x) : x[0];
    if (o->shape == SLOPE)
        return 0;
    for (long j = 0; j < o->d; j++) {
        double y = o->shape == VALLEY ? x[j] - *z * o->v[j] : x[j];
        square += y * y;
    }
    return sqrt(square);
}

static inline bool clips(const struct self *o) { return o->shape == SLOPE || o->shape == VALLEY; }
static inline double clip(const struct self *o, double z)
{
    return !clips(o) ? z : z > o->R ? o->R : z < -o->R ? -o->R : z;       /* libm would be called */
}
static inline double clip_slope(const struct self *o, double z) { return !clips(o) || fabs(z) < o->R; }

/* g += a grad( A phi(|P x|) ) slope/phi' + b v */
static inline void add_parts(const struct self *o, const double *x, double q, double z, double across,
                      double b, double *g)
{
    double share = q > 0 ? across / q : 0;
    double along = b - (o->shape == VALLEY ? share * z : 0);
    if (o->turned)
        vec_axpy(o->d, along, o->v, g);
    else
        g[0] += along;
    if (share != 0)
        vec_axpy(o->d, share, x, g);
}

/* Index -1 and -2 are + and -. */
static inline double sign_of(const struct self *o, long i)
{
    if (i < 0)
        return i == -1 ? 1 : -1;
    struct rng r = rng_at(&o->sign, (uint64_t)i);
    return rng_uniform(&r) * 2 < 1 + o->e0 / o->B ? 1 : -1;
}

#endif

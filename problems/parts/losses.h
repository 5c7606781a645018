/* SPDX-License-Identifier: GPL-3.0-or-later */
/* losses.h - losses l(z, y) of a score z = <a,x> and a label y, for linear models on stored or drawn rows.
 * Some losses have a shape parameter h > 0. */
#ifndef ASSAY_PARTS_LOSSES_H
#define ASSAY_PARTS_LOSSES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "vmath.h"

struct loss {
    const char *name, *doc;
    bool signs;                      /* true: y is -1 or +1; false: y is any number */
    bool shaped;                     /* the loss depends on h */
    double (*value)(double h, double z, double y);
    double (*slope)(double h, double z, double y);      /* dl/dz; at a kink a subgradient */
    /* z[k] <- l(z[k], y[k]) for m scores at once, equal to `value` up to 4 ulp; and dl/dz, equal to `slope`. */
    void (*values)(double h, long m, const double *y, double *z);
    void (*slopes)(double h, long m, const double *y, double *z);
    /* sup_z (alpha z - l(z, y)), which may be +infinity; NULL: the loss is not convex. */
    double (*conjugate)(double h, double alpha, double y);
    /* Suprema over z of |dl/dz|, d2l/dz2 and -d2l/dz2; infinite if the derivative is unbounded or has a jump. weak
     * is 0 for convex losses. */
    double (*lipschitz)(double h), (*smooth)(double h), (*weak)(double h);
    /* argmin_z l(z, y) + (z - c)^2/(2t), t > 0; NULL: the loss is not convex. */
    double (*prox)(double h, double t, double c, double y);
};

/* Returns 1/(1 + e^-z), without overflow. */
static inline double loss_logit(double z)
{
    double e = exp(-fabs(z));
    return (z >= 0 ? 1 : e) / (1 + e);
}

static inline double loss_zero(double h) { return 0; }
static inline double loss_one(double h) { return 1; }
static inline double loss_quarter(double h) { return 0.25; }
static inline double loss_h(double h) { return h; }
static inline double loss_infinite(double h) { return INFINITY; }
/* Returns sup |s''| of the logistic function s, attained at s = (3 - sqrt 3)/6. */
static inline double loss_sigmoid_second(double h) { return 0.09622504486493763; }

static inline double loss_squares(double h, double z, double y) { return (z - y) * (z - y) / 2; }
static inline double loss_squares_slope(double h, double z, double y) { return z - y; }
static inline double loss_squares_conjugate(double h, double alpha, double y)
{
    return alpha * y + alpha * alpha / 2;
}

static inline double loss_squares_prox(double h, double t, double c, double y)
{
    return (c + t * y) / (1 + t);
}

static inline double loss_absolute(double h, double z, double y) { return fabs(z - y); }
static inline double loss_absolute_slope(double h, double z, double y)
{
    return z > y ? 1 : z < y ? -1 : z - y;           /* 0, or NaN */
}
static inline double loss_absolute_conjugate(double h, double alpha, double y)
{
    return fabs(alpha) <= 1 ? alpha * y : INFINITY;
}

static inline double loss_absolute_prox(double h, double t, double c, double y)
{
    return c > y + t ? c - t : c < y - t ? c + t : y;
}

static inline double loss_huber(double h, double z, double y)
{
    double u = fabs(z - y);
    return u <= h ? u * u / 2 : h * (u - h / 2);
}
static inline double loss_huber_slope(double h, double z, double y)
{
    double u = z - y;
    return u > h ? h : u < -h ? -h : u;
}
static inline double loss_huber_conjugate(double h, double alpha, double y)
{
    return fabs(alpha) <= h ? alpha * y + alpha * alpha / 2 : INFINITY;
}

static inline double loss_huber_prox(double h, double t, double c, double y)
{
    double u = c - y, far = h * (1 + t);
    return u > far ? c - t * h : u < -far ? c + t * h : y + u / (1 + t);
}

static inline double loss_logistic(double h, double z, double y)
{
    double u = -y * z;
    return fmax(u, 0) + log1p(exp(-fabs(u)));
}
static inline double loss_logistic_slope(double h, double z, double y)
{
    return -y * loss_logit(-y * z);
}
static inline double loss_logistic_conjugate(double h, double alpha, double y)
{
    double b = -y * alpha;
    if (!(b >= 0 && b <= 1))
        return INFINITY;
    return (b > 0 ? b * log(b) : 0) + (b < 1 ? (1 - b) * log1p(-b) : 0);
}

/* Returns the z with z = c - t l'(z), by Newton's method between two ends; the interval is halved instead where a
 * step leaves it or gains little. */
static inline double loss_logistic_prox(double h, double t, double c, double y)
{
    enum { STEPS = 100 };
    double lo = y > 0 ? c : c - t, hi = y > 0 ? c + t : c, z = lo + (hi - lo) / 2;
    double before = INFINITY;
    for (int k = 0; k < STEPS; k++) {
        double s = loss_logit(-y * z), f = z - c - t * y * s;
        if (f > 0)
            hi = z;
        else
            lo = z;
        double next = z - f / (1 + t * s * loss_logit(y * z));
        if (!(next > lo && next < hi && fabs(f) <= before / 2))
            next = lo + (hi - lo) / 2;
        before = fabs(f);
        if (fabs(next - z) <= 1e-16 * fabs(z))
            break;
        z = next;
    }
    return z;
}

/* Returns max(0, 1 - y z). For a NaN the comparison is false, so that the result is NaN. */
static inline double loss_hinge(double h, double z, double y)
{
    double u = 1 - y * z;
    return u < 0 ? 0 : u;
}
static inline double loss_hinge_slope(double h, double z, double y)
{
    double u = y * z;
    return u < 1 ? -y : u >= 1 ? 0 : u;
}
static inline double loss_hinge_conjugate(double h, double alpha, double y)
{
    double b = -y * alpha;
    return b >= 0 && b <= 1 ? -b : INFINITY;
}

static inline double loss_hinge_prox(double h, double t, double c, double y)
{
    double u = y * c;
    return u >= 1 ? c : u <= 1 - t ? c + t * y : y;
}

static inline double loss_sigmoid(double h, double z, double y) { return loss_logit(-y * z); }
static inline double loss_sigmoid_slope(double h, double z, double y)
{
    return -y * loss_logit(y * z) * loss_logit(-y * z);
}

/* Returns min(|z - y|, h). A NaN stays NaN, so that a diverged score does not look like an outlier. */
static inline double loss_capped(double h, double z, double y)
{
    double u = fabs(z - y);
    return u > h ? h : u;
}
static inline double loss_capped_slope(double h, double z, double y)
{
    double u = z - y;
    return fabs(u) >= h ? 0 : u > 0 ? 1 : u < 0 ? -1 : u;
}

/* --- values and slopes at arrays of scores */

#define LOSS_ARRAYS(name)                                                                         \
    static inline void loss_##name##_values(double h, long m, const double *y, double *z)          \
    {                                                                                             \
        for (long k = 0; k < m; k++)                                                              \
            z[k] = loss_##name(h, z[k], y[k]);                                                    \
    }                                                                                             \
    static inline void loss_##name##_slopes(double h, long m, const double *y, double *z)          \
    {                                                                                             \
        for (long k = 0; k < m; k++)                                                              \
            z[k] = loss_##name##_slope(h, z[k], y[k]);                                            \
    }

LOSS_ARRAYS(squares)
LOSS_ARRAYS(absolute)
LOSS_ARRAYS(huber)
LOSS_ARRAYS(hinge)
LOSS_ARRAYS(capped)

/* z[k] <- -y_k z_k for k < m. */
static inline void loss_turn(long m, const double *y, double *z)
{
    for (long k = 0; k < m; k++)
        z[k] *= -y[k];
}

static inline void loss_logistic_values(double h, long m, const double *y, double *z)
{
    loss_turn(m, y, z);
    vmath_log1pexp(m, z, z);
}

static inline void loss_logistic_slopes(double h, long m, const double *y, double *z)
{
    vmath_turned_logistic(m, y, z);
}

static inline void loss_sigmoid_values(double h, long m, const double *y, double *z)
{
    loss_turn(m, y, z);
    vmath_logistic(m, z, z);
}

static inline void loss_sigmoid_slopes(double h, long m, const double *y, double *z)
{
    vmath_turned_logistic_slope(m, y, z);
}

#define LOSS_FUNCTIONS(name) \
    loss_##name, loss_##name##_slope, loss_##name##_values, loss_##name##_slopes

static const struct loss losses[] = {
    { "squares", "(z - y)^2/2", false, false, LOSS_FUNCTIONS(squares),
      loss_squares_conjugate, loss_infinite, loss_one, loss_zero, loss_squares_prox },
    { "absolute", "|z - y|", false, false, LOSS_FUNCTIONS(absolute),
      loss_absolute_conjugate, loss_one, loss_infinite, loss_zero, loss_absolute_prox },
    { "huber", "(z - y)^2/2 up to h, then h(|z - y| - h/2)", false, true, LOSS_FUNCTIONS(huber),
      loss_huber_conjugate, loss_h, loss_one, loss_zero, loss_huber_prox },
    { "logistic", "log(1 + e^(-yz))", true, false, LOSS_FUNCTIONS(logistic),
      loss_logistic_conjugate, loss_one, loss_quarter, loss_zero, loss_logistic_prox },
    { "hinge", "max(0, 1 - yz)", true, false, LOSS_FUNCTIONS(hinge), loss_hinge_conjugate,
      loss_one, loss_infinite, loss_zero, loss_hinge_prox },
    { "sigmoid", "1/(1 + e^(yz))", true, false, LOSS_FUNCTIONS(sigmoid), NULL,
      loss_quarter, loss_sigmoid_second, loss_sigmoid_second, NULL },
    { "capped", "min(|z - y|, h)", false, true, LOSS_FUNCTIONS(capped), NULL, loss_one,
      loss_infinite, loss_infinite, NULL },
};

enum { LOSSES = sizeof losses / sizeof *losses };

/* z[m] <- the losses at the scores z of a sample with label y. */
static inline void loss_of_sample(const struct loss *l, double h, double y, long m, double *z)
{
    enum { AT_ONCE = 64 };
    double label[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++)
        label[k] = y;
    for (long from = 0; from < m; from += AT_ONCE)
        l->values(h, m - from < AT_ONCE ? m - from : AT_ONCE, label, z + from);
}

/* Returns the loss of this name, or NULL. */
static inline const struct loss *loss_find(const char *name)
{
    for (int k = 0; k < LOSSES; k++)
        if (strcmp(losses[k].name, name) == 0)
            return &losses[k];
    return NULL;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm_population.h - the population objective of a linear model whose design a is rotation invariant up to its
 * covariance Sigma. Let <x,y> = x'Sigma y, and |x| the norm of this product. A score a'x has the law of |x| T, T a
 * coordinate of a rotation-invariant vector. T+ has the law that Stein's identity pairs with that of T, E T g(T) =
 * E T^2 E g'(T+) (score_law.h). By this identity every gradient has the form
 *
 *     grad F(x) = Sigma (c_e (x - w) + c_w w),
 *
 * where c_e and c_w are functions of |x|, |x - w| and the distance of x from the axis of w. Each is a closed form
 * or an integral in one variable:
 *
 *     y = <a,w> + noise:  c_e = E T l_w'(|x - w| T)/|x - w|, l_w(u) = E l(u, noise);   c_w = 0
 *     logistic:           c_e = m(|x|), c_w = m(|x|) - m(|w|), m(r) = E T^2 E s'(r T+), s logistic
 *     hinge:              below
 *
 * F(x) - F* is the integral of (grad F)'(x - x*) along the segment from x* to x. No difference of values is taken,
 * so that the rounding error near x* is that of a gradient, times |x - x*|. */
#ifndef ASSAY_PARTS_GLM_POPULATION_H
#define ASSAY_PARTS_GLM_POPULATION_H

#include <stdbool.h>
#include <string.h>
#include <math.h>
#include "losses.h"
#include "rng.h"
#include "score_law.h"
#include "vec.h"

/* --- symmetric noise xi of a label, s times a fixed law; s = 0: no noise. All members below but `draw` are for s =
 * 1. */

struct noise_law {
    const char *name;
    /* w[m] <- noise, drawn from the substreams first, ..., first+m-1 of *base, at the position of *base. */
    void (*draw)(const struct rng *base, uint64_t first, long m, double s, double *w);
    double (*centred)(double u);     /* P(|xi| < u), u >= 0 */
    double (*away)(double u);        /* E|u - xi| - E|xi|, u >= 0 */
    double (*density)(double u);     /* density of xi at u >= 0; it does not increase with u */
    double variance;
    double reach;                    /* P(|xi| > reach) is 0 or less than rounding */
    double edge;                     /* the u > 0 at which the density is not analytic; 0: there is none */
    bool bounded;
};

static inline void noise_uniform_draw(const struct rng *base, uint64_t first, long m, double s,
                                      double *w)
{
    rng_uniforms_rows(base, first, m, 1, w);
    for (long k = 0; k < m; k++)
        w[k] = s * (2 * w[k] - 1);
}
static inline double noise_uniform_centred(double u) { return fmin(u, 1); }
static inline double noise_uniform_away(double u) { return u < 1 ? u * u / 2 : u - 0.5; }
static inline double noise_uniform_density(double u) { return u < 1 ? 0.5 : 0; }

static inline void noise_gaussian_draw(const struct rng *base, uint64_t first, long m, double s,
                                       double *w)
{
    rng_normals_rows(base, first, m, 1, 1, w);
    for (long k = 0; k < m; k++)
        w[k] *= s;
}
static inline double noise_gaussian_centred(double u) { return erf(u * M_SQRT1_2); }
static inline double noise_gaussian_away(double u)
{
    return u * erf(u * M_SQRT1_2) + sqrt(2 / M_PI) * expm1(-u * u / 2);
}
static inline double noise_gaussian_density(double u) { return exp(-u * u / 2) / sqrt(2 * M_PI); }

static inline void noise_laplace_draw(const struct rng *base, uint64_t first, long m, double s,
                                      double *w)
{
    rng_laplaces_rows(base, first, m, 1, s, w);
}
static inline double noise_laplace_centred(double u) { return -expm1(-u); }
/* Returns u + e^-u - 1, by the series for small u, where the terms cancel. */
static inline double noise_laplace_away(double u)
{
    enum { TERMS = 16 };
    if (u > 0.5)
        return u + expm1(-u);
    double sum = 0, term = 1;
    for (int k = 1; k <= TERMS; k++) {
        term *= -u / k;
        sum += k > 1 ? term : 0;
    }
    return sum;
}
static inline double noise_laplace_density(double u) { return exp(-u) / 2; }

static const struct noise_law noise_laws[] = {
    { "uniform", noise_uniform_draw, noise_uniform_centred, noise_uniform_away,
      noise_uniform_density, 1.0 / 3, 1, 1, true },
    { "gaussian", noise_gaussian_draw, noise_gaussian_centred, noise_gaussian_away,
      noise_gaussian_density, 1, 10, 0, false },
    { "laplace", noise_laplace_draw, noise_laplace_centred, noise_laplace_away,
      noise_laplace_density, 2, 45, 0, false },
};

/* Returns the noise law of this name, or NULL. */
static inline const struct noise_law *noise_law_find(const char *name)
{
    for (size_t k = 0; k < sizeof noise_laws / sizeof *noise_laws; k++)
        if (strcmp(noise_laws[k].name, name) == 0)
            return &noise_laws[k];
    return NULL;
}

/* Returns P(xi < u) - P(xi > u), which is odd in u. */
static inline double noise_centred(const struct noise_law *w, double s, double u)
{
    if (s == 0)
        return (u > 0) - (u < 0);
    return copysign(w->centred(fabs(u) / s), u);
}

/* Returns E|u - xi| - E|xi|, without cancellation near u = 0. */
static inline double noise_away(const struct noise_law *w, double s, double u)
{
    return s == 0 ? fabs(u) : s * w->away(fabs(u) / s);
}

/* Returns the density of the noise at u; s > 0. */
static inline double noise_density(const struct noise_law *w, double s, double u)
{
    return w->density(fabs(u) / s) / s;
}

enum { GLM_EDGES = 2 };

/* A point x, described by x = |x|, e = |x - w|, and the components of x along w and across w. */
struct glm_point { double x, e, along, across; };

struct glm_population {
    long d;
    const struct loss *loss;
    const struct noise_law *noise;
    double h,                        /* shape parameter of the loss */
           s,                        /* scale of the noise */
           flip;                     /* hinge: P(y = -sign a'w) */
    const double *lam;               /* [d] Sigma = diag(lam) */
    double *w,                       /* [d] the model; |w| = 1 for the hinge */
           *star;                    /* [d] x* */
    double *origin;                  /* [d] zeros */
    double length;                   /* |w| */
    double f_star;
    struct quadrature q;
    struct score_law law, plus;      /* the laws of T and of T+ */
    /* *c_e, *c_w <- the coefficients of the head at a point. */
    void (*coefficients)(const struct glm_population *o, const struct glm_point *at, double *c_e,
                         double *c_w);
    double feature;                  /* width in the score over which the population loss changes; 0: a kink */
    double edge[GLM_EDGES];          /* scores at which the population loss is not analytic, or nearly so */
    int edges;
};

static inline double glm_product(const struct glm_population *o, const double *x, const double *y)
{
    double sum = 0;
    for (long j = 0; j < o->d; j++)
        sum += o->lam[j] * x[j] * y[j];
    return sum;
}

/* --- labels <a,w> + noise */

static inline void glm_squares(const struct glm_population *o, const struct glm_point *at,
                               double *c_e, double *c_w)
{
    *c_e = score_square(&o->law);
    *c_w = 0;
}

/* Returns the argument `width` of score_mean for this loss: `feature`, or infinity where there is no noise. The
 * loss then has kinks at the scores `edge` only, which score_mean takes as another argument. */
static inline double glm_width(const struct glm_population *o)
{
    return o->feature > 0 ? o->feature : INFINITY;
}

/* Returns u (P(noise < u) - P(noise > u)). */
static inline double glm_absolute_at(const void *self, double u)
{
    const struct glm_population *o = self;
    return u * noise_centred(o->noise, o->s, u);
}

/* *c_e, *c_w <- the coefficients of the absolute loss. At x = w the coefficient c_e is multiplied by 0, so that any
 * finite value serves. */
static inline void glm_absolute(const struct glm_population *o, const struct glm_point *at,
                                double *c_e, double *c_w)
{
    *c_e = at->e > 0 ? score_mean(&o->law, glm_absolute_at, o, at->e, glm_width(o), o->edges,
                                  o->edge) / (at->e * at->e) : 0;
    *c_w = 0;
}

static inline double glm_away_at(const void *self, double u)
{
    const struct glm_population *o = self;
    return noise_away(o->noise, o->s, u);
}

/* Returns P(|u - noise| < h). */
static inline double glm_huber_at(const void *self, double u)
{
    const struct glm_population *o = self;
    return (noise_centred(o->noise, o->s, u + o->h) + noise_centred(o->noise, o->s, o->h - u)) / 2;
}

static inline void glm_huber(const struct glm_population *o, const struct glm_point *at,
                             double *c_e, double *c_w)
{
    *c_e = score_square(&o->law) * score_mean(&o->plus, glm_huber_at, o, at->e, o->feature,
                                              o->edges, o->edge);
    *c_w = 0;
}

/* --- logistic */

static inline double glm_logistic_at(const void *self, double u)
{
    return loss_logit(u) * loss_logit(-u);
}

static inline double glm_logistic_m(const struct glm_population *o, double r)
{
    return score_square(&o->law) * score_mean(&o->plus, glm_logistic_at, o, r, 1, 0, NULL);
}

static inline void glm_logistic(const struct glm_population *o, const struct glm_point *at,
                                double *c_e, double *c_w)
{
    *c_e = glm_logistic_m(o, at->x);
    *c_w = *c_e - glm_logistic_m(o, o->length);
}

/* --- hinge, y = sign a'w except for flips, |w| = 1. With u = a'x, v = a'w, p = 1 - 2 flip, f_u and f_v densities,
 *
 *     grad F = -E a 1{u < 1} (1 + p sign v)
 *            = E T^2 Sigma { x f_u(1) (1 + p E[sign v | u = 1]) - w 2p f_v(0) P(u < 1 | v = 0) },
 *
 * where the right side is under the law of T+. Given one coordinate of a vector with this law, the other
 * coordinates have the law in one dimension less, scaled by `rest`. */

static inline void glm_hinge(const struct glm_population *o, const struct glm_point *at,
                             double *c_e, double *c_w)
{
    const struct score_law *l = &o->plus, less = { .q = l->q, .D = l->D - 1 };
    double p = 1 - 2 * o->flip, k = 1 / at->x, c_x = 0;
    double below = 0.5 + score_centred(&less, 1 / at->across) / 2;
    if (at->x > 0 && (k <= 1 || score_normal(l))) {
        double rest = score_normal(l) ? 1 : sqrt(1 - k * k);
        double sign = score_centred(&less, at->along * k / (at->across * rest));
        c_x = score_density(l, k) * k * (1 + p * sign);
    }
    *c_e = score_square(&o->law) * c_x;
    *c_w = *c_e - score_square(&o->law) * 2 * p * score_density(l, 0) * below;
}

/* Returns r = |x*| over R^d; infinite if flip = 0. x* is on the axis of w, where grad F = 0 reads
 * E[|T|; |T| > 1/r] = (1 - 2 flip)/(1 - flip) E|T|, with both sides in closed form. */
static inline double glm_hinge_length(const struct glm_population *o)
{
    double m = (1 - 2 * o->flip) / (1 - o->flip);
    if (score_normal(&o->law))
        return m < 1 ? 1 / sqrt(-2 * log(m)) : INFINITY;
    return 1 / sqrt(1 - pow(m, 2 / (o->law.D - 1)));
}

/* --- the segment from x* */

/* Products of the points p = x*, e = x - x*, q = x* - w and of w. They are those of the covariance, <a,b> = sum_j
 * lam_j a_j b_j. */
struct glm_path {
    const struct glm_population *o;
    double pp, pe, ee;               /* <p,p>, <p,e>, <e,e> */
    double qq, qe;                   /* <q,q>, <q,e> */
    double pw, ew,                   /* <p,w>/|w|, <e,w>/|w| */
           across;                   /* norm of the component of e orthogonal to w */
};

static inline struct glm_path glm_path_to(const struct glm_population *o, const double *x)
{
    struct glm_path r = { .o = o };
    double ww = 0;
    for (long j = 0; j < o->d; j++) {
        double lam = o->lam[j], p = o->star[j], w = o->w[j], e = x[j] - p, q = p - w;
        r.pp += lam * p * p;
        r.pe += lam * p * e;
        r.ee += lam * e * e;
        r.qq += lam * q * q;
        r.qe += lam * q * e;
        r.pw += lam * p * w;
        r.ew += lam * e * w;
        ww += lam * w * w;
    }
    if (ww > 0) {
        r.pw /= sqrt(ww);
        r.ew /= sqrt(ww);
    }
    r.across = sqrt(fmax(0, r.ee - r.ew * r.ew));
    return r;
}

static inline struct glm_point glm_path_point(const struct glm_path *r, double t)
{
    return (struct glm_point){ sqrt(fmax(0, r->pp + t * (2 * r->pe + t * r->ee))),
                               sqrt(fmax(0, r->qq + t * (2 * r->qe + t * r->ee))),
                               r->pw + t * r->ew, t * r->across };
}

/* Returns (grad F(x* + t e))'e. */
static inline double glm_path_slope(const void *self, double t)
{
    const struct glm_path *r = self;
    struct glm_point at = glm_path_point(r, t);
    double c_e, c_w;
    r->o->coefficients(r->o, &at, &c_e, &c_w);
    return c_e * (r->qe + t * r->ee) + c_w * r->o->length * r->ew;
}

/* at[] <- the real roots t of a + 2bt + ct^2 = k^2. Returns their number, 0 or 2. */
static inline int glm_crossings(double a, double b, double c, double k, double *at)
{
    double D = b * b - c * (a - k * k);
    if (!(D > 0))
        return 0;
    at[0] = (-b - sqrt(D)) / c;
    at[1] = (-b + sqrt(D)) / c;
    return 2;
}

/* at[] <- the t at which F is singular on the segment x* + t e, for a bounded design of dimension D; returns their
 * number. a + 2bt + <e,e> t^2 is |x* + t e - w|^2 or, for labels +-1, |x* + t e|^2. Near such a t F behaves like
 * distance^((D + 1)/2); *width is lowered to the width of panels that this needs. */
static inline int glm_singular(const struct glm_path *r, double a, double b, double *at,
                               double *width)
{
    const struct glm_population *o = r->o;
    int breaks = 0;
    for (int k = 0; k < o->edges; k++)
        breaks += glm_crossings(a, b, r->ee, o->edge[k], at + breaks);
    if (o->loss->signs && r->across > 1)
        at[breaks++] = 1 / r->across;
    for (int k = 0; k < breaks; k++)
        if (at[k] > 0 && at[k] < 1)
            *width = fmin(*width, pow(10, -26 / (o->law.D + 3)));
    return breaks;
}

/* Returns F(x) - F(x*). The gradient changes fastest near w or, for labels +-1, near 0. The panels of the
 * quadrature are halved towards the point of the segment that is nearest to w or 0, down to the larger of feature/8
 * and its distance from w or 0: over this width the gradient is smooth enough for one panel. */
static inline double glm_excess(const struct glm_population *o, const double *x)
{
    struct glm_path r = glm_path_to(o, x);
    double a = o->loss->signs ? r.pp : r.qq, b = o->loss->signs ? r.pe : r.qe;
    double at[2 * GLM_EDGES + 2];
    int breaks = 1;
    if (!(r.ee > 0))
        return r.ee;                 /* 0, or NaN */
    if (o->coefficients == glm_absolute && r.qq == 0)
        return score_mean(&o->law, glm_away_at, o, sqrt(r.ee), glm_width(o), o->edges, o->edge);
    at[0] = fmax(0, fmin(1, -b / r.ee));
    double nearest = sqrt(fmax(0, a + at[0] * (2 * b + at[0] * r.ee)));
    if (o->coefficients == glm_hinge)
        nearest = 0;                 /* the gradient also changes fast near the axis of w, which contains x* */
    double width = fmax(o->feature / 8, nearest) / sqrt(r.ee);
    if (!score_normal(&o->law))
        breaks += glm_singular(&r, a, b, at + breaks, &width);
    return quadrature_broken(&o->q, glm_path_slope, &r, 0, 1, width, breaks, at);
}

/* g[d] <- grad F(x). */
static inline void glm_grad_at(const struct glm_population *o, const double *x, double *g)
{
    struct glm_path r = glm_path_to(o, x);
    struct glm_point at = glm_path_point(&r, 1);
    double c_e, c_w;
    o->coefficients(o, &at, &c_e, &c_w);
    for (long j = 0; j < o->d; j++)
        g[j] = o->lam[j] * (c_e * (x[j] - o->w[j]) + c_w * o->w[j]);
}

#endif

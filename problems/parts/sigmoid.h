/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sigmoid.h - sigmoid loss on two noisy classes, for the families sigmoid (a stream) and sigmoid_stored (records):
 *
 *     f(x; a, y) = 1/(1 + exp(y <a,x>)),     y a = s R (eta e + sqrt(1 - eta^2) w),
 *
 * where R = |a|, e is a random unit vector, w uniform on the unit sphere orthogonal to e, and s = -1 with
 * probability q (a wrong label), else +1. The loss depends on y a only, so that y a is drawn in place of a, with
 * label 1. eta is the margin of the classes. With x = alpha e + x', beta = |x'|, z = R (eta alpha + sqrt(1 - eta^2)
 * beta t) and t a coordinate of w,
 *
 *     F(x) = q + (1 - 2q) E 1/(1 + e^z),     an integral over t.
 *
 * F increases with beta, since 1/(1 + e^z) - 1/2 is odd, and convex where z > 0. Over |x| <= r the minimum is
 * at r e; over R^d, inf F = q is not attained. F is flat far from 0. */
#ifndef ASSAY_PARTS_SIGMOID_H
#define ASSAY_PARTS_SIGMOID_H

#include "score_law.h"
#include "scored.h"

struct sigmoid {
    long d;
    double length, margin, flip, radius, goldstein;
};

#define SIGMOID_PARAMS                                                                            \
    PARAM(sigmoid, d, 20, 1, SCORED_D_MAX, "coordinates", "dimension"),                           \
    PARAM(sigmoid, length, 1, 1e-100, 1e100, "1/x", "R = |a|; L = R/4"),                          \
    PARAM(sigmoid, margin, 0.3, 0, 1, "1", "eta, of the classes; of no use where d = 1"),         \
    PARAM(sigmoid, flip, 0.1, 0, 0.5, "1", "q, probability of a wrong label"),                    \
    SCORED_RADII(sigmoid)

struct sigmoid_instance {
    struct scored s;
    double eta,
           across,                   /* sqrt(1 - eta^2) */
           flip;                     /* q */
    double *e;                       /* [d] */
    struct quadrature rule;
    struct score_law law;            /* the law of t, for d > 1 */
};

/* a[m*d], y[m] <- samples i, ..., i+m-1 of the stream. The first number of the substream of a sample makes the sign
 * s, the next ones the row. */
static inline void sigmoid_draw(const struct scored *s, long i, long m, double *a, double *y)
{
    const struct sigmoid_instance *o = (const struct sigmoid_instance *)s;
    struct rng after = s->key;
    rng_skip(&after, 1);
    rng_uniforms_rows(&s->key, (uint64_t)i, m, 1, y);
    if (s->d > 1)
        rng_normals_rows(&after, (uint64_t)i, m, s->d, 1, a);
    else
        vec_zero(m, a);
    for (long k = 0; k < m; k++) {
        double *row = a + k * s->d, sign = y[k] < o->flip ? -s->length : s->length;
        y[k] = 1;
        if (s->d > 1) {
            vec_axpy(s->d, -vec_dot(s->d, row, o->e), o->e, row);
            vec_scale(s->d, sign * o->across / vec_norm(s->d, row), row);
        }
        vec_axpy(s->d, sign * o->eta, o->e, row);
    }
}

/* *least, *most <- the range of dl/dz over lo < z < hi. dl/dz is -y s'(z), s the logistic function; s' is largest
 * at 0 and decreases with |z|. */
static inline void sigmoid_slopes(double h, double lo, double hi, double y, double *least,
                                  double *most)
{
    double near = lo > 0 ? lo : hi < 0 ? hi : 0, far = -lo > hi ? lo : hi;
    double steep = loss_sigmoid_slope(h, near, y), flat = loss_sigmoid_slope(h, far, y);
    *least = fmin(steep, flat);
    *most = fmax(steep, flat);
}

/* --- the population: expectations over t */

struct sigmoid_mean {
    double along, across;            /* z = along + across t */
    double best;                     /* z at the minimum */
};

/* Returns 1/(1 + e^z) - 1/(1 + e^w), without cancellation. */
static inline double sigmoid_difference(double z, double w)
{
    return z > w ? -sigmoid_difference(w, z) : -loss_logit(-z) * loss_logit(w) * expm1(z - w);
}

static inline double sigmoid_excess_at(const struct sigmoid_mean *m, double t)
{
    double z = m->along + m->across * t;
    return isinf(m->best) ? loss_logit(-z) : sigmoid_difference(z, m->best);
}

static inline double sigmoid_slope_at(const struct sigmoid_mean *m, double t)
{
    double z = m->along + m->across * t;
    return loss_logit(z) * loss_logit(-z);
}

/* Returns the even part in t of sigmoid_excess_at. The odd part does not contribute to the mean, as t is
 * symmetric. */
static inline double sigmoid_even_excess(const void *ctx, double t)
{
    return (sigmoid_excess_at(ctx, t) + sigmoid_excess_at(ctx, -t)) / 2;
}

static inline double sigmoid_even_slope(const void *ctx, double t)
{
    return (sigmoid_slope_at(ctx, t) + sigmoid_slope_at(ctx, -t)) / 2;
}

static inline double sigmoid_odd_slope(const void *ctx, double t)
{
    return t * (sigmoid_slope_at(ctx, t) - sigmoid_slope_at(ctx, -t)) / 2;
}

/* Returns z at the minimum; 0 without a margin, where every x along e has F(x) = 1/2. */
static inline double sigmoid_best(const struct sigmoid_instance *o)
{
    return o->eta > 0 ? o->s.length * o->eta * o->s.radius : 0;
}

/* Returns E f(t) at x = alpha e + x', |x'| = beta. The quadrature has a break at z = 0, near which f changes. */
static inline double sigmoid_mean(const struct sigmoid_instance *o, integrand_fn f, double alpha,
                                  double beta)
{
    double R = o->s.length;
    const struct sigmoid_mean m = { R * o->eta * alpha, R * o->across * beta, sigmoid_best(o) };
    double turn = fabs(m.along) / m.across;
    return o->s.d == 1 || m.across == 0 ? f(&m, 0)
                                        : score_mean(&o->law, f, &m, 1, 1 / m.across, 1, &turn);
}

/* *alpha <- <x,e>; returns |x - alpha e|. across[d] (or NULL) <- x - alpha e. */
static inline double sigmoid_split(const struct sigmoid_instance *o, const double *x,
                                   double *alpha, double *across)
{
    double square = 0;
    *alpha = vec_dot(o->s.d, x, o->e);
    for (long j = 0; j < o->s.d; j++) {
        double a = x[j] - *alpha * o->e[j];
        square += a * a;
        if (across)
            across[j] = a;
    }
    return o->s.d > 1 ? sqrt(square) : 0;
}

static inline double sigmoid_excess(const void *self, const double *x, double *error)
{
    const struct sigmoid_instance *o = self;
    double alpha, beta = sigmoid_split(o, x, &alpha, NULL);
    *error = 0;
    return (1 - 2 * o->flip) * sigmoid_mean(o, sigmoid_even_excess, alpha, beta);
}

/* Returns the minimum of F over the ball; over R^d, inf F. */
static inline double sigmoid_least(const struct sigmoid_instance *o)
{
    return o->flip + (1 - 2 * o->flip) * loss_logit(-sigmoid_best(o));
}

static inline double sigmoid_value(const void *self, const double *x)
{
    const struct sigmoid_instance *o = self;
    double error;
    return sigmoid_least(o) + sigmoid_excess(self, x, &error);
}

static inline void sigmoid_grad(const void *self, const double *x, double *g)
{
    const struct sigmoid_instance *o = self;
    double alpha, beta = sigmoid_split(o, x, &alpha, g), c = -(1 - 2 * o->flip) * o->s.length;
    double across = beta == 0 ? 0 : sigmoid_mean(o, sigmoid_odd_slope, alpha, beta) / beta;
    vec_scale(o->s.d, c * o->across * across, g);
    vec_axpy(o->s.d, c * o->eta * sigmoid_mean(o, sigmoid_even_slope, alpha, beta), o->e, g);
}

/* Returns an upper bound on the second derivatives of F: the product of sup |l''|, the largest eigenvalue of E a
 * a', and 1 - 2q. The last factor holds because 1/(1 + e^z) + 1/(1 + e^-z) is constant, so that losses with wrong
 * and right labels cancel. */
static inline double sigmoid_curvature(const struct sigmoid_instance *o)
{
    double n = o->s.d > 1 ? (double)o->s.d - 1 : 1, R = o->s.length;
    return (1 - 2 * o->flip) * R * R * loss_sigmoid_second(0) *
           fmax(o->eta * o->eta, o->across * o->across / n);
}

/* Returns <grad F(x), u> - curvature * delta, a lower bound of <grad F(y), u> over |y - x| <= delta. */
static inline double sigmoid_separation(const void *self, const double *x, double delta,
                                        const double *u)
{
    const struct sigmoid_instance *o = self;
    gsl_vector *g = gsl_vector_alloc((size_t)o->s.d);
    double least = NAN;
    if (g) {
        sigmoid_grad(self, x, g->data);
        least = vec_dot(o->s.d, g->data, u) - sigmoid_curvature(o) * delta;
    }
    gsl_vector_free(g);
    return least;
}

/* Makes *o and states the facts of the stream. e is drawn from key 0 of `data`, samples from key 1, and the points
 * at which measures evaluate grad F from key 2. */
static inline enum status sigmoid_build(const struct sigmoid *p, const struct rng *data,
                                        struct arena *a, struct sigmoid_instance *o,
                                        struct facts *f, struct why *why)
{
    struct rng direction = rng_sub(data, 0);
    *o = (struct sigmoid_instance){
        .s = { .d = p->d, .loss = loss_find("sigmoid"), .h = 1, .scale = 1, .length = p->length,
               .L = p->length / 4, .radius = p->radius, .delta = p->goldstein,
               .key = rng_sub(data, 1), .points = rng_sub(data, 2), .draw = sigmoid_draw,
               .slopes = sigmoid_slopes, .grad = sigmoid_grad, .least = sigmoid_separation },
        .eta = p->d > 1 ? p->margin : 1, .flip = p->flip, .e = arena_vec(a, p->d) };
    o->across = sqrt((1 - o->eta) * (1 + o->eta));
    rng_sphere(&direction, p->d, o->e);
    TRY(quadrature_build(&o->rule, why));
    if (p->d > 1)
        o->law = score_law_build(&o->rule, (double)p->d - 1);
    scored_facts(&o->s, f);
    f->M_F = f->weak = fmin(f->M, sigmoid_curvature(o));
    f->f_star = sigmoid_least(o);
    f->Phi = 0.5 - f->f_star;
    f->dist = isfinite(o->s.radius) ? o->s.radius : NAN;
    return OK;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm.h - linear models with random design, which the gaussian and the sphere family share. Sample
 * i is a pair (a, y), recomputed from its index,
 *
 *     f(x; a, y) = l(<a,x>, y) over |x| <= r,
 *     squares, absolute, huber:   y = <a,w> + noise
 *     logistic:                   y = +-1, P(y = 1) = 1/(1 + e^-<a,w>)
 *     hinge:                      y = sign <a,w>, flipped with probability `flip`; |w| is not used
 *
 * The noise is symmetric, so x* = w inside the ball; the hinge's x* is on the axis of w. */
#ifndef ASSAY_PARTS_GLM_H
#define ASSAY_PARTS_GLM_H

#include "ball.h"
#include "glm_population.h"
#include "problem.h"
#include "samples.h"

enum { GLM_D_MAX = 4096 };           /* one sample's row stands on the stack */

struct glm {
    long d;
    const char *loss, *noise;
    double h, s, flip, a0, decades, rr, radius;
};

#define GLM_PARAMS(loss_default, noise_default)                                                   \
    PARAM(glm, d, 40, 1, GLM_D_MAX, "coordinates", "dimension"),                                  \
    PARAM_WORD(glm, loss, loss_default, "squares|absolute|huber|logistic|hinge", "l(z, y)"),      \
    PARAM_WORD(glm, noise, noise_default, "uniform|gaussian|laplace", "of the labels y"),         \
    PARAM(glm, s, 0.5, 0, 1e100, "y", "scale of the noise: half width, standard deviation, or "   \
          "mean of |noise|; 0: none"),                                                            \
    PARAM(glm, h, 1, 1e-100, 1e100, "y", "of the huber loss"),                                    \
    PARAM(glm, flip, 0.1, 0, 0.499, "1", "hinge: share of labels on the wrong side"),             \
    PARAM(glm, rr, 0.5, 0, 1e6, "radius", "|w|/r; above 1: minimiser on the sphere"),             \
    PARAM(glm, radius, 1, 1e-100, INFINITY, "x", "r; infinite: all of R^d, and |w| = rr")

struct glm_instance {
    struct glm_population F;
    bool sphere;
    double a0, radius, canary;       /* slope of the canary pair */
    double *sd;                      /* [d] standard deviations of a, gaussian design */
    const double *rows, *labels;     /* [n*d], [n] of stored records, or NULL */
    struct rng key;
};

/* --- samples */

/* a[m*d], y[m] <- the samples i, i+1, ..., i >= 0. A sample's substream gives its row, then the
 * randomness of its label. */
static inline void glm_draw(const struct glm_instance *o, long i, long m, double *a, double *y)
{
    const struct glm_population *F = &o->F;
    struct rng after = o->key;
    rng_skip(&after, F->d);
    if (o->sphere)
        rng_sphere_rows(&o->key, (uint64_t)i, m, F->d, a);
    else
        rng_normals_rows(&o->key, (uint64_t)i, m, F->d, 1, a);
    if (F->loss->signs)
        rng_uniforms_rows(&after, (uint64_t)i, m, 1, y);
    else if (F->s > 0)
        F->noise->draw(&after, (uint64_t)i, m, F->s, y);
    else
        vec_zero(m, y);
    for (long k = 0; k < m; k++) {
        double *row = a + k * F->d;
        if (o->sphere)
            vec_scale(F->d, o->a0, row);
        else
            for (long j = 0; j < F->d; j++)
                row[j] *= o->sd[j];
        double v = vec_dot(F->d, row, F->w);
        if (!F->loss->signs)
            y[k] += v;
        else if (F->coefficients == glm_logistic)
            y[k] = y[k] < loss_logit(v) ? 1 : -1;
        else
            y[k] = (v > 0) == (y[k] >= F->flip) ? 1 : -1;
    }
}

/* The row of sample i >= 0: stored, or drawn into room[d]. */
static inline const double *glm_row(const struct glm_instance *o, long i, double *room, double *y)
{
    if (!o->rows) {
        glm_draw(o, i, 1, room, y);
        return room;
    }
    *y = o->labels[i];
    return o->rows + i * o->F.d;
}

static void glm_rows(const void *self, const struct samples *s, double *room, struct linear_rows *A)
{
    const struct glm_instance *o = self;
    const struct samples drawn = { 0, s->count, NULL };
    A->m = s->count;
    A->d = o->F.d;
    A->ones = A->sparse = false;
    for (long k = 0, run; !o->rows && k < s->count; k += run) {
        run = samples_batch_run(s, k, s->count);
        glm_draw(o, sample_index(s, k), run, room + k * o->F.d, A->label + k);
    }
    samples_places(o->rows ? s : &drawn, o->rows ? o->rows : room, o->F.d, A);
    A->y = o->rows ? samples_column(s, o->labels, A->label) : A->label;
    A->norm = o->sphere ? A->length : NULL;
    if (o->sphere)
        vec_fill(s->count, o->a0, A->length);
}

static void glm_slopes(const void *self, long m, const double *y, const double *s, double *c)
{
    const struct glm_population *F = &((const struct glm_instance *)self)->F;
    if (c != s)
        vec_copy(m, s, c);
    F->loss->slopes(F->h, m, y, c);
}

static void glm_values(const void *self, long m, const double *y, const double *s, double *v)
{
    const struct glm_population *F = &((const struct glm_instance *)self)->F;
    if (v != s)
        vec_copy(m, s, v);
    F->loss->values(F->h, m, y, v);
}

static const struct linear_model glm_linear = { glm_rows, glm_slopes, glm_values, NULL, NULL };

static double glm_sample_value(const void *self, long i, const double *x)
{
    const struct glm_instance *o = self;
    double room[GLM_D_MAX], y;
    if (i < 0)
        return (i == -1 ? -o->canary : o->canary) * x[0];
    const double *a = glm_row(o, i, room, &y);
    return o->F.loss->value(o->F.h, vec_dot(o->F.d, a, x), y);
}

static void glm_sample_grad(const void *self, long i, const double *x, double c, double *g)
{
    const struct glm_instance *o = self;
    double room[GLM_D_MAX], y;
    if (i < 0) {
        g[0] += i == -1 ? -c * o->canary : c * o->canary;
        return;
    }
    const double *a = glm_row(o, i, room, &y);
    vec_axpy(o->F.d, c * o->F.loss->slope(o->F.h, vec_dot(o->F.d, a, x), y), a, g);
}

/* A score of x + r u is <a,x> + r <a,u>; the last row of v keeps the <a,u> until it is due. */
static void glm_values_along(const void *self, long i, int points, const double *const *x,
                             const double *r, int m, const double *u, double *v)
{
    const struct glm_instance *o = self;
    double room[GLM_D_MAX], y = 0, *along = v + (long)(points - 1) * m;
    const double *a = i < 0 ? room : glm_row(o, i, room, &y);
    if (i < 0) {
        vec_zero(o->F.d, room);
        room[0] = i == -1 ? -o->canary : o->canary;
    }
    vec_gemv(m, o->F.d, 1, u, a, 0, along);
    for (int p = 0; p < points; p++) {
        double here = vec_dot(o->F.d, a, x[p]), *z = v + (long)p * m;
        for (int j = 0; j < m; j++)
            z[j] = here + r[p] * along[j];
        if (i >= 0)
            loss_of_sample(o->F.loss, o->F.h, y, m, z);
    }
}

/* --- the population */

static double glm_excess_measure(const void *self, const double *x, double *error)
{
    const struct glm_instance *o = self;
    *error = 0;
    return glm_excess(&o->F, x);
}

static inline void glm_grad(const void *self, const double *x, double *g)
{
    const struct glm_instance *o = self;
    glm_grad_at(&o->F, x, g);
}

static double glm_distance(const void *self, const double *x, double *error)
{
    const struct glm_instance *o = self;
    *error = 0;
    return vec_dist(o->F.d, x, o->F.star);
}

static inline bool glm_minimiser(const void *self, double *x)
{
    const struct glm_instance *o = self;
    vec_copy(o->F.d, o->F.star, x);
    return true;
}

static void glm_project(const void *self, double *x)
{
    const struct glm_instance *o = self;
    vec_project_ball(o->F.d, NULL, o->radius, x);
}

static void glm_linear_min(const void *self, const double *g, double *x)
{
    const struct glm_instance *o = self;
    ball_linear_min(o->F.d, o->radius, g, x);
}

static const struct set glm_sets[] = { { "ball", "|x| <= radius", glm_project }, { 0 } };

static const struct measure glm_measures[] = {
    { "excess", "f", "F(x) - F* of the population, by quadrature", EXACT, glm_excess_measure,
      NULL },
    { "distance", "x", "|x - x*|", EXACT, glm_distance, NULL },
    { 0 }
};

#define GLM_SLOTS                                                                                 \
    .params_size = sizeof(struct glm), .make = make, .sample_value = glm_sample_value,            \
    .sample_grad = glm_sample_grad, .linear = &glm_linear, .values_along = glm_values_along,      \
    .grad = glm_grad,                                                                             \
    .sets = glm_sets, .linear_min = glm_linear_min, .measures = glm_measures,                     \
    .minimiser = glm_minimiser

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scored.h - nonconvex losses of one score,
 *
 *     f(x; s_i) = scale l(<a_i,x>, y_i; h),     |a_i| = length,
 *
 * for the families capped, sigmoid, capped_stored and sigmoid_stored. A family is a stream, where (a_i, y_i) is
 * drawn anew from i at every use, or the first n samples of the stream, stored as records. Samples -1 and -2, the
 * canary pair, are the linear losses L x_1 and -L x_1; the gradients of no two L-Lipschitz losses differ more.
 * Measures of stationarity are those of F over R^d, also where there is a feasible ball.
 *
 * `self` of the families begins with struct scored. */
#ifndef ASSAY_PARTS_SCORED_H
#define ASSAY_PARTS_SCORED_H

#include <string.h>

#include "ball.h"
#include "goldstein.h"
#include "losses.h"
#include "model_mean.h"
#include "problem.h"
#include "samples.h"

/* The largest d, since a drawn a_i is kept on the stack. */
enum { SCORED_D_MAX = 4096 };

struct scored {
    long d;
    const struct loss *loss;
    double h, scale, length, L;
    double radius;                   /* radius of the feasible ball; infinite: R^d */
    double delta;                    /* Goldstein's radius for the measures */
    struct rng key, points;          /* streams: of the samples; of the points at which measures evaluate grad F */
    /* a[m*d], y[m] <- samples i, ..., i+m-1 of the stream, i >= 0. */
    void (*draw)(const struct scored *o, long i, long m, double *a, double *y);
    /* *least, *most <- bounds of dl/dz over lo < z < hi, where it exists. */
    void (*slopes)(double h, double lo, double hi, double y, double *least, double *most);
    /* The functions of F that goldstein.h calls. */
    void (*grad)(const void *self, const double *x, double *g);
    double (*least)(const void *self, const double *x, double delta, const double *u);
    long n;                          /* number of records; 0: a stream */
    double *a,                       /* [n] rows, `stride` apart */
           *y;                       /* [n] labels */
    long stride;
    double low, best;                /* for records: low <= inf F <= best */
};

#define SCORED_RADII(tag)                                                                         \
    PARAM(tag, radius, INFINITY, 1e-100, INFINITY, "x", "of the feasible ball; infinite: R^d"),    \
    PARAM(tag, goldstein, 0.1, 1e-100, 1e100, "x",                                                \
          "radius delta of the stationarity that is measured; a run is asked for it by goal.radius")

/* Draws the first n samples and stores them. */
static inline void scored_store(struct scored *o, long n, struct arena *a)
{
    o->stride = linear_stride(n, o->d);
    o->a = arena_vec(a, n * o->stride);
    o->y = arena_vec(a, n);
    o->draw(o, 0, n, o->a, o->y);
    for (long i = n - 1; i > 0; i--)
        memmove(o->a + i * o->stride, o->a + i * o->d, (size_t)o->d * sizeof *o->a);
    o->n = n;
}

/* Returns a_i, i >= 0; *y <- y_i. A sample of a stream is drawn into drawn[d]. */
static inline const double *scored_at(const struct scored *o, long i, double *drawn, double *y)
{
    if (o->n) {
        *y = o->y[i];
        return o->a + i * o->stride;
    }
    o->draw(o, i, 1, drawn, y);
    return drawn;
}

/* *A <- the rows of samples with indices >= 0. room[] takes the rows of a stream. */
static inline void scored_rows(const void *self, const struct samples *s, double *room, struct linear_rows *A)
{
    const struct scored *o = self;
    const struct samples drawn = { 0, s->count, NULL };
    A->m = s->count;
    A->d = o->d;
    A->ones = A->sparse = false;
    for (long k = 0, run; !o->n && k < s->count; k += run) {
        run = samples_batch_run(s, k, s->count);
        o->draw(o, sample_index(s, k), run, room + k * o->d, A->label + k);
    }
    samples_places(o->n ? s : &drawn, o->n ? o->a : room, o->n ? o->stride : o->d, A);
    A->y = o->n ? samples_column(s, o->y, A->label) : A->label;
    A->norm = A->length;
    vec_fill(s->count, o->length, A->length);
}

static inline void scored_slopes(const void *self, long m, const double *y, const double *s,
                                 double *c)
{
    const struct scored *o = self;
    if (c != s)
        vec_copy(m, s, c);
    o->loss->slopes(o->h, m, y, c);
    if (o->scale != 1)
        vec_scale(m, o->scale, c);
}

static inline void scored_values(const void *self, long m, const double *y, const double *s,
                                 double *v)
{
    const struct scored *o = self;
    if (v != s)
        vec_copy(m, s, v);
    o->loss->values(o->h, m, y, v);
    vec_scale(m, o->scale, v);
}

static const struct linear_model scored_linear = { scored_rows, scored_slopes, scored_values, NULL,
                                             NULL };

static inline double scored_canary(const struct scored *o, long i)
{
    return i == -1 ? o->L : -o->L;
}

/* --- slots */

static inline double scored_sample_value(const void *self, long i, const double *x)
{
    const struct scored *o = self;
    double drawn[SCORED_D_MAX], y;
    if (i < 0)
        return scored_canary(o, i) * x[0];
    const double *a = scored_at(o, i, drawn, &y);
    return o->scale * o->loss->value(o->h, vec_dot(o->d, a, x), y);
}

static inline void scored_sample_grad(const void *self, long i, const double *x, double c,
                                      double *g)
{
    const struct scored *o = self;
    double drawn[SCORED_D_MAX], y;
    if (i < 0) {
        g[0] += c * scored_canary(o, i);
        return;
    }
    const double *a = scored_at(o, i, drawn, &y);
    vec_axpy(o->d, c * o->scale * o->loss->slope(o->h, vec_dot(o->d, a, x), y), a, g);
}

/* v[points][m] <- values of sample i at x_k + r_k u_j. A score at x + r u is <a,x> + r <a,u>; the products <a,u_j>
 * are kept in the last row of v until that row is computed. */
static inline void scored_values_along(const void *self, long i, int points, const double *const *x,
                                const double *r, int m, const double *u, double *v)
{
    const struct scored *o = self;
    double drawn[SCORED_D_MAX], y = 0, *along = v + (long)(points - 1) * m;
    const double *a = i < 0 ? NULL : scored_at(o, i, drawn, &y);
    if (a)
        vec_gemv(m, o->d, 1, u, a, 0, along);
    for (int j = 0; !a && j < m; j++)
        along[j] = u[(long)j * o->d];
    for (int p = 0; p < points; p++) {
        double here = a ? vec_dot(o->d, a, x[p]) : x[p][0], *z = v + (long)p * m;
        for (int j = 0; j < m; j++)
            z[j] = here + r[p] * along[j];
        if (a)
            loss_of_sample(o->loss, o->h, y, m, z);
        vec_scale(m, a ? o->scale : scored_canary(o, i), z);
    }
}

static inline void scored_project(const void *self, double *x)
{
    const struct scored *o = self;
    if (isfinite(o->radius))
        vec_project_ball(o->d, NULL, o->radius, x);
}

static inline void scored_linear_min(const void *self, const double *g, double *x)
{
    const struct scored *o = self;
    ball_linear_min(o->d, o->radius, g, x);
}

static const struct set scored_sets[] = {
    { "ball", "|x| <= radius; infinite: R^d", scored_project }, { 0 }
};

/* --- measures of any F */

static inline double scored_gradient(const void *self, const double *x, double *error)
{
    const struct scored *o = self;
    gsl_vector *g = gsl_vector_alloc((size_t)o->d);
    double norm = NAN;
    if (g) {
        o->grad(self, x, g->data);
        norm = vec_norm(o->d, g->data);
    }
    gsl_vector_free(g);
    *error = 0;
    return norm;
}

static inline double scored_stationarity(const void *self, const double *x, double *error)
{
    const struct scored *o = self;
    const struct goldstein q = { .d = o->d, .delta = o->delta, .points = o->points, .self = self,
                                 .grad = o->grad, .least = o->least };
    return goldstein_norm(&q, x, error);
}

/* Returns |mean of grad F| over the points: an upper bound on the Goldstein norm at any point within delta of all
 * of them. */
static inline double scored_certificate(const void *self, long m, const double *points,
                                        double *error)
{
    const struct scored *o = self;
    gsl_vector *work = gsl_vector_calloc(2 * (size_t)o->d);
    double norm = NAN;
    if (work) {
        double *mean = work->data, *g = mean + o->d;
        for (long k = 0; k < m; k++) {
            o->grad(self, points + k * o->d, g);
            vec_axpy(o->d, 1 / (double)m, g, mean);
        }
        norm = vec_norm(o->d, mean);
    }
    gsl_vector_free(work);
    *error = 0;
    return norm;
}

/* States bounds that hold in every family: |grad f| <= L, second derivatives of f within [-weak, smooth] |a|^2. */
static inline void scored_facts(const struct scored *o, struct facts *f)
{
    double square = o->scale * o->length * o->length;
    double smooth = square * o->loss->smooth(o->h), weak = square * o->loss->weak(o->h);
    ball_facts(f, o->d, o->n ? (double)o->n : INFINITY, o->radius);
    f->L = f->G = f->sigma = o->L;
    f->M = f->M_F = isfinite(smooth) ? fmax(smooth, weak) : NAN;
    f->weak = isfinite(weak) ? weak : NAN;
}

#define SCORED_MEASURES                                                                           \
    { "gradient", "f/x", "|grad F(x)|, F over R^d; at a kink of one of its gradients", EXACT,      \
      scored_gradient, NULL },                                                                    \
    { "stationarity", "f/x", "Goldstein's norm of F over R^d at radius `goldstein`: shortest "    \
      "element of the hull of gradients in the ball, and a separating direction", CERTIFIED,      \
      scored_stationarity, NULL },                                                                \
    { "certificate", "f/x", "of a set of points: |mean of grad F| over them", EXACT, NULL,         \
      scored_certificate }

/* --- the objective and measures of stored records */

static inline double scored_stored_value(const void *self, const double *x)
{
    const struct scored *o = self;
    return model_mean(&scored_linear, o, o->n, linear_block(o->d), x, true, NULL);
}

static inline void scored_stored_grad(const void *self, const double *x, double *g)
{
    const struct scored *o = self;
    vec_zero(o->d, g);
    model_mean(&scored_linear, o, o->n, linear_block(o->d), x, false, g);
}

/* Returns a lower bound of <grad F(y), u> over |y - x| <= delta: the mean over the records of their least slopes
 * along u. Within the ball a score differs by at most delta |a_i| from that at x. */
static inline double scored_stored_least(const void *self, const double *x, double delta,
                                         const double *u)
{
    const struct scored *o = self;
    double sum = 0;
    for (long i = 0; i < o->n; i++) {
        const double *a = o->a + i * o->stride;
        double z = vec_dot(o->d, a, x), along = vec_dot(o->d, a, u), lo, hi;
        double reach = delta * o->length;
        o->slopes(o->h, z - reach, z + reach, o->y[i], &lo, &hi);
        sum += fmin(lo * along, hi * along);
    }
    return o->scale * sum / (double)o->n;
}

/* Returns F(x) - low, an upper bound on F(x) - inf F. inf F is between low and the smaller of best and F(x), which
 * gives *error. */
static inline double scored_gap(const void *self, const double *x, double *error)
{
    const struct scored *o = self;
    double f = scored_stored_value(self, x);
    *error = fmin(f, o->best) - o->low;
    return f - o->low;
}

static inline double scored_objective(const void *self, const double *x, double *error)
{
    *error = 0;
    return scored_stored_value(self, x);
}

/* Stores the first n samples of the stream as records and states their facts. The family sets `best` afterwards,
 * and `low` unless it is 0. */
static inline void scored_keep(struct scored *o, long n, struct arena *a, struct facts *f)
{
    scored_store(o, n, a);
    scored_facts(o, f);
    o->grad = scored_stored_grad;
    o->least = scored_stored_least;
    f->f_star = NAN;
}

/* --- slots that the families share. `make` and `measures` are functions and tables that each family defines. */

#define SCORED_SLOTS                                                                              \
    .canaries = 2, .make = make, .sample_value = scored_sample_value,                             \
    .sample_grad = scored_sample_grad, .linear = &scored_linear,                                  \
    .values_along = scored_values_along, .sets = scored_sets, .linear_min = scored_linear_min,     \
    .measures = measures

#define SCORED_STORED_SLOTS                                                                       \
    SCORED_SLOTS, .value = scored_stored_value, .grad = scored_stored_grad

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corner.c - f(x; xi) = a|x - x*| + b<nu, x> - <xi, x>, xi = +-s e_J with J and the sign uniform. The start x_0 = 0
 * and x* are two corners of the feasible set, at distance D. At x* the term b<nu, x> decreases in a direction out
 * of the set. A projection on the ball |x| <= D would not keep an iterate from leaving the set; a projection on the
 * set does:
 *
 *     simplex:      X = { p - t e_d : p >= 0, sum p = t },                      t = D/sqrt(2)
 *                   x* = t(e_1 - e_d),      nu = (e_2 + ... + e_{d-1})/sqrt(d - 2)
 *     spectraplex:  X = { P - t w w' : P m x m, P >= 0 semidefinite, tr P = t }
 *                   x* = t(v v' - w w'),    nu = (I - v v' - w w')/sqrt(m - 2)
 *
 * v and w are orthonormal and random. <nu, x> is >= 0 on X and 0 at x*, so that F(x) - F* = a|x - x*| + b<nu, x>
 * with F* = 0, attained at x* alone. A symmetric matrix has d = m(m+1)/2 coordinates: the rows of its upper
 * triangle, with entries off the diagonal times sqrt(2), so that |x| is the Frobenius norm. The main cost of a run
 * is the projections: each sorts, and one on the spectraplex computes eigenvalues before it sorts them. */
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_eigen.h>
#include "parts/coordinate_noise.h"
#include "problem.h"
#include "vec.h"

/* --- projection on the simplex { p >= 0, sum_j p_j = s }: the point nearest to x is p = max(x - theta, 0), with
 * theta found by sorting (Held, Wolfe, Crowder 1974). */

static inline int simplex_descending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* x[d] <- the projection of x on the simplex of sum s > 0; sorted[d] is scratch. A point that is in the simplex
 * already moves by rounding only. The largest entry is subtracted from all, which changes theta but not p, so that
 * s is not lost beside entries far above it. */
static inline void simplex_project(long d, double s, double *x, double *sorted)
{
    double sum = -s, theta = 0;

    vec_copy(d, x, sorted);
    qsort(sorted, (size_t)d, sizeof *sorted, simplex_descending);
    double top = sorted[0];
    for (long j = 0; j < d; j++) {
        double v = sorted[j] - top;
        sum += v;
        double next = sum / (double)(j + 1);
        if (j > 0 && !(v > next))
            break;
        theta = next;
    }
    for (long j = 0; j < d; j++) {
        double v = x[j] - top;
        x[j] = v > theta ? v - theta : 0;
    }
}

enum { ROWS_MAX = 1024 };

struct corner {
    const char *body;
    long d;
    double a, b, s, dist;
};

static const struct param params[] = {
    PARAM_WORD(corner, body, "simplex", "simplex|spectraplex", "the set"),
    PARAM(corner, d, 3, 2, 1e8, "coordinates", "dimension; of a spectraplex m(m+1)/2"),
    PARAM(corner, a, 0.3, 1e-100, 1e100, "f/x", "slope towards x*"),
    PARAM(corner, b, 0.6, 0, 1e100, "f/x", "slope against the set; none where it has two corners"),
    PARAM(corner, s, 0.4, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM(corner, dist, 1, 1e-100, 1e100, "x", "D, between the corners, also the radius"),
    PARAM_END
};

struct self {
    long d,
         m;                          /* rows of the matrix; 0: the set is a simplex */
    double a, b, t;
    double *x_star, *nu,             /* [d] */
           *start;                   /* [d] the corner of the set that x = 0 stands for: t e_d or t w w' */
    /* Scratch of a projection: */
    double *sorted,                  /* [max(d,m)] */
           *matrix,                  /* [m][m] */
           *values,                  /* [m] */
           *vectors;                 /* [m][m] */
    gsl_eigen_symmv_workspace eigen; /* the arrays of the workspace lie in the arena */
    struct coordinate_noise noise;
};

/* --- symmetric matrices as vectors */

static void pack(long m, const double *matrix, double *x)
{
    for (long i = 0; i < m; i++)
        for (long j = i; j < m; j++)
            *x++ = (i == j ? 1 : M_SQRT2) * matrix[i * m + j];
}

static void unpack(long m, const double *x, double *matrix)
{
    for (long i = 0; i < m; i++)
        for (long j = i; j < m; j++)
            matrix[i * m + j] = matrix[j * m + i] = *x++ / (i == j ? 1 : M_SQRT2);
}

/* matrix[m][m] += c v v' */
static void add_outer(long m, double c, const double *v, double *matrix)
{
    for (long i = 0; i < m; i++)
        vec_axpy(m, c * v[i], v, matrix + i * m);
}

/* --- building an instance: the corners of either body, its memory, its facts */

static void corners_of_simplex(struct self *o)
{
    long d = o->d;
    for (long j = 0; j < d; j++)
        o->nu[j] = j == 0 || j == d - 1 ? 0 : 1 / sqrt((double)(d - 2));
    o->start[d - 1] = o->t;
    o->x_star[0] = o->t;
    o->x_star[d - 1] = -o->t;
}

static void corners_of_spectraplex(struct self *o, struct rng *shape, struct arena *a)
{
    long m = o->m;
    double *v = arena_vec(a, m), *w = arena_vec(a, m), *matrix = o->matrix;

    rng_sphere(shape, m, v);
    rng_sphere(shape, m, w);
    for (int twice = 0; twice < 2; twice++)  /* a single pass leaves rounding where v and w are close */
        vec_axpy(m, -vec_dot(m, v, w), v, w);
    double norm = vec_norm(m, w);
    for (long j = 0; j < m; j++)
        w[j] /= norm;

    vec_zero(m * m, matrix);
    add_outer(m, o->t, w, matrix);
    pack(m, matrix, o->start);
    vec_zero(m * m, matrix);
    add_outer(m, o->t, v, matrix);
    pack(m, matrix, o->x_star);
    vec_axpy(o->d, -1, o->start, o->x_star);
    vec_zero(m * m, matrix);
    for (long j = 0; m > 2 && j < m; j++)
        matrix[j * m + j] = 1 / sqrt((double)(m - 2));
    add_outer(m, m > 2 ? -1 / sqrt((double)(m - 2)) : 0, v, matrix);
    add_outer(m, m > 2 ? -1 / sqrt((double)(m - 2)) : 0, w, matrix);
    pack(m, matrix, o->nu);
}

/* Returns the m with d = m(m+1)/2, or 0 if there is none up to ROWS_MAX. */
static long rows_of(long d)
{
    long m = (long)floor((sqrt(8 * (double)d + 1) - 1) / 2 + 0.5);
    return m <= ROWS_MAX && m * (m + 1) / 2 == d ? m : 0;
}

static void reserve(struct self *o, struct arena *a)
{
    long m = o->m;
    o->x_star = arena_vec(a, o->d);
    o->nu = arena_vec(a, o->d);
    o->start = arena_vec(a, o->d);
    o->sorted = arena_vec(a, m > 0 ? m : o->d);
    vec_zero(o->d, o->x_star);
    vec_zero(o->d, o->start);
    if (m == 0)
        return;
    o->matrix = arena_vec(a, m * m);
    o->values = arena_vec(a, m);
    o->vectors = arena_vec(a, m * m);
    o->eigen = (gsl_eigen_symmv_workspace){ .size = (size_t)m, .d = arena_vec(a, m),
                                            .sd = arena_vec(a, m), .gc = arena_vec(a, m),
                                            .gs = arena_vec(a, m) };
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct corner *p = vp;
    bool matrices = strcmp(p->body, "spectraplex") == 0;
    long m = matrices ? rows_of(p->d) : 0, corners = matrices ? m : p->d;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 0), shape = rng_sub(data, 1);

    if (matrices && m < 2)
        return why_set(why, BAD_INPUT, "corner.d = %ld: expected m(m+1)/2 for a spectraplex, as 3, 6, "
                       "10, 15, with m at most %d", p->d, ROWS_MAX);
    *o = (struct self){ .d = p->d, .m = m, .a = p->a, .b = corners > 2 ? p->b : 0,
                        .t = p->dist / M_SQRT2,
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    reserve(o, a);
    if (matrices)
        corners_of_spectraplex(o, &shape, a);
    else
        corners_of_simplex(o);
    facts->d = (double)p->d;
    facts->n = INFINITY;
    coordinate_noise_facts(facts, o->a + o->b, p->s);   /* x - x* and nu are not orthogonal */
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->radius = facts->dist = facts->diameter = p->dist;
    facts->Phi = o->a * p->dist;
    facts->f_star = 0;
    *self = o;
    return OK;
}

/* --- samples */

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return o->a * vec_dist(o->d, x, o->x_star) + (o->b > 0 ? o->b * vec_dot(o->d, o->nu, x) : 0);
}

static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    double far = vec_dist(o->d, x, o->x_star);
    if (far > 0) {
        vec_axpy(o->d, a * o->a / far, x, g);
        vec_axpy(o->d, -a * o->a / far, o->x_star, g);
    }
    if (o->b > 0)
        vec_axpy(o->d, a * o->b, o->nu, g);
}

#define NOISELESS_VALUE value
#define NOISELESS_GRAD add_grad
#include "parts/linear_noise.h"

/* --- projections */

/* x[d] is a packed symmetric matrix, to which `start` has been added. It becomes its projection on { P >= 0, tr P =
 * t }: the eigenvalues are projected on the simplex of sum t. */
static void project_spectrum(const struct self *o, double *x)
{
    long m = o->m;
    gsl_matrix_view matrix = gsl_matrix_view_array(o->matrix, (size_t)m, (size_t)m);
    gsl_matrix_view vectors = gsl_matrix_view_array(o->vectors, (size_t)m, (size_t)m);
    gsl_vector_view values = gsl_vector_view_array(o->values, (size_t)m);
    gsl_eigen_symmv_workspace work = o->eigen;

    unpack(m, x, o->matrix);
    gsl_eigen_symmv(&matrix.matrix, &values.vector, &vectors.matrix, &work);
    simplex_project(m, o->t, o->values, o->sorted);
    vec_zero(o->d, x);
    for (long k = 0; k < m; k++)
        for (long i = 0, at = 0; o->values[k] > 0 && i < m; i++)
            for (long j = i; j < m; j++, at++)
                x[at] += (i == j ? 1 : M_SQRT2) * o->values[k] * o->vectors[i * m + k] *
                         o->vectors[j * m + k];
}

static void project(const void *self, double *x)
{
    const struct self *o = self;
    vec_axpy(o->d, 1, o->start, x);
    if (o->m > 0)
        project_spectrum(o, x);
    else
        simplex_project(o->d, o->t, x, o->sorted);
    vec_axpy(o->d, -1, o->start, x);
}

/* --- the minimiser and measures */

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    vec_copy(o->d, o->x_star, x);
    return true;
}

static double excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);
}

static double distance(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 0;
    return vec_dist(o->d, x, o->x_star);
}

static const struct set sets[] = { { "body", "the simplex or spectraplex", project }, { 0 } };

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, distance, NULL },
    { 0 }
};

const struct problem problem_corner = {
    .name = "corner",
    .doc = "a kink at a corner of a simplex or spectraplex, and a slope against the set",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct corner),
    NOISY_SLOTS,
    .make = make,
    .value = value,
    .grad = noiseless_grad,
    .sets = sets,
    .measures = measures,
    .minimiser = minimiser,
};

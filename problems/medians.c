/* SPDX-License-Identifier: GPL-3.0-or-later */
/* medians.c - the regularised spatial median of n stored points:
 *
 *     F(x) = (L/n) sum_i |x - s_i| + (mu/2)|x|^2  over |x| <= r,  s_i = c + spread (uniform ball)
 *
 * F is a strongly convex finite sum with kinks. x*, |x*| <= L/mu, is computed up to rounding: for d = 1 by
 * bisection; else each kink s_i is tested, and Newton's method runs if none of them is the minimiser. */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include "parts/planted.h"
#include "problem.h"

struct medians {
    long d, n;
    double L, mu, spread, dist, radius;
};

static const struct param params[] = {
    PARAM(medians, d, 1, 1, 100, "coordinates", "dimension"),
    PARAM(medians, n, 8, 1, 10000, "records", "points"),
    PARAM(medians, L, 1, 1e-100, 1e100, "f/x", "slope of a point's distance"),
    PARAM(medians, mu, 1, 1e-100, 1e100, "f/x^2", "weight of |x|^2/2"),
    PARAM(medians, spread, 0.5, 1e-100, 1e100, "x", "radius of the cloud of points"),
    PARAM(medians, dist, 0.7, 0, 1e100, "x", "|c|, of its centre"),
    PARAM(medians, radius, NAN, 1e-100, 1e100, "x", "r, at least L/mu; unset: that"),
    PARAM_END
};

struct self {
    struct planted ball;
    long n;
    double L, mu;
    double *s;                       /* [n][d] the points s_i */
};

/* Returns |x - s_i|; u[d] <- (x - s_i)/|x - s_i|, or 0 at x = s_i. */
static double unit(const struct self *o, long i, const double *x, double *u)
{
    double r;
    vec_sub(o->ball.d, x, o->s + i * o->ball.d, u);
    r = vec_norm(o->ball.d, u);
    vec_scale(o->ball.d, r > 0 ? 1 / r : 0, u);
    return r;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long i = 0; i < o->n; i++)
        sum += vec_dist(o->ball.d, x, o->s + i * o->ball.d);
    return o->L / (double)o->n * sum + o->mu / 2 * vec_dot(o->ball.d, x, x);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    double r = vec_dist(o->ball.d, x, o->s + i * o->ball.d), b = r > 0 ? a * o->L / r : 0;
    for (long j = 0; j < o->ball.d; j++)
        g[j] += b * (x[j] - o->s[i * o->ball.d + j]) + a * o->mu * x[j];
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    long d = o->ball.d;
    return o->L * vec_dist(d, x, o->s + i * d) + o->mu / 2 * vec_dot(d, x, x);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->ball.d, g);
    for (long i = 0; i < o->n; i++)
        sample_grad(self, i, x, 1 / (double)o->n, g);
}

/* --- the minimiser */

/* d = 1: *x <- the minimiser, where the derivative, which increases, changes sign. */
static void bisect(const struct self *o, double *x)
{
    double lo = -o->L / o->mu, hi = o->L / o->mu, g;
    for (int k = 0; k < 2000 && lo < hi; k++) {
        *x = lo + (hi - lo) / 2;
        grad(o, x, &g);
        if (g == 0 || *x == lo || *x == hi)
            return;
        *(g > 0 ? &hi : &lo) = *x;
    }
}

/* Returns whether s_i is the minimiser: there the gradient of all terms but |x - s_i| has at most the norm L/n. */
static bool at_kink(const struct self *o, long i, double *g)
{
    grad(o, o->s + i * o->ball.d, g);
    return vec_norm(o->ball.d, g) <= o->L / (double)o->n;
}

/* H <- (L/n) sum_i (I - u_i u_i')/r_i + mu I, where r_i is the length of x - s_i and u_i its direction. */
static void hessian(const struct self *o, const double *x, double *u, gsl_matrix *H)
{
    gsl_matrix_set_identity(H);
    gsl_matrix_scale(H, o->mu);
    for (long i = 0; i < o->n; i++) {
        double k = o->L / (double)o->n / unit(o, i, x, u);
        for (size_t a = 0; isfinite(k) && a < (size_t)o->ball.d; a++)
            for (size_t b = 0; b < (size_t)o->ball.d; b++)
                *gsl_matrix_ptr(H, a, b) += k * ((a == b) - u[a] * u[b]);
    }
}

/* x[d] <- the minimiser, by Newton's method with steps that are halved until F falls. No kink may be the minimiser,
 * so that F is smooth around it. */
static void newton(const struct self *o, struct arena *a, double *x)
{
    long d = o->ball.d;
    double *g = arena_vec(a, d), *u = arena_vec(a, d), *y = arena_vec(a, d), t;
    gsl_matrix_view H = gsl_matrix_view_array(arena_vec(a, d * d), (size_t)d, (size_t)d);
    gsl_vector_view step = gsl_vector_view_array(g, (size_t)d);
    vec_zero(o->ball.d, x);
    for (int k = 0; k < 500; k++) {
        double F = value(o, x);
        grad(o, x, g);
        hessian(o, x, u, &H.matrix);
        if (gsl_linalg_cholesky_decomp1(&H.matrix) ||
            gsl_linalg_cholesky_svx(&H.matrix, &step.vector))
            return;
        for (t = 1; t > 1e-9; t /= 2) {
            vec_lincomb(o->ball.d, 1, x, -t, g, y);
            if (value(o, y) < F)
                break;
        }
        if (t <= 1e-9) {                         /* F falls no more: one last full step */
            vec_axpy(o->ball.d, -1, g, x);
            return;
        }
        vec_copy(o->ball.d, y, x);
    }
}

static void find(const struct self *o, struct arena *a, double *x)
{
    double *g = arena_vec(a, o->ball.d);
    if (o->ball.d == 1) {
        bisect(o, x);
        return;
    }
    for (long i = 0; i < o->n; i++)
        if (at_kink(o, i, g)) {
            vec_copy(o->ball.d, o->s + i * o->ball.d, x);
            return;
        }
    newton(o, a, x);
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct medians *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng where = rng_sub(data, 0), cloud = rng_sub(data, 1);
    double least = p->L / p->mu, *c = arena_vec(a, p->d);

    if (p->radius < least)
        return why_set(why, BAD_INPUT, "medians.radius = %g: expected at least L/mu = %g", p->radius,
                       least);
    *o = (struct self){ .n = p->n, .L = p->L, .mu = p->mu,
                        .ball = { p->d, isnan(p->radius) ? least : p->radius, arena_vec(a, p->d) },
                        .s = arena_vec(a, p->n * p->d) };
    rng_sphere(&where, p->d, c);
    for (long i = 0; i < p->n; i++) {
        double *s = o->s + i * p->d;
        rng_ball(&cloud, p->d, s);
        vec_scale(p->d, p->spread, s);
        vec_axpy(p->d, p->dist, c, s);
    }
    find(o, a, o->ball.x_star);

    ball_facts(facts, p->d, (double)p->n, o->ball.radius);
    facts->L = facts->G = p->L + p->mu * o->ball.radius;
    facts->sigma = p->L;             /* vectors of norm at most L have at most the variance L^2 */
    facts->mu = p->mu;               /* M and M_F stay unstated: F is not smooth */
    facts->weak = 0;
    facts->dist = least;
    facts->Phi = p->L * p->L / (2 * p->mu);
    facts->f_star = value(o, o->ball.x_star);
    facts->origin[FACT_f_star] = ORIGIN_DATA;
    *self = o;
    return OK;
}

/* Returns F(x) - F* as a sum of differences of distances, |a| - |b| = <a - b, a + b>/(|a| + |b|), so that digits
 * survive near x*. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0, square = 0;
    for (long i = 0; i < o->n; i++) {
        const double *s = o->s + i * o->ball.d;
        double dot = 0, size = vec_dist(o->ball.d, x, s) + vec_dist(o->ball.d, o->ball.x_star, s);
        for (long j = 0; j < o->ball.d; j++)
            dot += (x[j] - o->ball.x_star[j]) * (x[j] + o->ball.x_star[j] - 2 * s[j]);
        sum += size > 0 ? dot / size : 0;
    }
    for (long j = 0; j < o->ball.d; j++)
        square += (x[j] - o->ball.x_star[j]) * (x[j] + o->ball.x_star[j]);
    *error = 0;
    return o->L / (double)o->n * sum + o->mu / 2 * square;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, x* to rounding", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|, x* to rounding", EXACT, planted_distance, NULL },
    { 0 }
};

const struct problem problem_medians = {
    .name = "medians",
    .doc = "regularised mean distance from stored points: a strongly convex sum with kinks",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct medians),
    PLANTED_SLOTS,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .grad = grad,
};

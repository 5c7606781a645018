/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_l1.c - F = Lambda + f over the ball |x| <= radius. Lambda(x) = (1/2) sum_j m_j (x_j - b_j)^2
 * is the smooth part; samples are those of f alone:
 *
 *     f(x; s_i) = (slope/sqrt d) |x|_1 - <xi_i, x>,  xi_i = +-s e_J, J and the sign uniform
 *
 * m_j falls from M over `decades` decades, and x*_j is b_j with the soft threshold slope/(sqrt d m_j). Entries
 * 2, 4, 6, ... of x* are 0, the kink of |x|_1; the others have random signs and one size, so that |x*| = dist. */
#include <math.h>
#include "parts/coordinate_noise.h"
#include "parts/planted.h"
#include "problem.h"

struct composite_l1 {
    long d;
    double M, decades, slope, s, dist, radius;
};

static const struct param params[] = {
    PARAM(composite_l1, d, 8, 1, 1e8, "coordinates", "dimension"),
    PARAM(composite_l1, M, 1, 1e-100, 1e100, "f/x^2", "largest curvature of the smooth part"),
    PARAM(composite_l1, decades, 0, 0, 8, "1", "log10 of largest over smallest curvature"),
    PARAM(composite_l1, slope, 0.5, 1e-100, 1e100, "f/x", "norm of the other part's gradient"),
    PARAM(composite_l1, s, 0.5, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM(composite_l1, dist, 1, 1e-100, 1e100, "x", "|x*|"),
    PARAM(composite_l1, radius, 1, 1e-100, INFINITY, "x", "of the feasible ball, at least dist"),
    PARAM_END
};

struct self {
    struct planted ball;
    double tau;                      /* slope/sqrt d */
    double *m,                       /* [d] m_j of the head */
           *c;                       /* [d] x*_j - b_j */
    struct coordinate_noise noise;
};

static double smooth_value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++) {
        double e = x[j] - o->ball.x_star[j] + o->c[j];
        sum += o->m[j] * e * e / 2;
    }
    return sum;
}

static void smooth_grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        g[j] = o->m[j] * (x[j] - o->ball.x_star[j] + o->c[j]);
}

static double slope(double x) { return (x > 0) - (x < 0); }

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return smooth_value(self, x) + o->tau * vec_norm1(o->ball.d, x);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    smooth_grad(self, x, g);
    for (long j = 0; j < o->ball.d; j++)
        g[j] += o->tau * slope(x[j]);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return o->tau * vec_norm1(o->ball.d, x) - coordinate_noise_dot(&o->noise, i, x);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        g[j] += a * o->tau * slope(x[j]);
    coordinate_noise_add(&o->noise, i, -a, g);
}

/* Returns v_j with the soft threshold t tau: the proximal step of length t on f in coordinate j. */
static double prox_coord(const void *self, double t, long j, double v)
{
    const struct self *o = self;
    return copysign(fmax(fabs(v) - t * o->tau, 0), v);
}

static void prox(const void *self, double t, const double *v, double *x)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        x[j] = prox_coord(self, t, j, v[j]);
}

/* x[d] <- the proximal point over R^d. Returns false if x is outside of the ball, since the proximal point over the
 * ball is then another one. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++) {
        double b = o->ball.x_star[j] - o->c[j], m = o->m[j] + lam;
        x[j] = prox_coord(self, 1 / m, j, (o->m[j] * b + lam * y[j]) / m);
    }
    return vec_norm(o->ball.d, x) <= o->ball.radius;
}

/* Returns F(x) - F* as a sum of terms that are all nonnegative, so that nothing cancels near x*. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++) {
        double e = x[j] - o->ball.x_star[j], pull = o->m[j] * o->c[j];
        bool same_side = o->ball.x_star[j] * x[j] > 0;
        sum += o->m[j] * e * e / 2;
        sum += o->ball.x_star[j] == 0 ? o->tau * fabs(x[j]) + pull * x[j]
                                 : same_side ? 0 : 2 * o->tau * fabs(x[j]);
    }
    *error = 0;
    return sum;
}

static void place_optimum(struct self *o, const struct composite_l1 *p, struct rng *signs)
{
    double share = p->dist / sqrt((double)((p->d + 1) / 2));
    for (long j = 0; j < p->d; j++) {
        double sign = rng_sign(signs), place = p->d > 1 ? (double)j / (double)(p->d - 1) : 0;
        o->m[j] = p->M * pow(10, -p->decades * place);
        o->ball.x_star[j] = j % 2 ? 0 : sign * share;
        o->c[j] = -sign * (j % 2 ? 0.5 : 1) * o->tau / o->m[j];
    }
}

static double initial_gap(const struct self *o)
{
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++)  /* F(0) - F* = sum_j m_j x*_j^2/2 */
        sum += o->m[j] * o->ball.x_star[j] * o->ball.x_star[j] / 2;
    return sum;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct composite_l1 *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng signs = rng_sub(data, 0), key = rng_sub(data, 1);

    if (p->radius < p->dist)
        return why_set(why, BAD_INPUT, "composite_l1.radius = %g: expected at least "
                       "composite_l1.dist = %g", p->radius, p->dist);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) },
                        .tau = p->slope / sqrt((double)p->d), .m = arena_vec(a, p->d),
                        .c = arena_vec(a, p->d),
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    place_optimum(o, p, &signs);

    ball_facts(facts, p->d, INFINITY, p->radius);
    coordinate_noise_facts(facts, p->slope, p->s);
    facts->M_smooth = p->M;          /* M and M_F stay unstated: F is not smooth */
    facts->mu = o->m[p->d - 1];
    facts->weak = 0;
    facts->dist = p->dist;
    facts->Phi = initial_gap(o);
    facts->f_star = value(o, o->ball.x_star);
    *self = o;
    return OK;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, planted_distance, NULL },
    { 0 }
};

static const struct composite_model composite = {
    .rest_sampled = true, .smooth_value = smooth_value, .smooth_grad = smooth_grad, .prox = prox,
    .prox_coord = prox_coord,
};

static const struct measuring_model measuring = { .proximal_point = proximal_point };

const struct problem problem_composite_l1 = {
    .name = "composite_l1",
    .doc = "a quadratic as the smooth part, samples of a 1-norm beside it",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct composite_l1),
    .canaries = 2,
    .make = make,
    .composite = &composite,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .value = value,
    .grad = grad,
    .sets = planted_sets,
    .measures = measures,
    .minimiser = planted_minimiser,
    .measuring = &measuring,
};

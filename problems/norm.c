/* SPDX-License-Identifier: GPL-3.0-or-later */
/* norm.c - f(x; xi) = L|x - c| - <xi, x>, F(x) = L|x - c|, |c| = R, xi = +-s e_J with J and the sign uniform, over
 * R^d or |x| <= radius. F has a sharp minimum and is symmetric under rotations about c. */
#include <math.h>
#include "parts/coordinate_noise.h"
#include "parts/planted.h"
#include "problem.h"

struct norm {
    long d;
    double L, s, dist, radius;
};

static const struct param params[] = {
    PARAM(norm, d, 40, 1, 1e8, "coordinates", "dimension"),
    PARAM(norm, L, 1, 1e-100, 1e100, "f/x", "slope of F"),
    PARAM(norm, s, 0, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM(norm, dist, 1, 1e-100, 1e100, "x", "R = |c|"),
    PARAM(norm, radius, INFINITY, 1e-100, INFINITY, "x", "of a ball around 0, at least dist"),
    PARAM_END
};

struct self {
    struct planted ball;             /* its x_star is c */
    double L;
    struct coordinate_noise noise;
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct norm *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng direction = rng_sub(data, 0), key = rng_sub(data, 1);

    if (p->radius < p->dist)
        return why_set(why, BAD_INPUT, "norm.radius = %g: expected at least norm.dist = %g",
                       p->radius, p->dist);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) }, .L = p->L,
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    rng_sphere(&direction, p->d, o->ball.x_star);
    vec_scale(p->d, p->dist, o->ball.x_star);

    ball_facts(facts, p->d, INFINITY, p->radius);
    coordinate_noise_facts(facts, p->L, p->s);
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->dist = p->dist;
    facts->Phi = p->L * vec_norm(p->d, o->ball.x_star);
    facts->f_star = 0;
    *self = o;
    return OK;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return o->L * vec_dist(o->ball.d, x, o->ball.x_star);
}

/* g[d] += a * grad F(x). At c the subgradient 0 is taken. */
static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    double norm = vec_dist(o->ball.d, x, o->ball.x_star);
    for (long j = 0; norm != 0 && j < o->ball.d; j++)
        g[j] += a * o->L * ((x[j] - o->ball.x_star[j]) / norm);
}

#define NOISELESS_VALUE value
#define NOISELESS_GRAD add_grad
#include "parts/linear_noise.h"

/* --- F as a composite objective whose smooth part is 0 */

/* x[d] <- v moved towards c by t L, but not beyond c. */
static void prox(const void *self, double t, const double *v, double *x)
{
    const struct self *o = self;
    const double *c = o->ball.x_star;
    double norm = vec_dist(o->ball.d, v, c), keep = norm > t * o->L ? 1 - t * o->L / norm : 0;
    vec_lincomb(o->ball.d, keep, v, 1 - keep, c, x);
}

/* x[d] <- the proximal point, which is on the segment from y to c, hence in the ball. Returns false if y is
 * outside of the ball. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    if (vec_norm(o->ball.d, y) > o->ball.radius)
        return false;
    prox(self, 1 / lam, y, x);
    return true;
}

/* Returns Gamma(n + 1/2)/Gamma(n), n >= 1/2. */
static double half_step(double n)
{
    static const double MANY = 1000;         /* from here on the series errs by less than 1e-13 */
    double u = 1 / n;
    return n < MANY ? exp(lgamma(n + 0.5) - lgamma(n))
                    : sqrt(n) * (1 - u / 8 * (1 - u / 16 * (1 + 5 * u / 8)));
}

/* Returns E F(x + rho z), z normal; g[d], unless NULL, <- its gradient. With v = x - c, |v + rho z|^2/(2 rho^2)
 * has the gamma distribution of shape d/2 + k, where k is Poisson of mean t = |v|^2/(2 rho^2). With
 * r_k = Gamma((d+1)/2 + k)/Gamma(d/2 + k):
 *     E|v + rho z| = rho 2^(1/2) E r_k,   its gradient v E r_k/(d/2 + k)/(rho 2^(1/2))
 * The sums go from the mode of k in both directions. Where t is huge, E|v + rho z| =
 * |v| + (d-1) rho^2/(2|v|) up to the relative error (d/t)^2. */
static double smoothed(const void *self, double rho, const double *x, double *g)
{
    static const double HUGE_MEAN = 1e10, LAST = 1e-18;
    const struct self *o = self;
    long d = o->ball.d;
    double e = vec_dist(d, x, o->ball.x_star), n = (double)d / 2, t = e / rho * (e / rho) / 2;
    double mode = floor(t), first = half_step(n + mode), sum = 0, value = 0, slope = 0;

    for (double w = 1, r = first, k = mode; t < HUGE_MEAN && w > LAST; k++) {
        sum += w;
        value += w * r;
        slope += w * r / (n + k);
        w *= t / (k + 1);
        r *= (n + k + 0.5) / (n + k);
    }
    for (double w = 1, r = first, k = mode; t < HUGE_MEAN && k > 0 && w > LAST; k--) {
        w *= k / t;
        r *= (n + k - 1) / (n + k - 0.5);
        sum += w;
        value += w * r;
        slope += w * r / (n + k - 1);
    }
    value *= rho * M_SQRT2 / sum;
    slope /= rho * M_SQRT2 * sum;
    if (!(t < HUGE_MEAN)) {
        value = e + (n - 0.5) * rho * (rho / e);
        slope = (1 - (n - 0.5) * (rho / e) * (rho / e)) / e;
    }
    if (g) {
        vec_sub(d, x, o->ball.x_star, g);
        vec_scale(d, o->L * slope, g);
    }
    return o->L * value;
}

static double excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);           /* F* = 0 */
}

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "distance", "x", "|x - c|", EXACT, planted_distance, NULL },
    { 0 }
};

static const struct composite_model composite = {
    .smooth_value = planted_nothing, .smooth_grad = planted_no_grad, .prox = prox,
};

static const struct measuring_model measuring = {
    .proximal_point = proximal_point, .smoothed = smoothed,
};

const struct problem problem_norm = {
    .name = "norm",
    .doc = "L|x - c| with one-coordinate noise: nonsmooth, the same in every direction",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct norm),
    NOISY_SLOTS,
    PLANTED_SLOTS,
    .batch_law = noisy_batch_law,
    .grad = noiseless_grad,
    .composite = &composite,
    .measuring = &measuring,
};

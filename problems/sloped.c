/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sloped.c - nonsmooth functions plus a term of random sign in <v,x>, v a unit vector, over R^d:
 *
 *     f(x; s_i) = A phi(|P x|) + B s_i c(<v,x>),    s_i = +-1,  E s_i = e0/B,  c(z) = z or clip(z, +-R)
 *
 *     shape    A    B    P x         phi       c      e0 = drift L
 *     slope    0    L                          clip   any          nonconvex; exact norms everywhere
 *     cone    L/2  L/2   x           |.|       z      0            F = (L/2)|x|
 *     bowl    L/2  L/2   x           Huber_R   z      0            smooth inside
 *     valley  L/2  L/2   x - <v,x>v  |.|       clip   <= L/2       minimal in P x, with a slope along v
 *
 * For all shapes but `slope`, the parameter `share` sets A = share L and B = L - A; read A for L/2 below.
 *
 * Every f is L-Lipschitz. The smoothed gradients have closed forms (parts/smoothed_norm.h), but for the bowl, whose
 * gradients are computed by quadrature where the smoothing ball leaves |x| <= R. Goldstein's norm at radius r is
 *     slope   |e0| where |<v,x>| + r <= R, else 0
 *     cone    (L/2) sqrt(1 - r^2/|x|^2) where |x| > r, else 0 (d >= 2)
 *     bowl    (L/2) (|x| - r)/R where the ball is within |x| <= R; elsewhere see parts/radial.h
 *     valley  hypot of the norms of slope and cone, where |<v,x>| + r <= R; elsewhere not known. */
#include <math.h>
#include <stdbool.h>
#include "parts/ball.h"
#include "parts/certificates.h"
#include "parts/radial.h"
#include "parts/smoothed_norm.h"

/* --- the two parts of f at x + r u_j for many directions u_j at once. along[m] = <v, u_j>, cross[m] = <x, u_j>. */

/* row[m] <- b clip(z + r along_j, +-R), z = <v,x>. An infinite R stands for no clip. */
static inline void slope_along(double b, double R, double z, double r, int m, const double *along,
                               double *row)
{
    for (int j = 0; j < m; j++) {
        double at = z + r * along[j];
        at = at > R ? R : at;
        row[j] = b * (at < -R ? -R : at);
    }
}

/* The part A phi(|P x|) of f at a point x: phi is the Huber function with threshold `inner` (0: the norm), q = |P
 * x|, and P x is x - z v if `aside`, else x. */
struct norm_part { double A, inner, q, z; bool aside; };

/* Returns |P (x + r u)|, whose square is q^2 + 2 r product + r^2 length, with q = |P x|, product = <P x,u> and
 * length = |P u|^2. */
static inline double norm_at(double q, double r, double product, double length)
{
    double square = q * q + r * (2 * product + r * length);
    return sqrt(square > 0 ? square : 0);
}

/* row[m] += the value of *part at x + r u_j. The first loop, for the norm with P x = x, vectorises. */
static inline void norm_along(const struct norm_part *part, double r, int m, const double *along,
                              const double *cross, double *row)
{
    struct norm_part o = *part;      /* a copy, since the compiler must assume that row overwrites *part */
    for (int j = 0; j < m && o.inner == 0 && !o.aside; j++)
        row[j] += o.A * norm_at(o.q, r, cross[j], 1);
    for (int j = 0; j < m && !(o.inner == 0 && !o.aside); j++) {
        double product = cross[j] - (o.aside ? o.z * along[j] : 0);
        double length = 1 - (o.aside ? along[j] * along[j] : 0);
        row[j] += o.A * radial_value(o.inner, norm_at(o.q, r, product, length));
    }
}

/* --- the two parts of F: A phi(|P x|) and B s c(<v,x>). */

enum shape { SLOPE, CONE, BOWL, VALLEY };

struct self {
    struct certificates c;
    enum shape shape;
    long d;
    double A, B, e0, R, L,
           inner;                    /* threshold of the Huber function phi; 0: the norm */
    double *v, *x0;
    bool turned;                     /* v is not e_1 */
    struct rng sign;
    struct quadrature rule;
    struct smoothed_norm across;     /* for the smoothed gradient of |P x| */
};

/* *z <- <v,x>. Returns |P x|. */
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
    /* These are comparisons, since fmin and fmax would be calls of libm. */
    return !clips(o) ? z : z > o->R ? o->R : z < -o->R ? -o->R : z;
}
static inline double clip_slope(const struct self *o, double z) { return !clips(o) || fabs(z) < o->R; }

/* g[d] += across P x/|P x| + b v. q = |P x|, z = <v,x>. */
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

/* Returns s_i. The canary samples -1 and -2 have the signs + and -. */
static inline double sign_of(const struct self *o, long i)
{
    if (i < 0)
        return i == -1 ? 1 : -1;
    struct rng r = rng_at(&o->sign, (uint64_t)i);
    return rng_uniform(&r) * 2 < 1 + o->e0 / o->B ? 1 : -1;
}

struct sloped {
    const char *shape;
    double L, share, drift, R, dist, goldstein, reach;
    long d, turned, draws, hull, centre;
};

static const struct param params[] = {
    PARAM(sloped, d, 8, 1, 1e6, "coordinates", "dimension; valley: at least 2"),
    PARAM_WORD(sloped, shape, "cone", "slope|cone|bowl|valley", "which"),
    PARAM(sloped, L, 1, 1e-100, 1e100, "f/x", "Lipschitz constant of every f"),
    PARAM(sloped, share, 0.5, 0, 1, "L", "A/L; the slope has none"),
    PARAM(sloped, drift, NAN, 0, 1, "L", "e0/L; unset: slope 0.5, valley 0.4, else 0"),
    PARAM(sloped, R, 1, 1e-100, 1e100, "x", "where the slope ends; the bowl's radius"),
    PARAM(sloped, dist, NAN, 0, 1e100, "x",
          "|P x_1|, of the slope <v, x_1>; unset: cone 1, bowl R/2, else 0"),
    PARAM(sloped, turned, 0, 0, 1, "", "1: v is random; 0: v = e_1"),
    CERTIFICATES_PARAMS(sloped),
    PARAM_END
};

/* --- make */

static const char *const shapes[] = { "slope", "cone", "bowl", "valley" };

static double unless_set(double v, double other) { return isnan(v) ? other : v; }

static enum status shape_of(const struct sloped *p, struct self *o, struct why *why)
{
    while (strcmp(p->shape, shapes[o->shape]) != 0)
        o->shape++;
    double drift = unless_set(p->drift, o->shape == SLOPE ? 0.5 : o->shape == VALLEY ? 0.4 : 0);
    o->A = o->shape == SLOPE ? 0 : p->share * p->L;
    o->B = p->L - o->A;
    o->e0 = drift * p->L;
    o->inner = o->shape == BOWL ? p->R : 0;
    if (o->shape == VALLEY && p->d < 2)
        return why_set(why, BAD_INPUT, "sloped.d = %ld: expected at least 2 of a valley", p->d);
    if (!clips(o) && drift != 0)
        return why_set(why, BAD_INPUT, "sloped.drift = %g: expected 0, as a %s is unbounded below "
                       "with it", drift, p->shape);
    if (o->e0 > o->B)
        return why_set(why, BAD_INPUT, "sloped.drift = %g: expected at most %g of a %s", drift,
                       o->B / p->L, p->shape);
    return OK;
}

/* Makes v and the start x0. */
static void directions(const struct sloped *p, const struct rng *data, struct arena *a,
                       struct self *o)
{
    double dist = unless_set(p->dist, o->shape == CONE ? 1 : o->shape == BOWL ? p->R / 2 : 0);
    struct rng turn = rng_sub(data, 1), aside = rng_sub(data, 2);
    o->v = arena_vec(a, p->d);
    o->x0 = arena_vec(a, p->d);
    vec_zero(p->d, o->v);
    o->v[0] = 1;
    if (p->turned)
        rng_sphere(&turn, p->d, o->v);
    rng_sphere(&aside, p->d, o->x0);
    if (o->shape == SLOPE)
        vec_copy(p->d, o->v, o->x0);
    if (o->shape == VALLEY)
        vec_axpy(p->d, -vec_dot(p->d, o->v, o->x0), o->v, o->x0);
    double length = vec_norm(p->d, o->x0);
    vec_scale(p->d, length > 0 ? dist / length : 0, o->x0);
}

static double value(const void *self, const double *x);

static void state(const struct sloped *p, const struct self *o, struct facts *f)
{
    bool convex = !clips(o);
    ball_facts(f, p->d, INFINITY, INFINITY);
    f->L = f->G = p->L;
    f->sigma = o->B;
    f->f_star = clips(o) ? -o->e0 * o->R : 0;
    f->Phi = value(o, o->x0) - f->f_star;
    if (convex)
        f->mu = f->weak = 0;
    if (o->shape == BOWL)
        f->M = f->M_F = o->A / o->R;
    if (convex)
        f->dist = vec_norm(p->d, o->x0);
}

static void grad(const void *self, const double *x, double *g);
static void smoothed_grad(const void *self, double delta, const double *x, double *g);
static void smoothed_sum(const void *self, double delta, int m, const double *const *w, double share,
                         double *g, double *mean);
static double least(const void *self, const double *x, double r, const double *u);
static double goldstein_exact(const void *self, const double *x, double r);

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct sloped *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    double d = (double)p->d;
    *o = (struct self){ .d = p->d, .R = p->R, .L = p->L, .turned = p->turned != 0,
                        .sign = rng_sub(data, 0) };
    TRY(shape_of(p, o, why));
    TRY(quadrature_build(&o->rule, why));
    directions(p, data, a, o);
    o->across = smoothed_norm_of(d, o->shape == VALLEY ? d - 1 : d);
    o->c = (struct certificates){ .d = p->d, .draws = p->draws, .hull = p->hull,
        .reach = p->reach, .centre = p->centre,
        .smoothed = smoothed_grad, .smoothed_sum = smoothed_sum, .exact = goldstein_exact,
        .q = { .d = p->d, .delta = p->goldstein, .points = rng_sub(data, 3), .self = o,
               .grad = grad, .least = least } };
    state(p, o, facts);
    *self = o;
    return OK;
}

static void start(const void *self, double *x0)
{
    const struct self *o = self;
    vec_copy(o->d, o->x0, x0);
}

/* --- F and its samples */

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double z, q = split(o, x, &z);
    return o->A * radial_value(o->inner, q) + o->e0 * clip(o, z);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    double z, q = split(o, x, &z);
    vec_zero(o->d, g);
    add_parts(o, x, q, z, o->A * radial_slope(o->inner, q), o->e0 * clip_slope(o, z), g);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    double z, q = split(o, x, &z);
    return o->A * radial_value(o->inner, q) + o->B * sign_of(o, i) * clip(o, z);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    double z, q = split(o, x, &z);
    add_parts(o, x, q, z, a * o->A * radial_slope(o->inner, q), a * o->B * sign_of(o, i) * clip_slope(o, z),
              g);
}

enum { BLOCK = 64 };

/* along[m] <- <v, u_j>, which is the first entry of u_j where v is e_1. */
static void along_slope(const struct self *o, int m, const double *u, double *along)
{
    if (o->turned)
        vec_gemv(m, o->d, 1, u, o->v, 0, along);
    else
        for (int j = 0; j < m; j++)
            along[j] = u[j * o->d];
}

/* v[points][stride] <- in the first m of each row, the values at x_k + r_k u_j for m <= BLOCK directions, of a
 * sample i with s = B s_i. The products with a point are computed once if the next entry of x[] is the same
 * pointer. */
static void block_along(const struct self *o, double s, int points, const double *const *x,
                        const double *r, int m, const double *u, int stride, double *v)
{
    double along[BLOCK], cross[BLOCK], z = 0, q = 0, R = clips(o) ? o->R : INFINITY;
    along_slope(o, m, u, along);
    for (int p = 0; p < points; p++) {
        double *row = v + (long)p * stride;
        if (p == 0 || x[p] != x[p - 1]) {
            q = split(o, x[p], &z);
            if (o->A != 0)
                vec_gemv(m, o->d, 1, u, x[p], 0, cross);
        }
        slope_along(s, R, z, r[p], m, along, row);
        if (o->A != 0)
            norm_along(&(struct norm_part){ o->A, o->inner, q, z, o->shape == VALLEY }, r[p], m, along, cross,
                       row);
    }
}

static void values_along(const void *self, long i, int points, const double *const *x,
                         const double *r, int m, const double *u, double *v)
{
    const struct self *o = self;
    double s = o->B * sign_of(o, i);
    for (int from = 0; from < m; from += BLOCK)
        block_along(o, s, points, x, r, m - from < BLOCK ? m - from : BLOCK,
                    u + (long)from * o->d, m, v + from);
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    vec_zero(o->d, x);
    return !clips(o);
}

/* --- smoothing */

static double smoothed_slope(const struct self *o, double q, double delta)
{
    if (o->shape == BOWL)
        return radial_smoothed(&o->rule, o->inner, (double)o->d, q, delta);
    return smoothed_norm_slope(&o->across, q / delta);
}

/* Returns E c'(z + delta u_1), u uniform in the unit ball. */
static double smoothed_clip(const struct self *o, double z, double delta)
{
    if (!clips(o))
        return 1;
    return (smoothed_sign((double)o->d, (o->R - z) / delta) +
            smoothed_sign((double)o->d, (o->R + z) / delta)) / 2;
}

/* g[d] <- grad F_delta(x). q and z come from `split`; slope is the derivative of the smoothed phi at q. */
static void smoothed_parts(const struct self *o, double delta, const double *x, double q, double z,
                           double slope, double *g)
{
    vec_zero(o->d, g);
    add_parts(o, x, q, z, o->A != 0 ? o->A * slope : 0,
              o->e0 != 0 ? o->e0 * smoothed_clip(o, z, delta) : 0, g);
}

static void smoothed_grad(const void *self, double delta, const double *x, double *g)
{
    const struct self *o = self;
    double z, q = split(o, x, &z);
    smoothed_parts(o, delta, x, q, z, o->A != 0 ? smoothed_slope(o, q, delta) : 0, g);
}

/* g[d] <- the smoothed gradient of the last of m points; mean[d] += share times the sum of all m gradients. Where
 * phi is the norm, the slopes of all points are computed in one call. */
static void smoothed_sum(const void *self, double delta, int m, const double *const *w, double share,
                         double *g, double *mean)
{
    const struct self *o = self;
    double q[CERTIFICATES_TOGETHER], z[CERTIFICATES_TOGETHER], far[CERTIFICATES_TOGETHER];
    double slope[CERTIFICATES_TOGETHER] = { 0 };
    for (int k = 0; k < m; k++) {
        q[k] = split(o, w[k], &z[k]);
        far[k] = q[k] / delta;
    }
    if (o->A != 0 && o->shape != BOWL)
        smoothed_norm_slopes(&o->across, m, far, slope);
    for (int k = 0; k < m; k++) {
        double one = o->A != 0 && o->shape == BOWL ? smoothed_slope(o, q[k], delta) : slope[k];
        smoothed_parts(o, delta, w[k], q[k], z[k], one, g);
        vec_axpy(o->d, share, g, mean);
    }
}

/* --- Goldstein's norm */

/* Returns Goldstein's norm at radius r. It is NaN for a valley whose ball reaches |<v,x>| > R. */
static double goldstein_exact(const void *self, const double *x, double r)
{
    const struct self *o = self;
    double z, q = split(o, x, &z), dims = (double)o->d - (o->shape == VALLEY);
    bool inside = fabs(z) + r <= o->R;
    if (o->shape == SLOPE)
        return inside ? o->e0 : 0;
    double across = o->A * radial_goldstein(o->inner, dims, q, r);
    if (o->shape != VALLEY)
        return across;
    return inside ? hypot(across, o->e0) : NAN;
}

/* Returns the closed form of Goldstein's norm, a lower bound for every direction u; 0 where it is not known. */
static double least(const void *self, const double *x, double r, const double *u)
{
    double norm = goldstein_exact(self, x, r);
    return isnan(norm) ? 0 : norm;
}

/* --- measures */

static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 0;
    return value(self, x) + (clips(o) ? o->e0 * o->R : 0);
}

/* Returns the norm of the part of mean[d] that is orthogonal to v; mean[d] <- this part. */
static double across_of(const void *self, double *mean)
{
    const struct self *o = self;
    vec_axpy(o->d, -vec_dot(o->d, o->v, mean), o->v, mean);
    return vec_norm(o->d, mean);
}

static double across(const void *self, long m, const double *points, double *error)
{
    const struct self *o = self;
    gsl_vector *mean = gsl_vector_calloc((size_t)o->d);
    double norm = NAN;
    *error = 0;
    if (mean) {
        certificates_norm(&o->c, CERTIFICATE_SMOOTHED, m, points, mean->data);
        norm = across_of(o, mean->data);
    }
    gsl_vector_free(mean);
    return norm;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - inf F", EXACT, excess, NULL },
    CERTIFICATES_STATIONARITY,
    CERTIFICATES_SMOOTHED,
    { "across", "f/x", "the part of `smoothed` orthogonal to v", EXACT, NULL, across },
    CERTIFICATES_MEASURES,
    { 0 }
};

static void of_sets(const void *self, long m, const double *points, double *v)
{
    certificates_of_sets(measures, self, m, points, across, across_of, v);
}

static const struct measuring_model measuring = { .of_sets = of_sets };

const struct problem problem_sloped = {
    .name = "sloped",
    .doc = "slope, cone, bowl or valley with a slope of random sign: exact Goldstein norms; a stream",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct sloped),
    .canaries = 2,
    .make = make,
    .start = start,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .values_along = values_along,
    .value = value,
    .grad = grad,
    .measures = measures,
    .measuring = &measuring,
    .minimiser = minimiser,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* randhess.c - a quadratic with random Hessians: sample (J, xi) has curvature in one coordinate,
 *
 *     f(x; J, xi) = (m/2)(x_J - c_J)^2 - <xi, x>,   pi_j = P(J = j) ~ 10^(-D j/(d-1)),  j = 0..d-1,
 *     xi = s (+/-) e_K,  K and sign uniform;   F(x) = sum_j pi_j (m/2)(x_j - c_j)^2  over |x| <= r
 *
 * F is the quadratic of parts/spectral.h with lam_j = m pi_j. Samples differ in their Hessians and are
 * m-smooth, while F is m pi_0-smooth. The mean of b samples has an exact law: the counts of J and of xi
 * are multinomial, and the gradient of the mean is a function of them. There are no canaries, since no
 * pair of samples differs the most at every x. */
#include "parts/coordinate_noise.h"
#include "parts/samples.h"
#include "parts/spectral.h"

struct randhess {
    long d;
    double decades, m, s, rr, radius;
};

static const struct param params[] = {
    PARAM(randhess, d, 40, 1, 1e8, "coordinates", "dimension"),
    PARAM(randhess, decades, 7, 0, 100, "decades", "D: pi falls by 10^-D"),
    PARAM(randhess, m, 1, 1e-100, 1e100, "f/x^2", "curvature of a sample in its coordinate"),
    PARAM(randhess, s, 1, 0, 1e100, "f/x", "norm of the noise"),
    PARAM(randhess, rr, 0.5, 0, 1e6, "radius", "|c|/r; above 1: minimiser on the sphere"),
    PARAM(randhess, radius, 1, 1e-100, INFINITY, "x", "r; infinite: all of R^d, and |c| = rr"),
    PARAM_END
};

struct self {
    struct spectral_quadratic q;     /* lam_j = m pi_j */
    double m,
           log_ratio,                /* log q <= 0, q = pi_(j+1)/pi_j */
           span;                     /* q^d - 1 */
    double *share;                   /* [d] P(J = j | J >= j) */
    struct rng key;                  /* draws J */
    struct coordinate_noise noise;
};

/* Returns (1 - q)/(1 - q^left): the probability of the first of `left` coordinates whose probabilities fall by the
 * factor q. */
static double first_share(double log_ratio, long left)
{
    return log_ratio < 0 ? expm1(log_ratio) / expm1((double)left * log_ratio) : 1 / (double)left;
}

/* Returns an upper bound of m |D(x - c)| over |x| <= radius, D diagonal: m (max_j D_j radius + |D c|).
 * most = max_j D_j^2, centre = |D c|. */
static double ball_bound(double m, double most, double radius, double centre)
{
    return m * ((most > 0 ? sqrt(most) * radius : 0) + centre);
}

/* States M and bounds L, G and sigma. G^2 bounds s^2 + m^2 sum_j pi_j (x_j - c_j)^2 over the ball; for sigma^2 the
 * factor pi_j is replaced by pi_j (1 - pi_j). */
static void noise_facts(const struct randhess *p, const struct self *o, struct facts *f)
{
    double c = fabs(o->q.c[0]), most = 0, sum = 0;       /* all |c_j| are equal */
    for (long j = 0; j < p->d; j++) {
        double pi = o->q.lam[j] / p->m, spread = fmax(pi * (1 - pi), 0);
        most = fmax(most, spread);
        sum += spread;
    }
    f->L = p->m * (p->radius + c) + p->s;
    f->G = hypot(ball_bound(p->m, o->q.lam[0] / p->m, p->radius, c), p->s);
    f->sigma = hypot(ball_bound(p->m, most, p->radius, c * sqrt(sum)), p->s);
    f->M = p->m;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct randhess *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 1);

    o->m = p->m;
    o->log_ratio = p->d > 1 ? -p->decades * M_LN10 / (double)(p->d - 1) : 0;
    o->span = expm1((double)p->d * o->log_ratio);
    o->share = arena_vec(a, p->d);
    for (long j = 0; j < p->d; j++)
        o->share[j] = first_share(o->log_ratio, p->d - j);
    struct spectral F = { .d = p->d, .decades = p->decades, .M = p->m * o->share[0], .s = p->s,
                          .rr = p->rr, .radius = p->radius };
    spectral_build(&F, data, a, &o->q);
    o->noise = coordinate_noise_build(p->d, p->s, &key, a);
    o->key = rng_sub(data, 2);
    spectral_facts(&F, &o->q, a, facts);
    noise_facts(p, o, facts);
    *self = o;
    return OK;
}

/* Returns J for u uniform on (0, 1): the solution j of P(J < j) = (1 - q^j)/(1 - q^d) = u, rounded down, where q =
 * pi_(j+1)/pi_j. For q = 1 it is j = u d. */
static long coordinate_of(const struct self *o, double u)
{
    double d = (double)o->q.d, j = u * d;
    if (o->log_ratio < 0)
        j = log1p(u * o->span) / o->log_ratio;
    return (long)fmin(j, d - 1);
}

/* Returns the coordinate J of sample i. */
static long coordinate(const struct self *o, long i)
{
    struct rng r = rng_at(&o->key, (uint64_t)i);
    return coordinate_of(o, rng_uniform(&r));
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    long J = coordinate(o, i);
    double e = x[J] - o->q.c[J];
    return o->m / 2 * e * e - coordinate_noise_dot(&o->noise, i, x);
}

/* g[d] += a * (gradient of (m/2)(x_J - c_J)^2). */
static void add_quadratic(const struct self *o, long J, const double *x, double a, double *g)
{
    g[J] += a * o->m * (x[J] - o->q.c[J]);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    add_quadratic(o, coordinate(o, i), x, a, g);
    coordinate_noise_add(&o->noise, i, -a, g);
}

static void batch_grad(const void *self, const struct samples *s, const double *w,
                       const double *x, double a, double *g)
{
    const struct self *o = self;
    enum { AT_ONCE = 256 };
    double u[AT_ONCE];
    for (long k = 0, run; k < s->count; k += run) {
        run = samples_batch_run(s, k, AT_ONCE);
        rng_uniforms_rows(&o->key, (uint64_t)sample_index(s, k), run, 1, u);
        for (long n = 0; n < run; n++)
            add_quadratic(o, coordinate_of(o, u[n]), x,
                          w ? a * w[k + n] : a / (double)s->count, g);
    }
    coordinate_noise_batch(&o->noise, s, w, -a, g);
}

static long sample_nonzeros(const void *self, long i)
{
    const struct self *o = self;
    long K;
    coordinate_noise_at(&o->noise, i, &K);
    return o->noise.s == 0 || K == coordinate(o, i) ? 1 : 2;
}

/* g[d] += sum_p a_p (sum of the gradients at x_p, without noise, of `count` <= 2^30 samples) / b. The multinomial
 * counts of J are drawn as conditional binomials, whatever the x_p are. */
static void add_counts(const struct self *o, gsl_rng *r, unsigned count, double b, int points,
                       const double *const *x, const double *a, double *g)
{
    for (long j = 0; j < o->q.d && count > 0; j++) {
        unsigned here = j + 1 < o->q.d ? gsl_ran_binomial(r, o->share[j], count) : count;
        for (int p = 0; p < points; p++)
            g[j] += a[p] / b * here * o->m * (x[p][j] - o->q.c[j]);
        count -= here;
    }
}

/* g[d] += sum_p a_p (the mean of the gradients of b samples at x_p), b >= 1 a whole number of any size. The samples
 * are drawn in parts that fit the binomial generator of GSL. */
static void batch_law(const void *self, const struct rng *draw, double b, int points,
                      const double *const *x, const double *a, double *g)
{
    const struct self *o = self;
    const double part = 0x1p30;
    struct rng_gsl view;
    struct rng counts = rng_sub(draw, 0), noise = rng_sub(draw, 1);
    gsl_rng *r = rng_gsl_view(&view, &counts);

    for (double left = b; left >= 1; left -= part)
        add_counts(o, r, (unsigned)fmin(left, part), b, points, x, a, g);
    double sum = 0;
    for (int p = 0; p < points; p++)
        sum += a[p];
    coordinate_noise_law(&o->noise, &noise, b, -sum, g);
}

const struct problem problem_randhess = {
    .name = "randhess",
    .doc = "each sample is curved in one random coordinate; quadratic F with log-spaced spectrum",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct randhess),
    .make = make,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    .batch_law = batch_law,
    .sample_nonzeros = sample_nonzeros,
    SPECTRAL_SLOTS,
};

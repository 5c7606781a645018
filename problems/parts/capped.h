/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capped.h - truncated robust regression, for the families capped (a stream) and capped_stored (records):
 *
 *     f(x; a, b) = L min(|<a,x> - b|, c),     a uniform on the unit sphere,     b = <a,x*> + w,
 *
 * w is uniform on [-s_0, s_0] or, with probability p, on [-s_1, s_1] (an outlier). F of the population
 * depends on r = |x - x*| only. With t a coordinate of a, and g(z) = E min(|z - w|, c),
 *
 *     F(x) = L psi(r),     psi(r) = E g(r t),     grad F(x) = L psi'(r) (x - x*)/r.
 *
 * The law of w is symmetric and unimodal, so that psi increases from its minimum at r = 0 towards c. For z >= 0, g
 * is quadratic between the points s, c + s and |c - s|, s one of the widths s_0, s_1. Hence psi is a sum of
 * partial moments of t, which follow from the beta distribution. */
#ifndef ASSAY_PARTS_CAPPED_H
#define ASSAY_PARTS_CAPPED_H

#include <gsl/gsl_cdf.h>
#include <stdlib.h>
#include "scored.h"

struct capped {
    long d;
    double L, cap, noise, outliers, spread, dist, radius, goldstein;
};

#define CAPPED_PARAMS                                                                             \
    PARAM(capped, d, 20, 1, SCORED_D_MAX, "coordinates", "dimension"),                            \
    PARAM(capped, L, 1, 1e-100, 1e100, "f/x", "Lipschitz constant of every sample"),              \
    PARAM(capped, cap, 1, 1e-100, 1e100, "x", "c, the residual beyond which a sample is flat"),   \
    PARAM(capped, noise, 0.1, 0, 1e100, "x", "s_0, half width of the noise; 0: none"),            \
    PARAM(capped, outliers, 0.1, 0, 1, "1", "p, share of outliers"),                              \
    PARAM(capped, spread, 10, 1e-100, 1e100, "x", "s_1, half width of the outliers' noise"),      \
    PARAM(capped, dist, 1, 1e-100, 1e100, "x", "|x*|; its direction from the data"),              \
    SCORED_RADII(capped)

/* g(z) - g(0) = at + slope z + bend z^2 for z from `from` to the `from` of the next piece. */
struct capped_piece { double from, at, slope, bend; };
enum { CAPPED_PIECES = 7 };          /* pieces begin at 0 and at three points for each of two widths */

struct capped_instance {
    struct scored s;
    double outliers, width[2];       /* s_0, s_1 */
    double *x_star;                  /* [d] */
    double density;                  /* density of t at 0; NaN if d = 1 */
    int pieces;
    struct capped_piece piece[CAPPED_PIECES];
};

/* a[m*d], y[m] <- samples i, ..., i+m-1 of the stream. The first two numbers of the substream of a sample make the
 * label, the next ones the row. */
static inline void capped_draw(const struct scored *s, long i, long m, double *a, double *y)
{
    enum { ROWS = 64 };
    const struct capped_instance *o = (const struct capped_instance *)s;
    struct rng after = s->key;
    rng_skip(&after, 2);
    rng_sphere_rows(&after, (uint64_t)i, m, s->d, a);
    double u[2 * ROWS];
    for (long k = 0; k < m; k++) {
        const double *at = u + 2 * (k % ROWS);
        if (k % ROWS == 0)
            rng_uniforms_rows(&s->key, (uint64_t)(i + k), m - k < ROWS ? m - k : ROWS, 2, u);
        double width = at[0] < o->outliers ? o->width[1] : o->width[0];
        y[k] = vec_dot(s->d, a + k * s->d, o->x_star) + width * (2 * at[1] - 1);
    }
}

/* *least, *most <- the range of the slope of min(|z - y|, h), h the c of the head, over scores lo < z < hi. The
 * slope is -1 for y - h < z < y, 1 for y < z < y + h, and 0 elsewhere. */
static inline void capped_slopes(double h, double lo, double hi, double y, double *least,
                                 double *most)
{
    double p = lo - y, q = hi - y;
    *least = p < 0 && q > -h ? -1 : p >= 0 && q <= h ? 1 : 0;
    *most = q > 0 && p < h ? 1 : p >= -h && q <= 0 ? -1 : 0;
}

/* --- g for w uniform on [-s, s]: g(z) = (Q(z + s) - Q(z - s))/(2s), Q' = min(|.|, c) */

/* Returns g(0). */
static inline double capped_level(double c, double s)
{
    return s <= c ? s / 2 : c - c * (c / s) / 2;
}

/* Returns g'(z) for z >= 0: the share of the interval [z - s, z + s] that lies in [0, c], less the share that lies
 * in [-c, 0]. The ends are taken relative to z, so that their differences keep their digits where s is far below
 * z. */
static inline double capped_rise(double c, double s, double z)
{
    double up = fmin(s, c - z) - fmax(-s, -z), down = fmin(s, -z) - fmax(-s, -c - z);
    return s > 0 ? (fmax(0, up) - fmax(0, down)) / (2 * s) : z < c ? 1 : 0;
}

static inline double capped_turn(double c, double s, double z)
{
    return s > 0 ? (loss_capped_slope(c, z + s, 0) - loss_capped_slope(c, z - s, 0)) / (2 * s) : 0;
}

static inline int capped_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Computes the pieces of g. The slope and the bend of a piece come from its middle, the level at its end from that
 * at its beginning. A piece narrower than THIN times its distance from 0 is taken as a chord, since its bend, which
 * is about 1/width, would multiply the rounding errors of the moments. g is off by at most width/8 on such a piece;
 * with this THIN both errors are at most about 1e-8 c. */
static inline void capped_build_pieces(struct capped_instance *o, double c)
{
    static const double THIN = 1e-7;
    double from[CAPPED_PIECES + 1] = { 0 }, share[2] = { 1 - o->outliers, o->outliers };
    double level = 0;                /* g(from[i]) - g(0) */
    int n = 1;
    for (int k = 0; k < 2; k++) {
        double s = o->width[k], ends[] = { s, c + s, fabs(c - s) };
        for (int e = 0; share[k] > 0 && e < 3; e++)
            from[n++] = ends[e];
    }
    qsort(from, (size_t)n, sizeof *from, capped_order);
    from[n] = from[n - 1] + 2 * c;
    for (int i = 0; i < n; i++) {
        double mid = (from[i] + from[i + 1]) / 2, length = from[i + 1] - from[i], rise = 0;
        struct capped_piece q = { .from = from[i] };
        if (length == 0)
            continue;
        for (int k = 0; k < 2; k++) {
            double s = o->width[k], bend = share[k] * capped_turn(c, s, mid) / 2;
            double slope = share[k] * capped_rise(c, s, mid);
            rise += slope;
            q.bend += bend;
            if (from[i] > 0 || s == 0)       /* else g'(0) = 0; a difference is rounding */
                q.slope += slope - 2 * bend * mid;
        }
        if (length < THIN * from[i]) {
            q.bend = 0;
            q.slope = rise;
        }
        q.at = level - (q.slope + q.bend * from[i]) * from[i];
        level += rise * length;
        o->piece[o->pieces++] = q;
    }
}

/* m[3] <- E t^j over 0 < t < to, j = 0, 1, 2; to in [0, 1]. */
static inline void capped_moments(const struct capped_instance *o, double to, double *m)
{
    double n = (double)o->s.d - 1, square = to * to;
    if (n == 0 || to <= 0 || to >= 1) {
        m[0] = to >= 1 ? 0.5 : 0;
        m[1] = n == 0 ? m[0] : to >= 1 ? o->density / n : 0;
        m[2] = m[0] / (n + 1);
        return;
    }
    m[0] = gsl_cdf_beta_P(square, 0.5, n / 2) / 2;
    m[1] = -expm1(n / 2 * log1p(-square)) * o->density / n;
    m[2] = gsl_cdf_beta_P(square, 1.5, n / 2) / (2 * (n + 1));
}

/* *value <- psi(r) - psi(0); *slope <- psi'(r). */
static inline void capped_psi(const struct capped_instance *o, double r, double *value,
                              double *slope)
{
    static const double FAR = 1e150;         /* psi is flat here; the square of this is still finite */
    double from[3] = { 0 }, to[3] = { 0 };
    *value = *slope = 0;
    r = r > FAR ? FAR : r;
    for (int i = 0; i < o->pieces; i++) {
        const struct capped_piece *q = &o->piece[i];
        bool last = i + 1 == o->pieces || !(q[1].from < r);
        capped_moments(o, last ? 1 : q[1].from / r, to);
        double m0 = to[0] - from[0], m1 = to[1] - from[1], m2 = to[2] - from[2];
        *value += 2 * (q->at * m0 + q->slope * r * m1 + q->bend * r * (r * m2));
        *slope += 2 * (q->slope * m1 + 2 * q->bend * r * m2);
        for (int j = 0; j < 3; j++)
            from[j] = to[j];
        if (last)
            return;
    }
}

/* --- slots and measures of the population */

static inline double capped_excess(const void *self, const double *x, double *error)
{
    const struct capped_instance *o = self;
    double value, slope;
    capped_psi(o, vec_dist(o->s.d, x, o->x_star), &value, &slope);
    *error = 0;
    return o->s.L * value;
}

/* Returns F(x*) = L g(0). */
static inline double capped_least(const struct capped_instance *o)
{
    double c = o->s.h, p = o->outliers;
    return o->s.L * ((1 - p) * capped_level(c, o->width[0]) + p * capped_level(c, o->width[1]));
}

static inline double capped_value(const void *self, const double *x)
{
    double error;
    return capped_least(self) + capped_excess(self, x, &error);
}

/* g[d] <- grad F(x). At x*, which is a kink if there is no noise, the subgradient 0 is taken. */
static inline void capped_grad(const void *self, const double *x, double *g)
{
    const struct capped_instance *o = self;
    double r = vec_dist(o->s.d, x, o->x_star), value, slope;
    capped_psi(o, r, &value, &slope);
    vec_lincomb(o->s.d, 1, x, -1, o->x_star, g);
    vec_scale(o->s.d, r == 0 ? 0 : o->s.L * slope / r, g);
}

static inline double capped_distance(const void *self, const double *x, double *error)
{
    const struct capped_instance *o = self;
    *error = 0;
    return vec_dist(o->s.d, x, o->x_star);
}

static inline bool capped_minimiser(const void *self, double *x)
{
    const struct capped_instance *o = self;
    vec_copy(o->s.d, o->x_star, x);
    return true;
}

/* Returns an upper bound on the second derivatives of F; half of it bounds those of -F. Both follow from g'' and
 * E a a' = I/d. The bound is infinite without noise. */
static inline double capped_curvature(const struct capped_instance *o)
{
    double p = o->outliers, sum = p > 0 ? p / o->width[1] : 0;
    return o->s.L / (double)o->s.d * (sum + (p < 1 ? (1 - p) / o->width[0] : 0));
}

/* Returns a lower bound on Goldstein's norm at x and radius delta; u is not used. By symmetry about the line
 * through x and x*, the best direction is that of x - x*: the norm is the least component of grad F(y) along it.
 * Over the y with |y - x*| = q this least component is L psi'(q) times the cosine of the largest angle between y -
 * x* and x - x*. The product is 2 M-Lipschitz in q, M = capped_curvature; it is evaluated at STEPS values of q. */
static inline double capped_separation(const void *self, const double *x, double delta,
                                       const double *u)
{
    enum { STEPS = 64 };
    const struct capped_instance *o = self;
    double r = vec_dist(o->s.d, x, o->x_star), step = 2 * delta / STEPS, least = INFINITY;
    if (!(r > delta))
        return 0;
    for (int k = 0; k < STEPS; k++) {
        double q = r - delta + (k + 0.5) * step, value, slope;
        double cosine = o->s.d > 1 ? (q * q + r * r - delta * delta) / (2 * q * r) : 1;
        capped_psi(o, q, &value, &slope);
        least = fmin(least, o->s.L * slope * cosine);
    }
    return least - capped_curvature(o) * step;
}

/* Makes *o and states the facts of the stream. The direction of x* comes from key 0 of `data`, samples from key 1,
 * and the points at which measures evaluate grad F from key 2. */
static inline enum status capped_build(const struct capped *p, const struct rng *data,
                                       struct arena *a, struct capped_instance *o,
                                       struct facts *f, struct why *why)
{
    struct rng direction = rng_sub(data, 0);
    double n = (double)p->d - 1, value, slope;
    if (p->dist > p->radius)
        return why_set(why, BAD_INPUT, "capped.dist = %g: expected at most capped.radius = %g",
                       p->dist, p->radius);
    *o = (struct capped_instance){
        .s = { .d = p->d, .loss = loss_find("capped"), .h = p->cap, .scale = p->L, .length = 1,
               .L = p->L, .radius = p->radius, .delta = p->goldstein, .key = rng_sub(data, 1),
               .points = rng_sub(data, 2), .draw = capped_draw, .slopes = capped_slopes,
               .grad = capped_grad, .least = capped_separation },
        .outliers = p->outliers, .width = { p->noise, p->spread }, .x_star = arena_vec(a, p->d),
        .density = n > 0 ? exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(M_PI) : NAN };
    rng_sphere(&direction, p->d, o->x_star);
    vec_scale(p->d, p->dist, o->x_star);
    capped_build_pieces(o, p->cap);
    scored_facts(&o->s, f);
    double M = capped_curvature(o);
    f->M_F = isfinite(M) ? M : NAN;
    f->weak = M / 2 < INFINITY ? M / 2 : NAN;
    capped_psi(o, p->dist, &value, &slope);
    f->f_star = capped_least(o);
    f->Phi = p->L * value;
    f->dist = p->dist;
    return OK;
}

#endif

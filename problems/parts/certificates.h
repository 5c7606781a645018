/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificates.h - measures of stationarity at the mean wbar of the points w_1, ..., w_T of an epoch of a method.
 * In this file "the norm" is Goldstein's norm of F at wbar: the length of the shortest vector in the convex hull of
 * the gradients within `radius` of wbar. The smoothing is F_delta(x) = E F(x + delta v) with delta = radius/2 and v
 * uniform in the unit ball.
 *
 *     smoothed     |mean grad F_delta(w_t)|, which Theorem 4.9 of Zhang, Tran & Cutkosky 2024 bounds. It is at
 *                  least the norm, since every |w_t - wbar| <= delta; NaN where a w_t is farther away
 *     sampled      |mean grad F(w_t + delta v_t)|, v_t drawn uniformly in the unit ball: the mean of finitely
 *                  many gradients within `radius` of wbar, so that it is at least the norm for any draw;
 *                  NaN where a point is not within `radius`
 *     certificate  |mean grad F(w_t)|: at least Goldstein's norm at radius delta where every |w_t - wbar| < delta;
 *                  the theorem does not bound it
 *     hull         length of the shortest element of the convex hull of gradients around wbar (goldstein.h) and
 *                  of the mean of `sampled`, so that it is at most `sampled`
 *     stationarity the norm itself, where the family knows it: at most `hull`
 *     chain        the larger of norm - search and search - sampled: positive if norm <= search <= sampled is
 *                  violated. `search` is the length that goldstein.h finds without the points of `sampled`,
 *                  so that neither inequality holds by construction. The norm is also compared with a second
 *                  search (interpolation_norm)
 *
 * The harness averages these measures over all epochs. That is their expectation over the random epoch whose wbar
 * is the answer. `self` of the families begins with struct certificates. */
#ifndef ASSAY_PARTS_CERTIFICATES_H
#define ASSAY_PARTS_CERTIFICATES_H

#include <string.h>

#include "goldstein.h"
#include "problem.h"
#include "segment.h"

/* --- a second search for an upper bound on Goldstein's norm, which shares no point and no solver with
 * goldstein.h: the inner loop of interpolated normalised gradient descent (Zhang, Lin, Jegelka, Sra &
 * Jadbabaie 2020) at a fixed x,
 *
 *     m <- shortest element of [m, grad F(p)],  p uniform on [x, x - delta m/|m|],  from m = grad F(x).
 *
 * m stays in the hull. As long as F falls by less than |m|/4 per unit of length along -m, |m|^2 shrinks on average
 * by the fraction (9/64) |m|^2/L^2, so that |m| exceeds the norm by order L/sqrt k after k draws. */

enum { INTERPOLATION_DRAWS = 512 };

/* Returns an upper bound on Goldstein's norm of F at x and radius delta; NaN where x is not finite, or without
 * memory. */
static inline double interpolation_norm(const struct goldstein *q, const double *x)
{
    gsl_vector *work = gsl_vector_alloc(3 * (size_t)q->d);
    struct rng r = rng_sub(&q->points, 3);
    double norm = NAN;
    if (work && vec_finite(q->d, x)) {
        double *m = work->data, *p = m + q->d, *g = p + q->d;
        q->grad(q->self, x, m);
        norm = vec_norm(q->d, m);
        for (int k = 0; k < INTERPOLATION_DRAWS && norm > 0; k++) {
            double far = GOLDSTEIN_INSIDE * q->delta * rng_uniform(&r);
            vec_lincomb(q->d, 1, x, -far / norm, m, p);
            q->grad(q->self, p, g);
            norm = segment_shorten(q->d, m, g);
        }
    }
    gsl_vector_free(work);
    return norm;
}

struct certificates {
    long d, draws;                   /* draws: number of random v around each point; 0: `sampled` is not measured */
    long points;                     /* number of points of a set that are used, evenly spread; 0: all. The
                                      * mean over some of them is a valid certificate at wbar, too */
    bool hull;                       /* true: `hull` and `chain` are measured */
    /* For controls of `chain`: below 1, the norm is taken at this fraction of the radius. */
    double reach;
    bool centre;                     /* for controls of `chain`: the gradient at wbar replaces the search */
    struct goldstein q;              /* the radius, and the gradients of F */
    void (*smoothed)(const void *self, double delta, const double *x, double *g);
    /* mean[d] += share grad F_delta(w_k) for k = 0, ..., m-1 in turn, m <= CERTIFICATES_TOGETHER, equal to the
     * bit to calls of `smoothed`; g[d] is scratch. NULL: `smoothed` is called for each point. */
    void (*smoothed_sum)(const void *self, double delta, int m, const double *const *w, double share,
                         double *g, double *mean);
    /* Returns Goldstein's norm at x and radius r; NaN where it is not known. NULL if it is known nowhere. */
    double (*exact)(const void *self, const double *x, double r);
};

#define CERTIFICATES_PARAMS(tag)                                                                  \
    PARAM(tag, goldstein, 0.1, 1e-100, 1e100, "x",                                                \
          "radius of the stationarity that is measured; a run is asked for it by goal.radius"),   \
    PARAM(tag, draws, 1, 0, 1e6, "points", "measure `sampled`: so many around every point"),       \
    PARAM(tag, hull, 0, 0, 1, "", "1: measure `hull` and `chain` of every epoch too, which takes longest"), \
    PARAM(tag, reach, 1, 0, 1, "1", "`chain` asks the norm at this share of the radius: 1, or wrong"), \
    PARAM(tag, centre, 0, 0, 1, "", "1: `chain` does not search: wrong")

static inline double certificates_delta(const struct certificates *c) { return c->q.delta / 2; }

/* Memory for n numbers, set to 0. Up to 300 numbers need no heap: sets of one point are measured often and need
 * few. */
struct certificates_room {
    gsl_vector *many;
    double few[300];
};

static inline double *certificates_take(struct certificates_room *room, size_t n)
{
    bool few = n <= sizeof room->few / sizeof *room->few;
    room->many = few ? NULL : gsl_vector_calloc(n);
    if (!few)
        return room->many ? room->many->data : NULL;
    vec_zero((long)n, room->few);
    return room->few;
}

static inline void certificates_give(struct certificates_room *room) { gsl_vector_free(room->many); }

/* Returns how many of the m points of a set are used. */
static inline long certificates_count(const struct certificates *c, long m)
{
    return c->points && c->points < m ? c->points : m;
}

static inline const double *certificates_point(const struct certificates *c, long m, long k,
                                               const double *points)
{
    long count = certificates_count(c, m), t = count == m ? k : (2 * k + 1) * m / (2 * count);
    return points + t * c->d;
}

/* wbar[d] <- the mean of points[m*d]. */
static inline void certificates_centre(long d, long m, const double *points, double *wbar)
{
    enum { BLOCK = 64 };
    double share[BLOCK];
    vec_zero(d, wbar);
    for (int k = 0; k < BLOCK; k++)
        share[k] = 1 / (double)m;
    for (long t = 0; t < m; t += BLOCK)
        vec_add_rows(m - t < BLOCK ? m - t : BLOCK, d, points + t * d, share, wbar);
}

enum { CERTIFICATES_TOGETHER = 64 }; /* number of points that are drawn or evaluated together */

static inline void certificates_smoothed_sum(const struct certificates *c, int m, const double *const *w,
                                             double share, double *g, double *mean)
{
    if (c->smoothed_sum && m > 1) {
        c->smoothed_sum(c->q.self, certificates_delta(c), m, w, share, g, mean);
        return;
    }
    for (int k = 0; k < m; k++) {
        c->smoothed(c->q.self, certificates_delta(c), w[k], g);
        vec_axpy(c->d, share, g, mean);
    }
}

/* mean[d] <- the mean of grad F_delta over the points; wbar[d] and g[d] are scratch. Returns false if the ball of
 * radius delta around a point is not within `radius` of wbar; mean is then of no use. */
static inline bool certificates_smoothed(const struct certificates *c, long m, const double *points,
                                         double *wbar, double *g, double *mean)
{
    const double *w[CERTIFICATES_TOGETHER];
    long count = certificates_count(c, m);
    bool near = true;
    certificates_centre(c->d, m, points, wbar);
    vec_zero(c->d, mean);
    for (long k = 0; k < count && near;) {
        int together = 0;
        for (; k < count && together < CERTIFICATES_TOGETHER && near; k++) {
            const double *at = w[together] = certificates_point(c, m, k, points);
            near = vec_dist(c->d, at, wbar) <= certificates_delta(c);
            together += near;
        }
        certificates_smoothed_sum(c, together, w, 1 / (double)count, g, mean);
    }
    return near;
}

static inline void certificates_raw(const struct certificates *c, long m, const double *points,
                                    double *g, double *mean)
{
    long count = certificates_count(c, m);
    vec_zero(c->d, mean);
    for (long k = 0; k < count; k++) {
        c->q.grad(c->q.self, certificates_point(c, m, k, points), g);
        vec_axpy(c->d, 1 / (double)count, g, mean);
    }
}

/* Returns the stream of random numbers for an epoch. Two epochs have the same stream only if their first points
 * begin with the same coordinate. */
static inline struct rng certificates_stream(const struct certificates *c, const double *points)
{
    uint64_t bits;
    memcpy(&bits, points, sizeof bits);
    struct rng all = rng_sub(&c->q.points, 2);
    return rng_sub(&all, bits);
}

/* mean[d] <- the mean of the gradients at the points w_t + delta v; wbar[d], g[d] and y[CERTIFICATES_TOGETHER d]
 * are scratch. Returns false if one of these points is not within `radius` of wbar. */
static inline bool certificates_sampled(const struct certificates *c, long m, const double *points,
                                        double *wbar, double *y, double *g, double *mean)
{
    struct rng r = certificates_stream(c, points);
    long count = certificates_count(c, m), all = count * c->draws;
    double share = 1 / ((double)count * (double)c->draws);
    certificates_centre(c->d, m, points, wbar);
    vec_zero(c->d, mean);
    for (long k = 0; k < all; k++) {
        double *at = y + k % CERTIFICATES_TOGETHER * c->d;
        if (k % CERTIFICATES_TOGETHER == 0)
            rng_balls(&r, all - k < CERTIFICATES_TOGETHER ? all - k : CERTIFICATES_TOGETHER, c->d, y);
        const double *w = certificates_point(c, m, k / c->draws, points);
        vec_lincomb(c->d, 1, w, certificates_delta(c), at, at);
        if (!(vec_dist(c->d, at, wbar) < c->q.delta))
            return false;
        c->q.grad(c->q.self, at, g);
        vec_axpy(c->d, share, g, mean);
    }
    return true;
}

enum certificate { CERTIFICATE_SMOOTHED, CERTIFICATE_RAW, CERTIFICATE_SAMPLED, CERTIFICATE_HULL };

/* mean[d] <- the mean gradient of the given kind. Returns the norm of this mean; NaN without memory or where it is
 * not measured. */
static inline double certificates_norm(const struct certificates *c, enum certificate kind, long m,
                                       const double *points, double *mean)
{
    size_t together = kind == CERTIFICATE_SAMPLED ? CERTIFICATES_TOGETHER : 0;
    struct certificates_room room;
    double norm = NAN, *g = certificates_take(&room, (2 + together) * (size_t)c->d);
    if (!g)
        return NAN;
    if (kind == CERTIFICATE_SMOOTHED) {
        if (certificates_smoothed(c, m, points, g + c->d, g, mean))
            norm = vec_norm(c->d, mean);
    } else if (kind == CERTIFICATE_RAW) {
        certificates_raw(c, m, points, g, mean);
        norm = vec_norm(c->d, mean);
    } else if (c->draws && certificates_sampled(c, m, points, g + c->d, g + 2 * c->d, g, mean)) {
        norm = vec_norm(c->d, mean);
    }
    certificates_give(&room);
    return norm;
}

/* Returns the measure `kind` of a set; NaN where it is not measured. */
static inline double certificates_set(const struct certificates *c, enum certificate kind, long m,
                                      const double *points)
{
    struct certificates_room room;
    double *mean = certificates_take(&room, (size_t)c->d);
    double norm = mean ? certificates_norm(c, kind, m, points, mean) : NAN;
    certificates_give(&room);
    return norm;
}

/* Returns the measure `hull`, which is at most `sampled`; NaN unless it is enabled. */
static inline double certificates_hull(const struct certificates *c, long m, const double *points)
{
    gsl_vector *work = c->hull ? gsl_vector_calloc(3 * (size_t)c->d) : NULL;
    double norm = NAN, error;
    if (work) {
        double *wbar = work->data, *mean = wbar + c->d, *shortest = mean + c->d;
        certificates_centre(c->d, m, points, wbar);
        norm = goldstein_element(&c->q, wbar, shortest, &error);
        double sampled = certificates_norm(c, CERTIFICATE_SAMPLED, m, points, mean);
        if (!isnan(sampled))
            norm = segment_shorten(c->d, shortest, mean);
    }
    gsl_vector_free(work);
    return norm;
}

/* Returns the measure `chain`, which is at most 0 where norm <= search <= sampled: the larger of search - sampled
 * and, where the norm is known, norm less the smaller of the two searches. NaN unless it is enabled, or where
 * `sampled` is not measured. */
static inline double certificates_chain(const struct certificates *c, long m, const double *points)
{
    gsl_vector *work = c->hull ? gsl_vector_calloc(2 * (size_t)c->d) : NULL;
    double worst = NAN, error;
    if (work) {
        double *wbar = work->data, *g = wbar + c->d;
        double sampled = certificates_set(c, CERTIFICATE_SAMPLED, m, points);
        certificates_centre(c->d, m, points, wbar);
        c->q.grad(c->q.self, wbar, g);
        double search = c->centre ? vec_norm(c->d, g) : goldstein_norm(&c->q, wbar, &error);
        double norm = c->exact ? c->exact(c->q.self, wbar, c->reach * c->q.delta) : NAN;
        worst = search - sampled;
        if (!isnan(norm))
            worst = fmax(worst, norm - fmin(search, interpolation_norm(&c->q, wbar)));
    }
    gsl_vector_free(work);
    return worst;
}

/* --- measures of sets */

static inline double smoothed_set(const void *self, long m, const double *points, double *error)
{
    *error = 0;
    return certificates_set(self, CERTIFICATE_SMOOTHED, m, points);
}

static inline double smoothed_2_set(const void *self, long m, const double *points, double *error)
{
    double norm = smoothed_set(self, m, points, error);
    return norm * norm;
}

static inline double certificate_set(const void *self, long m, const double *points, double *error)
{
    *error = 0;
    return certificates_set(self, CERTIFICATE_RAW, m, points);
}

static inline double sampled_set(const void *self, long m, const double *points, double *error)
{
    *error = 0;
    return certificates_set(self, CERTIFICATE_SAMPLED, m, points);
}

static inline double hull_set(const void *self, long m, const double *points, double *error)
{
    *error = 0;
    return certificates_hull(self, m, points);
}

static inline double chain_set(const void *self, long m, const double *points, double *error)
{
    *error = 0;
    return certificates_chain(self, m, points);
}

static inline double stationarity_at(const void *self, const double *x, double *error)
{
    const struct certificates *c = self;
    *error = 0;
    return vec_finite(c->d, x) ? c->exact(self, x, c->q.delta) : NAN;
}

static inline double stationarity_set(const void *self, long m, const double *points,
                                      double *error)
{
    const struct certificates *c = self;
    struct certificates_room room;
    double norm = NAN, *wbar = certificates_take(&room, (size_t)c->d);
    *error = 0;
    if (wbar) {
        certificates_centre(c->d, m, points, wbar);
        norm = stationarity_at(self, wbar, error);
    }
    certificates_give(&room);
    return norm;
}

/* v[] <- all measures of a set, for the slot of_sets of a family with `smoothed`; the mean of the smoothed
 * gradients is computed once. `other` (or NULL) is a further measure of the family; of_mean computes it from that
 * mean[d], which it may overwrite. */
static inline void certificates_of_sets(const struct measure *measures, const void *self, long m,
                                        const double *points,
                                        double (*other)(const void *self, long m, const double *points,
                                                        double *error),
                                        double (*of_mean)(const void *self, double *mean), double *v)
{
    const struct certificates *c = self;
    struct certificates_room room;
    double *mean = certificates_take(&room, (size_t)c->d);
    double error, norm = mean ? certificates_norm(c, CERTIFICATE_SMOOTHED, m, points, mean) : NAN;
    for (const struct measure *q = measures; q->name; q++) {
        if (q->of_set == smoothed_set)
            *v++ = norm;
        else if (q->of_set == smoothed_2_set)
            *v++ = norm * norm;
        else if (q->of_set && q->of_set == other)
            *v++ = mean ? of_mean(self, mean) : NAN;
        else if (q->of_set)
            *v++ = q->of_set(self, m, points, &error);
    }
    certificates_give(&room);
}

#define CERTIFICATES_STATIONARITY                                                                 \
    { "stationarity", "f/x", "Goldstein's norm at radius `goldstein`, NaN where not known; of a " \
      "set: at its mean", EXACT, stationarity_at, stationarity_set }
#define CERTIFICATES_SMOOTHED                                                                     \
    { "smoothed", "f/x", "|mean of grad F_delta| over a set, delta half of `goldstein`", EXACT,    \
      NULL, smoothed_set },                                                                       \
    { "smoothed_2", "f^2/x^2", "its square", EXACT, NULL, smoothed_2_set }
#define CERTIFICATES_MEASURES                                                                     \
    { "certificate", "f/x", "|mean of grad F| over a set", EXACT, NULL, certificate_set },         \
    { "sampled", "f/x", "the same at points drawn around the set's, within delta", EXACT, NULL,    \
      sampled_set },                                                                              \
    { "hull", "f/x", "shortest element of a hull of gradients within `goldstein` of a set's mean", \
      EXACT, NULL, hull_set },                                                                     \
    { "chain", "f/x", "largest of norm - search and search - sampled of a set", EXACT, NULL, chain_set }

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_drawn.c - the empirical risk of erm.c on drawn records: the synthetic problems of
 * experiments with quasi-sparse or sparse solutions,
 *
 *     F(x) = (1/n) sum_i l(<a_i,x>, y_i) + (l2/2)|x|^2 + l1 |x|_1   over R^d.
 *
 * Which method is best on such a problem depends on F(0)/F* - 1, by how much the optimum improves on 0. A given
 * noise level yields another value for every seed; the parameter `relative` therefore chooses the noise of each
 * seed so that F(0)/F* - 1 has that value. The instance depends on its parameters only, not on the data seed. */
#include <math.h>
#include "parts/erm_cursor.h"
#include "parts/erm_facts.h"
#include "parts/erm_measures.h"
#include "parts/erm_optimum.h"
#include "problem.h"

/* --- drawn records of a linear model:
 *
 *     X normal, columns then centred and scaled to variance 1;   s = X w + noise z,  z normal;
 *     targets y = s, classes y = sign(s);
 *     w log-normal (all positive, few of them large), or with few non-zeros, uniform on (0, size).
 *
 * X, w and z come from streams of the seed. They stay the same when the penalty, the noise or the place of the
 * regulariser changes. */

struct drawn {
    long n, d, seed;
    double spread;                   /* w_j = exp(spread * normal); 0: w is sparse */
    long nonzeros;                   /* sparse w: the number of nonzero entries, at random places */
    double size;                     /* sparse w: nonzero entries are uniform on (0, size) */
};

enum { DRAWN_X = 1, DRAWN_W, DRAWN_Z, DRAWN_ORDER };

static inline struct rng drawn_stream(const struct drawn *w, uint64_t label)
{
    struct rng base = rng_stream((uint64_t)w->seed);
    return rng_sub(&base, label);
}

static inline void drawn_standardise(long n, long d, double *X)
{
    for (long j = 0; j < d; j++) {
        double mean = 0, square = 0;
        for (long i = 0; i < n; i++)
            mean += X[i * d + j] / (double)n;
        for (long i = 0; i < n; i++) {
            X[i * d + j] -= mean;
            square += X[i * d + j] * X[i * d + j] / (double)n;
        }
        for (long i = 0; i < n; i++)
            X[i * d + j] /= sqrt(square);
    }
}

static inline void drawn_truth(const struct drawn *s, double *w)
{
    struct rng r = drawn_stream(s, DRAWN_W), order = drawn_stream(s, DRAWN_ORDER);
    if (s->spread > 0) {
        rng_normals(&r, s->d, s->spread, w);
        vmath_exp(s->d, w, w);
        return;
    }
    vec_zero(s->d, w);
    for (long left = s->nonzeros; left > 0;) {
        long j = (long)rng_below(&order, (uint64_t)s->d);
        if (w[j] == 0) {
            w[j] = s->size * rng_uniform(&r);
            left--;
        }
    }
}

/* Draws X and stores it in o by rows and by columns, in the arena. */
static inline void drawn_rows(const struct drawn *s, struct arena *a, struct erm *o)
{
    long n = s->n, d = s->d, longer = n > d ? n : d;
    struct table *t = ARENA_ARRAY(a, 1, struct table);
    struct columns *c = ARENA_ARRAY(a, 1, struct columns);
    struct rng r = drawn_stream(s, DRAWN_X);
    int *counting = ARENA_ARRAY(a, longer, int);
    for (long k = 0; k < longer; k++)
        counting[k] = (int)k;
    *t = (struct table){ .path = "drawn", .n = n, .d = d, .nonzeros = n * d, .index = counting,
                         .dense = arena_vec(a, n * d) };
    *c = (struct columns){ .n = n, .d = d, .record = counting, .dense = arena_vec(a, n * d) };
    rng_normals(&r, n * d, 1, t->dense);
    drawn_standardise(n, d, t->dense);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < d; j++)
            c->dense[j * n + i] = t->dense[i * d + j];
    o->A = rows_of(t, false);
    o->columns = c;
    o->n = n;
    o->d = d;
}

/* o->y[n] <- the labels at this noise level. signal[n] = X w; z[n] are normal numbers. */
static inline void drawn_labels(struct erm *o, const double *signal, const double *z, double noise)
{
    for (long i = 0; i < o->n; i++) {
        double s = signal[i] + noise * z[i];
        o->y[i] = !o->loss->signs ? s : s > 0 ? 1 : -1;
    }
}

/* *relative <- F(0)/F* - 1 with the labels at this noise level. */
static inline enum status drawn_signal(struct erm *o, const double *signal, const double *z,
                                       double noise, struct arena *a, double *relative,
                                       struct why *why)
{
    double *origin = arena_vec(a, o->d);
    struct ball_problem p = erm_ball(o);
    struct ball_reference best;
    drawn_labels(o, signal, z, noise);
    vec_zero(o->d, origin);
    double first = erm_value(o, origin);
    TRY(ball_reference(&p, ERM_SMOOTH_TARGET * first, a, &best, why));
    *relative = first / best.value - 1;
    return OK;
}

/* *noise <- the level at which F(0)/F* - 1 = relative, found by bisection, since F(0)/F* - 1 falls with the noise.
 * Labels that are signs change one by one, so that F(0)/F* - 1 takes finitely many values and the nearest one is
 * taken. Refuses if none within 5 % is found. */
static inline enum status drawn_calibrate(struct erm *o, const double *signal, const double *z,
                                          double relative, struct arena *a, double *noise,
                                          struct why *why)
{
    enum { SOLVES = 30 };
    static const double NEAR = 1e-4;
    double low = 1e-3 * vec_norm(o->n, signal) / sqrt((double)o->n), high = 1e6 * low;
    double best = INFINITY;
    for (int k = 0; k < SOLVES && best > NEAR * relative; k++) {
        double at = sqrt(low * high), got;
        TRY(drawn_signal(o, signal, z, at, a, &got, why));
        if (fabs(got - relative) < best) {
            best = fabs(got - relative);
            *noise = at;
        }
        *(got > relative ? &low : &high) = at;
    }
    if (best > 0.05 * relative)
        return why_set(why, BAD_INPUT, "relative = %.6g: no noise found under which F(0)/F* - 1 is "
                       "that; the nearest was off by %.3g", relative, best);
    return OK;
}

struct params {
    long n, d, seed, nonzeros, support;
    const char *loss, *prox;
    double spread, size, noise, relative, l2, l1;
};

static const struct param params[] = {
    PARAM(params, n, 200, 2, 1e7, "records", "records"),
    PARAM(params, d, 20, 1, 1e6, "coordinates", "columns"),
    PARAM(params, seed, 1, 0, 1e15, "", "which instance"),
    PARAM_WORD(params, loss, "logistic", "logistic|squares", "classes, or targets"),
    PARAM(params, spread, 1, 0, 10, "1", "of the log-normal true weights; 0: they are sparse"),
    PARAM(params, nonzeros, 10, 0, 1e6, "", "sparse: true weights that are not 0"),
    PARAM(params, size, 100, 1e-100, 1e100, "x", "sparse: they are uniform on (0, size)"),
    PARAM(params, noise, 10, 0, 1e100, "", "sd added to <a,w>, unless `relative` is given"),
    PARAM(params, relative, NAN, 1e-6, 1e6, "1", "the noise is such that F(0)/F* - 1 is this"),
    PARAM(params, l2, 0.001, 0, 1e100, "f/x^2", "regularisation (l2/2)|x|^2"),
    PARAM(params, l1, 0, 0, 1e100, "f/x", "regularisation l1 |x|_1"),
    PARAM(params, support, 0, 0, 1e9, "", "in place of l1: non-zeros that the optimum has"),
    PARAM_WORD(params, prox, "l1", "none|l1|all",
               "regularisers in the simple part of a prox; the others are in every sample"),
    PARAM_END
};

static enum status make_labels(const struct params *p, const struct drawn *s, struct arena *a,
                               struct erm *o, struct why *why)
{
    double *w = arena_vec(a, o->d), *signal = arena_vec(a, o->n), *z = arena_vec(a, o->n);
    double noise = p->noise;
    struct rng r = drawn_stream(s, DRAWN_Z);
    drawn_truth(s, w);
    rows_times(&o->A, 0, o->n, w, signal);
    rng_normals(&r, o->n, 1, z);
    o->y = arena_vec(a, o->n);
    if (!isnan(p->relative))
        TRY(drawn_calibrate(o, signal, z, p->relative, a, &noise, why));
    drawn_labels(o, signal, z, noise);
    return OK;
}

/* Sets the origin of every fact. M_j is public, since the scaling of the columns determines it whatever the data
 * are. */
static void origins(struct facts *f)
{
    unsigned long public = FACT_BIT(n) | FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(radius) |
                           FACT_BIT(diameter) | FACT_BIT(mu) | FACT_BIT(weak) |
                           FACT_BIT(nonzeros) | FACT_BIT(M_j);
    for (int k = 0; k < FACT_COUNT; k++)
        f->origin[k] = public >> k & 1 ? ORIGIN_PUBLIC : ORIGIN_DATA;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct params *p = vp;
    struct params k = *p;
    struct reference_key key = { "erm-drawn", params, &k, 0, 0 };
    const struct drawn drawn = { p->n, p->d, p->seed, p->spread, p->nonzeros, p->size };
    struct erm *o = ARENA_ARRAY(a, 1, struct erm);
    if (p->spread == 0 && p->nonzeros > p->d)
        return why_set(why, BAD_INPUT, "erm-drawn.nonzeros = %ld: expected at most d = %ld",
                       p->nonzeros, p->d);
    *o = (struct erm){ .loss = loss_find(p->loss), .h = 1, .l1 = p->l1, .l2 = p->l2,
                       .own_l2 = strcmp(p->prox, "all") == 0 ? 0 : p->l2, .radius = INFINITY,
                       .strong = p->l2 };
    k.prox = "l1";
    drawn_rows(&drawn, a, o);
    o->work = arena_vec(a, o->d);
    o->norm = arena_vec(a, o->n);
    TRY(make_labels(p, &drawn, a, o, why));
    TRY(erm_make_penalty(o, &key, &k.l1, &k.support, a, why));
    o->own_l1 = strcmp(p->prox, "none") == 0 ? o->l1 : 0;
    erm_constants(o, arena_vec(a, o->d), arena_vec(a, o->d), facts);
    erm_curvature(o, a, facts);
    origins(facts);
    TRY(erm_optimum(o, &key, a, why));
    double *origin = arena_vec(a, o->d);
    vec_zero(o->d, origin);
    erm_start_facts(o, origin, facts);
    *self = o;
    return OK;
}

static void project(const void *self, double *x) { }

static const struct set sets[] = { { "space", "all of R^d", project }, { 0 } };

static const struct measure measures[] = { ERM_MEASURES, { 0 } };

const struct problem problem_erm_drawn = {
    .name = "erm-drawn",
    .doc = "empirical risk of a linear model on drawn records, with a given signal, l2 and l1",
    .cite = "Mangold, Bellet, Salmon, Tommasi, AISTATS 2023, section 5",
    .params = params,
    .params_size = sizeof(struct params),
    ERM_SLOTS,
};

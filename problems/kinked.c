/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinked.c - nonconvex and nonsmooth losses of a file's records over R^d (parts/kinks.h),
 *
 *     F(x) = (1/n) sum_i phi(<a_i,x>, y_i) + sum_j r(x_j)
 *
 * truncated robust regression, phase retrieval from amplitudes (globally Lipschitz), the ramp of a
 * nonconvex support vector machine; r is capped l1 or SCAD. Every f is max |a_i| + lam sqrt d
 * Lipschitz: with records of norm 1 known without the data. The smoothed gradient is a sum over
 * kinks; Goldstein's norm is searched from above and bounded from below by slopes over the ball. */
#include "data.h"
#include "parts/certificates.h"
#include "parts/kinks.h"
#include "parts/labels.h"
#include "parts/rows.h"
#include "parts/used_once.h"

struct params {
    struct data_request request;
    const char *loss, *target, *penalty;
    double c, lam, cap, goldstein, start, reach;
    long draws, hull, points, centre;
};

static const struct param params[] = {
    DATA_PARAMS(params, request),
    PARAM_WORD(params, loss, "capped", KINKS_LOSSES, "phi, of a score and a label"),
    PARAM_WORD(params, target, "none", "none|centre|zscore",
               "of regression, as in erm; but for none a record is in all others' losses"),
    PARAM_WORD(params, penalty, "none", KINKS_PENALTIES, "r, of every coordinate"),
    PARAM(params, c, 2, 1e-100, 1e100, "z", "where loss capped ends"),
    PARAM(params, lam, 0.01, 0, 1e100, "f/x", "slope of the penalty at 0"),
    PARAM(params, cap, 3.7, 1e-100, 1e100, "x", "where it ends; scad: in units of lam, above 2"),
    PARAM(params, start, 0, 0, 1e100, "x", "|x_1|, in a random direction"),
    CERTIFICATES_PARAMS(params),
    PARAM(params, points, 16, 0, 1e9, "points", "of a set that its measures look at; 0: all"),
    PARAM_END
};

struct self {
    struct certificates c;
    struct rows A;
    long n, d;
    double *norm, *x0;
    struct kinks *loss, penalty;     /* loss[n] */
    double density;                  /* of a coordinate in the unit ball at 0 */
    bool penalised;
};

static double penalty_value(const struct self *o, const double *x)
{
    double sum = 0;
    for (long j = 0; o->penalised && j < o->d; j++)
        sum += kinks_penalty_value(&o->penalty, x[j]);
    return sum;
}

static void penalty_grad(const struct self *o, const double *x, double a, double *g)
{
    for (long j = 0; o->penalised && j < o->d; j++)
        g[j] += a * kinks_slope(&o->penalty, x[j]);
}

/* --- F and its records */

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long i = 0; i < o->n; i++)
        sum += kinks_value(&o->loss[i], rows_dot(&o->A, i, x));
    return sum / (double)o->n + penalty_value(o, x);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->d, g);
    for (long i = 0; i < o->n; i++) {
        double slope = kinks_slope(&o->loss[i], rows_dot(&o->A, i, x));
        if (slope != 0)
            rows_axpy(&o->A, i, slope / (double)o->n, g);
    }
    penalty_grad(o, x, 1, g);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return kinks_value(&o->loss[i], rows_dot(&o->A, i, x)) + penalty_value(o, x);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    rows_axpy(&o->A, i, a * kinks_slope(&o->loss[i], rows_dot(&o->A, i, x)), g);
    penalty_grad(o, x, a, g);
}

/* <a, x + r u> = <a,x> + r <a,u>; <a,u> waits in the last row until it is due. */
static void values_along(const void *self, long i, int points, const double *const *x,
                         const double *r, int m, const double *u, double *v)
{
    const struct self *o = self;
    double *along = v + (long)(points - 1) * m;
    rows_along(&o->A, i, m, u, along);
    for (int p = 0; p < points; p++) {
        double here = rows_dot(&o->A, i, x[p]);
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (long k = 0; o->penalised && k < o->d; k++)
                sum += kinks_penalty_value(&o->penalty, x[p][k] + r[p] * u[j * o->d + k]);
            v[(long)p * m + j] = kinks_value(&o->loss[i], here + r[p] * along[j]) + sum;
        }
    }
}

/* --- smoothing, and what bounds Goldstein's norm from below */

static void smoothed_grad(const void *self, double delta, const double *x, double *g)
{
    const struct self *o = self;
    double d = (double)o->d;
    vec_zero(o->d, g);
    for (long i = 0; i < o->n; i++) {
        double s = delta * o->norm[i], z = rows_dot(&o->A, i, x);
        double slope = s > 0 ? kinks_smoothed(&o->loss[i], d, o->density, z, s) : 0;
        if (slope != 0)
            rows_axpy(&o->A, i, slope / (double)o->n, g);
    }
    for (long j = 0; o->penalised && j < o->d; j++)
        g[j] += kinks_smoothed(&o->penalty, d, o->density, x[j], delta);
}

/* Every record, and every coordinate of the penalty, at its worst. */
static double least(const void *self, const double *x, double r, const double *u)
{
    const struct self *o = self;
    double sum = 0, low, high;
    for (long i = 0; i < o->n; i++) {
        double z = rows_dot(&o->A, i, x), along = rows_dot(&o->A, i, u), reach = r * o->norm[i];
        kinks_range(&o->loss[i], z - reach, z + reach, &low, &high);
        sum += fmin(low * along, high * along) / (double)o->n;
    }
    for (long j = 0; o->penalised && j < o->d; j++) {
        kinks_range(&o->penalty, x[j] - r, x[j] + r, &low, &high);
        sum += fmin(low * u[j], high * u[j]);
    }
    return sum;
}

/* --- make */

static enum status make_labels(const struct params *p, struct self *o, struct arena *a, double *y,
                               struct why *why)
{
    struct labels labels = { .scale = 1 };
    if (strcmp(p->loss, "ramp") == 0)
        TRY(labels_signs(o->A.t, "ramp", true, &labels, why));
    else
        TRY(labels_targets(o->A.t, strcmp(p->target, "centre") == 0,
                           strcmp(p->target, "zscore") == 0, &labels, why));
    return labels_apply(&labels, o->A.t, y, why);
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct params *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    const struct table *t;
    struct rng aside = rng_sub(data, 1);
    double longest = 0;
    if (strcmp(p->penalty, "scad") == 0 && !(p->cap > 2))
        return why_set(why, BAD_INPUT, "kinked.cap = %g: expected more than 2 of scad", p->cap);
    TRY(data_load(&p->request, &t, why));
    *o = (struct self){ .A = rows_of(t, false), .n = t->n, .d = t->d };
    double *y = arena_vec(a, o->n);
    TRY(make_labels(p, o, a, y, why));
    o->penalised = strcmp(p->penalty, "none") != 0 && p->lam > 0;
    o->penalty = kinks_penalty(p->penalty, p->lam, p->cap);
    o->density = smoothed_norm_of((double)o->d, 1).k / 2;
    o->norm = arena_vec(a, o->n);
    o->x0 = arena_vec(a, o->d);
    o->loss = ARENA_ARRAY(a, o->n, struct kinks);
    for (long i = 0; i < o->n; i++) {
        o->norm[i] = sqrt(rows_square(&o->A, i));
        longest = fmax(longest, o->norm[i]);
        o->loss[i] = kinks_loss(p->loss, y[i], p->c);
    }
    if (!isfinite(longest))
        return why_set(why, BAD_INPUT, "%.200s: expected entries with finite squares", t->path);
    rng_sphere(&aside, o->d, o->x0);
    vec_scale(o->d, p->start, o->x0);
    o->c = (struct certificates){ .d = o->d, .draws = p->draws, .hull = p->hull,
        .reach = p->reach, .centre = p->centre,
        .points = p->points, .smoothed = smoothed_grad,
        .q = { .d = o->d, .delta = p->goldstein, .points = rng_sub(data, 3), .self = o,
               .grad = grad, .least = least } };
    /* all parts of F are at least 0 */
    bool mixed = used_once_mixed(&p->request, strcmp(p->loss, "ramp") == 0, p->target);
    double L = used_once_L(&p->request, longest) + (o->penalised ? p->lam * sqrt((double)o->d) : 0);
    used_once_facts(&p->request, mixed, (double)o->n, (double)o->d, L, value(o, o->x0), facts);
    *self = o;
    return OK;
}

static void start(const void *self, double *x0)
{
    const struct self *o = self;
    vec_copy(o->d, o->x0, x0);
}

static unsigned long long content(const void *vp)
{
    const struct params *p = vp;
    const struct table *t;
    struct why why;
    return data_load(&p->request, &t, &why) == OK ? t->checksum : 0;
}

/* --- measures */

static double objective(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);
}

static double stationarity(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    return goldstein_norm(&o->c.q, x, error);
}

static const struct measure measures[] = {
    { "objective", "f", "F(x)", EXACT, objective, NULL },
    { "stationarity", "f/x", "Goldstein's norm at radius `goldstein`: shortest element of a hull of "
      "gradients, and slopes over the ball", CERTIFIED, stationarity, NULL },
    CERTIFICATES_SMOOTHED,
    CERTIFICATES_MEASURES,
    { 0 }
};

static void of_sets(const void *self, long m, const double *points, double *v)
{
    certificates_of_sets(measures, self, m, points, NULL, NULL, v);
}

static const struct measuring_model measuring = { .of_sets = of_sets };

const struct problem problem_kinked = {
    .name = "kinked",
    .doc = "piecewise linear nonconvex losses of a file: truncated regression, phase retrieval, ramp",
    .cite = "Zhang, Tran, Cutkosky (ICLR 2024) ask for such losses; instances are ours",
    .params = params,
    .params_size = sizeof(struct params),
    .content = content,
    .make = make,
    .start = start,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .values_along = values_along,
    .value = value,
    .grad = grad,
    .measures = measures,
    .measuring = &measuring,
};

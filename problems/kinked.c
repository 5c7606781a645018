/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinked.c - nonconvex and nonsmooth losses of a file's records over R^d (parts/kinks.h),
 *
 *     F(x) = (1/n) sum_i phi(<a_i,x>, y_i) + sum_j r(x_j)
 *
 * phi is the loss of truncated robust regression, of phase retrieval from amplitudes (globally Lipschitz), or the
 * ramp loss of a nonconvex support vector machine; r is capped l1 or SCAD. Every sample is Lipschitz with constant
 * max |a_i| + lam sqrt d, which is public for records of norm 1. The gradient of F averaged over a ball is a sum
 * over kinks. Goldstein's norm, the length of the shortest vector in the hull of the gradients within a ball, has
 * an upper bound from a search, and a lower bound from the slopes that occur within the ball. */
#include "parts/file_losses.h"
#include "parts/kinks.h"

struct params {
    struct file_params of;
    const char *loss, *penalty;
    double threshold, c, lam, cap;
};

static const struct param params[] = {
    DATA_PARAMS(params, of.request),
    PARAM_WORD(params, loss, "capped", KINKS_LOSSES, "phi, of a score and a label"),
    FILE_TARGET,
    PARAM(params, threshold, NAN, -1e300, 1e300, "label",
          "ramp: the class of a record is +1 if its label is larger, else -1; unset: the labels are two classes"),
    PARAM_WORD(params, penalty, "none", KINKS_PENALTIES, "r, of every coordinate"),
    PARAM(params, c, 2, 1e-100, 1e100, "z", "where loss capped ends"),
    PARAM(params, lam, 0.01, 0, 1e100, "f/x", "slope of the penalty at 0"),
    PARAM(params, cap, 3.7, 1e-100, 1e100, "x", "where it ends; scad: in units of lam, above 2"),
    PARAM(file_params, start, 0, 0, 1e100, "x", "|x_1|, in a random direction"),
    FILE_CERTIFICATES,
    PARAM_END
};

struct self {
    struct file_losses f;
    double *norm;                    /* [n] |a_i| */
    struct kinks *loss, penalty;     /* loss[n]: the kinks of every record's loss; penalty: those of r */
    double density;                  /* density at 0 of the coordinate u_1, for u uniform in the unit ball */
    bool penalised;
};

static double penalty_value(const struct self *o, const double *x)
{
    double sum = 0;
    for (long j = 0; o->penalised && j < o->f.d; j++)
        sum += kinks_penalty_value(&o->penalty, x[j]);
    return sum;
}

static void penalty_grad(const struct self *o, const double *x, double a, double *g)
{
    for (long j = 0; o->penalised && j < o->f.d; j++)
        g[j] += a * kinks_slope(&o->penalty, x[j]);
}

/* --- F and its records */

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long i = 0; i < o->f.n; i++)
        sum += kinks_value(&o->loss[i], rows_dot(&o->f.A, i, x));
    return sum / (double)o->f.n + penalty_value(o, x);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->f.d, g);
    for (long i = 0; i < o->f.n; i++) {
        double slope = kinks_slope(&o->loss[i], rows_dot(&o->f.A, i, x));
        if (slope != 0)
            rows_axpy(&o->f.A, i, slope / (double)o->f.n, g);
    }
    penalty_grad(o, x, 1, g);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    return kinks_value(&o->loss[i], rows_dot(&o->f.A, i, x)) + penalty_value(o, x);
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    rows_axpy(&o->f.A, i, a * kinks_slope(&o->loss[i], rows_dot(&o->f.A, i, x)), g);
    penalty_grad(o, x, a, g);
}

/* v[points][m] <- values of sample i at x_k + r_k u_j. A score is <a, x + r u> = <a,x> + r <a,u>; the products
 * <a,u_j> are kept in the last row of v until that row is computed. */
static void values_along(const void *self, long i, int points, const double *const *x,
                         const double *r, int m, const double *u, double *v)
{
    const struct self *o = self;
    double *along = v + (long)(points - 1) * m;
    rows_along(&o->f.A, i, m, u, along);
    for (int p = 0; p < points; p++) {
        double here = rows_dot(&o->f.A, i, x[p]);
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (long k = 0; o->penalised && k < o->f.d; k++)
                sum += kinks_penalty_value(&o->penalty, x[p][k] + r[p] * u[j * o->f.d + k]);
            v[(long)p * m + j] = kinks_value(&o->loss[i], here + r[p] * along[j]) + sum;
        }
    }
}

/* --- smoothing, and what bounds Goldstein's norm from below */

static void smoothed_grad(const void *self, double delta, const double *x, double *g)
{
    const struct self *o = self;
    double d = (double)o->f.d;
    vec_zero(o->f.d, g);
    for (long i = 0; i < o->f.n; i++) {
        double s = delta * o->norm[i], z = rows_dot(&o->f.A, i, x);
        double slope = s > 0 ? kinks_smoothed(&o->loss[i], d, o->density, z, s) : 0;
        if (slope != 0)
            rows_axpy(&o->f.A, i, slope / (double)o->f.n, g);
    }
    for (long j = 0; o->penalised && j < o->f.d; j++)
        g[j] += kinks_smoothed(&o->penalty, d, o->density, x[j], delta);
}

/* Returns a lower bound of <grad F(y), u> over |y - x| <= r: the sum of the least terms of every record and of
 * every coordinate of the penalty. */
static double least(const void *self, const double *x, double r, const double *u)
{
    const struct self *o = self;
    double sum = 0, low, high;
    for (long i = 0; i < o->f.n; i++) {
        double z = rows_dot(&o->f.A, i, x), along = rows_dot(&o->f.A, i, u), reach = r * o->norm[i];
        kinks_range(&o->loss[i], z - reach, z + reach, &low, &high);
        sum += fmin(low * along, high * along) / (double)o->f.n;
    }
    for (long j = 0; o->penalised && j < o->f.d; j++) {
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
    bool ramp = strcmp(p->loss, "ramp") == 0;
    if (!ramp && !isnan(p->threshold))
        return why_set(why, BAD_INPUT, "kinked.threshold = %g: expected loss ramp, whose labels are classes, not "
                       "%s", p->threshold, p->loss);
    for (long i = 0; ramp && !isnan(p->threshold) && i < o->f.n; i++)
        y[i] = o->f.A.t->label[i] > p->threshold ? 1 : -1;
    if (ramp && !isnan(p->threshold))
        return OK;
    if (ramp)
        TRY(labels_signs(o->f.A.t, "ramp", true, &labels, why));
    else
        TRY(file_losses_targets(&p->of, o->f.A.t, &labels, why));
    return labels_apply(&labels, o->f.A.t, y, why);
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct params *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    bool classes = strcmp(p->loss, "ramp") == 0;
    if (strcmp(p->penalty, "scad") == 0 && !(p->cap > 2))
        return why_set(why, BAD_INPUT, "kinked.cap = %g: expected more than 2 of scad", p->cap);
    *o = (struct self){ .f = { .value = value, .c = { .smoothed = smoothed_grad,
                                                      .q = { .grad = grad, .least = least } } } };
    TRY(file_losses_load(&p->of, &o->f, why));
    double *y = arena_vec(a, o->f.n);
    TRY(make_labels(p, o, a, y, why));
    o->penalised = strcmp(p->penalty, "none") != 0 && p->lam > 0;
    o->penalty = kinks_penalty(p->penalty, p->lam, p->cap);
    o->density = smoothed_norm_of((double)o->f.d, 1).k / 2;
    o->norm = arena_vec(a, o->f.n);
    o->loss = ARENA_ARRAY(a, o->f.n, struct kinks);
    for (long i = 0; i < o->f.n; i++) {
        o->norm[i] = sqrt(rows_square(&o->f.A, i));
        o->loss[i] = kinks_loss(p->loss, y[i], p->c);
    }
    TRY(file_losses_finish(&p->of, data, a, &o->f, classes,
                           o->penalised ? p->lam * sqrt((double)o->f.d) : 0, facts, why));
    *self = o;
    return OK;
}

static const struct measure measures[] = {
    { "objective", "f", "F(x)", EXACT, file_losses_objective, NULL },
    { "stationarity", "f/x", "Goldstein's norm at radius `goldstein`: shortest element of a hull of "
      "gradients, and slopes over the ball", CERTIFIED, file_losses_stationarity, NULL },
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
    .content = file_losses_content,
    .make = make,
    .start = file_losses_start,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .values_along = values_along,
    .value = value,
    .grad = grad,
    .measures = measures,
    .measuring = &measuring,
};

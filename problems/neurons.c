/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neurons.c - a hidden layer of rectified units on a file's records, output weights fixed, over the
 * weights x = (w_1, ..., w_h) of R^(h p):
 *
 *     F(x) = (1/n) sum_i | sum_j c_j max(0, <w_j,a_i>) - y_i |,   c_j = +-1/sqrt h in turn, |c| = 1
 *
 * Nonsmooth and nonconvex in every unit. f is |a_i|-Lipschitz: with records of norm 1 known without the
 * data. h = 1 is piecewise linear in one score. Goldstein's norm is searched from above only; no bound
 * from below is known here but 0. */
#include "data.h"
#include "parts/certificates.h"
#include "parts/labels.h"
#include "parts/rows.h"
#include "parts/used_once.h"

enum { UNITS = 64 };

struct params {
    struct data_request request;
    const char *target;
    double goldstein, start, reach;
    long units, draws, hull, points, centre;
};

static const struct param params[] = {
    DATA_PARAMS(params, request),
    PARAM_WORD(params, target, "none", "none|centre|zscore",
               "of regression, as in erm; but for none a record is in all others' losses"),
    PARAM(params, units, 4, 1, UNITS, "units", "h"),
    PARAM(params, start, 1, 0, 1e100, "x", "|x_1|, in a random direction; at 0 every unit is flat"),
    CERTIFICATES_PARAMS(params),
    PARAM(params, points, 16, 0, 1e9, "points", "of a set that its measures look at; 0: all"),
    PARAM_END
};

struct self {
    struct certificates c;
    struct rows A;
    long n, d, h, p;                 /* d = h p */
    double *y, *x0;
    double weight;                   /* 1/sqrt h */
};

static double output(const struct self *o, long j) { return j % 2 ? -o->weight : o->weight; }

/* The residual of record i; score[h] <- <w_j,a_i>. */
static double residual(const struct self *o, long i, const double *x, double score[UNITS])
{
    double sum = -o->y[i];
    for (long j = 0; j < o->h; j++) {
        score[j] = rows_dot(&o->A, i, x + j * o->p);
        sum += output(o, j) * fmax(0, score[j]);
    }
    return sum;
}

static double sample_value(const void *self, long i, const double *x)
{
    double score[UNITS];
    return fabs(residual(self, i, x, score));
}

/* From below at a kink of the absolute value, 0 at that of a unit. */
static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    double score[UNITS], slope = residual(o, i, x, score) > 0 ? 1 : -1;
    for (long j = 0; j < o->h; j++)
        if (score[j] > 0)
            rows_axpy(&o->A, i, a * slope * output(o, j), g + j * o->p);
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long i = 0; i < o->n; i++)
        sum += sample_value(self, i, x);
    return sum / (double)o->n;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->d, g);
    for (long i = 0; i < o->n; i++)
        sample_grad(self, i, x, 1 / (double)o->n, g);
}

static double least(const void *self, const double *x, double r, const double *u)
{
    return 0;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct params *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    const struct table *t;
    struct labels labels = { .scale = 1 };
    struct rng aside = rng_sub(data, 1);
    double longest = 0;
    TRY(data_load(&p->request, &t, why));
    *o = (struct self){ .A = rows_of(t, false), .n = t->n, .p = t->d, .h = p->units,
                        .d = p->units * t->d, .y = arena_vec(a, t->n),
                        .weight = 1 / sqrt((double)p->units) };
    TRY(labels_targets(t, strcmp(p->target, "centre") == 0, strcmp(p->target, "zscore") == 0, &labels,
                       why));
    TRY(labels_apply(&labels, t, o->y, why));
    for (long i = 0; i < o->n; i++)
        longest = fmax(longest, sqrt(rows_square(&o->A, i)));
    if (!isfinite(longest))
        return why_set(why, BAD_INPUT, "%.200s: expected entries with finite squares", t->path);
    o->x0 = arena_vec(a, o->d);
    rng_sphere(&aside, o->d, o->x0);
    vec_scale(o->d, p->start, o->x0);
    o->c = (struct certificates){ .d = o->d, .draws = p->draws, .hull = p->hull, .reach = p->reach,
        .centre = p->centre, .points = p->points,
        .q = { .d = o->d, .delta = p->goldstein, .points = rng_sub(data, 3), .self = o,
               .grad = grad, .least = least } };
    used_once_facts(&p->request, used_once_mixed(&p->request, false, p->target), (double)o->n,
                    (double)o->d, used_once_L(&p->request, longest), value(o, o->x0), facts);
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
      "gradients; nothing from below", CERTIFIED, stationarity, NULL },
    CERTIFICATES_MEASURES,
    { 0 }
};

const struct problem problem_neurons = {
    .name = "neurons",
    .doc = "a hidden layer of rectified units, absolute errors on a file's records; nonconvex",
    .cite = "Zhang, Tran, Cutkosky (ICLR 2024) ask for such losses; instances are ours",
    .params = params,
    .params_size = sizeof(struct params),
    .content = content,
    .make = make,
    .start = start,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .value = value,
    .grad = grad,
    .measures = measures,
};

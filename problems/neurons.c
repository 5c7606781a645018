/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neurons.c - a hidden layer of rectified units on a file's records, output weights fixed, over the weights x =
 * (w_1, ..., w_h) of R^(h p), p the number of columns of the file:
 *
 *     F(x) = (1/n) sum_i | sum_j c_j max(0, <w_j,a_i>) - y_i |,   c_j = +-1/sqrt h in turn, |c| = 1
 *
 * F is nonsmooth and nonconvex in the weights of every unit. Sample i is |a_i|-Lipschitz; for records of norm 1
 * this constant is public. With h = 1 a sample is piecewise linear in one score. Goldstein's norm, the length of
 * the shortest vector in the hull of the gradients within a ball, has an upper bound from a search, and no lower
 * bound but 0. */
#include "parts/file_losses.h"

enum { UNITS = 64 };

struct params {
    struct file_params of;
    long units;
};

static const struct param params[] = {
    DATA_PARAMS(params, of.request),
    FILE_TARGET,
    PARAM(params, units, 4, 1, UNITS, "units", "h"),
    PARAM(file_params, start, 1, 0, 1e100, "x", "|x_1|, in a random direction; at 0 every unit is flat"),
    FILE_CERTIFICATES,
    PARAM_END
};

struct self {
    struct file_losses f;            /* f.d = h p */
    long h, p;
    double *y;
    double weight;                   /* 1/sqrt h */
};

static double output(const struct self *o, long j) { return j % 2 ? -o->weight : o->weight; }

/* Returns sum_j c_j max(0, <w_j,a_i>) - y_i; score[h] <- <w_j,a_i>. */
static double residual(const struct self *o, long i, const double *x, double score[UNITS])
{
    double sum = -o->y[i];
    for (long j = 0; j < o->h; j++) {
        score[j] = rows_dot(&o->f.A, i, x + j * o->p);
        sum += output(o, j) * fmax(0, score[j]);
    }
    return sum;
}

static double sample_value(const void *self, long i, const double *x)
{
    double score[UNITS];
    return fabs(residual(self, i, x, score));
}

/* g[d] += a * (a subgradient of sample i). At residual 0 the absolute value has slope -1; at score 0 a unit has
 * slope 0. */
static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    double score[UNITS], slope = residual(o, i, x, score) > 0 ? 1 : -1;
    for (long j = 0; j < o->h; j++)
        if (score[j] > 0)
            rows_axpy(&o->f.A, i, a * slope * output(o, j), g + j * o->p);
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long i = 0; i < o->f.n; i++)
        sum += sample_value(self, i, x);
    return sum / (double)o->f.n;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->f.d, g);
    for (long i = 0; i < o->f.n; i++)
        sample_grad(self, i, x, 1 / (double)o->f.n, g);
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
    struct labels labels = { .scale = 1 };
    *o = (struct self){ .f = { .value = value, .c = { .q = { .grad = grad, .least = least } } },
                        .h = p->units, .weight = 1 / sqrt((double)p->units) };
    TRY(file_losses_load(&p->of, &o->f, why));
    o->p = o->f.d;
    o->f.d *= p->units;
    o->y = arena_vec(a, o->f.n);
    TRY(file_losses_targets(&p->of, o->f.A.t, &labels, why));
    TRY(labels_apply(&labels, o->f.A.t, o->y, why));
    TRY(file_losses_finish(&p->of, data, a, &o->f, false, 0, facts, why));
    *self = o;
    return OK;
}

static const struct measure measures[] = {
    { "objective", "f", "F(x)", EXACT, file_losses_objective, NULL },
    { "stationarity", "f/x", "Goldstein's norm at radius `goldstein`: shortest element of a hull of "
      "gradients; nothing from below", CERTIFIED, file_losses_stationarity, NULL },
    CERTIFICATES_MEASURES,
    { 0 }
};

const struct problem problem_neurons = {
    .name = "neurons",
    .doc = "a hidden layer of rectified units, absolute errors on a file's records; nonconvex",
    .cite = "Zhang, Tran, Cutkosky (ICLR 2024) ask for such losses; instances are ours",
    .params = params,
    .params_size = sizeof(struct params),
    .content = file_losses_content,
    .make = make,
    .start = file_losses_start,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .value = value,
    .grad = grad,
    .measures = measures,
};

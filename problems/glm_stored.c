/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm_stored.c - n records of glm_sphere (parts/glm.h), kept as rows; F is the mean of their losses, over |x| <= r.
 * With l convex, any slopes alpha_i in the domain of l* bound the minimum from below,
 *
 *     F* >= -(1/n) sum_i l*(alpha_i, y_i) - r |(1/n) sum_i alpha_i a_i|.
 *
 * This certifies the reference optimum (parts/reference_dual.h) and the gap of any point. It is a family
 * apart from glm_sphere.c because its excess is that of the mean over the records; the excess of the
 * population is a second measure, and exact. */
#include <float.h>
#include "parts/glm.h"
#include "parts/model_mean.h"
#include "parts/reference_dual.h"

static const double TARGET = 1e-10;  /* the gap at which the search for the reference stops, in units of F(0) */

struct glm_stored {
    struct glm g;
    long n;
};

static const struct param params[] = {
    GLM_PARAMS("absolute", "uniform"),
    PARAM(glm, a0, 1, 1e-100, 1e100, "1", "|a|"),
    PARAM(glm_stored, n, 200, 1, 1e7, "records", "records of the data set"),
    PARAM_END
};

struct self {
    struct glm_instance q;
    long n;
    struct dual_reference best;
};

/* --- the rows as a matrix */

static void times(const void *self, const double *x, double *s)
{
    const struct self *o = self;
    vec_gemv(o->n, o->q.F.d, 1, o->q.rows, x, 0, s);
}

static void combine(const void *self, const double *c, double *g)
{
    const struct self *o = self;
    vec_gemv_t(o->n, o->q.F.d, 1, o->q.rows, c, 1, g);
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return model_mean(&glm_linear, o, o->n, linear_block(o->q.F.d), x, true, NULL);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->q.F.d, g);
    model_mean(&glm_linear, o, o->n, linear_block(o->q.F.d), x, false, g);
}

/* --- measures */

/* Returns an upper bound of F(x) - F*: F(x) - F(reference), plus the duality gap of the reference and the rounding
 * of losses and scores. The truth is smaller by at most *error, the gap and twice the rounding. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double f = value(self, x);
    double rounding = DBL_EPSILON * (f + o->q.canary * vec_norm(o->q.F.d, x));
    *error = o->best.gap + 2 * rounding;
    return f - o->best.value + o->best.gap + rounding;
}

/* Returns F(x) less the lower bound of F* that the slopes alpha_i of the losses at x give. Since l(z) + l*(alpha) =
 * alpha z, this is <g,x> + r|g| with g = grad F(x). */
static double gap(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double g[GLM_D_MAX];
    *error = 0;
    grad(self, x, g);
    return vec_dot(o->q.F.d, g, x) + o->q.radius * vec_norm(o->q.F.d, g);
}

/* --- building */

/* States the facts. All but f_star are constants of the family, which depend on no record. */
static void public_facts(const struct self *o, struct arena *a, struct facts *f)
{
    glm_facts(&o->q, a, f);
    f->n = (double)o->n;
    f->G = f->sigma = f->L;
    f->M_F = f->M;
    f->M_j = NULL;
    f->mu = 0;
    f->dist = f->radius;
    f->Phi = f->L * f->radius;
    f->f_star = o->best.value;
    f->origin[FACT_f_star] = ORIGIN_DATA;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct glm_stored *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    double *rows = arena_vec(a, p->n * p->g.d), *labels = arena_vec(a, p->n);

    if (isinf(p->g.radius))
        return why_set(why, BAD_INPUT, "glm_stored.radius = inf: expected a finite radius, without "
                       "which nothing bounds the minimum");
    TRY(glm_sphere_build("glm_stored", &p->g, data, a, &o->q, why));
    glm_draw(&o->q, 0, p->n, rows, labels);
    o->n = p->n;
    o->q.rows = rows;
    o->q.labels = labels;
    const struct dual_problem dual = { .A = { o, p->n, p->g.d, times, combine }, .y = labels,
                                       .loss = o->q.F.loss, .h = p->g.h, .radius = p->g.radius };
    TRY(dual_reference(&dual, TARGET * value(o, o->q.F.origin), a, &o->best, why));
    public_facts(o, a, facts);
    *self = o;
    return OK;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, F* a reference certified by duality", CERTIFIED, excess, NULL },
    { "gap", "f", "duality gap of x and the slopes there, no reference", EXACT, gap, NULL },
    { "excess_population", "f", "F(x) - F* of the population, by quadrature", EXACT,
      glm_excess_measure, NULL },
    { "distance_population", "x", "|x - x*|, x* of the population", EXACT, glm_distance, NULL },
    { 0 }
};

const struct problem problem_glm_stored = {
    .name = "glm_stored",
    .doc = "linear model with design uniform on a sphere; n records, a certified duality gap",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct glm_stored),
    .canaries = 2,
    .make = make,
    .sample_value = glm_sample_value,
    .sample_grad = glm_sample_grad,
    .linear = &glm_linear,
    .values_along = glm_values_along,
    .value = value,
    .grad = grad,
    .sets = glm_sets,
    .linear_min = glm_linear_min,
    .measures = measures,
};

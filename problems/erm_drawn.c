/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_drawn.c - the empirical risk of erm.c on records that are drawn, parts/erm_drawn.h: the
 * synthetic problems of experiments with quasi-sparse or sparse solutions,
 *
 *     F(x) = (1/n) sum_i l(<a_i,x>, y_i) + (l2/2)|x|^2 + l1 |x|_1   over R^d.
 *
 * How much the labels tell decides who wins on such a problem, and a noise level alone does not fix
 * it from seed to seed: `relative` chooses the noise of each seed so that F(0)/F* - 1 is given. The
 * instance depends on its parameters only, as a file would. */
#include <math.h>
#include "parts/erm_cursor.h"
#include "parts/erm_drawn.h"
#include "parts/erm_facts.h"
#include "parts/erm_measures.h"
#include "problem.h"

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

/* Scaled columns have the same curvature whatever the data are. */
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
    .fixed = true,
    .make = make,
    .sample_value = erm_sample_value,
    .sample_grad = erm_sample_grad,
    .linear = &erm_linear,
    .values_along = erm_values_along,
    .sample_nonzeros = erm_sample_nonzeros,
    .value = erm_value, .grad = erm_grad,
    .cursor = &erm_cursor,
    .composite = &erm_composite,
    .sets = sets,
    .measures = measures,
    .minimiser = erm_minimiser,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm.c - empirical risk of a linear model on a table of records,
 *
 *     F(x) = (1/n) sum_i l(<a_i,x>, y_i) + (l2/2)|x|^2 + l1 |x|_1
 *
 * over R^d or a centred ball, with the losses of parts/losses.h. Of two classes the one with the larger
 * label has y = +1. An intercept is a last column of ones, regularised like any other column; by default
 * there is none. Theorems differ in where the regulariser stands, so that it is a parameter: it is part of every
 * sample, or it is the simple part of a proximal step, which is neither clipped nor perturbed by noise. */
#include <math.h>
#include "ball.h"
#include "data.h"
#include "parts/erm_cursor.h"
#include "parts/erm_facts.h"
#include "parts/erm_measures.h"
#include "parts/labels.h"
#include "problem.h"

struct params {
    struct data_request request;
    const char *loss, *target, *prox, *optimum;
    double l2, l1, h, radius;
    long intercept, support;
};

static const struct param params[] = {
    DATA_PARAMS(params, request),
    PARAM_WORD(params, loss, "logistic", "squares|absolute|huber|logistic|hinge|sigmoid|capped",
               "of a score and a label"),
    PARAM(params, l2, 0.01, 0, 1e100, "f/x^2", "regularisation (l2/2)|x|^2, = mu of convex losses"),
    PARAM(params, l1, 0, 0, 1e100, "f/x", "regularisation l1 |x|_1"),
    PARAM(params, support, 0, 0, 1e9, "", "in place of l1: non-zeros that the optimum has"),
    PARAM_WORD(params, prox, "l1", "none|l1|all",
               "regularisers in the simple part of a prox; the others are in every sample"),
    PARAM(params, h, 1, 1e-100, 1e100, "f/z", "shape of huber and capped"),
    PARAM(params, radius, INFINITY, 1e-100, INFINITY, "x", "of the feasible ball"),
    PARAM(params, intercept, 0, 0, 1, "", "1: a last column of ones"),
    PARAM_WORD(params, target, "none", "none|centre|zscore",
               "of regression: as it is, less its mean, also over its standard deviation"),
    PARAM_WORD(params, optimum, "certified", "certified|none",
               "none: excess and distance are not known, and nothing is spent on them"),
    PARAM_END
};

/* Makes the labels of the records of F and of the records held out, with one map for both: that of the records of
 * F. */
static enum status make_labels(const struct params *p, struct arena *a, struct erm *o,
                               struct why *why)
{
    struct labels labels = { .scale = 1 };
    bool centre = strcmp(p->target, "centre") == 0, zscore = strcmp(p->target, "zscore") == 0;
    if (o->loss->signs && (centre || zscore))
        return why_set(why, BAD_INPUT, "erm.target = '%s': %s has classes: expected none",
                       p->target, o->loss->name);
    TRY(o->loss->signs ? labels_signs(o->A.t, o->loss->name, !o->held.n, &labels, why)
                       : labels_targets(o->A.t, centre, zscore, &labels, why));
    o->y = arena_vec(a, o->n);
    o->held_y = arena_vec(a, o->held.n);
    TRY(labels_apply(&labels, o->A.t, o->y, why));
    return o->held.n ? labels_apply(&labels, o->held.t, o->held_y, why) : OK;
}

static enum status make_rows(const struct params *p, struct erm *o, struct why *why)
{
    const struct table *t;
    struct data_request held = p->request;
    TRY(data_load(&p->request, &t, why));
    o->A = rows_of(t, p->intercept == 1);
    o->n = o->A.n;
    o->d = o->A.d;
    if (held.test == 0)
        return OK;
    held.heldout = true;
    TRY(data_load(&held, &t, why));
    o->held = rows_of(t, p->intercept == 1);
    return OK;
}

/* Sets the origin of every fact. Public are those that the parameters determine. For rows of norm 1 these include
 * L and M, which are set here to bounds that hold for any such records. */
static void origins(const struct params *p, const struct erm *o, struct facts *f)
{
    unsigned long public = FACT_BIT(n) | FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(radius) |
                           FACT_BIT(diameter);
    if (o->loss->weak(o->h) == 0)
        public |= FACT_BIT(mu) | FACT_BIT(weak);
    if (strcmp(p->request.scaling, "unit") == 0) {
        double longest = 1 + (double)o->A.ones, rounding = 1 + 1e-12;
        if (isfinite(o->loss->lipschitz(o->h)) && isfinite(f->L)) {
            f->L += rounding * o->loss->lipschitz(o->h) * sqrt(longest) - o->steepest;
            public |= FACT_BIT(L);
        }
        if (isfinite(f->M)) {
            f->M = rounding * o->loss->smooth(o->h) * longest + o->own_l2;
            public |= FACT_BIT(M);
        }
    }
    for (int k = 0; k < FACT_COUNT; k++)
        f->origin[k] = public >> k & 1 ? ORIGIN_PUBLIC : ORIGIN_DATA;
}

/* Sets the penalties of o. *k <- the parameters with the l1 in use; *key names the reference optimum by *k. */
static enum status make_penalty(const struct params *p, struct params *k,
                                struct reference_key *key, struct arena *a, struct erm *o,
                                struct why *why)
{
    *k = *p;
    k->prox = "l1";                  /* where a regulariser stands does not move the optimum */
    *key = (struct reference_key){ "erm", params, k, o->A.t->checksum, 0 };
    o->strong = p->l2;
    TRY(erm_make_penalty(o, key, &k->l1, &k->support, a, why));
    o->own_l1 = strcmp(p->prox, "none") == 0 ? o->l1 : 0;
    return OK;
}

static enum status make_optimum(const struct params *p, struct reference_key *key, struct arena *a,
                                struct erm *o, struct facts *facts, struct why *why)
{
    double *origin = arena_vec(a, o->d);
    o->best = (struct erm_optimum){ NULL, NAN, NAN, NAN };
    if (strcmp(p->optimum, "none") != 0)
        TRY(erm_optimum(o, key, a, why));
    vec_zero(o->d, origin);
    erm_start_facts(o, origin, facts);
    if (o->loss->signs && !o->best.x)
        facts->origin[FACT_Phi] = ORIGIN_PUBLIC;     /* the loss at 0, whatever the records are */
    return OK;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct params *p = vp;
    struct params k;
    struct reference_key key;
    bool all = strcmp(p->prox, "all") == 0;
    struct erm *o = ARENA_ARRAY(a, 1, struct erm);
    *o = (struct erm){ .loss = loss_find(p->loss), .h = p->h, .l1 = p->l1, .l2 = p->l2,
                       .own_l1 = strcmp(p->prox, "none") == 0 ? p->l1 : 0,
                       .own_l2 = all ? 0 : p->l2, .radius = p->radius };
    TRY(make_rows(p, o, why));
    TRY(make_labels(p, a, o, why));
    o->work = arena_vec(a, o->d);
    o->norm = arena_vec(a, o->n);
    TRY(make_penalty(p, &k, &key, a, o, why));
    erm_constants(o, arena_vec(a, o->d), arena_vec(a, o->d), facts);
    if (!isfinite(o->length))
        return why_set(why, BAD_INPUT, "%.200s: expected entries with finite squares",
                       o->A.t->path);
    erm_curvature(o, a, facts);
    origins(p, o, facts);
    TRY(make_optimum(p, &key, a, o, facts, why));
    *self = o;
    return OK;
}

/* --- the feasible set */

static void project(const void *self, double *x)
{
    const struct erm *o = self;
    if (isfinite(o->radius))
        vec_project_ball(o->d, NULL, o->radius, x);
}

static void linear_min(const void *self, const double *g, double *x)
{
    const struct erm *o = self;
    ball_linear_min(o->d, o->radius, g, x);
}

static const struct set sets[] = { { "ball", "|x| <= radius; infinite: R^d", project }, { 0 } };

/* --- measures of the records held out; they are NaN if none were */

static double held_loss(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    double sum = 0;
    *error = 0;
    for (long i = 0; i < o->held.n; i++)
        sum += o->loss->value(o->h, rows_dot(&o->held, i, x), o->held_y[i]);
    return o->held.n ? sum / (double)o->held.n : NAN;
}

static double held_accuracy(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->loss->signs && o->held.n ? erm_share(&o->held, o->held_y, x) : NAN;
}

/* Returns |grad F(x)|. It is defined for smooth losses over R^d without l1, and NaN otherwise. */
static double slope(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    if (!isfinite(o->loss->smooth(o->h)) || o->l1 > 0 || isfinite(o->radius))
        return NAN;
    erm_both(o, o->l2, 0, x, false, o->work);
    return vec_norm(o->d, o->work);
}

static const struct measure measures[] = {
    ERM_MEASURES,
    { "gradient", "f/x", "|grad F(x)|", EXACT, slope, NULL },
    { "held_loss", "f", "mean loss on the records held out", EXACT, held_loss, NULL },
    { "held_accuracy", "1", "share of the records held out on the right side", EXACT,
      held_accuracy, NULL },
    { 0 }
};

static unsigned long long content(const void *vp)
{
    const struct table *table;
    const struct params *p = vp;
    return data_load(&p->request, &table, NULL) == OK ? table->checksum : 0;
}

const struct problem problem_erm = {
    .name = "erm",
    .doc = "empirical risk of a linear model on a file, l2 and l1, in R^d or a ball",
    .cite = "Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, ch. 12",
    .params = params,
    .params_size = sizeof(struct params),
    ERM_SLOTS,
    .content = content,
    .linear_min = linear_min,
};

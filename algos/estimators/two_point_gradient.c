/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_point_gradient.c - a gradient of the smoothed loss, or a difference of two, from values at two points
 * (parts/two_point.h), at x = along e_1 + aside e_2 and y = x - moved e_1. It is drawn twice, with independent
 * samples and directions, as half the mean squared distance of two draws is the variance. */
#include <string.h>

#include "estimator.h"
#include "two_point.h"

struct own {
    const char *what;
    double smoothing, L, along, aside, moved;
    long b, directions;
};

static const struct param params[] = {
    PARAM_WORD(own, what, "gradient", "gradient|difference|symmetric",
               "GRAD at x; DIFF of x and y; the same from four values"),
    PARAM(own, smoothing, 0.1, 1e-100, 1e100, "x", "delta"),
    PARAM(own, L, NAN, 1e-100, INFINITY, "f/x", "of the clamp; default the fact; infinite: none"),
    PARAM(own, along, 0, -1e100, 1e100, "x", "first coordinate of x"),
    PARAM(own, aside, 0, -1e100, 1e100, "x", "second coordinate of x"),
    PARAM(own, moved, 0.01, 0, 1e100, "x", "|x - y|"),
    PARAM(own, b, 1, 1, 0x1p40, "samples", "in a batch"),
    PARAM(own, directions, 0, 0, 0x1p20, "directions", "of a sample; 0: d"),
    PARAM_END
};

enum { LARGEST };
static const struct note notes[] = {
    { "largest", "f/x", "largest norm of a draw", REDUCE_MAX },
    { 0 }
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->L);
    param_choose_count(&p->directions, (long)f->d);
    if (f->d < 2 && p->aside != 0)
        return why_set(why, BAD_INPUT, "two-point-gradient.aside = %g: expected 0 in one dimension",
                       p->aside);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return 2 * two_point_work(f->d, (double)p->directions * (double)p->b, 0.5);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *x = arena_vec(w, d), *y = arena_vec(w, d);
    bool gradient = strcmp(p->what, "gradient") == 0;
    struct two_point f = { p->smoothing, p->L, p->directions, strcmp(p->what, "symmetric") == 0 };
    struct ticket z;
    arena_seal(w);
    vec_zero(d, x);
    vec_zero(2 * d, v);
    if (d > 1)
        x[1] = p->aside;
    x[0] = p->along;
    vec_copy(d, x, y);
    y[0] -= p->moved;
    for (int k = 0; k < 2 && oracle_take(o, p->b, &z); k++) {
        bool paid = gradient ? two_point_grad(o, &f, &z, x, v + k * d)
                             : two_point_diff(o, &f, &z, x, y, v + k * d);
        if (paid)
            oracle_note(o, LARGEST, vec_norm(d, v + k * d));
    }
    return OK;
}

static double square(const struct functional_env *env, const double *v)
{
    return vec_dot(env->d, v, v);
}

static double variance(const struct functional_env *env, const double *v)
{
    double apart = vec_dist(env->d, v, v + env->d);
    return apart * apart / 2;
}

static double first(const struct functional_env *env, const double *v) { return v[0]; }
static double second(const struct functional_env *env, const double *v) { return v[env->d > 1]; }

static const struct functional functionals[] = {
    { "square", "f^2/x^2", "|v|^2", square },
    { "variance", "f^2/x^2", "|v - v'|^2/2, v' another draw", variance },
    { "first", "f/x", "<v, e_1>", first },
    { "second", "f/x", "<v, e_2>", second },
    { 0 }
};

const struct estimator estimator_two_point_gradient = {
    .name = "two-point-gradient",
    .doc = "gradient of the smoothed loss, or a difference of two, from values at two points",
    .cite = "Zhang, Tran, Cutkosky, Private Zeroth-Order Nonsmooth Nonconvex Optimization (2024), "
            "Algorithms 1 and 2, Lemmas 3.1 and 3.2",
    .calls = CALL_SAMPLE_VALUES,
    .may_read = FACT_BIT(d) | FACT_BIT(L),
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .vectors = 2,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .draw = draw,
};

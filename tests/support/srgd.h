/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srgd.h - records the points at which accelerated-dp-srgd asks for gradients, and its projections. It does so from
 * outside: the problem is wrapped in one that notes these points. */
#ifndef ASSAY_TESTS_SRGD_H
#define ASSAY_TESTS_SRGD_H

#include "contract/contract.h"

/* The wrapped family, and what was recorded in each round: x, the point of the gradients, and eta, their weight;
 * z_free and y_free before the projections, z and y after them. eta has T numbers, the others [T][d]. Sample i is
 * answered as sample shift + (i mod repeat); repeat 0: as sample shift + i. If `fixed`, [T+1][d], is set, either
 * projection of round t answers fixed[t+1], which prescribes the path. */
struct spy {
    const struct problem *p;
    const void *self;
    long d, T, B, shift, repeat, projections;
    const double *fixed;
    double *x, *eta, *z_free, *y_free, *z, *y;
};

static inline long spy_index(const struct spy *s, long i)
{
    return s->shift + (s->repeat ? i % s->repeat : i);
}

static inline void spy_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct spy *s = self;
    if (i % s->B == 0 && a > 0) {
        vec_copy(s->d, x, s->x + i / s->B * s->d);
        s->eta[i / s->B] = a;
    }
    family_add_grad(s->p, s->self, s->d, spy_index(s, i), x, a, g);
}

/* Gives the oracle the gradient for its measures, so that these questions are not recorded. */
static inline void spy_measure_grad(const void *self, const double *x, double *g)
{
    const struct spy *s = self;
    s->p->grad(s->self, x, g);
}
static const struct measuring_model spy_measuring = { .grad = spy_measure_grad };

/* Records a projection. Every round projects z first, then y. */
static inline void spy_project(const void *self, double *x)
{
    struct spy *s = (struct spy *)(size_t)self;
    long t = s->projections / 2;
    bool first = s->projections++ % 2 == 0;
    vec_copy(s->d, x, (first ? s->z_free : s->y_free) + t * s->d);
    if (s->fixed)
        vec_copy(s->d, s->fixed + (t + 1) * s->d, x);
    else if (s->p->sets)
        s->p->sets[0].project(s->self, x);
    vec_copy(s->d, x, (first ? s->z : s->y) + t * s->d);
}

static const struct set spy_sets[] = { { "spied", "", spy_project }, { 0 } };

/* accelerated-dp-srgd on one instance, with what its last run showed. */
struct course {
    struct arena *memory, *work;
    const struct algo *algo;
    struct instance in;
    struct problem problem;          /* the wrapped family */
    struct spy spy;
    struct oracle o;
    _Alignas(16) unsigned char params[512];
    long T, B, d;
    double beta, kappa, C, sigma, mu; /* the method's parameters of these names */
    double *answer;                  /* [d] of the last run */
};

static inline double course_param(const struct course *c, const char *name)
{
    return params_get(params_find(c->algo->params, name), c->params);
}

/* Sets the parameters of a method: `with` over the defaults, then the choice by `tune`. */
static inline enum status course_tune(struct course *c, const char *algo, const struct facts *f,
                                      const struct goal *goal, const struct with *with,
                                      struct why *why)
{
    c->algo = registry_algo(algo);
    assert_non_null(c->algo);
    assert_true(c->algo->params_size <= sizeof c->params);
    params_default(c->algo->params, c->params);
    for (; with->name; with++)
        assert_int_equal(params_set(params_find(c->algo->params, with->name), c->params,
                                    with->value, algo, why), OK);
    TRY(c->algo->tune(f, goal, c->params, why));
    c->T = (long)course_param(c, "T");
    c->B = (long)course_param(c, "B");
    c->C = course_param(c, "C");
    c->sigma = course_param(c, "sigma");
    c->mu = course_param(c, "mu");
    return OK;
}

/* Returns a course that is ready to run on the instance, whose memory remains the caller's. */
static inline struct course *course_open(const struct instance *in, const struct with *with)
{
    struct course *c = calloc(1, sizeof *c);
    struct goal goal = goal_unknown();
    struct why why = { "" };
    c->memory = arena_new(0);
    c->work = arena_new(0);
    c->in = *in;
    c->d = (long)in->f.d;
    if (course_tune(c, "accelerated-dp-srgd", &in->f, &goal, with, &why) != OK)
        fail_msg("%s", why.text);
    c->beta = course_param(c, "beta");
    c->kappa = course_param(c, "kappa");
    c->problem = *in->p;
    c->problem.sample_grad = spy_grad;
    c->problem.batch_grad = NULL;
    c->problem.shared = NULL;
    c->problem.grad = NULL;
    c->problem.measuring = in->p->grad ? &spy_measuring : NULL;
    c->problem.sets = spy_sets;
    c->spy = (struct spy){ .p = in->p, .self = in->self, .d = c->d, .T = c->T, .B = c->B,
                           .eta = arena_vec(c->memory, c->T) };
    double **seen[] = { &c->spy.x, &c->spy.z_free, &c->spy.y_free, &c->spy.z, &c->spy.y };
    for (int k = 0; k < 5; k++)
        *seen[k] = arena_vec(c->memory, c->T * c->d);
    c->answer = arena_vec(c->memory, c->d);
    return c;
}
#define COURSE(in, ...) course_open(in, (const struct with[]){ __VA_ARGS__, { 0 } })

static inline void course_free(struct course *c)
{
    oracle_release(&c->o);
    arena_free(c->work);
    arena_free(c->memory);
    free(c);
}

/* Makes one run from the origin; seed is that of the noise. */
static inline void course_run(struct course *c, uint64_t seed, struct neighbour neighbour)
{
    struct rng data = instance_data(1), rng = rng_stream(3);
    oracle_release(&c->o);
    arena_reset(c->work);
    c->spy.projections = 0;
    oracle_open(&c->o, &c->problem, &c->spy, &c->in.f, c->algo->calls, &data, seed, c->work);
    c->o.neighbour = neighbour;
    vec_zero(c->d, c->answer);
    assert_int_equal(c->algo->run(&c->o, c->params, c->work, &rng, c->answer), OK);
    assert_true(c->spy.projections == 2 * c->T);
}

static const struct neighbour nobody = { NEIGHBOUR_SAME, 0, 0 };

/* v[d] <- eta_t grad f(x_t, i) - eta_{t-1} grad f(x_{t-1}, i) along the path, not clipped; eta_t = t + 1. */
static inline void course_difference(const struct course *c, long t, long i, double *v)
{
    vec_zero(c->d, v);
    i = spy_index(&c->spy, i);
    c->in.p->sample_grad(c->in.self, i, c->spy.x + t * c->d, (double)t + 1, v);
    if (t)
        c->in.p->sample_grad(c->in.self, i, c->spy.x + (t - 1) * c->d, -(double)t, v);
}

/* sum[d] += v min(1, C/|v|)/B, entry by entry. */
static inline void course_add_clipped(const struct course *c, const double *v, double *sum)
{
    double square = 0;
    for (long j = 0; j < c->d; j++)
        square += v[j] * v[j];
    double shrink = sqrt(square) > c->C ? c->C / sqrt(square) : 1;
    for (long j = 0; j < c->d; j++)
        sum[j] += v[j] * shrink / (double)c->B;
}

/* Delta[d] <- the clipped mean difference of round t; v[d] is scratch. */
static inline void course_Delta(const struct course *c, long t, double *v, double *Delta)
{
    vec_zero(c->d, Delta);
    for (long i = t * c->B; i < (t + 1) * c->B; i++) {
        course_difference(c, t, i, v);
        course_add_clipped(c, v, Delta);
    }
}

/* G[d] <- the release of round t, computed back from the move from x_t to y_{t+1} before its projection. */
static inline void course_release(const struct course *c, long t, double *G)
{
    for (long j = 0; j < c->d; j++)
        G[j] = (c->spy.x[t * c->d + j] - c->spy.y_free[t * c->d + j]) * c->beta * (double)(t + 1);
}

/* --- families for these tests over the ball of radius 1, whose samples are drawn from the stream `key` */

enum { LOCAL_D = 20 };
struct local {
    double m, s, c[LOCAL_D];         /* curvature; size of the noise; minimiser */
    struct rng key;
};

static inline void local_draw(const struct local *o, long i, long *j, long *K, double *xi)
{
    struct rng r = rng_at(&o->key, (uint64_t)i);
    *j = (long)rng_below(&r, LOCAL_D);
    *K = (long)rng_below(&r, LOCAL_D);
    *xi = o->s * rng_sign(&r);
}

/* f(x; i) = (m/2)(x_j - c_j)^2 - xi x_K with random coordinates j and K of the d = LOCAL_D, and xi = s or -s at
 * random. The Hessian differs between samples; F - F* = m |x-c|^2/(2d). */
static inline void local_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct local *o = self;
    long j, K;
    double xi;
    local_draw(o, i, &j, &K, &xi);
    g[j] += a * o->m * (x[j] - o->c[j]);
    g[K] -= a * xi;
}

static inline void local_mean_grad(const void *self, const double *x, double *g)
{
    const struct local *o = self;
    for (int j = 0; j < LOCAL_D; j++)
        g[j] = o->m * (x[j] - o->c[j]) / LOCAL_D;
}

static inline double local_excess(const void *self, const double *x, double *error)
{
    const struct local *o = self;
    double gap = vec_dist(LOCAL_D, x, o->c);
    *error = 0;
    return o->m * gap * gap / (2 * LOCAL_D);
}

static inline bool local_minimiser(const void *self, double *x)
{
    vec_copy(LOCAL_D, ((const struct local *)self)->c, x);
    return true;
}

/* f(x; i) = s(<a_i, x>) with s(z) = 1/(1 + e^z) and |a_i| = 2: not convex, 1/2-Lipschitz, 0.385-smooth (max |s''|
 * |a_i|^2). */
static inline void local_sigmoid_grad(const void *self, long i, const double *x, double a,
                                      double *g)
{
    struct rng r = rng_at(&((const struct local *)self)->key, (uint64_t)i);
    double u[LOCAL_D];
    rng_sphere(&r, LOCAL_D, u);
    double s = 1 / (1 + exp(2 * vec_dot(LOCAL_D, u, x)));
    vec_axpy(LOCAL_D, -2 * a * s * (1 - s), u, g);
}

static inline void local_project(const void *self, double *x)
{
    vec_project_ball(LOCAL_D, NULL, 1, x);
}

static const struct set local_sets[] = { { "ball", "", local_project }, { 0 } };
static const struct measure local_measures[] = {
    { "excess", "f", "F(x) - F*", EXACT, local_excess, NULL }, { 0 }
};
static const struct problem local_hessians = {
    .name = "hessians", .sample_grad = local_grad, .grad = local_mean_grad, .sets = local_sets,
    .measures = local_measures, .minimiser = local_minimiser
};
static const struct problem local_sigmoid = {
    .name = "sigmoid", .sample_grad = local_sigmoid_grad, .sets = local_sets
};

static inline struct instance local_instance(const struct problem *p, struct local *o)
{
    struct instance in = { .p = p, .self = o, .f = facts_unknown(), .d = LOCAL_D };
    double largest = 0;
    for (int j = 0; j < LOCAL_D; j++) {
        o->c[j] = (j % 2 ? -0.5 : 0.5) * sqrt(2 * (j + 1.0) / (LOCAL_D * (LOCAL_D + 1.0)));
        largest = fmax(largest, fabs(o->c[j]));
    }
    in.f.d = LOCAL_D;
    in.f.n = INFINITY;
    in.f.radius = 1;
    in.f.diameter = 2;
    in.f.M = p == &local_hessians ? o->m : 0.385;
    in.f.L = p == &local_hessians ? o->m * (1 + largest) + o->s : 0.5;
    return in;
}

#endif

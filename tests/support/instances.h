/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instances.h - small instances of every registered family, for tests over the registry. */
#ifndef ASSAY_TESTS_INSTANCES_H
#define ASSAY_TESTS_INSTANCES_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "problem.h"
#include "cell/registry.h"
#include "support/need.h"

struct instance {
    const struct problem *p;
    void *params, *self;
    struct facts f;
    long d;
    char name[128];
};

enum { INSTANCES_MAX = 256 };
struct instances {
    struct arena *arena;
    int count;
    struct instance list[INSTANCES_MAX];
};

#define EXPECT(in, condition, ...) do {                                                           \
        if (!(condition)) {                                                                       \
            print_error("%s: %s: ", (in)->name, #condition);                                      \
            print_error(__VA_ARGS__);                                                             \
            print_error("\n");                                                                    \
            fail();                                                                               \
        }                                                                                         \
    } while (0)

static inline struct rng instance_data(uint64_t seed)
{
    return rng_stream(0x5eed0000 + seed);
}

/* *self, *f <- an instance with the family and the parameters of *in, built from this seed. */
static inline enum status instance_make(const struct instance *in, uint64_t seed, struct arena *a,
                                        void **self, struct facts *f, struct why *why)
{
    struct rng data = instance_data(seed);
    *f = facts_unknown();
    return in->p->make(in->params, &data, a, self, f, why);
}

struct with { const char *name; double value; const char *word; };  /* a setting: a value, or a word where `word` is
                                                                       set */
enum { WITH_MAX = 8 };

/* *in <- a family with its defaults and the given settings, which end with { 0 }. */
static inline enum status instance_with(struct arena *a, const struct problem *p,
                                        const struct with *with, struct instance *in,
                                        struct why *why)
{
    *in = (struct instance){ .p = p, .params = arena_bytes(a, p->params_size) };
    size_t used = (size_t)snprintf(in->name, sizeof in->name, "%s", p->name);
    params_default(p->params, in->params);
    for (; with->name; with++) {
        const struct param *param = params_find(p->params, with->name);
        if (!param)
            return why_set(why, BAD_INPUT, "%s has no %s", p->name, with->name);
        TRY(with->word ? params_set_text(param, in->params, with->word, p->name, why)
                       : params_set(param, in->params, with->value, p->name, why));
        char number[32];
        if (used < sizeof in->name)
            used += (size_t)snprintf(in->name + used, sizeof in->name - used, " %s=%s", with->name,
                                     with->word ? with->word : number_text(with->value, number));
    }
    TRY(instance_make(in, 1, a, &in->self, &in->f, why));
    in->d = (long)in->f.d;
    return OK;
}

/* Returns the instance that instance_with makes of a registered family, by name; a refusal fails the test. */
static inline struct instance instance_of(struct arena *a, const char *family,
                                          const struct with *with)
{
    const struct problem *p = registry_problem(family);
    struct instance in = { 0 };
    struct why why = { "no such family" };
    if (!p || instance_with(a, p, with, &in, &why) != OK)
        fail_msg("%s: %s", family, why.text);
    return in;
}
#define INSTANCE(a, family, ...) \
    instance_of(a, family, (const struct with[WITH_MAX + 1]){ __VA_ARGS__ })

/* Adds an instance. A family that cannot be built fails the test; one whose data set may be missing on this machine
 * and is (need.h) is left out. */
static inline void instance_add(struct instances *all, const struct problem *p,
                                const struct with *with)
{
    struct instance in;
    struct why why = { "" };
    if (all->count == INSTANCES_MAX)
        fail_msg("more than %d instances", INSTANCES_MAX);
    if (instance_with(all->arena, p, with, &in, &why) == OK)
        all->list[all->count++] = in;
    else if (!params_find(p->params, "data") || !lacks("heart_scale"))
        fail_msg("%s: %s", in.name, why.text);
}

/* For the families of problems/: settings which reach branches of their code that the defaults do not reach. */
static const struct { const char *family; struct with with[WITH_MAX]; } variants[] = {
    { "spectral", { { "d", 5 }, { "rr", 1.2 } } },
    { "spectral", { { "d", 5 }, { "rr", 1 } } },
    { "spectral_polytope", { { "d", 5 }, { "rr", 1.5 }, { "radius", 2 } } },
    { "spectral_stored", { { "d", 5 }, { "rr", 1.2 }, { "n", 50 } } },
    { "spectral_stored", { { "d", 3 }, { "s", 0 }, { "decades", 0.5 }, { "M", 4 } } },
    { "spectral", { { "d", 5 }, { "radius", INFINITY } } },
    { "spectral", { { "d", 3 }, { "s", 0 }, { "decades", 0 }, { "M", 4 } } },
    { "spectral_sphere", { { "d", 4 }, { "rr", 1.5 }, { "radius", 2 } } },
    { "corner", { { "d", 9 }, { "dist", 2 }, { "a", 0.5 } } },
    { "corner", { { "d", 2 }, { "s", 0 } } },
    { "corner", { { "body", 0, "spectraplex" }, { "d", 10 }, { "dist", 3 } } },
    { "corner", { { "body", 0, "spectraplex" } } },
    { "linear", { { "d", 5 }, { "hardness", 2 }, { "radius", 0.5 } } },
    { "coercive_max", { { "d", 6 }, { "m", 4 }, { "gap", 0.2 }, { "L", 2 } } },
    { "chain", { { "d", 7 }, { "k", 3 } } },
    { "chain", { { "d", 6 }, { "radius", 1.5 }, { "M", 3 } } },
    { "huber", { { "d", 3 }, { "tau", 2 } } },
    { "sigmoid", { { "d", 5 }, { "radius", 2 }, { "length", 4 } } },
    { "sigmoid_stored", { { "d", 5 }, { "radius", 2 }, { "flip", 0 } } },
    { "capped", { { "d", 5 }, { "noise", 0 }, { "outliers", 0 }, { "radius", 1 } } },
    { "capped_stored", { { "d", 5 }, { "noise", 0 }, { "cap", 0.4 }, { "L", 3 },
                         { "radius", 2 } } },
    { "norm", { { "d", 3 }, { "s", 0.5 }, { "L", 2 }, { "radius", 1.5 } } },
    { "noisy_l1", { { "d", 40 }, { "p", 0.5 }, { "radius", 3 }, { "dist", 2 } } },
    { "noisy_l1", { { "d", 2 }, { "p", 1 } } },
    { "spatial_median", { { "d", 5 }, { "L", 2 }, { "w", 2 }, { "radius", INFINITY } } },
    { "composite_l1", { { "d", 5 }, { "decades", 2 }, { "M", 3 }, { "radius", 1.5 }, { "s", 2 } } },
    { "huber_pair", { { "d", 5 }, { "k", 0.5 }, { "s", 0.2 }, { "decades", 1 }, { "M", 2 } } },
    { "huber_pair", { { "d", 40 }, { "k", 0.2 }, { "s", 0.2 }, { "radius", INFINITY } } },
    { "glm", { { "d", 3 }, { "loss", 0, "squares" }, { "noise", 0, "laplace" } } },
    { "glm", { { "d", 3 }, { "loss", 0, "absolute" }, { "decades", 2 }, { "a0", 2 } } },
    { "glm", { { "d", 4 }, { "loss", 0, "huber" }, { "noise", 0, "uniform" }, { "h", 0.2 } } },
    { "glm", { { "d", 5 }, { "loss", 0, "hinge" }, { "radius", 3 } } },
    { "glm", { { "d", 4 }, { "loss", 0, "hinge" }, { "decades", 1 }, { "radius", INFINITY } } },
    { "glm", { { "d", 3 }, { "rr", 3 }, { "radius", 2 } } },
    { "glm_stored", { { "d", 5 }, { "loss", 0, "hinge" }, { "radius", 5 }, { "n", 100 } } },
    { "glm_stored", { { "d", 4 }, { "loss", 0, "logistic" }, { "radius", 3 }, { "a0", 2 } } },
    { "glm_stored", { { "d", 3 }, { "loss", 0, "huber" }, { "h", 0.2 }, { "n", 40 } } },
    { "glm_stored", { { "d", 8 }, { "loss", 0, "squares" }, { "n", 5 } } },
    { "glm_sphere", { { "d", 5 }, { "rr", 1.5 }, { "s", 0.2 } } },
    { "glm_sphere", { { "d", 3 }, { "s", 0 }, { "radius", INFINITY } } },
    { "glm_sphere", { { "d", 4 }, { "loss", 0, "squares" }, { "a0", 3 } } },
    { "glm_sphere", { { "d", 2 }, { "loss", 0, "huber" }, { "h", 0.3 }, { "a0", 2 } } },
    { "glm_sphere", { { "d", 6 }, { "loss", 0, "logistic" }, { "a0", 4 }, { "radius", 3 } } },
    { "glm_sphere", { { "d", 4 }, { "loss", 0, "hinge" }, { "radius", 9 }, { "flip", 0.2 } } },
    { "private_mean", { { "d", 6 }, { "decades", 1 }, { "rest", 0.5 }, { "alpha", 0.1 },
                        { "n", 7 } } },
    { "private_mean", { { "d", 5 }, { "active", 2 }, { "mode", 0, "records" }, { "r", 0.9 },
                        { "n", 150 } } },
    { "private_mean", { { "d", 4 }, { "ripple", 2 }, { "M", 3 }, { "rest", 0.25 } } },
    { "private_mean", { { "d", 3 }, { "active", 3 }, { "kappa", 2 }, { "M", 2 }, { "L", 3 } } },
    { "erm", { { "loss", 0, "squares" }, { "radius", 0.5 }, { "intercept", 1 } } },
    { "erm", { { "loss", 0, "huber" }, { "l1", 0.01 }, { "prox", 0, "none" }, { "radius", 1 } } },
    { "erm", { { "loss", 0, "logistic" }, { "l1", 0.01 }, { "l2", 0 } } },
    { "erm", { { "loss", 0, "logistic" }, { "l1", 0.01 }, { "l2", 0.1 }, { "prox", 0, "all" } } },
    { "erm", { { "loss", 0, "hinge" }, { "radius", 2 } } },
    { "erm", { { "loss", 0, "sigmoid" } } },
    { "sloped", { { "d", 5 }, { "shape", 0, "slope" }, { "turned", 1 } } },
    { "sloped", { { "d", 5 }, { "shape", 0, "bowl" }, { "L", 2 }, { "R", 0.5 } } },
    { "sloped", { { "d", 4 }, { "shape", 0, "valley" }, { "turned", 1 }, { "dist", 0.3 } } },
    { "kinked", { { "loss", 0, "ramp" }, { "penalty", 0, "capped" }, { "cap", 0.5 } } },
    { "kinked", { { "loss", 0, "phase" }, { "penalty", 0, "scad" }, { "start", 1 } } },
    { "worst_group", { { "by", 0 }, { "N", 3 }, { "l2", 0.1 }, { "radius", 3 },
                       { "intercept", 1 } } },
    { "worst_group", { { "N", 1 }, { "radius", 0.2 }, { "scaling", 0, "unit" } } },
};

static inline int instances_setup(void **state)
{
    static const double dims[] = { 1, 2, 7 };
    struct instances *all = test_calloc(1, sizeof *all);

    all->arena = arena_new(0);
    for (const struct problem *const *p = registry_problems(); *p; p++) {
        const struct param *d = params_find((*p)->params, "d");
        if (!d)
            instance_add(all, *p, (struct with[]){ { 0 } });
        for (size_t k = 0; d && k < sizeof dims / sizeof *dims; k++)
            if (dims[k] >= d->lo && dims[k] <= d->hi)
                instance_add(all, *p, (struct with[]){ { "d", dims[k] }, { 0 } });
    }
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct problem *p = registry_problem(variants[k].family);
        if (p)
            instance_add(all, p, variants[k].with);
    }
    *state = all;
    return all->count > 0 ? 0 : -1;
}

static inline int instances_teardown(void **state)
{
    struct instances *all = *state;
    arena_free(all->arena);
    test_free(all);
    return 0;
}

/* g[d] += a times the mean of b gradients at x, drawn by the family's function for the law of this mean. */
static inline void instance_law(const struct instance *in, const struct rng *draw, double b,
                                const double *x, double a, double *g)
{
    in->p->batch_law(in->self, draw, b, 1, &x, &a, g);
}

/* Are two numbers equal up to a tolerance, which is relative above 1 and absolute below? */
static inline bool agree(double value, double truth, double tolerance)
{
    return fabs(value - truth) <= tolerance * (1 + fabs(truth));
}

/* Runs a check on every instance; a check returns false where the family does not offer what it tests. OVER_ALL:
 * the test fails if no family offers it. OVER_SOME: the test is skipped if none does. */
static inline void instances_check(void **state, bool must,
                                   bool (*check)(const struct instance *, struct arena *,
                                                 struct rng *))
{
    const struct instances *all = *state;
    int checked = 0;
    for (int k = 0; k < all->count; k++) {
        struct rng r = rng_stream(1000 + (uint64_t)k);
        struct arena *work = arena_new(0);
        checked += check(&all->list[k], work, &r);
        arena_free(work);
    }
    assert_true(checked > 0 || !must);
    if (checked == 0) {
        printf("skip: no family offers it\n");
        skip();
    }
}

#define OVER_ALL(check) \
    static void test_##check(void **state) { instances_check(state, true, check_##check); }
#define OVER_SOME(check) \
    static void test_##check(void **state) { instances_check(state, false, check_##check); }

/* x[d] <- a random point of the feasible set, at the scale of the instance. */
static inline void instance_point(const struct instance *in, struct rng *r, double *x)
{
    if (isfinite(in->f.radius)) {
        rng_ball(r, in->d, x);
        vec_scale(in->d, in->f.radius, x);
    } else {
        double scale = in->f.dist > 0 && isfinite(in->f.dist) ? in->f.dist : 1;
        rng_normals(r, in->d, scale, x);
    }
    if (in->p->sets)
        in->p->sets[0].project(in->self, x);
}

static inline void instance_start(const struct instance *in, double *x)
{
    vec_zero(in->d, x);
    if (in->p->start)
        in->p->start(in->self, x);
}

/* g[d] <- the gradient of the mean of the samples. For families whose samples cover only a part of F it is the
 * gradient of that part. */
static inline void instance_mean_grad(const struct instance *in, const double *x, double *g)
{
    if (in->p->composite && in->p->composite->has_rest) {
        in->p->composite->smooth_grad(in->self, x, g);
        return;
    }
    in->p->grad(in->self, x, g);
    if (in->p->composite && in->p->composite->rest_sampled) {
        double *smooth = test_malloc((size_t)in->d * sizeof *smooth);
        in->p->composite->smooth_grad(in->self, x, smooth);
        vec_axpy(in->d, -1, smooth, g);
        test_free(smooth);
    }
}

/* g[d] += a grad f(x; s_i); for a deterministic family a grad F(x). */
static inline void family_add_grad(const struct problem *p, const void *self, long d, long i,
                                   const double *x, double a, double *g)
{
    if (p->sample_grad) {
        p->sample_grad(self, i, x, a, g);
        return;
    }
    double *whole = test_malloc((size_t)d * sizeof *whole);
    p->grad(self, x, whole);
    vec_axpy(d, a, whole, g);
    test_free(whole);
}

/* g[d] <- grad f(x; s_i). */
static inline void instance_sample_grad(const struct instance *in, long i, const double *x,
                                        double *g)
{
    vec_zero(in->d, g);
    family_add_grad(in->p, in->self, in->d, i, x, 1, g);
}

/* Returns the index of an existing sample: a record, or one of the first 2^20 samples of a stream. */
static inline long instance_sample(const struct instance *in, struct rng *r)
{
    double n = isfinite(in->f.n) ? in->f.n : 0x1p20;
    return (long)rng_below(r, (uint64_t)n);
}

#endif

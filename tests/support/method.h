/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method.h - one method on one instance: its choice of parameters and its runs. A test that repeats a run by a loop
 * of its own takes the same noise and samples from a twin, an oracle of the same seed. */
#ifndef ASSAY_TESTS_METHOD_H
#define ASSAY_TESTS_METHOD_H

#include "contract/contract.h"

struct method {
    struct arena *memory, *work;
    const struct instance *in;
    const struct algo *algo;
    struct oracle o;                 /* the oracle of the last run */
    double *x;                       /* the answer of the last run */
    _Alignas(16) unsigned char params[512];
};

/* What all tests of a program use: the memory of their instances, and a goal without any request. */
static struct arena *memory;
static struct goal none;

static inline int setup(void **state)
{
    memory = arena_new(0);
    none = goal_unknown();
    return 0;
}

static inline int teardown(void **state)
{
    arena_free(memory);
    return 0;
}

static const struct neighbour nobody = { NEIGHBOUR_SAME, 0, 0 };

/* Returns the method, ready to run from the origin. If `tune` refuses, returns NULL with the reason in *why, or
 * fails the test where `why` is NULL. */
static inline struct method *method_tuned(const char *name, const struct instance *in,
                                          const struct goal *goal, const struct with *with,
                                          struct why *why)
{
    struct method *m = calloc(1, sizeof *m);
    struct why no = { "" };
    m->algo = registry_algo(name);
    assert_non_null(m->algo);
    assert_true(m->algo->params_size <= sizeof m->params);
    params_default(m->algo->params, m->params);
    for (; with->name; with++) {
        const struct param *p = params_find(m->algo->params, with->name);
        if (!p || (with->word ? params_set_text(p, m->params, with->word, name, &no)
                              : params_set(p, m->params, with->value, name, &no)) != OK)
            fail_msg("%s.%s: %s", name, with->name, no.text);
    }
    struct facts told = facts_told(&in->f, m->algo->reads | m->algo->may_read);
    enum status s = m->algo->tune(&told, goal, m->params, why ? why : &no);
    if (s != OK && why) {
        free(m);
        return NULL;
    }
    if (s != OK)
        fail_msg("%s", no.text);
    m->in = in;
    m->memory = arena_new(0);
    m->work = arena_new(0);
    m->x = arena_vec(m->memory, in->d);
    return m;
}
#define METHOD(name, in, goal, ...) \
    method_tuned(name, in, goal, (const struct with[]){ __VA_ARGS__, { 0 } }, NULL)

static inline void method_free(struct method *m)
{
    oracle_release(&m->o);
    arena_free(m->work);
    arena_free(m->memory);
    free(m);
}

static inline double method_param(const struct method *m, const char *name)
{
    const struct param *p = params_find(m->algo->params, name);
    assert_non_null(p);
    return params_get(p, m->params);
}

/* Makes one run from the origin, on the neighbouring data set that `neighbour` names; seed is that of noise and
 * samples. Returns the answer. */
static inline const double *method_run(struct method *m, uint64_t seed, struct neighbour neighbour)
{
    struct rng rng = rng_stream(3);
    oracle_release(&m->o);
    arena_reset(m->work);
    contract_open(&m->o, m->in, m->algo, seed, m->work);
    m->o.neighbour = neighbour;
    vec_zero(m->in->d, m->x);
    assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
    if (m->o.refused)
        fail_msg("%s", m->o.refused);
    return m->x;
}

/* Makes one run from the origin. The seed gives the noise, the samples and the method's own random draws. The run
 * may be refused. */
static inline const double *method_drawn(struct method *m, uint64_t seed)
{
    struct rng rng = rng_stream(seed);
    oracle_release(&m->o);
    arena_reset(m->work);
    contract_open(&m->o, m->in, m->algo, seed, m->work);
    vec_zero(m->in->d, m->x);
    assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
    return m->x;
}

static inline struct goal goal_private(double n, double eps, double delta)
{
    struct goal g = goal_unknown();
    g.n = n;
    g.eps = eps;
    g.delta = delta;
    return g;
}

/* Checks that the method's `tune` refuses, with a reason that contains `words`. */
static inline void expect_refusal(const char *name, const struct instance *in,
                                  const struct goal *goal, const struct with *with,
                                  const char *words)
{
    struct why why = { "" };
    struct method *m = method_tuned(name, in, goal, with, &why);
    if (m || !strstr(why.text, words))
        fail_msg("%s on %s: \"%s\", expected \"%s\"", name, in->name, why.text, words);
}

/* v[d] <- clip( wa grad f(a; i) + wb grad f(b; i), C ) for sample i, computed entry by entry. b NULL: the first
 * term alone. */
static inline void sample_clipped(const struct instance *in, long i, double wa, const double *a,
                                  double wb, const double *b, double C, double *v)
{
    double square = 0;
    vec_zero(in->d, v);
    in->p->sample_grad(in->self, i, a, wa, v);
    if (b)
        in->p->sample_grad(in->self, i, b, wb, v);
    for (long j = 0; j < in->d; j++)
        square += v[j] * v[j];
    for (long j = 0; j < in->d && sqrt(square) > C; j++)
        v[j] *= C / sqrt(square);
}

static inline void instance_project(const struct instance *in, double *x)
{
    if (in->p->sets)
        in->p->sets[0].project(in->self, x);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - for tests of estimators: one estimator on one instance, with its tuned parameters, which returns its
 * values one by one. */
#ifndef ASSAY_TESTS_DRAW_H
#define ASSAY_TESTS_DRAW_H

#include "contract/contract.h"

enum { DRAWN_STRATA = 64 };

struct draw_of {
    const struct estimator *e;
    const struct instance *in;
    struct arena *memory, *work;
    struct oracle o;
    struct rng rng;                  /* draw k has the substream k */
    uint64_t draws;                  /* draws made so far */
    int strata;
    double weight[DRAWN_STRATA];     /* probabilities of the strata */
    double *v, *target, *direction;  /* v: the last draw; target[d]: what the mean should be, NULL if unknown;
                                        direction[d]: the first unit vector, for functionals */
    _Alignas(16) unsigned char params[512];
};

/* Returns the estimator with the given settings. The other parameters are those that `tune` chooses for a goal that
 * requests nothing. If `tune` refuses, returns NULL with the reason in *why, or fails the test where `why` is
 * NULL. */
static inline struct draw_of *drawn_tuned(const char *name, const struct instance *in, uint64_t seed,
                                        const struct with *with, struct why *why)
{
    struct draw_of *q = calloc(1, sizeof *q);
    struct why no = { "" };
    struct goal goal = goal_unknown();
    q->e = registry_estimator(name);
    assert_non_null(q->e);
    assert_true(q->e->params_size <= sizeof q->params);
    params_default(q->e->params, q->params);
    for (; with->name; with++) {
        const struct param *p = params_find(q->e->params, with->name);
        if (!p || (with->word ? params_set_text(p, q->params, with->word, name, &no)
                              : params_set(p, q->params, with->value, name, &no)) != OK)
            fail_msg("%s.%s: %s", name, with->name, no.text);
    }
    struct facts told = facts_told(&in->f, q->e->reads | q->e->may_read);
    enum status s = q->e->tune ? q->e->tune(&told, &goal, q->params, why ? why : &no) : OK;
    if (s != OK && why) {
        free(q);
        return NULL;
    }
    if (s != OK)
        fail_msg("%s", no.text);
    q->in = in;
    q->memory = arena_new(0);
    q->work = arena_new(0);
    q->rng = rng_stream(seed + 1000);
    q->v = arena_vec(q->memory, q->e->vectors * in->d);
    q->target = arena_vec(q->memory, in->d);
    q->direction = arena_vec(q->memory, in->d);
    vec_zero(in->d, q->direction);
    q->direction[0] = 1;
    if (!q->e->target || !q->e->target(in->p, in->self, q->params, q->memory, in->d, q->target))
        q->target = NULL;
    q->weight[0] = 1;
    q->strata = q->e->strata ? q->e->strata(q->params, q->weight) : 1;
    struct rng data = instance_data(1);
    oracle_open(&q->o, in->p, in->self, &in->f, q->e->calls, &data, seed, q->memory);
    return q;
}
#define DRAWN(name, in, seed, ...) \
    drawn_tuned(name, in, seed, (const struct with[]){ __VA_ARGS__, { 0 } }, NULL)

static inline void drawn_free(struct draw_of *q)
{
    oracle_release(&q->o);
    arena_free(q->work);
    arena_free(q->memory);
    free(q);
}

static inline double drawn_param(const struct draw_of *q, const char *name)
{
    return params_get(params_find(q->e->params, name), q->params);
}

/* Returns the next draw of a stratum; *gradients, unless NULL, <- its number of gradients. */
static inline const double *drawn_next(struct draw_of *q, int stratum, double *gradients)
{
    struct rng one = rng_at(&q->rng, q->draws++);
    double before = q->o.counts.of[COUNT_sample_grads];
    arena_reset(q->work);
    if (q->e->draw(&q->o, q->params, q->work, &one, stratum, q->v) != OK || q->o.refused)
        fail_msg("%s: %s", q->e->name, q->o.refused ? q->o.refused : "no draw");
    assert_true(arena_sealed(q->work));
    if (gradients)
        *gradients = q->o.counts.of[COUNT_sample_grads] - before;
    return q->v;
}

static inline double drawn_functional(const struct draw_of *q, const char *name)
{
    struct functional_env env = { q->in->d, q->target, q->direction };
    for (const struct functional *f = q->e->functionals; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f->of(&env, q->v);
    fail_msg("%s has no functional %s", q->e->name, name);
    return NAN;
}

/* Returns the mean of a functional over the strata, from `each` draws of each stratum; *error2 <- the squared
 * standard error of this mean. */
static inline double drawn_mean(struct draw_of *q, const char *functional, int each, double *error2)
{
    double sum = 0;
    *error2 = 0;
    for (int k = 0; k < q->strata; k++) {
        struct sample_moments m = { 0 };
        for (int i = 0; i < each; i++) {
            drawn_next(q, k, NULL);
            moments_of(&m, drawn_functional(q, functional));
        }
        sum += q->weight[k] * m.mean;
        *error2 += q->weight[k] * q->weight[k] * moments_variance(&m) / each;
    }
    return sum;
}

#endif

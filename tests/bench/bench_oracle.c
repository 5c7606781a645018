/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_oracle.c - the time that counting takes: batches and values through the oracle, compared with the same work
 * without it. */
#include <math.h>
#include <stdlib.h>

#include "cell/cell.h"
#include "nights/gbench.h"
#include "cell/registry.h"
#include "oracle/oracle_state.h"

enum { D = 256 };

struct asking {
    long d, batch;                   /* batch: samples in a question */
    struct arena *memory;
    void *self;
    struct facts facts;
    struct oracle oracle;
    double *x, *g;                   /* [d] the point; the answer */
    long next;                       /* the next sample, where no oracle is asked */
};

static void open_problem(const char *name, struct asking *a)
{
    const struct problem *p = registry_problem(name);
    struct cell *c;
    struct bag bag = { 0 };
    struct why why;
    bag_put(&bag, "problem.d", (double)a->d);
    if (cell_make(name, "sgd", &bag, 0, &c, &why) != OK)
        abort();
    struct rng data = rng_stream(1);
    a->memory = arena_new(0);
    if (p->make(c->problem_params, &data, a->memory, &a->self, &a->facts, &why) != OK)
        abort();
    oracle_open(&a->oracle, p, a->self, &a->facts, ~0u, &data, 1, a->memory);
    a->x = arena_vec(a->memory, a->d);
    a->g = arena_vec(a->memory, a->d);
    vec_fill(a->d, 0.01, a->x);
}

static void ask(void *p, long iterations)
{
    struct asking *a = p;
    for (long k = 0; k < iterations; k++)
        oracle_sgrad(&a->oracle, a->batch, a->x, a->g);
}

/* Does the work of a question without an oracle: fresh samples, a vector set to zero, one batch. */
static void ask_directly(void *p, long iterations)
{
    struct asking *a = p;
    for (long k = 0; k < iterations; k++) {
        struct samples s = { a->next, a->batch, NULL };
        a->next += a->batch;
        vec_zero(a->d, a->g);
        a->oracle.problem->batch_grad(a->self, &s, NULL, a->x, 1, a->g);
    }
}

/* One counted call, and hardly anything else: the family's objective is a few operations. */
static void ask_value(void *p, long iterations)
{
    struct asking *a = p;
    double sum = 0, f = 0;
    for (long k = 0; k < iterations; k++) {
        oracle_value(&a->oracle, a->x, &f);
        sum += f;
    }
    a->g[0] = sum;
}

static void ask_value_directly(void *p, long iterations)
{
    struct asking *a = p;
    double sum = 0;
    for (long k = 0; k < iterations; k++)
        sum += a->oracle.problem->value(a->self, a->x);
    a->g[0] = sum;
}

/* The mean of one large batch must be within six standard errors of the gradient. */
static int right(struct asking *a, void (*asked)(void *, long))
{
    enum { LARGE = 1 << 20 };
    struct asking once = *a;
    double exact[D];
    once.batch = LARGE;
    a->oracle.problem->grad(a->self, a->x, exact);
    asked(&once, 1);
    return !(vec_dist(a->d, exact, a->g) < 6 * a->facts.sigma / sqrt(LARGE));
}

static int asked_right(void *p)    { return right(p, ask); }
static int directly_right(void *p) { return right(p, ask_directly); }

/* The value through the oracle must equal, to the bit, what the family's function returns. */
static int value_right(void *p)
{
    struct asking *a = p;
    double f = NAN;
    return !oracle_value(&a->oracle, a->x, &f) || f != a->oracle.problem->value(a->self, a->x);
}

/* Checks the value of the family chain at four coordinates that are all x: f = (2 x^2/2 - a x)/4 with a = |x*|
 * sqrt(30/36). */
static int value_directly_right(void *p)
{
    struct asking *a = p;
    double x = a->x[0], f = (x * x - sqrt(30. / 36) * a->facts.dist * x) / 4;
    ask_value_directly(a, 1);
    return !(fabs(a->g[0] / f - 1) < 1e-14);
}

static struct asking large = { .d = D, .batch = 64 }, small = { .d = 4, .batch = 1 },
                     chain = { .d = 4 };

static void begin(void)
{
    open_problem("spectral", &large);
    open_problem("spectral", &small);
    open_problem("chain", &chain);
}

static void end(void)
{
    arena_free(large.memory);
    arena_free(small.memory);
    arena_free(chain.memory);
}

static const struct gbench_case cases[] = {
    { "spectral batch", "64 x 256", &large, ask, asked_right, .items = 64, .peer = "direct batch" },
    { "direct batch", "64 x 256", &large, ask_directly, directly_right, .items = 64 },
    { "spectral batch", "1 x 4", &small, ask, asked_right, .items = 1, .peer = "direct batch" },
    { "direct batch", "1 x 4", &small, ask_directly, directly_right, .items = 1 },
    { "value of chain", "d = 4", &chain, ask_value, value_right, .items = 1,
      .peer = "direct value" },
    { "direct value", "d = 4", &chain, ask_value_directly, value_directly_right, .items = 1 },
    { 0 }
};

const struct gbench_group bench_oracle = { "oracle", cases, begin, end };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_kernels.c - the inner loops: normals, vectors, batches through the oracle, one whole cell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "account_pld.h"
#include "bench_data.h"
#include "cell.h"
#include "gbench.h"
#include "registry.h"
#include "run.h"

enum { D = 256 };

/* --- plain kernels: one payload for all */

struct vectors { struct rng rng; double x[D], y[D]; };
static struct vectors vectors;

static void normals(void *p, long iterations)
{
    struct vectors *v = p;
    for (long k = 0; k < iterations; k++)
        rng_normals(&v->rng, D, 1, v->x);
}

/* Mean and variance of what was drawn, at six standard errors. */
static int normals_right(void *p)
{
    struct vectors *v = p;
    double sum = 0, square = 0, n = 1000.0 * D;
    for (int k = 0; k < 1000; k++) {
        rng_normals(&v->rng, D, 1, v->x);
        for (int j = 0; j < D; j++) {
            sum += v->x[j];
            square += v->x[j] * v->x[j];
        }
    }
    return fabs(sum / sqrt(n)) > 6 || fabs(square / n - 1) > 6 * sqrt(2 / n);
}

static void axpy(void *p, long iterations)
{
    struct vectors *v = p;
    for (long k = 0; k < iterations; k++)
        vec_axpy(D, 1e-9, v->x, v->y);
}

static void dot(void *p, long iterations)
{
    struct vectors *v = p;
    for (long k = 0; k < iterations; k++)
        v->y[0] = 1e-300 * vec_dot(D, v->x, v->y);
}

/* --- sample gradients through the oracle: the price of counting beside the work */

struct asking {
    long d, batch;
    struct arena *memory;
    void *self;
    struct facts facts;
    struct oracle oracle;
    double *x, *g;
    long next;
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

/* The same work without an oracle: fresh samples, a zeroed vector, one batch. */
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

/* One counted call and nothing else: the objective of a family whose value is a few operations. */
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

/* The mean of one large batch is within six standard errors of the gradient. */
static int asked_right(void *p)
{
    struct asking *a = p;
    enum { LARGE = 1 << 20 };
    double exact[D];
    a->oracle.problem->grad(a->self, a->x, exact);
    oracle_sgrad(&a->oracle, LARGE, a->x, a->g);
    return vec_dist(a->d, exact, a->g) > 6 * a->facts.sigma / sqrt(LARGE);
}

/* --- one small cell, everything included */

static struct runner *runner;
static struct cell *small_cell;

static void one_cell(void *p, long iterations)
{
    for (long k = 0; k < iterations; k++)
        record_free(run_cell(runner, small_cell, NULL));
}

static void make_cell(void)
{
    struct bag bag = { 0 };
    struct why why;
    bag_put(&bag, "goal.T", 10);
    if (cell_make("chain", "gd", &bag, 0, &small_cell, &why) != OK)
        abort();
    runner = runner_new(0);
}

static void one_composition(void *p, long iterations)
{
    for (long k = 0; k < iterations; k++)
        pld_sampled_gaussian(0.01, 1, 1000, 1e-5);
}

int main(int argc, char **argv)
{
    static struct asking large = { .d = D, .batch = 64 }, small = { .d = 4, .batch = 1 },
                         chain = { .d = 4 };
    static const struct gbench_case cases[] = {
        { "normals/256", &vectors, normals, normals_right, 8 * D, D },
        { "axpy/256", &vectors, axpy, NULL, 24 * D, D },
        { "dot/256", &vectors, dot, NULL, 16 * D, D },
        { "spectral batch 64 x 256, oracle", &large, ask, asked_right, 0, 64 },
        { "spectral batch 64 x 256, direct", &large, ask_directly, NULL, 0, 64 },
        { "spectral batch 1 x 4, oracle", &small, ask, asked_right, 0, 1 },
        { "spectral batch 1 x 4, direct", &small, ask_directly, NULL, 0, 1 },
        { "value of chain, d = 4, oracle", &chain, ask_value, NULL, 0, 1 },
        { "value of chain, d = 4, direct", &chain, ask_value_directly, NULL, 0, 1 },
        { "cell gd chain T=10", NULL, one_cell, NULL, 0, 1 },
        { "privacy loss of 1000 steps", NULL, one_composition, NULL, 0, 1000 },
    };
    vectors.rng = rng_stream(1);
    open_problem("spectral", &large);
    open_problem("spectral", &small);
    open_problem("chain", &chain);
    make_cell();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        gbench_register(&cases[k]);
    bench_data_begin();
    int code = gbench_main(argc, argv);
    bench_data_end();
    return code;
}

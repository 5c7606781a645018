/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_kernels.c - the inner loops: normals, vectors, batches through the oracle, one whole cell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cell.h"
#include "gbench.h"
#include "registry.h"
#include "run.h"

enum { D = 256, BATCH = 64 };

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
    struct arena *memory;
    void *self;
    struct facts facts;
    struct oracle oracle;
    double x[D], g[D];
};
static struct asking asking;

static void open_spectral(struct asking *a)
{
    const struct problem *p = registry_problem("spectral");
    struct cell *c;
    struct bag bag = { 0 };
    struct why why;
    bag_put(&bag, "problem.d", D);
    if (cell_make("spectral", "sgd", &bag, 0, &c, &why) != OK)
        abort();
    struct rng data = rng_stream(1);
    a->memory = arena_new(0);
    if (p->make(c->problem_params, &data, a->memory, &a->self, &a->facts, &why) != OK)
        abort();
    oracle_open(&a->oracle, p, a->self, &a->facts, ~0u, &data, 1, a->memory);
    for (int j = 0; j < D; j++)
        a->x[j] = 0.01;
}

static void ask(void *p, long iterations)
{
    struct asking *a = p;
    for (long k = 0; k < iterations; k++)
        oracle_sgrad(&a->oracle, BATCH, a->x, a->g);
}

static void ask_directly(void *p, long iterations)
{
    struct asking *a = p;
    for (long k = 0; k < iterations; k++) {
        struct samples s = { k * BATCH, BATCH, NULL };
        vec_zero(D, a->g);
        a->oracle.problem->batch_grad(a->self, &s, NULL, a->x, 1, a->g);
    }
}

/* The mean of one batch is within six standard errors of the gradient. */
static int asked_right(void *p)
{
    struct asking *a = p;
    double exact[D];
    a->oracle.problem->grad(a->self, a->x, exact);
    oracle_sgrad(&a->oracle, 1 << 20, a->x, a->g);
    return vec_dist(D, exact, a->g) > 6 * a->facts.sigma / sqrt(1 << 20);
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

int main(int argc, char **argv)
{
    static const struct gbench_case cases[] = {
        { "normals/256", &vectors, normals, normals_right, 8 * D, D },
        { "axpy/256", &vectors, axpy, NULL, 24 * D, D },
        { "dot/256", &vectors, dot, NULL, 16 * D, D },
        { "spectral batch 64 x 256, oracle", &asking, ask, asked_right, 0, BATCH },
        { "spectral batch 64 x 256, direct", &asking, ask_directly, NULL, 0, BATCH },
        { "cell gd chain T=10", NULL, one_cell, NULL, 0, 1 },
    };
    vectors.rng = rng_stream(1);
    open_spectral(&asking);
    make_cell();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        gbench_register(&cases[k]);
    return gbench_main(argc, argv);
}

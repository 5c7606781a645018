/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_resque.c - rounds of ReSQue in 256 dimensions: 1024 queries about a centre, each drawn, answered, weighted
 * and added, compared with the draws alone; and one query at a time, as EpochSGD uses them. An item is one
 * coordinate of a draw z. The weights of a round are one product of its rows z with u, the offset from the centre.
 * The instance `scores` is a linear model: each row is scored at a point of its own. Asking for the scores block by
 * block took 2% less time in all and one by one 4% more (Zen 3), since the normals take four fifths of it. */
#include <math.h>
#include <stdlib.h>

#include "cell/cell.h"
#include "nights/gbench.h"
#include "oracle/oracle_state.h"
#include "cell/registry.h"

#include "algos/parts/resque.h"

enum { D = 256, M = 1024 };

struct pool {
    const char *problem;
    struct arena *memory;
    void *self;
    struct facts facts;
    struct oracle o;
    struct resque s;
    double *x, *g, *one, *z;         /* [D] the point of the estimates; an answer; the mean of answers asked one by
                                        one; z[CLOUD_ROWS*D]: rows of draws */
};

static struct pool largest = { .problem = "coercive_max" }, absolute = { .problem = "noisy_l1" },
                   scores = { .problem = "glm_stored" };

static void open_pool(struct pool *p)
{
    struct cell *c;
    struct bag bag = { 0 };
    struct why why;
    bag_put(&bag, "problem.d", D);
    if (cell_make(p->problem, "sgd", &bag, 0, &c, &why) != OK)
        abort();
    struct rng data = rng_stream(1);
    p->memory = arena_new(0);
    p->o.problem = registry_problem(p->problem);
    if (p->o.problem->make(c->problem_params, &data, p->memory, &p->self, &p->facts, &why) != OK)
        abort();
    oracle_open(&p->o, p->o.problem, p->self, &p->facts, ~0u, &data, 1, p->memory);
    p->s = (struct resque){ .o = &p->o, .rho = 0.01, .base = rng_stream(2) };
    resque_reserve(&p->s, p->memory);
    p->x = arena_vec(p->memory, D);
    p->g = arena_vec(p->memory, D);
    p->one = arena_vec(p->memory, D);
    p->z = arena_vec(p->memory, D * CLOUD_ROWS);
    for (int j = 0; j < D; j++)
        p->x[j] = j % 2 ? 0.01 : -0.01;
    if (!resque_ask(&p->s, p->x, M))
        abort();
    p->x[0] += 0.005;
}

static void whole(void *at, long iterations)
{
    struct pool *p = at;
    for (long k = 0; k < iterations; k++)
        resque_grad(&p->s, p->x, 0, M, p->g);
}

static void singly(void *at, long iterations)
{
    struct pool *p = at;
    for (long k = 0; k < iterations; k++) {
        vec_zero(D, p->one);
        for (long i = 0; i < M; i++) {
            resque_grad(&p->s, p->x, i, 1, p->g);
            vec_axpy(D, 1.0 / M, p->g, p->one);
        }
        vec_copy(D, p->one, p->g);
    }
}

static void draws(void *at, long iterations)
{
    struct pool *p = at;
    for (long k = 0; k < iterations; k++)
        for (long i = 0; i < M; i += CLOUD_ROWS) {
            resque_rows(&p->s, i, CLOUD_ROWS, p->z);
            __asm__ volatile("" ::: "memory");
        }
}

/* The answer must agree with a sum point by point, with weights whose logarithm is by definition log gamma(u - z) -
 * log gamma(z), where gamma is the normal density. */
static int right(struct pool *p, void (*run)(void *, long))
{
    double sum[D] = { 0 }, at[D];
    for (long i = 0; i < M; i++) {
        double log_w = 0;
        resque_rows(&p->s, i, 1, p->z);
        for (int j = 0; j < D; j++) {
            double u = (p->x[j] - p->s.xbar[j]) / 0.01, z = p->z[j];
            log_w += (z * z - (u - z) * (u - z)) / 2;
            at[j] = p->s.xbar[j] + 0.01 * z;
        }
        oracle_one_gradient(&p->o, oracle_record(&p->o, &p->s.round.ticket, i), at, exp(log_w) / M, sum);
    }
    run(p, 1);
    return !(vec_dist(D, sum, p->g) <= 1e-12);
}

static int whole_right(void *at)  { return right(at, whole); }
static int singly_right(void *at) { return right(at, singly); }

static void begin(void)
{
    open_pool(&largest);
    open_pool(&absolute);
    open_pool(&scores);
}

static void end(void)
{
    arena_free(largest.memory);
    arena_free(absolute.memory);
    arena_free(scores.memory);
}

/* Mean and variance of the draws in the last rows must be within six standard errors. */
static int draws_right(void *at)
{
    struct pool *p = at;
    double sum = 0, square = 0, n = (double)CLOUD_ROWS * D;
    draws(p, 1);
    for (long j = 0; j < CLOUD_ROWS * D; j++) {
        sum += p->z[j];
        square += p->z[j] * p->z[j];
    }
    return !(fabs(sum / n) < 6 / sqrt(n)) || !(fabs(square / n - 1) < 6 * sqrt(2 / n));
}

#define ROUND .items = (double)M * D
static const struct gbench_case cases[] = {
    { "maximum, whole", "1024 x 256", &largest, whole, whole_right, ROUND, .peer = "normals" },
    { "maximum, one by one", "1024 x 256", &largest, singly, singly_right, ROUND,
      .peer = "normals" },
    { "signs, whole", "1024 x 256", &absolute, whole, whole_right, ROUND, .peer = "normals" },
    { "signs, one by one", "1024 x 256", &absolute, singly, singly_right, ROUND,
      .peer = "normals" },
    { "scores, whole", "1024 x 256", &scores, whole, whole_right, ROUND, .peer = "normals" },
    { "scores, one by one", "1024 x 256", &scores, singly, singly_right, ROUND, .peer = "normals" },
    { "normals", "1024 x 256", &largest, draws, draws_right, ROUND },
    { 0 }
};

const struct gbench_group bench_resque = { "resque", cases, begin, end };

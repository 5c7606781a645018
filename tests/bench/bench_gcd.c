/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_gcd.c - a step of DP-GCD with coordinate clipping, on tables of the shape of dorothea (sparse) and madelon
 * (dense), as the method runs it: with its Laplace values (p in number; p is d in the code), oracle, ledger and
 * mark. The bytes are those of one pass over the table and over the vectors of length p that a step reads or
 * writes.
 *
 * The column `share` is the part of the machine's limit that is reached. What bounds it, on a Zen 4, at 1.7 to 2 ms
 * a step (sparse) and 0.2 ms (dense). Sparse: half of the time goes to a clamp and a sum for each entry, by
 * columns, which take 1.2 ns, while reading the 12 bytes of the entry takes 0.2 ns; most of the rest to noise,
 * comparison and copies of p coordinates, 8 ns each. Dense: reading the table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nights/gbench.h"
#include "oracle/oracle_state.h"
#include "base/params.h"
#include "cell/registry.h"

enum { VECTORS = 14 };               /* number of vectors of length p: g, score, noise, weights, thresholds, x,
                                      * ... */

struct stepping {
    long n, d, kept;                 /* kept: number of entries in a row; d where the table is dense */
    struct arena *memory, *work;
    const struct problem *problem;
    const struct algo *algo;
    void *self, *params;
    struct facts facts;
    struct oracle o;
    double *x;                       /* [d] the answer */
};

static void write_file(const struct stepping *a, char *path)
{
    struct rng r = rng_stream(3);
    int descriptor = mkstemp(path);
    FILE *f = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    long step = a->d / a->kept;
    if (!f)
        abort();
    for (long i = 0; i < a->n; i++) {
        fprintf(f, "%d", i % 3 ? -1 : 1);
        for (long j = (long)rng_below(&r, (uint64_t)step); j < a->d; j += step)
            fprintf(f, " %ld:%.3f", j + 1, rng_normal(&r));
        fputc('\n', f);
    }
    fclose(f);
}

static void set(const struct param *table, void *params, const char *name, const char *text)
{
    if (params_set_text(params_find(table, name), params, text, name, NULL) != OK)
        abort();
}

static void open_one(struct stepping *a)
{
    char path[] = "/tmp/assay-bench-XXXXXX";
    struct rng data = rng_stream(1);
    struct goal goal = goal_unknown();
    struct why why;
    a->memory = arena_new(0);
    a->work = arena_new(0);
    a->problem = registry_problem("erm");
    a->algo = registry_algo("dp-gcd");
    void *params = arena_bytes(a->memory, a->problem->params_size);
    params_default(a->problem->params, params);
    write_file(a, path);
    set(a->problem->params, params, "data", path);
    set(a->problem->params, params, "optimum", "none");
    set(a->problem->params, params, "prox", "all");
    params_set(params_find(a->problem->params, "l1"), params, 0.01, "erm", NULL);
    a->facts = facts_unknown();
    if (a->problem->make(params, &data, a->memory, &a->self, &a->facts, &why) != OK)
        abort();
    remove(path);
    a->d = (long)a->facts.d;
    a->x = arena_vec(a->memory, a->d);
    a->params = arena_bytes(a->memory, a->algo->params_size);
    params_default(a->algo->params, a->params);
    goal.eps = 1;
    goal.delta = 1e-6;
    if (a->algo->tune(&a->facts, &goal, a->params, &why) != OK)
        abort();
}

/* Makes one run of `rounds` steps, including its start. */
static void run(struct stepping *a, long rounds)
{
    struct rng data = rng_stream(1), rng = rng_stream(2);
    arena_reset(a->work);
    oracle_open(&a->o, a->problem, a->self, &a->facts, a->algo->calls, &data, 5, a->work);
    params_set(params_find(a->algo->params, "T"), a->params, (double)rounds, "dp-gcd", NULL);
    vec_zero(a->d, a->x);
    if (a->algo->run(&a->o, a->params, a->work, &rng, a->x) != OK)
        abort();
    oracle_release(&a->o);
}

static void step(void *p, long iterations) { run(p, iterations); }

/* Two steps with hardly any noise must agree with a computation record by record. */
static int step_right(void *p)
{
    struct stepping *a = p;
    const struct param *share = params_find(a->algo->params, "share");
    double kept = params_get(share, a->params);
    double C = params_get(params_find(a->algo->params, "C"), a->params);
    double trace = 0, off = 0, slopes[2];
    double *g = calloc((size_t)a->d, sizeof *g), *v = calloc((size_t)a->d, sizeof *v);
    double *x = calloc((size_t)a->d, sizeof *x);
    if (!g || !v || !x)
        abort();
    for (long j = 0; j < a->d; j++)
        trace += a->facts.M_j[j];
    for (int t = 0; t < 2; t++) {
        long best = 0;
        vec_zero(a->d, g);
        for (long i = 0; i < a->n; i++) {
            vec_zero(a->d, v);
            a->problem->sample_grad(a->self, i, x, 1, v);
            for (long j = 0; j < a->d; j++) {
                double bound = C * sqrt(a->facts.M_j[j] / trace);
                g[j] += fmax(-bound, fmin(bound, v[j])) / (double)a->n;
            }
        }
        double most = -INFINITY;
        for (long j = 0; j < a->d; j++) {
            a->problem->composite->rest_coord(a->self, j, x[j], slopes);
            double s = fmax(g[j] + slopes[0], -g[j] - slopes[1]) / sqrt(a->facts.M_j[j]);
            best = s > most ? j : best;
            most = fmax(most, s);
        }
        double h = 1 / a->facts.M_j[best];
        x[best] = a->problem->composite->prox_coord(a->self, h, best, x[best] - h * g[best]);
    }
    params_set(share, a->params, 1e12, "dp-gcd", NULL);
    run(a, 2);
    params_set(share, a->params, kept, "dp-gcd", NULL);
    for (long j = 0; j < a->d; j++)
        off = fmax(off, fabs(x[j] - a->x[j]));
    free(g);
    free(v);
    free(x);
    return !(off <= 1e-6);
}

static struct stepping sparse = { .n = 800, .d = 88119, .kept = 909 },
                       dense = { .n = 2600, .d = 500, .kept = 500 };

static void begin(void)
{
    open_one(&sparse);
    open_one(&dense);
}

static void end(void)
{
    arena_free(sparse.memory);
    arena_free(sparse.work);
    arena_free(dense.memory);
    arena_free(dense.work);
}

#define STEP(WORDS, P, ENTRIES, BYTES, D)                                                         \
    { "step", WORDS, P, step, step_right, .bytes = (BYTES) * (ENTRIES) + 8.0 * VECTORS * (D),     \
      .flops = 6.0 * (ENTRIES), .items = ENTRIES,                                                 \
      .working_set = (BYTES) * (ENTRIES) + 8.0 * VECTORS * (D) }

static const struct gbench_case cases[] = {
    STEP("800 x 909 of 88119", &sparse, 800.0 * 909, 12.0, 88119),
    STEP("2600 x 500", &dense, 2600.0 * 500, 8.0, 500),
    { 0 }
};

const struct gbench_group bench_gcd = { "gcd", cases, begin, end };

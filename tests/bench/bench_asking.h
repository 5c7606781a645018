/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_asking.h - instances of linear models, the question to the oracle that is timed on them, and the products
 * of BLAS with the same table, with which the question is compared. */
#ifndef ASSAY_BENCH_ASKING_H
#define ASSAY_BENCH_ASKING_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cblas.h>

#include "nights/gbench.h"
#include "problems/parts/losses.h"
#include "oracle/oracle_state.h"
#include "base/params.h"
#include "cell/registry.h"

enum { DIRECTIONS = 16, KEPT = 50, POINTS = 8 };
enum table_from { DRAWN, DENSE_FILE, SPARSE_FILE };
static const char *const loss_of[] = { "sigmoid", "logistic", "logistic" };

/* An instance and the question that is asked about it, over and over. */
struct asking {
    long n, d;
    enum table_from kind;
    const char *loss;                /* name of the loss, chosen only where the instance is of a file; NULL:
                                      * loss_of[kind] */
    enum clip clip;
    enum sampling scheme;
    int points;                      /* a question asks at so many points, with the coefficients of their mean;
                                      * 0: at one point, without coefficients */
    struct arena *memory;
    const struct problem *problem;
    void *self;
    struct facts facts;
    struct oracle o;
    struct ticket ticket;
    struct point *point;
    double *x, *g, *C_j, *u;         /* [POINTS*d] points, [d] the answer, [d] clipping bounds of the coordinates,
                                      * [DIRECTIONS*d] directions */
    double *A, *y, *s, scale;        /* A: the table that BLAS multiplies; y: labels; s: scores, then slopes; scale:
                                        the loss of the family over the loss that loss_find returns */
    long stride, j;                  /* stride of the rows of A; the coordinate that is asked next */
};

/* --- instances, made from a seed, or from a file that the benchmark writes */

static inline void set(const struct problem *p, void *params, const char *name, double value)
{
    if (params_set(params_find(p->params, name), params, value, p->name, NULL) != OK)
        abort();
}

static inline void set_word(const struct problem *p, void *params, const char *name, const char *word)
{
    if (params_set_text(params_find(p->params, name), params, word, p->name, NULL) != OK)
        abort();
}

/* Writes rows of norm about 0.6: dense, or with KEPT entries at equal distances. */
static inline void write_file(const struct asking *a, char *path)
{
    struct rng r = rng_stream(3);
    int descriptor = mkstemp(path);
    FILE *f = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!f)
        abort();
    for (long i = 0; i < a->n; i++) {
        long step = a->kind == SPARSE_FILE ? a->d / KEPT : 1;
        fprintf(f, "%ld", i % 2);
        for (long j = (long)rng_below(&r, (uint64_t)step); j < a->d; j += step)
            fprintf(f, " %ld:%.6f", j + 1,
                    (2 * rng_uniform(&r) - 1) / sqrt((double)(a->d / step)));
        fputc('\n', f);
    }
    fclose(f);
}

static inline void make(struct asking *a)
{
    char path[] = "/tmp/assay-bench-XXXXXX";
    struct rng data = rng_stream(1);
    struct why why;
    a->memory = arena_new(0);
    a->loss = a->loss ? a->loss : loss_of[a->kind];
    a->problem = registry_problem(a->kind == DRAWN ? "sigmoid_stored" : "erm");
    void *params = arena_bytes(a->memory, a->problem->params_size);
    params_default(a->problem->params, params);
    if (a->kind == DRAWN) {
        set(a->problem, params, "n", (double)a->n);
        set(a->problem, params, "d", (double)a->d);
    } else {
        write_file(a, path);
        set_word(a->problem, params, "data", path);
        set_word(a->problem, params, "loss", a->loss);
        set_word(a->problem, params, "optimum", "none");
        set_word(a->problem, params, "prox", "all");
    }
    a->facts = facts_unknown();
    if (a->problem->make(params, &data, a->memory, &a->self, &a->facts, &why) != OK)
        abort();
    if (a->kind != DRAWN)
        remove(path);
    a->d = (long)a->facts.d;
}

static inline bool draw(struct asking *a, struct oracle *o, struct ticket *t)
{
    return a->scheme == SAMPLING_SUBSET ? oracle_subset(o, a->n / 2, t) : oracle_all(o, t);
}

static inline void open_question(struct asking *a)
{
    struct rng data = rng_stream(1);
    make(a);
    a->x = arena_vec(a->memory, POINTS * a->d);
    a->g = arena_vec(a->memory, a->d);
    a->C_j = arena_vec(a->memory, a->d);
    a->s = arena_vec(a->memory, POINTS * a->n);
    a->u = arena_vec(a->memory, DIRECTIONS * a->d);
    struct rng r = rng_stream(2);
    rng_normals(&r, POINTS * a->d, 1, a->x);
    rng_normals(&r, DIRECTIONS * a->d, 1, a->u);
    vec_fill(a->d, 0.5 / sqrt((double)a->d), a->C_j);
    oracle_open(&a->o, a->problem, a->self, &a->facts, ~0u, &data, 1, a->memory);
    if (!draw(a, &a->o, &a->ticket))
        abort();
    if (a->kind != DRAWN)
        a->point = oracle_point(&a->o, a->memory);
}

/* Finds what BLAS needs for the same gradient: the table as the family stores it, the labels, and the factor
 * `scale` of the loss. */
static inline void open_blas(struct asking *a)
{
    struct linear_rows A;
    open_question(a);
    a->problem->linear->rows(a->self, &(struct samples){ 0, 1, NULL }, NULL, &A);
    a->A = (double *)A.at[0];
    a->y = arena_vec(a->memory, a->n);
    for (long i = 0; i < a->n; i++) {
        a->problem->linear->rows(a->self, &(struct samples){ i, 1, NULL }, NULL, &A);
        a->y[i] = A.y[0];
        if (i == 1)
            a->stride = A.at[0] - a->A;
    }
    double at = 0.3, slope;
    a->problem->linear->slopes(a->self, 1, A.y, &at, &slope);
    a->scale = slope / loss_find(a->loss)->slope(1, at, A.y[0]);
}

/* --- a question and the check of its answer; a product of BLAS */

static inline bool ask_once(struct asking *a, struct oracle *o, const struct ticket *t, double *g)
{
    const double *x[POINTS], part = 1. / a->points, c[] = { part, part, part, part, part, part, part, part };
    for (int p = 0; p < POINTS; p++)
        x[p] = a->x + p * a->d;
    return oracle_batch(o, &(struct batch){ .ticket = t, .points = a->points ? a->points : 1, .x = x,
                                            .a = a->points ? c : NULL, .clip = a->clip,
                                            .C = 0.1, .C_j = a->C_j, .g = g });
}

static inline void gradient(void *p, long iterations)
{
    struct asking *a = p;
    for (long k = 0; k < iterations; k++)
        ask_once(a, &a->o, &a->ticket, a->g);
}

/* Checks the answer by that of an oracle that forms the gradient of every sample. */
static inline int gradient_right(void *p)
{
    struct asking *a = p;
    struct rng data = rng_stream(1);
    struct problem slow = *a->problem;
    struct arena *memory = arena_new(0);
    struct oracle o;
    struct ticket t;
    double *g = arena_vec(memory, a->d);
    slow.linear = NULL;
    oracle_open(&o, &slow, a->self, &a->facts, ~0u, &data, 1, memory);
    gradient(a, 1);
    bool right = draw(a, &o, &t) && ask_once(a, &o, &t, g) &&
                 vec_dist(a->d, a->g, g) <= 1e-12 * vec_norm(a->d, g);
    oracle_release(&o);
    arena_free(memory);
    return !right;
}

static inline void product(const struct asking *a, enum CBLAS_TRANSPOSE how, const double *x, double *y)
{
    cblas_dgemv(CblasRowMajor, how, (int)a->n, (int)a->d, 1, a->A, (int)a->stride, x, 1, 0, y, 1);
}

#define WORK_AT(N, D, C) .bytes = 8.0 * (N) * (D), .flops = 2.0 * (1 + (C)) * (N) * (D), .items = N, \
                         .working_set = 8.0 * (N) * (D)

#endif

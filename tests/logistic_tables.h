/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logistic_tables.h - tables for the tests of logistic regression, and its loss by brute force. */
#ifndef ASSAY_TESTS_LOGISTIC_TABLES_H
#define ASSAY_TESTS_LOGISTIC_TABLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data.h"
#include "params.h"
#include "problem.h"

extern const struct problem problem_logistic;
static const struct problem *const P = &problem_logistic;

struct parameters { const char *data; double l2, radius; };

/* One built instance, with its table. */
struct built {
    struct arena *a;
    struct parameters p;
    void *self;
    const struct table *t;
    struct facts f;
    long n, d;
};

static char folder[] = "/tmp/assay-logistic-XXXXXX";
enum { DENSE, SPARSE, SEPARABLE, KINDS };
static char file[KINDS][64];
static const struct { int n, d; double density; } shape[] = {
    { 300, 9, 0.9 }, { 400, 60, 0.08 }
};

/* Labels from a noisy plane, so that the classes overlap; the sparse table has an empty column. */
static inline void write_table(int kind)
{
    struct rng r = rng_stream(40 + (uint64_t)kind);
    snprintf(file[kind], sizeof file[kind], "%s/t%d", folder, kind);
    FILE *f = fopen(file[kind], "w");
    assert_non_null(f);
    if (kind == SEPARABLE)
        fputs("7 1:1 2:0.5\n7 1:2 4:-1\n-2 1:-1 3:1\n-2 1:-0.5 2:-1\n-2 4:1\n", f);
    for (int i = 0; kind != SEPARABLE && i < shape[kind].n; i++) {
        char text[4096] = "";
        double score = rng_normal(&r);
        for (int j = 1, at = 0; j <= shape[kind].d; j++) {
            double v = rng_normal(&r) * (1 + j % 3);
            if (rng_uniform(&r) > shape[kind].density || (kind == SPARSE && j == 4))
                continue;
            at += snprintf(text + at, sizeof text - (size_t)at, " %d:%.17g", j, v);
            score += j % 2 ? v : -v / 2;
        }
        fprintf(f, "%d%s\n", score > 0 ? 7 : -2, text);
    }
    fclose(f);
}

static inline int setup(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    for (int kind = 0; kind < KINDS; kind++)
        write_table(kind);
    return 0;
}

static inline int teardown(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        remove(file[kind]);
    return rmdir(folder);
}

static inline enum status try_build(struct built *b, const char *data, double l2, double radius,
                             struct why *why)
{
    struct rng r = rng_stream(1);
    *b = (struct built){ .a = arena_new(0), .f = facts_unknown() };
    params_default(P->params, &b->p);
    b->p = (struct parameters){ data, l2, radius };
    TRY(P->make(&b->p, &r, b->a, &b->self, &b->f, why));
    TRY(data_table(data, &b->t, why));
    b->n = b->t->n;
    b->d = b->t->d;
    return OK;
}

static inline struct built build(const char *data, double l2, double radius)
{
    struct built b;
    struct why why = { "" };
    if (try_build(&b, data, l2, radius, &why) != OK)
        fail_msg("%s", why.text);
    return b;
}

/* The sample loss and, g not NULL, its gradient (added), in long double from the table's rows. */
static inline long double brute(const struct built *b, long i, const double *x, long double *g)
{
    long double s = 0, square = 0, y = b->t->label[i] > 0 ? 1 : -1;
    struct entries a = table_row(b->t, i);
    for (long k = 0; k < a.count; k++)
        s += (long double)a.value[k] * x[a.index[k]];
    for (long j = 0; j < b->d; j++)
        square += (long double)x[j] * x[j];
    for (long k = 0; g && k < a.count; k++)
        g[a.index[k]] += -y * a.value[k] / (1 + expl(y * s));
    for (long j = 0; g && j < b->d; j++)
        g[j] += (long double)b->p.l2 * x[j];
    return log1pl(expl(-y * s)) + (long double)b->p.l2 / 2 * square;
}

static inline double measured(const struct built *b, const char *name, const double *x,
                              double *error)
{
    for (const struct measure *m = P->measures; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->at(b->self, x, error);
    fail_msg("no measure %s", name);
    return NAN;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_tables.h - tables for the tests of empirical risks, with their losses computed by brute force. */
#ifndef ASSAY_TESTS_ERM_TABLES_H
#define ASSAY_TESTS_ERM_TABLES_H

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
#include "base/params.h"
#include "problem.h"

extern const struct problem problem_erm;
static const struct problem *const P = &problem_erm;

/* Parameters of an instance. NULL and 0 stand for the family's defaults, except for l2, whose default is 0 in these
 * tests. */
struct setting {
    const char *data, *loss, *prox, *target, *scaling, *optimum;
    double l2, l1, h, radius, intercept, test, split; /* h: where the losses huber and capped bend; intercept: 0 or
                                                         1; test: share of records that are held out; split: seed of
                                                         their choice */
};

/* One built instance, with its table. */
struct built {
    struct arena *a;
    struct setting p;                /* the parameters, with the defaults filled in */
    void *params, *self;
    const struct table *t;
    struct facts f;
    long n, d;                       /* records; dimension, a column of ones included */
};

static char folder[] = "/tmp/assay-erm-XXXXXX";
enum { DENSE, SPARSE, SEPARABLE, TINY, KINDS };
static char file[KINDS][64];
static const struct { int n, d; double density; } shape[] = {
    [DENSE] = { 300, 9, 0.9 }, [SPARSE] = { 400, 60, 0.08 }, [TINY] = { 30, 3, 0.95 }
};

/* Writes a table with two classes. SEPARABLE is five fixed records. In the other tables the labels are the sides of
 * a plane, disturbed by noise so that the classes overlap. SPARSE has an empty column. */
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

static inline enum status put(struct built *b, const char *name, const char *word, double value,
                              struct why *why)
{
    const struct param *p = params_find(P->params, name);
    if (p->type == PARAM_TEXT)
        return word ? params_set_text(p, b->params, word, "erm", why) : OK;
    return value != 0 ? params_set(p, b->params, value, "erm", why) : OK;
}

static inline enum status try_build(struct built *b, const struct setting *s, struct why *why)
{
    struct rng r = rng_stream(1);
    *b = (struct built){ .a = arena_new(0), .f = facts_unknown(), .p = *s };
    b->params = arena_bytes(b->a, P->params_size);
    params_default(P->params, b->params);
    TRY(params_set(params_find(P->params, "l2"), b->params, s->l2, "erm", why));
    TRY(put(b, "data", s->data, 0, why));
    TRY(put(b, "loss", s->loss, 0, why));
    TRY(put(b, "prox", s->prox, 0, why));
    TRY(put(b, "target", s->target, 0, why));
    TRY(put(b, "scaling", s->scaling, 0, why));
    TRY(put(b, "optimum", s->optimum, 0, why));
    TRY(put(b, "l1", NULL, s->l1, why));
    TRY(put(b, "h", NULL, s->h, why));
    TRY(put(b, "radius", NULL, s->radius, why));
    TRY(put(b, "intercept", NULL, s->intercept, why));
    TRY(put(b, "test", NULL, s->test, why));
    TRY(put(b, "split", NULL, s->split, why));
    TRY(P->make(b->params, &r, b->a, &b->self, &b->f, why));
    /* The family's data request begins with its parameter `data`. */
    const struct param *data = params_find(P->params, "data");
    TRY(data_load((const struct data_request *)((char *)b->params + data->offset), &b->t, why));
    b->n = b->t->n;
    b->d = b->t->d + (s->intercept != 0);
    b->p.loss = s->loss ? s->loss : "logistic";
    b->p.prox = s->prox ? s->prox : "l1";
    b->p.h = s->h != 0 ? s->h : 1;
    return OK;
}

static inline struct built build_with(const struct setting *s)
{
    struct built b;
    struct why why = { "" };
    if (try_build(&b, s, &why) != OK)
        fail_msg("%s", why.text);
    return b;
}
#define BUILD(...) build_with(&(struct setting){ __VA_ARGS__ })

static inline struct built build(const char *data, double l2, double radius)
{
    return BUILD(.data = data, .l2 = l2, .radius = radius);
}

/* Returns the instance's loss at the score z for a label; *slope <- its derivative in z. */
static inline long double brute_loss(const struct built *b, long double z, long double label,
                                     long double *slope)
{
    const char *loss = b->p.loss;
    long double h = b->p.h, y = label > 0 ? 1 : -1, u = z - label, e = expl(-y * z);
    if (strcmp(loss, "logistic") == 0)
        return *slope = -y * e / (1 + e), log1pl(e);
    if (strcmp(loss, "sigmoid") == 0)
        return *slope = -y * e / ((1 + e) * (1 + e)), 1 / (1 + 1 / e);
    if (strcmp(loss, "hinge") == 0)
        return *slope = y * z < 1 ? -y : 0, fmaxl(0, 1 - y * z);
    if (strcmp(loss, "squares") == 0)
        return *slope = u, u * u / 2;
    if (strcmp(loss, "absolute") == 0)
        return *slope = u > 0 ? 1 : u < 0 ? -1 : 0, fabsl(u);
    if (strcmp(loss, "capped") == 0)
        return *slope = fabsl(u) >= h ? 0 : u > 0 ? 1 : -1, fminl(fabsl(u), h);
    *slope = fabsl(u) <= h ? u : u > 0 ? h : -h;
    return fabsl(u) <= h ? u * u / 2 : h * (fabsl(u) - h / 2);
}

/* Returns the weight of a regulariser (l1 or l2) in the loss of each sample; 0 where the simple part of the
 * objective has the regulariser. */
static inline long double own(const struct built *b, bool l1)
{
    bool none = strcmp(b->p.prox, "none") == 0, all = strcmp(b->p.prox, "all") == 0;
    return l1 ? (none ? b->p.l1 : 0) : (all ? 0 : b->p.l2);
}

/* Returns the loss of sample i at x; g (or NULL) += its gradient. Both are computed in long double, from the rows
 * of the table. */
static inline long double brute(const struct built *b, long i, const double *x, long double *g)
{
    long double s = b->p.intercept != 0 ? x[b->d - 1] : 0, square = 0, sum = 0, slope;
    struct entries a = table_row(b->t, i);
    for (long k = 0; k < a.count; k++)
        s += (long double)a.value[k] * x[a.index[k]];
    for (long j = 0; j < b->d; j++) {
        square += (long double)x[j] * x[j];
        sum += fabsl(x[j]);
    }
    long double loss = brute_loss(b, s, b->t->label[i], &slope);
    for (long k = 0; g && k < a.count; k++)
        g[a.index[k]] += slope * a.value[k];
    if (g && b->p.intercept != 0)
        g[b->d - 1] += slope;
    for (long j = 0; g && j < b->d; j++)
        g[j] += own(b, false) * x[j] + own(b, true) * ((x[j] > 0) - (x[j] < 0));
    return loss + own(b, false) / 2 * square + own(b, true) * sum;
}

/* Returns the value of the simple part of the objective at x. */
static inline long double brute_rest(const struct built *b, const double *x)
{
    long double square = 0, sum = 0;
    for (long j = 0; j < b->d; j++) {
        square += (long double)x[j] * x[j];
        sum += fabsl(x[j]);
    }
    return (b->p.l2 - own(b, false)) / 2 * square + (b->p.l1 - own(b, true)) * sum;
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

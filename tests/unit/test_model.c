/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model.c - batches and values of linear models, answered by blocks of rows, compared with the same oracle
 * without blocks and with sums over single samples in long double: every family with rows, every scheme, clipping,
 * weights, points, changed and negated records, empty rows, an intercept. */
#include <stdlib.h>
#include <unistd.h>

#include "support/instances.h"
#include "oracle/oracle_state.h"

enum { RECORDS = 90, COUNT = 70, POINTS = 2, DENSE_D = 13, SPARSE_D = 40 };
static char folder[] = "/tmp/assay-model-XXXXXX";
static char file[3][64];
enum { DENSE, SPARSE, NARROW };

/* Writes a table of rows with labels of both signs; every fifth sparse row is empty. */
static void write_table(int kind)
{
    struct rng r = rng_stream(90 + (uint64_t)kind);
    long d = kind == DENSE ? DENSE_D : kind == SPARSE ? SPARSE_D : 1;
    snprintf(file[kind], sizeof file[kind], "%s/%d", folder, kind);
    FILE *f = fopen(file[kind], "w");
    assert_non_null(f);
    for (int i = 0; i < RECORDS; i++) {
        fprintf(f, "%d", i % 3 ? 1 : -1);
        for (long j = 0; j < d; j++)
            if (kind != SPARSE || (i % 5 && rng_uniform(&r) < 0.1) || (i == 1 && j == d - 1))
                fprintf(f, " %ld:%.17g", j + 1, rng_normal(&r));
        fputc('\n', f);
    }
    fclose(f);
}

static int setup(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    for (int kind = 0; kind < 3; kind++)
        write_table(kind);
    return 0;
}

static int teardown(void **state)
{
    for (int kind = 0; kind < 3; kind++)
        remove(file[kind]);
    return rmdir(folder);
}

enum { CASES = 16 };
static struct instance make_case(struct arena *a, int k)
{
#define ERM(which, loss_name, ...)                                                                \
    INSTANCE(a, "erm", { "data", 0, file[which] }, { "optimum", 0, "none" },                       \
             { "loss", 0, loss_name }, __VA_ARGS__)
    switch (k) {
    case 0: return ERM(DENSE, "logistic", { "l2", 0.1 });
    case 1: return ERM(DENSE, "squares", { "prox", 0, "all" }, { "intercept", 1 });
    case 2: return ERM(DENSE, "sigmoid", { "prox", 0, "none" }, { "l1", 0.3 }, { "intercept", 1 });
    case 3: return ERM(SPARSE, "logistic", { "prox", 0, "none" }, { "l1", 0.05 },
                       { "intercept", 1 });
    case 4: return ERM(SPARSE, "hinge", { "prox", 0, "all" }, { "intercept", 1 });
    case 5: return ERM(SPARSE, "huber", { "l2", 0 });
    case 6: return ERM(NARROW, "logistic", { "l2", 3 });
    case 7: return INSTANCE(a, "glm", { "d", 21 });
    case 8: return INSTANCE(a, "glm_sphere", { "d", 6 });
    case 9: return INSTANCE(a, "glm_stored", { "d", 9 }, { "n", RECORDS });
    case 10: return INSTANCE(a, "capped", { "d", 17 });
    case 11: return INSTANCE(a, "capped_stored", { "d", 8 }, { "n", RECORDS }, { "L", 3 });
    case 12: return INSTANCE(a, "sigmoid", { "d", 5 });
    case 13: return INSTANCE(a, "sigmoid_stored", { "d", 33 }, { "n", RECORDS });
    /* These instances have several groups of rows in a block, of stored records and of drawn samples. */
    case 14: return INSTANCE(a, "glm_stored", { "d", 300 }, { "n", RECORDS });
    default: return INSTANCE(a, "capped", { "d", 140 });
    }
}

/* --- one question, asked of an oracle with rows and of one without */

static void open_one(struct oracle *o, const struct instance *in, const struct problem *p, int run,
                     struct ticket *t, struct arena *a)
{
    struct rng data = rng_stream(5);
    enum sampling scheme;
    oracle_open(o, p, in->self, &in->f, ~0u, &data, (uint64_t)run, a);
    scheme = (enum sampling)(o->stored ? run % 6 : SAMPLING_FRESH);
    assert_true(scheme == SAMPLING_FRESH     ? oracle_take(o, 7, t) && oracle_take(o, COUNT, t)
                : scheme == SAMPLING_REPLACE ? oracle_draw(o, COUNT, t)
                : scheme == SAMPLING_ALL     ? oracle_all(o, t)
                : scheme == SAMPLING_POISSON ? oracle_poisson(o, 0.7, t)
                : scheme == SAMPLING_SUBSET  ? oracle_subset(o, COUNT, t)
                                             : oracle_shuffle(o, t));
    if (scheme == SAMPLING_SHUFFLED || (scheme == SAMPLING_ALL && run / 6 % 2))
        *t = ticket_part(t, 11, COUNT);
}

enum { KINDS = 6 };
static void change(struct oracle *o, int run, const struct ticket *t, const unsigned char *absent)
{
    static const enum neighbour_kind kinds[KINDS] = { NEIGHBOUR_SAME, NEIGHBOUR_NULL, NEIGHBOUR_REPLACE,
                                                      NEIGHBOUR_REPLACE, NEIGHBOUR_ABSENT, NEIGHBOUR_REPLACE };
    int kind = run / 6 % KINDS;
    long i = oracle_record(o, t, 3);
    o->neighbour = (struct neighbour){ .kind = kinds[kind], .i = i, .negated = kind == 5,
                                       .with = kind == 5 ? i : kind == 3 && o->problem->canaries ? -1 : 0 };
    if (kind == 4) {
        o->neighbour.i = RECORDS;
        o->neighbour.absent = absent;
    }
}

/* The answer to a question by its definition, summed sample by sample in long double: the gradient g, the value,
 * `size`, the sum of the norms of the terms of g, and `value_size`, the sum of the absolute values of the terms of
 * the value. If gradients are clipped: how many were `seen` and `clipped`, the sum `mass` of the distances by which
 * clipping moved them, and the largest norm before clipping; else 0. */
struct truth {
    long double *g, value;
    double size, value_size, seen, clipped, mass, largest;
};

/* v <- sum_p a_p grad f(x_p; record) over the points x_p of q; returns the sum of the norms of its terms. */
static double combine(const struct instance *in, const struct batch *q, long record, double *v,
                      double *work)
{
    double size = 0;
    vec_zero(in->d, v);
    for (int p = 0; p < q->points; p++) {
        vec_zero(in->d, work);
        in->p->sample_grad(in->self, record, q->x[p], 1, work);
        vec_axpy(in->d, q->a ? q->a[p] : 1, work, v);
        size += fabs(q->a ? q->a[p] : 1) * vec_norm(in->d, work);
    }
    return size;
}

static void one_by_one(const struct oracle *o, const struct instance *in, const struct batch *q,
                       struct arena *a, struct truth *s)
{
    double *v = arena_vec(a, in->d), *work = arena_vec(a, in->d);
    s->g = ARENA_ARRAY(a, in->d, long double);
    for (long k = 0; k < q->ticket->count; k++) {
        long asked = oracle_record(o, q->ticket, k), record = neighbour_record(&o->neighbour, asked);
        double w = q->w ? q->w[k] : ticket_even(o, q->ticket), lost = 0;
        double sign = neighbour_sign(&o->neighbour, asked);
        if (record == NEIGHBOUR_NONE) {
            s->seen += q->clip != CLIP_NONE;
            continue;
        }
        double size = combine(in, q, record, v, work), norm = vec_norm(in->d, v);
        double f = sign * in->p->sample_value(in->self, record, q->x[0]);
        vec_scale(in->d, sign, v);
        bool cut = q->clip == CLIP_NORM && norm > q->C;
        for (long j = 0; j < in->d; j++) {
            long double kept = v[j];
            if (cut)
                kept *= q->C / (long double)norm;
            if (q->clip == CLIP_COORDS)
                kept = fmaxl(-q->C_j[j], fminl(q->C_j[j], kept));
            lost += (double)((v[j] - kept) * (v[j] - kept));
            s->g[j] += w * kept;
        }
        s->size += fabs(w) * (cut ? size * q->C / norm : size);
        s->value += (long double)w * f;
        s->value_size += fabs(w * f);
        s->seen += q->clip != CLIP_NONE;
        s->clipped += q->clip != CLIP_NONE && lost > 0;
        s->mass += q->clip != CLIP_NONE ? sqrt(lost) : 0;
        s->largest = q->clip != CLIP_NONE ? fmax(s->largest, norm) : 0;
    }
}

static void check_answer(const struct instance *in, const struct oracle *o, const double *g,
                         double value, const struct truth *s, int run)
{
    double slack = 1e-13 * (s->seen * s->largest + 1);
    for (long j = 0; j < in->d; j++)
        EXPECT(in, fabsl(g[j] - s->g[j]) <= 1e-13 * s->size, "run %d: g[%ld] = %.17g, not %.17Lg",
               run, j, g[j], s->g[j]);
    EXPECT(in, fabsl(value - s->value) <= 1e-13 * s->value_size, "run %d: %.17g, not %.17Lg", run,
           value, s->value);
    EXPECT(in, o->clip_seen == s->seen, "run %d: %g, not %g seen", run, o->clip_seen, s->seen);
    EXPECT(in, o->clipped == s->clipped, "run %d: %g, not %g clipped", run, o->clipped, s->clipped);
    EXPECT(in, fabs(o->clip_mass - s->mass) <= slack, "run %d: mass %g, not %g", run, o->clip_mass,
           s->mass);
    EXPECT(in, fabs(o->clip_largest - s->largest) <= slack, "run %d: largest %g, not %g", run,
           o->clip_largest, s->largest);
}

static void ask(const struct instance *in, struct arena *a, int run)
{
    static const double coefficients[POINTS] = { 1.5, -0.75 };
    struct rng r = rng_stream(700 + (uint64_t)run);
    unsigned char absent[RECORDS];
    double *x[POINTS], *g = arena_vec(a, in->d), *h = arena_vec(a, in->d), w[RECORDS];
    double *C_j = arena_vec(a, in->d), value[2];
    struct problem slow = *in->p;
    struct oracle *o = ARENA_ARRAY(a, 2, struct oracle);
    struct ticket t[2];
    slow.linear = NULL;
    slow.batch_grad = NULL;
    for (int p = 0; p < POINTS; p++)
        rng_normals(&r, in->d, 0.5, x[p] = arena_vec(a, in->d));
    rng_normals(&r, RECORDS, 1, w);
    for (int i = 0; i < RECORDS; i++)
        absent[i] = rng_uniform(&r) < 0.2;
    for (long j = 0; j < in->d; j++)
        C_j[j] = 0.3 * rng_uniform(&r);
    for (int side = 0; side < 2; side++) {
        open_one(&o[side], in, side ? &slow : in->p, run, &t[side], a);
        change(&o[side], run, &t[side], absent);
    }
    if (run % 2 && o[0].stored) {    /* a ticket of several blocks, with prefetching */
        o[0].far = true;
        o[0].block = 9;
        o[0].group = run % 4 == 3 && o[0].group ? 4 : o[0].group;
    }
    int way = run / (6 * KINDS);
    const struct batch q = { .ticket = &t[0], .points = way % 2 ? POINTS : 1,
                             .x = (const double *const *)x,
                             .a = way % 2 ? coefficients : NULL,
                             .w = way / 2 % 2 ? w : NULL, .clip = (enum clip)(way / 4 % 3),
                             .C = 0.6, .C_j = C_j, .g = g };
    struct batch p = q;
    struct truth s = { 0 };
    p.ticket = &t[1];
    p.g = h;
    one_by_one(&o[1], in, &q, a, &s);
    assert_true(oracle_batch(&o[0], &q) && oracle_batch(&o[1], &p));
    assert_true(oracle_values(&o[0], &t[0], q.w, x[0], &value[0]) &&
                oracle_values(&o[1], &t[1], q.w, x[0], &value[1]));
    for (int side = 0; side < 2; side++)
        check_answer(in, &o[side], side ? h : g, value[side], &s, run);
    assert_memory_equal(&o[0].counts, &o[1].counts, sizeof o[0].counts);
    oracle_release(&o[0]);
    oracle_release(&o[1]);
}

static void test_batches_by_rows(void **state)
{
    struct arena *a = arena_new(0);
    for (int k = 0; k < CASES; k++) {
        struct instance in = make_case(a, k);
        assert_non_null(in.p->linear);
        struct arena *scratch = arena_new(0);
        for (int run = 0; run < 6 * KINDS * 2 * 2 * 3; run++) {
            arena_reset(scratch);
            ask(&in, scratch, run);
        }
        arena_free(scratch);
    }
    arena_free(a);
}

/* In one dimension the gradient of a record is u a + r, where u a comes from its loss and r from the regulariser.
 * Near the minimum of the record this is the difference of two numbers that agree in five digits. Its norm must
 * not be computed from squares, which agree in ten digits. */
static void test_cancelling(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "erm", { "data", 0, file[NARROW] }, { "optimum", 0, "none" },
                                  { "loss", 0, "squares" }, { "prox", 0, "none" }, { "l2", 3 });
    struct rng data = rng_stream(5);
    struct oracle o;
    struct ticket t;
    oracle_open(&o, in.p, in.self, &in.f, ~0u, &data, 1, a);
    assert_true(oracle_all(&o, &t));
    for (long i = 0; i < RECORDS; i++) {
        double at[2] = { 0, 1 }, slope[2] = { 0 }, w[RECORDS] = { 0 }, g = NAN, C = 1e-9;
        for (int k = 0; k < 2; k++)
            in.p->sample_grad(in.self, i, &at[k], 1, &slope[k]);
        double x = slope[0] / (slope[0] - slope[1]) * (1 + 1e-5);
        const double *xs = &x;
        w[i] = 1;
        assert_true(oracle_batch(&o, &(struct batch){ .ticket = &t, .points = 1, .x = &xs, .w = w,
                                                      .clip = CLIP_NORM, .C = C, .g = &g }));
        EXPECT(&in, fabs(fabs(g) - C) <= 1e-15 * C, "record %ld: %.17g", i, g);
    }
    oracle_release(&o);
    arena_free(a);
}

/* Where squares overflow, the norm must be computed from the gradient of the record, whichever group the record is
 * in. */
static void test_overflow(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "erm", { "data", 0, file[DENSE] }, { "optimum", 0, "none" },
                                  { "loss", 0, "squares" }, { "prox", 0, "none" }, { "l2", 0 });
    struct rng data = rng_stream(5);
    struct oracle o;
    struct ticket t;
    double *x = arena_vec(a, in.d), *g = arena_vec(a, in.d), *C_j = arena_vec(a, in.d), largest = 0;
    const double *const xs = x, huge = 1e200;
    vec_fill(in.d, 0.3, x);
    vec_fill(in.d, 1, C_j);
    for (long i = 0; i < RECORDS; i++) {
        vec_zero(in.d, g);
        in.p->sample_grad(in.self, i, x, 1, g);
        largest = fmax(largest, huge * vec_norm(in.d, g));
    }
    oracle_open(&o, in.p, in.self, &in.f, ~0u, &data, 1, a);
    o.group = 4;
    assert_true(oracle_all(&o, &t) &&
                oracle_batch(&o, &(struct batch){ .ticket = &t, .points = 1, .x = &xs, .a = &huge,
                                                  .clip = CLIP_COORDS, .C_j = C_j, .g = g }));
    EXPECT(&in, fabs(o.clip_largest / largest - 1) <= 1e-13, "%.17g, not %.17g", o.clip_largest, largest);
    oracle_release(&o);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_by_rows), cmocka_unit_test(test_cancelling), cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests_name("model", tests, setup, teardown);
}

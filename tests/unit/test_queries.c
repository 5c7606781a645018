/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_queries.c - answers to rounds (queries asked at once, each at a point of its own) and to probes (differences
 * of two values along random directions), recomputed by hand; and answers on neighbouring data sets, compared with
 * those on data that were really changed. */
#include "support/aborts.h"
#include "support/tiny.h"

/* --- rounds: query i is at the point of `walk`, X0 + i step */

static void walk(const void *ctx, long i, double *x)
{
    const double *step = ctx;
    for (int j = 0; j < D; j++)
        x[j] = X0[j] + (double)i * step[j];
}

static void test_round(void **state)
{
    static const double step[D] = { 0.1, 0.2, -0.3 }, w[3] = { 2, -1, 0.5 };
    for (int stored = 0; stored < 2; stored++) {
        struct bench *b = bench_new(stored);
        struct oracle *o = bench_open(b, NULL, 6);
        struct round q;
        double g[D] = { 1, 2, 3 }, truth[D] = { 1, 2, 3 }, work[D], x[D], rows[9][D] = { { 0 } };
        assert_true(oracle_round(o, 9, walk, step, &q));
        assert_true(o->counts.of[COUNT_issued] == 9 && o->counts.of[COUNT_sample_grads] == 9);
        assert_true(o->counts.of[COUNT_batch_steps] == 1 && o->counts.of[COUNT_consumed] == 0);
        round_add(o, &q, 2, 3, w, work, g);
        for (long i = 2; i < 5; i++) {
            walk(step, i, x);
            tiny_sample_grad(&b->data, oracle_record(o, &q.ticket, i), x, w[i - 2], truth);
        }
        near(D, g, truth);
        assert_true(o->counts.of[COUNT_consumed] == 3);
        for (long i = 8; i >= 0; i--)                    /* any order gives the same bits */
            round_add(o, &q, i, 1, NULL, work, rows[i]);
        assert_true(o->counts.of[COUNT_consumed] == 4 && o->counts.of[COUNT_sample_grads] == 9);
        for (long i = 0; i < 9; i++) {
            double again[D] = { 0 };
            round_add(o, &q, i, 1, NULL, work, again);
            assert_memory_equal(again, rows[i], sizeof again);
        }
        bench_free(b);
    }
}

/* Changes `step`, from which `walk` makes the points, after some queries of the round are answered. Further answers
 * would be gradients at points that were not paid for: this is a bug, and aborts. */
static void move_the_context(void *o)
{
    double step[D] = { 0.1, 0.2, -0.3 }, work[D], g[D] = { 0 };
    struct round q;
    oracle_round(o, 9, walk, step, &q);
    round_add(o, &q, 0, 1, NULL, work, g);
    step[1] = 0.25;
    for (int k = 0; k < 3; k++)
        round_add(o, &q, 0, 1, NULL, work, g);
}

/* Asks with a ticket. Tickets are plain values, and one that no oracle handed out is not answered. */
static void forge(struct oracle *o, struct ticket t)
{
    const double *const x[1] = { X0 };
    double g[D];
    oracle_batch(o, &(struct batch){ .ticket = &t, .points = 1, .x = x, .g = g });
}

static void forge_serial(void *o) { forge(o, (struct ticket){ .count = 2, .serial = 7 }); }
static void forge_ahead(void *o)
{
    struct ticket t;
    oracle_take(o, 2, &t);
    t.count = 3;
    forge(o, t);
}
static void forge_before(void *o)
{
    struct ticket t;
    oracle_take(o, 2, &t);
    t.first = -1;
    forge(o, t);
}

static void test_forgeries(void **state)
{
    for (int stored = 0; stored < 2; stored++) {
        struct bench *b = bench_new(stored);
        struct oracle *o = bench_open(b, NULL, 6);
        assert_true(aborts(move_the_context, o, NULL, 0));
        assert_true(aborts(forge_serial, o, NULL, 0));
        assert_true(aborts(forge_ahead, o, NULL, 0));
        assert_true(aborts(forge_before, o, NULL, 0));
        bench_free(b);
    }
}

/* --- probes: in one dimension the random direction u is +1 or -1, so that the difference of values along it is
 * known for either */

static void test_probe_in_one_dimension(void **state)
{
    for (int run = 0; run < 8; run++) {
        struct bench *b = bench_new(true);
        b->facts.d = 1;
        b->problem.values_along = run & 1 ? tiny_values_along : NULL;
        struct oracle *o = bench_open(b, NULL, (uint64_t)run);
        const double x = 0.7, r[2] = { 0.5, -0.5 }, a[2] = { 1, -1 }, w[N] = { 1, 0.5, -1, 2, 3 };
        const double *const xs[2] = { &x, &x };
        double clamp = run & 2 ? 0.4 : INFINITY, g = NAN, truth = 0;
        const int m = 19;                                /* more than one block of directions */
        struct ticket t;
        assert_true(oracle_all(o, &t));
        assert_true(oracle_probe(o, &(struct probe){ .ticket = &t,
                                                     .points = 2,
                                                     .x = xs,
                                                     .a = a,
                                                     .r = r,
                                                     .directions = m,
                                                     .w = run & 4 ? w : NULL,
                                                     .clamp = clamp,
                                                     .g = &g }));
        for (long i = 0; i < N; i++) {
            double c = 2 * 0.5 * tiny_residual(&b->data, i, &x) * b->data.row[i].a[0];
            truth += m * (run & 4 ? w[i] : 1.0 / N) * fmax(-clamp, fmin(clamp, c));
        }
        near(1, &g, &truth);
        assert_true(o->counts.of[COUNT_sample_values] == 2 * N * m && o->counts.of[COUNT_directions] == N * m);
        assert_true(o->counts.of[COUNT_batch_steps] == 1 && o->counts.of[COUNT_max_visits] == 1);
        bench_free(b);
    }
}

/* In D dimensions the estimate (d/2r)(f(x+ru) - f(x-ru)) u is unbiased for the gradient of a quadratic. This is
 * tested by the mean of 400 probes of 50 directions, with |z| < 5.5 for each of its 3 entries (4e-8 each, for a
 * right program). Values along directions agree with values asked one by one. */
static void test_probe(void **state)
{
    const double r[2] = { 0.1, -0.1 }, a[2] = { D / 0.2, -D / 0.2 }, *const xs[2] = { X0, X0 };
    struct bench *b = bench_new(true), *c = bench_new(true);
    c->problem.values_along = tiny_values_along;
    struct oracle *o = bench_open(b, NULL, 3), *p = bench_open(c, NULL, 3);
    double sum[D] = { 0 }, square[D] = { 0 }, truth[D], g[D], h[D];
    tiny_grad(&b->data, X0, truth);
    for (int k = 0; k < 400; k++) {
        struct ticket t, u;
        assert_true(oracle_all(o, &t) && oracle_all(p, &u));
        struct probe q = { .ticket = &t, .points = 2, .x = xs, .a = a, .r = r, .directions = 50,
                           .clamp = INFINITY, .g = g };
        assert_true(oracle_probe(o, &q));
        q.ticket = &u;
        q.g = h;
        assert_true(oracle_probe(p, &q));
        for (int j = 0; j < D; j++) {
            assert_true(fabs(g[j] - h[j]) < 1e-9);
            sum[j] += g[j] / 50;
            square[j] += g[j] / 50 * (g[j] / 50);
        }
    }
    for (int j = 0; j < D; j++) {
        double mean = sum[j] / 400, variance = square[j] / 400 - mean * mean;
        assert_true(variance > 0 && fabs(mean - truth[j]) < 5.5 * sqrt(variance / 400));
    }
    bench_free(b);
    bench_free(c);
}

/* --- neighbours: record 2 is zeroed, replaced by the canary -1, or removed */

static void ask_all(struct bench *b, double v[64])
{
    static const double w[2] = { 1, -0.5 }, r[2] = { 0.3, 0 }, C_j[D] = { 0.7, 1, 0.2 };
    static const double step[D] = { 0.1, 0.2, -0.3 };
    struct oracle *o = &b->o;
    struct ticket t[3];
    struct round q;
    struct point *p = oracle_point(o, b->arena);
    double work[D];
    vec_zero(64, v);
    for (int k = 0; k < 3; k++) {
        draw_ticket(o, (enum sampling)k, &t[k]);
        struct batch batch = { .ticket = &t[k], .points = 2, .x = XS, .a = w, .g = v + D * k };
        assert_true(oracle_batch(o, &batch));
        batch.clip = CLIP_NORM, batch.C = 0.9, batch.g = v + 9 + D * k;
        assert_true(oracle_batch(o, &batch));
        batch.clip = CLIP_COORDS, batch.C_j = C_j, batch.g = v + 18 + D * k;
        assert_true(oracle_batch(o, &batch));
        assert_true(oracle_probe(o, &(struct probe){ .ticket = &t[k], .points = 2, .x = XS, .a = w,
                    .r = r, .directions = 3, .clamp = 0.8, .g = v + 27 + D * k }));
        assert_true(oracle_values(o, &t[k], NULL, X0, v + 36 + k));
    }
    assert_true(oracle_grad(o, X0, v + 39) && oracle_value(o, X0, v + 42));
    assert_true(oracle_round(o, 8, walk, step, &q));
    round_add(o, &q, 0, 8, NULL, work, v + 43);
    point_set(p, X0);
    point_add(p, 1, 0.5);
    assert_true(point_coord(p, 0, NULL, v + 46) && point_coord(p, 2, C_j, v + 47));
    assert_true(point_grad(p, NULL, v + 48) && point_grad(p, C_j, v + 51));
}

static void test_neighbours(void **state)
{
    for (int kind = 0; kind < 8; kind++) {
        struct bench *b = bench_new(true), *c = bench_new(true);
        b->problem.batch_grad = c->problem.batch_grad = kind % 2 ? tiny_batch_grad : NULL;
        b->problem.values_along = c->problem.values_along = kind % 2 ? tiny_values_along : NULL;
        struct oracle *o = bench_open(b, NULL, 4);
        bench_open(c, NULL, 4);
        if (kind / 2 == 1) {
            o->neighbour = (struct neighbour){ NEIGHBOUR_NULL, 2, 0 };
            memset(&c->data.row[2], 0, sizeof c->data.row[2]);
        } else if (kind / 2 == 3) {
            o->neighbour = (struct neighbour){ NEIGHBOUR_REMOVE, 2, 0 };
            memset(&c->data.row[2], 0, sizeof c->data.row[2]);
        } else if (kind / 2 == 2) {
            o->neighbour = (struct neighbour){ NEIGHBOUR_REPLACE, 2, -1 };
            c->data.row[2] = c->data.row[N];
        }
        double v[64], truth[64], same[64];
        ask_all(b, v);
        ask_all(c, truth);
        for (int k = 39; k < 54 && kind / 2 == 3; k++)   /* answers about F are means over N - 1 records;
                                                        those of the round, 43 to 45, have single records */
            truth[k] *= k >= 43 && k < 46 ? 1 : N / (N - 1.0);
        near(64, v, truth);
        if (kind / 2) {                                  /* the change of the data has an effect on the answers from
                                                            36 on */
            struct bench *e = bench_new(true);
            bench_open(e, NULL, 4);
            ask_all(e, same);
            for (int k = 0; k < 54; k += 3)
                assert_true(memcmp(v + k, same + k, 3 * sizeof *v) != 0 || k < 36);
            bench_free(e);
        }
        bench_free(b);
        bench_free(c);
    }
}

/* Returns F, the mean loss of the records plus the simple part |x|_1, which stays as it is if a record is
 * removed. */
static double with_rest_value(const void *self, const double *x)
{
    return tiny_value(self, x) + vec_norm1(D, x);
}

static void with_rest_grad(const void *self, const double *x, double *g)
{
    tiny_grad(self, x, g);
    for (int j = 0; j < D; j++)
        g[j] += x[j] > 0 ? 1 : -1;
}

static bool has_rest(const void *self) { return true; }

static const struct composite_model with_rest = {
    .smooth_value = tiny_value, .smooth_grad = tiny_grad, .has_rest = has_rest
};

static void test_simple_part(void **state)
{
    const double x[D] = { 0.7, -1.2, 0.4 };
    double f, g[D], value = 0, grad[D] = { 0 };
    struct bench *b = bench_new(true);
    b->problem.value = with_rest_value;
    b->problem.grad = with_rest_grad;
    b->problem.composite = &with_rest;
    struct oracle *o = bench_open(b, NULL, 4);
    o->neighbour = (struct neighbour){ NEIGHBOUR_REMOVE, 2, 0 };
    assert_true(oracle_value(o, x, &f) && oracle_grad(o, x, g));
    for (long i = 0; i < N; i++)
        if (i != 2) {
            value += tiny_sample_value(&b->data, i, x) / (N - 1);
            tiny_sample_grad(&b->data, i, x, 1.0 / (N - 1), grad);
        }
    near(1, &f, &(double){ value + vec_norm1(D, x) });
    for (int j = 0; j < D; j++)
        grad[j] += x[j] > 0 ? 1 : -1;
    near(D, g, grad);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round), cmocka_unit_test(test_forgeries),
        cmocka_unit_test(test_probe_in_one_dimension),
        cmocka_unit_test(test_probe), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_simple_part),
    };
    return cmocka_run_group_tests_name("queries", tests, NULL, NULL);
}

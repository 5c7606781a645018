/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_oracle.c - batches recomputed by hand, tickets, the largest number of visits to a record, and exact laws of
 * the mean of a batch. */
#include "support/aborts.h"
#include "support/tiny.h"

#include <gsl/gsl_cdf.h>

/* --- batches */

/* What clipping did in a batch: the number of gradients seen and clipped, the sum of the distances by which
 * clipping moved them, and the largest norm before clipping. */
struct clipping { double seen, clipped, mass, largest; };

/* g[D] <- sum_i w_i clip( sum_k a_k grad f(x_k; s_i) ) over the records s_i of the batch q, record by record; its
 * weights w, coefficients a and points x are those of q. Adds to *c what clipping did. */
static void batch_by_hand(struct oracle *o, const struct tiny *data, const struct batch *q,
                          double *g, struct clipping *c)
{
    vec_zero(D, g);
    for (long k = 0; k < q->ticket->count; k++) {
        double v[D] = { 0 }, norm = 0, lost = 0;
        long i = oracle_record(o, q->ticket, k);
        for (int p = 0; p < q->points; p++)
            tiny_sample_grad(data, i, q->x[p], q->a ? q->a[p] : 1, v);
        for (int j = 0; j < D; j++)
            norm += v[j] * v[j];
        norm = sqrt(norm);
        for (int j = 0; j < D; j++) {
            double bound = q->clip == CLIP_COORDS                ? q->C_j[j]
                           : q->clip == CLIP_NORM && norm > q->C ? fabs(v[j]) * q->C / norm
                                                                 : INFINITY;
            double kept = fmax(-bound, fmin(bound, v[j]));
            lost += (v[j] - kept) * (v[j] - kept);
            g[j] += (q->w ? q->w[k] : 1 / (double)q->ticket->count) * kept;
        }
        c->seen++;
        c->clipped += lost > 0;
        c->mass += sqrt(lost);
        c->largest = fmax(c->largest, norm);
    }
}

/* Compares batches with sums by hand: of fresh samples, of draws with replacement and of all records, for every
 * kind of clipping, with and without weights and coefficients, at one point and two, answered as a whole or sample
 * by sample. */
static void test_batch(void **state)
{
    static const double a[2] = { 1.5, -0.5 }, w[7] = { 0.1, -2, 0.3, 1, 0.5, 0, 3 };
    static const double bounds[D] = { 1, 0.5, 2 };
    for (int run = 0; run < 3 * 3 * 2 * 2 * 2 * 2; run++) {
        struct bench *b = bench_new(true);
        b->problem.batch_grad = run & 1 ? tiny_batch_grad : NULL;
        struct oracle *o = bench_open(b, NULL, (uint64_t)run);
        struct ticket t;
        double g[D] = { NAN, NAN, NAN }, truth[D], entries = 0;
        draw_ticket(o, (enum sampling)(run / 16 % 3), &t);
        struct batch q = { .ticket = &t,
                           .points = run & 2 ? 2 : 1,
                           .x = XS,
                           .a = run & 4 ? a : NULL,
                           .w = run & 8 ? w : NULL,
                           .clip = (enum clip)(run / 48),
                           .C = 1.25,
                           .C_j = bounds,
                           .g = g };
        struct clipping c = { 0 };
        batch_by_hand(o, &b->data, &q, truth, &c);
        assert_true(oracle_batch(o, &q));
        near(D, g, truth);
        for (long k = 0; k < t.count; k++)
            entries += (double)tiny_nonzeros(&b->data, oracle_record(o, &t, k));
        assert_true(o->counts.of[COUNT_nonzeros] == entries * q.points);
        assert_true(o->counts.of[COUNT_sample_grads] == (double)(t.count * q.points));
        assert_true(o->counts.of[COUNT_batch_steps] == 1);
        if (q.clip != CLIP_NONE) {
            assert_true(o->clip_seen == c.seen && o->clipped == c.clipped);
            near(1, &o->clip_mass, &c.mass);
            near(1, &o->clip_largest, &c.largest);
        } else {
            assert_true(o->clip_seen == 0);
        }
        bench_free(b);
    }
}

static void test_sgrad_is_draw_and_batch(void **state)
{
    for (int stored = 0; stored < 2; stored++) {
        struct bench *b = bench_new(stored), *c = bench_new(stored);
        struct oracle *o = bench_open(b, NULL, 3), *p = bench_open(c, NULL, 3);
        for (int k = 0; k < 4; k++) {
            struct ticket t;
            double g[D], h[D];
            assert_true(oracle_sgrad(o, 6, X0, g));
            assert_true(oracle_draw(p, 6, &t));
            assert_true(
                oracle_batch(p, &(struct batch){ .ticket = &t, .points = 1, .x = XS, .g = h }));
            assert_memory_equal(g, h, sizeof g);
        }
        assert_memory_equal(&o->counts, &p->counts, sizeof o->counts);
        bench_free(b);
        bench_free(c);
    }
}

/* --- tickets */

static void test_take_stored(void **state)
{
    int orders[2] = { 0 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, seed / 2);
        struct ticket t, last;
        int seen[N] = { 0 }, code = 0;
        for (int k = 0; k < N; k++) {
            assert_true(oracle_left(o) == N - k);
            assert_true(oracle_take(o, 1, &t));
            long i = oracle_record(o, &t, 0);
            assert_true(i >= 0 && i < N && !seen[i]++);
            code = code * N + (int)i;
        }
        if (seed % 2)
            assert_int_equal(code, orders[0]);           /* the same seed gives the same order */
        orders[0] = code;
        orders[1] += code != 194;                        /* 194 is the code of the order 0 1 2 3 4 */
        last = t;
        assert_false(oracle_take(o, 1, &t));
        assert_memory_equal(&t, &last, sizeof t);
        assert_true(o->spent && o->counts.of[COUNT_taken] == N && oracle_left(o) == 0);
        bench_free(b);
    }
    assert_true(orders[1] > 150);                        /* few seeds give the order 0 1 2 3 4 */
}

static void test_take_too_many(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    struct ticket t;
    assert_true(oracle_take(o, 3, &t));
    assert_false(oracle_take(o, 3, &t));
    assert_true(t.count == 3 && o->counts.of[COUNT_taken] == 3);
    bench_free(b);
}

/* If each record may be used only once, draws give all records in a seeded order, and then no more. Questions about
 * the whole data set end the run. */
static void test_once(void **state)
{
    for (int ask = 0; ask < 5; ask++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, 4);
        struct arena *a = arena_new(0);
        struct ticket t;
        double g[D] = { 7, 7, 7 };
        int seen[N] = { 0 };
        struct point *at = oracle_point(o, a);
        o->once = true;
        for (int k = 0; k < N - 1; k++) {
            assert_true(oracle_draw(o, 1, &t) && t.scheme == SAMPLING_FRESH);
            seen[oracle_record(o, &t, 0)]++;
        }
        assert_true(oracle_left(o) == 1);
        if (ask == 0) {
            assert_true(oracle_sgrad(o, 1, X0, g) && !oracle_draw(o, 1, &t) && !o->refused);
            for (int i = 0, missing = 0; i < N; i++)
                assert_true(seen[i] <= 1 && (missing += !seen[i]) <= 1);
            assert_true(o->counts.of[COUNT_max_visits] == 1 && o->counts.of[COUNT_taken] == N);
        } else {
            assert_false(ask == 1 ? oracle_grad(o, X0, g) : ask == 2 ? oracle_all(o, &t)
                       : ask == 3 ? point_grad(at, NULL, g) : point_coord(at, 1, NULL, g));
            assert_true(o->refused && g[0] == 7);
        }
        arena_free(a);
        bench_free(b);
    }
}

static void test_take_stream(void **state)
{
    struct bench *b = bench_new(false);
    struct oracle *o = bench_open(b, NULL, 1);
    struct ticket t;
    long next = 0;
    assert_true(oracle_left(o) == INFINITY);
    o->budget.of[COUNT_taken] = 50;
    for (long k = 1; k < 10; k++) {
        assert_true(k % 2 ? oracle_take(o, k, &t) : oracle_draw(o, k, &t));
        for (long i = 0; i < k; i++)
            assert_int_equal(oracle_record(o, &t, i), next++);
        assert_true(oracle_left(o) == (double)(50 - next));
    }
    assert_false(oracle_take(o, 6, &t));
    assert_true(t.count == 9 && o->counts.of[COUNT_taken] == 45);
    bench_free(b);
}

/* The records of 10,000 draws from 5 are equally frequent: the chi-square, with 4 degrees of freedom, must be below
 * its 1 - 1e-6 quantile. */
static void test_draw_is_uniform(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 12);
    struct ticket t;
    double seen[N] = { 0 }, sum = 0;
    for (int k = 0; k < 100; k++) {
        assert_true(oracle_draw(o, 100, &t));
        for (long i = 0; i < 100; i++) {
            long record = oracle_record(o, &t, i);
            assert_int_equal(record, oracle_record(o, &t, i));
            seen[record]++;
        }
    }
    for (int i = 0; i < N; i++)
        sum += (seen[i] - 2000) * (seen[i] - 2000) / 2000;
    assert_true(gsl_cdf_chisq_Q(sum, N - 1) > 1e-6);
    assert_true(sum > 0);
    bench_free(b);
}

static void test_parts(void **state)
{
    for (int scheme = 0; scheme < 3; scheme++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, 5);
        struct ticket t;
        draw_ticket(o, (enum sampling)scheme, &t);
        for (long from = 0; from < t.count; from++)
            for (long count = 1; from + count <= t.count; count++) {
                struct ticket part = ticket_part(&t, from, count);
                assert_int_equal(part.count, count);
                for (long k = 0; k < count; k++)
                    assert_int_equal(oracle_record(o, &part, k), oracle_record(o, &t, from + k));
            }
        bench_free(b);
    }
}

static void part_beyond(void *t) { ticket_part(t, 3, 2); }
static void part_before(void *t) { ticket_part(t, -1, 2); }
static void part_of_none(void *t) { ticket_part(t, 1, 0); }
static void take_none(void *o) { struct ticket t; oracle_take(o, 0, &t); }
static void all_of_stream(void *o) { struct ticket t; oracle_all(o, &t); }

static void test_broken_contracts(void **state)
{
    struct ticket t = { .count = 4 };
    struct bench *b = bench_new(false);
    struct oracle *o = bench_open(b, NULL, 5);
    assert_true(aborts(part_beyond, &t, NULL, 0));
    assert_true(aborts(part_before, &t, NULL, 0));
    assert_true(aborts(part_of_none, &t, NULL, 0));
    assert_true(aborts(take_none, o, NULL, 0));
    assert_true(aborts(all_of_stream, o, NULL, 0));
    t.aggregated = true;
    assert_true(aborts(part_of_none, &t, NULL, 0));
    bench_free(b);
}

/* The count max_visits is the largest number of rounds that evaluated one record. It is compared with a count by
 * hand, for gradients of F, values and batches, each asked one to seven times. */
static void test_max_visits(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 8);
    struct ticket fresh[2], all, one;
    double visits[N] = { 0 }, g[D], f;
    assert_true(oracle_take(o, 2, &fresh[0]) && oracle_take(o, 3, &fresh[1]) &&
                oracle_all(o, &all));
    for (int k = 0; k < 120; k++) {
        struct ticket *t = k % 8 > 5 ? &one : k % 8 > 3 ? &all : &fresh[k * k % 3 == 1];
        if (k % 8 > 5)
            assert_true(oracle_draw(o, 1, &one));
        for (int again = k % 7; again >= 0; again--) {
            if (k % 5 == 0)
                assert_true(oracle_grad(o, X0, g));
            else if (k % 3 == 0)
                assert_true(oracle_values(o, t, NULL, X0, &f));
            else
                assert_true(
                    oracle_batch(o, &(struct batch){ .ticket = t, .points = 2, .x = XS, .g = g }));
            double most = 0;
            for (long i = 0; k % 5 == 0 && i < N; i++)
                visits[i]++;
            for (long i = 0; k % 5 && i < t->count; i++)
                visits[oracle_record(o, t, i)]++;
            for (int i = 0; i < N; i++)
                most = fmax(most, visits[i]);
            assert_true(o->counts.of[COUNT_max_visits] == most);
        }
    }
    bench_free(b);
}

/* --- exact laws of the mean of a batch */

static void test_aggregated(void **state)
{
    struct bench *b = bench_new(false);
    b->problem.batch_law = tiny_law;
    struct oracle *o = bench_open(b, NULL, 1);
    o->aggregate = true;
    struct ticket t, u;
    double g[D], h[D], both[D], at0[D], at1[D];
    assert_true(oracle_take(o, 400, &t) && oracle_take(o, 400, &u) && t.aggregated);
    assert_true(oracle_batch(o, &(struct batch){ .ticket = &t, .points = 1, .x = XS, .g = g }));
    assert_true(oracle_batch(o, &(struct batch){ .ticket = &t, .points = 1, .x = XS + 1, .g = h }));
    assert_true(oracle_batch(o, &(struct batch){ .ticket = &t, .points = 2, .x = XS,
                                                 .a = (double[]){ 1, -1 }, .g = both }));
    tiny_grad(&b->data, X0, at0);
    tiny_grad(&b->data, X1, at1);
    double noise = g[0] - at0[0];                        /* the noise of one draw is the same at every point */
    assert_true(noise != 0 && fabs(noise) < 6 / sqrt(400));
    at0[0] += noise;
    at1[0] += noise;
    near(D, g, at0);
    near(D, h, at1);
    vec_sub(D, at0, at1, at1);
    near(D, both, at1);
    assert_true(oracle_batch(o, &(struct batch){ .ticket = &u, .points = 1, .x = XS, .g = h }));
    assert_true(h[0] != g[0]);                           /* another ticket is another draw */
    assert_true(oracle_clipped(o, &t, X0, INFINITY, h)); /* clipping at infinity leaves the answer as it is */
    near(D, h, g);
    assert_true(o->counts.of[COUNT_sample_grads] == 6 * 400 && o->counts.of[COUNT_taken] == 800);
    bench_free(b);
}

/* Questions that the exact law cannot answer are refused with a sentence: nothing is charged or written. */
static void test_aggregated_refuses(void **state)
{
    const double w[4] = { 1, 1, 1, 1 }, x[D] = { 0 }, *const xs[1] = { x };
    const double C_j[D] = { 1, 1, 1 };
    for (int k = 0; k < 6; k++) {
        struct bench *b = bench_new(false);
        b->problem.batch_law = tiny_law;
        struct oracle *o = bench_open(b, NULL, 1);
        struct ticket t;
        double g[D] = { 7, 7, 7 };
        o->aggregate = true;
        assert_true(oracle_take(o, 4, &t));
        struct counts before = o->counts;
        struct batch q = { .ticket = &t, .points = 1, .x = xs, .g = g, .C = 1, .C_j = C_j };
        struct probe p = { .ticket = &t, .points = 1, .x = xs, .a = w, .r = w, .directions = 1,
                           .clamp = 1, .g = g };
        q.clip = k == 0 ? CLIP_NORM : k == 1 ? CLIP_COORDS : CLIP_NONE;
        q.w = k == 2 ? w : NULL;
        o->neighbour.kind = k == 3 ? NEIGHBOUR_NULL : NEIGHBOUR_SAME;
        assert_false(k == 4 ? oracle_values(o, &t, NULL, x, g)
                     : k == 5 ? oracle_probe(o, &p) : oracle_batch(o, &q));
        assert_non_null(o->refused);
        assert_memory_equal(&before, &o->counts, sizeof before);
        for (int j = 0; j < D; j++)
            assert_true(g[j] == 7);
        assert_false(oracle_take(o, 1, &t));             /* the run is over */
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch), cmocka_unit_test(test_sgrad_is_draw_and_batch),
        cmocka_unit_test(test_take_stored), cmocka_unit_test(test_take_too_many),
        cmocka_unit_test(test_take_stream), cmocka_unit_test(test_draw_is_uniform),
        cmocka_unit_test(test_parts), cmocka_unit_test(test_broken_contracts),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_max_visits), cmocka_unit_test(test_aggregated),
        cmocka_unit_test(test_aggregated_refuses),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}

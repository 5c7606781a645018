/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_walk.c - steps that touch only the entries of sparse rows: the last iterate or the mean is compared with the
 * loop written out, on the records that a twin oracle of the same seed draws, one sample's gradient at a time. */
#include "support/erm_tables.h"
#include "oracle/oracle_state.h"

enum { STEPS = 3000, B_MOST = 40 };

struct path {
    double eta, radius;
    long b;
    bool average, sparse;            /* average: the answer is the mean of the iterates, else the last; sparse: the
                                        walk must be kept in sparse form */
    bool once;                       /* every record is used at most once, in the seeded order of the oracle */
};

static void open_twin(struct oracle *o, const struct built *in, const struct path *p,
                      struct arena *a)
{
    struct rng data = rng_stream(1);
    oracle_open(o, P, in->self, &in->f, CALL_SAMPLES, &data, 7, a);
    o->once = p->once;
    o->budget.of[COUNT_sample_grads] = STEPS * (double)p->b;
}

/* x[d] <- the answer after as many steps as the budget allows; returns how many there were. */
static double plain(struct oracle *o, const struct built *in, const struct path *p, double *x)
{
    double *g = calloc((size_t)in->d, sizeof *g), *sum = calloc((size_t)in->d, sizeof *sum), t = 0;
    double *ask = calloc((size_t)in->d, sizeof *ask);
    uint64_t serial = o->serial;
    vec_zero(in->d, x);
    while (oracle_sgrad(o, p->b, x, ask)) {
        struct ticket drawn = { .count = p->b, .serial = serial++, .scheme = SAMPLING_REPLACE };
        double norm = 0;
        if (p->once)
            drawn = (struct ticket){ .first = (long)t * p->b, .count = p->b };
        t++;
        vec_zero(in->d, g);
        for (long k = 0; k < p->b; k++)
            P->sample_grad(in->self, oracle_record(o, &drawn, k), x, 1 / (double)p->b, g);
        for (long j = 0; j < in->d; j++) {
            x[j] -= p->eta * g[j];
            norm += x[j] * x[j];
        }
        o->counts.of[COUNT_project_0] += isfinite(p->radius);
        if (sqrt(norm) > p->radius)
            vec_scale(in->d, p->radius / sqrt(norm), x);
        for (long j = 0; j < in->d; j++)
            sum[j] += x[j];
    }
    for (long j = 0; j < in->d && p->average && t > 0; j++)
        x[j] = sum[j] / t;
    free(g);
    free(ask);
    free(sum);
    return t;
}

static void expect_close(const char *what, long d, const double *v, const double *truth,
                         double tolerance)
{
    for (long j = 0; j < d; j++)
        if (!(fabs(v[j] - truth[j]) <= tolerance))
            fail_msg("%s: entry %ld is %.17g, expected %.17g +- %g", what, j, v[j], truth[j],
                     tolerance);
}

static void check(const struct built *in, const struct path *p, enum trace_mode trace)
{
    struct arena *a = arena_new(0), *b = arena_new(0);
    struct oracle walked, twin;
    double *x = arena_vec(a, in->d), *truth = arena_vec(b, in->d), size;
    open_twin(&walked, in, p, a);
    open_twin(&twin, in, p, b);
    walked.marks.mode = trace;
    struct walk *w = oracle_walk(&walked, p->b, p->average, a);
    arena_seal(a);
    vec_zero(in->d, x);
    walk_begin(w, x);
    bool late = false;
    while (walk_step(w, p->eta))
        late |= walked.unwritten == w;
    walk_end(w, x);
    double steps = plain(&twin, in, p, truth);
    assert_int_equal(late, p->sparse && trace != TRACE_EVERY);
    assert_true(p->once ? steps >= 1 && steps < STEPS : steps == STEPS);
    size = vec_norm_inf(in->d, truth);
    assert_true(size > 0 && size < 1e6);
    expect_close("the answer", in->d, x, truth, 1e-11 * size);
    expect_close("the last mark", in->d, oracle_answer(&walked), truth, 1e-11 * size);
    for (int k = 0; k < COUNT_KINDS; k++)
        if (walked.counts.of[k] != twin.counts.of[k])
            fail_msg("%s: %.17g, expected %.17g", count_name(k), walked.counts.of[k],
                     twin.counts.of[k]);
    if (trace == TRACE_EVERY)
        assert_int_equal(walked.marks.rows, (long)steps);
    oracle_release(&walked);
    oracle_release(&twin);
    arena_free(a);
    arena_free(b);
}

/* The penalty multiplies x by 1 - eta l2 in every step. In the five cases this factor is 1, slightly below 1, so
 * small that the walk is written out every few steps, 0, and negative. */
static void test_shrinking(void **state)
{
    static const struct { double l2, eta; } of[] = { { 0, 0.02 }, { 0.01, 0.05 }, { 4, 0.05 },
                                                     { 8, 0.125 }, { 12, 0.125 } };
    for (int k = 0; k < 5; k++)
        for (int average = 0; average < 2; average++)
            for (long b = 1; b <= 3; b += 2) {
                struct built in = BUILD(.data = file[SPARSE], .l2 = of[k].l2, .optimum = "none");
                check(&in, &(struct path){ of[k].eta, INFINITY, b, average, true }, TRACE_NONE);
                arena_free(in.a);
            }
}

/* The boundary of the ball is reached in almost every step, with and without a column of ones and a penalty. */
static void test_in_a_ball(void **state)
{
    for (int kind = 0; kind < 8; kind++) {
        struct built in = BUILD(.data = file[SPARSE], .l2 = kind & 1 ? 0.5 : 0, .radius = 0.3,
                                .intercept = kind & 2 ? 1 : 0, .optimum = "none");
        check(&in, &(struct path){ 0.1, 0.3, 1 + (kind >> 1), kind & 4, true }, TRACE_NONE);
        arena_free(in.a);
    }
}

static void test_ones_and_squares(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .loss = "squares", .l2 = 0.1, .intercept = 1,
                            .optimum = "none");
    check(&in, &(struct path){ 0.005, INFINITY, 2, true, true }, TRACE_NONE);
    arena_free(in.a);
}

/* At a mark that is measured the whole x is written out. Every mark has a row of the trace. */
static void test_marks(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .l2 = 0.1, .optimum = "none");
    check(&in, &(struct path){ 0.05, INFINITY, 1, true, true }, TRACE_GEOMETRIC);
    check(&in, &(struct path){ 0.05, INFINITY, 1, false, true }, TRACE_EVERY);
    arena_free(in.a);
}

/* In the first case no record is used twice. In the other cases every step touches all entries of x: dense rows,
 * large batches, l1. */
static void test_other_ways(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .l2 = 0.1, .optimum = "none");
    check(&in, &(struct path){ 0.05, INFINITY, 3, true, true, .once = true }, TRACE_NONE);
    check(&in, &(struct path){ 0.05, INFINITY, B_MOST, true, false }, TRACE_NONE);
    arena_free(in.a);
    in = BUILD(.data = file[DENSE], .l2 = 0.1, .optimum = "none");
    check(&in, &(struct path){ 0.02, INFINITY, 1, true, false }, TRACE_NONE);
    arena_free(in.a);
    in = BUILD(.data = file[SPARSE], .l1 = 0.01, .prox = "none", .optimum = "none");
    check(&in, &(struct path){ 0.02, INFINITY, 1, true, false }, TRACE_NONE);
    arena_free(in.a);
}

/* Without a step the answer is the start, and there is no mark. */
static void test_no_step(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .l2 = 0.1, .optimum = "none");
    struct arena *a = arena_new(0);
    struct oracle o;
    double *x = arena_vec(a, in.d);
    open_twin(&o, &in, &(struct path){ .b = 1 }, a);
    o.budget.of[COUNT_sample_grads] = 0;
    struct walk *w = oracle_walk(&o, 1, true, a);
    vec_fill(in.d, 2, x);
    walk_begin(w, x);
    assert_false(walk_step(w, 1));
    vec_zero(in.d, x);
    walk_end(w, x);
    for (long j = 0; j < in.d; j++)
        assert_true(x[j] == 2);
    assert_null(oracle_answer(&o));
    oracle_release(&o);
    arena_free(a);
    arena_free(in.a);
}

/* Draws that a walk has made ahead are not given to another draw with the same serial number, which takes the
 * samples of one ticket only. */
static void test_draws_beside(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .l2 = 0.1, .optimum = "none");
    struct arena *a = arena_new(0);
    struct oracle o;
    double *x = arena_vec(a, in.d);
    struct ticket block, t;
    enum { B = 2, DRAWS = 8 };
    open_twin(&o, &in, &(struct path){ .b = DRAWS }, a);
    struct walk *w = oracle_walk(&o, DRAWS, false, a);
    vec_zero(in.d, x);
    walk_begin(w, x);
    assert_true(oracle_take(&o, B, &block) && walk_step(w, 0.1));
    long within[B], record[DRAWS];
    oracle_records(&o, &block, 0, B, within);
    assert_true(oracle_draw_from(&o, &block, DRAWS, &t));
    oracle_records(&o, &t, 0, DRAWS, record);
    for (int k = 0; k < DRAWS; k++) {
        bool found = false;
        for (int i = 0; i < B; i++)
            found |= record[k] == within[i];
        assert_true(found);
    }
    oracle_release(&o);
    arena_free(a);
    arena_free(in.a);
}

/* If a walk is begun again, the answer is that of the earlier walk until the new one has a mark. */
static void test_begun_again(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .l2 = 0.1, .optimum = "none");
    struct arena *a = arena_new(0);
    struct oracle o;
    double *x = arena_vec(a, in.d), *first = arena_vec(a, in.d);
    open_twin(&o, &in, &(struct path){ .b = 1 }, a);
    struct walk *w = oracle_walk(&o, 1, true, a);
    vec_zero(in.d, x);
    walk_begin(w, x);
    assert_true(walk_step(w, 0.1) && walk_step(w, 0.1));
    walk_end(w, first);
    vec_fill(in.d, 7, x);
    walk_begin(w, x);
    expect_close("the answer", in.d, oracle_answer(&o), first, 0);
    oracle_release(&o);
    arena_free(a);
    arena_free(in.a);
}

/* A step in sparse form writes to no memory behind that of the walk. Without draws ahead the B slopes of the
 * samples are the last of it: vectors of 8 numbers fill whole lines of the arena. */
static void test_memory_behind(void **state)
{
    struct built in = BUILD(.data = file[SPARSE], .l2 = 0.1, .optimum = "none");
    struct arena *a = arena_new(0);
    struct oracle o;
    enum { B = 8 };
    double *x = arena_vec(a, in.d);
    open_twin(&o, &in, &(struct path){ .b = B, .once = true }, a);
    struct walk *w = oracle_walk(&o, B, true, a);
    double *behind = arena_vec(a, B);
    vec_fill(B, 7, behind);
    vec_zero(in.d, x);
    walk_begin(w, x);
    for (int k = 0; k < 4; k++)
        assert_true(walk_step(w, 0.1));
    for (int k = 0; k < B; k++)
        assert_true(behind[k] == 7);
    oracle_release(&o);
    arena_free(a);
    arena_free(in.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shrinking), cmocka_unit_test(test_in_a_ball),
        cmocka_unit_test(test_ones_and_squares), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_other_ways), cmocka_unit_test(test_no_step),
        cmocka_unit_test(test_draws_beside), cmocka_unit_test(test_begun_again),
        cmocka_unit_test(test_memory_behind),
    };
    return cmocka_run_group_tests_name("walk", tests, setup, teardown);
}

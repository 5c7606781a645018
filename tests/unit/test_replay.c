/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_replay.c - replay of runs on neighbouring data sets: ratios in closed form, mechanisms, memory,
 * determinism, refusals. Every seed is fixed; what is tested holds for all seeds unless a comment gives the
 * probability. */
#include "support/replayed.h"

/* --- the ratio of a change to the declared sensitivity, in closed form */

/* Returns the norm of a sample's gradient, which does not depend on the point. */
static double norm_of(const struct cell *c, long record)
{
    const void *self;
    const struct facts *f;
    struct why why;
    double x[8] = { 0 }, g[8] = { 0 };
    assert_int_equal(runner_instance(rn, c, &self, &f, &why), OK);
    c->problem->sample_grad(self, record, x, 1, g);
    return vec_norm(8, g);
}

/* On linear losses, zeroing a record changes the release of its batch by |grad f|/B, so that the ratio to the
 * sensitivity is |grad f|/C. For accelerated-dp-srgd, whose releases sum differences of gradients with weights
 * eta_t, the ratio is the same, since eta_t - eta_(t-1) = 1. */
static void test_linear_ratios(void **state)
{
    static const struct { const char *algo; double C; } list[] = {
        { "dp-sgd", 1.1 }, { "dp-sgd C=3", 3 }, { "accelerated-dp-srgd", 2.2 },
        { "accelerated-dp-srgd noise=root C=5 B=4", 5 }, { "dp-sgd T=64 B=1", 1.1 },
    };
    for (size_t a = 0; a < sizeof list / sizeof *list; a++)
        for (long k = 1; k <= 6; k++) {
            struct cell *c = cell_of(NULL,
                                     "problem linear d=8 | algo %s | goal n=64 eps=1 delta=1e-5 "
                                     "| run | rep %ld",
                                     list[a].algo, k);
            struct replay r = replayed(c, k);
            long i = r.first.with;
            assert_int_equal(r.choice, (k - 1) % 3);
            assert_int_equal(r.first.kind, NEIGHBOUR_REPLACE);
            assert_int_equal(r.second.kind, NEIGHBOUR_NULL);
            assert_true(r.first.i == r.second.i && r.first.i >= 0 && r.first.i < 64);
            assert_true(i == (r.choice == CHOICE_CANARY ? -1 : r.first.i));
            expect_ratio(list[a].algo, &r, norm_of(c, i) / list[a].C);
            assert_int_equal(r.tape.site[0].touched, 1);
            tape_free(&r.tape);
            cell_free(c);
        }
}

/* The phases of phased-sgd have 32, 16, ... samples, and the step lengths 10^-16/4^i. Noise of sd 1 has moved the
 * start of a later phase away from 0, so that these steps are far below the rounding of the iterates. All the same,
 * leaving out record r = 0, 1, ... of the n_i records of a phase moves the mean of the iterates by (n_i - r)/n_i of
 * the step of this record, and the ratio to the sensitivity is this share of |grad f|/L. For one of three
 * neighbours the canary, of norm L, takes the place of the record. */
static void test_steps_below_rounding(void **state)
{
    int later = 0;
    for (long k = 1; k <= 24; k++) {
        struct cell *c = cell_of(NULL, "problem linear d=8 radius=1e6 | algo phased-sgd n=64 "
                                 "eta=1e-16 sigma=4e16 | goal n=64 | run | rep %ld", k);
        struct replay r = replayed(c, k);
        long first = 0, size = 32, record = r.choice == CHOICE_CANARY ? -1 : r.first.i;
        for (; r.first.i >= first + size; size /= 2)
            first += size;
        later += first > 0;
        double place = (double)(r.first.i - first) / (double)size;
        expect_ratio("phased-sgd", &r, norm_of(c, record) / 1.1 * (1 - place));
        tape_free(&r.tape);
        cell_free(c);
    }
    assert_true(later >= 6);         /* of 24 neighbours, half are expected to be in later phases */
}

/* The clipping norm C is below the norm of every gradient, which is at least 0.9. Each change of a release by a
 * record is therefore exactly C/B. */
static void test_clipped_ratio(void **state)
{
    for (long k = 1; k <= 6; k++) {
        struct cell *c = cell_of(NULL, "problem linear d=8 | algo dp-sgd C=0.3 | goal n=64 eps=1 "
                                 "delta=1e-5 | run | rep %ld", k);
        struct replay r = replayed(c, k);
        expect_ratio("clipped", &r, 1);
        tape_free(&r.tape);
        cell_free(c);
    }
}

/* Every third neighbour, k = 3, 6, 9, changes a record with one of the longest gradients. For k = 3 no record has a
 * longer gradient, for k = 6 at most one, for k = 9 at most two, and the lengths do not increase from one to the
 * next. */
static void test_largest(void **state)
{
    double before = INFINITY;
    for (long k = 3; k <= 9; k += 3) {
        struct cell *c = cell_of(NULL,
                                 "problem linear d=8 | algo dp-sgd | goal n=64 eps=1 delta=1e-5 "
                                 "| run | rep 0");
        struct replay r = replayed(c, k);
        double norm = norm_of(c, r.first.i);
        long longer = 0;
        for (long i = 0; i < 64; i++)
            longer += norm_of(c, i) > norm * (1 + 1e-12);
        assert_true(longer <= k / 3 - 1 && norm <= before * (1 + 1e-12));
        before = norm;
        tape_free(&r.tape);
        cell_free(c);
    }
}

/* --- other releases: Laplace noise and the noisy maximum, whose answers a replay forces; draws with replacement */

enum { D = 8 };

/* Makes steps x_j -= 0.1 (g_j + Lap) for the j with the largest noisy |g_j|/(1 + j), on all records, with the
 * sensitivity of a mean of n. */
static enum status run_max(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                           double *x)
{
    const double n = 200;
    double *g = arena_vec(w, D), *b = arena_vec(w, D), *weight = arena_vec(w, D);
    struct ticket all;
    for (int j = 0; j < D; j++) {
        b[j] = 0.01;
        weight[j] = 1 + j;
    }
    arena_seal(w);
    for (int k = 0; k < 5 && oracle_all(o, &all) && gradient(o, &all, x, g); k++) {
        long j = noise_max(o, &(struct release){ .site = "max.select", .norm = NORM_INF,
                                                 .sensitivity = 1 / n }, D, g, b, weight);
        double v = g[j];
        noise_laplace(o, &(struct release){ .site = "max.value", .norm = NORM_1,
                                            .sensitivity = 1 / n }, 0.01, 1, &v);
        x[j] -= 0.1 * v;
    }
    return OK;
}

static const struct algo algo_max = { .name = "max", .doc = "greedy", .cite = "none",
                                      .calls = CALL_SAMPLES | CALL_NOISE,
                                      .adjacency = ADJACENCY_ZERO_OUT, .run = run_max };

static void test_mechanisms(void **state)
{
    for (long k = 1; k <= 9; k++) {
        struct cell *c = cell_of(&algo_max,
                                 "problem coins_stored d=8 n=200 | algo planted-sgd-twice "
                                 "| goal T=5 | run | rep %ld",
                                 k);
        struct replay r = replayed(c, k);
        if (r.tape.leak)
            fail_msg("%s: %s", leak_words(r.tape.leak), r.tape.what);
        assert_int_equal(r.tape.sites, 2);
        assert_int_equal(r.tape.site[0].touched, 5);
        assert_int_equal(r.tape.site[1].touched, 5);
        assert_true(worst(&r) > 0 && worst(&r) <= 1);
        tape_free(&r.tape);
        cell_free(c);
    }
}

/* Makes releases on draws with replacement. A record that is drawn m times may change a release m times as much,
 * and does so on coins, whose gradients have norm L = 1. */
static enum status run_draws(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                             double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < 6 && oracle_draw(o, 40, &t) && gradient(o, &t, x, g); k++) {
        noise_gaussian(o,
                       &(struct release){
                           .site = "draws", .norm = NORM_2, .sensitivity = 1.0 / 40, .ticket = &t },
                       0.1, D, g);
        vec_axpy(D, -0.01, g, x);
    }
    return OK;
}

static const struct algo algo_draws = { .name = "draws", .doc = "sgd", .cite = "none",
                                        .calls = CALL_SAMPLES | CALL_NOISE,
                                        .adjacency = ADJACENCY_ZERO_OUT, .run = run_draws };

static void test_occurrences(void **state)
{
    long touched = 0;
    for (long k = 1; k <= 12; k++) {
        struct cell *c = cell_of(&algo_draws,
                                 "problem coins_stored d=8 n=20 | algo planted-sgd-twice "
                                 "| goal n=400 | run | rep %ld",
                                 k);
        struct replay r = replayed(c, k);
        expect_ratio("draws", &r, 1);
        touched += r.tape.site[0].touched;
        tape_free(&r.tape);
        cell_free(c);
    }
    assert_true(touched > 60 && touched <= 72);      /* a draw lacks the record with probability 0.95^40 = 13%, so
                                                        that about 62 of 72 are expected */
}

/* --- the limit of a tape, determinism, refusals */

static void test_tape_limit(void **state)
{
    struct cell *c = cell_of(
        NULL, "problem linear | algo dp-sgd | goal n=64 eps=1 delta=1e-5 | run | rep 0");
    struct replay r;
    struct why why = { "" };
    assert_int_equal(replay_run(rn, c, 1, 64, 1000, &r, &why), REFUSED);
    assert_non_null(strstr(why.text, "tape"));
    tape_free(&r.tape);
    cell_free(c);
}

static void test_same_bits(void **state)
{
    struct cell *c = cell_of(NULL,
                             "problem linear d=8 | algo accelerated-dp-srgd | goal n=64 eps=1 "
                             "delta=1e-5 | run replay=5 audit=20 | rep 3");
    struct runner *fresh = runner_new(0);
    struct record *a = record_of(c), *b = run_cell(fresh, c, NULL);
    assert_true(record_equal(a, b));
    record_free(a);
    record_free(b);
    runner_free(fresh);
    cell_free(c);
}

/* A run that a replay or an audit cannot examine is refused with the reason. */
static void test_refusals(void **state)
{
    static const struct { const char *cell, *words; } list[] = {
        { "problem linear | algo sgd | goal n=64 | run replay=1 | rep 0", "no adjacency" },
        { "problem linear | algo dp-sgd | goal n=64 eps=1 delta=1e-5 | run replay=1 aggregate=1 | "
          "rep 0",
          "aggregated" },
        { "problem linear | algo dp-sgd C=inf sigma=0 | goal n=64 eps=1 delta=1e-5 | run replay=1 "
          "aggregate=1 | rep 0",
          "single records" },
        { "problem linear | algo dp-sgd | goal n=64 eps=1 delta=1e-5 | run audit=9 part=4 parts=3 | rep 0",
          "run.part = 4: expected at most run.parts = 3" },
        { "problem linear | algo dp-sgd | goal n=64 eps=1 delta=1e-5 | run audit=9 count=1 | rep 0",
          "single records" },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct cell *c = cell_of(NULL, "%s", list[k].cell);
        struct record *r = run_cell(rn, c, NULL);
        assert_int_equal(r->outcome, OUTCOME_REFUSED);
        if (!strstr(r->message, list[k].words))
            fail_msg("%s: %s", list[k].cell, r->message);
        record_free(r);
        cell_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_ratios), cmocka_unit_test(test_steps_below_rounding),
        cmocka_unit_test(test_clipped_ratio),
        cmocka_unit_test(test_largest),       cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_occurrences),
        cmocka_unit_test(test_tape_limit),    cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("replay", tests, begin, end);
}

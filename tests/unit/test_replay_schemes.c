/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_replay_schemes.c - replays with a record replaced by its negative, of questions about the whole objective,
 * with Poisson samples that lack a record, and with a record in several steps of a stream of prefix sums. Every
 * seed is fixed; what is tested holds for all seeds unless a comment gives the probability. */
#include "support/replayed.h"

enum { BATCH = 8, D = 8 };

/* --- the neighbour that differs most, where the family has no canary */

static enum status run_once(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                            double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    if (oracle_take(o, BATCH, &t) && gradient(o, &t, x, g))
        noise_gaussian(o, &(struct release){ .site = "once", .norm = NORM_2, .ticket = &t,
                                             .sensitivity = 2.0 / BATCH }, 1, D, g);
    vec_axpy(D, -0.1, g, x);
    return OK;
}

/* One of the records with the largest gradients is replaced by its negative: its clipped gradient changes by twice
 * its length, and no record with a shorter gradient can change more. No record is replaced by its negative if
 * it is chosen at random, or if losses must be convex. */
static void expect_negative(const char *problem)
{
    struct algo once = { .name = "once", .doc = "a gradient", .cite = "none", .run = run_once,
                         .calls = CALL_SAMPLES | CALL_NOISE, .adjacency = ADJACENCY_REPLACE_ONE };
    for (int convex = 0; convex < 2; convex++) {
        once.assumes = convex ? ASSUMES_CONVEX : 0;
        for (long k = 1; k <= 12; k++) {
            struct cell *c = cell_of(&once, "problem %s | algo planted-sgd-twice | goal n=8 | run | rep %ld",
                                     problem, k);
            const void *self;
            const struct facts *f;
            struct why why;
            double x[D] = { 0 }, g[D] = { 0 };
            assert_int_equal(runner_instance(rn, c, &self, &f, &why), OK);
            if (c->problem->start)
                c->problem->start(self, x);
            struct replay r;
            assert_int_equal(replay_run(rn, c, k, 8, 0, &r, &why), OK);
            c->problem->sample_grad(self, r.first.i, x, 1, g);
            assert_int_equal(r.second.negated, !convex && r.choice != CHOICE_RANDOM);
            if (r.second.negated)
                expect_ratio(problem, &r, fmin(1, vec_norm(D, g)));
            else
                assert_true(!r.tape.leak && worst(&r) <= 1);
            tape_free(&r.tape);
            cell_free(c);
        }
    }
}

/* The samples of randhess are added one by one, those of glm and of drawn records by blocks of rows. */
static void test_negative(void **state)
{
    expect_negative("randhess d=8");
    expect_negative("glm d=8");
    expect_negative("erm_drawn d=8 n=8");
}

/* --- the objective as a whole, of a stream and of a deterministic family */

static enum status run_whole(struct oracle *o, const void *p, struct arena *w, struct rng *rng, double *x)
{
    double *g = arena_vec(w, D), f;
    const struct release all = { .site = "whole", .norm = NORM_2, .sensitivity = 1 };
    arena_seal(w);
    for (int k = 0; k < 3 && oracle_grad(o, x, g) && oracle_value(o, x, &f); k++) {
        noise_gaussian(o, &all, 1, D, g);
        noise_gaussian(o, &all, 1, 1, &f);
        vec_axpy(D, -0.1 * f, g, x);
    }
    return OK;
}

/* The objective is the expectation over a stream, or the loss of every sample: a single sample does not change it,
 * whether it is removed, zeroed or replaced. */
static void test_whole(void **state)
{
    static const enum adjacency adjacency[] = { ADJACENCY_ADD_REMOVE, ADJACENCY_ZERO_OUT, ADJACENCY_REPLACE_ONE };
    static const char *const problem[] = { "linear d=8", "chain d=8" };
    for (int a = 0; a < 3; a++) {
        const struct algo whole = { .name = "whole", .doc = "gd", .cite = "none", .run = run_whole,
                                    .calls = CALL_GRAD | CALL_VALUE | CALL_NOISE, .adjacency = adjacency[a] };
        for (int p = 0; p < 2; p++)
            for (long k = 1; k <= 3; k++) {
                struct cell *c = cell_of(&whole, "problem %s | algo planted-sgd-twice | goal T=6 | run | rep %ld",
                                         problem[p], k);
                struct replay r = replayed(c, k);
                expect_ratio(problem[p], &r, 0);
                assert_int_equal(r.tape.site[0].released, 6);
                tape_free(&r.tape);
                cell_free(c);
            }
    }
}

/* --- Poisson samples of a data set that lacks a record */

/* Each of n = 60 records is drawn with probability q = 0.3. Removing a record changes the sum of clipped gradients
 * by at most 1, and their mean, the sum over q n, by at most 1/(q n). A sum divided by the size of the sample
 * leaks. */
static enum status run_poisson(struct oracle *o, bool by_size, struct arena *w, double *x)
{
    const double q = 0.3, n = 60;
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < 6 && oracle_poisson(o, q, &t) && gradient(o, &t, x, g); k++) {
        const struct release r = { .site = "poisson", .norm = NORM_2, .sensitivity = 1 / (q * n),
                                   .ticket = &t };
        if (by_size)
            vec_scale(D, q * n / (double)t.count, g);
        noise_gaussian(o, &r, 0.1, D, g);
        vec_axpy(D, -0.1 * (by_size ? (double)t.count / (q * n) : 1), g, x);
    }
    return OK;
}

static enum status run_rate(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                            double *x)
{
    return run_poisson(o, false, w, x);
}

static enum status run_size(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                            double *x)
{
    return run_poisson(o, true, w, x);
}

static void test_poisson(void **state)
{
    static const struct algo rate = { .name = "rate", .doc = "sgd", .cite = "none", .run = run_rate,
                                      .calls = CALL_SAMPLES | CALL_NOISE,
                                      .adjacency = ADJACENCY_ADD_REMOVE };
    struct algo size = rate;
    int leaks = 0;
    long touched = 0;
    size.run = run_size;
    for (long k = 1; k <= 24; k++) {
        static const char text[] = "problem coins_stored d=8 n=60 | algo planted-sgd-twice "
                                   "| goal n=400 | run | rep %ld";
        struct cell *c = cell_of(&rate, text, k), *e = cell_of(&size, text, k);
        struct replay r = replayed(c, k), s = replayed(e, k);
        assert_int_equal(r.second.kind, NEIGHBOUR_REMOVE);
        if (r.tape.leak)
            fail_msg("%s: %s", leak_words(r.tape.leak), r.tape.what);
        bool met = r.tape.site[0].touched > 0;
        assert_true(met == r.tape.lacking && fabs(worst(&r) - met) < 1e-9);
        assert_true((s.tape.leak != LEAK_NONE) == met);
        touched += r.tape.site[0].touched;
        leaks += s.tape.leak != LEAK_NONE;
        tape_free(&r.tape);
        tape_free(&s.tape);
        cell_free(c);
        cell_free(e);
    }
    assert_true(leaks > 12 && touched > 20);         /* of 24 runs 21 are expected to leak, as one of the 6 samples
                                                        has the record with probability 1 - 0.7^6 = 88%; and of 144
                                                        samples 43 are expected to have it */
}

/* Asks for values along two directions a sample, in place of gradients. Directions depend on the place in a sample,
 * so that those after a missing record change: the declared sensitivity lets all samples change. */
static enum status run_values(struct oracle *o, const void *p, struct arena *w, struct rng *rng, double *x)
{
    const double q = 0.3, a[] = { 1, -1 }, reach[] = { 0.1, -0.1 }, bound = 0.2;
    const double *const at[] = { x, x };
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < 6 && oracle_poisson(o, q, &t); k++) {
        if (!oracle_probe(o, &(struct probe){ .ticket = &t, .points = 2, .x = at, .a = a, .r = reach,
                                              .directions = 2, .clamp = bound, .g = g }))
            return OK;
        noise_gaussian(o, &(struct release){ .site = "values", .norm = NORM_2, .ticket = &t,
                                             .sensitivity = 2 * 2 * bound / q }, 0.1, D, g);
        vec_axpy(D, -0.1, g, x);
    }
    return OK;
}

/* A sample that lacks the record costs four values and two directions less, which is no leak. */
static void test_poisson_values(void **state)
{
    static const struct algo values = { .name = "values", .doc = "sgd", .cite = "none", .run = run_values,
                                        .calls = CALL_SAMPLES | CALL_SAMPLE_VALUES | CALL_NOISE,
                                        .adjacency = ADJACENCY_ADD_REMOVE };
    long touched = 0;
    for (long k = 1; k <= 12; k++) {
        struct cell *c = cell_of(&values, "problem coins_stored d=8 n=60 | algo planted-sgd-twice "
                                          "| goal n=400 | run | rep %ld", k);
        struct replay r = replayed(c, k);
        assert_int_equal(r.second.kind, NEIGHBOUR_REMOVE);
        if (r.tape.leak)
            fail_msg("%s: %s", leak_words(r.tape.leak), r.tape.what);
        assert_true(r.tape.lacking == (r.tape.site[0].touched > 0));
        touched += r.tape.site[0].touched;
        tape_free(&r.tape);
        cell_free(c);
    }
    assert_true(touched > 4);            /* 72 samples contain the record with probability 0.3 each, so that 21.6
                                            are expected; 4 or fewer have probability 3e-7 */
}

/* --- a record in several steps of one stream of prefix sums */

/* Makes three epochs over the same five batches, with one tree; then three more with fresh noise. */
static enum status run_epochs(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                              double *x)
{
    double *g = arena_vec(w, D), *sum = arena_vec(w, D), *G = arena_vec(w, D);
    struct prefix *noise = noise_prefix(o, w, PREFIX_TREE, 15, D);
    struct ticket all, t;
    arena_seal(w);
    for (int run = 0; run < 2; run++) {
        vec_zero(D, sum);
        for (int k = 0; k < 15; k++) {
            if (k % 5 == 0 && !(run + k ? true : oracle_shuffle(o, &all)))
                return OK;
            t = ticket_part(&all, k % 5 * 4, 4);
            if (!gradient(o, &t, x, g))
                return OK;
            vec_axpy(D, 1, g, sum);
            vec_copy(D, sum, G);
            prefix_release(noise, &(struct release){ .site = "epochs", .norm = NORM_2,
                                                     .sensitivity = 0.25, .ticket = &t }, 1, G);
            vec_axpy(D, -0.01, G, x);
        }
        prefix_restart(noise);
    }
    return OK;
}

/* The gradients of coins have norm 1: each of the six steps with the record changes by as much as is allowed, and
 * no other step changes. */
static void test_streams(void **state)
{
    static const struct algo epochs = { .name = "epochs", .doc = "ftrl", .cite = "none",
                                        .calls = CALL_SAMPLES | CALL_NOISE, .run = run_epochs,
                                        .adjacency = ADJACENCY_ZERO_OUT };
    for (long k = 1; k <= 6; k++) {
        struct cell *c = cell_of(&epochs, "problem coins_stored d=8 n=20 | algo planted-sgd-twice "
                                          "| goal n=400 | run | rep %ld", k);
        struct replay r = replayed(c, k);
        expect_ratio("epochs", &r, 1);
        assert_int_equal(r.tape.site[0].touched, 6);
        assert_int_equal(r.tape.site[0].released, 30);
        tape_free(&r.tape);
        cell_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_negative),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_poisson_values),
        cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests_name("replay: schemes", tests, begin, end);
}

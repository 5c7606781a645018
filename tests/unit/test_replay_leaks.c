/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_replay_leaks.c - every way in which a method can bypass its releases shows as a kind of leak of its own;
 * adjacencies, failure probabilities, marks (other neighbours and schemes are in test_replay_schemes.c). Every seed
 * is fixed; what is tested holds for all seeds unless a comment gives the probability. */
#include <stdlib.h>

#include "support/replayed.h"

/* --- small methods with C = 1, B = 8 and four rounds, on linear losses with gradients of norm at most 1.1 */

enum { ROUNDS = 4, BATCH = 8, D = 8 };
enum sin { HONEST, OTHER_SITE_SCALE, OTHER_BATCH, EXTRA_CALL, UNNOISED, FREE_WORK, WRONG_RECORDS,
           HIDDEN_ONLY, FAILS, FAILS_WITHOUT, NO_TICKET };

/* Is the fourth decimal of the first coordinate of g at least 5? A method that decides by this digit what it does
 * next depends on data before noise. */
static bool odd(const double *g)
{
    return fabs(g[0]) * 1e3 - floor(fabs(g[0]) * 1e3) > 0.5;
}

static enum status run_sin(struct oracle *o, enum sin sin, double sensitivity, struct arena *w,
                           double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t, other;
    arena_seal(w);
    bool wrong = sin == WRONG_RECORDS || sin == FAILS_WITHOUT, fails = sin == FAILS || sin == FAILS_WITHOUT;
    for (int k = 0; k < ROUNDS && oracle_take(o, BATCH, &t); k++) {
        struct release r = { .site = "sin", .norm = NORM_2, .sensitivity = sensitivity / BATCH,
                             .ticket = sin == NO_TICKET ? NULL : wrong && k ? &other : &t,
                             .hidden = sin == HIDDEN_ONLY, .failure = fails ? 0.01 : 0 };
        if (!gradient(o, &t, x, g))
            break;
        double sd = sin == OTHER_SITE_SCALE && odd(g) ? 2 : 1;
        if (sin == EXTRA_CALL && odd(g))
            oracle_charge(o, COUNT_draws, 1);
        if (sin == OTHER_BATCH) {
            struct ticket part = ticket_part(&t, odd(g), 1);
            gradient(o, &part, x, g);
        }
        if (sin == FREE_WORK && odd(g))
            oracle_depth(o, 1);
        if (sin == UNNOISED)
            vec_axpy(D, -0.1, g, x);
        noise_gaussian(o, &r, sd, D, g);
        vec_axpy(D, -0.1, g, x);
        other = t;
    }
    return OK;
}

#define SIN(sin, kind, sensitivity, of)                                                        \
    static enum status run_##sin(struct oracle *o, const void *p, struct arena *w,             \
                                 struct rng *rng, double *x)                                   \
    {                                                                                          \
        return run_sin(o, kind, sensitivity, w, x);                                            \
    }                                                                                          \
    static const struct algo algo_##sin = { .name = #sin, .doc = "a sin", .cite = "none",      \
                                            .calls = CALL_SAMPLES | CALL_NOISE,                \
                                            .adjacency = of, .run = run_##sin };

SIN(honest, HONEST, 1, ADJACENCY_ZERO_OUT)
SIN(scale, OTHER_SITE_SCALE, 1, ADJACENCY_ZERO_OUT)
SIN(batch, OTHER_BATCH, 1e9, ADJACENCY_ZERO_OUT)
SIN(call, EXTRA_CALL, 1, ADJACENCY_ZERO_OUT)
SIN(unnoised, UNNOISED, 1, ADJACENCY_ZERO_OUT)
SIN(work, FREE_WORK, 1, ADJACENCY_ZERO_OUT)
SIN(records, WRONG_RECORDS, 1, ADJACENCY_ZERO_OUT)
SIN(hidden, HIDDEN_ONLY, 1, ADJACENCY_ZERO_OUT)
SIN(fails, FAILS, 0.5, ADJACENCY_ZERO_OUT)
SIN(fails_without, FAILS_WITHOUT, 1, ADJACENCY_ZERO_OUT)
SIN(whole, NO_TICKET, 1, ADJACENCY_ZERO_OUT)
SIN(whole_half, NO_TICKET, 0.5, ADJACENCY_ZERO_OUT)
SIN(replaced, HONEST, 2, ADJACENCY_REPLACE_ONE)
SIN(half, HONEST, 1, ADJACENCY_REPLACE_ONE)
SIN(removed, HONEST, 1, ADJACENCY_ADD_REMOVE)

/* Adds 1e12 to a gradient before its release and takes it away afterwards: a change by one record, about 0.1, is
 * 1e-13 of the released value. Sensitivity and noise of the release are both `sensitivity`, 0 or 1e-3. */
static enum status run_below(struct oracle *o, double sensitivity, struct arena *w, double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < ROUNDS && oracle_take(o, BATCH, &t) && gradient(o, &t, x, g); k++) {
        for (long j = 0; j < D; j++)
            g[j] += 1e12;
        noise_gaussian(o, &(struct release){ .site = "buried", .norm = NORM_2, .ticket = &t,
                                             .sensitivity = sensitivity }, sensitivity, D, g);
        for (long j = 0; j < D; j++)
            x[j] -= 0.1 * (g[j] - 1e12);
    }
    return OK;
}

static enum status run_buried(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                              double *x)
{
    return run_below(o, 0, w, x);
}

static enum status run_little(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                              double *x)
{
    return run_below(o, 1e-3, w, x);
}

static const struct algo algo_buried = { .name = "buried", .doc = "a sin", .cite = "none",
                                         .calls = CALL_SAMPLES | CALL_NOISE,
                                         .adjacency = ADJACENCY_ZERO_OUT, .run = run_buried };
static const struct algo algo_little = { .name = "little", .doc = "a sin", .cite = "none",
                                         .calls = CALL_SAMPLES | CALL_NOISE,
                                         .adjacency = ADJACENCY_ZERO_OUT, .run = run_little };

static struct cell *sinner(const struct algo *a, long rep)
{
    return cell_of(a, "problem linear d=8 | algo planted-sgd-twice | goal n=64 | run | rep %ld",
                   rep);
}

/* leaks <- how many of 12 neighbours show each kind of leak. */
static void tally(const struct algo *a, int leaks[LEAKS])
{
    memset(leaks, 0, LEAKS * sizeof *leaks);
    for (long k = 1; k <= 12; k++) {
        struct cell *c = sinner(a, k);
        struct replay r = replayed(c, k);
        leaks[r.tape.leak]++;
        long was[2], is[2];
        if (r.tape.leak == LEAK_SAMPLES && a == &algo_batch) {   /* the faulty method takes one record more */
            assert_int_equal(sscanf(r.tape.what, "samples %ld..%ld became %ld..%ld", was, was + 1, is, is + 1), 4);
            assert_true(was[0] == was[1] && is[0] == is[1] && labs(was[0] - is[0]) == 1);
        }
        tape_free(&r.tape);
        cell_free(c);
    }
}

/* Each faulty method shows one kind of leak and no other; a method without a fault shows none. A fault that depends
 * on a digit shows in a neighbour with probability about 1/4 only: with 1/2 the record is one of the 32 of 64
 * samples that are used, and with about 1/2 the digit then crosses 5. None of 12 neighbours shows it with
 * probability (3/4)^12 = 3%; the seed fixes the outcome. A release without a ticket has every record once: a change
 * of at least 0.9 is a leak where 0.5 is declared. */
static void test_leaks(void **state)
{
    static const struct { const struct algo *algo; enum leak leak; bool always; } list[] = {
        { &algo_honest, LEAK_NONE, true },    { &algo_replaced, LEAK_NONE, true },
        { &algo_removed, LEAK_NONE, true },   { &algo_scale, LEAK_NOISE, false },
        { &algo_batch, LEAK_SAMPLES, false }, { &algo_call, LEAK_CALL, false },
        { &algo_work, LEAK_COUNTS, false },   { &algo_unnoised, LEAK_ANSWER, false },
        { &algo_records, LEAK_CHANGE, false }, { &algo_hidden, LEAK_ANSWER, false },
        { &algo_half, LEAK_CHANGE, false },   { &algo_buried, LEAK_CHANGE, false },
        { &algo_little, LEAK_CHANGE, false }, { &algo_whole, LEAK_NONE, true },
        { &algo_whole_half, LEAK_CHANGE, false }, { &algo_fails_without, LEAK_CHANGE, false },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        int leaks[LEAKS];
        tally(list[k].algo, leaks);
        if (leaks[list[k].leak] == 0 || leaks[list[k].leak] + leaks[LEAK_NONE] < 12)
            fail_msg("%s: %d of 12 show '%s', %d nothing", list[k].algo->name, leaks[list[k].leak],
                     leak_words(list[k].leak), leaks[LEAK_NONE]);
    }
}

/* Replacing the canary by its opposite changes its clipped gradient by more than the clipping norm C, at most by
 * 2C. */
static void test_adjacency(void **state)
{
    struct cell *c = sinner(&algo_half, 2);
    struct replay r;
    long k = 2;
    do {                                 /* tries other neighbours until the record is one of those that the run
                                            uses */
        r = replayed(c, k);
        if (r.tape.site[0].touched)
            break;
        tape_free(&r.tape);
        k += 3;
    } while (k < 60);
    assert_int_equal(r.second.with, -2);
    assert_int_equal(r.first.with, -1);
    assert_true(worst(&r) > 1.5 && worst(&r) <= 2 + 1e-12);
    assert_int_equal(r.tape.leak, LEAK_CHANGE);
    assert_true(r.tape.call > 0 && strstr(r.tape.what, "sin"));
    tape_free(&r.tape);
    cell_free(c);
}

/* With a declared probability of failure, releases beyond the sensitivity in which the record takes part are counted,
 * not called leaks. */
static void test_failure_mass(void **state)
{
    double exceeded = 0, touched = 0;
    for (long k = 1; k <= 12; k++) {
        struct cell *c = sinner(&algo_fails, k);
        struct replay r = replayed(c, k);
        assert_int_equal(r.tape.leak, LEAK_NONE);
        assert_true(r.tape.site[0].failure == 0.01 && r.tape.site[0].ratio == 0);
        exceeded += (double)r.tape.site[0].exceeded;
        touched += (double)r.tape.site[0].touched;
        tape_free(&r.tape);
        cell_free(c);
    }
    assert_true(touched > 0 && exceeded == touched);     /* the ratio is at least 0.9, where 0.5 is declared */
}

/* --- marks */

/* Makes steps whose noise is declared hidden: nobody sees a single step, and their points are only marked. One
 * release at the end covers all steps. */
static enum status run_way(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                           double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < ROUNDS && oracle_take(o, BATCH, &t) && gradient(o, &t, x, g); k++) {
        noise_gaussian(o, &(struct release){ .site = "way", .norm = NORM_2, .ticket = &t,
                                             .sensitivity = 1.0 / BATCH, .hidden = true },
                       1, D, g);
        vec_axpy(D, -0.1, g, x);
        oracle_mark(o, x);
    }
    noise_gaussian(o, &(struct release){ .site = "end", .norm = NORM_2, .sensitivity = 0.1 }, 1, D,
                   x);
    return OK;
}

/* If a run is ended by its budget, its last mark is its answer, and leaks as an answer. In a run that ends by
 * itself only the marks leak. */
static void test_marks(void **state)
{
    static const struct algo hiding = { .name = "way", .doc = "iterates are hidden",
                                        .cite = "none", .calls = CALL_SAMPLES | CALL_NOISE,
                                        .adjacency = ADJACENCY_ZERO_OUT, .run = run_way };
    int leaks[LEAKS];
    tally(&hiding, leaks);
    assert_int_equal(leaks[LEAK_NONE], 12);
    for (int ended = 0; ended < 2; ended++)
        for (long k = 1; k <= 3; k++) {
            struct cell *c = cell_of(NULL, "problem linear d=8 | algo planted-leak-mark T=8 B=8 | "
                                           "goal n=64 %s eps=1 delta=1e-5 | run | rep %ld",
                                     ended ? "budget=40" : "", k);
            struct replay r = replayed(c, k);
            enum leak leak = r.first.i / 8 >= 5 && ended ? LEAK_NONE
                             : r.first.i / 8 == 4 && ended ? LEAK_ANSWER : LEAK_MARK;
            if (r.tape.leak != leak)
                fail_msg("%s: %s", leak_words(r.tape.leak), r.tape.what);
            tape_free(&r.tape);
            cell_free(c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaks),
        cmocka_unit_test(test_adjacency),
        cmocka_unit_test(test_failure_mass),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests_name("replay: leaks", tests, begin, end);
}

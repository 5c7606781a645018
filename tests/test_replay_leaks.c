/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_replay_leaks.c - each way a method can part from its releases shows as itself, adjacencies,
 * failure mass. Every seed is fixed; what is tested holds for all of them but where a comment
 * computes the chance. */
#include "replayed.h"

/* --- small methods: C = 1, B = 8, four rounds on linear losses of norm at most 1.1 */

enum { ROUNDS = 4, BATCH = 8, D = 8 };
enum sin { HONEST, OTHER_SITE_SCALE, OTHER_BATCH, EXTRA_CALL, UNNOISED, FREE_WORK, WRONG_RECORDS,
           HIDDEN_ONLY, FAILS };

/* The change of g's first coordinate under a canary decides: a choice by data before noise. */
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
    for (int k = 0; k < ROUNDS && oracle_take(o, BATCH, &t); k++) {
        struct release r = { .site = "sin", .norm = NORM_2, .sensitivity = sensitivity / BATCH,
                             .ticket = sin == WRONG_RECORDS && k ? &other : &t,
                             .hidden = sin == HIDDEN_ONLY, .failure = sin == FAILS ? 0.01 : 0 };
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
SIN(replaced, HONEST, 2, ADJACENCY_REPLACE_ONE)
SIN(half, HONEST, 1, ADJACENCY_REPLACE_ONE)
SIN(removed, HONEST, 1, ADJACENCY_ADD_REMOVE)

/* Released below a number that is large enough to round it: for nothing and without noise, or with
 * as little of both as is booked. */
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

/* How many of 12 neighbours show each leak. */
static void tally(const struct algo *a, int leaks[LEAKS])
{
    memset(leaks, 0, LEAKS * sizeof *leaks);
    for (long k = 1; k <= 12; k++) {
        struct cell *c = sinner(a, k);
        struct replay r = replayed(c, k);
        leaks[r.tape.leak]++;
        tape_free(&r.tape);
        cell_free(c);
    }
}

/* Each sin shows its own leak and no other; an honest method none. A choice by the parity of the
 * third digit survives a change with probability about 1/2 and is made in one round of four
 * where the record is (of the 64 samples 32 are used): all of 12 hidden has probability
 * (3/4)^12, 3%, fixed by the seed. */
static void test_leaks(void **state)
{
    static const struct { const struct algo *algo; enum leak leak; bool always; } list[] = {
        { &algo_honest, LEAK_NONE, true },    { &algo_replaced, LEAK_NONE, true },
        { &algo_removed, LEAK_NONE, true },   { &algo_scale, LEAK_NOISE, false },
        { &algo_batch, LEAK_SAMPLES, false }, { &algo_call, LEAK_CALL, false },
        { &algo_work, LEAK_COUNTS, false },   { &algo_unnoised, LEAK_ANSWER, false },
        { &algo_records, LEAK_CHANGE, false }, { &algo_hidden, LEAK_ANSWER, false },
        { &algo_half, LEAK_CHANGE, false },   { &algo_buried, LEAK_CHANGE, false },
        { &algo_little, LEAK_CHANGE, false },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        int leaks[LEAKS];
        tally(list[k].algo, leaks);
        if (leaks[list[k].leak] == 0 || leaks[list[k].leak] + leaks[LEAK_NONE] < 12)
            fail_msg("%s: %d of 12 show '%s', %d nothing", list[k].algo->name, leaks[list[k].leak],
                     leak_words(list[k].leak), leaks[LEAK_NONE]);
    }
}

/* Replacing the canary by its opposite changes the clipped gradient by more than C, at most 2C. */
static void test_adjacency(void **state)
{
    struct cell *c = sinner(&algo_half, 2);
    struct replay r;
    long k = 2;
    do {                                 /* until the record is one of those used */
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

/* A declared probability: what exceeds is counted, not called a leak. */
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
    assert_true(touched > 0 && exceeded == touched);     /* 0.9 at least against 0.5 */
}

/* --- marks */

/* Hidden noise, marks of what nobody sees, and one release that covers the whole way. */
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

/* A run ended by its budget answers with its last mark, which is then an answer that leaks; in a
 * whole run the marks alone do. */
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

/* --- the farthest neighbour where no family says which */

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

/* One of the largest gradients is replaced by its negative: the clipped one changes by twice its
 * length, which no other record of at most that length exceeds. Not where losses must be convex. */
static void test_negative(void **state)
{
    struct algo once = { .name = "once", .doc = "a gradient", .cite = "none", .run = run_once,
                         .calls = CALL_SAMPLES | CALL_NOISE, .adjacency = ADJACENCY_REPLACE_ONE };
    for (int convex = 0; convex < 2; convex++) {
        once.assumes = convex ? ASSUMES_CONVEX : 0;
        for (long k = 1; k <= 12; k++) {
            struct cell *c = cell_of(&once, "problem randhess d=8 | algo planted-sgd-twice | goal "
                                            "n=8 | run | rep %ld", k);
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
                expect_ratio("negative", &r, fmin(1, vec_norm(D, g)));
            else
                assert_true(!r.tape.leak && worst(&r) <= 1);
            tape_free(&r.tape);
            cell_free(c);
        }
    }
}

/* --- Poisson samples of a data set that lacks a record */

/* Each of 60 records with probability 0.3; the sum of its clipped gradients changes by 1 at
 * most, so that of a mean by 1/(q n) - unless it is divided by the size of the sample, which
 * tells. */
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
    assert_true(leaks > 12 && touched > 20);         /* met: 1 - 0.7^6 = 88%; 43 expected */
}

/* --- a record in several steps of one stream of prefix sums */

/* Three epochs over the same five batches, one tree; then fresh noise for another three. */
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

/* Coins have gradients of norm 1: each of the six steps with the record changes by all that it may,
 * none of the others by anything. */
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
        cmocka_unit_test(test_leaks),
        cmocka_unit_test(test_adjacency),
        cmocka_unit_test(test_failure_mass),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_negative),
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests_name("replay: leaks", tests, begin, end);
}

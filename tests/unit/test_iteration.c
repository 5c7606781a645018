/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_iteration.c - hidden noisy steps of which only the last iterate is released: the steps themselves, the
 * epsilon that they cost, and what the replay requires of them. All seeds are fixed. */
#include "support/replayed.h"

#include <stdlib.h>

#include "privacy/account.h"
#include "privacy/account_ledger.h"

enum { B = 4, T = 8 };
static const double STEP = 0.05, SD = 0.3;

enum way { HONEST, KEPT_BACK, HIDDEN_START, PEEKING, LONG, QUIET };

/* Twice makes T hidden steps and releases the last iterate, except for the deviation that `way` names. change: B
 * times the declared sensitivity of a step. */
static enum status run_way(struct oracle *o, enum way way, double change, struct arena *w,
                           double *x)
{
    long d = oracle_dim(o);
    struct iteration *c = noise_iteration(o, w);
    double *g = arena_vec(w, d), *middle = arena_vec(w, d);
    struct ticket t;
    const struct release r = { .site = "step", .norm = NORM_2, .sensitivity = change / B,
                               .ticket = &t };
    const struct release peek = { .site = "peek", .norm = NORM_2, .sensitivity = change };
    arena_seal(w);
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < T && oracle_take(o, B, &t); k++) {
            if (!iteration_step(c, &r, way == LONG ? 5 : STEP, way == QUIET ? 0 : SD, x, g))
                break;
            if (k == T / 2)
                vec_copy(d, x, middle);
            if (k == T / 2 && way == PEEKING)
                noise_gaussian(o, &peek, 1e6, d, g);
        }
        if (way != KEPT_BACK)
            iteration_release(c, x);
        if (way == HIDDEN_START && half == 0)
            vec_copy(d, middle, x);
    }
    return OK;
}

#define WAY(id, way, change, of)                                                            \
    static enum status run_##id(struct oracle *o, const void *p, struct arena *w,           \
                                struct rng *rng, double *x)                                 \
    {                                                                                       \
        return run_way(o, way, change, w, x);                                               \
    }                                                                                       \
    static const struct algo algo_##id = { .name = #id, .doc = "steps", .cite = "none",     \
                                           .calls = CALL_SAMPLES | CALL_NOISE,              \
                                           .adjacency = of, .run = run_##id };

/* Each line defines a method: name, kind of run, declared sensitivity, adjacency. The gradient of a sample has
 * length at most 2: that of F is at most 1.5 long on the ball of radius 1, and the noise of a sample has length
 * 0.5. */
WAY(honest, HONEST, 2, ADJACENCY_ZERO_OUT)
WAY(replacing, HONEST, 4, ADJACENCY_REPLACE_ONE)
WAY(loose, HONEST, 8, ADJACENCY_ZERO_OUT)
WAY(small, HONEST, 0.2, ADJACENCY_ZERO_OUT)
WAY(kept, KEPT_BACK, 2, ADJACENCY_ZERO_OUT)
WAY(started, HIDDEN_START, 2, ADJACENCY_ZERO_OUT)
WAY(peeking, PEEKING, 2, ADJACENCY_ZERO_OUT)
WAY(longer, LONG, 2, ADJACENCY_ZERO_OUT)
WAY(quiet, QUIET, 2, ADJACENCY_ZERO_OUT)

static struct cell *quadratic(const struct algo *a, long rep)
{
    return cell_of(a, "problem spectral_sphere d=6 s=0.5 rr=0.5 | algo planted-sgd-twice "
                   "| goal n=64 | run | rep %ld", rep);
}

/* --- replay */

static int leaks_of(const struct algo *a, const struct problem *p, enum leak leak, double *ratio)
{
    int found = 0;
    for (long k = 1; k <= 12; k++) {
        struct cell *c = quadratic(a, k);
        c->problem = p ? p : c->problem;
        struct replay r = replayed(c, k);
        if (r.tape.leak && r.tape.leak != leak)
            fail_msg("%s: %s: %s", a->name, leak_words(r.tape.leak), r.tape.what);
        assert_false(r.tape.site[0].hidden);
        *ratio = fmax(*ratio, worst(&r));
        found += r.tape.leak == leak;
        tape_free(&r.tape);
        cell_free(c);
    }
    return found;
}

/* The replay must find: a sensitivity far below the gradients; an answer that was not released; an iteration that
 * starts at a hidden iterate, which is found only with records that were used before that iterate. */
static void test_replay(void **state)
{
    double ratio = 0, ignored = 0;
    assert_int_equal(leaks_of(&algo_honest, NULL, LEAK_NONE, &ratio), 12);
    assert_int_equal(leaks_of(&algo_replacing, NULL, LEAK_NONE, &ratio), 12);
    assert_true(ratio > 0.2 && ratio <= TAPE_RATIO);
    /* A gradient has at most a quarter of the length that `loose` declares. The ratio is that of the one step which
     * has the record, and the distance that stays in later steps, nearly all of it, is not in it. */
    ratio = 0;
    assert_int_equal(leaks_of(&algo_loose, NULL, LEAK_NONE, &ratio), 12);
    assert_true(ratio > 0.05 && ratio <= 0.25 * TAPE_RATIO);
    assert_true(leaks_of(&algo_small, NULL, LEAK_CHANGE, &ignored) >= 10);
    assert_true(leaks_of(&algo_kept, NULL, LEAK_ANSWER, &ignored) >= 10);
    assert_true(leaks_of(&algo_started, NULL, LEAK_CHANGE, &ignored) >= 1);
}

/* This family states an eighth of its true smoothness, which is 1. A step of 5 then expands distances, although the
 * statement allows it. */
static const struct problem *truthful;
static enum status make_lying(const void *p, const struct rng *data, struct arena *a, void **self,
                              struct facts *f, struct why *why)
{
    enum status s = truthful->make(p, data, a, self, f, why);
    f->M /= 8;
    return s;
}

static void test_expansion(void **state)
{
    struct cell *c = quadratic(&algo_longer, 1);
    struct problem lying = *c->problem;
    double ratio = 0;
    truthful = c->problem;
    lying.make = make_lying;
    cell_free(c);
    struct runner *kept = rn;
    rn = runner_new(0);
    assert_true(leaks_of(&algo_longer, &lying, LEAK_CHANGE, &ratio) >= 8);
    assert_true(ratio > 1.5);
    runner_free(rn);
    rn = kept;
}

/* --- refusals */

static void expect_refused(const char *problem, const struct algo *a, const char *words)
{
    struct cell *c = cell_of(a, "problem %s | algo planted-sgd-twice | goal n=64 | run | rep 1",
                             problem);
    struct record *r = run_cell(rn, c, NULL);
    if (r->outcome != OUTCOME_REFUSED || !strstr(r->message, words))
        fail_msg("%s: %s", problem, r->message);
    record_free(r);
    cell_free(c);
}

static void test_refusals(void **state)
{
    expect_refused("sigmoid d=6", &algo_honest, "convex");
    expect_refused("norm d=6", &algo_honest, "M known");
    expect_refused("spectral d=6 s=0.5 rr=0.5 M=50", &algo_honest, "2/M");
}

/* --- the epsilon of runs and of ledgers */

static double exact_of(const struct ledger *l)
{
    struct priced out[ACCOUNTANTS];
    account_ledger(l, INFINITY, 1e-5, out);
    BUG_IF(strcmp(out[0].name, "exact"));
    return out[0].eps;
}

/* Checks that a run of the method costs what mu-GDP costs, where mu^2 = mu_squared; returns its epsilon. */
static double run_price(const struct algo *a, double mu_squared)
{
    struct cell *c = quadratic(a, 1);
    record_free(record_of(c));
    double eps = exact_of(runner_ledger(rn));
    double truth = account_gaussian_eps(sqrt(mu_squared), 1e-5);
    if (!(fabs(eps - truth) <= 1e-9 * truth))
        fail_msg("%s: %.12g, expected %.12g", a->name, eps, truth);
    cell_free(c);
    return eps;
}

/* A record that is used in the last step costs what the noise of this step alone gives; records of earlier steps
 * would cost less. But if the iterate is never released, or if something else is released before it, every record
 * costs as much as one of the last step. The cost of what else is released is added. */
static void test_run_price(void **state)
{
    const double mu = 2.0 / B / SD;
    run_price(&algo_honest, mu * mu);
    run_price(&algo_kept, mu * mu);
    run_price(&algo_peeking, mu * mu + 2 * 2e-6 * 2e-6);
}

/* Returns min sum a_j^2/sd_j^2 over a >= 0 of sum s: the shift s by one step is spread over the noise of this step
 * and of the later ones (Feldman, Mironov, Talwar & Thakurta 2018, Theorem 22). Amounts are exchanged between
 * pairs until no exchange helps. */
static double spread(int n, const double *sd, double s)
{
    double a[T] = { s }, cost = 0;
    for (int turn = 0; turn < 400; turn++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                double both = a[i] + a[j], vi = sd[i] * sd[i], vj = sd[j] * sd[j];
                a[i] = both * vi / (vi + vj);
                a[j] = both - a[i];
            }
    for (int j = 0; j < n; j++)
        cost += a[j] * a[j] / (sd[j] * sd[j]);
    return cost;
}

/* Books steps of different noise and sensitivity, some of them equal, so that the ledger merges them. released: the
 * last iterate is released; peeked: another release, without information, comes before it. Step t books records 10
 * t ... 10 t + 9. */
static void book(struct ledger *l, const double *s, const double *sd, bool released, bool peeked)
{
    for (int t = 0; t < T; t++) {
        struct ledger_entry e = { .site = "t", .mechanism = MECHANISM_STEP, .sensitivity = s[t],
                                  .scale = sd[t], .first = 10 * t,
                                  .count = 10, .batch = 10, .repeats = 1, .step = t + 1,
                                  .stream = 3, .hidden = true, .dimension = 2 };
        ledger_book(l, &e);
        if (peeked && t == 3)
            ledger_book(l, &(struct ledger_entry){ .site = "peek", .scale = 1, .repeats = 1,
                                                   .scheme = SAMPLING_ALL, .dimension = 2 });
    }
    if (released)
        ledger_book(l, &(struct ledger_entry){ .site = "t", .mechanism = MECHANISM_LAST,
                                               .scheme = SAMPLING_ALL, .repeats = 1, .stream = 3,
                                               .step = T });
}

static void test_ledger_price(void **state)
{
    static const double s[T] = { 3, 3, 3, 1, 1, 2, 0.5, 0.1 },
                        sd[T] = { 1, 1, 1, 0.5, 0.5, 2, 1, 0.25 };
    double worst_hidden = 0, worst_seen = 0;
    for (int t = 0; t < T; t++) {
        worst_hidden = fmax(worst_hidden, spread(T - t, sd + t, s[t]));
        worst_seen = fmax(worst_seen, s[t] * s[t] / (sd[t] * sd[t]));
    }
    assert_true(worst_hidden < 0.5 * worst_seen);
    const struct { bool released, peeked; double mu_squared; } list[] = {
        { true, false, worst_hidden }, { false, false, worst_seen }, { true, true, worst_seen },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct ledger l = { 0 };
        book(&l, s, sd, list[k].released, list[k].peeked);
        assert_true(l.entries < T + 1);
        double truth = account_gaussian_eps(sqrt(list[k].mu_squared), 1e-5), eps = exact_of(&l);
        if (!(fabs(eps - truth) <= 1e-9 * truth))
            fail_msg("case %zu: %.12g, expected %.12g", k, eps, truth);
        ledger_free(&l);
    }
}

/* --- the noise of the steps: on linear losses the noise vectors of all steps add up in the iterate, and nothing
 * else changes it */
static void test_noise(void **state)
{
    enum { N = 4000 };
    double *with = NULL, *without = NULL, sum = 0;
    struct cell *c = cell_of(&algo_honest, "problem linear d=%d radius=1e9 | "
                             "algo planted-sgd-twice | goal n=64 | run | rep 1", N);
    record_free(run_cell(rn, c, &with));
    c->algo = &algo_quiet;
    record_free(run_cell(rn, c, &without));
    for (int j = 0; j < N; j++)
        sum += (with[j] - without[j]) * (with[j] - without[j]);
    double z = (sum / (2 * T * STEP * STEP * SD * SD) - N) / sqrt(2.0 * N);
    assert_true(fabs(z) < 5);        /* one comparison, which fails by chance with probability 6e-7 */
    free(with);
    free(without);
    cell_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_expansion),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_run_price),
        cmocka_unit_test(test_ledger_price),
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests_name("iteration", tests, begin, end);
}

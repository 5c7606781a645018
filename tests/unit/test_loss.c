/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_loss.c - the privacy loss of whole runs (privacy_loss.h). The expected values come from two independent
 * sources. The laws of noisy choices and of normal releases have closed forms. And the densities p and p' of all
 * releases on two neighbours satisfy E p'/p = 1 under p and E p/p' = 1 under p'. Seeds are fixed. A mean of n
 * ratios must be within 6 of its standard errors of 1: a false alarm has probability below 1e-6 a test, even if the
 * tail of a ratio is twice as heavy as a normal one. */
#include <stdlib.h>

#include "support/replayed.h"

#include "run/audit.h"
#include "oracle/privacy_loss.h"
#include "oracle/tape_state.h"

static void expect(const char *what, double got, double truth, double tolerance)
{
    if (!(fabs(got - truth) <= tolerance))
        fail_msg("%s: %.12g, expected %.12g", what, got, truth);
}

/* --- the choice of a noisy maximum */

static const enum max_rule rules[] = { MAX_ABS_LAPLACE, MAX_LAPLACE, MAX_GUMBEL, MAX_EXPONENTIAL };

/* Two candidates have scores that differ by g scales of the noise. The better one is chosen with probability 1 -
 * e^-g/2 under exponential noise, 1 - e^-g (2 + g)/4 under Laplace noise and 1/(1 + e^-g) under Gumbel noise. The
 * rule on absolute values has the same probability if the scores are far from 0, where no sign changes. At a kink
 * the quadrature with step h = 1/8 errs by about h^2/8 of the change of slope, 0.2%. */
static void test_two_candidates(void **state)
{
    for (double g = 0; g < 12; g += 0.7) {
        const double score[] = { 3 + 0.5 * g, 3 }, far[] = { 50 + 0.5 * g, 50 };
        const double b[] = { 0.5, 0.5 };
        double lose[] = { exp(-g) * (2 + g) / 4, exp(-g) * (2 + g) / 4, 1 / (1 + exp(g)),
                          exp(-g) / 2 };
        for (int r = 0; r < 4; r++) {
            const double *s = rules[r] == MAX_ABS_LAPLACE ? far : score;
            expect("wins", exp(loss_max(rules[r], 2, s, b, NULL, NULL, 0)), 1 - lose[r], 2e-3);
            expect("loses, relative", exp(loss_max(rules[r], 2, s, b, NULL, NULL, 1)) / lose[r], 1,
                   5e-3);
        }
    }
}

/* The probabilities of the candidates add up to 1, and equal candidates have equal probabilities. A block of
 * several equal candidates has the probability of as many blocks of one. */
static void test_choices_add_up(void **state)
{
    const double score[] = { -0.3, 0.8, 0.1, 0, 0.8 }, b[] = { 0.4, 0.2, 0.3, 0.25, 0.2 };
    const double weight[] = { 2, 1, 1.5, 1.25, 1 }, count[] = { 3, 1, 5, 2, 1 };
    for (int r = 0; r < 4; r++) {
        double sum = 0, wide = 0, p[5];
        for (int j = 0; j < 5; j++) {
            p[j] = exp(loss_max(rules[r], 5, score, b, weight, NULL, j));
            sum += p[j];
        }
        expect("sum", sum, 1, 2e-3);
        expect("equal", p[1] / p[4], 1, 1e-9);
        if (rules[r] == MAX_GUMBEL)          /* for Gumbel noise the log-likelihood leaves out a constant that
                                                depends on the sizes of blocks */
            continue;
        double s[12], scale[12], w[12];
        int n = 0;
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < (int)count[j]; k++, n++) {
                s[n] = score[j];
                scale[n] = b[j];
                w[n] = weight[j];
            }
        for (int k = 0; k < 3; k++)
            wide += exp(loss_max(rules[r], n, s, scale, w, NULL, k));
        expect("block", exp(loss_max(rules[r], 5, score, b, weight, count, 0)) / wide, 1, 5e-3);
    }
}

/* One candidate has the score 1 and no noise, the other the score 0 and noise of scale 1. The other wins with the
 * probability that its noisy score is larger: e^-1 for |Lap(1)| and for exponential noise, e^-1/2 for Lap(1). The
 * integrand jumps, and the quadrature with step h = 1/8 errs by at most h/2 times the jump, t e^-t <= 1/e. */
static void test_against_no_noise(void **state)
{
    static const double wins[] = { 1, 0.5, 0, 1 };
    const double score[] = { 1, 0 }, b[] = { 0, 1 };
    for (int r = 0; r < 4; r++)
        if (rules[r] != MAX_GUMBEL)
            expect("beats no noise", exp(loss_max(rules[r], 2, score, b, NULL, NULL, 1)), wins[r] * exp(-1), 0.024);
}

/* A release without noise is possible under a data set only if it is the value that this set gives: against one
 * that gives another, larger or smaller, the privacy loss is infinite. */
static void test_released_without_noise(void **state)
{
    for (int way = 0; way < 4; way++) {
        double pool[] = { 1, 2, 1, 2 }, right[] = { 1, 2 }, wrong[] = { 1, way & 1 ? 1.5 : 2.5 };
        struct tape_event e = { .kind = EVENT_NOISE };
        e.noise.entry = (struct ledger_entry){ .mechanism = MECHANISM_GAUSSIAN, .scheme = SAMPLING_ALL };
        e.noise.d = e.noise.released = 2;
        struct tape t = { .event = &e, .events = 1, .pool = pool, .used = 4 };
        const double *heard[LOSS_CASES] = { NULL };
        heard[LOSS_FIRST] = way & 2 ? wrong : right;
        heard[LOSS_SECOND] = way & 2 ? right : wrong;
        assert_true(loss_of(&t, 1, heard) == (way & 2 ? -INFINITY : INFINITY));
        heard[LOSS_FIRST] = heard[LOSS_SECOND] = right;
        assert_true(loss_of(&t, 1, heard) == 0);
    }
}

/* --- methods on the family coins, whose gradients have norm 1 */

enum { D = 4, N = 20 };
enum way { NORMAL, LAPLACE, CHOICE, EPOCHS, ROOT, POISSON, HIDDEN, SUBSET };

static bool ask(struct oracle *o, enum way way, struct ticket *t)
{
    return way == POISSON ? oracle_poisson(o, 0.3, t) : way == SUBSET ? oracle_subset(o, 6, t)
                                                                      : oracle_all(o, t);
}

/* Releases the mean gradient. If the noise is normal and the sample is not a Poisson sample, a release has mu =
 * 1/4. */
static void release_mean(struct oracle *o, enum way way, const struct ticket *t, double *g)
{
    struct release r = { .site = "mean", .norm = NORM_2, .sensitivity = 1.0 / N, .ticket = t,
                         .hidden = way == HIDDEN };
    if (way == LAPLACE)
        noise_laplace(o, &r, 5.0 / N, D, g);
    else
        noise_gaussian(o, &r, way == POISSON ? 2 / (0.3 * N) : 4.0 / N, D, g);
}

/* Makes a noisy maximum by rules[k], then releases the entry that it chose. */
static void release_choice(struct oracle *o, int k, const struct ticket *t, double *g)
{
    double b[D] = { 0.2, 0.2, 0.2, 0.2 }, weight[D] = { 1, 2, 3, 4 }, v;
    const struct candidates c = { .m = D, .score = g, .b = b,
                                  .weight = rules[k] == MAX_GUMBEL ? NULL : weight };
    struct release r = { .site = "choice", .norm = NORM_INF, .sensitivity = 1.0 / N, .ticket = t };
    long j = noise_choose(o, &r, rules[k], &c).block;
    v = g[j];
    noise_laplace(o, &r, 5.0 / N, 1, &v);
    vec_zero(D, g);
    g[j] = v;
}

static enum status run_way(struct oracle *o, enum way way, struct arena *w, double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < 4 && ask(o, way, &t) && gradient(o, &t, x, g); k++) {
        if (way == CHOICE)
            release_choice(o, k, &t, g);
        else
            release_mean(o, way, &t, g);
        vec_axpy(D, -0.1, g, x);
    }
    return OK;
}

/* Releases the prefix sums of the gradients of two epochs of 7 batches of two records under one stream of noise,
 * and once more under a fresh one. */
static enum status run_stream(struct oracle *o, enum way way, struct arena *w, double *x)
{
    double *g = arena_vec(w, D), *sum = arena_vec(w, D), *G = arena_vec(w, D);
    struct prefix *noise = noise_prefix(o, w, way == ROOT ? PREFIX_ROOT : PREFIX_TREE, 14, D);
    struct ticket all, t;
    arena_seal(w);
    if (!oracle_take(o, 14, &all))
        return OK;
    for (int run = 0; run < 2; run++) {
        vec_zero(D, sum);
        for (int k = 0; k < 14; k++) {
            t = ticket_part(&all, k % 7 * 2, 2);
            if (!gradient(o, &t, x, g))
                return OK;
            vec_axpy(D, 1, g, sum);
            vec_copy(D, sum, G);
            prefix_release(noise, &(struct release){ .site = "stream", .norm = NORM_2,
                                                     .sensitivity = 0.5, .ticket = &t }, 4, G);
            vec_axpy(D, -0.01, G, x);
        }
        prefix_restart(noise);
    }
    return OK;
}

#define WAY(id, way, run_as, of)                                                             \
    static enum status run_##id(struct oracle *o, const void *p, struct arena *w,            \
                                  struct rng *rng, double *x)                                  \
    {                                                                                          \
        return run_as(o, way, w, x);                                                           \
    }                                                                                          \
    static const struct algo algo_##id = { .name = #id, .doc = "a way", .cite = "none",    \
                                             .calls = CALL_SAMPLES | CALL_NOISE,               \
                                             .adjacency = of, .run = run_##id };

WAY(normal, NORMAL, run_way, ADJACENCY_ZERO_OUT)
WAY(normal_replaced, NORMAL, run_way, ADJACENCY_REPLACE_ONE)
WAY(laplace, LAPLACE, run_way, ADJACENCY_ZERO_OUT)
WAY(choice, CHOICE, run_way, ADJACENCY_ZERO_OUT)
WAY(epochs, EPOCHS, run_stream, ADJACENCY_ZERO_OUT)
WAY(root, ROOT, run_stream, ADJACENCY_ZERO_OUT)
WAY(poisson, POISSON, run_way, ADJACENCY_ZERO_OUT)
WAY(poisson_replaced, POISSON, run_way, ADJACENCY_REPLACE_ONE)
WAY(poisson_removed, POISSON, run_way, ADJACENCY_ADD_REMOVE)
WAY(hidden, HIDDEN, run_way, ADJACENCY_ZERO_OUT)
WAY(subset, SUBSET, run_way, ADJACENCY_ZERO_OUT)

static struct audit_runs collected(const struct algo *a, long n)
{
    struct cell *c = cell_of(a, "problem coins_stored d=4 n=20 | algo planted-sgd-twice | goal "
                                "n=1000 | run | rep 0");
    struct audit_runs runs;
    struct why why = { "" };
    if (audit_collect(rn, c, 0, n, &runs, &why) != OK)
        fail_msg("%s: %s", a->name, why.text);
    cell_free(c);
    return runs;
}

static double loss_at(const struct audit_runs *a, int side, long k)
{
    return a->side[side][k * audit_row(a) + a->release + a->d];
}

struct moments { double mean, se; };

/* Returns the moments of the loss of the runs with the record (side 0) or with the record changed (side 1), or
 * (ratio) those of the likelihood ratio that has mean 1 over these runs. */
static struct moments moments_of(const struct audit_runs *a, int side, bool ratio)
{
    double sum = 0, squares = 0, n = (double)a->n;
    for (long k = 0; k < a->n; k++) {
        double v = loss_at(a, side, k);
        v = ratio ? exp(side ? v : -v) : v;
        sum += v;
        squares += v * v;
    }
    double mean = sum / n;
    return (struct moments){ mean, sqrt((squares / n - mean * mean) / n) };
}

static void expect_ratios(const char *what, const struct audit_runs *a)
{
    for (int side = 0; side < 2; side++) {
        struct moments m = moments_of(a, side, true);
        if (!(m.se > 0 && fabs(m.mean - 1) <= 6 * m.se))
            fail_msg("%s: ratio %.6g, standard error %.3g", what, m.mean, m.se);
    }
}

static void test_ratios(void **state)
{
    static const struct algo *const list[] = {
        &algo_normal, &algo_normal_replaced, &algo_laplace, &algo_choice, &algo_epochs, &algo_root,
        &algo_poisson, &algo_poisson_replaced, &algo_poisson_removed };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct audit_runs a = collected(list[k], 2000);
        expect_ratios(list[k]->name, &a);
        audit_free(&a);
    }
}

/* noise[D] <- the noise of prefix i, computed from its definition. For the tree it is the sum over the nodes that
 * end at i, at i without its lowest 1-bit, without its two lowest, and so on; for the square root it is the sum of
 * the draws times the coefficients (2k choose k)/4^k. white: [14][D] draws of one stream, with sd 1. */
static void noise_again(bool root, long i, const double *white, double *noise)
{
    double c = 1;
    vec_zero(D, noise);
    for (long k = 0; root && k < i; k++) {
        vec_axpy(D, c, white + (i - 1 - k) * D, noise);
        c *= (double)(2 * k + 1) / (double)(2 * k + 2);
    }
    for (long at = i; !root && at > 0; at &= at - 1)
        vec_axpy(D, 1, white + (at - 1) * D, noise);
}

/* Whitening the noise of prefixes (loss_whiten) recovers the independent draws of which it was made, which have sd
 * 4. */
static void test_whitened(void **state)
{
    for (int root = 0; root < 2; root++) {
        struct cell *c = cell_of(root ? &algo_root : &algo_epochs,
                                 "problem coins_stored d=4 n=20 | algo planted-sgd-twice | goal "
                                 "n=1000 | run | rep 0");
        double x[D], noise[28 * D], pool[28 * 2 * D], white[28 * 2 * D], again[D], draws[14 * D];
        struct tape t = { .mode = TAPE_WATCH };
        struct pass p = { .x = x, .tape = &t, .seed = 5 };
        struct why why;
        assert_int_equal(run_pass(rn, c, &p, &why), OK);
        assert_true(t.events == 28 && t.used == 28 * 2 * D);
        for (long k = 0; k < 28; k++)
            for (int j = 0; j < D; j++)
                noise[k * D + j] = pool[k * 2 * D + j] =
                    t.pool[k * 2 * D + D + j] - t.pool[k * 2 * D + j];
        assert_true(loss_whiten(&t, 28, pool, white));
        for (long k = 0; k < 28; k++) {
            vec_copy(D, white + k * 2 * D, draws + k % 14 * D);
            noise_again(root, k % 14 + 1, draws, again);
            for (int j = 0; j < D; j++)
                expect("noise", 4 * again[j], noise[k * D + j], 1e-11);
        }
        tape_free(&t);
        free(p.params);
        cell_free(c);
    }
}

/* Four releases have the law N(v, 16/N^2 I), where v differs by a vector of norm 1/N if the record is changed, so
 * that mu = 1/2 in total. The privacy loss is N(mu^2/2, mu^2) with the record and N(-mu^2/2, mu^2) with the record
 * changed. */
static void test_normal(void **state)
{
    struct audit_runs a = collected(&algo_normal, 4000);
    for (int side = 0; side < 2; side++) {
        struct moments m = moments_of(&a, side, false);
        expect("mean", m.mean, side ? -0.125 : 0.125, 5 * 0.5 / sqrt(4000));
        expect("sd", m.se * sqrt(4000), 0.5, 5 * 0.5 / sqrt(2 * 4000));
    }
    audit_free(&a);
}

/* The loss of every run of pure mechanisms is at most their epsilon. For four Laplace releases this is 4 times the
 * largest 1-norm of a change, sqrt(4)/N, over b = 5/N. */
static void test_pure(void **state)
{
    struct audit_runs a = collected(&algo_laplace, 500);
    double most = 0;
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a.n; k++)
            most = fmax(most, fabs(loss_at(&a, side, k)));
    assert_true(most <= 4 * sqrt(D) / 5 + 1e-9 && most > 0.3);
    audit_free(&a);
}

/* The attacker does not see whether the record was sampled. If records are drawn with q = 0.3, each of four samples
 * is evidence against the presence of the record by at most log 1/(1 - q). With hidden noise, and for subsets,
 * whose records are drawn without replacement, no likelihood is computed. For subsets the attack uses only the
 * first release, whether the record is in its subset or not: in about 24 of 100 runs none of the four draws of 6 of
 * 20 records takes the record, and these runs have a release too. */
static void test_hidden_membership(void **state)
{
    static const struct algo *const none[] = { &algo_hidden, &algo_subset };
    struct audit_runs a = collected(&algo_poisson, 500);
    for (int side = 0; side < 2; side++)
        for (long k = 0; k < a.n; k++)
            assert_true(loss_at(&a, side, k) >= 4 * log1p(-0.3) - 1e-9);
    audit_free(&a);
    for (int k = 0; k < 2; k++) {
        a = collected(none[k], 50);
        for (int side = 0; side < 2; side++)
            for (long i = 0; i < a.n; i++) {
                assert_true(isnan(loss_at(&a, side, i)));
                assert_int_equal(k == 1, a.release == D &&
                                             !isnan(a.side[side][i * audit_row(&a)]));
            }
        audit_free(&a);
    }
}

/* If no likelihood can be computed for a method, only the first release of a run is kept; otherwise all four are
 * kept. */
static void test_kept_releases(void **state)
{
    static const struct algo *const one[] = { &algo_subset, &algo_normal };
    for (int k = 0; k < 2; k++) {
        struct cell *c = cell_of(one[k], "problem coins_stored d=4 n=20 | algo planted-sgd-twice | goal n=1000 | "
                                         "run | rep 0");
        double x[D];
        struct tape t = { .mode = TAPE_WATCH };
        struct pass p = { .x = x, .tape = &t, .seed = 5, .neighbour = { NEIGHBOUR_SAME, .i = 0, .with = -1 } };
        struct why why;
        assert_int_equal(run_pass(rn, c, &p, &why), OK);
        assert_int_equal(t.events, k ? 4 : 0);
        assert_int_equal(t.used, k ? 4 * 2 * D : 0);
        assert_true(t.deaf == (k == 0) && t.seen && t.seen_d == D);
        tape_free(&t);
        free(p.params);
        cell_free(c);
    }
}

/* Makes four releases, each of the mean of five records. */
static enum status run_parts(struct oracle *o, const void *p, struct arena *w, struct rng *rng, double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    for (int k = 0; k < 4 && oracle_take(o, 5, &t) && gradient(o, &t, x, g); k++)
        release_mean(o, NORMAL, &t, g);
    return OK;
}

static void watch(struct cell *c, enum neighbour_kind kind, long i, struct tape *t)
{
    double x[D];
    struct pass p = { .x = x, .tape = t, .seed = 5, .neighbour = { kind, .i = i, .with = -1 } };
    struct why why;
    *t = (struct tape){ .mode = TAPE_WATCH };
    assert_int_equal(run_pass(rn, c, &p, &why), OK);
    assert_true(t->events == 4 && t->used == 4 * 2 * D);
    free(p.params);
}

/* The release that is kept for a record is the first one whose batch has it: the first whose value before noise
 * changes when this record is zeroed. */
static void test_first_release_of_a_record(void **state)
{
    static const struct algo parts = { .name = "parts", .doc = "a way", .cite = "none",
                                       .calls = CALL_SAMPLES | CALL_NOISE, .adjacency = ADJACENCY_ZERO_OUT,
                                       .run = run_parts };
    int of[4] = { 0 };
    for (long i = 0; i < N; i++) {
        struct cell *c = cell_of(&parts, "problem coins_stored d=4 n=20 | algo planted-sgd-twice | goal n=1000 | "
                                         "run | rep 0");
        struct tape same, zeroed;
        int k = 0;
        watch(c, NEIGHBOUR_SAME, i, &same);
        watch(c, NEIGHBOUR_NULL, i, &zeroed);
        while (k < 4 && !memcmp(same.pool + k * 2 * D, zeroed.pool + k * 2 * D, D * sizeof(double)))
            k++;
        assert_true(k < 4 && same.seen && same.seen_d == D);
        assert_memory_equal(same.seen, same.pool + k * 2 * D + D, D * sizeof(double));
        of[k]++;
        tape_free(&same);
        tape_free(&zeroed);
        cell_free(c);
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(of[k], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_candidates), cmocka_unit_test(test_choices_add_up),
        cmocka_unit_test(test_against_no_noise), cmocka_unit_test(test_released_without_noise),
        cmocka_unit_test(test_ratios),         cmocka_unit_test(test_normal),
        cmocka_unit_test(test_whitened),       cmocka_unit_test(test_pure),
        cmocka_unit_test(test_hidden_membership), cmocka_unit_test(test_kept_releases),
        cmocka_unit_test(test_first_release_of_a_record),
    };
    return cmocka_run_group_tests_name("loss", tests, begin, end);
}

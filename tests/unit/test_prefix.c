/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_prefix.c - noise of prefix sums by the square-root factorisation (the tree is in test_noise.c).
 *
 * Serves: accelerated-dp-srgd */
#include <string.h>

#include "support/aborts.h"
#include "cell/registry.h"
#include "run/run.h"
#include "support/tiny.h"

static const struct release plain = { .site = "here", .sensitivity = 1 };

/* Returns c_k = binom(2k, k)/4^k, from its logarithm. */
static double coefficient(long k)
{
    double n = (double)k;
    return exp(lgamma(2 * n + 1) - 2 * lgamma(n + 1) - n * log(4));
}

/* The draws z behind a stream come from an oracle of the same seed that releases them one by one. The noise of
 * the stream is W z, where W is the lower triangular matrix with the entries c_(i-j). Multiplied by W once more
 * it must be the prefix sums of the draws, since W W is the lower triangle of ones. */
static void u19_root_twice_is_the_prefix_sum(void **state)
{
    enum { T = 64, TWO = 2 };
    static double Z[T][TWO], S[T][TWO];
    struct bench *b = bench_new(true), *twin = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 8), *other = bench_open(twin, NULL, 8);
    struct prefix *p = noise_prefix(o, b->arena, PREFIX_ROOT, T, TWO);
    double sum[TWO] = { 0 };
    for (long i = 0; i < T; i++) {
        vec_fill(TWO, 5, S[i]);      /* a sum without noise: prefix_release adds noise to it, and `-= 5` below
                                        leaves the noise alone */
        prefix_release(p, &plain, 0.3, S[i]);
        noise_gaussian(other, &plain, 0.3, TWO, Z[i]);
        for (int j = 0; j < TWO; j++) {
            double twice = 0;
            S[i][j] -= 5;
            sum[j] += Z[i][j];
            for (long k = 0; k <= i; k++)
                twice += coefficient(k) * S[i - k][j];
            assert_true(fabs(twice - sum[j]) < 1e-12 * 64);
        }
    }
    assert_true(Z[0][0] != 0 && fabs(S[1][0] - Z[1][0] - Z[0][0] / 2) < 1e-15);
    bench_free(b);
    bench_free(twin);
}

/* The cover says what one step costs: at sensitivity 1 and noise sd the stream is (sqrt(cover)/sd)-GDP for a record
 * in one step (noise.h). For the square-root factorisation it is s_T^2 = c_0^2 + ... + c_(T-1)^2, here compared
 * with the published value, to a unit of its fourth decimal; for T = 1 it is 1, since there is nothing to
 * correlate. The cover of a tree is its height. */
static void u19_cover(void **state)
{
    static const struct { long T; double cover; } known[] = {
        { 1, 1 }, { 4, 1.4883 }, { 16, 1.9439 }, { 64, 2.3888 }, { 256, 2.8311 },
        { 1024, 3.2726 }, { 4096, 3.7139 } };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        assert_true(fabs(prefix_cover(PREFIX_ROOT, known[k].T) - known[k].cover) < 1e-4);
        assert_true(prefix_cover(PREFIX_TREE, known[k].T) == tree_height(known[k].T));
    }
}

/* At unit noise the squared parameter mu of Gaussian privacy of one step is u' Sigma^-1 u = |e|^2. Here u is the
 * effect of the step on the prefixes, 0 before the step and 1 from it on, Sigma = W W' with the matrix W of the
 * first test, and e solves W e = u by forward substitution. The square is at most the cover, and equals it for the
 * first step. */
static void u19_effective_mu(void **state)
{
    enum { T = 31 };
    for (long first = 0; first < T; first++) {
        double e[T], square = 0;
        for (long i = 0; i < T; i++) {
            e[i] = i >= first;
            for (long k = 1; k <= i; k++)
                e[i] -= coefficient(k) * e[i - k];
            square += e[i] * e[i];
        }
        double cover = prefix_cover(PREFIX_ROOT, T);
        assert_true(first ? square < cover : fabs(square - cover) < 1e-12);
    }
}

/* After a restart, at the second epoch, the noise comes from new draws. Each step counts one draw, and each epoch
 * of T steps is one entry of the ledger. */
static void u19_epochs_and_ledger(void **state)
{
    enum { T = 4 };
    struct bench *b = bench_new(false);
    struct oracle *o = bench_open(b, NULL, 3);
    struct prefix *p = noise_prefix(o, b->arena, PREFIX_ROOT, T, D);
    struct ticket batch;
    struct release r = plain;
    double first[D] = { 0 }, again[D] = { 0 };
    r.ticket = &batch;
    for (int i = 0; i < 2 * T; i++) {
        double v[D] = { 0 };
        if (i == T)
            prefix_restart(p);
        assert_true(oracle_take(o, 3, &batch));
        prefix_release(p, &r, 1, i == 0 ? first : i == T ? again : v);
    }
    assert_true(vec_dist(D, first, again) > 0);
    assert_true(o->counts.of[COUNT_noise_tree] == 2 * T && o->ledger.entries == 2);
    for (int k = 0; k < 2; k++) {
        const struct ledger_entry *e = &o->ledger.entry[k];
        assert_int_equal(e->mechanism, MECHANISM_ROOT);
        assert_true(e->repeats == T && e->step == 1 && e->cover == prefix_cover(PREFIX_ROOT, T));
    }
    bench_free(b);
}

static void one_too_many(void *p)
{
    double v[D];
    for (int k = 0; k < 3; k++)
        prefix_release(p, &plain, 0, v);
}

static void test_past_the_end(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 3);
    assert_true(aborts(one_too_many, noise_prefix(o, b->arena, PREFIX_ROOT, 2, D), NULL, 0));
    bench_free(b);
}

/* --- accelerated-dp-srgd with noise=tree and with noise=root */

static struct record *run_with(const char *noise, const char *calibration, double n)
{
    struct bag bag = { 0 };
    struct cell *c;
    struct why why = { "" };
    bag_put_text(&bag, "algo.noise", noise);
    bag_put_text(&bag, "algo.calibration", calibration);
    bag_put(&bag, "goal.n", n);
    bag_put(&bag, "goal.eps", 1);
    bag_put(&bag, "goal.delta", 1e-6);
    bag_put(&bag, "problem.s", 0.1);
    assert_int_equal(cell_make("spectral", "accelerated-dp-srgd", &bag, 0, &c, &why), OK);
    struct runner *runner = runner_new(0);
    struct record *r = run_cell(runner, c, NULL);
    runner_free(runner);
    cell_free(c);
    bag_free(&bag);
    return r;
}

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    record_get(r, name, &v);
    return v;
}

/* For the same mu the noise of the tree and of the square root differs only by their covers, at T = 63 by the
 * factor sqrt(6/2.384). */
static void u19_calibration_of_the_method(void **state)
{
    struct record *tree = run_with("tree", "exact", 1e6), *root = run_with("root", "exact", 1e6);
    long T = (long)value_of(root, "param.T");
    assert_int_equal(T, 63);
    assert_int_equal((long)value_of(tree, "param.T"), T);
    double ratio = value_of(tree, "param.sigma") / value_of(root, "param.sigma");
    double sum = 0;
    for (long k = 0; k < T; k++)
        sum += coefficient(k) * coefficient(k);
    assert_true(fabs(ratio / sqrt(6 / sum) - 1) < 1e-12);
    /* In every coordinate the noise of the worst prefix has standard deviation s_T sigma for the root, and sqrt(6)
     * sigma for the tree. */
    assert_true(value_of(root, "note.noise") < value_of(tree, "note.noise"));
    record_free(tree);
    record_free(root);
    struct record *printed = run_with("root", "paper", 1e4);
    assert_int_equal(printed->outcome, OUTCOME_REFUSED);
    assert_non_null(strstr(printed->message, "the printed sigma"));
    record_free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u19_root_twice_is_the_prefix_sum), cmocka_unit_test(u19_cover),
        cmocka_unit_test(u19_effective_mu), cmocka_unit_test(u19_epochs_and_ledger),
        cmocka_unit_test(test_past_the_end), cmocka_unit_test(u19_calibration_of_the_method),
    };
    return cmocka_run_group_tests_name("prefix", tests, NULL, NULL);
}

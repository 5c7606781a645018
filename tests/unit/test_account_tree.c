/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_tree.c - which record pays most in trees, batches and passes, and the bounds of audits, compared
 * with linear algebra, enumeration and known answers. Only the intervals of one test are random, and any seed must
 * pass. */
#include "contract/contract.h"

#include <gsl/gsl_linalg.h>

#include "privacy/account.h"
#include "support/known.h"

/* --- the record that pays most; the tree mechanism; snowball SGD (the last iterate of SGD that uses each record
 * once) */

static void test_worst_record(void **state)
{
    struct rng r = rng_stream(91);
    for (int turn = 0; turn < 300; turn++) {
        struct account_use use[12];
        double worst = 0;
        for (int k = 0; k < 12; k++) {
            double first = floor(20 * rng_uniform(&r)), count = floor(8 * rng_uniform(&r));
            use[k] = (struct account_use){ first, count, rng_uniform(&r) };
        }
        for (int record = 0; record < 30; record++) {
            double paid = 0;
            for (int k = 0; k < 12; k++)
                if (record >= use[k].first && record < use[k].first + use[k].count)
                    paid += use[k].price;
            worst = fmax(worst, paid);
        }
        expect_above("worst", account_worst_record(12, use), worst, 1e-14, 1e-15);
    }
    struct account_use all = { 0, INFINITY, 2 }, none = { 3, 0, INFINITY }, bad = { 3, 1, NAN };
    assert_true(account_worst_record(0, NULL) == 0 && account_worst_record(1, &none) == 0);
    assert_true(fabs(account_worst_record(1, &all) - 2) < 1e-14 &&
                isinf(account_worst_record(1, &bad)));
}

/* Returns mu^2 of a whole stream of T prefixes with noise of the tree, for a record that changes the sum by s[p] at
 * each of the k steps step[p]. It is u' S^-1 u, with S the covariance of the noise of all prefixes and u the change
 * of all prefixes; sd[t - 1] is the noise of the node that ends at step t. */
static double stream_mu2(int T, int k, const long *step, const double *s, const double *sd)
{
    gsl_matrix *S = gsl_matrix_calloc((size_t)T, (size_t)T);
    gsl_vector *u = gsl_vector_calloc((size_t)T), *v = gsl_vector_calloc((size_t)T);
    for (int i = 1; i <= T; i++) {
        for (int j = 1; j <= T; j++)
            for (int a = i; a > 0; a -= a & -a)
                for (int b = j; b > 0; b -= b & -b)
                    if (a == b)
                        *gsl_matrix_ptr(S, (size_t)i - 1, (size_t)j - 1) += sd[a - 1] * sd[a - 1];
        for (int p = 0; p < k; p++)
            if (step[p] <= i)
                *gsl_vector_ptr(u, (size_t)i - 1) += s[p];
    }
    gsl_linalg_cholesky_decomp1(S);
    gsl_linalg_cholesky_solve(S, u, v);
    double sum = 0;
    for (int i = 0; i < T; i++)
        sum += gsl_vector_get(u, (size_t)i) * gsl_vector_get(v, (size_t)i);
    gsl_matrix_free(S);
    gsl_vector_free(u);
    gsl_vector_free(v);
    return sum;
}

/* For trees whose steps have different noise and sensitivities, and records in several steps, the sum over nodes
 * equals mu^2 of the released prefixes. */
static void test_fenwick(void **state)
{
    double sd[21], s[21];
    for (int k = 0; k < 21; k++) {
        sd[k] = 0.5 + 0.13 * ((k * 7) % 11);
        s[k] = 1 + 0.21 * ((k * 5) % 8);
    }
    for (int T = 1; T <= 21; T++) {
        for (long i = 1; i <= T; i++) {
            double truth = stream_mu2(T, 1, &i, &s[i - 1], sd);
            expect_near("one step", account_tree_mu2(TREE_FENWICK, T, 1, &i, &s[i - 1], sd), truth,
                        1e-9 * truth);
            for (long j = i + 1; j <= T; j++) {
                long steps[] = { i, j };
                truth = stream_mu2(T, 2, steps, s, sd);
                expect_near("two steps", account_tree_mu2(TREE_FENWICK, T, 2, steps, s, sd), truth,
                            1e-9 * truth);
            }
        }
    }
    /* In private zeroth-order O2NC the first step has the sensitivity s_1 and all others s, with equal noise. With
     * m = floor(lg T), mu^2 is max((m+1) s_1^2, m s^2). */
    for (long T = 2; T <= 64; T++) {
        double u[64], m = floor(log2((double)T)), worst = 0;
        for (long k = 0; k < T; k++)
            u[k] = k ? 1.0 : 0.6;
        for (long k = 1; k <= T; k++)
            worst = fmax(worst, account_tree_mu2(TREE_FENWICK, T, 1, &k, &u[k - 1], NULL));
        expect_near("zeroth", worst, fmax((m + 1) * 0.36, m), 1e-9);
    }
    long one = 1;
    double nothing = 0, silent = 0;
    assert_true(isinf(account_tree_mu2(TREE_FENWICK, 1, 1, &one, s, &silent)));
    assert_true(account_tree_mu2(TREE_FENWICK, 1, 1, &one, &nothing, &silent) == 0);
}

/* Returns mu^2 of a whole stream of T prefixes with the square-root noise, for a record in k known steps. The noise
 * of all prefixes is W z, z standard normal, where W is lower triangular and has binom(2k, k)/4^k on diagonal k.
 * The change u of all prefixes is whitened by forward substitution: W e = u. */
static double root_mu2(int T, int k, const struct account_part *part)
{
    double e[32], sum = 0;
    for (int i = 1; i <= T; i++) {
        e[i] = 0;
        for (int p = 0; p < k; p++)
            e[i] += part[p].first <= i ? part[p].s : 0;
        for (int m = 1; m < i; m++)
            e[i] -= exp(lgamma(2 * m + 1) - 2 * lgamma(m + 1) - m * log(4)) * e[i - m];
        sum += e[i] * e[i];
    }
    return sum;
}

static double known_steps(enum prefix_kind kind, int T, int k, const struct account_part *part)
{
    long step[3];
    double s[3], sd[32];
    for (int p = 0; p < T; p++)
        sd[p] = 1;
    for (int p = 0; p < k; p++) {
        step[p] = part[p].first;
        s[p] = part[p].s;
    }
    return kind == PREFIX_ROOT ? root_mu2(T, k, part) : stream_mu2(T, k, step, s, sd);
}

/* For records in up to three known steps the accountant's mu^2 equals that of the whole stream, for noise of the
 * tree and for noise of the square root. So does account_steps_mu2, here with equal noise in all steps. */
static void test_prefix_exact(void **state)
{
    const double s[3] = { 1, 0.5, 2 };
    double sd[13];
    for (int t = 0; t < 13; t++)
        sd[t] = 1;
    for (int kind = 0; kind < 2; kind++)
        for (long T = 1; T <= 13; T++)
            for (long i = 1; i <= T; i++)
                for (long j = i; j <= T; j += 2)
                    for (long l = j; l <= T; l += 3) {
                        const struct account_part part[3] = { { i, i, 1 },
                                                              { j, j, 0.5 },
                                                              { l, l, 2 } };
                        const long step[3] = { i, j, l };
                        for (int k = 1; k <= 3; k++) {
                            double truth = known_steps((enum prefix_kind)kind, (int)T, k, part);
                            expect_above("parts",
                                         account_prefix_mu2((enum prefix_kind)kind, T, k, part),
                                         truth, 1e-10, 1e-10);
                            expect_above("steps",
                                         account_steps_mu2((enum prefix_kind)kind, T, k, step, s, sd),
                                         truth, 1e-10, 1e-10);
                        }
                    }
    const struct account_part first = { 1, 1, 1 }, bad = { 1, 1, NAN };
    expect_near("cover", account_prefix_mu2(PREFIX_ROOT, 1024, 1, &first),
                prefix_cover(PREFIX_ROOT, 1024), 1e-10);
    assert_true(isinf(account_prefix_mu2(PREFIX_TREE, 4, 1, &bad)));
    assert_true(account_prefix_mu2(PREFIX_TREE, 4, 0, NULL) == 0);
}

/* If the steps of a record are not known, the accountant's cost is never below that of the worst choice, and
 * exceeds it only because each pair of steps is bounded separately; for one step the two are equal. The changes 1,
 * 1.5 and 1 in three steps never cost more than a change of 3.5 in the worst step. If the three steps are in
 * separate epochs, they cost less than 0.9 of this. */
static void test_prefix_shuffled(void **state)
{
    static const long span[][6] = { { 1, 4, 5, 8, 9, 12 },
                                    { 2, 3, 3, 7, 6, 13 },
                                    { 1, 13, 1, 13, 5, 5 } };
    for (int kind = 0; kind < 2; kind++)
        for (int c = 0; c < 3; c++) {
            const long *at = span[c];
            const struct account_part part[3] = { { at[0], at[1], 1 },
                                                  { at[2], at[3], 1.5 },
                                                  { at[4], at[5], 1 } };
            double worst[3] = { 0 };
            for (long i = at[0]; i <= at[1]; i++)
                for (long j = at[2]; j <= at[3]; j++)
                    for (long l = at[4]; l <= at[5]; l++) {
                        const struct account_part one[3] = { { i, i, 1 },
                                                             { j, j, 1.5 },
                                                             { l, l, 1 } };
                        for (int k = 0; k < 3; k++)
                            worst[k] = fmax(worst[k],
                                            known_steps((enum prefix_kind)kind, 13, k + 1, one));
                    }
            double bound[3];
            for (int k = 0; k < 3; k++) {
                bound[k] = account_prefix_mu2((enum prefix_kind)kind, 13, k + 1, part);
                assert_true(bound[k] >= worst[k] * (1 - 1e-12));
            }
            expect_near("one", bound[0], worst[0], 1e-9);
            assert_true(bound[2] <=
                        3.5 * 3.5 * prefix_cover((enum prefix_kind)kind, 13) * (1 + 1e-10));
            assert_true(c > 0 ||
                        bound[2] < 0.9 * 3.5 * 3.5 * prefix_cover((enum prefix_kind)kind, 13));
        }
}

static void test_tree_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("tree_sensitivity_multi_epoch.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        expect_near("completed", account_tree_epochs((long)r[0], (long)r[1], (long)r[2]), r[3], 0);
        expect_near("bare", account_tree_epochs((long)r[0], (long)r[1], 0), r[4], 0);
    }
    n = known_answers("tree_single_epoch.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        double depth = account_tree_epochs((long)r[0], 1, 0), mu = sqrt(depth) / r[1];
        expect_near("depth", depth, r[2], 0);
        expect_near("rho", mu * mu / 2, r[3], 1e-13 * r[3]);
        expect_above("exact", account_gaussian_eps(mu, r[4]), r[7], 1e-11, 1e-13);
    }
}

/* Closed forms of the squared sensitivity are compared: one pass of T steps costs the bit length of T; 2^k epochs
 * of one step are a tree in which every node of level l holds 2^l participations, so that the sum is 2^k (2^(k+1) -
 * 1). */
static void test_tree_closed(void **state)
{
    for (long steps = 1; steps <= 130; steps++)
        expect_near("bits", account_tree_epochs(steps, 1, 0),
                    64 - __builtin_clzl((unsigned long)steps), 0);
    for (int k = 0; k <= 10; k++)
        expect_near("one step", account_tree_epochs(1, 1L << k, 0), ldexp(ldexp(2, k) - 1, k), 0);
}

/* With a batch of 2 sqrt(d/(T - t + 1))/p records, rounded up, in step t and noise L/sqrt(d), where d is the
 * dimension, snowball SGD has mu at most p, the promised one, and nearly p, since the rounding matters little here.
 * If the later batches are infinite, the first step alone is a Gaussian mechanism with the noise of all T steps. */
static void test_snowball(void **state)
{
    double batch[400], p = 0.3, L = 2.5, d = 1e8;
    for (int T = 1; T <= 400; T += 57) {
        for (int t = 1; t <= T; t++)
            batch[t - 1] = ceil(2 * sqrt(d / (T - t + 1)) / p);
        double mu = account_snowball_mu(T, batch, 2 * L, L / sqrt(d));
        assert_true(mu <= p * (1 + 1e-10) && mu > 0.999 * p);
        for (int t = 2; t <= T; t++)
            batch[t - 1] = INFINITY;
        batch[0] = 3;
        expect_near("first", account_snowball_mu(T, batch, 1, 2), 1 / (6 * sqrt(T)), 1e-11);
    }
    batch[0] = 0;
    assert_true(isinf(account_snowball_mu(1, batch, 1, 1)) &&
                isinf(account_snowball_mu(1, batch, NAN, 1)));
    assert_true(account_snowball_mu(1, batch, 0, 1) == 0);
}

/* --- audits */

/* Returns the p-value, at eps and delta, of v right guesses among r guesses about m records (Steinke, Nasr and
 * Jagielski 2023): P(X >= v), where X is binomial with r draws at 1/(1 + e^-eps), plus 2 m delta times the largest
 * P(v - i <= X < v)/i over i = 1 ... v, all summed term by term. */
static double slow_p(double m, int r, int v, double eps, double delta)
{
    double q = 1 / (1 + exp(-eps)), pmf[61], p = 0, near = 0, alpha = 0;
    pmf[0] = pow(1 - q, r);
    for (int k = 1; k <= r; k++)
        pmf[k] = pmf[k - 1] * (r - k + 1) / k * q / (1 - q);
    for (int k = v; k <= r; k++)
        p += pmf[k];
    for (int i = 1; i <= v; i++) {
        near += pmf[v - i];
        alpha = fmax(alpha, near / i);
    }
    return fmin(1, p + 2 * m * delta * alpha);
}

static void test_audit(void **state)
{
    for (int v = 0; v <= 60; v += 3)
        for (double eps = 0; eps < 3; eps += 0.37)
            for (double delta = 0; delta < 2e-3; delta += 7e-4) {
                double truth = slow_p(500, 60, v, eps, delta);
                expect_near("p", account_audit_p(500, 60, v, eps, delta), truth, 1e-9 * truth);
            }
    /* If all r guesses are right and delta = 0, then q^r = 0.05, the level, with q = 1/(1 + e^-eps): eps =
     * -log(0.05^(-1/r) - 1). */
    for (long r = 10; r < 1000; r *= 3)
        expect_near("all right", account_audit_eps(1000, r, r, 0, 0.05),
                    -log(pow(0.05, -1.0 / (double)r) - 1), 2e-9);
    assert_true(account_audit_eps(100, 100, 50, 0, 0.05) == 0);
}

static void test_audit_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("audit_one_run_pvalue.csv", row);
    for (int k = 0; k < n; k++)
        for (int e = 0; e < 3; e++) {
            const double *r = row[k].at;
            double truth = r[5 + 2 * e];
            expect_near("p", account_audit_p(r[0], (long)r[1], (long)r[2], r[4 + 2 * e], r[3]),
                        truth, 1e-9 * truth);
        }
    n = known_answers("audit_one_run_eps.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        expect_near("eps", account_audit_eps(r[0], (long)r[1], (long)r[2], r[3], r[4]), r[5], 3e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worst_record), cmocka_unit_test(test_fenwick),
        cmocka_unit_test(test_prefix_exact), cmocka_unit_test(test_prefix_shuffled),
        cmocka_unit_test(test_tree_known),   cmocka_unit_test(test_tree_closed),
        cmocka_unit_test(test_snowball),     cmocka_unit_test(test_audit),
        cmocka_unit_test(test_audit_known),
    };
    return cmocka_run_group_tests_name("account_tree", tests, NULL, NULL);
}

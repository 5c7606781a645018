/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_accelerated_dp_srgd_audit.c - attacks on the privacy of accelerated-dp-srgd and dp-sgd. An attack tries to
 * tell runs with a record from runs without it. The first sees all noisy prefix sums; the mu of Gaussian privacy
 * that it shows is compared with that from the inverse of the covariance of the noise. The second sees the answer
 * alone. The third is on losses that are not convex. The record that differs is the first in stream order, the
 * canary of the family. Its gradient is longer than C, so that its clipped difference has norm exactly C. Seeds are
 * fixed.
 *
 * Serves: accelerated-dp-srgd */
#include "support/replayed.h"

#include <gsl/gsl_linalg.h>
#include <stdlib.h>

#include "privacy/account.h"
#include "run/audit.h"
#include "judge/verdict.h"

enum { T = 15, P = 4 };

static struct cell *prefix_cell(const char *noise, double sigma, const char *goal)
{
    char own[40] = "";
    if (sigma > 0)
        snprintf(own, sizeof own, "sigma=%.17g", sigma);
    return cell_of(NULL, "problem linear d=%d | algo accelerated-dp-srgd T=%d C=0.5 beta=1 "
                         "noise=%s %s | goal %s | run | rep 0", P, T, noise, own, goal);
}

/* --- the attack that sees all noisy prefix sums */

/* Returns the covariance of the noises of prefix sums i and j, for noise of standard deviation 1. Noise of the tree
 * (root false): the number of nodes [k 2^l + 1, (k+1) 2^l] that stand in the dyadic decompositions of both i and j.
 * Noise of the square root (root true): the inner product of rows i and j of the matrix whose square takes prefix
 * sums; its entry (i, k) is c[i-k]. */
static double covariance(bool root, int i, int j)
{
    double sum = 0, c[T] = { 1 };
    for (int k = 1; k < T; k++)
        c[k] = c[k - 1] * (2 * k - 1) / (2.0 * k);
    for (int k = 1; root && k <= i && k <= j; k++)
        sum += c[i - k] * c[j - k];
    for (int l = 0; !root && l < 5; l++)
        sum += (i >> l & 1) && (j >> l & 1) && i >> l == j >> l;
    return sum;
}

/* Returns sqrt(u' S^-1 u), where S is the covariance of the noise of all prefix sums, and u is 1 from prefix
 * `first` on and 0 before. This is the mu of Gaussian privacy of a record that changes the sums by 1 from that
 * prefix on. */
static double effective_mu(bool root, int first)
{
    double s[T * T], u[T], y[T], sum = 0;
    for (int i = 1; i <= T; i++) {
        u[i - 1] = i >= first;
        for (int j = 1; j <= T; j++)
            s[(i - 1) * T + j - 1] = covariance(root, i, j);
    }
    gsl_matrix_view S = gsl_matrix_view_array(s, T, T);
    gsl_vector_view b = gsl_vector_view_array(u, T), x = gsl_vector_view_array(y, T);
    gsl_linalg_cholesky_decomp1(&S.matrix);
    gsl_linalg_cholesky_solve(&S.matrix, &b.vector, &x.vector);
    for (int i = 0; i < T; i++)
        sum += u[i] * y[i];
    return sqrt(sum);
}

/* The ledger books prefix_cover as the square of mu for a record that changes the sum by 1, with noise of standard
 * deviation 1. This value must be exact for a record of the first round, and an upper bound for one of a later
 * round. */
static void s6_7_effective_mu(void **state)
{
    for (int root = 0; root < 2; root++) {
        double cover = prefix_cover(root ? PREFIX_ROOT : PREFIX_TREE, T);
        assert_true(fabs(effective_mu(root, 1) - sqrt(cover)) < 1e-9);
        for (int first = 2; first <= T; first++)
            assert_true(effective_mu(root, first) <= sqrt(cover) + 1e-9);
    }
}

/* Returns the mu of Gaussian privacy that 2000 runs with the record and 2000 without it show: the distance between
 * the two means of their privacy loss, in standard deviations of the loss. For normal noise the loss is mu t -
 * mu^2/2, where t has standard deviation 1 and a mean that the record moves by mu. */
static double shown_mu(const struct cell *c)
{
    struct audit_runs a;
    struct why why;
    double mean[2] = { 0, 0 }, squares = 0;
    enum { RUNS = 2000 };
    assert_int_equal(audit_collect(rn, c, 0, RUNS, &a, &why), OK);
    for (int side = 0; side < 2; side++) {
        for (long k = 0; k < RUNS; k++) {
            double v = a.side[side][k * audit_row(&a) + a.release + a.d];
            mean[side] += v / RUNS;
            squares += v * v / RUNS;
        }
        squares -= mean[side] * mean[side];
    }
    audit_free(&a);
    return (mean[0] - mean[1]) / sqrt(squares / 2);
}

/* For eps = 4 and B = 10 the sigma of the method gives mu = sqrt(H) (C/B)/sigma = 0.925, where H is the
 * prefix_cover of the noise. The distance that shown_mu measures must equal this mu within 4/sqrt(1000). That is
 * four standard errors of a difference of means of 2000 runs each; half of the draws are shared, which makes the
 * error smaller. A quarter of the noise gives four times this mu, and the measured distance must show it. */
static void v22_whitened(void **state)
{
    const double mu = 0.92493090, tolerance = 4 / sqrt(1000);
    for (int root = 0; root < 2; root++) {
        const char *noise = root ? "root" : "tree";
        double sigma = effective_mu(root, 1) * 0.05 / mu;
        struct cell *c = prefix_cell(noise, 0, "n=150 eps=4 delta=1e-5");
        struct cell *quarter = prefix_cell(noise, sigma / 4, "n=150 eps=4 delta=1e-5");
        double honest = shown_mu(c), loud = shown_mu(quarter);
        if (!(fabs(honest - mu) <= tolerance))
            fail_msg("%s: mu = %g, expected %g", noise, honest, mu);
        if (!(fabs(loud - mu) > tolerance && fabs(loud - 4 * mu) <= 4 * tolerance))
            fail_msg("%s: a quarter of the noise shows mu = %g, not %g", noise, loud, 4 * mu);
        cell_free(c);
        cell_free(quarter);
    }
}

/* --- the attack that sees the answer alone */

static struct audit from_answers(const struct cell *c, long n, double delta)
{
    struct audit_runs a = { .n = n, .d = P };
    struct rng seeds = rng_stream(91);
    struct why why;
    double x[P];
    struct pass p = { .x = x };
    audit_room(&a, 0);
    for (long k = 0; k < 2 * n; k++) {
        p.neighbour = (struct neighbour){ k % 2 ? NEIGHBOUR_NULL : NEIGHBOUR_REPLACE, 0, -1 };
        p.seed = rng_u64(&seeds);
        assert_int_equal(run_pass(rn, c, &p, &why), OK);
        vec_copy(P, x, a.side[k % 2] + k / 2 * audit_row(&a));
    }
    struct audit got = audit_judge_answer(&a, delta);
    free(p.params);
    audit_free(&a);
    return got;
}

/* Audits of the answer alone, with n = 1500. The lower limit of epsilon from 5000 runs with the record and 5000
 * without it stays below the promised eps. With a five-hundredth of the noise, 500 runs of each kind must show a
 * limit above eps. */
static void v22_answer(void **state)
{
    const char goal[] = "n=1500 eps=1 delta=1e-5";
    double sigma = 2 * 0.005 / 0.26805112;
    struct cell *c = prefix_cell("tree", 0, goal);
    struct cell *loud = prefix_cell("tree", sigma / 500, goal);
    struct audit got = from_answers(c, 5000, 1e-5);
    assert_string_equal(got.statistic, "answer");
    if (!(got.eps <= 1 && got.mu <= 0.26805112))
        fail_msg("the answer shows eps = %g, mu = %g", got.eps, got.mu);
    got = from_answers(loud, 500, 1e-5);
    if (!(got.eps_strict > 1))
        fail_msg("hardly any noise: the answer shows eps = %g", got.eps_strict);
    cell_free(c);
    cell_free(loud);
}

/* --- the attack on losses that are not convex */

static struct verdict judged(const struct privacy_seen *p)
{
    static struct fit fit;
    fit.points = 1;
    fit.privacy[0] = *p;
    return verdict_private(&fit);
}

/* The losses are sigmoids, clipped well below their slope. Nothing leaks, no audit exceeds the promise (false alarm
 * 1e-6), and the audit shows about half of the promise. Given a run with the record and one without it, the audit
 * tells which is which in 74% of 1000 pairs at mu = 0.925. This estimates mu with the standard error 0.061, so that
 * its lower limit is above 0.925 - (1.645 + 6) 0.061 = 0.46; the test asks for 0.43. A run with half of the noise,
 * mu = 1.85, is caught by the audit alone: from 2000 pairs, at the strict level, the lower limit of mu is above
 * 1.85 - (4.75 + 6) 0.055 = 1.26, hence above 0.925. */
static void v23_nonconvex(void **state)
{
    static const char *const algos[] = { "accelerated-dp-srgd T=7 C=0.05 beta=1",
                                         "dp-sgd C=0.05 step=0.1 T=7" };
    for (int k = 0; k < 2; k++) {
        struct privacy_seen p = seen_of("sigmoid d=4", algos[k], "n=70 eps=4 delta=1e-5", 12, 2000);
        struct verdict v = judged(&p);
        if (v.word != SUPPORTED)
            fail_msg("%s: %s, %s", algos[k], verdict_word(v.word), v.reason);
        if (!(p.mu > 0.43 && p.mu_strict <= 0.925))
            fail_msg("%s: mu >= %g", algos[k], p.mu);
    }
    struct privacy_seen p = seen_of("sigmoid d=4", "planted-leak-noise C=0.05 T=7",
                                    "n=70 eps=4 delta=1e-5", 12, 4000);
    p.spent = p.lower = p.promise; /* so that the accountants show nothing wrong, and the audit alone decides */
    struct verdict v = judged(&p);
    assert_true(v.word == CONTRADICTED && strstr(v.reason, "audit"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s6_7_effective_mu),
        cmocka_unit_test(v22_whitened),
        cmocka_unit_test(v22_answer),
        cmocka_unit_test(v23_nonconvex),
    };
    return cmocka_run_group_tests_name("accelerated-dp-srgd: audits", tests, begin, end);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_audit_one.c - the audit by one run with many canaries, on a mechanism with a known law: normal noise on a
 * sum in which every canary has a separate direction. Seeds are fixed. */
#include "support/replayed.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

#include "privacy/account.h"
#include "run/audit.h"

enum { D = 2000, M = 100, RUNS = 40 };

/* The method makes two releases of the sum of M gradients +-e_j, each with noise of sd sqrt(2)/MU. A canary moves
 * both sums by 1, which together is mu = MU. The answer depends on no record. With `hidden` there is a third
 * release, whose value the audit does not see. */
#define MU 2.0

static enum status run_known(struct oracle *o, bool hidden, struct arena *w, double *x)
{
    double *g = arena_vec(w, D);
    struct ticket t;
    arena_seal(w);
    if (!oracle_take(o, M, &t))
        return OK;
    for (int k = 0; k < 2 + hidden && gradient(o, &t, x, g); k++) {
        struct release r = { .site = "sum", .norm = NORM_2, .sensitivity = 1, .ticket = &t,
                             .hidden = k == 2 };
        vec_scale(D, M, g);
        noise_gaussian(o, &r, M_SQRT2 / MU, D, g);
    }
    return OK;
}

static enum status run_open(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                            double *x)
{
    return run_known(o, false, w, x);
}

static enum status run_hidden(struct oracle *o, const void *p, struct arena *w, struct rng *rng,
                              double *x)
{
    return run_known(o, true, w, x);
}

static struct audit_one one_run(const struct algo *a, long rep)
{
    struct audit_one out;
    struct why why = { "" };
    struct cell *c = cell_of(a, "problem linear d=%d hardness=0 | algo planted-sgd-twice | goal "
                                "n=%d | run | rep %ld", D, M, rep);
    if (audit_one_run(rn, c, M, 1e-5, &out, &why) != OK)
        fail_msg("%s", why.text);
    cell_free(c);
    return out;
}

static const struct algo open_sum = { .name = "sum", .doc = "a sum", .cite = "none",
                                      .calls = CALL_SAMPLES | CALL_NOISE, .run = run_open,
                                      .adjacency = ADJACENCY_ZERO_OUT };

/* Returns the expected share of right guesses. The log likelihood ratio of a canary is N(+-mu^2/2, mu^2), + if the
 * canary is in. A guess is made for the tenth of the canaries with the largest ratios and for the tenth with the
 * smallest; a right one has the probability P(ratio beyond the threshold | in)/(2 0.1). */
static double share_known(void)
{
    double low = 0, high = 20, at = 0;
    for (int k = 0; k < 60; k++) {
        at = (low + high) / 2;
        double beyond = gsl_cdf_ugaussian_Q((at - MU * MU / 2) / MU) +
                        gsl_cdf_ugaussian_Q((at + MU * MU / 2) / MU);
        if (beyond / 2 > 0.1)
            low = at;
        else
            high = at;
    }
    return gsl_cdf_ugaussian_Q((at - MU * MU / 2) / MU) / 0.2;
}

/* Of 800 guesses from forty runs the share of right ones must be within six standard errors of a binomial. 0.01 is
 * added for the few canaries that share a direction (2.5 pairs of 100 in the mean, a fifth of which are guessed)
 * and for thresholds taken from the sample. A worse score would be noticed: with half of the releases, mu = sqrt 2,
 * the share is 0.04 less. */
static void test_known_mechanism(void **state)
{
    long right = 0, guesses = 0;
    double share = share_known(), eps = account_gaussian_eps(MU, 1e-5);
    for (long rep = 0; rep < RUNS; rep++) {
        struct audit_one one = one_run(&open_sum, rep);
        assert_true(one.white && one.m == M && one.guesses == 20);
        assert_true(one.eps <= eps);
        right += one.right;
        guesses += one.guesses;
    }
    double got = (double)right / (double)guesses;
    double error = sqrt(share * (1 - share) / (double)guesses);
    if (!(fabs(got - share) <= 6 * error + 0.01))
        fail_msg("%.4f of the guesses are right, expected %.4f", got, share);
}

/* With a hidden release the audit guesses by the answers alone. These depend on no record, so that every guess is
 * right with probability 1/2. The share of right ones among 800 guesses is within six standard deviations of
 * 1/2. */
static void test_hidden(void **state)
{
    const struct algo hidden_sum = { .name = "sum", .doc = "a sum", .cite = "none",
                                     .calls = CALL_SAMPLES | CALL_NOISE, .run = run_hidden,
                                     .adjacency = ADJACENCY_ZERO_OUT };
    long right = 0;
    for (long rep = 0; rep < RUNS; rep++) {
        struct audit_one one = one_run(&hidden_sum, rep);
        assert_true(!one.white);
        right += one.right;
    }
    assert_true(labs(right - 400) <= 6 * sqrt(200));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_mechanism),
        cmocka_unit_test(test_hidden),
    };
    return cmocka_run_group_tests_name("audit: one run", tests, begin, end);
}

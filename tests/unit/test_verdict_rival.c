/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_verdict_rival.c - verdicts about rivals and skewed data, from data whose answer is known. The replicates of
 * a point form two sets, those of even and of odd number, and a contradiction needs both. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/expect.h"

static void test_order(void **state)
{
    struct rng r = rng_stream(21);
    struct claim c = claim_of(CHECK_ORDER);
    const double factor[] = { 0.5, 1, 2 };
    const enum word words[] = { SUPPORTED, INCONCLUSIVE, CONTRADICTED };
    for (int deterministic = 0; deterministic < 2; deterministic++)
        for (int k = 0; k < 3; k++) {
            c.deterministic = deterministic;
            make(3, deterministic ? 1 : 16);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < m.point[i].reps; j++) {
                    m.rival[i][j] = sample_lognormal(&r, 1);
                    m.y[i][j] = factor[k] * m.rival[i][j];
                    m.y[i][j] *= deterministic ? 1 : sample_lognormal(&r, 0.2);
                }
            EXPECT(&c, words[k]);
        }
    make(3, 1);
    m.y[0][0] = m.y[1][0] = 0.9;         /* better at two points, equal at the third */
    EXPECT(&c, INCONCLUSIVE);
    m.y[2][0] = INFINITY;
    EXPECT(&c, CONTRADICTED);
    m.y[2][0] = 0.9;
    m.rival[1][0] = NAN;
    EXPECT(&c, SUPPORTED);
    c.deterministic = false;             /* the sign test decides: all 16 runs diverged */
    make(1, 16);
    for (int j = 0; j < 16; j++)
        m.y[0][j] = INFINITY;
    EXPECT(&c, CONTRADICTED);
    make(1, 4);
    m.y[0][0] = m.y[0][1] = m.y[0][2] = m.y[0][3] = INFINITY;
    EXPECT(&c, INCONCLUSIVE);            /* with 2 runs in a set the sign test cannot reach 0.5% */
}

/* The sign test reaches 0.5%, shared by 3 points, in two sets of 10 runs: (1/2)^10 < 0.005/3 < (1/2)^9. */
static void test_signs(void **state)
{
    struct claim c = claim_of(CHECK_ORDER);
    for (int reps = 16; reps <= 20; reps += 2) {
        make(3, reps);
        for (int j = 0; j < reps; j++)
            m.y[1][j] = INFINITY;
        EXPECT(&c, reps == 20 ? CONTRADICTED : INCONCLUSIVE);
        for (int i = 0; i < 3; i += 2)
            for (int j = 0; j < reps; j++)
                m.y[i][j] = 0.5;
        if (reps < 20)
            assert_non_null(strstr(judge(&c).next, "raise --reps to 20"));
    }
    make(1, 4);                          /* support needs 5 wins: (1/2)^5 < 5% < (1/2)^4 */
    for (int j = 0; j < 4; j++)
        m.rival[0][j] = INFINITY;
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).next, "raise --reps to 5:"));
}

/* A claim is supported only if the calibration table, results/baseline/statistics.csv, shows that intervals from
 * such data (spread, skewness and number of runs) cover the truth often enough. */
static void test_gate(void **state)
{
    struct rng r = rng_stream(15);
    struct claim c = claim_of(CHECK_BOUND);
    make(3, 32);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 32; j++)
            m.y[i][j] = 0.2 * sample_lognormal(&r, 0.7);
    EXPECT(&c, SUPPORTED);               /* some row of the table of coverage (skew.h) vouches for 32 log-normal
                                            runs */
    /* The data are quantiles of a Pareto law of index 2.5. First the upper limit is just below the bound, then so
     * far below that it may be stretched 4 times. */
    for (int far = 0; far < 2; far++) {
        static struct fit fit;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 32; j++)
                m.y[i][j] = pow((j + 0.5) / 32, -0.4);
        assert_true(sample_fit(&c, &m, &fit));
        double value = fit.point[0].ratio.value, hi = 0;
        for (int i = 0; i < 3; i++)
            hi = fmax(hi, fit.point[i].ratio.hi);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 32; j++)
                m.y[i][j] *= 0.99 / (far ? value * pow(hi / value, 4) : hi);
        EXPECT(&c, far ? SUPPORTED : INCONCLUSIVE);
        if (!far)
            assert_non_null(strstr(judge(&c).reason, "skew: n = 16, log-sd 0.39 with"));
    }
    make(3, 4);                          /* fewer runs than any row of the table has */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m.y[i][j] = 0.01 * sample_lognormal(&r, 0.2);
    EXPECT(&c, INCONCLUSIVE);
    assert_string_equal(judge(&c).next, "raise --reps to 8");
    c.statistic = STAT_WORST;            /* where every run counts there is no interval */
    EXPECT(&c, SUPPORTED);
}

/* The exponents -1/3 and -1/4 are distinguished with bands of +-1/24, in noise in which the curve of the method or
 * that of the rival alone would not do. Cases with the exponent of the rival, and with one better than promised,
 * are judged too. */
static void test_difference_of_exponents(void **state)
{
    struct rng r = rng_stream(33);
    struct claim c = sample_rate(-1.0 / 12, 1.0 / 24);
    const double exponent[] = { -1.0 / 3, -0.25, -0.5 };
    const enum word words[] = { SUPPORTED, CONTRADICTED, INCONCLUSIVE };
    for (int k = 0; k < 3; k++) {
        make(8, 32);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 32; j++) {
                double f = sample_lognormal(&r, 0.8);
                m.y[i][j] = f * pow(m.point[i].axis, exponent[k]) * sample_lognormal(&r, 0.02);
                m.rival[i][j] = f * pow(m.point[i].axis, -0.25);
            }
        c.than.algo = NULL;
        assert_int_equal(judge(&c).word == SUPPORTED, false);
        c.than.algo = "rival";
        EXPECT(&c, words[k]);
        assert_non_null(strstr(judge(&c).reason, "difference of exponents"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_signs), cmocka_unit_test(test_gate),
        cmocka_unit_test(test_difference_of_exponents),
    };
    return cmocka_run_group_tests_name("verdict_rival", tests, NULL, NULL);
}

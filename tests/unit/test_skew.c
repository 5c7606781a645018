/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_skew.c - which row of the calibration table, results/baseline/statistics.csv, vouches for an interval: every
 * row is asked for, with the answer that the table itself gives. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge/calibrate.h"
#include "judge/skew.h"

static const double stretches[] = { 1.5, 2.5, 5 };

/* Returns the log-sd (the standard deviation of the logarithms) of a row of the calibration table, if the row is
 * the coverage of the interval `law` under noise whose name begins with `family`; else -1. */
static double log_sd_of(const struct calibration *row, const char *law, const char *family)
{
    size_t n = strlen(family);
    bool it_is = !strcmp(row->check, "coverage") && !strcmp(row->law, law) && !strncmp(row->noise, family, n);
    return it_is ? strtod(row->noise + n, NULL) : -1;
}

/* Returns the coverage of that row of `law` and `family` with `reps` replicates whose log-sd is the smallest that
 * is at least `least`; NaN: no such row. */
static double covered(const char *law, const char *family, double least, int reps)
{
    double found = INFINITY, coverage = NAN;
    for (const struct calibration *row = calibration_kept; row->check; row++) {
        double log_sd = log_sd_of(row, law, family);
        if (row->reps == reps && log_sd >= least && log_sd < found) {
            found = log_sd;
            coverage = row->right;
        }
    }
    return coverage;
}

/* Returns the largest coverage among the rows that may vouch for an interval which still supports its claim when it
 * is stretched by the factor `stretch`. */
static double best(enum skew_interval what, const char *family, double log_sd, int reps, double stretch)
{
    double most = NAN;
    for (int k = 0; k < SKEW_STRETCHES; k++)
        if (skew_stretch[k] <= stretch)
            most = fmax(most, covered(skew_law(what, k), family, log_sd, reps));
    return most;
}

static const struct claim rate = { .check = CHECK_RATE, .axis = "n", .measure = "excess", .band = { -0.6, -0.4 } };

/* Returns a fit of one point whose exponent is -0.5, and whose interval stays within the band when it is stretched
 * by the factor `stretch`. lean: the skewness of the logarithms of the data in units of its standard error. */
static struct fit fit_of(double log_sd, double lean, int reps, double stretch)
{
    struct fit fit = { .points = 1, .reps = reps, .negative = -1, .beaten = -1 };
    fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.5, -0.5 - 0.1 / stretch, -0.5 + 0.05 / stretch };
    fit.point[0] = (struct fit_point){ .axis = 16, .reps = reps, .spread = { log_sd, lean } };
    return fit;
}

static struct verdict gated(const struct claim *c, const struct fit *fit)
{
    struct verdict v = { .word = SUPPORTED };
    skew_gate(c, fit, &v);
    return v;
}

/* For each row of the exponent's interval, data with a log-sd slightly below that of the row, and with one
 * replicate more, must be judged by this row, or by that of an interval stretched farther if its coverage is
 * larger. */
static void every_row_of_the_exponent_is_asked(void **state)
{
    int supported = 0, open = 0;
    for (const struct calibration *row = calibration_kept; row->check; row++)
        for (int heavy = 0; heavy < 2; heavy++) {
            const char *family = heavy ? SKEW_PARETO : SKEW_LOGNORMAL;
            double log_sd = log_sd_of(row, skew_law(SKEW_EXPONENT, 0), family);
            for (int k = 0; k < 3 && log_sd > 0; k++) {
                struct fit fit = fit_of(log_sd - 0.001, heavy ? 5 : 0, row->reps + 1, stretches[k]);
                struct verdict v = gated(&rate, &fit);
                double expected = best(SKEW_EXPONENT, family, log_sd, row->reps, stretches[k]);
                char percent[32];
                snprintf(percent, sizeof percent, "in %.3g%%", 100 * expected);
                assert_int_equal(v.word, expected >= SKEW_COVERAGE ? SUPPORTED : INCONCLUSIVE);
                assert_true(v.word == SUPPORTED || strstr(v.reason, percent));
                supported += v.word == SUPPORTED;
                open += v.word == INCONCLUSIVE;
            }
        }
    assert_true(supported > 0 && open > 0);
}

/* If the data are more spread than those of the last row, only the last row of the interval stretched 4 times
 * vouches. */
static void data_beyond_the_table(void **state)
{
    double last = 0;
    for (const struct calibration *row = calibration_kept; row->check; row++)
        last = fmax(last, log_sd_of(row, skew_law(SKEW_EXPONENT, 2), SKEW_LOGNORMAL));
    assert_true(covered(skew_law(SKEW_EXPONENT, 2), SKEW_LOGNORMAL, last, 16) >= SKEW_COVERAGE);
    for (int k = 0; k < 3; k++) {
        struct fit fit = fit_of(1000, 0, 16, stretches[k]);
        struct verdict v = gated(&rate, &fit);
        assert_int_equal(v.word, stretches[k] > 4 ? SUPPORTED : INCONCLUSIVE);
        assert_true(v.word == SUPPORTED || strstr(v.reason, "no row of the table"));
        assert_null(strstr(v.reason, "heavy tail"));
    }
    /* The lean of all points together decides: a lean of 5 at the first of two points, and 0 at the other, is
     * 5/sqrt(2). */
    struct fit fit = fit_of(1000, 5, 16, 1.5);
    fit.points = 2;
    fit.point[1] = fit.point[0];
    fit.point[1].spread.lean = 0;
    assert_non_null(strstr(gated(&rate, &fit).reason, "heavy tail"));
}

/* An upper limit of a ratio is stretched on the log scale until it reaches 1. A ratio below 0 has no logarithm, and
 * is stretched on the plain scale: from -0.5 the distance to 1 is 1.5, and that to the limit 0.4 is 0.9. */
static void ratios_are_stretched_to_one(void **state)
{
    const struct claim bound = { .check = CHECK_BOUND, .axis = "n", .measure = "excess" };
    const double limits[][2] = { { -0.5, 0.4 }, { 0.5, 0.5 * pow(2, 1 / 1.5) } };
    for (int k = 0; k < 2; k++) {
        struct fit fit = fit_of(0.7, 0, 64, 1);
        fit.point[0].ratio = (struct estimate){ limits[k][0], -9, limits[k][1] };
        assert_true(best(SKEW_UPPER, SKEW_LOGNORMAL, 0.7, 64, 1.5) >= SKEW_COVERAGE);
        assert_int_equal(gated(&bound, &fit).word, SUPPORTED);
        fit.point[0].ratio.hi = 1.001;   /* the limit itself is beyond 1, and no row is asked */
        assert_int_equal(gated(&bound, &fit).word, INCONCLUSIVE);
    }
}

/* For each row of the upper limits under heavy tails a ratio of 1/2 is judged whose limit reaches 1 when it is
 * stretched. Where no row that is asked vouches, the reason names the largest coverage of all rows that are asked,
 * also where they belong to two stretches. */
static void every_row_of_heavy_limits_is_asked(void **state)
{
    const struct claim bound = { .check = CHECK_BOUND, .axis = "n", .measure = "excess" };
    int supported = 0, open = 0, of_two = 0;
    for (const struct calibration *row = calibration_kept; row->check; row++) {
        double log_sd = log_sd_of(row, skew_law(SKEW_UPPER, 0), SKEW_PARETO);
        for (int k = 0; k < 3 && log_sd > 0; k++) {
            struct fit fit = fit_of(log_sd - 0.001, 5, row->reps + 1, 1);
            fit.point[0].ratio = (struct estimate){ 0.5, 0.4, 0.5 * pow(2, 1 / stretches[k]) };
            struct verdict v = gated(&bound, &fit);
            double expected = best(SKEW_UPPER, SKEW_PARETO, log_sd, row->reps, stretches[k]);
            char percent[32];
            snprintf(percent, sizeof percent, "in %.3g%%", 100 * expected);
            assert_int_equal(v.word, expected >= SKEW_COVERAGE ? SUPPORTED : INCONCLUSIVE);
            assert_true(v.word == SUPPORTED || strstr(v.reason, percent));
            supported += v.word == SUPPORTED;
            open += v.word == INCONCLUSIVE;
            of_two += v.word == INCONCLUSIVE && expected > row->right;
        }
    }
    assert_true(supported > 0 && open > 0 && of_two > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_exponent_is_asked),
        cmocka_unit_test(every_row_of_heavy_limits_is_asked),
        cmocka_unit_test(data_beyond_the_table),
        cmocka_unit_test(ratios_are_stretched_to_one),
    };
    return cmocka_run_group_tests_name("skew", tests, NULL, NULL);
}

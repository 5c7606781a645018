/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_trend.c - steps and drifts in series whose law is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "rng.h"
#include "nights/trend.h"
#include "pool/yardstick.h"

enum { NIGHTS = 20, TRIALS = 20000 };

/* Returns noise with mean 0 and standard deviation 1. */
static double normal(struct rng *r) { return rng_normal(r); }

/* Returns Student's t with 3 degrees of freedom, a law like that of times of a busy machine. */
static double heavy(struct rng *r)
{
    double z = rng_normal(r), s = 0;
    for (int k = 0; k < 3; k++)
        s += pow(rng_normal(r), 2);
    return z / sqrt(s / 3);
}

static int alarms(int n, double (*noise)(struct rng *), double level, unsigned seed)
{
    struct rng r = rng_stream(seed);
    double y[NIGHTS];
    int found = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int k = 0; k < n; k++)
            y[k] = noise(&r);
        found += trend_of(n, y, level).kind != TREND_NONE;
    }
    return found;
}

/* At level 1% at most 200 of 20000 series raise an alarm on average; 270 or more have probability 1e-6.
 * Neighbouring cuts of a series are correlated, so that the true rate is about a third of the level. Fewer than 20
 * alarms would mean that the level is far too low (with two cuts in 5 nights, where Bonferroni's factor costs
 * least, 100 or more are expected). Tails of three degrees of freedom raise the rate less than twofold. */
static void false_alarms(void **state)
{
    static const int nights[] = { 5, 8, 20 };
    for (int i = 0; i < 3; i++) {
        int n = nights[i], found = alarms(n, normal, 0.01, 21 + i);
        if (found >= 270 || found < (n == 5 ? 100 : 20))
            fail_msg("%d nights: %d alarms", n, found);
        found = alarms(n, heavy, 0.01, 31 + i);
        if (found >= 470)
            fail_msg("%d nights with heavy tails: %d alarms", n, found);
    }
}

static void fill(double y[NIGHTS], double step, int at, double slope, double sd, unsigned seed)
{
    struct rng r = rng_stream(seed);
    for (int k = 0; k < NIGHTS; k++)
        y[k] = (k >= at ? step : 0) + slope * k + sd * rng_normal(&r);
}

/* The times are 30% longer from the 14th night on, and nights differ by 3%. The step is found at exactly that
 * night: the two means differ by 0.26, 19 of their standard errors. */
static void a_step_is_found_where_it_is(void **state)
{
    double y[NIGHTS];
    for (unsigned seed = 0; seed < 100; seed++) {
        fill(y, log(1.3), 13, 0, 0.03, 100 + seed);
        struct trend t = trend_of(NIGHTS, y, 1e-5);
        assert_int_equal(t.kind, TREND_STEP);
        assert_int_equal(t.at, 13);
        assert_true(fabs(t.size - log(1.3)) < 6 * 0.03 * sqrt(1.0 / 13 + 1.0 / 7));
    }
}

/* A series that grows by 2% a night is a drift, not a step. */
static void a_drift_is_no_step(void **state)
{
    double y[NIGHTS];
    for (unsigned seed = 0; seed < 100; seed++) {
        fill(y, 0, 0, 0.02, 0.03, 300 + seed);
        struct trend t = trend_of(NIGHTS, y, 1e-5);
        assert_int_equal(t.kind, TREND_DRIFT);
        assert_true(fabs(t.size - 0.02) < 6 * 0.03 / sqrt((NIGHTS * NIGHTS - 1) * NIGHTS / 12.0));
    }
}

/* A single slow night is no step, however large its deviation is. Four nights are too few for a step. */
static void one_night_is_no_step(void **state)
{
    double y[NIGHTS];
    fill(y, 0, 0, 0, 0.03, 500);
    y[NIGHTS - 1] += 3;
    assert_int_equal(trend_of(NIGHTS, y, 1e-3).kind, TREND_NONE);
    y[7] -= 3;
    assert_int_equal(trend_of(NIGHTS, y, 1e-3).kind, TREND_NONE);
    assert_int_equal(trend_of(4, (double[]){ 0, 0, 1, 1 }, 0.5).kind, TREND_NONE);
    assert_int_equal(trend_of(6, (double[]){ 2, 2, 2, 2, 2, 2 }, 0.5).kind, TREND_NONE);
}

/* Student's t by hand: the nights 0 1 0 | 4 5 4 have means 1/3 and 13/3, and variance 1/3 with 4 degrees of
 * freedom, so that t = 4 sqrt(9/2) = 8.4853. In closed form P(|T| > t) = 1 - (3/2) s + s^3/2 with s = t/sqrt(t^2 +
 * 4). It is multiplied by 3 for the number of cuts, and by 2. */
static void p_is_that_of_student(void **state)
{
    const double y[] = { 0, 1, 0, 4, 5, 4 };
    double t2 = 72, s = sqrt(t2 / (t2 + 4)), p = 1 - s * (1.5 - 0.5 * s * s);
    struct trend t = trend_of(6, y, 0.05);
    assert_int_equal(t.kind, TREND_STEP);
    assert_int_equal(t.at, 3);
    assert_true(fabs(t.size - 4) < 1e-12);
    assert_true(fabs(t.p - 6 * p) < 1e-10);
}

/* --- the yardstick: the same work takes the same time, and the median ignores a few outliers */

static void yardstick(void **state)
{
    static struct yardstick y;
    assert_true(isnan(yardstick_seconds(&y)));
    yardstick_begin(&y);
    double once = yardstick_seconds(&y);
    assert_true(once > 1e-5 && once < 0.1);
    long before = y.samples;
    yardstick_tick(&y);                      /* nothing is measured, as a second has not passed */
    assert_int_equal(y.samples, before);
    for (int k = 0; k < 5; k++)
        y.sample[k] = k < 3 ? 2 : 1e9;
    y.samples = 5;
    assert_true(yardstick_seconds(&y) == 2);
    y.samples = 4;
    y.sample[0] = 1;
    assert_true(yardstick_seconds(&y) == 2);
    for (int k = 0; k < YARDSTICK_ROOM; k++)
        y.sample[k] = 7;
    y.samples = 10L * YARDSTICK_ROOM + 3;    /* the buffer has been reused many times */
    assert_true(yardstick_seconds(&y) == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms), cmocka_unit_test(a_step_is_found_where_it_is),
        cmocka_unit_test(a_drift_is_no_step), cmocka_unit_test(one_night_is_no_step),
        cmocka_unit_test(p_is_that_of_student), cmocka_unit_test(yardstick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

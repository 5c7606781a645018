/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_verdict.c - the truth table of the verdicts, from data whose answer is known. The replicates of a point form
 * two sets, those of even and of odd number, and a contradiction needs both; the points of a window form two
 * halves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/expect.h"

static struct claim rate(double exponent, bool deterministic)
{
    struct claim c = sample_rate(exponent, 0.1);
    c.deterministic = deterministic;
    return c;
}

/* Sets y = axis^exponent exp(square u^2) times noise of the given log-sd, where u is the log of the axis. */
static void power_data(struct rng *r, double exponent, double square, double sd)
{
    for (int i = 0; i < m.s.points; i++) {
        double u = log(m.point[i].axis);
        for (int j = 0; j < m.point[i].reps; j++)
            m.y[i][j] = exp(exponent * u + square * u * u) * (sd > 0 ? sample_lognormal(r, sd) : 1);
    }
}

/* --- flaws, which come before any check */
static void test_flaws(void **state)
{
    const enum check checks[] = { CHECK_COUNT, CHECK_BOUND, CHECK_RATE, CHECK_ORDER };
    for (int k = 0; k < 4; k++) {
        struct claim c = claim_of(checks[k]);
        make(0, 0);
        EXPECT(&c, NOT_RUN);
        make(4, 0);
        EXPECT(&c, NOT_RUN);
        make(4, 4);
        m.point[2].missing = 1;
        m.y[0][0] = INFINITY;            /* a missing run, as after a crash, is a graver flaw than an infinite y */
        EXPECT(&c, INCONCLUSIVE);
        assert_non_null(strstr(judge(&c).reason, "n = 64"));
        make(4, 4);
        m.point[3].reps = 0;
        EXPECT(&c, INCONCLUSIVE);
        c.deterministic = true;
        make(4, 2);
        m.y[1][1] = 2;
        EXPECT(&c, INCONCLUSIVE);
        make(4, 2);
        m.s.nonnegative = true;
        m.y[1][0] = m.y[1][1] = -0.5;
        EXPECT(&c, SUSPECT);
        make(4, 1);
        for (int i = 0; i < 4; i++) {
            m.lower[i][0] = i == 2 ? 1.1 : 0.9;
            m.point[i].lower = m.lower[i];
        }
        EXPECT(&c, SUSPECT);
    }
    make(3, 3);
    m.formula[1][1] = NAN;
    struct claim c = claim_of(CHECK_COUNT);
    EXPECT(&c, INCONCLUSIVE);
    c.check = CHECK_BOUND;
    EXPECT(&c, INCONCLUSIVE);
    m.formula[1][1] = -1;
    EXPECT(&c, INCONCLUSIVE);
    /* The y of a rate was divided by its formula, which must be positive. */
    c = rate(1, false);
    for (int k = 0; k < 4; k++) {
        make(3, 3);
        for (int j = 0; j < 3; j++) {
            m.formula[0][j] = (const double[]){ 0, -1, NAN, INFINITY }[k];
            m.y[0][j] /= m.formula[0][j];
        }
        EXPECT(&c, INCONCLUSIVE);
        assert_string_equal(judge(&c).reason, "the formula has no usable value at n = 16");
        assert_non_null(strstr(judge(&c).next, "a window"));
    }
    c.check = CHECK_PRIVATE;
    EXPECT(&c, NOT_RUN);
}

static void test_count(void **state)
{
    struct claim c = claim_of(CHECK_COUNT);
    make(4, 2);
    for (int i = 0; i < 4; i++)
        m.y[i][0] = m.y[i][1] = m.formula[i][0] = m.formula[i][1] = 3e9 + i;
    m.s.queries = true;
    EXPECT(&c, SUPPORTED);
    m.y[2][1] += 1;                      /* one query too many in three thousand million */
    EXPECT(&c, CONTRADICTED);
    c.tolerance = 1e-9;
    EXPECT(&c, SUPPORTED);
    c.tolerance = 0;
    m.y[1][0] -= 1;
    EXPECT(&c, SUSPECT);
    m.s.queries = false;
    EXPECT(&c, CONTRADICTED);
    m.y[1][0] += 1;
    m.y[2][1] = NAN;
    EXPECT(&c, CONTRADICTED);
    m.formula[2][1] = m.y[2][1] = 0;
    EXPECT(&c, SUPPORTED);
    c.tolerance = 0.1;                   /* the reason names the larger of the two deviations, 4% below and 2% above
                                            the formula */
    m.y[0][0] = 3e9 * 0.96;
    m.y[0][1] = 3e9 * 1.02;
    assert_non_null(strstr(judge(&c).reason, "within 0.04 of the formula"));
    m.y[0][0] = m.y[0][1] = 3e9;
    c.tolerance = 0;
    m.y[2][1] = 1;
    EXPECT(&c, CONTRADICTED);

    const double unknown[2] = { 0, INFINITY };   /* the optimum of one run is not certified */
    make(4, 2);
    m.point[1].error = unknown;
    EXPECT(&c, INCONCLUSIVE);
    m.y[1][0] = 2;
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).next, "an optimum that is certified"));
    m.y[2][0] = 2;                       /* this point is certified */
    EXPECT(&c, CONTRADICTED);
}

static void test_bound(void **state)
{
    struct claim c = claim_of(CHECK_BOUND);
    c.deterministic = true;
    make(3, 1);
    EXPECT(&c, SUPPORTED);               /* y is equal to the bound */
    m.y[1][0] = 1 + 1e-11;               /* rounding of a long run */
    EXPECT(&c, SUPPORTED);
    m.y[1][0] = 1 + 1e-7;
    EXPECT(&c, CONTRADICTED);
    const double error = 1e-6;           /* y is known only up to this error, so that it may be within the bound */
    m.point[1].error = &error;
    EXPECT(&c, INCONCLUSIVE);
    m.y[1][0] = 1 - 1e-7;                /* within the error the claim may hold or not */
    EXPECT(&c, INCONCLUSIVE);
    const double unknown = INFINITY;     /* without a certificate the truth is not known at all */
    m.point[1].error = &unknown;
    m.y[1][0] = 1e-3;
    EXPECT(&c, INCONCLUSIVE);
    m.y[1][0] = NAN;
    EXPECT(&c, CONTRADICTED);

    c.deterministic = false;
    c.every_mark = true;                 /* one value above the bound is enough */
    make(3, 16);
    EXPECT(&c, SUPPORTED);
    m.y[2][7] = 1.01;
    EXPECT(&c, CONTRADICTED);
    c.every_mark = false;
    c.statistic = STAT_WORST;
    EXPECT(&c, CONTRADICTED);
}

static void test_bound_in_the_mean(void **state)
{
    struct rng r = rng_stream(8);
    struct claim c = claim_of(CHECK_BOUND);
    const double ratio[] = { 0.3, 1, 3 };
    const enum word words[] = { SUPPORTED, INCONCLUSIVE, CONTRADICTED };
    for (int k = 0; k < 3; k++) {
        make(4, 16);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 16; j++)
                m.y[i][j] = ratio[k] * sample_lognormal(&r, 0.3);
        if (words[k] != INCONCLUSIVE)
            EXPECT(&c, words[k]);
        else                             /* at the bound: any verdict but a contradiction */
            assert_int_not_equal(judge(&c).word, CONTRADICTED);
    }
    make(4, 16);
    m.y[3][0] = 1.5;                     /* mean 1.03 at one point, in one set only */
    EXPECT(&c, INCONCLUSIVE);
    m.y[3][0] = INFINITY;
    EXPECT(&c, CONTRADICTED);
    c.statistic = STAT_MEDIAN;           /* a single run does not change a median */
    EXPECT(&c, SUPPORTED);
    make(4, 16);
    for (int j = 0; j < 16; j++)
        m.y[2][j] = 2;
    EXPECT(&c, INCONCLUSIVE);            /* 8 runs in a set give no limit of a median at the level 0.5%/4 */
    make(1, 1);
    c.statistic = STAT_MEAN;
    m.y[0][0] = 0.5;
    EXPECT(&c, INCONCLUSIVE);            /* with one run there is no spread */
    assert_string_equal(judge(&c).next, "raise --reps to 8");

    /* The claim also has a lower bound on the mean. The mean is above it at first, then above it but for one run,
     * then far below it in both sets. */
    make(2, 16);
    for (int i = 0; i < 2; i++) {
        m.point[i].lower = m.lower[i];
        for (int j = 0; j < 16; j++) {
            m.lower[i][j] = 0.8;
            m.y[i][j] = 0.85 * sample_lognormal(&r, 0.1);
        }
    }
    EXPECT(&c, SUPPORTED);
    m.lower[1][3] = 1;                   /* one run below its lower bound is no suspicion */
    EXPECT(&c, SUPPORTED);
    for (int j = 0; j < 16; j++)
        m.lower[1][j] = 2;
    EXPECT(&c, SUSPECT);
}

static void test_rate_exact(void **state)
{
    struct claim c = rate(-0.5, true);
    make(6, 1);
    power_data(NULL, -0.5, 0, 0);
    EXPECT(&c, SUPPORTED);
    power_data(NULL, -1, 0, 0);
    EXPECT(&c, INCONCLUSIVE);            /* the slope is better than promised */
    assert_non_null(strstr(judge(&c).reason, "does not saturate"));
    power_data(NULL, 0.25, 0, 0);
    EXPECT(&c, CONTRADICTED);
    c.band[1] = INFINITY;                /* a one-sided band */
    EXPECT(&c, SUPPORTED);
    power_data(NULL, -1, 0, 0);          /* the slope is below the only edge of the band */
    EXPECT(&c, CONTRADICTED);
    c.band[1] = -0.4;
    power_data(NULL, -0.1, -0.03, 0);    /* local slopes go from -0.27 to -0.47, and one half is inside the band */
    EXPECT(&c, INCONCLUSIVE);
    power_data(NULL, -0.1, -0.03, 0);
    assert_non_null(strstr(judge(&c).reason, "curved"));
    power_data(NULL, 0, 0.05, 0);        /* the slopes are curved too, but outside of the band everywhere: this
                                            contradicts all the same */
    EXPECT(&c, CONTRADICTED);
    power_data(NULL, 0.6, -0.05, 0);     /* local slopes go from 0.32 to -0.02, toward the band */
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).reason, "on its way there"));
    power_data(NULL, -1, -0.05, 0);
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).reason, "does not saturate"));
    power_data(NULL, -0.39, -0.001, 0);  /* the exponent is at the edge of the band, with the halves on different
                                            sides */
    EXPECT(&c, INCONCLUSIVE);
    make(2, 1);
    EXPECT(&c, INCONCLUSIVE);
    make(6, 1);
    power_data(NULL, -0.5, 0, 0);
    double error = m.y[5][0] / 11;       /* the error is small compared with y, then it is not */
    m.point[5].error = &error;
    EXPECT(&c, SUPPORTED);
    error = m.y[5][0] / 9;
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).reason, "times its error"));
    m.point[5].error = NULL;
    m.y[4][0] = 0;
    EXPECT(&c, INCONCLUSIVE);
    m.y[4][0] = INFINITY;                /* y is infinite at this point, and finite again at the last one */
    EXPECT(&c, INCONCLUSIVE);
    m.y[5][0] = NAN;
    EXPECT(&c, CONTRADICTED);
    c.band[1] = INFINITY;                /* without an upper edge of the band an infinite y does not contradict */
    EXPECT(&c, INCONCLUSIVE);
    c.law = (struct law){ .form = LAW_LOG, .exponent = { 1 } };
    c.band[0] = 0.5, c.band[1] = 1.5;
    for (int i = 0; i < 6; i++)
        m.y[i][0] = log(m.point[i].axis);
    EXPECT(&c, SUPPORTED);
    power_data(NULL, 0.5, 0, 0);         /* a power of n is no logarithm */
    EXPECT(&c, CONTRADICTED);
}

static void test_rate_random(void **state)
{
    struct rng r = rng_stream(12);
    struct claim c = rate(-0.5, false);
    make(6, 16);
    power_data(&r, -0.5, 0, 0.1);
    EXPECT(&c, SUPPORTED);
    power_data(&r, -1, 0, 0.1);
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).reason, "does not saturate"));
    power_data(&r, 0, 0, 0.1);
    EXPECT(&c, CONTRADICTED);
    power_data(&r, -0.5, 0, 0.7);        /* the slope is as promised, with a standard error of 0.07, which is too
                                            large */
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).next, "raise --reps to "));
    power_data(&r, -0.65, 0, 0.3);       /* the slope is outside of the band, but not in both sets of both halves */
    EXPECT(&c, INCONCLUSIVE);
    power_data(&r, 0.1, -0.06, 0.05);
    EXPECT(&c, INCONCLUSIVE);
    assert_non_null(strstr(judge(&c).reason, "curved"));

    c.law = (struct law){ .form = LAW_SUM, .terms = 2, .named = 0, .exponent = { -0.5, 0 } };
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 16; j++)
            m.y[i][j] = (pow(m.point[i].axis, -0.5) + 0.01) * sample_lognormal(&r, 0.01);
    EXPECT(&c, SUPPORTED);
    power_data(&r, 0.5, 0, 0.02);
    EXPECT(&c, CONTRADICTED);
}

/* Checks on which side of the promised exponent a slope is worse: a promise e is compared with slopes e - 0.5 and
 * e + 0.5 along each axis. */
static void test_worse_side(void **state)
{
    static const struct { const char *axis; bool falls; int worse; } cases[] = {
        { "n", false, +1 }, { "kappa", false, +1 }, { "n", true, -1 },
        { "acc", false, -1 }, { "acc", true, -1 }, { "eps", false, -1 } };
    for (int k = 0; k < 6; k++)
        for (int side = -1; side <= 1; side += 2) {
            struct claim c = rate(-2, true);
            c.axis = cases[k].axis;
            make(6, 1);
            for (int i = 0; i < 6; i++)
                m.point[i].axis = ldexp(1, cases[k].falls ? 9 - i : 4 + i);
            power_data(NULL, -2 + 0.5 * side, 0, 0);
            EXPECT(&c, side == cases[k].worse ? CONTRADICTED : INCONCLUSIVE);
        }
}

/* If noise may hide a bend of three times the width of the band, the claim is not supported. Here the exponent is
 * -0.5 +- 0.01, and the change of the local slope is 0.1, known to +-0.4 or to +-0.6. */
static void test_hidden_bend(void **state)
{
    struct claim c = rate(-0.5, false);
    struct fit fit = { .points = 6, .reps = 64, .negative = -1, .beaten = -1 };
    for (int wide = 0; wide < 2; wide++) {
        double half = wide ? 0.6 : 0.4;
        fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.5, -0.51, -0.49 };
        fit.rate.part[LAW_BEND] = (struct estimate){ 0.1, 0.1 - half, 0.1 + half };
        for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++)
            fit.rate.strict[0][part] = fit.rate.strict[1][part] = (struct estimate){ -0.5, -0.52, -0.48 };
        for (int i = 0; i < 6; i++)
            fit.point[i] = (struct fit_point){ .axis = i + 1, .reps = 64 };
        assert_int_equal(verdict_alone(&c, &fit).word, wide ? INCONCLUSIVE : SUPPORTED);
    }
    /* 64 (0.6/0.5)^2 = 92.2 replicates are raised to an even number. */
    assert_string_equal(verdict_alone(&c, &fit).next, "raise --reps to 94");
    fit.rate.part[LAW_BEND] = (struct estimate){ -0.1, -0.7, 0.5 };      /* a bend to the other side */
    assert_string_equal(verdict_alone(&c, &fit).next, "raise --reps to 94");
    c.band[0] = -INFINITY;               /* a band without a lower edge has no width that a bend could exceed */
    assert_int_equal(verdict_alone(&c, &fit).word, SUPPORTED);
}

/* The number N of replicates that is proposed must be enough, as the width of the interval falls like 1/sqrt(N). */
static void test_next_reps(void **state)
{
    struct claim c = rate(-0.5, false);
    struct fit fit = { .points = 6, .reps = 8, .negative = -1, .beaten = -1 };
    for (int set = 0; set < 2; set++)
        for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++)
            fit.rate.strict[set][part] = (struct estimate){ -0.5, -0.9, -0.1 };
    fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.5, -0.7, -0.3 };
    assert_string_equal(verdict_alone(&c, &fit).next, "raise --reps to 32");
    fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.6, -0.8, -0.4 };
    c.band[0] = -0.6;                    /* the exponent is on the edge */
    assert_non_null(strstr(verdict_alone(&c, &fit).next, "too close to the edge for replicates"));
    /* The slope is outside by 0.2 in the nearer half; the strict intervals have half-width 0.4. */
    fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.1, -0.5, 0.1 };
    fit.rate.part[LAW_FIRST_HALF] = (struct estimate){ 0, -1, 1 };
    fit.rate.part[LAW_SECOND_HALF] = (struct estimate){ -0.2, -1, 1 };
    assert_string_equal(verdict_alone(&c, &fit).next, "raise --reps to 32");
    /* Of the two sets that with the wider interval decides: from half-width 0.8 to 0.2 takes 8 (0.8/0.2)^2 = 128
     * replicates. */
    for (int set = 0; set < 2; set++) {
        struct estimate *s = &fit.rate.strict[set][LAW_FIRST_HALF];
        *s = (struct estimate){ -0.5, -1.3, 0.3 };
        assert_string_equal(verdict_alone(&c, &fit).next, "raise --reps to 128");
        *s = (struct estimate){ -0.5, -0.9, -0.1 };
    }
    fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.7, -0.9, -0.5 };  /* the slope is better than promised: more
                                                                             replicates would decide nothing */
    assert_string_equal(verdict_alone(&c, &fit).next, "a harder instance");
}

/* Checks the number of replicates that is proposed for a ratio and for a zone. A ratio of 1.1 is above 1 by half of
 * the distance to its lower limits, which takes 8 2^2 replicates. For a mean in a zone of +-0.1 the limit that
 * sticks out farther counts: one 0.25 from the mean 0 takes 8 (0.25/0.1)^2 replicates, and one 0.2 from the mean
 * 0.05 takes 8 (0.2/0.05)^2. */
static void test_next_reps_of_limits(void **state)
{
    struct claim c = claim_of(CHECK_BOUND);
    struct fit fit = { .points = 2, .reps = 8, .negative = -1, .beaten = -1 };
    for (int i = 0; i < 2; i++)
        fit.point[i] = (struct fit_point){
            .axis = 16 << i, .reps = 8, .ratio = { 1.1, 0.9, 1.3 }, .above = { 0.9, 1.05 },
        };
    assert_string_equal(verdict_alone(&c, &fit).next, "raise --reps to 32");
    assert_non_null(strstr(verdict_alone(&c, &fit).reason, "n = 16:"));  /* the first of equal points is named */

    static const struct { struct estimate off; const char *next; } zones[] = {
        { { 0, -0.2, 0.25 }, "raise --reps to 50" },
        { { 0, -0.25, 0.2 }, "raise --reps to 50" },
        { { 0.05, -0.15, 0.25 }, "raise --reps to 128" },
        { { -0.05, -0.25, 0.15 }, "raise --reps to 128" },
    };
    c = claim_of(CHECK_MOMENT);
    c.sense = SENSE_EQUAL;
    fit.points = 1;
    for (size_t k = 0; k < sizeof zones / sizeof *zones; k++) {
        fit.point[0].zone = (struct fit_zone){
            .margin = 0.1, .off = zones[k].off, .set = { { 0, -1, 1 }, { 0, -1, 1 } }, .outside = 1,
        };
        assert_string_equal(verdict_alone(&c, &fit).next, zones[k].next);
        assert_non_null(strstr(verdict_alone(&c, &fit).reason, "off the formula"));
    }
}

/* A contradiction needs limits beyond the bound or band in both sets of replicates, and for a rate in every part of
 * the window. */
static void test_both_sets(void **state)
{
    struct claim c = claim_of(CHECK_BOUND);
    struct fit fit = { .points = 1, .reps = 8, .negative = -1, .beaten = -1 };
    struct fit_point *p = &fit.point[0];
    for (int both = 0; both < 4; both++) {
        int a = both & 1, b = both >> 1;
        enum word word = a && b ? CONTRADICTED : INCONCLUSIVE;
        *p = (struct fit_point){
            .ratio = { 1.1, 0.9, 1.3 }, .above = { 0.9 + 0.2 * a, 0.9 + 0.2 * b },
        };
        c.check = CHECK_BOUND;
        assert_int_equal(verdict_alone(&c, &fit).word, word);
        c.check = CHECK_ORDER;
        assert_int_equal(verdict_alone(&c, &fit).word, word);
        for (int set = 0; set < 2; set++)
            for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++)
                fit.rate.strict[set][part].lo = (set ? b : a) ? -0.39 : -0.41;
        struct claim r = rate(-0.5, false);
        fit.rate.part[LAW_EXPONENT] = (struct estimate){ -0.2, -0.3, -0.1 };
        assert_int_equal(verdict_alone(&r, &fit).word, word);
    }
    struct claim r = rate(-0.5, false);
    for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++) {
        fit.rate.strict[0][part].lo = -0.41;     /* all is outside of the band but this part in one set */
        assert_int_equal(verdict_alone(&r, &fit).word, INCONCLUSIVE);
        fit.rate.strict[0][part].lo = -0.39;
        assert_int_equal(verdict_alone(&r, &fit).word, CONTRADICTED);
    }
    *p = (struct fit_point){ .reps = 8, .ratio = { 0.5, 0.3, 0.99 }, .above = { 0.2, 0.2 } };
    assert_int_equal(verdict_alone(&c, &fit).word, SUPPORTED);
    p->ratio.hi = 1.01;
    assert_int_equal(verdict_alone(&c, &fit).word, INCONCLUSIVE);
    p->ratio.hi = 1;                     /* an order is strict, a bound is not */
    assert_int_equal(verdict_alone(&c, &fit).word, INCONCLUSIVE);
    c.check = CHECK_BOUND;
    assert_int_equal(verdict_alone(&c, &fit).word, SUPPORTED);
}

static void test_control(void **state)
{
    for (int own = NOT_RUN; own <= SUSPECT; own++)
        for (int other = -1; other <= SUSPECT; other++) {
            struct verdict v = { .word = (enum word)own }, control = { .word = (enum word)other };
            struct verdict both = verdict_with_control(&v, other < 0 ? NULL : &control);
            bool caught = other == CONTRADICTED || other == SUSPECT;
            assert_int_equal(both.word, own == SUPPORTED && !caught ? INCONCLUSIVE : own);
            if (other >= 0)
                assert_int_equal(verdict_caught(&control), caught);
        }
    struct verdict v = { .word = SUPPORTED };
    assert_string_equal(verdict_with_control(&v, NULL).reason, "control not run");
    assert_non_null(strstr(verdict_with_control(&v, &v).reason, "control missed"));
    assert_string_equal(verdict_word(SUSPECT), "SUSPECT");
    assert_string_equal(verdict_word(NOT_RUN), "NOT_RUN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flaws),       cmocka_unit_test(test_count),
        cmocka_unit_test(test_bound),       cmocka_unit_test(test_bound_in_the_mean),
        cmocka_unit_test(test_rate_exact),  cmocka_unit_test(test_rate_random),
        cmocka_unit_test(test_worse_side),  cmocka_unit_test(test_hidden_bend),
        cmocka_unit_test(test_next_reps),   cmocka_unit_test(test_next_reps_of_limits),
        cmocka_unit_test(test_both_sets),   cmocka_unit_test(test_control),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}

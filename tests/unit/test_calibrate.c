/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_calibrate.c - the committed table of coverage, false alarms and power (results/baseline/statistics.csv) is
 * what this program measures, and agrees with probabilities in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "judge/calibrate.h"
#include "report/report.h"
#include "support/shell.h"

static const struct calibration *kept(int row)
{
    return &calibration_kept[row];
}

static bool is(const struct calibration *k, const char *check, const char *law)
{
    return strcmp(k->check, check) == 0 && strcmp(k->law, law) == 0;
}

static int row_of(const char *check, const char *law, const char *noise)
{
    for (int k = 0; k < calibrate_rows(); k++) {
        struct calibration c = calibrate_plan(k);
        if (is(&c, check, law) && strcmp(c.noise, noise) == 0)
            return k;
    }
    fail_msg("no row %s, %s, %s", check, law, noise);
    return -1;
}

/* Is this row of the calibration table about the slope of a rate near the edge of its band? */
static bool is_edge(const struct calibration *c)
{
    return strcmp(c->check, "control") == 0 || strcmp(c->check, "contradiction") == 0 ||
           strcmp(c->check, "support") == 0;
}

/* Every row is in the table, in order, with the program's number of trials, and its mark, "good" or "poor", follows
 * from its numbers. */
static void table_is_of_this_program(void **state)
{
    int claims[3] = { 0, 0, 0 };
    for (int k = 0; k < calibrate_rows(); k++) {
        struct calibration now = calibrate_plan(k);
        const struct calibration *c = kept(k);
        assert_non_null(c->check);
        assert_true(is(c, now.check, now.law));
        assert_string_equal(c->noise, now.noise);
        assert_string_equal(c->truth, now.truth);
        assert_true(c->reps == now.reps && c->trials == now.trials);
        assert_true(c->right >= 0 && c->wrong >= 0 && c->right + c->wrong <= 1 + 1e-4);
        assert_null(strchr(c->law, ','));
        if (!is_edge(c)) {
            double most = *c->truth == '-' ? 0.07 : *c->truth == 't' ? 0.01 : 0.05;
            assert_string_equal(c->mark, c->wrong <= most + 1e-9 ? "good" : "poor");
        }
        if (*c->truth != '-')
            claims[*c->check == 'r' ? 0 : *c->check == 'b' ? 1 : 2] += c->trials;
    }
    assert_null(kept(calibrate_rows())->check);
    for (int check = 0; check < 3; check++)
        assert_true(claims[check] >= 10000);
}

/* The table must keep its promises. A true claim is contradicted in less than 1% of cases, for any data. Of the
 * false claims on bounds and orders at most 5% are supported, unless runs diverge in one case of ten. The upper
 * limits at 8 points hold together in at least 93% of cases, if the data are log-normal. */
static void false_alarms_are_as_rare_as_promised(void **state)
{
    for (int k = 0; k < calibrate_rows(); k++) {
        const struct calibration *c = kept(k);
        if (*c->truth == 't')
            assert_true(c->wrong < 0.01);
        if (*c->truth == 'f' && *c->check != 'r' && !is_edge(c) && !strstr(c->law, "10% diverge"))
            assert_string_equal(c->mark, "good");
        if (strcmp(c->law, "upper limits at 8 points (95% together)") == 0 && *c->noise == 'l')
            assert_string_equal(c->mark, "good");
    }
}

/* Exact upper limits at 95% hold for the rows about slopes at the edge of the band. A control whose slope is not
 * beyond the band is caught in at most one case of a thousand, whatever its noise and its number of replicates. A
 * true claim is contradicted in at most one of ten thousand, and a false one supported in at most one of a
 * thousand. (If none of n trials was wrong, the limit is 1 - 0.05^(1/n).) With 16 replicates or more, a control
 * 0.15 beyond the band is caught in at least 90% of cases at every noise of the table but log-sd 0.2. */
static void edges_keep_their_exact_limits(void **state)
{
    int rows = 0;
    for (int k = 0; k < calibrate_rows(); k++) {
        const struct calibration *c = kept(k);
        if (!is_edge(c))
            continue;
        rows++;
        bool beyond = is(c, "control", "0.15 beyond the edge");
        double most = strcmp(c->check, "contradiction") == 0 ? 1e-4 : 1e-3, events = rint(c->wrong * c->trials);
        if (!beyond)             /* the largest p for which so few events have a probability of at least 5% is below
                                    `most` */
            assert_true(gsl_cdf_binomial_P((unsigned)events, most, (unsigned)c->trials) <= 0.05);
        else if (c->reps >= 16 && strcmp(c->noise, "log-sd 0.2"))
            assert_true(c->right >= 0.9);
        assert_string_equal(c->mark, beyond ? (c->right >= 0.9 ? "good" : "poor") : "good");
    }
    assert_true(rows > 80);
    assert_true(fabs(calibrate_most(0, 1000) - (1 - pow(0.05, 1e-3))) < 1e-12);
}

/* Checks a share of trials against the truth. The tolerance is 5 standard errors, plus 4 cases, since a share may
 * be of a few cases only. */
static void assert_share(const struct calibration *c, double share, double truth)
{
    double room = 5 * sqrt(truth * (1 - truth) / c->trials) + 4.0 / c->trials;
    if (fabs(share - truth) > room)
        fail_msg("%s, %s, %s: %g instead of %g +- %g", c->check, c->law, c->noise, share, truth,
                 room);
}

/* Returns the row of the table computed anew from the same seed. Its numbers are those of the table; with another
 * libm one trial in a thousand may differ. */
static struct calibration again(int row)
{
    struct calibration c = calibrate_row(row, 0, CALIBRATE_SEED);
    double room = 0.001 + 5e-5;
    if (fabs(c.right - kept(row)->right) > room || fabs(c.wrong - kept(row)->wrong) > room)
        fail_msg("%s, %s, %s: %g right and %g wrong, the table has %g and %g", c.check, c.law,
                 c.noise, c.right, c.wrong, kept(row)->right, kept(row)->wrong);
    return c;
}

/* If runs diverge, the check `order` uses the sign test: at each point it counts the replicates in which the method
 * loses to its rival. It contradicts if each of two sets of m replicates has so many losses that a fair coin has as
 * many with probability 0.5%/3 at most. The probability of a loss has a closed form: 80% of the runs diverge and
 * lose; of the others those lose in which half of the method's noise exceeds the noise of the rival (a normal
 * probability for log-normal noise, 1/3 for exponential noise). There are 4 comparisons at 5 standard errors: a
 * false alarm has probability 2e-6. */
static void order_by_sign_has_its_exact_power(void **state)
{
    static const struct { const char *noise; double log_sd; } rows[] = {
        { "log-sd 0.3", 0.3 }, { "log-sd 0.7", 0.7 }, { "log-sd 1.5", 1.5 }, { "exponential", 0 } };
    for (int k = 0; k < 4; k++) {
        struct calibration c = again(row_of("order", "half the rival but diverges in 80%",
                                            rows[k].noise));
        double sd = sqrt(2) * rows[k].log_sd;
        double loses = 0.8 + 0.2 * (sd > 0 ? gsl_cdf_ugaussian_P(log(0.5) / sd) : 1.0 / 3);
        unsigned m = (unsigned)c.reps / 2, needed = 0;
        while (needed <= m && (needed ? gsl_cdf_binomial_Q(needed - 1, 0.5, m) : 1) > 0.005 / 3)
            needed++;
        double set = needed > m ? 0 : gsl_cdf_binomial_Q(needed - 1, loses, m);
        assert_share(&c, c.right, set * set);
        assert_true((needed > m) == (c.reps == 16));
    }
}

/* The cheapest rows of the table for each interval and check are computed anew as a whole, so that a change of a
 * level or an error is noticed. */
static void the_same_seed_gives_the_same_table(void **state)
{
    static const struct { const char *check, *law, *noise; } rows[] = {
        { "coverage", "mean (95%)", "log-sd 1.5" },
        { "coverage", "exponent of a rate (95%)", "log-sd 0.7" },
        { "coverage", "upper limits at 8 points stretched 4 times", "log-sd 2.2" },
        { "coverage", "difference of exponents (95%)", "log-sd 0.3" },
        { "rate", "power: the rival exponent 0", "log-sd 0.7 in 3 rounds" },
        { "rate", "curved but inside the band everywhere", "Student 3" },
        { "bound", "twice the bound at one point of 3", "exponential" },
        { "control", "0.15 beyond the edge", "log-sd 0.1" },
    };
    for (int k = 0; k < 8; k++)
        again(row_of(rows[k].check, rows[k].law, rows[k].noise));
}

/* A single infinite y contradicts a bound; in that row of the table a run diverges with probability 0.1. A rate is
 * contradicted if each of the two sets of replicates has an infinite y; there the probability is 0.5. */
static void divergence_is_seen_as_often_as_it_is_drawn(void **state)
{
    for (int k = 0; k < calibrate_rows(); k++) {
        const struct calibration *c = kept(k);
        double set = 1 - pow(0.5, c->reps / 2);
        if (strstr(c->noise, "rounds"))
            continue;
        if (is(c, "bound", "half the bound but 10% diverge at one point"))
            assert_share(c, c->right, 1 - pow(0.9, c->reps));
        if (is(c, "rate", "diverges where much is promised"))
            assert_share(c, c->right, set * set);
    }
}

/* A part of the trials of every row that is not too slow is made from another seed, and compared with the table.
 * Shares of two runs differ by 6 standard errors with probability 2e-9; in some 300 comparisons one does so with
 * probability 6e-7. */
static void other_seeds_say_the_same(void **state)
{
    const double seconds = 0.003;
    long drawn = 0, alarms = 0, compared = 0;
    for (int k = 0; k < calibrate_rows(); k++) {
        const struct calibration *c = kept(k);
        int trials = (int)fmin(c->trials, c->trials * seconds / calibrate_cost(k));
        if (trials < 10)
            continue;
        struct calibration now = calibrate_row(k, trials, CALIBRATE_SEED + 1);
        double share[2][2] = { { c->right, now.right }, { c->wrong, now.wrong } };
        for (int i = 0; i < 2; i++) {
            double all = c->trials + trials;
            double p = (share[i][0] * c->trials + share[i][1] * trials + 1) / (all + 2);
            double room = 6 * sqrt(p * (1 - p) * (1.0 / trials + 1.0 / c->trials)) + 2.0 / trials;
            if (fabs(share[i][0] - share[i][1]) > room)
                fail_msg("row %d, %s, %s, %s: %g in the table, %g +- %g now", k, c->check, c->law,
                         c->noise, share[i][0], share[i][1], room);
        }
        if (*c->truth == '-' && strcmp(c->mark, "good") == 0)
            assert_true(now.right >= 0.93 - 6 * calibrate_error(0.93, trials));
        if (*c->truth == 't') {
            drawn += trials;
            alarms += lround(now.wrong * trials);
        }
        compared++;
    }
    assert_true(compared > 120 && drawn > 2000);
    assert_true(alarms < 0.01 * drawn);
}

/* The command prints the table, and its reader may close the pipe early. */
static void doctor_prints_the_table(void **state)
{
    assert_int_equal(shell("head -n 4 '%s/results/baseline/statistics.csv' > kept", SOURCE_DIR), 0);
    assert_int_equal(shell("assay doctor --statistics | head -n 4 | diff - kept"), 0);
    assert_int_equal(shell("assay doctor --statistics --format text | head -n 2 > text"), 0);
    assert_int_equal(shell("sed -n 2p text | grep -q '^coverage  *mean'"), 0);
}

static void report_shows_the_table(void **state)
{
    static struct plan plan;
    struct report_input in = { .plan = &plan };
    struct why why = { "" };
    const char *const limit = "upper limits at 8 points (95% together)";
    const struct calibration *c = kept(row_of("coverage", limit, "Pareto with log-sd 0.5"));
    assert_int_equal(report_write(&in, "report", &why), OK);
    assert_int_equal(shell("grep -q '^## How far the harness itself' report/report.md"), 0);
    assert_true(c->right < 0.925);
    assert_int_equal(shell("grep -qF '| %s | Pareto with log-sd 0.5 | *%.1f* |' report/report.md", limit,
                           100 * c->right), 0);
    assert_int_equal(shell("grep -E '^. (rate|bound|order) . ' report/report.md | wc -l | "
                           "grep -qx 3"), 0);
}

static int begin(void **state)
{
    shell_begin();
    return 0;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_of_this_program),
        cmocka_unit_test(false_alarms_are_as_rare_as_promised),
        cmocka_unit_test(edges_keep_their_exact_limits),
        cmocka_unit_test(order_by_sign_has_its_exact_power),
        cmocka_unit_test(the_same_seed_gives_the_same_table),
        cmocka_unit_test(divergence_is_seen_as_often_as_it_is_drawn),
        cmocka_unit_test(other_seeds_say_the_same),
        cmocka_unit_test(doctor_prints_the_table),
        cmocka_unit_test(report_shows_the_table),
    };
    return cmocka_run_group_tests_name("calibrate", tests, begin, end);
}

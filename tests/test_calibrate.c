/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_calibrate.c - the committed table of coverage, false alarms and power is what this program
 * measures, and agrees with probabilities that have a closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "calibrate.h"
#include "report.h"
#include "shell.h"

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

/* Every row is there, in order, with the trials of the program, and marked by its own numbers. */
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
        assert_true(c->right >= 0 && c->wrong >= 0 && c->right + c->wrong <= 1 + 1e-9);
        assert_null(strchr(c->law, ','));
        double most = *c->truth == '-' ? 0.07 : *c->truth == 't' ? 0.01 : 0.05;
        assert_string_equal(c->mark, c->wrong <= most + 1e-9 ? "good" : "poor");
        if (*c->truth != '-')
            claims[*c->check == 'r' ? 0 : *c->check == 'b' ? 1 : 2] += c->trials;
    }
    assert_null(kept(calibrate_rows())->check);
    for (int check = 0; check < 3; check++)
        assert_true(claims[check] >= 10000);
}

/* A claim that is true is contradicted in less than 1% of cases, but for one kind: `order` compares
 * geometric means, which says little of arithmetic ones where the noises differ. */
static void false_contradictions_are_rare(void **state)
{
    for (int k = 0; k < calibrate_rows(); k++)
        if (strcmp(kept(k)->truth, "true") == 0 && !strstr(kept(k)->law, "a third of its noise"))
            assert_true(kept(k)->wrong < 0.01);
}

/* 5 sigma, 4 cases more for shares of a few in all trials. */
static void assert_share(const struct calibration *c, double share, double truth)
{
    double room = 5 * sqrt(truth * (1 - truth) / c->trials) + 4.0 / c->trials;
    if (fabs(share - truth) > room)
        fail_msg("%s, %s, %s: %g instead of %g +- %g", c->check, c->law, c->noise, share, truth,
                 room);
}

/* Recomputed whole from the same seed: the numbers of the table, but for a trial in a thousand on a
 * machine with another libm. */
static struct calibration again(int row)
{
    struct calibration c = calibrate_row(row, 0, CALIBRATE_SEED);
    double room = 0.001 + 5e-5;
    if (fabs(c.right - kept(row)->right) > room || fabs(c.wrong - kept(row)->wrong) > room)
        fail_msg("%s, %s, %s: %g right and %g wrong, the table has %g and %g", c.check, c.law,
                 c.noise, c.right, c.wrong, kept(row)->right, kept(row)->wrong);
    return c;
}

/* P(Student's test at level alpha says "below 0") for n normal values of this mean and sd: the
 * noncentral t, integrated over s^2 = chi-square / df by the midpoint rule. */
static double power(int n, double mean, double sd, double alpha)
{
    const int steps = 4000;
    double t = gsl_cdf_tdist_Qinv(alpha, n - 1), sum = 0, most = 6;
    for (int k = 0; k < steps; k++) {
        double s = (k + 0.5) * most / steps, chi = s * s * (n - 1);
        double density = gsl_ran_chisq_pdf(chi, n - 1) * 2 * s * (n - 1);
        sum += density * gsl_cdf_ugaussian_P(-t * s - mean * sqrt(n) / sd) * most / steps;
    }
    return sum;
}

/* Logarithms of log-normal ratios are normal with sd sqrt(2) log-sd: closed forms of all words. One
 * level of 5% is shared by three points, one of 0.5% in each set of half the replicates too.
 * 12 comparisons at 5 sigma: false alarm near 7e-6. */
static void order_has_its_exact_power(void **state)
{
    const double log_sd[] = { 0.3, 0.7, 1.5 }, support = 0.05 / 3, contradict = 0.005 / 3;
    const char *const noise[] = { "log-sd 0.3", "log-sd 0.7", "log-sd 1.5" };
    assert_true(fabs(power(16, 0, 1, 0.05) - 0.05) < 1e-6);
    for (int k = 0; k < 3; k++) {
        double sd = sqrt(2) * log_sd[k];
        struct calibration c = again(row_of("order", "half the rival", noise[k]));
        double half = power(c.reps, log(0.5), sd, support);
        assert_share(&c, c.right, pow(half, 3));
        c = again(row_of("order", "0.9 of the rival", noise[k]));
        assert_share(&c, c.right, pow(power(c.reps, log(0.9), sd, support), 3));
        c = again(row_of("order", "equal at one point and a tenth at 2", noise[k]));
        assert_share(&c, c.wrong, support * pow(power(c.reps, log(0.1), sd, support), 2));
        c = again(row_of("order", "5 times the rival", noise[k]));
        double set = power(c.reps / 2, -log(5), sd, contradict);
        assert_share(&c, c.right, 1 - pow(1 - set * set, 3));
    }
}

/* The cheapest rows of each interval and check, whole: what moves a level or an error shows. */
static void the_same_seed_gives_the_same_table(void **state)
{
    static const struct { const char *check, *law, *noise; } rows[] = {
        { "coverage", "mean (95%)", "log-sd 1.5" },
        { "coverage", "exponent of a rate (95%)", "log-sd 0.7" },
        { "coverage", "upper limit of a bound (95%)", "log-sd 0.3" },
        { "rate", "power: the rival exponent -1", "log-sd 0.7 in 3 rounds" },
        { "rate", "curved but inside the band everywhere", "Student 3" },
    };
    for (int k = 0; k < 5; k++)
        again(row_of(rows[k].check, rows[k].law, rows[k].noise));
}

/* One infinity decides a bound; a rate needs one in both sets of replicates. */
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

/* A part of every row that is not too slow, from another seed. Shares of two runs differ by 6 sigma
 * with probability 2e-9, some 300 comparisons: 6e-7. */
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
        if (*c->truth == 't' && !strstr(c->law, "a third of its noise")) {
            drawn += trials;
            alarms += lround(now.wrong * trials);
        }
        compared++;
    }
    assert_true(compared > 120 && drawn > 2000);
    assert_true(alarms < 0.01 * drawn);
}

/* The command prints the table; what has been read enough of can be cut off. */
static void doctor_prints_the_table(void **state)
{
    assert_int_equal(shell("head -n 4 '%s/results/baseline/statistics.csv' > kept", SOURCE_DIR), 0);
    assert_int_equal(shell("assay doctor --statistics | head -n 4 | diff - kept"), 0);
    assert_int_equal(shell("assay doctor --statistics --format text | head -n 2 > text"), 0);
    assert_int_equal(shell("sed -n 2p text | grep -q '^coverage  mean'"), 0);
}

static void report_shows_the_table(void **state)
{
    static struct plan plan;
    struct report_input in = { .plan = &plan };
    struct why why = { "" };
    const char *const limit = "upper limit of a bound (95%)";
    const struct calibration *c = kept(row_of("coverage", limit, "log-sd 1.5"));
    assert_int_equal(report_write(&in, "report", &why), OK);
    assert_int_equal(shell("grep -q '^## How far the harness itself' report/report.md"), 0);
    assert_true(c->right < 0.925);
    assert_int_equal(shell("grep -qF '| %s | log-sd 1.5 | *%.1f* |' report/report.md", limit,
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
        cmocka_unit_test(false_contradictions_are_rare),
        cmocka_unit_test(order_has_its_exact_power),
        cmocka_unit_test(the_same_seed_gives_the_same_table),
        cmocka_unit_test(divergence_is_seen_as_often_as_it_is_drawn),
        cmocka_unit_test(other_seeds_say_the_same),
        cmocka_unit_test(doctor_prints_the_table),
        cmocka_unit_test(report_shows_the_table),
    };
    return cmocka_run_group_tests_name("calibrate", tests, begin, end);
}

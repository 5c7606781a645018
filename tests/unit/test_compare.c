/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compare.c - what counts as a change of a claim's standing, how often chance raises an alarm, and the words
 * of a change (standings as text are in test_baseline.c). Seeds are fixed. */
#include "support/standing_made.h"

#include "nights/compare.h"
#include "rng.h"

static void test_verdicts(void **state)
{
    static const struct { enum word base, now; enum change_kind kind; } cases[] = {
        { SUPPORTED, SUPPORTED, CHANGE_NONE },      { SUPPORTED, INCONCLUSIVE, CHANGE_VERDICT },
        { SUPPORTED, CONTRADICTED, CHANGE_VERDICT }, { INCONCLUSIVE, SUSPECT, CHANGE_VERDICT },
        { CONTRADICTED, INCONCLUSIVE, CHANGE_VERDICT }, { INCONCLUSIVE, SUPPORTED, CHANGE_BETTER },
        { SUPPORTED, NOT_RUN, CHANGE_ABSENT },      { CONTRADICTED, CONTRADICTED, CHANGE_NONE },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct standing a = example("paper/a.n"), b = a;
        a.word = cases[k].base;
        b.word = cases[k].now;
        assert_int_equal(kind_of(a, b), cases[k].kind);
    }
    struct standing a = example("paper/a.n"), b = a;
    b.control = CONTROL_MISSED;
    assert_int_equal(kind_of(a, b), CHANGE_VERDICT);
    assert_int_equal(kind_of(b, a), CHANGE_NONE);    /* a control that was missed before and is caught now is no
                                                        change */
    b = a;
    b.absent = 1;
    assert_int_equal(kind_of(a, b), CHANGE_ABSENT);
}

/* One more query in 2^53 is noticed, and the message names the count that changed most. */
static void test_counts_are_exact(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    b.own.counts.of[COUNT_sample_grads] = nextafter(b.own.counts.of[COUNT_sample_grads], INFINITY);
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    b.own.counts.of[COUNT_batch_steps] = 18;
    struct change c = change_of(a, b);
    assert_int_equal(c.count, COUNT_batch_steps);
    b = a;
    b.own.counts.of[COUNT_depth] = 1;                    /* the count was 0 before */
    assert_int_equal(change_of(a, b).count, COUNT_depth);
    b = a;
    b.cells++;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
}

/* Counts may differ where the measured numbers moved and some batch steps are more or less, as last bits decide
 * when a run ends: by six times the relative difference of the batch steps. They may not where every run has a step
 * less, or no run has. */
static void test_counts_depend_on_last_bits(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    a.own.counts.of[COUNT_batch_steps] = 42757;
    b.own.counts.of[COUNT_batch_steps] = 42756;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    b.own.level[2] += 1e-4;
    assert_int_equal(kind_of(a, b), CHANGE_MOVED);
    b.own.counts.of[COUNT_batch_steps] = 42700;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    a.cells = b.cells = 40;
    b.own.counts.of[COUNT_batch_steps] = 42757 - 40;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    b.own.counts.of[COUNT_batch_steps] = 42757;
    a.own.counts.of[COUNT_noise_gauss] = 42757;
    b.own.counts.of[COUNT_noise_gauss] = 42756;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    b.own.counts.of[COUNT_noise_gauss] = 42757;
    b.own.counts.of[COUNT_batch_steps] = 0;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
}

/* One of 42757 batch steps is 5.6 times as large as the average in nonzeros: this was seen between two kinds of
 * machine. A sample less in each batch, beside such a step, is a change of counts; these are the counts of
 * resque/parallel.thm1.binding.d. */
static void test_counts_follow_the_batch_steps(void **state)
{
    static const int less[] = { COUNT_sample_grads, COUNT_issued, COUNT_consumed, COUNT_taken };
    struct standing a = example("paper/a.n"), b;
    a.own.counts.of[COUNT_batch_steps] = 42757;
    a.own.counts.of[COUNT_nonzeros] = 5426416748;
    a.own.counts.of[COUNT_depth] = 151499836;
    for (int k = 0; k < 4; k++)
        a.own.counts.of[less[k]] = 232690700;
    b = a;
    b.own.level[2] += 1e-4;
    b.own.counts.of[COUNT_batch_steps]--;
    b.own.counts.of[COUNT_nonzeros] *= 1 - 1.3e-4;
    assert_int_equal(kind_of(a, b), CHANGE_MOVED);
    for (int k = 0; k < 4; k++)
        b.own.counts.of[less[k]] -= 42756;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    b = a;
    b.own.level[2] += 1e-4;
    b.own.counts.of[COUNT_batch_steps] = a.own.counts.of[COUNT_batch_steps] = 1000;
    b.own.counts.of[COUNT_batch_steps]--;
    b.own.counts.of[COUNT_nonzeros] *= 1 - 0.9e-3;      /* six times a large difference of steps is not allowed */
    assert_int_equal(kind_of(a, b), CHANGE_MOVED);
    b.own.counts.of[COUNT_nonzeros] = a.own.counts.of[COUNT_nonzeros] * (1 - 1.1e-3);
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
}

/* A shift of all groups by 3e-6 of the measure is no alarm, one by 1e-4 is, on each scale. */
static void test_means_depend_on_last_bits(void **state)
{
    for (int plain = 0; plain < 2; plain++) {
        struct standing a = example("paper/a.n"), b;
        a.scale = plain ? SCALE_PLAIN : SCALE_LOG;
        for (int k = 0; k < a.own.groups; k++)
            a.own.level[k] = plain ? 100 : log(100);
        b = a;
        double size = plain ? 100 : 1;
        for (int k = 0; k < b.own.groups; k++)
            b.own.level[k] += size * (3e-6 + 1e-8 * k);
        assert_int_equal(kind_of(a, b), CHANGE_MOVED);
        for (int k = 0; k < b.own.groups; k++)
            b.own.level[k] += size * 1e-4;
        assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
    }
}

/* Lines of a baseline that older programs wrote have no count `directions`. They are not compared on this count. */
static void test_directions_are_younger(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    b.own.counts.of[COUNT_directions] = 5;
    assert_int_equal(kind_of(a, b), CHANGE_NONE);
    b.own.counts.of[COUNT_sample_values] = 10;           /* all lines have this count */
    assert_int_equal(change_of(a, b).count, COUNT_sample_values);
    a = b;
    b.own.counts.of[COUNT_directions] = 4;
    assert_int_equal(change_of(a, b).count, COUNT_directions);
    b.own.counts.of[COUNT_directions] = 0;               /* two lines that both have this count are compared on
                                                            it */
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
}

/* The runs of a rival are compared by the same rules where both lines have them. */
static void test_rivals(void **state)
{
    struct standing a = example("paper/a.n"), b;
    a.rival = a.own;
    b = a;
    assert_int_equal(kind_of(a, b), CHANGE_NONE);
    b.rival.counts.of[COUNT_batch_steps] = 18;
    struct change c = change_of(a, b);
    assert_int_equal(c.kind, CHANGE_COUNTS);
    assert_true(c.rival_counts && c.count == COUNT_batch_steps && !c.rival_measure);
    b = a;
    for (int k = 0; k < b.rival.groups; k++)
        b.rival.level[k] += log(2) + 1e-4 * k;
    c = change_of(a, b);
    assert_int_equal(c.kind, CHANGE_MEASURE);
    assert_true(c.rival_measure && fabs(c.effect - expm1(log(2) + 7.5e-4)) < 1e-12);
    b.own.counts.of[COUNT_depth] = 1;                    /* the change of the method itself is reported first */
    c = change_of(a, b);
    assert_true(c.counts && !c.rival_counts && c.count == COUNT_depth && c.rival_measure);
    b = a;
    b.rival.infinite = 1;
    c = change_of(a, b);
    assert_true(c.kind == CHANGE_MEASURE && c.rival_measure);
    memset(&b.rival, 0, sizeof b.rival);                 /* one of the two lines has no rival */
    assert_int_equal(kind_of(a, b), CHANGE_NONE);
    assert_int_equal(kind_of(b, a), CHANGE_NONE);
}

/* Chance alone raises an alarm with probability 1e-3 for a claim. The claim's own runs and those of its rival share
 * this probability. By the tables for 4 degrees of freedom, |T| > 8.610 has the probability 1e-3 and |T| > 10.306
 * half of it. */
static void test_rivals_share_the_alarm(void **state)
{
    struct standing a = example("paper/a.n"), b;
    a.own.groups = 5;
    b = a;
    for (int k = 0; k < 5; k++)
        b.own.level[k] += 9.4 * 0.001 * sqrt(0.5) + 0.001 * (k - 2);
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
    a.rival = b.rival = a.own;
    assert_int_equal(kind_of(a, b), CHANGE_MOVED);
    for (int k = 0; k < 5; k++)
        b.own.level[k] += 1.2 * 0.001 * sqrt(0.5);
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
}

/* The p-value is that of Student's t on pairs. P(|T| > t) with 4 degrees of freedom has a closed form, computed
 * here; t_0.975 of the tables is 2.7764451. */
static void test_measure_is_student_on_pairs(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    a.own.groups = b.own.groups = 5;
    for (int k = 0; k < 5; k++)
        b.own.level[k] = a.own.level[k] + 0.01 * (k + 1);
    struct change c = change_of(a, b);
    double t2 = 18 - 1e-6, s = sqrt(t2 / (1 + t2 / 4)), p = 1 - 0.75 * s * (1 - t2 / (12 * (1 + t2 / 4)));
    assert_true(fabs(c.p - p) < 1e-7);               /* up to the allowance for rounding */
    assert_int_equal(c.kind, CHANGE_MOVED);          /* its p = 0.0132 is more than the 0.1% of an alarm */
    assert_true(fabs(c.effect - expm1(0.03)) < 1e-12);
    double half = 2.7764451 * 0.01 * sqrt(2.5 / 5);
    assert_true(fabs(c.lo - expm1(0.03 - half)) < 1e-8 && fabs(c.hi - expm1(0.03 + half)) < 1e-8);
    for (int k = 0; k < 5; k++)
        b.own.level[k] = a.own.level[k] + 0.03 + 0.001 * k;
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
    a.scale = b.scale = SCALE_PLAIN;
    c = change_of(a, b);
    assert_true(fabs(c.effect - 0.032) < 1e-12);     /* a plain scale has its effect in units of y */
}

/* A difference within the errors of the two standings is no change. If some levels differ by more than their
 * errors, but the mean does not, chance explains the difference; if the mean does too, and by more than chance
 * allows, it is a change. */
static void test_errors_are_allowed_for(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    for (int k = 0; k < a.own.groups; k++) {
        a.own.error[k] = 0.01;
        b.own.error[k] = 0.005;
        b.own.level[k] = a.own.level[k] + 0.0149;
    }
    assert_int_equal(kind_of(a, b), CHANGE_NONE);
    for (int k = 0; k < a.own.groups; k++)
        b.own.level[k] = a.own.level[k] + 0.0145 + 0.0008 * (k % 2);
    assert_int_equal(kind_of(a, b), CHANGE_MOVED);   /* some levels changed by more than their errors; their mean
                                                        did not */
    assert_true(change_of(a, b).p > 0.99);
    for (int k = 0; k < a.own.groups; k++)
        b.own.level[k] = a.own.level[k] + 0.02 + 0.0005 * (k % 2);
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
}

static void test_points_are_held_one_by_one(void **state)
{
    struct standing a = example("paper/a.n");
    a.scale = SCALE_POINTS;
    a.own.groups = 3;
    for (int k = 0; k < 3; k++) {
        a.own.level[k] = pow(10, -6 * k);
        a.own.error[k] = 1e-13;
    }
    struct standing b = a;
    b.own.level[2] += 1.9e-13; /* 0.19 of the level 1e-12; the errors are 1e-13 in either standing */
    b.own.level[0] *= 1 + 0.9e-9;
    assert_int_equal(kind_of(a, b), CHANGE_NONE);
    b.own.level[2] += 0.2e-13;
    struct change c = change_of(a, b);
    assert_int_equal(c.kind, CHANGE_MEASURE);
    assert_true(c.factor && fabs(c.effect - 0.21) < 1e-3 && c.p == 0);
    b = a;
    b.own.level[1] = -1e-6;                              /* a change of sign is no factor */
    c = change_of(a, b);
    assert_true(!c.factor && fabs(c.effect + 2e-6) < 1e-15);
}

static void test_without_randomness_any_move_is_one(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    for (int k = 0; k < a.own.groups; k++)
        b.own.level[k] *= 1 + 1e-12;
    assert_int_equal(kind_of(a, b), CHANGE_NONE);    /* a difference of rounding is no change */
    a.own.groups = b.own.groups = 1;
    b.own.level[0] = a.own.level[0] + 1e-6;
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
    b.own.level[0] = a.own.level[0];
    b.own.infinite = 1;
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE); /* one more run diverges */
    b.own.infinite = 0;
    b.scale = SCALE_PLAIN;
    struct change c = change_of(a, b);
    assert_int_equal(c.kind, CHANGE_MEASURE);
    assert_true(isnan(c.effect));
}

enum { CLAIMS = 20 };

/* Returns in how many of `nights` nights an alarm is raised, if the levels of 20 claims differ from the baseline by
 * numbers that `differ` draws. The standard deviation differs between claims. */
static int alarms_of(int nights, double (*differ)(struct rng *), unsigned seed)
{
    struct rng r = rng_stream(seed);
    struct standing a[CLAIMS], b[CLAIMS];
    int alarms = 0;
    for (int k = 0; k < CLAIMS; k++) {
        char claim[24];
        snprintf(claim, sizeof claim, "p/c%02d.n", k);
        a[k] = b[k] = example(claim);
    }
    for (int night = 0; night < nights; night++) {
        for (int k = 0; k < CLAIMS; k++)
            for (int g = 0; g < a[k].own.groups; g++)
                b[k].own.level[g] = a[k].own.level[g] + 0.01 * (k + 1) * differ(&r);
        struct standings x = { a, CLAIMS }, y = { b, CLAIMS };
        struct comparison c = compare(&x, &y, "nightly", NULL, NULL);
        alarms += c.kinds[CHANGE_MEASURE] > 0;
        free(c.change);
    }
    return alarms;
}

static double normal(struct rng *r) { return rng_normal(r); }

/* Returns 0 with probability 0.85, else a normal number of standard deviation 10: few runs differ, and those that
 * differ are far apart. */
static double seldom(struct rng *r)
{
    double u = rng_uniform(r), v = rng_normal(r);
    return u < 0.15 ? 10 * v : 0;
}
static double cauchy(struct rng *r)
{
    double u = rng_normal(r);
    return u / rng_normal(r);
}

/* Chance alone raises an alarm in 0.1% of the nights: 20 of 20000 are expected. By the Poisson law, fewer than 4 or
 * more than 46 have probability 3e-6. Numbers with heavier tails raise fewer alarms. */
static void test_false_alarms(void **state)
{
    int alarms = alarms_of(20000, normal, 11);
    if (alarms < 4 || alarms > 46)
        fail_msg("%d alarms of normal differences", alarms);
    alarms = alarms_of(20000, seldom, 12);
    if (alarms > 46)
        fail_msg("%d alarms where few runs differ", alarms);
    alarms = alarms_of(20000, cauchy, 13);
    if (alarms > 46)
        fail_msg("%d alarms of Cauchy differences", alarms);
}

/* Returns a change that must be noticed: its mean is 2.5 times its standard deviation over the replicates. */
static double shifted(struct rng *r) { return 1 + 0.4 * rng_normal(r); }

static void test_power(void **state)
{
    assert_int_equal(alarms_of(200, shifted, 14), 200);
}

static bool is_known(const void *name, const char *claim) { return strcmp(claim, name) == 0; }

static void test_lists(void **state)
{
    struct standing a[4] = { example("p/same.n"), example("p/known.n"), example("p/gone.n"),
                             example("p/same.n") };
    struct standing b[3] = { example("p/same.n"), example("p/new.n"), example("p/slow.n") };
    strcpy(a[3].profile, "quick");       /* a standing of another profile does not count */
    b[0].seconds = 5;
    struct standings x = { a, 4 }, y = { b, 3 };
    struct comparison c = compare(&x, &y, "nightly", is_known, "p/known.n");
    assert_int_equal(c.n, 5);
    assert_int_equal(c.compared, 1);
    assert_int_equal(c.kinds[CHANGE_NONE], 1);
    assert_int_equal(c.kinds[CHANGE_GONE], 1);
    assert_int_equal(c.kinds[CHANGE_ABSENT], 1);
    assert_int_equal(c.kinds[CHANGE_NEW], 2);
    assert_int_equal(c.times, 1);
    assert_true(c.slower == 2 && c.slowest_ratio == 2);
    assert_string_equal(c.slowest->now->claim, "p/same.n");
    free(c.change);
}

static void test_words(void **state)
{
    struct standing a = example("p/a.n"), b = a;
    struct standings x = { &a, 1 }, y = { &b, 1 };
    char text[400];
    b.word = INCONCLUSIVE;
    b.own.counts.of[COUNT_batch_steps] = 34;
    struct comparison c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "SUPPORTED -> INCONCLUSIVE; batch_steps 17 -> 34 (+100%)");
    free(c.change);
    b = a;
    a.own.groups = b.own.groups = 1;
    b.own.level[0] = a.own.level[0] + log(0.75);
    c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "measure -25%");
    free(c.change);
    b.own.level[0] = a.own.level[0] + log(18.5);
    c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "measure times 18.5");
    free(c.change);
    b = a;
    a.rival = b.rival = a.own;
    b.rival.counts.of[COUNT_batch_steps] = 34;
    b.rival.level[0] += log(0.75);
    c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "the rival's batch_steps 17 -> 34 (+100%); the rival's measure -25%");
    free(c.change);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts), cmocka_unit_test(test_counts_are_exact),
        cmocka_unit_test(test_counts_depend_on_last_bits),
        cmocka_unit_test(test_counts_follow_the_batch_steps),
        cmocka_unit_test(test_means_depend_on_last_bits),
        cmocka_unit_test(test_directions_are_younger),
        cmocka_unit_test(test_rivals), cmocka_unit_test(test_rivals_share_the_alarm),
        cmocka_unit_test(test_measure_is_student_on_pairs),
        cmocka_unit_test(test_errors_are_allowed_for), cmocka_unit_test(test_points_are_held_one_by_one),
        cmocka_unit_test(test_without_randomness_any_move_is_one), cmocka_unit_test(test_power),
        cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_lists), cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_law.c - the check `law`, of probabilities and distributions: their limits, compared with enumeration and
 * known laws; the verdicts that follow, and how often these are wrong. */
#include "support/zone.h"

#include <gsl/gsl_randist.h>

/* --- probabilities */

/* Makes twice `half` replicates of a promised probability `formula`. The event occurs in `even` of those with even
 * numbers and in `odd` of those with odd numbers, which are the two sets of replicates. */
static void put_events(int even, int odd, int half, double formula, double margin)
{
    make(2 * half);
    for (int r = 0; r < 2 * half; r++) {
        m.y[r] = r / 2 < (r & 1 ? odd : even);
        m.formula[r] = formula;
        m.margin[r] = margin;
    }
}

/* Computes the exact rates of wrong verdicts from all outcomes of 2 x 20 tosses, each weighted by its probability.
 * The limits of one set of 20 contradict at level 0.005 a side, and both sets must contradict. Those of all 40
 * tosses support at level 0.05 for a one-sided claim, and at 0.025 a side for a two-sided one. power: the rate of
 * contradiction if the probability is 0.8 where at most 0.3 is promised. */
static void probabilities_err_as_declared(void **state)
{
    enum { HALF = 20 };
    const double p = 0.3, margin = 0.2;
    double contradicted[2] = { 0, 0 }, supported[2] = { 0, 0 }, power = 0;
    for (int sense = SENSE_EQUAL; sense <= SENSE_AT_MOST; sense++)
        for (int a = 0; a <= HALF; a++)
            for (int b = 0; b <= HALF; b++) {
                struct claim c = claim_of(CHECK_LAW, (enum sense)sense);
                double P = gsl_ran_binomial_pdf(a, p, HALF) * gsl_ran_binomial_pdf(b, p, HALF);
                double Q = gsl_ran_binomial_pdf(a, 0.8, HALF) * gsl_ran_binomial_pdf(b, 0.8, HALF);
                put_events(a, b, HALF, p, 0);
                contradicted[sense] += P * (word_of(&c) == CONTRADICTED);
                if (sense == SENSE_AT_MOST)
                    power += Q * (word_of(&c) == CONTRADICTED);
                put_events(a, b, HALF, p - margin, margin); /* p is on the edge of the margin */
                supported[sense] += P * (word_of(&c) == SUPPORTED);
            }
    assert_true(contradicted[SENSE_EQUAL] <= 2 * 0.005 * 0.005 && contradicted[SENSE_EQUAL] > 0);
    assert_true(contradicted[SENSE_AT_MOST] <= 0.005 * 0.005 && contradicted[SENSE_AT_MOST] > 0);
    assert_true(supported[SENSE_EQUAL] <= 0.025 && supported[SENSE_EQUAL] > 0.005);
    assert_true(supported[SENSE_AT_MOST] <= 0.05 && supported[SENSE_AT_MOST] > 0.01);
    assert_true(power > 0.9);
}

/* A replicate that is the mean of a block of 20 draws counts as 20 trials: the limits are those of 20 replicates of
 * one trial each. */
static void blocks_of_events_are_trials(void **state)
{
    struct claim c = claim_of(CHECK_LAW, SENSE_EQUAL);
    put_events(3, 8, 20, 0.25, 0.1);
    struct fit_zone one = *fitted(&c);
    make(2);
    for (int r = 0; r < 2; r++) {
        m.weight[r][0] = 1;
        m.mean[r][0] = (r ? 8 : 3) / 20.0;
        m.formula[r] = 0.25;
        m.margin[r] = 0.1;
        block(r, 1, 20);
    }
    const struct fit_zone *z = fitted(&c);
    assert_memory_equal(z, &one, sizeof one);
    assert_true(z->events == 11 && z->trials == 40);
    /* 0 events in 40 trials: the limit p at 2.5% solves (1 - p)^40 = 2.5%. */
    put_events(0, 0, 20, 0, 0);
    near(fitted(&c)->off.hi, 1 - pow(0.025, 1 / 40.0), 1e-12);
    /* One trial in each set: the limit of 0 of 1 events at 0.5% is 99.5%. */
    put_events(0, 0, 1, 0, 0);
    near(fitted(&c)->set[0].hi, 0.995, 1e-12);
    near(fit.point[0].zone.set[1].hi, 0.995, 1e-12);
}

static void values_that_are_no_events(void **state)
{
    struct claim c = claim_of(CHECK_LAW, SENSE_AT_MOST);
    put_events(0, 0, 20, 1, 0);
    assert_int_equal(word_of(&c), SUPPORTED);
    m.y[4] = 0.5;
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    assert_non_null(strstr(verdict_alone(&c, &fit).reason, "neither 0 nor 1"));
    m.y[4] = 2;
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    m.y[4] = NAN;
    assert_int_equal(word_of(&c), CONTRADICTED);
    m.y[4] = 0.5e-6;                     /* a number within 1e-6 of 0 counts as 0 */
    assert_int_equal(word_of(&c), SUPPORTED);
    m.y[4] = 1.5e-6;
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    m.y[4] = 0;
    m.formula[7] = 1.5;
    assert_int_equal(word_of(&c), INCONCLUSIVE);
}

/* --- distributions */

static double uniform(const struct env *e, double y) { return y; }

static struct claim distribution(double tolerance, int reps)
{
    struct claim c = claim_of(CHECK_LAW, SENSE_EQUAL);
    c.cdf = uniform;
    for (int r = 0; r < reps; r++)
        m.margin[r] = tolerance;
    return c;
}

/* For all 3^6 samples of a law on 0, 1, 2 the distance from the promised distribution equals one computed in the
 * test. If the promised law is the true one, the lower limit of this distance at level 5% is above 0 with at most
 * this probability. */
static void distances_of_all_small_samples(void **state)
{
    enum { N = 6, SAMPLES = 729 };
    const double p[] = { 0.5, 0.3, 0.2 };
    double exceeded = 0, largest = 0;
    for (int code = 0; code < 2 * SAMPLES; code++) {
        /* In the second pass over the samples the promised law gives 1 no probability; samples that contain a 1 are
         * tested all the same. */
        const double F[] = { 0.5, code < SAMPLES ? 0.8 : 0.5, 1 };
        double P = 1, D = 0;
        int digits = code % SAMPLES, seen[3] = { 0, 0, 0 };
        make(N);
        for (int r = 0; r < N; r++, digits /= 3) {
            int y = digits % 3;
            P *= p[y];
            seen[y]++;
            m.y[r] = y;
            m.formula[r] = F[y];
            m.below[r] = y ? F[y - 1] : 0;
        }
        for (int y = 0, sum = 0; y < 3; y++) {
            sum += seen[y];
            D = fmax(D, fabs(sum / (double)N - F[y]));
        }
        struct claim c = distribution(0, N);
        const struct fit_zone *z = fitted(&c);
        near(z->off.value, D, 1e-14);
        near(z->off.hi, fmin(1, D + sqrt(log(2 / 0.05) / (2 * N))), 1e-14);
        exceeded += code < SAMPLES ? P * (z->off.lo > 0) : 0;
        largest = fmax(largest, z->off.lo);
    }
    assert_true(exceeded > 0 && exceeded <= 0.05);
    assert_true(largest > 0.2);
}

/* Kolmogorov's law for n = 2: P(D <= d) = 2 (2d - 1/2)^2 for d from 1/4 to 1/2, then 1 - 2 (1 - d)^2. The two
 * replicates have different uniform laws, on [0, 1] and [5, 9]. Each of four frequencies must be within 5 standard
 * errors, which fails by chance with probability 6e-7. */
static void distance_has_kolmogorovs_law(void **state)
{
    enum { TRIALS = 20000 };
    const double at[] = { 0.35, 0.45, 0.6, 0.8 };
    const double truth[] = { 2 * 0.2 * 0.2, 2 * 0.4 * 0.4, 1 - 2 * 0.16, 1 - 2 * 0.04 };
    struct rng rng = rng_stream(11);
    int below[4] = { 0 };
    for (int k = 0; k < TRIALS; k++) {
        make(2);
        struct claim c = distribution(0, 2);
        for (int r = 0; r < 2; r++) {
            double u = rng_uniform(&rng);
            m.y[r] = r ? 5 + 4 * u : u;
            m.formula[r] = m.below[r] = u;
        }
        double D = fitted(&c)->off.value;
        for (int i = 0; i < 4; i++)
            below[i] += D <= at[i];
    }
    for (int i = 0; i < 4; i++)
        near(below[i] / (double)TRIALS, truth[i], 5 * sqrt(truth[i] * (1 - truth[i]) / TRIALS));
}

/* The 64 values are y = u^2 at evenly spaced u; the square of a uniform number has F(y) = sqrt(y). right: this law
 * is promised. Otherwise the uniform law is, and the distance is sup |sqrt(y) - y| = 1/4 at y = 1/4, up to less
 * than 1/64. */
static void verdicts_on_distributions(void **state)
{
    for (int right = 0; right < 2; right++) {
        make(R);
        for (int r = 0; r < R; r++) {
            double u = (r + 0.5) / R;
            m.y[r] = u * u;
            m.formula[r] = m.below[r] = right ? u : u * u;
        }
        struct claim c = distribution(0.3, R);
        assert_int_equal(word_of(&c), right ? SUPPORTED : INCONCLUSIVE);
        near(fit.point[0].zone.off.value, right ? 0.5 / R : 0.25, right ? 1e-14 : 1.0 / R);
        c = distribution(0, R);
        assert_int_equal(word_of(&c), INCONCLUSIVE);
    }
    make(R);
    for (int r = 0; r < R; r++)
        m.y[r] = m.formula[r] = m.below[r] = 0.999;
    struct claim c = distribution(0.5, R);
    assert_int_equal(word_of(&c), CONTRADICTED);
    m.below[3] = 1.2; /* a value that no distribution function has */
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    m.below[3] = 0.5;
    m.y[3] = NAN;
    assert_int_equal(word_of(&c), CONTRADICTED);
}

/* Nothing is said of events of an excess over an optimum that is not certified, nor of their distribution: here of
 * replicates that would support the claim, and of others that would contradict it. */
static void an_uncertified_optimum_decides_no_law(void **state)
{
    for (int of = 0; of < 2; of++)
        for (int wrong = 0; wrong < 2; wrong++) {
            struct claim c = claim_of(CHECK_LAW, SENSE_AT_MOST);
            const double error[R] = { [5] = INFINITY };
            put_events(wrong ? 32 : 0, wrong ? 32 : 0, 32, 0.1, 0.2);
            if (of) {
                c = distribution(0.5, R);
                for (int r = 0; r < R; r++)
                    m.y[r] = m.formula[r] = m.below[r] = wrong ? 0.01 : (r / 2 + 0.5) / 32;
            }
            assert_int_equal(word_of(&c), wrong ? CONTRADICTED : SUPPORTED);
            m.point.error = error;
            assert_int_equal(word_of(&c), INCONCLUSIVE);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_err_as_declared),
        cmocka_unit_test(blocks_of_events_are_trials),
        cmocka_unit_test(values_that_are_no_events),
        cmocka_unit_test(distances_of_all_small_samples),
        cmocka_unit_test(distance_has_kolmogorovs_law),
        cmocka_unit_test(verdicts_on_distributions),
        cmocka_unit_test(an_uncertified_optimum_decides_no_law),
    };
    return cmocka_run_group_tests_name("laws", tests, NULL, NULL);
}

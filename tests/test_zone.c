/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_zone.c - moments and laws: their limits against closed forms and enumeration, the words
 * they lead to, and how often these are wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "fit.h"
#include "verdict.h"

enum { R = 64, STRATA = 3 };

/* One point; everything is 0 but `count` replicates. */
struct zone_sample {
    struct series s;
    struct series_point point;
    double y[R], formula[R], margin[R], below[R];
    double weight[R][STRATA], mean[R][STRATA], variance[R][STRATA];
    struct draws draws[R];
};

static struct zone_sample m;
static struct fit fit;

static void make(int reps)
{
    memset(&m, 0, sizeof m);
    m.s = (struct series){ .points = 1, .point = &m.point };
    m.point = (struct series_point){ .axis = 1,
                                     .reps = reps,
                                     .y = m.y,
                                     .formula = m.formula,
                                     .margin = m.margin,
                                     .below = m.below };
}

/* Replicate r: y = sum_k w_k mean_k of `each` draws a stratum. */
static void block(int r, int strata, double each)
{
    m.point.draws = m.draws;
    m.draws[r] = (struct draws){ strata, each, m.weight[r], m.mean[r], m.variance[r] };
    m.y[r] = 0;
    for (int k = 0; k < strata; k++)
        m.y[r] += m.weight[r][k] != 0 ? m.weight[r][k] * m.mean[r][k] : 0;
}

static const struct fit_zone *fitted(const struct claim *c)
{
    struct arena *work = arena_new(0);
    struct rng r = rng_stream(1);
    assert_int_equal(fit_claim(c, &m.s, &r, work, &fit, NULL), OK);
    arena_free(work);
    return &fit.point[0].zone;
}

static enum word word_of(const struct claim *c)
{
    fitted(c);
    struct verdict v = verdict_alone(c, &fit);
    assert_true(v.reason[0]);
    assert_true((v.word == INCONCLUSIVE) == (v.next[0] != 0));
    return v.word;
}

static struct claim claim_of(enum check check, enum sense sense)
{
    return (struct claim){ .check = check, .sense = sense, .axis = "n", .measure = "moment.x" };
}

static double uniform(const struct env *e, double y) { return y; }

static void near(double value, double truth, double tolerance)
{
    if (!(fabs(value - truth) <= tolerance))
        fail_msg("%.17g, expected %.17g +- %g", value, truth, tolerance);
}

/* --- moments */

/* Two replicates of ten draws, variance 4: se^2 = 4/20, 18 degrees of freedom; a stratum that
 * never happens and one that never varies change nothing. */
static void strata_add_up(void **state)
{
    struct claim c = claim_of(CHECK_MOMENT, SENSE_EQUAL);
    make(2);
    for (int r = 0; r < 2; r++) {
        const double weight[] = { 0.5, 0, 0.5 }, mean[] = { 3 + r, NAN, 8 },
                     variance[] = { 16, NAN, 0 };
        memcpy(m.weight[r], weight, sizeof weight);
        memcpy(m.mean[r], mean, sizeof mean);
        memcpy(m.variance[r], variance, sizeof variance);
        m.formula[r] = 5 + r;
        m.margin[r] = 1 + r;
        block(r, 3, 10);
    }
    const struct fit_zone *z = fitted(&c);
    double t = gsl_cdf_tdist_Qinv(0.025, 18), strict = gsl_cdf_tdist_Qinv(0.005, 9), se = sqrt(0.2);
    near(z->off.value, (5.5 - 5 + 6 - 6) / 2, 1e-14);
    near(z->off.hi - z->off.lo, 2 * t * se, 1e-12);
    near(z->set[1].hi - z->set[1].lo, 2 * strict * sqrt(0.4), 1e-12);
    near(z->set[0].value, 0.5, 1e-14);
    near(z->set[1].value, 0, 1e-14);
    near(z->margin, 1.5, 0);
    near(z->formula, 5.5, 0);
    near(fit.point[0].y.value, 5.75, 1e-14);
    near(fit.point[0].y.hi - 5.75, t * se, 1e-12);
    /* One side only: 5%, not 2.5%; three rounds share the levels. */
    c.sense = SENSE_AT_MOST;
    c.rounds = 3;
    z = fitted(&c);
    near(z->off.hi - z->off.value, gsl_cdf_tdist_Qinv(0.05 / 3, 18) * se, 1e-12);
    near(z->set[0].hi - z->set[0].value, gsl_cdf_tdist_Qinv(0.005 / 3, 9) * sqrt(0.4), 1e-12);
}

/* Runs, and blocks of one draw, differ between replicates: Student's on y - formula. */
static void single_numbers_differ_between_replicates(void **state)
{
    struct claim c = claim_of(CHECK_MOMENT, SENSE_EQUAL);
    const double off[] = { -1, 0, 1, 4 }; /* mean 1, variance 14/3 */
    for (int blocks = 0; blocks < 2; blocks++) {
        make(4);
        for (int r = 0; r < 4; r++) {
            m.formula[r] = 10 * r;
            m.y[r] = m.mean[r][0] = 10 * r + off[r];
            m.weight[r][0] = 1;
            if (blocks)
                block(r, 1, 1);
        }
        const struct fit_zone *z = fitted(&c);
        near(z->off.value, 1, 1e-14);
        near(z->off.hi - 1, gsl_cdf_tdist_Qinv(0.025, 3) * sqrt(14.0 / 3 / 4), 1e-12);
        near(z->set[0].value, 0, 1e-14);
        near(z->set[1].value, 2, 1e-14);
    }
}

/* Normal draws: level 0 of weight 0.999, level 1 rare, a thousand times larger and noisier; five
 * draws each in eight replicates. y = 2 in the mean. */
static void draw_levels(struct rng *rng, double formula, double margin)
{
    enum { EACH = 5 };
    make(8);
    for (int r = 0; r < 8; r++) {
        for (int k = 0; k < 2; k++) {
            double size = k ? 1000 : 1, sum = 0, squares = 0, x[EACH];
            for (int i = 0; i < EACH; i++) {
                x[i] = size * (1 + (k ? 0.3 : 0.5) * rng_normal(rng));
                sum += x[i] / EACH;
            }
            for (int i = 0; i < EACH; i++)
                squares += (x[i] - sum) * (x[i] - sum);
            m.weight[r][k] = k ? 0.001 : 1;
            m.mean[r][k] = sum;
            m.variance[r][k] = squares / (EACH - 1);
        }
        m.formula[r] = formula;
        m.margin[r] = margin;
        block(r, 2, EACH);
    }
}

/* 4000 trials. Interval: 95% +- 5 sigma of 0.34% and 0.5% for the approximate degrees of
 * freedom. At the edge of the zone 2.5% are SUPPORTED, +- 5 sigma of 0.25% and 0.4%. In the
 * middle of a zone of no width both halves contradict with probability 2 * 0.005^2: 0.2
 * expected, 7 or more with probability 2e-9. */
static void moments_err_as_declared(void **state)
{
    enum { TRIALS = 4000 };
    struct claim c = claim_of(CHECK_MOMENT, SENSE_EQUAL);
    struct rng rng = rng_stream(7);
    int covered = 0, supported = 0, contradicted = 0, caught = 0;
    for (int k = 0; k < TRIALS; k++) {
        draw_levels(&rng, 2, 0);
        contradicted += word_of(&c) == CONTRADICTED;
        const struct fit_zone *z = &fit.point[0].zone;
        covered += z->off.lo <= 0 && 0 <= z->off.hi;
        draw_levels(&rng, 2 - 0.5, 0.5);
        supported += word_of(&c) == SUPPORTED;
        draw_levels(&rng, 1, 0.1);
        caught += word_of(&c) == CONTRADICTED;
    }
    near(covered / (double)TRIALS, 0.95, 0.017 + 0.005);
    near(supported / (double)TRIALS, 0.025, 0.0125 + 0.004);
    assert_true(contradicted <= 6);
    assert_int_equal(caught, TRIALS);
}

static void words_of_moments(void **state)
{
    static const struct {
        enum sense sense;
        double off;
        enum word word;
    } rows[] = {
        { SENSE_EQUAL, 0, SUPPORTED },        { SENSE_EQUAL, 2, CONTRADICTED },
        { SENSE_EQUAL, -2, CONTRADICTED },    { SENSE_AT_MOST, 0, SUPPORTED },
        { SENSE_AT_MOST, 2, CONTRADICTED },   { SENSE_AT_MOST, -2, SUPPORTED },
        { SENSE_AT_LEAST, 0, SUPPORTED },     { SENSE_AT_LEAST, 2, SUPPORTED },
        { SENSE_AT_LEAST, -2, CONTRADICTED }, { SENSE_EQUAL, 1, INCONCLUSIVE },
        { SENSE_AT_MOST, 1, INCONCLUSIVE },   { SENSE_AT_LEAST, -1, INCONCLUSIVE },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct claim c = claim_of(CHECK_MOMENT, rows[k].sense);
        make(16);
        for (int r = 0; r < 16; r++) {
            m.y[r] = rows[k].off + 0.1 * ((r >> 1) % 3 - 1);
            m.margin[r] = 1;
        }
        if (word_of(&c) != rows[k].word)
            fail_msg("row %zu: %s", k, verdict_word(word_of(&c)));
        m.y[3] = NAN; /* says nothing of a lower limit */
        assert_int_equal(word_of(&c),
                         rows[k].sense == SENSE_AT_LEAST ? INCONCLUSIVE : CONTRADICTED);
        m.y[3] = 0;
        m.margin[2] = -1;
        assert_int_equal(word_of(&c), INCONCLUSIVE);
        m.margin[2] = 1;
        m.formula[5] = NAN;
        assert_int_equal(word_of(&c), INCONCLUSIVE);
    }
    /* Only one half is outside, or there is only one. */
    struct claim c = claim_of(CHECK_MOMENT, SENSE_EQUAL);
    make(16);
    for (int r = 0; r < 16; r++) {
        m.y[r] = (r & 1 ? 5 : 0) + 0.1 * ((r >> 1) % 3);
        m.margin[r] = 1;
    }
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    make(1);
    m.y[0] = 5;
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    c.deterministic = true;
    assert_int_equal(word_of(&c), CONTRADICTED);
    m.formula[0] = 5 * (1 + 1e-12); /* rounding */
    assert_int_equal(word_of(&c), SUPPORTED);
}

/* --- probabilities */

static void put_events(int even, int odd, int half, double formula, double margin)
{
    make(2 * half);
    for (int r = 0; r < 2 * half; r++) {
        m.y[r] = r / 2 < (r & 1 ? odd : even);
        m.formula[r] = formula;
        m.margin[r] = margin;
    }
}

/* All outcomes of 2 x 20 tosses, each weighted by its probability: exact rates of wrong words. */
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
                put_events(a, b, HALF, p - margin, margin); /* true: the very edge */
                supported[sense] += P * (word_of(&c) == SUPPORTED);
            }
    assert_true(contradicted[SENSE_EQUAL] <= 2 * 0.005 * 0.005 && contradicted[SENSE_EQUAL] > 0);
    assert_true(contradicted[SENSE_AT_MOST] <= 0.005 * 0.005 && contradicted[SENSE_AT_MOST] > 0);
    assert_true(supported[SENSE_EQUAL] <= 0.025 && supported[SENSE_EQUAL] > 0.005);
    assert_true(supported[SENSE_AT_MOST] <= 0.05 && supported[SENSE_AT_MOST] > 0.01);
    assert_true(power > 0.9);
}

/* A block of draws holds as many trials; the same limits as the trials one by one. */
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
    /* 0 of 40, one-sided 2.5%. */
    put_events(0, 0, 20, 0, 0);
    near(fitted(&c)->off.hi, 1 - pow(0.025, 1 / 40.0), 1e-12);
}

static void what_is_no_event(void **state)
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
    m.y[4] = 0;
    m.formula[7] = 1.5;
    assert_int_equal(word_of(&c), INCONCLUSIVE);
}

/* --- distributions */

static struct claim distribution(double tolerance, int reps)
{
    struct claim c = claim_of(CHECK_LAW, SENSE_EQUAL);
    c.cdf = uniform;
    for (int r = 0; r < reps; r++)
        m.margin[r] = tolerance;
    return c;
}

/* All 3^6 samples of a law on 0, 1, 2: the distance by hand, and at every level the distance
 * from the true law exceeds its limit in no more than that part of them. */
static void distances_of_all_small_samples(void **state)
{
    enum { N = 6, SAMPLES = 729 };
    const double F[] = { 0.5, 0.8, 1 }, p[] = { 0.5, 0.3, 0.2 };
    double exceeded = 0, largest = 0;
    for (int code = 0; code < SAMPLES; code++) {
        double P = 1, D = 0;
        int digits = code, seen[3] = { 0, 0, 0 };
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
        exceeded += P * (z->off.lo > 0);
        largest = fmax(largest, z->off.lo);
    }
    assert_true(exceeded > 0 && exceeded <= 0.05);
    assert_true(largest > 0.2);
}

/* Kolmogorov's law for n = 2: P(D <= d) = 2 (2d - 1/2)^2 up to 1/2, then 1 - 2 (1 - d)^2. The
 * two replicates have uniform laws of their own, on [0, 1] and [5, 9]. 5 sigma: 6e-7 each. */
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

/* 64 even steps of the square of a uniform number, F(y) = sqrt(y), held against the uniform law:
 * the distance is sup |sqrt(y) - y| = 1/4 at y = 1/4, less than a step of 1/64 away. */
static void words_of_distributions(void **state)
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
    m.below[3] = 1.2; /* no distribution */
    assert_int_equal(word_of(&c), INCONCLUSIVE);
    m.below[3] = 0.5;
    m.y[3] = NAN;
    assert_int_equal(word_of(&c), CONTRADICTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strata_add_up),
        cmocka_unit_test(single_numbers_differ_between_replicates),
        cmocka_unit_test(moments_err_as_declared),
        cmocka_unit_test(words_of_moments),
        cmocka_unit_test(probabilities_err_as_declared),
        cmocka_unit_test(blocks_of_events_are_trials),
        cmocka_unit_test(what_is_no_event),
        cmocka_unit_test(distances_of_all_small_samples),
        cmocka_unit_test(distance_has_kolmogorovs_law),
        cmocka_unit_test(words_of_distributions),
    };
    return cmocka_run_group_tests_name("moments and laws", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_noise.c - the random numbers of DP-GCD at 10^6 draws: Laplace values, their maxima, probabilities of
 * selection. Seeds are fixed. Ten comparisons fail beyond z = 5.5 (4e-8 two-sided) and five chi-square tests beyond
 * the quantile at 1e-7: 9e-7 in total.
 *
 * Serves: dp-gcd */
#include <gsl/gsl_cdf.h>

#include "support/tiny.h"

enum { DRAWS = 1000000 };
static const struct release plain = { .site = "here", .sensitivity = 1 };

static void expect_z(const char *what, double value, double truth, double sd)
{
    double z = (value - truth) / sd;
    if (!(fabs(z) < 5.5))
        fail_msg("%s: %g, expected %g: z = %g", what, value, truth, z);
}

/* Laplace values have mean 0, E|X| = b, variance 2 b^2 and P(|X| > t) = e^(-t/b); none is 0 or infinite. */
static void s7_5_laplace(void **state)
{
    static const double at[3] = { 0.1, 1, 5 };
    const double b = 1.5, root = sqrt(DRAWS);
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 71);
    double sum = 0, size = 0, square = 0, above[3] = { 0 };
    for (long k = 0; k < DRAWS / 4; k++) {
        double x[4] = { 0 };
        noise_laplace(o, &plain, b, 4, x);
        for (int i = 0; i < 4; i++) {
            assert_true(x[i] != 0 && isfinite(x[i]));
            sum += x[i];
            size += fabs(x[i]);
            square += x[i] * x[i];
            for (int c = 0; c < 3; c++)
                above[c] += fabs(x[i]) > at[c] * b;
        }
    }
    expect_z("mean", sum / DRAWS, 0, sqrt(2) * b / root);
    expect_z("E|X|", size / DRAWS, b, b / root);
    expect_z("E X^2", square / DRAWS, 2 * b * b, sqrt(20) * b * b / root);
    for (int c = 0; c < 3; c++) {
        double p = exp(-at[c]);
        expect_z("tail", above[c] / DRAWS, p, sqrt(p * (1 - p)) / root);
    }
    bench_free(bench);
}

/* The largest of q = 1000 values |Lap(b)| has mean b H_q, H_q = 1 + 1/2 + ... + 1/q, and variance b^2 sum 1/k^2. */
static void s7_5_maximum(void **state)
{
    enum { q = 1000, MAXIMA = 20000 };
    struct rng r = rng_stream(72);
    double harmonic = 0, squares = 0, sum = 0, x[q];
    for (int k = 1; k <= q; k++)
        harmonic += 1.0 / k, squares += 1.0 / k / k;
    assert_true(fabs(harmonic - 7.4855) < 5e-5);
    for (int run = 0; run < MAXIMA; run++) {
        double most = 0;
        rng_laplaces(&r, q, 2, x);
        for (int k = 0; k < q; k++)
            most = fmax(most, fabs(x[k]));
        sum += most;
    }
    expect_z("maximum", sum / MAXIMA, 2 * harmonic, 2 * sqrt(squares / MAXIMA));
}

/* The choice is independent of the noise that the derivative of the chosen coordinate gets on its release, and of
 * the noise of the release before. So three products with `won`, the sign of the chosen score, have mean 0: of the
 * noise, of its size less 1, and of the noise before. The scores are 1 and -1, with noise of scale 1. */
static void s7_5_independent(void **state)
{
    enum { PAIRS = 200000 };
    const double score[2] = { 1, -1 }, b[2] = { 1, 1 };
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 73);
    double sum = 0, size = 0, follow = 0, before = 0;
    for (int k = 0; k < PAIRS; k++) {
        double v = 0, won = noise_max(o, &plain, 2, score, b, NULL) ? -1 : 1;
        noise_laplace(o, &plain, 1, 1, &v);
        sum += v * won;
        size += (fabs(v) - 1) * won;
        follow += won * before;                          /* the noise of the draw before must not affect this
                                                            choice */
        before = v;
    }
    expect_z("eta won", sum / PAIRS, 0, sqrt(2.0 / PAIRS));
    expect_z("|eta| won", size / PAIRS, 0, sqrt(1.0 / PAIRS));
    expect_z("won eta", follow / PAIRS, 0, sqrt(2.0 / PAIRS));
    bench_free(bench);
}

/* In DRAWS draws each candidate must win as often as its probability p says, by a chi-square test. The candidates
 * have the scores s, the scales b of the noise and the weights w. p is known to six digits: by quadrature, in the
 * fourth case by the closed form 1 - e^-1 for (s/w, b/w) = (1, 1) and (0, 1). In the last case s/w and b/w have the
 * absolute values of the third. */
static void s7_2_million(void **state)
{
    static const struct { int m; double s[4], b[4], w[4], p[4]; } row[] = {
        { 3, { 1, 0.5, 0 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0.443873, 0.300289, 0.255839 } },
        { 4, { 2, 1, 0, 0 }, { .5, .5, .5, .5 }, { 1, 1, 1, 1 },
          { 0.820407, 0.121617, 0.028988, 0.028988 } },
        { 2, { 1, 1 }, { 1, 2 }, { 1, 1 }, { 0.380945, 0.619055 } },
        { 2, { 2, 0 }, { 2, 0.5 }, { 2, 0.5 }, { 0.632121, 0.367879 } },
        { 2, { -3, 0.25 }, { 3, 0.5 }, { 3, 0.25 }, { 0.380945, 0.619055 } } };
    struct bench *bench = bench_new(true);
    struct oracle *o = bench_open(bench, NULL, 74);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double won[4] = { 0 }, chi = 0;
        for (long run = 0; run < DRAWS; run++)
            won[noise_max(o, &plain, row[k].m, row[k].s, row[k].b, row[k].w)]++;
        for (int j = 0; j < row[k].m; j++)
            chi += pow(won[j] - DRAWS * row[k].p[j], 2) / (DRAWS * row[k].p[j]);
        if (!(chi < gsl_cdf_chisq_Qinv(1e-7, row[k].m - 1)))
            fail_msg("row %zu: chi-square %g of %d", k, chi, row[k].m - 1);
    }
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_5_laplace), cmocka_unit_test(s7_5_maximum),
        cmocka_unit_test(s7_5_independent), cmocka_unit_test(s7_2_million),
    };
    return cmocka_run_group_tests_name("noise of dp-gcd", tests, NULL, NULL);
}

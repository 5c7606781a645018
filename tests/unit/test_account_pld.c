/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_pld.c - bounds of the composed privacy loss, compared with closed forms for one step, quadrature for
 * two steps, exact Gaussian composition and published figures. A step is one release of Gaussian noise of standard
 * deviation sd on a sum of sensitivity 1 over a Poisson sample of rate q. Nothing is random. */
#include "contract/contract.h"

#include "privacy/account.h"
#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "support/known.h"

static double upper(double x) { return erfc(x / sqrt(2)) / 2; }

/* Returns delta of one step at eps, for a record added or removed. eps may be negative. */
static double one_step(double q, double sd, double eps, bool removed)
{
    double r = expm1(eps) + q;           /* where the density of an outcome with the record is e^eps times that
                                            without it (e^-eps times for an added record), the density of N(1, sd^2)
                                            is r/q times that of N(0, sd^2) */
    if (!removed)
        r = expm1(-eps) + q;
    double x = r > 0 ? 0.5 + sd * sd * log(r / q) : -INFINITY;
    if (removed) {
        double with = (1 - q) * upper(x / sd) + q * upper((x - 1) / sd);
        return with - exp(eps) * upper(x / sd);
    }
    double without = upper(-x / sd), with = (1 - q) * upper(-x / sd) + q * upper((1 - x) / sd);
    return without - exp(eps) * with;
}

/* Returns delta of two steps: the mean, over the outcome of the first step, of the delta of the second at the eps
 * that remains. */
static double two_steps(double q, double sd, double eps, bool removed)
{
    double sum = 0, h = sd / 512;
    for (double x = -10 * sd; x < 1 + 10 * sd; x += h) {
        double without = exp(-x * x / (2 * sd * sd)),
               ratio = 1 - q + q * exp((2 * x - 1) / (2 * sd * sd));
        double left = removed ? eps - log(ratio) : eps + log(ratio);
        sum += h * without * (removed ? ratio : 1) * one_step(q, sd, left, removed);
    }
    return sum / (sd * 2.5066282746310005);
}

static void expect_bracket(const char *what, double q, double sd, int steps, double delta,
                           double gap)
{
    struct pld_eps e = pld_sampled_gaussian(q, sd, steps, delta);
    double (*curve)(double, double, double, bool) = steps == 1 ? one_step : two_steps;
    double high = fmax(curve(q, sd, e.upper, true), curve(q, sd, e.upper, false));
    double low = fmax(curve(q, sd, e.lower, true), curve(q, sd, e.lower, false));
    double blur = steps == 1 ? 1e-9 : 1e-7;          /* the curve of the second step has a kink, where the
                                                        quadrature loses digits */
    if (!(high <= delta * (1 + blur) && (e.lower == 0 || low >= delta * (1 - blur)) &&
          e.upper - e.lower <= gap * e.upper))
        fail_msg("%s q=%g sd=%g delta=%g: eps in [%.12g, %.12g], where delta is %.12g and %.12g",
                 what, q, sd, delta, e.lower, e.upper, low, high);
}

static void test_one_step(void **state)
{
    for (double q = 0.003; q <= 1; q *= 6.9)
        for (double sd = 0.5; sd < 5; sd *= 5)
            for (double delta = 1e-3 * q; delta > 1e-10; delta /= 20000)
                expect_bracket("one", q, sd, 1, delta, 1e-4);
}

static void test_two_steps(void **state)
{
    for (double q = 0.03; q <= 1; q *= 5.7)
        for (double sd = 0.7; sd < 3; sd *= 3)
            for (double delta = 1e-3 * q; delta > 1e-8; delta /= 1000)
                expect_bracket("two", q, sd, 2, delta, 1e-4);
}

/* With q = 1, k steps are one Gaussian mechanism of mu = sqrt(k)/sd. */
static void test_gaussian(void **state)
{
    for (double mu = 0.1; mu < 4; mu *= 5)
        for (int k = 1; k < 1000; k = 20 * k + 3)
            for (double delta = 1e-3; delta > 1e-120; delta *= delta) {
                double exact = account_gaussian_eps(mu, delta);
                struct pld_eps e = pld_sampled_gaussian(1, sqrt(k) / mu, k, delta);
                if (!(e.lower <= exact && e.upper >= exact * (1 - 1e-11) &&
                      e.upper - e.lower <= 1e-4 * exact))
                    fail_msg("mu = %g, k = %d, delta = %g: [%.12g, %.12g], exact %.12g", mu, k,
                             delta, e.lower, e.upper, exact);
            }
}

/* An upper bound that another accountant has published must be at least our lower bound, and within 0.1% of our
 * upper bound. Our two bounds are at most 1e-4 apart. */
static void test_published(void **state)
{
    static const double figures[][5] = { { 0.01, 1, 1000, 1e-5, 1.828243645616618 },
        { 0.04, 1.5, 2250, 1e-5, 6.768780706336745 } };
    for (int k = 0; k < 2; k++) {
        const double *f = figures[k];
        struct pld_eps e = pld_sampled_gaussian(f[0], f[1], f[2], f[3]);
        assert_true(e.lower <= f[4] && e.upper >= e.lower);
        expect_near("gap", e.upper, e.lower, 1e-4 * e.upper);
        expect_near("published", e.upper, f[4], 1e-3 * f[4]);
    }
}

static void test_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("composition_eps.csv", row), brackets = 0;
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        struct pld_eps e = pld_sampled_gaussian(r[0], r[1], r[2], r[3]);
        assert_true(e.lower <= r[10] && e.upper <= fmin(r[8], r[10] * 1.001));
        if (!isnan(r[11]))
            assert_true(e.lower <= r[11] && r[11] <= e.upper);
        brackets += e.upper - e.lower <= 1e-3 * e.upper;
    }
    assert_true(brackets >= n - 1);      /* one of the n cases, q = 5e-5 and sd = 0.5, has the lower bound 0 */
}

/* Between a coarse and a fine grid there is a middle one, which is skipped where it cannot help. In two cases it
 * helps. For one step its bounds happen to be closer than those of the fine grid; and where the coarse bounds are
 * far apart it finds the exponential tilt of the loss that the fine grid uses. Without the middle grid the gap
 * between the bounds is twice as wide in either case. */
static void test_middle_grid(void **state)
{
    expect_bracket("one", 0.01, 1, 1, 1e-30, 6e-9);
    struct pld_eps e = pld_sampled_gaussian(1e-4, 0.3, 1000, 1e-30);
    assert_true(e.lower <= e.upper && e.upper - e.lower <= 0.1 * e.upper);
}

/* Epsilon rises with the sampling rate and the number of steps, and falls with noise and delta. The test requires
 * that the upper bound of the smaller epsilon is below the lower bound of the larger. If an argument is out of its
 * range, the bounds are 0 and infinity. */
static void test_order(void **state)
{
    struct pld_eps base = pld_sampled_gaussian(0.02, 1.2, 200, 1e-6);
    const double more[][4] = { { 0.021, 1.2, 200, 1e-6 }, { 0.02, 1.19, 200, 1e-6 },
                               { 0.02, 1.2, 202, 1e-6 }, { 0.02, 1.2, 200, 0.99e-6 } };
    for (int k = 0; k < 4; k++)
        assert_true(pld_sampled_gaussian(more[k][0], more[k][1], more[k][2], more[k][3]).lower >
                    base.upper);
    static const double bad[][4] = { { NAN, 1, 1, 0.1 }, { 0.1, NAN, 1, 0.1 }, { 0.1, 0, 1, 0.1 },
                                     { 1.1, 1, 1, 0.1 }, { 0.1, 1, 0, 0.1 },   { 0.1, 1, 1, 0 },
                                     { 0.1, 1, 1, NAN }, { 0.1, 1, NAN, 0.1 } };
    for (int k = 0; k < 8; k++) {
        struct pld_eps e = pld_sampled_gaussian(bad[k][0], bad[k][1], bad[k][2], bad[k][3]);
        assert_true(e.lower == 0 && isinf(e.upper));
    }
    assert_true(pld_sampled_gaussian(0, 1, 10, 1e-5).upper == 0);
    assert_true(pld_sampled_gaussian(0.01, 1, 1, 0.1).upper == 0);   /* a delta above q costs nothing */
}

/* The masses of the privacy loss of one step on the grid must be probabilities, with the record and without it. */
static void test_cells(void **state)
{
    for (double q = 1.0 / 1024; q <= 1; q *= 8)
        for (double fine = 16; fine < 2000; fine *= 10) {
            double h = q * sqrt(expm1(1 / 1.69)) / fine;
            struct pld_cells c = { .q = q, .sd = 1.3, .h = h };
            double above = 0, below = 0, swapped = 0, merged = 0;
            assert_true(pld_cells_fill(&c, 1e-15));
            for (long k = 0; k < c.n; k++) {
                double fall = exp(-(double)(c.first + k) * h);
                above += c.above[k];
                below += c.below[k];
                swapped += c.above[k] * fall;
                merged += c.below[k] * fall;
                assert_true(c.above[k] >= 0 && c.below[k] >= 0);
            }
            expect_near("above", above + c.beyond, 1, 4e-13 + 4e-18 / h);
            expect_near("below", below, 1, 4e-13 + 4e-18 / h);
            expect_near("without", swapped + c.beyond_without, 1, 4e-13 + 4e-18 / h);
            /* c.below is of losses that are rounded down: its masses without the record are too large, by at most a
             * tenth of a grid step in the mean */
            assert_true((q == 1 || merged >= 1 - 1e-12) && merged < 1 + 0.1 * h);
            free(c.above);
            free(c.below);
        }
}

/* Cells much longer than the distance over which the density changes keep their mass: with the record and without
 * it the masses on the grid and beyond it have the sum 1. */
static void test_coarse_cells(void **state)
{
    for (double q = 1.0 / 1024; q < 1; q *= 16)
        for (double h = 0.2; h < 3; h *= 3) {
            struct pld_cells c = { .q = q, .sd = 0.5, .h = h };
            double above = 0, without = 0;
            assert_true(pld_cells_fill(&c, 1e-15));
            for (long k = 0; k < c.n; k++) {
                above += c.above[k];
                without += c.above[k] * exp(-(double)(c.first + k) * h);
            }
            expect_near("above", above + c.beyond, 1, 1e-12);
            expect_near("without", without + c.beyond_without, 1, 1e-12);
            free(c.above);
            free(c.below);
        }
}

/* The grid begins and ends where no more than `tail` lies beyond it. At q = 1 the outcome x = sd^2 l + 1/2 has the
 * loss l. The outcomes above x have mass Q((x - 1)/sd), those below it Q((1 - x)/sd), where Q is `upper`. Of all
 * multiples of h the first point of the grid is the largest with at most `tail` below it, and the last point the
 * smallest with at most `tail` above it. */
static void test_cells_ends(void **state)
{
    for (double sd = 0.5; sd < 5; sd *= 3)
        for (double tail = 1e-3; tail > 1e-30; tail *= 1e-6) {
            struct pld_cells c = { .q = 1, .sd = sd, .h = 0.01 / sd };
            assert_true(pld_cells_fill(&c, tail));
            double one = c.h * sd, from = ((double)c.first * c.h * sd * sd - 0.5) / sd;
            double to = from + one * (double)(c.n - 1);
            assert_true(upper(-from) <= tail * (1 + 1e-9) && upper(-from - one) > tail * (1 - 1e-9));
            assert_true(upper(to) <= tail * (1 + 1e-9) && upper(to - one) > tail * (1 - 1e-9));
            expect_near("beyond", c.beyond, upper(to), 1e-9 * tail);
            free(c.above);
            free(c.below);
        }
}

static long double upper_long(long double x) { return erfcl(x / sqrtl(2)) / 2; }

/* Returns delta of one step at eps = loss, for a record removed, in extended precision. */
static long double exact_delta(double q, double sd, long double loss)
{
    long double rise = q == 1 ? expl(loss) : expm1l(loss) + q;
    if (rise <= 0)
        return -expm1l(loss);
    long double x = 0.5L + (long double)sd * sd * (logl(rise) - logl(q));
    long double with = (1 - (long double)q) * upper_long(x / sd) + q * upper_long((x - 1) / sd);
    return with - expl(loss) * upper_long(x / sd);
}

/* At every grid point the privacy curve of the masses c.above is the exact curve, to rounding. That of the masses
 * c.below is nowhere above the exact one, and close. */
static void test_cells_curves(void **state)
{
    for (double q = 0.001; q <= 1; q *= 10)
        for (double sd = 0.6; sd < 6; sd *= 3) {
            double scale = fmin(2, q == 1 ? 1 / sd : q * sqrt(expm1(1 / (sd * sd))));
            struct pld_cells c = { .q = q, .sd = sd, .h = scale / 512 };
            assert_true(pld_cells_fill(&c, 1e-15));
            long double with[2] = { c.beyond, 0 }, without[2] = { c.beyond_without, 0 };
            for (long k = c.n - 1; k >= 0; k--) {
                long double loss = (c.first + k) * (long double)c.h, rise = expl(loss);
                long double exact = exact_delta(q, sd, loss);
                expect_near("above", (double)(with[0] - rise * without[0] - exact), 0, 5e-16);
                double short_of = (double)(exact - with[1] + rise * without[1]);
                assert_true(short_of >= -1e-18 && short_of < 1e-4 * scale);
                for (int below = 0; below < 2; below++) {
                    double mass = (below ? c.below : c.above)[k];
                    with[below] += mass;
                    without[below] += mass * expl(-loss);
                }
            }
            free(c.above);
            free(c.below);
        }
}

/* Checks the epsilon that account_inversion finds. At q = 1 it is that of the Gaussian curve. For two steps it is
 * that of two_steps, up to the error of its quadrature. Elsewhere it lies between the bounds of account_pld.h,
 * which are 1e-6 to 1e-3 apart. */
static void test_inversion(void **state)
{
    for (double mu = 0.1; mu < 4; mu *= 3)
        for (int k = 4; k < 1000; k = 5 * k + 3)
            for (double delta = 1e-3; delta > 1e-100; delta *= delta) {
                double exact = account_gaussian_eps(mu, delta);
                double eps = account_sampled_gaussian_eps(1, sqrt(k) / mu, k, delta);
                expect_near("gaussian", eps, exact, 3e-11 * exact);
            }
    for (double q = 0.5; q < 1; q += 0.2) {
        double eps = account_sampled_gaussian_eps(q, 3, 2, 1e-4);
        double delta = fmax(two_steps(q, 3, eps, true), two_steps(q, 3, eps, false));
        expect_near("two steps", delta, 1e-4, 1e-10);
    }
    static const double cases[][4] = { { 0.01, 1, 1000, 1e-5 },  { 0.04, 1.5, 2250, 1e-9 },
                                       { 0.1, 2, 10, 1e-5 },     { 0.02, 4, 1000, 1e-3 },
                                       { 0.5, 5, 100, 1e-40 },   { 0.9, 20, 50, 0.01 },
                                       { 0.0037491565591289784, 1.1856914769961324, 5000,
                                         3.6485830101827164e-07 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double *c = cases[k];
        struct pld_eps e = pld_sampled_gaussian(c[0], c[1], c[2], c[3]);
        double eps = account_sampled_gaussian_eps(c[0], c[1], c[2], c[3]);
        assert_true(e.lower <= eps && eps <= e.upper);
    }
    assert_true(isnan(account_sampled_gaussian_eps(0.1, 1, 1, NAN)) &&
                isnan(account_sampled_gaussian_eps(NAN, 1, 1, 0.1)) &&
                account_sampled_gaussian_eps(0.1, INFINITY, 3, 0.1) == 0);
}

static double inverted(double sd, const void *q)
{
    return account_sampled_gaussian_eps(*(const double *)q, sd, 200, 1e-6);
}

static double bounded(double sd, const void *q)
{
    return pld_sampled_gaussian(*(const double *)q, sd, 200, 1e-6).upper;
}

/* account_calibrate finds the least noise whose epsilon is at most 1, to 1e-10; at q = 1 a closed form gives the
 * same noise. The noise for an upper bound on epsilon is larger, by at most the distance between the bounds. */
static void test_inverse(void **state)
{
    for (double q = 0.05; q <= 1; q *= 20) {
        double sd = account_calibrate(inverted, &q, 1);
        assert_true(inverted(sd, &q) <= 1 && inverted(sd * (1 - 1e-10), &q) > 1);
        if (q == 1)
            expect_near("sigma", sd, account_gaussian_sigma(1, 1e-6) * sqrt(200), 1e-10 * sd);
    }
    double q = 0.05, sd = account_calibrate(inverted, &q, 1);
    double above = account_calibrate(bounded, &q, 1);
    assert_true(bounded(above, &q) <= 1 && above >= sd * (1 - 1e-10) && above < 1.001 * sd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step), cmocka_unit_test(test_two_steps),
        cmocka_unit_test(test_gaussian), cmocka_unit_test(test_published),
        cmocka_unit_test(test_known),    cmocka_unit_test(test_middle_grid), cmocka_unit_test(test_order),
        cmocka_unit_test(test_cells),    cmocka_unit_test(test_inversion),
        cmocka_unit_test(test_inverse),  cmocka_unit_test(test_cells_curves),
        cmocka_unit_test(test_cells_ends), cmocka_unit_test(test_coarse_cells),
    };
    return cmocka_run_group_tests_name("account_pld", tests, NULL, NULL);
}

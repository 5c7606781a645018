/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account.c - accountants with closed forms, against known answers and enumeration. Nothing is random.
 *
 * Serves: dp-gcd */
#include "contract/contract.h"

#include "privacy/account.h"
#include "gdp_curve.h"
#include "support/known.h"

/* --- the Gaussian mechanism */

/* The published epsilon of sigma = 1 at delta = 1e-5 is 4.37717810 (Balle and Wang). At the computed epsilon the
 * privacy curve is at most delta; at a slightly smaller epsilon it exceeds delta. The test computes the curve as
 * the difference of two normal tails that Balle and Wang print; little of it cancels at these values of delta. */
static void test_gaussian(void **state)
{
    expect_above("eps", account_gaussian_eps(1, 1e-5), 4.377178095681224627650116, 1e-11, 1e-15);
    expect_above("sigma", account_gaussian_sigma(1, 1e-6), 4.224678889326835282997321, 1e-10,
                 1e-15);
    for (double mu = 0.5; mu < 6; mu *= 1.1)
        for (double delta = 0.15; delta > 1e-6; delta /= 4) {
            double eps = account_gaussian_eps(mu, delta), less = eps * (1 - 1e-10);
            double curve[2];
            for (int k = 0; k < 2; k++) {
                long double e = k ? less : eps, a = e / mu - mu / 2.0L;
                curve[k] = (double)(erfcl(a / sqrtl(2)) - expl(e) * erfcl((a + mu) / sqrtl(2))) / 2;
            }
            assert_true(curve[0] <= delta && (eps == 0 || curve[1] > delta));
            assert_true(
                fabs(account_gaussian_eps(1 / account_gaussian_sigma(eps + 0.1, delta), delta) /
                         (eps + 0.1) -
                     1) < 1e-9);
        }
    assert_true(account_gaussian_eps(0, 0.1) == 0 && isinf(account_gaussian_eps(INFINITY, 0.1)));
    assert_true(account_gaussian_eps(1, 1) == 0 && isinf(account_gaussian_eps(1, 0)));
    assert_true(isinf(account_gaussian_eps(NAN, 0.1)) && isinf(account_gaussian_eps(1, NAN)));
    assert_true(account_gaussian_eps(0.1, 0.04) == 0 && account_gaussian_eps(0.1, 0.039) > 0);
    assert_true(account_gaussian_delta(1, 1e3) > 0 && account_gaussian_delta(NAN, 1) == 1);
    /* Without noise delta is 1 at every epsilon; with noise it is 0 at an infinite epsilon. */
    assert_true(account_gaussian_delta(INFINITY, INFINITY) == 1 && account_gaussian_delta(INFINITY, 1) == 1);
    assert_true(account_gaussian_delta(1, INFINITY) == 0 && account_gaussian_delta(0, 1) == 0);
    assert_true(account_gaussian_eps(1, 1e-300) > account_gaussian_eps(1, 1e-280));
    assert_true(isinf(account_gaussian_sigma(NAN, 0.1)) &&
                account_gaussian_sigma(INFINITY, 0.1) == 0);
}

/* Where delta is near the smallest double: the eps that is returned for it is put into the difference of two
 * normal tails that Balle and Wang print, in long double, whose range is larger. The difference is at most delta
 * there, and above delta at an eps smaller by 1e-10. With a = eps/mu - mu/2 it loses log10(a/mu) of 19 digits. */
static void test_gaussian_tail(void **state)
{
    for (double mu = 0.03; mu < 30; mu *= 3)
        for (double delta = 1e-280; delta > 0; delta /= 1e6) {
            double eps = account_gaussian_eps(mu, delta);
            long double curve[2];
            for (int k = 0; k < 2; k++) {
                long double e = k ? eps * (1 - 1e-10L) : eps, a = e / mu - mu / 2.0L;
                curve[k] = (erfcl(a / sqrtl(2)) - expl(e) * erfcl((a + mu) / sqrtl(2))) / 2;
            }
            assert_true(curve[0] <= delta && curve[1] > delta);
            double sigma = account_gaussian_sigma(eps, delta);
            expect_near("sigma", sigma * mu, 1, 1e-10);
            assert_true(account_gaussian_eps(1 / sigma, delta) <= eps * (1 + 1e-11));
        }
    assert_true(account_gaussian_eps(1, 1e-300) < account_zcdp_cks(0.5, 1e-300, NULL));
}

static void test_gaussian_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("gaussian_eps.csv", row);
    for (int k = 0; k < n; k++)
        expect_above("eps", account_gaussian_eps(1 / row[k].at[0], row[k].at[1]), row[k].at[2],
                     1e-11, 1e-15);
    n = known_answers("gaussian_delta.csv", row);
    for (int k = 0; k < n; k++)
        if (row[k].at[2] > 1e-300)
            expect_above("delta", account_gaussian_delta(1 / row[k].at[0], row[k].at[1]),
                         row[k].at[2], 2e-10, 1e-15);
        else
            assert_true(account_gaussian_delta(1 / row[k].at[0], row[k].at[1]) > 0);
    n = known_answers("gaussian_sigma.csv", row);
    for (int k = 0; k < n; k++)
        expect_above("sigma", account_gaussian_sigma(row[k].at[0], row[k].at[1]), row[k].at[2],
                     1e-10, 1e-15);
}

/* --- zCDP */

static double cks_at(double rho, double delta, double a)
{
    return rho * a - (log(delta) + log(a)) / (a - 1) + log1p(-1 / a);
}

static void test_zcdp(void **state)
{
    expect_above("bs", account_zcdp_bun_steinke(0.5, 1e-6), 5.75652176977, 1e-11, 1e-11);
    for (double rho = 1e-6; rho < 1e3; rho *= 3)
        for (double delta = 0.1; delta > 1e-20; delta /= 30) {
            double order, least = INFINITY, eps = account_zcdp_cks(rho, delta, &order);
            for (double t = 1e-4; t < 1e6; t *= 1.001)
                least = fmin(least, cks_at(rho, delta, 1 + t));
            assert_true(eps >= 0 && eps <= fmax(0, least) * (1 + 1e-10) + 1e-10);
            assert_true(eps >= least * (1 - 1e-5) - 1e-5);
            assert_true(eps <= account_zcdp_bun_steinke(rho, delta) * (1 + 1e-10));
            assert_true(eps >= account_gaussian_eps(sqrt(2 * rho), delta) * (1 - 1e-10));
            assert_true(eps == 0 || fabs(cks_at(rho, delta, order) - eps) < 1e-8 * (1 + eps));
            double back = account_zcdp_rho(account_zcdp_bun_steinke(rho, delta), delta);
            expect_near("rho", back, rho, 1e-10 * rho);
        }
    assert_true(account_zcdp_cks(0, 0.1, NULL) == 0 && isinf(account_zcdp_cks(NAN, 0.1, NULL)));
    assert_true(isinf(account_zcdp_bun_steinke(-1, 0.1)) && account_zcdp_rho(NAN, 0.1) == 0);
}

static void test_zcdp_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("zcdp_eps.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        double order, eps = account_zcdp_cks(r[0], r[1], &order);
        expect_above("bs", account_zcdp_bun_steinke(r[0], r[1]), r[2], 1e-11, 1e-15);
        expect_above("cks", eps, r[3], 1e-10, 1e-15);
        expect_near("order", order, r[4], 1e-6 * r[4]);
        expect_above("exact", account_gaussian_eps(sqrt(2 * r[0]), r[1]), r[5], 1e-11, 1e-15);
    }
}

/* --- pure mechanisms */

static double advanced(double k, double e, double delta)
{
    return account_advanced(1, &k, &e, delta);
}

/* Returns delta at eps of k randomised responses of epsilon eps0 each, summed outcome by outcome. */
static double enumerated(int k, double eps0, double eps)
{
    double p = 1 / (1 + exp(-eps0)), sum = 0;
    for (int outcome = 0; outcome < 1 << k; outcome++) {
        int ones = __builtin_popcount((unsigned)outcome);
        double P = pow(p, ones) * pow(1 - p, k - ones), Q = pow(1 - p, ones) * pow(p, k - ones);
        sum += fmax(0, P - exp(eps) * Q);
    }
    return sum;
}

static void s7_4_pure_optimal(void **state)
{
    for (int k = 1; k <= 10; k++)
        for (double eps0 = 0.01; eps0 < 3; eps0 *= 2)
            for (double delta = 0.2; delta > 1e-9; delta /= 7) {
                double eps = account_pure_optimal(eps0, 0, k, delta);
                assert_true(enumerated(k, eps0, eps) <= delta * (1 + 1e-9));
                if (eps > 0 && eps < k * eps0)
                    assert_true(enumerated(k, eps0, eps * (1 - 1e-8)) > delta * (1 - 1e-9));
                double all = k;
                assert_true(eps <= account_basic(1, &all, &eps0));
            }
    /* One (eps0, delta0) mechanism costs exactly eps0. Two such mechanisms have no finite epsilon at a delta below
     * 2 delta0. */
    expect_near("one", account_pure_optimal(0.5, 1e-3, 1, 1e-3), 0.5, 1e-6);
    expect_near("one", account_pure_optimal(1, 0, 1, 1e-12), 1, 1e-9);
    assert_true(isinf(account_pure_optimal(0.5, 1e-3, 2, 1.9e-3)));
    assert_true(isfinite(account_pure_optimal(0.5, 1e-3, 2, 2e-3)));
    assert_true(isinf(account_pure_optimal(NAN, 0, 3, 0.1)) &&
                account_pure_optimal(0, 0, 3, 0.1) == 0);
    /* Each row is T and the epsilon that 2T pure mechanisms of epsilon eps' cost at delta = 1e-6. eps' is what
     * equation (2) of the DP-GCD paper allows each mechanism if the whole epsilon is 1. */
    static const double best[][2] = { { 1, 0.2594 }, { 2, 0.3670 }, { 4, 0.5191 }, { 7, 0.6755 },
                                      { 10, 0.7080 }, { 15, 0.7250 }, { 20, 0.7361 } };
    for (int k = 0; k < 7; k++) {
        double share = account_gcd_share(GCD_EQ2, 1, best[k][0], 1e-6);
        expect_near("optimal", account_pure_optimal(share, 0, 2 * (long)best[k][0], 1e-6),
                    best[k][1], 6e-5);
    }
}

static void test_pure_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("pure_composition.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        double rho = account_pure_rho(1, &r[2], &r[0], false);
        expect_above("basic", account_basic(1, &r[2], &r[0]), r[4], 1e-11, 1e-15);
        expect_above("advanced", advanced(r[2], r[0], r[3]), r[5], 1e-11, 1e-14);
        expect_above("zcdp", account_zcdp_bun_steinke(rho, r[3]), r[6], 2e-11, 1e-14);
        expect_above("zcdp-cks", account_zcdp_cks(rho, r[3], NULL), r[7], 1e-10, 1e-14);
        double best = account_pure_optimal(r[0], 0, (long)r[2], r[3]);
        assert_true(best <= r[4] * (1 + 1e-11) && best <= r[5] && best <= r[7]);
    }
    assert_true(isinf(advanced(1, NAN, 0.1)) && isinf(advanced(1, 1, 0)));
}

/* --- DP-GCD */

static void s7_4_gcd(void **state)
{
    static const double closed[][3] = { { 1, 0.067260, 0.129688 }, { 2, 0.047560, 0.091764 },
        { 4, 0.033630, 0.064917 }, { 7, 0.025422, 0.049086 }, { 10, 0.021269, 0.041074 },
        { 15, 0.017366, 0.033541 }, { 20, 0.015040, 0.029049 } };
    for (int k = 0; k < 7; k++) {
        double T = closed[k][0], share = account_gcd_share(GCD_EQ2, 1, T, 1e-6);
        expect_near("closed", account_gcd_share(GCD_CLOSED, 1, T, 1e-6), closed[k][1], 6e-7);
        expect_near("eq2", share, closed[k][2], 6e-7);
        expect_near("min", account_gcd_share(GCD_MIN, 1, T, 1e-6), fmax(share, 0.5 / T), 1e-10);
        assert_true(account_gcd_eps(GCD_EQ2, share, T, 1e-6) <= 1);
        assert_true(account_gcd_eps(GCD_EQ2, share * (1 + 1e-9), T, 1e-6) > 1);
    }
    expect_above("eq2", account_gcd_eps(GCD_EQ2, 0.05, 10, 1e-6), 1.226665, 1e-6, 4e-7);
    expect_above("eq2", account_gcd_eps(GCD_EQ2, 0.1, 5, 1e-6), 1.767429, 1e-6, 4e-7);
    expect_above("eq2", account_gcd_eps(GCD_EQ2, 0.01, 100, 1e-6), 0.763485, 1e-6, 4e-7);
    for (int k = 0; k < 7; k++) {            /* by equation (2), the paper's closed form of eps' spends about half
                                                of the promised epsilon */
        static const double spent[7] = { 0.5094, 0.5093, 0.5092, 0.5092, 0.5091, 0.5091, 0.5091 };
        double share = account_gcd_share(GCD_CLOSED, 1, closed[k][0], 1e-6);
        expect_near("eq2 of closed", account_gcd_eps(GCD_EQ2, share, closed[k][0], 1e-6), spent[k],
                    6e-5);
    }
    /* In the corrected account, GCD_CORRECTED, the noisy maximum counts twice. Basic composition is best for few
     * rounds, then zCDP. */
    expect_near("corrected", account_gcd_share(GCD_CORRECTED, 1, 1, 1e-6), 1.0 / 3, 1e-9);
    expect_near("corrected", account_gcd_share(GCD_CORRECTED, 1, 20, 1e-6), 0.018692, 6e-7);
    double times[] = { 10, 10 }, shares[] = { 0.041074, 0.082148 };
    expect_near("advanced", account_advanced(2, times, shares, 1e-6), 1.6142, 2e-4);
    for (int kind = 0; kind < GCD_ACCOUNTS; kind++)
        assert_true(isinf(account_gcd_eps((enum gcd_account)kind, NAN, 3, 0.1)) &&
                    account_gcd_share((enum gcd_account)kind, 1, 3, NAN) == 0);
}

/* The eps' of a mechanism of DP-GCD falls with more rounds T, rises with epsilon and does not fall with delta. The
 * account that charges twice for scores which may move in both directions (GCD_CORRECTED) never gives a larger eps'
 * than GCD_MIN. The closed form is proportional to eps/sqrt(T log 1/delta). */
static void s7_4_gcd_monotone(void **state)
{
    for (int kind = 0; kind < GCD_ACCOUNTS; kind++)
        for (double T = 1; T < 3000; T *= 3)
            for (double eps = 0.05; eps < 20; eps *= 2)
                for (double delta = 1e-9; delta < 1e-2; delta *= 20) {
                    enum gcd_account a = (enum gcd_account)kind;
                    double share = account_gcd_share(a, eps, T, delta);
                    assert_true(share > 0 && isfinite(share));
                    assert_true(account_gcd_share(a, eps, T + 1, delta) < share);
                    assert_true(account_gcd_share(a, eps * 1.1, T, delta) > share);
                    assert_true(account_gcd_share(a, eps, T, delta * 1.1) >= share);
                    assert_true(account_gcd_share(GCD_CORRECTED, eps, T, delta)
                                <= account_gcd_share(GCD_MIN, eps, T, delta));
                }
    double share = account_gcd_share(GCD_CLOSED, 0.4, 3, 1e-5);
    expect_near("eps", account_gcd_share(GCD_CLOSED, 0.8, 3, 1e-5), 2 * share, 1e-13);
    expect_near("T", account_gcd_share(GCD_CLOSED, 0.4, 12, 1e-5), share / 2, 1e-13);
    expect_near("delta", account_gcd_share(GCD_CLOSED, 0.4, 3, 1e-20), share / 2, 1e-13);
}

static void s2_6_gcd_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("dpgcd_calibration.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        double share = account_gcd_share(GCD_CLOSED, r[3], r[1], r[2]), times = 2 * r[1];
        expect_near("closed", share, r[4], 1e-10 * r[4]);
        expect_above("eq2", account_gcd_eps(GCD_EQ2, r[4], r[1], r[2]), r[5], 1e-11, 1e-14);
        double eq2 = account_gcd_share(GCD_EQ2, r[3], r[1], r[2]);
        assert_true(eq2 <= r[6] * (1 + 1e-14) && eq2 >= r[6] * (1 - 1e-10));
        expect_near("basic", account_gcd_share(GCD_BASIC, r[3], r[1], r[2]), r[7], 1e-10 * r[7]);
        expect_above("zcdp",
                     account_zcdp_cks(account_pure_rho(1, &times, &r[4], false), r[2], NULL), r[8],
                     1e-10, 1e-14);
    }
}

/* --- account_calibrate: the least argument at which a falling function is at most a given value */

static double hyperbola(double x, const void *ctx) { return *(const double *)ctx / x; }
static double steep(double x, const void *ctx) { return exp(-x) / x; }
static double step_down(double x, const void *ctx) { return x < 3 ? 2 : 0.5; }

/* Counts the calls of `counted`, which returns scale/x. */
struct counted { double scale; int calls; };
static double counted(double x, const void *ctx)
{
    struct counted *c = *(struct counted *const *)ctx;
    c->calls++;
    return c->scale / x;
}

/* A smooth function is solved by interpolation: after the doublings that bracket the solution fewer than 24
 * evaluations must suffice, while halving the bracket to 1e-11 would take 36. */
static void test_calibrate_interpolates(void **state)
{
    for (double scale = 1.3; scale < 1000; scale *= 7) {
        struct counted c = { scale, 0 }, *at = &c;
        expect_above("hyperbola", account_calibrate(counted, &at, 1), scale, 1e-10, 1e-15);
        assert_true(c.calls - log2(scale) < 24);
    }
}

/* Returns 1/x with a relative ripple of 1e-11, as the rounding of a transform makes. */
static double uneven(double x, const void *ctx) { return 1 / x * (1 + 1e-11 * sin(1e16 * fmod(x, 1e-9))); }

static void test_calibrate(void **state)
{
    for (double eps = 1e-3; eps < 1e3; eps *= 1.07) {
        double x = account_calibrate(uneven, NULL, eps);
        assert_true(uneven(x, NULL) <= eps && x >= 1 / eps * (1 - 1e-10) && x <= 1 / eps * (1 + 1e-9));
    }
    for (double scale = 1e-6; scale < 1e7; scale *= 37)
        expect_above("hyperbola", account_calibrate(hyperbola, &scale, 0.7), scale / 0.7, 1e-10,
                     1e-15);
    double x = account_calibrate(steep, NULL, 1e-3);
    assert_true(steep(x, NULL) <= 1e-3 && steep(x * (1 - 1e-10), NULL) > 1e-3);
    expect_above("step", account_calibrate(step_down, NULL, 1), 3, 1e-10, 0);
    assert_true(isinf(account_calibrate(step_down, NULL, 0.4)) &&
                isinf(account_calibrate(steep, NULL, NAN)));
    assert_true(account_calibrate(step_down, NULL, 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian),     cmocka_unit_test(test_gaussian_tail),
        cmocka_unit_test(test_calibrate_interpolates),
        cmocka_unit_test(test_gaussian_known),
        cmocka_unit_test(test_zcdp),         cmocka_unit_test(test_zcdp_known),
        cmocka_unit_test(s7_4_pure_optimal), cmocka_unit_test(test_pure_known),
        cmocka_unit_test(s7_4_gcd),          cmocka_unit_test(s7_4_gcd_monotone),
        cmocka_unit_test(s2_6_gcd_known),
        cmocka_unit_test(test_calibrate),
    };
    return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}

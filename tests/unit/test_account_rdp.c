/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_rdp.c - Renyi divergences, compared with series, quadrature and known answers, and the (eps, delta)
 * that follow. Nothing is random.
 *
 * Serves: resque */
#include "contract/contract.h"

#include <gsl/gsl_integration.h>

#include "privacy/account_rdp.h"
#include "support/known.h"

/* --- the Poisson-sampled Gaussian */

/* Returns the divergence of order a of the Gaussian with noise s, sampled at rate q, by the series of Mironov,
 * Talwar & Zhang 2019, section 3.3, in long double. The binomial coefficients of a fractional order alternate in
 * sign. */
static long double series(long double q, long double s, long double a)
{
    long double z0 = s * s * logl(1 / q - 1) + 0.5L, sum = 0, choose = 1;
    for (int k = 0;; k++) {
        long double j = a - k, root = s * sqrtl(2);
        long double left = powl(1 - q, j) * powl(q, k) * expl(k * (k - 1.0L) / (2 * s * s)) *
                           erfcl((k - z0) / root) / 2;
        long double right = powl(1 - q, k) * powl(q, j) * expl(j * (j - 1) / (2 * s * s)) *
                            erfcl((z0 - j) / root) / 2;
        long double term = choose * (left + right);
        sum += term;
        if (k == 140) {                  /* The sum ends here, since e^(k^2/2) would overflow. The remaining terms
                                            alternate, so that half of the last term is taken off. */
            sum -= term / 2;
            break;
        }
        choose *= (a - k) / (k + 1);
    }
    return logl(sum) / (a - 1);
}

/* With noise of 1 and more the terms of the series stay moderate. At these orders they fall as k^-(a+2), so that
 * taking off half of the last term leaves an error of 140^-(a+3) < 1e-15. */
static void test_sampled_series(void **state)
{
    for (double q = 0.003; q < 0.5; q *= 3)
        for (double s = 1; s < 5; s *= 1.5)
            for (double a = 4.25; a < 11; a += 0.83) {
                double truth = (double)series(q, s, a);
                expect_above("divergence", rdp_sampled_gaussian(q, s, a), truth, 1e-11, 2e-12);
            }
}

/* At integer orders the divergence is computed in two independent ways, as a binomial sum and by quadrature. The
 * two agree, for small sampling rates too. */
static void test_sampled_integer(void **state)
{
    for (double q = 1e-6; q < 1; q *= 9)
        for (double s = 0.3; s < 20; s *= 2)
            for (int a = 2; a <= 64; a = 2 * a + 1) {
                double sum = rdp_sampled_gaussian(q, s, a),
                       integral = rdp_log_moment(q, s, a) / (a - 1);
                expect_near("integer", sum, integral, 1e-11 * integral);
            }
    /* published: with q = 0.01 and sd = 1, 1000 steps cost eps = 2.5383475... at delta = 1e-5, by order 8 and
     * Mironov's conversion */
    expect_above("published", 1000 * rdp_sampled_gaussian(0.01, 1, 8) + log(1e5) / 7,
                 2.538347545458918, 1e-10, 1e-14);
}

static void test_sampled_edges(void **state)
{
    assert_true(rdp_sampled_gaussian(0, 1, 3) == 0 && isinf(rdp_sampled_gaussian(0.1, 0, 3)));
    assert_true(isinf(rdp_sampled_gaussian(NAN, 1, 3)) && isinf(rdp_sampled_gaussian(0.1, NAN, 3)));
    assert_true(isinf(rdp_sampled_gaussian(0.1, 1, 1)) &&
                isinf(rdp_sampled_gaussian(0.1, 1, 11.5)));
    assert_true(isinf(rdp_sampled_gaussian(0.1, 1, 1025)) &&
                isfinite(rdp_sampled_gaussian(0.1, 1, 1024)));
    expect_above("q = 1", rdp_sampled_gaussian(1, 2, 5.5), 5.5 / 8, 1e-11, 1e-15);
    for (double a = 1.3; a < 11; a += 0.7)           /* near q = 1 the divergence is close to that of q = 1 */
        expect_near("q to 1", rdp_sampled_gaussian(1 - 1e-9, 1, a), a / 2, 1e-6 * a);
    /* E (p/p0)^a under p0, the density of the noise alone, is 1 at a = 0 and 1, below 1 between and above 1
     * outside; p is the density with the sampled record. At a = 2 it is 1 + q^2 (e^(1/s^2)-1). */
    for (double q = 0.001; q < 1; q *= 3)
        for (double s = 0.045; s < 9; s *= 2) {
            assert_true(rdp_log_moment(q, s, 0.5) < 0 && rdp_log_moment(q, s, -0.5) > 0);
            double second = log1p(q * q * expm1(1 / (s * s)));
            expect_near("a = 2", rdp_log_moment(q, s, 2), second, 1e-12 * second);
        }
}

/* q, s, a: rate, noise and order. peak: a bound of the integrand's logarithm, which is subtracted from it. */
struct power { double q, s, a, peak; };

static double power_density(double z, void *ctx)
{
    const struct power *p = ctx;
    double w = (2 * z - 1) / (2 * p->s * p->s);
    double log_ratio = w > 0 ? w + log(p->q + (1 - p->q) * exp(-w)) : log1p(p->q * expm1(w));
    return exp(p->a * log_ratio - z * z / (2 * p->s * p->s) - p->peak);
}

/* With little noise the integrand of rdp_log_moment bends sharply where the densities with and without the record
 * are equal. The result is compared with adaptive quadrature. */
static void test_little_noise(void **state)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(4000);
    for (double s = 0.05; s < 0.3; s *= 1.4)
        for (double a = 1.05; a < 6; a *= 1.31) {
            struct power p = { 0.3, s, a, a * (a - 1) / (2 * s * s) + a * log(0.3) };
            gsl_function f = { power_density, &p };
            double sum = 0, error, from = -10 * s, to = a + 10 * s;
            for (int k = 0; k < 32; k++) {
                double part;
                assert_int_equal(gsl_integration_qag(&f, from + (to - from) * k / 32,
                                                     from + (to - from) * (k + 1) / 32, 1e-17,
                                                     1e-12, 4000, GSL_INTEG_GAUSS61, w, &part,
                                                     &error),
                                 0);
                sum += part;
            }
            double truth = p.peak + log(sum / (s * sqrt(2 * M_PI)));
            expect_near("log moment", rdp_log_moment(0.3, s, a), truth, 1e-10 * truth);
        }
    gsl_integration_workspace_free(w);
}

/* If the noise s is below 0.003, rdp_log_moment returns a bound whose divergence is larger than the true one. p and
 * p0 are the densities with and without a record that is sampled at rate q, and E is the mean under p0. At a = 2,
 * where E (p/p0)^a = 1 + q^2 (e^(1/s^2) - 1), the bound is above the logarithm of this, by at most log(1/q). At a =
 * -1, where E (p/p0)^a is at most 1/(1 - q), the bound is at least log(1/(1 - q)). At a = 1/2 the bound is at most
 * log(1 - q). */
static void test_next_to_no_noise(void **state)
{
    for (double s = 1e-6; s < 0.003; s *= 10)
        for (double q = 0.01; q < 1; q += 0.49) {
            double truth = 1 / (s * s) + 2 * log(q), bound = rdp_log_moment(q, s, 2);
            assert_true(bound >= truth * (1 - 1e-12) && bound <= (truth - log(q)) * (1 + 1e-12));
            assert_true(rdp_log_moment(q, s, -1) >= log(1 / (1 - q)) * (1 - 1e-9));
            assert_true(rdp_log_moment(q, s, 0.5) <= log1p(-q));
        }
}

static void test_sampled_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("rdp_poisson_gaussian.csv", row), fractional = 0;
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        fractional += r[2] != rint(r[2]);
        expect_above("divergence", rdp_sampled_gaussian(r[0], r[1], r[2]), r[3], 1e-11, 1e-13);
    }
    assert_true(n > 190 && fractional > 90);
}

/* --- pure mechanisms */

/* Returns 1/(a-1) log of the integral of p^a p0^(1-a), p and p0 the densities of Laplace(1) noise around eps0 and
 * 0, piece by piece: the ratio p/p0 is constant outside of [0, eps0]; inside it is exponential, and the midpoint
 * rule is used. */
static double laplace_integral(double eps0, double a)
{
    double sum = 0;
    int n = 200000;
    for (int k = 0; k < n; k++) {
        double x = (k + 0.5) * eps0 / n;             /* p is centred at eps0, p0 at 0 */
        sum += exp(-a * (eps0 - x) - (1 - a) * x) / 2 * eps0 / n;
    }
    sum += exp(-a * eps0) / 2 + exp(-(1 - a) * eps0) / 2;
    return log(sum) / (a - 1);
}

static void test_pure(void **state)
{
    for (double eps0 = 0.1; eps0 < 6; eps0 *= 2.3)
        for (double a = 1.5; a < 20; a *= 2)
            expect_near("laplace", rdp_laplace(eps0, a), laplace_integral(eps0, a), 1e-8);
    for (double eps0 = 1e-8; eps0 < 1e3; eps0 *= 10)
        for (double a = 1.001; a < 1000; a *= 3) {
            double laplace = rdp_laplace(eps0, a), pure = rdp_pure(eps0, a);
            assert_true(laplace > 0 && laplace <= pure * (1 + 1e-11) && pure <= eps0 * (1 + 1e-11));
            assert_true(rdp_exponential(eps0, a) <= pure);
        }
    expect_near("small", rdp_laplace(1e-9, 2), 1e-18, 1e-26);    /* near eps0 = 0 the divergence is a eps0^2/2 */
    assert_true(isinf(rdp_laplace(NAN, 2)) && isinf(rdp_pure(NAN, 2)) &&
                isinf(rdp_exponential(-1, 2)));
}

static void test_pure_known(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("laplace_rdp.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        expect_above("laplace", rdp_laplace(r[0], r[1]), r[2], 1e-11, 1e-15);
        expect_above("pure", rdp_pure(r[0], r[1]), r[3], 1e-11, 1e-15);
        expect_above("exponential", rdp_exponential(r[0], r[1]), fmin(r[0], r[4]), 1e-11, 1e-15);
    }
}

/* --- curves of divergences over the orders, and the epsilon that follows */

static void test_known_composition(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("composition_eps.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        struct rdp c = { .failure = 0 };
        double order[3], eps[3];
        rdp_add_sampled_gaussian(&c, r[2], r[0], r[1]);
        eps[0] = rdp_eps_integer(RDP_MIRONOV, &c, r[3], &order[0]);
        eps[1] = rdp_eps_integer(RDP_CKS, &c, r[3], &order[1]);
        eps[2] = rdp_eps(RDP_CKS, &c, r[3], &order[2]);
        expect_above("mironov", eps[0], r[4], 2e-11, 1e-13);
        expect_above("cks", eps[1], r[6], 2e-11, 1e-13);
        expect_above("all orders", eps[2], r[8], 2e-11,
                     2e-10); /* the published series has 10 digits */
        assert_true(order[0] == r[5] && order[1] == r[7] && order[2] == r[9]);
    }
    n = known_answers("tree_single_epoch.csv", row);
    for (int k = 0; k < n; k++) {
        const double *r = row[k].at;
        struct rdp c = { .failure = 0 };
        double order;
        rdp_add_gaussian(&c, r[2], 1 / r[1]);
        expect_above("tree", rdp_eps(RDP_CKS, &c, r[4], &order), r[5], 2e-11, 1e-13);
        assert_true(order == r[6]);
    }
}

/* The figures of the table in item P12 of docs/papers/resque.md follow from divergences that are linear in the
 * order, converted at the best order, and from the exact Gaussian curve. */
static void p12_linear(void **state)
{
    static const double table[][5] = { { 1, 1e-5, 5.7985, 5.29853, 4.37718 },
        { 2, 1e-5, 10.5971, 2.52426, 1.99309 }, { 5, 1e-5, 24.9926, 0.97971, 0.72552 },
        { 10, 1e-5, 48.9853, 0.48485, 0.34067 }, { 5, 1e-6, 27.2826, 1.07130, 0.83412 } };
    for (int k = 0; k < 5; k++) {
        double mu = 1 / table[k][0], delta = table[k][1], tau = mu * mu / 2;
        double best = 1 + sqrt(-log(delta) / tau);
        expect_near("order", best, table[k][2], 6e-5);
        expect_near("rdp", rdp_convert(RDP_MIRONOV, rdp_gaussian(mu, best), best, delta),
                    table[k][3], 6e-6);
        expect_near("zcdp", account_zcdp_bun_steinke(tau, delta), table[k][3], 6e-6);
        expect_near("exact", account_gaussian_eps(mu, delta), table[k][4], 6e-6);
        struct rdp c = { .failure = 0 };
        rdp_add_gaussian(&c, 1, mu);
        double grid = rdp_eps(RDP_MIRONOV, &c, delta, NULL);
        assert_true(grid >= table[k][3] - 6e-6 && grid < table[k][3] * 1.001);
    }
}

/* For a failure probability f the conversion of ReSQue's Corollary 1 gives the least epsilon e, over the orders and
 * over the shares s of delta, with s delta + (1 + exp(e)) f <= delta. It must be at most the least over a grid of
 * shares, at most 0.2% below that (above 5, if no share of the grid will do), and at least the epsilon without
 * failures. */
static void c36_failure(void **state)
{
    for (double f = 1e-12; f < 1e-4; f *= 10)
        for (double delta = 1e-7; delta < 0.1; delta *= 10) {
            struct rdp c = { .failure = f }, plain = { .failure = 0 };
            rdp_add_gaussian(&c, 1, 0.4);
            rdp_add_gaussian(&plain, 1, 0.4);
            double eps = rdp_eps(RDP_MIRONOV, &c, delta, NULL), least = INFINITY;
            for (int k = 0; k < RDP_ORDERS; k++)
                for (double share = 1; share > 0.05; share *= 0.998) {
                    double a = rdp_order[k], e = 0.08 * a - log(delta * share) / (a - 1);
                    if (delta * share + (1 + exp(e)) * f <= delta)
                        least = fmin(least, e);
                }
            assert_true(eps <= least * (1 + 1e-11));
            assert_true(eps >= 0.998 * least || (isinf(least) && eps > 5));
            assert_true(eps >= rdp_eps(RDP_MIRONOV, &plain, delta, NULL));
            assert_true(f < delta / 3 || isinf(eps) || 2 * f < delta);
        }
    /* ReSQue's Theorem 3: at order 4 log(2/delta)/eps the divergence eps/2 is converted with half of delta; the
     * other half is for failures */
    static const double table[][2] = { { 0.1, 0.7504 }, { 0.5, 0.7522 }, { 0.99, 0.7543 } };
    for (int k = 0; k < 3; k++) {
        double e = table[k][0], a = 4 * log(2 / 1e-6) / e;
        expect_near("theorem 3", rdp_convert(RDP_MIRONOV, e / 2, a, 5e-7) / e, table[k][1], 6e-5);
    }
}

static void test_curves(void **state)
{
    struct rdp a = { .failure = 1e-9 }, b = { .failure = 2e-9 }, sum = { .failure = 0 };
    rdp_add_gaussian(&a, 3, 0.2);
    rdp_add_laplace(&b, 2, 0.3);
    rdp_add_pure(&b, 1, 0.1);
    rdp_add_exponential(&b, 1, 0.2);
    rdp_add(&sum, 5, &a);
    rdp_add(&sum, 1, &b);
    expect_near("failures", sum.failure, 7e-9, 1e-20);
    for (int k = 0; k < RDP_ORDERS; k++) {
        double o = rdp_order[k],
               parts = 2 * rdp_laplace(0.3, o) + rdp_pure(0.1, o) + rdp_exponential(0.2, o);
        assert_true(k == 0 || o > rdp_order[k - 1]);
        expect_near("sum", sum.divergence[k], 15 * 0.02 * o + parts, 1e-10 * o);
    }
    rdp_add_gaussian(&a, 0, INFINITY);               /* zero uses of a mechanism cost nothing, even if one use has
                                                        no finite epsilon */
    assert_true(isfinite(rdp_eps(RDP_CKS, &a, 1e-5, NULL)));
    rdp_add_gaussian(&a, 1, NAN);
    assert_true(isinf(rdp_eps(RDP_CKS, &a, 1e-5, NULL)));
}

/* --- ReSQue's Proposition 7 by quadrature. With a record that is drawn with probability s, the mixtures are (1 -
 * s) R + s P and (1 - s) R + s Q, where P = N(mu, 1), Q = N(-mu, 1) and R = N(0, 1) */

static double mixture_divergence(double s, double mu, double a)
{
    double sum = 0, h = 1.0 / 64;
    for (double x = -30; x < 60; x += h) {
        double r = exp(-x * x / 2), p = s * exp(-(x - mu) * (x - mu) / 2) + (1 - s) * r;
        double q = s * exp(-(x + mu) * (x + mu) / 2) + (1 - s) * r;
        if (p > 0 && q > 0) {
            double t = a * log(p / q);
            sum += h * q * (expm1(t) - a * expm1(log(p / q))); /* what is subtracted integrates to 0 */
        }
    }
    return log1p(sum / 2.5066282746310005) / (a - 1);
}

static void p3_replacement(void **state)
{
    static const double table[][5] = { { 1.0 / 41, 1.0 / 3, 2, 3.966e-4, 5.156e-3 },
                                       { 0.01, 0.1, 29.7, 2.971e-4, 3.861e-3 } };
    for (int k = 0; k < 2; k++) {
        const double *t = table[k];
        double mu = sqrt(t[1] / 2);
        expect_near("quadrature", mixture_divergence(t[0], mu, t[2]), t[3], 1e-3 * t[3]);
        expect_near("bound", rdp_replacement(t[0], t[1], t[2]), t[4], 1e-3 * t[4]);
    }
    for (double s = 0.001; s < 1.0 / 40; s *= 2.1)
        for (double tau = 0.001; tau <= 1.0 / 3; tau *= 3)
            for (double a = 1.5; a < fmin(3 / tau, 60); a *= 2)
                assert_true(mixture_divergence(s, sqrt(tau / 2), a) <= rdp_replacement(s, tau, a));
    assert_true(isinf(rdp_replacement(0.025, 0.1, 2)) && isinf(rdp_replacement(0.01, 0.34, 2)));
    assert_true(isinf(rdp_replacement(0.01, 0.1, 30.1)) && isinf(rdp_replacement(NAN, 0.1, 2)));
}

/* Checks the divergence of Gaussian noise on a subset of the records. At orders 2 and 3 it is the sum of Wang,
 * Balle and Kasiviswanathan. At all orders, wherever the quadrature does not overflow, it is at least that of two
 * worst cases: a record replaced by its opposite among zeros, and a record replaced by one like all others, which
 * is the mixture of a Poisson sample. */
static void test_subset(void **state)
{
    for (double s = 0.001; s <= 1; s *= 3)
        for (double mu = 0.05; mu < 2; mu *= 2) {
            double m2 = mu * mu, two = s * s * fmin(4 * expm1(m2), 2 * exp(m2));
            double three = 3 * two + 2 * s * s * s * exp(3 * m2);
            expect_near("2", rdp_subset(s, mu, 2), log1p(two), 1e-10 * log1p(two));
            expect_near("3", rdp_subset(s, mu, 3), log1p(three) / 2, 1e-10 * log1p(three));
            for (double a = 1.1; a < 30; a = a < 5 ? a + 0.3 : ceil(1.4 * a)) {
                double bound = rdp_subset(s, mu, a > 5 ? ceil(a) : a);
                double pair = mixture_divergence(s, mu / 2, a);
                if (!(fmax(pair, rdp_sampled_gaussian(s, 1 / mu, a)) <= bound * (1 + 1e-10)))
                    fail_msg("s=%g mu=%g a=%g: %.12g > %.12g", s, mu, a, pair, bound);
            }
        }
    assert_true(rdp_subset(0, 1, 2) == 0 && rdp_subset(0.1, 0, 2) == 0);
    assert_true(rdp_subset(0, 1, 11.5) == 0 && rdp_subset(0.1, 0, 11.5) == 0);   /* no record is sampled, or none
                                                                                    changes the sum: the divergence
                                                                                    is 0 at any order */
    assert_true(isinf(rdp_subset(0.1, INFINITY, 2)) && isinf(rdp_subset(NAN, 1, 2)) &&
                isinf(rdp_subset(0.1, 1, 11.5)) && isinf(rdp_subset(0.1, 1, 2000)));
}

/* --- calibration: noise of DP-SGD at eps = 1 and delta = 1/n^2, by the orders 2, 3, ..., 32, 40, 48, ..., 256. A
 * row of the table has n, the number of steps at rate 1/n, and the noise */

struct run { double q, steps, delta; };

static double eps_of_noise(double z, const void *ctx)
{
    const struct run *r = ctx;
    double least = INFINITY;
    for (int a = 2; a <= 256; a += a < 32 ? 1 : 8)
        least = fmin(least, rdp_convert(RDP_MIRONOV, r->steps * rdp_sampled_gaussian(r->q, z, a), a,
                                        r->delta));
    return least;
}

static void test_calibration(void **state)
{
    static const double table[][3] = { { 1000, 1, 1.0146 },     { 1000, 10, 1.0268 },
                                       { 1000, 1000, 1.0617 },  { 1000, 20000, 1.1900 },
                                       { 2600, 26000, 1.0824 }, { 20640, 412800, 1.0604 } };
    for (int k = 0; k < 6; k++) {
        double n = table[k][0];
        struct run r = { 1 / n, table[k][1], 1 / (n * n) };
        double z = account_calibrate(eps_of_noise, &r, 1);
        expect_near("noise", z, table[k][2], 6e-5);
        assert_true(eps_of_noise(z, &r) <= 1 && eps_of_noise(z * (1 - 1e-10), &r) > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampled_series), cmocka_unit_test(test_sampled_integer),
        cmocka_unit_test(test_sampled_edges), cmocka_unit_test(test_little_noise),
        cmocka_unit_test(test_next_to_no_noise),
        cmocka_unit_test(test_sampled_known),
        cmocka_unit_test(test_pure), cmocka_unit_test(test_pure_known),
        cmocka_unit_test(test_known_composition), cmocka_unit_test(p12_linear),
        cmocka_unit_test(c36_failure), cmocka_unit_test(test_curves),
        cmocka_unit_test(p3_replacement), cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_subset),
    };
    return cmocka_run_group_tests_name("account_rdp", tests, NULL, NULL);
}

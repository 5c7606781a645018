/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gdp.c - Gaussian differential privacy, compared with known answers, and the constants that
 * accelerated-dp-srgd computes from facts and goals, compared with the printed formulas. Nothing is random. Here
 * mu is the parameter of Gaussian differential privacy (mu-GDP), and R the diameter of the feasible set.
 *
 * Serves: accelerated-dp-srgd */
#include "contract/contract.h"

#include "algos/parts/gdp.h"
#include "cell/cell.h"
#include "support/known.h"

/* --- delta and mu of Gaussian privacy, and zCDP */

static void expect_ratio(const char *what, double value, double truth, double tolerance)
{
    if (value != truth)                  /* the equality covers infinities */
        expect_near(what, value, truth, tolerance * fabs(truth));
}

static void u9_table(void **state)
{
    static const double table[][3] = { { 0.1, 1e-6, 0.027545 }, { 0.5, 1e-6, 0.124106 },
        { 1, 1e-5, 0.26805 }, { 1, 1e-6, 0.236704 }, { 1, 1e-8, 0.19607 }, { 2, 1e-6, 0.44833 },
        { 4, 1e-6, 0.83786 }, { 8, 1e-6, 1.53155 } };
    for (int k = 0; k < 8; k++) {
        double mu = gdp_mu(table[k][0], table[k][1]);
        expect_near("mu", mu, table[k][2], 1e-5);
        double delta = gdp_delta(table[k][0], mu);       /* at this mu delta is at most the one that was asked for;
                                                            at a slightly larger mu it is more */
        assert_true(delta <= table[k][1] && gdp_delta(table[k][0], mu * (1 + 2e-12)) > table[k][1]);
    }
}

/* Returns the largest mu with gdp_delta(eps, mu) <= delta, by a bisection that asks for gdp_delta at every step. */
static double bisected_mu(double eps, double delta)
{
    double low = 1, high = 1;
    while (gdp_exceeds(eps, low, delta))
        low /= 2;
    while (!gdp_exceeds(eps, high, delta))
        high *= 2;
    while (high - low > 1e-12 * low) {
        double mid = low + (high - low) / 2;
        if (gdp_exceeds(eps, mid, delta))
            high = mid;
        else
            low = mid;
    }
    return low;
}

/* gdp_mu has the bits of a plain bisection, also at extreme eps and delta. */
static void u9_mu_is_bisected(void **state)
{
    static const double extreme[] = { 1e-300, 1e-200, 1e-100, 0.999, 1 - 1e-9, 1 - 1e-15 };
    for (double eps = 0; eps < 2e5; eps = 5 * eps + 1e-8) {
        for (double delta = 1e-40; delta < 0.9; delta *= 13)
            assert_true(gdp_mu(eps, delta) == bisected_mu(eps, delta));
        for (size_t k = 0; k < sizeof extreme / sizeof *extreme; k++)
            assert_true(gdp_mu(eps, extreme[k]) == bisected_mu(eps, extreme[k]));
    }
}

/* Numbers that are no privacy parameters give NaN, no limit on epsilon gives no noise, and the smallest double as
 * delta an end. */
static void u9_no_parameters(void **state)
{
    assert_true(isnan(gdp_mu(-1, 1e-5)) && isnan(gdp_mu(NAN, 1e-5)) && isnan(gdp_mu(1, NAN)));
    assert_true(isnan(gdp_mu(1, 0)) && isnan(gdp_mu(1, 1)) && isnan(gdp_mu(INFINITY, 2)));
    assert_true(gdp_mu(INFINITY, 1e-5) == INFINITY);
    assert_true(gdp_mu(0, 5e-324) < 1e-300);
}

/* The delta of mu-GDP at eps grows with mu and falls with eps over the whole range. For the same eps and delta the
 * classical bound on Gaussian noise gives a smaller mu: the exact mu at delta/2 is 1.09 to 1.54 times as large as
 * the classical mu at delta for eps in [0.1, 4] and delta in [1e-9, 1e-5]. */
static void u9_monotone_and_classical(void **state)
{
    for (double eps = 0; eps < 200; eps = 1.5 * eps + 1e-4) {
        double before = 0;
        for (double mu = 1e-5; mu < 1e4; mu *= 1.07) {
            double delta = gdp_delta(eps, mu);
            assert_true(delta >= before && delta <= 1 && delta >= gdp_delta(eps * 1.01 + 1e-6, mu));
            before = delta;
        }
        assert_true(before > 1 - 1e-9);
    }
    assert_true(gdp_delta(1, 0) == 0 && gdp_delta(1, INFINITY) == 1);
    for (double eps = 0.1; eps <= 8; eps *= 1.25)
        for (double delta = 1e-9; delta < 2e-5; delta *= 10) {
            double ratio = gdp_mu(eps, delta / 2) / gdp_mu_classical(eps, delta);
            assert_true(ratio > 1 && (eps > 4 || (ratio > 1.08 && ratio < 1.55)));
        }
    expect_ratio("zCDP", gdp_rho(0.3), 0.045, 1e-15);
}

/* The mu that methods choose keeps the promise for every eps: the classical mu where it does, for eps <= 1 always,
 * else the exact one. At eps = 16 and delta = 1e-3 the classical mu would cost 19.9. */
static void u9_chosen(void **state)
{
    struct why why = { "" };
    struct goal goal = goal_unknown();
    int exact = 0;
    for (goal.eps = 0.1; goal.eps <= 40; goal.eps *= 1.25)
        for (goal.delta = 1e-30; goal.delta < 2e-3; goal.delta *= 1000) {
            double mu = NAN, classical = gdp_mu_classical(goal.eps, goal.delta);
            assert_int_equal(gdp_choose(&goal, "classical", &mu, "test", &why), OK);
            assert_true(gdp_delta(goal.eps, mu) <= goal.delta);
            assert_true(mu == classical || (goal.eps > 1 && gdp_delta(goal.eps, classical) > goal.delta));
            exact += mu != classical;
        }
    assert_true(exact > 0);
    goal.eps = INFINITY;             /* a goal without privacy, unless it has rho */
    static const char *const words[] = { "exact", "rdp", "classical" };
    for (int k = 0; k < 6; k++) {
        double mu = NAN;
        goal.rho = k < 3 ? NAN : 0.5;
        assert_int_equal(gdp_choose(&goal, words[k % 3], &mu, "test", &why), OK);
        assert_true(mu == (k < 3 ? INFINITY : 0.5));
    }
}

/* At eps = 0 the delta of mu-GDP is 2 Phi(mu/2) - 1 = erf(mu/sqrt(8)), for mu of every size. With a = eps/mu - mu/2
 * between -2 and 2, where it does not cancel, the difference of two normal tails gives the same delta. */
static void u9_closed_forms(void **state)
{
    for (double mu = 1e-8; mu < 60; mu *= 1.3)
        expect_ratio("delta(0)", gdp_delta(0, mu), erf(mu / sqrt(8)), 2e-15);
    for (double mu = 0.5; mu < 12; mu *= 1.01)
        for (double a = -2; a < 2; a += 0.13) {
            double eps = mu * (a + mu / 2);
            if (eps >= 0)
                expect_ratio("delta", gdp_delta(eps, mu),
                             (erfc(a / sqrt(2)) - exp(eps) * erfc((a + mu) / sqrt(2))) / 2, 2e-13);
        }
}

/* The rows of gaussian_delta.csv have the epsilon and delta of one Gaussian release of sensitivity 1 with noise
 * sigma, so that mu = 1/sigma. */
static void u9_known_answers(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("gaussian_delta.csv", row);
    assert_true(n > 20);
    for (int k = 0; k < n; k++)
        if (row[k].at[2] > 1e-300)
            expect_ratio("delta", gdp_delta(row[k].at[1], 1 / row[k].at[0]), row[k].at[2],
                         1e-14 * (4 + row[k].at[1] * row[k].at[0] * row[k].at[1] * row[k].at[0]));
    static const double beyond[][4] = {              /* rows of the file whose delta is below the range of
                                                        doubles */
        { 10, 4, 6.736569640837648, -352 }, { 50, 1, 7.120373769273551, -549 },
        { 50, 4, 1.900100997953358, -8692 } };
    for (int k = 0; k < 3; k++)
        expect_ratio("log delta", gdp_log_delta(beyond[k][1], 1 / beyond[k][0]),
                     log(beyond[k][2]) + beyond[k][3] * log(10), 1e-13);
    n = known_answers("gaussian_eps.csv", row);
    for (int k = 0; k < n; k++)
        if (row[k].at[2] > 0)
            expect_ratio("mu", gdp_mu(row[k].at[2], row[k].at[1]), 1 / row[k].at[0], 2e-12);
    n = known_answers("gaussian_sigma.csv", row);
    for (int k = 0; k < n; k++) {
        expect_ratio("mu", gdp_mu(row[k].at[0], row[k].at[1]), 1 / row[k].at[2], 2e-12);
        expect_ratio("classical", gdp_mu_classical(row[k].at[0], 2 * row[k].at[1]),
                     1 / row[k].at[3], 1e-14);
    }
}

/* The column eps_exact_if_gaussian of zcdp_eps.csv is the epsilon of Gaussian noise with zCDP rho, for which mu =
 * sqrt(2 rho). */
static void u9_zcdp(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("zcdp_eps.csv", row);
    assert_true(n > 5);
    for (int k = 0; k < n; k++)
        if (row[k].at[5] > 0)
            expect_ratio("rho", gdp_rho(gdp_mu(row[k].at[5], row[k].at[1])), row[k].at[0], 1e-11);
}

static void u8_known_answers(void **state)
{
    static struct known row[KNOWN_ROWS];
    int n = known_answers("tree_single_epoch.csv", row);
    assert_true(n > 20);
    for (int k = 0; k < n; k++) {
        double mu = sqrt(tree_height((long)row[k].at[0])) / row[k].at[1];
        expect_near("depth", tree_height((long)row[k].at[0]), row[k].at[2], 0);
        expect_ratio("rho", gdp_rho(mu), row[k].at[3], 1e-14);
        if (row[k].at[7] > 0)
            expect_ratio("mu", gdp_mu(row[k].at[7], row[k].at[4]), mu, 2e-12);
    }
}

/* --- which nodes of the noise tree two prefixes share */

/* Returns how many nodes the dyadic decompositions of [1, i] and [1, j] share. */
static int shared_nodes(long i, long j)
{
    int shared = 0;
    for (long end = i; end > 0; end -= end & -end)
        for (long other = j; other > 0; other -= other & -other)
            shared += end == other;
    return shared;
}

/* --- the parameters that accelerated-dp-srgd chooses for a text "PARAMETERS | goal GOAL" */

struct choice {
    struct cell *cell;
    unsigned char params[512];
    struct why why;
};

/* Facts with L = 2.5, M = 1, R = 2, so that c_M = M R/L = 0.8; the dimension is 40. */
static struct facts some_facts(void)
{
    struct facts f = facts_unknown();
    f.d = 40;
    f.L = 2.5;
    f.M = 1;
    f.diameter = 2;
    f.n = INFINITY;
    return f;
}

static enum status choose(struct choice *c, const char *algo, const char *text,
                          const struct facts *f, enum constants constants)
{
    char whole[300];
    snprintf(whole, sizeof whole, "problem spectral | algo %s %s", algo, text);
    if (cell_parse(whole, &c->cell, &c->why) != OK)
        fail_msg("%s: %s", whole, c->why.text);
    memcpy(c->params, c->cell->algo_params, c->cell->algo->params_size);
    c->cell->goal.constants = constants;
    return c->cell->algo->tune(f, &c->cell->goal, c->params, &c->why);
}

static double chosen(const struct choice *c, const char *name)
{
    return params_get(params_find(c->cell->algo->params, name), c->params);
}

static void expect_chosen(const char *text, enum constants constants, const struct facts *f,
                          const char *name, double truth)
{
    struct choice c;
    if (choose(&c, "accelerated-dp-srgd", text, f, constants) != OK)
        fail_msg("%s: %s", text, c.why.text);
    expect_ratio(text, chosen(&c, name), truth, 1e-12);
    cell_free(c.cell);
}

static void expect_refused(const char *algo, const char *text, enum constants constants,
                           const struct facts *f, const char *sentence)
{
    struct choice c;
    assert_int_equal(choose(&c, algo, text, f, constants), REFUSED);
    if (!strstr(c.why.text, sentence))
        fail_msg("%s: '%s', expected '%s'", text, c.why.text, sentence);
    cell_free(c.cell);
}

/* Returns u' S^-1 u for a positive definite S[T*T]. It is computed as |L^-1 u|^2 with S = L L', which overwrites S
 * and u. */
static double inverse_form(int T, double *S, double *u)
{
    double sum = 0;
    for (int i = 0; i < T; i++) {
        for (int j = 0; j <= i; j++) {
            double v = S[i * T + j] - vec_dot(j, S + i * T, S + j * T);
            S[i * T + j] = i == j ? sqrt(v) : v / S[j * T + j];
        }
        u[i] = (u[i] - vec_dot(i, S + i * T, u)) / S[i * T + i];
        sum += u[i] * u[i];
    }
    return sum;
}

/* Computes exactly the mu that the tree's releases of all rounds together give for a record of round t0, with the
 * sigma that the method chooses. It is the promised mu for the first round, and at most that for every other
 * round. */
static void u8_effective_mu(void **state)
{
    static const struct { int T, height; } cases[] = { { 3, 2 }, { 4, 3 }, { 7, 3 }, { 8, 4 },
        { 15, 4 }, { 16, 5 }, { 63, 6 }, { 64, 7 } };
    static double S[64 * 64], u[64];
    const double mu = 0.8;
    struct facts f = some_facts();
    for (int k = 0; k < 8; k++) {
        int T = cases[k].T;
        struct choice c;
        char text[64];
        snprintf(text, sizeof text, "T=%d B=5 C=2 mu=0.8", T);
        assert_int_equal(choose(&c, "accelerated-dp-srgd", text, &f, CONSTANTS_PRACTICAL), OK);
        double sigma = chosen(&c, "sigma");
        for (int t0 = 0; t0 < T; t0++) {
            for (int i = 0; i < T; i++) {
                u[i] = i >= t0 ? 2.0 / 5 : 0;
                for (int j = 0; j < T; j++)
                    S[i * T + j] = sigma * sigma * shared_nodes(i + 1, j + 1);
            }
            double effective = inverse_form(T, S, u);
            if (t0 == 0)
                expect_near("mu^2", effective, mu * mu, 1e-9);
            else
                assert_true(effective <= mu * mu * (1 + 1e-9));
        }
        expect_near("sigma^2", sigma * sigma * 25 / 4 * mu * mu, cases[k].height, 1e-9);
        cell_free(c.cell);
    }
}


/* --- the constants of variants A and B: those of the theorems, then practical ones */

/* With the literal constants of variant A at delta = 1/n, T = c_DP n^(1/4) and B = n/T as in the formulas, where
 * c_DP is the printed factor (second column of the table). Up to n = 1e6 this T is above n, and the run is refused
 * with T and B in the message; from n = 1e7 on it is accepted. */
static void u22_literal_a(void **state)
{
    static const double table[][3] = { { 1e4, 1.2e4, 1.2e5 }, { 1e6, 3.9e4, 1.25e6 },
        { 1e7, 6.2e4, 3.5e6 }, { 1e8, 9.2e4, 9.2e6 }, { 1e10, 1.8e5, 5.6e7 } };
    struct facts f = some_facts();
    for (int k = 0; k < 5; k++) {
        double n = table[k][0], eps = k == 3 ? 1e-4 : 0.5, T, B;
        struct choice c;
        char text[100];
        snprintf(text, sizeof text, "| goal n=%g eps=%g delta=%g", n, eps, 1 / n);
        enum status s = choose(&c, "accelerated-dp-srgd", text, &f, CONSTANTS_THEORY);
        assert_int_equal(s, k < 2 ? REFUSED : OK);
        if (s == REFUSED) {
            assert_int_equal(sscanf(c.why.text, "the literal variant A needs T = %lf rounds of "
                                    "B = %lf", &T, &B), 2);
            expect_ratio("T", T, table[k][2], 0.03);
            expect_ratio("B", B, n / T, 0.01);
            cell_free(c.cell);
            continue;
        }
        /* c_DP is read from C = c_DP L; beta follows the printed formula with the unrounded T = c_DP n^(1/4). */
        double c_DP = chosen(&c, "C") / f.L, floor_B = floor(n / (c_DP * pow(n, 0.25)));
        expect_ratio("c_DP", c_DP, table[k][1], 0.03);
        T = c_DP * pow(n, 0.25);
        double balance = f.L / f.diameter * T * T * fmax(1 / sqrt(n), sqrt(f.d) / (eps * n));
        expect_ratio("beta", chosen(&c, "beta"), balance, 1e-12);
        assert_true(chosen(&c, "B") == floor_B && chosen(&c, "T") == floor(n / floor_B));
        cell_free(c.cell);
    }
}

/* With the literal batch size B of variant B, beta >= 2 M T whenever B <= sqrt(n), and beta R^2/T^2 = (16 c_M + 8)
 * L R/sqrt(n), c_M = M R/L = 0.8. */
static void u22_literal_b(void **state)
{
    const double n = 0x1p20;
    struct facts f = some_facts();
    for (double B = 1; B <= 1024; B *= 2) {
        struct choice c;
        char text[100];
        snprintf(text, sizeof text, "variant=B B=%g | goal n=%.0f eps=1 delta=1e-6", B, n);
        assert_int_equal(choose(&c, "accelerated-dp-srgd", text, &f, CONSTANTS_THEORY), OK);
        double T = chosen(&c, "T"), beta = chosen(&c, "beta");
        assert_true(T == n / B && beta >= 2 * f.M * T);
        expect_ratio("optimisation", beta * 4 / (T * T), (16 * 0.8 + 8) * 2.5 * 2 / sqrt(n), 1e-12);
        expect_ratio("C", chosen(&c, "C"), (8 * 0.8 + 4) * 2.5, 1e-12);
        cell_free(c.cell);
    }
    expect_chosen("variant=B | goal n=1e6", CONSTANTS_THEORY, &f, "B", 1000);
    expect_refused("accelerated-dp-srgd", "variant=B B=1025 | goal n=1048576", CONSTANTS_THEORY,
                   &f, "B <= sqrt(n) = 1024");
    expect_refused("accelerated-dp-srgd", "| goal n=1e8", CONSTANTS_THEORY, &f, "eps and delta");
}

/* Compares the noise sigma of one node, in units of the sensitivity C/B, as the paper's corollaries print it and as
 * mu-GDP needs it. */
static void u8_calibrations(void **state)
{
    static const char goal[] = "| goal n=1e6 eps=0.5 delta=1e-6";
    const double B = 1e6 / 64, C = 4.5, l = sqrt(log(2.5e6));
    struct facts f = some_facts();
    struct { const char *words; double B, C, truth; } cases[] = {
        { "T=64", B, C, sqrt(7) / 0.124106 },
        { "T=64 calibration=classical", B, C, sqrt(7) * sqrt(2) * l / 0.5 },
        { "T=64 calibration=paper", B, C, sqrt(6) * l / 0.5 },
        { "T=64 calibration=paper variant=B", B, C, 2 * sqrt(2) * sqrt(6) * l / 0.5 },
        { "T=63 kap_c=3", 15873, 7.5, sqrt(6) / 0.124106 },
        { "T=64 mu=2 C=1", B, 1, sqrt(7) / 2 },
    };
    for (int k = 0; k < 6; k++) {
        struct choice c;
        char text[200];
        snprintf(text, sizeof text, "%s %s", cases[k].words, goal);
        assert_int_equal(choose(&c, "accelerated-dp-srgd", text, &f, CONSTANTS_PRACTICAL), OK);
        expect_ratio("C", chosen(&c, "C"), cases[k].C, 1e-15);
        expect_ratio(cases[k].words, chosen(&c, "sigma"), cases[k].C / cases[k].B * cases[k].truth,
                     5e-6);                              /* the table gives mu with these digits */
        cell_free(c.cell);
    }
    expect_refused("accelerated-dp-srgd", "T=1 calibration=paper | goal n=10 eps=1 delta=1e-6",
                   CONSTANTS_PRACTICAL, &f, "0 at T = 1");
}

/* Checks the practical choice of T, which is the nearest 2^k - 1, and of beta, also at the edges of their
 * ranges. */
static void test_practical(void **state)
{
    const enum constants mode = CONSTANTS_PRACTICAL;
    struct facts f = some_facts(), linear = f, unbounded = f;
    linear.M = 0;
    unbounded.L = unbounded.diameter = INFINITY;
    expect_chosen("| goal n=1e6", mode, &f, "T", 63);                /* 2 n^(1/4) = 63.2 */
    expect_chosen("c_T=4 | goal n=1e6", mode, &f, "T", 127);         /* 4 n^(1/4) = 126.5 */
    expect_chosen("c_T=3 | goal n=1e6", mode, &f, "T", 63);          /* 3 n^(1/4) = 94.9 */
    expect_chosen("| goal n=1e6", mode, &f, "B", 15873);
    expect_chosen("variant=B | goal n=1e6", mode, &f, "T", 2047);
    expect_chosen("| goal budget=2001", mode, &f, "B", 66);          /* this budget allows n = 1000 */
    expect_chosen("| goal T=10", mode, &f, "B", 1);
    expect_chosen("| goal n=100 B=9", mode, &f, "T", 11);
    expect_chosen("| goal n=1e6", mode, &f, "beta", 2);
    expect_chosen("| goal n=1e6", mode, &f, "C", INFINITY);
    expect_chosen("| goal n=1e6", mode, &f, "sigma", 0);
    expect_chosen("kap_c=2 | goal n=1e6", mode, &f, "C", 5);
    expect_chosen("| goal n=1e6 rho=0.25", mode, &f, "mu", 0.25);
    expect_chosen("variant=B | goal n=1e6", mode, &f, "beta", 2 * 2047);
    expect_chosen("kap_2=0.5 | goal n=1e6", mode, &f, "beta", 0.5 * 1.25 * 63 * 63 / 1e3);
    expect_chosen("kap_2=0.5 mu=0.001 | goal n=1e6", mode, &f, "beta",
                  0.5 * 1.25 * 63 * 63 * sqrt(40) / 1e3);
    expect_chosen("| goal n=1e6", mode, &linear, "beta", 2.5);       /* M has no effect here: beta follows from
                                                                        L/R */
    expect_chosen("| goal n=1e6", mode, &unbounded, "beta", 2);
    expect_refused("accelerated-dp-srgd", "| goal n=1e6 eps=1 delta=1e-6", mode, &unbounded,
                   "give algo.C");
    expect_refused("accelerated-dp-srgd", "| goal n=1e6 eps=1", mode, &f, "0 < delta < 1");
    expect_refused("accelerated-dp-srgd", "T=11 | goal n=10", mode, &f, "do not fit");
    expect_refused("accelerated-dp-srgd", "T=5 B=3 | goal n=14", mode, &f, "do not fit");
    f.n = 9;                                                         /* nine records are stored */
    expect_chosen("T=2 | goal n=14", mode, &f, "B", 4);
    f.M = NAN;
    expect_refused("accelerated-dp-srgd", "T=2", mode, &f, "give algo.beta");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u9_table), cmocka_unit_test(u9_monotone_and_classical),
        cmocka_unit_test(u9_mu_is_bisected), cmocka_unit_test(u9_no_parameters),
        cmocka_unit_test(u9_chosen),
        cmocka_unit_test(u9_closed_forms), cmocka_unit_test(u9_known_answers),
        cmocka_unit_test(u9_zcdp), cmocka_unit_test(u8_known_answers),
        cmocka_unit_test(u8_effective_mu), cmocka_unit_test(u8_calibrations),
        cmocka_unit_test(u22_literal_a), cmocka_unit_test(u22_literal_b),
        cmocka_unit_test(test_practical),
    };
    return cmocka_run_group_tests_name("gdp", tests, NULL, NULL);
}

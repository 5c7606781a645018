/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_price.c - the epsilon of a kind of mechanism that is described by its parameters, as for `assay
 * account`: every accountant of every kind is inverted to 1e-10, and kinds that are equivalent cost the same.
 * Nothing is random. */
#include "contract/contract.h"

#include "privacy/account.h"
#include "privacy/account_price.h"
#include "base/params.h"

static const struct account_kind *kind_of(const char *name)
{
    for (const struct account_kind *k = account_kinds; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    fail_msg("no kind %s", name);
    return NULL;
}

static struct account_case case_of(const struct account_kind *kind, long steps, double q)
{
    struct account_case c = { .scale = NAN, .eps0 = NAN, .delta = 1e-6 };
    params_default(kind->params, &c);
    c.steps = steps;
    c.q = q;
    c.batch = isnan(c.batch) ? 20 : c.batch;
    return c;
}

static double *solved_of(const struct account_kind *kind, struct account_case *c)
{
    return (double *)((char *)c + params_find(kind->params, kind->solved)->offset);
}

static double by(const char *kind_name, const struct account_case *c, const char *name)
{
    const struct account_kind *kind = kind_of(kind_name);
    double lower = NAN;
    for (const struct account_method *m = kind->methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->eps(c, m->how, &lower);
    fail_msg("%s has no method %s", kind_name, name);
    return NAN;
}

/* The calibrated noise is enough for the promise, and 1e-10 less noise is not. For a mechanism that has no noise
 * but an epsilon eps0 of its own, 1e-10 more than the computed eps0 is too much. */
static void test_inverses(void **state)
{
    int inverted = 0;
    for (const struct account_kind *kind = account_kinds; kind->name; kind++)
        for (const struct account_method *m = kind->methods; m->name; m++) {
            struct account_case c = case_of(kind, 300, 0.02), less;
            double x = account_solve(kind, m, &c, 0.7), lower;
            bool share = strcmp(kind->solved, "eps0") == 0;
            *solved_of(kind, &c) = x;
            less = c;
            *solved_of(kind, &less) = share ? x * (1 + 1e-10) : x * (1 - 1e-10);
            if (!(x > 0 && isfinite(x) && m->eps(&c, m->how, &lower) <= 0.7 && m->eps(&less, m->how, &lower) > 0.7))
                fail_msg("%s %s: %.15g gives %.15g, less %.15g", kind->name, m->name, x,
                         m->eps(&c, m->how, &lower), m->eps(&less, m->how, &lower));
            inverted++;
        }
    assert_true(inverted > 40);
}

/* The calibrated noise is compared with a closed form, the noise of a single release times the square root of a
 * number. This number is the count of releases; or, for the tree, the count of nodes that contain the first step;
 * or, for noise by the square root of the matrix of prefix sums, the squared length of its first column. */
static void test_closed_inverses(void **state)
{
    const double sigma = account_gaussian_sigma(0.7, 1e-6);
    const struct { const char *kind; long steps; double mu2; } list[] = {
        { "gaussian", 20, 20 }, { "tree", 20, 5 }, { "tree", 16, 5 },
        { "root", 3, 1 + 1 / 4.0 + 9 / 64.0 }, { "root", 1, 1 },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const struct account_kind *kind = kind_of(list[k].kind);
        struct account_case c = case_of(kind, list[k].steps, 0);
        double x = account_solve(kind, kind->methods, &c, 0.7);
        expect_near(list[k].kind, x, sigma * sqrt(list[k].mu2), 1e-10 * x);
    }
}

/* The classical rule eps = mu sqrt(2 ln(1.25/delta)) is compared with the accountant of this name. The rule holds
 * for eps <= 1 only; with less noise the accountant must answer infinity. */
static void test_classical(void **state)
{
    struct account_case c = case_of(kind_of("gaussian"), 20, 0);
    c.sigma = 60;
    double rule = sqrt(20) / 60 * sqrt(2 * log(1.25 / 1e-6)), eps = by("gaussian", &c, "classical");
    /* a little above the rule, so that rounding does no harm */
    assert_true(eps >= rule * (1 + 1e-12) && eps <= rule * (1 + 1e-10));
    c.sigma = 20;
    assert_true(isinf(by("gaussian", &c, "classical")));
}

/* Two epochs with separate noise compose. In one stream of six steps with noise of the square root, a record that
 * is in the first step of each of two epochs of three steps pays for the sum of two columns: (1, 1/2, 3/8, 5/16,
 * 35/128, 63/256), and (1, 1/2, 3/8) from the fourth step on. */
static void test_epochs(void **state)
{
    struct account_case c = case_of(kind_of("root"), 3, 0);
    const double c3[] = { 1, 0.5, 3 / 8.0, 5 / 16.0, 35 / 128.0, 63 / 256.0 };
    double one = 0, both = 0;
    for (int j = 0; j < 6; j++) {
        double change = c3[j] + (j < 3 ? 0 : c3[j - 3]);
        both += change * change;
        one += j < 3 ? c3[j] * c3[j] : 0;
    }
    c.sigma = 10;
    c.epochs = 2;
    expect_near("one stream", by("root", &c, "exact"), account_gaussian_eps(sqrt(both) / 10, 1e-6),
                1e-9);
    c.restart = 1;
    expect_near("two", by("root", &c, "exact"), account_gaussian_eps(sqrt(2 * one) / 10, 1e-6),
                1e-9);
    /* with trees of 3 steps, a record of the first step is in two nodes, those of 1 and of 2 steps */
    expect_near("trees", by("tree", &c, "exact"), account_gaussian_eps(sqrt(2 * 2) / 10, 1e-6),
                1e-9);
}

/* A noisy maximum with noise of scale 10, over scores of sensitivity 1 that may move in both directions, costs as
 * much as a pure mechanism of eps0 = 2/10. Where all scores move in one direction (sides = 1) each of the 7 steps
 * costs 1/10. */
static void test_maxima(void **state)
{
    struct account_case c = case_of(kind_of("noisy-max"), 7, 0), e = c;
    e.eps0 = 0.2;
    c.scale = 10;
    e.scale = NAN;
    expect_near("max", by("noisy-max", &c, "basic"), by("pure", &e, "basic"), 1e-12);
    expect_near("gumbel", by("gumbel-max", &c, "range-rdp"), by("exponential", &e, "range-rdp"),
                1e-12);
    c.sides = 1;
    expect_near("monotone", by("noisy-max", &c, "basic"), 0.7, 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_closed_inverses),
        cmocka_unit_test(test_classical),
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_maxima),
    };
    return cmocka_run_group_tests_name("account_price", tests, NULL, NULL);
}

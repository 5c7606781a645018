/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_published.c - Tables 3 and 4 of the DP-GCD paper, copied here independently, compared with what
 * `assay reproduce dp-gcd` runs and prints beside its numbers; and numbers of passes that round to no step. Nothing
 * is random.
 *
 * Serves: dp-gcd */
#include "contract/contract.h"


/* The rows of Tables 3 and 4: passes, clip, step; then the gap and the numbers of correct and incorrect non-zeros
 * (-1: not printed). The gaps of madelon + l2 are from Figure 1d. */
static const struct {
    const char *panel, *algo;
    double passes, clip, step, gap, hits, errors;
} row[] = {
    { "california", "dp-cd", 5, 20.2, 1, 0.0024, 3, 2 },
    { "california", "multi-epoch-dp-sgd", 20, 12.6, 2.15e-5, 0.020, 3, 5 },
    { "california", "dp-gcd", 4, 51.8, 1, 0.00056, 2, 0 },
    { "square", "dp-cd", 0.01, 9.10e3, 10, 0.75, 0, 0 },
    { "square", "multi-epoch-dp-sgd", 0.01, 4.94, 1e-4, 0.75, 0, 3 },
    { "square", "dp-gcd", 2, 1.46e4, 2.15, 0.35, 2, 0 },
    { "mtp", "dp-cd", 3, 20.2, 2.15e-2, -1, -1, -1 },
    { "mtp", "multi-epoch-dp-sgd", 20, 12.6, 2.15e-5, -1, -1, -1 },
    { "mtp", "dp-gcd", 7, 20.2, 0.464, -1, -1, -1 },
    { "madelon-l1", "dp-cd", 0.1, 7.91, 2.15, 0.0085, 0, 0 },
    { "madelon-l1", "multi-epoch-dp-sgd", 10, 6.87e-3, 1, 0.012, 0, 0 },
    { "madelon-l1", "dp-gcd", 1, 7.91, 2.15, 0.0015, 1, 0 },
    { "log1", "dp-cd", 10, 0.184, 1, -1, -1, -1 },
    { "log1", "multi-epoch-dp-sgd", 20, 0.184, 4.64e-4, -1, -1, -1 },
    { "log1", "dp-gcd", 10, 3.09, 2.15, -1, -1, -1 },
    { "log2", "dp-cd", 1, 0.754, 2.15, -1, -1, -1 },
    { "log2", "multi-epoch-dp-sgd", 20, 0.184, 4.64e-4, -1, -1, -1 },
    { "log2", "dp-gcd", 20, 1.93, 0.464, -1, -1, -1 },
    { "madelon-l2", "dp-cd", 10, 1.21, 0.1, 0.0464, -1, -1 },
    { "madelon-l2", "multi-epoch-dp-sgd", 20, 0.184, 1e-4, 0.0499, -1, -1 },
    { "madelon-l2", "dp-gcd", 10, 7.91, 1, 0.0340, -1, -1 },
    { "dorothea", "dp-cd", 3, 4.50e-2, 4.64, 0.77, 1, 1 },
    { "dorothea", "multi-epoch-dp-sgd", 0.001, 1e-4, 1e-6, 0.78, 0, 0 },
    { "dorothea", "dp-gcd", 2, 12.6, 2.15, 0.64, 1, 0 } };
enum { ROWS = sizeof row / sizeof *row };
static const struct { const char *panel; double support; } supports[] = {
    { "square", 7 }, { "california", 3 }, { "dorothea", 72 }, { "madelon-l1", 3 } };

static const struct reproduction *published(void)
{
    for (const struct paper *const *p = registry_papers(); *p; p++)
        if (strcmp((*p)->key, "dp-gcd") == 0)
            return (*p)->reproduction;
    fail_msg("no paper dp-gcd");
    return NULL;
}

static const struct panel *panel_of(const char *name)
{
    const struct panel *p = published()->panels;
    while (p->name && strcmp(p->name, name))
        p++;
    if (!p->name)
        fail_msg("no panel %s", name);
    return p;
}

static const struct contender *contender_of(const char *panel, const char *algo)
{
    const struct contender *c = panel_of(panel)->method;
    while (c->label && strcmp(c->algo, algo))
        c++;
    if (!c->label)
        fail_msg("no %s on %s", algo, panel);
    return c;
}

static double setting_of(const struct contender *c, const char *name)
{
    for (int k = 0; k < SETTINGS_MAX && c->with[k].name; k++)
        if (strcmp(c->with[k].name, name) == 0)
            return c->with[k].value;
    return NAN;
}

static const struct tuning *tuning_of(const char *algo)
{
    const struct tuning *t = published()->tunings;
    while (t->algo && strcmp(t->algo, algo))
        t++;
    assert_non_null(t->algo);
    return t;
}

/* Every panel has exactly three methods. In the panels of Tables 3 and 4 they are those of the paper, with the
 * parameters that it prints. Two more panels have three methods whose parameters the paper does not print. */
static void s4_4_parameters(void **state)
{
    int panels = 0;
    for (const struct panel *p = published()->panels; p->name; p++, panels++)
        for (int k = 0; k < CONTENDERS_MAX; k++)
            assert_true((p->method[k].label != NULL) == (k < 3));
    assert_int_equal(panels, ROWS / 3 + 2);
    for (int k = 0; k < ROWS; k++) {
        const struct contender *c = contender_of(row[k].panel, row[k].algo);
        const char *size = tuning_of(row[k].algo)->grid[0].name;
        expect_near("passes", c->passes, row[k].passes, 0);
        expect_near("clip", setting_of(c, "algo.C"), row[k].clip, 1e-12 * row[k].clip);
        expect_near(size, setting_of(c, size), row[k].step, 1e-12 * row[k].step);
    }
}

static void s4_5_results(void **state)
{
    for (int k = 0; k < ROWS; k++) {
        const struct contender *c = contender_of(row[k].panel, row[k].algo);
        expect_near("gap", c->gap, fmax(0, row[k].gap), 1e-12);
        expect_near("hits", c->hits, fmax(0, row[k].hits), 0);
        expect_near("errors", c->errors, fmax(0, row[k].errors), 0);
    }
    for (int k = 0; k < 4; k++)
        expect_near("support", panel_of(supports[k].panel)->support, supports[k].support, 0);
}

/* 0.001 passes over 202 or 8 coordinates are less than one step of dp-cd. */
static void s8_14_no_step(void **state)
{
    struct facts f = facts_unknown();
    f.n = 2600;
    f.d = 501;
    expect_near("DP-GCD", tuning_of("dp-gcd")->rounds(7, &f), 7, 0);
    expect_near("DP-CD", tuning_of("dp-cd")->rounds(0.1, &f), 50, 0);
    expect_near("DP-SGD", tuning_of("multi-epoch-dp-sgd")->rounds(0.1, &f), 260, 0);
    for (f.d = 8; f.d < 300; f.d += 194)
        assert_true(tuning_of("dp-cd")->rounds(0.001, &f) < 1);
    f.n = 1000;
    expect_near("DP-SGD", tuning_of("multi-epoch-dp-sgd")->rounds(0.001, &f), 1, 0);
}

/* The tuned configurations are run again on at least 20 other seeds. */
static void s8_15_fresh(void **state)
{
    assert_true(published()->fresh >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_4_parameters), cmocka_unit_test(s4_5_results),
        cmocka_unit_test(s8_14_no_step), cmocka_unit_test(s8_15_fresh),
    };
    return cmocka_run_group_tests_name("experiments of dp-gcd", tests, NULL, NULL);
}

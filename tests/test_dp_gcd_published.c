/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_published.c - the paper's tables, copied here once more, against what `assay reproduce
 * dp-gcd` will run and print; numbers of its data sets that it states. Nothing is random.
 * Serves: dp-gcd */
#include "contract.h"


/* Tables 3 and 4: passes, clip, step; gap, correct and incorrect non-zeros, -1: not printed. Figure
 * 1d gives the gaps of madelon + l2. */
static const struct { const char *panel, *algo; double passes, clip, step, gap, hits, errors; } row[] = {
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

/* Every panel has the three methods and no other. */
static void s4_4_parameters(void **state)
{
    int panels = 0;
    for (const struct panel *p = published()->panels; p->name; p++, panels++)
        for (int k = 0; k < CONTENDERS_MAX; k++)
            assert_true((p->method[k].label != NULL) == (k < 3));
    assert_int_equal(panels, ROWS / 3);
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

/* 4500, 4500 and 3500 configurations; the published ones are among them, to three digits. */
static void s4_3_grids(void **state)
{
    static const struct { const char *algo; int size; } grid[] = {
        { "dp-cd", 4500 }, { "multi-epoch-dp-sgd", 4500 }, { "dp-gcd", 3500 } };
    for (int k = 0; k < 3; k++) {
        const struct tuning *t = tuning_of(grid[k].algo);
        int passes = 0;
        while (passes < GRID_PASSES_MAX && t->passes[passes] > 0)
            passes++;
        assert_int_equal(passes * t->grid[0].points * t->grid[1].points, grid[k].size);
    }
    for (int k = 0; k < ROWS; k++) {
        const struct tuning *t = tuning_of(row[k].algo);
        bool among = false;
        for (int i = 0; i < GRID_PASSES_MAX && t->passes[i] > 0; i++)
            among |= t->passes[i] == row[k].passes;
        assert_true(among);
        for (int g = 0; g < GRID_SETTINGS; g++) {
            double value = strcmp(t->grid[g].name, "algo.C") ? row[k].step : row[k].clip, off = 1;
            for (int i = 0; i < t->grid[g].points; i++) {
                double at = t->grid[g].from * pow(t->grid[g].to / t->grid[g].from,
                                                  i / (t->grid[g].points - 1.0));
                off = fmin(off, fabs(at / value - 1));
            }
            expect_near(t->grid[g].name, off, 0, 0.0051);
        }
    }
}

/* eps = 1, delta = 1/n^2, five runs; a pass is p, n or one round, and none is left of 0.001 passes
 * over 501 coordinates: those configurations are skipped. */
static void s4_2_protocol(void **state)
{
    const struct reproduction *r = published();
    struct facts f = facts_unknown();
    double eps = NAN, delta = NAN;
    f.n = f.d = 501;
    for (int k = 0; k < SETTINGS_MAX && r->with[k].name; k++)
        if (strcmp(r->with[k].name, "goal.eps") == 0)
            eps = r->with[k].value;
        else if (strcmp(r->with[k].name, "goal.delta") == 0)
            delta = r->with[k].of(3, &f);
    assert_int_equal(r->runs, 5);
    expect_near("eps", eps, 1, 0);
    expect_near("delta", delta, 1.0 / 501 / 501, 1e-18);
    f.n = 2600;
    expect_near("DP-GCD", tuning_of("dp-gcd")->rounds(7, &f), 7, 0);
    expect_near("DP-CD", tuning_of("dp-cd")->rounds(0.1, &f), 50, 0);
    expect_near("DP-SGD", tuning_of("multi-epoch-dp-sgd")->rounds(0.1, &f), 260, 0);
    assert_true(tuning_of("dp-cd")->rounds(0.001, &f) < 1.5);
    f.d = 202;
    assert_true(tuning_of("dp-cd")->rounds(0.001, &f) < 1);
}

/* What is tuned is run again on seeds of its own, beside what was tuned on. */
static void s8_15_fresh(void **state)
{
    assert_true(published()->fresh >= 20);
}

/* --- the data, where they are */

static bool data_here(const char *name)
{
    const char *shared = getenv("ASSAY_SHARED");
    char folder[900], path[1000];
    snprintf(folder, sizeof folder, "%s/data", shared ? shared : SOURCE_DIR "/../shared");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    setenv("ASSAY_DATA", folder, 1);
    if (access(path, R_OK) == 0)
        return true;
    print_message("%s is absent\n", path);
    return false;
}

/* Figure 1d begins at 0.0512: p = 501 with the column of ones, F* = ln 2/1.0512 = 0.6594. */
static void s4_6_madelon(void **state)
{
    if (!data_here("madelon"))
        skip();
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "erm", { "data", 0, "madelon" }, { "scaling", 0, "zscore" },
                                  { "intercept", 1 }, { "l2", 1 }, { "prox", 0, "all" });
    expect_near("n", in.f.n, 2600, 0);
    expect_near("p", in.f.d, 501, 0);
    expect_near("F*", in.f.f_star, 0.6594, 5e-5);
    expect_near("start", M_LN2 / in.f.f_star - 1, 0.0512, 5e-5);
    arena_free(a);
}

/* l1 = 0.05 leaves the 3 non-zeros of Table 3, among 501. */
static void s8_13_madelon(void **state)
{
    if (!data_here("madelon"))
        skip();
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "erm", { "data", 0, "madelon" }, { "scaling", 0, "zscore" },
                                  { "intercept", 1 }, { "l2", 0 }, { "l1", 0.05 });
    double *w = arena_vec(a, in.d), error;
    const struct measure *m = in.p->measures;
    while (m->name && strcmp(m->name, "support_size"))
        m++;
    assert_non_null(m->name);
    vec_zero(in.d, w);
    expect_near("non-zeros", m->at(in.self, w, &error), 3, 0);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_4_parameters), cmocka_unit_test(s4_5_results),
        cmocka_unit_test(s4_3_grids), cmocka_unit_test(s4_2_protocol),
        cmocka_unit_test(s8_15_fresh), cmocka_unit_test(s4_6_madelon),
        cmocka_unit_test(s8_13_madelon),
    };
    return cmocka_run_group_tests_name("experiments of dp-gcd", tests, NULL, NULL);
}

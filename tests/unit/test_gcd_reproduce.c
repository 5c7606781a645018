/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gcd_reproduce.c - the experiments of DP-GCD's paper as declared: the values of Table 4 are on the grids
 * of Table 2, the protocol is the printed one, and the real instances have the printed optima.
 *
 * Serves: dp-gcd */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claim.h"
#include "base/params.h"
#include "problem.h"

extern const struct paper paper_dp_gcd;
extern const struct problem problem_erm;

static const struct reproduction *R;

static int begin(void **state)
{
    R = paper_dp_gcd.reproduction;
    return !R || setenv("ASSAY_DATA", "../shared/data", 1);
}

static const struct setting *setting(const struct setting *with, const char *name)
{
    for (int k = 0; k < SETTINGS_MAX && with[k].name; k++)
        if (strcmp(with[k].name, name) == 0)
            return &with[k];
    return NULL;
}

static const struct panel *panel(const char *name)
{
    const struct panel *p = R->panels;
    while (strcmp(p->name, name))
        p++;
    return p;
}

/* Does the paper print the parameters of this method? Methods without printed parameters stand on panels of their
 * own. */
static bool printed(const char *algo)
{
    return strcmp(algo, "dp-gcd") == 0 || strcmp(algo, "dp-cd") == 0 || strcmp(algo, "multi-epoch-dp-sgd") == 0;
}

/* The grids have 3500 points for DP-GCD, 4500 for its two rivals of the paper, and 1540 for the other methods. */
static void s4_3_sizes_of_the_grids(void **state)
{
    int n = 0;
    for (const struct tuning *t = R->tunings; t->algo; t++, n++) {
        int passes = 0;
        while (passes < GRID_PASSES_MAX && t->passes[passes] > 0)
            passes++;
        assert_int_equal(passes * t->grid[0].points * t->grid[1].points,
                         !printed(t->algo) ? 1540 : strcmp(t->algo, "dp-gcd") == 0 ? 3500 : 4500);
    }
    assert_int_equal(n, 6);
}

/* Is the value on the grid? Values are printed with three digits, so that equal means within half a percent. */
static bool on_grid(const struct tuning *t, int which, double value)
{
    for (int k = 0; k < t->grid[which].points; k++) {
        double part = (double)k / (t->grid[which].points - 1);
        double at = t->grid[which].from * pow(t->grid[which].to / t->grid[which].from, part);
        if (fabs(value / at - 1) < 0.005)
            return true;
    }
    return false;
}

static void s4_4_table_lies_on_the_grids(void **state)
{
    int rows = 0;
    for (const struct panel *p = R->panels; p->name; p++)
        for (int m = 0; m < CONTENDERS_MAX && p->method[m].label; m++) {
            const struct contender *c = &p->method[m];
            const struct tuning *t = R->tunings;
            bool listed = false;
            while (t->algo && strcmp(t->algo, c->algo))
                t++;
            assert_non_null(t->algo);
            for (int k = 0; k < GRID_PASSES_MAX && t->passes[k] > 0; k++)
                listed |= t->passes[k] == c->passes;
            assert_true(listed);
            for (int k = 0; k < GRID_SETTINGS; k++) {
                const struct setting *s = setting(c->with, t->grid[k].name);
                assert_non_null(s);
                if (!on_grid(t, k, s->value))
                    fail_msg("%s, %s: %s = %g", p->name, c->label, s->name, s->value);
            }
            rows += printed(c->algo);
        }
    assert_int_equal(rows, 24);
}

/* The protocol of the paper: delta is 1/n^2 for the five data sets, computed by hand. A pass is p updates of a
 * coordinate for dp-cd, n steps on one record for multi-epoch-dp-sgd, and one round for the other methods. */
static void s4_2_protocol(void **state)
{
    static const double n[] = { 1000, 4450, 20640, 2600, 800 };
    static const double delta[] = { 1e-6, 5.0498674e-8, 2.3473651e-9, 1.4792899e-7, 1.5625e-6 };
    const struct setting *d = setting(R->with, "goal.delta");
    assert_true(setting(R->with, "goal.eps")->value == 1 && R->runs == 5 && R->fresh == 20);
    for (int k = 0; k < 5; k++) {
        struct facts f = { .n = n[k], .d = 202 };
        assert_true(fabs(d->of(1, &f) / delta[k] - 1) < 1e-7);
        for (const struct tuning *t = R->tunings; t->algo; t++) {
            double one = strcmp(t->algo, "dp-cd") == 0 ? 202
                         : strcmp(t->algo, "multi-epoch-dp-sgd") == 0 ? n[k] : 1;
            assert_true(t->rounds(3, &f) == 3 * one);
        }
    }
    for (const struct panel *p = R->panels; p->name; p++)
        assert_string_equal(setting(p->with, "problem.prox")->text, "all");
}

/* Returns the instance of a panel, built from its settings, or NULL if the data are not on this machine. */
static const void *instance(const struct panel *p, void *params, struct arena *a, struct facts *f)
{
    struct rng data = rng_stream(1);
    struct why why = { "" };
    void *self = NULL;
    params_default(problem_erm.params, params);
    for (int k = 0; k < SETTINGS_MAX && p->with[k].name; k++) {
        const struct setting *s = &p->with[k];
        const struct param *at = params_find(problem_erm.params, strchr(s->name, '.') + 1);
        enum status put = s->text ? params_set_text(at, params, s->text, "erm", &why)
                                  : params_set(at, params, s->value, "erm", &why);
        assert_int_equal(put, OK);
    }
    if (access("../shared/data/README.md", R_OK) != 0)
        return NULL;
    if (problem_erm.make(params, &data, a, &self, f, &why) != OK)
        fail_msg("%s", why.text);
    return self;
}

static double measure(const void *self, const char *name, const double *x)
{
    const struct measure *m = problem_erm.measures;
    double error;
    while (strcmp(m->name, name))
        m++;
    return m->at(self, x, &error);
}

struct printed {
    const char *panel;
    double d, support, start, near;      /* start: the printed F(0)/F* - 1, or 0 if none is printed; near: how far
                                            the computed number may be from it */
    double l1[2];                        /* the range in which the penalty must lie */
};

/* Checks what Table 3 and the figures print about the optima. A gap that is printed for "no progress" is F(0)/F* -
 * 1. */
static void check_printed(const struct printed *p)
{
    struct arena *a = arena_new(0);
    struct facts f = facts_unknown();
    void *params = calloc(1, problem_erm.params_size);
    const void *self = instance(panel(p->panel), params, a, &f);
    if (!self) {
        print_message("%s: no ../shared/data, skipped\n", p->panel);
        skip();
    }
    double *zero = arena_vec(a, (long)f.d);
    vec_zero((long)f.d, zero);
    assert_true(f.d == p->d);
    assert_true(measure(self, "support_size", zero) == p->support);
    assert_true(measure(self, "l1", zero) >= p->l1[0] && measure(self, "l1", zero) <= p->l1[1]);
    if (p->start > 0 && !(fabs(measure(self, "relative", zero) - p->start) <= p->near))
        fail_msg("%s: start %g, not %g", p->panel, measure(self, "relative", zero), p->start);
    arena_free(a);
    free(params);
}

static void s4_5_optima_of_table_3(void **state)
{
    check_printed(&(struct printed){ "madelon-l1", 501, 3, 0.012, 0.0005, { 0.05, 0.05 } });
    check_printed(&(struct printed){ "california", 8, 3, 0, 0, { 0.05, 0.3 } });
}

static void s4_6_start_of_figure_1d(void **state)
{
    check_printed(&(struct printed){ "madelon-l2", 501, 501, 0.0512, 0.00005, { 0, 0 } });
}

/* madelon has 500 features, which are centred and scaled, and a constant column, which is neither. M_j is 1/4 for
 * all of them, as in the paper, as the regulariser is not in the samples. */
static void s8_13_madelon_has_a_constant_column(void **state)
{
    struct arena *a = arena_new(0);
    struct facts f = facts_unknown();
    void *params = calloc(1, problem_erm.params_size);
    if (!instance(panel("madelon-l2"), params, a, &f)) {
        print_message("no ../shared/data, skipped\n");
        skip();
    }
    for (long j = 0; j <= 500; j++)
        assert_true(fabs(f.M_j[j] - 0.25) < 1e-12);
    arena_free(a);
    free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_3_sizes_of_the_grids), cmocka_unit_test(s4_4_table_lies_on_the_grids),
        cmocka_unit_test(s4_2_protocol),           cmocka_unit_test(s4_5_optima_of_table_3),
        cmocka_unit_test(s4_6_start_of_figure_1d),
        cmocka_unit_test(s8_13_madelon_has_a_constant_column),
    };
    return cmocka_run_group_tests_name("experiments of DP-GCD", tests, begin, NULL);
}

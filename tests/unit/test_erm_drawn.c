/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_erm_drawn.c - drawn records, the calibration of their signal F(0)/F* - 1, and penalties chosen by the size
 * of the support.
 *
 * Serves: dp-gcd */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/params.h"
#include "problem.h"

extern const struct problem problem_erm, problem_erm_drawn;

/* A parameter of the family: a number, or a word where `text` is not NULL. */
struct set_to { const char *name, *text; double value; };

struct built {
    const struct problem *p;
    struct arena *a;
    void *params, *self;
    struct facts f;
    double *x;                           /* [d] the minimiser */
};

static enum status try_build(struct built *b, const struct problem *p, const struct set_to *s,
                             struct why *why)
{
    struct rng data = rng_stream(7);
    *b = (struct built){ .p = p, .a = arena_new(0), .params = calloc(1, p->params_size),
                         .f = facts_unknown() };
    params_default(p->params, b->params);
    for (; s->name; s++) {
        const struct param *at = params_find(p->params, s->name);
        assert_non_null(at);
        if (s->text)
            assert_int_equal(params_set_text(at, b->params, s->text, p->name, why), OK);
        else
            assert_int_equal(params_set(at, b->params, s->value, p->name, why), OK);
    }
    TRY(p->make(b->params, &data, b->a, &b->self, &b->f, why));
    b->x = arena_vec(b->a, (long)b->f.d);
    p->minimiser(b->self, b->x);
    return OK;
}

static struct built build(const struct problem *p, const struct set_to *s)
{
    struct built b;
    struct why why = { "" };
    if (try_build(&b, p, s, &why) != OK)
        fail_msg("%s", why.text);
    return b;
}

static void drop(struct built *b)
{
    arena_free(b->a);
    free(b->params);
}

static double measure(const struct built *b, const char *name, const double *x)
{
    double error;
    for (const struct measure *m = b->p->measures; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->at(b->self, x, &error);
    fail_msg("no measure %s", name);
    return NAN;
}

static long nonzeros(const struct built *b)
{
    long count = 0;
    for (long j = 0; j < (long)b->f.d; j++)
        count += b->x[j] != 0;
    return count;
}

/* Checks the true weights of drawn records. Without noise and penalty the least squares solution gives them, and
 * their logarithms are normal. The mean and the mean square of d = 100 logarithms are within 5 standard errors,
 * which fails with probability 6e-7 and 1e-5 (chi-square of 100 degrees beyond 5 sd); seeds are fixed. With
 * standardised columns M_j is 1 for squares without penalty, and 1/4 + l2 for the logistic loss. */
static void s4_1_truth_is_log_normal(void **state)
{
    for (double spread = 1; spread <= 2; spread++) {
        struct built b = build(&problem_erm_drawn, (struct set_to[]){
            { "n", NULL, 300 }, { "d", NULL, 100 }, { "loss", "squares", 0 }, { "noise", NULL, 0 },
            { "l2", NULL, 0 }, { "spread", NULL, spread }, { 0 } });
        double sum = 0, square = 0;
        for (long j = 0; j < 100; j++) {
            assert_true(fabs(b.f.M_j[j] - 1) < 1e-12);
            assert_true(b.x[j] > 0);
            sum += log(b.x[j]);
            square += log(b.x[j]) * log(b.x[j]);
        }
        assert_true(fabs(sum / 100) < 5 * spread / 10);
        assert_true(fabs(square / 100 / spread / spread - 1) < 5 * sqrt(2.0 / 100));
        drop(&b);
    }
    struct built b = build(&problem_erm_drawn, (struct set_to[]){ { 0 } });
    for (long j = 0; j < (long)b.f.d; j++)
        assert_true(fabs(b.f.M_j[j] - 0.25 - 0.001) < 1e-12);
    drop(&b);
}

static void s4_1_truth_is_sparse(void **state)
{
    struct built b = build(&problem_erm_drawn, (struct set_to[]){
        { "n", NULL, 120 }, { "d", NULL, 40 }, { "loss", "squares", 0 }, { "noise", NULL, 0 },
        { "l2", NULL, 0 }, { "l1", NULL, 1e-6 }, { "spread", NULL, 0 }, { "nonzeros", NULL, 10 },
        { 0 } });
    assert_int_equal(nonzeros(&b), 10);
    for (long j = 0; j < 40; j++)
        assert_true(b.x[j] >= 0 && b.x[j] < 100);
    drop(&b);
}

/* The parameter `relative` asks for the signal F(0)/F* - 1 = 0.63. F(0) with classes is log 2, and F* the certified
 * reference optimum. */
static void s4_1_signal_is_as_asked(void **state)
{
    double zero[100] = { 0 };
    for (double seed = 1; seed <= 5; seed++) {
        struct built b = build(&problem_erm_drawn, (struct set_to[]){
            { "n", NULL, 1000 }, { "d", NULL, 100 }, { "relative", NULL, 0.63 },
            { "seed", NULL, seed }, { 0 } });
        double relative = log(2) / b.f.f_star - 1;
        assert_true(fabs(relative - 0.63) < 0.01);
        assert_true(fabs(measure(&b, "relative", zero) - relative) < 1e-12);
        drop(&b);
    }
}

/* The records do not depend on the penalty, nor on whether samples or the simple part have it. */
static void records_are_the_seeds(void **state)
{
    double x[20];
    struct built a = build(&problem_erm_drawn, (struct set_to[]){ { "l2", NULL, 0.5 }, { 0 } });
    struct built b = build(&problem_erm_drawn, (struct set_to[]){
        { "l2", NULL, 0.5 }, { "l1", NULL, 0.1 }, { "prox", "all", 0 }, { 0 } });
    struct built c = build(&problem_erm_drawn, (struct set_to[]){
        { "l2", NULL, 0.5 }, { "seed", NULL, 2 }, { 0 } });
    for (long j = 0; j < 20; j++)
        x[j] = 0.1 * (double)(j - 8);
    double of_a = a.p->value(a.self, x);
    assert_true(fabs(of_a + 0.1 * vec_norm1(20, x) - b.p->value(b.self, x)) < 1e-12);
    assert_true(fabs(of_a - c.p->value(c.self, x)) > 1e-3);
    drop(&a);
    drop(&b);
    drop(&c);
}

/* With prox = all the regulariser is in the prox only: it is not in the gradients of samples, which are clipped and
 * get noise, and not in M_j. */
static void s8_12_regulariser_stays_outside(void **state)
{
    double x[20], whole[20], part[20];
    struct built b = build(&problem_erm_drawn, (struct set_to[]){
        { "l2", NULL, 0.5 }, { "l1", NULL, 0.1 }, { "prox", "all", 0 }, { 0 } });
    for (long j = 0; j < 20; j++)
        x[j] = 0.1 * (double)(j - 8) + 0.05;
    b.p->grad(b.self, x, whole);
    vec_zero(20, part);
    for (long i = 0; i < (long)b.f.n; i++)
        b.p->sample_grad(b.self, i, x, 1 / b.f.n, part);
    for (long j = 0; j < 20; j++) {
        assert_true(fabs(b.f.M_j[j] - 0.25) < 1e-12);
        assert_true(fabs(whole[j] - part[j] - 0.5 * x[j] - (x[j] > 0 ? 0.1 : -0.1)) < 1e-12);
        /* The proximal point is argmin 0.25 u^2 + 0.1 |u| + (u - x)^2/4 = soft(x, 0.2)/2. */
        double soft = fmax(fabs(x[j]) - 0.2, 0) * (x[j] > 0 ? 1 : -1);
        assert_true(fabs(b.p->composite->prox_coord(b.self, 2, j, x[j]) - soft / 2) < 1e-12);
    }
    drop(&b);
}

static char file[] = "/tmp/assay-drawn-XXXXXX";

/* Writes records sqrt(n) e_i, which make F separable: x*_j = soft(y_j/sqrt(n), l1), the soft threshold of a target.
 * The values y_j/sqrt(n) are 8, -7, 6, ..., -1. */
static void write_orthogonal(void)
{
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    for (int i = 0; i < 8; i++) {
        fprintf(f, "%.17g", (i % 2 ? -1 : 1) * (8 - i) * sqrt(8.0));
        for (int j = 0; j < 8; j++)
            fprintf(f, ",%.17g", i == j ? sqrt(8.0) : 0);
        fputs("\n", f);
    }
    fclose(f);
}

static void s4_1_support_is_as_asked(void **state)
{
    write_orthogonal();
    for (int k = 1; k < 8; k++) {
        struct built b = build(&problem_erm, (struct set_to[]){
            { "data", file, 0 }, { "loss", "squares", 0 }, { "l2", NULL, 0 },
            { "support", NULL, k }, { 0 } });
        double l1 = measure(&b, "l1", b.x), wrong[8] = { 0 };
        assert_true(l1 >= 8 - k && l1 < 9 - k);
        for (int j = 0; j < 8; j++) {
            double soft = fmax(8 - j - l1, 0) * (j % 2 ? -1 : 1);
            assert_true(fabs(b.x[j] - soft) < 1e-7);
        }
        assert_true(measure(&b, "support_size", b.x) == k);
        wrong[0] = wrong[7] = 1;
        assert_true(measure(&b, "support_hits", wrong) == 1);
        assert_true(measure(&b, "support_errors", wrong) == 1);
        drop(&b);
    }
    remove(file);
}

static void refusals_say_what(void **state)
{
    static const struct { struct set_to set[4]; const char *says; } bad[] = {
        { { { "support", NULL, 3 }, { "l1", NULL, 1 } }, "support = 3: expected l1 = 0" },
        { { { "support", NULL, 21 } }, "support = 21: no penalty" },
        { { { "spread", NULL, 0 }, { "nonzeros", NULL, 21 } }, "nonzeros = 21: expected at most" },
        { { { "relative", NULL, 1e5 } }, "relative = 100000: no noise found" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct built b;
        struct why why = { "" };
        assert_int_equal(try_build(&b, &problem_erm_drawn, bad[k].set, &why), BAD_INPUT);
        if (!strstr(why.text, bad[k].says))
            fail_msg("'%s' does not say '%s'", why.text, bad[k].says);
        drop(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_1_truth_is_log_normal),   cmocka_unit_test(s4_1_truth_is_sparse),
        cmocka_unit_test(s4_1_signal_is_as_asked),    cmocka_unit_test(records_are_the_seeds),
        cmocka_unit_test(s4_1_support_is_as_asked), cmocka_unit_test(s8_12_regulariser_stays_outside),
        cmocka_unit_test(refusals_say_what),
    };
    return cmocka_run_group_tests_name("drawn records", tests, NULL, NULL);
}

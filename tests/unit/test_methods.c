/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_methods.c - gd, nesterov and sgd, compared with closed forms, another form of the recursion, and steps
 * computed by hand; and a run that its budget ends inside one of several parallel branches (oracle_branch), whose
 * record has the batch steps of the longest branch. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/run.h"

/* A run of a method on the diagonal quadratic (1/2) sum lam_j (x_j - c_j)^2 from 0. self, f: the instance and its
 * facts; x[d]: the answer; c[d]: the minimiser. */
struct quadratic {
    struct runner *runner;
    struct cell *cell;
    struct record *record;
    const void *self;
    const struct facts *f;
    long d;
    double *x, c[16];
};

static void quadratic_run(struct quadratic *q, const char *text)
{
    struct why why = { "" };
    *q = (struct quadratic){ .runner = runner_new(0) };
    if (cell_parse(text, &q->cell, &why) != OK)
        fail_msg("%s", why.text);
    q->record = run_cell(q->runner, q->cell, &q->x);
    if (q->record->outcome != OUTCOME_OK)
        fail_msg("%s", q->record->message);
    assert_int_equal(runner_instance(q->runner, q->cell, &q->self, &q->f, &why), OK);
    q->d = (long)q->f->d;
    assert_true(q->d <= 16 && q->cell->problem->minimiser(q->self, q->c));
}

static void quadratic_free(struct quadratic *q)
{
    free(q->x);
    record_free(q->record);
    cell_free(q->cell);
    runner_free(q->runner);
}

static double value_of(const struct quadratic *q, const char *name)
{
    double v = NAN;
    record_get(q->record, name, &v);
    return v;
}

static void near(double value, long double truth)
{
    if (!(fabsl(value - truth) <= 1e-12L * (1 + fabsl(truth))))
        fail_msg("%.17g, not %.17Lg", value, truth);
}

/* Compares the answer of gd with its closed form on a quadratic, x_T = c (1 - (1 - h lam/M)^T) in the direction of
 * eigenvalue lam. */
static void test_gd(void **state)
{
    static const struct {
        double h, M;
        int T;
    } cases[] = { { 1, 1, 1 }, { 1, 4, 30 }, { 0.5, 4, 200 }, { 1.9, 1, 17 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        struct quadratic q;
        snprintf(text, sizeof text,
                 "problem spectral d=7 s=0 decades=2 M=%g radius=inf | algo gd h=%g | "
                 "goal T=%d",
                 cases[k].M, cases[k].h, cases[k].T);
        quadratic_run(&q, text);
        for (long j = 0; j < q.d; j++) {
            long double left = 1 - (long double)cases[k].h * q.f->M_j[j] / cases[k].M;
            near(q.x[j], q.c[j] * (1 - powl(left, cases[k].T)));
        }
        assert_true(value_of(&q, "count.full_grads") == cases[k].T);
        assert_true(value_of(&q, "count.batch_steps") == cases[k].T);
        near(value_of(&q, "param.step"), (long double)cases[k].h / cases[k].M);
        quadratic_free(&q);
    }
}

/* With mu = 0 nesterov equals coupled gradient and mirror steps (Tseng 2008): y = (1 - 1/theta) x + z/theta, x+ = y
 * - g/M, z+ = z - (theta/M) g, where theta begins with 1 and theta+ = (1 + sqrt(1 + 4 theta^2))/2. */
static void test_nesterov(void **state)
{
    enum { T = 40 };
    struct quadratic q;
    quadratic_run(
        &q, "problem spectral d=5 s=0 decades=3 M=2 radius=inf | algo nesterov mu=0 | goal T=40");
    for (long j = 0; j < q.d; j++) {
        long double x = 0, z = 0, theta = 1, lam = q.f->M_j[j];
        for (int t = 0; t < T; t++) {
            long double y = (1 - 1 / theta) * x + z / theta, g = lam * (y - q.c[j]);
            x = y - g / 2;
            z -= theta * g / 2;
            theta = (1 + sqrtl(1 + 4 * theta * theta)) / 2;
        }
        near(q.x[j], x);
    }
    assert_true(value_of(&q, "count.full_grads") == T);
    quadratic_free(&q);
}

/* With mu > 0 the error of nesterov along each eigenvalue lam satisfies e_{t+1} = (1 - lam/M)((1 + b) e_t - b
 * e_{t-1}), e_{-1} = e_0, with the momentum b. The test solves this by the roots of the characteristic polynomial
 * (complex for lam > mu). */
static void test_nesterov_strongly_convex(void **state)
{
    enum { T = 25 };
    struct quadratic q;
    quadratic_run(&q,
                  "problem spectral d=5 s=0 decades=2 M=1 radius=inf | algo nesterov | goal T=25");
    long double root_q = sqrtl(q.f->mu), b = (1 - root_q) / (1 + root_q);
    near(value_of(&q, "param.mu"), q.f->mu);
    for (long j = 0; j < q.d; j++) {
        long double s = 1 - (long double)q.f->M_j[j], e = -q.c[j];
        long double half = s * (1 + b) / 2, disc = half * half - s * b, left;
        if (j == 0) {
            left = 0;                                    /* for lam = M one step reaches the optimum */
        } else if (fabsl(disc) < 1e-15L) {               /* for lam = mu the polynomial has a double root */
            left = powl(half, T) * (e + T * (s * e / half - e));
        } else {
            long double r = sqrtl(s * b), phi = acosl(half / r);
            long double first = s * e;                   /* e_1 */
            long double B = (first - e * half) / (r * sinl(phi));
            left = powl(r, T) * (e * cosl(T * phi) + B * sinl(T * phi));
        }
        if (!(fabsl(q.x[j] - q.c[j] - left) < 1e-12L))
            fail_msg("entry %ld: %.17g, not %.17Lg", j, q.x[j] - q.c[j], left);
    }
    quadratic_free(&q);
}

/* Without noise the answer of sgd is that of gd, c (1 - q^T) with the contraction q of a step, or the average of c
 * (1 - q^t) for t = 1..T, which is c (1 - q (1 - q^T)/(T (1 - q))). */
static void test_sgd_without_noise(void **state)
{
    for (int last = 0; last < 2; last++) {
        struct quadratic q;
        quadratic_run(
            &q, last ? "problem spectral d=6 s=0 decades=1 radius=inf | algo sgd step=0.3 B=4 "
                       "answer=last | goal T=50"
                     : "problem spectral d=6 s=0 decades=1 radius=inf | algo sgd step=0.3 B=4 | "
                       "goal T=50");
        for (long j = 0; j < q.d; j++) {
            long double r = 1 - 0.3L * q.f->M_j[j], tail = powl(r, 50);
            near(q.x[j], q.c[j] * (1 - (last ? tail : r * (1 - tail) / (50 * (1 - r)))));
        }
        assert_true(value_of(&q, "count.sample_grads") == 200 &&
                    value_of(&q, "count.taken") == 200);
        quadratic_free(&q);
    }
}

/* Compares three noisy, projected steps with steps made in the test, on consecutive samples of the stream. */
static void test_sgd_by_hand(void **state)
{
    enum { B = 5, T = 3 };
    struct quadratic q;
    quadratic_run(
        &q, "problem spectral d=4 s=2 decades=1 radius=0.5 | algo sgd step=0.4 B=5 | goal n=17");
    double x[4] = { 0 }, mean[4] = { 0 };
    for (long t = 0; t < T; t++) {
        double g[4] = { 0 }, norm = 0;
        for (long i = t * B; i < (t + 1) * B; i++)
            q.cell->problem->sample_grad(q.self, i, x, 1.0 / B, g);
        for (int j = 0; j < 4; j++) {
            x[j] -= 0.4 * g[j];
            norm += x[j] * x[j];
        }
        for (int j = 0; j < 4; j++) {
            x[j] *= sqrt(norm) > 0.5 ? 0.5 / sqrt(norm) : 1;
            mean[j] += x[j] / T;
        }
    }
    for (int j = 0; j < 4; j++)
        near(q.x[j], mean[j]);
    assert_true(value_of(&q, "count.batch_steps") == T && value_of(&q, "count.taken") == T * B);
    assert_true(value_of(&q, "count.project_0") == T && value_of(&q, "count.max_visits") == 1);
    assert_true(value_of(&q, "flag.stopped") == 1);
    quadratic_free(&q);
}

/* sgd chooses its step length by its theorem from M = 1, sigma = 3 and the distance 0.25 of the minimiser. */
static void test_sgd_step(void **state)
{
    struct quadratic q;
    quadratic_run(&q, "problem spectral d=4 s=3 rr=0.25 | algo sgd B=9 c=2 | goal n=1000");
    near(value_of(&q, "param.T"), 111);
    near(value_of(&q, "param.step"), 2 / (1 + 1 * sqrtl(111) / 0.25L));
    assert_true(value_of(&q, "count.taken") == 999 && value_of(&q, "count.batch_steps") == 111);
    quadratic_free(&q);
    quadratic_run(&q, "problem spectral d=4 s=3 rr=0.25 | algo sgd T=16 | goal T=4");
    near(value_of(&q, "param.step"), 1 / (1 + 3 * 4 / 0.25L));
    quadratic_free(&q);
}

/* --- a run that is ended by its budget inside a branch reports the longest branch */

static enum status branching(struct oracle *o, const void *params, struct arena *w, struct rng *rng,
                             double *x)
{
    double *g = arena_vec(w, oracle_dim(o));
    arena_seal(w);
    oracle_fork(o);
    for (long branch = 0;; branch++) {
        oracle_branch(o);
        for (long k = 0; k < (branch ? 2 : 6); k++)
            if (!oracle_sgrad(o, 1, x, g))
                return OK;
    }
}

static void test_ends_inside_a_branch(void **state)
{
    struct why why;
    struct cell *c;
    struct runner *rn = runner_new(0);
    assert_int_equal(cell_parse("problem spectral d=3 | algo sgd | goal budget=11", &c, &why), OK);
    struct algo copy = *c->algo;
    double v;
    copy.run = branching;
    c->algo = &copy;
    struct record *r = run_cell(rn, c, NULL);
    assert_int_equal(r->outcome, OUTCOME_OK);
    assert_true(record_get(r, "count.sample_grads", &v) && v == 11);
    assert_true(record_get(r, "count.batch_steps", &v) && v == 6);
    record_free(r);
    cell_free(c);
    runner_free(rn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gd), cmocka_unit_test(test_nesterov),
        cmocka_unit_test(test_nesterov_strongly_convex), cmocka_unit_test(test_sgd_without_noise),
        cmocka_unit_test(test_sgd_by_hand), cmocka_unit_test(test_sgd_step),
        cmocka_unit_test(test_ends_inside_a_branch),
    };
    return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}

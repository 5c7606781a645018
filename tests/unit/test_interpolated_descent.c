/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_interpolated_descent.c - the search for Goldstein stationary points, compared with a loop written here,
 * exact norms, a run followed by hand, and the law of the number of gradients in closed form.
 *
 * Serves: private-zeroth-order
 *
 * One chi-square test at 1e-9. */
#include "numeric/stats.h"
#include "problems/parts/certificates.h"
#include "support/hard.h"
#include "support/method.h"
#include "segment.h"

#define NAME "interpolated-descent"
enum { D = 3 };

static struct goal ask(double radius, double acc)
{
    struct goal g = goal_unknown();
    g.radius = radius;
    g.acc = acc;
    return g;
}

/* Makes a run from the family's start with a budget of `rounds` rounds. */
static void run_from_start(struct method *m, uint64_t seed, double rounds)
{
    struct rng rng = rng_stream(seed);
    oracle_release(&m->o);
    arena_reset(m->work);
    contract_open(&m->o, m->in, m->algo, 8, m->work);
    m->o.budget.of[COUNT_batch_steps] = rounds;
    if (m->in->p->start)
        m->in->p->start(m->in->self, m->x);
    assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
}

static void s4_8_shortest_of_a_segment(void **state)
{
    struct rng r = rng_stream(61);
    for (int k = 0; k < 200; k++) {
        double a[D], b[D], at[D], least = INFINITY;
        rng_normals(&r, D, 1, a);
        rng_normals(&r, D, 1, b);
        for (int i = 0; i <= 2000; i++) {
            vec_lincomb(D, 1 - i / 2000.0, a, i / 2000.0, b, at);
            least = fmin(least, vec_norm(D, at));
        }
        double apart = vec_dist(D, a, b), length = segment_shorten(D, a, b);
        assert_true(length <= least * (1 + 1e-12) && length >= least - apart / 4000 - 1e-12);
    }
    double same[D] = { 1, 2, 2 }, other[D] = { 1, 2, 2 };
    assert_true(segment_shorten(D, same, other) == 3);
}

/* x <- the answer of the algorithm's loop, written out; returns its number of gradients. The shortest element of a
 * segment is found from the derivative of its length. */
static double search_loop(const struct method *m, uint64_t seed, double *x)
{
    const struct instance *in = m->in;
    struct rng rng = rng_stream(seed);
    double delta = method_param(m, "radius"), acc = method_param(m, "acc"), g[D], v[D], y[D], p[D], grads = 1;
    in->p->start(in->self, x);
    in->p->grad(in->self, x, v);
    for (; grads < 1000 && vec_norm(D, v) > acc; grads++) {
        double norm = vec_norm(D, v), part, top = 0, bottom = 0;
        for (int j = 0; j < D; j++)
            y[j] = x[j] - delta * v[j] / norm;
        if (in->p->value(in->self, y) <= in->p->value(in->self, x) - delta * norm / 4) {
            vec_copy(D, y, x);
            in->p->grad(in->self, x, v);
            continue;
        }
        part = rng_uniform(&rng);
        for (int j = 0; j < D; j++)
            p[j] = (1 - part) * x[j] + part * y[j];
        in->p->grad(in->self, p, g);
        for (int j = 0; j < D; j++) {
            top += v[j] * (v[j] - g[j]);
            bottom += (v[j] - g[j]) * (v[j] - g[j]);
        }
        double t = bottom > 0 ? fmax(0, fmin(1, top / bottom)) : 0;
        for (int j = 0; j < D; j++)
            v[j] = (1 - t) * v[j] + t * g[j];
    }
    return grads;
}

/* The answer and the number of gradients equal those of search_loop. The answer is stationary by the exact norm,
 * which the certificate of the method bounds. In each setting the mean number of gradients is at most the number
 * that the theorem allows in expectation. */
static void s4_8_ends_at_stationary_points(void **state)
{
    enum { SETTINGS = 18, RUNS = 12 };
    static const char *const shapes[] = { "cone", "slope", "bowl" };
    for (int k = 0; k < SETTINGS; k++) {
        double radius = k / 3 % 2 ? 0.1 : 0.03, acc = (double[]){ 0.3, 0.1, 0.03 }[k / 6], truth[D];
        double part[RUNS];
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[k % 3] }, { "d", D },
                                      { "turned", 1 }, { "dist", 0.37 }, { "goldstein", radius });
        struct goal goal = ask(radius, acc);
        struct method *m = METHOD(NAME, &in, &goal, { "decrease", 0.25 });
        double most = (1 + 4 * in.f.Phi / (radius * acc)) * (1 + 2 * ceil(128 * in.f.L * in.f.L / (9 * acc * acc)));
        for (int run = 0; run < RUNS; run++) {
            uint64_t seed = 70 + (uint64_t)(k * RUNS + run);
            run_from_start(m, seed, INFINITY);
            double norm = ((const struct certificates *)in.self)->exact(in.self, m->x, radius);
            double own = m->o.note[0].last;
            assert_true(norm <= own * (1 + 1e-9) + 1e-12 && own <= acc);
            expect_count(&m->o, COUNT_full_grads, search_loop(m, seed, truth));
            expect_vectors("answer", D, m->x, truth, 1e-12);
            part[run] = m->o.counts.of[COUNT_full_grads] / most;
        }
        double mean = stats_mean(RUNS, part), se = stats_sd(RUNS, part) / sqrt(RUNS);
        print_message("%s: mean %g of the bound\n", in.name, mean);
        assert_true(in.f.L > 0 && mean <= 1 + 6 * se);
        method_free(m);
    }
}

/* A run is followed by hand. The loss has slope 1/2 down to -1 and is flat below; steps are 0.3 long, and by the
 * slope F should fall by 0.15. Three steps lead from 0 to -0.9. In the fourth F falls by 0.05, a third of 0.15; a
 * quarter of it suffices, so that the step is made and ends in the flat part. */
static void s4_8_slope_by_hand(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "shape", 0, "slope" }, { "d", D });
    struct goal goal = ask(0.3, 0.01);
    struct method *m = METHOD(NAME, &in, &goal, { "radius", 0.3 });
    run_from_start(m, 5, INFINITY);
    within("answer", m->x[0], -1.2, 1e-15);
    expect_count(&m->o, COUNT_full_grads, 5);
    expect_count(&m->o, COUNT_full_values, 5);
    assert_true(m->o.note[0].last == 0 && m->o.note[1].sum == 4);
    run_from_start(m, 5, 6);                 /* if a budget ends the run, the last point reached is the answer */
    within("answer", m->x[0], -0.6, 1e-15);
    method_free(m);
}

/* For F = |x|/2 on a line a run from the point radius/2 does not move: a step of length `radius` leads to
 * -radius/2, where F is the same. Gradients between these points are 1/2 or -1/2 with equal chances, and the first
 * -1/2 ends the search, so that the number of gradients is 1 plus a geometric number 1, 2, ... of parameter 1/2. */
static void s4_8_draws_are_geometric(void **state)
{
    enum { RUNS = 4000, CELLS = 8 };
    struct instance in = INSTANCE(memory, "sloped", { "shape", 0, "cone" }, { "d", 1 },
                                  { "dist", 0.05 });
    struct goal goal = ask(0.1, 0.1);
    struct method *m = METHOD(NAME, &in, &goal, { "radius", 0.1 });
    double seen[CELLS] = { 0 }, law[CELLS];
    for (int k = 0; k < CELLS; k++)
        law[k] = k < CELLS - 1 ? pow(0.5, k + 1) : pow(0.5, k);
    for (int k = 0; k < RUNS; k++) {
        run_from_start(m, 1000 + (uint64_t)k, INFINITY);
        int draws = (int)m->o.counts.of[COUNT_full_grads] - 2;
        seen[draws < CELLS - 1 ? draws : CELLS - 1]++;
        assert_true(m->o.note[1].sum == 0 && fabs(m->x[0]) == 0.05);
    }
    chi_square(CELLS, seen, law, RUNS);
    method_free(m);
}

static void refusals(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D });
    struct goal nothing = goal_unknown();
    const struct with plain[] = { { 0 } };
    expect_refusal(NAME, &in, &nothing, plain, "needs goal acc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_8_shortest_of_a_segment), cmocka_unit_test(s4_8_ends_at_stationary_points),
        cmocka_unit_test(s4_8_slope_by_hand), cmocka_unit_test(s4_8_draws_are_geometric),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("interpolated descent", tests, setup, teardown);
}

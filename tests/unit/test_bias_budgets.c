/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bias_budgets.c - two rivals of bias reduction besides those of test_bias_rivals.c, average-piece and
 * composite-ac-sa, compared with loops written out; and the costs at which a target is first reached. z-tests at 6
 * standard errors (contract.h).
 *
 * Serves: bias-reduced */
#include "support/method.h"

#include "plan/measure.h"
#include "run/run.h"

/* The measure `average` of a point is the mean of all pieces there, less the minimum of this mean over the ball.
 * The minimiser is the point of the sphere opposite to the slope of the mean. */
static void s5_3_the_average_of_the_pieces(void **state)
{
    enum { N = 7, DIM = 3 };
    struct instance in = INSTANCE(memory, "max_affine", { "d", DIM }, { "N", N }, { "radius", 2 });
    const struct measure *m = in.p->measures;
    while (m->name && strcmp(m->name, "average"))
        m++;
    assert_non_null(m->name);
    double slope[DIM] = { 0 }, x[DIM] = { 0.4, -0.9, 0.3 }, end[DIM], v[N], w[N], mean = 0, least = 0;
    for (long i = 0; i < N; i++)
        in.p->pieces->grad(in.self, i, x, 1.0 / N, slope);
    for (long j = 0; j < DIM; j++)
        end[j] = -2 * slope[j] / vec_norm(DIM, slope);
    in.p->pieces->values(in.self, x, v);
    in.p->pieces->values(in.self, end, w);
    for (long i = 0; i < N; i++) {
        mean += v[i] / N;
        least += w[i] / N;
    }
    double error;
    expect_near("average", m->at(in.self, x, &error), mean - least, 1e-14);
    expect_near("its minimum", m->at(in.self, end, &error), 0, 1e-14);
}

/* Two steps of average-piece answer (x_0 + x_1)/2, where x_0 = 0 and x_1 = -step g_i with i uniform and g_i the
 * gradient of piece i. Each of 4000 runs must have such an answer, their mean must be right, and every i must occur
 * as often as the others. */
static void s5_3_a_random_piece(void **state)
{
    enum { N = 5, DIM = 2, RUNS = 4000 };
    struct instance in = INSTANCE(memory, "max_affine", { "d", DIM }, { "N", N });
    struct method *m = METHOD("average-piece", &in, &none, { "T", 2 }, { "eps", 0.1 },
                              { "step", 0.01 });
    struct sample_moments first = { 0 };
    double slope[DIM] = { 0 }, x[DIM] = { 0 };
    int seen[N] = { 0 };
    for (long i = 0; i < N; i++)
        in.p->pieces->grad(in.self, i, x, 1.0 / N, slope);
    for (uint64_t run = 0; run < RUNS; run++) {
        struct rng rng = rng_stream(run);
        oracle_release(&m->o);
        arena_reset(m->work);
        contract_open(&m->o, &in, m->algo, run, m->work);
        vec_zero(DIM, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        moments_of(&first, m->x[0]);
        int hit = -1;
        for (long i = 0; i < N; i++) {
            double g[DIM] = { 0 };
            in.p->pieces->grad(in.self, i, x, -0.005, g);
            if (vec_dist(DIM, g, m->x) < 1e-15)
                hit = (int)i;
        }
        assert_true(hit >= 0);
        seen[hit]++;
    }
    expect_mean("first coordinate", &first, -0.005 * slope[0]);
    for (int i = 0; i < N; i++)
        expect_near("draws of a piece", seen[i], RUNS / N, Z * sqrt(RUNS * 0.16));
    method_free(m);
}

/* average-piece takes T = ceil((G R/acc)^2) = 400 subgradients for every number N of pieces, and the mean error of
 * the average of the pieces is at most acc. */
static void s5_3_its_promise(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.05;
    for (double N = 4; N <= 400; N *= 10) {
        struct instance in = INSTANCE(memory, "max_affine", { "d", 4 }, { "N", N });
        struct method *m = METHOD("average-piece", &in, &goal, { "T", 0 });
        struct sample_moments gap = { 0 };
        double error;
        for (uint64_t run = 0; run < 10; run++) {
            moments_of(&gap, in.p->measures[1].at(in.self, method_run(m, run, nobody), &error));
            expect_count(&m->o, COUNT_piece_grads, 400);
            expect_count(&m->o, COUNT_piece_values, 0);
        }
        assert_true(gap.mean > 0 && gap.mean <= 0.05);
        method_free(m);
    }
    expect_refusal("average-piece", &(struct instance){ .p = registry_problem("max_affine"),
                   .f = facts_unknown(), .d = 1 }, &goal, (const struct with[]){ { 0 } }, "radius");
}

/* Without noise composite-ac-sa must agree with the loop written out here, which uses whole gradients. */
static void s5_9_steps_by_hand(void **state)
{
    enum { DIM = 4, T = 6 };
    struct instance in = INSTANCE(memory, "composite_l1", { "d", DIM }, { "M", 3 }, { "s", 0 },
                                  { "decades", 1 });
    struct method *m = METHOD("composite-ac-sa", &in, &none, { "T", T }, { "gamma", 7 });
    double x[DIM] = { 0 }, ag[DIM] = { 0 }, md[DIM], g[DIM];
    for (double t = 1; t <= T; t++) {
        for (long j = 0; j < DIM; j++)
            md[j] = (t - 1) / (t + 1) * ag[j] + 2 / (t + 1) * x[j];
        in.p->grad(in.self, md, g);
        vec_axpy(DIM, -t / 14, g, x);
        vec_scale(DIM, 1 / fmax(1, vec_norm(DIM, x)), x);
        for (long j = 0; j < DIM; j++)
            ag[j] = (t - 1) / (t + 1) * ag[j] + 2 / (t + 1) * x[j];
    }
    expect_vectors("ag", DIM, method_run(m, 1, nobody), ag, 1e-13);
    expect_count(&m->o, COUNT_smooth_grads, T);
    expect_count(&m->o, COUNT_sample_grads, T);
    method_free(m);
}

/* Checks the number T of steps of composite-ac-sa in two cases: the smooth part decides it, or the other part does.
 * The bound at the chosen gamma is at most the accuracy 0.2, and so is the mean excess of ten runs. */
static void s5_9_its_promise(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.2;
    for (double M = 1; M <= 1e7; M *= 1e7) {
        struct instance in = INSTANCE(memory, "composite_l1", { "d", 4 }, { "M", M });
        struct method *m = METHOD("composite-ac-sa", &in, &goal, { "T", 0 });
        double T = method_param(m, "T"), gamma = method_param(m, "gamma"), v2 = 5 * in.f.G * in.f.G;
        expect_near("T", T, ceil(M > 1 ? sqrt(8 * M / 0.2) : 160.0 / 3 * in.f.G * in.f.G / 0.04), 0);
        assert_true(gamma >= 2 * M);
        assert_true(2 * gamma / (T * (T + 1)) + (2 * T + 1) * v2 / (6 * gamma) <= 0.2);
        struct sample_moments gap = { 0 };
        for (uint64_t run = 0; run < 10; run++) {
            const double *x = method_run(m, run, nobody);
            moments_of(&gap, in.p->value(in.self, x) - in.f.f_star);
        }
        assert_true(gap.mean > 0 && gap.mean <= 0.2);
        method_free(m);
    }
    struct instance plain = INSTANCE(memory, "norm", { "d", 2 });
    expect_refusal("composite-ac-sa", &plain, &goal, (const struct with[]){ { 0 } }, "smooth part apart");
}

/* Every cost that marks keep is read at the first mark within the target: a round of mopes is one projection, of
 * gradient-sliding one gradient of the smooth part, of largest-piece one pass. Counts that stay 0 have no column in
 * the trace, except those that every trace has, such as batch_steps and full_grads. */
static void costs_of_first_marks(void **state)
{
    static const struct { const char *text, *cost, *never; } cells[] = {
        { "problem half_ball | algo mopes | goal acc=0.2 budget=1e9 | run trace=2 | rep 0",
          "hit.project_0", "hit.smooth_grads" },
        { "problem composite_l1 M=4 d=4 | algo gradient-sliding | goal acc=0.2 budget=1e9 | run trace=2 "
          "| rep 0", "hit.smooth_grads", "hit.piece_grads" },
        { "problem max_affine | algo largest-piece | goal acc=0.1 T=1e9 | run trace=2 | rep 0",
          "hit.passes", "hit.smooth_grads" },
    };
    struct runner *rn = runner_new(0);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        struct cell *c = NULL;
        assert_int_equal(cell_parse(cells[k].text, &c, NULL), OK);
        struct record *r = run_cell(rn, c, NULL);
        double hit = 0, total = 0, steps = 0, y;
        char name[40];
        snprintf(name, sizeof name, "count.%s", cells[k].cost + strlen("hit."));
        assert_true(measure_get(cells[k].cost, r, &hit) && record_get(r, name, &total));
        assert_true(measure_get("hit.batch_steps", r, &steps) && measure_get("hit.full_grads", r, &y));
        assert_true(hit >= 1 && hit <= total && hit == floor(hit) && steps >= hit && y == 0);
        assert_false(measure_get(cells[k].never, r, &y));
        for (size_t row = 0; row < r->trace.rows; row++) {   /* the ruler is the last column */
            const double *v = r->trace.value + row * r->trace.columns;
            if (v[r->trace.columns - 1] <= c->goal.acc) {
                expect_near("batch steps", v[0], steps, 0);
                break;
            }
        }
        record_free(r);
        cell_free(c);
    }
    runner_free(rn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_3_the_average_of_the_pieces),
        cmocka_unit_test(s5_3_a_random_piece),
        cmocka_unit_test(s5_3_its_promise),
        cmocka_unit_test(s5_9_steps_by_hand),
        cmocka_unit_test(s5_9_its_promise),
        cmocka_unit_test(costs_of_first_marks),
    };
    return cmocka_run_group_tests_name("rivals of bias reduction", tests, setup, teardown);
}

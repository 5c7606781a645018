/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_table2.c - the methods of Table 2 of the paper resque. Paths are compared with loops written here,
 * parameters with the papers' formulas computed by hand, sensitivities with an enumeration of records, the epsilon
 * that a run has spent with the promised one, and the counts of count mode with those of a real run. The phases of
 * AFKT21 and KLL21 are in test_table2_localised.c. Rows of the table are named by authors and year.
 *
 * Serves: resque */
#include "support/table2.h"

/* --- BST14 with a regulariser, BFTT19 on envelopes, BFGT20 */

enum row { BST14, BFTT19, BFGT20 };
static const char *const variant[] = { "bst14", "bftt19", "bfgt20" };

/* Compares the answer of the variant `row` after T = 40 iterations with that of a loop written here, whose
 * iterations are as printed. If M > 0 the gradients are those of the Moreau envelope, which is M-smooth, of a
 * sample's loss sum_j |x_j - s_j|/sqrt d. The loop finds s_j = +-theta from the slope of this loss at 0,
 * -s_j/(theta sqrt d), with theta = 1/sqrt d. */
static void sampled_loop(enum row row, double lambda, double M)
{
    enum { T = 40 };
    const double C = 1, sigma = 0.2, h = 0.3, unit = 1 / sqrt(D), origin[D] = { 0 };
    const long B = row == BFTT19 ? 7 : 1;
    bool falls = row == BST14;
    struct instance in = coins(N);
    struct goal goal = goal_private(NAN, EPS, DELTA);
    struct oracle twin;
    double x[D] = { 0 }, mean[D] = { 0 }, g[D], s[D];
    contract_open(&twin, &in, NULL, 11, memory);
    for (long t = 1; t <= T; t++) {
        struct ticket batch;
        assert_true(falls ? oracle_poisson(&twin, 1.0 / N, &batch) : oracle_draw(&twin, B, &batch));
        vec_zero(D, g);
        for (long k = 0; k < batch.count; k++) {
            long i = oracle_record(&twin, &batch, k);
            if (M == 0)
                in.p->sample_grad(in.self, i, x, 1 / (double)B, g);
            vec_zero(D, s);
            in.p->sample_grad(in.self, i, origin, -1, s);
            for (int j = 0; j < D && M > 0; j++)
                g[j] += fmax(-unit, fmin(unit, M * (x[j] - s[j]))) / (double)B;
        }
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma, D, g);
        double step = falls ? h / sqrt((double)t) : h;
        for (int j = 0; j < D; j++)
            x[j] -= step * (g[j] + lambda * x[j]);
        instance_project(&in, x);
        vec_axpy(D, 1.0 / T, x, mean);
    }
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "T", T }, { "B", (double)B },
                              { "C", C }, { "sigma", sigma }, { "step", h }, { "lambda", lambda },
                              { "smoothing", 0, M > 0 ? "envelope" : "none" }, { "M", M > 0 ? M : 1 },
                              { "variant", 0, variant[row] }, { "calibration", 0, "paper" });
    expect_vectors(variant[row], D, method_run(m, 11, nobody), falls ? x : mean, 1e-13);
    if (!falls)
        expect_count(&m->o, COUNT_sample_grads, T * (double)B * (M > 0 ? pow(N, 3) : 1));
    assert_true(m->o.ledger.entry->sensitivity == C / (double)B);
    oracle_release(&twin);
    method_free(m);
}

static void d1_regularised(void **state)
{
    sampled_loop(BST14, 0, 0);
    sampled_loop(BST14, 0.7, 0);
}

static void d2_envelopes(void **state) { sampled_loop(BFTT19, 0, 3); }
static void d4_with_replacement(void **state) { sampled_loop(BFGT20, 0, 0); }

/* T, B, sigma and the step length of variant bfgt20, for n = 30, L = 1 and R = 2, are those computed by hand. As
 * sqrt(6 ln 1000)/0.5 = 12.876 is above sqrt(30), the step length is 2/(30 * 12.876). The next test has the M of
 * variant bftt19, 30/(2 * 12.876). */
static void d4_printed(void **state)
{
    struct instance in = coins(N);
    struct goal goal = goal_private(NAN, EPS, DELTA);
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "bfgt20" },
                              { "calibration", 0, "paper" });
    assert_true(method_param(m, "T") == N * N && method_param(m, "B") == 1);
    expect_near("sigma", method_param(m, "sigma"), sqrt(8 * log(1000)) / EPS, 1e-12);
    expect_near("step", method_param(m, "step"), 2 / (30 * 12.8757958), 1e-7);
    method_free(m);
    m = METHOD("multi-epoch-dp-sgd", &in, &none, { "variant", 0, "bfgt20" });
    expect_near("step without privacy", method_param(m, "step"), 2 / (30 * sqrt(30)), 1e-15);
    assert_true(method_param(m, "sigma") == 0);
    method_free(m);
}

static void d2_printed(void **state)
{
    struct instance in = coins(N);
    struct goal goal = goal_private(NAN, EPS, DELTA);
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "bftt19" },
                              { "calibration", 0, "paper" }, { "smoothing", 0, "envelope" });
    expect_near("M", method_param(m, "M"), 30 / (2 * 12.8757958), 1e-6);
    assert_true(method_param(m, "prox_grads") == 27000);
    method_free(m);
    static const struct with wrong[] = { { "variant", 0, "bfgt20" }, { "smoothing", 0, "envelope" },
                                         { 0 } },
        many[] = { { "variant", 0, "bftt19" }, { "smoothing", 0, "envelope" },
                   { "prox_grads", 1e16 }, { 0 } };
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, wrong, "envelope is of variant bftt19");
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, many, "more than 2^53 gradients");
}

/* --- FKT20 with the solver sgd, which makes several passes over the records of a phase */

enum { SMALL = 13, PHASES = 3 };         /* 13 records in phases of 6, 3 and 1 */

static void d3_passes(void **state)
{
    const double eta = 3, slack = 0.6, sigma = 0.05;
    struct instance in = coins(SMALL);
    struct method *m = METHOD("phased-erm", &in, &none, { "n", SMALL }, { "eta", eta },
                              { "solver", 0, "sgd" }, { "slack", slack }, { "sigma", sigma });
    struct oracle twin;
    double x[D] = { 0 }, step = eta, steps = 0;
    contract_open(&twin, &in, NULL, 11, memory);
    for (int i = 1; i <= PHASES; i++) {
        struct ticket phase;
        long n = SMALL >> i, E = (long)ceil((double)n / (slack * slack));
        double c[D], w[D], g[D], lambda, t = 0;
        assert_true(oracle_take(&twin, n, &phase));
        step /= 4;
        lambda = 2 / (step * (double)n);
        vec_copy(D, x, c);
        vec_copy(D, x, w);
        for (long e = 0; e < E; e++)
            for (long k = 0; k < n; k++) {
                instance_sample_grad(&in, oracle_record(&twin, &phase, k), w, g);
                vec_axpy(D, lambda, w, g);
                vec_axpy(D, -lambda, c, g);
                vec_axpy(D, -1 / (lambda * ++t), g, w);
                instance_project(&in, w);
            }
        steps += t;
        vec_sub(D, w, c, w);
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma * step, D, w);
        vec_lincomb(D, 1, c, 1, w, x);
        instance_project(&in, x);
    }
    expect_vectors("answer", D, method_run(m, 11, nobody), x, 1e-12);
    expect_count(&m->o, COUNT_sample_grads, steps);
    for (int i = 0; i < PHASES; i++)
        expect_near("booked", m->o.ledger.entry[i].sensitivity, (0.5 + slack) * ldexp(eta, -2 * i - 2),
                    1e-15);
    oracle_release(&twin);
    method_free(m);
}

/* Without noise, in one phase or in two, zeroing any one record moves the answer by at most L eta_1 (1/2 + slack),
 * where eta_1 = eta/4 and L = 1. On linear losses inside the ball, one record of gradient g moves it by exactly |g|
 * eta_1/2. */
static void d3_sensitivity(void **state)
{
    for (int k = 0; k < 12; k++) {
        double slack = k % 3 == 0 ? 0.3 : k % 3 == 1 ? 1 : 2, eta = pow(10, k / 3 - 2), worst = 0;
        struct instance in = coins(3);           /* there is one phase, of one record */
        struct instance four = coins(5);         /* there are two phases, of two records and of one */
        const struct instance *const at = k % 2 ? &in : &four;
        struct method *m = METHOD("phased-erm", at, &none, { "n", at->f.n }, { "eta", eta },
                                  { "solver", 0, "sgd" }, { "slack", slack }, { "sigma", 0 });
        double base[D];
        vec_copy(D, method_run(m, 5, nobody), base);
        for (long i = 0; i < (long)at->f.n; i++)
            worst = fmax(worst, vec_dist(D, base, method_run(m, 5, (struct neighbour){
                                                                     NEIGHBOUR_NULL, i, i })));
        assert_true(worst <= (0.5 + slack) * eta / 4 + 1e-15);
        method_free(m);
    }
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.3 },
                                  { "radius", 1e6 });
    struct method *m = METHOD("phased-erm", &in, &none, { "n", 2 }, { "eta", 2 },
                              { "solver", 0, "sgd" }, { "sigma", 0 });
    double base[D], g[D];
    vec_copy(D, method_run(m, 5, nobody), base);
    instance_sample_grad(&in, 0, base, g);
    double moved = vec_dist(D, base, method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, 0, 0 }));
    expect_near("linear", moved, vec_norm(D, g) * 0.5 / 2, 1e-12);
    method_free(m);
}

/* The solver `sgd` needs a Lipschitz constant only, and no smoothness M. */
static void d3_no_smoothness(void **state)
{
    struct instance in = coins(64);
    struct goal goal = goal_private(64, 1, 1e-5);
    static const struct with agm[] = { { 0 } }, sgd[] = { { "solver", 0, "sgd" }, { 0 } },
        fine[] = { { "solver", 0, "sgd" }, { "slack", 1e-8 }, { 0 } };
    struct instance bent = INSTANCE(memory, "capped", { "d", 3 });
    expect_refusal("phased-erm", &in, &goal, agm, "needs M");
    expect_refusal("phased-erm", &in, &goal, fine, "a larger algo.slack");
    expect_refusal("phased-erm", &bent, &goal, sgd, "private only for convex");
    struct method *m = METHOD("phased-erm", &in, &goal, { "solver", 0, "sgd" });
    method_run(m, 1, nobody);
    assert_true(spent(m, 64, 1e-5) <= 1 + 1e-9);
    method_free(m);
}

/* --- counts */

/* A run and count mode count the same batch steps, projections, noise and depth. Sample gradients and samples taken
 * are the same if nothing is random; otherwise those of a run are within Z standard deviations of those of count
 * mode. */
static void p10_count_mode(void **state)
{
    static const struct { const char *algo; struct with with[3]; bool random; } row[] = {
        { "multi-epoch-dp-sgd", { { "variant", 0, "bst14" }, { "calibration", 0, "paper" } }, true },
        { "multi-epoch-dp-sgd", { { "variant", 0, "bftt19" }, { "calibration", 0, "paper" } }, false },
        { "multi-epoch-dp-sgd", { { "variant", 0, "bfgt20" }, { "calibration", 0, "paper" } }, false },
        { "multi-epoch-dp-sgd", { { "variant", 0, "bftt19" }, { "calibration", 0, "paper" },
                                  { "smoothing", 0, "envelope" } }, false },
        { "phased-erm", { { "solver", 0, "sgd" } }, false },
        { "localised-sgd", { { 0 } }, true },
        { "localised-smoothing", { { 0 } }, true },
    };
    static const enum count same[] = { COUNT_batch_steps, COUNT_project_0, COUNT_noise_gauss,
                                       COUNT_depth };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct instance in = coins(80);
        struct goal goal = goal_private(strstr(row[k].algo, "multi") ? NAN : 80, EPS, DELTA);
        const struct with *w = row[k].with;
        struct method *m = METHOD(row[k].algo, &in, &goal, w[0], w[1], w[2]);
        struct rng rng = rng_stream(3);
        struct oracle counted;
        struct arena *work = arena_new(0);
        double x[D] = { 0 };
        contract_open(&counted, &in, m->algo, 11, work);
        counted.counting = true;
        assert_int_equal(m->algo->run(&counted, m->params, work, &rng, x), OK);
        method_run(m, 11, nobody);
        for (size_t j = 0; j < sizeof same / sizeof *same; j++)
            expect_count(&counted, same[j], m->o.counts.of[same[j]]);
        double truth = counted.counts.of[COUNT_sample_grads];
        expect_near(row[k].algo, m->o.counts.of[COUNT_sample_grads], truth,
                    row[k].random ? Z * sqrt(truth) : 0);
        expect_near("taken", m->o.counts.of[COUNT_taken], counted.counts.of[COUNT_taken],
                    row[k].random ? Z * sqrt(truth) : 0);
        oracle_release(&counted);
        arena_free(work);
        method_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(d1_regularised),
        cmocka_unit_test(d2_envelopes),
        cmocka_unit_test(d2_printed),
        cmocka_unit_test(d4_with_replacement),
        cmocka_unit_test(d4_printed),
        cmocka_unit_test(d3_passes),
        cmocka_unit_test(d3_sensitivity),
        cmocka_unit_test(d3_no_smoothness),
        cmocka_unit_test(p10_count_mode),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

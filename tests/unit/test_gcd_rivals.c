/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gcd_rivals.c - the methods with which greedy coordinate descent is compared: full-batch proximal descent,
 * Frank-Wolfe and mirror descent over the l1 ball, and descent without noise. They are compared with loops over a
 * matrix, optimality conditions, certified optima and accountants. R is the radius of the l1 ball, L1 a bound on
 * the absolute entries of the gradient of a record, z the noise of a release over its sensitivity.
 *
 * Serves: dp-gcd */
#include "support/squares.h"

#include "privacy/account.h"

static void gradient(const double *x, double C, double *g)
{
    for (int j = 0; j < P; j++)
        g[j] = clipped(j, x, C);
}

static double excess(const struct instance *in, const double *x)
{
    double error = NAN;
    assert_string_equal(in->p->measures[0].name, "excess");
    return in->p->measures[0].at(in->self, x, &error);
}

/* --- dp-prox-gd, which takes full batches */

/* Both kinds of answer of dp-prox-gd, last iterate and mean, equal those of the loop in this test. A round costs a
 * pass; the sensitivity is 2 C/n, and the noise is z times the sensitivity. */
static void s5_2_full_batch(void **state)
{
    enum { T = 9 };
    const double C = 5, z = 0.4, step = 0.7, l2 = 0.3, l1 = 0.4;
    struct instance in = squares(l2, l1);
    struct oracle twin;
    double x[P] = { 0 }, sum[P] = { 0 }, h = step / in.f.M_F, trace = 0;
    contract_open(&twin, &in, NULL, 11, memory);
    for (int j = 0; j < P; j++)
        trace += column_square(j);
    for (int t = 0; t < T; t++) {
        double g[P];
        for (int j = 0; j < P; j++)
            g[j] = clipped(j, x, C * sqrt(column_square(j) / trace));
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, z * 2 * C / N, P, g);
        for (int j = 0; j < P; j++) {
            double v = x[j] - h * g[j];
            x[j] = copysign(fmax(fabs(v) - h * l1, 0), v) / (1 + h * l2);
            sum[j] += x[j] / T;
        }
    }
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("dp-prox-gd", &in, &none, { "T", T }, { "C", C }, { "z", z },
                                  { "step", step }, { "answer", 0, k ? "average" : "last" });
        expect_vectors("answer", P, method_run(m, 11, nobody), k ? sum : x, 1e-12);
        expect_count(&m->o, COUNT_coords, T * N * P);
        expect_count(&m->o, COUNT_passes, T);
        expect_count(&m->o, COUNT_noise_gauss, T);
        expect_near("sensitivity", m->o.ledger.entry->sensitivity, 2 * C / N, 1e-15);
        expect_near("scale", m->o.ledger.entry->scale, z * 2 * C / N, 1e-15);
        method_free(m);
    }
    oracle_release(&twin);
}

/* The z of dp-prox-gd and of dp-mirror is that of DP-CD for the same number of releases: 53.4998 for 100 releases
 * at n = 1000, eps = 1. */
static void s2_6_full_batch_noise(void **state)
{
    struct instance in = squares(0, 0);
    struct goal goal = goal_private(NAN, 1, 1e-6);
    struct method *m = METHOD("dp-prox-gd", &in, &goal, { "T", 100 }, { "C", 1 });
    expect_near("z", method_param(m, "z"), 53.4998, 5e-5);
    method_free(m);
    m = METHOD("dp-mirror", &in, &goal, { "T", 100 }, { "C", 1 }, { "R", 1 });
    expect_near("z", method_param(m, "z"), 53.4998, 5e-5);
    method_free(m);
    /* Without public L_j the bounds on gradients are known only from the data. With practical constants the method
     * then clips; with those of theory the run is refused. */
    static const struct with open[] = { { 0 } };
    double trace = 0, most = 0;
    in.f.L_j = NULL;
    for (int j = 0; j < P; j++) {
        trace += column_square(j);
        most = fmax(most, column_square(j));
    }
    m = METHOD("dp-prox-gd", &in, &goal, { "T", 100 });
    expect_near("Lambda", method_param(m, "Lambda"), sqrt(trace), 1e-12);
    method_free(m);
    m = METHOD("dp-fw", &in, &goal, { "T", 100 }, { "R", 1 });
    expect_near("L1", method_param(m, "L1"), sqrt(most), 1e-12);
    method_free(m);
    goal.constants = CONSTANTS_THEORY;
    expect_refusal("dp-prox-gd", &in, &goal, open, "give algo.C");
    expect_refusal("dp-fw", &in, &goal, open, "give algo.C");
    expect_refusal("dp-mirror", &in, &goal, open, "give algo.C");
}

/* Noise is for the bound L1 or Lambda, and gradients are clipped to C: a bound below C is refused. */
static void s5_2_bound_below_clip(void **state)
{
    struct instance in = squares(0, 0);
    struct goal goal = goal_private(NAN, 1, 1e-6);
    static const struct { const char *name; struct with with[4]; } cases[] = {
        { "dp-prox-gd", { { "C", 1 }, { "Lambda", 0.1 } } },
        { "dp-fw", { { "C", 1 }, { "L1", 0.1 }, { "R", 1 } } },
        { "dp-mirror", { { "C", 1 }, { "L1", 0.1 }, { "R", 1 } } },
    };
    for (int k = 0; k < 3; k++) {
        const struct with *w = cases[k].with;
        expect_refusal(cases[k].name, &in, &goal, w, "= 0.1 bounds gradients that are clipped to algo.C = 1");
        method_free(METHOD(cases[k].name, &in, &goal, w[0], { w[1].name, 1 }, w[2]));
    }
}

/* --- dp-fw, Frank-Wolfe over the l1 ball */

/* Frank-Wolfe is compared with a loop over a table of the 2P vertices, whose scores are in units of the
 * objective. */
static void s5_3_frank_wolfe(void **state)
{
    enum { T = 30 };
    const double R = 1.5, C = 2, b = 0.9;
    struct instance in = squares(0, 0);
    struct oracle twin;
    double x[P] = { 0 }, scale[2 * P];
    int seen = 0, vertices[2 * P] = { 0 };
    contract_open(&twin, &in, NULL, 11, memory);
    vec_fill(2 * P, b, scale);
    for (int t = 1; t <= T; t++) {
        double g[P], score[2 * P];
        gradient(x, C, g);
        for (int k = 0; k < 2 * P; k++)
            score[k] = -(k < P ? R : -R) * g[k % P];
        long k = noise_choose(&twin, &(struct release){ .site = "twin" }, MAX_LAPLACE,
                              &(struct candidates){ .m = 2 * P, .score = score, .b = scale }).block;
        for (int j = 0; j < P; j++)
            x[j] = t / (t + 2.0) * x[j] + 2 / (t + 2.0) * (j == k % P ? k < P ? R : -R : 0);
        seen += vertices[k]++ == 0;
    }
    assert_true(seen > 3); /* more than three vertices: noise and gradients each influence the choices */
    struct method *m = METHOD("dp-fw", &in, &none, { "T", T }, { "C", C }, { "R", R }, { "b", b });
    expect_vectors("answer", P, method_run(m, 11, nobody), x, 1e-13);
    expect_count(&m->o, COUNT_noise_max, T);
    expect_count(&m->o, COUNT_noise_laplace, T * 2 * P);
    expect_count(&m->o, COUNT_passes, T);
    expect_count(&m->o, COUNT_coords, T * N * P);
    const struct ledger_entry *e = m->o.ledger.entry;
    expect_near("price", e->sensitivity / e->scale, 2 * C * R / N / b, 1e-14);
    method_free(m);
    oracle_release(&twin);
}

/* A goal with eps = inf asks for no privacy. The number of rounds is then that of a run without a goal, and a goal
 * that has rho too gets the noise of rho. */
static void an_infinite_eps_is_none(void **state)
{
    struct instance in = squares(0, 0);
    struct goal goal = none;
    goal.eps = INFINITY;
    struct method *m = METHOD("dp-fw", &in, &goal, { "C", 2 }, { "R", 1 }), *rho;
    method_run(m, 11, nobody);
    expect_count(&m->o, COUNT_passes, 100);
    assert_true(method_param(m, "b") == 0);
    method_free(m);
    goal.rho = 0.5;
    m = METHOD("dp-fw", &in, &goal, { "T", 9 }, { "C", 2 }, { "R", 1 });
    goal.eps = NAN;
    rho = METHOD("dp-fw", &in, &goal, { "T", 9 }, { "C", 2 }, { "R", 1 });
    method_run(m, 11, nobody);
    method_run(rho, 11, nobody);
    expect_near("scale", m->o.ledger.entry->scale, rho->o.ledger.entry->scale, 1e-15);
    assert_true(m->o.ledger.entry->scale > 0);
    method_free(m);
    method_free(rho);
    goal.eps = INFINITY;
    m = METHOD("dp-gcd", &in, &goal, { "T", 9 }, { "C", 2 });
    expect_near("share", method_param(m, "share"), 0.5 / sqrt(5 * 9), 1e-15);
    method_free(m);
}

/* Without noise the excess is at most 2 Gamma/(t + 2), with Gamma = 4 R^2 max_j M_j over a ball that contains the
 * minimum; the largest entry of a Hessian is on its diagonal. */
static void s5_3_noiseless(void **state)
{
    struct instance in = squares(0, 0);
    double best[P], R, curvature = 0;
    assert_true(in.p->minimiser(in.self, best));
    R = 1.2 * vec_norm1(P, best);
    for (int j = 0; j < P; j++)
        curvature = fmax(curvature, 4 * R * R * column_square(j));
    for (int T = 1; T <= 1024; T *= 4) {
        struct method *m = METHOD("dp-fw", &in, &none, { "T", T }, { "R", R });
        const double *x = method_run(m, 11, nobody);
        assert_true(vec_norm1(P, x) <= R * (1 + 1e-12));
        assert_true(excess(&in, x) <= 2 * curvature / (T + 2));
        method_free(m);
    }
}

/* The choice of a vertex under Laplace noise of scale b is 2 S/b-differentially private, where S = 2 L1 R/n is the
 * sensitivity of a score. The corrected scale b keeps the promise by advanced composition, and the numeric scale
 * by the equation that it solves; the printed scale spends twice the promise. */
static void s5_3_noise(void **state)
{
    struct instance in = squares(0, 0);
    const double eps = 0.5, delta = 1e-6, L1 = 3, R = 2;
    struct goal goal = goal_private(NAN, eps, delta);
    double S = 2 * L1 * R / N;
    static const char *const words[] = { "paper", "corrected", "numeric" };
    for (long T = 1; T <= 400; T *= 20)
        for (int k = 0; k < 3; k++) {
            struct method *m = METHOD("dp-fw", &in, &goal, { "T", (double)T }, { "R", R },
                                      { "L1", L1 }, { "calibration", 0, words[k] });
            double b = method_param(m, "b"), eps0 = 2 * S / b, times = (double)T, spent;
            double rho = times * eps0 * eps0 / 2, squares = sqrt(2 * times * log(1 / delta)) * eps0;
            spent = account_advanced(1, &times, &eps0, delta);
            if (k < 2)
                expect_near(words[k], b, (k ? 4 : 1) * L1 * R * sqrt(8 * times * log(1 / delta)) /
                                             (N * eps), 1e-12 * b);
            if (k == 0)
                expect_near("paper: the leading term", squares, 2 * eps, 1e-12);
            if (k == 1)
                assert_true(spent <= eps);
            if (k == 2) {
                double by_zcdp = rho + 2 * sqrt(rho * log(1 / delta)), basic = times * eps0;
                expect_near("numeric", fmin(by_zcdp, basic), eps, 1e-12);
            }
            method_free(m);
        }
}

/* --- dp-mirror, mirror descent over the l1 ball */

/* Returns h(x) = |x|_q^2/(2 (q - 1)), the potential of mirror descent. */
static double potential(double q, const double *x)
{
    double sum = 0;
    for (int j = 0; j < P; j++)
        sum += pow(fabs(x[j]), q);
    return pow(sum, 2 / q) / (2 * (q - 1));
}

/* Returns <g, x - a> + D_h(x, a)/eta, where D_h is the Bregman divergence of the function h that `potential`
 * computes; its gradient at a is computed by differences. */
static double model(double q, double eta, const double *g, const double *a, const double *x)
{
    double value = (potential(q, x) - potential(q, a)) / eta;
    for (int j = 0; j < P; j++) {
        double up[P], down[P], e = 1e-6;
        memcpy(up, a, sizeof up);
        memcpy(down, a, sizeof down);
        up[j] += e;
        down[j] -= e;
        value += (g[j] - (potential(q, up) - potential(q, down)) / (2 * e) / eta) * (x[j] - a[j]);
    }
    return value;
}

/* The answer of T rounds is the mean of x_1 ... x_T, so that x_T is T times the answer minus the earlier points.
 * For steps that end inside the ball and on its boundary, no point of the l1 ball, near x_{t+1} or elsewhere, has a
 * smaller value of the model. */
static void s5_4_steps_minimise(void **state)
{
    static const double cs[] = { 0.05, 5 };
    const double R = 0.8, q = 1 + 1 / log(P), L1 = 12;
    struct instance in = squares(0, 0);
    struct rng r = rng_stream(9);
    int inside = 0, on = 0;
    for (int k = 0; k < 2; k++) {
        double before[P] = { 0 }, sum[P] = { 0 };
        for (int T = 2; T <= 5; T++) {
            /* The step length eta is c R/sqrt((q - 1) T L1^2), with the parameter c. It must not depend on T here,
             * so that c is multiplied by sqrt T. */
            struct method *m = METHOD("dp-mirror", &in, &none, { "T", T }, { "R", R }, { "L1", L1 },
                                      { "c", cs[k] * sqrt(T) });
            const double *mean = method_run(m, 11, nobody);
            double x[P], g[P], eta = cs[k] * R / sqrt((q - 1) * L1 * L1), length = 0;
            for (int j = 0; j < P; j++) {
                x[j] = T * mean[j] - sum[j];
                length += fabs(x[j]);
            }
            assert_true(length <= R * (1 + 1e-9));
            inside += length < 0.99 * R;
            on += length > R * (1 - 1e-9);
            gradient(before, INFINITY, g);
            double least = model(q, eta, g, before, x);
            for (int i = 0; i < 4000; i++) {
                double y[P], norm1 = 0, near = i % 2 ? pow(10, -1 - i % 7 / 2.0) : 1;
                for (int j = 0; j < P; j++) {
                    double at = R * (2 * rng_uniform(&r) - 1);
                    y[j] = (1 - near) * x[j] + near * at;
                    norm1 += fabs(y[j]);
                }
                for (int j = 0; j < P; j++)
                    y[j] *= fmin(1, R / norm1);
                assert_true(model(q, eta, g, before, y) >= least - 1e-7 * (1 + fabs(least)));
            }
            memcpy(before, x, sizeof x);
            vec_axpy(P, 1, x, sum);
            method_free(m);
        }
    }
    assert_true(inside > 0 && on > 0);
}

/* Each of the T releases of dp-mirror has noise of sd z 2 L1 sqrt(d)/n in every entry, which is z times the
 * sensitivity 2 L1 sqrt(d)/n. By default L1 is the clipping bound C. */
static void s5_4_ledger(void **state)
{
    struct instance in = squares(0, 0);
    struct method *m = METHOD("dp-mirror", &in, &none, { "T", 6 }, { "R", 1 }, { "C", 2 },
                              { "z", 1.5 });
    method_run(m, 11, nobody);
    const struct ledger_entry *e = m->o.ledger.entry;
    assert_int_equal(m->o.ledger.entries, 6);
    expect_near("sensitivity", e->sensitivity, 2 * 2 * sqrt(P) / N, 1e-15);
    expect_near("scale", e->scale, 1.5 * 2 * 2 * sqrt(P) / N, 1e-15);
    expect_count(&m->o, COUNT_noise_gauss, 6);
    expect_count(&m->o, COUNT_coords, 6 * N * P);
    method_free(m);
}

/* --- coordinate-descent, which has no noise */

static void s5_descent_without_noise(void **state)
{
    static const char *const rules[] = { "GS-s", "GS-r", "GS-q", "random", "cyclic" };
    for (int prox = 0; prox < 2; prox++) {
        struct instance in = squares(prox * 0.3, prox * 0.4);
        for (int k = 0; k < 5; k++) {
            struct method *m = METHOD("coordinate-descent", &in, &none, { "T", 3000 },
                                      { "rule", 0, rules[k] });
            double after = excess(&in, method_run(m, 11, nobody));
            if (!(after <= 1e-12))
                fail_msg("%s: excess %g", rules[k], after);
            expect_count(&m->o, COUNT_coords, 3000.0 * N * (k < 3 ? P : 1));
            method_free(m);
        }
    }
}

/* The example of item 7.1 of docs/papers/dp-gcd.md has the objective w'Hw/2 - b'w, H = [[2,1],[1,3]], b = (1,2),
 * and the path w^2 = (1/6, 2/3), w^3 = (1/6, 11/18). Two records with the loss of squares have X'X/2 = H and X'y/2
 * = b: X = [[2, 1], [0, sqrt(5)]], y = X H^-1 b. */
static void s7_1_trace(void **state)
{
    static const double truth[4][2] = { { 0, 0 }, { 0, 2.0 / 3 }, { 1.0 / 6, 2.0 / 3 },
                                        { 1.0 / 6, 11.0 / 18 } };
    char file[] = "/tmp/assay-cd-XXXXXX";
    FILE *f = fdopen(mkstemp(file), "w");
    fprintf(f, "%.17g 1:2 2:1\n%.17g 2:%.17g\n", 2 * 0.2 + 0.6, sqrt(5) * 0.6, sqrt(5));
    fclose(f);
    struct instance in = INSTANCE(memory, "erm", { "data", 0, file }, { "loss", 0, "squares" },
                                  { "l2", 0 });
    for (int T = 1; T <= 3; T++) {
        struct method *m = METHOD("coordinate-descent", &in, &none, { "T", T });
        expect_vectors("w", 2, method_run(m, 11, nobody), truth[T], 1e-14);
        method_free(m);
    }
    remove(file);
}

/* As eps goes to infinity, dp-gcd becomes coordinate-descent with its greedy rule, and dp-cd that with random
 * coordinates, which it takes from the same stream. */
static void s3_4_6_limits(void **state)
{
    struct instance in = squares(0.3, 0.4);
    struct goal goal = goal_private(NAN, 1e12, 1e-6);
    double greedy[P], random[P];
    for (int T = 1; T <= 40; T += 13) {
        struct method *m = METHOD("coordinate-descent", &in, &none, { "T", T });
        memcpy(greedy, method_run(m, 11, nobody), sizeof greedy);
        method_free(m);
        m = METHOD("coordinate-descent", &in, &none, { "T", T }, { "rule", 0, "random" });
        memcpy(random, method_run(m, 11, nobody), sizeof random);
        method_free(m);
        m = METHOD("dp-gcd", &in, &goal, { "T", T }, { "C", 1e4 });
        expect_vectors("dp-gcd", P, method_run(m, 11, nobody), greedy, 1e-7);
        method_free(m);
        m = METHOD("dp-cd", &in, &goal, { "K", T }, { "C", 1e4 });
        expect_vectors("dp-cd", P, method_run(m, 11, nobody), random, 1e-2);
        method_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_2_full_batch),       cmocka_unit_test(s2_6_full_batch_noise),
        cmocka_unit_test(s5_2_bound_below_clip), cmocka_unit_test(s5_3_frank_wolfe),
        cmocka_unit_test(an_infinite_eps_is_none),
        cmocka_unit_test(s5_3_noiseless),        cmocka_unit_test(s5_3_noise),
        cmocka_unit_test(s5_4_steps_minimise),   cmocka_unit_test(s5_4_ledger),
        cmocka_unit_test(s5_descent_without_noise), cmocka_unit_test(s7_1_trace),
        cmocka_unit_test(s3_4_6_limits),
    };
    return cmocka_run_group_tests_name("gcd-rivals", tests, begin, end);
}

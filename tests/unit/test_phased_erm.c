/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_phased_erm.c - phased ERM: the two solvers are compared with minimisers in closed form; the promise of a
 * certificate and the consequence of one that fails, sensitivity, rounds, refusals. Phase i minimises over its n_i
 * samples F_i, the mean of their losses plus (lambda/2)|x - c|^2, where c is the answer of the phase before, lambda
 * = 2/(n_i eta_i) and eta_i = eta/4^i. Its solver may end within slack L eta_i of the minimiser, which a
 * certificate shows but for a probability zeta; then noise of standard deviation sigma eta_i is added.
 *
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

#include "privacy/account_ledger.h"
#include "run/run.h"

enum { D = 7, PHASES = 4 };
static const long sizes[PHASES] = { 11, 5, 2, 1 };       /* numbers of samples in the phases of n = 23 */
static const char *const solvers[] = { "agm", "katyusha" };

/* Returns an instance whose points are far from the boundary, so that the minimiser of F_i has a closed form. */
static struct instance inside(void)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", 1 }, { "decades", 2 }, { "rr", 5e-7 },
                    { "radius", 1e6 });
}

/* Returns how many samples of a phase the solver uses: katyusha takes whole blocks of ceil(sqrt(n)). */
static long used(int solver, long n)
{
    long b = (long)ceil(sqrt((double)n));
    return solver ? n - n % b : n;
}

/* --- the answers of the two solvers */

/* Phase i must answer the minimiser of F_i plus noise; for the quadratic with Hessian H and minimiser c, whose
 * samples have the gradient H (x - c) - xi, this is x_i = (H + lambda)^-1 (H c + mean of xi + lambda x_{i-1}). A
 * solver may err by slack L eta_i in phase i, and later phases do not enlarge this error. */
static void bl7_solutions(void **state)
{
    static const double slack[] = { 0.3, 1e-6 };
    const double eta = 8, sigma = 0.05, L = 4;
    struct instance in = inside();
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++) {
            struct method *m = METHOD("phased-erm", &in, &none, { "n", 23 }, { "eta", eta },
                                      { "sigma", sigma }, { "L", L }, { "slack", slack[k] },
                                      { "solver", 0, solvers[s] });
            struct oracle twin;
            double c[D], x[D] = { 0 }, step = eta, left = 0;
            long first = 0;
            assert_true(in.p->minimiser(in.self, c));
            contract_open(&twin, &in, NULL, 11, memory);
            for (int i = 0; i < PHASES; i++) {
                struct ticket phase;
                double mean[D] = { 0 }, g[D], lambda;
                long n = used(s, sizes[i]);
                assert_true(oracle_take(&twin, sizes[i], &phase));
                for (long r = first; r < first + n; r++) {
                    instance_sample_grad(&in, r, c, g);
                    vec_axpy(D, -1.0 / (double)n, g, mean);
                }
                first += sizes[i];
                step /= 4;
                lambda = 2 / (step * (double)n);
                left += slack[k] * L * step;
                for (int j = 0; j < D; j++) {
                    double h = pow(10, -2.0 * j / (D - 1));
                    x[j] = (h * c[j] + mean[j] + lambda * x[j]) / (h + lambda);
                }
                noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma * step, D, x);
            }
            method_run(m, 11, nobody);
            assert_true(vec_dist(D, m->x, x) <= left + 1e-12);
            assert_true(m->o.clip_seen == 0 && m->o.ledger.entries == PHASES);
            expect_count(&m->o, COUNT_taken, 19);
            expect_count(&m->o, COUNT_noise_gauss, PHASES);
            oracle_release(&twin);
            method_free(m);
        }
}

/* For linear losses F_i has the minimiser x_{i-1} - mean g/lambda over R^d; where this is outside of the ball,
 * argmin F_i is its projection. */
static void bl7_on_the_boundary(void **state)
{
    const double eta = 40, slack = 1e-7;
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.3 });
    for (int s = 0; s < 2; s++) {
        struct method *m = METHOD("phased-erm", &in, &none, { "n", 23 }, { "eta", eta },
                                  { "slack", slack }, { "M", 1 }, { "solver", 0, solvers[s] });
        double x[D] = { 0 }, origin[D] = { 0 }, step = eta, left = 0;
        long first = 0;
        for (int i = 0; i < PHASES; i++) {
            double g[D];
            long n = used(s, sizes[i]);
            step /= 4;
            for (long r = first; r < first + n; r++) {
                instance_sample_grad(&in, r, origin, g);
                vec_axpy(D, -step / 2, g, x);            /* step/2 = 1/(n lambda) */
            }
            first += sizes[i];
            left += slack * in.f.L * step;
            assert_true(i > 0 || vec_norm(D, x) > 1);
            instance_project(&in, x);
        }
        assert_true(vec_dist(D, method_run(m, 1, nobody), x) <= left + 1e-12);
        method_free(m);
    }
}

/* --- privacy */

/* On linear losses without a boundary, removing a record moves argmin F_i by the gradient of the record times
 * eta_i/2, and the centres c of all later phases by as much. This is within the declared sensitivity. */
static void bl7_sensitivity(void **state)
{
    const double eta = 2, slack = 0.01;
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.3 },
                                  { "radius", 1e6 });
    for (int s = 0; s < 2; s++) {
        struct method *m = METHOD("phased-erm", &in, &none, { "n", 23 }, { "eta", eta },
                                  { "sigma", 0.01 }, { "slack", slack },
                                  { "solver", 0, solvers[s] });
        double base[D], moved[D], g[D], origin[D] = { 0 }, step = eta;
        long record = 0;
        vec_copy(D, method_run(m, 5, nobody), base);
        for (int i = 0; i < PHASES; i++) {
            const struct ledger_entry *e = &m->o.ledger.entry[i];
            step /= 4;
            expect_near("declared", e->sensitivity, in.f.L * step * (0.5 + 2 * slack), 1e-15);
            assert_true(e->first == record && e->count == sizes[i] && !e->hidden);
            for (long r = 0; r < sizes[i]; r++, record++) {
                vec_sub(D, method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, record, 0 }), base,
                        moved);
                instance_sample_grad(&in, record, origin, g);
                vec_scale(D, r < used(s, sizes[i]) ? step / 2 : 0, g);
                assert_true(vec_dist(D, moved, g) <= 4 * slack * in.f.L * step + 1e-12);
                assert_true(vec_norm(D, moved) <= in.f.L * step * (0.5 + 2 * slack));
            }
        }
        assert_int_equal(m->algo->adjacency, ADJACENCY_ZERO_OUT);
        method_free(m);
    }
}

/* If M is declared a hundred times too small, the solvers do not converge. The certificate shows this, and the run
 * is refused with a sentence, without a release. */
static void bl7_failed_certificate(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", D }, { "s", 1 }, { "decades", 2 });
    for (int s = 0; s < 2; s++) {
        struct method *m = METHOD("phased-erm", &in, &none, { "n", 400 }, { "eta", 8 },
                                  { "M", 0.01 }, { "sigma", 1 }, { "slack", 1e-3 },
                                  { "solver", 0, solvers[s] });
        struct rng rng = rng_stream(3);
        contract_open(&m->o, &in, m->algo, 1, m->work);
        vec_zero(D, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        assert_non_null(m->o.refused);
        assert_non_null(strstr(m->o.refused, "not reached its certificate"));
        assert_true(m->o.ledger.entries == 0 && vec_norm(D, m->x) == 0);
        method_free(m);
    }
}

/* The eta_i of 10^7 samples fall to 1.4 10^-17, below the rounding of x, and lambda rises to 10^17; the
 * certificates of all floor(lg n) phases are reached all the same. */
static void bl7_below_rounding(void **state)
{
    const double n = 1e7;
    struct goal goal = goal_private(n, 1, 1e-6);
    struct instance in = INSTANCE(memory, "spectral", { "d", D });
    for (int s = 0; s < 2; s++) {
        struct method *m = METHOD("phased-erm", &in, &goal, { "solver", 0, solvers[s] });
        double taken = 0;
        method_run(m, 2, nobody);
        for (long size = (long)n / 2; size; size /= 2)
            taken += (double)size;
        if (m->o.refused)
            fail_msg("%s: %s", solvers[s], m->o.refused);
        expect_count(&m->o, COUNT_taken, taken);
        expect_count(&m->o, COUNT_noise_gauss, floor(log2(n)));
        method_free(m);
    }
}

/* The promised delta is shared: half of it is for the noise, and the other half is (1 + e^eps) zeta. */
static void bl7_failure_is_booked(void **state)
{
    const double eps = 1, delta = 1e-6;
    struct instance in = INSTANCE(memory, "spectral", { "d", D });
    struct goal goal = goal_private(60, eps, delta);
    struct method *m = METHOD("phased-erm", &in, &goal, { "solver", 0, "katyusha" });
    double zeta = method_param(m, "zeta"), mu = method_param(m, "mu");
    expect_near("zeta", zeta, delta / 2 / (1 + exp(eps)), 1e-20);
    method_run(m, 1, nobody);
    for (long k = 0; k < m->o.ledger.entries; k++) {
        const struct ledger_entry *e = &m->o.ledger.entry[k];
        assert_true(e->failure == zeta);
        expect_near("mu", e->sensitivity / e->scale, mu, 1e-12);
    }
    /* The expected delta is the curve of Balle and Wang, by the error function. */
    double a = eps / mu - mu / 2;
    expect_near("delta", erfc(a / sqrt(2)) / 2 - exp(eps) * erfc((a + mu) / sqrt(2)) / 2, delta / 2,
                1e-13);
    struct priced by[ACCOUNTANTS];
    m->o.ledger.adjacency = m->algo->adjacency;  /* the runner sets it in the same way */
    account_ledger(&m->o.ledger, INFINITY, delta, by);
    expect_near("priced", account_ledger_least(by), eps, 1e-6);
    method_free(m);
    m = METHOD("phased-erm", &in, &goal, { 0 });
    assert_true(method_param(m, "zeta") == 0);
    method_free(m);
}

static void bl7_refusals(void **state)
{
    const struct with plain[] = { { 0 } };
    struct goal goal = goal_private(60, 1, 1e-6);
    struct instance wavy = INSTANCE(memory, "sigmoid", { "d", D });
    struct instance open = INSTANCE(memory, "spectral", { "d", D }, { "radius", INFINITY });
    struct instance kink = INSTANCE(memory, "norm", { "d", D }, { "radius", 1 });
    struct instance good = INSTANCE(memory, "spectral", { "d", D });
    expect_refusal("phased-erm", &wavy, &goal, plain, "private only for convex losses");
    expect_refusal("phased-erm", &open, &goal, plain, "its privacy needs L");
    expect_refusal("phased-erm", &kink, &goal, plain, "needs M");
    expect_refusal("phased-erm", &good, &none, plain, "goal n >= 2");
}

/* --- numbers of rounds and gradients */

/* A phase with the regulariser lambda takes K + 1 rounds, of which one is for the certificate. With M' = M +
 * lambda and eta_i = 2/(n_i lambda), K is the least number with M'(M' + lambda) (L/lambda)^2 (1 -
 * sqrt(lambda/M'))^K <= (lambda slack L eta_i)^2, found by counting up. */
static void bl7_rounds_of_agm(void **state)
{
    const double eta = 8, slack = 0.2;
    struct instance in = INSTANCE(memory, "spectral", { "d", D });
    struct method *m = METHOD("phased-erm", &in, &none, { "n", 23 }, { "eta", eta },
                              { "slack", slack }, { "sigma", 0.1 });
    double rounds = 0, grads = 0, step = eta;
    for (int i = 0; i < PHASES; i++) {
        step /= 4;
        double n = (double)sizes[i], lambda = 2 / (step * n), M = in.f.M + lambda, L = in.f.L;
        double square = M * (M + lambda) * pow(L / lambda, 2), K = 0;
        for (; square > pow(lambda * slack * L * step, 2); K++)
            square *= 1 - sqrt(lambda / M);
        rounds += K + 1;
        grads += (K + 1) * n;
    }
    method_run(m, 1, nobody);
    expect_count(&m->o, COUNT_batch_steps, rounds);
    expect_count(&m->o, COUNT_sample_grads, grads);
    method_free(m);
}

static double counted(const char *solver, double n, const char *count)
{
    char text[200];
    struct cell *c;
    struct why why = { "" };
    struct runner *rn = runner_new(0);
    double v = NAN;
    snprintf(text, sizeof text, "problem spectral d=40 | algo phased-erm solver=%s mu=0.5 "
             "zeta=1e-9 | goal n=%.0f | run count=1", solver, n);
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s", why.text);
    struct record *r = run_cell(rn, c, NULL);
    if (r->outcome != OUTCOME_OK || !record_get(r, count, &v))
        fail_msg("%s: %s", text, r->message);
    record_free(r);
    cell_free(c);
    runner_free(rn);
    return v;
}

/* From n = 2^14 to 2^22 the rounds of the solver `agm` grow as n^(1/4) and its gradients as n^(5/4). The rounds of
 * `katyusha` grow as n^(1/2) and its gradients as n. Each may grow by another factor (22/14)^2, for logarithms. */
static void bl7_exponents(void **state)
{
    static const struct { const char *solver, *count; double power; } cases[] = {
        { "agm", "count.batch_steps", 0.25 }, { "agm", "count.sample_grads", 1.25 },
        { "katyusha", "count.batch_steps", 0.5 }, { "katyusha", "count.sample_grads", 1 },
    };
    for (int k = 0; k < 4; k++) {
        double small = counted(cases[k].solver, 0x1p14, cases[k].count);
        double ratio = counted(cases[k].solver, 0x1p22, cases[k].count) / small;
        double pure = pow(256, cases[k].power);
        if (!(ratio >= 0.9 * pure && ratio <= 2.25 * pure))
            fail_msg("%s %s: ratio %g, expected about %g", cases[k].solver, cases[k].count, ratio,
                     pure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl7_solutions), cmocka_unit_test(bl7_on_the_boundary),
        cmocka_unit_test(bl7_sensitivity), cmocka_unit_test(bl7_failed_certificate),
        cmocka_unit_test(bl7_below_rounding), cmocka_unit_test(bl7_failure_is_booked),
        cmocka_unit_test(bl7_refusals),
        cmocka_unit_test(bl7_rounds_of_agm), cmocka_unit_test(bl7_exponents),
    };
    return cmocka_run_group_tests_name("phased-erm", tests, setup, teardown);
}

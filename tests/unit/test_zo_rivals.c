/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_zo_rivals.c - O2NC with gradients and with pairs of values, and descent on the smoothed loss, compared with
 * loops written here and the formulas of their parameters.
 *
 * Serves: private-zeroth-order */
#include "support/hard.h"
#include "support/method.h"

enum { D = 3 };

static struct goal ask(double n)
{
    struct goal g = goal_unknown();
    g.n = n;
    g.radius = 0.2;
    return g;
}

static struct instance valley(void)
{
    return INSTANCE(memory, "sloped", { "shape", 0, "valley" }, { "d", D }, { "turned", 1 });
}

/* g += (d/(2r)) (f(x + r u) - f(x - r u)) u along one direction u; if y is given, minus the same at y. */
static void pair(struct oracle *o, const struct ticket *z, double r, const double *x, const double *y,
                 double *g)
{
    const double *at[] = { x, x, y, y }, c = D / (2 * r);
    const double a[] = { c, -c, -c, c }, step[] = { r, -r, r, -r };
    assert_true(oracle_probe(o, &(struct probe){ .ticket = z, .points = y ? 4 : 2, .x = at, .a = a,
        .r = step, .directions = 1, .clamp = INFINITY, .g = g }));
}

/* Runs O2NC as a plain loop, which begins its steps anew at 0 every T steps unless `goes_on`. answer <- the mean of
 * the w_t of one block of T steps, chosen uniformly: block k = 1, 2, ... takes the place of the block chosen before
 * with probability 1/k. */
static void o2nc_loop(const struct method *m, uint64_t seed, bool values, bool goes_on,
                      double *answer)
{
    struct oracle o;
    struct rng rng = rng_stream(seed), pick = rng_sub(&rng, 1);
    double radius = method_param(m, values ? "D" : "radius"), eta = method_param(m, "step");
    double x[D] = { 0 }, step[D] = { 0 }, g[D] = { 0 }, w[D], left = 500;
    long T = (long)method_param(m, "T");
    radius = values ? radius : radius / (double)T;
    contract_open(&o, m->in, m->algo, 8, memory);
    vec_zero(D, answer);
    for (long k = 0; left >= (double)T; k++) {
        double sum[D] = { 0 };
        for (long t = 0; t < T; t++, left--) {
            bool told = t > 0 || (k > 0 && goes_on);
            struct ticket z;
            for (int j = 0; j < D; j++)
                step[j] = told ? step[j] - eta * g[j] : t == 0 && !goes_on ? 0 : step[j];
            double norm = vec_norm(D, step), s = rng_uniform(&rng);
            for (int j = 0; j < D; j++) {
                step[j] *= norm > radius ? radius / norm : 1;
                w[j] = x[j] + s * step[j];
                x[j] += step[j];
                sum[j] += w[j];
            }
            assert_true(oracle_take(&o, 1, &z));
            vec_zero(D, g);
            if (values)
                pair(&o, &z, method_param(m, "r"), w, NULL, g);
            else
                m->in->p->sample_grad(m->in->self, (long)(500 - left), w, 1, g);
        }
        if (rng_uniform(&pick) * (double)(k + 1) < 1)
            vec_lincomb(D, 1 / (double)T, sum, 0, sum, answer);
    }
    oracle_release(&o);
}

static void s4_1_s4_2_loops(void **state)
{
    for (int k = 0; k < 16; k++) {
        bool values = k % 2, goes_on = k / 2 % 2;
        struct instance in = valley();
        struct goal goal = ask(500);
        struct method *m = METHOD(values ? "zo-o2nc" : "o2nc", &in, &goal, { "restart", !goes_on });
        double truth[D];
        struct rng rng = rng_stream(3 + (uint64_t)k);
        contract_open(&m->o, &in, m->algo, 8, m->work);
        m->o.budget.of[COUNT_taken] = 500;
        vec_zero(D, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        o2nc_loop(m, 3 + (uint64_t)k, values, goes_on, truth);
        expect_vectors("answer", D, m->x, truth, 1e-14);
        method_free(m);
    }
}

/* For N samples and the smoothing delta, K blocks of T steps of length at most D have these parameters. For o2nc,
 * with G = L, T = min( ceil( (G N delta/Phi)^(2/3) ), N/2 ), K = floor(N/T), D = delta/T, eta = D/(G sqrt T). For
 * zo-o2nc, with G = d^(1/2) L, r = min(delta/2, Phi/L), nu = delta - r, D = ((Phi + 2 L r) sqrt(nu)/(G N))^(2/3), T
 * = floor(nu/D), and D is lowered to nu/T if it is larger. */
static void s4_1_s4_2_parameters(void **state)
{
    static const double sizes[] = { 10, 1000, 1e6 };
    for (int k = 0; k < 3; k++) {
        struct instance in = valley();
        double N = sizes[k], Phi = in.f.Phi, L = in.f.L;
        struct goal goal = ask(N);
        struct method *m = METHOD("o2nc", &in, &goal, { "restart", 1 });
        double T = fmin(ceil(pow(L * N * 0.2 / Phi, 2.0 / 3)), floor(N / 2));
        assert_true(method_param(m, "T") == T && method_param(m, "K") == floor(N / T));
        near(method_param(m, "step"), 0.2 / T / (L * sqrt(T)), 1e-13);
        method_free(m);
        m = METHOD("zo-o2nc", &in, &goal, { "restart", 0 });
        double r = fmin(0.1, Phi / L), nu = 0.2 - r, G = sqrt(D) * L;
        double move = pow((Phi + 2 * L * r) * sqrt(nu) / (G * N), 2.0 / 3);
        double steps = fmax(1, floor(nu / move));
        assert_true(method_param(m, "T") == steps);
        near(method_param(m, "r"), r, 1e-14);
        near(method_param(m, "D"), fmin(move, nu / steps), 1e-12);
        near(method_param(m, "step"), fmin(move, nu / steps) / (G * sqrt(steps)), 1e-12);
        method_free(m);
    }
}

static void descent_loop(const struct method *m, double *answer)
{
    struct oracle o;
    struct rng rng = rng_stream(3);
    double x[D] = { 0 }, before[D], v[D], change[D], left = 400;
    long first = (long)method_param(m, "first"), rest = (long)method_param(m, "rest");
    long every = (long)method_param(m, "every");
    contract_open(&o, m->in, m->algo, 8, memory);
    vec_zero(D, answer);
    for (long t = 0;; t++) {
        struct ticket z;
        bool fresh = t % every == 0;
        left -= (double)(fresh ? first : rest);
        if (left < 0)
            break;
        assert_true(oracle_take(&o, fresh ? first : rest, &z));
        if (fresh)
            pair(&o, &z, 0.1, x, NULL, v);
        else
            pair(&o, &z, 0.1, x, before, change);
        for (int j = 0; j < D; j++)
            v[j] += fresh ? 0 : change[j];
        if (rng_uniform(&rng) * (double)(t + 1) < 1)
            vec_copy(D, x, answer);
        for (int j = 0; j < D; j++) {
            before[j] = x[j];
            x[j] -= method_param(m, "step") * v[j];
        }
    }
    oracle_release(&o);
}

static void s4_3_s4_4_descent(void **state)
{
    for (int k = 0; k < 2; k++) {
        struct instance in = valley();
        struct goal goal = ask(400);
        double L = in.f.L, start = in.f.Phi + L * 0.1, truth[D];
        struct method *m = METHOD("zo-descent", &in, &goal,
                                  { "gradient", 0, k ? "reduced" : "plain" });
        struct rng rng = rng_stream(3);
        contract_open(&m->o, &in, m->algo, 8, m->work);
        m->o.budget.of[COUNT_taken] = 400;
        vec_zero(D, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        descent_loop(m, truth);
        expect_vectors("answer", D, m->x, truth, 1e-14);
        double acc = cbrt(2 * pow(D, 1.5) * L * L * start / (0.1 * 400)), share = fmin(1, acc / L);
        near(method_param(m, "acc"), acc, 1e-13);
        if (k) {
            near(method_param(m, "step"), 0.1 / (2 * sqrt(D) * L), 1e-13);
            assert_true(method_param(m, "first") == ceil(D / (share * share)));
            assert_true(method_param(m, "every") == ceil(1 / share));
            assert_true(method_param(m, "rest") == D * ceil(1 / share));
        } else {
            double H = sqrt(D) * L / 0.1;
            near(method_param(m, "step"), sqrt(2 * (start + L * 0.1) / (H * D * L * L * 400)), 1e-13);
        }
        method_free(m);
    }
}

static void refusals(void **state)
{
    static const char *const names[] = { "o2nc", "zo-o2nc", "zo-descent" };
    struct instance in = valley(), curved = INSTANCE(memory, "spectral", { "radius", INFINITY });
    struct goal some = ask(100), nothing = ask(NAN);
    const struct with plain[] = { { 0 } };
    for (int k = 0; k < 3; k++) {
        expect_refusal(names[k], &in, &nothing, plain, "needs goal n");
        expect_refusal(names[k], &curved, &some, plain, k ? "needs L" : "needs G");
    }
    expect_refusal("zo-o2nc", &in, &some, (const struct with[]){ { "r", 0.3 }, { 0 } },
                   "expected less than the radius");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_1_s4_2_loops), cmocka_unit_test(s4_1_s4_2_parameters),
        cmocka_unit_test(s4_3_s4_4_descent), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("zeroth-order rivals", tests, setup, teardown);
}

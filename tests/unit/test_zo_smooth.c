/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_zo_smooth.c - private rivals of private zeroth-order O2NC: tree SPIDER and private descent on smooth losses,
 * and O2NC with many directions. Their paths are compared with loops on an oracle of the same seed, the privacy
 * that their noise gives with one computed from the definition of a tree, and their parameters with formulas.
 *
 * Serves: private-zeroth-order */
#include "support/hard.h"
#include "support/method.h"
#include "support/zo_ask.h"

enum { D = 3, MOST_T = 64 };

static struct instance smooth(void)
{
    return INSTANCE(memory, "sigmoid", { "d", D }, { "radius", INFINITY }, { "length", 2 });
}
static struct instance kinked(void)
{
    return INSTANCE(memory, "sloped", { "shape", 0, "valley" }, { "d", D }, { "turned", 1 });
}

/* g[d] += the noise of the nodes of t by Fenwick's scheme; xi[1 ... t] are drawn in order. */
static void add_nodes(int t, double xi[][D], double *g)
{
    for (int b = t; b > 0; b -= b & -b)
        vec_axpy(D, 1, xi[b], g);
}

static void draw_node(struct oracle *o, double sigma, double *xi)
{
    vec_zero(D, xi);
    noise_gaussian(o, &(struct release){ .site = "twin" }, sigma, D, xi);
}

/* --- item 4.6 of docs/papers/private-zeroth-order.md: tree SPIDER */

static void spider_loop(const struct method *m, uint64_t seed, double *answer)
{
    struct oracle o;
    struct rng rng = rng_stream(seed);
    double x[D] = { 0 }, before[D], g[D], xi[MOST_T + 1][D], told[D], change[D], steps = 0;
    double L = method_param(m, "L"), move = method_param(m, "move");
    int T = (int)method_param(m, "T"), K = (int)method_param(m, "K");
    contract_open(&o, m->in, m->algo, seed, memory);
    for (int k = 0; k < K; k++)
        for (int t = 1; t <= T; t++) {
            struct ticket z;
            const double *at[] = { x, before }, a[] = { 1, -1 };
            assert_true(oracle_take(&o, (long)method_param(m, t == 1 ? "B1" : "B2"), &z));
            assert_true(oracle_batch(&o, &(struct batch){ .ticket = &z, .points = t > 1 ? 2 : 1,
                .x = at, .a = a, .clip = CLIP_NORM,
                .C = t > 1 ? method_param(m, "H") * move : L, .g = change }));
            for (int j = 0; j < D; j++)
                g[j] = t > 1 ? g[j] + change[j] : change[j];
            draw_node(&o, method_param(m, "sigma"), xi[t]);
            vec_copy(D, g, told);
            add_nodes(t, xi, told);
            if (rng_uniform(&rng) * ++steps < 1)
                vec_copy(D, x, answer);
            double norm = vec_norm(D, told);
            for (int j = 0; j < D; j++) {
                before[j] = x[j];
                x[j] -= move * told[j] / norm;
            }
        }
    oracle_release(&o);
}

static void s4_6_loop(void **state)
{
    for (int k = 0; k < 8; k++) {
        struct instance in = smooth();
        struct goal goal = ask(3000, k % 2 ? 0.5 : NAN);
        double truth[D];
        struct method *m = METHOD("tree-spider", &in, &goal, { "T", (int[]){ 1, 7, 16, 33 }[k / 2] },
                                  { "K", 3 }, { "B2", 1 + k % 3 });
        const double *x = method_drawn(m, 40 + (uint64_t)k);
        spider_loop(m, 40 + (uint64_t)k, truth);
        expect_vectors("answer", D, x, truth, 1e-13);
        method_free(m);
    }
}

/* The parameters of tree SPIDER for M samples of H-smooth losses are the number of steps of an epoch, T = max( (L^2
 * M/(Phi H))^(2/3), (d^(1/2) L^2 M/(Phi H rho))^(1/2) ), and the length of a step, D = L/(H T). Each sensitivity is
 * 2L/T. sigma gives one record the GDP parameter rho, recomputed from the nodes of the tree (`accounted`). Samples,
 * batch steps and nodes are those of K epochs. */
static void s4_6_parameters(void **state)
{
    struct instance in = smooth();
    double L = in.f.L, H = in.f.M, Phi = in.f.Phi;
    for (int k = 0; k < 6; k++) {
        double M = (double[]){ 200, 3000, 1e5 }[k % 3], rho = k < 3 ? NAN : 0.4;
        struct goal goal = ask(M, rho);
        struct method *m = METHOD("tree-spider", &in, &goal, { "c", 1 });
        double T1 = pow(L * L * M / (Phi * H), 2.0 / 3), T2 = sqrt(sqrt(3) * L * L * M / (Phi * H * 0.4));
        double T = fmin(ceil(k < 3 ? T1 : fmax(T1, T2)), floor(M / 2)), move = L / (H * T);
        double sigma = method_param(m, "sigma");
        assert_true(method_param(m, "T") == T && method_param(m, "B1") == T);
        assert_true(method_param(m, "K") == floor(M / (2 * T - 1)));
        near(method_param(m, "move"), move, 1e-13);
        if (k < 3)
            assert_true(sigma == 0);
        else
            near(accounted((int)T, 2 * L / T, 2 * H * move, sigma), 0.4, 1e-12);
        method_free(m);
    }
    for (int T = 1; T < 40; T++)     /* other batches, where the first release costs the most, or the later ones
                                        do */
        for (int k = 0; k < 3; k++) {
            double B1 = (double[]){ 1, T, 5.0 * T }[k];
            struct goal goal = ask(1e5, 0.4);
            struct method *m = METHOD("tree-spider", &in, &goal, { "T", T }, { "B1", B1 });
            double rest = 2 * H * method_param(m, "move");
            near(accounted(T, 2 * L / B1, T > 1 ? rest : 0, method_param(m, "sigma")), 0.4, 1e-12);
            method_free(m);
        }
    struct goal goal = ask(1000, 1);
    struct method *m = METHOD("tree-spider", &in, &goal, { "T", 16 }, { "K", 4 });
    method_run(m, 6, nobody);
    expect_count(&m->o, COUNT_taken, 4 * 31);
    expect_count(&m->o, COUNT_sample_grads, 4 * (16 + 2 * 15));
    expect_count(&m->o, COUNT_noise_tree, 64);
    expect_count(&m->o, COUNT_batch_steps, 64);
    method_free(m);
}

/* --- item 4.7: dp-descent */

static void descent_loop(const struct method *m, uint64_t seed, bool full, bool values, double *answer)
{
    struct oracle o;
    struct rng rng = rng_stream(seed);
    struct ticket z;
    double x[D] = { 0 }, g[D], xi[D], delta = method_param(m, "smoothing"), L = method_param(m, "L");
    long B = (long)method_param(m, "B");
    contract_open(&o, m->in, m->algo, seed, memory);
    for (int r = 0; r < method_param(m, "R"); r++) {
        const double *at[] = { x, x }, a[] = { D / (2 * delta), -D / (2 * delta) };
        const double step[] = { delta, -delta };
        if (r == 0 || !full)
            assert_true(oracle_take(&o, B, &z));
        if (values)
            assert_true(oracle_probe(&o, &(struct probe){ .ticket = &z, .points = 2, .x = at, .a = a,
                .r = step, .directions = 1, .clamp = D * L, .g = g }));
        else
            assert_true(oracle_clipped(&o, &z, x, L, g));
        draw_node(&o, method_param(m, "sigma"), xi);
        if (rng_uniform(&rng) * (r + 1) < 1)
            vec_copy(D, x, answer);
        for (int j = 0; j < D; j++)
            x[j] -= method_param(m, "step") * (g[j] + xi[j]);
    }
    oracle_release(&o);
}

static void s4_7_loop(void **state)
{
    for (int k = 0; k < 8; k++) {
        bool full = k % 2, values = k / 2 % 2;
        struct instance in = full ? INSTANCE(memory, "sigmoid_stored", { "d", D }, { "n", 40 },
                                             { "radius", INFINITY })
                                  : values ? kinked() : smooth();
        struct goal goal = ask(full ? 40 : 400, k < 4 ? 0.5 : NAN);
        double truth[D];
        struct method *m = METHOD("dp-descent", &in, &goal, { "R", 10 },
                                  { "batch", 0, full ? "full" : "fresh" },
                                  { "gradient", 0, values ? "values" : "first" });
        const double *x = method_drawn(m, 50 + (uint64_t)k);
        descent_loop(m, 50 + (uint64_t)k, full, values, truth);
        expect_vectors("answer", D, x, truth, 1e-13);
        method_free(m);
    }
}

/* The releases of dp-descent that a record is in have noise sigma and sensitivity s with sum (s/sigma)^2 = rho^2.
 * The number of rounds R minimises the bound 2 H gap/R + v, where H is the smoothness of the loss, gap bounds the
 * excess at the start and v is the variance of a round's noisy gradient: up to one round with full batches, up to a
 * factor of two in the bound with fresh batches. */
static void s4_7_parameters(void **state)
{
    for (int k = 0; k < 12; k++) {
        bool full = k % 2, values = k / 2 % 2;
        double M = (double[]){ 300, 5000, 30000 }[k / 4], rho = 0.7, best = INFINITY;
        struct instance in = INSTANCE(memory, "sigmoid_stored", { "d", D }, { "n", M },
                                      { "radius", INFINITY });
        struct goal goal = ask(M, rho);
        struct method *m = METHOD("dp-descent", &in, &goal, { "batch", 0, full ? "full" : "fresh" },
                                  { "gradient", 0, values ? "values" : "first" });
        double L = in.f.L, H = values ? sqrt(D) * L / 0.1 : in.f.M, s = 2 * L * (values ? D : 1);
        double R = method_param(m, "R"), sigma = method_param(m, "sigma"), at = 0;
        double gap = in.f.Phi + (values ? 2 * L * 0.1 : 0), b = full ? M : floor(M / R);
        near(method_param(m, "step"), 1 / H, 1e-13);
        assert_true(method_param(m, "B") == b);
        near((full ? R : 1) * pow(s / (b * sigma), 2), rho * rho, 1e-12);
        for (double r = 1; r <= M; r++) {
            double batch = full ? M : M / r, noise = D * pow(s / (batch * rho), 2) * (full ? r : 1);
            double v = noise + (full ? 0 : L * L * (values ? D : 1) / batch);
            best = fmin(best, 2 * H * gap / r + v);
            at = r == R ? 2 * H * gap / r + v : at;
        }
        assert_true(at <= best * (full ? 1 + 2 / (R * R) : 2) + 1e-15);
        method_free(m);
    }
    /* R rounds of full batches take R M gradients: a budget of 7.5 M pays for 7 rounds, and the noise is for 7. */
    struct instance in = INSTANCE(memory, "sigmoid_stored", { "d", D }, { "n", 300 }, { "radius", INFINITY });
    struct goal goal = ask(300, 0.7);
    goal.budget = 7.5 * 300;
    for (int k = 0; k < 2; k++) {
        goal.T = k ? 20 : NAN;
        struct method *m = METHOD("dp-descent", &in, &goal, { "batch", 0, "full" });
        assert_true(method_param(m, "R") == 7 && method_param(m, "B") == 300);
        near(7 * pow(2 * in.f.L / (300 * method_param(m, "sigma")), 2), 0.7 * 0.7, 1e-12);
        method_free(m);
    }
}

/* --- item 4.9: private-zo-many */

static void many_loop(const struct method *m, uint64_t seed, double *answer)
{
    struct oracle o;
    struct rng rng = rng_stream(seed), pick = rng_sub(&rng, 1);
    double r = method_param(m, "smoothing"), L = method_param(m, "L"), radius = method_param(m, "D");
    double x[D] = { 0 }, step[D] = { 0 }, g[D] = { 0 }, before[D], xi[MOST_T + 1][D], told[D] = { 0 };
    int S = (int)method_param(m, "period"), E = (int)method_param(m, "block"), n = 0;
    int dirs = (int)method_param(m, "directions");
    contract_open(&o, m->in, m->algo, seed, memory);
    for (int k = 0; k < method_param(m, "K"); k++) {
        double sum[D] = { 0 };
        for (int e = 0; e < E; e++, n++) {
            double w[D], one[D], s, norm, C;
            struct ticket z;
            bool first = n % S == 0;
            for (int j = 0; j < D; j++)
                step[j] -= n ? method_param(m, "step") * told[j] : 0;
            norm = vec_norm(D, step), s = rng_uniform(&rng);
            for (int j = 0; j < D; j++) {
                step[j] *= norm > radius ? radius / norm : 1;
                w[j] = x[j] + s * step[j];
                x[j] += step[j];
                sum[j] += w[j] / E;
            }
            assert_true(oracle_take(&o, (long)method_param(m, first ? "B1" : "B2"), &z));
            C = first ? 2 * L : 4 * sqrt(D) * L * radius / r;
            for (int j = 0; j < D && first; j++)
                g[j] = 0;
            for (long i = 0; i < z.count; i++) {
                struct ticket part = ticket_part(&z, i, 1);
                const double *at[] = { w, first ? w : before, w, before }, c = 1 / (2 * r);
                const double a[] = { c, -c, -c, c }, to[] = { r, first ? -r : r, -r, -r };
                double apart = first ? L : L * vec_dist(D, w, before) / r;
                assert_true(oracle_probe(&o, &(struct probe){ .ticket = &part,
                    .points = first ? 2 : 4, .x = at, .a = a, .r = to, .directions = dirs,
                    .clamp = apart, .g = one }));
                vec_scale(D, (double)D / dirs, one);
                double length = vec_norm(D, one);
                vec_axpy(D, (length > C ? C / length : 1) / (double)z.count, one, g);
            }
            draw_node(&o, method_param(m, "sigma"), xi[n % S + 1]);
            vec_copy(D, g, told);
            add_nodes(n % S + 1, xi, told);
            vec_copy(D, w, before);
        }
        if (rng_uniform(&pick) * (k + 1) < 1)
            vec_copy(D, sum, answer);
    }
    oracle_release(&o);
}

static void s4_9_loop(void **state)
{
    for (int k = 0; k < 6; k++) {
        struct instance steep = INSTANCE(memory, "sloped", { "shape", 0, "slope" }, { "d", D });
        struct instance in = k < 3 ? steep : kinked();
        struct goal goal = ask(2000, k % 2 ? 0.5 : NAN);
        double truth[D];
        struct method *m = METHOD("private-zo-many", &in, &goal, { "D", 0.004 },
                                  { "period", (int[]){ 1, 7, 24 }[k / 2] }, { "block", 10 },
                                  { "K", 8 }, { "directions", k < 3 ? 1 : 12 });
        const double *x = method_drawn(m, 60 + (uint64_t)k);
        many_loop(m, 60 + (uint64_t)k, truth);
        expect_vectors("answer", D, x, truth, 1e-13);
        if (k < 3)                           /* with one direction a gradient can be d L long, above the clip 2 L */
            assert_true(m->o.note[0].sum > 0);
        method_free(m);
    }
}

/* The sigma of private-zo-many gives one record the GDP parameter rho, recomputed from the nodes of the tree
 * (`accounted`). The first step of a period and the later ones have equal sensitivities if period = delta/(2
 * d^(1/2) D) is whole, D the length of a step. All points of a block are within delta of their mean. */
static void s4_9_parameters(void **state)
{
    struct instance in = kinked();
    for (int k = 0; k < 20; k++) {
        double M = 100 * pow(3, k % 5), rho = (double[]){ NAN, 0.1, 1, 10 }[k / 5];
        struct goal goal = ask(M, rho);
        struct method *m = METHOD("private-zo-many", &in, &goal, { "c", 2 });
        double D_ = method_param(m, "D"), S = method_param(m, "period"), E = method_param(m, "block");
        double L = in.f.L, phi = in.f.Phi + 0.1 * L, N = M / 2;
        double quiet = pow(phi * sqrt(0.1) / (N * L * pow(D, 0.25)), 2.0 / 3);
        double noisy = sqrt(phi * 0.1 * rho / (D * L * N));
        near(D_, fmin(fmin(quiet, noisy), 0.05), 1e-13);
        assert_true(S == fmax(1, fmin(floor(0.1 / (2 * sqrt(D) * D_)), floor(N))));
        assert_true(E * D_ <= 0.1 && method_param(m, "directions") == 4 * D);
        assert_true(method_param(m, "K") * E <= floor(M / (2 * S - 1)) * S);
        double first = 2 * 2 * L / S, rest = S > 1 ? 2 * 4 * sqrt(D) * L * D_ / 0.1 : 0;
        assert_true(S < 20 || fabs(first / rest - 1) < 1.1 / S);
        if (rho > 0)
            near(accounted((int)S, first, rest, method_param(m, "sigma")), rho, 1e-12);
        method_free(m);
    }
    struct goal goal = ask(500, 1);
    struct method *m = METHOD("private-zo-many", &in, &goal, { "D", 0.01 }, { "period", 5 },
                              { "block", 4 }, { "K", 5 }, { "directions", 7 });
    method_run(m, 6, nobody);
    expect_count(&m->o, COUNT_taken, 4 * 9);
    expect_count(&m->o, COUNT_sample_values, 4 * (2 * 5 + 4 * 4) * 7);
    expect_count(&m->o, COUNT_directions, 4 * (5 + 4) * 7);
    expect_count(&m->o, COUNT_batch_steps, 20);      /* the samples of a step are asked for together, in one batch
                                                        step */
    expect_count(&m->o, COUNT_max_visits, 1);
    expect_count(&m->o, COUNT_noise_tree, 20);
    method_free(m);
}

static void refusals(void **state)
{
    struct instance in = kinked(), curved = INSTANCE(memory, "spectral", { "radius", INFINITY });
    struct goal some = ask(100, 1), nothing = ask(NAN, 1), theory = ask(1e6, 1);
    struct instance fine = smooth();
    const struct with plain[] = { { 0 } };
    theory.constants = CONSTANTS_THEORY;
    expect_refusal("tree-spider", &in, &some, plain, "give algo.L and algo.H");
    expect_refusal("dp-descent", &in, &some, plain, "or gradient values");
    expect_refusal("tree-spider", &fine, &nothing, plain, "needs goal n");
    expect_refusal("dp-descent", &fine, &nothing, plain, "needs goal n");
    nothing.budget = 1000;
    expect_refusal("dp-descent", &fine, &nothing, (const struct with[]){ { "batch", 0, "full" }, { 0 } },
                   "batch full asks the same samples in every round: it needs goal n");
    nothing.budget = NAN;
    expect_refusal("private-zo-many", &in, &nothing, plain, "needs goal n");
    expect_refusal("private-zo-many", &curved, &some, plain, "give algo.L");
    expect_refusal("private-zo-many", &in, &theory, plain, "directions a sample: expected at most");
    expect_refusal("tree-spider", &fine, &some, (const struct with[]){ { "T", 60 }, { 0 } }, "M = 100");
    expect_refusal("dp-descent", &fine, &some,
                   (const struct with[]){ { "R", 60 }, { "B", 2 }, { 0 } }, "at most 100 samples");
    expect_refusal("private-zo-many", &in, &some, (const struct with[]){ { "K", 60 }, { 0 } },
                   "M = 100 samples");
    expect_refusal("private-zo-many", &in, &some,
                   (const struct with[]){ { "D", 0.05 }, { "block", 10 }, { 0 } }, "smoothing radius");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_6_loop), cmocka_unit_test(s4_6_parameters), cmocka_unit_test(s4_7_loop),
        cmocka_unit_test(s4_7_parameters), cmocka_unit_test(s4_9_loop),
        cmocka_unit_test(s4_9_parameters), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("private rivals", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_zo.c - private zeroth-order O2NC against the printed algorithms in a loop of their own,
 * its exact scalings, counts, calibrations and choices of T.
 * Serves: private-zeroth-order */
#include "../algos/parts/zo_terms.h"
#include "hard.h"
#include "method.h"

#define NAME "private-zo-o2nc"
enum { D = 3, MOST_T = 64, MOST_K = 4 };

static struct goal ask(double n, double rho)
{
    struct goal g = goal_unknown();
    g.n = n;
    g.rho = rho;
    g.radius = 0.2;
    return g;
}

/* --- Algorithm 5 as printed: right ends of NODE(t), largest node first */

static int node(int t, int *from, int *to)
{
    int k = 0, n = 0, lg = (int)ceil(log2(t));
    for (int i = 0; i <= lg && k < t; i++) {
        int next = k + (1 << (lg - i));
        if (next <= t) {
            from[n] = k + 1;
            to[n++] = k = next;
        }
    }
    return n;
}

static void s2_5_nodes_are_fenwick(void **state)
{
    int from[32], to[32];
    for (int t = 1; t < 2000; t++) {
        int n = node(t, from, to), q = t;
        assert_int_equal(n, __builtin_popcount((unsigned)t));
        for (int k = n - 1; k >= 0; k--) {           /* tiles [1, t] from the right */
            int low = q & -q;
            assert_true(to[k] == q && from[k] == q - low + 1);
            q -= low;
        }
        assert_int_equal(q, 0);
        assert_true(t == 1 || (n <= ceil(log2(t)) && n <= 2 * log(t)));
    }
    assert_true(node(7, from, to) == 3 && to[0] == 4 && to[1] == 6 && to[2] == 7);
    assert_true(node(8, from, to) == 1 && from[0] == 1 && to[0] == 8);
    int most = 0, later = 0;
    for (int T = 2; T < 600; T++) {
        int lg = (int)floor(log2(T));
        most = later = 0;
        for (int i = 1; i <= T; i++) {
            int chain = 0;
            for (int b = i; b <= T; b += b & -b)
                chain++;
            most = chain > most ? chain : most;
            later = i > 1 && chain > later ? chain : later;
        }
        assert_true(most == lg + 1 && later == lg);
    }
}

/* --- the loop */

struct epochs {
    double w[MOST_K][MOST_T][D], told[MOST_K][MOST_T][D], step[MOST_K][MOST_T][D], wbar[MOST_K][D];
    double answer[D];
};

/* Directions are the oracle's: the twin asks it for GRAD and DIFF by their formulas. */
static void probe(struct oracle *o, const struct ticket *z, double delta, double L, const double *x,
                  const double *y, int m, double *g)
{
    const double *at[] = { x, y ? y : x }, c = y ? 1 / delta : 1 / (2 * delta);
    const double a[] = { c, -c }, r[] = { delta, y ? delta : -delta };
    assert_true(oracle_probe(o, &(struct probe){ .ticket = z, .points = 2, .x = at, .a = a, .r = r,
        .directions = m, .clamp = y ? L * vec_dist(D, x, y) / delta : L, .g = g }));
    for (int j = 0; j < D; j++)
        g[j] *= (double)D / m;
}

/* Algorithms 3 to 6 with every w kept, noise by the list of NODE(t), from one oracle of the same
 * seed. */
static void printed_run(const struct method *m, uint64_t seed, bool naive, struct epochs *e)
{
    const struct instance *in = m->in;
    struct oracle o;
    struct rng rng = rng_stream(seed), pick = rng_sub(&rng, 1);
    int T = (int)method_param(m, "T"), K = (int)method_param(m, "K");
    double delta = method_param(m, "smoothing"), sigma = method_param(m, "sigma");
    double eta = method_param(m, "step"), L = method_param(m, "L"), x[D] = { 0 }, radius = delta / T;
    contract_open(&o, in, m->algo, seed, memory);
    for (int k = 0; k < K; k++) {
        double step[D] = { 0 }, g[D] = { 0 }, xi[MOST_T + 1][D], d[D], sum[D] = { 0 };
        for (int t = 1; t <= T; t++) {
            int from[32], to[32];
            for (int j = 0; j < D && t > 1; j++)
                step[j] -= eta * e->told[k][t - 2][j];
            double norm = vec_norm(D, step), s = rng_uniform(&rng);
            for (int j = 0; j < D && norm > radius; j++)
                step[j] *= radius / norm;
            for (int j = 0; j < D; j++) {
                e->w[k][t - 1][j] = x[j] + s * step[j];
                x[j] += step[j];
                e->step[k][t - 1][j] = step[j];
                sum[j] += e->w[k][t - 1][j];
            }
            struct ticket z;
            int B = (int)method_param(m, t == 1 ? "B1" : "B2"), dirs = naive ? 1 : D;
            assert_true(oracle_take(&o, B, &z));
            bool first = naive || t == 1;
            probe(&o, &z, delta, L, e->w[k][t - 1], first ? NULL : e->w[k][t - 2], dirs, d);
            for (int j = 0; j < D; j++)
                g[j] = first ? d[j] : g[j] + d[j];
            vec_zero(D, xi[t]);
            noise_gaussian(&o, &(struct release){ .site = "twin" }, sigma, D, xi[t]);
            vec_copy(D, g, e->told[k][t - 1]);
            int n = naive ? 1 : node(t, from, to);
            for (int i = 0; i < n; i++)
                vec_axpy(D, 1, xi[naive ? t : to[i]], e->told[k][t - 1]);
        }
        for (int j = 0; j < D; j++)
            e->wbar[k][j] = sum[j] / T;
        if (rng_uniform(&pick) * (k + 1) < 1)
            vec_copy(D, e->wbar[k], e->answer);
    }
    oracle_release(&o);
}

/* |w_(t+1) - w_t| <= 2D, |w_t - w_t'| <= (|t - t'| + 1) D, |w_t - wbar| <= D (T-1)(T+2)/(2T); the
 * regret of projected descent against any |u| <= D; the identity of Lemma 4.6 for any G_t. */
static void check_epoch(const struct epochs *e, int k, int T, double D_, double eta, struct rng *r)
{
    double sum[D] = { 0 }, squares = 0, u[D], G[MOST_T][D], total[D] = { 0 };
    for (int t = 0; t < T; t++) {
        assert_true(vec_norm(D, e->step[k][t]) <= D_ * (1 + 1e-12));
        assert_true(vec_dist(D, e->w[k][t], e->wbar[k]) <= D_ * (T - 1) * (T + 2) / (2.0 * T) + 1e-15);
        for (int q = 0; q < t; q++)
            assert_true(vec_dist(D, e->w[k][t], e->w[k][q]) <= (t - q + 1) * D_ * (1 + 1e-12));
        assert_true(t == 0 || vec_dist(D, e->w[k][t], e->w[k][t - 1]) <= 2 * D_);
        vec_axpy(D, 1, e->told[k][t], sum);
        squares += vec_dot(D, e->told[k][t], e->told[k][t]);
        rng_normals(r, D, 1, G[t]);
        vec_axpy(D, 1, G[t], total);
    }
    assert_true(vec_norm(D, e->step[k][0]) == 0);
    for (int n = 0; n < 20; n++) {
        double regret = 0, moved = 0, ideal = 0, cross = 0, against[D];
        rng_ball(r, D, u);
        vec_scale(D, D_, u);
        if (n == 0)
            vec_lincomb(D, -D_ / vec_norm(D, sum), sum, 0, sum, u);
        vec_lincomb(D, -D_ / vec_norm(D, total), total, 0, total, against);
        for (int t = 0; t < T; t++) {
            const double *s = e->step[k][t], *g = e->told[k][t];
            regret += vec_dot(D, g, s) - vec_dot(D, g, u);
            moved += vec_dot(D, G[t], s);
            ideal += vec_dot(D, g, s) - vec_dot(D, g, against);
            cross += vec_dot(D, G[t], s) - vec_dot(D, G[t], against) -
                     (vec_dot(D, g, s) - vec_dot(D, g, against));
        }
        assert_true(regret <= vec_dot(D, u, u) / (2 * eta) + eta / 2 * squares + 1e-12);
        double whole = -D_ * vec_norm(D, total);
        within("Lemma 4.6", moved, whole + ideal + cross, 1e-12 * (1 + fabs(whole)));
    }
}

static void s2_3_printed_loop(void **state)
{
    static const char *const oracles[] = { "reduced", "naive" };
    struct rng r = rng_stream(51);
    for (int k = 0; k < 12; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, k % 3 ? "valley" : "bowl" },
                                      { "d", D }, { "turned", 1 }, { "dist", 0 });
        int T = (int[]){ 1, 7, 16, 33 }[k % 4];
        struct goal goal = ask(4000, k < 8 ? 2 : NAN);
        struct method *m = METHOD(NAME, &in, &goal, { "T", T }, { "K", 3 },
                                  { "oracle", 0, oracles[k / 4 % 2] });
        struct epochs e;
        const double *x = method_drawn(m, 9 + (uint64_t)k);
        printed_run(m, 9 + (uint64_t)k, k / 4 % 2, &e);
        expect_vectors("answer", D, x, e.answer, 1e-15);
        double step = method_param(m, "step");
        for (int i = 0; i < 3; i++)
            check_epoch(&e, i, T, 0.1 / T, step, &r);
        assert_true(T == 1 || m->o.note[3].max <= 2 * (1 + 1e-12));
        method_free(m);
    }
}

/* --- scalings, by powers of two: bit for bit */

static void scaled(double c, double L, double rho, double *x, double *sigma, long *T)
{
    struct instance in = INSTANCE(memory, "sloped", { "shape", 0, "valley" }, { "d", D },
                                  { "L", L }, { "R", c }, { "dist", c / 8 }, { "turned", 1 });
    struct goal goal = ask(3000, rho);
    goal.radius *= c;
    struct method *m = METHOD(NAME, &in, &goal, { "eta", 0, "theory" });
    struct rng rng = rng_stream(3);
    contract_open(&m->o, &in, m->algo, 4, m->work);
    in.p->start(in.self, m->x);
    assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
    vec_copy(D, m->x, x);
    *sigma = method_param(m, "sigma");
    *T = (long)method_param(m, "T");
    method_free(m);
}

static void s6_5_scale_invariance(void **state)
{
    static const double rhos[] = { NAN, 1 };
    for (int k = 0; k < 2; k++) {
        double x[D], y[D], z[D], s, s_f, s_x;
        long T, T_f, T_x;
        scaled(1, 1, rhos[k], x, &s, &T);
        scaled(1, 4, rhos[k], y, &s_f, &T_f);
        scaled(8, 1, rhos[k], z, &s_x, &T_x);
        assert_true(T == T_f && T == T_x && s_f == 4 * s && s_x == s && (k == 0) == (s == 0));
        for (int j = 0; j < D; j++)
            assert_true(y[j] == x[j] && z[j] == 8 * x[j]);
    }
}

/* rho infinite is the run without privacy, bit for bit; so is sigma = 0. */
static void s6_5_no_privacy(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D });
    struct goal none_asked = ask(2000, NAN), infinite = ask(2000, INFINITY);
    struct method *m = METHOD(NAME, &in, &none_asked, { "T", 20 });
    struct method *n = METHOD(NAME, &in, &infinite, { "T", 20 });
    const double *x = method_run(m, 5, nobody), *y = method_run(n, 5, nobody);
    assert_memory_equal(x, y, D * sizeof *x);
    assert_true(method_param(m, "sigma") == 0 && method_param(n, "sigma") == 0);
    method_free(m);
    method_free(n);
}

/* --- counts of 3.4 */

static void s3_4_counts(void **state)
{
    static const struct { int T, K, B1, B2, d; bool naive; } list[] = {
        { 16, 3, 17, 1, 5, false }, { 9, 2, 5, 3, 4, false }, { 8, 4, 6, 6, 3, true },
        { 1, 2, 3, 1, 2, false },
    };
    for (int k = 0; k < 4; k++) {
        int T = list[k].T, K = list[k].K, B1 = list[k].B1, B2 = list[k].B2, d = list[k].d;
        double data = K * (B1 + B2 * (T - 1.0)), each = list[k].naive ? 1 : d;
        struct instance in = INSTANCE(memory, "capped_stored", { "d", d }, { "n", 300 });
        struct goal goal = ask(300, 1);
        struct method *m = METHOD(NAME, &in, &goal, { "T", T }, { "K", K }, { "B1", B1 },
                                  { "B2", B2 }, { "oracle", 0, list[k].naive ? "naive" : "reduced" });
        method_run(m, 6, nobody);
        expect_count(&m->o, COUNT_taken, data);
        expect_count(&m->o, COUNT_sample_values, 2 * each * data);
        expect_count(&m->o, COUNT_batch_steps, K * T);
        expect_count(&m->o, COUNT_max_visits, 1);
        expect_count(&m->o, COUNT_noise_tree, list[k].naive ? 0 : K * T);
        expect_count(&m->o, COUNT_noise_gauss, list[k].naive ? K * T : 0);
        method_free(m);
    }
}

/* --- calibration */

/* rho_acc of uniform noise: worst chain of nodes, from the definition. */
static double accounted(int T, double s_1, double s, double sigma)
{
    double worst = 0;
    for (int i = 1; i <= T; i++) {
        double sum = 0, change = i == 1 ? s_1 : s;
        for (int b = i; b <= T; b += b & -b)
            sum += change * change / (sigma * sigma);
        worst = fmax(worst, sum);
    }
    return sqrt(worst);
}

static void s2_8_calibration(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D }, { "L", 2 });
    for (int T = 1; T <= 260; T += T < 40 ? 1 : 7) {
        static const char *const words[] = { "exact", "safe", "paper" };
        double rho = 0.7, s = 4.0 * D * 2 / T;
        for (int k = 0; k < 6; k++) {
            bool edge = k >= 3;                      /* the smallest first batch allowed, T B2/2 */
            double B1 = edge ? ceil(T / 2.0) : T + 1, s_1 = 2.0 * D * 2 / B1;
            struct goal goal = ask(1e4, rho);
            const struct with with[] = { { "T", T }, { "B1", B1 }, { "calibration", 0, words[k % 3] },
                                         { 0 } };
            if (T == 1 && k % 3 == 2) {
                expect_refusal(NAME, &in, &goal, with, "no noise at T = 1");
                continue;
            }
            struct method *m = method_tuned(NAME, &in, &goal, with, NULL);
            double level = accounted(T, s_1, s, method_param(m, "sigma"));
            if (k % 3 == 0)
                near(level, rho, 1e-12);
            if (k % 3 == 1)
                assert_true(level <= rho * (1 + 1e-12));
            if (k % 3 == 2)
                assert_true((level <= rho * (1 + 1e-12)) == !(edge && (T == 2 || T == 4)));
            if (k == 5 && T == 4)
                near(level / rho, sqrt(3 / (2 * log(4))), 1e-12);
            if (k % 3 == 2)
                near(method_param(m, "sigma"), sqrt(2 * log(T)) * s / rho, 1e-13);
            method_free(m);
        }
    }
}

/* sigma of the naive oracle: 2 d L/(B rho), half of which is printed; of every summand s/rho. */
static void s7_9_naive_sigma(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D }, { "L", 2 });
    struct goal goal = ask(1e4, 0.5);
    struct method *m = METHOD(NAME, &in, &goal, { "oracle", 0, "naive" }, { "B2", 5 }, { "T", 10 });
    near(method_param(m, "sigma"), 2.0 * D * 2 / (5 * 0.5), 1e-14);
    method_free(m);
    m = METHOD(NAME, &in, &goal, { "noise", 0, "independent" }, { "T", 10 });
    near(method_param(m, "sigma"), 4.0 * D * 2 / (10 * 0.5), 1e-14);
    method_free(m);
    m = METHOD(NAME, &in, &goal, { "oracle", 0, "naive" }, { "batch", 0, "tuned" });
    near(method_param(m, "B2"), ceil(pow(D, 1.5) / 0.5), 0);
    method_free(m);
    expect_refusal(NAME, &in, &goal, (const struct with[]){ { "oracle", 0, "naive" }, { "B1", 3 },
                   { "B2", 2 }, { 0 } }, "expected B2 = 2");
}

/* --- T */

/* T = max(T1, T2), where min is printed; the least of the bound and of the expected certificate
 * over all whole T. */
static void s2_7_length(void **state)
{
    static const double sizes[] = { 300, 4000, 50000 }, rhos[] = { 0.05, 1, INFINITY };
    for (int k = 0; k < 9; k++) {
        struct zo_terms z = { .d = 5, .L = 2, .Phi = 0.7, .delta = 0.1, .M = sizes[k % 3],
                              .rho = rhos[k / 3] };
        double a = (z.Phi + z.L * z.delta) / (z.delta * z.M);
        double T1 = pow(sqrt(z.d) * z.L / a, 2. / 3), T2 = sqrt(pow(z.d, 1.5) * z.L / (z.rho * a));
        near(zo_T1(&z), T1, 1e-12);
        assert_true(zo_length(&z, "paper") == ceil(fmax(T1, T2)));
        assert_true(zo_length(&z, "printed") == ceil(fmin(T1, T2)));
        double (*const at[])(const struct zo_terms *, double) = { zo_bound_at, zo_predicted_at };
        static const char *const words[] = { "bound", "practical" };
        for (int i = 0; i < 2; i++) {
            double least = INFINITY;
            for (double T = 2; T <= z.M / 2; T++)
                least = fmin(least, at[i](&z, T));
            near(at[i](&z, zo_length(&z, words[i])), least, 1e-12);
        }
    }
}

/* K = floor(M/(2T)), left-over samples unused; 2 <= T <= M/2; what cannot be is refused. */
static void s2_7_s7_3_whole_numbers(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D });
    for (double n = 4; n < 3000; n = ceil(n * 1.3)) {
        struct goal goal = ask(n, n > 100 ? 0.01 : NAN);
        struct method *m = METHOD(NAME, &in, &goal, { "B2", 1 });
        double T = method_param(m, "T"), K = method_param(m, "K");
        assert_true(T >= 2 && T <= n / 2 && K == floor(n / (2 * T)) && K >= 1);
        assert_true(method_param(m, "B1") == T + 1 && method_param(m, "smoothing") == 0.1);
        method_free(m);
    }
    struct goal few = ask(3, 1), none_given = ask(NAN, 1), some = ask(100, 1);
    const struct with plain[] = { { 0 } };
    expect_refusal(NAME, &in, &few, plain, "expected at most M = 3");
    expect_refusal(NAME, &in, &none_given, plain, "needs goal n or T");
    expect_refusal(NAME, &in, &some, (const struct with[]){ { "T", 60 }, { 0 } }, "M = 100");
    struct instance steep = INSTANCE(memory, "spectral", { "radius", INFINITY });
    expect_refusal(NAME, &steep, &some, plain, "give algo.L");
}

/* T = min leaves one term without control: the expected certificate is larger by the factor by which
 * the term that was to be balanced exceeds its balance. */
static void s7_1_max_not_min(void **state)
{
    struct zo_terms z = { .d = 8, .L = 1, .Phi = 0.5, .delta = 0.05, .M = 1e6, .rho = 0.01 };
    double worst = zo_bound_at(&z, fmin(zo_T1(&z), zo_T2(&z)));
    assert_true(worst > 2 * zo_bound_at(&z, fmax(zo_T1(&z), zo_T2(&z))));
    z.rho = 1000;
    worst = zo_bound_at(&z, fmin(zo_T1(&z), zo_T2(&z)));
    assert_true(worst > 2 * zo_bound_at(&z, fmax(zo_T1(&z), zo_T2(&z))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_5_nodes_are_fenwick), cmocka_unit_test(s2_3_printed_loop),
        cmocka_unit_test(s6_5_scale_invariance), cmocka_unit_test(s6_5_no_privacy),
        cmocka_unit_test(s3_4_counts), cmocka_unit_test(s2_8_calibration),
        cmocka_unit_test(s7_9_naive_sigma), cmocka_unit_test(s2_7_length),
        cmocka_unit_test(s2_7_s7_3_whole_numbers), cmocka_unit_test(s7_1_max_not_min),
    };
    return cmocka_run_group_tests_name("private zeroth-order O2NC", tests, setup, teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_zo.c - private zeroth-order O2NC against the printed algorithms in a loop of their own,
 * its exact scalings, counts, calibrations and choices of T.
 * Serves: private-zeroth-order */
#include "../algos/parts/o2nc.h"
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

struct form { const char *oracle, *noise, *difference, *eta; };

static bool is(const char *word, const char *other) { return strcmp(word, other) == 0; }

/* Directions are the oracle's: the twin asks it for GRAD and DIFF by their formulas, four values as
 * (f(x + u) - f(x - u) - f(y + u) + f(y - u))/(2 delta). */
static void probe(struct oracle *o, const struct ticket *z, double delta, double L, bool four,
                  const double *x, const double *y, int m, double *g)
{
    const double *at[] = { x, y ? y : x, y, x }, c = y && !four ? 1 / delta : 1 / (2 * delta);
    const double a[] = { c, -c, c, -c }, r[] = { delta, y ? delta : -delta, -delta, -delta };
    assert_true(oracle_probe(o, &(struct probe){ .ticket = z, .points = y && four ? 4 : 2, .x = at,
        .a = a, .r = r, .directions = m, .clamp = y ? L * vec_dist(D, x, y) / delta : L, .g = g }));
    for (int j = 0; j < D; j++)
        g[j] *= (double)D / m;
}

/* What g~_t has of the noises xi_1 ... xi_t: by the list of NODE(t), the last, or all. */
static void add_noise(const struct form *v, int t, double xi[][D], double *g)
{
    int from[32], to[32], n = node(t, from, to);
    bool naive = is(v->oracle, "naive");
    if (!naive && is(v->noise, "tree"))
        for (int i = 0; i < n; i++)
            vec_axpy(D, 1, xi[to[i]], g);
    else
        for (int b = naive ? t : 1; b <= t; b++)
            vec_axpy(D, 1, xi[b], g);
}

/* Algorithms 3 to 6 with every w kept, from one oracle of the same seed; eta = D/(G sqrt T) is that
 * of the run (7.8 tests it), or adaptive, sqrt 2 D/sqrt(sum |g~|^2) from nothing in every epoch. */
static void printed_run(const struct method *m, uint64_t seed, const struct form *v,
                        struct epochs *e)
{
    bool naive = is(v->oracle, "naive"), four = is(v->difference, "symmetric");
    const struct instance *in = m->in;
    struct oracle o;
    struct rng rng = rng_stream(seed), pick = rng_sub(&rng, 1);
    int T = (int)method_param(m, "T"), K = (int)method_param(m, "K");
    double delta = method_param(m, "smoothing"), sigma = method_param(m, "sigma");
    double eta = method_param(m, "step"), L = method_param(m, "L"), x[D] = { 0 }, radius = delta / T;
    contract_open(&o, in, m->algo, seed, memory);
    for (int k = 0; k < K; k++) {
        double step[D] = { 0 }, g[D] = { 0 }, xi[MOST_T + 1][D], d[D], sum[D] = { 0 }, squares = 0;
        for (int t = 1; t <= T; t++) {
            for (int j = 0; j < D && t > 1; j++)
                squares += e->told[k][t - 2][j] * e->told[k][t - 2][j];
            if (is(v->eta, "adaptive"))
                eta = sqrt(2) * radius / sqrt(squares);
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
            probe(&o, &z, delta, L, four, e->w[k][t - 1], first ? NULL : e->w[k][t - 2], dirs, d);
            for (int j = 0; j < D; j++)
                g[j] = first ? d[j] : g[j] + d[j];
            vec_zero(D, xi[t]);
            noise_gaussian(&o, &(struct release){ .site = "twin" }, sigma, D, xi[t]);
            vec_copy(D, g, e->told[k][t - 1]);
            add_noise(v, t, xi, e->told[k][t - 1]);
        }
        for (int j = 0; j < D; j++)
            e->wbar[k][j] = sum[j] / T;
        if (rng_uniform(&pick) * (k + 1) < 1)
            vec_copy(D, e->wbar[k], e->answer);
    }
    oracle_release(&o);
}

/* |w_(t+1) - w_t| <= 2D, |w_t - w_t'| <= (|t - t'| + 1) D, |w_t - wbar| <= D (T-1)(T+2)/(2T); the
 * regret of projected descent with a fixed step against any |u| <= D; the identity of Lemma 4.6 for any G_t. */
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
        assert_true(isnan(eta) || regret <= vec_dot(D, u, u) / (2 * eta) + eta / 2 * squares + 1e-12);
        double whole = -D_ * vec_norm(D, total);
        within("Lemma 4.6", moved, whole + ideal + cross, 1e-12 * (1 + fabs(whole)));
    }
}

static void s2_3_printed_loop(void **state)
{
    static const struct form forms[] = {
        { "reduced", "tree", "forward", "practical" }, { "naive", "tree", "forward", "practical" },
        { "reduced", "independent", "forward", "theory" },
        { "reduced", "tree", "symmetric", "practical" },
        { "reduced", "independent", "symmetric", "adaptive" },
        { "reduced", "tree", "forward", "adaptive" }, { "naive", "tree", "forward", "adaptive" },
    };
    struct rng r = rng_stream(51);
    for (int k = 0; k < 28; k++) {
        const struct form *v = &forms[k / 4];
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, k % 3 ? "valley" : "bowl" },
                                      { "d", D }, { "turned", 1 }, { "dist", 0 });
        int T = (int[]){ 1, 7, 16, 33 }[k % 4];
        struct goal goal = ask(4000, k % 5 ? 2 : NAN);
        struct method *m = METHOD(NAME, &in, &goal, { "T", T }, { "K", 3 },
                                  { "oracle", 0, v->oracle }, { "noise", 0, v->noise },
                                  { "difference", 0, v->difference }, { "eta", 0, v->eta });
        struct epochs e;
        const double *x = method_drawn(m, 9 + (uint64_t)k);
        printed_run(m, 9 + (uint64_t)k, v, &e);
        expect_vectors("answer", D, x, e.answer, k < 8 ? 1e-15 : 1e-13);
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
            if (k == 5 && T > 2)     /* a smaller one, of which the printed sigma knows nothing */
                expect_refusal(NAME, &in, &goal, (const struct with[]){ { "T", T },
                               { "B1", ceil(T / 2.0) - 1 }, { "calibration", 0, "paper" }, { 0 } },
                               "expected at least T B2/2");
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
    struct goal tiny = ask(1e4, 1e-200);
    expect_refusal(NAME, &in, &tiny, (const struct with[]){ { "oracle", 0, "naive" },
                   { "batch", 0, "tuned" }, { 0 } }, "expected at most 2^40");
    expect_refusal(NAME, &in, &goal, (const struct with[]){ { "oracle", 0, "naive" }, { "B1", 3 },
                   { "B2", 2 }, { 0 } }, "expected B2 = 2");
}

/* --- eta: D/(G sqrt T), G^2 = 3 (16 d L^2/B1 + 64 d L^2/(B2 T) + L^2 + N) or
 * L^2 + (7 d (d/m)/6 + 2) L^2/(B2 T) + N. Numbers are those of a calculator. */

static void s7_8_eta(void **state)
{
    static const struct {
        double d, L, B1, B2, T, sigma, theory[2], practical[2];      /* tree, every summand */
    } list[] = {
        { 4, 2, 16, 4, 16, 0, { 10.3923048454132638, 10.3923048454132638 },
          { 2.10158670215308192, 2.10158670215308192 } },
        { 4, 2, 16, 4, 16, 0.5, { 11.1640284993114689, 11.5542200082913429 },
          { 2.53311402559511061, 3.59397644214130411 } },
        { 2, 1, 9, 2, 8, 3, { 16.1940221430035394, 16.7531091641720841 },
          { 5.31703238031642359, 9.07032707973275533 } },
    };
    static const char *const noises[] = { "tree", "independent" }, *const etas[] = { "theory", "practical" };
    for (int k = 0; k < 12; k++) {
        int i = k / 4, noise = k % 2;
        double T = list[i].T;
        struct zo_terms z = { .d = list[i].d, .L = list[i].L, .T = T, .B1 = list[i].B1,
                              .B2 = list[i].B2, .directions = list[i].d };
        near(zo_G_theory(&z, list[i].sigma, !noise), list[i].theory[noise], 1e-14);
        near(zo_G_practical(&z, list[i].sigma, zo_nodes(&z, !noise)), list[i].practical[noise], 1e-14);
        struct instance in = INSTANCE(memory, "sloped", { "d", z.d }, { "L", z.L });
        struct goal goal = ask(1e4, 1);
        struct method *m = METHOD(NAME, &in, &goal, { "T", T }, { "B1", z.B1 }, { "B2", z.B2 },
                                  { "sigma", list[i].sigma }, { "noise", 0, noises[noise] },
                                  { "eta", 0, etas[k / 2 % 2] });
        double G = k / 2 % 2 ? list[i].practical[noise] : list[i].theory[noise];
        near(method_param(m, "step"), 0.1 / (T * sqrt(T) * G), 1e-13);
        method_free(m);
    }
    struct zo_terms one = { .d = 4, .L = 2, .T = 16, .B2 = 4, .directions = 1 };
    near(zo_G_practical(&one, 0.5, 2), 2.70030862433660843, 1e-14);
}

/* Told (3, 4) and (0, -12) at D = 1: eta = sqrt 2/5, then sqrt 2/13. */
static void s7_8_adaptive(void **state)
{
    struct rng r = rng_stream(52);
    struct o2nc c = o2nc_new(memory, 2, 1, NAN, &r);
    double x[2] = { 0 };
    o2nc_start(&c, x);
    for (int k = 0; k < 2; k++) {    /* an epoch forgets what another was told */
        o2nc_epoch(&c, false);
        assert_false(o2nc_next(&c, &r, NULL));
        assert_true(o2nc_next(&c, &r, (double[]){ 3, 4 }));
        expect_vectors("to the sphere", 2, c.step, (double[]){ -0.6, -0.8 }, 1e-15);
        assert_false(o2nc_next(&c, &r, (double[]){ 0, -12 }));
        expect_vectors("within", 2, c.step, (double[]){ -0.6, 0.505427903729010814 }, 1e-15);
    }
}

/* --- T */

/* 2T(Phi + 2 L delta)/(delta M) + G/T^(1/2) + 2 (V^(1/2) + N^(1/2)) with the printed sigma, B1 = T + 1
 * and B2 = 1; 2T(Phi + 2 L delta)/(delta M) + L/T^(1/2) + L ((7d/18 + 2)/T)^(1/2) +
 * 4 d^(3/2) L ln(T)^(1/2)/(T rho). Numbers are those of a calculator. */
static void s2_7_s3_3_by_hand(void **state)
{
    static const struct { struct zo_terms z; double T, bound, predicted; } list[] = {
        { { .d = 4, .L = 1, .Phi = 0.5, .delta = 0.125, .M = 1000, .rho = 1 }, 10,
          49.4565184520440004, 5.88827937404925018 },
        { { .d = 1, .L = 2, .Phi = 0.7, .delta = 0.1, .M = 4000, .rho = 0.5 }, 2,
          66.9912381547420151, 10.2714632930686773 },
        { { .d = 9, .L = 1, .Phi = 1, .delta = 0.25, .M = 100000, .rho = INFINITY }, 400,
          2.87550287598552177, 0.215260393995585739 },
    };
    for (int k = 0; k < 3; k++) {
        near(zo_bound_at(&list[k].z, list[k].T), list[k].bound, 1e-14);
        near(zo_predicted_at(&list[k].z, list[k].T), list[k].predicted, 1e-14);
    }
}

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

/* T = max: the larger of d^(1/2) L/T^(1/2) and d^(3/2) L/(T rho) is T a, the other less. T = min leaves
 * one of them without control: it is T a times (T1/T2)^(3/2), or (T2/T1)^2. The bound with its
 * constants is then more than twice that at max too. */
static void s7_1_max_not_min(void **state)
{
    static const double rhos[] = { 0.01, 1000 };
    for (int k = 0; k < 2; k++) {
        struct zo_terms z = { .d = 8, .L = 1, .Phi = 0.5, .delta = 0.05, .M = 1e6, .rho = rhos[k] };
        double a = 0.55 / 0.05e6, T1 = zo_T1(&z), T2 = zo_T2(&z);
        double most = fmax(T1, T2), least = fmin(T1, T2);
        double factor = k ? pow(T1 / T2, 1.5) : pow(T2 / T1, 2);
        assert_true(k ? T1 > T2 : T2 > T1);
        near(fmax(sqrt(8 / most), pow(8, 1.5) / (most * z.rho)), a * most, 1e-12);
        near(fmax(sqrt(8 / least), pow(8, 1.5) / (least * z.rho)), factor * a * least, 1e-12);
        assert_true(factor > 3 && zo_bound_at(&z, least) > 2 * zo_bound_at(&z, most));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_5_nodes_are_fenwick), cmocka_unit_test(s2_3_printed_loop),
        cmocka_unit_test(s6_5_scale_invariance), cmocka_unit_test(s6_5_no_privacy),
        cmocka_unit_test(s3_4_counts), cmocka_unit_test(s2_8_calibration),
        cmocka_unit_test(s7_9_naive_sigma), cmocka_unit_test(s7_8_eta),
        cmocka_unit_test(s7_8_adaptive), cmocka_unit_test(s2_7_s3_3_by_hand),
        cmocka_unit_test(s2_7_length),
        cmocka_unit_test(s2_7_s7_3_whole_numbers), cmocka_unit_test(s7_1_max_not_min),
    };
    return cmocka_run_group_tests_name("private zeroth-order O2NC", tests, setup, teardown);
}

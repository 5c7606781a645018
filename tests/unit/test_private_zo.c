/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_zo.c - private zeroth-order O2NC, compared with the printed algorithms in a loop written here; its
 * exact scalings and counts. A run has K epochs of T steps. At point w_t of an epoch GRAD estimates the gradient of
 * the smoothed loss, of radius delta, from B1 samples, and DIFF its change since w_(t-1) from B2 samples; g_t is
 * their sum and g~_t is g_t plus noise, that of TREE with standard deviation sigma for each of the nodes NODE(t). A
 * learner makes the next step, of length at most D, from the g~_t. This D is `D_` in the code here, where D is the
 * dimension.
 *
 * Serves: private-zeroth-order */
#include "algos/parts/o2nc.h"
#include "algos/parts/tree_reach.h"
#include "support/hard.h"
#include "support/method.h"
#include "support/zo_ask.h"

#define NAME "private-zo-o2nc"
enum { D = 3, MOST_T = 64, MOST_K = 4 };

/* --- Algorithm 5 as printed: from[n], to[n] <- the ends of the nodes of NODE(t), largest first; returns n */

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

/* The nodes of NODE(t) are those of a Fenwick tree. The nodes that contain step i are counted along the tree: step
 * 1 is in most of them, and the later steps are in one fewer at most. These numbers are the squared reach of a
 * record that changes the first term of a sum, or a later one. */
static void s2_5_nodes_are_fenwick(void **state)
{
    int from[32], to[32];
    for (int t = 1; t < 2000; t++) {
        int n = node(t, from, to), q = t;
        assert_int_equal(n, __builtin_popcount((unsigned)t));
        for (int k = n - 1; k >= 0; k--) {           /* the nodes cover [1, t], beginning from the right */
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
        within("reach of the first term", pow(tree_reach(true, T, 1, 0), 2), most, 1e-12);
        within("reach of later terms", pow(tree_reach(true, T, 0, 1), 2), later, 1e-12);
    }
}

/* --- the loop */

/* All of a run, by epoch k and step t: the points w, the estimates g~ that the learner gets (`told`), and its moves
 * Delta (`step`); for every epoch the mean wbar of its points. answer: the mean that the run chooses. */
struct epochs {
    double w[MOST_K][MOST_T][D], told[MOST_K][MOST_T][D], step[MOST_K][MOST_T][D], wbar[MOST_K][D];
    double answer[D];
};

/* Values of four parameters of the method. noise may also be "fed back", which stands for a planted method that
 * adds noise to g_t itself. */
struct form { const char *oracle, *noise, *difference, *eta; };

static bool is(const char *word, const char *other) { return strcmp(word, other) == 0; }

/* g <- what the oracle answers for GRAD at x or, if y is given, for DIFF between y and x, computed by their
 * formulas along the directions of another oracle `o` of the same seed; `four` stands for DIFF by four values, (f(x
 * + u) - f(x - u) - f(y + u) + f(y - u))/(2 delta). */
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

static void add_tree(int t, double xi[][D], double *g)
{
    int from[32], to[32], n = node(t, from, to);
    for (int i = 0; i < n; i++)
        vec_axpy(D, 1, xi[to[i]], g);
}

/* g += the noise of g~_t, made of the draws xi_1 ... xi_t. In the printed form it is the noise of the nodes in
 * NODE(t); in the planted form, which feeds noise back, that of NODE(1) to NODE(t). With the naive oracle it is the
 * last draw, with independent noise the sum of all draws. */
static void add_noise(const struct form *v, int t, double xi[][D], double *g)
{
    bool naive = is(v->oracle, "naive");
    if (!naive && is(v->noise, "tree"))
        add_tree(t, xi, g);
    else if (!naive && is(v->noise, "fed back"))
        for (int s = 1; s <= t; s++)
            add_tree(s, xi, g);
    else
        for (int b = naive ? t : 1; b <= t; b++)
            vec_axpy(D, 1, xi[b], g);
}

/* Runs Algorithms 3 to 6 and keeps every w; the random numbers come from one oracle of the same seed. The factor
 * eta of a gradient is the parameter `step` of the run; if it is adaptive, it is sqrt 2 D/sqrt(sum |g~|^2) for the
 * greatest length D of a step, with a sum that begins anew in every epoch. */
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

/* Checks three things in an epoch, where D is the greatest length of a step. Points are near each other: |w_(t+1)
 * - w_t| <= 2D, |w_t - w_t'| <= (|t - t'| + 1) D and |w_t - wbar| <= D (T-1)(T+2)/(2T). The regret of projected
 * descent with a fixed step against any |u| <= D is within its bound. The identity of Lemma 4.6 holds for any
 * vectors G_t. */
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

/* The planted method, which takes line 9 of Algorithm 4 literally, feeds noise back: each estimate contains the
 * noise of all prefixes so far. Its answer is that of the loop with this noise; its sigma and its step length are
 * those of the method that is right. */
static void s7_2_noise_fed_back(void **state)
{
    static const struct form v = { "reduced", "fed back", "forward", "practical" };
    for (int k = 0; k < 4; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, "valley" }, { "d", D }, { "turned", 1 },
                                      { "dist", 0 });
        int T = (int[]){ 2, 7, 16, 33 }[k];
        struct goal goal = ask(4000, 2);
        struct method *m = METHOD("planted-zo-fed-back", &in, &goal, { "T", T }, { "K", 3 });
        struct method *right = METHOD(NAME, &in, &goal, { "T", T }, { "K", 3 }, { "calibration", 0, "paper" });
        struct epochs e;
        within("sigma", method_param(m, "sigma"), method_param(right, "sigma"), 1e-15);
        within("eta", method_param(m, "step"), method_param(right, "step"), 1e-15);
        const double *x = method_drawn(m, 60 + (uint64_t)k);
        printed_run(m, 60 + (uint64_t)k, &v, &e);
        expect_vectors("answer", D, x, e.answer, 1e-13);
        method_free(m);
        method_free(right);
    }
}

/* --- scalings by powers of two, to the bit */

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

/* With rho infinite the run is that without a goal of privacy, to the bit; sigma is 0 in both. */
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

/* --- the counts of item 3.4 of docs/papers/private-zeroth-order.md */

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
        expect_count(&m->o, COUNT_directions, each * data);
        expect_count(&m->o, COUNT_batch_steps, K * T);
        expect_count(&m->o, COUNT_max_visits, 1);
        expect_count(&m->o, COUNT_noise_tree, list[k].naive ? 0 : K * T);
        expect_count(&m->o, COUNT_noise_gauss, list[k].naive ? K * T : 0);
        method_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_5_nodes_are_fenwick), cmocka_unit_test(s2_3_printed_loop),
        cmocka_unit_test(s7_2_noise_fed_back),
        cmocka_unit_test(s6_5_scale_invariance), cmocka_unit_test(s6_5_no_privacy),
        cmocka_unit_test(s3_4_counts),
    };
    return cmocka_run_group_tests_name("private zeroth-order O2NC", tests, setup, teardown);
}

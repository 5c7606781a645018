/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contract_o2nc.c - private zeroth-order O2NC on a nonsmooth cone: two-point differences by oracle_probe, noise of
 * a tree, and certificates of the points of an epoch. */
#include "contract/contract.h"

/* --- the problem: f(x; i) = (L/2)(|x| + s_i <v, x>) with fair signs s_i and a unit vector v, so that F =
 * (L/2)|x| */

struct cone {
    long d;
    double L;
    struct rng sign;
    double *v;
    long *asked;                     /* [n], number of values asked of each record */
};

static double cone_value(const void *self, long i, const double *x)
{
    const struct cone *o = self;
    struct rng r = rng_at(&o->sign, (uint64_t)i);
    o->asked[i]++;
    return o->L / 2 * (vec_norm(o->d, x) + rng_sign(&r) * vec_dot(o->d, o->v, x));
}

/* Returns the norm of the mean of grad F = (L/2) x/|x| over the points. */
static double cone_stationarity(const void *self, long m, const double *points, double *error)
{
    const struct cone *o = self;
    double sum[64] = { 0 };
    for (long k = 0; k < m; k++)
        vec_axpy(o->d, 1 / ((double)m * vec_norm(o->d, points + k * o->d)), points + k * o->d, sum);
    *error = 0;
    return o->L / 2 * vec_norm(o->d, sum);
}

static const struct measure cone_measures[] = {
    { "stationarity", "f/x", "norm of the mean gradient", EXACT, NULL, cone_stationarity }, { 0 }
};

static const struct problem cone_problem = {
    .name = "cone", .doc = "prototype", .sample_value = cone_value, .measures = cone_measures
};

static struct instance cone_instance(struct arena *a, long d, long n)
{
    struct instance in = { .p = &cone_problem, .f = facts_unknown(), .d = d, .name = "cone" };
    struct cone *o = in.self = ARENA_ARRAY(a, 1, struct cone);
    *o = (struct cone){ .d = d, .L = 2, .sign = rng_stream(18), .v = arena_vec(a, d),
                        .asked = ARENA_ARRAY(a, n, long) };
    struct rng direction = rng_stream(17);
    rng_sphere(&direction, d, o->v);
    in.f.d = (double)d, in.f.n = (double)n, in.f.L = o->L;
    return in;
}

/* --- the method */

struct o2nc {
    long K, T, B1, B2;
    double L, delta, rho, eta;       /* delta: radius of smoothing; rho: privacy; eta: step length */
    double *w;                       /* [K*T][d], the points that were asked, kept for the test */
};

/* g[d] <- (1/b) sum_i sum_u clamp( (f(x + delta u; z_i) - f(y + r u; z_i))/c ) u over the b records z_i of the
 * ticket z and d directions u for each. If y is NULL this is GRAD, with y = x, r = -delta, c = 2 delta and the
 * bound L of the clamp; else it is DIFF, with r = c = delta and the bound L|x - y|/delta. */
static bool difference(struct oracle *o, const struct o2nc *p, struct ticket *z, const double *x,
                       const double *y, double *g)
{
    long d = oracle_dim(o);
    double c = y ? p->delta : 2 * p->delta, most = y ? vec_dist(d, x, y) / p->delta : 1;
    const double *at[] = { x, y ? y : x }, a[] = { 1 / c, -1 / c };
    const double r[] = { p->delta, y ? p->delta : -p->delta };
    return oracle_probe(o, &(struct probe){ .ticket = z, .points = 2, .x = at, .a = a, .r = r,
                                            .directions = (int)d, .clamp = p->L * most, .g = g });
}

/* The method. The noise of a node has the standard deviation sqrt(max((m+1) s_1^2, m s^2))/rho with m = floor(lg
 * T), since a step t >= 2 is in at most m nodes; s_1 and s are the sensitivities of GRAD and DIFF. */
static enum status run(struct oracle *o, const void *vp, struct arena *work, struct rng *rng,
                       double *x)
{
    const struct o2nc *p = vp;
    long d = oracle_dim(o), asked = 0;
    double D = p->delta / (double)p->T, m = tree_height(p->T) - 1;
    double s_1 = 2 * (double)d * p->L / (double)p->B1;
    double s = 4 * (double)d * p->L / ((double)p->B2 * (double)p->T);
    double sd = sqrt(fmax((m + 1) * s_1 * s_1, m * s * s)) / p->rho;
    double *step = arena_vec(work, d), *w = arena_vec(work, d), *before = arena_vec(work, d);
    double *sum = arena_vec(work, d), *change = arena_vec(work, d), *released = arena_vec(work, d);
    struct prefix *tree = noise_prefix(o, work, PREFIX_TREE, p->T, d);

    arena_seal(work);
    for (long k = 0; k < p->K; k++) {
        vec_zero(d, step);
        prefix_restart(tree);
        for (long t = 1; t <= p->T; t++) {
            struct ticket z;
            if (t > 1) {
                vec_axpy(d, -p->eta, released, step);
                vec_project_ball(d, NULL, D, step);
            }
            vec_lincomb(d, 1, x, rng_uniform(rng), step, w);
            vec_axpy(d, 1, step, x);
            if (!oracle_take(o, t == 1 ? p->B1 : p->B2, &z) ||
                !difference(o, p, &z, w, t == 1 ? NULL : before, t == 1 ? sum : change))
                return OK;
            if (t > 1)
                vec_axpy(d, 1, change, sum);
            vec_copy(d, sum, released);
            prefix_release(tree, &(struct release){ .site = "oracle", .norm = NORM_2, .ticket = &z,
                                                  .sensitivity = t == 1 ? s_1 : s }, sd, released);
            vec_copy(d, w, before);
            oracle_visit(o, w);
            vec_copy(d, w, p->w + asked++ * d);
        }
        oracle_close(o);
        oracle_mark(o, x);
    }
    return OK;
}

static const struct algo algo = {
    .name = "o2nc", .doc = "prototype", .cite = "Algorithms 1-5",
    .calls = CALL_SAMPLE_VALUES | CALL_NOISE, .reads = FACT_BIT(L),
    .adjacency = ADJACENCY_REPLACE_ONE, .run = run
};

/* --- tests */

enum { K_EPOCHS = 3, T_STEPS = 12, STEPS = K_EPOCHS * T_STEPS, BATCH_1 = 13, BATCH_2 = 2 };

static void expect_ledger(const struct oracle *o, const struct o2nc *p)
{
    assert_int_equal(o->ledger.entries, 2 * K_EPOCHS);
    for (int k = 0; k < K_EPOCHS; k++) {
        const struct ledger_entry *first = o->ledger.entry + 2 * k, *rest = first + 1;
        assert_true(first->step == 1 && first->repeats == 1 && first->batch == BATCH_1);
        assert_true(rest->step == 2 && rest->repeats == T_STEPS - 1 && rest->batch == BATCH_2);
        assert_true(first->cover == 4 && rest->cover == 4);        /* floor(lg 12) + 1 */
        /* m = 3 nodes cover any step but the first, which is covered by 4. */
        double level = fmax(4 * first->sensitivity * first->sensitivity,
                            3 * rest->sensitivity * rest->sensitivity);
        expect_near("rho", sqrt(level) / first->scale, p->rho, 1e-12);
        assert_true(rest->scale == first->scale);
    }
}

/* Every record must be asked for 2 d values in one call; every step must be a round, and every epoch have a
 * certificate. */
static void counts_steps_and_certificates(void **state)
{
    enum { n = K_EPOCHS * (BATCH_1 + (T_STEPS - 1) * BATCH_2), d = 6 };
    struct arena *a = arena_new(0), *work = arena_new(0);
    struct instance in = cone_instance(a, d, n);
    struct o2nc p = { .K = K_EPOCHS, .T = T_STEPS, .B1 = BATCH_1, .B2 = BATCH_2, .L = in.f.L,
                      .delta = 0.5, .rho = 20, .eta = 0.01, .w = arena_vec(a, STEPS * d) };
    struct oracle o;
    struct rng rng = rng_stream(5);
    double x[d] = { 1, -1, 0.5, 0, 0, 0.25 }, mean = 0, farthest = 0, error;

    contract_open(&o, &in, &algo, 21, a);
    assert_int_equal(run(&o, &p, work, &rng, x), OK);
    expect_count(&o, COUNT_taken, n);
    expect_count(&o, COUNT_sample_values, 2.0 * d * n);
    expect_count(&o, COUNT_batch_steps, STEPS);
    expect_count(&o, COUNT_noise_tree, STEPS);
    expect_count(&o, COUNT_max_visits, 1);
    for (long i = 0; i < n; i++)
        assert_int_equal(((struct cone *)in.self)->asked[i], 2 * d);
    expect_ledger(&o, &p);

    for (long k = 1; k < STEPS; k++)
        farthest = fmax(farthest, vec_dist(d, p.w + k * d, p.w + (k - 1) * d));
    assert_true(farthest <= 2 * p.delta / T_STEPS + 1e-14 && farthest > p.delta / T_STEPS);
    for (int k = 0; k < K_EPOCHS; k++)
        mean += cone_stationarity(in.self, T_STEPS, p.w + k * T_STEPS * d, &error) / K_EPOCHS;
    assert_true(o.set_measure[0].count == K_EPOCHS && o.visits == 0);
    expect_near("mean certificate", o.set_measure[0].sum / K_EPOCHS, mean, 1e-14);
    oracle_release(&o);
    arena_free(work);
    arena_free(a);
}

/* GRAD and DIFF (see `difference`) on linear losses f(x; i) = <g_i, x>, h = |E g|, s^2 = Var g. From b records with
 * d directions each,
 *   E GRAD = E g,  E|GRAD - E g|^2 = ((1 - 1/d)(h^2 + s^2) + s^2)/b;
 *   E DIFF = 0,    E|DIFF|^2 = (d/(b delta^2)) E <g, x - y>^2. */
static void oracles_have_the_stated_moments(void **state)
{
    enum { d = 5, b = 3, DRAWS = 4000 };
    static const double h = 0.7, s = 0.5;
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "linear", { "d", d }, { "hardness", h }, { "s", s });
    struct o2nc p = { .L = in.f.L, .delta = 0.3 };
    struct sample_moments grad[d] = { { 0 } }, diff[d] = { { 0 } }, grad_2 = { 0 }, diff_2 = { 0 };
    double x[d] = { 0.1, 0.2, -0.3, 0, 0.4 }, y[d] = { 0.1, 0, -0.2, 0.1, 0.3 };
    double F[d], g[d], move[d];
    struct oracle o;

    contract_open(&o, &in, &algo, 22, a);
    in.p->grad(in.self, x, F);
    vec_sub(d, x, y, move);
    for (int k = 0; k < DRAWS; k++) {
        struct ticket z;
        assert_true(oracle_take(&o, b, &z) && difference(&o, &p, &z, x, NULL, g));
        for (int j = 0; j < d; j++)
            moments_of(&grad[j], g[j]);
        moments_of(&grad_2, pow(vec_dist(d, g, F), 2));
        assert_true(oracle_take(&o, b, &z) && difference(&o, &p, &z, x, y, g));
        for (int j = 0; j < d; j++)
            moments_of(&diff[j], g[j]);
        moments_of(&diff_2, vec_dot(d, g, g));
    }
    for (int j = 0; j < d; j++) {
        expect_mean("GRAD", &grad[j], F[j]);
        expect_mean("DIFF", &diff[j], 0);
    }
    expect_mean("|GRAD - g|^2", &grad_2, ((1 - 1.0 / d) * (h * h + s * s) + s * s) / b);
    double along = pow(vec_dot(d, F, move), 2) + s * s / d * vec_dot(d, move, move);
    expect_mean("|DIFF|^2", &diff_2, d / (b * p.delta * p.delta) * along);
    expect_count(&o, COUNT_sample_values, 2.0 * DRAWS * 2 * b * d);
    oracle_release(&o);
    arena_free(a);
}

/* If losses in one dimension have slope 10 but the method is given L = 1, the clamp must leave only the sign. */
static void clamp_guards_the_sensitivity(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "linear", { "d", 1 }, { "hardness", 10 }, { "s", 0 });
    struct o2nc p = { .L = 1, .delta = 0.125 };
    double x = 0.25, y = 0, F, g = NAN;
    struct ticket z;
    struct oracle o;
    contract_open(&o, &in, &algo, 23, a);
    in.p->grad(in.self, &x, &F);
    assert_true(oracle_take(&o, 4, &z) && difference(&o, &p, &z, &x, NULL, &g));
    expect_near("GRAD", g, copysign(1, F), 1e-15);
    for (int k = 0; k < 50; k++) {           /* one record and one direction, u = +1 or -1 */
        assert_true(oracle_take(&o, 1, &z) && difference(&o, &p, &z, &x, &y, &g));
        expect_near("|DIFF|", fabs(g), p.L * fabs(x - y) / p.delta, 1e-15);
    }
    p.L = 11;                                /* above the slope, so that the clamp changes nothing */
    assert_true(oracle_take(&o, 4, &z) && difference(&o, &p, &z, &x, NULL, &g));
    expect_near("GRAD", g, F, 1e-14);
    oracle_release(&o);
    arena_free(a);
}

/* Returns the number of tree nodes that prefixes i and j have in common, by the definition: bit k stands for a
 * common node if it is set in i and in j and ends the same block. */
static int shared_nodes(int i, int j)
{
    int shared = 0;
    for (int k = 0; k < 8; k++)
        shared += (i >> k & 1) && (j >> k & 1) && i >> k == j >> k;
    return shared;
}

/* N_i is the noise of the tree's prefix i, and sd that of a node. Cov(N_i, N_j) must be sd^2 shared_nodes(i, j),
 * and 0 between epochs. The sample consists of the coordinates and epochs, which are independent. */
static void tree_covariance_counts_shared_nodes(void **state)
{
    enum { T = 11, d = 1000, EPOCHS = 20 };
    static const double sd = 0.5;
    struct arena *a = arena_new(0);
    struct instance in = INSTANCE(a, "linear", { "d", d });
    double *N = arena_vec(a, (T + 1) * d), cov[T + 1][T + 1] = { { 0 } };
    struct oracle o;

    contract_open(&o, &in, &algo, 24, a);
    struct prefix *tree = noise_prefix(&o, a, PREFIX_TREE, T, d);
    for (int k = 0; k < EPOCHS; k++) {
        prefix_restart(tree);
        vec_copy(d, N + T * d, N);           /* row 0 holds the last prefix of the previous epoch */
        vec_zero(T * d, N + d);
        for (int i = 1; i <= T; i++)
            prefix_release(tree, &(struct release){ .site = "tree" }, sd, N + i * d);
        for (int i = 1; i <= T; i++)
            for (int j = k ? 0 : 1; j <= i; j++)
                cov[i][j] += vec_dot(d, N + i * d, N + j * d) / (d * EPOCHS);
    }
    for (int i = 1; i <= T; i++)
        for (int j = 0; j <= i; j++) {
            double truth = shared_nodes(i, j), v = __builtin_popcount((unsigned)i) *
                           (double)__builtin_popcount(j ? (unsigned)j : T) + truth * truth;
            expect_near("covariance", cov[i][j] / (sd * sd), truth, Z * sqrt(v / (d * EPOCHS)));
        }
    oracle_release(&o);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_steps_and_certificates),
        cmocka_unit_test(oracles_have_the_stated_moments),
        cmocka_unit_test(clamp_guards_the_sensitivity),
        cmocka_unit_test(tree_covariance_counts_shared_nodes),
    };
    return cmocka_run_group_tests_name("contract: private zeroth-order O2NC", tests, NULL, NULL);
}

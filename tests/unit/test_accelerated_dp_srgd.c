/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_accelerated_dp_srgd.c - the path of accelerated-dp-srgd, compared with other forms of the same recursion;
 * identities of its weights, its counts and its constants. Every test has a fixed seed, so there are no false
 * alarms. Laws and bounds are in test_accelerated_dp_srgd_laws.c. Letters, in round t: x_t is the point of the
 * gradients, y_t and z_t the points after a gradient and a mirror step; x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1}
 * with tau = 2/(t+3). Delta_t is the mean over batch t of the differences eta_t grad f(x_t) - eta_{t-1} grad
 * f(x_{t-1}), each clipped to norm C; G_t = Delta_0 + ... + Delta_t + N_t is the released sum, N_t its noise.
 * nabla_t = (G_t - N_t)/eta_t is the recursive gradient, and eta_{0:t} the sum eta_0 + ... + eta_t. The steps are
 * G_t/(eta_t beta) for y and G_t/(2 kappa beta) for z, where beta and kappa are parameters of the method; P
 * projects on the ball.
 *
 * Serves: accelerated-dp-srgd */
#include "support/srgd.h"

#include "run/run.h"

static struct arena *memory;

static int setup(void **state)
{
    memory = arena_new(0);
    return 0;
}

static int teardown(void **state)
{
    arena_free(memory);
    return 0;
}

static struct instance outside(double s)
{
    return INSTANCE(memory, "spectral", { "d", 7 }, { "s", s }, { "decades", 2 }, { "rr", 1.4 });
}

/* --- without noise: exact gradients, and a single round */

/* Where all samples are equal, the method is accelerated gradient descent in the linear-coupling form, step for
 * step. */
static void u1_accelerated_gradient(void **state)
{
    enum { T = 500, d = 7 };
    static const double kappa[] = { 0.5, 1, 2 };
    struct instance in = outside(0);
    for (int k = 0; k < 3; k++) {
        struct course *c = COURSE(&in, { "T", T }, { "B", 2 }, { "kappa", kappa[k] });
        double x[d] = { 0 }, y[d], z[d] = { 0 }, g[d], nabla[d];
        course_run(c, 1, nobody);
        assert_true(c->beta == 2 * in.f.M);
        for (int t = 0; t < T; t++) {
            expect_vectors("x_t", d, c->spy.x + t * d, x, 1e-12);
            in.p->grad(in.self, x, g);
            course_release(c, t, nabla);
            vec_scale(d, 1 / (t + 1.0), nabla);
            expect_vectors("nabla_t", d, nabla, g, 1e-12);
            for (int j = 0; j < d; j++) {
                y[j] = x[j] - g[j] / c->beta;
                z[j] -= (t + 1) / (2 * kappa[k] * c->beta) * g[j];
            }
            in.p->sets[0].project(in.self, y);
            in.p->sets[0].project(in.self, z);
            for (int j = 0; j < d; j++)
                x[j] = ((t + 1) * y[j] + 2 * z[j]) / (t + 3);
            expect_vectors("y", d, c->spy.y + t * d, y, 1e-12);
            expect_vectors("z", d, c->spy.z + t * d, z, 1e-12);
        }
        assert_memory_equal(c->answer, c->spy.y + (T - 1) * d, sizeof y);
        course_free(c);
    }
}

/* After one round without noise y_1 and z_1 are equal to the bit. They are P(-g_0/beta), where g_0 is the mean of
 * the clipped gradients at x_0 = 0. */
static void u25_one_round(void **state)
{
    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", 1 }, { "B", 3 }, { "C", 0.7 });
    double v[7], g[7];
    course_run(c, 1, nobody);
    assert_memory_equal(c->spy.z_free, c->spy.y_free, sizeof g);
    assert_memory_equal(c->spy.z, c->answer, sizeof g);
    course_Delta(c, 0, v, g);
    vec_scale(7, -1 / c->beta, g);
    in.p->sets[0].project(in.self, g);
    expect_vectors("y_1", 7, c->answer, g, 1e-16);
    course_free(c);
}

/* --- the recursive gradient */

/* The same batch is used in every round, at the method's points or at prescribed ones, with losses that are not
 * convex. The sum of the differences up to round t then telescopes to eta_t times the batch gradient at x_t. */
static void u2_telescopes(void **state)
{
    enum { T = 60, B = 5 };
    double path[(T + 1) * LOCAL_D], G[LOCAL_D], g[LOCAL_D];
    struct local data = { .key = rng_stream(2) };
    struct instance in = local_instance(&local_sigmoid, &data);
    struct rng r = rng_stream(8);
    for (int prescribed = 0; prescribed < 2; prescribed++) {
        struct course *c = COURSE(&in, { "T", T }, { "B", B }, { "beta", 1 });
        vec_zero(LOCAL_D, path);
        for (int t = 1; t <= T; t++)
            rng_ball(&r, LOCAL_D, path + t * LOCAL_D);
        c->spy.repeat = B;
        c->spy.fixed = prescribed ? path : NULL;
        course_run(c, 1, nobody);
        for (int t = 0; t < T; t++) {
            const double *x = c->spy.x + t * LOCAL_D;
            if (prescribed)
                expect_vectors("x_t", LOCAL_D, x, path + t * LOCAL_D, 1e-15);
            vec_zero(LOCAL_D, g);
            for (int i = 0; i < B; i++)
                local_sigmoid_grad(&data, i, x, (t + 1.0) / B, g);
            course_release(c, t, G);
            expect_vectors("sum of Delta", LOCAL_D, G, g, 1e-12 * (t + 1));
        }
        course_free(c);
    }
}

/* The recursive gradient nabla_t = (sum of the differences)/eta_t satisfies nabla_t = Delta_t/eta_t +
 * (eta_{t-1}/eta_t) nabla_{t-1}, also in rounds in which clipping acts. */
static void u3_recursive_form(void **state)
{
    enum { T = 100, d = 7 };
    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", T }, { "B", 3 }, { "C", 1.1 }, { "beta", 1 });
    double nabla[d] = { 0 }, Delta[d], v[d], G[d];
    course_run(c, 1, nobody);
    assert_true(c->o.clipped > 0 && c->o.clipped < 3 * T);
    for (int t = 0; t < T; t++) {
        course_Delta(c, t, v, Delta);
        vec_axpby(d, 1 / (t + 1.0), Delta, t / (t + 1.0), nabla);
        course_release(c, t, G);
        vec_scale(d, 1 / (t + 1.0), G);
        expect_vectors("nabla_t", d, G, nabla, 1e-12);
    }
    course_free(c);
}

/* Checks the weights eta_t = t+1, their sums, eta_t^2 <= 2 eta_{0:t}, and that x_t is the convex combination of y_t
 * and z_t in which z_t has the weight tau_t = eta_t/eta_{0:t} = 2/(t+2). */
static void u4_weights(void **state)
{
    enum { T = 100, d = 7 };
    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", T }, { "B", 1 }, { "C", 3 }, { "sigma", 0.1 });
    double sum = 0, lhs[d], rhs[d];
    course_run(c, 1, nobody);
    for (int t = 0; t < T; t++) {
        double eta = c->spy.eta[t];
        assert_true(eta == t + 1 && eta * eta <= 2 * (sum + eta));
        sum += eta;
        assert_true(sum == (t + 1) * (t + 2) / 2.0);
        expect_near("tau_t", eta / sum, 2.0 / (t + 2), 1e-15);
        for (int j = 0; t && j < d; j++) {
            lhs[j] = c->spy.x[t * d + j];
            rhs[j] = ((sum - eta) * c->spy.y[(t - 1) * d + j] +
                      eta * c->spy.z[(t - 1) * d + j]) / sum;
        }
        expect_vectors("x_t", d, t ? lhs : c->spy.x, t ? rhs : c->spy.x, 1e-14);
    }
    course_free(c);
}

/* With linear losses nabla_t is the mean gradient of all samples seen. */
static void u5_linear_losses(void **state)
{
    enum { T = 40, B = 4, d = 6 };
    struct instance in = INSTANCE(memory, "linear", { "d", d }, { "hardness", 0.3 });
    struct course *c = COURSE(&in, { "T", T }, { "B", B }, { "beta", 5 });
    double mean[d] = { 0 }, G[d], g[d], origin[d] = { 0 };
    course_run(c, 1, nobody);
    for (long t = 0; t < T; t++) {
        for (long i = t * B; i < (t + 1) * B; i++) {
            instance_sample_grad(&in, i, origin, g);
            vec_axpby(d, 1.0 / (double)(i + 1), g, (double)i / (double)(i + 1), mean);
        }
        course_release(c, t, G);
        vec_scale(d, 1 / ((double)t + 1), G);
        expect_vectors("nabla_t", d, G, mean, 1e-12);
    }
    course_free(c);
}

/* --- the printed form, the directions of steps, a record without gradient, clipping and projection */

/* The path is that of lines 5, 7, 8, 9 of Algorithm 1 as the paper prints them, with b_t = -N_t/beta, where an
 * oracle of the same seed draws N_t. */
static void u20_printed_form(void **state)
{
    enum { T = 31, B = 5, d = 7 };
    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", T }, { "B", B }, { "C", 1.1 }, { "sigma", 0.05 },
                              { "beta", 1.5 });
    struct oracle twin;
    double nabla[d] = { 0 }, z[d] = { 0 }, y[d], x[d] = { 0 }, Delta[d], v[d];
    course_run(c, 11, nobody);
    contract_open(&twin, &in, NULL, 11, memory);
    struct prefix *tree = noise_prefix(&twin, memory, PREFIX_TREE, T, d);
    for (int t = 0; t < T; t++) {
        double N[d] = { 0 }, eta = t + 1;
        struct ticket batch;
        expect_vectors("x_t", d, c->spy.x + t * d, x, 1e-13);
        assert_true(oracle_take(&twin, B, &batch));
        prefix_release(tree, &(struct release){ .site = "twin" }, c->sigma, N);
        course_Delta(c, t, v, Delta);
        for (int j = 0; j < d; j++) {
            double b = -N[j] / c->beta;
            nabla[j] = Delta[j] / eta + (eta - 1) / eta * nabla[j];
            z[j] = z[j] - eta / c->beta * nabla[j] + b;
            y[j] = x[j] - nabla[j] / c->beta + b / eta;
        }
        in.p->sets[0].project(in.self, z);
        in.p->sets[0].project(in.self, y);
        for (int j = 0; j < d; j++)
            x[j] = (1 - 2.0 / (t + 3)) * y[j] + 2.0 / (t + 3) * z[j];
    }
    expect_vectors("y_T", d, c->answer, y, 1e-13);
    oracle_release(&twin);
    course_free(c);
}

/* Before the projections, and with noise, the two steps of a round are parallel: the mirror step z' - z_t is
 * eta_t/(2 kappa) times the gradient step y' - x_t. */
static void u13_steps_are_parallel(void **state)
{
    enum { T = 31, d = 7 };
    static const double kappa[] = { 0.5, 2 };
    struct instance in = outside(1);
    for (int k = 0; k < 2; k++) {
        struct course *c = COURSE(&in, { "T", T }, { "B", 2 }, { "C", 2 }, { "sigma", 0.05 },
                                  { "kappa", kappa[k] });
        double dz[d], dy[d], origin[d] = { 0 };
        course_run(c, 5, nobody);
        for (int t = 0; t < T; t++) {
            vec_sub(d, c->spy.z_free + t * d, t ? c->spy.z + (t - 1) * d : origin, dz);
            vec_sub(d, c->spy.y_free + t * d, c->spy.x + t * d, dy);
            vec_scale(d, (t + 1) / (2 * kappa[k]), dy);
            expect_vectors("z' - z_t", d, dz, dy, 1e-13);
        }
        course_free(c);
    }
}

/* If a record of batch t0 is replaced by one with gradient 0 and the noise stays the same, the states up to t0 do
 * not change. The release of t0 changes by the clipped difference of the record, divided by B. */
static void u7_neighbour(void **state)
{
    enum { T = 13, B = 5, d = 7, t0 = 6, record = t0 * B + 2 };
    struct instance in = outside(1);
    const struct with with[] = { { "T", T }, { "B", B }, { "C", 1.1 }, { "sigma", 0.02 },
                                 { "beta", 1 }, { 0 } };
    struct course *c = course_open(&in, with), *other = course_open(&in, with);
    double v[d], term[d] = { 0 }, G[d], moved[d];
    course_run(c, 11, nobody);
    course_run(other, 11, (struct neighbour){ NEIGHBOUR_NULL, record, 0 });
    assert_memory_equal(c->spy.x, other->spy.x, (t0 + 1) * d * sizeof(double));
    assert_memory_equal(c->spy.y_free, other->spy.y_free, t0 * d * sizeof(double));
    course_difference(c, t0, record, v);
    course_add_clipped(c, v, term);
    course_release(c, t0, G);
    course_release(other, t0, moved);
    vec_sub(d, G, moved, G);
    expect_vectors("difference of the releases", d, G, term, 1e-13);
    assert_true(vec_norm(d, term) > 0 && vec_norm(d, term) <= c->C / B * (1 + 1e-14));
    assert_true(vec_dist(d, c->answer, other->answer) > 0);
    assert_true(c->o.ledger.entry[0].sensitivity == c->C / B);
    course_free(c);
    course_free(other);
}

/* Clipping to the norm c changes no vector of norm at most c, shortens a longer one to norm c in the same
 * direction, and maps 0 to 0. Two successive releases without noise therefore differ by at most C, the clipping
 * norm of the differences. */
static void u16_clip(void **state)
{
    enum { T = 50, d = 7 };
    struct rng r = rng_stream(4);
    double v[d], w[d], before[d] = { 0 };
    for (int k = 0; k < 1000; k++) {
        rng_normals(&r, d, 1, v);
        vec_copy(d, v, w);
        double c = 4 * rng_uniform(&r), norm = vec_clip_norm(d, c, w);
        assert_true(vec_norm(d, w) <= c * (1 + 1e-15 * d));
        if (norm <= c)
            assert_memory_equal(v, w, sizeof v);
        for (int j = 0; j < d; j++)
            expect_near("direction", w[j] * norm, v[j] * fmin(c, norm), 1e-15 * norm * norm);
    }
    assert_true(vec_clip_norm(d, 1, before) == 0 && vec_norm(d, before) == 0);

    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", T }, { "B", 1 }, { "C", 0.25 });
    course_run(c, 1, nobody);
    assert_true(c->o.clipped > T / 2);
    for (int t = 0; t < T; t++) {
        course_release(c, t, v);
        assert_true(vec_dist(d, v, before) <= 0.25 + 1e-12);
        vec_copy(d, v, before);
    }
    course_free(c);
}

/* The projection is idempotent and does not increase the distance of y_t from z_t. The point x_t, a convex
 * combination of projected points, stays in the ball. */
static void u17_projection(void **state)
{
    enum { T = 63, d = 7 };
    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", T }, { "B", 1 }, { "C", 3 }, { "sigma", 2 },
                              { "beta", 1 });
    double twice[d];
    int moved = 0;
    course_run(c, 1, nobody);
    for (int t = 0; t < T; t++) {
        const double *y = c->spy.y + t * d, *z = c->spy.z + t * d;
        double before = vec_dist(d, c->spy.y_free + t * d, c->spy.z_free + t * d);
        vec_copy(d, y, twice);
        in.p->sets[0].project(in.self, twice);
        expect_vectors("twice", d, twice, y, 1e-15);
        assert_true(vec_dist(d, y, z) <= before * (1 + 1e-14));
        assert_true(vec_norm(d, y) <= 1 + 1e-14 && vec_norm(d, z) <= 1 + 1e-14);
        assert_true(vec_norm(d, c->spy.x + t * d) <= 1 + 1e-14);
        moved += vec_norm(d, c->spy.y_free + t * d) > 1;
    }
    assert_true(moved > T / 4);
    course_free(c);
}

/* --- cells: the setting clip = off, and counts */

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    if (!record_get(r, name, &v))
        fail_msg("no %s", name);
    return v;
}

/* With clip = off, as the paper prints the method, nothing is clipped: the excess of a run with a norm C far below
 * the differences is within 10% of that of a run with C far above them, which draws other noise. With clip = on the
 * small C keeps the run near its start. Without clipping the ledger books that the sensitivity fails with
 * probability 1. */
static void u16_printed_does_not_clip(void **state)
{
    static const struct { const char *C, *clip; } run[] = { { "0.01", "on" }, { "0.01", "off" }, { "100", "on" } };
    double excess[3];
    struct runner *rn = runner_new(0);
    for (int k = 0; k < 3; k++) {
        char text[200];
        struct cell *cell;
        struct why why = { "" };
        snprintf(text, sizeof text, "problem spectral d=5 | algo accelerated-dp-srgd T=7 beta=2 sigma=0.001 C=%s "
                 "clip=%s | goal n=700 | rep 3", run[k].C, run[k].clip);
        assert_int_equal(cell_parse(text, &cell, &why), OK);
        struct record *r = run_cell(rn, cell, NULL);
        assert_int_equal(r->outcome, OUTCOME_OK);
        excess[k] = value_of(r, "measure.excess");
        record_free(r);
        cell_free(cell);
    }
    runner_free(rn);
    assert_true(excess[0] > 10 * excess[1] && fabs(excess[1] / excess[2] - 1) < 0.1);

    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", 7 }, { "B", 4 }, { "mu", 0.5 });
    assert_int_equal(params_set_text(params_find(c->algo->params, "clip"), c->params, "off", "test", NULL), OK);
    course_run(c, 1, nobody);
    assert_true(c->o.ledger.entry->failure == 1);
    course_free(c);
}

/* A run takes 2 n' - B gradients in T rounds, where n' = B T. It uses each of the first n' samples once and the
 * remaining ones not at all, and its ledger has one entry, that of the tree. Count mode must agree. T is the number
 * of the form 2^k - 1 nearest to 2 * 1000^(1/4) = 11.2, which is 15; hence B = 66 and n' = 990. */
static void u12_counts(void **state)
{
    struct runner *rn = runner_new(0);
    for (int count = 0; count < 2; count++) {
        char text[200];
        struct cell *cell;
        struct why why = { "" };
        snprintf(text, sizeof text, "problem spectral d=5 | algo accelerated-dp-srgd | "
                 "goal n=1000 eps=1 delta=1e-6 | run count=%d", count);
        if (cell_parse(text, &cell, &why) != OK)
            fail_msg("%s", why.text);
        struct record *r = run_cell(rn, cell, NULL);
        assert_int_equal(r->outcome, OUTCOME_OK);
        assert_true(value_of(r, "param.T") == 15 && value_of(r, "param.B") == 66);
        assert_true(value_of(r, "count.sample_grads") == 2 * 990 - 66);
        assert_true(value_of(r, "count.batch_steps") == 15);
        assert_true(value_of(r, "count.taken") == 990 && value_of(r, "count.max_visits") == 1);
        assert_true(value_of(r, "count.project_0") == 30);
        assert_true(value_of(r, "count.noise_tree") == 15);
        record_free(r);
        cell_free(cell);
    }
    runner_free(rn);

    struct instance in = outside(1);
    struct course *c = COURSE(&in, { "T", 15 }, { "B", 4 }, { "mu", 0.5 });
    course_run(c, 1, nobody);
    const struct ledger_entry *e = c->o.ledger.entry;
    assert_true(c->o.ledger.entries == 1 && e->mechanism == MECHANISM_TREE && !e->hidden);
    assert_true(e->cover == 4 && e->repeats == 15 && e->count == 60 && e->batch == 4);
    assert_true(e->sensitivity == c->C / 4 && e->scale == c->sigma && e->failure == 0);
    assert_int_equal(c->algo->adjacency, ADJACENCY_ZERO_OUT);
    course_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u1_accelerated_gradient), cmocka_unit_test(u2_telescopes),
        cmocka_unit_test(u3_recursive_form), cmocka_unit_test(u4_weights),
        cmocka_unit_test(u5_linear_losses), cmocka_unit_test(u7_neighbour),
        cmocka_unit_test(u12_counts), cmocka_unit_test(u13_steps_are_parallel),
        cmocka_unit_test(u16_clip), cmocka_unit_test(u16_printed_does_not_clip),
        cmocka_unit_test(u17_projection),
        cmocka_unit_test(u20_printed_form), cmocka_unit_test(u25_one_round),
    };
    return cmocka_run_group_tests_name("accelerated-dp-srgd", tests, setup, teardown);
}

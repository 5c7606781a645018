/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_zo_runs.c - whole runs of private zeroth-order O2NC on data that differ in a sample, or are rotated
 * or scaled; covariances of the noise of the tree; differences of values as integrals of slopes.
 *
 * Serves: private-zeroth-order
 *
 * z-tests at 6 standard errors (2e-9): 60 of these, so that a false alarm has probability 2e-7. */
#include <gsl/gsl_integration.h>

#include "algos/parts/noisy_sum.h"
#include "problems/parts/certificates.h"
#include "support/hard.h"
#include "support/method.h"
#include "support/zo_ask.h"

#define NAME "private-zo-o2nc"
enum { D = 3 };
static const char *const shapes[] = { "slope", "cone", "bowl", "valley" };

/* --- item 6.1 of docs/papers/private-zeroth-order.md: sampling and smoothing */

/* Checks Lemma 2.2. Part (ii) holds pair by pair: for convex f the mean of f over x + delta v and x - delta v is
 * at least f(x), and for every L-Lipschitz f it is within L delta of f(x). Part (iii): gradients of the smoothed f
 * differ by at most c_d L/delta times the distance of the points, with c_3 = 3/2. */
static void s6_1_smoothing(void **state)
{
    struct rng r = rng_stream(60);
    for (int k = 0; k < 400; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[k % 4] }, { "d", D },
                                      { "L", 2 }, { "R", 0.4 }, { "turned", 1 });
        const struct certificates *c = in.self;
        double x[D], v[D], y[2][D], g[2][D], delta = 0.3, L = 2, mean = 0;
        rng_normals(&r, D, 0.4, x);
        rng_ball(&r, D, v);
        for (int s = 0; s < 2; s++) {
            vec_lincomb(D, 1, x, s ? -delta : delta, v, y[s]);
            mean += in.p->value(in.self, y[s]) / 2;
            c->smoothed(in.self, delta, y[s], g[s]);
        }
        double rise = mean - in.p->value(in.self, x);
        bool convex = k % 4 == 1 || k % 4 == 2;
        assert_true(fabs(rise) <= L * delta * vec_norm(D, v) && (!convex || rise >= -1e-14));
        assert_true(vec_dist(D, g[0], g[1]) <= 1.5 * L / delta * vec_dist(D, y[0], y[1]) + 1e-12);
    }
}

/* --- item 6.3 of docs/papers/private-zeroth-order.md: noise of the tree */

/* Returns how many nodes NODE(s) and NODE(t) share. Nodes that end at the same place are equal: those of t end at
 * t, t - lowbit(t), ... */
static int shared_nodes(int s, int t)
{
    int n = 0;
    for (int a = s; a > 0; a -= a & -a)
        for (int b = t; b > 0; b -= b & -b)
            n += a == b;
    return n;
}

/* With zero data and sd 1, the covariance of TREE(s) and TREE(t) is the number of nodes that NODE(s) and NODE(t)
 * share, in every coordinate, and 0 between epochs. Without noise prefixes are the sums, to the bit. */
static void s6_3_covariance(void **state)
{
    enum { T = 8, WIDTH = 16, EPOCHS = 2000 };
    static const struct { int s, t, nodes; } printed[] = {
        { 4, 5, 1 }, { 4, 6, 1 }, { 4, 7, 1 }, { 5, 6, 1 }, { 6, 7, 2 }, { 7, 8, 0 }, { 3, 4, 0 },
        { 2, 3, 1 },
    };
    for (int k = 0; k < 8; k++)
        assert_int_equal(shared_nodes(printed[k].s, printed[k].t), printed[k].nodes);
    struct instance in = INSTANCE(memory, "sloped", { "d", WIDTH });
    struct oracle o;
    contract_open(&o, &in, registry_algo(NAME), 61, memory);
    struct noisy_sum g = noisy_sum_new(&o, memory, "tree", T, WIDTH);
    struct release r = { .site = "x", .sensitivity = 1 };
    struct sample_moments with[T][T] = { { { 0 } } }, before[T] = { { 0 } };
    double now[T][WIDTH], last[WIDTH] = { 0 }, none_here[WIDTH];
    for (int e = 0; e < EPOCHS; e++) {
        noisy_sum_restart(&g, WIDTH);
        for (int t = 0; t < T; t++) {
            vec_zero(WIDTH, none_here);
            noisy_sum_add(&o, &g, &r, 1, WIDTH, none_here);
            vec_copy(WIDTH, g.noisy, now[t]);
            for (int s = 0; s <= t; s++)
                moments_of(&with[s][t], vec_dot(WIDTH, now[s], now[t]) / WIDTH);
            if (e > 0)
                moments_of(&before[t], vec_dot(WIDTH, last, now[t]) / WIDTH);
        }
        vec_copy(WIDTH, now[T - 2], last);           /* prefix T - 1 = 7, the sum of three nodes */
    }
    for (int t = 0; t < T; t++) {
        expect_mean("between epochs", &before[t], 0);
        for (int s = 0; s <= t; s++)
            expect_mean("of an epoch", &with[s][t], shared_nodes(s + 1, t + 1));
    }
    double sum[WIDTH] = { 0 }, v[WIDTH];
    struct rng draws = rng_stream(62);
    noisy_sum_restart(&g, WIDTH);
    for (int t = 0; t < T; t++) {
        rng_normals(&draws, WIDTH, 1, v);
        vec_axpy(WIDTH, 1, v, sum);
        noisy_sum_add(&o, &g, &r, 0, WIDTH, v);
        assert_memory_equal(g.noisy, sum, sizeof sum);
    }
    oracle_release(&o);
}

/* --- item 6.4 of docs/papers/private-zeroth-order.md: learner and conversion */

/* The segment from x to x + step. */
struct segment { const struct instance *in; const double *x, *step; };

static double slope_along(double s, void *vp)
{
    const struct segment *q = vp;
    double y[D], g[D];
    vec_lincomb(D, 1, q->x, s, q->step, y);
    q->in->p->grad(q->in->self, y, g);
    return vec_dot(D, g, q->step);
}

/* Checks, for a step Delta and s uniform on [0, 1], that E <grad F(x + s Delta), Delta> = F(x + Delta) - F(x), by
 * which the sum over an epoch telescopes. */
static void s6_4_telescoping(void **state)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(4000);
    struct rng r = rng_stream(63);
    for (int k = 0; k < 80; k++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[k % 4] }, { "d", D },
                                      { "R", 0.4 }, { "turned", 1 });
        double x[D], step[D], y[D], mean, error;
        rng_normals(&r, D, 0.4, x);
        rng_normals(&r, D, k < 40 ? 0.05 : 0.7, step);
        vec_lincomb(D, 1, x, 1, step, y);
        struct segment q = { &in, x, step };
        gsl_function f = { slope_along, &q };
        gsl_integration_qag(&f, 0, 1, 1e-10, 1e-9, 4000, GSL_INTEG_GAUSS15, w, &mean, &error);
        within(in.name, in.p->value(in.self, y) - in.p->value(in.self, x), mean, 1e-8);
    }
    gsl_integration_workspace_free(w);
}

/* --- item 6.5 of docs/papers/private-zeroth-order.md: neighbours, turns and scalings */

/* With another sample in step t of epoch k the points of the epoch up to w_t are equal to the bit, as they depend
 * on earlier estimates only; the next point differs. */
static void s6_5_neighbour(void **state)
{
    enum { T = 9, K = 3 };
    for (int q = 0; q < 2 * T * K; q++) {
        struct instance in = INSTANCE(memory, "sloped", { "shape", 0, "slope" }, { "d", D },
                                      { "R", 50 }, { "turned", 1 });
        int k = q / (2 * T), in_epoch = q % (2 * T), t = in_epoch <= T ? 1 : in_epoch - T + 1;
        struct goal goal = ask(2 * T * (k + 1), 1);      /* the budget ends the run after epoch k, whose points are
                                                            kept */
        struct method *m[2];
        for (int side = 0; side < 2; side++) {
            m[side] = METHOD(NAME, &in, &goal, { "T", T }, { "K", k + 1 });
            method_run(m[side], 64, (struct neighbour){ NEIGHBOUR_REPLACE, q, -1 - side });
        }
        const double *w = m[0]->o.visit, *other = m[1]->o.visit;
        assert_memory_equal(w, other, (size_t)t * D * sizeof *w);
        assert_true(t == T || memcmp(w + t * D, other + t * D, D * sizeof *w) != 0);
        method_free(m[0]);
        method_free(m[1]);
    }
}

static void expect_alike(const char *what, const struct sample_moments *a, const struct sample_moments *b)
{
    double variance = moments_variance(a) / a->n + moments_variance(b) / b->n;
    assert_true(variance > 0);
    within(what, a->mean, b->mean, Z * sqrt(variance));
}

/* The law of a run is invariant under rotation of the instance: for v = e_1 and for a random v the mean component
 * of the answers along v, and the mean length of their part orthogonal to v, are the same. */
static void s6_5_turned(void **state)
{
    enum { RUNS = 400 };
    for (int k = 0; k < 4; k++) {
        struct sample_moments along[2] = { { 0 } }, across[2] = { { 0 } };
        for (int turned = 0; turned < 2; turned++) {
            struct instance in = INSTANCE(memory, "sloped", { "shape", 0, k % 2 ? "valley" : "slope" },
                                          { "d", D }, { "R", 10 }, { "dist", 0 }, { "turned", turned });
            struct goal goal = ask(400, k < 2 ? NAN : 2);
            struct method *m = METHOD(NAME, &in, &goal, { "T", 10 });
            double v[D] = { 0 }, origin[D] = { 0.01, 0.02, 0.03 };
            in.p->sample_grad(in.self, -1, origin, 1, v);        /* the gradients of samples of sign + and - differ
                                                                    by a multiple of the family's unit vector v */
            in.p->sample_grad(in.self, -2, origin, -1, v);
            double length = vec_norm(D, v);
            for (int i = 0; i < RUNS; i++) {
                const double *x = method_drawn(m, 1000 * (uint64_t)turned + 70 + (uint64_t)i);
                double z = vec_dot(D, x, v) / length;
                moments_of(&along[turned], z);
                moments_of(&across[turned], sqrt(fmax(0, vec_dot(D, x, x) - z * z)));
            }
            assert_true(turned ? fabs(v[0]) < 0.99 * length : fabs(v[0]) > 0.99 * length);
            method_free(m);
        }
        expect_alike("along", &along[0], &along[1]);
        expect_alike("across", &across[0], &across[1]);
    }
}

/* If f is multiplied by 4, certificates are multiplied by 4, and the measure `smoothed_2` and the note of the
 * noise, which are squares, by 16. If x is scaled by 8, they do not change. Both hold to the bit. The measure
 * `sampled` is compared only where x is not scaled, as its random points are seeded by the bits of a point. */
static void s6_5_certificates(void **state)
{
    static const struct { double f, x; } scales[] = { { 1, 1 }, { 4, 1 }, { 1, 8 } };
    static const char *const names[] = { "stationarity", "smoothed", "smoothed_2", "certificate", "sampled" };
    for (int shape = 0; shape < 4; shape++) {
        double sum[3][5], noise[3];
        for (int k = 0; k < 3; k++) {
            double c = scales[k].x;
            struct instance in = INSTANCE(memory, "sloped", { "shape", 0, shapes[shape] }, { "d", D },
                                          { "L", scales[k].f }, { "R", c }, { "dist", shape ? c / 4 : 0 },
                                          { "turned", 1 }, { "goldstein", 0.2 * c });
            struct goal goal = ask(3000, 1);
            goal.radius *= c;
            struct method *m = METHOD(NAME, &in, &goal, { "eta", 0, "theory" });
            struct rng rng = rng_stream(3);
            contract_open(&m->o, &in, m->algo, 4, m->work);
            in.p->start(in.self, m->x);
            assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
            int at = 0;
            for (const struct measure *r = in.p->measures; r->name; r++) {
                for (int i = 0; r->of_set && i < 5; i++)
                    if (strcmp(r->name, names[i]) == 0)
                        sum[k][i] = m->o.set_measure[at].sum;
                at += r->of_set != NULL;
            }
            noise[k] = m->o.note[1].sum;
            method_free(m);
        }
        assert_true(noise[0] > 0 && noise[1] == 16 * noise[0] && noise[2] == noise[0]);
        for (int i = 0; i < 5; i++) {
            double power = i == 2 ? 16 : 4;
            assert_true(isnan(sum[0][i]) ? isnan(sum[1][i]) : sum[1][i] == power * sum[0][i]);
            assert_true(i == 4 || (isnan(sum[0][i]) ? isnan(sum[2][i]) : sum[2][i] == sum[0][i]));
        }
        assert_true(sum[0][1] > 0 && sum[0][4] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s6_1_smoothing), cmocka_unit_test(s6_3_covariance),
        cmocka_unit_test(s6_4_telescoping), cmocka_unit_test(s6_5_neighbour),
        cmocka_unit_test(s6_5_turned), cmocka_unit_test(s6_5_certificates),
    };
    return cmocka_run_group_tests_name("runs of private zeroth-order O2NC", tests, setup, teardown);
}

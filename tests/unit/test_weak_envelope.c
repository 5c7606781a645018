/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_weak_envelope.c - the estimator weak-mor-grad-est, the method envelope-descent and the proximal points, all
 * on the nonconvex family ring: F(x) = abs(|x|^2 - 1) for |x| <= edge, and linear in |x| beyond. Means are
 * compared by z-tests at 6 standard errors (contract.h).
 *
 * Serves: bias-reduced */
#include "support/draw.h"
#include "support/method.h"

/* Returns |P| for the minimiser P of F(x) + (lam/2)|x - y|^2 on the ray of y, |y| = r, by ternary search, as this
 * function is strongly convex there. */
static double on_ray(const struct instance *in, double lam, double r)
{
    double low = 0, high = r + 10, x[3] = { 0 };
    for (int k = 0; k < 200; k++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3, f, g;
        x[0] = a;
        f = in->p->value(in->self, x) + lam / 2 * (a - r) * (a - r);
        x[0] = b;
        g = in->p->value(in->self, x) + lam / 2 * (b - r) * (b - r);
        if (f < g)
            high = b;
        else
            low = a;
    }
    return (low + high) / 2;
}

/* The closed form of the proximal point agrees with a search on the ray of y, and no point off the ray is better;
 * for lam <= 2 there is no proximal point. */
static void v29_proximal_points(void **state)
{
    struct instance in = INSTANCE(memory, "ring", { "d", 3 });
    struct rng r = rng_stream(29);
    double y[3], P[3], off[3];
    for (double lam = 2.5; lam < 50; lam *= 2.1)
        for (double size = 0.05; size < 4; size *= 1.3) {
            rng_sphere(&r, 3, y);
            vec_scale(3, size, y);
            assert_true(in.p->measuring->proximal_point(in.self, lam, y, P));
            expect_near("|P|", vec_norm(3, P), on_ray(&in, lam, size), 1e-6);
            expect_near("ray", vec_dot(3, P, y), vec_norm(3, P) * size, 1e-12);
            double move = vec_dist(3, P, y), least = in.p->value(in.self, P) + lam / 2 * move * move;
            assert_true(move <= 2 * in.f.G / lam);
            rng_sphere(&r, 3, off);
            vec_scale(3, 0.1, off);
            vec_axpy(3, 1, P, off);
            move = vec_dist(3, off, y);
            assert_true(in.p->value(in.self, off) + lam / 2 * move * move >= least);
        }
    assert_false(in.p->measuring->proximal_point(in.self, 2, y, P));
}

/* Checks the weak convexity of F: F + |x|^2 is convex, F + 0.9 |x|^2 is not, and |grad F| <= 2 edge = 3. */
static void v29_weak_convexity(void **state)
{
    struct instance in = INSTANCE(memory, "ring", { "d", 3 });
    struct rng r = rng_stream(30);
    int broken = 0;
    expect_near("weak", in.f.weak, 2, 0);
    for (int k = 0; k < 2000; k++) {
        double x[3], y[3], mid[3], g[3], bend;
        rng_normals(&r, 3, 0.8, x);
        rng_normals(&r, 3, 0.8, y);
        vec_lincomb(3, 0.5, x, 0.5, y, mid);
        bend = (in.p->value(in.self, x) + in.p->value(in.self, y)) / 2 - in.p->value(in.self, mid);
        double square = vec_dist(3, x, y) * vec_dist(3, x, y) / 4;
        assert_true(bend + square >= -1e-12);
        broken += bend + 0.9 * square < -1e-12;
        in.p->grad(in.self, x, g);
        assert_true(vec_norm(3, g) <= 3 * (1 + 1e-15));
    }
    assert_true(broken > 0);
}

/* T_max and N of the estimator are computed by hand at lam = 4 and weak convexity rho = 2, where the gradients of
 * the convex part have the bound G (1 + 2 rho/lam) = 2G. */
static void v29_sizes(void **state)
{
    struct instance in = INSTANCE(memory, "ring", { "d", 3 });
    struct draw_of *q = DRAWN("weak-mor-grad-est", &in, 1, { "delta", 0.5 }, { "sigma", 1 },
                              { "c", 1 });
    double G2 = 4 * (9 + 0.25), T_max = ceil(4 * G2 / 0.0625);
    expect_near("lam", drawn_param(q, "lam"), 4, 0);
    expect_near("T_max", drawn_param(q, "T_max"), T_max, 0);
    expect_near("N", drawn_param(q, "N"), ceil(32 * G2 * log2(T_max) / 0.25), 0);
    drawn_free(q);
    const struct with low[] = { { "lam", 2 }, { 0 } };
    struct why why = { "" };
    assert_null(drawn_tuned("weak-mor-grad-est", &in, 1, low, &why));
    assert_non_null(strstr(why.text, "lam > rho"));
}

/* The bias of the estimate along the gradient is at most delta and its mean squared error at most sigma^2, at
 * points inside of the kink |x| = 1, a little outside of it and beyond the edge, with 40 estimates each. The errors
 * would be far larger if the method left out the term rho (x - y) that makes the loss convex. */
static void v29_accuracy(void **state)
{
    static const double radii[] = { 0.3, 1.2, 1.9 };
    struct instance in = INSTANCE(memory, "ring", { "d", 3 });
    for (int k = 0; k < 3; k++) {
        struct draw_of *q = DRAWN("weak-mor-grad-est", &in, 7, { "delta", 0.4 }, { "sigma", 2 },
                                  { "c", 1 }, { "r", radii[k] });
        double norm = vec_norm(3, q->target);
        struct sample_moments share = { 0 }, error2 = { 0 };
        assert_true(norm > 0.5);
        for (int i = 0; i < 40; i++) {
            drawn_next(q, 0, NULL);
            moments_of(&share, drawn_functional(q, "share"));
            moments_of(&error2, drawn_functional(q, "error2"));
        }
        double noise = Z * sqrt(moments_variance(&share) / 40);
        expect_near("share", share.mean, 1, 0.4 / norm + noise);
        assert_true(noise * norm < 0.6 && error2.mean <= 4);
        drawn_free(q);
    }
}

/* The step length eta and the bias delta of envelope-descent are those that its bound needs. With noise sigma = 2 G
 * and Lambda = 4, the smoothness of the envelope f_lam, the mean of |grad f_lam|^2 over K steps is at most 6 sigma
 * sqrt(Lambda Phi/K), and the answer is near the ring |x| = 1. */
static void v29_descent(void **state)
{
    struct instance in = INSTANCE(memory, "ring", { "d", 3 }, { "start", 1.4 });
    const double K = 400, G = in.f.G, Phi = 1.4 * 1.4 - 1;
    struct method *m = METHOD("envelope-descent", &in, &none, { "K", K });
    struct rng rng = rng_stream(5);
    expect_near("eta", method_param(m, "eta"), sqrt(Phi / (4 * K)) / (2 * G), 1e-15);
    expect_near("delta^2", pow(method_param(m, "delta"), 2), 2 * G * sqrt(4 * Phi / K), 1e-12);
    contract_open(&m->o, &in, m->algo, 4, m->work);
    in.p->start(in.self, m->x);
    assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
    double mean = m->o.set_measure[0].last;
    assert_true(m->o.set_measure[0].count == 1);
    assert_true(mean > 0 && mean <= 12 * G * sqrt(4 * Phi / K));
    assert_true(fabs(vec_norm(3, m->x) - 1) < 0.2);
    method_free(m);
}

/* The mean of one step of envelope-descent from (2, 0, 0) over 40 runs is -eta times the gradient of the envelope
 * there, grad f_4 = 4 (2 - 2/1.5). */
static void v29_one_step(void **state)
{
    struct instance in = INSTANCE(memory, "ring", { "d", 3 });
    struct method *m = METHOD("envelope-descent", &in, &none, { "K", 1 }, { "eta", 0.25 },
                              { "delta", 0.4 }, { "sigma", 2 });
    struct sample_moments along = { 0 }, across = { 0 };
    for (uint64_t run = 0; run < 40; run++) {
        struct rng rng = rng_stream(60 + run);
        oracle_release(&m->o);
        arena_reset(m->work);
        contract_open(&m->o, &in, m->algo, run, m->work);
        vec_zero(3, m->x);
        m->x[0] = 2;
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        moments_of(&along, (2 - m->x[0]) / 0.25);
        moments_of(&across, -m->x[1] / 0.25);
    }
    expect_near("along", along.mean, 8.0 / 3, 0.4 + Z * sqrt(moments_variance(&along) / 40));
    expect_near("across", across.mean, 0, 0.4 + Z * sqrt(moments_variance(&across) / 40));
    assert_true(moments_variance(&along) < 1);
    method_free(m);
}

static void refusals(void **state)
{
    struct instance ring = INSTANCE(memory, "ring", { "d", 3 });
    const struct with low[] = { { "lam", 1.5 }, { 0 } }, tiny[] = { { "delta", 1e-9 }, { "K", 9 }, { 0 } };
    expect_refusal("envelope-descent", &ring, &none, low, "rho < lam");
    expect_refusal("envelope-descent", &ring, &none, tiny, "at most 2^52");
    expect_refusal("envelope-descent", &ring, &none, (const struct with[]){ { 0 } }, "a horizon");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v29_proximal_points), cmocka_unit_test(v29_weak_convexity),
        cmocka_unit_test(v29_sizes),           cmocka_unit_test(v29_accuracy),
        cmocka_unit_test(v29_descent),         cmocka_unit_test(v29_one_step),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("weakly convex functions", tests, setup, teardown);
}

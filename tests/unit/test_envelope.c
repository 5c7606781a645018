/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_envelope.c - proximal points that families state in closed form, for every registered family: P = argmin F +
 * (lam/2)|x - y|^2 over the set, and the minimum f_lam, which is the Moreau envelope. The tests do not depend on
 * how P is found.
 *
 * Serves: bias-reduced */
#include "support/instances.h"

enum { TRIES = 60 };

static double envelope(const struct instance *in, double lam, const double *y, double *P)
{
    if (!problem_proximal_point(in->p, in->self, lam, y, P))
        return NAN;
    double move = vec_dist(in->d, P, y);
    return in->p->value(in->self, P) + lam / 2 * move * move;
}

/* y[d] <- a point at the scale of the instance whose proximal point is known; P[d] <- that point. Returns false
 * where none was found in several tries. */
static bool pick(const struct instance *in, struct rng *r, double lam, double *y, double *P)
{
    if (!in->p->measuring || !in->p->measuring->proximal_point || !in->p->value)
        return false;
    for (int k = 0; k < 20; k++) {
        instance_point(in, r, y);
        vec_scale(in->d, 0.9, y);                /* so that differences stay inside the set */
        if (!isnan(envelope(in, lam, y, P)))
            return true;
    }
    return false;
}

static double some_lam(struct rng *r) { return exp(2 * rng_normal(r)); }

/* For every u in the set, F(u) + (lam/2)|u - y|^2 >= f_lam(y) + (lam/2)|u - P|^2. This shows that P is the
 * minimiser, and with grad f_lam = lam (y - P) it is the three-point inequality. For an F whose weak convexity is
 * `weak`, the last term is ((lam - weak)/2)|u - P|^2. */
static bool check_three_points(const struct instance *in, struct arena *a, struct rng *r)
{
    double *y = arena_vec(a, in->d), *P = arena_vec(a, in->d), *u = arena_vec(a, in->d);
    bool any = false;
    for (int k = 0; k < TRIES; k++) {
        double lam = some_lam(r), near = pow(10, -4 * rng_uniform(r));
        if (!pick(in, r, lam, y, P))
            continue;
        any = true;
        instance_point(in, r, u);
        vec_lincomb(in->d, near, u, 1 - near, P, u);
        double uy = vec_dist(in->d, u, y), uP = vec_dist(in->d, u, P), least = envelope(in, lam, y, P);
        double weak = in->f.weak > 0 ? in->f.weak : 0;
        double F = in->p->value(in->self, u) + lam / 2 * (uy * uy - uP * uP) + weak / 2 * uP * uP;
        EXPECT(in, F >= least - 1e-12 * (fabs(F) + lam * uy * uy), "lam = %g: %.17g < %.17g", lam, F,
               least);
        vec_copy(in->d, P, u);
        if (in->p->sets)
            in->p->sets[0].project(in->self, u);
        EXPECT(in, vec_dist(in->d, P, u) <= 1e-14 * (1 + vec_norm(in->d, P)), "outside the set");
    }
    return any;
}

/* Compares grad f_lam(y) = lam (y - P), where P is the proximal point of y, with central differences of step h.
 * Their error is at most lam h, as f_lam is lam-smooth. */
static bool check_gradient(const struct instance *in, struct arena *a, struct rng *r)
{
    double *y = arena_vec(a, in->d), *P = arena_vec(a, in->d), *Q = arena_vec(a, in->d);
    bool any = false;
    for (int k = 0; k < TRIES; k++) {
        double lam = some_lam(r), h = 1e-5;
        if (!pick(in, r, lam, y, P))
            continue;
        any = true;
        long j = (long)rng_below(r, (uint64_t)in->d);
        double g = lam * (y[j] - P[j]), at = y[j], up, down;
        y[j] = at + h;
        up = envelope(in, lam, y, Q);
        y[j] = at - h;
        down = envelope(in, lam, y, Q);
        double slack = lam * h + 1e-9 * (1 + fabs(up));
        EXPECT(in, isnan(up) || isnan(down) || fabs((up - down) / (2 * h) - g) <= slack,
               "lam = %g: %g, differences say %g", lam, g, (up - down) / (2 * h));
    }
    return any;
}

/* Checks that 0 <= F - f_lam <= G^2/(2 lam) and |y - P| <= G/lam, and that the distance |y - P| falls as lam grows.
 * G must bound the gradients of F: the G of the samples does so, unless samples leave out the smooth part. */
static bool check_gap_and_movement(const struct instance *in, struct arena *a, struct rng *r)
{
    double *y = arena_vec(a, in->d), *P = arena_vec(a, in->d);
    bool any = false;
    if (!(in->f.G < INFINITY) || !isnan(in->f.M_smooth))
        return false;
    for (int k = 0; k < TRIES; k++) {
        double lam = some_lam(r), G = in->f.G;
        if (!pick(in, r, lam, y, P))
            continue;
        any = true;
        double F = in->p->value(in->self, y), gap = F - envelope(in, lam, y, P);
        double move = vec_dist(in->d, y, P), noise = 1e-12 * (1 + fabs(F));
        EXPECT(in, gap >= -noise && gap <= G * G / (2 * lam) + noise, "gap %g, lam %g", gap, lam);
        EXPECT(in, move <= G / lam * (1 + 1e-9), "the proximal point is %g away, lam %g", move, lam);
        if (!isnan(envelope(in, 1.5 * lam, y, P)))
            EXPECT(in, vec_dist(in->d, y, P) <= move + noise, "the distance grows with lam");
    }
    return any;
}

/* Linear functions, and the norm far from its centre, attain the gap G^2/(2 lam). */
static void v11_the_gap_is_attained(void **state)
{
    struct arena *a = arena_new(0);
    struct instance linear = INSTANCE(a, "linear", { "d", 5 }, { "hardness", 2 }, { "s", 0 },
                                      { "radius", 1e6 });
    struct instance norm = INSTANCE(a, "norm", { "d", 5 }, { "L", 2 }, { "dist", 1 });
    double y[5] = { 0 }, P[5];
    for (double lam = 4; lam <= 4e4; lam *= 10) {
        double truth = 2 / lam;                  /* the gap is 2^2/(2 lam), as at 0 the kink of the norm is 1 >=
                                                    L/lam away */
        assert_true(agree(linear.p->value(linear.self, y) - envelope(&linear, lam, y, P), truth, 1e-12));
        assert_true(agree(norm.p->value(norm.self, y) - envelope(&norm, lam, y, P), truth, 1e-12));
    }
    arena_free(a);
}

static void s7_5_three_points(void **state) { instances_check(state, true, check_three_points); }
static void s7_5_gradient(void **state) { instances_check(state, true, check_gradient); }
static void s7_5_gap_and_movement(void **state)
{
    instances_check(state, true, check_gap_and_movement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_5_three_points), cmocka_unit_test(s7_5_gradient),
        cmocka_unit_test(s7_5_gap_and_movement), cmocka_unit_test(v11_the_gap_is_attained),
    };
    return cmocka_run_group_tests_name("envelope", tests, instances_setup, instances_teardown);
}

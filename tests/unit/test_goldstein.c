/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_goldstein.c - the interval of the measure `stationarity` contains the Goldstein norm: the least norm of a
 * mean of gradients at points within delta of x. The measure is compared with closed forms, with enumeration of all
 * gradients in an interval, and with regions where F is linear. */
#include <float.h>

#include "problems/parts/capped.h"
#include "problems/parts/sigmoid.h"
#include "support/hard.h"

enum { MOST = 64 };

/* Bounds of the Goldstein norm at a point: `above` is the measure `stationarity`, above - below its error. */
struct bracket { double below, above; };

static double measure_of(const struct instance *in, const char *name, const double *x,
                         double *error)
{
    for (const struct measure *m = in->p->measures; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->at(in->self, x, error);
    fail_msg("no measure %s", name);
    return NAN;
}

static struct bracket stationarity(const struct instance *in, const double *x)
{
    double error = NAN, again, value = measure_of(in, "stationarity", x, &error);
    assert_true(error >= 0 && error <= value);
    assert_true(measure_of(in, "stationarity", x, &again) == value && again == error);
    return (struct bracket){ value - error, value };
}

static double gradient(const struct instance *in, const double *x)
{
    double error;
    return measure_of(in, "gradient", x, &error);
}

static void holds(const struct instance *in, struct bracket b, double truth, double slack)
{
    if (!(b.below <= truth * (1 + 1e-12) + slack && b.above >= truth * (1 - 1e-12) - slack))
        fail_msg("%s: %.12g is not in [%.12g, %.12g]", in->name, truth, b.below, b.above);
}

/* --- functions with known Goldstein norm, through goldstein.h itself */

/* The parameters of the functions below: d is their dimension, kappa the curvature of bowl_grad. */
struct cone { long d; double kappa; };

/* Returns a lower bound that holds for every function. */
static double nothing(const void *self, const double *x, double delta, const double *u)
{
    return -INFINITY;
}

/* Computes the gradient of |x|. */
static void cone_grad(const void *self, const double *x, double *g)
{
    const struct cone *o = self;
    vec_lincomb(o->d, 1 / vec_norm(o->d, x), x, 0, x, g);
}

/* Computes a subgradient of max_j x_j. */
static void maximum_grad(const void *self, const double *x, double *g)
{
    const struct cone *o = self;
    long most = 0;
    for (long j = 1; j < o->d; j++)
        most = x[j] > x[most] ? j : most;
    vec_zero(o->d, g);
    g[most] = 1;
}

/* Computes the gradient of kappa |x|^2/2. */
static void bowl_grad(const void *self, const double *x, double *g)
{
    const struct cone *o = self;
    vec_lincomb(o->d, o->kappa, x, 0, x, g);
}

typedef void (*grad_fn)(const void *self, const double *x, double *g);

static double goldstein_of(const struct cone *o, grad_fn grad, double delta, const double *x)
{
    const struct goldstein q = { .d = o->d, .delta = delta, .points = rng_stream(71), .self = o,
                                 .grad = grad, .least = nothing };
    double error, norm = goldstein_norm(&q, x, &error);
    assert_true(error == norm);                      /* here error equals norm: there is no lower bound */
    return norm;
}

/* The known norms are, for |x|: sqrt(1 - delta^2/|x|^2), and 0 if |x| <= delta; for kappa |x|^2/2: kappa max(0, |x|
 * - delta); for max_j x_j: 1/sqrt d at a point of equal coordinates, and 1 if one coordinate is larger by more than
 * sqrt 2 delta. The upper bound is never below the known norm, and at most 0.005 above what points within 0.999
 * delta can give. */
static void test_known_norms(void **state)
{
    static const int dims[] = { 2, 5, 20 };
    static const double radii[] = { 0.01, 0.3, 0.97, 1.1, 3 };
    struct rng r = rng_stream(72);
    for (int k = 0; k < 15; k++) {
        int d = dims[k % 3];
        const struct cone o = { .d = d, .kappa = 3 };
        double x[MOST], delta = radii[k / 3], in = 0.999 * delta;
        rng_sphere(&r, d, x);
        double a = goldstein_of(&o, cone_grad, delta, x);
        double b = goldstein_of(&o, bowl_grad, delta, x);
        double tip = in < 1 ? sqrt(1 - in * in) : 0, bottom = 3 * fmax(0, 1 - in);
        assert_true(a >= tip * (1 - 1e-12) && a <= tip + 0.005);
        assert_true(b >= bottom * (1 - 1e-12) && b <= bottom + 0.005);
        vec_fill(d, 2, x);
        near(goldstein_of(&o, maximum_grad, delta, x), 1 / sqrt(d), 1e-9);
        x[1] += 1.5 * delta;
        near(goldstein_of(&o, maximum_grad, delta, x), 1, 1e-15);
    }
}

/* Far from the data the losses `sigmoid` and `capped` are flat, in few dimensions and in many. NaN stays NaN. */
static void test_far_and_lost(void **state)
{
    enum { D = 1000 };
    static const char *const families[] = { "sigmoid", "sigmoid_stored", "capped",
                                            "capped_stored" };
    static const int dims[] = { 1, 2, D };
    struct rng r = rng_stream(66);
    for (int k = 0; k < 12; k++) {
        int d = dims[k % 3];
        struct instance in = INSTANCE(*state, families[k / 3], { "d", d });
        double x[D], g[D], error;
        for (double size = 1e100; size < 1e301; size *= 1e50) {
            rng_sphere(&r, d, x);
            vec_scale(d, size, x);
            in.p->grad(in.self, x, g);
            double F = in.p->value(in.self, x);
            assert_true(F >= 0 && F <= 1 && vec_norm(d, g) <= 1e-16);
        }
        x[d - 1] = NAN;
        in.p->grad(in.self, x, g);
        assert_true(isnan(in.p->value(in.self, x)) && !vec_finite(d, g));
        assert_true(isnan(measure_of(&in, in.p->measures[0].name, x, &error)));
        assert_true(isnan(measure_of(&in, "gradient", x, &error)));
        assert_true(isnan(measure_of(&in, "stationarity", x, &error)) && isnan(error));
    }
}

/* --- capped: the population is radial */

/* Without noise, in three dimensions, F = (L/2)|x - x*| up to its cap. At distance r from x* its Goldstein norm is
 * (L/2) sqrt(1 - delta^2/r^2). */
static void test_capped_cone(void **state)
{
    struct rng r = rng_stream(73);
    for (int k = 0; k < 20; k++) {
        double delta = 0.02 * (1 + k), radius = 0.3, x[3];
        struct instance in = INSTANCE(*state, "capped", { "d", 3 }, { "noise", 0 },
                                      { "outliers", 0 }, { "cap", 1 }, { "L", 2 },
                                      { "goldstein", delta });
        double truth = sqrt(fmax(0, 1 - pow(delta / radius, 2))), star[3];
        double within_reach = sqrt(fmax(0, 1 - pow(0.999 * delta / radius, 2)));
        in.p->minimiser(in.self, star);
        rng_sphere(&r, 3, x);
        vec_lincomb(3, radius, x, 1, star, x);
        struct bracket b = stationarity(&in, x);
        holds(&in, b, truth, 0);
        assert_true(b.above <= within_reach + 0.005);
        assert_true(stationarity(&in, star).above <= 1e-12);
    }
}

/* Returns the Goldstein norm of a radial F: the minimum over |y - x| <= delta of |grad F(y)| times the cosine of
 * the angle at x*, for |y - x*| on a fine grid; test_nonconvex checks |grad F|. */
static double radial(const struct instance *in, const double *star, const double *x, double delta)
{
    enum { STEPS = 2000 };
    double y[MOST], r = vec_dist(in->d, x, star), least = INFINITY;
    for (int k = 0; k <= STEPS && r > delta; k++) {
        double q = r + delta * (2.0 * k / STEPS - 1);
        vec_lincomb(in->d, q / r, x, 1 - q / r, star, y);
        double cosine = in->d == 1 ? 1 : (q * q + r * r - delta * delta) / (2 * q * r);
        least = fmin(least, gradient(in, y) * cosine);
    }
    return r > delta ? least : 0;
}

static void test_capped_radial(void **state)
{
    static const int dims[] = { 1, 2, 3, 10 };
    struct rng r = rng_stream(74);
    for (int k = 0; k < 48; k++) {
        int d = dims[k % 4];
        double delta = pow(10, -(k / 4 % 3)), x[MOST], star[MOST];
        struct instance in = INSTANCE(*state, "capped", { "d", d }, { "noise", 0.3 },
                                      { "goldstein", delta }, { "spread", 3 });
        in.p->minimiser(in.self, star);
        rng_sphere(&r, d, x);
        vec_lincomb(d, exp(rng_normal(&r)), x, 1, star, x);
        struct bracket b = stationarity(&in, x);
        double truth = radial(&in, star, x, delta);
        holds(&in, b, truth, 2e-3 * delta * in.f.M_F);       /* the slack allows for the grid: the product is 2
                                                                M_F-Lipschitz, and the grid has steps of
                                                                delta/1000 */
        assert_true(b.above <= radial(&in, star, x, 0.999 * delta) + 0.005);
        assert_true(b.below >= truth - delta * in.f.M_F / 16);
    }
}

/* --- one dimension: every gradient in the interval is enumerated; the norm is their least absolute value, 0 where
 * signs differ */

static void test_line(void **state)
{
    enum { GRID = 20000 };
    static const char *const families[] = { "sigmoid", "sigmoid_stored", "capped_stored" };
    struct rng r = rng_stream(75);
    for (int k = 0; k < 90; k++) {
        double delta = pow(10, -(k % 3)), x = 2 * rng_normal(&r), low = INFINITY, high = -INFINITY;
        struct instance in = k % 9 < 3
            ? INSTANCE(*state, families[0], { "d", 1 }, { "goldstein", delta }, { "length", 3 })
            : INSTANCE(*state, families[k % 9 < 6 ? 1 : 2], { "d", 1 }, { "goldstein", delta },
                       { "n", 9 });
        for (int j = 1; j < GRID; j++) {
            double y = x + delta * (2.0 * j / GRID - 1), g;
            in.p->grad(in.self, &y, &g);
            low = fmin(low, g);
            high = fmax(high, g);
        }
        double truth = low > 0 ? low : high < 0 ? -high : 0;
        double slack = isnan(in.f.M) ? 0 : in.f.M * delta / GRID;
        holds(&in, stationarity(&in, &x), truth, slack + DBL_EPSILON);
    }
}

/* --- one record: where the whole ball is on one piece F is linear, and either bound is the norm of its gradient;
 * across the kink, and beyond the cap, the norm is 0 */

static void test_one_record(void **state)
{
    struct rng r = rng_stream(76);
    for (int k = 0; k < 30; k++) {
        struct instance in = INSTANCE(*state, "capped_stored", { "d", 4 }, { "n", 1 },
                                      { "L", 5 }, { "goldstein", 0.1 }, { "outliers", 0 });
        double x[4], a[4], f, f_star;
        rng_normals(&r, 4, 0.1, x);
        do {                                         /* finds the vector a of the record, from any point at which
                                                        the loss has a slope */
            rng_normals(&r, 4, 1, x);
            instance_sample_grad(&in, 0, x, a);
        } while (vec_norm(4, a) == 0);
        f = in.p->value(in.self, x);                 /* F(x) = 5 |residual| */
        vec_lincomb(4, 1, x, -f / 25, a, x);         /* moves x to residual 0, as |a| = 5 */
        f_star = in.p->value(in.self, x);
        within("kink", f_star, 0, 1e-14);
        assert_true(stationarity(&in, x).above <= 1e-12);
        vec_axpy(4, 0.5 / 5, a, x);                  /* residual 0.5: the ball of radius delta = 0.1 reaches to the
                                                        kink and not beyond it */
        struct bracket b = stationarity(&in, x);
        near(b.above, 5, 1e-12);
        near(b.below, 5, 1e-12);
        near(gradient(&in, x), 5, 1e-14);
        vec_axpy(4, 0.45 / 5, a, x);                 /* moves x to residual 0.95, from where the ball reaches the
                                                        flat part */
        b = stationarity(&in, x);
        assert_true(b.above <= 1e-12 && b.below == 0);
        vec_axpy(4, 1.0 / 5, a, x);
        assert_true(stationarity(&in, x).above == 0);
    }
}

/* In a small ball the upper bound is at most the norm of the gradient, and the lower bound at most 2.1 M_F delta
 * below it. */
static void test_small_balls(void **state)
{
    static const char *const families[] = { "sigmoid", "sigmoid_stored", "capped" };
    struct rng r = rng_stream(77);
    for (int k = 0; k < 30; k++) {
        double delta = 1e-6, x[6];
        struct instance in = INSTANCE(*state, families[k % 3], { "d", 6 }, { "goldstein", delta });
        rng_normals(&r, 6, 0.5, x);
        struct bracket b = stationarity(&in, x);
        double g = gradient(&in, x);
        assert_true(b.above <= g * (1 + 1e-14) && b.below >= g - 2.1 * in.f.M_F * delta - 1e-15);
    }
}

/* The lower bound `below` holds for the whole ball: every mean of grad F(y) over points y of the ball has at least
 * this norm. Means of up to five random points are tried here. */
static void test_below_every_mean(void **state)
{
    static const char *const families[] = { "sigmoid", "sigmoid_stored", "capped",
                                            "capped_stored" };
    struct rng r = rng_stream(78);
    int positive = 0;
    for (int k = 0; k < 40; k++) {
        enum { D = 3 };
        double delta = 0.3, x[D], y[5 * D], u[D];
        struct instance in = INSTANCE(*state, families[k % 4], { "d", D }, { "goldstein", delta });
        rng_normals(&r, D, 1, x);
        struct bracket b = stationarity(&in, x);
        positive += b.below > 0;
        for (int t = 0; t < 300; t++) {
            double mean[D] = { 0 }, g[D], error = NAN, norm = NAN;
            int m = 1 + t % 5;
            for (int j = 0; j < m; j++) {
                rng_ball(&r, D, u);
                vec_lincomb(D, 1, x, delta, u, y + j * D);
                in.p->grad(in.self, y + j * D, g);
                vec_axpy(D, 1.0 / m, g, mean);
            }
            assert_true(vec_norm(D, mean) >= b.below * (1 - 1e-12));
            for (const struct measure *q = in.p->measures; q->name; q++)
                if (q->of_set)
                    norm = q->of_set(in.self, m, y, &error);
            within("certificate", norm, vec_norm(D, mean), 1e-15);
            assert_true(error == 0);
        }
    }
    assert_true(positive > 20);
}

/* --- the lower bound that goldstein.h computes, before it is cut at the upper bound */

/* The computed range of a loss's slope over an interval of scores must be that on a fine grid inside the interval:
 * up to the step of the grid for sigmoid, exactly for capped. */
static void test_slopes(void **state)
{
    enum { GRID = 4000 };
    struct rng r = rng_stream(79);
    for (int k = 0; k < 400; k++) {
        bool capped = k % 2;
        double mid = 2 * rng_normal(&r), half = exp(rng_normal(&r) - 1), h = 0.8, low, high;
        double y = capped ? 0.3 : rng_sign(&r), least = INFINITY, most = -INFINITY;
        for (int j = 1; j < GRID; j++) {
            double z = mid + half * (2.0 * j / GRID - 1);
            double s = capped ? loss_capped_slope(h, z, y) : loss_sigmoid_slope(h, z, y);
            least = fmin(least, s);
            most = fmax(most, s);
        }
        (capped ? capped_slopes : sigmoid_slopes)(h, mid - half, mid + half, y, &low, &high);
        within("least", low, least, capped ? 0 : half / GRID);
        within("most", high, most, capped ? 0 : half / GRID);
    }
}

/* The lower bound of min <grad F(y), u> over the ball holds for any u; for one record it is attained, up to
 * 0.01. */
static void test_separation(void **state)
{
    static const char *const families[] = { "sigmoid_stored", "capped_stored" };
    struct rng r = rng_stream(80);
    for (int k = 0; k < 120; k++) {
        enum { D = 2 };
        int n = k % 3 ? 20 : 1;
        double delta = 0.3, x[D], y[D], u[D], g[D], least = INFINITY;
        struct instance in = INSTANCE(*state, families[k % 2], { "d", D }, { "n", n });
        rng_normals(&r, D, 1, x);
        rng_sphere(&r, D, u);
        for (int t = 0; t < 2000; t++) {
            rng_ball(&r, D, y);
            vec_lincomb(D, 1, x, delta, y, y);
            in.p->grad(in.self, y, g);
            least = fmin(least, vec_dot(D, g, u));
        }
        double below = scored_stored_least(in.self, x, delta, u);
        assert_true(below <= least + 1e-14);
        assert_true(n > 1 || below >= least - 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_norms), cmocka_unit_test(test_far_and_lost),
        cmocka_unit_test(test_capped_cone), cmocka_unit_test(test_capped_radial),
        cmocka_unit_test(test_line), cmocka_unit_test(test_one_record),
        cmocka_unit_test(test_small_balls), cmocka_unit_test(test_below_every_mean),
        cmocka_unit_test(test_slopes), cmocka_unit_test(test_separation),
    };
    return cmocka_run_group_tests_name("goldstein", tests, hard_setup, hard_teardown);
}

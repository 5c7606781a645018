/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_zo_instances.c - the families peaked (item I10 of docs/papers/private-zeroth-order.md: largest coordinates,
 * with exact Goldstein norms), neurons (I8: hidden units on records) and quadratics (I11): values and gradients are
 * compared with their definitions, norms with enumeration and numbers by hand; and the chain of certificates, in
 * the two ways in which it can fail.
 *
 * Serves: private-zeroth-order
 *
 * z-tests at 6 standard errors (2e-9): 20 of these, so that a false alarm has probability 4e-8. */
#include "problems/parts/certificates.h"
#include "problems/parts/kinks.h"
#include "support/hard.h"

enum { MOST = 64 };

static double exact_at(const struct instance *in, const double *x, double r)
{
    return ((const struct certificates *)in->self)->exact(in->self, x, r);
}

/* --- I10: the family peaked */

static struct instance peaked(struct arena *a, const char *shape, int d, double radius)
{
    return INSTANCE(a, "peaked", { "shape", 0, shape }, { "d", d }, { "L", 2 }, { "floor", 0.8 },
                    { "hull", 1 }, { "goldstein", radius });
}

static void s5_1_peaks_by_definition(void **state)
{
    struct rng r = rng_stream(701);
    for (int k = 0; k < 200; k++) {
        int d = 1 + k % 6, inf = k / 6 % 2;
        struct instance in = peaked(*state, inf ? "inf" : "max", d, 0.1);
        double x[MOST], g[MOST], h = -INFINITY, s = 0, plus[MOST];
        rng_normals(&r, d, 1, x);
        for (int j = 0; j < d; j++)
            h = fmax(h, inf ? fabs(x[j]) : x[j]);
        h = inf ? h : fmax(h, -0.8);
        within("F", in.p->value(in.self, x), h, 1e-15);
        for (long i = -2; i < 20; i++) {
            double rest = in.p->sample_value(in.self, i, x) - h;
            near(fabs(rest), fabs(x[0]), 1e-12);
            vec_zero(d, g);
            in.p->sample_grad(in.self, i, x, 1, g);
            for (int j = 0; j < d; j++) {            /* central differences; f is linear nearby */
                vec_copy(d, x, plus);
                plus[j] += 1e-7;
                double up = in.p->sample_value(in.self, i, plus);
                plus[j] -= 2e-7;
                within("slope", g[j], (up - in.p->sample_value(in.self, i, plus)) / 2e-7, 1e-6);
            }
            assert_true(vec_norm(d, g) <= in.f.L * (1 + 1e-15));
            s += i >= 0 ? rest / x[0] : 0;
        }
        assert_true(fabs(s) <= 20 * (1 + 1e-12));
        /* The two samples are F + x_1 and F - x_1; each sum is rounded once. */
        within("pair", in.p->sample_value(in.self, -1, x) + in.p->sample_value(in.self, -2, x),
               2 * in.p->value(in.self, x), 1e-15 * (fabs(h) + fabs(x[0])));
    }
    struct instance in = peaked(*state, "max", 4, 0.1);
    double best[MOST], x0[MOST];
    in.p->start(in.self, x0);
    assert_true(in.p->minimiser(in.self, best));
    within("min F", in.p->value(in.self, best), in.f.f_star, 1e-15);
    near(in.f.dist, vec_dist(4, x0, best), 1e-13);
    near(in.f.Phi, in.p->value(in.self, x0) + 0.8, 1e-13);
}

/* The signs of samples have mean 0, by a z-test. */
static void s5_1_peaks_signs_are_fair(void **state)
{
    enum { N = 40000 };
    struct instance in = peaked(*state, "inf", 3, 0.1);
    double x[3] = { 1, 2, 3 }, sum = 0;
    for (long i = 0; i < N; i++)
        sum += in.p->sample_value(in.self, i, x) - 3;
    assert_true(fabs(sum) < 6 * sqrt(N));
}

/* Returns the distance by which x must move so that coordinate i becomes the largest one, with sign s. The set of
 * the other coordinates that move to the common level is found by trying all subsets. */
static double lift_by_subsets(int d, const double *x, int i, double s, bool inf)
{
    double least = INFINITY;
    for (int set = 0; set < 1 << d; set++) {
        double sum = s * x[i], square = 0, n = 1, level;
        bool good = !(set >> i & 1);
        for (int j = 0; j < d; j++)
            if (set >> j & 1) {
                sum += inf ? fabs(x[j]) : x[j];
                n++;
            }
        level = inf ? fmax(0, sum / n) : sum / n;
        square = pow(level - s * x[i], 2);
        for (int j = 0; j < d && good; j++) {
            double v = inf ? fabs(x[j]) : x[j];
            if (j == i)
                continue;
            if (set >> j & 1)
                square += pow(level - v, 2);
            else
                good = v <= level;
        }
        if (good)
            least = fmin(least, square);
    }
    return sqrt(least);
}

static double norm_by_subsets(int d, const double *x, double r, bool inf, double floor)
{
    double away = 0, J = 0;
    for (int j = 0; j < d; j++)
        away += pow(fmax(0, x[j] + floor), 2);
    if (!inf && sqrt(away) < r)
        return 0;
    for (int j = 0; j < d; j++) {
        bool up = lift_by_subsets(d, x, j, 1, inf) < r;
        bool down = inf && lift_by_subsets(d, x, j, -1, inf) < r;
        if (up && down)
            return 0;
        J += up + down;
    }
    return 1 / sqrt(J);
}

/* Goldstein's norms in closed form equal those that norm_by_subsets computes. The length that the search finds is
 * no smaller, and neither are the lengths of means of gradients in the ball. */
static void s5_1_peaks_norms(void **state)
{
    struct rng r = rng_stream(702);
    int seen[8] = { 0 };
    for (int k = 0; k < 240; k++) {
        int d = 1 + k % 6;
        bool inf = k / 6 % 2;
        double radius = 0.3 * exp(rng_normal(&r) / 2), x[MOST], y[MOST], u[MOST], g[MOST], error;
        struct instance in = peaked(*state, inf ? "inf" : "max", d, radius);
        const struct certificates *c = in.self;
        rng_normals(&r, d, 0.5, x);
        double truth = norm_by_subsets(d, x, radius, inf, 0.8), norm = exact_at(&in, x, radius);
        near(norm, truth, 1e-12);
        seen[truth > 0 ? (int)rint(1 / (truth * truth)) : 0]++;
        double hull = goldstein_norm(&c->q, x, &error), other = interpolation_norm(&c->q, x);
        assert_true(hull >= norm * (1 - 1e-9) && other >= norm * (1 - 1e-9) && error >= 0);
        for (int t = 0; t < 50; t++) {
            double mean[MOST] = { 0 };
            for (int j = 0; j < 1 + t % 4; j++) {
                rng_ball(&r, d, u);
                vec_lincomb(d, 1, x, radius, u, y);
                in.p->grad(in.self, y, g);
                vec_axpy(d, 1.0 / (1 + t % 4), g, mean);
            }
            assert_true(vec_norm(d, mean) >= norm * (1 - 1e-9));
        }
    }
    assert_true(seen[0] > 10 && seen[1] > 10 && seen[2] > 10 && seen[3] > 5);
}

/* The coordinates that attain the maximum somewhere in the ball are found by hand. Shape max: in the ball around 0
 * all d coordinates do; in the ball around (a, 0, ..., 0) all do if a < sqrt 2 r, as one coordinate falls and one
 * rises by a/2. Shape inf at (0.9, -0.6): besides e_1, -e_2 does from r = 0.3/sqrt 2 on, where both coordinates
 * reach 0.75, and e_2 does from 1.5/sqrt 2 on, where both reach 0.15. */
static void s5_1_peaks_by_hand(void **state)
{
    for (int d = 1; d < 40; d++) {
        double x[MOST] = { 0 };
        struct instance in = peaked(*state, "max", d, 0.1);
        near(exact_at(&in, x, 0.5), 1 / sqrt(d), 1e-14);
        x[0] = 0.5;
        near(exact_at(&in, x, 0.354), 1 / sqrt(d), 1e-14);
        assert_true(exact_at(&in, x, 0.353) == 1);
        assert_true(exact_at(&in, x, 3 * sqrt(d)) == 0);
    }
    struct instance in = peaked(*state, "inf", 2, 0.1);
    double y[2] = { 0.9, -0.6 };
    assert_true(exact_at(&in, y, 0.212) == 1 && exact_at(&in, y, 1.061) == 0);
    near(exact_at(&in, y, 0.213), sqrt(0.5), 1e-14);
    near(exact_at(&in, y, 1.06), sqrt(0.5), 1e-14);
    /* The second coordinate rises and the first falls by half of their difference: in all by 1.27e-8. */
    in = peaked(*state, "inf", 3, 1e-8);
    double z[3] = { 0.713, 0.713 - 1.8e-8, 0.1 };
    assert_true(exact_at(&in, z, 1e-8) == 1);
    near(exact_at(&in, z, 1.3e-8), sqrt(0.5), 1e-14);
}

/* --- the measure `chain`, the larger of norm - search and search - sampled (certificates.h): it is at most 0, up
 * to the sampling of the search, and positive for the two controls `centre` and `reach` */

static double chain_of(const struct instance *in, const char *name, int T, const double *w)
{
    double error, v = NAN;
    for (const struct measure *m = in->p->measures; m->name; m++)
        if (strcmp(m->name, name) == 0)
            v = m->of_set(in->self, T, w, &error);
    return v;
}

static void s5_2_chain_can_fail(void **state)
{
    enum { T = 40, D = 3 };
    struct rng r = rng_stream(703);
    double worst[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < 120; k++) {
        double delta = 0.1, w[T * D], u[D];
        rng_sphere(&r, D, w);
        vec_scale(D, 0.5 * rng_uniform(&r), w);
        rng_sphere(&r, D, u);
        for (int t = 1; t < T; t++)
            vec_lincomb(D, 1, w + (t - 1) * D, delta / T, u, w + t * D);
        for (int c = 0; c < 3; c++) {
            struct instance in = k % 3
                ? INSTANCE(*state, "sloped", { "shape", 0, k % 3 == 1 ? "cone" : "valley" }, { "d", D },
                           { "hull", 1 }, { "goldstein", 2 * delta }, { "centre", c == 1 },
                           { "reach", c == 2 ? 0.5 : 1 })
                : INSTANCE(*state, "peaked", { "d", D }, { "hull", 1 }, { "goldstein", 2 * delta },
                           { "centre", c == 1 }, { "reach", c == 2 ? 0.5 : 1 });
            worst[c] = fmax(worst[c], chain_of(&in, "chain", T, w));
        }
        struct instance plain = INSTANCE(*state, "sloped", { "d", D }, { "goldstein", 2 * delta });
        assert_true(isnan(chain_of(&plain, "chain", T, w)));     /* without `hull` */
    }
    assert_true(worst[0] <= 0.01 && worst[1] > 0.1 && worst[2] > 0.05);
}

/* --- I8: the family neurons */

static struct instance neurons(struct arena *a, int units)
{
    return INSTANCE(a, "neurons", { "units", units }, { "scaling", 0, "unit" }, { "start", 0.7 },
                    { "goldstein", 0.5 });
}

/* The weights of the hidden units are checked from outside. The attributes a of record i are found, up to a sign,
 * by gradients of one unit far along an axis, and its label |y| by the value at 0. Values with h units are | sum_j
 * c_j max(0, <w_j,a>) - y | for one of the two signs of a and of y. */
static void s5_1_units_by_definition(void **state)
{
    struct rng r = rng_stream(704);
    for (int k = 0; k < 30; k++) {
        int h = 1 + k % 4;
        struct instance one = neurons(*state, 1), in = neurons(*state, h);
        long p = one.d;
        double x[4 * MOST], g[4 * MOST], a[MOST], y;
        assert_true(p <= MOST && in.d == h * p);
        long i = k % 7;
        vec_zero(p, x);
        double label = one.p->sample_value(one.self, i, x);      /* |y| */
        for (long j = 0; j < p; j++)                 /* at one of the two signs the unit is flat:
                                                        max(0, +-1000 a_j) */
            for (int s = -1; s <= 1; s += 2) {
                vec_zero(p, g);
                x[j] = 1e3 * s;
                one.p->sample_grad(one.self, i, x, 1, g);
                x[j] = 0;
                a[j] = s < 0 || a[j] == 0 ? g[j] : a[j];
            }
        rng_normals(&r, in.d, 1, x);
        y = label;
        double least = INFINITY, value = in.p->sample_value(in.self, i, x);
        for (int sign = -1; sign <= 1; sign += 2)    /* y is the label or its negative, as a is known up to a
                                                        sign */
            for (int flip = -1; flip <= 1; flip += 2) {
                double sum = -sign * y;
                for (int j = 0; j < h; j++)
                    sum += (j % 2 ? -1 : 1) / sqrt(h) * fmax(0, flip * vec_dot(p, a, x + j * p));
                least = fmin(least, fabs(fabs(sum) - value));
            }
        assert_true(least < 1e-9);
        vec_zero(in.d, g);
        in.p->sample_grad(in.self, i, x, 1, g);
        assert_true(vec_norm(in.d, g) <= in.f.L * (1 + 1e-12));
        double rise = 0, step[4 * MOST], plus[4 * MOST];
        rng_sphere(&r, in.d, step);
        vec_lincomb(in.d, 1, x, 1e-6, step, plus);
        rise = in.p->sample_value(in.self, i, plus) - in.p->sample_value(in.self, i, x);
        within("slope", vec_dot(in.d, g, step), rise / 1e-6, 1e-5);
    }
}

/* F is the mean of its samples, and Phi its value at the start. L is public for records of norm 1 with unscaled
 * labels; with scaled labels even n comes from the data. The search for Goldstein's norm at the start finds an
 * element that is no longer than the gradient there. */
static void s5_1_units_facts(void **state)
{
    struct instance in = neurons(*state, 3);
    struct instance mixed = INSTANCE(*state, "neurons", { "scaling", 0, "unit" },
                                     { "target", 0, "zscore" });
    double x0[4 * MOST], g[4 * MOST], one[4 * MOST] = { 0 }, sum = 0, n = in.f.n, error;
    in.p->start(in.self, x0);
    near(vec_norm(in.d, x0), 0.7, 1e-13);
    for (long i = 0; i < (long)n; i++) {
        sum += in.p->sample_value(in.self, i, x0) / n;
        in.p->sample_grad(in.self, i, x0, 1 / n, one);
    }
    near(in.p->value(in.self, x0), sum, 1e-12);
    near(in.f.Phi, sum, 1e-12);
    in.p->grad(in.self, x0, g);
    for (long j = 0; j < in.d; j++)
        within("gradient", g[j], one[j], 1e-12);
    near(in.f.L, 1, 1e-11);
    assert_true(in.f.origin[FACT_L] == ORIGIN_PUBLIC && in.f.origin[FACT_Phi] == ORIGIN_DATA &&
                mixed.f.origin[FACT_n] == ORIGIN_DATA);
    const struct certificates *c = in.self;
    double norm = goldstein_norm(&c->q, x0, &error);
    assert_true(norm <= vec_norm(in.d, g) && error == norm);
}

/* --- I11: q(x) = sum_j lam_j (x_j - c_j)^2/2 */

/* Checks two-point estimates on a quadratic q. Two values give its slope along u exactly, so that an estimate e =
 * <g,u> u for a unit u satisfies |e|^2 = <e,g>, and d times the mean of many estimates is g. Smoothing adds a
 * constant: q_delta - q = delta^2 tr/(2 (d+2)), tr the sum of the lam_j. */
static void s6_1_quadratics(void **state)
{
    enum { N = 20000, D = 4 };
    struct instance in = INSTANCE(*state, "spectral", { "d", D }, { "radius", INFINITY },
                                  { "decades", 1 });
    struct rng r = rng_stream(705);
    double x[D], u[D], g[D], y[D], sum[D] = { 0 }, square[D] = { 0 }, mean = 0, spread = 0, trace = 0;
    rng_normals(&r, D, 1, x);
    vec_zero(D, g);
    in.p->sample_grad(in.self, 3, x, 1, g);
    for (int k = 0; k < N; k++) {
        double delta = 0.7, f[2];
        rng_sphere(&r, D, u);
        for (int s = 0; s < 2; s++) {
            vec_lincomb(D, 1, x, s ? -delta : delta, u, y);
            f[s] = in.p->sample_value(in.self, 3, y);
        }
        double slope = (f[0] - f[1]) / (2 * delta);
        within("slope along u", slope, vec_dot(D, g, u), 1e-12);
        for (int j = 0; j < D; j++) {
            sum[j] += D * slope * u[j] / N;
            square[j] += pow(D * slope * u[j], 2) / N;
        }
        rng_ball(&r, D, u);
        vec_lincomb(D, 1, x, delta, u, y);
        double rise = in.p->value(in.self, y) - in.p->value(in.self, x);
        mean += rise / N;
        spread += rise * rise / N;
    }
    for (int j = 0; j < D; j++) {
        within("unbiased", sum[j], g[j], 6 * sqrt((square[j] - sum[j] * sum[j]) / (N - 1)));
        double e[D] = { 0 }, a[D], b[D];
        e[j] = 1;
        vec_zero(D, b);
        in.p->grad(in.self, e, a);
        in.p->grad(in.self, b, b);
        trace += a[j] - b[j];
    }
    within("smoothing", mean, 0.49 * trace / (2 * (D + 2)), 6 * sqrt((spread - mean * mean) / (N - 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_1_peaks_by_definition), cmocka_unit_test(s5_1_peaks_signs_are_fair),
        cmocka_unit_test(s5_1_peaks_norms), cmocka_unit_test(s5_1_peaks_by_hand),
        cmocka_unit_test(s5_2_chain_can_fail), cmocka_unit_test(s5_1_units_by_definition),
        cmocka_unit_test(s5_1_units_facts), cmocka_unit_test(s6_1_quadratics),
    };
    return cmocka_run_group_tests_name("instances", tests, hard_setup, hard_teardown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hard.c - the families randhess and coercive_max, compared with closed forms, enumeration and other
 * algorithms. */
#include "support/hard.h"

/* --- randhess: sample (J, K, sign) has the loss (m/2)(x_J - c_J)^2 - s sign x_K; J = j has probability pi_j */

enum { MOST = 8 };

/* pi[d] <- the probability of each coordinate to be that of a sample, from the definition of randhess. */
static void shares(int d, double decades, double *pi)
{
    double sum = 0;
    for (int j = 0; j < d; j++)
        sum += pi[j] = pow(10, -decades * j / (d > 1 ? d - 1 : 1));
    for (int j = 0; j < d; j++)
        pi[j] /= sum;
}

static void test_randhess_facts(void **state)
{
    static const struct { int d; double decades; } cases[] = { { 1, 7 }, { 2, 0 }, { 8, 7 },
                                                               { 5, 1e-9 }, { 6, 90 } };
    for (int k = 0; k < 5; k++) {
        int d = cases[k].d;
        struct instance in = INSTANCE(*state, "randhess", { "d", d }, { "s", 0.25 }, { "m", 3 },
                                      { "decades", cases[k].decades }, { "radius", 2 });
        double pi[MOST], zero[MOST] = { 0 }, c = 0.5 * 2 / sqrt(d), Phi = 0, star[MOST];
        shares(d, cases[k].decades, pi);
        in.p->minimiser(in.self, star);
        for (int j = 0; j < d; j++) {
            near(in.f.M_j[j], 3 * pi[j], 1e-12);
            near(fabs(star[j]), c, 1e-15);
            Phi += pi[j] * 3 / 2 * c * c;
        }
        near(in.f.M_F, 3 * pi[0], 1e-12);
        near(in.f.mu, 3 * pi[d - 1], 1e-12);
        near(in.f.L, 3 * (2 + c) + 0.25, 1e-15);
        near(in.f.Phi, Phi, 1e-12);
        near(measured(&in, "excess", zero), Phi, 1e-12);
        assert_true(in.f.M == 3 && in.f.weak == 0 && in.f.f_star == 0 && in.f.diameter == 4);
    }
}

/* The facts G and sigma of randhess are attained at x = -r c/|c|, where r is the radius of the feasible ball, if
 * all pi_j are equal. There every sample gradient, without its noise, has the length m (r + |c|)/sqrt d, and the
 * gradient of F has 1/sqrt d of this length. */
static void test_randhess_moments(void **state)
{
    for (int d = 1; d <= MOST; d++) {
        struct instance in = INSTANCE(*state, "randhess", { "d", d }, { "decades", 0 }, { "m", 2 },
                                      { "s", 0.3 }, { "radius", 1.5 });
        double each = 2 * (1.5 + 0.75) / sqrt(d);
        near(in.f.G, hypot(each, 0.3), 1e-14);
        near(in.f.sigma, hypot(each * sqrt(1 - 1.0 / d), 0.3), 1e-14);
    }
    struct instance free = INSTANCE(*state, "randhess", { "d", 1 }, { "radius", INFINITY });
    assert_true(free.f.sigma == 1 && isinf(free.f.G) && isinf(free.f.L) && free.f.dist == 0.5);
}

/* The coordinate J, and coordinate K and sign of the noise, identify a sample. They are read from its gradient at
 * the point whose entries are c_j + 10, which is 10 m e_J - xi, where xi = s sign e_K and s < 5 m. */
struct seen { int J, K, sign; };

static struct seen sample_of(const struct instance *in, const double *c, double m, double s, long i)
{
    double g[MOST] = { 0 }, x[MOST];
    struct seen of = { -1, -1, 0 };
    for (long j = 0; j < in->d; j++)
        x[j] = c[j] + 10;
    in->p->sample_grad(in->self, i, x, 1, g);
    for (int j = 0; j < in->d; j++) {
        double rest = g[j];
        if (rest > 5 * m) {
            assert_int_equal(of.J, -1);
            of.J = j;
            rest -= 10 * m;
        }
        if (fabs(rest) > s / 2) {
            assert_true(of.K == -1 && fabs(fabs(rest) - s) < 1e-13);
            of.K = j;
            of.sign = rest < 0 ? 1 : -1;
        }
    }
    assert_true(of.J >= 0 && of.K >= 0);
    return of;
}

/* In N samples of randhess, J is distributed by pi, (K, sign) is uniform, and the two are independent. The value of
 * a sample is that which J, K and sign determine. */
static void test_randhess_samples(void **state)
{
    enum { D = 3, N = 200000, CELLS = D * 2 * D };
    struct instance in = INSTANCE(*state, "randhess", { "d", D }, { "m", 2 }, { "s", 0.5 },
                                  { "decades", 1.5 });
    double c[D], pi[D], seen[CELLS] = { 0 }, probability[CELLS], x[D] = { 0.3, -0.2, 0.6 };
    in.p->minimiser(in.self, c);
    shares(D, 1.5, pi);
    for (long i = 0; i < N; i++) {
        struct seen of = sample_of(&in, c, 2, 0.5, i);
        seen[(of.J * D + of.K) * 2 + (of.sign > 0)]++;
        if (i % 100)
            continue;
        double e = x[of.J] - c[of.J];
        near(in.p->sample_value(in.self, i, x), e * e - of.sign * 0.5 * x[of.K], 1e-13);
        assert_int_equal(in.p->sample_nonzeros(in.self, i), of.J == of.K ? 1 : 2);
    }
    for (int k = 0; k < CELLS; k++)
        probability[k] = pi[k / (2 * D)] / (2 * D);
    chi_square(CELLS, seen, probability, N);
    in = INSTANCE(*state, "randhess", { "d", D }, { "s", 0 });
    assert_int_equal(in.p->sample_nonzeros(in.self, 7), 1);
}

/* Checks the variance of gradient differences. A step u of length l = 0.05 has all d = 20 entries equal. It changes
 * the gradient of a sample by a vector of squared length l^2/d, as each of the d coordinates is equally likely to
 * be that of the sample, and it changes the gradient of F by u/d. The change of their difference has variance
 * (l^2/d)(1 - 1/d) = 1.1875e-4. */
static void test_randhess_turn(void **state)
{
    enum { D = 20 };
    struct instance in = INSTANCE(*state, "randhess", { "d", D }, { "decades", 0 });
    double x[D] = { 0 }, y[D], g[D], h[D], turn = 0, F;
    vec_fill(D, 0.05 / sqrt(D), y);
    for (long i = 0; i < 50; i++) {
        instance_sample_grad(&in, i, x, g);
        instance_sample_grad(&in, i, y, h);
        turn = vec_dist(D, g, h);
        near(turn * turn, 0.0025 / D, 1e-12);
    }
    in.p->grad(in.self, x, g);
    in.p->grad(in.self, y, h);
    F = vec_dist(D, g, h);
    near(turn * turn - F * F, 1.1875e-4, 1e-12);
}

/* The minimiser on the sphere is found by projected gradient descent, at condition number 10. */
static void test_randhess_outside(void **state)
{
    enum { D = 6 };
    struct instance in = INSTANCE(*state, "randhess", { "d", D }, { "rr", 1.3 }, { "decades", 1 },
                                  { "radius", 2 });
    double x[D] = { 0 }, star[D], g[D];
    for (int t = 0; t < 2000; t++) {
        in.p->grad(in.self, x, g);
        vec_axpy(D, -1 / in.f.M_F, g, x);
        in.p->sets[0].project(in.self, x);
    }
    in.p->minimiser(in.self, star);
    assert_true(vec_dist(D, x, star) < 1e-14);
    near(vec_norm(D, star), 2, 1e-15);
    near(in.p->value(in.self, x), in.f.f_star, 1e-13);
    vec_scale(D, 1 - 0x1p-30, x);            /* F is nearly linear there: the excess is -<grad F(x*), t x*> */
    near(measured(&in, "excess", x), -0x1p-30 * vec_dot(D, g, star), 1e-6);
}

/* Returns the index of an outcome of b samples in two dimensions: n of them have J = 0, and the signs of their
 * noise add up to (net0, net1). */
static int cell_of(int b, int n, int net0, int net1)
{
    return (n * (2 * b + 1) + net0 + b) * (2 * b + 1) + net1 + b;
}

/* probability[cell_of(b, ...)] <- the law of the outcomes of b samples, summed over all 8^b. */
static void enumerate(int b, const double *pi, double *probability)
{
    for (long k = 0; k < 1L << (3 * b); k++) {
        double p = 1;
        int n = 0, net[2] = { 0, 0 };
        for (int t = 0; t < b; t++) {
            long one = k >> (3 * t);
            n += !(one & 1);
            net[one >> 1 & 1] += one & 4 ? 1 : -1;
            p *= pi[one & 1] / 4;
        }
        probability[cell_of(b, n, net[0], net[1])] += p;
    }
}

/* The exact law of a batch and batches of b samples are each compared with the law that enumerates all 8^b
 * outcomes. At c + 10, where c is the minimiser, with scales s = m = 1, the sum of the b sample gradients is 10
 * (n_0, b - n_0) minus the noise, where n_0 of the samples chose coordinate 0. */
static void test_randhess_law_by_enumeration(void **state)
{
    enum { N = 60000, B = 3 };
    struct instance in = INSTANCE(*state, "randhess", { "d", 2 }, { "decades", 0.5 });
    double x[2], pi[2];
    struct rng draws = rng_stream(11);
    shares(2, 0.5, pi);
    in.p->minimiser(in.self, x);
    x[0] += 10;
    x[1] += 10;
    for (int b = 1; b <= B; b++)
        for (int real = 0; real < 2; real++) {
            double probability[200] = { 0 }, seen[200] = { 0 };
            enumerate(b, pi, probability);
            for (long i = 0; i < N; i++) {
                double g[2] = { 0 };
                struct samples s = { .first = i * b, .count = b };
                struct rng draw = rng_at(&draws, (uint64_t)i);
                if (real)
                    in.p->batch_grad(in.self, &s, NULL, x, b, g);
                else
                    instance_law(&in, &draw, b, x, b, g);
                long n0 = lrint(g[0] / 10), n1 = lrint(g[1] / 10);
                assert_int_equal(n0 + n1, b);
                seen[cell_of(b, (int)n0, (int)lrint(10.0 * (double)n0 - g[0]),
                             (int)lrint(10.0 * (double)n1 - g[1]))]++;
            }
            chi_square((b + 1) * (2 * b + 1) * (2 * b + 1), seen, probability, N);
        }
}

/* One draw of a batch answers at every point: its gradients at two points x and y differ by (n_j/b) m (x_j - y_j)
 * with the same whole n_j, which sum to b. This holds for b beyond the range of one call of the binomial generator.
 * The n_j have mean b pi_j and variance b pi_j (1 - pi_j), within 6 standard errors over N draws. */
static void test_randhess_law_of_many(void **state)
{
    enum { D = 4, N = 3000 };
    const double b = 0x1p31 + 12345;
    struct instance in = INSTANCE(*state, "randhess", { "d", D }, { "decades", 2 });
    double c[D], x[D], pi[D], sum[D] = { 0 }, square[D] = { 0 };
    struct rng draws = rng_stream(12);
    shares(D, 2, pi);
    in.p->minimiser(in.self, c);
    for (int j = 0; j < D; j++)
        x[j] = c[j] + 1;
    for (long i = 0; i < N; i++) {
        double g[D] = { 0 }, h[D] = { 0 }, total = 0;
        struct rng draw = rng_at(&draws, (uint64_t)i);
        instance_law(&in, &draw, b, x, b, g);
        instance_law(&in, &draw, b, c, b, h);
        for (int j = 0; j < D; j++) {
            double n = g[j] - h[j], z = (n - b * pi[j]) / sqrt(b * pi[j] * (1 - pi[j]));
            assert_true(fabs(n - rint(n)) < 1e-4);
            total += rint(n);
            sum[j] += z;
            square[j] += z * z;
        }
        assert_true(total == b);
    }
    for (int j = 0; j < D; j++) {
        within("mean", sum[j], 0, 6 * sqrt(N));
        within("variance", square[j] / N, 1, 6 * sqrt(2.0 / N));
    }
}

/* --- coercive_max: the maximum of the m pieces L x_j and of the cone L (|x| - R) + F*, where R = |x*| */

/* The excess at 0 is L R/sqrt m. x* is optimal over R^d: 0 is in the convex hull of the gradients of the pieces at
 * x*, with weight sqrt m for the cone and 1 for each coordinate. */
static void test_coercive_optimum(void **state)
{
    static const int m[] = { 1, 2, 3, 8 };
    for (int k = 0; k < 4; k++) {
        int d = 8;
        struct instance in = INSTANCE(*state, "coercive_max", { "d", d }, { "m", m[k] }, { "L", 3 },
                                      { "R", 2 });
        double x[8] = { 0 }, v[9], g[8] = { 0 };
        assert_true(in.p->value(in.self, x) == 0 && in.f.N == m[k] + 1);
        near(measured(&in, "excess", x), 6 / sqrt(m[k]), 1e-15);
        near(in.f.Phi, 6 / sqrt(m[k]), 1e-15);
        in.p->minimiser(in.self, x);
        near(vec_norm(d, x), 2, 1e-15);
        in.p->pieces->values(in.self, x, v);
        for (int i = 0; i <= m[k]; i++) {
            near(v[i], in.f.f_star, 1e-14);
            in.p->pieces->grad(in.self, i, x, i < m[k] ? 1 : sqrt(m[k]), g);
        }
        assert_true(vec_norm(d, g) < 1e-14);
        assert_true(in.f.L == 3 && in.f.G == 3 && in.f.sigma == 0 && in.f.dist == 2);
    }
    /* With so large a gap x* = -R e_1. */
    struct instance in = INSTANCE(*state, "coercive_max", { "d", 4 }, { "L", 1e-60 }, { "gap", 1e100 }, { "R", 2 });
    double x[4];
    in.p->minimiser(in.self, x);
    assert_true(x[0] == -2 && x[1] == 0 && in.f.Phi == 2e-60 && measured(&in, "excess", x) == 0);
    refused(*state, "coercive_max", (struct with[]){ { "d", 5 }, { "m", 6 }, { 0 } },
            "coercive_max.m = 6");
}

/* The gradient is that of the first piece that attains the maximum; the cone comes last. On a sphere of radius 3 R
 * in the coordinates after the first m only the cone attains the maximum, and at its tip the gradient is 0. */
static void test_coercive_pieces(void **state)
{
    struct instance in = INSTANCE(*state, "coercive_max", { "d", 6 }, { "m", 4 }, { "R", 2 });
    static const struct { double x[6], value, g[6]; } cases[] = {
        { { 0 }, 0, { 1 } },
        { { -1, 0.5, 0.25, 0.5 }, 0.5, { 0, 1 } },
        { { -1, -1, -1, -1 }, -1, { 1 } },                   /* the point x*, where all five pieces attain the
                                                                maximum */
        { { -2, -2, -2, -2 }, 1, { -0.5, -0.5, -0.5, -0.5 } },
        { { 0, 0, 0, 0, 6, 0 }, 3, { 0, 0, 0, 0, 1, 0 } },
        { { 0, 0, -1e-3, 0, 2.75, 0 }, 0, { 1 } },
    };
    for (int k = 0; k < 6; k++) {
        double g[6];
        near(in.p->value(in.self, cases[k].x), cases[k].value, 1e-15);
        in.p->grad(in.self, cases[k].x, g);
        assert_true(vec_dist(6, g, cases[k].g) < 1e-15);
        near(measured(&in, "excess", cases[k].x), cases[k].value + 1, 1e-15);
    }
    double g[6] = { 0 };
    in.p->pieces->grad(in.self, 4, cases[0].x, 1, g);
    assert_true(vec_norm(6, g) == 0);
}

/* Checks F(y) >= F(x) + <g, y - x>, |g| = L and F >= F*, at points in |x| <= R and far outside. */
static void test_coercive_convex(void **state)
{
    enum { D = 5 };
    struct instance in = INSTANCE(*state, "coercive_max", { "d", D }, { "m", 3 }, { "L", 2 });
    double x[D], y[D], g[D];
    struct rng r = rng_stream(13);
    int cone = 0;
    for (int k = 0; k < 20000; k++) {
        rng_normals(&r, D, exp(2 * rng_normal(&r)), x);
        rng_normals(&r, D, exp(2 * rng_normal(&r)), y);
        in.p->grad(in.self, x, g);
        double Fx = in.p->value(in.self, x), Fy = in.p->value(in.self, y);
        double step = vec_dot(D, g, y) - vec_dot(D, g, x);
        assert_true(Fy >= Fx + step - 1e-13 * (vec_norm(D, x) + vec_norm(D, y)));
        near(vec_norm(D, g), 2, 1e-14);
        assert_true(Fx >= in.f.f_star && measured(&in, "excess", x) >= 0);
        cone += g[3] != 0;
    }
    assert_true(cone > 2000 && cone < 18000);
}

/* Near x* the excess keeps its digits: it is L t R/sqrt m at (1 - t) x* and L t R at (1 + t) x*, accurately still
 * for t = 2^-40. */
static void test_coercive_excess_keeps_its_digits(void **state)
{
    struct instance in = INSTANCE(*state, "coercive_max", { "d", 9 }, { "L", 2 }, { "R", 3 });
    double x[9];
    for (int side = -1; side <= 1; side += 2) {
        in.p->minimiser(in.self, x);
        vec_scale(9, 1 + side * 0x1p-40, x);
        near(measured(&in, "excess", x), 0x1p-40 * 2 * (side > 0 ? 3 : 1), 1e-3);
        near(measured(&in, "distance", x), 0x1p-40 * 3, 1e-3);
    }
}

enum { SPAN = 9, WIDE = 12 };

/* Computes x_t from the first t answers: by subgradient steps, by heavy ball, or as a random linear combination. */
static void next_point(int method, struct rng *r, int t, const double g[][WIDE], double *x)
{
    static const double steps[] = { 1.0 / 3, 5 };    /* R/(L sqrt m), and a step that is far too long */
    double v[WIDE] = { 0 };
    vec_zero(WIDE, x);
    for (int k = 0; k < t; k++) {
        if (method < 2) {
            vec_axpy(WIDE, -steps[method], g[k], x);
        } else if (method == 2) {
            vec_axpby(WIDE, -1.0 / 3, g[k], 0.8, v);
            vec_axpy(WIDE, 1, v, x);
        } else {
            vec_axpy(WIDE, 3 * rng_normal(r), g[k], x);
        }
    }
}

/* No method whose points are combinations of the answers goes below 0, the value of the start, before it has asked
 * m times. The subgradient method with step R/(L sqrt m) is then at x*. */
static void test_coercive_span_methods(void **state)
{
    struct instance in = INSTANCE(*state, "coercive_max", { "d", WIDE }, { "m", SPAN });
    struct rng r = rng_stream(14);
    int outside = 0;
    for (int method = 0; method < 3 + 200; method++) {
        double g[SPAN][WIDE], x[WIDE];
        for (int t = 0; t < SPAN; t++) {
            next_point(method, &r, t, (const double (*)[WIDE])g, x);
            assert_true(in.p->value(in.self, x) >= 0);
            assert_true(measured(&in, "excess", x) >= 1.0 / 3);
            in.p->grad(in.self, x, g[t]);
            outside += vec_norm(WIDE, x) > 1;
        }
        next_point(method, &r, SPAN, (const double (*)[WIDE])g, x);
        if (method == 0)
            within("after m steps", measured(&in, "excess", x), 0, 1e-15);
    }
    assert_true(outside > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_randhess_facts), cmocka_unit_test(test_randhess_moments),
        cmocka_unit_test(test_randhess_samples), cmocka_unit_test(test_randhess_turn),
        cmocka_unit_test(test_randhess_outside),
        cmocka_unit_test(test_randhess_law_by_enumeration),
        cmocka_unit_test(test_randhess_law_of_many), cmocka_unit_test(test_coercive_optimum),
        cmocka_unit_test(test_coercive_pieces), cmocka_unit_test(test_coercive_convex),
        cmocka_unit_test(test_coercive_excess_keeps_its_digits),
        cmocka_unit_test(test_coercive_span_methods),
    };
    return cmocka_run_group_tests_name("hard families", tests, hard_setup, hard_teardown);
}

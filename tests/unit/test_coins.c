/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_coins.c - biased coins, compared with their definition by enumeration of all coins in small cases, and the
 * laws of their samples. A sample is a point s whose coordinates are theta with probability (1 + b_j)/2, else
 * -theta; its loss is (L/sqrt d) sum |x_j - s_j| over the ball of radius R, and theta = R/sqrt d. |b_j| is the bias
 * of the family. */
#include "support/hard.h"

enum { MOST = 100 };

/* b[d] <- the b_j of the population for bias > 0; their signs are those of the minimiser. */
static void population(const struct instance *in, double bias, double *b)
{
    in->p->minimiser(in->self, b);
    for (long j = 0; j < in->d; j++)
        b[j] = copysign(bias, b[j]);
}

/* s[d] <- the point s of a sample, in units of theta. It is read from the gradient, which inside the cube |x_j| <
 * theta = R/sqrt d is -(L/sqrt d) s_j/theta in x_j. */
static void coins(const struct instance *in, long i, int *s)
{
    double g[MOST] = { 0 }, zero[MOST] = { 0 }, each = in->f.L / sqrt((double)in->d);
    in->p->sample_grad(in->self, i, zero, 1, g);
    for (long j = 0; j < in->d; j++) {
        near(fabs(g[j]), each, 1e-15);
        s[j] = g[j] < 0 ? 1 : -1;
    }
}

/* Returns the loss f(x; s) of the sample s at x, from its definition. */
static double loss(long d, double L, double R, const int *s, const double *x)
{
    double sum = 0;
    for (long j = 0; j < d; j++)
        sum += fabs(x[j] - s[j] * R / sqrt((double)d));
    return L / sqrt((double)d) * sum;
}

/* Returns E f(x; s), by a sum over all 2^d outcomes of the coins. */
static double expected_loss(long d, double L, double R, const double *b, const double *x)
{
    double sum = 0;
    for (long k = 0; k < 1L << d; k++) {
        double p = 1;
        int s[MOST];
        for (long j = 0; j < d; j++) {
            s[j] = k >> j & 1 ? 1 : -1;
            p *= (1 + s[j] * b[j]) / 2;
        }
        sum += p * loss(d, L, R, s, x);
    }
    return sum;
}

/* The family's value, gradient and excess are compared with an enumeration at random points: half of them are of
 * the size of the cube in which F is linear, the others lie far outside the ball. */
static void test_population_by_enumeration(void **state)
{
    static const double biases[] = { 1e-3, 0.3, 1 };
    struct rng r = rng_stream(21);
    for (int d = 1; d <= 4; d++)
        for (int k = 0; k < 3; k++) {
            struct instance in = INSTANCE(*state, "coins", { "d", d }, { "bias", biases[k] },
                                          { "L", 3 }, { "radius", 2 });
            double b[4], star[4], x[4], g[4];
            population(&in, biases[k], b);
            in.p->minimiser(in.self, star);
            double least = expected_loss(d, 3, 2, b, star);
            near(vec_norm(d, star), 2, 1e-15);
            within("F*", in.f.f_star, least, 1e-14);
            for (int t = 0; t < 200; t++) {
                rng_normals(&r, d, t % 2 ? 2 / sqrt(d) : 6, x);
                double F = expected_loss(d, 3, 2, b, x);
                near(in.p->value(in.self, x), F, 1e-14);
                within("excess", measured(&in, "excess", x), F - least, 1e-13);
                assert_true(F >= least * (1 - 1e-14));
                in.p->grad(in.self, x, g);
                for (int j = 0; j < d; j++) {        /* F is linear between kinks */
                    double xj = x[j], h = 1e-4;
                    x[j] = xj + h;
                    double up = expected_loss(d, 3, 2, b, x);
                    x[j] = xj - h;
                    double down = expected_loss(d, 3, 2, b, x);
                    x[j] = xj;
                    if (fabs(fabs(xj) - 2 / sqrt(d)) > h)
                        within("slope", g[j], (up - down) / (2 * h), 1e-8);
                }
            }
        }
}

/* Checks the constants of the family: the excess at 0 is (L/sqrt d) sum |b_j| theta = L R bias. Near x* the excess
 * keeps its digits: at (1 - t) x* it is t L R bias, at (1 + t) x* it is t L R. */
static void test_facts(void **state)
{
    for (int d = 1; d < MOST; d += 33) {
        struct instance in = INSTANCE(*state, "coins", { "d", d }, { "bias", 0.25 }, { "L", 3 },
                                      { "radius", 2 });
        double x[MOST] = { 0 };
        near(measured(&in, "excess", x), 1.5, 1e-14);
        near(in.f.Phi, 1.5, 1e-15);
        near(in.f.f_star, 4.5, 1e-13);
        near(in.f.sigma, 3 * sqrt(15) / 4, 1e-15);
        near(in.f.L_j[d - 1], 3 / sqrt(d), 1e-15);
        assert_true(in.f.L == 3 && in.f.G == 3 && in.f.dist == 2 && in.f.radius == 2);
        assert_true(in.f.diameter == 4 && isinf(in.f.n) && in.f.mu == 0 && isnan(in.f.M_F));
        for (int side = -1; side <= 1; side += 2) {
            in.p->minimiser(in.self, x);
            vec_scale(d, 1 + side * 0x1p-40, x);
            near(measured(&in, "excess", x), 0x1p-40 * (side > 0 ? 6 : 1.5), 1e-3);
            near(measured(&in, "distance", x), 0x1p-40 * 2, 1e-3);
        }
    }
    struct instance fair = INSTANCE(*state, "coins", { "d", 3 }, { "bias", 0 });
    double x[3] = { 0.1, -0.2, 0.3 };
    assert_true(measured(&fair, "excess", x) == 0 && measured(&fair, "distance", x) == 0);
    assert_true(fair.f.Phi == 0 && fair.f.sigma == 1);
}

/* The gradient g of F at x is a subgradient: F(y) >= F(x) + <g, y - x>, also with x on the kinks. The same holds
 * for the gradient of a sample, whose norm is L = 1 everywhere. */
static void test_subgradients(void **state)
{
    enum { D = 5 };
    struct instance in = INSTANCE(*state, "coins", { "d", D }, { "bias", 0.4 });
    double x[D], y[D], g[D], h[D], theta = 1 / sqrt(D);
    struct rng r = rng_stream(22);
    for (long k = 0; k < 20000; k++) {
        rng_normals(&r, D, 1, y);
        for (int j = 0; j < D; j++)
            x[j] = rng_u32(&r) % 3 ? rng_sign(&r) * theta : rng_normal(&r);
        in.p->grad(in.self, x, g);
        instance_sample_grad(&in, k, x, h);
        double F = in.p->value(in.self, x), f = in.p->sample_value(in.self, k, x);
        for (int j = 0; j < D; j++) {
            F += g[j] * (y[j] - x[j]);
            f += h[j] * (y[j] - x[j]);
        }
        assert_true(in.p->value(in.self, y) >= F - 1e-13);
        assert_true(in.p->sample_value(in.self, k, y) >= f - 1e-13);
        near(vec_norm(D, h), 1, 1e-14);
    }
}

/* Sample i is the same point s wherever it is asked: value and gradient are those of the definition. On the kinks
 * the gradient is that from inside the cube, also in a batch. Sample -1 has only plus signs, sample -2 only minus
 * signs. Some of the dimensions d need more than one word of 32 coordinates. */
static void test_one_sample(void **state)
{
    static const int dims[] = { 1, 31, 32, 33, 64, 97 };
    struct rng r = rng_stream(23);
    for (int k = 0; k < 6; k++) {
        int d = dims[k], s[MOST];
        struct instance in = INSTANCE(*state, "coins", { "d", d }, { "L", 2 }, { "radius", 3 });
        double x[MOST], g[MOST], h[MOST], theta = 3 / sqrt(d);
        for (long i = -2; i < 50; i++) {
            struct samples one = { .count = 1, .index = &i };
            coins(&in, i, s);
            rng_normals(&r, d, 4 / sqrt(d), x);
            near(in.p->sample_value(in.self, i, x), loss(d, 2, 3, s, x), 1e-13);
            instance_sample_grad(&in, i, x, g);
            for (int j = 0; j < d; j++) {
                assert_true(i >= 0 || s[j] == (i == -1 ? 1 : -1));
                assert_true((g[j] > 0) == (x[j] > s[j] * theta));
                x[j] = rng_sign(&r) * theta;
            }
            instance_sample_grad(&in, i, x, g);
            vec_zero(d, h);
            in.p->batch_grad(in.self, &one, NULL, x, 1, h);
            for (int j = 0; j < d; j++)
                assert_true(g[j] * s[j] < 0 && g[j] == h[j]);
        }
    }
}

/* Coordinates are independent with P(+) = (1 + b_j)/2. In each of 40 coordinates j the number of plus signs is
 * within 6 standard errors. So is the number of agreements with the coordinate k that is 32 places away, in the
 * next word of random bits; an agreement has probability (1 + b_j b_k)/2. The joint law of coordinates 30 to 33 is
 * tested by chi-square. */
static void test_coins_are_independent(void **state)
{
    enum { D = 40, N = 100000, FROM = 30 };
    struct instance in = INSTANCE(*state, "coins", { "d", D }, { "bias", 0.3 });
    double b[D], plus[D] = { 0 }, same[D] = { 0 }, seen[16] = { 0 }, probability[16];
    population(&in, 0.3, b);
    for (long i = 0; i < N; i++) {
        int s[D], cell = 0;
        coins(&in, i, s);
        for (int j = 0; j < D; j++) {
            plus[j] += s[j] > 0;
            same[j] += s[j] == s[(j + 32) % D];
        }
        for (int j = 0; j < 4; j++)
            cell |= (s[FROM + j] > 0) << j;
        seen[cell]++;
    }
    for (int j = 0; j < D; j++) {
        double p = (1 + b[j]) / 2, q = (1 + b[j] * b[(j + 32) % D]) / 2;
        within("plus", plus[j], N * p, 6 * sqrt(N * p * (1 - p)));
        within("agreements", same[j], N * q, 6 * sqrt(N * q * (1 - q)));
    }
    for (int k = 0; k < 16; k++) {
        probability[k] = 1;
        for (int j = 0; j < 4; j++)
            probability[k] *= (1 + (k >> j & 1 ? 1 : -1) * b[FROM + j]) / 2;
    }
    chi_square(16, seen, probability, N);
}

/* The share of plus signs must be right to 6 standard errors of 640000 coins, for biases over the whole range that
 * the bit-by-bit comparison of a uniform number with a probability covers. */
static void test_bias(void **state)
{
    static const double biases[] = { 0, 1e-3, 0.01, 1.0 / 3, 0.5, 0.75, 0.999, 1 };
    enum { D = 64, N = 10000 };
    for (int k = 0; k < 8; k++) {
        struct instance in = INSTANCE(*state, "coins", { "d", D }, { "bias", biases[k] });
        double b[D], g[D] = { 0 }, zero[D] = { 0 }, sum = 0;
        struct instance sign = INSTANCE(*state, "coins", { "d", D }, { "bias", 1 });
        population(&sign, 1, b);
        struct samples s = { .first = 7, .count = N };
        in.p->batch_grad(in.self, &s, NULL, zero, -8, g);    /* the factor -8 is -sqrt(D)/L: with it g is the mean
                                                                of the coins' signs s_j/theta */
        for (int j = 0; j < D; j++)
            sum += b[j] * g[j] / D;
        within("bias", sum, biases[k], 6 * sqrt((1 - biases[k] * biases[k]) / (N * D)) + 1e-13);
    }
}

/* The signs of b_j are drawn from the stream of the data, and are fair: 20 signs in each of 200 instances are
 * counted. */
static void test_signs_are_fair(void **state)
{
    struct instance in = INSTANCE(*state, "coins", { "d", 20 });
    double sum = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        double x[20];
        struct facts f;
        void *self;
        assert_int_equal(instance_make(&in, seed, *state, &self, &f, NULL), OK);
        in.p->minimiser(self, x);
        for (int j = 0; j < 20; j++)
            sum += x[j] > 0 ? 1 : -1;
    }
    within("signs", sum, 0, 6 * sqrt(4000));
}

/* --- batch means */

/* probability[k_0 (b+1) + k_1] += P(k_0 and k_1 plus signs in the two coordinates of b samples), by listing all 4^b
 * outcomes. */
static void enumerate(int b, const double *bias, double *probability)
{
    for (long k = 0; k < 1L << (2 * b); k++) {
        double p = 1;
        int plus[2] = { 0, 0 };
        for (int t = 0; t < 2 * b; t++) {
            plus[t & 1] += k >> t & 1;
            p *= (1 + (k >> t & 1 ? 1 : -1) * bias[t & 1]) / 2;
        }
        probability[plus[0] * (b + 1) + plus[1]] += p;
    }
}

/* The exact law of a batch and batches of samples are each compared with the enumeration of all outcomes. */
static void test_law_by_enumeration(void **state)
{
    enum { N = 50000 };
    struct instance in = INSTANCE(*state, "coins", { "d", 2 }, { "bias", 0.2 }, { "L", sqrt(2) });
    double b[2], zero[2] = { 0 };
    struct rng draws = rng_stream(24);
    population(&in, 0.2, b);
    for (int size = 1; size <= 4; size++)
        for (int real = 0; real < 2; real++) {
            double probability[25] = { 0 }, seen[25] = { 0 };
            enumerate(size, b, probability);
            for (long i = 0; i < N; i++) {
                double g[2] = { 0 };
                struct samples s = { .first = i * size, .count = size };
                struct rng draw = rng_at(&draws, (uint64_t)i);
                if (real)
                    in.p->batch_grad(in.self, &s, NULL, zero, size, g);
                else
                    instance_law(&in, &draw, size, zero, size, g);
                long k0 = lrint((size - g[0]) / 2), k1 = lrint((size - g[1]) / 2);
                assert_true(fabs(size - g[0] - 2.0 * (double)k0) < 1e-12);
                seen[k0 * (size + 1) + k1]++;
            }
            chi_square((size + 1) * (size + 1), seen, probability, N);
        }
}

/* One draw of a batch serves all points: inside the cube its answer has the same bits everywhere, and outside of
 * the cube it has the sign of x_j. Mean and variance over N draws are tested for two large batches, one of them
 * beyond the range of a single call of the binomial generator. */
static void test_law_of_many(void **state)
{
    enum { D = 3, N = 3000 };
    static const double sizes[] = { 1e4, 0x1p32 + 99 };
    struct instance in = INSTANCE(*state, "coins", { "d", D }, { "bias", 0.5 }, { "L", sqrt(D) });
    const double zero[D] = { 0 }, x[D] = { 0.7, -3, 0.5 };   /* theta = 1/sqrt 3 = 0.577 */
    double b[D];
    struct rng draws = rng_stream(25);
    population(&in, 0.5, b);
    for (int k = 0; k < 2; k++) {
        double sum[D] = { 0 }, square[D] = { 0 };
        for (long i = 0; i < N; i++) {
            double g[D] = { 0 }, h[D] = { 0 };
            struct rng draw = rng_at(&draws, (uint64_t)i);
            instance_law(&in, &draw, sizes[k], zero, 1, g);
            instance_law(&in, &draw, sizes[k], x, 1, h);
            within("beyond", h[0], 1, 1e-15);
            within("beyond", h[1], -1, 1e-15);
            assert_true(h[2] == g[2]);
            for (int j = 0; j < D; j++) {
                double z = (g[j] + b[j]) / sqrt(0.75 / sizes[k]);
                sum[j] += z;
                square[j] += z * z;
            }
        }
        for (int j = 0; j < D; j++) {
            within("mean", sum[j], 0, 6 * sqrt(N));
            within("variance", square[j] / N, 1, 6 * sqrt(2.0 / N));
        }
    }
}

/* --- records */

/* F is the mean of the losses of the records, which are the first n samples of the stream with the same data. The
 * excess is F less its minimum; the measure excess_population is the excess of the stream. */
static void test_stored(void **state)
{
    static const int dims[] = { 1, 2, 33 }, sizes[] = { 1, 2, 63, 64, 500 };
    struct rng r = rng_stream(26);
    for (int k = 0; k < 15; k++) {
        int d = dims[k % 3], n = sizes[k / 3];
        struct instance in = INSTANCE(*state, "coins_stored", { "d", d }, { "n", n }, { "L", 2 });
        struct instance stream = INSTANCE(*state, "coins", { "d", d }, { "L", 2 });
        double x[MOST], star[MOST], least = 0;
        assert_true(in.f.n == n && in.f.sigma == 2 && in.f.Phi == 2 && in.f.dist == 1);
        assert_int_equal(in.f.origin[FACT_f_star], ORIGIN_DATA);
        in.p->minimiser(in.self, star);
        for (long i = 0; i < n; i++)
            least += stream.p->sample_value(stream.self, i, star) / n;
        within("F*", in.f.f_star, least, 1e-12);
        within("distance", measured(&in, "distance", star), 0, 0);
        for (int t = 0; t < 20; t++) {
            double F = 0;
            rng_normals(&r, d, t % 2 ? 0.5 / sqrt(d) : 2, x);
            for (long i = 0; i < n; i++)
                F += stream.p->sample_value(stream.self, i, x) / n;
            near(in.p->value(in.self, x), F, 1e-12);
            within("excess", measured(&in, "excess", x), F - least, 1e-12);
            assert_true(F >= least - 1e-12);
            near(measured(&in, "excess_population", x), measured(&stream, "excess", x), 1e-15);
        }
    }
}

/* If half of the records have a plus in coordinate j, F does not depend on x_j inside the cube, and every such x_j
 * is optimal. Two records with different signs are such a case. */
static void test_stored_ties(void **state)
{
    struct instance in = INSTANCE(*state, "coins_stored", { "d", 1 }, { "n", 2 }, { "bias", 0 });
    double x = 0.5, star = NAN;
    int ties = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct instance other = in;
        int s0, s1;
        assert_int_equal(instance_make(&in, seed, *state, &other.self, &other.f, NULL), OK);
        coins(&other, 0, &s0);
        coins(&other, 1, &s1);
        in.p->minimiser(other.self, &star);
        assert_true(star == (s0 + s1) / 2);
        within("excess", measured(&other, "excess", &x), s0 == s1 ? 1 - s0 * x : 0, 0);
        within("distance", measured(&other, "distance", &x), s0 == s1 ? 1 - s0 * x : 0, 0);
        ties += s0 != s1;
    }
    assert_true(ties > 0 && ties < 40);              /* fails with probability 2^-39 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_population_by_enumeration), cmocka_unit_test(test_facts),
        cmocka_unit_test(test_subgradients), cmocka_unit_test(test_one_sample),
        cmocka_unit_test(test_coins_are_independent), cmocka_unit_test(test_bias),
        cmocka_unit_test(test_signs_are_fair), cmocka_unit_test(test_law_by_enumeration),
        cmocka_unit_test(test_law_of_many), cmocka_unit_test(test_stored),
        cmocka_unit_test(test_stored_ties),
    };
    return cmocka_run_group_tests_name("coins", tests, hard_setup, hard_teardown);
}

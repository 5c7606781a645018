/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque.c - weights of the ReSQue estimator, compared with densities, and their moments by quadrature over
 * the values that the code returns. Queries are at Gaussian points of standard deviation rho around a centre; the
 * weight w of a query for a point v is such that w times the gradient at the query has the gradient of the smoothed
 * objective at v as its mean.
 *
 * Serves: resque */
#include <gsl/gsl_randist.h>

#include "support/resque.h"

/* w <- the weights of the m Gaussian vectors z[m*d] for the point at u from the centre. Lengths are in units of
 * rho. */
static void weights_at(struct scene *q, const double *u, long m, const double *z, double *w)
{
    vec_copy(q->in.d, u, q->s.u);
    q->s.half = vec_dot(q->in.d, u, u) / 2;
    q->s.even = 1;
    resque_scores(&q->s, m, z, w);
    resque_weigh(&q->s, m, w);
}

/* Compares the weights with their definition in at most 5 dimensions: log w = log gamma_rho(v - xi) - log
 * gamma_rho(xi), where v is the point and xi the Gaussian query, both from the centre, and gamma_rho is the density
 * of N(0, rho^2 I). */
static void u1_log_weights(void **state)
{
    struct rng r = rng_stream(1);
    for (long d = 1; d <= 5; d++) {
        struct scene *q = scene_new(line_of, (double)d, 1);
        for (int k = 0; k < 200; k++) {
            double u[5], z[5], w, naive = 0;
            rng_normals(&r, d, 1, z);
            rng_ball(&r, d, u);
            for (long j = 0; j < d; j++)
                naive += log(gsl_ran_ugaussian_pdf(u[j] - z[j]) / gsl_ran_ugaussian_pdf(z[j]));
            weights_at(q, u, 1, z, &w);
            expect_near("log w", log(w), naive, 1e-13 * (1 + vec_dot(d, z, z)));
            assert_true(q->s.log_w_max >= naive - 1e-12);
        }
        scene_free(q);
    }
}

/* Returns the mean over z ~ N(0, 1) of f, a function of z, of the code's weights w and w2 for the points u and v,
 * and of a power p, by the trapezoid rule of step h. The error of the rule is of the order exp(-2 pi^2/h^2), and
 * the tails beyond 40 have weight exp(-(40 - p u)^2/2 + ...). */
enum { GRID = 16001 };
static double mean_over(struct scene *q, double u, double v, double p,
                        double (*f)(double w, double w2, double z, double u, double v, double p))
{
    static double z[GRID], w[GRID], w2[GRID];
    double sum = 0, h = 80.0 / (GRID - 1);
    for (int k = 0; k < GRID; k++)
        z[k] = -40 + k * h;
    for (int k = 0; k < GRID; k += CLOUD_ROWS) {
        long m = GRID - k < CLOUD_ROWS ? GRID - k : CLOUD_ROWS;
        weights_at(q, &u, m, z + k, w + k);
        weights_at(q, &v, m, z + k, w2 + k);
    }
    for (int k = 0; k < GRID; k++)
        sum += h * gsl_ran_ugaussian_pdf(z[k]) * f(w[k], w2[k], z[k], u, v, p);
    return sum;
}

static double power_of(double w, double w2, double z, double u, double v, double p)
{
    return pow(w, p);
}
static double product_of(double w, double w2, double z, double u, double v, double p)
{
    return w * w2;
}
static double difference_of(double w, double w2, double z, double u, double v, double p)
{
    return pow(fabs(resque_difference(1, &u, &v, &z, w2)), p);
}

/* Checks the moments W1 to W5 of the weights (items of docs/papers/resque.md) for powers p up to 4, at distances up
 * to 2 rho from the centre, where E w^2 = 54.6. */
static void s2_3_moments_of_weights(void **state)
{
    struct scene *q = scene_new(line_of, 1, 1);
    for (double u = 0; u <= 2; u += 0.25)
        for (double p = -1; p <= 4; p++) {
            double truth = exp((p * p - p) * u * u / 2);
            expect_near("E w^p", mean_over(q, u, 0, p, power_of), truth, 1e-11 * truth);
        }
    for (double u = -1; u <= 1; u += 0.25)
        for (double v = -1; v <= 1; v += 0.25) {
            double square = exp(u * u) - 2 * exp(u * v) + exp(v * v);
            expect_near("E w w'", mean_over(q, u, v, 0, product_of), exp(u * v), 1e-11);
            expect_near("E (w - w')^2", mean_over(q, u, v, 2, difference_of), square, 1e-11);
        }
    expect_near("twice rho", mean_over(q, 2, 0, 2, power_of), 54.598150033144236, 1e-9);
    scene_free(q);
}

/* For a point up to rho/p from the centre, the weight w has E w^p <= 2. At this distance E w^p is exp((1 - 1/p)/2),
 * and at the distance rho it exceeds 2. */
static void c3_powers_within_their_ball(void **state)
{
    struct scene *q = scene_new(line_of, 1, 1);
    for (double p = 2; p <= 16; p++) {
        double most = mean_over(q, 1 / p, 0, p, power_of);
        expect_near("E w^p", most, exp((1 - 1 / p) / 2), 1e-11);
        assert_true(most <= 2);
        assert_true(mean_over(q, 1, 0, p, power_of) > 2);
    }
    scene_free(q);
}

/* The weights w and w' for two points v and v', within 1/p of the centre in units of rho, differ such that E |w -
 * w'|^p is at most (24 p |v - v'|)^p, and for even p at most (12 p |v - v'|)^p. */
static void c4_differences(void **state)
{
    struct scene *q = scene_new(line_of, 1, 1);
    for (int p = 2; p <= 8; p++)
        for (double u = -1; u <= 1; u += 0.25)
            for (double v = -1; v < u; v += 0.25) {
                double base = (p % 2 ? 24 : 12) * p * (u - v) / p;
                double y = mean_over(q, u / p, v / p, p, difference_of);
                assert_true(y <= pow(base, p) && y > 0);
            }
    scene_free(q);
}

/* For close points resque_difference keeps the digits that a difference of two weights loses. */
static void s2_2_differences_without_cancellation(void **state)
{
    struct scene *q = scene_new(line_of, 1, 1);
    for (double h = 1e-3; h > 1e-16; h /= 10) {
        double u = 0.5 + h, z = 1.25, v = 0.5, w;
        weights_at(q, &v, 1, &z, &w);
        double step = u - v;                         /* this difference is exact */
        double truth = w * (step * (z - v) + step * step * ((z - v) * (z - v) - 1) / 2);
        double y = resque_difference(1, &u, &v, &z, w);
        expect_near("w - w'", y / truth, 1, 3 * step * step + 1e-14);
    }
    scene_free(q);
}

static double choose(int n, int k) { return k ? choose(n, k - 1) * (n - k + 1) / k : 1; }

/* Fact 2 of the paper, that sum_k (-1)^k binom(p, k) k^e is 0 for e < p, is checked in exact arithmetic. The sum in
 * Fact 3, which is E (w - w')^p, is compared with the quadrature. */
static void u13_facts(void **state)
{
    struct scene *q = scene_new(line_of, 1, 1);
    struct rng r = rng_stream(2);
    for (int p = 1; p <= 12; p++)
        for (int e = 0; e < p; e++) {
            double sum = 0;
            for (int k = 0; k <= p; k++)
                sum += (k % 2 ? -1 : 1) * choose(p, k) * pow(k, e);
            assert_true(sum == 0);                   /* all terms are integers below 2^53 */
        }
    for (int p = 2; p <= 6; p += 2)
        for (int k = 0; k < 20; k++) {
            double x = (2 * rng_uniform(&r) - 1) / p, y = (2 * rng_uniform(&r) - 1) / p, sum = 0;
            for (int e = 0; e <= p; e++)
                sum += (e % 2 ? -1 : 1) * choose(p, e) *
                       exp(((p - e) * (p - e) - (p - e)) * x * x / 2.0 + (e * e - e) * y * y / 2.0 +
                           e * (p - e) * x * y);
            expect_near("Fact 3", mean_over(q, x, y, p, difference_of), sum, 1e-11);
            assert_true(fabs(sum) <= pow(12 * p * fabs(x - y), p));
        }
    scene_free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u1_log_weights),
        cmocka_unit_test(s2_3_moments_of_weights),
        cmocka_unit_test(c3_powers_within_their_ball),
        cmocka_unit_test(c4_differences),
        cmocka_unit_test(s2_2_differences_without_cancellation),
        cmocka_unit_test(u13_facts),
    };
    return cmocka_run_group_tests_name("ReSQue: weights", tests, NULL, NULL);
}

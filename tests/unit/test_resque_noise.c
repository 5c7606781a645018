/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_noise.c - Algorithms 5 and 6 of the paper resque on linear losses, where bias and variance of the
 * answer are known: a step is affine in the iterate, so that a loop over all steps adds up the effects of each
 * sample and each noise. T and beta are those of a call of Algorithm 5: its number of gradients, and the size of
 * its noise. In stage i = 0, ..., k-1 a release after steps of length eta has noise of standard deviation
 * L eta/beta_i, beta_i = 2^((k-i)/2) beta.
 *
 * Serves: resque */
#include "support/method.h"
#include "support/draw.h"

enum { D = 8 };

/* The law of an answer x for a linear loss of slope h, whose minimiser with the quadratic of weight lam is t, at
 * |t| = h/lam. The Lipschitz constant is L = h + s, where s^2 is the variance of sampling. bias: the mean of x - t
 * along t; variance: the total variance of x. Weights are 1, and no ball binds. */
struct answer { double bias, variance; };

static struct answer recursion(double T, double beta, double h, double s, double lam, double C, double r)
{
    double L = h + s, bias = -h / lam, variance = 0, E_0 = NAN;
    int k = 1;
    while (ldexp(1, 1 << k) < T)
        k++;
    for (int i = 0; i < k; i++) {
        double b = beta * pow(2, (k - i) / 2.0), of = floor(ldexp(T, i - k));
        double E = 2 * C * C * L * L / lam * pow(sqrt(D) / (b * of) + 1 / sqrt(of), 2);
        E_0 = i ? E_0 : E;
        double gap = 4 * E * pow(2 * L * L / lam / (4 * E_0), pow(2, -i));
        double eta = fmin(2 * r, sqrt(2 * gap / lam)) / L * fmin(1 / sqrt(of), b / sqrt(D));
        long m = 1;
        while (2 * m <= (long)of)
            m *= 2;
        for (m /= 2, eta /= 4; m >= 1; m /= 2, eta /= 4) {
            double a = 1 / (1 + eta * lam), power = 1, all = 0, drawn = 0;
            for (long j = m; j >= 1; j--) {              /* sample j contributes to y_j, ..., y_m */
                power *= a;
                all += power;
                drawn += pow(eta * all / (double)m * s, 2);
            }
            double kept = all / (double)m;
            bias *= kept;
            variance = variance * kept * kept + drawn + D * pow(L * eta / b, 2);
        }
    }
    return (struct answer){ bias, variance };
}

/* Over 2000 draws of the estimator resque-erm the means of |x - t|^2 and of the component of x - t along t must be
 * those of `recursion` at top_T and top_beta, two-sided at 5.5 standard errors (4e-8 each). step: "top" stands for
 * the highest level, 2^jmax T gradients and noise for 2^(-jmax/2) beta, "quiet" for as many gradients and the beta
 * of the lowest level. */
static void check(const char *step, double T, double beta, double data, double C, double top_T, double top_beta)
{
    enum { DRAWS = 2000 };
    const double h = 0.1, s = 1, lam = 2, r = 100;
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", h }, { "s", s }, { "radius", r });
    struct draw_of *q = DRAWN("resque-erm", &in, 5, { "step", 0, step }, { "gradients", T }, { "beta", beta },
                              { "data", data }, { "C_cvx", C }, { "lam", lam });
    struct sample_moments square = { 0 }, share = { 0 };
    for (int k = 0; k < DRAWS; k++) {
        struct rng at = rng_at(&q->rng, q->draws++);
        arena_reset(q->work);
        assert_int_equal(q->e->draw(&q->o, q->params, q->work, &at, 0, q->v), OK);
        moments_of(&square, pow(vec_dist(D, q->v, q->target), 2));
        moments_of(&share, vec_dot(D, q->v, q->target) / vec_dot(D, q->target, q->target));
    }
    expect_near("target", vec_norm(D, q->target), h / lam, 1e-12);
    struct answer want = recursion(top_T, top_beta, h, s, lam, C, r);
    double truth = want.bias * want.bias + want.variance, z[2];
    z[0] = (square.mean - truth) / sqrt(moments_variance(&square) / DRAWS);
    z[1] = (share.mean - 1 - want.bias / (h / lam)) / sqrt(moments_variance(&share) / DRAWS);
    if (!(fabs(z[0]) < 5.5 && fabs(z[1]) < 5.5 && sqrt(moments_variance(&square) / DRAWS) < 0.05 * truth))
        fail_msg("%s, T %g, beta %g, C %g: %g for %g (%+.1f), share %g for %g (%+.1f)", step, T, beta, C,
                 square.mean, truth, z[0], share.mean, 1 + want.bias / (h / lam), z[1]);
    drawn_free(q);
}

/* Algorithm 5 is checked in cases in which noise decides the error and in others in which sampling does; the radii
 * are those of practice or of the proof; there are three or four stages. */
static void c23_s3_8_algorithm_5_on_linear_losses(void **state)
{
    check("strongly", 64, 0.2, 0x1p40, 1, 64, 0.2);
    check("strongly", 1024, 0.05, 0x1p40, 1, 1024, 0.05);
    check("strongly", 1024, 0.002, 0x1p40, 1, 1024, 0.002);
    check("strongly", 1000, 0.05, 0x1p40, 16, 1000, 0.05);
    check("strongly", 1024, INFINITY, 0x1p40, 1, 1024, INFINITY);
}

/* The highest level of Algorithm 6 is jmax = floor(log2(n/(4 T))), which is 4 for T = 64, n = 4096. */
static void c24_s8_18_the_highest_level(void **state)
{
    check("top", 64, 0.2, 4096, 1, 1024, 0.05);
    check("quiet", 64, 0.2, 4096, 1, 1024, 0.2);
    check("top", 64, 0.4, 4096, 16, 1024, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c23_s3_8_algorithm_5_on_linear_losses),
        cmocka_unit_test(c24_s8_18_the_highest_level),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

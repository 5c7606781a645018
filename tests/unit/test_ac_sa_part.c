/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ac_sa_part.c - the AC-SA recursion that methods share: coefficients, bounds with and without
 * strong convexity, stages that halve the excess. x, ag and md are its three points, of which ag is the
 * answer and md the point of the gradients; alpha and gamma_t are the weights of round t, lambda is the
 * strong convexity, v^2 the variance of a gradient.
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

#include "algos/parts/ac_sa.h"

enum { D = 7, T = 13 };

static struct instance outside(void)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", 0 }, { "decades", 2 }, { "rr", 1.4 });
}

struct source {
    const struct instance *in;
    double lambda, v;                /* v^2 = E|noise|^2 */
    struct rng r;
};

/* g[d] <- the gradient of F + (lambda/2)|x|^2 at x, plus normal noise; F is the objective of the instance. */
static bool source_grad(void *ctx, const double *x, double *g)
{
    struct source *s = ctx;
    double noise[D];
    s->in->p->grad(s->in->self, x, g);
    vec_axpy(D, s->lambda, x, g);
    rng_normals(&s->r, D, s->v / sqrt(D), noise);
    vec_axpy(D, 1, noise, g);
    return true;
}

static double regularised(const struct source *s, const double *x)
{
    return s->in->p->value(s->in->self, x) + s->lambda / 2 * vec_dot(D, x, x);
}

/* Returns the minimum of F + (lambda/2)|x|^2; x[d] <- the minimiser, by 4000 projected steps on a well-conditioned
 * problem. */
static double minimum(struct source *s, double *x)
{
    double g[D], v = s->v;
    s->v = 0;
    vec_zero(D, x);
    for (int k = 0; k < 4000; k++) {
        source_grad(s, x, g);
        vec_axpy(D, -1 / (1 + s->lambda), g, x);
        instance_project(s->in, x);
    }
    s->v = v;
    return regularised(s, x);
}

static struct ac_sa part_of(struct oracle *o, struct source *s, double lambda)
{
    struct ac_sa a = { .o = o, .grad = source_grad, .ctx = s, .lambda = lambda };
    ac_sa_reserve(&a, memory);
    return a;
}

/* The answer must be that of the recursion in the head of algos/parts/ac_sa.h, written out here with al for alpha
 * and ga for gamma_t. */
static void bl10_strongly_convex_recursion(void **state)
{
    const double lambda = 0.3, gamma = 1.7;
    struct instance in = outside();
    struct source s = { &in, lambda, 0.2, rng_stream(5) }, twin = s;
    struct oracle o;
    contract_open(&o, &in, NULL, 1, memory);
    struct ac_sa a = part_of(&o, &s, lambda);
    double x[D], ag[D], md[D], g[D];
    for (int j = 0; j < D; j++)
        a.ag[j] = x[j] = ag[j] = 0.1 * j - 0.2;
    assert_true(ac_sa_stage(&a, T, gamma));
    for (int t = 1; t <= T; t++) {
        double al = 2.0 / (t + 1), ga = 4 * gamma / (t * (t + 1.0));
        double den = ga + (1 - al * al) * lambda;
        double c1 = (1 - al) * (lambda + ga) / den, c2 = al * ((1 - al) * lambda + ga) / den;
        expect_near("c1 + c2", c1 + c2, 1, 1e-15);
        assert_true(t > 1 || c1 == 0);
        for (int j = 0; j < D; j++)
            md[j] = c1 * ag[j] + c2 * x[j];
        source_grad(&twin, md, g);
        for (int j = 0; j < D; j++)
            x[j] = ((ga + lambda * (1 - al)) * x[j] + lambda * al * md[j] - al * g[j]) /
                   (ga + lambda);
        instance_project(&in, x);
        for (int j = 0; j < D; j++)
            ag[j] = al * x[j] + (1 - al) * ag[j];
    }
    expect_vectors("ag", D, a.ag, ag, 1e-13);
    oracle_release(&o);
}

/* Checks the two bounds of ac_sa.h, where d0 is the distance of the start from the minimiser and M the smoothness
 * of the objective with its term (0.05/2)|x|^2, of which the method knows only if lambda > 0. The mean excess of
 * 300 runs is at most 2 M d0^2/(T(T+1)) + 2 v^2/(lambda (T+1)) for lambda > 0, and at most 2 gamma d0^2/(T(T+1)) +
 * (2T+1) v^2/(6 gamma) for lambda = 0, up to 6 standard errors. Without noise one run must satisfy the bounds up to
 * rounding. */
static void bl10_bounds(void **state)
{
    static const double noise[] = { 0, 0.5 };
    for (int k = 0; k < 2; k++)
        for (int strong = 0; strong < 2; strong++)
            for (long rounds = 2; rounds <= 128; rounds *= 4) {
                struct instance in = outside();
                struct source s = { &in, 0.05, noise[k], rng_stream(9) };
                struct oracle o;
                double star[D], least = minimum(&s, star), n = (double)rounds, v = s.v;
                double M = 1 + s.lambda, square = vec_dot(D, star, star);
                double gamma = strong ? M : ac_sa_gamma(M, v, sqrt(square), n);
                double noisy = strong ? 2 / (s.lambda * (n + 1)) : (2 * n + 1) / (6 * gamma);
                double bound = 2 * gamma * square / (n * (n + 1)) + v * v * noisy;
                struct sample_moments gap = { 0 };
                contract_open(&o, &in, NULL, 1, memory);
                struct ac_sa a = part_of(&o, &s, strong ? s.lambda : 0);
                for (int run = 0; run < (k ? 300 : 1); run++) {
                    vec_zero(D, a.ag);
                    assert_true(ac_sa_stage(&a, rounds, gamma));
                    moments_of(&gap, regularised(&s, a.ag) - least);
                }
                double slack = k ? Z * sqrt(moments_variance(&gap) / gap.n) : 1e-12;
                if (!(gap.mean <= bound + slack && gap.mean >= (k ? bound / 100 : -1e-12)))
                    fail_msg("T = %ld, v = %g: %g, bound %g", rounds, v, gap.mean, bound);
                oracle_release(&o);
            }
}

/* The gamma that ac_sa_gamma chooses for n rounds with noise of norm v must minimise the bound of the excess, 2
 * gamma R^2/(n(n+1)) + (2n+1) v^2/(6 gamma), where R bounds the distance of the start from the minimiser. Without
 * noise the chosen gamma is 2 M. */
static void bl10_gamma_is_best(void **state)
{
    const double M = 1, v = 3, R = 0.7, n = 20, g = ac_sa_gamma(M, v, R, n);
    double at[3];
    for (int k = 0; k < 3; k++) {
        double gamma = g * (1 + 0.01 * (k - 1));
        at[k] = 2 * gamma * R * R / (n * (n + 1)) + (2 * n + 1) * v * v / (6 * gamma);
    }
    assert_true(g > 2 * M && at[1] < at[0] && at[1] < at[2]);
    assert_true(ac_sa_gamma(M, 0, R, n) == 2 * M);
}

/* A stage is a run from the answer of the stage before, of as many rounds as ac_sa_halving returns. Each stage must
 * halve the bound of the mean excess. */
static void bl10_stages_halve(void **state)
{
    static const double noise[] = { 0, 0.1 };
    for (int k = 0; k < 2; k++) {
        enum { STAGES = 6, RUNS = 200 };
        struct instance in = outside();
        struct source s = { &in, 0.2, noise[k], rng_stream(21) };
        struct oracle o;
        double star[D], least = minimum(&s, star), zero[D] = { 0 }, M = 1 + s.lambda;
        double V0 = regularised(&s, zero) - least;
        struct sample_moments gap[STAGES] = { 0 };
        contract_open(&o, &in, NULL, 1, memory);
        struct ac_sa a = part_of(&o, &s, 0);
        for (int run = 0; run < (k ? RUNS : 1); run++) {
            double V = V0;
            vec_zero(D, a.ag);
            for (int stage = 0; stage < STAGES; stage++, V /= 2) {
                double n = ceil(ac_sa_halving(M, s.lambda, s.v, V));
                double gamma = ac_sa_stage_gamma(M, s.lambda, s.v, V, n);
                assert_true(ac_sa_stage(&a, (long)n, gamma));
                moments_of(&gap[stage], regularised(&s, a.ag) - least);
            }
        }
        for (int stage = 0; stage < STAGES; stage++) {
            double sd = k ? sqrt(moments_variance(&gap[stage]) / RUNS) : 0;
            assert_true(gap[stage].mean <= ldexp(V0, -1 - stage) + Z * sd + 1e-13);
        }
        oracle_release(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl10_strongly_convex_recursion), cmocka_unit_test(bl10_bounds),
        cmocka_unit_test(bl10_gamma_is_best), cmocka_unit_test(bl10_stages_halve),
    };
    return cmocka_run_group_tests_name("ac-sa recursion", tests, setup, teardown);
}

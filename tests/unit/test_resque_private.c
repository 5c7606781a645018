/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_private.c - Algorithms 3 to 5 of the private part of the paper resque: their sizes; their steps,
 * compared with loops written here in the coordinates of x; their noise and their entries in the ledger. Algorithms
 * 6 and 7 are in test_resque_levels.c. T is the number of gradients of a call, rho the standard deviation of the
 * smoothing, and r the radius of the ball.
 *
 * Serves: resque */
#include <gsl/gsl_cdf.h>

#include "support/method.h"

#include "algos/parts/resque_account.h"
#include "algos/parts/resque_oracles.h"

enum { D = 3, N = 50 };

struct scene {
    struct instance in;
    struct oracle o;
    struct resque_erm e;
    double xbar[D];
};

static const double R_BALL = 0.2, RHO = 0.7, LIPSCHITZ = 1.5;

static void scene_open(struct scene *q, uint64_t seed)
{
    static const double xbar[] = { 0.1, -0.2, 0.3 };
    memset(q, 0, sizeof *q);
    q->in = INSTANCE(memory, "coins", { "d", D }, { "L", LIPSCHITZ }, { "bias", 0.4 });
    contract_open(&q->o, &q->in, NULL, seed, memory);
    memcpy(q->xbar, xbar, sizeof xbar);
    q->e = (struct resque_erm){ .o = &q->o, .site = "test", .L = LIPSCHITZ, .r = R_BALL, .rho = RHO,
                                .C_cvx = 1, .base = rng_stream(seed + 77), .xbar = q->xbar };
    resque_erm_reserve(&q->e, memory);
    assert_true(oracle_take(&q->o, N, &q->e.data));
    q->e.data.aggregated = false;
}

/* Returns the density of N(0, RHO^2 I), up to a constant. */
static double density(const double *v)
{
    return exp(-vec_dot(D, v, v) / (2 * RHO * RHO));
}

/* x[d] <- x after one phase as printed, in the coordinates of x; the phase draws its Gaussian vectors from
 * substream `pool` of the scene. */
static void phase(struct scene *q, struct oracle *twin, const struct ticket *data, uint64_t pool,
                  double eta, long T, double lam, const double *c, double sigma, double *x)
{
    struct rng key = rng_sub(&q->e.base, pool);
    double sum[D] = { 0 }, y[D];
    struct ticket draw;
    memcpy(y, x, sizeof y);
    assert_true(oracle_draw_from(twin, data, T, &draw));
    for (long j = 0; j < T; j++) {
        double z[D], at[D], g[D] = { 0 }, off[D], back[D];
        struct rng row = rng_at(&key, (uint64_t)j);
        rng_normals(&row, D, 1, z);
        for (int k = 0; k < D; k++) {
            at[k] = q->xbar[k] + RHO * z[k];
            off[k] = y[k] - at[k];
            back[k] = RHO * z[k];
        }
        q->in.p->sample_grad(q->in.self, oracle_record(twin, &draw, j), at, 1, g);
        double w = density(off) / density(back), far = 0;
        for (int k = 0; k < D; k++) {
            y[k] = (y[k] - eta * w * g[k] + eta * lam * c[k]) / (1 + eta * lam);
            far += (y[k] - q->xbar[k]) * (y[k] - q->xbar[k]);
        }
        for (int k = 0; k < D && sqrt(far) > R_BALL; k++)
            y[k] = q->xbar[k] + (y[k] - q->xbar[k]) * R_BALL / sqrt(far);
        for (int k = 0; k < D; k++)
            sum[k] += y[k] / (double)T;
    }
    noise_gaussian(twin, &(struct release){ .site = "twin" }, sigma, D, sum);
    memcpy(x, sum, sizeof sum);
    double far = vec_dist(D, x, q->xbar);
    for (int k = 0; k < D && far > R_BALL; k++)
        x[k] = q->xbar[k] + (x[k] - q->xbar[k]) * R_BALL / far;
}

/* Compares Algorithms 3 (lam = 0) and 4 with the loop `phase`: T = 11 has phases of 4, 2 and 1 steps. */
static void as_printed(double lam, const double *centre, double r_start, const double *start)
{
    const double beta = 0.3, T = 11;
    struct scene q;
    struct oracle twin;
    struct ticket data;
    double v[D], x[D], c[D], offset[D];
    scene_open(&q, 5);
    contract_open(&twin, &q.in, NULL, 5, memory);
    assert_true(oracle_take(&twin, N, &data));
    data.aggregated = false;
    vec_lincomb(D, 1, centre, -1, q.xbar, offset);
    q.e.lam = lam;
    q.e.c = lam > 0 ? offset : NULL;
    memcpy(c, centre, sizeof c);
    vec_lincomb(D, 1, start, -1, q.xbar, v);
    memcpy(x, start, sizeof x);
    double eta = r_start / LIPSCHITZ * fmin(1 / sqrt(T), beta / sqrt(D));
    for (int i = 1; i <= 3; i++)
        phase(&q, &twin, &data, (uint64_t)i - 1, eta * pow(4, -i), 8 >> i, lam, c,
              LIPSCHITZ * eta * pow(4, -i) / beta, x);
    assert_true(resque_erm_convex(&q.e, beta, T, r_start, v));
    vec_axpy(D, 1, q.xbar, v);
    expect_vectors("answer", D, v, x, 1e-13);
    assert_true(vec_dist(D, v, q.xbar) <= R_BALL * (1 + 1e-12));
    expect_count(&q.o, COUNT_sample_grads, 7);
    expect_count(&q.o, COUNT_noise_gauss, 3);
    oracle_release(&q.o);
    oracle_release(&twin);
}

static void s3_6_algorithm_3(void **state)
{
    static const double xbar[] = { 0.1, -0.2, 0.3 };
    as_printed(0, xbar, R_BALL, xbar);
}

static void s3_7_c21_algorithm_4(void **state)
{
    static const double xbar[] = { 0.1, -0.2, 0.3 }, elsewhere[] = { 0.9, 0.5, -0.4 };
    static const double start[] = { 0.2, -0.15, 0.25 };
    as_printed(0.8, xbar, 0.31, start);
    as_printed(0.8, elsewhere, 0.31, start);
    as_printed(40, elsewhere, 2 * R_BALL, start);
}

/* The ledger has an entry for each phase i of Algorithm 3, with its batch T_i = 64/2^i, its noise sigma_i = L
 * eta_i/beta and the scheme of its ticket. T = 100 counts as 64, a power of two. */
static void u7_s1_3_bookkeeping(void **state)
{
    const double beta = 0.05, eta = R_BALL / LIPSCHITZ * fmin(0.1, beta / sqrt(D));
    struct scene q;
    double v[D] = { 0 }, sum = 0;
    scene_open(&q, 9);
    assert_true(resque_erm_convex(&q.e, beta, 100, R_BALL, v));
    assert_int_equal(q.o.ledger.entries, 6);
    for (int i = 1; i <= 6; i++) {
        const struct ledger_entry *e = &q.o.ledger.entry[i - 1];
        double eta_i = eta * pow(4, -i);
        assert_true(e->scheme == SAMPLING_REPLACE && e->of == N && e->from == 0 && !e->hidden);
        assert_true(e->batch == 64 >> i && e->failure == 0);
        expect_near("sigma_i", e->scale, LIPSCHITZ * eta_i / beta, 1e-14 * e->scale);
        assert_true(e->sensitivity >= 2 * LIPSCHITZ * eta_i);
        sum += e->batch;
    }
    assert_true(sum == 63);
    expect_count(&q.o, COUNT_sample_grads, 63);
    oracle_release(&q.o);
}

/* The sizes of Algorithm 5 satisfy identities of the proof. Stage i of k has T_i steps, noise for beta_i and the
 * error E_i; D_i bounds the gap after i stages. The T_i sum to at most T, beta_i T_i = 2^((i-k)/2) beta T, E_(i+1)
 * = E_i/2, D_0 = 2 L^2/lam, D_(i+1)^2 = D_i E_i, and D_k <= 8 E_k if E_0 >= L^2/(2 lam T). T is a power of two
 * here, so that no T_i is rounded. */
static void u7_s3_8_s8_16_algorithm_5(void **state)
{
    const double beta = 0.07, lam = 3, L = LIPSCHITZ;
    for (double T = 16; T <= 0x1p40; T *= 4) {
        int k = resque_sc_stages(T);
        double sum = 0, squares = 0, E[8], gap[8];
        assert_true(ldexp(1, 1 << (k - 1)) < T && T <= ldexp(1, 1 << k));
        for (int i = 0; i <= k; i++) {
            double T_i = resque_sc_steps(T, k, i), beta_i = resque_sc_beta(beta, k, i);
            expect_near("beta_i T_i", beta_i * T_i, pow(2, (i - k) / 2.0) * beta * T, 1e-9 * beta * T);
            E[i] = resque_sc_error(16, L, lam, D, beta_i, T_i);
            gap[i] = resque_sc_gap(resque_sc_start(L, lam, L / lam), E[0], E[i], i);
            sum += i < k ? T_i : 0;
            squares += i < k ? beta_i * T_i * beta_i * T_i : 0;
            if (i == 0)
                expect_near("D_0", gap[0], 2 * L * L / lam, 1e-12);
            else {
                expect_near("E halves", E[i], E[i - 1] / 2, 1e-9 * E[i]);
                expect_near("D", gap[i] * gap[i], gap[i - 1] * E[i - 1], 1e-9 * gap[i] * gap[i]);
            }
        }
        assert_true(sum <= T && squares <= beta * beta * T * T);
        assert_true(E[0] >= L * L / (2 * lam * T) && gap[k] <= 8 * E[k] * (1 + 1e-12));
        assert_true(resque_sc_gradients(T) <= T);
    }
    /* For every T >= 4 there are at least as many releases as stages, and at most T gradients in total. */
    for (double T = 4; T < 3000; T++)
        assert_true(resque_sc_gradients(T) <= T && resque_sc_releases(T) >= resque_sc_stages(T));
}

/* Algorithm 5 consists of calls of Algorithm 4, each beginning at the answer of the one before. The first begins at
 * xbar, wherever the centre of the quadratic is. */
static void s3_8_calls_of_algorithm_4(void **state)
{
    const double beta = 0.2, T = 23, lam = 2;
    double c[D] = { 0.3, 0, 0 }, v[D], u[D] = { 0 };
    struct scene q, twin;
    scene_open(&q, 3);
    scene_open(&twin, 3);
    q.e.lam = twin.e.lam = lam;
    q.e.c = twin.e.c = c;
    assert_true(resque_erm_strongly(&q.e, beta, T, v));
    assert_int_equal(resque_sc_stages(T), 3);
    double E_0 = NAN;
    for (int i = 0; i < 3; i++) {
        static const double steps[] = { 2, 5, 11 };
        double beta_i = beta * pow(2, (3 - i) / 2.0), root = sqrt(D) / (beta_i * steps[i]) + 1 / sqrt(steps[i]);
        double E_i = 2 * LIPSCHITZ * LIPSCHITZ / lam * root * root;
        E_0 = i ? E_0 : E_i;
        double D_i = 4 * E_i * pow(2 * LIPSCHITZ * LIPSCHITZ / lam / (4 * E_0), pow(2, -i));
        assert_true(resque_erm_convex(&twin.e, beta_i, steps[i], fmin(2 * R_BALL, sqrt(2 * D_i / lam)), u));
    }
    expect_vectors("answer", D, v, u, 1e-14);
    expect_same_counts(&q.o, &twin.o);
    oracle_release(&q.o);
    oracle_release(&twin.o);
}

/* --- the law of the noise of a phase */

/* One step with T = 2 is repeated without noise. The difference of the two answers is N(0, (L eta_1/beta)^2 I), as
 * nothing is projected. The sum of its squares over 1000 runs, a chi-square of 1000 D degrees of freedom, is tested
 * in both tails at 1e-7. */
static void st13_noise_of_a_phase(void **state)
{
    const double beta = 40;
    struct scene q;
    double square = 0, sigma = LIPSCHITZ / beta * R_BALL / LIPSCHITZ / sqrt(2) / 4;
    scene_open(&q, 11);
    for (int run = 0; run < 1000; run++) {
        double v[D] = { 0 }, quiet[D] = { 0 };
        struct scene twin = q;
        assert_true(resque_erm_convex(&q.e, beta, 2, R_BALL, v));
        twin.o.serial = q.o.serial - 2;                  /* the twin repeats the draw and the noise of this run */
        struct ticket draw;
        assert_true(oracle_draw_from(&twin.o, &twin.e.data, 1, &draw));
        vec_copy(D, quiet, twin.e.y);
        assert_true(resque_erm_pass(&twin.e, &draw, R_BALL / LIPSCHITZ / sqrt(2) / 4));
        assert_true(vec_norm(D, v) < 0.99 * R_BALL);
        square += pow(vec_dist(D, v, twin.e.sum) / sigma, 2);
    }
    assert_true(gsl_cdf_chisq_P(square, 1000 * D) > 1e-7 && gsl_cdf_chisq_Q(square, 1000 * D) > 1e-7);
    oracle_release(&q.o);
}

/* --- what is booked in the ledger, and what is refused */

/* A release is booked with the probability that its sensitivity fails. The sensitivity follows from the drift, a
 * bound of how far one record moves an iterate. For the bound of Lemma 5 of the paper the probability is delta_0 if
 * rho/r is as large as the lemma needs, else 1. For an estimate from runs (measured) it is 1. */
static void s8_15_what_is_booked(void **state)
{
    struct scene q;
    double v[D] = { 0 };
    scene_open(&q, 1);
    q.e.drift = DRIFT_PAPER;
    q.e.delta_0 = 1e-9;
    assert_true(resque_drift_failure(&q.e) == 1);        /* rho/r = 3.5 is too small */
    q.e.r = RHO / (1728 * pow(log(1e9), 2)) * 0.999;
    assert_true(resque_drift_failure(&q.e) == 1e-9);
    q.e.lam = 1;                                         /* by Corollary 2 the rho/r that is needed is twice as
                                                            large with lam > 0 */
    assert_true(resque_drift_failure(&q.e) == 1);
    q.e.lam = 0;
    assert_true(resque_erm_convex(&q.e, 1, 4, q.e.r, v));
    const struct ledger_entry *e = &q.o.ledger.entry[0];
    expect_near("1500", pow(e->sensitivity / e->scale, 2), 1500, 1e-6);
    q.e.drift = DRIFT_MEASURED;
    assert_true(resque_drift_failure(&q.e) == 1);
    oracle_release(&q.o);
}

/* The drift bound `proven` relies on Gaussian vectors of length at most Z: a longer one ends the run without a
 * release. The bound of Lemma 5 of the paper does not, and the run makes all of its releases. */
static void a_long_gaussian_is_refused(void **state)
{
    static const enum resque_drift drift[] = { DRIFT_PROVEN, DRIFT_PAPER };
    for (int k = 0; k < 2; k++) {
        struct scene q;
        double v[D] = { 0 };
        scene_open(&q, 1);
        expect_near("Z", q.e.Z, sqrt(D) + 8.3, 1e-15);
        q.e.drift = drift[k];
        q.e.delta_0 = 1e-9;
        q.e.Z = 0.2;                                     /* of 31 draws of 3 coordinates some are longer than
                                                            this */
        assert_true(resque_erm_convex(&q.e, 1, 32, R_BALL, v) == (k == 1));
        assert_true(!q.o.refused == (k == 1));
        assert_int_equal(q.o.ledger.entries, k ? 5 : 0);
        assert_int_equal(q.e.phases, k ? 5 : 0);
        assert_true(k == 1 || strstr(q.o.refused, "longer than the proof"));
        oracle_release(&q.o);
    }
    /* Checks P(|z| > sqrt(d) + 8.3) < 1.2e-15 for d = 1, 3, 9, ..., 6561. */
    for (double d = 1; d < 1e4; d *= 3)
        assert_true(gsl_cdf_chisq_Q(pow(resque_erm_Z(d), 2), d) < 1.2e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s3_6_algorithm_3),
        cmocka_unit_test(s3_7_c21_algorithm_4),
        cmocka_unit_test(u7_s1_3_bookkeeping),
        cmocka_unit_test(u7_s3_8_s8_16_algorithm_5),
        cmocka_unit_test(s3_8_calls_of_algorithm_4),
        cmocka_unit_test(st13_noise_of_a_phase),
        cmocka_unit_test(s8_15_what_is_booked),
        cmocka_unit_test(a_long_gaussian_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

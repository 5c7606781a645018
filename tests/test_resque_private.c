/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_private.c - Algorithms 3 to 7 of the private part: their bookkeeping, their steps against
 * loops written here in the coordinates of x, what one record moves against closed forms, levels and
 * aggregation; draws with replacement; Lemma 6 by enumeration.
 * Serves: resque */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "method.h"
#include "draw.h"

#include "../algos/parts/resque_account.h"
#include "../algos/parts/resque_oracles.h"

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

/* Density of N(0, RHO^2 I) over a constant. */
static double density(const double *v)
{
    return exp(-vec_dot(D, v, v) / (2 * RHO * RHO));
}

/* x[d] <- one phase as printed, in the coordinates of x; the k-th pool of the scene. */
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

/* Algorithms 3 (lam = 0) and 4 against the loop above: T = 11 has phases of 4, 2 and 1 steps. */
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

/* Sizes, noise and tickets of every phase as the ledger has them; T = 100 is 64. */
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

/* Algorithm 5: T_i sum to T at most, beta_i T_i = 2^((i-k)/2) beta T, E_(i+1) = E_i/2, D_0 = 2 L^2/lam,
 * D_(i+1)^2 = D_i E_i, D_k <= 8 E_k where E_0 >= L^2/(2 lam T); powers of two, so that no T_i is rounded. */
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
            gap[i] = resque_sc_gap(L, lam, E[0], E[i], i);
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
    /* T that are no powers: two steps a stage at the least, and T as long as it is 4. */
    for (double T = 4; T < 3000; T++)
        assert_true(resque_sc_gradients(T) <= T && resque_sc_releases(T) >= resque_sc_stages(T));
}

/* Algorithm 5 is Algorithm 4 from answer to answer, from the centre of the quadratic cut to the ball. */
static void s3_8_calls_of_algorithm_4(void **state)
{
    const double beta = 0.2, T = 23, lam = 2;
    double c[D] = { 0.3, 0, 0 }, v[D], u[D] = { R_BALL, 0, 0 };
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

/* --- noise */

/* One step, T = 2: x - y_1 is N(0, (L eta_1/beta)^2 I) where nothing is projected; y_1 from the same run
 * without noise. 4 D squares of 1000 runs: chi-square, both tails at 1e-7. */
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
        twin.o.serial = q.o.serial - 2;                  /* draw and noise of that run */
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

/* --- what one record moves */

static double drawn(struct draw_of *q, const char *name)
{
    for (const struct functional *f = q->e->functionals; f->name; f++)
        if (strcmp(f->name, name) == 0) {
            struct functional_env env = { q->in->d, q->target, q->direction };
            return f->of(&env, q->v);
        }
    fail_msg("no functional %s", name);
    return NAN;
}

static void next(struct draw_of *q, int stratum)
{
    struct rng r = rng_at(&q->rng, q->draws++);
    arena_reset(q->work);
    assert_int_equal(q->e->draw(&q->o, q->params, q->work, &r, stratum, q->v), OK);
}

/* rho so large that weights are 1, one constant gradient: the first turned moves all iterates, and
 * their mean, by 2 eta L; with all T turned y_j - y'_j = 2 j eta L, whose mean is (T+1). */
static void c19_drift_of_constant_gradients(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", 3 }, { "hardness", 1 }, { "s", 0 });
    struct draw_of *q = DRAWN("resque-drift", &in, 1, { "T", 64 }, { "c_rho", 1e9 }, { "b", 1 },
                              { "eta", 1e-4 });
    next(q, 0);
    expect_near("last", drawn(q, "last"), 4, 1e-5);
    expect_near("drift", drawn(q, "drift"), 4, 1e-5);
    drawn_free(q);
    q = DRAWN("resque-drift", &in, 1, { "T", 64 }, { "c_rho", 1e9 }, { "b", 64 }, { "eta", 1e-4 });
    next(q, 0);
    expect_near("all", drawn(q, "drift"), pow(65.0 / 64, 2), 1e-5);
    expect_near("c", q->v[3 * in.d], 2, 1e-6);
    drawn_free(q);
}

/* In one dimension too, where numbers beside the vectors have no more room than one place each. */
static void s1_2_drift_in_one_dimension(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", 1 }, { "hardness", 1 }, { "s", 0 });
    struct draw_of *q = DRAWN("resque-drift", &in, 1, { "T", 64 }, { "c_rho", 1e9 }, { "eta", 1e-4 });
    next(q, 0);
    expect_near("drift", drawn(q, "drift"), 4, 1e-5);
    expect_near("moved", drawn(q, "moved"), 4, 1e-5);
    expect_near("share", drawn(q, "share"), 1, 1e-5);
    drawn_free(q);
}

/* The proven bound holds in every draw, and Lemma 5's constant; where weights are near 1 one turned sample
 * moves all iterates by 2 eta L, nearly all of it. */
static void c19_s6_4_proven_bound(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", 4 }, { "bias", 0.2 });
    static const double ratio[] = { 64, 250, 1000 }, copies[] = { 1, 7, 100 };
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            struct draw_of *q = DRAWN("resque-drift", &in, 7, { "T", 100 }, { "c_rho", ratio[a] },
                                      { "b", copies[b] });
            double largest = 0;
            for (int k = 0; k < 200; k++) {
                next(q, 0);
                assert_true(drawn(q, "share") <= 1 && drawn(q, "drift") <= 1500);
                largest = fmax(largest, drawn(q, "share"));
            }
            assert_true(largest > (b ? 0.1 : a == 2 ? 0.9 : 0.5));
            drawn_free(q);
        }
}

/* What the ledger says of each reading: only what is proven has no failure. */
static void s8_15_what_is_booked(void **state)
{
    struct scene q;
    double v[D] = { 0 };
    scene_open(&q, 1);
    q.e.drift = DRIFT_PAPER;
    q.e.delta_0 = 1e-9;
    assert_true(resque_drift_failure(&q.e) == 1);        /* rho/r = 3.5 */
    q.e.r = RHO / (1728 * pow(log(1e9), 2)) * 0.999;
    assert_true(resque_drift_failure(&q.e) == 1e-9);
    q.e.lam = 1;                                         /* Corollary 2: twice that */
    assert_true(resque_drift_failure(&q.e) == 1);
    q.e.lam = 0;
    assert_true(resque_erm_convex(&q.e, 1, 4, q.e.r, v));
    const struct ledger_entry *e = &q.o.ledger.entry[0];
    expect_near("1500", pow(e->sensitivity / e->scale, 2), 1500, 1e-6);
    q.e.drift = DRIFT_MEASURED;
    assert_true(resque_drift_failure(&q.e) == 1);
    oracle_release(&q.o);
}

/* A Gaussian beyond Z ends the run without a release, where Z is what the proof rests on. */
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
        q.e.Z = 0.2;                                     /* 31 draws of 3 coordinates: one is longer */
        assert_true(resque_erm_convex(&q.e, 1, 32, R_BALL, v) == (k == 1));
        assert_true(!q.o.refused == (k == 1));
        assert_int_equal(q.o.ledger.entries, k ? 5 : 0);
        assert_int_equal(q.e.phases, k ? 5 : 0);
        assert_true(k == 1 || strstr(q.o.refused, "longer than the proof"));
        oracle_release(&q.o);
    }
    /* P(|z| > sqrt(d) + 8.3) < 1.2e-15 for all d. */
    for (double d = 1; d < 1e4; d *= 3)
        assert_true(gsl_cdf_chisq_Q(pow(resque_erm_Z(d), 2), d) < 1.2e-15);
}

/* --- levels, aggregation */

/* Without noise and with equal losses an answer is a function of T alone, so that the strata add up to
 * the deepest level: sum_j 2^-j (x_0 + 2^j (x_j - x_(j-1))) + 2^-jmax x_0. */
static void s3_9_c24_levels_add_up(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "s", 0 }, { "hardness", 0.5 });
    const double T = 16;
    struct with sets[] = { { "step", 0, "prox" }, { "data", 1024 }, { "gradients", T }, { "c_rho", 1e12 },
                           { "lam", 2 }, { 0 } };
    struct draw_of *q = drawn_tuned("resque-erm", &in, 1, sets, NULL), *top;
    double sum[D] = { 0 };
    assert_int_equal(q->strata, 5);                      /* log2(256/16) = 4, and beyond */
    for (int k = 0; k < q->strata; k++) {
        next(q, k);
        vec_axpy(D, q->weight[k], q->v, sum);
    }
    sets[0].word = "top";
    top = drawn_tuned("resque-erm", &in, 1, sets, NULL);
    next(top, 0);
    expect_vectors("levels", D, sum, top->v, 1e-9);
    assert_true(vec_norm(D, top->v) > 0.1);
    drawn_free(q);
    drawn_free(top);
}

/* Gradients by strata: T, and 2^J T and 2^(J-1) T, each That less one a stage. */
static void c25_cost_of_levels(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    const double T = 256;
    struct draw_of *q = DRAWN("resque-erm", &in, 1, { "step", 0, "prox" }, { "data", 16384 }, { "gradients", T });
    assert_int_equal(q->strata, 5);
    for (int J = 1; J <= 5; J++) {
        double before = q->o.counts.of[COUNT_sample_grads];
        next(q, J - 1);
        double spent = q->o.counts.of[COUNT_sample_grads] - before;
        double truth = 256 - 32 - 3;                     /* 32 + 64 + 128, one less each */
        if (J <= 4)
            for (int j = J - 1; j <= J; j++) {
                int k = 8 + j > 8 ? 4 : 3;               /* ceil(log2(8 + j)) stages */
                truth += ldexp(T, j) - ldexp(T, j - k) - k;
            }
        expect_near("gradients", spent, truth, 0);
        assert_true(spent <= (J <= 4 ? ldexp(T, J + 1) + T : T));
    }
    drawn_free(q);
}

/* ceil(20 log(1/zeta)) calls, as the code has it, not 18 log(1/zeta). */
static void s3_10_c26_s8_20_calls_of_a_search(void **state)
{
    struct instance in = INSTANCE(memory, "coins", { "d", D });
    static const double zeta[] = { 0.1, 0.01 }, calls[] = { 47, 93 };
    for (int k = 0; k < 2; k++) {
        struct draw_of *q = DRAWN("resque-erm", &in, 1, { "step", 0, "search" }, { "data", 1e4 },
                                  { "gradients", 64 }, { "zeta", zeta[k] });
        next(q, 0);
        expect_count(&q->o, COUNT_sample_grads, calls[k] * (64 - 8 - 3));
        drawn_free(q);
    }
}

/* --- sampling */

/* Copies of the first of n = 60000 samples among m = 1000 draws from a part of a stream: binomial. Of
 * 20000 tickets, 4 classes, chi-square at 1e-6. The places are those of the part. */
static void st11_s6_4_copies_of_a_record(void **state)
{
    enum { SMALL = 60, DRAWS = 30, TICKETS = 20000 };
    struct instance in = INSTANCE(memory, "coins", { "d", 1 });
    struct oracle o;
    struct ticket skipped, data, t;
    double seen[4] = { 0 }, chi = 0;
    contract_open(&o, &in, NULL, 23, memory);
    assert_true(oracle_take(&o, 17, &skipped) && oracle_take(&o, SMALL, &data));
    data.aggregated = false;
    for (int k = 0; k < TICKETS; k++) {
        int copies = 0;
        assert_true(oracle_draw_from(&o, &data, DRAWS, &t));
        for (long j = 0; j < DRAWS; j++) {
            long record = oracle_record(&o, &t, j);
            assert_true(record >= 17 && record < 17 + SMALL);
            copies += record == 17;
        }
        seen[copies < 3 ? copies : 3]++;
    }
    for (int m = 0; m < 4; m++) {
        double p = m < 3 ? gsl_ran_binomial_pdf((unsigned)m, 1.0 / SMALL, DRAWS)
                         : gsl_cdf_binomial_Q(2, 1.0 / SMALL, DRAWS);
        chi += pow(seen[m] - TICKETS * p, 2) / (TICKETS * p);
    }
    assert_true(gsl_cdf_chisq_Q(chi, 3) > 1e-6);
    assert_true(o.position == 17 + SMALL);
    expect_near("P(1)", gsl_ran_binomial_pdf(1, 1.0 / 60000, 1000), 0.01639, 5e-6);
    oracle_release(&o);
}

/* Lemma 6 for n = 4, m = 3, b = 2 by counting: vectors without the 1, of which a random subset of a
 * places is overwritten, a drawn with weight C(m, a)(n - 1)^(m - a): uniform on vectors with 1 or 2
 * ones. All of this in whole numbers: C(m,a) subsets of equal chance. */
static void u11_s8_25_coupling(void **state)
{
    double chance[64] = { 0 }, weight[] = { 0, 3 * 9, 3 * 3 }, vectors = 0;
    for (int from = 0; from < 27; from++)
        for (int subset = 1; subset < 8; subset++) {
            int a = (subset & 1) + (subset >> 1 & 1) + (subset >> 2 & 1), to = 0, rest = from, apart = 0;
            for (int place = 0, scale = 1; place < 3; place++, scale *= 4, rest /= 3) {
                bool one = subset >> place & 1;
                to += scale * (one ? 0 : 1 + rest % 3);
                apart += one;
            }
            if (a <= 2)
                chance[to] += weight[a] / 36 / 3 / 27;
            assert_true(a > 2 || apart <= 2);
        }
    for (int v = 0; v < 64; v++) {
        int ones = (v % 4 == 0) + (v / 4 % 4 == 0) + (v / 16 == 0);
        bool in = ones == 1 || ones == 2;
        vectors += in;
        expect_near("chance", chance[v], in ? 1.0 / 36 : 0, 1e-15);
    }
    assert_true(vectors == 36);
}

/* --- the account of the parts */

/* Linear divergences: the table of the accountant's figures, and the cap. */
static void s3_14_lines(void **state)
{
    static const struct { double s, delta, eps; } known[] = {
        { 1, 1e-5, 5.29853 }, { 2, 1e-5, 2.52426 }, { 5, 1e-5, 0.97971 }, { 10, 1e-5, 0.48485 },
        { 5, 1e-6, 1.07130 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct renyi_line l = { 1 / (2 * known[k].s * known[k].s), INFINITY };
        double eps = renyi_eps(l, known[k].delta);
        expect_near("eps", eps, known[k].eps, 1e-5);
        expect_near("slope", renyi_slope(eps, INFINITY, known[k].delta), l.slope, 1e-9);
        l.cap = 3;
        expect_near("capped", renyi_eps(l, known[k].delta), 3 * l.slope + log(1 / known[k].delta) / 2,
                    1e-12);
    }
    assert_true(renyi_eps((struct renyi_line){ 0, INFINITY }, 1e-6) == 0);
    assert_true(isinf(renyi_eps((struct renyi_line){ 1e-9, 1 }, 1e-6)));
}

/* Copies priced are never fewer than the binomial's quantile; the constants of Lemma 7: 6000 beta^2
 * log^2(2/delta) = tau', 13 (1.2 T/n)^2 tau' = 112320 (beta log(2/delta) T/n)^2. */
static void c20_s3_14_readings(void **state)
{
    for (double T = 1; T <= 4096; T *= 8)
        for (double n = 8; n < 1e7; n *= 30)
            for (double f = 1e-3; f > 1e-15; f /= 1000) {
                unsigned m = (unsigned)resque_copies(T, n, f);
                assert_true(m >= 1 && (m >= T || gsl_cdf_binomial_Q(m, 1 / n, (unsigned)T) <= f));
            }
    double beta = 1e-4, T = 1000, n = 1e5, L = log(2 / 1e-6);
    struct renyi_line a = resque_mode_convex(MODE_A, 4, 1e-6, beta, T, n);
    expect_near("A", a.slope, 112320 * pow(beta * L * T / n, 2), 1e-12);
    expect_near("cap", a.cap, 3 / (6000 * beta * beta * L * L), 1e-6);
    assert_true(isinf(resque_mode_convex(MODE_A, 4, 1e-6, 6e-4, T, n).slope));   /* tau' > 1/3 */
    assert_true(isfinite(resque_mode_convex(MODE_A, 4, 1e-6, 5e-4, T, n).slope));
    assert_true(isfinite(resque_mode_convex(MODE_B, 4, 1e-6, 0.14, T, n).slope));
    assert_true(isinf(resque_mode_convex(MODE_B, 4, 1e-6, 0.15, T, n).slope));
    assert_true(isinf(resque_mode_convex(MODE_A, 4, 1e-6, beta, n / 40, n).slope));      /* s > 1/40 */
    struct renyi_line c = resque_mode_convex(MODE_C, 4, 1e-6, beta, T, n);
    expect_near("C", c.slope, pow(beta * log(1e6) * T / n, 2), 1e-18);
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
        cmocka_unit_test(c19_drift_of_constant_gradients),
        cmocka_unit_test(s1_2_drift_in_one_dimension),
        cmocka_unit_test(c19_s6_4_proven_bound),
        cmocka_unit_test(s8_15_what_is_booked),
        cmocka_unit_test(a_long_gaussian_is_refused),
        cmocka_unit_test(s3_9_c24_levels_add_up),
        cmocka_unit_test(c25_cost_of_levels),
        cmocka_unit_test(s3_10_c26_s8_20_calls_of_a_search),
        cmocka_unit_test(st11_s6_4_copies_of_a_record),
        cmocka_unit_test(u11_s8_25_coupling),
        cmocka_unit_test(s3_14_lines),
        cmocka_unit_test(c20_s3_14_readings),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

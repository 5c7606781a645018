/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_mlmc.c - the bias-reduced estimator, OptEst and MorGradEst on linear losses, where mean, second moment and
 * cost of every level have closed forms. z-tests at 6 standard errors (contract.h). The start is x_0, and x_j is
 * the point after a budget of 2^j gradients. A draw xhat has a random level J; the largest level is jmax.
 *
 * Serves: bias-reduced */
#include "support/draw.h"
#include "support/linear_law.h"

#include "algos/parts/mlmc.h"

/* Returns an instance with |grad F| = 0.6, noise s and G^2 = 0.36 + s^2; the edge of the ball is far away. */
static struct instance linear(struct arena *a, double d, double s)
{
    return INSTANCE(a, "linear", { "d", d }, { "hardness", 0.6 }, { "s", s }, { "radius", 1e4 });
}

/* Returns the mean cost of a draw whose largest level is jmax. A draw of level J, whose run has e epochs, takes
 * 16(2^e - 1) - e gradients, and none for J = 1, 2, 3, 5. */
static double cost(int jmax)
{
    double sum = 15.0 / 16;
    for (int j = 6; j <= jmax; j++)
        sum += 1 - ldexp(1, 4 - j) - (j - 4) * ldexp(1, -j);
    return sum;
}

/* Returns E|xhat - x*|^2 = |x_0 - x*|^2 + 2 <x_0 - x*, E x_jmax - x_0> + sum_j 2^j E|x_j - x_(j-1)|^2, for the
 * linear F with |grad F| = g and noise s, regularised by |x|^2/2 (mu = 1), whose minimiser is x*. It is summed over
 * the levels. *mean <- |E x_jmax - x*|. */
static double second_moment(int jmax, double g, double s, double *mean)
{
    struct linear_law l = linear_law_begin(1, g, s);
    double sum = 0, start = l.mean;
    for (int j = 4; j <= jmax; j++)
        if (linear_law_epochs(j) > linear_law_epochs(j - 1)) {
            linear_law_epoch(&l);
            sum += ldexp(1, j) * l.move2;
        }
    *mean = l.mean;
    return start * start + 2 * start * (l.mean - start) + sum;
}

static void s7_3_levels(void **state)
{
    static const double budgets[] = { 1, 2, 3, 4, 15, 16, 17, 1023, 1024, 0x1p40 };
    static const int levels[] = { 0, 1, 1, 2, 3, 4, 4, 9, 10, 40 };
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        assert_int_equal(mlmc_levels(budgets[k]), levels[k]);
    /* J is the position of the lowest set bit of a fresh word, counted from 1, so that J >= 1. */
    for (int k = 0; k < 5; k++) {
        static const uint32_t word[] = { 1, 2, 4, 8, 0xfffffff0 };
        static const int J[] = { 1, 2, 3, 4, 5 };
        struct rng r = rng_stream(1);
        r.word[0] = word[k];
        r.left = 4;
        assert_int_equal(rng_geometric(&r), J[k]);
    }
}

/* If J > jmax, or if x_J and x_(J-1) are the same point of a run, a draw is x_0, and no gradient is asked for. */
static void s7_3_still_levels(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 4, 0.8);
    struct draw_of *q = DRAWN("mlmc", &in, 1, { "T_max", 1000 });
    double gradients;
    assert_int_equal(q->strata, 10);             /* the strata are J = 1 ... 9, and all larger J */
    for (int k = 0; k < q->strata; k++) {
        int J = k + 1;
        const double *v = drawn_next(q, k, &gradients);
        bool still = J < 4 || J == 5 || J > 9;
        assert_true(still == (gradients == 0));
        assert_true(still == (vec_norm(4, v) == 0));
    }
    drawn_free(q);
    arena_free(a);
}

/* For both schedules (which epochs level j runs), and whichever run the rough point x_(J-1) comes from, a draw of
 * level J is charged the gradients that its epochs need. The mean over the levels is what mlmc_expected_gradients
 * says. */
static void s7_16_costs(void **state)
{
    static const struct { const char *schedule, *rough; } kinds[] = {
        { "budget", "same-run" }, { "budget", "own-run" }, { "budget", "printed" },
        { "regular", "same-run" }, { "regular", "own-run" },
    };
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 2, 0.8);
    for (int k = 0; k < 5; k++) {
        bool regular = kinds[k].schedule[0] == 'r', own = kinds[k].rough[0] == 'o';
        struct draw_of *q = DRAWN("mlmc", &in, 2, { "T_max", 4096 }, { "schedule", 0, kinds[k].schedule },
                                { "rough", 0, kinds[k].rough });
        struct mlmc m = { .jmax = 12, .regular = regular,
                          .rough = own ? ROUGH_OWN_RUN : k == 2 ? ROUGH_PRINTED : ROUGH_SAME_RUN };
        double sum = 0, total = 0;
        for (int s = 0; s < q->strata; s++) {
            int J = s + 1, e = regular ? (J > 4 ? J - 4 : 0) : linear_law_epochs(J);
            int r = regular ? (J > 5 ? J - 5 : 0) : linear_law_epochs(J - 1);
            double gradients, truth = 16 * (ldexp(1, e) - 1) - e;
            truth += own ? 16 * (ldexp(1, r) - 1) - r : 0;
            truth = J > 12 || (J == 5 && !regular && k == 0) ? 0 : truth;
            drawn_next(q, s, &gradients);
            expect_near("gradients", gradients, truth, 0);
            sum += q->weight[s] * truth;
            total += q->weight[s];
        }
        assert_true(total == 1);
        expect_near("their mean", mlmc_expected_gradients(&m), sum, 1e-12);
        if (k == 0)
            expect_near("closed form", sum, cost(12), 1e-12);
        if (k == 2)
            expect_near("J = 5 is run", sum, cost(12) + 15.0 / 32, 1e-12);
        drawn_free(q);
    }
    expect_near("anchor", cost(12), 7.350098, 5e-7);
    arena_free(a);
}

/* mlmc_expected_gradients is the sum over the levels in `cost`, and for jmax >= 16 this is jmax - 4.656 to
 * 10^-3. */
static void v7_the_cost_is_logarithmic(void **state)
{
    struct mlmc m = { .jmax = 0 };
    for (m.jmax = 6; m.jmax <= 40; m.jmax++) {
        expect_near("cost", mlmc_expected_gradients(&m), cost(m.jmax), 1e-12);
        if (m.jmax >= 16)
            expect_near("jmax - 4.656", cost(m.jmax), m.jmax - 4.656, 1e-3);
    }
}

/* Returns the component of E xhat along x*, in units of |x*|. Without noise each stratum has a single value, and
 * the weighted sum over the strata is E xhat. */
static double exact_share(const char *rough, const char *schedule, double T_max)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 3, 0);
    struct draw_of *q = DRAWN("mlmc", &in, 3, { "T_max", T_max }, { "rough", 0, rough },
                            { "schedule", 0, schedule });
    double sum = 0;
    for (int k = 0; k < q->strata; k++) {
        drawn_next(q, k, NULL);
        sum += q->weight[k] * drawn_functional(q, "share");
    }
    drawn_free(q);
    arena_free(a);
    return sum;
}

/* The sum over the levels telescopes: the mean of a draw is E x_jmax, whether the rough point x_(J-1), which level
 * J subtracts, comes from the run that makes x_J or from another run. */
static void v5_the_mean_is_that_of_the_last_level(void **state)
{
    for (int jmax = 4; jmax <= 12; jmax++) {
        double mean;
        second_moment(jmax, 0.6, 0, &mean);
        expect_near("same run", exact_share("same-run", "budget", ldexp(1, jmax)), 1 - mean / 0.6, 1e-12);
        expect_near("own run", exact_share("own-run", "budget", ldexp(1, jmax)), 1 - mean / 0.6, 1e-12);
        if (jmax >= 6)
            expect_near("regular", exact_share("same-run", "regular", ldexp(1, jmax)), 1 - mean / 0.6,
                        1e-12);
    }
}

/* Remark 1 as printed counts the first epoch twice. It adds to the mean of a draw the step of the first epoch from
 * the start, E x_2^0 - E x_1^0 (x_k^0 is the start of epoch k), of length 0.41778 if |x*| = 0.6. */
static void s7_20_the_printed_coupling_is_biased(void **state)
{
    struct linear_law l = linear_law_begin(1, 0.6, 0);
    double mean;
    linear_law_epoch(&l);
    second_moment(12, 0.6, 0, &mean);
    double off = (0.6 - l.mean) / 0.6;
    expect_near("printed", exact_share("printed", "budget", 4096), 1 - mean / 0.6 + off, 1e-12);
    expect_near("0.42 G/mu", 0.6 * off, 0.41777766, 5e-9);
}
static void o1_the_coarse_point_is_by_budget(void **state) { s7_20_the_printed_coupling_is_biased(state); }

/* Mean and second moment of draws, 1500 in every stratum, are those of second_moment. Its values at jmax = 8, 12,
 * 16 and 20 must also be the numbers of `anchor`. */
static void s7_16_moments(void **state)
{
    static const double anchor[] = { 9.1309, 16.5541, 24.0024, 31.4525 };
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 1, 0.8);
    struct draw_of *q = DRAWN("mlmc", &in, 4, { "T_max", 256 });
    double mean, truth = second_moment(8, 0.6, 0.8, &mean), error2, value;
    value = drawn_mean(q, "share", 1500, &error2);
    expect_near("E <v,x*>/|x*|^2", value, 1 - mean / 0.6, Z * sqrt(error2));
    assert_true(sqrt(error2) < 0.05);
    value = drawn_mean(q, "error2", 1500, &error2);
    expect_near("E|v - x*|^2", value, truth, Z * sqrt(error2));
    assert_true(sqrt(error2) < 0.04 * truth);
    for (int k = 0; k < 4; k++)
        expect_near("anchor", second_moment(8 + 4 * k, 0.6, 0.8, &mean), anchor[k], 5e-5);
    drawn_free(q);
    arena_free(a);
}

/* If the rough point x_(j-1) comes from a run of its own, the mean of a draw is the same as with one run, but the
 * second moment differs. For independent runs E|x_j - x_(j-1)|^2 is the squared distance of the means plus the two
 * variances. */
static void s7_21_independent_runs(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 1, 0.8);
    struct draw_of *q = DRAWN("mlmc", &in, 5, { "T_max", 256 }, { "rough", 0, "own-run" });
    struct linear_law l = linear_law_begin(1, 0.6, 0.8);
    double start = 0.6, truth = start * start, mean, error2, value, m = start, V = 0;
    for (int j = 4; j <= 8; j++) {
        if (linear_law_epochs(j) > linear_law_epochs(j - 1))
            linear_law_epoch(&l);
        truth += ldexp(1, j) * ((l.mean - m) * (l.mean - m) + l.variance + V);
        m = l.mean;
        V = l.variance;
    }
    truth += 2 * start * (m - start);
    double coupled = second_moment(8, 0.6, 0.8, &mean);
    value = drawn_mean(q, "share", 1500, &error2);
    expect_near("E <v,x*>/|x*|^2", value, 1 - mean / 0.6, Z * sqrt(error2));
    value = drawn_mean(q, "error2", 1500, &error2);
    expect_near("E|v - x*|^2", value, truth, Z * sqrt(error2));
    assert_true(fabs(truth - coupled) > 12 * sqrt(error2));
    drawn_free(q);
    arena_free(a);
}

/* For a bias of at most delta and a mean squared error of at most sigma^2, OptEst takes the mean of N draws, each
 * with the largest budget T_max. At its constant c = 32 the sizes are T_max = ceil(128 G^2/(mu^2 min{delta^2,
 * sigma^2/2})) and N = ceil(1024 G^2 log2(T_max)/(mu^2 sigma^2)), and N is at least 1. */
static void o2_sizes_of_opt_est(void **state)
{
    static const struct { double mu, delta, sigma, T_max, N; } table[] = {
        { 1, 0.5, 1, 512, 9216 }, { 2, 0.25, 0.5, 512, 9216 }, { 1, 1, 0.5, 1024, 40960 },
        { 1, 0.1, 1000, 12800, 1 }, { 1, 100, 100, 1, 1 },
    };
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 2, 0.8);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct draw_of *q = DRAWN("opt-est", &in, 6, { "mu", table[k].mu }, { "delta", table[k].delta },
                                { "sigma", table[k].sigma });
        expect_near("T_max", drawn_param(q, "T_max"), table[k].T_max, 0);
        expect_near("N", drawn_param(q, "N"), table[k].N, 0);
        drawn_free(q);
    }
    arena_free(a);
}

/* For T_max = 1 the formula gives N = 0, and N is raised to 1. This one draw has no level: its value is the start
 * x_0 = 0, and it asks for no gradient. */
static void o3_one_draw_at_least(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 2, 0.8);
    struct draw_of *q = DRAWN("opt-est", &in, 6, { "delta", 100 }, { "sigma", 100 });
    double gradients;
    const double *v = drawn_next(q, 0, &gradients);
    assert_true(gradients == 0 && vec_norm(2, v) == 0);
    drawn_free(q);
    arena_free(a);
}

/* If the cap ends the only round, the answer is x_0 = 0, whether draws or runs are averaged. With the cap a tenth
 * of a draw's mean cost is allowed for each of the N. */
static void o4_capped_round_leaves_the_start(void **state)
{
    static const char *const averaged[] = { "draws", "runs" };
    for (int k = 0; k < 2; k++) {
        struct arena *a = arena_new(0);
        struct instance in = linear(a, 2, 0.8);
        struct draw_of *q = DRAWN("opt-est", &in, 6, { "delta", 0.5 }, { "sigma", 1 }, { "cap", 0.1 },
                                  { "of", 0, averaged[k] });
        double gradients;
        const double *v = drawn_next(q, 0, &gradients);
        assert_true(gradients > 0 && drawn_functional(q, "ended") == 1);
        assert_true(vec_norm(2, v) == 0);
        drawn_free(q);
        arena_free(a);
    }
}

/* MorGradEst takes delta and sigma in units of the gradient of the Moreau envelope. With these units neither T_max
 * nor N of OptEst depends on lam, to the bit. */
static void s7_4_sizes_do_not_depend_on_lam(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 2, 0.8);
    double T_max = 0, N = 0;
    for (double lam = 1e-3; lam < 2e3; lam *= 7) {
        struct draw_of *q = DRAWN("mor-grad-est", &in, 6, { "lam", lam }, { "delta", 0.3 },
                                { "sigma", 0.7 });
        assert_true(T_max == 0 || (drawn_param(q, "T_max") == T_max && drawn_param(q, "N") == N));
        T_max = drawn_param(q, "T_max");
        N = drawn_param(q, "N");
        drawn_free(q);
    }
    expect_near("T_max", T_max, ceil(128 / 0.09), 0);
    arena_free(a);
}

/* The mean of 100 answers of OptEst is within delta of x*, and the mean of their squared errors is at most
 * sigma^2. The number of gradients is N times that of a draw. This holds for the proved constant and for the
 * practical one. */
static void s7_17_accuracy_of_opt_est(void **state)
{
    static const struct { double c, delta, sigma; } cases[] = { { 32, 0.5, 1 }, { 1, 0.2, 0.25 } };
    enum { DRAWS = 100 };
    for (int k = 0; k < 2; k++) {
        struct arena *a = arena_new(0);
        struct instance in = linear(a, 3, 0.8);
        struct draw_of *q = DRAWN("opt-est", &in, 7, { "c", cases[k].c }, { "delta", cases[k].delta },
                                { "sigma", cases[k].sigma });
        struct sample_moments share = { 0 }, error2 = { 0 }, gradients = { 0 };
        double spent, mean, one;
        int jmax = mlmc_levels(drawn_param(q, "T_max"));
        for (int i = 0; i < DRAWS; i++) {
            drawn_next(q, 0, &spent);
            moments_of(&gradients, spent);
            moments_of(&share, drawn_functional(q, "share"));
            moments_of(&error2, drawn_functional(q, "error2"));
            assert_true(drawn_functional(q, "ended") == 0);
        }
        one = second_moment(jmax, 0.6, 0.8, &mean);
        expect_mean("share", &share, 1 - mean / 0.6);
        assert_true(mean <= cases[k].delta);
        /* The squared error of the mean of N draws is the variance of one draw over N, plus the squared bias. */
        expect_mean("error2", &error2, (one - mean * mean) / drawn_param(q, "N") + mean * mean);
        assert_true(error2.mean <= cases[k].sigma * cases[k].sigma);
        expect_mean("gradients", &gradients, drawn_param(q, "N") * cost(jmax));
        drawn_free(q);
        arena_free(a);
    }
}

/* The answer of MorGradEst is lam (y - xhat) with y the origin. Its target, the gradient of the Moreau envelope, is
 * the gradient itself for a linear loss. Depth and rounds (batch steps) are those of the longest draw, gradients
 * those of all draws. */
static void s7_17_accuracy_of_mor_grad_est(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 3, 0.8);
    struct draw_of *q = DRAWN("mor-grad-est", &in, 8, { "lam", 30 }, { "c", 1 }, { "delta", 0.2 },
                            { "sigma", 0.25 });
    struct sample_moments share = { 0 }, error2 = { 0 };
    double g[3], origin[3] = { 0 }, mean;
    in.p->grad(in.self, origin, g);
    expect_vectors("target", 3, q->target, g, 1e-13);
    second_moment(mlmc_levels(drawn_param(q, "T_max")), 0.6, 0.8, &mean);
    for (int i = 0; i < 100; i++) {
        double before = q->o.counts.of[COUNT_batch_steps], spent;
        drawn_next(q, 0, &spent);
        double rounds = q->o.counts.of[COUNT_batch_steps] - before;
        int e = epoch_sgd_epochs(rounds + 16);   /* the number of rounds must be 16(2^e - 1) - e for some e */
        assert_true(rounds == 16 * (ldexp(1, e) - 1) - e && rounds < spent);
        moments_of(&share, drawn_functional(q, "share"));
        moments_of(&error2, drawn_functional(q, "error2"));
    }
    expect_mean("share", &share, 1 - mean / 0.6);
    assert_true(error2.mean <= 0.25 * 0.25);
    drawn_free(q);
    arena_free(a);
}

/* A draw that costs cap times the mean cost is ended. By Markov's inequality at most 1/cap of the draws are ended
 * so, which is tested on 400 draws at 6 standard errors. The value of such a draw is x_0, and it spends no more
 * gradients than the cap. */
static void v25_the_cap_ends_few(void **state)
{
    enum { DRAWS = 400 };
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 2, 0.8);
    for (double cap = 1; cap <= 4; cap *= 2) {
        struct draw_of *q = DRAWN("opt-est", &in, 9, { "T_max", 4096 }, { "N", 20 }, { "cap", cap });
        double most = floor(cap * 20 * cost(12)), spent, ended = 0;
        for (int i = 0; i < DRAWS; i++) {
            const double *v = drawn_next(q, 0, &spent);
            bool stopped = drawn_functional(q, "ended") != 0;
            assert_true(spent <= most && (!stopped || (spent == most && vec_norm(2, v) == 0)));
            ended += stopped;
        }
        double p = 1 / cap;
        assert_true(ended <= DRAWS * p + Z * sqrt(DRAWS * p * (1 - p)) && (cap > 1 || ended > 0));
        drawn_free(q);
    }
    arena_free(a);
}

/* The mean of M runs of EpochSGD has the bias of one run, and costs M times its gradients. */
static void s5_13_a_mean_of_runs_keeps_its_bias(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 3, 0);
    for (double M = 1; M <= 25; M *= 5) {
        struct draw_of *q = DRAWN("epoch-sgd-mean", &in, 10, { "T_max", 64 }, { "M", M });
        double mean, spent;
        second_moment(6, 0.6, 0, &mean);
        drawn_next(q, 0, &spent);
        expect_near("bias", drawn_functional(q, "error"), mean, 1e-12);
        expect_near("gradients", spent, M * (16 * 3 - 2), 0);
        drawn_free(q);
    }
    arena_free(a);
}

static void refusals(void **state)
{
    struct arena *a = arena_new(0);
    struct instance in = linear(a, 2, 0.8);
    struct why why = { "" };
    const struct with tiny[] = { { "sigma", 1e-9 }, { 0 } };
    assert_null(drawn_tuned("opt-est", &in, 1, tiny, &why));
    assert_non_null(strstr(why.text, "at most 2^52"));
    assert_null(drawn_tuned("mor-grad-est", &in, 1, tiny, &why));
    assert_non_null(strstr(why.text, "at most 2^52"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_3_levels), cmocka_unit_test(s7_3_still_levels),
        cmocka_unit_test(s7_16_costs), cmocka_unit_test(v7_the_cost_is_logarithmic),
        cmocka_unit_test(v5_the_mean_is_that_of_the_last_level),
        cmocka_unit_test(s7_20_the_printed_coupling_is_biased),
        cmocka_unit_test(o1_the_coarse_point_is_by_budget), cmocka_unit_test(s7_16_moments),
        cmocka_unit_test(s7_21_independent_runs), cmocka_unit_test(o2_sizes_of_opt_est),
        cmocka_unit_test(o4_capped_round_leaves_the_start),
        cmocka_unit_test(o3_one_draw_at_least), cmocka_unit_test(s7_4_sizes_do_not_depend_on_lam),
        cmocka_unit_test(s7_17_accuracy_of_opt_est),
        cmocka_unit_test(s7_17_accuracy_of_mor_grad_est), cmocka_unit_test(v25_the_cap_ends_few),
        cmocka_unit_test(s5_13_a_mean_of_runs_keeps_its_bias), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("MLMC", tests, NULL, NULL);
}

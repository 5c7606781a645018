/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_zo_choices.c - calibrations, steps and lengths of private zeroth-order O2NC: prices from the
 * definition of a tree, values from a calculator, whole numbers, and refusals. An epoch has T steps of length at
 * most D on batches of B1, then B2 samples, with m directions a sample; M is the number of samples in all, delta
 * the radius of smoothing.
 *
 * Serves: private-zeroth-order */
#include "algos/parts/o2nc.h"
#include "algos/parts/zo_terms.h"
#include "support/hard.h"
#include "support/method.h"
#include "support/zo_ask.h"

#define NAME "private-zo-o2nc"
enum { D = 3 };

/* --- calibration: the sigma that the method chooses, and the privacy that it gives */

static void s2_8_calibration(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D }, { "L", 2 });
    for (int T = 1; T <= 260; T += T < 40 ? 1 : 7) {
        static const char *const words[] = { "exact", "safe", "paper" };
        double rho = 0.7, s = 4.0 * D * 2 / T;
        for (int k = 0; k < 6; k++) {
            bool edge = k >= 3;                      /* the smallest first batch that is allowed, T B2/2 */
            double B1 = edge ? ceil(T / 2.0) : T + 1, s_1 = 2.0 * D * 2 / B1;
            struct goal goal = ask(1e4, rho);
            const struct with with[] = { { "T", T }, { "B1", B1 }, { "calibration", 0, words[k % 3] },
                                         { 0 } };
            if (T == 1 && k % 3 == 2) {
                expect_refusal(NAME, &in, &goal, with, "no noise at T = 1");
                continue;
            }
            struct method *m = method_tuned(NAME, &in, &goal, with, NULL);
            double level = accounted(T, s_1, s, method_param(m, "sigma"));
            if (k == 5 && T > 2)     /* a smaller first batch is refused, since the printed sigma does not
                                        depend on it */
                expect_refusal(NAME, &in, &goal, (const struct with[]){ { "T", T },
                               { "B1", ceil(T / 2.0) - 1 }, { "calibration", 0, "paper" }, { 0 } },
                               "expected at least T B2/2");
            if (k % 3 == 0)
                near(level, rho, 1e-12);
            if (k % 3 == 1)
                assert_true(level <= rho * (1 + 1e-12));
            if (k % 3 == 2)
                assert_true((level <= rho * (1 + 1e-12)) == !(edge && (T == 2 || T == 4)));
            if (k == 5 && T == 4)
                near(level / rho, sqrt(3 / (2 * log(4))), 1e-12);
            if (k % 3 == 2)
                near(method_param(m, "sigma"), sqrt(2 * log(T)) * s / rho, 1e-13);
            method_free(m);
        }
    }
}

/* The sigma of the naive oracle is 2 d L/(B rho), twice the printed value. With independent noise for every summand
 * sigma is s/rho, where s is the sensitivity of a summand. */
static void s7_9_naive_sigma(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D }, { "L", 2 });
    struct goal goal = ask(1e4, 0.5);
    struct method *m = METHOD(NAME, &in, &goal, { "oracle", 0, "naive" }, { "B2", 5 }, { "T", 10 });
    near(method_param(m, "sigma"), 2.0 * D * 2 / (5 * 0.5), 1e-14);
    method_free(m);
    m = METHOD(NAME, &in, &goal, { "noise", 0, "independent" }, { "T", 10 });
    near(method_param(m, "sigma"), 4.0 * D * 2 / (10 * 0.5), 1e-14);
    method_free(m);
    m = METHOD(NAME, &in, &goal, { "oracle", 0, "naive" }, { "batch", 0, "tuned" });
    near(method_param(m, "B2"), ceil(pow(D, 1.5) / 0.5), 0);
    method_free(m);
    struct goal tiny = ask(1e4, 1e-200);
    expect_refusal(NAME, &in, &tiny, (const struct with[]){ { "oracle", 0, "naive" },
                   { "batch", 0, "tuned" }, { 0 } }, "expected at most 2^40");
    struct goal few = ask(8, 0.5);                       /* less than a batch of d^(3/2)/rho samples */
    expect_refusal(NAME, &in, &few, (const struct with[]){ { "oracle", 0, "naive" },
                   { "batch", 0, "tuned" }, { 0 } }, "B2 = 11 samples: expected at most M = 8");
    expect_refusal(NAME, &in, &goal, (const struct with[]){ { "oracle", 0, "naive" }, { "B1", 3 },
                   { "B2", 2 }, { 0 } }, "expected B2 = 2");
}

/* --- The factor eta of a gradient is D/(G sqrt T). In theory G^2 = 3 (16 d L^2/B1 + 64 d L^2/(B2 T) + L^2 + N), in
 * practice L^2 + (7 d (d/m)/6 + 2) L^2/(B2 T) + N, where N is the variance of the noise of a prefix. The expected
 * values are from a calculator. */

static void s7_8_eta(void **state)
{
    static const struct {
        double d, L, B1, B2, T, sigma, theory[2], practical[2];      /* theory[2], practical[2]: with noise of the
                                                                        tree, and with noise of every summand */
    } list[] = {
        { 4, 2, 16, 4, 16, 0, { 10.3923048454132638, 10.3923048454132638 },
          { 2.10158670215308192, 2.10158670215308192 } },
        { 4, 2, 16, 4, 16, 0.5, { 11.1640284993114689, 11.5542200082913429 },
          { 2.53311402559511061, 3.59397644214130411 } },
        { 2, 1, 9, 2, 8, 3, { 16.1940221430035394, 16.7531091641720841 },
          { 5.31703238031642359, 9.07032707973275533 } },
    };
    static const char *const noises[] = { "tree", "independent" }, *const etas[] = { "theory", "practical" };
    for (int k = 0; k < 12; k++) {
        int i = k / 4, noise = k % 2;
        double T = list[i].T;
        struct zo_terms z = { .d = list[i].d, .L = list[i].L, .T = T, .B1 = list[i].B1,
                              .B2 = list[i].B2, .directions = list[i].d };
        near(zo_G_theory(&z, list[i].sigma, !noise), list[i].theory[noise], 1e-14);
        near(zo_G_practical(&z, list[i].sigma, zo_nodes(&z, !noise)), list[i].practical[noise], 1e-14);
        struct instance in = INSTANCE(memory, "sloped", { "d", z.d }, { "L", z.L });
        struct goal goal = ask(1e4, 1);
        struct method *m = METHOD(NAME, &in, &goal, { "T", T }, { "B1", z.B1 }, { "B2", z.B2 },
                                  { "sigma", list[i].sigma }, { "noise", 0, noises[noise] },
                                  { "eta", 0, etas[k / 2 % 2] });
        double G = k / 2 % 2 ? list[i].practical[noise] : list[i].theory[noise];
        near(method_param(m, "step"), 0.1 / (T * sqrt(T) * G), 1e-13);
        method_free(m);
    }
    struct zo_terms one = { .d = 4, .L = 2, .T = 16, .B2 = 4, .directions = 1 };
    near(zo_G_practical(&one, 0.5, 2), 2.70030862433660843, 1e-14);
}

/* For the gradients (3, 4) and (0, -12) at D = 1, the adaptive eta is sqrt 2/5 after the first and sqrt 2/13 after
 * the second. */
static void s7_8_adaptive(void **state)
{
    struct rng r = rng_stream(52);
    struct o2nc c = o2nc_new(memory, 2, 1, NAN, &r);
    double x[2] = { 0 };
    o2nc_start(&c, x);
    for (int k = 0; k < 2; k++) {    /* an epoch begins its sum anew */
        o2nc_epoch(&c, false);
        assert_false(o2nc_next(&c, &r, NULL));
        assert_true(o2nc_next(&c, &r, (double[]){ 3, 4 }));
        expect_vectors("to the sphere", 2, c.step, (double[]){ -0.6, -0.8 }, 1e-15);
        assert_false(o2nc_next(&c, &r, (double[]){ 0, -12 }));
        expect_vectors("within", 2, c.step, (double[]){ -0.6, 0.505427903729010814 }, 1e-15);
    }
}

/* --- the number T of steps of an epoch */

/* Compares two bounds with values from a calculator. V is the variance of the gradients, N that of the noise of a
 * prefix. In theory the bound is 2T(Phi + 2 L delta)/(delta M) + G/T^(1/2) + 2 (V^(1/2) + N^(1/2)) with the printed
 * sigma, B1 = T + 1 and B2 = 1. In practice it is 2T(Phi + 2 L delta)/(delta M) + L/T^(1/2) + L ((7d/18 +
 * 2)/T)^(1/2) + 4 d^(3/2) L ln(T)^(1/2)/(T rho). */
static void s2_7_s3_3_by_hand(void **state)
{
    static const struct { struct zo_terms z; double T, bound, predicted; } list[] = {
        { { .d = 4, .L = 1, .Phi = 0.5, .delta = 0.125, .M = 1000, .rho = 1 }, 10,
          49.4565184520440004, 5.88827937404925018 },
        { { .d = 1, .L = 2, .Phi = 0.7, .delta = 0.1, .M = 4000, .rho = 0.5 }, 2,
          66.9912381547420151, 10.2714632930686773 },
        { { .d = 9, .L = 1, .Phi = 1, .delta = 0.25, .M = 100000, .rho = INFINITY }, 400,
          2.87550287598552177, 0.215260393995585739 },
    };
    for (int k = 0; k < 3; k++) {
        near(zo_bound_at(&list[k].z, list[k].T), list[k].bound, 1e-14);
        near(zo_predicted_at(&list[k].z, list[k].T), list[k].predicted, 1e-14);
    }
}

/* The T that the method chooses is max(T1, T2), where the paper prints min; or, by another setting, the whole T
 * that minimises the bound or the expected certificate. */
static void s2_7_length(void **state)
{
    static const double sizes[] = { 300, 4000, 50000 }, rhos[] = { 0.05, 1, INFINITY };
    for (int k = 0; k < 9; k++) {
        struct zo_terms z = { .d = 5, .L = 2, .Phi = 0.7, .delta = 0.1, .M = sizes[k % 3],
                              .rho = rhos[k / 3] };
        double a = (z.Phi + z.L * z.delta) / (z.delta * z.M);
        double T1 = pow(sqrt(z.d) * z.L / a, 2. / 3), T2 = sqrt(pow(z.d, 1.5) * z.L / (z.rho * a));
        near(zo_T1(&z), T1, 1e-12);
        assert_true(zo_length(&z, "paper") == ceil(fmax(T1, T2)));
        assert_true(zo_length(&z, "printed") == ceil(fmin(T1, T2)));
        double (*const at[])(const struct zo_terms *, double) = { zo_bound_at, zo_predicted_at };
        static const char *const words[] = { "bound", "practical" };
        for (int i = 0; i < 2; i++) {
            double least = INFINITY;
            for (double T = 2; T <= z.M / 2; T++)
                least = fmin(least, at[i](&z, T));
            near(at[i](&z, zo_length(&z, words[i])), least, 1e-12);
        }
    }
}

/* There are K = floor(M/(2T)) epochs, and samples that are left over are unused; 2 <= T <= M/2. A run that has
 * too few samples, or whose L is not known, is refused. */
static void s2_7_s7_3_whole_numbers(void **state)
{
    struct instance in = INSTANCE(memory, "sloped", { "d", D });
    for (double n = 4; n < 3000; n = ceil(n * 1.3)) {
        struct goal goal = ask(n, n > 100 ? 0.01 : NAN);
        struct method *m = METHOD(NAME, &in, &goal, { "B2", 1 });
        double T = method_param(m, "T"), K = method_param(m, "K");
        assert_true(T >= 2 && T <= n / 2 && K == floor(n / (2 * T)) && K >= 1);
        assert_true(method_param(m, "B1") == T + 1 && method_param(m, "smoothing") == 0.1);
        method_free(m);
    }
    struct goal few = ask(3, 1), none_given = ask(NAN, 1), some = ask(100, 1);
    const struct with plain[] = { { 0 } };
    expect_refusal(NAME, &in, &few, plain, "expected at most M = 3");
    expect_refusal(NAME, &in, &none_given, plain, "needs goal n or T");
    expect_refusal(NAME, &in, &some, (const struct with[]){ { "T", 60 }, { 0 } }, "M = 100");
    struct instance steep = INSTANCE(memory, "spectral", { "radius", INFINITY });
    expect_refusal(NAME, &steep, &some, plain, "give algo.L");
}

/* T1 and T2 are the lengths at which the sampling term d^(1/2) L/T^(1/2) and the private term d^(3/2) L/(T rho)
 * equal the descent term T a, where a = (Phi + L delta)/(delta M). With T = max(T1, T2) the larger of the two terms
 * is T a, and the other is less. With T = min(T1, T2) one of them exceeds T a: it is T a times (T1/T2)^(3/2) if T1
 * is the larger, and T a times (T2/T1)^2 if T2 is. The bound of the theorem is then more than twice the bound at
 * max, too. */
static void s7_1_max_not_min(void **state)
{
    static const double rhos[] = { 0.01, 1000 };
    for (int k = 0; k < 2; k++) {
        struct zo_terms z = { .d = 8, .L = 1, .Phi = 0.5, .delta = 0.05, .M = 1e6, .rho = rhos[k] };
        double a = 0.55 / 0.05e6, T1 = zo_T1(&z), T2 = zo_T2(&z);
        double most = fmax(T1, T2), least = fmin(T1, T2);
        double factor = k ? pow(T1 / T2, 1.5) : pow(T2 / T1, 2);
        assert_true(k ? T1 > T2 : T2 > T1);
        near(fmax(sqrt(8 / most), pow(8, 1.5) / (most * z.rho)), a * most, 1e-12);
        near(fmax(sqrt(8 / least), pow(8, 1.5) / (least * z.rho)), factor * a * least, 1e-12);
        assert_true(factor > 3 && zo_bound_at(&z, least) > 2 * zo_bound_at(&z, most));
    }
}

/* An epoch has max(T1, T2) steps, where T1 is the best length without privacy and T2 the length that privacy asks
 * for. So by the bounds privacy costs nothing where its parameter rho is at least rho*, the rho at which T1 = T2:
 * rho* = d/T1^(1/2) = d^(5/6) ((Phi + L delta)/(L delta M))^(1/3). This equals d^(1/2) error/L, where
 * error = d^(1/2) L/T1^(1/2) is that without privacy. */
static void s5_5_threshold(void **state)
{
    for (int k = 0; k < 12; k++) {
        struct zo_terms z = { .d = 2 << k % 4, .L = 1 + k % 3, .Phi = 0.5 * k, .delta = 0.05,
                              .M = 1e5 * (k + 1) };
        double T1 = zo_T1(&z), error = sqrt(z.d / T1) * z.L;
        z.rho = pow(z.d, 5. / 6) * cbrt((z.Phi + z.L * z.delta) / (z.L * z.delta * z.M));
        near(z.rho, z.d / sqrt(T1), 1e-12);
        near(z.rho, sqrt(z.d) * error / z.L, 1e-12);
        near(zo_T2(&z), T1, 1e-12);
        struct zo_terms more = z, less = z;
        more.rho *= 1.01;
        less.rho /= 1.01;
        assert_true(zo_length(&more, "paper") == ceil(T1) && zo_length(&less, "paper") > ceil(T1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_8_calibration), cmocka_unit_test(s7_9_naive_sigma),
        cmocka_unit_test(s7_8_eta), cmocka_unit_test(s7_8_adaptive),
        cmocka_unit_test(s2_7_s3_3_by_hand), cmocka_unit_test(s2_7_length),
        cmocka_unit_test(s2_7_s7_3_whole_numbers), cmocka_unit_test(s7_1_max_not_min),
        cmocka_unit_test(s5_5_threshold),
    };
    return cmocka_run_group_tests_name("choices of private zeroth-order O2NC", tests, setup, teardown);
}

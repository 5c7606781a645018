/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tight.c - Theorem 4.9 and Appendix E where their laws are attained: rates of whole runs, and terms of the bound
 * one by one. d is the dimension, L the Lipschitz constant, Phi the excess at the start, delta the radius of
 * smoothing, rho the promise of privacy, T the number of steps of an epoch, K the number of epochs, M the number of
 * samples.
 *
 * Whole runs with privacy. The instance is a cone of slope 0.9 L, and the random term has the slope 0.1 L; the
 * start is two smoothing radii from the apex, or farther where the radius is the axis. T is chosen for the least
 * expected certificate: it is the theorem's T with the constants for a straight path (algos/parts/zo_terms.h). With
 * the T of the theorem without constants the private term would dominate only for a mean noise above 4 (ln T)^(1/2)
 * (d a)^(1/3), a = (Phi + L delta)/(delta M). This is more than L/10 for M < 10^8, which is too much noise for the
 * learner to follow. A mean noise of norm nu moves the point at which the released gradient is 0 by nu delta/(0.9
 * L), and an epoch moves x by at most delta. As long as the learner reaches that point, the certificate is nu (1 -
 * O(nu/L)). A step length that adapts to the released gradients, which costs no privacy, achieves this for small
 * nu.
 *
 * The certificate then has the exponents of (a c)^(1/2), with c = 4 d^(3/2) L (ln T)^(1/2)/rho: T balances the
 * terms a T and c/T. More than half of the certificate is due to noise. In the control without noise T is chosen
 * anew, and the certificate has the exponents of (a b^2)^(1/3), b = d^(1/2) L.
 *
 * One term at a time. On the floor of a valley with a drift of 0.4 L the certificate across the valley is a linear
 * function of the noise (floor.c). Runs begin beside the floor, and each epoch brings them to a quarter of the
 * distance. In runs without noise the first epochs together add 0.21 L/K to the mean over K epochs for a start at
 * delta/2 from the floor, and 0.10 L/K for one at delta/4. */
#include "private_zeroth_order.h"

#define PRIVATE_RATE RUN, CERTIFIED, .cite = CITE "Theorem 4.9"
#define NO_DRAWS { "problem.draws", 0 }
#define STEEP CONE, { "problem.share", 0.9 }, NO_DRAWS
#define BALANCED { "algo.choice", .text = "practical" }, { "algo.eta", .text = "adaptive" }, \
                 { "algo.calibration", .text = "paper" }
#define BY_NOISE                                                                                   \
    .tests = "noise",                                                                              \
    .control = { .with = { { "goal.rho", INFINITY } }, .why = "no noise, and T chosen for none" }, \
    .control2 = { .with = { { "algo.noise", .text = "independent" } }, .why = "noise of every summand" }
#define TWO_RADII { "problem.dist", 0.1 }

#define BY_LENGTH                                                                                  \
    .tests = "length", .control = { .with = { { "algo.T", 256 } }, .why = "256 steps an epoch, whatever is asked" }

/* --- settings for claims about one term of the bound: K epochs of 2 T samples each */

#define BESIDE_FLOOR { "problem.shape", .text = "valley" }, { "problem.R", 20 }, { "problem.dist", 0.025 }, NO_DRAWS
#define FIFTY AT_RADIUS, { "algo.calibration", .text = "paper" }, { "algo.K", 50 }
#define FIFTY_OF(T) { "goal.n", 100. * (T) }, { "algo.T", T }
#define T_OF_FIFTY { "algo.T", 0.01, 1 }
#define CLOSE_TO_FLOOR { "problem.shape", .text = "valley" }, { "problem.R", 20 }, { "problem.dist", 0.0125 }, \
    NO_DRAWS
#define HUNDRED AT_RADIUS, { "algo.calibration", .text = "paper" }, { "algo.K", 100 }
#define HUNDRED_OF(T) { "goal.n", 200. * (T) }, { "algo.T", T }
#define T_OF_HUNDRED { "algo.T", 0.005, 1 }
#define TWO_HUNDRED AT_RADIUS, { "algo.K", 200 }
#define A_TERM RUN, .check = CHECK_RATE, .measure = "set.across.mean"
#define POWER(e, w) .law = { .form = LAW_POWER, .exponent = { e } }, .band = { (e) - (w), (e) + (w) }
#define BY_ITS_NOISE(reason, sigma)                                                                \
    .tests = "noise", .control = { .with = { { "goal.rho", INFINITY } }, .why = "no noise" },          \
    .control2 = { .with = { { "algo.sigma", sigma } }, .why = reason }

/* Returns the expected norm of the mean noise of an epoch at the T of the theorem, with sigma as printed. It is
 * computed from d, L, Phi, delta, rho and n alone, so that a run with another T or other noise contradicts it. Node
 * b of the tree is in the noise of steps b to b + lowbit(b) - 1, where lowbit(b) is the largest power of two that
 * divides b. With s the standard deviation of a coordinate, the norm has the expectation 2^(1/2) s
 * Gamma((d+1)/2)/Gamma(d/2). */
static double zo_noise_level(const struct env *e)
{
    double d = e->facts->d, L = e->facts->L, delta = e->goal->radius / 2, n = e->goal->n, rho = e->goal->rho;
    double a = (e->facts->Phi + L * delta) / (delta * n), squares = 0;
    double T = ceil(fmax(pow(sqrt(d) * L / a, 2. / 3), sqrt(pow(d, 1.5) * L / (rho * a))));
    for (long b = 1; b <= (long)T; b++)
        squares += pow(fmin((double)(b & -b), T - (double)b + 1) / T, 2);
    double s = sqrt(2 * log(T) * squares) * 4 * d * L / (T * rho);
    return s * sqrt(2.) * tgamma((d + 1) / 2) / tgamma(d / 2);
}

/* Claims about the noise at the theorem's T = max(T1, T2), where T1 = (b/a)^(2/3) balances a T with the sampling
 * term b/T^(1/2), and T2 = (c/a)^(1/2) with the privacy term c/T; here c = d^(3/2) L/rho. rho is so small that T2
 * is the larger at every point, but the noise is below 0.9 L: a run still comes below the certificate 0.9 L of a
 * method that does not move. */
#define NOISE_LEVEL(by, k)                                                                                      \
    .id = "private-zeroth-order/vr.thm4.9.level.noise." by, .item = "V10 V14 2.7", .attempt = k, .fresh = true, \
    RUN, .cite = CITE "Theorem 4.9 and Corollary 4.4", .check = CHECK_MOMENT, .axis = by,                       \
    .measure = "note.epoch_noise", .formula = zo_noise_level, .tolerance = 0.15,                                \
    .says = "T = max(T1, T2) and sigma as printed, along " by ": the mean noise of an epoch has the norm that " \
            "follows from d, L, Phi, delta, rho and M, within 15%",                                             \
    .reaches = { "set.smoothed.mean", 0.8, NULL, 0.9 },                                                         \
    .tests = "none", .tests_none = "It is about the noise itself: the control has another noise",               \
    .control = { .with = { { "algo.noise", .text = "independent" } }, .why = "noise of every summand" }
#define AS_PRINTED { "algo.calibration", .text = "paper" }, { "algo.eta", .text = "adaptive" }
#define NOISY_CONE STEEP, TWO_RADII, AS_PRINTED
#define NOISY_CONE_FAR STEEP, { "problem.dist", 0.2 }, AS_PRINTED

#define TUNED_BATCH { "algo.oracle", .text = "naive" }, { "algo.batch", .text = "tuned" }, \
                    { "algo.eta", .text = "adaptive" }
#define NAIVE_BY_NOISE                                                                             \
    .tests = "noise", .control = { .with = { { "goal.rho", INFINITY } }, .why = "no noise, and T chosen for none" }

static double zo_free_n(double n, const struct facts *f) { return 11.5 * f->d * sqrt(log(n / 100) / (n / 100)); }
static double zo_free_d(double d, const struct facts *f) { return 11.5 * d * sqrt(log(512.) / 512); }

/* Returns the law of the least rho for which privacy is free where T is tuned, 0.6 at n = 2^21: the tuned T of a
 * run without noise grows as n^(2/3), and this rho falls as T^(-1/2), up to a logarithm. */
static double zo_free_tuned(double n,
    const struct facts *f) { return 0.6 * cbrt(0x1p21 / n) * sqrt(1 + log(n / 0x1p21) / 13); }

/* Returns the batch size of the naive oracle, d^(3/2)/rho, at rho = 1. */
static double zo_batch_d(double d, const struct facts *f) { return ceil(pow(d, 1.5)); }

const struct claim private_zeroth_order_tight[] = {
    { .id = "private-zeroth-order/vr.thm4.9.steep.private.n", .item = "V14", .attempt = 3, .fresh = true,
        PRIVATE_RATE,
      .axis = "n",
      .says = "privacy dominates (rho = 0.1), a steep cone: the certificate falls as M^(-1/2) but for ln(T)^(1/2)",
      .formula = zo_root_log,
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, { "goal.rho", 0.1 }, AT_RADIUS, BALANCED },
      .window = { { 0 }, { 0x1p19, 0x1p22, 4, 8 }, { 0x1p19, 0x1p23, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.583, -0.417 }, BY_NOISE },

    { .id = "private-zeroth-order/vr.thm4.9.steep.private.rho", .item = "V15", .attempt = 7, .fresh = true,
        PRIVATE_RATE,
      .axis = "rho",
      .says = "privacy dominates, a steep cone: the certificate falls as rho^(-1/2) but for ln(T)^(1/2)",
      .formula = zo_root_log,
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, { "goal.n", 0x1p21 }, AT_RADIUS, BALANCED },
      .window = { { 0 }, { 0.05, 0.25, 3, 16 }, { 0.05, 0.25, 5, 24 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.583, -0.417 }, .tests = "noise",
      .control = { .with = { { "goal.rho", INFINITY } }, .why = "no noise, and T chosen for none" },
      .control2 = { .with = { { "algo.sigma", 0.02 }, { "algo.T", 8942 } }, .why = "noise that knows no rho" } },

    { .id = "private-zeroth-order/vr.thm4.9.steep.narrow.d", .item = "V16", .attempt = 6, .fresh = true,
        PRIVATE_RATE,
      .axis = "d",
      .says = "privacy dominates, a steep cone: the certificate grows as d^(3/4) but for ln(T)^(1/2)",
      .formula = zo_root_log,
      .with = { STEEP, TWO_RADII, { "goal.n", 0x1p20 }, { "goal.rho", 0.3 }, AT_RADIUS, BALANCED },
      .window = { { 0 }, { 2, 8, 3, 8 }, { 2, 12, 4, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0.75 } }, .band = { 0.626, 0.8 }, .tests = "noise",
      .control = { .with = { { "goal.rho", INFINITY } }, .why = "no noise, and T chosen for none" },
      .control2 = { .with = { { "goal.n", 0x1p21, -1 } }, .why = "samples that fall as 1/d: d^(5/4)" } },

    { .id = "private-zeroth-order/vr.thm4.9.steep.private.radius", .item = "V13", .attempt = 2, .fresh = true,
      PRIVATE_RATE, .axis = "radius",
      .says = "privacy dominates, a steep cone from far: the certificate falls as ((Phi + 2 L "
              "delta)/delta)^(1/2) but for ln(T)^(1/2)",
      .formula = zo_root_log,
      .with = { STEEP, { "problem.dist", 0.5 }, { "problem.d", 2 }, { "goal.n", 0x1p21 }, { "goal.rho", 0.1 },
                RADIUS_OF_AXIS, BALANCED },
      .window = { { 0 }, { 0.0125, 0.1, 4, 8 }, { 0.0125, 0.1, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.534, -0.384 }, BY_NOISE },

    /* --- the norm of the mean noise at the theorem's T */

    { NOISE_LEVEL("n", 2),
      .with = { NOISY_CONE, { "problem.d", 2 }, { "goal.rho", 0.048 }, AT_RADIUS },
      .window = { { 0 }, { 0x1p15, 0x1p17, 3, 24 }, { 0x1p15, 0x1p17, 3, 32 } } },

    { NOISE_LEVEL("d", 2),
      .with = { NOISY_CONE, { "goal.n", 0x1p17 }, { "goal.rho", 0.045 }, AT_RADIUS },
      .window = { { 0 }, { 2, 5, 3, 16 }, { 2, 5, 4, 32 } } },

    { NOISE_LEVEL("rho", 3),
      .with = { NOISY_CONE, { "problem.d", 2 }, { "goal.n", 0x1p16 }, AT_RADIUS },
      .window = { { 0 }, { 0.018, 0.06, 3, 24 }, { 0.018, 0.06, 4, 32 } } },

    { NOISE_LEVEL("radius", 4),
      .with = { NOISY_CONE_FAR, { "problem.d", 2 }, { "goal.n", 0x1p17 }, { "goal.rho", 0.048 }, RADIUS_OF_AXIS },
      .window = { { 0 }, { 0.05, 0.2, 3, 24 }, { 0.05, 0.2, 4, 32 } } },

    /* --- without privacy, at the theorem's T */

    { .id = "private-zeroth-order/vr.thm4.9.steep.n", .item = "V11", .attempt = 5, .fresh = true, PRIVATE_RATE,
      .axis = "n", .says = "no privacy, a steep cone, T as the theorem has it: the certificate falls as M^(-1/3)",
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, AT_RADIUS, { "algo.eta", .text = "adaptive" } },
      .window = { { 0 }, { 0x1p18, 0x1p22, 4, 8 }, { 0x1p18, 0x1p23, 6, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.4, -0.292 }, BY_LENGTH },

    { .id = "private-zeroth-order/vr.thm4.9.descent.d", .item = "V12", .attempt = 6, .fresh = true, PRIVATE_RATE,
      .axis = "d",
      .says = "no privacy, a clipped slope, T as the theorem has it: the certificate, which is that of the "
              "descent alone, grows as d^(1/3)",
      .remark = "A cone has the law of the descent as well, but its other term is L/T^(1/2), without d^(1/2), "
                "and falls with d. The term d^(1/2) L/T^(1/2) is attained on the floor of a valley: "
                "vr.thm4.9.floor.beside.d.",
      .with = { SLOPE, NO_DRAWS, { "goal.n", 0x1p17 }, AT_RADIUS },
      .window = { { 0 }, { 4, 32, 4, 8 }, { 4, 64, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 1. / 3 } }, .band = { 0.3125, 0.354 }, BY_LENGTH },

    { .id = "private-zeroth-order/vr.thm4.9.steep.radius", .item = "V13", .attempt = 4, .fresh = true, PRIVATE_RATE,
      .axis = "radius",
      .says = "no privacy, a steep cone from far, Phi far above L delta, T as the theorem has it: the "
              "certificate falls as delta^(-1/3)",
      .with = { STEEP, { "problem.dist", 4 }, { "problem.d", 2 }, { "goal.n", 0x1p20 }, RADIUS_OF_AXIS,
                { "algo.eta", .text = "adaptive" } },
      .window = { { 0 }, { 0.0125, 0.1, 4, 8 }, { 0.0125, 0.1, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.4, -0.292 }, BY_LENGTH },

    /* --- the sampling term and the privacy term of the bound, one by one */

    { .id = "private-zeroth-order/vr.thm4.9.floor.beside.n", .item = "V9", .attempt = 3, .fresh = true, A_TERM,
      .cite = CITE "Theorem 4.9, second term", .axis = "n",
      .says = "beside the floor of a valley, 200 epochs: the certificate across falls as T^(-1/2)",
      .with = { CLOSE_TO_FLOOR, { "problem.d", 8 }, TWO_HUNDRED, { "algo.T", 0.0025, 1 } },
      .window = { { 0 }, { 102400, 819200, 4, 8 }, { 102400, 3276800, 6, 16 } }, POWER(-0.5, 0.1),
      .tests = "first", .control = { .with = { { "algo.B1", 8 } },
      .why = "a first batch that does not grow with T" } },

    { .id = "private-zeroth-order/vr.thm4.9.floor.beside.d", .item = "V9 AB-sym", .attempt = 4, .fresh = true,
        A_TERM,
      .cite = CITE "Theorem 4.9, second term", .axis = "d",
      .says = "beside the floor of a valley, 200 epochs of 512 steps: the certificate across grows as d^(1/2)",
      .with = { CLOSE_TO_FLOOR, TWO_HUNDRED, { "goal.n", 400 * 512. }, { "algo.T", 512 } },
      .window = { { 0 }, { 4, 16, 3, 16 }, { 4, 32, 4, 32 } }, POWER(0.5, 0.12),
      .tests = "directions", .control = { .with = { { "algo.directions", 1 } },
      .why = "one direction a sample: d" },
      .control2 = { .with = { { "algo.difference", .text = "symmetric" } }, .why = "four values, no noise on "
                                "linear pieces" } },

    { .id = "private-zeroth-order/vr.thm4.9.noise.beside.n", .item = "V10", .attempt = 10, .fresh = true, A_TERM,
      .cite = CITE "Theorem 4.9, third term", .axis = "n", .formula = zo_root_log,
      .says = "beside the floor of a valley, 100 epochs, noise below 0.15: the certificate across falls as "
              "ln(T)^(1/2)/T",
      .with = { CLOSE_TO_FLOOR, { "problem.d", 4 }, { "goal.rho", 0.25 }, HUNDRED, T_OF_HUNDRED },
      .window = { { 0 }, { 409600, 1638400, 3, 12 }, { 409600, 3276800, 4, 16 } }, POWER(-1., 0.2),
      .tests = "noise", .control = { .with = { { "goal.rho", INFINITY } }, .why = "no noise" },
      .control2 = { .with = { { "algo.noise", .text = "independent" } },
      .why = "noise of every summand: T^(-1/2)" } },

    { .id = "private-zeroth-order/vr.thm4.9.noise.beside.rho", .item = "V10", .attempt = 4, .fresh = true, A_TERM,
      .cite = CITE "Theorem 4.9, third term", .axis = "rho",
      .says = "beside the floor of a valley, 100 epochs of 4096 steps, noise below 0.15: the certificate "
              "across falls as 1/rho",
      .with = { CLOSE_TO_FLOOR, { "problem.d", 4 }, HUNDRED, HUNDRED_OF(4096) },
      .window = { { 0 }, { 0.12, 0.4, 3, 8 }, { 0.12, 0.4, 4, 16 } }, POWER(-1., 0.2),
      BY_ITS_NOISE("noise that knows no rho", 0.01) },

    { .id = "private-zeroth-order/vr.thm4.9.noise.beside.d", .item = "V10", .attempt = 3, .fresh = true, A_TERM,
      .cite = CITE "Theorem 4.9, third term", .axis = "d",
      .says = "beside the floor of a valley, 50 epochs of 4096 steps, noise below 0.15: the certificate across "
              "grows as d^(3/2)",
      .remark = "By calculation 1.5 to 1.6: across are d - 1 of d coordinates, which adds 0.13, and the "
                "sampling term takes some 0.1.",
      .with = { BESIDE_FLOOR, { "goal.rho", 0.4 }, FIFTY, FIFTY_OF(4096) },
      .window = { { 0 }, { 3, 9, 3, 8 }, { 3, 12, 4, 16 } }, POWER(1.5, 0.2),
      BY_ITS_NOISE("noise that knows no d", 0.01) },

    /* --- the least rho for which privacy is free (see floor.c) */

    { .id = "private-zeroth-order/vr.thm4.9.free.beside.n", .item = "V17 5.5", .attempt = 5, .fresh = true, A_TERM,
      .cite = CITE "Theorem 4.9: free where rho >= d^(1/2) acc/L", .axis = "n",
      .says = "beside the floor of a valley, along rho = 11.5 d (ln(T)/T)^(1/2): some 1.5 times the "
              "certificate without noise, whatever T",
      .with = { BESIDE_FLOOR, { "problem.d", 8 }, { "goal.rho", .of = zo_free_n }, FIFTY, T_OF_FIFTY },
      .window = { { 0 }, { 25600, 204800, 4, 16 }, { 25600, 819200, 6, 32 } }, POWER(0., 0.13),
      .than = { .with = { { "goal.rho", INFINITY } }, .why = "without noise" },
      .tests = "tree", .control = { .with = { { "algo.noise", .text = "independent" } }, .why = "noise of every "
               "summand" } },

    { .id = "private-zeroth-order/vr.thm4.9.free.beside.d", .item = "V17 5.5", .attempt = 3, .fresh = true, A_TERM,
      .cite = CITE "Theorem 4.9: free where rho >= d^(1/2) acc/L", .axis = "d",
      .says = "beside the floor of a valley, along rho = 11.5 d (ln(T)/T)^(1/2): some 1.5 times the "
              "certificate without noise, whatever d",
      .with = { CLOSE_TO_FLOOR, { "goal.rho", .of = zo_free_d }, HUNDRED, HUNDRED_OF(512) },
      .window = { { 0 }, { 4, 16, 3, 16 }, { 4, 32, 4, 32 } }, POWER(0., 0.13),
      .than = { .with = { { "goal.rho", INFINITY } }, .why = "without noise" },
      .tests = "none", .tests_none = "It is about rho: the control is a rho that does not follow d",
      .control = { .with = { { "goal.rho", 10 } }, .why = "a rho that knows no d" } },

    { .id = "private-zeroth-order/vr.thm4.9.free.tuned.n", .item = "V17 5.5", .attempt = 2, .fresh = true,
        PRIVATE_RATE,
      .axis = "n",
      .says = "a steep cone, T tuned with and without noise, along rho ~ M^(-1/3) ln(M)^(1/2): the certificate "
              "over that without noise does not move",
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, { "goal.rho", .of = zo_free_tuned }, AT_RADIUS, BALANCED },
      .window = { { 0 }, { 0x1p18, 0x1p21, 4, 16 }, { 0x1p18, 0x1p23, 6, 16 } }, POWER(0., 0.055),
      .than = { .with = { { "goal.rho", INFINITY } }, .why = "without noise" },
      .tests = "none", .tests_none = "It is about rho: the control is a rho that does not follow M",
      .control = { .with = { { "goal.rho", 0.6 } }, .why = "a rho that knows no M" } },

    /* --- Appendix E, the naive oracle. With a batch of d^(3/2)/rho samples the mean noise of an epoch is 2
     * L/T^(1/2), which falls with T as the term L/T^(1/2) of the bound does. The rate is attained where the
     * certificate follows the noise. */

    { .id = "private-zeroth-order/naive.appE.steep.n", .item = "V18 4.5", PRIVATE_RATE,
      .axis = "n",
      .says = "the naive oracle with a batch of d^(3/2)/rho, a steep cone: the certificate falls as M^(-1/3)",
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, { "goal.rho", 0.1 }, AT_RADIUS, TUNED_BATCH },
      .window = { { 0 }, { 0x1p20, 0x1p23, 4, 8 }, { 0x1p20, 0x1p24, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.4166, -0.25 }, NAIVE_BY_NOISE,
      .control2 = { .with = { { "algo.T", 512 } }, .why = "512 steps an epoch, whatever M is" } },

    { .id = "private-zeroth-order/naive.appE.steep.rho", .item = "V18 4.5", .attempt = 2, .fresh = true,
        PRIVATE_RATE,
      .axis = "rho",
      .says = "the naive oracle with a batch of d^(3/2)/rho, a steep cone: the certificate falls as rho^(-1/3)",
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, { "goal.n", 0x1p22 }, AT_RADIUS, TUNED_BATCH },
      .window = { { 0 }, { 0.025, 0.2, 4, 8 }, { 0.025, 0.2, 4, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.4166, -0.25 }, NAIVE_BY_NOISE,
      .control2 = { .with = { { "algo.sigma", 1.38 }, { "algo.B2", 29 }, { "algo.T", 1400 } },
                    .why = "noise and batches that know no rho" } },

    /* At rho = 1 the batches d^(3/2) are whole numbers at both ends of the window, 8 and 64. The controls have the
     * same batches, since a step with one sample would take nearly as much time as one with ten. */
    { .id = "private-zeroth-order/naive.appE.later.d", .item = "V18 4.5", .attempt = 3, .fresh = true,
        PRIVATE_RATE,
      .axis = "d",
      .says = "the naive oracle with a batch of d^(3/2)/rho, a steep cone: the certificate grows as d^(1/2)",
      .with = { STEEP, TWO_RADII, { "goal.n", 0x1p22 }, { "goal.rho", 1 }, AT_RADIUS, TUNED_BATCH },
      .window = { { 0 }, { 4, 16, 3, 12 }, { 4, 16, 3, 24 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.376, 0.624 }, .tests = "noise",
      .control = { .with = { { "goal.rho", INFINITY }, { "algo.B2", .of = zo_batch_d } },
                   .why = "no noise, the same batches, and T chosen for none" },
      .control2 = { .with = { { "goal.n", 0x1p24, -1 } }, .why = "samples that fall as 1/d: d^(5/6)" } },

    { .id = "private-zeroth-order/naive.appE.one.rho", .item = "7.11 4.5", RUN, CERTIFIED,
      .cite = CITE "Appendix E, where B = 1 is printed", .axis = "rho",
      .says = "the naive oracle with B = 1, a steep cone: the certificate falls as rho^(-2/3), not as the "
              "printed rho^(-1/3)",
      .with = { STEEP, TWO_RADII, { "problem.d", 2 }, { "goal.n", 0x1p21 }, AT_RADIUS,
                { "algo.oracle", .text = "naive" }, { "algo.eta", .text = "adaptive" } },
      .window = { { 0 }, { 0.35, 1.4, 3, 8 }, { 0.35, 1.4, 3, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -2. / 3 } }, .band = { -0.749, -0.584 }, NAIVE_BY_NOISE,
      .control2 = { .with = { { "algo.batch", .text = "tuned" } }, .why = "B = d^(3/2)/rho: rho^(-1/3)" } },

    { 0 }
};

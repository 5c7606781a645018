/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - the largest norm of a sample's weighted difference eta_t grad f(x_t) - eta_{t-1} grad f(x_{t-1}),
 * with eta_t = t + 1 (algos/accelerated_dp_srgd.c), and on which parts of the method its bound rests. */
#include "accelerated_dp_srgd.h"

/* Returns M R + L, the bound of Lemma 5.5, with R the diameter of the feasible set. It holds where eta_t |x_t -
 * x_{t-1}| is at most R. */
static double move_bound(const struct env *e)
{
    return e->facts->M * e->facts->diameter + e->facts->L;
}

/* Returns 8 c_M + 4, the clipping norm of Corollary 5.10 divided by L, with c_M = M R/L. Where the losses are
 * linear, M = 0, the bound holds for any positive M, and c_M = 1 is taken. */
static double unconditional(const struct facts *f)
{
    return 8 * (f->M > 0 ? f->M * f->diameter / f->L : 1) + 4;
}
static double unconditional_of_axis(double n, const struct facts *f) { return unconditional(f); }
/* Returns 2/3 of M R + L. The constant 2/3 is calibrated: on other seeds the largest difference was 0.39 (M R + L)
 * on the family randhess, 0.37 on spectral with the minimiser outside and 0.33 on polytopes. */
static double near_move_bound(const struct env *e) { return 2. / 3 * move_bound(e); }
#define SENSITIVITY "what is bounded is a part of the method; the controls are what breaks the bound"

/* Exact gradients (all samples are equal), and batches of one sample. The clipping norm algo.C = 1000 is so large
 * that nothing is clipped. The measure is the largest norm before clipping. */
#define EXACT_MOVES { "problem.s", 0 }, { "algo.B", 1 }, { "algo.C", 1000 }
#define PLAIN_WEIGHTS                                                                   \
    .control = { .algo = "planted-weighted-gradient",                                   \
                 .with = { { "algo.B", 1 }, { "algo.C", 1e9 }, { "problem.rr", 4 } },   \
                 .why = "planted: the weighted gradient, where it does not vanish" }
#define FAR_TOO_NOISY                                                                   \
    .control = { .with = { { "algo.sigma", 1000 } },                                    \
                 .why = "noise far beyond L moves the iterates" }
#define PRIVATE_B                                                                       \
    { "algo.variant", .text = "B" }, { "algo.c_T", 4 }, { "goal.eps", 1 },              \
        { "goal.delta", 1e-6 }, { "algo.kap_c", .of = unconditional_of_axis }
#define NOISY_A                                                                         \
    .control = { .with = { { "algo.variant", .text = "A" }, { "algo.c_T", 4 },          \
                           { "goal.T", 4, 0.5 } },                                      \
                 .why = "beta of variant A at as many rounds: the noise moves the iterates" }

const struct claim accelerated_dp_srgd_sensitivity[] = {
    { .id = "accelerated-dp-srgd/A.lemma5.5.sensitivity.T", .item = "V13 V15",
      .cite = CITE "Lemma 5.5",
      .says = "max_t |Delta_t(d)| does not grow with T, minimiser inside",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "clip.largest",
      .with = { EXACT_MOVES },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 15, 1023, 4, 1 }, { 15, 4095, 5, 1 }, { 15, 16383, 6, 1 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.05 }, PLAIN_WEIGHTS },

    { .id = "accelerated-dp-srgd/A.lemma5.5.near.n", .item = "V13", .attempt = 2, .fresh = true,
      .cite = CITE "Lemma 5.5",
      .says = "at T = 4 n^(1/4) no sample's |Delta_t(d)| exceeds (2/3) (M |C| + L)",
      .kind = KIND_LEMMA, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "clip.largest",
      .with = { { "algo.c_T", 4 }, { "algo.C", 1000 } },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 1e4, 1e5, 2, 4 }, { 1e4, 1e6, 5, 8 }, { 1e4, 1e7, 7, 8 } },
      .formula = near_move_bound, FAR_TOO_NOISY },

    { .id = "accelerated-dp-srgd/A.lemma5.5.random.n", .item = "V13",
      .cite = CITE "Lemma 5.5",
      .says = "Hessians differ between samples, T = 4 n^(1/4): no sample's |Delta_t(d)| exceeds M |C| + L",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = "accelerated-dp-srgd", .problem = "randhess", .axis = "n", .measure = "clip.largest",
      .with = { { "algo.c_T", 4 }, { "algo.C", 1000 } },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 1e4, 1e5, 2, 4 }, { 1e4, 1e6, 5, 8 }, { 1e4, 1e7, 7, 8 } },
      .formula = move_bound, FAR_TOO_NOISY },

    { .id = "accelerated-dp-srgd/B.cor5.10.near.n", .item = "V14", .attempt = 2, .fresh = true,
      .cite = CITE "Lemma 5.9, Corollary 5.10",
      .says = "variant B, private, minimiser outside: |Delta_t(d)| <= (2/3) (M |C| + L) for all t, d",
      .kind = KIND_LEMMA, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "clip.largest",
      .with = { PRIVATE_B, { "problem.rr", 1.5 } },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 1e4, 1e5, 2, 4 }, { 1e4, 1e6, 5, 8 }, { 1e4, 1e7, 7, 8 } },
      .formula = near_move_bound, NOISY_A },

    { .id = "accelerated-dp-srgd/B.cor5.10.near.random.n", .item = "V14", .attempt = 2, .fresh = true,
      .cite = CITE "Lemma 5.9, Corollary 5.10",
      .says = "variant B, private, Hessians differ between samples: |Delta_t(d)| <= (2/3) (M |C| + L) for all t, d",
      .kind = KIND_LEMMA, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = "accelerated-dp-srgd", .problem = "randhess", .axis = "n", .measure = "clip.largest",
      .with = { PRIVATE_B, { "problem.rr", 1.5 } },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 1e4, 1e5, 2, 4 }, { 1e4, 1e6, 5, 8 }, { 1e4, 1e7, 7, 8 } },
      .formula = near_move_bound, NOISY_A },

    { .id = "accelerated-dp-srgd/A.sec1.gain.T", .item = "V15",
      .cite = CITE "Sections 1 and 2.1",
      .says = "linear losses: the weighted difference gains a factor 1/T over the weighted "
              "gradient",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "linear", .axis = "T", .measure = "clip.largest",
      .with = { EXACT_MOVES },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 15, 1023, 4, 1 }, { 15, 4095, 5, 1 }, { 15, 16383, 6, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.1, -0.9 },
      .than = { .algo = "planted-weighted-gradient",
                .with = { { "algo.B", 1 }, { "algo.C", 1e9 } },
                .why = "the weighted gradient" },
      .control = { .algo = "planted-weighted-gradient",
                   .with = { { "algo.B", 1 }, { "algo.C", 1e9 } },
                   .why = "planted: the weighted gradient against itself" } },

    { .id = "accelerated-dp-srgd/A.sec1.gain.later.T", .item = "V15", .attempt = 2,
      .cite = CITE "Sections 1 and 2.1",
      .says = "minimiser outside: the weighted difference gains a factor 1/T, once the gradient has come to its "
              "limit there",
      .remark = "The gradient in the limit is nu |x*| = 2.9 10^-4: weighted by t it passes the 0.39 of the first "
                "round at t = 1350, before the window.",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "clip.largest",
      .with = { EXACT_MOVES, { "problem.rr", 1.5 } },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 8191, 32767, 3, 1 }, { 8191, 131071, 5, 1 }, { 8191, 131071, 5, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.1, -0.9 },
      .than = { .algo = "planted-weighted-gradient",
                .with = { { "algo.B", 1 }, { "algo.C", 1e9 } },
                .why = "the weighted gradient" },
      .control = { .algo = "planted-weighted-gradient",
                   .with = { { "algo.B", 1 }, { "algo.C", 1e9 } },
                   .why = "planted: the weighted gradient against itself" } },

    { .id = "accelerated-dp-srgd/A.open.sensitivity.T", .item = "V16",
      .cite = CITE "Section 6, open question",
      .says = "variant A, minimiser outside: max_t |Delta_t(d)| does not grow with T here either",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "clip.largest",
      .with = { EXACT_MOVES, { "problem.rr", 1.5 } },
      .reaches = BELOW_START, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 15, 1023, 4, 1 }, { 15, 4095, 5, 1 }, { 15, 16383, 6, 1 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.05 }, PLAIN_WEIGHTS },

    { .id = "accelerated-dp-srgd/A.open.polytope.T", .item = "V16", .attempt = 2, .fresh = true,
      .cite = CITE "Section 6, open question",
      .says = "variant A on random polytopes, minimiser outside: |Delta_t(d)| <= M |C| + L here too",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = "accelerated-dp-srgd", .problem = "spectral_polytope", .axis = "T",
      .measure = "clip.largest",
      .with = { EXACT_MOVES, { "problem.rr", 1.5 } },
      .reaches = { "gap", 0.1, .probability = 0.9 }, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 0 }, { 15, 1023, 4, 32 }, { 15, 4095, 5, 64 } },
      .formula = move_bound, PLAIN_WEIGHTS },

    { .id = "accelerated-dp-srgd/A.open.polytope.private.n", .item = "V16", .attempt = 2, .fresh = true,
      .cite = CITE "Section 6, open question",
      .says = "variant A on polytopes, minimiser outside, noise of epsilon = 1, 4 n^(1/4) rounds: |Delta_t(d)| <= "
              "M |C| + L",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = "accelerated-dp-srgd", .problem = "spectral_polytope", .axis = "n",
      .measure = "clip.largest",
      .with = { { "algo.c_T", 4 }, { "problem.rr", 1.5 }, { "goal.eps", 1 },
                { "goal.delta", 1e-6 } },
      .reaches = { "gap", 0.1, .probability = 0.9 }, .tests = "none", .tests_none = SENSITIVITY,
      .window = { { 0 }, { 1e4, 1e6, 5, 8 }, { 1e4, 1e7, 7, 8 } },
      .formula = move_bound, FAR_TOO_NOISY },

    { .id = "accelerated-dp-srgd/A.open.excess.n", .item = "V16",
      .cite = CITE "Section 6, open question",
      .says = "variant A in 4 n^(1/4) rounds, minimiser outside: E F(y_T) - F* ~ n^(-1/2) here too",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "problem.rr", 1.5 }, { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .window = { { 1e4, 1e7, 4, 16 }, { 1e3, 1e7, 9, 32 }, { 1e3, 1e8, 11, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .tests = "acceleration",
      .control = { .algo = "dp-srgd", .with = { { "goal.T", 4, 0.25 } }, .why = "without acceleration: n^(-1/4)" },
      .control2 = { .with = { { "problem.rr", 4 } },
                   .why = "far outside, the boundary acts as strong convexity: 1/n" } },

    { .id = "accelerated-dp-srgd/A.lemma5.4.gradient.T", .item = "V18",
      .cite = CITE "Lemma 5.4, last term",
      .says = "minimiser inside: the gradient at the answer falls as 1/T at least",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "gradient",
      .with = { { "problem.s", 0 }, { "problem.d", 400 }, { "algo.B", 1 } },
      .tests = "none", .tests_none = "descent without acceleration has gradients of order 1/T on quadratics too",
      .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -INFINITY, -0.85 },
      .control = { .with = { { "problem.rr", 4 } },
                   .why = "minimiser far outside: it does not vanish" } },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errata.c - printed forms that fail (T as a minimum in place of a maximum, noise that is fed back into the
 * gradient estimate), and claims that belong to no other file: the counts of item 3.4 of
 * docs/papers/private-zeroth-order.md, the bound with the step length of the proof, and instances with kinks. */
#include "private_zeroth_order.h"

#define O2NC_FIRST .kind = KIND_IDENTITY, COUNTED, .algo = "o2nc", .problem = "sloped",              \
                   .cite = "Cutkosky, Mehta, Orabona 2023", .with = { { "problem.d", 5 }, AT_RADIUS }, \
                   COUNTS_WINDOW
#define O2NC_PAIRS .kind = KIND_IDENTITY, COUNTED, .algo = "zo-o2nc", .problem = "sloped",           \
                   .cite = "Kornowski, Shamir 2024", .with = { { "problem.d", 5 }, AT_RADIUS }, COUNTS_WINDOW
#define AS_PAPER(reason) { .algo = PZO, .why = reason }
#define NAIVELY { "algo.oracle", .text = "naive" }
#define AS_REDUCED { .with = { { "algo.oracle", .text = "reduced" } }, .why = "the variance-reduced oracle" }
#define AS_PAIRS { .algo = "zo-o2nc", .why = "a pair of values in place of a gradient" }
#define ASKED_TWICE { .algo = "planted-sgd-twice", .why = "planted: every sample twice" }

static double zo_directions(const struct env *e) { return e->facts->d * zo_samples(e); }

static double zo_batches(const struct env *e) { return env_param(e, "B2") * zo_rounds(e); }

static double zo_all_taken(const struct env *e) { return env_count(e, COUNT_taken); }

static double zo_axis(const struct env *e) { return e->axis; }

static double zo_twice_axis(const struct env *e) { return 2 * e->axis; }

static double zo_nothing(const struct env *e) { return 0; }

/* Returns a bound on the expected norm of an epoch's mean noise, 4 ln(T)^(1/2) (a c)^(1/2) with a = (Phi + L
 * delta)/(delta M) and c = d^(3/2) L/rho. This norm is at most (d sigma^2/2)^(1/2), which is 4 ln(T)^(1/2) c/T with
 * the printed sigma. Since T >= (c/a)^(1/2), c/T is at most (a c)^(1/2). */
static double zo_balanced_noise(const struct env *e)
{
    double delta = env_param(e, "smoothing"), L = env_param(e, "L"), d = e->facts->d;
    double a = (env_param(e, "Phi") + L * delta) / (delta * e->goal->n);
    return 4 * sqrt(log(env_param(e, "T")) * a * pow(d, 1.5) * L / env_param(e, "rho"));
}

/* Nine runs of ten must reach a certificate of 0.45. A method that does not move has a certificate of L/2. */
#define REACHED .reaches = { "set.smoothed.mean", 0.45, NULL, 0.9 }

#define ERRATUM .kind = KIND_ERRATUM, .algo = PZO, .problem = "sloped"
#define MIN_FOR_MAX { .with = { { "algo.choice", .text = "printed" } }, .why = "T = min, as printed" }

/* The measure is the exact Goldstein norm. The certificate, the norm of a mean of T gradients, exceeds it by about
 * L/T^(1/2), and so would favour methods with long epochs. */
#define PEAK_PRIVATE                                                                              \
    .kind = KIND_EVIDENCE, .check = CHECK_ORDER, .algo = PZO, .problem = "peaked", .axis = "n",   \
    .measure = "set.stationarity.mean"

#define PEAK { "problem.d", 4 }, { "problem.draws", 0 }, { "goal.rho", 0.3 }, AT_RADIUS

const struct claim private_zeroth_order_errata[] = {
    { .id = "private-zeroth-order/vr.sec3.directions.n", .item = "V21 3.4", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithms 1, 2 and 4", .says = "d directions a sample: 2 d K T",
      .measure = "directions", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_directions,
      .control = { .with = { { "algo.directions", 1 } }, .why = "one direction a sample" } },

    { .id = "private-zeroth-order/naive.appE.directions.n", .item = "V21 3.4 4.5", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithm 6", .says = "one direction a sample: B K T",
      .measure = "directions", .with = { ASKED, NAIVELY }, COUNTS_WINDOW, .formula = zo_all_taken,
      .control = { .with = { { "algo.directions", 5 } }, .why = "d directions a sample" } },

    { .id = "private-zeroth-order/naive.appE.samples.n", .item = "V21 3.4 4.5", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithm 6", .says = "batches of 3: B K T samples",
      .measure = "taken", .with = { ASKED, NAIVELY, { "algo.B2", 3 } }, COUNTS_WINDOW,
      .formula = zo_batches, .control = AS_REDUCED },

    { .id = "private-zeroth-order/naive.appE.rounds.n", .item = "V21 3.4 4.5", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithm 6", .says = "B = 1: K T rounds, one of every sample",
      .measure = "batch_steps", .with = { ASKED, NAIVELY }, COUNTS_WINDOW,
      .formula = zo_all_taken, .control = AS_REDUCED },

    { .id = "private-zeroth-order/naive.appE.noise.n", .item = "V21 3.4 4.5", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithm 6", .says = "B = 1: K T vectors of noise, one of every sample",
      .measure = "noise_gauss", .with = { ASKED, NAIVELY }, COUNTS_WINDOW,
      .formula = zo_all_taken, .control = AS_REDUCED },

    { .id = "private-zeroth-order/o2nc.sec3.samples.n", .item = "V21 3.4 4.1", O2NC_FIRST,
      .says = "with gradients, one a step: K T samples",
      .measure = "taken", .formula = zo_rounds, .control = AS_PAPER("the paper's method: 2 K T") },

    { .id = "private-zeroth-order/o2nc.sec3.gradients.n", .item = "V21 3.4 4.1", O2NC_FIRST,
      .says = "K T gradients, one of every sample",
      .measure = "sample_grads", .formula = zo_all_taken, .control = ASKED_TWICE },

    { .id = "private-zeroth-order/o2nc.sec3.rounds.n", .item = "V21 3.4 4.1", O2NC_FIRST,
      .says = "K T rounds, one of every sample",
      .measure = "batch_steps", .formula = zo_all_taken, .control = ASKED_TWICE },

    { .id = "private-zeroth-order/o2nc.sec3.values.n", .item = "V21 3.4 4.1", O2NC_FIRST,
      .says = "no values",
      .measure = "sample_values", .formula = zo_nothing, .control = AS_PAIRS },

    { .id = "private-zeroth-order/o2nc.sec3.directions.n", .item = "V21 3.4 4.1", O2NC_FIRST,
      .says = "no directions",
      .measure = "directions", .formula = zo_nothing, .control = AS_PAIRS },

    { .id = "private-zeroth-order/zo-o2nc.sec3.samples.n", .item = "V21 3.4 4.2", O2NC_PAIRS,
      .says = "with pairs of values, one a step: all N samples",
      .measure = "taken", .formula = zo_axis,
      .control = { .algo = PZO, .with = { { "algo.K", 1 } }, .why = "one epoch of the paper's method" } },

    { .id = "private-zeroth-order/zo-o2nc.sec3.values.n", .item = "V21 3.4 4.2", O2NC_PAIRS,
      .says = "2 N values",
      .measure = "sample_values", .formula = zo_twice_axis, .control = AS_PAPER("2 d values a sample") },

    { .id = "private-zeroth-order/zo-o2nc.sec3.directions.n", .item = "V21 3.4 4.2", O2NC_PAIRS,
      .says = "N directions",
      .measure = "directions", .formula = zo_axis, .control = AS_PAPER("d directions a sample") },

    { .id = "private-zeroth-order/zo-o2nc.sec3.rounds.n", .item = "V21 3.4 4.2", O2NC_PAIRS,
      .says = "N rounds",
      .measure = "batch_steps", .formula = zo_axis, .control = AS_PAPER("half as many rounds as samples") },

    { .id = "private-zeroth-order/vr.thm4.9.max.n", .item = "7.1 V11", ERRATUM, CERTIFIED,
      .cite = CITE "Theorem 4.9, where T = min is printed", .axis = "n",
      .says = "no privacy, a cone, T = max(T1, T2) with T2 = 0: the mean certificate falls at least as "
              "M^(-0.28); min(T1, T2) leaves epochs of two steps and d^(1/2) L/T^(1/2) where it is",
      .remark = "Min breaks the law, not the value. Up to M = 2^19 the certificate is smaller with min, 0.10 to "
                "0.069 against 0.35 to 0.11, but it stays there: at 2^21 both are 0.069.",
      .with = { CONE, { "problem.d", 8 }, AT_RADIUS },
      .window = { { 0 }, { 0 }, { 0x1p14, 0x1p21, 8, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.5, -0.28 },
      .control = MIN_FOR_MAX },

    { .id = "private-zeroth-order/vr.thm4.9.max.noise.rho", .item = "7.1 V10", ERRATUM,
      .cite = CITE "Theorem 4.9, where T = min is printed", .axis = "rho",
      .says = "T = max(T1, T2), privacy dominates: the mean noise of an epoch is at most 4 ln(T)^(1/2) "
              "(d^(3/2) L (Phi + L delta)/(rho delta M))^(1/2), the error form's third and fourth term; with "
              "min it is not",
      .check = CHECK_BOUND, .measure = "note.epoch_noise",
      .with = { CONE, { "problem.share", 0.9 }, { "problem.dist", 0.1 }, { "problem.d", 2 }, { "problem.draws", 0 },
                { "goal.n", 0x1p19 }, AT_RADIUS,
                { "algo.calibration", .text = "paper" } },
      .window = { { 0 }, { 0.003, 0.02, 2, 16 }, { 0.003, 0.02, 5, 32 } },
      .formula = zo_balanced_noise, .reaches = { "set.smoothed.mean", 0.75, NULL, 0.9 },
      .attempt = 2, .fresh = true,
      .tests = "larger", .control = MIN_FOR_MAX },

    { .id = "private-zeroth-order/vr.alg4.line9.noise.n", .item = "7.2 V10", ERRATUM,
      .cite = CITE "Algorithm 4, line 9; equation (2)", .axis = "n",
      .says = "whole runs of 20 epochs, sigma as printed, T = M/41: the mean noise of an epoch falls as "
              "ln(T)^(1/2)/T; fed back, as line 9 says, it would not fall but with ln(T)^(1/2)",
      .remark = "Every T of the window stands at the same place between two powers of 2, so that the share of "
                "noises in an epoch's mean, 0.38 to 0.5 of sigma^2 a coordinate, is the same.",
      .check = CHECK_RATE, .measure = "note.epoch_noise", .formula = zo_root_log, REACHED,
      .attempt = 3, .fresh = true, .tests = "none", .tests_none = "It is about a printed line: what the line does "
          "is the control",
      .with = { CONE, { "problem.d", 4 }, { "problem.dist", 0.25 }, { "problem.draws", 0 }, { "goal.rho", 1 },
          AT_RADIUS, { "algo.K", 20 },
                { "algo.T", 1. / 41, 1 }, { "algo.calibration", .text = "paper" } },
      .window = { { 0 }, { 0x1p13, 0x1p17, 5, 16 }, { 0x1p13, 0x1p19, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.05, -0.95 },
      .control = { .algo = "planted-zo-fed-back", .with = { { "algo.K", 20 }, { "algo.T", 1. / 41, 1 } },
                   .why = "planted: noise fed back, as printed" } },

    { .id = "private-zeroth-order/vr.thm4.9.bound.theory.n", .item = "V22 3.3 7.8", .attempt = 3, RUN,
      .cite = CITE "Theorem 4.9, proof",
      .says = "the mean certificate is at most (Phi + 2 L delta)/(delta K) + G/T^(1/2) + 2(V^(1/2) + N^(1/2)), "
              "where that says something, with the step the bound is proven for, eta = D/(G T^(1/2)) with G of "
              "the proof",
      BOUNDED, .measure = "set.smoothed.mean",
      .with = { SLOPE_BOUNDED, { "problem.draws", 0 }, { "algo.eta", .text = "theory" } },
      .window = { { 0x1p19, 0x1p19, 1, 8 }, { 0x1p19, 0x1p20, 2, 8 }, { 0x1p19, 0x1p23, 5, 8 } } },

    { .id = "private-zeroth-order/vr.sec1.peak.more.n", .item = "V18 AB-novr 5.1", .attempt = 2, PEAK_PRIVATE,
      .cite = CITE "Section 1, Appendix E",
      .says = "the largest absolute coordinate, whose kinks meet every motion, at rho = 0.3: variance "
              "reduction, T of least expected certificate, is below the naive oracle with B = 1",
      .with = { PEAK, { "algo.choice", .text = "practical" } },
      .window = { { 0 }, { 0 }, { 0x1p18, 0x1p19, 2, 32 } },
      .than = { .with = { { "algo.oracle", .text = "naive" } }, .why = "Algorithm 6, B = 1" },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.sec1.peak.tuned.n", .item = "V18 7.19 5.6", .attempt = 3, PEAK_PRIVATE,
      .cite = CITE "Section 1, Appendix E, with a tuned batch",
      .says = "the largest absolute coordinate at rho = 0.3: variance reduction is below the naive oracle with a "
              "batch of d^(3/2)/rho, T of both the best of powers of 4",
      .remark = "It is above: a finding, of which docs/papers/private-zeroth-order.md has the reason. `assay "
                "reproduce private-zeroth-order` tunes B too.",
      .with = { PEAK },
      .search = { .kind = SEARCH_SMALLEST, .name = "algo.T", .from = 4, .to = 4096, .points = 6, .reps = 2 },
      .window = { { 0 }, { 0x1p18, 0x1p18, 1, 16 }, { 0x1p18, 0x1p20, 3, 16 } },
      .than = { .with = { { "algo.oracle", .text = "naive" }, { "algo.batch", .text = "tuned" } },
                .why = "Algorithm 6, B = d^(3/2)/rho" },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.sec4.product.B2", .item = "AB-B2", .attempt = 3,
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .algo = PZO, .problem = "sloped", .axis = "B2",
      .cite = CITE "Lemma 4.8: B2 and T in a product",
      .says = "on the floor of a valley, 20 epochs of B2 T = 1024: the certificate across changes with B2 by "
              "no power, within 0.1",
      .remark = "The certificate falls a little, about as B2^(-0.1), at the edge of the band. Of the bound's terms "
                "only L/T^(1/2) would grow with B2, and no growth is seen.",
      .measure = "set.across.mean",
      .with = { VALLEY, { "problem.d", 16 }, { "problem.draws", 0 }, AT_RADIUS, { "algo.K", 20 },
                { "algo.T", 1024, -1 }, { "goal.n", 40960 } },
      .window = { { 0 }, { 0 }, { 1, 4, 3, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.1, 0.1 },
      .control = { .with = { { "algo.T", 1024 }, { "goal.n", 40960, 1 } },
                   .why = "epochs that stay as long: the product grows" } },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - runs of private zeroth-order O2NC. Theorem 4.9 bounds the mean over epochs of the smoothed
 * certificate, which is what is measured. Only "measured <= bound" is the theorem; slopes with the
 * theorem's T are partly built in, as the epochs of descent are Phi/delta of M/(2T). On the clipped
 * slope nothing but the descent is left; the floors are those of the valley, which never ends. */
#include "private_zeroth_order.h"

#define BOUND_WINDOW(few, reps)                                                                  \
    .window = { { 0x1p19, 0x1p19, 1, few }, { 0x1p19, 0x1p21, 3, reps }, { 0x1p19, 0x1p23, 5, reps } }
#define BOUND_LATER                                                                              \
    .window = { { 0 }, { 0x1p19, 0x1p21, 3, 8 }, { 0x1p19, 0x1p23, 5, 8 } }
#define ORDERED                                                                                  \
    .check = CHECK_ORDER, .measure = "set.smoothed.mean",                                         \
    .with = { CONE, { "problem.d", 4 }, { "goal.rho", 0.3 }, AT_RADIUS,                           \
              { "algo.choice", .text = "practical" } },                                           \
    .window = { { 0 }, { 0x1p18, 0x1p20, 3, 8 }, { 0x1p18, 0x1p22, 5, 8 } }

static double zo_values(const struct env *e) { return 2 * e->facts->d * zo_samples(e); }

static double zo_taken(const struct env *e) { return 2 * zo_rounds(e); }

static double zo_half_taken(const struct env *e) { return env_count(e, COUNT_taken) / 2; }

static double zo_twice_taken(const struct env *e) { return 2 * env_count(e, COUNT_taken); }

static double zo_once(const struct env *e) { return 1; }

/* (d L^3/M)^(1/3), M = 2 K T */
static double zo_near(const struct env *e)
{
    double L = e->facts->L;
    return L * cbrt(e->facts->d / zo_samples(e));
}

#define AS_NAIVE { .with = { { "algo.oracle", .text = "naive" } }, .why = "the naive oracle" }

const struct claim private_zeroth_order_runs[] = {
    { .id = "private-zeroth-order/vr.sec3.values.n", .item = "V21 3.4", RUN, COUNTED,
      .cite = CITE "Algorithms 1, 2 and 4", .says = "2 d values a sample: 4 d K T",
      .measure = "sample_values", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_values,
      .control = { .with = { { "algo.directions", 1 } }, .why = "one direction a sample" } },

    { .id = "private-zeroth-order/vr.sec3.samples.n", .item = "V21 3.4", RUN, COUNTED,
      .cite = CITE "Theorem 4.9", .says = "B1 = T + 1, B2 = 1: 2 K T samples",
      .measure = "taken", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_taken,
      .control = { .with = { { "algo.B2", 2 } }, .why = "batches twice as large" } },

    { .id = "private-zeroth-order/vr.sec3.rounds.n", .item = "V21 3.4", RUN, COUNTED,
      .cite = CITE "Theorem 4.9", .says = "K T rounds, half the samples",
      .measure = "batch_steps", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_half_taken,
      .control = AS_NAIVE },

    { .id = "private-zeroth-order/vr.sec3.noise.n", .item = "V21 3.4", RUN, COUNTED,
      .cite = CITE "Algorithm 5", .says = "K T vectors of noise, half the samples",
      .measure = "noise_tree", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_half_taken,
      .control = AS_NAIVE },

    { .id = "private-zeroth-order/vr.sec3.epoch.n", .item = "V21 6.2", RUN, COUNTED,
      .cite = CITE "Algorithm 4", .says = "batches are disjoint: no sample is asked in two rounds",
      .measure = "max_visits", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_once,
      .control = { .algo = "planted-sgd-twice", .with = { { "algo.B", 64 } },
                   .why = "planted: every batch twice" } },

    { .id = "private-zeroth-order/naive.appE.values.n", .item = "V21 3.4", RUN, COUNTED,
      .cite = CITE "Algorithm 6", .says = "two values a sample: 2 B K T",
      .measure = "sample_values", .with = { ASKED, { "algo.oracle", .text = "naive" } },
      COUNTS_WINDOW, .formula = zo_twice_taken,
      .control = { .with = { { "algo.directions", 5 } }, .why = "d directions a sample" } },

    { .id = "private-zeroth-order/vr.thm4.9.bound.private.n", .item = "V22 3.3", RUN,
      .cite = CITE "Theorem 4.9, proof",
      .says = "the mean certificate is within the bound at rho = 1 too, noise as printed, step of the proof",
      BOUNDED, .measure = "set.smoothed.mean",
      .with = { SLOPE_BOUNDED, { "goal.rho", 1 }, { "algo.calibration", .text = "paper" },
                { "algo.eta", .text = "theory" } },
      BOUND_LATER },

    { .id = "private-zeroth-order/vr.thm4.9.sampled.eight.n", .item = "V22 5.2", .attempt = 2, RUN,
      .cite = CITE "Theorem 4.9, Definition 2.1",
      .says = "the mean of finitely many gradients of F within 2 delta, a certificate whatever was drawn, is "
              "at most that bound",
      .remark = PRACTICAL_STEP,
      BOUNDED, .measure = "set.sampled.mean", .with = { SLOPE_BOUNDED }, BOUND_WINDOW(8, 8) },

    { .id = "private-zeroth-order/vr.thm4.9.hull.n", .item = "V22 5.2", RUN,
      .cite = CITE "Theorem 4.9, Definition 2.1",
      .says = "so is an independent search for the shortest element of the hull around the answer",
      .remark = "At most what vr.thm4.9.sampled.eight.n measures by construction: the hull takes "
                "the mean of those gradients in. " PRACTICAL_STEP,
      BOUNDED, .measure = "set.hull.mean", .with = { SLOPE_BOUNDED, { "problem.hull", 1 } },
      BOUND_LATER },

    { .id = "private-zeroth-order/vr.cor4.7.descent.K", .item = "V8", RUN, CERTIFIED,
      .cite = CITE "Corollary 4.7", .axis = "K",
      .says = "the descent term alone: the mean certificate falls as 1/K at T = 64",
      .remark = "Quick has fewer replicates than an interval of means takes; nightly decides.",
      .with = { SLOPE, { "problem.d", 4 }, AT_RADIUS, { "algo.T", 64 }, { "goal.n", 128, 1 } },
      .window = { { 100, 400, 3, 4 }, { 100, 1600, 5, 16 }, { 100, 3200, 6, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.05, -0.95 },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.thm4.9.floor.n", .item = "V9", RUN,
      .cite = CITE "Theorem 4.9, second term", .axis = "n",
      .says = "on the floor of a valley, 20 epochs: the certificate across falls as T^(-1/2)",
      .check = CHECK_RATE, .measure = "set.across.mean",
      .with = { VALLEY, { "problem.d", 16 }, AT_RADIUS, { "algo.K", 20 }, { "algo.T", 1. / 41, 1 } },
      .window = { { 0 }, { 0x1p13, 0x1p18, 6, 16 }, { 0x1p13, 0x1p20, 8, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "algo.B1", 8 } },
                   .why = "a first batch that does not grow with T" } },

    { .id = "private-zeroth-order/vr.thm4.9.floor.d", .item = "V9 AB-sym", RUN,
      .cite = CITE "Theorem 4.9, second term", .axis = "d",
      .says = "on the floor of a valley, T = 1024: the certificate across grows as d^(1/2)",
      .remark = "The band is wider than the 0.1 to either side of V9.",
      .check = CHECK_RATE, .measure = "set.across.mean",
      .with = { VALLEY, AT_RADIUS, { "algo.K", 20 }, { "algo.T", 1024 }, { "goal.n", 40960 } },
      .window = { { 0 }, { 4, 32, 4, 16 }, { 4, 64, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .control = { .with = { { "algo.difference", .text = "symmetric" } },
                   .why = "four values, no noise on linear pieces" } },

    { .id = "private-zeroth-order/vr.thm4.9.slope.n", .item = "V11", RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "n",
      .says = "no privacy, a clipped slope: the mean certificate falls as M^(-1/3), as T ~ M^(2/3) of "
              "the theorem makes the descent last",
      .remark = "Quick has fewer replicates than an interval of means takes; nightly decides. "
                "The band is wider than the -0.5 to -0.28 of V11.",
      .with = { SLOPE, { "problem.d", 8 }, AT_RADIUS },
      .window = { { 0x1p13, 0x1p16, 4, 4 }, { 0x1p13, 0x1p18, 6, 16 }, { 0x1p13, 0x1p21, 9, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.5, -0.23 },
      .control = { .with = { { "algo.T", 64 } }, .why = "64 steps an epoch, whatever M" } },

    { .id = "private-zeroth-order/vr.thm4.9.slope.d", .item = "V12", RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "d",
      .says = "no privacy, a clipped slope: the mean certificate grows as d^(1/3)",
      .with = { SLOPE, { "goal.n", 0x1p17 }, AT_RADIUS },
      .window = { { 0 }, { 4, 32, 4, 16 }, { 4, 64, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 1. / 3 } }, .band = { 0.2, 0.46 },
      .control = { .with = { { "algo.T", 256 } }, .why = "an epoch that does not know d" } },

    { .id = "private-zeroth-order/vr.thm4.9.slope.radius", .item = "V13", RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "radius",
      .says = "no privacy, a clipped slope, Phi far above L delta: the certificate falls as "
              "delta^(-1/3)",
      .remark = "The band is wider than the -0.45 to -0.3 of V13.",
      .with = { SLOPE, { "problem.d", 8 }, { "goal.n", 0x1p17 }, RADIUS_OF_AXIS },
      .window = { { 0 }, { 0.02, 0.16, 4, 16 }, { 0.02, 0.16, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.5, -0.23 },
      .control = { .with = { { "algo.T", 256 } }, .why = "an epoch that does not know delta" } },

    { .id = "private-zeroth-order/vr.thm4.9.cone.private.n", .item = "V14", RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "n",
      .says = "privacy dominates (rho = 0.1), a cone, T of least expected certificate: M^(-1/2) but for "
              "ln(T)^(1/2)",
      .remark = "The band is wider at its lower end than the -0.55 to -0.38 of V14.",
      .formula = zo_root_log,
      .with = { CONE, { "problem.d", 4 }, { "goal.rho", 0.1 }, AT_RADIUS,
                { "algo.choice", .text = "practical" } },
      .window = { { 0 }, { 0x1p19, 0x1p22, 4, 8 }, { 0x1p19, 0x1p23, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.62, -0.38 },
      .control = { .with = { { "algo.T", 256 } }, .why = "256 steps an epoch, whatever M" } },

    { .id = "private-zeroth-order/vr.thm4.9.cone.private.d", .item = "V16", RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "d",
      .says = "privacy dominates, a cone, T of least expected certificate: d^(3/4)",
      .with = { CONE, { "goal.n", 0x1p20 }, { "goal.rho", 0.3 }, AT_RADIUS,
                { "algo.choice", .text = "practical" } },
      .window = { { 0 }, { 4, 16, 3, 8 }, { 4, 16, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0.75 } }, .band = { 0.6, 0.85 },
      .control = { .with = { { "algo.sigma", 0.05 }, { "algo.T", 2048 } },
                   .why = "noise that knows no d" } },

    { .id = "private-zeroth-order/vr.sec1.order.again.n", .item = "V18 AB-novr", .attempt = 2, RUN,
      .cite = CITE "Section 1, Appendix E", .axis = "n",
      .says = "at rho = 0.3 variance reduction is below the naive oracle with B = 1 at equal data",
      ORDERED,
      .than = { .with = { { "algo.oracle", .text = "naive" } }, .why = "Algorithm 6, B = 1" },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.open.tuned.n", .item = "V18 7.19 5.6",
      .cite = CITE "Section 1, Appendix E, with a tuned batch", .axis = "n",
      .says = "and below the naive oracle with a batch of d^(3/2)/rho",
      .remark = "T of this method is of least expected certificate, that of the rival the "
                "balance of its terms without constants: its batch is tuned, its T is not. With both T of a grid the "
                "answer is another: `assay reproduce private-zeroth-order`.",
      .kind = KIND_EVIDENCE, .algo = PZO, .problem = "sloped",
      ORDERED,
      .than = { .with = { { "algo.oracle", .text = "naive" }, { "algo.batch", .text = "tuned" } },
                .why = "Algorithm 6, B = d^(3/2)/rho" },
      .control = { .with = { { "algo.oracle", .text = "naive" } }, .why = "B = 1" } },

    { .id = "private-zeroth-order/vr.thm4.9.near.radius", .item = "V23", RUN,
      .cite = CITE "Theorem 4.9, error form", .axis = "radius",
      .says = "from within delta/10 of the cone's apex, Phi far below L delta: the certificate is at "
              "most (d L^3/M)^(1/3), whatever delta",
      .check = CHECK_BOUND, .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.d", 4 }, { "problem.dist", 0.05, 1 }, { "goal.n", 0x1p18 },
                RADIUS_OF_AXIS },
      .window = { { 0 }, { 0.02, 0.2, 3, 8 }, { 0.02, 0.2, 5, 16 } },
      .formula = zo_near, .control = STOPPED },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - runs of private zeroth-order O2NC: what they ask, as counts, and the mean over epochs of certificates,
 * which Theorem 4.9 bounds. The theorem promises only that the measure is at most the bound. With the T of the
 * theorem the exponents follow in part from this T, because the descent takes about Phi/(delta L) of the M/(2T)
 * epochs. On the clipped slope the certificate measures the descent alone; on the valley, where descent never ends,
 * the other terms of the bound. */
#include "private_zeroth_order.h"

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

/* Returns (d L^3/M)^(1/3), the law of the certificate without privacy for M samples. */
static double zo_near(const struct env *e)
{
    double L = e->facts->L;
    return L * cbrt(e->facts->d / zo_samples(e));
}

#define AS_NAIVE { .with = { { "algo.oracle", .text = "naive" } }, .why = "the naive oracle" }

const struct claim private_zeroth_order_runs[] = {
    { .id = "private-zeroth-order/vr.sec3.values.n", .item = "V21 3.4", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithms 1, 2 and 4", .says = "2 d values a sample: 4 d K T",
      .measure = "sample_values", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_values,
      .control = { .with = { { "algo.directions", 1 } }, .why = "one direction a sample" } },

    { .id = "private-zeroth-order/vr.sec3.samples.n", .item = "V21 3.4", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Theorem 4.9", .says = "B1 = T + 1, B2 = 1: 2 K T samples",
      .measure = "taken", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_taken,
      .control = { .with = { { "algo.B2", 2 } }, .why = "batches twice as large" } },

    { .id = "private-zeroth-order/vr.sec3.rounds.n", .item = "V21 3.4", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Theorem 4.9", .says = "K T rounds, half the samples",
      .measure = "batch_steps", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_half_taken,
      .control = AS_NAIVE },

    { .id = "private-zeroth-order/vr.sec3.noise.n", .item = "V21 3.4", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithm 5", .says = "K T vectors of noise, half the samples",
      .measure = "noise_tree", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_half_taken,
      .control = AS_NAIVE },

    { .id = "private-zeroth-order/vr.sec3.epoch.n", .item = "V21 6.2", COUNT_OF_RUN, COUNTED,
      .cite = CITE "Algorithm 4", .says = "batches are disjoint: no sample is asked in two rounds",
      .measure = "max_visits", .with = { ASKED }, COUNTS_WINDOW, .formula = zo_once,
      .control = { .algo = "planted-sgd-twice", .with = { { "algo.B", 64 } },
                   .why = "planted: every batch twice" } },

    { .id = "private-zeroth-order/naive.appE.values.n", .item = "V21 3.4", COUNT_OF_RUN, COUNTED,
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
      BOUNDED, .measure = "set.sampled.mean", .with = { SLOPE_BOUNDED },
      .window = { { 0x1p19, 0x1p19, 1, 8 }, { 0 }, { 0x1p19, 0x1p23, 5, 8 } } },

    { .id = "private-zeroth-order/vr.thm4.9.hull.n", .item = "V22 5.2", RUN,
      .cite = CITE "Theorem 4.9, Definition 2.1",
      .says = "the shortest element of a hull of gradients around the mean of an epoch, by an independent search, "
              "is at most the bound with the proofs' constants",
      .remark = "The hull contains the mean of gradients that vr.thm4.9.sampled.eight.n measures, so that the "
                "search finds at most that. " PRACTICAL_STEP,
      BOUNDED, .measure = "set.hull.mean", .with = { SLOPE_BOUNDED, { "problem.hull", 1 } },
      .window = { { 0 }, { 0 }, { 0x1p19, 0x1p23, 5, 8 } } },

    { .id = "private-zeroth-order/vr.cor4.7.descent.K", .item = "V8", RUN, CERTIFIED,
      .cite = CITE "Corollary 4.7", .axis = "K",
      .says = "the descent term alone: the mean certificate falls as 1/K at T = 64",
      .remark = "Quick has fewer replicates than an interval of means takes; nightly decides.",
      .with = { SLOPE, { "problem.d", 4 }, AT_RADIUS, { "algo.T", 64 }, { "goal.n", 128, 1 } },
      .window = { { 100, 400, 3, 4 }, { 100, 1600, 5, 16 }, { 100, 3200, 6, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.05, -0.95 },
      .control = STOPPED,
      .tests = "none", .tests_none = "The descent at a fixed T is the learner's own: without it nothing moves" },

    { .id = "private-zeroth-order/vr.sec1.order.again.n", .item = "V18 AB-novr", .attempt = 2, RUN,
      .cite = CITE "Section 1, Appendix E", .axis = "n",
      .says = "at rho = 0.3 variance reduction is below the naive oracle with B = 1 at equal data",
      ORDERED,
      .than = { .with = { { "algo.oracle", .text = "naive" } }, .why = "Algorithm 6, B = 1" },
      .control = STOPPED,
      .tests = "none", .tests_none = "The rival is the method without variance reduction and tree" },

    { .id = "private-zeroth-order/vr.thm4.9.near.radius", .item = "V23", RUN,
      .cite = CITE "Theorem 4.9, error form", .axis = "radius",
      .says = "from within delta/10 of the cone's apex, Phi far below L delta: the certificate is at most (d "
              "L^3/M)^(1/3), whatever delta",
      .check = CHECK_BOUND, .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.d", 4 }, { "problem.dist", 0.05, 1 }, { "goal.n", 0x1p18 },
                RADIUS_OF_AXIS },
      .window = { { 0 }, { 0.02, 0.2, 3, 8 }, { 0.02, 0.2, 5, 16 } },
      .formula = zo_near, .control = STOPPED, A_BOUND },

    { .id = "private-zeroth-order/vr.thm4.9.grid.n", .item = "V11",
      .cite = CITE "Theorem 4.9, T of a grid", .axis = "n",
      .says = "no privacy, a cone, the best T of powers of 2 at each M: the mean certificate falls as M^(-0.2) "
              "to M^(-1/2)",
      .kind = KIND_EVIDENCE, .algo = PZO, .problem = "sloped", CERTIFIED,
      .remark = "The grid ends where T is M/4 at the first point: an epoch takes 2 T samples.",
      .with = { CONE, { "problem.d", 8 }, AT_RADIUS },
      .search = { .kind = SEARCH_SMALLEST, .name = "algo.T", .from = 16, .to = 4096, .points = 9, .reps = 4 },
      .window = { { 0 }, { 0 }, { 0x1p14, 0x1p20, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.5, -0.2 },
      .control = STOPPED },

    { 0 }
};

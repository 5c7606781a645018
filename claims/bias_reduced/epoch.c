/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epoch.c - EpochSGD: Lemma 1, Proposition 3, and the instance that keeps its bias at
 * T^(-1/2). */
#include "bias_reduced.h"

/* 32 G^2/(mu^2 T) */
static double odc_bound(const struct env *e)
{
    double G = e->facts->G, mu = env_param(e, "mu");
    return 32 * G * G / (mu * mu * env_param(e, "T_max"));
}

static double odc_bound_at_axis(const struct env *e)
{
    return odc_bound(e) * env_param(e, "T_max") / e->axis;
}

/* 16 G^2/(mu T) */
static double gap_bound(const struct env *e)
{
    return 16 * e->facts->G * e->facts->G / (e->facts->mu * e->axis);
}

/* sqrt(2 c) G/(mu sqrt T), c = 32 */
static double bias_bound(const struct env *e)
{
    return 8 * e->facts->G / (env_param(e, "mu") * sqrt(e->axis));
}

/* G/(4 mu sqrt T), where the slope of each piece is G/2. */
static double span_bound(const struct env *e)
{
    return 2 * e->facts->G / (4 * env_param(e, "mu") * sqrt(e->axis));
}

/* Nearly all of the error is noise: |grad F| = 0.1, s = 1. */
#define NOISY_LINE .problem = "linear", .axis = "T_max", .measure = "moment.error2"

#define NOISY { "problem.hardness", 0.1 }, { "problem.s", 1 }, { "problem.radius", 1000 },  \
              { "run.draws", 50 }
#define EPOCHS .kind = KIND_THEOREM, .algo = "epoch-sgd-mean"
#define BUDGETS .window = { { 256, 4096, 5, 8 }, { 256, 16384, 7, 8 }, { 256, 65536, 9, 16 } }
#define HALF_BUDGET { "algo.T_max", 16, 0.5 }
#define ONE_OVER .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.15, -0.85 }
#define SPAN EPOCHS, .problem = "coercive_max", .axis = "T_max", .measure = "moment.error",    \
             .deterministic = true,                                                           \
             .window = { { 64, 1024, 5, 1 }, { 64, 4096, 7, 1 }, { 64, 16384, 9, 1 } }
#define SPAN_WITH { "problem.L", 0.5 }, { "problem.R", 10 }, { "run.draws", 1 }
#define MANY { "problem.d", 32768 }

const struct claim bias_reduced_epoch[] = {
    { .id = "bias-reduced/epoch.lemma1.error2.T", .item = "V1 2.2", EPOCHS, NOISY_LINE, BUDGETS,
      .cite = CITE "Lemma 1",
      .says = "linear losses: E|x - x*|^2 ~ 1/T",
      .check = CHECK_RATE, .with = { NOISY, { "problem.d", 8 } }, ONE_OVER,
      .control = { .with = { HALF_BUDGET }, .why = "a budget of 16 sqrt(T): T^(-1/2)" } },

    { .id = "bias-reduced/epoch.lemma1.blurred.T", .item = "V1 2.2", EPOCHS, BUDGETS,
      .remark = "Quick, the control alone is open: its five points bend; nightly it is caught.",
      .cite = CITE "Lemma 1",
      .says = "an absolute value about a moving centre: E|x - x*|^2 ~ 1/T",
      .problem = "blurred_l1", .axis = "T_max", .measure = "moment.error2",
      .check = CHECK_RATE, .with = { { "run.draws", 50 } }, ONE_OVER,
      .control = { .with = { HALF_BUDGET }, .why = "a budget of 16 sqrt(T): T^(-1/2)" } },

    { .id = "bias-reduced/epoch.lemma1.kink.T", .item = "V1 V4 2.1", .attempt = 2, EPOCHS, BUDGETS,
      .cite = CITE "Lemma 1",
      .says = "E|x - x*|^2 <= 32 G^2/(mu^2 T), on a kink",
      .problem = "norm", .axis = "T_max", .measure = "moment.error2", .check = CHECK_BOUND,
      .with = { { "problem.d", 8 }, { "problem.s", 0.5 }, { "run.draws", 50 } },
      .formula = odc_bound_at_axis,
      .control = { .with = { { "algo.T_max", 15 } }, .why = "no epoch: the start" } },

    { .id = "bias-reduced/epoch.lemma1.error2.mu", .item = "V1", EPOCHS,
      .cite = CITE "Lemma 1",
      .says = "E|x - x*|^2 ~ 1/mu^2",
      .problem = "linear", .axis = "mu", .measure = "moment.error2", .check = CHECK_RATE,
      .with = { NOISY, { "problem.d", 8 }, { "algo.T_max", 256 } },
      .window = { { 0.1, 10, 5, 8 }, { 0.1, 10, 5, 16 }, { 0.01, 100, 9, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.1, -1.9 },
      .control = { .with = { { "problem.s", 1, 0.5 } }, .why = "G ~ mu^(1/2): 1/mu" } },

    { .id = "bias-reduced/epoch.lemma1.error2.s", .item = "V1", EPOCHS,
      .cite = CITE "Lemma 1",
      .says = "E|x - x*|^2 ~ G^2 where G is noise",
      .problem = "linear", .axis = "s", .measure = "moment.error2", .check = CHECK_RATE,
      .with = { { "problem.hardness", 0.1 }, { "problem.radius", 1e6 }, { "run.draws", 50 },
                { "problem.d", 8 }, { "algo.T_max", 256 } },
      .window = { { 1, 100, 5, 8 }, { 1, 100, 5, 16 }, { 1, 1e4, 9, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 2 } }, .band = { 1.9, 2.1 },
      .control = { .with = { { "algo.mu", 1, 0.5 } }, .why = "mu ~ G^(1/2): G" } },

    { .id = "bias-reduced/epoch.lemma1.error2.d", .item = "V1", EPOCHS,
      .cite = CITE "Lemma 1",
      .says = "E|x - x*|^2 does not depend on the dimension",
      .problem = "linear", .axis = "d", .measure = "moment.error2", .check = CHECK_RATE,
      .with = { NOISY, { "algo.T_max", 256 } },
      .window = { { 2, 128, 4, 8 }, { 2, 1024, 4, 16 }, { 2, 8192, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.06, 0.06 },
      .control = { .with = { { "problem.s", 1, 0.25 } },
                   .why = "noise that grows with d: d^(1/2)" } },

    { .id = "bias-reduced/epoch.prop3.excess.T", .item = "V2 2.2",
      .remark = "Quick, the control is missed: that it stays at the start is below the bound up to "
                "T = 2048, and caught at 8192.",
      .cite = CITE "Proposition 3",
      .says = "F mu-strongly convex, psi = 0: E F(x) - F* <= 16 G^2/(mu T)",
      .kind = KIND_THEOREM, .check = CHECK_BOUND,
      .algo = "epoch-sgd", .problem = "huber_pair", .axis = "T", .measure = "excess",
      .with = { { "problem.d", 8 }, { "problem.decades", 0 }, { "problem.k", 1 },
                { "problem.s", 0.5 }, { "problem.rr", 0.3 }, { "problem.radius", 0.4 } },
      .window = { { 32, 2048, 4, 32 }, { 32, 8192, 5, 64 }, { 32, 32768, 6, 128 } },
      .formula = gap_bound,
      .control = { .with = { { "problem.rr", 1 }, { "algo.mu", 1e5 } },
                   .why = "steps 10^5 times too short: it stays where it is" } },

    { .id = "bias-reduced/epoch.prop3.rate.T", .item = "V2",
      .cite = CITE "Proposition 3",
      .says = "E F(x) - F* ~ 1/T",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "epoch-sgd", .problem = "huber_pair", .axis = "T", .measure = "excess",
      .with = { { "problem.d", 8 }, { "problem.decades", 0 }, { "problem.k", 1 },
                { "problem.s", 0.5 }, { "problem.rr", 0.3 }, { "problem.radius", 0.4 } },
      .window = { { 256, 4096, 5, 64 }, { 256, 16384, 7, 64 }, { 256, 65536, 9, 128 } },
      ONE_OVER,
      .control = { .with = { { "algo.T", 16, 0.5 } }, .why = "a budget of 16 sqrt(T): T^(-1/2)" } },

    { .id = "bias-reduced/epoch.prop1.bias.T", .item = "V3", SPAN,
      .cite = CITE "Proposition 1",
      .says = "the bias of a draw, E x_jmax - x*, falls no faster than T_max^(-1/2) where every "
              "round shows one new coordinate",
      .check = CHECK_RATE, .with = { SPAN_WITH, MANY },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "problem.m", 1 } }, .why = "one piece, a linear loss: 1/T" } },

    { .id = "bias-reduced/epoch.prop1.bound.T", .item = "V3", SPAN,
      .cite = CITE "Proposition 1",
      .says = "|E xhat - x*| <= 8 G/(mu sqrt(T_max))",
      .check = CHECK_BOUND, .with = { SPAN_WITH, MANY },
      .formula = bias_bound,
      .control = { .with = { { "algo.T_max", 15 }, { "problem.m", 1 } },
                   .why = "no epoch: the start, G/mu away" } },

    { .id = "bias-reduced/span.a4.error.T", .item = "V26 3.13", SPAN,
      .cite = CITE "Appendix A.4",
      .says = "in 2T dimensions what lies in the span of T gradients is G/(4 mu sqrt(T)) from x* "
              "at least",
      .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST,
      .with = { SPAN_WITH, { "problem.d", 2, 1 } },
      .formula = span_bound,
      .control = { .with = { { "problem.m", 1 } },
                   .why = "one piece, a linear loss: 1/T" } },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rivals.c - the methods with which bias-reduced ones are compared: their bounds, and the exponents of their costs
 * until the excess is eps. */
#include "bias_reduced.h"

/* Returns the number of gradients of envelope-sgd in its T rounds. A round runs EpochSGD with a budget of (8 G
 * R/eps)^2: as many epochs of 16, 32, ... points as fit into it. */
static double gradients_of_sec3(const struct env *e)
{
    double ratio = 8 * e->facts->G * e->facts->radius / e->axis, points = 0, gradients = 0;
    for (double next = 16; points + next <= ceil(ratio * ratio); next *= 2) {
        points += next;
        gradients += next - 1;
    }
    return rounds_of_thm3(e) * gradients;
}

static double rounds_of_mopes(const struct env *e)
{
    return ceil(sqrt(48) * e->facts->G * e->facts->dist / e->axis);
}

static double gradients_of_mopes(const struct env *e)
{
    double K = rounds_of_mopes(e), G = e->facts->G, Dt = 0.75 * e->facts->dist * e->facts->dist;
    double L = 2 * G * G / e->axis, sum = 0;
    for (double k = 1; k <= K; k++)
        sum += ceil(K * 4 * G * G * k * k / (Dt * L * L));
    return sum;
}

/* Returns the number of rounds of randomised smoothing for accuracy 0.2; the axis is d. */
static double rounds_of_smoothing(const struct env *e)
{
    return ceil(sqrt(48) * sqrt(sqrt(e->axis)) * e->facts->G * e->facts->dist / 0.2);
}

/* Returns the number of piece values that the subgradient method needs for accuracy 0.1; the axis is N. */
static double values_of_pieces(const struct env *e)
{
    return e->axis * steps_of_subgradients(0.1, e->facts);
}

static double rounds_of_composite(const struct env *e)
{
    return ceil(2 * sqrt(e->facts->M_smooth * e->facts->radius * e->facts->radius / e->axis));
}

/* Returns the number of gradients of composite-sgd in N rounds. Round k runs EpochSGD with a budget of G^2/(beta_k
 * delta_k)^2, rounded down to whole epochs, to come within the distance delta_k = R/(16N) of its minimiser; beta_k
 * is the modulus of the round's loss. */
static double gradients_of_composite(const struct env *e)
{
    double N = rounds_of_composite(e), sum = 0;
    for (double k = 1; k <= N; k++) {
        double root = e->facts->G * k * 8 * N / (e->facts->M_smooth * e->facts->radius), points = 0;
        for (double next = 16; points + next <= ceil(root * root); next *= 2) {
            points += next;
            sum += next - 1;
        }
    }
    return sum;
}

static double rounds_of_sliding(const struct env *e)
{
    return ceil(sqrt(6 * e->facts->M_smooth * e->facts->dist * e->facts->dist / e->axis));
}

static double gradients_of_sliding(const struct env *e)
{
    double N = rounds_of_sliding(e), Dt = 0.375 * e->facts->dist * e->facts->dist, sum = 0;
    double steps = e->facts->G / e->facts->M_smooth;
    for (double k = 1; k <= N; k++)
        sum += ceil(N * 4 * steps * steps * k * k / Dt);
    return sum;
}

const struct claim bias_reduced_rivals[] = {
    { .id = "bias-reduced/envelope.sec3.excess.acc", .item = "V13 5.4",
      .cite = CITE "Section 3",
      .says = "gradients of the envelope by plain EpochSGD: E f(x_T) - f* <= eps (c = 1)",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "envelope-sgd", HALF_BALL,
      .measure = "excess", .with = { PRACTICAL },
      .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 }, { 0.05, 0.4, 4, 16 } },
      .formula = accuracy,
      .control = { .with = { { "algo.projections", .text = "printed" } },
                   .why = "v on the ball: the excess stays near G D/6" } },

    { .id = "bias-reduced/envelope.sec3.gradients.acc", .item = "V13 5.4",
      .cite = CITE "Section 3",
      .says = "T = ceil(7 G D/eps) runs with a budget of (8 G R/eps)^2: order eps^-3",
      .kind = KIND_IDENTITY, .check = CHECK_COUNT, .deterministic = true, .algo = "envelope-sgd",
      HALF_BALL, .measure = "sample_grads", .with = { PRACTICAL },
      .window = { { 0.1, 0.4, 3, 1 }, { 0.05, 0.4, 4, 1 }, { 0.05, 0.4, 4, 1 } },
      .formula = gradients_of_sec3,
      .control = { .with = { { "algo.c", 4 } }, .why = "another constant: an epoch more or two" } },

    { .id = "bias-reduced/envelope.sec3.hit.acc", .item = "V13 5.4",
      .cite = CITE "Section 3",
      .says = "plain EpochSGD comes to eps after order eps^-3 gradients",
      .remark = "Quick, the three points bend: whole rounds, 8, 18 and 33 of them until eps, in runs "
                "that hardly differ; nightly, with a fourth point, acc^-3.06 is supported.",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_RATE, .algo = "envelope-sgd", HALF_BALL,
      .measure = "hit.sample_grads", .with = { STEEP, PRACTICAL },
      .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 }, { 0.025, 0.4, 5, 8 } },
      .law = { .form = LAW_POWER, .exponent = { -3 } }, .band = { -3.25, -2.75 },
      .control = { .algo = "mopes", .with = { { "algo.c", 1 } }, .why = "MOPES: eps^-2" } },

    { .id = "bias-reduced/envelope.thm3.against-sgd.acc", .item = "V12 V13 5.4",
      .remark = "Quick, three points bend: whole rounds, few of them, and marks further apart than "
                "one.",
      .cite = CITE "Theorem 3 and Section 3",
      .says = "bias reduction saves a power of eps, up to log^2: gradients until eps is reached, "
              "over those with plain EpochSGD, fall as eps^1, which log^2 makes 0.4 to 0.7 here",
      .kind = KIND_THEOREM, .tests = "reduction", .check = CHECK_RATE, .algo = "envelope-agd", HALF_BALL,
      .measure = "hit.sample_grads", .with = { STEEP, PRACTICAL },
      .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 }, { 0.05, 0.4, 4, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0.55 } }, .band = { 0.25, 1 },
      .than = { .algo = "envelope-sgd", .why = "no bias reduction" },
      .control = { .algo = "envelope-sgd", .with = { { "algo.c", 2 } },
                   .why = "twice the budget, no bias reduction: a difference of 0" } },

    { .id = "bias-reduced/mopes.excess.acc", .item = "V13 5.6",
      .cite = "Thekumparampil, Jain, Netrapalli, Oh 2020",
      .says = "MOPES: E f(x_K) - f* <= eps",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "mopes", HALF_BALL, .measure = "excess",
      .with = { ENOUGH },
      .window = { { 0.05, 0.2, 3, 8 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .formula = accuracy,
      .control = { .with = { { "algo.K", 2 } }, .why = "two rounds" } },

    { .id = "bias-reduced/mopes.projections.acc", .item = "V13 5.6",
      .cite = "Thekumparampil, Jain, Netrapalli, Oh 2020",
      .says = "ceil(sqrt(48) G D/eps) projections",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "mopes", HALF_BALL,
      .measure = "project_0", .with = { ENOUGH },
      .window = { { 0.05, 0.2, 3, 1 }, { 0 }, { 0.0125, 0.2, 5, 1 } },
      .formula = rounds_of_mopes,
      .control = { .algo = "envelope-agd", .with = { { "algo.projections", .text = "twice" } },
                   .why = "Algorithm 3 with two a round" } },

    { .id = "bias-reduced/mopes.gradients.acc", .item = "V13 5.6",
      .cite = "Thekumparampil, Jain, Netrapalli, Oh 2020; Lan 2016",
      .says = "the sum of the T_k: about 1024 (G D/eps)^2 gradients",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "mopes", HALF_BALL,
      .measure = "sample_grads", .with = { ENOUGH },
      .window = { { 0.05, 0.2, 3, 1 }, { 0.025, 0.2, 4, 1 }, { 0.0125, 0.2, 5, 1 } },
      .formula = gradients_of_mopes, .tolerance = 1e-3,
      .control = { .with = { { "algo.c", 2 } }, .why = "another constant" } },

    { .id = "bias-reduced/mopes.hit.acc", .item = "V13 5.6",
      .cite = "Thekumparampil, Jain, Netrapalli, Oh 2020",
      .says = "MOPES comes to eps after order eps^-2 gradients, without logarithms",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_RATE, .algo = "mopes", HALF_BALL,
      .measure = "hit.sample_grads", .with = { STEEP, ENOUGH },
      .window = { { 0.05, 0.2, 3, 8 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.25, -1.75 },
      .control = { .algo = "envelope-sgd", .with = { { "algo.c", 1 } },
                   .why = "no bias reduction: eps^-3" } },

    { .id = "bias-reduced/smoothing.excess.acc", .item = "V13 5.5",
      .cite = "Duchi, Bartlett, Wainwright 2012",
      .says = "randomised smoothing: E f(x_T) - f* <= eps",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "randomised-smoothing", HALF_BALL,
      .measure = "excess", .with = { ENOUGH },
      .window = { { 0.05, 0.2, 3, 8 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .formula = accuracy,
      .control = { .with = { { "algo.T", 2 } }, .why = "two rounds" } },

    { .id = "bias-reduced/smoothing.excess.d", .item = "V13 5.5",
      .cite = "Duchi, Bartlett, Wainwright 2012",
      .says = "randomised smoothing: E f(x_T) - f* <= eps = 0.2 in any dimension",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "randomised-smoothing",
      .problem = "half_ball", .axis = "d", .measure = "excess",
      .with = { { "goal.acc", 0.2 }, ENOUGH },
      .window = { { 4, 64, 3, 8 }, { 4, 256, 4, 16 }, { 4, 1024, 5, 32 } },
      .formula = one_fifth,
      .control = { .with = { { "algo.T", 2 } }, .why = "two rounds" } },

    { .id = "bias-reduced/smoothing.projections.d", .item = "V13 5.5",
      .cite = "Duchi, Bartlett, Wainwright 2012",
      .says = "ceil(sqrt(48) d^(1/4) G D/eps) projections",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "randomised-smoothing", .problem = "half_ball", .axis = "d", .measure = "project_0",
      .with = { { "goal.acc", 0.2 }, ENOUGH },
      .window = { { 4, 64, 3, 1 }, { 4, 256, 4, 1 }, { 4, 1024, 5, 1 } },
      .formula = rounds_of_smoothing,
      .control = { .algo = "mopes", .why = "MOPES: no dimension" } },

    { .id = "bias-reduced/subgradient.excess.acc", .item = "V13 5.1",
      .cite = "Bubeck 2015, Theorem 6.1",
      .says = "projected subgradients: E f - f* <= eps after T = ceil((G D/eps)^2)",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "sgd", HALF_BALL, .measure = "excess",
      .with = { { "goal.T", .of = steps_of_subgradients } },
      .window = { { 0.05, 0.2, 3, 8 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .formula = accuracy,
      .control = { .with = { { "algo.c", 1e-3 } }, .why = "a thousandth of the step" } },

    { .id = "bias-reduced/subgradient.hit.acc", .item = "V13 5.1",
      .cite = "Bubeck 2015, Theorem 6.1",
      .says = "projected subgradients come to eps after order eps^-2 steps, each a projection",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_RATE, .algo = "sgd", HALF_BALL,
      .measure = "hit.batch_steps",
      .with = { STEEP, { "goal.T", .of = steps_of_subgradients } },
      .window = { { 0.025, 0.2, 4, 8 }, { 0.0125, 0.2, 5, 16 }, { 0.00625, 0.2, 6, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.4, -1.6 },
      .control = { .algo = "randomised-smoothing", .with = { { "goal.T", 1e12 } },
                   .why = "an accelerated method, a projection a step too: eps^-1" } },

    { .id = "bias-reduced/composite.sec5.excess.acc", .item = "V21 5.8",
      .cite = CITE "Section 5, without OptEst",
      .says = "composite descent by plain EpochSGD: E Psi(x_N) - Psi* <= eps (c = 1)",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "composite-sgd", ON_COMPOSITE,
      .measure = "excess", .with = { SOFT, PRACTICAL },
      .window = { { 0.05, 0.2, 3, 8 }, { 0 }, { 0.0125, 0.2, 5, 8 } },
      .formula = accuracy,
      .control = { .with = { { "algo.N", 1 } }, .why = "one round" } },

    { .id = "bias-reduced/composite.sec5.gradients.acc", .item = "V21 5.8",
      .cite = CITE "Section 5, without OptEst",
      .says = "sum_k of whole epochs within 64 (G k N/(L R))^2 gradients",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "composite-sgd",
      ON_COMPOSITE, .measure = "sample_grads", .with = { SOFT, PRACTICAL },
      .window = { { 0.05, 0.2, 3, 1 }, { 0.025, 0.2, 4, 1 }, { 0.0125, 0.2, 5, 1 } },
      .formula = gradients_of_composite,
      .control = { .with = { { "algo.c", 4 } }, .why = "another constant: an epoch more or two" } },

    { .id = "bias-reduced/composite.sec5.exponent.acc", .item = "V21 5.8",
      .cite = CITE "Section 5, without OptEst",
      .says = "without bias reduction the promised accuracy costs order eps^-5/2 gradients",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_RATE, .deterministic = true,
      .algo = "composite-sgd",
      ON_COMPOSITE, .measure = "sample_grads", .with = { STIFF, PRACTICAL },
      .window = { { 0.1, 0.8, 4, 1 }, { 0.1, 0.8, 4, 1 }, { 0.05, 0.8, 5, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -2.5 } }, .band = { -2.7, -2.3 },
      .control = { .algo = "gradient-sliding", .with = { { "algo.c", 1 } },
                   .why = "gradient sliding: eps^-2" } },

    { .id = "bias-reduced/sliding.excess.acc", .item = "V21 5.7",
      .cite = LAN, .says = "gradient sliding: E Psi - Psi* <= eps",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "gradient-sliding", ON_COMPOSITE,
      .measure = "excess", .with = { SOFT, ENOUGH },
      .window = { { 0.05, 0.2, 3, 8 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .formula = accuracy,
      .control = { .with = { { "algo.N", 1 } }, .why = "one round" } },

    { .id = "bias-reduced/sliding.smooth.acc", .item = "V21 5.7",
      .cite = LAN, .says = "ceil(sqrt(6 L R^2/eps)) gradients of the smooth part",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "gradient-sliding",
      ON_COMPOSITE, .measure = "smooth_grads", .with = { SOFT, ENOUGH },
      .window = { { 0.05, 0.2, 3, 1 }, { 0.025, 0.2, 4, 1 }, { 0.0125, 0.2, 5, 1 } },
      .formula = rounds_of_sliding,
      .control = { .algo = "composite-sgd", .with = { { "algo.c", 1 } },
                   .why = "composite descent: 2 for the root of 6" } },

    { .id = "bias-reduced/sliding.gradients.acc", .item = "V21 5.7",
      .cite = LAN, .says = "the sum of the T_k: about 128 (G R/eps)^2 gradients, no logarithm",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "gradient-sliding",
      ON_COMPOSITE, .measure = "sample_grads", .with = { SOFT, ENOUGH },
      .window = { { 0.05, 0.2, 3, 1 }, { 0.025, 0.2, 4, 1 }, { 0.0125, 0.2, 5, 1 } },
      .formula = gradients_of_sliding, .tolerance = 1e-3,
      .control = { .with = { { "algo.c", 2 } }, .why = "another constant" } },

    { .id = "bias-reduced/pieces.values.N", .item = "V19 5.2",
      .cite = "Nesterov 2018, Theorem 3.2.2",
      .says = "N ceil((G D/eps)^2) values at eps = 0.1",
      .kind = KIND_BASELINE, RIVAL_METHOD, REACHES_EPS, .check = CHECK_COUNT, .deterministic = true,
      .algo = "largest-piece",
      .problem = "max_affine", .axis = "N", .measure = "piece_values",
      .with = { { "goal.acc", 0.1 }, { "goal.T", 1e12 } },
      .window = { { 10, 1000, 3, 1 }, { 10, 10000, 4, 1 }, { 10, 100000, 5, 1 } },
      .formula = values_of_pieces,
      .control = { .with = { { "algo.T", 20 } }, .why = "20 steps" } },

    { 0 }
};

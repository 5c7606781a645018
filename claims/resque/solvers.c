/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solvers.c - Algorithms 3 to 6: error, drift, levels. A run makes one call about the origin. On linear
 * losses smoothing changes nothing, and n is so large that the samples have the law of the population. */
#include "resque.h"

/* --- Proposition 6 on linear losses of slope h in a ball of radius r: error h r (1 - share) */
static double prop6(const struct env *e)
{
    double T = e->axis, h = e->facts->Phi / e->facts->radius, d = e->facts->d, beta = env_param(e, "beta");
    return 16 * e->facts->L / h * (sqrt(d) / (beta * T) + 1 / sqrt(T));
}
static double lemma5(const struct env *e) { return 1500; }

/* Gradients of Algorithm 5 with T = 2^t: T less T/2^k of the first stage and one a stage. */
static double strongly(double T)
{
    double k = ceil(log2(log2(T)));
    return T - T * exp2(-k) - k;
}
/* Gradients of a loop of Algorithm 6, C_priv = 4 and T = 256. */
static double loop_cost(const struct env *e)
{
    double T = 256, jmax = floor(log2(floor(e->axis / 4) / T)), sum = strongly(T);
    for (double j = 1; j <= jmax; j++)
        sum += exp2(-j) * (strongly(T * exp2(j)) + strongly(T * exp2(j - 1)));
    return sum;
}

const struct claim resque_solvers[] = {
    { .id = "resque/private.prop6.bound.gradients", .item = "C18 3.6", ONE_CALL, LONG_AXIS,
      .cite = CITE "Proposition 6, the constant of its proof",
      .says = "Algorithm 3: E F(x) - F* <= 16 L r (sqrt(d)/(beta T) + 1/sqrt(T))",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "moment.short",
      .with = { { "problem.d", 8 }, { "problem.hardness", 1 }, { "algo.beta", 0.1 },
                { "run.draws", 1 } },
      .window = { { 16384, 16384, 1, 16 }, { 16384, 65536, 2, 32 }, { 16384, 262144, 3, 64 } },
      .formula = prop6,
      .control = { .with = { { "algo.gradients", 16 } }, .why = "a call of 16 gradients" } },

    { .id = "resque/private.lemma5.again.c_rho", .item = "C19 3.6", .attempt = 2, .algo = "resque-drift",
      .problem = "linear", .axis = "c_rho",
      .cite = CITE "Lemma 5",
      .says = "one record drawn once moves the mean of a phase by 1500 (eta L)^2 in square at the most, "
              "where all gradients are alike",
      .remark = "The lemma asks rho/r >= 1728 log^2(log T/delta), with which it is a proof.",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .measure = "moment.moved",
      .with = { { "problem.d", 8 }, { "problem.hardness", 1 }, { "problem.s", 0 }, { "algo.T", 128 },
                { "run.draws", 8 } },
      .window = { { 2, 8, 2, 16 }, { 2, 64, 4, 16 }, { 1, 64, 7, 64 } },
      .formula = lemma5,
      .control = { .with = { { "algo.b", 128 } }, .why = "drawn 128 times" } },

    { .id = "resque/private.prop8.sampling.gradients", .item = "C23 3.8", ONE_CALL, LONG_AXIS,
      .cite = CITE "Proposition 8, second term",
      .says = "Algorithm 5 without noise: E|x - x*|^2 falls as 1/T",
      .remark = "Nightly T^-1.03; the control falls as T^-0.48 and was not caught. At T = 1024, where 32 sqrt(T) = T, "
                "it is the method itself.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { EIGHT, STRONGLY, { "run.draws", 2 } },
      .window = { { 1024, 16384, 3, 8 }, { 1024, 65536, 4, 32 }, { 1024, 65536, 7, 64 } },
      LAW(-1, -1.2, -0.8),
      .control = { .with = { { "algo.gradients", 32, 0.5 } }, .why = "sqrt(T) gradients" } },

    { .id = "resque/private.alg6.cost.data", .item = "C25 3.9", ONE_CALL, .axis = "data",
      .cite = CITE "Algorithm 6, Lemma 10",
      .says = "a loop takes T and, with probability 2^-j, 2^j T and 2^(j-1) T gradients more, j <= jmax",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .measure = "moment.cost",
      .with = { EIGHT, { "algo.step", .text = "prox" }, { "algo.gradients", 256 },
                { "run.draws", 1 } },
      .window = { { 16384, 65536, 3, 1 }, { 16384, 262144, 5, 1 }, { 16384, 262144, 5, 1 } },
      .deterministic = true, .formula = loop_cost, .tolerance = 1e-9,
      .control = { .with = { { "algo.step", .text = "strongly" } }, .why = "no levels" } },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.c - the bias-reduced draw, OptEst and MorGradEst: Proposition 1, Theorem 1, Corollary
 * 2, Appendix A.3. Draws are by strata of their level: the heavy tail is known. */
#include "bias_reduced.h"

/* E<xhat, x*>/|x*|^2 = that of the last level. */
static double last_level(const struct env *e)
{
    struct bias_linear l = bias_linear(e);
    double start = l.mean;
    while (l.k < bias_epochs(jmax(e)))
        bias_linear_epoch(&l);
    return 1 - l.mean / start;
}

/* E|xhat - x*|^2 = |x_0 - x*|^2 + 2<x_0 - x*, E x_jmax - x_0> + sum_j E|x_j - x_(j-1)|^2/P(J = j) */
static double second_moment(const struct env *e)
{
    struct bias_linear l = bias_linear(e);
    double a = env_param(e, "a"), start = l.mean, sum = start * start;
    for (int j = 4; j <= jmax(e); j++)
        if (bias_epochs(j) > bias_epochs(j - 1)) {
            bias_linear_epoch(&l);
            sum += l.move2 * exp2(a * j) / (exp2(a) - 1);
        }
    return sum + 2 * start * (l.mean - start);
}

static double draw_gradients(const struct env *e)
{
    double a = env_param(e, "a"), sum = 0;
    for (int j = 1; j <= jmax(e); j++)
        sum += (exp2(a) - 1) * exp2(-a * j) * bias_level_gradients(j);
    return sum;
}

/* 14 c (G/mu)^2 jmax, c = 32 */
static double second_moment_bound(const struct env *e)
{
    double r = e->facts->G / env_param(e, "mu");
    return 448 * r * r * jmax(e);
}

/* delta as a share of |x*| = slope/mu. */
static double delta_share(const struct env *e)
{
    return env_param(e, "delta") * env_param(e, "mu") * e->facts->radius / e->facts->Phi;
}

static double opt_est_gradients(const struct env *e)
{
    return env_param(e, "N") * bias_draw_gradients(jmax(e));
}

static double markov(const struct env *e) { return 1 / e->axis; }

#define ONE_DRAW .kind = KIND_THEOREM, .algo = "mlmc", .problem = "linear", .axis = "T_max"
#define OPT_EST .kind = KIND_THEOREM, .algo = "opt-est"

const struct claim bias_reduced_draws[] = {
    { .id = "bias-reduced/draw.eq1.mean.T_max", .item = "V5 2.3", ONE_DRAW,
      .cite = CITE "equation (1)",
      .says = "the levels telescope: E xhat = E x_jmax, in closed form",
      .check = CHECK_MOMENT, .measure = "moment.share",
      .with = { LINE, { "run.draws", 250 } },
      .window = { { 16, 256, 3, 16 }, { 16, 4096, 5, 16 }, { 16, 16384, 6, 16 } },
      .formula = last_level, .margin = one_tenth,
      .control = { .with = { { "algo.rough", .text = "printed" } },
                   .why = "Remark 1 as printed counts the first epoch twice" } },

    { .id = "bias-reduced/draw.remark1.mean.T_max", .item = "O-1 2.4",
      .cite = CITE "Remark 1",
      .says = "of one run, x_(J-1) is what it gives after the epochs of a budget of 2^(J-1), not "
              "the last output but one: then E xhat = E x_jmax",
      .kind = KIND_ERRATUM, .check = CHECK_MOMENT, .deterministic = true,
      .algo = "mlmc", .problem = "linear", .axis = "T_max", .measure = "moment.share",
      .with = { { "problem.d", 4 }, { "problem.hardness", 0.6 }, { "problem.s", 0 },
                { "problem.radius", 1000 }, { "run.draws", 1 } },
      .window = { { 16, 4096, 5, 1 }, { 16, 16384, 6, 1 }, { 16, 65536, 7, 1 } },
      .formula = last_level, .tolerance = 1e-9,
      .control = { .with = { { "algo.rough", .text = "printed" } },
                   .why = "as printed: the first epoch twice" } },

    { .id = "bias-reduced/draw.prop1.moment.T_max", .item = "V6", ONE_DRAW,
      .cite = CITE "Proposition 1, proof",
      .says = "E|xhat - x*|^2 = |x_0 - x*|^2 + 2<x_0 - x*, E x_jmax - x_0> + sum_j 2^j E|x_j - "
              "x_(j-1)|^2: linear in log T_max, in closed form",
      .check = CHECK_MOMENT, .measure = "moment.error2",
      .with = { LINE, { "run.draws", 250 } },
      .window = { { 64, 256, 2, 16 }, { 64, 4096, 4, 16 }, { 64, 16384, 5, 16 } },
      .formula = second_moment, .tolerance = 0.15,
      .control = { .with = { { "algo.rough", .text = "own-run" } },
                   .why = "two independent runs: another variance" } },

    { .id = "bias-reduced/draw.prop1.bound.T_max", .item = "V6 2.3", ONE_DRAW,
      .cite = CITE "Proposition 1",
      .says = "E|xhat - x*|^2 <= 14 c (G/mu)^2 log2 T_max, c = 32",
      .check = CHECK_BOUND, .measure = "moment.error2",
      .with = { LINE, { "run.draws", 250 } },
      .window = { { 64, 256, 2, 16 }, { 64, 4096, 4, 16 }, { 64, 16384, 5, 16 } },
      .formula = second_moment_bound,
      .control = { .with = { { "algo.a", 3 } }, .why = "levels rarer than their cost: T_max^2" } },

    { .id = "bias-reduced/draw.prop1.moment.d", .item = "V6",
      .cite = CITE "Proposition 1",
      .says = "E|xhat - x*|^2 does not depend on the dimension",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "mlmc", .problem = "linear", .axis = "d", .measure = "moment.error2",
      .with = { { "problem.hardness", 0.6 }, { "problem.s", 0.8 }, { "problem.radius", 1000 },
                { "algo.T_max", 256 }, { "run.draws", 100 } },
      .window = { { 2, 128, 4, 8 }, { 2, 1024, 4, 16 }, { 2, 8192, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.06, 0.06 },
      .control = { .with = { { "problem.s", 0.8, 0.25 } },
                   .why = "noise that grows with d: d^(1/2)" } },

    { .id = "bias-reduced/draw.prop1.cost.T_max", .item = "V7 2.4", ONE_DRAW,
      .cite = CITE "Proposition 1, Appendix B.1",
      .says = "15/16 + sum_(j = 6..jmax) (1 - 2^(4-j) - (j-4) 2^-j) gradients in the mean, about "
              "jmax - 4.656",
      .check = CHECK_COUNT, .deterministic = true, .measure = "moment.cost",
      .with = { LINE, { "run.draws", 1 } },
      .window = { { 64, 4096, 4, 1 }, { 64, 65536, 6, 1 }, { 64, 0x1p20, 8, 1 } },
      .formula = draw_gradients, .tolerance = 1e-12,
      .control = { .with = { { "algo.rough", .text = "own-run" } },
                   .why = "two runs a draw: half as much again" } },

    { .id = "bias-reduced/draw.f3.fourth.T_max", .item = "V8 2.7 O-30", ONE_DRAW,
      .cite = CITE "Appendix F.3",
      .says = "heavy tail of index 2: E|xhat - x*|^4 ~ T_max",
      .check = CHECK_RATE, .measure = "moment.error4",
      .with = { LINE, { "run.draws", 250 } },
      .window = { { 0 }, { 256, 4096, 5, 16 }, { 256, 16384, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.8, 1.2 },
      .control = { .with = { { "algo.a", 0.8 } }, .why = "rare levels more often: T_max^0.4" } },

    { .id = "bias-reduced/draw.levels.moment.a", .item = "V28",
      .cite = CITE "Section 1.5",
      .says = "levels of law 2^(-a j): the second moment in closed form, a = 1 the border between "
              "a variance and a cost that grow with T_max",
      .kind = KIND_EXTENSION, .check = CHECK_MOMENT,
      .algo = "mlmc", .problem = "linear", .axis = "a", .measure = "moment.error2",
      .with = { LINE, { "algo.T_max", 4096 }, { "run.draws", 250 } },
      .window = { { 0 }, { 0.8, 1.25, 3, 8 }, { 0.64, 1.5625, 5, 16 } },
      .formula = second_moment, .tolerance = 0.15,
      .control = { .with = { { "algo.rough", .text = "own-run" } },
                   .why = "two independent runs: another variance" } },

    { .id = "bias-reduced/draw.levels.cost.a", .item = "V28",
      .cite = CITE "Section 1.5",
      .says = "levels of law 2^(-a j): the mean cost in closed form",
      .kind = KIND_EXTENSION, .check = CHECK_COUNT, .deterministic = true,
      .algo = "mlmc", .problem = "linear", .axis = "a", .measure = "moment.cost",
      .with = { LINE, { "algo.T_max", 4096 }, { "run.draws", 1 } },
      .window = { { 0.8, 1.25, 3, 1 }, { 0.8, 1.25, 5, 1 }, { 0.64, 1.5625, 5, 1 } },
      .formula = draw_gradients, .tolerance = 1e-12,
      .control = { .with = { { "algo.rough", .text = "own-run" } },
                   .why = "two runs a draw: half as much again" } },

    { .id = "bias-reduced/optest.thm1.bias.sigma", .item = "V9 2.5 O-2", OPT_EST,
      .axis = "sigma",
      .window = { { 0.5, 1, 2, 4 }, { 0.25, 1, 3, 8 }, { 0.125, 1, 4, 8 } },
      .cite = CITE "Theorem 1",
      .says = "OptEst with c = 32, delta = 0.3: bias at most delta along x*",
      .check = CHECK_MOMENT, .problem = "linear", .measure = "moment.share",
      .with = { LINE, { "algo.delta", 0.3 }, { "run.draws", 10 } },
      .formula = whole, .margin = delta_share,
      .control = { .with = { { "algo.T_max", 8 } }, .why = "no level is ever run: x_0" } },

    { .id = "bias-reduced/optest.thm1.cost.sigma", .item = "V9", OPT_EST,
      .cite = CITE "Theorem 1",
      .says = "N (15/16 + sum_(j = 6..jmax) ...) gradients in the mean",
      .check = CHECK_MOMENT, .problem = "linear", .axis = "sigma", .measure = "sample_grads",
      .with = { LINE, { "algo.delta", 0.3 }, { "run.draws", 1 } },
      .window = { { 0.5, 1, 2, 32 }, { 0.25, 1, 3, 32 }, { 0.25, 1, 3, 64 } },
      .formula = opt_est_gradients, .tolerance = 0.05,
      .control = { .with = { { "algo.cap", 0.5 } }, .why = "ended at half of its mean cost" } },

    { .id = "bias-reduced/morgrad.cor2.cost.lam", .item = "V10",
      .cite = CITE "Corollary 2",
      .says = "the cost does not depend on lam",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "mor-grad-est", .problem = "norm", .axis = "lam", .measure = "sample_grads",
      .with = { { "problem.d", 8 }, { "problem.s", 0.5 }, { "algo.delta", 0.3 },
                { "algo.sigma", 1 }, { "run.draws", 4 } },
      .window = { { 0.01, 100, 3, 8 }, { 0.01, 100, 5, 8 }, { 0.01, 100, 9, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.05 },
      .control = { .with = { { "algo.sigma", 1, 0.1 } },
                   .why = "an accuracy that loosens with lam: lam^(-1/5) at least" } },

    { .id = "bias-reduced/optest.a3.capped.cap", .item = "V25 3.13",
      .cite = CITE "Appendix A.3",
      .says = "ended at 2/p times its mean cost, OptEst does not come to its end with probability "
              "at most p/2",
      .kind = KIND_THEOREM, .check = CHECK_LAW, .sense = SENSE_AT_MOST,
      .algo = "opt-est", .problem = "linear", .axis = "cap", .measure = "moment.ended",
      .with = { LINE, { "algo.T_max", 4096 }, { "algo.N", 20 }, { "run.draws", 250 } },
      .window = { { 2, 8, 3, 4 }, { 1.5, 12, 4, 8 }, { 1.5, 24, 5, 16 } },
      .formula = markov,
      .control = { .with = { { "algo.cap", 0.2 } }, .why = "a cap of a fifth of the mean cost" } },

    { 0 }
};

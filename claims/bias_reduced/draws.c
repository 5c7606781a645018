/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.c - the bias-reduced draw, OptEst and MorGradEst: Proposition 1, Theorem 1, Corollary 2, Appendix A.3. As
 * in algos/parts/mlmc.h a draw xhat of the minimiser x* has a random level J, x_j is the answer of EpochSGD from
 * x_0 = 0 with budget 2^j, and jmax is the last level. All levels are drawn equally often and weighted by their
 * probabilities (strata), so that rare levels, the heavy tail, are seen. */
#include "bias_reduced.h"

/* Returns E<xhat, x*>/|x*|^2. It equals E<x_jmax, x*>/|x*|^2, since the levels telescope. */
static double last_level(const struct env *e)
{
    struct bias_linear l = bias_linear(e);
    double start = l.mean;
    while (l.k < bias_epochs(jmax(e)))
        bias_linear_epoch(&l);
    return 1 - l.mean / start;
}

/* Returns E|xhat - x*|^2 = |x_0 - x*|^2 + 2<x_0 - x*, E x_jmax - x_0> + sum_j E|x_j - x_(j-1)|^2/P(J = j), with P(J
 * = j) = (2^a - 1) 2^(-a j). */
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

/* Returns the bound of Proposition 1 on E|xhat - x*|^2, 14 c (G/mu)^2 jmax, with c = 32. */
static double second_moment_bound(const struct env *e)
{
    double r = e->facts->G / env_param(e, "mu");
    return 448 * r * r * jmax(e);
}

/* The largest budget T_max and the number N of draws of Algorithm 1, by the paper's formulas and not as the run
 * reports them: T_max = ceil(4 c G^2/min{delta^2, sigma^2/2}), N = ceil(32 c G^2 log2(T_max)/sigma^2). In these
 * formulas delta and sigma are gradients: mu times the parameters of those names, which are distances. */
struct asked { double T_max, N; };

static struct asked asked(const struct env *e, double mu)
{
    double G2 = e->facts->G * e->facts->G, c = env_param(e, "c");
    double delta = mu * env_param(e, "delta"), sigma2 = mu * mu * square_of_sigma(e);
    double T_max = fmax(1, ceil(4 * c * G2 / fmin(delta * delta, sigma2 / 2)));
    return (struct asked){ T_max, fmax(1, ceil(32 * c * G2 * log2(T_max) / sigma2)) };
}

static double opt_est_gradients(const struct env *e)
{
    struct asked a = asked(e, env_param(e, "mu"));
    return a.N * bias_draw_gradients(bias_log2(a.T_max));
}

/* Returns the mean squared error of the mean of N draws with budgets up to T_max on a linear loss plus
 * (mu/2)|x|^2. */
static double error2_of_mean(const struct env *e, double mu, struct asked a)
{
    return bias_error2_of_mean(bias_draw(e, mu, bias_log2(a.T_max)), a.N);
}

static double opt_est_error2(const struct env *e)
{
    double mu = env_param(e, "mu");
    return error2_of_mean(e, mu, asked(e, mu));
}

/* Returns the mean squared error of MorGradEst, which answers lam (y - xhat), where xhat is the mean of draws for
 * the modulus lam. Its parameters delta and sigma are gradients already: asked() gets mu = 1. */
static double mor_grad_error2(const struct env *e)
{
    double lam = env_param(e, "lam");
    return lam * lam * error2_of_mean(e, lam, asked(e, 1));
}

/* Returns E<x, x*>/|x*|^2 for the answer x of OptEst, a mean of draws; it equals that of the point of the last
 * level. */
static double opt_est_share(const struct env *e)
{
    struct bias_linear l = bias_linear(e);
    double start = l.mean;
    while (l.k < bias_epochs(bias_log2(asked(e, l.mu).T_max)))
        bias_linear_epoch(&l);
    return 1 - l.mean / start;
}

static double one_twentieth(const struct env *e) { return 0.05; }

static double opt_est_gradients_of_ten(const struct env *e) { return 10 * opt_est_gradients(e); }

static double mor_grad_gradients_of_ten(const struct env *e)
{
    struct asked a = asked(e, 1);
    return 10 * a.N * bias_draw_gradients(bias_log2(a.T_max));
}

static double markov(const struct env *e) { return 1 / e->axis; }

#define NOT_SWITCHED .tests = "none", \
    .tests_none = "an equation about a draw as a whole; what its levels are for is tested by the rows of Theorem 1"
#define ONE_DRAW .kind = KIND_LEMMA, NOT_SWITCHED, .algo = "mlmc", .problem = "linear", .axis = "T_max"
#define OPT_EST .kind = KIND_THEOREM, .algo = "opt-est", .problem = "linear"
#define WITHIN_SIGMA .reaches = { "moment.error2", .of = square_of_sigma, .probability = 0.9 }
#define COST_OF_LEVELS .tests = "none", \
    .tests_none = "it is what the levels cost; what they are for is tested by the bias and the squared error"
#define ONE_EPOCH .control = { .with = { { "algo.of", .text = "runs" } }, \
                               .why = "the mean of runs of one epoch: their bias stays" }
#define SEE_THM1 .tests = "none", \
                 .tests_none = "MorGradEst is OptEst at mu = lam: the rows of Theorem 1 test its levels"
#define MOR_QUARTER { "algo.delta", 0.3 }, { "algo.sigma", 0.25 }, { "algo.c", 1 }
#define A_QUARTER .control = { .with = { { "algo.N", 896 } }, \
                               .why = "a quarter of the draws: four times the error" }
/* With this slope |x*| is 0.6, so that the start is farther from x* than sigma. */
#define HARD_LINE { "problem.d", 4 }, { "problem.hardness", 0.6 }, { "problem.s", 0.8 }, { "problem.radius", 1000 }

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
      .kind = KIND_ERRATUM, .check = CHECK_MOMENT, .deterministic = true, NOT_SWITCHED,
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
      .window = { { 64, 256, 2, 16 }, { 64, 256, 2, 16 }, { 64, 16384, 5, 16 } },
      .formula = second_moment_bound,
      .control = { .with = { { "algo.a", 3 } }, .why = "levels rarer than their cost: T_max^2" } },

    { .id = "bias-reduced/draw.prop1.cost.T_max", .item = "V7 2.4", .kind = KIND_IDENTITY, .algo = "mlmc",
      .problem = "linear", .axis = "T_max",
      .cite = CITE "Proposition 1, Appendix B.1",
      .says = "15/16 + sum_(j = 6..jmax) (1 - 2^(4-j) - (j-4) 2^-j) gradients in the mean, about "
              "jmax - 4.656",
      .check = CHECK_COUNT, .deterministic = true, .measure = "moment.cost",
      .with = { LINE, { "run.draws", 1 } },
      .window = { { 64, 4096, 4, 1 }, { 64, 65536, 6, 1 }, { 64, 0x1p20, 8, 1 } },
      .formula = draw_gradients, .tolerance = 1e-12,
      .control = { .with = { { "algo.rough", .text = "own-run" } },
                   .why = "two runs a draw: half as much again" } },

    { .id = "bias-reduced/draw.f3.fourth.T_max", .item = "V8 2.7 O-30", .kind = KIND_EVIDENCE, .algo = "mlmc",
      .problem = "linear", .axis = "T_max",
      .cite = CITE "Appendix F.3",
      .says = "heavy tail of index 2: E|xhat - x*|^4 ~ T_max",
      .check = CHECK_RATE, .measure = "moment.error4",
      .with = { LINE, { "run.draws", 250 } },
      .window = { { 0 }, { 0 }, { 256, 16384, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.8, 1.2 },
      .control = { .with = { { "algo.a", 0.8 } }, .why = "rare levels more often: T_max^0.4" } },

    { .id = "bias-reduced/draw.levels.moment.a", .item = "V28",
      .cite = CITE "Section 1.5",
      .says = "levels of law 2^(-a j): the second moment in closed form, a = 1 the border between "
              "a variance and a cost that grow with T_max",
      .kind = KIND_EXTENSION, .check = CHECK_MOMENT,
      .algo = "mlmc", .problem = "linear", .axis = "a", .measure = "moment.error2",
      .with = { LINE, { "algo.T_max", 4096 }, { "run.draws", 250 } },
      .window = { { 0 }, { 0 }, { 0.64, 1.5625, 5, 16 } },
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

    { .id = "bias-reduced/optest.thm1.share.sigma", .item = "V9 2.5 O-2", .attempt = 2, .fresh = true, OPT_EST,
      .axis = "sigma", .window = { { 0.25, 0.5, 2, 8 }, { 0.125, 0.5, 3, 8 }, { 0.0625, 0.5, 4, 16 } },
      .cite = CITE "Theorem 1",
      .says = "OptEst's mean is that of its last level, in closed form (c = 1): a bias of at most delta = 0.3 "
              "along x*",
      .check = CHECK_MOMENT, .measure = "moment.share", .tests = "none",
      .tests_none = "a share of x* is no error, which staying at 0 could be worse in; the squared error tests the "
                    "levels",
      .with = { HARD_LINE, { "algo.delta", 0.3 }, { "algo.c", 1 }, { "run.draws", 10 } },
      .formula = opt_est_share, .margin = one_twentieth, ONE_EPOCH },

    { .id = "bias-reduced/optest.thm1.exact.sigma", .item = "V9 7.17", .attempt = 4, .fresh = true, OPT_EST,
      .axis = "sigma", .window = { { 0.25, 0.5, 2, 16 }, { 0.125, 0.5, 3, 16 }, { 0.0625, 0.5, 4, 16 } },
      .cite = CITE "Theorem 1",
      .says = "OptEst: E|xhat - x*|^2 in closed form, which is at most sigma^2 (c = 1)",
      .check = CHECK_MOMENT, .measure = "moment.error2", .tests = "levels",
      .with = { HARD_LINE, { "algo.delta", 0.3 }, { "algo.c", 1 }, { "run.draws", 25 } },
      .formula = opt_est_error2, .tolerance = 0.25, ONE_EPOCH,
      .control2 = { .with = { { "algo.N", 900, -2 } , { "algo.T_max", 128 } },
      .why = "900/sigma^2 draws of levels up to 7: 2.6 to 5 times as many, and another error" } },

    { .id = "bias-reduced/optest.thm1.mean.d", .item = "V6 V9", .attempt = 3, .fresh = true, OPT_EST,
      .axis = "d", .window = { { 2, 128, 3, 8 }, { 2, 512, 4, 16 }, { 2, 8192, 7, 16 } },
      .cite = CITE "Theorem 1",
      .says = "E|xhat - x*|^2 does not depend on the dimension",
      .check = CHECK_RATE, .measure = "moment.error2",
      .tests = "none", .tests_none = "the dimension is seen by no part of the estimator: the control is noise "
                                     "that grows",
      .with = { { "problem.hardness", 0.6 }, { "problem.s", 0.8 }, { "problem.radius", 1000 },
      { "algo.T_max", 128 },
                { "algo.N", 1000 }, { "algo.sigma", 0.5 }, { "run.draws", 40 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.06, 0.06 },
      .control = { .with = { { "problem.s", 0.8, 0.25 } }, .why = "noise that grows with d: d^(1/2)" } },

    { .id = "bias-reduced/optest.thm1.reached.sigma", .item = "V9", .attempt = 2, .fresh = true, OPT_EST,
      .cite = CITE "Theorem 1",
      .says = "gradients until the squared error is at most sigma^2: N (15/16 + sum_(j = 6..jmax) ...) in the "
              "mean (c = 1)",
      .check = CHECK_MOMENT, .axis = "sigma", .measure = "sample_grads", WITHIN_SIGMA, COST_OF_LEVELS,
      .with = { HARD_LINE, { "algo.delta", 0.3 }, { "algo.c", 1 }, { "run.draws", 10 } },
      .window = { { 0.125, 0.5, 3, 32 }, { 0.125, 0.5, 3, 32 }, { 0.0625, 0.5, 4, 64 } },
      .formula = opt_est_gradients_of_ten, .tolerance = 0.1,
      .control = { .with = { { "algo.cap", 0.5 } }, .why = "ended at half of its mean cost" } },

    { .id = "bias-reduced/optest.thm1.reached.delta", .item = "V9", OPT_EST,
      .cite = CITE "Theorem 1",
      .says = "the same over delta, sigma = 0.5: log^2(1/delta) and lower terms, in closed form (c = 1)",
      .check = CHECK_MOMENT, .axis = "delta", .measure = "sample_grads", WITHIN_SIGMA, COST_OF_LEVELS,
      .with = { HARD_LINE, { "algo.sigma", 0.5 }, { "algo.c", 1 }, { "run.draws", 10 } },
      .window = { { 0.05, 0.2, 3, 32 }, { 0.05, 0.2, 3, 32 }, { 0.025, 0.2, 4, 64 } },
      .formula = opt_est_gradients_of_ten, .tolerance = 0.1,
      .control = { .with = { { "algo.cap", 0.5 } }, .why = "ended at half of its mean cost" } },

    { .id = "bias-reduced/optest.thm1.reached.d", .item = "V9", OPT_EST,
      .cite = CITE "Theorem 1",
      .says = "gradients until the squared error is at most sigma^2 = 1/16 do not depend on the dimension (c = 1)",
      .check = CHECK_RATE, .axis = "d", .measure = "sample_grads", WITHIN_SIGMA, COST_OF_LEVELS,
      .with = { { "problem.hardness", 0.6 }, { "problem.s", 0.8 }, { "problem.radius", 1000 },
      { "algo.delta", 0.3 },
                { "algo.sigma", 0.25 }, { "algo.c", 1 }, { "run.draws", 10 } },
      .window = { { 2, 128, 3, 16 }, { 2, 512, 4, 16 }, { 2, 8192, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.1, 0.1 },
      .control = { .with = { { "algo.N", 800, 0.5 } }, .why = "as many draws as a noise of d^(1/4) needs: "
                                                              "d^(1/2)" } },

    { .id = "bias-reduced/morgrad.cor2.exact.lam", .item = "V10 2.6", .attempt = 4, .fresh = true,
      .cite = CITE "Corollary 2",
      .says = "E|ghat - grad f_lam|^2 in closed form, at most sigma^2 and the same for every lam (c = 1)",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, SEE_THM1,
      .algo = "mor-grad-est", .problem = "linear", .axis = "lam", .measure = "moment.error2",
      .with = { HARD_LINE, MOR_QUARTER, { "run.draws", 25 } },
      .window = { { 0.01, 100, 3, 16 }, { 0.01, 100, 3, 16 }, { 0.01, 100, 5, 16 } },
      .formula = mor_grad_error2, .tolerance = 0.25, A_QUARTER },

    { .id = "bias-reduced/morgrad.cor2.closed.d", .item = "V10", .attempt = 5, .fresh = true,
      .cite = CITE "Corollary 2",
      .says = "E|ghat - grad f_lam|^2 in the same closed form in any dimension (c = 1)",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, SEE_THM1,
      .algo = "mor-grad-est", .problem = "linear", .axis = "d", .measure = "moment.error2",
      .with = { { "problem.hardness", 0.6 }, { "problem.s", 0.8 }, { "problem.radius", 1000 }, { "algo.lam", 4 },
                MOR_QUARTER, { "run.draws", 80 } },
      .window = { { 1, 64, 3, 16 }, { 1, 256, 3, 16 }, { 1, 1024, 6, 16 } },
      .formula = mor_grad_error2, .tolerance = 0.25, A_QUARTER },

    { .id = "bias-reduced/morgrad.cor2.reached.lam", .item = "V10", .attempt = 2, .fresh = true,
      .cite = CITE "Corollary 2",
      .says = "gradients until the squared error is at most sigma^2 = 1/16 do not depend on lam (c = 1)",
      .kind = KIND_THEOREM, .check = CHECK_RATE, SEE_THM1, WITHIN_SIGMA,
      .algo = "mor-grad-est", .problem = "linear", .axis = "lam", .measure = "sample_grads",
      .with = { HARD_LINE, MOR_QUARTER, { "run.draws", 25 } },
      .window = { { 0.01, 100, 3, 16 }, { 0.01, 100, 3, 16 }, { 0.01, 100, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.05 },
      .control = { .with = { { "algo.sigma", 0.25, 0.1 } },
                   .why = "an accuracy that loosens with lam: lam^(-1/5) at least" } },

    { .id = "bias-reduced/morgrad.cor2.reached.sigma", .item = "V10",
      .cite = CITE "Corollary 2",
      .says = "gradients until the squared error is at most sigma^2: sigma^(-2) log^2 and lower terms, in closed "
              "form (lam = 4, c = 1)",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, SEE_THM1, WITHIN_SIGMA,
      .algo = "mor-grad-est", .problem = "linear", .axis = "sigma", .measure = "sample_grads",
      .with = { HARD_LINE, { "algo.lam", 4 }, { "algo.delta", 0.3 }, { "algo.c", 1 }, { "run.draws", 10 } },
      .window = { { 0.125, 0.5, 3, 32 }, { 0.125, 0.5, 3, 32 }, { 0.0625, 0.5, 4, 64 } },
      .formula = mor_grad_gradients_of_ten, .tolerance = 0.1,
      .control = { .with = { { "algo.N", 900 } }, .why = "as many draws for every sigma" } },

    { .id = "bias-reduced/optest.a3.one.cap", .item = "V25 3.13", .attempt = 3, .fresh = true,
      .cite = CITE "Appendix A.3",
      .says = "ended at 2/p times its mean cost, OptEst does not come to its end with probability "
              "at most p/2",
      .kind = KIND_THEOREM, .check = CHECK_LAW, .tests = "none",
      .tests_none = "a budget that ends a run: Markov's inequality, whatever the method", .sense = SENSE_AT_MOST,
      .algo = "opt-est", .problem = "linear", .axis = "cap", .measure = "moment.ended",
      .with = { LINE, { "algo.T_max", 64 }, { "algo.N", 1 }, { "run.draws", 250 } },
      .window = { { 2, 8, 3, 4 }, { 2, 8, 3, 8 }, { 2, 8, 3, 16 } },
      .formula = markov,
      .control = { .with = { { "algo.cap", 0.2 }, { "algo.N", 20 } },
                   .why = "a cap of a fifth of the mean cost, of twenty draws" } },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.c - the plots and exhibits of the paper of theorems.c. Plots show rounds, queries and computational depth
 * against kappa, gradients and excess of the private methods, and the paper's Figure 1 with numbers that were
 * counted in count mode. Exhibits show Tables 1 and 2 with measured exponents. */
#include "resque.h"

#define SLOPE(e) .exponent = (e), .over = { 12, 100 }
#define BALLS                                                                                    \
    .algo = "ball-accel-epoch-sgd", .with = { { "goal.n", 3e4, 2 }, SEARCHED },                    \
    .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } }

#define PLENTY { "goal.n", 3e4, 2 }
#define WHOLLY(e) .exponent = (e), .over = { 4, 100 }
#define SPENT                                                                                    \
    .problem = "noisy_l1", .axis = "kappa",                                                        \
    .with = { { "problem.d", 16 }, HALF, { "goal.acc", 1, -1 } },                                   \
    .window = { { 5, 20, 3, 4 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } }
#define MODELS                                                                                   \
    .algo = "ball-accel-pooled", .with = { { "goal.n", 1e9 } },                                    \
    .window = { { 4, 8, 2, 1 }, { 4, 12, 3, 1 }, { 4, 16, 4, 2 } }

/* The lines of Figure 1 show numbers of gradients at n = 1000, d = n^x. With eps = 1 and delta = 1/e all logarithms
 * of Table 2 are 1. The methods afkt21 (Asi et al. 2021) and kll21 (Kulkarni et al. 2021) run in phases with n/2^i
 * records. Their power of n is therefore multiplied by a sum over the phases: sum_i 2^(-3i/2) for afkt21, and sum_i
 * 2^(-7i/4)/2 for kll21, whose phase i has 2^-i of the privacy budget. These are the sums for small d; the lines
 * use them for every d. */
static double figure1_x(const struct env *e) { return log(e->facts->d) / log(1000); }
static double figure1_afkt21(const struct env *e)
{
    return pow(1000, fmin(1.5, 2 - figure1_x(e) / 2)) / (pow(2, 1.5) - 1);
}
static double figure1_kll21(const struct env *e)
{
    double x = figure1_x(e);
    return pow(1000, fmin(1.25 + x / 8, 1.5 - x / 8)) / (2 * (pow(2, 1.75) - 1));
}
static double figure1_thm4(const struct env *e)
{
    double x = figure1_x(e);
    return pow(1000, fmax(fmin(1, 2 - x), fmin(2 * (1 + x) / 3, 4.0 / 3)));
}

/* A caption for plots of methods whose privacy is about different changes of the data: a record zeroed out, or a
 * record replaced. */
#define UNLIKE "Rivals are judged with a record zeroed out, Theorem 4 with a record replaced by another, which " \
               "may " \
               "change a sum of gradients twice as much."

#define RATE(e) .exponent = (e), .over = { 1e6, 1e12 }
#define THM4 .algo = "resque-private-sco"
#define OF_MULTI(word) MULTI, .with = { VARIANT(word), PAPER, { "algo.n", 1, 1 }, SQUARED }
#define BUDGETED(word) MULTI, .with = { VARIANT(word), RDP }
#define HINGE { "problem.data", .text = "heart_scale" }, { "problem.loss", .text = "hinge" },      \
              { "problem.l2", 0 }, { "problem.scaling", .text = "unit" }, { "problem.radius", 4 }

const struct plot resque_figures[] = {
    { .id = "resque/figure.diagonal",
      .title = "Rounds until eps against kappa, a maximum of d = (kappa/1.5)^2 coordinates",
      .says = "SGD kappa^2, randomised smoothing kappa^(3/2), ball acceleration kappa^(4/3): the "
              "depths of Table 1 where d grows as kappa^2.",
      .problem = "coercive_max", .axis = "kappa", .measure = "hit.batch_steps",
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, EVERY },
      .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } },
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET }, SLOPE(2) },
          { .label = "randomised smoothing, shrinking", .algo = "shrinking-smoothing",
            .with = { { "goal.n", 3e4, 2 } }, SLOPE(1.5) },
          { .label = "randomised smoothing, fixed", .algo = "randomised-smoothing",
            .with = { { "goal.n", 3e4, 2 } }, SLOPE(1.5) },
          { .label = "ball acceleration", BALLS, SLOPE(4.0 / 3) },
      } },

    { .id = "resque/figure.depth",
      .title = "Rounds until eps against kappa, a 1-norm, d = 16",
      .says = "Cutting planes hardly see kappa, models in whole balls and ball acceleration "
              "kappa^(2/3), smoothing kappa, SGD kappa^2; balls without acceleration kappa, from far above.",
      .problem = "noisy_l1", .axis = "kappa", .measure = "hit.batch_steps",
      .with = { { "problem.d", 16 }, { "problem.p", 1 }, { "goal.acc", 1, -1 }, EVERY },
      .window = { { 5, 20, 3, 2 }, { 5, 40, 4, 4 }, { 5, 80, 5, 4 } },
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET } },
          { .label = "randomised smoothing", .algo = "shrinking-smoothing",
            .with = { { "goal.n", 3e4, 2 } } },
          { .label = "ball acceleration, EpochSGD", .algo = "ball-accel-epoch-sgd",
            .with = { { "goal.n", 3e4, 2 }, SEARCHED } },
          { .label = "ball acceleration, AC-SA", .algo = "ball-accel-ac-sa",
            .with = { { "goal.n", 3e4, 2 }, SEARCHED } },
          { .label = "ball acceleration, exact", .algo = "ball-accel-exact", .with = { ENDLESS } },
          { .label = "balls without acceleration", .algo = "ball-iteration",
            .with = { ENDLESS } },
          { .label = "models in whole balls", MODELS },
          { .label = "cutting planes, gravity", .algo = "cutting-planes", .with = { ENDLESS } },
      } },

    { .id = "resque/figure.queries",
      .title = "Queries in all against kappa, a noisy 1-norm, d = 16",
      .says = "kappa^2 for all but models in whole balls, kappa^(8/3): few rounds are not paid for with "
              "more of them.",
      SPENT, .measure = "sample_grads",
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET }, WHOLLY(2) },
          { .label = "randomised smoothing", .algo = "shrinking-smoothing", .with = { PLENTY } },
          { .label = "ball acceleration, EpochSGD", .algo = "ball-accel-epoch-sgd",
            .with = { PLENTY }, WHOLLY(2) },
          { .label = "ball acceleration, AC-SA", .algo = "ball-accel-ac-sa", .with = { PLENTY },
            WHOLLY(2) },
          { .label = "models in whole balls", MODELS, WHOLLY(8.0 / 3) },
      } },

    { .id = "resque/figure.computation",
      .title = "Computational depth against kappa, a noisy 1-norm, d = 16",
      .says = "SGD and ball acceleration with EpochSGD are as deep as they have steps, kappa^2; with "
              "AC-SA kappa, as randomised smoothing.",
      SPENT, .measure = "depth",
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET }, WHOLLY(2) },
          { .label = "randomised smoothing", .algo = "shrinking-smoothing", .with = { PLENTY },
            WHOLLY(1) },
          { .label = "ball acceleration, EpochSGD", .algo = "ball-accel-epoch-sgd",
            .with = { PLENTY }, WHOLLY(2) },
          { .label = "ball acceleration, AC-SA", .algo = "ball-accel-ac-sa", .with = { PLENTY },
            WHOLLY(1) },
          { .label = "models in whole balls", MODELS },
      } },

    { .id = "resque/figure.regimes",
      .title = "Who comes to eps in the fewest rounds: against kappa, a norm, d = 16",
      .says = "SGD leads while kappa is small, cutting planes, of exact subgradients, where it is not; "
              "where lines cross are the boundaries of Table 1, with the constants of practice.",
      .problem = "norm", .axis = "kappa", .measure = "hit.batch_steps",
      .with = { { "problem.d", 16 }, { "goal.acc", 1, -1 }, EVERY },
      .window = { { 4, 16, 3, 2 }, { 4, 64, 5, 4 }, { 4, 128, 6, 8 } },
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET } },
          { .label = "randomised smoothing, fixed", .algo = "randomised-smoothing",
            .with = { PLENTY } },
          { .label = "ball acceleration", .algo = "ball-accel-epoch-sgd",
            .with = { PLENTY, SEARCHED } },
          { .label = "ball acceleration, exact", .algo = "ball-accel-exact", .with = { ENDLESS } },
          { .label = "balls without acceleration", .algo = "ball-iteration", .with = { ENDLESS } },
          { .label = "cutting planes, gravity", .algo = "cutting-planes", .with = { ENDLESS } },
      } },

    { .id = "resque/figure.gradients",
      .title = "Gradients against n, d = 16, epsilon = 0.5: Table 2 in count mode",
      .says = "n^2, n^(3/2), n^(5/4), and Theorem 4, near n where n is above d^2/eps^3 but for its "
              "logarithms; of 10^4 samples and fewer it promises nothing. Where proximal points are not "
              "closed, Bassily et al. 2019 need n^3 times as many.",
      .problem = "coins", .axis = "n", .measure = "sample_grads", .deterministic = true,
      .with = { { "problem.d", 16 }, ONCE, PROMISE(0.5, 1e-6), COUNT },
      .window = { { 1e3, 1e12, 10, 1 }, { 1e3, 1e12, 10, 1 }, { 1e3, 1e12, 37, 1 } },
      .line = {
          { .label = "Bassily et al. 2019, closed envelopes", MULTI, RATE(1.5),
            .with = { VARIANT("bftt19"), PAPER, { "algo.n", 1, 1 }, SQUARED,
                      { "algo.smoothing", .text = "envelope" }, { "algo.prox_grads", 1 } } },
          { .label = "Bassily et al. 2014", OF_MULTI("bst14"), RATE(2) },
          { .label = "Bassily et al. 2020", OF_MULTI("bfgt20"), RATE(2) },
          { .label = "Feldman et al. 2020", FKT20, .with = { BY_SGD }, RATE(2) },
          { .label = "Asi et al. 2021", AFKT21, RATE(1.5) },
          { .label = "Kulkarni et al. 2021", KLL21, RATE(1.25) },
          { .label = "Theorem 4", THM4, RATE(1),
            .window = { { 1e5, 1e12, 8, 1 }, { 1e5, 1e12, 8, 1 }, { 1e5, 1e12, 29, 1 } } },
      } },

    { .id = "resque/figure.one",
      .title = "Figure 1: gradients against d at n = 1000, epsilon = 1, delta = 1/e",
      .says = "Lines: n to the power that the paper draws over d = n^x, x from 0 to 2; all three "
              "meet at x = 4/3. Points: count mode, with all constants; of Theorem 4 private ERM of n records by "
              "formulas without logarithms and with constants of 1, since by accountants so few samples afford no "
              "phase of it. The line is K = (R/r)^(2/3) calls of T gradients to the digit; the points are 1.5 to "
              "10 "
              "times above it, as the method makes 2 K rounds, with half the r, of three calls and more, cut to "
              "powers "
              "of two. " UNLIKE,
      .problem = "coins", .axis = "d", .measure = "sample_grads", .deterministic = true,
      .with = { { "goal.n", 1000 }, PROMISE(1, 0.36787944117144233), COUNT },
      .window = { { 1, 1e6, 7, 1 }, { 1, 1e6, 13, 1 }, { 1, 1e6, 25, 1 } },
      .line = {
          { .label = "Asi et al. 2021", AFKT21, .theory = figure1_afkt21 },
          { .label = "Kulkarni et al. 2021", KLL21, .theory = figure1_kll21 },
          { .label = "Theorem 4", .algo = "resque-private-erm",
            .with = { { "algo.calibration", .text = "paper" }, { "algo.drift", .text = "measured" },
                      { "algo.jmax", 1 }, { "algo.M", 1 }, { "algo.c_T", 1 }, { "algo.beta", 1 },
                      { "algo.c_rho", 1 }, { "goal.budget", 1e15 } },
            .window = { { 1, 1e5, 6, 1 }, { 1, 1e5, 11, 1 }, { 1, 1e5, 21, 1 } }, .theory = figure1_thm4 },
      } },

    { .id = "resque/figure.excess",
      .title = "Excess against gradients, 1000 records of biased coins, d = 16, epsilon = 2",
      .says = "What a method has after so many gradients: rows of n^2 set their noise by the steps they "
              "may take, phases stop where they are. Theorem 4 has no line: of so few records it promises "
              "nothing better than its start. " UNLIKE,
      .problem = "coins_stored", .axis = "budget", .measure = "excess_population",
      .x = "sample_grads",
      .with = { { "problem.d", 16 }, { "problem.n", 1000 }, { "problem.bias", 0.15 },
                PROMISE(2, 1e-6) },
      .window = { { 0 }, { 100, 1e6, 9, 4 }, { 100, 1e6, 17, 16 } },
      .line = {
          { .label = "Bassily et al. 2014", BUDGETED("bst14") },
          { .label = "Bassily et al. 2019, closed envelopes", MULTI,
            .with = { VARIANT("bftt19"), RDP, { "algo.smoothing", .text = "envelope" },
                      { "algo.prox_grads", 1 } } },
          { .label = "Bassily et al. 2020", BUDGETED("bfgt20") },
          { .label = "Feldman et al. 2020", FKT20, .with = { BY_SGD } },
          { .label = "Asi et al. 2021", AFKT21 },
          { .label = "Kulkarni et al. 2021", KLL21 },
          { .label = "one pass, not private", .algo = "sgd", .with = { { "run.once", 1 } },
            .window = { { 0 }, { 100, 1000, 3, 8 }, { 100, 1000, 5, 16 } } },
      } },

    { .id = "resque/figure.heart",
      .title = "Excess against epsilon, hinge loss of heart_scale in a ball",
      .says = "270 records of 13 columns, rows of norm 1; the optimum is certified by duality. Nothing "
              "is promised of it. Theorem 4 has no line: of so few records it promises nothing better than "
              "its start. " UNLIKE,
      .problem = "erm", .axis = "eps", .measure = "excess",
      .with = { HINGE, { "goal.delta", 1e-5 }, { "goal.n", 72900 } },
      .window = { { 0 }, { 0.5, 32, 4, 8 }, { 0.5, 32, 7, 16 } },
      .line = {
          { .label = "Bassily et al. 2014", BUDGETED("bst14") },
          { .label = "Bassily et al. 2020", BUDGETED("bfgt20") },
          { .label = "Feldman et al. 2020", FKT20, .with = { BY_SGD, { "algo.n", 270 } } },
          { .label = "Asi et al. 2021", AFKT21 },
          { .label = "Kulkarni et al. 2021", KLL21 },
      } },

    { 0 }
};

#define P "resque/parallel."
static const struct exhibit_row resque_rows[] = {
    { "SGD", { P "sgd.narrow.diagonal", P "sgd.maximum.d", P "sgd.narrow.diagonal", NULL, NULL } },
    { "randomised smoothing", { P "smoothing.narrow.kappa", P "smoothing.reached.d",
                                P "smoothing.narrow.diagonal", P "shrinking.queries.kappa",
                                P "shrinking.depth.kappa" } },
    { "models in whole balls", { P "pooled.later.kappa", NULL, NULL,
                                 P "pooled.queries.kappa", P "pooled.near.kappa" } },
    { "cutting planes", { P "gravity.hit.kappa", P "gravity.late.d", NULL, P "gravity.cuts.d",
                          NULL } },
    { "ball acceleration, EpochSGD", { P "thm1.later.kappa", P "thm1.binding.d",
                                       P "thm1.even.diagonal", P "thm1.cost.kappa", P "thm1.serial.kappa" } },
    { "the same over randomised smoothing", { P "binding.gain.kappa", P "binding.gain.d",
                                              NULL, NULL, NULL } },
    { "ball acceleration, AC-SA", { P "thm2.whole.kappa", P "thm2.binding.d", NULL, P "thm2.spent.kappa",
                                    P "thm2.firm.kappa" } },
    { "ball acceleration, exact", { P "prop1.binding.kappa", P "prop1.binding.d", NULL, NULL, NULL } },
    { "balls without acceleration", { P "naive.straight.kappa", NULL, NULL, NULL, NULL } },
    { 0 }
};

#undef P
#define P "resque/private."
static const struct exhibit_row resque_private_rows[] = {
    { "Bassily, Smith, Thakurta 2014",
      { P "bst14.quiet.n", P "bst14.erm.n", P "bst14.noisy.d", P "bst14.free.n", NULL,
        P "bst14.replay.eps" } },
    { "Bassily, Feldman, Talwar, Thakurta 2019",
      { P "bftt19.narrow.n", NULL, P "bftt19.narrow.d", P "bftt19.counted.n", NULL,
        P "bftt19.replay.eps" } },
    { "Feldman, Koren, Talwar 2020",
      { P "fkt20.finer.n", NULL, P "fkt20.privacy.d", P "fkt20.narrow.n", NULL,
        "privacy/phased-erm.sgd.eps" } },
    { "Bassily, Feldman, Guzman, Talwar 2020",
      { P "bfgt20.whole.n", P "bfgt20.deep.n", P "bfgt20.deep.d", P "bfgt20.free.n", NULL,
        P "bfgt20.replay.eps" } },
    { "Asi, Feldman, Koren, Talwar 2021",
      { P "afkt21.more.n", P "afkt21.provable.n", P "afkt21.privacy.d", P "afkt21.spent.n", P "afkt21.near.n",
        "privacy/localised-sgd.eps" } },
    { "Kulkarni, Lee, Liu 2021",
      { P "kll21.narrow.n", NULL, P "kll21.privacy.d", P "kll21.spent.n", P "kll21.reached.n",
        "privacy/localised-smoothing.eps" } },
    { "Theorem 4",
      { P "thm4.sampled.n", P "thm4.hardest.n", P "thm4.hardest.d", P "thm3.asked.many", P "thm3.allowed.few",
        P "thm4.replay.eps" } },
    { "Feldman, Koren, Talwar 2020, phased SGD", { P "phased.slopes.n", NULL, NULL, NULL, NULL, NULL } },
    { "Feldman, Koren, Talwar 2020, snowball SGD", { P "snowball.wide.n", NULL, NULL, NULL, NULL, NULL } },
    { "one pass of SGD, not private", { P "sgd.onepass.n", NULL, NULL, NULL, NULL, NULL } },
    { 0 }
};

const struct exhibit resque_tables[] = {
    { .id = "resque/table.1", .title = "Table 1 as measured",
      .says = "Rounds against kappa, against d, and on a diagonal: d = (kappa/1.5)^2, but d = kappa for ball "
              "acceleration, where randomised smoothing has kappa^(5/4); queries; computational depth.",
      .column = { "rounds: kappa", "rounds: d", "rounds: diagonal", "queries",
                  "computational depth" },
      .row = resque_rows },
    { .id = "resque/table.2", .title = "Table 2 as measured",
      .says = "Excess over the population where sampling decides, over records or at large n where "
              "privacy does, against d; gradients where d is below and above n eps^2; privacy. Of Theorem 4 they "
              "are counts of a reconstruction by formulas, for n above d^2/eps^3 and below d/eps^2. " UNLIKE,
      .column = { "excess: n", "privacy: n", "excess: d", "gradients", "gradients: d large",
                  "private" },
      .row = resque_private_rows },
    { 0 }
};


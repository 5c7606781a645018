/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private.c - claims of Theorem 3, Corollary 3 and Theorem 4: excess and gradients of private ERM, of its
 * regularised form and of private SCO.
 *
 * The data are coins: records of random sign in each coordinate, whose mean is the bias. With the same bias at
 * every n the excess falls faster than any power of n. With a bias that shrinks with n the excess at the start
 * already falls at the rate that is to be shown. So a search on other seeds finds the bias of a grid with the
 * largest excess at each point, and the claim measures the excess at this bias. The excess of a method that learns
 * nothing then has exponent 0. A claim about the privacy term also checks that the noise causes it: without privacy
 * the excess is at most half as large. */
#include "resque.h"

#define ERM .algo = "resque-private-erm", .problem = "coins_stored"
#define SCO .algo = "resque-private-sco", .problem = "coins"
#define RECORDS_AS_N .axis = "n"
#define MANY { "goal.budget", 1e12 }

/* Settings of claims about the number of gradients that the method's parameters ask for, counted without a run. The
 * formulas of the parameters have no logarithms and small constants: beta, which sets the noise, is eps, Algorithm
 * 6 has one level, and a line search takes one answer. Their d is algo.dimension, while the data have two
 * dimensions. */
#define ALLOWED .algo = "resque-private-erm", .problem = "coins", .measure = "issued", \
                .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true
#define RECONSTRUCTED "Counts of this reconstruction by formulas with practical constants, without logarithms: " \
                      "not " \
                      "what the theorem proves. "
#define BY_FORMULA { "problem.d", 2 }, { "run.count", 1 }, { "goal.delta", 1e-6 }, \
                   { "algo.calibration", .text = "paper" }, { "algo.drift", .text = "measured" }, \
                   { "algo.jmax", 1 }, { "algo.M", 1 }, { "algo.c_T", 1 }
#define HALF_EPS { "goal.eps", 0.5 }, { "algo.beta", 0.5 }

/* Linear losses plus a regulariser: the minimiser x* has norm 1/2 and is well inside the ball of radius 100. */
#define REGULARISED .algo = "resque-regularised", .problem = "linear"
#define STRAIGHT { "problem.d", 4 }, { "problem.hardness", 1 }, { "problem.s", 0.1 }, { "problem.radius", 100 }, \
                 { "algo.lambda", 2 }

#define HARDEST_COINS .search = { .kind = SEARCH_LARGEST, .name = "problem.bias", .from = 0.05, .to = 1, \
                                  .points = 7, .reps = 4 }
/* The search HARDEST_COINS with 16 runs at each bias in place of 4, for the claims along eps. The logarithm of a
 * run has a standard deviation of 0.5 to 0.8 there, so that four runs do not find the bias with the largest
 * excess. */
#define FOUND_COINS .search = { .kind = SEARCH_LARGEST, .name = "problem.bias", .from = 0.05, .to = 1, \
                                .points = 7, .reps = 16 }
/* A search for the bias with the largest excess. At a bias of 0.02 the samples cannot distinguish the coin from a
 * fair one; at 1 the excess at the start is largest. */
#define HARD_TO_SAMPLE .search = { .kind = SEARCH_LARGEST, .name = "problem.bias", .from = 0.02, .to = 1, \
                                   .points = 7, .reps = 4 }
#define PRIVATELY { "goal.eps", 0.9 }, { "goal.delta", 1e-3 }, MANY
/* A control without privacy. It aims at the accuracy L R/kappa with kappa = sqrt(n)/4 in place of sqrt(n), which
 * takes a sixteenth of the gradients. Its answers are still far more accurate than those with noise. */
#define NOT_PRIVATE \
    .control2 = { .with = { { "goal.eps", INFINITY }, { "algo.c_n", 4 } }, .why = "without a promise" }
#define NOTHING_LEARNT \
    .control = { .algo = "sgd", .with = { { "algo.step", 1e-12 }, { "goal.n", 16 }, { "goal.budget", 16 } }, \
                 .why = "steps of nothing: at the largest bias L R is lost" }

/* cor3_promise returns COR3_C times the squared distance from the minimiser that Corollary 3 promises without
 * privacy, after the last of the k stages of algos/parts/private_stages.h. In runs on other seeds this squared
 * distance was 0.0055 of the promise at n = 256, and less at larger n; COR3_C is twice 0.0055. */
static const double COR3_C = 0.011;
static double cor3_promise(const struct env *e)
{
    double n = e->axis, L = e->facts->L, lambda = env_param(e, "lambda"), excess = INFINITY;
    double k = ceil(log2(log2(n))), R = fmin(2 * e->facts->radius, L / lambda);
    for (double j = 0; j < k; j++) {
        double kappa = sqrt(n * exp2(j - k));
        if (kappa <= 1)
            continue;
        excess = L * R / kappa;
        R = fmin(R, sqrt(2 * excess / lambda));
    }
    return COR3_C * 2 / lambda * excess;
}

const struct claim resque_private[] = {
    /* --- the number of gradients in each regime of n and d, in count mode. It is kappa^(4/3) d^(2/3)/eps +
     * kappa^2, where the accuracy is L R/kappa and kappa the smaller of sqrt(n) and n eps/sqrt(d), up to logarithms
     * of delta. */
    { .id = "resque/private.thm3.gradients.dimension", .item = "C28 4.2 6.5",
      .algo = "resque-private-erm", .problem = "coins", .measure = "sample_grads",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true, .axis = "dimension",
      .cite = CITE "Theorem 3",
      .says = "for d/eps^2 < n < d^2/eps^3 2/3 in d: n = 10^9, sqrt(n) of accuracy",
      .remark = RECONSTRUCTED "The sum of the T of all calls is counted by thm3.asked.*.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1e9 }, { "algo.dimension", 1, 1 } },
      .window = { { 0 }, { 0 }, { 32768, 524288, 5, 1 } },
      LAW(2.0 / 3, 0.55, 0.8),
      .control = { .with = { { "algo.beta", 1e6 } }, .why = "no noise: kappa^2, no d" } },

    { .id = "resque/private.thm3.allowed.few", .item = "C28 4.2 6.5", .attempt = 3, ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n^(4/3) gradients for n < d/eps^2: d = 10^8, rho = r",
      .remark = RECONSTRUCTED,
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e8 }, { "algo.c_rho", 1 } },
      .window = { { 0 }, { 4e6, 32e6, 4, 1 }, { 4e6, 32e6, 7, 1 } },
      LAW(4.0 / 3, 1.2, 1.45),
      .control = { .with = { { "algo.kappa", 0.05, 0.5 } }, .why = "accuracies of 1/sqrt(n): n^(2/3)" } },

    { .id = "resque/private.thm3.asked.middle", .item = "C28 4.2 6.5", .attempt = 2, ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "(n d)^(2/3)/eps gradients for d/eps^2 < n < d^2/eps^3: 2/3 in n, d = 10^4",
      .remark = RECONSTRUCTED "The T of all calls.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e4 } },
      .window = { { 0 }, { 8e6, 64e6, 4, 1 }, { 8e6, 128e6, 7, 1 } },
      LAW(2.0 / 3, 0.55, 0.8),
      .control = { .with = { { "algo.kappa", 1e-3, 1 } }, .why = "accuracies of 1/n: n^(4/3)" } },

    { .id = "resque/private.thm3.asked.eps", .item = "C28 4.2 6.5", .attempt = 2, ALLOWED, .axis = "eps",
      .cite = CITE "Theorem 3",
      .says = "there 1/eps: n = 10^8, d = 10^4",
      .remark = RECONSTRUCTED "The T of all calls.",
      .with = { BY_FORMULA, { "goal.n", 1e8 }, { "algo.dimension", 1e4 }, { "algo.beta", 1, 1 } },
      .window = { { 0 }, { 0.125, 0.5, 3, 1 }, { 0.125, 0.5, 5, 1 } },
      LAW(-1, -1.15, -0.7),
      .control = { .with = { { "algo.beta", 1e6 } }, .why = "no noise: kappa^2" } },

    { .id = "resque/private.thm3.asked.many", .item = "C28 C34 4.2 6.5", .attempt = 2, ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n gradients for n > d^2/eps^3: near-linear, d = 4",
      .remark = RECONSTRUCTED "The T of all calls.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 4 }, { "algo.c_rho", 2 } },
      .window = { { 0 }, { 1e8, 1e10, 4, 1 }, { 1e8, 1e11, 5, 1 } },
      LAW(1, 0.87, 1.1),
      .control = { .with = { { "algo.beta", 1e-5 } }, .why = "noise decides: n^(2/3)" } },

    { .id = "resque/private.thm3.asked.level", .item = "C28 C34 4.2 6.5", ALLOWED, .axis = "dimension",
      .cite = CITE "Theorem 3",
      .says = "n gradients for n > d^2/eps^3, whatever d: n = 10^10",
      .remark = RECONSTRUCTED "The T of all calls.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1e10 }, { "algo.dimension", 1, 1 }, { "algo.c_rho", 2 } },
      .window = { { 0 }, { 4, 256, 4, 1 }, { 4, 256, 7, 1 } },
      LAW(0, -0.0625, 0.0625),
      .control = { .with = { { "algo.beta", 1e-5 } }, .why = "noise decides: d^(2/3)" } },

    { .id = "resque/private.thm3.asked.plenty", .item = "C28 C34 4.2 6.5", ALLOWED, .axis = "eps",
      .cite = CITE "Theorem 3",
      .says = "n gradients for n > d^2/eps^3, whatever eps: n = 10^10, d = 4",
      .remark = RECONSTRUCTED "The T of all calls.",
      .with = { BY_FORMULA, { "goal.eps", 1, 1 }, { "algo.beta", 1, 1 }, { "goal.n", 1e10 },
                { "algo.dimension", 4 }, { "algo.c_rho", 2 } },
      .window = { { 0 }, { 0.0625, 0.5, 4, 1 }, { 0.0625, 0.5, 7, 1 } },
      LAW(0, -0.25, 0.25),
      .control = { .with = { { "algo.beta", 1e-5, 1 } }, .why = "noise decides: 1/eps" } },

    { .id = "resque/private.thm3.allowed.level", .item = "C28 4.2 6.5", ALLOWED, .axis = "dimension",
      .cite = CITE "Theorem 3",
      .says = "n^(4/3) eps^(1/3) gradients for n < d/eps^2, whatever d: n = 1.6 10^7, rho = r",
      .remark = RECONSTRUCTED,
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1.6e7 }, { "algo.dimension", 1, 1 }, { "algo.c_rho", 1 } },
      .window = { { 0 }, { 1e8, 8e8, 4, 1 }, { 1e8, 8e8, 7, 1 } },
      LAW(0, -0.0625, 0.0625),
      .control = { .with = { { "algo.kappa", 200 } }, .why = "one accuracy for all d: d^(2/3)" } },

    { .id = "resque/private.thm3.allowed.eps", .item = "C28 4.2 6.5", ALLOWED, .axis = "eps",
      .cite = CITE "Theorem 3",
      .says = "there eps^(1/3): n = 1.6 10^7, d = 10^8, rho = r",
      .remark = RECONSTRUCTED,
      .with = { BY_FORMULA, { "goal.eps", 1, 1 }, { "algo.beta", 1, 1 }, { "goal.n", 1.6e7 },
                { "algo.dimension", 1e8 }, { "algo.c_rho", 1 } },
      .window = { { 0 }, { 0.0625, 0.5, 4, 1 }, { 0.0625, 0.5, 7, 1 } },
      LAW(1.0 / 3, 0, 2.0 / 3),
      .control = { .with = { { "algo.kappa", 200 } }, .why = "one accuracy for all eps: 1/eps" } },

    /* --- Corollary 3: excess of regularised ERM */
    { .id = "resque/private.cor3.regime.n", .item = "C29 3.12", .attempt = 2, REGULARISED, RECORDS_AS_N,
      .cite = CITE "Corollary 3, first term",
      .says = "regularised ERM without privacy on linear losses, whose excess is (lambda/2)|x - x*|^2, with a "
              "rho/r of 2 and "
              "the radii of the proof: it falls at least as 1/n",
      .kind = KIND_CONDITIONAL, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "run.draws", 4 }, { "algo.c_rho", 2 },
                { "algo.c_T", 16 }, { "algo.C_cvx", 16 } },
      .window = { { 0 }, { 0 }, { 256, 16384, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -INFINITY, -0.75 },
      .control = { .with = { { "algo.c_n", 0.0625, 0.5 } }, .why = "the accuracy that 256 samples allow" } },

    { .id = "resque/private.cor3.noise.n", .item = "C29 3.12", REGULARISED, RECORDS_AS_N,
      .cite = CITE "Corollary 3, second term",
      .says = "where privacy decides, the excess falls at least as 1/n^2 up to logarithms",
      .remark = "Never judged: a night has no room for it. At the least n the first stage is left out, and on the "
                "way the "
                "control loses more: neither is one power by construction.",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "goal.eps", 0.9 }, { "goal.delta", 1e-3 },
        { "run.draws", 1 } },
      .window = { { 0 }, { 0 }, { 5000, 80000, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -INFINITY, -1.5 },
      .control = { .with = { { "goal.eps", 4500, -1 } }, .why = "a promise that shrinks as 1/n" } },

    /* --- Theorem 3: excess on the sample, at the bias whose excess is largest */
    { .id = "resque/private.thm3.later.d", .item = "C27", .attempt = 3, .fresh = true, ERM, .axis = "d",
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample grows as d^(1/2) up to logarithms, on the hardest "
              "coins",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.n", 32000 }, { "goal.n", 32000 }, PRIVATELY },
      HARDEST_COINS,
      .window = { { 0 }, { 0 }, { 2, 16, 4, 64 } },
      LAW(0.5, 0.25, 0.75), .tests = "noise", NOTHING_LEARNT, NOT_PRIVATE },

    /* For an accuracy of L R/kappa, the largest kappa at which the privacy loss by the ledger stays within eps is
     * 11.6, 26.3, 48.0, 76.6 and 130.5 at n = 16000, 32000, ..., 256000. It grows unevenly, since beta, which sets
     * the noise, falls in steps of sqrt(2). So the law of the theorem is seen only over a factor of 8 in n or
     * more. */
    { .id = "resque/private.thm3.later.n", .item = "C27 C34", .attempt = 3, .fresh = true, ERM, RECORDS_AS_N,
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample falls as log(n/delta)^(3/2) log(n)/n, on the "
              "hardest coins",
      .remark = "Predicted: 44 core-minutes; nearest rival at 0.32 of an exponent, log-sd of a run 0.5, 13 s a "
                "run at "
                "n = 128000.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.n", 1, 1 }, { "goal.n", 1, 1 }, PRIVATELY }, HARDEST_COINS,
      .window = { { 0 }, { 0 }, { 32000, 256000, 4, 32 } },
      LAW(-0.8, -0.97, -0.67), .tests = "noise", NOTHING_LEARNT, NOT_PRIVATE },

    { .id = "resque/private.thm3.later.eps", .item = "C27", .attempt = 4, .fresh = true, ERM, .axis = "eps",
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample falls as 1/eps up to logarithms, on the hardest "
              "coins",
      .remark = "Predicted: 6 core-minutes; nearest rival at 1, log-sd of a run 0.5, 0.6 s a run.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.n", 32000 }, { "goal.n", 32000 }, { "goal.delta", 1e-3 }, MANY },
      FOUND_COINS,
      .window = { { 0 }, { 0 }, { 0.225, 0.9, 3, 64 } },
      LAW(-1, -1.25, -0.75), .tests = "noise", NOTHING_LEARNT, NOT_PRIVATE },

    /* The number of gradients of a call is a power of two, so that the accuracy falls by steps around the law
     * 1/sqrt(n). Over a factor of 64 in n the steps even out. */
    { .id = "resque/private.thm3.long.n", .item = "C27", .attempt = 3, .fresh = true, ERM, RECORDS_AS_N,
      .cite = CITE "Theorem 3, first term",
      .says = "without privacy the excess on the sample falls as 1/sqrt(n), on the hardest coins",
      .remark = "Predicted: 10 core-minutes; nearest rival at 1/2, log-sd of a run 0.1, 3 s a run at n = 32000.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.n", 1, 1 }, { "goal.n", 1, 1 }, MANY },
      .search = { .kind = SEARCH_LARGEST, .name = "problem.bias", .from = 0.02, .to = 1, .points = 7, .reps = 2 },
      .window = { { 0 }, { 0 }, { 500, 32000, 7, 32 } },
      LAW(-0.5, -0.65, -0.35), .tests = "none", .tests_none = "the term without noise", NOTHING_LEARNT },

    /* --- Theorem 4: excess on the population */
    { .id = "resque/private.thm4.sampled.n", .item = "C30 C31", .attempt = 3, .fresh = true, SCO, RECORDS_AS_N,
      .cite = CITE "Theorem 4, first term",
      .says = "without privacy the excess on the population falls as 1/sqrt(n), on the hardest coins",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "goal.n", 1, 1 }, MANY }, HARD_TO_SAMPLE,
      .window = { { 0 }, { 500, 8000, 5, 24 }, { 500, 32000, 7, 32 } },
      LAW(-0.5, -0.65, -0.35), .tests = "none", .tests_none = "the term without noise", NOTHING_LEARNT },

    { .id = "resque/private.thm4.hardest.n", .item = "C31", .attempt = 2, .fresh = true, SCO, RECORDS_AS_N,
      .cite = CITE "Theorem 4, second term",
      .says = "where privacy decides, the excess on the population falls as log(n/delta)^(3/2) log(n)/n, on the "
              "hardest coins",
      .remark = "Predicted: 33 core-minutes; nearest rival at 0.32 of an exponent, log-sd of a run 0.8, 10 s a "
                "run at "
                "n = 128000.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "goal.n", 1, 1 }, PRIVATELY }, HARDEST_COINS,
      .window = { { 0 }, { 0 }, { 32000, 256000, 4, 32 } },
      LAW(-0.8, -0.97, -0.67), .tests = "noise", NOTHING_LEARNT, NOT_PRIVATE },

    { .id = "resque/private.thm4.hardest.d", .item = "C31", .attempt = 2, .fresh = true, SCO, .axis = "d",
      .cite = CITE "Theorem 4, second term",
      .says = "where privacy decides, the excess on the population grows as d^(1/2) up to logarithms, on the "
              "hardest coins",
      .remark = "24 replicates had d^0.543 (0.45 to 0.635) and a bend of 1.3: the nearest rival at 1/4, log-sd of "
                "a run 0.34, 0.6 s a run, 64 replicates 5 core-minutes.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "goal.n", 32000 }, PRIVATELY }, HARDEST_COINS,
      .window = { { 0 }, { 0 }, { 2, 16, 4, 64 } },
      LAW(0.5, 0.375, 0.625), .tests = "noise", NOTHING_LEARNT, NOT_PRIVATE },

    { .id = "resque/private.thm4.found.eps", .item = "C31", .attempt = 4, .fresh = true, SCO, .axis = "eps",
      .cite = CITE "Theorem 4, second term",
      .says = "where privacy decides, the excess on the population falls as 1/eps up to logarithms, on the "
              "hardest coins",
      .remark = "Predicted: 6 core-minutes; nearest rival at 1, log-sd of a run 0.8, 0.6 s a run.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "goal.n", 32000 }, { "goal.delta", 1e-3 }, MANY }, FOUND_COINS,
      .window = { { 0 }, { 0 }, { 0.225, 0.9, 3, 64 } },
      LAW(-1, -1.25, -0.75), .tests = "noise", NOTHING_LEARNT, NOT_PRIVATE },

    { .id = "resque/private.cor3.near.n", .item = "C29 3.12", .attempt = 2, .fresh = true, REGULARISED,
      RECORDS_AS_N,
      .cite = CITE "Corollary 3, first term, by the constants of its assembly",
      .says = "regularised ERM without privacy on linear losses: E|x - x*|^2 is at most 0.011 of what the last of "
              "its stages promises, 16 (L/lambda)^2/n or a little more, as the stages before it have made up for "
              "the start",
      .remark = "The constants are of this reconstruction.",
      .kind = KIND_CONDITIONAL, .check = CHECK_BOUND, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "run.draws", 4 } },
      .window = { { 256, 1024, 3, 8 }, { 256, 4096, 5, 16 }, { 256, 16384, 7, 32 } },
      .formula = cor3_promise,
      .control = { .with = { { "algo.c_n", 0.625, 0.5 } }, .why = "an accuracy of L R/1.1 at every n" },
      .tests = "none", .tests_none = "the term without noise" },

    { 0 }
};


/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy.c - the privacy of DP-GCD: Theorem 4.2, equation (2) and the proximal version; what a greedy choice with
 * the printed noise costs beyond eps'; the scale of the noise along its parameters; numbers of questions. eps' is
 * the epsilon that one choice, or one step, is meant to cost.
 *
 * On the family private_mean one record can move every partial derivative by its whole sensitivity. The
 * sensitivities S_j of all coordinates are equal, as under the paper's rule of clipping. */
#include "dp_gcd.h"

static double gcd_promised(const struct env *e) { return e->goal->eps; }
static double gcd_one(const struct env *e) { return 1; }
static double gcd_two(const struct env *e) { return 2; }
static double gcd_rounds_of(const struct env *e) { return env_param(e, "T"); }
static double gcd_coords(const struct env *e)
{
    return e->facts->n * e->facts->d * env_param(e, "T");
}
static double gcd_draws(const struct env *e) { return (e->facts->d + 1) * env_param(e, "T"); }

#define GCD_MEAN { "problem.d", 16 }, { "problem.n", 64 }, { "problem.active", 4 }, \
                 { "goal.delta", 1e-5 }, { "algo.T", 8 }, { "goal.T", 8 }
#define GCD_AUDITED .check = CHECK_PRIVATE, .algo = "dp-gcd", .axis = "eps", \
                    .measure = "privacy.eps",                                \
                    .control = { .with = { { "algo.share", 20 } },           \
                                 .why = "noise for eps' = 20" }
/* Every run must end with an excess of at most 0.0125, a tenth of the excess at the start. */
#define ARRIVES .reaches = { "excess", 0.0125, .probability = 1 }
#define OF_COUNTS OF_NO_MECHANISM("every question of the method is counted, whatever a part of it is for")
#define SCALE .kind = KIND_THEOREM, .check = CHECK_RATE, .algo = "dp-gcd", .problem = "private_mean",       \
              .cite = CITE "Theorem 4.2", .measure = "note.lambda", .deterministic = true, ARRIVES,       \
              OF_NO_MECHANISM("it is about the scale of the noise, which the run without noise has not")
#define SCALE_OF { "problem.d", 4 }, { "algo.accounting", .text = "thm42" }
#define GCD_COUNTED .kind = KIND_THEOREM, .check = CHECK_COUNT, .algo = "dp-gcd",                 \
                    .problem = "private_mean", .axis = "T", .deterministic = true,                \
                    .attempt = 2, .fresh = true, OF_COUNTS, ARRIVES,                               \
                    .with = { { "problem.d", 32 }, { "problem.n", 1e6 }, { "goal.eps", 1 },       \
                              { "goal.delta", 1e-6 }, { "algo.T", 1, 1 } },                       \
                    .window = { { 1, 64, 4, 1 }, { 1, 256, 5, 1 }, { 1, 1024, 6, 1 } },           \
                    .control = { .with = { { "algo.T", 2, 1 } }, .why = "twice the rounds" }

#define OF_PRICE OF_NO_MECHANISM("it is about the price of a release, whatever the method makes of it")

const struct claim dp_gcd_privacy[] = {
    { .id = "dp-gcd/3.1.thm42.eps", .item = "3.1.1 8.1 2.1",
      .cite = CITE "Theorem 4.2",
      .says = "lambda = lambda' = 8 L_j sqrt(T log 1/delta)/(n eps) is (eps, delta)-private for "
              "eps <= 1, S_j one number: its slack pays for the choice",
      .kind = KIND_THEOREM, .problem = "private_mean",
      .with = { GCD_MEAN, { "algo.accounting", .text = "thm42" },
                { "algo.rnm_mode", .text = "paper" } },
      .window = { { 1, 1, 1, 6 }, { 0.25, 1, 3, 24 }, { 0.25, 1, 5, 96 } }, GCD_AUDITED },

    { .id = "dp-gcd/3.1.eq2.eps", .item = "3.1.2",
      .cite = CITE "equation (2), Remark 4.3",
      .says = "2T mechanisms of eps' each are within (eps, delta) by equation (2), for any eps: "
              "with a choice that costs eps' as proven",
      .kind = KIND_THEOREM, .problem = "private_mean",
      .with = { GCD_MEAN, { "algo.accounting", .text = "eq2" },
                { "algo.rnm_mode", .text = "corrected" } },
      .window = { { 1, 1, 1, 6 }, { 0.5, 4, 3, 24 }, { 0.5, 4, 5, 96 } }, GCD_AUDITED },

    { .id = "dp-gcd/C.prox.eps", .item = "3.1.3 8.12",
      .cite = CITE "Appendix C",
      .says = "Algorithm 2 is (eps, delta)-private: rule GS-r with noise on its scores, l1 in the "
              "prox, clipping of the data's part alone",
      .kind = KIND_THEOREM, .problem = "erm",
      .with = { { "problem.l1", 0.01 }, { "problem.l2", 0.001 }, { "problem.prox", .text = "all" },
                { "problem.optimum", .text = "none" }, { "run.public", .text = "M_j" },
                { "goal.delta", 1e-5 }, { "algo.T", 8 }, { "goal.T", 8 }, { "algo.C", 1 },
                { "algo.rule", .text = "GS-r" } },
      .window = { { 1, 1, 1, 6 }, { 0.5, 4, 3, 24 }, { 0.5, 4, 5, 96 } }, GCD_AUDITED },

    { .id = "dp-gcd/2.6.corrected.eps.T", .item = "8.2 2.6",
      OF_PRICE,
      .cite = CITE "equation (2), where section 4.1 prices the noisy maximum at eps'; it costs 2 eps'",
      .says = "with the choice charged 2 eps' the ledger proves epsilon; with equation (2) as "
              "printed it does not",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "dp-gcd", .problem = "private_mean",
      .axis = "T", .measure = "privacy.eps", .formula = gcd_promised, .deterministic = true,
      .with = { { "problem.d", 16 }, { "problem.n", 64 }, { "goal.eps", 1 }, { "goal.delta", 1e-6 },
                { "algo.T", 1, 1 }, { "run.replay", 1 } },
      .window = { { 16, 64, 3, 1 }, { 16, 256, 5, 1 }, { 16, 1024, 7, 1 } },
      .control = { .with = { { "algo.accounting", .text = "eq2" },
                             { "algo.rnm_mode", .text = "paper" } },
                   .why = "equation (2), the choice charged eps'" } },

    { .id = "dp-gcd/2.3.choice.loss.gap", .item = "7.3 8.2",
      OF_PRICE,
      .cite = CITE "section 4.1, report noisy max",
      .says = "two candidates, 16 + gap against 16: with twice the printed noise the choice costs "
              "eps' at most; as printed 1.97 eps'",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "noisy-max-loss", .problem = "linear",
      .axis = "G", .measure = "moment.loss", .formula = gcd_one, .deterministic = true,
      .with = { { "problem.d", 1 }, { "algo.noise", .text = "proven" }, { "run.draws", 1 } },
      .window = { { 17, 77, 3, 1 }, { 17, 77, 5, 1 }, { 17, 140, 9, 1 } },
      .control = { .with = { { "algo.noise", .text = "printed" } },
                   .why = "scale S/eps', as printed" } },

    { .id = "dp-gcd/2.3.choice.equal.eps", .item = "2.3 7.3", .attempt = 2,
      OF_PRICE,
      .cite = CITE "section 4.1, report noisy max; the provable price is eps' (1 + max S/S_i)",
      .says = "where all S_j are equal the printed noise costs 2 eps' at most",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "noisy-max-loss", .problem = "linear",
      .axis = "eps", .measure = "moment.loss", .formula = gcd_two, .deterministic = true,
      .with = { { "problem.d", 1 }, { "run.draws", 1 }, { "algo.m", 1e6 }, { "algo.K", 10 },
                { "algo.G", 1e4 }, { "algo.eps", 1, 1 } },
      .window = { { 0.1, 1, 2, 1 }, { 0.1, 1, 4, 1 }, { 0.05, 2, 8, 1 } },
      .control = { .with = { { "algo.own", 1e-3 } },
                   .why = "a coordinate with next to no noise among a million: 10.5 eps' at eps' = 0.1" } },

    /* The chosen coordinate has S_j = own or 1, and so have the others, in all four ways. */
    { .id = "dp-gcd/2.3.choice.races.own", .item = "2.3 8.2", .attempt = 4, .fresh = true,
      OF_PRICE,
      .cite = CITE "section 4.1, S_j of their own",
      .says = "noise for twice the largest S_k costs eps' at most, whatever the S_j of the chosen coordinate and of "
              "its competitors",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "noisy-max-loss", .problem = "linear",
      .axis = "own", .measure = "moment.loss", .formula = gcd_one, .deterministic = true,
      .with = { { "problem.d", 1 }, { "run.draws", 1 }, { "algo.m", 1e6 }, { "algo.eps", 0.1 },
                { "algo.G", 1e7 }, { "algo.K", 10 }, { "algo.noise", .text = "proven" } },
      .window = { { 1e-3, 1e3, 3, 1 }, { 1e-3, 1e3, 7, 1 }, { 1e-4, 1e4, 9, 1 } },
      .control = { .with = { { "algo.noise", .text = "own" } },
                   .why = "noise for each by twice its own S_j" },
      .control2 = { .with = { { "algo.noise", .text = "half" } },
                    .why = "noise for the largest S_k, not twice" } },

    /* With l1 = 2000 the proximal step of coordinate 1 ends at 0 for all gradients in an interval of 4000. The
     * loss is the largest over five gradients: the middle of this interval, its edges, and one far off on either
     * side. */
    { .id = "dp-gcd/C.gsr.choice.K", .item = "8.9", .attempt = 3, .fresh = true,
      OF_PRICE,
      .cite = CITE "Appendix C, rule GS-r",
      .says = "a choice by GS-r with noise on its scores, of twice the printed scale, costs eps' at most, also "
              "where the proximal step ends at the kink of l1",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "noisy-max-loss", .problem = "erm_drawn",
      .axis = "K", .measure = "moment.loss", .formula = gcd_one, .deterministic = true,
      .with = { { "problem.d", 1 }, { "problem.n", 2 }, { "problem.l2", 0 }, { "problem.l1", 2000 },
                { "run.draws", 1 }, { "algo.m", 1e6 }, { "algo.eps", 0.1 }, { "algo.G", 1e4 },
                { "algo.on", .text = "scores" }, { "algo.noise", .text = "proven" } },
      .window = { { 4, 10, 2, 1 }, { 4, 10, 4, 1 }, { 4, 50, 6, 1 } },
      .control = { .with = { { "algo.on", .text = "gradients" } },
                   .why = "the same noise, on gradients" },
      .control2 = { .with = { { "algo.noise", .text = "printed" } },
                    .why = "noise on scores, of the printed scale" } },

    /* The instance has two coordinates, whose gradients differ by two scales of the noise. A change of one record
     * raises one of them and lowers the other. */
    { .id = "dp-gcd/2.3.choice.audit.eps", .item = "8.2 2.3",
      .cite = CITE "section 4.1, report noisy max",
      .says = "one round, eps' for the choice and eps' for the step: 2 eps' with the proven "
              "noise; with the printed one attacks show more",
      .kind = KIND_ERRATUM, .check = CHECK_PRIVATE, .algo = "dp-gcd", .problem = "private_mean",
      .axis = "eps", .measure = "privacy.eps",
      .with = { { "problem.d", 2 }, { "problem.n", 100 }, { "problem.active", 2 },
                { "problem.r", 0.5 }, { "problem.decades", 0.036 }, { "goal.delta", 1e-6 },
                { "goal.T", 1 }, { "algo.T", 1 }, { "algo.accounting", .text = "min_basic" },
                { "algo.rnm_mode", .text = "corrected" }, { "run.audit", 40000 } },
      .window = { { 0 }, { 2, 2, 1, 1 }, { 2, 2, 1, 4 } },
      .control = { .with = { { "algo.rnm_mode", .text = "paper" } },
                   .why = "the printed noise: 3 eps'" } },

    { .id = "dp-gcd/1.passes.reached.T", .item = "C6 6.8",
      .cite = CITE "Algorithm 1", .says = "T passes", .measure = "passes",
      .formula = gcd_rounds_of, GCD_COUNTED },
    { .id = "dp-gcd/1.rounds.reached.T", .item = "C6 6.8",
      .cite = CITE "Algorithm 1", .says = "T batch steps", .measure = "batch_steps",
      .formula = gcd_rounds_of, GCD_COUNTED },
    { .id = "dp-gcd/1.choices.reached.T", .item = "C6 6.8",
      .cite = CITE "Algorithm 1", .says = "T noisy maxima, of 2T mechanisms",
      .measure = "noise_max", .formula = gcd_rounds_of, GCD_COUNTED },
    { .id = "dp-gcd/1.laplace.reached.T", .item = "C6 6.8 2.1",
      .cite = CITE "Algorithm 1", .says = "(p + 1) T Laplace values",
      .measure = "noise_laplace", .formula = gcd_draws, GCD_COUNTED },
    { .id = "dp-gcd/1.coords.reached.T", .item = "C6 6.8",
      .cite = CITE "Algorithm 1", .says = "n p T partial derivatives", .measure = "coords",
      .formula = gcd_coords, GCD_COUNTED },

    { .id = "dp-gcd/4.2.scale.T", .item = "C6 6.8", .attempt = 2, .fresh = true, SCALE,
      .says = "lambda ~ sqrt(T) at fixed epsilon", .axis = "T",
      .with = { SCALE_OF, { "problem.n", 1e6 }, { "goal.eps", 1 }, { "goal.delta", 1e-6 }, { "algo.T", 1, 1 } },
      .window = { { 1, 256, 5, 1 }, { 1, 1024, 6, 1 }, { 1, 4096, 7, 1 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.49, 0.51 },
      .control = { .with = { { "algo.share", 1, -1 } }, .why = "basic composition: T" } },

    { .id = "dp-gcd/4.2.scale.n", .item = "C6 6.8", .attempt = 2, .fresh = true, SCALE,
      .says = "lambda ~ 1/n at fixed epsilon and T", .axis = "n",
      .with = { SCALE_OF, { "goal.eps", 1 }, { "goal.T", 8 }, { "goal.delta", 1e-6 } },
      .window = { { 1e4, 1e7, 4, 1 }, { 1e4, 1e8, 5, 1 }, { 1e4, 1e9, 6, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.01, -0.99 },
      .control = { .with = { { "goal.T", 0.0008, 1 } }, .why = "rounds that grow as n: n^(-1/2)" } },

    { .id = "dp-gcd/4.2.scale.eps", .item = "C6 6.8", SCALE,
      .says = "lambda ~ 1/eps at fixed T", .axis = "eps",
      .with = { SCALE_OF, { "problem.n", 1e7 }, { "goal.T", 8 }, { "goal.delta", 1e-6 } },
      .window = { { 0.01, 1, 4, 1 }, { 0.001, 1, 5, 1 }, { 0.001, 1, 7, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.01, -0.99 },
      .control = { .with = { { "goal.T", 10000, 1 } }, .why = "rounds that grow as eps: eps^(-1/2)" } },

    { .id = "dp-gcd/4.2.scale.delta", .item = "C6 6.8", SCALE,
      .says = "delta = 1/n^2, n eps held: lambda ~ log(1/delta)^(1/2) = (2 log n)^(1/2)", .axis = "n",
      .with = { SCALE_OF, { "goal.eps", 1e4, -1 }, { "goal.T", 8 }, { "goal.delta", 1, -2 } },
      .window = { { 1e4, 1e12, 4, 1 }, { 1e4, 1e14, 5, 1 }, { 1e4, 1e14, 7, 1 } },
      .law = { .form = LAW_LOG, .exponent = { 0.5 } }, .band = { 0.49, 0.51 },
      .control = { .with = { { "goal.delta", 1e-6 } }, .why = "delta held: no growth" } },

    { 0 }
};

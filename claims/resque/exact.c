/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact.c - claims of methods whose oracle has no noise: cutting planes with exact subgradients, and balls with
 * exact proximal steps, with and without acceleration. The instance is a norm, of which every sample is F itself,
 * or, in the claim prop1.near.kappa, a 1-norm whose proximal steps are exact too. */
#include "resque.h"

static double gravity_cuts(const struct env *e)
{
    return ceil(e->facts->d * log(2 * kappa_of(e)) / log(1.5));
}

static double inscribed_cuts(const struct env *e)
{
    double d = e->facts->d;
    return ceil(d * log(kappa_of(e) * (1 + sqrt(d))) / -log(0.843));
}

/* Returns the dimension of a control, 2 log10(kappa): 4 at kappa = 100, 12 at kappa = 10^6. */
static double two_logarithms(double kappa, const struct facts *f) { return 2 * log10(kappa); }

/* Returns a bound on the number of calls of the line search oracle that a round makes to find lam by bisection. L
 * is the Lipschitz constant, R the radius, r that of a ball, eps the accuracy. The first call is at lam_min. Then
 * the interval of log lam from lam_min to lam_max is halved until lam is known within a factor of 15/13. Let Delta
 * be the length of the proximal step at lam. Within this factor some lam has Delta between 13r/16 and 15r/16,
 * because lam Delta does not fall with lam, and Delta does not grow with lam. */
static double calls_of_a_round(const struct env *e)
{
    double L = env_param(e, "L"), R = env_param(e, "R"), r = env_param(e, "r"), eps = env_param(e, "eps");
    double K = pow(R / r, 2.0 / 3), lam_min = eps * (K / R) * (K / R), lam_max = 2 * L / r;
    return 1 + ceil(log2(log(lam_max / lam_min) / log(15.0 / 13)));
}

static double straight_rounds(const struct env *e)
{
    double r = e->goal->acc / (e->facts->L * sqrt(e->facts->d));
    return ceil(e->facts->dist / r);
}

#define CUTS .algo = "cutting-planes", ON_NORM
#define INSCRIBED { "algo.centre", .text = "inscribed" }
#define AROUND                                                                                    \
    { .with = { { "algo.centre", .text = "ellipsoid" } }, .why = "the ellipsoid around: d^2" }
#define EXACT_BALLS .algo = "ball-accel-exact", ON_NORM
#define ONE_BY_ONE { .algo = "ball-iteration", .why = "no acceleration: R/r" }
#define PROP1 CITE "Proposition 1"
#define PLAIN_BALLS .tests = "none", .tests_none = "balls without acceleration have no part that could be left out"
/* Settings with exact proximal steps, at which in most rounds the step ends at the border of the ball (the ball
 * binds). */
#define EXACT_KAPPA EXACT_BALLS, KAPPA, REACHED, .with = { { "problem.d", 64 }, { "goal.acc", 1, -1 }, ENDLESS }
#define EXACT_D EXACT_BALLS, .axis = "d", REACHED, .with = { { "goal.acc", 1e-3 }, ENDLESS }
#define WIDE_OPEN { .with = { { "algo.c_lam", 1e-6 } }, .why = "a search that begins a million times below " \
                                                               "lam_min" }

const struct claim resque_exact[] = {
    { .id = "resque/parallel.gravity.excess.d", .item = "C17 B4 E11", CUTS, .axis = "d",
      .cite = "Bertsimas, Vempala 2004",
      .says = "ceil(d ln(2 kappa)/ln(3/2)) cuts through the mean of a sample: excess <= eps, "
              "kappa = 100",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { { "goal.acc", 0.01 }, ENDLESS },
      .window = { { 2, 8, 3, 8 }, { 2, 12, 4, 16 }, { 2, 16, 4, 32 } },
      .formula = accuracy, .control = { .with = { { "algo.T", 3 } }, .why = "three cuts" } },

    { .id = "resque/parallel.inscribed.excess.d", .item = "C17 B4 E11", CUTS, .axis = "d",
      .cite = "Tarasov, Khachiyan, Erlikh 1988",
      .says = "ceil(d ln(kappa (1 + sqrt d))/ln(1/0.843)) cuts through the centre of the largest "
              "ellipsoid: excess "
              "<= eps, kappa = 100",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { { "goal.acc", 0.01 }, ENDLESS, INSCRIBED },
      .window = { { 2, 8, 3, 4 }, { 2, 8, 3, 8 }, { 2, 12, 4, 8 } },
      .formula = accuracy, .control = { .with = { { "algo.T", 3 } }, .why = "three cuts" } },

    { .id = "resque/parallel.gravity.cuts.d", .item = "C17 B4 E11", CUTS, .axis = "d",
      .cite = CITE "Table 1",
      .says = "ceil(d ln(2 kappa)/ln(3/2)) rounds of one subgradient, kappa = 100",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "batch_steps",
      .with = { { "goal.acc", 0.01 }, ENDLESS },
      .window = { { 2, 8, 3, 1 }, { 2, 12, 4, 1 }, { 2, 16, 4, 1 } },
      .formula = gravity_cuts, .control = AROUND,
      REACHED },

    { .id = "resque/parallel.inscribed.cuts.d", .item = "C17 B4 E11", CUTS, .axis = "d",
      .cite = CITE "Table 1",
      .says = "ceil(d ln(kappa (1 + sqrt d))/ln(1/0.843)) rounds of one subgradient, kappa = 100",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "full_grads",
      .with = { { "goal.acc", 0.01 }, ENDLESS, INSCRIBED },
      .window = { { 2, 8, 3, 1 }, { 2, 8, 3, 1 }, { 2, 12, 4, 1 } },
      .formula = inscribed_cuts, .control = AROUND,
      REACHED },

    { .id = "resque/parallel.gravity.hit.kappa", .item = "C17 B4 E11", CUTS, KAPPA, HITS,
      .cite = CITE "Table 1",
      .says = "order log kappa cuts until eps, d = 4",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "problem.d", 4 }, { "goal.acc", 1, -1 }, ENDLESS, EVERY },
      .window = { { 1e2, 1e6, 3, 8 }, { 1e2, 1e6, 5, 16 }, { 1e2, 1e6, 7, 32 } },
      .law = { .form = LAW_LOG, .exponent = { 1 } }, .band = { 0.7, 1.3 },
      .control = { .with = { { "problem.d", .of = two_logarithms } },
                   .why = "the dimension grows as log kappa: log^2 kappa" },
      .tests = "none", .tests_none = "cutting planes are compared as a whole: a row of Table 1" },

    { .id = "resque/parallel.naive.rounds.kappa", .item = "C35 B5 E3",
      .algo = "ball-iteration", ON_NORM, KAPPA,
      .cite = CITE "Section 1.4",
      .says = "ceil(R/r) balls without acceleration, r = eps/(L sqrt d), d = 64",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "batch_steps",
      .with = { { "problem.d", 64 }, { "goal.acc", 1, -1 }, ENDLESS },
      .window = { { 5, 40, 4, 1 }, { 5, 80, 5, 1 }, { 5, 160, 6, 1 } },
      .formula = straight_rounds,
      .control = { .algo = "ball-accel-exact", .why = "with acceleration" },
      REACHED, PLAIN_BALLS },

    /* The slope is 0.1, so that the excess at the start is 0.1 and the methods do not reach the optimum: with slope
     * 1 the proximal steps end in the optimum itself, and the measured excess is 0. */
    { .id = "resque/parallel.prop1.near.kappa", .item = "C7 C8 E3", .attempt = 2, .fresh = true,
      .algo = "ball-accel-exact", SIGNED, KAPPA,
      .cite = PROP1,
      .says = "exact oracles, c_lam = 1, until A = R^2/eps: excess <= eps, on a 1-norm of slope 0.1",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .deterministic = true, .measure = "excess",
      .with = { { "problem.d", 64 }, { "problem.p", 0.1 }, { "goal.acc", 1, -1 }, ENDLESS },
      .window = { { 5, 40, 4, 1 }, { 5, 80, 5, 1 }, { 5, 160, 6, 1 } },
      .formula = accuracy,
      .control = { .with = { { "algo.eps", 0.5 } }, .why = "accurate to 1/2 only" },
      .tests = "none",
      .tests_none = "an accuracy; what the balls are for is the number of rounds" },

    { .id = "resque/parallel.prop1.binding.kappa", .item = "C7 E3", .attempt = 3, .fresh = true, EXACT_KAPPA,
      .cite = PROP1,
      .says = "K = (R/r)^(2/3) rounds, up to a logarithm: kappa^(2/3), r = eps/(L sqrt d), d = 64",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true, .measure = "note.rounds",
      .window = { { 10, 640, 7, 1 }, { 10, 10240, 11, 1 }, { 10, 40960, 13, 1 } },
      LAW(2.0 / 3, 0.5, 5.0 / 6), .tests = "ball",
      .control = { .with = { { "algo.c_lam", 1e6 } }, .why = "a penalty of 2L/r, at which no ball binds: kappa" } },

    { .id = "resque/parallel.prop1.binding.d", .item = "C7 C35 E3", .attempt = 4, .fresh = true, EXACT_D,
      .cite = PROP1,
      .says = "K = (R/r)^(2/3) rounds, up to a logarithm: d^(1/3), kappa = 1000",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true, .measure = "note.rounds",
      .window = { { 16, 1024, 4, 1 }, { 16, 4096, 5, 1 }, { 16, 16384, 6, 1 } },
      LAW(1.0 / 3, 1.0 / 3 - 1.0 / 24, 1.0 / 3 + 1.0 / 24), .tests = "ball",
      .control = { .with = { { "algo.c_lam", 1e6 } }, .why = "a penalty of 2L/r, at which no ball binds: "
                                                             "d^(1/4)" } },

    { .id = "resque/parallel.prop1.searched.kappa", .item = "C7 E3", .attempt = 3, .fresh = true, EXACT_KAPPA,
      .cite = PROP1,
      .says = "calls of oracles in a round, in the mean: at most 1 + ceil(log2(log(lam_max/lam_min)/log(15/13))), "
              "d = 64",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .deterministic = true, .measure = "note.calls",
      .window = { { 10, 640, 7, 1 }, { 10, 10240, 11, 1 }, { 10, 40960, 13, 1 } },
      .formula = calls_of_a_round, .tests = "none",
      .tests_none = "a bound on what the search costs; without it there is no search", .control = WIDE_OPEN },

    { .id = "resque/parallel.prop1.bisected.d", .item = "C7 E3", .attempt = 4, .fresh = true, EXACT_D,
      .cite = PROP1,
      .says = "calls of oracles in a round, in the mean: at most 1 + ceil(log2(log(lam_max/lam_min)/log(15/13))), "
              "kappa = 1000",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .deterministic = true, .measure = "note.calls",
      .window = { { 16, 1024, 4, 1 }, { 16, 4096, 5, 1 }, { 16, 16384, 6, 1 } },
      .formula = calls_of_a_round, .tests = "none",
      .tests_none = "a bound on what the search costs; without it there is no search", 
      .control = { .with = { { "algo.c_lam", 1e-12 } }, .why = "a search that begins 10^12 times below lam_min" } },

    { .id = "resque/parallel.naive.straight.kappa", .item = "C35 B5 E3", .attempt = 3, .algo = "ball-iteration",
      ON_NORM, KAPPA,
      .cite = CITE "Section 1.4",
      .says = "order R/r balls until eps without acceleration: kappa",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true, HITS,
      .with = { { "problem.d", 64 }, { "goal.acc", 1, -1 }, ENDLESS, EVERY },
      .window = { { 40, 320, 4, 1 }, { 40, 640, 5, 1 }, { 40, 1280, 6, 1 } },
      LAW(1, 5.0 / 6, 7.0 / 6),
      .control = { .with = { { "algo.r", 0.01, -0.5 } }, .why = "balls that shrink too slowly" },
      PLAIN_BALLS },

    { .id = "resque/parallel.gravity.late.d", .item = "C17 B4 E11 H2", .attempt = 2, CUTS, .axis = "d", HITS,
      .cite = CITE "Table 1",
      .says = "order d cuts until eps through centres of gravity, kappa = 1000",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "goal.acc", 1e-3 }, ENDLESS, EVERY },
      .window = { { 3, 8, 3, 8 }, { 3, 16, 4, 8 }, { 4, 24, 4, 8 } },
      LAW(1, 0.75, 1.25),
      .control = { .with = { { "problem.d", 4, 0.5 } },
                   .why = "a dimension that grows as d^(1/2)" },
      .tests = "none", .tests_none = "cutting planes are compared as a whole: a row of Table 1" },

    { .id = "resque/parallel.inscribed.fixed.d", .item = "C17 B4 E11 H2", .attempt = 4, CUTS, .axis = "d", HITS,
      .cite = CITE "Table 1",
      .says = "order d cuts until eps through centres of largest ellipsoids, kappa = 1000",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "goal.acc", 1e-3 }, ENDLESS, INSCRIBED, EVERY },
      .window = { { 0 }, { 3, 10, 3, 8 }, { 3, 16, 4, 8 } },
      LAW(1, 0.75, 1.25),
      .control = { .with = { { "problem.d", 6 } }, .why = "six coordinates whatever d" },
      .tests = "none", .tests_none = "cutting planes are compared as a whole: a row of Table 1" },

    { .id = "resque/parallel.boundary.far.kappa", .item = "E10", .attempt = 3, CUTS, KAPPA, HITS,
      .cite = CITE "Table 1",
      .says = "where kappa is far above d cutting planes need fewer rounds until eps than ball "
              "acceleration, d = 8",
      .kind = KIND_EXTENSION, .check = CHECK_ORDER,
      .with = { { "problem.d", 8 }, ACCURATE, ENDLESS, EVERY },
      .window = { { 0 }, { 20, 40, 2, 8 }, { 40, 80, 2, 8 } },
      .than = { .algo = "ball-accel-epoch-sgd", .with = { SEARCHED }, .why = "ball acceleration" },
      .control = { .algo = "ball-accel-epoch-sgd", .with = { SEARCHED, { "algo.blur", 0.05 } },
                   .why = "ball acceleration in balls a tenth as large" },
      .tests = "none", .tests_none = "two methods are compared as wholes" },

    { 0 }
};


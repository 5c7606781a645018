/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rival_gradients.c - claims of the number of gradients of the private rivals of Table 2, in real runs and in count
 * mode. Claims of their excess are in rival_excess.c. */
#include "resque.h"

/* --- numbers of gradients by the formulas of the papers. Phase i has n_i = floor(n/2^i) records. */

static double table2_n(const struct env *e) { return env_param(e, "n"); }

static double table2_fkt20(const struct env *e)
{
    double sum = 0;
    for (double n = floor(e->axis / 2); n >= 1; n = floor(n / 2))
        sum += n * n;
    return sum;
}

/* Returns sqrt(d ln(1/delta))/eps for a phase whose eps and delta are those of the goal, halved `times` times. */
static double table2_root(const struct env *e, int times)
{
    double delta = ldexp(e->goal->delta, -times), eps = ldexp(e->goal->eps, -times);
    return sqrt(e->facts->d * log(1 / delta)) / eps;
}

static double table2_afkt21(const struct env *e)
{
    double sum = 0;
    for (double n = floor(table2_n(e) / 2); n >= 1; n = floor(n / 2)) {
        double b = fmin(n, ceil(fmax(sqrt(n), table2_root(e, 0))));
        sum += b * ceil(n * n / (b * b));
    }
    return sum;
}

static double table2_kll21(const struct env *e)
{
    double sum = 0, d = e->facts->d;
    int i = 1;
    for (double n = floor(table2_n(e) / 2); n >= 1; n = floor(n / 2), i++) {
        double a = 1 / sqrt(n) + table2_root(e, i) / n;
        double T = fmax(1, ceil(pow(d, 0.25) / a));
        sum += T * fmin(n, ceil(n * sqrt(ldexp(e->goal->eps, -i) / (4 * T))));
    }
    return sum;
}

#define COUNTED .problem = "coins", .measure = "sample_grads", .deterministic = true
#define AFKT21_CONTROL                                                                            \
    .control = { AFKT21, .with = { { "goal.n", 1, 1 } }, .why = "Asi et al. 2021: n^(3/2)" }

/* A claim with SPENT counts the gradients of runs of which nine in ten must end with half of the excess at the
 * start. The excess is over the population, coins of bias 1. */
#define SPENT .axis = "n", SPENT_AT_ALL
#define SPENT_IN_D .axis = "d", SPENT_AT_ALL
#define SPENT_AT_ALL .kind = KIND_TABLE, .check = CHECK_RATE, .problem = "coins_stored", \
  .measure = "sample_grads", \
              .reaches = { "excess_population", 0.5, .probability = 0.9 }, .tests = "none", \
              .tests_none = "an entry of Table 2: the method is measured as a whole"
#define SURE { "problem.bias", 1 }, { "problem.n", 1, 1 }
#define SURE_RECORDS(n_) { "problem.bias", 1 }, { "problem.n", n_ }, { "goal.n", n_ }
/* The goal allows n^3 gradients, more than the n^2 that a method makes, so that no run is cut short. */
#define AMPLE { "goal.n", 1, 3 }
#define WHOLE_EPS { "algo.budget", .text = "full" }
#define CERTAIN { "problem.d", 4 }, { "problem.bias", 1 }, { "problem.n", 1, 1 }, PROMISE(8, 1e-6)

const struct claim resque_rival_gradients[] = {
    /* --- gradients of real runs */
    { .id = "resque/private.bst14.free.n", .item = "D1 P10 5.2 C32", .attempt = 3, .fresh = true, MULTI, SPENT,
      .cite = CITE "Table 2, Bassily, Smith, Thakurta 2014", .says = "n^2 gradients, until half of the start's "
                                                                     "excess",
      .with = { VARIANT("bst14"), RDP, AMPLE, CERTAIN },
      .window = { { 0 }, { 128, 512, 3, 8 }, { 128, 1024, 4, 16 } }, POWER(2, 0.1), AFKT21_CONTROL },

    /* The method computes a proximal point in closed form; it is charged the n^3 gradients of the general case. */
    { .id = "resque/private.bftt19.counted.n", .item = "D2 P10 5.2", .attempt = 3, .fresh = true, MULTI, SPENT,
      .cite = CITE "Table 2, Bassily, Feldman, Talwar, Thakurta 2019",
      .says = "n^(9/2) gradients, n^3 for each of n^(3/2) proximal points, until half of the start's excess",
      .with = { VARIANT("bftt19"), RDP, { "algo.smoothing", .text = "envelope" }, { "goal.n", 1, 5 }, CERTAIN },
      .window = { { 0 }, { 256, 2048, 4, 8 }, { 256, 2048, 4, 16 } }, POWER(4.5, 0.1), AFKT21_CONTROL },

    { .id = "resque/private.bfgt20.free.n", .item = "D4 P10 5.2", .attempt = 3, .fresh = true, MULTI, SPENT,
      .cite = CITE "Table 2, Bassily, Feldman, Guzman, Talwar 2020",
      .says = "n^2 gradients, until half of the start's excess",
      .with = { VARIANT("bfgt20"), RDP, AMPLE, CERTAIN },
      .window = { { 0 }, { 128, 512, 3, 8 }, { 128, 1024, 4, 16 } }, POWER(2, 0.1), AFKT21_CONTROL },

    { .id = "resque/private.fkt20.narrow.n", .item = "D3 P10 5.2", .attempt = 3, .fresh = true, FKT20, SPENT,
      .cite = CITE "Table 2, Feldman, Koren, Talwar 2020",
      .says = "n^2 gradients without smoothness, until half of the start's excess",
      .with = { BY_SGD, ONCE, CERTAIN },
      .window = { { 0 }, { 128, 512, 3, 8 }, { 128, 2048, 5, 16 } }, POWER(2, 0.1), AFKT21_CONTROL },

    { .id = "resque/private.afkt21.spent.n", .item = "D5 P10 5.2", .attempt = 2, .fresh = true, AFKT21, SPENT,
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "n^(3/2) gradients where d is below n eps^2, until half of the start's excess",
      .with = { ONCE, CERTAIN },
      .window = { { 0 }, { 1024, 16384, 5, 8 }, { 1024, 65536, 7, 16 } }, POWER(1.5, 0.125),
      .control = { KLL21, .why = "Kulkarni et al. 2021: n^(5/4)" } },

    { .id = "resque/private.kll21.spent.n", .item = "D6 P10 5.2", .attempt = 2, .fresh = true, KLL21, SPENT,
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "n^(5/4) gradients where d is below n eps^2, until half of the start's excess",
      .with = { ONCE, CERTAIN },
      .window = { { 0 }, { 2048, 32768, 5, 8 }, { 2048, 131072, 7, 16 } }, POWER(1.25, 0.12),
      .control = { AFKT21, .why = "Asi et al. 2021: n^(3/2)" } },

    /* The law of the number of gradients changes at sqrt(d log(1/delta))/eps = sqrt(n). In this window the left
     * side of this equation is 2 to 8 times the right one. */
    { .id = "resque/private.afkt21.near.n", .item = "D5 P10 5.2", .attempt = 3, .fresh = true, AFKT21, SPENT,
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "n^2 eps/sqrt(d) gradients where d is above n eps^2, until half of the start's excess: d = 400, eps "
              "= 0.1",
      .with = { ONCE, SURE, { "problem.d", 400 }, PROMISE(0.1, 1e-6) },
      .window = { { 0 }, { 8192, 65536, 4, 8 }, { 8192, 131072, 5, 8 } }, POWER(2, 0.1),
      .control = { .with = { { "problem.d", 4 }, { "goal.eps", 8 } }, .why = "d below n eps^2: n^(3/2)" } },

    { .id = "resque/private.afkt21.near.d", .item = "D5 P10 5.2", .attempt = 3, .fresh = true, AFKT21, SPENT_IN_D,
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "d^(-1/2) where d is above n eps^2, until half of the start's excess: n = 16384, eps = 0.1",
      .with = { SURE_RECORDS(16384), PROMISE(0.1, 1e-6) },
      .window = { { 0 }, { 100, 1600, 3, 8 }, { 100, 1600, 5, 8 } }, POWER(-0.5, 0.1),
      .control = { .with = { { "problem.n", 2048 }, { "goal.n", 2048 }, { "goal.eps", 8 } },
                   .why = "d below n eps^2: d^0" } },

    { .id = "resque/private.kll21.small.d", .item = "D6 P10 5.2", .attempt = 2, .fresh = true, KLL21, SPENT_IN_D,
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "d^(1/8) where d is below n eps^2, until half of the start's excess: n = 32768, eps = 8",
      .with = { SURE_RECORDS(32768), PROMISE(8, 1e-6) },
      .window = { { 0 }, { 4, 64, 3, 8 }, { 4, 64, 5, 16 } }, POWER(0.125, 0.06),
      .control = { AFKT21, .why = "Asi et al. 2021: d^0" } },

    /* The authors of kll21 give phase i the privacy budget eps/2^i. Renyi divergences of orders up to 256 prove no
     * eps below ln(1/delta)/255 = 0.054 for random samples. Phases with a smaller eps/2^i would need the larger
     * noise of samples that are not random, and a run would not come to half of the excess at the start. So each
     * phase spends all of eps here, which is allowed because the phases have different records, and which changes
     * no exponent. */
    { .id = "resque/private.kll21.reached.n", .item = "D6 P10 5.2", .attempt = 4, .fresh = true, KLL21, SPENT,
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "n^(3/2) eps/d^(1/8) gradients where d is above n eps^2, until half of the start's excess: d = 400, "
              "eps = 0.1, all of eps in each phase",
      .with = { ONCE, SURE, { "problem.d", 400 }, PROMISE(0.1, 1e-6), WHOLE_EPS },
      .window = { { 0 }, { 32768, 131072, 3, 8 }, { 32768, 131072, 5, 8 } }, POWER(1.5, 1.0 / 12),
      .control = { .with = { { "problem.d", 4 }, { "goal.eps", 8 } }, .why = "d below n eps^2: n^(5/4)" } },

    { .id = "resque/private.kll21.reached.d", .item = "D6 P10 5.2", .attempt = 4, .fresh = true, KLL21, SPENT_IN_D,
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "d^(-1/8) where d is above n eps^2, until half of the start's excess: n = 32768, eps = 0.1, all of "
              "eps in each phase",
      .with = { SURE_RECORDS(32768), PROMISE(0.1, 1e-6), WHOLE_EPS },
      .window = { { 0 }, { 100, 400, 3, 8 }, { 100, 400, 5, 8 } }, POWER(-0.125, 0.0625),
      .control = { .with = { { "problem.n", 4096 }, { "goal.n", 4096 }, { "goal.eps", 8 } },
                   .why = "d below n eps^2: d^(1/8)" } },

    /* --- gradients in count mode, but for the claim fkt20.formula.n, which runs. Count mode makes no steps, so
     * that no accuracy is reached. */
    { .id = "resque/private.bftt19.gradients.n", .item = "D2 P10 5.2",
      .cite = CITE "Table 2, Bassily, Feldman, Talwar, Thakurta 2019",
      .says = "n^(9/2) gradients: n^(3/2) proximal points of n^3",
      .kind = KIND_THEOREM, .check = CHECK_RATE, MULTI, COUNTED, .axis = "n",
      .with = { VARIANT("bftt19"), PAPER, { "algo.smoothing", .text = "envelope" },
                { "algo.n", 1, 1 }, SQUARED, { "problem.d", 4 }, PROMISE(0.5, 1e-6), COUNT },
      .window = { { 1e6, 1e12, 7, 1 }, { 1e6, 1e12, 7, 1 }, { 1e6, 1e12, 13, 1 } },
      POWER(4.5, 0.5),
      .control = { .with = { { "algo.prox_grads", 1 } }, .why = "closed proximal points: n^(3/2)" } },

    { .id = "resque/private.fkt20.formula.n", .item = "D3 P10 6.5",
      .cite = CITE "Table 2, Feldman, Koren, Talwar 2020",
      .says = "phased ERM makes sum_i n_i^2 steps, counted one by one",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, FKT20, .problem = "coins", .axis = "n",
      .measure = "sample_grads", .deterministic = true,
      .with = { BY_SGD, ONCE, { "problem.d", 4 }, PROMISE(0.5, 1e-6) },
      .window = { { 32, 512, 5, 1 }, { 32, 512, 5, 1 }, { 32, 2048, 7, 1 } },
      .formula = table2_fkt20,
      .control = { .with = { { "algo.slack", 0.5 } }, .why = "half the slack: four times as many" } },

    { .id = "resque/private.afkt21.above.n", .item = "D5 P10 5.2",
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "n^2 eps/sqrt(d) gradients where d is above n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, AFKT21, COUNTED, .axis = "n",
      .with = { ONCE, { "problem.d", 1e5 }, PROMISE(0.01, 1e-6), COUNT },
      .window = { { 1e7, 1e9, 5, 1 }, { 1e7, 1e9, 5, 1 }, { 1e7, 1e9, 9, 1 } },
      POWER(2, 0.25),
      .control = { .with = { { "problem.d", 4 }, { "goal.eps", 0.5 } }, .why = "below: n^(3/2)" } },

    { .id = "resque/private.afkt21.above.d", .item = "D5 P10 5.2",
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "d^(-1/2) where d is above n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, AFKT21, COUNTED, .axis = "d",
      .with = { { "goal.n", 1e7 }, PROMISE(0.01, 1e-6), COUNT },
      .window = { { 1e4, 1e6, 5, 1 }, { 1e4, 1e6, 5, 1 }, { 1e4, 1e6, 9, 1 } },
      POWER(-0.5, 0.2),
      .control = { .with = { { "goal.n", 1e12 }, { "goal.eps", 0.99 } }, .why = "below: d^0" } },

    { .id = "resque/private.afkt21.below.d", .item = "D5 P10 5.2",
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "d^0 where d is below n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, AFKT21, COUNTED, .axis = "d",
      .with = { { "goal.n", 1e12 }, PROMISE(0.99, 1e-6), COUNT },
      .window = { { 1e3, 1e6, 4, 1 }, { 1e3, 1e6, 4, 1 }, { 1e3, 1e6, 7, 1 } },
      POWER(0, 0.2),
      .control = { .with = { { "goal.n", 1e7 }, { "goal.eps", 0.01 } }, .why = "above: d^(-1/2)" } },

    { .id = "resque/private.afkt21.above.eps", .item = "D5 P10 5.2",
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "eps^1 where d is above n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, AFKT21, COUNTED, .axis = "eps",
      .with = { { "goal.n", 1e7 }, { "problem.d", 1e5 }, { "goal.delta", 1e-6 }, COUNT },
      .window = { { 0.003, 0.1, 5, 1 }, { 0.003, 0.1, 5, 1 }, { 0.003, 0.1, 9, 1 } },
      POWER(1, 0.3),
      .control = { .with = { { "problem.d", 1 }, { "goal.n", 1e10 } }, .why = "below: eps^0" } },

    { .id = "resque/private.afkt21.formula.d", .item = "D5 P10 5.2", .attempt = 2,
      .cite = CITE "Table 2, Asi, Feldman, Koren, Talwar 2021",
      .says = "sum_i b_i ceil(n_i^2/b_i^2), b_i = max{ sqrt(n_i), sqrt(d ln(1/delta))/eps }, through "
              "the switch at d = n eps^2/ln(1/delta)",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, AFKT21, COUNTED, .axis = "d",
      .with = { { "goal.n", 1e6 }, PROMISE(0.1, 1e-6), COUNT },
      .window = { { 8, 65536, 14, 1 }, { 8, 65536, 14, 1 }, { 8, 65536, 27, 1 } },
      .formula = table2_afkt21,
      .control = { .with = { { "algo.budget", .text = "halved" } }, .why = "eps/2^i in phase i" } },

    { .id = "resque/private.kll21.below.d", .item = "D6 P10 5.2",
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "d^(1/8) where d is below n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, KLL21, COUNTED, .axis = "d",
      .with = { { "goal.n", 1e12 }, PROMISE(0.99, 1e-6), COUNT },
      .window = { { 16, 65536, 4, 1 }, { 16, 65536, 4, 1 }, { 16, 65536, 7, 1 } },
      POWER(0.125, 0.06),
      .control = { AFKT21, .why = "Asi et al. 2021: d^0" } },

    { .id = "resque/private.kll21.below.eps", .item = "D6 P10 5.2",
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "eps^(1/2) where d is below n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, KLL21, COUNTED, .axis = "eps",
      .with = { { "goal.n", 1e12 }, { "problem.d", 16 }, { "goal.delta", 1e-6 }, COUNT },
      .window = { { 0.01, 0.99, 5, 1 }, { 0.01, 0.99, 5, 1 }, { 0.01, 0.99, 9, 1 } },
      POWER(0.5, 0.2), .control = { AFKT21, .why = "Asi et al. 2021: eps^0" } },

    { .id = "resque/private.kll21.above.eps", .item = "D6 P10 5.2",
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "eps^1 where d is above n eps^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, KLL21, COUNTED, .axis = "eps",
      .with = { { "goal.n", 1e7 }, { "problem.d", 1e5 }, { "goal.delta", 1e-6 }, COUNT },
      .window = { { 0.003, 0.03, 5, 1 }, { 0.003, 0.03, 5, 1 }, { 0.003, 0.03, 9, 1 } },
      POWER(1, 0.24),
      .control = { .with = { { "goal.n", 1e12 }, { "problem.d", 16 } }, .why = "below: eps^(1/2)" } },

    { .id = "resque/private.kll21.switch.d", .item = "D6 P10 5.2",
      .cite = CITE "Table 2, Kulkarni, Lee, Liu 2021",
      .says = "sum_i T_i ceil(n_i sqrt(eps_i/(4 T_i))), T_i = ceil(d^(1/4)/(1/sqrt(n_i) + sqrt(d "
              "ln(1/delta_i))/(n_i eps_i))), through the switch",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, KLL21, COUNTED, .axis = "d",
      .with = { { "goal.n", 1e6 }, PROMISE(0.1, 1e-6), COUNT },
      .window = { { 8, 65536, 14, 1 }, { 8, 65536, 14, 1 }, { 8, 65536, 27, 1 } },
      .formula = table2_kll21,
      .control = { .with = { { "algo.budget", .text = "full" } }, .why = "all of epsilon in a phase" } },

    { 0 }
};


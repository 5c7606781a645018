/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.c - textbook results on the methods that all five papers compare with. These claims calibrate the
 * program, which must confirm known results before it judges new ones. */
#include <math.h>
#include "claim.h"

/* --- formulas of the bounds on F - F* */

/* Returns the bound of Drori and Teboulle 2014, Theorem 3.1, on the excess of gradient descent after T steps of
 * length h/M. The Huber function with tau = R/(2hT+1) attains it. */
static double gd_worst_case(const struct env *e)
{
    double h = env_param(e, "h"), T = env_count(e, COUNT_full_grads);
    return e->facts->M_F * e->facts->dist * e->facts->dist / (4 * h * T + 2);
}

static double huber_tau(double T, const struct facts *f) { return 1 / (2 * T + 1); }
static double root_of_axis(double d, const struct facts *f) { return sqrt(d); }

/* Returns the bound of Beck and Teboulle 2009, Theorem 4.4, on the excess after T steps of the accelerated
 * method. */
static double nesterov_bound(const struct env *e)
{
    double T = env_count(e, COUNT_full_grads);
    return 2 * e->facts->M_F * e->facts->dist * e->facts->dist / ((T + 1) * (T + 1));
}

static double chain_length(double T, const struct facts *f) { return 2 * T + 1; }

/* Returns the bound of Bubeck 2015, Theorem 6.3 (mirror map |x|^2/2), on the excess of the average of x_1..x_T of
 * stochastic gradient descent. */
static double sgd_bound(const struct env *e)
{
    double D = e->facts->dist, T = env_count(e, COUNT_batch_steps);
    double v = e->facts->sigma / sqrt(env_param(e, "B"));
    return e->facts->M_F * D * D / (2 * T) + D * v / sqrt(T);
}

static double horizon(const struct env *e) { return e->goal->T; }
static double samples(const struct env *e) { return e->goal->n; }
static double rounds(const struct env *e) { return e->goal->n / env_param(e, "B"); }

/* --- claims */

static const struct claim claims[] = {
    { .id = "baselines/gd.worst.excess.T", .item = "B1",
      .cite = "Drori and Teboulle, Math. Program. 145 (2014), Theorems 3.1 and 3.2",
      .says = "after T steps of gradient descent the worst case F(x_T) - F* = M D^2/(4T+2) is attained",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "gd", .problem = "huber", .axis = "T", .measure = "excess",
      .with = { { "problem.d", 3 }, { "problem.tau", .of = huber_tau } },
      .window = { { 1, 1024, 11, 1 }, { 1, 65536, 17, 1 }, { 1, 1048576, 21, 1 } },
      .formula = gd_worst_case, .tolerance = 1e-9,
      .control = { .with = { { "algo.step", 0.9 } }, .why = "a step 10% too short" } },

    { .id = "baselines/gd.bound.excess.step", .item = "B1",
      .cite = "Drori and Teboulle, Math. Program. 145 (2014), Theorem 3.1",
      .says = "F(x_t) - F* <= M D^2/(4t+2) at every step t of gradient descent, up to where it is tight",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .deterministic = true, .every_mark = true,
      .algo = "gd", .problem = "huber", .axis = "T", .measure = "excess",
      .with = { { "problem.d", 3 }, { "problem.tau", .of = huber_tau } },
      .window = { { 16, 1024, 4, 1 }, { 16, 65536, 7, 1 }, { 16, 1048576, 9, 1 } },
      .formula = gd_worst_case,
      .control = { .with = { { "algo.step", 0.9 } }, .why = "a step 10% too short" } },

    { .id = "baselines/gd.rate.excess.T", .item = "B2",
      .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 3.3",
      .says = "gradient descent: F(x_T) - F* ~ 1/T",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "gd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.radius", INFINITY }, { "problem.d", 200 } },
      .window = { { 16, 4096, 9, 1 }, { 16, 16384, 11, 1 }, { 16, 65536, 13, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .control = { .algo = "nesterov", .with = { { "algo.mu", 0 } },
                   .why = "the accelerated method: 1/T^2" },
      .control2 = { .with = { { "algo.h", 1, -0.5 } },
                    .why = "a step T^(1/2) times too short: 1/T^(1/2)" } },

    { .id = "baselines/nesterov.rate.instance.T", .item = "B3", .attempt = 2,
      .cite = "Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009), Theorem 4.4",
      .says = "Nesterov's method: F(x_T) - F* ~ 1/T^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "nesterov", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.radius", INFINITY }, { "problem.d", 400 }, { "algo.mu", 0 } },
      .window = { { 16, 256, 5, 1 }, { 16, 512, 6, 1 }, { 16, 1024, 7, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.2, -1.8 },
      .control = { .algo = "gd", .why = "without momentum: 1/T" } },

    { .id = "baselines/nesterov.bound.excess.step", .item = "B3",
      .cite = "Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009), Theorem 4.4",
      .says = "F(x_t) - F* <= 2 M D^2/(t+1)^2 at every step t of Nesterov's method",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .deterministic = true, .every_mark = true,
      .algo = "nesterov", .problem = "chain", .axis = "T", .measure = "excess",
      .with = { { "problem.d", .of = chain_length }, { "algo.mu", 0 } },
      .window = { { 64, 256, 2, 1 }, { 64, 2048, 3, 1 }, { 64, 8192, 4, 1 } },
      .formula = nesterov_bound,
      .control = { .algo = "gd", .why = "without momentum" } },

    { .id = "baselines/nesterov.order.excess.T", .item = "B3",
      .cite = "Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009), Theorem 4.4",
      .says = "Nesterov's method is below gradient descent at equal steps",
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER, .deterministic = true,
      .algo = "nesterov", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.radius", INFINITY }, { "algo.mu", 0 } },
      .window = { { 16, 4096, 9, 1 }, { 16, 16384, 11, 1 }, { 16, 65536, 13, 1 } },
      .than = { .algo = "gd", .why = "gradient descent" },
      .control = { .with = { { "algo.step", 1e-4 } }, .why = "momentum on a step 10^4 times too short" } },

    { .id = "baselines/nesterov.gain.excess.T", .item = "B3",
      .cite = "Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009), Theorem 4.4; Bubeck 2015, Theorem 3.3",
      .says = "momentum gains a factor T on one instance: excess of Nesterov's method over that of "
              "gradient descent ~ 1/T",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true,
      .algo = "nesterov", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.radius", INFINITY }, { "problem.d", 400 },
                { "algo.mu", 0 } },
      .window = { { 16, 256, 5, 1 }, { 16, 512, 6, 1 }, { 16, 1024, 7, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .than = { .algo = "gd", .why = "gradient descent" },
      .control = { .algo = "gd", .why = "without momentum: a constant ratio" } },

    { .id = "baselines/sgd.bound.excess.n", .item = "B4",
      .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.3",
      .says = "E F(mean) - F* <= M D^2/(2T) + D sigma/sqrt(B T), on the hardest linear loss of each n",
      .kind = KIND_THEOREM, .check = CHECK_BOUND,
      .algo = "sgd", .problem = "linear", .axis = "n", .measure = "excess",
      .with = { { "problem.d", 20 } },
      .search = { .kind = SEARCH_LARGEST, .name = "problem.hardness", .from = 0.5, .to = 16,
                  .power = -0.5, .points = 11, .reps = 32 },
      .window = { { 256, 16384, 4, 32 }, { 256, 1048576, 7, 64 }, { 256, 4194304, 8, 128 } },
      .formula = sgd_bound,
      .control = { .with = { { "algo.c", 0.01 } }, .why = "a step 100 times too short" } },

    { .id = "baselines/sgd.rate.excess.n", .item = "B5",
      .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.3",
      .says = "single-sample SGD over n samples: E F - F* ~ n^(-1/2) where the spectrum has no gap",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "sgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .window = { { 1024, 65536, 7, 16 }, { 1024, 1048576, 11, 32 }, { 1024, 16777216, 15, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "problem.decades", 0.3 } }, .why = "a well-conditioned instance: 1/n" },
      .control2 = { .with = { { "algo.c", 1, -0.25 } }, .why = "a step n^(1/4) times too short" } },

    { .id = "baselines/sgd.rate.excess.T", .item = "B5",
      .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.3",
      .says = "mini-batch SGD after T steps of fixed batch size: E F - F* ~ T^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "sgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "algo.B", 4 }, { "run.aggregate", 1 } },
      .window = { { 256, 16384, 7, 16 }, { 256, 131072, 10, 32 }, { 256, 1048576, 13, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .algo = "gd", .why = "exact gradients: 1/T" },
      .control2 = { .with = { { "algo.c", 1, -0.25 } }, .why = "a step T^(1/4) times too short" } },

    { .id = "baselines/sgd.rate.excess.d", .item = "B6",
      .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.3",
      .says = "SGD's excess does not depend on d when the noise norm is fixed",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "sgd", .problem = "spectral", .axis = "d", .measure = "excess",
      .with = { { "goal.n", 16384 } },
      .window = { { 16, 1024, 7, 32 }, { 16, 2048, 8, 64 }, { 16, 4096, 9, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.05 },
      .control = { .with = { { "problem.s", .of = root_of_axis } },
                   .why = "noise of fixed size per coordinate: d^(1/2) before it saturates" } },

    { .id = "baselines/gd.count.full_grads.T", .item = "B7",
      .cite = "definition of the method",
      .says = "gradient descent asks exactly T full gradients",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "gd", .problem = "chain", .axis = "T", .measure = "full_grads",
      .window = { { 1, 1024, 6, 1 }, { 1, 65536, 9, 1 }, { 1, 1048576, 11, 1 } },
      .formula = horizon,
      .control = { .algo = "planted-gd-idle", .why = "planted: leaves every eighth step out" } },

    { .id = "baselines/sgd.count.sample_grads.n", .item = "B7",
      .cite = "definition of the method",
      .says = "one pass of SGD asks exactly n sample gradients",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "sgd", .problem = "linear", .axis = "n", .measure = "sample_grads",
      .with = { { "algo.B", 8 } },
      .window = { { 64, 65536, 6, 1 }, { 64, 1048576, 8, 1 }, { 64, 16777216, 10, 1 } },
      .formula = samples,
      .control = { .algo = "planted-sgd-twice", .why = "planted: asks every batch at two points" } },

    { .id = "baselines/sgd.count.batch_steps.n", .item = "B7",
      .cite = "definition of the method",
      .says = "one pass of SGD in batches of B takes exactly n/B batch steps",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "sgd", .problem = "linear", .axis = "n", .measure = "batch_steps",
      .with = { { "algo.B", 8 } },
      .window = { { 64, 65536, 6, 1 }, { 64, 1048576, 8, 1 }, { 64, 16777216, 10, 1 } },
      .formula = rounds,
      .control = { .algo = "planted-sgd-twice", .why = "planted: asks every batch at two points" } },

    { .id = "baselines/heart.order.early.budget", .item = "B8", .attempt = 2,
      .cite = "no theorem: logistic regression on heart_scale, l2 = 0.01",
      .says = "at equal sample gradients Nesterov's method is below gradient descent",
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER, .deterministic = true,
      .algo = "nesterov", .problem = "erm", .axis = "budget", .measure = "excess",
      .with = { { "problem.l2", 0.01 } },
      .window = { { 2160, 34560, 5, 8 }, { 2160, 34560, 9, 16 }, { 2160, 34560, 9, 32 } },
      .than = { .algo = "gd", .why = "gradient descent" },
      .control = { .with = { { "algo.step", 1e-4 } }, .why = "momentum on a step far too short" },
      .also = { "sgd" } },

    { .id = "baselines/diabetes.order.excess.budget", .item = "B8",
      .cite = "no theorem: logistic regression on diabetes, l2 = 0.001",
      .says = "at equal sample gradients Nesterov's method is below gradient descent",
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER, .deterministic = true,
      .algo = "nesterov", .problem = "erm", .axis = "budget", .measure = "excess",
      .with = { { "problem.data", .text = "diabetes" }, { "problem.l2", 0.001 } },
      .window = { { 3072, 98304, 6, 8 }, { 3072, 98304, 11, 16 }, { 3072, 98304, 11, 32 } },
      .than = { .algo = "gd", .why = "gradient descent" },
      .control = { .with = { { "algo.step", 1e-4 } }, .why = "momentum on a step far too short" },
      .also = { "sgd" } },

    { .id = "baselines/mushroom.order.excess.budget", .item = "B8",
      .cite = "no theorem: logistic regression on mushroom, l2 = 0.01",
      .says = "at equal sample gradients, up to 16 passes, SGD is below gradient descent",
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER,
      .algo = "sgd", .problem = "erm", .axis = "budget", .measure = "excess",
      .with = { { "problem.data", .text = "mushroom" }, { "problem.l2", 0.01 } },
      .window = { { 4062, 64992, 5, 8 }, { 4062, 64992, 9, 32 }, { 4062, 64992, 9, 64 } },
      .than = { .algo = "gd", .why = "gradient descent" },
      .control = { .with = { { "algo.c", 1e-4 } }, .why = "a step 10^4 times too short" },
      .also = { "nesterov" } },

    { .id = "baselines/mushroom.order.excess.T", .item = "B8",
      .cite = "no theorem: logistic regression on mushroom, l2 = 0.01",
      .says = "at equal batch steps Nesterov's method is below gradient descent",
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER, .deterministic = true,
      .algo = "nesterov", .problem = "erm", .axis = "T", .measure = "excess",
      .with = { { "problem.data", .text = "mushroom" }, { "problem.l2", 0.01 } },
      .window = { { 16, 256, 5, 8 }, { 16, 512, 11, 32 }, { 16, 512, 11, 64 } },
      .than = { .algo = "gd", .why = "gradient descent" },
      .control = { .with = { { "algo.step", 1e-4 } }, .why = "momentum on a step far too short" },
      .also = { "sgd" } },

    { .id = "baselines/mushroom.bound.excess.T", .item = "B8",
      .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.3, on records of mushroom",
      .says = "E F(mean) - F* <= M D^2/(2T) + D sigma/sqrt(T), with the constants of the records",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND,
      .algo = "sgd", .problem = "erm", .axis = "T", .measure = "excess",
      .with = { { "problem.data", .text = "mushroom" }, { "problem.l2", 0.01 } },
      .window = { { 1024, 65536, 4, 8 }, { 256, 262144, 6, 32 }, { 256, 262144, 11, 64 } },
      .formula = sgd_bound,
      .control = { .with = { { "algo.c", 1e-6 } }, .why = "a step 10^6 times too short" } },

    { .id = "baselines/mushroom.private.excess.T", .item = "B10",
      .cite = "no theorem: logistic regression on mushroom, unit rows, unit ball, eps = 1",
      .says = "at equal batch steps and epsilon Accelerated-DP-SRGD is below DP-SGD",
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER,
      .algo = "accelerated-dp-srgd", .problem = "erm", .axis = "T", .measure = "excess",
      .with = { { "problem.data", .text = "mushroom" }, { "problem.scaling", .text = "unit" },
                { "problem.radius", 1 }, { "problem.l2", 0.01 }, { "goal.eps", 1 },
                { "goal.delta", 1e-6 } },
      .window = { { 3, 15, 3, 16 }, { 3, 31, 4, 64 }, { 3, 31, 4, 128 } },
      .than = { .algo = "dp-sgd", .why = "one pass of DP-SGD" },
      .control = { .with = { { "algo.kap_M", 2e4 } }, .why = "a step 10^4 times too short" },
      .also = { "gd", "nesterov" } },

    { 0 }
};

/* --- methods side by side, on files: 100 passes, from x = 0 */

static double hundred_passes(double axis, const struct facts *f) { return 100 * f->n; }

#define SIDE_BY_SIDE(file)                                                                                  \
    { .label = "gradient descent", .algo = "gd", FILE_OF(file) },                                            \
    { .label = "Nesterov", .algo = "nesterov", FILE_OF(file) },                                              \
    { .label = "SGD", .algo = "sgd", FILE_OF(file) },                                                        \
    { .label = "SGD, batches of 16", .algo = "sgd", .with = { { "problem.data", .text = file }, { "algo.B", 16 } } }
#define FILE_OF(file) .with = { { "problem.data", .text = file } }
#define ON_FILES                                                                                           \
    .problem = "erm", .axis = "l2", .measure = "excess", .with = { { "goal.budget", .of = hundred_passes } }, \
    .window = { { 0.001, 0.1, 3, 2 }, { 0.0001, 0.1, 4, 4 }, { 0.0001, 0.1, 7, 8 } },                          \
    .line = { SIDE_BY_SIDE("heart_scale"), SIDE_BY_SIDE("diabetes"), SIDE_BY_SIDE("mushroom") }
#define FILES "Logistic regression on heart_scale, diabetes and mushroom with l2 from 10^-3 to 10^-1 (nightly, " \
              "full: from 10^-4)"
#define TARGETS .target = { 0.5, 1e-5 }, .targets = 15
#define OF_TARGETS \
    " Targets are 15 parts of the excess of x = 0, from 1/2 to 10^-5, on every file, l2 and replicate."

static const struct plot plots[] = {
    { .id = "baselines/figure.path.gradients", .kind = PLOT_PATH, .x = "sample_grads",
      .title = "Excess against sample gradients, logistic regression on three files",
      .says = FILES ": what is left of the excess of x = 0, in the median over all.", ON_FILES },
    { .id = "baselines/figure.path.rounds", .kind = PLOT_PATH, .x = "batch_steps",
      .title = "Excess against batch steps, logistic regression on three files",
      .says = "The same runs by rounds, where a full gradient is one.", ON_FILES },
    { .id = "baselines/figure.reached.gradients", .kind = PLOT_REACHED, TARGETS, .x = "sample_grads",
      .title = "Targets reached against sample gradients, logistic regression on three files",
      .says = FILES "." OF_TARGETS " The ECDF of what each method asks until it is there.", ON_FILES },
    { .id = "baselines/figure.reached.rounds", .kind = PLOT_REACHED, TARGETS, .x = "batch_steps",
      .title = "Targets reached against batch steps, logistic regression on three files",
      .says = "The same runs by rounds, where a full gradient is one.", ON_FILES },
    { .id = "baselines/figure.profile.gradients", .kind = PLOT_PROFILE, TARGETS, .x = "sample_grads",
      .title = "Performance profile in sample gradients, logistic regression on three files",
      .says = FILES "." OF_TARGETS " At 1 the part at which a method is the first, to the right what it reaches at "
              "all.", ON_FILES },
    { 0 }
};

static const struct item items[] = {
    { "B1", "exact worst case of gradient descent", NULL },
    { "B2", "gradient descent's 1/T", NULL },
    { "B3", "Nesterov's 1/T^2, its bound, and its order against gradient descent", NULL },
    { "B4", "SGD's bound with constants", NULL },
    { "B5", "SGD's rate in n and in T on a saturating family", NULL },
    { "B6", "SGD is dimension-free", NULL },
    { "B7", "what each method asks", NULL },
    { "B8", "the three methods on real data, at equal gradients and equal batch steps", NULL },
    { "B9", "SGD on Lipschitz nonsmooth losses",
      "nonsmooth families exist (norm, spatial_median); no claim has been made of the bound D G/sqrt(T) in "
      "algos/sgd.c" },
    { "B10", "private methods on real data at equal batch steps", NULL },
    { 0 }
};

static const struct attempt attempts[] = {
    { "baselines/nesterov.rate.excess.T", "baselines/nesterov.rate.instance.T", 1,
      "T = 16 to 8192, a chain of 2 T + 1 coordinates", "without momentum: slower than 1/T^2",
      "INCONCLUSIVE, T^-1.94; rule 1: the start moves as T^-0.988 with the chain",
      "An instance that follows the axis moves the excess of the start too; one instance for all T does not." },
    { "baselines/heart.order.excess.budget", "baselines/heart.order.early.budget", 1,
      "budget = 2160 to 138240", "momentum on a step far too short",
      "INCONCLUSIVE, both methods are at the certified optimum at 138240",
      "The order is asked where the excess of both is above the error of the certificate." },
    { 0 }
};

const struct paper paper_baselines = {
    .key = "baselines",
    .title = "Methods everybody compares with",
    .cite = "Bubeck 2015; Beck and Teboulle 2009; Drori and Teboulle 2014; Nesterov 2018",
    .claims = claims,
    .items = items,
    .plots = plots,
    .attempts = attempts,
};

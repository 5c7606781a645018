/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draws.c - the oracles GRAD and DIFF, which estimate a gradient of the smoothed loss and a difference of two, and
 * the noise, at given points: Lemmas 3.1, 3.2 and 4.8, Corollaries 4.4 and 4.5. On linear losses the exponents of
 * the bounds are attained, and the constants have closed forms. b is the number of samples, d the dimension, delta
 * the radius of smoothing. The bounds have sharp constants, which imply the printed ones. */
#include "private_zeroth_order.h"

/* An instance whose sample losses are +-L <v,x>, v a unit vector, at all points that a method asks for. Its
 * parameter drift is the mean sign: F(x) = drift L <v,x>. */
#define LINEAR { "problem.shape", .text = "slope" }, { "problem.R", 100 }

#define POINT .kind = KIND_LEMMA, OF_NO_MECHANISM, .algo = "two-point-gradient", .problem = "sloped"
#define PATH .kind = KIND_LEMMA, OF_NO_MECHANISM, .algo = "two-point-path", .problem = "sloped"
#define NOISE .kind = KIND_LEMMA, OF_NO_MECHANISM, .algo = "prefix-noise", .problem = "sloped"
#define DIFFERENCE { "algo.what", .text = "difference" }
#define AS_GRADIENT { .with = { { "algo.what", .text = "gradient" } }, \
                      .why = "GRAD, which knows nothing of |x - y|" }
#define ONE_DIRECTION { .with = { { "algo.directions", 1 } }, \
                        .why = "one direction a sample: d times the variance" }
#define ONE_SAMPLE { .with = { { "algo.b", 1 } }, .why = "one sample at every b" }
#define OWN_NOISE { .with = { { "algo.noise", .text = "independent" }, { "algo.sigma", 1 } }, \
                    .why = "noise of every summand" }

static double zo_squares(const struct env *e) { return e->facts->L * e->facts->L; }

/* Returns the variance of GRAD on linear losses, (1/b)( (1 - 1/d) L^2 + Var g ), where Var g = L^2 (1 - drift^2) is
 * that of the gradients, at drift = 0.5. */
static double zo_grad_variance(const struct env *e)
{
    return zo_squares(e) * (1 - 1 / e->facts->d + 0.75) / env_param(e, "b");
}

/* --- sharp constants, d >= 2; docs/papers/private-zeroth-order.md has the proof. The estimate of a sample's
 * gradient along a random direction u is d h(u) u with h odd and L-Lipschitz on the sphere, so that E h^2 <= L^2/(d
 * - 1), by Poincare's inequality. The mean of the estimates along d directions has the second moment d E h^2 + (1 -
 * 1/d) |mean|^2, where `mean` is the expectation of one. */

static double zo_one_sharp(const struct env *e)
{
    double d = e->facts->d;
    return d * d / (d - 1) * zo_squares(e);
}

/* Returns (d/(d-1) + 1 - 1/d) L^2, which bounds the variance of GRAD times its number of samples (b, or B1 in the
 * first step of an epoch). */
static double zo_grad_sharp_one(const struct env *e)
{
    double d = e->facts->d;
    return (d / (d - 1) + 1 - 1 / d) * zo_squares(e);
}

static double zo_grad_sharp(const struct env *e) { return zo_grad_sharp_one(e) / env_param(e, "b"); }

/* Returns E|DIFF|^2 on linear losses, (d/(b delta^2)) L^2 |x - y|^2, for the points x and y. */
static double zo_diff_square(const struct env *e)
{
    double moved = env_param(e, "moved") / env_param(e, "smoothing");
    return e->facts->d * zo_squares(e) * moved * moved / env_param(e, "b");
}

/* Returns the sharp bound on the variance of DIFF, (2 - 1/d) d L^2 |x - y|^2/(b delta^2). The proof: the
 * coefficient c of DIFF along a direction is at most L |x - y|/delta, and Bessel's inequality bounds the
 * expectation, |mean|^2 <= d E c^2. */
static double zo_diff_sharp(const struct env *e) { return (2 - 1 / e->facts->d) * zo_diff_square(e); }

static double zo_one_direction(const struct env *e) { return e->facts->d * zo_squares(e); }

static double zo_longest(const struct env *e) { return e->facts->d * e->facts->L; }

/* --- the variance of the gradient estimates g_t of an epoch of T steps along a straight line, with steps of length
 * D = delta/T. The losses are linear with signs of mean 0, so that gradients have the variance L^2. */

static double zo_first(const struct env *e)
{
    return zo_squares(e) * (2 - 1 / e->facts->d) / env_param(e, "B1");
}

/* Returns the variance of DIFF between points w and w' with E|w - w'|^2 = D^2. */
static double zo_increment(const struct env *e)
{
    double T = env_param(e, "steps");
    return e->facts->d * zo_squares(e) / (env_param(e, "B2") * T * T);
}

static double zo_path_last(const struct env *e)
{
    return zo_first(e) + zo_increment(e) * (7. / 6 * (env_param(e, "steps") - 2) + 1. / 3);
}

/* Returns the variance of the mean of g_1, ..., g_T. In this mean the value of DIFF at step t has the weight (T - t
 * + 1)/T. */
static double zo_path_mean(const struct env *e)
{
    double T = env_param(e, "steps"), sum = 0;
    for (double t = 2; t <= T; t++)
        sum += (t == 2 ? 1. / 3 : 7. / 6) * ((T - t + 1) / T) * ((T - t + 1) / T);
    return zo_first(e) + zo_increment(e) * sum;
}

/* Returns the bound on the variance of g_T: the sum of the sharp bounds for GRAD and for T - 1 values of DIFF.
 * Points of successive steps are at most (1 - s + s') D apart, s and s' uniform, whatever the learner does, and E
 * (1 - s + s')^2 = 7/6. */
static double zo_path_sharp(const struct env *e)
{
    double last = env_param(e, "steps") - 1;
    return zo_grad_sharp_one(e) / env_param(e, "B1") + (2 - 1 / e->facts->d) * zo_increment(e) * 7. / 6 * last;
}

/* --- the tree noise: E|N|^2 of prefix sums and of an epoch's mean, for nodes with the standard deviation sigma */

static double zo_square_sigma(const struct env *e)
{
    double sigma = env_param(e, "sigma");
    return e->facts->d * sigma * sigma;
}

static double zo_nodes_noise(const struct env *e)
{
    return __builtin_popcountl((unsigned long)env_param(e, "t")) * zo_square_sigma(e);
}

static double zo_nodes_bound(const struct env *e)
{
    return 2 * log(env_param(e, "t")) * zo_square_sigma(e);
}

/* Returns the variance of the mean of the noise over the T = 2^m steps of an epoch. */
static double zo_mean_noise(const struct env *e)
{
    double T = env_param(e, "steps");
    return (0.5 - 0.5 / T + 1 / (T * T)) * zo_square_sigma(e);
}

static double zo_levels(const struct env *e) { return floor(log2(env_param(e, "steps"))) + 1; }

#define TWICE { "run.draws", 2000 }
#define SQUARE .check = CHECK_RATE, .measure = "moment.square", .with = { LINEAR, DIFFERENCE, TWICE }
#define TO(e) .law = { .form = LAW_POWER, .exponent = { e } }, .band = { (e) - 0.03, (e) + 0.03 }

const struct claim private_zeroth_order_draws[] = {
    { .id = "private-zeroth-order/grad.lemma3.1.moment.d", .item = "V1 6.2 7.16", POINT,
      .cite = CITE "Lemma 3.1",
      .says = "linear losses: the variance of GRAD is ((1 - 1/d) L^2 + Var g)/b, without a factor d",
      .check = CHECK_MOMENT, .measure = "moment.variance", .axis = "d",
      .with = { LINEAR, { "algo.b", 4 }, { "run.draws", 4000 } },
      .window = { { 2, 16, 3, 8 }, { 2, 64, 5, 8 }, { 2, 128, 7, 16 } },
      .formula = zo_grad_variance, .tolerance = 0.03, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/grad.lemma3.1.sharp.d", .item = "V1", .attempt = 2, .fresh = true, POINT,
      .cite = CITE "Lemma 3.1",
      .says = "linear losses: the variance of GRAD is at most (d/(d-1) + 1 - 1/d) L^2/b, and so at most 16 d L^2/b",
      .check = CHECK_BOUND, .measure = "moment.variance", .axis = "d",
      .with = { LINEAR, { "algo.b", 4 }, { "run.draws", 1000 } },
      .window = { { 2, 32, 3, 8 }, { 2, 128, 7, 8 }, { 2, 128, 7, 16 } }, .formula = zo_grad_sharp,
      .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/diff.lemma3.2.moment.d", .item = "V2 6.2 7.16", POINT,
      .cite = CITE "Lemma 3.2",
      .says = "linear losses along e: E|DIFF|^2 = d L^2 |x - y|^2/(b delta^2), a 16th of the bound",
      .check = CHECK_MOMENT, .measure = "moment.square", .axis = "d",
      .with = { LINEAR, DIFFERENCE, { "run.draws", 4000 } },
      .window = { { 2, 32, 3, 8 }, { 0 }, { 2, 128, 7, 32 } },
      .formula = zo_diff_square, .tolerance = 0.03, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/diff.lemma3.2.sharp.moved", .item = "V2", .attempt = 2, .fresh = true, POINT,
      .cite = CITE "Lemma 3.2",
      .says = "linear losses: the variance of DIFF is at most (2 - 1/d) d L^2 |x - y|^2/(b delta^2), and so at "
              "most 16 times d L^2 |x - y|^2/(b delta^2)",
      .check = CHECK_BOUND, .measure = "moment.variance", .axis = "moved",
      .with = { LINEAR, DIFFERENCE, { "problem.d", 64 } },
      .window = { { 0.01, 0.1, 2, 8 }, { 1e-3, 0.1, 5, 8 }, { 1e-3, 0.1, 5, 16 } },
      .formula = zo_diff_sharp, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/one.sec3.square.d", .item = "V4 6.2", POINT,
      .cite = CITE "Section 3; Shamir 2017, Lemma 10",
      .says = "one direction, linear losses: E|g|^2 = d L^2",
      .check = CHECK_MOMENT, .measure = "moment.square", .axis = "d",
      .with = { LINEAR, { "algo.directions", 1 }, { "run.draws", 20000 } },
      .window = { { 2, 128, 3, 8 }, { 2, 512, 5, 32 }, { 2, 512, 9, 32 } },
      .formula = zo_one_direction, .tolerance = 0.02,
      .control = { .with = { { "algo.directions", 4 } }, .why = "the mean of four directions" } },

    { .id = "private-zeroth-order/one.sec3.sharp.d", .item = "V4", .attempt = 2, .fresh = true, POINT,
      .cite = CITE "Section 3; Shamir 2017, Lemma 10",
      .says = "one direction, linear losses: E|g|^2 <= d^2 L^2/(d-1), and so at most 16 sqrt(2 pi) d L^2",
      .check = CHECK_BOUND, .measure = "moment.square", .axis = "d",
      .with = { LINEAR, { "algo.directions", 1 }, { "run.draws", 8000 } },
      .window = { { 2, 8, 3, 8 }, { 2, 16, 4, 16 }, { 2, 16, 4, 32 } }, .formula = zo_one_sharp,
      .control = { .with = { DIFFERENCE, { "algo.moved", 2 } },
                   .why = "a difference of points 20 delta apart" } },

    { .id = "private-zeroth-order/one.sec3.longest.free.d", .item = "V4 6.2", .attempt = 2, POINT,
      .cite = CITE "Section 3",
      .says = "no draw is longer than d L without any clamp",
      .check = CHECK_BOUND, .statistic = STAT_WORST, .measure = "note.largest", .axis = "d",
      .with = { LINEAR, { "algo.directions", 1 }, { "algo.L", INFINITY } },
      .window = { { 2, 32, 3, 2 }, { 2, 512, 5, 4 }, { 2, 512, 9, 8 } }, .formula = zo_longest,
      .control = { .with = { DIFFERENCE, { "algo.moved", 2 } },
                   .why = "a difference of points 20 delta apart" } },

    { .id = "private-zeroth-order/path.lemma4.8.variance.steps", .item = "V3 6.2", PATH,
      .cite = CITE "Lemma 4.8", .axis = "steps",
      .says = "a straight epoch, linear losses: E|g_T - grad F|^2 = d L^2 ((7/6)(T - 2) + 1/3)/T^2 + (2 - 1/d) "
              "L^2/B1",
      .check = CHECK_MOMENT, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "run.draws", 200 } },
      .window = { { 16, 64, 2, 16 }, { 16, 1024, 4, 16 }, { 16, 4096, 5, 16 } },
      .formula = zo_path_last, .tolerance = 0.05, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/path.lemma4.8.mean.steps", .item = "V3", PATH,
      .cite = CITE "Lemma 4.8", .axis = "steps",
      .says = "the epoch's mean of g_t: a third of that variance, (7/18) d L^2/T beside the first batch",
      .check = CHECK_MOMENT, .measure = "moment.mean",
      .with = { LINEAR, { "problem.drift", 0 }, { "run.draws", 200 } },
      .window = { { 16, 64, 2, 16 }, { 0 }, { 16, 4096, 5, 16 } },
      .formula = zo_path_mean, .tolerance = 0.05, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/path.lemma4.8.sharp.steps", .item = "V3", .attempt = 2, .fresh = true, PATH,
      .cite = CITE "Lemma 4.8", .axis = "steps",
      .says = "E|g_t - grad F_delta(w_t)|^2 <= (d/(d-1) + 1 - 1/d) L^2/B1 + (7/6)(2 - 1/d) d L^2 (T-1)/(B2 "
              "T^2), and so at most 16 d L^2/B1 + 64 d L^2/(B2 T)",
      .check = CHECK_BOUND, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "problem.d", 64 }, { "run.draws", 20 } },
      .window = { { 16, 64, 2, 8 }, { 16, 256, 3, 8 }, { 16, 1024, 4, 8 } },
      .formula = zo_path_sharp, .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/path.lemma4.8.last.again.steps", .item = "V3", .attempt = 2, PATH,
      .cite = CITE "Lemma 4.8", .axis = "steps",
      .says = "with a large first batch the variance of g_T falls as 1/T",
      .check = CHECK_RATE, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "problem.d", 16 }, { "algo.B1", 8, 1 },
                { "run.draws", 32 } },
      .window = { { 0 }, { 32, 512, 5, 16 }, { 32, 2048, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.1, -0.9 },
      .control = { .with = { { "algo.B1", 1 } },
                   .why = "a first batch of one sample at every T" } },

    { .id = "private-zeroth-order/path.lemma4.8.last.d", .item = "V3 AB-dir1", .attempt = 2, PATH,
      .cite = CITE "Lemma 4.8", .axis = "d",
      .says = "with a large first batch the variance of g_T grows as d; one direction would make it d^2",
      .check = CHECK_RATE, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "algo.B1", 512 }, { "run.draws", 64 } },
      .window = { { 0 }, { 8, 64, 4, 16 }, { 8, 64, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.9, 1.1 },
      .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/path.lemma4.8.last.B2", .item = "V3", .attempt = 2, PATH,
      .cite = CITE "Lemma 4.8", .axis = "B2",
      .says = "with a large first batch the variance of g_T falls as 1/B2",
      .check = CHECK_RATE, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "problem.d", 16 }, { "algo.B1", 512, 1 },
                { "run.draws", 64 } },
      .window = { { 0 }, { 1, 8, 4, 16 }, { 1, 8, 4, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.1, -0.9 },
      .control = { .with = { { "algo.B2", 1 } }, .why = "one sample at every B2" } },

    { .id = "private-zeroth-order/path.sec4.1.one.again.d", .item = "V20 AB-dir1 7.13", .attempt = 2, PATH,
      .cite = CITE "Section 4.1", .axis = "d",
      .says = "one direction a sample: the variance of g_T grows as d^2, its noise as d",
      .check = CHECK_RATE, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "algo.directions", 1 }, { "algo.B1", 512 },
                { "run.draws", 256 } },
      .window = { { 0 }, { 8, 128, 5, 16 }, { 8, 128, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 2 } }, .band = { 1.8, 2.2 },
      .control = { .with = { { "algo.directions", 1, 1 }, { "run.draws", 16 } },
                   .why = "d directions: d" } },

    { .id = "private-zeroth-order/path.sym.bound.steps", .item = "V20 AB-sym",
      .cite = CITE "Section 4.1 against four values", .axis = "steps",
      .says = "four values for DIFF: on linear pieces nothing is left of its noise, only that of the first "
              "batch",
      .kind = KIND_EXTENSION, .algo = "two-point-path", .problem = "sloped",
      .check = CHECK_MOMENT, .measure = "moment.last",
      .with = { LINEAR, { "problem.drift", 0 }, { "algo.difference", .text = "symmetric" },
                { "run.draws", 500 } },
      .window = { { 16, 64, 2, 16 }, { 0 }, { 16, 1024, 4, 16 } },
      .formula = zo_first, .tolerance = 0.05,
      .control = { .with = { { "algo.difference", .text = "forward" } }, .why = "two values" } },

    { .id = "private-zeroth-order/tree.cor4.5.noise.t", .item = "V5 6.3", NOISE,
      .cite = CITE "Corollary 4.5, Algorithm 5", .axis = "t",
      .says = "E|TREE(t)|^2 = popcount(t) d sigma^2",
      .check = CHECK_MOMENT, .measure = "moment.at",
      .with = { { "algo.steps", 256 }, { "problem.d", 16 }, { "algo.sigma", 1 },
                { "run.draws", 500 } },
      .window = { { 3, 192, 4, 8 }, { 3, 255, 9, 16 }, { 3, 255, 17, 16 } },
      .formula = zo_nodes_noise, .tolerance = 0.05, .control = OWN_NOISE },

    { .id = "private-zeroth-order/tree.cor4.5.bound.t", .item = "V5", NOISE,
      .cite = CITE "Corollary 4.5", .axis = "t",
      .says = "E|TREE(t)|^2 <= 2 ln(t) d sigma^2, t >= 2",
      .check = CHECK_BOUND, .measure = "moment.at",
      .with = { { "algo.steps", 256 }, { "problem.d", 16 }, { "algo.sigma", 1 },
                { "run.draws", 500 } },
      .window = { { 3, 192, 4, 8 }, { 3, 255, 9, 16 }, { 3, 255, 17, 16 } },
      .formula = zo_nodes_bound, .control = OWN_NOISE },

    { .id = "private-zeroth-order/tree.epoch.mean.steps", .item = "V5 6.3", NOISE,
      .cite = CITE "Algorithm 5", .axis = "steps",
      .says = "the mean noise of an epoch of T = 2^m: d sigma^2 (1/2 - 1/(2T) + 1/T^2)",
      .check = CHECK_MOMENT, .measure = "moment.mean",
      .with = { { "problem.d", 16 }, { "algo.sigma", 1 }, { "run.draws", 500 } },
      .window = { { 4, 64, 3, 8 }, { 4, 256, 4, 16 }, { 4, 1024, 5, 16 } },
      .formula = zo_mean_noise, .tolerance = 0.05, .control = OWN_NOISE },

    { .id = "private-zeroth-order/tree.cor4.4.mean.d", .item = "V10", NOISE,
      .cite = CITE "Corollary 4.4", .axis = "d",
      .says = "with sensitivity 4 d L/T the mean noise of an epoch grows as d^3 in square",
      .check = CHECK_RATE, .measure = "moment.mean",
      .with = { { "algo.sensitivity", 0.25, 1 }, { "run.draws", 500 } },
      .window = { { 4, 64, 3, 8 }, { 4, 128, 6, 16 }, { 4, 128, 6, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 3 } }, .band = { 2.95, 3.05 },
      .control = { .with = { { "algo.sensitivity", 1 } },
                   .why = "a sensitivity that does not grow with d: d" } },

    { .id = "private-zeroth-order/tree.cor4.4.mean.rho", .item = "V10", NOISE,
      .cite = CITE "Corollary 4.4", .axis = "rho",
      .says = "the mean noise of an epoch falls as 1/rho^2 in square",
      .check = CHECK_RATE, .measure = "moment.mean", .with = { { "run.draws", 500 } },
      .window = { { 0.1, 10, 3, 8 }, { 0.01, 10, 4, 16 }, { 0.01, 10, 4, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.05, -1.95 },
      .control = { .with = { { "algo.sigma", 1 } }, .why = "noise that knows no rho" } },

    /* --- claims about the exponents of the variances, in bands of +-0.03, and of the square of the tree's noise,
     * in a band of +-0.06 */
    { .id = "private-zeroth-order/grad.lemma3.1.tight.b", .item = "V1 6.2", .attempt = 2, POINT,
      .cite = CITE "Lemma 3.1", .axis = "b",
      .says = "the variance of GRAD falls as 1/b, its exponent within 0.03",
      .check = CHECK_RATE, .measure = "moment.variance", .with = { LINEAR, TWICE },
      .window = { { 1, 64, 4, 8 }, { 1, 256, 5, 16 }, { 1, 256, 9, 16 } }, TO(-1.), .control = ONE_SAMPLE },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.moved", .item = "V2 6.2", .attempt = 2, POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "moved",
      .says = "the variance of DIFF grows as |x - y|^2, its exponent within 0.03",
      .window = { { 1e-3, 0.1, 4, 8 }, { 1e-4, 0.1, 7, 16 }, { 1e-4, 0.1, 7, 16 } }, TO(2.),
      .control = AS_GRADIENT },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.delta", .item = "V2", .attempt = 2, POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "smoothing",
      .says = "the variance of DIFF falls as 1/delta^2, its exponent within 0.03",
      .window = { { 0.01, 1, 4, 8 }, { 0.01, 10, 7, 16 }, { 0.01, 10, 7, 16 } }, TO(-2.), .control = AS_GRADIENT },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.d", .item = "V2", .attempt = 2, POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "d",
      .says = "the variance of DIFF grows as d, its exponent within 0.03",
      .window = { { 4, 64, 4, 8 }, { 4, 64, 5, 16 }, { 4, 128, 6, 16 } }, TO(1.), .control = ONE_DIRECTION },

    { .id = "private-zeroth-order/diff.lemma3.2.tight.b", .item = "V2", .attempt = 2, POINT, SQUARE,
      .cite = CITE "Lemma 3.2", .axis = "b",
      .says = "the variance of DIFF falls as 1/b, its exponent within 0.03",
      .window = { { 1, 64, 4, 8 }, { 1, 256, 5, 16 }, { 1, 256, 9, 16 } }, TO(-1.), .control = ONE_SAMPLE },

    { .id = "private-zeroth-order/tree.cor4.4.tight.steps", .item = "V10", .attempt = 2, NOISE,
      .cite = CITE "Corollary 4.4, equation (2)", .axis = "steps",
      .says = "with sensitivity 4 d L/T the mean noise of an epoch falls as lg(T)^(1/2)/T, its exponent within "
              "0.03",
      .check = CHECK_RATE, .measure = "moment.mean", .formula = zo_levels,
      .with = { { "algo.sensitivity", 32, -1 }, TWICE },
      .window = { { 4, 256, 4, 8 }, { 16, 1024, 4, 16 }, { 16, 4096, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.06, -1.94 },
      .control = { .with = { { "algo.noise", .text = "independent" } },
                   .why = "noise of every summand: 1/T" } },

    { 0 }
};

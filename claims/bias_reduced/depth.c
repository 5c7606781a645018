/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depth.c - two smaller themes: draws that are cut to a radius, which are too biased for Section 6; and functions
 * that are not convex, which Section 1.5 mentions. The claims about the depth of draws that are made in parallel
 * (Appendix A.2) are in replicates.c. */
#include "bias_reduced.h"

/* Returns the mean of a normal number with mean m and standard deviation s, cut to [-C, C]. */
static double cut_mean(double m, double s, double C)
{
    double low = (-C - m) / s, high = (C - m) / s, root = sqrt(2 * M_PI);
    double below = erfc(-low / sqrt(2)) / 2, beyond = erfc(high / sqrt(2)) / 2;
    return m * (1 - below - beyond) - C * below + C * beyond -
           s * (exp(-high * high / 2) - exp(-low * low / 2)) / root;
}

/* Returns E<v, x*>/|x*|^2 for draws v = 2^j (x_j - x_(j-1)) that are cut to [-C, C], with levels j up to `top`; x_j
 * is the answer of EpochSGD from 0 with budget 2^j. In one dimension the noise of v is a sum of at least 15 random
 * signs, and v is taken to be normal. */
static double cut_share(const struct env *e, double C, int top)
{
    struct bias_linear l = bias_linear(e);
    double start = l.mean, sum = 0;
    for (int j = 4; j <= top; j++)
        if (bias_epochs(j) > bias_epochs(j - 1)) {
            double before = l.mean;
            bias_linear_epoch(&l);
            double move = before - l.mean, spread = sqrt(l.move2 - move * move), up = ldexp(1, j);
            sum += cut_mean(up * move, up * spread, C) / up;
        }
    return sum / start;
}

static double cut_to_axis(const struct env *e) { return cut_share(e, e->axis, 12); }

static double cut_to_four(const struct env *e) { return cut_share(e, 4, bias_log2(e->axis)); }

static double one_twentieth(const struct env *e) { return 0.05; }

/* Returns the bound of envelope-descent on the mean of |grad f_lam|^2 over K steps, 6 sigma sqrt(Lambda Phi/K).
 * f_lam is the Moreau envelope, Lambda = lam = 4 its smoothness, Phi the excess at the start, sigma = 2G the noise;
 * K is the axis. */
static double stationarity_bound(const struct env *e)
{
    return 12 * e->facts->G * sqrt(4 * e->facts->Phi / e->axis);
}

#define LINE_1 { "problem.d", 1 }, { "problem.hardness", 0.6 }, { "problem.s", 0.8 },        \
               { "problem.radius", 1000 }, { "run.draws", 250 }
#define RING .kind = KIND_EXTENSION, .cite = CITE "Section 1.5; derived", .problem = "ring"
#define STEPS .algo = "envelope-descent", .axis = "K", .measure = "set.stationarity.mean",    \
              .window = { { 16, 256, 3, 8 }, { 0 }, { 16, 4096, 5, 16 } }

const struct claim bias_reduced_depth[] = {
    { .id = "bias-reduced/clip.sec6.share.clip", .item = "V27",
      .cite = CITE "Section 6, Definition 3",
      .says = "a draw cut to a radius C about x_0 is biased, by 0.5, 0.2, 0.07 and 0.01 of |x* - x_0| "
              "at C = 4, 8, 16, 32 G/mu, in closed form; the draw itself by 0.001",
      .kind = KIND_EVIDENCE, .tests = "none",
      .tests_none = "the bias that the cut leaves, in closed form; without the cut it is the control",
      .check = CHECK_MOMENT, .algo = "mlmc", .problem = "linear",
      .axis = "clip", .measure = "moment.share", .with = { LINE_1, { "algo.T_max", 4096 } },
      .window = { { 0 }, { 4, 32, 4, 16 }, { 4, 32, 7, 16 } },
      .formula = cut_to_axis, .margin = one_twentieth,
      .control = { .with = { { "algo.clip", 1e9 } }, .why = "no cut: no bias" } },

    { .id = "bias-reduced/clip.sec6.share.T_max", .item = "V27",
      .cite = CITE "Section 6, Definition 3",
      .says = "cut to C = 4 G/mu, the bias stays at half of |x* - x_0| whatever T_max is: no delta",
      .kind = KIND_EVIDENCE, .check = CHECK_MOMENT, .algo = "mlmc", .problem = "linear",
      .axis = "T_max", .measure = "moment.share", .with = { LINE_1, { "algo.clip", 4 } },
      .window = { { 0 }, { 256, 4096, 3, 16 }, { 256, 65536, 5, 16 } },
      .formula = cut_to_four, .margin = one_twentieth,
      .control = { .with = { { "algo.clip", 1e9 } }, .why = "no cut: no bias" } },

    { .id = "bias-reduced/weak.sec1.stationarity.K", .item = "V29 3.13", RING, STEPS,
      .says = "descent on the envelope: the mean of |grad f_lam(x_t)|^2 over K steps is at most "
              "6 sigma sqrt(Lambda Phi/K), sigma = 2G, lam = 4 (c = 1)",
      .check = CHECK_BOUND, .with = { { "algo.K", 1, 1 }, { "goal.budget", 1e12 } },
      .formula = stationarity_bound,
      .control = { .with = { { "algo.eta", 10 } },
                   .why = "steps 1000 times as long: it jumps to and fro over the ring" } },

    { .id = "bias-reduced/weak.sec1.rate.K", .item = "V29 3.13", RING, STEPS,
      .says = "the mean of |grad f_lam(x_t)|^2 falls as K^(-1/2), where eta does",
      .check = CHECK_RATE, .with = { { "algo.K", 1, 1 }, { "goal.budget", 1e12 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.7, -0.3 },
      .control = { .with = { { "algo.eta", 0.3, -1 } }, .why = "eta ~ 1/K: no way is made" } },

    { 0 }
};

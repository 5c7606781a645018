/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rivals.c - the methods that DP-GCD is compared with. The instances are quasi-sparse quadratics QS(5, a, p), where
 * five entries of the minimiser w* have size a, and quadratics with a dense w* or with one active coordinate, whose
 * curvature is the one with the largest excess; delta = 1e-6. n is the number of records, p the dimension. A record
 * d has one of two normalisations. l_inf: every |d_j| is at most 1, so that |d| is at most Lambda = sqrt(p). l2:
 * |d| is at most 1, by L_j = 1/sqrt(p). */
#include "dp_gcd.h"

#define TALWAR "Talwar, Thakurta, Zhang (NeurIPS 2015)"
#define BASSILY "Bassily, Smith, Thakurta (FOCS 2014)"
#define DPCD "Mangold, Bellet, Salmon, Tommasi (ICML 2022)"
/* The l2 normalisation: records of norm at most 1, by L_j = p^(-1/2). The entries of w* have size 0.01, which is
 * below L_j, since w* is a mean of such records. */
#define IN_L2 { "problem.L", 1, -0.5 }, { "problem.r", 0.01 }
/* A control whose eps falls as 1/n: n eps is the same at every n, so that the error does not fall with n. */
#define NO_GAIN(n_eps) .with = { { "goal.eps", n_eps, -1 } }, \
        .why = "n eps is held: nothing is gained with n"

/* Settings like OF_NOISE of dp_gcd.h for other methods: the error must be due to the noise, and the second control
 * is the run without noise. Methods with Gaussian noise switch it off by algo.z, Frank-Wolfe by algo.b. */
#define OF_Z_NOISE .tests = "noise", \
        .control2 = { .with = { { "algo.z", 0 } }, .why = "the same run without noise" }
#define OF_B_NOISE .tests = "noise", \
        .control2 = { .with = { { "algo.b", 0 } }, .why = "the same run without noise" }

#define OF_BALANCE \
        OF_NO_MECHANISM("its rounds balance descent against noise: both have the law, their sum is judged")

/* --- the exact excess of DP-CD on QS(5, a, p) with step 1 and K = 2p updates with the theorem's noise */

/* Returns the mean excess of DP-CD after K updates of random coordinates. A coordinate that was updated has its
 * optimal value plus noise of variance 12 K log(1/delta)/(n eps)^2. With probability q it was not updated and has
 * its value at the start. */
static double cd_excess(const struct env *e)
{
    double p = e->facts->d, K = env_param(e, "K"), n = e->facts->n, q = exp(K * log1p(-1 / p));
    double eps = e->goal->eps, l_d = log(1 / e->goal->delta);
    double sigma2 = 12 * K * l_d / (n * n * eps * eps);
    return p / 2 * sigma2 * (1 - q) + q * e->facts->Phi;
}
static double cd_margin(const struct env *e) { return 0.1 * cd_excess(e); }
static double rival_promised(const struct env *e) { return e->goal->eps; }
static double one_pass(const struct env *e) { return e->facts->d * e->facts->n; }

/* --- numbers of rounds of DP-GD by its theory, on dense optima, where |w*|, the smoothness and Lambda are 1 */

/* Return the number of rounds T at which |w*|^2/T is as large as the effect of the noise: n eps/sqrt(8 p
 * log(1/delta)), at eps = 1 and delta = 1e-6. */
static double dense_rounds_p(double p, const struct facts *f)
{
    return f->n / sqrt(8 * p * log(1e6));
}
static double dense_rounds_n(double n, const struct facts *f)
{
    return n / sqrt(8 * f->d * log(1e6));
}

#define DENSE { "problem.active", 1, 1 }, { "problem.r", 1, -0.5 }, { "problem.L", 1, -0.5 }, \
        { "problem.M", 1 }, PRIVATE
/* The dense instance in p = 64 dimensions, with entries p^(-1/2) of w*. */
#define DENSE_64 { "problem.d", 64 }, { "problem.active", 64 }, { "problem.r", 0.125 }, \
        { "problem.L", 0.125 }, { "problem.M", 1 }, PRIVATE
/* Searches a grid of curvatures up to 1 for the largest excess. */
#define WORST(from_, points_) { .kind = SEARCH_LARGEST, .name = "problem.kappa", \
        .from = (from_), .to = 1, .points = (points_), .reps = 6 }

/* --- the bound on the excess of mirror descent
 *
 * Mirror descent in p dimensions over a ball of radius R, with the q-norm for q = 1 + 1/log p, its dual norm q*,
 * and the step eta of mirror_bound, has an excess of at most R^2/(2 (q-1) eta T) + (eta/2) E|g + N|_q*^2, where g
 * is the gradient and N the noise, of standard deviation s per coordinate. Here |v|_q*^2 <= p^(2/q*) |v|_inf^2, and
 * E|g + N|_inf^2 <= 2 L1^2 + 4 s^2 (log 2p + 1), where L1 bounds |g|_inf. PART_OF_MIRROR is the part of this bound
 * that the claim promises. */
static const double PART_OF_MIRROR = 0.08;
static double mirror_bound(const struct env *e)
{
    double p = e->facts->d, R = env_param(e, "R"), L1 = env_param(e, "L1"), T = env_param(e, "T");
    double s = env_param(e, "z") * 2 * L1 * sqrt(p) / e->facts->n, log_p = fmax(1, log(p));
    double q1 = 1 / log_p, dual = 1 + log_p;
    double eta = R / sqrt(q1 * T * (L1 * L1 + 2 * s * s * log(2 * p)));
    double square = 2 * L1 * L1 + 4 * s * s * (log(2 * p) + 1);
    return PART_OF_MIRROR * (R * R / (2 * q1 * eta * T) + eta / 2 * pow(p, 2 / dual) * square);
}

const struct claim dp_gcd_rivals[] = {
    /* --- the quasi-sparse quadratic QS(5, a, p), along the dimension p */
    { .id = "dp-gcd/rivals.sec6.7.gcd.p", .item = "C5 6.7", .cite = CITE "Theorem 4.7",
      .says = "DP-GCD on QS(5, a, p), l_inf: where amplitudes are clear, p does not matter",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-gcd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e6, 1), { "goal.T", 10 } },
      .window = { { 64, 4096, 4, 16 }, { 64, 16384, 5, 48 }, { 64, 16384, 6, 96 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.2, 0.2 },
      OF_NOISE,
      .control = { .algo = "dp-cd", .with = { { "goal.T", 24, 1 }, { "algo.passes", 24 } },
                   .why = "DP-CD must visit every coordinate: p^2" } },

    { .id = "dp-gcd/rivals.sec6.7.cd.moment.p", .item = "C5 6.5 6.7 5.1", .cite = DPCD,
      .says = "DP-CD on QS, K = 2p with the theorem's noise: E F - F* = (p/2)(1-q) 12 K "
              "log(1/delta)/(n eps)^2 + q F(0), q = (1 - 1/p)^K",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT,
      .algo = "dp-cd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e5, 0.001), { "algo.calibration", .text = "theory" },
                { "algo.K", 2, 1 }, { "goal.T", 2, 1 } },
      .window = { { 16, 1024, 4, 400 }, { 16, 4096, 5, 1000 }, { 16, 4096, 5, 2000 } },
      .formula = cd_excess, .margin = cd_margin, .sense = SENSE_EQUAL,
      OF_Z_NOISE,
      .control = { .with = { { "algo.calibration", .text = "rdp" } },
                   .why = "the noise of divergences, 0.69 of the theorem's variance" } },

    { .id = "dp-gcd/rivals.sec6.7.cd.passes.p", .item = "C5 6.7 5.1", .attempt = 2, .cite = DPCD,
      .says = "DP-CD on QS(5, 1, p), l_inf, 24 passes, which leave no coordinate out: excess ~ p^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-cd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e6, 1), { "goal.T", 24, 1 }, { "algo.passes", 24 } },
      .window = { { 16, 256, 3, 32 }, { 16, 4096, 5, 48 }, { 16, 4096, 5, 96 } },
      .law = { .form = LAW_POWER, .exponent = { 2 } }, .band = { 1.8, 2.2 },
      OF_Z_NOISE,
      .control = { .algo = "dp-gcd", .with = { { "goal.T", 10 } },
                   .why = "DP-GCD: no power of p" } },

    { .id = "dp-gcd/rivals.sec6.7.gd.p", .item = "C5 6.7 5.2", .cite = BASSILY,
      .says = "DP-GD on QS(5, 1, p), l_inf, the best of its rounds: Lambda = sqrt(p), excess ~ p^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-prox-gd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e6, 1) },
      .search = { .kind = SEARCH_SMALLEST, .name = "goal.T", .from = 1, .to = 32, .points = 6,
                  .reps = 6 },
      .window = { { 16, 1024, 4, 16 }, { 16, 4096, 5, 48 }, { 16, 4096, 6, 96 } },
      .law = { .form = LAW_POWER, .exponent = { 2 } }, .band = { 1.5, 2.5 },
      OF_Z_NOISE,
      .control = { .with = { IN_L2 }, .why = "records of norm 1: p" } },

    { .id = "dp-gcd/rivals.sec6.7.gd.l2.p", .item = "C5 6.7 5.2 3.4.5", .cite = BASSILY,
      .says = "DP-GD on QS, l2, strongly convex: excess ~ p",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-prox-gd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e6, 0.01), { "problem.L", 1, -0.5 } },
      .search = { .kind = SEARCH_SMALLEST, .name = "goal.T", .from = 1, .to = 32, .points = 6,
                  .reps = 6 },
      .window = { { 16, 1024, 4, 16 }, { 16, 4096, 5, 48 }, { 16, 4096, 6, 96 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.75, 1.25 },
      OF_Z_NOISE,
      .control = { .with = { { "problem.L", 1 } }, .why = "l_inf: p^2" } },

    { .id = "dp-gcd/rivals.sec5.2.gd.l2.n", .item = "C5 5.2 3.4.5", .cite = BASSILY,
      .says = "DP-GD on QS, l2, strongly convex: excess ~ (n eps)^(-2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-prox-gd", .problem = "private_mean", .axis = "n", .measure = "excess",
      .with = { { "problem.d", 256 }, { "problem.active", 5 }, { "problem.rest", 1 },
                { "problem.r", 0.01 }, { "problem.L", 0.0625 }, PRIVATE, { "goal.T", 1 } },
      .window = { { 1e4, 1e6, 4, 16 }, { 1e4, 1e7, 5, 48 }, { 1e4, 1e7, 6, 96 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.2, -1.8 },
      OF_Z_NOISE,
      .control = { NO_GAIN(1e4) } },

    { .id = "dp-gcd/rivals.sec5.1.cd.strong.p", .item = "C5 5.1 3.4.5", .attempt = 2, .fresh = true,
      .cite = DPCD,
      .says = "DP-CD, strongly convex, T and K of its theorem: excess ~ p |L|_{M^-1}^2, "
              "here |L|_{M^-1} = 1",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-cd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e6, 0.01), { "problem.L", 1, -0.5 },
                { "algo.schedule", .text = "strongly" }, { "algo.mu", 1 }, { "algo.R", 0.0224 },
                { "goal.T", 64, 1 }, { "algo.answer", .text = "average" } },
      .window = { { 16, 256, 3, 8 }, { 16, 1024, 4, 24 }, { 16, 4096, 5, 48 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.76, 1.24 },
      OF_Z_NOISE,
      .control = { .with = { { "problem.L", 1 } }, .why = "l_inf: |L|_{M^-1}^2 = p, excess p^2" } },

    /* --- convex losses, of the curvature with the largest excess */
    { .id = "dp-gcd/rivals.sec5.1.cd.worst.p", .item = "C5 5.1", .attempt = 2, .fresh = true,
      .cite = DPCD,
      .says = "DP-CD, convex, K of its theorem, dense optimum of the worst curvature: excess ~ "
              "sqrt(p) |L|_{M^-1} R/(n eps)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-cd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { { "problem.n", 1e4 }, DENSE, { "algo.schedule", .text = "convex" },
                { "algo.R", 1 }, { "algo.answer", .text = "average" },
                { "algo.calibration", .text = "theory" }, { "goal.T", 3000, 0.5 } },
      .search = WORST(1e-4, 33),
      .window = { { 0 }, { 16, 256, 3, 64 }, { 16, 1024, 4, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.4, 0.583 },
      OF_Z_NOISE,
      .control = { .with = { { "problem.L", 1 } }, .why = "l_inf: |L|_{M^-1} = sqrt(p)" } },

    { .id = "dp-gcd/rivals.sec5.1.cd.worst.n", .item = "C5 5.1", .attempt = 2, .fresh = true,
      .cite = DPCD,
      .says = "DP-CD, convex, K of its theorem, dense optimum of the worst curvature: excess ~ "
              "1/(n eps)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-cd", .problem = "private_mean", .axis = "n", .measure = "excess",
      .with = { DENSE_64, { "algo.schedule", .text = "convex" }, { "algo.R", 1 },
                { "algo.answer", .text = "average" }, { "goal.T", 3, 1 } },
      .search = WORST(3e-5, 37),
      .window = { { 0 }, { 3e3, 1e5, 4, 48 }, { 3e3, 1e5, 5, 96 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.834 },
      OF_Z_NOISE,
      .control = { .with = { { "problem.L", 0.0023, 0.5 } }, .why = "bounds that grow with n" } },

    { .id = "dp-gcd/rivals.sec5.2.gd.worst.p", .item = "C5 5.2 3.4.5", .attempt = 2, .fresh = true,
      .cite = BASSILY,
      .says = "DP-GD, convex, l2, dense optimum of the worst curvature: excess ~ sqrt(p)/(n eps)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-prox-gd", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { { "problem.n", 1e5 }, DENSE, { "goal.T", .of = dense_rounds_p },
                { "algo.beta", 1 }, { "algo.answer", .text = "average" } },
      .search = WORST(3e-5, 37),
      .window = { { 0 }, { 16, 256, 3, 64 }, { 16, 1024, 4, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.4, 0.583 },
      OF_BALANCE,
      .control = { .with = { { "problem.L", 1 } }, .why = "l_inf: Lambda = sqrt(p)" } },

    { .id = "dp-gcd/rivals.sec5.2.gd.worst.n", .item = "C5 5.2 3.4.5", .attempt = 2, .fresh = true,
      .cite = BASSILY,
      .says = "DP-GD, convex, dense optimum of the worst curvature: excess ~ 1/(n eps)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-prox-gd", .problem = "private_mean", .axis = "n", .measure = "excess",
      .with = { DENSE_64, { "goal.T", .of = dense_rounds_n }, { "algo.beta", 1 },
                { "algo.answer", .text = "average" } },
      .search = WORST(3e-5, 37),
      .window = { { 0 }, { 3e3, 3e5, 4, 48 }, { 3e3, 3e5, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.834 },
      OF_BALANCE,
      .control = { NO_GAIN(1e4) } },

    /* --- l1 geometry: one active coordinate of the curvature with the largest excess, R = |w*|_1 = 1 */
    { .id = "dp-gcd/rivals.sec5.3.fw.worst.n", .item = "C5 5.3 3.4.1", .attempt = 2, .fresh = true,
      .cite = TALWAR,
      .says = "DP Frank-Wolfe over the l1 ball, the worst curvature: excess ~ (n eps)^(-2/3)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-fw", .problem = "private_mean", .axis = "n", .measure = "excess",
      .with = { { "problem.d", 256 }, { "problem.r", 1 }, PRIVATE, { "algo.R", 1 },
                { "algo.c_T", 0.02 }, { "goal.T", 5000 } },
      .search = WORST(3e-4, 29),
      .window = { { 0 }, { 3e4, 1e6, 4, 32 }, { 3e4, 3e6, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -0.6666667 } }, .band = { -0.8, -0.53 },
      OF_B_NOISE,
      .control = { NO_GAIN(3e4) } },

    { .id = "dp-gcd/rivals.sec5.3.fw.private.T", .item = "5.3", .cite = TALWAR,
      .says = "a choice among signed scores costs 2 S/b: with four times the printed noise the "
              "ledger of Frank-Wolfe proves epsilon, with the printed noise it does not",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .deterministic = true,
      .algo = "dp-fw", .problem = "private_mean", .axis = "T", .measure = "privacy.eps",
      .with = { { "problem.d", 16 }, { "problem.n", 64 }, PRIVATE, { "algo.T", 1, 1 },
                { "algo.R", 1 }, { "algo.calibration", .text = "corrected" },
                { "run.replay", 1 } },
      .window = { { 16, 64, 3, 1 }, { 16, 256, 5, 1 }, { 16, 1024, 7, 1 } },
      .formula = rival_promised,
      OF_NO_MECHANISM("it is about the price of a release, whatever the method makes of it"),
      .control = { .with = { { "algo.calibration", .text = "paper" } },
                   .why = "as printed: twice epsilon" } },

    { .id = "dp-gcd/rivals.sec5.3.fw.p", .item = "C5 6.7 5.3 3.4.1", .cite = TALWAR,
      .says = "DP Frank-Wolfe over the l1 ball, the worst curvature: excess grows as log p",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-fw", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { { "problem.n", 1e5 }, { "problem.r", 1 }, PRIVATE, { "algo.R", 1 },
                { "algo.c_T", 0.02 }, { "goal.T", 5000 } },
      .search = WORST(4e-3, 21),
      .window = { { 0 }, { 128, 8192, 4, 16 }, { 128, 8192, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.25 },
      OF_B_NOISE,
      .control = { .with = { { "algo.L1", 0.05, 0.5 } },
                   .why = "scores bounded by norms, sqrt(p) of them: a power of p" } },

    { .id = "dp-gcd/rivals.sec5.4.mirror.noisy.p", .item = "C5 5.4", .attempt = 3, .fresh = true,
      .cite = BASSILY,
      .says = "noisy mirror descent over the l1 ball, noise-limited, the worst curvature: excess "
              "~ sqrt(p) log p, through the noise on all entries",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-mirror", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { { "problem.n", 1500 }, { "problem.r", 1 }, PRIVATE, { "algo.R", 1 },
                { "goal.T", 900 } },
      .search = WORST(4e-3, 21),
      .window = { { 0 }, { 16, 128, 3, 64 }, { 16, 256, 4, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.76 } }, .band = { 0.55, 0.86 },
      OF_Z_NOISE,
      .control = { .with = { { "algo.L1", 1, -0.5 } },
                   .why = "entries bounded by 1/sqrt(p): a power of log p" } },

    { .id = "dp-gcd/rivals.sec5.4.mirror.worst.n", .item = "C5 5.4", .attempt = 2, .fresh = true,
      .cite = BASSILY,
      .says = "noisy mirror descent over the l1 ball, noise-limited by T ~ n^2, the worst "
              "curvature: excess ~ 1/(n eps)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-mirror", .problem = "private_mean", .axis = "n", .measure = "excess",
      .with = { { "problem.d", 64 }, { "problem.r", 1 }, PRIVATE, { "algo.R", 1 },
                { "goal.T", 4e-4, 2 } },
      .search = WORST(4e-3, 21),
      .window = { { 0 }, { 800, 3200, 4, 32 }, { 800, 3200, 5, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.834 },
      OF_Z_NOISE,
      .control = { .with = { { "algo.L1", 0.00125, 1 } }, .why = "bounds that grow with n" } },

    { .id = "dp-gcd/rivals.sec5.4.mirror.near.p", .item = "C5 5.4", .attempt = 2, .fresh = true, .cite = BASSILY,
      .says = "noisy mirror descent, the worst curvature: E F - F* <= 0.08 (R^2/(2(q-1) eta T) + "
              "(eta/2) E|g + N|_{q*}^2)",
      .kind = KIND_THEOREM, .check = CHECK_BOUND,
      .algo = "dp-mirror", .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { { "problem.n", 1500 }, { "problem.r", 1 }, PRIVATE, { "algo.R", 1 }, { "goal.T", 900 } },
      .search = WORST(4e-3, 21),
      .window = { { 0 }, { 16, 128, 3, 16 }, { 16, 256, 4, 32 } },
      .formula = mirror_bound,
      OF_NO_MECHANISM("the bound is that of mirror descent with any gradients of this second moment"),
      .control = { .with = { { "algo.c", 1e-3 } }, .why = "eta a thousand times smaller" } },

    /* --- the dimension from which DP-GCD is better than DP-GD, for tau large entries. At eps = 1 the excess from
     * noise, times n^2, is 256 tau^2 log(1/delta) for DP-GCD with T = 2 tau rounds (Theorem 4.2). For one round of
     * DP-GD on records of norm 1 it is p/rho, with rho = 0.0175 the zero-concentrated privacy that (1, 1e-6)
     * allows. The two are equal at p = 62 tau^2. */
    { .id = "dp-gcd/rivals.sec6.7.crossover.above.active", .item = "C5 6.7",
      .cite = CITE "Section 4.3",
      .says = "at p = 250 tau^2 DP-GCD (L_j = 1) is better than DP-GD on records of norm 1",
      .kind = KIND_THEOREM, .check = CHECK_ORDER,
      .algo = "dp-gcd", .problem = "private_mean", .axis = "active", .measure = "excess",
      .with = { { "problem.n", 1e7 }, { "problem.rest", 1 }, { "problem.r", 0.003 }, PRIVATE,
                { "problem.d", 250, 2 }, { "goal.T", 2, 1 },
                { "algo.accounting", .text = "thm42" }, { "algo.rnm_mode", .text = "paper" } },
      .than = { .algo = "dp-prox-gd", .with = { { "problem.L", 0.0632456, -1 }, { "algo.T", 1 } },
                .why = "DP-GD, |d| <= 1" },
      .window = { { 2, 8, 3, 8 }, { 2, 16, 4, 32 }, { 2, 16, 4, 64 } },
      OF_NOISE,
      .control = { .with = { { "problem.d", 15, 2 } }, .why = "p = 15 tau^2: DP-GD is better" } },

    { .id = "dp-gcd/rivals.sec6.7.crossover.below.active", .item = "C5 6.7",
      .cite = CITE "Section 4.3",
      .says = "at p = 15 tau^2 DP-GD on records of norm 1 is better than DP-GCD (L_j = 1)",
      .kind = KIND_THEOREM, .check = CHECK_ORDER,
      .algo = "dp-prox-gd", .problem = "private_mean", .axis = "active", .measure = "excess",
      .with = { { "problem.n", 1e7 }, { "problem.rest", 1 }, { "problem.r", 0.003 }, PRIVATE,
                { "problem.d", 15, 2 }, { "problem.L", 0.258199, -1 }, { "goal.T", 2, 1 },
                { "algo.T", 1 } },
      .than = { .algo = "dp-gcd",
                .with = { { "problem.L", 1 }, { "algo.accounting", .text = "thm42" },
                          { "algo.rnm_mode", .text = "paper" } },
                .why = "DP-GCD, L_j = 1" },
      .window = { { 2, 8, 3, 8 }, { 2, 16, 4, 32 }, { 2, 16, 4, 64 } },
      OF_Z_NOISE,
      .control = { .with = { { "problem.d", 250, 2 }, { "problem.L", 0.0632456, -1 } },
                   .why = "p = 250 tau^2: DP-GCD is better" } },

    /* --- the number of partial derivatives */
    { .id = "dp-gcd/rivals.sec5.1.cd.count.d", .item = "C5 5.1", .cite = DPCD,
      .says = "a pass of DP-CD: p updates, n partial derivatives each",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "dp-cd", .problem = "private_mean", .axis = "d", .measure = "coords",
      .with = { QS(1e3, 0.05), { "goal.T", 2, 1 }, { "algo.passes", 1 } },
      .window = { { 16, 1024, 3, 1 }, { 16, 1024, 3, 1 }, { 16, 1024, 3, 1 } },
      .formula = one_pass,
      .control = { .with = { { "algo.passes", 2 } }, .why = "two passes" } },

    { 0 }
};

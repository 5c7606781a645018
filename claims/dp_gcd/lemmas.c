/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lemmas.c - the lemmas of Appendix B. Where a lemma holds with probability 1, the claim is that the share of draws
 * that obey it is 1. Where a lemma is corrected, the control is the lemma as printed. */
#include "dp_gcd.h"

static double always(const struct env *e) { return 1; }

/* Returns the bound of Lemma B.1, sharpened, on P(X_1^2 + ... + X_K^2 >= b) for Laplace values X_k of scale 1 and K
 * = 3; the controls draw other scales. The sum of squares is at most the square of the sum of the |X_k|. That sum
 * of exponential variables has an Erlang distribution, whose tail at sqrt(b) is returned. */
static double squares_bound(const struct env *e)
{
    double s = sqrt(env_param(e, "b"));
    return exp(-s) * (1 + s + s * s / 2);
}
static double square_alone(const struct env *e) { return exp(-sqrt(env_param(e, "b"))); }

#define LEMMA OF_NO_MECHANISM("a lemma is about every step or sequence that obeys its premises, not about a method")
#define SURELY .kind = KIND_LEMMA, .check = CHECK_COUNT, .algo = "gcd-step", .axis = "t", \
               .formula = always
#define FEW_STEPS { { 1, 64, 4, 1 }, { 1, 256, 5, 4 }, { 1, 1024, 6, 8 } }
/* A quadratic in 40 coordinates with curvatures M_j from 1 to 1/100, without a feasible set. */
#define UNEQUAL .problem = "spectral", \
                .with = { { "problem.decades", 2 }, { "problem.radius", INFINITY }, \
                          { "algo.lambda", 1e-4 } }
/* A quadratic of curvature 1 whose minimiser w* has four large entries and 60 small ones. L is as large as an
 * entry, since the family needs curvature times |w*_j| <= L. */
#define SPARSE(small) { "problem.d", 64 }, { "problem.active", 4 }, { "problem.rest", 1 }, \
                      { "problem.L", 10 }, { "problem.r", 10 }, { "problem.alpha", small }, \
                      { "algo.tau", 4 }, { "algo.alpha", small }
#define PRINTED { .with = { { "algo.power", 1 } }, .why = "as printed: the norm is not squared" }

const struct claim dp_gcd_lemmas[] = {
    { .id = "dp-gcd/lemma.B1.sharp.b", .item = "3.2.1", .attempt = 2, .fresh = true,
      LEMMA,
      .cite = CITE "Lemma B.1, sharpened: docs/papers/dp-gcd.md",
      .says = "P(sum of K = 3 squares of Lap(lambda_k) >= b) <= e^(-s) (1 + s + s^2/2), s = sqrt(b)/max lambda_k, "
              "which implies 2^K e^(-s/2)",
      .kind = KIND_LEMMA, .check = CHECK_LAW, .sense = SENSE_AT_MOST,
      .algo = "laplace-squares", .problem = "linear", .axis = "b", .measure = "moment.above",
      .with = { { "algo.spread", 0 } },
      .window = { { 10, 76.8086, 3, 16 }, { 10, 76.8086, 5, 32 }, { 10, 200, 7, 64 } },
      .formula = squares_bound,
      .control = { .with = { { "algo.lambda", 6 } }, .why = "scales of six times lambda" } },

    { .id = "dp-gcd/lemma.B1.single.b", .item = "3.2.1",
      LEMMA,
      .cite = CITE "proof of Lemma B.1",
      .says = "one variable: P(X^2 >= b) = exp(-sqrt(b)/lambda)",
      .kind = KIND_LEMMA, .check = CHECK_LAW,
      .algo = "laplace-squares", .problem = "linear", .axis = "b", .measure = "moment.above",
      .with = { { "algo.K", 1 }, { "run.draws", 10000 } },
      .window = { { 0.25, 4, 3, 16 }, { 0.25, 9, 5, 32 }, { 0.25, 9, 7, 64 } },
      .formula = square_alone, .tolerance = 0.05,
      .control = { .with = { { "algo.lambda", 1.2 } }, .why = "a scale 20% larger" } },

    { .id = "dp-gcd/lemma.14.step.t", .item = "3.2.2",
      LEMMA,
      .cite = CITE "(14)",
      .says = "every step: f falls by g_j^2/(2 M_j) - eta^2/(2 M_j), exactly where f_jj = M_j",
      SURELY, UNEQUAL, .measure = "moment.equal", .window = FEW_STEPS,
      .control = { .with = { { "algo.step", 2 } }, .why = "a step twice as long" } },

    { .id = "dp-gcd/lemma.14.slack.t", .item = "3.2.2",
      LEMMA,
      .cite = CITE "(14)",
      .says = "curvatures below M_j: every step falls by at least g_j^2/(2 M_j) - eta^2/(2 M_j)",
      SURELY, .problem = "private_mean", .measure = "moment.step", .window = FEW_STEPS,
      .with = { { "problem.d", 16 }, { "problem.active", 16 }, { "problem.decades", 1 } },
      .control = { .with = { { "algo.step", 2.5 } }, .why = "a step 2.5 times as long" } },

    { .id = "dp-gcd/lemma.B2.descent.t", .item = "3.2.3",
      LEMMA,
      .cite = CITE "Lemma B.2",
      .says = "every step: f falls by max_k g_k^2/(8 M_k), less the noise's squares",
      SURELY, UNEQUAL, .measure = "moment.greedy", .window = FEW_STEPS,
      .control = { .with = { { "algo.pick", .text = "uniform" } }, .why = "a random coordinate" },
      .control2 = { .with = { { "algo.step", 2 } }, .why = "a step twice as long" } },

    { .id = "dp-gcd/lemma.B3.descent.t", .item = "3.2.4",
      LEMMA,
      .cite = CITE "Lemma B.3",
      .says = "convex f, every step: xi falls by xi^2/(8 |w - w*|_{M,1}^2), less the noise's "
              "squares",
      SURELY, UNEQUAL, .measure = "moment.convex", .window = FEW_STEPS,
      .control = { .with = { { "algo.step", 2 } }, .why = "a step twice as long" } },

    { .id = "dp-gcd/lemma.B4.falls.beta", .item = "3.2.5",
      LEMMA,
      .cite = CITE "Lemma B.4, first part",
      .says = "xi_(t+1) <= xi_t - xi_t^2/c_t + beta falls up to some step, then stays below "
              "2 sqrt(beta c_0)",
      .kind = KIND_LEMMA, .check = CHECK_COUNT, .algo = "gcd-recursion", .problem = "linear",
      .axis = "beta", .measure = "moment.falls", .formula = always,
      .window = { { 1e-4, 1, 5, 1 }, { 1e-6, 1, 7, 4 }, { 1e-8, 1, 9, 8 } },
      .control = { .with = { { "algo.most", 100 } }, .why = "c_t up to 100 c_0" } },

    { .id = "dp-gcd/lemma.B4.below.beta", .item = "3.2.5",
      LEMMA,
      .cite = CITE "Lemma B.4, second part",
      .says = "xi_(t+1) <= xi_t - xi_t^2/c_t + beta: xi_t <= c_0/t + 2 sqrt(beta c_0)",
      .kind = KIND_LEMMA, .check = CHECK_COUNT, .algo = "gcd-recursion", .problem = "linear",
      .axis = "beta", .measure = "moment.below", .formula = always,
      .window = { { 1e-4, 1, 5, 1 }, { 1e-6, 1, 7, 4 }, { 1e-8, 1, 9, 8 } },
      .control = { .with = { { "algo.most", 2 } }, .why = "c_t up to 2 c_0" } },

    { .id = "dp-gcd/lemma.B5.gradient.t", .item = "3.2.6 8.6",
      LEMMA,
      .cite = CITE "Lemma B.5, (42), corrected: the norm squared",
      .says = "max_j g_j^2/(2 M_j) >= mu^(t+tau)_{M,1} (xi_t - M_max (p - tau) alpha^2/2)",
      .kind = KIND_ERRATUM, .check = CHECK_COUNT, .algo = "gcd-step", .axis = "t",
      .formula = always, .problem = "private_mean", .measure = "moment.sparse",
      .with = { SPARSE(0.02) },
      .window = { { 1, 16, 3, 1 }, { 1, 32, 6, 4 }, { 1, 56, 7, 8 } },
      .control = PRINTED },

    { .id = "dp-gcd/lemma.B6.sparse.t", .item = "3.2.7 8.6",
      LEMMA,
      .cite = CITE "Corollary B.6, (49), sparse minimiser",
      .says = "w* tau-sparse: max_j g_j^2/(2 M_j) >= mu^(t+tau)_{M,1} xi_t",
      .kind = KIND_ERRATUM, .check = CHECK_COUNT, .algo = "gcd-step", .axis = "t",
      .formula = always, .problem = "private_mean", .measure = "moment.sparse",
      .with = { SPARSE(0) },
      .window = { { 1, 16, 3, 1 }, { 1, 32, 6, 4 }, { 1, 56, 7, 8 } },
      .control = PRINTED },

    { .id = "dp-gcd/lemma.B6.strong.t", .item = "3.2.7 8.6",
      LEMMA,
      .cite = CITE "Corollary B.6, (49), strongly convex",
      .says = "max_j g_j^2/(2 M_j) >= mu_{M,1} xi_t",
      .kind = KIND_ERRATUM, .check = CHECK_COUNT, .algo = "gcd-step", .axis = "t",
      .formula = always, .problem = "private_mean", .measure = "moment.sparse",
      .with = { { "problem.d", 8 }, { "problem.active", 8 }, { "problem.decades", 1 },
                { "problem.L", 100 }, { "problem.r", 100 } },
      .window = { { 1, 16, 3, 1 }, { 1, 64, 4, 4 }, { 1, 256, 5, 8 } },
      .control = PRINTED },

    { .id = "dp-gcd/lemma.53.strong.t", .item = "3.2.8",
      LEMMA,
      .cite = CITE "(53)",
      .says = "every step: xi_(t+1) <= (1 - mu_{M,1}/4) xi_t + the noise's squares",
      SURELY, .problem = "private_mean", .measure = "moment.strong", .window = FEW_STEPS,
      .with = { { "problem.d", 8 }, { "problem.active", 8 }, { "problem.decades", 1 },
                { "algo.lambda", 1e-4 } },
      .control = { .with = { { "algo.pick", .text = "uniform" } }, .why = "a random coordinate" },
      .control2 = { .with = { { "algo.step", 2 } }, .why = "a step twice as long" } },

    { 0 }
};

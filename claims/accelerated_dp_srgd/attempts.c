/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempts.c - claims that were replaced: what each asked, what it came to and why its design was changed. */
#include "accelerated_dp_srgd.h"

const struct attempt accelerated_dp_srgd_attempts[] = {
    { "accelerated-dp-srgd/A.thm5.8.excess.d.private",
      "accelerated-dp-srgd/thm5.8 privacy term.p", 1,
      "d = 16 to 512, 5 points, 16 replicates",
      "a well-conditioned instance: the square of the noise",
      "INCONCLUSIVE: without the constant the five means lie on d^0.54",
      "A constant is fitted beside the exponent; where beta is in balance with the noise no other term is "
      "there." },

    { "accelerated-dp-srgd/A.balanced.excess.d",
      "accelerated-dp-srgd/thm5.8 privacy term.p", 2,
      "d = 64 to 4096, 5 points, 64 replicates",
      "a well-conditioned instance: the square of the noise",
      "SUPPORTED: d^(1/2), and with independent noise too",
      "It has no sampling noise and 127 rounds: the row is about T(n) rounds and samples that differ." },

    { "accelerated-dp-srgd/A.thm5.8.excess.mu",
      "accelerated-dp-srgd/thm5.8 privacy term.eps", 1,
      "mu = 0.0343 to 0.448, 5 points, 16 replicates",
      "a well-conditioned instance: the square of the noise",
      "INCONCLUSIVE: slopes of -0.86 and -1.4",
      "beta is 6.2 at every point; where the noise is small beside beta R/T^2 it counts by its square." },

    { "accelerated-dp-srgd/A.balanced.excess.mu",
      "accelerated-dp-srgd/thm5.8 privacy term.eps", 2,
      "mu = 0.0343 to 0.448, 5 points, 64 replicates",
      "a well-conditioned instance: the square of the noise",
      "SUPPORTED: 1/mu, and with independent noise too",
      "It has no sampling noise and 127 rounds: the row is about T(n) rounds and samples that differ." },

    { "accelerated-dp-srgd/A.thm5.8.excess.n.private",
      "accelerated-dp-srgd/thm5.8 privacy term.n", 1,
      "n = 100000 to 3200000, 5 points, 16 replicates",
      "a well-conditioned instance: the square of the noise",
      "INCONCLUSIVE: n^-0.91 (-0.97 to -0.86) at an edge of -0.9",
      "A second term is fitted beside the exponent, for which 16 replicates are few." },

    { "accelerated-dp-srgd/A.balanced.excess.n",
      "accelerated-dp-srgd/thm5.8 privacy term.n", 2,
      "n = 100000 to 3200000, 5 points, 64 replicates",
      "a well-conditioned instance: the square of the noise",
      "SUPPORTED: 1/n, and with independent noise too",
      "It has 127 rounds at every n and no sampling noise: the row is about T(n) rounds and samples that differ." },

    { "accelerated-dp-srgd/A.thm5.8.excess.T.private",
      "accelerated-dp-srgd/thm5.8 privacy term, tree noise.T", 1,
      "T = 64 to 8192, 8 points, 16 replicates",
      "independent noise: T^(1/2)",
      "INCONCLUSIVE, its control missed: six times as much at T = 8192 as at 4096",
      "The noise of the first rounds moves the iterates so far that 93% of differences are clipped at T = 8192." },

    { "accelerated-dp-srgd/sgd.sec4.excess.T",
      "accelerated-dp-srgd/sgd.balanced.growth.T", 1,
      "T = 512 to 8192, 5 points, 16 replicates",
      "tree noise: no power of T",
      "INCONCLUSIVE, its control missed",
      "The control, variant A, clips 93% of its differences at T = 8192." },

    { "accelerated-dp-srgd/independent.sec4.growth.T",
      "accelerated-dp-srgd/independent.balanced.growth.T", 1,
      "T = 512 to 8192, 5 points, 16 replicates",
      "tree noise: no power of T",
      "INCONCLUSIVE, its control missed",
      "The control, variant A, clips 93% of its differences at T = 8192." },

    { "accelerated-dp-srgd/localised.table1.subsampled.n",
      "accelerated-dp-srgd/localised.table1.poisson.n", 1,
      "n = 10000 to 1000000, 5 points",
      "full batches: n^(5/4)",
      "CONTRADICTED: n^1, the limit",
      "The n of the goal limits how many records may be drawn, so that every run was cut off at n." },

    { 0 }
};

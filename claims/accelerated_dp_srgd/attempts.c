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

    { "accelerated-dp-srgd/A.thm5.8.private.n",
      "accelerated-dp-srgd/thm5.8 privacy term.n", 3,
      "n = 2^20 to 2^28, p = 4096, 3 points, 32 replicates",
      "independent noise, its beta in balance: n^(-7/8)",
      "INCONCLUSIVE: n^-0.949 (-0.951 to -0.946), which bends by -0.095",
      "At n = 2^20 the noise is so large that the upper end of the spectrum is reached: a later window." },

    { "accelerated-dp-srgd/A.thm5.8.crossover.p",
      "accelerated-dp-srgd/thm5.8 excess over that without privacy, n = c p/mu^2.p", 1,
      "p = 21 to 5376, 3 points, 64 replicates",
      "independent noise: p^(1/8)",
      "INCONCLUSIVE, its control missed: p^0.009 (-0.019 to 0.038), the control p^0.11",
      "With 21 coordinates a run is mostly the luck of a few: a later window." },

    { "accelerated-dp-srgd/B.thm5.12.linear.n",
      "accelerated-dp-srgd/thm5.12 excess without privacy, hardest linear loss.n", 1,
      "n = 1000 to 1000000, 7 points, 32 replicates",
      "noise that falls as n^(-1/5)",
      "INCONCLUSIVE, rule 1: staying at the start falls as n^(-1/2) too",
      "The grid of hardnesses follows n, so that the instance alone makes the law." },

    { "accelerated-dp-srgd/B.thm5.12.small.B",
      "accelerated-dp-srgd/thm5.12 excess, B below n^(1/2).B", 1,
      "B = 156 to 1250 at n = 10^8, 4 points, 32 replicates",
      "beta 200 times larger: B",
      "INCONCLUSIVE: a hump in T/n^(1/2), whose slope is at the edge of the band",
      "It has beta = 2 M T; that of the theorem is c n^(3/2)/B^2 there." },

    { "accelerated-dp-srgd/A.thm4.2.rounds.n",
      "accelerated-dp-srgd/thm4.2 rounds to order n^(-1/2), minimiser inside.n", 1,
      "n = 10^4 to 10^8, 5 points, 16 replicates",
      "plain mini-batch SGD: n^(1/2)",
      "INCONCLUSIVE, its control missed: the control runs out of the grid of rounds",
      "The rounds chosen from a grid, within 1.5 of the own floor, are a coarse number with lucky floors." },

    { "accelerated-dp-srgd/A.table1.hit.n",
      "accelerated-dp-srgd/thm4.2 rounds to order n^(-1/2), minimiser inside.n", 2,
      "n = 10^4 to 10^9, 6 points, 32 replicates",
      "variant B: n^(1/2)",
      "INCONCLUSIVE, rule 2: it names no mechanism",
      "Its control has acceleration; the run without it does not always arrive, so that the mean is infinite." },

    { 0 }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempts.c - claims that were replaced: what each asked, what it came to and why its design was changed. */
#include "dp_gcd.h"

const struct attempt dp_gcd_attempts[] = {
    { "dp-gcd/convex.thm4.4.excess.n",
      "dp-gcd/thm4.4-convex excess.n", 1,
      "n = 10000 to 1e+08, 5 points, 128 replicates",
      "T fixed: its first term stays",
      "INCONCLUSIVE, its control missed",
      "With T fixed at this number the control bends within the window; with few steps its first term stays "
      "throughout." },

    { "dp-gcd/convex.thm4.4.excess.r",
      "dp-gcd/thm4.4-convex excess.R", 1,
      "r = 1 to 100, 4 points, 128 replicates",
      "T fixed: R^2",
      "INCONCLUSIVE, its control missed",
      "With T fixed at this number the control bends within the window; with few steps its first term stays "
      "throughout." },

    { "dp-gcd/convex.thm4.4.excess.L",
      "dp-gcd/thm4.4-convex excess.L", 1,
      "L = 1 to 100, 4 points, 128 replicates",
      "T fixed: L",
      "INCONCLUSIVE, its control missed",
      "With T fixed at this number the control bends within the window; with few steps its first term stays "
      "throughout." },

    { "dp-gcd/convex.thm4.4.excess.M",
      "dp-gcd/thm4.4-convex excess.M", 1,
      "M = 1 to 100, 4 points, 128 replicates",
      "T fixed: M",
      "INCONCLUSIVE, its control missed",
      "With T fixed at this number the control bends within the window; with few steps its first term stays "
      "throughout." },

    { "dp-gcd/convex.thm4.4.excess.eps, tried before",
      "dp-gcd/thm4.4-convex excess.eps", 1,
      "eps = 0.01 to 1, 4 points, 256 replicates",
      "T fixed: its first term stays",
      "no verdict about eps: the axis did not reach the runs",
      "A setting held epsilon at 1 at every point." },
    { "dp-gcd/convex.thm4.4.excess.eps",
      "dp-gcd/thm4.4-convex excess.eps", 2,
      "eps = 0.01 to 1, 4 points, 256 replicates",
      "T fixed: its first term stays",
      "INCONCLUSIVE, its control missed",
      "With T fixed at this number the control bends within the window; with few steps its first term stays "
      "throughout." },

    { "dp-gcd/strong.thm4.4.excess.mu",
      "dp-gcd/thm4.4-strong excess.mu", 1,
      "kappa = 0.001 to 0.1, 5 points, 64 replicates",
      "fewer records as kappa falls: two powers more",
      "INCONCLUSIVE, its control missed",
      "The control moves the slope by too little: two powers, not three." },

    { "dp-gcd/sparse.eq58.holds.M",
      "dp-gcd/thm4.7 excess of one step, last term.M", 1,
      "M = 10 to 1000, 3 points, 400 replicates",
      "entries twice as large as those bounded",
      "INCONCLUSIVE, its control missed: the control at the bound, 4",
      "Entries twice as large as those bounded come out at the bound itself." },

    { "dp-gcd/sparse.eq58.printed.M",
      "dp-gcd/thm4.7 excess of one step, as printed.M", 1,
      "M = 10 to 1000, 3 points, 800 replicates",
      "no small entries: it holds",
      "CONTRADICTED: at M = 10 F - F* is 0.05, below 0.087",
      "At M = 10 the printed bound holds, as 7/8 of the first gap alone exceeds what is left: the erratum "
      "shows from M = 100 on." },

    { "dp-gcd/dense.thm4.4.excess.k",
      "dp-gcd/dense.thm4.4.share.k", 1,
      "active = 1 to 64, 7 points, 64 replicates",
      "|w*_j| fixed: k^(4/3)",
      "CONTRADICTED: k^0.55",
      "With p fixed the choice errs among p - k flat coordinates, fewer as k grows; p is a multiple of k "
      "instead." },

    { "dp-gcd/rivals.sec6.7.cd.p",
      "dp-gcd/rivals excess of DP-CD, clear entries, L_j = 1.p", 1,
      "d = 16 to 1024, 4 points, 24 replicates",
      "DP-GCD: no power of p",
      "INCONCLUSIVE",
      "Six replicates of a search do not see that a coordinate is left out, whose whole gap then stays; 24 "
      "passes leave none out." },

    { "dp-gcd/strong.again.excess.mu",
      "dp-gcd/thm4.4-strong excess.mu", 2,
      "kappa = 0.001 to 0.1, 5 points, 64 replicates",
      "fewer records as kappa falls: three powers more",
      "SUPPORTED, 1/mu^0.99, by a band that has no upper end",
      "A band without an end holds 1/mu and no growth, the laws of rivals." },

    { "dp-gcd/strong.slow.excess.mu, tried before",
      "dp-gcd/thm4.4-strong excess.mu", 3,
      "kappa = 0.0005 to 0.016, p = 4, 16 and 64, n = 10^6 to 10^9, 12 to 20 replicates",
      "none",
      "no verdict: a simulation outside of the program",
      "The noise of a coordinate of curvature kappa averages where it is chosen often; among 64 it is chosen "
      "rarely." },

    { "dp-gcd/strong.thm4.4.excess.p",
      "dp-gcd/thm4.4-strong excess over the logarithm of T.p", 1,
      "d = 8 to 512, 7 points, 64 replicates",
      "more records as p grows: p^(3/2)",
      "INCONCLUSIVE: p^1.87 (1.84 to 1.90) at an edge of 1.85",
      "T has a logarithm that falls as p grows, by which the excess was not divided." },

    { "dp-gcd/convex.again.excess.r",
      "dp-gcd/thm4.4-convex excess.R", 2,
      "r = 1 to 100, 4 points, 128 replicates",
      "T fixed: its first term stays",
      "INCONCLUSIVE: the hardest curvature for staying at the start follows r",
      "The grid of curvatures follows r; with L = 100 one grid serves every r." },

    { "dp-gcd/convex.steps.excess.T",
      "dp-gcd/thm4.4-convex excess without noise, bound.T", 1,
      "T = 32 to 8192, 9 points",
      "a method that does not move",
      "HOLDS, slack 87",
      "The constant 8 is that of a step with noise; without noise gradient descent has a sharp one." },

    { "dp-gcd/sparse.thm4.7.excess.tau",
      "dp-gcd/thm4.7 excess.tau", 1,
      "active = 4 to 256, 7 points, 256 replicates",
      "T as tau^(3/2): tau^3",
      "INCONCLUSIVE: the gap at the start follows tau",
      "Entries of size 1 make the gap at the start grow as tau; with entries of size tau^(-1/2) it is one "
      "number." },

    { "dp-gcd/sparse.eq58.again.M",
      "dp-gcd/thm4.7 excess of one step, last term.M", 2,
      "M = 10 to 1000, 3 points, 400 replicates",
      "entries four times as large as those bounded",
      "INCONCLUSIVE: staying at the start passes the check too",
      "The gap at the start is below the bound itself; the last term is measured instead, beside a gap that the "
      "step must take." },

    { "dp-gcd/1.passes.T",
      "dp-gcd/algorithm1 passes.T", 1,
      "T = 1 to 256, 5 points",
      "twice the rounds",
      "IDENTITY",
      "With 100 records noise is larger than the gap; a count is that of a run that arrives, with 10^6." },

    { "dp-gcd/1.rounds.T",
      "dp-gcd/algorithm1 batch steps.T", 1,
      "T = 1 to 256, 5 points",
      "twice the rounds",
      "IDENTITY",
      "With 100 records noise is larger than the gap; a count is that of a run that arrives, with 10^6." },

    { "dp-gcd/1.choices.T",
      "dp-gcd/algorithm1 noisy maxima.T", 1,
      "T = 1 to 256, 5 points",
      "twice the rounds",
      "IDENTITY",
      "With 100 records noise is larger than the gap; a count is that of a run that arrives, with 10^6." },

    { "dp-gcd/1.laplace.T",
      "dp-gcd/algorithm1 Laplace values.T", 1,
      "T = 1 to 256, 5 points",
      "twice the rounds",
      "IDENTITY",
      "With 100 records noise is larger than the gap; a count is that of a run that arrives, with 10^6." },

    { "dp-gcd/1.coords.T",
      "dp-gcd/algorithm1 partial derivatives.T", 1,
      "T = 1 to 256, 5 points",
      "twice the rounds",
      "IDENTITY",
      "With 100 records noise is larger than the gap; a count is that of a run that arrives, with 10^6." },

    { "dp-gcd/4.2.lambda.T",
      "dp-gcd/thm4.2 scale of the noise.T", 1,
      "T = 1 to 1024, 6 points",
      "basic composition: T",
      "IDENTITY",
      "With few records noise is larger than the gap; a scale is that of a run that arrives." },

    { "dp-gcd/4.2.lambda.n",
      "dp-gcd/thm4.2 scale of the noise.n", 1,
      "n = 100 to 1e+06, 5 points",
      "rounds that grow as n: n^(-1/2)",
      "IDENTITY",
      "With few records noise is larger than the gap; a scale is that of a run that arrives." },

    { "dp-gcd/sec5.log1.order.seed",
      "dp-gcd/figure1 order against DP-CD.log1", 1,
      "seed = 1 to 16, 5 points, 32 replicates",
      "fifty times the noise",
      "INCONCLUSIVE",
      "It asked for 290 replicates." },

    { "dp-gcd/sec5.log2.order.seed",
      "dp-gcd/figure1 order against DP-CD.log2", 1,
      "seed = 1 to 16, 5 points, 32 replicates",
      "fifty times the noise",
      "INCONCLUSIVE: 0.92 times the rival (0.84 to 1.004) at seed = 1",
      "It asked for more replicates." },

    { "dp-gcd/sec5.square.support.seed",
      "dp-gcd/table3 wrong coordinates.square", 1,
      "seed = 1 to 16, 5 points, 128 replicates",
      "fifty times the noise",
      "INCONCLUSIVE: 11 of 128 runs",
      "It asked for 906 replicates." },

    { 0 }
};

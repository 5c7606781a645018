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
      "dp-gcd/strong.again.excess.mu", 1,
      "kappa = 0.001 to 0.1, 5 points, 64 replicates",
      "fewer records as kappa falls: two powers more",
      "INCONCLUSIVE, its control missed",
      "The control moves the slope by too little: two powers, not three." },

    { "dp-gcd/sparse.eq58.holds.M",
      "dp-gcd/thm4.7 excess of one step, bound.M", 1,
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

    { 0 }
};

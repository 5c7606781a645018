/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps_cases.c - every method on an instance that suits it, most of them taken from claims, at two lengths. The
 * percentages in the texts are shares of processor samples in a run, by calling function (perf record --call-graph
 * dwarf), without the oracle's opening. Where a line tells all of a step, the share of its questions is that within
 * the run. It may exceed the time of the same questions alone, up to 1.9 times: in a run a gradient waits for its
 * point and a projection for the step before it, while a question that is asked again finds its point in place. */
#include "bench/steps.h"

const struct steps_case steps_cases[] = {
    { "ac-sa", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "accelerated-dp-sgd", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "accelerated-dp-srgd", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "average-piece", "max_affine d=64", "T=%g", "acc=0.1 T=1e9", { 200, 400 }, { 200, 400 },
      "asked 47%; mean and step 19%, the choice of a piece, a random word a step, 19%, mark 8%, the loop 7%" },
    { "ball-accel-ac-sa", "noisy_l1 d=32", "", "acc=0.1 T=%g", { 10, 20 }, { 10, 20 } },
    { "ball-accel-epoch-sgd", "noisy_l1 d=32", "", "acc=0.1 T=%g", { 10, 20 }, { 10, 20 },
      "weights exp(<z,u> ...) of the rows 13%; steps, projections and distances in R^32 17%; single numbers 9%" },
    { "ball-accel-exact", "norm d=64", "", "acc=0.01 T=%g", { 30, 60 }, { 30, 60 },
      "distances that end and check the bisection: 53%, two combinations 13%" },
    { "ball-accel-pooled", "huber d=8", "", "acc=0.1 T=%g", { 20, 40 }, { 20, 40 } },
    { "ball-iteration", "norm d=64", "", "acc=0.01 T=%g", { 25, 50 }, { 25, 50 },
      "distances that end and check the bisection: 55%, two combinations 13%" },
    { "composite-ac-sa", "composite_l1 d=64", "", "acc=0.1 n=%g", { 500, 1000 }, { 1001, 2001 },
      "asked 61%; four combinations 18%, mark 7%, the loop and its numbers 14%" },
    { "composite-agd", "composite_l1 d=64", "", "acc=0.1 n=%g", { 8000, 32000 }, { 0 },
      "asked 67%; sums and combinations of its short epochs 17%, their loop and the sum of draws 12%, the level "
      "of a draw 3%" },
    { "composite-sgd", "composite_l1 d=64", "", "acc=0.1 n=%g", { 500, 1000 }, { 501, 1001 },
      "two combinations and a projection with its norm are four passes, 42%; a gradient is one" },
    { "coordinate-descent", "erm-drawn", "", "T=%g", { 200, 400 }, { 200, 400 } },
    { "cutting-planes", "huber d=8", "", "acc=0.01 T=%g", { 30, 60 }, { 30, 60 },
      "ends of the chords, a division for each cut, 38%; products of the directions with the cuts 35%; the normals "
      "of the directions 17%" },
    { "dp-cd", "erm-drawn", "T=1 K=%g", "eps=1 delta=1e-5 T=1e9", { 200, 400 }, { 200, 400 } },
    { "dp-descent", "sigmoid_stored d=32", "batch=full", "eps=1 delta=1e-5 T=%g", { 50, 100 }, { 50, 100 } },
    { "dp-ftrl", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "dp-fw", "private_mean d=64", "T=%g", "eps=1 delta=1e-5 T=1e9", { 200, 400 }, { 200, 400 },
      "the choice looks at its 128 candidates three times, for the ledger, the noise and the largest: 37%" },
    { "dp-gcd", "erm-drawn", "T=%g", "eps=1 delta=1e-5 T=1e9", { 200, 400 }, { 200, 400 } },
    { "dp-gd", "spectral_stored d=64", "", "eps=1 delta=1e-5 T=%g", { 50, 100 }, { 50, 100 } },
    { "dp-mirror", "private_mean d=64", "", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 },
      "powers for the link of the p-norm, at two to three multipliers, 46%; the largest entry, signs and the "
      "threshold 17%; asked 27%" },
    { "dp-prox-gd", "erm-drawn", "", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "dp-sgd", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "dp-srgd", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "envelope-agd", "half_ball d=64", "T=%g", "acc=0.1 n=1e9", { 2, 4 }, { 0 },
      "asked 53% with its waiting; two axpys and a combination of every inner step 26%, its loop and "
      "numbers 20%" },
    { "envelope-descent", "ring d=64", "K=%g", "acc=0.1 budget=1e9", { 40, 80 }, { 0 },
      "asked 61% with its waiting; sums and combinations of its estimate 25%, their loop 10%, the "
      "level of a draw 3%" },
    { "envelope-sgd", "half_ball d=64", "", "acc=0.1 n=%g", { 2000, 4000 }, { 2000, 4000 },
      "asked 57% with its waiting; two axpys and a combination of every inner step 27%, its loop and "
      "numbers 16%" },
    { "epoch-sgd", "huber_pair d=64", "", "n=%g", { 1018, 2036 }, { 1002, 2025 } },
    { "gd", "spectral d=64", "", "T=%g", { 200, 400 }, { 200, 400 },
      "the step and the norm of a projection are two passes, 39%; the gradient is two" },
    { "gradient-sliding", "composite_l1 d=64", "", "acc=0.1 n=%g", { 500, 1000 }, { 0 },
      "asked 71% with its waiting; two combinations and a sum of every inner step 21%, their loop 5%" },
    { "interpolated-descent", "peaked d=64", "", "acc=0.1 T=%g", { 50, 100 }, { 50, 100 },
      "asked 54% with its waiting; the shortened gradient, a difference and two products, 23%, combinations and "
      "norms 10%, its random share of a step 2%" },
    { "largest-piece", "max_affine d=64", "T=%g", "acc=0.1 T=1e9", { 50, 100 }, { 100, 200 } },
    { "localised-ac-sa", "spectral d=64", "", "eps=1 delta=1e-5 n=%g", { 2000, 4000 }, { 0 } },
    { "localised-sgd", "glm_stored d=64 n=%1$g", "", "eps=1 delta=1e-5 n=%1$g", { 1000, 2000 }, { 0 } },
    { "localised-smoothing", "glm_stored d=64 n=%1$g", "", "eps=1 delta=1e-5 n=%1$g", { 1000, 2000 }, { 0 } },
    { "max-agd", "max_affine d=64", "", "acc=0.1 T=%g", { 200, 400 }, { 200, 400 },
      "asked 68% with its waiting; the choice and acceptance of pieces by the softmax 25%, combinations "
      "and norms of the ball oracle 7%" },
    { "mopes", "half_ball d=64", "", "acc=0.1 n=%g", { 2000, 4000 }, { 2000, 4000 },
      "asked 34%; the projection on its ball, which waits for the step, 24%; combinations of six iterates 30%, "
      "their loop 8%" },
    { "multi-epoch-dp-sgd", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "nesterov", "spectral d=64", "", "T=%g", { 200, 400 }, { 200, 400 },
      "asked 80%, whose projection waits for the step; two combinations and the loop 14%, mark 2%" },
    { "o2nc", "sloped d=64", "", "acc=0.1 n=%g", { 2000, 4000 }, { 0 },
      "asked 68%, by tickets of one sample; combinations 12%, its random share of a step 7%, norms 6%, the loop "
      "6%" },
    { "online-to-batch", "spectral d=64", "B=16", "eps=1 delta=1e-5 T=%g", { 200, 400 }, { 200, 400 } },
    { "phased-erm", "spectral d=64", "", "eps=1 delta=1e-5 n=%g", { 2000, 4000 }, { 0 } },
    { "phased-optimum", "linear d=64", "", "eps=1 delta=1e-5 n=%g", { 4000, 16000 }, { 0 },
      "asked 66%; combinations of its short epochs 9%, their loop and the sum of draws 8%, tallies of who was used "
      "7%, random samples 6%, levels and norms of draws 3%" },
    { "phased-sgd", "linear d=64", "", "eps=1 delta=1e-5 n=%g", { 1000, 2000 }, { 994, 1994 },
      "asked 60%; four combinations and copies 22%, tickets of one sample and whether the projection moved 6%, the "
      "loop 11%" },
    { "private-zo-many", "sloped d=32", "", "eps=1 delta=1e-5 acc=0.1 n=%g", { 500, 1000 }, { 0 } },
    { "private-zo-o2nc", "sloped d=32", "", "eps=1 delta=1e-5 acc=0.1 n=%g", { 1000, 2000 }, { 0 } },
    { "randomised-smoothing", "half_ball d=64", "", "acc=0.1 T=%g", { 100, 200 }, { 0 } },
    { "resque-private-erm", "coins_stored d=2 n=2000 bias=0.5", "M=1 c_T=1", "eps=0.9 delta=1e-3 n=2000 T=%g",
      { 50, 100 },
      { 50, 100 },
      "in R^2 nothing fills a vector: single random words 25%, weights and plan 15%" },
    { "resque-private-sco", "coins d=2 bias=0.5", "M=1 c_T=1", "eps=0.9 delta=1e-3 n=%g", { 2000, 4000 }, { 0 },
      "in R^2 nothing fills a vector: plans and prices of calls 15%, single random words 15%, weights 10%" },
    { "sgd", "spectral d=64", "", "T=%g", { 500, 1000 }, { 500, 1000 },
      "step, norm, mean and mark are four passes, 33%; the gradient is two" },
    { "shrinking-smoothing", "half_ball d=64", "", "acc=0.1 T=%g", { 100, 200 }, { 100, 200 } },
    { "snowball-sgd", "spectral d=64", "", "eps=1 delta=1e-5 n=%g", { 500, 1000 }, { 0 } },
    { "tree-spider", "sigmoid d=32", "", "eps=1 delta=1e-5 n=%g", { 1000, 2000 }, { 0 } },
    { "zo-descent", "sloped d=64", "", "acc=0.1 T=%g", { 200, 400 }, { 200, 400 } },
    { "zo-o2nc", "sloped d=64", "", "acc=0.1 T=%g", { 200, 400 }, { 200, 400 } },
    { 0 }
};

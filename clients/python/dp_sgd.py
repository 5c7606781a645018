#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One-pass DP-SGD in Python: disjoint batches, clipped gradients, noise of the harness."""
from math import log, sqrt

import numpy

from assay_method import method


def run(problem):
    n, eps, delta = problem.goal["n"], problem.goal["eps"], problem.goal["delta"]
    rounds = int(problem.param["T"])
    size, clip = int(n // rounds), problem.param["C"]
    # every record is in one release: the classical bound of the Gaussian mechanism, eps <= 1
    scale = clip / size * sqrt(2 * log(1.25 / delta)) / eps
    x, mean = problem.start.copy(), numpy.zeros(problem.d)
    for t in range(rounds):
        batch = problem.batch(size)
        g = problem.sample_gradient(batch, x, clip)
        g = problem.release("gradient", g, clip / size, scale, batch)
        x = problem.project(x - problem.param["step"] * g)
        mean += (x - mean) / (t + 1)
        problem.mark(mean)
    return mean


if __name__ == "__main__":
    method(run, doc="one-pass DP-SGD, in Python", calls=["samples", "noise"], adjacency="zero-out",
           params={"T": 10, "C": 1.0, "step": 0.1})

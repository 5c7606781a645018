#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A method that leaks, for tests of the audit. It differs from dp_sgd.py in the step size, which depends on the norm
of a gradient without noise."""
from math import log, sqrt

import numpy

from assay_method import method


def run(problem):
    n, eps, delta = problem.goal["n"], problem.goal["eps"], problem.goal["delta"]
    rounds = int(problem.param["T"])
    size, clip = int(n // rounds), problem.param["C"]
    scale = clip / size * sqrt(2 * log(1.25 / delta)) / eps
    x, mean = problem.start.copy(), numpy.zeros(problem.d)
    for t in range(rounds):
        batch = problem.batch(size)
        g = problem.sample_gradient(batch, x, clip)
        noisy = problem.release("gradient", g, clip / size, scale, batch)
        step = problem.param["step"] / (1 + numpy.linalg.norm(g))        # the norm of what was to stay secret
        x = problem.project(x - step * noisy)
        mean += (x - mean) / (t + 1)
    return mean


if __name__ == "__main__":
    method(run, doc="DP-SGD whose step looks at the data", calls=["samples", "noise"], adjacency="zero-out",
           params={"T": 10, "C": 1.0, "step": 0.1})

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gradient descent with the step 1/M, to start from."""
from assay_method import method


def run(problem):
    step = problem.param["step"] or 1 / problem.fact["M_F"]
    x = problem.start
    while True:                          # until the budget ends it; the last mark is then the answer
        x = x - step * problem.gradient(x)
        problem.mark(x)


if __name__ == "__main__":
    method(run, doc="gradient descent, in Python", params={"step": 0.0}, calls=["gradient"], facts=["M_F"])

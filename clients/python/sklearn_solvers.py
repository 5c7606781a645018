#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solvers of scikit-learn as a method: newton-cg of LogisticRegression, and the updates of MLPClassifier, which are
adam and sgd with Nesterov's momentum. Every value and gradient is asked of the harness. newton-cg takes products
with the Hessian as differences of gradients."""
import warnings

import numpy
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer
from sklearn.utils.optimize import _newton_cg

from assay_method import method


def newton(problem):
    def gradient_and_product(x):
        g, scale = problem.gradient(x), 1e-6 * max(1.0, numpy.linalg.norm(x))

        def product(v):
            h = scale / max(numpy.linalg.norm(v), 1e-300)
            return (problem.gradient(x + h * v) - problem.gradient(x - h * v)) / (2 * h)
        problem.mark(x)
        return g, product

    warnings.simplefilter("ignore")          # a warning says that a line search ended early
    return _newton_cg(gradient_and_product, problem.value, problem.gradient, problem.start,
                      tol=problem.param["tol"], maxiter=int(problem.param["iterations"]))[0]


def updates(problem, solver):
    x = problem.start.copy()
    while True:                              # until the budget ends it; the last mark is then the answer
        solver.update_params([x], [problem.gradient(x)])
        problem.mark(x)


def run(problem):
    name, rate = problem.param["method"], problem.param["rate"]
    if name == "newton-cg":
        return newton(problem)
    x = [problem.start]
    solver = AdamOptimizer(x, rate) if name == "adam" else SGDOptimizer(x, rate, momentum=0.9, nesterov=True)
    return updates(problem, solver)


if __name__ == "__main__":
    method(run, doc="a solver of scikit-learn", cite="scikit-learn", calls=["value", "gradient"],
           assumes=["unbounded"],
           params={"method": ["newton-cg", "adam", "sgd"], "tol": 1e-10, "iterations": 200, "rate": 0.1})

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks every question of the protocol once or more, on logistic regression with l1, and compares the answers with what they
must be. test_exec checks the counts."""
import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients", "python"))
from assay_method import method                                                      # noqa: E402


def same(what, a, b, tolerance=1e-12):
    if not numpy.allclose(a, b, rtol=tolerance, atol=tolerance):
        raise ValueError("%s: %s differs from %s" % (what, a, b))


def run(p):
    rng, d, n = p.rng, p.d, int(p.fact["n"])
    x = rng.standard_normal(d) / d
    points = [x + k * 0.01 for k in range(65)]           # two messages
    f = p.values(points)
    g = p.gradient(x)
    y = x.copy()
    for j in range(2):                                   # central differences
        y[j] += 1e-5
        high = p.value(y)
        y[j] -= 2e-5
        same("gradient", g[j], (high - p.value(y)) / 2e-5, 1e-6)
        y[j] = x[j]
    same("value", f[0], p.value(x))
    every = p.batch(scheme="all")
    assert every.size == n
    l1 = 0.01 * numpy.abs(x).sum()
    same("mean of samples", p.sample_gradient(every, x), g - 0.01 * numpy.sign(x))
    same("mean of values", p.sample_value(every, x), f[0] - l1)
    for scheme, b in (("take", 5), ("draw", 7), ("subset", 9), ("shuffle", 1)):
        batch = p.batch(b, scheme)
        assert batch.size == (n if scheme == "shuffle" else b), scheme
        assert numpy.linalg.norm(p.sample_gradient(batch, x, clip=1e-3)) <= 1e-3 * (1 + 1e-12)
    assert p.batch(0.1, "poisson").size is None
    same("prox", p.prox(2.0, 3 * x), numpy.sign(x) * numpy.maximum(3 * numpy.abs(x) - 0.02, 0))
    far = 100 * x
    same("projection", p.project(far), far * min(1, p.radius / numpy.linalg.norm(far)))
    same("release", p.release("exact", x, 1.0, 0.0), x)
    noisy = p.release("laplace", x, 1.0, 2.0, every, law="laplace", norm="1") - x
    assert 0 < numpy.abs(noisy).max() < 100
    p.depth(5)
    p.mark(x)
    return x


if __name__ == "__main__":
    method(run, doc="asks everything", calls=["value", "gradient", "samples", "sample_values", "prox", "noise"], facts=["n"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_pep.py ASSAY - worst cases by PEPit, which solves a semidefinite program over all smooth convex functions,
beside runs on hard instances. Gradient descent on the Huber function must meet the worst case. Nesterov's method
must stay below its worst case on Huber functions of all widths, and one of them must come near to it. Both times
are those of one worst case of ten steps."""
import importlib.util
import json
import subprocess
import sys
import time

from peers_table import Table

PROGRAM, STEPS = sys.argv[1], 10


def excess(algorithm, tau):
    """F(x_T) - F* on the 1-smooth Huber function that is quadratic up to tau, from distance 1; and seconds."""
    words = [PROGRAM, "solve", "--algorithm", algorithm, "--problem", "huber", "--set", f"problem.tau={tau!r}",
             "--T", str(STEPS), "--format", "json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"peers: {done.stderr}")
    record = json.loads(done.stdout)["record"]
    return record["values"]["measure.excess"], record["seconds"]


def worst(nesterov):
    """Largest F(x_T) - F* over all 1-smooth convex F with |x_0 - x*| <= 1; and processor seconds."""
    from PEPit import PEP
    from PEPit.functions import SmoothConvexFunction
    begin = time.process_time()
    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=1)
    best = f.stationary_point()
    x = y = problem.set_initial_point()
    problem.set_initial_condition((x - best) ** 2 <= 1)
    theta = 1
    for _ in range(STEPS):
        before, x = x, y - f.gradient(y)
        after = (1 + (1 + 4 * theta * theta) ** 0.5) / 2
        y = x + (theta - 1) / after * (x - before) if nesterov else x
        theta = after
    problem.set_performance_metric(f(x) - f(best))
    value = problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)
    return value, time.process_time() - begin


def main():
    out = Table()
    names = "worst case of gradient descent", "worst case of Nesterov's method"
    if not importlib.util.find_spec("PEPit"):
        for name in names:
            out.skip(name, "PEPit", "PEPit is not installed (PyPI)")
        return 0
    ours, spent = excess("gd", 1 / (2 * STEPS + 1))
    value, theirs = worst(False)
    out.row(names[0], spent, theirs, "PEPit, Clarabel", abs(ours - value), 1e-9, f"F(x) - F* after {STEPS} steps")
    runs = [excess("nesterov", k / 1000) for k in range(5, 50)]
    ours = max(run[0] for run in runs)
    value, theirs = worst(True)
    out.row(names[1], sum(run[1] for run in runs), theirs, "PEPit, Clarabel",
            max(ours / value - 1, 0.99 - ours / value, 0), 1e-9,
            f"F(x) - F* after {STEPS} steps is at most the worst case, and at least 0.99 of it")
    return out.bad


sys.exit(main())

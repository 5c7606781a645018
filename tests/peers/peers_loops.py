# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_loops.py ASSAY - what it costs that a query is counted, beside benchopt and COCO. The objective of all
three is a quadratic of five coordinates, whose own work is a few operations. assay and benchopt run gradient
descent, and their last values are compared. COCO answers values and no gradients: its counter is compared with the
number of queries, and a query stands beside a whole step of descent."""
import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import time

from peers_table import Table

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"
PROGRAM, STEP, LONG, SHORT = sys.argv[1], 1e-5, 2000000, 20000
OBJECTIVE = """
import numpy as np
from benchopt import BaseObjective
class Objective(BaseObjective):
    name = "ball"
    def set_data(self, x0): self.x0 = x0
    def get_objective(self): return dict(x0=self.x0)
    def evaluate_result(self, x): return dict(value=float(x @ x / 2))
    def get_one_result(self): return dict(x=self.x0)
"""
DATASET = """
import numpy as np
from benchopt import BaseDataset
class Dataset(BaseDataset):
    name = "start"
    def get_data(self): return dict(x0=np.eye(5)[0])
"""
SOLVER = """
import time
from benchopt import BaseSolver
class Solver(BaseSolver):
    name = "gd"
    sampling_strategy = "callback"
    def set_objective(self, x0): self.x = x0.copy()
    def run(self, callback):
        begin = time.process_time()
        for _ in range({steps}):
            callback()
            self.x = self.x - {step} * self.x
        with open({spent!r}, "w") as f:
            print(time.process_time() - begin, file=f)
    def get_result(self): return dict(x=self.x)
"""


def assay(steps):
    """Seconds of the run by its own clock, the last value and the gradients that were counted."""
    words = [PROGRAM, "solve", "--algorithm", "gd", "--problem", "huber", "--d", "5", "--set", "problem.tau=1e3",
             "--set", f"algo.step={STEP}", "--T", str(steps), "--budget", "1e15", "--format", "json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"peers: {done.stderr}")
    record = json.loads(done.stdout)["record"]
    return record["seconds"], record["values"]["measure.excess"], record["values"]["count.full_grads"]


def benchopt(steps):
    from benchopt import run_benchmark
    import pandas
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("objective.py", OBJECTIVE), ("datasets/start.py", DATASET),
                           ("solvers/gd.py", SOLVER.format(steps=steps, step=STEP, spent=folder + "/spent"))):
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "w", encoding="ascii") as f:
                f.write(text)
        with contextlib.redirect_stdout(io.StringIO()):
            run_benchmark(folder, max_runs=10 ** 6, plot_result=False, show_progress=False, no_cache=True,
                          output_file=folder + "/out.parquet")
        table = pandas.read_parquet(folder + "/out.parquet")
        with open(folder + "/spent", encoding="ascii") as f:
            return float(f.read()), float(table["objective_value"].iloc[-1])


def coco(queries):
    import cocoex
    import numpy as np
    problem = cocoex.Suite("bbob", "", "dimensions:5 function_indices:1 instance_indices:1")[0]
    x = np.zeros(5)
    begin = time.process_time()
    for _ in range(queries):
        problem(x)
    return (time.process_time() - begin) / queries, abs(problem.evaluations - queries)


def main():
    out = Table()
    runs = [assay(LONG) for _ in range(3)]
    if any(run[2] != LONG for run in runs):
        sys.exit(f"peers: {runs[0][2]} gradients counted: expected {LONG}")
    ours = min(run[0] for run in runs) / LONG
    work = "a counted step of descent, d = 5"
    if importlib.util.find_spec("benchopt"):
        spent, value = benchopt(SHORT)
        out.row(work, ours, spent / SHORT, "benchopt, its callback", abs(value / assay(SHORT)[1] - 1), 1e-10,
                f"the value after {SHORT} steps, relatively")
    else:
        out.skip(work, "benchopt", "benchopt is not installed (PyPI)")
    if importlib.util.find_spec("cocoex"):
        theirs, off = min(coco(SHORT) for _ in range(3))
        out.row("a counted query, d = 5", ours, theirs, "coco-experiment, values of bbob's sphere", off, 0,
                "the count of queries; assay's time has a step of descent in it")
    else:
        out.skip("a counted query, d = 5", "coco-experiment", "coco-experiment is not installed (PyPI)")
    return out.bad


sys.exit(main())

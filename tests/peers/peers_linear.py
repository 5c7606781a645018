# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_linear.py ASSAY - the work of linear models beside who else does it on Debian: numpy, scipy,
scikit-learn and liblinear, each on one core and as it is meant to be used. Of each row the answers are
held against one another first; then processor time, where it can be less that of starting and reading.
Ends with 1 if answers differ."""
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from peers_table import Table

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"
HAVE = {name: importlib.util.find_spec(name) is not None for name in ("numpy", "scipy", "sklearn")}
if not (HAVE["numpy"] and HAVE["scipy"]):
    Table().skip("linear models", "numpy", "numpy or scipy is not installed (Debian: python3-numpy python3-scipy)")
    sys.exit(0)
import numpy as np
import scipy.sparse as sp
from scipy.special import expit

L2, STEP = 0.01, 1
PROGRAM = sys.argv[1]


def processor():
    t = resource.getrusage(resource.RUSAGE_CHILDREN)     # os.times() counts in hundredths
    return t.ru_utime + t.ru_stime


def run(words):
    """Processor seconds of a command, and what it said."""
    before = processor()
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    spent = processor() - before
    if done.returncode:
        sys.exit(f"peers: {' '.join(map(str, words))}: {done.stderr}")
    return spent, done.stdout


def solve(data, algorithm, *words, l2=L2):
    return run([PROGRAM, "solve", "--algorithm", algorithm, "--data", data, "--loss", "logistic", "--l1",
                0, "--l2", l2, "--set", "problem.optimum=none", "--budget", 1e15, "--format", "json", *words])


def longer(make, few, many):
    """Seconds a step, the start taken off; make(steps) -> seconds. The least of three pairs."""
    return max(1e-9, min((make(few + many) - make(few)) / many for _ in range(3)))


def timed(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def model(data, p, algorithm, *words, l2=L2):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/model"
        solve(data, algorithm, *words, "--model", path, l2=l2)
        w = np.zeros(p)
        with open(path, encoding="ascii") as f:
            for line in f:
                words = line.split()
                if len(words) == 2 and words[0].isdigit():
                    w[int(words[0]) - 1] = float(words[1])
    return w


def objective(X, y, w, l2=L2):
    return np.logaddexp(0, -y * (X @ w)).mean() + l2 / 2 * w @ w


def write(path, X, y):
    X = sp.csr_matrix(X)
    with open(path, "w", encoding="ascii") as f:
        for i in range(X.shape[0]):
            row = slice(X.indptr[i], X.indptr[i + 1])
            pairs = " ".join(f"{j + 1}:{v}" for j, v in zip(X.indices[row], X.data[row]))
            f.write(f"{int(y[i])} {pairs}\n")


def tables(folder):
    """Dense and sparse, rows of about norm 1, labels of a model with noise."""
    r = np.random.default_rng(1)
    dense = (r.standard_normal((4000, 500)) / np.sqrt(500)).round(4)
    columns = np.concatenate([np.sort(r.choice(20000, 50, replace=False)) for _ in range(20000)])
    entries = (r.standard_normal(columns.size) / np.sqrt(50)).round(4)
    sparse = sp.csr_matrix((entries, columns, np.arange(20001) * 50), (20000, 20000))
    for name, X in (("dense", dense), ("sparse", sparse)):
        w = 8 * r.standard_normal(X.shape[1])
        y = np.where(r.random(X.shape[0]) < expit(X @ w), 1.0, -1.0)
        path = f"{folder}/{name}"
        write(path, X, y)
        yield name, path, X, y


NO_SKLEARN = "scikit-learn", "scikit-learn is not installed (Debian: python3-sklearn)"


def gradient_passes(out, name, path, X, y):
    def descend(steps):
        w = np.zeros(X.shape[1])
        for _ in range(steps):
            w = w - STEP * (X.T @ (-y * expit(-y * (X @ w))) / len(y) + L2 * w)
        return w
    steps = ["--set", f"algo.step={STEP}", "--T"]
    off = np.abs(model(path, X.shape[1], "gd", *steps, 5) - descend(5)).max()
    ours = longer(lambda T: solve(path, "gd", *steps, T)[0], 1, 200)
    theirs = longer(lambda T: timed(lambda: descend(T)), 1, 40)
    out.row(f"gradient pass, {name}", ours, theirs, "numpy" if name == "dense" else "scipy", off, 1e-10,
            "w after 5 steps")


def reading(out, name, path, X, y):
    if not HAVE["sklearn"]:
        out.skip(f"reading LIBSVM, {name}", *NO_SKLEARN)
        return
    from sklearn.datasets import load_svmlight_file
    theirs = min(timed(lambda: load_svmlight_file(path)) for _ in range(3))
    again = load_svmlight_file(path)[0]
    ours = min(solve(path, "gd", "--T", 1)[0] for _ in range(3))   # and a step, and the answer's loss
    w = np.random.default_rng(2).standard_normal(X.shape[1])
    out.row(f"reading LIBSVM, {name}", ours, theirs, "scikit-learn", np.abs(again @ w - X @ w).max(), 1e-9,
            "a product with the table that was read")


def epochs(out, name, path, X, y):
    """One pass of SGD with a constant step: the orders differ, so the objectives are compared, within
    what 1000 of such orders would leave."""
    if not HAVE["sklearn"]:
        out.skip(f"epoch of SGD, {name}", *NO_SKLEARN)
        return
    from sklearn.linear_model import SGDClassifier
    n = len(y)

    def epoch(k=1):
        m = SGDClassifier(loss="log_loss", alpha=L2, fit_intercept=False, max_iter=k, tol=None,
                          learning_rate="constant", eta0=STEP, random_state=1, shuffle=True)
        return m.fit(X, y).coef_[0]
    words = ["--set", f"algo.step={STEP}", "--set", "algo.B=1", "--set", "algo.answer=last", "--T"]
    # Reading the file takes 250 ms, not always the same; an epoch takes 3 to 6 ms. So many epochs are timed.
    ours = longer(lambda k: solve(path, "sgd", *words, k * n)[0], 1, 200)
    theirs = longer(lambda k: timed(lambda: epoch(k)), 1, 100)
    a, b = objective(X, y, model(path, X.shape[1], "sgd", *words, 4 * n)), objective(X, y, epoch(4))
    out.row(f"epoch of SGD, {name}", ours, theirs, "scikit-learn", abs(a - b) / b, 0.02,
            "objective after 4 epochs, relatively")


def coordinates(out, name, path, X, y):
    """liblinear minimises |w|^2/2 + C sum of losses: l2 = 1/(C n). Each with the loosest tolerance, or
    the fewest passes, of a list that comes within 1e-8 of what liblinear reaches at its tightest."""
    train, l2, allowed = shutil.which("liblinear-train"), 0.001, 1e-8
    if not train:
        out.skip(f"coordinate descent to 1e-8, {name}", "liblinear",
                 "liblinear-train is not installed (Debian: liblinear-tools)")
        return

    def liblinear(e):
        with tempfile.TemporaryDirectory() as folder:
            spent, _ = run([train, "-q", "-s", 7, "-e", e, "-c", 1 / (l2 * len(y)), path, folder + "/m"])
            words = open(folder + "/m", encoding="ascii").read().split("w\n")
        w = np.zeros(X.shape[1])
        values = np.array(words[1].split(), dtype=float)
        w[:len(values)] = values
        positive = next(line.split()[1] for line in words[0].splitlines() if line.startswith("label"))
        return spent, objective(X, y, -w if positive == "-1" else w, l2)

    def assay(passes):
        words = ["--set", "algo.rule=cyclic", "--set", f"algo.T={passes * X.shape[1]}"]
        spent, _ = solve(path, "coordinate-descent", *words, l2=l2)
        return spent, objective(X, y, model(path, X.shape[1], "coordinate-descent", *words, l2=l2), l2)

    def first(solver, choices, least):
        for choice in choices:
            spent, value = solver(choice)
            if value - least <= allowed * least:
                break
        return choice, min(spent, solver(choice)[0]), value

    least = liblinear(1e-12)[1]
    e, theirs, _ = first(liblinear, [10.0 ** -k for k in range(0, 13)], least)
    passes, ours, value = first(assay, [5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 400, 800], least)
    out.row(f"coordinate descent to 1e-8, {name}", ours, theirs,
            f"liblinear -s 7 -e {e:g}; {passes} passes", abs(value / least - 1), allowed,
            "objective, relatively, at the loosest setting that comes so close")


def normals(out):
    bench = os.path.join(os.path.dirname(PROGRAM), "bench")
    if not os.path.exists(bench):
        out.skip("a normal", "numpy", "build/bench is not there (make bench)")
        return
    _, text = run([bench, "--benchmark_filter=random/normals/16384", "--benchmark_format=json"])
    ours = [b["cpu_time"] * 1e-9 / 16384 for b in json.loads(text)["benchmarks"]
            if b["name"].startswith("random/normals/16384") and b.get("aggregate_name") == "median"]
    r, x = np.random.default_rng(1), np.empty(1 << 16)
    theirs = min(timed(lambda: [r.standard_normal(out=x) for _ in range(50)]) for _ in range(3))
    out.row("a normal", ours[0], theirs / 50 / x.size, "numpy", None, 0, "laws: see the tests")


def private_steps(out, name, path, X, y):
    """Clipped gradients of a Poisson sample and Gaussian noise. Passes over all records without noise are
    descent with clipped gradients, of which some are clipped and some are not. Private methods would scale
    longer rows to 1, unasked. The peer takes norms of gradients from those of the records; the second row has it as
    Opacus does it, for any model: the gradient of every record is stored, measured, scaled and added."""
    n, C, B = len(y), 0.48, 512
    norm = np.sqrt((X * X).sum(axis=1))

    def known(X, slope, norm):
        factor = np.minimum(1, C / np.maximum(np.abs(slope) * norm, 1e-300))
        return (slope * factor) @ X, (factor < 1).mean()

    def stored(X, slope, _):
        each = slope[:, None] * X
        factor = np.minimum(1, C / np.maximum(np.linalg.norm(each, axis=1), 1e-300))
        return np.einsum("i,ij->j", factor, each), (factor < 1).mean()

    def descend(clip, steps, share, sigma, r):
        w, clipped = np.zeros(X.shape[1]), 0
        for _ in range(steps):
            i = np.flatnonzero(r.random(n) < share) if share < 1 else slice(None)
            slope = -y[i] * expit(-y[i] * (X[i] @ w))
            total, many = clip(X[i], slope, norm[i])
            clipped += many / steps
            w = w - STEP * (total / (share * n) + (sigma * r.standard_normal(len(w)) if sigma else 0))
        return w, clipped
    words = ["--scaling", "none", "--eps", 1, "--delta", 1e-5, "--set", "problem.radius=1e6",
             "--set", f"algo.C={C}", "--set", f"algo.step={STEP}", "--set", "algo.answer=last"]
    whole = ["--set", "algo.E=5", "--set", "algo.T=5", "--set", f"algo.B={n}", "--set", "algo.sigma=0"]
    part = ["--set", "algo.variant=poisson", "--set", f"algo.B={B}", "--set", "algo.sigma=0.01"]
    answer = model(path, X.shape[1], "multi-epoch-dp-sgd", *words, *whole, l2=0)
    ours = longer(lambda T: solve(path, "multi-epoch-dp-sgd", *words, *part, "--set", f"algo.T={T}",
                                  l2=0)[0], 500, 3000)
    for how, clip in (("", known), (", all gradients stored", stored)):
        r = np.random.default_rng(3)
        w, clipped = descend(clip, 5, 1, 0, r)
        theirs = longer(lambda T: timed(lambda: descend(clip, T, B / n, 0.01, r)), 2, 200)
        out.row(f"DP-SGD step of {B}, {name}{how}", ours, theirs,
                f"numpy; {100 * clipped:.0f}% clipped" + (", as Opacus does" if how else ""),
                np.abs(answer - w).max(), 1e-10, "w after 5 clipped steps without noise")


def main():
    out = Table()
    with tempfile.TemporaryDirectory() as folder:
        for table in tables(folder):
            for work in (reading, gradient_passes, epochs, coordinates):
                work(out, *table)
            if table[0] == "dense":
                private_steps(out, *table)
    normals(out)
    return out.bad


sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_gcd.py ASSAY - a step of DP-GCD beside the same in numpy and scipy, as fast as these are without
compiled code of one's own: first the answers of both, without noise, then processor time a step with
the p Laplace values. Tables of the shape of dorothea (sparse) and madelon (dense)."""
import os
import subprocess
import sys
import tempfile
import time

from peers_table import Table

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"
try:
    import numpy as np
    import scipy.sparse as sp
except ImportError as missing:
    Table().skip("step of DP-GCD", "numpy", f"{missing.name} is not installed (Debian: python3-numpy python3-scipy)")
    sys.exit(0)

L1, STEPS, MORE = 0.01, 6, 300


def table(n, p, kept, r):
    if kept == p:
        return r.standard_normal((n, p)).round(3)
    columns = [np.sort(r.choice(p, kept, replace=False)) for _ in range(n)]
    entries = r.standard_normal(n * kept).round(3)
    return sp.csr_matrix((entries, np.concatenate(columns), np.arange(n + 1) * kept), (n, p))


def write(path, X, y):
    X = sp.csr_matrix(X)
    with open(path, "w") as f:
        for i in range(X.shape[0]):
            row = slice(X.indptr[i], X.indptr[i + 1])
            pairs = " ".join(f"{j + 1}:{v}" for j, v in zip(X.indices[row], X.data[row]))
            f.write(f"{int(y[i])} {pairs}\n")


class Peer:
    """Logistic loss, l1 by the prox, clip C_j = C sqrt(M_j/sum M), rule GS-s."""

    def __init__(self, X, y):
        self.y, (self.n, self.p) = y, X.shape
        self.sparse = sp.issparse(X)
        self.X = X
        square = X.multiply(X) if self.sparse else X * X
        self.M = np.asarray(square.sum(axis=0)).ravel() / (4 * self.n)
        self.C = np.sqrt(self.M)
        self.root = np.where(self.M > 0, self.C, np.inf)
        if self.sparse:
            self.columns = X.tocsc()
            self.row = np.repeat(np.arange(self.n), np.diff(X.indptr))
            self.bound = self.C[X.indices]
        else:
            self.columns = np.asfortranarray(X)

    def gradient(self, margin):
        slope = -self.y / (1 + np.exp(self.y * margin))
        if self.sparse:
            parts = np.clip(self.X.data * slope[self.row], -self.bound, self.bound)
            return np.bincount(self.X.indices, weights=parts, minlength=self.p) / self.n
        parts = self.X * slope[:, None]
        np.clip(parts, -self.C, self.C, out=parts)
        return parts.sum(axis=0) / self.n

    def run(self, steps, share, r):
        w, margin = np.zeros(self.p), np.zeros(self.n)
        scale = 2 * self.C / self.n
        for _ in range(steps):
            g = self.gradient(margin)
            v = g + r.laplace(size=self.p) * (scale / share) if share else g
            v = v + np.sign(w) * L1
            score = np.where(w == 0, np.abs(v) - L1, np.abs(v)) / self.root
            score[self.M == 0] = -np.inf         # an empty column has nothing to move
            j = int(np.argmax(score))
            u = g[j] + (r.laplace() * scale[j] / share if share else 0)
            to = w[j] - u / self.M[j]
            to = np.sign(to) * max(abs(to) - L1 / self.M[j], 0)
            if self.sparse:
                a = slice(self.columns.indptr[j], self.columns.indptr[j + 1])
                margin[self.columns.indices[a]] += (to - w[j]) * self.columns.data[a]
            else:
                margin += (to - w[j]) * self.columns[:, j]
            w[j] = to
        return w


def assay(program, data, steps, share, model=None):
    """The answer, or the processor time of the whole program."""
    words = [program, "solve", "--algorithm", "dp-gcd", "--data", data, "--loss", "logistic", "--l1",
             str(L1), "--l2", "0", "--eps", "1", "--set", f"algo.T={steps}", "--set",
             f"algo.share={share}", "--set", "problem.optimum=none"]
    before = os.times()
    done = subprocess.run(words + (["--model", model, "--force"] if model else []),
                          capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode:
        sys.exit(f"peers: {done.stderr}")
    return after.children_user - before.children_user


def read(path, p):
    w = np.zeros(p)
    with open(path) as f:
        for line in f:
            words = line.split()
            if len(words) == 2 and words[0].isdigit():
                w[int(words[0]) - 1] = float(words[1])
    return w


def main():
    program, r, out = sys.argv[1], np.random.default_rng(1), Table()
    for n, p, kept in ((800, 88119, 909), (2600, 500, 500)):
        with tempfile.TemporaryDirectory() as folder:
            X, y = table(n, p, kept, r), np.where(r.random(n) < 0.3, 1.0, -1.0)
            data, model = folder + "/table", folder + "/model"
            write(data, X, y)
            peer = Peer(X, y)
            assay(program, data, STEPS, 1e15, model)
            off = np.abs(read(model, p) - peer.run(STEPS, 0, r)).max()
            begin = assay(program, data, STEPS, 0.05)
            ours = (assay(program, data, STEPS + MORE, 0.05) - begin) / MORE
            begin = time.process_time()
            peer.run(STEPS * 5, 0.05, r)
            theirs = (time.process_time() - begin) / (STEPS * 5)
        name = f"{n} x {kept}" + (f" of {p}" if kept < p else "")
        out.row(f"DP-GCD step, {name}", ours, theirs, "numpy" if kept == p else "numpy and scipy", off, 1e-9,
                f"w after {STEPS} steps without noise")
    return out.bad


sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_pld.py ASSAY - a privacy loss distribution composed, beside the same in numpy and dp-accounting: the loss of the
Poisson-sampled Gaussian, discretised by connecting the dots (Doroshenko, Ghazi, Kamath, Kumar,
Manurangsi 2022), convolved with itself by one transform. Both are upper bounds on epsilon; numpy's
grid is the coarsest of halved ones whose bound is within 2e-6 of the truth, which assay has to bracket
that closely too: proved, from both sides, with the rounding of the transform, all in its time."""
import importlib.util
import json
import os
import subprocess
import sys
import time

from peers_table import Table

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"
try:
    import numpy as np
    from scipy.special import ndtr
except ImportError as missing:
    Table().skip("PLD of 1000 steps", "numpy", f"{missing.name} is not installed (Debian: python3-numpy python3-scipy)")
    sys.exit(0)

Q, SD, STEPS, DELTA, CLOSE = 0.01, 1.0, 1000, 1e-5, 2e-6      # as in bench_cells.c
PROGRAM, WORK = sys.argv[1], "PLD of 1000 steps to 2e-6"


def masses(h):
    """One step with the record, on the grid i h from `first` on: cells between neighbours are split so
    that the masses of both hypotheses stay. Returns the masses and `first`."""
    tail = 8.5 * SD                                          # 1e-17 outside
    ends = [np.log1p(Q * np.expm1((2 * x - 1) / (2 * SD * SD))) for x in (-tail, 1 + tail)]
    first, last = int(np.floor(ends[0] / h)), int(np.ceil(ends[1] / h))
    loss = np.arange(first, last + 1) * h
    inside = np.expm1(loss) / Q > -1                         # losses below log(1 - Q) do not occur
    x = np.full(loss.size, -np.inf)
    x[inside] = SD * SD * np.log1p(np.expm1(loss[inside]) / Q) + 0.5
    with_it = np.diff(Q * ndtr((x - 1) / SD) + (1 - Q) * ndtr(x / SD))
    without = np.diff(ndtr(x / SD))
    # p = low + high, r = low e^-l + high e^-(l + h)
    high = (with_it - without * np.exp(loss[:-1])) / -np.expm1(-h)
    out = np.zeros(loss.size)
    out[:-1] += with_it - high
    out[1:] += high
    return out, first


def epsilon(h):
    """Least eps with sum over losses above it of mass (1 - e^(eps - loss)) <= delta."""
    mass, first = masses(h)
    width = 24.0                                             # 12 standard deviations each way
    n = 1 << int(np.ceil(np.log2(width / h)))
    turned = np.zeros(n)
    turned[np.arange(first, first + mass.size) % n] = mass
    total = np.fft.irfft(np.fft.rfft(turned) ** STEPS, n)
    loss = np.arange(-(n // 2), n // 2) * h
    total = np.maximum(np.roll(total, n // 2), 0)
    positive = loss > 0
    loss, total = loss[positive][::-1], total[positive][::-1]
    over, scaled = np.cumsum(total), np.cumsum(total * np.exp(-loss))
    k = int(np.argmax(over - np.exp(loss) * scaled > DELTA))     # the first loss that is too low
    return np.log((over[k - 1] - DELTA) / scaled[k - 1])


def ours():
    words = [PROGRAM, "account", "subsampled-gaussian", "--q", Q, "--sigma", SD, "--steps", STEPS, "--delta",
             DELTA]
    text = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=True).stdout
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    return float(rows["pld"][1]), float(rows["pld"][2]), float(rows["inversion"][1])


def bench():
    path = os.path.join(os.path.dirname(PROGRAM), "bench")
    words = [path, "--benchmark_filter=cells/privacy loss", "--benchmark_format=json"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}
    times = [b["cpu_time"] * unit[b["time_unit"]] for b in json.loads(text)["benchmarks"]
             if b["name"].startswith("cells/privacy loss")
             and b.get("aggregate_name") == "median"]
    return times[0]


def timed(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def dp_accounting(out, mine, upper, truth):
    """The coarsest of halved grids whose bound is as close."""
    if not importlib.util.find_spec("dp_accounting"):
        out.skip(WORK, "dp-accounting", "dp-accounting is not installed (PyPI)")
        return
    from dp_accounting.pld import privacy_loss_distribution as losses

    def bound(h):
        one = losses.from_gaussian_mechanism(SD, value_discretization_interval=h, sampling_prob=Q)
        return one.self_compose(STEPS).get_epsilon_for_delta(DELTA)
    h, theirs = 2.0 ** -8, np.inf
    while h > 2.0 ** -16 and not 0 <= theirs / truth - 1 <= CLOSE:
        h /= 2
        theirs = bound(h)
    out.row(WORK, mine, min(timed(lambda: bound(h)) for _ in range(3)), f"dp-accounting, grid 2^{np.log2(h):.0f}",
            abs(theirs / upper - 1), 2 * CLOSE, "epsilon, relatively")


def main():
    if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "bench")):
        Table().skip(WORK, "numpy", "build/bench is not there (make bench)")
        return 0
    upper, lower, truth = ours()
    h = 2.0 ** -6
    while h > 2.0 ** -18 and not 0 <= epsilon(h) / truth - 1 <= CLOSE:
        h /= 2
    theirs = epsilon(h)
    if not (lower <= truth <= upper and upper / lower - 1 <= CLOSE and abs(theirs / upper - 1) <= 2 * CLOSE):
        sys.exit(f"peers: answers differ: {lower} to {upper}, numpy {theirs}, truth {truth}")
    mine, peer = bench(), min(timed(lambda: epsilon(h)) for _ in range(5))
    out = Table()
    dp_accounting(out, mine, upper, truth)
    out.row(WORK, mine, peer, f"numpy, grid 2^{np.log2(h):.0f}", abs(theirs / upper - 1),
            2 * CLOSE, f"epsilon, relatively; ours bounds from below too, within {upper / lower - 1:.1e}")
    return out.bad


sys.exit(main())

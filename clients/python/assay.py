# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of assay in pandas. Needs numpy, pandas and, to draw, matplotlib (Debian: python3-pandas,
python3-matplotlib).

    import assay
    runs = assay.runs("results/store/assay.db", paper="baselines")      # a row for each run
    runs = assay.runs("runs.csv")                                       # or from an export
    runs = assay.runs("results/store/assay.db", table="baselines", claim="baselines/sgd.rate.excess.n")
    runs = runs[runs["role"] == "main"]                                 # those of a claim, without its controls
    table = assay.means(runs, x="goal.n", y="measure.excess")           # means with 95% intervals
    assay.slopes(table)                                                 # exponents of the power laws that fit
    assay.draw(table).savefig("sweep.svg")

The store is read by the program itself, which must be of the version that wrote it: `program` names it, else the
variable ASSAY, else `assay` on the path. Means and exponents here are for looking; verdicts are those of
`assay verify`.
"""
import os
import pathlib
import subprocess
import tempfile
import warnings

import numpy as np
import pandas as pd

__all__ = ["runs", "trace", "means", "slopes", "draw"]


def _program(program):
    return program or os.environ.get("ASSAY") or "assay"


def _export(store, path, program, where, trace, selection):
    """Writes the SQLite file `path` from a store. ValueError: the program failed; the message is its own."""
    line = [_program(program), "export", "--format", "sqlite", "--store", os.fspath(store), "--force", path]
    if where:
        line += ["--where", where]
    if trace:
        line += ["--trace"]
    for name, value in selection.items():
        line += ["--" + name, str(value)]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip())


def _connect(path):
    """Opens an SQLite file to read."""
    import sqlite3
    return sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True)


def _is_store(path):
    """Is the file a store of assay, rather than a file that assay has exported?"""
    with open(path, "rb") as f:
        if f.read(15) != b"SQLite format 3":
            return False
    connection = _connect(path)
    try:
        return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'run_records'").fetchone())
    finally:
        connection.close()


def _table(path, table):
    connection = _connect(path)
    try:
        return pd.read_sql(f'SELECT * FROM "{table}"', connection)
    finally:
        connection.close()


def _read(path, table, program, where, trace, selection):
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError(path)
    store, text = _is_store(path), path.endswith((".csv", ".csv.gz", ".jsonl"))
    wrong = [] if store else ["where"] * bool(where) + list(selection)
    wrong += [f"table {table!r}"] * (text and table != "runs")
    if wrong:
        raise ValueError(f"{path} is an export, expected a store for {', '.join(wrong)}")
    if path.endswith(".jsonl"):
        return pd.read_json(path, lines=True, precise_float=True)
    if text:
        return pd.read_csv(path, float_precision="round_trip", low_memory=False)
    if not store:
        return _table(path, table)
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "runs.db")
        _export(path, made, program, where, trace, selection)
        return _table(made, table)


def runs(path, table="runs", program=None, where=None, **selection):
    """Returns a table with a row for each run of a store, or of a file that `assay export --wide` or
    `--format sqlite` has written.

    table: "runs", or the key of a paper with _ for -, which has a row for each run of each claim (`claim`,
    `role`, `x`).
    where, paper, claim, theorem, profile: only for a store; they select runs, as on the command line."""
    return _read(path, table, program, where, False, selection)


def trace(path, program=None, where=None, **selection):
    """Returns a table with a row for each mark of the runs that have a trace (`--set run.trace=1`): `id` as in
    `runs`, `row`, and the columns of the trace."""
    return _read(path, "trace", program, where, True, selection)


def means(frame, x="goal.n", y="measure.excess", by="algorithm"):
    """Returns the means of y over runs that ended well, at each x, for each value of the columns `by` (a name or a
    list).

    Columns: those of `by`, x, mean, lo and hi (95% by Student's t; NaN for a single run), runs. A warning names the
    settings of problem, algo and goal that differ between runs of one mean."""
    by = [by] if isinstance(by, str) else list(by)
    for name in [x, y, *by]:
        if name not in frame:
            raise KeyError(f"no column {name!r}; there are {', '.join(frame.columns)}")
    good = frame[frame["outcome"] == "ok"].dropna(subset=[x, y])
    groups = good.groupby([*by, x], dropna=False)
    settings = [c for c in good if c.startswith(("problem.", "algo.", "goal.")) and c not in [x, *by]]
    mixed = [c for c in settings if (groups[c].nunique(dropna=False) > 1).any()]
    if mixed:
        warnings.warn(f"runs with several values of {', '.join(mixed)} are averaged at one {x}: select some, or name "
                      "them in `by`", stacklevel=2)
    table = groups[y].agg(["mean", "std", "count"]).reset_index()
    half = _student(table["count"] - 1) * table["std"] / np.sqrt(table["count"])
    table["lo"], table["hi"] = table["mean"] - half, table["mean"] + half
    table = table.rename(columns={"count": "runs"})[[*by, x, "mean", "lo", "hi", "runs"]]
    table.attrs.update(x=x, y=y, by=by)
    return table


def _student(freedom):
    """Returns the 97.5% quantile of Student's t. It needs no scipy: Cornish and Fisher's expansion, and a table below
    4 degrees of freedom."""
    few = np.array([np.nan, 12.706204736174694, 4.302652729749462, 3.182446305283708])
    f = np.asarray(freedom, float)
    z = 1.959963984540054
    with np.errstate(divide="ignore", invalid="ignore"):
        t = z + (z**3 + z) / (4 * f) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2) \
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * f**3) \
            + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * f**4)
    return np.where(f < 4, few[np.clip(f, 0, 3).astype(int)], t)


def slopes(table):
    """Returns the exponent p of mean ~ x^p, by least squares on logarithms, for each curve of `means`; NaN for a
    curve of less than two points."""
    x, by = table.attrs["x"], table.attrs["by"]

    def slope(part):
        good = part[(part["mean"] > 0) & (part[x] > 0)]
        if len(good) < 2:
            return np.nan
        return np.polyfit(np.log(good[x]), np.log(good["mean"]), 1)[0]

    return pd.Series({key: slope(part) for key, part in _curves(table, by)}, name="exponent")


def _curves(table, by):
    """Returns the curves of `means` by their key: the value of the one column `by`, or a tuple of several."""
    return table.groupby(by[0] if len(by) == 1 else by, dropna=False)


def draw(table, ax=None):
    """Draws the curves of `means` with their intervals, both axes logarithmic. Returns the figure."""
    import matplotlib.pyplot as plt
    x, y, by = (table.attrs[k] for k in ("x", "y", "by"))
    if ax is None:
        _, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    exponent = slopes(table)
    for key, part in _curves(table, by):
        name = " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
        p = exponent[key]
        label = name if np.isnan(p) else f"{name}, exponent {p:.2f}"
        line, = ax.plot(part[x], part["mean"], marker="o", ms=3, label=label)
        low = part["lo"].clip(lower=np.finfo(float).tiny)
        ax.fill_between(part[x], low, part["hi"], color=line.get_color(), alpha=0.2, lw=0)
    ax.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    ax.legend()
    return ax.figure

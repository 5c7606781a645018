# SPDX-License-Identifier: GPL-3.0-or-later
"""fuzz.py BUILD SECONDS TARGET... - runs fuzz targets for some seconds each, from the inputs of BUILD/fuzz/TARGET
and tests/corpus/TARGET, and adds what they did to docs/testing.csv. `make fuzz` calls this.

A line of that file is a target: how many runs it had, how many executions and seconds in all of them, the edges of
the program that its inputs reach in the latest run, and `quiet`: for how many seconds of fuzzing no new edge was
found, across runs. A run begins with the inputs that earlier runs left in BUILD/fuzz, so that an edge is new once;
where they are gone, it is found again and counts as new. A target has had enough when it has GOALS executions and
QUIET seconds without a new edge; ENOUGH=skip leaves such targets out. The exit code is 1 if a target failed."""
import csv
import datetime
import fcntl
import glob
import os
import re
import subprocess
import sys
import time

KEPT = "docs/testing.csv"
COLUMNS = ["target", "runs", "executions", "seconds", "edges", "quiet", "latest"]
GOALS = {"store": 1e6, "command": 1e6}
EXECUTIONS, QUIET = 1e7, 600


def load():
    if not os.path.exists(KEPT):
        return {}
    with open(KEPT, encoding="ascii", newline="") as f:
        return {row["target"]: row for row in csv.DictReader(f)}


def add(target, code, executions, edges, found, quiet, took):
    """Adds a run to the file, under a lock, since other runs may end at the same time; returns the line."""
    with open(__file__, encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        rows = load()
        old = rows.get(target, dict.fromkeys(COLUMNS, 0))
        row = rows[target] = {
            "target": target, "runs": int(old["runs"]) + 1, "executions": int(old["executions"]) + executions,
            "seconds": int(old["seconds"]) + round(took),
            "edges": max(edges, int(old["edges"])) if code else edges,   # a failed run may not have read all inputs
            "quiet": round(quiet) + (0 if found else int(old["quiet"])), "latest": datetime.date.today().isoformat()}
        with open(KEPT + ".new", "w", encoding="ascii", newline="") as f:
            out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
            out.writeheader()
            out.writerows(rows[name] for name in sorted(rows))
        os.replace(KEPT + ".new", KEPT)
    return row


def fuzz(build, seconds, target):
    """Runs a target; returns (exit code, executions, edges, whether one was new, seconds since then or the start,
    seconds)."""
    build = os.path.abspath(build)          # since some targets change their folder
    inputs, log = f"{build}/fuzz/{target}", f"{build}/fuzz/{target}.log"
    os.makedirs(inputs, exist_ok=True)
    begun = now = newest = time.monotonic()
    executions, edges, found = 0, 0, False
    # Inputs are small: what they freed need not be kept long, nor the calls that led to each allocation.
    fast = {**os.environ, "ASAN_OPTIONS": "malloc_context_size=1:quarantine_size_mb=4"}
    with open(log, "w", encoding="utf-8") as kept, subprocess.Popen(
            [f"{build}/fuzz/fuzz_{target}", f"-max_total_time={seconds}", "-timeout=20",
             "-print_funcs=0", "-rss_limit_mb=2048", f"-artifact_prefix={build}/fuzz/{target}-", inputs,
             f"tests/corpus/{target}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", env=fast) as run:
        for line in run.stderr:
            kept.write(line)
            said = re.match(r"#(\d+)\s+(\w+)\s+cov: (\d+)", line)
            if not said:
                continue
            now, executions = time.monotonic(), int(said[1])
            if int(said[3]) > edges:
                newest = now
                found |= said[2] in ("NEW", "REDUCE")      # the others are inputs that were known
            edges = int(said[3])
    if run.returncode:
        with open(log, encoding="utf-8") as f:
            print("".join(f.readlines()[-40:]))
    return run.returncode, executions, edges, found, now - newest, now - begun


def main(build, seconds, *targets):
    failed = []
    for target in targets:
        old = load().get(target, dict.fromkeys(COLUMNS, 0))
        goal = GOALS.get(target, EXECUTIONS)
        if os.environ.get("ENOUGH") == "skip" and int(old["executions"]) >= goal and int(old["quiet"]) >= QUIET:
            print(f"fuzz {target}: left out, it has had enough")
            continue
        code, executions, edges, found, quiet, took = fuzz(build, seconds, target)
        row = add(target, code, executions, edges, found, quiet, took)
        if code:
            failed.append(target)
            print(f"fuzz {target}: FAILED, inputs:", *glob.glob(f"{build}/fuzz/{target}-*"), flush=True)
        print(f"fuzz {target}: {executions} executions, {edges} edges, {row['quiet']} s without a new one; in all "
              f"{row['executions']} of {goal:.0e}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""simulate.py STORE[=CELLS]... - how long the cells of stores would take on a cluster, by an event simulation.

Measured are the processor seconds of every cell (in the stores) and, by hand on one machine, the costs below. A
core is a node. Jobs are drawn from the queue in the order in which shards are packed; a node is lost with --loss an
hour, takes its shard with it and comes back after --back seconds; the shard is queued again.

CELLS is how many cells the first stage has, as `assay plan` prints it; the records that a store got after them
are those of later stages, in --later equal parts. A stage is planned, run, merged and judged before the next one.
Planning, merging and judging take one core. A stage of less work than a shard runs on one core, the others are
arrays, whose end the command notices when it asks Slurm again: after 0.5 s, then 1.1 times as long each time, up to
10 s.

Prints for each number of cores the seconds, the gain over one core, the efficiency (work over cores times time) and
what bounds the end: the longest cell, one core (planning, merging, judging, short stages), or the work. Nothing here
was run on more than three nodes.
"""
import argparse
import heapq
import pathlib
import random
import re
import sqlite3

ARRAY_ELEMENT = 0.7          # seconds of Slurm for an element of an array, measured with Slurm 22.05
PLAN_PER_CELL = 2e-6         # seconds, of 1,000,005 cells planned in 2 s
MERGE_PER_RECORD = 75e-6     # seconds, of 1,000,005 records merged in 75 s
JUDGE_PER_RECORD = 21e-6     # seconds, of as many judged in 21 s


def cells(argument, later):
    """Seconds and instance of the cells of a store: a list for each stage."""
    path, _, first = argument.partition("=")
    store = sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True)
    rows = store.execute("SELECT cell, seconds FROM records ORDER BY id")
    all_of = [(float(seconds or 0), re.sub(r"\| algo .*?\| goal", "|", text)) for text, seconds in rows]
    first = min(int(first or len(all_of)), len(all_of))
    part = -(-(len(all_of) - first) // later)
    return [all_of[:first]] + [all_of[first + k * part:first + (k + 1) * part] for k in range(later)]


def pack(work, target):
    """Shards as the program packs them: instances with the longest cell first, cut where `target` is reached."""
    groups = {}
    for seconds, instance in work:
        groups.setdefault(instance, []).append(seconds)
    order = sorted((sorted(g, reverse=True) for g in groups.values()), key=lambda g: -g[0])
    shards, now = [], 0.0
    for seconds in (s for g in order for s in g):
        if now and now + seconds > target:
            shards.append(now)
            now = 0.0
        now += seconds
    return shards + [now]


def simulate(shards, cores, loss, back, rng):
    """Seconds until all shards are complete."""
    queue = [ARRAY_ELEMENT + s for s in reversed(shards)]
    free = [(0.0, k) for k in range(cores)]
    end = 0.0
    rate = -1 if loss <= 0 else loss / 3600
    running = []                          # (end, the shard if it is lost or 0, core)
    while queue or running:
        while queue and free and (not running or free[0][0] <= running[0][0]):
            at, core = heapq.heappop(free)
            shard = queue.pop()
            dies = rng.expovariate(rate) if rate > 0 else float("inf")
            heapq.heappush(running, (at + min(shard, dies), shard if dies < shard else 0, core))
        at, lost, core = heapq.heappop(running)
        if lost:
            queue.append(lost)
            heapq.heappush(free, (at + back, core))
        else:
            end = max(end, at)
            heapq.heappush(free, (at, core))
    return end


def noticed(end):
    """When the command that waits learns that the array has ended."""
    at, step = 0.0, 0.5
    while at < end:
        at, step = at + step, min(1.1 * step, 10)
    return at


def run_stage(work, cores, o, rng):
    """Seconds of the cells of a stage, and whether they were an array."""
    total = sum(s for s, _ in work)
    # shards of at most --seconds, and short enough that every core has two
    target = min(o.seconds, max(total / cores / 2, 2))
    if cores == 1 or total <= target:
        return total, False
    return noticed(simulate(pack(work, target), cores, o.loss, o.back, rng)), True


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("store", nargs="+")
    ask.add_argument("--seconds", type=float, default=60, help="work of a shard")
    ask.add_argument("--loss", type=float, default=0.01, help="probability that a node is lost in an hour")
    ask.add_argument("--back", type=float, default=300, help="seconds until a lost node is back")
    ask.add_argument("--later", type=int, default=2, help="number of stages after the first")
    ask.add_argument("--cores", default="1,2,4,8,16,21,32,64,128,256,500,1000")
    ask.add_argument("--seed", type=int, default=1)
    o = ask.parse_args()
    stores = [cells(argument, o.later) for argument in o.store]
    stages = [sum((store[k] for store in stores), []) for k in range(o.later + 1)]
    stages = [work for work in stages if work]
    n = sum(len(work) for work in stages)
    total = sum(s for work in stages for s, _ in work)
    longest = max(s for work in stages for s, _ in work)
    # each stage is planned and judged with all records so far
    met, one_core = 0, 0.0
    for work in stages:
        met += len(work)
        one_core += met * (PLAN_PER_CELL + JUDGE_PER_RECORD) + len(work) * MERGE_PER_RECORD
    print(f"{n} cells, {total:.0f} s of work, the longest {longest:.1f} s; stages of "
          + ", ".join(f"{len(work)} cells ({sum(s for s, _ in work):.0f} s)" for work in stages)
          + f"; planning, merging and judging {one_core:.1f} s")
    print(f"{'cores':>6} {'seconds':>9} {'gain':>7} {'efficiency':>10}  bound by")
    for cores in (int(c) for c in o.cores.split(",")):
        rng = random.Random(o.seed)
        arrays, alone = 0.0, one_core
        for work in stages:
            took, array = run_stage(work, cores, o, rng)
            arrays += took if array else 0
            alone += 0 if array else took
        time = arrays + alone
        bound = "one core" if alone > arrays else "the longest cell" if longest > 0.5 * arrays else "work"
        print(f"{cores:6d} {time:9.1f} {total / time:7.1f} {total / time / cores:10.2f}  {bound}", flush=True)


if __name__ == "__main__":
    main()

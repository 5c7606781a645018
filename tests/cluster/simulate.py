#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""simulate.py STORE... - how long the cells of stores would take on a cluster, by an event simulation.

Measured are the processor seconds of every cell (in the stores) and, by hand on one machine, the costs below. A core is a
node. Jobs are drawn from the queue in the order in which shards are packed; a node is lost with --loss an hour, takes
its shard with it and comes back after --back seconds; the shard is queued again. Planning comes first, the merge last, on
one core. Stages after the first are left to the merge's core, as the program does for short ones: --rest of the work.

Prints for each number of cores the hours, the efficiency (work over cores times time) and what bounds the end. Nothing
here was run on more than three nodes.
"""
import argparse
import heapq
import random
import re
import sqlite3

ARRAY_ELEMENT = 0.7          # seconds of Slurm for an element of an array, measured with Slurm 22.05
PLAN_PER_CELL = 2e-6         # seconds, of 1,000,005 cells planned in 2 s
MERGE_PER_RECORD = 75e-6     # seconds, of 1,000,005 records merged in 75 s
JUDGE_PER_RECORD = 21e-6     # seconds, of as many judged in 21 s


def cells(path):
    """Seconds and instance of every cell of a store."""
    rows = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT cell, seconds FROM records")
    return [(float(seconds or 0), re.sub(r"\| algo .*?\| goal", "|", text)) for text, seconds in rows]


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
    running = []                          # (end, shard, is it lost)
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


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("store", nargs="+")
    ask.add_argument("--seconds", type=float, default=60, help="work of a shard")
    ask.add_argument("--loss", type=float, default=0.01, help="probability that a node is lost in an hour")
    ask.add_argument("--back", type=float, default=300, help="seconds until a lost node is back")
    ask.add_argument("--rest", type=float, default=0.02, help="part of the work in stages that run in the merge")
    ask.add_argument("--cores", default="1,2,4,8,16,21,32,64,128,256,500,1000")
    ask.add_argument("--seed", type=int, default=1)
    o = ask.parse_args()
    work = [cell for store in o.store for cell in cells(store)]
    total = sum(s for s, _ in work)
    longest = max(s for s, _ in work)
    rest = o.rest * total
    ends = len(work) * (PLAN_PER_CELL + MERGE_PER_RECORD + JUDGE_PER_RECORD) + rest
    print(f"{len(work)} cells, {total:.0f} s of work, the longest {longest:.1f} s; plan, merge, judge and rest {ends:.1f} s")
    print(f"{'cores':>6} {'shard s':>8} {'shards':>7} {'seconds':>9} {'gain':>7} {'efficiency':>10}  bound by")
    for cores in (int(c) for c in o.cores.split(",")):
        # shards of at most --seconds, and short enough that every core has two
        target = min(o.seconds, max(total / cores / 2, 2))
        shards = pack(work, target)
        array = simulate(shards, cores, o.loss, o.back, random.Random(o.seed))
        time = array + ends
        bound = "plan, merge, judge, rest" if ends > array else "the longest cell" if longest > 0.5 * array else "work"
        print(f"{cores:6d} {target:8.1f} {len(shards):7d} {time:9.1f} {total / time:7.1f} {total / time / cores:10.2f}  {bound}")


if __name__ == "__main__":
    main()

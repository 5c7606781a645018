# SPDX-License-Identifier: GPL-3.0-or-later
"""coverage.py OBJECTS [ROOM] - prints how many lines and branches of each room ran, from the counts that the
programs of `make coverage` left beside their objects. A line of a header counts once, whatever files include it, and
a branch of it counts if it is taken in one of them. Branches of BUG_IF and assert are left out: they are taken by a
bug alone. ROOM also lists the lines of this room that did not run."""
import collections
import functools
import glob
import json
import re
import subprocess
import sys

ROOMS = re.compile(r"(?:harness/)?([^/]+)/")


@functools.cache
def text_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read().split("\n")


def counts(objects):
    """{(file, line): [runs, [how often each branch was taken]]} of all objects."""
    found = {}
    notes = sorted(glob.glob(objects + "/**/*.gcno", recursive=True))
    said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *notes], check=True,
                          capture_output=True, text=True).stdout
    for document in said.splitlines():
        for file in json.loads(document)["files"]:
            if not re.match(r"harness/|algos/|problems/|claims/", file["file"]):
                continue
            for line in file["lines"]:
                kept = found.setdefault((file["file"], line["line_number"]), [0, []])
                kept[0] += line["count"]
                taken = [b["count"] for b in line["branches"]]
                # The copies of a line in other objects have the same branches, unless one was optimised away.
                if len(taken) == len(kept[1]):
                    kept[1] = [a + b for a, b in zip(kept[1], taken)]
                elif len(taken) > len(kept[1]):
                    kept[1] = taken
    return found


def main(objects, shown=""):
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (path, number), (runs, branches) in sorted(counts(objects).items()):
        room, text = ROOMS.match(path)[1], text_of(path)[number - 1]
        if re.match(r"\s*(BUG_IF|assert)\b", text):
            branches = []
        for name in room, "all":
            for k, v in enumerate((1, runs > 0, len(branches), sum(b > 0 for b in branches))):
                rooms[name][k] += v
        if room == shown and not runs:
            print(f"{path}:{number}: {text}")
    if not rooms:
        sys.exit(f"coverage.py: no counts in {objects}")
    rooms["all"] = rooms.pop("all")
    print(f"{'room':10}{'lines':>8}{'run':>8}{'branches':>10}{'taken':>8}")
    for name, (lines, run, branches, taken) in rooms.items():
        print(f"{name:10}{lines:8}{100 * run / lines:7.1f}%{branches:10}{100 * taken / max(branches, 1):7.1f}%")


if __name__ == "__main__":
    main(*sys.argv[1:])

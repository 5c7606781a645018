# SPDX-License-Identifier: GPL-3.0-or-later
"""peers_table.py FILE ASSAY SCRIPT... - runs the comparisons one after another and keeps in FILE what they found,
a line a row: CSV, written aside and renamed, so that it is of this run wholly or the one before. A row whose
answers differ, or whose script fails, is not in it. The last lines say what is wrong, and so does the exit code: 1
answers differ or a script failed, 4 a peer was faster, 0 neither. A row that is skipped is named and fails nothing.
Other work on the machine can make either side slow for a while: a script in which a peer was faster runs AGAIN
times more, with both sides in turn, and each of its rows is the one with the median ratio.
The scripts say what they find to a Table, and work alone, too: python3 tests/peers/peers_gcd.py build/assay."""
import csv
import datetime
import importlib.metadata
import io
import itertools
import os
import subprocess
import sys
import tempfile

COLUMNS = ["work", "assay_seconds", "peer", "peer_version", "peer_seconds", "ratio", "checked", "off", "allowed",
           "date", "machine", "commit", "skipped"]
ROWS = "ASSAY_PEERS_ROWS"                   # in the environment: where rows are left for FILE
AGAIN = 4


def said(*words):
    """What a command prints; empty where there is none such."""
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def version(peer):
    """Of a Python package, or of the Debian package whose programs begin with this name."""
    try:
        return importlib.metadata.version(peer)
    except importlib.metadata.PackageNotFoundError:
        return said("dpkg-query", "-W", "-f=${Version}", peer + "-tools")


def machine():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
        models = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return f"{models[0] if models else 'unknown processor'}, {os.cpu_count()} cores"


class Table:
    """Prints rows, and leaves those that hold for the file. peer is the other program's name, a space and
    anything more may follow; off None: there is nothing to subtract, and checked says why."""

    def __init__(self):
        self.bad = False
        print(f"{'work':34}{'assay':>12}{'peer':>12}{'ratio':>8}  peer; answers differ by")

    def row(self, work, ours, theirs, peer, off, allowed, checked):
        def text(s):
            return f"{1e9 * s:9.2f} ns" if s < 1e-6 else f"{1e3 * s:9.3f} ms"
        bad = off is not None and not off <= allowed
        self.bad |= bad
        compared = checked if off is None else f"{off:.1e}"
        print(f"{work:34}{text(ours)}{text(theirs)}{theirs / ours:8.2f}  {peer}; {compared}"
              + (f", expected at most {allowed:.0e}" if bad else ""), flush=True)
        if not bad:
            name = peer.replace(",", " ").replace(";", " ").split()[0]
            self.leave(work=work, assay_seconds=f"{ours:.6g}", peer=peer, peer_version=version(name),
                       peer_seconds=f"{theirs:.6g}", ratio=f"{theirs / ours:.4g}", checked=checked,
                       off="" if off is None else f"{off:.3g}", allowed="" if off is None else f"{allowed:.3g}")

    def skip(self, work, peer, why):
        print(f"{work}: skipped, {why}", flush=True)
        self.leave(work=work, peer=peer, skipped=why)

    @staticmethod
    def leave(**row):
        if ROWS in os.environ:
            with open(os.environ[ROWS], "a", encoding="utf-8", newline="") as f:
                csv.DictWriter(f, COLUMNS, restval="", lineterminator="\n").writerow(row)


def keep(path, rows):
    where = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
             "machine": machine(), "commit": said("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")}
    text = io.StringIO(newline="")
    out = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    out.writeheader()
    out.writerows(row | where for row in rows)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8", newline="") as f:
        f.write(text.getvalue())
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".new", path)


def run(script, program):
    """Runs a script. Returns its rows, and whether it held."""
    with tempfile.TemporaryDirectory() as folder:
        left = folder + "/rows"
        open(left, "w", encoding="utf-8").close()
        print("==", script, flush=True)
        held = subprocess.run([sys.executable, "-B", script, program], env=os.environ | {ROWS: left},
                              check=False).returncode == 0
        with open(left, encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f, COLUMNS)), held


def ratio(row):
    """The peer's time over ours; infinite where the row was skipped."""
    return float(row["ratio"] or "inf")


def middle(runs):
    """The rows of several runs of one script: of each row the one whose ratio is the median."""
    same = {}
    for row in itertools.chain(*runs):
        same.setdefault((row["work"], row["peer"].split()[0].rstrip(",;")), []).append(row)
    return [sorted(rows, key=ratio)[len(rows) // 2] for rows in same.values()]


def main(path, program, *scripts):
    rows, failed = [], []
    for script in scripts:
        runs = [run(script, program)]
        if runs[0][1] and any(ratio(row) < 1 for row in runs[0][0]):
            runs += [run(script, program) for _ in range(AGAIN)]
        if not all(held for _, held in runs):
            failed.append(os.path.basename(script))
        rows += middle([found for found, _ in runs])
    keep(path, rows)
    slower = [row for row in rows if ratio(row) < 1]
    print(f"{path}: {len(rows)} rows")
    for row in rows:
        if row["skipped"]:
            print(f"skipped: {row['work']}: {row['skipped']}")
    for row in slower:
        print(f"faster: {row['peer']} in '{row['work']}': assay takes {1 / ratio(row):.3g} times as long")
    for script in failed:
        print(f"failed: {script}: answers differ or it did not end, see above")
    return 1 if failed else 4 if slower else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

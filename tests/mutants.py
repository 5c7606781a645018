# SPDX-License-Identifier: GPL-3.0-or-later
"""mutants.py BUILD COMPILE LINK - changes one operator or constant of the program at a time and asks whether a test
notices. COMPILE and LINK are the commands of the Makefile; `make mutants` calls this. Tests that start the program
itself do not see the change: BUILD/assay stays as it is.

The mutants are drawn from the files of AREAS, 100 of each area, with a fixed seed. Each is compiled alone and
linked in front of the library, and tests run until one fails: those whose objects use the changed file, and then
those that use another file of the area, the quickest first, as many as take PATIENCE seconds of processor time
without a change. A mutant that does not compile, or whose machine code is that of the original, is no mutant, and
the next is drawn.

tests/mutants.csv keeps a line a mutant: it is named by its file, the text of its line and the change, so that it
stays the same when lines move. A run goes on where the last one ended, for MINUTES of the environment (default 10).
AGAIN=survived tries the survivors once more, AGAIN=all every mutant. The column `reason` says, by hand, why a
survivor does no harm. The exit code is 1 if a survivor has no reason, 3 if mutants were left for the next run."""
import csv
import glob
import json
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

AREAS = {
    "statistics": ["harness/numeric/stats*.c", "harness/judge/law.c", "harness/judge/fit.c", "harness/judge/skew.c",
                   "harness/judge/verdict.c"],
    "oracle": ["harness/oracle/*.c"],
    "accountants": ["harness/privacy/*.c"],
}
EACH, SEED, PATIENCE = 100, 1, 120          # mutants of an area; seconds for the tests of one
COLUMNS = ["area", "file", "line", "at", "change", "outcome", "by", "reason"]
KEPT = "tests/mutants.csv"
# What is looked for, and what it becomes.
CHANGES = [(rf" {re.escape(a)} ", f" {b} ") for a, b in (
    ("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"),
    ("+", "-"), ("-", "+"), ("*", "/"), ("/", "*"), ("+=", "-="), ("-=", "+="), ("*=", "/="))] + [
    (r"(?<![\w.])1(?![\w.])", "2"), (r"(?<![\w.])0(?![\w.])", "1"), (r"(?<![\w.])2(?![\w.])", "1"),
    (r"(?<![\w.])0\.5(?![\w.])", "0.25"), (r"\bfmax\(", "fmin("), (r"\bfmin\(", "fmax("), (r"\bsqrt\(", "("),
    (r"\bexpm1\(", "exp("), (r"\blog1p\(", "log("), (r"(?<=[(,=] )?-(?=[a-z(])(?<![-\w)\]]-)", ""),
    (r"(?<=\()!(?=[a-z])", ""), (r"\bfabs\(", "("), (r"\+\+;", "--;")]


def places(path):
    """All (line number, text, first, last, what it becomes) of a file's code."""
    with open(path, encoding="utf-8") as f:
        text = f.read()

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    code = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'', blank, text, flags=re.S)
    found = []
    for number, (line, shown) in enumerate(zip(code.split("\n"), text.split("\n"))):
        # Declarations, and what stops a program with a bug, are no behaviour.
        if re.match(r"\s*#|\s*(BUG_IF|assert|static const|enum)\b", line):
            continue
        for what, to in CHANGES:
            found += [(number, shown, m.start(), m.end(), to) for m in re.finditer(what, line)]
    return found


class Mutant:
    def __init__(self, area, path, place):
        self.area, self.path = area, path
        self.number, self.text, self.first, self.last, self.to = place
        self.change = f"{self.text[self.first:self.last].strip()} -> {self.to.strip() or 'nothing'}"
        self.key = path, self.text.strip(), str(self.first - len(self.text) + len(self.text.lstrip())), self.change

    def write(self, out):
        with open(self.path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        lines[self.number] = self.text[:self.first] + self.to + self.text[self.last:]
        with open(out, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))


def files(area):
    return sorted({p for pattern in AREAS[area] for p in glob.glob(pattern)})


def drawn(area):
    """All mutants of an area in the order of the draw. It depends on each mutant alone: others may come and go."""
    all_of = {m.key: m for p in files(area) for m in (Mutant(area, p, place) for place in places(p))}
    return sorted(all_of.values(), key=lambda m: random.Random("|".join((str(SEED),) + m.key)).random())


def names(path, kinds):
    said = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in said.splitlines() if line.split()[-2] in kinds}


def processor():
    t = resource.getrusage(resource.RUSAGE_CHILDREN)
    return t.ru_utime + t.ru_stime


class Lab:
    def __init__(self, build, compiler, linker, folder):
        self.build, self.compiler, self.linker = build, shlex.split(compiler), shlex.split(linker)
        self.folder, self.original = folder, {}
        self.known, tests = build + "/mutants.json", build + "/assay-tests"
        self.took = {}                      # seconds of each test without a change; infinite: it fails
        if os.path.exists(self.known) and os.path.getmtime(self.known) > os.path.getmtime(tests):
            with open(self.known, encoding="ascii") as f:
                self.took = json.load(f)
        self.uses = {os.path.basename(o)[:-2]: names(o, "U") for o in
                     glob.glob(build + "/obj/tests/unit/*.o") + glob.glob(build + "/obj/tests/contract/*.o")}

    def object(self, source, path):
        """Compiles a copy of a file and returns the bytes of the object, or None."""
        out = f"{self.folder}/mutant.o"
        done = subprocess.run(self.compiler + ["-w", "-O1", "-g0", "-iquote", os.path.dirname(path), "-c", source,
                                               "-o", out], capture_output=True, check=False)
        if done.returncode:
            return None
        with open(out, "rb") as f:
            return f.read()

    def run(self, test, seconds):
        """Whether a test passes. One that takes more processor time, or waits for an hour, fails."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        try:
            return subprocess.run([self.folder + "/tests", test], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, preexec_fn=limit, timeout=3600,
                                  check=False).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def time(self, test):
        """Processor seconds of a test with the original in its place."""
        if test not in self.took:
            begin = processor()
            passed = self.run(test, PATIENCE)
            self.took[test] = processor() - begin if passed else float("inf")
            with open(self.known, "w", encoding="ascii") as f:
                json.dump(self.took, f)
        return self.took[test]

    def link(self):
        subprocess.run(self.linker[:1] + [self.folder + "/mutant.o"] + self.linker[1:] +
                       ["-o", self.folder + "/tests"], check=True)

    def using(self, paths):
        """The tests that use one of the files, the quickest first."""
        defined = set().union(*(names(f"{self.build}/obj/{p[:-2]}.o", "TDRB") for p in paths))
        return sorted((t for t in self.uses if self.uses[t] & defined), key=self.time)

    def tests(self, path, area):
        """The tests that may notice a change of a file and pass without one, in the order in which they run."""
        if path not in self.original:
            source = self.folder + "/" + os.path.basename(path)
            shutil.copy(path, source)
            code = self.object(source, path)
            self.link()
            near, all_of = self.using([path]), self.using(files(area))
            self.original[path] = code, near + [t for t in all_of if t not in near]
        left, chosen = PATIENCE, []
        for test in self.original[path][1]:
            left -= self.took[test]
            if left >= 0:
                chosen.append(test)
        return chosen

    def outcome(self, mutant):
        tests = self.tests(mutant.path, mutant.area)
        source = self.folder + "/" + os.path.basename(mutant.path)
        mutant.write(source)
        code = self.object(source, mutant.path)
        if code is None or code == self.original[mutant.path][0]:
            return "none", ""
        self.link()
        for test in tests:
            if not self.run(test, 5 + 10 * self.took[test]):
                return "killed", test
        return "survived", " ".join(tests)


def keep(rows):
    with open(KEPT + ".new", "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
    os.replace(KEPT + ".new", KEPT)


def main(build, compiler, linker):
    ends, again = time.monotonic() + 60 * float(os.environ.get("MINUTES") or 10), os.environ.get("AGAIN", "")
    known = {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8", newline="") as f:
            known = {(r["file"], r["line"], r["at"], r["change"]): r for r in csv.DictReader(f)}
    rows, left = [], 0
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(build, compiler, linker, folder)
        for area in AREAS:
            count = 0
            for mutant in drawn(area):
                if count == EACH:
                    break
                row = known.get(mutant.key)
                if row is None or again in ("all", row["outcome"]):
                    if time.monotonic() > ends:
                        left += row is None
                        count += 1
                        rows += [row] if row else []
                        continue
                    outcome, by = lab.outcome(mutant)
                    row = dict(zip(COLUMNS, (area,) + mutant.key + (outcome, by, (row or {}).get("reason", ""))))
                    print(f"{outcome:9}{mutant.path}:{mutant.number + 1}: {mutant.change}: {by}", flush=True)
                    known[mutant.key] = row
                    keep(known.values())
                rows.append(row)
                count += row["outcome"] != "none"
    keep(rows)
    bare = [r for r in rows if r["outcome"] == "survived" and not r["reason"]]
    for r in bare:
        print(f"survived without a reason: {r['file']}: {r['change']}: {r['line']}")
    for area in AREAS:
        of = [r["outcome"] for r in rows if r["area"] == area]
        print(f"{area}: {of.count('killed')} of {len(of) - of.count('none')} mutants killed")
    outcomes = [r["outcome"] for r in rows]
    print(f"mutants: {outcomes.count('killed')} killed, {outcomes.count('survived')} survived, {len(bare)} of them "
          f"without a reason, {left} left for the next run")
    return 1 if bare else 3 if left else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

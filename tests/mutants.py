# SPDX-License-Identifier: GPL-3.0-or-later
"""mutants.py BUILD COMPILE LINK - changes one operator or constant of the program at a time and asks whether a test
notices. COMPILE and LINK are the commands of the Makefile; `make mutants` calls this. Tests that start the program
itself do not see the change: BUILD/assay stays as it is.

The mutants are drawn from the files of AREAS, 100 of each area, with a fixed seed. Each is compiled alone and
linked in front of the library, and tests run until one fails: first the test with the name of the changed file and
those whose names begin so, then others that run the changed line, and at last those that run its function, the
quickest first and those that start programs last: one, and then as many as take PATIENCE seconds of processor time
without a change (default 20). Which lines a test runs, and how long it takes, is measured once, by a program whose
files of AREAS count their lines; build/mutants.json keeps it until one of these files or the test changes. Tests
that measure time are left out. A mutant that does not compile, or whose machine code is that of the original, is no
mutant, and the next is drawn.

tests/mutants.csv keeps a line a mutant: it is named by its file, the text of its line and the change, so that it
stays the same when lines move. A run goes on where the last one ended, for MINUTES of the environment (default 10);
a signal ends it as the minutes do. AGAIN=survived tries the survivors without a reason once more, AGAIN=all every
mutant. The column `reason` says, by hand, why a survivor does no harm. The exit code is 1 if a survivor has no
reason, 3 if mutants were left for the next run."""
import contextlib
import csv
import glob
import hashlib
import itertools
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
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
EACH, SEED = 100, 1                         # mutants of an area, and how they are drawn
LONGEST = 60                                # processor seconds of the first test of a mutant, at most
PATIENCE = float(os.environ.get("PATIENCE") or 20)
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


def names(paths, kinds):
    """The symbols of some kinds of each object: one start of nm for all of them."""
    said = subprocess.run(["nm", "-A", *paths], capture_output=True, text=True, check=True).stdout
    found = {path: set() for path in paths}
    for line in said.splitlines():
        *_, kind, name = line.split()
        if kind in kinds:
            found[line.split(":")[0]].add(name)
    return found


def processor():
    t = resource.getrusage(resource.RUSAGE_CHILDREN)
    return t.ru_utime + t.ru_stime


def digest(paths):
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as f:
            found.update(f.read())
    return found.hexdigest()


class Lab:
    def __init__(self, build, compiler, linker, folder):
        self.build, self.compiler, self.linker = build, shlex.split(compiler), shlex.split(linker)
        self.folder, self.original, self.linked, self.passed, self.counting = folder, {}, None, {}, None
        self.tests, self.starts = {}, set() # those that measure no time, and which of them start programs
        for kind in "unit", "contract":
            for path in glob.glob(f"tests/{kind}/*.c"):
                with open(path, encoding="utf-8") as f:
                    test, text = os.path.basename(path)[:-2], f.read()
                if "\n * Alone: " not in text:
                    self.tests[test] = path
                if "support/shell.h" in text:
                    self.starts.add(test)
        objects = {test: f"{build}/obj/{path[:-2]}.o" for test, path in self.tests.items()}
        needs = names(list(objects.values()), "U")
        self.uses = {test: needs[path] for test, path in objects.items()}
        code = {path: f"{build}/obj/{path[:-2]}.o" for area in AREAS for path in files(area)}
        gives = names(list(code.values()), "TDRB")
        self.gives = {path: gives[o] for path, o in code.items()}
        # What is known of a test: `seconds` that it takes, null if it fails or takes more than `most`; `ran`: by
        # file the lines that it runs, the functions that it runs (first and last line) and all functions, null if
        # it fails where lines are counted.
        self.kept, self.known, self.stamp = build + "/mutants.json", {}, digest(sorted(code))
        if os.path.exists(self.kept):
            with open(self.kept, encoding="ascii") as f:
                self.known = json.load(f)

    def compile(self, source, path, out, *flags):
        """Compiles a file or a copy of it; returns whether it could."""
        return subprocess.run(self.compiler + ["-w", "-O1", "-g0", "-iquote", os.path.dirname(path), *flags, "-c",
                                               source, "-o", out], capture_output=True, check=False,
                              process_group=0).returncode == 0

    def object(self, source, path):
        """Compiles a copy of a file and returns the bytes of the object, or None."""
        out = f"{self.folder}/mutant.o"
        if not self.compile(source, path, out):
            return None
        with open(out, "rb") as f:
            return f.read()

    def link(self, program, objects, *flags):
        """Links the program of all tests with some objects in the place of the library's."""
        subprocess.run(self.linker[:1] + objects + self.linker[1:] + [*flags, "-o", program], check=True,
                       process_group=0)
        return program

    def run(self, program, test, seconds):
        """Whether a test passes. One that takes more processor time, waits for long or takes much memory fails."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        with subprocess.Popen([program, test], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=limit, process_group=0,
                              env=os.environ | {"CMOCKA_TEST_ABORT": "1"}) as run:
            try:
                return run.wait(timeout=60 + 60 * seconds) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(run.pid, signal.SIGKILL)

    def counter(self):
        """The program of all tests, unchanged, whose files of AREAS count their lines in FOLDER/counts."""
        if not self.counting:
            counts = self.folder + "/counts/"
            os.mkdir(counts)
            sources = sorted(self.gives) + ["tests/support/counted_exit.c"]
            for path in sources:
                out = counts + os.path.basename(path)[:-2] + ".o"
                if not self.compile(path, path, out, "--coverage", "-fno-inline"):
                    sys.exit(f"mutants.py: {path} does not compile with --coverage")
            self.counting = self.link(self.folder + "/tests-counting", sorted(glob.glob(counts + "*.o")),
                                      "--coverage", "-Wl,--wrap=_exit")
        return self.counting

    def survey(self, test, most):
        """What is known of a test, see __init__; runs it unless that is known."""
        stamp, known = self.stamp + digest([self.tests[test]]), self.known.get(test)
        if known and known["stamp"] == stamp and (known["seconds"] is not None or known["most"] >= most):
            return known
        program = self.counter()
        known = {"stamp": stamp, "seconds": None, "most": most, "ran": None}
        for old in glob.glob(self.folder + "/counts/*.gcda"):
            os.remove(old)
        begin = processor()
        if self.run(program, test, most):
            known["seconds"], known["ran"] = processor() - begin, self.counted()
        elif processor() - begin < most:     # does it fail only where lines are counted?
            begin = processor()
            if self.run(self.build + "/assay-tests", test, most):
                known["seconds"] = processor() - begin
        self.known[test] = known
        with open(self.kept + ".new", "w", encoding="ascii") as f:
            json.dump(self.known, f)
        os.replace(self.kept + ".new", self.kept)
        return known

    def counted(self):
        """By file the lines and the functions that the last run of the counting program ran."""
        found, counts = {}, sorted(glob.glob(self.folder + "/counts/*.gcda"))
        said = subprocess.run(["gcov", "--json-format", "--stdout", *counts], capture_output=True, text=True,
                              check=True).stdout if counts else ""
        for document in said.splitlines():
            for file in json.loads(document)["files"]:
                if file["file"] in self.gives:
                    found[file["file"]] = [
                        [x["line_number"] for x in file["lines"] if x["count"]],
                        [[f["start_line"], f["end_line"]] for f in file["functions"] if f["execution_count"]],
                        [[f["start_line"], f["end_line"]] for f in file["functions"]]]
        return found

    def reach(self, test, mutant):
        """2: the test runs the changed line, or that is not known; 1: it runs the function of the line, or the line
        is in none; 0: it does not run the function."""
        ran, line = self.known[test]["ran"], mutant.number + 1
        if ran is None:
            return 2
        lines, run, functions = ran.get(mutant.path, ([], [], []))
        if line in lines:
            return 2
        inside = any(first <= line <= last for first, last in functions)
        return int(not inside or any(first <= line <= last for first, last in run))

    def order(self, mutant, area):
        """The tests that may notice a mutant, the likeliest first, and the quickest of these. Tests of which
        nothing is known are measured when their turn comes, as many as take PATIENCE seconds."""
        own = "test_" + os.path.basename(mutant.path)[:-2]
        near, far = self.gives[mutant.path], set().union(*(self.gives[p] for p in files(area)))
        may = sorted((t for t in self.uses if self.uses[t] & far or t == own), key=lambda t: (
            t != own, not t.startswith(own + "_"), t in self.starts, t not in self.known,
            self.known.get(t, {}).get("seconds") or 0, not self.uses[t] & near, -len(self.uses[t] & near), t))
        later, spent = [], 0
        for test in may:
            most = LONGEST if test == own else PATIENCE
            if spent > PATIENCE and test not in self.known:
                continue
            begin = processor()
            seconds = self.survey(test, most)["seconds"]
            spent += processor() - begin
            if seconds is None or seconds > most:
                continue
            if self.reach(test, mutant) == 2:
                yield test
            elif self.reach(test, mutant) == 1:
                later.append((seconds, test))
        for _, test in sorted(later):
            yield test

    def passes(self, path, test):
        """Whether a test passes when the unchanged file is compiled as mutants are."""
        if (path, test) not in self.passed:
            program = self.folder + "/tests-of-original"
            if self.linked != path:
                with open(self.folder + "/original.o", "wb") as f:
                    f.write(self.original[path])
                self.link(program, [self.folder + "/original.o"])
                self.linked = path
            self.passed[path, test] = self.run(program, test, 1 + 5 * self.known[test]["seconds"])
        return self.passed[path, test]

    def outcome(self, mutant, area):
        source = self.folder + "/" + os.path.basename(mutant.path)
        if mutant.path not in self.original:
            shutil.copy(mutant.path, source)
            self.original[mutant.path] = self.object(source, mutant.path)
        mutant.write(source)
        code = self.object(source, mutant.path)
        if code is None or code == self.original[mutant.path]:
            return "none", ""
        program = self.link(self.folder + "/tests-of-mutant", [self.folder + "/mutant.o"])
        left, tried = PATIENCE, []
        for test in self.order(mutant, area):
            seconds = self.known[test]["seconds"]
            if tried and seconds > left:
                continue
            left -= seconds
            tried.append(test)
            if not self.run(program, test, 1 + 5 * seconds) and self.passes(mutant.path, test):
                return "killed", test
        return "survived", " ".join(tried)


def keep(rows):
    with open(KEPT + ".new", "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
    os.replace(KEPT + ".new", KEPT)


def main(build, compiler, linker):
    ends, again = time.monotonic() + 60 * float(os.environ.get("MINUTES") or 10), os.environ.get("AGAIN", "")
    stopped = []
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, lambda *_: stopped.append(True))
    known = {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8", newline="") as f:
            known = {(r["file"], r["line"], r["at"], r["change"]): r for r in csv.DictReader(f)}
    rows, left, count = [], 0, dict.fromkeys(AREAS, 0)
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(build, compiler, linker, folder)
        # The areas take turns, so that a run that is cut off has mutants of each.
        for turn in itertools.zip_longest(*(drawn(area) for area in AREAS)):
            for area, mutant in zip(AREAS, turn):
                if mutant is None or count[area] == EACH:
                    continue
                row = known.get(mutant.key)
                if row is None or again == "all" or again == row["outcome"] and not row["reason"]:
                    if stopped or time.monotonic() > ends:
                        left += row is None
                        count[area] += 1
                        rows += [row] if row else []
                        continue
                    outcome, by = lab.outcome(mutant, area)
                    row = dict(zip(COLUMNS, (area,) + mutant.key + (outcome, by, (row or {}).get("reason", ""))))
                    print(f"{outcome:9}{mutant.path}:{mutant.number + 1}: {mutant.change}: {by}", flush=True)
                    known[mutant.key] = row
                    keep(known.values())
                rows.append(row)
                count[area] += row["outcome"] != "none"
    rows.sort(key=lambda r: list(AREAS).index(r["area"]))
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

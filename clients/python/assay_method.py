# SPDX-License-Identifier: GPL-3.0-or-later
"""assay_method - write a method in Python and let assay count its questions.

    from assay_method import method, Stop

    def run(problem):
        x = problem.start.copy()
        for t in range(1000):
            x -= problem.param["step"] * problem.gradient(x)
            problem.mark(x)
        return x

    if __name__ == "__main__":
        method(run, doc="gradient descent", params={"step": 0.1})

    assay solve --method mine='exec:python3 mine.py' --algorithm mine --problem spectral --T 100

The program is started once, imports once, and forks for every cell. A question that the budget cannot pay for
raises Stop. Where run() does not catch Stop, or returns None, the last mark is the answer. Random numbers come from
problem.rng, which is seeded for the cell. docs/methods.md has the protocol, for other languages. This file needs
the standard library and numpy.
"""
import ctypes
import importlib.metadata
import mmap
import os
import random
import signal
import struct
import sys
import sysconfig

import numpy

VERSION = 1
HELLO, BEGIN, ANSWER, STOP = 1, 2, 3, 4
ASK_HELLO, ASK_READY, ASK_IDLE = 1, 2, 3
(VALUE, GRADIENT, BATCH, SAMPLE_VALUE, SAMPLE_GRADIENT, PROX, PROJECT, RELEASE, MARK, DEPTH, END,
 FAIL) = range(10, 22)
CALLS = {"value": 1, "gradient": 2, "samples": 4, "sample_values": 8, "prox": 128, "noise": 512}
ASSUMES = {"convex": 1, "smooth": 2, "lipschitz": 4, "strongly_convex": 8, "bounded": 16, "unbounded": 32}
ADJACENCY = {None: 0, "zero-out": 1, "replace-one": 2, "add-remove": 3}
SCHEMES = {"take": 0, "draw": 1, "all": 2, "poisson": 3, "subset": 4, "shuffle": 5}
NO_BATCH = 0xFFFFFFFF
FORKS = 1                                # the program forks for each cell
SHARES = 2                               # long vectors stand in shared memory
ASIDE = 4                                # the method has noise or data that the harness does not see
LONG = 8192                              # the most numbers of points that stand in a message itself


class Stop(Exception):
    """The budget is spent: return the answer, within five seconds, without another question."""


class Fields:
    """The fields of a message that was received."""

    def __init__(self, data):
        self.data, self.at = data, 0
        self.memory = None               # the shared memory with long vectors; None: there is none

    def share(self):
        """Maps the shared memory and returns it; None: long vectors of this run stand in the messages."""
        size = os.fstat(5).st_size
        if size:
            self.memory = mmap.mmap(5, size)
        return self.memory

    def u32(self):
        (v,) = struct.unpack_from("<I", self.data, self.at)
        self.at += 4
        return v

    def f64(self):
        (v,) = struct.unpack_from("<d", self.data, self.at)
        self.at += 8
        return v

    def text(self):
        n = self.u32()
        self.at += n
        return bytes(self.data[self.at - n:self.at]).decode()

    def vec(self):
        return self.vecs(1)[0]

    def vecs(self, m):
        """The m points of a message, as the rows of an array. Long ones are copied from shared memory at once."""
        (n,) = struct.unpack_from("<I", self.data, self.at)
        if self.memory is not None and m * n > LONG:
            self.at += 4 * m             # their lengths
            return numpy.frombuffer(self.memory, "<f8", m * n).reshape(m, n).copy()
        x = numpy.empty((m, n))
        for row in x:
            row[:] = numpy.frombuffer(self.data, "<f8", n, self.at + 4)
            self.at += 4 + 8 * n
        return x


def u32(v):
    return struct.pack("<I", v)


def f64(v):
    return struct.pack("<d", v)


def text(s):
    b = s.encode()
    return u32(len(b)) + b


def cut(s, room):
    """The beginning of s that has at most this many bytes."""
    return s.encode()[:room].decode(errors="ignore")


class Channel:
    """The pipes from and to the harness, descriptors 3 and 4: one question, one answer."""

    def __init__(self):
        self.reads, self.writes = 3, 4
        self.memory = None

    def vec(self, x):
        return self.vecs([numpy.ravel(x)])

    def vecs(self, points):
        """The bytes of points of one length in a message. Long ones are written to shared memory, all at once, and
        their lengths remain."""
        m, n = len(points), len(points[0])
        if self.memory is None or m * n <= LONG:
            return b"".join(u32(n) + numpy.asarray(x, "<f8").tobytes() for x in points)
        numpy.frombuffer(self.memory, "<f8", m * n).reshape(m, n)[:] = points
        return u32(n) * m

    def send(self, kind, body=b""):
        data = memoryview(struct.pack("<II", len(body), kind) + body)
        while data:
            data = data[os.write(self.writes, data):]

    def take(self, n):
        data = os.read(self.reads, n) if n else b""
        while len(data) < n:
            more = os.read(self.reads, n - len(data))
            if not more:
                os._exit(0)              # the harness has ended
            data += more
        return data

    def receive(self):
        n, kind = struct.unpack("<II", self.take(8))
        fields = Fields(self.take(n))
        fields.memory = self.memory
        return kind, fields

    def ask(self, kind, body=b""):
        self.send(kind, body)
        said, fields = self.receive()
        if said == STOP:
            raise Stop
        return fields


class Batch:
    """Samples whose indices the harness has drawn. size is None for a Poisson sample, whose size is secret."""

    def __init__(self, number, size):
        self.number, self.size = number, None if size != size else int(size)


class Problem:
    """The problem of one run. Every question is charged before it is answered."""

    def __init__(self, channel, fields):
        self._channel = channel
        channel.memory = fields.share()
        self.start = fields.vec()        # where the run begins
        self.d = self.start.size
        self.radius = fields.f64()       # of the feasible ball; inf: all of R^d
        self.seed = [fields.u32() for _ in range(4)]
        self.rng = numpy.random.Generator(numpy.random.Philox(numpy.random.SeedSequence(self.seed)))
        self.param = {}
        for _ in range(fields.u32()):
            name = fields.text()
            self.param[name] = fields.text() if fields.u32() else fields.f64()
        self.fact = {}                   # the constants that the method has declared to read; nan: unknown
        for _ in range(fields.u32()):
            name = fields.text()
            self.fact[name] = fields.f64()
        self.goal = {}                   # n, T, budget, acc, eps, delta, ...; nan: not set
        for _ in range(fields.u32()):
            name = fields.text()
            self.goal[name] = fields.f64()

    def _points(self, points):
        """Splits a list of points into lists that one message may have: 64 points, or what shared memory holds."""
        m = len(points)
        if self._channel.memory is not None:
            m = len(self._channel.memory) // (8 * self.d)
        m = max(1, min(64, m))
        return [points[k:k + m] for k in range(0, len(points), m)]

    def _ask_points(self, kind, points):
        return self._channel.ask(kind, u32(len(points)) + self._channel.vecs(points))

    def values(self, points):
        """Values of the objective at many points, as a list or the rows of an array, up to 64 in one message."""
        return numpy.concatenate([self._ask_points(VALUE, part).vec() for part in self._points(points)])

    def value(self, x):
        return float(self.values([numpy.ravel(x)])[0])

    def gradients(self, points):
        """Gradients of the objective at many points, up to 64 in one message: the rows of an array."""
        found = [self._ask_points(GRADIENT, part).vecs(len(part)) for part in self._points(points)]
        return found[0] if len(found) == 1 else numpy.concatenate(found)

    def gradient(self, x):
        return self.gradients([numpy.ravel(x)])[0]

    def batch(self, b=1, scheme="take"):
        """Samples: b fresh ones ('take'), b independent ones ('draw'), every record ('all'), each record with
        probability b ('poisson'), b different records ('subset'), or all in a random order ('shuffle')."""
        fields = self._channel.ask(BATCH, u32(SCHEMES[scheme]) + f64(b))
        return Batch(fields.u32(), fields.f64())

    def sample_value(self, batch, x):
        """The mean value over a batch."""
        return self._channel.ask(SAMPLE_VALUE, u32(batch.number) + self._channel.vec(x)).f64()

    def sample_gradient(self, batch, x, clip=numpy.inf):
        """The mean over a batch of the samples' gradients, each clipped to this norm."""
        return self._channel.ask(SAMPLE_GRADIENT, u32(batch.number) + f64(clip) + self._channel.vec(x)).vec()

    def prox(self, t, v):
        return self._channel.ask(PROX, f64(t) + self._channel.vec(v)).vec()

    def project(self, x):
        return self._channel.ask(PROJECT, self._channel.vec(x)).vec()

    def release(self, name, v, sensitivity, scale, batch=None, law="gauss", norm="2"):
        """v with noise of the harness, booked in the ledger: N(0, scale^2) or Laplace(scale) on every entry.
        sensitivity: the largest change of v in this norm when one record of the batch changes; batch None: when any
        record changes."""
        return self._channel.ask(RELEASE, text(name) + u32({"gauss": 0, "laplace": 1}[law]) +
                                 u32({"2": 0, "1": 1, "inf": 2}[norm]) + f64(sensitivity) + f64(scale) +
                                 u32(NO_BATCH if batch is None else batch.number) + self._channel.vec(v)).vec()

    def mark(self, x):
        """Says that x would be the answer now."""
        self._channel.ask(MARK, self._channel.vec(x))

    def depth(self, operations):
        self._channel.ask(DEPTH, f64(operations))


def installed(path):
    """Is the file a part of Python's own library, or of a package that an installer has put into its place?"""
    own = [os.path.join(os.path.realpath(sysconfig.get_path(k)), "") for k in ("stdlib", "platstdlib")]
    return path.startswith(tuple(own)) or not {"site-packages", "dist-packages"}.isdisjoint(path.split(os.sep))


def files_of_program(more):
    """The script, the imported modules beside it or not installed, and the interpreter. A name comes before its
    folder in the order, so that copies in another folder have the same order."""
    beside = os.path.dirname(os.path.realpath(sys.argv[0]))
    files = {os.path.realpath(f) for f in (sys.argv[0], __file__, sys.executable, *more)}
    for name, m in list(sys.modules.items()):
        f = os.path.realpath(getattr(m, "__file__", None) or "")
        own = os.path.dirname(f) == beside or not installed(f)
        if os.path.isfile(f) and own and name not in ("sitecustomize", "usercustomize"):
            files.add(f)
    return sorted(files, key=lambda f: (os.path.basename(f), f))


def versions():
    """The versions of the interpreter and of the installed libraries, imported or not. They are part of the
    fingerprint, since another version may give other numbers."""
    said = "python " + sys.version.split()[0]
    for name, package in (("numpy", "numpy"), ("scipy", "scipy"), ("sklearn", "scikit-learn")):
        version = getattr(sys.modules.get(name), "__version__", None)
        try:
            said += " %s %s" % (name, version or importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            pass
    return said


def is_whole(value):
    """Is this default of a parameter that of a whole number?"""
    return isinstance(value["default"] if isinstance(value, dict) else value, int)


def parameter(name, value):
    """The bytes that declare a parameter, from its default: a number, a whole number, or words with the default
    first."""
    kind, default, low, high, words = int(is_whole(value)), numpy.nan, -numpy.inf, numpy.inf, ""
    if isinstance(value, dict):
        low, high = value.get("range", (low, high))
        value = value["default"]
    if isinstance(value, (list, tuple)):
        kind, words, first = 2, "|".join(value), value[0]
    else:
        first = ""
        default = float(value)
        if kind == 1:
            low, high = max(low, 0), min(high, 2**52)
    numbers = u32(kind) + f64(default) + f64(low) + f64(high)
    return text(name) + numbers + text(first) + text(words) + text("") + text("")


def hello(channel, doc, cite, params, calls, assumes, facts, adjacency, own, files):
    said = " (" + versions() + ")"
    ways = FORKS | SHARES | (ASIDE if own else 0)
    body = u32(VERSION) + text(cut(doc, 199 - len(said)) + said) + text(cut(cite, 199)) + u32(ways)
    body += u32(ADJACENCY[adjacency]) + u32(sum(CALLS[c] for c in calls)) + u32(sum(ASSUMES[a] for a in assumes))
    body += u32(len(facts)) + b"".join(text(f) for f in facts)
    body += u32(len(params)) + b"".join(parameter(k, v) for k, v in params.items())
    names = files_of_program(files)
    body += u32(len(names)) + b"".join(text(f) for f in names)
    channel.send(ASK_HELLO, body)


def one_cell(channel, run, params, fields):
    """Runs a cell, in a process that ends with it, so that no state reaches the next cell."""
    problem = Problem(channel, fields)
    problem.param.update({k: int(problem.param[k]) for k, v in params.items() if is_whole(v)})
    random.seed(problem.seed[0])
    numpy.random.seed(problem.seed[1])
    channel.send(ASK_READY, u32(os.getpid()))
    try:
        x = run(problem)
    except Stop:
        x = None
    channel.send(END, u32(0) if x is None else channel.vec(x))       # a vector of length 0 stands for the last mark


def children():
    """The processes that this one has started, and those that became its children when their parents ended."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as f:
            return {int(pid) for pid in f.read().split()}
    except FileNotFoundError:
        return set()                     # a kernel without such files


def end_children(but):
    """Ends all children of this process but these: what a cell has left behind."""
    left = children() - but
    while left:
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for pid in left:
            os.waitpid(pid, 0)
        left = children() - but


def method(run, doc, cite="", params={}, calls=("value", "gradient"), assumes=(), facts=(), adjacency=None,
           own=False, files=()):
    """Serves runs until the harness ends. run(problem) returns the answer.

    params: names and defaults of the parameters. calls: the questions that run asks, of CALLS. assumes: what run
    relies on, of ASSUMES. facts: the constants that run reads, as 'L', 'M', 'mu', 'dist'. adjacency: that of a
    private method, of ADJACENCY. own: the method has noise or data that the harness does not see, so that its
    privacy cannot be audited. files: further files that the method consists of: those that it reads, and modules that
    are imported only after this call."""
    if "ASSAY_METHOD" not in os.environ:
        sys.exit("this is a method for assay: assay solve --method NAME='exec:python3 %s' --algorithm NAME ..."
                 % sys.argv[0])
    channel = Channel()
    own_children = children()
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)              # PR_SET_CHILD_SUBREAPER
    while True:
        kind, fields = channel.receive()
        if kind == HELLO:
            hello(channel, doc, cite, params, calls, assumes, facts, adjacency, own, files)
            continue
        pid = os.fork()
        if pid == 0:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)      # PR_SET_PDEATHSIG
            one_cell(channel, run, params, fields)
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        end_children(own_children)
        if status:
            os._exit(1)                  # the process of the cell has printed why
        channel.send(ASK_IDLE)

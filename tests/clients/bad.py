#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bad.py MODE [DIMENSION] - a method that breaks the protocol in one way, for test_exec; where a dimension is given, on
problems of that dimension only. It is written from docs/methods.md alone and shares no code with clients/python: `good`
is gradient descent with step 0.5, which the test compares with the program's own."""
import os
import signal
import struct
import subprocess
import sys
import time

mode = sys.argv[1]
if mode == "sleeper":                    # what some of them leave behind
    time.sleep(1000)


def receive():
    def take(n):
        data = b""
        while len(data) < n:
            more = os.read(3, n - len(data))
            if not more:
                sys.exit(0)
            data += more
        return data
    size, kind = struct.unpack("<II", take(8))
    return kind, take(size)


def send(kind, body, slowly=False):
    data = struct.pack("<II", len(body), kind) + body
    if slowly:
        for k in range(len(data)):
            os.write(4, data[k:k + 1])
    else:
        os.write(4, data)


def text(s):
    return struct.pack("<I", len(s)) + s.encode()


def vec(x):
    return struct.pack("<I", len(x)) + struct.pack("<%dd" % len(x), *x)


def gradient(x):
    send(11, struct.pack("<I", 1) + vec(x), mode == "bytewise")
    kind, body = receive()
    if kind == 4:
        return None
    n, = struct.unpack_from("<I", body)
    return list(struct.unpack_from("<%dd" % n, body, 4))


def answer(x):
    send(20, vec(x), mode == "bytewise")


kind, body = receive()
if mode == "silent-hello":
    time.sleep(1000)
if mode == "version":
    send(1, struct.pack("<I", 99))
    time.sleep(1000)
if mode == "short-hello":
    send(1, struct.pack("<I", 1) + text("short"))
    time.sleep(1000)
if mode == "early":
    send(11, struct.pack("<I", 1) + vec([0.0]))


def strange():
    """What this process has inherited that it should not have, in words."""
    import ctypes
    import resource
    found = []
    descriptors = sorted(int(f) for f in os.listdir("/proc/self/fd"))[:-1]        # the last one reads the folder
    if descriptors != [0, 1, 2, 3, 4, 5]:
        found.append("descriptors %s" % descriptors)
    names = set(os.environ) - {"HOME", "TMPDIR", "PATH", "PYTHONPATH", "LANG", "ASSAY_METHOD", "PYTHONHASHSEED", "LC_CTYPE",
                               "PYTHONDONTWRITEBYTECODE", "OPENBLAS_CORETYPE", "GLIBC_TUNABLES",
                               "NPY_DISABLE_CPU_FEATURES"}
    names -= {v + "_NUM_THREADS" for v in ("OMP", "OPENBLAS", "MKL", "JULIA")}
    if names or os.environ["OMP_NUM_THREADS"] != "1":
        found.append("environment %s" % names)
    if os.uname().machine == "x86_64":
        core = "Haswell" if "avx2" in open("/proc/cpuinfo").read() else "Nehalem"
        if os.environ["OPENBLAS_CORETYPE"] != core:
            found.append("BLAS core %s" % os.environ["OPENBLAS_CORETYPE"])
    status = dict(line.split(":\t") for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
    if int(status["SigBlk"], 16):
        found.append("blocked signals " + status["SigBlk"])
    own = 1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1 | 3 << 31        # of Python, and of the C library
    if int(status["SigIgn"], 16) & ~own:
        found.append("ignored signals " + status["SigIgn"])
    for name, value in (("CORE", 0), ("NOFILE", 256), ("STACK", 8 << 20), ("AS", int(sys.argv[2]) << 20)):
        if resource.getrlimit(getattr(resource, "RLIMIT_" + name)) != (value, value):
            found.append("%s %s" % (name, resource.getrlimit(getattr(resource, "RLIMIT_" + name))))
    if resource.getrlimit(resource.RLIMIT_CPU)[0] != resource.RLIM_INFINITY:
        found.append("RLIMIT_CPU")
    if os.listdir(".") or os.getcwd() != os.environ["TMPDIR"] or os.getcwd() != os.environ["HOME"]:
        found.append("folder %s" % os.getcwd())
    if os.getpgid(0) != os.getpid():
        found.append("process group")
    dies = ctypes.c_int(0)
    ctypes.CDLL(None).prctl(2, ctypes.byref(dies))       # PR_GET_PDEATHSIG
    if dies.value != signal.SIGKILL:
        found.append("no signal at the death of its parent")
    if len(os.listdir("/proc/self/task")) != 1:
        found.append("threads")
    if os.read(0, 1):
        found.append("standard input")
    return "; ".join(found)


files = ["/nowhere/module.py"] if mode == "lost-file" else []
declared = (struct.pack("<I", 1) + text("a client that is " + mode) + text("") +
            struct.pack("<IIII", 0, 0, 6 if mode == "no-records" else 2, 0) + struct.pack("<I", 0) + struct.pack("<I", 0) +
            struct.pack("<I", len(files)) + b"".join(map(text, files)))
if mode == "before":                     # in one write, so that the answer is there before the question
    os.write(4, struct.pack("<II", len(declared), 1) + declared + struct.pack("<II", 12, 20) + vec([0.0]))
else:
    send(1, declared)
if mode == "closes":
    os.close(4)
    time.sleep(1000)
while True:
    kind, body = receive()
    d, = struct.unpack_from("<I", body)
    x = list(struct.unpack_from("<%dd" % d, body, 4))
    if mode != "surroundings" and len(sys.argv) > 2 and d != int(sys.argv[2]):
        mode = "good"
    if mode == "surroundings":
        send(21, text(strange() or "nothing is strange"))
        continue
    if mode == "hungry":
        held = [bytearray(1 << 26) for _ in range(1000)]
    if mode == "talks":
        while True:
            print("x" * 1000)
    if mode == "marks":
        while True:
            os.write(4, struct.pack("<II", 4 + 8 * d, 18) + vec(x))
    if mode == "polite":
        while True:                      # marks cost nothing, so no budget ends them
            send(18, vec(x))
            receive()
    if mode == "long-points":
        send(11, struct.pack("<I", 1) + struct.pack("<I", 0x7fffffff))
        receive()
    if mode == "no-kind":
        send(99, b"")
        receive()
    if mode == "no-records":
        send(12, struct.pack("<Id", 2, 1.0))
        receive()
    if mode == "nan-question":
        gradient([float("nan")] * d)
        send(18, vec([float("inf")] * d))
        receive()
    if mode == "leaves":
        for _ in range(3):
            subprocess.Popen([sys.executable, os.path.realpath(__file__), "sleeper"], start_new_session=True)
        while True:
            time.sleep(1)
    if mode == "last-mark":
        g = gradient(x)
        x = [a - 0.5 * b for a, b in zip(x, g)]
        send(18, vec(x))
        receive()
        send(20, struct.pack("<I", 0))
        sys.exit(0)
    if mode == "dies":
        print("about to die", file=sys.stderr)
        gradient(x)
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "exits":
        print("cannot go on: no licence", file=sys.stderr)
        sys.exit(7)
    if mode == "never":
        while True:
            time.sleep(1)
    if mode == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if mode == "spins":
        while True:
            pass
    if mode == "prints":
        os.write(4, b"step 1: x = 0.5\n")
    if mode == "floods":
        held = [os.pipe() for _ in range(100000)]
    if mode == "orphans":
        for _ in range(3):
            subprocess.Popen([sys.executable, os.path.realpath(__file__), "sleeper"], start_new_session=True)
    if mode == "huge":
        os.write(4, struct.pack("<II", 0xFFFFFFF0, 11))
    if mode == "undeclared":
        send(10, struct.pack("<I", 1) + vec(x))
        receive()
    if mode == "few-points":
        send(11, struct.pack("<I", 1) + vec(x[1:]))
        receive()
    if mode == "gives-up":
        send(21, text("the start is not feasible"))
        continue
    if mode == "chatty":
        for k in range(20000):
            print("line", k, "of what a solver says")
    while True:
        g = gradient(x)
        if mode == "after-stop" and g is None:
            g = gradient(x)
        if mode == "lingers" and g is None:
            time.sleep(1000)
        if g is None:
            break
        x = [a - 0.5 * b for a, b in zip(x, g)]
    if mode == "random":
        x[0] += int.from_bytes(os.urandom(2), "little") / 65536
    if mode == "few":
        x = x[1:]
    if mode == "nan":
        x[0] = float("nan")
    answer(x)
    if mode == "twice":
        answer(x)
    if mode in ("twice", "once"):
        time.sleep(0.2)
    sys.exit(0)

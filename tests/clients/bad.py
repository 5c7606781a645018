#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bad.py MODE - a method that breaks the protocol in one way, for test_exec. It is written from docs/methods.md alone and
shares no code with clients/python: `good` is gradient descent with step 0.5, which the test compares with the program's own."""
import os
import signal
import struct
import subprocess
import sys
import time

mode = sys.argv[1]


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
files = ["/nowhere/module.py"] if mode == "lost-file" else []
send(1, struct.pack("<I", 1) + text("a client that is " + mode) + text("") + struct.pack("<IIII", 0, 0, 2, 0) +
     struct.pack("<I", 0) + struct.pack("<I", 0) + struct.pack("<I", len(files)) + b"".join(map(text, files)))
while True:
    kind, body = receive()
    d, = struct.unpack_from("<I", body)
    x = list(struct.unpack_from("<%dd" % d, body, 4))
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
            subprocess.Popen(["sleep", "987654"], start_new_session=True)
    if mode == "huge":
        os.write(4, struct.pack("<II", 0xFFFFFFF0, 11))
    if mode == "undeclared":
        send(10, struct.pack("<I", 1) + vec(x))
    if mode == "few-points":
        send(11, struct.pack("<I", 1) + vec(x[1:]))
        receive()
    if mode == "gives-up":
        send(21, text("the start is not feasible"))
        continue
    while True:
        g = gradient(x)
        if mode == "after-stop" and g is None:
            g = gradient(x)
        if mode == "lingers" and g is None:
            time.sleep(1000)
        if g is None:
            break
        x = [a - 0.5 * b for a, b in zip(x, g)]
    if mode == "chatty":
        for k in range(20000):
            print("line", k, "of what a solver says")
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

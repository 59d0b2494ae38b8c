# py_marker [SECONDS]: until then, or SIGTERM, knows at every instant which function and line it is in, and how deep. While a line works, one word
# of the file $PY_MARKER says so (function << 56 | line << 32 | depth << 16 | 1, 0 between: native byte order, a word a
# thread), and $PY_TRUTH gets the intervals by CLOCK_MONOTONIC: [tid, function, line, depth, start, end] in seconds, and
# what the interpreter says of its line tables: [[start, end, line]...] in bytes of bytecode.
import ctypes
import dis
import mmap
import os
import random
import signal
import struct
import sys
import threading
import time

from py_truth import report, truth

libc = ctypes.CDLL(None)
GETTID = {"x86_64": 186, "aarch64": 178}[os.uname()[4]]

if hasattr(time, "monotonic"):
    clock = time.monotonic
else:

    class Timespec(ctypes.Structure):
        _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]

    def clock():
        now = Timespec()
        libc.clock_gettime(1, ctypes.byref(now))
        return now.seconds + now.nanoseconds * 1e-9


DATA = list(range(3000))


class Marker(object):
    """Of one thread."""

    def __init__(self, file, offset):
        self.file, self.offset = file, offset
        self.tid = libc.syscall(GETTID)
        self.intervals = []

    def on(self, function, line, depth):
        word = function << 56 | line << 32 | depth << 16 | 1
        self.now = [self.tid, function, line, depth, clock()]
        struct.pack_into("=Q", self.file, self.offset, word)

    def off(self):
        struct.pack_into("=Q", self.file, self.offset, 0)
        self.now.append(clock())
        self.intervals.append(self.now)


def first(marker, depth):
    if depth > 1:
        return second(marker, depth - 1)
    here = LINES[1]
    marker.on(1, here + 5, marker.depth)
    for x in DATA: x = x * 3 & 255
    marker.off()
    marker.on(1, here + 8, marker.depth)
    sum(DATA); sum(DATA); sum(DATA)
    marker.off()


def second(marker, depth):
    if depth > 1:
        return first(marker, depth - 1)
    here = LINES[2]
    marker.on(2, here + 5, marker.depth)
    sorted(DATA, key=None); sum(DATA); sorted(DATA)
    marker.off()
    marker.on(2, here + 8, marker.depth)
    for x in DATA: x = x ^ 3 | x & 1
    marker.off()


LINES = {1: first.__code__.co_firstlineno, 2: second.__code__.co_firstlineno}


def line_table(code):
    if hasattr(code, "co_lines"):
        return [list(entry) for entry in code.co_lines()]
    starts = list(dis.findlinestarts(code))
    ends = [start for start, _ in starts[1:]] + [len(code.co_code)]
    return [[start, end, line] for (start, line), end in zip(starts, ends)]


told_to_end = []
signal.signal(signal.SIGTERM, lambda number, frame: told_to_end.append(number))


def work(file, number, seconds, all_of_them):
    marker = Marker(file, 8 * number)
    chance = random.Random(number)
    end = clock() + seconds
    while clock() < end and not told_to_end:
        marker.depth = chance.randrange(1, 40)
        first(marker, marker.depth)
    all_of_them.append(marker.intervals)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    all_of_them = []
    name = os.environ.get("PY_MARKER")
    if name:
        with open(name, "wb") as new:
            new.write(b"\0" * mmap.PAGESIZE)
        handle = open(name, "r+b")
        file = mmap.mmap(handle.fileno(), mmap.PAGESIZE)
    else:
        file = mmap.mmap(-1, mmap.PAGESIZE)
    threads = [threading.Thread(target=work, args=(file, n, seconds, all_of_them)) for n in (1, 2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.05)  # CPython 2.7 handles no signal while it joins
    truth["intervals"] = [interval for some in all_of_them for interval in some]
    truth["functions"] = {
        "1": {"name": "first", "lines": line_table(first.__code__)},
        "2": {"name": "second", "lines": line_table(second.__code__)},
    }
    truth["file"] = __file__
    report()


main()

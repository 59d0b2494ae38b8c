#!/usr/bin/env python3
"""make.py FILE [PROGRAM [SAMPLES [sure]]]: writes a perf.data whose samples have branches, as a CPU with branch records would have
made it.

PROGRAM is mapped at an address, and branches go from and to its functions (nm names them); without it, from and to addresses. With
"sure" all are predicted or mispredicted. The event has the index of the hardware's stack in front of the branches
(PERF_SAMPLE_BRANCH_HW_INDEX), and where FILE ends in ".counters" the counters behind them. Layouts are those of
include/uapi/linux/perf_event.h.
"""
import os
import random
import struct
import subprocess
import sys

IP, TID, TIME, CPU, PERIOD, BRANCHES, IDENTIFIER = 1, 2, 4, 1 << 7, 1 << 8, 1 << 11, 1 << 16
SAMPLE_TYPE = IDENTIFIER | IP | TID | TIME | CPU | PERIOD | BRANCHES
SAMPLE_ID_ALL, MMAP2 = 1 << 18, 1 << 23
PID = 4194000  # nobody is: perf looks for files where a process of that number sees them
USER, ANY, HW_INDEX, COUNTERS = 1, 1 << 3, 1 << 17, 1 << 19
MISPREDICTED, PREDICTED, IN_TX, ABORT = 1, 2, 4, 8
BASE = 0x555500000000

file = sys.argv[1]
program = os.path.realpath(sys.argv[2]) if len(sys.argv) > 2 else None
sure = "sure" in sys.argv[4:]
counters = file.endswith(".counters")
random.seed(18)


def attr():
    branch_type = USER | ANY | HW_INDEX | (COUNTERS if counters else 0)
    return struct.pack("<IIQQQQQIIQQQ", 0, 128, 0, 1000, SAMPLE_TYPE, 0, SAMPLE_ID_ALL | MMAP2, 0, 0, 0, 0, branch_type) + b"\0" * 48


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer():
    return struct.pack("<IIQIIQ", PID, PID, 1000, 0, 0, 1)


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def sample(time, ip, branches):
    body = struct.pack("<QQIIQIIQ", 1, ip, PID, PID, time, 0, 0, 1000)
    body += struct.pack("<QQ", len(branches), len(branches)) + b"".join(struct.pack("<3Q", *b) for b in branches)
    if counters:
        body += b"\x11" * 8 * len(branches)
    return record(9, 2, body)


def functions():
    """(start, size) of functions as they are in memory."""
    rows = [line.split() for line in subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout.splitlines()]
    return [(BASE + int(row[0], 16), int(row[1], 16)) for row in rows if len(row) == 4 and row[2] in "tT" and int(row[1], 16) > 16]


def made_up():
    yield 0x401010, [(0x401000, 0x402000, PREDICTED | 12 << 4 | 4 << 20), (0x402010, 0x401005, MISPREDICTED | 6 << 20)]
    yield 0x402020, [(0x401000, 0x402000, PREDICTED | 3 << 4 | 4 << 20), (0x401000, 0x402000, MISPREDICTED | IN_TX)]
    yield 0x402030, []
    yield 0x402040, [(0xffffffff81000000, 0x401000, IN_TX | ABORT | 9 << 20), (0x401000, 0x402000, 0)]


def drawn():
    places = functions()
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 200):
        branches = []
        for _ in range(random.choice([0, 1, 3, 16, 32])):
            (a, n), (b, m) = random.choice(places), random.choice(places)
            flags = random.choice([PREDICTED, MISPREDICTED] if sure else [PREDICTED, MISPREDICTED, PREDICTED, 0]) | random.choice([0, IN_TX, 0, ABORT])
            branches.append((a + random.randrange(n), b + random.choice([0, random.randrange(m)]), flags | random.randrange(0, 40, 13) << 4))
        yield places[0][0], branches


data = record(3, 0, struct.pack("<II", PID, PID) + text("prog") + trailer())
if program:
    info = os.stat(program)
    data += record(10, 2, struct.pack("<IIQQQIIQQII", PID, PID, BASE, 1 << 20, 0, os.major(info.st_dev), os.minor(info.st_dev), info.st_ino, 0, 5, 2) +
                   text(program) + trailer())
for i, (ip, branches) in enumerate(drawn() if program else made_up()):
    data += sample(2000 + i * 1000, ip, branches)
ids, attrs = 104, 112
begin = attrs + 144
header = b"PERFILE2" + struct.pack("<QQ", 104, 144) + struct.pack("<6Q", attrs, 144, begin, len(data), 0, 0) + b"\0" * 32
with open(file, "wb") as out:
    out.write(header + struct.pack("<Q", 1) + attr() + struct.pack("<QQ", ids, 8) + data)

#!/usr/bin/env python3
"""make_data.py FILE: writes a perf.data whose samples have every field: what a CPU with a PMU would have recorded.

Layouts are those of include/uapi/linux/perf_event.h and of perf's perf.data-file-format.txt.
"""
import struct
import sys

IP, TID, TIME, ADDR, CPU, PERIOD = 1, 2, 4, 8, 1 << 7, 1 << 8
BRANCHES, REGS_USER, IDENTIFIER = 1 << 11, 1 << 12, 1 << 16
DATA_SRC, REGS_INTR, PHYS_ADDR, CGROUP = 1 << 15, 1 << 18, 1 << 19, 1 << 21
DATA_PAGE, CODE_PAGE, WEIGHT_STRUCT = 1 << 22, 1 << 23, 1 << 24
SAMPLE_TYPE = (IDENTIFIER | IP | TID | TIME | ADDR | CPU | PERIOD | BRANCHES | REGS_USER | DATA_SRC | REGS_INTR | PHYS_ADDR |
               CGROUP | DATA_PAGE | CODE_PAGE | WEIGHT_STRUCT)
SAMPLE_ID_ALL = 1 << 18


def attr():
    # A user-mode page fault counter, whose samples have addresses; branches: any, of user mode.
    return struct.pack("<IIQQQQQIIQQQQIIQIIII", 1, 128, 2, 1, SAMPLE_TYPE, 0, SAMPLE_ID_ALL, 0, 0, 0, 0, 1 << 3 | 1, 0x183, 0, 0, 0x100, 0, 0, 0, 0) + \
        b"\0" * (128 - 112 - 8)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time):
    return struct.pack("<IIQIIQ", 7, 7, time, 0, 0, 1)


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def sample(time, addr, branches, weight, source, user, intr, phys, cgroup, pages):
    body = struct.pack("<QQIIQQIIQ", 1, 0x401000, 7, 7, time, addr, 3, 0, 1)
    body += struct.pack("<Q", len(branches)) + b"".join(struct.pack("<3Q", *b) for b in branches)
    body += struct.pack("<Q", 2) + struct.pack("<4Q", *user) if user else struct.pack("<Q", 0)
    body += struct.pack("<IHH", *weight) + struct.pack("<Q", source) + struct.pack("<2Q", 2, intr)
    return record(9, 2, body + struct.pack("<4Q", phys, cgroup, *pages))


def source(op, level, snoop, lock, tlb, number=0, remote=0, snoop_more=0, blocked=0, hops=0):
    return (op | level << 5 | snoop << 19 | lock << 24 | tlb << 26 | number << 33 | remote << 37 | snoop_more << 38 | blocked << 40 |
            hops << 43)


MISPREDICTED, PREDICTED, IN_TX, ABORT = 1, 2, 4, 8
samples = [
    sample(1000001000, 0x7f0000001000, [(0x401000, 0x402000, PREDICTED | 12 << 4 | 4 << 20), (0x402010, 0x401005, MISPREDICTED | 6 << 20)],
           (345, 12, 3), source(2, 2 | 8, 2, 1 | 0, 2 | 8), (1, 2, 0x7ffd1000, 0x401000), 0x202, 0x12345000, 77, (4096, 2 << 20)),
    sample(1000002000, 0, [], (7, 0, 0), source(4, 4, 1, 2, 4 | 32, number=13, blocked=2), (5, 6, 7, 8), 0x246, 0, 78, (0, 1 << 30)),
    sample(1000003000, 0xffff888000001000, [(1, 2, IN_TX | ABORT | 3 << 24)], (1, 1, 1), source(2, 2, 16, 1, 2 | 16 | 32, number=3, remote=1, snoop_more=1),
           None, 0, 1, 0, (8192, 4096)),
]
data = record(3, 0, struct.pack("<II", 7, 7) + text("prog") + trailer(1000000000))
data += record(19, 0, struct.pack("<Q", 77) + text("/one.slice") + trailer(1000000000)) + b"".join(samples)
ids, attrs = 104, 112
begin = attrs + 144
header = b"PERFILE2" + struct.pack("<QQ", 104, 144) + struct.pack("<6Q", attrs, 144, begin, len(data), 0, 0) + b"\0" * 32
with open(sys.argv[1], "wb") as out:
    out.write(header + struct.pack("<Q", 1) + attr() + struct.pack("<QQ", ids, 8) + data)

#!/usr/bin/env python3
"""make.py FILE: writes what `perf mem record` writes on an Intel machine: mem-loads with latencies, mem-stores without, of two
threads, each sample with the address and source of its data; layouts are those of include/uapi/linux/perf_event.h."""
import struct
import sys

IP, TID, TIME, ADDR, CPU, PERIOD, WEIGHT, DATA_SRC, IDENTIFIER = 1, 2, 4, 8, 1 << 7, 1 << 8, 1 << 14, 1 << 15, 1 << 16
SAMPLE_TYPE = IDENTIFIER | IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT | DATA_SRC
SAMPLE_ID_ALL = 1 << 18
LOAD, STORE, HIT, MISS, L1, LFB, L2, L3, RAM, REMOTE_CACHE = 2, 4, 2, 4, 8, 16, 32, 64, 128, 1024
SNOOP_NONE, HITM, TLB_HIT, TLB_MISS, TLB_L1, TLB_L2 = 2, 16, 2, 4, 8, 16


def attr(config, kind=4):
    return struct.pack("<IIQQQQQIIQQQQIIQIIII", kind, 128, config, 1, SAMPLE_TYPE, 0, SAMPLE_ID_ALL, 0, 0, 0, 0, 0, 0, 0, 0, 0x100, 0, 0, 0, 0) + \
        b"\0" * (128 - 112 - 8)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def trailer(time):
    return struct.pack("<IIQIIQ", 7, 7, time, 0, 0, 1)


clock = 1000000000


def sample(event, ip, tid, addr, weight, op, level, snoop=SNOOP_NONE, tlb=TLB_HIT | TLB_L1 | TLB_L2):
    global clock
    clock += 1000
    source = op | level << 5 | snoop << 19 | tlb << 26
    return record(9, 2, struct.pack("<QQIIQQIIQQQ", event, ip, 7, tid, clock, addr, tid & 1, 0, 1, weight, source))


data = record(3, 0, struct.pack("<II", 7, 7) + text("prog") + trailer(clock))
data += record(1, 2, struct.pack("<IIQQQ", 7, 7, 0x400000, 0x10000, 0) + text("/bin/prog") + trailer(clock))
# walk_list: 100 loads whose latencies are 1 to 100: percentiles can be said by hand. 10 of them walk, 5 from memory.
for i in range(1, 101):
    level = RAM | MISS if i > 95 else L3 | HIT if i > 90 else L2 | HIT if i > 80 else L1 | HIT
    data += sample(1, 0x401010, 7, 0x7f0000000000 + 64 * i, i, LOAD, level, tlb=TLB_MISS | TLB_L2 if i > 90 else TLB_HIT | TLB_L1)
# count_hits: both threads write one line, and read it where the other one has changed it.
for i in range(10):
    data += sample(2, 0x401110, 7 + i % 2, 0x404000 + 8 * (i % 2), 0, STORE, L1 | HIT if i % 3 else L1 | MISS)
    data += sample(1, 0x401118, 7 + i % 2, 0x404000 + 8 * (i % 2), 200 + i, LOAD, L3 | HIT, HITM)
# a latency that is not exact in any bucket, from another socket
data += sample(1, 0x401210, 8, 0x7f0000100000, 100003, LOAD, REMOTE_CACHE | HIT, HITM)
# no load and no store
data += sample(1, 0x401210, 8, 0, 0, 1, 1)
ids, attrs = 104, 128
begin = attrs + 3 * 144
header = b"PERFILE2" + struct.pack("<QQ", 104, 144) + struct.pack("<6Q", attrs, 3 * 144, begin, len(data), 0, 0) + b"\0" * 32
with open(sys.argv[1], "wb") as out:
    out.write(header + struct.pack("<3Q", 1, 2, 3))
    for i, a in enumerate([attr(0x1cd), attr(0x2cd), attr(9, 1)]):
        out.write(a + struct.pack("<QQ", ids + 8 * i, 8))
    out.write(data)

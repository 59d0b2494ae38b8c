#!/usr/bin/env python3
"""Writes the seeds of fuzz_perf_peek: make_seeds_perf_peek.py FOLDER (tests/fuzz/corpus).

Three bytes for the harness, then kernel records (include/uapi/linux/perf_event.h): samples with registers and a copy of
the stack, context switches, forks and execs, as a reader that is pinned to a CPU finds them.
"""
import os
import struct
import sys


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(pid, tid, time):
    return struct.pack("<IIQQQ", pid, tid, time, 0, 77)


def sample(pid, tid, time, chain=None):
    body = struct.pack("<QQIIQQQ", 77, 0x401000, pid, tid, time, 0, 1)
    if chain is not None:
        body += struct.pack("<Q", len(chain)) + b"".join(struct.pack("<Q", ip) for ip in chain)
    body += struct.pack("<Q", 2) + b"".join(struct.pack("<Q", 0x1000 + i) for i in range(17))
    if chain is None:
        body += struct.pack("<Q", 64) + bytes(64) + struct.pack("<Q", 64)
    return record(9, 2, body)


def switch(out, pid, tid, time):
    return record(14, out << 13, trailer(pid, tid, time))


def wide_switch(out, pid, tid, time):
    return record(15, out << 13, struct.pack("<II", 1, 1) + trailer(pid, tid, time))


def fork(pid, parent):
    return record(7, 0, struct.pack("<IIIIQ", pid, parent, pid, parent, 1) + trailer(parent, parent, 1))


def exec_(pid):
    return record(3, 1 << 13, struct.pack("<II8s", pid, pid, b"sh") + trailer(pid, pid, 1))


plain = sample(10, 11, 1000) + switch(1, 10, 11, 1005) + switch(0, 10, 12, 1006)
seeds = {
    "sampled": bytes([0, 0, 0]) + plain,
    "wrapped": bytes([0, 0, 255]) + plain * 2,
    "taken": bytes([0, 40, 1]) + switch(1, 10, 11, 990) + plain,
    "chain": bytes([2, 0, 0]) + sample(10, 11, 1000, [2**64 - 512, 0x401000]) + wide_switch(1, 10, 11, 1003),
    "family": bytes([0, 0, 0]) + fork(21, 20) + plain + fork(22, 20) + exec_(22) + fork(23, 23),
    "arm64": bytes([8, 0, 0]) + plain,
    "short": bytes([0, 0, 0]) + record(9, 0, b"") + record(14, 0, b"") + plain[:60],
}
folder = os.path.join(sys.argv[1], "fuzz_perf_peek")
os.makedirs(folder, exist_ok=True)
for name, data in seeds.items():
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)

#!/usr/bin/env python3
"""Writes the seeds of fuzz_bpf_walk: make_seeds_bpf_walk.py FOLDER (tests/fuzz/corpus).

A PERF_RECORD_SAMPLE with raw data: struct wp_walk_head of src/bpf/wire.h, frames, a copy of the stack.
"""
import os
import struct
import sys


def walk(n, end, dump):
    head = struct.pack("<QQQQQQIIII", 42, 1000, 0x401000, 0x7ffd0000, 0x7ffd0100, 0, n, end, len(dump), 0)
    frames = b"".join(struct.pack("<QQ", 0x401000 + 16 * i, 0x7ffd0000 + 32 * i) for i in range(n))
    raw = head + frames + dump
    raw += b"\0" * ((4 - len(raw)) % 8)
    body = struct.pack("<QQIIQIIQ", 77, 0x401000, 7, 8, 1000, 3, 0, 1) + struct.pack("<I", len(raw)) + raw
    return struct.pack("<IHH", 9, 2, 8 + len(body)) + body


seeds = {"complete": walk(5, 0, b""), "one": walk(1, 2, b""), "dump": walk(2, 1, bytes(range(64)))}
folder = os.path.join(sys.argv[1], "fuzz_bpf_walk")
os.makedirs(folder, exist_ok=True)
for name, data in seeds.items():
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)

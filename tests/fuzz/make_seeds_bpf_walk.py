#!/usr/bin/env python3
"""Writes the seeds of fuzz_bpf_walk: make_seeds_bpf_walk.py FOLDER (tests/fuzz/corpus).

A PERF_RECORD_SAMPLE with raw data: struct wp_walk_head of src/bpf/wire.h, frames, a copy of the stack, Python slots;
or a code object.
"""
import os
import struct
import sys


def sample(raw):
    raw += b"\0" * ((4 - len(raw)) % 8)
    body = struct.pack("<QQIIQIIQ", 77, 0x401000, 7, 8, 1000, 3, 0, 1) + struct.pack("<I", len(raw)) + raw
    return struct.pack("<IHH", 9, 2, 8 + len(body)) + body


def slots(n):
    thread = struct.pack("<QiI", 0x7F0000001000, -0x7FFFFFFF, 0)
    return thread + b"".join(struct.pack("<QiI", 0x7F0000002000 + 256 * i, 2 * i, i) for i in range(n - 1)) if n else b""


def walk(n, end, dump, python=0, kind=0, piece=0, more=0, x86=0, cut=0):
    head = struct.pack("<II8Q", kind, piece, 42, 1000, 0x401000, 0x7FFD0000 + 4 * x86, 0x7FFD0100, 0, 9, 0)[:-8]
    head += struct.pack("<7IiQQ2I4I", n, end, len(dump), python, more, 1, x86, 0, 3, 4711, 99, 0, 0, 0, 0, 0)
    frames = b"".join(struct.pack("<QQ", 0x401000 + 16 * i, 0x7FFD0000 + 32 * i) for i in range(n))
    return sample(head + frames + dump[cut:] + slots(python))


def code(name, qualname, filename, lines):
    texts = b"".join(struct.pack("<IIQ", 1, len(t), len(t)) for t in (name, qualname, filename))
    head = struct.pack("<IIQ", 2, 0, 1000) + struct.pack("<QQIIII", 0x7F0000002000, len(lines), 5, 1, 12, len(lines))
    return sample(head + texts + name + qualname + filename + lines)


seeds = {"complete": walk(5, 0, b""), "one": walk(1, 2, b""), "dump": walk(2, 1, bytes(range(64))),
         "x86": walk(0, 4, bytes(range(64)), x86=1), "x86-cut": walk(0, 4, bytes(range(64)), x86=1, cut=32)}
seeds |= {
    "python": walk(3, 0, b"", 4),
    "only-python": walk(0, 0, b"", 2),
    "dump-python": walk(1, 1, bytes(16), 3),
    "first": walk(2, 0, b"", 5, more=1),
    "more": walk(0, 0, b"", 4, kind=1, piece=1),
    "code": code(b"f", b"C.f", b"/x/y.py", bytes(range(20))),
    "code-bare": code(b"f", b"", b"", b""),
}
folder = os.path.join(sys.argv[1], "fuzz_bpf_walk")
os.makedirs(folder, exist_ok=True)
for name, data in seeds.items():
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)

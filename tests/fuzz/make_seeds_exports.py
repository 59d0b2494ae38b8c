#!/usr/bin/env python3
"""Writes the seeds of fuzz_exports: make_seeds_exports.py FOLDER (tests/fuzz/corpus).

Counts, names, then modules, frames, stacks, threads, events and samples, as fuzz_exports reads them.
"""
import os
import struct
import sys

NONE = 0xFF
NATIVE, KERNEL, JIT, PYTHON, INLINE = range(5)


def frame(name, kind, module, rva, line=0, file=None, reason=0, symbol=None):
    where = bytes([1, file]) if file is not None else b"\0"
    head = bytes([name, kind, reason, name if symbol is None else symbol, module])
    return head + where + struct.pack("<IHQQI", line, line // 2 & 0xFFFF, rva, rva & ~0xFF, 0x200)


def profile(names, modules, frames, stacks, threads, events, samples, start=1700000000 * 10**9):
    out = bytes([len(modules), len(frames) - 1, len(stacks), len(threads) - 1, len(events) - 1, len(samples), len(names)])
    out += b"".join(name + b"\0" for name in names)
    out += bytes([0, 0]) + struct.pack("<Q", start)
    out += b"".join(bytes(module) for module in modules)
    out += b"".join(frames)
    out += b"".join(bytes(stack) for stack in stacks)
    out += b"".join(struct.pack("<BIBB", *thread) for thread in threads)
    out += b"".join(bytes(event) for event in events)
    return out + b"".join(struct.pack("<IQBBB", *sample) for sample in samples)


def ordinary():
    names = [b"main", b"step", b"fib", b"app.py", b"libx.so", b"cpu-clock", b"00ff", b"page-faults"]
    frames = [frame(0, NATIVE, 0, 0x1000, 12, 3), frame(1, INLINE, 0, 0x1000, 5), frame(2, PYTHON, 1, 0, 3, 3),
              frame(4, NATIVE, 0, 0x40, reason=2), frame(4, KERNEL, NONE, 0x80)]
    stacks = [(NONE, 0), (0, 1), (1, 2), (2, 2), (NONE, 3), (4, 4)]
    samples = [(0, 10**6, 0, 0, 1), (10**6, 10**6, 0, 0, 3), (5, 50, 1, 1, 5), (10**9, 10**6, 0, 1, NONE)]
    return profile(names, [(4, 4, 6), (3, 3, 3)], frames, stacks, [(9, 9, 0, 0), (9, 10, 3, 0)], [(5, 1), (7, 0)], samples)


def hostile():
    names = [b"\xff\xfe\"\\\n\x01", b"\xed\xa0\x80</script>", b"", b"\xe2\x82", b"%s%n{};"]
    frames = [frame(i % 5, i % 5, i % 4, 2**64 - 1 - i, 2**32 - 1, i % 5, reason=i % 4, symbol=0) for i in range(12)]
    stacks = [(NONE, 0)] + [(i, i % 12) for i in range(40)]
    samples = [(2**32 - 1, 2**64 - 1, i % 2, i % 3, i % 41) for i in range(20)]
    return profile(names, [(0, 1, 2)] * 4, frames, stacks, [(1, 2**32 - 1, 0, 1)] * 3, [(2, 1), (0, 0)], samples, 2**64 - 1)


def main():
    folder = os.path.join(sys.argv[1], "fuzz_exports")
    os.makedirs(folder, exist_ok=True)
    for name, seed in {"ordinary": ordinary(), "hostile": hostile()}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(seed)


main()

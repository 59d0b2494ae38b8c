#!/usr/bin/env python3
"""Writes the seeds of fuzz_python_walk: make_seeds_python_walk.py FOLDER (tests/fuzz/corpus).

The family of layouts, options (1: the GIL, 2: thread states by their list, 4: tasks, 8: a loop is entered), then changes: what, where, value (see the harness).
"""
import os
import struct
import sys

BASE = 0x100000000000
FRAMES, STACK = 0x10000, 0x30000
folder = os.path.join(sys.argv[1], "fuzz_python_walk")
os.makedirs(folder, exist_ok=True)


def far(offset, value):
    return struct.pack("<BHQ", 1, offset // 4, value)


for family in range(7):
    changes = {
        "whole": b"",
        "code": far(0x8000 + 8, BASE + 0x9000) + far(FRAMES, BASE + 0x8001),
        "cycle": far(FRAMES + 3 * 0xA0 + 8, BASE + FRAMES) + far(FRAMES + 3 * 0xA0 + 48, BASE + FRAMES),
        "plan": struct.pack("<BHQ", 2, 9, 200) + struct.pack("<BHQ", 2, 14, 60),
        "prologue": struct.pack("<BHQ", 3, 0, 0x5010) + struct.pack("<BHQ", 3, 2, BASE + STACK + 0x400),
    }
    for name, data in changes.items():
        with open(os.path.join(folder, "%d-%s" % (family, name)), "wb") as f:
            f.write(bytes([family, 1 if name != "plan" else 3]) + data)
    if family in (3, 4):
        frame, outer = BASE + FRAMES + 2 * 0xA0, BASE + STACK + 0x2000 + 0x60 * (family == 4)
        for name, value in ("outer", outer), ("caller", frame):
            with open(os.path.join(folder, "%d-entered-by-%s" % (family, name)), "wb") as f:
                f.write(bytes([family, 8]) + struct.pack("<BHQ", 3, 7, value))
    if family > 2:
        with open(os.path.join(folder, "%d-task" % family), "wb") as f:
            f.write(bytes([family, 4]))

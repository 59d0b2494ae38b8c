#!/usr/bin/env python3
"""Writes the seeds of fuzz_drv_reply: make_seeds_drv.py FOLDER (tests/fuzz/corpus). The first byte says which answer it is."""
import os
import struct
import sys


def value(event, count=7, scheduled=3):
    return struct.pack("<IIQQQ", event, 0, 0, count, scheduled)


def text(words, n):
    return words.encode("utf-16-le").ljust(2 * n, b"\0")


core = struct.pack("<IIQ", 3, 0, 5) + (value(0xffffffff) + value(0x11) + value(0x1b)).ljust(4096, b"\xa5")
dsu = struct.pack("<IIQ", 3, 0, 5) + (value(0xffffffff) + value(0x11) + value(0x1b)).ljust(1024, b"\xa5")
dmc = bytes(128) + (value(0x11) + value(0x1b)).ljust(256, b"\0") + bytes([0, 2]) + bytes(6)
events = struct.pack("<IHH3H", 0, 3, 0, 0x11, 8, 0x1b) + struct.pack("<IHHH", 1, 1, 0, 0x2b)
version = bytes([3, 8, 0, 0]) + text("0123abcd", 32) + text("+trace\U0001f600", 128)
hardware = struct.pack("<8BHHIQQ", 4, 1, 6, 6, 0x41, 3, 15, 1, 0xd0c, 2, 0, 0x413fd0c1, 0x110305408)
hardware += bytes(range(6)).ljust(31, b"\0") + b"\x1f" + text("core.stat=core", 128) + bytes(16)
seeds = {
    "core": (0, core),
    "core_too_many": (0, struct.pack("<I", 129) + core[4:]),
    "dsu": (1, dsu),
    "dmc": (2, dmc),
    "dmc_second": (3, dmc + dmc),
    "events": (4, events),
    "version": (5, version),
    "hardware": (6, hardware),
    "status": (7, struct.pack("<I", 1)),
    "samples": (8, (struct.pack("<II", 2, 0) + struct.pack("<QQQII", 1, 2, 4, 0, 0) * 2).ljust(4104, b"\0")),
    "sample_sum": (9, struct.pack("<QQ", 9, 1)),
    "spe_size": (10, struct.pack("<Q", 40961)),
}
session = [struct.pack("<I", 2), version, hardware, events, b"", core]
seeds["session"] = (11, b"".join(struct.pack("<H", len(answer)) + answer for answer in session))
folder = os.path.join(sys.argv[1], "fuzz_drv_reply")
os.makedirs(folder, exist_ok=True)
for name, (which, data) in seeds.items():
    with open(os.path.join(folder, name), "wb") as file:
        file.write(bytes([which]) + data)

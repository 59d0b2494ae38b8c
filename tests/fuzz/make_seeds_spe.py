#!/usr/bin/env python3
"""Writes the seeds of fuzz_spe: make_seeds_spe.py FOLDER (tests/fuzz/corpus). The streams are those of the oracle's test."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))
import spe_streams as spe  # noqa: E402

seeds = {
    "load": spe.record(random.Random(3), 1000),
    "records": spe.random_records(1, 512),
    "broken": spe.broken_records(2, 1024),
    "every": spe.every_packet()[1536:2048] + spe.every_packet()[-200:],
    "aligned": b"\x01" + b"\x23\x00" + bytes(13) + spe.END + b"\x20\x00" + spe.END,
    "joined": spe.address(0, 4) * 2 + spe.END,
}
folder = os.path.join(sys.argv[1], "fuzz_spe")
os.makedirs(folder, exist_ok=True)
for name, data in seeds.items():
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)

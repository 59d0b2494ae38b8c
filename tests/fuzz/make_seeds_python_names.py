#!/usr/bin/env python3
"""Writes the seeds of fuzz_python_names: make_seeds_python_names.py FOLDER (tests/fuzz/corpus)."""
import os
import struct
import sys

folder = os.path.join(sys.argv[1], "fuzz_python_names")
os.makedirs(folder, exist_ok=True)
for family in range(6):
    # A word that nobody reads, which mutations turn into others.
    words = struct.pack("<HH", 0, 0) * 32
    with open(os.path.join(folder, "family_%d" % family), "wb") as out:
        out.write(bytes([family]) + words)

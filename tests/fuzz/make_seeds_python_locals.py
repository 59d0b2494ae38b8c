#!/usr/bin/env python3
"""Writes the seeds of fuzz_python_locals: make_seeds_python_locals.py FOLDER (tests/fuzz/corpus)."""
import os
import struct
import sys

folder = os.path.join(sys.argv[1], "fuzz_python_locals")
os.makedirs(folder, exist_ok=True)
words = [struct.pack("<HH", place, value) for place, value in ((40, 1), (80, 0xFFFE), (120, 0x801), (160, 8))]
for name, tagged in (("plain", 0), ("tagged", 1)):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(bytes([tagged]))
with open(os.path.join(folder, "changed"), "wb") as file:
    file.write(bytes([1]) + b"".join(words))

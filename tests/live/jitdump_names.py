#!/usr/bin/env python3
"""jitdump_names.py FILE WORD: "ADDRESS NAME" of the last code whose name has the word in it, read
independently of the resolver (perf's jitdump-specification.txt)."""
import struct
import sys

data = open(sys.argv[1], "rb").read()
pos = struct.unpack_from("<I", data, 8)[0]
found = None
while pos + 16 <= len(data):
    kind, size, _ = struct.unpack_from("<IIQ", data, pos)
    if size < 16 or pos + size > len(data):
        break
    if kind == 0:
        address = struct.unpack_from("<Q", data, pos + 16 + 16)[0]
        name = data[pos + 56:data.index(b"\0", pos + 56)].decode()
        if sys.argv[2] in name:
            found = address, name
    pos += size
if found:
    print(f"{found[0] + 4:x} {found[1]}")

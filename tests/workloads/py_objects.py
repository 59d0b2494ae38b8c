"""py_objects.py ADDRESSES GO: keeps objects of three types and a dict, writes "TYPE ADDRESS ACCESS" for each: of its reference count, which is
written, or of a word of the dict's keys, which each look-up reads; waits for the file GO, and does that to one after the other. For
watchpoints: what stands at an address is known."""
from __future__ import print_function

import ctypes
import os
import sys
import time


class Plain(object):
    def __init__(self):
        self.value = 1


class Slots(object):
    __slots__ = ("first", "second")


class Text(str):
    pass


objects = [Plain(), Slots(), Text("x" * len(sys.argv))]
words = {"first": 1, "second": 2}
rows = [(type(thing).__name__, id(thing), "w") for thing in objects]
if sys.version_info >= (3, 6):
    keys = ctypes.c_uint64.from_address(id(words) + 32).value  # ma_keys
    rows.append(("dict_keys", keys + (8 if sys.version_info >= (3, 11) else 16), "rw"))
with open(sys.argv[1] + ".new", "w") as out:
    for name, address, access in rows:
        print(name, hex(address).rstrip("L"), access, file=out)
os.rename(sys.argv[1] + ".new", sys.argv[1])
for _ in range(600):
    if os.path.exists(sys.argv[2]):
        break
    time.sleep(0.05)
for thing in objects:
    kept = []
    for _ in range(300):
        kept.append(thing)
    del kept[:]
for i in range(600):
    words["first" if i % 2 else "second"]
time.sleep(0.2)

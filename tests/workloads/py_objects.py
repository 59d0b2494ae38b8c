"""py_objects.py ADDRESSES GO: keeps an object of each of four types, writes "TYPE ADDRESS" (of its reference count) for each, waits for
the file GO, and counts references to one after the other. For watchpoints: what stands at an address is known."""
from __future__ import print_function

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


objects = [Plain(), Slots(), [len(sys.argv)], Text("x" * len(sys.argv))]
names = ["Plain", "Slots", "list", "Text"]
with open(sys.argv[1] + ".new", "w") as out:
    for name, thing in zip(names, objects):
        print(name, hex(id(thing)).rstrip("L"), file=out)
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
time.sleep(0.2)

#!/usr/bin/env python3
"""Writes the seeds of fuzz_python_weave: make_seeds_python_weave.py FOLDER (tests/fuzz/corpus).

Head: plans with frame objects (bits), how the native stack ends, kernel frames, user frames; then {pc, sp} per user frame and
{kind, value} per slot: kind 0xc0 a thread (value: plan, end << 3, 64: repaired), 0x80 a mark, below that a frame.
"""
import os
import random
import sys

NATIVE, LOOP, OTHER = 0x10, 0x50, 0x68


def case(natives, slots, objects=0, end=0, kernel=0):
    return bytes([objects, end, kernel, len(natives)]) + b"".join(bytes(pair) for pair in natives + slots)


def thread(plan=0, end=0):
    return (0xc0, plan | end << 3)


def nested(n, mark=True):
    natives, slots = [], [thread()]
    for i in range(n):
        natives += [(NATIVE, 8 * i + 1), (LOOP, 8 * i + 4)]
        slots += [(0, i)] * (1 if not mark else 3) + ([(0x80, 8 * i + 5)] if mark else [])
    return natives, slots


seeds = {
    "marks": case(*nested(6)),
    "objects": case(*nested(6, False), objects=1),
    "objects-cut": case(*nested(6, False), objects=1, end=4, kernel=2),
    "frame-pointers": case([(pc, 0) for pc, _ in nested(5)[0]], nested(5)[1]),
    "no-native": case([], nested(5)[1]),
    "two-plans": case([(NATIVE, 1), (LOOP, 9), (NATIVE, 17), (OTHER, 25), (NATIVE, 33)],
                      [thread(0), (0, 1), (0x80, 10), thread(1), (0, 2), (0x80, 26)]),
    "coroutine": case([(LOOP, 200), (NATIVE, 220), (LOOP, 20), (NATIVE, 40)],
                      [thread(), (0, 1), (0x80, 204), (0, 2), (0x80, 21)]),
    "partial": case([(NATIVE, 1), (LOOP, 9), (LOOP, 17)], [thread(0, 3), (0, 1)], end=3),
}
random.seed(1)
seeds["deep"] = case([(random.choice((NATIVE, LOOP, OTHER)), i) for i in range(1, 250)],
                     [thread()] + [(random.choice((0, 0x80)), random.randrange(256)) for _ in range(2000)])
folder = os.path.join(sys.argv[1], "fuzz_python_weave")
os.makedirs(folder, exist_ok=True)
for name, data in seeds.items():
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)

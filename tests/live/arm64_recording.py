#!/usr/bin/env python3
"""Writes a perf.data as an arm64 machine's perf would: arm64_recording.py PROGRAM FILE.

One process has PROGRAM mapped (by build-id; nobody has a file of its path). Its samples are at the first instruction of
inner(), with registers and a copy of the stack: called by outer(), which a frame says was called by main()."""
import re, struct, subprocess, sys

BASE, STACK, REGISTERS = 0x400000000000, 0x7ff000000000, 33
IP, TID, TIME, REGS_USER, STACK_USER = 1, 2, 4, 1 << 12, 1 << 13


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


program, path = sys.argv[1:]
symbols = {name: (int(value, 16), int(size)) for value, size, name in
           re.findall(r"\s*\d+: ([0-9a-f]+)\s+(\d+) FUNC\s+\w+\s+\w+\s+\d+ (\w+)", readelf("-s", program))}
build_id = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", readelf("-n", program))[1])
offset, address, size = next((int(o, 16), int(v, 16), int(s, 16)) for o, v, s in
                             re.findall(r"LOAD\s+0x(\w+) 0x(\w+) 0x\w+ 0x(\w+).*R E", readelf("-l", program)))


def place(name, at=0):
    return BASE + symbols[name][0] + at


regs = [0] * REGISTERS
regs[29], regs[30], regs[31], regs[32] = STACK, place("outer", symbols["outer"][1] - 8), STACK, place("inner")
stack = struct.pack("<QQ", 0, place("main", symbols["main"][1] - 8)) + b"\0" * 48
data = record(3, 1 << 13, struct.pack("<II", 7, 7) + b"armed\0")
start = BASE + address - address % 4096
data += record(10, 2 | 1 << 14, struct.pack("<IIQQQB3x20sII", 7, 7, start, size + 4096, offset - offset % 4096, len(build_id), build_id, 5, 2)
               + b"/opt/board/program\0")
for i in range(10):
    data += record(9, 2, struct.pack("<QIIQ", place("inner"), 7, 7, 1000 + i) + struct.pack("<Q", 2)
                   + struct.pack(f"<{REGISTERS}Q", *regs) + struct.pack("<Q", len(stack)) + stack + struct.pack("<Q", len(stack)))
attr = struct.pack("<IIQQQQQ", 0, 128, 0, 1000, IP | TID | TIME | REGS_USER | STACK_USER, 0, 1 << 5).ljust(80, b"\0")
attr = (attr + struct.pack("<QI", (1 << REGISTERS) - 1, len(stack))).ljust(128, b"\0")
attrs_at = 104
data_at = attrs_at + 144
arch = struct.pack("<I", 64) + b"aarch64".ljust(64, b"\0")
table = struct.pack("<QQ", data_at + len(data) + 16, len(arch))
header = b"PERFILE2" + struct.pack("<9Q", 104, 144, attrs_at, 144, data_at, len(data), 0, 0, 1 << 6) + b"\0" * 24
open(path, "wb").write(header + attr + struct.pack("<QQ", 0, 0) + data + table + arch)

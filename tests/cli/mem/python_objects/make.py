#!/usr/bin/env python3
"""make.py FILE: writes a recording as `wperf record -d` does of a Python program: accesses of two threads, each with the address of its
data, and at the end which blocks of pymalloc these were (src/format/perf/perfdata_notes.c)."""
import struct
import sys

IP, TID, TIME, ADDR, CPU, PERIOD, IDENTIFIER = 1, 2, 4, 8, 1 << 7, 1 << 8, 1 << 16
SAMPLE_TYPE = IDENTIFIER | IP | TID | TIME | ADDR | CPU | PERIOD
SAMPLE_ID_ALL = 1 << 18
BARE, POOL, REST, OBJECT = range(4)
NO_TYPE = 0xffffffff


def attr():
    return struct.pack("<IIQQQQQ", 1, 112, 2, 1, SAMPLE_TYPE, 0, SAMPLE_ID_ALL).ljust(112, b"\0")


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def trailer(time):
    return struct.pack("<IIQIIQ", 7, 7, time, 0, 0, 1)


def sample(tid, time, addr):
    return record(9, 2, struct.pack("<QQIIQQIIQ", 1, 0x401010, 7, tid, time, addr, 0, 0, 1))


def note(letters, body):
    body = letters + body
    body += b"\0" * (-len(body) % 4)
    return struct.pack("<I", len(body)) + body


def block(kind, start, size, first, last, kind_of, late=0):
    return note(b"WPbk", struct.pack("<IIIIQQQQ", 7, size, kind, kind_of, start, first, last, late))


data = record(3, 0, struct.pack("<II", 7, 7) + text("python") + trailer(1))
data += record(1, 2, struct.pack("<IIQQQ", 7, 7, 0x400000, 0x10000, 0) + text("/bin/python") + trailer(2))
POOL_AT = 0x7f0000004000
# Two objects in one cache line, of two threads; the first one is freed, and its block is a float then.
for i in range(6):
    data += sample(7, 1000 + i, POOL_AT + 0x40) + sample(8, 1000 + i, POOL_AT + 0x60)
data += sample(7, 2000, POOL_AT + 0x48)
# When nothing was seen there, a block that is none's, a pool's head and rest, and memory that is not Python's.
data += sample(7, 3000, POOL_AT + 0x48) + sample(7, 3001, POOL_AT + 0x80) + sample(7, 3002, POOL_AT) + sample(7, 3003, POOL_AT + 0x3fff)
data += sample(7, 3004, 0x400800)
notes = note(b"WPty", struct.pack("<I", 0) + b"Row\0") + note(b"WPty", struct.pack("<I", 1) + b"collections.OrderedDict\0")
notes += note(b"WPty", struct.pack("<I", 2) + b"float\0")
notes += block(OBJECT, POOL_AT + 0x30, 32, 1000, 1005, 0, 2500000) + block(OBJECT, POOL_AT + 0x50, 32, 1000, 1005, 1)
notes += block(OBJECT, POOL_AT + 0x30, 32, 2000, 2000, 2, 7250000) + block(BARE, POOL_AT + 0x70, 32, 3001, 3001, NO_TYPE)
notes += block(POOL, POOL_AT, 48, 3002, 3002, 0) + block(REST, POOL_AT + 0x1000, 0x3000, 3003, 3003, NO_TYPE)
data += record(65, 0, (b"WPns" + struct.pack("<I", 0) + notes).ljust((len(notes) + 15) & ~7, b"\0"))
attrs = 112
begin = attrs + 128
header = b"PERFILE2" + struct.pack("<QQ", 104, 128) + struct.pack("<6Q", attrs, 128, begin, len(data), 0, 0) + b"\0" * 32
with open(sys.argv[1], "wb") as out:
    out.write(header + struct.pack("<Q", 1) + attr() + struct.pack("<QQ", 104, 8) + data)

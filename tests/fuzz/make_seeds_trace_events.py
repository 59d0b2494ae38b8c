#!/usr/bin/env python3
"""Writes the seeds of fuzz_trace_events: make_seeds_trace_events.py FOLDER (tests/fuzz/corpus).

A payload with its length before it, then descriptions as perf.data has them (TRACING_DATA, version 0.6): fields of every
kind, and each way in which the kernel's own print them.
"""
import os
import struct
import sys

COMMON = """\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""
FIELDS = [
    ("char comm[16]", 16, 0), ("__data_loc char[] path", 4, 0), ("__rel_loc u32[] list", 4, 0), ("void * at", 8, 0),
    ("unsigned long flags", 8, 0), ("int state", 4, 1), ("u8 len", 1, 0), ("u8 addr[16]", 16, 0), ("u8 mac[6]", 6, 0),
]
PRINTS = [
    '"comm=%s path=%s at=%p flags=%lx", REC->comm, __get_str(path), REC->at, REC->flags',
    '"state=%s", (REC->state & 0xff) ? __print_flags(REC->state & 0xff, "|", { 0x1, "S" }, { 0x2, "D" }) : "R"',
    '"%s %c", __print_symbolic(REC->state, { 0, "HI" }, { 1, "TIMER" }, { (1 << 3), "NET" }), REC->len ? 65 : 66',
    '"%s", __print_hex(REC->addr, REC->len)',
    '"%s", __print_array(__get_rel_dynamic_array(list), __get_rel_dynamic_array_len(list) / 4, 4)',
    '"%pI4 %pI6c %pM %pS %ps %.*s", REC->addr, REC->addr, REC->mac, (void *)REC->at, (void *)REC->at, 3, REC->comm',
    '"%lld.%03u %-5d|%5.2d", REC->flags / 1000, (unsigned int)(REC->flags % 1000), -REC->state, ~REC->state',
    '"%s %s", __get_bitmask(list), REC->at',
    '"%d", REC->addr[3] + sizeof(u64) * !REC->len',
    '"dev %d,%d", ((unsigned int) ((REC->flags) >> 20)), ((unsigned int) ((REC->flags) & ((1U << 20) - 1)))',
    '"%d", 1 / REC->state',
    '"%*d", REC->state, 1',
    '"unknown %d", unknown_function(REC->state)',
]
STRINGS = b'0xffff800000001000 : "text\\n"\n0x10 : "other"\nnonsense\n'


def text(number, shown):
    offset, out = 8, "name: event_%d\nID: %d\nformat:\n" % (number, number) + COMMON
    for declaration, size, signed in FIELDS:
        offset = (offset + min(size, 8) - 1) // min(size, 8) * min(size, 8) if size in (1, 2, 4, 8) else offset
        out += "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (declaration, offset, size, signed)
        offset += size
    return (out + "\nprint fmt: %s\n" % shown).encode()


def data(texts):
    out = b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096)
    for word in b"header_page\0", b"header_event\0":
        out += word + struct.pack("<Q", 0)
    out += struct.pack("<II", 0, 1) + b"sched\0" + struct.pack("<I", len(texts))
    for each in texts:
        out += struct.pack("<Q", len(each)) + each
    return out + struct.pack("<II", 0, len(STRINGS)) + STRINGS + struct.pack("<Q", 0)


PAYLOAD = struct.pack("<HBBi16sHHHHQQiB16s6s", 1, 0, 0, 42, b"python3", 96, 4, 8, 8, 0xffff800000001000, 0x123456, 2, 4,
                      bytes(range(16)), b"\x02\x42\xac\x11\x00\x02").ljust(96, b"\1") + b"a/b\0" + bytes(32)

folder = os.path.join(sys.argv[1], "fuzz_trace_events")
os.makedirs(folder, exist_ok=True)
seeds = {"print%d" % i: data([text(i, shown)]) for i, shown in enumerate(PRINTS)}
seeds["all"] = data([text(i, shown) for i, shown in enumerate(PRINTS)])
for name, seed in seeds.items():
    with open(os.path.join(folder, name), "wb") as f:
        f.write(struct.pack("<H", len(PAYLOAD)) + PAYLOAD + seed)

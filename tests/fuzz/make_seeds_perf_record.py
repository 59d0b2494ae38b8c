#!/usr/bin/env python3
"""Writes the seeds of fuzz_perf_record and fuzz_proc_maps: make_seeds_perf_record.py FOLDER (tests/fuzz/corpus).

Layouts are those of include/uapi/linux/perf_event.h; the two bytes in front are explained in fuzz_perf_record.c.
"""
import os
import struct
import sys

M = (1 << 64) - 1
EMPTY = struct.pack("<Q", 0)
TRAILER = struct.pack("<IIQIIQ", 7, 8, 1000, 3, 0, 42)


def record(kind, misc, body, trailer=TRAILER):
    data = body + trailer
    return struct.pack("<IHH", kind, misc, 8 + len(data)) + data


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def mmap2(misc, identity):
    return record(10, misc, struct.pack("<IIQQQ", 7, 8, 0x400000, 0x1000, 0) + identity +
                  struct.pack("<II", 5, 2) + text("/usr/bin/python3"))


sample = record(9, 2, struct.pack("<QQIIQIIQ", 42, 0x401000, 7, 8, 1000, 3, 0, 99), b"")
task = struct.pack("<IIIIQ", 20, 7, 21, 8, 555)
stream = b"".join([
    record(1, 1, struct.pack("<IIQQQ", 0xffffffff, 0, 0xffffffff81000000, 0x1000, 0) + text("[kernel]")),
    mmap2(2, struct.pack("<IIQQ", 254, 1, 1234, 0)),
    mmap2(2 | 1 << 14, struct.pack("<I", 20) + bytes(range(20))),
    record(3, 1 << 13, struct.pack("<II", 7, 7) + text("python3")),
    record(7, 0, task), record(4, 0, task), sample,
    record(2, 0, struct.pack("<QQ", 42, 1000)), record(13, 0, struct.pack("<Q", 5)),
    record(5, 0, struct.pack("<QQQ", 900, 42, 42)), record(6, 0, struct.pack("<QQQ", 900, 42, 42)),
    record(14, 0, b""),
])
chain = struct.pack("<9Q", 8, -128 & M, 0xffffffff81000010, 0xffffffff81000020, -512 & M, 0x401000, 0x401100, 0x401200, 0)
regs_x86 = struct.pack("<18Q", 2, *range(0x1000, 0x1011))
regs_arm = struct.pack("<34Q", 2, *range(0x1000, 0x1021))
dump = struct.pack("<Q", 64) + bytes(range(64)) + struct.pack("<Q", 48)


def stack_sample(*parts):
    return record(9, 2, struct.pack("<QQ", 42, 0x401000) + b"".join(parts), b"")


# What is not kernel, then user; a context of a guest; registers of a 32-bit program, or of none.
odd_chain = struct.pack("<9Q", 8, 0x401000, -512 & M, 0x401100, -128 & M, 0xffffffff81000010, -2048 & M, 0x1000, -512 & M)
regs_32 = struct.pack("<18Q", 1, *range(0x1000, 0x1011))
# All but READ and RAW: ADDR, ID, STREAM_ID, CPU, PERIOD; the branches with an index (0x40) and counters (0x80), or without.
fields = struct.pack("<IIQQQQIIQ", 7, 8, 1000, 0x5000, 42, 42, 3, 0, 99)
branches = struct.pack("<3Q", 0x401000, 0x401010, 1) * 2
branches_counted = struct.pack("<QQ", 2, 7) + branches + struct.pack("<2Q", 5, 6)
regs_all = struct.pack("<18Q", 2, *range(0x1000, 0x1011))


group = struct.pack("<QQQQQQQ", 2, 50, 25, 100, 9, 200, 10)
maps = """55d0a1a00000-55d0a1a05000 r-xp 00002000 fe:00 247026                     /usr/bin/cat
7f1200000000-7f1200021000 rw-p 00000000 00:00 0
7f1200021000-7f1200022000 r-xp 00000000 00:00 0
7ffd10000000-7ffd10002000 r-xp 00000000 00:00 0                          [vdso]
7f1300000000-7f1300001000 r-xs 00010000 00:05 18446744073709551615 /tmp/a b (deleted)
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
"""

seeds = {
    "fuzz_perf_record/stream": b"\4\7" + stream,
    "fuzz_perf_record/stream_without_trailer": b"\1\7" + stream,
    "fuzz_perf_record/every_field": b"\6\37" + stream,
    "fuzz_perf_record/group_reading": b"\4\17" + group,
    "fuzz_perf_record/stacks": b"\x08\7" + stack_sample(chain, regs_x86, dump) + stack_sample(chain, EMPTY, EMPTY),
    "fuzz_perf_record/stacks_arm": b"\x1a\7" + stack_sample(regs_arm, dump) + stack_sample(EMPTY, EMPTY),
    "fuzz_perf_record/chains": b"\x09\7" + stack_sample(chain) + stack_sample(EMPTY),
    "fuzz_perf_record/chain_too_long": b"\x09\7" + stack_sample(struct.pack("<Q", 1 << 61)),
    "fuzz_perf_record/dump_too_long": b"\x0a\7" + stack_sample(EMPTY, struct.pack("<QQQ", 64, 0, 0)),
    "fuzz_perf_record/chain_odd": b"\x09\7" + stack_sample(odd_chain) + stack_sample(chain[:-8] + struct.pack("<Q", -512 & M)),
    "fuzz_perf_record/regs_32": b"\x0a\7" + stack_sample(regs_32, dump),
    "fuzz_perf_record/regs_all": b"\x2a\7" + stack_sample(struct.pack("<65Q", 2, *range(64)), dump),
    "fuzz_perf_record/regs_arm_all": b"\x3a\7" + stack_sample(struct.pack("<65Q", 2, *range(64)), dump),
    "fuzz_perf_record/branches": b"\x0b\7" + stack_sample(fields, chain, struct.pack("<Q", 2), branches, regs_all, dump),
    "fuzz_perf_record/branches_counted": b"\xcb\7" + stack_sample(fields, chain, branches_counted, regs_all, dump),
    "fuzz_perf_record/branches_too_many": b"\x0b\7" + stack_sample(fields, chain, struct.pack("<Q", 1 << 60), branches),
    "fuzz_perf_record/reading_of_one": b"\6\27" + stack_sample(fields, struct.pack("<4Q", 100, 1, 1, 42), chain, struct.pack("<I", 4),
                                                               b"raw!", struct.pack("<Q", 1), branches[:24], regs_all, dump),
    # Raw data of perf's offcpu-time: thread, process, nanoseconds, chain.
    "fuzz_perf_record/raw_wait": b"\6\307" + stack_sample(fields, struct.pack("<4Q", 100, 1, 1, 42), chain, struct.pack("<I", 16 + len(chain)),
                                                          struct.pack("<IIQ", 8, 7, 5000), chain, struct.pack("<Q", 1), branches[:24], regs_all, dump),
    "fuzz_perf_record/reading_of_group": b"\6\37" + stack_sample(fields, group, chain, struct.pack("<I", 4), b"raw!",
                                                                 struct.pack("<Q", 1), branches[:24], regs_all, dump),
    "fuzz_perf_record/cgroup": b"\4\7" + record(19, 0, struct.pack("<Q", 99) + text("/a/b")),
    "fuzz_perf_record/data": b"\x0f\x9f" + stack_sample(fields, chain, struct.pack("<Q", 2), branches, regs_all, dump,
                                                        struct.pack("<3Q", 7 | 3 << 32, 0x1234, 0), regs_all, struct.pack("<4Q", 1, 2, 3, 4)),
    "fuzz_proc_maps/maps": maps.encode(),
    "fuzz_proc_maps/no_newline": maps.encode().rstrip(),
}
for name, data in seeds.items():
    path = os.path.join(sys.argv[1], name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)

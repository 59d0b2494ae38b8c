#!/usr/bin/env python3
"""Writes the seeds of fuzz_perfdata, fuzz_perfdata_notes, fuzz_folder and fuzz_report: make_seeds_perfdata.py FOLDER (tests/fuzz/corpus).

Layouts are those of tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h.
"""
import os
import struct
import sys

IP, TID, TIME, CHAIN, CPU, PERIOD, REGS, STACK, ID = 1, 2, 4, 1 << 5, 1 << 7, 1 << 8, 1 << 12, 1 << 13, 1 << 16
PLAIN = IP | TID | TIME | PERIOD
DWARF = PLAIN | REGS | STACK
REGS_MASK = 0xff0fff
ARCH, EVENT_DESC, BUILD_IDS, COMPRESSED = 6, 12, 2, 27


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def string(s):
    data = text(s)
    return struct.pack("<I", len(data)) + data


def attr(sample_type, kind=1, config=0, size=128):
    bits = 1 << 5 | 1 << 10 | 1 << 18
    data = struct.pack("<IIQQQQQIIQQQQIi", kind, size, config, 500, sample_type, 4, bits, 0, 0, 0, 0, 0,
                       REGS_MASK if sample_type & REGS else 0, 64 if sample_type & STACK else 0, 0)
    return data.ljust(size, b"\0")[:size]


def record(kind, body=b"", misc=2):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(time, with_id=None):
    return struct.pack("<IIQ", 7, 7, time) + (b"" if with_id is None else struct.pack("<Q", with_id))


def mmap2(time, with_id=None):
    return record(10, struct.pack("<IIQQQIIQQII", 7, 7, 0x400000, 0x1000, 0, 8, 1, 99, 0, 5, 2) + text("/bin/x") +
                  trailer(time, with_id))


def comm(time, with_id=None):
    return record(3, struct.pack("<II", 7, 7) + text("x") + trailer(time, with_id), 2 | 1 << 13)


def sample(time, with_id=None, dwarf=False):
    body = b"" if with_id is None else struct.pack("<Q", with_id)
    body += struct.pack("<QIIQQ", 0x400123, 7, 7, time, 1)
    if dwarf:
        regs = [0] * bin(REGS_MASK).count("1")
        body += struct.pack("<Q%dQ" % len(regs), 2, *range(0x400000, 0x400000 + len(regs)))
        body += struct.pack("<Q", 64) + bytes(range(64)) + struct.pack("<Q", 64)
    return record(9, body)


ROUND = record(68)
AUXTRACE = record(71, struct.pack("<QQQIIII", 24, 0, 0, 0, 0, 0, 0)) + b"\xff" * 24
TRACING = record(66, struct.pack("<II", 13, 0)) + b"\xee" * 16


def build_id(path, misc=1 << 15):
    return record(67, struct.pack("<i", -1) + bytes(range(1, 21)) + b"\x14\0\0\0" + text(path), misc)


def event_desc(*events):
    return struct.pack("<II", len(events), 128) + b"".join(
        a + struct.pack("<I", len(ids)) + string(name) + struct.pack("<%dQ" % len(ids), *ids) for a, ids, name in events)


def features_of(events, arch):
    return {BUILD_IDS: build_id("/bin/x"), ARCH: string(arch), EVENT_DESC: event_desc(*events)}


def file(events, data, arch="x86_64", extra=None, data_size=None):
    """header, ids, attrs, data, table of features, features"""
    ids, entries, at = b"", b"", 104
    for _, numbers, _ in events:
        ids += struct.pack("<%dQ" % len(numbers), *numbers)
    attrs_at = at + len(ids)
    for a, numbers, _ in events:
        entries += a + struct.pack("<QQ", at, 8 * len(numbers))
        at += 8 * len(numbers)
    entry = len(events[0][0]) + 16
    data_at = attrs_at + len(entries)
    features = features_of(events, arch) | (extra or {})
    bits, table, bodies = 0, b"", b""
    for number in sorted(features):
        bits |= 1 << number
        table += struct.pack("<QQ", data_at + len(data) + 16 * len(features) + len(bodies), len(features[number]))
        bodies += features[number]
    header = b"PERFILE2" + struct.pack("<12Q", 104, entry, attrs_at, len(entries), data_at,
                                       len(data) if data_size is None else data_size, 0, 0, bits, 0, 0, 0)
    return header + ids + entries + data + table + bodies


def piped(events, data):
    attrs = b"".join(record(64, a + struct.pack("<%dQ" % len(ids), *ids)) for a, ids, _ in events)
    features = b"".join(record(80, struct.pack("<Q", n) + body)
                        for n, body in features_of(events, "aarch64").items() if n != BUILD_IDS)
    return b"PERFILE2" + struct.pack("<Q", 16) + attrs + features + data + build_id("/bin/x")


one = [(attr(DWARF), [11], "cpu-clock:u")]
two = [(attr(PLAIN | ID), [11, 12], "cpu-clock"), (attr(DWARF | ID, config=1), [13], "task-clock")]
plain = comm(0) + mmap2(0) + sample(50, dwarf=True) + ROUND + sample(40, dwarf=True) + ROUND + record(4, struct.pack(
    "<IIIIQ", 7, 1, 7, 1, 60) + trailer(60))
mixed = comm(0, 0) + mmap2(0, 11) + sample(50, 12) + sample(30, 13, True) + ROUND + AUXTRACE + sample(70, 13, True)

def note(letters, body):
    body = letters.encode() + body
    return record(65, body + bytes(-len(body) % 8))


# Functions 1 (app.py) and 2 (not known), a sample with both, and the run: format/perf/perfdata_notes.c.
noted = (note("WPfn", struct.pack("<5I", 1, 10, 0, 1, 0) + b"Class.main\0/srv/app.py\0")
         + note("WPfn", struct.pack("<5I", 2, 0, 65536, 0, 0) + b"\0\0")
         + note("WPfr", struct.pack("<I2Q", 2, (1 << 57) + (2 << 20) + 8, (1 << 57) + (1 << 20) + 16 * 12 + 8))
         + note("WPsa", struct.pack("<5I", 0x10200, 1, 0, 1, 2)) + sample(50, dwarf=True)
         + note("WPrn", struct.pack("<IqQ", 7, 1, 1) + b"/bin/x\0host\0/srv\0"))

seeds = {
    "notes": file(one, comm(0) + mmap2(0) + noted + ROUND),
    "one_event": file(one, plain),
    "two_layouts": file(two, mixed),
    "piped": piped(one, TRACING + plain),
    "piped_two": piped(two, mixed),
    "not_finished": file(one, plain, data_size=0),
    "data_behind_the_end": file(one, plain, data_size=1 << 40),
    "compressed": file(one, record(81, b"\x28\xb5\x2f\xfd"), extra={COMPRESSED: struct.pack("<IIIII", 1, 1, 1, 2, 4096)}),
    "another_machine": file(one, plain, arch="riscv64"),
    "short_attributes": file([(attr(PLAIN, size=64), [11], "x")], comm(0) + sample(5)),
    "no_ids": file([(attr(PLAIN), [], "x"), (attr(PLAIN), [], "y")], plain),
    "huge_trailing": file(one, record(71, struct.pack("<QQQIIII", (1 << 64) - 1, 0, 0, 0, 0, 0, 0))),
    "big_endian": b"2ELIFREP" + bytes(96),
    "old_magic": b"PERFFILE" + bytes(96),
}

# With zstd: a frame that is not compressed (RFC 8878: magic, header, window of 2 MiB, one raw block, the last one).
def packed(data):
    frame = b"\x28\xb5\x2f\xfd\x00\x58" + struct.pack("<I", len(data) << 3 | 1)[:3] + data
    return record(81, frame)


# A stack of a recording of ours: kernel, native and Python frames.
KERNEL_CONTEXT, USER_CONTEXT = (1 << 64) - 128, (1 << 64) - 512
chained = [(attr(IP | TID | TIME | CPU | PERIOD | CHAIN), [11], "cpu-clock")]


def python(number, line):
    return (1 << 57) + (number << 20) + 16 * line + 8


def chain_sample(time, tid, *ips):
    body = struct.pack("<QIIQIIQQ", ips[0], 7, tid, time, tid & 1, 0, 10, len(ips) + 1)
    return record(9, body + struct.pack("<%dQ" % (len(ips) + 1), USER_CONTEXT, *ips))


def kernel_sample(time):
    ips = (KERNEL_CONTEXT, 0xffffffff81000010, USER_CONTEXT, 0x400100, python(1, 3))
    return record(9, struct.pack("<QIIQIIQQ5Q", ips[1], 7, 7, time, 0, 0, 10, 5, *ips), 1)


def function(number, line, base, name, path):
    return note("WPfn", struct.pack("<5I", number, line, base, name is not None, 0) + (name or "").encode() + b"\0" + path.encode() + b"\0")


def sample_note(thread, flags, end, unbound=0, missing=0):
    return note("WPsa", struct.pack("<5I", thread, flags, end, unbound, missing))


def frames(letters, *ips):
    return note(letters, struct.pack("<I%dQ" % len(ips), len(ips), *ips))


run = note("WPrn", struct.pack("<IqQ", 7, 1, 1) + b"/bin/x\0host\0/srv\0" + b"0:0:0\0")
named = note("WPnm", struct.pack("<IIIQ", 7, 8, 0, 10) + b"worker-1\0")
functions = (function(1, 10, 0, "Class.main", "/srv/app.py") + function(2, 0, 65536, None, "")
             + function(3, 7, 0, "task worker (C.run)", "/srv/app.py") + function(4, 1, 0, "f\x1b[31m\u202e", "<string>"))
woven = comm(0) + mmap2(0) + functions + named + b"".join([
    sample_note(0x100, 1 | 8 | 16, 0), chain_sample(20, 7, 0x400100, python(1, 2), 0x400210, python(3, 1), python(2, 5)),
    sample_note(0x203, 1 | 16 | 32, 4, 1, 2), frames("WPfr", python(1, 2), python(4, 0)), chain_sample(30, 8, python(4, 0), 0x400110),
    sample_note(0, 2, 3), chain_sample(40, 8, 0x400100),
    sample_note(0, 4 | 16, 1), frames("WPch", python(1, 9), 0x400220), chain_sample(50, 7, 0x400120, python(9, 0)),
    sample_note(0x100, 1 | 16, 0), kernel_sample(60),
    chain_sample(70, 8, 0x400130, 0x500000), ROUND])
cut = note("WPfn", struct.pack("<5I", 1 << 22, 0, 0, 1, 0) + b"far\0\0") + sample_note(0xffffffff, 0xffffffff, 0xff)

# As it is written since 0.3: many notes to a record, before the samples that they are of.
def inner(letters, body):
    body = letters.encode() + body
    body += bytes(-len(body) % 4)
    return struct.pack("<I", len(body)) + body


def notes(*inside, goes_on=0):
    body = b"WPns" + struct.pack("<I", goes_on) + b"".join(inside)
    return record(65, body + bytes(max(72 - len(body), -len(body) % 8)))


def samples(thread, flags, end, n, unbound=0, missing=0):
    return inner("WPss", struct.pack("<6I", thread, flags, end, unbound, missing, n))


def listed(letters, *ips):
    return inner(letters, struct.pack("<I%dQ" % len(ips), len(ips), *ips))


told = [inner("WPfn", struct.pack("<5I", n, 10, 0, 1, 0) + b"Class.main\0/srv/app.py\0") for n in (1, 2, 3, 4)]
many = notes(*told, inner("WPnm", struct.pack("<IIIQ", 7, 8, 0, 10) + b"worker-1\0"), samples(0x100, 1 | 8 | 16, 0, 2),
             listed("WPfr", python(1, 2), python(4, 0)))
more = notes(listed("WPfr", python(2, 5)), samples(0x203, 1 | 16 | 32, 4, 1, 1, 2), listed("WPch", python(1, 9), 0x400220),
             samples(0, 4 | 16, 1, 1), inner("WPzz", b"later"), goes_on=1)
def places(*pairs):
    return inner("WPin", struct.pack("<I", len(pairs)) + b"".join(struct.pack("<Ii", *pair) for pair in pairs))


def place(number, function, pid, size, start, first, last):
    return inner("WPpl", struct.pack("<4I3Q", number, function, pid, size, start, first, last))


def bytecode(number, version, form, line, code, lines, at=0, n=None):
    data = (code + lines)[at:] if n is None else (code + lines)[at:at + n]
    return inner("WPbc", struct.pack("<8I", number, version, form, line, len(code), len(lines), at, len(data)) + data)


# 3.11: RESUME, LOAD_FAST, RETURN_VALUE; lines 10 and 11. In pieces, anew, with a hole, cut, too long.
CODE, LINES = bytes([151, 0, 124, 0, 83, 0]), bytes([0x80, 0, 0xd9, 2])
coded = notes(places((1, 2), (2, -2), (0, 0), (1, 4)), samples(0x100, 1 | 8, 0, 2), samples(0x203, 1, 1, 2),
              bytecode(1, 0x30b, 3, 10, CODE, LINES), bytecode(1, 0x30b, 3, 10, CODE, LINES, n=5), bytecode(1, 0x30b, 3, 10, CODE, LINES, 5),
              bytecode(2, 0x30e, 3, 10, CODE, LINES, 7), bytecode(3, 0x30b, 77, 10, CODE, b""))
far_bytecode = struct.pack("<8I", 1, 0x30b, 3, 1, 1 << 21, 0, 0, 2) + b"ab"
coded_samples = comm(0) + mmap2(0) + notes(*told, goes_on=0) + coded + b"".join(
    chain_sample(time, 7, 0x400100, python(1, 2)) for time in (20, 30, 40, 50)) + notes(inner("WPrn", run[12:])) + ROUND
event_type = record(65, struct.pack("<Q", 3) + b"branches".ljust(64, b"\0"))  # a perf of 2011
sets = comm(0) + mmap2(0) + event_type + many + more + b"".join([
    chain_sample(20, 7, 0x400100, python(1, 2), 0x400210, python(3, 1)), chain_sample(21, 7, 0x400100, python(1, 2)),
    chain_sample(30, 8, python(4, 0), 0x400110), chain_sample(50, 7, 0x400120, python(9, 0)), chain_sample(70, 8, 0x400130),
    notes(samples(0, 2, 3, 0xffffffff)), chain_sample(80, 8, 0x400130), notes(inner("WPrn", run[12:])), ROUND])

seeds |= {
    "sets": file(chained, sets),
    "unpacked": file(one, packed(plain[:200]) + packed(plain[200:]), extra={COMPRESSED: struct.pack("<IIIII", 1, 1, 1, 2, 4096)}),
    "woven": file(chained, woven + run),
}
seeds = {"fuzz_perfdata/" + name: data for name, data in seeds.items()}

# perf record --threads: two files of records beside the one with the header.
def folder(main, *parts):
    return struct.pack("<2H", *map(len, parts)) + b"".join(parts) + main


early, late = (b"".join(chain_sample(time, 7, 0x400100, 0x400210) for time in times) for times in ((20, 40, 60), (30, 50, 70)))
seeds |= {
    "fuzz_folder/two": folder(file(chained, comm(0) + mmap2(0)), early, late),
    "fuzz_folder/cut": folder(file(chained, comm(0) + mmap2(0)), early, late[:-9]),
    "fuzz_folder/packed": folder(file(chained, comm(0), extra={COMPRESSED: struct.pack("<IIIII", 1, 1, 1, 2, 4096)}), packed(early), packed(late)),
    "fuzz_folder/traced": folder(file(chained, comm(0)), early, record(71, struct.pack("<QQQIIII", 16, 0, 0, 0, 7, 0, 0)) + bytes(16) + late),
    "fuzz_folder/kcore": folder(file(chained, comm(0) + mmap2(0) + early), b"", b""),
}

# What is made of it (fuzz_report.c): 0 a report, 3 with JSON and stacks, 4 to 9 by keys, 20 memory, 36 bytecode, 10 a script, 13 to 109 exports.
for choice in (0, 1, 3, 5, 6, 9, 10, 11, 13, 29, 45, 61, 77, 93, 109):
    seeds["fuzz_report/woven_%d" % choice] = bytes([choice]) + file(chained, woven + run)
seeds |= {
    "fuzz_report/sets": b"\1" + file(chained, sets),
    "fuzz_report/opcodes": b"\6" + file(chained, coded_samples),
    "fuzz_report/bytecode": bytes([36]) + file(chained, coded_samples),
    "fuzz_report/copies": b"\1" + file(one, plain),
    "fuzz_report/two_events": b"\2" + file(two, mixed),
    "fuzz_report/piped": b"\1" + piped(one, TRACING + plain),
    "fuzz_report/no_samples": b"\1" + file(chained, comm(0) + cut + run),
    "fuzz_report/unpacked": b"\0" + file(chained, packed(woven), extra={COMPRESSED: struct.pack("<IIIII", 1, 1, 1, 2, 4096)}),
}
for name, data in {"function": functions[:72], "sample": sample_note(0x203, 57, 4, 1, 2), "run": run, "name": named,
                   "weight": note("WPwt", struct.pack("<I", 1) + b"ret\0"),
                   "frames": frames("WPfr", 1, 2, 3), "rest": frames("WPch", 1 << 63), "no_frames": frames("WPfr"),
                   "old_run": noted[-56:], "far": cut, "long": function(5, 1, 1, "n" * 3000, "p" * 200),
                   "set": many, "set_goes_on": more, "event_type": event_type, "samples": b"\0" * 8 + samples(0x203, 57, 4, 7)[4:],
                   "coded": coded, "bytecode": b"\0" * 8 + bytecode(1, 0x30b, 3, 10, CODE, LINES)[4:],
                   "bytecode_piece": b"\0" * 8 + bytecode(1, 0x30b, 3, 10, CODE, LINES, 3)[4:],
                   "bytecode_far": b"\0" * 8 + b"WPbc" + far_bytecode, "places": b"\0" * 8 + places((1, 2), (0, 0))[4:],
                   "unknown": b"\0" * 8 + b"WPxx" + bytes(20)}.items():
    seeds["fuzz_perfdata_notes/" + name] = data[8:]

# What Arm SPE traced: threads told by packets and by switches, cut within the bytes, damaged ones.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))
import spe_streams as spe  # noqa: E402

traced = [spe.known_recording(version, contexts, 3).file() for version, contexts in ((1, True), (1, False), (2, True))]
seeds |= {"fuzz_perfdata/spe_%d" % i: data for i, data in enumerate(traced)}
seeds["fuzz_perfdata/spe_cut"] = traced[1][:traced[1].index(b"\x71") + 40]
seeds["fuzz_report/spe"] = b"\1" + traced[0]
# Their loads are of code units of process 7: known, of two code objects in one place, of a function that was never told, never.
code_units = spe.known_recording(1, True, 40)
code_units.records += notes(*told, place(1, 1, 7, 64, 0x7f0000000000, 0, 1 << 40), place(2, 2, 7, 64, 0x7f0000000040, 0, 1 << 40),
                            place(3, 3, 7, 8, 0x7f0000000060, 0, 300000), place(4, 77, 7, 64, 0x7f0000000080, 0, 1 << 40),
                            bytecode(1, 0x30b, 3, 10, CODE * 11, LINES), bytecode(2, 0x30b, 3, 10, CODE, LINES)) + ROUND
seeds["fuzz_report/spe_units"] = bytes([20]) + code_units.file()
seeds["fuzz_report/spe_units_csv"] = bytes([12 | 7 << 4]) + code_units.file()
seeds["fuzz_perfdata_notes/place"] = b"\0" * 8 + notes(place(1, 2, 7, 8, 0x1000, 5, 9))[8:]
seeds["fuzz_perfdata_notes/place_ends_first"] = b"\0" * 8 + notes(place(1, 2, 7, 8, 0x1000, 9, 5))[8:]
seeds["fuzz_report/spe_script"] = bytes([10]) + traced[1].replace(b"\xb0\x00", b"\xff\x00", 2)
seeds["fuzz_report/mem"] = bytes([20]) + traced[0]

for name, data in seeds.items():
    path = os.path.join(sys.argv[1], name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)

#!/usr/bin/env python3
"""Streams of Arm SPE packets, byte by byte, and perf.data files around them.

spe_streams.py KIND SEED BYTES RAW [DATA]: writes a stream of about BYTES to RAW and, wrapped as an AUXTRACE that stock perf dumps,
to DATA. KIND: every (each header with each payload that has a meaning), records (as a core writes them), noise (random bytes),
broken (records with bytes missing and changed).
spe_streams.py recording VERSION contexts|switches FILE: a whole recording, as one of an arm64 machine, with an AUXTRACE_INFO of version 1 or 2.
"""
import random
import struct
import sys

PC, TARGET, VIRTUAL, PHYSICAL, PREVIOUS = range(5)
TOTAL, ISSUE, TRANSLATION = range(3)
OTHER, LOAD_STORE, BRANCH = range(3)
END, PADDING = b"\x01", b"\0"


def address(index, value):
    head = bytes([0xb0 | index]) if index < 8 else bytes([0x20 | index >> 3, 0xb0 | index & 7])
    return head + struct.pack("<Q", value & (1 << 64) - 1)


def counter(index, value):
    head = bytes([0x98 | index]) if index < 8 else bytes([0x20 | index >> 3, 0x98 | index & 7])
    return head + struct.pack("<H", value)


def operation(kind, value):
    return bytes([0x48 | kind, value])


def sized(header, value, size):
    return bytes([header | {1: 0, 2: 0x10, 4: 0x20, 8: 0x30}[size]]) + value.to_bytes(size, "little")


def events(value, size=4):
    return sized(0x42, value, size)


def source(value, size=1):
    return sized(0x43, value, size)


def context(value, index=0):
    return bytes([0x64 | index]) + struct.pack("<I", value)


def timestamp(value):
    return b"\x71" + struct.pack("<Q", value)


def code(value, level=0):
    return value & (1 << 56) - 1 | level << 61 | 1 << 63


def every_packet():
    out = b"".join(operation(kind, value) for kind in range(4) for value in range(256))
    out += b"".join(events(1 << bit, size) for size in (1, 2, 4, 8) for bit in range(8 * size))
    out += events(0xff, 1) + events(2**64 - 1, 8)
    out += b"".join(source(0x8877665544332211 & (1 << 8 * size) - 1, size) for size in (1, 2, 4, 8))
    out += b"".join(context(0x4030201, index) for index in range(4))
    places = (0xffff000012345678, 0x12345678, 0xa0ff000012345678, 0x80ff000012345678, 0xe0ff000012345678, 0xd1ff800012345678)
    out += b"".join(address(index, place) for index in range(32) for place in places)
    out += b"".join(counter(index, value) for index in range(32) for value in (0, 1, 4095, 65535))
    # Extended headers whose index would fit in a short one.
    out += b"".join(b"\x20" + address(index, 0x1234) + b"\x20" + counter(index, 7) for index in range(8))
    out += bytes(37) + END + timestamp(123456789) + timestamp(2**64 - 1)
    # What begins no packet, extended headers of what has no index, and an end within one.
    out += b"".join(bytes([byte]) for byte in (2, 3, 0x40, 0x41, 0x4c, 0x68, 0x70, 0x72 & 0x70, 0x80, 0x90, 0xa0, 0xb8, 0xc0, 0xff))
    return out + b"\x20\x55\x21\x42\x01\x23\xff" + address(PC, 0x401000)[:6]


def record(rng, when):
    kind = rng.choice((OTHER, LOAD_STORE, LOAD_STORE, BRANCH))
    level = rng.choice((0, 0, 0, 1, 2))
    place = 0xffff800008000000 if level else 0x400000
    packets = [address(PC, code(place + 4 * rng.randrange(4096), level)), operation(kind, rng.randrange(256)),
               events(rng.getrandbits(26), rng.choice((4, 8)) if rng.random() < .2 else 4),
               counter(TOTAL, rng.randrange(4096)), counter(ISSUE, rng.randrange(256))]
    if kind == LOAD_STORE:
        packets += [address(VIRTUAL, 0x7f0000000000 + rng.getrandbits(20)), counter(TRANSLATION, rng.randrange(64))]
        if rng.random() < .5:
            packets += [source(rng.choice((0, 8, 9, 10, 11, 12, 13, 14)))]
        if rng.random() < .2:
            packets += [address(PHYSICAL, code(rng.getrandbits(40)))]
    elif kind == BRANCH:
        packets += [address(TARGET, code(place + 4 * rng.randrange(4096), level))]
        if rng.random() < .3:
            packets += [address(PREVIOUS, code(place + 64, level))]
    if rng.random() < .5:
        packets += [context(1000 + rng.randrange(4), rng.randrange(2))]
    if rng.random() < .3:
        rng.shuffle(packets)
    out = b"".join(packet + PADDING * (rng.randrange(4) if rng.random() < .1 else 0) for packet in packets)
    out += timestamp(when) if rng.random() < .9 else END
    return out + PADDING * (-len(out) % 64)


def random_records(seed, size):
    rng, out, when = random.Random(seed), bytearray(), 1000
    while len(out) < size:
        when += rng.randrange(1000)
        out += record(rng, when)
    return bytes(out)


def broken_records(seed, size):
    rng, out = random.Random(seed), bytearray(random_records(seed, size))
    for _ in range(max(size // 256, 1)):
        at = rng.randrange(len(out))
        if rng.random() < .5:
            out[at] = rng.randrange(256)
        else:
            del out[at:at + rng.randrange(1, 20)]
    return bytes(out)


def wrap(streams):
    """A perf.data with one event and one AUXTRACE per stream, as small as perf 6.1 reads."""
    attr = struct.pack("<IIQQQQ", 8, 128, 0, 1000, 0x10087, 0).ljust(128, b"\0")
    ids, attrs = 104, 112
    begin = attrs + 144
    data = struct.pack("<IHHIIQQ", 70, 0, 32, 4, 0, 8, 1)
    for cpu, stream in enumerate(streams):
        data += struct.pack("<IHHQQQIiII", 71, 0, 48, len(stream), 0, 0, cpu, -1, cpu, 0) + stream
    header = b"PERFILE2" + struct.pack("<8Q", 104, 144, attrs, 144, begin, len(data), 0, 0) + bytes(32)
    return header + struct.pack("<Q", 1) + attr + struct.pack("<QQ", ids, 8) + data


IP, TID, TIME, ADDR, CPU, DATA_SRC, IDENTIFIER = 1, 2, 4, 8, 1 << 7, 1 << 15, 1 << 16
SAMPLE_TYPE = IP | TID | TIME | ADDR | CPU | DATA_SRC | IDENTIFIER
SPE_ID, DUMMY_ID, SPE_TYPE, PERIOD = 11, 12, 9, 1024


def kernel_record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


class Recording:
    """A perf.data as `perf record -e arm_spe_0/.../` writes it on arm64: time is 1000 ns + 10 ns per count of the timer."""

    SHIFT, MULT, ZERO = 4, 160, 1000

    def __init__(self, midr=0x414fd0c1, version=1, clock=True):
        # Of version 2 only AUXTRACE_INFO says what core each CPU is: CPUID is of one whose sources are not known.
        self.midr, self.records, self.chunks = midr if version == 1 else 0x410fd034, b"", []
        info = struct.pack("<QQ", SPE_TYPE, 1)
        if version == 2:
            info = struct.pack("<4Q", 2, 4, SPE_TYPE, 2)
            for cpu, core in enumerate((midr, 0x410fd490)):
                info += struct.pack("<7Q", 0x1010101010101010, cpu, 4, core, SPE_TYPE, 1024, 0)
        if clock:
            self.records += kernel_record(79, 0, struct.pack("<QQQQQBB6x", self.SHIFT, self.MULT, self.ZERO, 0, 0, 1, 0))
        self.records += kernel_record(70, 0, struct.pack("<II", 4, 0) + info)

    def trailer(self, pid, tid, time, cpu, event=DUMMY_ID):
        return struct.pack("<IIQIIQ", pid, tid, time, cpu, 0, event)

    def text(self, words):
        return words.encode() + bytes(8 - len(words) % 8)

    def comm(self, pid, tid, name, time=0):
        self.records += kernel_record(3, 0, struct.pack("<II", pid, tid) + self.text(name) + self.trailer(pid, tid, time, 0))

    def mmap(self, pid, start, size, path, time=0, misc=2, offset=0):
        body = struct.pack("<IIQQQIIQQII", pid, pid, start, size, offset, 8, 1, 77, 0, 5, 2) + self.text(path)
        self.records += kernel_record(10, misc, body + self.trailer(pid, pid, time, 0))

    def switch(self, out, pid, tid, other_pid, other_tid, time, cpu):
        body = struct.pack("<II", other_pid, other_tid)
        self.records += kernel_record(15, out << 13, body + self.trailer(pid, tid, time, cpu))

    def start(self, pid, tid, time, cpu):
        self.records += kernel_record(12, 0, struct.pack("<II", pid, tid) + self.trailer(pid, tid, time, cpu, SPE_ID))

    def aux(self, offset, size, flags, pid, tid, time, cpu):
        self.records += kernel_record(11, 0, struct.pack("<QQQ", offset, size, flags) + self.trailer(pid, tid, time, cpu, SPE_ID))

    def trace(self, offset, stream, cpu, tid=0xffffffff):
        head = struct.pack("<QQQIIII", len(stream), offset, 0, cpu if cpu != 0xffffffff else 0, tid, cpu, 0)
        self.chunks.append((len(self.records), 48))
        self.records += kernel_record(71, 0, head) + stream

    def round(self):
        self.records += kernel_record(68, 0, b"")

    def attr(self, kind, config, bits):
        return struct.pack("<IIQQQQQ", kind, 128, config, PERIOD, SAMPLE_TYPE, 4, bits).ljust(128, b"\0")

    def file(self):
        ids, attrs = 104, 120
        begin = attrs + 2 * 144
        enabled = 1 << 18
        table = self.attr(SPE_TYPE, 1 << 33, enabled) + struct.pack("<QQ", ids, 8)
        table += self.attr(1, 9, enabled | 1 << 8 | 1 << 9) + struct.pack("<QQ", ids + 8, 8)
        features = {6: struct.pack("<I", 64) + b"aarch64".ljust(64, b"\0"), 7: struct.pack("<II", 2, 2),
                    9: struct.pack("<I", 64) + (b"0x%016x" % self.midr).ljust(64, b"\0"), 12: self.names(),
                    18: struct.pack("<Q", len(self.chunks)) + b"".join(struct.pack("<QQ", begin + at, n) for at, n in self.chunks)}
        at, sections, bodies = begin + len(self.records) + 16 * len(features), b"", b""
        for _, body in sorted(features.items()):
            sections += struct.pack("<QQ", at + len(bodies), len(body))
            bodies += body
        header = b"PERFILE2" + struct.pack("<8Q", 104, 144, attrs, 288, begin, len(self.records), 0, 0)
        header += struct.pack("<4Q", sum(1 << bit for bit in features), 0, 0, 0)
        return header + struct.pack("<QQ", SPE_ID, DUMMY_ID) + table + self.records + sections + bodies

    def names(self):
        out = struct.pack("<II", 2, 128)
        for attr, name, event in ((self.attr(SPE_TYPE, 1 << 33, 1 << 18), b"arm_spe_0/load_filter=1/", SPE_ID),
                                  (self.attr(1, 9, 1 << 18 | 1 << 8 | 1 << 9), b"dummy:u", DUMMY_ID)):
            out += attr + struct.pack("<II", 1, 64) + name.ljust(64, b"\0") + struct.pack("<Q", event)
        return out


def count_of(time):
    return (time - Recording.ZERO) // 10


def known_recording(version, contexts=True, n=200):
    """Two threads of one program and another program, on two CPUs, told by context packets or by switches."""
    out, rng = Recording(version=version), random.Random(5)
    for pid, tid, name in ((7, 7, "prog"), (7, 8, "prog"), (9, 9, "other")):
        out.comm(pid, tid, name)
    out.mmap(7, 0x400000, 0x10000, "/opt/prog", offset=0x400000)
    out.mmap(9, 0x400000, 0x10000, "/opt/other", offset=0x400000)
    out.start(7, 7, 1500, 0)

    def stream(begin, thread):
        packets = b""
        for i in range(n):
            one = address(PC, code(0x400000 + 4 * rng.randrange(16))) + counter(TOTAL, rng.randrange(400)) + counter(ISSUE, rng.randrange(40))
            if rng.random() < .75:
                one += operation(LOAD_STORE, rng.randrange(2)) + events(rng.getrandbits(10) | 2, 2) + counter(TRANSLATION, rng.randrange(20))
                one += address(VIRTUAL, 0x7f0000000000 + 8 * rng.randrange(64)) + source(rng.choice((0, 8, 9, 10, 11, 12, 13, 14)))
            else:
                one += operation(BRANCH, rng.randrange(2)) + events(rng.getrandbits(10) | 2, 2) + address(TARGET, code(0x400000))
            if contexts:
                one += context(thread(i))
            packets += one + bytes(55 - len(one)) + timestamp(count_of(begin + i * 10000))
        return packets

    first, second = stream(100000, lambda i: 7), stream(105000, lambda i: (8, 9)[i % 2])
    end = 100000 + n * 10000
    if not contexts:
        out.start(7, 8, 1600, 1)
        out.switch(1, 0, 0, 7, 7, 1500, 0)
        out.switch(1, 0, 0, 7, 8, 1600, 1)
        out.switch(1, 7, 7, 9, 9, 100000 + n // 2 * 10000 - 5000, 0)
    out.round()
    out.aux(0, len(first), 0, 9, 9, end, 0)
    out.aux(0, len(second), 0, 9, 9, end, 1)
    out.round()
    out.trace(0, first, 0)
    out.trace(0, second, 1)
    out.round()
    return out


def main():
    if sys.argv[1] == "recording":
        open(sys.argv[4], "wb").write(known_recording(int(sys.argv[2]), sys.argv[3] == "contexts").file())
        return
    kind, seed, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    stream = {
        "every": every_packet,
        "records": lambda: random_records(seed, size),
        "noise": lambda: random.Random(seed).randbytes(size),
        "broken": lambda: broken_records(seed, size),
    }[kind]()
    open(sys.argv[4], "wb").write(stream)
    if len(sys.argv) > 5:
        open(sys.argv[5], "wb").write(wrap([stream]))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Streams of Arm SPE packets, byte by byte, and perf.data files around them.

spe_streams.py KIND SEED BYTES RAW [DATA]: writes a stream of about BYTES to RAW and, wrapped as an AUXTRACE that stock perf dumps,
to DATA. KIND: every (each header with each payload that has a meaning), records (as a core writes them), noise (random bytes),
broken (records with bytes missing and changed).
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


def main():
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

#!/usr/bin/env python3
"""Writes the seeds of fuzz_pe into corpus/, byte by byte: PE files of x64, ARM64 and x86 of which every symbol and
every unwind rule is known (tests/unit/test_pe.c asks for them)."""
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "fuzz_pe")
CODE, DATA, READ = 0x60000020, 0xC0000040, 0x40000040
GUID = bytes(range(16))


class Pe:
    """Sections of a page each, in order; directories and symbols are given their RVAs."""

    def __init__(self, machine, base, dll=True):
        self.machine, self.base, self.dll = machine, base, dll
        self.plus = machine != 0x14C
        self.sections, self.dirs, self.symbols, self.strings = [], {}, b"", b""

    def add(self, name, flags, data):
        self.sections.append((name, flags, data))
        return 0x1000 * len(self.sections)

    def name(self, text):
        """A name of up to 8 bytes, or its place in the string table."""
        if len(text) <= 8:
            return text.encode().ljust(8, b"\0")
        at = 4 + len(self.strings)
        self.strings += text.encode() + b"\0"
        return struct.pack("<II", 0, at)

    def symbol(self, text, value, section, kind=0x20, storage=2, more=0):
        self.symbols += self.name(text) + struct.pack("<IhHBB", value, section, kind, storage, more) + b"\0" * 18 * more

    def long_section(self, text):
        at = 4 + len(self.strings)
        self.strings += text.encode() + b"\0"
        return f"/{at}"

    def bytes(self, align=0x200):
        optional = 112 + 128 if self.plus else 96 + 128
        body, headers, offset = b"", b"", 0x400
        for number, (name, flags, data) in enumerate(self.sections):
            headers += name.encode().ljust(8, b"\0") + struct.pack(
                "<IIIIIIHHI", len(data), 0x1000 * (number + 1), -(-len(data) // align) * align, offset + len(body),
                0, 0, 0, 0, flags)
            body += data + b"\0" * (-len(data) % align)
        n_symbols = len(self.symbols) // 18
        head = b"MZ" + b"\0" * 58 + struct.pack("<I", 0x40) + b"PE\0\0" + struct.pack(
            "<HHIIIHH", self.machine, len(self.sections), 0, offset + len(body) if n_symbols or self.strings else 0,
            n_symbols, optional, 0x2022 if self.dll else 0x22)
        if self.plus:
            head += struct.pack("<HBBIIIIIQII", 0x20B, 14, 0, 0x200, 0, 0, 0x1000, 0x1000, self.base, 0x1000, align)
        else:
            head += struct.pack("<HBBIIIIIIIII", 0x10B, 14, 0, 0x200, 0, 0, 0x1000, 0x1000, 0x2000, self.base, 0x1000,
                                align)
        head += struct.pack("<HHHHHHIIIIHH", 6, 0, 0, 0, 6, 0, 0, 0x1000 * (len(self.sections) + 1), 0x400, 0, 3, 0)
        head += struct.pack("<QQQQ" if self.plus else "<IIII", 1 << 20, 4096, 1 << 20, 4096)
        head += struct.pack("<II", 0, 16)
        for i in range(16):
            head += struct.pack("<II", *self.dirs.get(i, (0, 0)))
        tail = self.symbols + struct.pack("<I", 4 + len(self.strings)) + self.strings if n_symbols or self.strings else b""
        return (head + headers).ljust(0x400, b"\0") + body + tail


def exports(rva, functions):
    """The directory; functions: (name, rva), sorted by name. One more is another DLL's."""
    n = len(functions) + 1
    at = rva + 40
    names_at, ordinals_at, text_at = at + 4 * n, at + 8 * n, at + 10 * n
    texts, names = b"", b""
    for name, _ in functions + [("zforward", 0)]:
        names += struct.pack("<I", text_at + len(texts))
        texts += name.encode() + b"\0"
    forward = text_at + len(texts)
    texts += b"other.there\0"
    table = b"".join(struct.pack("<I", where) for _, where in functions) + struct.pack("<I", forward)
    ordinals = b"".join(struct.pack("<H", i) for i in range(n))
    return struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, 0, 1, n, n, at, names_at, ordinals_at) + table + names + ordinals + texts


def rsds(rva, file_offset):
    record = b"RSDS" + GUID + struct.pack("<I", 3) + b"d:\\build\\small.pdb\0"
    entry = struct.pack("<IIHHIIII", 0, 0, 0, 0, 2, len(record), rva + 28, file_offset + 28)
    return entry + record


# One function each; what the unwind codes say of its prologue is what its bytes do.
PUSHES = bytes.fromhex("55" "53" "4883ec28" "90" "4883c428" "5b" "5d" "c3" "90")  # push rbp, rbx; sub rsp, 40
FRAMED = bytes.fromhex("55" "488d6c2420" "4881ec00010000" "90" "488d6520" "5d" "e900000000")
SMALL = bytes.fromhex("50" "90" "58" "c3")  # push rax for the alignment
HOME = bytes.fromhex("48895c2408" "57" "4883ec20" "488b5c2430" "4883c420" "5f" "c3")  # rbx in the caller's home space
PART = bytes.fromhex("90909090")


def x64():
    pe = Pe(0x8664, 0x180000000)
    bodies, text, at = [PUSHES, FRAMED, SMALL, HOME, PART, b"\xc3"], b"", []
    for body in bodies:
        at.append(0x1000 + len(text))
        text += body + b"\xcc" * (-len(body) % 16)
    infos = [
        struct.pack("<BBBB", 1, 6, 3, 0) + bytes([6, 0x42, 2, 0x30, 1, 0x50, 0, 0]),
        struct.pack("<BBBB", 1, 13, 4, 0x25) + bytes([13, 0x01, 0x20, 0, 6, 0x03, 1, 0x50]),
        struct.pack("<BBBB", 2, 1, 2, 0) + bytes([1, 0x16, 1, 0x02]),  # version 2: an epilogue at the end
        struct.pack("<BBBB", 1, 10, 4, 0) + bytes([10, 0x34, 6, 0, 10, 0x32, 6, 0x70]),
    ]
    xdata, places = b"", []
    for info in infos:
        places.append(0x3000 + len(xdata))
        xdata += info
    places.append(0x3000 + len(xdata))
    xdata += struct.pack("<BBBB", 0x21, 0, 0, 0) + struct.pack("<III", at[0], at[0] + len(PUSHES), places[0])
    pdata = b"".join(struct.pack("<III", at[i], at[i] + len(bodies[i]), places[i]) for i in range(5))
    pe.add(".text", CODE, text)
    pe.dirs[3] = (pe.add(".pdata", READ, pdata), len(pdata))
    pe.add(".xdata", READ, xdata)
    data = exports(0x4000, [("Data", 0x5000), ("pushes", at[0])])
    pe.dirs[0] = (pe.add(".edata", READ, data), len(data))
    offset = 0x400 + 0x200 * 4
    debug = rsds(0x5000, offset)
    pe.dirs[6] = (pe.add(".data", DATA, debug), 28)
    pe.add(pe.long_section(".debug_line"), READ, b"")
    pe.symbol("framed", at[1] - 0x1000, 1)
    pe.symbol("a_static_function", at[2] - 0x1000, 1, storage=3)
    pe.symbol(".text", 0, 1, kind=0, storage=3, more=1)
    pe.symbol("label", at[5] - 0x1000, 1, kind=0)
    pe.symbol("elsewhere", 0, 9)
    return pe.bytes()


def arm64():
    """save_fplr_x, set_fp; a packed function of the same kind; one of registers, floats and a large frame."""
    pe = Pe(0xAA64, 0x180000000)
    text = b"\x1f\x20\x03\xd5" * 64
    full = struct.pack("<I", 16 | 1 << 22 | 2 << 27) + struct.pack("<I", 12 | 0 << 22) + bytes(
        [0xE1, 0xC8, 0x02, 0x83, 0xE4, 0xE3, 0xE3, 0xE3])
    pieces = struct.pack("<I", 8 | 1 << 21 | 1 << 27) + bytes([0xE5, 0x83, 0xE4, 0xE3])
    xdata = full + pieces
    packed = 1 | 16 << 2 | 0 << 13 | 2 << 16 | 3 << 21 | 4 << 23  # x19, x20, chained, 64 bytes
    large = 1 | 16 << 2 | 1 << 13 | 3 << 16 | 1 << 20 | 1 << 21 | 300 << 23  # x19-x21, lr, d8, d9, home
    pdata = struct.pack("<IIIIIIII", 0x1000, 0x3000, 0x1040, packed, 0x1080, large, 0x10C0, 0x3000 + len(full))
    pe.add(".text", CODE, text)
    pe.dirs[3] = (pe.add(".pdata", READ, pdata), len(pdata))
    pe.add(".xdata", READ, xdata)
    return pe.bytes()


def x86():
    pe = Pe(0x14C, 0x400000, dll=False)
    pe.add(".text", CODE, b"\x55\x8b\xec\x5d\xc3")
    pe.symbol("_main", 0, 1)
    return pe.bytes()


os.makedirs(HERE, exist_ok=True)
for seed, data in (("x64", x64()), ("arm64", arm64()), ("x86", x86())):
    with open(os.path.join(HERE, seed), "wb") as file:
        file.write(data)
# A chain of unwind information that leads to itself, and counts that nothing holds.
cyclic = bytearray(x64())
chain = cyclic.index(struct.pack("<BBBB", 0x21, 0, 0, 0))
struct.pack_into("<I", cyclic, chain + 12, 0x3000 + chain - (0x400 + 0x400))
with open(os.path.join(HERE, "cyclic"), "wb") as file:
    file.write(cyclic)
absurd = bytearray(x64())
struct.pack_into("<I", absurd, 0x40 + 12, 0xFFFFFFFF)
struct.pack_into("<I", absurd, 0x400 + 0x600 + 24, 0xFFFFFFFF)
struct.pack_into("<I", absurd, 0x400 + 0x600 + 20, 0xFFFFFFFF)
with open(os.path.join(HERE, "absurd"), "wb") as file:
    file.write(absurd)

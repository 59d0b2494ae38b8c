#!/usr/bin/env python3
"""Writes the seeds of fuzz_python_build: small ELF files that look like CPythons and libcs from outside."""
import struct

from make_seeds_symbols import Elf, symbol, write

X86_64, AARCH64 = 62, 183
BASE, BSS = 0x1000, 0x900000

# _Py_DebugOffsets of 3.13.5 and 3.15.2, from their headers.
OFFSETS_3_13 = [
    0x7970677562656478, 0x30D05F0, 0, 283376, 608, 632, 194976, 7272, 7264, 7344, 7400, 7656, 7640, 7648, 16, 7752, 0, 7768,
    7760, 304, 0, 8, 16, 72, 152, 160, 232, 32, 80, 8, 0, 56, 72, 70, 208, 112, 120, 128, 136, 68, 52, 96, 104, 200, 16, 8,
    416, 24, 88, 168, 32, 24, 16, 40, 24, 16, 48, 32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40, 240, 200]
OFFSETS_3_15 = [
    0x7970677562656478, 0x30F02F0, 0, 346560, 912, 936, 226232, 7272, 7264, 7336, 7352, 7400, 7592, 7576, 7584, 16, 7736, 0,
    7752, 7744, 7944, 0, 888, 0, 8, 16, 72, 80, 88, 96, 176, 184, 256, 32, 36, 40, 136, 288, 0, 88, 8, 0, 56, 80, 74, 64, 0,
    216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 0, 16, 8, 424, 24, 88, 168, 32, 288, 944, 888, 40, 32, 16, 40, 24, 16, 200,
    24, 40, 32, 48, 32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40, 56, 176, 112, 120, 1120, 104, 160, 24, 72, 67, 0,
    8, 24, 344, 8028, 0, 4, 512]
# A CIE (cfa sp+8), a cold part of 0x40 bytes at `text` and a loop of 0x80 behind it.
CIE = bytes([0x14, 0, 0, 0, 0, 0, 0, 0, 1]) + b"zR\0" + bytes([1, 0x78, 16, 1, 0x1B, 0x0C, 7, 8, 0x90, 1, 0, 0])


class File:
    """Sections at the addresses where they stand in the file; symbols of things in them."""

    def __init__(self, machine):
        self.elf, self.body = Elf(machine), b""
        self.names, self.symbols = b"\0", symbol(0, 0, 0, 0, 0)

    def put(self, data, name, kind=1, flags=2):
        addr = BASE + 120 + len(self.body)
        self.elf.add(name, kind, flags, data, addr)
        self.body += data
        return addr

    def name(self, name, addr, size):
        self.symbols += symbol(len(self.names), 0x12, 1, addr, size)
        self.names += name.encode() + b"\0"

    def bytes(self):
        strings = self.elf.add(".dynstr", 3, 2, self.names)
        self.elf.add(".dynsym", 11, 2, self.symbols, 0, strings, 24)
        return self.elf.bytes()


def loop(file, machine):
    code = bytearray(b"\x90" * 0xC0)
    if machine == X86_64:
        code[0:5] = b"\xe9" + struct.pack("<i", 0x50 - 5)
        code[0x48:0x4E] = b"\x0f\x84" + struct.pack("<i", -0x4E)
    text = file.put(bytes(code), ".text", flags=6)
    file.name("_PyEval_EvalFrameDefault", text + 0x40, 0x80)
    frame = CIE
    at = BASE + 120 + len(file.body)
    for start, size, run in ((text, 0x40, b"\x0e\x40"), (text + 0x40, 0x80, b"\x41\x0e")):
        here = len(frame)
        entry = struct.pack("<IiI", here + 4, start - (at + here + 8), size) + b"\0" + run
        entry += b"\0" * (-len(entry) % 4)
        frame += struct.pack("<I", len(entry)) + entry
    file.put(frame, ".eh_frame")


def offsets(machine, words):
    file = File(machine)
    loop(file, machine)
    file.name("PyCode_Type", BSS, 400)
    file.name("_PyRuntime", file.put(struct.pack("<%dQ" % len(words), *words), ".PyRuntime", flags=3), 300000)
    return file.bytes()


def table(version, basic):
    file = File(X86_64)
    loop(file, X86_64)
    text = file.put(version.encode() + b"\0", ".rodata")
    at = BASE + 120 + len(file.body)
    get = file.put(b"\x48\x8d\x0d" + struct.pack("<i", text - (at + 7)) + b"\xc3", ".text.get", flags=6)
    file.name("Py_GetVersion", get, 8)
    file.name("PyCode_Type", file.put(struct.pack("<10Q", 1, 0, 0, 0, basic, 0, basic, 0, 0, 0), ".data", flags=3), 400)
    if version[0] == "2":
        at = BASE + 120 + len(file.body)
        head = file.put(b"\x48\x8b\x05" + struct.pack("<i", BSS - (at + 7)) + b"\xc3", ".text.head", flags=6)
        file.name("PyInterpreterState_Head", head, 8)
        file.name("_PyThreadState_Current", BSS, 8)
        file.name("PyEval_EvalFrameEx", get, 8)
    else:
        file.name("_PyRuntime", BSS, 2000)
    return file.bytes()


def libc(machine):
    file = File(machine)
    data = file.put(struct.pack("<4I", 0x800, 1, 0x310, 1856), ".rodata")
    file.name("_thread_db_pthread_specific", data, 12)
    file.name("_thread_db_sizeof_pthread", data + 12, 4)
    return file.bytes()


def musl():
    file = File(AARCH64)
    code = file.put(struct.pack("<4I", 0xD503245F, 0xD53BD040, 0xD1032000, 0xD65F03C0), ".text", flags=6)
    file.name("pthread_self", code, 16)
    return file.bytes()


if __name__ == "__main__":
    for name, data in (("offsets_3_13", offsets(X86_64, OFFSETS_3_13)), ("offsets_3_15", offsets(AARCH64, OFFSETS_3_15)),
                       ("table_3_8", table("3.8.18", 176)), ("table_3_12", table("3.12.1", 192)),
                       ("table_2_7", table("2.7.18", 128)),
                       ("libc", libc(AARCH64)), ("musl", musl())):
        write("fuzz_python_build", name, data)

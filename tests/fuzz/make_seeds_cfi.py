#!/usr/bin/env python3
"""Writes the seeds of fuzz_cfi (.eh_frame and .debug_frame with every opcode) and of fuzz_code_frames, byte by byte."""
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
EH, ARM = 1, 2


def uleb(n):
    out = b""
    while True:
        n, low = n >> 7, n & 0x7F
        out += bytes([low | (0x80 if n else 0)])
        if not n:
            return out


def sleb(n):
    out = b""
    while True:
        low, n = n & 0x7F, n >> 7
        done = (n == 0 and not low & 0x40) or (n == -1 and low & 0x40)
        out += bytes([low | (0 if done else 0x80)])
        if done:
            return out


def block(data):
    return uleb(len(data)) + data


def padded(data, size):
    return data + b"\0" * (-(len(data) + size) % 8)


class Section:
    """Entries of .eh_frame (at 0x4000) or .debug_frame, optionally in 64-bit DWARF."""

    def __init__(self, eh, wide=False):
        self.eh, self.wide, self.data, self.cie_at = eh, wide, b"", 0

    def entry(self, ident, body):
        body = padded((struct.pack("<Q", ident) if self.wide else struct.pack("<I", ident)) + body, 4)
        length = struct.pack("<IQ", 0xFFFFFFFF, len(body)) if self.wide else struct.pack("<I", len(body))
        self.data += length + body

    def cie(self, augmentation, data, instructions, version=1, ra=16, code=1, align=-8):
        self.cie_at = len(self.data)
        ident = 0 if self.eh else (0xFFFFFFFFFFFFFFFF if self.wide else 0xFFFFFFFF)
        body = bytes([version]) + augmentation + b"\0" + (b"\x08\0" if version == 4 else b"")
        body += uleb(code) + sleb(align) + uleb(ra)
        self.entry(ident, body + (block(data) if augmentation[:1] == b"z" else b"") + instructions)

    def fde(self, start, size, instructions, pcrel=True):
        """pcrel: DW_EH_PE_pcrel|sdata4 and augmentation data; else absolute 8-byte addresses."""
        at = len(self.data) + (12 if self.wide else 4)
        ident = at - self.cie_at if self.eh else self.cie_at
        here = at + (8 if self.wide else 4)
        if pcrel:
            body = struct.pack("<iI", start - (0x4000 + here), size) + b"\0"
        else:
            body = struct.pack("<QQ", start, size)
        self.entry(ident, body + instructions)


X86 = b"\x0c\x07\x08\x90\x01"  # def_cfa rsp 8; offset rip at cfa-8
PLT = b"\x0f" + block(bytes([0x77, 8, 0x80, 0, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22]))


def write(name, flags, data, harness="fuzz_cfi"):
    os.makedirs(os.path.join(HERE, harness), exist_ok=True)
    with open(os.path.join(HERE, harness, name), "wb") as file:
        file.write(bytes([flags]) + data)


def main():
    push = b"\x41\x0e\x10\x86\x02\x43\x0d\x06"  # push rbp; mov rbp, rsp
    s = Section(True)
    s.cie(b"zR", b"\x1b", X86)
    s.fde(0x1000, 0x40, push + b"\x02\x20\x0a\xc6\x0c\x07\x08\x41\x0b\x03\x04\0\x0b\x04\x01\0\0\0")
    s.fde(0x1040, 0x20, b"\x46" + PLT)
    s.fde(0x1060, 0x10, b"\x07\x10")  # undefined rip
    s.fde(0x1080, 0x40, b"\x41\x0c\x0a\0\x49\x10\x06\x02\x76\0\x45\x0f\x03\x76\x78\x06")  # realigned
    s.fde(0x10C0, 0x10, b"\x41\x0f\x06\x77\x98\x01\x06\x23\x08")  # word at sp
    s.fde(0x10D0, 0x10, b"\x09\x06\x03\x41\x16\x10\x01\x30\x41\x14\x06\x02\x15\x06\x7e\x2e\x10\x2f\x06\x02\x08\x06\x05\x06\x03"
          b"\x11\x06\x7e\x06\x06\x12\x07\x7e\x13\x7e\x0e\x0b")
    s.fde(0x10C8, 0x20, b"")  # overlaps
    s.data += b"\0\0\0\0"
    write("eh_frame", EH, s.data)
    s = Section(True)
    s.cie(b"zPLRS", b"\x9b\0\0\0\0\x1b\x1b", X86)
    s.fde(0x1000, 0x10, b"")
    s.cie(b"zR", b"\x50", X86, version=3)
    s.cie(b"", b"", X86)
    s.fde(0x1020, 0x10, push, pcrel=False)
    write("augmented", EH, s.data)
    s = Section(True)
    s.cie(b"zRB", b"\x1b", b"\x0c\x1f\0", ra=30, code=4)
    s.fde(0x1000, 0x40, b"\x2d\x41\x0e\x20\x9d\x04\x9e\x03\x48\x0a\xde\xdd\x0e\0\x2d\x41\x0b\x41\x07\x1e")
    write("arm64", EH | ARM, s.data)
    for wide in (False, True):
        s = Section(False, wide)
        s.cie(b"", b"", X86, version=4)
        s.fde(0x1000, 0x40, push + b"\x01" + struct.pack("<Q", 0x1020) + b"\x0e\x20", pcrel=False)
        s.fde(0, 0x40, push, pcrel=False)
        write("debug_frame64" if wide else "debug_frame", 4, s.data)
    code = bytes.fromhex("4157 55 4889e5 4883ec18 7408 e800000000 488d65f8 4883c418 5d 415f c3 0f1f00 31c0 ebed 9c 9d c9 4883e4e0 f4 cc 53 5b 0f0b")
    for many in (0, 1):
        write("many" if many else "one", many, code, "fuzz_code_frames")


if __name__ == "__main__":
    main()

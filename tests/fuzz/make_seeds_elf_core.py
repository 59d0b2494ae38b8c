#!/usr/bin/env python3
"""Writes the seeds of fuzz_elf_core into corpus/: cores of two threads, x86-64 and arm64, byte by byte."""
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus/fuzz_elf_core")
CODE, STACK = 0x401000, 0x7FFC00000000
NT_PRSTATUS, NT_PRPSINFO, NT_AUXV, NT_FILE, NT_SIGINFO, NT_ARM_TLS = 1, 3, 6, 0x46494C45, 0x53494749, 0x401


def note(kind, desc, owner=b"CORE"):
    name = (owner + b"\0").ljust(8, b"\0")
    return struct.pack("<III", len(owner) + 1, len(desc), kind) + name + desc + bytes(-len(desc) % 4)


def status(tid, words):
    return note(NT_PRSTATUS, struct.pack("<12xH18xI76x", 11, tid) + struct.pack("<%dQ" % len(words), *words) + bytes(8))


def core(machine, words, extra=b""):
    files = struct.pack("<5Q", 1, 4096, CODE, CODE + 4096, 2) + b"/opt/app\0"
    notes = status(77, words) + note(NT_PRPSINFO, struct.pack("<24xI12x16s80s", 77, b"app", b"app -x"))
    notes += note(NT_SIGINFO, struct.pack("<iiiiQ104x", 11, 0, 1, 0, 16)) + note(NT_AUXV, struct.pack("<4Q", 3, CODE + 64, 0, 0))
    notes += note(NT_FILE, files) + extra + status(78, words)
    behind = 64 + 3 * 56
    head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 4, machine, 1, 0, 64, 0, 0, 64, 56, 3, 0, 0, 0)
    head += struct.pack("<IIQQQQQQ", 4, 0, behind, 0, 0, len(notes), 0, 4)
    head += struct.pack("<IIQQQQQQ", 1, 5, 0, CODE, 0, 0, 4096, 4096)
    head += struct.pack("<IIQQQQQQ", 1, 6, behind + len(notes), STACK, 0, 32, 32, 4096)
    return head + notes + b"0123456789abcdef0123456789ABCDEF"


def main():
    os.makedirs(HERE, exist_ok=True)
    words = [0x100 + i for i in range(34)]
    words[16], words[19], words[31], words[32] = CODE + 7, STACK + 16, STACK + 16, CODE + 7
    whole = core(62, words[:27])
    for name, data in (
        ("x86_64", whole),
        ("arm64", core(183, words, note(NT_ARM_TLS, struct.pack("<Q", 0x1000), b"LINUX"))),
        ("cut", whole[:-20]),
        ("cut_notes", whole[:400]),
    ):
        with open(os.path.join(HERE, name), "wb") as file:
            file.write(data)


main()

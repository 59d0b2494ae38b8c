#!/usr/bin/env python3
"""Writes the seeds of fuzz_kallsyms, fuzz_perfmap, fuzz_jitdump, fuzz_elf_symbols, fuzz_small_elf, fuzz_xz,
fuzz_debug_file and fuzz_disasm into corpus/, byte by byte."""
import lzma
import os
import struct
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def write(harness, name, data):
    os.makedirs(os.path.join(HERE, harness), exist_ok=True)
    with open(os.path.join(HERE, harness, name), "wb") as file:
        file.write(data)


def kallsyms():
    write("fuzz_kallsyms", "small", b"ffffffff81000000 T _stext\nffffffff81000000 T startup_64\n"
          b"ffffffff81000100 t secondary\nffffffff81000180 D jiffies\nffffffff81000200 W weak\n"
          b"ffffffffc0000000 t ext4_read\t[ext4]\nffffffffc0100000 t hook\t[nf_tables]")
    write("fuzz_kallsyms", "hidden", b"0000000000000000 T _stext\n0000000000000000 t a\t[m]\n")


def perfmap():
    write("fuzz_perfmap", "small", b"7f0000001000 100 py::f:/a b.py\n0x7f0000001080 20 over\r\n"
          b"7f0000003000 0 none\nbad line\n7f0000004000 10 unfinished")


def record(kind, time, body):
    return struct.pack("<IIQ", kind, 16 + len(body), time) + body


def jitdump():
    data = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 77, 1000, 0)
    data += record(0, 2000, struct.pack("<IIQQQQ", 77, 78, 0x7000, 0x7000, 8, 1) + b"LFoo;bar\0" + b"\xc3" * 8)
    data += record(2, 2100, struct.pack("<QQ", 0x7000, 1) + struct.pack("<Qii", 0x7000, 3, 0) + b"a.js\0")
    data += record(1, 3000, struct.pack("<IIQQQQQ", 77, 78, 0x7000, 0x7000, 0x9000, 8, 1))
    data += record(4, 3100, b"\0" * 24)
    data += record(3, 4000, b"")
    write("fuzz_jitdump", "small", data)
    frame, table = b"\x14\0\0\0" + b"\0" * 20, b"\1\x1b\3\x3b" + b"\0" * 16
    data = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 77, 1000, 0)
    data += record(4, 1500, struct.pack("<QQQ", len(frame + table), len(table), 0) + frame + table + b"\0" * 4)
    data += record(0, 2000, struct.pack("<IIQQQQ", 77, 78, 0x7000, 0x7000, 8, 1) + b"f\0" + b"\xc3" * 8)
    data += record(4, 3000, struct.pack("<QQQ", len(table), len(table), 0) + table)
    data += record(4, 3100, struct.pack("<QQQ", 1 << 40, 4, 0) + table)
    write("fuzz_jitdump", "unwinding", data)


class Elf:
    """A minimal ELF64 writer: sections in order, one executable segment over everything."""

    def __init__(self, machine):
        self.machine = machine
        self.sections = [("", 0, 0, 0, b"", 0, 0, 0)]
        self.base = 0x1000

    def add(self, name, kind, flags, data, addr=0, link=0, entsize=0, info=0):
        self.sections.append((name, kind, flags, addr, data, link, entsize, info))
        return len(self.sections) - 1

    def bytes(self):
        names = b"".join(s[0].encode() + b"\0" for s in self.sections) + b".shstrtab\0"
        self.add(".shstrtab", 3, 0, names)
        body, headers, name_at = b"", b"", 0
        for name, kind, flags, addr, data, link, entsize, info in self.sections:
            offset = 64 + 56 + len(body)
            headers += struct.pack("<IIQQQQIIQQ", name_at, kind, flags, addr, offset if kind else 0, len(data),
                                   link, info, 1 if kind else 0, entsize)
            body += data
            name_at += len(name) + 1
        shoff = 64 + 56 + len(body)
        header = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, self.machine, 1, 0, 64, shoff, 0,
                                                            64, 56, 1, 64, len(self.sections), len(self.sections) - 1)
        segment = struct.pack("<IIQQQQQQ", 1, 5, 0, self.base, self.base, 120 + len(body), 120 + len(body), 4096)
        return header + segment + body + headers


def symbol(name, kind, shndx, value, size):
    return struct.pack("<IBBHQQ", name, kind, 0, shndx, value, size)


def table(names, rows):
    strings, at = b"\0", {}
    for name in names:
        at[name] = len(strings)
        strings += name.encode() + b"\0"
    return strings, b"\0" * 24 + b"".join(symbol(at[n], k, s, v, z) for n, k, s, v, z in rows)


def elf(machine, plt, slot_types, with_mini=True):
    out = Elf(machine)
    text = out.add(".text", 1, 6, b"\x90" * 256, addr=0x2000)
    out.add(".plt", 1, 6, plt, addr=0x3000, entsize=16)
    strings, symbols = table(["_ZN3foo3barEi", "puts", "label", "$x", "f@@V1", "f", "object", "unsized"], [
        ("_ZN3foo3barEi", 0x12, text, 0x2000, 0x40), ("puts", 0x12, 0, 0, 0), ("label", 0, text, 0x2080, 0),
        ("$x", 0, text, 0x2090, 0), ("f@@V1", 0x22, text, 0x20A0, 0x10), ("f", 0x12, text, 0x20A0, 0x10),
        ("object", 0x11, text, 0x1100, 0x20), ("unsized", 0x11, text, 0x1140, 0), ("object", 0x11, text, 0x9000, 8)])
    dynstr = out.add(".dynstr", 3, 2, strings)
    dynsym = out.add(".dynsym", 11, 2, symbols, link=dynstr, entsize=24, info=1)
    rela = struct.pack("<QQq", 0x4000, 2 << 32 | slot_types[0], 0) + struct.pack("<QQq", 0x4008, slot_types[1], 0x2000)
    out.add(".rela.plt", 4, 2, rela, link=dynsym, entsize=24)
    out.add(".note.gnu.build-id", 7, 2, struct.pack("<III", 4, 8, 3) + b"GNU\0" + bytes(range(8)))
    out.add(".gnu_debuglink", 1, 0, b"x.debug\0" + struct.pack("<I", 0x12345678))
    if with_mini:
        mini = Elf(machine)
        mtext = mini.add(".text", 8, 6, b"", addr=0x2000)
        mstr, msym = table(["inner"], [("inner", 2, mtext, 0x2050, 0x10)])
        link = mini.add(".strtab", 3, 0, mstr)
        mini.add(".symtab", 2, 0, msym, link=link, entsize=24, info=2)
        out.add(".gnu_debugdata", 1, 0, lzma.compress(mini.bytes()))
    else:
        link = out.add(".strtab", 3, 0, strings)
        out.add(".symtab", 2, 0, symbols, link=link, entsize=24, info=2)
    return out.bytes()


def elves():
    x86 = b"\xff\x35" + b"\0" * 14
    x86 += b"\xff\x25" + struct.pack("<i", 0x4000 - 0x3016) + b"\x68\0\0\0\0\xe9\0\0\0\0"
    x86 += b"\xf3\x0f\x1e\xfa\xf2\xff\x25" + struct.pack("<i", 0x4008 - 0x302B) + b"\0" * 5
    arm = b"\0" * 32 + struct.pack("<IIII", 0xB0000010, 0xF9400211, 0x91000210, 0xD61F0220)
    arm += struct.pack("<IIIIII", 0xD503245F, 0xB0000010, 0xF9400611, 0x91002210, 0xD61F0220, 0xD503201F)
    packed = Elf(62)
    text = b"line after line " * 20
    packed.add(".debug_line", 1, 1 << 11, struct.pack("<IIQQ", 1, 0, len(text), 1) + zlib.compress(text))
    packed.add(".zdebug_str", 1, 0, b"ZLIB" + struct.pack(">Q", len(text)) + zlib.compress(text))
    packed.add(".dynamic", 6, 2, struct.pack("<qQqQ", 1, 1, 0, 0), entsize=16)
    write("fuzz_small_elf", "packed", packed.bytes())
    write("fuzz_small_elf", "x86_full", elf(62, x86, (7, 37), False))
    narrow = b"\x7fELF\1\1\1" + b"\0" * 9 + struct.pack("<HHIIIIIHHHHHH", 1, 3, 1, 0, 52, 84, 0, 52, 32, 1, 40, 3, 1)
    narrow += struct.pack("<8I", 1, 0, 0x1000, 0x1000, 84, 84, 5, 4096) + bytes(40)
    narrow += struct.pack("<10I", 1, 3, 0, 0, 204, 16, 0, 0, 1, 0) + struct.pack("<10I", 6, 2, 0, 0, 220, 32, 1, 1, 4, 16)
    narrow += b"\0name\0sym\0" + bytes(6) + bytes(16) + struct.pack("<IIIBBH", 6, 0x1010, 4, 0x12, 0, 1)
    write("fuzz_small_elf", "narrow", narrow)
    write("fuzz_elf_symbols", "x86_mini", elf(62, x86, (7, 37)))
    write("fuzz_elf_symbols", "x86_full", elf(62, x86, (7, 37), False))
    write("fuzz_elf_symbols", "arm64", elf(183, arm, (1026, 1032)))


def xz():
    """Checksums of each kind, filters, several blocks or streams, a bomb, and one that wants too large a dictionary."""
    text = b"symbol table " * 40 + bytes(range(256))
    for name, check in (("none", lzma.CHECK_NONE), ("crc32", lzma.CHECK_CRC32), ("sha256", lzma.CHECK_SHA256)):
        write("fuzz_xz", name, lzma.compress(text, check=check))
    bcj = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_DELTA, "dist": 4}, {"id": lzma.FILTER_LZMA2, "dict_size": 4096}]
    write("fuzz_xz", "filters", lzma.compress(text, check=lzma.CHECK_NONE, filters=bcj))
    write("fuzz_xz", "two_streams", lzma.compress(b"a") + bytes(4) + lzma.compress(b"b"))
    write("fuzz_xz", "bomb", lzma.compress(bytes(300 << 10), check=lzma.CHECK_NONE))
    large = bytearray(lzma.compress(text, check=lzma.CHECK_NONE, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 4096}]))
    at = large.index(b"\x21\x01\x00", 12)
    large[at + 2] = 37  # 1.5 GiB
    large[at + 2 + 4:at + 2 + 8] = struct.pack("<I", zlib.crc32(bytes(large[12:at + 2 + 4])))
    write("fuzz_xz", "large_dictionary", bytes(large))


def debug_file():
    """The size of a program, the program, and what could be its debug file: by checksum, by build-id, by neither."""
    def with_id(number, link=None):
        out = Elf(62)
        out.add(".text", 1, 6, b"\x90" * 16, addr=0x2000)
        if number is not None:
            out.add(".note.gnu.build-id", 7, 2, struct.pack("<III", 4, 8, 3) + b"GNU\0" + bytes([number]) + bytes(range(1, 8)))
        if link is not None:
            out.add(".gnu_debuglink", 1, 0, link[0] + bytes(4 - len(link[0]) % 4) + struct.pack("<I", link[1]))
        return out.bytes()

    other = b"some debug file"
    link = (b"x.debug", zlib.crc32(other))
    for name, program, debug in (
            ("checksum", with_id(None, link), other), ("wrong_checksum", with_id(None, link), other[:-1]),
            ("build_id", with_id(0), with_id(0)), ("other_build_id", with_id(0), with_id(1)),
            ("both", with_id(0, (b"x.debug", 0)), with_id(0)), ("path", with_id(None, (b"../x.debug", link[1])), other),
            ("itself", with_id(None, (b"app", link[1])), other), ("no_name", with_id(None, (b"", link[1])), other)):
        write("fuzz_debug_file", name, struct.pack("<H", len(program)) + program + debug)


def disasm():
    """A machine and its code; ELF files."""
    x86 = bytes.fromhex("554889e54883ec10c5f877660f1f440000f30f1efae800000000c9c30f0b62f17c48586500ffff")
    arm = bytes.fromhex("fd7bbfa9fd030091200080d2bf2303d5c0035fd600000000ffffffff0420ff25")
    write("fuzz_disasm", "x86", b"\0" + x86)
    write("fuzz_disasm", "arm64", b"\1" + arm)
    for name, machine, code in (("file_x86", 62, x86), ("file_arm64", 183, arm), ("file_other", 8, arm)):
        out = Elf(machine)
        out.base = 0x2000 - 120  # the segment begins with the file: 120 bytes of headers, then .text
        out.add(".text", 1, 6, code, addr=0x2000)
        out.add(".bss", 8, 3, b"", addr=0x4000)
        write("fuzz_disasm", name, out.bytes())


if __name__ == "__main__":
    kallsyms()
    perfmap()
    jitdump()
    elves()
    xz()
    debug_file()
    disasm()

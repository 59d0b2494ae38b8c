#!/usr/bin/env python3
"""Writes the seeds of fuzz_pdb into corpus/, byte by byte: small PDBs of which every answer is known (test_pdb.c).

    plain     two modules of an x64 image: procedures, a thunk, a trampoline, moved code, lines of two files, inlined calls
              (one within another, one of a function of the other module), publics
    x86       only publics, of an x86 image, as in PDBs that are published
    paths     as plain, the second module named by its path, and by the linker as two others are
    nameless  as plain, the second module named as none is
    omap      as plain, the code moved block by block after linking
    fastlink, compiler, cyclic, absurd: to be refused, or to be read without harm
"""
import os
import struct

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "fuzz_pdb")
BLOCK = 512
GUID = bytes(range(0x10, 0x20))
NO_STREAM = 0xFFFF


def pad(data, unit=4, fill=b"\0"):
    return data + fill * (-len(data) % unit)


def msf(streams):
    """The container: superblock, two free maps, the streams' blocks, the directory, the list of its blocks."""
    blocks, lists = [b""] * 3, []

    def store(data):
        numbers = []
        for at in range(0, len(data), BLOCK):
            numbers.append(len(blocks))
            blocks.append(data[at:at + BLOCK])
        return numbers

    for i, data in enumerate(streams):
        lists.append(store(data))
        if i == 3:
            blocks.append(b"hole")  # so that the next stream is no neighbour
    directory = struct.pack("<I", len(streams)) + b"".join(struct.pack("<I", len(s)) for s in streams)
    directory += b"".join(struct.pack("<I", n) for numbers in lists for n in numbers)
    directory_blocks = store(directory)
    map_block = len(blocks)
    blocks.append(b"".join(struct.pack("<I", n) for n in directory_blocks))
    blocks[0] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0" + struct.pack("<IIIIII", BLOCK, 1, len(blocks),
                                                                         len(directory), 0, map_block)
    return b"".join(b.ljust(BLOCK, b"\0") for b in blocks)


def info(names_stream, age, *features):
    strings = b"/names\0"
    table = struct.pack("<I", len(strings)) + strings + struct.pack("<II", 1, 1) + struct.pack("<III", 1, 1, 0)
    table += struct.pack("<II", 0, names_stream) + struct.pack("<I", 0)
    return struct.pack("<III", 20000404, 0x5F000000, age) + GUID + table + b"".join(
        struct.pack("<I", f) for f in features)


def symbol(kind, body):
    body = struct.pack("<H", kind) + body
    body += b"\0" * (-(len(body) + 2) % 4)
    return struct.pack("<H", len(body)) + body


class Symbols:
    """A module's records; procedures know where they end."""

    def __init__(self):
        self.data = struct.pack("<I", 4)

    def add(self, kind, body):
        self.data += symbol(kind, body)

    def proc(self, kind, section, offset, size, name, inside=()):
        place = len(self.data)
        self.add(kind, struct.pack("<IIIIIIIIHB", 0, 0, 0, size, 0, size, 0x1001, offset, section, 0) + name + b"\0")
        for record in inside:
            self.data += record
        end = len(self.data)
        self.data = self.data[:place + 8] + struct.pack("<I", end) + self.data[place + 12:]
        self.add(6, b"")


def site(inlinee, annotations):
    return symbol(0x114D, struct.pack("<III", 0, 0, inlinee) + bytes(annotations))


SITE_END = symbol(0x114E, b"")


def part(kind, data):
    return struct.pack("<II", kind, len(data)) + pad(data)


def lines(section, offset, size, *blocks):
    data = struct.pack("<IHHI", offset, section, 0, size)
    for file, rows in blocks:
        data += struct.pack("<III", file, len(rows), 12 + 8 * len(rows))
        data += b"".join(struct.pack("<II", at, line | 1 << 31) for at, line in rows)
    return part(0xF2, data)


def names(*strings):
    """The string table, and the offset of each string."""
    data, at = b"\0", []
    for s in strings:
        at.append(len(data))
        data += s + b"\0"
    return struct.pack("<III", 0xEFFEEFFE, 1, len(data)) + data + struct.pack("<I", 0), at


def checksums(*offsets):
    return part(0xF4, b"".join(struct.pack("<IBB", o, 0, 0) + b"\0\0" for o in offsets))


def type_stream(first, records):
    data = b"".join(struct.pack("<H", len(r)) + r for r in records)
    return struct.pack("<IIIIIHHIIiIiIiI", 20040203, 56, first, first + len(records), len(data), NO_STREAM, NO_STREAM,
                       4, 0x3FFFF, 0, 0, 0, 0, 0, 0) + data


def leaf(kind, body):
    data = struct.pack("<H", kind) + body
    filler = -(len(data) + 2) % 4
    return data + b"\xf3\xf2\xf1"[3 - filler:]


def types():
    return type_stream(0x1000, [
        leaf(0x1505, struct.pack("<HHIIIH", 0, 0, 0, 0, 0, 8) + b"shop::Box<int>\0"),
        leaf(0x1504, struct.pack("<HHIIIHI", 0, 0, 0, 0, 0, 0x8004, 70000) + b"shop::Big\0")])


def ids():
    return type_stream(0x1000, [
        leaf(0x1605, struct.pack("<I", 0) + b"shop\0"),
        leaf(0x1601, struct.pack("<II", 0x1000, 0x1001) + b"twice\0"),
        leaf(0x1602, struct.pack("<II", 0x1000, 0x1001) + b"{ctor}\0"),
        leaf(0x1602, struct.pack("<II", 0x1001, 0x1001) + b"grow\0")])


def contribution(section, offset, size, module):
    return struct.pack("<HHIIIHHII", section, 0, offset, size, 0x60000020, module, 0, 0, 0)


def module(name, stream, symbol_bytes, c13_bytes, library=None):
    return pad(struct.pack("<I", 0) + contribution(1, 0, 0, 0) + struct.pack(
        "<HHIIIHHIII", 0, stream, symbol_bytes, 0, c13_bytes, 0, 0, 0, 0, 0) + name + b"\0" + (library or name) + b"\0")


def dbi(age, machine, publics, records, modules, contributions, debug):
    modules, contributions = b"".join(modules), b"".join(contributions)
    if contributions:
        contributions = struct.pack("<I", 0xEFFE0000 + 19970605) + contributions
    debug = b"".join(struct.pack("<H", s) for s in debug)
    return struct.pack("<iIIHHHHHHIIIIIIIIHHI", -1, 19990903, age, NO_STREAM, 0, publics, 0, records, 0, len(modules),
                       len(contributions), 0, 0, 0, 0, len(debug), 0, 0, machine, 0) + modules + contributions + debug


def section(name, size, start, flags):
    return name.ljust(8, b"\0") + struct.pack("<IIIIIIHHI", size, start, size, 0, 0, 0, 0, 0, flags)


def public(section_number, offset, flags, name):
    return symbol(0x110E, struct.pack("<IIH", flags, offset, section_number) + name + b"\0")


def publics(records):
    """The stream of publics and that of the records; places are given in the order of addresses."""
    data, places = b"", []
    for record in records:
        places.append(len(data))
        data += record
    header = struct.pack("<IIIIHHII", 0, 4 * len(places), 0, 0, 0, 0, 0, 0)
    return header + b"".join(struct.pack("<I", p) for p in places), data


def first_module():
    """.text + 0x000: outer (0x40 bytes) with two calls inlined, and its moved piece at 0x200."""
    s = Symbols()
    s.proc(0x1110, 1, 0x00, 0x40, b"shop::outer", [
        # From 4 for 0x20 bytes at line 101; within it from 8 for 8 bytes twice() of the other module.
        site(0x1002, [0x06, 0x02, 0x0C, 0x20, 0x04]),
        site(0x80000000, [0x0B, 0x08, 0x04, 0x08]),
        SITE_END, SITE_END,
        # Two ranges: 0x28 to 0x2a at line 201, 0x30 to 0x38 at line 203 of the other file.
        site(0x1003, [0x06, 0x02, 0x03, 0x28, 0x04, 0x02, 0x05, 0x08, 0x0B, 0x46, 0x04, 0x08]), SITE_END])
    s.proc(0x110F, 1, 0x40, 0x10, b"`anonymous namespace'::hidden")
    s.proc(0x1146, 1, 0x50, 0x10, b"lambda")
    s.add(0x1132, struct.pack("<IIIIIIHH", 0, 0, 0x10, 0, 0x200, 0, 1, 1))
    s.add(6, b"")
    s.add(0x112C, struct.pack("<HHIIHH", 0, 5, 0x300, 0x40, 1, 1))
    s.proc(0x1110, 9, 0x60, 0x10, b"in no section")
    s.add(0x1102, struct.pack("<IIIIHHB", 0, 0, 0, 0x60, 1, 8, 0) + b"thunk\0")
    s.add(6, b"")
    c13 = checksums(1, 5) + lines(1, 0, 0x40, (0, [(0, 10), (4, 11), (0x30, 13)]), (8, [(0x10, 77), (0x3C, 0xF00F00)]))
    c13 += lines(1, 0x40, 0x10, (0, [(4, 20)]))
    c13 += part(0xF6, struct.pack("<I", 0) + struct.pack("<III", 0x1002, 8, 100) + struct.pack(
        "<III", 0x80000000, 0, 50) + struct.pack("<III", 0x1003, 0, 200))
    c13 += part(0xF7, struct.pack("<III", 9, 1, 0x7))
    return s.data, c13


def second_module():
    s = Symbols()
    s.proc(0x1147, 1, 0x100, 0x20, b"main")
    c13 = checksums(5) + lines(1, 0x100, 0x20, (0, [(0, 1), (8, 2)])) + part(0xF8, struct.pack("<II", 0x7, 0x1001))
    return s.data, c13


def image(machine=0x8664, omap=False, age=2, features=(20140508,), info_age=3, imported=b"m2.obj", called=b"m2.obj", library=None,
          others=()):
    """imported: what the first module calls the second; called: what the linker does; others: (name, library) of more modules."""
    first, second = first_module(), second_module()
    table, _ = names(b"a.c", b"b.h", imported)
    rows = [public(1, 0x00, 2, b"?folded@shop@@YAXXZ"), public(1, 0x00, 2, b"?outer@shop@@YAXXZ"), public(1, 0x40, 2, b"other_name"),
            public(1, 0x100, 2, b"main"), public(1, 0x150, 0, b"label"), public(1, 0x150, 2, b"__asm_code"),
            public(1, 0x150, 2, b"_asm_code"), public(2, 0, 0, b"data")]
    address_map, records = publics(rows)
    sections = section(b".text", 0x400, 0x1000, 0x60000020) + section(b".data", 0x100, 0x2000, 0xC0000040)
    # Streams: 0 old directory, 1 info, 2 types, 3 DBI, 4 ids, 5 publics, 6 records, 7 sections, 8 names, 9 and 10 modules
    debug = [NO_STREAM] * 11
    debug[5] = 7
    streams_more = []
    if omap:
        # The image's .text is elsewhere, and outer was cut at 0x20: its second half lies first.
        debug[3], debug[4], debug[10], debug[5] = 11, 12, 7, 13
        to_source = [(0x5000, 0x1020), (0x5020, 0), (0x5100, 0x1000), (0x5120, 0x1040), (0x5160, 0x1100)]
        from_source = [(0x1000, 0x5100), (0x1020, 0x5000), (0x1040, 0x5120), (0x1060, 0), (0x1100, 0x5160)]
        streams_more = [b"".join(struct.pack("<II", *p) for p in to_source),
                        b"".join(struct.pack("<II", *p) for p in from_source),
                        section(b".text", 0x400, 0x5000, 0x60000020)]
    contributions = [contribution(1, 0, 0x68, 0), contribution(1, 0x100, 0x20, 1), contribution(1, 0x200, 0x10, 0),
                     contribution(1, 0x300, 0x10, 0)]
    modules = [module(b"m1.obj", 9, len(first[0]), len(first[1])), module(called, 10, len(second[0]), len(second[1]), library)]
    modules += [module(name, NO_STREAM, 0, 0, library) for name, library in others]
    return msf([b"", info(8, info_age, *features), types(),
                dbi(age, machine, 5, 6, modules, contributions, debug), ids(), address_map, records, sections, table,
                first[0] + first[1], second[0] + second[1]] + streams_more)


def stripped():
    rows = [public(1, 0x00, 2, b"_main"), public(1, 0x10, 2, b"_stdcall_one@8"), public(1, 0x20, 2, b"@fast_one@4"),
            public(1, 0x30, 2, b"?f@@YAHXZ"), public(1, 0x40, 2, b"_"), public(1, 0x44, 2, b"_@4")]
    address_map, records = publics(rows)
    debug = [NO_STREAM] * 11
    debug[5] = 7
    return msf([b"", info(8, 1, 20140508), b"", dbi(1, 0x14C, 5, 6, [], [], debug), b"", address_map, records,
                section(b".text", 0x48, 0x1000, 0x60000020), names()[0]])


def frames():
    """x86: a function whose prologue is told, one with ebp, one that is realigned; FPO for what is left."""
    table, at = names(b"$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + = ",
                      b"$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + = $ebp $T0 8 - ^ = ",
                      b"$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + = $L $T0 .cbSavedRegs - = $P $T0 8 + .cbParams + =",
                      b"$T1 $ebp 4 + = $T0 $T1 4 - 64 @ = $eip $T1 ^ = $esp $T1 4 + = $ebp $T1 4 - ^ = ", b"$eip ^ =")
    data = [(0x1000, 0x20, 0, 8, 0, at[0]), (0x1004, 0x1C, 16, 8, 8, at[1]), (0x1010, 4, 0, 0, 0, at[4]),
            (0x1030, 0x10, 4, 4, 4, at[2]), (0x1050, 8, 0, 0, 4, at[3])]
    stream = b"".join(struct.pack("<6IHHI", start, size, local, params, 0, program, 0, saved, 4)
                      for start, size, local, params, saved, program in data)
    fpo = struct.pack("<IIIHH", 0x1018, 0x10, 2, 1, 0x0304) + struct.pack("<IIIHH", 0x1060, 8, 0, 0, 0xC003) + struct.pack(
        "<IIIHH", 0x1070, 8, 0, 0, 0x1001)
    address_map, records = publics([public(1, 0x00, 2, b"_main")])
    debug = [NO_STREAM] * 11
    debug[0], debug[5], debug[9] = 10, 7, 9
    return msf([b"", info(8, 1, 20140508), b"", dbi(1, 0x14C, 5, 6, [], [], debug), b"", address_map, records,
                section(b".text", 0x80, 0x1000, 0x60000020), table, struct.pack("<I", 0) + stream, fpo])


def cyclic():
    """All blocks of the streams are one and the same: their number is right, what is in them is not."""
    data = bytearray(image())
    directory_bytes, map_block = struct.unpack_from("<I4xI", data, 44)
    block = struct.unpack_from("<I", data, map_block * BLOCK)[0]
    count = struct.unpack_from("<I", data, block * BLOCK)[0]
    for at in range(4 + 4 * count, directory_bytes, 4):
        struct.pack_into("<I", data, block * BLOCK + at, block)
    return bytes(data)


def absurd():
    """A directory that says of one stream that it is larger than the file."""
    data = bytearray(image())
    map_block = struct.unpack_from("<I", data, 52)[0]
    block = struct.unpack_from("<I", data, map_block * BLOCK)[0]
    struct.pack_into("<I", data, block * BLOCK + 4 + 4 * 9, 0x7FFFFFFF)
    return bytes(data)


def main():
    os.makedirs(HERE, exist_ok=True)
    seeds = {"plain": image(), "x86": stripped(), "omap": image(omap=True), "frames": frames(), "cyclic": cyclic(), "absurd": absurd(),
             "paths": image(imported=b"C:\\Build\\shop\\m.dir\\rel\\M2.obj", called=b"m.dir\\Rel\\m2.obj",
                            library=b"c:\\build\\Shop\\shop.lib", others=[(b"m.dir\\Rel\\m2.obj", b"c:\\build\\other.lib"), (b"m2.obj", b"c:\\build\\shop\\m.lib")]),
             "nameless": image(imported=b"elsewhere.obj"),
             "fastlink": image(features=(20140508, 0x494E494D)),
             "compiler": msf([b"", info(8, 1, 20140508), types(), b"", ids()])}
    for name, data in seeds.items():
        with open(os.path.join(HERE, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the seeds of fuzz_dwarf and fuzz_variables: make_seeds_dwarf.py FOLDER (tests/fuzz/corpus).

Sections of the DWARF 4 and 5 standards, in the ELF files of make_seeds_symbols.py: one function, main() at 0x2000, in
which add() is inlined twice, one call in a block with a list of ranges.
"""
import os
import struct
import sys
import zlib

from make_seeds_symbols import Elf

CODE = 0x2000
ADDR, DATA4, DATA8, STRING, DATA1, STRP, REF4, SEC_OFFSET, LINE_STRP, RNGLISTX, UDATA = (
    0x01, 0x06, 0x07, 0x08, 0x0b, 0x0e, 0x13, 0x17, 0x1f, 0x23, 0x0f)
SIBLING, NAME, STMT_LIST, LOW, HIGH, COMP_DIR, INLINE, ORIGIN, RANGES, CALL_FILE, CALL_LINE, LINKAGE, DECL_LINE = (
    0x01, 0x03, 0x10, 0x11, 0x12, 0x1b, 0x20, 0x31, 0x55, 0x58, 0x59, 0x6e, 0x3b)
UNIT, SUBPROGRAM, INLINED, BLOCK, NAMESPACE = 0x11, 0x2e, 0x1d, 0x0b, 0x39
COMPRESSED = 0x800


def uleb(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def abbrev(code, tag, children, *attributes):
    return uleb(code) + uleb(tag) + bytes([children]) + b"".join(uleb(a) + uleb(f) for a, f in attributes) + b"\0\0"


def abbrevs(version):
    return b"".join([
        abbrev(1, UNIT, 1, (NAME, LINE_STRP if version == 5 else STRP), (COMP_DIR, STRP), (LOW, ADDR), (HIGH, DATA8),
               (STMT_LIST, SEC_OFFSET)),
        abbrev(2, SUBPROGRAM, 1, (NAME, STRP), (DECL_LINE, DATA1), (LOW, ADDR), (HIGH, DATA8)),
        abbrev(3, SUBPROGRAM, 0, (NAME, STRING), (LINKAGE, STRING), (INLINE, DATA1), (DECL_LINE, DATA1)),
        abbrev(4, INLINED, 1, (ORIGIN, REF4), (LOW, ADDR), (HIGH, DATA8), (CALL_FILE, DATA1), (CALL_LINE, DATA1)),
        abbrev(5, BLOCK, 1, (RANGES, SEC_OFFSET)),
        abbrev(6, NAMESPACE, 1, (NAME, STRING)),
        abbrev(7, INLINED, 0, (SIBLING, REF4), (ORIGIN, REF4), (RANGES, SEC_OFFSET), (CALL_FILE, DATA1), (CALL_LINE, DATA1)),
        abbrev(8, BLOCK, 1, (SIBLING, REF4), (LOW, ADDR), (HIGH, DATA8)),
        b"\0"])


STRINGS = b"a.c\0/srv/build\0main\0"


def info(version, sibling=None, ranges=0):
    """sibling: where the siblings of entries 7 and 8 are; None: behind them."""
    head = 12 if version == 5 else 11
    unit = b"\1" + struct.pack("<IIQQI", 0, 4, CODE, 0x100, 0)
    add = head + len(unit)
    body = unit + b"\3add\0_Z3addi\0\1\3" + b"\6ns\0"
    body += b"\2" + struct.pack("<IBQQ", 15, 9, CODE, 0x80)
    body += b"\4" + struct.pack("<IQQBB", add, CODE + 8, 0x20, 1, 12)
    body += b"\4" + struct.pack("<IQQBB", add, CODE + 16, 8, 2, 13) + b"\0\0"
    body += b"\5" + struct.pack("<I", ranges)
    at = head + len(body)
    body += b"\7" + struct.pack("<IIIBB", at + 15 if sibling is None else sibling(at), add, ranges, 1, 20)
    at = head + len(body)
    block = b"\10" + struct.pack("<IQQ", at + 22 if sibling is None else sibling(at), CODE + 0x60, 8) + b"\0"
    body += block + b"\0\0\0\0"
    if version == 5:
        return struct.pack("<IHBBI", head - 4 + len(body), 5, 1, 8, 0) + body
    return struct.pack("<IHIB", head - 4 + len(body), version, 0, 8) + body


PROGRAM = (b"\0\x09\2" + struct.pack("<Q", CODE) + b"\3\x08\1" + bytes([0x4b, 0x83, 0x21]) + b"\4\2\3\x7e" + b"\2\x20\1"
           + b"\4\1\x05\7\x0a\x08\x09\x10\0\6\x01" + b"\0\2\4\7" + b"\2\x40\0\1\1")


def line(version):
    common = bytes([1, 1, 1, 0xfb, 14, 13]) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    if version == 5:
        files = b"\1\1" + uleb(LINE_STRP) + b"\2" + struct.pack("<II", 4, 15)
        files += b"\2\1" + uleb(LINE_STRP) + b"\2" + uleb(UDATA) + b"\3" + b"".join(
            struct.pack("<IB", name, folder) for name, folder in ((0, 0), (0, 0), (19, 1)))
        head = struct.pack("<HBBI", 5, 8, 0, len(common + files)) + common + files
    else:
        files = b"inc\0\0" + b"a.c\0\0\0\0" + b"h.h\0\1\0\0" + b"\0"
        head = struct.pack("<HI", version, len(common + files)) + common + files
    return struct.pack("<I", len(head + PROGRAM)) + head + PROGRAM


def ranges(version, n=2):
    if version == 5:
        lists = b"".join(b"\7" + struct.pack("<Q", CODE + 0x40 + 8 * i) + b"\6" for i in range(n)) + b"\0"
        return struct.pack("<IHBBI", 8 + len(lists), 5, 8, 0, 0) + lists
    return b"".join(struct.pack("<QQ", 0x40 + 8 * i, 0x46 + 8 * i) for i in range(n)) + bytes(16)


def sections(version, sibling=None):
    return {
        ".debug_abbrev": abbrevs(version),
        ".debug_info": info(version, sibling, 12 if version == 5 else 0),
        ".debug_line": line(version),
        ".debug_str": STRINGS,
        ".debug_line_str": b"a.c\0/srv/build\0inc\0h.h\0" if version == 5 else b"",
        ".debug_rnglists" if version == 5 else ".debug_ranges": ranges(version),
    }


def elf(parts, flags=0):
    out = Elf(62)
    out.add(".text", 1, 6, b"\x90" * 256, addr=CODE)
    for name, data in parts.items():
        if data:
            out.add(name, 1, flags if name.startswith(".debug_") else 0, data)
    return out.bytes()


def compressed(parts, size=None):
    return {name: struct.pack("<IIQQ", 1, 0, len(data) if size is None else size, 1) + zlib.compress(data, 9) if data else b""
            for name, data in parts.items()}


def old_compressed(parts):
    return {".z" + name[1:]: b"ZLIB" + struct.pack(">Q", len(data)) + zlib.compress(data, 9) if data else b""
            for name, data in parts.items()}


def changed(parts, **changes):
    return {name: changes.get(name[7:], data) for name, data in parts.items()}


TYPE, LOCATION, FRAME_BASE, ENCODING, BYTE_SIZE, EXPRLOC = 0x49, 0x02, 0x40, 0x3e, 0x0b, 0x18
FORMAL, VARIABLE, BASE_TYPE, POINTER, TYPEDEF, STRUCT = 0x05, 0x34, 0x24, 0x0f, 0x16, 0x13
FBREG, ADDRESS, CFA, REG5, BREG6, LIT3, STACK_VALUE, ENTRY_VALUE = 0x91, 0x03, 0x9c, 0x55, 0x76, 0x33, 0x9f, 0xa3


def sleb(n):
    out = b""
    while True:
        byte, n = n & 127, n >> 7
        if (n == 0 and not byte & 64) or (n == -1 and byte & 64):
            return out + bytes([byte])
        out += bytes([byte | 128])


def expression(*parts):
    data = b"".join(bytes([part]) if isinstance(part, int) else part for part in parts)
    return uleb(len(data)) + data


def variables(frame=(CFA,), loop=False):
    """main() at CODE, with parameters and variables in all kinds of places; loop: a type that is a name of itself."""
    table = b"".join([
        abbrev(1, UNIT, 1, (NAME, STRP), (COMP_DIR, STRP), (LOW, ADDR), (HIGH, DATA8), (STMT_LIST, SEC_OFFSET)),
        abbrev(2, SUBPROGRAM, 1, (NAME, STRING), (LOW, ADDR), (HIGH, DATA8), (FRAME_BASE, EXPRLOC)),
        abbrev(3, FORMAL, 0, (NAME, STRING), (TYPE, REF4), (LOCATION, EXPRLOC)),
        abbrev(4, VARIABLE, 0, (NAME, STRING), (TYPE, REF4), (LOCATION, EXPRLOC)),
        abbrev(5, BASE_TYPE, 0, (NAME, STRING), (ENCODING, DATA1), (BYTE_SIZE, DATA1)),
        abbrev(6, POINTER, 0, (BYTE_SIZE, DATA1), (TYPE, REF4)),
        abbrev(7, TYPEDEF, 0, (NAME, STRING), (TYPE, REF4)),
        abbrev(8, STRUCT, 0, (NAME, STRING), (BYTE_SIZE, DATA1)),
        abbrev(9, BLOCK, 1, (LOW, ADDR), (HIGH, DATA8)),
        b"\0"])
    body = b"\1" + struct.pack("<IIQQI", 0, 4, CODE, 0x100, 0)

    def entry(data):
        nonlocal body
        at = 11 + len(body)
        body += data
        return struct.pack("<I", at)

    number = entry(b"\5int\0\5\4")
    char = entry(b"\5char\0\6\1")
    text = entry(b"\6\x08" + char)
    named = entry(b"\7name\0" + (struct.pack("<I", 11 + len(body)) if loop else number))
    pair = entry(b"\x08pair\0\x10")
    body += b"\2main\0" + struct.pack("<QQ", CODE, 0xf0) + expression(*frame)
    body += b"\3number\0" + named + expression(FBREG, sleb(-20)) + b"\3text\0" + text + expression(FBREG, sleb(-32))
    body += b"\3both\0" + pair + expression(FBREG, sleb(-64)) + b"\3behind\0" + number + expression(FBREG, sleb(8))
    body += b"\4fixed\0" + number + expression(ADDRESS, struct.pack("<Q", CODE + 0x1000))
    body += b"\x09" + struct.pack("<QQ", CODE + 0x20, 0x40)
    body += b"\4number\0" + number + expression(REG5) + b"\4kept\0" + number + expression(LIT3, STACK_VALUE)
    body += b"\4text\0" + text + expression(BREG6, sleb(-8)) + b"\0"
    body += b"\4kept\0" + number + expression(ENTRY_VALUE, 1, REG5, STACK_VALUE) + b"\0\0"
    return {
        ".debug_abbrev": table,
        ".debug_info": struct.pack("<IHIB", 7 + len(body), 4, 0, 8) + body,
        ".debug_line": line(4),
        ".debug_str": STRINGS,
        # A CIE whose frames begin at rsp + 8, and one FDE of it.
        ".debug_frame": struct.pack("<II", 20, 0xffffffff) + b"\1\0\1\x78\x10\x0c\7\x08\x90\1\0\0\0\0\0\0"
                        + struct.pack("<IIQQ", 20, 0, CODE, 0x100),
    }


def write_seeds(harness, seeds):
    folder = os.path.join(sys.argv[1], harness)
    os.makedirs(folder, exist_ok=True)
    for name, data in seeds.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def main():
    four, five = sections(4), sections(5)
    write_seeds("fuzz_variables", {
        "frame": elf(variables()),
        "frame_register": elf(variables((0x56,))),
        "frame_distance": elf(variables((BREG6, sleb(16)))),
        "frame_nothing": elf(variables(())),
        "type_of_itself": elf(variables(loop=True)),
        "optimised": elf(four),
    })
    seeds = {
        "four": elf(four),
        "five": elf(five),
        "strings_without_end": elf(changed(five, line_str=five[".debug_line_str"][:-1] + b"x")),
        "old_strings_without_end": elf(old_compressed(changed(five, line_str=five[".debug_line_str"][:-1] + b"x"))),
        "own_sibling": elf(sections(4, lambda at: at)),
        "sibling_before": elf(sections(5, lambda at: 12)),
        "compressed": elf(compressed(five), COMPRESSED),
        "compressed_large": elf(compressed(five, 1 << 33), COMPRESSED),
        "compressed_old": elf(old_compressed(four)),
        "shared": elf(four | {".gnu_debugaltlink": b"/dev/null\0" + bytes(range(20))}),
        "no_ranges": elf(changed(four, ranges=bytes(16))),
        "many_ranges": elf(changed(four, ranges=ranges(4, 100))),
    }
    write_seeds("fuzz_dwarf", seeds)


if __name__ == "__main__":
    main()

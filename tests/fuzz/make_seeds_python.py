#!/usr/bin/env python3
"""Writes the seeds of fuzz_python_lines, fuzz_python_code, fuzz_python_task and fuzz_python_bytecode, byte by byte:
make_seeds_python.py FOLDER (tests/fuzz/corpus).
"""
import os
import struct
import sys

UNSIGNED, SIGNED, RANGES, LOCATIONS = range(4)
BASE = 0x7F0000000000


def lnotab(*pairs):
    return b"".join(struct.pack("BB", size, line & 255) for size, line in pairs)


def varint(n):
    out = b""
    while n >= 64:
        out, n = out + bytes([n & 63 | 64]), n >> 6
    return out + bytes([n])


def signed(n):
    return varint(-n << 1 | 1 if n < 0 else n << 1)


def location(code, units, rest=b""):
    return bytes([0x80 | code << 3 | units - 1]) + rest


TABLES = {
    "unsigned": (UNSIGNED, 1, lnotab((6, 1), (255, 0), (3, 255), (0, 255), (9, 4)) * 12),
    "signed": (SIGNED, 40, lnotab((2, 1), (4, -3), (0, 127), (0, 127), (0, 9), (255, 0), (10, -128), (8, 2)) * 12),
    "ranges": (RANGES, 7, lnotab((2, 0), (4, 1), (0, 127), (6, -128), (254, 5), (2, -127), (0, -4), (8, 1)) * 12),
    "locations": (LOCATIONS, 3, (location(15, 1) + location(14, 2, signed(1) + varint(0) + varint(5) + varint(90))
                  + location(3, 8, b"\x47") + location(10, 1, b"\1\2") + location(12, 3, b"\x7f\0")
                  + location(13, 5, signed(-2)) + location(13, 1, signed(70000)) + location(13, 1, signed(-69990))) * 8),
    "empty": (LOCATIONS, 1, b""),
}


def text(width, value, length=None):
    codec = {2: "utf-16-le", 4: "utf-32-le"}.get(width, "latin-1")
    data = value if isinstance(value, bytes) else value.encode(codec, "surrogatepass")
    return struct.pack("<BIH", width, length if length is not None else len(data) // (width or 1), len(data)), data


def record(flags, form, line, name, qualname, filename, table, table_len=None):
    parts = [name, qualname, filename]
    head = struct.pack("<BBI", flags, form, line) + b"".join(p[0] for p in parts)
    head += struct.pack("<IH", len(table) if table_len is None else table_len, len(table))
    return head + b"".join(p[1] for p in parts) + table


def string(value, width):
    """A str of fuzz_python_code's plan: length at 16, state at 32, data at 40 (ASCII) or 56."""
    data = value.encode({1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[width])
    is_ascii = value.isascii()
    body = struct.pack("<QQQQI", 1, 2, len(value), 0, width << 2 | 1 << 5 | is_ascii << 6) + bytes(4 if is_ascii else 20) + data
    return body + bytes(-len(body) % 8)


def byte_string(data):
    body = struct.pack("<QQQQ", 1, 2, len(data), 0) + data
    return body + bytes(-len(body) % 8)


def image(flags, form, name, qualname, filename, table):
    """No record to speak of, but a code object in the memory."""
    parts, at, data, addresses = [name, qualname, filename, table], 48, b"", []
    for part in parts:
        addresses.append(BASE + at + len(data) if part else 0)
        data += part
    head = record(flags, form, 0, text(3, b""), text(0, ""), text(0, ""), b"")
    return head + struct.pack("<QQQQQII", 0, *addresses, 10, 0) + data


def task(name, number=None, has_code=True):
    """A task, its coroutine, that one's code, and their texts, 0x80 bytes each; a number is an int with its type."""
    def at(i):
        return BASE + 0x80 * i

    qualname, filename = string("Worker.run", 1), string("/srv/\u540d.py", 2)
    if number is not None:
        name = struct.pack("<QQI", at(6), 8, number)
    parts = [struct.pack("<QQQ", 0, at(1), at(3)), struct.pack("<5Q", 0, 0, 0, at(4), at(2) if has_code else 0),
             struct.pack("<5QQ", 0, at(4), at(4), at(5), 0, 12), name, qualname, filename,
             struct.pack("<4Q", 0, 0, at(7), 0), b"int\0"]
    return b"".join(part.ljust(0x80, b"\0") for part in parts)


def main():
    table = TABLES["locations"][2]
    codes = {
        "latin": record(0, LOCATIONS, 5, text(1, "f"), text(1, "C.caf\xe9.<locals>.f"), text(1, "/tmp/\x1b[31m.py"), table),
        "wide": record(0, LOCATIONS, 5, text(2, "\u540d\u524d"), text(0, ""), text(4, "/\U0001f40d/\u202e.py"), table, 9999),
        "surrogates": record(0, SIGNED, 1, text(2, "\udcc3\udca9"), text(2, "\ud800\udcff\udc7f"), text(4, b"\xff\xff\xff\xff"),
                             TABLES["signed"][2]),
        "bytes": record(1, UNSIGNED, 1, text(1, "caf\u00e9".encode()), text(0, ""), text(1, b"/x/\xff\xc3", 99),
                        TABLES["unsigned"][2]),
        "nonsense": record(0, RANGES, 1, text(3, b"abc"), text(1, "x", 0), text(4, b"abc"), b"\1\2\3", 1),
        "read": image(0, LOCATIONS, string("f", 1), string("A.\u00e9", 1), string("/\u540d.py", 2), byte_string(table)),
        "read_bytes": image(1, UNSIGNED, byte_string(b"f"), b"", byte_string(b"/x.py"), byte_string(TABLES["unsigned"][2])),
        "read_long": image(0, SIGNED, string("f", 1), b"", string("x" * 5000, 1), byte_string(TABLES["signed"][2] * 10)),
    }
    codes |= {
        "task": record(2, LOCATIONS, 5, text(1, "name"), text(1, "C.run"), text(1, "/x.py"), b"", 9),
        "task_number": record(2, LOCATIONS, 5, text(0, ""), text(1, "C.run"), text(0, ""), b"", 9),
        "twice": record(4, LOCATIONS, 5, text(1, "f"), text(1, "C.f"), text(1, "/x.py"), table),
        "twice_unread": record(4, LOCATIONS, 5, text(1, "f"), text(0, ""), text(0, ""), table, 999),
        "shim": record(0, LOCATIONS, 0, text(1, "__init__"), text(1, "__init__"), text(1, "__init__"), b""),
    }
    tasks = {
        "named": b"\0" + task(string("fetch", 1)),
        "numbered": b"\0" + task(None, 77),
        "large_number": b"\1" + task(None, 1 << 31),
        "no_code": b"\0" + task(string("\u540d\x1b", 2), has_code=False),
        "pure": b"\1" + task(string("fetch", 1)),
    }
    # {minor version}: LOAD_CONST, EXTENDED_ARG and a jump; 2.7's of one and three bytes; caches; what is cut, or hides another.
    bytecodes = {
        "old": bytes([7, 100, 1, 0, 145, 1, 0, 113, 2, 0, 83]),
        "units": bytes([8, 100, 1, 144, 1, 113, 2, 83, 0]),
        "adaptive": bytes([11, 151, 0, 144, 1, 124, 0, 122, 5, 255, 255, 83, 0]),
        "specialised": bytes([13, 149, 0, 85, 0, 85, 1, 151, 0, 1, 2, 36, 0]),
        "instrumented": bytes([12, 151, 0, 253, 0, 0, 0]),
        "watched": bytes([12, 151, 0, 254, 0]),
        "cut": bytes([12, 151, 0, 116]),
        "cut_caches": bytes([12, 151, 0, 116, 0, 1, 2]),
        "later": bytes([99, 1, 2]),
        "nothing": bytes([11]),
    }
    lines = {name: struct.pack("<BI", form, line) + data for name, (form, line, data) in TABLES.items()}
    for harness, seeds in (("fuzz_python_lines", lines), ("fuzz_python_code", codes), ("fuzz_python_task", tasks),
                           ("fuzz_python_bytecode", bytecodes)):
        folder = os.path.join(sys.argv[1], harness)
        os.makedirs(folder, exist_ok=True)
        for name, data in seeds.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    main()

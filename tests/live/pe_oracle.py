#!/usr/bin/env python3
"""pe_oracle.py READOBJ UNWIND_TABLE RESOLVE_ADDR FILE

Compares what we make of a PE file with llvm-readobj: the rules of every instruction of every prologue with what the
unwind codes that it prints do to a stack (x64 and ARM64), and the names of exported functions with its list.
Prints the first differences and exits 1 when there are any, 2 when there was nothing to compare.
"""
import bisect
import re
import subprocess
import sys

readobj, unwind_table, resolve_addr, path = sys.argv[1:]
END = ("end", 0, None, None, None)  # RtlUserThreadStart: threads begin there


def run(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False).stdout


class Table:
    def __init__(self):
        self.rows = [line.split() for line in run(unwind_table, path).splitlines()]
        self.starts = [int(row[0], 16) for row in self.rows]

    def at(self, address):
        """(base, offset of the CFA, fp or None, bx or None, ra or None)"""
        place = bisect.bisect_right(self.starts, address) - 1
        if place < 0 or self.rows[place][1] == "none":
            return None
        _, base, flags, cfa, ra, fp, bx = self.rows[place]
        flags = int(flags)
        return (base, int(cfa), int(fp) if flags & 2 else None, int(bx) if flags & 16 else None,
                int(ra) if flags & 1 else None)


def blocks(text):
    block = []
    for line in text.splitlines():
        if "RuntimeFunction {" in line and block:
            yield block
            block = []
        block.append(line.strip())
    yield block


def number(line):
    return int(re.search(r"0x([0-9A-Fa-f]+)\)?$", line)[1], 16)


def x64_functions(text):
    """(start, end, [(offset, operation, register, value)] in the order of the prologue)"""
    for block in blocks(text):
        head = {line.split(":")[0]: line for line in block if ":" in line}
        if "StartAddress" not in head or any("Chained" in line for line in block):
            continue
        codes = []
        for line in block:
            code = re.match(r"0x([0-9A-F]{2}): (\w+)(?: (.*))?$", line)
            if code:
                fields = dict(item.split("=") for item in (code[3] or "").split(", ") if "=" in item)
                value = int(fields.get("size") or fields.get("offset") or "0", 0)
                codes.append((int(code[1], 16), code[2], fields.get("reg"), value))
        yield number(head["StartAddress"]), number(head["EndAddress"]), codes[::-1]


def x64_rows(start, end, codes):
    depth, base, frame, saved = 8, "sp", 0, {}
    frame_depth = 0
    rows = {start: ("sp", 8, {})}
    for at, operation, register, value in codes:
        if operation == "PUSH_NONVOL":
            depth += 8
            saved[register] = -depth
        elif operation in ("ALLOC_SMALL", "ALLOC_LARGE"):
            depth += value
        elif operation == "SET_FPREG":
            base, frame, frame_depth = register, depth - value, depth
        elif operation == "SAVE_NONVOL":
            saved[register] = value - (frame_depth if base != "sp" else depth)
        elif operation == "PUSH_MACHFRAME":
            return {}
        if start + at < end:
            rows[start + at] = ("fp" if base == "RBP" else base.lower(), depth if base == "sp" else frame, dict(saved))
    return rows


def check_x64(text, table, differences):
    compared = 0
    for start, end, codes in x64_functions(text):
        for address, (base, cfa, saved) in x64_rows(start, end, codes).items():
            want = (base, cfa, saved.get("RBP"), saved.get("RBX"), -8)
            compared += 1
            if table.at(address) != want and table.at(address) != END:
                differences.append(f"{address:x}: {table.at(address)}, want {want}")
    return compared


def arm_rows(start, codes):
    """codes: in the order of the prologue."""
    rows, depth, frame, fp, ra = {start: ("sp", 0, None, None)}, 0, None, None, None
    for step, code in enumerate(codes, 1):
        code = code.replace("x30", "lr").replace("x29", "fp")
        store = re.match(r"st[pr] (\w+)(?:, (\w+))?, \[sp(?:, #(-?\d+))?\](!?)", code)
        down = re.match(r"sub sp, (?:sp, )?#(\d+)", code)
        up = re.match(r"(?:mov|add) fp, sp(?:, #(\d+))?", code)
        if store:
            offset = int(store[3] or 0)
            if store[4]:
                depth, offset = depth - offset, 0
            for place, register in enumerate((store[1], store[2])):
                if register == "fp":
                    fp = offset + 8 * place - depth
                elif register == "lr":
                    ra = offset + 8 * place - depth
        elif down:
            depth += int(down[1])
        elif up:
            frame = depth - int(up[1] or 0)
        rows[start + 4 * step] = ("fp" if frame is not None else "sp", depth if frame is None else frame, fp, ra)
    return rows


def check_arm64(text, table, differences):
    compared = 0
    for block in blocks(text):
        if "Prologue [" not in block:
            continue
        start = number(next(line for line in block if line.startswith("Function:")))
        first = block.index("Prologue [") + 1
        codes = [line.split("; ")[-1] for line in block[first:block.index("]", first)]]
        codes = [code for code in codes if code != "end"][::-1]
        for address, (base, cfa, fp, ra) in arm_rows(start, codes).items():
            got = table.at(address)
            compared += 1
            if not got or (got[0], got[1], got[2], got[4]) != (base, cfa, fp, ra):
                differences.append(f"{address:x}: {got}, want {(base, cfa, fp, ra)}")
    return compared


def check_exports(differences):
    text = run(readobj, "--coff-exports", "--file-headers", "--sections", path)
    base = int(re.search(r"ImageBase: 0x([0-9A-F]+)", text)[1], 16)
    code = [(int(address, 16), int(size, 16)) for size, address, flags in re.findall(
        r"VirtualSize: 0x([0-9A-F]+)\s+VirtualAddress: 0x([0-9A-F]+).*?Characteristics \[ \(0x([0-9A-F]+)\)", text, re.S)
        if int(flags, 16) & 0x20000000]
    wanted = {}
    for name, rva in re.findall(r"Name: (\S+)\s+RVA: 0x([0-9A-F]+)", text):
        if any(start <= int(rva, 16) < start + size for start, size in code):
            wanted.setdefault(int(rva, 16) + base, set()).add(name)
    lines = run(resolve_addr, "-f", path, "-", text="".join(f"{address:x}\n" for address in wanted)).splitlines()
    local = 0
    for (address, names), line in zip(wanted.items(), lines):
        raw, start = line.split("\t")[3], int(line.split("\t")[4], 16)
        # A PDB, or the COFF table, may know the function by another name than that which it is exported by.
        local += raw not in names
        if start != address or raw == "-":
            differences.append(f"{address:x}: {line}, want {names}")
    if local * 4 > len(wanted):
        differences.append(f"{local} of {len(wanted)} exports have other names")
    return len(lines)


found = []
unwinding = run(readobj, "--unwind", path)
check = check_arm64 if "Arch: aarch64" in unwinding else check_x64
rules = check(unwinding, Table(), found)
exports = check_exports(found)
print(f"{path}: {rules} rules, {exports} exports, {len(found)} differences")
for difference in found[:20]:
    print("  " + difference)
sys.exit(1 if found else 0 if rules else 2)

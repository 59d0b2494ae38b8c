#!/usr/bin/env python3
"""cfi_oracle.py UNWIND_TABLE FILE [--count N] [--seed N]

Compares the unwind rules of FILE with `readelf --debug-dump=frames-interp`, row by row, on N random
functions (0: all). Prints the first differences and exits 1 when there are any.
"""
import argparse
import bisect
import random
import re
import subprocess
import sys

RA_SAVED, FP_SAVED, RA_SIGNED, FP_AT_FP, BX_SAVED, BX_AT_FP, BX_LOST = 1, 2, 4, 8, 16, 32, 64
NAMES = {"x86": ("rsp", "rbp"), "arm": ("sp", "x29")}


def our_rows(tool, path):
    done = subprocess.run([tool, path], capture_output=True, text=True, check=False)
    rows = []
    for line in done.stdout.splitlines():
        pc, kind, *numbers = line.split()
        rows.append((int(pc, 16), kind, *map(int, numbers)))
    return rows


def functions(path):
    """(is signal frame, [(pc, {column: value})], start, end) of every FDE."""
    process = subprocess.Popen(["readelf", "--debug-dump=frames-interp", path], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    rows, columns, span, signal, signals, section = [], [], None, False, {}, ""
    for line in process.stdout:
        if line.startswith("Contents of"):
            section = line
        head = re.match(r"([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ (CIE|FDE)(.*)", line)
        if head or line.strip() == "":
            if span and rows:
                yield signal, rows, span
            rows, columns, span = [], [], None
            if head and head.group(2) == "CIE":
                signals[section, head.group(1)] = "S" in head.group(3).split('"')[1]
            elif head:
                where = re.search(r"cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)", head.group(3))
                signal = signals.get((section, where.group(1)), False)
                span = int(where.group(2), 16), int(where.group(3), 16)
        elif line.lstrip().startswith("LOC"):
            columns = line.split()
        elif span and columns:
            words = re.sub(r" \(\w+\)", "", line).split()  # "r5 (rdi)" is one cell
            if len(words) >= 2 and re.fullmatch("[0-9a-f]{16}", words[0]):
                rows.append((int(words[0], 16), dict(zip(columns, words))))
    if span and rows:
        yield signal, rows, span


def difference(arch, signal, want, got):
    """None when our row says what readelf's does."""
    sp, fp = NAMES[arch]
    _, kind, flags, cfa, ra, saved, bx = got
    if signal:
        return None if kind == "signal" else "a signal frame"
    if want.get("ra") == "u" and arch == "x86":
        return None if kind == "end" else "the outermost frame"
    match = re.fullmatch(r"(\w+)([+-]\d+)", want["CFA"])
    if not match:
        return None if kind in ("none", "plt", "at_fp", "at_sp") else "a CFA by expression"
    if match.group(1) not in (sp, fp) and arch != "x86":
        return None if kind == "none" else "a CFA by another register"
    frame = want.get(fp, "u")
    if int(match.group(2)) % 8 or abs(int(match.group(2))) > 8 * 32767 or re.match("v?exp|r", frame) or want.get("ra", "u")[0] == "r":
        return None if kind == "none" or frame == "exp" and flags & FP_AT_FP else "no rule"
    if kind == "end" and want.get("ra") is None:
        return None
    if match.group(1) not in (sp, fp) and want.get(sp, "u")[0] == "c":
        return None if kind == "none" else "another stack"
    if (kind, cfa) != ({sp: "sp", fp: "fp"}.get(match.group(1), match.group(1)), int(match.group(2))):
        return "another CFA"
    if want.get("ra", "u").startswith("c") != bool(flags & RA_SAVED):
        return "another place of the return address"
    if flags & RA_SAVED and f"c{ra:+d}" != want["ra"]:
        return "another place of the return address"
    if frame.startswith("c") != bool(flags & FP_SAVED) or flags & FP_SAVED and f"c{saved:+d}" != frame:
        return "another place of the frame pointer"
    if arch == "x86" and rbx_says(want.get("rbx", "u"), flags, bx) is False:
        return "another place of rbx"
    return None


def rbx_says(place, flags, bx):
    if place[0] == "c":
        return flags & (BX_SAVED | BX_AT_FP) == BX_SAVED and f"c{bx:+d}" == place
    if place in ("u", "s"):  # readelf writes "u" for what nothing was said of
        return not flags & (BX_SAVED | BX_AT_FP)
    return bool(flags & BX_LOST or flags & BX_AT_FP)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("file")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go", action="store_true", help="functions of Go's runtime may end the walk")
    parser.add_argument("--arch", default="x86", choices=NAMES)
    args = parser.parse_args()
    random.seed(args.seed)
    ours = our_rows(args.tool, args.file)
    starts = [row[0] for row in ours]
    # A linker's remains of dropped functions start at 0.
    known = [f for f in functions(args.file) if f[2][0]]
    if not known:
        sys.exit(f"{args.file}: readelf shows no functions")
    picked = known if not args.count or args.count > len(known) else random.sample(known, args.count)
    wrong, rows, ruled = [], 0, 0
    for signal, wanted, (start, end) in picked:
        for pc, want in wanted:
            if not start <= pc < end:
                continue
            at = bisect.bisect_right(starts, pc) - 1
            got = ours[at] if at >= 0 else (0, "none", 0, 0, 0, 0, 0)
            why = difference(args.arch, signal, want, got)
            rows += 1
            ruled += got[1] != "none"
            if why and not (args.go and got[1] in ("end", "signal")):
                wrong.append(f"{pc:x}: {got[1:]}, readelf says {why}: {want}")
    print(f"{args.file}: {len(picked)} functions, {rows} rows, {ruled / rows:.2%} with a rule, {len(wrong)} wrong")
    for line in wrong[:10]:
        print("  " + line)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

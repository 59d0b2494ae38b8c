#!/usr/bin/env python3
"""symbols_oracle.py RESOLVE_ADDR FILE [--table FILE]... [--plt] [--lines] [--count N] [--seed N]

Compares what the resolver says of random addresses of FILE with binutils: names with `readelf -Ws`
(of FILE, and of each --table instead when given), PLT entries with `objdump -d`, lines with
`addr2line`. Prints the first differences and exits 1 when there are any.
"""
import argparse
import bisect
import os
import random
import re
import subprocess
import sys


def run(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False).stdout


def read_symbols(path):
    """(start, size, name) of functions with a size, and of everything else that is in code."""
    sized, labels = [], []
    for line in run("readelf", "-Ws", path).splitlines():
        words = line.split()
        if len(words) < 8 or not words[0].endswith(":") or words[6] in ("UND", "ABS", "COM"):
            continue
        if words[3] not in ("FUNC", "IFUNC", "NOTYPE"):
            continue
        start, size, name = int(words[1], 16), int(words[2], 0), words[7].split("@")[0]
        if words[3] != "NOTYPE" and size:
            sized.append((start, size, name))
        else:
            labels.append((start, size, name))
    return sized, labels


def code_ranges(path):
    ranges = []
    for line in run("readelf", "-WS", path).splitlines():
        match = re.match(r"\s*\[\s*\d+\] (\S+)\s+\S+\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) \S+\s+(\S+)", line)
        if match and "X" in match.group(5) and "A" in match.group(5):
            start = int(match.group(2), 16)
            ranges.append((start, start + int(match.group(4), 16), match.group(1)))
    return ranges


def with_debug_file(path):
    """The file, and what Debian's -dbg packages have for it."""
    match = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", path))
    debug = f"/usr/lib/debug/.build-id/{match.group(1)[:2]}/{match.group(1)[2:]}.debug" if match else ""
    return [path, debug] if os.path.exists(debug) else [path]


def ask(tool, path, addresses):
    text = "".join(f"{a:x}\n" for a in addresses)
    lines = run(tool, "-f", path, "-", text=text).splitlines()
    if len(lines) != len(addresses):
        sys.exit(f"asked for {len(addresses)} addresses of {path}, got {len(lines)} answers")
    return [line.split("\t") for line in lines]


class Cover:
    """Which symbols cover an address, by brute force over a sorted list."""

    def __init__(self, symbols):
        self.symbols = sorted(set(symbols))
        self.starts = [s[0] for s in self.symbols]
        self.longest = max((s[1] for s in self.symbols), default=0)

    def at(self, addr):
        names, best = set(), None
        i = bisect.bisect_right(self.starts, addr) - 1
        while i >= 0 and self.starts[i] + self.longest > addr:
            start, size, name = self.symbols[i]
            if best is not None and start != best:
                break
            if addr < start + size:
                best = start
                names.add(name)
            i -= 1
        return names


def check_names(args):
    sized, labels = [], []
    for table in args.tables:
        s, l = read_symbols(table)
        sized += s
        labels += l
    if not sized:
        sys.exit(f"{args.file}: readelf shows no functions")
    cover = Cover(sized)
    label_names = {name for _, _, name in labels}
    ranges = [r for r in code_ranges(args.file) if not r[2].startswith(".plt")]
    inside = lambda a: any(start <= a < end for start, end, _ in ranges)
    picks = [s for s in random.choices(cover.symbols, k=args.count) if inside(s[0])]
    addresses = [start + random.randrange(size) for start, size, _ in picks if inside(start)]
    addresses = [a for a in addresses if inside(a)]
    for start, end, _ in random.choices(ranges, k=args.count // 2):
        addresses.append(random.randrange(start, end))
    wrong = []
    named = 0
    for addr, answer in zip(addresses, ask(args.tool, args.file, addresses)):
        want = cover.at(addr)
        raw = answer[3].split("@")[0]
        named += bool(want)
        if want and raw not in want:
            wrong.append(f"{addr:x}: {raw}, readelf says {sorted(want)}")
        if not want and answer[2] == "known" and raw not in label_names:
            wrong.append(f"{addr:x}: {raw}, readelf has no symbol there")
        if not want and answer[2] not in ("known", "stripped"):
            wrong.append(f"{addr:x}: {answer[2]}")
    print(f"{args.file}: {len(addresses)} addresses, {named} in functions, {len(wrong)} wrong names")
    return wrong


def check_plt(args):
    entries, current = [], None
    for line in run("objdump", "-d", "--section=.plt", "--section=.plt.sec", "--section=.plt.got",
                    args.file).splitlines():
        match = re.match(r"([0-9a-f]+) <(.+)@plt>:$", line)
        if match and not match.group(2).startswith("*ABS*"):
            entries.append((int(match.group(1), 16), match.group(2).split("@")[0]))
    if not entries:
        sys.exit(f"{args.file}: objdump shows no PLT entries")
    wrong = []
    for offset in (0, 4):
        for (addr, name), answer in zip(entries, ask(args.tool, args.file,
                                                     [a + offset for a, _ in entries])):
            if answer[3] != name + "@plt":
                wrong.append(f"{addr + offset:x}: {answer[3]}, objdump says {name}@plt")
    print(f"{args.file}: {len(entries)} PLT entries, {len(wrong)} wrong")
    return wrong


def check_lines(args):
    sized, _ = read_symbols(args.tables[-1])
    sized = [s for s in sized if any(a <= s[0] < b for a, b, n in code_ranges(args.file) if n == ".text")]
    addresses = [s[0] + random.randrange(s[1]) for s in random.choices(sized, k=args.count)]
    oracle = run("addr2line", "-e", args.tables[-1],
                 text="".join(f"{a:x}\n" for a in addresses)).splitlines()
    wrong = []
    known = included = 0
    for addr, answer, want in zip(addresses, ask(args.tool, args.file, addresses), oracle):
        want = want.split(" (discriminator")[0]
        got_file, got_line = answer[6].rsplit(":", 1)
        if want.startswith("??") or want.endswith(":?") or want.endswith(":0"):
            continue
        want_file, want_line = want.rsplit(":", 1)
        known += 1
        # addr2line takes the file of the enclosing function's declaration for included code.
        included += os.path.normpath(got_file) != os.path.normpath(want_file)
        if got_line != want_line:
            wrong.append(f"{addr:x}: {answer[6]}, addr2line says {want}")
    print(f"{args.file}: {known} lines, {len(wrong)} wrong")
    if not known:
        wrong.append("addr2line knows no line")
    # The two read rows at one address in different order now and then.
    return wrong if len(wrong) * 50 > known or included * 10 > known else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("file")
    parser.add_argument("--table", action="append")
    parser.add_argument("--plt", action="store_true")
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random.seed(args.seed)
    args.tables = args.table or with_debug_file(args.file)
    wrong = check_names(args)
    if args.plt:
        wrong += check_plt(args)
    if args.lines:
        wrong += check_lines(args)
    for line in wrong[:20]:
        print("  " + line)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

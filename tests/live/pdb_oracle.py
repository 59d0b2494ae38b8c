#!/usr/bin/env python3
"""pdb_oracle.py PDB_LOOKUP SYMBOLIZER READOBJ IMAGE PDB [--count N] [--seed N] [--inlines] [--show N]

Compares what a PDB says of random addresses in IMAGE's code with llvm-symbolizer, which finds the PDB beside the image:
names and lines, and with --inlines the chain of inlined calls. Differences are counted by cause (docs/pdb.md); those
without a known cause are shown, and more of them than one in a hundred fail.
"""
import argparse
import collections
import json
import random
import re
import subprocess
import sys


def run(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False,
                          errors="replace").stdout


def code(readobj, image):
    """(start, end) of the sections that hold code."""
    found = []
    for part in run(readobj, "--sections", image).split("  Section {")[1:]:
        value = lambda name: int(re.search(name + r": (0x[0-9A-F]+|\d+)", part).group(1), 0)
        if "IMAGE_SCN_CNT_CODE" in part:
            found.append((value("VirtualAddress"), value("VirtualAddress") + value("VirtualSize")))
    return found


def section_starts(readobj, image):
    return [int(v, 16) for v in re.findall(r"VirtualAddress: (0x[0-9A-F]+)", run(readobj, "--sections", image))]


def ours(tool, pdb, addresses):
    text = "".join(f"{a:x}\n" for a in addresses)
    lines = run(tool, pdb, "-", text=text).splitlines()
    if len(lines) != len(addresses):
        sys.exit(f"asked for {len(addresses)} addresses of {pdb}, got {len(lines)} answers")
    return [line.split("\t") for line in lines]


def ask_symbolizer(tool, image, addresses):
    """(name, file:line) per address; None where it crashes."""
    text = "".join(f"0x{a:x}\n" for a in addresses)
    out = run(tool, "--relative-address", "--functions=short", "--no-inlines", "--output-style=JSON", f"--obj={image}",
              text=text)
    found = [answer(line) for line in out.splitlines() if line.startswith("{")]
    if len(found) < len(addresses):
        rest = addresses[len(found) + 1:]
        return found + [None] + (ask_symbolizer(tool, image, rest) if rest else [])
    return found


def answer(line):
    frame = (json.loads(line).get("Symbol") or [{}])[0]
    return frame.get("FunctionName") or "??", f"{frame.get('FileName') or '??'}:{frame.get('Line', 0)}"


def bare(name):
    """A name without what the two tools spell differently: spaces, return types and parameters of decorated ones."""
    name = name.split("(", 1)[0] if not name.startswith(("(", "operator(", "`")) else name
    return name.replace(" ", "").lstrip("_")


def compare_plain(args, addresses):
    tally, shown = collections.Counter(), []
    theirs = ask_symbolizer(args.symbolizer, args.image, addresses)
    for addr, mine, their in zip(addresses, ours(args.tool, args.pdb, addresses), theirs):
        if their is None:
            tally["llvm-symbolizer crashed"] += 1
            continue
        name, line = their
        names = {bare(mine[0]), bare(mine[1])}
        if bare(name) in names or (name == "??" and mine[0] == "-"):
            tally["name equal"] += 1
        elif name == "??":
            tally["name: llvm-symbolizer has none"] += 1
        elif mine[0] == "-":
            tally["name: only llvm-symbolizer has one"] += 1
            shown.append(f"{addr:x}: no name, llvm-symbolizer: {name}")
        else:
            tally["name: another"] += 1
            shown.append(f"{addr:x}: {mine[0]} / {mine[1]}, llvm-symbolizer: {name}")
        known = not line.startswith("??") and not line.endswith(":0")
        if line == mine[4] or (not known and mine[4] == "-:0"):
            tally["line equal"] += 1
        elif not known:
            tally["line: llvm-symbolizer has none"] += 1
        elif line.rsplit(":", 1)[1] in ("15732480", "16707566"):
            tally["line: one that stands for none (0xf00f00, 0xfeefee)"] += 1
        else:
            tally["line: another"] += 1
            shown.append(f"{addr:x}: {mine[4]}, llvm-symbolizer: {line}")
    return tally, shown


class Site:
    """An inlined call in a dump: whose it is, and (start, end, line offset) of its code in the procedure."""

    def __init__(self, depth, name):
        self.depth, self.name, self.ranges = depth, name, []


def dumped_procs(pdbutil, pdb):
    """(section, offset, size, sites) of the procedures in `llvm-pdbutil dump -symbols`."""
    procs, depth, kind = [], 0, ""
    for line in run(pdbutil, "dump", "-symbols", pdb).splitlines():
        if match := re.match(r"\s+\d+ \| (S_\w+) ", line):
            kind = match.group(1)
            if kind == "S_INLINESITE_END":
                depth -= 1
        elif kind in ("S_GPROC32", "S_LPROC32") and (match := re.search(
                r"addr = (\d+):(\d+), code size = (\d+)", line)):
            procs.append((*(int(g) for g in match.groups()), []))
            depth = 0
        elif kind == "S_INLINESITE" and (match := re.search(r"inlinee = (\S+)(?: \((.*)\))?, parent", line)):
            procs[-1][3].append(Site(depth, match.group(2)))
            depth += 1
        elif kind == "S_INLINESITE":
            read_annotation(procs[-1][3][-1], line)
    return procs


def read_annotation(site, text):
    """One line of annotations: where code begins, and where it ends when that is said."""
    for word, value in re.findall(r"(code end|code) 0x([0-9A-F]+)", text):
        if word == "code end":
            site.ranges[-1][1] = int(value, 16)
        else:
            if site.ranges and site.ranges[-1][1] is None:
                site.ranges[-1][1] = int(value, 16)
            site.ranges.append([int(value, 16), None])


def chain_at(sites, offset):
    """Names of the calls that cover an offset, outermost first."""
    names, depth = [], 0
    for site in sites:
        if site.depth < depth:
            break
        if site.depth == depth and any(a <= offset < (b if b is not None else 1 << 32) for a, b in site.ranges):
            names.append(site.name)
            depth += 1
    return names


def alike(name, dumped):
    """A dump has the last part of a name, cut off after 32 characters; none for functions of other modules."""
    if dumped is None or dumped in ("{ctor}", "{dtor}"):
        return True
    return dumped[:-3] in name if dumped.endswith("...") else name.endswith(dumped)


def compare_inlines(args):
    """Against the annotations that llvm-pdbutil decodes: llvm-symbolizer crashes on many, and takes lengths for those
    of the range before."""
    tally, shown = collections.Counter(), []
    folded = collections.Counter()
    every = dumped_procs(args.symbolizer.replace("symbolizer", "pdbutil"), args.pdb)
    procs = [p for p in every if p[3] and p[2]]
    starts = section_starts(args.readobj, args.image)
    folded.update(starts[p[0] - 1] + p[1] for p in every if p[0] <= len(starts))
    asked = []
    for section, offset, size, sites in random.choices(procs, k=args.count):
        at = random.randrange(size)
        asked.append((starts[section - 1] + offset + at, at, sites))
    for (addr, at, sites), mine in zip(asked, ours(args.tool, args.pdb, [a[0] for a in asked])):
        chain = [word.rsplit("@", 1)[0] for word in mine[5:]]
        want = chain_at(sites, at)
        same = len(chain) == len(want) and all(alike(c, w) for c, w in zip(chain, want))
        if same:
            tally["inlines equal, " + ("some" if chain else "none")] += 1
        elif folded[addr - at] > 1:
            tally["inlines: of another of the functions folded there"] += 1
        else:
            tally["inlines: another chain"] += 1
            shown.append(f"{addr:x}: {mine[0]} {chain}, llvm-pdbutil: {want}")
    return tally, shown


def main():
    parser = argparse.ArgumentParser()
    for name in ("tool", "symbolizer", "readobj", "image", "pdb"):
        parser.add_argument(name)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inlines", action="store_true")
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    random.seed(args.seed)
    ranges = code(args.readobj, args.image)
    weights = [end - start for start, end in ranges]
    addresses = [random.randrange(*r) for r in random.choices(ranges, weights, k=args.count)]
    tally, shown = compare_inlines(args) if args.inlines else compare_plain(args, addresses)
    print(f"{args.image}: {args.count} addresses: " + ", ".join(f"{n} {what}" for what, n in tally.most_common()))
    for line in shown[:args.show]:
        print("  " + line)
    sys.exit(len(shown) * 100 > args.count or not any("equal" in what for what in tally))


if __name__ == "__main__":
    main()

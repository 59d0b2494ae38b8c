#!/usr/bin/env python3
"""What exports of a recording say, against what its report and stock perf say of it.

export_text_oracle.py folded FOLDED REPORT.json EVENT   each function's total is the report's
export_text_oracle.py flame SVG FOLDED                  boxes lie in their callers' and are as wide as their shares
export_text_oracle.py callgrind ANNOTATED FOLDED        callgrind_annotate's figures (--inclusive=yes) are those of the stacks
export_text_oracle.py script OURS PERFS                 the same samples and frames as perf script's
"""
import collections
import json
import re
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
SPAN, LEAST, ROW = 1180, 0.1, 17


def fail(text):
    sys.exit("export_text_oracle: " + text)


def read_folded(path):
    stacks = []
    for line in open(path, encoding="utf-8", errors="replace"):
        text, weight = line.rstrip("\n").rsplit(" ", 1)
        stacks.append((text.split(";"), int(weight)))
    if not stacks:
        fail(f"{path} has no stacks")
    return stacks


def bare(name):
    return re.sub(r"_\[[kij]\]$", "", name)


def totals_of(stacks):
    totals = {}
    for names, weight in stacks:
        for name in {bare(name) for name in names[1:]}:
            totals[name] = totals.get(name, 0) + weight
    return totals


def check_folded(folded, report, event):
    stacks = read_folded(folded)
    whole = sum(weight for _, weight in stacks)
    totals = totals_of(stacks)
    sampling = json.load(open(report))["sampling"]
    rows = next(e for e in sampling["events"] if e["type"] == event)["functions"]
    names = {}
    for row in rows:
        name = row["symbol"]
        if not re.search(r" \(.*:\d+\)$", name):
            name = re.sub(r"(:[^:()]+)?( \(inlined\))?$", "", name)
        names.setdefault(name, []).append(row["total"])
    compared = 0
    for name, shares in names.items():
        if name == "unknown" or len(shares) > 1:
            continue  # of several files
        got = 100 * totals.get(name, 0) / whole
        if abs(got - shares[0]) > 0.01:
            fail(f"{name}: {got:.4f} % of the stacks, {shares[0]} % in the report")
        compared += 1
    if compared < 20 or not any(name.startswith("fib (py_mixed.py:") for name in names):
        fail(f"only {compared} functions to compare")


def check_flame(svg, folded):
    stacks = read_folded(folded)
    whole = sum(weight for _, weight in stacks)
    nodes = {}
    for names, weight in stacks:
        for depth in range(len(names) + 1):
            path = tuple(names[:depth])
            nodes[path] = nodes.get(path, 0) + weight
    drawn = sum(int(weight * SPAN * 100 // whole) >= 10 for weight in nodes.values())
    boxes = []
    for g in xml.parse(svg).getroot().find(f"{SVG}g[@id='f']"):
        rect = g.find(f"{SVG}rect")
        title = g.find(f"{SVG}title").text.split("\n")
        boxes.append((int(rect.get("y")), float(rect.get("x")), float(rect.get("width")), title))
    if len(boxes) != drawn:
        fail(f"{len(boxes)} boxes, want {drawn}")
    rows = {}
    for y, x, width, _ in boxes:
        rows.setdefault(y, []).append((x, x + width))
    top = min(rows)
    for y, x, width, title in boxes:
        share = float(re.search(r", ([0-9.]+) %", title[1]).group(1))
        if abs(100 * width / SPAN - share) > 0.06:
            fail(f"{title[0]}: {width} wide, says {share} %")
        if y > top and not any(a - 0.02 <= x and x + width <= b + 0.02 for a, b in rows[y - ROW]):
            fail(f"{title[0]} lies below nothing")


def check_callgrind(annotated, folded):
    """Functions that are on no stack twice; of recursive ones callgrind's readers think differently."""
    stacks = read_folded(folded)
    totals = totals_of(stacks)
    twice = {name for names, _ in stacks for name, n in collections.Counter(map(bare, names[1:])).items() if n > 1}
    # callgrind_annotate's figure of a function is the sum of the calls to it, which lacks what runs in stacks that begin with it.
    begins = {bare(names[1]) for names, _ in stacks if len(names) > 1}
    whole = None
    figures = {}
    for line in open(annotated, encoding="utf-8", errors="replace"):
        if line.startswith("WARNING"):
            fail("callgrind_annotate: " + line.strip())
        match = re.match(r" *([0-9,]+) \( *[0-9.]+%\).*?  (\S.*)$", line)
        if not match:
            continue
        weight = int(match.group(1).replace(",", ""))
        if match.group(2) == "PROGRAM TOTALS":
            whole = weight
            continue
        name = re.sub(r" \[[^]]*\]+$", "", match.group(2)).split(":", 1)[-1]
        figures.setdefault(name, []).append(weight)
    if whole != sum(weight for _, weight in stacks):
        fail(f"{whole} in all, the stacks have {sum(weight for _, weight in stacks)}")
    compared = 0
    for name, weights in figures.items():
        if len(weights) == 1 and name in totals and name not in twice | begins:
            if weights[0] != totals[name]:
                fail(f"{name}: {weights[0]}, the stacks have {totals[name]}")
            compared += 1
    if compared < 10 or not any(name.startswith("drive (py_mixed.py:") for name in figures):
        fail(f"only {compared} functions to compare")


def read_script(path):
    samples = []
    for block in open(path, encoding="utf-8", errors="replace").read().split("\n\n"):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            samples.append((" ".join(lines[0].split()), [l for l in lines[1:] if not l.endswith("(inlined)")]))
    return samples


def parts_of(line):
    match = re.match(r"\s*([0-9a-f]+) (.*?)(?:\+0x([0-9a-f]+))? \((.*)\)$", line)
    if not match:
        fail(f"no frame: {line!r}")
    return match.group(1), match.group(2), match.group(3), match.group(4).replace(".kallsyms]", "]")


def same_frame(ours, perfs):
    """Several names may stand for an address, one may know no name, and ours knows more (PLT). Perf 5.19 to 6.10 prints the
    linked address, as we do, others that of the process: within a page both are the same."""
    a, b = parts_of(ours), parts_of(perfs)
    if a[3] != b[3] or a[0] != b[0] and a[0][-3:] != b[0][-3:]:
        return False
    return a[1] == b[1] or a[2] == b[2] or "[unknown]" in (a[1], b[1])


def check_script(ours_path, perfs_path):
    ours, perfs = read_script(ours_path), read_script(perfs_path)
    if [head for head, _ in ours] != [head for head, _ in perfs]:
        pair = next((p for p in zip(ours, perfs) if p[0][0] != p[1][0]), None)
        fail(f"{len(ours)} samples, perf has {len(perfs)}; the first that differ: {pair and (pair[0][0], pair[1][0])}")
    n = wrong = named = discarded = 0
    for (head, a), (_, b) in zip(ours, perfs):
        if a and not b:  # once in a few thousand samples perf shows nothing of a chain
            discarded += 1
            continue
        if len(a) != len(b):
            fail(f"{head} {len(a)} frames, perf has {len(b)}")
        for x, y in zip(a, b):
            n += 1
            named += parts_of(x)[1] == parts_of(y)[1]
            if not same_frame(x, y):
                wrong += 1
                print(f"  {x.strip()}   perf: {y.strip()}")
    print(f"  {len(ours)} samples, {n} frames, {named} of the same name, {wrong} differ, {discarded} without frames of perf's")
    if n < 100 or discarded > len(ours) // 100 or wrong > n // 100 or named < n * 9 // 10:
        fail("too many differ")


if __name__ == "__main__":
    {"folded": check_folded, "flame": check_flame, "callgrind": check_callgrind, "script": check_script}[sys.argv[1]](*sys.argv[2:])

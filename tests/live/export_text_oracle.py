#!/usr/bin/env python3
"""What exports of a recording say, against what its report and stock perf say of it.

export_text_oracle.py folded FOLDED REPORT.json EVENT   each function's total is the report's
export_text_oracle.py flame SVG FOLDED [cut]            boxes lie in their callers' and are as wide as their shares; cut: stacks of
                                                        Python programs begin with their <module>
export_text_oracle.py frames KEPT FOLDED KIND           KEPT (--frames KIND) are the stacks without the frames of another kind
export_text_oracle.py lines LINES FOLDED                LINES (--lines) are the same stacks, with other lines in the names
export_text_oracle.py callgrind ANNOTATED FOLDED        callgrind_annotate's figures (--inclusive=yes) are those of the stacks
export_text_oracle.py script OURS PERFS                 the same samples and frames as perf script's
"""
import collections
import json
import re
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
SPAN, LEAST, LONE, ROW = 1180, 1000, 200, 17
START = {"Py_BytesMain", "Py_Main", "Py_RunMain", "pymain_main", "_Py_UnixMain", "pymain_run_python"}
LOADERS = r" \(<frozen (runpy|importlib\.|zipimport)| \(runpy\.py:"
PYTHON = r" \([^()]*:[0-9]+\)$"


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


def base(name):
    """With the base name of its file, as reports have it."""
    return re.sub(r" \((?:[^()]*/)?([^()/]*:[0-9]+)\)$", r" (\1)", name)


def totals_of(stacks):
    totals = {}
    for names, weight in stacks:
        for name in {bare(name) for name in names[1:]}:
            totals[name] = totals.get(name, 0) + weight
    return totals


def check_folded(folded, report, event):
    stacks = read_folded(folded)
    whole = sum(weight for _, weight in stacks)
    totals = totals_of([([base(bare(name)) for name in names], weight) for names, weight in stacks])
    sampling = json.load(open(report))["sampling"]
    rows = next(e for e in sampling["events"] if e["type"] == event)["functions"]
    names = {}
    for row in rows:
        name = row["symbol"]
        if not re.search(r" \(.*:\d+\)$", name):
            name = re.sub(r"(:[^:()]+)?( \(inlined\))?$", "", name)
        names.setdefault(base(name), []).append(row["total"])
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


def cut_start(names):
    """Without what is outside of the outermost <module>, where that is an interpreter's way to it."""
    for at, name in enumerate(names[1:], 1):
        if name.startswith("<module> ("):
            native = [bare(n).split(".")[0] for n in names[1:at] if not re.search(PYTHON, n)]
            return names[:1] + names[at:] if not native or START & set(native) else names
        if re.search(PYTHON, name) and not re.search(LOADERS, name):
            return names
    return names


def check_flame(svg, folded, cut=None):
    stacks = read_folded(folded)
    if cut:
        stacks = [(cut_start(names), weight) for names, weight in stacks]
        if not any(names[1:2] and names[1].startswith("<module> (py_mixed.py:") for names, _ in stacks):
            fail("no stack begins with the program's <module>")
    whole = sum(weight for _, weight in stacks)
    nodes = {}
    for names, weight in stacks:
        for depth in range(len(names) + 1):
            path = tuple(names[:depth])
            nodes[path] = nodes.get(path, 0) + weight
    samples = int(re.search(r" in ([0-9]+) samples", open(svg, encoding="utf-8").read()).group(1))
    one = whole / samples  # of a clock all samples weigh the same
    drawn = sum(weight * LEAST >= whole and (samples < LONE or weight > 1.5 * one) for weight in nodes.values())
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


def check_frames(kept, folded, kind):
    """Stacks that have become the same are one."""
    want, got = collections.Counter(), collections.Counter()
    for names, weight in read_folded(folded):
        names = cut_start(names) if kind == "python" else names
        want[";".join(names[:1] + [n for n in names[1:] if bool(re.search(PYTHON, n)) == (kind == "python")])] += weight
    for names, weight in read_folded(kept):
        got[";".join(names)] += weight
    if want != got:
        fail(f"{kind}: " + str(next((n, want[n], got[n]) for n in want | got if want[n] != got[n])))


def check_lines(lines, folded):
    def without(names):
        return ";".join(re.sub(r" \([^()]*:[0-9]+\)(_\[[kij]\])?$", r"\1", name) for name in names)

    want, got, names_of = collections.Counter(), collections.Counter(), set()
    for names, weight in read_folded(folded):
        want[without(names)] += weight
    for names, weight in read_folded(lines):
        got[without(names)] += weight
        names_of |= set(names)
    if want != got:
        fail("lines: " + str(next((n, want[n], got[n]) for n in want | got if want[n] != got[n])))
    if len([name for name in names_of if name.startswith("fib (py_mixed.py:")]) < 1:
        fail("no line of fib")


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
    {"folded": check_folded, "flame": check_flame, "frames": check_frames, "lines": check_lines, "callgrind": check_callgrind, "script": check_script}[sys.argv[1]](*sys.argv[2:])

#!/usr/bin/env python3
"""top_check.py WHAT FILE...: what `wperf top` has printed of tests/workloads/py_phases.py.
phases FILE: JSON; the tables follow the program from first() to second(), and each sample counts once
text FILE: text; no escape sequences, intervals are apart, and the last line has the sum of their samples
screen FILE COLUMNS LINES: of a terminal; each interval replaces the one before and fits"""
import json
import re
import sys


def require(condition, *words):
    if not condition:
        sys.exit("  " + " ".join(map(str, words)))


def share(document, name):
    rows = document["sampling"]["events"][0]["python_functions"]
    return sum(row["total"] for row in rows if row["function"] == name)


def check_phases(path):
    with open(path, encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    shares = [(share(d, "first"), share(d, "second"), d["top"]["samples"]) for d in documents]
    shares = [row for row in shares if row[0] or row[1]]
    require(len(shares) >= 6, "intervals with samples:", shares)
    phase = 0  # 0: first alone, 1: both, of one interval, 2: second alone
    seen = set()
    for first, second, samples in shares:
        now = 0 if not second else 2 if not first else 1
        require(now >= phase and (now != 1 or phase == 0), "first, second:", shares)
        phase = 2 if now == 1 else now
        seen.add(now)
        require(now == 1 or samples < 10 or max(first, second) > 70, "a phase is nearly all of an interval:", shares)
    require({0, 2} <= seen, "both phases:", shares)
    total = 0
    for number, document in enumerate(documents, 1):
        top, event = document["top"], document["sampling"]["events"][0]
        require(top["interval"] == number, "intervals are numbered:", top)
        require(top["last"] == (number == len(documents)), "the last one says so:", top)
        for table in ("samples", "threads"):
            counted = sum(row["count"] for row in event[table])
            require(counted == top["samples"], table, "has all samples:", counted, top)
        total += top["samples"]
        require(top["all_samples"] == total, "the sum so far is", total, top)
    spans = sum(document["top"]["seconds"] for document in documents)
    require(abs(spans - documents[-1]["top"]["ended"]) < 0.001, "intervals follow one another:", spans)
    names = {row["thread"] for d in documents for row in d["sampling"]["events"][0]["threads"]}
    require("MainThread" in names, "threads have their names:", names)
    held = [row["gil_held"] for d in documents for row in d["sampling"]["events"][0]["threads"] if row["python"] > 5]
    require(all(share is None or share > 90 for share in held) and held, "who computes has the GIL:", held)


def check_text(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    require("\x1b" not in text, "an escape sequence:", repr(text[max(0, text.find("\x1b") - 20):][:40]))
    heads = re.findall(r"^(\n?)\d\d:\d\d:\d\d  process .*: (\d+) samples? in [\d.]+ s, \d+ lost$", text, re.M)
    require(len(heads) >= 2 and all(gap for gap, _ in heads[1:]), "intervals with an empty line between:", heads)
    end = re.search(r"^(\d+) samples? in [\d.]+ s, (\d+) intervals?, \d+ lost\n\Z", text, re.M)
    require(end, "the last line:", text[-200:])
    require(int(end.group(2)) == len(heads) and int(end.group(1)) == sum(int(n) for _, n in heads), heads, end.group())


def check_screen(path, columns, lines):
    with open(path, encoding="utf-8", newline="") as file:
        screens = file.read().split("\x1b[H\x1b[2J")
    require(len(screens) == 4, "three screens:", len(screens) - 1)
    last, _, end = screens[3].rpartition("\n\n")
    require(re.match(r"process \d+ |\d+ samples? in ", end), "the sums below the last one:", repr(end))
    for screen in screens[1:3] + [last]:
        rows = re.sub(r"\x1b\[[0-9;?]*m", "", screen).rstrip("\n").split("\n")
        require(re.match(r"\d\d:\d\d:\d\d  ", rows[0]), "the head:", rows[0])
        require(len(rows) <= int(lines) - 1, "rows:", len(rows))
        wide = [row for row in rows if len(row) > int(columns) and not re.match(r"python: |note: ", row)]
        require(not wide, "too wide:", wide)
    require("your code" in screens[1] and "first" in screens[1], "what is hot:", screens[1])


checks = {"phases": check_phases, "text": check_text, "screen": check_screen}
checks[sys.argv[1]](*sys.argv[2:])

#!/usr/bin/env python3
"""guest_spe_check.py OUT WHAT NAME: what wperf made in the guest of Arm SPE by software (tests/guest/spe).

same       the report of the recording says what the live run said
functions  as many samples in loads() as in stores(), and few elsewhere (the shell, the program's start)
addresses  wperf script's lines: loads of loads() touch its area, stores of stores() theirs; latencies and sources are the module's
agreed     accesses to numbers that one Python function has are of that function, of another one never
exact      loads of code units: of these functions' lines and opcodes, as many of one as of the other
counted N  the live run warns of N
"""
import json
import re
import sys

out, what, name = sys.argv[1:4]


def rows(kind):
    events = json.load(open("%s/%s.%s" % (out, name, kind)))["sampling"]["events"]
    return {(event["type"], row["symbol"]): row["count"] for event in events for row in event["samples"]}


def same():
    live, later = rows("json"), rows("report")
    different = {key: (live.get(key), later.get(key)) for key in live.keys() | later.keys() if live.get(key) != later.get(key)}
    print("  %d samples in %d rows, %d rows different" % (sum(live.values()), len(live), len(different)))
    for key, counts in list(different.items())[:6]:
        print("  %s: live %s, report %s" % (key, *counts))
    return sum(live.values()) > 100 and not different


def functions():
    found = rows("json")
    total = sum(found.values())
    loads, stores = (sum(n for (_, symbol), n in found.items() if symbol.split(":")[0] == want) for want in ("loads", "stores"))
    print("  %d samples: %d in loads(), %d in stores()" % (total, loads, stores))
    return loads + stores > 0.6 * total > 200 and abs(loads / (loads + stores) - 0.5) < 0.08


def addresses():
    areas = {words[0]: (int(words[1], 16), int(words[2], 16)) for words in map(str.split, open("%s/%s.areas" % (out, name)))}
    text = open("%s/%s.lines" % (out, name)).read()
    n, wrong = {"loads": 0, "stores": 0}, []
    for address, kind, weight, function in re.findall(r"([0-9a-f]+) +[0-9a-f]+ \|OP (\w+)\|.*?(\d+)\n\t *(\w+)", text):
        if function not in n:
            continue
        start, end = areas[function]
        n[function] += 1
        if not start <= int(address, 16) < end or kind != function[:-1].upper() or not 5 <= int(weight) < 105:
            wrong.append((function, address, kind, weight))
    print("  %s accesses, %d wrong" % (n, len(wrong)), *wrong[:3])
    return min(n.values()) > 100 and not wrong


def operations(kind):
    memory = json.load(open("%s/%s.%s" % (out, name, kind)))["memory"]
    print("  Python lines:", memory.get("python_operations"))
    return memory["python_operations"], [row for group in memory["groups"] for row in group.get("rows", [])]


def agreed():
    owners = {int(words[1], 16): words[0] for words in map(str.split, open("%s/%s.areas" % (out, name)))}
    right, wrong, between = 0, [], 0
    for row in operations("pages")[1]:
        want = row["data-page"].startswith("0x") and owners.get(int(row["data-page"], 16))
        function = row["python-function"].split()[0]
        if not want:
            continue
        if function == want:
            right += row["count"]
        elif function not in ("first", "second"): # also where the numbers were made and listed
            between += row["count"]
        else:
            wrong.append((want, row["python-function"], row["count"]))
    print("  %d accesses right, %d elsewhere or between, wrong:" % (right, between), wrong)
    return right > 20 and not wrong


def exact():
    counts, rows = operations("opcodes")
    found, opcodes = {}, {}
    for row in rows:
        if row["opcode"] != "-":
            function = row["python-function"].split()[0]
            found[function] = found.get(function, 0) + row["count"]
            opcodes[row["opcode"]] = opcodes.get(row["opcode"], 0) + row["count"]
    print("  exact:", found, opcodes)
    both = found.get("first", 0) + found.get("second", 0)
    return both > 50 and both > 0.9 * counts["exact"] and abs(found["first"] / both - 0.5) < 0.2


def counted():
    text = open("%s/%s.err" % (out, name)).read()
    found = [re.search(pattern, text) for pattern in (r"full (\d+) times", r"left operations out in (\d+) pieces")]
    print("  full %s times, collisions %s" % tuple(match and match[1] for match in found))
    return all(match and int(match[1]) > 0 for match in found)


sys.exit(0 if globals()[what]() else 1)

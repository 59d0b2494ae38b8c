#!/usr/bin/env python3
"""guest_spe_check.py OUT WHAT NAME: what wperf made in the guest of Arm SPE by software (tests/guest/spe).

same       the report of the recording says what the live run said
functions  half of the samples in loads(), half in stores(), and nearly nothing elsewhere
addresses  wperf script's lines: loads of loads() touch its area, stores of stores() theirs; latencies and sources are the module's
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
    shares = {want: sum(n for (_, symbol), n in found.items() if symbol == want) / total for want in ("loads", "stores")}
    print("  %d samples: %s" % (total, shares))
    return total > 200 and all(abs(share - 0.5) < 0.06 for share in shares.values())


def addresses():
    areas = {words[0]: (int(words[1], 16), int(words[2], 16)) for words in map(str.split, open("%s/%s.areas" % (out, name)))}
    n, wrong = {"loads": 0, "stores": 0}, []
    for line in open("%s/%s.lines" % (out, name)):
        match = re.match(r"\s*([0-9a-f]+)\s+(\d+)\s+([0-9a-f]+)\s+\|OP (\w+)\|?.*?([0-9a-f]+) (\w+)", line)
        if not match or match[6] not in n:
            continue
        start, end = areas[match[6]]
        n[match[6]] += 1
        if not start <= int(match[1], 16) < end or match[4] != match[6][:-1].upper() or not 5 <= int(match[2]) < 105:
            wrong.append(line)
    print("  %s accesses, %d wrong" % (n, len(wrong)), *wrong[:3])
    return min(n.values()) > 100 and not wrong


def counted():
    text = open("%s/%s.err" % (out, name)).read()
    found = [re.search(pattern, text) for pattern in (r"full (\d+) times", r"left operations out in (\d+) pieces")]
    print("  full %s times, collisions %s" % tuple(match and match[1] for match in found))
    return all(match and int(match[1]) > 0 for match in found)


sys.exit(0 if globals()[what]() else 1)

#!/usr/bin/env python3
"""spe_oracle.py OURS THEIRS: lines of packets of spe_dump and of `perf report -D` are the same, but for words that perf 6.1 lacks.

Prints how many lines are equal, and how many differ by which cause; ends with 1 when any differs without one.
"""
import collections
import re
import sys

# Words for what newer cores say, of packets that older perfs show without them.
NEW_EVENTS = "TXN L2D-ACCESS L2D-MISS HITM LFB SNOOPED STREAMING-SVE SMCU".split()
LINE = re.compile(r"\.  ([0-9a-f]{8}): ((?: [0-9a-f]{2})+) +(.*?) *$")


def lines(path):
    """Of each stream: [(offset, bytes, words)]."""
    return [match.groups() for match in map(LINE.match, open(path)) if match]


def older(words):
    """Our words as a perf without the newer ones says them, and why they differ."""
    kind = words.split(" ")[0]
    if kind == "EV":
        return " ".join(word for word in words.split(" ") if word not in NEW_EVENTS), "newer events"
    if kind == "SME-OTHER":
        return "OTHER INSN-OTHER", "SME operations"
    if kind == "OTHER":
        return re.sub(" ASE| FP", "", words), "SIMD and FP of other operations"
    if kind in ("LD", "ST"):
        return re.sub(" MTE-TAG| MEMCPY| MEMSET| GCS| COMM", "", words), "loads and stores of MTE, MOPS, GCS"
    if kind == "B":
        words = re.sub(" GCS| CR-[A-Z-]*", "", words)
        return words, "calls, returns and GCS of branches"
    if kind == "PBT":
        return None, "previous branch target"
    return words, ""


def differs(ours, theirs):
    """None: equal; a cause; or "" for none."""
    if ours == theirs:
        return None
    if ours[:2] == theirs[:2]:
        words, cause = older(ours[2])
        if words is None and theirs[2].startswith("ADDR ") and theirs[2].endswith("(4)") or words == theirs[2]:
            return cause
    return ""


def main():
    ours, theirs = lines(sys.argv[1]), lines(sys.argv[2])
    causes = collections.Counter(differs(*pair) for pair in zip(ours, theirs))
    print("%d packets are equal" % causes.pop(None, 0))
    wrong = causes.pop("", 0)
    for cause, n in sorted(causes.items()):
        print("%d differ: %s" % (n, cause))
    if wrong or len(ours) != len(theirs):
        print("%d differ without a cause; %d lines and %d" % (wrong, len(ours), len(theirs)))
        for pair in [pair for pair in zip(ours, theirs) if differs(*pair) == ""][:10]:
            print("  ours %s\n  perf %s" % pair)
        sys.exit(1)


main()

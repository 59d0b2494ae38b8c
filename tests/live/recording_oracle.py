#!/usr/bin/env python3
"""Compares the stacks of unwind_recording with those of `perf script`, sample by sample.

recording_oracle.py OURS PERF ENOUGH [EXAMPLES]: OURS is what unwind_recording printed, PERF what
`perf script --no-inline --no-demangle --ns -F pid,tid,time,ip,sym` did, of the same file. Judged are the stacks that perf
followed to the outermost function; equal means the same number of frames at the same addresses. perf gives callers' addresses
less 1, and, by version, as offsets in the file. Exit status 1 below 99 %, and when fewer than ENOUGH can be judged.
"""
import collections
import re
import sys

OUTERMOST = re.compile(r"_*(start|libc_start_(call_)?main|clone3?|start_thread)(_impl)?(\.\w+)?(@.*)?$")
HEAD = re.compile(r"\s*(\d+)/(\d+)\s+(\d+)\.(\d{9}):\s*$")


def read_ours(path):
    stacks = {}
    for line in open(path, errors="replace"):
        words = line.rstrip("\n").split(" ", 5)
        if words[0] == "sample":
            key = int(words[2]), int(words[3])
            stacks[key] = stack = (words[-1].split(" ")[-1], [])
        else:
            stack[1].append((int(words[0], 16), int(words[1], 16), line.rstrip("\n").split(" ", 2)[2]))
    return stacks


def read_perf(path):
    stacks, stack = {}, None
    for line in open(path, errors="replace"):
        head = HEAD.match(line)
        if head:
            stack = stacks[int(head[2]), int(head[3]) * 10**9 + int(head[4])] = []
        elif line.strip():
            ip, name = line.strip().split(" ", 1)
            stack.append((int(ip, 16), name))
    return stacks


def is_complete(frames):
    return bool(frames) and OUTERMOST.match(frames[-1][1]) is not None


def same_place(ours, perf):
    return perf[0] in (ours[0], ours[0] - 1, ours[1], ours[1] - 1)


def without_version(name):
    return "-" if name == "[unknown]" else name.split("@")[0]


def why(ours, end, perf):
    """How two stacks differ."""
    at = next((i for i, (a, b) in enumerate(zip(ours, perf)) if not same_place(a, b)), None)
    if at is None:
        return ("ours is longer" if len(ours) > len(perf) else "ours is shorter: " + end), min(len(ours), len(perf))
    return "another caller of " + (ours[at - 1][2] if at else "-"), at


def main():
    ours, perf = read_ours(sys.argv[1]), read_perf(sys.argv[2])
    examples = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    judged = equal = longer = names = frames = missing = 0
    causes = collections.Counter()
    for key, theirs in perf.items():
        if not is_complete(theirs):
            continue
        judged += 1
        if key not in ours:
            missing += 1
            continue
        end, mine = ours[key]
        if len(mine) == len(theirs) and all(map(same_place, mine, theirs)):
            equal += 1
            frames += len(mine)
            names += sum(without_version(a[2]) == without_version(b[1]) for a, b in zip(mine, theirs))
            continue
        cause, at = why(mine, end, theirs)
        longer += cause == "ours is longer"
        causes[cause] += 1
        if examples:
            examples -= 1
            print("  differs at frame %d, %s" % (at, cause))
            for a, b in list(zip(mine + [None] * len(theirs), theirs + [None] * len(mine)))[max(0, at - 2):at + 3]:
                print("    %-50s | %s" % (a and "%x %x %s" % a, b and "%x %s" % b))
    n, ours_n = len(perf), len(ours)
    perf_complete = sum(map(is_complete, perf.values()))
    ours_complete = sum(end == "complete" for end, _ in ours.values())
    print("  samples: perf %d, ours %d; complete: perf %.1f %%, ours %.1f %%" % (
        n, ours_n, 100 * perf_complete / max(n, 1), 100 * ours_complete / max(ours_n, 1)))
    print("  where perf is complete: %d equal, %d different (%d of them ours longer), %d missing; %.2f %% of names equal" % (
        equal, judged - equal - missing, longer, missing, 100 * names / max(frames, 1)))
    for cause, times in causes.most_common(5):
        print("  %6d %s" % (times, cause))
    if n != ours_n or judged < int(sys.argv[3]):
        print("  %s" % ("samples are missing" if n != ours_n else "too few stacks to judge"))
        sys.exit(1)
    sys.exit(equal < 0.99 * judged)


main()

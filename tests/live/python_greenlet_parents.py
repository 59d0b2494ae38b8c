"""python_greenlet_parents TRUTH: who waits behind each leaf of tests/workloads/py_greenlet_parents.py (wperf script --json of record --async
on standard input), in every sample, is who greenlet says waits."""
import collections
import json
import sys


def short(symbol):
    return symbol if symbol.startswith("task ") else symbol.rsplit(".", 1)[-1]


def main():
    truth = {leaf: {tuple(chain) for chain in chains} for leaf, chains in json.load(open(sys.argv[1])).items()}
    seen, wrong, late, unknown = collections.Counter(), collections.Counter(), 0, 0
    for row in sys.stdin:
        row = json.loads(row)
        frames = [frame for frame in row["frames"] if frame["kind"] == "python"]
        names = ["greenlet" if frame["symbol"] == "greenlet" else "%s:%s" % (short(frame["symbol"]), frame.get("line")) for frame in frames]
        leaf = names[0].split(":")[0] if names else None
        if leaf not in truth:
            continue
        if row.get("python"):  # late, partial: told, and not held to anything
            late += 1
            continue
        if names[-1].startswith("await (not known)"):  # while greenlets are switched
            unknown += 1
            continue
        chain = tuple(names[names.index("greenlet") :]) if "greenlet" in names else ()
        seen[leaf] += 1
        if chain not in truth[leaf]:
            wrong["%s: %s, not %s" % (leaf, list(chain), sorted(truth[leaf])[:2])] += 1
    n = sum(seen.values())
    print("  %d samples of %s; %d wrong, %d not known, %d not held to it" % (n, ", ".join(sorted(seen)), sum(wrong.values()), unknown, late))
    for what, n in wrong.most_common(5):
        print("  WRONG: %d: %s" % (n, what))
    return bool(wrong) or set(seen) != set(truth) or late > n or unknown * 50 > n


sys.exit(main())

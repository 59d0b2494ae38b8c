"""Each caller, line and callee in sampled stacks is one that the interpreter itself saw: wperf script --json | python_edges.py TRUTH

TRUTH is what tests/workloads/py_edges.py writes. Stacks count from work() inwards; what ran before and after it is not held to
anything. One kind of frame is no call to sys.setprofile(): a generator or coroutine runs its first instructions, on the line of its
def, when it is made.
"""
import collections
import json
import os
import sys

calls, lines, generators = set(), collections.defaultdict(set), set()
for row in open(sys.argv[1], encoding="utf-8"):
    kind, *words = row.rstrip("\n").split("\t")
    if kind == "call":
        calls.add(tuple(words))
    else:
        lines[tuple(words[:2])].add(words[2])
        if kind == "generator":
            generators.add(tuple(words[:2]))


def frame(f):
    file = f.get("file", "?")
    return f["symbol"], os.path.normpath(file) if "/" in file else file, str(f.get("line", "?"))


seen, outside, leaves, edges, made = 0, 0, 0, 0, 0
wrong = collections.Counter()
for row in sys.stdin:
    stack = [frame(f) for f in json.loads(row)["frames"] if f["kind"] == "python"]
    depth = next((at for at, f in enumerate(stack) if f[0] == "work"), None)
    if depth is None:
        outside += 1
        continue
    seen += 1
    if [f[0] for f in stack[depth:]] != ["work", "run", "<module>"]:
        wrong["work is called by " + " < ".join(f[0] for f in stack[depth + 1:])] += 1
    making = False
    for at in range(depth):
        caller, callee = stack[at + 1], stack[at]
        edges += 1
        if caller + callee[:2] in calls:
            continue
        if at == 0 and callee[:2] in generators and caller[2] in lines[caller[:2]]:
            making = True
            made += 1
            continue
        wrong["%s %s:%s calls %s %s" % (caller + callee[:2])] += 1
    leaves += 1
    if not making and stack[0][2] not in lines[stack[0][:2]]:
        wrong["%s is at %s:%s" % stack[0]] += 1
print("  %d stacks, %d calls, %d generators being made, %d stacks outside of work(): %d impossible" %
      (seen, edges, made, outside, sum(wrong.values())))
for what, times in wrong.most_common(12):
    print("  impossible: %s (%d)" % (what, times))
enough = int(sys.argv[2]) if len(sys.argv) > 2 else 100
if seen < enough:
    print("  only %d stacks" % seen)
sys.exit(bool(wrong) or seen < enough)

"""python_greenlets: stacks of tests/workloads/py_greenlets.py (wperf script --json on standard input) begin where their greenlet began,
are whole from there to burn(), and hold no frame of another one."""
import collections
import json
import sys

BEGINS = "greenlet::UserGreenlet::inner_bootstrap", "g_initialstub"
PYTHON = ["burn"] + ["helper"] * 4 + ["work"]
seen, wrong = 0, collections.Counter()
for row in sys.stdin:
    frames = json.loads(row)["frames"]
    python = [f["symbol"] for f in frames if f["kind"] == "python"]
    if python[:1] != ["burn"]:
        continue
    seen += 1
    if python[:6] != PYTHON:
        wrong["burn is called by " + " < ".join(python[1:7])] += 1
    if python.count("work") != 1:
        wrong["%d greenlets in one stack" % python.count("work")] += 1
    if not frames[-1]["symbol"].startswith(BEGINS):
        wrong["begins with " + frames[-1]["symbol"]] += 1
print("  %d stacks, %d wrong" % (seen, sum(wrong.values())))
for what, n in wrong.most_common(8):
    print("  WRONG: %d: %s" % (n, what))
sys.exit(seen < 50 or bool(wrong))

"""Is every sample's innermost Python frame the one that the program says? wperf script --json | python_transient.py TRUTH UNKNOWN

UNKNOWN: percent of the samples that may have a frame without a name (its code object changed while it was read), never a wrong one.
"""
import json
import os
import sys

truth = open(sys.argv[1]).read().split("\n")[:-1]
kinds = ["all differ", "the file", "the line", "lambdas", "the body"]
got, unknown, wrong, examples = [], 0, [0] * len(kinds), []
for row in sys.stdin:
    frames = [f for f in json.loads(row)["frames"] if f["kind"] == "python"]
    if not frames or os.path.basename(frames[0].get("file", "")) == "py_transient.py":
        continue
    file = frames[0].get("file", "?")
    known = not frames[0]["symbol"].startswith("[unknown")
    # A relative name is completed with the program's folder.
    got.append("%s %s:%s" % (frames[0]["symbol"], file, frames[0].get("line", "?")) if known else None)
for n, want in enumerate(truth[:len(got)]):
    if got[n] is None:
        unknown += 1
        continue
    name, _, place = want.partition(" ")
    have, _, where = got[n].partition(" ")
    if name != have or not (where == place or where.endswith("/" + place)):
        wrong[n * len(kinds) // len(truth)] += 1
        examples.append("%s was %s" % (want, got[n]))
print("  %d code objects, %d samples, %d without a name; wrong where what differs is: %s" %
      (len(truth), len(got), unknown, ", ".join("%s %d" % pair for pair in zip(kinds, wrong))))
for example in examples[:5]:
    print("  " + example)
sys.exit(len(got) != len(truth) or sum(wrong) > 0 or unknown * 100.0 > float(sys.argv[2]) * len(truth))

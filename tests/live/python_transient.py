"""Is every sample's innermost Python frame the one that the program says? wperf script --json | python_transient.py TRUTH UNKNOWN

The program writes one byte in each code object, and each write is a sample. UNKNOWN: percent of the samples that may have a frame
without a name (its code object changed while it was read), never a wrong one. What wperf says is late is not held to anything:
on a busy machine that may be most of what pinned readers bring.
"""
import json
import sys


def said(row):
    """As the truth has it, None without a name."""
    frame = next((f for f in row["frames"] if f["kind"] == "python"), {})
    if frame.get("symbol", "[unknown").startswith("[unknown"):
        return None
    return "%s %s:%s" % (frame["symbol"], frame.get("file", "?"), frame.get("line", "?"))


def is_same(want, have):
    """A relative name is completed with the program's folder."""
    name, _, place = want.partition(" ")
    symbol, _, where = have.partition(" ")
    return name == symbol and (where == place or where.endswith("/" + place))


def main():
    truth = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
    rows = [json.loads(line) for line in sys.stdin]
    rows = [row for row in rows if row["pid"] == rows[-1]["pid"]]
    wrong, examples, late, unknown = dict((kind, 0) for kind, _ in truth), [], 0, 0
    for (kind, want), row in zip(truth, rows):
        have = said(row)
        if row.get("python") == "late":
            late += 1
        elif have is None:
            unknown += 1
        elif not is_same(want, have):
            wrong[kind] += 1
            examples.append("%s was %s" % (want, have))
    print("  %d code objects, %d samples, %d late, %d without a name; wrong where what differs is: %s" %
          (len(truth), len(rows), late, unknown, ", ".join("%s %d" % pair for pair in wrong.items())))
    for example in examples[:5]:
        print("  " + example)
    return len(rows) != len(truth) or any(wrong.values()) or unknown * 100.0 > float(sys.argv[2]) * len(truth)


sys.exit(main())

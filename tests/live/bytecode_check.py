"""bytecode_check.py TRUTH ANNOTATED LINES SORTED: the bytecode that wperf read of bytecode_app.py (annotate --bytecode) is what the
process's own dis said of it, its counts add up to those of the lines (annotate) and of opcodes (report --sort), and the shares of two
operations are those of the program's clock."""
import json
import sys

truth, coded, lined, by_opcode = (json.load(open(path)) for path in sys.argv[1:5])
wrong = []
functions = {it["function"].split(".")[-1]: it for it in coded["annotate"]["functions"]}
lines = {it["function"].split(".")[-1]: it for it in lined["annotate"]["functions"]}
compared = forms = 0
counts = {}
for name, want in truth["functions"].items():
    function = functions.get(name)
    if function is None:
        wrong.append("%s was not listed" % name)
        continue
    if function["version"] != truth["version"] or function["code_objects"] != 1:
        wrong.append("%s: version %s, %d code objects" % (name, function["version"], function["code_objects"]))
    rows = [row for row in function["bytecode"] if row["offset"] is not None]
    got = [[row["offset"], row["opcode"], row["base"] or row["opcode"], row["argument"], row["line"]] for row in rows]
    if got != want:
        wrong += ["%s: got %s, dis has %s" % (name, x, y) for x, y in zip(got, want) if x != y][:5]
        if len(got) != len(want):
            wrong.append("%s: %d instructions, dis has %d" % (name, len(got), len(want)))
    compared += len(want)
    forms += sum(row[1] != row[2] for row in want)
    sums = {}
    for row in function["bytecode"]:
        counts[row["opcode"]] = counts.get(row["opcode"], 0) + row["cpu-clock_count"]
        if row["cpu-clock_count"]:
            sums[row["line"]] = sums.get(row["line"], 0) + row["cpu-clock_count"]
    self = {row["line"]: row["cpu-clock_self"] for row in lines[name]["lines"] if row["cpu-clock_self"]}
    if sums != self:
        wrong.append("%s: instructions have %s by line, lines have %s" % (name, sums, self))
print("  %s: %d instructions, %d of them in a form of their own" % (truth["version"], compared, forms))
if truth["version"] in ("3.11", "3.12", "3.13", "3.14", "3.15") and forms < 50:
    wrong.append("only %d forms" % forms)

event = by_opcode["sorted"]["events"][0]
if sum(row["count"] for row in event["rows"]) != event["samples"]:
    wrong.append("opcodes have not all samples")
sorted_counts, known = {}, 0
for row in event["rows"]:
    if row["python-function"].split(" ")[0].split(".")[-1] in truth["functions"]:
        sorted_counts[row["opcode"]] = sorted_counts.get(row["opcode"], 0) + row["count"]
        known += row["count"]
unsampled = [opcode for opcode in counts if not counts[opcode]]
for opcode in unsampled:
    del counts[opcode]
if sorted_counts != counts:
    wrong.append("the report has %s, the listings %s" % (sorted_counts, counts))

costs = {}
for row in functions.get("work_costs", {"bytecode": []})["bytecode"]:
    if row["base"] in ("BINARY_OP",) or row["opcode"].startswith("BINARY_"):
        costs.setdefault(row["line"], []).append(row["cpu-clock_count"])
operations = [max(costs[line]) for line in sorted(costs)[:2]]
got = 100.0 * operations[0] / max(1, sum(operations)) if len(operations) == 2 else 0
want = 100 * truth["spent"]["multiply"] / (truth["spent"]["multiply"] + truth["spent"]["divide"])
print("  %d samples in the functions, multiplying has %.1f %% of what it and dividing have, by the program's clock %.1f %%" % (known, got, want))
if abs(got - want) > 10 or sum(operations) < 50:
    wrong.append("samples are not where the time is: %s" % costs)
for line in wrong[:12]:
    print("  WRONG: " + line)
sys.exit(bool(wrong))

#!/bin/bash
# wperf annotate: instructions are those that objdump has, what jumps and calls lead to too; counts are those of perf script; lines are addr2line's;
# lines of Python those that the samples' frames have; source is shown if it has not changed.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
command -v objdump >/dev/null && command -v addr2line >/dev/null || skip "no binutils"
cd "$scratch" || exit 2

# annotate FILE WORD...: JSON into out.json
annotate() {
	local data=$1
	shift
	"$WPERF" annotate -i "$data" "$@" --json >out.json 2>err || { cat err; return 1; }
	"$TOP/tests/schemas/validate" annotate out.json
}

"$WPERF" record --python off -e cpu-clock -F 2000 --data c.data -- "$WORKLOADS/calls" inlined 0.3 >/dev/null 2>err ||
	skip "nothing was recorded: $(tail -n 1 err)"
check "a function is listed" annotate c.data holder
objdump -d --no-show-raw-insn --disassemble=holder "$WORKLOADS/calls" >objdump.text
perf script -i c.data -F ip,sym,symoff 2>/dev/null >script.text || rm -f script.text
cat >judge.py <<'PY'
import json, re, subprocess, sys
function, = json.load(open("out.json"))["annotate"]["functions"]
rows = function["instructions"]
theirs = {}
for line in open("objdump.text"):
    found = re.match(r" *([0-9a-f]+):\t(\S+) *(.*)", line)
    if found:
        theirs[found[1]] = (found[2], found[3])
bad = []
if [row["address"] for row in rows] != list(theirs):
    bad.append("addresses are not objdump's")
for row in rows:
    name, operands = theirs.get(row["address"], ("?", ""))
    ours = row["instruction"]
    # capstone writes the operand's size behind the name, objdump where it would be missing; and prefixes of padding as words
    if "nop" in ours and name in ("data16", "cs"):
        continue
    if not ours.split()[0].startswith(name.rstrip("q")) and not name.startswith(ours.split()[0]):
        bad.append("%s: %s, objdump has %s" % (row["address"], ours, name))
    if re.findall("<.*>", ours) != re.findall("<.*>", operands):
        bad.append("%s: %s, objdump has %s" % (row["address"], ours, operands))
addresses = [row["address"] for row in rows]
text = subprocess.run(["addr2line", "-e", sys.argv[1]] + addresses, stdout=subprocess.PIPE, universal_newlines=True).stdout
for row, line in zip(rows, text.splitlines()):
    if line.split(" ")[0] != "%s:%s" % (row["file"], row["line"]):
        bad.append("%s: %s:%s, addr2line has %s" % (row["address"], row["file"], row["line"], line))
inlined = {row["inlined"] for row in rows}
if "tight" not in inlined:
    bad.append("nothing is inlined: %s" % inlined)
try:
    start, counts = int(rows[0]["address"], 16), {}
    for line in open("script.text"):
        found = re.search(r"holder\+0x([0-9a-f]+)", line)
        if found:
            at = start + int(found[1], 16)
            counts[at] = counts.get(at, 0) + 1
    ours = {int(row["address"], 16): row["cpu-clock_count"] for row in rows if row["cpu-clock_count"]}
    print("  %d samples in %d instructions" % (sum(ours.values()), len(ours)))
    if ours != counts:
        bad.append("counts are %s, perf script has %s" % (ours, counts))
except FileNotFoundError:
    print("SKIP: no perf: counts are not compared")
for line in bad[:10]:
    print("  WRONG: " + line)
sys.exit(bool(bad))
PY
check "instructions, jumps, lines and counts are right" python3 judge.py "$WORKLOADS/calls"
check "a line names its function" annotate c.data "calls.c:$(python3 -c 'import json; print(json.load(open("out.json"))["annotate"]["functions"][0]["lines"][0]["line"])')"
check "without a name the hottest come" bash -c '"$0" annotate -i c.data --rows 1 2>/dev/null | grep -q "= holder (calls) ="' "$WPERF"

python=$(any_python)
[ -n "$python" ] || { part_skipped "no CPython"; finish; }
cat >app.py <<'PY'
def inner(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def outer():
    for _ in range(300):
        inner(10000)


# not of outer
outer()
PY
"$WPERF" record -e cpu-clock -F 2000 --data p.data -- "$python" app.py >/dev/null 2>err
check "a Python function is listed" annotate p.data inner
"$WPERF" report -i p.data --sort python-function,python-line --json >lines.json 2>/dev/null
cat >judge_python.py <<'PY'
import json, re, sys
function, = json.load(open("out.json"))["annotate"]["functions"]
lines = {row["line"]: row for row in function["lines"]}
source = open("app.py").read().splitlines()
bad = [n for n, row in lines.items() if row["source"] != source[n - 1]]
if list(lines) != [1, 2, 3, 4, 5]:
    bad.append("lines are %s" % list(lines))
counts = {}
for row in json.load(open("lines.json"))["sorted"]["events"][0]["rows"]:
    if row["python-function"].startswith("inner "):
        n = int(row["python-line"].rsplit(":", 1)[1])
        counts[n] = counts.get(n, 0) + row["count"]
ours = {n: row["cpu-clock_self"] for n, row in lines.items() if row["cpu-clock_self"]}
print("  %d samples in %d lines" % (sum(ours.values()), len(ours)))
if ours != counts or sum(ours.values()) < 10:
    bad.append("counts are %s, the report has %s" % (ours, counts))
for line in bad:
    print("  WRONG: %s" % line)
sys.exit(bool(bad))
PY
check "its source and counts are right" python3 judge_python.py
check "what calls it has the rest" bash -c '"$0" annotate -i p.data outer --json 2>/dev/null | python3 -c "
import json, sys
function, = json.load(sys.stdin)[\"annotate\"][\"functions\"]
sys.exit(not function[\"events\"][0][\"total\"] > 10 * function[\"events\"][0][\"samples\"])"' "$WPERF"
touch -d '+1 hour' app.py
check "source that has changed is not shown" bash -c '! "$0" annotate -i p.data inner 2>/dev/null | grep -q "i \* i"' "$WPERF"
finish

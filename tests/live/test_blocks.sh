#!/bin/bash
# wperf annotate --blocks, report --blocks: shares of a program whose loops are known; blocks add up to instructions; Graphviz takes the graph.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
command -v gcc >/dev/null || skip "no gcc"
cd "$scratch" || exit 2
cat >loops.c <<'C'
volatile unsigned long sink;

/* Of 1001 parts that the inner loop and what is around it make, 1000 are its own. */
__attribute__((noinline)) static unsigned long nested(unsigned long n)
{
	unsigned long s = 1;

	for (unsigned long i = 0; i < n; i++) {
		for (unsigned long j = 0; j < 1000; j++)
			s = s * 6364136223846793005UL + j;
		s = s & 1 ? s ^ i : s + 7;
	}
	return s;
}

/* Two loops with as many divisions, one after the other, behind a switch. */
__attribute__((noinline)) static unsigned long halves(unsigned long n, int way)
{
	unsigned long s = n;

	switch (way) {
	case 0: s += 3; break;
	case 1: s *= 5; break;
	case 2: s ^= 77; break;
	case 3: s -= 9; sink = 1; break;
	case 4: s = ~s; break;
	case 5: s <<= 3; break;
	}
	for (unsigned long i = 1; i < n; i++)
		s = (s ^ i) % 1000003;
	for (unsigned long i = 1; i < n; i++)
		s = (s + i) % 1000003;
	return s;
}

int main(void)
{
	for (int i = 0; i < 6; i++)
		sink += nested(40000) + halves(3000000, i % 6);
	return 0;
}
C
gcc -g -O1 -fno-unroll-loops loops.c -o loops || skip "gcc cannot build"
"$WPERF" record --python off -e cpu-clock -F 4000 --data l.data -- ./loops >/dev/null 2>err || skip "nothing was recorded: $(tail -n 1 err)"
for name in nested halves; do
	"$WPERF" annotate -i l.data "$name" --blocks --json >"$name.json" 2>err || cat err
	"$WPERF" annotate -i l.data "$name" --json >"$name.code.json" 2>err || cat err
	check "JSON of $name is as described" "$TOP/tests/schemas/validate" annotate-blocks "$name.json"
done
"$WPERF" report -i l.data --blocks --json >hot.json 2>err || cat err
check "JSON of the report is as described" "$TOP/tests/schemas/validate" report-blocks hot.json
cat >judge.py <<'PY'
import json, sys
bad = []
def load(name):
    function, = json.load(open(name + ".json"))["blocks"]["functions"]
    code, = json.load(open(name + ".code.json"))["annotate"]["functions"]
    counts = {}
    for row in code["instructions"]:
        at = int(row["address"], 16)
        block = max((b for b in function["blocks"] if int(b["address"], 16) <= at), key=lambda b: int(b["address"], 16))
        counts[block["block"]] = counts.get(block["block"], 0) + row["cpu-clock_count"]
    if any(b["cpu-clock_count"] != counts.get(b["block"], 0) for b in function["blocks"]):
        bad.append("%s: blocks are not sums of their instructions" % name)
    return function
nested, halves = load("nested"), load("halves")
inner, = [loop for loop in nested["loops"] if loop["depth"] == 2]
outer, = [loop for loop in nested["loops"] if loop["depth"] == 1]
print("  nested: the inner loop has %.2f %%, the outer one %.2f %%" % (inner["cpu-clock_percent"], outer["cpu-clock_percent"]))
beside = outer["cpu-clock_count"] - inner["cpu-clock_count"]
if not 0 <= beside <= 3 + 0.02 * outer["cpu-clock_count"] or outer["cpu-clock_percent"] < 98 or outer["cpu-clock_percent"] < inner["cpu-clock_percent"] or nested["loops"][inner["parent"]] != outer:
    bad.append("loops of nested: %s" % nested["loops"])
shares = [loop["cpu-clock_percent"] for loop in halves["loops"]]
print("  halves: loops have %s %%, %d table" % (shares, halves["tables"]))
if len(shares) != 2 or abs(shares[0] - shares[1]) > 15 or sum(shares) < 97:
    bad.append("loops of halves: %s" % halves["loops"])
if halves["unfollowed"] or halves["not_reached"]:
    bad.append("halves: %s" % {key: halves[key] for key in ("tables", "unfollowed", "not_reached")})
path = [b["block"] for b in nested["blocks"] if b["on_path"]]
if sorted(nested["path"]) != path or inner["header"] not in path or nested["path"][0]:
    bad.append("path of nested: %s" % nested["path"])
rows = json.load(open("hot.json"))["hot_blocks"]["events"][0]["rows"]
best = max(nested["blocks"] + halves["blocks"], key=lambda b: b["cpu-clock_count"])
if rows[0]["count"] != best["cpu-clock_count"] or int(rows[0]["offset"][1:], 16) != best["offset"]:
    bad.append("hottest block is %s, not %s" % (rows[0], best))
if not rows[0]["lines"].startswith("loops.c:"):
    bad.append("lines are %s" % rows[0]["lines"])
for line in bad:
    print("  WRONG: " + line)
sys.exit(bool(bad))
PY
check "loops, shares and the hottest block are right" python3 judge.py
"$WPERF" annotate -i l.data --dot >graph.dot 2>err || cat err
if command -v dot >/dev/null; then
	check "Graphviz draws the graph" dot -Tsvg -o graph.svg graph.dot
else
	part_skipped "no Graphviz: the graph is not drawn"
fi
finish

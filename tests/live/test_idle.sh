#!/bin/bash
# Idle waits are folded away, those of a request are not, and nothing gets lost: what is left and what was folded are together what --idle shows, of the run and of the
# recording. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
mount_tracefs || skip "no tracefs"
cd "$scratch" || exit 2
"$WPERF" record --waits --data true.data -- true >/dev/null 2>true.err || skip "waits cannot be sampled: $(tail -n 1 true.err)"
pythons=$(any_python)
[ -z "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(ls "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 2>/dev/null)
[ -n "$pythons" ] || skip "no CPython"
cat >judge.py <<'PY'
import json, sys
name = sys.argv[1]
def rows(which):
    seen = {}
    for row in json.load(open("%s.%s.json" % (name, which)))["sorted"]["events"][0]["rows"]:
        key = int(row["thread"].rsplit("(")[-1].strip(")")), row["field:kind"], row["python-function"].split(" (")[0].rsplit(".")[-1]
        n, ns = seen.get(key, (0, 0))
        seen[key] = n + row["count"], ns + row["sum"]
    return seen
left, all = rows("left"), rows("all")
folded = {row["idle"]: (row["waits"], row["ns"]) for row in json.load(open(name + ".left.json"))["sorted"]["events"][0]["idle_waits"]}
bad = "idle_waits" in json.load(open(name + ".all.json"))["sorted"]["events"][0]
for line in open(name + ".truth"):
    want = json.loads(line)
    key = want["tid"], want["kind"], want["function"]
    wrong = key not in all or (key in left if want["rule"] else left.get(key) != all[key])
    wrong |= want["rule"] is not None and want["rule"] not in folded
    print("  %s %s: %s, --idle %s, left %s" % ("WRONG" if wrong else "right", want["rule"] or "shown", key, all.get(key), left.get(key)))
    bad |= wrong
total = lambda sums, at: sum(pair[at] for pair in sums.values())
print("  ", folded)
for at in 0, 1:
    bad |= total(left, at) + total(folded, at) != total(all, at)
live = json.load(open(name + ".live.json"))["sampling"]["events"][0]
bad |= {row["idle"]: (row["waits"], row["ns"]) for row in live["idle_waits"]} != folded
bad |= live["weight_sum"] != total(left, 1) or sum(row["ns"] for row in live["waits"]) != total(left, 1)
sys.exit(bad)
PY
python_idles() { # PYTHON
	local name which option
	name=$(basename "$(dirname "$(dirname "$1")")")
	"$WPERF" record --waits --json --sample-display-row 100000 --data "$name.data" -- "$1" "$TOP/tests/workloads/py_idle.py" >"$name.live.json" 2>"$name.err" ||
		{ check "$name: $(tail -n 1 "$name.err")" false; return; }
	grep '^{' "$name.err" >"$name.truth"
	for which in left all; do
		option=
		[ $which = left ] || option=--idle
		"$WPERF" report -i "$name.data" $option --sort thread,field:kind,python-function --sample-display-row 100000 --json >"$name.$which.json" 2>/dev/null
	done
	check "$name: who has nothing to do is folded away, who waits for somebody is not, sums hold" python3 judge.py "$name"
}
one_by_one python_idles $pythons
name=$(basename "$(dirname "$(dirname "$(tail -n 1 <<<"$pythons")")")")
"$WPERF" report -i "$name.data" >text 2>/dev/null
check "a line says it" grep -E '^folded away: [0-9]+ idle waits?, [0-9.]+ s \(.*\); shares are of the rest, --idle shows them$' text
check "an export says it" bash -c '"$WPERF" export -i "$0" --format folded -o out.txt 2>&1 | grep "folded away"' "$name.data"
check "--idle is all that was recorded" test "$("$WPERF" export -i "$name.data" --idle --format folded -o - 2>/dev/null | awk '{n += $NF} END {printf "%d", n}')" = \
	"$("$WPERF" script -i "$name.data" -F trace 2>/dev/null | grep -oE ' ns=[0-9]+' | awk -F= '{n += $2} END {printf "%d", n}')"
finish

#!/bin/bash
# Stacks through JIT code without frame pointers, by the call frame information in its jitdump: hand-made code that is moved and
# replaced while it runs, and V8's own.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
[ "$(uname -m)" = x86_64 ] || skip "the code is x86-64's"

# stacks FILE PERCENT: at least so many are complete; below FILE UPPER LOWER: percent of the samples in LOWER called by UPPER
stacks() {
	python3 - "$1" "$2" <<-'PY'
	import json, sys
	stacks = json.load(open(sys.argv[1]))["sampling"]["stacks"]
	print("  " + str(stacks))
	sys.exit(not (stacks["taken"] > 100 and stacks["complete_percent"] >= float(sys.argv[2])))
	PY
}

below() {
	python3 - "$@" <<-'PY'
	import json, sys
	tree = json.load(open(sys.argv[1]))["sampling"]["events"][0]["call_tree"]
	def walk(node, above):
	    if node["symbol"].startswith(sys.argv[3]) and above.startswith(sys.argv[2]):
	        return node["total"]
	    return sum(walk(child, node["symbol"]) for child in node["children"])
	print(sum(walk(root, "") for root in tree))
	PY
}

modes=dwarf
if why=$("$WPERF" record --call-graph bpf -e cpu-clock --json -- true 2>&1 >/dev/null); then
	modes="dwarf bpf"
else
	part_skipped "stacks cannot be walked in the kernel here: $why"
fi

for mode in $modes; do
	echo "== code without frame pointers, $mode"
	"$WPERF" record -e cpu-clock -F 2000 --call-graph $mode --json -- "$WORKLOADS/jitted" "$scratch" 2 >"$scratch/jitted.json"
	check "stacks are complete" stacks "$scratch/jitted.json" 97
	check "jit_outer calls jit_inner, also where it was moved to" within "$(below "$scratch/jitted.json" jit_outer jit_inner)" 75 6
	check "jit_outer calls what took its place" within "$(below "$scratch/jitted.json" jit_outer jit_other)" 25 6
	check "native code calls jit_outer" within "$(below "$scratch/jitted.json" spin jit_outer)" 99 2
done

echo "== V8"
if command -v node >/dev/null && (cd "$scratch" && node --perf-prof --perf-prof-unwinding-info -e 0) 2>/dev/null; then
	cat >"$scratch/deep.js" <<-'J'
	function leaf(n) { let s = 0; for (let i = 0; i < 3000; i++) s = (s * 31 + i * n) | 0; return s }
	function descend(n) { return n === 0 ? leaf(n + 1) : (descend(n - 1) + leaf(n & 1 ? 2 : 3)) | 0 }
	let x = 0; for (const end = Date.now() + 3000; Date.now() < end;) x = (x + descend(40)) | 0
	J
	for mode in $modes; do
		(cd "$scratch" && "$WPERF" record -e cpu-clock -F 2000 --call-graph $mode --json -- \
			node --perf-prof --perf-prof-unwinding-info deep.js) >"$scratch/node.json"
		check "node's stacks are complete, $mode" stacks "$scratch/node.json" 98
		share=$(below "$scratch/node.json" Builtins_InterpreterEntryTrampoline 'JS:')
		check "JavaScript by name below native code ($share %)" awk -v p="$share" 'BEGIN { exit !(p > 50) }'
	done
else
	part_skipped "no node that writes a jitdump"
fi
finish

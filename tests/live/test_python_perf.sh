#!/bin/bash
# Stacks through CPython's own trampolines (-X perf, -X perf_jit: 3.12 and newer): code without frame pointers or rules that nothing
# but its instructions describes. They are complete, and the trampolines are folded where the Python frame is shown.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
[ "$(uname -m)" = x86_64 ] || skip "arm64's trampolines keep a frame pointer"

# stacks FILE: at least 99 % of the stacks are complete
stacks() {
	python3 - "$1" <<-'PY'
	import json, sys
	stacks = json.load(open(sys.argv[1]))["sampling"]["stacks"]
	print("  " + str(stacks))
	sys.exit(not (stacks["taken"] > 100 and stacks["complete_percent"] >= 99))
	PY
}

# share FILE NAME [NAME...]: percent of the samples with the first one in their stacks; with further ones, percent of these in whose
# stacks all are inside of each other, outermost first
share() {
	python3 - "$@" <<-'PY'
	import json, sys
	tree = json.load(open(sys.argv[1]))["sampling"]["events"][0]["call_tree"]
	def walk(node, names):
	    if node["symbol"].startswith(names[0]):
	        names = names[1:]
	        if not names:
	            return node["total"]
	    return sum(walk(child, names) for child in node["children"])
	def total(names):
	    return sum(walk(root, names) for root in tree)
	names = sys.argv[2:]
	print(100 * total(names) / (total(names[:1]) or 1) if names[1:] else total(names))
	PY
}

run() { # NAME MODE OPTION [WPERF OPTIONS...]
	local name=$1 mode=$2 option=$3
	shift 3
	"$WPERF" record -e cpu-clock -F 999 --call-graph "$mode" "$@" --json -- "$python" -X "$option" "$TOP/tests/workloads/py_stacks.py" nested 1.5 >"$scratch/$name.json" 2>/dev/null
}

modes=dwarf,65528
if why=$("$WPERF" record --call-graph bpf -e cpu-clock --json -- true 2>&1 >/dev/null); then
	modes="$modes bpf"
else
	part_skipped "stacks cannot be walked in the kernel here: $why"
fi
found=0
for python in "$HOME"/.pyenv/versions/3.1[2-9].*/bin/python; do
	[ -x "$python" ] || continue
	"$python" -c 'import sys; sys.activate_stack_trampoline("perf")' 2>/dev/null || continue
	found=1
	version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
	options=perf
	case $version in 3.12.*) ;; *) options="perf perf_jit" ;; esac
	for option in $options; do
		for mode in $modes; do
			name=$version.$option.$mode
			run "$name" "$mode" "$option"
			check "$version -X $option, $mode: stacks are complete" stacks "$scratch/$name.json"
			check "$version -X $option, $mode: every function is in its caller" \
				within "$(share "$scratch/$name.json" nest nest nest nest nest nest leaf)" 98 3
			check "$version -X $option, $mode: without trampolines" within "$(share "$scratch/$name.json" py::)" 0 2
		done
	done
	run "$version.all" "${modes##* }" perf --interpreter-frames
	check "$version: an interpreter developer sees them" within "$(share "$scratch/$version.all.json" py::nest py::leaf)" 98 3
done
[ $found = 1 ] || skip "no CPython with trampolines"
finish

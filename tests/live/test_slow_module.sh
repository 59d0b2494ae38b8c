#!/bin/bash
# A module whose symbols take long to load does not stop the draining: no sample is lost meanwhile, and all have their
# names and stacks at the end. A copy of a program is loaded slowly on purpose (tools/slow_load). Walks that lack a module
# bring copies of the stack, of which 64 MiB are held: at 10,000 a second that is half a second of loading.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
slow=$WORK/tools/wperf_slow
cp "$WORKLOADS/shapes" "$scratch/slowpoke"
rate=10000 tenths=25 # of a second of CPU time

run() { # NAME OPTIONS...: samples of slowpoke, whose symbols take 5 seconds, or as long as copies of stacks find room
	local name=$1 ms=5000
	shift
	[ "$name" != bpf ] || ms=300
	SLOW_LOAD=slowpoke:$ms timeout 60 "$slow" record -e cpu-clock:u -F "$rate" --json "$@" -- "$scratch/slowpoke" shares "$tenths" \
		>"$scratch/$name.json" 2>"$scratch/$name.err" || echo "exit $?: $(cat "$scratch/$name.err")"
}

named() { # NAME LEAST: percent of the samples that have the name of a function of slowpoke or a library
	python3 - "$scratch/$1.json" "$2" <<-'PY'
	import json, sys
	sampling = json.load(open(sys.argv[1]))["sampling"]
	rows = sampling["events"][0]["samples"]
	total = sum(row["count"] for row in rows)
	unknown = sum(row["count"] for row in rows if row["symbol"].startswith("unknown"))
	print("  samples", total, "without a name", unknown, "lost", sampling["samples_lost"])
	sys.exit(not (total and 100 * (total - unknown) / total >= float(sys.argv[2])))
	PY
}

ring_and_more() { # NAME: far more samples than the rings hold came while the module was loaded
	[ "$(member "$scratch/$1.json" samples_generated)" -gt 20000 ]
}

for options in plain "-g --call-graph bpf" "-g --call-graph dwarf,1024"; do
	name=${options##* }
	[ "$options" = plain ] && options=
	if [ "$name" = bpf ] && ! "$WPERF" record $options -e cpu-clock -- true >/dev/null 2>&1; then
		part_skipped "stacks cannot be walked in the kernel here"
		continue
	fi
	run "$name" $options
	check "$name: none lost" test "$(member "$scratch/$name.json" samples_lost)" = 0
	check "$name: samples while the module was loaded" ring_and_more "$name"
	check "$name: names" named "$name" 99
	[ -z "$options" ] && continue
	check "$name: complete stacks" within "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["sampling"]["stacks"]["complete_percent"])' "$scratch/$name.json")" 100 1
done
finish

#!/bin/bash
# In a time namespace (of a container) clocks are ahead or behind: records, walks and limits still belong together.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
python=$(any_python) || skip "no CPython from 3.10 on"
unshare --time --monotonic 1 --fork true 2>/dev/null || skip "no time namespaces (needs root, unshare --time)"
cd "$scratch" || exit 1
for ahead in 100000 -5; do
	for way in bpf pinned; do
		began=$SECONDS
		unshare --time --monotonic $ahead --boottime $ahead --fork "$WPERF" record -e cpu-clock -F 999 -g --python $way --no-data --json --timeout 1 -- \
			"$python" -c 'while True: sum(range(1000))' >out.json 2>err
		check "$ahead s, $way: Python frames and stacks are not lost" python3 - <<-'PY'
			import json, sys
			sampling = json.load(open("out.json"))["sampling"]
			python, stacks = sampling["python"], sampling["stacks"]
			print("  ", python, stacks)
			sys.exit(not (python["with_frames"] > 0.5 * python["samples"] > 50 and stacks["complete"] > 0.5 * stacks["taken"] and python["lost"] + python["late"] < 0.5 * python["samples"]))
			PY
		check "  and it ends in time" [ $((SECONDS - began)) -lt 8 ]
	done
done
finish

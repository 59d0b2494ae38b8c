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
		unshare --time --monotonic $ahead --boottime $ahead --fork "$WPERF" record -e cpu-clock -F 999 -g --python $way --no-data --json --timeout 1.5 -- \
			"$python" -c 'while True: sum(range(1000))' >out.json 2>err
		check "$ahead s, $way: Python frames and stacks are not lost" python3 - <<-'PY'
			import json, sys
			sampling = json.load(open("out.json"))["sampling"]
			python, stacks = sampling["python"], sampling["stacks"]
			print("  ", python, stacks)
			# Others may run before a pinned reader; where clocks do not belong together it is always late.
			timely = python["samples"] - python["lost"] - python["late"]
			sys.exit(not (python["with_frames"] > 20 and stacks["complete"] > 0.5 * stacks["taken"] > 20 and timely > 20))
			PY
		check "  and it ends in time" [ $((SECONDS - began)) -lt 60 ]
	done
done
finish

#!/bin/bash
# Data that is a Python object: watchpoints on the reference counts of objects whose types are known, and the page faults of a list of
# floats. One CPython of each way to keep objects; WPERF_EVERY_PYTHON=1: every one that is installed.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
pyenv=$HOME/.pyenv/versions
if [ -n "${WPERF_EVERY_PYTHON:-}" ]; then
	pythons=$(ls "$pyenv"/*/bin/python /usr/bin/python3 2>/dev/null)
else # pools and GC heads of two sizes, dicts in front of objects, values behind them
	pythons=$(ls "$pyenv"/{3.7,3.13}*/bin/python 2>/dev/null)
	[ -n "$pythons" ] || pythons=$(any_python)
fi
[ -n "$pythons" ] || skip "no Python"

watch_objects() { # PYTHON
	local dir=$scratch/watch.$RANDOM events pid
	mkdir "$dir"
	"$1" "$TOP/tests/workloads/py_objects.py" "$dir/where" "$dir/go" &
	pid=$!
	for _ in {1..100}; do [ -e "$dir/where" ] && break; sleep 0.05; done
	events=$(awk '{ printf "%smem:%s/8:%s:1", (NR > 1 ? "," : ""), $2, $3 }' "$dir/where")
	"$WPERF" sample -q --data "$dir/data" -d -e "$events" -p $pid >"$dir/record" 2>&1 &
	for _ in {1..100}; do [ -s "$dir/data" ] && break; sleep 0.05; done
	sleep 0.3
	touch "$dir/go"
	wait $pid
	wait $!
	[ -s "$dir/data" ] || cat "$dir/record"
	"$WPERF" mem -i "$dir/data" --sort data-address,data-type --rows 100000 --json >"$dir/json" 2>/dev/null
	python3 - "$dir/json" "$dir/where" <<-'PY'
	import collections, json, sys
	want = {line.split()[1]: line.split()[0].replace("_", " ") for line in open(sys.argv[2])}
	got = collections.defaultdict(collections.Counter)
	for group in json.load(open(sys.argv[1]))["memory"]["groups"]:
	    for row in group["rows"]:
	        got[row["data-address"]][row["data-type"]] += row["count"]
	wrong = 0
	for address, name in want.items():
	    types = got[address]
	    # At the program's end they are freed, and read by then.
	    mine = types.pop("Python " + name, 0)
	    if mine < 500 or sum(types.values()) > 10:
	        wrong += 1
	        print("  %s at %s: %d, and %s" % (name, address, mine, dict(types)))
	sys.exit(bool(wrong))
	PY
}

# The first touch of a pool's page is at its head, or in an object that was read behind the fault. Kernels that give large pages unasked
# make a fault for each of these.
fault_floats() { # PYTHON...
	local code='import time
numbers = [i * 1.5 for i in range(200000)]
time.sleep(0.2)'
	"$WPERF" record -q --data "$scratch/f.data" -d -e page-faults:1 -- "$@" -c "$code" >/dev/null 2>&1
	"$WPERF" mem -i "$scratch/f.data" --sort data-type,python-line --rows 100000 --json >"$scratch/f.json" 2>/dev/null
	python3 - "$scratch/f.json" <<-'PY'
	import json, sys
	(group,) = json.load(open(sys.argv[1]))["memory"]["groups"]
	mine = [r for r in group["rows"] if r["python-line"] == "<string>:2"]
	floats = sum(r["count"] for r in mine if r["data-type"] in ("Python float", "pymalloc pool head (Python float)"))
	others = [r for r in mine if r["data-type"].startswith("Python") and "float" not in r["data-type"]]
	print("  %d faults of the line, %d of floats" % (sum(r["count"] for r in mine), floats))
	sys.exit(floats < 2 or sum(r["count"] for r in others) > floats / 20 + 2)
	PY
}

for python in $pythons; do
	version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null) || continue
	check "$version: watched objects" watch_objects "$python"
	case $version in
	2.*) ;; # floats have blocks of their own there
	*) check "$version: page faults of floats" fault_floats "$python" ;;
	esac
done
# Newer ones than are installed, where there are roots with them.
suites=$TOP/tests/tools/python_suites
if [ -n "${WPERF_EVERY_PYTHON:-}" ] && [ -x "$suites" ]; then
	while read -r root python; do
		[[ $root != / && $python == /usr/bin/python3*[0-9] ]] || continue # neither debug nor free-threaded
		check "$root$python: page faults of floats" fault_floats "$suites" run "$root" "$python"
	done < <("$suites" list)
fi
finish

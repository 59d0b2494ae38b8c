#!/bin/bash
# Threads have their Python names: what each interpreter calls its threads is what tables, recordings and exports call them, with both
# ways to read frames, launched and attached.
. "$TOP/tests/live/lib.sh"
can_sample || skip "no sampling here"
program=$TOP/tests/live/thread_names.py
export PYTHONIOENCODING=utf-8

shown() { # JSON-FILE: the names of the table of threads
	python3 - "$1" <<-'PY'
	import json, sys
	events = json.load(open(sys.argv[1], encoding="utf-8"))["sampling"]["events"]
	print("\n".join(row["thread"] for row in events[0]["python_threads"]))
	PY
}

tracks() { # gecko's file
	python3 -c 'import json,sys; print("\n".join(t["name"] for t in json.load(open(sys.argv[1], encoding="utf-8"))["threads"]))' "$1"
}

all_of() { # TRUTH-FILE NAMES-FILE: every true name is there, and no other one
	diff <(sort -u "$1") <(sort -u "$2")
}

one() { # PYTHON
	local python=$1 name way
	name=$("$python" -c 'import sys; print(".".join(map(str, sys.version_info[:3])))')
	for way in bpf pinned; do
		"$WPERF" record -e cpu-clock -F 999 --python $way --threads --json --data "$scratch/data" -- "$python" "$program" 0.8 \
			"$scratch/truth" >"$scratch/json" 2>"$scratch/err" </dev/null || { cat "$scratch/err"; part_skipped "$name: $way does not run"; continue; }
		shown "$scratch/json" >"$scratch/names"
		check "$name, $way: record" all_of "$scratch/truth" "$scratch/names"
		"$WPERF" report -i "$scratch/data" --threads --json >"$scratch/json" 2>/dev/null
		shown "$scratch/json" >"$scratch/names"
		check "$name, $way: report" all_of "$scratch/truth" "$scratch/names"
		"$WPERF" export -i "$scratch/data" --format gecko -o "$scratch/gecko" 2>/dev/null
		tracks "$scratch/gecko" >"$scratch/names"
		check "$name, $way: export" all_of "$scratch/truth" "$scratch/names"
	done
	"$python" "$program" 2 "$scratch/truth" &
	sleep 0.3 # until it has its threads
	"$WPERF" sample -e cpu-clock -F 999 -p $! --threads --json --timeout 0.8 >"$scratch/json" 2>/dev/null
	shown "$scratch/json" >"$scratch/names"
	wait $!
	check "$name: attached" all_of "$scratch/truth" "$scratch/names"
}

pythons=$(ls ~/.pyenv/versions/*/bin/python "${WPERF_CACHE:-/var/cache/wperf-tests}"/{built/*/bin/python3.*t,standalone/*/bin/python3.*[0-9]} /usr/bin/python3.*[0-9d] 2>/dev/null)
[ -n "$pythons" ] || skip "no Python"
one_by_one one $pythons
stock() {
	perf script -i "$scratch/data" -F comm,tid 2>/dev/null | grep -q .
}
if command -v perf >/dev/null; then
	check "stock perf reads the recording" stock
else
	part_skipped "no perf"
fi
finish

#!/bin/bash
# Events that are not sampled but all taken: each on the Python line that caused it, as many as the program and perf count.
. "$TOP/tests/live/python.sh"

events=page-faults,syscalls:sys_enter_read,sched:sched_switch
taken=${events//,/:1,}:1
"$WPERF" record -e $taken --json -- true >/dev/null 2>"$scratch/err" ||
	skip "these events cannot be taken: $(tail -n 1 "$scratch/err")"
# The program waits until the walker knows it, which a first frame of its waiting in the recording tells.
known() { # NAME
	wait_until grep -qsa wait_for_go "$scratch/$1.data.python"
}

# What the kernel has done with memory so far: while it moves a page (compaction) or takes it away, no sample can read it.
memory_events() {
	grep -E '^(pgmigrate|pswp|pgsteal|thp|ksm|balloon)' /proc/vmstat
}

run() { # ROOT PYTHON
	rm -f "$scratch"/{start*,exact*}
	{
		known exact
		touch "$scratch/start"
	} &
	memory_events >"$scratch/before"
	PY_GO=$(scratch_of "$1")/start profile exact "$1" "$2" py_exact.py 1000 || return
	memory_events >"$scratch/after"
}

# None is not whole, unless the kernel moved pages meanwhile; what it did is printed, and the share is measured once more.
whole() { # ROOT PYTHON
	holds exact broken 0 && return
	diff "$scratch/before" "$scratch/after" | grep '^>' | sed 's/^>/  memory:/'
	if [ "$(grep pgmigrate "$scratch/before")" != "$(grep pgmigrate "$scratch/after")" ]; then
		holds exact broken 5
	else
		run "$@" && holds exact broken 0
	fi
}

one() {
	local name
	name=$(label "$1" "$2")
	check "$name: runs" run "$@"
	check "$name: faults and reads are exact" holds exact counts
	check "$name: switches are exact" holds exact switches
	check "$name: none not whole but where the kernel moved pages" whole "$@"
}
profile_options="-e $taken --data $scratch/exact.data"
each_python one "$a_few"

# Beside perf, both attached to one process before it begins.
by_perf() { # EVENT
	awk -F, -v event="$1" '$3 == event || $3 == event ":u" { print $1 }' "$scratch/perf.csv"
}

by_wperf() { # EVENT
	python3 - "$scratch/beside.json" "$1" <<-'PY'
	import json, sys
	events = json.load(open(sys.argv[1]))["sampling"]["events"]
	print(sum(row["count"] for event in events if event["type"] == sys.argv[2] for row in event["samples"]))
	PY
}

beside() {
	local wperf perf program
	PY_GO=$scratch/go PY_TRUTH=$scratch/beside.truth python3 "$TOP/tests/workloads/py_exact.py" 1000 &
	program=$!
	until [ -e "$scratch/go.waits" ]; do sleep 0.1; done
	"$WPERF" sample -e $taken --json --sample-display-row 100000 --data "$scratch/beside.data" -p $program >"$scratch/beside.json" &
	wperf=$!
	# In user mode, as wperf does without -k.
	perf stat -x, -e page-faults:u,syscalls:sys_enter_read -p $program -o "$scratch/perf.csv" &
	perf=$!
	known beside
	wait_until is_watching $perf 2
	touch "$scratch/go"
	wait $program $perf $wperf
	check "attached: faults and reads are exact" holds beside counts
	for event in page-faults syscalls:sys_enter_read; do
		check "$event: as many as perf counts" within "$(by_wperf $event)" "$(by_perf $event)" 0
	done
}
if perf stat -e $events true >/dev/null 2>&1; then
	beside
else
	part_skipped "no perf that counts these events"
fi
finish

#!/bin/bash
# Python code in shapes that profilers get wrong: the chain of callers of every sample is the program's.
. "$TOP/tests/live/python.sh"

profile_options="-e cpu-clock -F 4000 -g"
one() { # ROOT PYTHON
	local name
	name=$(label "$1" "$2")
	check "$name: runs" profile "trap" "$1" "$2" py_traps.py all 0.1
	check "$name: chains of callers" holds "trap" cases 99
	check "$name: at most 0.1 % are not whole" holds "trap" broken 0.1
}
each_python one "$a_few"

known_lines() { # what is not known is a row of its own
	"$WPERF" script -i "$scratch/huge.data" 2>"$scratch/huge.err" | sed -n 's/.* big (\(.*\))$/\1/p' >"$scratch/huge.lines"
	[ "$(grep -c . "$scratch/huge.lines")" -gt 10 ] && ! grep -v '^huge.py:[0-9]' "$scratch/huge.lines" | sort | uniq -c | grep .
}

lines_of_all() { # ROOT PYTHON WAY: in every sample of the function
	local folder=$TOP/tests/workloads
	[ "$1" = / ] || folder=/mnt
	rm -f "$scratch/huge.data"
	"$WPERF" record -q -F 1999 --python "$3" --data "$scratch/huge.data" -- "$suites" run "$1" "$2" "$folder/py_huge.py" >"$scratch/huge" 2>&1
	known_lines
}

state_of() { # PID
	awk '/^State:/ { print $2 }' "/proc/$1/status" 2>/dev/null
}

comes_to() { # PID STATE
	for _ in $(seq 200); do
		[ "$(state_of "$1")" = "$2" ] && return
		sleep 0.05
	done
	return 1
}

lines_of_stopped() { # PYTHON: wperf stands still from before the function is called until its process is gone
	local wperf
	rm -f "$scratch/huge.data"
	"$WPERF" record -q -F 1999 --data "$scratch/huge.data" -- "$1" "$TOP/tests/workloads/py_huge.py" stop >"$scratch/huge" 2>&1 &
	wperf=$!
	comes_to $wperf T && comes_to "$(pgrep -P $wperf)" Z
	kill -CONT $wperf
	wait $wperf && known_lines
}

huge() {
	local way
	for way in bpf pinned; do
		check "$(label "$1" "$2"), $way: a line in 12,000 that is hit as the program ends" lines_of_all "$1" "$2" $way
	done
	if [ "$1" != / ]; then
		part_skipped "$(label "$1" "$2"): an interpreter of another root is no child of wperf, which it would stop"
	elif ! "$WPERF" --version | grep -q '+bpf'; then
		part_skipped "built without BPF: readers must run to copy a line table"
	else
		check "$(label "$1" "$2"): a line in 12,000 when nobody looked until the program had ended" lines_of_stopped "$2"
	fi
}
each_python huge "$a_few"
finish

#!/bin/bash
# Python code in shapes that profilers get wrong: the chain of callers of every sample is the program's.
. "$TOP/tests/live/python.sh"

profile_options="-e cpu-clock -F 2000 -g"
cases=$(python3 "$TOP/tests/workloads/py_traps.py" list) || skip "python3 does not run the cases"

trap_case() { # CASE ROOT PYTHON
	local name
	name="$(label "$2" "$3"): $1"
	check "$name: runs" profile "trap" "$2" "$3" py_traps.py "$1" 0.5
	check "$name: the chain" holds "trap" chain 99
	check "$name: whole" holds "trap" broken 0.5
}

all_cases() { # ROOT PYTHON
	for case in $("$suites" run "$1" "$2" "$([ "$1" = / ] && echo "$TOP/tests/workloads" || echo /mnt)/py_traps.py" list); do
		trap_case "$case" "$1" "$2"
	done
}
# One version of each way of running Python code; WPERF_ALL_TRAPS=1: all.
for one in ${WPERF_ALL_TRAPS:+.} ${WPERF_ALL_TRAPS:-/2.7. /3.10. /3.12. forky.*3.14}; do
	[ "$one" = 1 ] || each_python all_cases "$one"
done
finish

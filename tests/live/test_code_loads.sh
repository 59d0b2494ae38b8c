#!/bin/bash
# What makes a Python line of Arm SPE's records exact: each load by the evaluation loop that lies in bytecode is of the
# instruction that runs, or that runs next. Programs run one instruction at a time, and are held against their frames.
. "$TOP/tests/live/lib.sh"
tool=$WORK/tools/code_loads
[ -x "$tool" ] || skip "single steps are for x86-64"
steps=40000
[ -z "${WPERF_EVERY_PYTHON:-}" ] || steps=150000

got() { # KEY: of the last run
	awk -v key="$1" '$1 == key { print $2 }' "$scratch/out"
}
all_run() { # PYTHON: none is of anything else, and there were some
	rm -f "$scratch/ready"
	READY=$scratch/ready timeout 100 "$tool" "$steps" "$1" "$TOP/tests/live/code_loads.py" >"$scratch/out" 2>"$scratch/err" &&
		[ "$(got other)" = 0 ] && [ $(($(got units) * 1000)) -ge "$steps" ] && [ $((2 * ($(got now) + $(got next)))) -ge "$(got units)" ]
	local status=$?
	tr '\n' ' ' <"$scratch/out"
	echo
	tail -n 3 "$scratch/err"
	return $status
}
pythons() {
	if [ -n "${WPERF_EVERY_PYTHON:-}" ]; then
		ls "$HOME"/.pyenv/versions/3.*/bin/python /usr/bin/python3.[0-9]* 2>/dev/null | grep -v config
	else
		ls "$HOME"/.pyenv/versions/3.1[13].*/bin/python /usr/bin/python3 2>/dev/null | tail -n 3
	fi
}
n=0
while read -r python <&3; do
	check "$python: code units that are loaded run" all_run "$python"
	n=$((n + 1))
done 3< <(pythons)
[ $n -gt 0 ] || skip "no Python is here"
finish

#!/bin/bash
# Threads that wait in read(2), with and without the GIL: the frames of the samples taken when they began to wait are,
# function, file and line, those that faulthandler and gdb's py-bt see while they wait.
. "$TOP/tests/live/python.sh"

"$WPERF" record -e syscalls:sys_enter_read:1 --json -- true >/dev/null 2>"$scratch/err" ||
	skip "no tracepoints of system calls here: $(tail -n 1 "$scratch/err")"

# The program says so, and its first thread reads (0 on x86-64, 63 on arm64) from standard input.
is_parked() {
	[ -s "$scratch/parked.truth" ] && grep -qE '^(0|63) 0x0 ' "/proc/$(pid_of)/syscall"
}
is_dumped() {
	[ -s "$scratch/dump" ] && is_parked
}

pid_of() {
	python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["pid"])' "$scratch/parked.truth"
}

# gdb needs the script that comes with the interpreter's build.
ask_gdb() { # PID
	timeout 60 gdb -p "$1" -batch -iex 'set auto-load safe-path /' -iex 'set debuginfod enabled off' \
		-ex 'thread apply all py-bt' >"$scratch/gdb" 2>/dev/null
	grep -q 'Traceback' "$scratch/gdb"
}

one() { # ROOT PYTHON
	local name pid wperf
	name=$(label "$1" "$2")
	rm -f "$scratch"/{parked.truth,dump,gdb,release}
	mkfifo "$scratch/release"
	PY_DUMP=$scratch/dump PY_TRUTH=$scratch/parked.truth "$WPERF" record --json --sample-display-row 100000 --threads -g \
		-e syscalls:sys_enter_read:1 -- "$2" "$TOP/tests/workloads/py_parked.py" \
		<"$scratch/release" >"$scratch/parked.json" 2>"$scratch/parked.err" &
	wperf=$!
	exec 8>"$scratch/release"
	check "$name: all threads wait" wait_until is_parked
	[ -s "$scratch/parked.truth" ] || { exec 8>&-; return; }
	pid=$(pid_of)
	kill -USR1 "$pid"
	check "$name: faulthandler has said where" wait_until is_dumped
	ask_gdb "$pid" || rm -f "$scratch/gdb"
	exec 8>&-
	wait $wperf
	check "$name: faulthandler agrees" python3 "$TOP/tests/live/python_frames.py" "$scratch/parked.json" \
		"$scratch/parked.truth" "$scratch/dump" faulthandler
	if [ -s "$scratch/gdb" ]; then
		check "$name: gdb agrees" python3 "$TOP/tests/live/python_frames.py" "$scratch/parked.json" \
			"$scratch/parked.truth" "$scratch/gdb" gdb
	else
		part_skipped "gdb has no py-bt for $name"
	fi
}
each_python one "^/ .*(/3.6|/3.8|/3.10|/3.11.7|/3.12|/3.13.0|3.11d|/standalone/)"
finish

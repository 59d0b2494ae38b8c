#!/bin/bash
# Code objects that live for one call, each in the place of one that was freed: every sample has the name, file and line of its own.
# WPERF_TRANSIENT=TIMES: how many of each of thirteen kinds (300), of which half is made by the standard library itself (doctest, timeit, code,
# runpy, marshal, collections or dataclasses); 80000 are a million, a minute or two for each interpreter and way.
. "$TOP/tests/live/python.sh"
"$WPERF" record --no-data -e syscalls:sys_enter_write:1 -- true >/dev/null 2>"$scratch/err" ||
	skip "no tracepoints of system calls here: $(tail -n 1 "$scratch/err")"

told() { # NAME TRUTH UNKNOWN
	"$WPERF" script --json -i "$scratch/$1.data" 2>/dev/null | python3 "$TOP/tests/live/python_transient.py" "$2" "$3"
}

one() { # ROOT PYTHON
	local name run kind folder=$TOP/tests/workloads
	name=$(label "$1" "$2")
	run=${name//[^a-z0-9.]/_}
	[ "$1" = / ] || folder=/mnt
	for kind in bpf pinned; do
		rm -f "$scratch/$run.data" "$scratch/$run.truth"
		PY_TRUTH=$(scratch_of "$1")/$run.truth "$WPERF" record -q -e syscalls:sys_enter_write:1 --filter count==1 --python $kind --data "$scratch/$run.data" -- \
			"$suites" run "$1" "$2" "$folder/py_transient.py" "${WPERF_TRANSIENT:-300}" >"$scratch/$run.out" 2>&1
		check "$name, $kind: each has its own name" told "$run" "$scratch/$run.truth" "$([ $kind = bpf ] && echo 0 || echo 0.2)"
	done
}
each_python one
each_mode one
finish

#!/bin/bash
# Random stacks of code of the standard library: every caller, line and callee in them is one that sys.setprofile() saw in another
# run of the same code, in every interpreter, by both ways of reading frames, with native frames and without.
. "$TOP/tests/live/python.sh"
export PYTHONHASHSEED=0 # what hashes put in another order calls the same functions, but from other places

edges() { # NAME TRUTH: of the recording $scratch/NAME.data
	"$WPERF" script --json -i "$scratch/$1.data" 2>"$scratch/$1.err" | python3 "$TOP/tests/live/python_edges.py" "$2" 400
}

one() { # ROOT PYTHON
	local name run kind folder=$TOP/tests/workloads words
	name=$(label "$1" "$2")
	run=${name//[^a-z0-9.]/_}
	[ "$1" = / ] || folder=/mnt
	words=("$suites" run "$1" "$2" "$folder/py_edges.py")
	check "$name: runs" env PY_TRUTH="$(scratch_of "$1")/$run.truth" "${words[@]}" truth
	for kind in "--python bpf" "--python bpf -g" "--python pinned"; do
		rm -f "$scratch/$run.data"
		"$WPERF" record -q -e cpu-clock -F 1999 $kind --data "$scratch/$run.data" -- "${words[@]}" run 0.8 >"$scratch/$run.out" 2>&1
		check "$name: no call that was never made ($kind)" edges "$run" "$scratch/$run.truth"
	done
}
each_python one
each_mode one
finish

#!/bin/bash
# Ground truth for every single sample: what the program said it did at that instant, and how deep recursion was.
. "$TOP/tests/live/python.sh"
probe=$WORK/tools/python_probe
[ -x "$probe" ] || skip "no python_probe was built"

marked() { # PYTHON
	local program
	PY_TRUTH=$scratch/marker.truth "$1" "$TOP/tests/workloads/py_marker.py" 60 &
	program=$!
	sleep 0.7
	"$probe" -T -F 4999 -t 1.5 $program >"$scratch/samples" 2>"$scratch/probe.err" || cat "$scratch/probe.err"
	kill $program
	wait $program
	python3 "$TOP/tests/live/python_marker.py" "$scratch/samples" "$scratch/marker.truth"
}

# Frames of "descend" in each sample that has a leaf: all the same.
deep() { # PYTHON CASE FRAMES
	local program
	PY_TRUTH=$scratch/deep.truth "$1" "$TOP/tests/workloads/py_traps.py" "$2" 60 &
	program=$!
	sleep 0.7
	"$probe" -F 999 -t 0.6 $program >"$scratch/samples" 2>"$scratch/probe.err" || cat "$scratch/probe.err"
	kill $program 2>/dev/null
	wait $program 2>/dev/null
	awk -v want="$3" '/complete/ && / leaf@/ { n++; if (gsub(/ descend@/, "") != want) bad++ }
		END { print "  " n + 0 " samples, " bad + 0 " not " want " deep"; exit n < 20 || bad }' "$scratch/samples"
}

one() { # "ROOT PYTHON"
	local python=${1#* } name
	name=$(label $1)
	scratch=$(mktemp -d -p "$scratch")
	check "$name: every sample is where the program was" marked "$python"
	check "$name: 600 frames in every sample" deep "$python" recursion 600
	check "$name: 5000 frames in every sample" deep "$python" deep 5000
}
mapfile -t few < <("$suites" list | grep -E "$a_few")
side_by_side one "${few[@]}"
finish

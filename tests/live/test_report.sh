#!/bin/bash
# wperf report: of our recordings the very same as the live report; perf names their Python frames; of perf's the same counts.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
oracle=$TOP/tests/live/report_oracle.py
mixed=$TOP/tests/workloads/py_mixed.py
python=$(any_python) || skip "no Python"


record() { # NAME OPTIONS...: live report $scratch/NAME.json, recording NAME.data
	local name=$1
	shift
	(cd "$scratch" && "$WPERF" record "$@" -e cpu-clock,page-faults:50 -F 500 --sample-display-row 100000 --data "$name.data" \
		-o "$name.json" -- "$python" "$mixed" "$seconds" deep >/dev/null 2>"$name.log") || { cat "$scratch/$name.log"; return 1; }
}

report() { # NAME OPTIONS...: NAME.report.json
	local name=$1
	shift
	"$WPERF" report "$@" -i "$scratch/$name.data" --sample-display-row 100000 -o "$scratch/$name.report.json" >/dev/null 2>"$scratch/$name.note" ||
		{ cat "$scratch/$name.note"; return 1; }
}

compare() { # NAME
	python3 "$oracle" same "$scratch/$1.json" "$scratch/$1.report.json"
}

# The interpreter's files are read while it runs already: a busy machine takes more than a short run to come to its frames.
record_python() { # As record
	local seconds
	for seconds in 0.7 3 12; do
		record "$@" || return 1
		python3 "$oracle" enough "$scratch/$1.json" && return 0
	done
	echo "  no Python functions in $seconds s"
	return 1
}

round_trip() { # NAME REPORT_OPTIONS RECORD_OPTIONS...
	local name=$1 options=$2
	shift 2
	check "$name: recorded" record_python "$name" "$@"
	check "$name: reported" report "$name" $options
	check "$name: the same as live" compare "$name"
}

round_trip stacks -g -g
round_trip plain ""
round_trip packed -g -g -z --interpreter-frames
"$WPERF" record -k -e cpu-clock --json -- true >/dev/null 2>&1 && round_trip kernel -g -g -k

commands() { # the shares of perf's `--sort comm` are ours, one a line
	perf report --stdio -g none --sort comm -i "$scratch/shell.data" 2>/dev/null | sed -nE 's/^ *([0-9.]+)% +([0-9.]+% +)?(\S+) *$/\1 \3/p' | sort
}
"$WPERF" record -q -e cpu-clock -F 2000 --data "$scratch/shell.data" -- sh -c 'head -c 300000000 /dev/zero | sha1sum' >/dev/null 2>&1
if command -v perf >/dev/null && [ -n "$(commands)" ]; then
	check "by command, as perf's comm" test "$(commands)" = "$("$WPERF" report -i "$scratch/shell.data" --sort overhead,comm --rows 1000 |
		sed -nE 's/^ +([0-9.]+) +[0-9]+ +(\S+) *$/\1 \2/p' | sort)"
else
	part_skipped "no perf to compare with"
fi
check "a recording that is not there: one line" [ "$("$WPERF" report -i "$scratch/none.data" 2>&1 | wc -l)" = 1 ]
check "filters: another process has no samples" [ "$("$WPERF" report -i "$scratch/plain.data" --pid 1 --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["sampling"]["samples_generated"])')" = 0 ]
sum=0
for part in 0s,300ms 300ms,600ms 600ms,; do
	n=$("$WPERF" report -i "$scratch/plain.data" --time $part --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["sampling"]["samples_generated"])')
	sum=$((sum + n))
done
check "parts of the time add up" [ "$sum" = "$(member "$scratch/plain.json" samples_generated)" ]

command -v perf >/dev/null || { part_skipped "no perf"; finish; }
perf record -q -N -e cpu-clock:u -o "$scratch/try" true >/dev/null 2>&1 || { part_skipped "this user may not sample with perf"; finish; }

check "perf names the Python frames" python3 "$oracle" python "$scratch/stacks.data" "$scratch/stacks.report.json"
check "without -g too, and their lines" python3 "$oracle" python "$scratch/plain.data" "$scratch/plain.report.json" lines

stock() { # NAME OPTIONS...: also to stdout
	local name=$1
	shift
	perf record -q -N -F 500 "$@" -- "$python" "$mixed" 0.5 deep 2>/dev/null
	files+=("$scratch/$name.data")
}

files=("$scratch/stacks.data")
stock stock.fp -e cpu-clock -g -o "$scratch/stock.fp.data"
stock stock.dwarf -e cpu-clock:u --call-graph dwarf,16384 -o "$scratch/stock.dwarf.data"
stock stock.events -e cpu-clock,page-faults -o "$scratch/stock.events.data"
stock stock.packed -z -e cpu-clock -o "$scratch/stock.packed.data"
stock stock.pipe -e cpu-clock -o - >"$scratch/stock.pipe.data"
check "perf's counts, of our recording and of its own" python3 "$oracle" counts "$WPERF" "${files[@]}"
check "perf's totals with callees" python3 "$oracle" children "$WPERF" "$scratch/stacks.data" "$scratch/stock.fp.data"
"$WPERF" report -i - <"$scratch/stock.pipe.data" >"$scratch/piped" 2>&1
"$WPERF" report -i "$scratch/stock.pipe.data" >"$scratch/saved" 2>&1
check "on standard input as in a file" cmp "$scratch/piped" "$scratch/saved"
check "perf record -o - | wperf report" grep -q "hot functions" \
	<(perf record -q -N -e cpu-clock -o - -- "$python" "$mixed" 0.2 2>/dev/null | "$WPERF" report -i - 2>&1)
finish

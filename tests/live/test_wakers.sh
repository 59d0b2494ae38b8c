#!/bin/bash
# --wakers: each wait that a program knows the end of was ended by whom it says, and by whom sched:sched_waking says that it was; a recording tells the same as the
# run. WPERF_EVERY_PYTHON=1: every interpreter.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
mount_tracefs || skip "no tracefs"
cd "$scratch" || exit 2
"$WPERF" record --wakers --data true.data -- true >/dev/null 2>true.err || skip "wakers cannot be sampled: $(tail -n 1 true.err)"
who=$TOP/tests/workloads/py_wakers.py

python_wakers() { # PYTHON
	local name more=
	name=$(basename "$(dirname "$(dirname "$1")")")
	case $name in 2.7.* | 3.6.*) more=more ;; esac # whose GIL is a lock like others
	WAKERS_TRUTH=$name.truth "$WPERF" record --wakers --threads --json --sample-display-row 100000 --data "$name.data" -- "$1" "$who" >"$name.json" 2>"$name.err" ||
		{ check "$name: $(tail -n 1 "$name.err")" false; return; }
	check "$name: who ended each wait" python3 "$TOP/tests/live/wakers_check.py" "$name.json" "$name.truth" $more
	# The kernel drops a tracepoint's program where another one is at work on the CPU: a timer then has nobody who tells of it.
	check "$name: everybody was seen, but for three perhaps" bash -c '! grep "was not seen" "$0" | grep -vE "ended [123] of"' "$name.err"
}
pythons=$(any_python)
[ -z "${WPERF_EVERY_PYTHON:-}" ] || pythons=$(ls "$HOME"/.pyenv/versions/*/bin/python /usr/bin/python3 2>/dev/null)
[ -n "$pythons" ] || skip "no CPython"
one_by_one python_wakers $pythons
python=$(tail -n 1 <<<"$pythons")
name=$(basename "$(dirname "$(dirname "$python")")")

wakers_of() { # FILE
	python3 -c 'import json, sys
print(*[row for event in json.load(open(sys.argv[1]))["sampling"]["events"] for row in event.get("wakers", [])], sep="\n")' "$1"
}
"$WPERF" report -i "$name.data" --wakers --threads --json --sample-display-row 100000 >report.json 2>/dev/null
check "the recording tells the same" diff <(wakers_of "$name.json") <(wakers_of report.json)

if command -v perf >/dev/null && [ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ]; then
	perf record -q -a -k mono -e sched:sched_waking -o perf.data -- env WAKERS_TRUTH=both.truth \
		"$WPERF" record --wakers --data both.data -- "$python" "$who" >/dev/null 2>both.err
	perf script -i perf.data -F tid,time,trace --ns 2>/dev/null >perf.text
	"$WPERF" script -i both.data -F tid,time,event,trace >both.text 2>/dev/null
	grep -oE '"tid": [0-9]+' both.truth | grep -oE '[0-9]+' >both.tids
	check "wakers are those of sched:sched_waking" python3 "$TOP/tests/live/wakers_oracle.py" both.text perf.text both.tids
	check "perf report reads the recording" bash -c 'perf report -i both.data --stdio 2>/dev/null | grep -q "of event .wakers"'
else
	part_skipped "no perf, or in a PID namespace"
fi
finish

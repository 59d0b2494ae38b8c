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
	# There are threads (of process 1 of a virtual machine, say) in whose interrupts the kernel calls no program at all.
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

# Whatever is watched: the machine, a cgroup beside one that is empty, a process that runs already, with its children to come.
of_target() { # NAME SAYS ARGUMENTS...
	WAKERS_TRUTH=$1.truth "$WPERF" record --wakers --threads --json --sample-display-row 100000 --data "$1.data" "${@:3}" >"$1.json" 2>"$1.err" ||
		{ check "$2: $(tail -n 1 "$1.err")" false; return; }
	check "$2: who ended each wait" python3 "$TOP/tests/live/wakers_check.py" "$1.json" "$1.truth" $more
}
more=
case $name in 2.7.* | 3.6.*) more=more ;; esac
of_target machine -a -a -- "$python" "$who"
mount=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
[ -n "$mount" ] || mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=wperf-wakers-$$
if [ "$(id -u)" = 0 ] && [ -n "$mount" ] && mkdir "$mount/$group" "$mount/$group-empty" 2>/dev/null; then
	of_target cgroup -G -G "$group-empty,$group" -- sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$mount/$group" "$python" "$who"
	rmdir "$mount/$group" "$mount/$group-empty"
else
	part_skipped "no cgroup can be made here"
fi
mkfifo go
WAKERS_TRUTH=process.truth sh -c 'read x; exec "$@"' sh "$python" "$who" <go &
pid=$!
exec 9>go
"$WPERF" sample --wakers --threads --json --sample-display-row 100000 -p $pid >process.json 2>process.err &
tool=$!
wait_until is_watching $tool
echo >&9
wait $tool
check "-p: who ended each wait" python3 "$TOP/tests/live/wakers_check.py" process.json process.truth $more

# While a map is being changed by a system call, the kernel calls no program of a tracepoint's event on that CPU.
taskset -c 0 "$WORK/tools/map_busy" 3 &
busy=$!
taskset -c 0 "$WPERF" record --wakers --data busy.data -- "$python" -c 'import time
for i in range(500): time.sleep(0.001)' >busy.out 2>busy.err
if wait $busy; then
	# Half of them, without the program behind it.
	check "beside changes of a map: everybody was seen, but for some perhaps" bash -c '! grep "was not seen" "$0" | grep -vE "ended [0-9] of"' busy.err
	check "beside changes of a map: timers" grep -qE ' (49|50)[0-9] .*\[timer\]' busy.out
else
	part_skipped "no map can be changed here"
fi
finish

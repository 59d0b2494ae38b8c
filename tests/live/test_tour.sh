#!/bin/bash
# The commands of docs/python-tour.md do what it says: each one is run, and the lines that it points at are the first ones.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock --no-data -- true 2>&1 | tail -n 1)"
python=$(any_python) || skip "no CPython from 3.10 on"
cp -r "$TOP/docs" "$scratch/docs" && cd "$scratch/docs" || exit 1
mkdir "$scratch/bin"
ln -s "$WPERF" "$scratch/bin/wperf"
ln -s "$python" "$scratch/bin/python3"
PATH=$scratch/bin:$PATH
export WPERF_PAGER=cat

mount_tracefs
"$python" tour/orders.py 100 >"$scratch/out" &
service=$!
n=0
while read -r line; do
	line=${line%%#*}
	case $line in
	*cache-misses*) # no PMU in most virtual machines
		"$WPERF" stat -e cache-misses -- true >/dev/null 2>&1 || { part_skipped "no PMU"; continue; } ;;
	*syscalls:*) [ -r /sys/kernel/tracing/events/syscalls ] || { part_skipped "tracepoints need root"; continue; } ;;
	esac
	n=$((n + 1))
	line=${line/PID/$service}
	line=${line/orders.py/orders.py 0.5} # as long as a test may take
	check "$line" eval "${line/--timeout 10/--timeout 2} >'$scratch/$n' 2>&1"
	[ $n = 1 ] && cp perf.data "$scratch/first.data"
done < <(sed -n 's/^\$ //p' "$TOP/docs/python-tour.md")
kill $service
check "there were commands" test $n -ge 9

# Two lines of the script's own have most of the time, whatever the speed of the machine. What it does once, before its time
# begins, has a fifth of half a second on a busy one.
"$WPERF" report -i "$scratch/first.data" --json >"$scratch/first.json" 2>/dev/null
first() {
	python3 - "$scratch/first.json" <<-'PY'
	import json, sys
	rows = json.load(open(sys.argv[1]))["sampling"]["events"][0]["python_own"]
	rows = [row for row in rows if not 10 <= (row["line"] or 0) <= 18][:2] # fill; an instruction may have no line: null
	print([(row["function"], row["line"], row["own"]) for row in rows])
	sys.exit({row["function"].split(".")[-1] for row in rows} != {"__init__", "customer"})
	PY
}
check "the two lines come first" first
finish

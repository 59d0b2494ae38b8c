#!/bin/bash
# Counts next to stock perf stat on the same command.
. "$TOP/tests/live/lib.sh"
"$WPERF" stat -e page-faults --json -- true >/dev/null 2>&1 || skip "this user may not count: $("$WPERF" stat -e page-faults -- true 2>&1 | tail -n 1)"
shapes=$WORKLOADS/shapes
json=$scratch/out.json
perf=$(command -v perf)
$perf stat -e page-faults true >/dev/null 2>&1 || perf=""

perf_count() { # EVENT COMMAND...
	local event=$1
	shift
	perf stat -x, -e "$event" -o "$scratch/perf" -- "$@" >/dev/null 2>&1
	awk -F, -v e="$event" '$3 == e { print $1 }' "$scratch/perf"
}

ours() { # EVENT COMMAND...
	local event=$1
	shift
	"$WPERF" stat -k -e "$event" --json -- "$@" >"$json"
	count "$json" "$event"
}

if [ -n "$perf" ]; then
	# Where addresses and page boundaries fall moves the number by a few: the same layout for both.
	still="setarch -R $shapes nothing"
	$still # what is not in the cache is mapped page by page
	check "page-faults equal" within "$(ours page-faults $still)" "$(perf_count page-faults $still)" 6
	check "task-clock alike" within "$(ours task-clock "$shapes" shares 10)" \
		"$(perf_count task-clock "$shapes" shares 10 | awk '{ print $1 * 1e6 }')" 1e8
	perf stat -x, -e context-switches -o "$scratch/perf" -- "$WPERF" stat -k -e context-switches --json -- "$shapes" threads 1 >"$json"
	n=$(count "$json" context-switches) most=$(awk -F, '$3 == "context-switches" { print $1 }' "$scratch/perf")
	check "context-switches of 200 threads: no more than perf counts around us ($n of $most)" test "$n" -ge 1 -a "$n" -le "$most"
	if [ "$(id -u)" = 0 ] && perf list 2>/dev/null | grep -q raw_syscalls:sys_enter; then
		check "system calls equal" within "$(ours raw_syscalls:sys_enter "$shapes" nothing)" \
			"$(perf_count raw_syscalls:sys_enter "$shapes" nothing)" 0
		check "forks equal" within "$(ours sched:sched_process_fork "$shapes" forks 5)" \
			"$(perf_count sched:sched_process_fork "$shapes" forks 5)" 0
	else
		part_skipped "tracepoints need root and tracefs"
	fi
else
	part_skipped "stock perf is not installed or does not run"
fi

if "$WPERF" stat -e sched:sched_process_fork --json -- "$shapes" forks 5 >"$json" 2>"$scratch/err"; then
	check "5 forks counted in the tree" test "$(count "$json" sched:sched_process_fork)" = 5
else
	part_skipped "tracepoints: $(tail -n 1 "$scratch/err")"
fi
began=$(date +%s%N)
"$WPERF" stat -e '{page-faults,task-clock},context-switches' --json -- "$shapes" shares 3 >"$json"
took=$(($(date +%s%N) - began))
check "a group runs all the time" test "$(count "$json" page-faults)" -gt 10
check "task-clock of a busy 0.3 s" awk -v n="$(count "$json" task-clock)" -v took=$took 'BEGIN { exit !(n >= 2.5e8 && n <= took) }'
began=$(date +%s%N)
if "$WPERF" stat -e task-clock --timeout 1 -c 0 --json >"$json" 2>"$scratch/err"; then
	took=$(($(date +%s%N) - began))
	check "a CPU's clock for 1 s of $took ns" awk -v n="$(count "$json" task-clock)" -v took=$took 'BEGIN { exit !(n >= 0.99e9 && n <= took) }'
	"$WPERF" stat -e task-clock -t -i 0 -n 3 --timeout 0.2 -c 0 --json --output "$scratch/t.json" --output-csv "$scratch/t.csv"
	check "a timeline has its three entries" test "$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["timeline"]))' "$scratch/t.json")" = 3
	check "and its CSV" test "$(grep -cE '^[0-9]+,' "$scratch/t.csv")" = 3
else
	part_skipped "counting a CPU: $(tail -n 1 "$scratch/err")"
fi
# What CPUs share: the first PMU of this machine with a cpumask and a named event with a unit, beside a process.
for pmu in /sys/bus/event_source/devices/*; do
	unit=$(ls "$pmu"/events/*.unit 2>/dev/null | head -n 1)
	[ -r "$pmu/cpumask" ] && [ -n "$unit" ] && [ "$(id -u)" = 0 ] && break
	unit=""
done
shared() { # is counted on the CPU of the cpumask, whatever runs where, and comes with its unit
	"$WPERF" stat -e "$event,task-clock" --json -- true >"$json" && python3 - "$json" "$event" "$(cat "$unit")" <<-'PY'
	import json, sys
	stat = json.load(open(sys.argv[1]))
	rows = stat["uncore"]["PMU_Performance_Counters"]
	assert rows[0]["event_name"] == sys.argv[2] and rows[0]["unit"] == sys.argv[3], rows
	assert rows[0]["counter_value"] is not None, rows
	assert stat["core"]["cores"][0]["Performance_counter"][-1]["event_name"] == "task-clock", stat
	PY
}
if [ -n "$unit" ]; then
	event=$(basename "$pmu")/$(basename "$unit" .unit)/
	check "$event is counted beside a process" shared
else
	part_skipped "no PMU here is shared by CPUs, or not root"
fi
finish

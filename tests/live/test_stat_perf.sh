#!/bin/bash
# perf's habits of stat next to stock perf: the default set, repeated runs, intervals, CSV; as root and as nobody.
. "$TOP/tests/live/lib.sh"
"$WPERF" stat -e page-faults --json -- true >/dev/null 2>&1 || skip "this user may not count: $("$WPERF" stat -e page-faults -- true 2>&1 | tail -n 1)"
shapes=$WORKLOADS/shapes
still="setarch -R $shapes nothing"
ours=$scratch/ours
theirs=$scratch/theirs
cd "$scratch" || exit 1

fields() { # FILE: all of perf's CSV of intervals but what differs from run to run
	sed 's/^ *//' "$1" | awk -F, '{ print $3 "|" $4 "|" NF "|" $NF }'
}

field() { # FILE EVENT N: field N of the event's first line
	awk -F, -v e="$2" -v n="$3" '$3 == e { print $n; exit }' "$1"
}

"$WPERF" stat -- "$shapes" shares 3 >"$ours" 2>&1
check "nothing named: it counts" test $? = 0
check "... a clock in milliseconds" within "$(awk '$3 == "task-clock" { print $1 }' "$ours")" 300 100
check "... with the command's CPU time" within "$(awk '/seconds (user|sys)/ { t += $1 } END { print t }' "$ours")" 0.3 0.1
"$WPERF" stat -q -- sh -c 'exit 7' >/dev/null 2>&1
check "... and its exit status" test $? = 7
"$WPERF" stat -r 3 -q -- sh -c 'exit 7' >/dev/null 2>&1
check "repeated, too" test $? = 7
"$WPERF" stat -r 4 --json -e page-faults -- $still >"$ours" 2>/dev/null
check "four runs of the same" python3 - "$ours" <<-'PY'
	import json, statistics, sys
	doc = json.load(open(sys.argv[1]))
	event = doc["events"][0]
	assert doc["repeat"] == 4 == len(event["runs"]) == len(doc["Time_elapsed"]["runs"]), doc
	assert abs(event["mean"] - statistics.mean(event["runs"])) < 0.01, event
	assert abs(event["stddev"] - statistics.stdev(event["runs"])) < 0.01, event
	deviation = 100 * statistics.stdev(event["runs"]) / 4 ** 0.5 / event["mean"]
	assert abs(event["deviation_pct"] - deviation) < 0.001, event
	PY
"$WPERF" stat -r 0 -e page-faults -- sleep 0.3 >"$ours" 2>/dev/null &
counter=$!
sleep 1
kill -INT $counter
wait $counter
check "forever ends with Ctrl-C" grep -qE "'sleep 0.3' \([2-5] runs\)" "$ours"

"$WPERF" stat -k -I 100 -x, -e page-faults -- setarch -R "$shapes" forks 20 >"$ours" 2>/dev/null
"$WPERF" stat -k -x, -e page-faults -- setarch -R "$shapes" forks 20 >"$theirs" 2>/dev/null
check "intervals add up" within "$(awk -F, '{ n += $2 } END { print n }' "$ours")" "$(field "$theirs" page-faults 1)" 20
"$WPERF" stat -I 100 -x, -e task-clock -- sleep 0.35 >"$ours"
check "the last part of an interval is shown" within "$(tail -n 1 "$ours" | cut -d, -f1)" 0.35 0.04
check "... behind three whole ones" test "$(wc -l <"$ours")" = 4
"$WPERF" stat -I 100 --interval-count 2 --json -e task-clock -- sleep 5 >"$ours"
check "two intervals as JSON, a line each" test "$(python3 -c 'import json,sys; print(len([json.loads(l) for l in sys.stdin]))' <"$ours")" = 2
sleep 5 &
sleeper=$!
"$WPERF" stat -I 100 -e task-clock -p $sleeper >"$ours" 2>/dev/null &
counter=$!
sleep 0.55
kill -INT $counter
wait $counter
check "intervals of a process end with Ctrl-C" test "$(grep -c task-clock "$ours")" -ge 4
kill $sleeper
"$WPERF" stat -x, -o f.csv -e task-clock -- true
"$WPERF" stat -x, -o f.csv --append -e page-faults -- true
check "CSV goes into a file" test "$(cut -d, -f3 f.csv | tr '\n' ' ')" = "task-clock page-faults "

if command -v perf >/dev/null && perf stat true >/dev/null 2>&1; then
	"$WPERF" stat -x, -- $still >"$ours" 2>/dev/null
	perf stat -x, -o "$theirs" -- $still 2>/dev/null
	sed -i '/^#/d; /^$/d' "$theirs"
	check "the default set is perf's" test "$(cut -d, -f2,3 "$ours")" = "$(cut -d, -f2,3 "$theirs")"
	check "... with as many fields" test "$(awk -F, '{ print NF }' "$ours")" = "$(awk -F, '{ print NF }' "$theirs")"
	check "... and page faults" within "$(field "$ours" page-faults 1)" "$(field "$theirs" page-faults 1)" 6
	"$WPERF" stat -r 3 -x, -e page-faults -- $still >"$ours" 2>/dev/null
	perf stat -r 3 -x, -o "$theirs" -e page-faults:u -- $still 2>/dev/null # what is named is counted in user mode
	check "repeated: perf's fields" test "$(awk -F, '$3 == "page-faults" { print NF }' "$ours")" = "$(awk -F, '$3 == "page-faults:u" { print NF }' "$theirs")"
	check "... and mean" within "$(field "$ours" page-faults 1)" "$(field "$theirs" page-faults:u 1)" 6
	"$WPERF" stat -I 100 -x, -e task-clock -- sleep 0.25 >"$ours" 2>/dev/null
	perf stat -I 100 -x, -o "$theirs" -e task-clock -- sleep 0.25 2>/dev/null
	sed -i '/^#/d; /^$/d' "$theirs"
	check "intervals: as many lines and fields" test "$(fields "$ours" | head -n 1) $(wc -l <"$ours")" = "$(fields "$theirs" | head -n 1) $(wc -l <"$theirs")"
else
	part_skipped "stock perf is not installed or does not run"
fi
if can_be_nobody && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	as_nobody "$WPERF" stat -- true >"$ours" 2>"$scratch/err"
	check "as nobody: user mode" grep -q 'task-clock:u' "$ours"
	check "... what is missing is said" grep -q 'perf_event_paranoid <= 1' "$scratch/err"
else
	part_skipped "cannot become nobody, or perf_event_paranoid is not 2"
fi
finish

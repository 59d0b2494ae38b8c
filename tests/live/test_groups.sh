#!/bin/bash
# Groups that are sampled, {a,b}:S: each sample counts what every member moved since the one before, as perf has it.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock --no-data -- true 2>&1 | tail -n 1)"
cd "$scratch" || exit 2
# Touches memory, in several processes.
busy=(sh -c 'for i in 1 2 3; do dd if=/dev/zero of=/dev/null bs=16M count=3 2>/dev/null; done')
group='{task-clock,page-faults,context-switches}:S'

"$WPERF" record -k -e "$group" -F 2000 --data own.data -q -- "${busy[@]}" >own.text 2>own.notes
check "a group is sampled" test -s own.data
"$WPERF" report -i own.data --rows 100000 --json 2>/dev/null >own.json
sums() { # FILE EVENT: what wperf says its samples stand for
	"$WPERF" script -i "$1" -F event,period 2>/dev/null | awk -v e="$2:" '$2 == e { n += $1 } END { print n + 0 }'
}
for event in task-clock page-faults; do
	check "samples count $event" test "$(sums own.data $event)" -gt 0
done
check "each member has samples of its own" test "$(total own.json)" = "$("$WPERF" script -i own.data -F event 2>/dev/null | grep -c .)"
"$WPERF" record -e '{task-clock,page-faults}' -- true 2>refused
check "a group without :S is refused" grep -q "sampled as {a,b}:S" refused

can_be_nobody && {
	chmod 777 "$scratch"
	if as_nobody "$WPERF" record -e '{task-clock,page-faults}:S' --data none.data -q -- bash -c 'for ((i = 0; i < 60000; i++)); do :; done' >text 2>notes; then
		check "without privileges too" test "$(as_nobody "$WPERF" script -i none.data -F event,period 2>&1 | grep -c task-clock)" -gt 0
	else
		part_skipped "without privileges: $(tail -n 1 notes)"
	fi
}

command -v perf >/dev/null || { part_skipped "perf is not there to compare with"; finish; exit; }
perf_lines() { # FILE: what perf makes of a recording, in words that are wperf's too
	perf script -i "$1" -F pid,tid,time,period,event 2>/dev/null | awk '{ print $1, $2, $3, $4 }'
}
own_lines() {
	"$WPERF" script -i "$1" -F pid,tid,time,period,event 2>/dev/null | awk '{ print $1, $2, $3, $4 }'
}
same() { # FILE: the same samples, in the same order
	perf_lines "$1" >perf.lines
	own_lines "$1" >own.lines
	test -s perf.lines && cmp perf.lines own.lines
}
check "perf reads the samples of wperf's recording so" same own.data
perf record -q -e "$group" -F 2000 -o perf.data -- "${busy[@]}" >text 2>notes &&
	check "wperf reads the group of perf's recording as perf does" same perf.data ||
	part_skipped "perf record: $(tail -n 1 notes)"
perf record -q -e '{page-faults,context-switches,minor-faults}:S' -c 10 -o perf2.data -- "${busy[@]}" >text 2>notes &&
	check "and one of software events" same perf2.data ||
	part_skipped "perf record: $(tail -n 1 notes)"
perf record -q -a -g -e '{cpu-clock,page-faults}:S' -F 500 -o perf3.data -- "${busy[@]}" >text 2>notes &&
	check "and of all CPUs, with stacks" same perf3.data ||
	part_skipped "perf record: $(tail -n 1 notes)"
finish

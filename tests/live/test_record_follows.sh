#!/bin/bash
# record follows what a program becomes and starts: children, threads, exec; and hands its exit status on.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
shapes=$WORKLOADS/shapes
json=$scratch/out.json

"$WPERF" record -F 1000 --json -- "$shapes" forks 8 >"$json"
check "children: half has nearly all" within "$(overhead "$json" half)" 97 4
check "children: about 800 samples" within "$(total "$json")" 800 100

SHAPES_TRUTH=$scratch/truth "$WPERF" record -F 2000 --json -- "$shapes" execs 10 >"$json"
truth=$(awk '$1 == "spin_in_library" { print $2 }' "$scratch/truth")
check "exec: the new program's library function has its $truth %" within "$(overhead "$json" spin_in_library:libspin.so)" "$truth" 5

cpu=$( { time -p "$shapes" threads 10; } 2>&1 | awk '/user|sys/ { s += $2 } END { print s }')
"$WPERF" record -F 1000 --json -- "$shapes" threads 10 >"$json"
check "200 threads: half has nearly all" within "$(overhead "$json" half)" 97 4
check "200 threads: samples fit the CPU time of $cpu s" \
	within "$(total "$json")" "$(awk -v c="$cpu" 'BEGIN { print c * 1000 }')" "$(awk -v c="$cpu" 'BEGIN { print c * 250 + 20 }')"

"$WPERF" record -F 1000 --json -- "$shapes" churn 10 >"$json"
check "threads that come and go: half has nearly all" within "$(overhead "$json" half)" 95 6

"$WPERF" record -- "$shapes" nothing >"$scratch/out" 2>"$scratch/err"
check "a program that ends at once is no error" test $? = 0
"$WPERF" record -- "$shapes" fails >/dev/null 2>&1
check "exit status 7 is handed on" test $? = 7
"$WPERF" record -- "$shapes" dies >/dev/null 2>&1
check "SIGABRT is 128 + 6" test $? = 134
"$WPERF" stat -e page-faults -- "$shapes" fails >/dev/null 2>&1
check "stat hands it on too" test $? = 7
"$WPERF" record -- nonexistent-program >"$scratch/out" 2>"$scratch/err"
check "an unknown command is 127" test $? = 127
check "... in one line" test "$(grep -vc '^note: ' "$scratch/err")" = 1
check "... that names it" grep -q nonexistent-program "$scratch/err"
"$WPERF" record -- /etc/passwd >"$scratch/out" 2>"$scratch/err"
check "a file that cannot be executed is 126" test $? = 126

"$WPERF" record --timeout 1 -- sleep 30.$$ >"$scratch/out" 2>&1
check "--timeout ends a command" test "$SECONDS" -lt 60
check "... and leaves no process" sh -c '! pgrep -x -f "sleep 30.$0"' $$
ways() { # [COMMAND...]: policy, nice value and limit of real-time stretches of a program started so
	"$@" python3 -c 'import os, resource; print(os.sched_getscheduler(0), os.getpriority(0, 0), resource.getrlimit(resource.RLIMIT_RTTIME))'
}
ways >"$scratch/plain"
ways "$WPERF" record -q -o "$scratch/ways.json" -- >"$scratch/recorded"
check "a command has the priority that it has without wperf" cmp "$scratch/plain" "$scratch/recorded"
ways nice -n 3 "$WPERF" record -q -o "$scratch/ways.json" -- >"$scratch/recorded"
check "... or that of a nice wperf" grep -q '^0 3 ' "$scratch/recorded"

policy_of_wperf() { # POLICY COMMAND...: of wperf itself while it samples
	local want=$1 wperf policy
	"${@:2}" sample -q -a --timeout 2 -o "$scratch/ways.json" 2>/dev/null &
	wperf=$!
	until is_gone $wperf; do
		policy=$(python3 -c 'import os, sys; print(os.sched_getscheduler(int(sys.argv[1])))' $wperf)
		[ "$policy" != "$want" ] || break
		sleep 0.05
	done
	wait $wperf
	[ "$policy" = "$want" ]
}
if chrt -f 1 true 2>/dev/null && grep -q '^0 0 ' "$scratch/plain"; then
	check "wperf comes first while it samples" policy_of_wperf 1 "$WPERF"
	check "... but for who is nice" policy_of_wperf 0 nice -n 1 "$WPERF"
else
	part_skipped "real-time priorities are refused here"
fi

(cd "$WORKLOADS" && PATH=.:$PATH "$WPERF" record --json -- shapes nothing >/dev/null)
check "PATH is searched" test $? = 0
finish

#!/bin/bash
# How counting ends: in time, with the process, with Ctrl-C, with a crash; nothing counted is lost.
. "$TOP/tests/live/lib.sh"
"$WPERF" stat -e page-faults --json -- true >/dev/null 2>&1 || skip "this user may not count: $("$WPERF" stat -e page-faults -- true 2>&1 | tail -n 1)"
json=$scratch/out.json

elapsed() { # FILE
	python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["Time_elapsed"])' "$1"
}

sleep 30 &
sleeper=$!
"$WPERF" stat -e page-faults -p $sleeper --timeout 0.25 --json >"$json" 2>"$scratch/err"
check "the time is not rounded to 0.1 s" within "$(elapsed "$json")" 0.25 0.02

"$WPERF" stat -e page-faults -p $sleeper --json >"$json" 2>"$scratch/err" &
counter=$!
sleep 0.4
kill $sleeper
wait $counter
check "counting ends with the process: exit 0" test $? = 0
check "... at once" within "$(elapsed "$json")" 0.4 0.2

"$WPERF" stat -e task-clock --json -- bash -c 'i=0; while :; do i=$((i + 1)); done' >"$json" 2>"$scratch/err" &
counter=$!
sleep 0.5
kill -TERM $counter
wait $counter
check "what was counted until a signal is shown" test "$(count "$json" task-clock)" -gt 100000000

"$WPERF" stat -e task-clock --timeout 0.3 --json -- bash -c 'i=0; while :; do i=$((i + 1)); done' >"$json" 2>"$scratch/err"
check "a command that is ended in time: exit 0" test $? = 0
check "... counted for that time" within "$(count "$json" task-clock)" 3e8 1e8
"$WPERF" stat -e page-faults -q -- sh -c 'exit 7' 2>"$scratch/err"
check "the command's exit status" test $? = 7
"$WPERF" stat -e page-faults -q -- sh -c 'kill -9 $$' 2>"$scratch/err"
check "... also of one that is killed" test $? = 137
"$WPERF" stat -e page-faults -q -- no-such-command 2>"$scratch/err"
check "... and of one that is not there" test $? = 127

# A spinner must not overwrite what the command prints.
"$WPERF" stat -e page-faults -- sh -c 'echo first; sleep 0.3; echo last' >"$scratch/out" 2>"$scratch/err"
check "the command's output is whole" test "$(head -n 2 "$scratch/out")" = $'first\nlast'

sleep 30 &
sleeper=$!
cd "$scratch" || exit 1
"$WPERF" stat -e task-clock,page-faults -p $sleeper -t -i 0 --timeout 0.1 --output crash.csv >/dev/null 2>&1 &
counter=$!
sleep 1
kill -9 $counter
wait $counter 2>/dev/null
check "a timeline that crashes has its lines" test "$(grep -c '^task-clock,page-faults,$' crash.csv)" = 1
check "... each period counted" test "$(sed -n '/^task-clock/,$p' crash.csv | grep -c ',.*,$')" -ge 5
"$WPERF" stat -e task-clock -p $sleeper -t -i 0.1 --timeout 0.1 --output end.json --json >"$json" 2>/dev/null &
counter=$!
sleep 0.7
kill -TERM $counter
wait $counter
check "a timeline that is interrupted has its JSON" test "$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["timeline"]))' end.json)" -ge 2
kill $sleeper
"$WPERF" stat -e task-clock -t -i 0 --timeout 0.1 -q --output command.csv -- sleep 0.35 2>/dev/null
check "a timeline ends with its command" test "$(sed -n '/^task-clock/,$p' command.csv | grep -c ',$')" -ge 4
# What cannot write any more has no other way to end than a second signal.
mkfifo "$scratch/full"
sleep 30 <>"$scratch/full" &
reader=$!
if [ "$("$WPERF" list --json | wc -c)" -gt 65536 ]; then
	"$WPERF" list --json >"$scratch/full" &
	writer=$!
	wait_until grep -q pipe_write /proc/$writer/wchan
	kill -INT $writer
	wait_until grep -q "^SigCgt:.*0$" /proc/$writer/status # the first one was taken
	kill -TERM $writer
	wait $writer
	check "a second signal of another kind ends it" test $? = 143
else
	part_skipped "this machine's list is short"
fi
kill $reader
finish

#!/bin/bash
# Split counts, late counts and counts without children, beside perf's on the same work.
. "$TOP/tests/live/lib.sh"
"$WPERF" stat -e page-faults --json -- true >/dev/null 2>&1 || skip "this user may not count: $("$WPERF" stat -e page-faults -- true 2>&1 | tail -n 1)"
ours=$scratch/ours
theirs=$scratch/theirs

value() { # FILE NAME: the third field from the left of the line of CSV that names NAME
	awk -F, -v name="$2" '{ for (i = 1; i <= NF; i++) if ($i == name) { print $(i - 2); exit } }' "$1"
}
keys() { # FILE: what lines begin with, without counts
	awk -F, '/^(CPU|S[0-9]|N[0-9])/ { print $1, ($1 ~ /^CPU/ ? "" : $2) }' "$1"
}

"$WPERF" stat -e page-faults:u -x, -o "$ours" -- sh -c 'cat /dev/null; cat /dev/null; cat /dev/null; :'
all=$(value "$ours" page-faults:u)
"$WPERF" stat --no-inherit -e page-faults:u -x, -o "$ours" -- sh -c 'cat /dev/null; cat /dev/null; cat /dev/null; :'
own=$(value "$ours" page-faults:u)
check "--no-inherit leaves out what is started" test $((own * 2)) -lt "$all"
check "... and counts the command itself" test "$own" -gt 0

# The command waits until the first interval shows that the time of -D has passed.
mkfifo "$scratch/go"
rm -f "$ours" # what it says is to be new
"$WPERF" stat -D 1 -I 20 -e page-faults:u -x, -o "$ours" -- sh -c 'read _ <"$1"; cat /dev/null; :' sh "$scratch/go" &
counter=$!
while [ ! -s "$ours" ] && kill -0 $counter 2>/dev/null; do sleep 0.02; done
echo >"$scratch/go"
wait $counter
check "-D: what happens later is counted, of children too" awk -F, '{ n += $2 } END { exit n <= 0 }' "$ours"
"$WPERF" stat -D 60000 -e page-faults:u -x, -o "$ours" -- true
check "... a command that ends before has no counts" test "$(value "$ours" page-faults:u)" = 0
"$WPERF" stat -D 60000 -q -e page-faults -- sh -c 'exit 7' 2>"$scratch/err"
check "... and its exit status" test $? = 7

python=$(type -P /usr/bin/python3)
if [ -n "$python" ]; then
	cat >"$scratch/threads.py" <<'END'
import ctypes, sys, threading, time

go, begun = threading.Event(), threading.Barrier(4)

def work(times):
    ctypes.CDLL(None).prctl(15, b"work%d" % times, 0, 0, 0)
    begun.wait()
    go.wait()
    for _ in range(times):
        time.sleep(0.0001)
    time.sleep(30)

for times in (100, 200, 300):
    threading.Thread(target=work, args=(times,), daemon=True).start()
begun.wait()
print("ready", flush=True)
sys.stdin.readline()
go.set()
time.sleep(30)
END
	mkfifo "$scratch/in" "$scratch/out"
	"$python" "$scratch/threads.py" <"$scratch/in" >"$scratch/out" &
	target=$!
	exec 7>"$scratch/in" 8<"$scratch/out"
	read -r _ <&8
	rm -f "$ours"
	"$WPERF" stat --per-thread -e context-switches -p $target -x, -I 50 -o "$ours" &
	counter=$!
	while [ ! -s "$ours" ] && kill -0 $counter 2>/dev/null; do sleep 0.05; done
	echo >&7
	enough() { awk -F, '/work300/ { n += $3 } END { exit n < 300 }' "$ours"; }
	for ((i = 0; i < 200; i++)); do
		enough && break
		sleep 0.05
	done
	kill -INT $counter
	wait $counter
	check "--per-thread: a thread's switches are its own" enough
	sum() { awk -F, -v name="$1-" 'index($2, name) == 1 { n += $3 } END { print n + 0 }' "$ours"; }
	check "... of each" test "$(sum work100)" -ge 100 -a "$(sum work200)" -ge 200
	threads() { for task in /proc/$target/task/*; do echo "$(cat "$task/comm")-${task##*/}"; done | sort; }
	check "... names and numbers as the kernel's" test "$(cut -d, -f2 "$ours" | sort -u)" = "$(threads)"
	exec 7>&- 8<&-
	kill $target 2>/dev/null
	wait $target 2>/dev/null
fi

if ! "$WPERF" stat -A -e cpu-clock -x, -o "$ours" --timeout 0.05 2>"$scratch/err"; then
	part_skipped "whole CPUs: $(cat "$scratch/err")"
	finish
fi
check "stat -A: a row for each CPU" test "$(grep -c cpu-clock "$ours")" = "$(getconf _NPROCESSORS_ONLN)"
if [ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] && [ "$(cat /sys/devices/system/cpu/online)" = "0-$(($(nproc --all) - 1))" ]; then
	"$WPERF" stat -e 'core_0/cpu-clock/,core_1/{cpu-clock,cs}/' --timeout 0.05 --json -q >"$ours"
	cores() { python3 -c 'import json, sys
for core in json.load(open(sys.argv[1]))["core"]["cores"]:
    print(core["core_number"], *[row["event_name"] for row in core["Performance_counter"] if row["event_idx"] != "fixed"])' "$ours"; }
	check "core_N/.../: each core has its own events" test "$(cores)" = $'0 cpu-clock\n1 cpu-clock cs'
else
	part_skipped "core_N/.../: needs CPUs 0 and 1 online"
fi
check "core_N/.../ of a command is refused" grep -q "core_0/cs/ is counted on that core" <("$WPERF" stat -e core_0/cs/ -- true 2>&1)
if ! type -P perf >/dev/null; then
	part_skipped "no perf to compare with"
	finish
fi
for by in -A --per-core --per-die --per-socket; do
	"$WPERF" stat $by -a -e cpu-clock,cs -x, -o "$ours" -- true
	perf stat $by -a -e cpu-clock,cs -x, -o "$theirs" -- true 2>/dev/null
	check "stat $by: perf's rows" test "$(keys "$ours")" = "$(keys "$theirs")"
done
finish

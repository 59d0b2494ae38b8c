#!/bin/bash
# 10,000 samples a second on every CPU, all of them busy: none may be lost. (30 s as the target says; CI takes 10.)
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root for -a"
can_sample || skip "this user may not sample"
seconds=${WPERF_LOST_SECONDS:-10}
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c "$cpu" "$WORKLOADS/shapes" shares $((seconds * 10 + 20)) &
done
"$WPERF" sample -a -F 10000 --timeout "$seconds" --json >"$scratch/out.json"
want=$(($(nproc) * 10000 * seconds))
got=$(member "$scratch/out.json" samples_generated)
echo "samples: $got of $want possible; lost: $(member "$scratch/out.json" samples_lost); throttled: $(member "$scratch/out.json" samples_throttled)"
check "none lost" test "$(member "$scratch/out.json" samples_lost)" = 0
check "nearly all there (a virtual machine's timer may skip)" test "$got" -gt $((want * 8 / 10))

# A wperf that does not come to run: stacks are lost in a full ring, and said to be.
if python=$(any_python); then
	kill $(jobs -p) 2>/dev/null
	"$python" -c 'def f(n):
    return f(n - 1) if n else [i for i in range(2000)]
while True: f(40)' &
	program=$!
	"$WPERF" sample -e cpu-clock -g -F 10000 -p $program --json >"$scratch/stopped.json" &
	wperf=$!
	wait_until is_watching $wperf
	sleep 1 # to have met the program
	kill -STOP $wperf
	wait_until has_run $program $(($(run_ms $program) + 4000)) # the rings hold somewhat more than a second
	kill -CONT $wperf
	kill -INT $wperf
	wait $wperf
	read -r lost cut <<-E
		$(python3 -c 'import json,sys; s=json.load(open(sys.argv[1]))["sampling"]["stacks"]; print(s["incomplete"]["lost"], s["incomplete"]["cut"], s, file=sys.stdout)' "$scratch/stopped.json")
	E
	echo "lost: $lost; cut, and the rest: $cut"
	check "stacks of a stopped wperf are lost" test "$lost" -gt 0
	check "  and samples_lost says so" test "$(member "$scratch/stopped.json" samples_lost)" -ge "$lost"
	check "  not cut: nothing was copied" test "${cut%% *}" = 0
else
	part_skipped "no CPython"
fi
finish

#!/bin/bash
# Root's capabilities are given up once everything is open, by all threads, and what is opened later still can be.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
can_be_nobody || skip "needs root and setpriv"
all=$(awk '/^CapPrm/ { print $2 }' /proc/self/status)
(( (0x$all & 0x1c000000000) == 0x1c000000000 )) || skip "this root has no CAP_PERFMON, CAP_BPF and CAP_CHECKPOINT_RESTORE"
cd "$scratch" || exit 1
chmod 755 .

# SETGID, SETUID, DAC_READ_SEARCH, SYS_PTRACE, SYS_NICE, SYSLOG, PERFMON, BPF, CHECKPOINT_RESTORE
reads=$((1 << 6 | 1 << 7 | 1 << 2 | 1 << 19 | 1 << 23 | 1 << 34 | 1 << 38 | 1 << 39 | 1 << 40))
writes=$((1 << 1 | 1 << 3)) # DAC_OVERRIDE, FOWNER
kills=$((1 << 5))

has_only() { # PID MASK: each thread, effective and permitted
	local status found=0 cap
	for status in /proc/"$1"/task/*/status; do
		found=$((found + 1))
		for cap in $(awk '/^Cap(Prm|Eff)/ { print $2 }' "$status"); do
			((0x$cap == ($2 & 0x$all))) || { printf -v seen '  %s: %s, want %x' "$status" "$cap" "$2"; return 1; }
		done
	done 2>/dev/null
	seen="  $found threads"
	((found >= ${THREADS:-1}))
}

comes_to_have() { # PID MASK: within its run
	until has_only "$@" || is_gone "$1"; do sleep 0.05; done
	echo "$seen"
	! is_gone "$1"
}

holds() { # WHAT MASK VERB OPTIONS...: while it runs
	"$WPERF" "${@:3}" >out 2>err &
	local wperf=$!
	check "$1: no capability that is not needed" comes_to_have $wperf "$2"
	wait $wperf
	check "  and it ends well" [ $? = 0 ]
}

setpriv --reuid=65534 --regid=65534 --clear-groups "$WORKLOADS/calls" shares 60 >/dev/null &
program=$!
THREADS=2 holds "sample -g" "$reads" sample -e cpu-clock -g -p $program --timeout 3
THREADS=2 holds "sample with pinned readers" "$reads" sample -e cpu-clock -p $program --python pinned --timeout 3
holds "sample -a" "$reads" sample -e cpu-clock -g -a --timeout 3
holds "stat" "$reads" stat -e task-clock -p $program --timeout 3
holds "record" $((reads | kills)) record --no-data -e cpu-clock -- sleep 3
mkdir theirs && chown 65534 theirs
holds "record into another's folder" $((reads | kills | writes)) record -e cpu-clock --data theirs/app.data -- sleep 3
check "  which has the recording" [ -s theirs/app.data ]
holds "sample --output into another's folder" $((reads | writes)) sample -e cpu-clock -p $program --timeout 3 --output theirs/out.json
check "  which has the file" [ -s theirs/out.json ]
kill $program

# ---- what is opened later ----
cp "$WORKLOADS/calls" gone
mkdir -m 700 closed && mv gone closed/
chown -R 65534:65534 closed
later() { # COMMAND...: as another user, once $wperf samples
	wait_until is_watching $wperf
	exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
"$WPERF" sample -e cpu-clock -F 999 -g -a --json >out 2>err &
wperf=$!
later "$scratch/closed/gone" shares 60 >/dev/null &
program=$!
wait_until is_mapped $program /closed/gone
rm closed/gone
sleep 1 # to be sampled
kill -INT $wperf
wait $wperf
kill $program
check "symbols of a program of another user that began later and was removed" grep -q '"[a-z_]*:gone"' out
"$WPERF" record --no-data -e cpu-clock --json -- grep CapPrm /proc/self/status 2>err | grep CapPrm >out
check "the command has all of them" grep -q "$all" out
"$WPERF" stat -r 3 -e page-faults --json -- grep CapPrm /proc/self/status 2>err >out
check "also when it is run again" [ "$(grep -c "CapPrm.*$all" out)" = 3 ]
grep -v CapPrm out >counts
check "... and is counted each time" python3 -c 'import json; assert min(json.load(open("counts"))["events"][0]["runs"]) > 10'
began=$SECONDS
SUDO_USER=nobody SUDO_UID=65534 SUDO_GID=65534 "$WPERF" record --no-data --as-user -e cpu-clock --timeout 1 -- sleep 60 >out 2>err
check "a command that runs as another user is ended" [ $((SECONDS - began)) -lt 50 ]
python=/usr/bin/python3
if [ -x $python ]; then
	"$WPERF" sample -e cpu-clock -F 999 -a --json >out 2>err &
	wperf=$!
	later $python -c '
import time
def hot():
    while time.process_time() < 1: sum(range(3000))
hot()' &
	wait $!
	kill -INT $wperf
	wait $wperf
	check "Python frames of a process of another user that began later" grep -q '"hot"' out
fi
finish

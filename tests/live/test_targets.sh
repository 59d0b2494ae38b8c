#!/bin/bash
# What runs in a cgroup, and the processes of a user: counts and samples of theirs alone, next to stock perf.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "cgroups and other users' processes need root"
shapes=$WORKLOADS/shapes
ours=$scratch/ours
theirs=$scratch/theirs
user=65531

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

clock() { # FILE EVENT: milliseconds of perf's CSV
	awk -F, -v e="$2" '$3 == e { print $1 }' "$1"
}

refused() { # TEXT ARGUMENT...: exit 1 and one line on stderr with the text
	"$WPERF" "${@:2}" >"$ours" 2>"$scratch/err"
	[ $? = 1 ] && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -qF -- "$1" "$scratch/err"
}

as_user() { # COMMAND...
	exec setpriv --reuid=$user --regid=$user --clear-groups "$@"
}

# Two processes of the user, and one of somebody else, all busy.
(as_user "$shapes" shares 600) &
(as_user "$shapes" shares 600) &
(exec "$shapes" shares 600) &
other=$!
has_two() {
	[ "$(pgrep -c -u $user)" = 2 ]
}
wait_until has_two
"$WPERF" stat -u $user -x, -e task-clock --timeout 1 >"$ours" 2>"$scratch/err"
check "a user's processes are counted" test "$(clock "$ours" task-clock | cut -d. -f1)" -gt 50
check "... how many is said" grep -q "2 processes of user $user" "$scratch/err"
"$WPERF" sample -u $user -e cpu-clock --timeout 1 --json >"$ours" 2>/dev/null
check "... and sampled" test "$(total "$ours")" -gt 20
check "no such user" refused "no user 'no-such-user'" stat -u no-such-user
check "no process of the user" refused "no process runs as user '65530'" stat -u 65530
if can_be_nobody && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	as_nobody "$WPERF" stat -u $user -q -e task-clock --timeout 0.1 2>"$scratch/err"
	check "another user's are refused" grep -q "belongs to another user" "$scratch/err"
fi

mount=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
[ -n "$mount" ] || mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
name=wperf-test-$$
group=$mount/$name
if [ -z "$mount" ] || ! mkdir "$group" 2>/dev/null; then
	part_skipped "no cgroup can be made here"
	finish
fi
leave() {
	kill $(jobs -p) 2>/dev/null
	wait 2>/dev/null
	rmdir "$group/empty" "$group" 2>/dev/null
	rm -rf "$scratch"
}
trap leave EXIT
echo $other >"$group/cgroup.procs"
began=$(now_ms)
"$WPERF" stat -G $name -x, -e cpu-clock --timeout 2 >"$ours"
took=$(($(now_ms) - began))
check "a cgroup is counted" test "$(clock "$ours" cpu-clock | cut -d. -f1)" -gt 50
check "... not what runs outside" test "$(clock "$ours" cpu-clock | cut -d. -f1)" -le $took
"$WPERF" stat -G "$group" -e cpu-clock --timeout 0.2 >"$ours" 2>/dev/null
check "... by its whole path" grep -q "cgroup $group" "$ours"
"$WPERF" sample -G $name -e cpu-clock --timeout 1 --data "$scratch/cgroup.data" --json >"$ours" 2>/dev/null
check "... and sampled" test "$(total "$ours")" -gt 20
"$WPERF" script -i "$scratch/cgroup.data" -F pid 2>/dev/null | sort -u >"$scratch/pids"
check "... nothing else" test "$(tr -d ' \n' <"$scratch/pids")" = "$other"
"$WPERF" record -G $name -e cpu-clock --json -- sleep 2 >"$ours" 2>/dev/null
check "... recorded while a command runs" test "$(total "$ours")" -gt 20
mkdir "$group/empty"
# By position, as perf: what is in the cgroup, what is anywhere, what is in the other one, and what has no name any more.
"$WPERF" stat -G $name,,$name/empty -e cpu-clock,cpu-clock,cs,cs -x, --timeout 1 >"$ours"
check "-G pairs events with cgroups" test "$(cut -d, -f3,4 "$ours" | tr '\n' ' ')" = "cpu-clock,$name cpu-clock, cs,$name/empty cs, "
check "... which they count in" awk -F, 'NR == 1 { own = $1 } NR == 2 { all = $1 } NR == 3 { none = $1 } NR == 4 { any = $1 }
	END { exit !(own > 20 && all > own && none == 0 && any > 0) }' "$ours"
check "... not more of them than events" refused "more cgroups than events (1)" stat -G $name,$name -e cs
check "... one for a group" refused "the events of a {group}" stat -G $name,$name/empty -e '{cs,faults}'
# The cgroup of each sample, by its name: perf's sums are ours, of its recording and of our own.
shares() { # the cgroups and their shares, in the words of both
	sed -n 's|^ *\([0-9.]*\)%\{0,1\} *[0-9]* *\(/[^ ]*\) *$|\1 \2|p' | sort
}
"$WPERF" record -q -a --all-cgroups -e cpu-clock -F 999 --python off --data "$scratch/all.data" -- sleep 0.5 2>/dev/null
"$WPERF" report -i "$scratch/all.data" --sort cgroup 2>/dev/null | shares >"$ours"
check "samples name their cgroup" grep -q " /$name\$" "$ours"
if command -v perf >/dev/null; then
	perf report -i "$scratch/all.data" --sort cgroup --stdio -g none 2>/dev/null | shares >"$theirs"
	check "... perf reads the same" cmp "$ours" "$theirs"
	if perf record -q -a --all-cgroups -e cpu-clock -F 999 -o "$scratch/perf.data" sleep 0.5 2>/dev/null; then
		"$WPERF" report -i "$scratch/perf.data" --sort cgroup 2>/dev/null | shares >"$ours"
		perf report -i "$scratch/perf.data" --sort cgroup --stdio 2>/dev/null | shares >"$theirs"
		check "... of perf's recording" cmp "$ours" "$theirs"
		check "... which names it" grep -q " /$name\$" "$ours"
	fi
fi
# Each for itself: the second one has nothing in it.
began=$(now_ms)
"$WPERF" stat --for-each-cgroup $name,$name/empty -e '{cpu-clock,cs}' -x, --timeout 1 >"$ours"
check "for each cgroup: all events of both" test "$(cut -d, -f3,4 "$ours" | tr '\n' ' ')" = "cpu-clock,$name cs,$name cpu-clock,$name/empty cs,$name/empty "
check "... what runs in the first one" awk -F, -v took=$(($(now_ms) - began)) 'NR == 1 { exit !($1 > 20 && $1 <= took) }' "$ours"
check "... nothing in the second one" test "$(sed -n '3,4s/,.*//p' "$ours" | tr '\n' ' ')" = "0.00 0 "
"$WPERF" stat --for-each-cgroup $name,$name/empty -e cpu-clock,cs --timeout 0.2 --json >"$ours"
check "... as JSON" "$TOP/tests/schemas/validate" stat-events "$ours"
"$WPERF" stat --for-each-cgroup $name,$name/empty -e cpu-clock -r 2 --json -- true >"$ours"
check "... of several runs" "$TOP/tests/schemas/validate" stat-repeat "$ours"
"$WPERF" stat --for-each-cgroup $name,$name/empty --timeout 0.2 >"$ours" 2>/dev/null
check "... of the default events" test "$(grep -c "context-switches .* $name" "$ours")" = 2
check "... an empty name" refused "a name is empty" stat --for-each-cgroup $name,,
check "no such cgroup" refused "no cgroup 'no-such-cgroup'" stat -G no-such-cgroup
check "no name at all" refused "a name is empty" stat -G , -e cs
if can_be_nobody; then
	as_nobody "$WPERF" stat -G $name --timeout 0.1 >"$ours" 2>"$scratch/err"
	check "nobody is refused in one line" test "$(wc -l <"$scratch/err")" = 1
fi
# System calls of a shell in the cgroup, which is told to begin when both look.
if command -v perf >/dev/null && perf stat -a -e raw_syscalls:sys_enter -G $name true >/dev/null 2>&1; then
	kill $other
	mkfifo "$scratch/go"
	sh -c "read x; i=0; while [ \$i -lt 500 ]; do i=\$((i + 1)); kill -0 \$\$; done; echo >'$scratch/done'; read x" <"$scratch/go" &
	shell=$!
	echo $shell >"$group/cgroup.procs"
	exec 9>"$scratch/go"
	reads() { # 0 is read on x86-64, 63 on arm64
		grep -qsE '^(0|63) 0x0 ' /proc/$shell/syscall
	}
	wait_until reads
	"$WPERF" stat -G $name -x, -e raw_syscalls:sys_enter >"$ours" &
	counter=$!
	"$WPERF" stat --for-each-cgroup $name,$name/empty -x, -e raw_syscalls:sys_enter >"$scratch/each" &
	each=$!
	perf stat -a -x, -o "$theirs" -e raw_syscalls:sys_enter --for-each-cgroup $name,$name/empty &
	perf=$!
	# An event of each CPU; with an empty cgroup, two.
	wait_until is_watching $counter $(nproc)
	for pid in $each $perf; do wait_until is_watching $pid $((2 * $(nproc))); done
	sleep 0.5 # nothing tells when events that are open are enabled
	echo >&9
	wait_until test -e "$scratch/done"
	wait_until reads
	kill -INT $counter $each $perf
	wait $counter
	wait $each
	wait $perf
	exec 9>&-
	counts=$(for file in "$ours" "$scratch/each" "$theirs"; do grep raw_syscalls "$file" | cut -d, -f1,4-6; done)
	own=$(clock "$ours" raw_syscalls:sys_enter)
	peer=$(clock "$theirs" raw_syscalls:sys_enter | head -n 1)
	check "system calls of a cgroup: 500, and how the shell begins and ends" test "$own" -ge 500 -a "$own" -lt 600
	check "... the same beside an empty cgroup" test "$(clock "$scratch/each" raw_syscalls:sys_enter | head -n 1)" = "$own"
	# With all those events on one CPU perf has counted 202,781 system calls in 1.6 ms of the shell: not ours to explain.
	if [ "$peer" -lt 600 ]; then
		check "... perf's" test "$own" = "$peer"
	else
		part_skipped "perf counts $peer system calls of a shell that makes some 510"
	fi
	check "... the fields" test "$(cut -d, -f2-4,8 "$scratch/each" | head -n 1)" = "$(grep -v '^#' "$theirs" | grep . | cut -d, -f2-4,8 | head -n 1)"
	[ "$failed" = 0 ] || echo "$counts"
else
	part_skipped "stock perf counts no tracepoint of a cgroup here"
fi
finish

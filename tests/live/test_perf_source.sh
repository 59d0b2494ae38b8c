#!/bin/bash
# The source stage alone, through tools/perf_probe: counts next to stock perf, every single event sampled, threads, forks, execs,
# ends of targets, lost records, and what an ordinary user may do.
. "$TOP/tests/live/lib.sh"
probe=$WORK/tools/perf_probe
known=$WORKLOADS/known
"$probe" stat -e page-faults -- true >/dev/null 2>&1 || skip "this user may not count: $("$probe" stat -e page-faults -- true 2>&1)"
traces=""
"$probe" stat -e raw_syscalls:sys_enter -- true >/dev/null 2>&1 && traces=1
perf=""
command -v perf >/dev/null && perf stat -e page-faults true >/dev/null 2>&1 && perf=1

ours() { # EVENT COMMAND...: the count by perf_probe
	local event=$1
	shift
	"$probe" stat -e "$event" -- "$@" 2>/dev/null | awk '{ print $3 }'
}

theirs() { # EVENT COMMAND...: the count by stock perf
	perf stat -x, -e "$1" -o "$scratch/perf" -- "${@:2}" >/dev/null 2>&1
	grep -v -e '^#' -e '^$' "$scratch/perf" | cut -d, -f1
}

# around EVENT COMMAND...: perf counts us and the command (most), we the command alone (got)
around() {
	perf stat -x, -e "$1" -o "$scratch/perf" -- "$probe" stat -e "$1" -- "${@:2}" >"$scratch/around" 2>/dev/null
	got=$(awk '{ print $3 }' "$scratch/around")
	most=$(grep -v -e '^#' -e '^$' "$scratch/perf" | cut -d, -f1)
}

is_between() { # LEAST VALUE MOST
	awk -v l="$1" -v v="$2" -v m="$3" 'BEGIN { exit !(v != "" && m != "" && l + 0 <= v + 0 && v + 0 <= m + 0) }'
}

sampled() { # KEY OPTIONS...: a value of `perf_probe sample`
	local key=$1
	shift
	"$probe" sample "$@" >"$scratch/sampled" 2>"$scratch/sampled.err"
	value "$key"
}

value() { # KEY [FIELD]: of the last `sampled`
	awk -v k="$1" -v f="${2:-2}" '$1 == k { print $f }' "$scratch/sampled"
}

# It was run before: what is not in the cache is mapped page by page.
setarch -R "$known" forks 1

# Counts next to stock perf, where they are deterministic.
if [ -n "$perf" ]; then
	for what in "pages 1000" "forks 20" "execs 10"; do
		# Where a page happens to be mapped already (fault-around) moves it by a few.
		check "page faults of $what" within "$(ours page-faults setarch -R "$known" $what)" \
			"$(theirs page-faults:u setarch -R "$known" $what)" 20
	done
	around task-clock "$known" busy 30
	check "task-clock: what it computed and no more than perf counts around us ($got of $most)" is_between 2.999e8 "$got" "$(awk -v ms="$most" 'BEGIN { print ms * 1e6 }')"
else
	part_skipped "stock perf is not installed or does not run"
fi
if [ -n "$perf" ] && [ -n "$traces" ]; then
	for what in "pages 1000" "writes 500" "forks 20" "execs 10"; do
		check "system calls of $what" within "$(ours raw_syscalls:sys_enter "$known" $what)" \
			"$(theirs raw_syscalls:sys_enter "$known" $what)" 0
	done
	check "writes of 50 threads" within "$(ours syscalls:sys_enter_write "$known" threads 50)" 50 0
	check "forks in the tree" within "$(ours sched:sched_process_fork "$known" forks 20)" 20 0
	around context-switches "$known" sleeps 50
	check "context switches of sleeping, and no more than perf counts around us ($got of $most)" is_between 50 "$got" "$most"
else
	part_skipped "tracepoints are not readable, or there is no stock perf"
fi

# Every single event is a sample.
check "a sample per page fault" within "$(sampled page-faults -e page-faults:1 -- setarch -R "$known" pages 1000)" \
	"$(ours page-faults setarch -R "$known" pages 1000)" 20
check "whose periods are 1 each" test "$(value page-faults)" = "$(value page-faults 3)"
check "none lost" test "$(value lost)" = 0
if [ -n "$traces" ]; then
	check "a sample per system call" test "$(sampled raw_syscalls:sys_enter -e raw_syscalls:sys_enter:1 -- "$known" writes 5000)" \
		= "$(ours raw_syscalls:sys_enter "$known" writes 5000)"
	# A hundred that it wants; others may take the CPU away, as the command's own numbers say.
	python3 - "$probe" "$known" >"$scratch/sampled" <<-'PY'
		import resource, subprocess, sys
		subprocess.run([sys.argv[1], "sample", "-e", "sched:sched_switch:1", "--", sys.argv[2], "sleeps", "100"])
		used = resource.getrusage(resource.RUSAGE_CHILDREN)
		print("own", used.ru_nvcsw + used.ru_nivcsw)
	PY
	check "a sample per switch" is_between 100 "$(value sched:sched_switch)" "$(value own)"
	# A ring of one page cannot take 100,000 records in a burst, but every one is accounted for.
	sampled lost -e raw_syscalls:sys_enter:1 -r 4096 -- "$known" writes 100000 >/dev/null
	check "some are lost in a tiny ring" test "$(value lost)" -gt 0
	check "samples and lost ones make the count" within \
		"$(($(value raw_syscalls:sys_enter) + $(value lost)))" "$(ours raw_syscalls:sys_enter "$known" writes 100000)" 10
	check "still in order of time" test "$(value disorder)" = 0
fi

# Threads, forks and execs are followed while sampling.
sampled forks -F 1000 -e cpu-clock -- "$known" threads 200 >/dev/null
check "200 threads were born" test "$(value forks)" = 200
check "and they and main died" test "$(value exits)" = 201
sampled forks -F 1000 -e cpu-clock -- "$known" forks 1000 >/dev/null
check "1000 processes were born" test "$(value forks)" = 1000
check "nothing out of order" test "$(value disorder)" = 0
sampled execs -F 1000 -e cpu-clock -- "$known" execs 50 >/dev/null
check "51 execs" test "$(value execs)" = 51
check "their mappings came" test "$(value maps)" -ge 153
sampled ended -F 1000 -e cpu-clock -- true >/dev/null
check "a command that ends at once" test "$(value ended)" = 1
check "was seen to exec" test "$(value execs)" = 1

# Attached to a process with 200 threads that sleep: main then writes, and starts 10 more.
crowd() { # COMMAND...: runs it with the process's pid behind it
	mkfifo "$scratch/go"
	"$known" crowd 200 <>"$scratch/go" >"$scratch/ready" &
	local pid=$!
	until grep -q ready "$scratch/ready" 2>/dev/null; do sleep 0.02; done
	"$@" -p $pid >"$scratch/sampled" 2>"$scratch/err" &
	wait_until is_watching $! 201 # each thread
	echo >"$scratch/go"
	wait $!
	rm -f "$scratch/go" "$scratch/ready"
}
if [ -n "$traces" ]; then
	crowd "$probe" stat -e syscalls:sys_enter_write
	check "200 writes of main and one of each new thread" test "$(value syscalls:sys_enter_write 3)" = 210
	crowd "$probe" sample -k -e syscalls:sys_enter_write:1
	check "the same as samples" test "$(value syscalls:sys_enter_write)" = 210
	check "of 11 threads" test "$(value tids)" = 11
	check "and the end was noticed" test "$(value ended)" = 1
fi
crowd "$probe" stat -e task-clock
check "an attached process's end is noticed" test "$(value task-clock 4)" -gt 0

# A process on one CPU, watched on another: no count, and not as if it had been multiplexed.
if [ "$(nproc)" -gt 1 ]; then
	"$known" busy 500 0 &
	pid=$!
	wait_until grep -qs '^Cpus_allowed_list:.0$' /proc/$pid/status
	"$probe" stat -e task-clock -p $pid -c 1 -t 0.3 >"$scratch/sampled"
	check "it is never on the other CPU" test "$(value task-clock 3) $(value task-clock 5)" = "0 0"
	"$probe" stat -e task-clock -p $pid -c 0,1 -t 0.3 >"$scratch/sampled"
	check "on both, all its time is counted once" within "$(value task-clock 4)" "$(value task-clock 5)" 1e6
	kill $pid
fi

# Counting again and again (a timeline).
began=$(date +%s%N)
"$probe" stat -e '{task-clock,page-faults}' -n 5 -t 0.1 -- "$known" busy 100 >"$scratch/sampled"
took=$(($(date +%s%N) - began))
check "five rounds" test "$(grep -c task-clock "$scratch/sampled")" = 5
check "each from zero: all of them are no more than the time" is_between 1 "$(awk '$1 == "task-clock" { n += $3 } END { print n }' "$scratch/sampled")" $took

# What an ordinary user may do depends on perf_event_paranoid.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
refused() { # WORDS OPTIONS...: as nobody
	local words=$1
	shift
	! as_nobody "$scratch/perf_probe" "$@" >"$scratch/out" 2>&1 && [ "$(grep -c '^error' "$scratch/out")" = 1 ] && grep -qF -- "$words" "$scratch/out" ||
		{ cat "$scratch/out"; return 1; }
}
if ! can_be_nobody || [ "$paranoid" != 2 ]; then
	part_skipped "needs root and perf_event_paranoid 2 to try an ordinary user's rights"
else
	chmod 755 "$scratch"
	cp "$probe" "$known" "$scratch"
	cd "$scratch" || exit 2
	check "counts its own" test "$(as_nobody ./perf_probe stat -e page-faults -- ./known pages 300 | awk '{ print ($3 >= 300) }')" = 1
	as_nobody ./perf_probe sample -F 1000 -e cpu-clock -- ./known busy 30 >sampled 2>err
	check "samples its own" test "$(value cpu-clock)" -gt 100
	as_nobody ./perf_probe sample -F 1000 -e cpu-clock -r 268435456 -- ./known busy 10 >sampled 2>err
	check "shrinks its rings to what it may lock" test "$(value cpu-clock)" -gt 20
	check "and says so" grep -q "sampling buffers are" err
	check "kernel events" refused "happens in the kernel, which needs perf_event_paranoid <= 1 (it is 2)" stat -e context-switches -- true
	check "-k" refused "perf_event_paranoid <= 1 (it is 2)" stat -k -e task-clock -- true
	check "whole CPUs" refused "perf_event_paranoid <= 0 (it is 2)" stat -a -e task-clock -t 0.1
	check "others' processes" refused "process $$ belongs to another user" stat -e task-clock -p $$ -t 0.1
fi

fails() { # WORDS OPTIONS...
	local words=$1
	shift
	! "$probe" "$@" >"$scratch/out" 2>&1 && grep -qF -- "$words" "$scratch/out" || { cat "$scratch/out"; return 1; }
}
check "no such process" fails "process 4194305 does not exist" stat -e task-clock -p 4194305 -t 1
check "the same when sampling" fails "process 4194305 does not exist" sample -e cpu-clock -p 4194305 -t 1
check "no such command" fails "wperf-no-such: command not found" stat -e task-clock -- wperf-no-such
check "no such CPU" fails "CPU 8191 does not exist or is offline" stat -a -e task-clock -c 8191 -t 1
check "too high a rate" fails "perf_event_max_sample_rate" sample -F 100000000 -e cpu-clock -- true
finish

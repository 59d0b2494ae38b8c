#!/bin/bash
# `wperf script` prints what `perf script` does, line by line, over every field that both know: of recordings that perf makes with
# its options, that perf changes (inject), that perfs of Debian 11, 13 and sid make, and of wperf's own. What differs has a cause
# in script_oracle.py. Without WPERF_EVERY=1 one recording that has nearly all of them; with it (`make test-full`) all.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
command -v perf >/dev/null || skip "perf is not there to compare with"
cd "$scratch" || exit 2
suites=$TOP/tests/tools/python_suites
cache=${WPERF_CACHE:-/var/cache/wperf-tests}
every=${WPERF_EVERY:-}
# Touches memory, in several processes; each reads and writes.
busy=(sh -c 'for i in 1 2 3; do dd if=/dev/zero of=/dev/null bs=4M count=10 2>/dev/null; done')

same() { # NAME FILE PERF...
	python3 "$TOP/tests/live/script_oracle.py" "$WPERF" "$@"
}

# try NAME COMMAND...: what this perf, kernel or machine cannot record is no failure of ours; nothing recorded is said.
try() {
	local name=$1
	shift
	timeout 30 "$@" >"$name.out" 2>"$name.err" && return
	part_skipped "$name: $(tail -n 1 "$name.err")"
	return 1
}

of_perf() { # NAME OPTIONS...
	try "$1" perf record -q -o "$1.data" "${@:2}" -- "${busy[@]}" && check "perf record ${*:2}" same "$1" "$1.data" perf
}

of_wperf() { # NAME OPTIONS...
	try "$1" "$WPERF" record -q --data "$1.data" "${@:2}" -- "${busy[@]}" && check "wperf record ${*:2}" same "$1" "$1.data" perf
}

few() {
	of_wperf own-data -g -e page-faults:20 -d -W --data-page-size --code-page-size --user-regs --intr-regs
}

# What perf's options add to samples and to files.
options() {
	local clock=(-e cpu-clock -F 999)
	of_perf stacks -g "${clock[@]}"
	of_perf group -e '{page-faults,context-switches,minor-faults}:S' -c 5
	of_perf data -e page-faults -c 20 -d -W --phys-data --data-page-size --code-page-size
	of_perf dwarf "${clock[@]}" --call-graph dwarf
	of_perf all "${clock[@]}" -a
	of_perf all-stacks "${clock[@]}" -a -g
	of_perf cpu "${clock[@]}" -C 0
	try per-thread perf record -q -o per-thread.data "${clock[@]}" --per-thread -- dd if=/dev/zero of=/dev/null bs=4M count=100 &&
		check "perf record ${clock[*]} --per-thread" same per-thread per-thread.data perf # of its first thread alone
	of_perf packed "${clock[@]}" -z -g
	of_perf user-regs "${clock[@]}" --user-regs=ax,bx,sp,ip
	of_perf intr-regs "${clock[@]}" --intr-regs=ax,r8,sp,ip
	of_perf dwarf-regs "${clock[@]}" --user-regs --intr-regs --call-graph dwarf
	of_perf counts "${clock[@]}" -s
	of_perf times "${clock[@]}" -T -P
	of_perf alone -e page-faults -c 5 -i # of the shell, which is not long on a CPU
	of_perf no-ids "${clock[@]}" -B -N
	for of in mono boottime monotonic_raw; do of_perf clock-$of "${clock[@]}" -k $of; done
	of_perf cgroups "${clock[@]}" -a --all-cgroups
	of_perf namespaces "${clock[@]}" --namespaces
	of_perf switches "${clock[@]}" --switch-events
	of_perf small "${clock[@]}" -m 1
	of_perf threads "${clock[@]}" -a --threads
	of_perf switched "${clock[@]}" --sample-identifier
	of_perf weights -e page-faults -c 5 -W
	of_perf several -e cpu-clock -e page-faults -e context-switches -c 7
	of_perf named -e cpu-clock/period=100000,name=foo/ -e page-faults/name=bar,call-graph=fp/
	of_perf rings -e cpu-clock:k -e cpu-clock:u -F 999
	of_perf bpf-output -e bpf-output/no-inherit=1,name=evt/ -e cpu-clock
	of_perf group-stacks -g -e '{page-faults,context-switches,minor-faults}:S' -c 5
	of_perf group-clock -e '{cpu-clock,page-faults}:S' -F 19999 # of the shell alone: perf 6.1's groups are not inherited
}

tracepoints() {
	mount_tracefs || { part_skipped "no tracefs"; return; }
	of_perf fields -e sched:sched_switch
	of_perf switch-stacks -g -e sched:sched_switch
	of_perf switch-all -a -e sched:sched_switch
	of_perf calls -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit
	of_perf many -e 'syscalls:sys_enter_*'
	of_wperf own-fields -e sched:sched_switch
	of_wperf own-calls -g -e raw_syscalls:sys_enter:10
}

# Files that are written otherwise, or again.
files() {
	local name
	try pipe sh -c "perf record -q -g -e cpu-clock -F 999 -o - -- dd if=/dev/zero of=/dev/null bs=4M count=50 >pipe.data" &&
		check "a pipe" same pipe pipe.data perf
	try pipe-fields sh -c "perf record -q -e sched:sched_switch -o - -- sh -c 'for i in 1 2 3 4; do sleep 0.01; done' >pipe-fields.data" &&
		check "a pipe of fields" same pipe-fields pipe-fields.data perf
	for name in stacks packed fields group; do
		[ -s $name.data ] || continue
		try injected-$name perf inject -b -i $name.data -o injected-$name.data && check "$name through inject -b" same injected-$name injected-$name.data perf
	done
	try ring perf record -q -e cpu-clock -F 4999 --switch-output=100K --no-buildid -o ring.data -- "${busy[@]}" || return
	for name in ring.data.*; do check "--switch-output: a part" same ring "$name" perf; done
}

own() {
	of_wperf own -g -k -e cpu-clock -F 999
	of_wperf own-plain -k -e cpu-clock -F 999
	of_wperf own-all -a -g -k -e cpu-clock -F 999
	of_wperf own-loose --compression-level 0 -g -e cpu-clock -F 999
	of_wperf own-dwarf --call-graph dwarf -k -e cpu-clock -F 999
	of_wperf own-fp --call-graph fp -k -e cpu-clock -F 999
	of_wperf own-group -k -e '{task-clock,page-faults}:S' -F 999
	of_wperf own-several -e cpu-clock,page-faults -F 999
}

# Another perf, with the libraries of its root and the files of this system: it records, and its words for that are held
# against ours.
in_root() { # SUITE NAME OPTIONS...
	local name=$1-$2 root=$cache/perf-$1 perf
	perf=("$(find "$root" -name 'ld-linux-x86-64.so.2' -o -name 'ld-2.*.so' | head -n 1)"
		--library-path "$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu"
		"$(ls "$root"/usr/bin/perf "$root"/usr/bin/perf_* 2>/dev/null | head -n 1)")
	try "$name" "${perf[@]}" record -q -o "$name.data" "${@:3}" -- "${busy[@]}" || return
	check "perf of $1: record ${*:3}" same "$name" "$name.data" "${perf[@]}"
}

others() {
	local suite
	[ "$(uname -m)" = x86_64 ] || { part_skipped "other perfs are of x86-64"; return; }
	for suite in bullseye trixie sid; do
		[ -e "$cache/perf-$suite/.packages" ] || "$suites" fetch "perf-$suite"
		[ -e "$cache/perf-$suite/.packages" ] || { part_skipped "no perf of $suite"; continue; }
		in_root $suite plain -e cpu-clock -F 999
		in_root $suite stacks -g -e cpu-clock -F 999
		in_root $suite packed -z -e cpu-clock -F 999
		in_root $suite data -e page-faults -c 3 -d -W --phys-data
		in_root $suite regs -e cpu-clock -F 999 --user-regs --intr-regs
		in_root $suite cgroups -e cpu-clock -F 999 -a --all-cgroups
		in_root $suite group -e '{page-faults,context-switches,minor-faults}:S' -c 2
		in_root $suite fields -e sched:sched_switch
		in_root $suite names -e cpu-clock/name=foo/ -e page-faults -k mono
	done
}

few
if [ -n "$every" ]; then
	options
	tracepoints
	files
	own
	others
fi
finish

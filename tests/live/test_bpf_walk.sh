#!/bin/bash
# Stacks walked in the kernel (--call-graph bpf): every sample of a program whose stack is known has exactly that stack.
. "$TOP/tests/live/lib.sh"
why=$("$WPERF" record --call-graph bpf -e cpu-clock --json -- true 2>&1 >/dev/null) || skip "stacks cannot be walked in the kernel here: $why"

stats=$(cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null)
if [ "$stats" = 0 ] && echo 1 2>/dev/null >/proc/sys/kernel/bpf_stats_enabled; then
	trap 'echo 0 >/proc/sys/kernel/bpf_stats_enabled; kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
fi

run() { # NAME EVENT OPTIONS... -- PROGRAM...
	local name=$1 event=$2
	shift 2
	"$WPERF" record -v --call-graph bpf -e "$event" --json "$@" >"$scratch/$name.json" 2>"$scratch/$name.err" || echo "exit $?"
}

# part NAME WORD...: percent of the samples in deepest that were called that way
part() {
	awk -v a="$(way "$@" deepest)" -v b="$(way "$1" deepest)" 'BEGIN { print b ? 100 * a / b : 0 }'
}

complete() { # NAME LEAST
	python3 - "$scratch/$1.json" "$2" <<-'PY'
	import json, sys
	stacks = json.load(open(sys.argv[1]))["sampling"]["stacks"]
	print("  " + str(stacks))
	sys.exit(not (stacks["mode"] == "bpf" and stacks["taken"] > 30 and stacks["complete_percent"] >= float(sys.argv[2])))
	PY
}

chain() { # DEPTH: the calls that `deep` makes below main
	local depth=$1 words=""
	while [ "$depth" -gt 1 ]; do
		words="$words descend"
		[ $((depth % 5)) = 0 ] && words="$words descend_wide"
		depth=$((depth - 1))
	done
	echo "main$words descend bottom"
}

for depth in 20 60 120; do
	run deep.$depth cpu-clock -F 5000 -- "$WORKLOADS/deep" $depth 300000
	check "depth $depth: every stack is the known one" within "$(way deep.$depth $(chain $depth) deepest)" 100 1
	check "depth $depth: and complete" complete deep.$depth 99
	grep "walking a stack" "$scratch/deep.$depth.err" | sed "s/^/  depth $depth: /"
done
run signal cpu-clock -F 5000 -- "$WORKLOADS/deep" 20 300000 signal
check "through a signal frame: the handler" within "$(way signal on_signal deepest)" 100 1
check "through a signal frame: what it interrupted" within "$(way signal $(chain 20) raise)" 100 1
check "through a signal frame: complete" complete signal 99

run callback cpu-clock -F 2000 -- "$WORKLOADS/calls" callback 1
check "libc calls back" complete callback 99
run thread cpu-clock -F 2000 -- "$WORKLOADS/calls" thread 1
check "a thread's stack" complete thread 99
run large cpu-clock -F 2000 -- "$WORKLOADS/calls" large 1
check "a stack in pages of 2 MB" complete large 99
run kernel cpu-clock -k -F 2000 -- "$WORKLOADS/known" writes 2000000
check "samples in the kernel have the user's frames" complete kernel 99
run faults page-faults:1 -k -- "$WORKLOADS/known" pages 500
check "page faults" complete faults 98

# In user mode the program writes the samples, too (Linux 6.3); for other kinds of stacks the kernel does, the same ones.
samples() { # MODE: how many faults of `pages`, for each thing that a sample says of them
	"$aslr_off" -R "$WPERF" record -v -c 0 --call-graph "$1" -e page-faults:u -o "$scratch/$1.data" -- "$WORKLOADS/known" pages 3000 \
		>/dev/null 2>"$scratch/$1.err" || echo "exit $?"
	"$WPERF" script -i "$scratch/$1.data" -F comm,pid,tid,cpu,time,period,event,ip,sym | awk '
		/^[^\t]/ { split($2, ids, "/"); says = $1 " " (ids[1] == ids[2]) " " (last <= $4) " " $3 " " $5 " " $6; last = $4 }
		/^\t/ && says { if ($2 == "pages") n[says " " $0]++; says = "" }
		END { for (i in n) print n[i], i }'
}
if aslr_off=$(command -v setarch) && "$aslr_off" -R true 2>/dev/null; then
	walked=$(samples bpf) chained=$(samples fp)
	echo "  $walked"
	check "each of 3000 faults is a sample" test "${walked%% *}" = 3000
	check "which says what the kernel's says" test "$walked" = "$chained"
	whole=$(awk '/samples were written in one/ { print $1 }' "$scratch/bpf.err")
	if [ "$(printf '%s\n' 6.3 "$(uname -r)" | sort -V | head -1)" = 6.3 ]; then
		check "and is written by the program (${whole:-none})" test "${whole:-0}" -gt 2900
	else
		part_skipped "Linux before 6.3 does not tell a program of its sample"
	fi
else
	part_skipped "addresses are not the same in two runs (no setarch -R)"
fi
run switches context-switches:1 -k -- "$WORKLOADS/known" sleeps 300
check "context switches" within "$(way switches main sleeps)" 98 2
if "$WPERF" record -e syscalls:sys_enter_clock_nanosleep:1 -k -- true >/dev/null 2>&1; then
	run tracepoint syscalls:sys_enter_clock_nanosleep:1 -k -- "$WORKLOADS/known" sleeps 300
	check "tracepoints" within "$(way tracepoint main sleeps)" 98 2
else
	part_skipped "no tracepoints of system calls"
fi
run forks cpu-clock -F 2000 -- sh -c "for i in 1 2 3 4 5 6; do $WORKLOADS/deep 20 30000; done"
check "children and execs: every stack is the known one" within "$(part forks $(chain 20))" 100 1
run python cpu-clock -F 2000 -- python3 -c 'import re, json
for i in range(30): re.sub("a", lambda m: str(json.loads("[1,2]")), "a" * 20000)'
check "python3" complete python 98

if unshare --pid --fork --mount-proc true 2>/dev/null; then
	unshare --pid --fork --mount-proc "$WPERF" record --call-graph bpf -e cpu-clock -F 5000 --json -- \
		sh -c "$WORKLOADS/deep 20 100000; exec $WORKLOADS/deep 20 100000" >"$scratch/namespace.json"
	check "in a PID namespace: every stack is the known one" within "$(part namespace $(chain 20))" 100 1
	check "in a PID namespace: complete" complete namespace 99
	unshare --pid --fork --mount-proc sh -c "$WORKLOADS/deep 20 100000000 & $WPERF sample -p \$! --call-graph bpf -e cpu-clock \
		-F 1000 --timeout 1 --json; kill \$!" >"$scratch/attached.json" 2>/dev/null
	check "attached in a PID namespace: every stack is the known one" within "$(part attached $(chain 20))" 100 1
	unshare --pid --fork --mount-proc sh -c "$WORKLOADS/deep 20 100000000 & $WPERF sample -a --call-graph bpf -e cpu-clock \
		-F 1000 --timeout 2 --json; kill \$!" >"$scratch/everything.json" 2>/dev/null
	check "all of a PID namespace: every stack is the known one" within "$(part everything $(chain 20))" 100 1
	unshare --pid --fork --mount-proc "$WORKLOADS/deep" 20 100000000 2>/dev/null &
	outer=$!
	sleep 0.2
	"$WPERF" sample -p "$(pgrep -P $outer)" --call-graph bpf -e cpu-clock -F 1000 --timeout 1 --json >"$scratch/outside.json"
	check "a PID namespace seen from outside: every stack is the known one" within "$(part outside $(chain 20))" 100 1
	kill -9 $(pgrep -P $outer) # the first process of a namespace is deaf to less
else
	part_skipped "no PID namespaces can be made"
fi

# Lazy binding runs in frames that build on rbx (_dl_runtime_resolve); every call below call_all is a first one.
if command -v cc >/dev/null; then
	seq 3000 | sed 's/.*/int callee_&(void) { return &; }/' >"$scratch/callees.c"
	{
		seq 3000 | sed 's/.*/int callee_&(void);/'
		echo 'int sum; __attribute__((noinline)) void call_all(void) {'
		seq 3000 | sed 's/.*/sum += callee_&();/'
		echo '} int main(void) { call_all(); return 0; }'
	} >"$scratch/lazy.c"
	cc -O1 -shared -fPIC -o "$scratch/libcallees.so" "$scratch/callees.c"
	cc -O1 -o "$scratch/lazy" "$scratch/lazy.c" "$scratch/libcallees.so" -Wl,-z,lazy "-Wl,-rpath,$scratch"
	run lazy cpu-clock -F 10000 -- sh -c "for i in \$(seq 200); do $scratch/lazy; done"
	bound=$(way lazy main call_all)
	check "lazy binding ($bound % of the samples): complete" complete lazy 99.5
	check "lazy binding is what was sampled" awk -v b="$bound" "BEGIN { exit !(b > 40) }"
else
	part_skipped "no C compiler for lazy binding"
fi

# What is read of a stack goes by the walk before: stacks of nearly nothing and of a kilobyte, in turn.
if command -v cc >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	cat >"$scratch/frames.c" <<'C'
__asm__(".globl _start\n_start:\n.cfi_startproc\n.cfi_undefined rip\nand $-16, %rsp\ncall run\n.cfi_endproc\n");
__attribute__((noinline)) static void spin(int n) { while (n--) __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) static void large(int n)
{
	volatile char room[900];
	room[n & 511] = 1;
	while (n--) __asm__ volatile("" ::: "memory");
	room[0] = 2;
}
__attribute__((noinline)) static void one(void) { volatile char room[64]; room[0] = 1; large(40000); room[0] = 2; }
__attribute__((noinline)) static void other(void) { volatile char room[400]; room[0] = 1; large(40000); room[0] = 2; }
void run(void)
{
	for (int i = 0; i < 20000; i++) { spin(80000); i & 1 ? one() : other(); }
	__asm__ volatile("syscall" :: "a"(231), "D"(0));
}
C
	cc -O1 -fomit-frame-pointer -fno-stack-protector -fno-pie -no-pie -nostdlib -static -o "$scratch/frames" "$scratch/frames.c"
	run frames cpu-clock -F 10000 -- "$scratch/frames"
	large=$(awk -v a="$(way frames run one large)" -v b="$(way frames run other large)" 'BEGIN { print a + b }')
	check "a large stack behind a small one ($large % of the samples) has all its frames" awk -v l="$large" 'BEGIN { exit !(l > 25) }'
else
	part_skipped "no C compiler, or no x86-64, for stacks of two sizes"
fi

"$WORKLOADS/deep" 20 100000000 2>/dev/null &
"$WPERF" sample -a --call-graph bpf -e cpu-clock -F 1000 --timeout 2 --json >"$scratch/all.json"
kill %1
check "everything on the machine: every stack is the known one" within "$(part all $(chain 20))" 100 1

if can_be_nobody; then
	cp "$WPERF" "$WORKLOADS/deep" "$scratch" && chmod 755 "$scratch"
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon \
		"$scratch/wperf" record --call-graph bpf -e cpu-clock --json -- "$scratch/deep" 20 5000000 >"$scratch/capable.json" 2>"$scratch/capable.err"
	check "a user with CAP_BPF and CAP_PERFMON: every stack is the known one" within "$(part capable $(chain 20))" 100 1 || tail -n 3 "$scratch/capable.err"
else
	part_skipped "no setpriv, or not root: a user with CAP_BPF and CAP_PERFMON"
fi
finish

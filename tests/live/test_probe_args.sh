#!/bin/bash
# Arguments of probes: what samples bring beside what the program itself printed, beside bpftrace and stock perf; markers and functions
# of position-independent, static, fixed and stripped programs; as weight and as key.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
[ "$(uname -m)" = x86_64 ] || skip "the marker's operands are x86-64's"
[ -r /sys/bus/event_source/devices/uprobe/type ] || skip "this kernel has no uprobes"
"$WPERF" --version | grep -q '+bpf' || skip "built without BPF"
cd "$scratch" || exit 1
cat >args.c <<'C'
#include <stdio.h>
#include <unistd.h>

/* A marker as sys/sdt.h makes it, with arguments in registers, memory, constant and behind a symbol. */
#define MARK(a, b, c, d)                                                                                       \
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n"                     \
			 ".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"           \
			 "993: .8byte 990b, _.stapsdt.base, 0\n.asciz \"app\"\n.asciz \"step\"\n"              \
			 ".asciz \"-4@%k0 8@%1 -2@%2 -4@$-7 -8@%3\"\n994: .balign 4\n.popsection\n"            \
			 ".ifndef _.stapsdt.base\n"                                                            \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"               \
			 ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"            \
			 ".size _.stapsdt.base,1\n.popsection\n.endif\n" ::"r"(a), "r"(b), "m"(c), "m"(d))

long shared;

__attribute__((noinline)) long hit(int x, long y, const char *text, unsigned char small)
{
	volatile short kept = (short)(-x * 3);

	shared = y * 2;
	MARK(x, text, kept, shared);
	return y - x + small;
}

int main(void)
{
	FILE *marks = fopen("marks", "w"), *calls = fopen("calls", "w"), *results = fopen("results", "w");

	for (int i = 0; i < 100; i++) {
		char text[32];
		long y = (long)i * 10000000019 * (i % 2 ? -1 : 1);

		snprintf(text, sizeof(text), "step %d", i * i);
		fprintf(results, "ret=%ld\n", hit(i - 50, y, text, (unsigned char)(i * 5)));
		fprintf(marks, "x=%d text=\"%s\" arg3=%d arg4=-7 arg5=%ld\n", i - 50, text, -3 * (i - 50), y * 2);
		fprintf(calls, "x=%d arg2=%ld text=\"%s\" small=%d\n", i - 50, y, text, (unsigned char)(i * 5));
	}
	return 0;
}
C
cc -g -O2 -o args args.c || skip "no C compiler"
cc -g -O2 -no-pie -o args-fixed args.c
cc -g -O2 -static -o args-static args.c 2>/dev/null || part_skipped "no static C library"
strip -o args-stripped args-fixed
at=0x$(nm args-fixed | awk '/ hit$/ { print $1 }')

mark=app:step:x=arg1:text=arg2:string:arg3:arg4
call=x=arg1:s32:arg2:text=arg3:string:small=arg4:u8
traced() { # FILE: the arguments of its samples, a line each
	"$WPERF" script -i "$1" -F trace 2>/dev/null | sed 's/^ *([0-9a-f]*) //'
}
same() { # WHAT WANT EVENT PROGRAM: what a run of the program brings
	rm -f one.data
	"$WPERF" record -q --data one.data -e "$3" -- "$4" 2>log || cat log
	check "$1" cmp "$2" <(traced one.data)
}
for program in args args-fixed args-static; do
	[ -x $program ] || continue
	same "a marker of $program" marks "usdt:./$program:$mark:arg5" ./$program
	same "a function of $program" calls "uprobe:./$program:hit:$call" ./$program
done
same "a function of a stripped program" calls "uprobe:./args-stripped:$at:$call" ./args-stripped
same "what it returns" results "uprobe:./args:hit%return:ret" ./args
"$WPERF" record -q --data s.data -e "usdt:./args-stripped:$mark" -- ./args-stripped
check "a marker of it" cmp <(sed 's/ arg5.*//' marks) <(traced s.data)
"$WPERF" record -q --no-data -e "usdt:./args-stripped:$mark:arg5/weight=arg5/" -- ./args-stripped 2>err && failed=1
check "what only symbols tell is said" grep -q 'arg5 is "-8@shared(%rip)", and .* does not say where that is' err

for python in auto off; do # with what walks stacks behind it, and without
	"$WPERF" record -q --python "$python" --data both.data -e "uprobe:./args:hit:$call,usdt:./args:$mark:arg5,page-faults" -- ./args
	check "two at once, --python $python" cmp <(sort calls marks) <(traced both.data | grep = | sort)
done
"$WPERF" record -q --data w.data -e "uprobe:./args:hit:$call/weight=small/" -- ./args
sum=$(grep -o 'small=.*' calls | awk -F= '{s += $2} END {print s}')
check "the sum of a weight" grep -qx "sum of small: $sum" <("$WPERF" report -i w.data 2>/dev/null)
check "a key" grep -Eq '^ +[0-9.]+ +1 +255 +step 2601 *$' <("$WPERF" report -i w.data --sort field:text 2>/dev/null)

if command -v perf >/dev/null && perf --version >/dev/null 2>&1; then
	check "stock perf shows the same" cmp calls <(perf script -i w.data -F event,trace 2>/dev/null | sed -n 's/.*([0-9a-f]*) //p')
fi
if command -v bpftrace >/dev/null && bpftrace -e 'BEGIN { exit(); }' >/dev/null 2>&1; then
	bpftrace -q -e 'uprobe:./args:hit { printf("x=%d arg2=%ld text=\"%s\" small=%d\n", (int32)arg0, arg1, str(arg2), (uint8)arg3); }' \
		-c "$WPERF record -q --data b.data -e uprobe:./args:hit:$call -- $PWD/args" >theirs 2>/dev/null
	check "bpftrace reads the same in the same run" cmp calls <(grep = theirs)
	check "... as wperf beside it" cmp calls <(traced b.data)
else
	part_skipped "no bpftrace"
fi
if [ -r /sys/bus/event_source/devices/kprobe/type ]; then
	"$WPERF" record -q --data k.data -e 'kprobe:do_sys_openat2:name=arg2:string' -- cat args.c >/dev/null
	check "text of a probe in the kernel" grep -q 'name="args.c"' <(traced k.data)
else
	part_skipped "this kernel has no kprobes"
fi
finish

#!/bin/bash
# Addresses of data that are no object's: heap, stacks, anonymous and shared memory, a file, of a program that says what it touches, in recordings of
# ours (of a command, and of a process that runs) and of perf's, whose sums by dso_daddr are the oracle.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
cd "$scratch" || exit 2
areas=$WORKLOADS/areas
rows() { # FILE KEYS: "COUNT VALUE,VALUE" of the event's rows
	"$WPERF" report -i "$1" --sort "$2" --csv --rows 1000 2>/dev/null | sed -n 's/^[0-9.]*,\([0-9]*\),\(.*\),$/\1 \2/p'
}
# Of a file the kernel may map some pages around a fault.
check_areas() { # FILE STACK: what the stack of the thread is called
	rows "$1" symbol,data-symbol,data-module >found
	local kind symbol want tolerance n
	while IFS='|' read -r want tolerance symbol kind; do
		n=$(awk -v want="$kind,$kind" '{ n = $1; sub(/^[0-9]* /, "") } /^touch_(pages|stack)/ { sub(/^[^,]*,/, ""); if ($0 == want) sum += n } END { print sum + 0 }' found)
		check "$1: $symbol: $n faults in $kind" within "$n" "$want" "$tolerance"
	done <<-ALL
		64|3|heap|[heap]
		112|3|shared|/dev/zero
		72|10|file|mapped.bin
		$((2 == $# ? 96 : 144))|3|anonymous|[anon]
		160|3|stack|[stack]
	ALL
	[ $# = 1 ] || check "$1: the thread's stack: $2" within "$(awk -v want=" touch_stack[^,]*,\\\\[stack of $2\\\\]," '$0 ~ want { sum += $1 } END { print sum + 0 }' found)" 48 3
}
"$WPERF" record -q -d -e page-faults:1 --python off --data own.data -- "$areas" mapped.bin >/dev/null 2>&1
check_areas own.data
check "what each has, in wperf mem" grep -qE ' 1 +mapped.bin' <("$WPERF" mem -i own.data)
check "no note where all is known" test -z "$("$WPERF" mem -i own.data | grep 'nothing here says')"
"$WPERF" record -q -d --user-regs -e page-faults:1 --python off --data regs.data -- "$areas" mapped.bin >/dev/null 2>&1
check_areas regs.data stacker

# What is mapped before the recording begins is told by /proc.
mkfifo go
"$areas" mapped.bin wait <go >said &
areas_pid=$!
exec 3>go
wait_until grep -q ready said
"$WPERF" sample -d -e page-faults:1 --python off --data running.data -p $areas_pid >text 2>&1 &
sampler=$!
wait_until grep -q '^sampling' text
echo >&3
wait $sampler
check_areas running.data

command -v perf >/dev/null || { part_skipped "perf is not there to compare with"; finish; }
perf record -q -d -e page-faults:u -c 1 --user-regs=sp -o perf.data "$areas" mapped.bin 2>/dev/null
check_areas perf.data stacker
# perf's words for the same; what it calls anonymous has .bss and stacks of threads in it, and what a stack had just grown by is unknown there.
for pair in '[heap]=[heap]' 'mapped.bin=mapped.bin' '/dev/zero=zero (deleted)'; do
	ours=$(rows perf.data data-module | awk -v want="${pair%%=*}" '{ n = $1; sub(/^[0-9]* /, "") } $0 == want { print n }')
	share=$(perf report -i perf.data --mem-mode --sort dso_daddr --stdio 2>/dev/null | awk -v want="${pair#*=}" '/%/ { n = $1; sub(/^ *[^ ]* */, ""); sub(/ *$/, "") } $0 == want { print n + 0 }')
	all=$(rows perf.data data-module | awk '{ sum += $1 } END { print sum }')
	check "perf has as many in ${pair#*=}: $ours" within "$(awk -v n="$ours" -v all="$all" 'BEGIN { print 100 * n / all }')" "${share:-none}" 0.006
done
finish

#!/bin/bash
# Fields of tracepoints: weighed by one, samples count what the program wrote, by Python line; of our recording stock perf prints the
# same text, and of perf's we do.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
"$WPERF" list -q --json | grep -q '"syscalls:sys_exit_write"' || skip "no tracepoints of system calls here"
python=$(any_python) || skip "no Python"
cd "$scratch" || exit 1

cat >writes.py <<'END'
import os
null = os.open("/dev/null", os.O_WRONLY)
def large():
    return os.write(null, b"x" * 5000)
def small():
    return os.write(null, b"y" * 7)
print(sum(large() for _ in range(200)), sum(small() for _ in range(300)))
END

"$WPERF" record -q --data w.data -e 'syscalls:sys_exit_write/weight=ret/' -- "$python" writes.py >told 2>log || { cat log; exit 1; }
read -r large small <told
lines() { # LINE: bytes of the samples whose innermost Python line it is
	"$WPERF" script -i w.data -F period,sym,dso 2>/dev/null |
		awk -v line="writes.py:$1)" '/^ *[0-9]+ $/ {n = $1; next} !/^$/ && /\.py:[0-9]+\)/ && n {if (index($0, line)) sum += n; n = 0} END {print sum + 0}'
}
check "bytes of one line: $large" test "$(lines 4)" = "$large"
check "bytes of the other: $small" test "$(lines 6)" = "$small"
"$WPERF" script -i w.data --json 2>/dev/null | grep -q '"trace":"0x1388","fields":{"__syscall_nr":[0-9]*,"ret":5000}'
check "JSON has the fields" test $? = 0
check "a field alone" grep -q ' ret=5000$' <("$WPERF" script -i w.data -F event,field:ret 2>/dev/null)
"$WPERF" script -i w.data -F field:rte 2>err && failed=1
check "a field that is none is refused" grep -q '^-F field:rte: no event of the recording has such a field' err
"$WPERF" script -i w.data -F ip >ips 2>/dev/null
check "without -k samples are where the program entered the kernel" test -s ips -a "$(grep -c '^ *ffff' ips)" = 0
total=$("$WPERF" script -i w.data -F period 2>/dev/null | awk 'NF == 1 {sum += $1} END {print sum}')
check "a recording says what its samples count for, and the sum" grep -qx "sum of ret: $total bytes" <("$WPERF" report -i w.data 2>/dev/null)
check "by line, too" grep -Eq "^ +[0-9.]+ +200 +$large +[^ ]*/writes.py:4 *$" <("$WPERF" report -i w.data --sort python-line 2>/dev/null)
"$WPERF" export -q -i w.data --format pprof -o w.pb.gz 2>/dev/null
check "pprof's unit" grep -aq 'weight=ret/2.bytes' <(zcat w.pb.gz)
check "samples by line and field" grep -Eq "^ +[0-9.]+ +200 +$large +[^ ]*/writes.py:4 +5000 *$" <("$WPERF" report -i w.data --sort python-line,field:ret 2>/dev/null)
"$WPERF" report -i w.data --sort field:rte 2>err && failed=1
check "a key that is no field is refused" grep -q "^--sort field:rte: no event of the recording has such a field" err
# In one run; strace has its child's calls from its exec on, which it counts itself.
as_strace() {
	local call
	"$WPERF" record -q --python off --data s.data -e syscalls:sys_enter_write,syscalls:sys_enter_read,syscalls:sys_enter_openat -- \
		strace -c -o s.counts "$python" writes.py >/dev/null 2>&1 || { part_skipped "strace may not trace here"; return 0; }
	for call in write read openat; do
		ours=$("$WPERF" script -i s.data -F comm,event 2>/dev/null | grep -v '^strace' | grep -c "sys_enter_$call:")
		theirs=$(awk -v call=$call '$NF == call { print $4 }' s.counts)
		echo "  $call: $ours, strace has $theirs"
		[ "$ours" = "$theirs" ] || return 1
	done
}
if command -v strace >/dev/null; then check "as many calls as strace counts in the same run" as_strace; else part_skipped "no strace"; fi
"$WPERF" record -q --no-data -e 'syscalls:sys_exit_write/weight=rte/' -- true 2>err && failed=1
check "a weight that is none is refused" grep -q "weight=rte: want one of its numbers: __syscall_nr, ret" err

"$WPERF" --version | grep -q '+traceevent' || { part_skipped "built without libtraceevent"; finish; }
command -v perf >/dev/null && perf --version >/dev/null 2>&1 || { part_skipped "no perf"; finish; }
traces() { sed 's/^ *//; s/ *$//' "$1"; }
same() { # FILE: both say the same of it
	perf script -i "$1" -F event,trace 2>/dev/null >perf.txt
	"$WPERF" script -i "$1" -F event,trace 2>/dev/null >own.txt
	[ -s own.txt ] && diff <(traces perf.txt) <(traces own.txt) | head -5 >differences && ! [ -s differences ] || { cat differences; return 1; }
}
check "perf prints the fields of our recording" same w.data
if perf record -q -e 'syscalls:*,sched:*,irq:*,task:*' -o p.data -- "$python" -c 'import json' >/dev/null 2>log; then
	check "we print those of perf's" same p.data
else
	part_skipped "perf cannot record: $(tail -1 log)"
fi
finish

#!/bin/sh
# spe/inside.sh: runs in the guest, as root: Arm SPE made of software (soft_spe.c) under wperf. Leaves NAME.data, NAME.json, NAME.report
# and NAME.err in /wperf-test/out.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1 WPERF_PAGER=cat
cd /wperf-test/workloads || exit 1
out=/wperf-test/out wperf=/wperf-test/wperf status=0
$wperf record -e arm_spe_0// -- true 2>$out/none.err
/bin/busybox insmod /wperf-test/soft_spe.ko || exit 1
parameter() { echo "$2" >/sys/module/soft_spe/parameters/"$1"; }

one() { # NAME OPTIONS... -- COMMAND...
	name=$1
	shift
	$wperf record -v --json --sample-display-row 100000 --data "/tmp/$name.data" "$@" >"$out/$name.json" 2>"$out/$name.err" ||
		{ status=1; echo "$name: exit $?: $(cat "$out/$name.err")"; }
	cp "/tmp/$name.data" $out
	$wperf report --json --sample-display-row 100000 -i "/tmp/$name.data" >"$out/$name.report" 2>"$out/$name.report.err" || status=1
}
walk() { # NAME OPTIONS...
	one "$@" -- sh -c "/wperf-test/touches 4 >$out/$1.areas"
	$wperf script -i "/tmp/$1.data" -F sym,addr,weight,data_src >"$out/$1.lines" 2>"$out/$1.script.err" || status=1
}
python="python3 py_shares.py 0.05"
$wperf test >$out/test.txt
$wperf list >$out/list.txt
walk touches -e arm_spe_0//:100000
walk loads -e arm_spe_0/load_filter=1,ts_enable=1/:100000
walk timeless -e arm_spe_0/ts_enable=0/:100000
walk context -k -e arm_spe_0/pct_enable=1/:100000
walk wide -a -e arm_spe//:100000
one python -e arm_spe_0//:500000 -- $python
one beside -e arm_spe_0//:500000,cpu-clock:10000000 -- $python
one lines -e arm_spe_0//:300000,cpu-clock:5000000 -- sh -c "python3 py_areas.py 6 >$out/lines.areas"
$wperf mem --json --sort python-function,data-page --rows 100000 -i /tmp/lines.data >$out/lines.pages 2>"$out/lines.mem.err" || status=1
$wperf mem --json --sort python-function,python-line,opcode --rows 100000 -i /tmp/lines.data >$out/lines.opcodes 2>>"$out/lines.mem.err" || status=1
one threads -e arm_spe_0//:500000 -- python3 -c '
import threading, os
def spin():
    for _ in range(100000): pass
os.fork()
threads = [threading.Thread(target=spin) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()'
parameter collide 3
parameter truncate 4
walk trouble -e arm_spe_0//:100000
exit $status

#!/bin/sh
# inside.sh CPU: runs in the guest, as root: count.sh, then, on neoverse-n1, profiles py_shares.py by events of the Arm PMU with
# each way of reading Python frames, and py_traps.py with the system's CPython and those of a later suite (9p tag "suite").
# Leaves NAME.json, NAME.truth, NAME.lines and NAME.err in /wperf-test/out.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1
cd /wperf-test/workloads || exit 1
out=/wperf-test/out
/bin/sh /wperf-test/count.sh "$1"
status=$?
[ "$1" = neoverse-n1 ] || exit $status

one() { # NAME OPTIONS...
	name=$1
	shift
	PY_TRUTH=$truth/$name.truth $as /wperf-test/wperf record --json --sample-display-row 100000 "$@" -- \
		$program >"$out/$name.json" 2>"$out/$name.err" || { status=1; echo "$name: exit $?"; }
}
# Arguments of probes by name, and what the program wrote of them.
for level in O0 O2; do
	(cd /tmp && /wperf-test/wperf record -q --python off --data names.data \
		-e "uprobe:/wperf-test/names-$level:hit:x:y:text:small:kind:seventh:eighth" -- /wperf-test/names-$level && cp truth $out/names-$level.truth &&
		/wperf-test/wperf script -i names.data -F trace >$out/names-$level.lines) 2>$out/names-$level.err || status=1
done
(cd /tmp && /wperf-test/wperf record -q --python off --data write.data -e kprobe:vfs_write:count -- sh -c 'printf %01234d 7 >written' &&
	/wperf-test/wperf script -i write.data -F trace) >$out/names-kernel.lines 2>$out/names-kernel.err || status=1

/wperf-test/wperf record --waits --json --sample-display-row 1000 --data /tmp/waits.data -- python3 -c 'import os, time
def reads():
    return os.read(there, 1)
def sleeps():
    time.sleep(0.01)
there, back = os.pipe()
if not os.fork():
    time.sleep(0.3)
    os.write(back, b"x")
    os._exit(0)
reads()
for _ in range(20):
    sleeps()' >$out/waits-python.json 2>$out/waits-python.err || status=1
WAKERS_NAP=0.05 WAKERS_TRUTH=$out/wakers.truth /wperf-test/wperf record --wakers --threads --json --sample-display-row 100000 -- \
	python3 py_wakers.py >$out/wakers.json 2>$out/wakers.err || status=1

as="" truth=$out program="python3 py_shares.py 0.4"
one bpf-cycles -e cpu_cycles:500000 --python bpf
one bpf-stacks -e cpu_cycles:500000 --python bpf -g
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
echo 1 >/proc/sys/kernel/perf_event_paranoid
one pinned-cycles -e cpu_cycles:500000

traps="py_traps.py recursion,decorators,sorting,generators,crowd,imports 0.1"
as="" program="python3 $traps"
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent # nothing is throttled
one python3 -e cpu_cycles:500000 --python bpf -g

counts() { # PYTHON: the code objects it makes are counted where wperf says
	rm -f /run/question /run/answer
	mkfifo /run/question /run/answer
	{ read -r pid && /wperf-test/python_plan -p "$pid" | $busybox sed -n 's/^code_count=//p'; } >/run/answer </run/question &
	chroot $suite "$1" -c "$(cat /wperf-test/python_count.py)" </run/answer >/run/question
}
suite=/run/suite busybox=/bin/busybox
mkdir -p $suite
$busybox mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose suite $suite 2>/dev/null || exit $status
$busybox mount -t proc none $suite/proc
$busybox mount --bind /wperf-test/workloads $suite/mnt
$busybox mount --bind $out $suite/wperf-scratch
truth=/wperf-scratch
for python in $suite/usr/bin/python3.1[0-9]; do
	python=${python##*/} program="chroot $suite ${python##*/} /mnt/$traps"
	one "$python" -e cpu_cycles:500000 --python bpf -g
	counts "$python" 2>"$out/$python.count" || { status=1; echo "$python: $(cat "$out/$python.count")"; }
done
exit $status

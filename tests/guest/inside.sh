#!/bin/sh
# inside.sh CPU: runs in the guest, as root: count.sh, then, on neoverse-n1, profiles py_shares.py by events of the Arm PMU with
# each way of reading Python frames. Leaves NAME.json, NAME.truth and NAME.err in /wperf-test/out.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1
cd /wperf-test/workloads || exit 1
out=/wperf-test/out
/bin/sh /wperf-test/count.sh "$1"
status=$?
[ "$1" = neoverse-n1 ] || exit $status

one() { # NAME OPTIONS...
	name=$1
	shift
	PY_TRUTH=$out/$name.truth $as /wperf-test/wperf record --json --sample-display-row 100000 "$@" -- \
		python3 py_shares.py 0.4 >"$out/$name.json" 2>"$out/$name.err" || { status=1; echo "$name: exit $?"; }
}
as=""
one bpf-cycles -e cpu_cycles:500000 --python bpf
one bpf-stacks -e cpu_cycles:500000 --python bpf -g
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
echo 1 >/proc/sys/kernel/perf_event_paranoid
one pinned-cycles -e cpu_cycles:500000
exit $status

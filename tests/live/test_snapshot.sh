#!/bin/bash
# record --snapshot: the last seconds, written at SIGUSR2 and at the end: each recording complete in
# itself, with what ended inside the window, without what is older; stock perf reads them.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
cat >"$scratch/child.py" <<-'PY'
	import time
	def gone_soon(n):
	    return sum(i * i for i in range(n))
	end = time.process_time() + 0.2
	while time.process_time() < end:
	    gone_soon(1000)
PY
cat >"$scratch/work.py" <<-'PY'
	import glob, os, signal, subprocess, sys, time
	def old(n):
	    return sum(i * i for i in range(n))
	def fresh(n):
	    return sum(i * i for i in range(n))
	def spin(f):
	    end = time.process_time() + 0.2
	    while time.process_time() < end:
	        f(1000)
	def ask(n):
	    os.kill(os.getppid(), signal.SIGUSR2)
	    limit = time.time() + 30
	    while len([name for name in glob.glob(sys.argv[1] + ".*") if not name.endswith(".python")]) < n:
	        time.sleep(0.01)
	        if time.time() > limit:
	            sys.exit("no recording %d in 30 s" % n)
	spin(old)
	until = time.monotonic() + 1.5 # longer than the window: old falls out of it
	subprocess.run([sys.executable, sys.argv[2]])
	ask(1)
	while time.monotonic() < until:
	    time.sleep(0.05)
	spin(fresh)
	ask(2)
PY
"$WPERF" record -e cpu-clock -F 999 -g --snapshot=1s --data "$scratch/x.data" -- \
	python3 "$scratch/work.py" "$scratch/x.data" "$scratch/child.py" >"$scratch/out" 2>"$scratch/err"
mapfile -t files < <(ls "$scratch"/x.data.* | grep -v python)
check "two signals and the end make three recordings" test ${#files[@]} = 3
check "  and none is called as they all are" test ! -e "$scratch/x.data"
has() { # FILE FUNCTION
	"$WPERF" script -F comm,pid,sym,srcline -i "$1" 2>/dev/null | grep -qw "$2"
}
hasnt() { ! has "$@"; }
check "a process that ended before the signal is in the first" has "${files[0]}" gone_soon
check "  with its Python lines" eval '"$WPERF" report -i "${files[0]}" 2>/dev/null | grep -q "child.py:3"'
check "  and its interpreter" eval '"$WPERF" script -F comm,sym,dso -i "${files[0]}" 2>/dev/null | grep -q python3'
check "  and only there: what is older than the window is not in the last" hasnt "${files[1]}" "old"
check "what ran right before the signal is there" has "${files[1]}" fresh
check "the end has it, too" has "${files[2]}" fresh
span() { # FILE: whether its samples are of a second
	"$WPERF" script -F time -i "$1" 2>/dev/null |
		awk -F: '$1 + 0 { if (!n++) a = $1; b = $1 } END { print n && b - a <= 1 }'
}
check "no recording has more than the window" eval '[ "$(span "${files[1]}") $(span "${files[2]}")" = "1 1" ]'
if command -v perf >/dev/null; then
	check "perf names the functions of the one that ended" \
		eval 'perf script -i "${files[0]}" 2>/dev/null | grep -qw gone_soon'
	check "perf knows those of the second" eval 'perf script -i "${files[1]}" 2>/dev/null | grep -qw fresh'
	check "perf and wperf have as many samples" \
		test "$(perf script -F time -G -i "${files[0]}" 2>/dev/null | grep -c .)" = \
		"$("$WPERF" script -F time -i "${files[0]}" 2>/dev/null | grep -c .)"
else
	part_skipped "no perf"
fi
finish

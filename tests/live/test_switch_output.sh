#!/bin/bash
# record --switch-output: each recording is complete in itself, and stock perf
# reads the Python names of each.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
cat >"$scratch/work.py" <<-'PY'
	import glob, os, signal, sys, time
	def early(n):
	    return sum(i * i for i in range(n))
	def late(n):
	    return sum(i * i for i in range(n))
	def spin(f):
	    end = time.process_time() + 0.3
	    while time.process_time() < end:
	        f(1000)
	spin(early)
	os.kill(os.getppid(), signal.SIGUSR2)
	def meanwhile(n):
	    return sum(i * i for i in range(n))
	limit = time.time() + 30
	while len([name for name in glob.glob(sys.argv[1] + ".*") if not name.endswith(".python")]) < 2:
	    meanwhile(1000)
	    if time.time() > limit:
	        sys.exit("no second recording in 30 s")
	spin(late)
PY
"$WPERF" record -e cpu-clock -F 999 --switch-output --data "$scratch/x.data" -- python3 "$scratch/work.py" "$scratch/x.data" >"$scratch/out" 2>"$scratch/err"
mapfile -t files < <(ls "$scratch"/x.data.* | grep -v python)
check "a signal makes two recordings" test ${#files[@]} = 2
check "  and none is called as they all are" test ! -e "$scratch/x.data"
has() { # FILE FUNCTION
	"$WPERF" script -F sym -i "$1" 2>/dev/null | grep -qw "$2"
}
check "what was before the signal is in the first" has "${files[0]}" early
check "what was after it is in the second" has "${files[1]}" late
hasnt() { ! has "$@"; }
check "  and only there" hasnt "${files[0]}" late
if command -v perf >/dev/null; then
	for i in 0 1; do
		name=early
		[ $i = 1 ] && name=late
		check "perf knows $name of recording $i" eval 'perf script -i "${files[$i]}" 2>/dev/null | grep -qw $name'
	done
else
	part_skipped "no perf"
fi
"$WPERF" record -e cpu-clock -F 999 --compression-level 0 --switch-output 1K --switch-max-files 2 --data "$scratch/y.data" -- \
	python3 -c 'import time
end = time.process_time() + 1.2
while time.process_time() < end: pass' >/dev/null 2>"$scratch/err"
check "there were more than two" test "$(grep -c ' samples, ' "$scratch/err")" -gt 2
check "only the last two of many are kept" test "$(ls "$scratch"/y.data.* | grep -vc python)" = 2
finish

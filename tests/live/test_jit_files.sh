#!/bin/bash
# Perf maps lie where everybody may write: whose they are, how old, and that they are no links.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
can_be_nobody || skip "needs root and setpriv"
[ "$(uname -m)" = x86_64 ] || skip "the code is x86-64's"
python=/usr/bin/python3
[ -x $python ] || skip "no Python that every user may run"
cd "$scratch" || exit 1
chmod 755 .

# Code at a fixed address in no file, where it stays for argv[1] seconds.
cat >spin.py <<'PY'
import ctypes, signal, sys
libc = ctypes.CDLL(None)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
at = libc.mmap(0x500000000000, 4096, 7, 0x100022, -1, 0)
ctypes.memmove(at, b"\xeb\xfe", 2)
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
ctypes.CFUNCTYPE(None)(at)()
PY
line='500000000000 1000 NAMED_HERE'

report() { # OPTION...
	"$WPERF" report -i ended.data "$@" >out 2>err
}

named() {
	grep -q NAMED_HERE out
}

"$WPERF" record -e cpu-clock -F 300 --data ended.data -- $python spin.py 0.5 >out 2>err
pid=$("$WPERF" script -i ended.data -F pid | head -n 1 | tr -dc 0-9)
map=/tmp/perf-$pid.map
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch" "$map"' EXIT
rm -f "$map"
as_nobody sh -c "echo '$line' >$map"
report
check "an ended process: nobody's perf map is not believed" eval '! named'
check "  which is said" grep -q "$map: not read, it belongs to user 65534" err
report -f
check "  but for -f" named
rm -f "$map"
echo "$line" >"$map"
report
check "root's is" named
touch -d '1 hour ago' "$map"
report
check "  unless it is older than the process" eval '! named'
rm -f "$map"
echo "$line" >elsewhere
ln -s "$scratch/elsewhere" "$map"
report
check "  or a link" eval '! named'
rm -f "$map"

live() { # MAP, made by a command of the process's user
	"$WPERF" sample --python off -e cpu-clock -F 300 -p $pid --timeout 0.4 >out 2>err
}

start() { # COMMAND...: runs as nobody, who could not write over the map of an earlier process with this id
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@" &
	pid=$!
	map=/tmp/perf-$pid.map
	rm -f "$map"
	wait_until is_mapped $pid ^500000000000
}

chmod 600 elsewhere
start $python spin.py 60
as_nobody sh -c "echo '$line' >$map"
live
check "a process that runs: its own perf map is read" named
rm -f "$map"
as_nobody ln -s "$scratch/elsewhere" "$map"
live
check "  no link to a file of root's" eval '! named'
rm -f "$map"
kill $pid
if as_nobody unshare -Urm true 2>/dev/null; then
	start unshare -Urm sh -c "touch /tmp/perf-\$\$.map && mount --bind $scratch/elsewhere /tmp/perf-\$\$.map; exec $python spin.py 60"
	check "  (the mount is there)" grep -q "perf-$pid.map" /proc/$pid/mountinfo
	live
	check "  nor one that it mounted there" eval '! named'
	kill $pid
	rm -f "$map"
else
	part_skipped "nobody may not have namespaces"
fi

# 300 MB of names, which are more than is kept: in little time and memory, and said.
start $python spin.py 120
as_nobody $python - $map <<-'PY'
	import sys
	with open(sys.argv[1], "w") as out:
	    for i in range(150000):
	        out.write("%x 10 %s\n" % (0x600000000000 + 16 * i, "x" * 2000))
	PY
cat >limited.py <<-'PY'
	import resource, subprocess, sys, time
	began = time.time()
	subprocess.run(sys.argv[1:], stdout=open("out", "w"), stderr=open("err", "w"))
	own = resource.getrusage(resource.RUSAGE_CHILDREN)
	took, ran, used = time.time() - began, own.ru_utime + own.ru_stime, own.ru_maxrss >> 10
	print("  %.1f s, %.1f of a CPU, %d MB" % (took, ran, used))
	sys.exit(ran > 6 or took > 60 or used > 700)
	PY
check "a large map keeps nobody waiting" python3 limited.py "$WPERF" sample --python off -e cpu-clock -p $pid --timeout 2 --data large.data --max-memory 512
check "  nor a report" python3 limited.py "$WPERF" report -f -i large.data --max-memory 512
check "  what is too much is said" grep -q "takes more than 512 MB.*: names of JIT code from then on" err
kill $pid
rm -f "$map"
finish

#!/bin/bash
# What strangers say takes no more memory than is allowed, no more time than a run has, and what was left out is told.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
python=$(any_python) || skip "no CPython from 3.10 on"
cd "$scratch" || exit 1
chmod 755 .

told() { # TEXT
	grep -q "left out, since what files and processes say takes more than.*$1" err
}

# 20,000 functions with long names, in a source of two megabytes.
"$python" - <<'PY'
with open("many.py", "w") as out:
    out.write("import time\nend = time.process_time() + 3\n")
    for i in range(20000):
        out.write("def f%d_%s(): return sum(range(20))\n" % (i, "x" * 40))
    out.write("every = [value for name, value in sorted(globals().items()) if name[0] == 'f']\n")
    out.write("while time.process_time() < end:\n for f in every:\n  for i in range(10): f()\n")
PY
touch -d '1 hour ago' many.py
"$WPERF" record -e cpu-clock -F 4000 --data many.data --max-memory 1 -- "$python" many.py >out 2>err
check "Python: functions that find no room are said" told "functions and texts of Python"
check "  and source text" told "the lines of 1 Python file"
check "symbols, too" told "symbols of [0-9]* file"
"$WPERF" record -e cpu-clock -F 4000 --data many.data -- "$python" many.py >out 2>err
check "with the usual bound nothing is left out" eval '! told ""'
"$WPERF" report -i many.data --max-memory 1 >out 2>err
check "a recording's functions have the same bound" told "functions and texts of Python"
"$WPERF" report -i many.data >out 2>err
check "  and the usual one" eval '! told "" && grep -q "_xxxx" out'
"$WPERF" record -g -e cpu-clock --no-data --max-memory 1 -- "$python" -c 'sum(range(30000000))' >out 2>err
check "unwind rules" told "unwind rules of [0-9]* file"

# Files of another user that take long to read, and one with a million symbols.
if can_be_nobody && [ "$(uname -m)" = x86_64 ]; then
	cat >symbols.py <<-'PY'
	import os, struct, sys
	source, target, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
	data = bytearray(open(source, "rb").read())
	at, = struct.unpack_from("<Q", data, 0x28)
	n, = struct.unpack_from("<H", data, 0x3c)
	text = None
	for i in range(n):
	    section = list(struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i))
	    if section[1] == 1 and section[2] & 4 and not text or section[1] == 1 and section[2] & 4 and section[5] > text[5]:
	        text = section
	    if section[1] == 2:
	        table, number = section, i
	names = b"\0" + b"".join(b"s%09d\0" % i for i in range(count))
	symbols = b"".join(struct.pack("<IBBHQQ", 1 + 11 * i, 0x12, 0, 1, text[3] + (i * 7919) % text[5], 1) for i in range(count))
	begin = (len(data) + 4095) & ~4095
	link = list(struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * table[6]))
	table[4:6] = begin, len(symbols)
	link[4:6] = begin + len(symbols), len(names)
	struct.pack_into("<IIQQQQIIQQ", data, at + 64 * number, *table)
	struct.pack_into("<IIQQQQIIQQ", data, at + 64 * table[6], *link)
	with open(target, "wb") as file:
	    file.write(data.ljust(begin, b"\0") + symbols + names)
	PY
	cat >limited.py <<-'PY'
	import resource, subprocess, sys, time
	most_s, most_mb, sends = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
	began = time.time()
	child = subprocess.Popen(sys.argv[4:], stdout=open("out", "w"), stderr=open("err", "w"))
	if sends:
	    time.sleep(sends)
	    child.terminate()
	    began = time.time()
	child.wait()
	took, used = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
	print("  %.2f s, %d MB" % (took, used))
	sys.exit(took > most_s or used > most_mb)
	PY
	cp "$WORKLOADS/calls" slowpoke
	python3 symbols.py "$WORKLOADS/calls" big 1000000
	chmod 755 big slowpoke && chown 65534 big slowpoke
	beside() { # PROGRAM: of nobody, in $program
		setpriv --reuid=65534 --regid=65534 --clear-groups "./$1" shares 60 >/dev/null &
		program=$!
		wait_until is_mapped $program "/$1\$"
	}
	beside slowpoke
	slow=$WORK/tools/wperf_slow
	export SLOW_LOAD=slowpoke:30000
	check "--timeout 0.5 beside a file that takes 30 s to read" python3 limited.py 4 1000 0 "$slow" sample -g --annotate -e cpu-clock -p $program --timeout 0.5
	check "  which is said" grep -q "no symbols of .*/slowpoke: they were not read in time" err
	check "  -a" python3 limited.py 4 1000 0 "$slow" sample -g -e cpu-clock -a --timeout 0.5
	check "SIGTERM beside it" python3 limited.py 1.5 1000 1.5 "$slow" sample -g --annotate -e cpu-clock -p $program --timeout 30
	chown 0 slowpoke
	SLOW_LOAD=slowpoke:3000
	check "one of our own is waited for" python3 limited.py 9 1000 0 "$slow" sample -e cpu-clock -F 999 -p $program --timeout 0.5
	check "  and has names" grep -qE " leaf *$" out
	kill $program
	beside big
	check "a million symbols are read" python3 limited.py 15 1000 0 "$WPERF" sample -e cpu-clock -F 999 -p $program --timeout 8
	check "  and have names" grep -qE " s0[0-9]+" out
	check "where they find no room nothing of them is kept" python3 limited.py 15 250 0 "$WPERF" sample -e cpu-clock -p $program --timeout 2 --max-memory 64
	check "  and that is told" told "symbols of 1 file"
	kill $program
else
	part_skipped "needs root, setpriv and x86-64"
fi
finish

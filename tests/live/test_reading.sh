#!/bin/bash
# Reading a large recording says on a terminal how far it is, and leaves nothing of that behind.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 2
"$WPERF" record -q --python off --call-graph dwarf,32768 -F 10000 --data -- sh -c '
	i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done' >/dev/null 2>&1 || skip "no recording: $("$WPERF" test | sed -n 3p)"

on_terminal() { # FILE COMMAND...: what it writes to a terminal as standard error
	python3 - "$@" <<-'PY'
	import os, pty, subprocess, sys
	ours, theirs = pty.openpty()
	child = subprocess.Popen(sys.argv[2:], stdout=open("out", "wb"), stderr=theirs)
	os.close(theirs)
	seen = b""
	try:
	    while piece := os.read(ours, 65536):
	        seen += piece
	except OSError:
	    pass
	open(sys.argv[1], "wb").write(seen)
	sys.exit(child.wait())
	PY
}

# The first samples take longer than a second, so that the rest is told of.
slow=$WORK/tools/wperf_slow
export SLOW_LOAD=libc.so.6:1500
check "export" on_terminal seen "$slow" export --format folded -o x.folded
check "a line with percents" grep -aqE 'reading perf.data \.\.\. [0-9]+%' seen
check "it is erased" grep -aqF "$(printf '%%\r\033[K')" seen
check "-q" on_terminal seen "$slow" export --format folded -o x.folded -q
check "not with -q" sh -c "! grep -aq reading seen"
"$slow" export --format folded -o x.folded 2>seen
check "not without a terminal" sh -c "! grep -aq reading seen"
finish

#!/bin/bash
# Python code in shapes that profilers get wrong: the chain of callers of every sample is the program's.
. "$TOP/tests/live/python.sh"

profile_options="-e cpu-clock -F 4000 -g"
one() { # ROOT PYTHON
	local name
	name=$(label "$1" "$2")
	check "$name: runs" profile "trap" "$1" "$2" py_traps.py all 0.1
	check "$name: chains of callers" holds "trap" cases 99
	check "$name: at most 0.1 % are not whole" holds "trap" broken 0.1
}
each_python one "$a_few"
finish

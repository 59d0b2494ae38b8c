#!/bin/bash
# Shares of functions and of lines: within a point of the program's own clock.
. "$TOP/tests/live/python.sh"

profile_options="-e cpu-clock -F 9999"
one() {
	local name
	name=$(label "$1" "$2")
	check "$name: runs" profile shares "$1" "$2" py_shares.py 0.5
	for of in functions Lines Loops; do
		check "$name: shares of $of" holds shares shares $of 1
	done
	check "$name: at most 0.1 % not whole" holds shares broken 0.1
	check "$name: nothing lost after the start" holds shares lost 1
}
each_python one "$a_few"
finish

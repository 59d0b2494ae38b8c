#!/bin/bash
# Code objects read from the memory of every interpreter: their names, files and lines are what it says of them itself.
. "$TOP/tests/live/interpreters.sh"
tool=$WORK/tools/python_codes
oracle=$TOP/tests/live/python_codes_oracle.py

# The interpreter writes what it knows and waits, so that it can be read.
compare() { # ROOT INTERPRETER BUILD...
	local pid status
	inside "$1" "$2" - <"$oracle" 2>"$scratch/err" >"$scratch/pipe" &
	pid=$!
	said=$(timeout 120 "$tool" <"$scratch/pipe")
	status=$?
	kill $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ $status = 0 ] || tail -n 5 "$scratch/err"
	echo "  $said"
	return $status
}

[ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] ||
	skip "not root, and kernel.yama.ptrace_scope lets nobody read other processes"
mkfifo "$scratch/pipe"
while read -r root python build; do
	check "code objects of $python of $root (${build%% *})" compare "$root" "$python" "$build" </dev/null
done <"$scratch/interpreters"
finish

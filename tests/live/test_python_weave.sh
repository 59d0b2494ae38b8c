#!/bin/bash
# Native and Python frames woven to one stack, next to what gdb knows of each activation of the evaluation loop: callbacks from
# C, coroutines, subinterpreters, PEP 523 evaluators, greenlets, -X perf, stacks deeper than a sample keeps.
. "$TOP/tests/live/lib.sh"
here=$TOP/tests/live
export WEAVE_TOOL=$WORK/tools/weave WEAVE_TIMES=${WEAVE_TIMES:-6}
for need in gdb nm; do
	command -v $need >/dev/null || skip "no $need"
done
[ "$(uname -m)" = x86_64 ] || skip "the oracle knows the registers of x86-64 only"
gdb -nx -batch -ex 'python print(1)' 2>/dev/null | grep -q 1 || skip "gdb without Python"
sleep 5 & gdb -nx -batch -p $! -ex 'info inferiors' 2>&1 | grep -q 'process' || skip "gdb may not attach"
kill $!

woven() { # NAME COMMAND...
	local name=$1
	shift
	"$@" >/dev/null 2>&1 &
	local pid=$!
	sleep "${settle:-0.7}"
	timeout 60 gdb -nx -batch -iex "set auto-load python-scripts off" -p $pid -x "$here/weave_oracle.py" >"$scratch/oracle" 2>&1
	local status=$?
	echo "$name: $(sed -n 's/^oracle: //p' "$scratch/oracle")"
	if [ $status != 0 ]; then
		echo "FAILED: $name (gdb ended with $status)"
		grep -aA30 '^FAILED\|^Traceback' "$scratch/oracle" | head -40
		failed=1
	fi
	kill -CONT $pid 2>/dev/null
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
}

stacks() { # CASE PYTHON OPTIONS...: of py_stacks.py, if that interpreter can
	local case=$1
	shift
	if "$@" "$TOP/tests/workloads/py_stacks.py" can "$case" 2>/dev/null; then
		woven "$name $case${2:+ $2$3}" "$@" "$TOP/tests/workloads/py_stacks.py" "$case" 100
	else
		part_skipped "$name cannot run $case"
	fi
}

traps() { # CASE PYTHON
	woven "$name $1" "$2" "$TOP/tests/workloads/py_traps.py" "$1" 100
}

found=0
for python in ~/.pyenv/versions/{2.7,3.6,3.8,3.10,3.11,3.12,3.13}.*/bin/python /usr/bin/python3-dbg; do
	[ -x "$python" ] || continue
	found=1
	name=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
	for case in $("$python" "$TOP/tests/workloads/py_traps.py" list); do
		case $case in sorting | callbacks | tasks | interpreters) traps "$case" "$python" ;; esac
	done
	case $name in
	3.10.* | 3.12.*)
		stacks greenlets "$python"
		stacks destructors "$python"
		traps recursion "$python"
		traps threads "$python"
		;;
	esac
	case $name in 3.1[1-9].*) stacks evaluator "$python" ;; esac
	case $name in 3.1[2-9].*) stacks executing "$python" -X perf ;; esac
done
[ $found = 1 ] || skip "no interpreter with debug information"
finish

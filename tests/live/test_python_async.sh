#!/bin/bash
# --async: behind each coroutine of tests/workloads/py_tasks.py its task, and who awaits that, in every sample; 3.11 and newer:
# asyncio's C tasks everywhere; those written in Python with one of each version, and uvloop's loop with one.
. "$TOP/tests/live/python.sh"

profile_options="--async -g -e cpu-clock -F 1000"
one() { # ROOT PYTHON [KIND]
	local name
	name="$(label "$1" "$2")${3:+ $3}"
	check "$name: runs" profile tasks "$1" "$2" py_tasks.py 0.1 ${3:-}
	check "$name: tasks and those that await them" python3 "$TOP/tests/live/python_tasks.py" "$scratch/tasks.json" "$scratch/tasks.truth"
}
other_kind() { # one of them per version: nest_asyncio's way ("mixed") does not work with 3.14, whose TaskGroup finds no task then
	case $2 in
	*3.11* | *3.14* | *3.15*) one "$1" "$2" pure ;;
	*3.12*) one "$1" "$2" pure && one "$1" "$2" mixed ;;
	*) one "$1" "$2" mixed ;;
	esac
}
# sid has what forky has, mostly.
every='^/ .*3\.1[1-5]|/(trixie|forky) .*3\.1[1-5]' some='^/ .*/3\.1[1-3]\.|/forky .*3\.14$'
[ -z "${WPERF_EVERY_PYTHON:-}" ] || every='3\.1[1-5]' some='3\.1[1-5]'
each_python one "$every"
each_python other_kind "$some"
for_uvloop=$("$suites" list | awk '$1 == "/" && /3\.12/ { print $2; exit }')
if [ -n "$for_uvloop" ] && folder=$("$suites" packages "$for_uvloop" uvloop==0.22.1); then
	PYTHONPATH=$folder one / "$for_uvloop" uvloop
else
	part_skipped "no uvloop: no 3.12 here, or PyPI does not answer"
fi
profile_options="-g -e cpu-clock -F 1000"
last=$("$suites" list | awk '$1 == "/" && /3\.1[1-5]/ { print $2 }' | tail -1)
if [ -n "$last" ]; then
	check "without --async: runs" profile none / "$last" py_tasks.py 1
	check "without --async: no tasks" eval '! grep -q "task Task-1" "$scratch/none.json"'
fi
# Chains longer than a tree in JSON is deep, by way of a recording.
if [ -n "$last" ]; then
	PY_TRUTH=$scratch/deep.truth "$WPERF" record --async -g -e cpu-clock -F 1000 $way -o "$scratch/deep.data" -- \
		"$last" "$TOP/tests/workloads/py_tasks.py" 0.1 >"$scratch/deep.out" 2>"$scratch/deep.err"
	check "recorded: exports" "$WPERF" export -q -i "$scratch/deep.data" --format folded -o "$scratch/deep.folded"
	check "recorded: chains that are cut say so" python3 "$TOP/tests/live/python_tasks.py" "$scratch/deep.folded" "$scratch/deep.truth"
	check "recorded: they are counted" grep -qE '^python: .*, [0-9]+ with too many that await their task' "$scratch/deep.out"
fi
finish

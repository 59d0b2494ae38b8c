#!/bin/bash
# --async: behind each coroutine of tests/workloads/py_tasks.py its task, and who awaits that, in every sample; 3.11 and newer
. "$TOP/tests/live/python.sh"

profile_options="--async -g -e cpu-clock -F 1000"
one() {
	local name
	name=$(label "$1" "$2")
	check "$name: runs" profile tasks "$1" "$2" py_tasks.py 1
	check "$name: tasks and those that await them" python3 "$TOP/tests/live/python_tasks.py" "$scratch/tasks.json" "$scratch/tasks.truth"
}
every='3\.1[1-5]'
each_python one "$every"
profile_options="-g -e cpu-clock -F 1000"
last=$("$suites" list | awk -v every="$every" '$1 == "/" && $0 ~ every { print $2 }' | tail -1)
if [ -n "$last" ]; then
	check "without --async: runs" profile none / "$last" py_tasks.py 1
	check "without --async: no tasks" eval '! grep -q "task Task-1" "$scratch/none.json"'
fi
finish

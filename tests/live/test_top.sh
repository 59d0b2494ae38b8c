#!/bin/bash
# `wperf top` of a program that goes from one function to another: its tables follow, each sample counts in one interval, a pipe gets text
# and nothing else, a terminal one screen after the other, and it ends as what it watches does, or when it is told to.
. "$TOP/tests/live/lib.sh"
"$WPERF" record -e cpu-clock --python off --no-data -- true >/dev/null 2>&1 || skip "sampling is not permitted here"
python=$(any_python) || skip "there is no CPython 3.10 or newer"

cd "$scratch" || exit 2

start() { # starts the program in the background: $pid
	rm -f "$scratch/second" "$scratch/end" "$scratch/began"
	"$python" "$TOP/tests/workloads/py_phases.py" "$scratch" &
	pid=$!
	wait_until test -e "$scratch/began"
}

shown() { # FILE FUNCTION N: so many intervals have a line where it alone was hot
	python3 - "$scratch/$1" "$2" "$3" <<-'PY'
	import json, sys
	lines = open(sys.argv[1], encoding="utf-8").read().split("\n")[:-1]
	hot = [{row["function"] for row in json.loads(line)["sampling"]["events"][0]["python_functions"]} & {"first", "second"} for line in lines]
	sys.exit(sum(names == {sys.argv[2]} for names in hot) < int(sys.argv[3]))
	PY
}

start
"$WPERF" top -F 500 -d 0.2 --rows 1000 -p $pid --json >"$scratch/phases.json" 2>"$scratch/err" &
top=$!
check "intervals in the first phase" wait_until shown phases.json first 3
touch "$scratch/second"
check "intervals in the second one" wait_until shown phases.json second 3
touch "$scratch/end"
wait $pid
wait $top
check "the end of the program ends it with status 0" test $? = 0
check "the tables follow the program, each sample counts once" "$TOP/tests/live/top_check.py" phases "$scratch/phases.json"
check "each interval is as the schema says" "$TOP/tests/schemas/validate" top "$scratch/phases.json"

start
"$WPERF" top -F 500 -d 0.2 --python pinned -p $pid 2>"$scratch/err" > >(cat >"$scratch/text") &
top=$!
check "three intervals" wait_until sh -c "test \$(grep -c ' samples in ' '$scratch/text') -ge 3"
kill -TERM $top
wait $top
check "SIGTERM ends it with status 0" test $? = 0
check "... and the sums" wait_until grep -q '^[0-9]* samples in .* lost$' "$scratch/text"
check "a pipe gets text and nothing else" "$TOP/tests/live/top_check.py" text "$scratch/text"

unset COLUMNS LINES
"$TOP/tests/live/terminal.py" 80 24 "" "$WPERF" top --stdio -F 500 -d 0.2 --count 3 --python pinned -p $pid >"$scratch/screen"
check "a terminal: status 0" test $? = 0
check "... each interval in place of the one before, all of it on the screen" "$TOP/tests/live/top_check.py" screen "$scratch/screen" 80 24
touch "$scratch/second" "$scratch/end"
wait $pid
"$WPERF" top --python off -d 0.2 -- sh -c 'exit 7' >"$scratch/command" 2>"$scratch/err"
check "a command: its exit status" test $? = 7
check "... is told, and nothing is kept" sh -c "grep -q 'exited with code 0x7' '$scratch/command' && ! [ -e perf.data ]"
finish

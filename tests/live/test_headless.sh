#!/bin/bash
# A process whose first thread has ended while others run: its functions, stacks and Python frames are known, however it is met.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"

say_file() { # NAME
	tail -n 2 "$scratch/$1.err"
}

# Of the samples of a run, so many percent are in the function, and their stacks have the way there.
native() { # NAME
	local share
	share=$(way "$1" between innermost)
	awk -v s="$share" 'BEGIN { exit !(s >= 90) }' || { echo "  between, innermost: $share %"; say_file "$1"; return 1; }
}

python() { # NAME [LEAST]: nearly all samples have frames
	python3 - "$scratch/$1.json" "${2:-300}" <<-'PY' || { say_file "$1"; return 1; }
	import json, sys
	sampling = json.load(open(sys.argv[1]))["sampling"]
	rows = sampling["events"][0]["python_functions"]
	found = sum(row["total_count"] for row in rows if row["function"].endswith("work"))
	python = sampling["python"]
	print("  work: %d of %d samples, %d late" % (found, python["samples"], python.get("late", 0)))
	sys.exit(not (found >= int(sys.argv[2]) and found >= 0.9 * python["samples"]))
	PY
}

begin() { # COMMAND...: it runs on, without its first thread
	"$@" 2>/dev/null &
	pid=$!
	wait_until grep -qs '^State:.*zombie' /proc/$pid/status
}

ran() { # nanoseconds that its threads had a CPU until now
	cat /proc/$pid/task/*/schedstat 2>/dev/null | awk '{ n += $1 } END { printf "%.0f", n }'
}

# Something, and no more than it ran from before until after. What an interrupt took is of the one clock only: 10 ms.
counted() {
	local before after n
	before=$(ran)
	run counted stat --timeout 0.5 -p $pid || return 1
	after=$(ran)
	n=$(count "$scratch/counted.json" task-clock)
	echo "  $n counted, it ran for $((after - before))"
	[ "$n" -gt 0 ] && [ "$n" -le $((after - before + 10000000)) ]
}

run() { # NAME VERB OPTION...
	local options="-e cpu-clock -F 999"
	case $2 in stat) options="-e task-clock" ;; report) options="" ;; esac
	# shellcheck disable=SC2086
	"$WPERF" "$2" $options --json "${@:3}" >"$scratch/$1.json" 2>"$scratch/$1.err"
}

check "launched: runs" run launched record -g --data "$scratch/data" -- "$WORKLOADS/headless" 1
check "launched: stacks" native launched
check "recorded: runs" run recorded report -g -i "$scratch/data"
check "recorded: stacks" native recorded
check "the first thread ends" begin "$WORKLOADS/headless" 90
check "attached: runs" run attached sample -g --timeout 1 -p $pid
check "attached: stacks" native attached
check "all CPUs: runs" run all record -a -g --data "$scratch/data" -- sleep 1
check "all CPUs: runs, its samples alone" run all report -g -i "$scratch/data" --pid $pid
check "all CPUs: stacks" native all
check "counted" counted
kill $pid

python=$(any_python) || skip "no Python to profile"
"$python" -c 'import ctypes' 2>/dev/null || skip "$python has no ctypes"
for way in bpf pinned; do
	check "$way: launched: runs" run $way record --python $way --data "$scratch/data" -- "$python" "$TOP/tests/workloads/py_headless.py" 1
	check "$way: launched: frames" python $way
	check "$way: the first thread ends" begin "$python" "$TOP/tests/workloads/py_headless.py" 90
	check "$way: attached: runs" run $way-attached sample --python $way --timeout 1 -p $pid
	check "$way: attached: frames" python $way-attached 20 # of a second of the clock
	kill $pid
done
finish

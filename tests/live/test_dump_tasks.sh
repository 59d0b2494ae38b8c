#!/bin/bash
# `wperf dump --async`: each asyncio task of a process, those that wait in every way there is, new ones and one that runs, has the frames that
# the program itself says it has, and is awaited by whom it says, for CPython 3.11 and newer. WPERF_EVERY_PYTHON=1: all of them.
. "$TOP/tests/live/lib.sh"
suites=$TOP/tests/tools/python_suites
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 WPERF_SCRATCH=$scratch

is_parked() { # N: the program has said what there is, and waits in read(2)
	[ -s "$scratch/$1/truth" ] && grep -qE '^(0|63) 0x0 ' "/proc/$2/syscall"
}

dump() { # NAME PID OPTION...
	"$WPERF" dump -p "$2" "${@:3}" >"$scratch/$1" 2>"$scratch/$1.err" || { echo "  wperf dump: exit $?"; cat "$scratch/$1.err"; return 1; }
}

one() { # "N ROOT PYTHON"
	local n root python pid folder=$TOP/tests/workloads truth
	read -r n root python <<<"$1"
	mkfifo "$scratch/$n.in"
	mkdir "$scratch/$n"
	truth=$scratch/$n/truth
	[ "$root" = / ] || folder=/mnt truth=/wperf-scratch/$n/truth
	PY_TRUTH=$truth "$suites" run "$root" "$python" "$folder/py_waiting_tasks.py" <"$scratch/$n.in" &
	pid=$!
	exec 8>"$scratch/$n.in"
	check "$root $python: it waits" wait_until is_parked "$n" $pid
	check "  it is dumped" dump "$n.json" $pid --json --async
	check "  tasks are where they say" python3 "$TOP/tests/live/dump_tasks_check.py" "$scratch/$n.json" "$scratch/$n/truth"
	check "  and in text, without native frames" dump "$n.txt" $pid --async --frames python
	check "  those that wait at one place are one" grep -q '^40 tasks wait: connection ' "$scratch/$n.txt"
	check "  names change no screen" bash -c '! grep -q "$(printf "\033")" "$0"' "$scratch/$n.txt"
	[ "$n" != 1 ] || of_core "$n" $pid
	exec 8>&-
	wait $pid
}

of_core() { # N PID
	command -v gcore >/dev/null || { part_skipped "no gcore (gdb)"; return; }
	gcore -o "$scratch/core" "$2" >"$scratch/gcore.out" 2>&1
	check "  a core of it is dumped" "$WPERF" dump --core "$scratch/core.$2" --async --json -o "$scratch/core.json"
	check "  with the same tasks" python3 "$TOP/tests/live/dump_tasks_check.py" "$scratch/core.json" "$scratch/$1/truth"
}

few='/3\.(11|12|13)\.|3\.14'
[ -z "${WPERF_EVERY_PYTHON:-}" ] || few=.
"$suites" list | grep -vE '/(2\.7|3\.[6-9]|3\.10)\.' | grep -vE 'standalone/3\.10' | grep -E "$few" | nl -w1 -s' ' >"$scratch/pythons"
[ -s "$scratch/pythons" ] || skip "no CPython of 3.11 or newer: tests/tools/python_suites brings some"
mapfile -t pythons <"$scratch/pythons"
side_by_side one "${pythons[@]}"
check "schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/1.json"

# Without the module nothing is said.
mkfifo "$scratch/none.in"
python3 -c 'import sys; sys.stdin.read()' <"$scratch/none.in" &
pid=$!
exec 8>"$scratch/none.in"
check "a program without asyncio" wait_until bash -c '[ "$("$WPERF" dump -p '$pid' --async --json --frames python | grep -c "\"frames\"")" = 1 ]'
exec 8>&-
wait $pid
finish

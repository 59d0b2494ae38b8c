#!/bin/bash
# `wperf dump --locals`: variables of Python functions are what the program itself says they are, for each CPython of 3.8 and newer,
# and those of free-threaded ones are said not to be read.
. "$TOP/tests/live/lib.sh"
suites=$TOP/tests/tools/python_suites
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 WPERF_SCRATCH=$scratch

is_parked() { # N: the program has said what there is, and waits in read(2)
	[ -s "$scratch/$1/truth" ] && grep -qE '^(0|63) 0x0 ' "/proc/$2/syscall"
}

dump() { # NAME PID OPTION...
	"$WPERF" dump --json -p "$2" "${@:3}" >"$scratch/$1.json" 2>"$scratch/$1.err" || { echo "  wperf dump: exit $?"; cat "$scratch/$1.err"; return 1; }
}

one() { # "N ROOT PYTHON"
	local n root python pid folder=$TOP/tests/workloads truth
	read -r n root python <<<"$1"
	mkfifo "$scratch/$n.in"
	mkdir "$scratch/$n"
	truth=$scratch/$n/truth
	[ "$root" = / ] || folder=/mnt truth=/wperf-scratch/$n/truth
	PY_TRUTH=$truth "$suites" run "$root" "$python" "$folder/py_variables.py" <"$scratch/$n.in" &
	pid=$!
	exec 8>"$scratch/$n.in"
	check "$root $python: it waits" wait_until is_parked "$n" $pid
	check "  it is dumped" dump "$n" $pid --locals
	case $python in
	*t) check "  none are told" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" locals "$scratch/$n/truth" "not read of this CPython" ;;
	*) check "  variables" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" locals "$scratch/$n/truth" ;;
	esac
	check "  without native frames" dump "$n" $pid --locals --frames python
	grep -q no_locals "$scratch/$n.json" ||
		check "  the same" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" locals "$scratch/$n/truth"
	exec 8>&-
	wait $pid
}

# py_variables.py is written for 3.8 and newer. One of each way to keep frames, or all.
few='/3\.(8|10|11|12|13)\.|3\.14'
[ -z "${WPERF_EVERY_PYTHON:-}" ] || few=.
"$suites" list | grep -vE '/(2\.7|3\.[67])\.' | grep -E "$few" | nl -w1 -s' ' >"$scratch/pythons"
[ -s "$scratch/pythons" ] || skip "no CPython of 3.8 or newer: tests/tools/python_suites brings some"
mapfile -t pythons <"$scratch/pythons"
side_by_side one "${pythons[@]}"
check "schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/1.json"

# Of one that runs nothing is told.
"$(any_python)" -c '
def f(x):
    while True: x = x + 1
f(1)' &
pid=$!
ran() { dump loop $pid --locals && grep -q '"proof": "ran"' "$scratch/loop.json"; }
check "a loop is dumped while it runs" wait_until ran
check "  without variables, and said why" test "$(grep -c '"locals"' "$scratch/loop.json") $(grep -c '"no_locals": "it ran meanwhile"' "$scratch/loop.json")" = "0 1"
kill $pid
finish

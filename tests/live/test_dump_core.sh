#!/bin/bash
# `wperf dump --core`: a core says what the process said while it lived: Python frames are those of faulthandler, native ones those that gdb
# finds in the core, variables those that the program tells; cores that the kernel wrote when a program crashed, too; and bad ones are refused.
. "$TOP/tests/live/python.sh"

command -v gcore >/dev/null && command -v gdb >/dev/null || skip "gdb and its gcore are not installed"

is_parked() { # NAME PID: the program says so, and its first thread reads from standard input
	[ -s "$scratch/$1.truth" ] && grep -qE '^(0|63) 0x0 ' "/proc/$2/syscall"
}

is_dumped() {
	[ -s "$scratch/$1.dump" ] && is_parked "$1" "$2"
}

dump_core() { # NAME OPTION...
	"$WPERF" dump --core "$scratch/$1.core" --json "${@:2}" >"$scratch/$1.json" 2>"$scratch/$1.err" || { echo "  wperf dump: exit $?"; cat "$scratch/$1.err"; return 1; }
}

take_core() { # NAME PID
	gcore -o "$scratch/$1" "$2" >"$scratch/$1.gcore" 2>&1 && mv "$scratch/$1.$2" "$scratch/$1.core"
}

one() { # "NUMBER ROOT PYTHON"
	local n root python name pid
	read -r n root python <<<"$1"
	name=$(label "$root" "$python")
	mkfifo "$scratch/$n.in"
	PY_DUMP=$scratch/$n.dump PY_TRUTH=$scratch/$n.truth "$python" "$TOP/tests/workloads/py_parked.py" <"$scratch/$n.in" &
	pid=$!
	exec 8>"$scratch/$n.in"
	check "$name: all threads wait" wait_until is_parked "$n" $pid
	kill -USR1 $pid
	check "$name: faulthandler has said where" wait_until is_dumped "$n" $pid
	check "$name: gcore makes a core" take_core "$n" $pid
	exec 8>&-
	wait $pid
	check "$name: it is dumped" dump_core "$n"
	check "$name: faulthandler agrees" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" faulthandler "$scratch/$n.dump" "$scratch/$n.truth"
	if [ "$n" = 1 ] || [ -n "${WPERF_EVERY_PYTHON:-}" ]; then
		check "$name: native frames are dumped" dump_core "$n" --frames native
		timeout 60 gdb -batch -iex 'set debuginfod enabled off' "$python" "$scratch/$n.core" -x "$TOP/tests/live/gdb_frames.py" \
			>"$scratch/$n.gdb" 2>"$scratch/$n.gdb_err"
		check "$name: gdb agrees" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" gdb "$scratch/$n.gdb" registers
		check "$name: schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/$n.json"
	fi
	rm -f "$scratch/$n.core"
}

"$suites" list | awk '$1 == "/"' | grep -E "$a_few" | grep -v '/2\.7' | nl -w1 -s' ' >"$scratch/pythons"
mapfile -t pythons <"$scratch/pythons"
side_by_side one "${pythons[@]}"

# A crash, as the kernel writes it: where it is, what it was for, and what is beside it.
cat >"$scratch/crash.py" <<'PY'
import ctypes, threading, time
def sleeps():
    time.sleep(60)
def crashes(address):
    ctypes.string_at(address)
threading.Thread(target=sleeps, daemon=True, name="beside").start()
time.sleep(0.2)
crashes(16)
PY
case $(cat /proc/sys/kernel/core_pattern) in
'|'* | /*) echo "  skipped: crashes; kernel.core_pattern leads their cores elsewhere" ;;
*)
	(cd "$scratch" && ulimit -c unlimited && exec python3 crash.py) >/dev/null 2>&1
	mv "$scratch"/core* "$scratch/crash.core"
	"$WPERF" dump --core "$scratch/crash.core" --locals >"$scratch/text" 2>"$scratch/err"
	check "a crash: how it ended" grep -qx "core: $scratch/crash.core; ended by SIGSEGV at address 0x10" "$scratch/text"
	check "  whose thread it was" grep -qE '^thread [0-9]+ \(python3, "MainThread"\): it was in its own code and took SIGSEGV; holds the GIL; consistent$' "$scratch/text"
	check "  where" grep -qx "    crashes ($scratch/crash.py:5)" "$scratch/text"
	check "  with what" grep -qx "        address = 16" "$scratch/text"
	check "  and the other thread" grep -qE '^thread [0-9]+ \("beside"\): it was in clock_nanosleep; consistent$' "$scratch/text"
	# Of a core that was cut what is there is told, with what is not.
	head -c 200000 "$scratch/crash.core" >"$scratch/cut.core"
	"$WPERF" dump --core "$scratch/cut.core" >"$scratch/text" 2>"$scratch/err"
	check "a core that was cut: said" grep -q "was cut: [1-9][0-9]* MB of memory are not there" "$scratch/err"
	check "  its threads are there" grep -q '^2 threads of 1 process' "$scratch/text"
	;;
esac

refused() { # TEXT OPTION...
	! "$WPERF" dump "${@:2}" >"$scratch/text" 2>"$scratch/err" && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -q "$1" "$scratch/err"
}
check "no core: refused" refused "no core file" --core /bin/true
check "no file: refused" refused "cannot be read" --core "$scratch/none"
mkfifo "$scratch/fifo"
check "no regular file: refused at once" refused "cannot be read" --core "$scratch/fifo"
finish

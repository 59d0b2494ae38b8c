#!/bin/bash
# `wperf dump` of threads that sleep: Python frames are those of faulthandler, native ones those of gdb, frame by frame, each stack is
# proven, and what is waited for is told. The process is not stopped for it.
. "$TOP/tests/live/python.sh"

is_parked() { # the program says so, and its first thread reads (0 on x86-64, 63 on arm64) from standard input
	[ -s "$scratch/$1.truth" ] && grep -qE '^(0|63) 0x0 ' "/proc/$2/syscall"
}

is_dumped() {
	[ -s "$scratch/$1.dump" ] && is_parked "$1" "$2"
}

dump() { # NAME PID OPTION...
	"$WPERF" dump -v -p "$2" --json "${@:3}" >"$scratch/$1.json" 2>"$scratch/$1.err" || { echo "  wperf dump: exit $?"; return 1; }
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
	check "$name: it is dumped" dump "$n" $pid
	check "$name: faulthandler agrees" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" faulthandler \
		"$scratch/$n.dump" "$scratch/$n.truth"
	if [ "$n" = 2 ] || [ -n "${WPERF_EVERY_PYTHON:-}" ]; then
		check "$name: native frames are dumped" dump "$n" $pid --frames native
		timeout 60 gdb -p $pid -batch -iex 'set debuginfod enabled off' -x "$TOP/tests/live/gdb_frames.py" \
			>"$scratch/$n.gdb" 2>"$scratch/$n.gdb_err"
		check "$name: gdb agrees" python3 "$TOP/tests/live/dump_check.py" "$scratch/$n.json" gdb "$scratch/$n.gdb" \
			"$(grep -qE 'registers of threads|BPF program' "$scratch/$n.err" || echo registers)"
	fi
	exec 8>&-
	wait $pid
}

# Those of this system: another root has to be entered for its own.
"$suites" list | awk '$1 == "/"' | grep -E "$a_few" | grep -v '/2\.7' | nl -w1 -s' ' >"$scratch/pythons"
mapfile -t pythons <"$scratch/pythons"
side_by_side one "${pythons[@]}"

# What is waited for: descriptors, and what they are.
mkfifo "$scratch/waits.in"
PY_TRUTH=$scratch/waits.truth python3 "$TOP/tests/workloads/py_waits.py" <"$scratch/waits.in" &
pid=$!
exec 8>"$scratch/waits.in"
check "all threads wait for something" wait_until test -s "$scratch/waits.truth"
check "they are dumped" dump waits $pid
check "descriptors that are waited for" python3 "$TOP/tests/live/dump_check.py" "$scratch/waits.json" waits "$scratch/waits.truth"

# Where in the kernel they wait, as the kernel itself says.
mkdir "$scratch/stacks"
for task in /proc/$pid/task/*; do
	cat "$task/stack" >"$scratch/stacks/${task##*/}" 2>/dev/null
done
check "-k" dump kernel $pid -k
if grep -q 'no kernel frames' "$scratch/kernel.err"; then
	part_skipped "no kernel frames: $(grep 'no kernel frames' "$scratch/kernel.err")"
elif [ ! -s "$scratch/stacks/$pid" ]; then
	part_skipped "/proc/PID/stack is not for this user, or this kernel has none"
else
	check "  frames are those of /proc/TID/stack" python3 "$TOP/tests/live/dump_check.py" "$scratch/kernel.json" kernel "$scratch/stacks"
fi
check "  schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/kernel.json"
exec 8>&-
wait $pid

# Who waits for the GIL, while the main thread keeps it in a call; without native frames there are no names to guess by.
cat >"$scratch/gil.py" <<'PY'
import ctypes, threading, time
def wants():
    while True:
        time.sleep(0.01)
threading.Thread(target=wants, daemon=True).start()
ctypes.PyDLL(None).usleep(60000000)
PY
waits_for_gil() { "$WPERF" dump -p $pid --frames python 2>/dev/null | grep -A1 '; waits for the GIL; consistent$' | grep -q 'wants (.*gil.py:4)'; }
python3 "$scratch/gil.py" &
pid=$!
check "who waits for the GIL" wait_until waits_for_gil
kill $pid

# One that runs: its Python frames, whether or not it moved; native ones where BPF tells its registers.
python3 -c 'while True: pass' &
pid=$!
is_looping() { grep -q "\"function\": \"<module>\"" "$scratch/loop.json"; }
dump_loop() { dump loop $pid && is_looping; }
check "a loop is dumped" wait_until dump_loop
kill $pid

# A server and its workers, of which one has a worker itself.
sh -c 'sleep 60 & sh -c "sleep 61 & wait" & wait' &
pid=$!
has_family() { [ "$("$WPERF" dump -p $pid --children --frames native 2>"$scratch/err" | grep -c '^process .*(sh\|^process .*(sleep')" = 4 ]; }
check "--children: theirs, too" wait_until has_family
check "  without a warning" test ! -s "$scratch/err"
kill $(pgrep -P "$(pgrep -P $pid -x sh)") $(pgrep -P $pid) $pid 2>/dev/null

"$WPERF" dump -p $$ --frames native >"$scratch/text" 2>"$scratch/err"
check "text: a headline, and frames with their files" grep -qE "^process $$ \(.*\): .*bash$" "$scratch/text"
check "text: what the shell does" grep -qE "^thread $$ \(.*\): sleeping in .*; consistent$" "$scratch/text"
check "schema" python3 "$TOP/tests/schemas/validate" dump "$scratch/waits.json"
finish

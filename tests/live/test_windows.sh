#!/bin/bash
# Windows programs under Wine: the showcase (a CPython for Windows), stacks, Python lines, recordings, late libraries.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
command -v wine >/dev/null || skip "no wine (Debian packages wine, wine64)"
export WINEPREFIX=$scratch/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
timeout 120 wine wineboot -i >/dev/null 2>&1 || skip "wine cannot make its folder: see wineboot -i"
wait_server() { timeout 20 wineserver -k >/dev/null 2>&1 || true; }
trap 'kill $(jobs -p) 2>/dev/null; wait_server; rm -rf "$scratch"' EXIT

first() { # FILE [N]: the Nth symbol of a report as text
	awk -v n="${2:-1}" '/sample source:/ { at = NR } at && NR == at + 2 + n { print $3 }' "$1"
}

# --- programs of MinGW: COFF symbols, sections that Wine reads and sections that it maps, a library that comes late
cc=x86_64-w64-mingw32-gcc
build_late() { # NAME FLAGS...
	"$cc" -O1 "${@:2}" -o "$scratch/$1.exe" "$WORKLOADS_SOURCE/windows_late.c" &&
		"$cc" -O1 -DLIBRARY -shared "${@:2}" -o "$scratch/$1.dll" "$WORKLOADS_SOURCE/windows_late.c"
}

late() { # NAME: the library's local function is on top, its stack leads to where threads begin
	local out=$scratch/$1.txt
	(cd "$scratch" && timeout 60 "$WPERF" record -e cpu-clock:1000000 -g --data "$1.data" -- wine "./$1.exe" 2 "$1.dll" 2>&1 | cat >"$out")
	[ "$(first "$out")" = "compute_hard:$1.dll" ] && grep -q "^base address of '$1.exe': 0x" "$out" &&
		grep -qE '^ *[0-9.]+ +[0-9.]+ +[0-9]+ +RtlUserThreadStart:ntdll.dll' "$out" && return
	head -n 30 "$out"
	return 1
}

again() { # NAME: the recording says the same
	(cd "$scratch" && "$WPERF" report -i "$1.data" >"$1.again.txt" 2>&1)
	[ "$(first "$scratch/$1.again.txt")" = "$(first "$scratch/$1.txt")" ] || { head -n 12 "$scratch/$1.again.txt"; return 1; }
}

cut_pdb() {
	(cd "$scratch" && "$cc" -O1 -o cut.exe "$WORKLOADS_SOURCE/windows_late.c" -Wl,--pdb=whole.pdb && head -c 3000 whole.pdb >whole.cut &&
		mv whole.cut whole.pdb && timeout 60 "$WPERF" record --no-data -e cpu-clock:1000000 -- wine ./cut.exe 1 cut.exe >cut.txt 2>&1)
	grep -q "no symbol file of .*/cut.exe: .*/whole.pdb: the PDB is cut off at 3000 of" "$scratch/cut.txt" &&
		! grep -q 'no symbols of .*tmpmap' "$scratch/cut.txt" && return
	cat "$scratch/cut.txt"
	return 1
}

attached() { # NAME [SAMPLE OPTIONS]: it runs already; its name is longer than the kernel's for it
	local out=$scratch/attached.txt pid
	(cd "$scratch" && timeout 60 wine "./$1.exe" 20 "$1.dll" 2>&1 | cat >"$scratch/windows_pid") &
	for _ in $(seq 100); do [ -s "$scratch/windows_pid" ] && break; sleep 0.1; done
	sleep 1
	"$WPERF" sample -e cpu-clock:1000000 --pe_file "$scratch/$1.exe" --timeout 1 -v >"$out" 2>&1
	pid=$(sed -n "s/^$1.exe pid is \([0-9]*\).*/\1/p" "$out")
	[ -n "$pid" ] && kill "$pid"
	wait
	[ "$(awk '/sample source:/ { at = NR } at && NR > at && /^[^ ].*:/ { print; exit }' "$out")" = "compute_hard:$1.dll" ] &&
		grep -qF "Windows pid is $(tr -dc 0-9 <"$scratch/windows_pid")" "$out" && return
	head -n 60 "$out"
	return 1
}

# The kernel probes what is mapped from the file as code: only of a program that runs, only where sections lie at pages of the file.
probes() {
	local address pid refused
	(cd "$scratch" && timeout 60 wine ./windows_late_two.exe 20 windows_late_two.dll >/dev/null 2>&1) &
	for _ in $(seq 100); do grep -sqE 'r-xp .*windows_late_two.dll' /proc/[0-9]*/maps && break; sleep 0.1; done
	pid=$(grep -slE 'r-xp .*windows_late_two.dll' /proc/[0-9]*/maps | head -n 1 | tr -dc 0-9)
	address=0x$(x86_64-w64-mingw32-nm "$scratch/windows_late_two.dll" | awk '/ compute_hard$/ { print $1 }')
	for place in compute_hard "$address"; do
		"$WPERF" stat -e "uprobe:$scratch/windows_late_two.dll:$place" -x, -p "$pid" --timeout 0.5 -o "$scratch/probes.csv" || return 1
		[ "$(grep -v '^#' "$scratch/probes.csv" | head -n 1 | cut -d, -f1)" -gt 10 ] || { cat "$scratch/probes.csv"; return 1; }
	done
	refused=$("$WPERF" stat -e "uprobe:$scratch/windows_late_one.dll:compute_hard" -p "$pid" --timeout 0.1 2>&1)
	kill "$pid"
	wait
	grep -q 'Wine copies the code of' <<<"$refused" || { echo "  $refused"; return 1; }
	refused=$("$WPERF" stat -e "uprobe:$scratch/windows_late_two.dll:compute_hard" -- true 2>&1)
	grep -q 'only when it runs already' <<<"$refused" || { echo "  $refused"; return 1; }
}

perf_data() { # NAME: a recording of perf's, which knows nothing of Windows
	(cd "$scratch" && timeout 60 perf record -q -e cpu-clock -F 500 -o perf.data wine "./$1.exe" 2 "$1.dll" 2>&1 | cat >/dev/null
		"$WPERF" report -i perf.data >perf.txt 2>&1)
	[ "$(first "$scratch/perf.txt")" = "compute_hard:$1.dll" ] || { head -n 12 "$scratch/perf.txt"; return 1; }
}

WORKLOADS_SOURCE=$TOP/tests/workloads
if command -v "$cc" >/dev/null; then
	check "programs are built" build_late windows_late_one
	check "the same, laid out in the file as in memory" build_late windows_late_two -Wl,--file-alignment,4096
	for name in windows_late_one windows_late_two; do
		check "a library loaded late: $name" late $name
		check "report: $name" again $name
	done
	check "attached, by the program's file" attached windows_late_one
	check "a PDB that is cut off is told of" cut_pdb
	if [ "$(id -u)" = 0 ] && [ -r /sys/bus/event_source/devices/uprobe/type ]; then
		check "probes, by name and by address" probes
	else
		part_skipped "no uprobes, or not root"
	fi
	if command -v perf >/dev/null; then
		check "a recording of perf's" perf_data windows_late_one
	else
		part_skipped "no perf"
	fi
else
	part_skipped "no $cc (gcc-mingw-w64-x86-64-win32)"
fi

# --- the showcase
show() { # SCRIPT OPTIONS...: samples a running python_d.exe on core 1 (or the last one there is), as WindowsPerf's users do
	local core=$(($(nproc) > 1 ? 1 : 0)) script=$1
	shift
	(cd "$python" && timeout 60 taskset -c $core wine ./python_d.exe -E "Z:${script//\//\\}" 2>&1 | cat) &
	for _ in $(seq 200); do pgrep -x python_d.exe >/dev/null && break; sleep 0.1; done
	sleep 3
	(cd "$python" && "$WPERF" sample -e cpu-clock:100000 --pe_file python_d.exe -c $core --timeout 2 "$@" >"$scratch/show.txt" 2>&1)
	kill "$(pgrep -nx python_d.exe)" 2>/dev/null
	wait
}

layout() { # the documented lines, to the blank
	grep -qE "^base address of 'python_d.exe': 0x[0-9a-f]+, runtime delta: 0x[0-9a-f]+$" "$1" &&
		grep -qE '^======================== sample source: cpu-clock, top (10|50) hot functions ========================$' "$1" &&
		grep -qE '^        overhead  count  symbol *$' "$1" &&
		grep -qE '^ +[0-9]+\.[0-9]{2} +[0-9]+  [^ ]+ *$' "$1" && grep -qE '% +[0-9]+  top [0-9]+ in total$' "$1"
}

on_top() { # SYMBOL
	[ "$(first "$scratch/show.txt")" = "$1" ] || { head -n 12 "$scratch/show.txt"; return 1; }
}

python_lines() { # the tables of Python name the function and its line
	awk '/hot Python functions:/ { at = NR } at && NR == at + 3 && $4 == "fib" { found = 1 } END { exit !found }' "$scratch/show.txt" &&
		awk '/hot Python lines:/ { at = NR } at && NR == at + 3 && $4 == "fib" && /:2 *$/ { found = 1 } END { exit !found }' \
			"$scratch/show.txt" && return
	grep -A6 'Python' "$scratch/show.txt"
	return 1
}

python=$("$WORKLOADS_SOURCE/windows_python" 2>"$scratch/why") || { part_skipped "$(cat "$scratch/why")"; finish; }
echo '10**10**100' >"$scratch/power.py"
printf 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nwhile True:\n    fib(20)\n' >"$scratch/fib.py"
show "$scratch/power.py" --python off
check "x_mul on top" on_top x_mul:python313_d.dll
check "the documented layout" layout "$scratch/show.txt"
show "$scratch/fib.py" -g
check "the evaluation loop on top" on_top _PyEval_EvalFrameDefault:python313_d.dll
check "Python functions and lines of a CPython for Windows" python_lines
check "complete stacks" grep -qE '^stacks \((bpf|dwarf)\): [0-9]+, (9[5-9]\.|100)' "$scratch/show.txt"
show "$scratch/fib.py" --python pinned
check "the same by pinned readers" python_lines
finish

#!/bin/bash
# wperf.exe, built by MinGW for x64, under Wine: the golden cases of tests/cli but those of tests/windows/differs, those
# of tests/drvfake, the unit tests of what is portable, words and files in UTF-8, recordings of this system with ELF files, PE files with COFF symbols and PDBs. The
# first time Debian's sources of four libraries are fetched and compiled (tools/windows_libs), which takes a minute.
. "$TOP/tests/live/lib.sh"
for tool in x86_64-w64-mingw32-gcc wine cmake ninja; do
	command -v $tool >/dev/null || skip "no $tool (gcc-mingw-w64-x86-64-win32 wine wine64 cmake ninja-build)"
done
export WPERF_WINDOWS_LIBS=${WPERF_CACHE:-/var/cache/wperf-tests}/windows-libs/x86_64
mkdir -p "$WPERF_WINDOWS_LIBS" 2>/dev/null || WPERF_WINDOWS_LIBS=$TOP/build/windows-libs/x86_64
"$TOP/tools/windows_libs" x86_64 "$WPERF_WINDOWS_LIBS" >"$scratch/libs.log" 2>&1
case $? in
0) ;;
77) skip "$(cat "$scratch/libs.log")" ;;
*) tail -n 20 "$scratch/libs.log"; check "the libraries" false; finish ;;
esac
exe=$TOP/build/windows-x64
(cd "$TOP" && cmake --preset windows-x64 -DWPERF_TESTS=ON -DWPERF_WINDOWS_LIBS="$WPERF_WINDOWS_LIBS" && cmake --build "$exe") >"$scratch/build.log" 2>&1 ||
	{ grep -a -B2 -A12 'error' "$scratch/build.log" | head -n 40; check "the build" false; finish; }

export WINEPREFIX=$scratch/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
mkdir "$WINEPREFIX"
wineserver -p || skip "wineserver does not stay" # a program that begins while it ends is lost
timeout 120 wine wineboot -i >/dev/null 2>&1 || skip "wine cannot make its folder: see wineboot -i"
trap 'kill $(jobs -p) 2>/dev/null; wineserver -k 2>/dev/null; rm -rf "$scratch"' EXIT

# Wine takes words by the locale that also says what wperf may print: the golden cases' own, but where there is more than ASCII.
cat >"$scratch/wperf" <<SH
#!/bin/sh
case "\$*" in *[!\ -~]*) unset LC_ALL; export LC_CTYPE=C.UTF-8 ;; esac
exec wine "$exe/wperf.exe" "\$@"
SH
chmod +x "$scratch/wperf"
linux=$WPERF
export WPERF=$scratch/wperf
runs() { timeout 60 "$WPERF" "$@" 2>&1; }

talks() {
	runs --version | tr -d '\r' | grep -qE '^ *wperf +[0-9.]+ .*\+elf-dwarf\+capstone' && runs --version | grep -qE 'kernel +Windows [0-9.]+' &&
		runs list | grep -q 'context-switches' && runs man cycles | grep -q 'Cycles the CPU was running' && runs help report | grep -q -e --sort
}
check "--version, list, man and help" talks
refuses() { # WORDS...
	runs "$@" >"$scratch/refused"
	[ $? = 1 ] && [ "$(wc -l <"$scratch/refused")" = 1 ] && grep -q "$why" "$scratch/refused" && return
	cat "$scratch/refused"
	return 1
}
why='the wperf driver is not there'
for words in "stat -e inst_retired" "stat" "stat -e context-switches -- x.exe"; do
	check "$words without the driver is refused in one line" refuses $words
done
why='wperf for Windows counts whole cores'
for words in "record -e cpu-clock -- x.exe" "sample -e cpu-clock -p 1" "top -e cpu-clock -p 1" "dump -p 1"; do
	check "$words is refused in one line" refuses $words
done

# --- the golden cases; what is listed as different must be, and nothing else may
differing() { # AT-ONCE: of the cases on standard input
	xargs -P "$1" -I {} sh -c '"$TOP/tests/cli/run_case" "$TOP/tests/cli/$1" >/dev/null 2>&1 || echo "$1"' - {} | sort
}
golden() {
	(cd "$TOP/tests/cli" && ls -d */*/) | sed 's,/$,,' >"$scratch/cases"
	differing "$(nproc)" <"$scratch/cases" >"$scratch/first"
	differing 1 <"$scratch/first" >"$scratch/differ" # Wine loses a program now and then when many begin
	comm -23 "$scratch/first" "$scratch/differ" | sed 's,^,  equal at the second try only: ,'
	grep -v '^#' "$TOP/tests/windows/differs" | awk 'NF { print $1 }' | sort >"$scratch/listed"
	echo "  $(wc -l <"$scratch/cases") cases, $(wc -l <"$scratch/differ") differ"
	diff "$scratch/listed" "$scratch/differ" >"$scratch/diff" && return
	sed -n 's,^> ,  differs: ,p; s,^< ,  is equal\, but listed in tests/windows/differs: ,p' "$scratch/diff"
	while read -r case; do "$TOP/tests/cli/run_case" "$TOP/tests/cli/$case" 2>&1 | head -n 20; done < <(sed -n 's,^> ,,p' "$scratch/diff" | head -n 3)
	return 1
}
check "golden cases" golden

# wperf with a model of WindowsPerf's driver in the place of the device: the cases are those that Linux runs.
driver_cases() {
	local case failed=0
	sed 's,/wperf.exe",/tests/wperf_drvfake.exe",' "$scratch/wperf" >"$scratch/wperf_drvfake"
	chmod +x "$scratch/wperf_drvfake"
	for case in "$TOP"/tests/drvfake/*/; do
		[ "${case%/}" = "$TOP/tests/drvfake/command" ] && continue # a shell's, below
		WPERF=$scratch/wperf_drvfake "$TOP/tests/cli/run_case" "$case" >"$scratch/case.out" 2>&1 || { echo "  $case"; head -n 20 "$scratch/case.out"; failed=1; }
	done
	return $failed
}
check "counting with a model of the driver" driver_cases
cat >"$scratch/words.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
int main(int n, char **words)
{
	DWORD_PTR mask = 0, all;

	GetProcessAffinityMask(GetCurrentProcess(), &mask, &all);
	printf("cores 0x%x: ", (unsigned int)mask);
	for (int i = 2; i < n; i++)
		printf("[%s]", words[i]);
	printf("\n");
	return atoi(words[1]);
}
C
x86_64-w64-mingw32-gcc -w -o "$scratch/words.exe" "$scratch/words.c"
starts() { # a command on the core that is counted: its core, its words, its exit status, what is not there
	cd "$scratch" || return 1
	local counts="$scratch/wperf_drvfake stat -e ld_spec -c 0" want='cores 0x1: [][a b][c"d][e\][f\\"g h\]' got status
	got=$(WPERF_DRVFAKE=ticks=4 timeout 60 $counts -- ./words.exe 3 "" "a b" 'c"d' 'e\' 'f\\"g h\' 2>&1 | tr -d '\r' | head -n 1; echo "${PIPESTATUS[0]}")
	[ "$got" = "$want
3" ] || { echo "  got $got"; return 1; }
	WPERF_DRVFAKE=ticks=4 timeout 60 $counts --pe_file words.exe 2>&1 | grep -q 'ld_spec' || { echo "  --pe_file"; return 1; }
	got=$(timeout 60 $counts -- ./none 2>&1); status=$?
	[ "$status $got" = "127 ./none: command not found" ] || { echo "  $status $got"; return 1; }
}
check "a command" starts

units() {
	local failed=0 test
	cd "$scratch" || return 1
	for test in "$exe"/tests/test_*.exe; do
		LC_ALL=C.UTF-8 timeout 120 wine "$test" >unit.out 2>&1 || { echo "  ${test##*/}:"; grep -a -v '^test_' unit.out | head -n 8; failed=1; }
	done
	echo "  $(ls "$exe"/tests/test_*.exe | wc -l) programs"
	return $failed
}
check "unit tests" units

# --- files of symbols: each function's address, asked of both builds of one program
same_names() { # FILE ADDRESS...
	"$WORK/tools/resolve_addr" -f "$@" >"$scratch/linux.txt" 2>/dev/null || return
	timeout 60 wine "$exe/tests/resolve_addr.exe" -f "$@" >"$scratch/windows.txt" 2>"$scratch/windows.err" || tail -n 3 "$scratch/windows.err"
	[ "$(wc -l <"$scratch/linux.txt")" -gt 3 ] && diff "$scratch/linux.txt" "$scratch/windows.txt" | head -n 10
	cmp -s "$scratch/linux.txt" "$scratch/windows.txt"
}
addresses() { nm "$1" | awk '$2 ~ /[tT]/ { print $1 }' | head -n 300; }
cd "$scratch" || exit 2
cc=x86_64-w64-mingw32-gcc
"$cc" -O1 -w -Wl,-S -DLIBRARY -shared -o late.dll "$TOP/tests/workloads/windows_late.c"
check "a PE file with COFF symbols" same_names late.dll $(addresses late.dll)
cc -O1 -w -static -o deep "$TOP/tests/workloads/deep.c"
check "an ELF file" same_names deep $(addresses deep)
cp deep stripped && objcopy --only-keep-debug deep stripped.debug && strip stripped && objcopy --add-gnu-debuglink=stripped.debug stripped
check "a stripped ELF file with its debug file" same_names stripped $(addresses deep)
if command -v clang-19 lld-link-19 >/dev/null; then
	clang-19 --target=x86_64-pc-windows-msvc -O1 -g -gcodeview -ffreestanding -fno-stack-protector -fno-exceptions -fno-rtti \
		-fno-threadsafe-statics -c "$TOP/tests/workloads/windows.cc" -o pdb.o &&
		lld-link-19 /entry:entry /subsystem:console /nodefaultlib /debug /out:pdb.exe /pdb:pdb.pdb pdb.o
	text=$(objdump -h pdb.exe | awk '$2 == ".text" { print $4, $3 }')
	spots=$(python3 -c 'import sys; at, n = (int(x, 16) for x in sys.argv[1:]); print(*(f"{at + i:x}" for i in range(0, n, 16)))' $text)
	check "a PE file with a PDB: functions and lines" same_names pdb.exe $spots
else
	part_skipped "no clang-19 with lld-19: no PDB"
fi

# --- recordings of this system
"$linux" record -e cpu-clock -- true >/dev/null 2>&1 || { part_skipped "this user may not sample: no recordings"; finish; }
same_output() { # RECORDING WORDS...
	local data=$1
	shift
	"$linux" "$@" -i "$data" >linux.txt 2>/dev/null
	timeout 60 "$WPERF" "$@" -i "$data" >windows.txt 2>/dev/null
	[ "$(wc -c <linux.txt)" -gt 100 ] && cmp -s linux.txt windows.txt && return
	diff linux.txt windows.txt | head -n 20
	return 1
}
"$linux" record -e cpu-clock:1000000 -g --data "größe.data" -- ./deep 30 100000 >/dev/null 2>&1
for words in "report -g" "report --json" "report --sort pid,symbol,dso" "script" "export --format folded -o -" "export --format speedscope -o -" \
	"annotate" "mem"; do
	check "ELF: wperf $words" same_output "größe.data" $words
done
"$linux" record -z -e cpu-clock:1000000 -g --data packed.data -- ./deep 30 100000 >/dev/null 2>&1
check "ELF: packed by zstd" same_output packed.data report
piped() {
	timeout 60 "$WPERF" report -i - <"größe.data" >windows.txt 2>/dev/null
	"$linux" report -i "größe.data" >linux.txt 2>/dev/null && cmp linux.txt windows.txt
}
check "ELF: through a pipe" piped
exported() {
	runs export -i "größe.data" -o "größe.svg" >/dev/null && "$linux" export -i "größe.data" -o other.svg 2>/dev/null && cmp "größe.svg" other.svg
}
check "a file with a name in UTF-8 is written" exported

"$cc" -O1 -w -Wl,-S -o late.exe "$TOP/tests/workloads/windows_late.c"
"$linux" record -e cpu-clock:1000000 -g --data wine.data -- wine ./late.exe 1 late.dll >/dev/null 2>&1
wine_stacks() {
	runs report -g -i wine.data >report.txt
	grep -qE ' compute_hard:late.dll' report.txt && grep -qE ' RtlUserThreadStart:ntdll.dll' report.txt && same_output wine.data report --sort symbol,dso
}
check "PE: stacks of a program of Wine" wine_stacks
finish

#!/bin/bash
# Windows programs under Wine 8 and 10 in roots of their own, as containers have them: of 64 bits, of 32 bits in 32-bit
# processes and in 64-bit ones (new WoW64); launched, attached, and recorded by perf.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
[ "$(uname -m)" = x86_64 ] || skip "not on x86-64"
workloads=$TOP/tests/workloads
enter=enter wine=wine root='' here='' shared=''
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch" $here' EXIT
cd "$scratch" || exit 2

# A library that comes late, without debug information but COFF symbols; and a program without frame pointers, which its
# PDB alone describes.
build_late() { # ARCH
	local cc=$1-w64-mingw32-gcc
	"$cc" -O1 -o "late_$1.exe" "$workloads/windows_late.c" && "$cc" -O1 -DLIBRARY -shared -o "late_$1.dll" "$workloads/windows_late.c"
}

build_pdb() { # SUFFIX
	printf 'LIBRARY KERNEL32.dll\nEXPORTS\nGetTickCount@0\nExitProcess@4\n' >k32.def
	llvm-dlltool$1 -m i386 -k -d k32.def -l k32.lib &&
		clang$1 --target=i686-pc-windows-msvc -O2 -g -gcodeview -fomit-frame-pointer -ffreestanding -fno-stack-protector -c \
			"$workloads/windows_x86.c" -o windows_x86.obj &&
		lld-link$1 /nologo /entry:start /subsystem:console /nodefaultlib /safeseh:no /debug /pdb:windows_x86.pdb \
			/out:windows_x86.exe windows_x86.obj k32.lib
}

run() { # PROGRAM ARGUMENTS...: in the root, in whose folder of programs it is
	timeout 60 "$workloads/wine_root" $enter "$root" sh -c "cd $shared && exec $wine $*"
}

# through JSON FUNCTION...: percent of the first function's samples whose stack has these, innermost first
through() {
	python3 - "$@" <<-'PY'
	import json, sys
	names = sys.argv[:1:-1]
	def walk(node, above):
	    path = above + [node["symbol"].split(":")[0].split(" (")[0]]
	    ours = node["self"] if path[-1] == names[-1] else 0
	    found = [ours if path[-len(names):] == names else 0, ours]
	    for child in node["children"]:
	        found = [a + b for a, b in zip(found, walk(child, path))]
	    return found
	sampled = json.load(open(sys.argv[1]))["sampling"]["events"][0]
	way, all = map(sum, zip(*(walk(root, []) for root in sampled["call_tree"])))
	print(100 * way / all if all > 0.5 else 0)
	PY
}

late_way="compute_hard compute main"

leads() { # JSON FUNCTION...: the samples of the first function come by these
	within "$(through "$@")" 100 2
}

launched() { # MODE PROGRAM ARGUMENTS...
	timeout 60 "$WPERF" record -q -e cpu-clock:1000000 --call-graph "$1" --json -- "$workloads/wine_root" $enter "$root" \
		sh -c "cd $shared && exec $wine ${*:2} >/dev/null 2>&1" >launched.json 2>launched.err
}

based() { # ARCH: where the program is, which Wine may have started in another process than its first one
	printf '#!/bin/sh\nexec "%s" %s "%s" sh -c "cd %s && exec %s $*"\n' "$workloads/wine_root" $enter "$root" $shared $wine >wine
	chmod +x wine
	timeout 60 "$WPERF" record -e cpu-clock -- ./wine "late_$1.exe" 1 "late_$1.dll" >based.txt 2>&1
	grep -qE "^base address of 'late_$1.exe': 0x(14[0-9a-f]{7}|4[0-9a-f]{5})," based.txt && return
	grep "base address" based.txt
	return 1
}

attached() { # ARCH: its names, stacks, and the number that Windows has for it
	run "late_$1.exe 20 late_$1.dll" >windows_pid 2>/dev/null &
	for _ in $(seq 200); do [ -s windows_pid ] && break; sleep 0.1; done
	sleep 1
	"$WPERF" sample -g -e cpu-clock:1000000 --pe_file "late_$1.exe" --timeout 1 -v >attached.txt 2>&1
	local pid
	pid=$(sed -n "s/^late_$1.exe pid is \([0-9]*\).*/\1/p" attached.txt)
	[ -n "$pid" ] && kill "$pid"
	wait
	grep -qE "^ +(9[0-9]\.[0-9]+|100.00) +[0-9]+ +compute_hard:late_$1.dll" attached.txt &&
		grep -qE '^stacks \([a-z]+\): [0-9]+, (9[5-9]\.|100)' attached.txt &&
		grep -q "Windows pid is $(tr -dc 0-9 <windows_pid)$" attached.txt && return
	head -n 40 attached.txt
	return 1
}

recorded() { # ARCH: a recording of perf's, which knows nothing of Windows, its paths in another root
	perf record -q -e cpu-clock -F 500 --call-graph dwarf,8192 -o perf.data "$workloads/wine_root" $enter "$root" \
		sh -c "cd $shared && exec $wine late_$1.exe 2 late_$1.dll" >/dev/null 2>&1
	"$WPERF" report -q -i perf.data --symfs "$root" -g --json >recorded.json 2>/dev/null && leads recorded.json $late_way
}

both() { # WHAT ARCH
	check "$1: launched" launched auto "late_$2.exe 2 late_$2.dll"
	check "$1: its stacks" leads launched.json $late_way
	check "$1: attached" attached "$2"
}

one_suite() {
	local arch
	enter=enter wine=wine
	for arch in $archs; do
		both "$suite, $arch" "$arch"
		check "$suite, $arch: its base address" based "$arch"
	done
	if [ -e windows_x86.exe ]; then
		check "$suite: by the frame data of a PDB" launched dwarf windows_x86.exe
		check "$suite: its stacks" leads launched.json hottest takes_its_arguments saves_registers realigned descend
		check "$suite: its stacks in prologues and epilogues" leads launched.json takes_its_arguments saves_registers realigned descend
	fi
	if command -v perf >/dev/null; then
		for arch in $archs; do check "$suite, $arch: a recording of perf's" recorded "$arch"; done
	else
		part_skipped "no perf"
	fi
	if [ -d "$root/root/.wine-new" ] && [ -e late_i686.exe ]; then
		enter=enter-new wine=wine64
		both "$suite, i686 in a 64-bit process" i686
	else
		part_skipped "$suite: no new WoW64"
	fi
}

archs=
for arch in x86_64 i686; do
	if command -v $arch-w64-mingw32-gcc >/dev/null; then
		check "programs for $arch are built" build_late $arch
		archs="$archs $arch"
	else
		part_skipped "no $arch-w64-mingw32-gcc (gcc-mingw-w64-${arch/_/-}-win32)"
	fi
done
for version in -19 -20 -21 -18 -17 ""; do
	command -v clang$version lld-link$version llvm-dlltool$version >/dev/null || continue
	check "a program for i686 with a PDB is built" build_pdb "$version"
	break
done
[ -e windows_x86.exe ] || part_skipped "no clang, lld-link and llvm-dlltool"

for suite in bookworm trixie; do
	root=$("$workloads/wine_root" make $suite 2>why) || { part_skipped "$(cat why)"; continue; }
	here=$(mktemp -d "$root/t/XXXXXX") && chmod 755 "$here" || { part_skipped "$suite: not root"; continue; }
	shared=/t/${here##*/}
	cp ./*.exe ./*.dll ./*.pdb "$here" 2>/dev/null
	one_suite
	rm -rf "$here"
done
finish

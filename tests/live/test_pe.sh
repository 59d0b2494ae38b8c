#!/bin/bash
# PE files of MinGW, clang and lld (x64 and ARM64) against llvm-readobj: unwind rules and the names of exports; DWARF
# in a PE file against what its source says.
. "$TOP/tests/live/lib.sh"
readobj=$(command -v llvm-readobj-19 || command -v llvm-readobj) || skip "no llvm-readobj"
oracle() { # FILE
	python3 "$TOP/tests/live/pe_oracle.py" "$readobj" "$WORK/tools/unwind_table" "$WORK/tools/resolve_addr" "$1"
}

# --- ARM64 and x64 from one source, without anything of Windows: frames of many shapes
cat >"$scratch/frames.c" <<'C'
int work(int *p, double d) { return (int)d + *p; }
int large(int n) { int a[3000]; a[0] = n; return work(a, 1.5) + a[1]; }
double floats(double a, double b, double c) { int x[4]; x[0] = (int)a; return work(x, b) * c + a + work(x, c) * b; }
int many(int a, int b, int c, int d, int e, int f, int h)
{
	int r[2] = {a, b}, s = 0;
	for (int i = 0; i < c; i++)
		s += work(r, d) + e * f + h * a;
	return s + b + c + d;
}
int variable(int n, ...)
{
	__builtin_va_list ap;
	int s = 0;
	__builtin_va_start(ap, n);
	for (int i = 0; i < n; i++)
		s += __builtin_va_arg(ap, int);
	return work(&s, s);
}
int dynamic(int n) { int *p = __builtin_alloca((unsigned)n); return work(p, n) + p[0]; }
int start(void) { return large(1) + (int)floats(1, 2, 3) + many(1, 2, 3, 4, 5, 6, 7) + variable(2, 1, 2) + dynamic(100); }
void __chkstk(void) { }
int _fltused;
C
freestanding() { # MACHINE
	local object=$scratch/$1.obj
	clang-19 --target="$1-pc-windows-msvc" -O2 -funwind-tables -fno-inline -ffreestanding -fno-stack-protector -c \
		"$scratch/frames.c" -o "$object" &&
		lld-link-19 /dll /noentry /nodefaultlib /export:large /export:floats /export:start "$object" "/out:$scratch/$1.dll" && oracle "$scratch/$1.dll"
}
if command -v clang-19 >/dev/null && command -v lld-link-19 >/dev/null; then
	check "x64 by clang and lld" freestanding x86_64
	check "ARM64 by clang and lld" freestanding aarch64
else
	part_skipped "no clang-19 with lld-19"
fi

# --- MinGW: COFF symbols of local functions, lines from DWARF
cc=x86_64-w64-mingw32-gcc
mingw() {
	"$cc" -g -O1 -DLIBRARY -shared -o "$scratch/late.dll" "$TOP/tests/workloads/windows_late.c" && oracle "$scratch/late.dll"
}
lines() { # the function's address, and the line that it begins on, or the next
	local address line want
	address=$(nm "$scratch/late.dll" | awk '$3 == "compute_hard" { print $1; exit }')
	want=$(grep -n 'void compute_hard' "$TOP/tests/workloads/windows_late.c" | cut -d: -f1)
	line=$("$WORK/tools/resolve_addr" -f "$scratch/late.dll" "$address" | cut -f4,7)
	[[ $line =~ ^compute_hard$'\t'.*windows_late.c:($want|$((want + 1)))$ ]] || { echo "  got $line"; return 1; }
}
if command -v "$cc" >/dev/null; then
	check "x64 by MinGW" mingw
	check "lines from DWARF" lines
else
	part_skipped "no $cc (gcc-mingw-w64-x86-64-win32)"
fi

# --- what is installed: Wine's libraries, a CPython for Windows
for file in /usr/lib/x86_64-linux-gnu/wine/x86_64-windows/{ntdll,msvcrt,winedbg}.* \
	"${WPERF_CACHE:-/var/cache/wperf-tests}/built/3.13-windows/python313_d.dll"; do
	[ -e "$file" ] && check "$file" oracle "$file"
done
finish

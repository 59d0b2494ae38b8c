#!/bin/bash
# What programs name is only opened when it is a regular file: a PDB that is a FIFO or a device, DWARF that is shared with a FIFO.
# Small files that say they are large are not believed.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
command -v strace >/dev/null || skip "no strace"
[ "$(uname -m)" = x86_64 ] || skip "the programs are of x86-64"
cd "$scratch" || exit 1
mkfifo trap.fifo

opened() { # NAME COMMAND...: it was opened, not only looked at
	strace -f -qq -e trace=open,openat,openat2 -o trace "${@:2}" >out 2>err </dev/null
	grep -F "$1" trace | grep -vq O_PATH
}

ends() { # COMMAND...
	timeout -k 1 20 "$@" >out 2>err </dev/null
}

not() {
	! "$@"
}

# DWARF 4 that says it shares names with another file, and names a unit's folder there.
cat >alt.s <<S
	.globl main
	.type main, @function
main:	.file 1 "a.c"
	.loc 1 1
	jmp main
.Le:	.size main, .-main
	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11, 0, 3, 8, 0x1b, 0x1f21, 0x11, 1, 0x12, 7, 0x10, 0x17, 0, 0, 0
	.section .debug_info,"",@progbits
	.long .Lx - .Ly
.Ly:	.value 4
	.long 0
	.byte 8, 1
	.string "a.c"
	.long 0
	.quad main, .Le - main
	.long 0
.Lx:	.section .gnu_debugaltlink,"",@progbits
	.string "$scratch/trap.fifo"
	.fill 20, 1, 7
	.section .debug_line,"",@progbits
	.section .note.GNU-stack,"",@progbits
S
if gcc -no-pie alt.s -o alt 2>/dev/null; then
	./alt &
	program=$!
	check "DWARF shared with a FIFO: sampling ends" ends "$WPERF" sample --annotate -e cpu-clock -p $program -F 200 --timeout 0.5
	check "  with the line" grep -q " a.c" out
	check "  the FIFO was not opened" not opened trap.fifo "$WPERF" sample --annotate -e cpu-clock -p $program -F 200 --timeout 0.3
	kill $program
	"$WPERF" record -q -e cpu-clock -F 200 --timeout 0.3 --data x.data -- ./alt >/dev/null 2>&1
	check "  nor by export" ends "$WPERF" export --format folded -i x.data
else
	part_skipped "no gcc"
fi

# ELF files of 20 KB that say they have gigabytes: in holes of the file, and when DWARF is inflated.
cat >elf.py <<'PY'
import struct, sys
what, source, target = sys.argv[1:]
data = bytearray(open(source, "rb").read())
at, = struct.unpack_from("<Q", data, 0x28)
count, names = struct.unpack_from("<HH", data, 0x3c)
sections = [list(struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i)) for i in range(count)]
size = len(data)
for i, section in enumerate(sections):
    name = data[sections[names][4] + section[0] :].split(b"\0")[0].decode()
    if (what == "symbols" and section[1] == 2) or (what == "dwarf" and name in (".debug_info", ".debug_line")):
        section[4:6] = 1 << 20, 3 << 30
        size = (1 << 20) + (3 << 30)
    if what == "inflated" and name == ".debug_info":
        struct.pack_into("<Q", data, section[4] + 8, 3 << 30)
    if what == "endless" and name == ".debug_line_str":
        data[section[4] + section[5] - 1] = ord("x")
    struct.pack_into("<IIQQQQIIQQ", data, at + 64 * i, *section)
file = open(target, "wb")
file.write(data)
file.truncate(size)
PY
cat >limited.py <<'PY'
import resource, subprocess, sys, time
began = time.time()
status = subprocess.run(sys.argv[1:], stdout=open("out", "w"), stderr=open("err", "w")).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("  %d MB, %.1f s" % (used >> 10, time.time() - began))
sys.exit(status or used > 400 << 10 or time.time() - began > 15)
PY
if echo 'int main(void) { for (volatile long i = 0;; i++); }' | gcc -g -gdwarf-5 -gz=none -x c - -o busy.plain 2>/dev/null &&
	objcopy --compress-debug-sections=zlib busy.plain busy.packed; then
	for what in symbols dwarf inflated endless; do
		case $what in
		inflated) python3 elf.py $what busy.packed busy ;;
		*) python3 elf.py $what busy.plain busy ;;
		esac
		chmod +x busy
		./busy &
		program=$!
		for options in "" "-g --annotate"; do
			check "an ELF file of $what ${options:-}" python3 limited.py "$WPERF" sample $options -e cpu-clock -p $program -F 200 --timeout 0.5
		done
		case $what in
		symbols | dwarf) check "  is not read" grep -q "file unreadable: busy" err out ;;
		*) check "  has a name, and no lines" eval 'grep -q "main" out && ! grep -q "stdin" out' ;;
		esac
		kill $program
		wait $program 2>/dev/null
		rm -f busy
	done
else
	part_skipped "no gcc with DWARF 5, or no objcopy"
fi

# What dwz took out of two programs is still found.
if command -v dwz >/dev/null && command -v gcc >/dev/null; then
	for name in one two; do
		cat >$name.c <<-C
		struct shared_by_both { long first_member, second_member; char third_member[40]; };
		struct shared_by_both all[3];
		static inline __attribute__((always_inline)) long work_inline(long n) { for (volatile long i = 0; i < n; i++) all[i % 3].first_member += i; return all[0].first_member; }
		int main(void) { for (;;) work_inline(1000); }
		C
		gcc -g -O1 -gdwarf-4 -Wl,--build-id -o $name $name.c
	done
	if dwz -m common -M "$scratch/common" one two 2>dwz.err && [ -s common ]; then
		timeout 10 "$WPERF" record -g -e cpu-clock -F 499 --timeout 0.4 --data y.data -- ./one >/dev/null 2>&1
		"$WPERF" export --format folded -i y.data -o folded 2>/dev/null
		check "names that dwz put into another file are read" grep -q "work_inline" folded
		opened common "$WPERF" export --format folded -i y.data -o folded
		check "  where the program says it is" grep -qF "$scratch/common" trace
	else
		part_skipped "dwz shares nothing: $(tail -n 1 dwz.err)"
	fi
else
	part_skipped "no dwz"
fi

# A PE image whose debug directory names any path as its PDB.
for path in /dev/null "$scratch/trap.fifo"; do
	python3 "$TOP/tests/live/pe_target.py" "$path" &
	program=$!
	wait_until is_mapped $program /evil.exe
	check "a PDB called ${path##*/}: not opened" not opened "\"$path\"" "$WPERF" sample -e cpu-clock -p $program -F 200 --timeout 0.5
	check "  and looked at" grep -qF "$path" trace
	kill $program
	wait $program 2>/dev/null
done
finish

#!/bin/bash
# The libelf of wperf.exe against elfutils': this system's programs and libraries, objects that are compressed, of other
# processors and of 32 bits, and files that end too early.
. "$TOP/tests/live/lib.sh"
same() { "$WORK/tools/small_elf_compare" "$@" >"$scratch/out" || { head -n 20 "$scratch/out"; return 1; }; }

mapfile -t files < <(find -L "$WPERF" "$WORK/tools" /bin/sh /usr/bin/python3 /usr/lib/*-linux-gnu/*.so /usr/lib/debug -type f -size -40M 2>/dev/null | head -n 400)
check "${#files[@]} programs and libraries" same "${files[@]}"

cd "$scratch" || exit 2
for option in -gz=zlib -gz=zlib-gnu -gz=none -gz=zstd; do
	cc -g $option -w -c "$TOP/tests/workloads/names.c" -o "names$option.o" 2>/dev/null || part_skipped "no cc $option"
done
if echo 'int x; int f(void) { return x; }' | cc -m32 -g -gz -c -x c - -o x86.o 2>/dev/null; then
	check "an object of 32 bits" same x86.o
else
	part_skipped "no compiler of 32 bits"
fi
for compiler in aarch64-linux-gnu-gcc; do
	command -v $compiler >/dev/null && $compiler -g -w -c "$TOP/tests/workloads/names.c" -o $compiler.o
done
check "objects" same ./*.o

# Each of them as far as N bytes, and without the last N.
cut_files() {
	local file n
	mkdir cut
	for file in "$(readlink -f /bin/sh)" *.o; do
		for n in 1 15 16 40 64 100 500 1000 1500 3000 5000; do
			head -c $n "$file" >"cut/${file##*/}.$n"
			head -c -$n "$file" >"cut/${file##*/}.less$n"
		done
	done
	same cut/*
}
check "files that end too early" cut_files
finish

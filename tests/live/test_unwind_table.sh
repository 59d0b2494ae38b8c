#!/bin/bash
# The unwind rules of real binaries next to readelf's tables, row by row: this machine's libraries and interpreters, and
# programs in the forms that compilers and linkers make.
. "$TOP/tests/live/lib.sh"
tool=$WORK/tools/unwind_table
oracle=$TOP/tests/live/cfi_oracle.py
for need in readelf python3; do
	command -v $need >/dev/null || skip "no $need"
done
[ "$(uname -m)" = x86_64 ] || skip "the rules of x86-64 are compared"
same() { # FILE [OPTION...]
	"$tool" -s "$1" || true
	check "rules of $1" python3 "$oracle" "$tool" "$@"
}

for file in /lib/*-linux-gnu/lib{c.so.6,crypto.so.3,m.so.6,gcc_s.so.1} /usr/lib/*-linux-gnu/libstdc++.so.6 \
	/lib/*-linux-gnu/ld-linux-x86-64.so.2 /usr/bin/python3.*[0-9] ~/.pyenv/versions/3.12.*/lib/libpython3.12.so.1.0; do
	[ -f "$file" ] && same "$file"
done
node=$(command -v node) && same "$(readlink -f "$node")" --count 5000
cd "$scratch" || exit 2
if command -v c++ >/dev/null; then
	c++ -O2 -g -o shapes "$TOP/tests/live/unwind_shapes.cc" -lpthread && same shapes --count 0
	c++ -O2 -g -fno-asynchronous-unwind-tables -fno-exceptions -x c -c -o dwarf.o - <<<'int f(int *a, int n) { int v[99]; for (int i = 0; i < n; i++) v[i % 99] = a[i]; return v[n % 99] + a[0]; }'
	c++ -O2 -o dwarf dwarf.o -x c - -nostartfiles -Wl,-e,f <<<'int g;' 2>/dev/null && same dwarf --count 0
	c++ -O2 -gz -o gz dwarf.o -x c - -nostartfiles -Wl,-e,f,--compress-debug-sections=zlib <<<'int g;' 2>/dev/null && same gz --count 0
	# A debug file has .debug_frame when the program itself has nothing.
	cp dwarf bare && objcopy --only-keep-debug dwarf dwarf.debug && strip --remove-section=.eh_frame bare 2>/dev/null &&
		objcopy --add-gnu-debuglink=dwarf.debug bare && "$tool" bare >bare.rows && "$tool" dwarf >dwarf.rows
	check "rules by a separate debug file" cmp dwarf.rows bare.rows
else
	part_skipped "no C++ compiler"
fi
if command -v go >/dev/null; then
	printf 'package main\nimport "fmt"\nfunc main() { fmt.Println("x") }\n' >g.go
	HOME=$scratch GO111MODULE=off GOFLAGS=-p=2 go build -o go g.go 2>/dev/null && same ./go --go
else
	part_skipped "no Go compiler"
fi
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
	echo 'fn main() { println!("{:?}", std::env::args().collect::<Vec<_>>()); }' >r.rs
	rustc -O -o rust r.rs 2>/dev/null && same rust
else
	part_skipped "no Rust compiler"
fi
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	echo 'int g(int *); int f(int n) { int v[40]; v[n] = g(v); return v[n + 1] + (n ? f(n - 1) : 0); }' >a.c
	aarch64-linux-gnu-gcc -O2 -mbranch-protection=pac-ret -shared -nostdlib -o a.so a.c && same a.so --arch arm --count 0
else
	part_skipped "no arm64 compiler"
fi
finish

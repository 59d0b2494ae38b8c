#!/bin/bash
# Symbols of real binaries and processes against binutils: what is there on every machine (libc, python3), and programs
# built here: C++, Rust, stripped with separate debug files, .gnu_debugdata, PLT styles, deleted, replaced, dlopened,
# in another mount namespace, JIT code.
set -u
tool=$WORK/tools/resolve_addr
oracle=$TOP/tests/live/symbols_oracle.py
dir=$(mktemp -d)
pids=()
cleanup() {
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
	rm -rf "$dir"
}
trap cleanup EXIT
for need in cc readelf objdump objcopy addr2line nm python3; do
	command -v $need >/dev/null || { echo "SKIP: no $need"; exit 77; }
done
cd "$dir" || exit 2
failed=0
fail() { echo "FAILED: $*"; failed=1; }
ok() { echo "ok: $*"; }
note() { echo "SKIP: symbols: $*"; }
# check WHAT GOT WANT: equal strings.
check() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1: got '$2', want '$3'"; fi; }
compare() { python3 "$oracle" "$tool" "$@" || fail "oracle: $*"; }
field() { cut -f"$1"; }
addr_of() { nm "$1" | awk -v n="$2" '$3 == n {print $1; exit}'; }
# wait_for PID: until it has printed "ready" into its file.
wait_for() { for _ in $(seq 100); do grep -q ready "$1" 2>/dev/null && return; sleep 0.05; done; fail "$1 never got ready"; }

cat >spin.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int spin_leaf(int n) { volatile int x = n; for (int i = 0; i < 10; i++) x += i; return x; }
static __attribute__((noinline)) int spin_static(int n) { return spin_leaf(n) + spin_leaf(n + 1); }
int spin_outer(int n) { return spin_static(n) * 2; }
int main(void) { printf("ready %d %zu\n", spin_outer(3), strlen(getlogin() ?: "")); fflush(stdout); pause(); return 0; }
C
cat >lib.c <<'C'
int plugin_work(int n) { volatile int x = n; return x * 3; }
C
cat >load.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *lib = dlopen(argv[argc - 1], RTLD_NOW);
	printf("ready %p\n", lib ? dlsym(lib, "plugin_work") : 0);
	fflush(stdout);
	pause();
	return 0;
}
C

echo "== files of this machine"
for lib in /lib/*-linux-gnu/libc.so.6 /usr/lib/*-linux-gnu/libstdc++.so.6 /usr/bin/python3.*[0-9]; do
	[ -f "$lib" ] && compare "$lib" --plt
done
for lib in ~/.pyenv/versions/3.12.*/lib/libpython3.12.so.1.0; do
	[ -f "$lib" ] && compare "$lib" --plt --lines --count 300
done

echo "== C, by link style"
cc -g -O1 -o pie spin.c && compare pie --plt --lines --count 200
cc -g -O1 -no-pie -o nopie spin.c && compare nopie --plt --lines --count 200
cc -g -O1 -static -o static spin.c && compare static --count 500
cc -g -O1 -Wl,-z,lazy -fcf-protection=full -o lazy spin.c 2>/dev/null && compare lazy --plt --count 200
cc -g -O1 -Wl,-z,now -o now spin.c && compare now --plt --count 200
cc -g -O1 -Wl,-z,noseparate-code -o together spin.c && compare together --plt --count 200
cc -g -O1 -no-pie -Wl,-Ttext-segment=0x12340000 -o moved spin.c && compare moved --plt --lines --count 200
command -v ld.gold >/dev/null && cc -g -O1 -fuse-ld=gold -o gold spin.c && compare gold --plt --count 200

echo "== C++ and Rust"
if command -v c++ >/dev/null; then
	cat >names.cc <<'CC'
#include <map>
#include <string>
#include <cstdio>
namespace shop {
template <class T> struct Box { T v; __attribute__((noinline)) T get(const std::string &s) const { return v + (T)s.size(); } };
struct Item { virtual ~Item(); virtual int price(int n, const char *s) const; };
Item::~Item() { puts("gone"); }
__attribute__((noinline)) int Item::price(int n, const char *s) const { return n + s[0]; }
__attribute__((noinline)) bool operator<(const Item &a, const Item &b) { return a.price(1, "a") < b.price(2, "b"); }
}
int main() { shop::Box<long> b{3}; shop::Item i; std::map<std::string, int> m; m["x"] = 1; return (int)b.get("abc") + (i < i); }
CC
	c++ -g -O1 -o names names.cc && compare names --plt --lines --count 500
	for pair in '_ZNK4shop3BoxIlE3getERK:shop::Box<long>::get' '_ZNK4shop4Item5priceEiPKc:shop::Item::price' \
		'_ZN4shopltERKNS_4ItemES2_:shop::operator<'; do
		addr=$(nm names | awk -v n="${pair%%:*}" 'index($3, n) == 1 {print $1; exit}')
		check "C++ ${pair#*:}" "$("$tool" -f names "$addr" | field 1)" "${pair#*:}"
	done
	"$tool" -f names $(nm names | awk '$2 ~ /[tTwW]/ {print $1}') | field 1,4 | while IFS=$'\t' read -r name raw; do
		case $raw in _Z*) c=$(c++filt -p "$raw"); [ "$name" = "$c" ] || echo "$raw: $name, c++filt says $c";; esac
	done >filt.diff
	check "all names as c++filt -p" "$(cat filt.diff)" ""
else
	note "C++: no compiler"
fi
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
	cat >r.rs <<'RS'
mod shop { pub struct Cart(pub u64);
impl Cart { #[inline(never)] pub fn total(&self) -> u64 { (0..self.0).map(|x| std::hint::black_box(x)).sum() } } }
#[inline(never)] fn generic<T: std::fmt::Debug>(t: T) -> String { format!("{:?}", t) }
fn main() { println!("{} {}", shop::Cart(9).total(), generic(vec![1])); }
RS
	for mangling in "" "-C symbol-mangling-version=v0"; do
		rustc -g -O $mangling -o rs r.rs 2>/dev/null || { note "Rust ${mangling:-legacy}"; continue; }
		compare rs --count 500
		addr=$(nm rs | awk '$3 ~ /4shop.*Cart.*5total/ {print $1; exit}')
		name=$("$tool" -f rs "$addr" | field 1)
		case $name in *shop::Cart*::total*) ok "Rust $name";; *) fail "Rust ${mangling:-legacy}: '$name'";; esac
	done
else
	note "Rust: no compiler"
fi

echo "== separate debug information"
cc -g -O1 -Wl,--build-id=none -o linked spin.c
objcopy --only-keep-debug linked linked.debug
cp linked full && strip -o bare linked
objcopy --add-gnu-debuglink=linked.debug bare linked
leaf=$(addr_of full spin_static)
check "debuglink: static function" "$("$tool" -f linked "$leaf" | field 1)" spin_static
compare linked --table full --lines --count 200
mkdir .debug && mv linked.debug .debug/
check "debuglink in .debug/" "$("$tool" -f linked "$leaf" | field 1)" spin_static
echo >>.debug/linked.debug
check "debuglink with another CRC" "$("$tool" -f linked "$leaf" | field 3)" stripped
id=$(readelf -n pie | sed -n 's/.*Build ID: //p')
root=/usr/lib/debug/.build-id/${id:0:2}
if [ -n "$id" ] && mkdir -p "$root" 2>/dev/null && [ -w "$root" ]; then
	objcopy --only-keep-debug pie "$root/${id:2}.debug"
	strip -o byid pie
	check "build-id: static function" "$("$tool" -f byid "$(addr_of pie spin_static)" | field 1)" spin_static
	compare byid --table pie --lines --count 200
	rm -f "$root/${id:2}.debug" && rmdir "$root" 2>/dev/null
else
	note "build-id: $root cannot be written"
fi
if command -v xz >/dev/null; then
	nm -D pie --format=posix --defined-only | awk '{print $1}' | sort >dynsyms
	nm pie --format=posix --defined-only | awk '$2 ~ /[Tt]/ {print $1}' | sort >funcsyms
	comm -13 dynsyms funcsyms >keep
	objcopy --only-keep-debug pie mini
	objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=keep mini mini2
	xz -f mini2
	strip -o minied pie
	objcopy --add-section .gnu_debugdata=mini2.xz minied
	check ".gnu_debugdata: static function" "$("$tool" -f minied "$(addr_of pie spin_static)" | field 1)" spin_static
else
	note ".gnu_debugdata: no xz"
fi
strip -o gone pie
check "stripped" "$("$tool" -f gone "$(addr_of pie spin_static)" | field 2,3)" "gone	stripped"
head -c 4096 pie >cut && chmod +x cut
"$tool" -f cut 1000 >/dev/null 2>&1 || fail "a truncated file"

echo "== processes"
cp pie full_pie
./pie >pie.out & pids+=($!); pid=$!
wait_for pie.out
base=$("$tool" -i $pid | awk -F'\t' '$3 == "pie" {print $1}')
where() { printf '%x' $((0x$base + 0x$(addr_of full_pie "$1"))); }
check "a running process" "$("$tool" $pid "$(where spin_static)" | field 1,2)" "spin_static	pie"
vdso=$("$tool" -i $pid | awk -F'\t' '$3 == "[vdso]" {print $1}')
if [ -n "$vdso" ]; then
	names=$("$tool" $pid $(python3 -c "print(*['%x' % (0x$vdso + i) for i in range(0, 8192, 16)])") | awk -F'\t' '$3 == "known" {print $1}' | sort -u | tr '\n' ' ')
	case $names in *clock_gettime*) ok "vdso: $names";; *) fail "vdso: '$names'";; esac
fi
rm pie
if [ "$(id -u)" = 0 ] || [ -r /proc/$pid/exe ]; then
	check "a deleted program" "$("$tool" $pid "$(where spin_static)" | field 1,2)" "spin_static	pie"
fi
cp nopie pie
check "a program whose path has another file now" "$("$tool" $pid "$(where spin_static)" | field 1,2)" "spin_static	pie"
cc -shared -fPIC -o plugin.so lib.c && cc -o load load.c -ldl
./load "$dir/plugin.so" >load.out & pids+=($!); pid=$!
wait_for load.out
at=$(awk '{sub("0x", "", $2); print $2}' load.out)
check "a dlopened library" "$("$tool" $pid "$at" | field 1,2)" "plugin_work	plugin.so"
if [ "$(id -u)" = 0 ]; then
	rm plugin.so
	check "a deleted library" "$("$tool" $pid "$at" | field 1,2)" "plugin_work	plugin.so"
	echo 'int other(void) { return 1; } int more(void) { return other() + 2; }' >other.c
	cc -shared -fPIC -o plugin.so other.c
	check "a replaced library, still mapped" "$("$tool" $pid "$at" | field 1,2)" "plugin_work	plugin.so"
	# Without map_files (an ordinary user) the replaced file must not lend its names.
	if command -v setpriv >/dev/null; then
		chmod 755 "$dir"; chmod 644 plugin.so
		kill $pid; cc -shared -fPIC -o plugin.so lib.c; chmod 755 plugin.so load
		setpriv --reuid=65534 --regid=65534 --clear-groups ./load "$dir/plugin.so" >load2.out & pids+=($!); pid=$!
		wait_for load2.out
		at=$(awk '{sub("0x", "", $2); print $2}' load2.out)
		rm plugin.so; cc -shared -fPIC -o plugin.so other.c; chmod 755 plugin.so
		cp "$tool" ./ask; chmod 755 ask
		check "a replaced library, unprivileged" \
			"$(setpriv --reuid=65534 --regid=65534 --clear-groups ./ask $pid "$at" 2>/dev/null | field 2,3)" "plugin.so	unreadable"
	fi
	if unshare -m true 2>/dev/null; then
		cp full_pie inner; mkdir mnt
		unshare -m sh -c "mount -t tmpfs none '$dir/mnt' && cp inner mnt/inner && exec '$dir/mnt/inner'" >ns.out & pids+=($!); pid=$!
		wait_for ns.out
		base=$("$tool" -i $pid | awk -F'\t' '$3 == "inner" {print $1}')
		check "another mount namespace" "$("$tool" $pid "$(where spin_static)" | field 1,2)" "spin_static	inner"
		[ -e mnt/inner ] && fail "the namespace is not another one"
	else
		note "mount namespaces: unshare is not permitted"
	fi
	if [ -r /proc/kallsyms ] && ! grep -q '^0* T _text' /proc/kallsyms; then
		read -r kaddr _ kname < <(awk '$2 == "T" && NF == 3 && $3 ~ /^do_sys_open/ {print; exit}' /proc/kallsyms)
		[ -n "${kaddr:-}" ] && check "kernel" "$("$tool" -k 0 "$(printf '%x' $((0x$kaddr + 4)))" | field 1,2)" "$kname	[kernel]"
	else
		note "kernel: its addresses are hidden (kptr_restrict)"
	fi
else
	note "deleted libraries, mount namespaces, kernel: not root"
fi

echo "== JIT compilers"
for python in ~/.pyenv/versions/3.1[2-9].*/bin/python3; do
	[ -x "$python" ] || continue
	cat >jit.py <<'PY'
import ctypes, sys, time
def warm_function(n): return sum(range(n))
for i in range(300): warm_function(5)
print("ready", flush=True); time.sleep(60)
PY
	"$python" -X perf jit.py >jit.out & pids+=($!); pid=$!
	wait_for jit.out
	read -r start _ name < <(grep 'py::warm_function' /tmp/perf-$pid.map)
	check "perf map of $("$python" -V)" "$("$tool" $pid "$(printf '%x' $((0x${start#0x} + 8)))" | field 1,2)" "$name	[jit]"
	kill $pid; wait $pid 2>/dev/null; rm -f /tmp/perf-$pid.map jit.out
done
if command -v node >/dev/null; then
	echo 'function hotOne(n){let s=0;for(let i=0;i<n;i++)s+=i%7;return s} let t=0;for(let i=0;i<3000;i++)t+=hotOne(3000);console.log("ready");setTimeout(()=>{},60000)' >hot.js
	node --perf-basic-prof hot.js >node.out & pids+=($!); pid=$!
	wait_for node.out
	read -r start _ name < <(grep ' JS:\*hotOne' /tmp/perf-$pid.map | tail -1)
	if [ -n "${start:-}" ]; then
		check "perf map of node" "$("$tool" $pid "$(printf '%x' $((0x${start#0x} + 8)))" | field 1,2)" "$name	[jit]"
	else
		note "node did not optimise"
	fi
	kill $pid; wait $pid 2>/dev/null; rm -f /tmp/perf-$pid.map
	node --perf-prof --no-turbo-inlining hot.js >node2.out & pids+=($!); pid=$!
	wait_for node2.out; kill -0 $pid
	[ -e jit-$pid.dump ] && python3 "$TOP/tests/live/jitdump_names.py" jit-$pid.dump hotOne >jit.addr
	if [ -s jit.addr ]; then
		read -r start name <jit.addr
		check "jitdump of node" "$("$tool" $pid "$start" | field 1,2)" "$name	[jit]"
	else
		note "node wrote no jitdump yet (it buffers 2 MB)"
	fi
	kill $pid; wait $pid 2>/dev/null
else
	note "node: not installed"
fi
exit $failed

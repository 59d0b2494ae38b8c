#!/bin/bash
# Stacks of real programs, unwound from registers and a copy of the stack, next to gdb's frame by frame; and the rate of
# complete ones at random instants. Interpreters, JIT compilers, C++, Rust, Go, signal handlers, vdso, PLT, realigned stacks.
. "$TOP/tests/live/lib.sh"
tool=$WORK/tools/unwind_pid
oracle=$TOP/tests/live/unwind_oracle.py
here=$TOP/tests/live
export XDG_CACHE_HOME=$scratch/cache
mkdir -p "$XDG_CACHE_HOME"
for need in gdb python3; do
	command -v $need >/dev/null || skip "no $need"
done
gdb -nx -batch -ex 'python print(1)' 2>/dev/null | grep -q 1 || skip "gdb without Python"
sleep 5 & gdb -nx -batch -p $! -ex 'info inferiors' 2>&1 | grep -q 'process' || skip "gdb may not attach"
kill $!

compared() { # NAME PID NEEDS
	check "$1 as gdb has it" python3 "$oracle" "$tool" "$2" --name "$1" --times 3 ${3:+--needs "$3"}
}

# rate NAME PID PERCENT [TIMES]: at least so many stacks are complete
rate() {
	local line
	line=$("$tool" -n "${4:-200}" "$2")
	echo "$1: $line"
	awk -v want="$3" '{exit !($1 > 0 && $6 >= want)}' <<<"$line" || { echo "FAILED: $1: fewer than $3 % complete"; failed=1; }
}

# run NAME PERCENT NEEDS COMMAND...
run() {
	local name=$1 percent=$2 needs=$3
	shift 3
	"$@" >/dev/null 2>&1 &
	local pid=$!
	sleep "${settle:-1}"
	if kill -0 $pid 2>/dev/null; then
		rate "$name" $pid "$percent"
		compared "$name" $pid "$needs"
		kill -CONT $pid
		kill -9 $pid
	else
		echo "FAILED: $name ended by itself"
		failed=1
	fi
	wait $pid 2>/dev/null
}

echo "== interpreters"
for python in /usr/bin/python3.*[0-9] /usr/bin/python3-dbg ~/.pyenv/versions/3.{8,12,13}.*/bin/python3; do
	[ -x "$python" ] && run "$python" 99 list_sort "$python" "$here/unwind_sorts.py"
done
if command -v node >/dev/null; then
	echo 'function f(n){return n<2?n:f(n-1)+f(n-2)} for(;;){let a=[];for(let i=0;i<999;i++)a.push(Math.random());a.sort((x,y)=>f(8)*0+x-y);JSON.stringify(a)}' >"$scratch/n.js"
	run node 99 node::Start node "$scratch/n.js"
else
	part_skipped "no node"
fi
if command -v java >/dev/null; then
	cat >"$scratch/J.java" <<-'J'
	public class J {
		static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
		public static void main(String[] a) { for (;;) { Integer[] x = new Integer[999]; for (int i = 0; i < 999; i++) x[i] = f(5) + i * 7919 % 999; java.util.Arrays.sort(x, (p, q) -> p - q); } }
	}
	J
	java -XX:+PreserveFramePointer "$scratch/J.java" >/dev/null 2>&1 & pid=$!
	sleep 4
	rate "java with frame pointers" $pid 95 20
	compared "java with frame pointers" $pid start_thread
	kill -9 $pid
	wait $pid 2>/dev/null
else
	part_skipped "no java"
fi

echo "== compiled programs"
if command -v c++ >/dev/null && c++ -O2 -g -Wl,-z,lazy -o "$scratch/shapes" "$here/unwind_shapes.cc" -lpthread; then
	settle=0.3
	run "C++ exceptions" 99 thrower "$scratch/shapes" exceptions thread
	run "C++ destructor while unwinding" 99 spin_here "$scratch/shapes" unwinding thread
	run "handler of a raised signal" 99 raise_here "$scratch/shapes" signal
	run "handler of a timer" 99 in_timer "$scratch/shapes" timer
	run vdso 99 in_vdso "$scratch/shapes" vdso thread
	run PLT 99 in_plt "$scratch/shapes" plt thread
	run "sorting" 99 in_sort "$scratch/shapes" sort thread
	run alloca 99 alloca_user "$scratch/shapes" alloca thread
	# Its resolver never ends: main, _dl_runtime_resolve (by rbx), _dl_fixup, the resolver.
	echo 'static volatile int n; static void *pick(void) { for (;;) n++; return 0; } int picked(void) __attribute__((ifunc("pick")));' >"$scratch/i.c"
	echo 'int picked(void); int main(void) { return picked() + 1; }' >"$scratch/l.c"
	if cc -O1 -shared -fPIC -o "$scratch/libi.so" "$scratch/i.c" 2>/dev/null &&
		cc -O1 -o "$scratch/lazy" "$scratch/l.c" "$scratch/libi.so" -Wl,-z,lazy "-Wl,-rpath,$scratch"; then
		run "lazy binding" 99 _dl_runtime_resolve "$scratch/lazy"
	else
		part_skipped "no indirect functions"
	fi
	run "realigned stacks" 99 realigned "$scratch/shapes" realigned thread
	if c++ -O2 -static -o "$scratch/static" "$here/unwind_shapes.cc" -lpthread 2>/dev/null; then
		run "static program" 99 "" "$scratch/static" sort thread
	else
		part_skipped "static linking does not work here"
	fi
	# 32-bit code
	if [ "$(uname -m)" = x86_64 ] && c++ -m32 -idirafter /usr/include/x86_64-linux-gnu -O2 -g -Wl,-z,lazy -o "$scratch/shapes32" "$here/unwind_shapes.cc" -lpthread 2>/dev/null; then
		run "x86: C++ exceptions" 95 thrower "$scratch/shapes32" exceptions thread
		run "x86: handler of a raised signal" 99 raise_here "$scratch/shapes32" signal
		run "x86: sorting" 90 in_sort "$scratch/shapes32" sort thread
		run "x86: realigned stacks" 99 realigned "$scratch/shapes32" realigned thread
	else
		part_skipped "no C++ compiler for 32-bit x86 (g++-multilib)"
	fi
	if c++ -O2 -fuse-ld=lld -Wl,-z,lazy -o "$scratch/lld" "$here/unwind_shapes.cc" -lpthread 2>/dev/null; then
		run "PLT by lld" 99 in_plt "$scratch/lld" plt thread
	else
		part_skipped "no lld"
	fi
else
	part_skipped "no C++ compiler"
fi
if command -v musl-gcc >/dev/null; then
	echo 'static volatile int n; __attribute__((noinline)) void leaf(void) { for (;;) n++; } int main(void) { leaf(); return n; }' >"$scratch/m.c"
	musl-gcc -O1 -o "$scratch/musl" "$scratch/m.c" && run musl 99 "" "$scratch/musl"
	musl-gcc -O1 -static -s -o "$scratch/musl" "$scratch/m.c" && run "musl, static and stripped" 99 "" "$scratch/musl"
else
	part_skipped "no musl"
fi
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
	cat >"$scratch/r.rs" <<-'R'
	use std::collections::BTreeMap;
	#[inline(never)] fn work(n: u64) -> u64 { let mut v: Vec<String> = (0..n).map(|x| (x * 7919 % n).to_string()).collect(); v.sort_by(|a, b| a.len().cmp(&b.len()).then(b.cmp(a))); v.len() as u64 }
	fn main() {
		std::thread::spawn(|| loop { let m: BTreeMap<u64, String> = (0..500).map(|x| (x, format!("{:?}", x))).collect(); std::hint::black_box(m); });
		loop { std::hint::black_box(work(1000)); let _ = std::panic::catch_unwind(|| if work(3) == 3 { std::panic::resume_unwind(Box::new(1)) }); }
	}
	R
	rustc -O -o "$scratch/rust" "$scratch/r.rs" 2>/dev/null && run Rust 99 work "$scratch/rust"
else
	part_skipped "no Rust compiler"
fi
if command -v go >/dev/null; then
	cat >"$scratch/g.go" <<-'G'
	package main
	import ("fmt"; "os"; "sort")
	//go:noinline
	func leaf(n int) int { s := 0; for i := 0; i < n; i++ { s += i * n }; return s }
	//go:noinline
	func rec(n int) int { if n == 0 { return leaf(100) }; return rec(n-1) + 1 }
	func main() {
		go func() { for { rec(20) } }()
		for { x := make([]int, 1000); for i := range x { x[i] = i * 7919 % 1000 }; sort.Slice(x, func(a, b int) bool { leaf(3); return x[a] < x[b] }); if x[0] < 0 { fmt.Fprintln(os.Stderr, x) } }
	}
	G
	(cd "$scratch" && HOME=$scratch GO111MODULE=off GOFLAGS=-p=2 go build -o go g.go 2>/dev/null && go build -ldflags='-s -w' -o gobare g.go 2>/dev/null)
	[ -x "$scratch/go" ] && run Go 99 main. env GOMAXPROCS=2 "$scratch/go"
	if [ -x "$scratch/gobare" ]; then
		GOMAXPROCS=2 "$scratch/gobare" & pid=$!
		sleep 0.5
		rate "Go without DWARF (frame pointers)" $pid 80
		kill -9 $pid
		wait $pid 2>/dev/null
	fi
else
	part_skipped "no Go compiler"
fi
finish

#!/bin/bash
# Probes: counts beside what the program did, beside bpftrace and perf probe in the same run; where they are looked up; who is counted;
# that nothing stays behind. Counts are of a program's own calls, so that they hold however long it takes.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
[ -r /sys/bus/event_source/devices/uprobe/type ] || skip "this kernel has no uprobes"
cd "$scratch" || exit 1
cat >calls.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int hit(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

static void *thread(void *arg)
{
	for (int i = 0; i < 10; i++)
		hit(i);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	while (argc > 1) { /* until it is killed */
		hit(0);
		usleep(1000);
	}
	for (int i = 0; i < 100; i++)
		hit(i);
	if (pthread_create(&t, NULL, thread, NULL))
		return 1;
	pthread_join(t, NULL);
	int pid = fork();
	if (pid < 0)
		return 1;
	if (!pid) {
		for (int i = 0; i < 5; i++)
			hit(i);
		return 0;
	}
	wait(NULL);
	return 0;
}
C
cc -g -O1 -o calls calls.c -pthread || skip "no C compiler"
cc -g -O1 -static -o calls-static calls.c -pthread 2>/dev/null
cc -g -O1 -no-pie -o calls-fixed calls.c -pthread
strip -o calls-stripped calls
at=0x$(nm calls | awk '/ hit$/ { print $3 ? $1 : "" }')

counted() { # WANT EVENT COMMAND...: stat of the command counts so many
	local want=$1 event=$2 got
	shift 2
	"$WPERF" stat -e "$event" -x, -o counts.csv -- "$@" >out 2>&1 || { cat out; return 1; }
	got=$(grep -v '^#' counts.csv | head -1 | cut -d, -f1)
	[ "$got" = "$want" ] || { echo "  got $got, want $want"; return 1; }
}

refused() { # TEXT EVENT: with one line on stderr
	"$WPERF" stat -e "$2" -- true >out 2>err && return 1
	[ "$(wc -l <err)" = 1 ] && grep -qF -- "$1" err || { cat err; return 1; }
}

cat >names.cc <<'CC'
namespace app {
struct Order {
	int n;
	__attribute__((noinline)) int total(int by) const { asm volatile(""); return n * by; }
	__attribute__((noinline)) int total(double by) const { asm volatile(""); return (int)(n * by); }
};
template <class T> __attribute__((noinline)) T twice(T x) { asm volatile(""); return x + x; }
}
int main()
{
	app::Order order{3};
	int sum = 0;

	for (int i = 0; i < 20; i++)
		sum += order.total(i) + app::twice(i);
	for (int i = 0; i < 7; i++)
		sum += order.total(1.5);
	return sum ? 0 : 1;
}
CC
cat >names.rs <<'RS'
mod shop {
    pub struct Order { pub n: u64 }
    impl Order { #[inline(never)] pub fn total(&self, by: u64) -> u64 { std::hint::black_box(self.n.wrapping_mul(by)) } }
    pub trait Price { fn price(&self, by: u64) -> u64; }
    impl Price for Order { #[inline(never)] fn price(&self, by: u64) -> u64 { std::hint::black_box(self.n + by) } }
}
use shop::Price;
fn main() {
    let order = shop::Order { n: 3 };
    let mut sum = 0;
    for i in 0..20 { sum += order.total(i); }
    for i in 0..7 { sum += order.price(i); }
    println!("{}", sum);
}
RS
if c++ -g -O1 -o names-cc names.cc 2>/dev/null; then
	check "C++: all overloads" counted 27 uprobe:./names-cc:app::Order::total ./names-cc
	check "C++: of a template" counted 20 'uprobe:./names-cc:app::twice<int>' ./names-cc
	check "C++: all of a template" counted 20 uprobe:./names-cc:app::twice ./names-cc
else
	part_skipped "no C++ compiler"
fi
if rustc -g -O -o names-rs names.rs 2>/dev/null; then
	check "Rust" counted 20 uprobe:./names-rs:names::shop::Order::total ./names-rs
	check "Rust: of a trait" counted 7 'uprobe:./names-rs:*Price*price*' ./names-rs
else
	part_skipped "no rustc"
fi
# 100 in main, 10 in a thread, 5 in a child: whoever inherited an event could not fork (src/bpf/probe.bpf.c).
check "function" counted 115 uprobe:./calls:hit ./calls
check "return" counted 115 uprobe:./calls:hit%return ./calls
check "not PIE" counted 115 uprobe:./calls-fixed:hit ./calls-fixed
[ ! -x calls-static ] || check "static" counted 115 uprobe:./calls-static:hit ./calls-static
check "stripped, by address" counted 115 "uprobe:./calls-stripped:$at" ./calls-stripped
check "source line" counted 115 uprobe:./calls:calls.c:9 ./calls
check "line of a function" counted 115 uprobe:./calls:hit:3 ./calls
check "glob" counted 115 'uprobe:./calls:hi*' ./calls
check "library by its name" counted 1 uprobe:libc.so.6:fork ./calls
check "program of PATH" env PATH="$scratch:$PATH" "$WPERF" stat -e uprobe:calls:hit -- ./calls
check "group" counted 115 '{uprobe:./calls:hit,page-faults}' ./calls
check "another program is not counted" counted 0 uprobe:./calls:hit true

check "refused: function" refused "did you mean hit?" uprobe:./calls:hot
check "refused: file" refused "No such file" uprobe:./none:hit
check "refused: name" refused "no program or library none" uprobe:none:hit
check "refused: middle of an instruction" refused "no instruction begins" uprobe:./calls:hit+1
check "refused: behind the function" refused "is behind them" uprobe:./calls:hit+0x1000
check "refused: line without code" refused "no code" uprobe:./calls:calls.c:2
check "refused: stripped" refused "it is stripped" uprobe:./calls-stripped:hit
check "refused: no program" refused "calls.c" "uprobe:./calls.c:hit"
if can_be_nobody; then
	chmod 755 "$scratch" && cp "$WPERF" wperf
	as_nobody ./wperf stat -e uprobe:./calls:hit -- ./calls >out 2>err
	check "refused: a user" grep -q 'probes need root or CAP_PERFMON' err
fi

# Attached: a process that goes on hitting, in a root of its own.
attached() { # EVENT
	"$WPERF" stat -e "${1//PID/$spinning}" -x, -o counts.csv -p "$spinning" --timeout 0.3 >out 2>&1 || { cat out; return 1; }
	[ "$(grep -v '^#' counts.csv | head -1 | cut -d, -f1)" -gt 0 ]
}

# Samples have the stack, and stock perf opens what is recorded.
check "record" "$WPERF" record -e uprobe:./calls:hit -g -o hits.data -- ./calls
check "115 samples" [ "$("$WPERF" script -i hits.data | grep -c 'uprobe:./calls:hit:$')" = 115 ]
check "100 of them in main" [ "$("$WPERF" script -i hits.data | grep -c ' main+')" -ge 100 ]
if command -v perf >/dev/null; then
	check "stock perf opens it" [ "$(perf script -i hits.data 2>/dev/null | grep -c 'uprobe:./calls:hit:')" = 115 ]
fi
check "interval" "$WPERF" record -e uprobe:./calls:hit/period=23/ -o some.data -- ./calls
check "every 23rd" [ "$("$WPERF" script -i some.data | grep -c 'uprobe:./calls:hit/period=23/:')" -le 5 ]

# Nothing that other tools would see, and nothing behind SIGKILL.
tracefs() { cat /sys/kernel/tracing/dynamic_events /sys/kernel/tracing/uprobe_events 2>/dev/null | cksum; }
before=$(tracefs)
"$WPERF" stat -e uprobe:./calls:hit -- ./calls forever >out 2>&1 &
wperf=$!
until child=$(pgrep -P "$wperf"); do sleep 0.01; done
check "tracefs is as it was" [ "$(tracefs)" = "$before" ]
kill -KILL "$wperf"
wait "$wperf" 2>/dev/null
kill -KILL "$child" 2>/dev/null
check "it is after SIGKILL" [ "$(tracefs)" = "$before" ]

# Beside bpftrace and perf probe in the same run.
if command -v bpftrace >/dev/null && bpftrace -e 'BEGIN { exit(); }' >/dev/null 2>&1; then
	theirs=$(bpftrace -e 'uprobe:./calls:hit { @hits = count(); }' \
		-c "$WPERF stat -e uprobe:./calls:hit -x, -o same.csv -- ./calls" 2>/dev/null | awk '/@hits/ { print $2 }')
	check "as bpftrace counts" [ "$(grep -v '^#' same.csv | cut -d, -f1)" = "$theirs" ]
else
	part_skipped "no bpftrace"
fi
group=wperf_test_$$
if command -v perf >/dev/null && perf probe -q -x ./calls "$group:hit=hit" 2>/dev/null; then
	"$WPERF" stat -e "$group:hit,uprobe:./calls:hit" -x, -o same.csv -- ./calls >out 2>&1
	perf probe -q -d "$group:*"
	check "as perf probe's event, which is a tracepoint" [ "$(grep -v '^#' same.csv | cut -d, -f1 | sort -u)" = 115 ]
else
	part_skipped "perf probe does not work here"
fi

# Markers of an interpreter: only with their semaphore raised are they hit.
python=/usr/bin/python3
if readelf -n "$(readlink -f $python)" 2>/dev/null | grep -q 'Name: gc__start'; then
	printf 'import gc\ngc.disable()\ndef collect():\n    for i in range(20):\n        gc.collect()\ncollect()\n' >gc.py
	python=$(readlink -f $python)
	"$WPERF" record -e "usdt:$python:python:gc__start" -g -o gc.data -- "$python" -S gc.py >out 2>&1
	check "marker, with its Python line" [ "$("$WPERF" script -i gc.data | grep -c 'collect (.*gc.py')" = 20 ]
	check "refused: marker" refused "did you mean gc__start?" "usdt:$python:python:gc_start"
else
	part_skipped "$python has no markers"
fi
if [ -x calls-static ]; then
	mkdir -p root/bin && cp calls-static root/bin/calls
	chroot root /bin/calls forever &
	spinning=$!
	until [ "$(readlink "/proc/$spinning/root")" = "$scratch/root" ] && [ "$(cat "/proc/$spinning/comm")" = calls ]; do sleep 0.01; done
	check "attached, in a root of its own" attached uprobe:/bin/calls:hit
	check "attached, by its number" attached uprobe:PID:hit
	check "attached, by the name of what it has mapped" attached uprobe:calls:hit
	kill -KILL "$spinning"
fi
exit $failed

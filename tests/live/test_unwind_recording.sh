#!/bin/bash
# The recording source and the offline unwinder on files of stock perf, against perf's own unwinding.
. "$TOP/tests/live/lib.sh"
command -v perf >/dev/null || skip "no perf"
perf record -q -N -e cpu-clock:u -o "$scratch/try" true >/dev/null 2>&1 || skip "this user may not sample with perf"
tool=$WORK/tools/unwind_recording
mixed=$TOP/tests/workloads/py_mixed.py

packed=
record() { # NAME COMMAND...: into $scratch/NAME.data
	local name=$1
	shift
	perf record -q -N $packed --call-graph dwarf,32768 -e cpu-clock:u -F 500 -o "$scratch/$name.data" -- "$@" >/dev/null 2>"$scratch/$name.log"
	[ -s "$scratch/$name.data" ]
}

now_ns() {
	date +%s%N
}

compare() { # NAME: both unwinders over a recording
	local name=$1 begin stacks
	begin=$(now_ns)
	perf script -i "$scratch/$name.data" --no-inline --no-demangle --ns --max-stack 1024 -F pid,tid,time,ip,sym \
		>"$scratch/$name.perf" 2>/dev/null
	stacks=$(grep -cE '^ *[0-9]+/[0-9]+ ' "$scratch/$name.perf")
	echo "  perf script: $stacks stacks, $((($(now_ns) - begin) / (stacks ? stacks : 1) / 1000)) us each with everything"
	begin=$(now_ns)
	"$tool" "$scratch/$name.data" >"$scratch/$name.ours" 2>"$scratch/$name.note" || { cat "$scratch/$name.note"; return 1; }
	echo "  ours: $((($(now_ns) - begin) / (stacks ? stacks : 1) / 1000)) us each with everything; unwinding: $(tail -n 1 "$scratch/$name.note")"
	python3 "$TOP/tests/live/recording_oracle.py" "$scratch/$name.ours" "$scratch/$name.perf" "$enough" 2
}

cat >"$scratch/work.cc" <<'CC'
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Key {
	std::string text;
	long value;
};

static volatile long sink;

__attribute__((noinline)) static long thrower(long n)
{
	std::string local(n % 40, 'x');
	if (n % 3 == 0)
		throw std::runtime_error(local);
	return n > 0 ? thrower(n - 1) + (long)local.size() : 0;
}

__attribute__((noinline)) static bool less(const Key &a, const Key &b)
{
	return a.text != b.text ? a.text < b.text : a.value < b.value;
}

__attribute__((noinline)) static void sorts(std::function<bool(const Key &, const Key &)> by)
{
	std::vector<Key> keys;
	for (long i = 0; i < 500; i++)
		keys.push_back({std::to_string(i * 7919 % 1009), i});
	std::sort(keys.begin(), keys.end(), by);
	std::map<std::string, long> counts;
	for (const Key &key : keys)
		counts[key.text] += key.value;
	sink = counts.size();
}

static void work()
{
	auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
	while (std::chrono::steady_clock::now() < end) {
		for (long i = 0; i < 20; i++) {
			try {
				sink = thrower(i);
			} catch (const std::exception &e) {
				sink = e.what()[0];
			}
		}
		sorts(less);
		sorts([](const Key &a, const Key &b) { return a.value < b.value; });
	}
}

int main()
{
	std::thread other(work);
	work();
	other.join();
}
CC
cat >"$scratch/work.js" <<'JS'
const end = Date.now() + 2000;
while (Date.now() < end) {
	JSON.parse(JSON.stringify(Array.from({length: 500}, (_, i) => ({a: i, b: String(i)}))));
	Array.from({length: 1000}, (_, i) => i * 7919 % 1009).sort((a, b) => a - b);
	"word 12 ".repeat(200).replace(/(\w+) (\d+)/g, "$2");
}
JS

judge() { # NAME ENOUGH COMMAND...: at least ENOUGH stacks must be there to compare
	local name=$1
	enough=$2
	shift 2
	check "$name: perf records" record "$name" "$@"
	check "$name: stacks are perf's" compare "$name"
}

python=$(any_python) || skip "no Python"
echo "python: $python"
judge python 50 "$python" "$mixed" 2
if [ "$python" != /usr/bin/python3 ] && [ -x /usr/bin/python3 ]; then
	judge debian 50 /usr/bin/python3 "$mixed" 2
fi
if perf record -q -N -z -e cpu-clock:u -o "$scratch/try" true 2>/dev/null && ! perf record -z -o "$scratch/try" true 2>&1 | grep -q "not supported"; then
	packed=-z
	judge "python.z" 50 "$python" "$mixed" 2
	packed=
	perf record -q -N -z -e cpu-clock:u -F 500 -o - "$python" "$mixed" 2 >"$scratch/pipe.data" 2>/dev/null
	"$tool" "$scratch/pipe.data" >"$scratch/pipe.ours" 2>/dev/null
	ours=$(grep -c '^sample ' "$scratch/pipe.ours")
	check "compressed and through a pipe: all of perf's samples" [ "$ours" -gt 100 -a "$ours" = "$(perf script -i "$scratch/pipe.data" -F time 2>/dev/null | grep -c .)" ]
else
	part_skipped "perf does not compress"
fi
if command -v g++ >/dev/null && g++ -O2 -g -pthread -o "$scratch/work" "$scratch/work.cc"; then
	judge cxx 50 "$scratch/work"
else
	part_skipped "no g++"
fi
# perf does not get through compiled JavaScript: few of its stacks are complete.
if command -v node >/dev/null; then
	judge node 5 node "$scratch/work.js"
else
	part_skipped "no node"
fi
finish

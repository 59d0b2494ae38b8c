#!/bin/bash
# Recordings (--data): stock perf reads them and finds the same samples; what was flushed survives a kill; -z; sizes.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
perf=$(command -v perf) && "$perf" version >/dev/null 2>&1 || skip "no stock perf to read recordings with"
calls="$WORKLOADS/calls"

samples() { # FILE: how many perf sees
	"$perf" script -F time -i "$1" 2>/dev/null | grep -c :
}

share() { # FILE SYMBOL: of perf's samples, percent
	"$perf" report --stdio --no-children -g none -i "$1" 2>/dev/null |
		awk -v want="$2" '$NF == want { sum += $1 } END { print sum + 0 }'
}

stack_of() { # FILE: the outermost frames that most samples share
	"$perf" script -F ip,sym -i "$1" 2>/dev/null | awk 'NF == 0 { print last } NF { last = $2 }' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }'
}

record() { # FILE ARGS...
	local file=$1
	shift
	"$WPERF" record -e cpu-clock -F 2000 --json --data "$file" "$@" >"$scratch/out.json" 2>"$scratch/err" || cat "$scratch/err"
}

record "$scratch/plain.data" -g -- "$calls" shares 1
n=$(total "$scratch/out.json")
check "perf sees every sample ($n)" test "$(samples "$scratch/plain.data")" = "$n"
check "perf names the same function" within "$(share "$scratch/plain.data" leaf)" "$(overhead "$scratch/out.json" leaf)" 0.5
check "stacks begin at _start" test "$(stack_of "$scratch/plain.data")" = _start

record "$scratch/packed.data" -z -- "$calls" shares 1
n=$(total "$scratch/out.json")
if "$perf" version --build-options 2>/dev/null | grep -q 'zstd: \[ on'; then
	check "perf unpacks every sample ($n)" test "$(samples "$scratch/packed.data")" = "$n"
else
	part_skipped "this perf knows no zstd"
fi

"$WPERF" record -e cpu-clock -F 2000 -o "$scratch/named.data" -- "$calls" shares 0.3 >"$scratch/text" 2>&1
check "-o NAME.data keeps a recording and prints the report" grep -q "hot functions" "$scratch/text"
check "and is one" test "$(samples "$scratch/named.data")" -gt 100

"$WPERF" record -e cpu-clock -F 2000 --data "$scratch/killed.data" -- "$calls" shares 10 >/dev/null 2>&1 &
for _ in $(seq 100); do # a busy machine takes its time to begin
	sleep 0.1
	[ "$(stat -c %s "$scratch/killed.data" 2>/dev/null || echo 0)" -gt 60000 ] && break
done
kill -KILL $!
wait $! 2>/dev/null
check "a killed run leaves what was flushed" test "$(samples "$scratch/killed.data")" -gt 500

for bad in /nonexistent/x.data /proc/x.data; do
	"$WPERF" record -e cpu-clock --data "$bad" -- true >"$scratch/text" 2>&1
	check "$bad is refused" test $? != 0
	check "  with one line that names it" grep -q "^$bad: cannot be created" "$scratch/text"
done
"$WPERF" record -e cpu-clock -z -- true >"$scratch/text" 2>&1
check "-z without a file is refused" test $? != 0
finish

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
check "and has nothing to say of the rest" test -z "$("$perf" script -F time -i "$scratch/plain.data" 2>&1 >/dev/null)"
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

# What tools ask of a recording that perf made, they get of ours: who and what, on which machine and clock, which files.
header() { # FILE LINE
	"$perf" report --header-only -i "$1" 2>/dev/null | grep -q "^# $2"
}
for line in "hostname : $(uname -n)" "os release : $(uname -r)" "arch : $(uname -m)" "nrcpus online : [1-9]" "total memory : [1-9]" \
	"cpudesc : ." "cpuid : ." "cmdline : .*wperf record -e cpu-clock -F 2000" "event : name = cpu-clock" "time of first sample : " \
	"clockid: monotonic" "reference time: $(date +%Y)"; do
	check "header: $line" header "$scratch/plain.data" "$line"
done
check "and that it is compressed" header "$scratch/packed.data" "compressed : Zstd"
check "perf evlist knows the event" grep -q "^cpu-clock: .*sample_freq }: 2000" <("$perf" evlist -v -i "$scratch/plain.data")
id=$(readelf -n "$calls" | sed -n 's/.*Build ID: //p')
check "perf buildid-list names the program's file" grep -qF "$id $calls" <("$perf" buildid-list -i "$scratch/plain.data")
vdso_id() { # FILE
	"$perf" buildid-list -i "$1" | grep -F "[vdso]" || echo "no [vdso] in $1"
}
clocks='import time
for _ in range(6000000): time.monotonic()'
record "$scratch/vdso.data" -- python3 -c "$clocks"
"$perf" record -q -N -e cpu-clock -F 2000 -o "$scratch/stock.data" -- python3 -c "$clocks" >/dev/null 2>&1
check "and the vdso, as perf's own" test "$(vdso_id "$scratch/vdso.data")" = "$(vdso_id "$scratch/stock.data")"
check "and files without samples not" test "$("$perf" buildid-list -i "$scratch/plain.data" | wc -l)" -lt 6

python=$(command -v python3)
cat >"$scratch/work.py" <<-'PY'
	def work_here(n):
	    return sum(i * i for i in range(n))
	while True:
	    work_here(1000)
PY

# Killed in the middle of a write or of none: whatever was flushed is there, names of Python functions too.
killed() { # NAME AFTER_SECONDS OPTIONS...
	local file=$scratch/$1.data after=$2
	shift 2
	"$WPERF" record -e cpu-clock -F 2000 "$@" --timeout 60 --data "$file" -- "$python" "$scratch/work.py" >/dev/null 2>&1 &
	local pid=$!
	for _ in $(seq 300); do # a busy machine takes its time to begin
		sleep 0.1
		grep -qa work_here "$file.python" 2>/dev/null && break
	done
	sleep "$after"
	local children
	children=$(pgrep -P $pid)
	kill -KILL $pid $children
	wait $pid 2>/dev/null
	check "$*, killed: wperf reads it" grep -q work_here <("$WPERF" report -i "$file" 2>"$scratch/err")
	check "  says nothing of damage" test "$(grep -c "could not be read" "$scratch/err")" = 0
	check "  perf reads as much" test "$(samples "$file")" = \
		"$("$WPERF" report -i "$file" --json 2>/dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["sampling"]["samples_generated"])')"
	check "  and names the Python function" grep -q work_here <("$perf" script -F ip,sym -i "$file" 2>/dev/null)
}
killed one 0.0$RANDOM -g
killed two 0.3$RANDOM
killed three 0.1$RANDOM -z -g

# hotspot reads recordings with a program of its own.
parser=$(command -v hotspot-perfparser || ls /usr/lib/*/libexec/hotspot-perfparser 2>/dev/null | head -n 1)
if [ -n "$parser" ]; then
	"$parser" --input "$scratch/one.data" --output "$scratch/parsed" 2>/dev/null
	check "hotspot's parser names the Python function" grep -qa work_here "$scratch/parsed"
else
	part_skipped "no hotspot-perfparser"
fi

# A disk that is full: one line, and what fitted is a recording.
mkdir "$scratch/disk"
if mount -t tmpfs -o size=200k none "$scratch/disk" 2>/dev/null; then
	"$WPERF" record -e cpu-clock -F 5000 -g --data "$scratch/disk/x.data" --timeout 60 -- "$calls" shares 20 >/dev/null 2>"$scratch/text"
	check "a full disk ends it" test $? != 0
	check "  with one line that says so" test "$(grep -c "disk/x.data: cannot be written.*No space left" "$scratch/text")" = 1
	check "  what was written can be read" test "$("$WPERF" report -i "$scratch/disk/x.data" 2>&1 | grep -c "leaf\|No space")" -gt 0
	check "  also by perf" test "$(samples "$scratch/disk/x.data")" -gt 100
	umount "$scratch/disk"
else
	part_skipped "no right to mount a small disk"
fi

for bad in /nonexistent/x.data /proc/x.data; do
	"$WPERF" record -e cpu-clock --data "$bad" -- true >"$scratch/text" 2>&1
	check "$bad is refused" test $? != 0
	check "  with one line that names it" grep -q "^$bad: cannot be created" "$scratch/text"
done
"$WPERF" record -e cpu-clock -z --no-data -- true >"$scratch/text" 2>&1
check "-z without a file is refused" test $? != 0
finish

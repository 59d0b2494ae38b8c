#!/bin/bash
# Recordings in perf of Debian 11, 13 and sid (5.10, 6.12, 7.x): every sample is there, and nothing is said on stderr.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
suites=$TOP/tests/tools/python_suites
cache=${WPERF_CACHE:-/var/cache/wperf-tests}
cat >"$scratch/work.py" <<-'PY'
	def inner(n):
	    return sum(i * i for i in range(n))
	for _ in range(20000):
	    inner(100)
PY
"$WPERF" record -g -F 999 --data "$scratch/packed.data" --json -- python3 "$scratch/work.py" >"$scratch/packed.json" 2>/dev/null
"$WPERF" record -g -F 999 --compression-level 0 --data "$scratch/plain.data" --json -- python3 "$scratch/work.py" >"$scratch/plain.json" 2>/dev/null

read_all() { # ROOT PERF FILE
	local n
	n=$(WPERF_SCRATCH=$scratch "$suites" run "$1" "$2" script -F time -i "/wperf-scratch/$3.data" 2>"$scratch/err" | grep -c :)
	check "$(basename "$1"): every sample of $3.data" within "$n" "$(member "$scratch/$3.json" samples_generated)" 0
	check "  and nothing said of it" test ! -s "$scratch/err"
}

# Raw data of offcpu-time, which Debian's perf cannot record: how long and where.
reads_waits() { # ROOT PERF
	local fields=period,event,ip
	python3 "$TOP/tests/cli/report/off_cpu/make.py" "$scratch/raw.data" raw
	of_waits() {
		awk '/offcpu-time/ { line = $1; while ((getline ip) > 0 && ip != "") line = line " " ip; gsub(/[ \t]+/, " ", line); print line }' | sort
	}
	WPERF_SCRATCH=$scratch "$suites" run "$1" "$2" script -F $fields -i /wperf-scratch/raw.data 2>/dev/null | of_waits >"$scratch/theirs"
	"$WPERF" script -F $fields -i "$scratch/raw.data" 2>/dev/null | of_waits >"$scratch/ours"
	check "waits in raw data: perf reads the same" cmp "$scratch/theirs" "$scratch/ours"
	check "  all three" test "$(wc -l <"$scratch/ours")" = 3
}

seen=0
for suite in bullseye trixie sid; do
	root=$cache/perf-$suite
	[ -e "$root/.packages" ] || "$suites" fetch "perf-$suite"
	perf=$(ls "$root"/usr/bin/perf "$root"/usr/bin/perf_* 2>/dev/null | head -n 1)
	[ -n "$perf" ] || { part_skipped "no perf of $suite"; continue; }
	seen=$((seen + 1))
	read_all "$root" "${perf#"$root"}" plain
	[ "$suite" != sid ] || reads_waits "$root" "${perf#"$root"}"
	if [ "$suite" = bullseye ]; then
		part_skipped "perf of bullseye knows no zstd"
	else
		read_all "$root" "${perf#"$root"}" packed
	fi
done
[ $seen != 0 ] || skip "no other perf is to be had"
finish

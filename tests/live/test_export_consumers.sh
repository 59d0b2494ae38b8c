#!/bin/bash
# wperf export: the tools that open its files read in them, function for function, what wperf report says of the recording.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
oracle=$TOP/tests/live/export_oracle.py
mixed=$TOP/tests/workloads/py_mixed.py
python=$(any_python) || skip "no Python"
consumers=$TOP/tests/tools/export_consumers


cd "$scratch" || exit 1
"$WPERF" record -g -F 1000 -e cpu-clock,page-faults:50 --data work.data -- \
	"$python" "$mixed" 0.4 faults thread >/dev/null 2>record.err || { cat record.err; exit 1; }
"$WPERF" report -g -i work.data --sample-display-row 1000000 -o report.json >/dev/null 2>report.err || { cat report.err; exit 1; }
grep -q '"python_functions"' report.json || skip "no Python frames here: $(tail -n 1 record.err)"
for format in speedscope gecko pprof chrome; do
	check "$format: exported" "$WPERF" export -q --format $format -i work.data -o work.$format
done
"$WPERF" export -q --format chrome --event cpu-clock -i work.data -o time.trace.json
cp work.speedscope work.speedscope.json
cp work.gecko work.gecko.json
cp work.pprof work.pb.gz

check "Firefox's tables fit together" python3 "$oracle" tables work.gecko.json
check "a trace is JSON" python3 -c 'import json,sys; json.load(open("work.chrome"))'
check "gzip reads what pprof gets" gzip -t work.pb.gz

if command -v go >/dev/null; then
	top() { # OPTION...
		GOFLAGS=-mod=mod GOTOOLCHAIN=local timeout 250 go tool pprof -top -nodecount=1000000 -nodefraction=0 -edgefraction=0 \
			-sample_index=cpu-clock -unit=ns "$@" work.pb.gz 2>pprof.err
	}
	top >top.txt && top -lines >lines.txt || { cat pprof.err; failed=1; }
	check "pprof: the report's functions and lines" python3 "$oracle" pprof report.json top.txt lines.txt
	GOTOOLCHAIN=local go tool pprof -raw work.pb.gz >raw.txt 2>&1
	check "pprof: mappings have build-ids" grep -qE '^[0-9]+: 0x.* [0-9a-f]{40} \[FN\]\[FL\]\[LN\]\[IN\]' raw.txt
	check "pprof: samples have threads" grep -qE 'thread:\[' raw.txt
else
	part_skipped "no Go, so no pprof"
fi

command -v node >/dev/null || { part_skipped "no node: neither speedscope nor Firefox Profiler"; finish; }

speedscope=$("$consumers" path speedscope)
if [ -n "$speedscope" ]; then
	check "speedscope: its schema" python3 "$oracle" schema work.speedscope.json "$speedscope/dist/release/file-format-schema.json"
	check "speedscope: opens all of them" eval 'timeout 100 node "$TOP/tests/live/speedscope_import.mjs" "$speedscope" \
		work.speedscope.json work.pb.gz time.trace.json >read.json'
	for file in work.speedscope.json work.pb.gz time.trace.json; do
		check "speedscope: the report's functions in $file" python3 "$oracle" speedscope report.json read.json $file
	done
else
	part_skipped "no speedscope: tests/tools/export_consumers fetch brings it"
fi

firefox=$("$consumers" path profiler-cli)
[ -n "$firefox" ] || { part_skipped "no Firefox Profiler: tests/tools/export_consumers fetch brings it"; finish; }
export PROFILER_CLI_SESSION_DIR=$scratch/firefox
mkdir -p "$PROFILER_CLI_SESSION_DIR"
profiler() {
	timeout 60 node "$firefox/dist/profiler-cli.js" "$@" --session wperf
}
trap 'profiler stop >/dev/null 2>&1; rm -rf "$scratch"' EXIT

# It loads in the background, and gives up waiting for that after half a second.
open_in_firefox() { # FILE
	profiler load "$1" >load.log 2>&1
	for _ in {1..20}; do
		profiler thread list --json >threads.json 2>>load.log && return 0
		sleep 1
	done
	cat load.log
	return 1
}

read_functions() {
	local n
	n=$(python3 -c 'import json; print(len(json.load(open("threads.json"))["threads"]))')
	for ((i = 0; i < n; i++)); do
		profiler thread functions --json --limit 0 --include-idle --thread t-$i >"functions.$i.json" || return 1
	done
}

check "Firefox Profiler: opens it" open_in_firefox work.gecko.json
check "Firefox Profiler: says of each thread" read_functions
check "Firefox Profiler: the report's functions" python3 "$oracle" gecko report.json functions.*.json
profiler stop >/dev/null 2>&1
check "Firefox Profiler: opens a trace too" open_in_firefox time.trace.json
check "Firefox Profiler: its slices" eval 'profiler thread markers --json | grep -q "\"fib\""'
finish

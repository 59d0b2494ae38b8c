#!/bin/bash
# sample: processes that already run, by pid and by name; several events; the end of the process; Ctrl-C.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock -- true 2>&1 | tail -n 1)"
json=$scratch/out.json
cp "$WORKLOADS/shapes" "$scratch/shapes-$$"
cp "$WORKLOADS"/lib*.so "$scratch/"
LD_LIBRARY_PATH=$scratch "$scratch/shapes-$$" library 600 &
pid=$!
wait_until is_mapped $pid libspin.so

"$WPERF" sample -F 1000 -p $pid --timeout 1 --json >"$json"
check "by pid: the library has 75 %" within "$(overhead "$json" spin_in_library:libspin.so)" 75 15
"$WPERF" sample -F 1000 --image_name "shapes-$$" --timeout 1 --json >"$json"
check "by name: the library has 75 %" within "$(overhead "$json" spin_in_library:libspin.so)" 75 15
check "by name: the program's own function without a module" within "$(overhead "$json" half)" 25 15
"$WPERF" sample -F 1000 --pe_file "$scratch/shapes-$$" --timeout 1 --json >"$json"
check "by file: the library has 75 %" within "$(overhead "$json" spin_in_library:libspin.so)" 75 15
"$WPERF" sample -F 1000 -pe_file "$scratch/shapes-$$" -timeout 1 --json >"$json"
check "old single-dash options" within "$(overhead "$json" spin_in_library:libspin.so)" 75 15
"$WPERF" sample -e cpu-clock:1000000,task-clock:2000000 -p $pid --timeout 1 --json >"$json"
check "two events: the first" within "$(overhead "$json" spin_in_library:libspin.so 0)" 75 15
check "two events: the second" within "$(overhead "$json" spin_in_library:libspin.so 1)" 75 15

if taskset -p -c 1 $pid >/dev/null 2>&1; then
	before=$(run_ms $pid)
	"$WPERF" sample -F 1000 -p $pid -c 1 --timeout 1 --json >"$json"
	ran=$(($(run_ms $pid) - before)) n=$(total "$json")
	check "pinned, on its CPU: $n samples, a thousand for each second that it ran ($ran ms)" test "$n" -gt 50 -a "$n" -le $((ran + 5))
	"$WPERF" sample -F 1000 -p $pid -c 0 --timeout 1 --json >"$json"
	check "pinned, on another CPU: none" within "$(total "$json")" 0 5
else
	part_skipped "pinning: there is no CPU 1"
fi

"$WPERF" sample -F 1000 -p $pid >"$scratch/text" 2>&1 &
tool=$!
wait_until is_watching $tool
sleep 0.5 # to have samples
kill -INT $tool
wait $tool
check "Ctrl-C ends it with exit 0" test $? = 0
check "... and the table" grep -q 'spin_in_library:libspin.so' "$scratch/text"
check "no base address line of a Linux program" [ "$(grep -c '^base address' "$scratch/text")" = 0 ]
"$WPERF" sample -v -F 100 -p $pid --timeout 0.2 >"$scratch/text" 2>&1
check "... but with -v" grep -qE "^base address of 'shapes-$$': 0x[0-9a-f]+, runtime delta: 0x[0-9a-f]+" "$scratch/text"
check "the total line" grep -qE '^ +100\.00% +[0-9]+  top [0-9]+ in total' "$scratch/text"

"$WPERF" sample -F 1000 -p $pid >"$scratch/text" 2>&1 &
tool=$!
wait_until is_watching $tool
sleep 0.5 # to have samples
kill $pid
wait $tool
check "the process's end ends it with exit 0" test $? = 0
check "... and nothing collected is lost" grep -q 'spin_in_library:libspin.so' "$scratch/text"
"$WPERF" sample -p $pid >"$scratch/text" 2>&1
check "a pid that is gone: exit 1" test $? = 1
check "... in one line that names it" sh -c "[ \$(wc -l <$scratch/text) = 1 ] && grep -q $pid $scratch/text"
finish

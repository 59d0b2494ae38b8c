#!/bin/bash
# `wperf record` has perf's habits: perf.data is kept, the former one is perf.data.old, and nothing else in the folder is touched.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample: $("$WPERF" record -e cpu-clock --no-data -- true 2>&1 | tail -n 1)"
folder=$scratch/folder
mkdir "$folder" && cd "$folder" || exit 2
busy=(bash -c 'for ((i = 0; i < 60000; i++)); do :; done')
note="the run goes on without keeping its samples: perf.data: "

record() { # OPTION...: a run that has samples
	"$WPERF" record -e cpu-clock -F 2000 --python off "$@" -- "${busy[@]}" >"$scratch/text" 2>"$scratch/notes"
}

samples() { # FILE: how many perf, or without it wperf, finds in it
	if command -v perf >/dev/null; then
		perf script -i "$1" -F comm,time 2>/dev/null | grep -c .
	else
		"$WPERF" script -i "$1" -F comm,time 2>/dev/null | grep -c .
	fi
}

said() { # how many samples the last run said it kept
	sed -n 's/^note: perf.data: \([0-9]*\) samples, [0-9]* bytes$/\1/p' "$scratch/notes"
}

# A run is kept, and the one before it
record
first=$(said)
check "a run is kept" test "$(samples perf.data)" = "$first" -a "${first:-0}" -gt 0
"$WPERF" report >"$scratch/report" 2>&1
check "report shows it without a name" grep -q "sample source: cpu-clock" "$scratch/report"
check "script too" test "$("$WPERF" script -F comm,time 2>/dev/null | grep -c .)" = "$first"
"$WPERF" export --format folded -o "$scratch/folded" -q
check "export too" test -s "$scratch/folded"
cp perf.data "$scratch/first"
record -q
check "with -q nothing is said" test ! -s "$scratch/notes" -a ! -s "$scratch/text"
check "the former run is perf.data.old" cmp "$scratch/first" perf.data.old
check "and there are no other files" test "$(ls)" = "$(printf 'perf.data\nperf.data.old')"

# Runs that take no file's place
cp -p perf.data "$scratch/second"
unchanged() {
	cmp "$scratch/second" perf.data && cmp "$scratch/first" perf.data.old &&
		test "$(ls)" = "$(printf 'perf.data\nperf.data.old')"
}
"$WPERF" record -- nonexistent-program 2>/dev/null
check "a command that does not exist leaves them" unchanged
"$WPERF" record -e no_such_event -- true 2>/dev/null
check "an unknown event does" unchanged
record --no-data
check "--no-data does" unchanged
record --json
check "--json does" unchanged
record -o "$scratch/hot.json"
check "-o FILE.json does" unchanged
check "  and is JSON" test "$(total "$scratch/hot.json")" -gt 0
record -o "$scratch/out"
check "-o FILE does" unchanged
check "  and is a recording" test "$(samples "$scratch/out")" -gt 0
record --json -o "$scratch/other"
check "--json -o FILE is JSON" test "$(total "$scratch/other")" -gt 0

# A Python program: its functions have names for perf too
if python=$(any_python); then
	"$WPERF" record -e cpu-clock -F 2000 -q -- "$python" -c 'def spin_here():
	for i in range(3000000): pass
spin_here()' >/dev/null 2>&1
	check "Python functions are kept" sh -c "'$WPERF' report 2>/dev/null | grep -q spin_here"
	! command -v perf >/dev/null || check "perf shows them" sh -c 'perf report --stdio 2>/dev/null | grep -q spin_here'
	record -q
	check "the Python image goes with its run" test -e perf.data.old.python -a ! -e perf.data.python
	check "  whose functions wperf knows" sh -c "'$WPERF' report -i perf.data.old 2>/dev/null | grep -q spin_here"
fi

# A run without a sample says why
empty() { # WHAT PATTERN OPTION...: `true` has no sample, and one line says why
	"$WPERF" record --no-data "${@:3}" >"$scratch/text" 2>/dev/null
	check "no samples: $1" test "$(grep -cE "^note: no samples: $2" "$scratch/text")" = 1
}
empty "shorter than a period" "in [0-9.]+ m?s the command ran .* ms on a CPU.*, one period is 1 s: sample more often \(-F [0-9]+\)" -e cpu-clock -F 1 -- true
empty "asleep" "in [0-9.]+ m?s the command ran .* one period is 200 ms" -e cpu-clock -F 5 -- sleep 0.2
empty "ended by us" "what was watched slept, or ran for less than one period \(1 s\)" -e cpu-clock -F 1 --timeout 0.2s -- sleep 5
empty "an event that does not happen" "alignment-faults did not happen" -e alignment-faults:1 -- true

# Rates
limit=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
rate() { # the rate of the recording
	"$WPERF" record -e cpu-clock --data "$scratch/rate.data" "$@" -- true >/dev/null 2>"$scratch/notes"
	! command -v perf >/dev/null || test "$(perf evlist -v -i "$scratch/rate.data" | grep -o '{ sample_period, sample_freq }: [0-9]*')" = "{ sample_period, sample_freq }: $limit"
}
check "-F max is the kernel's limit" rate -F max
check "  as is what is above it" rate -F $((limit + 1))
check "  with a warning" grep -q "^warning: -F $((limit + 1)): $limit samples a second are taken" "$scratch/notes"
check "-F 0 is refused in one line" test "$("$WPERF" record -F 0 -- true 2>&1)" = "-F 0: want how many samples a second, from 1, or max"

# --filter: as many hits as perf has, and who called
event=syscalls:sys_enter_write
cat >writes.py <<-'PY'
	import os
	for i in range(500): os.write(1, b"x")
	for i in range(7): os.write(2, b"e")
PY
if python=$(any_python) && "$WPERF" stat -e $event -- true >/dev/null 2>&1; then
	"$WPERF" stat -e $event --filter 'fd == 2' -e $event --json -o "$scratch/writes.json" -- "$python" -S writes.py >/dev/null 2>&1
	check "--filter is of the event before it" test "$(python3 -c 'import json,sys
rows = json.load(open(sys.argv[1]))["core"]["cores"][0]["Performance_counter"]
print([row["counter_value"] for row in rows if row["event_name"] == sys.argv[2]])' "$scratch/writes.json" $event)" = "[7, 507]"
	"$WPERF" record -e $event:1 --filter 'fd == 1' --filter 'count > 1' --json -- "$python" -S writes.py 2>/dev/null | tr -d x >"$scratch/none.json"
	check "two filters of one event both hold" test "$(total "$scratch/none.json")" = 0
	"$WPERF" record -e $event:1 --filter 'fd == 2' -q -- "$python" -S writes.py >/dev/null 2>&1
	check "samples are filtered" test "$("$WPERF" script -F comm,time | grep -c .)" = 7
	rm -f perf.data*
	"$WPERF" stat -e $event --filter 'fd = 2' -- true >"$scratch/text" 2>&1
	check "a filter that the kernel refuses: one line with the fields" test "$(grep -c "^event '$event': --filter fd = 2: the kernel does not take it.*, fd, buf, count$" "$scratch/text")" = 1
else
	part_skipped "no right to count tracepoints, or no CPython"
fi
rm -f writes.py
"$WPERF" stat -e page-faults --filter 'fd == 2' -- true >"$scratch/text" 2>&1
check "only tracepoints have filters" grep -qx -- "--filter fd == 2: the event before it is page-faults, and only tracepoints have fields" "$scratch/text"
"$WPERF" record --filter 'fd == 2' -- true >"$scratch/text" 2>&1
check "a filter goes behind its event" grep -q -- "^--filter fd == 2 goes behind its event" "$scratch/text"

# Folders that do not want it
rm -f perf.data*
mkdir perf.data
record
check "a folder in its place: one note" test "$(grep -c "^note: ${note}cannot be created: Is a directory" "$scratch/notes")" = 1
check "  and the run has its table" grep -q "sample source: cpu-clock" "$scratch/text"
rmdir perf.data
echo precious >"$scratch/precious"
ln -s "$scratch/precious" perf.data
record -q
check "a link's target is left alone" test "$(cat "$scratch/precious")" = precious -a ! -L perf.data -a -s perf.data
for name in perf.data.python perf.data.old.python; do
	rm -f perf.data*
	echo precious >$name
	record
	check "$name of somebody else: one note" test "$(grep -c "$name: not written by wperf" "$scratch/notes")" = 1
	check "  and it is left alone" test "$(cat $name)" = precious -a "$(ls | wc -l)" = 1
	ln -sf "$scratch/precious" $name
	record -q
	check "  so is a link" test -L $name -a "$(cat "$scratch/precious")" = precious
done
rm -f perf.data*
echo precious >train.python
echo former >train
record --data train
check "--data beside such a file: one line" grep -q "/train.python: not written by wperf, but names of Python functions would go there" "$scratch/notes"
check "  and nothing is lost" test "$(cat train train.python | tr -d '\n')" = formerprecious
rm -f train*
rm -f perf.data*
mkdir perf.data.old
touch perf.data
record
check "perf.data.old cannot be replaced: a note" grep -q "^note: the run goes on.*perf.data.old: Is a directory" "$scratch/notes"
check "  and nothing is lost" test -e perf.data -a ! -s perf.data -a "$(ls | wc -l)" = 2
if can_be_nobody; then
	rm -rf perf.data*
	chmod 755 "$scratch" "$folder"
	as_nobody "$WPERF" record -e cpu-clock:u -F 2000 --python off -- "${busy[@]}" >"$scratch/text" 2>"$scratch/notes"
	check "a folder of others: one note" test "$(grep -c "^note: ${note}cannot be created: Permission denied" "$scratch/notes")" = 1
fi
if [ "$(id -u)" = 0 ] && mkdir "$scratch/small" && mount -t tmpfs -o size=16k none "$scratch/small" 2>/dev/null; then
	(cd "$scratch/small" && "$WPERF" record -e cpu-clock -F 5000 -g -- bash -c 'for ((i = 0; i < 300000; i++)); do :; done') >"$scratch/text" 2>"$scratch/notes"
	check "a full disk: one note" test "$(grep -c "^note: the run goes on without keeping.*No space left" "$scratch/notes")" = 1
	check "  and the run has its table" grep -q "sample source: cpu-clock" "$scratch/text"
	umount "$scratch/small"
fi

# Killed before anything was sampled, it leaves nothing behind.
mkdir "$scratch/killed"
for pause in 0.02 0.05 0.1; do
	# One sample for each second that it runs, which it never does.
	(cd "$scratch/killed" && exec "$WPERF" record -e cpu-clock -F 1 -- sleep 3 >/dev/null 2>&1) &
	sleep $pause
	kill -KILL $!
	wait $! 2>/dev/null
done
check "killed at once: no file is left" test -z "$(ls "$scratch/killed")"

# An interval of software events and tracepoints is kept; perf takes as many.
python=$(any_python || command -v python3) # not a script that starts others
touches='x = bytearray(60000000)'
"$python" -c "$touches" # so that its files are in the cache for both
if command -v perf >/dev/null; then
	perf record -q -e page-faults:u -c 100 -o "$scratch/perf.out" "$python" -c "$touches" >/dev/null 2>&1
	theirs=$(perf script -i "$scratch/perf.out" 2>/dev/null | grep -c "page-faults")
	"$WPERF" record -e page-faults:100 --json -- "$python" -c "$touches" >"$scratch/faults.json" 2>/dev/null
	check "a hundred page faults are a sample, as perf's" within "$(total "$scratch/faults.json")" "$theirs" 3
fi
if [ -r /sys/kernel/tracing/events/syscalls ]; then
	writes='import os; [os.write(2, b"") for i in range(200)]'
	for stacks in "" -g; do
		"$WPERF" record -e syscalls:sys_enter_write:10 $stacks --json -- "$python" -c "$writes" >"$scratch/writes.json" 2>/dev/null
		check "ten writes are a sample $stacks" within "$(total "$scratch/writes.json")" 20 1
	done
fi
"$WPERF" record -e page-faults:100,cpu-clock --no-data -- true >/dev/null 2>"$scratch/notes"
check "beside a rate each is one, which is said" grep -q "^warning: page-faults: each hit is a sample" "$scratch/notes"
finish

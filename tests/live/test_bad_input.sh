#!/bin/bash
# Bad input gets one clear line on stderr and a non-zero exit code; what was collected is not lost.
. "$TOP/tests/live/lib.sh"

refused() { # WORDS ARGS...: exit not 0, one line on stderr (and notes), with the words
	local words=$1
	shift
	"$WPERF" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null && { echo "  accepted: $*"; return 1; }
	[ "$(grep -vc '^note: ' "$scratch/err")" = 1 ] && grep -qF -- "$words" "$scratch/err" && return 0
	echo "  wperf $*: $(cat "$scratch/err")"
	return 1
}

check "no command to repeat" refused "-r repeats a command" stat -r 3
check "unknown event" refused "unknown event name: no_such_event" stat -e no_such_event -- true
check "a typo gets a suggestion" refused "page-faults" stat -e page-fualts -- true
check "nested group" refused "nested group is not supported" stat -e '{page-faults,{task-clock}}' -- true
check "unopened group" refused "missing '{' for event group" stat -e 'page-faults}' -- true
check "unclosed group" refused "{" stat -e '{page-faults,task-clock' -- true
check "missing value" refused "needs a value" stat -e
check "bad time" refused "to argument '--timeout' is invalid" stat -e page-faults --timeout 01h
check "bad interval" refused "to argument '-i' is invalid" stat -e page-faults -t -i x
check "bad period" refused "event interval: x" sample -e cpu-clock:x -p $$
check "period out of range" refused "is out of range" sample -e cpu-clock:99999999999 -p $$
check "no such CPU" refused "core index 999 not allowed" stat -e page-faults -c 999 --timeout 0.1
check "bad CPU list" refused "option -c format not supported" stat -e page-faults -c a,b --timeout 0.1
check "empty CPU list" refused "-c" stat -e page-faults -c '' --timeout 0.1
check "several CPUs and a command" refused "you can specify only one core for process spawn" stat -e page-faults -c 0,1 -- true
check "no such process" refused "999999999" stat -e page-faults -p 999999999
check "no such process to sample" refused "999999999" sample -p 999999999
check "not a pid" refused "abc" sample -p abc
check "no such program running" refused "no-such-image" sample --image_name no-such-image
check "no such file" refused "doesn't exist" sample --pe_file /nonexistent/prog
check "nothing to sample" refused "nothing to sample: name a process" sample -e cpu-clock:1000000
check "nothing to record" refused "command" record -e cpu-clock:1000000
check "no such metric file" refused "/nonexistent" stat -C /nonexistent -e page-faults -- true
check "no such output folder" refused "Unable to open /nonexistent/x.json" stat -e page-faults --json --output /nonexistent/x.json -- true
check "full disk" refused "No space left on device" stat -e page-faults --json --output /dev/full -- true
check "no verb" refused "no command given" -v
if ! "$WPERF" stat -e cycles -- true >/dev/null 2>&1; then
	check "hardware event without hardware" refused "cycles" stat -e cycles -- true
fi
"$WPERF" stat -e page-faults --json -- true >/dev/full 2>"$scratch/err"
check "standard output is full: exit 1" test $? = 1
check "... and said" grep -q 'No space left' "$scratch/err"
check "an unknown option" refused "unexpected arg '--nonsense': no option of stat" stat -e page-faults --nonsense -- true
check "an unknown verb" refused "unexpected arg 'nonsense': no verb of wperf" nonsense -- true
"$WPERF" stat -e page-faults --sample-display-long -- true >"$scratch/out" 2>"$scratch/err"
check "an option of WindowsPerf only warns" test $? = 0
check "... in its words" grep -qxF "warning: unexpected arg '--sample-display-long' ignored" "$scratch/err"

if can_be_nobody; then
	nobody=$scratch/wperf
	cp "$WPERF" "$nobody" && chmod 755 "$scratch" "$nobody"
	WPERF_ROOT=$WPERF
	unprivileged() { # WORDS ARGS...
		WPERF=$scratch/as-nobody refused "$@"
	}
	printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %s "$@"\n' "$nobody" >"$scratch/as-nobody"
	chmod 755 "$scratch/as-nobody"
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ]; then
		check "nobody may not count a CPU" unprivileged perf_event_paranoid stat -e page-faults -c 0 --timeout 0.1
		check "nobody may not sample the system" unprivileged perf_event_paranoid sample -a --timeout 0.1
		check "nobody may not attach to root's process" unprivileged "$$" sample -p $$ --timeout 0.1
	fi
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
		check "nobody may not count in the kernel" unprivileged perf_event_paranoid stat -k -e page-faults -- true
	fi
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
		as_nobody "$nobody" stat -e page-faults -- true >"$scratch/out" 2>"$scratch/err"
		check "nobody may count page faults of an own command" grep -q page-faults "$scratch/out"
		as_nobody "$nobody" record -F 1000 -- /usr/bin/env python3 -c 'x = 3**400000' >"$scratch/out" 2>"$scratch/err"
		check "nobody may sample an own command" grep -q 'in total' "$scratch/out"
	fi
	check "nobody gets advice" sh -c "'$scratch/as-nobody' test | grep -q doctor.perf_event_paranoid"
	WPERF=$WPERF_ROOT
else
	part_skipped "cannot become an unprivileged user here"
fi
finish
